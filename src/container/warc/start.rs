//! Starts of records: where the next one begins, by its first line or by the member that it begins.

use std::io;
use std::ops::Range;

use super::super::lookahead::{Lookahead, LookaheadReader};
use super::super::member_offsets::MemberOffsets;
use super::super::source::SourceRange;
use crate::detect::{is_cut_warc, is_warc};

/// Whether another record, or the end, is what follows but for empty lines.
pub(super) fn starts_record(
    feed: &mut LookaheadReader<'_>,
    offsets: Option<&MemberOffsets>,
) -> io::Result<bool> {
    let at = feed.at();
    // What follows a record is available, as a rule, and a line of ARC may be long.
    if is_start(feed.look(64)?, false, at, offsets) {
        return Ok(true);
    }
    let held = feed.look(LOOKED)?;
    Ok(is_start(held, held.len() < LOOKED, at, offsets))
}

/// Bytes that are examined to see whether a record begins.
const LOOKED: usize = 4 << 10;

/// Whether there are empty lines and then the beginning of a record; if this is all, also nothing, or in a plain file a part of it.
fn is_start(held: &[u8], is_all: bool, at: u64, offsets: Option<&MemberOffsets>) -> bool {
    let start = held.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    let rest = &held[start..];
    let is_arc = || {
        let end = arc_line(rest).map(|len| start + len);
        end.is_some_and(|end| next_member(held, start + 1..end, at, offsets).is_none())
    };
    // Behind a member that is cut there, another one may follow.
    let is_cut = || rest.is_empty() || offsets.is_none() && is_cut_warc(rest);
    is_all && is_cut() || is_warc(rest) || is_arc()
}

/// Length of a line of ARC, if the bytes begin with one.
fn arc_line(bytes: &[u8]) -> Option<usize> {
    let end = memchr::memchr(b'\n', bytes)?;
    let parts: Vec<&[u8]> = bytes[..end].trim_ascii_end().split(|byte| *byte == b' ').collect();
    let is_number = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    let is_arc =
        parts.len() >= 5 && parts[0].contains(&b':') && parts.last().is_some_and(|p| is_number(p));
    is_arc.then_some(end)
}

/// Returns the index of the first member that begins with a record, of those that begin in a range of the bytes from
/// the offset `at` on. It ends what comes before it.
pub(super) fn next_member(
    held: &[u8],
    within: Range<usize>,
    at: u64,
    offsets: Option<&MemberOffsets>,
) -> Option<usize> {
    let mut from = at + within.start as u64;
    loop {
        let mark = offsets?.from(from)?;
        let inside = usize::try_from(mark - at).ok().filter(|inside| *inside < within.end)?;
        if is_warc(&held[inside..]) {
            return Some(inside);
        }
        from = mark + 1;
    }
}

/// Where in a block that is too long the next record begins.
pub(super) fn begins_in(block: &[u8], is_of_arc: bool) -> Option<usize> {
    if is_of_arc {
        let mut lines = memchr::memchr_iter(b'\n', block).map(|at| at + 1);
        return lines.find(|at| is_dated(&block[*at..]));
    }
    memchr::memmem::find_iter(block, b"\nWARC/").map(|at| at + 1).find(|at| is_warc(&block[*at..]))
}

/// A line of ARC with its date, which hardly any other line is like.
fn is_dated(bytes: &[u8]) -> bool {
    let Some(end) = memchr::memchr(b'\n', &bytes[..bytes.len().min(LOOKED)]) else { return false };
    let Some(date) = bytes[..end].split(|byte| *byte == b' ').nth(2) else { return false };
    date.len() == 14 && date.iter().all(u8::is_ascii_digit) && arc_line(bytes).is_some()
}

/// The same of a block that comes right after the header, whose last line end is not in it.
pub(super) fn begins_in_block(block: &[u8], is_of_arc: bool) -> Option<usize> {
    let is_first = if is_of_arc { is_dated(block) } else { is_warc(block) };
    if is_first { Some(0) } else { begins_in(block, is_of_arc) }
}

/// Where the next record begins in a block that is too long, of a stream that is held as far as that goes. What is held
/// is looked at where it is: what comes after the next record costs nothing.
pub(super) fn begins_too_early(
    feed: &mut LookaheadReader<'_>,
    length: usize,
    offsets: Option<&MemberOffsets>,
) -> Option<u64> {
    let at = feed.at();
    let held = feed.look_far(length + LOOKED)?;
    if let Some(rest) = held.get(length..) {
        let after = at + length as u64;
        if is_start(&rest[..rest.len().min(LOOKED)], rest.len() < LOOKED, after, offsets) {
            return None;
        }
    }
    let start = begins_in_block(&held[..length.min(held.len())], false)?;
    match next_member(held, 1..start, at, offsets) {
        Some(_) => None,
        None => Some(start as u64),
    }
}

/// How long the block of a record in a plain file is whose length is wrong: it ends where a line begins another
/// record. Nothing if the length is right, or if there is no such line.
pub(super) fn real_length(
    window: &SourceRange,
    at: u64,
    said: Option<u64>,
) -> io::Result<Option<u64>> {
    let end = said.and_then(|said| at.checked_add(said)).filter(|end| *end <= window.len());
    if let Some(end) = end {
        let mut held = [0; LOOKED];
        let len = window.read_full_at(end, &mut held)?;
        if is_start(&held[..len], len < LOOKED, end, None) {
            return Ok(None);
        }
    }
    // With the line end before the block.
    let mut from = at.saturating_sub(1);
    let mut held = vec![0; 64 << 10];
    loop {
        let len = window.read_full_at(from, &mut held)?;
        if let Some(found) = begins_in(&held[..len], false) {
            return Ok(Some(from + found as u64 - at));
        }
        if len < held.len() {
            return Ok(None);
        }
        // The first bytes of a record may cross the end of the block.
        from += (len - 16) as u64;
    }
}

/// Goes to the next line or member that begins a record, or to the end.
pub(super) fn next_record(
    feed: &mut LookaheadReader<'_>,
    offsets: Option<&MemberOffsets>,
    is_of_arc: bool,
) -> io::Result<()> {
    loop {
        let at = feed.at();
        let held = feed.look(64 << 10)?;
        let len = held.len();
        let line = begins_in(held, is_of_arc);
        let member = next_member(held, 0..line.unwrap_or(len), at, offsets);
        if let Some(start) = member.or(line) {
            feed.consume(start);
            return Ok(());
        }
        if len < 16 {
            feed.consume(len);
            return Ok(());
        }
        // The first bytes of a record may cross the end of the block; a line of ARC is needed whole.
        let line = memchr::memrchr(b'\n', &held[1..]).filter(|_| is_of_arc).map(|at| at + 1);
        let rest = line.filter(|at| len - at < LOOKED).unwrap_or(len - 8);
        feed.consume(if len < (64 << 10) { len } else { rest });
        if let Some(offsets) = offsets {
            offsets.forget_before(feed.at());
        }
    }
}
