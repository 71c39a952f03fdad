//! The grammars after the colon for each scheme; each function names its section.
//!
//! `mailto:` (RFC 6068 §2): addresses, header fields, and the domains in them.

use std::ops::Range;

use crate::iri::chars::{is_unreserved, push_expanded, triplet};
use crate::iri::components::IriRef;
use crate::iri::error::{Error, ErrorKind};
use crate::iri::host::{self, HostMapping};

type BodyCheck = Result<(), Error>;

/// Returns an error at an offset of the path.
fn path_error(iri: &IriRef<'_>, kind: ErrorKind, offset: usize) -> BodyCheck {
    Err(Error::new(kind, iri.parts.path_start as usize + offset))
}

fn bad_path(iri: &IriRef<'_>, offset: usize) -> BodyCheck {
    path_error(iri, ErrorKind::SchemePath, offset)
}

/// Returns an error of the path unless the condition is true.
fn path_if(iri: &IriRef<'_>, holds: bool) -> BodyCheck {
    if holds { Ok(()) } else { bad_path(iri, 0) }
}

/// RFC 8089 §2: `path-absolute`, after any authority.
pub(super) fn rooted(iri: &IriRef<'_>) -> BodyCheck {
    path_if(iri, iri.path().starts_with('/'))
}

/// RFC 2392 §2 (`addr-spec`), RFC 7565 §7 (`userpart "@" host`): non-empty text on each side of an `@`.
pub(super) fn addr_spec(iri: &IriRef<'_>) -> BodyCheck {
    let sides = iri.path().rsplit_once('@');
    path_if(iri, sides.is_some_and(|(local, host)| !local.is_empty() && !host.is_empty()))
}

/// RFC 2397 §3: `[ mediatype ] [ ";base64" ] "," data`.
pub(super) fn data(iri: &IriRef<'_>) -> BodyCheck {
    let path = iri.path();
    let Some((head, _)) = path.split_once(',') else {
        return bad_path(iri, path.len());
    };
    let mut parts = head.split(';');
    let media = parts.next().unwrap_or_default();
    if !media.is_empty() {
        let good = media.split_once('/').is_some_and(|(kind, sub)| token(kind) && token(sub));
        if !good {
            return bad_path(iri, 0);
        }
    }
    let mut offset = media.len();
    let mut parts = parts.peekable();
    while let Some(part) = parts.next() {
        let attribute = part.split_once('=').is_some_and(|(name, _)| token(name));
        let base64 = parts.peek().is_none() && part.eq_ignore_ascii_case("base64");
        if !attribute && !base64 {
            return bad_path(iri, offset + 1);
        }
        offset += part.len() + 1;
    }
    Ok(())
}

/// RFC 2045 §5.1 `token`, as far as URIs can contain it.
fn token(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|b| b >= 0x80 || !b"()<>@,;:\\\"/[]?=".contains(&b))
}

/// ISO 26324: a prefix that begins with `10.`, a slash, a suffix.
pub(super) fn doi(iri: &IriRef<'_>) -> BodyCheck {
    let prefix = iri.path().split_once('/').filter(|(_, suffix)| !suffix.is_empty());
    let good = prefix.is_some_and(|(prefix, _)| {
        prefix.strip_prefix("10.").is_some_and(|registrant| {
            registrant.split('.').all(|n| !n.is_empty() && n.bytes().all(|b| b.is_ascii_digit()))
        })
    });
    path_if(iri, good)
}

/// RFC 5870 §3.3: two or three numbers, then parameters.
pub(super) fn geo(iri: &IriRef<'_>) -> BodyCheck {
    let path = iri.path();
    let (coordinates, parameters) = path.split_once(';').unwrap_or((path, ""));
    let number = |text: &str| {
        let text = text.strip_prefix('-').unwrap_or(text);
        let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
        [whole, fraction].iter().all(|d| !d.is_empty() && d.bytes().all(|b| b.is_ascii_digit()))
    };
    let count = coordinates.split(',').count();
    if !(2..=3).contains(&count) || !coordinates.split(',').all(number) {
        return bad_path(iri, 0);
    }
    let named = |p: &str| {
        let name = p.split('=').next().unwrap_or_default();
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    match path.contains(';') && !parameters.split(';').all(named) {
        true => bad_path(iri, coordinates.len()),
        false => Ok(()),
    }
}

/// RFC 4452 §3: `namespace "/" identifier`.
pub(super) fn info(iri: &IriRef<'_>) -> BodyCheck {
    let good = iri.path().split_once('/').is_some_and(|(namespace, identifier)| {
        namespace.starts_with(|c: char| c.is_ascii_alphabetic())
            && namespace.bytes().all(|b| b.is_ascii_alphanumeric() || b"+-.".contains(&b))
            && !identifier.is_empty()
    });
    path_if(iri, good)
}

/// RFC 4516 §2: `dn ? attributes ? scope ? filter ? extensions`.
pub(super) fn ldap(iri: &IriRef<'_>) -> BodyCheck {
    let Some(query) = iri.query() else {
        return Ok(());
    };
    let scope = query.split('?').nth(1).unwrap_or_default();
    let known = ["", "base", "one", "sub"].iter().any(|s| scope.eq_ignore_ascii_case(s));
    if query.matches('?').count() > 3 || !known {
        return Err(Error::new(ErrorKind::SchemeQuery, iri.parts.path_end as usize));
    }
    Ok(())
}

/// BEP 9: only a query, with a topic (`xt`) in it.
pub(super) fn magnet(iri: &IriRef<'_>) -> BodyCheck {
    if !iri.path().is_empty() {
        return bad_path(iri, 0);
    }
    let topic = |pair: &str| {
        pair.split_once('=').is_some_and(|(name, value)| {
            (name == "xt" || name.starts_with("xt.")) && !value.is_empty()
        })
    };
    match iri.query() {
        Some(query) if query.split('&').any(topic) => Ok(()),
        _ => Err(Error::new(ErrorKind::SchemeQuery, iri.parts.path_end as usize)),
    }
}

/// RFC 5538 §3: a group, a message's identifier or `*`, with or without a server.
pub(super) fn news(iri: &IriRef<'_>) -> BodyCheck {
    let path = iri.path();
    let name = if iri.has_authority() { path.strip_prefix('/').unwrap_or(path) } else { path };
    let group = |b: u8| b.is_ascii_alphanumeric() || b"+-_.*?[]!,%".contains(&b) || b >= 0x80;
    let good = (iri.has_authority() && name.is_empty())
        || name.split_once('@').is_some_and(|(left, right)| !left.is_empty() && !right.is_empty())
        || (!name.is_empty() && name.bytes().all(group));
    path_if(iri, good)
}

/// RFC 6920 §3: `"/" alg ";" val`, the value in base64url.
pub(super) fn ni(iri: &IriRef<'_>) -> BodyCheck {
    let good =
        iri.path().strip_prefix('/').and_then(|p| p.split_once(';')).is_some_and(|(alg, val)| {
            !alg.is_empty()
                && alg.bytes().all(is_unreserved)
                && !val.is_empty()
                && val.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_')
        });
    path_if(iri, good)
}

/// RFC 3261 §25.1: `[ userinfo "@" ] hostport` parameters `[ headers ]`.
pub(super) fn sip(iri: &IriRef<'_>) -> BodyCheck {
    let path = iri.path();
    let at = path.rfind('@').map_or(0, |at| at + 1);
    if at == 1 {
        return bad_path(iri, 0);
    }
    let hostport = path[at..].split(';').next().unwrap_or_default();
    // The grammar of paths has no `[`: an IPv6 reference cannot get here (RFC 3986 §3.2.2).
    let (host, port) = hostport.split_once(':').unwrap_or((hostport, "0"));
    let digits = !port.is_empty() && port.bytes().all(|b| b.is_ascii_digit());
    match !host.is_empty() && digits && super::port_number(port).is_some() {
        true => Ok(()),
        false => bad_path(iri, at),
    }
}

/// RFC 5724 §2.2: numbers, separated by commas; fields in the query.
pub(super) fn sms(iri: &IriRef<'_>) -> BodyCheck {
    let mut offset = 0;
    for number in iri.path().split(',') {
        if let Err(at) = telephone(number) {
            return bad_path(iri, offset + at);
        }
        offset += number.len() + 1;
    }
    let field = |pair: &str| pair.split_once('=').is_some_and(|(name, _)| !name.is_empty());
    match iri.query() {
        Some(query) if !query.split('&').all(field) => {
            Err(Error::new(ErrorKind::SchemeQuery, iri.parts.path_end as usize))
        }
        _ => Ok(()),
    }
}

/// RFC 4151 §2.1: `authorityName "," date ":" specific`.
pub(super) fn tag(iri: &IriRef<'_>) -> BodyCheck {
    let good = iri.path().split_once(',').is_some_and(|(name, rest)| {
        let date = rest.split(':').next().unwrap_or_default();
        let digits = |text: &str, n| text.len() == n && text.bytes().all(|b| b.is_ascii_digit());
        let mut fields = date.split('-');
        let dated = fields.next().is_some_and(|year| digits(year, 4))
            && fields.next().is_none_or(|month| digits(month, 2))
            && fields.next().is_none_or(|day| digits(day, 2))
            && fields.next().is_none();
        let host = name.rsplit('@').next().unwrap_or_default();
        dated
            && rest.len() > date.len()
            && !host.is_empty()
            && !host.starts_with(['.', '-'])
            && host.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'.')
    });
    path_if(iri, good)
}

/// RFC 3966 §3.
pub(super) fn tel(iri: &IriRef<'_>) -> BodyCheck {
    match telephone(iri.path()) {
        Ok(()) => Ok(()),
        Err(at) => bad_path(iri, at),
    }
}

/// RFC 3966 §3 `telephone-subscriber`: a number with at least one digit, then parameters. A local number requires
/// `phone-context`, but so few links have it that it may be missing.
fn telephone(text: &str) -> Result<(), usize> {
    let (number, parameters) = text.split_once(';').unwrap_or((text, ""));
    let global = number.starts_with('+');
    let separator = |b: u8| b"-.()".contains(&b);
    let digit = |b: u8| match global {
        true => b.is_ascii_digit(),
        false => b.is_ascii_hexdigit() || b == b'*' || b == b'#',
    };
    let bytes = &number.as_bytes()[usize::from(global)..];
    let mut i = 0;
    let mut digits = 0;
    while let Some(&b) = bytes.get(i) {
        if digit(b) {
            digits += 1;
        } else if !separator(b) && (global || triplet(bytes, i) != Some(b'#')) {
            return Err(i + usize::from(global));
        } else if b == b'%' {
            digits += 1;
            i += 2;
        }
        i += 1;
    }
    if digits == 0 {
        return Err(number.len());
    }
    let named = |p: &str| {
        let name = p.split('=').next().unwrap_or_default();
        !name.is_empty() && name.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    if text.len() > number.len() && !parameters.split(';').all(named) {
        return Err(number.len());
    }
    Ok(())
}

/// RFC 8141 §2: `NID ":" NSS`, then `?+` r-component and `?=` q-component.
pub(super) fn urn(iri: &IriRef<'_>) -> BodyCheck {
    let path = iri.path();
    let Some((nid, nss)) = path.split_once(':') else {
        return path_error(iri, ErrorKind::SchemeNid, path.len());
    };
    let alphanumeric = |b: Option<&u8>| b.is_some_and(u8::is_ascii_alphanumeric);
    let bytes = nid.as_bytes();
    let good = (2..=32).contains(&bytes.len())
        && alphanumeric(bytes.first())
        && alphanumeric(bytes.last())
        && bytes.iter().all(|&b| b.is_ascii_alphanumeric() || b == b'-');
    if !good {
        return path_error(iri, ErrorKind::SchemeNid, 0);
    }
    // `pchar *( pchar / "/" )`: it does not begin with a slash.
    if nss.is_empty() || nss.starts_with('/') {
        return path_error(iri, ErrorKind::SchemeNss, nid.len() + 1);
    }
    let Some(query) = iri.query() else {
        return Ok(());
    };
    let at = iri.parts.path_end as usize;
    let (resolution, rest) = match query.strip_prefix('+') {
        Some(rest) => match rest.split_once("?=") {
            Some((r, q)) => (Some(r), Some(q)),
            None => (Some(rest), None),
        },
        None => (None, query.strip_prefix('=')),
    };
    let component = |c: Option<&str>| c.is_none_or(|c| !c.is_empty() && !c.starts_with(['/', '?']));
    let some = resolution.is_some() || rest.is_some();
    match some && component(resolution) && component(rest) {
        true => Ok(()),
        false => Err(Error::new(ErrorKind::SchemeQuery, at)),
    }
}

/// RFC 5122 §2.2: an authority, or a path that is `[ node "@" ] host [ "/" resource ]`.
pub(super) fn xmpp(iri: &IriRef<'_>) -> BodyCheck {
    let path = iri.path();
    if iri.has_authority() && (path.is_empty() || path == "/") {
        return Ok(());
    }
    let rest = path.strip_prefix('/').filter(|_| iri.has_authority()).unwrap_or(path);
    let bare = rest.split('/').next().unwrap_or_default();
    let (node, host) = bare.split_once('@').map_or((None, bare), |(n, h)| (Some(n), h));
    path_if(iri, !host.is_empty() && !host.contains('@') && node != Some(""))
}

/// Checks addresses in the path, and `name=value` fields in the query.
pub(super) fn mailto(iri: &IriRef<'_>) -> Result<(), Error> {
    let start = iri.parts.path_start as usize;
    let mut offset = 0;
    if !iri.path().is_empty() {
        for address in iri.path().split(',') {
            if !is_addr_spec(address) {
                return Err(Error::new(ErrorKind::SchemeAddress, start + offset));
            }
            offset += address.len() + 1;
        }
    }
    let Some(query) = iri.query() else {
        return Ok(());
    };
    let mut at = iri.parts.path_end as usize + 1;
    for field in query.split('&') {
        if field.split_once('=').is_none_or(|(name, _)| name.is_empty()) {
            return Err(Error::new(ErrorKind::SchemeHfield, at));
        }
        at += field.len() + 1;
    }
    Ok(())
}

/// Returns `true` for `addr-spec = local-part "@" domain`, with `dot-atom-text` or a percent-encoded quoted string.
fn is_addr_spec(address: &str) -> bool {
    let Some((local, domain)) = address.rsplit_once('@') else {
        return false;
    };
    let atoms = |text: &str| !text.is_empty() && text.split('.').all(|atom| !atom.is_empty());
    // `dtext-no-obs`: a domain literal has percent-encoded brackets (RFC 6068 §2, item 3).
    let literal = domain.len() > 6
        && domain.get(..3).is_some_and(|b| b.eq_ignore_ascii_case("%5B"))
        && domain.get(domain.len() - 3..).is_some_and(|b| b.eq_ignore_ascii_case("%5D"));
    let quoted = local.len() > 6 && local.starts_with("%22") && local.ends_with("%22");
    let atext = |b: u8| b >= 0x80 || b.is_ascii_alphanumeric() || b"!$'*+-=_~.%".contains(&b);
    let name = |b: u8| b >= 0x80 || b.is_ascii_alphanumeric() || b"-._%".contains(&b);
    (quoted || (atoms(local) && local.bytes().all(atext)))
        && (literal || (atoms(domain) && domain.bytes().all(name)))
}

/// Appends the path of a `mailto:`, or the value of one of its address fields, mapped: the domain after the last `@` of
/// each address as a host, the rest by the general procedure.
pub(in crate::iri) fn push_mapped(
    out: &mut String,
    addresses: &str,
    mapping: HostMapping,
) -> Result<(), ErrorKind> {
    for (index, address) in addresses.split(',').enumerate() {
        if index > 0 {
            out.push(',');
        }
        let (local, domain) = match address.rsplit_once('@') {
            Some((local, domain)) => (Some(local), domain),
            None => (None, address),
        };
        if let Some(local) = local {
            push_expanded(out, local);
            out.push('@');
        }
        // A domain literal, and text that is not an address, are left to the general procedure.
        let is_domain = local.is_some() && !domain.is_empty() && !has_literal(domain);
        match mapping {
            HostMapping::Ascii if is_domain => out.push_str(&host::host_to_ascii(domain)?),
            // Text with a `?` is not the name of a host, and is not mapped.
            HostMapping::Unicode if is_domain && !domain.contains('?') => out.push_str(domain),
            _ => push_expanded(out, domain),
        }
    }
    Ok(())
}

/// Returns the range of the domain of the address in the path of a `mailto:`, if there is exactly one. Its `@` may be
/// percent-encoded as `%40`, as in some pages. A domain literal does not count.
pub(crate) fn domain(iri: &IriRef<'_>) -> Option<Range<usize>> {
    let path = iri.path();
    let (_, domain) = path.rsplit_once('@').or_else(|| path.rsplit_once("%40"))?;
    let is_one = !path.contains(',') && !domain.is_empty() && !has_literal(domain);
    let end = iri.parts.path_start as usize + path.len();
    is_one.then(|| end - domain.len()..end)
}

fn has_literal(domain: &str) -> bool {
    domain.get(..3).is_some_and(|start| start.eq_ignore_ascii_case("%5B"))
}
