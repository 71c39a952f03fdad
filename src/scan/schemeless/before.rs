//! Text directly before a host without a scheme that makes it something else: a scheme whose `://` is damaged, or whose colon is
//! escaped, an escaped at sign.

use std::ops::Range;

use crate::scan::authority::after_two_slashes;
use crate::scan::reference;
use crate::scan::view::{Char, Incomplete, View};

/// Text directly before a host that makes it something else.
#[derive(Clone, Copy)]
pub(super) enum BeforeHost {
    Nothing,
    /// A scheme without its `://`, which begins at this offset.
    Scheme(usize),
    /// An at sign, its offset and its length.
    AtSign(usize, usize),
    /// The colon of a `://` that is escaped, its offset, and the offset after the slashes.
    Colon(usize, usize),
}

/// Returns the text directly before a name whose last dot is `dot`; `front` is the text before it, after the last candidate.
#[inline(never)]
pub(super) fn before_host(
    view: &View<'_>,
    front: Range<usize>,
    dot: usize,
    prose: bool,
) -> Result<BeforeHost, Incomplete> {
    let Range { start: min_start, end: name } = front;
    if let Some(scheme) = damaged_scheme(&view.text[min_start..name]) {
        return Ok(BeforeHost::Scheme(min_start + scheme));
    }
    if !prose {
        return Ok(BeforeHost::Nothing);
    }
    match escaped_at_sign(view.text, name, dot) {
        Some((at, len)) if at > min_start => Ok(BeforeHost::AtSign(at, len)),
        _ => escaped_colon(view, front, dot),
    }
}

/// Maximum number of bytes of an escaped colon and two escaped slashes.
const MAX_COLON: usize = 3 * 14;

/// Returns the colon and two slashes before the name that ends at `dot`, if the colon is escaped: `https\u003a//`,
/// `https\x3a\x2f\x2f`. The last escape may continue into the name.
fn escaped_colon(
    view: &View<'_>,
    front: Range<usize>,
    dot: usize,
) -> Result<BeforeHost, Incomplete> {
    let first = front.start.max(front.end.saturating_sub(MAX_COLON));
    for at in memchr::memchr_iter(b'\\', &view.text[first..front.end]) {
        if let Some((':', len)) = reference::string_escape(&view.text[first + at..])
            && let Some(end) = after_two_slashes(view, first + at + len)?
        {
            let is_before = front.end <= end && end < dot;
            return Ok(match is_before {
                true => BeforeHost::Colon(first + at, end),
                false => BeforeHost::Nothing,
            });
        }
    }
    Ok(BeforeHost::Nothing)
}

/// Returns the offset and the length of the at sign of troff or JavaScript, `\(at`, `\[at]` or `\u0040`, that is before the name
/// `name..dot` and after a local part.
fn escaped_at_sign(text: &[u8], name: usize, dot: usize) -> Option<(usize, usize)> {
    let end = match text[..name] {
        [.., b'('] => name + 2,
        [.., b'\\'] if text.get(name) == Some(&b'x') => name + 3,
        [.., b'\\'] if text.get(name) == Some(&b'u') => name + 5,
        _ => name,
    };
    let len = reference::at_sign_before(text.get(..end)?);
    let start = end.checked_sub(len).filter(|_| len > 1 && end < dot)?;
    let is_local = text[..start].last().is_some_and(u8::is_ascii_alphanumeric);
    is_local.then_some((start, len))
}

/// Schemes before which a host without `://` is not one of `https`.
const WEB: [&[u8]; 3] = [b"https", b"http", b"ftp"];
/// Maximum number of slashes and backslashes after such a scheme.
const MAX_SLASHES: usize = 16;

/// Returns where the scheme at the end of a text begins whose `://` is incomplete or damaged: `https:`, `http:/`,
/// `http//`, `http:\\`.
#[inline(never)]
fn damaged_scheme(before: &[u8]) -> Option<usize> {
    let is_slash = |byte: &&u8| matches!(byte, b'/' | b'\\');
    let slashes = before.iter().rev().take(MAX_SLASHES).take_while(is_slash).count();
    let (front, slashes) = before.split_at(before.len() - slashes);
    let word = match front {
        [word @ .., b':'] => word,
        [word @ .., b';' | b'.' | b','] if slashes == b"//" => word,
        word if slashes == b"//" => word,
        _ => return None,
    };
    let is_named = |name: &&&[u8]| {
        word.len() >= name.len() && word[word.len() - name.len()..].eq_ignore_ascii_case(name)
    };
    let start = word.len() - WEB.iter().find(is_named)?.len();
    let has_colon = word.len() < front.len();
    let is_alone = match word[..start].last() {
        Some(byte) if has_colon => !byte.is_ascii_alphanumeric(),
        Some(byte) => !byte.is_ascii_alphanumeric() && !b"/.-_".contains(byte),
        None => true,
    };
    is_alone.then_some(start)
}

/// Returns `true` if two hexadecimal digits are at `at`: after a `%` no host begins with them.
pub(super) fn is_triplet(view: &View<'_>, at: usize) -> Result<bool, Incomplete> {
    let first = view.next(at)?;
    let second = view.next(at + first.len)?;
    let is_hex = |c: Char| char::from_u32(c.code).is_some_and(|c| c.is_ascii_hexdigit());
    Ok(is_hex(first) && is_hex(second))
}
