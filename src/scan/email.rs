//! E-mail addresses: back from an `@` over the local part, forth over the host (UTS #58 §5,
//! UTS58.md "E-mail").

use super::candidate::{Candidate, LinkKind, Marks, Reason};
use super::ending::{Ending, Lead, Limits, Part};
use super::head::Head;
use super::host::{self, FullStops, HostSet};
use super::view::{More, View};
use super::{Boundaries, Settings};
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
    let mut marks = Marks::default();
    if run.needs_mapping {
        marks |= Marks::HOST;
        marks |= Marks::ATTENTION;
    }
    if local.needs_attention {
        marks |= Marks::ATTENTION;
    }
    if run.has_reference || local.has_reference || len > 1 {
        marks |= Marks::REFERENCE;
    }
    let mailto = mailto_before(view, first, floor);
    let start = mailto.unwrap_or(first);
    let lead = super::lead::before(view, start, false);
    let limits = Limits { prose, max_link: settings.max_link };
    let mut ending = Ending::closed(start, run.end, limits);
    if mailto.is_some() && refused.is_none() && has_fields(view, run.end)? {
        let lead = Lead { emphasis: None, ..lead };
        ending = Ending::new(Part::Query, start, run.end + 1, lead, limits);
    }
    Ok(Some(Head {
        candidate: Candidate {
            range: start..run.end,
            kind: LinkKind::Email,
            scheme_end: if mailto.is_some() { first - 1 } else { start },
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
            local.follows_at = view.prev(local.start, 0).code == '@'.into();
            return local;
        }
        local.needs_attention |= !u8::try_from(c.code).is_ok_and(|b| is_plain(b));
        local.has_reference |= c.len > 1 && c.code < 0x80 || view.text[local.start - c.len] == b'&' && c.len > 1;
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
        let rest = &view.text[first..at];
        let marks = rest.iter().take_while(|b| b"'`*{|".contains(b)).count();
        let key = rest[marks..].iter().take_while(|b| b.is_ascii_alphabetic() || **b == b'_').count();
        let has_key = key > 0 && rest.get(marks + key) == Some(&b'=');
        let off = marks + if has_key { key + 1 } else { 0 };
        if off == 0 {
            return first;
        }
        first += off;
    }
}

/// Whether the dots of the local part stand where they may, and it is no authority.
fn is_local_part(view: &View<'_>, start: usize, first: usize, at: usize) -> bool {
    let follows_colon = view.prev(start, 0).code == ':'.into();
    if follows_colon && view.text[start..at].starts_with(b"//") {
        return false;
    }
    let mut after_dot = true;
    let mut end = first;
    while end < at {
        let Ok(c) = view.next(end) else { return false };
        let is_dot = c.code == '.'.into();
        if is_dot && after_dot || c.len == 0 {
            return false;
        }
        after_dot = is_dot;
        end += c.len;
    }
    // Also false when it is empty.
    !after_dot
}

/// Where the `mailto:` directly before `first` begins, if it stands there by itself.
fn mailto_before(view: &View<'_>, first: usize, floor: usize) -> Option<usize> {
    let start = first.checked_sub(7).filter(|&start| start >= floor)?;
    let is_it = view.text[start..first].eq_ignore_ascii_case(b"mailto:");
    let before = view.prev(start, 0).code;
    let in_word = char::from_u32(before)
        .is_some_and(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'));
    (is_it && !in_word).then_some(start)
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
