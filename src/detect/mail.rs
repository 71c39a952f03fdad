//! Detects messages and mailboxes by the requested or declared format, by the name, then by the first bytes.

use std::ops::Range;

use super::about::DocumentFacts;
use super::field::{MARK, colon, may_be_name, name_len, without_end};
use super::format::{is_page_name, is_told_by_name};
use super::mbox::{FROM, Separators, is_envelope};
use crate::detect::document::{Detection, DocumentFormat, Format};
use crate::input::chunk::Chunk;

/// Kind of mail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MailKind {
    Message,
    Mailbox,
}

impl From<MailKind> for DocumentFormat {
    fn from(kind: MailKind) -> DocumentFormat {
        match kind {
            MailKind::Message => DocumentFormat::Email,
            MailKind::Mailbox => DocumentFormat::Mbox,
        }
    }
}

impl Detection {
    /// Returns the kind of mail of the document; `None` also if the format is not known yet.
    pub(crate) fn mail_kind(&self) -> Option<MailKind> {
        match self.format? {
            DocumentFormat::Email => Some(MailKind::Message),
            DocumentFormat::Mbox => Some(MailKind::Mailbox),
            _ => None,
        }
    }
}

/// Minimum number of digits of seconds since 1970: there are nine since 1973.
const SECONDS: usize = 9;
/// Number of characters to which the length in an `.emlx` file is padded.
const COUNT: usize = 10;
/// Number of first bytes from which mail is detected.
pub(crate) const HEAD: usize = 4096;

/// Names of fields by which a message is detected.
#[rustfmt::skip]
const OF_MAIL: [&str; 24] = [
    "from", "to", "cc", "bcc", "subject", "date", "message-id", "received", "return-path", "sender",
    "reply-to", "in-reply-to", "references", "mime-version", "content-type", "delivered-to", "x-original-to",
    "dkim-signature", "authentication-results", "arc-seal", "newsgroups", "path", "resent-from", "envelope-to",
];

/// Names of these fields that other formats have too.
const SHARED: [&str; 5] = ["date", "content-type", "path", "from", "to"];

/// Returns whether other formats have a field of mail too; `None` if it is not a field of mail.
fn of_mail(name: &[u8]) -> Option<bool> {
    let is = |known: &&str| known.as_bytes().eq_ignore_ascii_case(name);
    let known = OF_MAIL.iter().find(|known| is(known))?;
    Some(SHARED.contains(known))
}

/// Detects mail from the first bytes.
///
/// # Errors
///
/// Returns an error if the bytes begin like mail, and more of them are needed.
pub(crate) fn of(
    about: &DocumentFacts<'_>,
    head: &[u8],
    is_last: bool,
) -> Result<Option<MailKind>, ()> {
    match about.effective_format() {
        Format::Email => Ok(Some(MailKind::Message)),
        Format::Mbox => Ok(Some(MailKind::Mailbox)),
        Format::Auto => match by_name(about.name) {
            NameVerdict::Mail(kind) => match by_content(head, is_last) {
                // A message may be stored with its `From ` line.
                Ok(found) => Ok(found.or(Some(kind))),
                Err(()) => Err(()),
            },
            NameVerdict::Other => Ok(None),
            NameVerdict::Unknown => by_content(head, is_last),
        },
        _ => Ok(None),
    }
}

/// Returns `true` if bytes are only the beginning of a line that may be the first field of a message, or `From `.
pub(crate) fn is_cut_field(head: &[u8]) -> bool {
    let (name, rest) = head.split_at(name_len(head));
    let may_be = |field: &str| match rest.first() {
        None => field.get(..name.len()).is_some_and(|f| f.as_bytes().eq_ignore_ascii_case(name)),
        Some(b':' | b' ') => field.as_bytes().eq_ignore_ascii_case(name),
        Some(_) => false,
    };
    memchr::memchr(b'\n', head).is_none() && OF_MAIL.iter().any(|field| may_be(field))
}

/// Returns `true` if a name is one of mail.
pub(super) fn is_named(name: &[u8]) -> bool {
    matches!(by_name(name), NameVerdict::Mail(_))
}

/// Returns `true` if an attachment is opened by its name, as a page or a message, whatever its declared type is.
pub(crate) fn is_opened_by_name(name: &[u8]) -> bool {
    is_page_name(name) || is_named(name)
}

/// Returns `true` if the first line that is not empty is a field.
pub(super) fn begins_with_field(head: &[u8]) -> bool {
    let head = head.strip_prefix(MARK).unwrap_or(head);
    let head = &head[empty_lines(head)..];
    colon(head.split(|byte| matches!(byte, b'\n' | b'\r')).next().unwrap_or_default()).is_some()
}

/// Returns `true` if a name is one of a format other than mail.
pub(super) fn is_named_otherwise(name: &[u8]) -> bool {
    matches!(by_name(name), NameVerdict::Other)
}

enum NameVerdict {
    Mail(MailKind),
    Other,
    Unknown,
}

fn by_name(name: &[u8]) -> NameVerdict {
    let ends = |ending: &str| {
        let start = name.len().checked_sub(ending.len());
        start.is_some_and(|start| name[start..].eq_ignore_ascii_case(ending.as_bytes()))
    };
    match () {
        () if ends(".eml") || ends(".emlx") => NameVerdict::Mail(MailKind::Message),
        () if ends(".mbox") || ends(".mbx") => NameVerdict::Mail(MailKind::Mailbox),
        // Check this before extensions: after the last dot of such a name is a part of a host name.
        () if is_of_maildir(name) => NameVerdict::Mail(MailKind::Message),
        () if is_told_by_name(name) => NameVerdict::Other,
        () => NameVerdict::Unknown,
    }
}

/// Returns `true` if a name is that of a message in a Maildir: it ends in flags (`…:2,FS`; `!` and `;` where names have
/// no colons), or is in `cur` or `new` and consists of seconds, a unique part and a host, separated by dots.
fn is_of_maildir(name: &[u8]) -> bool {
    let mut steps = name.rsplit(|b| matches!(b, b'/' | b'\\'));
    let (file, folder) = (steps.next().unwrap_or_default(), steps.next().unwrap_or_default());
    let flags = file.iter().rposition(|b| !b.is_ascii_alphabetic()).map_or(0, |at| at + 1);
    if [b":2,", b"!2,", b";2,"].iter().any(|info| file[..flags].ends_with(*info)) {
        return true;
    }
    let seconds = file.iter().take_while(|b| b.is_ascii_digit()).count();
    matches!(folder, b"cur" | b"new")
        && seconds >= SECONDS
        && matches!(file.get(seconds), Some(b'.' | b'_'))
        && file.iter().filter(|b| **b == b'.').count() >= 2
}

/// Detects mail from the first bytes only; returns an error if they begin like mail and more of them may follow.
pub(crate) fn by_content(head: &[u8], is_last: bool) -> Result<Option<MailKind>, ()> {
    let is_last = is_last || head.len() >= HEAD;
    let head = &head[..head.len().min(HEAD)];
    if MARK.starts_with(head) && !is_last {
        return Err(());
    }
    let head = head.strip_prefix(MARK).unwrap_or(head);
    let head = match &head[empty_lines(head)..] {
        [] if !is_last => return Err(()),
        head => head,
    };
    // The line feed after a number may not have been read yet.
    let is_number = |line: &[u8]| line.iter().all(|byte| byte.is_ascii_digit() || *byte == b' ');
    if !is_last && head.strip_suffix(b"\r").is_some_and(is_number) {
        return Err(());
    }
    let head = match after_count(head) {
        Some(at) if at == head.len() && !is_last => return Err(()),
        Some(at) => &head[at..],
        None => head,
    };
    let line_end = match memchr::memchr(b'\n', head) {
        Some(_) => b'\n',
        None => b'\r',
    };
    if head.starts_with(FROM) || FROM.starts_with(head) {
        match Separators::of(head).is_at(Chunk::new(head, 0, is_last), 0, line_end) {
            Some(true) => return Ok(Some(MailKind::Mailbox)),
            // It may be a field: `From :`.
            Some(false) => {}
            None => return Err(()),
        }
    }
    // A message has two fields of mail, at least one of them a field that no other format has.
    let (mut count, mut is_sure) = (0, false);
    for line in lines(head, line_end, is_last) {
        match line {
            HeaderLine::Field(name) => {
                if let Some(is_shared) = of_mail(name) {
                    count += 1;
                    is_sure |= !is_shared;
                }
                if count > 1 && is_sure {
                    return Ok(Some(MailKind::Message));
                }
            }
            HeaderLine::Cut => break,
            HeaderLine::Other => return Ok(None),
        }
    }
    if is_last { Ok(None) } else { Err(()) }
}

/// Returns `true` if bytes begin like a MIME entity: with a field of MIME or of mail.
pub(crate) fn begins_entity(head: &[u8]) -> bool {
    const CONTENT: &[u8] = b"content-";
    let head = &head[..head.len().min(HEAD)];
    let is_of_entity =
        |name: &[u8]| name.get(..CONTENT.len()).is_some_and(|s| s.eq_ignore_ascii_case(CONTENT));
    matches!(lines(head, b'\n', true).next(), Some(HeaderLine::Field(name))
        if of_mail(name).is_some() || is_of_entity(name))
}

/// Returns the length in bytes of the empty lines before the header of a message. It is 0 if no field of mail follows
/// them, since the first empty line ends a header without fields.
pub(crate) fn before_header(head: &[u8], line_end: u8) -> usize {
    let head = &head[..head.len().min(HEAD)];
    let empty = empty_lines(head);
    if empty == 0 {
        return 0;
    }
    let is_of_mail =
        |line: HeaderLine<'_>| matches!(line, HeaderLine::Field(name) if of_mail(name).is_some());
    let mut fields = lines(&head[empty..], line_end, true)
        .take_while(|line| matches!(line, HeaderLine::Field(_)));
    if fields.any(is_of_mail) { empty } else { 0 }
}

/// Returns the length in bytes of the `From ` lines before the header of a message, which programs leave there when they take it
/// out of a mailbox, and of those that are quoted (`>From `). It is 0 if no field follows them: they are text then.
pub(crate) fn before_fields(head: &[u8], line_end: u8) -> usize {
    // Nearly all messages begin with a field.
    if !head.strip_prefix(b">").unwrap_or(head).starts_with(FROM) {
        return 0;
    }
    let head = &head[..head.len().min(HEAD)];
    let is_before = |line: &&[u8]| {
        let text = without_end(line.strip_suffix(&[line_end]).unwrap_or(b"\n"));
        is_envelope(text.strip_prefix(b">").unwrap_or(text))
    };
    let before: usize =
        head.split_inclusive(|b| *b == line_end).take_while(is_before).map(<[u8]>::len).sum();
    let is_before_field =
        matches!(lines(&head[before..], line_end, true).next(), Some(HeaderLine::Field(_)));
    if is_before_field { before } else { 0 }
}

/// Returns the length in bytes of the empty lines before the first line of a mailbox. It is 0 if that is not a `From `
/// line.
pub(crate) fn before_mailbox(head: &[u8]) -> usize {
    let empty = empty_lines(&head[..head.len().min(HEAD)]);
    if head[empty..].starts_with(FROM) { empty } else { 0 }
}

/// Returns the range of the message in a file of Apple Mail (`.emlx`), after a line with its length in bytes.
pub(crate) fn counted(head: &[u8], line_end: u8) -> Option<Range<usize>> {
    let head = &head[..head.len().min(HEAD)];
    let start = after_count(head)?;
    let is_header =
        matches!(lines(&head[start..], line_end, true).next(), Some(HeaderLine::Field(_)));
    let count = std::str::from_utf8(&head[..start]).ok()?.trim().parse::<usize>().ok()?;
    is_header.then_some(start..start.saturating_add(count))
}

/// Returns the offset after a first line that is only a number.
fn after_count(head: &[u8]) -> Option<usize> {
    let digits = head.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let blanks = head[digits..].iter().take(COUNT).take_while(|byte| **byte == b' ').count();
    let end = match &head[digits + blanks..] {
        [b'\r', b'\n', ..] => 2,
        [b'\n', ..] => 1,
        _ => return None,
    };
    (1..=COUNT).contains(&digits).then_some(digits + blanks + end)
}

fn empty_lines(head: &[u8]) -> usize {
    head.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count()
}

/// First line of a header field, or another line.
enum HeaderLine<'h> {
    /// Name of a field.
    Field(&'h [u8]),
    /// Start of a line that may be a field.
    Cut,
    Other,
}

fn lines(head: &[u8], line_end: u8, is_last: bool) -> impl Iterator<Item = HeaderLine<'_>> {
    head.split_inclusive(move |b| *b == line_end).enumerate().filter_map(move |(number, line)| {
        let is_whole = is_last || line.ends_with(&[line_end]);
        let text = without_end(line).strip_suffix(&[line_end]).unwrap_or(without_end(line));
        if number > 0 && matches!(text.first(), Some(b' ' | b'\t')) {
            return None;
        }
        Some(match colon(text) {
            Some(colon) => HeaderLine::Field(text[..colon].trim_ascii_end()),
            // The line may be the start of a field's name. As soon as it cannot be one, waiting links are reported.
            None if !is_whole && may_be_name(text) => HeaderLine::Cut,
            None => HeaderLine::Other,
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_fields_make_a_message() {
        for (text, wanted) in [
            ("Subject: a\nFrom: b\n\nc", Some(MailKind::Message)),
            ("X-A: b\n c\nReceived: d\n e\nTo: f\n", Some(MailKind::Message)),
            ("From a@b\nTo: c\n", Some(MailKind::Mailbox)),
            ("From a@b\nand so on", None),
            ("From : a@b\nTo : c\nSubject: d\n", Some(MailKind::Message)),
            ("From \t: a@b\r\nSubject : d\r\n\r\nc", Some(MailKind::Message)),
            ("From : a@b\nTo: c\n", None),
            ("From: a\nTo: b\n", None),
            ("Date: a\nTitle: b\nFrom: c\n\n", None),
            ("Subject: a\n\nFrom: b\n", None),
            ("See http://e/\nSubject: a\nFrom: b", None),
            ("\u{FEFF}Subject: a\nFrom: b\n\nc", Some(MailKind::Message)),
            ("\u{FEFF}From a@b\nTo: c\n", Some(MailKind::Mailbox)),
            ("\u{FEFF}see http://e/", None),
            ("\u{FEFF}", None),
            ("\n\r\nSubject: a\nFrom: b\n\nc", Some(MailKind::Message)),
            ("\u{FEFF}\n\nSubject: a\nFrom: b\n\nc", Some(MailKind::Message)),
            ("\n\nFrom a@b\nTo: c\n", Some(MailKind::Mailbox)),
            ("\n\nSubject: a\n\nFrom: b\n", None),
            ("\n Subject: a\nFrom: b\n", None),
            ("\n\nsee http://e/", None),
            ("\n\r\n", None),
            ("2255      \nSubject: a\nFrom: b\n\nc", Some(MailKind::Message)),
            ("7\r\nX-A: c\nReceived: d\nSubject: e\n", Some(MailKind::Message)),
            ("2255\nsee http://e/", None),
            ("22550000000\nSubject: a\nFrom: b\n\nc", None),
            ("2255\n", None),
            ("", None),
        ] {
            assert_eq!(by_content(text.as_bytes(), true), Ok(wanted), "{text:?}");
            for end in 0..text.len() {
                let early = by_content(&text.as_bytes()[..end], false);
                assert!(early == Err(()) || early == Ok(wanted), "{text:?} {end} {early:?}");
            }
        }
        // A line that cannot be a field is rejected before it ends.
        for text in ["see http://e/", "http://e/ and", "a b", "\u{e9}", "word\n", "see http://e/\n"]
        {
            assert_eq!(by_content(text.as_bytes(), false), Ok(None), "{text:?}");
        }
    }

    #[test]
    fn lines_before_fields_have_a_date() {
        const LINE: &str = "From a@b Sat Jan  3 01:05:34 1996\n";
        for (text, is_before) in [
            (format!("{LINE}To: b\n"), true),
            (format!("{LINE}\ntext"), false),
            (format!("{LINE}text"), false),
            (LINE.to_owned(), false),
            ("From bob\n\ntext".to_owned(), false),
            ("From bob\nTo: b\n".to_owned(), false),
        ] {
            let wanted = if is_before { LINE.len() } else { 0 };
            assert_eq!(before_fields(text.as_bytes(), b'\n'), wanted, "{text:?}");
        }
    }
}
