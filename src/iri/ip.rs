//! IP literals and IPv4 addresses, exactly as in RFC 3986 §3.2.2.
//!
//! `std::net` parses the addresses by the same grammar: no leading zero, no sign, no zone.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::str;

use super::chars::{CLASS, HEX, UNRESERVED, is_sub_delim};

/// Parses `IPv4address`: four `dec-octet`, no leading zero, no sign, ASCII digits.
pub(crate) fn ipv4(text: &[u8]) -> Option<Ipv4Addr> {
    // Most hosts are names.
    if !text.first().is_some_and(u8::is_ascii_digit) {
        return None;
    }
    str::from_utf8(text).ok()?.parse().ok()
}

/// Parses `IPv6address`: the text between the brackets.
pub(crate) fn ipv6(text: &[u8]) -> Option<Ipv6Addr> {
    str::from_utf8(text).ok()?.parse().ok()
}

/// Returns `true` for `IPvFuture`, the text between the brackets. The `v` is case-insensitive (RFC 5234 §2.3).
pub(crate) fn ipv_future(text: &[u8]) -> bool {
    let [b'v' | b'V', rest @ ..] = text else {
        return false;
    };
    let digits = rest.iter().take_while(|&&b| CLASS[usize::from(b)] & HEX != 0).count();
    let [b'.', tail @ ..] = &rest[digits..] else {
        return false;
    };
    digits > 0
        && !tail.is_empty()
        && tail
            .iter()
            .all(|&b| CLASS[usize::from(b)] & UNRESERVED != 0 || is_sub_delim(b) || b == b':')
}

/// Returns `true` if the text between `[` and `]` is one of the two.
pub(crate) fn ip_literal(text: &[u8]) -> bool {
    ipv6(text).is_some() || ipv_future(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ipv4_is_four_dec_octets() {
        for good in ["0.0.0.0", "255.255.255.255", "1.2.3.4", "10.99.100.249"] {
            assert_eq!(ipv4(good.as_bytes()), good.parse().ok(), "{good}");
        }
        for bad in [
            "",
            "1.2.3",
            "1.2.3.4.5",
            "256.1.1.1",
            "01.2.3.4",
            "1..2.3",
            "1.2.3.4.",
            "+1.2.3.4",
            "１.2.3.4",
            "1.2.3.1000",
        ] {
            assert_eq!(ipv4(bad.as_bytes()), None, "{bad}");
        }
    }

    #[test]
    fn ipv6_has_one_gap_and_no_zone() {
        for good in
            ["::", "::1", "1::", "1:2:3:4:5:6:7:8", "1::3:4:5:6:7:8", "FFFF::1.2.3.4", "ab::0"]
        {
            assert_eq!(ipv6(good.as_bytes()), good.parse().ok(), "{good}");
            assert!(ipv6(good.as_bytes()).is_some(), "{good}");
        }
        for bad in [
            "",
            ":",
            "1",
            "1:",
            ":1",
            "1:::2",
            "1::2::3",
            "12345::",
            "g::",
            "1.2.3.4::",
            "::01.2.3.4",
            "::1.2.3",
            "1:2:3:4:5:6:7",
            "1:2:3:4:5:6:7:8:9",
            "1:2:3:4:5:6:7:1.2.3.4",
            "1::2:3:4:5:6:7:8",
            "fe80::1%eth0",
            "fe80::1%25eth0",
            "[::1]",
            " ::1",
        ] {
            assert_eq!(ipv6(bad.as_bytes()), None, "{bad}");
        }
    }

    #[test]
    fn ipv_future_needs_version_and_address() {
        for good in ["v1.a", "V1F.a:b", "vaB.~!$&'()*+,;=:"] {
            assert!(ipv_future(good.as_bytes()), "{good}");
        }
        for bad in ["v.a", "v1.", "v1", "1.a", "vg.a", "v1.a@", "v1.é", "v1.%41"] {
            assert!(!ipv_future(bad.as_bytes()), "{bad}");
        }
    }
}
