//! Nouns of what is found: a link or a rejected candidate, and what deceives in it.

use std::ffi::CString;
use std::ops::Range;

use sift::{Link, Rejected};

/// A link, or a candidate that is none.
pub(crate) type Found = Result<Link<'static>, Rejected<'static>>;

/// A finding as C reads it.
pub(crate) struct Finding {
    pub(crate) code: CString,
    pub(crate) severity: CString,
    pub(crate) range: Range<usize>,
}

impl Finding {
    /// All findings of a link.
    pub(crate) fn all(findings: &sift::trust::Findings) -> Vec<Finding> {
        let text = |text: &str| CString::new(text).unwrap_or_default();
        let one = |finding: &sift::trust::Finding| Finding {
            code: text(finding.warning().code()),
            severity: text(finding.warning().severity().as_str()),
            range: finding.range(),
        };
        findings.iter().map(one).collect()
    }
}

/// A notice as C reads it.
pub(crate) struct Noticed {
    /// The member of an archive that it is about; empty if it is about the document itself.
    pub(crate) member: CString,
    pub(crate) code: CString,
}

impl Noticed {
    pub(crate) fn new(member: String, code: &str) -> Noticed {
        // No name has a NUL that C could read past.
        let text = |text: String| CString::new(text.replace('\0', "\u{FFFD}")).unwrap_or_default();
        Noticed { member: text(member), code: text(code.to_owned()) }
    }
}
