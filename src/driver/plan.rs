//! Plans: how a document is read. Both drivers compute it once, from the detection of the document.

#[cfg(feature = "archives")]
use crate::detect::document::DocumentFormat;
use crate::detect::document::{Detection, Disposition, Hints};
#[cfg(feature = "mail")]
use crate::detect::mail::MailKind;
use crate::notice::{NotRead, Notice};

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
    /// Returns the plan for a document with this detection, and the notice on it; an error if nothing of it is read.
    pub(super) fn of(found: &Detection, hints: &Hints) -> Result<(Plan, Option<Notice>), NotRead> {
        #[cfg(feature = "mail")]
        if let Some(kind) = found.mail_kind() {
            return Ok((Plan::Mail(kind), None));
        }
        #[cfg(feature = "archives")]
        if found.format == Some(DocumentFormat::Http) {
            return Ok((Plan::Answer, None));
        }
        let disposition = found.disposition;
        let is_scanned = disposition.is_scanned(hints.scope.non_text);
        let notice = Notice::of_disposition(disposition);
        if !is_scanned
            && hints.scope.non_text.is_strict()
            && let Some(reason) = notice.and_then(NotRead::of)
        {
            return Err(reason);
        }
        // If it was detected before, the notice has been reported.
        let notice = notice.filter(|_| hints.detection.is_none());
        let plan = match is_scanned {
            false => Plan::Skipped,
            true if disposition.is_whole() => Plan::Whole(disposition),
            true if disposition.is_binary() => Plan::Binary(Box::new(hints.of_binary())),
            true => Plan::Text,
        };
        Ok((plan, notice))
    }
}
