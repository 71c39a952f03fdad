//! Ranges: a crawl that can be read anywhere, cut so that several threads go through it.
//!
//! A range owns the records that begin in it: of a plain file those at `WARC/` on a line start, of a
//! compressed one the members that begin with one. Where a range begins that nobody has reached yet is
//! found by looking for such a place; if it is a false one, the range before ends elsewhere, and the
//! range is gone through again from there.

use std::io::{self, Read};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use super::super::codec::{self, Codec};
use super::super::fault::{Late, is_told};
use super::super::feed::{Ahead, Feed};
use super::super::marks::Marks;
use super::super::member::Member;
use super::super::part::{Part, Seam, Visitor};
use super::super::place::{Place, Where};
use super::super::said::Said;
use super::super::source::Window;
use super::super::walk::Walk;
use super::record;

/// What ranges are of.
#[derive(Clone)]
struct Crawl {
    window: Window,
    codec: Option<Codec>,
    member: Member,
    said: Said,
    depth: u32,
}

impl Walk<'_> {
    /// Whether a stream is a crawl that is long enough to be cut.
    pub(in super::super) fn is_ranged(
        &self,
        is_compressed: bool,
        feed: &Feed<'_>,
        place: &Place<'_>,
    ) -> bool {
        let is_long = || {
            let len = place.from.window().map_or(0, |window| window.len());
            len >= self.limits.range.saturating_mul(2)
        };
        let depth = place.depth + u32::from(is_compressed);
        !place.is_live
            && depth < self.limits.depth
            && match is_compressed {
                true => codec::begins_with_record(feed.held()),
                false => feed.held().starts_with(b"WARC/"),
            }
            && is_long()
    }

    pub(in super::super) fn warc_ranges(
        &mut self,
        codec: Option<Codec>,
        place: &Place<'_>,
        visitor: &mut dyn Visitor,
    ) {
        let Some(window) = place.from.window() else { return };
        let (len, step) = (window.len(), self.limits.range);
        let begin = self.take_begin();
        self.restore_budget(begin);
        let from = begin.map_or(0, |begin| begin.at);
        let crawl = Crawl {
            window,
            codec,
            member: place.member.clone(),
            said: place.said.clone(),
            depth: place.depth + u32::from(codec.is_some()),
        };
        let chain = Arc::new(AtomicU64::new(from));
        for number in from / step..len.div_ceil(step) {
            if visitor.is_stopped() {
                return;
            }
            let start = number * step;
            let stop = if len - start <= step { u64::MAX } else { start + step };
            let crawl = crawl.clone();
            let part = Part::chained(step, &chain, move |from, seam, walk, visitor| {
                walk.range(&crawl, from, start..stop, seam, visitor);
            });
            let part = if begin.is_some() { part.until_its_end() } else { part };
            visitor.part(part, self);
        }
    }

    /// Goes through the records that begin in a range.
    fn range(
        &mut self,
        crawl: &Crawl,
        from: Option<u64>,
        within: Range<u64>,
        seam: &Seam,
        visitor: &mut dyn Visitor,
    ) {
        let Range { start, end: stop } = within;
        let from = match from {
            None => seek(crawl, start, stop.min(crawl.window.len())).ok().flatten(),
            from => from,
        };
        let Some(from) = from else { return };
        seam.begin(from);
        let len = crawl.window.len();
        if from >= stop || from >= len {
            return seam.end(from);
        }
        match self.try_range(crawl, from, stop, visitor) {
            Ok(ended) => seam.end(ended.unwrap_or(len)),
            Err(error) => {
                seam.end(len);
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
        let Crawl { window, codec, member, said, depth } = crawl;
        let stored = Box::new(window.part(from, window.len()));
        let mut feed = Feed::reusing(self.spare.pop().unwrap_or_default(), stored, from, &[]);
        let mut place = Place {
            member,
            name: b"",
            from: Where::Window(window.clone()),
            depth: *depth,
            is_live: false,
            said,
            marks: None,
        };
        let result = match codec {
            None => self.records(&mut feed, &place, Some(stop), None, visitor),
            Some(codec) => {
                let (marks, late) = (Marks::until(stop), Late::default());
                place.marks = Some(marks.clone());
                let spare = self.spare.pop().unwrap_or_default();
                let reader = self.metering(
                    *codec,
                    &mut feed,
                    Some(window.len()),
                    Some(marks.clone()),
                    &late,
                )?;
                let mut decoded = Feed::reusing(spare, reader, 0, &[]);
                let result = self.records(&mut decoded, &place, None, None, visitor);
                self.spare.push(decoded.into_held());
                match late.take() {
                    Some(error) => Err(error),
                    None => result.map(|_| marks.ended()),
                }
            }
        };
        self.spare.push(feed.into_held());
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
        let mut feed = Feed::reusing(Vec::new(), reader, start, &[]);
        return Ok(codec::seek_record(&mut feed, stop)?.then(|| feed.at()));
    }
    // The end of the line before, and the beginning of a record that begins at the end of the range.
    let from = start - 1;
    let mut bytes = Vec::new();
    window.part(from, stop.saturating_add(16)).read_to_end(&mut bytes)?;
    let found = record::begins_in(&bytes).map(|at| from + at as u64);
    Ok(found.filter(|at| *at < stop))
}
