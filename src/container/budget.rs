//! How much an input may still expand to, over all threads that go through parts of it.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};

/// Bytes that an input may still expand to.
#[derive(Debug)]
pub(crate) struct Budget {
    left: AtomicU64,
    /// The exhausted budget was reported.
    is_told: AtomicBool,
}

impl Budget {
    pub(crate) fn new(left: u64) -> Budget {
        Budget { left: AtomicU64::new(left), is_told: AtomicBool::new(false) }
    }

    pub(crate) fn left(&self) -> u64 {
        self.left.load(SeqCst)
    }

    pub(crate) fn set(&self, left: u64) {
        self.left.store(left, SeqCst);
    }

    /// Spends some; false if there is not as much, and then nothing is left.
    pub(crate) fn spend(&self, bytes: u64) -> bool {
        let left = |left: u64| Some(left.saturating_sub(bytes));
        // The closure always returns a value, so the update cannot fail.
        let before = self.left.fetch_update(SeqCst, SeqCst, left).unwrap_or(0);
        before >= bytes
    }

    /// Whether nothing is left, and nobody has told so yet.
    pub(super) fn is_to_be_told(&self) -> bool {
        self.left() == 0 && !self.is_told.swap(true, SeqCst)
    }
}
