//! The error of all functions that scan.

use std::error::Error;
use std::{fmt, io};

#[cfg(feature = "archives")]
use super::fault::Fault;
use super::not_read::NotRead;
use super::scanned::FailedScan;
use crate::charset::UndecodableError;

/// The error of a scan: of a reader, a file, an archive, a document that is not read, or work that was cancelled.
///
/// `Display` gives a sentence for people, [`as_str`](ScanError::as_str) the stable word. `?` turns it into an [`io::Error`] in a function that
/// returns one, and an [`io::Error`] of this crate back into it.
///
/// ```
/// use linksift::{Finder, Hints, NotRead, ScanError};
/// use std::io::{self, Read};
/// use std::ops::ControlFlow;
///
/// struct Cut;
///
/// impl Read for Cut {
///     fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
///         Err(io::ErrorKind::ConnectionReset.into())
///     }
/// }
///
/// let scan = |reader: &mut dyn Read| {
///     Finder::new().scan_reader(reader, &Hints::new(), |_| ControlFlow::Continue(())).unwrap_err()
/// };
/// let picture = scan(&mut &b"\x89PNG\r\n\x1a\n http://example.com/"[..]);
/// assert!(matches!(picture, ScanError::NotRead(NotRead::Media)));
/// let cut = scan(&mut b"see example.com or".chain(Cut));
/// assert!(matches!(cut, ScanError::Io(error) if error.kind() == io::ErrorKind::ConnectionReset));
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum ScanError {
    /// The reader or the file system failed, or the input has more bytes than offsets can count.
    Io(io::Error),
    /// The document is not read; no link was reported.
    NotRead(NotRead),
    /// A compressed file or an archive has a fault.
    #[cfg(feature = "archives")]
    Fault(Fault),
    /// The caller [refused](crate::files::Input::Refused) the input, for the reason that it gave.
    #[cfg(feature = "files")]
    Refused(String),
    /// A [`Cancel`](crate::Cancel) ended the work.
    Cancelled,
}

impl ScanError {
    /// Returns the stable name of the error, as the command writes it to the file of `--errors`: that of the [`Fault`](crate::container::Fault) or the
    /// [`NotRead`] (`charset` for an encoding that cannot be decoded), `not-found`, `permission-denied`, `truncated`, `refused`,
    /// `cancelled`, or `io`.
    ///
    /// ```
    /// use linksift::ScanError;
    ///
    /// let missing = ScanError::from(std::io::Error::from(std::io::ErrorKind::NotFound));
    /// assert_eq!(missing.as_str(), "not-found");
    /// assert_eq!(ScanError::Cancelled.as_str(), "cancelled");
    /// ```
    pub fn as_str(&self) -> &'static str {
        match self {
            ScanError::Io(error) => match error.kind() {
                io::ErrorKind::NotFound => "not-found",
                io::ErrorKind::PermissionDenied => "permission-denied",
                io::ErrorKind::UnexpectedEof => "truncated",
                _ => "io",
            },
            ScanError::NotRead(NotRead::Undecodable { .. }) => "charset",
            ScanError::NotRead(reason) => reason.as_str(),
            #[cfg(feature = "archives")]
            ScanError::Fault(fault) => fault.code().as_str(),
            #[cfg(feature = "files")]
            ScanError::Refused(_) => "refused",
            ScanError::Cancelled => "cancelled",
        }
    }
}

impl fmt::Display for ScanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScanError::Io(error) => error.fmt(f),
            ScanError::NotRead(reason) => reason.fmt(f),
            #[cfg(feature = "archives")]
            ScanError::Fault(fault) => fault.fmt(f),
            #[cfg(feature = "files")]
            ScanError::Refused(reason) => f.write_str(reason),
            ScanError::Cancelled => f.write_str("cancelled"),
        }
    }
}

impl Error for ScanError {
    /// The cause of what `Display` says, which is that of the error of a reader.
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            ScanError::Io(error) => error.source(),
            _ => None,
        }
    }
}

impl From<io::Error> for ScanError {
    fn from(error: io::Error) -> ScanError {
        let error = match error.downcast::<ScanError>() {
            Ok(own) => return own,
            Err(error) => error,
        };
        #[cfg(feature = "archives")]
        let error = match error.downcast::<Fault>() {
            Ok(fault) => return ScanError::Fault(fault),
            Err(error) => error,
        };
        match error.downcast::<NotRead>() {
            Ok(reason) => ScanError::NotRead(reason),
            Err(error) => match error.downcast::<UndecodableError>() {
                Ok(undecodable) => ScanError::NotRead(undecodable.into()),
                Err(error) => ScanError::Io(error),
            },
        }
    }
}

impl From<NotRead> for ScanError {
    fn from(reason: NotRead) -> ScanError {
        ScanError::NotRead(reason)
    }
}

impl From<FailedScan> for ScanError {
    fn from(failed: FailedScan) -> ScanError {
        failed.error.into()
    }
}

impl From<ScanError> for io::Error {
    fn from(error: ScanError) -> io::Error {
        match error {
            ScanError::Io(error) => error,
            ScanError::NotRead(reason) => reason.into(),
            #[cfg(feature = "archives")]
            ScanError::Fault(fault) => fault.into(),
            #[cfg(feature = "files")]
            ScanError::Refused(_) => io::Error::new(io::ErrorKind::InvalidInput, error),
            ScanError::Cancelled => io::Error::other(error),
        }
    }
}
