//! Hosts: IDNA ToASCII by UTS #46, non-transitional.

use std::borrow::Cow;

use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};

/// Why a host cannot be mapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum HostError {
    /// UTS #46 does not accept it.
    Idna,
    /// A label, or the whole, is too long for DNS.
    Length,
}

/// The host as A-labels. `pct-encoded` triplets are decoded first.
pub(crate) fn to_ascii(host: &str) -> Result<Cow<'_, str>, HostError> {
    let decoded = decoded(host)?;
    let ascii = |length| {
        Uts46::new().to_ascii(decoded.as_bytes(), AsciiDenyList::URL, Hyphens::Allow, length)
    };
    let mapped =
        ascii(DnsLength::VerifyAllowRootDot).map_err(|_| match ascii(DnsLength::Ignore) {
            Ok(_) => HostError::Length,
            Err(_) => HostError::Idna,
        })?;
    Ok(if mapped == host { Cow::Borrowed(host) } else { Cow::Owned(mapped.into_owned()) })
}

/// The host with what is not ASCII percent-encoded as UTF-8.
pub(crate) fn to_percent(host: &str) -> Cow<'_, str> {
    if host.is_ascii() {
        return Cow::Borrowed(host);
    }
    let mut out = String::with_capacity(host.len() * 3);
    for &byte in host.as_bytes() {
        match byte.is_ascii() {
            true => out.push(char::from(byte)),
            false => super::to_uri::push_encoded(&mut out, byte),
        }
    }
    Cow::Owned(out)
}

/// The host with its `pct-encoded` triplets decoded; they must give UTF-8.
fn decoded(host: &str) -> Result<Cow<'_, str>, HostError> {
    if !host.contains('%') {
        return Ok(Cow::Borrowed(host));
    }
    let bytes = host.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        match super::to_uri::triplet(bytes, at) {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8(out).map(Cow::Owned).map_err(|_| HostError::Idna)
}
