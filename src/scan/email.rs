//! E-mail addresses: back from an `@` over the local part, forth over the host (UTS #58 §5,
//! UTS58.md "E-mail").

use super::candidate::{Candidate, LinkKind, Marks, Reason};
use super::ending::{Ending, Lead, Limits, Part};
use super::head::Head;
use super::host::{self, FullStops, HostSet};
use super::view::{More, View};
use super::{Boundaries, Settings};
use super::word::Word;
use crate::tables;

/// Characters that a local part can have.
const MAX_LOCAL: usize = 256;
/// Bytes that the name of the first hfield can have.
const MAX_FIELD_NAME: usize = 64;

/// The e-mail address whose `@`, of `len` bytes, stands at `at`.
pub(crate) fn read(
    view: &View<'_>,
    at: usize,
    len: usize,
    floor: usize,
    settings: &Settings,
) -> Result<Option<Head>, More> {
    let prose = settings.boundaries == Boundaries::Prose;
    let mut run = host::read(view, at + len, usize::MAX, HostSet::Bare, full_stops(prose))?;
    if run.is_too_long || run.labels == 0 {
        return Ok(None);
    }
    if prose && !run.has_known_tld(view) {
        if let Some(end) = host::ascii_tld_prefix(view, run.last_label, run.end) {
            run = host::read(view, at + len, end, HostSet::Bare, full_stops(prose))?;
        }
    }
    if run.has_bad_label || run.labels < 2 || !run.has_known_tld(view) {
        return Ok(None);
    }
    let local = back(view, at, floor);
    if local.follows_at {
        return Ok(None);
    }
    let first = trimmed(view, local.start, at);
    let mut refused = None;
    if local.is_too_long || !is_local_part(view, local.start, first, at) {
        refused = Some(Reason::LocalPart);
    } else if !settings.emails {
        refused = Some(Reason::Email);
    }
    let mailto = mailto_before(view, first, floor);
    // All of it, when what does not belong in front of an address is why it is none.
    let first = if refused == Some(Reason::LocalPart) { local.start } else { first };
    let start = mailto.map_or(first, |(start, _)| start);
    let mut marks = Marks::default();
    if run.needs_mapping {
        marks |= Marks::HOST;
        marks |= Marks::ATTENTION;
    }
    if local.needs_attention {
        marks |= Marks::ATTENTION;
    }
    let has_mailto_reference = mailto.is_some_and(|(start, _)| first - start > "mailto:".len());
    if run.has_reference || local.has_reference || len > 1 || has_mailto_reference {
        marks |= Marks::REFERENCE;
    }
    let lead = super::lead::before(view, start, false);
    let limits = Limits { prose, max_link: settings.max_link };
    let mut ending = Ending::closed(start, run.end, limits);
    if mailto.is_some() && refused != Some(Reason::LocalPart) && has_fields(view, run.end)? {
        let lead = Lead { emphasis: None, ..lead };
        ending = Ending::new(Part::Query, start, run.end + 1, lead, limits);
    }
    Ok(Some(Head {
        candidate: Candidate {
            range: start..run.end,
            kind: LinkKind::Email,
            scheme_end: mailto.map_or(start, |(_, colon)| colon),
            host: run.start..run.end,
            marks,
            refused,
            lead: 0,
        },
        ending,
        check: None,
        host_end: run.end,
    }))
}

fn full_stops(prose: bool) -> FullStops {
    if prose { FullStops::Ends } else { FullStops::Dots }
}

/// The characters before an `@` that a local part may have.
struct Local {
    start: usize,
    is_too_long: bool,
    follows_at: bool,
    has_reference: bool,
    needs_attention: bool,
}

fn back(view: &View<'_>, at: usize, floor: usize) -> Local {
    let mut local = Local {
        start: at,
        is_too_long: false,
        follows_at: false,
        has_reference: false,
        needs_attention: false,
    };
    for _ in 0..=MAX_LOCAL {
        let c = view.prev(local.start, floor);
        if c.len == 0 || !tables::class(c.code).is_email() {
            // What stands before the floor is a character in front all the same.
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

/// Whether the byte is one that a local part has in a URI as it is.
fn is_plain(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b".-_+=!$&'*~".contains(&byte)
}

/// The local part without marks and keys in front that do not belong to it: quotes, `*`, `{`, `|`,
/// and `email=`.
fn trimmed(view: &View<'_>, start: usize, at: usize) -> usize {
    let mut first = start;
    loop {
        let marks_end = skip(view, first, at, |c| matches!(c, '\'' | '`' | '*' | '{' | '|'));
        let key_end = skip(view, marks_end, at, |c| c.is_ascii_alphabetic() || c == '_');
        let mut end = marks_end;
        if key_end > marks_end && key_end < at {
            match view.next(key_end) {
                Ok(c) if c.code == u32::from('=') => end = key_end + c.len,
                _ => {}
            }
        }
        if end == first {
            return first;
        }
        first = end;
    }
}

/// Behind the characters from `start` on that `belongs` takes.
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

/// Whether the dots of the local part stand where they may, and it is no authority.
fn is_local_part(view: &View<'_>, start: usize, first: usize, at: usize) -> bool {
    let follows_colon = view.prev(start, 0).code == u32::from(':');
    if follows_colon && view.text[start..at].starts_with(b"//") {
        return false;
    }
    let mut after_dot = true;
    let mut end = first;
    while end < at {
        let Ok(c) = view.next(end) else { return false };
        let is_dot = c.code == u32::from('.');
        if is_dot && after_dot || c.len == 0 {
            return false;
        }
        after_dot = is_dot;
        end += c.len;
    }
    // Also false when it is empty.
    !after_dot
}

/// Where the `mailto:` directly before `first` begins, and its colon, if it stands there by itself.
fn mailto_before(view: &View<'_>, first: usize, floor: usize) -> Option<(usize, usize)> {
    let colon = view.prev(first, floor);
    if colon.code != u32::from(':') {
        return None;
    }
    let colon = first - colon.len;
    let word = Word::before(view, colon, floor, |b| {
        b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.')
    });
    let is_it = word.bytes().eq_ignore_ascii_case(b"mailto");
    is_it.then_some((word.start, colon))
}

/// Whether `?name=` stands at `at` (RFC 6068 hfields).
fn has_fields(view: &View<'_>, at: usize) -> Result<bool, More> {
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
