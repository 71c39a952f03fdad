//! Decodes stored bytes to UTF-8 block by block, with a source map.
//!
//! The input is stored bytes from a character boundary on, the result is text in which a malformed sequence is one byte
//! that UTF-8 does not have ([`malformed`]).

use std::fmt;

use encoding_rs::{Decoder, DecoderResult, Encoding};

use super::iso_2022_jp::Iso2022Jp;
use super::layout::Layout;
use crate::source_map::{STRETCH, SourceMap, StoredUnit, malformed};

/// Decoder of a range of a document.
pub(crate) struct LegacyDecoder {
    encoding: &'static Encoding,
    layout: Layout,
    state: LegacyDecoderState,
    /// Whether a run of the usual unit is open: the next characters belong to it.
    in_run: bool,
}

enum LegacyDecoderState {
    Stateless(Decoder),
    Iso2022Jp(Iso2022Jp),
}

impl Clone for LegacyDecoder {
    /// The decoder keeps no bytes between runs, because they are whole characters.
    fn clone(&self) -> LegacyDecoder {
        let LegacyDecoder { encoding, layout, in_run, .. } = *self;
        let state = match &self.state {
            LegacyDecoderState::Iso2022Jp(decoder) => {
                LegacyDecoderState::Iso2022Jp(decoder.clone())
            }
            LegacyDecoderState::Stateless(_) => {
                LegacyDecoderState::Stateless(encoding.new_decoder_without_bom_handling())
            }
        };
        LegacyDecoder { encoding, layout, state, in_run }
    }
}

impl fmt::Debug for LegacyDecoder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Decoding").field(&self.encoding.name()).finish()
    }
}

impl LegacyDecoder {
    /// Creates a decoder at a character boundary.
    pub(crate) fn new(encoding: &'static Encoding, layout: Layout) -> LegacyDecoder {
        let state = match layout {
            Layout::Iso2022Jp => LegacyDecoderState::Iso2022Jp(Iso2022Jp::default()),
            _ => LegacyDecoderState::Stateless(encoding.new_decoder_without_bom_handling()),
        };
        LegacyDecoder { encoding, layout, state, in_run: false }
    }

    pub(crate) fn layout(&self) -> Layout {
        self.layout
    }

    /// Restarts at another character boundary.
    pub(crate) fn restart(&mut self) {
        if let LegacyDecoderState::Stateless(decoder) = &mut self.state {
            *decoder = self.encoding.new_decoder_without_bom_handling();
            self.in_run = false;
        }
    }

    /// Records that the next bytes are not stored directly after the decoded ones.
    pub(crate) fn leave_out(&mut self) {
        if let LegacyDecoderState::Iso2022Jp(decoder) = &mut self.state {
            decoder.leave_out();
        }
        self.in_run = false;
    }

    /// Decodes `stored`, which begins at `base` in the input, and appends it to `text`. Returns the number of bytes that
    /// were decoded; the rest is a character that is cut, unless the bytes are the last ones.
    pub(crate) fn decode(
        &mut self,
        stored: &[u8],
        base: usize,
        is_last: bool,
        text: &mut Vec<u8>,
        map: &mut SourceMap,
    ) -> usize {
        match &mut self.state {
            LegacyDecoderState::Iso2022Jp(decoder) => {
                decoder.decode(stored, base, is_last, text, map)
            }
            LegacyDecoderState::Stateless(decoder) => {
                let mut at = 0;
                while at < stored.len() {
                    // Do not decode more at once than fits in a segment of the source map.
                    let rest = &stored[at..stored.len().min(at + STRETCH)];
                    let is_end = is_last && at + rest.len() == stored.len();
                    // Most text is ASCII, which needs no decoder.
                    if !self.layout.is_utf16() && rest.is_ascii() {
                        self.in_run = continues(map, self.in_run, text.len(), self.layout);
                        if !self.in_run {
                            map.copied(text.len(), base + at);
                        }
                        text.extend_from_slice(rest);
                        at += rest.len();
                        continue;
                    }
                    let Some(piece) = piece(self.layout, rest, is_end) else { break };
                    if piece.unit.is_none() && !continues(map, self.in_run, text.len(), self.layout)
                    {
                        map.run(text.len(), base + at, usual(self.layout));
                    }
                    self.in_run = piece.unit.is_none();
                    let before = text.len();
                    run(decoder, &rest[..piece.len], text);
                    if let Some(unit) = piece.unit {
                        // Text that the decoder had kept back may precede the euro sign.
                        let start = match unit {
                            StoredUnit::Each(1) => text.len().saturating_sub('€'.len_utf8()),
                            _ => before,
                        };
                        map.run(start, base + at, unit);
                    }
                    at += piece.len;
                    if at == stored.len() && is_last {
                        finish(decoder, text);
                    }
                }
                at
            }
        }
    }
}

/// Returns `true` if the next decoded text, after `len` bytes, belongs to the open run of usual characters, and the run is
/// not so long that it needs another segment.
fn continues(map: &SourceMap, in_run: bool, len: usize, layout: Layout) -> bool {
    in_run && map.last().is_some_and(|(start, unit)| unit == usual(layout) && len < start + STRETCH)
}

/// Returns the usual length of characters, from which only those that `piece` returns differ.
const fn usual(layout: Layout) -> StoredUnit {
    match layout {
        Layout::Single => StoredUnit::Each(1),
        Layout::ShiftJis => StoredUnit::ShiftJis,
        Layout::EucJp | Layout::EucKr | Layout::Big5 | Layout::Gb => StoredUnit::Double,
        Layout::Utf16Le | Layout::Utf16Be => StoredUnit::Utf16,
        Layout::Iso2022Jp => StoredUnit::Each(2),
    }
}

/// Run of stored bytes whose characters have one unit: `unit`, or the usual one of the encoding.
struct UnitRun {
    len: usize,
    unit: Option<StoredUnit>,
}

/// Returns the run at the beginning of `rest`, in complete characters; `None` if there is no complete character.
fn piece(layout: Layout, rest: &[u8], is_last: bool) -> Option<UnitRun> {
    let mut at = 0;
    let whole = match layout {
        Layout::Single => rest.len(),
        _ if layout.is_utf16() => utf16(layout, rest, is_last),
        _ => loop {
            at += plain(layout, &rest[at..]);
            let left = &rest[at..];
            if left.is_empty() || !is_last && is_cut(layout, left) {
                break at;
            }
            match odd(layout, left) {
                Some(piece) if at == 0 => return Some(piece),
                Some(_) => break at,
                None => at += layout.step(left),
            }
        },
    };
    (whole > 0).then_some(UnitRun { len: whole, unit: None })
}

/// Returns the length of the characters at the beginning of `rest` whose bytes show that they have the usual unit. Most
/// characters do.
#[inline]
fn plain(layout: Layout, rest: &[u8]) -> usize {
    let first = match layout {
        Layout::ShiftJis => 0xE0,
        _ => 0xA1,
    };
    let mut at = 0;
    loop {
        match rest[at..] {
            [0..0x80, ..] => at += 1,
            [lead, 0x40..=0xFF, ..] if (first..=0xFC).contains(&lead) => at += 2,
            _ => return at,
        }
    }
}

/// Returns `true` if the character at the beginning of `left` may continue after its end.
#[inline]
fn is_cut(layout: Layout, left: &[u8]) -> bool {
    match (layout, left) {
        (_, [lead]) => *lead > 0x80,
        (Layout::EucJp, [0x8F, 0xA1..=0xFE]) => true,
        (Layout::Gb, [0x81..=0xFE, 0x30..=0x39] | [0x81..=0xFE, 0x30..=0x39, 0x81..=0xFE]) => true,
        _ => false,
    }
}

/// Returns a character that does not have the usual unit.
#[inline]
fn odd(layout: Layout, left: &[u8]) -> Option<UnitRun> {
    let piece = |len: u8, unit| Some(UnitRun { len: len.into(), unit: Some(unit) });
    match (layout, left) {
        // A character of JIS X 0212 has three bytes, and may have two in JIS X 0208.
        (Layout::EucJp, [0x8F, 0xA1..=0xFE, 0xA1..=0xFE, ..]) => piece(3, StoredUnit::Each(3)),
        // These are two characters, a letter and its diacritic.
        (Layout::Big5, [0x88, 0x62 | 0x64 | 0xA3 | 0xA5, ..]) => piece(2, StoredUnit::Whole(2)),
        // The euro sign also has a form of two bytes.
        (Layout::Gb, [0x80, ..]) => piece(1, StoredUnit::Each(1)),
        (Layout::Gb, [0x81..=0xFE, 0x30..=0x39, 0x81..=0xFE, 0x30..=0x39, ..]) => {
            piece(4, StoredUnit::Each(4))
        }
        _ => None,
    }
}

/// Returns the length of the complete units of UTF-16, without a high surrogate at the end.
fn utf16(layout: Layout, rest: &[u8], is_last: bool) -> usize {
    let len = rest.len() & !1;
    match rest[..len] {
        _ if is_last => rest.len(),
        [.., a, b] if matches!(layout.unit([a, b]), 0xD800..=0xDBFF) => len - 2,
        _ => len,
    }
}

/// Decodes all of `stored`, and the bytes that the decoder kept back before.
fn run(decoder: &mut Decoder, stored: &[u8], text: &mut Vec<u8>) {
    let mut rest = stored;
    loop {
        let (read, is_done) = once(decoder, rest, false, text);
        rest = &rest[read..];
        if is_done {
            break;
        }
    }
}

/// Returns the rest that the decoder holds at the end of the input.
fn finish(decoder: &mut Decoder, text: &mut Vec<u8>) {
    while !once(decoder, &[], true, text).1 {}
}

/// Calls the decoder once; returns the number of bytes read, and whether it reached their end.
fn once(decoder: &mut Decoder, stored: &[u8], last: bool, text: &mut Vec<u8>) -> (usize, bool) {
    let room = decoder.max_utf8_buffer_length_without_replacement(stored.len());
    let start = text.len();
    text.resize(start + room.unwrap_or(stored.len().saturating_mul(4)), 0);
    let (result, read, written) =
        decoder.decode_to_utf8_without_replacement(stored, &mut text[start..], last);
    text.truncate(start + written);
    if let DecoderResult::Malformed(bytes, _) = result {
        text.push(malformed(bytes));
    }
    (read, result == DecoderResult::InputEmpty)
}
