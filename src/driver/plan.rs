//! Plans: how a document is read. Both drivers ask for it once, with what the document was detected as.

use crate::detect::document::{Detection, Hints};
#[cfg(feature = "mail")]
use crate::detect::mail::MailKind;
use crate::notice::Notice;

/// How a document is read.
pub(super) enum Plan {
    #[cfg(feature = "mail")]
    Mail(MailKind),
    /// Running text or markup.
    Text,
    /// Binary data, by these hints: only certain links are reported.
    Binary(Box<Hints>),
    Skipped,
}

impl Plan {
    /// The plan for a document that was detected as this, and the notice on it.
    pub(super) fn of(found: &Detection, hints: &Hints) -> (Plan, Option<Notice>) {
        #[cfg(feature = "mail")]
        if let Some(kind) = found.mail_kind() {
            return (Plan::Mail(kind), None);
        }
        let disposition = found.disposition;
        // If it was detected before, the notice has been given.
        let notice = Notice::of_disposition(disposition).filter(|_| hints.detection.is_none());
        let plan = match disposition.is_scanned(hints.non_text) {
            false => Plan::Skipped,
            true if disposition.is_binary() => Plan::Binary(Box::new(hints.of_binary())),
            true => Plan::Text,
        };
        (plan, notice)
    }
}
