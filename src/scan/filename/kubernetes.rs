//! Names of Kubernetes in YAML, which begin with a domain but lead nowhere: versions of an API (`apiVersion: networking.k8s.io/v1`), and
//! keys of labels and annotations (`app.kubernetes.io/name: x`).

use super::{BareHost, MAX_BEFORE};
use crate::scan::view::{Incomplete, View};

/// Maximum length in bytes of the name after the slash.
const LONGEST: usize = 63;
/// Number of blanks before the colon of a key that are passed.
const BLANKS: usize = 4;
/// Keys whose values are such names.
const KEYS: [&[u8]; 2] = [b"apiVersion", b"apiGroup"];

/// Returns `true` if the host is a group of an API, or the prefix of a key.
pub(super) fn is_name(view: &View<'_>, host: BareHost) -> Result<bool, Incomplete> {
    let before = &view.text[host.start.saturating_sub(MAX_BEFORE)..host.start];
    let line = &before[memchr::memrchr(b'\n', before).map_or(0, |at| at + 1)..];
    let is_quoted = matches!(line, [.., b'"' | b'\'']);
    let front = line[..line.len() - usize::from(is_quoted)].trim_ascii_end();
    if let Some(key) = front.strip_suffix(b":") {
        let key = key.trim_ascii_end().strip_suffix(b"\"").unwrap_or(key);
        return Ok(KEYS.iter().any(|one| {
            let rest = key.strip_suffix(*one);
            rest.is_some_and(|rest| !rest.last().is_some_and(u8::is_ascii_alphanumeric))
        }));
    }
    // A key begins a line, an item or a mapping in braces.
    let is_first = front.iter().all(|byte| matches!(byte, b' ' | b'\t' | b'-' | b'?'));
    let is_key = is_first || matches!(front, [.., b'{' | b',']);
    Ok(is_key && view.byte(host.end)? == Some(b'/') && ends_key(view, host.end + 1, is_quoted)?)
}

/// Returns `true` if one path segment is at an offset, and the colon of a key follows it.
fn ends_key(view: &View<'_>, start: usize, is_quoted: bool) -> Result<bool, Incomplete> {
    let mut at = start;
    while at - start <= LONGEST
        && view
            .byte(at)?
            .is_some_and(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.'))
    {
        at += 1;
    }
    if at == start || is_quoted && !matches!(view.byte(at)?, Some(b'"' | b'\'')) {
        return Ok(false);
    }
    at += usize::from(is_quoted);
    for _ in 0..BLANKS {
        at += usize::from(view.byte(at)? == Some(b' '));
    }
    let is_colon = view.byte(at)? == Some(b':');
    Ok(is_colon && (is_quoted || view.byte(at + 1)?.is_none_or(|b| b.is_ascii_whitespace())))
}
