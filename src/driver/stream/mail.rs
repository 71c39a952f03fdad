//! Messages and mailboxes.

use crate::detect::document::Hints;
use crate::detect::mail::MailKind;
use crate::document::finder::Finder;
use crate::input::guard::says_cancelled;
use crate::mail::{EmitMail, MailScanner, MessageBuffer};
use crate::notice::{FailedScan, Scanned};

impl Finder {
    /// Scans a message or a mailbox, from a reader.
    pub(super) fn scan_mail(
        &self,
        feed: &mut MessageBuffer<'_>,
        hints: &Hints,
        kind: MailKind,
        emit: &mut EmitMail<'_>,
    ) -> Result<Scanned, FailedScan> {
        let mut mail = MailScanner::new(&self.into(), hints, kind);
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
