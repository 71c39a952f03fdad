//! Hosts without a scheme: read backwards from a dot before a known top-level domain (`docs/rules.md`, "Where a link
//! begins").

mod before;
mod www;

use std::ops::Range;

use before::{BeforeHost, before_host, is_triplet};

use super::authority::{self, AuthorityTail};
use super::candidate::{CandidateFlags, LinkKind, Match, Reason};
use super::filename::{self, BareHost, Judgement, Verdict};
use super::front::{after_cookie_flag, after_escape, after_prose, after_rule, is_www};
use super::head::{self, BareCheck, Head, Recognized, Wanted};
use super::host::{self, FullStops, HostSet};
use super::joined;
use super::sentence::{self, is_sentence};
use super::view::{Char, Incomplete, View, is_gap};
use super::{Boundaries, Settings, chance, defanged, email, host_char, preceding_context, scheme};
use crate::scan::prefilter::surroundings::{Quick, is_after_www, quick_look};
use crate::tables::sentence::is_unspaced;
use crate::tables::{self, punctuation};

/// Maximum number of characters that are searched for an `@`.
const MAX_LOCAL_AHEAD: usize = 256;

/// End of the last search for an `@`, so that `a.com+a.com+…` is searched only once.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct LookedAhead {
    from: usize,
    to: usize,
    found: bool,
}

/// A dot, and its offset.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Dot {
    pub(crate) at: usize,
    pub(crate) c: Char,
}

/// Reads the host whose last dot is `dot`.
#[inline]
pub(crate) fn read(
    view: &View<'_>,
    dot: Dot,
    min_start: usize,
    settings: &Settings,
    looked: &mut LookedAhead,
    wanted: Wanted,
) -> Result<Recognized, Incomplete> {
    match quick_look(view.text, dot.at + dot.c.len) {
        Quick::None if !is_after_www(view.text, dot.at + dot.c.len) => Ok(Recognized::Nothing),
        Quick::None => www::read(view, dot, min_start, settings, looked),
        quick => read_host(view, dot, quick, HostQuery { min_start, settings, wanted }, looked),
    }
}

/// Settings of a search for a host, and the offset before which the host cannot begin.
#[derive(Clone, Copy)]
struct HostQuery<'s> {
    min_start: usize,
    settings: &'s Settings,
    wanted: Wanted,
}

impl HostQuery<'_> {
    fn is_prose(&self) -> bool {
        self.settings.boundaries == Boundaries::Prose
    }
}

/// The dot before a top-level domain, and where the host ends that is read backwards from it.
#[derive(Clone, Copy)]
struct End {
    dot: Dot,
    /// The dot is a full stop that also ends sentences.
    is_full_stop: bool,
    /// The ASCII check has determined the top-level domain.
    is_plain: bool,
    end: usize,
    run_end: usize,
    tail: AuthorityTail,
}

/// Where a host begins.
#[derive(Clone, Copy)]
struct HostFront {
    start: usize,
    /// Flags of the host, if it and the characters around it need no further check.
    plain: Option<CandidateFlags>,
    in_front: Char,
    before: BeforeHost,
}

/// Like [`read`], after the ASCII check, which excludes most dots.
fn read_host(
    view: &View<'_>,
    dot: Dot,
    quick: Quick,
    asked: HostQuery<'_>,
    looked: &mut LookedAhead,
) -> Result<Recognized, Incomplete> {
    let (at, label, prose) = (dot.at, dot.at + dot.c.len, asked.is_prose());
    let is_full_stop =
        punctuation::dot_of_host(dot.c.code) == Some(punctuation::FullStop::Ideographic);
    if prose && dot.c.code == punctuation::IDEOGRAPHIC && is_after_sentence(view, at, label)? {
        return Ok(Recognized::Nothing);
    }
    let full_stops = FullStops::of(prose);
    let (end, run_end, tail) = match quick {
        Quick::Known(end) => (end, end, AuthorityTail::Open),
        _ => match top_level(view, label, prose, full_stops)? {
            Some(found) => found,
            None => return www::read(view, dot, asked.min_start, asked.settings, looked),
        },
    };
    let is_plain = quick == Quick::Known(end) && dot.c.len == 1;
    let end = End { dot, is_full_stop, is_plain, end, run_end, tail };
    let Some(front) = front(view, end, asked)? else { return Ok(Recognized::Nothing) };
    match front.before {
        BeforeHost::AtSign(sign, len) => {
            return email::read(view, sign, len, asked.min_start, asked.settings, asked.wanted);
        }
        BeforeHost::Colon(colon, at) => {
            return scheme::read(view, colon, at, asked.min_start, asked.settings);
        }
        BeforeHost::Scheme(_) | BeforeHost::Nothing => {}
    }
    if let Some(marks) = front.plain
        && let Some(found) = settled(view, front.start..end.end, at, marks, asked)
    {
        return Ok(found);
    }
    whole(view, front, end, prose, looked)
}

/// Reads backwards from the dot; returns `None` if the characters before it, or before the host, exclude a host.
#[inline]
fn front(view: &View<'_>, end: End, asked: HostQuery<'_>) -> Result<Option<HostFront>, Incomplete> {
    let End { dot, is_full_stop, is_plain, end, tail, .. } = end;
    let (at, label, prose) = (dot.at, dot.at + dot.c.len, asked.is_prose());
    let full_stops = FullStops::of(prose);
    let ascii = host::back_ascii(view, at, asked.min_start);
    let front = ascii.map(|name| name.start);
    let Some(front) = front.or_else(|| host::back(view, at, asked.min_start, full_stops)) else {
        return Ok(None);
    };
    if let Some(b':' | b'/' | b'\\' | b'(' | b']' | b'}') = view.text[..front].last() {
        let before = before_host(view, asked.min_start..front, at, prose)?;
        if !matches!(before, BeforeHost::Nothing) {
            let in_front = view.prev(front, 0);
            let is_name = !host_char::is_only_dots(view, front, at);
            return Ok(is_name.then_some(HostFront {
                start: front,
                plain: None,
                in_front,
                before,
            }));
        }
    }
    let mut start = after_escape(view, front, at);
    let cookie = if prose { after_cookie_flag(view.text, front, at) } else { front };
    let is_cookie = cookie > front;
    if is_cookie {
        start = cookie;
    } else if start > front {
        // No host begins with them, as in `"see\n_example.com_"`.
        start += view.text[start..at].iter().take_while(|byte| **byte == b'_').count();
    }
    let may_be_plain = start == front && is_plain && !host::is_a_label(&view.text[label..end]);
    let plain = ascii.filter(|_| may_be_plain).and_then(|name| name.marks);
    if plain.is_none() && host_char::is_only_dots(view, start, at) {
        return Ok(None);
    }
    if prose && ascii.is_none() {
        start = after_prose(view, start, at);
        if host_char::is_only_dots(view, start, at) {
            return Ok(None);
        }
    }
    if prose && plain.is_none() {
        start = after_rule(view, start, at, end)?;
        let name = &view.text[start..at];
        let is_joined = tail == AuthorityTail::Closed && name.eq_ignore_ascii_case(b"www");
        if is_joined && host::label_ahead(view, label, full_stops)?.is_none()
            || is_dot_net(view, start, at, end)
        {
            return Ok(None);
        }
    }
    let in_front = view.prev(start, 0);
    if prose && is_full_stop && (!is_gap(in_front.code) || view.text[start].is_ascii_digit()) {
        return Ok(None);
    }
    if matches!(char::from_u32(in_front.code), Some('@' | '＠' | '﹫'))
        || in_front.code == u32::from('%') && is_triplet(view, start)?
        || matches!(char::from_u32(in_front.code), Some(']' | '/'))
            && defanged::is_before(&view.text[..start])
        || prose
            && !is_cookie
            && in_front.code == u32::from('_')
            && is_record(view, [start - in_front.len, start, end])?
        || prose && chance::is_in_uuencoded(view, start, end)?
        || prose
            && matches!(char::from_u32(in_front.code), Some('%' | '$' | ')'))
            && authority::is_in_conversion(view.text, start)
    {
        return Ok(None);
    }
    Ok(Some(HostFront { start, plain, in_front, before: BeforeHost::Nothing }))
}

/// Reads the host and the text after it, if the short code path does not apply.
fn whole(
    view: &View<'_>,
    front: HostFront,
    end: End,
    prose: bool,
    looked: &mut LookedAhead,
) -> Result<Recognized, Incomplete> {
    let HostFront { start, in_front, before, .. } = front;
    let damaged = match before {
        BeforeHost::Scheme(scheme) => Some(scheme),
        _ => None,
    };
    let End { dot: Dot { at, .. }, is_full_stop, end, run_end, tail, .. } = end;
    let mut run = host::read(view, start, end, HostSet::Bare, FullStops::Dots)?;
    run.run_end = run_end;
    if run.end != end {
        return Ok(Recognized::Nothing);
    }
    if defanged::is_dot_ahead(view, end)?
        || is_local_ahead(view, end, looked)?
            && !(tail == AuthorityTail::Closed && begins_anew(view, end, looked.to)?)
            && !(prose && is_apart(view, end)?)
        || tail == AuthorityTail::Open && authority::is_scheme_ahead(view, end)?
    {
        return Ok(Recognized::Nothing);
    }
    let last = &view.text[run.last_label..end];
    let first = &view.text[start..at];
    let is_new = match run.has_reference {
        false => is_sentence(first, last),
        true => {
            let text = |start, end| host::label_text(view, start, end, true);
            is_sentence(text(start, at).as_bytes(), text(run.last_label, end).as_bytes())
        }
    };
    if is_new {
        return Ok(Recognized::Nothing);
    }
    if run.is_too_long {
        return Ok(Recognized::Nothing);
    }
    let mut refused = run.has_bad_label.then_some(Reason::HostLabel);
    let mut marks = run.marks();
    let bare = BareHost { start, dot: at, label: run.last_label, end };
    let Judgement { verdict, rule } = filename::judge(view, bare)?;
    // Before a bracket it is rather a call, which is decided later.
    if verdict == Verdict::Name && view.next(end)?.code != u32::from('(') {
        refused = refused.or(Some(Reason::FileName));
    }
    if damaged.is_some() {
        refused = Some(Reason::HostEmpty);
    }
    let mut opening = None;
    let mut tail_start = end;
    if tail == AuthorityTail::Open {
        let (port_end, bad_port) = authority::port(view, authority::root_dot(view, &run, prose)?)?;
        if bad_port {
            refused = refused.or(Some(Reason::Port));
        }
        marks |= CandidateFlags::REFERENCE.when(view.text[end..port_end].contains(&b'&'));
        tail_start = port_end;
        opening = head::tail(view, port_end, prose, || {
            preceding_context::directly_before(view, damaged.unwrap_or(start), false)
        })?;
    }
    let (kind, link) = match damaged {
        Some(scheme) => (LinkKind::Absolute, scheme),
        None => (LinkKind::Schemeless, start),
    };
    Ok(Recognized::Head(Head {
        candidate: Match { refused, rule, ..Match::new(kind, link..tail_start, start..end, marks) },
        opening,
        check: damaged.is_none().then_some(BareCheck {
            stands_alone: prose && is_full_stop,
            is_file_name: verdict != Verdict::Host,
            may_be_code: (run.labels == 2 || filename::may_be_method(last)) && !is_first_www(first),
            may_be_function: run.labels == 2 && filename::may_be_function(first, last),
            is_in_path: in_front.code == u32::from('/'),
            tail: tail_start,
            in_prose: prose,
        }),
        min_end: end,
        host_end: end,
    }))
}

/// Returns `true` if the byte after a host ends both the host and the link: no local part, scheme, port, tail or call in
/// code begins with it.
#[inline]
pub(crate) fn settles(byte: u8) -> bool {
    SETTLES[usize::from(byte)]
}

static SETTLES: [bool; 256] = {
    let mut settles = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        settles[byte] = !tables::class(byte as u32).is_email()
            && !matches!(byte as u8, b'.' | b'@' | b':' | b'[' | b'(' | b'/' | b'?' | b'#' | b'\\');
        byte += 1;
    }
    settles
};

/// Like [`settles`], for the text at `at`: a colon without a port after it ends a host too.
#[inline]
fn settles_at(text: &[u8], at: usize) -> bool {
    match text.get(at..) {
        Some([b':', next, ..]) => next.is_ascii_whitespace(),
        Some([byte, ..]) => settles(*byte),
        _ => false,
    }
}

/// Returns the result for the plain host at `host` whose last dot is at `dot`, if the character after it shows that it ends
/// there, as most names of files and most hosts do.
#[inline]
fn settled(
    view: &View<'_>,
    host: Range<usize>,
    dot: usize,
    marks: CandidateFlags,
    HostQuery { settings, wanted, .. }: HostQuery<'_>,
) -> Option<Recognized> {
    // `Server.run!(x)`
    let is_call = view.text[host.end] == b'!' && view.text.get(host.end + 1) != Some(&b' ');
    if is_call || !settles_at(view.text, host.end) || host.len() > settings.max_link {
        return None;
    }
    let (first, last) = (&view.text[host.start..dot], &view.text[dot + 1..host.end]);
    if is_sentence(first, last) {
        return Some(Recognized::Nothing);
    }
    // If more text must be read to decide, the longer code path requests it.
    let bare = BareHost { start: host.start, dot, label: dot + 1, end: host.end };
    let Judgement { verdict, rule } = filename::judge(view, bare).ok()?;
    let is_file_name = verdict != Verdict::Host;
    if is_file_name && wanted == Wanted::Links {
        return Some(Recognized::Refused(host.end));
    }
    Some(Recognized::Whole(Match {
        refused: is_file_name.then_some(Reason::FileName),
        rule,
        ..Match::new(LinkKind::Schemeless, host.clone(), host, marks)
    }))
}

/// Returns `true` if the first label is `www`.
fn is_first_www(name: &[u8]) -> bool {
    name.split(|&b| b == b'.').next().is_some_and(|label| label.eq_ignore_ascii_case(b"www"))
}

/// Returns `true` for the name of Microsoft's framework in prose of a script without spaces: `使用.NET`.
fn is_dot_net(view: &View<'_>, start: usize, dot: usize, end: usize) -> bool {
    let is_name = matches!(&view.text[dot..end], b".NET" | b".Net");
    is_name && char::from_u32(view.prev(dot, start).code).is_some_and(is_unspaced)
}

/// Returns `true` if the host `start..end`, with an underscore at `mark` before it, is the end of the name of a DNS record,
/// which is not a host: `_dmarc.example.com`, `_sip._tcp.example.com`. In emphasis either an underscore also follows,
/// `_www.example.com_`, or only the name of a site has one before it.
fn is_record(view: &View<'_>, [mark, start, end]: [usize; 3]) -> Result<bool, Incomplete> {
    let before = char::from_u32(view.prev(mark, 0).code);
    if before == Some('.') {
        return Ok(true);
    }
    let name = &view.text[start..end];
    let is_long = host::read(view, start, end, HostSet::Bare, FullStops::Dots)?.labels > 2;
    let goes_on = matches!(char::from_u32(view.next(end)?.code), Some('_' | '/' | '?' | '#'));
    Ok(is_long && !is_www(name) && !goes_on && before != Some('_'))
}

/// Returns the end of the top-level domain that begins at `label`, the end with a root dot after it, and whether a link
/// continues there.
pub(super) fn top_level(
    view: &View<'_>,
    label: usize,
    prose: bool,
    full_stops: FullStops,
) -> Result<Option<(usize, usize, AuthorityTail)>, Incomplete> {
    if prose && let Some(end) = joined::ascii_tld_prefix(view, label)? {
        return Ok(Some((end, end, AuthorityTail::Closed)));
    }
    let Some((end, run_end)) = host::label_ahead(view, label, full_stops)? else {
        let end = if prose { sentence::after_domain(view, label)? } else { None };
        return Ok(end.map(|end| (end, end, AuthorityTail::Closed)));
    };
    // `see example.com- it`
    let mut label_end = joined::before_hyphens(view, label, end);
    // It is too long however it continues, so there is no need to wait.
    if label_end - label > host::MAX_TLD_BYTES {
        return Ok(None);
    }
    if label_end < end && (!prose || joined::goes_on_after_hyphens(view, end)?) {
        label_end = end;
    }
    let run = host::read(view, label, label_end, HostSet::Bare, full_stops)?;
    if !run.has_known_tld(view) {
        let end = if prose { sentence::before_hyphen(view, label)? } else { None };
        return Ok(end.map(|end| (end, end, AuthorityTail::Closed)));
    }
    let run_end = if label_end < end { label_end } else { run_end };
    Ok(Some((label_end, run_end, AuthorityTail::Open)))
}

/// Returns `true` if the byte may be in a local part, except for `/ ? #`, or may begin a reference.
#[inline]
fn is_local_byte(byte: u8) -> bool {
    tables::class_ascii(byte).is_email() && !matches!(byte, b'/' | b'?' | b'#')
}

/// Returns `true` if an `@` follows after only characters of a local part, except for `/ ? #`.
pub(super) fn is_local_ahead(
    view: &View<'_>,
    end: usize,
    looked: &mut LookedAhead,
) -> Result<bool, Incomplete> {
    if looked.from <= end && end < looked.to {
        return Ok(looked.found);
    }
    // A space or a punctuation mark follows most hosts and names of files.
    if view.text.get(end).is_some_and(|&b| b < 0x80 && b != b'@' && !is_local_byte(b)) {
        return Ok(false);
    }
    let mut at = end;
    for _ in 0..MAX_LOCAL_AHEAD {
        let c = view.next(at)?;
        // `%40` is an `@` that is encoded in a `mailto:` of an attribute.
        let found = c.code == u32::from('@')
            || c.code == u32::from('%')
                && authority::after_ascii(view, at + c.len, b"40")?.is_some();
        let is_part = !matches!(char::from_u32(c.code), Some('/' | '?' | '#'));
        if found || !is_part || !tables::class(c.code).is_email() {
            *looked = LookedAhead { from: end, to: at, found };
            return Ok(found);
        }
        at += c.len;
    }
    Ok(false)
}

/// Returns `true` if the local part that ends at `at` begins after prose, before which a host ends at `end`:
/// `example.comですjoe@example.org`.
fn begins_anew(view: &View<'_>, end: usize, at: usize) -> Result<bool, Incomplete> {
    let is_prose = char::from_u32(view.next(end)?.code).is_some_and(joined::is_before_word);
    Ok(is_prose && view.prev(at, end).code < 0x80)
}

/// Returns `true` if a bar or an opening brace at `end`, after which an address begins, separates it from the host:
/// `example.com|joe@example.org`.
fn is_apart(view: &View<'_>, end: usize) -> Result<bool, Incomplete> {
    let sign = view.next(end)?;
    let is_sign = matches!(char::from_u32(sign.code), Some('|' | '{'));
    Ok(is_sign && view.byte(end + sign.len)?.is_some_and(|byte| byte.is_ascii_alphanumeric()))
}

/// Returns `true` if an ASCII word follows the full stop at `at`, which ends a sentence: `マニュアルとしてメンテナンスされています。info
/// とプログラム`.
fn is_after_sentence(view: &View<'_>, at: usize, label: usize) -> Result<bool, Incomplete> {
    Ok(view.prev(at, 0).code >= 0x80 && view.next(label)?.code < 0x80)
}
