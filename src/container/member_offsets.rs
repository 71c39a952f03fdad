//! Offsets of the members of a compressed stream, in the decoded and in the stored bytes.
//!
//! The decoder notes them before the reader gets the bytes, and the reader looks up the member of a byte.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use super::fault::Fault;

/// A list of places that a decoder and a reader share.
#[derive(Clone, Debug, Default)]
pub(super) struct MemberOffsets(Rc<RefCell<MemberOffsetsState>>);

#[derive(Debug, Default)]
struct MemberOffsetsState {
    /// Decoded place, stored place.
    list: VecDeque<(u64, u64)>,
    /// Nobody reads them.
    is_off: bool,
    /// The stream is a file of records: each fault is reported in its place.
    is_of_records: bool,
    /// Faults that end no more than their member.
    faults: VecDeque<Fault>,
    /// The stored offset from which on a member that begins with a record ends the stream.
    stop: Option<u64>,
    /// The offset at which such a member ended it.
    ended: Option<u64>,
}

impl MemberOffsets {
    /// A member begins.
    pub(super) fn note(&self, decoded: u64, stored: u64) {
        let mut state = self.0.borrow_mut();
        if state.is_off {
            return;
        }
        // Nothing came out of the one before.
        if state.list.back().is_some_and(|last| last.0 == decoded) {
            state.list.pop_back();
        }
        state.list.push_back((decoded, stored));
    }

    /// Nobody is going to ask.
    pub(super) fn turn_off(&self) {
        let mut state = self.0.borrow_mut();
        state.is_off = true;
        state.list = VecDeque::new();
    }

    /// Whether offsets may be requested.
    pub(super) fn is_on(&self) -> bool {
        !self.0.borrow().is_off
    }

    /// Those of a range that ends with the member before the first one with a record at this place or after it.
    pub(super) fn until(stop: u64) -> MemberOffsets {
        let offsets = MemberOffsets::default();
        offsets.0.borrow_mut().stop = Some(stop);
        offsets
    }

    pub(super) fn is_past(&self, stored: u64) -> bool {
        self.0.borrow().stop.is_some_and(|stop| stored >= stop)
    }

    /// The stream ends here, where another range begins.
    pub(super) fn end(&self, stored: u64) {
        self.0.borrow_mut().ended = Some(stored);
    }

    pub(super) fn ended(&self) -> Option<u64> {
        self.0.borrow().ended
    }

    /// Marks the stream as a file of records.
    pub(super) fn are_of_records(&self) {
        self.0.borrow_mut().is_of_records = true;
    }

    /// Keeps a fault that ends no more than its member.
    pub(super) fn keep(&self, fault: Fault) {
        self.0.borrow_mut().faults.push_back(fault);
    }

    /// Returns the next fault up to a stored offset; that of a cut member is at the start of the bytes after it.
    pub(super) fn fault_up_to(&self, stored: u64) -> Option<Fault> {
        let mut state = self.0.borrow_mut();
        match state.faults.front() {
            Some(fault) if fault.offset() <= stored => state.faults.pop_front(),
            _ => None,
        }
    }

    /// Records the first fault at the end of a stream without records.
    pub(super) fn take_fault(&self) -> Option<Fault> {
        let mut state = self.0.borrow_mut();
        if state.is_of_records { None } else { state.faults.pop_front() }
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
        let list = &self.0.borrow().list;
        let after = list.partition_point(|(decoded, _)| *decoded <= at);
        list.get(after.checked_sub(1)?).copied()
    }

    /// Returns the start of the first member at an offset or after it.
    pub(super) fn from(&self, at: u64) -> Option<u64> {
        let list = &self.0.borrow().list;
        list.get(list.partition_point(|(decoded, _)| *decoded < at)).map(|(decoded, _)| *decoded)
    }
}
