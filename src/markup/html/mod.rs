//! HTML: converts stored bytes to runs (WHATWG HTML §13.2.5 as far as links need it).
//!
//! Between tags the tokenizer stops only at a `<`. It skips names and values, and reads nearly all of a page, by blocks of
//! bytes (`block`, `plain`, `tag`), except for tags that it has read before (`tag_cache`). It builds no tree: start tags,
//! and a bounded stack while SVG or MathML is open (`foreign`), determine which text is raw and where CDATA may be. A start
//! tag counts even if a tree builder would drop it because it is in the wrong place: its author's link is in the source for
//! everyone to see.
//!
//! Everything can be resumed at any byte. A tag that is cut by the end of the input yields its complete values, but not the
//! value that is cut.

mod block;
mod element;
mod foreign;
mod head;
mod name;
mod note;
mod places;
mod plain;
mod raw;
mod skip;
mod slow;
mod tag;
mod tag_cache;

use std::ops::Range;

pub(super) use block::{chunk, text_end_by, up_to_first};
use block::{name_len, text_end};
pub(crate) use element::{Element, is_html_element};
use foreign::Foreign;
pub(crate) use head::{HeadLook, HeadScout};
use name::ends_tag_name;
pub(crate) use note::{Notes, is_json, note_attribute};
pub(crate) use places::{html_place, is_idle_attribute};
use raw::Raw;
use skip::SkippedMarkup;
use tag::{OpenTag, TagPosition};
use tag_cache::PooledTagCache;

use super::cdata::{IsBoundary, cdata_cut, cdata_end};
use super::{Content, Json, Rules, TextToken, Token, Tokenizer, TokenizerStep, ValueLimits};
use crate::input::chunk::Chunk;
use crate::scan::prefilter::markup_text::may_hold_link;
use crate::simd::signs::{BLOCK, Isa, NonAscii, Plain};

/// Tokenizer for HTML.
#[derive(Clone, Debug)]
pub(crate) struct Html {
    /// All bytes before it have been processed.
    at: usize,
    state: HtmlState,
    tag: OpenTag,
    foreign: Foreign,
    /// Tags that were read before.
    known: PooledTagCache,
    masks: Isa,
    limits: ValueLimits,
    beyond: NonAscii,
    is_boundary: IsBoundary,
    /// Only comments and similar markup have occurred since the last text.
    joined: bool,
    /// An `a` with a reference is open.
    in_link: bool,
    /// Tokenizer for the content of the `script` that was opened last, if it holds JSON.
    data: Option<Box<Json>>,
}

/// State of the tokenizer between two pieces of markup, or two attributes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct HtmlPoint {
    /// Offset from which bytes are needed: that of the tokenizer, or of the tag that it is in.
    pub(crate) at: usize,
    pub(crate) joined: bool,
    pub(crate) in_link: bool,
    /// Numbers of elements, and how many of each are open.
    pub(crate) around: Vec<(u8, u32)>,
    pub(crate) tag: Option<HtmlTagPoint>,
}

/// State between two attributes of a start tag: the offset before which all bytes have been processed, the number of its
/// element, the attributes that have occurred, and whether it is an `a` with a reference.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct HtmlTagPoint {
    pub(crate) at: usize,
    pub(crate) element: u8,
    pub(crate) seen: u128,
    pub(crate) is_link: bool,
}

/// Construct that `at` is in.
#[derive(Clone, Copy, Debug)]
enum HtmlState {
    Text,
    Tag(TagPosition),
    Skip(SkippedMarkup),
    Raw(Raw),
    Cdata,
}

/// Result of a step.
enum HtmlStep {
    On,
    Token(Token),
    /// The bytes have ended.
    Out,
}

/// Markup that begins at a `<`.
enum MarkupStart {
    Start(TagName),
    End(TagName),
    /// A tag whose name begins here and is longer than any known name.
    Endless {
        start: usize,
        is_end: bool,
    },
    Skip(SkippedMarkup),
    Cdata,
    /// `</>`, which has no effect.
    Nothing,
    /// Text.
    Text,
    /// The bytes end before the markup is known.
    Cut,
}

/// Maximum length of the name of a tag; a longer name is not a known one.
const LONGEST_NAME: usize = 64;

impl Html {
    pub(crate) fn new(limits: ValueLimits) -> Html {
        Html {
            at: 0,
            state: HtmlState::Text,
            tag: OpenTag::default(),
            foreign: Foreign::default(),
            known: PooledTagCache::spare(),
            masks: Isa::detect(),
            limits,
            beyond: NonAscii::Anything,
            is_boundary: |_, _, _| true,
            joined: false,
            in_link: false,
            data: None,
        }
    }

    /// Returns the state between two pieces of markup, or two attributes of most elements; `None` elsewhere, inside SVG
    /// and MathML, and far from the beginning of a tag whose links have details.
    pub(crate) fn point(&self) -> Option<HtmlPoint> {
        let tag = match self.state {
            HtmlState::Text => None,
            HtmlState::Tag(TagPosition::Between) => Some(self.tag.point(self.at)?),
            _ => return None,
        };
        let (at, around) = (self.needed(), self.foreign.open_around()?);
        let is_far = tag.is_some() && self.limits.texts && at != self.tag.start();
        let Html { joined, in_link, .. } = *self;
        (!is_far).then_some(HtmlPoint { at, joined, in_link, around, tag })
    }

    /// Continues where another tokenizer of the same page was.
    pub(crate) fn resume(&mut self, point: &HtmlPoint) {
        (self.at, self.joined, self.in_link) = (point.at, point.joined, point.in_link);
        self.foreign.resume(&point.around);
        if let Some(tag) = point.tag {
            self.at = tag.at;
            self.state = HtmlState::Tag(TagPosition::Between);
            self.tag = OpenTag::resumed(point.at, tag);
        }
    }

    /// Returns the offset before which all bytes have been processed.
    pub(crate) fn at(&self) -> usize {
        self.at
    }

    /// Returns the offset of the `<` of the tag that was read last, whether it has ended or not, if it has a value.
    pub(crate) fn tag_start(&self) -> usize {
        self.tag.start()
    }

    /// Returns the offset from which bytes are needed.
    fn needed(&self) -> usize {
        match self.state {
            HtmlState::Tag(inside) => self.tag.needed(inside, self.at, self.limits.texts),
            HtmlState::Skip(SkippedMarkup::Conditional { start }) => start,
            HtmlState::Raw(raw) => self.needed_by_raw(raw),
            _ => self.at,
        }
    }

    /// Returns `true` if a value of the tag depends on its other attributes, as `content` of a `meta` does.
    #[inline]
    pub(crate) fn is_value_waiting(&self) -> bool {
        self.tag.is_value_waiting()
    }

    /// Sets how non-ASCII bytes are treated.
    pub(crate) fn beyond(self, beyond: NonAscii) -> Html {
        Html { beyond, ..self }
    }

    /// Sets the function for an encoding in which a character may have several bytes.
    pub(crate) fn boundaries(self, is_boundary: IsBoundary) -> Html {
        Html { is_boundary, ..self }
    }

    /// Reads any text up to the next markup, of whatever form, and begins the markup. The offset of the first `<` in the
    /// text, if there is one, and whether there may be a link before it, are given.
    fn any_text(&mut self, bytes: Chunk<'_>, end: Option<usize>, may_link: bool) -> HtmlStep {
        let start = self.at;
        let (mut end, mut may_link) = (end, may_link);
        let (at, opening) = loop {
            let Some(at) = end else {
                self.at = bytes.end();
                return self.give_text(bytes, start..bytes.end(), !bytes.is_last(), may_link);
            };
            match opening(bytes, at, &self.foreign) {
                MarkupStart::Text => {
                    let (next, possible) = text_end(bytes, at + 1);
                    (end, may_link) = (next, may_link | possible);
                }
                opening => break (at, opening),
            }
        };
        self.at = at;
        if at > start {
            // After a comment or `<wbr>` the text may continue, so the text before counts as well.
            let open = match &opening {
                MarkupStart::Start(name) => name.element == Element::WBR,
                MarkupStart::End(_) | MarkupStart::Endless { .. } => false,
                _ => true,
            };
            let given = self.give_text(bytes, start..at, open, may_link);
            if let HtmlStep::Token(_) = given {
                return given;
            }
        }
        self.begin(bytes, at, opening)
    }

    /// Begins the construct that opens at `at`.
    fn begin(&mut self, bytes: Chunk<'_>, at: usize, opening: MarkupStart) -> HtmlStep {
        match opening {
            MarkupStart::Start(name) => {
                self.begin_tag(name, false);
                self.state = HtmlState::Tag(TagPosition::Between);
            }
            MarkupStart::End(name) => {
                self.begin_tag(name, true);
                self.state = HtmlState::Tag(TagPosition::Between);
            }
            MarkupStart::Endless { start, is_end } => {
                let name = TagName::of(bytes, start..start + LONGEST_NAME);
                self.begin_tag(name, is_end);
                self.state = HtmlState::Tag(TagPosition::LongName);
            }
            MarkupStart::Skip(skip) => {
                self.at = at + skip.opening_len();
                self.state = HtmlState::Skip(skip);
            }
            MarkupStart::Cdata => {
                self.at = at + b"<![CDATA[".len();
                self.state = HtmlState::Cdata;
            }
            MarkupStart::Nothing => self.at = at + b"</>".len(),
            MarkupStart::Text | MarkupStart::Cut => return HtmlStep::Out,
        }
        HtmlStep::On
    }

    /// Returns a piece of text, unless it cannot contain a link.
    fn give_text(
        &mut self,
        bytes: Chunk<'_>,
        range: Range<usize>,
        open: bool,
        may_link: bool,
    ) -> HtmlStep {
        let content = match self.foreign.innermost() {
            Some(Element::STYLE) => Content::Sheet,
            Some(Element::SCRIPT) => return HtmlStep::Out,
            None | Some(_) => self.foreign.content(),
        };
        let is_alone = !self.joined && !open && content != Content::Sheet;
        if is_alone
            && !(may_link && may_hold_link(&bytes[range.start..], range.len(), self.beyond, Plain))
        {
            return HtmlStep::Out;
        }
        let rules = Rules::HtmlText;
        self.give(TextToken { range, rules, content, joined: false, open, in_link: false })
    }

    /// Returns this text.
    fn give(&mut self, text: TextToken) -> HtmlStep {
        if text.range.is_empty() {
            return HtmlStep::Out;
        }
        let text = TextToken { joined: self.joined, in_link: self.in_link, ..text };
        self.joined = true;
        HtmlStep::Token(Token::Text(text))
    }

    /// Reads text inside `<![CDATA[`.
    fn cdata(&mut self, bytes: Chunk<'_>) -> HtmlStep {
        let start = self.at;
        let (end, after) = match cdata_end(bytes, start, self.is_boundary) {
            Some(end) => (end, end + 3),
            None if bytes.is_last() => (bytes.end(), bytes.end()),
            None => {
                let end = cdata_cut(bytes, start, self.is_boundary);
                (end, end)
            }
        };
        self.at = after;
        if end < after {
            self.state = HtmlState::Text;
        } else if !bytes.is_last() && start == end {
            return HtmlStep::Out;
        }
        let content = match self.foreign.innermost() {
            Some(Element::STYLE) => Content::Sheet,
            Some(Element::SCRIPT) => {
                return if end < after { HtmlStep::On } else { HtmlStep::Out };
            }
            None | Some(_) => self.foreign.content(),
        };
        let (range, rules) = (start..end, Rules::None);
        match self.give(TextToken {
            range,
            rules,
            content,
            joined: false,
            open: true,
            in_link: false,
        }) {
            HtmlStep::Out if end < after => HtmlStep::On,
            progress => progress,
        }
    }
}

/// Returns the construct that opens at `bytes[at]`, a `<` (§13.2.5.6 and the states after it).
fn opening(bytes: Chunk<'_>, at: usize, foreign: &Foreign) -> MarkupStart {
    let (first, is_end) = match bytes.get(at + 1) {
        Some(b'/') => (bytes.get(at + 2), true),
        first => (first, false),
    };
    match first {
        Some(b) if b.is_ascii_alphabetic() => {
            let start = at + 1 + usize::from(is_end);
            let name = match TagName::at(bytes, start) {
                None => name_end(bytes, start).map(|end| TagName::of(bytes, start..end)),
                short => short,
            };
            match name {
                Some(name) if is_end => MarkupStart::End(name),
                Some(name) => MarkupStart::Start(name),
                None if bytes.end() - start > LONGEST_NAME => {
                    MarkupStart::Endless { start, is_end }
                }
                None => MarkupStart::Cut,
            }
        }
        Some(b'>') if is_end => MarkupStart::Nothing,
        Some(_) if is_end => MarkupStart::Skip(SkippedMarkup::Bogus),
        Some(b'!') => skip::declaration(bytes, at, foreign.is_innermost()),
        Some(b'?') => MarkupStart::Skip(SkippedMarkup::Bogus),
        Some(_) => MarkupStart::Text,
        None if bytes.is_last() => MarkupStart::Text,
        None => MarkupStart::Cut,
    }
}

/// Returns where the name of a tag that begins at `start` ends.
fn name_end(bytes: Chunk<'_>, start: usize) -> Option<usize> {
    let rest = bytes.get(start..)?;
    rest.iter().position(|&b| ends_tag_name(b)).map(|len| start + len)
}

/// Name of a tag.
#[derive(Clone, Copy, Debug)]
struct TagName {
    start: usize,
    end: usize,
    element: Element,
}

impl TagName {
    /// Returns the name that begins here if it is short and ends within the bytes.
    fn at(bytes: Chunk<'_>, start: usize) -> Option<TagName> {
        let len = name_len(bytes.array::<BLOCK>(start)?);
        let is_short = len < BLOCK && ends_tag_name(bytes[start + len]);
        is_short.then(|| TagName::of(bytes, start..start + len))
    }

    fn of(bytes: Chunk<'_>, range: Range<usize>) -> TagName {
        let known = range.start..range.end.min(range.start + LONGEST_NAME);
        let element = Element::of(&bytes[known]);
        TagName { start: range.start, end: range.end, element }
    }
}

impl Tokenizer for Html {
    fn next(&mut self, bytes: Chunk<'_>) -> TokenizerStep {
        loop {
            let progress = match self.state {
                HtmlState::Text => match self.text(bytes) {
                    Ok(run) => return TokenizerStep::Token(run),
                    Err(progress) => progress,
                },
                HtmlState::Tag(inside) => self.tag(bytes, inside),
                HtmlState::Skip(skip) => self.skip(bytes, skip),
                HtmlState::Raw(raw) => self.raw(bytes, raw),
                HtmlState::Cdata => self.cdata(bytes),
            };
            match progress {
                HtmlStep::On => {}
                HtmlStep::Token(run) => return TokenizerStep::Token(run),
                HtmlStep::Out => return TokenizerStep::of(None, bytes, self.needed()),
            }
        }
    }
}
