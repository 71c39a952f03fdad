//! Faults: errors in a compressed file or an archive, each with its byte offset.

use std::error::Error;
use std::fmt;
use std::io::{self, ErrorKind};

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
        /// The codec needs more memory than [`Limits::max_window`](crate::container::Limits::max_window) allows.
        Window = "window",
        /// More comes out than [`Limits::max_expansion`](crate::container::Limits::max_expansion) allows.
        Expansion = "expansion",
        /// Nested deeper than [`Limits::max_depth`](crate::container::Limits::max_depth) allows.
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

/// A fault of a compressed file or an archive, in a [`ScanError`](crate::ScanError) or as the inner error of an [`io::Error`].
///
/// Its text is what the command prints: the reason, and the byte where it shows.
///
/// ```
/// use linksift::ScanError;
/// use linksift::container::{self, Found, Limits, Opening};
/// use std::ops::ControlFlow;
///
/// let mut faults = Vec::new();
/// container::documents(Opening::bytes(*b"!<arch>\ncut"), &Limits::new(), |found| {
///     if let Found::Failed { error: ScanError::Fault(fault), .. } = found {
///         faults.push(fault.to_string());
///     }
///     ControlFlow::Continue(())
/// });
/// assert_eq!(faults, ["ar header truncated at byte 8"]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    code: FaultCode,
    offset: u64,
    reason: String,
    /// Whether all of the content precedes it.
    pub(crate) is_late: bool,
}

impl Fault {
    pub(crate) fn new(code: FaultCode, offset: u64, reason: impl Into<String>) -> Fault {
        let is_late =
            matches!(code, FaultCode::Checksum | FaultCode::TrailingGarbage | FaultCode::Length);
        Fault { code, offset, reason: reason.into(), is_late }
    }

    /// Whether all of the content precedes it, if its code does not imply that.
    pub(crate) fn late(self, is_late: bool) -> Fault {
        Fault { is_late, ..self }
    }

    /// The kind of the fault.
    ///
    /// ```
    /// use linksift::ScanError;
    /// use linksift::container::{self, FaultCode, Found, Limits, Opening};
    /// use std::ops::ControlFlow;
    ///
    /// let mut faults = Vec::new();
    /// container::documents(Opening::bytes(*b"!<arch>\ncut"), &Limits::new(), |found| {
    ///     if let Found::Failed { error: ScanError::Fault(fault), .. } = found {
    ///         faults.push(fault);
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
    /// use linksift::ScanError;
    /// use linksift::container::{self, Found, Limits, Opening};
    /// use std::ops::ControlFlow;
    ///
    /// let mut faults = Vec::new();
    /// container::documents(Opening::bytes(*b"!<arch>\ncut"), &Limits::new(), |found| {
    ///     if let Found::Failed { error: ScanError::Fault(fault), .. } = found {
    ///         faults.push(fault);
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(faults[0].offset(), 8);
    /// ```
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Returns the fault that an error carries, if it carries one.
    pub(crate) fn of(error: &io::Error) -> Option<&Fault> {
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
