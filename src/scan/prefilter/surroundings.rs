//! Checks the bytes around a trigger byte without decoding them; most trigger bytes do not begin anything: whether a scheme
//! may end before a colon, and whether a top-level domain may begin with the labels after a dot.
//!
//! The input is the places after trigger bytes that the pass has found, the result is those that may be triggers. Whether a
//! place is kept cannot be predicted, so the code does not branch on it: the conditions of each kind of trigger byte are
//! computed for all places, from the few bytes on both sides.

use super::marks::{
    BATCH, BLOCK, ESCAPE, FIRST_BEHIND_ESCAPE, FIRST_HOST, FULL_STOPS, SLASH, SLASH_BITS,
};
use crate::simd::window::{self, WINDOW};
use crate::tables::schemes::ENDINGS;
use crate::tables::{opening, tld};

/// How much is checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Asked {
    /// The bytes before a trigger byte and directly after it.
    #[cfg(any(test, feature = "documents"))]
    Marks,
    /// After a dot also whether a top-level domain may begin there.
    Labels,
}

/// Number of bytes before a place that are examined: the trigger byte, and the byte before it.
const BEFORE: usize = 2;
/// Number of all bytes that are examined: those, the byte at the place and the bytes after it.
const AROUND: usize = BEFORE + 8;

// The trigger bytes, a bit for each.
const AT: u8 = 1;
const COLON: u8 = 2;
const AMPERSAND: u8 = 4;
const DOT: u8 = 8;
const FULL_STOP: u8 = 16;
const SEQUENCE: u8 = 32;
/// Trigger bytes that may be before an edge of a text.
const EDGE: u8 = AT | SEQUENCE;

/// Maps a byte to the trigger byte that it is, or is the last byte of.
static MARKS: [u8; 256] = {
    let mut marks = [0; 256];
    marks[b'@' as usize] = AT;
    marks[b':' as usize] = COLON;
    marks[b'&' as usize] = AMPERSAND;
    marks[b'.' as usize] = DOT;
    marks[ESCAPE as usize] = SEQUENCE;
    let mut n = 0;
    while n < FULL_STOPS.len() {
        marks[FULL_STOPS[n][1] as usize] = FULL_STOP;
        n += 1;
    }
    marks
};

/// Maps the byte before a trigger byte to the trigger bytes that it may precede.
static IN_FRONT: [u8; 256] = {
    let mut marks = [AT | FULL_STOP; 256];
    let mut byte = 0;
    while byte < 256 {
        if byte >= FIRST_HOST as usize {
            marks[byte] |= DOT;
        }
        if colon_may_follow(byte as u8) {
            marks[byte] |= COLON;
        }
        byte += 1;
    }
    marks
};

/// Maps the byte after a trigger byte to the trigger bytes that it confirms, whatever precedes them.
static BEHIND: [u8; 256] = {
    let mut marks = [0; 256];
    marks[b'#' as usize] = AMPERSAND;
    marks[FIRST_BEHIND_ESCAPE as usize] = SEQUENCE;
    let mut byte = 0;
    while byte < 256 {
        if byte as u8 | SLASH_BITS == SLASH || byte == b'\\' as usize {
            marks[byte] |= COLON;
        }
        byte += 1;
    }
    marks
};

/// Moves the places that are kept to the front. Returns their number, and whether one of them follows an ESC. Places are
/// counted from `base`.
pub(crate) fn keep(text: &[u8], base: usize, places: &mut [u16], asked: Asked) -> (usize, bool) {
    match asked {
        #[cfg(any(test, feature = "documents"))]
        Asked::Marks => keep_if(text, base, places, |_| 1),
        Asked::Labels => keep_if(text, base, places, opening::opening_bit),
    }
}

/// Returns `true` if the place, counted from the text's beginning, is kept.
#[inline]
pub(crate) fn is_kept(text: &[u8], at: usize, asked: Asked) -> bool {
    let around = text.get(at.wrapping_sub(BEFORE)..).and_then(|rest| rest.first_chunk());
    // The edges of the text are handled separately.
    let Some(around) = around else { return at > 0 };
    match asked {
        #[cfg(any(test, feature = "documents"))]
        Asked::Marks => is_trigger(around, |_| 1),
        Asked::Labels => is_trigger(around, opening::opening_bit),
    }
}

/// Returns `true` if the place after this trigger byte, at which `after` is, is kept whatever else is around it, as those of
/// addresses and of links with a scheme are.
#[inline(always)]
pub(crate) fn is_plain(sign: u8, after: Option<&u8>) -> bool {
    match sign {
        b':' => after == Some(&b'/'),
        _ => sign == b'@',
    }
}

/// Keeps places; `opening` returns 1 if a top-level domain may begin with these bytes, otherwise 0.
#[inline(always)]
fn keep_if(
    text: &[u8],
    base: usize,
    places: &mut [u16],
    opening: impl Fn(u64) -> u32,
) -> (usize, bool) {
    let is_inner =
        |around: Option<&[u8; AROUND]>| around.map(|around| kept_marks(around, &opening));
    // The bytes of a batch and around it, if the text has all of them: then no place needs a bounds check.
    let covered: Option<&[u8; BATCH * BLOCK + AROUND]> =
        text.get(base.wrapping_sub(BEFORE)..).and_then(|rest| rest.first_chunk());
    match covered {
        Some(covered) => move_kept(places, |place| {
            let place = usize::from(place) % (BATCH * BLOCK);
            is_inner(covered[place..].first_chunk()).unwrap_or(EDGE)
        }),
        None => move_kept(places, |place| {
            let at = base + usize::from(place);
            let around = text.get(at.wrapping_sub(BEFORE)..).and_then(|rest| rest.first_chunk());
            // The edges of the text are handled separately.
            is_inner(around).unwrap_or(if at > 0 { EDGE } else { 0 })
        }),
    }
}

#[inline(always)]
fn move_kept(places: &mut [u16], marks: impl Fn(u16) -> u8) -> (usize, bool) {
    let (mut kept, mut all) = (0, 0);
    for n in 0..places.len() {
        let place = places[n];
        places[kept] = place;
        let marks = marks(place);
        all |= marks;
        kept += usize::from(marks != 0);
    }
    (kept, all & SEQUENCE != 0)
}

/// Returns `true` if the byte after the first [`BEFORE`] bytes follows a trigger byte that counts, provided that it follows
/// a trigger byte.
#[inline(always)]
fn is_trigger(around: &[u8; AROUND], opening: impl Fn(u64) -> u32) -> bool {
    kept_marks(around, opening) != 0
}

/// Returns the trigger byte that counts, possibly with others; zero if none counts.
#[inline(always)]
fn kept_marks(around: &[u8; AROUND], opening: impl Fn(u64) -> u32) -> u8 {
    let [before, mark, ..] = *around;
    let after = around.last_chunk().map_or(0, |eight| u64::from_le_bytes(*eight));
    let good = IN_FRONT[usize::from(before)] | BEHIND[usize::from(after as u8)];
    let mark = MARKS[usize::from(mark)] & good;
    // Computed with bit operations: a choice between two values would become a branch. After `www.` every host is reported
    // with a reason.
    let is_after_w = u8::from(before | 0x20 == b'w') & (mark / DOT);
    let label = ((mark / DOT) | (mark / FULL_STOP)) & opening(after) as u8 | is_after_w;
    (mark & (AT | COLON | AMPERSAND | SEQUENCE)) | (label & 1)
}

/// Returns `true` if a colon after this byte may be that of a scheme without `//`: the byte is the last letter of such a
/// scheme in any letter case, or may end a reference to it.
const fn colon_may_follow(byte: u8) -> bool {
    byte == b';' || byte.is_ascii_digit() || ENDINGS.have_last(byte)
}

/// Returns `true` if the last letters before a colon show that no scheme without `//` ends there, as before most colons.
#[inline]
pub(crate) fn is_plainly_no_word(before: &[u8]) -> bool {
    match *before {
        [.., b';'] | [.., b';', _] | [.., b';', _, _] => false,
        [.., a, b, c] => !ENDINGS.have([a, b, c]),
        _ => true,
    }
}

/// Returns `true` if the colon before `at` may be that of a port after the last number of an IPv4 address.
#[inline]
pub(crate) fn may_be_port(bytes: &[u8], at: usize) -> bool {
    // There is more than one byte before the last number of an address.
    let [.., a, b, c, last, _] = bytes[..at] else { return false };
    (a == b'.' || b == b'.' || c == b'.') && last.is_ascii_digit() && bytes[at].is_ascii_digit()
}

/// Returns `true` if the colon before `at` may be that of a link.
#[inline]
pub(crate) fn may_be_colon(bytes: &[u8], at: usize) -> bool {
    // Most colons precede white space, with which no part of a link begins, and others follow a word, for which a table
    // lookup decides.
    if bytes[at].is_ascii_whitespace() {
        return false;
    }
    if let [.., a, b, c, _] = bytes[..at]
        && a != b';'
        && b != b';'
        && c != b';'
        && !matches!(bytes[at], b'/' | b'&' | b'\\')
    {
        return match c.is_ascii_alphabetic() {
            true => ENDINGS.have([a, b, c]),
            false => may_be_port(bytes, at),
        };
    }
    may_be_colon_general(bytes, at)
}

fn may_be_colon_general(bytes: &[u8], at: usize) -> bool {
    let back = |n: usize| at.checked_sub(n).map_or(0, |i| bytes[i]);
    let before = [back(4), back(3), back(2)];
    match before[2] {
        _ if bytes[at].is_ascii_whitespace() => false,
        ..FIRST_HOST => false,
        _ if matches!(bytes[at], b'/' | b'&' | b'\\') || before.contains(&b';') => true,
        _ if may_be_port(bytes, at) => true,
        c => c.is_ascii_alphabetic() && !is_plainly_no_word(&before),
    }
}

/// Returns `true` if a top-level domain may begin at `label`, by its first letters. Most dots, and especially ideographic
/// ones, are excluded here. Also returns `true` at the end of the text, and after `www.`, whatever the host ends in.
#[inline(always)]
pub(crate) fn label_may_begin(text: &[u8], label: usize) -> bool {
    may_open(text, label) || is_after_www(text, label)
}

/// Returns `true` if `label` begins with an ASCII letter and `www.` precedes it.
#[inline(always)]
pub(crate) fn is_after_www(text: &[u8], label: usize) -> bool {
    let before = label.checked_sub(2).and_then(|at| text.get(at));
    before.is_some_and(|byte| byte | 0x20 == b'w') && is_www(text, label)
}

#[cold]
fn is_www(text: &[u8], label: usize) -> bool {
    text[..label].last_chunk::<4>().is_some_and(|label| label.eq_ignore_ascii_case(b"www."))
        && text.get(label).is_some_and(u8::is_ascii_alphabetic)
}

#[inline(always)]
fn may_open(text: &[u8], label: usize) -> bool {
    let rest = text.get(label..).unwrap_or_default();
    match rest.first_chunk() {
        Some(bytes) => {
            opening::may_open(u64::from_le_bytes(*bytes))
                && (!opening::is_east_asian(bytes[0]) || may_begin_east_asian(rest))
        }
        None => may_begin_at_edge(rest),
    }
}

/// Like [`may_open`], for the last few bytes of a text; any bytes may follow them.
#[cold]
fn may_begin_at_edge(rest: &[u8]) -> bool {
    let mut bytes = [0xFF; 8];
    for (byte, there) in bytes.iter_mut().zip(rest) {
        *byte = *there;
    }
    opening::is_east_asian(bytes[0]) || opening::may_open(u64::from_le_bytes(bytes))
}

/// Like [`may_open`], where the bytes may be a Han, kana or Hangul character.
#[inline(never)]
fn may_begin_east_asian(rest: &[u8]) -> bool {
    let Some([b0, b1, b2]) = rest.first_chunk() else { return true };
    let bits = |byte: u8| u32::from(byte & 0x3F);
    let code = u32::from(b0 & 0x0F) << 12 | bits(*b1) << 6 | bits(*b2);
    tld::may_open_unicode(code)
        && char::from_u32(code).is_some_and(|c| tld::may_open_east_asian(c, rest))
}

/// Returns `true` if a top-level domain may begin in stored bytes of a legacy encoding at `label`, where an ASCII byte is;
/// non-ASCII bytes after it count as letters.
#[inline]
pub(crate) fn is_promising_label(bytes: &[u8], label: usize) -> bool {
    may_open(bytes, label) && quick_look(bytes, label) != Quick::None || is_after_www(bytes, label)
}

/// Result of a check of only the ASCII bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quick {
    /// Not a top-level domain, as after most dots.
    None,
    /// A known domain that ends at this offset, without a host character or a dot after it.
    Known(usize),
    /// The characters must be decoded to decide.
    Unsure,
}

/// Returns whether a top-level domain begins at `label`, where one [may](may_begin), as far as ASCII shows it.
#[inline]
pub(crate) fn quick_look(text: &[u8], label: usize) -> Quick {
    let rest = text.get(label..).unwrap_or_default();
    let [b0, b1, ..] = *rest else { return Quick::Unsure };
    if b0 >= 0x80 || b1 >= 0x80 || b0 == b'&' || b1 == b'&' {
        return Quick::Unsure;
    }
    let len = match rest.first_chunk() {
        Some(window) => window::host_masks(window).simple.trailing_ones() as usize,
        None => WINDOW,
    };
    // It is longer than the mask, or at the text's edge.
    let len = match len {
        WINDOW => rest.iter().take_while(|&&b| is_simple(b)).count(),
        len => len,
    };
    match rest.get(len) {
        // The label or the text continues.
        None | Some(b'_' | b'&' | 0x80..) => Quick::Unsure,
        Some(b'.') if rest.get(len + 1).is_some_and(|&b| is_simple(b)) => {
            // The next sentence may begin there: `example.com.So`.
            match rest[len + 1].is_ascii_uppercase() && tld::is_ascii_tld(&rest[..len]) {
                true => Quick::Unsure,
                false => Quick::None,
            }
        }
        // Hyphens after a host do not belong to it in prose.
        Some(_) if rest[..len].ends_with(b"-") => Quick::Unsure,
        // The ending of a word may follow the domain: `index.hu-n`. Names are short, so the call of a search would take longer.
        Some(_) if !tld::is_ascii_tld(&rest[..len]) => {
            match rest[..len].iter().position(|b| *b == b'-') {
                Some(hyphen) if tld::is_ascii_tld(&rest[..hyphen]) => Quick::Unsure,
                _ => Quick::None,
            }
        }
        Some(b'.') => Quick::Unsure,
        Some(_) => Quick::Known(label + len),
    }
}

/// Returns `true` if the byte is an ASCII letter, digit or hyphen.
#[inline]
pub(crate) fn is_simple(byte: u8) -> bool {
    SIMPLE[usize::from(byte)]
}

static SIMPLE: [bool; 256] = {
    let mut simple = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        simple[byte] = (byte as u8).is_ascii_alphanumeric() || byte == b'-' as usize;
        byte += 1;
    }
    simple
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::schemes;

    #[test]
    fn marks_that_make_nothing() {
        let kept = |around: &str, asked| {
            // The place is after the bar, which is not part of the text.
            let text = [&" ".repeat(20), &around.replace('|', "")[..], &" ".repeat(20)].concat();
            let place = 20 + around.find('|').unwrap_or_default();
            keep(text.as_bytes(), 0, &mut [place as u16], asked).0 == 1
        };
        for around in [
            "a.|com",
            "é.|de",
            "a.|рф",
            "中。|网络",
            "a@|b",
            "http:|//x",
            "&#108;:|1",
            "&|#",
            "g:|\\/",
            "1:|8",
            "\x1B|[",
        ] {
            assert!(kept(around, Asked::Labels) && kept(around, Asked::Marks), "{around}");
        }
        let forms: Vec<_> = schemes::all().filter(|row| row.form.is_some()).collect();
        assert!(forms.len() >= 15);
        for name in forms.iter().flat_map(|row| [row.name.to_owned(), row.name.to_uppercase()]) {
            assert!(kept(&format!("{name}:|x"), Asked::Labels), "{name}");
        }
        assert!(kept("www.|txt", Asked::Labels) && kept("w.|xy", Asked::Labels));
        for around in ["a.|txt", "文。|その", "文。|中に", "a.|1b"] {
            assert!(!kept(around, Asked::Labels) && kept(around, Asked::Marks), "{around}");
        }
        for around in [" .|com", "a::|b", "or:|1", "&|amp;", "\0.|com", "\x1B|]"] {
            assert!(!kept(around, Asked::Labels) && !kept(around, Asked::Marks), "{around}");
        }
    }

    #[test]
    fn those_at_the_edges_stay() {
        let text = b"..txt.txt";
        let mut places = [1, 2, 6];
        assert_eq!(keep(text, 0, &mut places, Asked::Labels).0, 3);
        assert_eq!(keep(text, 4, &mut [2], Asked::Labels).0, 1);
    }

    /// The table lookup gives the same result as the general rule.
    #[test]
    fn a_word_before_a_colon_both_ways() {
        const BYTES: &[u8] = b"aEglmnoPrstuwx;&./09 \xE9";
        let all = BYTES.len();
        let mut known = 0;
        for number in 0..all * all * all {
            let before = [number / all / all, number / all % all, number % all].map(|n| BYTES[n]);
            for after in [b' ', b'/', b'&', b'\\', b'1', b'x'] {
                let bytes = [before[0], before[1], before[2], b':', after];
                let may_be = may_be_colon(&bytes, 4);
                assert_eq!(may_be, may_be_colon_general(&bytes, 4), "{:?}", bytes.escape_ascii());
                known += usize::from(may_be);
            }
        }
        assert!(known > 1_000, "{known}");
    }
}
