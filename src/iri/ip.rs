//! IP literals and IPv4 addresses, exactly as in RFC 3986 §3.2.2.
//!
//! They are implemented here rather than by `std::net`, so that the grammar is visible and does not change with the
//! compiler (leading zeros in an IPv4 address once did); the tests compare the two.

use std::net::{Ipv4Addr, Ipv6Addr};

use super::chars::{CLASS, HEX, UNRESERVED, is_sub_delim};

/// Parses `IPv4address`: four `dec-octet`, no leading zero, no sign, ASCII digits.
pub(crate) fn ipv4(text: &[u8]) -> Option<Ipv4Addr> {
    // The longest address is 255.255.255.255.
    if text.len() > 15 || !text.first().is_some_and(u8::is_ascii_digit) {
        return None;
    }
    let mut octets = [0u8; 4];
    let mut parts = text.split(|&b| b == b'.');
    for octet in &mut octets {
        let part = parts.next()?;
        if part.is_empty() || part.len() > 3 || (part.len() > 1 && part[0] == b'0') {
            return None;
        }
        let mut value = 0u16;
        for &digit in part {
            if !digit.is_ascii_digit() {
                return None;
            }
            value = value * 10 + u16::from(digit - b'0');
        }
        *octet = u8::try_from(value).ok()?;
    }
    parts.next().is_none().then(|| Ipv4Addr::from(octets))
}

/// Parses `IPv6address`: the text between the brackets.
pub(crate) fn ipv6(text: &[u8]) -> Option<Ipv6Addr> {
    // The longest has six groups of four, six colons, and an IPv4 address of fifteen characters.
    if text.len() < 2 || text.len() > 45 {
        return None;
    }
    let mut groups = [0u16; 8];
    let mut count = 0;
    let mut gap = None;
    let mut i = 0;
    if text.starts_with(b"::") {
        gap = Some(0);
        i = 2;
    }
    while i < text.len() {
        if count == 8 {
            return None;
        }
        let start = i;
        let mut value = 0u32;
        while let Some(digit) = text.get(i).and_then(|&b| super::chars::hex_value(b)) {
            value = value << 4 | u32::from(digit);
            i += 1;
            if i - start > 4 {
                return None;
            }
        }
        if text.get(i) == Some(&b'.') {
            // `ls32`: the last 32 bits may be written as an IPv4 address.
            let octets = ipv4(&text[start..])?.octets();
            if count > 6 {
                return None;
            }
            groups[count] = u16::from_be_bytes([octets[0], octets[1]]);
            groups[count + 1] = u16::from_be_bytes([octets[2], octets[3]]);
            count += 2;
            break;
        }
        if i == start {
            return None;
        }
        groups[count] = u16::try_from(value).ok()?;
        count += 1;
        match text.get(i) {
            None => break,
            Some(b':') if text.get(i + 1) == Some(&b':') => {
                if gap.is_some() {
                    return None;
                }
                gap = Some(count);
                i += 2;
            }
            // A group must follow a single colon.
            Some(b':') if i + 1 < text.len() => i += 1,
            Some(_) => return None,
        }
    }
    match gap {
        None => (count == 8).then(|| Ipv6Addr::from(groups)),
        // `::` represents at least one group.
        Some(_) if count > 7 => None,
        Some(at) => {
            groups.copy_within(at..count, 8 - (count - at));
            groups[at..8 - (count - at)].fill(0);
            Some(Ipv6Addr::from(groups))
        }
    }
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
    fn ipv6_agrees_with_the_standard_library() {
        let pieces = ["", "1", "ab", "FFFF", "12345", "1.2.3.4", "g", "0"];
        // Every text of up to nine pieces of two kinds, and `::` in every position.
        let mut texts = vec![String::new()];
        for piece in pieces {
            for n in 1..=9usize {
                for gap in 0..=n {
                    for last in pieces {
                        let mut groups = vec![piece; n];
                        groups[n - 1] = last;
                        if gap < n {
                            groups.insert(gap, "");
                        }
                        texts.push(groups.join(":"));
                        texts.push(format!(":{}", groups.join(":")));
                        texts.push(format!("{}:", groups.join(":")));
                    }
                }
            }
        }
        for text in texts {
            assert_eq!(ipv6(text.as_bytes()), text.parse::<Ipv6Addr>().ok(), "{text}");
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
