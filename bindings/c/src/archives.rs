//! Archives: compressed documents, archives, and archives that are attached to a message.
//!
//! They are processed on a thread of their own, which waits when some steps are ready that nobody has asked for
//! yet: little is kept, whatever an archive holds. It ends when the links are freed.

use std::collections::VecDeque;
use std::io;
use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::process;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use sift::container::{Limits, Opening, Source};
use sift::files::{Options, scan_one};
use sift::{Cancel, Candidate, Event, Finder, Hints};

use crate::border::said;
use crate::found::Noticed;

/// Number of steps that are kept at most.
const READY: usize = 64;
/// Bytes of an input that are read before it counts as readable.
const BEGINNING: u64 = 64 << 10;

/// Results of an archive, in order.
#[allow(clippy::large_enum_variant, reason = "the large one is what nearly all are")]
pub(crate) enum ArchiveStep {
    Found(Candidate<'static>),
    Failed(Failed),
}

/// A member that could not be read, or not to its end.
pub(crate) struct Failed {
    pub(crate) member: String,
    pub(crate) code: &'static str,
}

/// How an archive ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum End {
    /// All of it was processed.
    Whole,
    /// The input itself could not be read, or not to its end.
    Unreadable(String),
    /// A defect of linksift.
    Panic(String),
}

/// The next result.
#[allow(clippy::large_enum_variant, reason = "the large one is what nearly all are")]
pub(crate) enum Next {
    Step(ArchiveStep),
    /// Nothing until now.
    Pending,
    End(End),
}

/// An archive that a thread goes through.
pub(crate) struct Archive {
    shared: Arc<Shared>,
    thread: Option<JoinHandle<()>>,
    /// The process that the thread is in.
    pid: u32,
}

/// State that the thread and the caller share.
struct Shared {
    state: Mutex<State>,
    changed: Condvar,
    cancel: Cancel,
}

#[derive(Default)]
struct State {
    ready: VecDeque<ArchiveStep>,
    noticed: Vec<Noticed>,
    /// Enough was read to say that it can be read.
    has_begun: bool,
    end: Option<End>,
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Hands a step over, as soon as there is room for it.
    fn push(&self, step: ArchiveStep) -> ControlFlow<()> {
        let full = |state: &mut State| state.ready.len() >= READY && !self.cancel.is_cancelled();
        let waited = self.changed.wait_while(self.state(), full);
        let mut state = waited.unwrap_or_else(PoisonError::into_inner);
        if self.cancel.is_cancelled() {
            return ControlFlow::Break(());
        }
        state.ready.push_back(step);
        self.changed.notify_all();
        ControlFlow::Continue(())
    }
}

/// Bytes that C lends until the links are freed, which waits for the thread that reads them.
struct Lent {
    bytes: &'static [u8],
    read: AtomicU64,
    shared: Arc<Shared>,
}

impl Source for Lent {
    fn len(&self) -> u64 {
        self.bytes.len() as u64
    }

    fn read_at(&self, at: u64, to: &mut [u8]) -> io::Result<usize> {
        if self.shared.cancel.is_cancelled() {
            return Err(io::Error::other("the links were freed"));
        }
        let rest = usize::try_from(at).ok().and_then(|at| self.bytes.get(at..)).unwrap_or_default();
        let len = rest.len().min(to.len());
        to[..len].copy_from_slice(&rest[..len]);
        let before = self.read.fetch_add(len as u64, Ordering::Relaxed);
        if before < BEGINNING && before + len as u64 >= BEGINNING {
            self.shared.state().has_begun = true;
            self.shared.changed.notify_all();
        }
        Ok(len)
    }
}

/// Scans bytes that may be an archive; `is_all`: with rejected candidates and failures.
fn go(shared: &Arc<Shared>, options: &Options, bytes: &'static [u8], is_all: bool) -> End {
    let source = Lent { bytes, read: AtomicU64::new(0), shared: Arc::clone(shared) };
    let mut end = End::Whole;
    let mut is_first = true;
    let _ = scan_one(Opening::source(Arc::new(source)), options, |event| {
        let step = match event {
            Event::Link { link, .. } => ArchiveStep::Found(Candidate::Link(link.into_owned())),
            Event::Rejected { rejected, .. } if is_all => {
                ArchiveStep::Found(Candidate::Rejected(rejected.into_owned()))
            }
            Event::Noticed { member, part, notice, .. } => {
                let noticed = Noticed::new(member.as_str(), notice, part);
                shared.state().noticed.push(noticed);
                return ControlFlow::Continue(());
            }
            Event::Failed { member, error, .. } => {
                let is_input = member.is_empty();
                if is_input && (is_first || !is_all) {
                    end = End::Unreadable(error.to_string());
                }
                if !is_all || is_input && is_first {
                    return ControlFlow::Continue(());
                }
                ArchiveStep::Failed(Failed {
                    member: member.as_str().to_owned(),
                    code: error.as_str(),
                })
            }
            _ => return ControlFlow::Continue(()),
        };
        is_first = false;
        shared.push(step)
    });
    end
}

impl Archive {
    /// Starts the scan of bytes that may be an archive, which must stay in place until it is dropped.
    ///
    /// # Errors
    ///
    /// Nothing can be read of them, or there is no thread to be had; the message says which.
    pub(crate) fn begin(
        finder: &Finder,
        bytes: &'static [u8],
        hints: Hints,
        limits: Limits,
        is_all: bool,
    ) -> Result<Archive, String> {
        let cancel = Cancel::new();
        let hints = hints.cancel(cancel.clone());
        let options = Options::new().finder(finder.clone()).hints(hints).limits(limits);
        let state = Mutex::default();
        let shared = Arc::new(Shared { state, changed: Condvar::new(), cancel });
        let of_thread = Arc::clone(&shared);
        let run = move || {
            let gone = catch_unwind(AssertUnwindSafe(|| go(&of_thread, &options, bytes, is_all)));
            let end = gone.unwrap_or_else(|panic| End::Panic(said(&*panic)));
            of_thread.state().end = Some(end);
            of_thread.changed.notify_all();
        };
        let thread = thread::Builder::new().name("linksift-archive".to_owned()).spawn(run);
        let thread = thread.map_err(|error| format!("no thread: {error}"))?;
        let archive = Archive { shared, thread: Some(thread), pid: process::id() };
        let unknown =
            |state: &mut State| state.ready.is_empty() && !state.has_begun && state.end.is_none();
        let shared = Arc::clone(&archive.shared);
        let waited = shared.changed.wait_while(shared.state(), unknown);
        let state = waited.unwrap_or_else(PoisonError::into_inner);
        match (&state.end, state.ready.is_empty()) {
            (Some(End::Unreadable(reason)), true) => Err(reason.clone()),
            _ => {
                drop(state);
                Ok(archive)
            }
        }
    }

    /// The notices so far, without the first `known` ones.
    pub(crate) fn noticed(&self, known: usize) -> Vec<Noticed> {
        let state = self.shared.state();
        state.noticed.get(known..).unwrap_or_default().to_vec()
    }

    /// Returns the next result; `Pending` if none comes before `until`.
    pub(crate) fn next(&mut self, until: Option<Instant>) -> Next {
        if self.pid != process::id() {
            let text =
                "the links belong to another process: their thread does not exist after a fork";
            return Next::End(End::Unreadable(text.to_owned()));
        }
        let mut state = self.shared.state();
        loop {
            if let Some(step) = state.ready.pop_front() {
                self.shared.changed.notify_all();
                return Next::Step(step);
            }
            if let Some(end) = &mut state.end {
                // The error is reported once.
                return Next::End(std::mem::replace(end, End::Whole));
            }
            state = match until {
                None => self.shared.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
                Some(until) => {
                    let left = until.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return Next::Pending;
                    }
                    let waited = self.shared.changed.wait_timeout(state, left);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
    }
}

impl Drop for Archive {
    fn drop(&mut self) {
        if self.pid != process::id() {
            return;
        }
        self.shared.cancel.cancel();
        // With the lock, so that the thread is either before its look at the token or waits already.
        drop(self.shared.state());
        self.shared.changed.notify_all();
        if let Some(thread) = self.thread.take() {
            // What it panicked with was said.
            let _ = thread.join();
        }
    }
}
