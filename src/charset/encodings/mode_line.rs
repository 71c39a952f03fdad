//! Mode lines, which declare the encoding of a text to an editor or a programming language.
//!
//! - Emacs: `-*- coding: latin-1 -*-` in the first two lines;
//! - Python (PEP 263), Ruby and others: a comment with `coding: …` or `coding=…` in the first two;
//! - Vim: `vim: set fileencoding=…:` in the first or the last five lines. The last lines are only
//!   checked if the end of the document is known.
//!
//! The result is the first one that names an encoding. A line that is cut is ignored.

use std::sync::LazyLock;

use memchr::memmem::Finder;

use super::label::{self, Declaration, MOST, ModeLineName};
use super::prescan::in_ascii;
use crate::charset::utf8::Extent;

/// Number of lines that Vim checks (its option `modelines`).
const VIM_LINES: usize = 5;

/// Returns the encoding that the mode lines of a text declare.
pub(super) fn find(start: &[u8], extent: Extent) -> Declaration {
    let head = &start[..start.len().min(MOST)];
    let tail = match extent {
        Extent::Whole => &start[start.len().saturating_sub(MOST)..],
        Extent::Beginning => b"",
    };
    // Nearly all texts have no mode line, so exclude them fast.
    if !may_have_one(head) && (tail.len() == start.len() || !may_have_one(tail)) {
        return Declaration::default();
    }
    let is_whole = head.len() == start.len() && extent == Extent::Whole;
    // A line without its end may continue.
    let known = match is_whole {
        true => head.len(),
        false => head.iter().rposition(|byte| is_end(*byte)).unwrap_or(0),
    };
    let head = &head[..known];
    let mut found = Declaration::default();
    for (number, line) in lines(head).take(VIM_LINES).enumerate() {
        let labels =
            [emacs(line).filter(|_| number < 2), python(line).filter(|_| number < 2), vim(line)];
        found = first(found, labels.into_iter().flatten());
        if found.is_found() {
            return found;
        }
    }
    let mut last: Vec<_> = lines_from_the_end(tail).take(VIM_LINES).collect();
    last.reverse();
    first(found, last.into_iter().filter_map(vim))
}

/// Returns `true` if the text contains a word that each mode line has.
pub(crate) fn may_have_one(text: &[u8]) -> bool {
    // Creating a searcher takes longer than searching so few bytes.
    static WORDS: LazyLock<[Finder<'_>; 2]> =
        LazyLock::new(|| ["oding", "fenc"].map(|word| Finder::new(word.as_bytes())));
    WORDS.iter().any(|word| word.find(text).is_some())
}

/// A name of an encoding, and whether it is reported if it is unknown.
#[derive(Clone, Copy)]
enum Label<'t> {
    Sure(&'t [u8]),
    /// Prose may have this form.
    Maybe(&'t [u8]),
}

fn first<'t>(mut found: Declaration, labels: impl Iterator<Item = Label<'t>>) -> Declaration {
    for label in labels {
        let (Label::Sure(name) | Label::Maybe(name)) = label;
        match (label::of_editor(name), label) {
            (ModeLineName::Encoding(encoding), _) => {
                return Declaration::of(in_ascii(encoding), name);
            }
            (ModeLineName::Unknown, Label::Sure(name)) => found = found.or_unknown(Some(name)),
            _ => {}
        }
    }
    found
}

fn is_end(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

fn lines(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    // CR LF also results in an empty line: empty lines are ignored and not counted.
    bytes.split(|byte| is_end(*byte)).filter(|line| !line.is_empty())
}

fn lines_from_the_end(bytes: &[u8]) -> impl Iterator<Item = &[u8]> {
    bytes.rsplit(|byte| is_end(*byte)).filter(|line| !line.is_empty())
}

fn position(line: &[u8], wanted: &[u8]) -> Option<usize> {
    line.windows(wanted.len()).position(|window| window.eq_ignore_ascii_case(wanted))
}

/// Returns the bytes at the beginning that may be in the name of an encoding.
fn name(bytes: &[u8]) -> Option<&[u8]> {
    let is_part = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.');
    let end = bytes.iter().position(|byte| !is_part(byte)).unwrap_or(bytes.len());
    (end > 0).then_some(&bytes[..end])
}

/// Reads `-*- mode: x; coding: LABEL -*-`.
fn emacs(line: &[u8]) -> Option<Label<'_>> {
    let rest = &line[position(line, b"-*-")? + 3..];
    let inner = &rest[..position(rest, b"-*-")?];
    for variable in inner.split(|byte| *byte == b';') {
        let Some(colon) = variable.iter().position(|byte| *byte == b':') else { continue };
        if matches!(variable[..colon].trim_ascii(), b"coding" | b"Coding") {
            return name(variable[colon + 1..].trim_ascii()).map(Label::Sure);
        }
    }
    None
}

/// Reads `^[ \t\f]*#.*?coding[:=][ \t]*([-_.a-zA-Z0-9]+)`.
fn python(line: &[u8]) -> Option<Label<'_>> {
    let line = line.trim_ascii_start().strip_prefix(b"#")?;
    let mut rest = line;
    while let Some(at) = rest.windows(6).position(|window| window == b"coding") {
        rest = &rest[at + 6..];
        if let [b':' | b'=', value @ ..] = rest {
            return name(value.trim_ascii_start()).map(Label::Maybe);
        }
    }
    None
}

/// Reads `vim: set fenc=LABEL :` and its variants.
fn vim(line: &[u8]) -> Option<Label<'_>> {
    let options = vim_options(line)?;
    let mut words = options.split(|byte| byte.is_ascii_whitespace() || *byte == b':');
    words.find_map(|word| {
        let equals = word.iter().position(|byte| *byte == b'=')?;
        let (option, value) = (&word[..equals], &word[equals + 1..]);
        matches!(option, b"fileencoding" | b"fenc").then_some(())?;
        name(value).map(Label::Sure)
    })
}

/// Returns the options after `vi:`, `vim:`, `Vim:`, `ex:` at the line's start or after a space, and after the version in
/// `vim600:`, `vim>700:`.
fn vim_options(line: &[u8]) -> Option<&[u8]> {
    let mut word_start = 0;
    for at in 0..line.len() {
        if line[at].is_ascii_whitespace() {
            word_start = at + 1;
        } else if line[at] == b':' {
            let word = &line[word_start.min(at)..at];
            let is_version =
                |byte: &u8| byte.is_ascii_digit() || matches!(byte, b'<' | b'>' | b'=');
            let end = word.iter().position(is_version).unwrap_or(word.len());
            let (program, version) = word.split_at(end);
            let is_editor = matches!(program, b"vi" | b"vim" | b"Vim" | b"ex");
            if is_editor && version.iter().all(is_version) {
                return Some(&line[at + 1..]);
            }
            // `// a:vim:` is not one.
            word_start = line.len();
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::super::declared::find as declared;
    use super::*;

    fn of(text: &str, extent: Extent) -> String {
        let found = declared(text.as_bytes(), extent, false);
        match found.settle() {
            Ok((Some(encoding), _)) => encoding.name().to_owned(),
            Ok((None, unknown)) => {
                unknown.map_or("nothing".to_owned(), |label| format!("?{label}"))
            }
            Err(replacement) => format!("!{}", replacement.label()),
        }
    }

    #[test]
    fn lines_of_emacs() {
        for (text, name) in [
            ("# -*- coding: latin-2 -*-\n", "ISO-8859-2"),
            ("#!/usr/bin/perl\n# -*- mode: perl; coding: koi8-r-unix; -*-\n", "KOI8-R"),
            ("-*-coding:euc-jp-*-", "EUC-JP"),
            ("-*- Coding: utf-16 -*-", "UTF-8"),
            ("-*- coding: iso-2022-cn -*-", "!iso-2022-cn"),
            ("-*- coding: x-klingon -*-", "?x-klingon"),
            ("-*- coding: undecided -*-", "nothing"),
            ("-*- encoding: latin-2 -*-", "nothing"),
            ("-*- coding: latin-2\n", "nothing"),
            ("1\n2\n-*- coding: latin-2 -*-\n", "nothing"),
        ] {
            assert_eq!(of(text, Extent::Whole), name, "{text}");
        }
    }

    #[test]
    fn lines_of_python() {
        for (text, name) in [
            ("# coding: cp1251\n", "windows-1251"),
            ("#!/usr/bin/python\n# This file uses the encoding=iso8859_15\n", "ISO-8859-15"),
            ("  #coding=mac_roman", "macintosh"),
            ("# encoding: an introduction\n", "nothing"),
            ("coding: cp1251\n", "nothing"),
        ] {
            assert_eq!(of(text, Extent::Whole), name, "{text}");
        }
    }

    #[test]
    fn lines_of_vim() {
        for (text, name) in [
            ("a\nb\nc\nd\n// vim: set sw=4 fenc=euc-kr:\n", "EUC-KR"),
            ("/* vim:fileencoding=cp1250:ts=2 */\n", "windows-1250"),
            ("# vim600: se fenc=latin1 :\n", "windows-1252"),
            ("a\n# ex: fileencoding=zzz\nb\n", "?zzz"),
            ("about xvim: fenc=latin1\n", "nothing"),
            ("vim:fenc=\n", "nothing"),
        ] {
            assert_eq!(of(text, Extent::Whole), name, "{text}");
        }
        let far = format!("{}# vim: fenc=big5\n\nend\n", "line\n".repeat(1000));
        assert_eq!(of(&far, Extent::Whole), "Big5");
        assert_eq!(of(&far, Extent::Beginning), "nothing");
    }

    #[test]
    fn a_line_that_may_go_on_says_nothing() {
        assert_eq!(of("# vim: fenc=euc", Extent::Beginning), "nothing");
        assert_eq!(of("# vim: fenc=euc-jp\n", Extent::Beginning), "EUC-JP");
    }
}
