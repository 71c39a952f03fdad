//! Documents for programs: an archive in, one document after the other out, for who scans, indexes or
//! stores them.

use std::fmt;
use std::fs::File;
use std::io::{self, Read};
use std::ops::ControlFlow;
use std::sync::Arc;

use super::limits::Limits;
use super::member::Member;
use super::metadata::{DocumentInfo, HeaderLink};
use super::source::{FileSource, Source, SourceRange};
use super::walk::{ContainerWalk, StartPosition, WalkInput};
use super::work_unit::{Visitor, WorkUnit};
use crate::context::Context;
use crate::detect::document::{Declared, Disposition, Hints};
use crate::link::Repeated;
use crate::notice::{Notice, ScanError};

/// Something to open: a file, bytes, a reader.
///
/// Its name decides only where its bytes do not: brotli, lzma and old tars have no magic number.
///
/// ```
/// use linksift::container::Opening;
///
/// let opening = Opening::bytes(*b"see example.com").name("notes.txt");
/// ```
#[must_use]
pub struct Opening<'o> {
    pub(crate) name: Vec<u8>,
    pub(crate) reader: Box<dyn Read + Send + 'o>,
    pub(crate) source: Option<Arc<dyn Source>>,
}

impl fmt::Debug for Opening<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let name = self.name.escape_ascii().to_string();
        f.debug_struct("Opening").field("name", &name).finish_non_exhaustive()
    }
}

impl<'o> Opening<'o> {
    /// Bytes that can be read anywhere: a zip is read where it is.
    ///
    /// ```
    /// use linksift::container::{self, Found, Limits, Opening};
    /// use std::io::Read;
    /// use std::ops::ControlFlow;
    ///
    /// let source = std::sync::Arc::new(b"see example.com".to_vec());
    /// let mut text = String::new();
    /// container::documents(Opening::source(source), &Limits::new(), |found| {
    ///     if let Found::Document(mut document) = found {
    ///         document.read_to_string(&mut text).expect("it is in memory");
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(text, "see example.com");
    /// ```
    pub fn source(source: Arc<dyn Source>) -> Opening<'o> {
        let reader = Box::new(SourceRange::whole(Arc::clone(&source)));
        Opening { name: Vec::new(), reader, source: Some(source) }
    }

    /// An open file, read at any offset.
    ///
    /// ```
    /// use linksift::container::{self, Found, Limits, Opening};
    /// use std::io::Read;
    /// use std::ops::ControlFlow;
    ///
    /// # let path = std::env::temp_dir().join(format!("linksift-opening-{}", std::process::id()));
    /// std::fs::write(&path, "see example.com")?;
    /// let mut text = String::new();
    /// container::documents(Opening::file(std::fs::File::open(&path)?), &Limits::new(), |found| {
    ///     if let Found::Document(mut document) = found {
    ///         document.read_to_string(&mut text).expect("it was just written");
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(text, "see example.com");
    /// # std::fs::remove_file(path)?;
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn file(file: File) -> Opening<'o> {
        Opening::source(Arc::new(FileSource::new(file)))
    }

    /// Bytes in memory.
    ///
    /// ```
    /// use linksift::container::Opening;
    ///
    /// let opening = Opening::bytes(*b"see example.com").name("notes.txt");
    /// ```
    pub fn bytes(bytes: impl Into<Vec<u8>>) -> Opening<'o> {
        Opening::source(Arc::new(bytes.into()))
    }

    /// A stream. A zip in it is kept first: 16 MiB in memory, more in a file without a name in the
    /// system's folder for such.
    ///
    /// ```
    /// use linksift::container::Opening;
    ///
    /// let opening = Opening::reader(&b"see example.com"[..]).name("notes.txt");
    /// ```
    pub fn reader(reader: impl Read + Send + 'o) -> Opening<'o> {
        Opening { name: Vec::new(), reader: Box::new(reader), source: None }
    }

    /// Sets the name of the input, whose ending is used for detection. Default: no name.
    ///
    /// ```
    /// use linksift::container::{self, Found, Limits, Opening};
    /// use std::ops::ControlFlow;
    ///
    /// let opening = Opening::bytes(*b"see example.com").name("notes.txt");
    /// let mut names = Vec::new();
    /// container::documents(opening, &Limits::new(), |found| {
    ///     if let Found::Document(document) = found {
    ///         names.push(document.name().to_vec());
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(names, [b"notes.txt"]);
    /// ```
    pub fn name(mut self, name: impl AsRef<[u8]>) -> Self {
        self.name = name.as_ref().to_vec();
        self
    }
}

/// A document or a failure that is met in an archive.
///
/// ```
/// use linksift::container::{self, Found, Limits, Opening};
/// use std::ops::ControlFlow;
///
/// // `ar` is an archive of `notes.txt`, with other bytes after it.
/// # let ar = format!("!<arch>\n{:<48}{:<10}`\nsee example.org\n?", "notes.txt/", 15);
/// let mut told = Vec::new();
/// container::documents(Opening::bytes(ar), &Limits::new(), |found| {
///     told.push(match found {
///         Found::Document(document) => document.member().as_str().to_owned(),
///         Found::Failed { error, .. } => error.to_string(),
///         _ => "something else".to_owned(),
///     });
///     ControlFlow::Continue(())
/// });
/// assert_eq!(told, ["notes.txt", "ar header truncated at byte 84"]);
/// ```
#[non_exhaustive]
#[derive(Debug)]
pub enum Found<'f> {
    /// A document.
    Document(DocumentReader<'f>),
    /// A member, or the archive itself (an empty member), that could not be read, or not to its end.
    #[non_exhaustive]
    Failed {
        /// Member that failed.
        member: &'f Member,
        /// Why.
        error: ScanError,
    },
    /// A notice for the reader of the documents.
    #[non_exhaustive]
    Noticed {
        /// Member that the notice is about.
        member: &'f Member,
        /// Notice.
        notice: Notice,
    },
    /// A reference in the header of an HTTP response: in `Location`, `Content-Location`, `Refresh`, `Link`.
    #[non_exhaustive]
    Reference {
        /// The record.
        member: &'f Member,
        /// The IRI that the response is of, which it is resolved against.
        source: Option<&'f str>,
        /// Context of the link: `header:location`.
        context: Context<'static>,
        /// The link as written.
        text: String,
    },
}

/// A document in an archive, or an input that is not an archive: a reader of its decompressed bytes, with the facts that
/// its container states. Bytes that are not read are skipped.
///
/// ```
/// use linksift::container::{self, Found, Limits, Opening};
/// use std::io::Read;
/// use std::ops::ControlFlow;
///
/// // `ar` is an archive of one file, `notes.txt`.
/// # let ar = format!("!<arch>\n{:<48}{:<10}`\nsee example.com", "notes.txt/", 15);
/// let mut texts = Vec::new();
/// container::documents(Opening::bytes(ar), &Limits::new(), |found| {
///     if let Found::Document(mut document) = found {
///         let mut text = String::new();
///         document.read_to_string(&mut text).expect("it is in memory");
///         texts.push((document.member().as_str().to_owned(), text));
///     }
///     ControlFlow::Continue(())
/// });
/// assert_eq!(texts, [("notes.txt".to_owned(), "see example.com".to_owned())]);
/// ```
pub struct DocumentReader<'d> {
    info: &'d DocumentInfo<'d>,
    reader: &'d mut dyn Read,
}

impl fmt::Debug for DocumentReader<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("DocumentReader").field(self.member()).finish()
    }
}

impl DocumentReader<'_> {
    /// Returns the member of the document; empty if the input is not an archive.
    ///
    /// ```
    /// use linksift::container::{self, Found, Limits, Opening};
    /// use std::ops::ControlFlow;
    ///
    /// // `ar` makes an archive of one file.
    /// # let ar = |name: &str, content: &str| {
    /// #     format!("!<arch>\n{name:<48}{:<10}`\n{content}", content.len())
    /// # };
    /// let nested = ar("old.ar/", &ar("notes.txt/", "see example.com"));
    /// let mut members = Vec::new();
    /// container::documents(Opening::bytes(nested), &Limits::new(), |found| {
    ///     if let Found::Document(document) = found {
    ///         members.push(document.member().as_str().to_owned());
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(members, ["old.ar!notes.txt"]);
    /// ```
    pub fn member(&self) -> &Member {
        self.info.member
    }

    /// The document's own name as stored, without the archive's; empty if it has none.
    ///
    /// ```
    /// use linksift::container::{self, Found, Limits, Opening};
    /// use std::ops::ControlFlow;
    ///
    /// // `ar` is an archive of one file, whose name is in windows-1252.
    /// # let mut ar = format!("!<arch>\n{:<48}{:<10}`\nsee example.com", "?.txt/", 15).into_bytes();
    /// # ar[8] = 0xE9;
    /// let mut names = Vec::new();
    /// container::documents(Opening::bytes(ar), &Limits::new(), |found| {
    ///     if let Found::Document(document) = found {
    ///         names.push(document.name().to_vec());
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(names, [b"\xE9.txt"]);
    /// ```
    pub fn name(&self) -> &[u8] {
        self.info.name
    }

    /// The document's own IRI: the target of a record in a crawl.
    ///
    /// ```
    /// use linksift::container::{self, Found, Limits, Opening};
    /// use std::ops::ControlFlow;
    ///
    /// let warc = "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://e.com/a\r\n\
    ///     Content-Type: text/html\r\nContent-Length: 16\r\n\r\n<a href=b>b</a>\n\r\n\r\n";
    /// let mut sources = Vec::new();
    /// container::documents(Opening::bytes(warc), &Limits::new(), |found| {
    ///     if let Found::Document(document) = found {
    ///         sources.extend(document.source().map(str::to_owned));
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(sources, ["http://e.com/a"]);
    /// ```
    pub fn source(&self) -> Option<&str> {
        self.info.metadata.source.as_ref().map(|source| source.as_str())
    }

    /// Whether the document is text: no known binary format, nor declared or named as one; of its first 8 KiB no more
    /// than
    /// one byte in sixteen is a control character, and none is NUL if nothing is said of it; or it is UTF-16, or mail.
    ///
    /// ```
    /// use linksift::container::{self, Found, Limits, Opening};
    /// use std::ops::ControlFlow;
    ///
    /// let is_text = |bytes: &[u8]| {
    ///     let mut is_text = None;
    ///     container::documents(Opening::bytes(bytes), &Limits::new(), |found| {
    ///         if let Found::Document(document) = found {
    ///             is_text = Some(document.is_text());
    ///         }
    ///         ControlFlow::Continue(())
    ///     });
    ///     is_text
    /// };
    /// assert_eq!(is_text(b"see example.com"), Some(true));
    /// assert_eq!(is_text(b"\x7FELF see example.com"), Some(false));
    /// ```
    pub fn is_text(&self) -> bool {
        self.info.detection.disposition == Disposition::Text
    }

    /// The hints that the container gives of the document, beside those that hold for all: format, charset, name,
    /// base.
    ///
    /// ```
    /// use linksift::container::{self, Found, Limits, Opening};
    /// use linksift::{Finder, Format, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// let warc = "WARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://e.com/a\r\n\
    ///     Content-Type: text/html\r\nContent-Length: 16\r\n\r\n<a href=b>b</a>\n\r\n\r\n";
    /// let (finder, of_all) = (Finder::new(), Hints::new().format(Format::Auto));
    /// let mut links = Vec::new();
    /// container::documents(Opening::bytes(warc), &Limits::new(), |found| {
    ///     if let Found::Document(mut document) = found {
    ///         let hints = document.hints(&of_all);
    ///         let scanned = finder.scan_reader(&mut document, &hints, |event| {
    ///             links.extend(event.link().map(|link| link.uri().into_owned()));
    ///             ControlFlow::Continue(())
    ///         });
    ///         assert!(scanned.is_ok());
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// // The type is that of the record, and so is the base.
    /// assert_eq!(links, ["http://e.com/b"]);
    /// ```
    pub fn hints(&self, of_all: &Hints) -> Hints {
        self.info.hints(of_all)
    }
}

impl Read for DocumentReader<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        self.reader.read(to)
    }
}

/// Opens a compressed file or an archive, with those inside it, and calls `each` with each document in stored
/// order; [`ControlFlow::Break`] ends the walk. Any other input is one document.
///
/// Nothing is kept between calls, and no thread is started: many archives can be read side by
/// side. An error of reading a document is reported as [`Found::Failed`] if `each` met it or read to its end.
///
/// ```
/// use linksift::container::{self, Found, Limits, Opening};
/// use linksift::{Finder, Format, Hints};
/// use std::ops::ControlFlow;
///
/// // `tar` is an archive of one file, `notes.txt`.
/// # let mut tar = vec![0; 512];
/// # tar[..9].copy_from_slice(b"notes.txt");
/// # tar[124..136].copy_from_slice(b"00000000015 ");
/// # tar[148..156].fill(b' ');
/// # tar[257..263].copy_from_slice(b"ustar\0");
/// # let sum: u32 = tar.iter().map(|byte| u32::from(*byte)).sum();
/// # tar[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
/// # tar.extend(b"a example.com");
/// # tar.resize(1024, 0);
///
/// let (finder, hints) = (Finder::new(), Hints::new().format(Format::Auto));
/// let mut found = Vec::new();
/// container::documents(Opening::bytes(tar), &Limits::new(), |what| {
///     if let Found::Document(mut document) = what {
///         let member = document.member().as_str().to_owned();
///         let hints = document.hints(&hints);
///         let scanned = finder.scan_reader(&mut document, &hints, |event| {
///             found.extend(event.link().map(|link| format!("{member} {}", link.uri())));
///             ControlFlow::Continue(())
///         });
///         assert!(scanned.is_ok());
///     }
///     ControlFlow::Continue(())
/// });
/// assert_eq!(found, ["notes.txt https://example.com"]);
/// ```
pub fn documents<F>(opening: Opening<'_>, limits: &Limits, each: F)
where
    F: FnMut(Found<'_>) -> ControlFlow<()>,
{
    let Opening { name, reader, source } = opening;
    let mut visitor = Each { each, is_stopped: false };
    let (declared, begin) = (Declared::Nothing, StartPosition::default());
    let input = WalkInput { name: &name, reader, source, is_live: false, declared, begin };
    ContainerWalk::new(limits, true).input(input, &mut visitor);
}

struct Each<F> {
    each: F,
    is_stopped: bool,
}

impl<F: FnMut(Found<'_>) -> ControlFlow<()>> Each<F> {
    fn give(&mut self, found: Found<'_>) {
        if !self.is_stopped {
            self.is_stopped = (self.each)(found).is_break();
        }
    }
}

/// Reader that keeps the error with which it fails.
struct FailureRecorder<'w> {
    reader: &'w mut dyn Read,
    failure: Option<io::Error>,
}

impl Read for FailureRecorder<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        self.reader.read(to).map_err(|error| {
            if error.kind() == io::ErrorKind::Interrupted {
                return error;
            }
            let shown = io::Error::new(error.kind(), error.to_string());
            self.failure.get_or_insert(error);
            shown
        })
    }
}

impl<F: FnMut(Found<'_>) -> ControlFlow<()>> Visitor for Each<F> {
    fn document(&mut self, info: &DocumentInfo<'_>, reader: &mut dyn Read) -> io::Result<()> {
        if let Some(notice) = Notice::of_disposition(info.detection.disposition) {
            self.noticed(info.member, notice);
        }
        let mut watched = FailureRecorder { reader, failure: None };
        self.give(Found::Document(DocumentReader { info, reader: &mut watched }));
        watched.failure.map_or(Ok(()), Err)
    }

    fn failed(&mut self, member: &Member, error: io::Error) {
        self.give(Found::Failed { member, error: error.into() });
    }

    fn noticed(&mut self, member: &Member, notice: Notice) {
        self.give(Found::Noticed { member, notice });
    }

    fn value(&mut self, info: &DocumentInfo<'_>, link: HeaderLink, _: &mut Repeated) {
        let (member, source) = (info.member, info.metadata.source.as_ref());
        let source = source.map(|source| source.as_str());
        let HeaderLink { context, text, .. } = link;
        let context = context.shown();
        self.give(Found::Reference { member, source, context, text });
    }

    fn unit(&mut self, unit: WorkUnit, walk: &mut ContainerWalk<'_>) {
        unit.run(walk, self);
    }

    fn is_stopped(&self) -> bool {
        self.is_stopped
    }
}
