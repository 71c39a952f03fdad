//! A document in memory that is more than running text in UTF-8, or is scanned in steps.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use super::text::Text;
use super::within::Step;
use crate::document::pass::{AnyPass, Pass, Told, Utf8};
use crate::document::step::Stepped;
use crate::input::chunk::Chunk;
#[cfg(feature = "archives")]
use crate::link::place_after;
use crate::link::{Judged, Link, is_sure, owned};
#[cfg(feature = "mail")]
use crate::mail::{self, MailScanner};
use crate::notice::{Notice, part_of};
use crate::scan::Scanner;
use crate::whole::{WholeEvent, WholeScanner};

/// Pass over a document that is not plain UTF-8, whose positions are counted, or that is scanned in steps of some bytes.
#[derive(Clone, Debug)]
pub(super) struct DocumentPass<'f, 't> {
    bytes: &'t [u8],
    /// The document as a text, if it is known to be UTF-8.
    text: Option<&'t str>,
    driver: Driver<'f, 't>,
    /// Number of bytes that were passed to the pass, if it is limited.
    shown: usize,
    /// Whether all decided results of these bytes were returned.
    is_drained: bool,
    /// Results of the last step that were not returned yet.
    found: VecDeque<Judged<'t>>,
    /// Notices on the document before those of its pass.
    told: Vec<Notice>,
}

/// Pass over a document.
#[derive(Clone, Debug)]
pub(super) enum Driver<'f, 't> {
    Pass(AnyPass<'f>),
    /// Pass over binary data: only certain links are reported.
    Binary(AnyPass<'f>),
    #[cfg(feature = "mail")]
    Mail(Box<MailScanner<'f>>),
    Whole(Box<WholeScanner<'f, 't>>),
    /// The document after the header of an HTTP answer, which has this many bytes and lines.
    #[cfg(feature = "archives")]
    Answer(Box<DocumentPass<'f, 't>>, usize, u64),
}

impl<'f, 't> Text<'f, 't> {
    /// Resumes the scan of the text in steps, from the first undecided byte on.
    pub(super) fn in_steps(&self) -> DocumentPass<'f, 't> {
        let (shown, _) = self.scanner.needed(usize::MAX);
        let scanner = Scanner::new().resumed(self.scanner.min_start(), shown);
        let pass = Utf8::resumed(&self.finder.into(), self.kind, scanner);
        let driver = Driver::Pass(AnyPass::Utf8(pass));
        let shown = shown.min(self.input.bytes().len());
        let other = DocumentPass::new(self.input.bytes(), driver, [None; 2]);
        DocumentPass { text: self.input.text(), shown, ..other }
    }
}

impl<'f, 't> DocumentPass<'f, 't> {
    pub(super) fn new(bytes: &'t [u8], driver: Driver<'f, 't>, told: Told) -> DocumentPass<'f, 't> {
        let found = VecDeque::new();
        let told = told.into_iter().flatten().collect();
        DocumentPass { bytes, text: None, driver, shown: 0, is_drained: true, found, told }
    }

    /// Creates the pass over an answer of HTTP, from the links of its header and the pass over the rest.
    #[cfg(feature = "archives")]
    pub(super) fn of_answer(
        bytes: &'t [u8],
        links: Vec<Judged<'t>>,
        body: Box<DocumentPass<'f, 't>>,
        (len, lines): (usize, u64),
        told: Vec<Notice>,
    ) -> DocumentPass<'f, 't> {
        let (found, driver) = (links.into(), Driver::Answer(body, len, lines));
        DocumentPass { found, told, ..DocumentPass::new(bytes, driver, [None; 2]) }
    }

    pub(super) fn notices(&self) -> Vec<Notice> {
        let (told, way): (&[_], _) = match &self.driver {
            Driver::Pass(way) | Driver::Binary(way) => (&self.told, way.notices()),
            #[cfg(feature = "mail")]
            Driver::Mail(mail) => (&[], mail.notices()),
            Driver::Whole(whole) => (&[], whole.notices()),
            #[cfg(feature = "archives")]
            Driver::Answer(body, ..) => {
                return self.told.iter().copied().chain(body.notices()).collect();
            }
        };
        told.iter().chain(way).copied().collect()
    }

    /// Returns the part of a message that a notice is about.
    pub(super) fn notice_part(&self, notice: Notice) -> Option<&str> {
        match &self.driver {
            #[cfg(feature = "mail")]
            Driver::Mail(mail) => part_of(mail.noticed_parts(), notice),
            Driver::Whole(whole) => part_of(whole.noticed_parts(), notice),
            #[cfg(feature = "archives")]
            Driver::Answer(body, ..) if !self.told.contains(&notice) => body.notice_part(notice),
            _ => None,
        }
    }

    /// Returns the document if it is running text that is stored as bytes of ASCII and others.
    pub(super) fn running_text(&self) -> Option<&'t [u8]> {
        match &self.driver {
            Driver::Pass(way) if way.is_of_text() => Some(self.bytes),
            _ => None,
        }
    }

    /// Returns the next link.
    pub(super) fn next_link(&mut self) -> Option<Link<'t>> {
        std::iter::from_fn(|| self.next()).find_map(Result::ok)
    }

    /// Returns the next link or rejected candidate.
    pub(super) fn next(&mut self) -> Option<Judged<'t>> {
        // A pass that has seen all bytes cannot be limited again.
        self.shown = self.bytes.len();
        self.step_to_next(self.shown)
    }

    /// Returns the next wanted result in the bytes that the pass has seen, then in about `bytes` more. While those have
    /// results left, the pass sees no more: otherwise one step over the bytes of all calls would take as long as the
    /// document.
    pub(super) fn next_within<T>(
        &mut self,
        bytes: usize,
        wanted: impl Fn(Judged<'t>) -> Option<T>,
    ) -> Step<T> {
        let mut is_shown = false;
        loop {
            if self.is_drained {
                match is_shown {
                    false => self.show(bytes),
                    true if self.shown == self.bytes.len() => return Step::Done,
                    true => return Step::Budget,
                }
                is_shown = true;
            }
            let found = self.step_to_next(self.shown);
            self.is_drained = found.is_none();
            if let Some(found) = found.and_then(&wanted) {
                return Step::Found(found);
            }
        }
    }

    fn show(&mut self, bytes: usize) {
        let end = self.bytes.len().min(self.shown.saturating_add(bytes.max(1)));
        self.shown = match self.text {
            Some(text) => (end..).find(|end| text.is_char_boundary(*end)).unwrap_or(end),
            None => end,
        };
    }

    /// Returns the next result in the first `shown` bytes.
    #[inline(never)]
    fn step_to_next(&mut self, shown: usize) -> Option<Judged<'t>> {
        let DocumentPass { bytes, driver, found, .. } = self;
        let chunk = Chunk::new(&bytes[..shown], 0, shown == bytes.len());
        let is_binary = matches!(driver, Driver::Binary(_));
        let is_reported = |judged: &mut Judged<'t>| !is_binary || is_sure(judged);
        loop {
            if let Some(judged) = found.pop_front() {
                return Some(judged);
            }
            let keep = &mut |mut judged| {
                if is_reported(&mut judged) {
                    found.push_back(judged);
                }
                ControlFlow::Continue(())
            };
            let mut stepped = match driver {
                Driver::Pass(way) | Driver::Binary(way) => way.step(chunk, keep),
                #[cfg(feature = "mail")]
                Driver::Mail(mail) => {
                    let feed = &mut mail::MessageBuffer::whole(bytes);
                    let step = mail.step(feed, &mut |one| match one {
                        mail::ScanEvent::Judged(judged) => keep(owned(judged)),
                        _ => ControlFlow::Continue(()),
                    });
                    step.map_continue(
                        |is_more| if is_more { Stepped::More } else { Stepped::NeedInput },
                    )
                }
                #[cfg(feature = "archives")]
                Driver::Answer(body, bytes, lines) => {
                    let mut judged = body.next()?;
                    place_after(&mut judged, *bytes, *lines);
                    return Some(judged);
                }
                Driver::Whole(whole) => {
                    #[cfg(feature = "office")]
                    let finder = whole.finder();
                    let step = whole.step(&mut |event| match event {
                        WholeEvent::Judged(judged) => keep(owned(judged)),
                        #[cfg(feature = "office")]
                        WholeEvent::Message(message) => {
                            mail::scan_composed(finder, message, &mut |event| match event {
                                mail::ScanEvent::Judged(judged) => keep(owned(judged)),
                                _ => ControlFlow::Continue(()),
                            })
                        }
                        _ => ControlFlow::Continue(()),
                    });
                    step.map_continue(
                        |is_more| if is_more { Stepped::More } else { Stepped::NeedInput },
                    )
                }
            };
            // A link is large, so it is looked at where it is.
            if let ControlFlow::Continue(Stepped::Found(judged)) = &mut stepped
                && !is_reported(judged)
            {
                continue;
            }
            match stepped {
                ControlFlow::Continue(Stepped::Found(judged)) => return Some(judged),
                ControlFlow::Continue(Stepped::More) => {}
                _ => return found.pop_front(),
            }
        }
    }
}
