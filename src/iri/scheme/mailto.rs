//! `mailto:` (RFC 6068 §2): addresses, header fields, and the domains in them.

use std::ops::Range;

use crate::iri::chars::push_expanded;
use crate::iri::components::IriRef;
use crate::iri::error::{Error, ErrorKind};
use crate::iri::host;
use crate::iri::host::HostMapping;

/// Checks addresses in the path, and `name=value` fields in the query.
pub(super) fn check(iri: &IriRef<'_>) -> Result<(), Error> {
    let start = iri.parts.path_start as usize;
    let mut offset = 0;
    if !iri.path().is_empty() {
        for address in iri.path().split(',') {
            if !addr_spec(address) {
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
fn addr_spec(address: &str) -> bool {
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
