//! Reads hosts: forwards after `scheme://` and `@`, and backwards from a dot before a top-level domain.
//!
//! The input is an offset in the text, the result is the run of host characters with the properties of its labels (UTS #58;
//! RFC 1034 §3.5 for labels). Whether UTS #46 accepts the host is checked when it is mapped, not here.

use std::borrow::Cow;

use super::candidate::CandidateFlags;
use super::host_char::{
    CharClass, class, is_bare_host_char, is_dot, is_hebrew_mark, is_inner, is_letter, is_simple,
    is_soft_hyphen, is_symbol, is_triplet, is_variation_selector, needs_look,
};
use super::markup_context::string_escape;
use super::plain::{self, Plain, PlainName};
use super::settings::TextKind;
use super::view::{Char, EDGE, Incomplete, View};
use crate::scan::reference;
use crate::tables::{is_number, tld};

/// Maximum number of characters of a host; a longer run is not a host (RFC 1035 §2.3.4).
pub(crate) const MAX_HOST: usize = 253;
/// Maximum number of bytes of a top-level domain in a text, decomposed or written with references.
pub(crate) const MAX_TLD_BYTES: usize = tld::LONGEST_UNICODE;
/// Maximum number of bytes of an ASCII label.
pub(crate) const MAX_LABEL: usize = 63;

/// Set of the characters that belong to a host.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HostSet {
    /// Those of a host without a scheme, or of an address.
    Bare,
    /// Those of a host after `scheme://`: also symbols and `%HH`, and underscores anywhere.
    Schemed,
    /// Those of a host after `scheme://` by UTS #58 without other rules: an underscore has a letter or digit on both sides.
    SchemedByUts58,
}

impl HostSet {
    pub(crate) fn schemed(prose: bool) -> HostSet {
        if prose { HostSet::Schemed } else { HostSet::SchemedByUts58 }
    }
}

/// Meaning of U+3002 and U+FF61.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FullStops {
    /// Dots of a host, as UTS #46 maps them.
    Dots,
    /// The end of a sentence.
    Ends,
}

impl FullStops {
    /// In prose they end sentences.
    pub(crate) fn of(prose: bool) -> FullStops {
        if prose { FullStops::Ends } else { FullStops::Dots }
    }
}

/// A run of host characters.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Run {
    pub(crate) start: usize,
    /// Offset after the last character that is not a dot.
    pub(crate) end: usize,
    /// Offset after the trailing dots.
    pub(crate) run_end: usize,
    /// Offset of the last label.
    pub(crate) last_label: usize,
    /// Number of labels that are not empty.
    pub(crate) labels: usize,
    /// A label is empty, or begins or ends with a hyphen, or is longer than 63 bytes of ASCII.
    pub(crate) has_bad_label: bool,
    pub(crate) is_too_long: bool,
    /// The host has other characters than ASCII letters, digits, hyphens and dots, or has an A-label.
    pub(crate) needs_mapping: bool,
    pub(crate) has_reference: bool,
    /// The host may contain the name of another one: see [`CandidateFlags::DEEP`](super::candidate::CandidateFlags::DEEP).
    pub(crate) is_deep: bool,
    /// The first U+3002 or U+FF61 in it.
    pub(crate) full_stop: Option<usize>,
}

impl Run {
    /// Returns the flags of a candidate that has this host.
    #[inline]
    pub(crate) fn marks(&self) -> CandidateFlags {
        (CandidateFlags::HOST | CandidateFlags::ATTENTION).when(self.needs_mapping)
            | CandidateFlags::DEEP.when(self.is_deep)
            | CandidateFlags::REFERENCE.when(self.has_reference)
    }
}

/// Reads the run of host characters that begins at `start`, up to `limit`.
pub(crate) fn read(
    view: &View<'_>,
    start: usize,
    limit: usize,
    set: HostSet,
    full_stops: FullStops,
) -> Result<Run, Incomplete> {
    if let Some(run) = read_ascii(view, start, limit, set) {
        return Ok(run);
    }
    let mut run = Run::empty(start);
    let mut at = start;
    // Bytes that are not the first of a character, so that the limit counts characters.
    let mut inner = 0;
    let mut label = start;
    let mut first_empty_label = usize::MAX;
    loop {
        let from = at;
        let most = view.text.len().min(limit).min(start + inner + MAX_HOST + 1);
        while at < most && is_simple(view.text[at]) {
            at += 1;
        }
        if at > from {
            run.end = at;
        }
        if at - start - inner > MAX_HOST {
            run.is_too_long = true;
            break;
        }
        if at >= limit {
            break;
        }
        let mut c = view.next(at)?;
        let symbols = set != HostSet::Bare;
        if c.code == u32::from('\\') && set == HostSet::Schemed && view.text_kind != TextKind::Rtf {
            c = escaped_letter(view, at)?.unwrap_or(c);
        }
        match class(c) {
            CharClass::FullStop if full_stops == FullStops::Ends => break,
            kind @ (CharClass::Dot | CharClass::FullStop) => {
                if kind == CharClass::FullStop && run.full_stop.is_none() {
                    run.full_stop = Some(at);
                }
                run.needs_mapping |= c.len > 1;
                if at == label {
                    first_empty_label = first_empty_label.min(at);
                } else {
                    run.close_label(view, label, at);
                }
                label = at + c.len;
            }
            CharClass::Letter if is_hebrew_mark(c) && !is_inner(view, start, at, c.len)? => break,
            CharClass::Letter | CharClass::Hyphen => {
                // An ASCII character comes here only if it is a reference.
                run.needs_mapping = true;
                run.end = at + c.len;
            }
            // A variation selector follows a symbol and never precedes one.
            CharClass::Symbol
                if symbols && (!is_variation_selector(c) || is_symbol(view.prev(at, start))) =>
            {
                run.needs_mapping = true;
                run.end = at + c.len;
            }
            _ if is_soft_hyphen(c) && is_inner(view, start, at, c.len)? => {
                run.needs_mapping = true;
                run.end = at + c.len;
            }
            _ if c.code == u32::from('_')
                && (is_inner(view, start, at, c.len)?
                    || set == HostSet::Schemed && is_inside_schemed(view, at + c.len)?) =>
            {
                run.needs_mapping = true;
                run.end = at + c.len;
            }
            _ if symbols && c.code == u32::from('%') && is_triplet(view, at)? => {
                run.needs_mapping = true;
                run.end = at + 3;
                inner += 2;
                at += 2;
            }
            _ => break,
        }
        run.has_reference |= c.len > 1 && view.text[at] == b'&';
        inner += c.len.saturating_sub(1);
        at += c.len;
    }
    run.run_end = at;
    if label < run.end {
        run.close_label(view, label, run.end);
    } else if run.labels == 0 {
        run.last_label = start;
    }
    // Dots after the last label are not empty labels; dots before the first label or between two labels are.
    run.has_bad_label |= first_empty_label < run.end;
    let host = &view.text[run.start..run.end];
    run.needs_mapping |= has_a_label(host);
    run.is_deep = run.labels > 3 || memchr::memchr(b'-', host).is_some();
    Ok(run)
}

/// Returns the non-ASCII letter or symbol that an escape of a string represents: `m\u00fcnchen`.
#[inline(never)]
fn escaped_letter(view: &View<'_>, at: usize) -> Result<Option<Char>, Incomplete> {
    let is_of_name = |c: &Char| matches!(class(*c), CharClass::Letter | CharClass::Symbol);
    Ok(string_escape(view, at)?.filter(|c| c.code > 0x7F && is_of_name(c)))
}

/// Reads the run if it has only ASCII letters, digits, hyphens and dots, as most hosts do, and underscores between two
/// letters or digits.
#[inline]
fn read_ascii(view: &View<'_>, start: usize, limit: usize, set: HostSet) -> Option<Run> {
    let most = view.len().min(limit).checked_sub(start)?;
    let plain = Plain::forth(view.text, start);
    let len = plain.len().min(most);
    if len == plain::WINDOW || len == most && start + len == view.len() && !view.is_last {
        return None;
    }
    let behind = view.text.get(start + len..).unwrap_or_default();
    let may_be_escape = matches!(behind, [b'\\'] | [b'\\', b'u' | b'x' | b'\\', ..]);
    if len < most && (needs_look(behind[0]) || may_be_escape && set == HostSet::Schemed) {
        return None;
    }
    let Plain { simple, hyphens, dots, underscores } = plain.first(len);
    // Two adjacent hyphens: `xn--`, or another label that must be examined.
    if hyphens & hyphens << 1 != 0 {
        return None;
    }
    let end = plain::WINDOW - simple.leading_zeros() as usize;
    let firsts = simple & !(simple << 1);
    let lasts = simple & !(simple >> 1);
    // An empty label before one that is not empty: the first byte is a dot, or two dots are adjacent.
    let inner = dots & ((1 << end) - 1);
    let has_empty_label = inner & (inner << 1 | 1) != 0;
    Some(Run {
        end: start + end,
        run_end: start + len,
        last_label: start + (plain::WINDOW - 1).saturating_sub(firsts.leading_zeros() as usize),
        labels: firsts.count_ones() as usize,
        has_bad_label: has_empty_label || hyphens & (firsts | lasts) != 0,
        needs_mapping: underscores != 0,
        is_deep: plain::deep(inner, hyphens) == super::candidate::CandidateFlags::DEEP,
        ..Run::empty(start)
    })
}

impl Run {
    fn empty(start: usize) -> Run {
        Run { start, end: start, run_end: start, last_label: start, ..Run::default() }
    }

    /// Closes a label that reaches from `label` to `end`.
    fn close_label(&mut self, view: &View<'_>, label: usize, end: usize) {
        self.labels += 1;
        self.last_label = label;
        self.has_bad_label |= !is_good_label(view, label, end);
    }

    /// Returns `true` if the last label is a number, in decimal or hexadecimal digits.
    pub(crate) fn ends_in_number(&self, view: &View<'_>) -> bool {
        is_number(&view.text[self.last_label..self.end])
    }

    /// Returns `true` if the last label is a top-level domain.
    pub(crate) fn has_known_tld(&self, view: &View<'_>) -> bool {
        if !self.needs_mapping {
            return tld::is_ascii_tld(&view.text[self.last_label..self.end]);
        }
        self.labels > 0 && is_tld(view, self.last_label, self.end, self.has_reference)
    }
}

/// Returns `true` if a host may have the label: it has no hyphen at its ends, and no more than 63 bytes if it is ASCII.
pub(crate) fn is_good_label(view: &View<'_>, start: usize, end: usize) -> bool {
    let bytes = &view.text[start..end];
    let hyphen = u32::from('-');
    let is_long = bytes.len() > MAX_LABEL
        && bytes.is_ascii()
        && !bytes.iter().any(|b| matches!(b, b'&' | b'%' | b'\\'));
    let first = view.next(start).map_or(EDGE, |c| c.code);
    !is_long && first != hyphen && view.prev(end, start).code != hyphen
}

/// Returns `true` if a label begins or ends with a hyphen, which strict UTS #46 rejects (CheckHyphens).
pub(crate) fn has_edge_hyphen(label: &str) -> bool {
    label.starts_with('-') || label.ends_with('-')
}

/// Returns the text of one or more labels with its references resolved.
pub(crate) fn label_text<'v>(
    view: &View<'v>,
    start: usize,
    end: usize,
    has_reference: bool,
) -> Cow<'v, str> {
    let text = String::from_utf8_lossy(&view.text[start..end]);
    match has_reference {
        true => match reference::resolved(&text) {
            Some((resolved, _)) => Cow::Owned(resolved),
            None => text,
        },
        false => text,
    }
}

/// Returns `true` if a label is a known top-level domain.
pub(crate) fn is_tld(view: &View<'_>, start: usize, end: usize, has_reference: bool) -> bool {
    let bytes = &view.text[start..end];
    if bytes.iter().all(|&b| is_simple(b)) {
        return tld::is_ascii_tld(bytes);
    }
    tld::is_tld(&label_text(view, start, end, has_reference))
}

/// Returns the end of the label that begins at `start`, and the end with the root dot after it, if one is there. Returns
/// `None` if another label follows, or if there is no label.
pub(crate) fn label_ahead(
    view: &View<'_>,
    start: usize,
    full_stops: FullStops,
) -> Result<Option<(usize, usize)>, Incomplete> {
    let mut at = start;
    let c = loop {
        while at < view.text.len() && is_simple(view.text[at]) {
            at += 1;
        }
        // It is longer than any top-level domain; prose that follows without a space may still begin with one.
        if at - start > MAX_TLD_BYTES {
            return Ok(Some((at, at)));
        }
        let c = view.next(at)?;
        let belongs = match c.code == u32::from('_') || is_hebrew_mark(c) || is_soft_hyphen(c) {
            true => is_inner(view, start, at, c.len)?,
            false => is_bare_host_char(c),
        };
        if !belongs {
            break c;
        }
        at += c.len;
    };
    let is_dot_of_host = match class(c) {
        CharClass::Dot => true,
        CharClass::FullStop => full_stops == FullStops::Dots,
        _ => false,
    };
    if at == start {
        return Ok(None);
    }
    if !is_dot_of_host {
        return Ok(Some((at, at)));
    }
    let after = view.next(at + c.len)?;
    Ok(match is_bare_host_char(after) {
        true => None,
        // Several dots do not belong to the host.
        false if is_dot(after) => Some((at, at)),
        false => Some((at, at + c.len)),
    })
}

/// Reads backwards from `end` over the characters of a host without a scheme, if all of them are ASCII; returns `None` if
/// they must be examined one by one.
#[inline]
pub(crate) fn back_ascii(view: &View<'_>, end: usize, min_start: usize) -> Option<PlainName> {
    let name = plain::back(view.text, end, min_start)?;
    let is_decided =
        name.start == min_start || !matches!(view.text[name.start - 1], b'_' | b';' | 0x80..);
    is_decided.then_some(name)
}

/// Reads backwards from `end` over the characters of a host without a scheme; returns `None` if the run is longer than a
/// host can be.
pub(crate) fn back(
    view: &View<'_>,
    end: usize,
    min_start: usize,
    full_stops: FullStops,
) -> Option<usize> {
    let mut at = end;
    let mut count = 0;
    loop {
        while at > min_start && is_simple(view.text[at - 1]) {
            at -= 1;
            count += 1;
        }
        if count > MAX_HOST {
            return None;
        }
        let c = view.prev(at, min_start);
        let belongs = match class(c) {
            _ if c.code == u32::from('_') || is_hebrew_mark(c) || is_soft_hyphen(c) => {
                let next = at < end && view.next(at).is_ok_and(is_letter);
                next && is_letter(view.prev(at - c.len, min_start))
            }
            CharClass::Letter | CharClass::Hyphen | CharClass::Dot => true,
            CharClass::FullStop => full_stops == FullStops::Dots,
            _ => false,
        };
        if !belongs || c.len == 0 {
            return Some(at);
        }
        at -= c.len;
        count += 1;
    }
}

/// Returns `true` if an underscore before `at` without a letter on one of its sides belongs to a host after `scheme://`:
/// another label or text that may follow a host comes after it. `_http://localhost_` ends before its last underscore.
fn is_inside_schemed(view: &View<'_>, at: usize) -> Result<bool, Incomplete> {
    let mut end = at;
    while end - at < MAX_LABEL && view.byte(end)? == Some(b'_') {
        end += 1;
    }
    let c = view.next(end)?;
    Ok(match char::from_u32(c.code) {
        Some('/') => true,
        Some('.') => is_letter(view.next(end + c.len)?),
        Some(':') => view.byte(end + c.len)?.is_some_and(|b| b.is_ascii_digit()),
        _ => matches!(class(c), CharClass::Letter | CharClass::Hyphen),
    })
}

/// Returns `true` if some label begins with `xn--`.
fn has_a_label(host: &[u8]) -> bool {
    host.windows(2).any(|two| two == b"--") && host.split(|&b| b == b'.').any(is_a_label)
}

pub(crate) fn is_a_label(label: &[u8]) -> bool {
    label.len() > 3 && label[..4].eq_ignore_ascii_case(b"xn--")
}
