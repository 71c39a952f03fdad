//! Every place in which HTML, SVG and MathML hold an IRI: attribute, grammar, elements.
//!
//! HTML's are those of the living standard, of its obsolete features (§16) and of HTML 2 to 4 with what
//! browsers added; then RDFa, microdata, XLink, SVG 1.1 and 2, MathML 2 to 4, and VML. An attribute that
//! decides what another one holds (`http-equiv`) is noted.

use std::borrow::Cow;

use super::element::Element;
use super::name::Names;
use crate::context::{ContextKind, KnownContext, StoredContext};
use crate::markup::{Grammar, Lazy, ValueLimits};

/// Purpose of an attribute.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum AttributeMeaning {
    Holds(Grammar),
    Notes(Deferred),
}

/// An attribute that is evaluated together with others of its tag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Deferred {
    /// `content` of a `meta`, `value` of a `param`: the other attributes state what it is.
    Content,
    /// `http-equiv`.
    Pragma,
    /// `name`, `property`, `itemprop`.
    Name,
    /// `valuetype` of a `param`.
    ValueType,
    /// `type` of a `script`.
    Type,
    /// `encoding` of an `annotation-xml`.
    Encoding,
    /// `color`, `face`, `size`: a `font` that has one ends SVG and MathML.
    Font,
}

/// The elements on which an attribute counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Space {
    /// Listed elements of HTML.
    Html,
    /// All elements of HTML.
    AllHtml,
    /// Listed elements of SVG and MathML.
    Foreign,
    /// All elements of SVG and MathML.
    AllForeign,
    All,
}

/// Condition under which an attribute is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ReadCondition {
    Always,
    /// Only with [`Lazy::Read`]: no standard defines its value, but scripts that load lazily use it.
    Lazy,
}

struct UrlAttribute {
    attribute: &'static str,
    what: AttributeMeaning,
    when: ReadCondition,
    space: Space,
    /// The elements that count, or those of them that are frequent, with their contexts.
    listed: &'static [(Element, KnownContext)],
    /// Kind of the context on elements that are not listed.
    others: ContextKind,
}

macro_rules! place {
    ($when:ident, $space:ident, $attribute:literal, $what:expr, $kind:ident, $($element:literal)*) => {
        UrlAttribute {
            attribute: $attribute,
            what: $what,
            when: ReadCondition::$when,
            space: Space::$space,
            listed: &[$((
                Element::listed($element),
                KnownContext::new(concat!($element, "@", $attribute), ContextKind::$kind),
            )),*],
            others: match ContextKind::$kind {
                ContextKind::Identity => ContextKind::Identity,
                _ => ContextKind::Other,
            },
        }
    };
}

macro_rules! value {
    ($kind:ident, $space:ident, $attribute:literal, $grammar:ident, $($element:literal)*) => {
        place!(Always, $space, $attribute, AttributeMeaning::Holds(Grammar::$grammar), $kind, $($element)*)
    };
}

macro_rules! holds {
    ($space:ident, $attribute:literal, $grammar:ident, $($element:literal)*) => {
        value!(Other, $space, $attribute, $grammar, $($element)*)
    };
}

macro_rules! embeds {
    ($space:ident, $attribute:literal, $grammar:ident, $($element:literal)*) => {
        value!(Embedded, $space, $attribute, $grammar, $($element)*)
    };
}

macro_rules! loads {
    ($space:ident, $attribute:literal, $grammar:ident, $($element:literal)*) => {
        value!(Loaded, $space, $attribute, $grammar, $($element)*)
    };
}

macro_rules! identifies {
    ($space:ident, $attribute:literal, $grammar:ident, $($element:literal)*) => {
        value!(Identity, $space, $attribute, $grammar, $($element)*)
    };
}

macro_rules! lazy {
    ($space:ident, $attribute:literal, $grammar:ident, $($element:literal)*) => {
        place!(Lazy, $space, $attribute, AttributeMeaning::Holds(Grammar::$grammar), Other, $($element)*)
    };
}

macro_rules! notes {
    ($space:ident, $attribute:literal, $note:ident, $($element:literal)*) => {
        place!(Always, $space, $attribute, AttributeMeaning::Notes(Deferred::$note), Other, $($element)*)
    };
}

/// Rows of one attribute are adjacent; the first that matches counts.
#[rustfmt::skip]
const PLACES: &[UrlAttribute] = &[
    value!(Anchor, Html, "href", Url, "a"),
    value!(Anchor, Foreign, "href", Url, "a"),
    value!(Area, Html, "href", Url, "area"),
    value!(Navigation, Html, "href", Url, "ion-button" "ion-item" "ion-card" "ion-router-link" "sl-button"),
    value!(Relation, Html, "href", Url, "link"),
    value!(Base, Html, "href", Url, "base"),
    holds!(Html, "href", Url, "v:shape" "v:group" "v:rect" "v:roundrect" "v:oval" "v:line" "v:polyline" "v:curve" "v:arc" "v:image"),
    loads!(AllForeign, "href", Url, "use" "image" "textpath" "lineargradient" "radialgradient" "pattern" "feimage" "script"),
    value!(Frame, Html, "src", NonEmptyUrl, "iframe" "embed" "frame" "portal" "amp-iframe" "turbo-frame"),
    embeds!(Html, "src", NonEmptyUrl, "img" "source" "input" "video" "audio" "track" "bgsound" "amp-img" "amp-anim" "amp-video" "amp-audio" "iron-image" "ion-img"),
    loads!(Html, "src", NonEmptyUrl, "script" "layer" "ilayer" "xml" "amp-list" "amp-ad" "amp-embed" "amp-state" "amp-story-player" "amp-video-iframe" "amp-3d-gltf" "amp-render" "amp-ima-video" "include-fragment" "model-viewer" "lottie-player" "dotlottie-player" "zero-md"),
    embeds!(Html, "src", NonEmptyUrl, "v:image" "v:imagedata" "v:fill" "v:stroke"),
    holds!(Foreign, "src", Url, "mglyph" "annotation"),
    embeds!(Html, "srcset", Srcset, "img" "source" "amp-img" "amp-anim"),
    embeds!(Html, "imagesrcset", Srcset, "link"),
    holds!(All, "style", Style, ),
    holds!(Html, "srcdoc", Srcdoc, "iframe"),
    value!(Form, Html, "action", NonEmptyUrl, "form" "isindex"),
    // AMP, also in mail.
    value!(Form, Html, "action-xhr", NonEmptyUrl, "form"),
    value!(Button, Html, "formaction", NonEmptyUrl, "button"),
    value!(Form, Html, "formaction", NonEmptyUrl, "input"),
    holds!(Html, "cite", Url, "blockquote" "q" "ins" "del"),
    value!(Frame, Html, "data", NonEmptyUrl, "object"),
    embeds!(Html, "poster", NonEmptyUrl, "video" "model-viewer" "amp-video" "amp-iframe"),
    holds!(Html, "longdesc", Url, "img" "frame" "iframe"),
    embeds!(Html, "background", NonEmptyUrl, "body" "table" "tr" "td" "th" "thead" "tbody" "tfoot" "layer" "ilayer"),
    holds!(Html, "usemap", Url, "img" "object" "input"),
    loads!(Html, "classid", Url, "object"),
    holds!(Html, "codebase", Url, "object" "applet"),
    loads!(Html, "archive", SpaceList, "object"),
    loads!(Html, "archive", CommaList, "applet"),
    identifies!(Html, "profile", SpaceList, "head"),
    loads!(Html, "manifest", NonEmptyUrl, "html"),
    embeds!(Html, "icon", NonEmptyUrl, "menuitem" "command"),
    holds!(Html, "ping", SpaceList, "a" "area"),
    identifies!(Html, "urn", Url, "a" "link"),
    embeds!(Html, "lowsrc", NonEmptyUrl, "img"),
    embeds!(Html, "dynsrc", NonEmptyUrl, "img"),
    holds!(Html, "pluginspage", NonEmptyUrl, "embed"),
    holds!(Html, "pluginurl", NonEmptyUrl, "embed"),
    // Bookmarks that browsers export.
    embeds!(Html, "icon_uri", NonEmptyUrl, "a"),
    holds!(Html, "feedurl", NonEmptyUrl, "a"),
    // Microdata and RDFa.
    identifies!(All, "itemid", Url, ),
    identifies!(All, "itemtype", SpaceList, ),
    identifies!(All, "about", SafeCurieOrUrl, ),
    identifies!(All, "resource", SafeCurieOrUrl, ),
    identifies!(All, "vocab", Url, ),
    // XLink, SVG, MathML.
    value!(Anchor, Foreign, "xlink:href", Url, "a"),
    loads!(AllForeign, "xlink:href", Url, "use" "image" "textpath" "lineargradient" "radialgradient" "pattern" "feimage" "script"),
    identifies!(AllForeign, "xlink:role", Url, ),
    identifies!(AllForeign, "xlink:arcrole", Url, ),
    holds!(AllForeign, "xml:base", Url, ),
    holds!(AllForeign, "fill", CssValue, ),
    holds!(AllForeign, "stroke", CssValue, ),
    holds!(AllForeign, "filter", CssValue, ),
    holds!(AllForeign, "mask", CssValue, ),
    holds!(AllForeign, "clip-path", CssValue, ),
    holds!(AllForeign, "marker", CssValue, ),
    holds!(AllForeign, "marker-start", CssValue, ),
    holds!(AllForeign, "marker-mid", CssValue, ),
    holds!(AllForeign, "marker-end", CssValue, ),
    holds!(AllForeign, "cursor", CssValue, ),
    loads!(Foreign, "altimg", Url, "math"),
    identifies!(Foreign, "cdgroup", Url, "math"),
    identifies!(AllForeign, "definitionurl", Url, "csymbol" "annotation" "annotation-xml"),
    // VML, in addition to `href` and `src`: the source of a picture or a fill.
    loads!(Html, "althref", NonEmptyUrl, "v:imagedata" "v:fill" "v:stroke"),
    loads!(Html, "o:href", NonEmptyUrl, "v:image" "v:imagedata" "v:fill" "v:stroke"),
    loads!(Html, "o:althref", NonEmptyUrl, "v:imagedata" "v:fill" "v:stroke"),
    // Attributes that scripts copy to `src`, `href` and `srcset` when the user scrolls to the element: read on request.
    lazy!(AllHtml, "data-src", NonEmptyUrl, ),
    lazy!(AllHtml, "data-href", NonEmptyUrl, ),
    lazy!(AllHtml, "data-srcset", Srcset, ),
    lazy!(AllHtml, "data-url", NonEmptyUrl, ),
    lazy!(AllHtml, "data-original", NonEmptyUrl, ),
    lazy!(AllHtml, "data-bg", NonEmptyUrl, ),
    lazy!(AllHtml, "data-lazy-src", NonEmptyUrl, ),
    lazy!(AllHtml, "data-lazy-srcset", Srcset, ),
    // Attributes that decide what another attribute holds.
    notes!(Html, "content", Content, "meta"),
    notes!(Html, "value", Content, "param"),
    notes!(Html, "http-equiv", Pragma, "meta"),
    notes!(Html, "name", Name, "meta" "param"),
    notes!(Html, "property", Name, "meta"),
    notes!(Html, "itemprop", Name, "meta"),
    notes!(Html, "valuetype", ValueType, "param"),
    notes!(Html, "type", Type, "script"),
    notes!(Foreign, "encoding", Encoding, "annotation-xml"),
    notes!(Foreign, "color", Font, "font"),
    notes!(Foreign, "face", Font, "font"),
    notes!(Foreign, "size", Font, "font"),
];

const COUNT: usize = PLACES.len();
const _: () = assert!(COUNT < 128, "an attribute is a bit of a u128");

static NAMES: Names<COUNT> = {
    let mut names = [""; COUNT];
    let mut at = 0;
    while at < COUNT {
        names[at] = PLACES[at].attribute;
        at += 1;
    }
    Names::new(names)
};

/// An attribute of the table, or an unknown one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct KnownAttribute(u8);

impl KnownAttribute {
    pub(super) const NONE: KnownAttribute = KnownAttribute(0);
    pub(super) const HREF: KnownAttribute = KnownAttribute(NAMES.listed("href"));

    /// Returns the attribute with this name of at most eight bytes, folded.
    #[inline(always)]
    pub(super) fn by_key(key: u64) -> KnownAttribute {
        KnownAttribute(NAMES.by_key(key))
    }

    pub(super) fn of(name: &[u8]) -> KnownAttribute {
        KnownAttribute(NAMES.number_of(name))
    }

    /// Returns `true` if the attribute has a meaning on this HTML element.
    #[inline(always)]
    pub(super) fn counts_on(self, element: Element) -> bool {
        let row = MEANINGS.rows[0].get(usize::from(self.0));
        row.and_then(|row| row.get(element.number())).is_some_and(|number| *number != 0)
    }

    /// Returns `true` if it is only read on request: [`ReadCondition::Lazy`].
    pub(super) fn is_lazy(self) -> bool {
        LAZY & self.bit() != 0
    }

    /// Returns the meaning of the attribute on this element.
    pub(super) fn on(
        self,
        element: Element,
        is_foreign: bool,
    ) -> Option<(AttributeMeaning, AttributeContext)> {
        let row = MEANINGS.rows[usize::from(is_foreign)].get(usize::from(self.0))?;
        match row.get(element.number()) {
            None | Some(0) => None,
            Some(number) => Some(MEANINGS.listed[usize::from(*number)]),
        }
    }

    /// Returns the bit of the attribute in a set of the attributes of a tag.
    pub(super) const fn bit(self) -> u128 {
        1 << (self.0 & 127)
    }
}

/// The bits of lazy attributes.
const LAZY: u128 = {
    let (mut bits, mut at) = (0, 0);
    while at < COUNT {
        if matches!(PLACES[at].when, ReadCondition::Lazy) {
            bits |= KnownAttribute(NAMES.listed(PLACES[at].attribute)).bit();
        }
        at += 1;
    }
    bits
};

/// Context of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AttributeContext {
    Listed(&'static KnownContext),
    /// This attribute of an element whose name is only in the document.
    Of(&'static str, ContextKind),
}

impl AttributeContext {
    pub(crate) fn on<'a>(self, element: impl FnOnce() -> Cow<'a, str>) -> StoredContext {
        match self {
            AttributeContext::Listed(known) => known.into(),
            AttributeContext::Of(attribute, kind) => {
                StoredContext::of_attribute(&element(), attribute, kind)
            }
        }
    }
}

/// The table of places, indexed by attribute and element.
struct Meanings {
    /// In HTML, and in SVG and MathML: by the attribute's number, then by the element's; 0 means none.
    rows: [Rows; 2],
    listed: [(AttributeMeaning, AttributeContext); 256],
}

type Rows = [[u8; Element::COUNT]; COUNT + 1];

static MEANINGS: Meanings = {
    let mut rows = [[[0; Element::COUNT]; COUNT + 1]; 2];
    let mut listed = [(
        AttributeMeaning::Notes(Deferred::Content),
        AttributeContext::Listed(KnownContext::TEXT),
    ); 256];
    let (mut count, mut at) = (1, 0);
    while at < COUNT {
        let place = &PLACES[at];
        let attribute = NAMES.listed(place.attribute) as usize;
        // Earlier rows have precedence, so existing entries are kept.
        let mut on = 0;
        while on < place.listed.len() {
            let (element, context) = &place.listed[on];
            listed[count] = (place.what, AttributeContext::Listed(context));
            mark(&mut rows, attribute, place.space, element.number(), count as u8);
            count += 1;
            on += 1;
        }
        if matches!(place.space, Space::All | Space::AllHtml | Space::AllForeign) {
            let context = match place.what {
                AttributeMeaning::Holds(Grammar::Style) => {
                    AttributeContext::Listed(KnownContext::STYLE)
                }
                _ => AttributeContext::Of(place.attribute, place.others),
            };
            listed[count] = (place.what, context);
            let mut element = 0;
            while element < Element::COUNT {
                mark(&mut rows, attribute, place.space, element, count as u8);
                element += 1;
            }
            count += 1;
        }
        at += 1;
    }
    Meanings { rows, listed }
};

const fn mark(rows: &mut [Rows; 2], attribute: usize, space: Space, element: usize, number: u8) {
    let html = &mut rows[0][attribute][element];
    if *html == 0 && matches!(space, Space::Html | Space::AllHtml | Space::All) {
        *html = number;
    }
    let foreign = &mut rows[1][attribute][element];
    if *foreign == 0 && !matches!(space, Space::Html | Space::AllHtml) {
        *foreign = number;
    }
}

/// Returns the grammar of an attribute's value and its context, if it holds any IRIs on this element.
pub(crate) fn html_place(
    element: Element,
    attribute: &[u8],
    is_foreign: bool,
    limits: &ValueLimits,
) -> Option<(Grammar, AttributeContext)> {
    let attribute = KnownAttribute::of(attribute);
    if attribute.is_lazy() && limits.lazy == Lazy::Left {
        return None;
    }
    match attribute.on(element, is_foreign)? {
        (AttributeMeaning::Holds(grammar), context) => Some((grammar, context)),
        (AttributeMeaning::Notes(_), _) => None,
    }
}

/// Returns `true` if an attribute with this name means nothing on this element.
pub(crate) fn is_idle_attribute(element: Element, attribute: &[u8], is_foreign: bool) -> bool {
    KnownAttribute::of(attribute).on(element, is_foreign).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_one_attribute_are_together() {
        for (at, place) in PLACES.iter().enumerate() {
            let first = usize::from(KnownAttribute::of(place.attribute.as_bytes()).0) - 1;
            let is_same = |p: &UrlAttribute| p.attribute == place.attribute && p.when == place.when;
            assert!(PLACES[first..=at].iter().all(is_same), "{}", place.attribute);
        }
    }

    #[test]
    fn where_an_attribute_counts() {
        let on = |attribute: &str, element: &str, is_foreign| {
            KnownAttribute::of(attribute.as_bytes()).on(Element::of(element.as_bytes()), is_foreign)
        };
        let holds = |grammar, context| Some((AttributeMeaning::Holds(grammar), context));
        static ANCHOR: KnownContext = KnownContext::new("a@href", ContextKind::Anchor);
        static USE: KnownContext = KnownContext::new("use@href", ContextKind::Loaded);
        for is_foreign in [false, true] {
            let anchor = holds(Grammar::Url, AttributeContext::Listed(&ANCHOR));
            assert_eq!(on("HREF", "A", is_foreign), anchor);
        }
        assert_eq!(on("href", "div", false), None);
        assert_eq!(on("href", "use", false), None);
        assert_eq!(on("href", "use", true), holds(Grammar::Url, AttributeContext::Listed(&USE)));
        assert_eq!(
            on("href", "mrow", true),
            holds(Grammar::Url, AttributeContext::Of("href", ContextKind::Other))
        );
        assert_eq!(on("src", "script", true), None);
        assert_eq!(
            on("style", "x", false),
            holds(Grammar::Style, AttributeContext::Listed(KnownContext::STYLE))
        );
        assert_eq!(
            on("archive", "object", false).unwrap().0,
            AttributeMeaning::Holds(Grammar::SpaceList)
        );
        assert_eq!(
            on("archive", "applet", false).unwrap().0,
            AttributeMeaning::Holds(Grammar::CommaList)
        );
        assert_eq!(on("fill", "path", false), None);
        assert_eq!(
            on("encoding", "annotation-xml", true).unwrap().0,
            AttributeMeaning::Notes(Deferred::Encoding)
        );
    }
}
