//! Text and documents that are in memory: their links, each found when it is asked for.
//!
//! Takes a text or the stored bytes of a document; gives iterators of links,
//! borrowed from it where they can be.

mod cursor;
mod spans;
#[cfg(test)]
mod tests;

use std::collections::VecDeque;
use std::ops::ControlFlow;
use std::task::Poll;

use crate::block::{Block, Stepped};
use crate::charset::{Extent, UndecodableError};
use crate::document::{Document, Nature};
use crate::finder::Finder;
use crate::link::owned;
use crate::link::{Judged, Link, Rejected, is_sure};
#[cfg(feature = "mail")]
use crate::message::{self, Mail};
use crate::notice::Notice;
use crate::pass::{AnyPass, Pass, Told, Utf8};
use crate::scan::TextKind;
use crate::sniff;

pub use cursor::Cursor;
pub use spans::{Span, Spans};

impl Finder {
    /// The links of `text`, in order, each found when it is asked for.
    ///
    /// ```
    /// let finder = linksift::Finder::new();
    /// assert_eq!(finder.links("a.example.com b").next().unwrap().range(), 0..13);
    /// ```
    pub fn links<'f, 't>(&'f self, text: &'t str) -> Links<'f, 't> {
        self.candidates(text).for_links()
    }

    /// The links of `text` and the candidates that were rejected, in order.
    ///
    /// ```
    /// let finder = linksift::Finder::new();
    /// let text = "http://256.1.1.1/ http://10.1.1.1/";
    /// let codes: Vec<_> =
    ///     finder.candidates(text).map(|c| c.map_err(|r| r.reason().code()).is_ok()).collect();
    /// assert_eq!(codes, [false, true]);
    /// ```
    pub fn candidates<'f, 't>(&'f self, text: &'t str) -> Candidates<'f, 't> {
        Candidates { text: Some(text), ..self.candidates_in(text.as_bytes()) }
    }

    /// The [`candidates`](Finder::candidates) of UTF-8 that need not be well-formed: a malformed
    /// sequence ends a link, which then has the warning [`Malformed`](crate::Warning::Malformed).
    ///
    /// ```
    /// let finder = linksift::Finder::new();
    /// let link = finder.candidates_in(b"http://e.com/a\xFFb").next().unwrap().unwrap();
    /// assert_eq!(link.range(), 0..14);
    /// assert!(link.warnings().contains(linksift::Warning::Malformed));
    /// ```
    pub fn candidates_in<'f, 't>(&'f self, bytes: &'t [u8]) -> Candidates<'f, 't> {
        let way = AnyPass::Utf8(Utf8::new(self, TextKind::Prose, false));
        Candidates::new(bytes, Driver::Pass(way), [None; 2])
    }

    /// The [`links`](Finder::links) of UTF-8 that need not be well-formed.
    ///
    /// ```
    /// let finder = linksift::Finder::new();
    /// assert_eq!(finder.links_in(b"\xFF http://e.com/").next().unwrap().range(), 2..15);
    /// ```
    pub fn links_in<'f, 't>(&'f self, bytes: &'t [u8]) -> Links<'f, 't> {
        self.candidates_in(bytes).for_links()
    }

    /// The candidates of a document that is in memory; [`links`](Candidates::links) gives the links alone.
    ///
    /// # Errors
    ///
    /// The document declares an encoding that nothing can be decoded from.
    ///
    /// ```
    /// use linksift::{Charset, Document, Finder};
    ///
    /// let finder = Finder::new();
    /// let document = Document::new(b"\xFFexample.com").charset(Charset::UTF_8);
    /// let found = finder.document(&document)?.links().next().unwrap();
    /// assert_eq!(found.range(), 1..12);
    /// # #[cfg(feature = "documents")]
    /// assert!(finder.document(&Document::new(b"<meta charset=iso-2022-kr>")).is_err());
    /// # Ok::<(), linksift::UndecodableError>(())
    /// ```
    #[inline]
    pub fn document<'f, 't>(
        &'f self,
        document: &Document<'t>,
    ) -> Result<Candidates<'f, 't>, UndecodableError> {
        let Document { bytes, hints } = document;
        if sniff::is_plain_text(hints, bytes) {
            let pass = Utf8::new(self, TextKind::Prose, hints.positions);
            return Ok(Candidates::new(bytes, Driver::Pass(AnyPass::Utf8(pass)), [None; 2]));
        }
        self.document_by_look(document)
    }

    /// The same, after a look at what the document is.
    #[inline(never)]
    fn document_by_look<'f, 't>(
        &'f self,
        document: &Document<'t>,
    ) -> Result<Candidates<'f, 't>, UndecodableError> {
        let Document { bytes, hints } = document;
        #[cfg(feature = "mail")]
        if let Ok(Some(kind)) = sniff::mail::of(hints, bytes, true) {
            let road = Driver::Mail(Box::new(Mail::new(self, hints, kind)));
            return Ok(Candidates::new(bytes, road, [None; 2]));
        }
        let nature = hints.nature(bytes);
        if nature != Nature::Text {
            return self.document_of(nature, document);
        }
        let begun = Utf8::new(self, hints.text_kind(self.scan.boundaries), hints.positions);
        let (way, told) = AnyPass::of(&document.detect()?, hints, bytes, Extent::Whole, begun);
        Ok(Candidates::new(bytes, Driver::Pass(way), told))
    }

    /// The candidates in a document that is no text.
    #[cold]
    fn document_of<'f, 't>(
        &'f self,
        nature: Nature,
        document: &Document<'t>,
    ) -> Result<Candidates<'f, 't>, UndecodableError> {
        // Who has found out what it is has told of it.
        let told = [Notice::of_nature(nature).filter(|_| document.hints.nature.is_none()), None];
        let begun = Utf8::new(self, TextKind::Prose, document.hints.positions);
        if !nature.is_scanned(document.hints.non_text) {
            return Ok(Candidates::new(b"", Driver::Pass(AnyPass::Utf8(begun)), told));
        }
        let document = Document { bytes: document.bytes, hints: document.hints.of_binary() };
        let Document { bytes, hints } = &document;
        let (way, _) = AnyPass::of(&document.detect()?, hints, bytes, Extent::Whole, begun);
        Ok(Candidates::new(bytes, Driver::Binary(way), told))
    }
}

/// The links of a text; see [`Finder::links`].
///
/// ```
/// let text = "example.com or example.org".to_owned();
/// let links: linksift::Links<'_, '_> = linksift::links(&text);
/// assert_eq!(links.map(|link| link.range().start).collect::<Vec<_>>(), [0, 15]);
/// ```
#[derive(Clone, Debug)]
pub struct Links<'f, 't>(Candidates<'f, 't>);

impl<'t> Links<'_, 't> {
    /// Returns the notices of the text scanned so far, as [`Candidates::notices`].
    ///
    /// ```
    /// use linksift::{Document, Finder, Notice};
    ///
    /// let finder = Finder::new();
    /// let picture = Document::new(b"\x89PNG\r\n\x1a\n http://example.com/");
    /// let links = finder.document(&picture)?.links();
    /// assert_eq!(links.notices(), [Notice::MediaUnread]);
    /// # Ok::<(), linksift::UndecodableError>(())
    /// ```
    pub fn notices(&self) -> Vec<Notice> {
        self.0.notices()
    }

    /// Returns the next one, or `Pending` if the next bytes, about as many as given, have none:
    /// [`Candidates::next_within`] of the links alone.
    ///
    /// ```
    /// use std::task::Poll;
    ///
    /// let finder = linksift::Finder::new();
    /// let text = format!("{} http://example.com/", "http://256.1.1.1/ ".repeat(1_000));
    /// let mut links = finder.links(&text);
    /// assert!(links.next_within(1 << 12).is_pending());
    /// let found = loop {
    ///     if let Poll::Ready(found) = links.next_within(1 << 12) {
    ///         break found;
    ///     }
    /// };
    /// assert_eq!(found.unwrap().range().start, 18_001);
    /// ```
    pub fn next_within(&mut self, bytes: usize) -> Poll<Option<Link<'t>>> {
        self.0.show(bytes);
        loop {
            match self.0.next_shown() {
                Poll::Ready(Some(Err(_))) => {}
                other => return other.map(|found| found.and_then(Result::ok)),
            }
        }
    }
}

impl<'t> Iterator for Links<'_, 't> {
    type Item = Link<'t>;

    #[inline]
    fn next(&mut self) -> Option<Link<'t>> {
        let Candidates { bytes, text, road, .. } = &mut self.0;
        let Some(pass) = road.text() else { return self.0.by_ref().find_map(Result::ok) };
        pass.next_link(Block { text: *text, ..Block::new(bytes, 0, true) })
    }
}

/// The links of a text and what was rejected; see [`Finder::candidates`].
///
/// ```
/// let finder = linksift::Finder::new();
/// let (links, rejected): (Vec<_>, Vec<_>) =
///     finder.candidates("http://256.1.1.1/ http://10.1.1.1/").partition(Result::is_ok);
/// assert_eq!((links.len(), rejected.len()), (1, 1));
/// ```
#[derive(Clone, Debug)]
pub struct Candidates<'f, 't> {
    bytes: &'t [u8],
    /// The same, if it is known to be UTF-8.
    text: Option<&'t str>,
    road: Driver<'f>,
    /// How many of the bytes were shown to the pass, where fewer were asked for.
    shown: usize,
    /// What the last step gave and was not asked for yet.
    #[allow(clippy::box_collection, reason = "texts have none, and are many")]
    found: Option<Box<VecDeque<Judged<'t>>>>,
    told: Told,
}

/// What goes over a document.
#[allow(clippy::large_enum_variant, reason = "to allocate takes longer than a short text does")]
#[derive(Clone, Debug)]
enum Driver<'f> {
    Pass(AnyPass<'f>),
    /// Over binary data: only certain links are reported.
    Binary(AnyPass<'f>),
    #[cfg(feature = "mail")]
    Mail(Box<Mail<'f>>),
}

impl<'f> Driver<'f> {
    /// The pass, if it goes over running text in UTF-8.
    #[inline(always)]
    fn text(&mut self) -> Option<&mut Utf8<'f>> {
        match self {
            Driver::Pass(AnyPass::Utf8(pass)) => Some(pass),
            _ => None,
        }
    }
}

impl<'f, 't> Candidates<'f, 't> {
    #[inline]
    fn new(bytes: &'t [u8], road: Driver<'f>, told: Told) -> Candidates<'f, 't> {
        Candidates { bytes, text: None, road, shown: 0, found: None, told }
    }

    /// The first notice on the document, as [`Scanned::notice`](crate::Scanned::notice)
    /// of a stream.
    ///
    /// ```
    /// # #[cfg(feature = "documents")] {
    /// use linksift::{Document, Finder, Format, Notice};
    ///
    /// let finder = Finder::new();
    /// let text = "[".repeat(1 << 20);
    /// let document = Document::new(text.as_bytes()).format(Format::Markdown);
    /// assert_eq!(finder.document(&document).unwrap().notice(), Some(Notice::ReadAsText));
    /// # }
    /// ```
    pub fn notice(&self) -> Option<Notice> {
        match &self.road {
            Driver::Pass(way) | Driver::Binary(way) => {
                self.told.iter().flatten().chain(way.notices()).next().copied()
            }
            #[cfg(feature = "mail")]
            Driver::Mail(mail) => mail.notices().first().copied(),
        }
    }

    /// Returns the notices of the text scanned so far, as
    /// [`Scanned::notices`](crate::Scanned::notices) of a stream. A document may say at its end what
    /// holds for all of it.
    ///
    /// ```
    /// # #[cfg(feature = "documents")] {
    /// use linksift::{Document, Finder, Format, Notice};
    ///
    /// let page = Document::new(b"<base href='http://e.com:port/'><a href=x>").format(Format::Html);
    /// let finder = Finder::new();
    /// let mut candidates = finder.document(&page).unwrap();
    /// assert_eq!(candidates.by_ref().filter(Result::is_ok).count(), 1);
    /// assert_eq!(candidates.notices(), [Notice::BaseUnusable]);
    /// # }
    /// ```
    pub fn notices(&self) -> Vec<Notice> {
        match &self.road {
            Driver::Pass(way) | Driver::Binary(way) => {
                self.told.iter().flatten().chain(way.notices()).copied().collect()
            }
            #[cfg(feature = "mail")]
            Driver::Mail(mail) => mail.notices().to_vec(),
        }
    }

    /// The links among those that are left.
    ///
    /// ```
    /// use linksift::{Document, Finder};
    ///
    /// let finder = Finder::new();
    /// let document = Document::new(b"http://256.1.1.1/ http://10.1.1.1/");
    /// assert_eq!(finder.document(&document)?.links().count(), 1);
    /// # Ok::<(), linksift::UndecodableError>(())
    /// ```
    pub fn links(self) -> Links<'f, 't> {
        Links(self)
    }

    /// Returns the next one, or `Pending` if the next bytes, about as many as given, have none: for who has to do
    /// other things in between, or may be told to stop. `Ready(None)`: there are no more.
    ///
    /// What is undecided where the bytes end is looked at again with the next ones, at most as far as the longest link.
    /// Some documents are scanned in longer steps: a message part by part; Markdown, and a page that has to be
    /// transcoded as a whole (in UTF-16 or ISO-2022-JP), at once when all of it was asked for.
    ///
    /// ```
    /// use std::task::Poll;
    ///
    /// let finder = linksift::Finder::new();
    /// let text = format!("{} http://example.com/", "word ".repeat(10_000));
    /// let mut candidates = finder.candidates(&text);
    /// let mut looks = 1;
    /// let found = loop {
    ///     match candidates.next_within(1 << 12) {
    ///         Poll::Pending => looks += 1,
    ///         Poll::Ready(found) => break found,
    ///     }
    /// };
    /// assert_eq!(found.unwrap().unwrap().range().start, 50_001);
    /// assert_eq!(looks, 13);
    /// ```
    pub fn next_within(&mut self, bytes: usize) -> Poll<Option<Result<Link<'t>, Rejected<'t>>>> {
        self.show(bytes);
        self.next_shown()
    }

    /// Shows so many bytes more to the pass.
    fn show(&mut self, bytes: usize) {
        let end = self.bytes.len().min(self.shown.saturating_add(bytes.max(1)));
        self.shown = match self.text {
            Some(text) => (end..).find(|end| text.is_char_boundary(*end)).unwrap_or(end),
            None => end,
        };
    }

    /// The next one in what was shown.
    fn next_shown(&mut self) -> Poll<Option<Judged<'t>>> {
        let is_last = self.shown == self.bytes.len();
        match self.step_to_next(self.shown) {
            None if !is_last => Poll::Pending,
            found => Poll::Ready(found),
        }
    }

    fn for_links(mut self) -> Links<'f, 't> {
        if let Some(pass) = self.road.text() {
            pass.tell_links_alone();
        }
        Links(self)
    }

    /// What the first so many bytes have next.
    #[inline]
    fn step_to_next(&mut self, shown: usize) -> Option<Judged<'t>> {
        let Candidates { bytes, text, road, found, .. } = self;
        let block = match shown == bytes.len() {
            true => Block { text: *text, ..Block::new(bytes, 0, true) },
            false => Block {
                text: text.and_then(|text| text.get(..shown)),
                ..Block::new(&bytes[..shown], 0, false)
            },
        };
        loop {
            if let Some(found) = found
                && let Some(judged) = found.pop_front()
            {
                return Some(judged);
            }
            let keep = &mut |judged| {
                found.get_or_insert_default().push_back(judged);
                ControlFlow::Continue(())
            };
            let stepped = match road {
                Driver::Pass(way) => way.step(block, keep),
                Driver::Binary(way) => {
                    let keep = &mut |mut judged| match is_sure(&mut judged) {
                        true => keep(judged),
                        false => ControlFlow::Continue(()),
                    };
                    match way.step(block, keep) {
                        ControlFlow::Continue(Stepped::Found(mut judged)) => {
                            ControlFlow::Continue(match is_sure(&mut judged) {
                                true => Stepped::Found(judged),
                                false => Stepped::More,
                            })
                        }
                        stepped => stepped,
                    }
                }
                #[cfg(feature = "mail")]
                Driver::Mail(mail) => {
                    let feed = &mut message::Feed::whole(bytes);
                    let step = mail.step(feed, &mut |one| match one {
                        message::Found::Judged(judged) => keep(owned(judged)),
                        _ => ControlFlow::Continue(()),
                    });
                    step.map_continue(
                        |is_more| if is_more { Stepped::More } else { Stepped::NeedInput },
                    )
                }
            };
            match stepped {
                ControlFlow::Continue(Stepped::Found(judged)) => return Some(judged),
                ControlFlow::Continue(Stepped::More) => {}
                _ => return found.as_mut()?.pop_front(),
            }
        }
    }
}

impl<'t> Iterator for Candidates<'_, 't> {
    type Item = Result<Link<'t>, Rejected<'t>>;

    fn next(&mut self) -> Option<Self::Item> {
        self.step_to_next(self.bytes.len())
    }
}
