//! What may stand behind a dot in stored bytes: the beginnings of top-level domains in a charset.

use std::collections::HashMap;
use std::ops::Range;
use std::sync::{LazyLock, Mutex, OnceLock, PoisonError};

use super::Layout;
use crate::charset::Charset;
use crate::tables::{self, tld};

/// For each first byte beyond ASCII of a label, and the byte behind it, whether a top-level domain may
/// begin so.
#[derive(Debug)]
pub(crate) struct Openings {
    charset: Charset,
    layout: Layout,
    /// For the bytes from 80 on, made when one is asked for: a short text asks for few.
    rows: [OnceLock<Box<Row>>; 128],
    /// The lead bytes that make one character with an `@` behind them.
    at_leads: [bool; 256],
}

/// What begins with one byte, for each second byte.
#[derive(Debug)]
struct Row {
    /// A bit for each: a top-level domain may begin so.
    open: [u64; 4],
    /// The one character of the plane 0 that the two bytes are; zero where they are something else.
    /// Empty where every byte is a character.
    chars: Vec<u16>,
}

/// Characters of top-level domains in Han, kana and Hangul, for which two characters tell more.
const EAST_ASIAN: Range<u32> = 0x2E80..0xD7A4;

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
        let &[first @ 0x80..=0xFF, second, ref rest @ ..] = label else { return true };
        let row = self.row(first);
        row.open[usize::from(second / 64)] >> (second % 64) & 1 != 0
            && (row.chars.is_empty() || self.may_go_on(row.chars[usize::from(second)], rest))
    }

    /// Whether a top-level domain that may begin with this character may go on so: most sentences that
    /// begin as some label does go on otherwise.
    fn may_go_on(&self, first: u16, rest: &[u8]) -> bool {
        let second = match *rest {
            // The two bytes are but the beginning of a character.
            _ if first == 0 => return true,
            [lead @ 0x80..=0xFF, trail, ..] if self.layout.step(rest) == 2 => {
                self.row(lead).chars[usize::from(trail)]
            }
            [ascii @ ..0x80, ..] => ascii.into(),
            _ => 0,
        };
        may_open_units(first, Some(second).filter(|second| *second != 0))
    }

    #[inline]
    fn row(&self, first: u8) -> &Row {
        self.rows[usize::from(first & 0x7F)].get_or_init(|| Box::new(self.new_row(first)))
    }

    #[cold]
    fn new_row(&self, first: u8) -> Row {
        let mut row = Row { open: [0; 4], chars: Vec::new() };
        // All of it decoded at once; no character has a line feed in it.
        let seconds = || (0..=0xFFu8).filter(|second| *second != b'\n');
        let stored: Vec<u8> = seconds().flat_map(|second| [first, second, b'\n']).collect();
        let text = self.charset.decode(&stored);
        let is_single = self.layout == Layout::Single;
        if !is_single {
            row.chars = vec![0; 256];
        } else if !text.chars().next().is_some_and(|c| may_open_unit(c.into())) {
            return row;
        }
        for (second, decoded) in seconds().zip(text.split('\n')) {
            let is_open = match is_single {
                true => opens_letters(decoded),
                false => self.opens_character(first, second, decoded),
            };
            row.open[usize::from(second / 64)] |= u64::from(is_open) << (second % 64);
            let mut chars = decoded.chars();
            if let (false, Some(c), None) = (is_single, chars.next(), chars.next()) {
                let is_there = c != char::REPLACEMENT_CHARACTER;
                let code = u16::try_from(u32::from(c)).ok().filter(|_| is_there);
                row.chars[usize::from(second)] = code.unwrap_or(0);
            }
        }
        row
    }

    /// Whether two bytes are, or begin, a character that a top-level domain may begin with.
    fn opens_character(&self, first: u8, second: u8, decoded: &str) -> bool {
        match self.layout {
            // Characters of three or four bytes: rare, and the text shows what they are.
            Layout::EucJp if first == 0x8F => return true,
            Layout::Gb if second.is_ascii_digit() => return true,
            _ => {}
        }
        match decoded.chars().next() {
            Some(char::REPLACEMENT_CHARACTER) => false,
            Some(c) => may_open_unit(c.into()),
            None => true,
        }
    }

    /// Whether this byte and an `@` may be one character.
    pub(crate) fn is_at_lead(&self, lead: u8) -> bool {
        self.at_leads[usize::from(lead)]
    }
}

/// Whether a top-level domain may begin with this character; what cannot stand in a host, and is but
/// compatible with what can, begins none.
fn may_open_unit(first: u32) -> bool {
    tld::may_open_unicode(first) && tables::class(first).is_host()
}

/// Whether a top-level domain may begin with these units of UTF-16, the second of which may be unknown.
pub(crate) fn may_open_units(first: u16, second: Option<u16>) -> bool {
    let Some(c) = char::from_u32(first.into()) else { return true };
    match second.map(|second| char::from_u32(second.into())) {
        _ if !may_open_unit(c.into()) => false,
        // A reference may follow, or a mark that makes one character with a kana.
        Some(Some('&' | '\u{3099}' | '\u{309A}') | None) | None => true,
        // In other scripts the first character tells enough.
        Some(Some(second)) => !EAST_ASIAN.contains(&first.into()) || tld::may_open_pair(c, second),
    }
}

/// Whether these are two characters that a top-level domain may begin with; the first may.
fn opens_letters(decoded: &str) -> bool {
    let mut chars = decoded.chars();
    match (chars.next(), chars.next()) {
        // A mark may make one character with what stands before it; a reference may follow.
        (Some(first), Some(second)) if second.is_alphabetic() && !second.is_ascii() => {
            tld::may_open_pair(first, second)
        }
        (_, Some('\0'..=' ' | '.')) => false,
        _ => true,
    }
}
