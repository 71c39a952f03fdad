//! Edits of two text subtypes: text/enriched (RFC 1896), and flowed text with `DelSp=yes` (RFC 3676 §4).
//!
//! Without `DelSp` the space stays, and ends a link as any other space does: there is nothing to join.

use super::{EditedText, line};

/// Number of bytes in which the end of a command's name is searched (RFC 1896: "up to 60 characters").
const LONGEST: usize = 63;

pub(super) fn edit_enriched(source: &[u8], out: &mut EditedText) -> usize {
    let (mut done, mut at) = (0, 0);
    while let Some(found) = memchr::memchr(b'<', &source[at..]) {
        at += found;
        if source.get(at + 1) == Some(&b'<') {
            out.blank(source, &mut done, at..at + 1);
            at += 2;
            continue;
        }
        let Some(len) = command(&source[at..]) else {
            at += 1;
            continue;
        };
        let mut end = at + len;
        if source[at..end].eq_ignore_ascii_case(b"<param>") {
            let rest = &source[end..];
            let close = memchr::memchr_iter(b'<', rest).take(MOST_SIGNS).find(|at| {
                rest[*at..].get(..8).is_some_and(|word| word.eq_ignore_ascii_case(b"</param>"))
            });
            end = close.map_or(end, |close| end + close + 8);
        }
        out.end_line(source, &mut done, at..end);
        at = end;
    }
    done
}

/// Number of `<` signs among which the end of a parameter is searched. Without a limit, a text of `<param>` would be
/// searched to its end for each.
const MOST_SIGNS: usize = 64;

/// Returns the length in bytes of the command that a text begins with.
fn command(text: &[u8]) -> Option<usize> {
    let name = &text[1..text.len().min(LONGEST)];
    let name_start = usize::from(name.first() == Some(&b'/'));
    let len =
        name[name_start..].iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'-').count();
    let end = 1 + name_start + len;
    (len > 0 && text.get(end) == Some(&b'>')).then_some(end + 1)
}

/// Line before a signature. It ends with a space, but is not flowed (§4.3).
const SIGNATURE: &[u8] = b"-- ";

pub(super) fn edit_flowed(source: &[u8], out: &mut EditedText) -> usize {
    let (mut done, mut start) = (0, 0);
    while start < source.len() {
        let (end, next) = line(source, start);
        let depth = depth(&source[start..end]);
        let text = unstuffed(source, start + depth);
        let is_flowed = end > text && source[end - 1] == b' ' && &source[text..end] != SIGNATURE;
        if is_flowed && next < source.len() {
            let (next_end, _) = line(source, next);
            let next_line = &source[next..next_end];
            let next_text = unstuffed(source, next + depth);
            if self::depth(next_line) == depth && source.get(next_text..next_end) != Some(SIGNATURE)
            {
                out.leave_out(source, &mut done, end - 1, next_text.min(next_end), true);
            }
        }
        start = next;
    }
    done
}

/// Returns the quote depth of a line: the number of signs without anything between them (§4.5).
fn depth(line: &[u8]) -> usize {
    line.iter().take_while(|b| **b == b'>').count()
}

/// Returns the index after a stuffed space, which is not part of the line (§4.4).
fn unstuffed(source: &[u8], at: usize) -> usize {
    at + usize::from(source.get(at) == Some(&b' '))
}
