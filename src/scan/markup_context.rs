//! Markup and source code around a link, in text that is not parsed.

use super::reference;
use super::view::{Char, EDGE, Incomplete, MALFORMED, View};
use crate::tables::{self, Term, entities};

/// Returns `true` if this character, after which the text continues at `after`, begins markup or source code around the
/// link rather than a part of it: `</a>`, `<br>`, `[/url]`, `\n` in a string literal, `\fR` in a manual page.
pub(crate) fn is_markup(view: &View<'_>, c: Char, after: usize) -> Result<bool, Incomplete> {
    if c.code == u32::from('&') {
        return is_entity(view, after);
    }
    let next = view.next(after)?;
    let behind = after + next.len;
    let first = char::from_u32(next.code);
    if c.code == u32::from('[') {
        return Ok(first == Some('/'));
    }
    if c.code == u32::from('<') {
        if !matches!(first, Some('b' | 'B')) {
            return Ok(first == Some('/'));
        }
        let r = view.next(behind)?;
        let is_r = matches!(char::from_u32(r.code), Some('r' | 'R'));
        let end = char::from_u32(view.next(behind + r.len)?.code);
        return Ok(is_r && matches!(end, Some('>' | '/' | ' ')));
    }
    // A backslash before white space continues the line.
    if is_around(next.code) {
        return Ok(true);
    }
    let is_font = first == Some('f')
        && matches!(
            char::from_u32(view.next(behind)?.code),
            Some('R' | 'B' | 'I' | 'P' | '0'..='9')
        );
    Ok(is_escape_of_space(next.code) || matches!(first, Some('"' | '\'')) || is_font)
}

/// Returns `true` for the letter of an escape that stands for white space in a string, or in a subtitle: `\n`, `\N`.
fn is_escape_of_space(code: u32) -> bool {
    matches!(char::from_u32(code), Some('n' | 'r' | 't' | 'N'))
}

/// Returns `true` if a slash is at `at` as it is escaped in a string of JSON or JavaScript: `\/`, `\u002F`.
pub(crate) fn is_escaped_slash(view: &View<'_>, at: usize) -> Result<bool, Incomplete> {
    Ok(after_escaped_slash(view, at)?.is_some())
}

/// Returns the offset after the escaped slash at `at`, if it is there.
pub(crate) fn after_escaped_slash(view: &View<'_>, at: usize) -> Result<Option<usize>, Incomplete> {
    let c = view.next(at)?;
    if c.code != u32::from('\\') {
        return Ok(None);
    }
    if let Some(escaped) = string_escape(view, at)? {
        return Ok((escaped.code == u32::from('/')).then_some(at + escaped.len));
    }
    let slash = view.next(at + c.len)?;
    Ok((slash.code == u32::from('/')).then_some(at + c.len + slash.len))
}

/// Returns the character of the escape of a string at `at`, where a backslash is: [`reference::string_escape`].
pub(crate) fn string_escape(view: &View<'_>, at: usize) -> Result<Option<Char>, Incomplete> {
    let rest = &view.text[at..];
    let escape = reference::string_escape(rest);
    let is_open = escape.is_none() || reference::may_be_longer(rest);
    if is_open && !view.is_last && rest.len() < reference::MAX_STRING_ESCAPE {
        return Err(Incomplete);
    }
    Ok(escape.map(|(c, len)| Char { code: c.into(), len }))
}

/// Returns `true` if an escaped dot is at `at`, after a host, which is a part of a regular expression: `http://www\.example\.com/`.
pub(crate) fn is_pattern_of_host(view: &View<'_>, at: usize) -> Result<bool, Incomplete> {
    let backslash = view.next(at)?;
    if backslash.code != u32::from('\\') {
        return Ok(false);
    }
    let mut end = at + backslash.len;
    // Each backslash is escaped in a string.
    if view.byte(end)? == Some(b'\\') {
        end += 1;
    }
    let is_dot = view.byte(end)? == Some(b'.');
    Ok(is_dot && view.byte(end + 1)?.is_some_and(|byte| byte.is_ascii_alphanumeric()))
}

/// Elements of HTML that are written within text. Names that are also used as placeholders, `<title>`, `<object>`, are not
/// included.
const ELEMENTS: &str = " a abbr acronym b big blockquote br button center cite code dd del dfn div dl dt em embed \
    figcaption figure font footer form h1 h2 h3 h4 h5 h6 hr i iframe img input ins kbd legend li mark nav \
    noscript ol option p pre q s samp script select small span strike strong style sub sup svg table tbody td \
    textarea tfoot th thead tr tt u ul var video wbr ";

/// Returns `true` if this is the name of an HTML element.
pub(crate) fn is_element_name(name: &str) -> bool {
    let word = format!(" {} ", name.to_ascii_lowercase());
    ELEMENTS.contains(&word)
}

/// Maximum number of adjacent backslashes that are examined.
const MAX_BACKSLASHES: usize = 8;

/// Returns `true` if the character at `at`, after a backslash, is escaped by it or follows the link together with it: `\>`,
/// `\)`, or a second backslash before white space, with which LaTeX ends a line, or before the escape of white space in a string
/// that is in another one: `\\n`.
fn is_after_backslash(view: &View<'_>, at: usize) -> Result<bool, Incomplete> {
    let mut next = view.next(at)?;
    match char::from_u32(next.code) {
        Some('<' | '>' | '(' | ')' | '[' | ']' | '{' | '}' | '"' | '\'' | '`' | '|') => {
            return Ok(true);
        }
        // A segment of a path in reStructuredText: `http://a.com/\*/b`.
        Some('*') => return Ok(view.next(at + next.len)?.code != u32::from('/')),
        _ => {}
    }
    let mut end = at;
    while next.code == u32::from('\\') && end < at + MAX_BACKSLASHES {
        end += next.len;
        next = view.next(end)?;
    }
    Ok(end > at && (is_around(next.code) || is_escape_of_space(next.code)))
}

/// Ways to write an ESC in source code and logs.
const ESCAPES: [&[u8]; 11] = [
    b"\\x1b",
    b"\\033",
    b"\\0033",
    b"\\33",
    b"\\27",
    b"\\u001b",
    b"\\u{1b}",
    b"\\x{1b}",
    b"\\U0000001b",
    b"\\e",
    b"^[",
];

/// Returns `true` if a text ends in an ESC that is written out.
pub(crate) fn ends_in_written_escape(text: &[u8]) -> bool {
    ESCAPES.iter().any(|escape| {
        let start = text.len().checked_sub(escape.len());
        start.is_some_and(|start| text[start..].eq_ignore_ascii_case(escape))
    })
}

/// Returns `true` if a control sequence of a terminal is written out at `at`: `\x1b[0m`, `\033[1m`, `^[[0m`.
fn is_written_escape(view: &View<'_>, at: usize) -> Result<bool, Incomplete> {
    for escape in ESCAPES {
        let mut len = 0;
        while len < escape.len()
            && view.byte(at + len)?.is_some_and(|b| b.eq_ignore_ascii_case(&escape[len]))
        {
            len += 1;
        }
        if len == escape.len() {
            return Ok(matches!(view.byte(at + len)?, Some(b'[' | b']' | b'(' | b')' | b'\\')));
        }
    }
    Ok(false)
}

/// Returns `true` if this character, after which the text continues at `after`, escapes a character around the link, or begins a control
/// sequence of a terminal that is written out.
pub(crate) fn is_escape_around(view: &View<'_>, c: Char, after: usize) -> Result<bool, Incomplete> {
    match char::from_u32(c.code) {
        Some('\\') => {
            Ok(is_after_backslash(view, after)? || is_written_escape(view, after - c.len)?)
        }
        Some('^') => is_written_escape(view, after - c.len),
        _ => Ok(false),
    }
}

/// Returns the kind of a quotation mark, zero for another character. Marks that an IRI may contain are left to UTS #58, so
/// that links that are displayed according to it are found again in full.
pub(crate) fn quotation(code: u32) -> u8 {
    match char::from_u32(code) {
        Some('"') => DOUBLE,
        Some('`') => BACKQUOTE,
        Some('\'') => APOSTROPHE,
        _ => 0,
    }
}

/// The kind of the double quotation mark.
pub(crate) const DOUBLE: u8 = 1;
/// The kind of the backquote.
const BACKQUOTE: u8 = 2;
/// The kind of the single quotation mark, which is also an apostrophe.
pub(crate) const APOSTROPHE: u8 = 4;
/// Length in bytes of the longest method name that is recognised.
const MAX_METHOD: usize = 16;

/// Returns `true` if a quotation mark of this kind that ends at `at`, and that nothing in the link opened, closes a
/// quotation that was opened before the link. The text after the mark decides: `"see http://a.com/b","c"`, `alt="at
/// http://a.com/b"/>`, `"see http://a.com/b".format(`. A backquote is more often data, except in the last cases.
pub(crate) fn is_closing(view: &View<'_>, mark: u8, at: usize) -> Result<bool, Incomplete> {
    let mut next = view.next(at)?;
    if mark == BACKQUOTE {
        let mut behind = at;
        while next.code == u32::from('`') && behind < at + MAX_METHOD {
            behind += next.len;
            next = view.next(behind)?;
        }
        return Ok(is_around(next.code) || is_soft_or_close(next.code));
    }
    let behind = at + next.len;
    let is_before = |code: u32, char| code == u32::from(char);
    Ok(match char::from_u32(next.code) {
        Some(',' | ';' | ':' | '+') => true,
        Some('/') => is_before(view.next(behind)?.code, '>'),
        // The language and the type of a literal of RDF.
        Some('@') => view.byte(behind)?.is_some_and(|byte| byte.is_ascii_lowercase()),
        Some('^') => is_before(view.next(behind)?.code, '^'),
        // Operators, which no link has after the mark of a string.
        Some('|') if mark == APOSTROPHE => is_before(view.next(behind)?.code, '|'),
        Some('=') if mark == APOSTROPHE => is_before(view.next(behind)?.code, '>'),
        Some('.')
            if mark == APOSTROPHE && matches!(view.byte(behind)?, Some(b'$' | b'\'' | b'"')) =>
        {
            true
        }
        Some('.') => {
            let mut len = 0;
            while len < MAX_METHOD
                && view.byte(behind + len)?.is_some_and(|b| b.is_ascii_lowercase() || b == b'_')
            {
                len += 1;
            }
            len > 0 && view.byte(behind + len)? == Some(b'(')
        }
        _ => false,
    })
}

/// Returns `true` if the character is never part of a link: the text's edge, white space, a malformed character.
fn is_around(code: u32) -> bool {
    let is_around = |code| matches!(tables::class(code).term(), Term::Hard | Term::Ender);
    code == EDGE || code == MALFORMED || is_around(code)
}

fn is_soft_or_close(code: u32) -> bool {
    matches!(tables::class(code).term(), Term::Soft | Term::ProseStop | Term::Close)
}

/// Returns `true` if the name of HTML's list and a semicolon are at `at`, after an ampersand, and represent a character that markup writes
/// around a link: a bracket, a quotation mark, a space, a dash, a sign. Letters and the ASCII characters of URLs (`&amp;`) are part
/// of a link.
pub(crate) fn is_entity(view: &View<'_>, at: usize) -> Result<bool, Incomplete> {
    for end in at..=at + entities::LONGEST {
        match view.byte(end)? {
            Some(byte) if byte.is_ascii_alphanumeric() => {}
            Some(b';') => {
                let known = entities::entity(&view.text[at..end]);
                return Ok(known.is_some_and(|known| known.characters.chars().all(is_sign)));
            }
            _ => return Ok(false),
        }
    }
    Ok(false)
}

/// Returns `true` if a character that is written as an entity is not part of a link.
fn is_sign(c: char) -> bool {
    match c.is_ascii() {
        true => !reference::is_of_url(c),
        false => !c.is_alphanumeric(),
    }
}
