//! WARC (ISO 28500) and ARC: the records of a crawl, and what HTTP wrapped them in.
//!
//! A record's step is its byte offset in the file: of a compressed one, the offset of its member, with
//! `+K` where the member holds more than one. Scanned are all records but `request warcinfo continuation`,
//! and of `revisit` the HTTP header. A wrong length ends no more than its record: the next one is found again.

mod http;
mod ranges;
mod record;
mod start;

use std::io::{self, Read};

pub(super) use http::{CODED, HttpFields, LOCATION, is_coded};
pub(super) use record::BufferedRecord;
use record::{Reads, RecordBody, RecordHeader, TRUNCATED};
use start::{begins_too_early, next_record, real_length, starts_record};

use super::archive_reader::{ArchiveReader, QueuedMember};
use super::codec::Codec;
use super::fault::{Fault, FaultCode, LateFault, is_told};
use super::lookahead::{Lookahead, LookaheadReader};
use super::member::Member;
use super::metadata::{CutEnd, DocumentInfo, Metadata};
use super::stream_context::{StreamContext, Where};
use super::walk::{ContainerWalk, StartPosition};
use super::work_unit::Visitor;
use crate::detect::document::{Detection, Disposition};
use crate::detect::field::MARK;
use crate::link::Repeated;
use crate::notice::Notice;

/// Blocks up to this length are held before they are scanned, so that a wrong length can be repaired.
const HELD: u64 = 16 << 20;

/// A record whose header has been read.
struct OpenRecord {
    head: RecordHeader,
    member: Member,
    /// Its start in the decoded bytes, and in the stored bytes.
    at: u64,
    offset: u64,
}

/// The block of a record, to be scanned.
struct RecordBlock<'b> {
    head: &'b RecordHeader,
    member: &'b Member,
    /// How many bytes there are, if that is known.
    stored: Option<u64>,
    cut: &'b CutEnd,
}

impl ContainerWalk<'_> {
    pub(super) fn warc(
        &mut self,
        feed: &mut LookaheadReader<'_>,
        context: &StreamContext<'_>,
        visitor: &mut dyn Visitor,
    ) -> io::Result<()> {
        let begin = self.take_begin();
        let result = match self.pass_to(begin, feed, context)? {
            Some(mut feed) => self.records(&mut feed, context, None, begin, visitor),
            None => self.records(feed, context, None, begin, visitor),
        };
        result.map(drop)
    }

    /// Goes through the records up to the first that begins at `stop` or after it; where that is.
    pub(super) fn records(
        &mut self,
        feed: &mut LookaheadReader<'_>,
        context: &StreamContext<'_>,
        stop: Option<u64>,
        begin: Option<StartPosition>,
        visitor: &mut dyn Visitor,
    ) -> io::Result<Option<u64>> {
        if let Some(offsets) = &context.offsets {
            offsets.are_of_records();
            if begin.is_some_and(|begin| begin.left.is_some()) {
                // Faults before this offset were reported.
                let offset = context.stored_offset(feed.at());
                while offsets.fault_up_to(offset).is_some() {}
            }
        }
        let mut reader = ArchiveReader::new(self, visitor, context, begin);
        let result = reader.each_record(feed, stop);
        reader.flush();
        reader.tell(u64::MAX);
        result
    }

    /// Scans a block that is held.
    pub(super) fn held_block(
        &mut self,
        held: &BufferedRecord,
        context: &StreamContext<'_>,
        visitor: &mut dyn Visitor,
    ) {
        let BufferedRecord { head, member, bytes, is_cut } = held;
        let cut = CutEnd::default();
        cut.of_record.set(*is_cut);
        let block = RecordBlock { head, member, stored: Some(bytes.len() as u64), cut: &cut };
        self.block(&block, Box::new(&bytes[..]), context, visitor);
    }

    /// Scans a block: of HTTP its header's links, then its body.
    fn block(
        &mut self,
        block: &RecordBlock<'_>,
        reader: Box<dyn Read + '_>,
        context: &StreamContext<'_>,
        visitor: &mut dyn Visitor,
    ) {
        let RecordBlock { head, member, cut, .. } = *block;
        // A revisit leaves out the body that it says was the same before.
        if head.is_truncated && head.reads() == Reads::Block {
            cut.of_record.set(true);
            visitor.noticed(member, Notice::SourceTruncated);
        }
        let held = self.spare.pop().unwrap_or_default();
        let mut feed = LookaheadReader::reusing(held, reader, 0);
        let result = self.try_block(block, &mut feed, context, visitor);
        self.spare.push(feed.into_memory());
        match result {
            Err(error) if !is_told(&error) => visitor.failed(member, error),
            _ => {}
        }
    }

    fn try_block(
        &mut self,
        block: &RecordBlock<'_>,
        feed: &mut LookaheadReader<'_>,
        context: &StreamContext<'_>,
        visitor: &mut dyn Visitor,
    ) -> io::Result<()> {
        let RecordBlock { head, member, stored, cut } = *block;
        let about = Metadata::of(head.target.as_deref(), None);
        if let Some(notice) = about.notice() {
            visitor.noticed(member, notice);
        }
        let is_revisit = head.reads() == Reads::Header;
        let is_http = (head.kind == "response" || is_revisit)
            && http::begins_header(head.content_type.as_deref(), feed)?;
        let mut fields = HttpFields::default();
        if is_http {
            let (depth, budget) = (context.depth, &std::sync::Arc::clone(&self.budget));
            let detection = Detection::known(Disposition::Text);
            let info = DocumentInfo::of(member, detection, &about, depth, budget);
            let is_cut = cut.of_record.get() || stored < head.length;
            let mut repeated = Repeated::default();
            let each = &mut |link| visitor.value(&info, link, &mut repeated);
            fields = HttpFields::read(feed, is_cut, each)?;
            if fields.is_too_long {
                visitor.noticed(member, Notice::FieldTooLong);
            }
            if repeated.is_reached() {
                visitor.noticed(member, Notice::Repeated);
            }
        }
        if is_revisit {
            return Ok(());
        }
        let kind = match is_http {
            true => fields.content_type.as_deref().or(head.identified.as_deref()),
            false => head.content_type.as_deref(),
        };
        let metadata = Metadata { source: about.source, ..Metadata::of(None, kind) };
        let inner = StreamContext {
            member,
            name: b"",
            from: Where::Stream(stored),
            depth: context.depth + 1,
            is_live: false,
            metadata: &metadata,
            offsets: None,
            cut: Some(cut),
        };
        let (result, is_cut) = self.http_body(&fields, feed, &inner, stored, visitor)?;
        if is_cut && !head.is_truncated {
            visitor.noticed(member, Notice::SourceTruncated);
        }
        result
    }

    /// Scans the body of a response, without its chunks and codings as far as it begins so; returns whether its chunks end too early, too.
    pub(super) fn http_body(
        &mut self,
        fields: &HttpFields,
        feed: &mut LookaheadReader<'_>,
        inner: &StreamContext<'_>,
        stored: Option<u64>,
        visitor: &mut dyn Visitor,
    ) -> io::Result<(io::Result<()>, bool)> {
        let is_chunked = fields.is_chunked && http::begins_chunked(feed.look(64 << 10)?);
        let body: Box<dyn Read + '_> = match is_chunked {
            true => Box::new(http::Dechunked::new(feed, inner.cut)),
            false => Box::new(feed),
        };
        let most = self.limits.depth.saturating_sub(inner.depth) as usize;
        let codings = &fields.codings[fields.codings.len().saturating_sub(most)..];
        let result = match codings {
            [] => {
                self.stream(body, inner, visitor);
                Ok(())
            }
            _ => {
                let held = self.spare.pop().unwrap_or_default();
                let mut feed = LookaheadReader::reusing(held, body, 0);
                let result = self.decoded(&mut feed, codings, stored, inner, visitor);
                self.spare.push(feed.into_memory());
                result
            }
        };
        Ok((result, inner.cut.is_some_and(|cut| cut.of_chunks.get())))
    }

    /// A body that such codings were applied to, as far as it begins so.
    fn decoded(
        &mut self,
        feed: &mut LookaheadReader<'_>,
        codings: &[Codec],
        stored: Option<u64>,
        context: &StreamContext<'_>,
        visitor: &mut dyn Visitor,
    ) -> io::Result<()> {
        let Some((codec, before)) = codings.split_last() else {
            self.stream(Box::new(feed), context, visitor);
            return Ok(());
        };
        if !http::begins(*codec, feed) {
            return self.decoded(feed, before, stored, context, visitor);
        }
        let late = LateFault::default();
        let reader = self.metered(*codec, feed, stored, &late)?;
        let held = self.spare.pop().unwrap_or_default();
        let mut inner = LookaheadReader::reusing(held, reader, 0);
        let result = self.decoded(&mut inner, before, None, context, visitor);
        self.spare.push(inner.into_memory());
        late.take().map_or(result, Err)
    }
}

impl ArchiveReader<'_, '_> {
    fn each_record(
        &mut self,
        feed: &mut LookaheadReader<'_>,
        stop: Option<u64>,
    ) -> io::Result<Option<u64>> {
        let context = self.context;
        let offsets = context.offsets.as_ref();
        let (mut is_lost, mut is_of_arc) = (false, false);
        if feed.at() == 0 && feed.look(MARK.len())?.starts_with(MARK) {
            feed.consume(MARK.len());
        }
        while !self.visitor.is_stopped() {
            while let [b'\r' | b'\n', ..] = feed.fill()? {
                feed.consume(1);
            }
            if feed.fill()?.is_empty() {
                return Ok(None);
            }
            let at = feed.at();
            if stop.is_some_and(|stop| at >= stop) {
                return Ok(Some(at));
            }
            if let Some(offsets) = offsets {
                offsets.forget_before(at);
            }
            let offset = context.stored_offset(at);
            self.tell(offset);
            if !is_lost {
                self.resumable(at);
            }
            let head = RecordHeader::read(feed, offsets)?;
            let Ok(head) = head.map_err(|none| self.failed(context.member, none.at(offset).into()))
            else {
                is_lost = true;
                if feed.at() == at || !starts_record(feed, offsets)? {
                    next_record(feed, offsets, is_of_arc)?;
                }
                continue;
            };
            (is_lost, is_of_arc) = (false, head.is_arc);
            let member = context.member.inner(&context.step(at), None);
            let record = OpenRecord { head, member, at, offset };
            self.record(feed, record)?;
        }
        Ok(None)
    }

    /// Goes through a record whose header has been taken.
    fn record(&mut self, feed: &mut LookaheadReader<'_>, record: OpenRecord) -> io::Result<()> {
        let (OpenRecord { head, member, at, offset }, context) = (record, self.context);
        let offsets = context.offsets.as_ref();
        // Of what can be read anywhere it is known whether another record follows.
        let is_plain = offsets.is_none() && !head.is_arc;
        let real = match context.from.window().filter(|_| is_plain) {
            Some(window) => real_length(&window, feed.at(), head.length)?,
            // Where a block was too long before, what follows it is held already.
            None if feed.at() < self.held_to && !head.is_arc => match head.length {
                Some(length) if length < HELD => {
                    self.held_to = self.held_to.max(feed.at() + length);
                    begins_too_early(feed, length as usize, offsets)
                }
                _ => None,
            },
            None => None,
        };
        let length = real.or(head.length);
        let mut is_wrong = real.is_some() || length.is_none();
        let (is_read, is_of_arc) = (head.reads() != Reads::Nothing, head.is_arc);
        if head.is_continuation() {
            self.flush();
            self.visitor.noticed(&member, Notice::ContinuationUnread);
        }
        let cut = CutEnd::default();
        let mut block = RecordBody::new(feed, offsets.cloned(), at, length, &cut);
        let mut held = Vec::new();
        let mut read = match length {
            Some(_) => block.hold(HELD, &mut held),
            None => block.hold_on(HELD, &mut held),
        };
        if read.is_ok() && held.len() as u64 == HELD && block.has_more() {
            if is_read {
                self.flush();
                let reader = io::Cursor::new(held).chain(&mut block);
                let block = RecordBlock { head: &head, member: &member, stored: length, cut: &cut };
                self.walk.block(&block, Box::new(reader), context, self.visitor);
            }
            let is_whole = block.pass_over()?;
            if is_wrong || !is_whole || !starts_record(feed, offsets)? {
                let fault = wrong(feed, is_wrong || is_whole, offset, context)?;
                self.failed(&member, fault.into());
                if !starts_record(feed, offsets)? {
                    next_record(feed, offsets, head.is_arc)?;
                }
            }
            return Ok(());
        }
        let is_short = length.is_none_or(|length| (held.len() as u64) < length);
        // What fails behind the block is no matter of the record.
        let follows = match read.is_ok() && !is_wrong && !is_short {
            true => starts_record(block.feed(), offsets),
            false => Ok(false),
        };
        if read.is_ok() && !is_wrong && matches!(follows, Ok(false)) {
            // If it is too long, the next record has begun in the block; if it is too short, it goes on up to there.
            let start = start::begins_in_block(&held, is_of_arc);
            is_wrong = start.is_some() || !is_short;
            match start {
                Some(start) => {
                    self.held_to = block.feed().at();
                    block.feed().give_back(&held[start..]);
                    held.truncate(start);
                }
                None if !is_short && !head.is_arc => read = block.hold_on(HELD, &mut held),
                None => {}
            }
        }
        if is_read {
            let size = held.len();
            let is_cut = read.is_err() || !is_wrong && is_short;
            let record = BufferedRecord { head, member: member.clone(), bytes: held, is_cut };
            let piece = QueuedMember::Block(record);
            self.push(piece, size);
        }
        match read {
            Err(error) if is_told(&error) => return Err(error),
            Err(error) => {
                self.failed(&member, error);
                return Err(super::fault::told());
            }
            Ok(()) if follows.is_err() => return follows.map(drop),
            Ok(()) if is_wrong || is_short => {
                let fault = wrong(feed, is_wrong, offset, context)?;
                self.failed(&member, fault.into());
                if !starts_record(feed, offsets)? {
                    next_record(feed, offsets, is_of_arc)?;
                }
            }
            Ok(()) => {}
        }
        Ok(())
    }

    /// Reports the faults of members up to a stored offset.
    fn tell(&mut self, offset: u64) {
        let context = self.context;
        while let Some(fault) =
            context.offsets.as_ref().and_then(|offsets| offsets.fault_up_to(offset))
        {
            self.failed(context.member, fault.into());
        }
    }
}

/// Returns the fault of a record: its end is cut, if nothing else is known to be wrong, or its length is wrong.
fn wrong(
    feed: &mut LookaheadReader<'_>,
    is_wrong: bool,
    offset: u64,
    context: &StreamContext<'_>,
) -> io::Result<Fault> {
    let is_range = context.offsets.as_ref().is_some_and(|offsets| offsets.ended().is_some());
    let is_cut = !is_wrong && feed.fill()?.is_empty() && !is_range;
    let (code, reason) = match is_cut {
        true => (FaultCode::Truncated, TRUNCATED),
        false => (FaultCode::Length, "wrong length of a WARC record"),
    };
    Ok(Fault::new(code, offset, reason))
}
