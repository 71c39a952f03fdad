//! zip (APPNOTE): the central directory rules; entries are known by the offset of their header.
//!
//! The archive is read at any place. What comes as a stream is kept first, in memory or in a file without a
//! name. Without a directory the local headers are walked.

mod directory;
mod entry;
mod spool;

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::io;

use super::fault::{Fault, FaultCode};
use super::feed::Feed;
use super::names::{self, Coding};
use super::source::Window;
use super::walk::{Place, Visitor, Walk};
use crate::stream::Notice;
pub(super) use directory::has_end_record;
use directory::{Directory, Entry};

/// So much of the names that are not UTF-8 is looked at to find out what they are in.
const SAMPLE: usize = 64 << 10;

impl Walk<'_> {
    pub(super) fn zip(
        &mut self,
        feed: &mut Feed<'_>,
        place: &Place<'_>,
        visitor: &mut dyn Visitor,
    ) -> io::Result<()> {
        let (window, cut) = match place.from.window() {
            Some(window) => (window, None),
            None => spool::keep(feed, self.limits.of_input(0))?,
        };
        match Directory::find(&window)? {
            Some(directory) => self.by_directory(&window, &directory, place, visitor)?,
            None => self.by_headers(&window, place, visitor)?,
        }
        cut.map_or(Ok(()), Err)
    }

    fn by_directory(
        &mut self,
        window: &Window,
        directory: &Directory,
        place: &Place<'_>,
        visitor: &mut dyn Visitor,
    ) -> io::Result<()> {
        let (mut ranges, mut sample) = (Vec::new(), Vec::new());
        let mut entries = directory.entries(window);
        while let Some(entry) = entries.next()? {
            ranges
                .push((entry.header, entry.header.saturating_add(entry.stored).saturating_add(30)));
            if sample.len() < SAMPLE && std::str::from_utf8(&entry.name).is_err() {
                sample.extend_from_slice(&entry.name);
                sample.push(b'\n');
            }
        }
        let (count, fault) = (entries.count, entries.fault.take());
        let coding = (!sample.is_empty()).then(|| Coding::of(&sample));
        let inside = beginning_inside_others(ranges);

        let keys = RandomState::new();
        let (mut headers, mut seen) = (HashSet::new(), HashSet::new());
        let mut entries = directory.entries(window);
        while let Some(entry) = entries.next()? {
            if visitor.is_stopped() {
                return Ok(());
            }
            let member = names::inner(place.member, &entry.name, coding);
            if !headers.insert(entry.header) {
                visitor.noticed(&member, Notice::Duplicate);
                continue;
            }
            if !seen.insert(keys.hash_one(&entry.name)) {
                visitor.noticed(&member, Notice::Duplicate);
            }
            if inside.contains(&entry.header) {
                let reason = "zip entry overlaps another one";
                let at = directory.base.saturating_add(entry.header);
                visitor.failed(&member, Fault::new(FaultCode::Overlap, at, reason).into());
                continue;
            }
            let spent = self.budget.get() == 0;
            if spent {
                let left = count.saturating_sub(headers.len() as u64 - 1);
                let reason = format!("the input expands to too much, {left} entries are left");
                let at = directory.base.saturating_add(entry.header);
                return Err(Fault::new(FaultCode::Expansion, at, reason).into());
            }
            self.zip_entry(window, directory.base, &entry, &member, place, visitor);
        }
        match fault {
            Some(fault) => Err(fault.into()),
            None => Ok(()),
        }
    }

    /// Without a directory: what can be found from header to header.
    fn by_headers(
        &mut self,
        window: &Window,
        place: &Place<'_>,
        visitor: &mut dyn Visitor,
    ) -> io::Result<()> {
        let mut at = 0;
        while let Some((entry, end)) = entry::local(window, at)? {
            if visitor.is_stopped() {
                return Ok(());
            }
            let member = names::inner(place.member, &entry.name, None);
            self.zip_entry(window, 0, &entry, &member, place, visitor);
            at = end;
        }
        let fault = Fault::new(FaultCode::NoDirectory, at, "zip without a central directory");
        Err(fault.into())
    }
}

/// The headers that lie in the range of another entry.
fn beginning_inside_others(mut ranges: Vec<(u64, u64)>) -> HashSet<u64> {
    ranges.sort_unstable();
    let (mut inside, mut end, mut last) = (HashSet::new(), 0, None);
    for (start, stop) in ranges {
        if start < end && last != Some(start) {
            inside.insert(start);
            continue;
        }
        (end, last) = (stop.max(end), Some(start));
    }
    inside
}

/// What an entry is said to be.
impl Entry {
    pub(super) fn is_directory(&self) -> bool {
        self.name.ends_with(b"/") && self.size == 0
    }
}
