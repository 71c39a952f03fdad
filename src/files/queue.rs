//! The ordered queue: puts the results of many threads into the order of the inputs, in bounded memory.
//!
//! A task that is ahead of the turn waits while its part is full, and begins no other input while all parts together
//! are. The task that has the turn waits only for the caller. Inputs are begun in order, and the holder of an input
//! processes the units that no other task has begun, so some task can always continue.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Batch;
use super::counts::Tally;
use super::parts::{Job, OrderedParts, PartPosition};
use crate::input::guard::{Cancel, is_cancelled};
use crate::input::memory::MemoryBudget;
use crate::limits;

/// Size in bytes at which a batch is passed on.
pub(super) const ENOUGH: usize = 64 << 10;
/// Time for which the caller lets a small batch grow. Many files have a link or two each, and waking the caller for each
/// of them costs more than scanning it.
pub(super) const PATIENCE: Duration = Duration::from_millis(5);
/// Most bytes of results that wait in a part, and for each thread on average.
pub(super) const LIMIT: usize = 4 << 20;
/// Most parts that are begun before the one whose turn it is has ended: each costs memory too.
const MOST_AHEAD: usize = 1 << 15;

pub(super) struct OrderedQueue<B> {
    state: Mutex<QueueState<B>>,
    /// Wakes the caller.
    filled: Condvar,
    /// Wakes tasks: there is room, the turn has moved, or a unit has progressed.
    moved: Condvar,
    is_stopped: AtomicBool,
    /// Cancelling does not wake waiting threads. Scanning threads poll this flag and release them.
    cancel: Option<Cancel>,
    threads: usize,
    limit: usize,
    /// Memory for documents that are held as a whole.
    memory: Arc<MemoryBudget>,
}

pub(super) struct QueueState<B> {
    pub(super) parts: OrderedParts<B>,
    /// Units that no task has begun.
    units: BTreeMap<PartPosition, Arc<Job>>,
    /// Whether the caller should receive the results at once.
    is_urgent: bool,
    /// Size of the results for which the caller waits.
    wanted: Option<usize>,
    /// Number of tasks that may still add results, including those that are due.
    open: usize,
    /// Number of tasks that ended for lack of room for another input, due again when there is some.
    parked: usize,
    /// Number of other tasks that are due.
    asked: usize,
    /// Most tasks that are useful at once.
    most: usize,
    /// Number of tasks that wait.
    waiting: usize,
}

/// Next step of a task.
pub(super) enum Assignment {
    Unit(Arc<Job>),
    /// Begins an input.
    Input,
    /// Ends; it is due again when there is room.
    Parked,
    /// Ends with the run.
    Over,
}

type Locked<'q, B> = MutexGuard<'q, QueueState<B>>;

impl<B: Batch> OrderedQueue<B> {
    /// Creates the queue of a run with this many threads. With `is_alone` the task on the caller's thread is the only one
    /// until a unit is shared.
    pub(super) fn new(threads: usize, is_alone: bool, cancel: Option<Cancel>) -> OrderedQueue<B> {
        let memory = MemoryBudget::new(limits::WHOLE_DOCUMENTS);
        let parts = OrderedParts::new(&memory);
        let state = QueueState {
            parts,
            units: BTreeMap::new(),
            is_urgent: false,
            wanted: None,
            open: if is_alone { 1 } else { threads },
            parked: 0,
            asked: if is_alone { 0 } else { threads },
            most: threads,
            waiting: 0,
        };
        OrderedQueue {
            state: Mutex::new(state),
            filled: Condvar::new(),
            moved: Condvar::new(),
            is_stopped: AtomicBool::new(false),
            cancel,
            threads,
            limit: LIMIT,
            memory,
        }
    }

    /// A thread that panics elsewhere leaves this state consistent.
    fn lock(&self) -> Locked<'_, B> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn memory(&self) -> &Arc<MemoryBudget> {
        &self.memory
    }

    pub(super) fn threads(&self) -> usize {
        self.threads
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed) || is_cancelled(self.cancel.as_ref())
    }

    /// Ends the run: no task waits any more, and further results are dropped.
    pub(super) fn stop(&self) {
        // Under the lock, or a thread that is about to wait would miss it.
        let _state = self.lock();
        self.is_stopped.store(true, Ordering::Relaxed);
        self.moved.notify_all();
        self.filled.notify_all();
    }

    /// Returns the next step of the calling task.
    pub(super) fn assign(&self) -> Assignment {
        let mut state = self.lock();
        if self.is_stopped() {
            return Assignment::Over;
        }
        if let Some((_, job)) = state.units.pop_first() {
            return Assignment::Unit(job);
        }
        if self.has_room(&state) {
            return Assignment::Input;
        }
        state.parked += 1;
        Assignment::Parked
    }

    fn has_room(&self, state: &QueueState<B>) -> bool {
        let (parts, size) = state.parts.ahead();
        parts <= MOST_AHEAD && size <= self.limit * self.threads
    }

    /// Changes the state, and wakes the threads that wait for it.
    fn update<T>(&self, change: impl FnOnce(&mut QueueState<B>) -> T) -> T {
        let mut state = self.lock();
        let changed = change(&mut state);
        self.wake_all(state);
        changed
    }

    /// Requests another task, since the calling one is about to wait for its input.
    pub(super) fn ask(&self) {
        self.update(|state| {
            state.most += 1;
            state.ask();
        });
    }

    fn is_due(&self, state: &QueueState<B>) -> bool {
        state.asked > 0 || (state.parked > 0 && self.has_room(state))
    }

    /// Returns the number of tasks that the caller has to spawn now.
    pub(super) fn due(&self) -> usize {
        let mut state = self.lock();
        let parked = if self.has_room(&state) { mem::take(&mut state.parked) } else { 0 };
        mem::take(&mut state.asked) + parked
    }

    /// Adds results to a part, and leaves the batch empty. Waits while there is no room.
    pub(super) fn put(&self, at: PartPosition, batch: &mut B, is_urgent: bool) {
        let mut state = self.add(self.lock(), at, batch, None);
        // Results that are ahead cannot be shown yet.
        state.is_urgent |= is_urgent && state.parts.is_turn(at);
        self.wake(state);
    }

    /// Adds the last results of parts, which come in their order; the parts may be the last ones of their inputs.
    pub(super) fn end<'b>(
        &self,
        is_last: bool,
        parts: impl IntoIterator<Item = (PartPosition, &'b mut B)>,
    ) where
        B: 'b,
    {
        let mut state = self.lock();
        for (at, batch) in parts {
            state = self.add(state, at, batch, None);
            state.parts.end(at, is_last);
        }
        self.wake_all(state);
    }

    /// Ends a part with its last results, and makes a unit the part after it.
    pub(super) fn share(&self, at: PartPosition, batch: &mut B, job: &Arc<Job>) {
        self.update(|state| {
            state.parts.append(at, batch);
            state.parts.hold(job.at);
            state.parts.end(at, false);
            state.units.insert(job.at, Arc::clone(job));
            if state.open - state.parked < state.most {
                state.ask();
            }
        });
    }

    /// Takes a unit back, for its holder to process it; returns `false` if another task has begun it.
    pub(super) fn take_back(&self, job: &Job) -> bool {
        self.update(|state| {
            let is_here = state.units.remove(&job.at).is_some();
            if is_here {
                state.parts.release(job.at);
            }
            is_here
        })
    }

    /// Begins a unit; returns `false` if another task has begun it.
    pub(super) fn begin(&self, job: &Job) -> bool {
        self.update(|state| state.units.remove(&job.at).is_some())
    }

    /// Adds results of a unit ahead of its turn, for the holder of its input, which must not wait: a unit whose part holds too
    /// much already is given up. Drops the results of a unit that is given up, also those that its task still adds.
    pub(super) fn put_or_give_up(&self, job: &Job, batch: &mut B) {
        self.update(|state| {
            if !job.is_given_up() && state.parts.size(job.at) > self.limit {
                state.give_up(job);
            }
            match job.is_given_up() {
                true => *batch = B::default(),
                false => state.parts.append(job.at, batch),
            }
        });
    }

    /// Adds the last results of a unit, and its counts, without waiting.
    pub(super) fn finish_ahead(&self, job: &Job, batch: &mut B, tally: Tally) {
        self.update(|state| {
            state.parts.append(job.at, batch);
            state.parts.done(job.at, tally);
        });
    }

    /// Adds results of a unit ahead of its turn.
    pub(super) fn put_ahead(&self, job: &Job, batch: &mut B) {
        let state = self.add(self.lock(), job.at, batch, Some(job));
        self.wake_all(state);
    }

    /// Adds the last results of a unit, and its counts.
    pub(super) fn finish(&self, job: &Job, batch: &mut B, tally: Tally) {
        let mut state = self.add(self.lock(), job.at, batch, Some(job));
        if !job.is_given_up() {
            state.parts.done(job.at, tally);
        }
        self.wake_all(state);
    }

    /// Lets the results of a unit go to the caller in their turn.
    pub(super) fn release(&self, job: &Job) {
        self.update(|state| state.parts.release(job.at));
    }

    /// Drops the results of a unit, and what its task still adds. Its holder processes it again.
    pub(super) fn give_up(&self, job: &Job) {
        self.update(|state| state.give_up(job));
    }

    /// Returns `true` if another task has begun a unit and is not done with it.
    pub(super) fn is_in_progress(&self, job: &Job) -> bool {
        let state = self.lock();
        !state.units.contains_key(&job.at) && state.parts.progress(job.at).flatten().is_none()
    }

    /// Returns `true` if a unit is done.
    pub(super) fn is_done(&self, job: &Job) -> bool {
        self.lock().parts.progress(job.at).flatten().is_some()
    }

    /// Waits until `found` finds something; returns `None` if the run has ended.
    pub(super) fn wait_for<T>(
        &self,
        is_caller: bool,
        found: impl Fn(&QueueState<B>) -> Option<T>,
    ) -> Option<T> {
        let mut state = self.lock();
        while !self.is_stopped() {
            if let Some(found) = found(&state) {
                return Some(found);
            }
            state = match is_caller {
                true => {
                    // Any change.
                    state.wanted = Some(0);
                    self.filled.wait(state).unwrap_or_else(PoisonError::into_inner)
                }
                false => self.wait(state),
            };
        }
        None
    }

    fn wait<'q>(&'q self, mut state: Locked<'q, B>) -> Locked<'q, B> {
        state.waiting += 1;
        // The caller may not know yet of the last results.
        self.filled.notify_one();
        let mut state = self.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
        state.waiting -= 1;
        state
    }

    /// Waits while a part holds much, then adds results to it. Drops them if the run or the unit is over.
    fn add<'q>(
        &'q self,
        mut state: Locked<'q, B>,
        at: PartPosition,
        batch: &mut B,
        job: Option<&Job>,
    ) -> Locked<'q, B> {
        let is_over = || self.is_stopped() || job.is_some_and(Job::is_given_up);
        while !is_over() && state.parts.size(at) > self.limit {
            state = self.wait(state);
        }
        match is_over() {
            true => *batch = B::default(),
            false => state.parts.append(at, batch),
        }
        state
    }

    /// Wakes the tasks that wait, and the caller.
    fn wake_all(&self, state: Locked<'_, B>) {
        if state.waiting > 0 {
            self.moved.notify_all();
        }
        self.wake(state);
    }

    /// Wakes the caller if it waits for this state.
    fn wake(&self, mut state: Locked<'_, B>) {
        let size = state.parts.ready.size();
        let is_enough = |wanted| state.is_urgent || size >= wanted || self.is_due(&state);
        if state.wanted.is_some_and(is_enough) {
            state.wanted = None;
            drop(state);
            self.filled.notify_one();
        }
    }

    /// Notes that a task has added its last results.
    fn close(&self) {
        let mut state = self.lock();
        state.open -= 1;
        // A stopped run has no further results, though some tasks are parked.
        if state.open == 0 || self.is_stopped() {
            drop(state);
            self.filled.notify_one();
        }
    }

    /// Waits for further results, or until tasks are [due](Self::due), and swaps the results with `batch`, which is empty.
    /// Returns `false` at the end.
    pub(super) fn take(&self, batch: &mut B) -> bool {
        let mut state = self.lock();
        for wanted in [1, ENOUGH] {
            let is_waiting = |state: &mut QueueState<B>| {
                let is_over = state.open == 0 || self.is_due(state) || self.is_stopped();
                let is_short = state.parts.ready.size() < wanted && !state.is_urgent;
                state.wanted = Some(wanted);
                is_short && !is_over
            };
            state = match wanted {
                1 => self
                    .filled
                    .wait_while(state, is_waiting)
                    .unwrap_or_else(PoisonError::into_inner),
                _ => {
                    let waited = self.filled.wait_timeout_while(state, PATIENCE, is_waiting);
                    waited.unwrap_or_else(PoisonError::into_inner).0
                }
            };
        }
        let is_open = state.open > 0;
        self.swap(&mut state, batch);
        !self.is_stopped() && (batch.size() > 0 || is_open)
    }

    /// Swaps the results so far with `batch`, which is empty, if there are at least this many bytes of them.
    pub(super) fn take_ready(&self, least: usize, batch: &mut B) {
        let mut state = self.lock();
        if state.parts.ready.size() >= least {
            self.swap(&mut state, batch);
        }
    }

    fn swap(&self, state: &mut QueueState<B>, batch: &mut B) {
        (state.wanted, state.is_urgent) = (None, false);
        mem::swap(&mut state.parts.ready, batch);
        if state.waiting > 0 {
            self.moved.notify_all();
        }
    }
}

impl<B: Batch> QueueState<B> {
    fn give_up(&mut self, job: &Job) {
        job.give_up();
        self.parts.clear(job.at);
    }

    fn ask(&mut self) {
        match self.parked {
            0 => self.open += 1,
            _ => self.parked -= 1,
        }
        self.asked += 1;
    }
}

/// Guard of a task: ends the run if the task panics. A parked task has not ended.
pub(super) struct TaskGuard<'q, B: Batch>(pub(super) &'q OrderedQueue<B>);

impl<B: Batch> TaskGuard<'_, B> {
    pub(super) fn park(self) {
        mem::forget(self);
    }
}

impl<B: Batch> Drop for TaskGuard<'_, B> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
        self.0.close();
    }
}

/// Guard of the caller. If it ends early, including on panic, no task waits for it any more.
pub(super) struct TakeGuard<'q, B: Batch>(pub(super) &'q OrderedQueue<B>);

impl<B: Batch> Drop for TakeGuard<'_, B> {
    fn drop(&mut self) {
        self.0.stop();
    }
}
