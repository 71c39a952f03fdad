//! Detects IPv4 addresses that do not look like addresses (WHATWG URL §3.5, the IPv4 parser).

use std::net::{Ipv4Addr, Ipv6Addr};

/// Returns the IPv4 address that browsers read in a host which is not written as four plain decimal numbers: hexadecimal,
/// octal, with fewer parts, or inside an IPv6 address (mapped, or of NAT64). The host must be mapped: ASCII, without
/// percent-encoded bytes.
///
/// ```
/// use linksift::trust::disguised_ipv4;
///
/// let address = |host| disguised_ipv4(host).map(|address| address.to_string());
/// assert_eq!(address("0x7f.1").as_deref(), Some("127.0.0.1"));
/// assert_eq!(address("3232235777").as_deref(), Some("192.168.1.1"));
/// assert_eq!(address("[::ffff:a00:1]").as_deref(), Some("10.0.0.1"));
/// assert_eq!(address("127.0.0.1"), None);
/// assert_eq!(address("example.com"), None);
/// ```
#[must_use]
pub fn disguised_ipv4(host: &str) -> Option<Ipv4Addr> {
    if let Some(literal) = host.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        return inside_ipv6(literal.parse().ok()?);
    }
    let name = host.strip_suffix('.').unwrap_or(host);
    // A last label that begins with a letter is not a number.
    let last = name.rsplit('.').next().and_then(|label| label.bytes().next());
    if !last.is_some_and(|first| first.is_ascii_digit()) {
        return None;
    }
    // Four plain numbers; this parser does not accept leading zeros.
    if name.parse::<Ipv4Addr>().is_ok() {
        return None;
    }
    ipv4(name)
}

fn inside_ipv6(address: Ipv6Addr) -> Option<Ipv4Addr> {
    if let Some(mapped) = address.to_ipv4_mapped() {
        return Some(mapped);
    }
    let [0x64, 0xFF9B, 0, 0, 0, 0, high, low] = address.segments() else { return None };
    let ([a, b], [c, d]) = (high.to_be_bytes(), low.to_be_bytes());
    Some(Ipv4Addr::new(a, b, c, d))
}

/// Parses an address as WHATWG does: one to four numbers, each decimal, octal after `0` or hexadecimal after `0x`. The last
/// number fills the remaining bytes.
fn ipv4(name: &str) -> Option<Ipv4Addr> {
    let mut value = 0u64;
    let mut parts = 0;
    let mut rest = name.split('.').peekable();
    while let Some(part) = rest.next() {
        let number = number(part)?;
        parts += 1;
        if rest.peek().is_none() {
            let left = 32 - 8 * (parts - 1);
            if number >= 1 << left {
                return None;
            }
            return u32::try_from(value << left | number).ok().map(Ipv4Addr::from);
        }
        if number > 255 || parts == 4 {
            return None;
        }
        value = value << 8 | number;
    }
    None
}

/// Parses a number of at most 32 bits, or somewhat more.
fn number(part: &str) -> Option<u64> {
    let (digits, radix) = match part.as_bytes() {
        [b'0', b'x' | b'X', ..] => (&part[2..], 16),
        [b'0', _, ..] => (&part[1..], 8),
        [_, ..] => (part, 10),
        [] => return None,
    };
    match digits {
        "" => Some(0),
        _ if digits.starts_with('+') => None,
        _ => u64::from_str_radix(digits, radix).ok().filter(|&number| number < 1 << 33),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_the_url_crate_reads_them() {
        for host in [
            "0x7f.1",
            "0x7f.0.0.1",
            "0177.0.0.1",
            "2130706433",
            "127.1",
            "1.2.3",
            "0",
            "0x",
            "00.0x.0",
            "192.168.0.010",
            "4294967295",
            "1.256",
            "1.2.65535",
            "0xFF.0xff.0XfF.377.",
            "1.2.3.256",
            "4294967296",
            "1.2.3.4.5",
            "256.1",
            "08.1",
            "0xg",
            "1..2",
            "a.1",
            "+1",
            "1.+2",
            "",
            ".",
            "99999999999999999999999",
            "1.2.3.4",
        ] {
            let read = url::Host::parse(host).ok();
            let read = match read {
                Some(url::Host::Ipv4(address)) if host != "1.2.3.4" => Some(address),
                _ => None,
            };
            assert_eq!(disguised_ipv4(host), read, "{host}");
        }
    }

    #[test]
    fn inside_others() {
        for (host, inner) in [
            ("[::ffff:127.0.0.1]", "127.0.0.1"),
            ("[64:ff9b::7f00:1]", "127.0.0.1"),
            ("[::FFFF:0:1]", "0.0.0.1"),
        ] {
            assert_eq!(disguised_ipv4(host).unwrap().to_string(), inner, "{host}");
        }
        for host in ["[::1]", "[2001:db8::1]", "[64:ff9b:1::1]", "[v1.a]", "[]", "["] {
            assert_eq!(disguised_ipv4(host), None, "{host}");
        }
    }
}
