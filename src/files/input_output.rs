//! The results of an input, in order, on their way to the sink.
//!
//! What others go through comes in its turn; what is found meanwhile waits after the unit that it came
//! after.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::path::PathBuf;
use std::sync::Arc;

use super::counts::Tally;
use super::item::Pace;
use super::reorder::{ENOUGH, Urgency};
use super::sink::BatchSink;
use super::units::{Job, SharedJobs, UnitOutcome};
use super::visit::Visit;
use super::{Batch, Options, Progress};
use crate::container::{self, Budget, WorkUnit};
use crate::document::Hints;
use crate::event::Event;
use crate::finder::Finder;
use crate::stream::Buffer;

/// A file that gave this much is big: what it gave so far is handed over before each further read.
const BIG: u64 = 512 << 10;
/// Size below which a unit is not worth sharing.
const SMALL: u64 = 128 << 10;
/// Most bytes of results after a unit before its turn must have come.
const MOST_AFTER: usize = 4 << 20;

/// Access to the units shared with other threads.
pub(super) struct UnitSharing<'s, B> {
    pub(super) shared: &'s SharedJobs<B>,
    /// Spawns a task that processes units.
    pub(super) help: &'s dyn Fn(),
    /// Most such tasks.
    pub(super) helpers: usize,
    /// Most units of an input in progress.
    pub(super) most: usize,
}

/// Processes a unit on the thread that would share it.
pub(super) struct UnitScanner<'w, R> {
    pub(super) options: &'w Options,
    pub(super) render: &'w R,
    pub(super) binary: &'w Finder,
}

/// A unit in progress, the tally of the input before it, and the results after it.
struct PendingUnit<B: Batch> {
    job: Arc<Job<B>>,
    before: Tally,
    after: B,
}

/// Units of an input in progress.
struct PendingUnits<'s, B: Batch> {
    sharing: &'s UnitSharing<'s, B>,
    path: Arc<PathBuf>,
    hints: Arc<Hints>,
    queue: VecDeque<PendingUnit<B>>,
    budget: Option<Arc<Budget>>,
    tally: Tally,
}

impl<B: Batch> Drop for PendingUnits<'_, B> {
    fn drop(&mut self) {
        for PendingUnit { job, .. } in &self.queue {
            self.sharing.shared.take_back(job);
            job.give_up();
        }
    }
}

/// The end of a worker that events are put in at: the scan and the reader share it.
pub(super) struct InputOutput<'l, B: Batch, O> {
    batch: &'l mut B,
    sink: &'l mut O,
    pending: Option<PendingUnits<'l, B>>,
}

impl<'l, B: Batch, O: BatchSink<B>> InputOutput<'l, B, O> {
    pub(super) fn new(batch: &'l mut B, sink: &'l mut O) -> InputOutput<'l, B, O> {
        InputOutput { batch, sink, pending: None }
    }

    /// Gives units to others.
    pub(super) fn share(&mut self, sharing: &'l UnitSharing<'l, B>, path: PathBuf, hints: Hints) {
        self.pending = Some(PendingUnits {
            sharing,
            path: Arc::new(path),
            hints: Arc::new(hints),
            queue: VecDeque::new(),
            budget: None,
            tally: Tally::default(),
        });
    }

    /// An event in its place.
    pub(super) fn emit<R>(&mut self, event: Event<'_>, own: &UnitScanner<'_, R>) -> ControlFlow<()>
    where
        R: Fn(Event<'_>, &mut B),
    {
        let last = self.pending.as_mut().and_then(|pending| pending.queue.back_mut());
        let Some(PendingUnit { after, .. }) = last else { return self.emit_now(event, own.render) };
        (own.render)(event, after);
        let has_enough = after.has_enough();
        if after.size() > MOST_AFTER {
            self.settle(0, own);
        }
        match has_enough {
            true => ControlFlow::Break(()),
            false => self.flow(),
        }
    }

    fn emit_now<R: Fn(Event<'_>, &mut B)>(
        &mut self,
        event: Event<'_>,
        render: &R,
    ) -> ControlFlow<()> {
        render(event, self.batch);
        self.put_enough();
        self.flow()
    }

    fn flow(&self) -> ControlFlow<()> {
        match self.is_stopped() || self.batch.has_enough() {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        }
    }

    /// Returns whether the run is over.
    pub(super) fn is_stopped(&self) -> bool {
        self.sink.is_stopped()
    }

    fn put_enough(&mut self) {
        if self.batch.size() >= ENOUGH {
            self.sink.put(self.batch, Urgency::Relaxed);
        }
    }

    /// A unit: to others, or gone through at once if it is alone and small.
    pub(super) fn unit<R>(
        &mut self,
        unit: WorkUnit,
        budget: &Arc<Budget>,
        before: Tally,
        own: &UnitScanner<'_, R>,
    ) where
        R: Fn(Event<'_>, &mut B),
    {
        let Some(pending) = &mut self.pending else { return };
        pending.budget = Some(Arc::clone(budget));
        if pending.queue.is_empty() && unit.size < SMALL {
            self.run(&unit, own);
            return self.reached(&unit, before, own);
        }
        let most = pending.sharing.most;
        self.settle(most - 1, own);
        let Some(pending) = &mut self.pending else { return };
        let (path, hints) = (Arc::clone(&pending.path), Arc::clone(&pending.hints));
        let job = Arc::new(Job::new(unit, budget, path, hints));
        let UnitSharing { shared, help, helpers, .. } = pending.sharing;
        if shared.give(Arc::clone(&job), *helpers) {
            help();
        }
        pending.queue.push_back(PendingUnit { job, before, after: B::default() });
    }

    /// Takes the turns of units until no more than so many are on their way, and of those that are done.
    fn settle<R>(&mut self, most: usize, own: &UnitScanner<'_, R>)
    where
        R: Fn(Event<'_>, &mut B),
    {
        while let Some(pending) = &mut self.pending {
            let is_due = pending.queue.len() > most;
            let is_next = |waiting: &PendingUnit<B>| is_due || waiting.job.is_done();
            if !pending.queue.front().is_some_and(is_next) {
                return;
            }
            let Some(waiting) = pending.queue.pop_front() else { return };
            let PendingUnit { job, before, mut after } = waiting;
            let Some(budget) = pending.budget.clone() else { return };
            if self.sink.is_stopped() {
                pending.sharing.shared.take_back(&job);
                job.give_up();
                pending.tally.stopped = true;
                continue;
            }
            let turn = match pending.sharing.shared.take_back(&job) {
                true => UnitOutcome::Void,
                false => job.take_turn(&budget, |batch| {
                    self.batch.append(batch);
                    if self.batch.size() >= ENOUGH {
                        self.sink.put(self.batch, Urgency::Relaxed);
                    }
                }),
            };
            match turn {
                UnitOutcome::Void => self.run(&job.unit, own),
                UnitOutcome::Done(tally) => self.add(tally),
            }
            self.reached(&job.unit, before, own);
            self.batch.append(&mut after);
            self.put_enough();
        }
    }

    /// Tells that the input can be gone on with after a unit, if it can.
    fn reached<R>(&mut self, unit: &WorkUnit, before: Tally, own: &UnitScanner<'_, R>)
    where
        R: Fn(Event<'_>, &mut B),
    {
        let Some(PendingUnits { path, budget: Some(budget), tally, .. }) = &self.pending else {
            return;
        };
        let mut tally = Tally { stopped: self.is_stopped(), ..*tally };
        tally.add(before);
        if let Some(point) = tally.resume_point(unit, budget.left()) {
            (own.render)(Event::Reached { path, point }, self.batch);
        }
    }

    fn add(&mut self, tally: Tally) {
        if let Some(pending) = &mut self.pending {
            pending.tally.add(tally);
        }
    }

    /// Processes a unit on this thread.
    fn run<R>(&mut self, unit: &WorkUnit, own: &UnitScanner<'_, R>)
    where
        R: Fn(Event<'_>, &mut B),
    {
        let Some(pending) = &self.pending else { return };
        let (path, hints) = (Arc::clone(&pending.path), Arc::clone(&pending.hints));
        let Some(budget) = pending.budget.clone() else { return };
        let mut buffer = Buffer::new();
        let mut walk = container::ContainerWalk::new(&own.options.limits, true);
        walk.budget = budget;
        let emit = |event: Event<'_>| self.emit_now(event, own.render);
        let mut visit = Visit::new(own.options, &hints, own.binary, &path, &mut buffer, emit);
        unit.run(&mut walk, &mut visit);
        let tally = visit.into_tally();
        self.add(tally);
    }

    /// Takes the turns of all units; what came of them.
    pub(super) fn finish<R>(&mut self, own: &UnitScanner<'_, R>) -> Tally
    where
        R: Fn(Event<'_>, &mut B),
    {
        self.settle(0, own);
        self.pending.as_ref().map(|pending| pending.tally).unwrap_or_default()
    }
}

/// Reader that passes on the results so far before it reads on.
pub(super) struct PacedReader<'l, 'b, T, B: Batch, O> {
    pub(super) reader: T,
    pub(super) pace: Pace,
    pub(super) read: &'l Cell<u64>,
    pub(super) output: &'l RefCell<InputOutput<'b, B, O>>,
    pub(super) progress: Option<&'l Progress>,
}

impl<T: Read, B: Batch, O: BatchSink<B>> Read for PacedReader<'_, '_, T, B, O> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.pace == Pace::Live || self.read.get() >= BIG {
            let InputOutput { batch, sink, .. } = &mut *self.output.borrow_mut();
            sink.pause();
            if batch.size() > 0 {
                let urgency = match self.pace {
                    Pace::Live => Urgency::Urgent,
                    Pace::Steady => Urgency::Relaxed,
                };
                sink.put(batch, urgency);
            }
            if sink.is_stopped() {
                // The end of a stopped run's input: nobody sees what comes of it.
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
