//! Beginnings of top-level domains after a dot, as stored bytes in an encoding.

use std::collections::HashMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{LazyLock, Mutex, OnceLock, PoisonError};

use super::Layout;
use crate::charset::Charset;
use crate::tables::{self, tld};

/// For each first non-ASCII byte of a label, and the byte after it, whether a top-level domain may
/// begin so.
#[derive(Debug)]
pub(crate) struct TldOpenings {
    charset: Charset,
    layout: Layout,
    /// For the bytes from 80 on, made when one is asked for: a short text asks for few.
    rows: [OnceLock<Box<TldOpeningRow>>; 128],
    /// The lead bytes that make one character with an `@` after them.
    at_leads: [bool; 256],
}

/// Characters that begin with one byte, by their second byte, filled on demand: the character of the
/// plane 0 that the two are, or one of these.
type TldOpeningRow = [AtomicU32; 256];

/// Not asked for yet.
const UNKNOWN: u32 = 0;
/// Beside a character: no top-level domain begins with it. It is asked of each sentence.
const SHUT: u32 = 1 << 16;
/// They are not one character; no top-level domain begins so, or one may.
const CLOSED: u32 = SHUT | 0xFFFD;
const OPEN: u32 = 0xFFFE;

/// They are made once for an encoding.
static MADE: LazyLock<Mutex<HashMap<&'static str, &'static TldOpenings>>> =
    LazyLock::new(Mutex::default);

impl TldOpenings {
    /// Those of a charset that is scanned byte by byte.
    pub(crate) fn of(charset: Charset, layout: Layout) -> &'static TldOpenings {
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        // There are as many of them as encodings, at most: they may stay.
        made.entry(charset.name())
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

    /// Whether a top-level domain may begin with the bytes at the front of `label`, the first of which
    /// is not ASCII. Also true where they end too soon to know.
    #[inline]
    pub(crate) fn may_open(&self, label: &[u8]) -> bool {
        let &[first @ 0x80..=0xFF, second, ref rest @ ..] = label else { return true };
        let unit = self.unit([first, second]);
        unit < SHUT && self.may_go_on(unit, label, rest)
    }

    /// The same, where what `unit` stands for does not keep it from being so.
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
        // Whoever comes second detects the same.
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
            // Characters of three or four bytes: rare, and looked at as a whole if at all.
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

    /// Whether this byte and an `@` may be one character.
    pub(crate) fn is_at_lead(&self, lead: u8) -> bool {
        self.at_leads[usize::from(lead)]
    }
}

/// Whether a top-level domain may begin with this character; what cannot be in a host, and is but
/// compatible with what can, begins none.
fn may_open_unit(first: u32) -> bool {
    tld::may_open_unicode(first) && tables::class(first).is_host()
}

/// Whether these characters, `None` where one is not known, may be a top-level domain and what stands
/// after it. Of those in Han, kana and Hangul the whole label tells: most sentences that begin as some
/// domain does go on otherwise.
pub(crate) fn may_stand(mut characters: impl Iterator<Item = Option<char>>) -> bool {
    let Some(Some(first)) = characters.next() else { return true };
    if !may_open_unit(first.into()) {
        return false;
    }
    // For those two characters tell more.
    if !tld::EAST_ASIAN.contains(&first.into()) {
        return true;
    }
    let mut label = String::new();
    for c in characters.take(tld::LONGEST_UNICODE) {
        match c {
            // A reference may follow, or a mark that makes one character with a kana.
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
    // The text is cut, or the label is longer than any.
    label.chars().count() < tld::LONGEST_UNICODE
}

/// The characters of stored bytes, as far as they are ASCII or have two bytes.
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

/// Whether these are two characters that a top-level domain may begin with.
fn opens_letters(decoded: &str) -> bool {
    let mut chars = decoded.chars();
    match (chars.next(), chars.next()) {
        // A mark may make one character with what is before it; a reference may follow.
        (Some(first), _) if !may_open_unit(first.into()) => false,
        (Some(first), Some(second)) if second.is_alphabetic() && !second.is_ascii() => {
            tld::may_open_pair(first, second)
        }
        (_, Some('\0'..=' ' | '.')) => false,
        _ => true,
    }
}
