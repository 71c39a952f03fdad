//! The work: items of the walk in, events rendered into batches out.
//!
//! Tasks take items from the walk one at a time, under a lock: a take costs less than a
//! microsecond, and a batch of items would tie small files to a huge one before them. With one
//! thread, or one file, the only task that takes items runs on the calling thread.

use std::fs;
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Instant;

use super::item::Item;
use super::pool::Pool;
use super::queue::{Assignment, OrderedQueue, TakeGuard, TaskGuard};
use super::task_output::{CallerEnd, TaskOutput};
use super::walk::PathWalk;
use super::worker::Worker;
use super::{Batch, Input, Options, Summary};
use crate::event::Event;

/// More threads than this for each core, or than [`FEW_THREADS`], find nothing sooner: beyond what
/// computes they can only wait for slow disks side by side, and starting them costs the square of
/// their number.
const THREADS_A_CORE: usize = 4;
const FEW_THREADS: usize = 64;

pub(super) fn run<I, B, R, W>(inputs: I, options: &Options, render: &R, mut write: W) -> Summary
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
        _ if threads == 1 => true,
        [] | [Input::Stdin] => true,
        [Input::Path(path)] => !fs::metadata(path).is_ok_and(|metadata| metadata.is_dir()),
        _ => false,
    };
    // The threads that help with one input start when it is an archive that has units for them.
    let pool = match is_alone {
        true if threads == 1 => None,
        true => Pool::new(threads - 1, 0),
        false => Pool::new(threads, threads).filter(|pool| pool.start() > 0),
    };
    let is_alone = is_alone || pool.is_none();
    let threads = match &pool {
        None => 1,
        Some(pool) if !is_alone => pool.start(),
        Some(_) => threads,
    };
    let walk = PathWalk::new(first.into_iter().chain(inputs), options.walk.clone());
    let queue = OrderedQueue::new(threads, is_alone, options.hints.cancel.clone());
    let (walk, idle) = (Mutex::new(walk), Mutex::default());
    let run = &ScanRun { options, render, pool, walk, queue, idle };
    let stopped = match &run.pool {
        None => run.scan_alone(&mut write, &|| {}),
        Some(pool) => pool.scope(|scope| {
            let spawn = || {
                let due = run.queue.due();
                // Without another thread the units are processed in their turn.
                if due > 0 && pool.start() > 0 {
                    (0..due).for_each(|_| scope.spawn_fifo(|_| run.task()));
                }
            };
            match is_alone {
                true => run.scan_alone(&mut write, &spawn),
                false => run.take_all(&mut write, &spawn),
            }
        }),
    };
    let mut total = Summary { stopped, ..Summary::default() };
    run.idle().iter().for_each(|worker| total.add(worker.summary));
    total
}

/// Data that the tasks of a run share.
struct ScanRun<'o, I, B, R> {
    options: &'o Options,
    render: &'o R,
    pool: Option<Pool>,
    walk: Mutex<PathWalk<I>>,
    queue: OrderedQueue<B>,
    /// Workers that no task uses.
    idle: Mutex<Vec<Worker<'o, B, R>>>,
}

impl<'o, I, B, R> ScanRun<'o, I, B, R>
where
    I: Iterator<Item = Input> + Send,
    B: Batch,
    R: Fn(Event<'_>, &mut B) + Sync,
{
    /// Scans all inputs on the calling thread; tasks of the pool help with units. Returns `true` if the run was stopped.
    fn scan_alone(
        &self,
        write: &mut dyn FnMut(&mut B) -> ControlFlow<()>,
        spawn: &dyn Fn(),
    ) -> bool {
        let _taking = TakeGuard(&self.queue);
        let caller = CallerEnd { write, spawn, last: Instant::now() };
        let mut output = TaskOutput::new(&self.queue, Some(caller));
        self.scan(&mut output);
        output.write(true);
        self.queue.is_stopped()
    }

    /// Takes the results of the tasks, and spawns those that are due. Returns `true` if the run was stopped.
    fn take_all(&self, write: &mut dyn FnMut(&mut B) -> ControlFlow<()>, spawn: &dyn Fn()) -> bool {
        let _taking = TakeGuard(&self.queue);
        let mut batch = B::default();
        while self.queue.take(&mut batch) {
            spawn();
            if batch.size() > 0 {
                if write(&mut batch).is_break() {
                    return true;
                }
                batch = B::default();
            }
        }
        self.queue.is_stopped()
    }

    /// A task of the pool.
    fn task(&self) {
        let guard = TaskGuard(&self.queue);
        let mut output = TaskOutput::new(&self.queue, None);
        if self.scan(&mut output) {
            guard.park();
        }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Worker<'o, B, R>>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Processes units and inputs, as long as there is room for their results. Returns `true` if the room is used up.
    fn scan(&self, output: &mut TaskOutput<'_, B>) -> bool {
        let idle = self.idle().pop();
        let mut worker = idle.unwrap_or_else(|| Worker::new(self.options, self.render));
        let mut batch = B::default();
        let is_parked = loop {
            match self.queue.assign() {
                Assignment::Unit(job) => worker.unit(&job, &self.queue),
                Assignment::Input if self.inputs(&mut worker, output, &mut batch) => {}
                Assignment::Input | Assignment::Over => break false,
                Assignment::Parked => break true,
            }
        };
        self.idle().push(worker);
        is_parked
    }

    /// Processes inputs until it must be asked again whether there is room. Returns `false` at the end of the walk.
    fn inputs(
        &self,
        worker: &mut Worker<'o, B, R>,
        output: &mut TaskOutput<'_, B>,
        batch: &mut B,
    ) -> bool {
        // Another task may wait for this one, so the results so far are handed over before each step that may take long.
        let is_over = loop {
            let Some(item) = self.next_item(output) else { break true };
            let pool = self.pool.as_ref().filter(|_| item.is_live());
            if !output.is_alone() && pool.is_some_and(Pool::stand_in) {
                self.queue.ask();
            }
            output.begin(item.number);
            worker.run(item, batch, output);
            output.finish(batch);
            if !output.may_wait() || output.is_stopped() {
                break false;
            }
        };
        output.hand_over();
        !is_over
    }

    /// Returns the next item of the walk.
    fn next_item(&self, output: &mut TaskOutput<'_, B>) -> Option<Item> {
        let is_ready = |walk: &MutexGuard<'_, PathWalk<I>>| walk.is_at_hand();
        let mut walk = match self.walk.try_lock().ok().filter(is_ready) {
            Some(walk) => walk,
            None => {
                output.hand_over_before_wait();
                // A list of inputs that panicked has stopped the run already.
                self.walk.lock().ok()?
            }
        };
        walk.next()
    }
}
