//! Memory for documents that are held as a whole, which the tasks of a run share.
//!
//! A document takes its share as it is read, and gives it back when it was scanned. A task that finds nothing left waits. The task
//! whose results are next never waits, since the others may wait for it, so each wait ends. A document in another one
//! draws on the share of the outer one, which its task has already.

use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Bytes of a document that need no share.
const FREE: usize = 8 << 20;
/// Time after which a waiting task looks again whether its results are next.
const LOOK: Duration = Duration::from_millis(20);

thread_local! {
    /// Memory of the task on this thread.
    static TASK: RefCell<Option<TaskMemory>> = const { RefCell::new(None) };
    /// Whether the task holds a share.
    static HAS_SHARE: Cell<bool> = const { Cell::new(false) };
}

/// Memory of a run.
#[derive(Debug)]
pub(crate) struct MemoryBudget {
    taken: Mutex<usize>,
    freed: Condvar,
    most: usize,
    /// Number of the input whose results are next, and of its part.
    turn: [AtomicU64; 2],
}

/// Position of a task in the order of results: an input, and a part of it that is processed ahead of its turn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MemoryTurn {
    pub(crate) input: u64,
    /// `None` for the holder of the input, for which its parts wait.
    pub(crate) part: Option<u64>,
}

/// Memory of a task.
#[derive(Clone, Debug)]
struct TaskMemory {
    budget: Arc<MemoryBudget>,
    /// Its position; `None` if it may never wait.
    at: Option<MemoryTurn>,
}

impl MemoryBudget {
    pub(crate) fn new(most: usize) -> Arc<MemoryBudget> {
        let (taken, freed, turn) = (Mutex::new(0), Condvar::new(), Default::default());
        Arc::new(MemoryBudget { taken, freed, most, turn })
    }

    /// Notes whose results are next.
    pub(crate) fn set_turn(&self, input: u64, part: u64) {
        self.turn[1].store(part, Ordering::Relaxed);
        self.turn[0].store(input, Ordering::Relaxed);
    }

    fn is_turn(&self, at: MemoryTurn) -> bool {
        let [input, part] = [0, 1].map(|number| self.turn[number].load(Ordering::Relaxed));
        at.input <= input && at.part.is_none_or(|own| own <= part)
    }

    fn lock(&self) -> MutexGuard<'_, usize> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes some bytes, and waits for them unless the results of the task are next.
    fn take(&self, bytes: usize, at: Option<MemoryTurn>) {
        let mut taken = self.lock();
        while at.is_some_and(|at| !self.is_turn(at)) && *taken + bytes > self.most {
            let waited = self.freed.wait_timeout(taken, LOOK);
            taken = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
        *taken += bytes;
    }

    fn give_back(&self, bytes: usize) {
        *self.lock() -= bytes;
        self.freed.notify_all();
    }
}

/// Sets the memory of the task on this thread, and its position, `None` if it may never wait.
pub(crate) fn enter(budget: &Arc<MemoryBudget>, at: Option<MemoryTurn>) {
    let own = TaskMemory { budget: Arc::clone(budget), at };
    TASK.with_borrow_mut(|task| *task = Some(own));
}

/// Ends the tasks of a run on this thread.
pub(crate) fn leave() {
    TASK.with_borrow_mut(Option::take);
}

/// Share of a document that is being read and scanned on this thread.
#[derive(Debug)]
pub(crate) struct MemoryShare {
    task: Option<TaskMemory>,
    taken: usize,
    /// Whether the thread has a share by this one.
    is_first: bool,
    /// It is given back on the thread that took it.
    thread: PhantomData<*const ()>,
}

impl MemoryShare {
    /// Creates a share without bytes; it stays so in a document within another one, and outside a run.
    pub(crate) fn new() -> MemoryShare {
        let is_first = !HAS_SHARE.replace(true);
        let task = is_first.then(|| TASK.with_borrow(Clone::clone)).flatten();
        MemoryShare { task, taken: 0, is_first, thread: PhantomData }
    }

    /// Takes what a document needs that has this many bytes so far.
    pub(crate) fn grow(&mut self, len: usize) {
        let Some(TaskMemory { budget, at }) = &self.task else { return };
        let more = len.saturating_sub(FREE).saturating_sub(self.taken);
        if more > 0 {
            budget.take(more, *at);
            self.taken += more;
        }
    }
}

impl Drop for MemoryShare {
    fn drop(&mut self) {
        if self.is_first {
            HAS_SHARE.set(false);
        }
        if let Some(TaskMemory { budget, .. }) = &self.task {
            budget.give_back(self.taken);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicUsize;
    use std::thread;

    const PART: usize = FREE;

    fn at(input: u64) -> Option<MemoryTurn> {
        Some(MemoryTurn { input, part: None })
    }

    #[test]
    fn later_tasks_wait_until_there_is_room() {
        let budget = MemoryBudget::new(2 * PART);
        let (now, most) = (AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for input in 1..=8 {
                let (budget, now, most) = (&budget, &now, &most);
                scope.spawn(move || {
                    enter(budget, at(input));
                    let mut share = MemoryShare::new();
                    share.grow(FREE + PART);
                    most.fetch_max(now.fetch_add(1, Ordering::SeqCst) + 1, Ordering::SeqCst);
                    thread::sleep(Duration::from_millis(10));
                    now.fetch_sub(1, Ordering::SeqCst);
                });
            }
        });
        assert_eq!((most.into_inner(), *budget.lock()), (2, 0));
    }

    #[test]
    fn the_task_whose_results_are_next_never_waits() {
        let budget = MemoryBudget::new(PART);
        enter(&budget, at(0));
        let mut first = MemoryShare::new();
        first.grow(FREE + 4 * PART);
        let waited = thread::scope(|scope| {
            let later = scope.spawn(|| {
                enter(&budget, at(1));
                let mut share = MemoryShare::new();
                share.grow(FREE + PART);
            });
            thread::sleep(5 * LOOK);
            let has_waited = !later.is_finished();
            // Nothing is freed, but its turn has come.
            budget.set_turn(1, 0);
            has_waited
        });
        assert!(waited);
        // A part ahead of its turn waits; the holder of its input does not.
        budget.set_turn(3, 1);
        let is_turn = |part| budget.is_turn(MemoryTurn { input: 3, part });
        assert_eq!([is_turn(Some(2)), is_turn(Some(1)), is_turn(None)], [false, true, true]);
    }

    #[test]
    fn inner_documents_and_short_ones_take_nothing() {
        let budget = MemoryBudget::new(PART);
        enter(&budget, at(1));
        let mut outer = MemoryShare::new();
        outer.grow(FREE);
        assert_eq!(*budget.lock(), 0);
        outer.grow(FREE + PART);
        {
            let mut inner = MemoryShare::new();
            inner.grow(FREE + 2 * PART);
        }
        assert_eq!(*budget.lock(), PART);
        drop(outer);
        assert_eq!(*budget.lock(), 0);
        // Documents outside a run, such as those of a caller who reads them one by one.
        leave();
        MemoryShare::new().grow(FREE + 2 * PART);
        assert_eq!(*budget.lock(), 0);
    }
}
