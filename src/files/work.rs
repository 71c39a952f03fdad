//! The work: items of the walk in, events rendered into batches out.
//!
//! Tasks take items from the walk one at a time, under a lock: a take costs less than a
//! microsecond, and a batch of items would tie small files to a huge one before them. With one
//! thread, or one file, the only task that takes items runs on the calling thread.
//!
//! A run has a pool of its own, whose threads are started when there is work for them. No task of the pool waits for one that has not begun. A thread that is about to wait for an input, which may
//! never come, has another one started in its place.

use std::fs;
use std::ops::ControlFlow;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use rayon::{ScopeFifo, ThreadBuilder, ThreadPool, ThreadPoolBuilder};

use super::item::Item;
use super::queue::{Assignment, OrderedQueue, TakeGuard, TaskGuard};
use super::task_output::{CallerEnd, TaskOutput};
use super::walk::PathWalk;
use super::worker::Worker;
use super::{Batch, Input, Options, Summary};
use crate::event::Event;
use crate::input::memory;

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

    /// Receives the results of the tasks, and spawns those that are due. Returns `true` if the run was stopped.
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
        memory::leave();
        is_parked
    }

    /// Processes inputs until the room for results must be checked again. Returns `false` at the end of the walk.
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

/// The pool of a run. It ends with the run: none of its threads is left then.
pub(super) struct Pool {
    // Dropped first, which ends the threads.
    pool: ThreadPool,
    most: usize,
    threads: Mutex<Threads>,
}

/// The threads that have been started, and those that may be.
struct Threads {
    waiting: Vec<ThreadBuilder>,
    started: Vec<JoinHandle<()>>,
    /// Number of threads that were started to compute.
    computing: usize,
}

impl Pool {
    /// Returns a pool of `most` threads that compute and `spare` ones that stand in for those that wait for their
    /// inputs. None is started yet.
    pub(super) fn new(most: usize, spare: usize) -> Option<Pool> {
        let mut waiting = Vec::new();
        let keep = |thread| {
            waiting.push(thread);
            Ok(())
        };
        let name = |number| format!("linksift-{number}");
        let builder = ThreadPoolBuilder::new().num_threads(most + spare).thread_name(name);
        let pool = builder.spawn_handler(keep).build().ok()?;
        waiting.reverse();
        let threads = Mutex::new(Threads { waiting, started: Vec::new(), computing: 0 });
        Some(Pool { pool, most, threads })
    }

    /// Starts the threads that compute, unless they are, and returns their number. A run goes on with those that
    /// can be started.
    pub(super) fn start(&self) -> usize {
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        while threads.computing < self.most && threads.start_one() {
            threads.computing += 1;
        }
        if threads.computing < self.most {
            threads.waiting.clear();
        }
        threads.computing
    }

    /// Starts a thread in the place of the calling one, which is about to wait. Returns whether there is one.
    fn stand_in(&self) -> bool {
        self.threads.lock().unwrap_or_else(PoisonError::into_inner).start_one()
    }

    /// Runs `work` on the calling thread. Returns when the tasks that it has spawned are done too.
    pub(super) fn scope<'s, T>(&'s self, work: impl FnOnce(&ScopeFifo<'s>) -> T) -> T {
        self.pool.in_place_scope_fifo(work)
    }
}

impl Threads {
    fn start_one(&mut self) -> bool {
        let Some(waiting) = self.waiting.pop() else { return false };
        let name = waiting.name().unwrap_or_default().to_owned();
        let Ok(handle) = thread::Builder::new().name(name).spawn(|| waiting.run()) else {
            return false;
        };
        self.started.push(handle);
        true
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        for handle in self.started.drain(..) {
            // A panic of a task has gone to the scope that it is of.
            let _ = handle.join();
        }
    }
}
