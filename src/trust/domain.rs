//! Registrable domains without a list of public suffixes, and names of sites nested before them.

/// Second-level labels that are not registered by anyone below a country's top-level domain.
const SECOND: [&str; 22] = [
    "ac", "art", "co", "com", "edu", "firm", "gen", "go", "gob", "gouv", "gov", "gv", "ind",
    "info", "ltd", "mil", "ne", "net", "nom", "or", "org", "plc",
];

/// Provinces below `.ca`, which are not registered by anyone either.
const PROVINCES: [&str; 15] =
    ["ab", "bc", "gc", "mb", "nb", "nf", "nl", "ns", "nt", "nu", "on", "pe", "qc", "sk", "yk"];

/// Labels that a reader mistakes for the end of a host.
const ENDINGS: [&str; 4] = ["com", "net", "org", "gov"];

/// Returns the part of a host that someone has registered, as far as this can be determined without the list of public
/// suffixes: two labels, or three if the top-level domain has two letters and the second label is one like `co`, `com` or
/// `ac`. A host without a dot and an address are returned unchanged, a root dot is removed.
///
/// ```
/// use linksift::trust::registrable;
///
/// assert_eq!(registrable("www.example.com"), "example.com");
/// assert_eq!(registrable("www.example.co.uk."), "example.co.uk");
/// assert_eq!(registrable("127.0.0.1"), "127.0.0.1");
/// assert_eq!(registrable("localhost"), "localhost");
/// ```
#[must_use]
pub fn registrable(host: &str) -> &str {
    let name = host.strip_suffix('.').unwrap_or(host);
    let mut dots = memchr::memrchr_iter(b'.', name.as_bytes());
    let Some(last) = dots.next() else { return name };
    let tld = &name[last + 1..];
    if host.starts_with('[') || tld.bytes().all(|b| b.is_ascii_digit()) {
        return name;
    }
    let Some(second) = dots.next() else { return name };
    let label = &name[second + 1..last];
    let is_public = tld.len() == 2 && tld.is_ascii() && is_one_of(label, &SECOND)
        || tld.eq_ignore_ascii_case("ca") && is_one_of(label, &PROVINCES);
    match (is_public, dots.next()) {
        (false, _) => &name[second + 1..],
        (true, Some(third)) => &name[third + 1..],
        (true, None) => name,
    }
}

/// Returns `true` if two hosts belong to different sites: their registrable domains differ.
pub(crate) fn is_other_site(one: &str, other: &str) -> bool {
    !registrable(one).eq_ignore_ascii_case(registrable(other))
}

fn is_one_of(label: &str, list: &[&str]) -> bool {
    list.iter().any(|one| label.eq_ignore_ascii_case(one))
}

/// Returns the range of a label that a reader mistakes for the end of a host: a `com` left of the registrable domain, or a
/// label that begins with `com-` (`net`, `org` and `gov` likewise). The first label does not count, since no name precedes
/// it: `org.example.www.test` does not mislead, and in `www.net-shop.test` no name of a site precedes the label.
#[inline]
pub(super) fn nested(host: &str) -> Option<std::ops::Range<usize>> {
    let bytes = host.as_bytes();
    memchr::memchr_iter(b'.', bytes)
        .map(|dot| dot + 1)
        .find(|&start| {
            let Some(ending) = bytes.get(start..start + 3) else { return false };
            ENDINGS.iter().any(|one| ending.eq_ignore_ascii_case(one.as_bytes()))
                && match bytes.get(start + 3) {
                    Some(b'-') => !bytes[..start].eq_ignore_ascii_case(b"www."),
                    Some(b'.') => start + 3 < host.len() - registrable_len(host),
                    _ => false,
                }
        })
        .map(|start| start..start + 3)
}

/// Returns `true` if the name of a site is [`nested`] in a host.
pub(crate) fn is_nested(host: &str) -> bool {
    nested(host).is_some()
}

/// Returns the length of the registrable domain in bytes, with the root dot.
fn registrable_len(host: &str) -> usize {
    registrable(host).len() + usize::from(host.ends_with('.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn registered() {
        for (host, domain) in [
            ("a.b.example.org", "example.org"),
            ("example.org", "example.org"),
            ("x.example.com.br", "example.com.br"),
            ("com.br", "com.br"),
            ("a.CO.UK", "a.CO.UK"),
            ("x.gov.SK.ca", "gov.SK.ca"),
            ("www.a.co.example", "co.example"),
            ("[::1]", "[::1]"),
            ("", ""),
            (".", ""),
        ] {
            assert_eq!(registrable(host), domain, "{host}");
        }
    }

    #[test]
    fn names_in_front_of_the_registered_one() {
        for host in [
            "www.bank.com.evil.test",
            "bank.COM.evil.co.uk",
            "bank.com-login.test",
            "bank.gov-id.b.test.",
            "a.org.b.test",
            "www.bank.net-swift.test",
            "a.gov.on.example.com",
        ] {
            assert!(nested(host).is_some(), "{host}");
        }
        for host in [
            "www.bank.com.br",
            "com.example.a.test",
            "www.com-pany.com".trim_start_matches("www."),
            "org.test",
            "a.b.c.d.example.com",
            "a.comb.c.test",
            "a.example.net.",
            "my.com",
            "www.net-swift.com",
            "fcaa.gov.sk.ca",
        ] {
            assert_eq!(nested(host), None, "{host}");
        }
        assert_eq!(nested("www.bank.com.evil.test"), Some(9..12));
    }
}
