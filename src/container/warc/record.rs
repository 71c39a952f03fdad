//! Records: their header, their block, where the next one begins.
//!
//! Records whose blocks are buffered before they are scanned.

use std::io::{self, Read};
use std::ops::Range;

use super::super::lookahead::{Lookahead, LookaheadReader};
use super::super::member::Member;
use super::super::member_offsets::MemberOffsets;
use super::super::source::SourceRange;
use crate::detect::is_warc;
use crate::detect::media_type::first_word;

/// The longest header.
const MOST_HEADER: usize = 1 << 20;

/// Header fields of a record.
#[derive(Debug, Default)]
pub(super) struct RecordHeader {
    /// In lower case.
    pub(super) kind: String,
    pub(super) target: Option<Vec<u8>>,
    pub(super) content_type: Option<String>,
    pub(super) identified: Option<String>,
    /// `None` if it says none, or none that is a number.
    pub(super) length: Option<u64>,
    /// Not all of it was stored, or not here.
    pub(super) is_truncated: bool,
    /// Whether it is an ARC record.
    pub(super) is_arc: bool,
}

/// Part of a record that is scanned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Reads {
    Nothing,
    /// The header of the HTTP response in it.
    Header,
    Block,
}

/// Prefix of the targets of records that wget writes about its own run: its arguments, a log, a manifest.
const OF_WGET: &[u8] = b"metadata://gnu.org/software/wget/warc/";

impl RecordHeader {
    /// Takes the header of the record that begins here; nothing if there begins none.
    pub(super) fn read(
        feed: &mut LookaheadReader<'_>,
        offsets: Option<&MemberOffsets>,
    ) -> io::Result<Option<RecordHeader>> {
        if !is_warc(feed.look(8)?) {
            return RecordHeader::read_arc(feed, offsets);
        }
        let (text, true) = header(feed, offsets)? else { return Ok(None) };
        let mut head = RecordHeader::default();
        for (name, octets) in fields(&text) {
            let octets = octets.trim_ascii();
            let value = String::from_utf8_lossy(octets);
            match name.to_ascii_lowercase().as_str() {
                "warc-type" => head.kind = value.to_ascii_lowercase(),
                // Old writers put it into angle brackets.
                "warc-target-uri" => {
                    let target = octets.strip_prefix(b"<").unwrap_or(octets);
                    head.target = Some(target.strip_suffix(b">").unwrap_or(target).to_vec());
                }
                "content-type" => head.content_type = Some(value.into_owned()),
                "warc-identified-payload-type" => head.identified = Some(value.into_owned()),
                "content-length" => head.length = value.parse().ok(),
                // The rest of a document whose pieces are numbered is in other records.
                "warc-truncated" | "warc-segment-number" => head.is_truncated = true,
                _ => {}
            }
        }
        Ok(Some(head))
    }

    /// A record of ARC: a line `URL ADDRESS DATE TYPE … LENGTH`.
    fn read_arc(
        feed: &mut LookaheadReader<'_>,
        offsets: Option<&MemberOffsets>,
    ) -> io::Result<Option<RecordHeader>> {
        let at = feed.at();
        let held = feed.look(16 << 10)?;
        let Some(end) = memchr::memchr(b'\n', held) else { return Ok(None) };
        if next_member(held, 1..end, at, offsets).is_some() {
            return Ok(None);
        }
        let line = &held[..end];
        let url = line.split(|byte| *byte == b' ').next().unwrap_or_default().to_vec();
        let line = String::from_utf8_lossy(line).into_owned();
        let parts: Vec<&str> = line.trim_end().split(' ').collect();
        let (Some(kind), Some(Ok(length))) =
            (parts.get(3), parts.last().map(|length| length.parse()))
        else {
            return Ok(None);
        };
        if parts.len() < 5 || !url.contains(&b':') {
            return Ok(None);
        }
        feed.consume(end + 1);
        let is_about = url.starts_with(b"filedesc:") || url.starts_with(b"dns:");
        Ok(Some(RecordHeader {
            kind: if is_about { "warcinfo" } else { "response" }.to_owned(),
            target: Some(url),
            content_type: Some((*kind).to_owned()),
            length: Some(length),
            is_arc: true,
            ..RecordHeader::default()
        }))
    }

    /// Returns the part of the record that is scanned.
    pub(super) fn reads(&self) -> Reads {
        let kind = self.content_type.as_deref().unwrap_or_default();
        let is_dns = first_word(kind.as_bytes()).eq_ignore_ascii_case(b"text/dns");
        let is_of_wget = self.target.as_deref().is_some_and(|target| target.starts_with(OF_WGET));
        match self.kind.as_str() {
            _ if is_dns || is_of_wget => Reads::Nothing,
            // The response, but for a body that was the same before.
            "revisit" => Reads::Header,
            "response" | "resource" | "conversion" | "metadata" => Reads::Block,
            _ => Reads::Nothing,
        }
    }

    /// Whether it is a piece of a document that begins in another record.
    pub(super) fn is_continuation(&self) -> bool {
        self.kind == "continuation"
    }
}

/// Takes a header up to its empty line, which is taken too; whether there was one. A member that begins with a record
/// ends it.
fn header(
    feed: &mut LookaheadReader<'_>,
    offsets: Option<&MemberOffsets>,
) -> io::Result<(Vec<u8>, bool)> {
    let mut text = Vec::new();
    let mut start = feed.at();
    loop {
        if feed.fill()?.is_empty() || text.len() > MOST_HEADER {
            return Ok((text, false));
        }
        let mark = offsets.and_then(|offsets| offsets.from(start + 1));
        if mark == Some(feed.at()) {
            if is_warc(feed.look(8)?) {
                return Ok((text, false));
            }
            start = feed.at();
            continue;
        }
        let len = mark.and_then(|mark| usize::try_from(mark - feed.at()).ok());
        let held = feed.held();
        let held = &held[..held.len().min(len.unwrap_or(usize::MAX))];
        let line = memchr::memchr(b'\n', held).map(|end| end + 1);
        let len = line.unwrap_or(held.len());
        let is_begun = text.last().is_some_and(|byte| *byte != b'\n');
        let is_empty = !is_begun && matches!(&held[..len], b"\r\n" | b"\n");
        text.extend_from_slice(&held[..len]);
        feed.consume(len);
        if is_empty || text.ends_with(b"\n\r\n") {
            return Ok((text, true));
        }
    }
}

/// The fields of a header with the octets of their values, its first line apart; lines that begin with a blank go
/// on the one before.
fn fields(text: &[u8]) -> Vec<(String, Vec<u8>)> {
    let mut fields: Vec<(String, Vec<u8>)> = Vec::new();
    for line in text.split(|byte| *byte == b'\n').skip(1) {
        match (line.first(), fields.last_mut()) {
            (Some(b' ' | b'\t'), Some((_, value))) => {
                value.push(b' ');
                value.extend_from_slice(line.trim_ascii());
            }
            _ => {
                if let Some(colon) = memchr::memchr(b':', line) {
                    let name = String::from_utf8_lossy(line[..colon].trim_ascii()).into_owned();
                    fields.push((name, line[colon + 1..].trim_ascii().to_vec()));
                }
            }
        }
    }
    fields
}

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

/// Whether there are empty lines and then the beginning of a record, or nothing if this is all.
fn is_start(held: &[u8], is_all: bool, at: u64, offsets: Option<&MemberOffsets>) -> bool {
    let start = held.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    let rest = &held[start..];
    let is_arc = || {
        let end = arc_line(rest).map(|len| start + len);
        end.is_some_and(|end| next_member(held, start + 1..end, at, offsets).is_none())
    };
    is_all && rest.is_empty() || is_warc(rest) || is_arc()
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
fn next_member(
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

/// The block of a record: so many bytes, and in a member of its own no more than there are.
pub(super) struct RecordBody<'b, 'r> {
    feed: &'b mut LookaheadReader<'r>,
    offsets: Option<MemberOffsets>,
    start: u64,
    /// Remaining bytes; `None` if unknown.
    left: Option<u64>,
}

impl<'b, 'r> RecordBody<'b, 'r> {
    pub(super) fn new(
        feed: &'b mut LookaheadReader<'r>,
        offsets: Option<MemberOffsets>,
        start: u64,
        left: Option<u64>,
    ) -> RecordBody<'b, 'r> {
        RecordBody { feed, offsets, start, left }
    }

    /// Returns the buffer that it is read from.
    pub(super) fn feed(&mut self) -> &mut LookaheadReader<'r> {
        self.feed
    }

    /// How many bytes of the block are available; none at its end.
    fn at_hand(&mut self) -> io::Result<usize> {
        if self.left == Some(0) {
            return Ok(0);
        }
        let mut len = self.feed.fill()?.len();
        let at = self.feed.at();
        while let Some(mark) =
            self.offsets.as_ref().and_then(|offsets| offsets.from(self.start + 1))
        {
            if mark > at {
                len = len.min(usize::try_from(mark - at).unwrap_or(usize::MAX));
                break;
            }
            // A member that begins with a record ends the one before; others may have begun in its header.
            if mark == at && is_warc(self.feed.look(8)?) {
                len = 0;
                break;
            }
            self.start = mark;
        }
        if let Some(left) = self.left {
            len = len.min(usize::try_from(left).unwrap_or(usize::MAX));
        }
        Ok(len)
    }

    fn consume(&mut self, len: usize) {
        self.feed.consume(len);
        if let Some(left) = &mut self.left {
            *left -= len as u64;
        }
    }

    /// Whether there is more of the block, as far as its length says.
    pub(super) fn has_more(&self) -> bool {
        self.left.is_some_and(|left| left > 0)
    }

    /// Skips the rest of the block; returns whether all of it was there.
    pub(super) fn pass_over(&mut self) -> io::Result<bool> {
        if self.left.is_none() {
            return Ok(false);
        }
        loop {
            match self.at_hand()? {
                0 => return Ok(self.left == Some(0)),
                len => self.consume(len),
            }
        }
    }

    /// Appends the block up to a total of `most` bytes.
    pub(super) fn hold(&mut self, most: u64, to: &mut Vec<u8>) -> io::Result<()> {
        while (to.len() as u64) < most {
            let len = self.at_hand()?;
            if len == 0 {
                break;
            }
            let room = usize::try_from(most - to.len() as u64).unwrap_or(usize::MAX);
            let len = len.min(room);
            to.extend_from_slice(&self.feed.held()[..len]);
            self.consume(len);
        }
        Ok(())
    }
}

impl RecordBody<'_, '_> {
    /// Appends the bytes up to the next line that begins a record, whatever the declared length, up to a total of `most`
    /// bytes.
    pub(super) fn hold_on(&mut self, most: u64, to: &mut Vec<u8>) -> io::Result<()> {
        self.left = None;
        if to.is_empty() && is_warc(self.feed.look(8)?) {
            return Ok(());
        }
        while (to.len() as u64) < most {
            let len = self.at_hand()?;
            let held = &self.feed.held()[..len];
            if held.is_empty() {
                break;
            }
            // The line may begin in what was appended before.
            let before = to.len().saturating_sub(16);
            let border = [&to[before..], &held[..len.min(16)]].concat();
            if let Some(found) =
                begins_in(&border, false).filter(|found| before + found <= to.len())
            {
                let back = to.split_off(before + found);
                self.feed.give_back(&back);
                break;
            }
            let found = begins_in(held, false);
            let len = found.unwrap_or(len);
            to.extend_from_slice(&held[..len]);
            self.consume(len);
            if found.is_some() {
                break;
            }
        }
        Ok(())
    }
}

impl Read for RecordBody<'_, '_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let len = self.at_hand()?.min(to.len());
        to[..len].copy_from_slice(&self.feed.held()[..len]);
        self.consume(len);
        Ok(len)
    }
}

/// A record with its block in memory.
pub(in super::super) struct BufferedRecord {
    pub(super) head: RecordHeader,
    pub(super) member: Member,
    pub(super) bytes: Vec<u8>,
}
