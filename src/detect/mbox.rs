//! Detects where the messages of a mailbox begin (RFC 4155 and related formats).
//!
//! A message begins with a `From ` line that has a date, or a single word, if the line after it is a field. Unless the line
//! is at the start of the file or follows an empty line, the date must be its end. Without a date, a longer line is prose.
//! Nothing is rewritten: `>From ` stays as it is stored. `From :` is a field itself, since blanks may precede its colon
//! (RFC 5322 §4.5).

use super::field::{MARK, colon, may_be_name, without_end};
use crate::input::chunk::Chunk;

/// First bytes of the line before a message.
pub(crate) const FROM: &[u8] = b"From ";
/// Maximum length in bytes of a `From ` line, or of the name of a field after it.
const LONGEST: usize = 4096;
/// End of the `From ` lines that `git format-patch` writes, a fixed date.
const PATCH: &[u8] = b" Mon Sep 17 00:00:00 2001";

/// Kind of lines that separate the messages of a mailbox, according to its first line.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) enum Separators {
    #[default]
    Mail,
    /// Mailbox of `git format-patch`. In other mailboxes, its `From ` lines belong to patches in a message, and do not
    /// separate messages.
    Patches,
}

impl Separators {
    pub(crate) fn of(bytes: &[u8]) -> Separators {
        let line = bytes.split(|b| *b == b'\n').next().unwrap_or_default();
        match is_patch(without_end(line)) {
            true => Separators::Patches,
            false => Separators::Mail,
        }
    }

    /// Returns `Some(true)` if a message begins at `at`, the start of a line; `None` if more bytes are needed.
    pub(crate) fn is_at(self, chunk: Chunk<'_>, at: usize, line_end: u8) -> Option<bool> {
        let rest = &chunk[at..];
        if !rest.starts_with(FROM) {
            let is_cut = FROM.starts_with(rest) && !chunk.is_last();
            return if is_cut { None } else { Some(false) };
        }
        let Some(end) = memchr::memchr(line_end, &rest[..rest.len().min(LONGEST)]) else {
            let is_cut = rest.len() < LONGEST && !chunk.is_last();
            return if is_cut { None } else { Some(false) };
        };
        let line = without_end(&rest[..end]);
        if colon(line).is_some() || is_patch(line) && self == Separators::Mail {
            return Some(false);
        }
        let before = &chunk[chunk.base()..at];
        let is_envelope = match is_after_blank(before, line_end) {
            true => is_sender_only(line) || has_date(line),
            false => ends_with_date(line),
        };
        if !is_envelope {
            return Some(false);
        }
        let next = &rest[end + 1..];
        let next = &next[..next.len().min(LONGEST)];
        let line = next.split(|b| *b == line_end).next().unwrap_or_default();
        // Blanks may precede the colon.
        let colon = colon(line);
        let is_cut = line.len() == next.len() && next.len() < LONGEST && !chunk.is_last();
        // What follows a colon may make it the one of a URL.
        let is_open = match colon {
            Some(at) => matches!(line[at + 1..], [] | [b'/']),
            None => may_be_name(line),
        };
        if is_cut && is_open { None } else { Some(colon.is_some()) }
    }
}

/// Returns `true` if a line begins with `From `, and has a date.
pub(super) fn is_envelope(line: &[u8]) -> bool {
    line.starts_with(FROM) && colon(line).is_none() && !is_sender_only(line) && has_date(line)
}

/// Returns `true` if a `From ` line has no more than one word after it.
fn is_sender_only(line: &[u8]) -> bool {
    words(line).nth(1).is_none()
}

/// Returns the words of a `From ` line.
fn words(line: &[u8]) -> impl Iterator<Item = &[u8]> {
    line[FROM.len()..].split(u8::is_ascii_whitespace).filter(|w| !w.is_empty())
}

/// Returns `true` at the start of the input, or after an empty line.
fn is_after_blank(before: &[u8], line_end: u8) -> bool {
    let Some(rest) = before.strip_suffix(&[line_end]) else {
        return before.is_empty() || before == MARK;
    };
    let rest = rest.strip_suffix(b"\r").filter(|_| line_end == b'\n').unwrap_or(rest);
    rest.is_empty() || rest == MARK || rest.ends_with(&[line_end])
}

/// Returns `true` if a `From ` line has a date: a time and a year, a weekday and a month, or a date of ISO 8601.
fn has_date(line: &[u8]) -> bool {
    const WEEKDAYS: [&[u8]; 7] = [b"Mon", b"Tue", b"Wed", b"Thu", b"Fri", b"Sat", b"Sun"];
    #[rustfmt::skip]
    const MONTHS: [&[u8]; 12] = [
        b"Jan", b"Feb", b"Mar", b"Apr", b"May", b"Jun", b"Jul", b"Aug", b"Sep", b"Oct", b"Nov", b"Dec",
    ];
    let has = |test: &dyn Fn(&[u8]) -> bool| words(line).any(test);
    let is_one_of =
        |word: &[u8], names: &[&[u8]]| names.contains(&word.strip_suffix(b",").unwrap_or(word));
    let is_iso = |word: &[u8]| match word {
        [year @ .., b'-', m, n, b'-', d, e] => {
            is_year(&year) && [m, n, d, e].iter().all(|b| b.is_ascii_digit())
        }
        _ => false,
    };
    has(&is_time) && has(&|word| is_year(&word))
        || has(&|word| is_one_of(word, &WEEKDAYS)) && has(&|word| is_one_of(word, &MONTHS))
        || has(&|word| is_iso(word.get(..10).unwrap_or_default()))
}

/// Returns `true` if a line ends with `hh:mm…yyyy`, perhaps with a zone after it.
fn ends_with_date(line: &[u8]) -> bool {
    let words: Vec<&[u8]> =
        line.trim_ascii_end().rsplit(|b| *b == b' ').filter(|w| !w.is_empty()).take(5).collect();
    let year = words.iter().take(2).position(is_year);
    year.is_some_and(|year| words[year + 1..].iter().take(3).any(|word| is_time(word)))
}

fn is_year(word: &&[u8]) -> bool {
    word.len() == 4 && word.iter().all(u8::is_ascii_digit)
}

fn is_time(word: &[u8]) -> bool {
    matches!(word, [h, m @ ..] if h.is_ascii_digit() && m.contains(&b':'))
        && word.iter().all(|b| b.is_ascii_digit() || *b == b':')
}

fn is_patch(line: &[u8]) -> bool {
    let Some(hash) = line.strip_prefix(FROM).and_then(|rest| rest.strip_suffix(PATCH)) else {
        return false;
    };
    hash.len() == 40 && hash.iter().all(u8::is_ascii_hexdigit)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_at(text: &str) -> Option<bool> {
        let at = text.rfind("From ").unwrap();
        Separators::Mail.is_at(Chunk::whole(text.as_bytes()), at, b'\n')
    }

    #[test]
    fn a_message_begins_after_an_empty_line_and_with_a_field() {
        for (text, wanted) in [
            ("From a\nTo: b\n", true),
            ("x\n\nFrom a\nTo: b\n", true),
            ("x\r\n\r\nFrom a\r\nTo: b\r\n", true),
            ("x\nFrom a\nTo: b\n", false),
            ("x\nFrom a@b Sat Jan  3 01:05:34 1996\nTo: b\n", true),
            ("x\nFrom a@b Sat Jan  3 01:05 1996 +0100\nTo: b\n", true),
            ("x\n\nFrom a\nnext line\n", false),
            ("x\n\nFrom now on\n\n", false),
            ("x\n\nFrom a", false),
            ("From : a\nTo: b\n", false),
            ("From \t : a@b Sat Jan  3 01:05:34 1996\nTo: b\n", false),
            ("From  a@b: c\nTo: b\n", false),
            ("x\n\nFrom Monday on, new prices:\nShirts: a\n", false),
            ("x\n\nFrom 10:30 on the shop is open.\nShirts: a\n", false),
            ("From Monday on, new prices:\nShirts: a\n", false),
            ("x\n\nFrom - Mon Jun  5 10:11:12 2023\nTo: b\n", true),
            ("x\n\nFrom ???@??? Mon Jun 05 10:11:12 2023\nTo: b\n", true),
            ("x\n\nFrom 123@xxx Mon Jun 05 10:11:12 +0000 2023\nTo: b\n", true),
            ("x\n\nFrom a@b Mon Jun  5 10:11:12 2023 -0400 (EDT)\nTo: b\n", true),
            ("x\n\nFrom a@b Mon Jun  5 10:11:12 CEST 2023 remote from c\nTo: b\n", true),
            ("x\n\nFrom a@b Mon, 5 Jun 2023 10:11 +0200\nTo: b\n", true),
            ("x\n\nFrom a@b 2023-06-05T10:11:12Z\nTo: b\n", true),
            ("x\n\nFrom \"a b\"@c Mon Jun  5 10:11:12 2023\nTo: b\n", true),
        ] {
            assert_eq!(is_at(text), Some(wanted), "{text:?}");
        }
        let hash = "0123456789abcdef0123456789abcdef01234567";
        let patch = format!("From {hash} Mon Sep 17 00:00:00 2001\nFrom: a\n");
        let quoted = format!("x\n\n{patch}");
        assert_eq!(Separators::of(patch.as_bytes()), Separators::Patches);
        assert_eq!(Separators::Mail.is_at(Chunk::whole(quoted.as_bytes()), 3, b'\n'), Some(false));
        assert_eq!(
            Separators::Patches.is_at(Chunk::whole(quoted.as_bytes()), 3, b'\n'),
            Some(true)
        );
    }

    #[test]
    fn what_is_cut_is_not_decided() {
        let text = b"From a\nTo: b\n";
        for end in 0..text.len() {
            let found = Separators::Mail.is_at(Chunk::new(&text[..end], 0, false), 0, b'\n');
            assert_eq!(found, (end > 10).then_some(true), "{end}");
        }
        let text = b"From a\nTo : b\n";
        for end in 0..text.len() {
            let found = Separators::Mail.is_at(Chunk::new(&text[..end], 0, false), 0, b'\n');
            assert_eq!(found, (end > 11).then_some(true), "{end}");
        }
        let text = b"From a\nhttp://b.com\n";
        for end in 0..text.len() {
            let found = Separators::Mail.is_at(Chunk::new(&text[..end], 0, false), 0, b'\n');
            assert_eq!(found, (end > 13).then_some(false), "{end}");
        }
    }
}
