//! Detects names in a Windows path, and the same name with another last label next to a name.
//!
//! The input is a host without a scheme and the text before and after it on its line. The result is whether its labels
//! occur there a second time before a label that is not a top-level domain. Two files of a program, or two fields of an
//! object, have such names; of two hosts both have a top-level domain.
//!
//! The input is the text before a name, which ends in a backslash; the result is whether a directory precedes the name.
//! Letters of escapes follow a backslash too, `see\nexample.com`. Before such a letter, the path must begin with a drive,
//! or with a directory whose name does not begin like an escape.

use super::MAX_BEFORE;
use super::lexicon::{NO_TLDS, word};
use crate::tables::tld::is_tld;

/// Maximum number of bytes between two names that are next to each other: `"a.zone" and the "a.metered"`.
const MAX_BETWEEN: usize = 12;

/// Returns `true` if the labels of `name` occur a second time, with another last label.
pub(super) fn is_beside(name: &[u8], line: &[u8], after: &[u8]) -> bool {
    let Some(dot) = name.iter().rposition(|&b| b == b'.') else { return false };
    let stem = &name[..=dot];
    places(after, stem).any(|at| 0 < at && at <= MAX_BETWEEN && name_at(after, at, stem).is_some())
        || places(line, stem).any(|at| {
            let is_begin = at > 0 || line.len() < MAX_BEFORE;
            let end = name_at(line, at, stem);
            is_begin && end.is_some_and(|end| line.len() - end <= MAX_BETWEEN)
        })
}

/// Returns the offsets of `stem`, which ends in a dot, in `text`. It searches for the dots, since few bytes of a line are
/// dots.
fn places(text: &[u8], stem: &[u8]) -> impl Iterator<Item = usize> {
    let starts = memchr::memchr_iter(b'.', text).map(|dot| (dot + 1).checked_sub(stem.len()));
    starts.flatten().filter(move |&at| text[at..].starts_with(stem))
}

/// Returns the end of the name that begins with `stem` at `at`; `None` if it is part of a longer name, or if it ends with a
/// top-level domain.
fn name_at(text: &[u8], at: usize, stem: &[u8]) -> Option<usize> {
    let is_inner = |b: u8| b.is_ascii_alphanumeric() || b"-_./@".contains(&b);
    if at.checked_sub(1).is_some_and(|front| is_inner(text[front])) {
        return None;
    }
    let rest = &text[at + stem.len()..];
    let len = rest.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
    let goes_on = match rest[len..] {
        [b'.', b, ..] => is_inner(b),
        [b, ..] => b"-_/@".contains(&b),
        [] => false,
    };
    let ending = str::from_utf8(&rest[..len]).ok()?;
    let is_domain = is_tld(ending) || NO_TLDS.kinds(word(ending.as_bytes())) != 0;
    (len > 0 && !goes_on && !is_domain).then_some(at + stem.len() + len)
}

/// Returns `true` if a name after a backslash is in a directory.
pub(super) fn is_folder_before(text: &[u8]) -> bool {
    let is_single = matches!(text, [.., b, b'\\'] if is_end_of_folder(*b));
    is_single || is_surely_folder_before(text)
}

/// Returns `true` if it surely is, even if the name begins with the letter of an escape, or if the backslash is doubled.
pub(crate) fn is_surely_folder_before(text: &[u8]) -> bool {
    let text = &text[text.len().saturating_sub(MAX_BEFORE)..];
    let start = text.len() - text.iter().rev().take_while(|b| is_of_path(**b)).count();
    let path = &text[start..];
    let is_drive = match text[..start] {
        [letter, b':'] => letter.is_ascii_alphabetic() && text.len() < MAX_BEFORE,
        [.., front, letter, b':'] => letter.is_ascii_alphabetic() && !front.is_ascii_alphanumeric(),
        _ => false,
    };
    is_drive && path.starts_with(b"\\") || path.split(|&b| b == b'\\').skip(1).any(is_no_escape)
}

/// Returns `true` if the name of a directory may end in this byte. The bytes that end a group of a regular expression or an
/// argument of a macro are not among these.
fn is_end_of_folder(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-.%:)}".contains(&byte) || byte >= 0x80
}

fn is_of_path(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"\\ _-.~%$#@&()".contains(&byte) || byte >= 0x80
}

/// Returns `true` if the text after a backslash is a word that does not begin like an escape.
fn is_no_escape(word: &[u8]) -> bool {
    match word {
        [first, second, ..] => {
            let is_letter = first.is_ascii_alphabetic() && second.is_ascii_alphabetic();
            is_letter && !b"abefnrtuvx".contains(first)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_side_by_side() {
        for (before, name, after) in [
            ("Added targets ", "zsh.info", " and zsh.dvi."),
            ("gnuplot.html or ", "gnuplot.info", " optionally"),
            ("the \"", "connection.zone", "\" and the \"connection.metered\""),
            ("``", "panic.show", "`` and ``panic.clear``"),
            ("a.x.c, ", "a.x.in", ""),
        ] {
            assert!(is_beside(name.as_bytes(), before.as_bytes(), after.as_bytes()), "{name}");
        }
        for (before, name, after) in [
            ("example.com and ", "example.info", ", example.de"),
            ("example.co.yu ", "example.co.za", " example.co.LAN"),
            ("my-zsh.dvi, ", "zsh.info", " and zsh.dvi.org"),
            ("zsh.dvi, but then there is ", "zsh.info", ""),
            ("", "zsh.info", " and something else: zsh.dvi"),
            ("zsh.dvi@", "zsh.info", ".dvi zsh.dvi-x zsh.dvi/"),
            ("ash.dvi ", "sh.info", " zsh.info"),
        ] {
            assert!(!is_beside(name.as_bytes(), before.as_bytes(), after.as_bytes()), "{name}");
        }
    }

    #[test]
    fn folders() {
        for text in [r"C:\", r"x C:\Users\", r#""C:\\temp\\"#, r"\\server\share\", r"src\lib\"] {
            assert!(is_surely_folder_before(text.as_bytes()), "{text}");
        }
        for text in [r"x\", r"..\", r"%TEMP%\", r"$(OutDir)\", r"Ж\"] {
            assert!(is_folder_before(text.as_bytes()), "{text}");
            assert!(!is_surely_folder_before(text.as_bytes()), "{text}");
        }
        for text in [r"\", r"see \", r"text\\", r#""\"#, r"{\", r"\\"] {
            assert!(!is_folder_before(text.as_bytes()), "{text}");
        }
        for text in [r"see\nand\", r"error:\", r"foo: \", r"a\tb\", r"\w\"] {
            assert!(!is_surely_folder_before(text.as_bytes()), "{text}");
        }
    }
}
