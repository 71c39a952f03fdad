//! Texts whose length is stored before them, which is wrong when a link in them becomes longer or shorter: `s:22:"http://example.com/"` of
//! PHP (`serialize`), `22:http://example.com` of BitTorrent (BEP 3).

use std::ops::Range;

/// Digits of a length.
const MOST_DIGITS: usize = 9;

/// The texts of a document.
pub(super) struct CountedTexts {
    /// Starts of the texts of PHP, and the furthest end of those up to each, in order. A text with escapes is longer than its length.
    serialized: Vec<(usize, usize)>,
}

/// Returns the number that ends at an offset, and where it starts.
fn number_before(bytes: &[u8], end: usize) -> Option<(usize, usize)> {
    let digits = bytes[..end].iter().rev().take(MOST_DIGITS);
    let start = end - digits.take_while(|byte| byte.is_ascii_digit()).count();
    let text = std::str::from_utf8(&bytes[start..end]).ok()?;
    Some((text.parse().ok()?, start))
}

impl CountedTexts {
    pub(super) fn of(bytes: &[u8]) -> CountedTexts {
        let mut serialized: Vec<(usize, usize)> = Vec::new();
        for at in memchr::memmem::find_iter(bytes, b"s:") {
            let digits = &bytes[at + 2..];
            let len = digits.iter().take(MOST_DIGITS).take_while(|b| b.is_ascii_digit()).count();
            let Some((count, _)) = number_before(bytes, at + 2 + len) else { continue };
            let Some(quote) = digits[len..].strip_prefix(b":") else { continue };
            let escapes = quote.iter().take_while(|byte| **byte == b'\\').count();
            if quote.get(escapes) == Some(&b'"') {
                let start = bytes.len() - quote.len() + escapes + 1;
                // A length beyond the document is none.
                let Some(end) = start.checked_add(count).filter(|end| *end <= bytes.len()) else {
                    continue;
                };
                let last = serialized.last().map_or(0, |(_, end)| *end);
                serialized.push((start, last.max(end)));
            }
        }
        CountedTexts { serialized }
    }

    /// Returns `true` if a link at a range of the document is in such a text.
    pub(super) fn contain(&self, bytes: &[u8], link: &Range<usize>) -> bool {
        let before = self.serialized.partition_point(|(start, _)| *start <= link.start);
        let is_in = before.checked_sub(1).is_some_and(|at| link.start < self.serialized[at].1);
        is_in || is_bencoded(bytes, link.start)
    }
}

/// Returns `true` if a text of BitTorrent starts at an offset: its length is between the parts of a list or dictionary, and so is its end.
fn is_bencoded(bytes: &[u8], start: usize) -> bool {
    let Some(colon) = start.checked_sub(1).filter(|at| bytes[*at] == b':') else { return false };
    let Some((len, digits)) = number_before(bytes, colon) else { return false };
    let is_part = |byte: Option<&u8>| {
        byte.is_none_or(|byte| byte.is_ascii_digit() || matches!(byte, b'd' | b'e' | b'i' | b'l'))
    };
    let Some(end) = start.checked_add(len).filter(|end| *end <= bytes.len()) else { return false };
    let before = digits.checked_sub(1).and_then(|at| bytes.get(at));
    before.is_none_or(|byte| byte.is_ascii_lowercase()) && is_part(bytes.get(end))
}
