//! The tokenizers behind one type.

use crate::charset::Layout;
use crate::markup::{Css, Entities, Html, Limits, Markdown, Step, Tokenizer, Xml};
use crate::scan::simd::signs::{BLOCK, Best, ByMasks, Masks};

/// The tokenizer of a format.
#[derive(Clone, Debug)]
pub(crate) enum Tokens {
    Html(Box<Html>),
    Xml(Box<Xml>),
    Css(Box<Css>),
    Markdown(Box<Markdown>),
}

impl Tokens {
    pub(crate) fn html(limits: Limits) -> Tokens {
        Tokens::Html(Box::new(Html::new(limits)))
    }

    /// XML in an encoding that is laid out so.
    pub(crate) fn xml(limits: Limits, layout: Option<Layout>) -> Tokens {
        let xml = Xml::new(limits);
        Tokens::Xml(Box::new(match layout {
            Some(Layout::ShiftJis) => {
                xml.boundaries(|b, known, at| is_boundary(Layout::ShiftJis, b, known, at))
            }
            Some(Layout::Big5) => {
                xml.boundaries(|b, known, at| is_boundary(Layout::Big5, b, known, at))
            }
            Some(Layout::Gb) => {
                xml.boundaries(|b, known, at| is_boundary(Layout::Gb, b, known, at))
            }
            _ => xml,
        }))
    }

    pub(crate) fn css(limits: Limits) -> Tokens {
        Tokens::Css(Box::new(Css::new(limits)))
    }

    pub(crate) fn markdown(limits: Limits) -> Tokens {
        Tokens::Markdown(Box::new(Markdown::new(limits)))
    }

    /// What an XML document has declared.
    pub(super) fn entities(&mut self) -> Option<&mut Entities> {
        match self {
            Tokens::Xml(xml) => Some(xml.entities()),
            _ => None,
        }
    }

    /// Whether the bytes may hold a `<base>`.
    pub(super) fn may_have_base(&self, bytes: &[u8]) -> bool {
        match self {
            Tokens::Css(_) | Tokens::Markdown(_) => false,
            Tokens::Html(_) | Tokens::Xml(_) => Best::of_here().by(Bases { bytes }),
        }
    }
}

/// Whether `<base` stands in the bytes, in any case.
struct Bases<'b> {
    bytes: &'b [u8],
}

/// Where the `s` of it stands: no other tags have one there, but a few that are rare.
const RARE: usize = 3;

impl ByMasks for Bases<'_> {
    type Output = bool;

    #[inline(always)]
    fn by(self, masks: impl Masks) -> bool {
        let mut rest = self.bytes;
        while let Some(window) = rest.first_chunk::<{ BLOCK + RARE }>() {
            if let (Some(block), Some(ahead)) = (window.first_chunk(), window.last_chunk()) {
                let rare = masks.same(ahead, b's') | masks.same(ahead, b'S');
                let mut opens = masks.same(block, b'<') & rare;
                while opens != 0 {
                    if begins_base(&rest[opens.trailing_zeros() as usize..]) {
                        return true;
                    }
                    opens &= opens - 1;
                }
            }
            rest = &rest[BLOCK..];
        }
        (0..rest.len()).any(|at| begins_base(&rest[at..]))
    }
}

fn begins_base(bytes: &[u8]) -> bool {
    bytes.get(..5).is_some_and(|start| start.eq_ignore_ascii_case(b"<base"))
}

/// Whether a character begins at `at`, given that one does at `known`.
fn is_boundary(layout: Layout, bytes: &[u8], known: usize, at: usize) -> bool {
    let Some(offset) = at.checked_sub(known) else { return false };
    layout.boundary(bytes.get(known..).unwrap_or_default(), offset) == offset
}

impl Tokenizer for Tokens {
    fn next(&mut self, bytes: &[u8], is_last: bool) -> Step {
        match self {
            Tokens::Html(html) => html.next(bytes, is_last),
            Tokens::Xml(xml) => xml.next(bytes, is_last),
            Tokens::Css(css) => css.next(bytes, is_last),
            Tokens::Markdown(markdown) => markdown.next(bytes, is_last),
        }
    }

    fn needed(&self) -> usize {
        match self {
            Tokens::Html(html) => html.needed(),
            Tokens::Xml(xml) => xml.needed(),
            Tokens::Css(css) => css.needed(),
            Tokens::Markdown(markdown) => markdown.needed(),
        }
    }

    fn shift(&mut self, by: usize) {
        match self {
            Tokens::Html(html) => html.shift(by),
            Tokens::Xml(xml) => xml.shift(by),
            Tokens::Css(css) => css.shift(by),
            Tokens::Markdown(markdown) => markdown.shift(by),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_base_anywhere() {
        let html = Tokens::html(Limits::default());
        for before in 0..100 {
            for after in [0, 1, 40] {
                for (tag, is_one) in [
                    ("<base", true),
                    ("<BASE", true),
                    ("<bAsE", true),
                    ("<bas", false),
                    ("<<base", true),
                    ("< base", false),
                    ("<br><b>base<basE", true),
                    ("<a s><ins><Base", true),
                    ("<abs><p style></us>", false),
                ] {
                    let text = [
                        "<b>x".repeat(before / 4),
                        "-".repeat(before % 4),
                        tag.into(),
                        " ".repeat(after),
                    ];
                    assert_eq!(html.may_have_base(text.concat().as_bytes()), is_one, "{text:?}");
                }
            }
        }
        assert!(!Tokens::css(Limits::default()).may_have_base(b"<base"));
    }
}
