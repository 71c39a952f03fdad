//! Decodes ISO-2022-JP run by run (WHATWG Encoding Standard §12.2.1).
//!
//! The encoding has states, so a window cannot begin at any character: a document is processed from its beginning. The
//! states are implemented here, because the source map needs them. Two bytes of JIS X 0208 are decoded as EUC-JP, which is
//! the same with the top bits set.

use std::sync::LazyLock;

use encoding_rs::EUC_JP;

use crate::source_map::{STRETCH, SourceMap, StoredUnit, malformed};

/// Character set that is in effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Iso2022JpSet {
    #[default]
    Ascii,
    Roman,
    Katakana,
    Jis0208,
}

const ESCAPE: u8 = 0x1B;

/// State of the decoder between two blocks.
#[derive(Clone, Debug, Default)]
pub(super) struct Iso2022Jp {
    set: Iso2022JpSet,
    /// Whether the last bytes were an escape sequence: a second one is an error.
    after_escape: bool,
}

impl Iso2022Jp {
    /// Records that the next bytes are not stored directly after the decoded ones.
    pub(super) fn leave_out(&mut self) {
        self.after_escape = false;
    }

    /// Decodes `stored`, which begins at `base` in the input; returns the number of bytes that were decoded: all except a
    /// character or an escape sequence that is cut.
    pub(super) fn decode(
        &mut self,
        stored: &[u8],
        base: usize,
        is_last: bool,
        text: &mut Vec<u8>,
        map: &mut SourceMap,
    ) -> usize {
        let mut at = 0;
        while at < stored.len() {
            let rest = &stored[at..];
            if rest[0] == ESCAPE {
                match self.escape(rest, is_last) {
                    Iso2022JpEscape::Cut => break,
                    Iso2022JpEscape::Set { is_second } => {
                        if is_second {
                            push_malformed(3, base + at, text, map);
                        }
                        at += 3;
                    }
                    Iso2022JpEscape::None => {
                        self.after_escape = false;
                        push_malformed(1, base + at, text, map);
                        at += 1;
                    }
                }
                continue;
            }
            // Do not decode more at once than fits in a segment of the source map.
            let near = &rest[..rest.len().min(STRETCH)];
            let end = memchr::memchr(ESCAPE, near).unwrap_or(near.len());
            let is_cut = end == near.len() && !(is_last && end == rest.len());
            self.after_escape = false;
            let taken = match self.set {
                Iso2022JpSet::Ascii | Iso2022JpSet::Roman => {
                    self.ascii(&rest[..end], base + at, text, map)
                }
                Iso2022JpSet::Katakana => katakana(&rest[..end], base + at, text, map),
                Iso2022JpSet::Jis0208 => jis0208(&rest[..end], base + at, is_cut, text, map),
            };
            at += taken;
            // The first byte of a character that is cut.
            if taken == 0 {
                break;
            }
        }
        at
    }

    fn escape(&mut self, rest: &[u8], is_last: bool) -> Iso2022JpEscape {
        let set = match rest {
            [_, b'(', b'B', ..] => Iso2022JpSet::Ascii,
            [_, b'(', b'J', ..] => Iso2022JpSet::Roman,
            [_, b'(', b'I', ..] => Iso2022JpSet::Katakana,
            [_, b'$', b'@' | b'B', ..] => Iso2022JpSet::Jis0208,
            [_] | [_, b'(' | b'$'] if !is_last => return Iso2022JpEscape::Cut,
            _ => return Iso2022JpEscape::None,
        };
        self.set = set;
        Iso2022JpEscape::Set { is_second: std::mem::replace(&mut self.after_escape, true) }
    }

    /// Decodes ASCII, or the Roman set of JIS X 0201, which has U+00A5 and U+203E for `\` and `~`.
    fn ascii(&self, run: &[u8], base: usize, text: &mut Vec<u8>, map: &mut SourceMap) -> usize {
        map.run(text.len(), base, StoredUnit::Each(1));
        let roman = self.set == Iso2022JpSet::Roman;
        let is_odd =
            |&b: &u8| (b >= 0x80) | (b & 0xFE == 0x0E) | (roman & ((b == b'\\') | (b == b'~')));
        let mut done = 0;
        // The loop has no early exit, so that it can process many bytes at once.
        if !run.iter().fold(false, |any, b| any | is_odd(b)) {
            done = run.len();
            text.extend_from_slice(run);
        }
        while let Some(n) = run[done..].iter().position(is_odd) {
            text.extend_from_slice(&run[done..done + n]);
            match run[done + n] {
                b'\\' => text.extend_from_slice("\u{A5}".as_bytes()),
                b'~' => text.extend_from_slice("\u{203E}".as_bytes()),
                _ => text.push(malformed(1)),
            }
            done += n + 1;
        }
        text.extend_from_slice(&run[done..]);
        run.len()
    }
}

enum Iso2022JpEscape {
    /// The bytes end inside the sequence.
    Cut,
    /// An escape sequence; whether it directly follows another one, which is an error.
    Set {
        is_second: bool,
    },
    None,
}

/// Appends a malformed sequence of `len` bytes.
fn push_malformed(len: u8, stored: usize, text: &mut Vec<u8>, map: &mut SourceMap) {
    map.run(text.len(), stored, StoredUnit::Each(1));
    text.push(malformed(len));
}

fn katakana(run: &[u8], base: usize, text: &mut Vec<u8>, map: &mut SourceMap) -> usize {
    map.run(text.len(), base, StoredUnit::Each(1));
    for &byte in run {
        match byte {
            0x21..=0x5F => {
                // The characters from U+FF61 on have three bytes in UTF-8.
                let code = 0xFF61 - 0x21 + u32::from(byte);
                text.extend([0xEF, 0x80 | (code >> 6) as u8 & 0x3F, 0x80 | code as u8 & 0x3F]);
            }
            _ => text.push(malformed(1)),
        }
    }
    run.len()
}

/// Decodes characters of two bytes each; a single byte at the end is left for the next call.
fn jis0208(
    run: &[u8],
    base: usize,
    is_cut: bool,
    text: &mut Vec<u8>,
    map: &mut SourceMap,
) -> usize {
    map.run(text.len(), base, StoredUnit::Each(2));
    text.reserve(run.len() / 2 * 3);
    let table: &Jis0208Table = &CHARACTERS;
    let mut at = 0;
    while at < run.len() {
        for &[lead, trail] in run[at..].as_chunks::<2>().0 {
            let row = table.get(usize::from(lead.wrapping_sub(0x21)));
            match row.and_then(|row| row.get(usize::from(trail.wrapping_sub(0x21)))) {
                Some(&[a, b, c, 3]) => text.extend_from_slice(&[a, b, c]),
                Some(&[a, b, _, 2]) => text.extend_from_slice(&[a, b]),
                Some(&[a, _, _, 1]) => text.push(a),
                _ => break,
            }
            at += 2;
        }
        let is_half = |b: &u8| matches!(b, 0x21..=0x7E);
        match run[at..] {
            [] => {}
            [lead] if is_half(&lead) && is_cut => return at,
            // By the standard the byte after a lead byte is part of the error.
            [lead, _, ..] if is_half(&lead) => {
                text.push(malformed(2));
                at += 2;
            }
            _ => {
                text.push(malformed(1));
                at += 1;
            }
        }
    }
    at
}

/// UTF-8 and its length for each pair of bytes from 21 to 7E; the length is zero if there is no character.
type Jis0208Table = [[[u8; 4]; 94]; 94];

/// Created when the first such character occurs. To call encoding_rs for each run would take several times as long, because
/// runs are short.
static CHARACTERS: LazyLock<Box<Jis0208Table>> = LazyLock::new(|| {
    let mut table = Box::new([[[0; 4]; 94]; 94]);
    for (row, lead) in table.iter_mut().zip(0xA1..) {
        for (character, trail) in row.iter_mut().zip(0xA1..) {
            let stored = [lead, trail];
            let decoded = EUC_JP.decode_without_bom_handling_and_without_replacement(&stored);
            // No character has more than three bytes.
            if let Some(&[a, ref rest @ ..]) = decoded.as_deref().map(str::as_bytes) {
                let byte = |n: usize| rest.get(n).copied().unwrap_or(0);
                *character = [a, byte(0), byte(1), 1 + rest.len() as u8];
            }
        }
    }
    table
});
