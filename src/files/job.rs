//! A unit of an input that another task may process ahead of its turn.
//!
//! In its turn the results hold if the unit started where the one before it ended, and fit into the rest of the
//! input's budget. Otherwise it is given up, and the holder of the input processes it again.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};

use super::parts::PartPosition;
use crate::container::{Budget, ContainerWalk, UnitBounds, Visitor, WorkUnit};
use crate::detect::document::Hints;

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
