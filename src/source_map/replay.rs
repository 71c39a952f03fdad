//! Segments of encoded bytes: the position of a decoded byte is found by decoding the segment again.
//!
//! A segment for each escape sequence would take many times the memory of the text. Each of these segments represents some
//! hundred stored bytes, and has the state of the decoder at its first byte.

use super::{SourceMap, StoredUnit};
use crate::input::chunk::Chunk;
use crate::source_map::transfer::{
    AppendTo, Base64, ByteCoding, ByteOrigin, DecodedSink, QuotedPrintable, QuotedRules,
    SeekDecoded, Uuencode,
};

/// Number of stored bytes of a segment: a byte that begins after that is in the next one.
const REPLAYED: usize = 512;
/// Number of stored bytes that are decoded at once to find one; lines may be as long as the part.
const AHEAD: usize = 2 * REPLAYED;

/// Decoder state for a segment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Replay {
    coding: ReplayCoding,
    /// Number of decoded bytes before the segment's text.
    skip: u16,
}

/// Result of the last lookup. The next byte is usually after it, in the same segment.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ByteCursor {
    segment: usize,
    text: usize,
    source: usize,
    coding: Option<ReplayCoding>,
}

/// The decoder of a segment, in its initial state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ReplayCoding {
    Quoted(QuotedRules),
    /// After this many digits of a group.
    Base64(u8),
    /// One byte of a Base64 group, with its number, whose digits take this many stored bytes.
    Digits(u8, u32),
    /// At the beginning of a line; lines end with this byte.
    Uuencode(u8),
}

impl ReplayCoding {
    /// Returns the state of the decoder before a byte with this coding, if it is known.
    fn resumed(self, byte: ByteCoding) -> Option<ReplayCoding> {
        match (self, byte) {
            (ReplayCoding::Base64(_), ByteCoding::Digits(phase)) => {
                Some(ReplayCoding::Base64(phase))
            }
            (ReplayCoding::Quoted(_), _) => Some(self),
            _ => None,
        }
    }
}

impl Replay {
    /// Returns the state for a text whose first `bytes` bytes have been removed.
    pub(super) fn without(self, bytes: usize) -> Replay {
        let bytes = u16::try_from(bytes).unwrap_or(u16::MAX);
        Replay { skip: self.skip.saturating_add(bytes), ..self }
    }

    /// Returns `true` if more bytes of the same coding may be decoded in this segment.
    fn goes_on(self) -> bool {
        !matches!(self.coding, ReplayCoding::Digits(..))
    }

    /// Returns the position of the byte with number `index` of this segment, which begins at `at` of `source`.
    fn origin(self, source: Chunk<'_>, at: usize, index: usize) -> Option<ByteOrigin> {
        let index = index + usize::from(self.skip);
        match self.coding {
            ReplayCoding::Digits(phase, len) => {
                let coding = ByteCoding::Digits(phase);
                Some(ByteOrigin { range: at..at + len as usize, coding })
            }
            ReplayCoding::Quoted(rules) => {
                let decoder = QuotedPrintable::new(rules);
                seek(source, at, index, |bytes, stored, is_last, sink| {
                    decoder.step(bytes, stored, is_last, sink)
                })
            }
            ReplayCoding::Base64(digits) => {
                let mut decoder = Base64::resumed(digits);
                // The first digit completes a byte of the previous segment.
                let index = index + usize::from(digits > 0);
                seek(source, at, index, |bytes, stored, _, sink| {
                    decoder.step(bytes, 0, stored, sink);
                    bytes.len()
                })
            }
            ReplayCoding::Uuencode(line_end) => {
                let mut decoder = Uuencode::resumed(line_end);
                seek(source, at, index, |bytes, stored, is_last, sink| {
                    decoder.step(bytes, stored, is_last, sink)
                })
            }
        }
    }
}

/// Decodes from `at` on, up to the byte with number `index`.
fn seek(
    source: Chunk<'_>,
    mut at: usize,
    index: usize,
    mut step: impl FnMut(&[u8], usize, bool, &mut SeekDecoded) -> usize,
) -> Option<ByteOrigin> {
    let mut sink = SeekDecoded::new(index);
    let mut ahead = AHEAD;
    loop {
        let rest = source.get(at..)?;
        let block = &rest[..rest.len().min(ahead)];
        let is_last = block.len() == rest.len();
        let done = step(block, at, is_last, &mut sink);
        if sink.found.is_some() || is_last {
            return sink.found;
        }
        at += done;
        // A decoder always advances; if it does not, it needs more bytes.
        ahead = if done == 0 { ahead * 2 } else { AHEAD };
    }
}

impl SourceMap {
    /// Returns the position of a byte of a text that was decoded from `source`, or joined from pieces of it; after the last
    /// byte it is the end of the source.
    pub(crate) fn byte(&self, source: Chunk<'_>, offset: usize) -> ByteOrigin {
        self.byte_near(&mut ByteCursor::default(), source, offset)
    }

    /// Like [`byte`](SourceMap::byte), but decodes from the last lookup of `cursor`, if that was in the same segment. A
    /// cursor is valid until the front of the text is removed.
    pub(crate) fn byte_near(
        &self,
        cursor: &mut ByteCursor,
        source: Chunk<'_>,
        offset: usize,
    ) -> ByteOrigin {
        let after = self.segments.partition_point(|one| one.text <= offset);
        let Some(segment) = after.checked_sub(1).and_then(|last| self.segments.get(last)) else {
            return ByteOrigin::literal(offset);
        };
        let inside = offset - segment.text;
        match segment.unit {
            StoredUnit::Replayed(replay) => {
                let found = match cursor.coding {
                    Some(coding) if cursor.segment == after && cursor.text <= offset => {
                        let near = Replay { coding, skip: 0 };
                        near.origin(source, cursor.source, offset - cursor.text)
                    }
                    _ => replay.origin(source, segment.source, inside),
                };
                let Some(found) = found else {
                    let end = source.end();
                    return ByteOrigin { range: end..end, coding: ByteCoding::Literal };
                };
                let coding = replay.coding.resumed(found.coding);
                *cursor =
                    ByteCursor { segment: after, text: offset, source: found.range.start, coding };
                found
            }
            _ => ByteOrigin::literal(segment.source + inside),
        }
    }

    /// Returns where the source bytes of the first segment begin.
    pub(crate) fn source_start(&self) -> Option<usize> {
        self.segments.first().map(|first| first.source)
    }
}

/// Appends the decoded bytes, with a segment for each piece, for a map that is composed with another one. Each byte of a
/// group of digits has the position of the group.
pub(crate) struct PlacedBytes<'o> {
    pub(crate) out: &'o mut Vec<u8>,
    pub(crate) map: &'o mut SourceMap,
}

impl DecodedSink for PlacedBytes<'_> {
    fn literal(&mut self, bytes: &[u8], len: usize, stored: usize) -> bool {
        if len > 0 {
            self.map.copied(self.out.len(), stored);
        }
        AppendTo(self.out).literal(bytes, len, stored)
    }

    fn unit(&mut self, byte: u8, unit: ByteOrigin) -> bool {
        let text = self.out.len();
        match (unit.coding, self.map.segments.last()) {
            (ByteCoding::Digits(1..), Some(&group)) => {
                self.map.replaced(group.text, group.source..unit.range.end);
            }
            _ => self.map.replaced(text, unit.range),
        }
        self.out.push(byte);
        false
    }

    fn groups(&mut self, groups: &[u8], stored: usize) -> bool {
        let text = self.out.len();
        for group in 0..groups.len() / 4 {
            let at = stored + 4 * group;
            self.map.replaced(text + 3 * group, at..at + 4);
        }
        AppendTo(self.out).groups(groups, stored)
    }
}

/// Appends the decoded bytes, with segments that are decoded again for lookups.
pub(crate) struct ReplayedBytes<'o> {
    out: &'o mut Vec<u8>,
    map: &'o mut SourceMap,
    coding: ReplayCoding,
    /// Offset from which a stored byte is in the next segment.
    limit: usize,
}

impl<'o> ReplayedBytes<'o> {
    /// Creates the sink for a decoder of this coding.
    pub(crate) fn new(
        out: &'o mut Vec<u8>,
        map: &'o mut SourceMap,
        coding: ReplayCoding,
    ) -> ReplayedBytes<'o> {
        let limit = match map.segments.last() {
            Some(last) if matches!(last.unit, StoredUnit::Replayed(replay) if replay.goes_on()) => {
                last.source + REPLAYED
            }
            _ => 0,
        };
        ReplayedBytes { out, map, coding, limit }
    }

    /// Begins a segment at a stored byte.
    fn begin(&mut self, stored: usize, coding: ReplayCoding) {
        let unit = StoredUnit::Replayed(Replay { coding, skip: 0 });
        self.map.run(self.out.len(), stored, unit);
        self.limit = stored + REPLAYED;
    }

    /// Returns `true` if the bytes stored here continue the last segment, which is copied.
    fn is_copied(&self, stored: usize) -> bool {
        self.map.segments.last().is_some_and(|last| {
            last.unit == StoredUnit::Copied
                && stored.checked_sub(last.source) == Some(self.out.len() - last.text)
        })
    }

    #[cold]
    #[inline(never)]
    fn literal_beyond(&mut self, len: usize, stored: usize) {
        if self.is_copied(stored) {
            return;
        }
        if len < REPLAYED && !self.map.is_empty() && matches!(self.coding, ReplayCoding::Quoted(_))
        {
            return self.begin(stored, self.coding);
        }
        self.map.copied(self.out.len(), stored);
        self.limit = 0;
    }
}

impl DecodedSink for ReplayedBytes<'_> {
    #[inline]
    fn line(&mut self, stored: usize) {
        if stored >= self.limit {
            self.begin(stored, self.coding);
        }
    }

    #[inline]
    fn literal(&mut self, bytes: &[u8], len: usize, stored: usize) -> bool {
        if stored + len > self.limit && len > 0 {
            self.literal_beyond(len, stored);
        }
        AppendTo(self.out).literal(bytes, len, stored)
    }

    #[inline]
    fn unit(&mut self, byte: u8, unit: ByteOrigin) -> bool {
        if unit.range.start >= self.limit {
            match (self.coding, unit.coding) {
                (ReplayCoding::Base64(_), ByteCoding::Digits(phase)) => {
                    self.begin(unit.range.start, ReplayCoding::Base64(phase));
                }
                // The segment begins at the next line.
                (ReplayCoding::Uuencode(_), _) => {}
                (coding, _) => self.begin(unit.range.start, coding),
            }
        }
        self.out.push(byte);
        false
    }

    fn split_unit(&mut self, byte: u8, unit: ByteOrigin) -> bool {
        let ByteOrigin { range, coding } = unit;
        let phase = if let ByteCoding::Digits(phase) = coding { phase } else { 0 };
        let len = u32::try_from(range.len()).unwrap_or(u32::MAX);
        self.begin(range.start, ReplayCoding::Digits(phase, len));
        self.limit = 0;
        self.out.push(byte);
        false
    }

    #[inline]
    fn groups(&mut self, groups: &[u8], stored: usize) -> bool {
        let (start, mut at) = (self.out.len(), 0);
        while at < groups.len() {
            if stored + at >= self.limit {
                let unit = StoredUnit::Replayed(Replay { coding: self.coding, skip: 0 });
                self.map.run(start + at / 4 * 3, stored + at, unit);
                self.limit = stored + at + REPLAYED;
            }
            at += (self.limit - (stored + at)).next_multiple_of(4);
        }
        AppendTo(self.out).groups(groups, stored)
    }
}
