//! Beginnings of top-level domains after a dot, as stored bytes in an encoding.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{LazyLock, Mutex, OnceLock, PoisonError};

use super::Layout;
use crate::charset::Charset;
use crate::tables::{self, tld};

/// For each first non-ASCII byte of a label, and the byte after it: whether a top-level domain may begin with them.
#[derive(Debug)]
pub(crate) struct TldOpenings {
    charset: Charset,
    layout: Layout,
    /// Rows for the bytes from 80 on, created on demand, since a short text needs few.
    rows: [OnceLock<Box<TldOpeningRow>>; 128],
    /// The lead bytes that form one character with an `@` after them.
    at_leads: [bool; 256],
}

/// Entries for a first byte, by the second byte, filled on demand: the character of plane 0 that the two bytes are, or one
/// of the constants below.
type TldOpeningRow = [AtomicU32; 256];

/// Not yet determined.
const UNKNOWN: u32 = 0;
/// Flag of a character with which no top-level domain begins. It is checked for each sentence.
const SHUT: u32 = 1 << 16;
/// The bytes are not one character: no top-level domain begins with them (`CLOSED`), or one may (`OPEN`).
const CLOSED: u32 = SHUT | 0xFFFD;
const OPEN: u32 = 0xFFFE;

/// The openings of each encoding, created once.
static MADE: LazyLock<Mutex<HashMap<&'static str, &'static TldOpenings>>> =
    LazyLock::new(Mutex::default);

impl TldOpenings {
    /// Returns the openings of an encoding that is scanned byte by byte.
    pub(crate) fn of(charset: Charset, layout: Layout) -> &'static TldOpenings {
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        // There are at most as many as encodings, so they need not be freed.
        made.entry(charset.as_str())
            .or_insert_with(|| Box::leak(Box::new(TldOpenings::new(charset, layout))))
    }

    fn new(charset: Charset, layout: Layout) -> TldOpenings {
        let mut at_leads = [false; 256];
        if layout != Layout::Single {
            for lead in 0x80..=0xFFu8 {
                at_leads[usize::from(lead)] = !charset.decode(&[lead, b'@']).contains('@');
            }
        }
        TldOpenings { charset, layout, rows: [const { OnceLock::new() }; 128], at_leads }
    }

    /// Returns `true` if a top-level domain may begin with the bytes of `label`, the first of which is non-ASCII. Also
    /// returns `true` if there are too few bytes to decide.
    #[inline]
    pub(crate) fn may_open(&self, label: &[u8]) -> bool {
        let &[first @ 0x80..=0xFF, second, ref rest @ ..] = label else { return true };
        let unit = self.unit([first, second]);
        unit < SHUT && self.may_go_on(unit, label, rest)
    }

    /// Like [`may_open`](TldOpenings::may_open), for a `unit` with which a domain may begin.
    fn may_go_on(&self, unit: u32, label: &[u8], rest: &[u8]) -> bool {
        match unit {
            OPEN if self.layout == Layout::Gb && label.len() >= 4 => {
                let text = self.charset.decode(&label[..4]);
                text.chars().next().is_some_and(|c| may_open_unit(c.into()))
            }
            OPEN => true,
            unit => {
                let first = char::from_u32(unit);
                may_stand(std::iter::once(first).chain(Characters { openings: self, rest }))
            }
        }
    }

    /// Classifies two bytes, the first of which is not ASCII.
    #[inline]
    fn unit(&self, pair: [u8; 2]) -> u32 {
        let row = &self.rows[usize::from(pair[0] & 0x7F)];
        let row = row.get_or_init(|| Box::new([const { AtomicU32::new(UNKNOWN) }; 256]));
        let known = &row[usize::from(pair[1])];
        // Another thread that does this at the same time stores the same value.
        match known.load(Ordering::Relaxed) {
            UNKNOWN => {
                let unit = self.decoded_unit(pair);
                known.store(unit, Ordering::Relaxed);
                unit
            }
            unit => unit,
        }
    }

    #[cold]
    fn decoded_unit(&self, pair: [u8; 2]) -> u32 {
        let of = |is_open| if is_open { OPEN } else { CLOSED };
        let text = self.charset.decode(&pair);
        match self.layout {
            Layout::Single => return of(opens_letters(&text)),
            // Characters of three or four bytes are rare, and are decoded in full if necessary.
            Layout::EucJp if pair[0] == 0x8F => return OPEN,
            Layout::Gb if pair[1].is_ascii_digit() => return OPEN,
            _ => {}
        }
        let mut characters = text.chars();
        match (characters.next(), characters.next()) {
            (Some(char::REPLACEMENT_CHARACTER), _) => CLOSED,
            (Some(c), None) if u32::from(c) < SHUT => match may_open_unit(c.into()) {
                true => c.into(),
                false => SHUT | u32::from(c),
            },
            (Some(c), _) => of(may_open_unit(c.into())),
            (None, _) => OPEN,
        }
    }

    /// Returns `true` if this byte and an `@` may be one character.
    pub(crate) fn is_at_lead(&self, lead: u8) -> bool {
        self.at_leads[usize::from(lead)]
    }
}

/// Returns `true` if a top-level domain may begin with this character. A character that cannot be in a host does not begin
/// one, even if it is compatible with one that can.
fn may_open_unit(first: u32) -> bool {
    tld::may_open_unicode(first) && tables::class(first).is_host()
}

/// Returns `true` if these characters, `None` for an unknown one, may be a top-level domain and the text after it. For Han,
/// kana and Hangul the complete label is checked: most sentences that begin like a domain continue differently.
pub(crate) fn may_stand(mut characters: impl Iterator<Item = Option<char>>) -> bool {
    let Some(Some(first)) = characters.next() else { return true };
    if !may_open_unit(first.into()) {
        return false;
    }
    // For other scripts the first two characters were checked before.
    if !tld::EAST_ASIAN.contains(&first.into()) {
        return true;
    }
    let mut label = String::new();
    for c in characters.take(tld::LONGEST_UNICODE) {
        match c {
            // A reference may follow, or a combining mark that forms one character with a kana.
            None | Some('&' | '_' | '\u{3099}' | '\u{309A}' | '\u{FF9E}' | '\u{FF9F}') => {
                return true;
            }
            Some(c) if label.is_empty() => {
                if !tld::may_open_pair(first, c) {
                    return false;
                }
                label.extend([first, c]);
            }
            Some(c) if tables::class(c.into()).is_host() => label.push(c),
            Some(_) => return tld::is_tld(&label),
        }
    }
    // The text is cut, or the label is longer than any domain.
    label.chars().count() < tld::LONGEST_UNICODE
}

/// Iterator over the characters of stored bytes, as far as they are ASCII or have two bytes.
struct Characters<'b> {
    openings: &'b TldOpenings,
    rest: &'b [u8],
}

impl Iterator for Characters<'_> {
    type Item = Option<char>;

    #[inline]
    fn next(&mut self) -> Option<Option<char>> {
        let &[first, ref after @ ..] = self.rest else { return None };
        if first.is_ascii() {
            self.rest = after;
            return Some(Some(first.into()));
        }
        let &[second, ref after @ ..] = after else { return None };
        let is_two = self.openings.layout.step(self.rest) == 2;
        self.rest = after;
        let unit = self.openings.unit([first, second]);
        Some(match unit {
            CLOSED | OPEN => None,
            unit if is_two => char::from_u32(unit & !SHUT),
            _ => None,
        })
    }
}

/// Returns `true` for two characters with which a top-level domain may begin.
fn opens_letters(decoded: &str) -> bool {
    let mut chars = decoded.chars();
    match (chars.next(), chars.next()) {
        // A combining mark may form one character with the preceding one; a reference may follow.
        (Some(first), _) if !may_open_unit(first.into()) => false,
        (Some(first), Some(second)) if second.is_alphabetic() && !second.is_ascii() => {
            tld::may_open_pair(first, second)
        }
        (_, Some('\0'..=' ' | '.')) => false,
        _ => true,
    }
}
