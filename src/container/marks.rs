//! Marks: where the members of a compressed stream begin, in what comes out and in what is stored.
//!
//! The decoder notes them ahead of who reads, and who reads asks which member a byte is in.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

/// A list of places that a decoder and a reader share.
#[derive(Clone, Debug, Default)]
pub(super) struct Marks(Rc<RefCell<State>>);

#[derive(Debug, Default)]
struct State {
    /// Decoded place, stored place.
    list: VecDeque<(u64, u64)>,
    /// Nobody reads them.
    is_off: bool,
}

impl Marks {
    /// A member begins.
    pub(super) fn note(&self, decoded: u64, stored: u64) {
        let mut state = self.0.borrow_mut();
        if !state.is_off {
            state.list.push_back((decoded, stored));
        }
    }

    /// Nobody is going to ask.
    pub(super) fn turn_off(&self) {
        *self.0.borrow_mut() = State { is_off: true, ..State::default() };
    }

    /// Whether somebody may ask.
    pub(super) fn is_on(&self) -> bool {
        !self.0.borrow().is_off
    }

    /// Forgets members that end before this place.
    pub(super) fn forget_before(&self, at: u64) {
        let list = &mut self.0.borrow_mut().list;
        while list.get(1).is_some_and(|(decoded, _)| *decoded <= at) {
            list.pop_front();
        }
    }

    /// The member that a place is in: where it begins, decoded and stored.
    pub(super) fn of(&self, at: u64) -> Option<(u64, u64)> {
        let state = self.0.borrow();
        state.list.iter().take_while(|(decoded, _)| *decoded <= at).last().copied()
    }

    /// Where the first member after this place begins.
    pub(super) fn after(&self, at: u64) -> Option<u64> {
        let state = self.0.borrow();
        state.list.iter().map(|(decoded, _)| *decoded).find(|decoded| *decoded > at)
    }
}
