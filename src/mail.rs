//! Mail for programs: the parts of messages, and their links with places in the stored bytes.
//!
//! [`message`] goes through a message that is in memory, [`mailbox`] through a mailbox that a reader gives.
//! Both tell of each part before its links. Who wants the links alone gives a message or a mailbox to
//! [`Finder::document`] or [`Finder::scan_reader`] as any other document, with
//! [`Format::Email`](crate::Format::Email), [`Format::Mbox`](crate::Format::Mbox) or
//! [`Format::Auto`](crate::Format::Auto).
//!
//! ```
//! use linksift::mail::{self, Event, Options};
//! use std::ops::ControlFlow;
//!
//! let bytes = b"Subject: news\nContent-Transfer-Encoding: quoted-printable\n\nsee http://e.com/?a=3D1=\n2 now";
//! let mut found = Vec::new();
//! mail::message(bytes, &Options::new(), |event| {
//!     if let Event::Link(link) = event {
//!         found.push((link.uri().into_owned(), bytes[link.range()].to_vec()));
//!     }
//!     ControlFlow::Continue(())
//! });
//! assert_eq!(found, [("http://e.com/?a=12".to_owned(), b"http://e.com/?a=3D1=\n2".to_vec())]);
//! ```

use std::io::{self, Read};
use std::ops::ControlFlow;

use crate::document::Hints;
use crate::finder::Finder;
use crate::link::{Link, Rejected};
use crate::message::known::Kind;
use crate::message::{Feed, Found, Mail, PartFound};
use crate::stream::{Notice, Scanned};

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
    pub fn new() -> Options {
        Options::default()
    }

    /// The finder. Default: [`Finder::new`].
    pub fn finder(mut self, finder: Finder) -> Self {
        self.finder = finder;
        self
    }

    /// What is wanted: which headers are read, whether positions are counted, and so on. The format is
    /// not looked at; the charset is for parts that name none.
    pub fn hints(mut self, hints: Hints) -> Self {
        self.hints = hints;
        self
    }
}

/// What comes up in mail.
#[non_exhaustive]
pub enum Event<'a> {
    /// A part that holds no parts begins; the links of its fields came already.
    Part(Part<'a>),
    /// A link.
    Link(Link<'a>),
    /// A candidate that is no link.
    Rejected(Rejected<'a>),
}

/// A part that holds no parts, as its header tells of it.
pub struct Part<'a>(PartFound<'a>);

impl Part<'_> {
    /// Its place: the number of the message in its mailbox, `!`, and the section as IMAP numbers it, as
    /// [`Link::part`] has it.
    pub fn part(&self) -> Option<&str> {
        self.0.part
    }

    /// The identifier of the message that holds it, without `<>`.
    pub fn message_id(&self) -> Option<&str> {
        self.0.message_id
    }

    /// The type in its header, in lower case: `text/html`; `None` if there is none.
    pub fn content_type(&self) -> Option<String> {
        self.0.head.mime_type()
    }

    /// The name of the file that it was, decoded as UTF-8.
    pub fn name(&self) -> Option<String> {
        self.0.head.name().map(|name| String::from_utf8_lossy(&name).into_owned())
    }

    /// The label of its charset, as it is written.
    pub fn charset_label(&self) -> Option<String> {
        self.0.head.charset_label().map(|label| String::from_utf8_lossy(&label).into_owned())
    }

    /// Where its content begins in the stored bytes; `None` in a message that is itself encoded.
    pub fn start(&self) -> Option<usize> {
        self.0.start
    }
}

impl<'a> From<Found<'a>> for Event<'a> {
    fn from(found: Found<'a>) -> Event<'a> {
        match found {
            Found::Part(found) => Event::Part(Part(found)),
            Found::Judged(Ok(link)) => Event::Link(link),
            Found::Judged(Err(rejected)) => Event::Rejected(rejected),
        }
    }
}

/// Goes through a message that is in memory, and hands what comes up to `each`, in stored order.
/// [`ControlFlow::Break`] ends it.
///
/// ```
/// use linksift::mail::{self, Event, Options};
/// use std::ops::ControlFlow;
///
/// let bytes = b"Content-Type: text/plain; charset=utf-8\n\nx";
/// mail::message(bytes, &Options::new(), |event| {
///     if let Event::Part(part) = event {
///         assert_eq!(part.content_type().as_deref(), Some("text/plain"));
///     }
///     ControlFlow::Continue(())
/// });
/// ```
pub fn message(
    bytes: &[u8],
    options: &Options,
    each: impl FnMut(Event<'_>) -> ControlFlow<()>,
) -> Scanned {
    run(&mut Feed::whole(bytes), options, Kind::Message, each)
}

/// Goes through a mailbox (mboxo, mboxrd, mboxcl, mboxcl2) in bounded memory, and hands what comes up to
/// `each`, in stored order.
///
/// # Errors
///
/// What the reader fails with, after what it gave before was gone through.
///
/// ```
/// use linksift::mail::{self, Event, Options};
/// use std::ops::ControlFlow;
///
/// let bytes = b"From a\nSubject: a\n\nx\n\nFrom b\nSubject: b\n\nsee example.com";
/// mail::mailbox(&bytes[..], &Options::new(), |event| {
///     if let Event::Link(link) = event {
///         assert_eq!(link.part(), Some("2!1"));
///     }
///     ControlFlow::Continue(())
/// })?;
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn mailbox(
    mut reader: impl Read,
    options: &Options,
    each: impl FnMut(Event<'_>) -> ControlFlow<()>,
) -> io::Result<Scanned> {
    let mut feed = Feed::stream(Vec::new(), &mut reader);
    let scanned = run(&mut feed, options, Kind::Mailbox, each);
    match feed.take_failure() {
        Some(error) if !scanned.stopped() => Err(error),
        _ => Ok(scanned),
    }
}

fn run(
    feed: &mut Feed<'_>,
    options: &Options,
    kind: Kind,
    mut each: impl FnMut(Event<'_>) -> ControlFlow<()>,
) -> Scanned {
    let Options { finder, hints } = options;
    let mut mail = Mail::new(finder, hints, kind);
    let mut links = 0;
    let flow = mail.run(feed, &mut |found| {
        links += u64::from(matches!(found, Found::Judged(Ok(_))));
        each(Event::from(found))
    });
    let notices = mail.remarks().iter().map(|remark| Notice::of_mail(*remark)).collect();
    Scanned::of_mail(feed.end(), links, flow.is_break(), notices)
}
