//! Skips the characters of a link's tail that need no action, as nearly all of them are: classifies each byte by the action
//! that it needs in the search for the end.

use super::{Component, Ending};
use crate::scan::plain::Tail;
use crate::scan::view::{Char, View};
use crate::tables::{self, Term};

impl Ending {
    /// Skips the characters that need no action, and stops where the link surely ends.
    #[inline]
    pub(super) fn skip(&mut self, view: &View<'_>) {
        let text = view.text;
        let mut at = self.at;
        let mut tail = tail_at(text, at);
        loop {
            let run = tail.run();
            // This applies only to a run of Soft that began in an earlier window; one that begins here is not longer than
            // the window.
            if at + run.soft_in_front - self.safe > self.limits.max_link {
                self.stopped = true;
                break;
            }
            if run.has_slash && self.component == Component::Path {
                self.pairs.brackets.clear();
            }
            if run.included > 0 {
                self.safe = at + run.included;
            }
            at += run.len;
            if tail.is_all(run) {
                tail = Tail::at(text, at);
                continue;
            }
            match text.get(at).map_or(Act::Look, |&byte| ACTS[usize::from(byte)]) {
                Act::Foreign if self.is_foreign && !self.lead.angle => {
                    let end = self.after_quiet(view, at);
                    if end == at {
                        break;
                    }
                    at = end;
                    tail = tail_at(text, at);
                    continue;
                }
                Act::Look | Act::Foreign => break,
                Act::Hard => {
                    self.stopped = !self.lead.angle;
                    if self.stopped {
                        self.at = at;
                        self.cut_label(u32::from(text[at]));
                        return;
                    }
                    break;
                }
                Act::Query if self.component == Component::Path => {
                    self.component = Component::Query;
                    self.at = at;
                    at += 1;
                    self.open_part(u32::from('?'), at);
                }
                Act::Query => break,
                // This byte is too rare to have a mask.
                act => {
                    at += 1;
                    if act != Act::Soft {
                        self.safe = at;
                    }
                    if act == Act::Value && self.component == Component::Query {
                        self.pairs.brackets.clear();
                    }
                }
            }
            tail = tail.after(run).unwrap_or_else(|| Tail::at(text, at));
        }
        self.at = at;
    }

    /// Returns the offset after the non-ASCII characters at `at` that need no action if the link already has non-ASCII
    /// characters.
    fn after_quiet(&mut self, view: &View<'_>, mut at: usize) -> usize {
        while let Some(0x80..) = view.text.get(at)
            && let Ok(Char { code, len }) = view.next(at)
            && is_quiet(code)
            && at + len - self.safe <= self.limits.max_link
        {
            at += len;
            self.safe = at;
            self.seen.attention = true;
        }
        at
    }
}

/// Returns the masks of the bytes at `at`; they are not computed if the first byte must be examined.
#[inline]
fn tail_at(text: &[u8], at: usize) -> Tail {
    match text.get(at).map(|&byte| ACTS[usize::from(byte)]) {
        Some(Act::Plain | Act::Soft) => Tail::at(text, at),
        _ => Tail::NONE,
    }
}

/// Returns `true` if a non-ASCII character belongs to a link and needs no further check: it is neither a character that may
/// end a link in prose nor a quotation mark nor one that an IRI must not have. The blocks of those are left out of these
/// ranges.
#[inline]
pub(crate) fn is_quiet(code: u32) -> bool {
    let is_letters = matches!(code, 0xC0..=0x386 | 0x388..=0x55A | 0x55F..=0x5F3 | 0x5F5..=0x1FFF | 0x3021..=0xFEFF | 0x10000..=0xDFFFF);
    is_letters && tables::class(code).term() == Term::Include
}

/// Action of the search for a byte.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Act {
    /// Include; no other action is needed.
    Plain,
    /// Soft; no other action is needed.
    Soft,
    /// Hard: white space and controls.
    Hard,
    /// `=`, which closes the brackets of a value in a query.
    Value,
    /// `?`, which opens the query after a path.
    Query,
    /// The first byte of a non-ASCII character, or of a malformed sequence.
    Foreign,
    /// Any other byte: the character must be examined.
    Look,
}

const ACTS: [Act; 256] = {
    let mut acts = [Act::Foreign; 256];
    let mut byte = 0;
    while byte < 128 {
        acts[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => Act::Plain,
            b'-' | b'_' | b'~' | b'$' | b'*' | b'+' | b'/' => Act::Plain,
            b'.' | b',' | b'!' => Act::Soft,
            0..=b' ' | 0x7F => Act::Hard,
            b'=' => Act::Value,
            b'?' => Act::Query,
            _ => Act::Look,
        };
        byte += 1;
    }
    acts
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::iri::chars::{Private, judge};

    #[test]
    fn an_iri_may_have_the_quiet_characters() {
        let quiet = ('\u{80}'..=char::MAX).filter(|c| is_quiet(u32::from(*c)));
        assert!(quiet.clone().count() > 100_000);
        for c in quiet {
            assert_eq!(judge(c, Private::No), Ok(()), "{c:?}");
        }
    }
}
