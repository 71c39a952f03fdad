//! Legacy extended IRIs (W3C note of 2008; draft-ietf-iri-3987bis-07 §6): XML's system identifiers.
//!
//! A LEIRI is not a lenient IRI. What an IRI does not take is percent-encoded, private use in
//! queries too; U+202E and its kind, which are `ucschar`, go through as they are; `%` and `[` are
//! left alone, so what comes out need not be an IRI: parse it.

use std::borrow::Cow;

use super::chars::{self, push_encoded};

/// A character that a LEIRI has (`leiri-ucschar`) and an IRI has not (`ucschar`).
fn is_extra(c: char) -> bool {
    match c {
        '\0'..=' ' | '\x7F'..='\u{9F}' => true,
        '\u{80}'.. => !chars::is_ucschar(c) && !matches!(c, '\u{FFFE}' | '\u{FFFF}'),
        c => chars::is_forbidden_ascii(c as u8),
    }
}

/// Returns the IRI reference that a LEIRI stands for (bis §6.2): each character that is `leiri-ucschar` but
/// not `ucschar`, as triplets of its UTF-8.
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
