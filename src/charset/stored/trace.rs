//! Where the characters of a decoded text stand in the stored bytes.
//!
//! What comes in are the runs that a text was decoded from; what goes out are stored offsets. In most
//! encodings the bytes that a character was stored in follow from the character itself, so that a
//! run needs no table: offsets are counted from where the run begins, or from the last one asked for.

/// How long the characters of a run are in the stored bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unit {
    /// Each so many bytes.
    Each(u8),
    /// ASCII one byte, the others two.
    Double,
    /// As `Double`, but U+0080 and halfwidth katakana are one byte too.
    ShiftJis,
    /// Two bytes for each unit of UTF-16.
    Utf16,
    /// All of them are one piece of so many bytes.
    Whole(u8),
}

/// A malformed sequence of `n` stored bytes, 1 to 4, is this byte and `n` more than it in the text:
/// a byte that UTF-8 does not have, which ends every link.
pub(crate) const MALFORMED: u8 = 0xF8;

/// Maps offsets of a decoded text to the stored bytes; for offsets that only grow.
#[derive(Clone, Debug, Default)]
pub(crate) struct DecodedTrace {
    runs: Vec<Run>,
    /// The last offset asked for, and where the character after it and the one before it lie.
    seen: Seen,
}

#[derive(Clone, Copy, Debug)]
struct Run {
    text: usize,
    stored: usize,
    unit: Unit,
}

#[derive(Clone, Copy, Debug, Default)]
struct Seen {
    run: usize,
    text: usize,
    stored: usize,
    /// The end of the character before.
    end: usize,
}

/// The edges of a character boundary in the stored bytes: an escape sequence may stand between them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Edges {
    /// The end of the character before.
    pub(crate) end: usize,
    /// The beginning of the character behind.
    pub(crate) start: usize,
}

impl Seen {
    /// The beginning of a run.
    fn at(number: usize, run: Run) -> Seen {
        Seen { run: number, text: run.text, stored: run.stored, end: run.stored }
    }
}

impl DecodedTrace {
    /// Begins anew.
    pub(crate) fn clear(&mut self) {
        self.runs.clear();
        self.seen = Seen::default();
    }

    /// Nothing of the text is traced yet.
    pub(crate) fn is_empty(&self) -> bool {
        self.runs.is_empty()
    }

    /// From the text offset `text` on the characters are stored from `stored` on, each as `unit` says.
    pub(crate) fn run(&mut self, text: usize, stored: usize, unit: Unit) {
        match self.runs.last_mut() {
            // Nothing came of the run before.
            Some(last) if last.text == text => *last = Run { text, stored, unit },
            _ => self.runs.push(Run { text, stored, unit }),
        }
        if self.runs.len() == 1 {
            self.seen = Seen { run: 0, text, stored, end: stored };
        }
    }

    /// The edges of the boundary at `offset`, which must be one of a character and not lie before
    /// one that was asked for; `text` is the text that the trace was made with.
    pub(crate) fn edges(&mut self, text: &[u8], offset: usize) -> Edges {
        let mut at = self.seen;
        if offset < at.text || self.runs.is_empty() {
            at = self.first();
        }
        // A run further on may be nearer.
        let run = self.runs.partition_point(|run| run.text <= offset).saturating_sub(1);
        if run > at.run {
            // The end of the character before may lie in the run before.
            let previous = self.runs[run - 1];
            let Run { text: start, stored, .. } = self.runs[run];
            let end = match (start == offset, run - 1 == at.run) {
                (false, _) => stored,
                (true, true) => self.walk(text, at, offset),
                (true, false) => self.walk(text, Seen::at(run - 1, previous), offset),
            };
            at = Seen { run, text: start, stored, end };
        }
        if offset > at.text {
            at.stored = self.walk(text, at, offset);
            at.text = offset;
            at.end = at.stored;
        }
        self.seen = at;
        Edges { end: at.end, start: at.stored }
    }

    fn first(&self) -> Seen {
        self.runs.first().map_or(Seen::default(), |run| Seen::at(0, *run))
    }

    /// The stored offset at which the last character before `offset` ends, going on from `from`.
    fn walk(&self, text: &[u8], from: Seen, offset: usize) -> usize {
        let piece = text.get(from.text..offset).unwrap_or_default();
        let is_begun = |run: &Run| from.text > run.text;
        let Some(run) = self.runs.get(from.run) else { return from.stored };
        from.stored
            + match run.unit {
                Unit::Whole(_) if is_begun(run) || piece.is_empty() => 0,
                Unit::Whole(bytes) => bytes.into(),
                unit => stored_len(piece, unit),
            }
    }

    /// The text has lost its first `by` bytes, all of which were asked for before.
    pub(crate) fn drop_front(&mut self, text: &[u8], by: usize) {
        if self.runs.is_empty() || by == 0 {
            return;
        }
        let Edges { start, .. } = self.edges(text, by);
        let run = self.seen.run;
        self.runs.drain(..run);
        self.runs[0] = Run { text: by, stored: start, unit: self.runs[0].unit };
        for run in &mut self.runs {
            run.text -= by;
        }
        self.seen = self.first();
    }
}

/// The stored length of whole characters.
fn stored_len(piece: &[u8], unit: Unit) -> usize {
    if piece.is_ascii() {
        return match unit {
            Unit::Whole(_) => 0,
            Unit::Each(n) => piece.len() * usize::from(n),
            Unit::Double | Unit::ShiftJis => piece.len(),
            Unit::Utf16 => 2 * piece.len(),
        };
    }
    let is_begin = |b: &&u8| **b & 0xC0 != 0x80;
    let chars = || piece.iter().filter(is_begin).count();
    // A malformed sequence has its length in its byte.
    let malformed = |each: usize| -> isize {
        let marks = piece.iter().filter(|b| **b > MALFORMED);
        marks.map(|b| isize::from(b - MALFORMED) - each as isize).sum()
    };
    match unit {
        Unit::Whole(_) => 0,
        Unit::Each(n) => (chars() * usize::from(n)).saturating_add_signed(malformed(n.into())),
        Unit::Double => double_len(piece),
        Unit::ShiftJis => double_len(piece).saturating_sub(single_bytes(piece)),
        Unit::Utf16 => {
            // Four bytes of UTF-8 are two units.
            let units = chars() + piece.iter().filter(|b| (0xF0..=0xF4).contains(*b)).count();
            (2 * units).saturating_add_signed(malformed(2))
        }
    }
}

/// The stored length where ASCII has one byte and all else two, but for malformed sequences. In small
/// sums, which many bytes are added to at a time.
fn double_len(piece: &[u8]) -> usize {
    const CHUNK: usize = 16;
    let of = |byte: u8| match byte {
        0..0x80 => 1,
        0x80..0xC0 => 0,
        0xC0..=MALFORMED => 2,
        _ => byte - MALFORMED,
    };
    let sum = |bytes: &[u8]| bytes.iter().fold(0u8, |sum, byte| sum.wrapping_add(of(*byte)));
    let (chunks, rest) = piece.as_chunks::<CHUNK>();
    chunks.iter().map(|chunk| usize::from(sum(chunk))).sum::<usize>() + usize::from(sum(rest))
}

/// The characters beyond ASCII that Shift_JIS has in one byte: U+0080, U+FF61 to U+FF9F.
fn single_bytes(piece: &[u8]) -> usize {
    let is_single = |at: usize| match piece[at..] {
        [0xC2, 0x80, ..] | [0xEF, 0xBD, 0xA1..=0xBF, ..] => true,
        [0xEF, 0xBE, third, ..] => (0x80..=0x9F).contains(&third),
        _ => false,
    };
    memchr::memchr2_iter(0xC2, 0xEF, piece).filter(|&at| is_single(at)).count()
}
