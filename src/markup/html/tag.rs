//! The inside of a tag: attributes, their values, and what its end brings about (§13.2.5.32–40).
//!
//! `name="value"` that lies whole in the bytes, which nearly every attribute does, is read by loads of
//! eight bytes (`whole`). Everything else, and whatever the bytes' end cuts, goes through states one byte
//! at a time. Of two attributes of one name the first wins; only names of the table are compared, so
//! that a tag of 100,000 attributes takes as long as its bytes.

use std::ops::Range;

use super::element::Element;
use super::foreign::{Reading, StartTag};
use super::name::{ends_tag_name, find, folded, is_space, name_len, word};
use super::note::{self, Notes};
use super::places::{Attribute, Context, Note, Use};
use super::raw::Raw;
use super::{Html, LONGEST_NAME, Progress, State};
use crate::markup::{Grammar, Rules, Run, Scope, Value};

/// Where in a tag `at` is.
#[derive(Clone, Copy, Debug)]
pub(super) enum Inside {
    /// Before an attribute, or the end.
    Between,
    /// In a name that begins here.
    Name(usize),
    /// In a name that is longer than any of the table; that of the tag too.
    LongName,
    /// Behind this name.
    AfterName(Attribute),
    /// Behind its equals sign.
    BeforeValue(Attribute),
    /// In a value that begins here; the quote, or zero.
    Value { attribute: Attribute, quote: u8, start: usize },
    /// In one that has grown too long.
    LongValue { quote: u8 },
    /// At its end, all attributes read.
    End { is_self_closing: bool },
}

impl Inside {
    pub(super) fn shift(&mut self, by: usize) {
        if let Inside::Name(start) | Inside::Value { start, .. } = self {
            *start = start.saturating_sub(by);
        }
    }
}

/// The tag that is open.
#[derive(Clone, Debug)]
pub(super) struct Tag {
    element: Element,
    is_end: bool,
    reading: Reading,
    /// The attributes of the table that were there.
    seen: u128,
    notes: Notes,
    name: Range<usize>,
    /// The name, once its bytes may be gone.
    kept: Option<Box<[u8]>>,
}

impl Default for Tag {
    fn default() -> Tag {
        Tag {
            element: Element::OTHER,
            is_end: false,
            reading: Reading::Html,
            seen: 0,
            notes: Notes::default(),
            name: 0..0,
            kept: None,
        }
    }
}

impl Tag {
    pub(super) fn needed(&self, inside: Inside, at: usize) -> usize {
        let here = match inside {
            Inside::Name(start) => start,
            Inside::Value { attribute, start, .. } if attribute != Attribute::NONE => start,
            _ => at,
        };
        self.notes.content.as_ref().map_or(here, |content| content.start.min(here))
    }

    pub(super) fn shift(&mut self, by: usize) {
        for range in [Some(&mut self.name), self.notes.content.as_mut()].into_iter().flatten() {
            *range = range.start.saturating_sub(by)..range.end.saturating_sub(by);
        }
    }

    fn name<'a>(&'a self, bytes: &'a [u8]) -> &'a [u8] {
        match &self.kept {
            Some(kept) => kept,
            None => bytes.get(self.name.clone()).unwrap_or_default(),
        }
    }
}

/// An attribute that was read in one go.
struct Whole {
    attribute: Attribute,
    value: Range<usize>,
    /// Behind its closing quote.
    end: usize,
}

impl Html {
    /// A tag with this name begins; goes on behind the name.
    #[inline]
    pub(super) fn begin_tag(&mut self, bytes: &[u8], name: Range<usize>, is_end: bool) {
        self.at = name.end;
        let name = name.start..name.end.min(name.start + LONGEST_NAME);
        let text = &bytes[name.clone()];
        let mut element = match word(bytes, name.start) {
            Some(word) => Element::by_key(text, folded(word, text.len())),
            None => Element::of(text),
        };
        let mut reading = Reading::Html;
        if !is_end && (element.is_notable() || !self.foreign.is_empty()) {
            reading = self.foreign.reading(element);
            if element == Element::IMAGE && reading == Reading::Html {
                element = Element::IMG;
            }
        }
        self.tag = Tag { element, is_end, reading, name, ..Tag::default() };
        self.state = State::Tag(Inside::Between);
    }

    /// Goes on in a tag.
    pub(super) fn tag(&mut self, bytes: &[u8], is_last: bool, inside: Inside) -> Progress {
        let given = match inside {
            Inside::Between => self.between(bytes),
            Inside::End { is_self_closing } => return self.end_tag(bytes, is_self_closing),
            _ => self.slowly(bytes, is_last, inside),
        };
        match given {
            Progress::Out if is_last => {
                // The tag is cut; what its attributes said together is still to be had.
                let at = self.at;
                self.settle(at).map_or(Progress::Out, Progress::Run)
            }
            Progress::Out => {
                if self.tag.kept.is_none() && self.tag.element == Element::OTHER {
                    self.tag.kept = Some(self.tag.name(bytes).into());
                }
                // A value that waits for the others of its tag does not wait forever.
                let at = self.at;
                let content = self.tag.notes.content.as_ref();
                match content.is_some_and(|content| at - content.start > self.limits.whole) {
                    true => self.settle(at).map_or(Progress::Out, Progress::Run),
                    false => Progress::Out,
                }
            }
            given => given,
        }
    }

    /// Attributes one after the other, up to one that holds something or the tag's end.
    fn between(&mut self, bytes: &[u8]) -> Progress {
        loop {
            match bytes.get(self.at) {
                Some(b'>') => return self.end_tag(bytes, false),
                Some(b'/') => match bytes.get(self.at + 1) {
                    Some(b'>') => {
                        self.at += 1;
                        return self.end_tag(bytes, true);
                    }
                    Some(_) => self.at += 1,
                    None => return Progress::Out,
                },
                Some(&b) if is_space(b) => self.at += 1,
                Some(_) => match whole(bytes, self.at) {
                    Some(Whole { attribute, value, end }) => {
                        self.at = end;
                        if attribute != Attribute::NONE
                            && let Some(run) = self.value(bytes, attribute, value)
                        {
                            return Progress::Run(run);
                        }
                    }
                    None => {
                        self.state = State::Tag(Inside::Name(self.at));
                        return Progress::On;
                    }
                },
                None => return Progress::Out,
            }
        }
    }

    /// The states of the standard, one byte at a time.
    fn slowly(&mut self, bytes: &[u8], is_last: bool, inside: Inside) -> Progress {
        let mut inside = inside;
        loop {
            let Some(&b) = bytes.get(self.at) else {
                self.state = State::Tag(inside);
                return self.cut(bytes, is_last, inside);
            };
            inside = match inside {
                Inside::Name(start) if ends_tag_name(b) || (b == b'=' && self.at > start) => {
                    Inside::AfterName(Attribute::of(&bytes[start..self.at]))
                }
                Inside::Name(start) => {
                    self.at += 1;
                    match self.at - start > LONGEST_NAME {
                        true => Inside::LongName,
                        false => inside,
                    }
                }
                Inside::LongName if ends_tag_name(b) || b == b'=' => {
                    Inside::AfterName(Attribute::NONE)
                }
                Inside::AfterName(_) | Inside::BeforeValue(_) if is_space(b) => {
                    self.at += 1;
                    inside
                }
                Inside::AfterName(attribute) if b == b'=' => {
                    self.at += 1;
                    Inside::BeforeValue(attribute)
                }
                // Without a value, or with none behind the equals sign: the empty string.
                Inside::AfterName(attribute) => {
                    return self.done(bytes, attribute, self.at..self.at);
                }
                Inside::BeforeValue(attribute) => match b {
                    b'>' => return self.done(bytes, attribute, self.at..self.at),
                    b'"' | b'\'' => {
                        self.at += 1;
                        Inside::Value { attribute, quote: b, start: self.at }
                    }
                    _ => Inside::Value { attribute, quote: 0, start: self.at },
                },
                Inside::Value { attribute, quote, start } => match value_end(bytes, self.at, quote)
                {
                    Some(end) => {
                        self.at = end + usize::from(quote != 0);
                        return self.done(bytes, attribute, start..end);
                    }
                    None => {
                        self.at = bytes.len();
                        inside
                    }
                },
                Inside::LongValue { quote } => match value_end(bytes, self.at, quote) {
                    Some(end) => {
                        self.at = end + usize::from(quote != 0);
                        self.state = State::Tag(Inside::Between);
                        return Progress::Run(Run::LongEnd(end));
                    }
                    None => {
                        self.at = bytes.len();
                        inside
                    }
                },
                Inside::LongName => {
                    self.at += 1;
                    inside
                }
                Inside::Between | Inside::End { .. } => return Progress::On,
            };
        }
    }

    /// The bytes end inside an attribute.
    fn cut(&mut self, bytes: &[u8], is_last: bool, inside: Inside) -> Progress {
        match inside {
            Inside::LongValue { .. } if is_last => {
                self.state = State::Tag(Inside::Between);
                Progress::Run(Run::LongEnd(bytes.len()))
            }
            Inside::Value { attribute, quote, start } if attribute != Attribute::NONE => {
                let used = self.used(attribute);
                match used {
                    Some((Use::Holds(grammar), context))
                        if bytes.len() - start > grammar.limit(&self.limits) =>
                    {
                        self.tag.seen |= attribute.bit();
                        self.state = State::Tag(Inside::LongValue { quote });
                        Progress::Run(Run::Long(self.holding(
                            bytes,
                            grammar,
                            context,
                            start..bytes.len(),
                        )))
                    }
                    // One that says nothing here, or too much, is only passed over.
                    Some((Use::Holds(_), _)) => Progress::Out,
                    Some((Use::Notes(_), _)) if bytes.len() - start <= self.limits.link => {
                        Progress::Out
                    }
                    _ => {
                        let attribute = Attribute::NONE;
                        self.state = State::Tag(Inside::Value { attribute, quote, start });
                        Progress::Out
                    }
                }
            }
            _ => Progress::Out,
        }
    }

    /// An attribute is read, byte by byte.
    fn done(&mut self, bytes: &[u8], attribute: Attribute, value: Range<usize>) -> Progress {
        self.state = State::Tag(Inside::Between);
        match attribute != Attribute::NONE {
            true => self.value(bytes, attribute, value).map_or(Progress::On, Progress::Run),
            false => Progress::On,
        }
    }

    /// What an attribute is there for, if it is the first of its name.
    fn used(&self, attribute: Attribute) -> Option<(Use, Context)> {
        if self.tag.is_end || self.tag.seen & attribute.bit() != 0 {
            return None;
        }
        attribute.on(self.tag.element, self.tag.reading == Reading::Foreign)
    }

    /// An attribute of the table and its value; gives what it holds.
    fn value(&mut self, bytes: &[u8], attribute: Attribute, value: Range<usize>) -> Option<Run> {
        let used = self.used(attribute);
        self.tag.seen |= attribute.bit();
        match used? {
            (Use::Notes(note), _) => {
                if note == Note::Content {
                    self.tag.notes.content = (value.len() <= self.limits.whole).then_some(value);
                } else if value.len() <= self.limits.link {
                    self.tag.notes.add(note, &bytes[value]);
                }
                None
            }
            (Use::Holds(Grammar::CssValue), _) if !note::has_function(&bytes[value.clone()]) => {
                None
            }
            (Use::Holds(grammar), context) => {
                let is_long = value.len() > grammar.limit(&self.limits);
                let end = value.end;
                let value = self.holding(bytes, grammar, context, value);
                if self.tag.element == Element::A && grammar == Grammar::Url {
                    self.tag.notes.is_link = true;
                }
                if is_long {
                    // A value without quotes never ends before one.
                    let quote = bytes.get(end).filter(|b| matches!(b, b'"' | b'\''));
                    let quote = quote.copied().unwrap_or(0);
                    self.state = State::Tag(Inside::LongValue { quote });
                    self.at = end;
                    return Some(Run::Long(value));
                }
                if self.tag.element == Element::BASE && grammar == Grammar::Url && !self.has_base {
                    self.has_base = true;
                    return Some(Run::Base { value, scope: Scope::Document });
                }
                Some(Run::Value(value))
            }
        }
    }

    fn holding(
        &self,
        bytes: &[u8],
        grammar: Grammar,
        context: Context,
        range: Range<usize>,
    ) -> Value {
        let element = || match self.tag.element {
            Element::OTHER => String::from_utf8_lossy(self.tag.name(bytes)).to_ascii_lowercase(),
            element => element.name().to_owned(),
        };
        Value { range, context: context.text(element), grammar, rules: Rules::HtmlAttribute }
    }

    /// What the attributes of the tag say together.
    fn settle(&mut self, at: usize) -> Option<Run> {
        let content = self.tag.notes.content.take()?;
        let (grammar, context) = self.tag.notes.meaning(self.tag.element == Element::META)?;
        debug_assert!(content.end <= at);
        if content.len() > grammar.limit(&self.limits) {
            return None;
        }
        let context = context.into();
        Some(Run::Value(Value { range: content, context, grammar, rules: Rules::HtmlAttribute }))
    }

    /// The tag's `>` is at `at`.
    fn end_tag(&mut self, bytes: &[u8], is_self_closing: bool) -> Progress {
        let Tag { element, is_end, .. } = self.tag;
        if self.tag.notes.content.is_some() {
            let at = self.at;
            if let Some(run) = self.settle(at) {
                self.state = State::Tag(Inside::End { is_self_closing });
                return Progress::Run(run);
            }
        }
        self.at += 1;
        self.state = State::Text;
        if is_end {
            self.joined = false;
            if element == Element::A {
                self.in_link = false;
            }
            if !self.foreign.is_empty() {
                self.foreign.end(element, self.tag.name(bytes));
            }
            return Progress::On;
        }
        self.joined &= element == Element::WBR;
        if !element.is_notable() && self.foreign.is_empty() {
            return Progress::On;
        }
        let reading = self.foreign.start(&StartTag {
            element,
            name: self.tag.name(bytes),
            is_self_closing,
            is_styled_font: self.tag.notes.is_styled_font,
            is_html_point: self.tag.notes.is_html_point,
        });
        if element == Element::A {
            self.in_link = self.tag.notes.is_link;
        }
        if reading == Reading::Html && element.is_raw() {
            self.state = State::Raw(Raw::new(element, self.tag.notes.is_json));
        }
        Progress::On
    }
}

/// The attribute that begins at `start`, if it has the form `name="value"` and the bytes go on behind it.
#[inline(always)]
fn whole(bytes: &[u8], start: usize) -> Option<Whole> {
    let first = word(bytes, start)?;
    let mut len = name_len(first);
    if len == 8 {
        len += name_len(word(bytes, start + 8)?);
    }
    let equals = start + len;
    let (&[b'=', quote @ (b'"' | b'\'')], true) = (bytes.get(equals..equals + 2)?, len > 0) else {
        return None;
    };
    let value = equals + 2;
    let end = find(bytes, value, quote)?;
    let attribute = match len <= 16 {
        true => Attribute::by_key(&bytes[start..equals], folded(first, len)),
        false => Attribute::NONE,
    };
    Some(Whole { attribute, value: value..end, end: end + 1 })
}

/// Where a value ends, its closing quote or what stands behind it.
fn value_end(bytes: &[u8], from: usize, quote: u8) -> Option<usize> {
    match quote {
        0 => {
            let rest = bytes.get(from..)?;
            rest.iter().position(|&b| is_space(b) || b == b'>').map(|len| from + len)
        }
        _ => find(bytes, from, quote),
    }
}
