//! Units of work: a thread that reads an input shares them, and idle threads take them.
//!
//! A unit that is gone through ahead of its turn keeps what comes of it, and waits when that is much.
//! In its turn it is checked: begun elsewhere than the unit before it ended, or with more of the input's
//! budget than is left, it is given up, and gone through again by who holds the input.

use std::collections::VecDeque;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use super::Batch;
use super::counts::Tally;
use crate::container::{Budget, UnitBounds, WorkUnit};
use crate::document::Hints;

/// Most bytes of results that a unit keeps before its turn.
const LIMIT: usize = 4 << 20;

/// A unit that is being processed.
pub(super) struct Job<B> {
    pub(super) unit: WorkUnit,
    pub(super) bounds: UnitBounds,
    pub(super) budget: Arc<Budget>,
    /// Rest of the budget when it was shared.
    given: u64,
    pub(super) path: Arc<PathBuf>,
    pub(super) hints: Arc<Hints>,
    state: Mutex<UnitState<B>>,
    changed: Condvar,
    is_given_up: AtomicBool,
}

#[derive(Default)]
struct UnitState<B> {
    batch: B,
    tally: Tally,
    is_done: bool,
}

/// Outcome of a unit in its turn.
pub(super) enum UnitOutcome {
    /// The unit must be scanned again.
    Void,
    Done(Tally),
}

impl<B: Batch> Job<B> {
    pub(super) fn new(
        unit: WorkUnit,
        budget: &Budget,
        path: Arc<PathBuf>,
        hints: Arc<Hints>,
    ) -> Job<B> {
        let given = budget.left();
        Job {
            unit,
            bounds: UnitBounds::default(),
            budget: Arc::new(Budget::new(given)),
            given,
            path,
            hints,
            state: Mutex::new(UnitState {
                batch: B::default(),
                tally: Tally::default(),
                is_done: false,
            }),
            changed: Condvar::new(),
            is_given_up: AtomicBool::new(false),
        }
    }

    fn lock(&self) -> MutexGuard<'_, UnitState<B>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait<'s>(&self, state: MutexGuard<'s, UnitState<B>>) -> MutexGuard<'s, UnitState<B>> {
        self.changed.wait(state).unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn is_given_up(&self) -> bool {
        self.is_given_up.load(SeqCst)
    }

    pub(super) fn is_done(&self) -> bool {
        self.lock().is_done
    }

    /// Cancels it.
    pub(super) fn give_up(&self) {
        let _state = self.lock();
        self.is_given_up.store(true, SeqCst);
        self.changed.notify_all();
    }

    /// Passes on some of its results; waits while there are many.
    pub(super) fn put(&self, batch: &mut B) {
        let mut state = self.lock();
        while state.batch.size() > LIMIT && !self.is_given_up() {
            state = self.wait(state);
        }
        match self.is_given_up() {
            true => *batch = B::default(),
            false => state.batch.append(batch),
        }
        self.changed.notify_all();
    }

    /// Marks it as processed.
    fn finish(&self, tally: Tally) {
        let mut state = self.lock();
        (state.tally, state.is_done) = (tally, true);
        self.changed.notify_all();
    }

    /// Its turn: what comes of it goes to `each` as it comes; `budget` is what is left in its turn.
    pub(super) fn take_turn(&self, budget: &Budget, mut each: impl FnMut(&mut B)) -> UnitOutcome {
        let mut state = self.lock();
        while state.batch.size() == 0 && !state.is_done {
            state = self.wait(state);
        }
        let spent = self.given.saturating_sub(budget.left());
        let fits = self.unit.fits(&self.bounds, state.is_done) == Some(true);
        // Where nothing is left, it depends on those before it whether that has been told.
        if !fits || budget.left() == 0 || !self.budget.spend(spent) {
            drop(state);
            self.give_up();
            return UnitOutcome::Void;
        }
        loop {
            let mut batch = std::mem::take(&mut state.batch);
            let (is_done, tally) = (state.is_done, state.tally);
            drop(state);
            self.changed.notify_all();
            if batch.size() > 0 {
                each(&mut batch);
            }
            if is_done {
                self.unit.finish(&self.bounds);
                budget.set(self.budget.left());
                return UnitOutcome::Done(tally);
            }
            state = self.lock();
            while state.batch.size() == 0 && !state.is_done {
                state = self.wait(state);
            }
        }
    }
}

/// Guard of the thread that processes a unit. Marks it done on drop, including on panic.
pub(super) struct JobGuard<'j, B: Batch> {
    pub(super) job: &'j Job<B>,
    pub(super) tally: Tally,
}

impl<B: Batch> Drop for JobGuard<'_, B> {
    fn drop(&mut self) {
        self.job.finish(self.tally);
    }
}

/// Units that wait for a thread.
pub(super) struct SharedJobs<B> {
    jobs: Mutex<Jobs<B>>,
    /// Number of waiting units.
    waiting: AtomicUsize,
}

struct Jobs<B> {
    list: VecDeque<Arc<Job<B>>>,
    /// Number of tasks of the pool that process units.
    helpers: usize,
}

impl<B: Batch> SharedJobs<B> {
    pub(super) fn new() -> SharedJobs<B> {
        let jobs = Mutex::new(Jobs { list: VecDeque::new(), helpers: 0 });
        SharedJobs { jobs, waiting: AtomicUsize::new(0) }
    }

    fn lock(&self) -> MutexGuard<'_, Jobs<B>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts a unit where others find it. Returns whether another task should be spawned that [helps](Self::help_next):
    /// there are at most `most`.
    pub(super) fn give(&self, job: Arc<Job<B>>, most: usize) -> bool {
        let mut jobs = self.lock();
        jobs.list.push_back(job);
        self.waiting.store(jobs.list.len(), SeqCst);
        let is_wanted = jobs.helpers < most;
        jobs.helpers += usize::from(is_wanted);
        is_wanted
    }

    /// Takes a unit back; returns `false` if a thread has begun it.
    pub(super) fn take_back(&self, job: &Arc<Job<B>>) -> bool {
        let mut jobs = self.lock();
        let place = jobs.list.iter().position(|other| Arc::ptr_eq(other, job));
        let is_here = place.and_then(|place| jobs.list.remove(place)).is_some();
        self.waiting.store(jobs.list.len(), SeqCst);
        is_here
    }

    /// Takes a waiting unit, if there is one.
    pub(super) fn try_next(&self) -> Option<Arc<Job<B>>> {
        if self.waiting.load(SeqCst) == 0 {
            return None;
        }
        self.pop(&mut self.lock())
    }

    /// A unit for a task that helps; without one its help has ended.
    pub(super) fn help_next(&self) -> Option<Arc<Job<B>>> {
        let mut jobs = self.lock();
        let job = self.pop(&mut jobs);
        jobs.helpers -= usize::from(job.is_none());
        job
    }

    fn pop(&self, jobs: &mut Jobs<B>) -> Option<Arc<Job<B>>> {
        let job = jobs.list.pop_front();
        self.waiting.store(jobs.list.len(), SeqCst);
        job
    }
}
