//! Ranges: a crawl that can be read anywhere, cut so that several threads go through it.
//!
//! A range owns the records that begin in it: of a plain file those at `WARC/` on a line start, of a
//! compressed one the members that begin with one. Where a range begins that nobody has reached yet is
//! found by looking for such a place; if it is a false one, the range before ends elsewhere, and the
//! range is processed again from there.

use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use super::super::codec::{self, Codec};
use super::super::fault::{LateFault, is_told};
use super::super::lookahead::{Lookahead, LookaheadReader};
use super::super::member::Member;
use super::super::member_offsets::MemberOffsets;
use super::super::metadata::Metadata;
use super::super::source::SourceRange;
use super::super::stream_context::{StreamContext, Where};
use super::super::walk::ContainerWalk;
use super::super::work_unit::{UnitBounds, Visitor, WorkUnit};
use super::start;
use crate::detect::is_crawl;

/// The file that the ranges are of.
#[derive(Clone)]
struct Crawl {
    window: SourceRange,
    codec: Option<Codec>,
    member: Member,
    metadata: Metadata,
    depth: u32,
}

impl ContainerWalk<'_> {
    /// Whether a stream is a crawl that is long enough to be cut.
    pub(in super::super) fn is_ranged(
        &self,
        is_compressed: bool,
        feed: &LookaheadReader<'_>,
        context: &StreamContext<'_>,
    ) -> bool {
        let is_long = || {
            let len = context.from.window().map_or(0, |window| window.len());
            len >= self.limits.range.saturating_mul(2)
        };
        let depth = context.depth + u32::from(is_compressed);
        !context.is_live
            && depth < self.limits.depth
            && match is_compressed {
                true => codec::begins_with_record(feed.held()),
                false => is_crawl(feed.held()),
            }
            && is_long()
    }

    pub(in super::super) fn warc_ranges(
        &mut self,
        codec: Option<Codec>,
        context: &StreamContext<'_>,
        visitor: &mut dyn Visitor,
    ) {
        let Some(window) = context.from.window() else { return };
        let (len, step) = (window.len(), self.limits.range);
        let begin = self.take_begin();
        self.restore_budget(begin);
        let from = begin.map_or(0, |begin| begin.at);
        let crawl = Crawl {
            window,
            codec,
            member: context.member.clone(),
            metadata: context.metadata.clone(),
            depth: context.depth + u32::from(codec.is_some()),
        };
        let chain = Arc::new(AtomicU64::new(from));
        for number in from / step..len.div_ceil(step) {
            if visitor.is_stopped() {
                return;
            }
            let start = number * step;
            let stop = if len - start <= step { u64::MAX } else { start + step };
            let crawl = crawl.clone();
            let unit = WorkUnit::chained(step, &chain, move |from, bounds, walk, visitor| {
                walk.range(&crawl, from, start..stop, bounds, visitor);
            });
            let unit = if begin.is_some() { unit.until_its_end() } else { unit };
            visitor.unit(unit, self);
        }
    }

    /// Goes through the records that begin in a range.
    fn range(
        &mut self,
        crawl: &Crawl,
        from: Option<u64>,
        within: Range<u64>,
        bounds: &UnitBounds,
        visitor: &mut dyn Visitor,
    ) {
        let Range { start, end: stop } = within;
        let from = match from {
            None => seek(crawl, start, stop.min(crawl.window.len())).ok().flatten(),
            from => from,
        };
        let Some(from) = from else { return };
        bounds.begin(from);
        let len = crawl.window.len();
        if from >= stop || from >= len {
            return bounds.end(from);
        }
        match self.try_range(crawl, from, stop, visitor) {
            Ok(ended) => bounds.end(ended.unwrap_or(len)),
            Err(error) => {
                bounds.end(len);
                if !is_told(&error) {
                    visitor.failed(&crawl.member, error);
                }
            }
        }
    }

    fn try_range(
        &mut self,
        crawl: &Crawl,
        from: u64,
        stop: u64,
        visitor: &mut dyn Visitor,
    ) -> io::Result<Option<u64>> {
        let Crawl { window, codec, member, metadata, depth } = crawl;
        let stored = Box::new(window.part(from, window.len()));
        let mut feed = LookaheadReader::reusing(self.spare.pop().unwrap_or_default(), stored, from);
        let mut context = StreamContext {
            member,
            name: b"",
            from: Where::Window(window.clone()),
            depth: *depth,
            is_live: false,
            metadata,
            offsets: None,
            cut: None,
        };
        let result = match codec {
            None => self.records(&mut feed, &context, Some(stop), None, visitor),
            Some(codec) => {
                let (offsets, late) = (MemberOffsets::until(stop), LateFault::default());
                context.offsets = Some(offsets.clone());
                let spare = self.spare.pop().unwrap_or_default();
                let reader = self.metering(
                    *codec,
                    &mut feed,
                    Some(window.len()),
                    Some(offsets.clone()),
                    &late,
                )?;
                let mut decoded = LookaheadReader::reusing(spare, reader, 0);
                let result = self.records(&mut decoded, &context, None, None, visitor);
                self.spare.push(decoded.into_memory());
                match late.take() {
                    Some(error) => Err(error),
                    None => result.map(|_| offsets.ended()),
                }
            }
        };
        self.spare.push(feed.into_memory());
        result
    }
}

/// The first place in a range where a record seems to begin.
fn seek(crawl: &Crawl, start: u64, stop: u64) -> io::Result<Option<u64>> {
    if start == 0 {
        return Ok(Some(0));
    }
    let window = &crawl.window;
    if crawl.codec.is_some() {
        let reader = Box::new(window.part(start, window.len()));
        let mut feed = LookaheadReader::reusing(Vec::new(), reader, start);
        return Ok(codec::seek_record(&mut feed, stop)?.then(|| feed.at()));
    }
    // The end of the line before, and the beginning of a record that begins at the end of the range.
    let from = start - 1;
    let mut bytes = Vec::new();
    window.part(from, stop.saturating_add(16)).read_to_end(&mut bytes)?;
    let found = start::begins_in(&bytes, false).map(|at| from + at as u64);
    Ok(found.filter(|at| *at < stop))
}
