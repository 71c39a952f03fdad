//! Offsets in characters: counted forward from link to link, so that a text is processed once.

use std::ops::Range;

/// Turns offsets in bytes of UTF-8 into offsets in characters.
#[derive(Clone, Debug, Default)]
pub(crate) struct Characters {
    byte: usize,
    character: usize,
    /// The line of the last link, and the characters before it.
    line: (u64, usize),
}

impl Characters {
    /// The range in characters of a range of bytes.
    pub(crate) fn range(&mut self, bytes: &[u8], range: Range<usize>) -> Range<usize> {
        let start = self.at(bytes, range.start);
        start..start + count(&bytes[range])
    }

    /// The column in characters of what is in this line at this column in bytes, and begins at this byte.
    /// It is to be asked for after the range.
    pub(crate) fn column(&mut self, bytes: &[u8], start: usize, line: u64, column: u64) -> u64 {
        let character = self.at(bytes, start);
        if self.line.0 != line {
            let before = usize::try_from(column - 1).unwrap_or(usize::MAX).min(start);
            self.line = (line, character - count(&bytes[start - before..start]));
        }
        (character - self.line.1) as u64 + 1
    }

    fn at(&mut self, bytes: &[u8], byte: usize) -> usize {
        // Values of markup may come in another order than their bytes.
        self.character = match byte >= self.byte {
            true => self.character + count(&bytes[self.byte..byte]),
            false => self.character - count(&bytes[byte..self.byte]),
        };
        self.byte = byte;
        self.character
    }
}

/// How many characters begin in these bytes.
pub(crate) fn count(bytes: &[u8]) -> usize {
    // A sum of 255 ones at most fits into a byte, so that the compiler adds 16 of them at once.
    let starts = |chunk: &[u8]| chunk.iter().map(|&b| u8::from(b as i8 >= -0x40)).sum::<u8>();
    bytes.chunks(255).map(|chunk| usize::from(starts(chunk))).sum()
}
