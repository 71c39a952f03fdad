//! Counts: the progress of a run, and its totals.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::container::{ResumePoint, WorkUnit};

/// Progress of a run; clones refer to the same run.
///
/// ```
/// use linksift::files::{self, Options, Progress};
/// use std::ops::ControlFlow;
///
/// let progress = Progress::new();
/// let options = Options::new().progress(progress.clone());
/// files::scan(["no such file"], &options, |_| ControlFlow::Continue(()));
/// assert_eq!((progress.files(), progress.bytes(), progress.links()), (1, 0, 0));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Progress(Arc<ProgressCounters>);

#[derive(Debug, Default)]
struct ProgressCounters {
    files: AtomicU64,
    bytes: AtomicU64,
    opened: AtomicU64,
    documents: AtomicU64,
    links: AtomicU64,
}

impl Progress {
    /// Creates a progress with all counts at 0, for [`Options::progress`](super::Options::progress).
    ///
    /// ```
    /// use linksift::files::Progress;
    ///
    /// let progress = Progress::new();
    /// assert_eq!((progress.files(), progress.documents(), progress.bytes()), (0, 0, 0));
    /// ```
    pub fn new() -> Progress {
        Progress::default()
    }

    /// Inputs done with, failed ones among them.
    ///
    /// ```
    /// use linksift::files::{self, Options, Progress};
    /// use std::ops::ControlFlow;
    ///
    /// let progress = Progress::new();
    /// let options = Options::new().progress(progress.clone());
    /// files::scan(["no such file", "nor this"], &options, |_| ControlFlow::Continue(()));
    /// assert_eq!(progress.files(), 2);
    /// ```
    pub fn files(&self) -> u64 {
        self.0.files.load(Relaxed)
    }

    /// Returns the stored bytes of inputs that were read: of archives the compressed ones. A finished input counts with all its bytes,
    /// also those that were skipped.
    ///
    /// ```
    /// use linksift::files::{self, Options, Progress};
    /// use std::ops::ControlFlow;
    ///
    /// # let file = std::env::temp_dir().join(format!("linksift-bytes-{}", std::process::id()));
    /// std::fs::write(&file, "see example.com")?;
    /// let progress = Progress::new();
    /// let options = Options::new().progress(progress.clone());
    /// files::scan([&file], &options, |_| ControlFlow::Continue(()));
    /// assert_eq!(progress.bytes(), 15);
    /// # std::fs::remove_file(file)?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn bytes(&self) -> u64 {
        self.0.bytes.load(Relaxed)
    }

    /// Returns the sum of the lengths of the files that were opened so far; an input without a length, such as a pipe,
    /// counts as 0.
    ///
    /// ```
    /// use linksift::files::{self, Options, Progress};
    /// use std::ops::ControlFlow;
    ///
    /// # let file = std::env::temp_dir().join(format!("linksift-opened-{}", std::process::id()));
    /// std::fs::write(&file, "see example.com")?;
    /// let progress = Progress::new();
    /// let options = Options::new().progress(progress.clone());
    /// files::scan([&file], &options, |_| ControlFlow::Continue(()));
    /// assert_eq!(progress.opened(), 15);
    /// # std::fs::remove_file(file)?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn opened(&self) -> u64 {
        self.0.opened.load(Relaxed)
    }

    /// Documents read: inputs, and members of them.
    ///
    /// ```
    /// use linksift::files::{self, Options, Progress};
    /// use std::ops::ControlFlow;
    ///
    /// # let file = std::env::temp_dir().join(format!("linksift-documents-{}", std::process::id()));
    /// std::fs::write(&file, "see example.com")?;
    /// let progress = Progress::new();
    /// let options = Options::new().progress(progress.clone());
    /// files::scan([&file], &options, |_| ControlFlow::Continue(()));
    /// assert_eq!(progress.documents(), 1);
    /// # std::fs::remove_file(file)?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn documents(&self) -> u64 {
        self.0.documents.load(Relaxed)
    }

    /// Links found.
    ///
    /// ```
    /// use linksift::files::{self, Options, Progress};
    /// use std::ops::ControlFlow;
    ///
    /// # let file = std::env::temp_dir().join(format!("linksift-links-{}", std::process::id()));
    /// std::fs::write(&file, "see example.com")?;
    /// let progress = Progress::new();
    /// let options = Options::new().progress(progress.clone());
    /// files::scan([&file], &options, |_| ControlFlow::Continue(()));
    /// assert_eq!(progress.links(), 1);
    /// # std::fs::remove_file(file)?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn links(&self) -> u64 {
        self.0.links.load(Relaxed)
    }

    pub(super) fn add_file(&self) {
        self.0.files.fetch_add(1, Relaxed);
    }

    pub(super) fn add_bytes(&self, bytes: u64) {
        self.0.bytes.fetch_add(bytes, Relaxed);
    }

    pub(super) fn add_opened(&self, bytes: u64) {
        self.0.opened.fetch_add(bytes, Relaxed);
    }

    pub(super) fn add_document(&self, links: u64) {
        self.0.documents.fetch_add(1, Relaxed);
        self.0.links.fetch_add(links, Relaxed);
    }
}

/// Totals of a run.
///
/// ```
/// use linksift::container::Opening;
/// use linksift::files::{self, Options};
/// use std::ops::ControlFlow;
///
/// let opening = Opening::bytes(*b"see example.com");
/// let summary = files::scan_one(opening, &Options::new(), |_| ControlFlow::Continue(()));
/// assert_eq!((summary.files(), summary.failed(), summary.links()), (1, 0, 1));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[must_use = "files that failed are counted here alone"]
pub struct Summary {
    pub(super) files: u64,
    pub(super) failed: u64,
    pub(super) failures: u64,
    pub(super) documents: u64,
    pub(super) unread: u64,
    pub(super) stored: u64,
    pub(super) bytes: u64,
    pub(super) links: u64,
    pub(super) stopped: bool,
}

impl Summary {
    /// Number of inputs that were read.
    ///
    /// ```
    /// use linksift::container::Opening;
    /// use linksift::files::{self, Options};
    /// use std::ops::ControlFlow;
    ///
    /// let opening = Opening::bytes(*b"see example.com");
    /// let summary = files::scan_one(opening, &Options::new(), |_| ControlFlow::Continue(()));
    /// assert_eq!(summary.files(), 1);
    /// ```
    pub fn files(&self) -> u64 {
        self.files
    }

    /// Returns the number of inputs that failed, or have a member that failed, and of failures in walks.
    ///
    /// ```
    /// use linksift::files::{self, Options};
    /// use std::ops::ControlFlow;
    ///
    /// let summary = files::scan(["no such file"], &Options::new(), |_| ControlFlow::Continue(()));
    /// assert_eq!((summary.files(), summary.failed()), (0, 1));
    /// ```
    pub fn failed(&self) -> u64 {
        self.failed
    }

    /// Returns the number of failures, of which an input may have several. It is the number of events
    /// [`Failed`](crate::Event::Failed).
    ///
    /// ```
    /// use linksift::files::{self, Options};
    /// use std::ops::ControlFlow;
    ///
    /// let (mut events, inputs) = (0, ["no such file", "nor this"]);
    /// let summary = files::scan(inputs, &Options::new(), |event| {
    ///     events += u64::from(matches!(event, linksift::Event::Failed { .. }));
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!((summary.failures(), events), (2, 2));
    /// ```
    pub fn failures(&self) -> u64 {
        self.failures
    }

    /// Returns the number of documents that were read to their end: inputs that are not archives, and members.
    ///
    /// ```
    /// use linksift::container::Opening;
    /// use linksift::files::{self, Options};
    /// use std::ops::ControlFlow;
    ///
    /// let opening = Opening::bytes(*b"see example.com");
    /// let summary = files::scan_one(opening, &Options::new(), |_| ControlFlow::Continue(()));
    /// assert_eq!(summary.documents(), 1);
    /// ```
    pub fn documents(&self) -> u64 {
        self.documents
    }

    /// Returns the number of documents that are counted and not read: images, audio, video and fonts in a crawl.
    ///
    /// ```
    /// use linksift::container::Opening;
    /// use linksift::files::{self, Options};
    /// use std::ops::ControlFlow;
    ///
    /// let response = "HTTP/1.1 200 OK\r\nContent-Type: image/png\r\n\r\n\u{89}PNG";
    /// let warc = format!(
    ///     "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://e.com/a.png\r\n\
    ///     Content-Type: application/http\r\nContent-Length: {}\r\n\r\n{response}\r\n\r\n",
    ///     response.len()
    /// );
    /// let summary = files::scan_one(Opening::bytes(warc), &Options::new(), |_| ControlFlow::Continue(()));
    /// assert_eq!((summary.unread(), summary.documents()), (1, 0));
    /// ```
    pub fn unread(&self) -> u64 {
        self.unread
    }

    /// Returns the number of stored bytes of the inputs.
    ///
    /// ```
    /// use linksift::container::Opening;
    /// use linksift::files::{self, Options};
    /// use std::ops::ControlFlow;
    ///
    /// let opening = Opening::bytes(*b"see example.com");
    /// let summary = files::scan_one(opening, &Options::new(), |_| ControlFlow::Continue(()));
    /// assert_eq!(summary.stored(), 15);
    /// ```
    pub fn stored(&self) -> u64 {
        self.stored
    }

    /// Returns the number of bytes, after decompression, of the documents that were read to their end.
    ///
    /// ```
    /// use linksift::container::Opening;
    /// use linksift::files::{self, Options};
    /// use std::ops::ControlFlow;
    ///
    /// let opening = Opening::bytes(*b"see example.com");
    /// let summary = files::scan_one(opening, &Options::new(), |_| ControlFlow::Continue(()));
    /// assert_eq!(summary.bytes(), 15);
    /// ```
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Returns the number of links of the documents that were read to their end.
    ///
    /// ```
    /// use linksift::container::Opening;
    /// use linksift::files::{self, Options};
    /// use std::ops::ControlFlow;
    ///
    /// let opening = Opening::bytes(*b"see example.com");
    /// let summary = files::scan_one(opening, &Options::new(), |_| ControlFlow::Continue(()));
    /// assert_eq!(summary.links(), 1);
    /// ```
    pub fn links(&self) -> u64 {
        self.links
    }

    /// Returns `true` if the callback or a [`Cancel`](crate::Cancel) ended the run before its end.
    ///
    /// ```
    /// use linksift::container::Opening;
    /// use linksift::files::{self, Options};
    /// use std::ops::ControlFlow;
    ///
    /// let opening = Opening::bytes(*b"example.com example.org");
    /// let summary = files::scan_one(opening, &Options::new(), |_| ControlFlow::Break(()));
    /// assert!(summary.stopped());
    /// ```
    pub fn stopped(&self) -> bool {
        self.stopped
    }

    /// Counts an input that was processed, but for its stored bytes.
    pub(super) fn count(&mut self, tally: &Tally) {
        self.failed += u64::from(tally.failed || tally.members_failed);
        self.files += u64::from(!tally.failed);
        self.failures += tally.failures;
        self.documents += tally.documents;
        self.unread += tally.unread;
        self.bytes += tally.bytes;
        self.links += tally.links;
    }

    pub(super) fn add(&mut self, other: Summary) {
        self.files += other.files;
        self.failed += other.failed;
        self.failures += other.failures;
        self.documents += other.documents;
        self.unread += other.unread;
        self.stored += other.stored;
        self.bytes += other.bytes;
        self.links += other.links;
    }
}

/// Counts of an input.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    /// Bytes of its documents.
    pub(super) bytes: u64,
    /// Stored bytes of the input.
    pub(super) stored: u64,
    pub(super) links: u64,
    pub(super) documents: u64,
    pub(super) unread: u64,
    pub(super) failures: u64,
    /// Whether the input itself failed.
    pub(super) failed: bool,
    pub(super) members_failed: bool,
    pub(super) stopped: bool,
}

impl Tally {
    /// Resume point of the input after a part, if it can be resumed.
    pub(super) fn resume_point(self, unit: &WorkUnit, left: u64) -> Option<ResumePoint> {
        let Tally { bytes, links, documents, unread, failures, .. } = self;
        let failed = u64::from(self.failed) | u64::from(self.members_failed) << 1;
        let counted = [bytes, links, documents, unread, failures, failed];
        ResumePoint::after(unit, left, counted).filter(|_| !self.stopped)
    }

    /// Counts of the input before this position.
    pub(super) fn before(point: ResumePoint) -> Tally {
        let [bytes, links, documents, unread, failures, failed] = point.counted();
        let (failed, members_failed) = (failed & 1 != 0, failed & 2 != 0);
        let counted = Tally { bytes, links, documents, unread, failures, ..Tally::default() };
        Tally { failed, members_failed, ..counted }
    }

    pub(super) fn add(&mut self, other: Tally) {
        self.bytes += other.bytes;
        self.links += other.links;
        self.documents += other.documents;
        self.unread += other.unread;
        self.failures += other.failures;
        self.failed |= other.failed;
        self.members_failed |= other.members_failed;
        self.stopped |= other.stopped;
    }
}
