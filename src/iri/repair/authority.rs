//! Authorities that RFC 3986 does not have, and people write: the path of a repository after a colon, as `scp` has it
//! (`ssh://git@example.org:me/x.git`), and a decentralized identifier (`at://did:plc:x/y`).

use super::scheme_of;
use crate::tables::schemes;

/// Returns an IRI with such an authority in the form of RFC 3986: with a slash before the path, with encoded colons in the
/// identifier.
pub(crate) fn repaired(text: &str) -> Option<String> {
    let scheme = scheme_of(text)?;
    let is_identifier = schemes::has_identifiers(scheme.as_bytes());
    if !is_identifier && !schemes::has_remote_paths(scheme.as_bytes()) {
        return None;
    }
    let rest = text[scheme.len() + 1..].strip_prefix("//")?;
    let (authority, tail) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    if is_identifier {
        // An identifier has no user information.
        let is_one = authority.starts_with("did:") && !authority.contains('@');
        return is_one.then(|| format!("{scheme}://{}{tail}", authority.replace(':', "%3A")));
    }
    let host = authority.rfind('@').map_or(0, |at| at + 1);
    let (_, path) = authority[host..].rsplit_once(':')?;
    let is_path = path.bytes().any(|byte| !byte.is_ascii_digit()) && !path.contains(']');
    let front = &authority[..authority.len() - path.len() - 1];
    is_path.then(|| format!("{scheme}://{front}/{path}{tail}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn authorities_in_the_form_of_the_rfc() {
        for (text, wanted) in [
            ("ssh://git@github.com:me/x.git", Some("ssh://git@github.com/me/x.git")),
            ("GIT+SSH://a:b@host.example:~me/x?y", Some("GIT+SSH://a:b@host.example/~me/x?y")),
            ("git://[::1]:me/x", Some("git://[::1]/me/x")),
            ("ssh://git@github.com:22/x", None),
            ("ssh://[::1]/x", None),
            ("ssh://a:b@host.example/x:y", None),
            ("https://github.com:me/x.git", None),
            ("at://did:plc:abc/x:y", Some("at://did%3Aplc%3Aabc/x:y")),
            ("at://did:web:a.example", Some("at://did%3Aweb%3Aa.example")),
            ("at://me.example/x", None),
            ("at://did:plc:é@a@b.example/", None),
            ("me/x", None),
        ] {
            assert_eq!(repaired(text).as_deref(), wanted, "{text}");
        }
    }
}
