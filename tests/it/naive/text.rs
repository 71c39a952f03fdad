//! Stored bytes to characters: UTF-8 decoded, numeric references resolved once,
//! each character with the stored bytes it came from.

struct Piece {
    c: char,
    start: usize,
    end: usize,
    /// It is stored as U+0020 to U+0060 alone, as uuencoded data are.
    is_data: bool,
}

pub(super) struct Text {
    pieces: Vec<Piece>,
}

impl Text {
    pub(super) fn new(bytes: &[u8], references: bool) -> Self {
        let mut pieces = Vec::new();
        let mut offset = 0;
        for chunk in bytes.utf8_chunks() {
            for c in chunk.valid().chars() {
                let end = offset + c.len_utf8();
                pieces.push(Piece { c, start: offset, end, is_data: (' '..='`').contains(&c) });
                offset = end;
            }
            if !chunk.invalid().is_empty() {
                // A malformed sequence stops everything; so does U+FFFD, and
                // neither delimits a host, so one stands for the other.
                let end = offset + chunk.invalid().len();
                pieces.push(Piece { c: '\u{FFFD}', start: offset, end, is_data: false });
                offset = end;
            }
        }
        if references {
            pieces = resolve(&pieces);
        }
        Text { pieces }
    }

    pub(super) fn len(&self) -> usize {
        self.pieces.len()
    }

    pub(super) fn at(&self, index: usize) -> Option<char> {
        self.pieces.get(index).map(|piece| piece.c)
    }

    pub(super) fn is_data(&self, index: usize) -> bool {
        self.pieces.get(index).is_some_and(|piece| piece.is_data)
    }

    /// The stored bytes of the characters `from..to`, which is never empty.
    pub(super) fn stored(&self, from: usize, to: usize) -> (usize, usize) {
        (self.pieces[from].start, self.pieces[to - 1].end)
    }
}

fn resolve(pieces: &[Piece]) -> Vec<Piece> {
    let mut out = Vec::new();
    let mut i = 0;
    while i < pieces.len() {
        if let Some((c, next)) = reference(pieces, i) {
            let is_data = pieces[i..next].iter().all(|piece| piece.is_data);
            out.push(Piece { c, start: pieces[i].start, end: pieces[next - 1].end, is_data });
            i = next;
        } else {
            let Piece { c, start, end, is_data } = pieces[i];
            out.push(Piece { c, start, end, is_data });
            i += 1;
        }
    }
    out
}

/// `&#NNN;` or `&#xHH;` at `i`: its character and the index after it.
fn reference(pieces: &[Piece], i: usize) -> Option<(char, usize)> {
    let at = |i: usize| pieces.get(i).map(|piece| piece.c);
    if at(i)? != '&' || at(i + 1)? != '#' {
        return None;
    }
    let (radix, first) = match at(i + 2)? {
        'x' | 'X' => (16, i + 3),
        _ => (10, i + 2),
    };
    let mut value: u32 = 0;
    let mut j = first;
    while let Some(digit) = at(j).filter(char::is_ascii).and_then(|c| c.to_digit(radix)) {
        // Anything above the code space stays there, however long it goes on.
        value = (value * radix + digit).min(0x0011_0000);
        j += 1;
    }
    if j == first || at(j)? != ';' {
        return None;
    }
    Some((character(value), j + 1))
}

/// HTML's table for 128 to 159; U+FFFD for what is no character.
fn character(value: u32) -> char {
    const WINDOWS_1252: [u32; 32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160,
        0x2039, 0x0152, 0x8D, 0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013,
        0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D, 0x017E, 0x0178,
    ];
    let value = match value {
        0 => 0xFFFD,
        128..=159 => WINDOWS_1252[value as usize - 128],
        _ => value,
    };
    char::from_u32(value).unwrap_or('\u{FFFD}')
}
