//! Searches the head of a page for a `<base>`, for a stream that cannot be read in advance.
//!
//! It processes the page with the tokenizer's general states, tag by tag, so that the fast paths need not check where a
//! head ends.

use super::block::text_end;
use super::element::Element;
use super::{Html, HtmlState, HtmlStep};
use crate::input::chunk::Chunk;
use crate::markup::{BaseScope, Token, UrlValue};

/// Searches the head of a page for a `<base>`.
#[derive(Clone, Debug)]
pub(crate) struct HeadScout {
    html: Html,
    /// Whether a tag that ends with `/>` has no content.
    is_xml: bool,
}

/// Result of a search in a head.
#[derive(Clone, Debug)]
pub(crate) enum HeadLook {
    /// The first base.
    Base(UrlValue),
    /// The head ends without one.
    Over,
    /// Neither has been found yet.
    Open,
}

impl HeadScout {
    /// Creates a search from the tokenizer's position; in an XML document `/>` ends an element.
    pub(crate) fn new(html: Html, is_xml: bool) -> HeadScout {
        HeadScout { html, is_xml }
    }

    /// Continues the search in the bytes, which begin with those that were there before.
    pub(crate) fn look(&mut self, bytes: Chunk<'_>) -> HeadLook {
        let HeadScout { html, is_xml } = self;
        loop {
            let progress = match html.state {
                HtmlState::Text => {
                    let (end, _) = text_end(bytes, html.at);
                    let progress = html.any_text(bytes, end, false);
                    if matches!(html.state, HtmlState::Tag(_)) && html.tag_ends_head() {
                        return HeadLook::Over;
                    }
                    progress
                }
                HtmlState::Tag(inside) => {
                    let progress = html.tag(bytes, inside);
                    let end = bytes.get(html.at.saturating_sub(2)..html.at);
                    let is_empty = *is_xml && end == Some(b"/>");
                    if is_empty && matches!(html.state, HtmlState::Raw(_)) {
                        html.state = HtmlState::Text;
                    }
                    progress
                }
                HtmlState::Skip(skip) => html.skip(bytes, skip),
                HtmlState::Raw(raw) => html.raw(bytes, raw),
                HtmlState::Cdata => html.cdata(bytes),
            };
            match progress {
                HtmlStep::Token(Token::Base { value, scope: BaseScope::Document }) => {
                    return HeadLook::Base(value);
                }
                HtmlStep::On | HtmlStep::Token(_) => {}
                HtmlStep::Out if bytes.is_last() => return HeadLook::Over,
                HtmlStep::Out => return HeadLook::Open,
            }
        }
    }
}

impl Html {
    /// Returns `true` if the open tag cannot be in a head, or ends it (WHATWG §13.2.6.4.4). The content of a `template` is
    /// a separate document.
    fn tag_ends_head(&self) -> bool {
        let element = self.tag.element();
        match self.tag.is_end() {
            true => matches!(element.name(), "head" | "body" | "html"),
            false => !element.is_of_head() && !self.foreign.is_in_template(),
        }
    }
}

impl Element {
    /// Returns `true` if the element may be in a head, or around one.
    fn is_of_head(self) -> bool {
        let names = [
            "html", "head", "title", "base", "link", "meta", "style", "script", "noscript",
            "template", "noframes", "basefont", "bgsound", "command",
        ];
        self != Element::OTHER && names.contains(&self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::markup::ValueLimits;

    /// Returns after how many bytes the end of a head is known, or its base, and the base.
    fn known(page: &str, is_xml: bool) -> (usize, Option<&str>) {
        let mut scout = HeadScout::new(Html::new(ValueLimits::default()), is_xml);
        for end in 0..=page.len() {
            match scout.look(Chunk::new(&page.as_bytes()[..end], 0, false)) {
                HeadLook::Open => {}
                HeadLook::Over => return (end, None),
                HeadLook::Base(value) => return (end, Some(&page[value.range])),
            }
        }
        (usize::MAX, None)
    }

    #[test]
    fn a_head_ends_where_the_standard_ends_it() {
        let title = "<!doctype html><html><head><title><p></title><script>'<body>'</script>";
        for (rest, is_over) in [
            ("</head>", true),
            ("</HEAD >", true),
            ("<body class=x>", true),
            ("<p>", true),
            ("<x-y>", true),
            ("<svg>", true),
            ("</body>", true),
            ("</script></title></p>", false),
            ("<!-- <body> --><meta a='<p>'><link href=x>", false),
            ("<style>a{}</style><noscript><link href=x></noscript>", false),
            ("<template><p></p><base href=y></template> text", false),
            ("<template></template><p>", true),
            ("<?php <p> ?><!x><bod", false),
        ] {
            let page = format!("{title}{rest}");
            let (end, base) = known(&page, false);
            assert_eq!((end < usize::MAX, base), (is_over, None), "{rest}");
            assert!(!is_over || end > title.len() && end <= page.len(), "{rest}");
        }
        let page = format!("{title}<link href=a><base target=x><base href='b/'><p><base href=c>");
        assert_eq!(known(&page, false).1, Some("b/"));
        assert_eq!(known(&format!("{title}<p><base href=c>"), false).1, None);
    }

    #[test]
    fn an_empty_element_of_xml_has_no_content() {
        let page = "<?xml version='1.0'?><html><head><script src='a'/><title/><base href='b'/>";
        assert_eq!(known(page, true).1, Some("b"));
        assert_eq!(known(page, false), (usize::MAX, None));
        assert!(known("<?xml version='1.0'?><!-- html --><rss>", true).0 < usize::MAX);
    }
}
