//! A text with its references resolved.

#[cfg(feature = "markup")]
use std::borrow::Cow;

use super::Rules;
use super::html::{Meaning, reference_at};
use crate::span::Trace;

/// `text` with its references resolved, once, from left to right, and the trace back into `text`,
/// in which the text begins at `source_start`; `None` when there are none.
pub(crate) fn resolved_by(
    text: &str,
    rules: Rules,
    source_start: usize,
) -> Option<(String, Trace)> {
    let bytes = text.as_bytes();
    if rules == Rules::None {
        return None;
    }
    let mut out = String::new();
    let mut trace = Trace::default();
    let mut done = 0;
    for at in memchr::memchr_iter(b'&', bytes) {
        let Some((meaning, len)) = reference_at(bytes, at, rules) else { continue };
        if at > done {
            trace.copied(out.len(), source_start + done);
            out.push_str(&text[done..at]);
        }
        trace.replaced(out.len(), source_start + at..source_start + at + len);
        match meaning {
            Meaning::Character(c) => out.push(c),
            Meaning::Named(characters) => out.push_str(characters),
        }
        done = at + len;
    }
    if done == 0 {
        return None;
    }
    trace.copied(out.len(), source_start + done);
    out.push_str(&text[done..]);
    Some((out, trace))
}

/// `text` with the references of running text resolved, numeric ones that have their semicolon.
pub(crate) fn resolved(text: &str) -> Option<(String, Trace)> {
    resolved_by(text, Rules::Plain, 0)
}

/// `text` with its references resolved, without a trace.
#[cfg(feature = "markup")]
pub(crate) fn plainly_resolved(text: &str, rules: Rules) -> Cow<'_, str> {
    match resolved_by(text, rules, 0) {
        Some((resolved, _)) => Cow::Owned(resolved),
        None => Cow::Borrowed(text),
    }
}

/// Whether any reference of the text stands for a character of which `is_wanted` is true.
#[cfg(feature = "markup")]
pub(crate) fn any_reference(bytes: &[u8], rules: Rules, is_wanted: impl Fn(char) -> bool) -> bool {
    memchr::memchr_iter(b'&', bytes).any(|at| match reference_at(bytes, at, rules) {
        Some((Meaning::Character(c), _)) => is_wanted(c),
        Some((Meaning::Named(characters), _)) => characters.chars().any(&is_wanted),
        None => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resolved_once_with_a_trace() {
        let (text, trace) = resolved("a&#x8868;b&#38;#46;c").unwrap();
        assert_eq!(text, "a表b&#46;c");
        assert_eq!([0, 1, 4, 5, 6].map(|t| trace.source_offset(t)), [0, 1, 9, 10, 15]);
        assert_eq!([0, 1, 9, 10, 15].map(|s| trace.text_offset(s)), [0, 1, 4, 5, 6]);
        assert!(resolved("a&amp;b").is_none());
    }

    #[test]
    fn a_trace_by_the_rules_of_html() {
        let (text, trace) = resolved_by("&lt;a&ampb&acE;", Rules::HtmlText, 100).unwrap();
        assert_eq!(text, "<a&b∾\u{333}");
        assert_eq!([0, 1, 2, 3, 4].map(|t| trace.source_offset(t)), [100, 104, 105, 109, 110]);
        assert_eq!([1, 2, 3, 4, 7, 9].map(|t| trace.source_end(t)), [104, 105, 109, 110, 115, 115]);
        assert!(resolved_by("&amp;", Rules::None, 0).is_none());
    }
}
