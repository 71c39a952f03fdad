//! The work: items of the walk in, events rendered into batches out.
//!
//! Threads take items from the walk one at a time, under a lock: a take costs less than a
//! microsecond, and a batch of items would tie small files to a huge one before them. With one
//! thread, or one file, all is done on the calling thread, without queue.

use std::cell::{Cell, RefCell};
use std::fs::{self, File};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use super::counts::Tally;
use super::describe::Described;
use super::finished::Finished;
use super::input_output::{InputOutput, Own, Paced, Sharing};
use super::item::{Item, Pace};
use super::opened::Opened;
use super::reorder::{ENOUGH, Putting, Reorder, Taking, Urgency};
use super::sink::{Direct, Sink, Turn};
use super::units::{Doing, Giving, Job, Shared};
use super::visit::{self, Visit};
use super::walk::Walk;
use super::{Archives, Batch, Input, Options, ResumePoint, Summary};
use crate::container::{self, Member};
use crate::document::Hints;
use crate::event::Event;
use crate::finder::Finder;
use crate::guard::is_cancelled;
use crate::notice::Notice;
use crate::stream::Buffer;

/// More threads than this for each core, or than [`FEW_THREADS`], find nothing sooner: beyond what
/// computes they can only wait for slow disks side by side, and starting them costs the square of
/// their number.
const THREADS_A_CORE: usize = 4;
const FEW_THREADS: usize = 64;

pub(super) fn run<I, B, R, W>(inputs: I, options: &Options, render: &R, write: W) -> Summary
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
        true => run_alone(threads, walk, options, render, write),
        false => run_threads(threads, walk, options, render, write),
    }
}

/// All on the calling thread; the units of an archive go to others too, which are started when there is
/// one.
fn run_alone<I, B, R, W>(
    threads: usize,
    walk: Walk<I>,
    options: &Options,
    render: &R,
    write: W,
) -> Summary
where
    I: Iterator<Item = Input>,
    B: Batch,
    R: Fn(Event<'_>, &mut B) + Sync,
    W: FnMut(&mut B) -> ControlFlow<()>,
{
    let shared = &Shared::new(1);
    thread::scope(|scope| {
        let _giving = Giving(shared);
        let is_started = Cell::new(false);
        let start = || {
            let missing = if is_started.replace(true) { 1 } else { threads };
            for number in 1..missing {
                let thread = thread::Builder::new().name(format!("linksift-{number}"));
                let help = || Worker::new(options, render).help(shared);
                // With fewer threads it takes longer.
                if thread.spawn_scoped(scope, help).is_err() {
                    break;
                }
            }
        };
        let sharing = Sharing { shared, start: &start, most: 2 * threads };
        let mut worker = Worker::new(options, render);
        let cancel = options.hints.cancel.clone();
        let mut sink = Direct { write, last: Instant::now(), stopped: false, cancel };
        let mut batch = B::default();
        let mut walk = walk;
        while !sink.has_ended() {
            let Some(item) = walk.next() else {
                sink.put(&mut batch, Urgency::Urgent);
                break;
            };
            let sharing = (threads > 1).then_some(&sharing);
            worker.run(item, &mut batch, &mut sink, sharing);
            sink.offer(&mut batch);
        }
        Summary { stopped: sink.has_ended(), ..worker.summary }
    })
}

fn run_threads<I, B, R, W>(
    threads: usize,
    walk: Walk<I>,
    options: &Options,
    render: &R,
    mut write: W,
) -> Summary
where
    I: Iterator<Item = Input> + Send,
    B: Batch,
    R: Fn(Event<'_>, &mut B) + Sync,
    W: FnMut(&mut B) -> ControlFlow<()>,
{
    // The run goes on with as many as can be started.
    let most = (1..=threads).rev().find_map(|threads| Some((threads, pool(threads).ok()?)));
    let Some((threads, pool)) = most else { return run_alone(1, walk, options, render, write) };
    let order = &Reorder::new(threads, options.hints.cancel.clone());
    let shared = &Shared::new(threads);
    let walk = &Mutex::new(Numbered { walk, next: 0 });
    let total = &Mutex::new(Summary::default());
    let stopped = pool.in_place_scope(|scope| {
        for _ in 0..threads {
            scope.spawn(move |_| {
                let _putting = Putting(order);
                let summary = run_thread(walk, order, shared, threads, options, render);
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
    let stopped = stopped || is_cancelled(options.hints.cancel.as_ref());
    Summary { stopped, ..summary }
}

/// So many threads, or none of them.
fn pool(threads: usize) -> Result<rayon::ThreadPool, rayon::ThreadPoolBuildError> {
    let name = |number| format!("linksift-{number}");
    rayon::ThreadPoolBuilder::new().num_threads(threads).thread_name(name).build()
}

struct Numbered<I: Iterator<Item = Input>> {
    walk: Walk<I>,
    next: u64,
}

fn run_thread<I, B, R>(
    walk: &Mutex<Numbered<I>>,
    order: &Reorder<B>,
    shared: &Shared<B>,
    threads: usize,
    options: &Options,
    render: &R,
) -> Summary
where
    I: Iterator<Item = Input>,
    B: Batch,
    R: Fn(Event<'_>, &mut B),
{
    let giving = Giving(shared);
    let sharing = Sharing { shared, start: &|| {}, most: 2 * threads };
    let mut worker = Worker::new(options, render);
    let mut batch = B::default();
    let mut finished = Finished::new(order);
    // Who would have to wait for others may be the one that they wait for: what is done is handed over before
    // all that may take long.
    while order.admit() {
        loop {
            let Some((item, number)) = next_item(walk, &mut finished) else {
                finished.hand_over();
                drop(giving);
                worker.help(shared);
                return worker.summary;
            };
            let sink = &mut Turn { finished: &mut finished, number };
            worker.run(item, &mut batch, sink, Some(&sharing));
            finished.add(number, &mut batch);
            if !finished.may_wait() || order.is_stopped() {
                break;
            }
        }
        finished.hand_over();
        while let Some(job) = shared.try_next() {
            worker.unit(&job);
        }
    }
    worker.summary
}

/// The next item of the walk, and its number.
fn next_item<I, B>(walk: &Mutex<Numbered<I>>, finished: &mut Finished<'_, B>) -> Option<(Item, u64)>
where
    I: Iterator<Item = Input>,
    B: Batch,
{
    let is_ready = |walk: &MutexGuard<'_, Numbered<I>>| walk.walk.is_at_hand();
    let mut walk = match walk.try_lock().ok().filter(is_ready) {
        Some(walk) => walk,
        None => {
            finished.hand_over();
            // A list of inputs that panics has stopped the run already.
            walk.lock().ok()?
        }
    };
    let item = walk.walk.next()?;
    walk.next += 1;
    Some((item, walk.next - 1))
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

/// An input that is open, and what is known of it.
#[derive(Clone, Copy)]
struct Source<'s> {
    /// The name that says what it is; empty if there is none.
    name: &'s [u8],
    /// What it is called in events.
    shown: &'s Path,
    hints: &'s Hints,
    pace: Pace,
    resume: Option<ResumePoint>,
}

impl<R> Worker<'_, R> {
    /// Goes through units of inputs that others hold, until there are none.
    fn help<B>(&mut self, shared: &Shared<B>)
    where
        B: Batch,
        R: Fn(Event<'_>, &mut B),
    {
        while let Some(job) = shared.next() {
            self.unit(&job);
        }
    }

    fn unit<B>(&mut self, job: &Job<B>)
    where
        B: Batch,
        R: Fn(Event<'_>, &mut B),
    {
        let mut doing = Doing { job, tally: Tally::default() };
        let mut batch = B::default();
        let emit = |event: Event<'_>| {
            (self.render)(event, &mut batch);
            if batch.size() >= ENOUGH {
                job.put(&mut batch);
            }
            // Ahead of its turn a unit goes no further than in its turn, or failures would be told or not by
            // who has gone through it.
            match job.is_given_up() || batch.has_enough() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        let Worker { options, binary, buffer, walk, .. } = &mut *self;
        let mut visit = Visit::new(options, &job.hints, binary, &job.path, buffer, emit);
        walk.budget = Arc::clone(&job.budget);
        walk.asked = container::Asked::of(&job.hints);
        job.unit.run_ahead(&job.bounds, walk, &mut visit);
        doing.tally = visit.into_tally();
        job.put(&mut batch);
    }

    fn run<B, O>(
        &mut self,
        mut item: Item,
        batch: &mut B,
        sink: &mut O,
        sharing: Option<&Sharing<'_, B>>,
    ) where
        B: Batch,
        O: Sink<B>,
        R: Fn(Event<'_>, &mut B),
    {
        let (described, pace, resume) = match &mut item {
            Item::File { pace, described, resume, .. } => {
                (described.take(), *pace, resume.take().map(|point| *point))
            }
            Item::Stdin { described } => (described.take(), Pace::Live, None),
            Item::Written { path } => {
                let (member, notice) = (&Member::default(), Notice::Output);
                return (self.render)(Event::Noticed { path, member, notice }, batch);
            }
            Item::Failed { .. } => (None, Pace::Steady, None),
        };
        let Described { hints, label } = described.map_or_else(Described::new, |own| *own);
        // What is known of an input alone says nothing of the run.
        let cancel = &self.options.hints.cancel;
        let hints = hints.map(|own| Hints { cancel: cancel.clone(), ..own });
        let hints = hints.as_ref().unwrap_or(&self.options.hints);
        let path = item.path();
        // To open a FIFO is to wait for who writes to it.
        if pace == Pace::Live {
            sink.pause();
        }
        // What it is called says what it is, as the name of a file does.
        let shown = label.as_deref().unwrap_or(path);
        let name = match (&label, pace) {
            (None, Pace::Live) => b"",
            _ => shown.as_os_str().as_encoded_bytes(),
        };
        let opened = match item {
            Item::File { ref path, .. } => File::open(path).and_then(|file| match pace {
                Pace::Steady => Opened::file(file),
                Pace::Live => Ok(Opened::live(file)),
            }),
            Item::Stdin { .. } | Item::Written { .. } => Ok(Opened::stdin()),
            Item::Failed { ref path, error } => {
                self.progress_file();
                self.summary.failed += 1;
                self.summary.failures += 1;
                let member = &Member::default();
                (self.render)(Event::Failed { path, member, error }, batch);
                return (self.render)(Event::Closed { path, failed: true, stored: 0 }, batch);
            }
        };
        let tally = match opened {
            Ok(opened) => {
                let source = Source { name, shown, hints, pace, resume };
                self.scan(source, opened, batch, sink, sharing)
            }
            Err(error) => {
                let member = &Member::default();
                (self.render)(Event::Failed { path: shown, member, error }, batch);
                Tally { failed: true, failures: 1, ..Tally::default() }
            }
        };
        self.progress_file();
        if tally.stopped {
            return;
        }
        self.summary.count(&tally);
        if !tally.failed {
            (self.render)(Event::Finished { path: shown, links: tally.links }, batch);
        }
        let Tally { failed, stored, .. } = tally;
        (self.render)(Event::Closed { path: shown, failed, stored }, batch);
    }

    fn progress_file(&self) {
        if let Some(progress) = &self.options.progress {
            progress.add_file();
        }
    }

    fn scan<B, O>(
        &mut self,
        source: Source<'_>,
        opened: Opened,
        batch: &mut B,
        sink: &mut O,
        sharing: Option<&Sharing<'_, B>>,
    ) -> Tally
    where
        B: Batch,
        O: Sink<B>,
        R: Fn(Event<'_>, &mut B),
    {
        let Source { name, shown: path, hints, pace, resume } = source;
        let (stored, len) = match &opened {
            Opened::File { stored, len, .. } => {
                (Some(Arc::clone(stored) as Arc<dyn container::Source>), Some(*len))
            }
            _ => (None, None),
        };
        let progress = self.options.progress.as_ref();
        if let Some(progress) = progress {
            progress.add_opened(len.unwrap_or(0));
        }
        let read = &Cell::new(0);
        let own = &Own { options: self.options, render: self.render, binary: &self.binary };
        let output = &RefCell::new(InputOutput::new(batch, sink));
        let sharing = sharing.filter(|_| pace == Pace::Steady);
        if let Some(sharing) = sharing {
            output.borrow_mut().share(sharing, path.to_owned(), hints.clone());
        }
        let emit = |event: Event<'_>| output.borrow_mut().emit(event, own);
        let share = |unit, walk: &container::Walk<'_>, before| {
            output.borrow_mut().unit(unit, &walk.budget, before, own);
        };
        let mut visit = Visit::new(self.options, hints, own.binary, path, &mut self.buffer, emit)
            .sharing(sharing.is_some().then_some(&share))
            .resuming(resume);
        let reader = Box::new(Paced { reader: opened, pace, read, output, progress });
        let is_live = pace == Pace::Live;
        let begin = resume.map(ResumePoint::begin).unwrap_or_default();
        let declared = hints.declared;
        let input = container::Input { name, reader, source: stored, is_live, declared, begin };
        self.walk.asked = container::Asked::of(hints);
        self.walk.input(input, &mut visit);
        let mut tally = visit.into_tally();
        tally.add(output.borrow_mut().finish(own));
        // Of an input of which there is enough the run is not over.
        tally.stopped &= output.borrow().is_stopped();
        // What was passed over, or read at other places, is done with too.
        let stored = len.filter(|_| !tally.stopped).map_or(read.get(), |len| len.max(read.get()));
        if let Some(progress) = progress {
            progress.add_bytes(stored - read.get());
        }
        self.summary.stored += stored;
        Tally { stored, ..tally }
    }
}
