//! The links of a text, a document or a message: an iterator, which finds each when it is asked for.
//!
//! What is in memory is searched where the caller stands, without the interpreter's lock if it is long.
//! What is longer than a page may be goes as the command's files do: as a stream, on a thread, while the
//! caller looks at signals.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::{process, thread};

use linksift::container::Opening;
use linksift::files::{Options, scan_one};
use linksift::{Candidate, Charset, Event, Format, Hints, NotRead, Notice, ScanError};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use self_cell::self_cell;

use crate::border::{PATIENCE, Unread, check_signals, guarded, os_error, unread, unread_error};
use crate::link::Found;
use crate::offsets::Characters;
use crate::settings::Given;
use crate::source::Source;

/// What is longer is searched without the interpreter's lock.
pub(crate) const LONG: usize = 32 << 10;
/// What is longer is searched as a stream, on a thread, so that nothing in it keeps the caller from signals.
const STREAM: usize = 1 << 20;
/// How many links are found at once where more are wanted surely.
const BATCH: usize = 64;

/// What a source is taken for.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Taken {
    Text,
    Document,
    Message,
    Mailbox,
}

/// What is searched, and how.
pub(crate) struct Search {
    pub(crate) given: Arc<Given>,
    pub(crate) source: Source,
    pub(crate) taken: Taken,
    /// Whether rejected candidates are given too.
    pub(crate) rejected: bool,
    /// Whether archives are opened, and offsets are those of their members.
    pub(crate) archives: bool,
}

enum Iter<'a> {
    Links(linksift::Links<'a, 'a>),
    Candidates(linksift::Candidates<'a, 'a>),
}

self_cell!(
    struct Reading {
        owner: Search,
        #[not_covariant]
        dependent: Iter,
    }
);

impl Iter<'_> {
    fn notices(&self) -> Vec<Told> {
        macro_rules! of {
            ($found:ident) => {{
                let all = $found.notices().into_iter();
                all.map(|notice| told("", notice, $found.notice_part(notice))).collect()
            }};
        }
        match self {
            Iter::Links(links) => of!(links),
            Iter::Candidates(candidates) => of!(candidates),
        }
    }
}

impl Search {
    fn iter(&self) -> Result<Iter<'_>, NotRead> {
        let finder = &self.given.finder;
        if !self.rejected {
            return self.links().map(Iter::Links);
        }
        Ok(Iter::Candidates(match (&self.source, self.is_plain()) {
            (Source::Text { text, .. }, true) => finder.candidates(text),
            (Source::Surrogates(bytes), true) => finder.candidates_in(bytes),
            _ => self.document()?,
        }))
    }

    /// The links alone.
    pub(crate) fn links(&self) -> Result<linksift::Links<'_, '_>, NotRead> {
        let finder = &self.given.finder;
        Ok(match (&self.source, self.is_plain()) {
            (Source::Text { text, .. }, true) => finder.links(text),
            (Source::Surrogates(bytes), true) => finder.links_in(bytes),
            _ => self.document()?.links(),
        })
    }

    fn document(&self) -> Result<linksift::Candidates<'_, '_>, NotRead> {
        self.given.finder.document(self.source.bytes(), &self.hints())
    }

    /// Whether it is running text, in UTF-8 if it is a `str`.
    fn is_plain(&self) -> bool {
        self.given.is_plain && self.taken == Taken::Text
    }

    /// Whether it takes so little time that nobody wants to stop it, nor waits for the interpreter's lock.
    pub(crate) fn is_short(&self) -> bool {
        !matches!(self.source, Source::File) && self.source.bytes().len() <= LONG
    }

    /// Why nothing of a text is read that is no running text.
    pub(crate) fn unread_text(&self) -> Option<Unread> {
        match self.source.is_str() && !self.is_plain() {
            true => Unread::of_text(self.source.bytes(), &self.hints()),
            false => None,
        }
    }

    /// What is known of it: for most texts nobody asks.
    fn hints(&self) -> Hints {
        let hints = match self.taken {
            Taken::Text => self.given.text.clone(),
            Taken::Document => self.given.document.clone(),
            Taken::Message => self.given.document.clone().format(Format::Email),
            Taken::Mailbox => self.given.document.clone().format(Format::Mbox),
        };
        match self.source.is_str() {
            // What it declares of itself is of bytes that it once was.
            true => hints.charset(Charset::UTF_8),
            false => hints,
        }
    }

    fn found(&self, judged: Candidate<'static>, characters: &mut Characters) -> Found {
        let text = self.source.counts_characters().then(|| (characters, self.source.bytes()));
        Found::new(judged, text, self.given.names_columns)
    }
}

/// A notice: the member of an archive that it is about, its code, and the part of a message. Both places are empty if it is about
/// the input itself.
type Told = (String, &'static str, String);

fn told(member: &str, notice: Notice, part: Option<&str>) -> Told {
    (member.to_owned(), notice.as_str(), part.unwrap_or_default().to_owned())
}

/// Takes a notice from the thread that reads.
type Tell<'t> = dyn Fn(Told) + 't;

/// What is in memory.
struct InMemory {
    reading: Reading,
    characters: Characters,
}

impl InMemory {
    fn notices(&self) -> Vec<Told> {
        self.reading.with_dependent(|_, iter| iter.notices())
    }

    fn next(&mut self) -> Option<Found> {
        let InMemory { reading, characters } = self;
        reading.with_dependent_mut(|search, iter| {
            let judged = match iter {
                Iter::Links(links) => Candidate::Link(links.next()?.into_owned()),
                Iter::Candidates(candidates) => candidates.next()?.into_owned(),
            };
            Some(search.found(judged, characters))
        })
    }
}

/// What comes from the thread that reads.
enum News {
    Found(VecDeque<Found>),
    Failed(PyErr),
}

/// What a thread reads.
struct Streamed {
    news: Receiver<News>,
    told: Arc<Mutex<Vec<Told>>>,
    cancelled: Arc<AtomicBool>,
    pid: u32,
}

impl Drop for Streamed {
    fn drop(&mut self) {
        self.cancelled.store(true, Ordering::Relaxed);
    }
}

enum State {
    InMemory(Box<InMemory>),
    Streamed(Streamed),
    /// At the end, or after a failure; with the notices until then.
    Done(Vec<Told>),
}

impl State {
    /// What a reader should know of what was processed so far.
    fn told(&self) -> Vec<Told> {
        match self {
            State::InMemory(memory) => memory.notices(),
            State::Streamed(streamed) => {
                streamed.told.lock().unwrap_or_else(PoisonError::into_inner).clone()
            }
            State::Done(told) => told.clone(),
        }
    }

    fn end(&mut self) {
        *self = State::Done(self.told());
    }
}

/// Links, one after the other; the order is that of the input.
#[pyclass(frozen, module = "linksift")]
pub(crate) struct Links {
    inner: Mutex<Inner>,
    is_long: bool,
}

struct Inner {
    state: State,
    /// Found, and not asked for yet.
    ready: VecDeque<Found>,
}

impl Links {
    /// The links of a text or a document.
    pub(crate) fn of(search: Search) -> PyResult<Links> {
        let length = search.source.bytes().len();
        let is_long = length > LONG || search.archives;
        let is_stream = length > STREAM || search.archives;
        if is_stream {
            let (finder, bytes) = (&search.given.finder, search.source.bytes());
            let reason = guarded(|| unread(finder, bytes, search.hints(), search.archives))?;
            if let Some(reason) = reason {
                return Err(unread_error("", &reason));
            }
        }
        let state = match is_stream {
            true => State::Streamed(streamed(Arc::new(search), None)?),
            false => State::InMemory(Box::new(InMemory {
                reading: guarded(|| Reading::try_new(search, Search::iter))?
                    .map_err(|error| unread_error("", &error))?,
                characters: Characters::default(),
            })),
        };
        let inner = Inner { state, ready: VecDeque::new() };
        Ok(Links { inner: Mutex::new(inner), is_long })
    }

    /// The links of a file.
    pub(crate) fn of_file(search: Search, path: PathBuf) -> PyResult<Links> {
        let file = File::open(&path).map_err(|error| os_error(&path, "", &error.into()))?;
        let state = State::Streamed(streamed(Arc::new(search), Some((path, file)))?);
        let inner = Inner { state, ready: VecDeque::new() };
        Ok(Links { inner: Mutex::new(inner), is_long: true })
    }

    /// The next one; without the interpreter's lock where that may take long.
    pub(crate) fn take(&self, py: Python<'_>) -> PyResult<Option<Found>> {
        if !self.is_long {
            return guarded(|| self.inner().step(1))?.map(Step::found);
        }
        loop {
            match py.detach(|| guarded(|| self.inner().step(BATCH)))?? {
                Step::Found(found) => return Ok(Some(found)),
                Step::Done => return Ok(None),
                Step::Waiting => check_signals()?,
            }
        }
    }

    fn inner(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[allow(clippy::large_enum_variant, reason = "the large one is what nearly all are")]
enum Step {
    Found(Found),
    Waiting,
    Done,
}

impl Step {
    fn found(self) -> Option<Found> {
        match self {
            Step::Found(found) => Some(found),
            Step::Waiting | Step::Done => None,
        }
    }
}

impl Inner {
    /// One link, of which up to so many are found at once.
    fn step(&mut self, batch: usize) -> PyResult<Step> {
        if let Some(found) = self.ready.pop_front() {
            return Ok(Step::Found(found));
        }
        match &mut self.state {
            State::Done(_) => return Ok(Step::Done),
            State::InMemory(memory) if batch == 1 => {
                return Ok(memory.next().map_or(Step::Done, Step::Found));
            }
            State::InMemory(memory) => {
                self.ready.extend(std::iter::from_fn(|| memory.next()).take(batch));
            }
            State::Streamed(streamed) if streamed.pid != process::id() => {
                let text =
                    "the links belong to another process: their thread does not exist after a fork";
                return Err(PyRuntimeError::new_err(text));
            }
            State::Streamed(streamed) => match streamed.news.recv_timeout(PATIENCE) {
                Ok(News::Found(found)) => self.ready = found,
                Ok(News::Failed(error)) => {
                    self.state.end();
                    return Err(error);
                }
                Err(RecvTimeoutError::Timeout) => return Ok(Step::Waiting),
                Err(RecvTimeoutError::Disconnected) => {}
            },
        }
        Ok(match self.ready.pop_front() {
            Some(found) => Step::Found(found),
            None => {
                self.state.end();
                Step::Done
            }
        })
    }
}

#[pymethods]
impl Links {
    fn __iter__(this: Py<Self>) -> Py<Self> {
        this
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Py<PyAny>>> {
        self.take(py)?.map(|found| found.object(py)).transpose()
    }

    /// What a reader should know of what was processed so far: the member of an archive, the code of the notice, and the part
    /// of a message. Both places are empty if it is about the source itself.
    #[getter]
    fn notices(&self, py: Python<'_>) -> PyResult<Vec<(String, &'static str, String)>> {
        py.detach(|| guarded(|| self.inner().state.told()))
    }
}

/// Starts a thread that reads a long source or a file.
fn streamed(search: Arc<Search>, file: Option<(PathBuf, File)>) -> PyResult<Streamed> {
    let (sender, news) = sync_channel(16);
    let cancelled = Arc::new(AtomicBool::new(false));
    let shared = Arc::clone(&cancelled);
    let told = Arc::new(Mutex::new(Vec::new()));
    let telling = Arc::clone(&told);
    let run = move || {
        let failures = sender.clone();
        let tell = |noticed: Told| {
            telling.lock().unwrap_or_else(PoisonError::into_inner).push(noticed);
        };
        let done = guarded(|| read(&search, file, (&sender, &tell), &shared));
        if let Err(error) | Ok(Err(error)) = done {
            // Nobody waits for it, if it cannot be sent.
            let _ = failures.send(News::Failed(error));
        }
    };
    thread::Builder::new().name("linksift-links".to_owned()).spawn(run)?;
    Ok(Streamed { news, told, cancelled, pid: process::id() })
}

/// Reads a long source or a file to its end, or until nobody wants more.
fn read(
    search: &Search,
    file: Option<(PathBuf, File)>,
    (news, tell): (&SyncSender<News>, &Tell<'_>),
    cancelled: &AtomicBool,
) -> PyResult<()> {
    let (path, mut file) = file.unzip();
    let mut rest = search.source.bytes();
    let reader: &mut dyn Read = match &mut file {
        Some(file) => file,
        None => &mut rest,
    };
    let batch = RefCell::new(VecDeque::new());
    let hand_over = || match batch.borrow().is_empty() || cancelled.load(Ordering::Relaxed) {
        true => Ok(()),
        false => news.send(News::Found(batch.take())).map_err(drop),
    };
    let mut reader = Handing { reader, cancelled, hand_over: &hand_over };
    let mut characters = Characters::default();
    let mut failed = None;
    let each = |event: Event<'_>| {
        let judged = match event {
            Event::Link { link, .. } => Candidate::Link(link.into_owned()),
            Event::Rejected { rejected, .. } if search.rejected => {
                Candidate::Rejected(rejected.into_owned())
            }
            Event::Noticed { member, part, notice, .. } => {
                tell(told(member.as_str(), notice, part));
                return ControlFlow::Continue(());
            }
            Event::Failed { path, member, error, .. } => {
                failed.get_or_insert_with(|| os_error(path, member.as_str(), &error));
                return ControlFlow::Continue(());
            }
            _ => return ControlFlow::Continue(()),
        };
        batch.borrow_mut().push_back(search.found(judged, &mut characters));
        match batch.borrow().len() < BATCH || hand_over().is_ok() {
            true if !cancelled.load(Ordering::Relaxed) => ControlFlow::Continue(()),
            _ => ControlFlow::Break(()),
        }
    };
    let done = match search.archives {
        false => {
            let done = search.given.finder.scan_reader(&mut reader, &search.hints(), each);
            if let Ok(scanned) = &done {
                for &notice in scanned.notices() {
                    tell(told("", notice, scanned.notice_part(notice)));
                }
            }
            done.map(drop)
        }
        true => {
            let options = Options::new().finder(search.given.finder.clone()).hints(search.hints());
            let _ = scan_one(Opening::bytes(search.source.bytes()), &options, each);
            Ok(())
        }
    };
    let _ = hand_over();
    if let Some(error) = failed {
        return Err(error);
    }
    done.map_err(|error| match (error, path) {
        (ScanError::NotRead(reason), _) => unread_error("", &reason),
        (error, Some(path)) => os_error(&path, "", &error),
        (error, None) => io::Error::from(error).into(),
    })
}

/// A reader that hands over what was found so far before it reads on, and ends when nobody wants more.
struct Handing<'r> {
    reader: &'r mut dyn Read,
    cancelled: &'r AtomicBool,
    hand_over: &'r dyn Fn() -> Result<(), ()>,
}

impl Read for Handing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.cancelled.load(Ordering::Relaxed) || (self.hand_over)().is_err() {
            return Ok(0);
        }
        // A caller that waits is told often, whatever the block.
        let most = buffer.len().min(1 << 20);
        self.reader.read(&mut buffer[..most])
    }
}
