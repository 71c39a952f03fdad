//! IPv4 addresses without a scheme: they are links only with a port and a path, `192.168.1.1:8080/admin`.
//!
//! The input is the offset of a port's colon, the result is the candidate around it (`docs/rules.md`, "Where a link
//! begins"). A range (`10.0.0.0/8`), an address with its port (`1.2.3.4:5678`) and an entry of a firewall
//! (`1.2.3.4:53/udp`) are not links.

use std::net::Ipv4Addr;

use super::authority;
use super::candidate::{CandidateFlags, LinkKind, Match, Reason};
use super::head::{self, Head, Recognized};
use super::host_char;
use super::preceding_context;
use super::view::{Incomplete, View};

/// Length in bytes of the longest IPv4 address: `255.255.255.255`.
const MAX_LEN: usize = 15;
/// Protocols that follow a port and a slash and are not paths.
const PROTOCOLS: [&[u8]; 5] = [b"tcp", b"udp", b"sctp", b"tcp6", b"udp6"];

/// Checks by the bytes around it whether the colon before `at` may be that of a port after an address.
pub(crate) use crate::scan::prefilter::surroundings::may_be_port;

/// Reads the candidate whose port's colon is at `colon`.
pub(crate) fn read(
    view: &View<'_>,
    colon: usize,
    min_start: usize,
) -> Result<Recognized, Incomplete> {
    let most = &view.text[min_start.max(colon.saturating_sub(MAX_LEN))..colon];
    let is_inner = |b: &&u8| b.is_ascii_digit() || **b == b'.';
    let len = most.iter().rev().take_while(is_inner).count();
    let start = colon - len;
    let address = str::from_utf8(&view.text[start..colon]).unwrap_or_default();
    let before = view.prev(start, 0);
    let goes_on = host_char::is_bare_host_char(before)
        || char::from_u32(before.code).is_some_and(|c| "._@/:%]\\".contains(c));
    if goes_on || address.parse::<Ipv4Addr>().is_err() {
        return Ok(Recognized::Nothing);
    }
    let (port_end, bad_port) = authority::port(view, colon)?;
    let slash = view.next(port_end)?;
    let is_slash = slash.code == u32::from('/');
    if port_end == colon || !is_slash || !is_path(view, port_end + slash.len)? {
        return Ok(Recognized::Nothing);
    }
    let marks = CandidateFlags::REFERENCE.when(view.text[colon..port_end].contains(&b'&'));
    Ok(Recognized::Head(Head {
        candidate: Match {
            refused: bad_port.then_some(Reason::Port),
            ..Match::new(LinkKind::Schemeless, start..port_end, start..colon, marks)
        },
        opening: head::tail(view, port_end, true, || {
            preceding_context::directly_before(view, start, false)
        })?,
        check: None,
        min_end: port_end,
        host_end: colon,
    }))
}

fn is_part(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'/' | b'-' | b'_' | b'.')
}

/// Returns `true` if a path continues at `at`, after its slash. Text that begins with a digit, as a prefix
/// length does, and the name of a protocol by itself are not paths.
fn is_path(view: &View<'_>, at: usize) -> Result<bool, Incomplete> {
    let mut word = [0; 5];
    let (mut at, mut len) = (at, 0);
    while len < word.len() {
        let c = view.next(at)?;
        let Some(byte) = u8::try_from(c.code).ok().filter(|b| is_part(*b)) else { break };
        word[len] = byte.to_ascii_lowercase();
        len += 1;
        at += c.len;
    }
    if word[0].is_ascii_digit() {
        return Ok(false);
    }
    let name = word[..len].strip_suffix(b".").unwrap_or(&word[..len]);
    Ok(!PROTOCOLS.contains(&name))
}
