//! Stretches in which the scan would find nothing, known without scanning them one by one.
//!
//! What comes in are the stored bytes of a document and the stretches of them that are texts, in order;
//! what goes out is whether a trigger stands in one that may become a candidate. The masks are made of
//! all the bytes, markup too, so that a short text costs no more than a look at one of them. Numeric
//! references are left to the caller, who looks at references of any kind.

use std::ops::Range;

use super::bare;
use super::stored::{StoredKinds, StoredTriggers, may_be_colon};
use super::trigger::{Kinds, Triggers};

/// The triggers of a document, ahead of its texts.
#[derive(Clone, Debug)]
pub(crate) struct Ahead {
    triggers: AnyTriggers,
    /// The first trigger that no text was asked about yet, if it is known.
    next: Option<usize>,
}

#[derive(Clone, Debug)]
enum AnyTriggers {
    Utf8(Triggers, Kinds),
    Stored(StoredTriggers, StoredKinds),
}

impl Ahead {
    /// Of a document in UTF-8.
    pub(crate) fn utf8(dots: bool) -> Ahead {
        Ahead { triggers: AnyTriggers::Utf8(Triggers::new(), Kinds { dots }), next: None }
    }

    /// Of a document in a legacy charset.
    pub(crate) fn stored(kinds: StoredKinds) -> Ahead {
        Ahead { triggers: AnyTriggers::Stored(StoredTriggers::new(), kinds), next: None }
    }

    /// Whether a candidate may begin in a stretch of the bytes, which lies behind those asked for before.
    pub(crate) fn may_hold(&mut self, bytes: &[u8], range: Range<usize>) -> bool {
        // Its event is that of the byte behind it.
        if bytes[range.clone()].ends_with(b"@") {
            return true;
        }
        if self.next.is_none_or(|next| next < range.start) {
            self.seek(range.start);
            self.next = self.following(bytes);
        }
        while let Some(event) = self.next.filter(|event| *event < range.end) {
            match self.triggers {
                AnyTriggers::Utf8(..) if !is_promising(&bytes[..range.end], event) => {}
                _ => return true,
            }
            self.next = self.following(bytes);
        }
        false
    }

    fn following(&mut self, bytes: &[u8]) -> Option<usize> {
        match &mut self.triggers {
            AnyTriggers::Utf8(triggers, kinds) => triggers.next(bytes, *kinds),
            AnyTriggers::Stored(triggers, kinds) => {
                triggers.next(bytes, *kinds, |_| true).map(|(event, _)| event)
            }
        }
    }

    fn seek(&mut self, offset: usize) {
        match &mut self.triggers {
            AnyTriggers::Utf8(triggers, _) => triggers.skip_to(offset),
            AnyTriggers::Stored(triggers, _) => triggers.seek(offset),
        }
    }

    /// The bytes have lost `by` at their front.
    pub(crate) fn shift(&mut self, by: usize) {
        let next = self.next.take();
        match &mut self.triggers {
            AnyTriggers::Utf8(triggers, _) => {
                triggers.again(next.unwrap_or(triggers.at()).saturating_sub(by));
            }
            AnyTriggers::Stored(triggers, _) => {
                triggers.shift(next.unwrap_or(0).saturating_sub(by));
            }
        }
    }
}

/// Whether the trigger whose last byte is `event` may become a candidate.
fn is_promising(text: &[u8], event: usize) -> bool {
    let back = |n: usize| event.checked_sub(n).map_or(0, |at| text[at]);
    match (back(2), back(1), text[event]) {
        (_, b'@', _) => true,
        (_, b':', _) => may_be_colon(text, event),
        (_, b'&', b'#') => false,
        (b'.', _, _) => bare::may_begin(text, event - 1),
        _ => bare::may_begin(text, event),
    }
}
