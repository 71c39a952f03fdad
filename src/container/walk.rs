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
use super::kind::{self, HEAD, Kind, Nature};
use super::limits::Limits;
use super::marks::Marks;
use super::member::Member;
use super::metered::Metered;
use super::part::{Budget, Part};
use super::resume::Begin;
use super::source::{Source, Window};
use super::warc::http::HeaderLink;
use super::zip::has_end_record;
use crate::charset::{Charset, Detected};
use crate::document::{Format, Hints};
use crate::iri::{self, IriBuf};
use crate::limits;
#[cfg(feature = "files")]
use crate::link::Origin;
use crate::media_type;
#[cfg(feature = "mail")]
use crate::message::known;
use crate::notice::Notice;

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

    /// A document that is counted and not read: a picture.
    fn counted(&mut self, member: &Member);

    /// A part of an archive: gone through here and now ([`Part::run`]), or elsewhere, with what comes of it in
    /// its place.
    fn part(&mut self, part: Part, walk: &mut Walk<'_>);

    /// Whether nobody wants any more.
    fn is_stopped(&self) -> bool;
}

/// What a container says of a document.
#[derive(Clone, Debug, Default)]
pub(crate) struct Said {
    pub(crate) format: Option<Format>,
    pub(crate) charset: Option<Charset>,
    /// The document's own IRI, which is its base too.
    pub(crate) source: Option<IriBuf>,
    /// It has one that is none.
    pub(crate) is_source_unusable: bool,
}

impl Said {
    /// What an IRI and a media type say.
    pub(super) fn of(source: Option<&[u8]>, kind: Option<&str>) -> Said {
        let kind = kind.unwrap_or_default().as_bytes();
        let name = String::from_utf8_lossy(media_type::first_word(kind)).to_ascii_lowercase();
        let format = match &*name {
            "application/warc-fields" => Some(Format::Text),
            name => Format::of_media_type(name),
        };
        let label = media_type::parameter(kind, "charset");
        let charset = label.and_then(|label| {
            String::from_utf8_lossy(&label).trim_matches(['\'', ' ']).parse().ok()
        });
        let source = source.map(|source| iri::repair(source).map(iri::Repaired::into_iri));
        let is_source_unusable = source.as_ref().is_some_and(Result::is_err);
        Said { format, charset, source: source.and_then(Result::ok), is_source_unusable }
    }
}

impl Said {
    /// The document's own IRI, if it is short enough to be told with each link.
    #[cfg(feature = "files")]
    fn told_source(&self) -> Option<&str> {
        let source = self.source.as_ref().map(IriBuf::as_str);
        source.filter(|source| source.len() <= limits::TOLD_WITH_EACH)
    }

    /// What is to be noticed of the document's own IRI.
    pub(super) fn notice(&self) -> Option<Notice> {
        let is_long = |source: &IriBuf| source.as_str().len() > limits::TOLD_WITH_EACH;
        match &self.source {
            Some(source) => is_long(source).then_some(Notice::SourceTooLong),
            None => self.is_source_unusable.then_some(Notice::BaseUnusable),
        }
    }
}

/// What is to be known of a document beside its bytes.
pub(crate) struct Given<'g> {
    pub(crate) member: &'g Member,
    /// Its name, for its ending; empty if it has none.
    pub(crate) name: &'g [u8],
    pub(crate) nature: Nature,
    pub(crate) said: &'g Said,
    /// How deep it is.
    #[cfg_attr(
        not(all(feature = "mail", feature = "files")),
        allow(dead_code, reason = "of use to attachments alone")
    )]
    pub(crate) depth: u32,
    /// What may still come out of the input.
    #[cfg_attr(
        not(all(feature = "mail", feature = "files")),
        allow(dead_code, reason = "of use to attachments alone")
    )]
    pub(crate) budget: &'g Arc<Budget>,
}

impl Given<'_> {
    /// What is known of it, beside what is known of all.
    pub(crate) fn hints(&self, of_all: &Hints) -> Hints {
        let mut hints = match of_all.format {
            _ if self.nature != Nature::Text => return of_all.clone().format(Format::Text),
            Format::Auto if self.said.format.is_none() && !self.name.is_empty() => {
                of_all.named(self.name)
            }
            _ => of_all.clone(),
        };
        if let (Format::Auto, Some(format)) = (hints.format, self.said.format) {
            hints.format = format;
        }
        hints.charset = self.said.charset.or(hints.charset);
        if let Some(source) = &self.said.source {
            hints.base = Some(source.clone());
        }
        hints
    }

    /// Where its links come from; nothing to be said of an input that is no archive.
    #[cfg(feature = "files")]
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
    /// Where it is begun with, if it is an archive.
    pub(crate) begin: Begin,
}

/// Where the bytes of a stream are stored.
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

/// Walks through inputs, one after the other.
pub(crate) struct Walk<'w> {
    pub(super) limits: &'w Limits,
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
        Walk { limits, opens, spare: Vec::new(), budget, begin: None }
    }

    /// Goes through an input.
    pub(crate) fn input(&mut self, input: Input<'_>, visitor: &mut dyn Visitor) {
        let Input { name, reader, source, is_live, begin } = input;
        let from = source.map_or(Where::Stream(None), Where::Source);
        // What its length is, is asked when something is opened.
        self.budget = Arc::new(Budget::new(u64::MAX));
        let (member, said) = (Member::default(), Said::default());
        let place =
            Place { member: &member, name, from, depth: 0, is_live, said: &said, marks: None };
        self.begin = Some(begin);
        self.stream(reader, &place, visitor);
        self.begin = None;
    }

    /// Whether what begins so is an archive that is opened.
    #[cfg(all(feature = "mail", feature = "files"))]
    pub(crate) fn opens_attachment(&self, name: &[u8], bytes: &[u8]) -> bool {
        let head = &bytes[..bytes.len().min(HEAD)];
        self.opens && !matches!(Kind::of(name, head, || false), Kind::Document(_))
    }

    /// Goes through an archive that a document of another walk holds encoded, as mail its attachments. What comes
    /// out of it counts with what comes out of the input. It is one that [`opens_attachment`](Self::opens_attachment)
    /// says yes to.
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
        look(feed, place.is_live)?;
        let head = feed.held();
        let start = &head[..head.len().min(HEAD)];
        match Kind::of(place.name, head, || is_utf16(start) || is_mail(start, place)) {
            Kind::Document(nature) if !self.may_be_zip(head, place) => {
                if nature == Nature::Closed {
                    visitor.noticed(place.member, Notice::NotOpened);
                }
                self.leaf(feed, place, nature, visitor)
            }
            _ if !self.opens && head.is_empty() => self.leaf(feed, place, Nature::Text, visitor),
            _ if !self.opens => self.leaf(feed, place, Nature::Binary, visitor),
            _ if place.depth >= self.limits.depth => {
                let reason = format!("nested deeper than {}, --max-depth", self.limits.depth);
                Err(Fault::new(FaultCode::Depth, 0, reason).into())
            }
            kind => {
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
                    Kind::Tar => self.tar(feed, place, visitor),
                    Kind::Ar => self.ar(feed, place, visitor),
                    Kind::Warc => self.warc(feed, place, visitor),
                    // A program with a zip after it is a document by how it begins.
                    Kind::Zip | Kind::Document(_) => self.zip(feed, place, visitor),
                }
            }
        }
    }

    fn may_be_zip(&self, head: &[u8], place: &Place<'_>) -> bool {
        self.opens
            && kind::may_precede_zip(head)
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
        let name = kind::inner_name(place.name);
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

fn is_utf16(head: &[u8]) -> bool {
    let detected = Detected::of(head);
    detected.is_ok_and(|detected| detected.charset().name().starts_with("utf-16"))
}

/// Whether it is mail, whose parts may be binary.
#[cfg(feature = "mail")]
fn is_mail(head: &[u8], place: &Place<'_>) -> bool {
    let hints = Hints::new().format(place.said.format.unwrap_or(Format::Auto)).named(place.name);
    known::of(&hints, head, true).is_ok_and(|kind| kind.is_some())
}

#[cfg(not(feature = "mail"))]
fn is_mail(_: &[u8], _: &Place<'_>) -> bool {
    false
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
