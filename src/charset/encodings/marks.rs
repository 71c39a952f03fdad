//! Scores characters that are not letters: how likely each one is in its place.
//!
//! Takes a character that is neither ASCII nor a letter, and what is before and
//! after it; gives its information in eighths of a bit. The figures are estimates of ours,
//! not counts: it matters that an opening quotation mark is before a word and a currency sign
//! beside a number, and hardly how often.

/// Kind of a character next to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AdjacentKind {
    /// White space, or the word's end.
    Edge,
    Lower,
    Upper,
    Digit,
    Other,
}

impl AdjacentKind {
    pub(super) fn is_letter(self) -> bool {
        matches!(self, AdjacentKind::Lower | AdjacentKind::Upper)
    }
}

/// Role of a quotation mark in its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum QuoteRole {
    Opens,
    Closes,
}

/// Cost of a character of which no frequency is known.
const RARE: u32 = 14;
const BIT: u32 = 8;

/// The information of a mark.
pub(super) fn information(mark: char, before: AdjacentKind, after: AdjacentKind) -> u32 {
    use AdjacentKind::{Digit, Edge};
    let bits = match mark {
        // An apostrophe most of all.
        '’' => match (before.is_letter(), after.is_letter()) {
            (true, true) => 4,
            (true, false) => 6,
            (false, true) => 7,
            _ => 10,
        },
        '´' if before.is_letter() && after.is_letter() => 7,
        '‘' if !before.is_letter() && after.is_letter() => 7,
        // In French they stand alone.
        '«' | '»' if (before, after) == (Edge, Edge) => 6,
        '“' | '„' | '«' | '‹' | '‚' => match (before, after) {
            (before, Edge) if before != Edge => 9,
            (before, after) if !before.is_letter() && after != Edge => 6,
            _ => 13,
        },
        '”' | '»' | '›' => match (before, after) {
            (Edge, after) if after.is_letter() => 9,
            (before, after) if before != Edge && !after.is_letter() => 6,
            (before, after) if !before.is_letter() && after.is_letter() => 9,
            _ => 13,
        },
        '–' | '—' => match (before, after) {
            (Edge, Edge) => 5,
            _ => 7,
        },
        '…' if !after.is_letter() => 6,
        '…' => 10,
        '\u{A0}' => 5,
        '\u{AD}' => 8,
        '•' => 7,
        '°' | 'º' | 'ª' if before != Edge => 7,
        '€' | '£' if before == Digit || after == Digit => 6,
        '€' => 8,
        '£' => 11,
        '©' if before == Edge => 7,
        '©' | '®' | '™' | '§' | '·' | '×' | '½' => 9,
        '¿' | '¡' if after.is_letter() && !before.is_letter() => 6,
        '№' => 8,
        '°' | 'º' | 'ª' | '²' | '³' | '¹' | '¼' | '¾' | '±' | 'µ' | '‰' | '†' => 11,
        // A sign for any currency, which nobody writes.
        '¤' => 17,
        _ => RARE,
    };
    bits * BIT
}

/// Whether it opens or closes a quotation, if it is a mark that does so.
pub(super) fn part(mark: char, before: AdjacentKind, after: AdjacentKind) -> Option<QuoteRole> {
    let is_quote = matches!(mark, '“' | '”' | '„' | '«' | '»' | '‹' | '›');
    is_quote.then_some(match (before, after) {
        (AdjacentKind::Edge | AdjacentKind::Other, after) if after != AdjacentKind::Edge => {
            QuoteRole::Opens
        }
        _ => QuoteRole::Closes,
    })
}
