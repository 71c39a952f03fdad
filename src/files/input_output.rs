//! The results of an input, in order.
//!
//! The holder of an input shares its units with other tasks, and settles them in their order: it accepts their results,
//! or processes them again itself. It continues reading meanwhile, and its own results wait behind the units.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io::{self, Read};
use std::mem;
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::Arc;

use super::counts::Tally;
use super::parts::{Job, SharedInput};
use super::queue::{ENOUGH, LIMIT, OrderedQueue};
use super::task_output::TaskOutput;
use super::visit::Visit;
use super::{Batch, Options, Progress};
use crate::container::{Budget, ContainerWalk, FormatOverride, WorkUnit};
use crate::detect::document::Hints;
use crate::driver::stream::Buffer;
use crate::event::Event;

/// Number of bytes after which a file is big: its results so far are handed over before each further read.
const BIG: u64 = 512 << 10;
/// Size in bytes below which a unit is not worth sharing.
const SMALL: u64 = 128 << 10;

/// Scans an input, or a unit of it.
pub(super) struct InputScanner<'w, R> {
    pub(super) options: &'w Options,
    pub(super) render: &'w R,
    pub(super) path: &'w Path,
    pub(super) hints: &'w Hints,
}

impl<R> InputScanner<'_, R> {
    /// Processes a unit ahead of its turn, and passes its results to `put` in batches; returns the last one and the
    /// counts.
    pub(super) fn run_ahead<B>(
        &self,
        job: &Job,
        queue: &OrderedQueue<B>,
        walk: &mut ContainerWalk<'_>,
        buffer: &mut Buffer,
        mut put: impl FnMut(&mut B),
    ) -> (B, Tally)
    where
        B: Batch,
        R: Fn(Event<'_>, &mut B),
    {
        let InputScanner { options, render, path, hints } = *self;
        let mut batch = B::default();
        let emit = |event: Event<'_>| {
            render(event, &mut batch);
            let has_enough = batch.has_enough();
            if batch.size() >= ENOUGH {
                put(&mut batch);
            }
            // Ahead of its turn a unit ends where it ends in its turn, or failures would depend on which task processes it.
            match has_enough || job.is_given_up() || queue.is_stopped() {
                true => ControlFlow::Break(()),
                false => ControlFlow::Continue(()),
            }
        };
        let mut visit = Visit::new(options, hints, path, buffer, emit);
        walk.asked = FormatOverride::of(hints);
        job.run(walk, &mut visit);
        let tally = visit.into_tally();
        (batch, tally)
    }
}

/// A unit in progress, and the counts of the input before it.
struct PendingUnit {
    job: Arc<Job>,
    before: Tally,
}

/// Output of an input. The scan and the reader share it.
pub(super) struct InputOutput<'l, 'q, B: Batch, R> {
    scanner: InputScanner<'l, R>,
    batch: &'l mut B,
    task: &'l mut TaskOutput<'q, B>,
    pending: VecDeque<PendingUnit>,
    /// Path and hints for other tasks, once there is a unit for them.
    shared: Option<Arc<SharedInput>>,
    /// Counts of the units that are settled.
    tally: Tally,
}

impl<'l, 'q, B: Batch, R: Fn(Event<'_>, &mut B)> InputOutput<'l, 'q, B, R> {
    pub(super) fn new(
        scanner: InputScanner<'l, R>,
        batch: &'l mut B,
        task: &'l mut TaskOutput<'q, B>,
    ) -> Self {
        let (pending, tally) = (VecDeque::new(), Tally::default());
        InputOutput { scanner, batch, task, pending, shared: None, tally }
    }

    /// Adds an event.
    pub(super) fn emit(&mut self, event: Event<'_>) -> ControlFlow<()> {
        (self.scanner.render)(event, self.batch);
        let has_enough = self.batch.has_enough();
        if self.batch.size() >= ENOUGH {
            self.pass_on(false);
        }
        match has_enough || self.task.is_stopped() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    /// Passes on the results so far. Behind units they wait, unless they are many.
    fn pass_on(&mut self, is_urgent: bool) {
        if !self.pending.is_empty() {
            if self.batch.size() <= LIMIT {
                return;
            }
            self.settle(0);
        }
        self.task.put(self.batch, is_urgent);
    }

    /// Passes on the results so far before a read that may take long.
    fn pass_on_before_read(&mut self, is_live: bool) {
        if self.batch.size() > 0 {
            self.pass_on(is_live);
        }
        match is_live {
            true => self.task.hand_over_before_wait(),
            false => self.task.hand_over(),
        }
    }

    /// Shares a unit, or processes it at once if it is small and no other is in progress.
    pub(super) fn unit(&mut self, unit: WorkUnit, budget: &Arc<Budget>, before: Tally) {
        let InputScanner { path, hints, .. } = self.scanner;
        let share = || {
            let (path, hints, budget) = (path.to_owned(), hints.clone(), Arc::clone(budget));
            Arc::new(SharedInput { path, hints, budget })
        };
        let input = Arc::clone(self.shared.get_or_insert_with(share));
        if self.pending.is_empty() && unit.size < SMALL {
            self.run(&unit, &input);
            return self.reached(&unit, &input, before);
        }
        self.settle(2 * self.task.queue.threads() - 1);
        let job = self.task.share(self.batch, |at| Job::new(unit, input, at));
        self.pending.push_back(PendingUnit { job, before });
    }

    /// Settles units until at most this many are in progress, and those that are done.
    fn settle(&mut self, most: usize) {
        while let Some(PendingUnit { job, before }) = self.pending.pop_front() {
            if self.pending.len() < most && !self.task.queue.is_done(&job) {
                return self.pending.push_front(PendingUnit { job, before });
            }
            // While another task processes it, the units behind it are not left to that task alone.
            let queue = self.task.queue;
            while queue.is_in_progress(&job) && !queue.is_stopped() && self.help() {}
            // Its results come before those so far, and none of the other units is settled meanwhile.
            let (pending, batch) = (mem::take(&mut self.pending), mem::take(self.batch));
            let at = self.task.enter(&job);
            match self.task.outcome(&job) {
                Some(tally) => self.tally.add(tally),
                None if self.task.is_stopped() => self.tally.stopped = true,
                None => self.run(&job.unit, &job.input),
            }
            self.reached(&job.unit, &job.input, before);
            self.task.leave(self.batch, at);
            (self.pending, *self.batch) = (pending, batch);
        }
    }

    /// Processes the next unit that no task has begun ahead of its turn; returns `false` if there is none.
    ///
    /// This task must not wait for room, which it makes itself: a unit of too many results is given up, and is processed
    /// again in its turn.
    fn help(&mut self) -> bool {
        let queue = self.task.queue;
        let mut jobs = self.pending.iter().map(|pending| &pending.job);
        let Some(job) = jobs.find(|job| queue.begin(job)) else { return false };
        let mut buffer = Buffer::new();
        let mut walk = ContainerWalk::new(&self.scanner.options.limits, true);
        let put = |batch: &mut B| queue.put_or_give_up(job, batch);
        let (mut batch, tally) = self.scanner.run_ahead(job, queue, &mut walk, &mut buffer, put);
        if !job.is_given_up() {
            queue.finish_ahead(job, &mut batch, tally);
        }
        true
    }

    /// Reports that the input can be resumed after a unit, if it can.
    fn reached(&mut self, unit: &WorkUnit, input: &SharedInput, before: Tally) {
        let mut tally = Tally { stopped: self.task.is_stopped(), ..self.tally };
        tally.add(before);
        if let Some(point) = tally.resume_point(unit, input.budget.left()) {
            (self.scanner.render)(Event::Checkpoint { path: &input.path, point }, self.batch);
        }
    }

    /// Processes a unit in its turn.
    fn run(&mut self, unit: &WorkUnit, input: &SharedInput) {
        let InputScanner { options, path, hints, .. } = self.scanner;
        let mut buffer = Buffer::new();
        let mut walk = ContainerWalk::new(&options.limits, true);
        walk.asked = FormatOverride::of(hints);
        walk.budget = Arc::clone(&input.budget);
        let emit = |event: Event<'_>| self.emit(event);
        let mut visit = Visit::new(options, hints, path, &mut buffer, emit);
        unit.run(&mut walk, &mut visit);
        let tally = visit.into_tally();
        self.tally.add(tally);
    }

    /// Settles all units; returns their counts.
    pub(super) fn finish(&mut self) -> Tally {
        self.settle(0);
        self.tally
    }

    /// Returns `true` if the run is over.
    pub(super) fn is_stopped(&self) -> bool {
        self.task.is_stopped()
    }
}

/// Reader that passes on the results so far before it reads on.
pub(super) struct PacedReader<'l, 'b, 'q, T, B: Batch, R> {
    pub(super) reader: T,
    /// Returns `true` if reading it may block.
    pub(super) is_live: bool,
    pub(super) read: &'l Cell<u64>,
    pub(super) output: &'l RefCell<InputOutput<'b, 'q, B, R>>,
    pub(super) progress: Option<&'l Progress>,
}

impl<T: Read, B: Batch, R: Fn(Event<'_>, &mut B)> Read for PacedReader<'_, '_, '_, T, B, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.is_live || self.read.get() >= BIG {
            let mut output = self.output.borrow_mut();
            output.pass_on_before_read(self.is_live);
            if output.is_stopped() {
                // The end of a stopped run's input, whose results are dropped.
                return Ok(0);
            }
        }
        let read = self.reader.read(buffer)?;
        self.read.set(self.read.get() + read as u64);
        if let Some(progress) = self.progress {
            progress.add_bytes(read as u64);
        }
        Ok(read)
    }
}
