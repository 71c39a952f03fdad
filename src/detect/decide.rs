//! Detects a document, and derives its format and disposition from hints.

use super::about::DocumentFacts;
use super::disposition::detect_disposition;
#[cfg(feature = "documents")]
use super::feed::begins_feed;
use super::field::{MARK, name_len};
#[cfg(feature = "documents")]
use super::format::{by_name, format_of, settled};
#[cfg(feature = "mail")]
use super::mail;
use crate::detect::document::{Declared, Detection, Disposition, DocumentFormat, Format, Hints};
use crate::scan::{Boundaries, TextKind};

/// Detects the kind and the format of a document from its first 8 KiB and the hints.
///
/// `bytes` are the document or its beginning; fewer than 8 KiB are treated as a complete document. The first of these
/// decides: a magic number, the declared type, the name, the content. A [requested format](Hints::format) takes
/// precedence over all of them, except over compression and archives.
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

/// Returns the format of a document with these first bytes.
pub(super) fn document_format(about: &DocumentFacts<'_>, bytes: &[u8]) -> DocumentFormat {
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
            DocumentFormat::Yaml => TextKind::Yaml,
            DocumentFormat::Asciidoc => TextKind::Asciidoc,
            DocumentFormat::Rtf => TextKind::Rtf,
            _ => TextKind::Prose,
        }
    }
}

/// Returns the format of a document with these first bytes that is not mail.
#[cfg(feature = "documents")]
pub(super) fn format_of_text(about: &DocumentFacts<'_>, start: &[u8]) -> DocumentFormat {
    match about.effective_format() {
        // Mail is parsed by its own module.
        Format::Email | Format::Mbox => DocumentFormat::Text,
        Format::Json if about.asked.is_none() && about.declared == Declared::Manifest => {
            DocumentFormat::Manifest
        }
        // Servers declare feeds so, and browsers read them as feeds.
        Format::Html if about.asked.is_none() && begins_feed(start) == Some(true) => {
            DocumentFormat::Xml
        }
        format => DocumentFormat::of(format).unwrap_or_else(|| format_of(about.name, start)),
    }
}

/// Returns the format of a document that is not mail, if no byte after these changes it.
#[cfg(feature = "documents")]
pub(super) fn settled_format(about: &DocumentFacts<'_>, start: &[u8]) -> Option<DocumentFormat> {
    match about.effective_format() {
        Format::Auto => settled(about.name, start),
        Format::Html if about.asked.is_none() && begins_feed(start).is_none() => None,
        _ => Some(format_of_text(about, start)),
    }
}

/// Returns the format of a document that is not mail, which no byte changes.
#[cfg(not(feature = "documents"))]
pub(super) fn settled_format(about: &DocumentFacts<'_>, start: &[u8]) -> Option<DocumentFormat> {
    Some(format_of_text(about, start))
}

/// Returns the format of a document that is not mail: the requested one.
#[cfg(not(feature = "documents"))]
pub(super) fn format_of_text(about: &DocumentFacts<'_>, _: &[u8]) -> DocumentFormat {
    match about.effective_format() {
        Format::Code => DocumentFormat::Code,
        Format::Yaml => DocumentFormat::Yaml,
        _ => DocumentFormat::Text,
    }
}

#[cfg(feature = "documents")]
impl Hints {
    /// Returns `true` if the document is HTML by the hints alone.
    pub(crate) fn is_known_html(&self) -> bool {
        match self.effective_format() {
            Format::Auto => self.name.as_deref().and_then(by_name) == Some(DocumentFormat::Html),
            format => format == Format::Html,
        }
    }
}

impl Hints {
    /// Returns the format of a document with these first bytes that is not mail.
    pub(crate) fn document_format(&self, start: &[u8]) -> DocumentFormat {
        match self.detection.and_then(|found| found.format) {
            Some(format) => format,
            None => format_of_text(&DocumentFacts::of(self), start),
        }
    }

    /// Returns `true` if a document with these first bytes is text, whatever follows.
    pub(crate) fn is_surely_text(&self, start: &[u8]) -> bool {
        match self.effective_format() {
            Format::Text | Format::Code | Format::Yaml => true,
            // The first line may be a field of a message.
            Format::Auto if !is_surely_no_mail(start) => false,
            #[cfg(feature = "documents")]
            Format::Auto => {
                self.name.is_none() && settled(b"", start) == Some(DocumentFormat::Text)
            }
            #[cfg(not(feature = "documents"))]
            Format::Auto => true,
            _ => false,
        }
    }

    /// Returns the format as [`DocumentFacts::effective_format`] does.
    pub(crate) fn effective_format(&self) -> Format {
        DocumentFacts::of(self).effective_format()
    }

    /// Returns the hints for bytes that are not text: without format, declaration and name.
    pub(crate) fn of_binary(&self) -> Hints {
        let (format, declared) = (Format::Text, Declared::Nothing);
        Hints {
            format,
            declared,
            detection: Some(Detection::known(Disposition::Binary)),
            name: None,
            ..self.clone()
        }
    }
}

/// Returns `true` if a document with this start is certainly not mail: its first line is neither a field nor `From `.
pub(super) fn is_surely_no_mail(start: &[u8]) -> bool {
    if MARK.starts_with(start) {
        return false;
    }
    let start = start.strip_prefix(MARK).unwrap_or(start);
    let name = name_len(start);
    match start[name..] {
        // The name may continue.
        [] => false,
        [b'\n' | b'\r', ..] => true,
        [b' ' | b'\t', ref rest @ ..] => {
            let after = rest.iter().find(|b| !matches!(b, b' ' | b'\t' | 0x0C));
            &start[..name] != b"From" && after != Some(&b':')
        }
        [b':', ..] => name == 0,
        _ => true,
    }
}
