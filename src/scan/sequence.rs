//! Control sequences of terminals that change how text looks but not its content: SGR (ECMA-48 §8.3.117, `ESC [ … m`) and
//! EL (§8.3.41, `ESC [ K`). Programs write them around coloured text, which may be part of a link.
//!
//! The input is the units of a text from an ESC on, the result is the length of the sequence that they begin with, if they
//! do. The scan of a text ends before a sequence, and before a candidate that one may affect: text near a sequence is
//! scanned in a window without it.

use std::ops::Range;

use super::head::{Pending, Recognized, Wanted};
use super::view::{Incomplete, View};
use super::{ScanStep, Scanner, Settings};

pub(crate) const ESC: u8 = 0x1B;
/// Maximum number of parameter bytes; longer text after an ESC is not a sequence.
const MAX_PARAMETERS: usize = 64;
/// Number of bytes after a candidate, and after the word that it is in, that may affect it.
const REACH: usize = 128;
/// Number of additional bytes that are searched for a control sequence, for later candidates.
const AHEAD: usize = 512;
/// Maximum number of bytes that are checked without a search function.
const FEW: usize = 64;
/// Maximum number of bytes between the trigger and the end of a candidate of which only the end is reported.
pub(super) const BACK: usize = 4 << 10;

/// Sequence that begins with an ESC.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sequence {
    None,
    /// Sequence that continues after the end of the text.
    Cut,
    /// Complete sequence of this many units.
    Whole(usize),
}

impl Sequence {
    /// Returns the sequence that these units begin with; the first unit is an ESC.
    pub(crate) fn of(units: impl IntoIterator<Item = u16>) -> Sequence {
        let mut units = units.into_iter().skip(1).map(|unit| u8::try_from(unit).unwrap_or(0xFF));
        match units.next() {
            Some(b'[') => {}
            Some(_) => return Sequence::None,
            None => return Sequence::Cut,
        }
        let (mut len, mut last) = (0, None);
        for unit in units {
            match unit {
                b'0'..=b'9' | b';' | b':' if len < MAX_PARAMETERS => {
                    (len, last) = (len + 1, Some(unit))
                }
                b'm' => return Sequence::Whole(len + 3),
                b'K' if len == 0 || len == 1 && matches!(last, Some(b'0'..=b'2')) => {
                    return Sequence::Whole(len + 3);
                }
                _ => return Sequence::None,
            }
        }
        Sequence::Cut
    }

    /// Like [`of`](Sequence::of), for bytes.
    pub(crate) fn of_bytes(bytes: &[u8]) -> Sequence {
        Sequence::of(bytes.iter().map(|byte| u16::from(*byte)))
    }
}

impl Scanner {
    /// Returns `true` if it is known that no control sequence affects the candidate that ends at `end`: the text up to
    /// white space after it was searched, or the text has no more triggers. The end of a block may cut a sequence.
    #[inline(always)]
    pub(super) fn is_clear(&self, view: &View<'_>, end: usize) -> bool {
        end + REACH <= self.clear_to || view.is_last && self.triggers.have_ended(view.len())
    }

    /// Ends the scan before a candidate that a control sequence may affect; the candidate before it ends at `before`.
    #[inline(never)]
    pub(super) fn before_sequence(
        &mut self,
        settings: &Settings,
        view: &View<'_>,
        before: usize,
        candidate: Range<usize>,
    ) -> Result<(), ScanStep> {
        let (end, len) = (candidate.end, view.len());
        if view.is_last && len - end <= AHEAD {
            let rest = &view.text[end..];
            let has_escape = match rest.len() <= FEW {
                // This has no branch for each byte.
                true => rest.iter().fold(false, |has, byte| has | (*byte == ESC)),
                false => memchr::memchr(ESC, rest).is_some(),
            };
            if !has_escape {
                self.clear_to = usize::MAX;
                return Ok(());
            }
        }
        self.looked_to = self.looked_to.max(self.triggers.quiet_to());
        let mut to = len.min((end + REACH + AHEAD).max(self.looked_to));
        let ends_word = |bytes: &[u8]| bytes.iter().rposition(|byte| *byte <= b' ');
        let mut clear_to = usize::MAX;
        if to < len || !view.is_last {
            let last = to.saturating_sub(REACH).max(end);
            clear_to = ends_word(&view.text[last..to]).map_or(0, |at| last + at);
            if clear_to == 0 && ends_word(&view.text[end..to.min(end + REACH)]).is_none() {
                // Text without the end of a word may be part of a candidate, which is not that long.
                to = len.min(to.saturating_add(settings.max_link.saturating_mul(2)));
            }
        }
        let found = self.sequence_before(view, end, to);
        if found == Ok(false) {
            self.clear_to = self.clear_to.max(clear_to);
            self.looked_to = self.looked_to.max(to);
            return Ok(());
        }
        self.min_start = before;
        self.triggers.again(candidate.start.saturating_sub(BACK).max(before));
        found?;
        self.wanted = Wanted::Window;
        Err(ScanStep::Sequence)
    }

    /// Keeps a candidate whose end is not in the view; returns why the scan ends there.
    #[cold]
    pub(super) fn wait(
        &mut self,
        view: &View<'_>,
        pending: Pending,
        trigger: Option<usize>,
    ) -> ScanStep {
        let found = match view.has_sequences {
            true => self.sequence_before(view, pending.safe(), view.len()),
            false => Ok(false),
        };
        let step = match found {
            Ok(false) => {
                self.pending = Some(Box::new(pending));
                return ScanStep::Incomplete;
            }
            Ok(true) => {
                self.wanted = Wanted::Window;
                ScanStep::Sequence
            }
            Err(Incomplete) => ScanStep::Incomplete,
        };
        // The beginning was judged by characters that the sequence may be a part of.
        self.triggers.again(trigger.unwrap_or(self.min_start));
        step
    }

    /// Returns whether a control sequence begins after `from` and before `to`.
    pub(super) fn sequence_before(
        &self,
        view: &View<'_>,
        from: usize,
        to: usize,
    ) -> Result<bool, Incomplete> {
        let mut at = from.max(self.looked_to.min(to));
        while let Some(escape) = memchr::memchr(ESC, view.text.get(at..to).unwrap_or_default()) {
            at += escape;
            match Sequence::of_bytes(&view.text[at..]) {
                Sequence::Whole(_) => return Ok(true),
                Sequence::Cut if !view.is_last => return Err(Incomplete),
                Sequence::Cut | Sequence::None => at += 1,
            }
        }
        Ok(false)
    }
}

/// Returns the control sequence at a trigger that no other trigger byte precedes.
#[cold]
pub(super) fn after_escape(view: &View<'_>, trigger: usize) -> Result<Recognized, Incomplete> {
    if !view.has_sequences || view.text[trigger - 1] != ESC {
        return Ok(Recognized::Nothing);
    }
    match Sequence::of_bytes(&view.text[trigger - 1..]) {
        Sequence::Whole(_) => Ok(Recognized::Sequence(trigger)),
        Sequence::Cut if !view.is_last => Err(Incomplete),
        Sequence::Cut | Sequence::None => Ok(Recognized::Nothing),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_that_colour_and_erase() {
        let of = |text: &str| Sequence::of_bytes(text.as_bytes());
        for (text, len) in [
            ("\x1B[m", 3),
            ("\x1B[0mx", 4),
            ("\x1B[01;31m\x1B[K", 8),
            ("\x1B[38:2::1:2:3m", 14),
            ("\x1B[K", 3),
            ("\x1B[2K", 4),
        ] {
            assert_eq!(of(text), Sequence::Whole(len), "{text:?}");
        }
        for text in [
            "\x1B(B",
            "\x1B]8",
            "\x1B[H",
            "\x1B[?25h",
            "\x1B[3K",
            "\x1B[1;2K",
            "\x1B[>4m",
            "\x1B[é",
        ] {
            assert_eq!(of(text), Sequence::None, "{text:?}");
        }
        for text in ["\x1B", "\x1B[", "\x1B[1", "\x1B[1;"] {
            assert_eq!(of(text), Sequence::Cut, "{text:?}");
        }
        let long = |len: usize| format!("\x1B[{}m", "1".repeat(len));
        assert_eq!(of(&long(MAX_PARAMETERS)), Sequence::Whole(MAX_PARAMETERS + 3));
        assert_eq!(of(&long(MAX_PARAMETERS + 1)), Sequence::None);
        assert_eq!(of(&long(MAX_PARAMETERS + 1)[..MAX_PARAMETERS + 2]), Sequence::Cut);
    }
}
