//! Faults of containers: those that were reported already, and those that appear only at the end of a document.

use std::cell::RefCell;
use std::error::Error;
use std::fmt;
use std::io;
use std::rc::Rc;

pub use crate::notice::{Fault, FaultCode};

/// Placeholder of an error that was reported where it occurred first. Callers that read on get this one, and report
/// nothing.
#[derive(Debug)]
struct AlreadyReported;

impl fmt::Display for AlreadyReported {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("failed earlier")
    }
}

impl Error for AlreadyReported {}

/// A fault that appears only at a document's end: trailing garbage, a wrong checksum. The reader of the document
/// sees a normal end, so that a link at the end does not count as truncated; the fault is reported afterwards.
#[derive(Clone, Debug, Default)]
pub(crate) struct LateFault(Rc<RefCell<Option<io::Error>>>);

impl LateFault {
    /// Turns such a fault of a read into a normal end.
    pub(crate) fn keep(&self, read: io::Result<usize>) -> io::Result<usize> {
        match read {
            Err(error) if Fault::of(&error).is_some_and(|fault| fault.is_late) => {
                *self.0.borrow_mut() = Some(error);
                Ok(0)
            }
            read => read,
        }
    }

    pub(crate) fn is_set(&self) -> bool {
        self.0.borrow().is_some()
    }

    pub(crate) fn take(&self) -> Option<io::Error> {
        self.0.borrow_mut().take()
    }
}

/// Returns an error that represents a fault that was reported already.
pub(crate) fn told() -> io::Error {
    io::Error::other(AlreadyReported)
}

/// Returns `true` if an error represents a fault that was reported already.
pub(crate) fn is_told(error: &io::Error) -> bool {
    error.get_ref().is_some_and(|inner| inner.is::<AlreadyReported>())
}
