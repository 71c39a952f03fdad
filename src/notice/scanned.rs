//! Totals of a scan, with its notices, and the error of one that failed.

use std::error::Error;
use std::fmt;
use std::io;

use super::code::{Notice, NoticedParts, part_of};
use super::not_read::NotRead;
use crate::charset::{Detected, UndecodableError};

/// The totals of a scan: bytes, links, encoding, notices.
///
/// ```
/// use linksift::{Finder, Hints};
/// use std::ops::ControlFlow;
///
/// let text = &b"see example.com or example.org"[..];
/// let scanned = Finder::new().scan_reader(text, &Hints::new(), |_| ControlFlow::Continue(()))?;
/// assert_eq!((scanned.bytes(), scanned.links(), scanned.stopped()), (30, 2, false));
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scanned {
    pub(crate) bytes: u64,
    pub(crate) links: u64,
    pub(crate) stopped: bool,
    pub(crate) detected: Option<Detected>,
    pub(crate) notices: Vec<Notice>,
    pub(crate) parts: NoticedParts,
}

impl Scanned {
    /// The bytes read.
    ///
    /// ```
    /// use linksift::{Finder, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// let text = &b"see example.com or example.org"[..];
    /// let scanned = Finder::new().scan_reader(text, &Hints::new(), |_| ControlFlow::Continue(()))?;
    /// assert_eq!(scanned.bytes(), 30);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The links found.
    ///
    /// ```
    /// use linksift::{Finder, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// let text = &b"see example.com or example.org"[..];
    /// let scanned = Finder::new().scan_reader(text, &Hints::new(), |_| ControlFlow::Continue(()))?;
    /// assert_eq!(scanned.links(), 2);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn links(&self) -> u64 {
        self.links
    }

    /// The encoding of the input, and how it is known.
    ///
    /// ```
    /// use linksift::{Finder, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// let text = &b"see example.com or example.org"[..];
    /// let scanned = Finder::new().scan_reader(text, &Hints::new(), |_| ControlFlow::Continue(()))?;
    /// assert_eq!(scanned.detected().unwrap().charset().name(), "utf-8");
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn detected(&self) -> Option<&Detected> {
        self.detected.as_ref()
    }

    /// The first notice on the input; [`Candidates`](crate::Candidates) say it of what
    /// is in memory.
    ///
    /// ```
    /// use linksift::{Finder, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// let text = &b"see example.com or example.org"[..];
    /// let scanned = Finder::new().scan_reader(text, &Hints::new(), |_| ControlFlow::Continue(()))?;
    /// assert_eq!(scanned.notice(), None);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn notice(&self) -> Option<Notice> {
        self.notices.first().copied()
    }

    /// All that a reader of its links should know: of a message there may be several things.
    ///
    /// ```
    /// # #[cfg(feature = "mail")] {
    /// use linksift::Notice;
    /// use linksift::{Finder, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// let bytes = b"Content-Type: text/plain\nContent-Type: text/html\n\nsee example.com";
    /// let scanned = Finder::new().scan_message(bytes, &Hints::new(), |_| ControlFlow::Continue(()));
    /// assert_eq!(scanned.notices(), [Notice::DuplicateHeader]);
    /// # }
    /// ```
    pub fn notices(&self) -> &[Notice] {
        &self.notices
    }

    /// Returns the part of a message that a notice is about, as [`Link::part`](crate::Link::part) has it: the first one, if it is
    /// about several. `None` if it is about the message itself, or there is no such notice.
    ///
    /// ```
    /// # #[cfg(feature = "mail")] {
    /// use linksift::Notice;
    /// use linksift::{Finder, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// let bytes = b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nsee example.com\n\
    ///     --b\nContent-Transfer-Encoding: x-odd\n\nsee example.org\n--b--\n";
    /// let scanned = Finder::new().scan_message(bytes, &Hints::new(), |_| ControlFlow::Continue(()));
    /// assert_eq!(scanned.notice_part(Notice::UnknownTransfer), Some("2"));
    /// assert_eq!(scanned.notice_part(Notice::DuplicateHeader), None);
    /// # }
    /// ```
    pub fn notice_part(&self, notice: Notice) -> Option<&str> {
        part_of(&self.parts, notice)
    }

    /// Whether the callback or a [`Cancel`](crate::Cancel) stopped the scan before the end of the input.
    ///
    /// ```
    /// use linksift::{Finder, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// let text = &b"see example.com or example.org"[..];
    /// let scanned = Finder::new().scan_reader(text, &Hints::new(), |_| ControlFlow::Break(()))?;
    /// assert_eq!((scanned.links(), scanned.stopped()), (1, true));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn stopped(&self) -> bool {
        self.stopped
    }
}

impl Scanned {
    /// The error of a scan that came so far.
    pub(crate) fn failed(self, error: io::Error) -> ScanError {
        ScanError { error, scanned: self }
    }
}

/// The error of a scan: what its reader failed with, with the totals and notices so far.
///
/// It is turned into an [`io::Error`] by `?` where a function returns one.
///
/// ```
/// use linksift::{Finder, Hints};
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
/// let reader = b"see example.com or".chain(Cut);
/// let failed = Finder::new().scan_reader(reader, &Hints::new(), |_| ControlFlow::Continue(()));
/// let error = failed.unwrap_err();
/// assert_eq!(error.kind(), io::ErrorKind::ConnectionReset);
/// assert_eq!((error.scanned().links(), error.scanned().bytes()), (1, 18));
/// ```
#[derive(Debug)]
pub struct ScanError {
    error: io::Error,
    pub(crate) scanned: Scanned,
}

impl ScanError {
    /// Returns the kind of the error.
    ///
    /// ```
    /// # #[cfg(feature = "documents")] {
    /// use linksift::{Finder, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// let page = &b"<meta charset=iso-2022-kr>"[..];
    /// let failed = Finder::new().scan_reader(page, &Hints::new(), |_| ControlFlow::Continue(()));
    /// assert_eq!(failed.unwrap_err().kind(), std::io::ErrorKind::InvalidData);
    /// # }
    /// ```
    pub fn kind(&self) -> io::ErrorKind {
        self.error.kind()
    }

    /// Returns the reason why the document is not read; `None` if the reader failed or the document has too many bytes.
    ///
    /// ```
    /// use linksift::{Finder, Hints, NotRead};
    /// use std::ops::ControlFlow;
    ///
    /// let picture = &b"\x89PNG\r\n\x1a\n http://example.com/"[..];
    /// let failed = Finder::new().scan_reader(picture, &Hints::new(), |_| ControlFlow::Continue(()));
    /// assert_eq!(failed.unwrap_err().not_read(), Some(NotRead::Media));
    /// ```
    pub fn not_read(&self) -> Option<NotRead> {
        let inner = self.error.get_ref()?;
        let undecodable = inner.downcast_ref::<UndecodableError>();
        undecodable.cloned().map(NotRead::from).or_else(|| inner.downcast_ref().cloned())
    }

    /// Returns the error of the reader, or of the kind [`InvalidData`](io::ErrorKind::InvalidData) with a [`NotRead`] or an
    /// [`UndecodableError`] in it.
    ///
    /// ```
    /// # #[cfg(feature = "documents")] {
    /// use linksift::{Finder, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// let page = &b"<meta charset=iso-2022-kr>"[..];
    /// let failed = Finder::new().scan_reader(page, &Hints::new(), |_| ControlFlow::Continue(()));
    /// let inner = failed.unwrap_err();
    /// assert!(inner.error().get_ref().unwrap().is::<linksift::UndecodableError>());
    /// # }
    /// ```
    pub fn error(&self) -> &io::Error {
        &self.error
    }

    /// Returns the totals and notices of the part that was scanned before the error.
    ///
    /// ```
    /// # #[cfg(feature = "documents")] {
    /// use linksift::{Finder, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// let page = &b"<meta charset=iso-2022-kr>"[..];
    /// let failed = Finder::new().scan_reader(page, &Hints::new(), |_| ControlFlow::Continue(()));
    /// assert_eq!(failed.unwrap_err().scanned().bytes(), 26);
    /// # }
    /// ```
    pub fn scanned(&self) -> &Scanned {
        &self.scanned
    }

    /// Returns the error and the totals.
    ///
    /// ```
    /// # #[cfg(feature = "documents")] {
    /// use linksift::{Finder, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// let page = &b"<meta charset=iso-2022-kr>"[..];
    /// let failed = Finder::new().scan_reader(page, &Hints::new(), |_| ControlFlow::Continue(()));
    /// let (error, scanned) = failed.unwrap_err().into_parts();
    /// assert_eq!((error.kind(), scanned.links()), (std::io::ErrorKind::InvalidData, 0));
    /// # }
    /// ```
    pub fn into_parts(self) -> (io::Error, Scanned) {
        (self.error, self.scanned)
    }
}

impl fmt::Display for ScanError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl Error for ScanError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self.error.get_ref() {
            Some(cause) => Some(cause),
            None => self.error.source(),
        }
    }
}

impl From<ScanError> for io::Error {
    fn from(failed: ScanError) -> io::Error {
        failed.error
    }
}
