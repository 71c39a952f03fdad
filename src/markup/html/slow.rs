//! Reads attributes of any form, by the states of the standard (§13.2.5.32–39), resumable at any byte.

use std::ops::Range;

use super::block::find;
use super::name::{ends_tag_name, is_space};
use super::places::{AttributeMeaning, Deferred, KnownAttribute};
use super::tag::TagPosition;
use super::{Html, HtmlState, HtmlStep, LONGEST_NAME};
use crate::input::chunk::Chunk;
use crate::markup::{Token, list_division};
use crate::notice::Notice;

impl Html {
    /// Applies the states of the standard, one byte at a time.
    pub(super) fn slowly(&mut self, bytes: Chunk<'_>, inside: TagPosition) -> HtmlStep {
        let mut inside = inside;
        loop {
            let Some(&b) = bytes.get(self.at) else {
                self.state = HtmlState::Tag(inside);
                return self.cut_attribute(bytes, inside);
            };
            inside = match inside {
                TagPosition::Name(start) if ends_tag_name(b) || (b == b'=' && self.at > start) => {
                    TagPosition::AfterName(KnownAttribute::of(&bytes[start..self.at]))
                }
                TagPosition::Name(start) => {
                    self.at += 1;
                    match self.at - start > LONGEST_NAME {
                        true => TagPosition::LongName,
                        false => inside,
                    }
                }
                TagPosition::LongName if ends_tag_name(b) || b == b'=' => {
                    TagPosition::AfterName(KnownAttribute::NONE)
                }
                TagPosition::AfterName(_) | TagPosition::BeforeValue(_) if is_space(b) => {
                    self.at += 1;
                    inside
                }
                TagPosition::AfterName(attribute) if b == b'=' => {
                    self.at += 1;
                    TagPosition::BeforeValue(attribute)
                }
                // An attribute without a value, or without one after the equals sign, has an empty value.
                TagPosition::AfterName(attribute) => {
                    return self.done(bytes, attribute, self.at..self.at);
                }
                TagPosition::BeforeValue(attribute) => match b {
                    b'>' => return self.done(bytes, attribute, self.at..self.at),
                    b'"' | b'\'' => {
                        self.at += 1;
                        TagPosition::Value { attribute, quote: b, start: self.at }
                    }
                    _ => TagPosition::Value { attribute, quote: 0, start: self.at },
                },
                TagPosition::Value { attribute, quote, start } => {
                    if bytes.end() - start > self.limits.whole
                        && let Some(part) = self.part_of_list(bytes, attribute, quote, start)
                    {
                        return HtmlStep::Token(part);
                    }
                    match value_end(bytes, self.at, quote) {
                        Some(end) => {
                            self.at = end + usize::from(quote != 0);
                            return self.done(bytes, attribute, start..end);
                        }
                        None => {
                            self.at = bytes.end();
                            inside
                        }
                    }
                }
                TagPosition::LongValue { quote } => match value_end(bytes, self.at, quote) {
                    Some(end) => {
                        self.at = end + usize::from(quote != 0);
                        self.state = HtmlState::Tag(TagPosition::Between);
                        return HtmlStep::Token(Token::LongEnd(end));
                    }
                    None => {
                        self.at = bytes.end();
                        inside
                    }
                },
                TagPosition::LongName => {
                    self.at += 1;
                    inside
                }
                TagPosition::Between | TagPosition::End { .. } => return HtmlStep::On,
            };
        }
    }

    /// Returns the part of a list of references that begins at `start` and fits in the limit, if the list is longer.
    #[cold]
    pub(super) fn part_of_list(
        &mut self,
        bytes: Chunk<'_>,
        attribute: KnownAttribute,
        quote: u8,
        start: usize,
    ) -> Option<Token> {
        if attribute == KnownAttribute::NONE {
            return None;
        }
        let (AttributeMeaning::Holds(grammar), context) = self.used(attribute)? else {
            return None;
        };
        let kept = bytes.get(start..start + grammar.limit(&self.limits))?;
        if !grammar.is_list() || value_end(bytes.up_to(start + kept.len()), start, quote).is_some()
        {
            return None;
        }
        self.at = start + list_division(kept, grammar)?;
        self.state = HtmlState::Tag(TagPosition::Value { attribute, quote, start: self.at });
        Some(Token::Value(self.holding(bytes, grammar, context, start..self.at)))
    }

    /// The bytes end inside an attribute.
    fn cut_attribute(&mut self, bytes: Chunk<'_>, inside: TagPosition) -> HtmlStep {
        match inside {
            TagPosition::LongValue { .. } if bytes.is_last() => {
                self.state = HtmlState::Tag(TagPosition::Between);
                HtmlStep::Token(Token::LongEnd(bytes.end()))
            }
            TagPosition::Value { attribute, quote, start } if attribute != KnownAttribute::NONE => {
                let used = self.used(attribute);
                match used {
                    Some((AttributeMeaning::Holds(grammar), context))
                        if bytes.end() - start > grammar.limit(&self.limits) =>
                    {
                        self.tag.seen |= attribute.bit();
                        self.state = HtmlState::Tag(TagPosition::LongValue { quote });
                        HtmlStep::Token(Token::Long(self.holding(
                            bytes,
                            grammar,
                            context,
                            start..bytes.end(),
                        )))
                    }
                    // An attribute without a meaning here, or whose value is too long, is only skipped.
                    Some((AttributeMeaning::Holds(_), _)) => HtmlStep::Out,
                    Some((AttributeMeaning::Notes(_), _))
                        if bytes.end() - start <= self.limits.link =>
                    {
                        HtmlStep::Out
                    }
                    _ => {
                        let is_content =
                            matches!(used, Some((AttributeMeaning::Notes(Deferred::Content), _)));
                        let attribute = KnownAttribute::NONE;
                        self.state = HtmlState::Tag(TagPosition::Value { attribute, quote, start });
                        match is_content {
                            true => HtmlStep::Token(Token::Notice(Notice::ValueTooLong)),
                            false => HtmlStep::Out,
                        }
                    }
                }
            }
            _ => HtmlStep::Out,
        }
    }

    /// Processes an attribute that was read byte by byte.
    fn done(
        &mut self,
        bytes: Chunk<'_>,
        attribute: KnownAttribute,
        value: Range<usize>,
    ) -> HtmlStep {
        self.state = HtmlState::Tag(TagPosition::Between);
        match attribute != KnownAttribute::NONE {
            true => self.value(bytes, attribute, value).map_or(HtmlStep::On, HtmlStep::Token),
            false => HtmlStep::On,
        }
    }
}

/// Returns where a value ends: its closing quote or the byte after it.
fn value_end(bytes: Chunk<'_>, from: usize, quote: u8) -> Option<usize> {
    match quote {
        0 => {
            let rest = bytes.get(from..)?;
            rest.iter().position(|&b| is_space(b) || b == b'>').map(|len| from + len)
        }
        _ => find(bytes.get(from..)?, quote).map(|len| from + len),
    }
}
