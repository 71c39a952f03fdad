//! Puts the batches of many threads into the order of their inputs, in bounded memory.
//!
//! Each input has a number. The input whose *turn* it is goes straight to what is ready for the
//! taker; the others gather in slots after it. Who is ahead waits when its own slot is full, or,
//! before it begins another input, when all slots together are. Who has the turn waits for nobody
//! but the taker. Since numbers are given in order, and an input that nobody has begun has nothing
//! in front of it but finished ones, somebody can always go on.

use std::collections::VecDeque;
use std::mem;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use super::Batch;
use crate::guard::{Cancel, is_cancelled};

/// Size at which a batch is passed on.
pub(super) const ENOUGH: usize = 64 << 10;
/// How long the taker lets a small batch grow: many files give a line or two each, and being woken
/// for each of them costs more than scanning it.
pub(super) const PATIENCE: Duration = Duration::from_millis(5);
/// Most bytes of results that wait for one input, and for a thread on average.
const LIMIT: usize = 4 << 20;
/// How many inputs may be begun before the one whose turn it is has ended: slots cost memory too.
const MOST_AHEAD: usize = 1 << 15;

#[derive(Debug)]
pub(super) struct Reorder<B> {
    state: Mutex<ReorderState<B>>,
    /// For the taker: something is ready.
    filled: Condvar,
    /// For the others: there is room again, or the turn has moved.
    moved: Condvar,
    stopped: AtomicBool,
    /// Cancelling does not wake waiters. Scanning threads poll this flag and release them.
    cancel: Option<Cancel>,
    threads: usize,
}

#[derive(Debug)]
struct ReorderState<B> {
    /// The number of the input whose turn it is.
    turn: u64,
    ready: B,
    /// The taker should take the ready batch at once.
    urgent: bool,
    /// The input whose turn it is, with nothing in its slot, and those after it.
    slots: VecDeque<Slot<B>>,
    /// Total size of all slots.
    ahead: usize,
    /// Tasks that may still put something, those that are to be spawned among them.
    open: usize,
    /// Tasks that have ended since there was no room for another input, to be spawned again when there is.
    parked: usize,
    /// Other tasks that are to be spawned.
    asked: usize,
    taker: Taker,
    waiting: usize,
}

#[derive(Debug)]
struct Slot<B> {
    batch: B,
    finished: bool,
}

/// Event that wakes the taker.
#[derive(Debug, PartialEq, Eq)]
enum Taker {
    Busy,
    WantsAny,
    WantsEnough,
}

/// Whether a task may begin another input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Admission {
    Begin,
    /// Not now: it ends, and is spawned again.
    Parked,
    /// The run is over.
    Over,
}

/// Whether a batch may wait for more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Urgency {
    Relaxed,
    Urgent,
}

impl<B: Batch> Reorder<B> {
    pub(super) fn new(threads: usize, cancel: Option<Cancel>) -> Reorder<B> {
        Reorder {
            state: Mutex::new(ReorderState {
                turn: 0,
                ready: B::default(),
                urgent: false,
                slots: VecDeque::new(),
                ahead: 0,
                open: threads,
                parked: 0,
                asked: threads,
                taker: Taker::Busy,
                waiting: 0,
            }),
            filled: Condvar::new(),
            moved: Condvar::new(),
            stopped: AtomicBool::new(false),
            cancel,
            threads,
        }
    }

    /// A thread that panics elsewhere leaves nothing half done here.
    fn lock(&self) -> MutexGuard<'_, ReorderState<B>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wait_for_room<'s>(
        &self,
        mut state: MutexGuard<'s, ReorderState<B>>,
    ) -> MutexGuard<'s, ReorderState<B>> {
        state.waiting += 1;
        // Who takes may not know yet of what was put just now.
        self.filled.notify_one();
        let mut state = self.moved.wait(state).unwrap_or_else(PoisonError::into_inner);
        state.waiting -= 1;
        state
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.stopped.load(Ordering::Relaxed) || is_cancelled(self.cancel.as_ref())
    }

    /// Ends the run: nobody waits any more, and what is put is dropped.
    pub(super) fn stop(&self) {
        // Under the lock, or a thread that is about to wait would miss it.
        let _state = self.lock();
        self.stopped.store(true, Ordering::Relaxed);
        self.moved.notify_all();
        self.filled.notify_all();
    }

    /// Whether the calling task may begin another input. One that may not later on ends: it is [due](Self::due) again
    /// when there is room.
    pub(super) fn admit(&self) -> Admission {
        let mut state = self.lock();
        if self.is_stopped() {
            return Admission::Over;
        }
        if self.has_room(&state) {
            return Admission::Begin;
        }
        state.parked += 1;
        Admission::Parked
    }

    fn has_room(&self, state: &ReorderState<B>) -> bool {
        state.ahead <= LIMIT * self.threads && state.slots.len() <= MOST_AHEAD
    }

    /// Asks for another task, since the calling one is about to wait.
    pub(super) fn ask(&self) {
        let mut state = self.lock();
        state.open += 1;
        state.asked += 1;
        self.wake(state);
    }

    fn is_due(&self, state: &ReorderState<B>) -> bool {
        state.asked > 0 || (state.parked > 0 && self.has_room(state))
    }

    /// How many tasks are to be spawned now, by the taker.
    pub(super) fn due(&self) -> usize {
        let mut state = self.lock();
        let parked = if self.has_room(&state) { mem::take(&mut state.parked) } else { 0 };
        mem::take(&mut state.asked) + parked
    }

    /// Hands over a part of the results of input `number`, and leaves the batch empty.
    pub(super) fn put(&self, number: u64, batch: &mut B, urgency: Urgency) {
        let state = self.put_locked(self.lock(), number, batch, urgency);
        self.wake(state);
    }

    /// Hands over the last results of inputs, in the order of their numbers. Those of which something was
    /// handed over before come alone.
    pub(super) fn finish<'b>(&self, batches: impl IntoIterator<Item = (u64, &'b mut B)>)
    where
        B: 'b,
    {
        let mut state = self.lock();
        for (number, batch) in batches {
            state = self.put_locked(state, number, batch, Urgency::Relaxed);
            state.slot(number).finished = true;
            state.end_turns();
        }
        if state.waiting > 0 {
            self.moved.notify_all();
        }
        self.wake(state);
    }

    fn put_locked<'s>(
        &'s self,
        mut state: MutexGuard<'s, ReorderState<B>>,
        number: u64,
        batch: &mut B,
        urgency: Urgency,
    ) -> MutexGuard<'s, ReorderState<B>> {
        loop {
            if self.is_stopped() {
                *batch = B::default();
                return state;
            }
            let held = match number == state.turn {
                true => state.ready.size(),
                false => state.slot(number).batch.size(),
            };
            if held <= LIMIT {
                break;
            }
            state = self.wait_for_room(state);
        }
        if number == state.turn {
            state.ready.append(batch);
        } else {
            let size = batch.size();
            state.slot(number).batch.append(batch);
            state.ahead += size;
        }
        // Whoever is ahead cannot be shown anyway.
        state.urgent |= urgency == Urgency::Urgent && number == state.turn;
        state
    }

    fn wake(&self, mut state: MutexGuard<'_, ReorderState<B>>) {
        let size = state.ready.size();
        let enough = state.urgent || size >= ENOUGH;
        let is_due = self.is_due(&state);
        let wanted = match state.taker {
            Taker::Busy => false,
            Taker::WantsAny => size > 0 || is_due,
            Taker::WantsEnough => enough || is_due,
        };
        if wanted {
            state.taker = Taker::Busy;
            drop(state);
            self.filled.notify_one();
        }
    }

    /// A task has put its last.
    fn close(&self) {
        let mut state = self.lock();
        state.open -= 1;
        // Of a run that is over nothing is to be taken, though some are parked.
        if state.open == 0 || self.is_stopped() {
            drop(state);
            self.filled.notify_one();
        }
    }

    /// Waits for what is ready next, or until tasks are [due](Self::due), and swaps it with `batch`, which is empty;
    /// false at the end.
    pub(super) fn take(&self, batch: &mut B) -> bool {
        let mut state = self.lock();
        let is_over = |state: &ReorderState<B>| state.open == 0 || self.is_due(state);
        while state.ready.size() == 0 && !is_over(&state) && !self.is_stopped() {
            state.taker = Taker::WantsAny;
            state = self.filled.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        let may_grow = |state: &mut ReorderState<B>| {
            !state.urgent && !is_over(state) && !self.is_stopped() && state.ready.size() < ENOUGH
        };
        if may_grow(&mut state) {
            state.taker = Taker::WantsEnough;
            (state, _) = self
                .filled
                .wait_timeout_while(state, PATIENCE, may_grow)
                .unwrap_or_else(PoisonError::into_inner);
        }
        state.taker = Taker::Busy;
        state.urgent = false;
        mem::swap(&mut state.ready, batch);
        if state.waiting > 0 {
            self.moved.notify_all();
        }
        !self.is_stopped() && (batch.size() > 0 || state.open > 0)
    }
}

impl<B: Batch> ReorderState<B> {
    /// The slot of an input that has not ended yet, which makes its number at least the turn.
    fn slot(&mut self, number: u64) -> &mut Slot<B> {
        let index = number.saturating_sub(self.turn) as usize;
        while self.slots.len() <= index {
            self.slots.push_back(Slot { batch: B::default(), finished: false });
        }
        &mut self.slots[index]
    }

    /// The turn goes on past inputs that have ended.
    fn end_turns(&mut self) {
        while self.slots.front().is_some_and(|slot| slot.finished) {
            self.slots.pop_front();
            self.turn += 1;
            if let Some(next) = self.slots.front_mut() {
                let size = next.batch.size();
                if size > 0 {
                    self.ahead -= size;
                    self.ready.append(&mut next.batch);
                    // Its turn may be long: what it has gathered is given back.
                    next.batch = B::default();
                }
            }
        }
    }
}

/// Guard that ends the run if a task panics.
#[derive(Debug)]
pub(super) struct StopGuard<'o, B: Batch>(pub(super) &'o Reorder<B>);

impl<B: Batch> Drop for StopGuard<'_, B> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}

/// Guard of each task that puts batches. Releases the others when it ends, including on panic. A parked task has not
/// ended.
#[derive(Debug)]
pub(super) struct PutGuard<'o, B: Batch>(pub(super) &'o Reorder<B>);

impl<B: Batch> PutGuard<'_, B> {
    pub(super) fn park(self) {
        mem::forget(self);
    }
}

impl<B: Batch> Drop for PutGuard<'_, B> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
        self.0.close();
    }
}

/// Guard of the taker. If it ends early, including on panic, other threads stop waiting for it.
#[derive(Debug)]
pub(super) struct TakeGuard<'o, B: Batch>(pub(super) &'o Reorder<B>);

impl<B: Batch> Drop for TakeGuard<'_, B> {
    fn drop(&mut self) {
        self.0.stop();
    }
}
