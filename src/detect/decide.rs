//! Detection of a document, made once.

use super::about::DocumentFacts;
use super::disposition::detect_disposition;
#[cfg(feature = "documents")]
use super::format::format_of;
#[cfg(feature = "mail")]
use super::mail;
use crate::detect::document::{Detection, DocumentFormat, Format, Hints};
use crate::scan::{Boundaries, TextKind};

/// Detects the kind and the format of a document from its first 8 KiB and the hints.
///
/// `bytes` are the document, or its beginning. A beginning that is shorter than 8 KiB gets the answer of a
/// document that ends there. A magic number precedes a declared type, that the name, and the name the content; a
/// [requested format](Hints::format) precedes all but compression and archives.
///
/// ```
/// use linksift::{ArchiveFormat, Disposition, Evidence, Format, Hints, detect};
///
/// let found = detect(b"\x1F\x8B\x08\0", &Hints::new().name("page.html"));
/// assert_eq!((found.disposition(), found.archive()), (Disposition::Archive, Some(ArchiveFormat::Gzip)));
/// # #[cfg(feature = "documents")] {
/// let found = detect(b"{\"a\": \"http://e.com/\"}", &Hints::new());
/// assert_eq!((found.format(), found.evidence()), (Format::Json, Evidence::Content));
/// # }
/// ```
pub fn detect(bytes: &[u8], hints: &Hints) -> Detection {
    let about = DocumentFacts::of(hints);
    let found = hints.detection.unwrap_or_else(|| detect_disposition(&about, bytes));
    match found.format {
        Some(_) => found,
        None => with_format(found, &about, bytes),
    }
}

/// Adds the format to a detection.
pub(crate) fn with_format(found: Detection, about: &DocumentFacts<'_>, bytes: &[u8]) -> Detection {
    let format = document_format(about, bytes);
    Detection { format: Some(format), ..found }
}

/// The format of a document that begins so.
fn document_format(about: &DocumentFacts<'_>, bytes: &[u8]) -> DocumentFormat {
    #[cfg(feature = "mail")]
    if let Ok(Some(kind)) = mail::of(about, bytes, true) {
        return kind.into();
    }
    format_of_text(about, bytes)
}

impl DocumentFormat {
    /// Returns the kind of running text of this format, by the rules for boundaries.
    pub(crate) fn text_kind(self, boundaries: Boundaries) -> TextKind {
        match self {
            _ if boundaries == Boundaries::Uts58 => TextKind::Prose,
            DocumentFormat::Code => TextKind::Code,
            DocumentFormat::Asciidoc => TextKind::Asciidoc,
            DocumentFormat::Rtf => TextKind::Rtf,
            _ => TextKind::Prose,
        }
    }
}

/// The format of a document that begins so, if it is no mail.
#[cfg(feature = "documents")]
pub(super) fn format_of_text(about: &DocumentFacts<'_>, start: &[u8]) -> DocumentFormat {
    match about.effective_format() {
        // Its own module takes it apart.
        Format::Email | Format::Mbox => DocumentFormat::Text,
        format => DocumentFormat::of(format).unwrap_or_else(|| format_of(about.name, start)),
    }
}

/// The format of a document that is no mail: the one that is asked for.
#[cfg(not(feature = "documents"))]
pub(super) fn format_of_text(about: &DocumentFacts<'_>, _: &[u8]) -> DocumentFormat {
    match about.effective_format() {
        Format::Code => DocumentFormat::Code,
        _ => DocumentFormat::Text,
    }
}
