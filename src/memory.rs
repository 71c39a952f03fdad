//! Text and documents that are in memory: their links, each found when it is asked for.
//!
//! What comes in is a text or the stored bytes of a document, what goes out are iterators of links,
//! borrowed from it where they can be.

mod cursor;

#[cfg(feature = "markup")]
use std::collections::VecDeque;
#[cfg(feature = "markup")]
use std::ops::ControlFlow;

#[cfg(feature = "markup")]
use crate::charset::Extent;
use crate::charset::ReplacementDeclared;
use crate::document::Document;
use crate::finder::Finder;
#[cfg(feature = "charset")]
use crate::legacy::{Block, LegacyScanner};
use crate::lines::{LineCounter, LineEnds};
#[cfg(feature = "charset")]
use crate::link::start_of;
#[cfg(feature = "markup")]
use crate::link::{Judged, owned};
use crate::link::{Link, Rejected, set_position};
#[cfg(feature = "mail")]
use crate::message::{self, Mail};
use crate::notice::Notice;
#[cfg(feature = "markup")]
use crate::page::{Source, Stepped, Transcoded};
use crate::scan::{Manner, Scanner, Step, View};
#[cfg(feature = "markup")]
use crate::stream::page::Page;

pub use cursor::Cursor;

impl Finder {
    /// The links of `text`, in order, each found when it is asked for.
    ///
    /// ```
    /// let finder = linksift::Finder::new();
    /// assert_eq!(finder.links("a.example.com b").next().unwrap().range(), 0..13);
    /// ```
    pub fn links<'f, 't>(&'f self, text: &'t str) -> Links<'f, 't> {
        Links(Candidates { scanner: Scanner::for_links(), ..self.candidates(text) })
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

    /// As [`candidates`](Finder::candidates), of UTF-8 that need not be well-formed: a malformed
    /// sequence ends a link, which then has the warning [`Malformed`](crate::Warning::Malformed).
    ///
    /// ```
    /// let finder = linksift::Finder::new();
    /// let link = finder.candidates_in(b"http://e.com/a\xFFb").next().unwrap().unwrap();
    /// assert_eq!(link.range(), 0..14);
    /// assert!(link.warnings().contains(linksift::Warning::Malformed));
    /// ```
    pub fn candidates_in<'f, 't>(&'f self, bytes: &'t [u8]) -> Candidates<'f, 't> {
        Candidates {
            finder: self,
            bytes,
            text: None,
            scanner: Scanner::new(),
            #[cfg(feature = "charset")]
            stored: None,
            manner: Manner::Prose,
            #[cfg(feature = "markup")]
            page: None,
            #[cfg(feature = "mail")]
            mail: None,
            lines: None,
            notice: None,
        }
    }

    /// As [`links`](Finder::links), of UTF-8 that need not be well-formed.
    ///
    /// ```
    /// let finder = linksift::Finder::new();
    /// assert_eq!(finder.links_in(b"\xFF http://e.com/").next().unwrap().range(), 2..15);
    /// ```
    pub fn links_in<'f, 't>(&'f self, bytes: &'t [u8]) -> Links<'f, 't> {
        Links(Candidates { scanner: Scanner::for_links(), ..self.candidates_in(bytes) })
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
    /// # #[cfg(feature = "charset")]
    /// assert!(finder.document(&Document::new(b"<meta charset=iso-2022-kr>")).is_err());
    /// # Ok::<(), linksift::ReplacementDeclared>(())
    /// ```
    pub fn document<'f, 't>(
        &'f self,
        document: &Document<'t>,
    ) -> Result<Candidates<'f, 't>, ReplacementDeclared> {
        let Document { bytes, hints } = document;
        #[cfg_attr(not(feature = "markup"), allow(unused_mut, reason = "there are no pages"))]
        let mut candidates = self.candidates_in(bytes);
        #[cfg(feature = "mail")]
        if let Ok(Some(kind)) = message::known::of(hints, bytes, true) {
            candidates.mail = Some(Box::new(MailLinks::new(Mail::new(self, hints, kind), bytes)));
            return Ok(candidates);
        }
        #[cfg(feature = "charset")]
        {
            let detected = document.detect()?;
            #[cfg(feature = "markup")]
            if let Some(page) = self.page(&detected, hints, bytes, Extent::Whole) {
                return Ok(candidates.page(PageLinks::new(page, bytes)));
            }
            #[cfg(feature = "markup")]
            {
                candidates.notice = Notice::of_text(hints, bytes);
            }
            candidates.manner = hints.manner(self.scan.boundaries);
            if let Some(scanner) = LegacyScanner::of(&detected, &self.scan) {
                let scanner = scanner.in_manner(candidates.manner);
                return Ok(candidates.stored(scanner).counting(hints.positions));
            }
        }
        Ok(candidates.counting(hints.positions))
    }
}

/// The links of a text; see [`Finder::links`].
#[derive(Clone, Debug)]
pub struct Links<'f, 't>(Candidates<'f, 't>);

impl<'t> Iterator for Links<'_, 't> {
    type Item = Link<'t>;

    #[inline]
    fn next(&mut self) -> Option<Link<'t>> {
        #[cfg(feature = "charset")]
        if !self.0.is_utf8_text() {
            return self.0.by_ref().find_map(Result::ok);
        }
        let Candidates { finder, bytes, text, scanner, manner, lines, .. } = &mut self.0;
        next_link(scanner, finder, bytes, *text, *manner, lines)
    }
}

/// The next link of a running text in UTF-8, of which `text` is there if it is known to be that.
#[inline(always)]
fn next_link<'t>(
    scanner: &mut Scanner,
    finder: &Finder,
    bytes: &'t [u8],
    text: Option<&'t str>,
    manner: Manner,
    lines: &mut Option<LineCounter>,
) -> Option<Link<'t>> {
    let view = View::new(bytes, true, finder.scan.references).in_manner(manner);
    loop {
        match scanner.next(&finder.scan, view) {
            // What the scan refuses need not be judged.
            Step::Found(candidate) if candidate.refused.is_some() => {}
            Step::Found(candidate) => {
                // Nearly all, and made where the caller wants them: a link is large to move.
                let raw = text.and_then(|text| text.get(candidate.range.clone()));
                if let Some(raw) = raw
                    && let Some(link) = finder.judge_plain(raw, 0, &candidate)
                {
                    return Some(link);
                }
                let start = candidate.range.start;
                let judged = match text {
                    Some(text) => finder.judge_str(text, candidate),
                    None => finder.judge(bytes, 0, candidate),
                };
                if let Ok(mut link) = judged {
                    if let Some(lines) = lines {
                        link.body.position = Some(lines.position(bytes, 0, start)).into();
                    }
                    return Some(link);
                }
            }
            Step::Incomplete | Step::Done => return None,
        }
    }
}

/// The links of a text and what was rejected; see [`Finder::candidates`].
#[derive(Clone, Debug)]
pub struct Candidates<'f, 't> {
    finder: &'f Finder,
    bytes: &'t [u8],
    /// The same, if it is known to be UTF-8.
    text: Option<&'t str>,
    scanner: Scanner,
    manner: Manner,
    /// Of a document in a legacy charset: this instead of the scanner of UTF-8.
    #[cfg(feature = "charset")]
    stored: Option<Box<LegacyScanner>>,
    /// Of a page: this.
    #[cfg(feature = "markup")]
    page: Option<Box<PageLinks<'f, 't>>>,
    /// Of mail: this.
    #[cfg(feature = "mail")]
    mail: Option<Box<MailLinks<'f, 't>>>,
    lines: Option<LineCounter>,
    notice: Option<Notice>,
}

impl<'f, 't> Candidates<'f, 't> {
    /// What a reader of them should know of the document, as [`Scanned::notice`](crate::Scanned::notice)
    /// of a stream.
    ///
    /// ```
    /// # #[cfg(feature = "markdown")] {
    /// use linksift::{Document, Finder, Format, Notice};
    ///
    /// let finder = Finder::new();
    /// let text = "[".repeat(1 << 20);
    /// let document = Document::new(text.as_bytes()).format(Format::Markdown);
    /// assert_eq!(finder.document(&document).unwrap().notice(), Some(Notice::ReadAsText));
    /// # }
    /// ```
    pub fn notice(&self) -> Option<Notice> {
        #[cfg(feature = "mail")]
        if let Some(mail) = &self.mail {
            return mail.mail.remarks().first().map(|remark| Notice::of_mail(*remark));
        }
        self.notice
    }

    /// The links among those that are left.
    ///
    /// ```
    /// use linksift::{Document, Finder};
    ///
    /// let finder = Finder::new();
    /// let document = Document::new(b"http://256.1.1.1/ http://10.1.1.1/");
    /// assert_eq!(finder.document(&document)?.links().count(), 1);
    /// # Ok::<(), linksift::ReplacementDeclared>(())
    /// ```
    pub fn links(self) -> Links<'f, 't> {
        Links(self)
    }

    /// Whether they are of a running text in UTF-8.
    #[cfg(feature = "charset")]
    fn is_utf8_text(&self) -> bool {
        #[cfg(feature = "mail")]
        if self.mail.is_some() {
            return false;
        }
        #[cfg(feature = "markup")]
        if self.page.is_some() {
            return false;
        }
        self.stored.is_none()
    }

    /// With or without positions.
    fn counting(mut self, positions: bool) -> Self {
        self.lines = positions.then(|| LineCounter::new(LineEnds::Bytes));
        #[cfg(feature = "charset")]
        if let (true, Some(stored)) = (positions, &self.stored) {
            self.lines = Some(LineCounter::new(stored.line_ends()));
        }
        self
    }

    /// Of a page.
    #[cfg(feature = "markup")]
    fn page(self, links: PageLinks<'f, 't>) -> Self {
        Candidates { page: Some(Box::new(links)), ..self }
    }

    /// Of a document in a legacy charset.
    #[cfg(feature = "charset")]
    fn stored(self, scanner: LegacyScanner) -> Self {
        Candidates { stored: Some(Box::new(scanner)), ..self }
    }

    #[cfg(feature = "charset")]
    fn next_stored(&mut self) -> Option<Result<Link<'t>, Rejected<'t>>> {
        let scanner = self.stored.as_mut()?;
        let block = Block { bytes: self.bytes, base: 0, is_last: true };
        let Step::Found(candidate) = scanner.next(block) else { return None };
        let mut judged = self.finder.judge_in(scanner, block, candidate);
        if let Some(lines) = &mut self.lines {
            let start = start_of(&judged);
            set_position(&mut judged, Some(lines.position(self.bytes, 0, start)));
        }
        Some(judged)
    }
}

impl<'t> Iterator for Candidates<'_, 't> {
    type Item = Result<Link<'t>, Rejected<'t>>;

    fn next(&mut self) -> Option<Self::Item> {
        #[cfg(feature = "markup")]
        if let Some(page) = &mut self.page {
            return page.next();
        }
        #[cfg(feature = "mail")]
        if let Some(mail) = &mut self.mail {
            return mail.next();
        }
        #[cfg(feature = "charset")]
        if self.stored.is_some() {
            return self.next_stored();
        }
        let view = View::new(self.bytes, true, self.finder.scan.references).in_manner(self.manner);
        match self.scanner.next(&self.finder.scan, view) {
            Step::Found(candidate) => {
                let start = candidate.range.start;
                let mut judged = match self.text {
                    Some(text) => self.finder.judge_str(text, candidate),
                    None => self.finder.judge(self.bytes, 0, candidate),
                };
                if let Some(lines) = &mut self.lines {
                    let position = Some(lines.position(self.bytes, 0, start));
                    set_position(&mut judged, position);
                }
                Some(judged)
            }
            // A view that is the input's last never asks for more.
            Step::Incomplete | Step::Done => None,
        }
    }
}

/// The links of mail, by one part after the other.
#[cfg(feature = "mail")]
#[derive(Clone, Debug)]
struct MailLinks<'f, 't> {
    mail: Mail<'f>,
    bytes: &'t [u8],
    /// What the last part gave and was not asked for yet.
    found: VecDeque<Judged<'static>>,
    is_done: bool,
}

#[cfg(feature = "mail")]
impl<'f, 't> MailLinks<'f, 't> {
    fn new(mail: Mail<'f>, bytes: &'t [u8]) -> MailLinks<'f, 't> {
        MailLinks { mail, bytes, found: VecDeque::new(), is_done: false }
    }

    fn next(&mut self) -> Option<Judged<'static>> {
        let MailLinks { mail, bytes, found, is_done } = self;
        while found.is_empty() && !*is_done {
            let step = mail.step(&mut message::Feed::whole(bytes), &mut |one| {
                if let message::Found::Judged(judged) = one {
                    found.push_back(owned(judged));
                }
                ControlFlow::Continue(())
            });
            *is_done = step != ControlFlow::Continue(true);
        }
        found.pop_front()
    }
}

/// The links of a page, by one run after the other.
#[cfg(feature = "markup")]
#[derive(Clone)]
struct PageLinks<'f, 't> {
    page: Page<'f>,
    bytes: &'t [u8],
    document: Option<Transcoded>,
    /// What the last run gave and was not asked for yet.
    found: VecDeque<Judged<'t>>,
    is_done: bool,
}

#[cfg(feature = "markup")]
impl std::fmt::Debug for PageLinks<'_, '_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("PageLinks").field("found", &self.found).finish_non_exhaustive()
    }
}

#[cfg(feature = "markup")]
impl<'f, 't> PageLinks<'f, 't> {
    fn new(page: Page<'f>, bytes: &'t [u8]) -> PageLinks<'f, 't> {
        let document = page.transcoded(bytes);
        PageLinks { page, bytes, document, found: VecDeque::new(), is_done: false }
    }
}

#[cfg(feature = "markup")]
impl<'t> Iterator for PageLinks<'_, 't> {
    type Item = Judged<'t>;

    #[inline]
    fn next(&mut self) -> Option<Judged<'t>> {
        let PageLinks { page, bytes, document, found, is_done } = self;
        loop {
            if let Some(judged) = found.pop_front() {
                return Some(judged);
            }
            if *is_done {
                return None;
            }
            let stored = (*bytes, 0);
            let flow = match document {
                None => {
                    let source = Source::stored_bytes(bytes, 0, true);
                    let emit = &mut |judged| {
                        found.push_back(judged);
                        ControlFlow::Continue(())
                    };
                    match page.step(&source, stored, emit) {
                        ControlFlow::Continue(Stepped::Link(link)) => return Some(Ok(link)),
                        flow => flow.map_continue(|stepped| matches!(stepped, Stepped::On)),
                    }
                }
                Some(document) => {
                    let source = Source::transcoded(document);
                    let emit = &mut |judged| {
                        found.push_back(owned(judged));
                        ControlFlow::Continue(())
                    };
                    match page.step(&source, stored, emit) {
                        ControlFlow::Continue(Stepped::Link(link)) => {
                            return Some(Ok(link.into_owned()));
                        }
                        flow => flow.map_continue(|stepped| matches!(stepped, Stepped::On)),
                    }
                }
            };
            *is_done = flow != ControlFlow::Continue(true);
        }
    }
}
