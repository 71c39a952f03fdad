//! The authority after `scheme://`, and the port after any host.
//!
//! The input is the offset after `//`. The result has the host, the offset after host and port, and the reason if the
//! authority is rejected (RFC 3987 §2.2 `iauthority`, RFC 3986 §3.2; `docs/rules.md`, "Where a link begins"). This module
//! does not check whether UTS #46 accepts the host.

mod delimited;
mod lenient;
mod literal;
mod placeholder;

use std::net::Ipv4Addr;
use std::ops::Range;

use delimited::is_delimited;
pub(crate) use literal::ip_literal;
pub(crate) use placeholder::is_in_conversion;

use super::candidate::{CandidateFlags, Reason};
use super::ending::PrecedingContext;
use super::host::{self, FullStops, HostSet, Run, has_edge_hyphen};
use super::markup_context::{after_escaped_slash, is_pattern_of_host};
use super::view::{Char, EDGE, Incomplete, MALFORMED, View};
use super::word::is_scheme_byte;
use super::{defanged, joined};
use crate::tables::punctuation::{FullStop, dot_of_host, is_full_stop};
use crate::tables::{self, Term, schemes};
use crate::trust::registrable;

/// Maximum number of characters of user information.
const MAX_USERINFO: usize = 256;
/// Maximum number of bytes of a port.
const MAX_PORT: usize = 256;
/// Maximum number of scheme characters that are searched for a `://`.
const MAX_SCHEME_AHEAD: usize = 64;

/// How a link continues after its authority.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum AuthorityTail {
    /// A path, query or fragment may follow.
    Open,
    /// The rules for prose have ended the authority.
    Closed,
    /// The rest of a host that is too long follows.
    Swallowed,
    /// A path follows without a slash before it: its first segment is a drive letter, or it is that of a repository.
    Path,
}

/// Authority after `scheme://`.
#[derive(Clone, Debug)]
pub(crate) struct Authority {
    pub(crate) host: Range<usize>,
    pub(crate) end: usize,
    pub(crate) tail: AuthorityTail,
    pub(crate) marks: CandidateFlags,
    pub(crate) refused: Option<Reason>,
}

/// Kind of an authority, which depends on the scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// http, https, ws, wss: no user information.
    Web,
    /// file: the host may be empty.
    File,
    /// The host may be empty, but no drive letter is in its place.
    App,
    /// The path of a repository may follow the host after a colon.
    Repository,
    /// The host may be a decentralized identifier.
    Identifier,
    Other,
}

impl Kind {
    pub(crate) fn of(scheme: &[u8]) -> Kind {
        match schemes::row(scheme) {
            Some(row) if row.is(schemes::NO_USERINFO_IN_TEXT) => Kind::Web,
            Some(row) if row.is(schemes::EMPTY_HOST) => Kind::File,
            _ if schemes::has_remote_paths(scheme) => Kind::Repository,
            _ if schemes::has_identifiers(scheme) => Kind::Identifier,
            _ if schemes::may_lack_host(scheme) => Kind::App,
            _ => Kind::Other,
        }
    }
}

/// Reads the authority that begins at `at`. Returns `None` if the text there is part of something else: of the scheme of a
/// later `://`, or of a defanged host.
pub(crate) fn read(
    view: &View<'_>,
    at: usize,
    kind: Kind,
    prose: bool,
    lead: PrecedingContext,
) -> Result<Option<Authority>, Incomplete> {
    let mut marks = CandidateFlags::default();
    if let Some(authority) = lenient::without_host(view, at, kind, prose)? {
        return Ok(Some(authority));
    }
    let mut refused = None;
    let mut start = at;
    let set = HostSet::schemed(prose);
    let mut run = host::read(view, at, usize::MAX, set, FullStops::Dots)?;
    while let Some((after, is_template)) = userinfo(view, start, &run, prose)? {
        if kind == Kind::Web || is_template || marks.has(CandidateFlags::USERINFO) {
            refused = Some(Reason::Userinfo);
        }
        marks |= CandidateFlags::USERINFO | CandidateFlags::ATTENTION;
        marks |= CandidateFlags::REFERENCE.when(view.text[start..after].contains(&b'&'));
        start = after;
        run = host::read(view, start, usize::MAX, set, FullStops::Dots)?;
    }
    if run.run_end == start && view.byte(start)? == Some(b'[') {
        let mut authority = ip_literal(view, start, marks)?;
        authority.refused = refused.or(authority.refused);
        return Ok(Some(authority));
    }
    if run.is_too_long {
        return Ok(Some(Authority {
            host: start..start,
            end: run.run_end,
            tail: AuthorityTail::Swallowed,
            marks,
            refused: refused.or(Some(Reason::HostTooLong)),
        }));
    }
    let mut tail = AuthorityTail::Open;
    if prose {
        (run, tail) = without_prose(view, run, set)?;
    }
    let is_known = run.has_known_tld(view);
    if tail == AuthorityTail::Open
        && (is_scheme_ahead(view, run.end)? || defanged::is_dot_ahead(view, run.end)?)
    {
        return Ok(None);
    }
    if prose
        && tail == AuthorityTail::Open
        && let Some(rest) = placeholder::end_of_host(view, &run, is_known || is_ipv4(view, &run))?
    {
        refused = refused.or(host_refused(view, &run, kind)?).or(Some(Reason::HostNotDelimited));
        let (end, _) = only_port(view, rest)?;
        return Ok(Some(Authority { host: start..run.end, end, tail, marks, refused }));
    }
    marks |= run.marks() | CandidateFlags::ATTENTION.when(run.has_bad_label);
    let mut end = run.end;
    if tail == AuthorityTail::Open {
        end = root_dot(view, &run, prose)?;
    }
    refused = refused.or(host_refused(view, &run, kind)?);
    // With a root dot it is no address to programs that compare texts, and one to browsers.
    if refused.is_none() && end > run.end && is_ipv4(view, &run) {
        refused = Some(Reason::HostIpv4);
    }
    if kind == Kind::Repository
        && prose
        && tail == AuthorityTail::Open
        && let Some(path) = lenient::remote_path(view, end)?
    {
        let (tail, marks) = (AuthorityTail::Path, marks | CandidateFlags::ATTENTION);
        return Ok(Some(Authority { host: start..run.end, end: path, tail, marks, refused }));
    }
    let (port_end, bad_port) = only_port(view, end)?;
    if refused.is_none() && bad_port {
        refused = Some(Reason::Port);
    }
    let is_pattern = prose && is_pattern_of_host(view, port_end)?;
    let is_name = is_known && !is_pattern || is_ipv4(view, &run);
    if refused.is_none()
        && tail == AuthorityTail::Open
        && !is_name
        && (is_pattern || port_end == end && !is_delimited(view, end, prose, lead)?)
    {
        refused = Some(Reason::HostNotDelimited);
    }
    if tail == AuthorityTail::Open {
        marks |= CandidateFlags::REFERENCE.when(view.text[end..port_end].contains(&b'&'));
        end = port_end;
    }
    if refused == Some(Reason::HostNotDelimited) {
        (end, _) = only_port(view, after_enders(view, end, set)?)?;
    }
    Ok(Some(Authority { host: start..run.end, end, tail, marks, refused }))
}

/// Returns the run up to where prose ends the host, and how the link continues there.
fn without_prose(
    view: &View<'_>,
    mut run: Run,
    set: HostSet,
) -> Result<(Run, AuthorityTail), Incomplete> {
    let mut tail = AuthorityTail::Open;
    let start = run.start;
    let read = |end: usize| host::read(view, start, end, set, FullStops::Dots);
    if let Some(stop) = run.full_stop {
        let first = read(stop)?;
        if first.has_known_tld(view) || !run.has_known_tld(view) {
            run = Run { run_end: first.end, ..first };
            tail = AuthorityTail::Closed;
        }
    }
    if let Some(end) = joined::prose_end(view, &run)? {
        return Ok((read(end)?, AuthorityTail::Closed));
    }
    if let Some(end) = joined::without_hyphens(view, &run)? {
        return Ok((read(end)?, AuthorityTail::Open));
    }
    Ok((run, tail))
}

/// Returns the reason why the labels of a host are rejected, if they are.
fn host_refused(view: &View<'_>, run: &Run, kind: Kind) -> Result<Option<Reason>, Incomplete> {
    if run.labels == 0 {
        let slash = view.next(run.start)?;
        let is_rooted = slash.code == u32::from('/')
            && match kind {
                Kind::File => true,
                // `ldap:///` alone is the name of a form.
                Kind::App => char::from_u32(view.next(run.start + slash.len)?.code)
                    .is_some_and(|c| c.is_alphanumeric() || "%~._-:?@".contains(c)),
                _ => false,
            };
        return Ok((!is_rooted).then_some(Reason::HostEmpty));
    }
    if run.has_bad_label && !is_resolved_with_hyphens(view, run) {
        return Ok(Some(Reason::HostLabel));
    }
    Ok((run.ends_in_number(view) && !is_ipv4(view, run)).then_some(Reason::HostIpv4))
}

/// Returns `true` if the only error in the labels is a hyphen at the edge of a label to the left of the registered name. No
/// registry accepts such a name (RFC 1123 §2.1, RFC 5891 §4.2.3.1), yet the owners of domains create them below their own,
/// and browsers open them: `foo-.example.com`.
#[cold]
fn is_resolved_with_hyphens(view: &View<'_>, run: &Run) -> bool {
    let name = host::label_text(view, run.start, run.end, run.has_reference);
    let name = name.replace(is_full_stop, ".");
    let registered = registrable(&name);
    let is_long = |label: &str| {
        label.len() > host::MAX_LABEL && label.is_ascii() && !label.contains(['%', '\\'])
    };
    registered.len() < name.len()
        && !registered.split('.').any(has_edge_hyphen)
        && !name.split('.').any(|label| label.is_empty() || is_long(label))
}

fn is_ipv4(view: &View<'_>, run: &Run) -> bool {
    let host = &view.text[run.start..run.end];
    host.last().is_some_and(u8::is_ascii_digit)
        && std::str::from_utf8(host).is_ok_and(|h| h.parse::<Ipv4Addr>().is_ok())
}

/// Returns the end of the text after an invisible or malformed character, a stray `%`, or a sign that no host has, so that no
/// part of that text becomes a host by itself: `http://exam<ZWSP>ple.com`, `http://www.mÃ¼ller.de`.
fn after_enders(view: &View<'_>, at: usize, set: HostSet) -> Result<usize, Incomplete> {
    let mut end = at;
    while end - at < host::MAX_HOST {
        let mut next = end;
        loop {
            let c = view.next(next)?;
            // A `%` that encodes nothing ends a host too: `http://exam%ple.com/`.
            let is_ender = c.code == MALFORMED
                || c.code == u32::from('%')
                || tables::class(c.code).term() == Term::Ender
                || is_sign_in_word(c.code);
            if !is_ender || next - at > host::MAX_HOST {
                break;
            }
            next += c.len;
        }
        let run = host::read(view, next, usize::MAX, set, FullStops::Dots)?;
        if next == end || run.end == next {
            break;
        }
        end = run.end;
    }
    Ok(end)
}

/// Returns `true` if the character is a fraction, a currency or another sign that a letter becomes if its bytes are read in a
/// wrong encoding.
fn is_sign_in_word(code: u32) -> bool {
    let is_sign = matches!(code, 0x80..=0xFF | 0x2020..=0x2022 | 0x2030 | 0x2031 | 0x20A0..=0x20CF | 0x2150..=0x218F);
    is_sign && tables::class(code).term() == Term::Include
}

/// Returns the end of the host with its root dot. The dot belongs to the host only directly before `/`, `?` or `#`.
pub(crate) fn root_dot(view: &View<'_>, run: &Run, prose: bool) -> Result<usize, Incomplete> {
    if run.run_end == run.end {
        return Ok(run.end);
    }
    let dot = view.next(run.end)?;
    let is_dot = match dot_of_host(dot.code) {
        Some(FullStop::Plain) => true,
        Some(FullStop::Ideographic) => !prose,
        None => false,
    };
    let is_one = is_dot && run.labels > 0 && run.end + dot.len == run.run_end;
    let opens =
        is_one && matches!(char::from_u32(view.next(run.run_end)?.code), Some('/' | '?' | '#'));
    Ok(if opens { run.run_end } else { run.end })
}

/// Returns the end of the `:port` at `at`, or `at` itself if there is no port, and whether the port is too great.
pub(crate) fn port(view: &View<'_>, at: usize) -> Result<(usize, bool), Incomplete> {
    let colon = view.next(at)?;
    if colon.code != u32::from(':') {
        return Ok((at, false));
    }
    let first = at + colon.len;
    let mut end = first;
    let mut value = 0u32;
    loop {
        let c = view.next(end)?;
        let Some(digit) = char::from_u32(c.code).and_then(|c| c.to_digit(10)) else { break };
        value = value.saturating_mul(10).saturating_add(digit);
        end += c.len;
        // More digits than any sensible number of leading zeros count as a port that is too great.
        if end - at > MAX_PORT {
            return Ok((end, true));
        }
    }
    // An address or a version: `example.com:10.0.0.1`.
    let is_number = end > first
        && !(view.byte(end)? == Some(b'.')
            && view.byte(end + 1)?.is_some_and(|b| b.is_ascii_digit()));
    Ok(if is_number { (end, value > 65535) } else { (at, false) })
}

/// Like [`port`], but a second port after the first makes it invalid, `http://example.com:80:80/`, and before a path
/// the port of a host may be empty (RFC 3986 §3.2.3): `http://example.com:/`.
fn only_port(view: &View<'_>, at: usize) -> Result<(usize, bool), Incomplete> {
    let (end, is_bad) = port(view, at)?;
    if end == at {
        let colon = view.next(at)?;
        let is_empty = colon.code == u32::from(':')
            && view.prev(at, 0).code != u32::from('/')
            && view.next(at + colon.len)?.code == u32::from('/');
        return Ok((if is_empty { at + colon.len } else { at }, is_bad));
    }
    let (second_end, _) = port(view, end)?;
    Ok((second_end, is_bad || second_end > end))
}

/// Returns `true` if user information begins at `at`.
pub(crate) fn has_userinfo(view: &View<'_>, at: usize, set: HostSet) -> Result<bool, Incomplete> {
    let run = host::read(view, at, usize::MAX, set, FullStops::Dots)?;
    Ok(userinfo(view, at, &run, set == HostSet::Schemed)?.is_some())
}

/// Returns the offset after the `@` of the user information that begins at `start`, and whether a placeholder with characters is in it
/// that user information does not have; `run` are the host characters there. Before the first colon it has the characters of a
/// local part, after it `,;()` too.
fn userinfo(
    view: &View<'_>,
    start: usize,
    run: &Run,
    prose: bool,
) -> Result<Option<(usize, bool)>, Incomplete> {
    let c = view.next(run.run_end)?;
    // These characters end it, and the run itself has neither an `@` nor a colon.
    if matches!(char::from_u32(c.code), Some('/' | '?' | '#')) {
        return Ok(None);
    }
    let goes_on = matches!(char::from_u32(c.code), Some('@' | ':'))
        || tables::class(c.code).is_email()
        || prose && c.code == u32::from('<');
    if !goes_on {
        return Ok(None);
    }
    let mut at = start;
    let (mut in_password, mut is_template) = (false, false);
    // The last character must be the `@`.
    for _ in 0..=MAX_USERINFO {
        let c = view.next(at)?;
        if prose && let Some(after) = placeholder::in_userinfo(view, at)? {
            (at, is_template) = (after, true);
            continue;
        }
        match char::from_u32(c.code) {
            Some('@') => return Ok(Some((at + c.len, is_template))),
            Some('/' | '?' | '#') => return Ok(None),
            Some(':') => {
                let next = view.next(at + c.len)?;
                let is_slash = next.code == u32::from('/');
                if is_slash && view.next(at + c.len + next.len)?.code == u32::from('/') {
                    return Ok(None);
                }
                in_password = true;
            }
            Some(',' | ';' | '(' | ')') if in_password => {}
            _ if c.code < EDGE && tables::class(c.code).is_email() => {}
            _ => return Ok(None),
        }
        at += c.len;
    }
    Ok(None)
}

/// Returns `true` if scheme characters and then `://` follow: `com.example.app://open`.
pub(crate) fn is_scheme_ahead(view: &View<'_>, at: usize) -> Result<bool, Incomplete> {
    let mut end = at;
    while end - at < MAX_SCHEME_AHEAD {
        match view.byte(end)? {
            Some(byte) if is_scheme_byte(byte) => end += 1,
            Some(b':') => return is_colon_slash_slash(view, end),
            Some(b'&') => match view.next(end)? {
                Char { code, len } if u8::try_from(code).is_ok_and(is_scheme_byte) => end += len,
                _ => return is_colon_slash_slash(view, end),
            },
            _ => return Ok(false),
        }
    }
    Ok(false)
}

/// Returns `true` if `://` is at `at`; each of the three characters may be a reference.
fn is_colon_slash_slash(view: &View<'_>, at: usize) -> Result<bool, Incomplete> {
    Ok(after_colon_slash_slash(view, at, false)?.is_some())
}

/// Returns the offset after the `://` at `at`, if it is there. In prose its slashes may be escaped: `:\/\/`.
pub(crate) fn after_colon_slash_slash(
    view: &View<'_>,
    at: usize,
    prose: bool,
) -> Result<Option<usize>, Incomplete> {
    if view.text[at..].starts_with(b"://") {
        return Ok(Some(at + 3));
    }
    if prose && view.text[at..].starts_with(b":\\") {
        return after_two_slashes(view, at + 1);
    }
    after_ascii(view, at, b"://")
}

/// Returns the offset after the two slashes at `at`, which may both be escaped.
pub(crate) fn after_two_slashes(view: &View<'_>, at: usize) -> Result<Option<usize>, Incomplete> {
    if view.text[at..].starts_with(b"//") {
        return Ok(Some(at + 2));
    }
    match after_escaped_slash(view, at)? {
        Some(end) => after_escaped_slash(view, end),
        None => Ok(None),
    }
}

/// Returns the offset after the ASCII text `want` at `at`, if it is there.
pub(crate) fn after_ascii(
    view: &View<'_>,
    at: usize,
    want: &[u8],
) -> Result<Option<usize>, Incomplete> {
    let mut end = at;
    for &byte in want {
        let c = view.next(end)?;
        if c.code != u32::from(byte) {
            return Ok(None);
        }
        end += c.len;
    }
    Ok(Some(end))
}
