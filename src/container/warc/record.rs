//! Records: their header and their block.
//!
//! Records whose blocks are buffered before they are scanned.

use std::io::{self, Read};

use super::super::fault::{Fault, FaultCode};
use super::super::lookahead::{Lookahead, LookaheadReader};
use super::super::member::Member;
use super::super::member_offsets::MemberOffsets;
use super::super::metadata::CutEnd;
use super::start::{begins_in, next_member};
use crate::detect::media_type::first_word;
use crate::detect::{is_cut_warc, is_warc};

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

/// Reason why no record begins at an offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoRecord {
    Corrupt,
    /// The file, or a member of it, ends within the header.
    Truncated,
}

impl NoRecord {
    pub(super) fn at(self, offset: u64) -> Fault {
        match self {
            NoRecord::Corrupt => Fault::new(FaultCode::Corrupt, offset, "not a WARC record"),
            NoRecord::Truncated => Fault::new(FaultCode::Truncated, offset, TRUNCATED),
        }
    }
}

/// Reason of a fault: the file ends within a record.
pub(super) const TRUNCATED: &str = "WARC record truncated";

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
    /// Takes the header of the record that begins here.
    pub(super) fn read(
        feed: &mut LookaheadReader<'_>,
        offsets: Option<&MemberOffsets>,
    ) -> io::Result<Result<RecordHeader, NoRecord>> {
        let held = feed.look(8)?;
        if offsets.is_none() && is_cut_warc(held) {
            return Ok(Err(NoRecord::Truncated));
        }
        if !is_warc(held) {
            return Ok(RecordHeader::read_arc(feed, offsets)?.ok_or(NoRecord::Corrupt));
        }
        let text = match header(feed, offsets)? {
            Ok(text) => text,
            Err(none) => return Ok(Err(none)),
        };
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
        Ok(Ok(head))
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
        let is_dns = first_word(kind.as_bytes()).eq_ignore_ascii_case("text/dns");
        let is_of_wget = self.target.as_deref().is_some_and(|target| target.starts_with(OF_WGET));
        match self.kind.as_str() {
            _ if is_dns || is_of_wget => Reads::Nothing,
            // The response, but for a body that was the same before.
            "revisit" => Reads::Header,
            "request" | "warcinfo" | "continuation" => Reads::Nothing,
            // Those of other types too, and those whose type is damaged: nothing is lost silently.
            _ => Reads::Block,
        }
    }

    /// Whether it is a piece of a document that begins in another record.
    pub(super) fn is_continuation(&self) -> bool {
        self.kind == "continuation"
    }
}

/// Takes a header up to its empty line, which is taken too. A member that begins with a record ends it, as the end of the
/// file does.
fn header(
    feed: &mut LookaheadReader<'_>,
    offsets: Option<&MemberOffsets>,
) -> io::Result<Result<Vec<u8>, NoRecord>> {
    let mut text = Vec::new();
    let mut start = feed.at();
    loop {
        if feed.fill()?.is_empty() {
            return Ok(Err(NoRecord::Truncated));
        }
        if text.len() > MOST_HEADER {
            return Ok(Err(NoRecord::Corrupt));
        }
        let mark = offsets.and_then(|offsets| offsets.from(start + 1));
        if mark == Some(feed.at()) {
            if is_warc(feed.look(8)?) {
                return Ok(Err(NoRecord::Truncated));
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
            return Ok(Ok(text));
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

/// The block of a record: so many bytes, and in a member of its own no more than there are.
pub(super) struct RecordBody<'b, 'r> {
    feed: &'b mut LookaheadReader<'r>,
    offsets: Option<MemberOffsets>,
    start: u64,
    /// Remaining bytes; `None` if unknown.
    left: Option<u64>,
    cut: &'b CutEnd,
}

impl<'b, 'r> RecordBody<'b, 'r> {
    pub(super) fn new(
        feed: &'b mut LookaheadReader<'r>,
        offsets: Option<MemberOffsets>,
        start: u64,
        left: Option<u64>,
        cut: &'b CutEnd,
    ) -> RecordBody<'b, 'r> {
        RecordBody { feed, offsets, start, left, cut }
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
        let at_hand = self.at_hand()?;
        if at_hand == 0 && self.has_more() {
            self.cut.of_record.set(true);
        }
        let len = at_hand.min(to.len());
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
    /// Whether the block has more bytes that are not there.
    pub(super) is_cut: bool,
}
