//! Removes text directly before a local part that does not belong to it: prose, punctuation, keys.
//!
//! The input is a run of characters before an `@` that a local part may have, the result is where the local part begins in
//! it (`docs/rules.md`, "E-mail addresses").

use super::view::{Incomplete, View};
use super::{front, joined};
use crate::tables::tld;

/// Tags of rewritten addresses, which look like keys and belong to the local part: SRS, BATV.
const TAGS: [&str; 5] = ["prvs", "msprvs1", "srs0", "srs1", "btv1"];
/// The types of the properties of an Authentication-Results field (RFC 8601 §2.2 `smtp.mailfrom`).
const PROPERTIES: [&str; 4] = ["smtp.", "header.", "policy.", "body."];

/// Returns the start of the local part after prose that an ASCII run before the `@` at `at` follows without a space, and
/// after a bar or an opening brace: `请写信到me@example.org`, `ל-me@example.org`, `\path|me@example.org|`, `}{me@example.org}`.
pub(crate) fn after_prose(view: &View<'_>, start: usize, at: usize) -> usize {
    let mut end = at;
    let mut next = None;
    while end > start {
        let c = view.prev(end, start);
        let Some(code) = char::from_u32(c.code) else { return start };
        match next {
            // The run ends in non-ASCII letters, which belong to it.
            None if !code.is_ascii() => return front::after_attached(view, start, at),
            Some('-') if joined::is_foreign(c.code) => return end + 1,
            Some(next)
                if (joined::is_before_word(code)
                    || joined::is_attached(code)
                    || matches!(code, '|' | '{'))
                    && next.is_ascii_alphanumeric() =>
            {
                return end;
            }
            _ => {}
        }
        next = Some(code);
        end -= c.len;
        if c.len == 0 {
            break;
        }
    }
    front::after_attached(view, start, at)
}

/// Returns the start of the local part after hyphens, after the `+` of a diff at the beginning of a line, and after emphasis
/// characters that also follow the address, which ends at `end`: `-----me@example.org`, `_me@example.org_`.
pub(crate) fn after_marks(
    view: &View<'_>,
    start: usize,
    at: usize,
    end: usize,
) -> Result<usize, Incomplete> {
    let local = &view.text[start..at];
    let Some(&mark @ (b'-' | b'+' | b'_' | b'~')) = local.first() else { return Ok(start) };
    let mut count = local.iter().take_while(|&&b| b == mark).count();
    if matches!(mark, b'-' | b'+') {
        let is_apart = mark == b'-' || is_line_start(view, start);
        return Ok(if is_apart && count < local.len() { start + count } else { start });
    }
    let mut after = 0;
    while after < count && view.byte(end + after)? == Some(mark) {
        after += 1;
    }
    count = if after < local.len() { after } else { 0 };
    Ok(start + count)
}

/// Returns the start of the local part without preceding punctuation and keys that do not belong to it: quotes, `*`, `{`,
/// `|`, and `email=`.
pub(crate) fn trimmed(view: &View<'_>, start: usize, at: usize, prose: bool) -> usize {
    let local = &view.text[start..at];
    let may_trim = |b: &u8| matches!(b, b'\'' | b'`' | b'*' | b'{' | b'|' | b'&' | b'#');
    let has_sign = |sign| local.contains(&sign);
    if !local.first().is_some_and(may_trim) && !has_sign(b'=') && !has_sign(b'&') {
        return if prose && has_sign(b'/') { after_slash(local, start) } else { start };
    }
    let mut first = if prose { after_comment_mark(view, start, at) } else { start };
    loop {
        let marks_end = skip(view, first, at, |c| matches!(c, '\'' | '`' | '*' | '{' | '|'));
        if prose && let Some(end) = after_query(view, marks_end, at) {
            return end;
        }
        let end = after_key(view, marks_end, at, prose).unwrap_or(marks_end);
        if end == first {
            return first;
        }
        first = end;
    }
}

/// Returns the offset after the slash that separates the local part from another address or from the word for one, if the
/// local part has no other: `me@example.org/you@example.org`, `E-Mail/me@example.org`.
fn after_slash(local: &[u8], start: usize) -> usize {
    let slash = memchr::memchr(b'/', local).unwrap_or(0);
    let (word, rest) = local.split_at(slash);
    let is_word =
        [&b""[..], b"e-mail", b"email", b"mail"].iter().any(|one| word.eq_ignore_ascii_case(one));
    let is_name = rest.get(1).is_some_and(u8::is_ascii_alphanumeric);
    let is_only = memchr::memrchr(b'/', local) == Some(slash);
    if is_word && is_name && is_only { start + slash + 1 } else { start }
}

/// Returns the offset after the characters that mark a line as a comment: `#me@example.org`.
fn after_comment_mark(view: &View<'_>, start: usize, at: usize) -> usize {
    let end = skip(view, start, at, |c| c == '#');
    if is_line_start(view, start) && end < at { end } else { start }
}

fn is_line_start(view: &View<'_>, at: usize) -> bool {
    at == 0 || matches!(view.prev(at, 0).code, 0x0A | 0x0D)
}

/// Returns the offset after the last `=` of text that begins like a path or a query, or with the sign:
/// `?email=me@example.org`, `*=me@example.org`.
fn after_query(view: &View<'_>, start: usize, at: usize) -> Option<usize> {
    let first = view.next(start).ok().and_then(|c| char::from_u32(c.code));
    if start >= at || !matches!(first, Some('/' | '?' | '&' | '=')) {
        return None;
    }
    let (mut next, mut found) = (start, None);
    while next < at {
        let c = view.next(next).ok().filter(|c| c.len > 0)?;
        next += c.len;
        if c.code == u32::from('=') {
            found = Some(next);
        }
    }
    found.filter(|end| *end < at)
}

/// Returns the offset after the key and the `=` at `start`: the name of a parameter, an option or a property, `--email=`,
/// `user.email=`, `envelope-from=`. A rewritten address contains similar text and is kept unchanged: it has a tag at its
/// beginning, a second `=`, or a host after the `=`, `bounce-7-user=example.com@lists.example.org`.
fn after_key(view: &View<'_>, start: usize, at: usize, prose: bool) -> Option<usize> {
    let is_part = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    let key_end = skip(view, start, at, is_part);
    let equals = view.next(key_end).ok().filter(|c| key_end < at && c.code == u32::from('='))?;
    let end = key_end + equals.len;
    let key = text(view, start, key_end);
    let name = key.trim_start_matches('-');
    let is_name = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    if !is_name || TAGS.contains(&name) {
        return None;
    }
    let property = PROPERTIES.iter().find_map(|kind| name.strip_prefix(kind));
    let is_word = |part: &str| part.bytes().all(|b| b.is_ascii_alphabetic() || b == b'_');
    if !prose {
        return (is_word(&key) || key == name && property.is_some_and(is_word)).then_some(end);
    }
    let rest = text(view, end, at);
    let begins_with =
        |tag: &&str| rest.strip_prefix(*tag).is_some_and(|rest| rest.starts_with('='));
    if property.is_some() || TAGS.iter().any(begins_with) {
        return Some(end);
    }
    let is_host = || rest.rsplit_once('.').is_some_and(|(_, last)| tld::is_tld(last));
    (!rest.contains('=') && (is_word(&key) || !is_host())).then_some(end)
}

/// Returns the characters of a range, ASCII ones in lower case.
fn text(view: &View<'_>, start: usize, end: usize) -> String {
    let mut text = String::new();
    let mut at = start;
    while at < end {
        let Ok(c) = view.next(at) else { break };
        if c.len == 0 {
            break;
        }
        text.push(char::from_u32(c.code).unwrap_or('\u{FFFD}').to_ascii_lowercase());
        at += c.len;
    }
    text
}

/// Returns the offset after the characters from `start` on for which `belongs` returns `true`.
fn skip(view: &View<'_>, start: usize, end: usize, belongs: impl Fn(char) -> bool) -> usize {
    let mut at = start;
    while at < end {
        match view.next(at) {
            Ok(c) if char::from_u32(c.code).is_some_and(&belongs) => at += c.len,
            _ => break,
        }
    }
    at
}
