//! Sinks: where a worker's batches go, the queue of many threads or the one who writes.

use std::ops::ControlFlow;
use std::time::Instant;

use super::Batch;
use super::finished::FinishedBatches;
use super::reorder::{ENOUGH, PATIENCE, Urgency};
use crate::guard::{Cancel, is_cancelled};

/// Where a worker's batches go.
pub(super) trait BatchSink<B> {
    fn put(&mut self, batch: &mut B, urgency: Urgency);

    /// Prepares for a step that may take long.
    fn pause(&mut self);

    fn is_stopped(&self) -> bool;
}

/// To the queue, as results of one input.
pub(super) struct OrderedSlot<'d, 'o, B: Batch> {
    pub(super) finished: &'d mut FinishedBatches<'o, B>,
    pub(super) number: u64,
}

impl<B: Batch> BatchSink<B> for OrderedSlot<'_, '_, B> {
    fn put(&mut self, batch: &mut B, urgency: Urgency) {
        self.finished.put(self.number, batch, urgency);
    }

    fn pause(&mut self) {
        self.finished.hand_over();
    }

    fn is_stopped(&self) -> bool {
        self.finished.is_stopped()
    }
}

/// To the one who writes, without a queue.
pub(super) struct DirectSink<W> {
    pub(super) write: W,
    pub(super) last: Instant,
    pub(super) stopped: bool,
    pub(super) cancel: Option<Cancel>,
}

impl<W> DirectSink<W> {
    /// Whether nobody wants anything any more.
    pub(super) fn has_ended(&self) -> bool {
        self.stopped || is_cancelled(self.cancel.as_ref())
    }

    /// Between inputs: small batches grow until there is enough in them or some time has passed.
    pub(super) fn offer<B: Batch>(&mut self, batch: &mut B)
    where
        W: FnMut(&mut B) -> ControlFlow<()>,
    {
        if batch.size() >= ENOUGH || (batch.size() > 0 && self.last.elapsed() >= PATIENCE) {
            self.put(batch, Urgency::Relaxed);
        }
    }
}

impl<B: Batch, W: FnMut(&mut B) -> ControlFlow<()>> BatchSink<B> for DirectSink<W> {
    fn put(&mut self, batch: &mut B, _: Urgency) {
        if batch.size() > 0 && !self.has_ended() {
            self.stopped |= (self.write)(batch).is_break();
            self.last = Instant::now();
        }
        if batch.size() > 0 {
            *batch = B::default();
        }
    }

    fn pause(&mut self) {}

    fn is_stopped(&self) -> bool {
        self.has_ended()
    }
}
