//! Checks the bytes around a trigger byte without decoding them; most trigger bytes do not begin anything.
//!
//! The input is the places after trigger bytes that the pass has found, the result is those that may be triggers. Whether a
//! place is kept cannot be predicted, so the code does not branch on it: the conditions of each kind of trigger byte are
//! computed for all places, from the few bytes on both sides.

use super::colon;
use super::marks::{
    BATCH, BLOCK, ESCAPE, FIRST_BEHIND_ESCAPE, FIRST_HOST, FULL_STOPS, SLASH, SLASH_BITS,
};
use crate::tables::opening;

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
        if colon::may_follow(byte as u8) {
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
}
