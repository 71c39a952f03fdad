//! Messages and mailboxes out of a reader.

use std::io::Read;
use std::ops::ControlFlow;

use super::Offered;
use crate::document::Hints;
use crate::finder::Finder;
use crate::guard::says_cancelled;
use crate::message::{self, MailScanner};
use crate::notice::{Notice, ScanError, Scanned};
use crate::sniff::mail::MailKind;

impl Scanned {
    /// Returns the result of a scan of mail.
    pub(crate) fn of_mail(
        bytes: usize,
        links: u64,
        stopped: bool,
        notices: Vec<Notice>,
    ) -> Scanned {
        Scanned { bytes: bytes as u64, links, stopped, notices, ..Scanned::default() }
    }
}

impl Finder {
    /// Scans a message or a mailbox that begins with what was read already.
    pub(super) fn scan_mail<F>(
        &self,
        start: Vec<u8>,
        reader: &mut dyn Read,
        hints: &Hints,
        kind: MailKind,
        emit: &mut F,
    ) -> Result<Scanned, ScanError>
    where
        F: FnMut(Offered<'_>) -> ControlFlow<()>,
    {
        let mut feed = message::MessageBuffer::stream(start, reader);
        let mut mail = MailScanner::new(self, hints, kind);
        let flow = mail.run(&mut feed, &mut |found| match found {
            message::MailEvent::Judged(judged) => emit(Offered::Judged(judged)),
            message::MailEvent::Attachment(attachment) => emit(Offered::Attachment(attachment)),
            message::MailEvent::Unread => emit(Offered::Unread),
            message::MailEvent::Part(..) => ControlFlow::Continue(()),
        });
        let failure = feed.take_failure();
        let stopped = flow.is_break() || failure.as_ref().is_some_and(says_cancelled);
        let scanned = Scanned::of_mail(feed.end(), 0, stopped, mail.notices().to_vec());
        match failure {
            Some(error) if !stopped => Err(scanned.failed(error)),
            _ => Ok(scanned),
        }
    }
}
