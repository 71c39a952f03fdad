//! What hints say of a document: its format, its disposition.

use super::about::DocumentEvidence;
use super::field::MARK;
#[cfg(feature = "documents")]
use super::format::{DocumentFormat, HEAD, format_of, settled, text_kind_of};
use super::kinds::{self, Verdict};
use super::magic::is_ustar;
use super::verdict::verdict;
use crate::document::{Declared, Disposition, Format, Hints, NonText};
use crate::scan::{Boundaries, TextKind};

#[cfg(feature = "documents")]
impl Hints {
    /// How much of a document's beginning there must be at most to say what it is.
    pub(crate) const HEAD: usize = HEAD;

    /// What a document is that begins so.
    pub(crate) fn kind(&self, start: &[u8]) -> DocumentFormat {
        match self.told_format() {
            Format::Text => DocumentFormat::Text,
            Format::Code => DocumentFormat::Code,
            Format::Html => DocumentFormat::Html,
            Format::Xml => DocumentFormat::Xml,
            Format::Css => DocumentFormat::Css,
            Format::Json => DocumentFormat::Json,
            Format::Csv => DocumentFormat::Csv,
            Format::Markdown => DocumentFormat::Markdown,
            Format::Calendar => DocumentFormat::Calendar,
            Format::Vcard => DocumentFormat::Vcard,
            // Its own room takes it apart.
            Format::Email | Format::Mbox => DocumentFormat::Text,
            Format::Auto => format_of(self.name.as_deref(), &start[..start.len().min(HEAD)]),
        }
    }

    pub(crate) fn is_page(&self, start: &[u8]) -> bool {
        !self.kind(start).is_text()
    }

    /// Whether it is known what a document is that begins so, whatever follows.
    pub(crate) fn is_settled(&self, start: &[u8]) -> bool {
        self.told_format() != Format::Auto || settled(self.name.as_deref(), start).is_some()
    }
}

impl Hints {
    /// What the text is written as, if it is text and rules of prose ask.
    pub(crate) fn text_kind(&self, boundaries: Boundaries) -> TextKind {
        match (self.told_format(), &self.name) {
            _ if boundaries == Boundaries::Uts58 => TextKind::Prose,
            (Format::Code, _) => TextKind::Code,
            #[cfg(feature = "documents")]
            (Format::Auto, Some(name)) => text_kind_of(name),
            _ => TextKind::Prose,
        }
    }

    /// Whether a document that begins so is text, whatever follows.
    pub(crate) fn is_surely_text(&self, start: &[u8]) -> bool {
        match self.told_format() {
            Format::Text => true,
            Format::Code => true,
            // The first line may be a field of a message.
            Format::Auto if !is_surely_no_mail(start) => false,
            #[cfg(feature = "documents")]
            Format::Auto => {
                self.name.is_none() && settled(None, start) == Some(DocumentFormat::Text)
            }
            #[cfg(not(feature = "documents"))]
            Format::Auto => true,
            _ => false,
        }
    }

    /// The format that is asked for, else the one that is declared, if that may decide.
    pub(crate) fn told_format(&self) -> Format {
        match (self.format, self.declared) {
            (Format::Auto, Declared::Format(format)) => format,
            (format, _) => format,
        }
    }

    /// How a document that begins so is scanned, where it is not known before; of `head`, 8 KiB are enough. An archive
    /// that nobody opens is read as the bytes that it is, whatever format is asked for: that is the format of what
    /// is in it.
    pub(crate) fn disposition(&self, head: &[u8]) -> Disposition {
        let asked = (self.format != Format::Auto).then_some(self.format);
        match (self.disposition, asked) {
            (Some(disposition), _) => return disposition,
            (None, Some(_)) if !may_be_archive(self.name.is_some(), head) => {
                return Disposition::Text;
            }
            _ => {}
        }
        let about = DocumentEvidence {
            asked,
            charset: self.charset,
            declared: self.declared,
            name: self.name.as_deref().unwrap_or_default(),
        };
        match verdict(&about, head) {
            Verdict::Document(disposition) => self.wanted(disposition),
            Verdict::Opened(_) if head.is_empty() => Disposition::Text,
            Verdict::Opened(_) => self.wanted(Disposition::Archive),
        }
    }

    /// How what is of this disposition is to be scanned: as text, if all is.
    pub(crate) fn wanted(&self, disposition: Disposition) -> Disposition {
        match self.non_text {
            NonText::AsText => Disposition::Text,
            _ => disposition,
        }
    }

    /// What is known of bytes that are no text: nothing but what is known of all.
    pub(crate) fn of_binary(&self) -> Hints {
        let (format, declared) = (Format::Text, Declared::Nothing);
        Hints {
            format,
            declared,
            disposition: Some(Disposition::Binary),
            name: None,
            ..self.clone()
        }
    }
}

/// Whether what begins so may be an archive or compressed, by a look that costs little: nearly no text may.
#[inline]
fn may_be_archive(has_name: bool, head: &[u8]) -> bool {
    has_name || kinds::may_begin(head) || is_ustar(head)
}

/// Whether what begins so is no mail: its first line is whole, and neither a field nor `From `.
pub(super) fn is_surely_no_mail(start: &[u8]) -> bool {
    if MARK.starts_with(start) {
        return false;
    }
    let start = start.strip_prefix(MARK).unwrap_or(start);
    let is_name = |b: &u8| matches!(b, 33..=57 | 59..=126);
    let name = start.iter().take_while(|b| is_name(b)).count();
    match start[name..] {
        // The name may go on.
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
