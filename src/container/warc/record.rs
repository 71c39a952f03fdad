//! Records: their header, their block, where the next one begins.

use std::io::{self, Read};

use super::super::feed::{Ahead, Feed};
use super::super::marks::Marks;

/// The longest header.
const MOST_HEADER: usize = 1 << 20;

/// What the header of a record says.
#[derive(Debug, Default)]
pub(super) struct Head {
    /// In lower case.
    pub(super) kind: String,
    pub(super) target: Option<Vec<u8>>,
    pub(super) content_type: Option<String>,
    pub(super) identified: Option<String>,
    /// `None` if it says none, or none that is a number.
    pub(super) length: Option<u64>,
    pub(super) is_truncated: bool,
}

impl Head {
    /// Takes the header of the record that begins here; nothing if there begins none.
    pub(super) fn read(feed: &mut Feed<'_>) -> io::Result<Option<Head>> {
        if !is_warc(feed.look(8)?) {
            return Head::read_arc(feed);
        }
        let Some(text) = header(feed)? else { return Ok(None) };
        let mut head = Head::default();
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
                "warc-truncated" => head.is_truncated = true,
                _ => {}
            }
        }
        Ok(Some(head))
    }

    /// A record of ARC: a line `URL ADDRESS DATE TYPE … LENGTH`.
    fn read_arc(feed: &mut Feed<'_>) -> io::Result<Option<Head>> {
        let held = feed.look(16 << 10)?;
        let Some(end) = memchr::memchr(b'\n', held) else { return Ok(None) };
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
        Ok(Some(Head {
            kind: if is_about { "warcinfo" } else { "response" }.to_owned(),
            target: Some(url),
            content_type: Some((*kind).to_owned()),
            length: Some(length),
            ..Head::default()
        }))
    }

    /// Whether records of this type have content that somebody published.
    pub(super) fn is_scanned(&self) -> bool {
        matches!(
            self.kind.as_str(),
            "response" | "resource" | "conversion" | "metadata" | "continuation"
        )
    }
}

fn is_warc(bytes: &[u8]) -> bool {
    bytes.starts_with(b"WARC/1.") || bytes.starts_with(b"WARC/0.")
}

/// Takes a header up to its empty line, which is taken too.
pub(super) fn header(feed: &mut Feed<'_>) -> io::Result<Option<Vec<u8>>> {
    let mut text = Vec::new();
    loop {
        let held = feed.fill()?;
        if held.is_empty() || text.len() > MOST_HEADER {
            return Ok(None);
        }
        let line = memchr::memchr(b'\n', held).map(|end| end + 1);
        let len = line.unwrap_or(held.len());
        let is_begun = text.last().is_some_and(|byte| *byte != b'\n');
        let is_empty = !is_begun && matches!(&held[..len], b"\r\n" | b"\n");
        text.extend_from_slice(&held[..len]);
        feed.consume(len);
        if is_empty || text.ends_with(b"\n\r\n") {
            return Ok(Some(text));
        }
    }
}

/// The fields of a header with the octets of their values, its first line apart; lines that begin with a blank go
/// on the one before.
pub(super) fn fields(text: &[u8]) -> Vec<(String, Vec<u8>)> {
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
pub(super) fn starts_record(feed: &mut Feed<'_>) -> io::Result<bool> {
    let held = feed.look(64)?;
    let blank = held.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    let rest = &held[blank..];
    Ok(rest.is_empty() || is_warc(rest) || is_arc(feed)?)
}

/// A line of ARC.
fn is_arc(feed: &mut Feed<'_>) -> io::Result<bool> {
    let held = feed.look(4 << 10)?;
    let start = held.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    let Some(end) = memchr::memchr(b'\n', &held[start..]) else { return Ok(false) };
    let line = &held[start..start + end];
    let parts: Vec<&[u8]> = line.trim_ascii_end().split(|byte| *byte == b' ').collect();
    let is_number = |part: &[u8]| !part.is_empty() && part.iter().all(u8::is_ascii_digit);
    Ok(parts.len() >= 5 && parts[0].contains(&b':') && parts.last().is_some_and(|p| is_number(p)))
}

/// Where in a block that is too long the next record begins.
pub(super) fn begins_in(block: &[u8]) -> Option<usize> {
    memchr::memmem::find_iter(block, b"\nWARC/").map(|at| at + 1).find(|at| is_warc(&block[*at..]))
}

/// Goes to the next line that begins a record, or to the end.
pub(super) fn next_record(feed: &mut Feed<'_>) -> io::Result<()> {
    loop {
        let held = feed.look(64 << 10)?;
        let len = held.len();
        if let Some(at) = begins_in(held) {
            feed.consume(at);
            return Ok(());
        }
        if len < 16 {
            feed.consume(len);
            return Ok(());
        }
        // What begins a record may lie over the edge.
        feed.consume(if len < (64 << 10) { len } else { len - 8 });
    }
}

/// The block of a record: so many bytes, and in a member of its own no more than there are.
pub(super) struct Block<'b, 'r> {
    feed: &'b mut Feed<'r>,
    marks: Option<Marks>,
    start: u64,
    /// What is left; `None` if nobody knows.
    left: Option<u64>,
}

impl<'b, 'r> Block<'b, 'r> {
    pub(super) fn new(
        feed: &'b mut Feed<'r>,
        marks: Option<Marks>,
        start: u64,
        left: Option<u64>,
    ) -> Block<'b, 'r> {
        Block { feed, marks, start, left }
    }

    /// How many bytes of the block are at hand; none at its end.
    fn at_hand(&mut self) -> io::Result<usize> {
        if self.left == Some(0) {
            return Ok(0);
        }
        let mut len = self.feed.fill()?.len();
        let at = self.feed.at();
        while let Some(mark) = self.marks.as_ref().and_then(|marks| marks.after(self.start)) {
            if mark > at {
                len = len.min(usize::try_from(mark - at).unwrap_or(usize::MAX));
                break;
            }
            // A member that begins with a record ends the one before.
            if mark < at || is_warc(self.feed.look(8)?) {
                len = if mark < at { len } else { 0 };
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

    /// Passes over what is left; whether all of it was there.
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

    /// Appends at most so many bytes of the block.
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

impl Read for Block<'_, '_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let len = self.at_hand()?.min(to.len());
        to[..len].copy_from_slice(&self.feed.held()[..len]);
        self.consume(len);
        Ok(len)
    }
}
