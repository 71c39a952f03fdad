//! Detects encoded data in a text: OpenPGP armour, uuencode, yEnc. It is removed, except its header lines `Key: value`.
//! Uuencoded files are listed and scanned separately.

use std::ops::Range;
use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::{EditedText, WrappedLinks, angle, line};
use crate::source_map::transfer::uuencode::{self, UuencodeSearch};

/// Range of a text that is encoded data, or that is signed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum EditRange {
    Skipped(Range<usize>),
    /// Uuencoded file: the offset of its first line, and the range of the lines that are removed.
    File(usize, Range<usize>),
    /// Text between the header of a signed text and its signature.
    Signed(Range<usize>),
}

/// Maximum number of uuencoded files of a part that are scanned.
const MOST_FILES: usize = crate::limits::UUENCODED;
/// Compiled search. Every text with encoded data contains this or `begin `, which also occurs in yEnc.
static ARMOUR: LazyLock<Finder<'_>> = LazyLock::new(|| Finder::new("-----BEGIN PGP "));
/// Maximum length in bytes of a line of armour (RFC 9580 §6.4).
const LONGEST_LINE: usize = 80;

/// Returns the ranges that are removed or signed, in order.
pub(super) fn find(source: &[u8]) -> Vec<EditRange> {
    let mut found = Vec::new();
    let (mut at, mut close) = (0, 0);
    // Nearly all texts contain neither word.
    if ![&*ARMOUR, &*uuencode::BEGIN].iter().any(|word| word.find(source).is_some()) {
        return found;
    }
    while at < source.len() {
        let start = at;
        let (end, next) = line(source, at);
        let text = source[at..end].trim_ascii_end();
        let unquoted = text.trim_ascii_start();
        at = next;
        if unquoted.starts_with(b"-----BEGIN PGP SIGNED MESSAGE-----") {
            // Search for the next signature only once, however many signed texts begin.
            if close < next {
                let rest =
                    memchr::memmem::find(&source[next..], b"\n-----BEGIN PGP SIGNATURE-----");
                close = rest.map_or(source.len(), |rest| next + rest + 1);
            }
            found.push(EditRange::Signed(next..close));
        } else if text.starts_with(b"-----BEGIN PGP ") {
            at = armour(source, next, &mut found);
        } else if uuencode::is_begin(text) {
            if let Some(lines) = file(source, next) {
                at = lines.end;
                found.push(EditRange::File(start, lines));
            }
        } else if text.starts_with(b"=ybegin ") {
            at = skip(source, next, &mut found, |line| !line.starts_with(b"=yend "));
        }
    }
    found
}

/// Returns the uuencoded files of markup, in order; an empty range for one whose characters are escaped, which is not
/// decoded.
pub(super) fn find_files(source: &[u8]) -> Vec<EditRange> {
    let mut found = Vec::new();
    if !UuencodeSearch::may_be_in(source) {
        return found;
    }
    let mut at = 0;
    while at < source.len() {
        let start = at;
        let (end, next) = line(source, at);
        at = next;
        if !uuencode::is_begin(source[start..end].trim_ascii_end()) {
            continue;
        }
        if let Some(lines) = file(source, next) {
            at = lines.end;
            found.push(EditRange::File(start, lines));
        } else if uuencode::is_escaped_data(source[next..line(source, next).0].trim_ascii_end()) {
            found.push(EditRange::Skipped(next..next));
        }
    }
    found
}

/// Removes lines as long as `is_inside` returns `true`; returns the offset after them.
fn skip(
    source: &[u8],
    start: usize,
    found: &mut Vec<EditRange>,
    is_inside: impl Fn(&[u8]) -> bool,
) -> usize {
    let mut at = start;
    while at < source.len() {
        let (end, next) = line(source, at);
        if !is_inside(source[at..end].trim_ascii_end()) {
            break;
        }
        at = next;
    }
    if at > start {
        found.push(EditRange::Skipped(start..at));
    }
    at
}

/// Returns the lines of a uuencoded file, which end with `end` or with the text; `None` if they are malformed.
fn file(source: &[u8], start: usize) -> Option<Range<usize>> {
    let mut at = start;
    while at < source.len() {
        let (end, next) = line(source, at);
        let text = source[at..end].trim_ascii_end();
        if uuencode::count(text).is_none() {
            let is_end = text == b"end" || source[at..].iter().all(u8::is_ascii_whitespace);
            return (is_end && at > start).then_some(start..at);
        }
        at = next;
    }
    (at > start).then_some(start..at)
}

/// Skips the header lines of armour (`Key: value`, then an empty line) and removes its Base64; returns the offset after
/// it.
fn armour(source: &[u8], start: usize, found: &mut Vec<EditRange>) -> usize {
    let mut at = start;
    while at < source.len() {
        let (end, next) = line(source, at);
        let text = &source[at..end];
        if text.trim_ascii().is_empty() {
            at = next;
            break;
        }
        if memchr::memmem::find(text, b": ").is_none() {
            break;
        }
        at = next;
    }
    let is_armour = |line: &[u8]| {
        let is_digit = |b: &u8| b.is_ascii_alphanumeric() || b"+/=".contains(b);
        line.len() <= LONGEST_LINE && line.iter().all(is_digit)
    };
    skip(source, at, found, is_armour)
}

pub(super) fn edit(
    source: &[u8],
    stretches: &[EditRange],
    wrapped: WrappedLinks,
    out: &mut EditedText,
) -> usize {
    let (mut done, mut at) = (0, 0);
    let mut signed = 0..0;
    let text = |range: Range<usize>, is_signed, done: &mut usize, out: &mut EditedText| {
        if wrapped == WrappedLinks::Joined && !range.is_empty() {
            angle::edit_in(source, range, is_signed, done, out);
        }
    };
    for stretch in stretches {
        match stretch {
            EditRange::Signed(range) => {
                text(at..range.start.max(at), false, &mut done, out);
                at = at.max(range.start);
                signed = range.clone();
            }
            EditRange::Skipped(range) | EditRange::File(_, range) => {
                let end = signed.end.clamp(at, range.start);
                text(at..end, true, &mut done, out);
                text(end..range.start, false, &mut done, out);
                out.leave_out(source, &mut done, range.start, range.end, false);
                match stretch {
                    EditRange::File(start, _) if out.files.len() < MOST_FILES => {
                        out.files.push(*start..range.end);
                    }
                    _ => out.has_skipped = true,
                }
                at = range.end;
            }
        }
    }
    let end = signed.end.clamp(at, source.len());
    text(at..end, true, &mut done, out);
    text(end..source.len(), false, &mut done, out);
    done
}
