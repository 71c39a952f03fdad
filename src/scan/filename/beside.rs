//! What stands directly before and behind a name: a path, an operator, the line of a changelog.
//!
//! In goes the place of a host without a scheme, out comes whether what stands beside it makes it the
//! name of a file or of a member in code. It looks a few bytes back and a few characters ahead.

use super::lexicon::{
    BEHIND, FIELD, FILE, IN_FRONT, Kinds, NOUNS, SOURCE, SOURCE_ENDINGS, SOURCE_IN_PATH, WEAK,
    WORD, word,
};
use crate::scan::view::{More, View};

/// Bytes in front that are looked at.
const MAX_BEFORE: usize = 32;
/// Bytes behind that are, for a name of code.
const MAX_BEHIND: usize = 32;

/// Whether `start..end`, whose domain is of these `kinds`, stands in a path or in code.
pub(super) fn is_beside_code(
    view: &View<'_>,
    start: usize,
    end: usize,
    kinds: Kinds,
) -> Result<bool, More> {
    let before = &view.text[start.saturating_sub(MAX_BEFORE)..start];
    if is_behind_operator(before) || is_before_operator(view, before, end)? {
        return Ok(true);
    }
    if kinds & WEAK == 0 {
        return Ok(false);
    }
    let line = before.rsplit(|&b| b == b'\n').next().unwrap_or_default();
    let is_whole = line.len() < MAX_BEFORE;
    let is_first = is_whole && is_bullet(line);
    Ok(match before {
        // Behind one slash it is a part of a path; behind two it is an authority.
        [.., b'/', b'/'] => false,
        [.., b'/' | b'{'] | [.., b'>', b'>', b'>', b' '] => true,
        [.., b'`'] if kinds & WORD != 0 && view.byte(end)? == Some(b'`') => true,
        _ => {
            has_source(line)
                // GNU's changelogs.
                || is_whole && matches!(line, [b'\t', b'*' | b'(', ..])
                || kinds & (WORD | FILE) != 0 && matches!(view.byte(end)?, Some(b'(' | b'['))
                || is_first && is_entry(view, line, end)?
                || is_called_so(view, line, end)?
                || kinds & FIELD != 0 && (has_identifier(line) || is_identifier_behind(view, end)?)
        }
    })
}

/// `asoc->base.sk`, `&dev.dev`, `~Option.help`, `#lxc.network`; in reStructuredText the names behind a
/// directive and in a role, in manual pages those of fonts.
fn is_behind_operator(before: &[u8]) -> bool {
    match before {
        [.., b'~', b'~'] => false,
        [.., b'~' | b'&' | b'#' | b'$' | b'^'] => true,
        [.., b':', b':'] | [.., b':', b':', b' '] | [.., b'\\', b'f', b'('] => true,
        [.., b, b'-', b'>'] => b.is_ascii_alphanumeric() || matches!(b, b'_' | b')' | b']'),
        [role @ .., b':', b'`'] => {
            let is_part = |b: &&u8| b.is_ascii_alphanumeric() || **b == b'_';
            let len = role.iter().rev().take_while(is_part).count();
            len > 0 && role[..role.len() - len].ends_with(b":")
        }
        _ => false,
    }
}

/// An assignment, a comparison, an arrow, or more of a name behind it.
fn is_before_operator(view: &View<'_>, before: &[u8], end: usize) -> Result<bool, More> {
    let mut at = end;
    match view.byte(at)? {
        Some(b'_') => return Ok(!before.ends_with(b"_")),
        Some(b'-') if view.byte(at + 1)? == Some(b'>') => return Ok(true),
        Some(b'+') if view.byte(at + 1)? == Some(b'+') => return Ok(true),
        Some(b' ' | b'\t') => at += 1,
        _ => {}
    }
    if matches!(view.byte(at)?, Some(b'-' | b'+' | b'|' | b'&' | b'*' | b'!')) {
        at += 1;
    }
    Ok(view.byte(at)? == Some(b'=') && view.byte(at + 1)? != Some(b'>'))
}

/// Whether nothing but a bullet stands on the line.
fn is_bullet(line: &[u8]) -> bool {
    let marks = line.trim_ascii();
    matches!(marks, [] | [b'*' | b'+' | b'-']) && (marks.is_empty() || !line.ends_with(marks))
}

/// `configure.in: New test.`, `* configure.in (AC_INIT): …`, `* a.at, b.at: …`
fn is_entry(view: &View<'_>, line: &[u8], end: usize) -> Result<bool, More> {
    Ok(match view.byte(end)? {
        Some(b':') => view.byte(end + 1)?.is_none_or(|b| b.is_ascii_whitespace()),
        Some(b',') => line.contains(&b'*'),
        Some(b' ') => line.contains(&b'*') && view.byte(end + 1)? == Some(b'('),
        _ => false,
    })
}

/// Whether the word in front or behind says what it is: `register ar.lc`, `attr.show callback`.
fn is_called_so(view: &View<'_>, line: &[u8], end: usize) -> Result<bool, More> {
    if let Some(line) = line.strip_suffix(b" ") {
        let noun = line.rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
        if NOUNS.kinds(word(noun)) & IN_FRONT != 0 {
            return Ok(true);
        }
    }
    if view.byte(end)? != Some(b' ') {
        return Ok(false);
    }
    let mut noun = [0; MAX_BEHIND];
    for len in 0..noun.len() {
        match view.byte(end + 1 + len)? {
            Some(b) if b.is_ascii_alphabetic() => noun[len] = b,
            _ => return Ok(NOUNS.kinds(word(&noun[..len])) & BEHIND != 0),
        }
    }
    Ok(false)
}

/// Whether an underscore joins two words: `mpfr_asin`.
fn has_identifier(line: &[u8]) -> bool {
    line.windows(3).any(|three| {
        three[1] == b'_' && three[0].is_ascii_alphanumeric() && three[2].is_ascii_alphanumeric()
    })
}

/// The same for the rest of the line, as far as it is looked at.
fn is_identifier_behind(view: &View<'_>, end: usize) -> Result<bool, More> {
    let mut last = [0; 3];
    for at in end..end + MAX_BEHIND {
        match view.byte(at)? {
            None | Some(b'\n') => return Ok(false),
            Some(b) => last = [last[1], last[2], b],
        }
        if has_identifier(&last) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Whether the name of a source stands on the line: `* tests/Makefile.am: Add `.
fn has_source(line: &[u8]) -> bool {
    memchr::memchr_iter(b'.', line).any(|dot| {
        let rest = &line[dot + 1..];
        let len = rest.iter().take_while(|b| b.is_ascii_alphanumeric()).count();
        // What goes on there is an address, a path or a longer name.
        if matches!(rest.get(len), Some(b'.' | b'/' | b'@' | b'_' | b'-')) {
            return false;
        }
        let kinds = SOURCE_ENDINGS.kinds(word(&rest[..len]));
        let name = || line[..dot].rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
        kinds & SOURCE != 0 || kinds & SOURCE_IN_PATH != 0 && is_path(name())
    })
}

/// Whether it has a slash, and not the two of an authority.
fn is_path(name: &[u8]) -> bool {
    name.contains(&b'/') && !name.windows(2).any(|two| two == b"//")
}

#[cfg(test)]
mod tests {
    use super::super::lexicon::DOUBT;
    use super::*;
    use crate::scan::References;

    fn is_code(before: &str, host: &str, after: &str, kinds: Kinds) -> bool {
        let text = format!("{before}{host}{after}");
        let view = View::new(text.as_bytes(), true, References::Auto);
        let end = before.len() + host.len();
        is_beside_code(&view, before.len(), end, kinds) == Ok(true)
    }

    #[test]
    fn operators() {
        for (before, after) in [
            ("asoc->", ""),
            ("&", ""),
            ("~", " "),
            ("#", ""),
            (".. attribute:: ", "\n"),
            (":attr:`", "`"),
            ("", " = 1"),
            ("x ", " += 1"),
            ("", "==1"),
            ("", "->x"),
            ("", "++"),
            ("", "_x"),
            ("\\f(", "\\fP"),
        ] {
            assert!(is_code(before, "a.de", after, 0), "{before}a.de{after}");
        }
        for (before, after) in [
            ("", ""),
            ("url=", " x"),
            ("~~", "~~"),
            ("_", "_"),
            ("<b>", "</b>"),
            ("-->", ""),
            ("`", "`"),
            ("see:`", "`"),
            ("", " => x"),
            ("x/", ""),
            ("* ", ": x"),
            ("a.c: ", ""),
        ] {
            assert!(!is_code(before, "a.de", after, 0), "{before}a.de{after}");
        }
    }

    #[test]
    fn paths_and_changelogs() {
        for (before, after) in [
            ("tests/", " x"),
            ("{", ",b}"),
            (">>> ", "\n"),
            ("", ": x"),
            ("\t* x, ", " y"),
            ("\t(", "): y"),
            ("* ", " (X): y"),
            ("\t* ", ", b.at: x"),
            ("\t* tests/Makefile.am: Add ", "."),
            ("\t* x/zcat.in, ", "\n"),
        ] {
            assert!(is_code(before, "a.at", after, DOUBT), "{before}a.at{after}");
        }
        for (before, after) in [
            ("//", "/"),
            ("see ", " for"),
            ("see ", ": x"),
            ("* see ", " (x)"),
            ("`", "`"),
            ("", " (x)"),
            ("example.com, ", ""),
            ("example.in, example.info, ", ""),
            ("example.info/x ", ""),
        ] {
            assert!(!is_code(before, "a.at", after, DOUBT), "{before}a.at{after}");
        }
        for (before, after) in [("`", "`"), ("", "(x)"), ("", "[0]")] {
            assert!(is_code(before, "a.name", after, WORD), "{before}a.name{after}");
            assert!(!is_code(before, "a.at", after, DOUBT), "{before}a.at{after}");
        }
    }
}
