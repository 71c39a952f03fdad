//! Links in `<…>` that are broken over lines (RFC 3986, appendix C): put together again.
//!
//! Line ends go, with the white space around them and signs of quoting as in the first line. Hyphens stay. White
//! space inside a line shows that the brackets hold more than a link, and then nothing is joined. Outside of
//! `<…>` nothing is joined either: where a long URL ends a line, the next word is the next word.

use std::ops::Range;

use super::{EditedText, quotes};

/// A link in `<…>` is no longer, and has no more lines.
const LONGEST: usize = 8 << 10;
const MOST_LINES: usize = 20;
/// Characters of the longest scheme.
const LONGEST_SCHEME: usize = 32;
/// Bytes in which a line's start is searched backwards.
const LONGEST_PREFIX: usize = 256;

pub(super) fn edit(source: &[u8], out: &mut EditedText) -> usize {
    let mut done = 0;
    edit_in(source, 0..source.len(), false, &mut done, out);
    done
}

/// The same in a stretch of the source, up to whose start it is done with; in a signed text lines may
/// begin with `- ` (RFC 9580 §7.2).
pub(super) fn edit_in(
    source: &[u8],
    range: Range<usize>,
    is_signed: bool,
    done: &mut usize,
    out: &mut EditedText,
) {
    let text = &source[..range.end];
    let mut at = range.start;
    while let Some(found) = memchr::memchr(b'<', &text[at..]) {
        at += found + 1;
        let Some(scheme) = scheme(&text[at..]) else { continue };
        let Some(gaps) = gaps(text, range.start, at, scheme, is_signed) else { continue };
        for gap in gaps {
            at = gap.end;
            out.leave_out(source, done, gap.start, gap.end, true);
        }
    }
}

/// How long the scheme is that a text begins with, `URL:` before it included.
fn scheme(text: &[u8]) -> Option<usize> {
    let url = match text.get(..4) {
        Some(word) if word.eq_ignore_ascii_case(b"url:") => 4,
        _ => 0,
    };
    let rest = &text[url..];
    let is_part = |b: &u8| b.is_ascii_alphanumeric() || b"+-.".contains(b);
    let len = rest.iter().take(LONGEST_SCHEME + 1).take_while(|b| is_part(b)).count();
    let is_scheme =
        rest.first().is_some_and(u8::is_ascii_alphabetic) && rest.get(len) == Some(&b':');
    is_scheme.then_some(url + len)
}

/// Returns the ranges to leave out of a link that begins at `start`, after its `<`; `None` if the brackets hold no link.
fn gaps(
    text: &[u8],
    from: usize,
    start: usize,
    scheme: usize,
    is_signed: bool,
) -> Option<Vec<Range<usize>>> {
    let mut gaps: Vec<Range<usize>> = Vec::new();
    let (mut at, mut lines) = (start + scheme, 0);
    let limit = text.len().min(start + LONGEST);
    let mut prefix = None;
    loop {
        let found = text[at..limit].iter().position(|b| b"<> \t\r\n".contains(b))?;
        at += found;
        match text[at] {
            b'>' => return (!gaps.is_empty()).then_some(gaps),
            b'<' => return None,
            _ => {}
        }
        let first = at;
        at += blanks(&text[at..limit]);
        if text[at..limit].starts_with(b">") {
            return (!gaps.is_empty()).then_some(gaps);
        }
        // Words after a link, as in `<http://e.com/ and more>`.
        at += line_end(&text[at..limit])?;
        lines += 1;
        if lines >= MOST_LINES {
            return None;
        }
        let depth = *prefix.get_or_insert_with(|| prefix_depth(text, from, start));
        at += prefix_len(&text[at..limit], depth)?;
        if is_signed && text[at..limit].starts_with(b"- ") {
            at += 2;
        }
        at += blanks(&text[at..limit]);
        if line_end(&text[at..limit]).is_some() {
            return None;
        }
        // Another link begins: the two are not one.
        if is_link(&text[at..limit]) {
            return None;
        }
        gaps.push(first..at);
    }
}

fn blanks(text: &[u8]) -> usize {
    text.iter().take_while(|b| matches!(b, b' ' | b'\t')).count()
}

fn line_end(text: &[u8]) -> Option<usize> {
    match text {
        [b'\r', b'\n', ..] => Some(2),
        [b'\r' | b'\n', ..] => Some(1),
        _ => None,
    }
}

fn is_link(text: &[u8]) -> bool {
    scheme(text).is_some_and(|len| text[len..].starts_with(b"://"))
}

/// How deep the line is quoted that holds `at`.
fn prefix_depth(text: &[u8], from: usize, at: usize) -> usize {
    let before = &text[from.max(at.saturating_sub(LONGEST_PREFIX))..at];
    let line = before.iter().rposition(|b| matches!(b, b'\n' | b'\r')).map_or(0, |lf| lf + 1);
    quotes(&before[line..]).0
}

/// How long the signs of quoting are at a line's start, if they are as many.
fn prefix_len(line: &[u8], depth: usize) -> Option<usize> {
    if depth == 0 {
        return Some(0);
    }
    let (mut count, mut at) = (0, 0);
    while count < depth {
        match line.get(at)? {
            b'>' => count += 1,
            b' ' => {}
            _ => return None,
        }
        at += 1;
    }
    Some(at)
}
