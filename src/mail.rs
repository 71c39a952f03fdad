//! Mail for programs: the parts of messages, and their links with places in the stored bytes.
//!
//! [`message`] goes through a message that is in memory, [`mailbox`] through a mailbox that a reader gives.
//! Both tell of each part before its links. Who wants the links alone gives a message or a mailbox to
//! [`Finder::document`] or [`Finder::scan_reader`] as any other document, with
//! [`Format::Email`](crate::Format::Email), [`Format::Mbox`](crate::Format::Mbox) or
//! [`Format::Auto`](crate::Format::Auto).
//!
//! ```
//! use linksift::Event;
//! use linksift::mail::{self, Options};
//! use std::ops::ControlFlow;
//!
//! let bytes = b"Subject: news\nContent-Transfer-Encoding: quoted-printable\n\nsee http://e.com/?a=3D1=\n2 now";
//! let mut found = Vec::new();
//! mail::message(bytes, &Options::new(), |event| {
//!     if let Event::Link { link, .. } = event {
//!         found.push((link.uri().into_owned(), bytes[link.range()].to_vec()));
//!     }
//!     ControlFlow::Continue(())
//! });
//! assert_eq!(found, [("http://e.com/?a=12".to_owned(), b"http://e.com/?a=3D1=\n2".to_vec())]);
//! ```

use std::io::{self, Read};
use std::ops::ControlFlow;

use crate::document::Hints;
use crate::event::Event;
pub use crate::event::Part;
use crate::finder::Finder;
use crate::guard::{Guarded, is_cancelled, says_cancelled};
use crate::message::{Feed, Found, Mail};
use crate::notice::{Notice, Scanned};
use crate::sniff::mail::Kind;
use crate::stream::cut::{Watch, Watched};

/// How mail is gone through: the finder, and what is wanted of it.
///
/// ```
/// use linksift::{Finder, Headers, Hints, mail::Options};
///
/// let finder = Finder::builder().emails(false).build();
/// let options = Options::new().finder(finder).hints(Hints::new().headers(Headers::All));
/// ```
#[derive(Clone, Debug, Default)]
pub struct Options {
    finder: Finder,
    hints: Hints,
}

impl Options {
    /// The default finder, positions not counted.
    ///
    /// ```
    /// use linksift::mail::{self, Options};
    /// use std::ops::ControlFlow;
    ///
    /// let bytes = b"Subject: news\n\nsee http://e.com/";
    /// let scanned = mail::message(bytes, &Options::new(), |_| ControlFlow::Continue(()));
    /// assert_eq!(scanned.links(), 1);
    /// ```
    pub fn new() -> Options {
        Options::default()
    }

    /// The finder. Default: [`Finder::new`].
    ///
    /// ```
    /// use linksift::Finder;
    /// use linksift::mail::{self, Options};
    /// use std::ops::ControlFlow;
    ///
    /// let options = Options::new().finder(Finder::builder().emails(false).build());
    /// let bytes = b"Subject: news\n\nsee http://e.com/ or ask me@e.com";
    /// let scanned = mail::message(bytes, &options, |_| ControlFlow::Continue(()));
    /// assert_eq!(scanned.links(), 1);
    /// ```
    pub fn finder(mut self, finder: Finder) -> Self {
        self.finder = finder;
        self
    }

    /// What is wanted: which headers are read, whether positions are counted, and so on. The format is
    /// not looked at; the charset is for parts that name none.
    ///
    /// ```
    /// use linksift::{Event, Headers, Hints};
    /// use linksift::mail::{self, Options};
    /// use std::ops::ControlFlow;
    ///
    /// let options = Options::new().hints(Hints::new().headers(Headers::All).positions(true));
    /// let mut found = Vec::new();
    /// mail::message(b"From: me@e.com\nX-Trace: http://e.com/1\n\n", &options, |event| {
    ///     if let Event::Link { link, .. } = event {
    ///         found.push((link.iri().into_owned(), link.position().map(|position| position.line)));
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// let expected = [("mailto:me@e.com", Some(1)), ("http://e.com/1", Some(2))];
    /// assert_eq!(found, expected.map(|(iri, line)| (iri.to_owned(), line)));
    /// ```
    pub fn hints(mut self, hints: Hints) -> Self {
        self.hints = hints;
        self
    }
}

/// Goes through a message that is in memory, and hands what comes up to `each`, in stored order.
/// [`ControlFlow::Break`] ends it.
///
/// ```
/// use linksift::Event;
/// use linksift::mail::{self, Options};
/// use std::ops::ControlFlow;
///
/// let bytes = b"Content-Type: text/plain; charset=utf-8\n\nx";
/// let mut types = Vec::new();
/// mail::message(bytes, &Options::new(), |event| {
///     if let Event::Part { part, .. } = event {
///         types.extend(part.content_type());
///     }
///     ControlFlow::Continue(())
/// });
/// assert_eq!(types, ["text/plain"]);
/// ```
pub fn message(
    bytes: &[u8],
    options: &Options,
    each: impl FnMut(Event<'_>) -> ControlFlow<()>,
) -> Scanned {
    run(&mut Feed::whole(bytes), options, Kind::Message, &Watch::default(), each)
}

/// Goes through a mailbox (mboxo, mboxrd, mboxcl, mboxcl2) in bounded memory, and hands what comes up to
/// `each`, in stored order.
///
/// # Errors
///
/// What the reader fails with, after what it gave before was gone through; a link at the very end of that may be
/// cut and is left out; an error of the kind
/// [`FileTooLarge`](io::ErrorKind::FileTooLarge), after all before it, where offsets have 32 bits and it
/// gives more than they count.
///
/// ```
/// use linksift::Event;
/// use linksift::mail::{self, Options};
/// use std::ops::ControlFlow;
///
/// let bytes = b"From a\nSubject: a\n\nx\n\nFrom b\nSubject: b\n\nsee example.com";
/// let mut parts = Vec::new();
/// mail::mailbox(&bytes[..], &Options::new(), |event| {
///     if let Event::Link { link, .. } = event {
///         parts.extend(link.part().map(str::to_owned));
///     }
///     ControlFlow::Continue(())
/// })?;
/// assert_eq!(parts, ["2!1"]);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn mailbox(
    reader: impl Read,
    options: &Options,
    each: impl FnMut(Event<'_>) -> ControlFlow<()>,
) -> io::Result<Scanned> {
    let watch = Watch::default();
    let mut reader = Watched::new(Guarded::new(reader, options.hints.cancel.as_ref()), &watch);
    let mut feed = Feed::stream(Vec::new(), &mut reader);
    let scanned = run(&mut feed, options, Kind::Mailbox, &watch, each);
    match feed.take_failure() {
        Some(error) if says_cancelled(&error) => Ok(Scanned { stopped: true, ..scanned }),
        Some(error) if !scanned.stopped() => Err(error),
        _ => Ok(scanned),
    }
}

fn run(
    feed: &mut Feed<'_>,
    options: &Options,
    kind: Kind,
    watch: &Watch,
    mut each: impl FnMut(Event<'_>) -> ControlFlow<()>,
) -> Scanned {
    let Options { finder, hints } = options;
    let mut mail = Mail::new(finder, hints, kind);
    let mut links = 0;
    let flow = mail.run(feed, &mut |found| {
        if is_cancelled(hints.cancel.as_ref()) {
            return ControlFlow::Break(());
        }
        let event = match found {
            Found::Part(found) => Event::Part { part: Part(found) },
            Found::Judged(judged) if watch.is_cut(&judged) => return ControlFlow::Continue(()),
            Found::Judged(judged) => Event::from(judged),
            Found::Attachment(_) | Found::Unread => return ControlFlow::Continue(()),
        };
        links += u64::from(event.link().is_some());
        each(event)
    });
    let notices = mail.remarks().iter().map(|remark| Notice::of_mail(*remark)).collect();
    Scanned::of_mail(feed.end(), links, flow.is_break(), notices)
}
