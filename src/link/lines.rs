//! Lines and columns, counted up to requested offsets.
//!
//! Takes stored bytes and offsets in ascending order; gives positions. A
//! line ends at LF, CR LF or CR. Columns count bytes, or what [`columns`](super::columns) counts.

use std::ops::Range;

use super::columns::ColumnCounter;
use crate::charset::{Charset, mark_len};
use crate::input::chunk::Chunk;
use crate::link::Position;
use crate::offsets::Unit;
use crate::simd::signs::{BLOCK, Isa, MaskKernel, Masks, PAIR};

/// Stored form of line ends.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) enum LineEnds {
    /// The bytes 0A and 0D, wherever they are.
    #[default]
    Bytes,
    /// Units of UTF-16, in this byte order.
    Utf16(fn([u8; 2]) -> u16),
    /// The bytes 0A and 0D, except where they are half of a character.
    Iso2022Jp,
}

/// Counts lines from one requested offset to the next.
#[derive(Clone, Debug)]
pub(crate) struct LineCounter {
    ends: LineEnds,
    best: Isa,
    /// In ISO-2022-JP: whether characters have two bytes here, and the last two bytes counted.
    in_pairs: bool,
    escape: [u8; 2],
    at: LineState,
    /// No CR is between `done` and this offset, so that nearby links need no new search: most documents have
    /// no CR at all.
    free_of_cr: usize,
    /// Counts columns, if not in bytes.
    columns: Option<Box<ColumnCounter>>,
}

/// What a counter knows at an offset, where the bytes are as in ASCII.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct LineState {
    /// Lines before this offset of the source are counted.
    pub(crate) done: usize,
    pub(crate) line: u64,
    pub(crate) line_start: usize,
    /// Units of columns since the line end, if these are not bytes.
    pub(crate) units: u64,
    /// Whether the last counted byte was a CR: an LF directly after it is the same line end.
    pub(crate) after_cr: bool,
    /// The first bytes of the source, which may be a byte order mark.
    pub(crate) front: [u8; 3],
}

impl LineState {
    /// Returns the state at an offset where the first line begins.
    pub(crate) fn at(offset: usize) -> LineState {
        let (done, line_start) = (offset, offset);
        LineState { done, line: 1, line_start, units: 0, after_cr: false, front: [0; 3] }
    }
}

impl LineCounter {
    /// Counts up to `offset`, and returns what is known there.
    pub(crate) fn state_at(&self, chunk: Chunk<'_>, offset: usize) -> LineState {
        let mut counter = self.clone();
        counter.advance(chunk, offset);
        counter.at
    }

    /// Continues from what another counter of the same document knew.
    pub(crate) fn resume(&mut self, state: LineState) {
        (self.at, self.free_of_cr) = (state, state.done);
    }

    pub(crate) fn new(ends: LineEnds) -> LineCounter {
        LineCounter {
            ends,
            best: Isa::detect(),
            in_pairs: false,
            escape: [0; 2],
            at: LineState::at(0),
            free_of_cr: 0,
            columns: None,
        }
    }

    /// Sets the unit of columns, and the encoding of the document.
    pub(crate) fn in_units(mut self, unit: Unit, charset: Charset) -> LineCounter {
        let counter = || Box::new(ColumnCounter::new(unit, charset));
        self.columns = (unit != Unit::Bytes).then(counter);
        self
    }

    /// Returns the position of `offset`; the chunk has at least the bytes from `done` to `offset`.
    pub(crate) fn position(&mut self, chunk: Chunk<'_>, offset: usize) -> Position {
        self.advance(chunk, offset);
        let before = match &self.columns {
            // A CR LF that is cut by the offset: the LF still belongs to the line before it.
            None => (offset - self.at.line_start.min(offset)) as u64,
            Some(_) => {
                let mark = u64::from(self.at.line == 1 && mark_len(&self.at.front).is_some());
                self.at.units.saturating_sub(mark)
            }
        };
        Position { line: self.at.line, column: before + 1 }
    }

    /// Counts all before `offset`.
    pub(crate) fn advance(&mut self, chunk: Chunk<'_>, offset: usize) {
        if offset <= self.at.done {
            return;
        }
        let from = self.at.done;
        let segment = chunk.slice(from..offset);
        self.at.done = offset;
        if from < self.at.front.len() {
            self.pass_over_mark(segment, from);
        }
        if let Some(columns) = &mut self.columns {
            columns.count(segment, &mut self.at.units);
        }
        match self.ends {
            LineEnds::Bytes => {
                let has_cr = self.has_cr(chunk, from..offset);
                self.count(chunk.from(from), offset - from, from, has_cr);
            }
            LineEnds::Utf16(unit) => {
                for (n, pair) in segment.chunks_exact(2).enumerate() {
                    let unit = unit([pair[0], pair[1]]);
                    if unit <= 0x0D {
                        self.count_one(unit, from + 2 * n + 2);
                    }
                    self.at.after_cr = unit == 0x0D;
                }
            }
            LineEnds::Iso2022Jp => self.count_iso_2022_jp(segment, from),
        }
    }

    /// Begins the first line after a byte order mark, which is not a character of it.
    #[cold]
    fn pass_over_mark(&mut self, segment: &[u8], from: usize) {
        for (at, byte) in self.at.front[from..].iter_mut().zip(segment) {
            *at = *byte;
        }
        let seen = self.at.front.len().min(from + segment.len());
        if self.at.line == 1
            && let Some(mark) = mark_len(&self.at.front[..seen])
        {
            self.at.line_start = mark;
        }
    }

    /// A unit that may be a line end; the line would begin at `start`.
    fn count_one(&mut self, unit: u16, start: usize) {
        if matches!(unit, 0x0A | 0x0D) {
            self.at.line += u64::from(unit == 0x0D || !self.at.after_cr);
            self.at.line_start = start;
        }
    }

    /// Line ends outside of the sets that have two bytes a character: there they are malformed.
    fn count_iso_2022_jp(&mut self, segment: &[u8], from: usize) {
        for (n, &byte) in segment.iter().enumerate() {
            match [self.escape[0], self.escape[1], byte] {
                [0x1B, b'$', b'@' | b'B'] => self.in_pairs = true,
                [0x1B, b'(', b'B' | b'J' | b'I'] => self.in_pairs = false,
                _ => {}
            }
            self.escape = [self.escape[1], byte];
            if !self.in_pairs {
                self.count_one(byte.into(), from + n + 1);
                self.at.after_cr = byte == b'\r';
            }
        }
    }

    /// Returns `true` if a segment that is not counted yet has a CR.
    fn has_cr(&mut self, chunk: Chunk<'_>, segment: Range<usize>) -> bool {
        if self.free_of_cr < segment.end {
            let from = self.free_of_cr.max(segment.start);
            let rest = chunk.from(from);
            self.free_of_cr = from + memchr::memchr(b'\r', rest).unwrap_or(rest.len());
        }
        self.free_of_cr < segment.end
    }

    /// Counts `len` bytes, which need not be all that is there.
    fn count(&mut self, bytes: &[u8], len: usize, from: usize, has_cr: bool) {
        let near = if has_cr { len } else { len.min(NEAR) };
        let counted =
            self.best.run(LineEndCounter { bytes, len: near, has_cr, after_cr: self.at.after_cr });
        let (mut lines, mut last) = (counted.lines, counted.last);
        if near < len {
            let rest = &bytes[near..len];
            lines += memchr::memchr_iter(b'\n', rest).count() as u64;
            last = memchr::memrchr(b'\n', rest).map(|last| near + last).or(last);
        }
        self.at.after_cr = has_cr && bytes[len - 1] == b'\r';
        self.at.line += lines;
        if let Some(last) = last {
            self.at.line_start = from + last + 1;
        }
    }
}

/// Up to this length LFs are counted by blocks. `memchr` is faster over a longer segment, but its call takes longer than to
/// count between two nearby links.
const NEAR: usize = 16 * BLOCK;

/// Kernel that counts the line ends of a block of a document.
struct LineEndCounter<'b> {
    bytes: &'b [u8],
    len: usize,
    /// There is a CR among them, or may be.
    has_cr: bool,
    /// There is one before them.
    after_cr: bool,
}

struct LineCount {
    lines: u64,
    /// Returns the offset of the last byte of a line end.
    last: Option<usize>,
}

impl MaskKernel for LineEndCounter<'_> {
    type Output = LineCount;

    /// Compares neighbours instead of searching from one line end to the next, which is slow if each byte is one.
    #[inline(always)]
    fn run(self, masks: impl Masks) -> LineCount {
        let LineEndCounter { bytes, len, has_cr, after_cr } = self;
        let (mut at, mut lines, mut last) = (0, 0, None);
        // An LF after it is the same line end.
        let mut cr_before = u64::from(after_cr);
        while at < len
            && let Some(pair) = bytes[at..].first_chunk::<PAIR>()
        {
            let are = |byte: u8| {
                let half = |from: usize| match pair[from..].first_chunk() {
                    Some(block) => u64::from(masks.same(block, byte)) << from,
                    None => 0,
                };
                half(0) | half(BLOCK)
            };
            let counted = u64::MAX >> (PAIR - PAIR.min(len - at));
            let lf = are(b'\n') & counted;
            let cr = if has_cr { are(b'\r') & counted } else { 0 };
            if lf | cr != 0 {
                lines += u64::from((cr | lf & !(cr << 1 | cr_before)).count_ones());
                last = Some(at + (lf | cr).ilog2() as usize);
            }
            cr_before = cr >> (PAIR - 1);
            at += PAIR;
        }
        // The rest, which does not fill a block.
        let mut cr_before = cr_before != 0;
        for (at, &byte) in bytes.iter().enumerate().take(len).skip(at) {
            let is_end = byte == b'\r' || byte == b'\n';
            lines += u64::from(is_end && !(cr_before && byte == b'\n'));
            last = if is_end { Some(at) } else { last };
            cr_before = byte == b'\r';
        }
        LineCount { lines, last }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counts one byte after the other.
    fn naive(bytes: &[u8], offset: usize) -> (u64, u64) {
        let (mut line, mut column) = (1, 1);
        for at in 0..offset {
            let ends = match bytes[at] {
                b'\n' => true,
                b'\r' => bytes.get(at + 1) != Some(&b'\n') || at + 1 == offset,
                _ => false,
            };
            if ends {
                line += 1;
                column = 1;
            } else {
                column += 1;
            }
        }
        (line, column)
    }

    #[test]
    fn agrees_with_a_naive_count_at_every_offset_and_from_every_offset() {
        for text in ["a\nb\r\nc\rd\n\n\r\r\ne", "\r\n\r\n", "\n\r", "no end", "\r", "x\r\ny\r\n\nz"]
        {
            let bytes = text.as_bytes();
            for first in 0..=bytes.len() {
                for second in first..=bytes.len() {
                    let mut lines = LineCounter::new(LineEnds::Bytes);
                    lines.advance(Chunk::whole(bytes), first);
                    let position = lines.position(Chunk::new(&bytes[first..], first, true), second);
                    assert_eq!(
                        (position.line, position.column),
                        naive(bytes, second),
                        "{text:?} {first} {second}"
                    );
                }
            }
        }
    }

    #[test]
    fn line_ends_of_two_bytes_are_counted_wherever_a_block_ends() {
        let storm = "\r".repeat(PAIR + 1) + &"\r\n".repeat(2 * PAIR) + &"\n\r".repeat(PAIR);
        let storm = storm.as_bytes();
        for first in (0..2 * PAIR).chain([5 * PAIR + 1, 7 * PAIR]) {
            let mut lines = LineCounter::new(LineEnds::Bytes);
            lines.advance(Chunk::whole(storm), first);
            for second in first..=storm.len() {
                let position = lines.clone().position(Chunk::whole(storm), second);
                assert_eq!((position.line, position.column), naive(storm, second), "{first}");
            }
        }
    }

    #[test]
    fn near_and_far_are_counted_alike() {
        let text: String =
            (0..3 * NEAR).map(|n| if n % 7 == 3 || n % 64 == 0 { '\n' } else { 'a' }).collect();
        for first in [0, 1, BLOCK, NEAR + 1] {
            for len in (0..2 * BLOCK).chain(NEAR - 1..NEAR + 2 * BLOCK).chain([2 * NEAR - 2]) {
                let (end, mut lines) = (first + len, LineCounter::new(LineEnds::Bytes));
                lines.advance(Chunk::whole(text.as_bytes()), first);
                for after in [end, end + 1, text.len()] {
                    let position =
                        lines.clone().position(Chunk::whole(&text.as_bytes()[..after]), end);
                    assert_eq!((position.line, position.column), naive(text.as_bytes(), end));
                }
            }
        }
    }

    /// Counts in one encoding, up to each `h`, from every offset on.
    #[cfg(feature = "documents")]
    fn compare_units(label: &str, mark: &[u8]) {
        let charset: Charset = label.parse().unwrap();
        let ends = charset.layout().map_or(LineEnds::Bytes, crate::document::legacy::line_ends);
        let written = |text: &str| match label {
            "utf-16le" => text.encode_utf16().flat_map(u16::to_le_bytes).collect(),
            "utf-16be" => text.encode_utf16().flat_map(u16::to_be_bytes).collect(),
            _ => charset.encode(text).map(|bytes| bytes.to_vec()).unwrap_or_default(),
        };
        let all = "見てhé h\r\n表ア😀h\ré h\n\nhア h";
        let is_known = |c: &char| !written(c.encode_utf8(&mut [0; 4])).is_empty();
        let text: String = all.chars().filter(is_known).collect();
        let stored = [mark, &written(&text)].concat();
        for (at, _) in text.match_indices('h') {
            let offset = mark.len() + written(&text[..at]).len();
            let line = text[..at].rsplit(['\n', '\r']).next().unwrap();
            for (unit, wanted) in
                [(Unit::Chars, line.chars().count()), (Unit::Utf16, line.encode_utf16().count())]
            {
                for first in (0..=offset).step_by(if charset.is_utf16() { 2 } else { 1 }) {
                    let mut lines = LineCounter::new(ends).in_units(unit, charset);
                    lines.advance(Chunk::whole(&stored), first);
                    let rest = Chunk::new(&stored[first..], first, true);
                    let found = lines.position(rest, offset).column;
                    assert_eq!(found, wanted as u64 + 1, "{label} {unit:?} {at} from {first}");
                }
            }
        }
    }

    #[cfg(feature = "documents")]
    #[test]
    fn columns_count_units_of_each_encoding() {
        for label in
            ["utf-8", "windows-1252", "shift_jis", "euc-jp", "gb18030", "big5", "iso-2022-jp"]
        {
            compare_units(label, b"");
        }
        for (label, mark) in
            [("utf-8", &b"\xEF\xBB\xBF"[..]), ("utf-16le", b"\xFF\xFE"), ("utf-16be", b"\xFE\xFF")]
        {
            compare_units(label, mark);
        }
    }
}
