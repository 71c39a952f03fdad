//! The inside of a tag: attributes, their values, and the effects of its end (§13.2.5.32–40).
//!
//! `name='value'` that is completely in the bytes is read by blocks (`whole`): the fast path (`plain`) does not read values
//! in single quotes, and pages written with them take a fifth longer by states. Everything else, and anything that the
//! bytes' end cuts, is read by states one byte at a time. The first of two attributes with the same name counts. Only names
//! in the table are compared, so that a tag with 100,000 attributes takes time linear in its bytes.

use std::ops::Range;

use super::block::{chunk, find, name_len};
use super::element::Element;
use super::foreign::{StartTag, TagNamespace};
use super::name::{folded, is_space, word};
use super::note::{self, Notes};
use super::places::{AttributeContext, AttributeMeaning, Deferred, KnownAttribute};
use super::{Html, HtmlState, HtmlStep, HtmlTagPoint, LONGEST_NAME, TagName};
use crate::input::chunk::Chunk;
use crate::markup::tag_values::TagValues;
use crate::markup::{BaseScope, Grammar, Lazy, Rules, Token, UrlValue};
use crate::notice::Notice;
use crate::simd::signs::BLOCK;

/// Position of `at` in a tag.
#[derive(Clone, Copy, Debug)]
pub(super) enum TagPosition {
    /// Before an attribute, or the end.
    Between,
    /// In a name that begins here.
    Name(usize),
    /// In a name that is longer than any in the table, or in the tag's own name if that is too long.
    LongName,
    /// After this name.
    AfterName(KnownAttribute),
    /// After its equals sign.
    BeforeValue(KnownAttribute),
    /// In a value that begins here; the quote, or zero.
    Value { attribute: KnownAttribute, quote: u8, start: usize },
    /// In a value that is too long.
    LongValue { quote: u8 },
    /// At its end, after all attributes.
    End { is_self_closing: bool },
}

/// The tag that is being read.
#[derive(Clone, Debug)]
pub(super) struct OpenTag {
    element: Element,
    is_end: bool,
    reading: TagNamespace,
    /// The attributes of the table that have occurred.
    pub(super) seen: u128,
    notes: Notes,
    name: Range<usize>,
    /// The name, if its bytes may have been dropped.
    kept: Option<Box<[u8]>>,
    /// Whether there are notes, or a name is kept.
    is_marked: bool,
    /// Whether it is an `a` with a reference.
    is_link: bool,
}

impl Default for OpenTag {
    fn default() -> OpenTag {
        OpenTag {
            element: Element::OTHER,
            is_end: false,
            reading: TagNamespace::Html,
            seen: 0,
            notes: Notes::default(),
            name: 0..0,
            kept: None,
            is_marked: false,
            is_link: false,
        }
    }
}

impl OpenTag {
    /// Returns the state between two attributes, at this offset, if it needs neither the bytes of the name nor notes.
    pub(super) fn point(&self, at: usize) -> Option<HtmlTagPoint> {
        let OpenTag { element, seen, is_link, .. } = *self;
        let is_plain = !self.is_end
            && !self.is_marked
            && self.reading == TagNamespace::Html
            && element != Element::OTHER;
        let element = u8::try_from(element.number()).ok().filter(|_| is_plain)?;
        Some(HtmlTagPoint { at, element, seen, is_link })
    }

    /// Continues where another tokenizer was, in the tag whose `<` is at `start`.
    pub(super) fn resumed(start: usize, point: HtmlTagPoint) -> OpenTag {
        let HtmlTagPoint { at: _, element, seen, is_link } = point;
        let (element, name) = (Element::of_number(element), start + 1..start + 1);
        OpenTag { element, seen, name, is_link, ..OpenTag::default() }
    }

    /// Returns the offset of its `<`.
    pub(super) fn start(&self) -> usize {
        self.name.start.saturating_sub(1)
    }

    /// Sets where the name of the tag starts that has been read at once.
    #[inline(always)]
    pub(super) fn set_start(&mut self, name: usize) {
        self.name.start = name;
    }

    /// Returns the offset from which its bytes are needed. The details of a link, if links `have_details`, are read from
    /// the attributes before and after it.
    pub(super) fn needed(&self, inside: TagPosition, at: usize, have_details: bool) -> usize {
        let here = match inside {
            TagPosition::Name(start) => start,
            TagPosition::Value { attribute, start, .. } if attribute != KnownAttribute::NONE => {
                start
            }
            _ => at,
        };
        let here = self.notes.content.as_ref().map_or(here, |content| content.start.min(here));
        match have_details && !self.is_end {
            true => TagValues::needed(self.start(), here),
            false => here,
        }
    }

    /// Returns `true` if a value depends on the other attributes.
    #[inline]
    pub(super) fn is_value_waiting(&self) -> bool {
        self.notes.content.is_some()
    }

    pub(super) fn element(&self) -> Element {
        self.element
    }

    pub(super) fn is_end(&self) -> bool {
        self.is_end
    }

    fn name<'a>(&'a self, bytes: Chunk<'a>) -> &'a [u8] {
        match &self.kept {
            Some(kept) => kept,
            None => bytes.get(self.name.clone()).unwrap_or_default(),
        }
    }
}

/// An attribute that was read in a single step.
struct Whole {
    attribute: KnownAttribute,
    value: Range<usize>,
    /// Offset after its closing quote.
    end: usize,
}

impl Html {
    /// Begins a tag with this name, and continues after the name.
    #[inline(always)]
    pub(super) fn begin_tag(&mut self, name: TagName, is_end: bool) {
        self.at = name.end;
        let TagName { start, end, mut element } = name;
        let name = start..end.min(start + LONGEST_NAME);
        let mut reading = TagNamespace::Html;
        if !is_end && (element.is_notable() || !self.foreign.is_empty()) {
            reading = self.foreign.reading(element);
            if element == Element::IMAGE && reading == TagNamespace::Html {
                element = Element::IMG;
            }
        }
        let tag = &mut self.tag;
        (tag.element, tag.is_end, tag.reading) = (element, is_end, reading);
        (tag.seen, tag.name, tag.is_link) = (0, name, false);
        if tag.is_marked {
            (tag.notes, tag.kept, tag.is_marked) = (Notes::default(), None, false);
        }
    }

    /// Continues in a tag.
    pub(super) fn tag(&mut self, bytes: Chunk<'_>, inside: TagPosition) -> HtmlStep {
        let given = match inside {
            TagPosition::Between => self.between(bytes),
            TagPosition::End { is_self_closing } => return self.end_tag(bytes, is_self_closing),
            _ => self.slowly(bytes, inside),
        };
        match given {
            HtmlStep::Out => self.cut_tag(bytes),
            given => given,
        }
    }

    /// Processes the end of the bytes within the tag.
    #[cold]
    pub(super) fn cut_tag(&mut self, bytes: Chunk<'_>) -> HtmlStep {
        if !bytes.is_last() && self.tag.kept.is_none() && self.tag.element == Element::OTHER {
            self.tag.kept = Some(self.tag.name(bytes).into());
            self.tag.is_marked = true;
        }
        // At the input's end the value that its attributes define together is still returned; before that, a value that
        // depends on the other attributes of its tag does not wait indefinitely.
        let at = self.at;
        let content = self.tag.notes.content.as_ref();
        match content
            .is_some_and(|content| bytes.is_last() || at - content.start > self.limits.whole)
        {
            true => self.settle(at).map_or(HtmlStep::Out, HtmlStep::Token),
            false => HtmlStep::Out,
        }
    }

    /// Reads attributes up to one that holds something, or to the tag's end. The state need not be that of an open tag,
    /// neither before nor meanwhile.
    #[inline(always)]
    pub(super) fn between(&mut self, chunk: Chunk<'_>) -> HtmlStep {
        // Use offsets in the available bytes, since this runs for each attribute.
        let bytes = chunk.bytes();
        let mut at = chunk.index(self.at);
        loop {
            // Check for the most frequent bytes first, and not with a jump table, which is always mispredicted.
            at += usize::from(bytes.get(at) == Some(&b' '));
            if bytes.get(at) == Some(&b'>') {
                self.at = chunk.offset(at);
                return self.end_tag(chunk, false);
            }
            if let Some(Whole { attribute, value, end }) = whole(bytes, at) {
                at = end;
                if attribute != KnownAttribute::NONE {
                    self.at = chunk.offset(at);
                    self.state = HtmlState::Tag(TagPosition::Between);
                    let value = chunk.range(value);
                    if let Some(run) = self.value(chunk, attribute, value) {
                        return HtmlStep::Token(run);
                    }
                }
                continue;
            }
            self.at = chunk.offset(at);
            match bytes.get(at) {
                Some(b'/') if bytes.get(at + 1) == Some(&b'>') => {
                    self.at += 1;
                    return self.end_tag(chunk, true);
                }
                Some(b'/') if at + 1 < bytes.len() => at += 1,
                Some(&b) if is_space(b) => at += 1,
                None | Some(b'/') => {
                    self.state = HtmlState::Tag(TagPosition::Between);
                    return HtmlStep::Out;
                }
                Some(_) => {
                    self.state = HtmlState::Tag(TagPosition::Name(self.at));
                    return HtmlStep::On;
                }
            }
        }
    }

    /// Returns the meaning of an attribute, if it is the first with its name.
    pub(super) fn used(
        &self,
        attribute: KnownAttribute,
    ) -> Option<(AttributeMeaning, AttributeContext)> {
        if self.tag.is_end || self.tag.seen & attribute.bit() != 0 {
            return None;
        }
        if attribute.is_lazy() && self.limits.lazy == Lazy::Left {
            return None;
        }
        attribute.on(self.tag.element, self.tag.reading == TagNamespace::Foreign)
    }

    /// Processes an attribute of the table and its value; returns the token that it makes.
    pub(super) fn value(
        &mut self,
        bytes: Chunk<'_>,
        attribute: KnownAttribute,
        value: Range<usize>,
    ) -> Option<Token> {
        let used = self.used(attribute)?;
        self.tag.seen |= attribute.bit();
        match used {
            (AttributeMeaning::Notes(note), _) => {
                self.tag.is_marked = true;
                if note == Deferred::Font {
                    // It turns out to be an element of HTML; the attributes before this one have been returned already.
                    self.tag.reading = TagNamespace::Html;
                }
                if note == Deferred::Content {
                    if value.len() > self.limits.whole {
                        return Some(Token::Notice(Notice::ValueTooLong));
                    }
                    self.tag.notes.content = Some(value);
                } else if value.len() <= self.limits.link {
                    self.tag.notes.add(note, &bytes[value]);
                }
                None
            }
            (AttributeMeaning::Holds(Grammar::CssValue), _)
                if !note::has_function(&bytes[value.clone()]) =>
            {
                None
            }
            (AttributeMeaning::Holds(grammar), context) => {
                let is_long = value.len() > grammar.limit(&self.limits);
                let Range { start, end } = value;
                let value = self.holding(bytes, grammar, context, value);
                if is_long {
                    // A value without quotes never ends before a quote.
                    let quote = bytes.get(end).filter(|b| matches!(b, b'"' | b'\''));
                    let quote = quote.copied().unwrap_or(0);
                    // The rest of a list is read as the same attribute again.
                    self.tag.seen &= !attribute.bit();
                    if let Some(part) = self.part_of_list(bytes, attribute, quote, start) {
                        return Some(part);
                    }
                    self.tag.seen |= attribute.bit();
                    self.state = HtmlState::Tag(TagPosition::LongValue { quote });
                    self.at = end;
                    return Some(Token::Long(value));
                }
                if grammar == Grammar::Url && self.is_base() {
                    return Some(Token::Base { value, scope: BaseScope::Document });
                }
                Some(Token::Value(value))
            }
        }
    }

    /// Returns `true` if the tag is a `<base>` of the document: one in SVG or MathML is another element, and the content of
    /// a `template` is a separate document.
    fn is_base(&self) -> bool {
        self.tag.element == Element::BASE
            && self.tag.reading == TagNamespace::Html
            && !self.foreign.is_in_template()
    }

    pub(super) fn holding(
        &mut self,
        bytes: Chunk<'_>,
        grammar: Grammar,
        context: AttributeContext,
        range: Range<usize>,
    ) -> UrlValue {
        self.tag.is_link |= self.tag.element == Element::A && grammar == Grammar::Url;
        let element = || match self.tag.element {
            Element::OTHER => String::from_utf8_lossy(self.tag.name(bytes))
                .to_ascii_lowercase()
                .replace('\0', "\u{FFFD}")
                .into(),
            element => element.name().into(),
        };
        UrlValue { range, context: context.on(element), grammar, rules: Rules::HtmlAttribute }
    }

    /// Returns the token that the attributes of the tag make together.
    fn settle(&mut self, at: usize) -> Option<Token> {
        let content = self.tag.notes.content.take()?;
        let (grammar, context) = self.tag.notes.meaning(self.tag.element == Element::META);
        let grammar = grammar?;
        debug_assert!(content.end <= at);
        if content.len() > grammar.limit(&self.limits) {
            return Some(Token::Notice(Notice::ValueTooLong));
        }
        let context = context.into();
        Some(Token::Value(UrlValue {
            range: content,
            context,
            grammar,
            rules: Rules::HtmlAttribute,
        }))
    }

    /// Ends the tag, whose `>` is at `at`.
    #[inline(always)]
    fn end_tag(&mut self, bytes: Chunk<'_>, is_self_closing: bool) -> HtmlStep {
        let OpenTag { element, is_end, reading, .. } = self.tag;
        if self.tag.notes.content.is_some() {
            let at = self.at;
            if let Some(run) = self.settle(at) {
                self.state = HtmlState::Tag(TagPosition::End { is_self_closing });
                return HtmlStep::Token(run);
            }
        }
        self.at += 1;
        self.state = HtmlState::Text;
        self.joined &= !is_end & (element == Element::WBR);
        if !self.foreign.is_empty() | (reading == TagNamespace::Foreign) {
            return self.end_tag_in_foreign(bytes, is_self_closing);
        }
        self.foreign.around(element, is_end);
        if element.is_notable() {
            if element == Element::A {
                self.in_link = !is_end & self.tag.is_link;
            }
            if !is_end & element.is_raw() {
                self.begin_raw(element, self.tag.notes.data);
            }
        }
        HtmlStep::On
    }

    /// Ends the tag at once, if it is at its end and has no more tokens.
    #[inline(always)]
    pub(super) fn end_tag_here(&mut self, bytes: Chunk<'_>) {
        let is_between = matches!(self.state, HtmlState::Tag(TagPosition::Between));
        if is_between && self.tag.notes.content.is_none() && bytes.get(self.at) == Some(&b'>') {
            self.end_tag(bytes, false);
        }
    }

    /// Ends a tag of SVG or MathML, or inside of them.
    #[inline(never)]
    fn end_tag_in_foreign(&mut self, bytes: Chunk<'_>, is_self_closing: bool) -> HtmlStep {
        let OpenTag { element, is_end, reading, .. } = self.tag;
        if element == Element::A {
            let is_empty = is_self_closing & (reading == TagNamespace::Foreign);
            self.in_link = !is_end & self.tag.is_link & !is_empty;
        }
        if is_end {
            self.foreign.end(element, self.tag.name(bytes));
            return HtmlStep::On;
        }
        let reading = self.foreign.start(&StartTag {
            element,
            name: self.tag.name(bytes),
            is_self_closing,
            is_styled_font: self.tag.notes.is_styled_font,
            is_html_point: self.tag.notes.is_html_point,
        });
        if reading == TagNamespace::Html && element.is_raw() {
            self.begin_raw(element, self.tag.notes.data);
        }
        HtmlStep::On
    }
}

/// Returns the attribute that begins at `start`, if it has the form `name='value'` or `name="value"` and more bytes follow
/// it.
#[inline(always)]
fn whole(bytes: &[u8], start: usize) -> Option<Whole> {
    let len = name_len(chunk::<BLOCK>(bytes, start)?);
    let equals = start + len;
    let (&[b'=', quote @ (b'"' | b'\'')], 1..BLOCK) = (chunk::<2>(bytes, equals)?, len) else {
        return None;
    };
    let value = equals + 2;
    let end = value + find(bytes.get(value..)?, quote)?;
    let attribute = match len {
        ..=8 => KnownAttribute::by_key(folded(word(chunk(bytes, start)?), len)),
        _ => KnownAttribute::of(bytes.get(start..equals)?),
    };
    Some(Whole { attribute, value: value..end, end: end + 1 })
}
