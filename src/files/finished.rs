//! Gathers the results of finished files, and passes on those of several at once.
//!
//! Nothing here waits for long: who holds it hands it over before whatever may.

use std::mem;
use std::time::Instant;

use super::Batch;
use super::reorder::{ENOUGH, PATIENCE, Reorder, Urgency};

/// So many files are handed over at once: most are small and give a line or two, and threads that ask for
/// one lock for each of them wait for each other.
const MOST_DONE: usize = 32;

/// Results of finished files that wait to be passed on. Their memory is reused.
pub(super) struct FinishedBatches<'o, B: Batch> {
    order: &'o Reorder<B>,
    batches: Vec<(u64, B)>,
    /// How many of them there are.
    len: usize,
    size: usize,
    /// When the first of them was done with.
    since: Option<Instant>,
    /// Whether results of an input that had not ended went to the order.
    has_passed: bool,
}

impl<'o, B: Batch> FinishedBatches<'o, B> {
    pub(super) fn new(order: &'o Reorder<B>) -> FinishedBatches<'o, B> {
        FinishedBatches {
            order,
            batches: Vec::new(),
            len: 0,
            size: 0,
            since: None,
            has_passed: false,
        }
    }

    /// Hands over what is done, and then results of an input that has not ended.
    pub(super) fn put(&mut self, number: u64, batch: &mut B, urgency: Urgency) {
        self.hand_over();
        self.order.put(number, batch, urgency);
        self.has_passed = true;
    }

    pub(super) fn is_stopped(&self) -> bool {
        self.order.is_stopped()
    }

    pub(super) fn add(&mut self, number: u64, batch: &mut B) {
        if self.len == self.batches.len() {
            self.batches.push((number, B::default()));
        }
        if let Some(slot) = self.batches.get_mut(self.len) {
            slot.0 = number;
            self.size += batch.size();
            slot.1.append(batch);
            self.len += 1;
        }
    }

    /// Whether more may come before they are handed over. After an input that gave much it must be asked whether there is
    /// room for another one.
    pub(super) fn may_wait(&mut self) -> bool {
        if mem::take(&mut self.has_passed) {
            return false;
        }
        let since = *self.since.get_or_insert_with(Instant::now);
        self.len < MOST_DONE && self.size < ENOUGH && since.elapsed() < PATIENCE
    }

    pub(super) fn hand_over(&mut self) {
        if self.len > 0 {
            let batches = self.batches.iter_mut().take(self.len);
            self.order.finish(batches.map(|(number, batch)| (*number, batch)));
            (self.len, self.size, self.since) = (0, 0, None);
        }
    }
}
