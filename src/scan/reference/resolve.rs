//! Resolves the references of a text.

use std::borrow::Cow;

use super::Rules;
use super::html::{ResolvedReference, reference_at};
use crate::source_map::{Rewriting, SourceMap};

/// Returns `text` with its references resolved once, from left to right, and the source map to `text`, which begins at
/// `source_start`; `None` if there are no references.
pub(crate) fn resolved_by(
    text: &str,
    rules: Rules,
    source_start: usize,
) -> Option<(String, SourceMap)> {
    let bytes = text.as_bytes();
    if let Rules::Escapes(grammar) = rules {
        let [first, second, third] = grammar.openers();
        let openers = memchr::memchr3_iter(first, second, third, bytes);
        return resolved_at(text, openers, rules, source_start);
    }
    let [first, second] = rules.openers()?;
    resolved_at(text, memchr::memchr2_iter(first, second, bytes), rules, source_start)
}

/// Resolves the references that begin at these offsets, or at some of them.
#[inline]
fn resolved_at(
    text: &str,
    openers: impl Iterator<Item = usize>,
    rules: Rules,
    source_start: usize,
) -> Option<(String, SourceMap)> {
    let bytes = text.as_bytes();
    let mut resolved = Rewriting::new(text, source_start);
    let mut done = 0;
    for at in openers {
        // The second of two backslashes does not begin an escape.
        if at < done {
            continue;
        }
        let found = match bytes[at] {
            0 => Some((ResolvedReference::Character(char::REPLACEMENT_CHARACTER), 1)),
            _ => reference_at(bytes, at, rules),
        };
        let Some((meaning, len)) = found else { continue };
        done = at + len;
        match meaning {
            ResolvedReference::Character(c) => resolved.replace(at..done).push(c),
            ResolvedReference::Named("") => resolved.leave_out(at..done),
            ResolvedReference::Named(characters) => resolved.replace(at..done).push_str(characters),
        }
    }
    resolved.finish()
}

/// Returns `text` with the references of running text resolved, which are numeric and have a semicolon.
pub(crate) fn resolved(text: &str) -> Option<(String, SourceMap)> {
    resolved_by(text, Rules::Plain, 0)
}

/// Returns `text` with its references resolved, without a source map.
pub(crate) fn plainly_resolved(text: &str, rules: Rules) -> Cow<'_, str> {
    match resolved_by(text, rules, 0) {
        Some((resolved, _)) => Cow::Owned(resolved),
        None => Cow::Borrowed(text),
    }
}

/// Returns `true` if any reference of the text represents a character for which `is_wanted` returns `true`. Only references
/// for which `may_be`, given the bytes before and after the ampersand, returns `true` are resolved. Not for JSON.
pub(crate) fn any_reference(
    bytes: &[u8],
    rules: Rules,
    may_be: impl Fn(&[u8], &[u8]) -> bool,
    is_wanted: impl Fn(&[u8], char) -> bool,
) -> bool {
    memchr::memchr_iter(b'&', bytes).any(|at| {
        let before = &bytes[..at];
        may_be(before, &bytes[at + 1..])
            && match reference_at(bytes, at, rules) {
                Some((ResolvedReference::Character(c), _)) => is_wanted(before, c),
                Some((ResolvedReference::Named(characters), _)) => {
                    characters.chars().any(|c| is_wanted(before, c))
                }
                None => false,
            }
    })
}

// Offsets are queried backwards when legacy encodings are read.
#[cfg(all(test, feature = "documents"))]
mod tests {
    use super::*;

    #[test]
    fn resolved_once_with_a_map() {
        let (text, map) = resolved("a&#x8868;b&#38;#46;c").unwrap();
        assert_eq!(text, "a表b&#46;c");
        assert_eq!([0, 1, 4, 5, 6].map(|t| map.edges(text.as_bytes(), t).start), [0, 1, 9, 10, 15]);
        assert_eq!([0, 1, 9, 10, 15].map(|s| map.text_offset(s)), [0, 1, 4, 5, 6]);
        assert!(resolved("a&amp;b").is_none());
    }

    #[test]
    fn null_is_replaced_in_attributes_alone() {
        let (text, map) = resolved_by("a\0b&amp;\0", Rules::HtmlAttribute, 0).unwrap();
        assert_eq!(text, "a\u{FFFD}b&\u{FFFD}");
        assert_eq!([0, 1, 4, 5, 6].map(|t| map.edges(text.as_bytes(), t).start), [0, 1, 2, 3, 8]);
        assert!(resolved_by("a\0b", Rules::HtmlText, 0).is_none());
    }

    #[test]
    fn a_map_by_the_rules_of_html() {
        let (text, map) = resolved_by("&lt;a&ampb&acE;", Rules::HtmlText, 100).unwrap();
        assert_eq!(text, "<a&b∾\u{333}");
        assert_eq!(
            [0, 1, 2, 3, 4].map(|t| map.edges(text.as_bytes(), t).start),
            [100, 104, 105, 109, 110]
        );
        assert_eq!(
            [1, 2, 3, 4, 7, 9].map(|t| map.edges(text.as_bytes(), t).end),
            [104, 105, 109, 110, 115, 115]
        );
        assert!(resolved_by("&amp;", Rules::None, 0).is_none());
    }
}
