//! Links among ASCII, found in the stored bytes without decoding.
//!
//! The input is bytes and a trigger in them, the result is the candidate there, if no non-ASCII byte affects it.
//! Forwards, the view of stored bytes ends at the first non-ASCII byte. Backwards, no search may reach one, so there
//! must be a mark before the trigger that ends all searches, with only ASCII in between. The line before the mark may
//! decide whether a host without a scheme is one, and is checked for that.

use crate::charset::Layout;
use crate::scan::{Match, Reason, Scanner, Settings, TextKind, View};

/// Bytes before a trigger that are searched for a mark.
const BACK: usize = 96;
/// Bytes before a colon that are searched for the start of a scheme.
const MAX_SCHEME: usize = 36;
/// Bytes before the mark that may affect the candidate; one more than are read, because the first may be half a
/// character. Only a line of ASCII alone is read further back.
const BEFORE: usize = 34;

/// Bytes around a trigger: those of a block, or the narrow units of UTF-16.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stretch<'a> {
    pub(super) bytes: &'a [u8],
    /// Whether the document begins with them.
    pub(super) is_first: bool,
    /// Whether the document ends with them.
    pub(super) is_last: bool,
    /// End of the last window.
    pub(super) decided: usize,
    /// End of the last candidate that needed no window.
    pub(super) min_start: usize,
}

impl Stretch<'_> {
    /// Removes the bytes from an offset on, which are not stored as they are.
    pub(super) fn end_at(&mut self, end: usize) {
        if end < self.bytes.len() {
            self.bytes = &self.bytes[..end];
            self.is_last = false;
        }
    }
}

/// Result of checking a trigger without a window.
#[derive(Debug)]
pub(super) enum Looked {
    Found(Match),
    Nothing,
    /// A window decides.
    Undecided,
}

/// Checks triggers without a window.
#[derive(Clone, Debug)]
pub(super) struct Direct {
    scanner: Scanner,
}

impl Direct {
    pub(super) fn new() -> Direct {
        Direct { scanner: Scanner::new() }
    }

    /// Checks the trigger whose last byte is at `trigger`; `start` is before it.
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
        // The scan of text recognises an `@` by the byte after it.
        let trigger = trigger + usize::from(bytes[trigger] == b'@');
        if trigger == bytes.len() {
            return if is_last { Looked::Nothing } else { Looked::Undecided };
        }
        let view = View::of_stored(bytes, is_last, settings.references).of_kind(text_kind);
        let Ok(found) = self.scanner.candidate_at(settings, view, trigger, min_start) else {
            return Looked::Undecided;
        };
        let Some(candidate) = found else { return Looked::Nothing };
        // The closing character was searched for among bytes that may be half a character.
        if candidate.refused == Some(Reason::HostIpLiteral) {
            return Looked::Undecided;
        }
        debug_assert!(bytes[candidate.range.clone()].is_ascii());
        Looked::Found(candidate)
    }
}

/// Bound of all searches backwards from a trigger.
#[derive(Clone, Copy, Debug)]
pub(super) enum Start {
    /// A line begins after it, and does not continue the line before.
    Line,
    /// A mark at this offset, or the end of the last candidate there.
    At(usize),
    /// The beginning of the document.
    First,
    /// A character before the scheme, which only the search for a scheme reaches.
    Scheme,
}

impl Start {
    /// Returns `true` if all bytes before on the line that may affect the candidate are ASCII.
    fn is_amid_ascii(self, stretch: Stretch<'_>) -> bool {
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

/// Returns the bound of the searches backwards from `trigger`, if all bytes in between are ASCII.
#[inline]
pub(super) fn start(stretch: Stretch<'_>, trigger: usize) -> Option<Start> {
    let Stretch { bytes, is_first, decided, min_start, .. } = stretch;
    // The last window may have ended with the mark.
    let low = min_start.max(decided.saturating_sub(1)).max(trigger.saturating_sub(BACK));
    let mut at = trigger;
    while at > low {
        at -= 1;
        match ROLES[usize::from(bytes[at])] {
            ByteRole::Inner => {}
            // `\f(` is a change of font.
            ByteRole::Bracket if at == 0 || bytes[at - 1] == b'f' => {}
            ByteRole::Mark if bytes[at] == b'\n' && begins_anew(&bytes[..at]) => {
                return Some(Start::Line);
            }
            ByteRole::Bracket | ByteRole::Mark => return Some(Start::At(at)),
            ByteRole::Other => return None,
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

/// Returns `true` if the line after these bytes and a line feed does not continue the line before: lists of files
/// continue after a comma.
pub(super) fn begins_anew(before: &[u8]) -> bool {
    before.last().is_some_and(|byte| *byte != b',')
}

/// Returns the start of the scheme of the `://` whose first slash is at `trigger`, if all of it is available and
/// something before it is undecided.
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

/// Returns `true` if these two bytes directly before a scheme end a character that does not affect where an ASCII link
/// ends: a non-ASCII quotation mark does, since one of its kind closes it. `is_begin`: a character begins with the
/// first of them.
pub(super) fn has_no_say(layout: Layout, before: [u8; 2], is_begin: impl FnOnce() -> bool) -> bool {
    let [first, last] = before;
    match last {
        // Other encodings have no half characters.
        0..0x80 => !b"_~*;:\"'`|<".contains(&last),
        _ if layout == Layout::Single || layout.is_utf16() => true,
        _ => first >= 0x80 && layout.step(&before) == 2 && is_begin(),
    }
}

/// Role of a byte in the searches backwards.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ByteRole {
    /// ASCII that they may skip, or read from after it.
    Inner,
    /// Ends them, and is the same character in all encodings.
    Mark,
    Bracket,
    /// Not ASCII.
    Other,
}

static ROLES: [ByteRole; 256] = {
    let mut roles = [ByteRole::Other; 256];
    let mut byte = 0;
    while byte < 128 {
        roles[byte] = match byte as u8 {
            0..=b' ' | b'"' | b'<' => ByteRole::Mark,
            b'(' => ByteRole::Bracket,
            _ => ByteRole::Inner,
        };
        byte += 1;
    }
    roles
};
