//! Text after the slash behind a host without a scheme that is not its path: the address of the host, an attribute of a
//! distinguished name.

use std::net::Ipv4Addr;

/// Attributes of a distinguished name, as OpenSSL writes them: `/CN=www.example.com/emailAddress=me@example.com`.
const ATTRIBUTES: [&[u8]; 9] =
    [b"emailAddress", b"CN", b"O", b"OU", b"L", b"ST", b"C", b"DC", b"serialNumber"];

/// Returns `true` if the text from a slash on is an IPv4 address or begins with such an attribute. The address has a port, or the host
/// is marked as one that has an address: it has a port, or a bracket or a slash is before it (`ipinfo.io/192.0.2.1` is a path).
pub(crate) fn is_beside(tail: &[u8], is_marked: bool) -> bool {
    match tail {
        [b'/', rest @ ..] if rest.first().is_some_and(u8::is_ascii_digit) => {
            is_address(rest, is_marked)
        }
        [b'/', rest @ ..] => ATTRIBUTES
            .iter()
            .any(|name| rest.strip_prefix(*name).is_some_and(|value| value.starts_with(b"="))),
        _ => false,
    }
}

/// Java writes a host and its address this way: `[api.example.com/192.0.2.1:443]`.
fn is_address(text: &[u8], is_marked: bool) -> bool {
    let Ok(text) = str::from_utf8(text) else { return false };
    let (address, port) = text.split_once(':').unwrap_or((text, ""));
    address.parse::<Ipv4Addr>().is_ok()
        && (is_marked || !port.is_empty())
        && port.bytes().all(|byte| byte.is_ascii_digit())
}
