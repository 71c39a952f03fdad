//! WARC (ISO 28500) and ARC: the records of a crawl, and what HTTP wrapped them in.
//!
//! A record's step is its byte offset in the file: of a compressed one, the offset of its member, with
//! `+K` where the member holds more than one. Scanned are `response resource conversion metadata
//! continuation`. A wrong length ends no more than its record: the next one is found again.

pub(super) mod http;
mod record;

use std::io::{self, Read};

use super::fault::{Fault, FaultCode, Late, is_told};
use super::feed::{Ahead, Feed};
use super::walk::{Given, Place, Said, Visitor, Walk, Where};
use crate::stream::Notice;
use http::Fields;
use record::{Block, Head, next_record, starts_record};

/// Blocks up to this length are held before they are scanned, so that a wrong length can be mended.
const HELD: u64 = 16 << 20;

impl Walk<'_> {
    pub(super) fn warc(
        &mut self,
        feed: &mut Feed<'_>,
        place: &Place<'_>,
        visitor: &mut dyn Visitor,
    ) -> io::Result<()> {
        let mut is_lost = false;
        while !visitor.is_stopped() {
            while let [b'\r' | b'\n', ..] = feed.fill()? {
                feed.consume(1);
            }
            if feed.fill()?.is_empty() {
                return Ok(());
            }
            let at = feed.at();
            if let Some(marks) = &place.marks {
                marks.forget_before(at);
            }
            let Some(head) = Head::read(feed)? else {
                if !is_lost {
                    let stored = place.stored_offset(at);
                    let fault = Fault::new(FaultCode::Corrupt, stored, "no record of WARC");
                    visitor.failed(place.member, fault.into());
                }
                is_lost = true;
                next_record(feed)?;
                continue;
            };
            is_lost = false;
            let member = place.member.inner(&place.step(at), None);
            let offset = place.stored_offset(at);
            let mut block = Block::new(feed, place.marks.clone(), at, head.length);
            if !head.is_scanned() {
                let skipped = block.pass_over();
                self.after(feed, &member, offset, skipped, head.length, visitor)?;
                continue;
            }
            if head.kind == "continuation" {
                visitor.noticed(&member, Notice::SourceTruncated);
            }
            if head.length.is_some_and(|length| length > HELD) {
                self.block(&head, Box::new(&mut block), head.length, &member, place, visitor);
                let skipped = block.pass_over();
                self.after(feed, &member, offset, skipped, head.length, visitor)?;
                continue;
            }
            let mut held = Vec::new();
            let read = block.hold(HELD, &mut held);
            let is_short = head.length.is_none_or(|length| (held.len() as u64) < length);
            let mut wrong = head.length.is_none();
            if read.is_ok() && (wrong || is_short || !starts_record(feed)?) {
                // The length is wrong: if it is too long, the next record has begun in the block.
                let start = record::begins_in(&held);
                wrong |= start.is_some() || !is_short;
                if let Some(start) = start {
                    feed.give_back(&held[start..]);
                    held.truncate(start);
                }
            }
            let len = held.len() as u64;
            let reader = Box::new(io::Cursor::new(held));
            self.block(&head, reader, Some(len), &member, place, visitor);
            match read {
                Err(error) if is_told(&error) => return Err(error),
                Err(error) => {
                    visitor.failed(&member, error);
                    return Err(super::fault::told());
                }
                Ok(()) if wrong || is_short => {
                    let is_end = feed.fill()?.is_empty() && !wrong;
                    let (code, reason) = match is_end {
                        true => (FaultCode::Truncated, "record of WARC truncated"),
                        false => (FaultCode::Length, "length of a record of WARC is wrong"),
                    };
                    visitor.failed(&member, Fault::new(code, offset, reason).into());
                    if !starts_record(feed)? {
                        next_record(feed)?;
                    }
                }
                Ok(()) => {}
            }
        }
        Ok(())
    }

    /// What follows a block that was not held.
    fn after(
        &mut self,
        feed: &mut Feed<'_>,
        member: &super::Member,
        offset: u64,
        skipped: io::Result<bool>,
        length: Option<u64>,
        visitor: &mut dyn Visitor,
    ) -> io::Result<()> {
        let is_whole = skipped?;
        if length.is_some() && is_whole && starts_record(feed)? {
            return Ok(());
        }
        let is_cut = !is_whole && feed.fill()?.is_empty();
        let (code, reason) = match is_cut {
            true => (FaultCode::Truncated, "record of WARC truncated"),
            false => (FaultCode::Length, "length of a record of WARC is wrong"),
        };
        visitor.failed(member, Fault::new(code, offset, reason).into());
        if !starts_record(feed)? {
            next_record(feed)?;
        }
        Ok(())
    }

    /// Scans a block: of HTTP its header's links, then its body.
    fn block(
        &mut self,
        head: &Head,
        reader: Box<dyn Read + '_>,
        stored: Option<u64>,
        member: &super::Member,
        place: &Place<'_>,
        visitor: &mut dyn Visitor,
    ) {
        if head.is_truncated {
            visitor.noticed(member, Notice::SourceTruncated);
        }
        let held = self.spare.pop().unwrap_or_default();
        let mut feed = Feed::reusing(held, reader, 0, &[]);
        let result = self.try_block(head, &mut feed, stored, member, place, visitor);
        self.spare.push(feed.into_held());
        match result {
            Err(error) if !is_told(&error) => visitor.failed(member, error),
            _ => {}
        }
    }

    fn try_block(
        &mut self,
        head: &Head,
        feed: &mut Feed<'_>,
        stored: Option<u64>,
        member: &super::Member,
        place: &Place<'_>,
        visitor: &mut dyn Visitor,
    ) -> io::Result<()> {
        let source = head.target.as_deref();
        let is_http = head.kind == "response" && feed.look(5)?.starts_with(b"HTTP/");
        let mut fields = Fields::default();
        if is_http {
            fields = Fields::read(feed)?;
            let said = Said::of(source, None);
            let given = Given { member, name: b"", nature: super::Nature::Text, said: &said };
            for link in fields.links() {
                visitor.value(&given, link);
            }
        }
        let kind = match is_http {
            true => fields.content_type.as_deref().or(head.identified.as_deref()),
            false => head.content_type.as_deref(),
        };
        if kind.is_some_and(http::is_unread) {
            visitor.counted(member);
            return Ok(());
        }
        let said = Said::of(source, kind);
        let inner = Place {
            member,
            name: b"",
            from: Where::Stream(stored),
            depth: place.depth + 1,
            is_live: false,
            said: &said,
            marks: None,
        };
        let is_chunked = fields.is_chunked && http::begins_chunked(feed.look(64 << 10)?);
        let mut body: Box<dyn Read + '_> = match is_chunked {
            true => Box::new(http::Dechunked::new(feed)),
            false => Box::new(feed),
        };
        let mut feeds: [Feed<'_>; 1] = [Feed::reusing(Vec::new(), Box::new(&mut body), 0, &[])];
        let [feed] = &mut feeds;
        let codec = fields.coding.filter(|coding| http::begins(*coding, feed));
        match codec {
            None => {
                self.stream(Box::new(feed), &inner, visitor);
            }
            Some(codec) => {
                let late = Late::default();
                let metered = self.metered(codec, feed, stored, &late)?;
                self.stream(metered, &inner, visitor);
                if let Some(error) = late.take() {
                    return Err(error);
                }
            }
        }
        Ok(())
    }
}
