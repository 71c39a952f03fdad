//! Feeding: the caller has the bytes, and gives them when they come. Nothing here reads, so nothing waits.

#[cfg(feature = "archives")]
mod answer;
mod arrival;
mod fields;
mod found;
#[cfg(feature = "mail")]
mod mail;
#[cfg(feature = "documents")]
mod page_point;
mod point;
mod text;

use std::io;

#[cfg(feature = "archives")]
use answer::FedAnswer;
use arrival::Arrival;
pub use found::Events;
use found::FoundEvents;
#[cfg(feature = "mail")]
use mail::FedMail;
pub use point::FeedPoint;
pub(super) use point::{NotedPoints, PointState};
use text::FedText;
pub(super) use text::late_after;

use super::ScanEvent;
use super::begin::Beginning;
use super::blocks::Advanced;
use crate::charset::Detected;
use crate::detect::document::{Detection, Disposition, Hints};
use crate::document::finder::{Finder, FinderHandle};
use crate::driver::plan::Plan;
use crate::input::guard::{can_be_counted, is_cancelled, too_long};
use crate::limits;
use crate::notice::{FailedScan, ScanError, Scanned};

/// A scan that is fed: the caller passes the bytes of one document as they come, and gets the events that they decide.
///
/// It never reads, blocks or starts a thread, and it is [`Send`]: a task of an async program can hold it across an
/// `await`. It owns a clone of its finder.
///
/// # The same links in any pieces
///
/// In whatever pieces a document comes, its links and notices are the same, and they are those of [`Finder::document`]. These are the
/// exceptions, also for [`Finder::scan_reader`] and the command:
///
/// - A `<base>` behind the head of a page does not count ([`LateBase`](crate::Warning::LateBase)), since links that depend on a base wait for
///   the end of the head only: in a feed, at a pause of a reader that is [eager](Hints::eager), and in pages of more than 16 MiB.
/// - Markdown, calendars, cards, RTF, and pages in UTF-16 or ISO-2022-JP of more than 16 MiB are text ([`ReadAsText`](crate::Notice::ReadAsText)).
/// - After a [`flush`](Feed::flush) or a pause the bytes so far decide format and encoding. A reader whose encoding is known begins with its
///   first read. Links of a text that then proves to be binary stay ([`LateBinary`](crate::Notice::LateBinary)).
///
/// What the bytes do not decide yet waits: the encoding of a document that declares none is known after 1 MiB (or when
/// [`flush`](Feed::flush) or [`finish`](Feed::finish) is called), and so are its links. What can only be read whole is
/// kept and read by `finish`: Markdown, calendars, cards, RTF, and pages in UTF-16 or ISO-2022-JP; PDF, Office documents and property lists up
/// to 256 MiB. A message is scanned part by part, after its first 64 KiB have come, and each part when 16 KiB after it have. All others
/// keep a link's length and a block.
///
/// Dropping it ends the scan, and so does a [token](Hints::cancel) that is cancelled, also within a call: before the next event, with
/// [`stopped`](Scanned::stopped) set.
///
/// ```
/// use linksift::{Event, Finder, Hints};
///
/// let finder = Finder::new();
/// let hints = Hints::new().content_type("text/html; charset=utf-8");
/// let mut feed = finder.feed(&hints);
/// let mut found = Vec::new();
/// for chunk in ["<body>see <a href=http://e", ".com/1>one</a> and example.", "org"] {
///     found.extend(feed.push(chunk.as_bytes())?.filter_map(|event| Some(event.link()?.uri().into_owned())));
/// }
/// found.extend(feed.finish()?.filter_map(|event| Some(event.link()?.uri().into_owned())));
/// assert_eq!(found, ["http://e.com/1", "https://example.org"]);
/// assert_eq!(feed.scanned().links(), 2);
/// # Ok::<(), linksift::ScanError>(())
/// ```
pub struct Feed {
    finder: FinderHandle<'static>,
    hints: Hints,
    state: FeedState,
    /// Number of bytes that were passed.
    taken: u64,
    found: FoundEvents,
    /// Where it began, and the points since then.
    begin: FeedPoint,
    noted: NotedPoints,
    /// How the encoding of a text was known that has ended.
    ended: Option<Detected>,
    /// Totals of the scan, when it has ended.
    scanned: Scanned,
}

impl std::fmt::Debug for Feed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Feed").field("taken", &self.taken).finish_non_exhaustive()
    }
}

enum FeedState {
    Beginning(Beginning),
    Text(Box<FedText>),
    #[cfg(feature = "mail")]
    Mail(Box<FedMail>),
    /// All of it is needed, by a parser that the disposition selects.
    Kept(Vec<u8>, Disposition),
    /// The beginning of an HTTP answer, and the length of its headers that are complete.
    #[cfg(feature = "archives")]
    Header(Vec<u8>, usize),
    /// The document after the header of an HTTP answer.
    #[cfg(feature = "archives")]
    Answer(Box<FedAnswer>),
    Skipped,
    Ended,
}

impl FeedState {
    /// Returns how the encoding of a text is known, when it is.
    fn detected(&self) -> Option<&Detected> {
        match self {
            FeedState::Text(text) => text.detected(),
            _ => None,
        }
    }
}

impl Finder {
    /// Begins the scan of a document that the caller passes in pieces; see [`Feed`].
    ///
    /// ```
    /// use linksift::{Finder, Hints};
    ///
    /// let finder = Finder::new();
    /// let mut feed = finder.feed(&Hints::new());
    /// assert_eq!(feed.push(b"see exam")?.count(), 0);
    /// assert_eq!(feed.push(b"ple.com")?.count(), 0);
    /// assert_eq!(feed.finish()?.count(), 1);
    /// # Ok::<(), linksift::ScanError>(())
    /// ```
    pub fn feed(&self, hints: &Hints) -> Feed {
        self.resume(hints, &FeedPoint::default())
    }

    /// Continues the scan of a document at a point that [`Feed::resume_point`] returned for it, of a finder and hints that
    /// were the same: the caller passes the bytes of the document from [`offset`](FeedPoint::offset) on, and gets the events that
    /// follow those that it got before. Offsets count in the document; [`Feed::scanned`] has the links from here on.
    ///
    /// Bytes of another document give links that mean nothing, and no error.
    ///
    /// ```
    /// use linksift::{Finder, Hints};
    ///
    /// let (finder, text) = (Finder::new(), "see example.com/1 and example.com/2 ".repeat(100));
    /// let mut feed = finder.feed(&Hints::new());
    /// feed.push(text.as_bytes())?.count();
    /// let first = feed.flush()?.next().map(|event| event.link().unwrap().range());
    /// let point = feed.resume_point();
    ///
    /// let mut feed = finder.resume(&Hints::new(), &point);
    /// feed.push(&text.as_bytes()[point.offset() as usize..])?.count();
    /// let second = feed.flush()?.next().map(|event| event.link().unwrap().range());
    /// assert_eq!((first, second), (Some(4..17), Some(22..35)));
    /// # Ok::<(), linksift::ScanError>(())
    /// ```
    pub fn resume(&self, hints: &Hints, point: &FeedPoint) -> Feed {
        let (mut hints, finder) = (hints.clone(), FinderHandle::owned(self));
        let state = match (&point.state, &point.detected) {
            (Some(at), Some(detected)) => {
                let hints = Box::new(hints.clone());
                FeedState::Text(Box::new(FedText::resumed(&finder, hints, (detected, at))))
            }
            (_, detected) => {
                let begun = FeedState::Beginning(Beginning::patient(&hints));
                hints.detected = hints.detected.or_else(|| detected.clone());
                begun
            }
        };
        let found = FoundEvents::after(point.skipped, hints.cancel.clone());
        Feed {
            finder,
            hints,
            state,
            taken: point.offset(),
            found,
            begin: point.clone(),
            noted: NotedPoints::after(point.offset()),
            ended: None,
            scanned: Scanned::default(),
        }
    }
}

impl Feed {
    /// Passes the next bytes, and returns the events that they decide. Less than 1 KiB waits for more bytes, or for
    /// [`flush`](Feed::flush). Events of an earlier call that were not taken are lost.
    /// After [`finish`](Feed::finish) and after an error the bytes are ignored.
    ///
    /// # Errors
    ///
    /// Returns [`ScanError::NotRead`] if the document is not read, or an error of the kind [`FileTooLarge`](io::ErrorKind::FileTooLarge) where offsets have 32 bits and cannot count the bytes.
    ///
    /// ```
    /// use linksift::{Charset, Finder, Hints};
    ///
    /// let finder = Finder::new();
    /// let hints = Hints::new().charset("utf-8".parse::<Charset>()?);
    /// let mut feed = finder.feed(&hints);
    /// let text = "http://example.com/ ".repeat(1_000);
    /// assert!(feed.push(text.as_bytes())?.count() >= 990);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn push(&mut self, bytes: &[u8]) -> Result<Events<'_>, ScanError> {
        self.take(Arrival::Bytes(bytes))
    }

    /// Decides at once what the bytes so far allow, as a reader does that has to wait: the format and the encoding of
    /// what came, if they were still open, and the links in it that nothing later can change. The document may then be read
    /// [otherwise](Feed#the-same-links-in-any-pieces) than as a whole.
    ///
    /// # Errors
    ///
    /// The errors are those of [`push`](Feed::push).
    ///
    /// ```
    /// use linksift::{Finder, Hints};
    ///
    /// let finder = Finder::new();
    /// let mut feed = finder.feed(&Hints::new());
    /// assert_eq!(feed.push(b"see http://example.com/ for more\n")?.count(), 0);
    /// assert_eq!(feed.flush()?.count(), 1);
    /// # Ok::<(), linksift::ScanError>(())
    /// ```
    pub fn flush(&mut self) -> Result<Events<'_>, ScanError> {
        self.take(Arrival::Pause)
    }

    /// Ends the document, and returns the remaining events.
    ///
    /// # Errors
    ///
    /// The errors are those of [`push`](Feed::push).
    ///
    /// ```
    /// use linksift::{Finder, Hints, NotRead, ScanError};
    ///
    /// let finder = Finder::new();
    /// let mut feed = finder.feed(&Hints::new());
    /// assert_eq!(feed.push(b"\x89PNG\r\n\x1a\n http://example.com/")?.count(), 0);
    /// assert!(matches!(feed.finish(), Err(ScanError::NotRead(NotRead::Media))));
    /// # Ok::<(), linksift::ScanError>(())
    /// ```
    pub fn finish(&mut self) -> Result<Events<'_>, ScanError> {
        self.take(Arrival::End)
    }

    /// Returns the totals of the document with its notices, when it has ended; before, they are empty but for the numbers
    /// of bytes and links so far.
    ///
    /// ```
    /// use linksift::{Finder, Hints};
    ///
    /// let finder = Finder::new();
    /// let mut feed = finder.feed(&Hints::new());
    /// assert_eq!(feed.push(b"see example.com")?.count(), 0);
    /// assert_eq!((feed.scanned().bytes(), feed.scanned().links()), (15, 0));
    /// assert_eq!(feed.finish()?.count(), 1);
    /// assert_eq!(feed.scanned().links(), 1);
    /// # Ok::<(), linksift::ScanError>(())
    /// ```
    pub fn scanned(&self) -> &Scanned {
        &self.scanned
    }

    /// Returns the point from which [`Finder::resume`] gives the events after those that the caller has taken so far, in this
    /// program or in another one. Events of the last call that were not taken come again. The point stays the same when a
    /// [token](Hints::cancel) is cancelled, and the bytes of calls after that are not part of it.
    ///
    /// The document must then be fed from an offset that is as late as possible: for HTML and XML between two tags, for
    /// JSON between two strings and for CSV between two fields at most some KiB before the last link that was taken, for
    /// running text in UTF-8 some 16 KiB; less often where much comes in one call. As a text, a point is mostly shorter than
    /// 1 KiB. Where more is open than a point holds, an earlier one stands: inside SVG and MathML in HTML; with bases of more
    /// than 8 KiB; in XML below 32 nested elements, with more than 32 prefixes, after a declaration of an entity, in texts
    /// that continue across tags (documents of Word, OpenDocument and XLIFF), and in sheets; in notebooks and in logs of
    /// crawls and browsers (WAT, HAR).
    /// All other formats, messages, pages in UTF-16 or ISO-2022-JP, and running text in other encodings begin at zero again,
    /// as does what [`flush`](Feed::flush) has decided before the format was known.
    ///
    /// ```
    /// use linksift::{Event, Finder, Hints};
    ///
    /// let (finder, hints) = (Finder::new(), Hints::new().content_type("text/html; charset=utf-8"));
    /// let page = "<p><a href='http://e.com/'>text</a>".repeat(1_000);
    /// let mut feed = finder.feed(&hints);
    /// assert_eq!(feed.push(page.as_bytes())?.take(400).count(), 400);
    /// let point = feed.resume_point();
    /// assert!((9_000..14_000).contains(&point.offset()), "{}", point.offset());
    /// let mut feed = finder.resume(&hints, &point);
    /// let more = feed.push(&page.as_bytes()[point.offset() as usize..])?.count();
    /// assert_eq!(more + feed.finish()?.count(), 600);
    /// # Ok::<(), linksift::ScanError>(())
    /// ```
    pub fn resume_point(&self) -> FeedPoint {
        let given = self.found.given;
        let detected = self.state.detected();
        match (self.noted.last(given), detected.or(self.ended.as_ref())) {
            (Some((count, state)), Some(detected)) => FeedPoint {
                skipped: given - count,
                detected: Some(detected.clone()),
                state: Some(Box::new(state.clone())),
            },
            _ => FeedPoint {
                skipped: given,
                detected: detected.or(self.begin.detected.as_ref()).cloned(),
                state: self.begin.state.clone(),
            },
        }
    }

    fn take(&mut self, arrival: Arrival<'_>) -> Result<Events<'_>, ScanError> {
        if is_cancelled(self.hints.cancel.as_ref()) {
            // The point stays where it is.
            if let Some(detected) = self.state.detected() {
                self.begin.detected = Some(detected.clone());
            }
            self.found.drop_events();
            self.scanned.stopped = true;
            self.end();
            return Ok(self.found.take());
        }
        self.found.clear();
        self.noted.forget_before(self.found.given);
        let taken = self.taken + arrival.bytes().len() as u64;
        if !can_be_counted(taken) {
            return Err(self.failed(Scanned::default().failed(too_long())).into());
        } else if !matches!(self.state, FeedState::Ended) {
            self.taken = taken;
            self.advance(arrival).map_err(|failed| self.failed(failed))?;
            (self.scanned.bytes, self.scanned.links) = (self.taken, self.found.links);
            if self.scanned.stopped && self.ended.is_some() {
                // A resumed scan does not detect the encoding again.
                self.begin.detected.clone_from(&self.ended);
            }
        }
        Ok(self.found.take())
    }

    /// Ends the scan by an error.
    fn failed(&mut self, mut failed: FailedScan) -> FailedScan {
        self.end();
        (failed.scanned.bytes, failed.scanned.links) = (self.taken, self.found.links);
        self.scanned = failed.scanned.clone();
        failed
    }

    /// Ends the scan, and returns the state that it had; [`resume_point`](Feed::resume_point) needs the encoding of a text.
    fn end(&mut self) -> FeedState {
        let state = std::mem::replace(&mut self.state, FeedState::Ended);
        if let Some(detected) = state.detected() {
            self.ended = Some(detected.clone());
        }
        state
    }

    /// Scans what has come.
    fn advance(&mut self, arrival: Arrival<'_>) -> Result<(), FailedScan> {
        let Feed { finder, hints, state, found, noted, .. } = self;
        match state {
            FeedState::Beginning(begun) => {
                match arrival {
                    Arrival::Bytes(bytes) => begun.push(bytes),
                    Arrival::Pause => begun.pause(),
                    Arrival::End => begun.end(),
                }
                let Some(detection) = begun.detect(hints) else { return Ok(()) };
                let FeedState::Beginning(begun) = std::mem::replace(state, FeedState::Ended) else {
                    return Ok(());
                };
                self.open(&begun.bytes, &detection, arrival)
            }
            FeedState::Text(text) => match text.take(finder, arrival, found, noted) {
                Advanced::NeedMore => Ok(()),
                Advanced::Done => self.end_text(),
            },
            #[cfg(feature = "mail")]
            FeedState::Mail(mail) => {
                match arrival {
                    Arrival::Bytes(bytes) => mail.add(bytes, found),
                    Arrival::Pause => {}
                    Arrival::End => self.scanned = mail.end(found),
                }
                Ok(())
            }
            FeedState::Kept(kept, _) => {
                let room = (limits::WHOLE_DOCUMENT + 1).saturating_sub(kept.len());
                let bytes = arrival.bytes();
                kept.extend_from_slice(&bytes[..bytes.len().min(room)]);
                match arrival {
                    Arrival::End => self.end_kept(),
                    Arrival::Bytes(_) | Arrival::Pause => Ok(()),
                }
            }
            #[cfg(feature = "archives")]
            FeedState::Header(bytes, _) => {
                bytes.extend_from_slice(arrival.bytes());
                self.open_answer(arrival)
            }
            #[cfg(feature = "archives")]
            FeedState::Answer(answer) => {
                answer.take(arrival, found)?;
                if let Arrival::End = arrival {
                    self.end_answer();
                }
                Ok(())
            }
            FeedState::Skipped | FeedState::Ended => Ok(()),
        }
    }

    /// Begins to read a document that was detected, and passes on its first bytes.
    fn open(
        &mut self,
        bytes: &[u8],
        detection: &Detection,
        arrival: Arrival<'_>,
    ) -> Result<(), FailedScan> {
        let (plan, told) = Plan::of(detection, &self.hints)
            .map_err(|reason| Scanned::default().failed(reason.into()))?;
        let text =
            |hints| FeedState::Text(Box::new(FedText::new(&self.finder, hints, detection, told)));
        let state = match plan {
            #[cfg(feature = "mail")]
            Plan::Mail(kind) => {
                FeedState::Mail(Box::new(FedMail::new(&self.finder, &self.hints, kind)))
            }
            Plan::Whole(disposition) => FeedState::Kept(Vec::new(), disposition),
            Plan::Skipped => {
                self.scanned.notices = told.into_iter().collect();
                FeedState::Skipped
            }
            #[cfg(feature = "archives")]
            Plan::Answer => FeedState::Header(Vec::new(), 0),
            Plan::Text => text((Box::new(self.hints.clone()), None)),
            Plan::Binary(hints) => text((hints, Some(0))),
        };
        self.enter(state, bytes, arrival)
    }

    /// Goes on in another state, with the bytes that it reads of those that came before.
    fn enter(
        &mut self,
        state: FeedState,
        bytes: &[u8],
        arrival: Arrival<'_>,
    ) -> Result<(), FailedScan> {
        self.state = state;
        self.advance(Arrival::Bytes(bytes))?;
        match arrival {
            Arrival::Bytes(_) => Ok(()),
            Arrival::Pause | Arrival::End => self.advance(arrival),
        }
    }

    fn end_text(&mut self) -> Result<(), FailedScan> {
        if let FeedState::Text(text) = self.end() {
            self.scanned = text.finish()?;
        }
        Ok(())
    }

    /// Scans a document that is kept.
    fn end_kept(&mut self) -> Result<(), FailedScan> {
        let FeedState::Kept(bytes, disposition) = self.end() else { return Ok(()) };
        let Feed { finder, hints, found, .. } = self;
        let emit = &mut |event: ScanEvent<'_>| found.add_event(event);
        self.scanned = finder.scan_whole(bytes, &mut io::empty(), hints, disposition, emit)?;
        Ok(())
    }
}
