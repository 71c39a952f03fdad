//! The verdict: what becomes of a document, by what is known of it and by how it begins.

use super::about::DocumentEvidence;
use super::kinds::{self, Verdict};
#[cfg(feature = "mail")]
use super::mail;
use super::{magic, names, wide};
use crate::charset::{CONTROLS_HEAD as HEAD, has_many_controls};
use crate::document::Format;
use crate::document::{Declared, Disposition};
use crate::notice::Notice;

/// All magic numbers are in so many bytes.
pub(crate) const LEAD: usize = magic::TAR_BLOCK;

/// What becomes of a document that begins so: of `head`, 8 KiB are enough.
pub(crate) fn verdict(about: &DocumentEvidence<'_>, head: &[u8]) -> Verdict {
    let head = &head[..head.len().min(HEAD)];
    settled(about, &head[..head.len().min(LEAD)]).unwrap_or_else(|| {
        let is_said = match about.declared {
            Declared::Text | Declared::Format(_) => true,
            Declared::Kind(_) => false,
            Declared::Nothing => names::is_of_text(about.name),
        };
        Verdict::Document(text_or_binary(about, is_said, head))
    })
}

/// The verdict where the first [`LEAD`] bytes settle it: no control character after them changes it.
pub(crate) fn settled(about: &DocumentEvidence<'_>, lead: &[u8]) -> Option<Verdict> {
    let by_magic = kinds::by_magic(lead, |kind| kind.is_said(about.declared, about.name));
    let archive_format = match by_magic {
        Some(kind) => kind.archive_format(),
        None => names::archive_format(about, lead),
    };
    if let Some(archive_format) = archive_format {
        return Some(Verdict::Opened(archive_format));
    }
    if about.asked.is_some() {
        return Some(Verdict::Document(Disposition::Text));
    }
    if let Some(kind) = by_magic {
        return Some(kind.verdict);
    }
    match about.declared {
        // A page that says that the file is not there is sent as the file.
        Declared::Kind(Disposition::Opaque | Disposition::Table | Disposition::Binary)
            if magic::is_text(lead) =>
        {
            None
        }
        // What is only signed is not encrypted.
        Declared::Kind(Disposition::Encrypted) if magic::is_signed(lead) => {
            Some(Verdict::Document(Disposition::Binary))
        }
        Declared::Kind(disposition) => Some(Verdict::Document(disposition)),
        Declared::Text | Declared::Format(_) => None,
        Declared::Nothing => kinds::by_name(about.name)
            .map(|kind| kind.verdict)
            .filter(|verdict| matches!(verdict, Verdict::Document(_)) && !magic::is_text(lead)),
    }
}

/// Whether a document is text of which no kind is known; one that is said to be may have some NULs in it.
fn text_or_binary(about: &DocumentEvidence<'_>, is_said: bool, head: &[u8]) -> Disposition {
    let is_text = !has_many_controls(head) && (is_said || memchr::memchr(0, head).is_none());
    if is_text || is_mail(about, head) {
        return Disposition::Text;
    }
    wide::disposition(about.charset, head).unwrap_or(Disposition::Binary)
}

/// Whether it is mail by its content, where nobody says that it is something else; one field is enough where somebody
/// says that it is mail.
#[cfg(feature = "mail")]
fn is_mail(about: &DocumentEvidence<'_>, head: &[u8]) -> bool {
    let (may_be, is_said) = match about.declared {
        Declared::Nothing => (!mail::is_named_otherwise(about.name), mail::is_named(about.name)),
        Declared::Format(Format::Email | Format::Mbox) => (true, true),
        _ => (false, false),
    };
    let is_it = || mail::by_content(head, true).is_ok_and(|kind| kind.is_some());
    may_be && (is_said && mail::begins_with_field(head) || is_it())
}

#[cfg(not(feature = "mail"))]
fn is_mail(_: &DocumentEvidence<'_>, _: &[u8]) -> bool {
    false
}

/// Whether more of a document's beginning is wanted before the verdict. A live input is asked for no more than it
/// takes: no magic number is longer than sixteen bytes or begins a line, and what has none has no control characters. At
/// a pause the bytes that are there decide, where they are not too few to say what control characters mean.
pub(crate) fn wants_more(held: &[u8], is_live: bool, is_paused: bool) -> bool {
    let is_word = matches!(held, [b'a'..=b'z' | b' ' | b'<' | b'{' | b'[' | b'"', ..]);
    let is_plain = held.len() >= 16 || held.contains(&b'\n') || is_word;
    let is_odd = |byte: &u8| matches!(byte, 0..=8 | 0x0E..=0x1A);
    let is_telling = || {
        let may_have_magic = held.len() >= LEAD || kinds::may_begin(held);
        !held.iter().any(is_odd) || is_paused && may_have_magic
    };
    let is_enough = is_plain && (is_live || is_paused) && is_telling();
    held.len() < HEAD && !is_enough
}

/// Whether a zip may follow what begins so: a program, or a script.
pub(crate) fn may_precede_zip(head: &[u8]) -> bool {
    [&b"MZ"[..], b"\x7FELF", b"#!"].iter().any(|magic| head.starts_with(magic))
}

impl Notice {
    /// What is said of a document of a disposition.
    pub(crate) fn of_disposition(disposition: Disposition) -> Option<Notice> {
        match disposition {
            Disposition::Text | Disposition::Signature => None,
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
