//! What may stand behind a dot in stored bytes: the beginnings of top-level domains in a charset.

use std::collections::HashMap;
use std::sync::{LazyLock, Mutex, PoisonError};

use super::Layout;
use crate::charset::Charset;
use crate::tables::tld;

/// For each first byte beyond ASCII of a label, and the byte behind it, whether a top-level domain may
/// begin so.
#[derive(Debug)]
pub(crate) struct Openings {
    pairs: Box<[u64; 1024]>,
    /// The lead bytes that make one character with an `@` behind them.
    at_leads: [bool; 256],
}

/// They are made once for an encoding: that takes as long as the scan of a small file.
static MADE: LazyLock<Mutex<HashMap<&'static str, &'static Openings>>> =
    LazyLock::new(Mutex::default);

impl Openings {
    /// Those of a charset that is scanned byte by byte.
    pub(crate) fn of(charset: Charset, layout: Layout) -> &'static Openings {
        let mut made = MADE.lock().unwrap_or_else(PoisonError::into_inner);
        // There are as many of them as encodings, at most: they may stay.
        made.entry(charset.name()).or_insert_with(|| Box::leak(Box::new(make(charset, layout))))
    }

    /// Whether a top-level domain may begin with the bytes at the front of `label`, the first of which
    /// is not ASCII. Also true where they end too soon to know.
    #[inline]
    pub(crate) fn may_open(&self, label: &[u8]) -> bool {
        match *label {
            [a, b, ..] => {
                let pair = usize::from(a) << 8 | usize::from(b);
                self.pairs[pair / 64] >> (pair % 64) & 1 != 0
            }
            _ => true,
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

fn make(charset: Charset, layout: Layout) -> Openings {
    let mut pairs = Box::new([0u64; 1024]);
    for a in 0x80..=0xFFu8 {
        for b in 0..=0xFFu8 {
            let pair = usize::from(a) << 8 | usize::from(b);
            let opens = opens(charset, layout, [a, b]);
            pairs[pair / 64] |= u64::from(opens) << (pair % 64);
        }
    }
    let mut at_leads = [false; 256];
    for lead in 0x80..=0xFFu8 {
        let pair = [lead, b'@'];
        let (text, _) = charset.encoding().decode_without_bom_handling(&pair);
        at_leads[usize::from(lead)] = !text.contains('@');
    }
    Openings { pairs, at_leads }
}

fn opens(charset: Charset, layout: Layout, pair: [u8; 2]) -> bool {
    let encoding = charset.encoding();
    let (text, is_malformed) = encoding.decode_without_bom_handling(&pair);
    let mut chars = text.chars();
    let (Some(first), second) = (chars.next(), chars.next()) else { return true };
    match layout {
        // A character of three or four bytes: rare, and the text shows what it is.
        Layout::EucJp if pair[0] == 0x8F => true,
        Layout::Gb if matches!(pair[1], 0x30..=0x39) => true,
        _ if is_malformed && first == char::REPLACEMENT_CHARACTER => false,
        Layout::Single => match second {
            // A mark may make one character with what stands before it; a reference may follow.
            Some(second) if second.is_alphabetic() && !second.is_ascii() => {
                tld::may_open_pair(first, second)
            }
            Some(second) => {
                tld::may_open_unicode(first.into()) && !matches!(second, '\0'..=' ' | '.')
            }
            None => true,
        },
        _ => tld::may_open_unicode(first.into()),
    }
}
