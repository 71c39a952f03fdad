//! Links in the midst of ASCII, found in the stored bytes as they are: nothing is decoded.
//!
//! What comes in are bytes and a trigger among them; what goes out is the candidate there, if no byte
//! beyond ASCII has a say in what it is. On the way forth the view of stored bytes sees to that: it
//! ends at such a byte. On the way back no walk may come to one, so that a mark which ends all walks
//! must stand before the trigger, with nothing but ASCII in between; what stands on the line before
//! the mark has a say in what a host without a scheme is, and is looked at then.

use super::{LINE, matters};
use crate::scan::{Candidate, Reason, Scanner, Settings, View};

/// Bytes before a trigger that are looked through for a mark.
const BACK: usize = 96;
/// Bytes before the mark that may have a say if they are ASCII; one more than are looked at, because
/// the first may be half a character.
const BEFORE: usize = LINE + 1;

/// Bytes that a trigger stands among: of a block, or the narrow units of UTF-16.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch<'a> {
    pub(super) bytes: &'a [u8],
    /// The document begins with them.
    pub(super) is_first: bool,
    /// The document ends with them.
    pub(super) is_last: bool,
    /// The last window reaches to here.
    pub(super) decided: usize,
    /// The end of the last candidate that needed no window.
    pub(super) floor: usize,
}

/// What a look comes to.
#[derive(Debug)]
pub(super) enum Looked {
    Found(Candidate),
    Nothing,
    /// It takes a window.
    Undecided,
}

/// Looks at triggers without a window.
#[derive(Clone, Debug)]
pub(super) struct Direct {
    scanner: Scanner,
    /// Stored bytes that hold as much as [`LINE`] bytes of text.
    line: usize,
}

impl Direct {
    pub(super) fn new(is_wide: bool) -> Direct {
        Direct { scanner: Scanner::new(), line: if is_wide { 2 * LINE } else { LINE } }
    }

    /// Looks at the trigger whose last byte is `event`.
    pub(super) fn look(
        &mut self,
        stretch: Stretch<'_>,
        event: usize,
        settings: &Settings,
    ) -> Looked {
        let Stretch { bytes, is_last, floor, .. } = stretch;
        let is_colon_or_at = bytes[..event].last() == Some(&b':') || bytes[event] == b'@';
        let is_surrounded = match is_colon_or_at {
            true => start(stretch, event).is_some(),
            false => self.may_look_at_host(stretch, event),
        };
        if !is_surrounded {
            return Looked::Undecided;
        }
        let view = View::of_stored(bytes, is_last, settings.references);
        let Ok(found) = self.scanner.candidate_at(settings, view, event, floor) else {
            return Looked::Undecided;
        };
        let Some(candidate) = found else { return Looked::Nothing };
        // Of these the window knows more: how much of them is kept, and where they end.
        let is_odd = matches!(candidate.refused, Some(Reason::TooLong | Reason::HostIpLiteral));
        let range = candidate.range.clone();
        let is_long = range.len().saturating_mul(3) > settings.max_link;
        match is_odd || is_long || !bytes[range].is_ascii() {
            true => Looked::Undecided,
            false => Looked::Found(candidate),
        }
    }

    /// Whether a look at a dot, or at a reference that may be one, needs no window.
    fn may_look_at_host(&self, stretch: Stretch<'_>, event: usize) -> bool {
        let Some(start) = start(stretch, event) else { return false };
        let Stretch { bytes, is_first, .. } = stretch;
        let mark = match start {
            Start::Mark(b'\n', _) | Start::First => return true,
            Start::Mark(_, at) | Start::Floor(at) => at,
        };
        if mark < self.line.max(BEFORE) && !is_first {
            return false;
        }
        if bytes[mark.saturating_sub(BEFORE)..mark].is_ascii() {
            return true;
        }
        let before = &bytes[mark.saturating_sub(self.line)..mark];
        let feed = memchr::memrchr(b'\n', before);
        matches!(start, Start::Mark(b' ' | b'\t', _)) && !matters(before, feed)
    }
}

/// What all walks back from a trigger end at.
#[derive(Clone, Copy, Debug)]
enum Start {
    /// This mark, at this offset.
    Mark(u8, usize),
    /// The end of the last candidate.
    Floor(usize),
    /// The beginning of the document.
    First,
}

/// What the walks back from `event` end at, if all is ASCII in between.
#[inline]
fn start(stretch: Stretch<'_>, event: usize) -> Option<Start> {
    let Stretch { bytes, is_first, decided, floor, .. } = stretch;
    // The last window may have ended with the mark.
    let low = floor.max(decided.saturating_sub(1)).max(event.saturating_sub(BACK));
    let mut at = event;
    while at > low {
        at -= 1;
        match ROLES[usize::from(bytes[at])] {
            Role::Inner => {}
            // `\f(` is a change of font.
            Role::Bracket if at == 0 || bytes[at - 1] == b'f' => {}
            Role::Bracket | Role::Mark => return Some(Start::Mark(bytes[at], at)),
            Role::Other => return None,
        }
    }
    match low {
        _ if floor > 0 && low == floor && floor >= decided => Some(Start::Floor(floor)),
        0 if is_first => Some(Start::First),
        _ => None,
    }
}

/// What a byte is to the walks back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// ASCII that they may go over, or look at from behind.
    Inner,
    /// What none goes over, and is itself in all encodings.
    Mark,
    Bracket,
    /// Not ASCII.
    Other,
}

static ROLES: [Role; 256] = {
    let mut roles = [Role::Other; 256];
    let mut byte = 0;
    while byte < 128 {
        roles[byte] = match byte as u8 {
            0..=b' ' | b'"' | b'<' => Role::Mark,
            b'(' => Role::Bracket,
            _ => Role::Inner,
        };
        byte += 1;
    }
    roles
};
