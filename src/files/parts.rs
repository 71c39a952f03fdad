//! The results of a run as a sequence of parts, in the order of the inputs.
//!
//! An input is one part, unless its holder (the task that reads it) shares a unit of it: then the part ends, the unit
//! is the next one, and the holder continues in the part after it. The part whose *turn* it is goes straight to the batch
//! for the caller; the parts after it gather their results.
//!
//! A unit is processed ahead of its turn in its input, and its result may be void: it started elsewhere than the unit
//! before it ended, or spent more than the input's budget. Its part is held back until its holder releases it, or gives it
//! up and processes the unit again.

use std::collections::BTreeMap;
use std::mem;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::SeqCst;

use super::Batch;
use super::counts::Tally;
use crate::container::{Budget, ContainerWalk, UnitBounds, Visitor, WorkUnit};
use crate::detect::document::Hints;
use crate::input::memory::{MemoryBudget, MemoryTurn};

/// Position of a part in the order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct PartPosition {
    input: u64,
    /// Number of the part in its input.
    part: u64,
}

impl PartPosition {
    pub(super) fn of_input(input: u64) -> PartPosition {
        PartPosition { input, part: 0 }
    }

    /// Returns the position of a task here, by which it waits for memory: of the input's holder, or of a unit.
    pub(super) fn for_memory(self, is_unit: bool) -> MemoryTurn {
        MemoryTurn { input: self.input, part: is_unit.then_some(self.part) }
    }

    /// Returns the position after a part, which may be the last one of its input.
    pub(super) fn after(self, is_last: bool) -> PartPosition {
        match is_last {
            true => PartPosition::of_input(self.input + 1),
            false => PartPosition { part: self.part + 1, ..self },
        }
    }
}

/// The parts from the turn on, of which those without results need not be here.
#[derive(Default)]
pub(super) struct OrderedParts<B> {
    turn: PartPosition,
    /// Results before the turn and in it, for the caller.
    pub(super) ready: B,
    parts: BTreeMap<PartPosition, OrderedPart<B>>,
    /// Total size of all parts.
    ahead: usize,
    /// Memory whose waiting tasks look at the turn.
    memory: Option<Arc<MemoryBudget>>,
}

#[derive(Default)]
struct OrderedPart<B> {
    batch: B,
    /// Size that this part added to that of all parts: an empty batch may have a size too.
    counted: usize,
    is_held: bool,
    /// Counts of a unit that is done.
    tally: Option<Tally>,
    /// Whether it is the last one of its input, when it has ended.
    end: Option<bool>,
}

impl<B: Batch> OrderedParts<B> {
    /// Creates the parts of a run, whose turn `memory` follows.
    pub(super) fn new(memory: &Arc<MemoryBudget>) -> OrderedParts<B> {
        OrderedParts { memory: Some(Arc::clone(memory)), ..OrderedParts::default() }
    }

    /// Number of parts, and the size of their results together.
    pub(super) fn ahead(&self) -> (usize, usize) {
        (self.parts.len(), self.ahead)
    }

    fn part(&mut self, at: PartPosition) -> &mut OrderedPart<B> {
        self.parts.entry(at).or_default()
    }

    /// Returns `true` if the results of a part go straight to the caller.
    pub(super) fn is_turn(&self, at: PartPosition) -> bool {
        at == self.turn && self.parts.get(&at).is_none_or(|part| !part.is_held)
    }

    /// Returns the size of the batch that the results of a part go to.
    pub(super) fn size(&self, at: PartPosition) -> usize {
        match self.is_turn(at) {
            true => self.ready.size(),
            false => self.parts.get(&at).map_or(0, |part| part.batch.size()),
        }
    }

    /// Adds results to a part, and leaves the batch empty.
    pub(super) fn append(&mut self, at: PartPosition, batch: &mut B) {
        if self.is_turn(at) {
            return self.ready.append(batch);
        }
        let part = self.part(at);
        let before = part.batch.size();
        part.batch.append(batch);
        // Two batches may take less memory in one, as sets do.
        let after = part.batch.size();
        let counted = (part.counted + after).saturating_sub(before);
        let before = mem::replace(&mut part.counted, counted);
        self.ahead = self.ahead - before + counted;
    }

    /// Adds the part of a unit.
    pub(super) fn hold(&mut self, at: PartPosition) {
        self.part(at).is_held = true;
    }

    /// Marks a unit as processed.
    pub(super) fn done(&mut self, at: PartPosition, tally: Tally) {
        self.part(at).tally = Some(tally);
    }

    /// Returns whether a unit has results or is done, and then its counts.
    pub(super) fn progress(&self, at: PartPosition) -> Option<Option<Tally>> {
        let part = self.parts.get(&at)?;
        (part.tally.is_some() || part.batch.size() > 0).then_some(part.tally)
    }

    /// Lets the results of a unit go to the caller in their turn.
    pub(super) fn release(&mut self, at: PartPosition) {
        self.part(at).is_held = false;
        self.advance();
    }

    /// Drops the results of a unit, to which its holder adds those that hold.
    pub(super) fn clear(&mut self, at: PartPosition) {
        self.ahead -= mem::take(self.part(at)).counted;
        self.advance();
    }

    /// Ends a part.
    pub(super) fn end(&mut self, at: PartPosition, is_last: bool) {
        self.part(at).end = Some(is_last);
        self.advance();
    }

    /// Moves the turn past the parts that have ended.
    fn advance(&mut self) {
        while let Some(part) = self.parts.get_mut(&self.turn).filter(|part| !part.is_held) {
            // The turn may take long, so the memory of the part is freed.
            let mut batch = mem::take(&mut part.batch);
            self.ahead -= mem::take(&mut part.counted);
            if batch.size() > 0 {
                self.ready.append(&mut batch);
            }
            let Some(is_last) = part.end else { return };
            self.parts.remove(&self.turn);
            self.turn = self.turn.after(is_last);
            if let Some(memory) = &self.memory {
                memory.set_turn(self.turn.input, self.turn.part);
            }
        }
    }
}

/// A shared unit.
pub(super) struct Job {
    pub(super) unit: WorkUnit,
    pub(super) input: Arc<SharedInput>,
    pub(super) at: PartPosition,
    bounds: UnitBounds,
    budget: Arc<Budget>,
    /// Rest of the input's budget when the unit was shared.
    given: u64,
    is_given_up: AtomicBool,
}

/// The input of a unit, and the rest of its budget.
pub(super) struct SharedInput {
    pub(super) path: PathBuf,
    pub(super) hints: Hints,
    pub(super) budget: Arc<Budget>,
}

impl Job {
    pub(super) fn new(unit: WorkUnit, input: Arc<SharedInput>, at: PartPosition) -> Job {
        let given = input.budget.left();
        Job {
            unit,
            input,
            at,
            bounds: UnitBounds::default(),
            budget: Arc::new(Budget::new(given)),
            given,
            is_given_up: AtomicBool::new(false),
        }
    }

    pub(super) fn is_given_up(&self) -> bool {
        self.is_given_up.load(SeqCst)
    }

    pub(super) fn give_up(&self) {
        self.is_given_up.store(true, SeqCst);
    }

    /// Processes it ahead of its turn.
    pub(super) fn run(&self, walk: &mut ContainerWalk<'_>, visitor: &mut dyn Visitor) {
        walk.budget = Arc::clone(&self.budget);
        self.unit.run_ahead(&self.bounds, walk, visitor);
    }

    /// Returns `true` if its results hold, in its turn.
    pub(super) fn holds(&self, is_done: bool) -> bool {
        let (left, fits) = (self.input.budget.left(), self.unit.fits(&self.bounds, is_done));
        // If nothing is left, the units before it decide whether that was reported.
        fits == Some(true) && left > 0 && self.budget.spend(self.given.saturating_sub(left))
    }

    /// Marks it as processed in its turn.
    pub(super) fn finish(&self) {
        self.unit.finish(&self.bounds);
        self.input.budget.set(self.budget.left());
    }
}
