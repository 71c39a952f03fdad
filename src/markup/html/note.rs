//! Attributes that decide what another attribute of their tag holds.

use std::borrow::Cow;

use super::element::Element;
use super::places::{AttributeMeaning, Deferred, KnownAttribute};
use crate::context::{ContextKind, KnownContext};
use crate::markup::{DeclaredJson, Grammar, Rules};
use crate::scan::reference::plainly_resolved;

use std::ops::Range;

/// Facts from a tag's attributes so far.
#[derive(Clone, Debug, Default)]
pub(crate) struct Notes {
    /// The value that depends on the others: `content` of a `meta`, `value` of a `param`.
    pub(super) content: Option<Range<usize>>,
    /// `http-equiv=refresh`.
    is_refresh: bool,
    /// Whether it has a name.
    is_named: bool,
    /// Whether its name or its `valuetype` states that the value is a URL.
    is_url: bool,
    /// The format of a `script` that holds JSON.
    pub(super) data: Option<DeclaredJson>,
    /// A `font` with one of its attributes.
    pub(super) is_styled_font: bool,
    /// An `annotation-xml` that holds HTML.
    pub(super) is_html_point: bool,
}

/// Names under which a `meta` has a URL, which may be relative, or a `param` of a plug-in does.
#[rustfmt::skip]
const URL_NAMES: [&str; 49] = [
    "og:url", "og:image", "og:image:url", "og:image:secure_url", "og:video", "og:video:url",
    "og:video:secure_url", "og:audio", "og:audio:url", "og:audio:secure_url", "og:see_also", "article:author",
    "article:publisher", "twitter:url", "twitter:image", "twitter:image:src", "twitter:image0", "twitter:image1",
    "twitter:image2", "twitter:image3", "twitter:player", "twitter:player:stream", "msapplication-tileimage",
    "msapplication-config", "msapplication-starturl", "msapplication-square70x70logo",
    "msapplication-square150x150logo", "msapplication-wide310x150logo", "msapplication-square310x310logo",
    "thumbnail", "thumbnailurl", "citation_pdf_url", "citation_fulltext_html_url", "citation_abstract_html_url",
    "identifier-url", "url", "image", "logo", "sameas", "contenturl", "embedurl", "downloadurl", "mainentityofpage",
    "src", "movie", "data", "href", "filename", "codebase",
];

impl Notes {
    /// Records an attribute's value.
    pub(super) fn add(&mut self, note: Deferred, value: &[u8]) {
        let value = String::from_utf8_lossy(value);
        let value: Cow<'_, str> = plainly_resolved(&value, Rules::HtmlAttribute);
        let is = |word: &str| value.eq_ignore_ascii_case(word);
        match note {
            Deferred::Content => {}
            Deferred::Pragma => self.is_refresh = is("refresh"),
            Deferred::Name => {
                self.is_named = true;
                // `property` and `itemprop` are lists of names.
                let mut names = value.split_ascii_whitespace();
                self.is_url |= names
                    .any(|name| URL_NAMES.iter().any(|known| known.eq_ignore_ascii_case(name)));
            }
            Deferred::ValueType => self.is_url |= is("ref"),
            Deferred::Type => self.data = json_of(&value),
            Deferred::Encoding => {
                self.is_html_point = is("text/html") || is("application/xhtml+xml");
            }
            Deferred::Font => self.is_styled_font = true,
        }
    }

    /// Returns the grammar of the value that depends on the others, if they tell, and its context.
    pub(crate) fn meaning(&self, is_meta: bool) -> (Option<Grammar>, &'static KnownContext) {
        static META: KnownContext = KnownContext::other("meta@content");
        static PARAM: KnownContext = KnownContext::other("param@value");
        static REFRESH: KnownContext = KnownContext::new("meta@refresh", ContextKind::Navigation);
        let context = if is_meta { &META } else { &PARAM };
        match (self.is_refresh, self.is_url, self.is_named) {
            (true, _, _) => (Some(Grammar::Refresh), &REFRESH),
            (_, true, _) => (Some(Grammar::NonEmptyUrl), context),
            (_, _, true) => (Some(Grammar::AbsoluteOnly), context),
            _ => (None, context),
        }
    }
}

/// Records the value of an attribute on which the grammar of another one of its tag depends.
pub(crate) fn note_attribute(element: Element, attribute: &[u8], value: &[u8], notes: &mut Notes) {
    let meaning = KnownAttribute::of(attribute).on(element, false);
    if let Some((AttributeMeaning::Notes(deferred), _)) = meaning {
        notes.add(deferred, value);
    }
}

/// Returns `true` if the `type` of a `script` states that it holds JSON.
pub(crate) fn is_json(kind: &str) -> bool {
    json_of(kind).is_some()
}

/// Returns the format of the JSON that a `script` of this `type` holds; `None` if it holds none.
fn json_of(kind: &str) -> Option<DeclaredJson> {
    let essence = kind.split(';').next().unwrap_or_default().trim_ascii();
    match &*essence.to_ascii_lowercase() {
        "importmap" => Some(DeclaredJson::ImportMap),
        "speculationrules" => Some(DeclaredJson::SpeculationRules),
        other if other.ends_with("/json") || other.ends_with("+json") => Some(DeclaredJson::Plain),
        _ => None,
    }
}

/// Returns `true` if a presentation attribute contains a functional notation such as `url(#a)`.
pub(super) fn has_function(value: &[u8]) -> bool {
    memchr::memchr_iter(b'(', value).any(|at| {
        let name = at.checked_sub(3).and_then(|start| value.get(start..at));
        name.is_some_and(|name| name.eq_ignore_ascii_case(b"url"))
    })
}
