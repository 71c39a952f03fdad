//! The work: items of the walk in, events rendered into batches out.
//!
//! Threads take items from the walk one at a time, under a lock: a take costs less than a
//! microsecond, and a batch of items would tie small files to a huge one before them. With one
//! thread, or one file, all is done on the calling thread, without queue.

use std::cell::RefCell;
use std::fs::{self, File};
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use super::describe::Described;
use super::done::Done;
use super::opened::Opened;
use super::order::{ENOUGH, Order, PATIENCE, Putting, Taking, Urgency};
use super::visit::{self, Tally, Visit};
use super::walk::{Item, Pace, Walk};
use super::{Archives, Batch, Event, Input, Options, Progress, Summary};
use crate::container::{self, Member};
use crate::document::Hints;
use crate::finder::Finder;
use crate::stream::Buffer;

/// More threads than this for each core, or than [`FEW_THREADS`], find nothing sooner: beyond what
/// computes they can only wait for slow disks side by side, and starting them costs the square of
/// their number.
const THREADS_A_CORE: usize = 4;
const FEW_THREADS: usize = 64;

/// A file that gave this much is big: what it gave so far is handed over before each further read.
const BIG: u64 = 512 << 10;
pub(super) fn run<I, B, R, W>(
    inputs: I,
    options: &Options,
    render: &R,
    write: W,
) -> io::Result<Summary>
where
    I: Iterator<Item = Input> + Send,
    B: Batch,
    R: Fn(Event<'_>, &mut B) + Sync,
    W: FnMut(&mut B) -> ControlFlow<()>,
{
    let mut inputs = inputs.fuse();
    let first: Vec<Input> = inputs.by_ref().take(2).collect();
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let threads = match options.threads {
        0 => cores,
        threads => threads.min(FEW_THREADS.max(cores * THREADS_A_CORE)),
    };
    let is_alone = match &first[..] {
        [] | [Input::Stdin] => true,
        [Input::Path(path)] => !fs::metadata(path).is_ok_and(|metadata| metadata.is_dir()),
        _ => false,
    };
    let walk = Walk::new(first.into_iter().chain(inputs), options.walk.clone());
    match threads == 1 || is_alone {
        true => Ok(run_alone(walk, options, render, write)),
        false => run_threads(threads, walk, options, render, write),
    }
}

fn run_alone<I, B, R, W>(walk: Walk<I>, options: &Options, render: &R, write: W) -> Summary
where
    I: Iterator<Item = Input>,
    B: Batch,
    R: Fn(Event<'_>, &mut B),
    W: FnMut(&mut B) -> ControlFlow<()>,
{
    let mut worker = Worker::new(options, render);
    let mut outlet = Direct { write, last: Instant::now(), stopped: false };
    let mut batch = B::default();
    for item in walk {
        worker.run(item, &mut batch, &mut outlet);
        if outlet.stopped {
            break;
        }
        outlet.offer(&mut batch);
    }
    if !outlet.stopped {
        outlet.put(&mut batch, Urgency::Urgent);
    }
    Summary { stopped: outlet.stopped, ..worker.summary }
}

fn run_threads<I, B, R, W>(
    threads: usize,
    walk: Walk<I>,
    options: &Options,
    render: &R,
    mut write: W,
) -> io::Result<Summary>
where
    I: Iterator<Item = Input> + Send,
    B: Batch,
    R: Fn(Event<'_>, &mut B) + Sync,
    W: FnMut(&mut B) -> ControlFlow<()>,
{
    let pool = rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .thread_name(|number| format!("linksift-{number}"))
        .build()
        .map_err(io::Error::other)?;
    let order = &Order::new(threads);
    let walk = &Mutex::new(Numbered { walk, next: 0 });
    let total = &Mutex::new(Summary::default());
    let stopped = pool.in_place_scope(|scope| {
        for _ in 0..threads {
            scope.spawn(move |_| {
                let _putting = Putting(order);
                let summary = run_thread(walk, order, options, render);
                total.lock().unwrap_or_else(PoisonError::into_inner).add(summary);
            });
        }
        let _taking = Taking(order);
        let mut batch = B::default();
        while order.take(&mut batch) {
            if batch.size() > 0 && write(&mut batch).is_break() {
                return true;
            }
            if batch.size() > 0 {
                batch = B::default();
            }
        }
        false
    });
    let summary = *total.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(Summary { stopped, ..summary })
}

struct Numbered<I: Iterator<Item = Input>> {
    walk: Walk<I>,
    next: u64,
}

fn run_thread<I, B, R>(
    walk: &Mutex<Numbered<I>>,
    order: &Order<B>,
    options: &Options,
    render: &R,
) -> Summary
where
    I: Iterator<Item = Input>,
    B: Batch,
    R: Fn(Event<'_>, &mut B),
{
    let mut worker = Worker::new(options, render);
    let mut batch = B::default();
    let mut done = Done::new(order);
    // Who would have to wait for others may be the one that they wait for: what is done is handed over before
    // all that may take long.
    while order.admit() {
        loop {
            let Some((item, number)) = next_item(walk, &mut done) else {
                done.hand_over();
                return worker.summary;
            };
            worker.run(item, &mut batch, &mut Turn { done: &mut done, number });
            done.add(number, &mut batch);
            if !done.may_wait() || order.is_stopped() {
                break;
            }
        }
        done.hand_over();
    }
    worker.summary
}

/// The next item of the walk, and its number.
fn next_item<I, B>(walk: &Mutex<Numbered<I>>, done: &mut Done<'_, B>) -> Option<(Item, u64)>
where
    I: Iterator<Item = Input>,
    B: Batch,
{
    let is_ready = |walk: &MutexGuard<'_, Numbered<I>>| walk.walk.is_at_hand();
    let mut walk = match walk.try_lock().ok().filter(is_ready) {
        Some(walk) => walk,
        None => {
            done.hand_over();
            // A list of inputs that panics has stopped the run already.
            walk.lock().ok()?
        }
    };
    let item = walk.walk.next()?;
    walk.next += 1;
    Some((item, walk.next - 1))
}

/// Where a worker's batches go.
trait Outlet<B> {
    fn put(&mut self, batch: &mut B, urgency: Urgency);

    /// What comes next may take long.
    fn pause(&mut self);

    fn is_stopped(&self) -> bool;
}

/// To the queue, as results of one input.
struct Turn<'d, 'o, B: Batch> {
    done: &'d mut Done<'o, B>,
    number: u64,
}

impl<B: Batch> Outlet<B> for Turn<'_, '_, B> {
    fn put(&mut self, batch: &mut B, urgency: Urgency) {
        self.pause();
        self.done.order().put(self.number, batch, urgency);
    }

    fn pause(&mut self) {
        self.done.hand_over();
    }

    fn is_stopped(&self) -> bool {
        self.done.order().is_stopped()
    }
}

/// To the one who writes, without a queue.
struct Direct<W> {
    write: W,
    last: Instant,
    stopped: bool,
}

impl<W> Direct<W> {
    /// Between inputs: small batches grow until there is enough in them or some time has passed.
    fn offer<B: Batch>(&mut self, batch: &mut B)
    where
        W: FnMut(&mut B) -> ControlFlow<()>,
    {
        if batch.size() >= ENOUGH || (batch.size() > 0 && self.last.elapsed() >= PATIENCE) {
            self.put(batch, Urgency::Relaxed);
        }
    }
}

impl<B: Batch, W: FnMut(&mut B) -> ControlFlow<()>> Outlet<B> for Direct<W> {
    fn put(&mut self, batch: &mut B, _: Urgency) {
        if batch.size() > 0 {
            self.stopped |= (self.write)(batch).is_break();
            self.last = Instant::now();
        }
        if batch.size() > 0 {
            *batch = B::default();
        }
    }

    fn pause(&mut self) {}

    fn is_stopped(&self) -> bool {
        self.stopped
    }
}

/// What a thread needs to go through one input after the other.
struct Worker<'o, R> {
    options: &'o Options,
    render: &'o R,
    buffer: Buffer,
    walk: container::Walk<'o>,
    /// Finds what is a link in what is not text.
    binary: Finder,
    summary: Summary,
}

impl<'o, R> Worker<'o, R> {
    fn new(options: &'o Options, render: &'o R) -> Worker<'o, R> {
        Worker {
            options,
            render,
            buffer: Buffer::new(),
            walk: container::Walk::new(&options.limits, options.archives == Archives::Auto),
            binary: visit::binary(&options.finder),
            summary: Summary::default(),
        }
    }
}

/// The end of a worker that events are put in at: the scan and the reader share it.
struct Lane<'l, B, O> {
    batch: &'l mut B,
    outlet: &'l mut O,
}

/// An input that is open, and what is known of it.
#[derive(Clone, Copy)]
struct Source<'s> {
    /// The name that says what it is; empty if there is none.
    name: &'s [u8],
    /// What it is called in events.
    shown: &'s Path,
    hints: &'s Hints,
    pace: Pace,
}

impl<R> Worker<'_, R> {
    fn run<B, O>(&mut self, mut item: Item, batch: &mut B, outlet: &mut O)
    where
        B: Batch,
        O: Outlet<B>,
        R: Fn(Event<'_>, &mut B),
    {
        let (described, pace) = match &mut item {
            Item::File { pace, described, .. } => (described.take(), *pace),
            Item::Stdin { described } => (described.take(), Pace::Live),
            Item::Failed { .. } => (None, Pace::Steady),
        };
        let Described { hints, label } = described.map_or_else(Described::new, |own| *own);
        let hints = hints.as_ref().unwrap_or(&self.options.hints);
        let path = match &item {
            Item::File { path, .. } | Item::Failed { path, .. } => path.as_path(),
            Item::Stdin { .. } => Path::new("-"),
        };
        // A name says what a file is.
        let name = match pace {
            Pace::Steady => path.as_os_str().as_encoded_bytes(),
            Pace::Live => b"",
        };
        // To open a FIFO is to wait for who writes to it.
        if pace == Pace::Live {
            outlet.pause();
        }
        let shown = label.as_deref().unwrap_or(path);
        let opened = match item {
            Item::File { ref path, .. } => File::open(path).and_then(|file| match pace {
                Pace::Steady => Opened::file(file),
                Pace::Live => Ok(Opened::Live(file)),
            }),
            Item::Stdin { .. } => Ok(Opened::Stdin(io::stdin().lock())),
            Item::Failed { ref path, error } => {
                self.progress_file();
                self.summary.failed += 1;
                let member = &Member::default();
                return (self.render)(Event::Failed { path, member, error }, batch);
            }
        };
        let tally = match opened {
            Ok(opened) => {
                let source = Source { name, shown, hints, pace };
                self.scan(source, opened, batch, outlet)
            }
            Err(error) => {
                let member = &Member::default();
                (self.render)(Event::Failed { path: shown, member, error }, batch);
                Tally { failed: true, ..Tally::default() }
            }
        };
        self.progress_file();
        if tally.stopped {
            return;
        }
        self.summary.failed += u64::from(tally.failed || tally.members_failed);
        self.summary.files += u64::from(!tally.failed);
        self.summary.bytes += tally.bytes;
        self.summary.links += tally.links;
        if !tally.failed {
            (self.render)(Event::Finished { path: shown, links: tally.links }, batch);
        }
    }

    fn progress_file(&self) {
        if let Some(progress) = &self.options.progress {
            progress.0.files.fetch_add(1, Relaxed);
        }
    }

    fn scan<B, O>(
        &mut self,
        source: Source<'_>,
        opened: Opened,
        batch: &mut B,
        outlet: &mut O,
    ) -> Tally
    where
        B: Batch,
        O: Outlet<B>,
        R: Fn(Event<'_>, &mut B),
    {
        let Source { name, shown: path, hints, pace } = source;
        let stored = match &opened {
            Opened::File { stored, .. } => Some(Arc::clone(stored) as Arc<dyn container::Source>),
            _ => None,
        };
        let lane = &RefCell::new(Lane { batch, outlet });
        let paced =
            Paced { reader: opened, pace, read: 0, lane, progress: self.options.progress.as_ref() };
        let emit = |event: Event<'_>| {
            let Lane { batch, outlet } = &mut *lane.borrow_mut();
            (self.render)(event, batch);
            if batch.size() >= ENOUGH {
                outlet.put(batch, Urgency::Relaxed);
            }
            match outlet.is_stopped() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        let mut visit = Visit::new(self.options, hints, &self.binary, path, &mut self.buffer, emit);
        let reader = Box::new(paced);
        let is_live = pace == Pace::Live;
        self.walk.input(container::Input { name, reader, source: stored, is_live }, &mut visit);
        visit.into_tally()
    }
}

/// A reader that hands over what was found so far before it reads on.
struct Paced<'l, 'b, T, B, O> {
    reader: T,
    pace: Pace,
    read: u64,
    lane: &'l RefCell<Lane<'b, B, O>>,
    progress: Option<&'l Progress>,
}

impl<T: Read, B: Batch, O: Outlet<B>> Read for Paced<'_, '_, T, B, O> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.pace == Pace::Live || self.read >= BIG {
            let Lane { batch, outlet } = &mut *self.lane.borrow_mut();
            outlet.pause();
            if batch.size() > 0 {
                let urgency = match self.pace {
                    Pace::Live => Urgency::Urgent,
                    Pace::Steady => Urgency::Relaxed,
                };
                outlet.put(batch, urgency);
            }
            if outlet.is_stopped() {
                // The end of a stopped run's input: nobody sees what comes of it.
                return Ok(0);
            }
        }
        let read = self.reader.read(buffer)?;
        self.read += read as u64;
        if let Some(progress) = self.progress {
            progress.0.bytes.fetch_add(read as u64, Relaxed);
        }
        Ok(read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_that_shrinks_fails() {
        let path = std::env::temp_dir().join(format!("linksift-shrinks-{}", std::process::id()));
        std::fs::write(&path, "see http://example.com/ and").unwrap();
        let mut opened = Opened::file(File::open(&path).unwrap()).unwrap();
        let mut bytes = [0; 10];
        assert_eq!(opened.read(&mut bytes).unwrap(), 10);
        File::options().write(true).open(&path).unwrap().set_len(10).unwrap();
        let error = opened.read(&mut bytes).unwrap_err();
        assert_eq!(error.kind(), io::ErrorKind::UnexpectedEof);
        std::fs::remove_file(&path).unwrap();
    }
}
