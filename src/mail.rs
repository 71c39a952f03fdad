//! Mail for programs: the parts of messages, and their links with places in the stored bytes.

use std::io::Read;
use std::ops::ControlFlow;

use crate::document::Hints;
use crate::event::{Event, Part};
use crate::finder::Finder;
use crate::guard::{Guarded, is_cancelled, says_cancelled};
use crate::message::{MailEvent, MailScanner, MessageBuffer};
use crate::notice::{ScanError, Scanned};
use crate::sniff::mail::MailKind;
use crate::stream::cut::{Watch, Watched};

impl Finder {
    /// Goes through a message that is in memory (RFC 5322 and MIME), and hands each part and each link to `each`, in stored
    /// order; a part comes before its links. [`ControlFlow::Break`] ends it.
    ///
    /// Who wants the links alone gives the message to [`Finder::document`] as any other document. The format that the hints ask
    /// for is not looked at; their charset is for parts that name none.
    ///
    /// ```
    /// use linksift::{Event, Finder, Headers, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// let bytes = b"X-Trace: http://e.com/1\nContent-Type: text/plain\nContent-Transfer-Encoding: quoted-printable\n\nsee http://e.com/?a=3D1=\n2 now";
    /// let (mut types, mut found) = (Vec::new(), Vec::new());
    /// let hints = Hints::new().headers(Headers::All);
    /// let scanned = Finder::new().scan_message(bytes, &hints, |event| {
    ///     match event {
    ///         Event::Part { part, .. } => types.extend(part.content_type()),
    ///         Event::Link { link, .. } => found.push((link.uri().into_owned(), &bytes[link.range()])),
    ///         _ => {}
    ///     }
    ///     ControlFlow::Continue(())
    /// });
    /// assert_eq!(types, ["text/plain"]);
    /// assert_eq!(found[0], ("http://e.com/1".to_owned(), &b"http://e.com/1"[..]));
    /// assert_eq!(found[1], ("http://e.com/?a=12".to_owned(), &b"http://e.com/?a=3D1=\n2"[..]));
    /// assert_eq!(scanned.links(), 2);
    /// ```
    pub fn scan_message(
        &self,
        bytes: &[u8],
        hints: &Hints,
        each: impl FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Scanned {
        run(
            &mut MessageBuffer::whole(bytes),
            (self, hints),
            MailKind::Message,
            &Watch::default(),
            each,
        )
    }

    /// Goes through a mailbox (RFC 4155: mboxo, mboxrd, mboxcl, mboxcl2) in bounded memory, and hands what comes up to
    /// `each`, as [`scan_message`](Finder::scan_message) does.
    ///
    /// # Errors
    ///
    /// What the reader fails with, after the data read before it was scanned; a link at the very end of that may be
    /// cut and is left out; an error of the kind
    /// [`FileTooLarge`](std::io::ErrorKind::FileTooLarge), after all before it, where offsets have 32 bits and it
    /// gives more than they count.
    ///
    /// ```
    /// use linksift::{Event, Finder, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// let bytes = b"From a\nSubject: a\n\nx\n\nFrom b\nSubject: b\n\nsee example.com";
    /// let mut parts = Vec::new();
    /// Finder::new().scan_mailbox(&bytes[..], &Hints::new(), |event| {
    ///     if let Event::Link { link, .. } = event {
    ///         parts.extend(link.part().map(str::to_owned));
    ///     }
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!(parts, ["2!1"]);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn scan_mailbox(
        &self,
        reader: impl Read,
        hints: &Hints,
        each: impl FnMut(Event<'_>) -> ControlFlow<()>,
    ) -> Result<Scanned, ScanError> {
        let watch = Watch::default();
        let mut reader = Watched::new(Guarded::new(reader, hints.cancel.as_ref()), &watch);
        let mut feed = MessageBuffer::stream(Vec::new(), &mut reader);
        let scanned = run(&mut feed, (self, hints), MailKind::Mailbox, &watch, each);
        match feed.take_failure() {
            Some(error) if says_cancelled(&error) => Ok(Scanned { stopped: true, ..scanned }),
            Some(error) if !scanned.stopped() => Err(scanned.failed(error)),
            _ => Ok(scanned),
        }
    }
}

fn run(
    feed: &mut MessageBuffer<'_>,
    (finder, hints): (&Finder, &Hints),
    kind: MailKind,
    watch: &Watch,
    mut each: impl FnMut(Event<'_>) -> ControlFlow<()>,
) -> Scanned {
    let mut mail = MailScanner::new(finder, hints, kind);
    let mut links = 0;
    let flow = mail.run(feed, &mut |found| {
        if is_cancelled(hints.cancel.as_ref()) {
            return ControlFlow::Break(());
        }
        let event = match found {
            MailEvent::Part(found) => Event::Part { part: Part(found) },
            MailEvent::Judged(judged) if watch.is_cut(&judged) => return ControlFlow::Continue(()),
            MailEvent::Judged(judged) => Event::from(judged),
            MailEvent::Attachment(_) | MailEvent::Unread => return ControlFlow::Continue(()),
        };
        links += u64::from(event.link().is_some());
        each(event)
    });
    Scanned::of_mail(feed.end(), links, flow.is_break(), mail.notices().to_vec())
}
