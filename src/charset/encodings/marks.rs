//! Scores characters that are not letters: how likely each one is in its position.
//!
//! The input is a character that is neither ASCII nor a letter, and the characters before and after it; the result is its
//! information in eighths of a bit. The figures are estimates, not counts: it matters that an opening quotation mark
//! precedes a word and a currency sign is next to a number, and hardly how often.

/// Kind of a character next to another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AdjacentKind {
    /// White space, or the end of the word.
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

/// Cost of a character whose frequency is unknown.
const RARE: u32 = 14;
const BIT: u32 = 8;

/// Returns the information of a punctuation mark or symbol.
pub(super) fn information(mark: char, before: AdjacentKind, after: AdjacentKind) -> u32 {
    use AdjacentKind::{Digit, Edge};
    let bits = match mark {
        // Most often an apostrophe.
        '’' => match (before.is_letter(), after.is_letter()) {
            (true, true) => 4,
            (true, false) => 6,
            (false, true) => 7,
            _ => 10,
        },
        '´' if before.is_letter() && after.is_letter() => 7,
        '‘' if !before.is_letter() && after.is_letter() => 7,
        // In French, spaces separate them from the words.
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
        // A sign for any currency, which hardly occurs in text.
        '¤' => 17,
        _ => RARE,
    };
    bits * BIT
}

/// Returns whether a quotation mark opens or closes a quotation here.
pub(super) fn part(mark: char, before: AdjacentKind, after: AdjacentKind) -> Option<QuoteRole> {
    let is_quote = matches!(mark, '“' | '”' | '„' | '«' | '»' | '‹' | '›');
    is_quote.then_some(match (before, after) {
        (AdjacentKind::Edge | AdjacentKind::Other, after) if after != AdjacentKind::Edge => {
            QuoteRole::Opens
        }
        _ => QuoteRole::Closes,
    })
}
