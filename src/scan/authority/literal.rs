//! IP literals in brackets, in the place of a host (RFC 3986 §3.2.2).

use std::net::Ipv6Addr;

use super::{Authority, AuthorityTail, only_port};
use crate::scan::candidate::{CandidateFlags, Reason};
use crate::scan::view::{Incomplete, View};

/// Maximum number of bytes that are searched for the `]` of an IP literal; the longest IPv6 address takes 45.
const MAX_IP_LITERAL: usize = 64;

/// Reads the IP literal whose `[` is at `at` (RFC 3986 §3.2.2 IP-literal).
pub(crate) fn ip_literal(
    view: &View<'_>,
    at: usize,
    marks: CandidateFlags,
) -> Result<Authority, Incomplete> {
    let mut authority = Authority {
        host: at..at,
        end: at + 1,
        tail: AuthorityTail::Open,
        marks,
        refused: Some(Reason::HostIpLiteral),
    };
    let window = &view.text[at..view.len().min(at + MAX_IP_LITERAL)];
    // The `]`, or a byte that cannot be in an IP literal.
    let stop = window.iter().position(|b| !b.is_ascii_graphic() || matches!(b, b'/' | b']'));
    let Some(len) = stop.filter(|&n| window[n] == b']') else {
        if stop.is_none() && window.len() < MAX_IP_LITERAL && !view.is_last {
            return Err(Incomplete);
        }
        return Ok(authority);
    };
    let inside = std::str::from_utf8(&window[1..len]).unwrap_or_default();
    authority.end = at + len + 1;
    authority.host = at..authority.end;
    if inside.parse::<Ipv6Addr>().is_ok() || is_ip_future(inside) {
        authority.refused = None;
        authority.marks |= CandidateFlags::IP_LITERAL;
        let (end, bad_port) = only_port(view, authority.end)?;
        authority.end = end;
        authority.refused = bad_port.then_some(Reason::Port);
    }
    Ok(authority)
}

/// `IPvFuture = "v" 1*HEXDIG "." 1*( unreserved / sub-delims / ":" )`.
fn is_ip_future(inside: &str) -> bool {
    let Some((version, address)) = inside.split_once('.') else { return false };
    let digits = version.strip_prefix(['v', 'V']).unwrap_or_default();
    let is_fit = |b: u8| b.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=:".contains(&b);
    !digits.is_empty()
        && digits.bytes().all(|b| b.is_ascii_hexdigit())
        && !address.is_empty()
        && address.bytes().all(is_fit)
}
