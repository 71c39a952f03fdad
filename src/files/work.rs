//! The work: items of the walk in, events rendered into batches out.
//!
//! Threads take items from the walk one at a time, under a lock: a take costs less than a
//! microsecond, and a batch of items would tie small files to a huge one before them. With one
//! thread, or one file, all is done on the calling thread, without queue.

use std::fs;
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard};
use std::thread;
use std::time::Instant;

use rayon::ScopeFifo;

use super::finished::FinishedBatches;
use super::input_output::UnitSharing;
use super::item::Item;
use super::pool::Pool;
use super::reorder::{Admission, PutGuard, Reorder, StopGuard, TakeGuard, Urgency};
use super::sink::{BatchSink, DirectSink, OrderedSlot};
use super::units::SharedJobs;
use super::walk::PathWalk;
use super::worker::{Worker, Workers};
use super::{Batch, Input, Options, Summary};
use crate::event::Event;
use crate::guard::is_cancelled;

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
    let walk = PathWalk::new(first.into_iter().chain(inputs), options.walk.clone());
    let workers = &Workers::new(options, render);
    let stopped = match threads > 1 && !is_alone {
        true => run_many(threads, walk, workers, write),
        false => run_alone(threads, walk, workers, write),
    };
    Summary { stopped, ..workers.summary() }
}

/// All on the calling thread; the units of an archive go to others too, which are started when there is one.
fn run_alone<I, B, R, W>(
    threads: usize,
    walk: PathWalk<I>,
    workers: &Workers<'_, R>,
    write: W,
) -> bool
where
    I: Iterator<Item = Input>,
    B: Batch,
    R: Fn(Event<'_>, &mut B) + Sync,
    W: FnMut(&mut B) -> ControlFlow<()>,
{
    let pool = Some(threads - 1).filter(|helpers| *helpers > 0);
    let Some(pool) = &pool.and_then(|helpers| Pool::new(helpers, 0)) else {
        return scan_alone(walk, workers, write, None);
    };
    let shared = &SharedJobs::new();
    pool.scope(|scope| {
        let help = || {
            // Without another thread the units are gone through in their turn.
            if pool.start() > 0 {
                scope.spawn_fifo(|_| workers.help(shared));
            }
        };
        let sharing = UnitSharing { shared, help: &help, helpers: threads - 1, most: 2 * threads };
        scan_alone(walk, workers, write, Some(&sharing))
    })
}

fn scan_alone<I, B, R, W>(
    mut walk: PathWalk<I>,
    workers: &Workers<'_, R>,
    write: W,
    sharing: Option<&UnitSharing<'_, B>>,
) -> bool
where
    I: Iterator<Item = Input>,
    B: Batch,
    R: Fn(Event<'_>, &mut B),
    W: FnMut(&mut B) -> ControlFlow<()>,
{
    let cancel = workers.options.hints.cancel.clone();
    let mut sink = DirectSink { write, last: Instant::now(), stopped: false, cancel };
    let mut batch = B::default();
    workers.with(|worker| {
        while !sink.has_ended() {
            let Some(item) = walk.next() else {
                sink.put(&mut batch, Urgency::Urgent);
                break;
            };
            worker.run(item, &mut batch, &mut sink, sharing);
            sink.offer(&mut batch);
        }
    });
    sink.has_ended()
}

/// Tasks of the pool go through inputs; the calling thread takes what comes of them, and spawns the tasks.
fn run_many<I, B, R, W>(
    threads: usize,
    walk: PathWalk<I>,
    workers: &Workers<'_, R>,
    mut write: W,
) -> bool
where
    I: Iterator<Item = Input> + Send,
    B: Batch,
    R: Fn(Event<'_>, &mut B) + Sync,
    W: FnMut(&mut B) -> ControlFlow<()>,
{
    let pool = Pool::new(threads, threads).map(|pool| (pool.start(), pool));
    let Some((threads @ 1.., pool)) = &pool else {
        return scan_alone(walk, workers, write, None);
    };
    let cancel = &workers.options.hints.cancel;
    let run = &ScanRun {
        pool,
        workers,
        walk: Mutex::new(NumberedWalk { walk, next: 0 }),
        order: Reorder::new(*threads, cancel.clone()),
        shared: SharedJobs::new(),
        threads: *threads,
    };
    pool.scope(|scope| {
        let _taking = TakeGuard(&run.order);
        let mut batch = B::default();
        while run.order.take(&mut batch) {
            for _ in 0..run.order.due() {
                scope.spawn_fifo(|scope| run.inputs(scope));
            }
            if batch.size() > 0 && write(&mut batch).is_break() {
                return true;
            }
            if batch.size() > 0 {
                batch = B::default();
            }
        }
        is_cancelled(cancel.as_ref())
    })
}

/// Data that the tasks of a run share.
struct ScanRun<'r, 'o, I: Iterator<Item = Input>, B, R> {
    pool: &'r Pool,
    workers: &'r Workers<'o, R>,
    walk: Mutex<NumberedWalk<I>>,
    order: Reorder<B>,
    shared: SharedJobs<B>,
    threads: usize,
}

struct NumberedWalk<I: Iterator<Item = Input>> {
    walk: PathWalk<I>,
    next: u64,
}

impl<I, B, R> ScanRun<'_, '_, I, B, R>
where
    I: Iterator<Item = Input> + Send,
    B: Batch,
    R: Fn(Event<'_>, &mut B) + Sync,
{
    /// Goes through one input after the other, as long as there is room for what comes of them.
    fn inputs<'s>(&'s self, scope: &ScopeFifo<'s>) {
        let putting = PutGuard(&self.order);
        if self.workers.with(|worker| self.inputs_by(worker, scope)) == Admission::Parked {
            putting.park();
        }
    }

    fn inputs_by<'s>(&'s self, worker: &mut Worker<'_, R>, scope: &ScopeFifo<'s>) -> Admission {
        let ScanRun { order, shared, threads, .. } = self;
        let help = || {
            scope.spawn_fifo(|_| {
                let _stopping = StopGuard(order);
                self.workers.help(shared);
            });
        };
        let sharing = UnitSharing { shared, help: &help, helpers: *threads, most: 2 * threads };
        let mut batch = B::default();
        let mut finished = FinishedBatches::new(order);
        // A task that would have to wait for others may be the one that they wait for: what is done is handed over before
        // all that may take long.
        loop {
            let admission = order.admit();
            if admission != Admission::Begin {
                return admission;
            }
            loop {
                let Some((item, number)) = next_item(&self.walk, &mut finished) else {
                    finished.hand_over();
                    return Admission::Over;
                };
                if item.is_live() && self.pool.stand_in() {
                    order.ask();
                }
                let sink = &mut OrderedSlot { finished: &mut finished, number };
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
    }
}

/// The next item of the walk, and its number.
fn next_item<I, B>(
    walk: &Mutex<NumberedWalk<I>>,
    finished: &mut FinishedBatches<'_, B>,
) -> Option<(Item, u64)>
where
    I: Iterator<Item = Input>,
    B: Batch,
{
    let is_ready = |walk: &MutexGuard<'_, NumberedWalk<I>>| walk.walk.is_at_hand();
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
