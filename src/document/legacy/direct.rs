//! Links in the midst of ASCII, found in the stored bytes as they are: nothing is decoded.
//!
//! Takes bytes and a trigger among them; gives the candidate there, if no byte
//! outside ASCII has a say in what it is. On the way forth the view of stored bytes sees to that: it
//! ends at such a byte. On the way back no walk may come to one, so that a mark which ends all walks
//! must be before the trigger, with nothing but ASCII in between; what stands on the line before
//! the mark has a say in what a host without a scheme is, and is looked at then.

use crate::charset::Layout;
use crate::scan::{Candidate, Reason, Scanner, Settings, TextKind, View};

/// Bytes before a trigger that are looked through for a mark.
const BACK: usize = 96;
/// Bytes before a colon that are looked through for where a scheme begins.
const MAX_SCHEME: usize = 36;
/// Bytes before the mark that may have a say; one more than are looked at, because the first may be half a
/// character. Only a line of nothing but ASCII is looked at further back.
const BEFORE: usize = 34;

/// Bytes that a trigger is among: of a block, or the narrow units of UTF-16.
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
    pub(super) min_start: usize,
}

impl Stretch<'_> {
    /// Leaves out what is from there on, which is not as it is stored.
    pub(super) fn end_at(&mut self, end: usize) {
        if end < self.bytes.len() {
            self.bytes = &self.bytes[..end];
            self.is_last = false;
        }
    }
}

/// Result of a look.
#[derive(Debug)]
pub(super) enum Looked {
    Found(Candidate),
    Nothing,
    /// A window decides.
    Undecided,
}

/// Looks at triggers without a window.
#[derive(Clone, Debug)]
pub(super) struct Direct {
    scanner: Scanner,
}

impl Direct {
    pub(super) fn new() -> Direct {
        Direct { scanner: Scanner::new() }
    }

    /// Looks at the trigger whose last byte is `trigger`, where `start` is in front of it.
    pub(super) fn look(
        &mut self,
        stretch: Stretch<'_>,
        trigger: usize,
        start: Start,
        settings: &Settings,
        text_kind: TextKind,
    ) -> Looked {
        let Stretch { bytes, is_last, min_start, .. } = stretch;
        let is_colon_or_at = bytes[..trigger].last() == Some(&b':') || bytes[trigger] == b'@';
        if !is_colon_or_at && !start.is_amid_ascii(stretch) {
            return Looked::Undecided;
        }
        // The scan of text tells an `@` by the byte after it.
        let trigger = trigger + usize::from(bytes[trigger] == b'@');
        if trigger == bytes.len() {
            return if is_last { Looked::Nothing } else { Looked::Undecided };
        }
        let view = View::of_stored(bytes, is_last, settings.references).of_kind(text_kind);
        let Ok(found) = self.scanner.candidate_at(settings, view, trigger, min_start) else {
            return Looked::Undecided;
        };
        let Some(candidate) = found else { return Looked::Nothing };
        // What should close it was looked for among bytes that may be half a character.
        if candidate.refused == Some(Reason::HostIpLiteral) {
            return Looked::Undecided;
        }
        debug_assert!(bytes[candidate.range.clone()].is_ascii());
        Looked::Found(candidate)
    }
}

/// Bound of all walks back from a trigger.
#[derive(Clone, Copy, Debug)]
pub(super) enum Start {
    /// A line begins after it, and goes on with nothing of the one before.
    Line,
    /// A mark at this offset, or the end of the last candidate there.
    At(usize),
    /// The beginning of the document.
    First,
    /// A character in front of the scheme, which nothing but a scheme goes back to.
    Scheme,
}

impl Start {
    /// Whether all that may have a say on the line in front is ASCII.
    pub(super) fn is_amid_ascii(self, stretch: Stretch<'_>) -> bool {
        let Stretch { bytes, is_first, .. } = stretch;
        match self {
            Start::Line | Start::First => true,
            Start::Scheme => false,
            Start::At(at) => {
                (at >= BEFORE || is_first) && bytes[at.saturating_sub(BEFORE)..at].is_ascii()
            }
        }
    }
}

/// Returns the bound of the walks back from `trigger`, if all is ASCII in between.
#[inline]
pub(super) fn start(stretch: Stretch<'_>, trigger: usize) -> Option<Start> {
    let Stretch { bytes, is_first, decided, min_start, .. } = stretch;
    // The last window may have ended with the mark.
    let low = min_start.max(decided.saturating_sub(1)).max(trigger.saturating_sub(BACK));
    let mut at = trigger;
    while at > low {
        at -= 1;
        match ROLES[usize::from(bytes[at])] {
            Role::Inner => {}
            // `\f(` is a change of font.
            Role::Bracket if at == 0 || bytes[at - 1] == b'f' => {}
            Role::Mark if bytes[at] == b'\n' && begins_anew(&bytes[..at]) => {
                return Some(Start::Line);
            }
            Role::Bracket | Role::Mark => return Some(Start::At(at)),
            Role::Other => return None,
        }
    }
    match low {
        _ if min_start > 0 && low == min_start && min_start >= decided => {
            Some(Start::At(min_start))
        }
        0 if is_first => Some(Start::First),
        _ => None,
    }
}

/// Whether a line begins after these bytes and a line feed that has nothing to do with the one before: lists of
/// files go on after a comma.
pub(super) fn begins_anew(before: &[u8]) -> bool {
    before.last().is_some_and(|byte| *byte != b',')
}

/// Where the scheme of the `://` whose first slash is at `trigger` begins, if all of it is there and not
/// all that is before it is decided.
pub(super) fn scheme_start(stretch: Stretch<'_>, trigger: usize) -> Option<usize> {
    let Stretch { bytes, decided, min_start, .. } = stretch;
    let colon = trigger.checked_sub(1)?;
    if !bytes[colon..].starts_with(b"://") {
        return None;
    }
    let low = min_start.max(decided).max(colon.saturating_sub(MAX_SCHEME));
    let before = bytes.get(low..colon)?;
    let is_part = |b: &&u8| b.is_ascii_alphanumeric() || b"+-.".contains(b);
    let start = colon - before.iter().rev().take_while(is_part).count();
    // Two bytes in front may be one character.
    (start < colon && start >= low + 2).then_some(start)
}

/// Whether these two bytes directly in front of a scheme end a character, and one that has no say in
/// where a link of ASCII ends: what a quotation mark outside ASCII has opened, one of its kind closes.
/// `is_begin`: whether a character begins with the first of them.
pub(super) fn has_no_say(layout: Layout, before: [u8; 2], is_begin: impl FnOnce() -> bool) -> bool {
    let [first, last] = before;
    match last {
        // Half a character or not: the others have none.
        0..0x80 => !b"_~*;:\"'`|<".contains(&last),
        _ if layout == Layout::Single || layout.is_utf16() => true,
        _ => first >= 0x80 && layout.step(&before) == 2 && is_begin(),
    }
}

/// Role of a byte in the walks back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Role {
    /// ASCII that they may go over, or look at from after.
    Inner,
    /// Ends them, and is itself in all encodings.
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
