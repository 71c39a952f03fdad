//! The walk: one input in, its documents out, however deep they are.
//!
//! A stream is looked at ([`Kind`]), opened if it can be, and what is inside goes the same way. What
//! is a document goes to the [`Visitor`]. A fault goes there too, with the member that it is in, and
//! the walk goes on after it.

use std::io::{self, Read};
use std::sync::Arc;

use super::codec::Codec;
use super::fault::{Fault, FaultCode, Late, is_told};
use super::feed::Feed;
use super::kind::Kind;
use super::limits::Limits;
use super::marks::Marks;
use super::member::Member;
use super::metered::Metered;
use super::part::{Budget, Part};
use super::resume::Begin;
pub(super) use super::said::Said;
use super::source::{Source, Window};
use super::warc::http::HeaderLink;
use super::zip::has_end_record;
use crate::charset::Charset;
use crate::document::{Declared, Format, Hints, Nature};
use crate::link::Origin;
use crate::notice::Notice;
use crate::sniff::{self, About, Verdict};

/// What takes documents and faults, in order.
pub(crate) trait Visitor {
    /// A document; what it was not read of is passed over.
    fn document(&mut self, given: &Given<'_>, reader: &mut dyn Read) -> io::Result<()>;

    /// Something that could not be read, or not to its end.
    fn failed(&mut self, member: &Member, error: io::Error);

    /// Something that a reader of the links should know.
    fn noticed(&mut self, member: &Member, notice: Notice);

    /// A reference that a header of the document holds, in the bytes of a record's block.
    fn value(&mut self, given: &Given<'_>, link: HeaderLink);

    /// A part of an archive: gone through here and now ([`Part::run`]), or elsewhere, with what comes of it in
    /// its place.
    fn part(&mut self, part: Part, walk: &mut Walk<'_>);

    /// Whether nobody wants any more.
    fn is_stopped(&self) -> bool;
}

/// What is to be known of a document beside its bytes.
pub(crate) struct Given<'g> {
    pub(crate) member: &'g Member,
    /// Its name, for its ending; empty if it has none.
    pub(crate) name: &'g [u8],
    /// Whether it is text; not how it is wanted to be read.
    pub(crate) nature: Nature,
    pub(crate) said: &'g Said,
    /// How deep it is.
    pub(crate) depth: u32,
    /// What may still come out of the input.
    pub(crate) budget: &'g Arc<Budget>,
}

impl Given<'_> {
    /// What is known of it, beside what is known of all.
    pub(crate) fn hints(&self, of_all: &Hints) -> Hints {
        let nature = of_all.wanted(self.nature);
        let mut hints = match nature {
            Nature::Text => of_all.clone(),
            _ => of_all.of_binary(),
        };
        hints.nature = Some(nature);
        if nature == Nature::Text {
            hints.declared = self.said.declared;
            if !self.name.is_empty() || !self.member.is_empty() {
                hints.name = Some(self.name.to_vec()).filter(|name| !name.is_empty());
            }
        }
        hints.charset = self.said.charset.or(hints.charset);
        if let Some(source) = &self.said.source {
            hints.base = Some(source.clone());
        }
        hints
    }

    /// Where its links come from; nothing to be said of an input that is no archive.
    pub(crate) fn origin(&self) -> Option<Origin> {
        (!self.member.is_empty()).then(|| Origin {
            member: Some(self.member.as_str().into()),
            member_bytes: self.member.bytes().map(Into::into),
            source: self.said.told_source().map(Into::into),
            ..Origin::default()
        })
    }
}

/// An input of a walk.
pub(crate) struct Input<'i> {
    pub(crate) name: &'i [u8],
    pub(crate) reader: Box<dyn Read + 'i>,
    /// The same bytes, where they can be read anywhere.
    pub(crate) source: Option<Arc<dyn Source>>,
    /// A read may have to wait for somebody.
    pub(crate) is_live: bool,
    /// What is said of it.
    pub(crate) declared: Declared,
    /// Where it is begun with, if it is an archive.
    pub(crate) begin: Begin,
}

/// Where the bytes of a stream are stored.
#[derive(Clone)]
pub(super) enum Where {
    Source(Arc<dyn Source>),
    Window(Window),
    /// Nowhere that could be gone back to; so many bytes, if that is known.
    Stream(Option<u64>),
}

impl Where {
    fn len(&self) -> Option<u64> {
        match self {
            Where::Source(source) => Some(source.len()),
            Where::Window(window) => Some(window.len()),
            Where::Stream(len) => *len,
        }
    }

    pub(super) fn window(&self) -> Option<Window> {
        match self {
            Where::Source(source) => Some(Window::whole(Arc::clone(source))),
            Where::Window(window) => Some(window.clone()),
            Where::Stream(_) => None,
        }
    }
}

/// A stream inside an input.
pub(super) struct Place<'p> {
    pub(super) member: &'p Member,
    pub(super) name: &'p [u8],
    pub(super) from: Where,
    pub(super) depth: u32,
    pub(super) is_live: bool,
    pub(super) said: &'p Said,
    /// Where the members of the compressed stream begin that it came out of.
    pub(super) marks: Option<Marks>,
}

impl Place<'_> {
    /// The stream of a member of it that is read in order.
    pub(super) fn inner<'i>(&'i self, member: &'i Member, name: &'i [u8], size: u64) -> Place<'i> {
        Place {
            member,
            name,
            from: Where::Stream(Some(size)),
            depth: self.depth + 1,
            is_live: false,
            said: self.said,
            marks: None,
        }
    }

    /// Where a decoded byte is in the stored stream: the offset of its member, or of itself.
    pub(super) fn stored_offset(&self, at: u64) -> u64 {
        self.marks.as_ref().and_then(|marks| marks.of(at)).map_or(at, |(_, stored)| stored)
    }

    /// The step of what begins at a decoded byte: `OFFSET`, or `OFFSET+K` inside a member.
    pub(super) fn step(&self, at: u64) -> String {
        match self.marks.as_ref().and_then(|marks| marks.of(at)) {
            Some((decoded, stored)) if decoded < at => format!("{stored}+{}", at - decoded),
            Some((_, stored)) => stored.to_string(),
            None => at.to_string(),
        }
    }
}

/// What somebody asks that all documents of an input be read as.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Asked {
    format: Option<Format>,
    charset: Option<Charset>,
}

impl Asked {
    pub(crate) fn of(hints: &Hints) -> Asked {
        let format = (hints.is_asked && hints.format != Format::Auto).then_some(hints.format);
        Asked { format, charset: hints.charset }
    }
}

/// Walks through inputs, one after the other.
pub(crate) struct Walk<'w> {
    pub(super) limits: &'w Limits,
    /// What is known of all documents.
    pub(crate) asked: Asked,
    /// Whether anything is opened.
    opens: bool,
    /// Memory of feeds, for the next ones.
    pub(super) spare: Vec<Vec<u8>>,
    /// What may still come out of the input.
    pub(crate) budget: Arc<Budget>,
    /// Where the outermost archive is begun with, until it is met.
    pub(super) begin: Option<Begin>,
}

impl<'w> Walk<'w> {
    pub(crate) fn new(limits: &'w Limits, opens: bool) -> Walk<'w> {
        let budget = Arc::new(Budget::new(u64::MAX));
        let asked = Asked::default();
        Walk { limits, asked, opens, spare: Vec::new(), budget, begin: None }
    }

    /// Goes through an input.
    pub(crate) fn input(&mut self, input: Input<'_>, visitor: &mut dyn Visitor) {
        let Input { name, reader, source, is_live, declared, begin } = input;
        let from = source.map_or(Where::Stream(None), Where::Source);
        // What its length is, is asked when something is opened.
        self.budget = Arc::new(Budget::new(u64::MAX));
        let (member, said) = (Member::default(), Said { declared, ..Said::default() });
        let place =
            Place { member: &member, name, from, depth: 0, is_live, said: &said, marks: None };
        self.begin = Some(begin);
        self.stream(reader, &place, visitor);
        self.begin = None;
    }

    /// Goes through an archive that a document of another walk holds encoded, as mail its attachments. What comes
    /// out of it counts with what comes out of the input. It is one that is opened by the verdict on it.
    #[cfg(all(feature = "mail", feature = "files"))]
    pub(crate) fn attachment(
        &mut self,
        within: &Given<'_>,
        name: &[u8],
        bytes: Vec<u8>,
        visitor: &mut dyn Visitor,
    ) {
        let len = bytes.len() as u64;
        let source: Arc<dyn Source> = Arc::new(bytes);
        let reader = Box::new(Window::whole(Arc::clone(&source)));
        self.budget = Arc::clone(within.budget);
        if within.depth == 0 {
            // Each adds what it may expand to, and all of them have what an input always has.
            let left = match self.budget.left() {
                u64::MAX => self.limits.of_input(0),
                left => left,
            };
            let more = len.saturating_mul(self.limits.expansion);
            self.budget.set(left.saturating_add(more).min(u64::MAX - 1));
        }
        let place = Place {
            member: within.member,
            name,
            from: Where::Source(source),
            depth: within.depth.max(1),
            is_live: false,
            said: &Said::default(),
            marks: None,
        };
        self.stream(reader, &place, visitor);
    }

    pub(super) fn stream(
        &mut self,
        reader: Box<dyn Read + '_>,
        place: &Place<'_>,
        visitor: &mut dyn Visitor,
    ) {
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
        while sniff::wants_more(feed.held(), place.is_live) && feed.read_more()? > 0 {}
        let head = feed.held();
        let about = About {
            asked: self.asked.format,
            charset: place.said.charset.or(self.asked.charset),
            declared: place.said.declared,
            name: place.name,
        };
        let verdict = sniff::verdict(&about, head);
        let kind = match verdict {
            Verdict::Opened(opener) => Some(Kind::of(opener)),
            // A program with a zip after it is a document by how it begins.
            Verdict::Document(_) => self.may_be_zip(head, place).then_some(Kind::Zip),
        };
        let Some(kind) = kind.filter(|_| self.opens) else {
            let nature = match verdict {
                Verdict::Document(nature) => nature,
                Verdict::Opened(_) if head.is_empty() => Nature::Text,
                Verdict::Opened(_) => Nature::Binary,
            };
            return self.leaf(feed, place, nature, visitor);
        };
        if place.depth >= self.limits.depth {
            let reason = format!("nested deeper than {}, --max-depth", self.limits.depth);
            return Err(Fault::new(FaultCode::Depth, 0, reason).into());
        }
        if place.depth == 0 {
            self.budget.set(self.limits.of_input(place.from.len().unwrap_or(0)));
        }
        match kind {
            Kind::Compressed(Codec::Gzip) if self.is_ranged(true, feed, place) => {
                self.warc_ranges(Some(Codec::Gzip), place, visitor);
                Ok(())
            }
            Kind::Warc if self.is_ranged(false, feed, place) => {
                self.warc_ranges(None, place, visitor);
                Ok(())
            }
            Kind::Compressed(codec) => self.compressed(codec, feed, place, visitor),
            Kind::Warc => self.warc(feed, place, visitor),
            kind => self.archive(kind, feed, place, visitor),
        }
    }

    /// An archive whose members are documents of their own.
    fn archive(
        &mut self,
        kind: Kind,
        feed: &mut Feed<'_>,
        place: &Place<'_>,
        visitor: &mut dyn Visitor,
    ) -> io::Result<()> {
        let said = place.said.of_members();
        let place = &Place {
            member: place.member,
            name: place.name,
            from: place.from.clone(),
            depth: place.depth,
            is_live: place.is_live,
            said: &said,
            marks: place.marks.clone(),
        };
        match kind {
            Kind::Tar => self.tar(feed, place, visitor),
            Kind::Ar => self.ar(feed, place, visitor),
            _ => self.zip(feed, place, visitor),
        }
    }

    fn may_be_zip(&self, head: &[u8], place: &Place<'_>) -> bool {
        self.opens
            && sniff::may_precede_zip(head)
            && place.from.window().is_some_and(|window| has_end_record(&window))
    }

    fn leaf(
        &mut self,
        feed: &mut Feed<'_>,
        place: &Place<'_>,
        nature: Nature,
        visitor: &mut dyn Visitor,
    ) -> io::Result<()> {
        if let Some(marks) = &place.marks {
            marks.turn_off();
        }
        let Place { member, name, said, .. } = *place;
        if member.is_cut() {
            visitor.noticed(member, Notice::NameTooLong);
        }
        let (depth, budget) = (place.depth, &Arc::clone(&self.budget));
        visitor.document(&Given { member, name, nature, said, depth, budget }, feed)
    }

    fn compressed(
        &mut self,
        codec: Codec,
        feed: &mut Feed<'_>,
        place: &Place<'_>,
        visitor: &mut dyn Visitor,
    ) -> io::Result<()> {
        let name = sniff::inner_name(place.name);
        let marks = Marks::default();
        let late = Late::default();
        let metered = self.metering(codec, feed, place.from.len(), Some(marks.clone()), &late)?;
        let inner = Place {
            member: place.member,
            name: &name,
            from: Where::Stream(None),
            depth: place.depth + 1,
            is_live: place.is_live,
            said: place.said,
            marks: Some(marks),
        };
        self.stream(metered, &inner, visitor);
        late.take().map_or(Ok(()), Err)
    }

    /// What compressed bytes stand for, as far as the limits allow.
    pub(super) fn metered<'f>(
        &self,
        codec: Codec,
        feed: &'f mut Feed<'_>,
        stored: Option<u64>,
        late: &Late,
    ) -> io::Result<Box<dyn Read + 'f>> {
        self.metering(codec, feed, stored, None, late)
    }

    pub(super) fn metering<'f>(
        &self,
        codec: Codec,
        feed: &'f mut Feed<'_>,
        stored: Option<u64>,
        marks: Option<Marks>,
        late: &Late,
    ) -> io::Result<Box<dyn Read + 'f>> {
        Ok(Box::new(Metered {
            decoder: codec.decoder(feed, self.limits, marks)?,
            given: 0,
            stored,
            limits: self.limits.clone(),
            budget: Arc::clone(&self.budget),
            late: late.clone(),
            failed: false,
        }))
    }
}
