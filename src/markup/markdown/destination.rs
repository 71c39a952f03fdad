//! Destinations of links (CommonMark §6.3): finds where one ends, and resolves its escapes.

use std::borrow::Cow;

use crate::scan::reference::{Rules, plainly_resolved};
use crate::source_map::{Rewriting, SourceMap};

/// Returns the range of the destination at `at`, without its angle brackets; `None` if there is none.
pub(super) fn destination_at(text: &str, at: usize) -> Option<std::ops::Range<usize>> {
    let bytes = text.as_bytes();
    let is_bracketed = bytes.get(at) == Some(&b'<');
    let start = at + usize::from(is_bracketed);
    let mut end = start;
    let mut depth = 0;
    while let Some(&byte) = bytes.get(end) {
        match byte {
            b'\\' if bytes.get(end + 1).is_some_and(u8::is_ascii_punctuation) => end += 1,
            b'>' if is_bracketed => return Some(start..end),
            b'\n' | b'\r' | b'<' if is_bracketed => return None,
            _ if is_bracketed => {}
            ..=b' ' | 0x7F => break,
            b'(' => depth += 1,
            b')' if depth == 0 => break,
            b')' => depth -= 1,
            _ => {}
        }
        end += 1;
    }
    (!is_bracketed && end > start).then_some(start..end)
}

/// Returns a destination with its backslashes and references resolved, and the source map to `text`; the text itself if
/// there is nothing to resolve.
pub(crate) fn resolved(text: &str) -> (Cow<'_, str>, Option<SourceMap>) {
    let bytes = text.as_bytes();
    let mut resolved = Rewriting::new(text, 0);
    for at in memchr::memchr2_iter(b'\\', b'&', bytes) {
        if at < resolved.done() {
            continue;
        }
        match bytes[at] {
            b'\\' if bytes.get(at + 1).is_some_and(u8::is_ascii_punctuation) => {
                resolved.replace(at..at + 2).push(char::from(bytes[at + 1]));
            }
            b'&' => {
                let Some(len) = reference_len(&text[at..]) else { continue };
                let reference = plainly_resolved(&text[at..at + len], Rules::Markdown);
                resolved.replace(at..at + len).push_str(&reference);
            }
            _ => {}
        }
    }
    match resolved.finish() {
        Some((text, map)) => (Cow::Owned(text), Some(map)),
        None => (Cow::Borrowed(text), None),
    }
}

/// Returns the length of the reference that `text` begins with, up to its semicolon.
fn reference_len(text: &str) -> Option<usize> {
    let rest = text.as_bytes().get(1..)?;
    let is_inner = |byte: &u8| byte.is_ascii_alphanumeric() || *byte == b'#';
    let len = rest.iter().position(|byte| !is_inner(byte))?;
    let reference = text.get(..len + 2).filter(|text| text.ends_with(';'))?;
    (plainly_resolved(reference, Rules::Markdown) != reference).then_some(reference.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn destinations_end_where_commonmark_ends_them() {
        for (text, wanted) in [
            ("a)", Some("a")),
            ("a(b)c) d", Some("a(b)c")),
            ("a\\)b)", Some("a\\)b")),
            ("a \"t\")", Some("a")),
            ("<a b)c>)", Some("a b)c")),
            ("<a\\>b>)", Some("a\\>b")),
            ("<a\nb>)", None),
            ("<a", None),
            ("<>", Some("")),
            (")", None),
            ("表)", Some("表")),
        ] {
            assert_eq!(destination_at(text, 0).map(|range| &text[range]), wanted, "{text}");
        }
    }

    #[test]
    fn backslashes_and_references() {
        for (text, wanted) in [
            ("a&amp;b", "a&b"),
            ("a&copy=1&amp", "a&copy=1&amp"),
            ("a\\(b\\)\\n&auml;", "a(b)\\nä"),
            ("&#65;&#x42;&#0;&#65", "AB\u{FFFD}&#65"),
            ("\\&amp;", "&amp;"),
        ] {
            assert_eq!(resolved(text).0, wanted, "{text}");
        }
        let (text, map) = resolved("x\\_y&amp;z");
        assert_eq!(text, "x_y&z");
        assert_eq!(
            [0, 1, 2, 3, 4].map(|t| map.as_ref().unwrap().edges(text.as_bytes(), t).start),
            [0, 1, 3, 4, 9]
        );
    }
}
