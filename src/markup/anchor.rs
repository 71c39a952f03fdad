//! Anchors: finds the text of an element that a reader sees, in the stored bytes after the element's reference.
//!
//! It reads ahead of the tokenizer and keeps no state: the text is short, and [`plain_anchor`](super::plain_anchor) decides
//! most anchors by masks. If the bytes end too early it returns [`ReadAnchor::Cut`], and is called again with more bytes.

use super::visible::push_visible;
use crate::input::chunk::Chunk;
use crate::scan::reference::Rules;

/// Maximum number of bytes of text that are examined.
pub(crate) const VISIBLE: usize = 512;
/// Maximum number of stored bytes, tags included, in which that text must be.
pub(crate) const STORED: usize = 8 << 10;

/// Maximum depth of nested XML elements that are examined: each may have a reference, and the text of each is read
/// separately. (In HTML the next anchor ends this one.)
const MAX_DEPTH: usize = 8;

/// Markup language of the bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Dialect {
    Html,
    Xml,
}

/// Text of an anchor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ReadAnchor {
    /// The bytes end before the text is known.
    Cut,
    Text(AnchorText),
}

/// Visible text of an anchor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct AnchorText {
    /// Its bytes, with references not resolved; a space where a tag separates words.
    pub(crate) bytes: Vec<u8>,
    /// No text follows.
    pub(crate) is_whole: bool,
    /// Texts that are shown instead of pictures, the `alt` of each, or on request: a `title` with an address.
    pub(crate) alternatives: Vec<Vec<u8>>,
    /// Whether the first of these is a title.
    pub(crate) has_title: bool,
    /// Whether references are resolved in the bytes, which are UTF-8.
    pub(crate) is_resolved: bool,
}

/// Maximum number of pictures in an anchor whose texts are examined.
const MAX_ALTERNATIVES: usize = 4;

/// Element whose text a reference leads from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AnchorElement {
    /// `a`, or any element of XML.
    Anchor,
    /// `button`.
    Button,
    /// `area`, which has no text but its `alt`.
    Area,
    /// The code of a field, which [`result_text`](super::result_text) reads on from, as from the next two.
    FieldCode,
    /// An element of a word processor.
    FieldElement,
    /// A formula in a cell.
    Formula,
}

/// Elements that do not separate words.
const IN_WORDS: [&str; 21] = [
    "abbr", "b", "bdi", "bdo", "big", "code", "em", "font", "i", "ins", "kbd", "mark", "s",
    "small", "span", "strong", "sub", "sup", "tt", "u", "wbr",
];
/// Those of other vocabularies: SVG, DocBook, TEI, JATS.
const IN_WORDS_OF_XML: [&str; 14] = [
    "bold",
    "emphasis",
    "foreignphrase",
    "hi",
    "italic",
    "literal",
    "monospace",
    "phrase",
    "sc",
    "styled-content",
    "textPath",
    "tspan",
    "underline",
    "uri",
];
const LONGEST_IN_WORDS: usize = "styled-content".len();

/// Returns the text of the element whose reference ends at `at`, up to its end or to the next anchor, at most `visible` bytes of it.
pub(crate) fn anchor(
    chunk: Chunk<'_>,
    at: usize,
    dialect: Dialect,
    element: AnchorElement,
    visible: usize,
) -> ReadAnchor {
    let bytes = chunk.get(at..).unwrap_or_default();
    let is_capped = bytes.len() >= STORED;
    let mut reader = AnchorReader {
        bytes: bytes.get(..STORED).unwrap_or(bytes),
        at: 0,
        dialect,
        element,
        visible,
        depth: 0,
        hidden: None,
        text: Vec::new(),
        compact: 0,
        alternatives: Vec::new(),
        has_title: false,
    };
    let end = reader.read();
    if end.is_none() && !is_capped && !chunk.is_last() {
        return ReadAnchor::Cut;
    }
    let AnchorReader { text: bytes, alternatives, has_title, .. } = reader;
    let is_whole = end.unwrap_or(!is_capped);
    ReadAnchor::Text(AnchorText { bytes, is_whole, alternatives, has_title, is_resolved: false })
}

struct AnchorReader<'b> {
    bytes: &'b [u8],
    at: usize,
    dialect: Dialect,
    element: AnchorElement,
    /// Maximum number of bytes of its text.
    visible: usize,
    /// Number of XML elements that are open in the anchor.
    depth: usize,
    /// The element that hides what is read.
    hidden: Option<HiddenElement<'b>>,
    text: Vec<u8>,
    /// Number of its bytes without white space and invisible characters that need not be there.
    compact: usize,
    alternatives: Vec<Vec<u8>>,
    has_title: bool,
}

/// Element whose content a reader does not see.
struct HiddenElement<'b> {
    name: &'b [u8],
    /// In HTML the number of elements of this name that are open, in XML that of all elements around it.
    depth: usize,
}

impl<'b> AnchorReader<'b> {
    /// Reads to the anchor's end, and returns whether that was reached; `None` if the bytes end before it.
    fn read(&mut self) -> Option<bool> {
        let start = after_quote(self.bytes, self.at);
        let (mut alternative, mut title) = (None, None);
        let (end, is_empty) = tag_attributes(self.bytes, start, |name, value| {
            if name.eq_ignore_ascii_case(b"alt") {
                alternative.get_or_insert(value);
            } else if name.eq_ignore_ascii_case(b"title") {
                title.get_or_insert(value);
            }
        })?;
        self.at = end;
        // A title is compared only if it has an address: most describe the page.
        self.add_alternative(title.filter(|title| memchr::memmem::find(title, b"://").is_some()));
        self.has_title = !self.alternatives.is_empty();
        if self.element == AnchorElement::Area {
            self.add_alternative(alternative);
            return Some(true);
        }
        if is_empty && self.dialect == Dialect::Xml {
            return Some(true);
        }
        loop {
            let rest = self.bytes.get(self.at..)?;
            let text = memchr::memchr(b'<', rest);
            let piece = rest.get(..text.unwrap_or(rest.len()))?;
            if self.hidden.is_none() && !self.push(piece) {
                return Some(false);
            }
            self.at += piece.len();
            text?;
            if self.markup()? {
                return Some(true);
            }
            if self.depth > MAX_DEPTH {
                return Some(false);
            }
        }
    }

    /// Appends a piece of the text; returns `false` if there is more than is examined. White space and invisible characters are
    /// left out before they take the place of text.
    fn push(&mut self, piece: &[u8]) -> bool {
        if piece.len() <= self.visible.saturating_sub(self.text.len()) {
            self.text.extend_from_slice(piece);
            return true;
        }
        let rules = match self.dialect {
            Dialect::Html => Rules::HtmlText,
            Dialect::Xml => Rules::Xml,
        };
        let kept = self.text.split_off(self.compact);
        push_visible(&mut self.text, &kept, rules);
        push_visible(&mut self.text, piece, rules);
        self.compact = self.text.len();
        let is_whole = self.text.len() <= self.visible;
        self.text.truncate(self.visible);
        is_whole
    }

    /// Skips the markup that a `<` begins, and returns whether the anchor ends there.
    fn markup(&mut self) -> Option<bool> {
        let rest = self.bytes.get(self.at..)?;
        let find = |end: &[u8]| memchr::memmem::find(rest, end).map(|at| at + end.len());
        match (*rest.get(1)?, self.dialect) {
            (b'/', Dialect::Xml) => {
                let is_in_word = is_in_word(rest.get(2..)?);
                self.at += find(b">")?;
                match self.depth.checked_sub(1) {
                    None => return Some(true),
                    Some(depth) => self.depth = depth,
                }
                if self.hidden.as_ref().is_some_and(|hidden| self.depth <= hidden.depth) {
                    self.hidden = None;
                }
                if !is_in_word {
                    self.text.push(b' ');
                }
            }
            (b'!', _) if rest.starts_with(b"<!--") => {
                let body = memchr::memmem::find(rest.get(2..)?, b"-->")?;
                self.at += 2 + body + 3;
            }
            (b'!', Dialect::Xml) if rest.starts_with(b"<![CDATA[") => {
                let end = find(b"]]>")?;
                let text = rest.get(b"<![CDATA[".len()..end - 3)?;
                let text = if self.hidden.is_none() { text } else { &[] };
                self.text.extend_from_slice(text.get(..self.visible).unwrap_or(text));
                self.at += end;
            }
            (b'!' | b'?', _) => self.at += find(b">")?,
            (b'/', _) if rest.get(2)?.is_ascii_alphabetic() => return self.tag(2),
            (b'/', _) => self.at += find(b">")?,
            (b, Dialect::Xml) if b != b' ' => {
                let name = name_of(rest.get(1..)?);
                let is_in_word =
                    is_in_word(name) && !is_placed(self.bytes, name, self.at + 1 + name.len())?;
                let (tag, is_hidden) = self.opened(name, self.at + 1 + name.len())?;
                if is_hidden && !tag.1 && self.hidden.is_none() {
                    self.hidden = Some(HiddenElement { name, depth: self.depth });
                }
                self.depth += usize::from(!tag.1);
                self.at = tag.0;
                if !is_in_word {
                    self.text.push(b' ');
                }
            }
            (b, Dialect::Html) if b.is_ascii_alphabetic() => return self.tag(1),
            _ => {
                self.text.push(b'<');
                self.at += 1;
            }
        }
        Some(false)
    }

    /// Reads the attributes of an element that is opened, and returns where its tag ends, whether it ends with `/>`, and
    /// whether a reader does not see its content. The text that stands for a picture is kept.
    fn opened(&mut self, name: &[u8], at: usize) -> Option<((usize, bool), bool)> {
        let local = name.rsplit(|&b| b == b':').next().unwrap_or(name);
        let is_picture = local.eq_ignore_ascii_case(b"img");
        let mut is_hidden = local.eq_ignore_ascii_case(b"template");
        let mut alternative = None;
        let end = tag_attributes(self.bytes, at, |name, value| {
            is_hidden |= hides(name, value);
            if is_picture && name.eq_ignore_ascii_case(b"alt") {
                alternative.get_or_insert(value);
            }
        })?;
        if !is_hidden {
            self.add_alternative(alternative);
        }
        Some((end, is_hidden))
    }

    fn add_alternative(&mut self, alternative: Option<&[u8]>) {
        let is_seen = self.hidden.is_none() && self.alternatives.len() < MAX_ALTERNATIVES;
        if let Some(text) = alternative.filter(|_| is_seen) {
            self.alternatives.push(text.get(..self.visible).unwrap_or(text).to_vec());
        }
    }

    /// Skips an HTML tag whose name begins `skipped` bytes after this offset.
    fn tag(&mut self, skipped: usize) -> Option<bool> {
        let start = self.at + skipped;
        let rest = self.bytes.get(start..)?;
        let name = rest.get(..rest.iter().position(|&b| ends_name(b))?)?;
        let is = |one: &str| name.eq_ignore_ascii_case(one.as_bytes());
        let is_end = match self.element {
            AnchorElement::Button => is("button"),
            _ => is("a"),
        };
        if is_end {
            return Some(true);
        }
        let (end, is_hidden) = match skipped {
            1 => self.opened(name, start + name.len())?,
            _ => (tag_end(self.bytes, start + name.len())?, false),
        };
        self.at = end.0;
        self.hide(name, skipped == 1, is_hidden);
        // The content of these elements is not visible.
        if skipped == 1 && (is("style") || is("script")) {
            let rest = self.bytes.get(self.at..)?;
            let is_end = |at: &usize| {
                let found = rest.get(at + 2..at + 2 + name.len());
                found.is_some_and(|found| found.eq_ignore_ascii_case(name))
            };
            self.at += memchr::memmem::find_iter(rest, b"</").find(is_end)?;
        }
        if !IN_WORDS.iter().any(|one| is(one)) {
            self.text.push(b' ');
        }
        Some(false)
    }
}

impl<'b> AnchorReader<'b> {
    /// Begins or ends hidden content at an HTML tag.
    fn hide(&mut self, name: &'b [u8], is_opened: bool, is_hidden: bool) {
        match &mut self.hidden {
            None if is_hidden
                && !VOID.iter().any(|one| name.eq_ignore_ascii_case(one.as_bytes())) =>
            {
                self.hidden = Some(HiddenElement { name, depth: 1 });
            }
            Some(hidden) if hidden.name.eq_ignore_ascii_case(name) => {
                match is_opened {
                    true => hidden.depth += 1,
                    false => hidden.depth -= 1,
                }
                if hidden.depth == 0 {
                    self.hidden = None;
                }
            }
            _ => {}
        }
    }
}

/// HTML elements without content.
const VOID: [&str; 8] = ["area", "br", "col", "hr", "img", "input", "link", "wbr"];

/// Returns `true` if an attribute hides its element from a reader.
fn hides(name: &[u8], value: &[u8]) -> bool {
    if name.eq_ignore_ascii_case(b"hidden") {
        return true;
    }
    name.eq_ignore_ascii_case(b"style") && {
        let mut style = value.to_ascii_lowercase();
        style.retain(|&b| !is_blank(b));
        style.split(|&b| b == b';').any(is_hiding)
    }
}

/// Returns `true` for a declaration of CSS, in lower case and without white space, that hides an element.
fn is_hiding(declaration: &[u8]) -> bool {
    let Some(colon) = memchr::memchr(b':', declaration) else { return false };
    let (property, value) = (&declaration[..colon], &declaration[colon + 1..]);
    let value = value.strip_suffix(b"!important").unwrap_or(value);
    let is_zero = || {
        let number = value.iter().position(|b| !matches!(b, b'0' | b'.')).unwrap_or(value.len());
        number > 0 && value[number..].iter().all(|b| b.is_ascii_alphabetic() || *b == b'%')
    };
    match property {
        b"display" => value == b"none",
        b"visibility" => matches!(value, b"hidden" | b"collapse"),
        b"mso-hide" => value == b"all",
        b"font-size" | b"opacity" => is_zero(),
        _ => false,
    }
}

/// Returns the name that bytes begin with.
pub(super) fn name_of(bytes: &[u8]) -> &[u8] {
    &bytes[..bytes.iter().position(|&b| ends_name(b)).unwrap_or(bytes.len())]
}

/// Returns `true` if the XML element whose name the bytes begin with does not separate words, whatever its prefix.
fn is_in_word(bytes: &[u8]) -> bool {
    let name = name_of(bytes);
    let local = name.iter().rposition(|&b| b == b':').map_or(name, |colon| &name[colon + 1..]);
    let is_one = |known: &&str| known.as_bytes().eq_ignore_ascii_case(local);
    local.len() <= LONGEST_IN_WORDS
        && (IN_WORDS.iter().any(is_one) || IN_WORDS_OF_XML.iter().any(is_one))
}

/// Returns `true` for a `tspan` of SVG that has a position of its own, as that of a line has.
fn is_placed(bytes: &[u8], name: &[u8], at: usize) -> Option<bool> {
    let mut is_placed = false;
    if name.ends_with(b"tspan") {
        tag_attributes(bytes, at, |name, _| is_placed |= matches!(name, b"x" | b"y"))?;
    }
    Some(is_placed)
}

pub(super) fn is_blank(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0C)
}

fn ends_name(byte: u8) -> bool {
    is_blank(byte) || matches!(byte, b'/' | b'>')
}

/// Returns the offset after the quote that ends a value, if a quote ends it.
fn after_quote(bytes: &[u8], at: usize) -> usize {
    at + usize::from(matches!(bytes.get(at), Some(b'"' | b'\'')))
}

/// Returns where a tag ends, read as HTML's tokenizer does (§13.2.5.32 to 40) from the end of its name or of an attribute
/// on, and whether it ends with `/>`.
pub(crate) fn tag_end(bytes: &[u8], at: usize) -> Option<(usize, bool)> {
    tag_attributes(bytes, at, |_, _| {})
}

/// Returns the same, and gives each attribute with its value; without one, that is empty.
pub(super) fn tag_attributes<'b>(
    bytes: &'b [u8],
    at: usize,
    mut give: impl FnMut(&'b [u8], &'b [u8]),
) -> Option<(usize, bool)> {
    let skip = |at: usize, is_in: &dyn Fn(u8) -> bool| {
        let rest = bytes.get(at..)?;
        rest.iter().position(|&b| !is_in(b)).map(|len| at + len)
    };
    let mut at = at;
    loop {
        let before = at;
        at = skip(at, &|b| is_blank(b) || b == b'/')?;
        if bytes.get(at) == Some(&b'>') {
            return Some((at + 1, at > before && bytes.get(at - 1) == Some(&b'/')));
        }
        // An equals sign may begin a name.
        let start = at;
        at = skip(at + 1, &|b| !ends_name(b) && b != b'=')?;
        let name = bytes.get(start..at)?;
        let sign = skip(at, &is_blank)?;
        if bytes.get(sign) != Some(&b'=') {
            give(name, b"");
            continue;
        }
        at = skip(sign + 1, &is_blank)?;
        let (value, end) = match bytes.get(at)? {
            quote @ (b'"' | b'\'') => {
                let len = memchr::memchr(*quote, bytes.get(at + 1..)?)?;
                (at + 1..at + 1 + len, at + 2 + len)
            }
            b'>' => (at..at, at),
            _ => {
                let end = skip(at, &|b| !is_blank(b) && b != b'>')?;
                (at..end, end)
            }
        };
        give(name, bytes.get(value)?);
        at = end;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::chunk::Chunk;

    /// Returns the text after `<a href=`, with `|` for a tag that separates words.
    fn text(after: &str, dialect: Dialect) -> (String, bool) {
        let bytes = format!("<a href=\"u{after}");
        let found =
            anchor(Chunk::whole(bytes.as_bytes()), 10, dialect, AnchorElement::Anchor, VISIBLE);
        match found {
            ReadAnchor::Text(text) => (String::from_utf8(text.bytes).unwrap(), text.is_whole),
            ReadAnchor::Cut => panic!("{after}"),
        }
    }

    #[test]
    fn what_a_reader_sees() {
        for (after, seen) in [
            ("\">x</a>y", "x"),
            ("\" class=b title='>'>x</A >y", "x"),
            ("\" title=\"></a>\">x<a href=y>z", "x"),
            ("\"/>x</a>", "x"),
            ("\">x<b>y</b><!-- > -->z</a>", "xyz"),
            ("\">x<br>y<img src='</a>'>z</a>", "x y z"),
            ("\">a < b <3</a>", "a < b <3"),
            ("\">x<style>q</style>y<script>'</a>'</script>z</a>", "x  y  z"),
            ("\">x</>y</3>z<?q?></a>", "xyz"),
            ("\">x<span style='display: none'>q<span>r</span></span>y</a>", "xy"),
            ("\">x<i hidden>q</i>y<template>r<b>s</b></template>z</a>", "xy  z"),
            (
                "\">x<b STYLE=\"a:b; Visibility:HIDDEN\">q</b>y<b style=font-size:0px>r</b></a>",
                "xy",
            ),
            ("\">x<b style=opacity:.0!important>q</b>y<b style='opacity:0.5'>r</b></a>", "xyr"),
            ("\">x<img hidden>y<b style='display:block'>z</b></a>", "x yz"),
            ("\">x<b hidden>q</a>", "x"),
            ("\">x", "x"),
            ("\"", ""),
        ] {
            assert_eq!(text(after, Dialect::Html), (seen.to_owned(), true), "{after}");
        }
        for (after, seen) in [
            ("\"/>x</a>", ""),
            ("\">x<b y='>'/>z<c>d</c></x:a>e", "xz d "),
            ("\">x<![CDATA[<b>]]></a>", "x<b>"),
            ("\">x<emphasis role='y'>z</emphasis>y<B>w</B><para>z</para></a>", "xzyw z "),
            ("\"><text><tspan>x</tspan><svg:tspan dx='1'>y</svg:tspan></text></a>", " xy "),
            ("\"><tspan x='1'>x</tspan><tspan x='1' dy='1em'>y</tspan></a>", " x y"),
            ("\">x<b hidden='hidden'>q<b>r</b><![CDATA[s]]></b>y</a>", "xy"),
        ] {
            assert_eq!(text(after, Dialect::Xml), (seen.to_owned(), true), "{after}");
        }
        let long = format!("\">{}</a>", "x".repeat(VISIBLE + 1));
        assert_eq!(text(&long, Dialect::Html), ("x".repeat(VISIBLE), false));
        let deep = |depth| format!("\">{}x{}", "<b>".repeat(depth), "</b>".repeat(depth + 1));
        assert_eq!(text(&deep(MAX_DEPTH), Dialect::Xml), ("x".to_owned(), true));
        assert_eq!(text(&deep(MAX_DEPTH + 1), Dialect::Xml), (String::new(), false));
        let far = format!("\">x{}</a>", "<b>".repeat(STORED / 3));
        assert_eq!(text(&far, Dialect::Html), ("x".to_owned(), false));
    }

    #[test]
    fn pictures_and_other_elements() {
        let found = |after: &str, element| {
            let bytes = format!("<a href=\"u{after}");
            match anchor(Chunk::whole(bytes.as_bytes()), 10, Dialect::Html, element, VISIBLE) {
                ReadAnchor::Text(AnchorText { bytes, alternatives, .. }) => {
                    let text = |bytes| String::from_utf8(bytes).unwrap();
                    (text(bytes), alternatives.into_iter().map(text).collect::<Vec<_>>())
                }
                ReadAnchor::Cut => panic!("{after}"),
            }
        };
        let strings = |all: &[&str]| all.iter().map(|&one| one.to_owned()).collect::<Vec<_>>();
        let after = "\">x<img alt='y'><p hidden><img alt=q></p><IMG ALT=z></a>";
        assert_eq!(found(after, AnchorElement::Anchor), ("x     ".into(), strings(&["y", "z"])));
        assert_eq!(found("\" alt='y'>x", AnchorElement::Area), (String::new(), strings(&["y"])));
        let after = "\" title=\"at https://b.example/\" alt=q>x</a>";
        assert_eq!(
            found(after, AnchorElement::Anchor),
            ("x".into(), strings(&["at https://b.example/"]))
        );
        assert_eq!(
            found("\" title='b.example'>x</a>", AnchorElement::Anchor),
            ("x".into(), strings(&[]))
        );
        assert_eq!(
            found("\">x<a>y</button>z", AnchorElement::Button),
            ("x y".into(), strings(&[]))
        );
    }

    /// Wherever the bytes are cut, the answer is that for all of them, or [`ReadAnchor::Cut`].
    #[test]
    fn what_is_cut_is_asked_again() {
        let all = b"<a href='u' b=c>x <b\n>y</b><!-- --> &amp; <br/>z</a> more";
        let whole = anchor(Chunk::whole(all), 10, Dialect::Html, AnchorElement::Anchor, VISIBLE);
        assert_eq!(
            anchor(Chunk::new(all, 0, false), 10, Dialect::Html, AnchorElement::Anchor, VISIBLE),
            whole
        );
        let known = all.len() - 6;
        for end in 10..all.len() {
            let seen = anchor(
                Chunk::new(&all[..end], 0, false),
                10,
                Dialect::Html,
                AnchorElement::Anchor,
                VISIBLE,
            );
            assert_eq!(seen, if end > known { whole.clone() } else { ReadAnchor::Cut }, "{end}");
        }
    }
}
