//! The tokenizers of all formats as one type.

use std::sync::{Arc, LazyLock};

use crate::charset::Layout;
use crate::input::caseless::CaselessWord;
use crate::input::chunk::Chunk;
use crate::markup::{
    Css, Csv, DeclaredJson, Entities, Escaped, HeadScout, Html, IsBoundary, Json, Light, Markdown,
    PackageTexts, Token, Tokenizer, TokenizerStep, ValueLimits, Xml,
};
use crate::scan::reference::EscapeGrammar;
use crate::simd::signs::{BLOCK, Isa, MaskKernel, Masks, NonAscii};

/// The tokenizer of a format.
#[derive(Clone, Debug)]
pub(crate) enum Tokens {
    Html(Box<Html>),
    Xml(Box<Xml>),
    Css(Box<Css>),
    Json(Json),
    Csv(Csv),
    Escaped(Escaped),
    Light(Light),
    Markdown(Box<Markdown>),
    /// Runs of a calendar or a card, which are all known.
    Properties(std::vec::IntoIter<Token>),
}

impl Tokens {
    /// Creates the tokenizer of HTML in an encoding with this layout; without one, in UTF-8.
    pub(crate) fn html(limits: ValueLimits, layout: Option<Layout>) -> Tokens {
        let beyond = match layout {
            None => NonAscii::Utf8,
            Some(Layout::Single) => NonAscii::Letters,
            Some(_) => NonAscii::Anything,
        };
        Tokens::Html(Box::new(Html::new(limits).beyond(beyond).boundaries(boundaries(layout))))
    }

    /// Creates the tokenizer of XML in an encoding with this layout, with the texts of its links that are in another document.
    pub(crate) fn xml(
        limits: ValueLimits,
        layout: Option<Layout>,
        texts: Option<Arc<PackageTexts>>,
    ) -> Tokens {
        Tokens::Xml(Box::new(Xml::new(limits).texts(texts).boundaries(boundaries(layout))))
    }

    pub(crate) fn css(limits: ValueLimits) -> Tokens {
        Tokens::Css(Box::new(Css::new(limits)))
    }

    pub(crate) fn json(limits: ValueLimits) -> Tokens {
        Tokens::Json(Json::new(limits))
    }

    /// Creates the tokenizer of a notebook, whatever its first member is.
    pub(crate) fn notebook(limits: ValueLimits) -> Tokens {
        Tokens::Json(Json::notebook(limits))
    }

    /// Creates the tokenizer of the manifest of a web application.
    pub(crate) fn manifest(limits: ValueLimits) -> Tokens {
        Tokens::Json(Json::declared(DeclaredJson::Manifest, limits, 0))
    }

    pub(crate) fn csv() -> Tokens {
        Tokens::Csv(Csv::new())
    }

    pub(crate) fn escaped(grammar: EscapeGrammar) -> Tokens {
        Tokens::Escaped(Escaped::new(grammar))
    }

    /// Returns `true` for data that has neither markup nor its references.
    pub(super) fn is_data(&self) -> bool {
        matches!(
            self,
            Tokens::Json(_)
                | Tokens::Csv(_)
                | Tokens::Escaped(_)
                | Tokens::Light(_)
                | Tokens::Properties(_)
        )
    }

    pub(crate) fn markdown(limits: ValueLimits) -> Tokens {
        Tokens::Markdown(Box::new(Markdown::new(limits)))
    }

    /// Returns `true` if a value waits for the rest of its tag, which decides on its context: links found until then
    /// come after it.
    #[inline]
    pub(super) fn is_value_waiting(&self) -> bool {
        match self {
            Tokens::Html(html) => html.is_value_waiting(),
            _ => false,
        }
    }

    /// Returns the earliest offset at which the tag may start that was read last: in HTML and XML, its own.
    pub(super) fn tag_start(&self) -> usize {
        match self {
            Tokens::Html(html) => html.tag_start(),
            Tokens::Xml(xml) => xml.tag_start(),
            _ => 0,
        }
    }

    /// Returns the entities that an XML document has declared.
    pub(super) fn entities(&mut self) -> Option<&mut Entities> {
        match self {
            Tokens::Xml(xml) => Some(xml.entities()),
            _ => None,
        }
    }

    /// Returns a scout for a base in the head of a page, from where the tokenizer is; `None` in formats that have neither.
    pub(super) fn head_scout(&self) -> Option<HeadScout> {
        match self {
            Tokens::Html(html) => Some(HeadScout::new(Html::clone(html), false)),
            // XHTML has the heads of HTML; any other first element ends the head.
            Tokens::Xml(_) => Some(HeadScout::new(Html::new(ValueLimits::default()), true)),
            _ => None,
        }
    }

    /// Returns `true` if the bytes may contain a `<base>`.
    pub(super) fn may_have_base(&self, bytes: &[u8]) -> bool {
        match self {
            Tokens::Css(_)
            | Tokens::Json(_)
            | Tokens::Csv(_)
            | Tokens::Escaped(_)
            | Tokens::Light(_)
            | Tokens::Markdown(_)
            | Tokens::Properties(_) => false,
            _ => match Isa::detect() {
                // Its masks take half the time of those of other processors, where the search is faster.
                Isa::Plain(_) => BASE.is_in(bytes),
                #[cfg_attr(
                    not(target_arch = "x86_64"),
                    allow(unreachable_patterns, reason = "there are no wide ones elsewhere")
                )]
                wide => wide.run(HasBase(bytes)),
            },
        }
    }
}

/// Searches for `<base` where masks are not faster.
static BASE: LazyLock<CaselessWord> = LazyLock::new(|| CaselessWord::new("<base"));

/// Searches for [`BASE`] by masks.
struct HasBase<'b>(&'b [u8]);

/// Number of blocks that are searched at once.
const GROUP: usize = 4;
/// Number of bytes after the `<` of `<base` that are compared.
const BEHIND: usize = 4;

impl MaskKernel for HasBase<'_> {
    type Output = bool;

    #[inline(always)]
    fn run(self, masks: impl Masks) -> bool {
        let mut rest = self.0;
        while let Some(group) = rest.first_chunk::<{ GROUP * BLOCK + BEHIND }>() {
            let mut signs = 0;
            for start in (0..GROUP).map(|n| n * BLOCK) {
                let block = |at: usize| group.get(at..).and_then(|bytes| bytes.first_chunk());
                if let (Some(opens), Some(third)) = (block(start), block(start + 3)) {
                    // Hardly any other tag has an `s` at this position.
                    let is_s = masks.same(third, b's') | masks.same(third, b'S');
                    signs |= masks.same(opens, b'<') & is_s;
                }
            }
            if signs != 0 && BASE.is_in_few(group) {
                return true;
            }
            rest = rest.get(GROUP * BLOCK..).unwrap_or_default();
        }
        BASE.is_in_few(rest)
    }
}

/// Returns the function that finds boundaries of characters in an encoding with this layout; a part of a text in UTF-8, which
/// needs no decoding, may be cut anywhere.
fn boundaries(layout: Option<Layout>) -> IsBoundary {
    match layout {
        Some(Layout::ShiftJis) => |b, known, at| is_boundary(Layout::ShiftJis, b, known, at),
        Some(Layout::EucJp) => |b, known, at| is_boundary(Layout::EucJp, b, known, at),
        Some(Layout::EucKr) => |b, known, at| is_boundary(Layout::EucKr, b, known, at),
        Some(Layout::Big5) => |b, known, at| is_boundary(Layout::Big5, b, known, at),
        Some(Layout::Gb) => |b, known, at| is_boundary(Layout::Gb, b, known, at),
        _ => |_, _, _| true,
    }
}

/// Returns `true` if a character begins at `at`; one begins at `known`.
fn is_boundary(layout: Layout, chunk: Chunk<'_>, known: usize, at: usize) -> bool {
    let Some(offset) = at.checked_sub(known) else { return false };
    layout.boundary(chunk.get(known..).unwrap_or_default(), offset) == offset
}

impl Tokenizer for Tokens {
    fn next(&mut self, chunk: Chunk<'_>) -> TokenizerStep {
        match self {
            Tokens::Html(html) => html.next(chunk),
            Tokens::Xml(xml) => xml.next(chunk),
            Tokens::Css(css) => css.next(chunk),
            Tokens::Json(json) => json.next(chunk),
            Tokens::Csv(csv) => csv.next(chunk),
            Tokens::Escaped(escaped) => escaped.next(chunk),
            Tokens::Light(light) => light.next(chunk),
            Tokens::Markdown(markdown) => markdown.next(chunk),
            Tokens::Properties(tokens) => {
                tokens.next().map_or(TokenizerStep::Done, TokenizerStep::Token)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_anywhere() {
        let html = Tokens::html(ValueLimits::default(), None);
        for before in (0..400).step_by(3) {
            for after in [0, 1, 40, 140] {
                for (tag, is_one) in [
                    ("<base", true),
                    ("<BASE", true),
                    ("<bAsE", true),
                    ("<bas", false),
                    ("<<base", true),
                    ("< base", false),
                    ("<br><b>base<basE", true),
                ] {
                    let text = [
                        "<b>x".repeat(before / 4),
                        "-".repeat(before % 4),
                        tag.into(),
                        " ".repeat(after),
                    ];
                    assert_eq!(html.may_have_base(text.concat().as_bytes()), is_one, "{text:?}");
                    assert_eq!(BASE.is_in(text.concat().as_bytes()), is_one, "{text:?}");
                }
            }
        }
        assert!(!Tokens::css(ValueLimits::default()).may_have_base(b"<base"));
    }
}
