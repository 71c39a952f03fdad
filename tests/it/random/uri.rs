//! RFC 3986's grammar, character by character: what every URI that is given must fit.

/// What is wrong with `uri`, if anything is.
pub(crate) fn fault(uri: &str) -> Option<String> {
    let say = |what: &str| Some(format!("{what}: {uri:?}"));
    let Some((scheme, rest)) = uri.split_once(':') else { return say("no scheme") };
    let in_scheme = |b: u8| b.is_ascii_alphanumeric() || b"+-.".contains(&b);
    if !scheme.starts_with(|c: char| c.is_ascii_alphabetic()) || !scheme.bytes().all(in_scheme) {
        return say("scheme");
    }
    let (rest, fragment) = rest.split_once('#').unwrap_or((rest, ""));
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    if !all(fragment, b":@/?") {
        return say("fragment");
    }
    if !all(query, b":@/?") {
        return say("query");
    }
    let Some(rest) = rest.strip_prefix("//") else {
        return if all(rest, b":@/") { None } else { say("path") };
    };
    let (authority, path) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    if !all(path, b":@/") {
        return say("path");
    }
    let (userinfo, host) = authority.rsplit_once('@').unwrap_or(("", authority));
    if !all(userinfo, b":") {
        return say("userinfo");
    }
    let (name, port) = match host.strip_prefix('[') {
        Some(literal) => match literal.split_once(']') {
            Some((inside, port)) if all(inside, b":") => ("", port.strip_prefix(':')),
            _ => return say("IP literal"),
        },
        None => match host.split_once(':') {
            Some((name, port)) => (name, Some(port)),
            None => (host, None),
        },
    };
    if !all(name, b"") {
        return say("host");
    }
    if port.is_some_and(|port| !port.bytes().all(|b| b.is_ascii_digit())) {
        return say("port");
    }
    None
}

/// Whether a part holds nothing but `unreserved`, `pct-encoded`, `sub-delims` and `more`.
fn all(part: &str, more: &[u8]) -> bool {
    let bytes = part.as_bytes();
    let mut at = 0;
    while let Some(&b) = bytes.get(at) {
        at += match b {
            b'%' => match bytes.get(at + 1..at + 3) {
                Some(hex) if hex.iter().all(u8::is_ascii_hexdigit) => 3,
                _ => return false,
            },
            _ if b.is_ascii_alphanumeric() || b"-._~!$&'()*+,;=".contains(&b) => 1,
            _ if more.contains(&b) => 1,
            _ => return false,
        };
    }
    true
}
