//! Tracks the open elements of SVG and MathML that decide how the bytes are read (WHATWG HTML §13.2.6).
//!
//! Only inside them is `<![CDATA[` text, and only outside them are `style`, `script`, `title` and others raw text; an HTML
//! element inside an integration point is outside. The HTML elements around the outermost `svg` or `math` are only counted:
//! an end tag that matches no element inside ends all of it if an element of that name is open around it, and otherwise has
//! no effect.

use super::element::Element;
use super::name::key;
use crate::markup::Content;

/// Deepest nesting that is tracked; deeper elements are only counted.
const DEPTH: usize = 128;

/// The elements from the outermost `svg` or `math` inwards.
#[derive(Clone, Debug)]
pub(super) struct Foreign {
    open: Vec<ForeignElement>,
    /// Number of open elements of each name around them, 256 of them so that a number needs no bounds check.
    around: [i64; 256],
    /// Number of open elements that are not in `open`.
    over: usize,
}

#[derive(Clone, Copy, Debug)]
struct ForeignElement {
    element: Element,
    /// Distinguishes names that are not listed.
    name: (u64, usize),
    kind: ForeignKind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ForeignKind {
    Svg,
    Math,
    /// Elements of HTML may be in it: `foreignObject`, `desc`, `title`, and `annotation-xml` with an HTML encoding.
    HtmlPoint,
    /// Elements of HTML may be in it, except for two: `mi`, `mo` and similar elements.
    MathText,
    /// `annotation-xml`: an `svg` in it is read by HTML's rules.
    Annotation,
    /// An HTML element inside an integration point.
    Html,
}

/// Rules by which a start tag is read: those of HTML, or of SVG and MathML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TagNamespace {
    Html,
    Foreign,
}

impl Default for Foreign {
    fn default() -> Foreign {
        Foreign { open: Vec::new(), around: [0; 256], over: 0 }
    }
}

impl Foreign {
    /// Returns the numbers of the open elements of HTML, and how many of each are open; `None` inside a foreign element.
    pub(super) fn open_around(&self) -> Option<Vec<(u8, u32)>> {
        let is_outside = self.open.is_empty() && self.over == 0;
        let numbered = (0..=u8::MAX).zip(self.around);
        let open = numbered.filter(|(_, count)| *count > 0);
        is_outside.then(|| {
            open.map(|(number, count)| (number, count.try_into().unwrap_or(u32::MAX))).collect()
        })
    }

    /// Sets which elements of HTML are open.
    pub(super) fn resume(&mut self, around: &[(u8, u32)]) {
        for (number, count) in around {
            self.around[usize::from(*number)] = i64::from(*count);
        }
    }

    /// Processes a tag of HTML while no foreign element is open. Whether it is an end tag is as good as random, so there is
    /// no branch on it.
    #[inline(always)]
    pub(super) fn around(&mut self, element: Element, is_end: bool) {
        self.around_plain(element, if is_end { -1 } else { 1 });
        // An `a` closes the one before it.
        if (element == Element::A) & !is_end {
            self.around[element.number()] = 1;
        }
    }

    /// Adds `step` to the number of open elements of this name, for any tag except the start tag of an `a`.
    #[inline(always)]
    pub(super) fn around_plain(&mut self, element: Element, step: i8) {
        let count = &mut self.around[element.number()];
        *count = (*count + i64::from(step)).max(0);
    }

    /// Returns `true` if no foreign element is open, so that everything is HTML.
    #[inline(always)]
    pub(super) fn is_empty(&self) -> bool {
        self.open.is_empty()
    }

    /// Returns `true` if a `template` of HTML is open.
    pub(super) fn is_in_template(&self) -> bool {
        let is_template = |open: &ForeignElement| {
            open.kind == ForeignKind::Html && open.element == Element::TEMPLATE
        };
        self.around[Element::TEMPLATE.number()] > 0 || self.open.iter().any(is_template)
    }

    /// Returns the kind of text outside style sheets and scripts: code inside `code`, `pre`, `kbd` and `samp`.
    #[inline(always)]
    pub(super) fn content(&self) -> Content {
        let open = |element: Element| self.around[element.number()];
        let blocks = open(Element::CODE) | open(Element::PRE);
        match blocks | open(Element::KBD) | open(Element::SAMP) {
            0 => Content::Running,
            _ => Content::Code,
        }
    }

    /// Returns `true` if the innermost open element is one of SVG or MathML, where `<![CDATA[` is text.
    pub(super) fn is_innermost(&self) -> bool {
        self.open.last().is_some_and(|open| open.kind != ForeignKind::Html)
    }

    /// Returns the innermost element, if it is one of SVG or MathML.
    pub(super) fn innermost(&self) -> Option<Element> {
        self.open.last().filter(|open| open.kind != ForeignKind::Html).map(|open| open.element)
    }

    /// Returns how the attributes of a start tag are read, which is known before its end, except for `font`.
    pub(super) fn reading(&self, element: Element) -> TagNamespace {
        let Some(innermost) = self.open.last() else { return root(element) };
        let is_html = match innermost.kind {
            ForeignKind::Html | ForeignKind::HtmlPoint => true,
            ForeignKind::MathText => !matches!(element, Element::MGLYPH | Element::MALIGNMARK),
            ForeignKind::Annotation => element == Element::SVG,
            ForeignKind::Svg | ForeignKind::Math => false,
        };
        match is_html || element.breaks_out() {
            true => root(element),
            false => TagNamespace::Foreign,
        }
    }

    /// Processes a start tag at its end, and returns the namespace of its element.
    pub(super) fn start(&mut self, tag: &StartTag<'_>) -> TagNamespace {
        let StartTag { element, .. } = *tag;
        let mut reading = self.reading(element);
        if element == Element::FONT && tag.is_styled_font {
            reading = TagNamespace::Html;
        }
        let parent = self.open.last().map(|open| open.kind);
        if reading == TagNamespace::Html && (element.breaks_out() || element == Element::FONT) {
            self.break_out();
        }
        if parent.is_some() && self.open.is_empty() && reading == TagNamespace::Html {
            self.around(element, false);
        }
        let kind = match (reading, parent) {
            (TagNamespace::Html, _)
                if self.open.is_empty() || element.is_void() || element.is_raw() =>
            {
                return reading;
            }
            (TagNamespace::Html, _) => ForeignKind::Html,
            (TagNamespace::Foreign, _) if tag.is_self_closing => return reading,
            _ if element == Element::SVG && self.is_html_for(element) => ForeignKind::Svg,
            _ if element == Element::MATH && self.is_html_for(element) => ForeignKind::Math,
            (_, Some(parent)) => self.kind_inside(parent, tag),
            (_, None) => return reading,
        };
        let open = ForeignElement { element, name: name(tag.name), kind };
        match self.open.len() < DEPTH {
            true => self.open.push(open),
            false => self.over += 1,
        }
        reading
    }

    fn is_html_for(&self, element: Element) -> bool {
        match self.open.last().map(|open| open.kind) {
            None | Some(ForeignKind::Html | ForeignKind::HtmlPoint | ForeignKind::MathText) => true,
            Some(ForeignKind::Annotation) => element == Element::SVG,
            Some(ForeignKind::Svg | ForeignKind::Math) => false,
        }
    }

    /// Returns the kind of a foreign element inside one of this kind.
    fn kind_inside(&self, parent: ForeignKind, tag: &StartTag<'_>) -> ForeignKind {
        let is_svg = match parent {
            ForeignKind::Svg => true,
            // An integration point is in SVG or in MathML, depending on its element.
            ForeignKind::HtmlPoint => {
                self.open.last().is_some_and(|open| open.element != Element::ANNOTATION_XML)
            }
            _ => false,
        };
        match is_svg {
            true if tag.element.is_svg_point() => ForeignKind::HtmlPoint,
            true => ForeignKind::Svg,
            false if tag.element.is_math_text() => ForeignKind::MathText,
            false if tag.element == Element::ANNOTATION_XML && tag.is_html_point => {
                ForeignKind::HtmlPoint
            }
            false if tag.element == Element::ANNOTATION_XML => ForeignKind::Annotation,
            false => ForeignKind::Math,
        }
    }

    /// Closes elements until one of HTML, or an integration point, is innermost.
    fn break_out(&mut self) {
        let outside = |open: &ForeignElement| {
            matches!(open.kind, ForeignKind::Html | ForeignKind::HtmlPoint | ForeignKind::MathText)
        };
        let keep = self.open.iter().rposition(outside).map_or(0, |at| at + 1);
        self.truncate(keep);
    }

    /// Processes an end tag.
    pub(super) fn end(&mut self, element: Element, tag_name: &[u8]) {
        let is_foreign = self.is_innermost();
        if is_foreign && matches!(element, Element::BR | Element::P) {
            return self.break_out();
        }
        if self.over > 0 {
            self.over -= 1;
            return;
        }
        let name = name(tag_name);
        let is_same = |open: &ForeignElement| match element {
            Element::OTHER => open.element == Element::OTHER && open.name == name,
            _ => open.element == element,
        };
        let mut at = self.open.len();
        // By the rules for foreign content: search up to the first element of HTML.
        if is_foreign {
            while let Some(open) = at.checked_sub(1).map(|n| self.open[n]) {
                if open.kind == ForeignKind::Html {
                    break;
                }
                at -= 1;
                if is_same(&open) {
                    return self.truncate(at);
                }
            }
            if at == 0 {
                return self.end_outside(element);
            }
        }
        // By the rules of HTML: find the innermost element of that name, unless an element in between is a barrier.
        let mut barred = false;
        while let Some(open) = at.checked_sub(1).map(|n| self.open[n]) {
            at -= 1;
            match open.kind {
                ForeignKind::Html if is_same(&open) => {
                    match barred {
                        // The adoption agency algorithm removes only this element.
                        true => drop(self.open.remove(at)),
                        false => self.truncate(at),
                    }
                    return;
                }
                ForeignKind::Html if open.element.is_scope() && !element.is_scope() => return,
                ForeignKind::Html if open.element.is_special() && !element.is_special() => {
                    if !element.is_formatting() {
                        return;
                    }
                    barred = true;
                }
                ForeignKind::HtmlPoint | ForeignKind::MathText | ForeignKind::Annotation => return,
                ForeignKind::Html | ForeignKind::Svg | ForeignKind::Math => {}
            }
        }
        self.end_outside(element);
    }

    /// Processes an end tag that matches no open element. Names that are not listed are not distinguished, and count as
    /// those of SVG.
    fn end_outside(&mut self, element: Element) {
        // `</body>` and `</html>` close nothing before the document's end.
        let is_open = element != Element::OTHER && self.around[element.number()] > 0;
        if is_open && !element.is_void() && !matches!(element.name(), "body" | "html") {
            self.around(element, true);
            self.truncate(0);
        }
    }

    fn truncate(&mut self, len: usize) {
        self.open.truncate(len);
        self.over = 0;
    }
}

/// Returns how the tag of an element is read by HTML's rules.
fn root(element: Element) -> TagNamespace {
    match matches!(element, Element::SVG | Element::MATH) {
        true => TagNamespace::Foreign,
        false => TagNamespace::Html,
    }
}

/// A start tag at its end.
#[derive(Clone, Copy, Debug)]
pub(super) struct StartTag<'a> {
    pub(super) element: Element,
    pub(super) name: &'a [u8],
    pub(super) is_self_closing: bool,
    /// A `font` with `color`, `face` or `size`.
    pub(super) is_styled_font: bool,
    /// An `annotation-xml` whose encoding is that of HTML.
    pub(super) is_html_point: bool,
}

/// Returns the folded beginning and end of a name, and its length: enough to distinguish names of tags.
fn name(name: &[u8]) -> (u64, usize) {
    let tail = name.get(8..).unwrap_or_default();
    let tail = tail.get(tail.len().saturating_sub(8)..).unwrap_or_default();
    (key(name) ^ key(tail).rotate_left(29), name.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the names of the elements that are open after tags, of which `</x>` is an end tag and `<x/>` is empty.
    fn after(tags: &str) -> Vec<&'static str> {
        let mut foreign = Foreign::default();
        foreign.around(Element::of(b"div"), false);
        for tag in tags.split_inclusive('>') {
            let inner = tag.trim_matches(['<', '>']);
            let inner = inner.trim_end_matches('/');
            match inner.strip_prefix('/') {
                Some(name) => foreign.end(Element::of(name.as_bytes()), name.as_bytes()),
                None => {
                    foreign.start(&StartTag {
                        element: Element::of(inner.as_bytes()),
                        name: inner.as_bytes(),
                        is_self_closing: tag.ends_with("/>"),
                        is_styled_font: false,
                        is_html_point: false,
                    });
                }
            }
        }
        foreign.open.iter().map(|open| open.element.name()).collect()
    }

    #[test]
    fn what_is_open() {
        for (tags, open) in [
            ("<svg><path/><g>", &["svg", ""][..]),
            ("<svg><g></svg>", &[]),
            ("<svg><g></g>", &["svg"]),
            ("<svg><g></div>", &[]),
            ("<svg><g></h1></x></body>", &["svg", ""]),
            ("<svg><div>", &[]),
            ("<svg><g></p>", &[]),
            ("<svg/>", &[]),
            ("<svg><foreignobject><div><br>", &["svg", "foreignobject", "div"]),
            ("<svg><foreignobject><div></foreignobject>", &["svg", "foreignobject", "div"]),
            ("<svg><foreignobject><p></p></foreignobject>", &["svg"]),
            ("<svg><title><b></title>", &["svg", "title", "b"]),
            ("<math><mi><b>", &["math", "mi", "b"]),
            ("<math><mi><mglyph>", &["math", "mi", "mglyph"]),
            ("<math><mrow><b>", &[]),
            ("<math><annotation-xml><svg><desc>", &["math", "annotation-xml", "svg", "desc"]),
            ("<math><annotation-xml><g>", &["math", "annotation-xml", ""]),
            ("<svg><desc><svg><g></desc>", &["svg"]),
            ("<svg><font>", &["svg", "font"]),
        ] {
            assert_eq!(after(tags), open, "{tags}");
        }
    }

    #[test]
    fn depth_is_bounded() {
        let mut foreign = Foreign::default();
        let tag = |name| StartTag {
            element: Element::of(name),
            name,
            is_self_closing: false,
            is_styled_font: false,
            is_html_point: false,
        };
        foreign.start(&tag(b"svg"));
        for _ in 0..1000 {
            foreign.start(&tag(b"g"));
        }
        assert_eq!((foreign.open.len(), foreign.over), (DEPTH, 1001 - DEPTH));
        for _ in 0..1000 {
            foreign.end(Element::OTHER, b"g");
        }
        assert!(foreign.is_innermost() && foreign.open.len() == 1);
        foreign.end(Element::SVG, b"svg");
        assert!(foreign.is_empty());
    }
}
