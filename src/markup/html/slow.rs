//! Attributes of any form, by the states of the standard (§13.2.5.32–39), resumable at any byte.

use std::ops::Range;

use super::block::find;
use super::name::{ends_tag_name, is_space};
use super::places::{Attribute, Deferred, Meaning};
use super::tag::Inside;
use super::{Html, LONGEST_NAME, Progress, State};
use crate::chunk::Chunk;
use crate::markup::{Token, list_division};
use crate::notice::Notice;

impl Html {
    /// The states of the standard, one byte at a time.
    pub(super) fn slowly(&mut self, bytes: Chunk<'_>, inside: Inside) -> Progress {
        let mut inside = inside;
        loop {
            let Some(&b) = bytes.get(self.at) else {
                self.state = State::Tag(inside);
                return self.cut(bytes, inside);
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
                // Without a value, or with none after the equals sign: the empty string.
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
                Inside::Value { attribute, quote, start } => {
                    if bytes.end() - start > self.limits.whole
                        && let Some(part) = self.part_of_list(bytes, attribute, quote, start)
                    {
                        return Progress::Token(part);
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
                Inside::LongValue { quote } => match value_end(bytes, self.at, quote) {
                    Some(end) => {
                        self.at = end + usize::from(quote != 0);
                        self.state = State::Tag(Inside::Between);
                        return Progress::Token(Token::LongEnd(end));
                    }
                    None => {
                        self.at = bytes.end();
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

    /// As much of a list of references that begins at `start` as may be kept at once, if it is longer.
    #[cold]
    pub(super) fn part_of_list(
        &mut self,
        bytes: Chunk<'_>,
        attribute: Attribute,
        quote: u8,
        start: usize,
    ) -> Option<Token> {
        if attribute == Attribute::NONE {
            return None;
        }
        let (Meaning::Holds(grammar), context) = self.used(attribute)? else { return None };
        let kept = bytes.get(start..start + grammar.limit(&self.limits))?;
        if !grammar.is_list() || value_end(bytes.up_to(start + kept.len()), start, quote).is_some()
        {
            return None;
        }
        self.at = start + list_division(kept, grammar)?;
        self.state = State::Tag(Inside::Value { attribute, quote, start: self.at });
        Some(Token::Value(self.holding(bytes, grammar, context, start..self.at)))
    }

    /// The bytes end inside an attribute.
    fn cut(&mut self, bytes: Chunk<'_>, inside: Inside) -> Progress {
        match inside {
            Inside::LongValue { .. } if bytes.is_last() => {
                self.state = State::Tag(Inside::Between);
                Progress::Token(Token::LongEnd(bytes.end()))
            }
            Inside::Value { attribute, quote, start } if attribute != Attribute::NONE => {
                let used = self.used(attribute);
                match used {
                    Some((Meaning::Holds(grammar), context))
                        if bytes.end() - start > grammar.limit(&self.limits) =>
                    {
                        self.tag.seen |= attribute.bit();
                        self.state = State::Tag(Inside::LongValue { quote });
                        Progress::Token(Token::Long(self.holding(
                            bytes,
                            grammar,
                            context,
                            start..bytes.end(),
                        )))
                    }
                    // One that says nothing here, or too much, is only passed over.
                    Some((Meaning::Holds(_), _)) => Progress::Out,
                    Some((Meaning::Notes(_), _)) if bytes.end() - start <= self.limits.link => {
                        Progress::Out
                    }
                    _ => {
                        let is_content =
                            matches!(used, Some((Meaning::Notes(Deferred::Content), _)));
                        let attribute = Attribute::NONE;
                        self.state = State::Tag(Inside::Value { attribute, quote, start });
                        match is_content {
                            true => Progress::Token(Token::Notice(Notice::ValueTooLong)),
                            false => Progress::Out,
                        }
                    }
                }
            }
            _ => Progress::Out,
        }
    }

    /// An attribute is read, byte by byte.
    fn done(&mut self, bytes: Chunk<'_>, attribute: Attribute, value: Range<usize>) -> Progress {
        self.state = State::Tag(Inside::Between);
        match attribute != Attribute::NONE {
            true => self.value(bytes, attribute, value).map_or(Progress::On, Progress::Token),
            false => Progress::On,
        }
    }
}

/// Where a value ends, its closing quote or what is after it.
fn value_end(bytes: Chunk<'_>, from: usize, quote: u8) -> Option<usize> {
    match quote {
        0 => {
            let rest = bytes.get(from..)?;
            rest.iter().position(|&b| is_space(b) || b == b'>').map(|len| from + len)
        }
        _ => find(bytes.get(from..)?, quote).map(|len| from + len),
    }
}
