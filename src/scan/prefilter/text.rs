//! Stretches in which the scan would find nothing, known without scanning them.
//!
//! Takes the bytes of a document and a stretch of them that is a text; gives whether a
//! trigger is in it that may become a candidate. Most texts of a page are short and ASCII: each dot and colon
//! of theirs is looked at by itself. Of others the masks of their few blocks are made. Numeric references are
//! left to the caller, who looks at references of any kind.

use std::ops::Range;

use super::colon::may_be_colon;
use super::label;
use super::legacy::LegacyTriggers;
use super::marks::{
    BLOCK, FIRST_HOST, FIRST_LEAD, FIRST_LETTER, FULL_STOPS, Kinds, LegacyKinds, is_after_mark,
};
use super::surroundings::Asked;
use super::triggers::Triggers;
use crate::simd::signs::{self, Isa, MaskKernel, Masks, NonAscii};

/// Bytes of a non-ASCII text that are looked at one by one: those that most of it is not made of.
const FEW: usize = 20;

/// Looks for triggers in the texts of a document.
#[derive(Clone, Debug)]
pub(crate) enum TextPrefilter {
    Utf8(Box<Triggers>, Kinds),
    Stored(Box<LegacyTriggers>, LegacyKinds),
}

/// Result of a look at a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Look {
    /// A candidate may begin in it.
    Candidate,
    /// None may, but for what references make.
    References,
    /// There are no references either.
    Nothing,
}

impl TextPrefilter {
    /// Makes the prefilter of a document in UTF-8.
    pub(crate) fn utf8(dots: bool) -> TextPrefilter {
        // What is after the end of a text is none of it, and must not speak against a label.
        TextPrefilter::Utf8(Box::new(Triggers::new(Asked::Marks)), Kinds { dots })
    }

    /// Makes the prefilter of a document in a legacy charset.
    pub(crate) fn stored(kinds: LegacyKinds) -> TextPrefilter {
        TextPrefilter::Stored(Box::new(LegacyTriggers::new()), kinds)
    }

    /// Looks at a stretch of the bytes.
    pub(crate) fn look(&mut self, bytes: &[u8], range: Range<usize>) -> Look {
        // What is ASCII is the same in all of them: in none has a character half of it that is a sign.
        let most_beyond = if matches!(self, TextPrefilter::Utf8(..)) { FEW } else { 0 };
        if let Some(look) = Isa::detect().run(Signs { bytes, range: range.clone(), most_beyond }) {
            return look;
        }
        match self.may_hold(bytes, range) {
            true => Look::Candidate,
            false => Look::References,
        }
    }

    /// Whether a candidate may begin there that no reference is part of.
    #[inline(never)]
    fn may_hold(&mut self, bytes: &[u8], range: Range<usize>) -> bool {
        let text = &bytes[..range.end];
        // Its trigger is that of the byte after it.
        if text.ends_with(b"@") && !range.is_empty() {
            return true;
        }
        // Whole blocks, lest the last one be made up.
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

/// The dots and colons of a text in UTF-8, ideographic dots too. Without one of them there is no candidate:
/// an address has a dot as well as its at sign.
struct Signs<'b> {
    bytes: &'b [u8],
    range: Range<usize>,
    /// So many non-ASCII bytes are looked at one by one.
    most_beyond: usize,
}

impl MaskKernel for Signs<'_> {
    /// None, if there is too much that is not ASCII, or the bytes are about to end.
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
                // None of the others begins a dot or is after a sign.
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
                            && label::may_begin(text, sign + 1)
                            && (*first.min(second) >= FIRST_LETTER
                                || label::is_after_www(text, sign + 1))
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

/// The same where what is at `sign` is not ASCII: of a sign before that nothing else is known.
#[inline(never)]
fn beyond_ascii(text: &[u8], sign: usize, before: u8, lead: u8) -> bool {
    let may_be = |trigger: usize| {
        trigger < text.len()
            && is_after_mark(text, trigger, Kinds { dots: true })
            && is_promising(text, trigger)
    };
    matches!(before, b'.' | b':') && may_be(sign) || lead >= FIRST_LEAD && may_be(sign + 3)
}

/// Whether the trigger whose mark is before `trigger` may become a candidate.
fn is_promising(text: &[u8], trigger: usize) -> bool {
    match text[trigger - 1] {
        b'@' => true,
        b':' => may_be_colon(text, trigger),
        b'&' => false,
        _ => label::may_begin(text, trigger),
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
