//! Bytes of a store, which are in memory or are read where they are needed.

use std::borrow::Cow;
use std::fmt::{self, Debug, Formatter};
use std::io;
use std::sync::Arc;

/// Reads as many bytes as fit, from an offset on, and returns their number.
pub(crate) type ReadAt = dyn Fn(u64, &mut [u8]) -> io::Result<usize> + Send + Sync;

/// Bytes of a store.
#[derive(Clone)]
pub(in crate::office) enum StoreBytes<'b> {
    Memory(&'b [u8]),
    /// A source that is read at any offset, and its length.
    Source(Arc<ReadAt>, u64),
}

impl<'b> StoreBytes<'b> {
    pub(super) fn len(&self) -> u64 {
        match self {
            StoreBytes::Memory(bytes) => bytes.len() as u64,
            StoreBytes::Source(_, len) => *len,
        }
    }

    /// Returns `len` bytes from an offset on, if they are there.
    pub(super) fn get(&self, start: u64, len: usize) -> io::Result<Option<Cow<'b, [u8]>>> {
        let end = start.checked_add(len as u64).filter(|end| *end <= self.len());
        let Some(end) = end else { return Ok(None) };
        match self {
            StoreBytes::Memory(bytes) => {
                let range = usize::try_from(start).ok().zip(usize::try_from(end).ok());
                let found = range.and_then(|(start, end)| bytes.get(start..end));
                Ok(found.map(Cow::Borrowed))
            }
            StoreBytes::Source(read_at, _) => {
                let mut bytes = vec![0; len];
                let read = read_at(start, &mut bytes)?;
                Ok((read == len).then_some(Cow::Owned(bytes)))
            }
        }
    }

    /// Returns the first bytes, at most `len`.
    pub(super) fn up_to(&self, len: usize) -> io::Result<Option<Cow<'b, [u8]>>> {
        let len = usize::try_from(self.len()).map_or(len, |all| all.min(len));
        self.get(0, len)
    }
}

impl Debug for StoreBytes<'_> {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("StoreBytes").field("len", &self.len()).finish_non_exhaustive()
    }
}
