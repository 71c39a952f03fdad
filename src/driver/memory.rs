//! Texts and documents in memory: their links, each found when the caller requests it.
//!
//! The input is a text or the stored bytes of a document, the result is iterators of links, which borrow from it where
//! possible.

mod document;
mod spans;
#[cfg(test)]
mod tests;
mod text;
mod within;

use std::iter::FusedIterator;

#[cfg(feature = "archives")]
use super::answer::links_of;
use super::plan::Plan;
use crate::charset::{Extent, decide, decide_if};
#[cfg(feature = "archives")]
use crate::container::AnswerHeads;
use crate::detect;
use crate::detect::document::{DocumentFormat, Hints, TextOpening};
use crate::document::finder::Finder;
use crate::document::pass::{AnyPass, Arrived, Told, Utf8};
use crate::link::{Candidate, Link};
#[cfg(feature = "mail")]
use crate::mail::MailScanner;
use crate::notice::{NotRead, Notice};
use crate::scan::{Scanner, TextKind, Wanted};
use crate::source_map::transfer::uuencode::UuencodeSearch;
use crate::whole::WholeScanner;
use document::{DocumentPass, Driver};
use text::{Input, Text};

pub use spans::{Span, Spans};
pub(crate) use within::STEP;
pub use within::Step;

impl Finder {
    /// Returns the links of `text`, in order, each found when it is requested.
    ///
    /// ```
    /// let finder = linksift::Finder::new();
    /// assert_eq!(finder.links("a.example.com b").next().unwrap().range(), 0..13);
    /// ```
    #[inline]
    pub fn links<'f, 't>(&'f self, text: &'t str) -> Links<'f, 't> {
        Links(self.text(Input::Utf8(text), TextKind::Prose, Wanted::Links))
    }

    /// Returns the links of `text` and the rejected candidates, in order.
    ///
    /// ```
    /// let finder = linksift::Finder::new();
    /// let text = "http://256.1.1.1/ http://10.1.1.1/";
    /// let codes: Vec<_> =
    ///     finder.candidates(text).map(|c| c.rejected().map(|r| r.reason().as_str())).collect();
    /// assert_eq!(codes, [Some("host-ipv4"), None]);
    /// ```
    #[inline]
    pub fn candidates<'f, 't>(&'f self, text: &'t str) -> Candidates<'f, 't> {
        self.text(Input::Utf8(text), TextKind::Prose, Wanted::Candidates)
    }

    /// Returns the [`candidates`](Finder::candidates) of UTF-8 that may be malformed: a malformed sequence ends a link,
    /// which then has the warning [`Malformed`](crate::Warning::Malformed).
    ///
    /// ```
    /// let finder = linksift::Finder::new();
    /// let candidate = finder.candidates_in(b"http://e.com/a\xFFb").next().unwrap();
    /// assert_eq!(candidate.range(), 0..14);
    /// assert!(candidate.link().unwrap().warnings().contains(linksift::Warning::Malformed));
    /// ```
    #[inline]
    pub fn candidates_in<'f, 't>(&'f self, bytes: &'t [u8]) -> Candidates<'f, 't> {
        self.text(Input::Bytes(bytes), TextKind::Prose, Wanted::Candidates)
    }

    /// Returns the [`links`](Finder::links) of UTF-8 that may be malformed.
    ///
    /// ```
    /// let finder = linksift::Finder::new();
    /// assert_eq!(finder.links_in(b"\xFF http://e.com/").next().unwrap().range(), 2..15);
    /// ```
    #[inline]
    pub fn links_in<'f, 't>(&'f self, bytes: &'t [u8]) -> Links<'f, 't> {
        Links(self.text(Input::Bytes(bytes), TextKind::Prose, Wanted::Links))
    }

    /// Returns the candidates of a document in memory; [`links`](Candidates::links) of the result returns only the
    /// links.
    ///
    /// # Errors
    ///
    /// Returns an error if nothing of the document is read: it is a picture, encrypted, an archive, binary data, or declares an
    /// encoding that cannot be decoded. A document of which a part is not read has [notices](Candidates::notices).
    ///
    /// ```
    /// use linksift::{Charset, Finder, Hints};
    ///
    /// let finder = Finder::new();
    /// let hints = Hints::new().charset(Charset::UTF_8);
    /// let found = finder.document(b"\xFFexample.com", &hints)?.links().next().unwrap();
    /// assert_eq!(found.range(), 1..12);
    /// # #[cfg(feature = "documents")]
    /// assert!(finder.document(b"<meta charset=iso-2022-kr>", &Hints::new()).is_err());
    /// # Ok::<(), linksift::NotRead>(())
    /// ```
    #[inline]
    pub fn document<'f, 't>(
        &'f self,
        bytes: &'t [u8],
        hints: &Hints,
    ) -> Result<Candidates<'f, 't>, NotRead> {
        if detect::is_plain_text(hints, bytes) {
            return Ok(self.utf8(bytes, hints, TextKind::Prose));
        }
        self.document_by_look(bytes, hints)
    }

    /// Returns the candidates of a document that may need detection.
    #[inline(never)]
    fn document_by_look<'f, 't>(
        &'f self,
        bytes: &'t [u8],
        hints: &Hints,
    ) -> Result<Candidates<'f, 't>, NotRead> {
        let found = detect::of_whole(hints, bytes);
        let start = Arrived::whole(bytes);
        let (bytes, driver, told): (&[u8], _, _) = match Plan::of(&found, hints)? {
            #[cfg(feature = "mail")]
            (Plan::Mail(kind), _) => (
                bytes,
                Driver::Mail(Box::new(MailScanner::new(&self.into(), hints, kind))),
                [None; 2],
            ),
            #[cfg(feature = "archives")]
            (Plan::Answer, _) => return self.answer(bytes, hints),
            (Plan::Text, _) => {
                let format = found.format.unwrap_or_else(|| hints.document_format(bytes));
                let encoding = decide_if(bytes, Extent::Whole, &hints.known(), &|text| {
                    AnyPass::needs_guess(self, format, text)
                })?;
                let opening = TextOpening { format, encoding, is_binary: false };
                match AnyPass::of(&self.into(), &opening, hints, start) {
                    (AnyPass::Utf8(pass), [None, None]) => {
                        return Ok(self.utf8(bytes, hints, pass.text_kind()));
                    }
                    (way, told) => (bytes, Driver::Pass(way), told),
                }
            }
            (Plan::Whole(disposition), _) => {
                let whole = WholeScanner::new(self, hints, disposition, bytes).checked(hints)?;
                (bytes, Driver::Whole(Box::new(whole)), [None; 2])
            }
            (Plan::Binary(hints), notice) => {
                let encoding = decide(bytes, Extent::Whole, &hints.known())?;
                let format = DocumentFormat::Text;
                let opening = TextOpening { format, encoding, is_binary: true };
                let (way, [_, unknown]) = AnyPass::of(&self.into(), &opening, &hints, start);
                (bytes, Driver::Binary(way), [notice, unknown])
            }
            (Plan::Skipped, notice) => {
                let nothing = Utf8::new(&self.into(), TextKind::Prose, None);
                (b"", Driver::Pass(AnyPass::Utf8(nothing)), [notice, None])
            }
        };
        Ok(self.other(bytes, driver, told))
    }

    /// Returns the candidates of an answer of HTTP: the links of its headers, then those of the document after them.
    #[cfg(feature = "archives")]
    fn answer<'f, 't>(
        &'f self,
        bytes: &'t [u8],
        hints: &Hints,
    ) -> Result<Candidates<'f, 't>, NotRead> {
        let mut heads = AnswerHeads::of(bytes, hints.base.as_ref());
        let mut told = Vec::new();
        let links = links_of(self, &mut heads, hints, &mut told);
        let inner = &bytes[heads.len..];
        let Candidates { text, other } = self.document_by_look(inner, &heads.hints(hints))?;
        let body = other.unwrap_or_else(|| Box::new(text.in_steps()));
        let place = (heads.len, heads.lines);
        let pass = DocumentPass::of_answer(bytes, links, body, place, told);
        let nothing = self.text(Input::Bytes(b""), TextKind::Prose, Wanted::Candidates);
        Ok(Candidates { other: Some(Box::new(pass)), ..nothing })
    }

    /// Returns the candidates of running text in UTF-8.
    #[inline]
    fn utf8<'f, 't>(
        &'f self,
        bytes: &'t [u8],
        hints: &Hints,
        kind: TextKind,
    ) -> Candidates<'f, 't> {
        if hints.positions.is_some() {
            let pass = Utf8::new(&self.into(), kind, hints.positions);
            return self.other(bytes, Driver::Pass(AnyPass::Utf8(pass)), [None; 2]);
        }
        self.text(Input::Bytes(bytes), kind, Wanted::Candidates)
    }

    #[inline(always)]
    fn text<'f, 't>(
        &'f self,
        input: Input<'t>,
        kind: TextKind,
        wanted: Wanted,
    ) -> Candidates<'f, 't> {
        let scanner = Scanner::of(&self.scan, input.bytes(), wanted);
        Candidates { text: Text { finder: self, input, kind, scanner }, other: None }
    }

    /// Returns the candidates of a document that is not plain UTF-8, or whose positions are counted.
    fn other<'f, 't>(
        &'f self,
        bytes: &'t [u8],
        driver: Driver<'f, 't>,
        told: Told,
    ) -> Candidates<'f, 't> {
        let other = Some(Box::new(DocumentPass::new(bytes, driver, told)));
        Candidates { other, ..self.text(Input::Bytes(b""), TextKind::Prose, Wanted::Candidates) }
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
#[must_use = "iterators are lazy"]
pub struct Links<'f, 't>(Candidates<'f, 't>);

impl<'t> Links<'_, 't> {
    /// Returns the notices on the text scanned so far, like [`Candidates::notices`].
    ///
    /// ```
    /// use linksift::{Finder, Hints, Notice};
    ///
    /// let finder = Finder::new();
    /// let links = finder.document(b"\0 http://example.com/", &Hints::new().salvage(true))?.links();
    /// assert_eq!(links.notices(), [Notice::Binary]);
    /// # Ok::<(), linksift::NotRead>(())
    /// ```
    pub fn notices(&self) -> Vec<Notice> {
        self.0.notices()
    }

    /// Returns the part of a message that a notice is about, like [`Candidates::notice_part`].
    ///
    /// ```
    /// use linksift::{Finder, Format, Hints, Notice};
    ///
    /// let finder = Finder::new();
    /// let links = finder.document(b"see example.com", &Hints::new().format(Format::Text))?.links();
    /// assert_eq!(links.notice_part(Notice::UnknownCharset), None);
    /// # Ok::<(), linksift::NotRead>(())
    /// ```
    pub fn notice_part(&self, notice: Notice) -> Option<&str> {
        self.0.notice_part(notice)
    }

    /// Returns the next link, or [`Step::Budget`] if about the next `bytes` bytes have none, like [`Candidates::next_within`].
    ///
    /// ```
    /// use linksift::{Finder, Step};
    ///
    /// let finder = Finder::new();
    /// let text = format!("{} http://example.com/", "http://256.1.1.1/ ".repeat(1_000));
    /// let mut links = finder.links(&text);
    /// assert_eq!(links.next_within(1 << 12), Step::Budget);
    /// let found = loop {
    ///     match links.next_within(1 << 12) {
    ///         Step::Found(link) => break link,
    ///         Step::Budget => {}
    ///         Step::Done => panic!("the text has a link"),
    ///     }
    /// };
    /// assert_eq!(found.range().start, 18_001);
    /// ```
    pub fn next_within(&mut self, bytes: usize) -> Step<Link<'t>> {
        self.0.in_steps().next_within(bytes, Result::ok)
    }
}

impl<'t> Iterator for Links<'_, 't> {
    type Item = Link<'t>;

    #[inline]
    fn next(&mut self) -> Option<Link<'t>> {
        let Candidates { text, other } = &mut self.0;
        match other {
            None => text.next_link(&mut |text| other.insert(Box::new(text.in_steps())).next_link()),
            Some(other) => other.next_link(),
        }
    }
}

impl FusedIterator for Links<'_, '_> {}

/// Iterator over the links and rejected candidates of a text; see [`Finder::candidates`].
///
/// ```
/// use linksift::{Candidate, Finder};
///
/// let finder = Finder::new();
/// let (links, rejected): (Vec<_>, Vec<_>) =
///     finder.candidates("http://256.1.1.1/ http://10.1.1.1/").partition(Candidate::is_link);
/// assert_eq!((links.len(), rejected.len()), (1, 1));
/// ```
#[derive(Clone, Debug)]
#[must_use = "iterators are lazy"]
pub struct Candidates<'f, 't> {
    text: Text<'f, 't>,
    /// Pass over any other document; the text is not used then.
    other: Option<Box<DocumentPass<'f, 't>>>,
}

impl<'f, 't> Candidates<'f, 't> {
    /// Returns the first notice on the document, like [`Scanned::notice`](crate::Scanned::notice) of a stream.
    ///
    /// ```
    /// # #[cfg(feature = "documents")] {
    /// use linksift::{Finder, Format, Hints, Notice};
    ///
    /// let finder = Finder::new();
    /// let text = "[".repeat(1 << 20);
    /// let hints = Hints::new().format(Format::Markdown);
    /// assert_eq!(finder.document(text.as_bytes(), &hints).unwrap().notice(), Some(Notice::ReadAsText));
    /// # }
    /// ```
    pub fn notice(&self) -> Option<Notice> {
        self.told().into_iter().chain(self.undecoded()).next()
    }

    /// Returns the notices on the text scanned so far, like [`Scanned::notices`](crate::Scanned::notices) of a stream.
    /// The end of a document may cause a notice on all of it.
    ///
    /// ```
    /// # #[cfg(feature = "documents")] {
    /// use linksift::{Candidate, Finder, Format, Hints, Notice};
    ///
    /// let hints = Hints::new().format(Format::Html);
    /// let finder = Finder::new();
    /// let mut candidates = finder.document(b"<base href='http://e.com:port/'><a href=x>", &hints).unwrap();
    /// assert_eq!(candidates.by_ref().filter(Candidate::is_link).count(), 1);
    /// assert_eq!(candidates.notices(), [Notice::BaseUnusable]);
    /// # }
    /// ```
    pub fn notices(&self) -> Vec<Notice> {
        self.told().into_iter().chain(self.undecoded()).collect()
    }

    /// Returns the part of a message that a notice is about, like [`Scanned::notice_part`](crate::Scanned::notice_part) of a
    /// stream. `None` if it is about the message itself, or there is no such notice.
    ///
    /// ```
    /// # #[cfg(feature = "mail")] {
    /// use linksift::{Candidate, Finder, Format, Hints, Notice};
    ///
    /// let mail = b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nsee example.com\n\
    ///     --b\nContent-Transfer-Encoding: x-odd\n\nsee example.org\n--b--\n";
    /// let finder = Finder::new();
    /// let mut candidates = finder.document(mail, &Hints::new().format(Format::Email)).unwrap();
    /// assert_eq!(candidates.by_ref().filter(Candidate::is_link).count(), 2);
    /// assert_eq!(candidates.notice_part(Notice::UnknownTransfer), Some("2"));
    /// # }
    /// ```
    pub fn notice_part(&self, notice: Notice) -> Option<&str> {
        self.other.as_ref().and_then(|other| other.notice_part(notice))
    }

    /// Returns the notices of the passes.
    pub(crate) fn told(&self) -> Vec<Notice> {
        self.other.iter().flat_map(|other| other.notices()).collect()
    }

    /// Returns the notice on encoded data in running text, for which the text is searched only when it is requested.
    fn undecoded(&self) -> Option<Notice> {
        let bytes = match &self.other {
            None => self.text.input.bytes(),
            Some(other) => other.running_text()?,
        };
        UuencodeSearch::may_be_in(bytes).then_some(Notice::Skipped)
    }

    /// Returns the links among the remaining candidates.
    ///
    /// ```
    /// use linksift::{Finder, Hints};
    ///
    /// let finder = Finder::new();
    /// assert_eq!(finder.document(b"http://256.1.1.1/ http://10.1.1.1/", &Hints::new())?.links().count(), 1);
    /// # Ok::<(), linksift::NotRead>(())
    /// ```
    pub fn links(self) -> Links<'f, 't> {
        Links(self)
    }

    /// Returns the next candidate, or [`Step::Budget`] if about the next `bytes` bytes have none: for callers that do other
    /// work in between, or may have to stop.
    ///
    /// Bytes that are undecided at the end of a step are scanned again in the next one, at most the length of the
    /// longest link. Some documents are scanned in longer steps: a message part by part; Markdown, and a page that has
    /// to be transcoded as a whole (in UTF-16 or ISO-2022-JP), at once when all of it was requested.
    ///
    /// ```
    /// use linksift::{Finder, Step};
    ///
    /// let finder = Finder::new();
    /// let text = format!("{} http://example.com/", "word ".repeat(10_000));
    /// let mut candidates = finder.candidates(&text);
    /// let mut looks = 1;
    /// let found = loop {
    ///     match candidates.next_within(1 << 12) {
    ///         Step::Found(candidate) => break candidate,
    ///         Step::Budget => looks += 1,
    ///         Step::Done => panic!("the text has a link"),
    ///     }
    /// };
    /// assert_eq!(found.range().start, 50_001);
    /// assert_eq!(looks, 13);
    /// ```
    pub fn next_within(&mut self, bytes: usize) -> Step<Candidate<'t>> {
        self.in_steps().next_within(bytes, |judged| Some(Candidate::of(judged)))
    }

    /// Scans the document in steps from here on.
    fn in_steps(&mut self) -> &mut DocumentPass<'f, 't> {
        self.other.get_or_insert_with(|| Box::new(self.text.in_steps()))
    }
}

impl<'t> Iterator for Candidates<'_, 't> {
    type Item = Candidate<'t>;

    #[inline]
    fn next(&mut self) -> Option<Self::Item> {
        let Candidates { text, other } = self;
        let judged = match other {
            None => text.next(&mut |text| other.insert(Box::new(text.in_steps())).next()),
            Some(other) => other.next(),
        };
        judged.map(Candidate::of)
    }
}

impl FusedIterator for Candidates<'_, '_> {}
