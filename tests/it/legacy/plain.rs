//! The plain path: all of a document decoded, character by character, each by itself.
//!
//! A character is the shortest run of bytes that a fresh decoder takes without a complaint. That is
//! slow and obvious, and knows nothing of how encodings are laid out.

use std::ops::Range;

use encoding_rs::{DecoderResult, Encoding};

/// A document as UTF-8, `FF` for a malformed sequence, and where its characters are stored.
pub(crate) struct Plain {
    pub(crate) text: Vec<u8>,
    /// For each character its offset in the text and its stored bytes.
    pieces: Vec<(usize, Range<usize>)>,
    /// Without byte order mark and escape sequences at its end.
    stored_end: usize,
}

impl Plain {
    /// Decodes `stored` from `first` on, which is after a byte order mark.
    pub(crate) fn of(encoding: &'static Encoding, stored: &[u8], first: usize) -> Plain {
        let mut plain = Plain { text: Vec::new(), pieces: Vec::new(), stored_end: first };
        let mut escape = Vec::new();
        let mut at = first;
        while at < stored.len() {
            if encoding == encoding_rs::ISO_2022_JP && is_escape(&stored[at..]) {
                escape = stored[at..at + 3].to_vec();
                at += 3;
                continue;
            }
            let front = |len: usize| [&escape, &stored[at..at + len]].concat();
            let most = (stored.len() - at).min(4);
            let whole = (1..=most).find_map(|len| {
                let front = front(len);
                let text = encoding.decode_without_bom_handling_and_without_replacement(&front)?;
                (!text.is_empty()).then(|| (len, text.into_owned().into_bytes()))
            });
            let (range, text) = match whole {
                Some((len, text)) => (at..at + len, text),
                // Nor does UTF-8 have this byte.
                None => (at..at + malformed(encoding, &stored[at..]), vec![0xFF]),
            };
            at = range.end;
            plain.stored_end = at;
            plain.pieces.push((plain.text.len(), range));
            plain.text.extend(text);
        }
        plain
    }

    /// The stored bytes of a stretch of the text, which is not empty.
    pub(crate) fn stored(&self, text: Range<usize>) -> Range<usize> {
        self.pieces[self.piece(text.start)].1.start..self.pieces[self.piece(text.end - 1)].1.end
    }

    /// The text of a stretch of the stored bytes, malformed sequences as U+FFFD.
    pub(crate) fn slice(&self, stored: Range<usize>) -> String {
        let begin = |offset: usize| {
            let piece = self.pieces.partition_point(|(_, range)| range.start < offset);
            self.pieces.get(piece).map_or(self.text.len(), |(text, _)| *text)
        };
        String::from_utf8_lossy(&self.text[begin(stored.start)..begin(stored.end)]).into_owned()
    }

    fn piece(&self, text: usize) -> usize {
        self.pieces.partition_point(|(start, _)| *start <= text) - 1
    }
}

fn is_escape(front: &[u8]) -> bool {
    matches!(front, [0x1B, b'(', b'B' | b'J' | b'I', ..] | [0x1B, b'$', b'@' | b'B', ..])
}

/// The length of the malformed sequence at the front.
fn malformed(encoding: &'static Encoding, front: &[u8]) -> usize {
    let mut decoder = encoding.new_decoder_without_bom_handling();
    let mut room = [0; 64];
    let (result, read, _) = decoder.decode_to_utf8_without_replacement(front, &mut room, true);
    match result {
        DecoderResult::Malformed(_, after) => read - usize::from(after),
        other => panic!("{}: {other:?} {front:x?}", encoding.name()),
    }
}
