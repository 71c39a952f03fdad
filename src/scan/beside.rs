//! Text after the slash behind a host without a scheme that is not its path: the address of the host, an attribute of a
//! distinguished name.

use std::net::Ipv4Addr;

/// Attributes of a distinguished name, as OpenSSL writes them: `/CN=www.example.com/emailAddress=me@example.com`.
const ATTRIBUTES: [&[u8]; 9] =
    [b"emailAddress", b"CN", b"O", b"OU", b"L", b"ST", b"C", b"DC", b"serialNumber"];

/// Returns `true` if the text from a slash on is an IPv4 address, perhaps with a port, or begins with such an attribute.
pub(crate) fn is_beside(tail: &[u8]) -> bool {
    match tail {
        [b'/', rest @ ..] if rest.first().is_some_and(u8::is_ascii_digit) => is_address(rest),
        [b'/', rest @ ..] => ATTRIBUTES
            .iter()
            .any(|name| rest.strip_prefix(*name).is_some_and(|value| value.starts_with(b"="))),
        _ => false,
    }
}

/// Java writes a host and its address this way: `[api.example.com/192.0.2.1:443]`.
fn is_address(text: &[u8]) -> bool {
    let Ok(text) = str::from_utf8(text) else { return false };
    let (address, port) = text.split_once(':').unwrap_or((text, "0"));
    address.parse::<Ipv4Addr>().is_ok() && port.bytes().all(|byte| byte.is_ascii_digit())
}
