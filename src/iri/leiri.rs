//! Legacy extended IRIs (W3C note of 2008; draft-ietf-iri-3987bis-07 §6): XML's system identifiers.
//!
//! A LEIRI is not a lenient IRI. Characters that an IRI must not have are percent-encoded, private use in queries too;
//! U+202E and similar characters, which are `ucschar`, are not changed; nor are `%` and `[`, so the result need not be an
//! IRI, and must be parsed.

use std::borrow::Cow;

use super::chars::{self, push_encoded};

/// Returns `true` for a character of LEIRIs (`leiri-ucschar`) that IRIs do not have (`ucschar`).
fn is_extra(c: char) -> bool {
    match c {
        '\0'..=' ' | '\x7F'..='\u{9F}' => true,
        '\u{80}'.. => !chars::is_ucschar(c) && !matches!(c, '\u{FFFE}' | '\u{FFFF}'),
        c => chars::is_forbidden_ascii(c as u8),
    }
}

/// Returns the IRI reference for a LEIRI (bis §6.2): each character that is `leiri-ucschar` but not `ucschar` is
/// percent-encoded in UTF-8.
///
/// ```
/// use linksift::iri::leiri_to_iri;
///
/// assert_eq!(leiri_to_iri("a b<é>?\u{E000}%[#"), "a%20b%3Cé%3E?%EE%80%80%[#");
/// assert_eq!(leiri_to_iri("résumé"), "résumé");
/// ```
#[must_use]
pub fn leiri_to_iri(leiri: &str) -> Cow<'_, str> {
    let Some((first, _)) = leiri.char_indices().find(|&(_, c)| is_extra(c)) else {
        return Cow::Borrowed(leiri);
    };
    let (plain, rest) = leiri.split_at(first);
    let mut out = String::with_capacity(leiri.len() + 16);
    out.push_str(plain);
    for c in rest.chars() {
        if is_extra(c) {
            push_encoded(&mut out, c);
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}
