//! Events: what a scan comes across, of a stream, of mail, of files.
//!
//! One type for all of them, so that code that handles links is written once.

use std::fmt;
use std::path::Path;

#[cfg(feature = "files")]
use crate::container::{Member, ResumePoint};
use crate::link::{Candidate, Judged, Link, Rejected};
#[cfg(feature = "mail")]
use crate::mail::PartFound;
use crate::notice::{Notice, ScanError, Scanned};

/// An event of a scan, in the order of the input: a link, a rejected candidate, a part, a failure, a notice, an end.
///
/// Readers ([`Finder::scan_reader`](crate::Finder::scan_reader)) and feeds ([`Feed`](crate::Feed)) give links, rejected candidates
/// and the parts of mail, files (`linksift::files`) all but parts. Variants and fields are added in time: match with `..` and `_`.
///
/// From `linksift::files` the events of an input come in this order; a run that is stopped ends anywhere:
///
/// ```text
/// input    = { document | Link | Rejected | Noticed | Failed | Checkpoint } InputEnd
/// document = { document | Link | Rejected | Noticed } ( DocumentEnd | Failed )
/// ```
///
/// ```text
///             ┌────────────────────── next document ─────────────────────┐
///             ▼                                                          │
/// input ─┬─ document ── Link │ Rejected │ Noticed … ─┬─ DocumentEnd ─────┼─ Checkpoint ─┐
///        │             (as many as there are)        └─ Failed ──────────┤              ├─ InputEnd
///        ├─ Failed    (it or a member cannot be opened) ─────────────────┘              │
///        └─ Noticed   (it is not read) ─────────────────────────────────────────────────┘
/// ```
///
/// No event says that a document begins: the first link of another member or path does. Each input has one `InputEnd`, also if it failed, and
/// each document that was read to its end one `DocumentEnd` with its totals.
///
/// A document in another one is in an archive that is attached to a message. Links between documents are those in the header of an
/// HTTP response.
///
/// ```
/// use linksift::{Event, Finder, Hints};
/// use std::ops::ControlFlow;
///
/// let mut found = Vec::new();
/// let text = "http://example.com/ and http://256.1.1.1/";
/// Finder::new().scan_reader(text.as_bytes(), &Hints::new(), |event| {
///     match event {
///         Event::Link { link, .. } => found.push(link.uri().into_owned()),
///         Event::Rejected { rejected, .. } => found.push(rejected.reason().as_str().to_owned()),
///         _ => {}
///     }
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(found, ["http://example.com/", "host-ipv4"]);
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A link.
    #[non_exhaustive]
    Link {
        /// The input that it is in, as it was named; `-` for standard input, empty for a reader.
        path: &'a Path,
        /// The link.
        link: Link<'a>,
        /// The text around the link, if [requested](crate::files::Options::surroundings) and available.
        #[cfg(feature = "files")]
        surroundings: Option<Surroundings<'a>>,
    },
    /// A candidate that is no link.
    #[non_exhaustive]
    Rejected {
        /// The input that it is in, as it was named; `-` for standard input, empty for a reader.
        path: &'a Path,
        /// The candidate.
        rejected: Rejected<'a>,
    },
    /// A part of a message that holds no parts begins; the links of its fields came already.
    #[cfg(feature = "mail")]
    #[non_exhaustive]
    Part {
        /// The part.
        part: Part<'a>,
    },
    /// An input, a member of it, or something met in a walk, that cannot be opened or read to its end.
    /// Links before the error were reported already. Only `linksift::files` reports this event and those that follow.
    #[cfg(feature = "files")]
    #[non_exhaustive]
    Failed {
        /// The input.
        path: &'a Path,
        /// The member that failed; empty if it is the input itself.
        member: &'a Member,
        /// Why.
        error: ScanError,
    },
    /// Something that a reader of the links should know.
    #[cfg(feature = "files")]
    #[non_exhaustive]
    Noticed {
        /// The input.
        path: &'a Path,
        /// The member that it is about; empty if it is the input itself.
        member: &'a Member,
        /// The part of a message that it is about, as [`Link::part`] has it; see [`Scanned::notice_part`].
        part: Option<&'a str>,
        /// What it is.
        notice: Notice,
    },
    /// The end of a document that was read to its end: an input, or a member of it.
    #[cfg(feature = "files")]
    #[non_exhaustive]
    DocumentEnd {
        /// The input.
        path: &'a Path,
        /// The member; empty if it is the input itself.
        member: &'a Member,
        /// Counts of the scan, the encoding that it detected, and its notices.
        scanned: Scanned,
    },
    /// A place at which an archive can be [resumed](crate::files::Options::resume): all before it has been reported.
    #[cfg(feature = "files")]
    #[non_exhaustive]
    Checkpoint {
        /// The input.
        path: &'a Path,
        /// Where.
        point: ResumePoint,
    },
    /// The end of an input with all its members: its last event, whether it failed or not. What fails in walks has one too.
    #[cfg(feature = "files")]
    #[non_exhaustive]
    InputEnd {
        /// The input.
        path: &'a Path,
        /// The links of all its documents.
        links: u64,
        /// Whether the input itself failed; members of it may have failed anyway.
        failed: bool,
        /// Stored size of the input in bytes; of a pipe or a device, the bytes that were read.
        stored: u64,
    },
}

/// The stored bytes around a link, of the document that its offsets count in.
///
/// ```
/// use linksift::Event;
/// use linksift::container::Opening;
/// use linksift::files::{self, Options};
/// use std::ops::ControlFlow;
///
/// let mut found = Vec::new();
/// let opening = Opening::bytes(*b"please see example.com and so on");
/// files::scan_one(opening, &Options::new().surroundings(5), |event| {
///     if let Event::Link { surroundings: Some(around), .. } = event {
///         found.push((around.before.to_vec(), around.after.to_vec(), around.is_cut));
///     }
///     ControlFlow::Continue(())
/// });
/// assert_eq!(found, [(b" see ".to_vec(), b" and ".to_vec(), true)]);
/// ```
#[cfg(feature = "files")]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Surroundings<'a> {
    /// Those before it.
    pub before: &'a [u8],
    /// Those after it.
    pub after: &'a [u8],
    /// Whether the document begins before them.
    pub is_cut: bool,
    /// The bytes before the link, its own and those after it, and where the first is in the document: what results that
    /// are kept share.
    pub(crate) stored: (usize, &'a [u8]),
}

impl<'a> Event<'a> {
    /// What a candidate of this input came to.
    pub(crate) fn judged(path: &'a Path, judged: Judged<'a>) -> Event<'a> {
        match judged {
            Ok(link) => Event::Link {
                path,
                link,
                #[cfg(feature = "files")]
                surroundings: None,
            },
            Err(rejected) => Event::Rejected { path, rejected },
        }
    }

    /// Returns the link, if it is one.
    ///
    /// ```
    /// use linksift::{Finder, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// let mut hosts = Vec::new();
    /// Finder::new().scan_reader(&b"see example.com"[..], &Hints::new(), |event| {
    ///     hosts.extend(event.link().and_then(|link| Some(link.host()?.into_owned())));
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!(hosts, ["example.com"]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn link(&self) -> Option<&Link<'a>> {
        match self {
            Event::Link { link, .. } => Some(link),
            _ => None,
        }
    }

    /// Returns the link or the rejected candidate, as the iterator [`Candidates`](crate::Candidates) gives them.
    ///
    /// ```
    /// use linksift::{Finder, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// let mut all = Vec::new();
    /// Finder::new().scan_reader(&b"see example.com"[..], &Hints::new(), |event| {
    ///     let candidate = event.into_candidate();
    ///     all.extend(candidate.map(|one| one.is_link()));
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!(all, [true]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn into_candidate(self) -> Option<Candidate<'a>> {
        match self {
            Event::Link { link, .. } => Some(Candidate::Link(link)),
            Event::Rejected { rejected, .. } => Some(Candidate::Rejected(rejected)),
            #[cfg(any(feature = "files", feature = "mail"))]
            _ => None,
        }
    }
}

/// An event of a reader, which has no name.
impl<'a> From<Candidate<'a>> for Event<'a> {
    fn from(candidate: Candidate<'a>) -> Event<'a> {
        Event::judged(Path::new(""), candidate.into_result())
    }
}

/// A part of a message that holds no parts, as its header tells of it; see [`Finder::scan_reader`](crate::Finder::scan_reader).
///
/// ```
/// use linksift::{Event, Finder, Format, Hints};
/// use std::ops::ControlFlow;
///
/// let bytes = b"Content-Type: text/html; name=a.html\n\n<p>";
/// let mut found = Vec::new();
/// Finder::new().scan_reader(&bytes[..], &Hints::new().format(Format::Email), |event| {
///     if let Event::Part { part, .. } = event {
///         found.push((part.content_type(), part.name()));
///     }
///     ControlFlow::Continue(())
/// }).unwrap();
/// assert_eq!(found, [(Some("text/html".to_owned()), Some("a.html".to_owned()))]);
/// ```
#[cfg(feature = "mail")]
pub struct Part<'a>(pub(crate) PartFound<'a>);

#[cfg(feature = "mail")]
impl Part<'_> {
    /// Returns the place of the part: the number of the message in its mailbox, `!`, and the section as IMAP numbers it, as
    /// [`Link::part`] has it.
    ///
    /// ```
    /// use linksift::{Event, Finder, Format, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// let bytes = b"Content-Type: multipart/mixed; boundary=x\n\n--x\n\na\n--x\n\nb\n--x--\n";
    /// let mut found = Vec::new();
    /// Finder::new().scan_reader(&bytes[..], &Hints::new().format(Format::Email), |event| {
    ///     if let Event::Part { part, .. } = event {
    ///         found.push(part.part().map(str::to_owned));
    ///     }
    ///     ControlFlow::Continue(())
    /// }).unwrap();
    /// assert_eq!(found, [Some("1".to_owned()), Some("2".to_owned())]);
    /// ```
    pub fn part(&self) -> Option<&str> {
        self.0.part
    }

    /// Returns the message of an Outlook store that holds the part, as [`Link::member`] has it; `None` in other messages.
    ///
    /// ```
    /// use linksift::{Event, Finder, Format, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// Finder::new().scan_reader(&b"Subject: a\n\nx"[..], &Hints::new().format(Format::Email), |event| {
    ///     if let Event::Part { part, .. } = event {
    ///         assert_eq!(part.member(), None);
    ///     }
    ///     ControlFlow::Continue(())
    /// }).unwrap();
    /// ```
    pub fn member(&self) -> Option<&str> {
        self.0.member
    }

    /// Returns the identifier of the message that holds it, without `<>`.
    ///
    /// ```
    /// use linksift::{Event, Finder, Format, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// let bytes = b"Message-ID: <1@e.com>\nSubject: a\n\nx";
    /// let mut found = Vec::new();
    /// Finder::new().scan_reader(&bytes[..], &Hints::new().format(Format::Email), |event| {
    ///     if let Event::Part { part, .. } = event {
    ///         found.push(part.message_id().map(str::to_owned));
    ///     }
    ///     ControlFlow::Continue(())
    /// }).unwrap();
    /// assert_eq!(found, [Some("1@e.com".to_owned())]);
    /// ```
    pub fn message_id(&self) -> Option<&str> {
        self.0.message_id
    }

    /// Returns the type that the part's header names, in lower case: `text/html`; `None` without one.
    ///
    /// ```
    /// use linksift::{Event, Finder, Format, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// let bytes = b"Content-Type: Text/HTML; charset=utf-8\n\n<p>";
    /// let mut found = Vec::new();
    /// Finder::new().scan_reader(&bytes[..], &Hints::new().format(Format::Email), |event| {
    ///     if let Event::Part { part, .. } = event {
    ///         found.push(part.content_type());
    ///     }
    ///     ControlFlow::Continue(())
    /// }).unwrap();
    /// assert_eq!(found, [Some("text/html".to_owned())]);
    /// ```
    pub fn content_type(&self) -> Option<String> {
        self.0.head.mime_type().map(Into::into)
    }

    /// Returns the name of the file that the part was, decoded as UTF-8.
    ///
    /// ```
    /// use linksift::{Event, Finder, Format, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// let bytes = b"Content-Disposition: attachment; filename*=utf-8''%C3%A9.txt\n\nx";
    /// let mut found = Vec::new();
    /// Finder::new().scan_reader(&bytes[..], &Hints::new().format(Format::Email), |event| {
    ///     if let Event::Part { part, .. } = event {
    ///         found.push(part.name());
    ///     }
    ///     ControlFlow::Continue(())
    /// }).unwrap();
    /// assert_eq!(found, [Some("é.txt".to_owned())]);
    /// ```
    pub fn name(&self) -> Option<String> {
        self.0.head.name().map(|name| String::from_utf8_lossy(&name).into_owned())
    }

    /// Returns the label of the part's charset, as it is written.
    ///
    /// ```
    /// use linksift::{Event, Finder, Format, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// let bytes = b"Content-Type: text/plain; charset=Latin1\n\nx";
    /// let mut found = Vec::new();
    /// Finder::new().scan_reader(&bytes[..], &Hints::new().format(Format::Email), |event| {
    ///     if let Event::Part { part, .. } = event {
    ///         found.push(part.charset_label());
    ///     }
    ///     ControlFlow::Continue(())
    /// }).unwrap();
    /// assert_eq!(found, [Some("Latin1".to_owned())]);
    /// ```
    pub fn charset_label(&self) -> Option<String> {
        self.0.head.charset_label().map(|label| String::from_utf8_lossy(&label).into_owned())
    }

    /// Returns where the part's content begins in the stored bytes of the whole input; `None` in a message that is itself
    /// encoded.
    ///
    /// ```
    /// use linksift::{Event, Finder, Format, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// let bytes = b"Subject: a\n\nsee example.com";
    /// let mut found = Vec::new();
    /// Finder::new().scan_reader(&bytes[..], &Hints::new().format(Format::Email), |event| {
    ///     if let Event::Part { part, .. } = event {
    ///         found.push(part.start());
    ///     }
    ///     ControlFlow::Continue(())
    /// }).unwrap();
    /// assert_eq!(found, [Some(12)]);
    /// ```
    pub fn start(&self) -> Option<u64> {
        self.0.start.map(|start| start as u64)
    }
}

#[cfg(feature = "mail")]
impl fmt::Debug for Part<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (part, kind) = (self.part(), self.content_type());
        f.debug_struct("Part").field("part", &part).field("type", &kind).finish_non_exhaustive()
    }
}
