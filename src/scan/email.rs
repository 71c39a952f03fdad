//! E-mail addresses: reads backwards from an `@` over the local part and forwards over the host (UTS #58 §5,
//! `docs/rules.md`, "E-mail addresses").

use super::authority::after_ascii;
use super::candidate::{CandidateFlags, LinkKind, Match, PlainLink, Reason};
use super::ending::{Component, Opening};
use super::head::{Head, Recognized, Wanted};
use super::host::{self, FullStops, HostSet};
use super::view::{Char, Incomplete, View};
use super::word::{Word, is_scheme_byte};
use super::{
    Boundaries, Settings, address_host, chance, defanged, filename, front, host_char, local, plain,
};
use crate::tables::{self, tld};

/// Maximum number of characters of a local part.
const MAX_LOCAL: usize = 256;
/// Maximum number of characters that are searched for the end of a path on another machine.
const MAX_PATH: usize = 256;
/// Maximum number of bytes of the name of the first hfield.
const MAX_FIELD_NAME: usize = 64;

/// Reads an address of plain ASCII in plain surroundings, as nearly all are. For such an address only the masks of the
/// bytes before and after the `@` are needed.
#[inline]
pub(super) fn read_plain(
    view: &View<'_>,
    at: usize,
    min_start: usize,
    max_link: usize,
) -> Option<PlainLink> {
    let host = plain::host(view.text, at + 1, view.is_last)?;
    let (start, is_good) = plain::local_back(view.text, at, min_start)?;
    let before = start.checked_sub(1).map_or(b' ', |n| view.text[n]);
    let is_plain = is_good
        && view.text[at] == b'@'
        // A rule of hyphens or the mark of a diff may precede it, or the whole line may be data.
        && !matches!(view.text[start], b'-' | b'+')
        && view.text[host.last_label] > b'`'
        && PLAIN_BEFORE[usize::from(before)]
        // The name of a quotation mark in a manual page may end in letters.
        && front::after_escape(view, start, at) == start
        && PLAIN_AFTER[usize::from(host.after)]
        && host.end - start <= max_link
        && tld::is_ascii_tld(&view.text[host.last_label..host.end]);
    is_plain.then(|| PlainLink {
        kind: LinkKind::Email,
        range: start..host.end,
        scheme_end: start,
        host: at + 1..host.end,
        marks: host.marks,
        is_iri: true,
    })
}

/// Reads the e-mail address whose `@`, of `len` bytes, is at `at`.
pub(crate) fn read(
    view: &View<'_>,
    at: usize,
    len: usize,
    min_start: usize,
    settings: &Settings,
    wanted: Wanted,
) -> Result<Recognized, Incomplete> {
    let prose = settings.boundaries == Boundaries::Prose;
    let Some(run) = address_host::read(view, at + len, prose)? else {
        return Ok(Recognized::Nothing);
    };
    // A host without a known domain counts after `mailto:`, but a number would have to be in brackets.
    let is_named = run.labels < 2 || !run.has_known_tld(view);
    if is_named && (!may_follow_mailto(view.text, at, min_start) || run.ends_in_number(view)) {
        return Ok(Recognized::Nothing);
    }
    if defanged::is_dot_ahead(view, run.end)? {
        return Ok(Recognized::Nothing);
    }
    let Some(front) = front(view, at, min_start, run.end, settings)? else {
        return Ok(Recognized::Nothing);
    };
    let LocalPartFront { local, first, has_slashes } = front;
    let mut refused = None;
    let mut rule = None;
    // The rest of a good local part after the letter of an escape may be invalid.
    let is_good = local.is_good.filter(|_| first == local.start).unwrap_or_else(|| {
        !local.is_too_long && is_local_part(view, local.start, first, at, prose)
    });
    if !is_good {
        refused = Some(Reason::LocalPart);
    } else if !settings.emails {
        refused = Some(Reason::Email);
    }
    let front = first - if has_slashes && first == local.start { 2 } else { 0 };
    let mailto = mailto_before(view, front, min_start);
    if is_named && mailto.is_none() {
        return Ok(Recognized::Nothing);
    }
    // An identifier in encoded brackets: `message:%3Cid@example.org%3E`.
    if prose && mailto.is_none() && follows_encoded_bracket(view, first)? {
        refused = Some(Reason::LocalPart);
    }
    let mut end = run.end;
    if mailto.is_none()
        && let Some(path_end) = remote_path(view, run.end)?
    {
        if refused.is_none() {
            refused = Some(Reason::FileName);
            rule = Some(filename::REMOTE_PATH);
        }
        end = path_end;
    }
    // Report the complete local part if it is rejected for the characters at its beginning.
    let first = if refused == Some(Reason::LocalPart) { local.start } else { first };
    let start = mailto.map_or(first, |(start, _)| start);
    let has_fields =
        mailto.is_some() && refused != Some(Reason::LocalPart) && has_fields(view, run.end)?;
    if refused.is_some() && !has_fields && wanted == Wanted::Links {
        return Ok(Recognized::Refused(end));
    }
    let has_mailto_reference = mailto.is_some_and(|(start, _)| front - start > "mailto:".len());
    let is_escaped = view.text[at] == b'\\';
    let has_reference = local.has_reference || len > 1 && !is_escaped || has_mailto_reference;
    let marks = run.marks()
        | CandidateFlags::ATTENTION.when(local.needs_attention || first > front || is_escaped)
        | CandidateFlags::REFERENCE.when(has_reference);
    let opening = has_fields.then(|| Opening {
        component: Component::Query,
        at: run.end + 1,
        lead: super::preceding_context::directly_before(view, start, false),
    });
    Ok(Recognized::Head(Head {
        candidate: Match {
            scheme_end: mailto.map_or(start, |(_, colon)| colon),
            refused,
            rule,
            ..Match::new(LinkKind::Email, start..end, run.start..run.end, marks)
        },
        opening,
        check: None,
        min_end: end,
        host_end: run.end,
    }))
}

/// Returns `true` if a local part begins with an encoded `<`.
fn follows_encoded_bracket(view: &View<'_>, at: usize) -> Result<bool, Incomplete> {
    let Some(digit) = after_ascii(view, at, b"%3")? else { return Ok(false) };
    Ok(matches!(char::from_u32(view.next(digit)?.code), Some('C' | 'c')))
}

/// The local part before an `@`, and where the address begins.
struct LocalPartFront {
    local: Local,
    first: usize,
    /// `mailto://` precedes the address.
    has_slashes: bool,
}

/// Reads backwards from the `@` at `at`, after which the host ends at `host_end`; returns `None` if there can be no local
/// part.
#[inline]
fn front(
    view: &View<'_>,
    at: usize,
    min_start: usize,
    host_end: usize,
    settings: &Settings,
) -> Result<Option<LocalPartFront>, Incomplete> {
    let prose = settings.boundaries == Boundaries::Prose;
    let mut local = back(view, at, min_start);
    // `mailto://me@example.org`
    let has_slashes = prose
        && view.text[local.start..at].starts_with(b"//")
        && mailto_before(view, local.start, min_start).is_some();
    if has_slashes {
        local.start += 2;
        local.is_good = None;
    }
    if local.follows_at {
        return Ok(None);
    }
    let mut first = super::front::after_escape(view, local.start, at);
    if prose {
        first = local::after_prose(view, first, at);
    }
    if local.is_good.is_none() || first > local.start {
        first = local::trimmed(view, first, at, prose);
    }
    if prose {
        let begins_with_hyphen = view.text.get(first) == Some(&b'-');
        if !begins_with_hyphen || mailto_before(view, first, min_start).is_none() {
            first = local::after_marks(view, first, at, host_end)?;
        }
        if chance::is_in_uuencoded(view, first, host_end)? {
            return Ok(None);
        }
    }
    if local.is_good.is_none() && !settings.schemeless && is_in_path(view, first, at)? {
        return Ok(None);
    }
    Ok(Some(LocalPartFront { local, first, has_slashes }))
}

/// Returns the end of the path on another machine that follows a host, as `git` and `scp` write it
/// (`git@github.com:foo/bar.git`, `me@example.com:/tmp/x`). Such a text is not an address, and no part of it is a link. The
/// path begins with `/` or `~`, contains a slash (`:8080/x` is a port), or ends in `.git`.
fn remote_path(view: &View<'_>, at: usize) -> Result<Option<usize>, Incomplete> {
    let colon = view.next(at)?;
    if colon.code != u32::from(':') {
        return Ok(None);
    }
    let first = at + colon.len;
    let (mut end, mut has_slash, mut is_number, mut last) = (first, false, true, [0; 4]);
    for n in 0..MAX_PATH {
        let c = view.next(end)?;
        let byte = match u8::try_from(c.code) {
            Ok(byte) if byte.is_ascii_alphanumeric() || b"-._~/+%".contains(&byte) => byte,
            _ => break,
        };
        // `://` belongs to another link, and a number is a port.
        let is_first = byte == b'/' && n > 0 && !has_slash;
        if is_first && is_number || n == 1 && byte == b'/' && last[3] == b'/' {
            return Ok(None);
        }
        is_number &= byte.is_ascii_digit();
        has_slash |= byte == b'/' || n == 0 && byte == b'~';
        last = [last[1], last[2], last[3], byte];
        end += c.len;
    }
    Ok((has_slash || last == *b".git").then_some(end))
}

/// Characters before an `@` that may be in a local part.
struct Local {
    start: usize,
    is_too_long: bool,
    follows_at: bool,
    has_reference: bool,
    needs_attention: bool,
    /// Whether it is a local part, if no characters need to be removed from its beginning; otherwise it must be checked
    /// again.
    is_good: Option<bool>,
}

fn back(view: &View<'_>, at: usize, min_start: usize) -> Local {
    if let Some(local) = back_ascii(view.text, at, min_start) {
        return local;
    }
    let mut local = Local {
        start: at,
        is_too_long: false,
        follows_at: false,
        has_reference: false,
        needs_attention: false,
        is_good: None,
    };
    for _ in 0..=MAX_LOCAL {
        let c = view.prev(local.start, min_start);
        let is_part =
            tables::class(c.code).is_email() || is_soft_hyphen_of(view, local.start, c, min_start);
        if c.len == 0 || !is_part {
            // The character before `min_start` still counts as the preceding one.
            local.follows_at = view.prev(local.start, 0).code == u32::from('@');
            return local;
        }
        local.needs_attention |= !u8::try_from(c.code).is_ok_and(is_plain);
        local.has_reference |= c.len > 1 && view.text[local.start - c.len] == b'&';
        local.start -= c.len;
    }
    local.is_too_long = true;
    local
}

/// Returns `true` if a character of a local part that ends at `end` is a soft hyphen between two letters or digits.
fn is_soft_hyphen_of(view: &View<'_>, end: usize, c: Char, min_start: usize) -> bool {
    host_char::is_soft_hyphen(c)
        && host_char::is_inner(view, min_start, end - c.len, c.len).unwrap_or_default()
}

/// Like [`back`], for letters, digits and `. - _ +` without a reference nearby, as most local parts are.
#[inline]
fn back_ascii(text: &[u8], at: usize, min_start: usize) -> Option<Local> {
    let (start, is_good) = plain::local_back(text, at, min_start)?;
    let before = start.checked_sub(1).map(|n| text[n]);
    let is_decided = start == min_start || before.is_some_and(|b| ENDS[usize::from(b)]);
    is_decided.then_some(Local {
        start,
        is_too_long: false,
        follows_at: before == Some(b'@'),
        has_reference: false,
        needs_attention: false,
        is_good: Some(is_good),
    })
}

/// Bytes that a local part never contains, whatever is around them.
static ENDS: [bool; 256] = {
    let mut ends = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        // A semicolon may end a reference.
        ends[byte] = !tables::class(byte as u32).is_email() && byte != b';' as usize;
        byte += 1;
    }
    ends
};

/// Bytes before an address that belong neither to it nor to `mailto:`, an escape or another address.
static PLAIN_BEFORE: [bool; 256] = {
    let mut plain = ENDS;
    plain[b'@' as usize] = false;
    plain[b':' as usize] = false;
    plain[b'\\' as usize] = false;
    plain
};

/// Bytes that end the host of an address, whatever is around them. A colon is not among them, since a path on another machine
/// may follow it, nor is `[` of a defanged dot.
static PLAIN_AFTER: [bool; 256] = {
    let mut plain = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        plain[byte] = !host_char::needs_look(byte as u8) && !matches!(byte as u8, b':' | b'[');
        byte += 1;
    }
    plain
};

/// Returns `true` if the byte may be in the local part of a URI without being encoded.
const fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric()
        || matches!(
            byte,
            b'.' | b'-' | b'_' | b'+' | b'=' | b'!' | b'$' | b'&' | b'\'' | b'*' | b'~'
        )
}

/// Returns `true` if the dots of the local part are where they may be, it has a letter or digit, and it is neither an authority nor,
/// in prose, a template, a set of names, an expression or a pattern: `${user}@example.org`, `{me,you}@example.org`,
/// `$user.'@example.org'`, `s/@example.org/`.
fn is_local_part(view: &View<'_>, start: usize, first: usize, at: usize, prose: bool) -> bool {
    let follows_colon = view.prev(start, 0).code == u32::from(':');
    if follows_colon && view.text[start..at].starts_with(b"//") {
        return false;
    }
    let (mut after_dot, mut after_brace, mut has_letter) = (true, false, false);
    let mut end = first;
    while end < at {
        let Ok(c) = view.next(end) else { return false };
        let is_dot = c.code == u32::from('.');
        if is_dot && after_dot || c.len == 0 {
            return false;
        }
        after_dot = is_dot;
        after_brace = matches!(char::from_u32(c.code), Some('}' | '\'' | '/'));
        has_letter |=
            u8::try_from(c.code).map_or(true, |b| !b.is_ascii() || b.is_ascii_alphanumeric());
        end += c.len;
    }
    // A dot also counts as the last character of an empty local part.
    let is_template = prose && after_brace;
    has_letter && !after_dot && !is_template
}

/// Returns where the `mailto:` directly before `first` begins, and where its colon is, unless a longer word ends in it.
fn mailto_before(view: &View<'_>, first: usize, min_start: usize) -> Option<(usize, usize)> {
    let colon = view.prev(first, min_start);
    if colon.code != u32::from(':') {
        return None;
    }
    let colon = first - colon.len;
    let word = Word::before(view, colon, min_start, is_scheme_byte);
    // Characters before `min_start` still make the word longer.
    let in_word = u8::try_from(view.prev(word.start, 0).code).is_ok_and(is_scheme_byte);
    let is_it = word.bytes().eq_ignore_ascii_case(b"mailto") && !in_word;
    is_it.then_some((word.start, colon))
}

/// Returns `true` if `mailto:` may precede the local part that ends at `at`, which is so for few at signs.
fn may_follow_mailto(text: &[u8], at: usize, min_start: usize) -> bool {
    match plain::local_back(text, at, min_start) {
        Some((start, _)) => start.checked_sub(1).is_some_and(|before| {
            let byte = text[before];
            matches!(byte, b':' | b';' | 0x80..) || tables::class_ascii(byte).is_email()
        }),
        None => true,
    }
}

/// Returns `true` if the text before the `@` is rather the host and the path of a link without a scheme, and such links are
/// not requested: `example.com/joe@example.org`.
fn is_in_path(view: &View<'_>, first: usize, at: usize) -> Result<bool, Incomplete> {
    let local = &view.text[first..at];
    if !local.iter().any(|b| matches!(b, b'/' | b'?' | b'#')) {
        return Ok(false);
    }
    let run = host::read(view, first, at, HostSet::Bare, FullStops::Ends)?;
    let is_host = run.labels > 1 && !run.has_bad_label && !run.is_too_long;
    let opens = matches!(char::from_u32(view.next(run.run_end)?.code), Some('/' | '?' | '#'));
    Ok(is_host && opens && run.has_known_tld(view))
}

/// Returns `true` if `?name=` is at `at` (RFC 6068 hfields).
fn has_fields(view: &View<'_>, at: usize) -> Result<bool, Incomplete> {
    if view.byte(at)? != Some(b'?') {
        return Ok(false);
    }
    let mut end = at + 1;
    while end - at <= MAX_FIELD_NAME {
        match view.byte(end)? {
            Some(b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_') => end += 1,
            Some(b'=') => return Ok(end > at + 1),
            _ => return Ok(false),
        }
    }
    Ok(false)
}
