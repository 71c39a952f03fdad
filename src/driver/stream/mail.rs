//! Messages and mailboxes.

use std::ops::ControlFlow;

use super::cut::Watch;
use super::{Delivery, for_caller};
use crate::detect::document::Hints;
use crate::detect::mail::MailKind;
use crate::document::finder::Finder;
use crate::event::Event;
use crate::input::guard::says_cancelled;
use crate::mail::{EmitMail, MailScanner, MessageBuffer};
use crate::notice::{FailedScan, Scanned};

impl Finder {
    /// Scans a message in memory (RFC 5322 and MIME), and calls `each` with each part and each link, in stored order; a
    /// part comes before its links. [`ControlFlow::Break`] ends the scan.
    ///
    /// To find only the links, pass the message to [`Finder::document`], like any other document. The format of the
    /// hints is ignored; their charset applies to parts that declare none.
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
        let watch = Watch::default();
        let mut delivery = Delivery::new(hints, &watch, for_caller(each));
        let (feed, kind) = (&mut MessageBuffer::whole(bytes), MailKind::Message);
        let done = self.scan_mail(feed, hints, kind, &mut |event| delivery.give(event));
        // Without a reader there is no failure.
        delivery.finish(done).unwrap_or_else(|failed| failed.scanned)
    }

    /// Scans a message or a mailbox, in memory or from a reader.
    pub(super) fn scan_mail(
        &self,
        feed: &mut MessageBuffer<'_>,
        hints: &Hints,
        kind: MailKind,
        emit: &mut EmitMail<'_>,
    ) -> Result<Scanned, FailedScan> {
        let mut mail = MailScanner::new(self, hints, kind);
        let flow = mail.run(feed, emit);
        let failure = feed.take_failure();
        let stopped = flow.is_break() || failure.as_ref().is_some_and(says_cancelled);
        let scanned = mail.totals(feed.end() as u64, stopped);
        match failure {
            Some(error) if !stopped => Err(scanned.failed(error)),
            _ => Ok(scanned),
        }
    }
}
