//! Detects the disposition of a document from facts about it and its first bytes.

use super::about::DocumentFacts;
#[cfg(feature = "mail")]
use super::mail;
use super::{declared, kinds, magic};
pub(super) use crate::charset::CONTROLS_HEAD as HEAD;
use crate::charset::has_many_controls;
use crate::detect::document::{Declared, Detection, Disposition, Evidence, Format};
use crate::notice::Notice;

/// Number of first bytes that contain all magic numbers.
pub(crate) const LEAD: usize = magic::TAR_BLOCK;

/// Detects the disposition of a document from its first bytes; 8 KiB of `head` are enough.
pub(crate) fn detect_disposition(about: &DocumentFacts<'_>, head: &[u8]) -> Detection {
    let head = &head[..head.len().min(HEAD)];
    if about.asked.is_some() && !may_be_archive(about.name, head) {
        return Detection::of(Disposition::Text, Evidence::Asked);
    }
    settled(about, &head[..head.len().min(LEAD)]).unwrap_or_else(|| {
        if let Some(archive) = declared::cut_archive(about.name, head) {
            return Detection::of_archive(archive, Evidence::Magic);
        }
        let evidence = match about.declared {
            Declared::Text | Declared::Format(_) | Declared::Manifest => Some(Evidence::Declared),
            Declared::Kind(_) => None,
            Declared::Nothing => declared::is_name_of_text(about.name).then_some(Evidence::Name),
        };
        match text_or_binary(about, evidence.is_some(), head) {
            Disposition::Text => {
                Detection::of(Disposition::Text, evidence.unwrap_or(Evidence::Content))
            }
            other => Detection::of(other, Evidence::Content),
        }
    })
}

/// Returns `true` if a document with this head may be an archive or compressed. The check is cheap, and `false` for
/// nearly all text without a name.
#[inline]
fn may_be_archive(name: &[u8], head: &[u8]) -> bool {
    !name.is_empty() || kinds::may_begin(head) || magic::is_ustar(head)
}

/// Returns the detection if the first [`LEAD`] bytes settle it: no control character after them changes it.
pub(crate) fn settled(about: &DocumentFacts<'_>, lead: &[u8]) -> Option<Detection> {
    let by_magic = kinds::by_magic(lead, |kind| kind.is_said(about.declared, about.name));
    let opened = match by_magic {
        Some(kind) => kind.archive_format().map(|archive| (archive, Evidence::Magic)),
        None => declared::archive_format(about, lead),
    };
    if let Some((archive, evidence)) = opened {
        return Some(Detection::of_archive(archive, evidence));
    }
    if about.asked.is_some() {
        return Some(Detection::of(Disposition::Text, Evidence::Asked));
    }
    if let Some(kind) = by_magic {
        return Some(kind.detection(Evidence::Magic));
    }
    let declared = |disposition| Some(Detection::of(disposition, Evidence::Declared));
    match about.declared {
        // Servers may send an error page under the declared type of the missing file.
        Declared::Kind(
            kind @ (Disposition::Opaque
            | Disposition::Pdf
            | Disposition::Table
            | Disposition::Binary),
        ) if is_text_for(kind, lead) => None,
        // Signed data may be declared as encrypted, but can be read.
        Declared::Kind(Disposition::Encrypted) if magic::is_signed(lead) => {
            declared(Disposition::Binary)
        }
        Declared::Kind(disposition) => declared(disposition),
        Declared::Text | Declared::Format(_) | Declared::Manifest => None,
        Declared::Nothing => kinds::by_name(about.name)
            .map(|kind| kind.detection(Evidence::Name))
            .filter(|found| found.archive.is_none() && !is_text_for(found.disposition, lead)),
    }
}

/// Returns `true` if the first bytes of what is said to be of a kind are those of a text instead. Viewers read a PDF
/// whose header follows other lines.
fn is_text_for(kind: Disposition, lead: &[u8]) -> bool {
    let may_follow = kind == Disposition::Pdf && memchr::memmem::find(lead, kinds::PDF).is_some();
    magic::is_text(lead) && !may_follow
}

/// Returns text or binary for a document of unknown kind; declared text (`is_said`) may contain some NULs.
fn text_or_binary(about: &DocumentFacts<'_>, is_said: bool, head: &[u8]) -> Disposition {
    let is_text = !has_many_controls(head) && (is_said || memchr::memchr(0, head).is_none());
    if is_text || is_mail(about, head) || is_answer(about, head) {
        return Disposition::Text;
    }
    magic::disposition_of_wide(about.charset, head).unwrap_or(Disposition::Binary)
}

/// Returns `true` for an answer of HTTP, whose body may be binary.
#[cfg(feature = "archives")]
fn is_answer(about: &DocumentFacts<'_>, head: &[u8]) -> bool {
    about.declared == Declared::Nothing && super::http::begins_answer(head) == Some(true)
}

#[cfg(not(feature = "archives"))]
fn is_answer(_: &DocumentFacts<'_>, _: &[u8]) -> bool {
    false
}

/// Returns `true` if the content is mail, and no declaration or name indicates another format. One field is enough if
/// the declaration or the name indicates mail.
#[cfg(feature = "mail")]
fn is_mail(about: &DocumentFacts<'_>, head: &[u8]) -> bool {
    let (may_be, is_said) = match about.declared {
        Declared::Nothing => (!mail::is_named_otherwise(about.name), mail::is_named(about.name)),
        Declared::Format(Format::Email | Format::Mbox) => (true, true),
        _ => (false, false),
    };
    let is_it = || mail::by_content(head, true).is_ok_and(|kind| kind.is_some());
    may_be && (is_said && mail::begins_with_field(head) || is_it())
}

#[cfg(not(feature = "mail"))]
fn is_mail(_: &DocumentFacts<'_>, _: &[u8]) -> bool {
    false
}

/// Returns `true` if the detection needs more of a document's beginning than `held`. For a live input or at a pause,
/// sixteen bytes, a line feed, or a first byte that is typical of text are enough, if there are no control characters.
/// At a pause, control characters are accepted if `held` has [`LEAD`] bytes or may begin with a magic number. Blank lines
/// are not enough, since a crawl may follow.
pub(super) fn wants_more(held: &[u8], is_live: bool, is_paused: bool) -> bool {
    let is_word = matches!(held, [b'a'..=b'z' | b' ' | b'<' | b'{' | b'[' | b'"', ..]);
    let is_plain = held.len() >= 16 || held.contains(&b'\n') || is_word;
    let is_odd = |byte: &u8| matches!(byte, 0..=8 | 0x0E..=0x1A);
    let is_telling = || {
        let may_have_magic = held.len() >= LEAD || kinds::may_begin(held);
        !held.iter().any(is_odd) || is_paused && may_have_magic
    };
    let is_enough = is_plain && (is_live || is_paused) && is_telling();
    held.len() < HEAD && (!is_enough || kinds::is_cut_crawl(held))
}

/// Returns `true` if a zip archive may follow a document with this head: a program, or a script.
pub(crate) fn may_precede_zip(head: &[u8]) -> bool {
    [&b"MZ"[..], b"\x7FELF", b"#!"].iter().any(|magic| head.starts_with(magic))
}

impl Notice {
    /// Returns the notice on a document with this disposition.
    pub(crate) fn of_disposition(disposition: Disposition) -> Option<Notice> {
        match disposition {
            Disposition::Text
            | Disposition::Pdf
            | Disposition::Office
            | Disposition::PropertyList
            | Disposition::Signature => None,
            Disposition::Binary => Some(Notice::Binary),
            Disposition::Opaque => Some(Notice::NotOpened),
            Disposition::Archive => Some(Notice::ArchiveUnopened),
            Disposition::Media => Some(Notice::MediaUnread),
            Disposition::Table => Some(Notice::TableUnread),
            Disposition::Undecodable => Some(Notice::Undecodable),
            Disposition::Encrypted => Some(Notice::AttachmentUnread),
        }
    }
}
