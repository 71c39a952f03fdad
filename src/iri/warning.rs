//! Warnings about valid IRIs.
//!
//! Rules for bidirectional IRIs (RFC 3987 §4.2).
//!
//! Components are those of the section, divided where it allows: labels of the host, segments of the path and the
//! extensions in them, names and values of the query; and userinfo and fragment, the former at its colon. Both rules are
//! SHOULDs, so they result in warnings. The formatting characters of §4.1 are not handled here: a text with one of them is
//! not an IRI.

use std::fmt;
use std::str::FromStr;

use super::components::IriRef;
use super::error::ErrorKind;
use super::host::host_to_ascii;
use crate::codes::{ParseEnumError, as_word, coded, is_same};
use crate::tables::direction::{is_ltr, is_rtl};
use crate::tables::forms::is_nfc;
use crate::tables::identifiers::class;
use crate::trust::{self, LinkUse, Subject};
use crate::warning::{Warning, Warnings};

/// Warning about an IRI that matches the grammar; [`as_str`](IriWarning::as_str) returns its name.
///
/// ```
/// use linksift::Warning;
/// use linksift::iri::{ErrorKind, Iri, IriWarning};
///
/// let warnings = Iri::parse("http://user@256.1.1.1/")?.warnings();
/// assert!(warnings.contains(&Warning::Userinfo.into()));
/// assert!(warnings.contains(&IriWarning::Refused(ErrorKind::SchemeHostIpv4)));
/// # Ok::<(), linksift::iri::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum IriWarning {
    /// A warning that links have too: userinfo, a text that is not in NFC, a component that violates the rules for
    /// bidirectional IRIs, and text that misleads a reader or a program ([`trust`](crate::trust)).
    Warning(Warning),
    /// The scheme's rules or the host mapping reject it: a `Scheme…` or `Host…` kind. There is no URI to be used.
    Refused(ErrorKind),
}

impl IriWarning {
    /// All possible warnings: those of links, then the kinds of errors with another code.
    pub const ALL: &'static [IriWarning] = &{
        let mut all = [IriWarning::Warning(Warning::ALL[0]); IriWarning::LEN];
        let (mut len, mut at) = (0, 0);
        while len < Warning::ALL.len() {
            all[len] = IriWarning::Warning(Warning::ALL[len]);
            len += 1;
        }
        while at < ErrorKind::ALL.len() {
            if is_other(ErrorKind::ALL[at]) {
                all[len] = IriWarning::Refused(ErrorKind::ALL[at]);
                len += 1;
            }
            at += 1;
        }
        all
    };

    const LEN: usize = {
        let (mut len, mut at) = (Warning::ALL.len(), 0);
        while at < ErrorKind::ALL.len() {
            len += is_other(ErrorKind::ALL[at]) as usize;
            at += 1;
        }
        len
    };

    const WORDS: &'static [&'static str] = &{
        let (mut words, mut at) = ([""; IriWarning::LEN], 0);
        while at < words.len() {
            words[at] = IriWarning::ALL[at].as_str();
            at += 1;
        }
        words
    };

    /// Returns the name of the warning in records; it does not change between versions.
    ///
    /// ```
    /// use linksift::{Warning, iri::IriWarning};
    ///
    /// assert_eq!(IriWarning::Warning(Warning::NotNfc).as_str(), "not-nfc");
    /// assert_eq!("not-nfc".parse(), Ok(IriWarning::Warning(Warning::NotNfc)));
    /// ```
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            IriWarning::Warning(warning) => warning.as_str(),
            IriWarning::Refused(kind) => kind.as_str(),
        }
    }
}

/// Returns `true` if no warning of links has its code.
const fn is_other(kind: ErrorKind) -> bool {
    let mut at = 0;
    while at < Warning::ALL.len() {
        if is_same(Warning::ALL[at].as_str(), kind.as_str()) {
            return false;
        }
        at += 1;
    }
    true
}

impl From<Warning> for IriWarning {
    fn from(warning: Warning) -> IriWarning {
        IriWarning::Warning(warning)
    }
}

impl fmt::Display for IriWarning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

as_word! { IriWarning }

impl FromStr for IriWarning {
    type Err = ParseEnumError;

    fn from_str(word: &str) -> Result<IriWarning, ParseEnumError> {
        let at = IriWarning::WORDS.iter().position(|known| *known == word);
        at.map(|at| IriWarning::ALL[at]).ok_or_else(|| ParseEnumError::new(word, IriWarning::WORDS))
    }
}

impl IriRef<'_> {
    /// Returns the warnings about this IRI: errors of its scheme's rules and its host, userinfo, NFC, bidirectional
    /// components, misleading text. Each kind is included once.
    ///
    /// ```
    /// use linksift::iri::Iri;
    ///
    /// let codes = |iri| -> Vec<_> {
    ///     Iri::parse(iri).unwrap().warnings().iter().map(|w| w.as_str()).collect()
    /// };
    /// assert_eq!(codes("http://user@e.example/e\u{301}"), ["userinfo", "not-nfc"]);
    /// assert_eq!(codes("http:///"), ["scheme-host-empty"]);
    /// assert_eq!(codes("http://例え.jp/パス"), [""; 0]);
    /// ```
    #[cfg(feature = "iri-tools")]
    #[must_use]
    pub fn warnings(&self) -> Vec<IriWarning> {
        let mut warnings = Vec::new();
        if let Some(Err(error)) = self.to_iri().map(|iri| iri.check_scheme()) {
            warnings.push(IriWarning::Refused(error.kind()));
        }
        if let Err(error) = self.to_uri() {
            warnings.push(IriWarning::Refused(error.kind()));
        }
        if self.userinfo().is_some() {
            warnings.push(Warning::Userinfo.into());
        }
        if !is_nfc(self.as_str()) {
            warnings.push(Warning::NotNfc.into());
        }
        let (mut mixed, mut ends) = (false, false);
        for finding in self.broken_components() {
            mixed |= finding.rule == BidiRule::Mixed;
            ends |= finding.rule == BidiRule::Ends;
        }
        if mixed {
            warnings.push(Warning::BidiMixed.into());
        }
        if ends {
            warnings.push(Warning::BidiEnds.into());
        }
        warnings.extend(self.deceits().iter().map(IriWarning::Warning));
        warnings
    }

    /// Returns the warnings about misleading text and host.
    fn deceits(&self) -> Warnings {
        let host = self.host_range();
        let written = &self.as_str()[host.clone()];
        let ascii = host_to_ascii(written).ok();
        let ascii = ascii.as_deref();
        let scheme = self.scheme().unwrap_or_default();
        let mut warnings = Warnings::default();
        trust::collect_warnings(
            &Subject { text: self.as_str(), scheme, host, ascii, place: LinkUse::Other },
            &mut warnings,
        );
        warnings
    }
}

/// Violation of the rules for bidirectional IRIs in a component.
///
/// ```
/// use linksift::iri::{BidiRule, Iri};
///
/// let iri = Iri::parse("http://example.com/aא")?;
/// let found: Vec<_> = iri.bidi_findings().collect();
/// assert_eq!((found[0].index, found[0].rule), (19, BidiRule::Mixed));
/// # Ok::<(), linksift::iri::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct BidiFinding {
    /// Byte offset of the component.
    pub index: usize,
    /// Rule of §4.2 that the component breaks.
    pub rule: BidiRule,
}

coded! {
    /// The two rules of RFC 3987 §4.2.
    ///
    /// ```
    /// assert_eq!(linksift::iri::BidiRule::ALL.len(), 2);
    /// ```
    pub enum BidiRule in "linksift::iri" {
        /// "A component SHOULD NOT use both right-to-left and left-to-right characters."
        Mixed = "mixed",
        /// "A component using right-to-left characters SHOULD start and end with right-to-left
        /// characters."
        Ends = "ends",
    }
}

impl<'a> IriRef<'a> {
    /// Returns the components that break the rules for bidirectional IRIs (RFC 3987 §4.2), in order; each
    /// once, for the first rule it breaks. Labels without right-to-left characters break no rule.
    ///
    /// ```
    /// use linksift::iri::{BidiRule, Iri};
    ///
    /// let rule = |iri| Iri::parse(iri).unwrap().bidi_findings().next().map(|f| f.rule);
    /// assert_eq!(rule("http://ab.אבג.ij/kl/אבג.html"), None);
    /// assert_eq!(rule("http://ab.cd.ef/אב1/2גד/kl.html"), Some(BidiRule::Ends));
    /// assert_eq!(rule("http://ab.cd.ef/אבcd"), Some(BidiRule::Mixed));
    /// ```
    #[cfg(feature = "iri-tools")]
    pub fn bidi_findings(&self) -> impl Iterator<Item = BidiFinding> + use<'a> {
        self.broken_components()
    }

    pub(crate) fn broken_components(&self) -> impl Iterator<Item = BidiFinding> + use<'a> {
        let iri = *self;
        // Right-to-left characters begin at U+0590.
        let any = iri.text.bytes().any(|b| b >= 0xD6);
        let p = iri.parts;
        let sections: [(u32, u32, &'static [char]); 5] = [
            (if any { p.hier_start } else { p.host_start }, p.host_start, &[':', '@', '/']),
            (p.host_start, p.host_end, &['.']),
            (p.path_start, p.path_end, &['/', '.']),
            (p.path_end, p.query_end, &['?', '&', ';', '=']),
            (p.query_end, iri.text.len() as u32, &['#']),
        ];
        sections.into_iter().filter(move |_| any).flat_map(move |(start, end, delimiters)| {
            let section = iri.slice(start, end);
            let base = section.as_ptr() as usize;
            section.split(delimiters).filter_map(move |component| {
                let index = start as usize + (component.as_ptr() as usize - base);
                broken(component).map(|rule| BidiFinding { index, rule })
            })
        })
    }
}

/// Returns the first rule that a component violates.
fn broken(component: &str) -> Option<BidiRule> {
    if component.is_ascii() || !component.chars().any(is_rtl) {
        return None;
    }
    if component.chars().any(is_ltr) {
        return Some(BidiRule::Mixed);
    }
    let first = component.chars().next().is_some_and(is_rtl);
    // Combining marks have no direction: the last letter may have some.
    let last = component
        .chars()
        .rev()
        .find(|&c| !class(u32::from(c)).is_nonspacing_mark())
        .is_some_and(is_rtl);
    (!first || !last).then_some(BidiRule::Ends)
}
