//! Finding types: one finding, and all findings of a link.

use std::net::Ipv4Addr;
use std::ops::Range;

use crate::warning::{Severity, Warning, Warnings};

/// A finding: a warning with its range and its subject.
///
/// ```
/// use linksift::trust::{self, FindingDetail};
///
/// let found = trust::label("kölnο", "de");
/// let first = found.iter().next().unwrap();
/// assert_eq!(first.warning().as_str(), "host-mixed-script");
/// assert_eq!(first.range(), 5..7);
/// assert_eq!(*first.detail(), FindingDetail::Scripts("Latn", "Grek"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Finding {
    pub(crate) warning: Warning,
    pub(crate) severity: Severity,
    pub(crate) range: Range<usize>,
    pub(crate) what: FindingDetail,
}

impl Finding {
    /// Returns the warning.
    ///
    /// ```
    /// let found = linksift::trust::label("kölnο", "de");
    /// let first = found.iter().next().unwrap();
    /// assert_eq!(first.warning().as_str(), "host-mixed-script");
    /// ```
    #[must_use]
    pub fn warning(&self) -> Warning {
        self.warning
    }

    /// Returns the severity: that of [`Warning::severity`], except for a
    /// [`TextMismatch`](Warning::TextMismatch) with a text that is only a name, which is suspect.
    ///
    /// ```
    /// let found = linksift::trust::label("kölnο", "de");
    /// let first = found.iter().next().unwrap();
    /// assert_eq!(first.severity(), linksift::Severity::Deceptive);
    /// ```
    #[must_use]
    pub fn severity(&self) -> Severity {
        self.severity
    }

    /// Returns the byte range in the checked text.
    ///
    /// ```
    /// let found = linksift::trust::label("kölnο", "de");
    /// let first = found.iter().next().unwrap();
    /// assert_eq!(&"kölnο"[first.range()], "ο");
    /// ```
    #[must_use]
    pub fn range(&self) -> Range<usize> {
        self.range.clone()
    }

    /// Returns the subject: what is misleading.
    ///
    /// ```
    /// let found = linksift::trust::label("kölnο", "de");
    /// let first = found.iter().next().unwrap();
    /// assert_eq!(*first.detail(), linksift::trust::FindingDetail::Scripts("Latn", "Grek"));
    /// ```
    #[must_use]
    pub fn detail(&self) -> &FindingDetail {
        &self.what
    }
}

/// Subject of a [`Finding`], in addition to the text in its range.
///
/// ```
/// let found = linksift::trust::label("kölnο", "de");
/// let first = found.iter().next().unwrap();
/// assert_eq!(*first.detail(), linksift::trust::FindingDetail::Scripts("Latn", "Grek"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FindingDetail {
    /// The text in the range of the finding.
    Text,
    /// Two scripts that do not belong together, as ISO 15924 codes.
    Scripts(&'static str, &'static str),
    /// The host that a reader sees, or that the link resembles.
    Host(Box<str>),
    /// The address that the host represents.
    Address(Ipv4Addr),
}

/// All findings of a link, in the order of [`Warning::ALL`] where rules overlap.
///
/// ```
/// use linksift::trust;
///
/// let found = trust::host("xn--pypal-4ve.com");
/// assert_eq!(found.severity(), Some(linksift::Severity::Deceptive));
/// assert!(trust::host("www.paypal.com").is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Findings(pub(crate) Vec<Finding>);

impl Findings {
    /// Returns `true` if the set is empty.
    ///
    /// ```
    /// use linksift::trust;
    ///
    /// assert!(trust::host("www.paypal.com").is_empty());
    /// assert!(!trust::host("xn--pypal-4ve.com").is_empty());
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns an iterator over the findings.
    ///
    /// ```
    /// let found = linksift::trust::label("kölnο", "de");
    /// let codes: Vec<_> = found.iter().map(|one| one.warning().as_str()).collect();
    /// assert_eq!(codes[0], "host-mixed-script");
    /// ```
    pub fn iter(&self) -> std::slice::Iter<'_, Finding> {
        self.0.iter()
    }

    /// Returns their warnings, each once.
    ///
    /// ```
    /// use linksift::{Warning, trust};
    ///
    /// let found = trust::host("xn--pypal-4ve.com");
    /// assert!(found.warnings().contains(Warning::HostMixedScript));
    /// ```
    #[must_use]
    pub fn warnings(&self) -> Warnings {
        let mut warnings = Warnings::default();
        self.0.iter().for_each(|finding| warnings.insert(finding.warning));
        warnings
    }

    /// Returns the greatest severity among the findings; `None` without findings.
    ///
    /// ```
    /// use linksift::{Severity, trust};
    ///
    /// assert_eq!(trust::host("xn--pypal-4ve.com").severity(), Some(Severity::Deceptive));
    /// assert_eq!(trust::host("www.paypal.com").severity(), None);
    /// ```
    #[must_use]
    pub fn severity(&self) -> Option<Severity> {
        self.iter().map(Finding::severity).max()
    }
}

impl Findings {
    /// Returns the sentences of the warnings of this severity and greater ones, each once, with a space between.
    ///
    /// ```
    /// use linksift::{Severity, trust};
    ///
    /// let found = trust::host("xn--pypal-4ve.com");
    /// let sentence = "The host mixes letters of different scripts that look alike.";
    /// assert_eq!(found.sentences(Severity::Suspect), sentence);
    /// ```
    #[must_use]
    pub fn sentences(&self, least: Severity) -> String {
        let grave = self.iter().filter(|finding| finding.severity() >= least);
        let mut warnings: Vec<_> = grave.map(Finding::warning).collect();
        warnings.dedup();
        warnings.into_iter().map(Warning::sentence).collect::<Vec<_>>().join(" ")
    }
}

impl<'f> IntoIterator for &'f Findings {
    type Item = &'f Finding;
    type IntoIter = std::slice::Iter<'f, Finding>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.iter()
    }
}

impl IntoIterator for Findings {
    type Item = Finding;
    type IntoIter = std::vec::IntoIter<Finding>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

/// Receiver of findings: a set of warnings, which costs a bit each, or a list with all details.
pub(crate) trait FindingSink {
    fn put(&mut self, warning: Warning, range: Range<usize>, what: impl FnOnce() -> FindingDetail);
}

impl FindingSink for Warnings {
    #[inline]
    fn put(&mut self, warning: Warning, _: Range<usize>, _: impl FnOnce() -> FindingDetail) {
        self.insert(warning);
    }
}

impl FindingSink for Findings {
    fn put(&mut self, warning: Warning, range: Range<usize>, what: impl FnOnce() -> FindingDetail) {
        let severity = warning.severity();
        self.0.push(Finding { warning, severity, range, what: what() });
    }
}

/// Sink for a text that is part of another one: it adds an offset to the ranges.
pub(crate) struct OffsetSink<'s, S> {
    pub(crate) sink: &'s mut S,
    pub(crate) by: usize,
}

impl<S: FindingSink> FindingSink for OffsetSink<'_, S> {
    fn put(&mut self, warning: Warning, range: Range<usize>, what: impl FnOnce() -> FindingDetail) {
        self.sink.put(warning, range.start + self.by..range.end + self.by, what);
    }
}
