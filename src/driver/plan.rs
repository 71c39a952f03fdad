//! Plans: how a document is read. Both drivers compute it once, from the detection of the document.

#[cfg(feature = "archives")]
use crate::detect::document::DocumentFormat;
use crate::detect::document::{Detection, Disposition, Hints};
#[cfg(feature = "mail")]
use crate::detect::mail::MailKind;
use crate::notice::Notice;

/// Reading of a document.
pub(super) enum Plan {
    #[cfg(feature = "mail")]
    Mail(MailKind),
    /// An answer of HTTP, whose header says how the rest is read.
    #[cfg(feature = "archives")]
    Answer,
    /// Running text or markup.
    Text,
    /// A document that a parser reads whole.
    Whole(Disposition),
    /// Binary data, by these hints: only certain links are reported.
    Binary(Box<Hints>),
    Skipped,
}

impl Plan {
    /// Returns the plan for a document with this detection, and the notice on it.
    pub(super) fn of(found: &Detection, hints: &Hints) -> (Plan, Option<Notice>) {
        #[cfg(feature = "mail")]
        if let Some(kind) = found.mail_kind() {
            return (Plan::Mail(kind), None);
        }
        #[cfg(feature = "archives")]
        if found.format == Some(DocumentFormat::Http) {
            return (Plan::Answer, None);
        }
        let disposition = found.disposition;
        // If it was detected before, the notice has been reported.
        let notice = Notice::of_disposition(disposition).filter(|_| hints.detection.is_none());
        let plan = match disposition.is_scanned(hints.non_text) {
            false => Plan::Skipped,
            true if disposition.is_whole() => Plan::Whole(disposition),
            true if disposition.is_binary() => Plan::Binary(Box::new(hints.of_binary())),
            true => Plan::Text,
        };
        (plan, notice)
    }
}
