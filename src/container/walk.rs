//! The walk: one input in, its documents out, however deep they are.
//!
//! A stream is looked at ([`Kind`]), opened if it can be, and what is inside goes the same way. What
//! is a document goes to the [`Visitor`]. A fault goes there too, with the member that it is in, and
//! the walk goes on after it.

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

use super::codec::{Codec, Decode};
use super::fault::{Fault, FaultCode, is_told, told};
use super::feed::Feed;
use super::kind::{self, HEAD, Kind, Nature};
use super::limits::Limits;
use super::member::Member;
use super::source::Window;
use crate::charset::Detected;
use crate::link::Origin;
use crate::stream::Notice;

/// What takes documents and faults, in order.
pub(crate) trait Visitor {
    /// A document; what it was not read of is passed over.
    fn document(&mut self, given: &Given<'_>, reader: &mut dyn Read) -> io::Result<()>;

    /// Something that could not be read, or not to its end.
    fn failed(&mut self, member: &Member, error: io::Error);

    /// Something that a reader of the links should know.
    fn noticed(&mut self, member: &Member, notice: Notice);

    /// Whether nobody wants any more.
    fn is_stopped(&self) -> bool;
}

/// What is to be known of a document beside its bytes.
pub(crate) struct Given<'g> {
    pub(crate) member: &'g Member,
    /// Its name, for its ending; empty if it has none.
    pub(crate) name: &'g [u8],
    pub(crate) nature: Nature,
}

impl Given<'_> {
    /// Where its links come from; nothing to be said of an input that is no archive.
    pub(crate) fn origin(&self) -> Option<Origin> {
        (!self.member.is_empty()).then(|| Origin {
            member: Some(self.member.as_str().into()),
            member_bytes: self.member.bytes().map(Into::into),
            ..Origin::default()
        })
    }
}

/// An input of a walk.
pub(crate) struct Input<'i> {
    pub(crate) name: &'i [u8],
    pub(crate) reader: Box<dyn Read + 'i>,
    /// The same bytes, where they can be read anywhere.
    pub(crate) window: Option<Window>,
    /// A read may have to wait for somebody.
    pub(crate) is_live: bool,
}

/// A stream inside an input.
struct Place<'p> {
    member: &'p Member,
    name: &'p [u8],
    /// How many bytes are stored, if that is known.
    stored: Option<u64>,
    depth: u32,
    is_live: bool,
}

/// Walks through inputs, one after the other.
pub(crate) struct Walk<'w> {
    limits: &'w Limits,
    /// Whether anything is opened.
    opens: bool,
    /// Memory of feeds, for the next ones.
    spare: Vec<Vec<u8>>,
    /// What may still come out of the input.
    budget: Rc<Cell<u64>>,
}

impl<'w> Walk<'w> {
    pub(crate) fn new(limits: &'w Limits, opens: bool) -> Walk<'w> {
        Walk { limits, opens, spare: Vec::new(), budget: Rc::default() }
    }

    /// Goes through an input.
    pub(crate) fn input(&mut self, input: Input<'_>, visitor: &mut dyn Visitor) {
        let Input { name, reader, window, is_live } = input;
        let stored = window.as_ref().map(Window::len);
        self.budget = Rc::new(Cell::new(self.limits.of_input(stored.unwrap_or(0))));
        let member = Member::default();
        let place = Place { member: &member, name, stored, depth: 0, is_live };
        self.stream(reader, &place, visitor);
    }

    fn stream(&mut self, reader: Box<dyn Read + '_>, place: &Place<'_>, visitor: &mut dyn Visitor) {
        let held = self.spare.pop().unwrap_or_default();
        let mut feed = Feed::reusing(held, reader, 0, &[]);
        match self.open(&mut feed, place, visitor) {
            Err(error) if !is_told(&error) && !visitor.is_stopped() => {
                visitor.failed(place.member, error);
            }
            _ => {}
        }
        self.spare.push(feed.into_held());
    }

    fn open(
        &mut self,
        feed: &mut Feed<'_>,
        place: &Place<'_>,
        visitor: &mut dyn Visitor,
    ) -> io::Result<()> {
        look(feed, place.is_live)?;
        let is_utf16 = |head: &[u8]| {
            let detected = Detected::of(head);
            detected.is_ok_and(|detected| detected.charset().name().starts_with("utf-16"))
        };
        let head = feed.held();
        match Kind::of(place.name, head, || is_utf16(&head[..head.len().min(HEAD)])) {
            Kind::Compressed(codec) if self.opens => {
                self.compressed(codec, feed, place, visitor)?
            }
            kind => {
                let nature = match kind {
                    Kind::Document(nature) => nature,
                    _ if head.is_empty() => Nature::Text,
                    _ => Nature::Binary,
                };
                if nature == Nature::Closed {
                    visitor.noticed(place.member, Notice::NotOpened);
                }
                let given = Given { member: place.member, name: place.name, nature };
                visitor.document(&given, feed)?;
            }
        }
        Ok(())
    }

    fn compressed(
        &mut self,
        codec: Codec,
        feed: &mut Feed<'_>,
        place: &Place<'_>,
        visitor: &mut dyn Visitor,
    ) -> io::Result<()> {
        if place.depth >= self.limits.depth {
            let reason = format!("nested deeper than {}, --max-depth", self.limits.depth);
            return Err(Fault::new(FaultCode::Depth, 0, reason).into());
        }
        let name = kind::inner_name(place.name);
        let metered = Metered {
            decoder: codec.decoder(feed, self.limits)?,
            given: 0,
            stored: place.stored,
            limits: self.limits.clone(),
            budget: Rc::clone(&self.budget),
            failed: false,
        };
        let inner = Place {
            member: place.member,
            name: &name,
            stored: None,
            depth: place.depth + 1,
            is_live: place.is_live,
        };
        self.stream(Box::new(metered), &inner, visitor);
        Ok(())
    }
}

/// Reads until it can be told what a stream is. A live one is asked for no more than it takes.
fn look(feed: &mut Feed<'_>, is_live: bool) -> io::Result<()> {
    while feed.held().len() < HEAD {
        let held = feed.held();
        // The longest magic number has sixteen bytes, and nothing that has none has zeros.
        let is_plain = held.len() >= 16 || held.contains(&b'\n') || is_ascii_word(held);
        if is_live && is_plain && !is_binary(held) {
            break;
        }
        if feed.read_more()? == 0 {
            break;
        }
    }
    Ok(())
}

/// Something that no magic number begins with.
fn is_ascii_word(held: &[u8]) -> bool {
    matches!(held, [b'a'..=b'z' | b' ' | b'<' | b'{' | b'[' | b'"', ..])
}

fn is_binary(held: &[u8]) -> bool {
    held.iter().any(|byte| matches!(byte, 0..=8 | 0x0E..=0x1A))
}

/// A decoder whose output is counted.
struct Metered<'d> {
    decoder: Box<dyn Decode + 'd>,
    given: u64,
    stored: Option<u64>,
    limits: Limits,
    budget: Rc<Cell<u64>>,
    failed: bool,
}

impl Read for Metered<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if self.failed {
            return Err(told());
        }
        let read = self.decoder.read(to)?;
        self.given += read as u64;
        let most = self.limits.of_member(self.stored.unwrap_or_else(|| self.decoder.at()));
        let left = self.budget.get().checked_sub(read as u64);
        self.budget.set(left.unwrap_or(0));
        if self.given > most || left.is_none() {
            self.failed = true;
            let reason = match left {
                None => "the input expands to too much, --max-expansion".to_owned(),
                Some(_) => format!("expands to more than {most} bytes, --max-expansion"),
            };
            return Err(Fault::new(FaultCode::Expansion, self.decoder.at(), reason).into());
        }
        Ok(read)
    }
}
