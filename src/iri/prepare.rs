//! Preparation of arbitrary strings for parsing: §4 of the IRI processing draft, steps 1 to 4.
//!
//! Step 1 strips ASCII white space at the ends, step 2 splits or encodes. Step 3, decoding octets, is left to the caller.
//! Step 4, which the draft leaves open, resolves all numeric character references, since a reference is equivalent to its
//! character (RFC 3987 §5.2). Named ones belong to markup.
//!
//! Legacy extended IRIs (W3C note of 2008; draft-ietf-iri-3987bis-07 §6): XML's system identifiers.
//!
//! A LEIRI is not a lenient IRI. Characters that an IRI must not have are percent-encoded, private use in queries too;
//! U+202E and similar characters, which are `ucschar`, are not changed; nor are `%` and `[`, so the result need not be an
//! IRI, and must be parsed.

use std::borrow::Cow;

use super::chars::{self, push_encoded};
use crate::codes::coded;

coded! {
    /// The treatment of spaces inside a string (step 2).
    ///
    /// ```
    /// assert_eq!("split".parse(), Ok(linksift::iri::Spaces::Split));
    /// ```
    pub enum Spaces in "linksift::iri" default Encode {
        /// One reference is allowed: each space becomes `%20`.
        Encode = "encode",
        /// One reference is allowed: runs of white space are removed, as after a broken line.
        Remove = "remove",
        /// Several are allowed: a run of spaces separates two.
        Split = "split",
    }
}

/// Returns the references in a string, prepared for parsing.
///
/// ```
/// use linksift::iri::{Spaces, prepare};
///
/// let one: Vec<_> = prepare(" http://e.example/a b\n", Spaces::Encode).collect();
/// assert_eq!(one, ["http://e.example/a%20b"]);
/// let many: Vec<_> = prepare("a  htt&#x0070;://b ", Spaces::Split).collect();
/// assert_eq!(many, ["a", "http://b"]);
/// ```
pub fn prepare(text: &str, spaces: Spaces) -> impl Iterator<Item = Cow<'_, str>> {
    let stripped = text.trim_matches(is_space);
    let split = spaces == Spaces::Split;
    let separator = move |c: char| split && c == ' ';
    stripped
        .split(separator)
        .filter(move |part| !split || !part.is_empty())
        .map(move |part| resolve(part, spaces))
}

/// Returns `true` for the four characters of step 1; other white space of Unicode is not included.
fn is_space(c: char) -> bool {
    matches!(c, ' ' | '\r' | '\n' | '\t')
}

fn resolve(part: &str, spaces: Spaces) -> Cow<'_, str> {
    let rewrites = |c: char| match spaces {
        Spaces::Encode => c == ' ',
        Spaces::Remove => is_space(c),
        Spaces::Split => false,
    };
    if !part.contains("&#") && !part.contains(rewrites) {
        return Cow::Borrowed(part);
    }
    let mut out = String::with_capacity(part.len());
    let mut rest = part;
    while let Some(c) = rest.chars().next() {
        if let Some((character, length)) = numeric_reference(rest) {
            // The resolved text is not resolved again: `&#x26;#97;` is `&#97;`.
            out.push(character);
            rest = &rest[length..];
            continue;
        }
        match spaces {
            Spaces::Encode if c == ' ' => out.push_str("%20"),
            Spaces::Remove if is_space(c) => {}
            _ => out.push(c),
        }
        rest = &rest[c.len_utf8()..];
    }
    Cow::Owned(out)
}

/// Returns the numeric character reference at the beginning, which must have a semicolon, and its length.
fn numeric_reference(text: &str) -> Option<(char, usize)> {
    let body = text.strip_prefix("&#")?;
    let (digits, radix) = match body.strip_prefix(['x', 'X']) {
        Some(digits) => (digits, 16),
        None => (body, 10),
    };
    let count = digits.bytes().take_while(|&b| char::from(b).is_digit(radix)).count();
    if count == 0 || digits.as_bytes().get(count) != Some(&b';') {
        return None;
    }
    // Any number of zeros is allowed, but no value that is too large for a character.
    let value = digits.get(..count)?.trim_start_matches('0');
    let value = match value.len() {
        0..=7 => u32::from_str_radix(if value.is_empty() { "0" } else { value }, radix).ok()?,
        _ => u32::MAX,
    };
    let character = match value {
        0 => char::REPLACEMENT_CHARACTER,
        _ => char::from_u32(value).unwrap_or(char::REPLACEMENT_CHARACTER),
    };
    let length = text.len() - digits.len() + count + 1;
    Some((character, length))
}

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
