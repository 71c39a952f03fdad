//! What a document is: one table of kinds, and one verdict on every road that a document comes by.
//!
//! Files, standard input, members of archives, records of crawls, parts of mail and documents in memory are asked about
//! here, and nowhere else. What is known of them is looked at in this order:
//!
//! 1. the format that somebody asks for (`--format`): the document is read as that;
//! 2. the magic number of a format in the [table](kinds): it is opened, read for `scheme://` alone, or told and left;
//!    what is compressed or an archive is opened whatever format is asked for, which is that of the documents in it;
//! 3. the declared type: HTTP, WARC, mail, a manifest;
//! 4. the name, or the label in its place;
//! 5. NULs: with one of them in its first 8 KiB a document of which nothing is known is no text.
//!
//! Declared and named texts are no text all the same if more than one byte in sixteen is a control character
//! ([`has_many_controls`]). UTF-16 is text, and so is mail, whose parts may be binary.
//!
//! Which format a text has ([`format`]) and whether it is mail ([`mail`]) may need fewer bytes to be known, or more.

#[cfg(feature = "mail")]
pub(crate) mod field;
#[cfg(feature = "markup")]
mod format;
mod hints;
mod kinds;
mod magic;
#[cfg(feature = "mail")]
pub(crate) mod mail;
#[cfg(feature = "mail")]
pub(crate) mod mbox;
#[cfg(feature = "markup")]
mod media;
mod names;
mod wide;

use crate::charset::{Charset, has_many_controls};
use crate::document::{Declared, Format, Nature};
use crate::notice::Notice;

pub(crate) use crate::charset::CONTROLS_HEAD as HEAD;
#[cfg(feature = "markup")]
pub(crate) use format::{Kind, format_of};
#[cfg(feature = "container")]
pub(crate) use kinds::AR;
pub(crate) use kinds::{Opener, Verdict};
#[cfg(feature = "container")]
pub(crate) use magic::{TAR_BLOCK, is_tar_header, octal};
#[cfg(feature = "container")]
pub(crate) use names::inner_name;

/// What is known of a document beside its bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct About<'a> {
    /// The format that somebody asks for.
    pub(crate) asked: Option<Format>,
    /// What it is encoded in, if that is said.
    pub(crate) charset: Option<Charset>,
    pub(crate) declared: Declared,
    /// Its name, for its ending; empty if it has none.
    pub(crate) name: &'a [u8],
}

/// What becomes of a document that begins so: of `head`, 8 KiB are enough.
pub(crate) fn verdict(about: &About<'_>, head: &[u8]) -> Verdict {
    let head = &head[..head.len().min(HEAD)];
    let by_magic = kinds::by_magic(head, |kind| kind.is_said(about.declared, about.name));
    let opener = match by_magic {
        Some(kind) => kind.opener(),
        None => names::opener(about, head),
    };
    if let Some(opener) = opener {
        return Verdict::Opened(opener);
    }
    if about.asked.is_some() {
        return Verdict::Document(Nature::Text);
    }
    if let Some(kind) = by_magic {
        return kind.verdict;
    }
    Verdict::Document(match about.declared {
        // A page that says that the file is not there is sent as the file.
        Declared::Kind(Nature::Closed | Nature::Table | Nature::Binary) if magic::is_text(head) => {
            text_or_binary(about, false, head)
        }
        Declared::Kind(nature) => nature,
        Declared::Text | Declared::Format(_) => text_or_binary(about, true, head),
        Declared::Nothing => match kinds::by_name(about.name).map(|kind| kind.verdict) {
            Some(Verdict::Document(nature)) if !magic::is_text(head) => nature,
            _ => text_or_binary(about, names::is_of_text(about.name), head),
        },
    })
}

/// Whether a document is text of which no kind is known; one that is said to be may have some NULs in it.
fn text_or_binary(about: &About<'_>, is_said: bool, head: &[u8]) -> Nature {
    let is_text = !has_many_controls(head) && (is_said || memchr::memchr(0, head).is_none());
    if is_text || is_mail(about, head) {
        return Nature::Text;
    }
    wide::nature(about.charset, head).unwrap_or(Nature::Binary)
}

/// Whether it is mail by its content, where nobody says that it is something else; one field is enough where somebody
/// says that it is mail.
#[cfg(feature = "mail")]
fn is_mail(about: &About<'_>, head: &[u8]) -> bool {
    let (may_be, is_said) = match about.declared {
        Declared::Nothing => (!mail::is_named_otherwise(about.name), mail::is_named(about.name)),
        Declared::Format(Format::Email | Format::Mbox) => (true, true),
        _ => (false, false),
    };
    let is_it = || mail::by_content(head, true).is_ok_and(|kind| kind.is_some());
    may_be && (is_said && mail::begins_with_field(head) || is_it())
}

#[cfg(not(feature = "mail"))]
fn is_mail(_: &About<'_>, _: &[u8]) -> bool {
    false
}

/// Whether more of a document's beginning is wanted before the verdict. Who is waited for is asked for no more than it
/// takes: no magic number is longer than sixteen bytes or begins a line, and what has none has no control characters.
pub(crate) fn wants_more(held: &[u8], is_live: bool) -> bool {
    let is_word = matches!(held, [b'a'..=b'z' | b' ' | b'<' | b'{' | b'[' | b'"', ..]);
    let is_plain = held.len() >= 16 || held.contains(&b'\n') || is_word;
    let is_odd = |byte: &u8| matches!(byte, 0..=8 | 0x0E..=0x1A);
    let is_enough = is_live && is_plain && !held.iter().any(is_odd);
    held.len() < HEAD && !is_enough
}

/// Whether a zip may follow what begins so: a program, or a script.
#[cfg(feature = "container")]
pub(crate) fn may_precede_zip(head: &[u8]) -> bool {
    [&b"MZ"[..], b"\x7FELF", b"#!"].iter().any(|magic| head.starts_with(magic))
}

impl Notice {
    /// What is said of a document of a nature.
    pub(crate) fn of_nature(nature: Nature) -> Option<Notice> {
        match nature {
            Nature::Text | Nature::Signature => None,
            Nature::Binary => Some(Notice::Binary),
            Nature::Closed => Some(Notice::NotOpened),
            Nature::Media => Some(Notice::MediaUnread),
            Nature::Table => Some(Notice::TableUnread),
            Nature::Undecodable => Some(Notice::Undecodable),
            #[cfg(feature = "mail")]
            Nature::Sealed => Some(Notice::AttachmentUnread),
            #[cfg(not(feature = "mail"))]
            Nature::Sealed => Some(Notice::NotOpened),
        }
    }
}

#[cfg(test)]
mod tests;
