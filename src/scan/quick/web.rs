//! Links of the web in plain surroundings: read in one step, from the scheme to the end.
//!
//! The host and the tail are read from the masks of one window. Where a byte around the link or in it may change its end,
//! the result is nothing, and `scheme` and `ending` read the link.

use std::ops::Range;

use crate::scan::candidate::{CandidateFlags, LinkKind, PlainLink};
use crate::scan::ending::{
    Component, Opening, is_glued, is_quiet, may_be_glued, may_end_in_closer,
};
use crate::scan::head::{Head, Recognized};
use crate::scan::markup_context::is_entity;
use crate::scan::plain::{self, PlainHost};
use crate::scan::view::View;
use crate::scan::word::is_scheme_byte;
use crate::scan::{Settings, host, preceding_context, schemeless, unicode_host};
use crate::simd::window::{LinkMasks, WINDOW};
use crate::tables::punctuation::separated_local;

/// What follows the scheme.
pub(super) const SIGN: &[u8] = b"://";

/// Reads the link around the colon at `colon`, if its host is plain ASCII and nothing around the link is unusual.
#[inline(always)]
pub(crate) fn web(
    view: &View<'_>,
    colon: usize,
    min_start: usize,
    settings: &Settings,
) -> Option<PlainLink> {
    let (text, at) = (view.text, colon + SIGN.len());
    if text.get(colon..at)? != SIGN {
        return None;
    }
    let start = scheme_start(view, colon, min_start)?;
    let closer = closer(text, start)?;
    let masks = plain::link_masks(text, at);
    let run = (masks.simple | masks.dots).trailing_ones() as usize;
    if let Some(0x80..) = text.get(at + run) {
        return web_of_any_script(view, [start, colon], closer, masks, settings);
    }
    let host = plain::host_of(text, at, view.is_last, [masks.simple, masks.hyphens, masks.dots])?;
    if !is_settled(view, start, &host, settings) {
        return None;
    }
    let up_to = UpToHost { view, start, host_end: host.end, closer, max_link: settings.max_link };
    let (end, marks) = end(up_to, masks, at)?;
    Some(link(start..end, colon, &host, marks))
}

/// Reads a link whose host has characters of other scripts.
#[inline(never)]
fn web_of_any_script(
    view: &View<'_>,
    [start, colon]: [usize; 2],
    closer: Closer,
    masks: LinkMasks,
    settings: &Settings,
) -> Option<PlainLink> {
    let at = colon + SIGN.len();
    let host = unicode_host::read_unicode_host(view, at)?;
    if !is_settled(view, start, &host, settings) {
        return None;
    }
    let (masks, masked) = match host.end - at < WINDOW {
        true => (masks, at),
        false => (plain::link_masks(view.text, host.end), host.end),
    };
    let up_to = UpToHost { view, start, host_end: host.end, closer, max_link: settings.max_link };
    let (end, marks) = end(up_to, masks, masked)?;
    Some(link(start..end, colon, &host, marks))
}

/// Reads the candidate around the colon at `colon`, if its host has plain characters of any script.
pub(crate) fn head(
    view: &View<'_>,
    colon: usize,
    min_start: usize,
    settings: &Settings,
) -> Option<Recognized> {
    let at = colon + SIGN.len();
    let start = scheme_start(view, colon, min_start)?;
    let host = plain::host(view.text, at, view.is_last)
        .or_else(|| unicode_host::read_unicode_host(view, at))?;
    if !is_settled(view, start, &host, settings) {
        return None;
    }
    let end = host.end;
    let candidate = link(start..end, colon, &host, CandidateFlags::default()).candidate();
    let lead = preceding_context::directly_before(view, start, true);
    Some(match lead.angle || opens(host.after) {
        true => Recognized::Head(Head {
            candidate,
            opening: Some(Opening { component: Component::None, at: end, lead }),
            check: None,
            min_end: at,
            host_end: end,
        }),
        false => Recognized::Whole(candidate),
    })
}

#[inline(always)]
fn link(range: Range<usize>, colon: usize, host: &PlainHost, marks: CandidateFlags) -> PlainLink {
    PlainLink {
        kind: LinkKind::Absolute,
        range,
        scheme_end: colon,
        host: colon + SIGN.len()..host.end,
        marks: host.marks | marks,
        is_iri: host.is_mapped,
    }
}

/// Returns where the `http` or `https` before `://` begins, unless it is the end of a longer scheme, or a reference to a
/// letter precedes it.
#[inline(always)]
fn scheme_start(view: &View<'_>, colon: usize, min_start: usize) -> Option<usize> {
    let start = match view.text.get(min_start..colon)? {
        [.., b'h', b't', b't', b'p', b's'] => colon - 5,
        [.., b'h', b't', b't', b'p'] => colon - 4,
        _ => return None,
    };
    let is_alone = match view.text[min_start..start].last() {
        Some(&b) => !is_scheme_byte(b) && b != b';',
        None => true,
    };
    is_alone.then_some(start)
}

/// Returns `true` if a link continues after this host with a path, a query or a fragment, or, if its top-level domain is
/// known, ends after it, as most links do. Before a path any name is a host, unless it may be an IPv4 address.
#[inline(always)]
fn is_settled(view: &View<'_>, start: usize, host: &PlainHost, settings: &Settings) -> bool {
    let is_host = match opens(host.after) {
        true => !may_be_number(&view.text[host.last_label..host.end]),
        false => {
            schemeless::settles(host.after) && host::is_tld(view, host.last_label, host.end, false)
        }
    };
    is_host && host.end == host.run_end && host.end - start <= settings.max_link
}

/// Returns `true` if a label ends in a digit, or begins as a number in hexadecimal digits does.
#[inline(always)]
fn may_be_number(label: &[u8]) -> bool {
    label.last().is_some_and(u8::is_ascii_digit) || matches!(label, [b'0', b'x' | b'X', ..])
}

fn opens(byte: u8) -> bool {
    matches!(byte, b'/' | b'?' | b'#')
}

/// What a byte before a link means for its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Closer(u8);

impl Closer {
    /// No byte: nothing before the link affects its end.
    const NONE: Closer = Closer(0);
    /// `>`, before which a link in the angle form ends exactly.
    const ANGLE: Closer = Closer(b'>');
}

/// Returns what closes the link that begins at `start`; `None` if that needs more than a look at the byte before it.
#[inline(always)]
fn closer(text: &[u8], start: usize) -> Option<Closer> {
    match text[..start] {
        [] => Some(Closer::NONE),
        // `\<http://a.com/b\>` is not the angle form; the backslash may be a reference.
        [.., b'\\' | b';', b'<'] => None,
        [.., b'<'] => Some(Closer::ANGLE),
        [.., byte] => match LEADS[usize::from(byte)] {
            Lead::Plain => Some(Closer::NONE),
            Lead::Quote => Some(Closer(byte)),
            Lead::Other => None,
        },
    }
}

/// A link whose host is decided.
struct UpToHost<'a, 'v> {
    view: &'a View<'v>,
    start: usize,
    host_end: usize,
    closer: Closer,
    max_link: usize,
}

/// Returns where the link ends, and the flags of its tail; `masks` are those of the bytes from `masked` on, which is not
/// after its host.
#[inline(always)]
fn end(link: UpToHost<'_, '_>, masks: LinkMasks, masked: usize) -> Option<(usize, CandidateFlags)> {
    let UpToHost { view, start, host_end, closer, max_link } = link;
    let text = view.text;
    let mut marks = CandidateFlags::default();
    match text.get(host_end) {
        Some(b'/' | b'?' | b'#') => {}
        after => {
            let is_end = closer != Closer::ANGLE || after == Some(&b'>');
            return is_end.then_some((host_end, marks));
        }
    }
    let (mut at, mut safe, mut opened, mut part) = (host_end, host_end, usize::MAX, OpenPart::Path);
    let mut skipped = host_end - masked;
    let LinkMasks { mut include, mut soft, .. } = masks;
    loop {
        (include, soft) = (include >> skipped, soft >> skipped);
        let mut left = WINDOW - skipped;
        let stop = loop {
            let len = (include | soft).trailing_ones() as usize;
            let included = u64::from(include) & ((1 << len) - 1);
            if included != 0 {
                safe = at + (u64::BITS - included.leading_zeros()) as usize;
            }
            at += len;
            if len == left {
                break false;
            }
            let mut step_len = 1;
            let step = text.get(at).map_or(TailStep::Edge, |byte| STEPS[usize::from(*byte)]);
            match step {
                TailStep::Include => safe = at + 1,
                TailStep::Soft => {}
                TailStep::Separator if !is_before_w(text, at) => {}
                TailStep::At if separated_local(&text[host_end..at]).is_none() => safe = at + 1,
                TailStep::Query if part == OpenPart::Path => {
                    (part, opened, safe) = (OpenPart::Query, at, at + 1)
                }
                TailStep::Fragment if part != OpenPart::Fragment => {
                    (part, opened, safe) = (OpenPart::Fragment, at, at + 1);
                }
                TailStep::Reference if is_ampersand(view, at) => safe = at + 1,
                TailStep::End | TailStep::Close if closer != Closer::ANGLE => break true,
                TailStep::Edge if closer != Closer::ANGLE && view.is_last => break true,
                TailStep::Close if text[at] == b'>' && at - start <= max_link => {
                    return Some((at, marks));
                }
                TailStep::Tag if closer != Closer::ANGLE && text.get(at + 1) == Some(&b'/') => {
                    break true;
                }
                TailStep::Quote if text[at] == closer.0 => break true,
                TailStep::Foreign if closer != Closer::ANGLE => {
                    let is_first = marks == CandidateFlags::default();
                    safe = after_letters(view, start, at, is_first)?;
                    (step_len, marks) = (safe - at, CandidateFlags::ATTENTION);
                }
                _ => return None,
            }
            at += step_len;
            let step_len = len + step_len;
            if step_len >= left {
                break false;
            }
            left -= step_len;
            (include, soft) = (include >> step_len, soft >> step_len);
        };
        if at - start > max_link {
            return None;
        }
        if stop {
            break;
        }
        LinkMasks { include, soft, .. } = plain::link_masks(text, at);
        skipped = 0;
    }
    // No component is empty, and nothing that closes a comment or emphasis is at the end.
    let is_decided = safe != opened.wrapping_add(1) && !may_end_in_closer(text, safe);
    is_decided.then_some((safe, marks))
}

/// Returns the offset after the characters of other scripts that begin at `at` and belong to the tail of a link; `None` if
/// one of them must be examined. `is_first`: they are the first ones in the tail, with which prose may begin.
#[inline(never)]
fn after_letters(view: &View<'_>, start: usize, at: usize, is_first: bool) -> Option<usize> {
    let mut end = at;
    while let Some(0x80..) = view.text.get(end) {
        let c = view.foreign(end).ok()?;
        if !is_quiet(c.code)
            || is_first
                && end == at
                && may_be_glued(view.text[at - 1], c.code)
                && is_glued(view, start, at) != Ok(false)
        {
            return None;
        }
        end += c.len;
    }
    Some(end)
}

/// Returns `true` if a host may follow the separator at `at`.
fn is_before_w(text: &[u8], at: usize) -> bool {
    text.get(at + 1).is_none_or(|byte| byte | 0x20 == b'w')
}

/// Returns `true` if the ampersand at `at` is only that: neither a reference nor the name of a character of markup.
fn is_ampersand(view: &View<'_>, at: usize) -> bool {
    view.text.get(at + 1).is_some_and(u8::is_ascii_alphanumeric)
        && is_entity(view, at + 1) == Ok(false)
}

/// The component of the link that is open.
#[derive(Clone, Copy, PartialEq, Eq)]
enum OpenPart {
    Path,
    Query,
    Fragment,
}

/// What a byte before a link means.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum Lead {
    /// Nothing.
    Plain,
    /// The same byte closes the link.
    Quote,
    /// More than this byte must be read.
    Other,
}

static LEADS: [Lead; 256] = {
    let mut leads = [Lead::Other; 256];
    let mut byte = 0;
    while byte < 128 {
        leads[byte] = match byte as u8 {
            b'"' | b'`' | b'|' => Lead::Quote,
            b'\'' | b'*' | b'_' | b'~' | b'<' | b':' | b';' | b'#' => Lead::Other,
            _ => Lead::Plain,
        };
        byte += 1;
    }
    leads
};

/// What a byte means that is in no mask.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
enum TailStep {
    Include,
    Soft,
    /// A semicolon, after which another link may begin.
    Separator,
    /// An at sign, with which an address may be joined to the link.
    At,
    Query,
    Fragment,
    Reference,
    /// White space and controls.
    End,
    /// A bracket that nothing in the link opened.
    Close,
    Tag,
    Quote,
    /// A character of another script.
    Foreign,
    Other,
    /// The end of the text.
    Edge,
}

static STEPS: [TailStep; 256] = {
    let mut steps = [TailStep::Other; 256];
    let mut byte = 0;
    while byte < 128 {
        steps[byte] = match byte as u8 {
            b'=' | b'$' => TailStep::Include,
            b'@' => TailStep::At,
            b'!' => TailStep::Soft,
            b';' => TailStep::Separator,
            b'?' => TailStep::Query,
            b'#' => TailStep::Fragment,
            b'&' => TailStep::Reference,
            0..=b' ' | 0x7F => TailStep::End,
            b')' | b']' | b'}' | b'>' => TailStep::Close,
            b'<' => TailStep::Tag,
            b'"' | b'`' | b'|' => TailStep::Quote,
            _ => TailStep::Other,
        };
        byte += 1;
    }
    while byte < 256 {
        steps[byte] = TailStep::Foreign;
        byte += 1;
    }
    steps
};
