//! The end of the queue at which a task adds its results.
//!
//! Results of several finished inputs are added at once. Nothing here waits for long, so a task hands them over before
//! each step that may.

use std::mem;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::time::Instant;

use super::Batch;
use super::counts::Tally;
use super::parts::{Job, PartPosition};
use super::queue::{ENOUGH, OrderedQueue, PATIENCE, QueueState};
use crate::input::memory;

/// Most inputs whose results are handed over at once. Most files are small and have a link or two, and threads that lock
/// the queue for each of them wait for each other.
const MOST_DONE: usize = 32;

/// Output of a task.
pub(super) struct TaskOutput<'q, B: Batch> {
    pub(super) queue: &'q OrderedQueue<B>,
    /// Position of the next results.
    at: PartPosition,
    /// Whether the task runs on the caller's thread.
    caller: Option<CallerEnd<'q, B>>,
    /// Results of finished inputs. Their memory is reused.
    finished: Vec<(PartPosition, B)>,
    /// Number of those that wait.
    len: usize,
    size: usize,
    /// End of the first of them.
    since: Option<Instant>,
    /// Whether results of an input that had not ended went to the queue.
    has_passed: bool,
}

/// Work of a task on the caller's thread for the caller.
pub(super) struct CallerEnd<'q, B> {
    pub(super) write: &'q mut dyn FnMut(&mut B) -> ControlFlow<()>,
    /// Spawns the tasks that are due.
    pub(super) spawn: &'q dyn Fn(),
    /// Time of the last write.
    pub(super) last: Instant,
}

impl<'q, B: Batch> TaskOutput<'q, B> {
    pub(super) fn new(
        queue: &'q OrderedQueue<B>,
        caller: Option<CallerEnd<'q, B>>,
    ) -> TaskOutput<'q, B> {
        TaskOutput {
            queue,
            at: PartPosition::default(),
            caller,
            finished: Vec::new(),
            len: 0,
            size: 0,
            since: None,
            has_passed: false,
        }
    }

    pub(super) fn is_alone(&self) -> bool {
        self.caller.is_some()
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.queue.is_stopped()
    }

    /// Begins an input.
    pub(super) fn begin(&mut self, number: u64) {
        self.at = PartPosition::of_input(number);
        // The caller takes the results of all tasks, so its own must not wait for theirs.
        let turn = (!self.is_alone()).then(|| self.at.for_memory(false));
        memory::enter(self.queue.memory(), turn);
    }

    /// Adds results of an input that has not ended.
    pub(super) fn put(&mut self, batch: &mut B, is_urgent: bool) {
        self.hand_over();
        self.queue.put(self.at, batch, is_urgent);
        self.has_passed = true;
        self.write(is_urgent);
    }

    /// Keeps the last results of an input.
    pub(super) fn finish(&mut self, batch: &mut B) {
        if self.len == self.finished.len() {
            self.finished.push((self.at, B::default()));
        }
        if let Some((at, kept)) = self.finished.get_mut(self.len) {
            *at = self.at;
            self.size += batch.size();
            kept.append(batch);
            self.len += 1;
        }
    }

    /// Returns whether another input may end before the results are handed over. After an input that had many results the
    /// queue decides whether there is room for another one.
    pub(super) fn may_wait(&mut self) -> bool {
        if mem::take(&mut self.has_passed) {
            return false;
        }
        let since = *self.since.get_or_insert_with(Instant::now);
        self.len < MOST_DONE && self.size < ENOUGH && since.elapsed() < PATIENCE
    }

    /// Hands over the results of finished inputs.
    pub(super) fn hand_over(&mut self) {
        if self.len > 0 {
            let finished = self.finished.iter_mut().take(self.len);
            self.queue.end(true, finished.map(|(at, batch)| (*at, batch)));
            (self.len, self.size, self.since) = (0, 0, None);
            self.write(false);
        }
    }

    /// Hands over the results of finished inputs before something that may wait without end: the next name of a list, a pipe. On
    /// the caller's thread all results so far are written.
    pub(super) fn hand_over_before_wait(&mut self) {
        self.hand_over();
        self.write(true);
    }

    /// On the caller's thread: writes the results so far, if there are enough or some time has passed.
    pub(super) fn write(&mut self, is_urgent: bool) {
        let Some(caller) = &mut self.caller else { return };
        let is_due = is_urgent || caller.last.elapsed() >= PATIENCE;
        let mut batch = B::default();
        self.queue.take_ready(if is_due { 1 } else { ENOUGH }, &mut batch);
        if batch.size() > 0 {
            if !self.queue.is_stopped() && (caller.write)(&mut batch).is_break() {
                self.queue.stop();
            }
            caller.last = Instant::now();
        }
    }

    /// Ends the part of the input that its holder is at, makes a unit the next one, and continues after it.
    pub(super) fn share(
        &mut self,
        batch: &mut B,
        job: impl FnOnce(PartPosition) -> Job,
    ) -> Arc<Job> {
        self.hand_over();
        let at = self.at.after(false);
        let job = Arc::new(job(at));
        self.queue.share(self.at, batch, &job);
        self.at = at.after(false);
        self.has_passed = true;
        if let Some(caller) = &self.caller {
            (caller.spawn)();
        }
        job
    }

    /// Enters a unit in its turn; returns the position to pass to [`leave`](Self::leave).
    pub(super) fn enter(&mut self, job: &Job) -> PartPosition {
        mem::replace(&mut self.at, job.at)
    }

    /// Ends a unit with its last results, and continues at `at`.
    pub(super) fn leave(&mut self, batch: &mut B, at: PartPosition) {
        self.queue.end(false, [(self.at, batch)]);
        self.at = at;
        self.write(false);
    }

    /// Waits for a unit in its turn. Returns `None` if its holder has to process it.
    pub(super) fn outcome(&mut self, job: &Job) -> Option<Tally> {
        if job.is_given_up() || self.queue.take_back(job) {
            return None;
        }
        let progress = self.wait_for(|state| state.parts.progress(job.at))?;
        if !job.holds(progress.is_some()) {
            self.queue.give_up(job);
            return None;
        }
        self.queue.release(job);
        let tally = self.wait_for(|state| state.parts.progress(job.at).flatten())?;
        job.finish();
        Some(tally)
    }

    /// Waits for other tasks. On the caller's thread it writes their results meanwhile.
    fn wait_for<T>(&mut self, found: impl Fn(&QueueState<B>) -> Option<T>) -> Option<T> {
        let is_caller = self.is_alone();
        loop {
            let step = self.queue.wait_for(is_caller, |state| match found(state) {
                Some(found) => Some(Some(found)),
                None => (is_caller && state.parts.ready.size() > 0).then_some(None),
            })?;
            match step {
                Some(found) => {
                    // The caller must not wait for room, which it makes itself.
                    self.write(false);
                    return Some(found);
                }
                None => self.write(true),
            }
        }
    }
}
