//! Scans long leaves: a leaf or a table with more than 16 MiB of stored bytes is decoded and scanned in blocks, and so is
//! a shorter text whose lines are joined.
//!
//! Each block is a separate document that ends between two lines, if possible after an empty line, since no link
//! extends over an empty line. So only one block of a leaf is in memory. Markup and encoded messages can only be parsed
//! as a whole: they are scanned as running text, with a notice.
//!
//! A block of a table ends with a record. The first line of the table is put before each later block, since it
//! determines the separator.

use std::ops::ControlFlow;

use super::edit::EditedText;
use super::header::field_end;
use super::heading::HeaderReader;
use super::link_placement::{LeafText, LinkPlacement};
use super::part::{Leaf, LeafEnd, LeafFormat, NestedContent, StoredLeaf};
use super::structure::{PartEnd, SearchStart};
use super::transfer::{TransferDecoder, TransferEncoding};
use super::{BEFORE, EmitMail, MailScanner, MessageBuffer, MessageState, ScanEvent};
use crate::charset::{Charset, Layout};
use crate::detect::HEAD;
use crate::detect::document::{Disposition, DocumentFormat, Format, Hints};
use crate::input::chunk::Chunk;
use crate::limits;
use crate::markup::Csv;
use crate::notice::Notice;
use crate::source_map::{ByteCursor, SourceMap};

/// Number of decoded bytes that are scanned as one block, and that number for text whose lines are joined or edited: the edited
/// text and its map, which has a segment for each join, are in memory too.
const STRETCH: usize = 4 << 20;
const EDITED_STRETCH: usize = 256 << 10;
/// Number of stored bytes by which those of a block may exceed four times its decoded bytes: more than an encoding needs, unless
/// it has line ends or blanks without end between two of its characters.
const MOST_BETWEEN: usize = 8 << 20;
/// Number of bytes at the end of a block in which an empty line is searched.
const NEAR: usize = 64 << 10;

/// A long leaf, or the value of a long field, and how far it is scanned.
#[derive(Clone, Debug)]
pub(super) struct LongLeaf {
    leaf: Leaf,
    /// The header to return to after a field.
    heading: Option<HeaderReader>,
    /// Offset from which its end is searched, and the end.
    from: SearchStart,
    end: Option<(usize, PartEnd)>,
    /// Offsets of the first byte that is not decoded, and of the first whose text is not scanned.
    consumed: usize,
    min_start: usize,
    decoding: TransferDecoder,
    placing: LinkPlacement,
    decoded: Vec<u8>,
    map: SourceMap,
}

impl LongLeaf {
    /// Returns the offset of the first byte that is still needed.
    pub(super) fn needed(&self) -> usize {
        self.min_start.min(self.from.at).saturating_sub(BEFORE)
    }
}

impl MailScanner<'_> {
    /// Scans a leaf that is known to be long; its end may be known.
    pub(super) fn long_leaf(
        &mut self,
        feed: &mut MessageBuffer<'_>,
        mut leaf: Leaf,
        end: LeafEnd,
        emit: &mut EmitMail<'_>,
    ) -> ControlFlow<()> {
        let found = self.detect_head(feed.from(self.at), &leaf);
        match found.archive {
            Some(_) => {
                self.attachment(None, &leaf, emit)?;
                leaf.reading = LeafFormat::Skip;
            }
            None => match self.hints.scope.non_text.applied_to(found.disposition) {
                Disposition::Text => {}
                whole if whole.is_whole() => {
                    self.notice(Notice::AttachmentTooLong);
                    emit(ScanEvent::Unread)?;
                    leaf.reading = LeafFormat::Skip;
                }
                disposition => {
                    leaf.reading = match self.tell(disposition, emit)? {
                        // Binary data is not edited.
                        true => LeafFormat::As(Format::Text, None),
                        false => LeafFormat::Skip,
                    };
                    leaf.disposition = disposition;
                }
            },
        }
        if self.holds_table(feed, &leaf) {
            leaf.reading = LeafFormat::As(Format::Csv, None);
        }
        let is_markup = leaf.disposition == Disposition::Text
            && leaf.reading.format().is_some()
            && !leaf.is_table();
        if leaf.holds != NestedContent::Nothing || is_markup {
            self.notice(Notice::ReadAsText);
            leaf.holds = NestedContent::Nothing;
            leaf.reading = LeafFormat::Text { delsp: false };
        }
        self.rank(&leaf);
        self.state = MessageState::Long(Box::new(self.long(leaf, end, None)));
        ControlFlow::Continue(())
    }

    /// Creates the scan of a long leaf, or of a long field of a header.
    pub(super) fn long(&self, leaf: Leaf, end: LeafEnd, heading: Option<HeaderReader>) -> LongLeaf {
        let LeafEnd { from, found: end } = end;
        let decoding = TransferDecoder::new(leaf.encoding, self.ends.line_end, leaf.expected());
        LongLeaf {
            leaf,
            heading,
            from,
            end,
            consumed: self.at,
            min_start: self.at,
            decoding,
            placing: LinkPlacement::new(),
            decoded: Vec::new(),
            map: SourceMap::default(),
        }
    }

    /// Scans a long leaf, as far as its bytes are available.
    pub(super) fn long_step(
        &mut self,
        feed: &mut MessageBuffer<'_>,
        mut long: Box<LongLeaf>,
        emit: &mut EmitMail<'_>,
    ) -> ControlFlow<()> {
        loop {
            if let Some((at, end)) = self.block(feed, &mut long, emit)? {
                let Some(heading) = long.heading else { return self.end(at, end, emit) };
                self.at = at;
                self.state = MessageState::Header(heading);
                return ControlFlow::Continue(());
            }
            let (again, chunk) = (long.from, feed.chunk());
            if long.end.is_some() {
                continue;
            }
            match self.find_end(chunk, &long) {
                Ok(found) => long.end = Some(found),
                Err(from) => {
                    long.from = from;
                    if from == again || from.at.saturating_sub(2) <= long.consumed {
                        feed.next(long.needed(), &mut self.lines);
                        self.state = MessageState::Long(long);
                        return ControlFlow::Continue(());
                    }
                }
            }
        }
    }

    /// Searches for the end of a long leaf. If that needs more bytes, returns where the search resumes as the error.
    fn find_end(
        &mut self,
        chunk: Chunk<'_>,
        long: &LongLeaf,
    ) -> Result<(usize, PartEnd), SearchStart> {
        if long.heading.is_none() {
            return self.ends.find(chunk, long.from, &self.entities.levels);
        }
        match field_end(chunk, long.from.at, self.ends.line_end) {
            Ok(end) => Ok((end, PartEnd::Input)),
            Err(again) => Err(SearchStart { at: again, is_line: false }),
        }
    }

    /// Scans the next block of a long leaf; returns the offset and the kind of its end when nothing is left.
    fn block(
        &mut self,
        feed: &MessageBuffer<'_>,
        long: &mut LongLeaf,
        emit: &mut EmitMail<'_>,
    ) -> ControlFlow<(), Option<(usize, PartEnd)>> {
        let LongLeaf { leaf, from, end, consumed, min_start, .. } = long;
        let LongLeaf { decoding, placing, decoded, map, .. } = long;
        let limit = match *end {
            Some((at, PartEnd::Delimiter { .. })) => {
                let content = &feed.from(*consumed)[..at - *consumed];
                *consumed + super::header::without_end(content).len()
            }
            Some((at, _)) => at,
            // A line end here may belong to a delimiter.
            None => from.at.saturating_sub(2).max(*consumed),
        };
        let bytes = &feed.from(*consumed)[..limit - *consumed];
        let stretch = leaf.stretch();
        let block = &bytes[..bytes.len().min(stretch)];
        let is_last = end.is_some() && block.len() == bytes.len();
        let done = match leaf.reading {
            LeafFormat::Skip => block.len(),
            _ => decoding.decode_mapped(block, *consumed, is_last, decoded, map),
        };
        *consumed += done;
        let has_ended = decoding.has_ended();
        let is_all = has_ended || is_last;
        let is_far = !is_all && *consumed - *min_start > MOST_BETWEEN + 4 * decoded.len();
        if is_far {
            // The text ends here.
            self.notice(Notice::Skipped);
            decoding.restart();
        }
        if decoded.len() >= stretch || (is_all || is_far) && !decoded.is_empty() {
            let cut = match is_all || is_far {
                true => decoded.len(),
                false if leaf.is_table() => placing.records(decoded),
                false => end_of_stretch(decoded, leaf.reading.is_edited()),
            };
            // Include the bytes after the block, which affect how its last bytes are decoded.
            let bytes = &feed.from(*min_start)[..limit - *min_start];
            let (start, chunk) = (*min_start, feed.chunk());
            let stored = StoredLeaf { bytes, start, chunk, map: Some(map), detection: None };
            self.stretch(stored, &decoded[..cut], leaf, placing, emit)?;
            map.drop_front(decoded, cut);
            placing.cursor = ByteCursor::default();
            decoded.drain(..cut);
            if !is_all {
                *min_start = map.source_start().unwrap_or(*consumed);
            }
        }
        if is_far {
            map.clear();
            *min_start = *consumed;
        }
        if has_ended {
            // The bytes after the encoded ones are not encoded.
            leaf.encoding = TransferEncoding::Identity;
            leaf.reading = match leaf.reading {
                LeafFormat::Skip => LeafFormat::Skip,
                _ => LeafFormat::Text { delsp: false },
            };
            *decoding = TransferDecoder::new(leaf.encoding, self.ends.line_end, leaf.expected());
            *placing = LinkPlacement::new();
            map.clear();
            *min_start = *consumed;
            return self.block(feed, long, emit);
        }
        if leaf.reading == LeafFormat::Skip {
            *min_start = *consumed;
        }
        ControlFlow::Continue(end.filter(|_| is_last))
    }
}

/// Returns the end of a block: after an empty line near its end, otherwise after a line, otherwise after white space.
/// `is_joined`: a line that ends with a space continues in the next one.
fn end_of_stretch(decoded: &[u8], is_joined: bool) -> usize {
    let near = &decoded[decoded.len().saturating_sub(NEAR)..];
    let before = decoded.len() - near.len();
    let empty = memchr::memmem::rfind(near, b"\n\n").map(|at| at + 2);
    let empty = empty.max(memchr::memmem::rfind(near, b"\n\r\n").map(|at| at + 3));
    let is_flowed = |line: &[u8]| line.strip_suffix(b"\r").unwrap_or(line).ends_with(b" ");
    // A line that begins with a blank may continue a folded line.
    let line = memchr::memrchr_iter(b'\n', decoded)
        .filter(|lf| !(is_joined && is_flowed(&decoded[..*lf])))
        .map(|lf| lf + 1)
        .find(|at| decoded.get(*at).is_some_and(|b| !matches!(b, b' ' | b'\t')));
    let blank = || decoded.iter().rposition(u8::is_ascii_whitespace).map(|at| at + 1);
    let found = empty.map(|at| before + at).or(line).or_else(blank).unwrap_or(decoded.len());
    // NULs indicate UTF-16, whose units must stay complete.
    let is_wide = decoded[..decoded.len().min(64)].contains(&0);
    if is_wide { found.next_multiple_of(2).min(decoded.len()) } else { found }
}

impl Leaf {
    /// Returns the maximum number of stored bytes that are read as a whole.
    pub(super) fn longest_whole(&self) -> usize {
        match self.reading.is_edited() {
            true => EDITED_STRETCH,
            false => limits::WHOLE,
        }
    }

    /// Returns the number of decoded bytes that are scanned as one block.
    fn stretch(&self) -> usize {
        match self.reading.is_edited() {
            true => EDITED_STRETCH,
            false => STRETCH,
        }
    }

    /// Returns `true` if the leaf consists of comma-separated values.
    pub(super) fn is_table(&self) -> bool {
        matches!(self.reading, LeafFormat::As(Format::Csv, _))
    }
}

impl LinkPlacement {
    /// Returns the length in bytes of the complete records at the start of `decoded`.
    pub(super) fn records(&self, decoded: &[u8]) -> usize {
        let first = self.first_line.as_deref().unwrap_or(decoded);
        match Csv::records_end(decoded, first).0 {
            // The first record is longer than the block.
            0 => end_of_stretch(decoded, false),
            end => end,
        }
    }
}

impl MailScanner<'_> {
    /// Returns `true` if a leaf that begins here consists of comma-separated values in an ASCII-compatible charset.
    fn holds_table(&self, feed: &MessageBuffer<'_>, leaf: &Leaf) -> bool {
        let Some(format) = leaf.reading.format().filter(|_| leaf.disposition == Disposition::Text)
        else {
            return false;
        };
        let head = self.head_of(feed.from(self.at), leaf, HEAD);
        let charset = leaf.charset.ok().flatten();
        let is_wide =
            |charset: Charset| charset.is_utf16() || charset.layout() == Some(Layout::Iso2022Jp);
        let name = leaf.reading.name().map(Into::into);
        let hints = Hints { format, name, ..Hints::default() };
        leaf.holds == NestedContent::Nothing
            && !charset.is_some_and(is_wide)
            && memchr::memchr(0, &head).is_none()
            && hints.document_format(&head) == DocumentFormat::Csv
    }

    /// Scans a block of a table.
    pub(super) fn table(
        &mut self,
        bytes: LeafText<'_>,
        hints: Hints,
        placing: &mut LinkPlacement,
        emit: &mut EmitMail<'_>,
    ) -> ControlFlow<()> {
        let hints = Hints { format: Format::Csv, ..hints };
        let Some(first) = placing.first_line.take() else {
            placing.first_line = Some(Csv::first_line(bytes.decoded));
            return self.scan(hints, bytes, placing, emit);
        };
        let edited = EditedText::after(&first, bytes.decoded);
        let (text, before) = (&*edited.text, first.len());
        let bytes = LeafText { text, edited: Some(&edited), before, ..bytes };
        let flow = self.scan(hints, bytes, placing, emit);
        placing.first_line = Some(first);
        flow
    }
}
