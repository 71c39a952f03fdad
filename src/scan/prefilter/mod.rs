//! The prefilter: decides whether there may be a link in some bytes.
//!
//! A "no" is certain, whatever the bytes; a "yes" may turn out to be wrong. The prefilter decodes and validates nothing.
//! `triggers` and `legacy` process complete documents, `text` and `markup_text` check the texts of a page. `marks`
//! defines what a trigger byte is; `surroundings` which labels may begin a domain, and which words before a colon may be
//! schemes.

#[cfg(feature = "documents")]
mod legacy;
pub(crate) mod marks;
pub(crate) mod markup_text;
mod pass;
pub(crate) mod surroundings;
#[cfg(feature = "documents")]
mod text;
mod triggers;

#[cfg(feature = "documents")]
pub(crate) use legacy::{LegacyTriggers, Trigger};
pub(crate) use marks::Kinds;
pub(crate) use marks::{LegacyKinds, Stops};
pub(crate) use surroundings::Asked;
#[cfg(feature = "documents")]
pub(crate) use text::{Look, TextPrefilter};
pub(crate) use triggers::Triggers;

#[cfg(all(test, feature = "documents"))]
mod tests {
    use std::ops::Range;

    use super::*;
    use crate::charset::Layout;
    use crate::dice::Dice;
    use crate::document::legacy::kinds;
    use crate::scan::reference::{Rules, plainly_resolved};
    use crate::scan::{References, ScanStep, Scanner, Settings, View};
    use crate::simd::signs::{Isa, MaskKernel, Masks, NonAscii};

    #[rustfmt::skip]
    const PIECES: [&str; 36] = [
        "<p>", "</p>", "a", ".com", ".de", ".рф", "слово", "例え", "。jp", "．рф", "｡jp", "http", "://",
        "h.io", "/x", "user", "@", "e.org", "mailto:", "tel:+1", ":", ".", " ", "\n", "é", "www.",
        "urn:isbn:1", "doi:10.1/a", "&#46;com", "&period;com", "&colon;//a", "&commat;b.de",
        "&#x3002;jp", "&eacute;", ".&#99;om", "tel&#58;+1",
    ];

    /// Returns the texts between the tags of a document, in order.
    fn texts(document: &str) -> impl Iterator<Item = Range<usize>> {
        document.split_inclusive('>').scan(0, |at, piece| {
            let start = *at;
            *at += piece.len();
            Some(start..start + piece.find('<').unwrap_or(piece.len()))
        })
    }

    struct InMarkup<'b>(&'b [u8], usize);

    impl MaskKernel for InMarkup<'_> {
        type Output = bool;

        fn run(self, masks: impl Masks) -> bool {
            markup_text::may_hold_link(self.0, self.1, NonAscii::Utf8, masks)
        }
    }

    fn has_candidate(text: &str, references: References) -> bool {
        let view = View::new(text.as_bytes(), true, references);
        matches!(Scanner::new().next(&Settings::default(), view), ScanStep::Found(_))
    }

    /// The contract: each "no" is right, whatever is requested, and "no" is frequent enough to be useful.
    #[test]
    fn a_no_is_sure() {
        let mut dice = Dice::new(17);
        let mut of_text = TextPrefilter::utf8(true);
        let mut of_stored = TextPrefilter::stored(kinds(Layout::ShiftJis, &Settings::default()));
        let mut noes = [0; 4];
        for _ in 0..20_000 {
            let document: String = (0..dice.below(30)).map(|_| dice.pick(&PIECES)).collect();
            let bytes = document.as_bytes();
            for range in texts(&document) {
                let text = &document[range.clone()];
                let has_one = has_candidate(text, References::Never);
                let resolved = plainly_resolved(text, Rules::HtmlText);
                let has_one_resolved = has_candidate(&resolved, References::Never);
                let look = of_text.look(bytes, range.clone());
                let triggers =
                    Triggers::new(Asked::Labels).next(text.as_bytes(), Kinds { dots: true });
                // The trigger of an `@` is the byte after it, which a text may not have.
                let asked = [
                    (look == Look::Candidate, has_one),
                    (look != Look::Nothing, has_one_resolved),
                    (triggers.is_some() || text.ends_with('@'), has_one),
                    (
                        Isa::detect().run(InMarkup(&bytes[range.start..], range.len())),
                        has_one_resolved,
                    ),
                ];
                for (n, (perhaps, holds)) in asked.into_iter().enumerate() {
                    assert!(perhaps || !holds, "{n}: {text:?} in {document:?}");
                    noes[n] += u32::from(!perhaps);
                }
                if document.is_ascii() {
                    let look = of_stored.look(bytes, range);
                    assert!(look == Look::Candidate || !has_one, "{text:?} in {document:?}");
                }
            }
        }
        assert!(noes.iter().all(|noes| *noes > 2_000), "{noes:?}");
    }
}
