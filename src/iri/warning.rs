//! What a reader of a valid IRI should know.

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

use super::bidi::BidiRule;
use super::components::IriRef;
use super::error::ErrorKind;
use super::host::host_to_ascii;
use crate::trust::{self, Subject};
use crate::warning::Warnings;

/// A warning about an IRI that is valid by the grammar; [`code`](IriWarning::code) is its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum IriWarning {
    /// There is userinfo: who reads `https://bank.example@evil.example/` sees the wrong host (RFC
    /// 3986 §7.6).
    Userinfo,
    /// The text is not in NFC (RFC 3987 §5.3.2.2: it should have been created so).
    NotNfc,
    /// A component mixes directions (RFC 3987 §4.2, rule 1).
    BidiMixed,
    /// A right-to-left component begins or ends with something else (RFC 3987 §4.2, rule 2).
    BidiEnds,
    /// Its text or its host deceive a reader or a program: one of the codes of
    /// [`trust`](crate::trust).
    Deceives(crate::Warning),
    /// The scheme's rules or the host mapping refuse it: a `Scheme…` or `Host…` kind. There is no
    /// URI to be used.
    Refused(ErrorKind),
}

impl IriWarning {
    /// The name of the warning in records; it does not change between versions.
    ///
    /// ```
    /// assert_eq!(linksift::iri::IriWarning::NotNfc.code(), "not-nfc");
    /// ```
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            IriWarning::Userinfo => "userinfo",
            IriWarning::NotNfc => "not-nfc",
            IriWarning::BidiMixed => "bidi-mixed",
            IriWarning::BidiEnds => "bidi-ends",
            IriWarning::Deceives(warning) => warning.code(),
            IriWarning::Refused(kind) => kind.code(),
        }
    }
}

impl IriRef<'_> {
    /// What a reader of this IRI should know: what its scheme and its host refuse, userinfo, NFC,
    /// bidirectional components, what deceives. Each kind once.
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
            warnings.push(IriWarning::Userinfo);
        }
        if !is_nfc(self.as_str()) {
            warnings.push(IriWarning::NotNfc);
        }
        let (mut mixed, mut ends) = (false, false);
        for finding in self.bidi_findings() {
            mixed |= finding.rule == BidiRule::Mixed;
            ends |= finding.rule == BidiRule::Ends;
        }
        if mixed {
            warnings.push(IriWarning::BidiMixed);
        }
        if ends {
            warnings.push(IriWarning::BidiEnds);
        }
        warnings.extend(self.deceits().iter().map(IriWarning::Deceives));
        warnings
    }

    /// What its text and its host deceive with.
    fn deceits(&self) -> Warnings {
        let host = self.host_range();
        let written = &self.as_str()[host.clone()];
        let ascii = host_to_ascii(written).ok();
        let ascii = ascii.as_deref();
        let scheme = self.scheme().unwrap_or_default();
        let mut warnings = Warnings::default();
        trust::survey(&Subject { text: self.as_str(), scheme, host, ascii }, &mut warnings);
        warnings
    }
}

fn is_nfc(text: &str) -> bool {
    if text.is_ascii() {
        return true;
    }
    match is_nfc_quick(text.chars()) {
        IsNormalized::Yes => true,
        IsNormalized::No => false,
        IsNormalized::Maybe => text.nfc().eq(text.chars()),
    }
}
