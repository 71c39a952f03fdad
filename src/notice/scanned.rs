//! Totals of a scan, with its notices, whether it failed or not.

use std::io;

use super::code::{Notice, NoticedParts, part_of};
use crate::charset::Detected;

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
    /// assert_eq!(scanned.detected().unwrap().charset().as_str(), "utf-8");
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
    /// use linksift::{Finder, Format, Hints, Notice};
    /// use std::ops::ControlFlow;
    ///
    /// let bytes = b"Content-Type: text/plain\nContent-Type: text/html\n\nsee example.com";
    /// let hints = Hints::new().format(Format::Email);
    /// let scanned = Finder::new().scan_reader(&bytes[..], &hints, |_| ControlFlow::Continue(()))?;
    /// assert_eq!(scanned.notices(), [Notice::DuplicateHeader]);
    /// # }
    /// # Ok::<(), linksift::ScanError>(())
    /// ```
    pub fn notices(&self) -> &[Notice] {
        &self.notices
    }

    /// Returns the part of a message that a notice is about, as [`Link::part`](crate::Link::part) has it: the first one, if it is
    /// about several. `None` if it is about the message itself, or there is no such notice.
    ///
    /// ```
    /// # #[cfg(feature = "mail")] {
    /// use linksift::{Finder, Format, Hints, Notice};
    /// use std::ops::ControlFlow;
    ///
    /// let bytes = b"Content-Type: multipart/mixed; boundary=b\n\n--b\n\nsee example.com\n\
    ///     --b\nContent-Transfer-Encoding: x-odd\n\nsee example.org\n--b--\n";
    /// let hints = Hints::new().format(Format::Email);
    /// let scanned = Finder::new().scan_reader(&bytes[..], &hints, |_| ControlFlow::Continue(()))?;
    /// assert_eq!(scanned.notice_part(Notice::UnknownTransfer), Some("2"));
    /// assert_eq!(scanned.notice_part(Notice::DuplicateHeader), None);
    /// # }
    /// # Ok::<(), linksift::ScanError>(())
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
    pub(crate) fn failed(self, error: io::Error) -> FailedScan {
        FailedScan { error, scanned: self }
    }
}

/// The error of a scan, with the totals and notices of what came before it.
#[derive(Debug)]
pub(crate) struct FailedScan {
    pub(crate) error: io::Error,
    pub(crate) scanned: Scanned,
}
