//! Places of entries: where their local headers are, even behind a damage of the archive.

use std::io;
use std::ops::Range;

use super::super::source::SourceRange;
use super::header::{LocalLength, ZipEntry, content_of, local_length};

/// What the offsets of entries count from.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct EntryBase {
    /// How much is in front of the archive.
    pub(super) front: u64,
    /// How far entries behind a damage are from where the directory says, since bytes were inserted there or lost.
    pub(super) moved: i64,
}

impl EntryBase {
    /// Returns the offset of the header of an entry, or where it should be.
    pub(super) fn place(self, window: &SourceRange, entry: &ZipEntry) -> io::Result<u64> {
        if self.moved != 0 {
            for place in self.places(entry.header) {
                if entry.is_at(window, place)? {
                    return Ok(place);
                }
            }
        }
        Ok(self.front.saturating_add(entry.header))
    }

    /// Returns the offsets where the header of an entry may be: where the directory says, and as far from there as
    /// entries behind a damage are.
    fn places(self, header: u64) -> impl Iterator<Item = u64> {
        let at = self.front.saturating_add(header);
        let moved = (self.moved != 0).then(|| at.saturating_add_signed(self.moved));
        std::iter::once(at).chain(moved)
    }

    /// Returns the offset of the local header of an entry, or `None` if there is none.
    pub(super) fn local(self, window: &SourceRange, header: u64) -> io::Result<Option<u64>> {
        for place in self.places(header) {
            if content_of(window, place)?.is_some() {
                return Ok(Some(place));
            }
        }
        Ok(None)
    }

    /// Returns the range of the local header of an entry, and compares its stored length with it; `None` if there is none.
    pub(super) fn length(
        self,
        window: &SourceRange,
        header: u64,
        stored: u64,
    ) -> io::Result<Option<(Range<u64>, LocalLength)>> {
        let Some(place) = self.local(window, header)? else { return Ok(None) };
        let found = local_length(window, place, stored)?;
        Ok(found.map(|(begin, length)| (place..begin, length)))
    }

    /// Returns where the content of an entry ends, as far as its local header confirms the length; `None` if it has
    /// no local header.
    pub(super) fn end_of(
        self,
        window: &SourceRange,
        header: u64,
        stored: u64,
    ) -> io::Result<Option<u64>> {
        let found = self.length(window, header, stored)?;
        Ok(found.map(|(local, length)| match length {
            LocalLength::Agrees => local.end.saturating_add(stored),
            LocalLength::Differs(stored) => local.end.saturating_add(stored),
            LocalLength::Unknown => local.end,
        }))
    }
}
