//! What may stand behind a dot in stored bytes: the beginnings of top-level domains in a charset.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, OnceLock, PoisonError};

use super::Layout;
use crate::charset::Charset;
use crate::tables::tld;

/// For each first byte beyond ASCII of a label, and the byte behind it, whether a top-level domain may
/// begin so.
#[derive(Debug)]
pub(crate) struct Openings {
    charset: Charset,
    layout: Layout,
    /// For the bytes from 80 on, made when one is asked for: a short text asks for few.
    rows: [OnceLock<Row>; 128],
    /// The lead bytes that make one character with an `@` behind them.
    at_leads: [bool; 256],
}

/// A bit for each second byte.
type Row = [u64; 4];

/// They are made once for an encoding.
static MADE: LazyLock<Mutex<HashMap<&'static str, &'static Openings>>> =
    LazyLock::new(Mutex::default);

impl Openings {
    /// Those of a charset that is scanned byte by byte.
    pub(crate) fn of(charset: Charset, layout: Layout) -> &'static Openings {
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        // There are as many of them as encodings, at most: they may stay.
        made.entry(charset.name())
            .or_insert_with(|| Box::leak(Box::new(Openings::new(charset, layout))))
    }

    fn new(charset: Charset, layout: Layout) -> Openings {
        let mut at_leads = [false; 256];
        if layout != Layout::Single {
            for lead in 0x80..=0xFFu8 {
                at_leads[usize::from(lead)] = !charset.decode(&[lead, b'@']).contains('@');
            }
        }
        Openings { charset, layout, rows: [const { OnceLock::new() }; 128], at_leads }
    }

    /// Whether a top-level domain may begin with the bytes at the front of `label`, the first of which
    /// is not ASCII. Also true where they end too soon to know.
    #[inline]
    pub(crate) fn may_open(&self, label: &[u8]) -> bool {
        match *label {
            [first @ 0x80..=0xFF, second, ..] => {
                let row = self.rows[usize::from(first - 0x80)].get_or_init(|| self.row(first));
                row[usize::from(second / 64)] >> (second % 64) & 1 != 0
            }
            _ => true,
        }
    }

    #[cold]
    fn row(&self, first: u8) -> Row {
        let mut row = [0; 4];
        let is_open = |second: u8| match self.layout {
            Layout::Single => self.opens_letters(first, second),
            _ => self.opens_character(first, second),
        };
        let letter = self.charset.decode(&[first]).chars().next();
        if self.layout == Layout::Single && !letter.is_some_and(|c| tld::may_open_unicode(c.into()))
        {
            return row;
        }
        for second in (0..=0xFFu8).filter(|second| is_open(*second)) {
            row[usize::from(second / 64)] |= 1 << (second % 64);
        }
        row
    }

    /// Whether two bytes are two characters that a top-level domain may begin with; the first may.
    fn opens_letters(&self, first: u8, second: u8) -> bool {
        let pair = [first, second];
        let text = self.charset.decode(&pair);
        let mut chars = text.chars();
        match (chars.next(), chars.next()) {
            // A mark may make one character with what stands before it; a reference may follow.
            (Some(first), Some(second)) if second.is_alphabetic() && !second.is_ascii() => {
                tld::may_open_pair(first, second)
            }
            (_, Some('\0'..=' ' | '.')) => false,
            _ => true,
        }
    }

    /// Whether two bytes are, or begin, a character that a top-level domain may begin with.
    fn opens_character(&self, first: u8, second: u8) -> bool {
        match self.layout {
            // Characters of three or four bytes: rare, and the text shows what they are.
            Layout::EucJp if first == 0x8F => return true,
            Layout::Gb if second.is_ascii_digit() => return true,
            _ => {}
        }
        let pair = [first, second];
        match self.charset.decode(&pair).chars().next() {
            Some(char::REPLACEMENT_CHARACTER) => false,
            Some(c) => tld::may_open_unicode(c.into()),
            None => true,
        }
    }

    /// Whether this byte and an `@` may be one character.
    pub(crate) fn is_at_lead(&self, lead: u8) -> bool {
        self.at_leads[usize::from(lead)]
    }

    /// A longer look at the label in an East Asian encoding.
    pub(crate) fn may_open_east_asian(charset: Charset, label: &[u8]) -> bool {
        let Some(front) = label.get(..2 * tld::LONGEST_UNICODE) else { return true };
        let (text, _) = charset.encoding().decode_without_bom_handling(front);
        match text.chars().next() {
            Some(c) if (0x2E80..0xD7A4).contains(&u32::from(c)) => {
                tld::may_open_east_asian(c, text.as_bytes())
            }
            _ => true,
        }
    }
}
