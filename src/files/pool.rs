//! The threads of a run: a pool of its own, whose threads are started when there is work for them.
//!
//! No task of the pool waits for one that has not begun. A thread that is about to wait for an input, which may
//! never come, has another one started in its place.

use std::sync::{Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use rayon::{ScopeFifo, ThreadBuilder, ThreadPool, ThreadPoolBuilder};

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
    /// How many have been started to compute.
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
    pub(super) fn stand_in(&self) -> bool {
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
