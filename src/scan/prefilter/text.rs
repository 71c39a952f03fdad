//! Finds texts in which the scan would find nothing, without scanning them.
//!
//! The input is the bytes of a document and the range of a text, the result is whether the text contains a trigger that may
//! become a candidate. Most texts of a page are short and ASCII, and each of their dots and colons is checked by itself.
//! For other texts the masks of their few blocks are computed. Numeric references are left to the caller, who checks
//! references of any kind.

use std::ops::Range;

use super::legacy::LegacyTriggers;
use super::marks::{
    BLOCK, FIRST_HOST, FIRST_LEAD, FIRST_LETTER, FULL_STOPS, Kinds, LegacyKinds, is_after_mark,
};
use super::surroundings::{self, Asked, may_be_colon};
use super::triggers::Triggers;
use crate::simd::signs::{self, Isa, MaskKernel, Masks, NonAscii};

/// Maximum number of non-ASCII bytes that are checked one by one: more than this, and most of the text is likely to be
/// non-ASCII.
const FEW: usize = 20;

/// Searches for triggers in the texts of a document.
#[derive(Clone, Debug)]
pub(crate) enum TextPrefilter {
    Utf8(Box<Triggers>, Kinds),
    Stored(Box<LegacyTriggers>, LegacyKinds),
}

/// Result of a check of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// A candidate may begin in the text.
    Candidate,
    /// A candidate may begin only with a reference.
    References,
    /// The text has neither triggers nor references.
    Nothing,
}

impl TextPrefilter {
    /// Creates the prefilter of a document in UTF-8.
    pub(crate) fn utf8(dots: bool) -> TextPrefilter {
        // Bytes after the end of a text are not part of it, and must not exclude a label.
        TextPrefilter::Utf8(Box::new(Triggers::new(Asked::Marks)), Kinds { dots })
    }

    /// Creates the prefilter of a document in a legacy encoding.
    pub(crate) fn stored(kinds: LegacyKinds) -> TextPrefilter {
        TextPrefilter::Stored(Box::new(LegacyTriggers::new()), kinds)
    }

    /// Checks a range of the bytes.
    pub(crate) fn look(&mut self, bytes: &[u8], range: Range<usize>) -> Look {
        // ASCII is the same in all encodings: in none of them is half a character a dot or a colon.
        let most_beyond = if matches!(self, TextPrefilter::Utf8(..)) { FEW } else { 0 };
        if let Some(look) = Isa::detect().run(Signs { bytes, range: range.clone(), most_beyond }) {
            return look;
        }
        match self.may_hold(bytes, range) {
            true => Look::Candidate,
            false => Look::References,
        }
    }

    /// Returns `true` if a candidate without references may begin in the range.
    #[inline(never)]
    fn may_hold(&mut self, bytes: &[u8], range: Range<usize>) -> bool {
        let text = &bytes[..range.end];
        // The trigger of an `@` is the byte after it.
        if text.ends_with(b"@") && !range.is_empty() {
            return true;
        }
        // Use complete blocks, so that the last one needs no copy.
        let blocks = range.len().div_ceil(BLOCK);
        let seen = &bytes[..bytes.len().min(range.start + blocks * BLOCK)];
        match self {
            TextPrefilter::Utf8(triggers, kinds) => {
                triggers.again(range.start);
                std::iter::from_fn(|| triggers.next(seen, *kinds))
                    .take_while(|trigger| *trigger < range.end)
                    .any(|trigger| is_promising(text, trigger))
            }
            TextPrefilter::Stored(triggers, kinds) => {
                triggers.restart(range.start);
                let trigger = triggers.next(seen, *kinds, |_| true);
                trigger.is_some_and(|(trigger, _)| trigger < range.end)
            }
        }
    }
}

/// The dots and colons of a text in UTF-8, including ideographic full stops. Without one of them there is no candidate: an
/// address has a dot in addition to its at sign.
struct Signs<'b> {
    bytes: &'b [u8],
    range: Range<usize>,
    /// Maximum number of non-ASCII bytes that are checked one by one.
    most_beyond: usize,
}

impl MaskKernel for Signs<'_> {
    /// `None` if the text has too many non-ASCII bytes, or the bytes end too soon.
    type Output = Option<Look>;

    #[inline(always)]
    fn run(self, masks: impl Masks) -> Option<Look> {
        let (mut look, mut beyond) = (Look::Nothing, 0);
        let Range { start: mut at, end } = self.range;
        let text = &self.bytes[..end];
        while at < end {
            let window = self.bytes[at..].first_chunk()?;
            let (_, mut signs) = masks.text(window, NonAscii::Anything);
            if end - at < signs::BLOCK {
                signs &= (1 << (end - at)) - 1;
            }
            let block = window.first_chunk()?;
            let high = masks.from(block, 0x80);
            if high & signs != 0 {
                if self.most_beyond == 0 {
                    return None;
                }
                // No other non-ASCII byte begins an ideographic full stop or follows a dot or colon.
                let marks = masks.same(block, b'.') | masks.same(block, b':');
                signs &= !high | masks.from(block, FIRST_LEAD) | marks << 1 | 1;
            }
            while signs != 0 {
                let sign = at + signs.trailing_zeros() as usize;
                let before = sign.checked_sub(1).map_or(0, |before| text[before]);
                signs &= signs - 1;
                let rest = text.get(sign + 1..).unwrap_or_default();
                let is_one = match (text[sign], rest) {
                    (b'.', [first, second, ..]) => {
                        before >= FIRST_HOST
                            && surroundings::label_may_begin(text, sign + 1)
                            && (*first.min(second) >= FIRST_LETTER
                                || surroundings::is_after_www(text, sign + 1))
                    }
                    (b':', [_, ..]) => may_be_colon(text, sign + 1),
                    (b'&', _) => {
                        look = Look::References;
                        false
                    }
                    (..0x80, _) => false,
                    (lead, _) => {
                        beyond += 1;
                        if beyond > self.most_beyond {
                            return None;
                        }
                        let is_dot = matches!(rest, [first, second, ..]
                            if lead >= FIRST_LEAD && FULL_STOPS.contains(&[*first, *second]));
                        (is_dot || matches!(before, b'.' | b':'))
                            && beyond_ascii(text, sign, before, lead)
                    }
                };
                if is_one {
                    return Some(Look::Candidate);
                }
            }
            at += signs::BLOCK;
        }
        Some(look)
    }
}

/// Decides about a sign if the byte at `sign` is not ASCII; a sign before it is not yet decided.
#[inline(never)]
fn beyond_ascii(text: &[u8], sign: usize, before: u8, lead: u8) -> bool {
    let may_be = |trigger: usize| {
        trigger < text.len()
            && is_after_mark(text, trigger, Kinds { dots: true })
            && is_promising(text, trigger)
    };
    matches!(before, b'.' | b':') && may_be(sign) || lead >= FIRST_LEAD && may_be(sign + 3)
}

/// Returns `true` if the trigger whose trigger byte is before `trigger` may become a candidate.
fn is_promising(text: &[u8], trigger: usize) -> bool {
    match text[trigger - 1] {
        b'@' => true,
        b':' => may_be_colon(text, trigger),
        b'&' => false,
        _ => surroundings::label_may_begin(text, trigger),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[test]
    fn what_stands_anywhere_in_a_long_text() {
        let mut looks = TextPrefilter::utf8(true);
        for (link, holds) in [("a.com", true), ("a@b", true), ("a.zq", false)] {
            for before in [0, 1, 62, 63, 64, 600, 2_047, 2_048, 9_000] {
                let text = format!("<p>{}{link} </p>x.com", " word".repeat(before / 5 + 1));
                let range = 3..text.len() - 9;
                let look = looks.look(text.as_bytes(), range);
                assert_eq!(look == Look::Candidate, holds, "{before} {link}");
            }
        }
    }
}
