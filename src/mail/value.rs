//! Values that are one IRI, as fields write them: in brackets or quotes, folded.

use std::borrow::Cow;
use std::ops::Range;

/// White space that is removed from a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WhiteSpace {
    /// All white space (RFC 2369 §2).
    All,
    /// White space around line ends (RFC 2557 §4.4.2).
    Folds,
}

/// Returns a value without this white space.
pub(super) fn without(value: &[u8], white: WhiteSpace) -> Cow<'_, [u8]> {
    let value = value.trim_ascii();
    if !value.iter().any(u8::is_ascii_whitespace) {
        return Cow::Borrowed(value);
    }
    let is_fold = |run: &[u8]| white == WhiteSpace::All || run.iter().any(|b| b"\r\n".contains(b));
    let mut runs = value.chunk_by(|a, b| a.is_ascii_whitespace() == b.is_ascii_whitespace());
    if !runs.clone().any(|run| run[0].is_ascii_whitespace() && is_fold(run)) {
        return Cow::Borrowed(value);
    }
    let mut kept = Vec::with_capacity(value.len());
    runs.by_ref()
        .filter(|run| !(run[0].is_ascii_whitespace() && is_fold(run)))
        .for_each(|run| kept.extend_from_slice(run));
    Cow::Owned(kept)
}

/// Where a value is without the brackets or quotes around it.
pub(super) fn unenclosed(value: &[u8]) -> Range<usize> {
    let start = value.len() - value.trim_ascii_start().len();
    let range = start..start + value.trim_ascii().len();
    match &value[range.clone()] {
        [b'<', .., b'>'] | [b'"', .., b'"'] => range.start + 1..range.end - 1,
        _ => range,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn white_space_goes_where_it_may() {
        let all = |value: &'static str| without(value.as_bytes(), WhiteSpace::All).into_owned();
        let folds = |value: &'static str| without(value.as_bytes(), WhiteSpace::Folds).into_owned();
        assert_eq!(all(" a b\r\n c "), b"abc");
        assert_eq!(folds(" a b \r\n\tc "), b"a bc");
        assert!(matches!(without(b"a b", WhiteSpace::Folds), Cow::Borrowed(b"a b")));
        assert_eq!(unenclosed(b" <a> "), 2..3);
        assert_eq!(unenclosed(b"\"a\""), 1..2);
        assert_eq!(unenclosed(b"<"), 0..1);
    }
}
