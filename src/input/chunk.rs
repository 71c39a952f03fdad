//! Chunks: the bytes of a source that are available, addressed by the offsets of the source.
//!
//! Scanners keep offsets of the source, which stay true when the buffer slides: only the chunk knows where its first byte
//! is in the source.

use std::ops::{Index, Range, RangeFrom};
use std::slice::SliceIndex;

/// Bytes of a source, from the offset `base` on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Chunk<'b> {
    bytes: &'b [u8],
    base: usize,
    is_last: bool,
}

impl<'b> Chunk<'b> {
    #[inline]
    pub(crate) fn new(bytes: &'b [u8], base: usize, is_last: bool) -> Chunk<'b> {
        Chunk { bytes, base, is_last }
    }

    /// All bytes of a source.
    #[inline]
    pub(crate) fn whole(bytes: &'b [u8]) -> Chunk<'b> {
        Chunk::new(bytes, 0, true)
    }

    #[inline]
    pub(crate) fn bytes(self) -> &'b [u8] {
        self.bytes
    }

    /// The offset of the first byte.
    #[inline]
    pub(crate) fn base(self) -> usize {
        self.base
    }

    /// The offset after the last byte.
    #[inline]
    pub(crate) fn end(self) -> usize {
        self.base + self.bytes.len()
    }

    /// The offset of the byte with this index.
    #[inline(always)]
    pub(crate) fn offset(self, index: usize) -> usize {
        self.base + index
    }

    /// The offsets of a range of bytes.
    #[inline(always)]
    pub(crate) fn range(self, indices: Range<usize>) -> Range<usize> {
        self.base + indices.start..self.base + indices.end
    }

    /// The index of the byte at an offset; that of the first byte for an offset before it.
    #[inline(always)]
    pub(crate) fn index(self, offset: usize) -> usize {
        offset.saturating_sub(self.base)
    }

    /// The offset, or the first or last one of the chunk.
    #[inline]
    pub(crate) fn clamp(self, offset: usize) -> usize {
        offset.clamp(self.base, self.end())
    }

    /// Whether the source ends with these bytes.
    #[inline]
    pub(crate) fn is_last(self) -> bool {
        self.is_last
    }

    /// The byte at an offset, the bytes of a range or those from an offset on, if they are available.
    #[inline(always)]
    pub(crate) fn get<O: Offsets>(
        self,
        offsets: O,
    ) -> Option<&'b <O::Index as SliceIndex<[u8]>>::Output> {
        self.bytes.get(offsets.counted_from(self.base))
    }

    /// The bytes of a range, as far as they are available.
    pub(crate) fn within(self, range: Range<usize>) -> &'b [u8] {
        let low = range.start.saturating_sub(self.base).min(self.bytes.len());
        let high = range.end.saturating_sub(self.base).clamp(low, self.bytes.len());
        &self.bytes[low..high]
    }

    /// The bytes from an offset on, as far as they are available.
    pub(crate) fn from(self, offset: usize) -> &'b [u8] {
        self.within(offset..usize::MAX)
    }

    /// As [`get`](Chunk::get), of bytes that are available.
    #[inline(always)]
    pub(crate) fn slice(self, range: Range<usize>) -> &'b [u8] {
        &self.bytes[range.counted_from(self.base)]
    }

    /// Indices of the bytes, for callers that take a slice of them.
    #[inline(always)]
    pub(crate) fn relative<O: Offsets>(self, offsets: O) -> O::Index {
        offsets.counted_from(self.base)
    }

    /// As many bytes as the array takes from an offset on.
    #[inline(always)]
    pub(crate) fn array<const N: usize>(self, offset: usize) -> Option<&'b [u8; N]> {
        self.get(offset..)?.first_chunk()
    }

    /// The same as the beginning of a longer source.
    #[inline]
    pub(crate) fn not_last(self) -> Chunk<'b> {
        Chunk { is_last: false, ..self }
    }

    /// A source that ends at this offset, which is available.
    #[inline]
    pub(crate) fn ending_at(self, end: usize) -> Chunk<'b> {
        Chunk { is_last: true, ..self.up_to(end) }
    }

    /// The chunk without its bytes from an offset on. One that ends there, or is longer, is not the last one.
    #[inline]
    pub(crate) fn up_to(self, end: usize) -> Chunk<'b> {
        match self.get(self.base..end) {
            Some(bytes) => Chunk { bytes, is_last: false, ..self },
            None => self,
        }
    }
}

/// Offsets of a source that select bytes of a chunk.
pub(crate) trait Offsets {
    type Index: SliceIndex<[u8]>;

    /// The same, counted from an offset. One before it becomes one that no slice has.
    fn counted_from(self, base: usize) -> Self::Index;
}

impl Offsets for usize {
    type Index = usize;

    #[inline(always)]
    fn counted_from(self, base: usize) -> usize {
        self.wrapping_sub(base)
    }
}

impl Offsets for Range<usize> {
    type Index = Range<usize>;

    #[inline(always)]
    fn counted_from(self, base: usize) -> Range<usize> {
        self.start.wrapping_sub(base)..self.end.wrapping_sub(base)
    }
}

impl Offsets for RangeFrom<usize> {
    type Index = RangeFrom<usize>;

    #[inline(always)]
    fn counted_from(self, base: usize) -> RangeFrom<usize> {
        self.start.wrapping_sub(base)..
    }
}

/// As [`get`](Chunk::get), of bytes that are available.
impl<O: Offsets> Index<O> for Chunk<'_> {
    type Output = <O::Index as SliceIndex<[u8]>>::Output;

    #[inline(always)]
    fn index(&self, offsets: O) -> &Self::Output {
        &self.bytes[offsets.counted_from(self.base)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_are_those_of_the_source() {
        let chunk = Chunk::new(b"defg", 3, false);
        assert_eq!((chunk.get(3), chunk.get(6), chunk[4]), (Some(&b'd'), Some(&b'g'), b'e'));
        assert_eq!(
            (chunk.get(4..6), chunk.get(7..7), &chunk[5..]),
            (Some(&b"ef"[..]), Some(&b""[..]), &b"fg"[..])
        );
        assert_eq!((chunk.get(7..), chunk.slice(4..6)), (Some(&b""[..]), &b"ef"[..]));
        for offset in [0, 2, 7, usize::MAX] {
            assert_eq!(chunk.get(offset), None, "{offset}");
        }
        for range in [0..2, 2..4, 6..8, 8..9, 0..usize::MAX] {
            assert_eq!(chunk.get(range.clone()), None, "{range:?}");
        }
        assert_eq!((chunk.get(2..), chunk.get(8..)), (None, None));
        let whole = Chunk::whole(b"defg");
        assert_eq!((whole.up_to(2).bytes(), whole.up_to(2).is_last()), (&b"de"[..], false));
        assert_eq!((whole.up_to(9).bytes(), whole.up_to(4).is_last()), (&b"defg"[..], false));
    }
}
