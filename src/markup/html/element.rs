//! The elements that matter for finding links, and their properties.

use super::name::Names;

/// An element; only those listed below are distinguished.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Element(u8);

/// Number of the elements that are listed.
const COUNT: usize = LISTED.len();

#[rustfmt::skip]
const LISTED: [&str; 183] = [
    // They hold IRIs, or decide what other elements hold.
    "a", "applet", "area", "audio", "base", "bgsound", "blockquote", "body", "button", "command", "del",
    "embed", "form", "frame", "head", "html", "iframe", "ilayer", "image", "img", "input", "ins",
    "isindex", "layer", "link", "menuitem", "meta", "object", "param", "portal", "q", "script",
    "source", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "track", "video", "xml",
    // Raw text, in addition to `iframe` and `script`.
    "noembed", "plaintext", "style", "textarea", "title", "xmp",
    // They do not break a link.
    "wbr",
    // SVG and MathML: root elements, integration points, and elements that hold IRIs.
    "svg", "math", "annotation-xml", "desc", "foreignobject", "mi", "mn", "mo", "ms", "mtext",
    "mglyph", "malignmark", "annotation", "csymbol", "use", "feimage", "textpath", "lineargradient",
    "radialgradient", "pattern",
    // HTML elements that end SVG and MathML.
    "b", "big", "br", "center", "code", "dd", "div", "dl", "dt", "em", "font", "h1", "h2", "h3", "h4",
    "h5", "h6", "hr", "i", "li", "listing", "menu", "nobr", "ol", "p", "pre", "ruby", "s", "small",
    "span", "strong", "strike", "sub", "sup", "tt", "u", "ul", "var",
    // Others that are special, or have no content.
    "address", "article", "aside", "caption", "col", "colgroup", "details", "dir", "fieldset",
    "figcaption", "figure", "footer", "frameset", "header", "hgroup", "keygen", "main", "marquee",
    "nav", "noframes", "noscript", "search", "section", "select", "summary", "template", "basefont", "option",
    "optgroup", "label", "picture", "cite", "kbd", "samp", "abbr",
    // Widely used custom elements.
    "amp-img", "amp-anim", "amp-video", "amp-audio", "amp-iframe", "amp-list", "amp-ad", "amp-embed", "amp-state",
    "amp-story-player", "amp-video-iframe", "amp-3d-gltf", "amp-render",
    "amp-ima-video",
    "turbo-frame", "include-fragment",
    "model-viewer", "lottie-player", "dotlottie-player", "iron-image", "ion-img", "ion-button", "ion-item",
    "ion-card", "ion-router-link", "sl-button", "zero-md",
    // VML, which Outlook draws.
    "v:shape", "v:group", "v:rect", "v:roundrect", "v:oval", "v:line", "v:polyline", "v:curve", "v:arc", "v:image",
    "v:imagedata", "v:fill", "v:stroke",
];

static NAMES: Names<COUNT> = Names::new(LISTED);

/// Properties of an element.
mod flag {
    /// Raw text follows, in HTML. The content of `noscript` and `noframes` is markup, as for browsers that do neither run scripts nor
    /// show frames.
    pub(super) const RAW: u8 = 1;
    /// Ends SVG and MathML.
    pub(super) const BREAKS_OUT: u8 = 2;
    /// Has neither content nor end tag.
    pub(super) const VOID: u8 = 4;
    /// The standard's category "special": other end tags do not reach past it.
    pub(super) const SPECIAL: u8 = 8;
    /// The standard's category "formatting".
    pub(super) const FORMATTING: u8 = 16;
    /// Its end, or the end of its start tag, must be processed even if no foreign element is open.
    pub(super) const NOTABLE: u8 = 32;
    /// End tags of the elements around it have no effect in it.
    pub(super) const SCOPE: u8 = 64;
}

/// Flags by number, 256 of them so that a number needs no bounds check.
static FLAGS: [u8; 256] = {
    let mut flags = [0; 256];
    let groups: [(u8, &str); 7] = [
        (flag::RAW, "iframe script noembed plaintext style textarea title xmp "),
        (
            flag::BREAKS_OUT,
            "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 head hr \
             i img li listing menu meta nobr ol p pre ruby s small span strong strike sub sup \
             table tt u ul var ",
        ),
        (
            flag::VOID,
            "area base basefont bgsound br col embed frame hr image img input keygen link meta \
             param source track wbr ",
        ),
        (
            flag::SPECIAL,
            "address applet area article aside base basefont bgsound blockquote body br button \
             caption center col colgroup dd details dir div dl dt embed fieldset figcaption figure \
             footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe img \
             input keygen li link listing main marquee menu meta nav noembed noframes noscript \
             object ol p param plaintext pre script search section select source style summary \
             table tbody td template textarea tfoot th thead title tr track ul wbr xmp ",
        ),
        (flag::SCOPE, "applet caption html marquee object table td template th "),
        (flag::FORMATTING, "a b big code em font i nobr s small strike strong tt u "),
        (
            flag::NOTABLE,
            "a image wbr svg math iframe script noembed plaintext style textarea title xmp meta param ",
        ),
    ];
    let mut group = 0;
    while group < groups.len() {
        let (bit, list) = groups[group];
        let (mut rest, mut at) = (list.as_bytes(), 0);
        while at < rest.len() {
            if rest[at] == b' ' {
                let (name, after) = rest.split_at(at);
                let Ok(name) = std::str::from_utf8(name) else { panic!("ASCII") };
                flags[NAMES.listed(name) as usize] |= bit;
                rest = after.split_at(1).1;
                at = 0;
            } else {
                at += 1;
            }
        }
        group += 1;
    }
    flags
};

/// Elements of the standard, and obsolete ones, that do not matter for finding links.
#[rustfmt::skip]
const IDLE: [&str; 21] = [
    "acronym", "bdi", "bdo", "blink", "canvas", "data", "datalist", "dfn", "dialog", "legend", "map", "mark", "meter",
    "output", "progress", "rb", "rp", "rt", "rtc", "slot", "time",
];

/// Returns `true` if an HTML element, or a custom element that is listed, has this name in upper or lower case.
pub(crate) fn is_html_element(name: &[u8]) -> bool {
    // All names are shorter than this.
    let mut lower = [0; 32];
    let Some(lower) = lower.get_mut(..name.len()) else { return false };
    lower.copy_from_slice(name);
    lower.make_ascii_lowercase();
    Element::of(lower) != Element::OTHER || IDLE.iter().any(|idle| idle.as_bytes() == &*lower)
}

impl Element {
    /// Any element that is not listed.
    pub(crate) const OTHER: Element = Element(0);
    pub(crate) const A: Element = Element::listed("a");
    pub(super) const ANNOTATION_XML: Element = Element::listed("annotation-xml");
    pub(super) const BASE: Element = Element::listed("base");
    pub(super) const BR: Element = Element::listed("br");
    pub(crate) const CODE: Element = Element::listed("code");
    pub(super) const FONT: Element = Element::listed("font");
    pub(super) const IMAGE: Element = Element::listed("image");
    pub(super) const IMG: Element = Element::listed("img");
    pub(crate) const KBD: Element = Element::listed("kbd");
    pub(super) const MALIGNMARK: Element = Element::listed("malignmark");
    pub(super) const MATH: Element = Element::listed("math");
    pub(crate) const META: Element = Element::listed("meta");
    pub(super) const MGLYPH: Element = Element::listed("mglyph");
    pub(super) const P: Element = Element::listed("p");
    pub(crate) const PARAM: Element = Element::listed("param");
    pub(super) const PLAINTEXT: Element = Element::listed("plaintext");
    pub(crate) const PRE: Element = Element::listed("pre");
    pub(crate) const SAMP: Element = Element::listed("samp");
    pub(crate) const SCRIPT: Element = Element::listed("script");
    pub(crate) const STYLE: Element = Element::listed("style");
    pub(super) const SVG: Element = Element::listed("svg");
    pub(super) const TEMPLATE: Element = Element::listed("template");
    pub(super) const TEXTAREA: Element = Element::listed("textarea");
    pub(super) const TITLE: Element = Element::listed("title");
    pub(super) const WBR: Element = Element::listed("wbr");

    /// Number of element numbers.
    pub(super) const COUNT: usize = COUNT + 1;

    /// Returns the element of this number, [`OTHER`](Element::OTHER) for a number that none has.
    pub(super) fn of_number(number: u8) -> Element {
        if usize::from(number) < Element::COUNT { Element(number) } else { Element::OTHER }
    }

    #[inline(always)]
    pub(super) const fn number(self) -> usize {
        self.0 as usize
    }

    pub(super) const fn listed(name: &str) -> Element {
        Element(NAMES.listed(name))
    }

    /// Returns the element with this name of at most eight bytes, folded.
    #[inline(always)]
    pub(super) fn by_key(key: u64) -> Element {
        Element(NAMES.by_key(key))
    }

    /// Returns the element with this name.
    pub(crate) fn of(name: &[u8]) -> Element {
        Element(NAMES.number_of(name))
    }

    pub(super) fn name(self) -> &'static str {
        NAMES.name(self.0)
    }

    #[inline(always)]
    fn has(self, flag: u8) -> bool {
        FLAGS[usize::from(self.0)] & flag != 0
    }

    /// Returns `true` if some of its attributes decide what another one holds: [`Notes`](super::Notes).
    pub(crate) fn has_notes(self) -> bool {
        matches!(self, Element::META | Element::PARAM)
    }

    pub(super) fn is_raw(self) -> bool {
        self.has(flag::RAW)
    }

    pub(super) fn breaks_out(self) -> bool {
        self.has(flag::BREAKS_OUT)
    }

    pub(super) fn is_void(self) -> bool {
        self.has(flag::VOID)
    }

    pub(super) fn is_special(self) -> bool {
        self.has(flag::SPECIAL)
    }

    pub(super) fn is_scope(self) -> bool {
        self.has(flag::SCOPE)
    }

    pub(super) fn is_formatting(self) -> bool {
        self.has(flag::FORMATTING)
    }

    #[inline(always)]
    pub(super) fn is_notable(self) -> bool {
        self.has(flag::NOTABLE)
    }

    /// Returns `true` if the attributes of its start tag are those of this HTML element, as far as its name determines
    /// them.
    #[inline(always)]
    pub(super) fn has_plain_attributes(self) -> bool {
        !matches!(self, Element::IMAGE | Element::SVG | Element::MATH)
    }

    /// Returns `true` for an integration point of MathML, where text and most elements are HTML's (§13.2.6).
    pub(super) fn is_math_text(self) -> bool {
        matches!(self.name(), "mi" | "mn" | "mo" | "ms" | "mtext")
    }

    /// Returns `true` for an integration point of SVG, where elements are HTML's.
    pub(super) fn is_svg_point(self) -> bool {
        matches!(self.name(), "foreignobject" | "desc" | "title")
    }
}
