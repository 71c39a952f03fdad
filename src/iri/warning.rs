//! Warnings about valid IRIs.

use std::fmt;
use std::str::FromStr;

use super::bidi::BidiRule;
use super::components::IriRef;
use super::error::ErrorKind;
use super::host::host_to_ascii;
use crate::codes::{UnknownWord, as_word, is_same};
use crate::tables::forms::is_nfc;
use crate::trust::{self, Subject};
use crate::warning::{Warning, Warnings};

/// Warning about an IRI that matches the grammar; [`code`](IriWarning::code) returns its name.
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
            words[at] = IriWarning::ALL[at].code();
            at += 1;
        }
        words
    };

    /// Returns the name of the warning in records; it does not change between versions.
    ///
    /// ```
    /// use linksift::{Warning, iri::IriWarning};
    ///
    /// assert_eq!(IriWarning::Warning(Warning::NotNfc).code(), "not-nfc");
    /// assert_eq!("not-nfc".parse(), Ok(IriWarning::Warning(Warning::NotNfc)));
    /// ```
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            IriWarning::Warning(warning) => warning.code(),
            IriWarning::Refused(kind) => kind.code(),
        }
    }
}

/// Returns `true` if no warning of links has its code.
const fn is_other(kind: ErrorKind) -> bool {
    let mut at = 0;
    while at < Warning::ALL.len() {
        if is_same(Warning::ALL[at].code(), kind.code()) {
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
        f.pad(self.code())
    }
}

as_word! { IriWarning via code }

impl FromStr for IriWarning {
    type Err = UnknownWord;

    fn from_str(word: &str) -> Result<IriWarning, UnknownWord> {
        let at = IriWarning::WORDS.iter().position(|known| *known == word);
        at.map(|at| IriWarning::ALL[at]).ok_or_else(|| UnknownWord::new(word, IriWarning::WORDS))
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
    ///     Iri::parse(iri).unwrap().warnings().iter().map(|w| w.code()).collect()
    /// };
    /// assert_eq!(codes("http://user@e.example/e\u{301}"), ["userinfo", "not-nfc"]);
    /// assert_eq!(codes("http:///"), ["scheme-host-empty"]);
    /// assert_eq!(codes("http://例え.jp/パス"), [""; 0]);
    /// ```
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
        for finding in self.bidi_findings() {
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
            &Subject { text: self.as_str(), scheme, host, ascii },
            &mut warnings,
        );
        warnings
    }
}
