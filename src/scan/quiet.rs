//! Stretches in which the scan would find nothing, known without scanning them one by one.
//!
//! What comes in are the stored bytes of a document and the stretches of them that are texts, in order;
//! what goes out is whether a trigger stands in one that may become a candidate. The masks are made of
//! all the bytes, markup too, so that a short text costs no more than a look at one of them. Numeric
//! references are left to the caller, who looks at references of any kind.

use std::ops::Range;

use super::bare;
use super::sieve::Sieve;
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
#[expect(clippy::large_enum_variant, reason = "there is one for a document")]
enum AnyTriggers {
    Utf8(Triggers, Kinds),
    Stored(StoredTriggers, StoredKinds),
}

impl Ahead {
    /// Of a document in UTF-8.
    pub(crate) fn utf8(dots: bool) -> Ahead {
        // What stands behind the end of a text is none of it, and must not speak against a label.
        let triggers = Triggers::new(Sieve::Marks);
        Ahead { triggers: AnyTriggers::Utf8(triggers, Kinds { dots }), next: None }
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

/// Whether the trigger whose mark stands before `event` may become a candidate.
fn is_promising(text: &[u8], event: usize) -> bool {
    match text[event - 1] {
        b'@' => true,
        b':' => may_be_colon(text, event),
        b'&' => false,
        _ => bare::may_begin(text, event),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::{References, Scanner, Settings, Step, View};

    const PIECES: [&str; 24] = [
        "<p>",
        "a",
        ".com",
        ".de",
        "例え",
        "。jp",
        "．рф",
        "http",
        "://",
        "h.io",
        "/x",
        "user",
        "@",
        "e.org",
        "mailto:",
        "tel:+1",
        ":",
        ".",
        " ",
        "\n",
        "é",
        "www.",
        "urn:isbn:1",
        "</p>",
    ];

    /// Documents of pieces, by a generator of numbers (Knuth's MMIX).
    fn documents(count: usize) -> impl Iterator<Item = Vec<&'static str>> {
        let mut state = 17_u64;
        let mut below = move |end: usize| {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (state >> 33) as usize % end
        };
        (0..count).map(move |_| (0..below(30)).map(|_| PIECES[below(PIECES.len())]).collect())
    }

    /// Texts of a document, in order: what stands between its tags.
    fn texts(document: &str) -> impl Iterator<Item = Range<usize>> {
        document.split_inclusive('>').scan(0, |at, piece| {
            let start = *at;
            *at += piece.len();
            Some(start..start + piece.find('<').unwrap_or(piece.len()))
        })
    }

    #[test]
    fn what_has_a_candidate_may_hold_one() {
        let settings = Settings::default();
        let mut quiet = 0;
        for document in documents(20_000) {
            let document = document.concat();
            let mut ahead = Ahead::utf8(true);
            let (mut cut, mut front) = (Ahead::utf8(true), 0);
            for range in texts(&document) {
                let may_hold = ahead.may_hold(document.as_bytes(), range.clone());
                // The same where the bytes up to a text go when it was asked about.
                let rest = &document.as_bytes()[front..];
                let here = range.start - front..range.end - front;
                assert_eq!(cut.may_hold(rest, here), may_hold, "{range:?} in {document:?}");
                cut.shift(range.start - front);
                front = range.start;
                let view = View::new(document[range.clone()].as_bytes(), true, References::Never);
                let has_one = matches!(Scanner::new().next(&settings, view), Step::Found(_));
                assert!(may_hold || !has_one, "{:?} in {document:?}", &document[range]);
                quiet += usize::from(!may_hold);
            }
        }
        assert!(quiet > 5_000, "{quiet}");
    }
}
