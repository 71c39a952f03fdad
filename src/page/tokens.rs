//! The tokenizers behind one type.

use std::sync::LazyLock;

use aho_corasick::packed::Searcher;

use crate::charset::Layout;
use crate::markup::{Css, Entities, Html, Json, Limits, Markdown, Step, Tokenizer, Xml};

/// The tokenizer of a format.
#[derive(Clone, Debug)]
pub(crate) enum Tokens {
    Html(Box<Html>),
    Xml(Box<Xml>),
    Css(Box<Css>),
    Json(Json),
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

    pub(crate) fn json() -> Tokens {
        Tokens::Json(Json::new())
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
        // Few tags begin so: one pass by vectors, whatever the case.
        static START: LazyLock<Option<Searcher>> =
            LazyLock::new(|| Searcher::new(["<ba", "<BA", "<Ba", "<bA"]));
        let is_base = |at: usize| {
            let name = bytes.get(at + 1..at + 5);
            name.is_some_and(|name| name.eq_ignore_ascii_case(b"base"))
        };
        match (self, &*START) {
            (Tokens::Css(_) | Tokens::Json(_) | Tokens::Markdown(_), _) => false,
            (_, Some(starts)) => starts.find_iter(bytes).any(|found| is_base(found.start())),
            // Where there are no such vectors, it is looked for among the tags.
            (_, None) => true,
        }
    }
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
            Tokens::Json(json) => json.next(bytes, is_last),
            Tokens::Markdown(markdown) => markdown.next(bytes, is_last),
        }
    }

    fn needed(&self) -> usize {
        match self {
            Tokens::Html(html) => html.needed(),
            Tokens::Xml(xml) => xml.needed(),
            Tokens::Css(css) => css.needed(),
            Tokens::Json(json) => json.needed(),
            Tokens::Markdown(markdown) => markdown.needed(),
        }
    }

    fn shift(&mut self, by: usize) {
        match self {
            Tokens::Html(html) => html.shift(by),
            Tokens::Xml(xml) => xml.shift(by),
            Tokens::Css(css) => css.shift(by),
            Tokens::Json(json) => json.shift(by),
            Tokens::Markdown(markdown) => markdown.shift(by),
        }
    }
}

// Elsewhere there are no vectors, and it is always looked for.
#[cfg(all(test, any(target_arch = "x86_64", target_arch = "aarch64")))]
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
