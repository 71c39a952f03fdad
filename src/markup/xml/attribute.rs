//! The content of a tag: attributes, and its end. It also reads similar syntax, such as the inside of `<?xml-stylesheet
//! …?>`.
//!
//! Well-formed XML quotes its values and does not allow `<` in them. Here, values without quotes end where those of HTML
//! do, a `<` between attributes ends an unclosed tag, and a `<` in a value belongs to the value.

use std::ops::Range;

use crate::input::chunk::Chunk;

/// Maximum number of bytes of an attribute before its value: its name, white space, the equals sign.
const LONGEST_HEAD: usize = 4 << 10;

/// Item at an offset in a tag, after white space.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TagItem {
    Attribute {
        name: Range<usize>,
        value: Range<usize>,
        next: usize,
    },
    /// A name with more bytes before its value than an attribute can have.
    LongHead {
        next: usize,
    },
    /// An attribute whose value is longer than the limit.
    Long {
        name: Range<usize>,
        start: usize,
        quote: Option<u8>,
    },
    /// An item without a value, or nothing.
    Other {
        next: usize,
    },
    /// `>`, or `/>` of an empty element.
    End {
        next: usize,
        is_empty: bool,
    },
    /// A `<`: the tag is not closed.
    Broken {
        at: usize,
    },
    /// The bytes end first; those before `at` are no longer needed.
    Cut {
        at: usize,
    },
}

/// Returns `true` for white space of XML, and for the form feed, which is not part of a name either.
pub(super) fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | b'\x0C')
}

pub(super) fn is_name(byte: u8) -> bool {
    IS_NAME[usize::from(byte)]
}

const IS_NAME: [bool; 256] = {
    let mut table = [true; 256];
    let ends = b" \t\n\r\x0C=/><\"'";
    let mut at = 0;
    while at < ends.len() {
        table[ends[at] as usize] = false;
        at += 1;
    }
    table
};

/// Splits a name at its first colon into prefix, if there is one, and local name.
pub(super) fn split(name: &[u8]) -> (Option<&[u8]>, &[u8]) {
    // Names are short, so the call of a search function would take longer.
    match name.iter().position(|byte| *byte == b':') {
        Some(colon) => (Some(&name[..colon]), &name[colon + 1..]),
        None => (None, name),
    }
}

/// Returns where the bytes from `at` on for which the predicate is `true` end, at `limit` at the latest; `None` if not
/// within these bytes.
pub(super) fn end_of(
    bytes: Chunk<'_>,
    at: usize,
    limit: usize,
    fits: impl Fn(u8) -> bool,
) -> Option<usize> {
    let rest = bytes.get(at..bytes.end().min(limit)).unwrap_or_default();
    match rest.iter().position(|byte| !fits(*byte)) {
        Some(len) => Some(at + len),
        None if bytes.end() >= limit => Some(limit),
        None => None,
    }
}

/// Returns where the name ends that begins at `at`.
pub(super) fn name_end(bytes: Chunk<'_>, at: usize, limit: usize) -> Option<usize> {
    end_of(bytes, at, limit, is_name)
}

/// Reads the item at `from`; values may have up to `limit` bytes.
pub(super) fn part_at(bytes: Chunk<'_>, from: usize, limit: usize) -> TagItem {
    let Some(at) = end_of(bytes, from, usize::MAX, is_space) else {
        return TagItem::Cut { at: bytes.end() };
    };
    match bytes[at] {
        b'>' => return TagItem::End { next: at + 1, is_empty: false },
        b'<' => return TagItem::Broken { at },
        b'/' => {
            return match bytes.get(at + 1) {
                None if !bytes.is_last() => TagItem::Cut { at },
                Some(b'>') => TagItem::End { next: at + 2, is_empty: true },
                _ => TagItem::Other { next: at + 1 },
            };
        }
        b'=' | b'"' | b'\'' => return TagItem::Other { next: at + 1 },
        _ => {}
    }
    attribute_at(bytes, at, limit).unwrap_or(TagItem::Cut { at })
}

/// Reads the attribute whose name begins at `at`; returns `None` if the bytes end first.
fn attribute_at(bytes: Chunk<'_>, at: usize, limit: usize) -> Option<TagItem> {
    let head = at + LONGEST_HEAD;
    let name_end = name_end(bytes, at, head)?;
    let sign = end_of(bytes, name_end, head, is_space)?;
    if sign == head {
        return Some(TagItem::LongHead { next: name_end });
    }
    if bytes[sign] != b'=' {
        return Some(TagItem::Other { next: name_end });
    }
    let start = end_of(bytes, sign + 1, head, is_space)?;
    if start == head {
        return Some(TagItem::LongHead { next: sign });
    }
    let name = at..name_end;
    let quote = Some(bytes[start]).filter(|byte| matches!(byte, b'"' | b'\''));
    let start = start + usize::from(quote.is_some());
    let window = &bytes[start..bytes.end().min(start.saturating_add(limit + 1))];
    let len = match quote {
        Some(quote) => memchr::memchr(quote, window),
        None => window.iter().position(|byte| is_space(*byte) || matches!(byte, b'>' | b'<')),
    };
    Some(match len {
        Some(len) => {
            let end = start + len;
            TagItem::Attribute { name, value: start..end, next: end + usize::from(quote.is_some()) }
        }
        None if window.len() > limit => TagItem::Long { name, start, quote },
        // Part of a value is a different value; HTML ignores such a value too.
        None if bytes.is_last() => TagItem::Other { next: bytes.end() },
        None => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_of_a_tag() {
        let text = b" a = 'b' c=d/e f /g='<'/>";
        let mut at = 0;
        let mut seen = Vec::new();
        loop {
            match part_at(Chunk::whole(text), at, 10) {
                TagItem::Attribute { name, value, next } => {
                    let show = |r: Range<usize>| String::from_utf8_lossy(&text[r]).into_owned();
                    seen.push(format!("{}={}", show(name), show(value)));
                    at = next;
                }
                TagItem::Other { next } => at = next,
                TagItem::End { next, is_empty } => {
                    assert!(is_empty && next == text.len());
                    break;
                }
                part => panic!("{part:?}"),
            }
        }
        assert_eq!(seen, ["a=b", "c=d/e", "g=<"]);
        assert!(matches!(part_at(Chunk::whole(b" a='bcd'"), 0, 2), TagItem::Long { start: 4, .. }));
        assert!(matches!(part_at(Chunk::new(b" a='bc", 0, false), 0, 2), TagItem::Cut { at: 1 }));
    }
}
