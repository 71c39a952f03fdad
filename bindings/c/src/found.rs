//! Types of results: a link or a rejected candidate, its findings, notices.

use std::ffi::CString;
use std::ops::Range;

use sift::{Candidate, Link, Notice, Rejected};

/// The current link or rejected candidate: one of the two at most.
///
/// Two fields and no enum, so that an iterator of links writes a link directly to its place.
pub(crate) struct Current {
    pub(crate) link: Option<Link<'static>>,
    pub(crate) rejected: Option<Rejected<'static>>,
}

impl Current {
    /// The one that there is.
    #[inline]
    pub(crate) fn get(&self) -> Option<Result<&Link<'static>, &Rejected<'static>>> {
        match &self.link {
            Some(link) => Some(Ok(link)),
            None => self.rejected.as_ref().map(Err),
        }
    }

    /// Keeps the next one.
    pub(crate) fn set(&mut self, found: Option<Candidate<'static>>) {
        (self.link, self.rejected) = match found {
            Some(Candidate::Link(link)) => (Some(link), None),
            Some(Candidate::Rejected(rejected)) => (None, Some(rejected)),
            None => (None, None),
        };
    }
}

/// A finding as C reads it.
pub(crate) struct Finding {
    pub(crate) code: CString,
    pub(crate) severity: CString,
    pub(crate) sentence: CString,
    pub(crate) range: Range<usize>,
}

impl Finding {
    /// All findings of a link.
    pub(crate) fn all(findings: &sift::trust::Findings) -> Vec<Finding> {
        let text = |text: &str| CString::new(text).unwrap_or_default();
        let one = |finding: &sift::trust::Finding| Finding {
            code: text(finding.warning().as_str()),
            severity: text(finding.severity().as_str()),
            sentence: text(finding.warning().sentence()),
            range: finding.range(),
        };
        findings.iter().map(one).collect()
    }
}

/// A notice as C reads it.
#[derive(Clone)]
pub(crate) struct Noticed {
    /// The member of an archive that it is about; empty if it is about the document itself.
    pub(crate) member: CString,
    pub(crate) code: CString,
    /// The part of a message that it is about; empty if it is about the document or the member itself.
    pub(crate) part: CString,
}

impl Noticed {
    pub(crate) fn new(member: &str, notice: Notice, part: Option<&str>) -> Noticed {
        // No name has a NUL that C could read past.
        let text = |text: &str| CString::new(text.replace('\0', "\u{FFFD}")).unwrap_or_default();
        let part = text(part.unwrap_or_default());
        Noticed { member: text(member), code: text(notice.as_str()), part }
    }
}
