//! Faults: errors in a compressed file or an archive, each with its byte offset.

use std::cell::RefCell;
use std::error::Error;
use std::fmt;
use std::io::{self, ErrorKind};
use std::rc::Rc;

use crate::codes::coded;

coded! {
    /// The kind of the fault.
    ///
    /// ```
    /// use linksift::container::FaultCode;
    ///
    /// assert_eq!(FaultCode::TrailingGarbage.as_str(), "trailing-garbage");
    /// assert_eq!("overlap".parse(), Ok(FaultCode::Overlap));
    /// ```
    pub enum FaultCode in "linksift::container" {
        /// The input ends where more must follow.
        Truncated = "truncated",
        /// The bytes are not what the format allows there.
        Corrupt = "corrupt",
        /// A checksum or a length does not match the data.
        Checksum = "checksum",
        /// Unknown bytes follow the end.
        TrailingGarbage = "trailing-garbage",
        /// The codec needs more memory than [`Limits::max_window`](super::Limits::max_window) allows.
        Window = "window",
        /// More comes out than [`Limits::max_expansion`](super::Limits::max_expansion) allows.
        Expansion = "expansion",
        /// Nested deeper than [`Limits::max_depth`](super::Limits::max_depth) allows.
        Depth = "depth",
        /// Encrypted.
        Encrypted = "encrypted",
        /// Compressed by a method that is not supported, or not built in.
        Method = "method",
        /// An archive without its directory; what could be found without it was read.
        NoDirectory = "no-directory",
        /// Two members claim the same bytes.
        Overlap = "overlap",
        /// A length that does not fit what follows.
        Length = "length",
    }
}

/// A fault of a compressed file or an archive; the inner error of an [`io::Error`].
///
/// Its text is what the command prints: the reason, and the byte where it shows.
///
/// ```
/// use linksift::container::Fault;
///
/// fn code(error: &std::io::Error) -> Option<&'static str> {
///     Some(error.get_ref()?.downcast_ref::<Fault>()?.code().as_str())
/// }
/// assert_eq!(code(&std::io::Error::other("another one")), None);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    code: FaultCode,
    offset: u64,
    reason: String,
    /// Whether all of the content precedes it.
    is_late: bool,
}

impl Fault {
    pub(crate) fn new(code: FaultCode, offset: u64, reason: impl Into<String>) -> Fault {
        let is_late =
            matches!(code, FaultCode::Checksum | FaultCode::TrailingGarbage | FaultCode::Length);
        Fault { code, offset, reason: reason.into(), is_late }
    }

    /// Whether all of the content precedes it, if its code does not imply that.
    pub(super) fn late(self, is_late: bool) -> Fault {
        Fault { is_late, ..self }
    }

    /// The kind of the fault.
    ///
    /// ```
    /// use linksift::container::{self, Fault, FaultCode, Found, Limits, Opening};
    /// use std::ops::ControlFlow;
    ///
    /// let mut faults = Vec::new();
    /// container::documents(Opening::bytes(*b"!<arch>\ncut"), &Limits::new(), |found| {
    ///     if let Found::Failed { error, .. } = found {
    ///         faults.extend(Fault::of(&error).cloned());
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(faults[0].code(), FaultCode::Truncated);
    /// ```
    pub fn code(&self) -> FaultCode {
        self.code
    }

    /// The byte where it shows, in the stored bytes of the compressed file or archive.
    ///
    /// ```
    /// use linksift::container::{self, Fault, Found, Limits, Opening};
    /// use std::ops::ControlFlow;
    ///
    /// let mut faults = Vec::new();
    /// container::documents(Opening::bytes(*b"!<arch>\ncut"), &Limits::new(), |found| {
    ///     if let Found::Failed { error, .. } = found {
    ///         faults.extend(Fault::of(&error).cloned());
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(faults[0].offset(), 8);
    /// ```
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The fault that an error carries, if it carries one.
    ///
    /// ```
    /// use linksift::container::{self, Fault, Found, Limits, Opening};
    /// use std::ops::ControlFlow;
    ///
    /// let mut faults = Vec::new();
    /// container::documents(Opening::bytes(*b"!<arch>\ncut"), &Limits::new(), |found| {
    ///     if let Found::Failed { error, .. } = found {
    ///         faults.extend(Fault::of(&error).map(ToString::to_string));
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(faults, ["ar header truncated at byte 8"]);
    /// assert_eq!(Fault::of(&std::io::Error::other("another one")), None);
    /// ```
    pub fn of(error: &io::Error) -> Option<&Fault> {
        error.get_ref()?.downcast_ref()
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.reason, self.offset)
    }
}

impl Error for Fault {}

impl From<Fault> for io::Error {
    fn from(fault: Fault) -> io::Error {
        let kind = match fault.code {
            FaultCode::Truncated => ErrorKind::UnexpectedEof,
            FaultCode::Encrypted | FaultCode::Method => ErrorKind::Unsupported,
            _ => ErrorKind::InvalidData,
        };
        io::Error::new(kind, fault)
    }
}

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
