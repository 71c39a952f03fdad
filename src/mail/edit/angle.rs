//! Joins links in `<…>` that are broken over lines (RFC 3986, appendix C).
//!
//! Line ends are removed with the white space around them, and with as many quote signs as the first line has. Hyphens
//! stay. Quote signs may have initials before them (`Joe>`), which are the same on each line. White space inside a line shows that the brackets contain more than a link: nothing is joined then. Outside
//! `<…>` nothing is joined either, since the next line may begin with the next word.

use std::ops::Range;

use super::{EditedText, quotes};

/// Maximum length in bytes of a link in `<…>`.
const LONGEST: usize = 8 << 10;
/// Maximum number of lines of a link in `<…>`.
const MOST_LINES: usize = 20;
/// Length in bytes of the longest scheme, less one.
const LONGEST_SCHEME: usize = 32;
/// Maximum number of bytes in which a line's start is searched backwards.
const LONGEST_PREFIX: usize = 256;
/// Maximum number of letters before a quote sign.
const MOST_INITIALS: usize = 8;
/// Maximum number of letters before a quote sign in a line whose bracket begins in a line without one.
const MOST_OF_NAME: usize = 4;

pub(super) fn edit(source: &[u8], out: &mut EditedText) -> usize {
    let mut done = 0;
    edit_in(source, 0..source.len(), false, &mut done, out);
    done
}

/// Joins the links in a range of the source, which begins at `done` or later. In a signed text, lines may begin with
/// `- ` (RFC 9580 §7.2).
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

/// Returns the length in bytes of the scheme that a text begins with, including `URL:` before it.
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

/// Returns the ranges to remove from a link that begins at `start`, after its `<`; `None` if there is nothing to join.
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
        // Without a line end, words follow the link, as in `<http://e.com/ and more>`.
        at += line_end(&text[at..limit])?;
        lines += 1;
        if lines >= MOST_LINES {
            return None;
        }
        let prefix = *prefix.get_or_insert_with(|| QuotePrefix::of(text, from, start));
        at += prefix.len_in(&text[at..limit])?;
        if is_signed && text[at..limit].starts_with(b"- ") {
            at += 2;
        }
        at += blanks(&text[at..limit]);
        if line_end(&text[at..limit]).is_some() {
            return None;
        }
        // The next line begins with another link: do not join the two.
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

/// Quote signs before the text of a line.
#[derive(Clone, Copy)]
enum QuotePrefix<'t> {
    /// This many `>`, with spaces between them.
    Signs(usize),
    /// Signs with initials before them: `Joe>`.
    Initials(&'t [u8]),
}

impl QuotePrefix<'_> {
    /// Returns the prefix of the line that contains `at`.
    fn of(text: &[u8], from: usize, at: usize) -> QuotePrefix<'_> {
        let before = &text[from.max(at.saturating_sub(LONGEST_PREFIX))..at];
        let line = before.iter().rposition(|b| matches!(b, b'\n' | b'\r')).map_or(0, |lf| lf + 1);
        let line = &before[line..];
        match initials(line, LONGEST_PREFIX) {
            0 => QuotePrefix::Signs(quotes(line).0),
            len => QuotePrefix::Initials(&line[..len]),
        }
    }

    /// Returns the length in bytes of the prefix at the start of another line; `None` if the line does not have it.
    fn len_in(self, line: &[u8]) -> Option<usize> {
        let depth = match self {
            QuotePrefix::Initials(prefix) => {
                return line.starts_with(prefix).then_some(prefix.len());
            }
            QuotePrefix::Signs(depth) => depth,
        };
        if depth == 0 {
            return (!is_quoted_end(line)).then_some(0);
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
}

/// Returns `true` if a line begins with the initials of a name and a quote sign, and another sign closes the bracket: one
/// word, the end of a link, is between the two (`Joe> item.html>`). Otherwise the first sign closes it
/// (`docs> -> next`, `Docs> if x > y`).
fn is_quoted_end(line: &[u8]) -> bool {
    let len = initials(line, 1);
    let name = line[..len].trim_ascii_start();
    // The length includes the sign.
    if !name.first().is_some_and(u8::is_ascii_uppercase) || name.len() > MOST_OF_NAME + 1 {
        return false;
    }
    let rest = &line[len..];
    let end = rest.iter().position(|b| matches!(b, b'<' | b'>' | b'\n' | b'\r'));
    let Some(end) = end.filter(|end| rest[*end] == b'>') else { return false };
    // The sign of an arrow closes nothing.
    let mut words = rest[..end].split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    words.next().is_some_and(|word| !word.ends_with(b"-") && !word.ends_with(b"="))
        && words.next().is_none()
}

/// Returns the length in bytes of at most `most` quote signs at a line's start, if one of them has initials before it, and 0
/// otherwise.
fn initials(line: &[u8], most: usize) -> usize {
    let (mut end, mut has_letters) = (0, false);
    for _ in 0..most {
        let rest = &line[end..];
        let spaces = rest.iter().take_while(|b| **b == b' ').count();
        let letters = rest[spaces..].iter().take(MOST_INITIALS + 1);
        let letters = letters.take_while(|b| b.is_ascii_alphabetic()).count();
        if letters > MOST_INITIALS || rest.get(spaces + letters) != Some(&b'>') {
            break;
        }
        has_letters |= letters > 0;
        end += spaces + letters + 1;
    }
    if has_letters { end } else { 0 }
}
