//! The run of ASCII characters before an offset, references resolved: a scheme, `mailto`.

use super::view::{Char, View};

/// Characters kept of a run: one more than a scheme can have is enough to know.
const MAX: usize = 33;

/// A run of ASCII characters that ends at a given offset.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word {
    buffer: [u8; MAX],
    /// Characters in it; [`MAX`] if there may be more.
    pub(crate) len: usize,
    /// Where it begins in the text.
    pub(crate) start: usize,
    end: usize,
}

impl Word {
    /// The run of characters that `belongs` takes before `end`, not beginning before `floor`.
    pub(crate) fn before(
        view: &View<'_>,
        end: usize,
        floor: usize,
        belongs: impl Fn(u8) -> bool,
    ) -> Word {
        let mut word = Word { buffer: [0; MAX], len: 0, start: end, end };
        while word.len < MAX && word.start > floor {
            let byte = view.text[word.start - 1];
            // Only a semicolon can be the end of a reference to one of the characters.
            let c = match byte {
                b';' => view.prev(word.start, floor),
                _ => Char { code: byte.into(), len: 1 },
            };
            let Ok(byte @ 0..0x80) = u8::try_from(c.code) else { break };
            if !belongs(byte) {
                break;
            }
            word.len += 1;
            word.start -= c.len;
            word.buffer[MAX - word.len] = byte;
        }
        word
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        &self.buffer[MAX - self.len..]
    }

    /// Where the last `len` characters begin in the text.
    pub(crate) fn start_of_last(&self, view: &View<'_>, len: usize) -> usize {
        let mut start = self.end;
        for _ in 0..len {
            start -= view.prev(start, self.start).len;
        }
        start
    }
}
