//! IRI → URI for a link found in text (RFC 3987 §3.1, with what it leaves to applications).
//!
//! Where a link ends is decided by UTS #58, which lets in what the grammar does not. A found link is
//! not refused for that: the ASCII that URIs forbid, `[ ]` outside the host, a second `#` and
//! characters that are no `ucschar` are percent-encoded, a stray `%` becomes `%25`, and the survey
//! says so. The caller knows where the host lies and has mapped it.

use std::ops::Range;

use super::chars::{self, PLAIN, Private, push_encoded, push_triplet, triplet};
use super::parse::skip;

/// What the text of a link has in it that a URI cannot have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Survey {
    /// A `%` without two hexadecimal digits.
    pub(crate) stray_percent: bool,
    /// ASCII that must be percent-encoded.
    pub(crate) forbidden: bool,
    /// A character that RFC 3987 does not let in.
    pub(crate) not_iri: bool,
    /// Anything that is not ASCII, the host's characters too.
    pub(crate) non_ascii: bool,
}

/// Looks through the text of a link, its host left out (but for `non_ascii`).
pub(crate) fn survey(text: &str, host: Range<usize>) -> Survey {
    let mut survey = Survey::default();
    walk(text, host, |piece| match piece {
        Piece::Host(name) => survey.non_ascii |= !name.is_ascii(),
        Piece::Plain(_) => {}
        Piece::StrayPercent => survey.stray_percent = true,
        Piece::Forbidden(_) => survey.forbidden = true,
        Piece::Beyond(c, private) => {
            survey.non_ascii = true;
            survey.not_iri |= chars::judge(c, private).is_err();
        }
    });
    survey
}

/// Appends the URI of `text`, with `mapped_host` in the place of its host.
pub(crate) fn push(out: &mut String, text: &str, host: Range<usize>, mapped_host: &str) {
    walk(text, host, |piece| match piece {
        Piece::Host(_) => out.push_str(mapped_host),
        Piece::Plain(run) => out.push_str(run),
        Piece::StrayPercent => out.push_str("%25"),
        Piece::Forbidden(b) => push_triplet(out, b),
        Piece::Beyond(c, _) => push_encoded(out, c),
    });
}

enum Piece<'a> {
    Host(&'a str),
    Plain(&'a str),
    StrayPercent,
    Forbidden(u8),
    Beyond(char, Private),
}

/// Gives the pieces in order; runs that need nothing are given whole.
fn walk<'a>(text: &'a str, host: Range<usize>, mut give: impl FnMut(Piece<'a>)) {
    let bytes = text.as_bytes();
    let mut private = Private::No;
    let mut in_fragment = false;
    let mut i = 0;
    loop {
        if i == host.start && !host.is_empty() {
            give(Piece::Host(text.get(host.clone()).unwrap_or_default()));
            i = host.end;
        }
        // The run must not run into the host.
        let limit = if i < host.start { host.start } else { bytes.len() };
        let Some(front) = bytes.get(..limit) else { return };
        let end = skip::<PLAIN>(front, i);
        if end > i {
            let run = text.get(i..end).unwrap_or_default();
            // A `?` opens the query; in a fragment it is data.
            if private == Private::No && !in_fragment && run.contains('?') {
                private = Private::Query;
            }
            give(Piece::Plain(run));
            i = end;
        }
        let Some(&b) = front.get(i) else {
            if limit == bytes.len() {
                return;
            }
            continue;
        };
        if b >= 0x80 {
            let Some(c) = text.get(i..).and_then(|rest| rest.chars().next()) else { return };
            give(Piece::Beyond(c, private));
            i += c.len_utf8();
            continue;
        }
        let step = match b {
            b'%' if triplet(bytes, i).is_some() => 3,
            b'%' => {
                give(Piece::StrayPercent);
                i += 1;
                continue;
            }
            b'#' if !in_fragment => {
                in_fragment = true;
                private = Private::No;
                1
            }
            _ => {
                give(Piece::Forbidden(b));
                i += 1;
                continue;
            }
        };
        give(Piece::Plain(text.get(i..i + step).unwrap_or_default()));
        i += step;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_grammar_forbids_is_encoded() {
        let text = "http://H/a b%zz[é]?\u{E000}#x#\u{FFFD}%41";
        let mut out = String::new();
        push(&mut out, text, 7..8, "h");
        assert_eq!(out, "http://h/a%20b%25zz%5B%C3%A9%5D?%EE%80%80#x%23%EF%BF%BD%41");
        let all = Survey { stray_percent: true, forbidden: true, not_iri: true, non_ascii: true };
        assert_eq!(survey(text, 7..8), all);
    }

    #[test]
    fn each_reason_by_itself() {
        let none = Survey::default();
        let on = |text: &str| survey(text, 4..5);
        assert_eq!(on("a://h/b?c#d%20?"), none);
        assert_eq!(survey("a://é/", 4..6), Survey { non_ascii: true, ..none });
        assert_eq!(on("a://h/%2"), Survey { stray_percent: true, ..none });
        assert_eq!(on("a://h/^"), Survey { forbidden: true, ..none });
        assert_eq!(on("a://h/#?\u{E000}"), Survey { not_iri: true, non_ascii: true, ..none });
        assert_eq!(on("a://h/?\u{E000}"), Survey { non_ascii: true, ..none });
    }
}
