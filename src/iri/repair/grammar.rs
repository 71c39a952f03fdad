//! Repairs a text that was written as an IRI reference, so that it matches the grammar of RFC 3987.
//!
//! Authors write what browsers tolerate, and UTS #58, which decides where a link ends in running text, allows characters
//! that the grammar does not. Such a link is not rejected: white space, controls and the ASCII that URIs forbid, `[ ]`
//! outside the authority, a second `#` and characters that IRIs do not have are percent-encoded, a stray `%` becomes `%25`,
//! and the [`Repairs`] record this (RFC 3987 §3.1, with the choices that it leaves to applications).

use std::borrow::Cow;

use crate::iri::chars::{self, PLAIN, Private, push_encoded, triplet};
use crate::iri::mapping::push_query;
use crate::iri::parse::skip;
use crate::iri::{ComponentOffsets, Error, IriRef, QueryEncoder};
use crate::warning::{Warning, Warnings};

/// Characters that were percent-encoded in a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Repairs {
    /// A `%` without two hexadecimal digits.
    pub(crate) stray_percent: bool,
    /// ASCII that URIs forbid.
    pub(crate) forbidden: bool,
    /// A character that RFC 3987 does not allow.
    pub(crate) not_iri: bool,
}

impl Repairs {
    /// Returns the warnings for these repairs.
    pub(crate) fn warnings(self) -> Warnings {
        let mut warnings = Warnings::default();
        for (found, warning) in [
            (self.stray_percent, Warning::StrayPercent),
            (self.forbidden, Warning::ForbiddenCharacter),
            (self.not_iri, Warning::NotIriCharacter),
        ] {
            if found {
                warnings.insert(warning);
            }
        }
        warnings
    }
}

/// A reference that was repaired to match the grammar.
pub(crate) struct GrammarRef<'t> {
    /// Borrowed if it is the original text.
    pub(crate) text: Cow<'t, str>,
    pub(crate) parts: ComponentOffsets,
    pub(crate) repairs: Repairs,
}

impl<'t> GrammarRef<'t> {
    /// Creates the reference of a text, with characters that the grammar forbids percent-encoded; `charset` is the encoding
    /// of its query, if it is not UTF-8.
    ///
    /// # Errors
    ///
    /// Returns an error of the grammar, if the text does not match it after the repairs.
    pub(crate) fn of(
        text: &'t str,
        charset: Option<&QueryEncoder<'_>>,
    ) -> Result<GrammarRef<'t>, Error> {
        if let Ok(parsed) = IriRef::parse(text) {
            let (text, parts) = (Cow::Borrowed(text), parsed.parts());
            return Ok(GrammarRef { text, parts, repairs: Repairs::default() });
        }
        let (text, repairs) = repaired(text, charset);
        let parts = IriRef::parse(&text)?.parts();
        Ok(GrammarRef { text: Cow::Owned(text), parts, repairs })
    }

    /// Returns the reference with its components.
    pub(crate) fn parsed(&self) -> IriRef<'_> {
        IriRef::from_parts(&self.text, self.parts)
    }
}

/// Returns the text with characters that the grammar forbids percent-encoded, and the kinds of these repairs. The result is
/// valid, or has an error that cannot be repaired: a port that is not a number, or a second `@`. `charset` is the encoding
/// of the query, if it is not UTF-8: since the query is sent in its octets, the characters here are encoded in them too.
fn repaired(text: &str, charset: Option<&QueryEncoder<'_>>) -> (String, Repairs) {
    let bytes = text.as_bytes();
    let authority = authority_end(bytes);
    let mut repairs = Repairs::default();
    let mut out = String::with_capacity(bytes.len() + 16);
    let mut private = Private::No;
    let mut in_fragment = false;
    let mut at = 0;
    loop {
        let end = skip::<PLAIN>(bytes, at);
        let run = text.get(at..end).unwrap_or_default();
        // A `?` begins the query; in a fragment it is data.
        if private == Private::No && !in_fragment && run.contains('?') {
            private = Private::Query;
        }
        out.push_str(run);
        at = end;
        let Some(c) = text.get(at..).and_then(|rest| rest.chars().next()) else {
            return (out, repairs);
        };
        match c {
            '%' if triplet(bytes, at).is_some() => out.push('%'),
            '%' => {
                repairs.stray_percent = true;
                out.push_str("%25");
            }
            '#' if !in_fragment => {
                in_fragment = true;
                private = Private::No;
                out.push('#');
            }
            '[' | ']' if at < authority => out.push(c),
            _ if c.is_ascii() => {
                repairs.forbidden = true;
                push_encoded(&mut out, c);
            }
            _ if chars::judge(c, private).is_ok() => out.push(c),
            _ => {
                repairs.not_iri = true;
                match charset {
                    Some(encoder) if private == Private::Query => {
                        push_query(&mut out, c.encode_utf8(&mut [0; 4]), encoder);
                    }
                    _ => push_encoded(&mut out, c),
                }
            }
        }
        at += c.len_utf8();
    }
}

/// Returns where the authority ends; 0 if there is none.
fn authority_end(bytes: &[u8]) -> usize {
    let scheme = bytes.iter().position(|b| matches!(b, b':' | b'/' | b'?' | b'#'));
    let start = match scheme {
        Some(at) if bytes[at] == b':' => at + 1,
        _ => 0,
    };
    match bytes.get(start..).and_then(|rest| rest.strip_prefix(b"//")) {
        Some(rest) => {
            let len = rest.iter().position(|b| matches!(b, b'/' | b'?' | b'#'));
            start + 2 + len.unwrap_or(rest.len())
        }
        None => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_grammar_forbids_is_encoded() {
        let (text, repairs) = repaired("http://[h]/a b%zz[é]?\u{E000}#x#\u{FFFD}%41", None);
        assert_eq!(text, "http://[h]/a%20b%25zz%5Bé%5D?\u{E000}#x%23%EF%BF%BD%41");
        assert_eq!(repairs, Repairs { stray_percent: true, forbidden: true, not_iri: true });
    }

    #[test]
    fn each_reason_by_itself() {
        let none = Repairs::default();
        let of = |text: &str| repaired(text, None).1;
        assert_eq!(of("a://h/b?c#d%20?"), none);
        assert_eq!(of("a://é/?\u{E000}"), none);
        assert_eq!(of("a://h/%2"), Repairs { stray_percent: true, ..none });
        assert_eq!(of("a://h/^"), Repairs { forbidden: true, ..none });
        assert_eq!(of("a://h/\x7F"), Repairs { forbidden: true, ..none });
        assert_eq!(of("a://h/#?\u{E000}"), Repairs { not_iri: true, ..none });
    }
}
