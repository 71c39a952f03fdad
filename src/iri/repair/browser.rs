//! Parses references as a browser does, where that differs from RFC 3986.
//!
//! The input is the text of a reference without surrounding white space, and the scheme of its base. The result is the
//! reference that RFC 3986 parses in the same way as WHATWG's URL standard parses the text, with warnings (URL standard
//! §4.4, states by name; §3.5, the IPv4 parser). A text that both parse alike is returned unchanged. This does not apply to
//! running text.

use std::borrow::Cow;
use std::net::Ipv4Addr;
use std::ops::Range;

use super::super::host;
use super::{authority, scheme_of};
use crate::tables::schemes;
use crate::trust::disguised_ipv4;
use crate::warning::{Warning, Warnings};

/// A repaired reference, with warnings about the original text.
pub(crate) struct RepairedRef<'t> {
    pub(crate) text: Cow<'t, str>,
    pub(crate) warnings: Warnings,
}

impl<'t> RepairedRef<'t> {
    /// Returns an unchanged text.
    pub(crate) fn plain(text: &'t str) -> RepairedRef<'t> {
        RepairedRef { text: Cow::Borrowed(text), warnings: Warnings::default() }
    }
}

/// Returns `true` for the special schemes of the standard except `file`.
pub(crate) fn is_special(scheme: &str) -> bool {
    schemes::has_conduct(scheme, schemes::WEB)
}

pub(crate) fn is_file(scheme: &str) -> bool {
    schemes::has_conduct(scheme, schemes::FILES)
}

/// Returns `true` for the special schemes of the standard.
pub(crate) fn is_standard(scheme: &str) -> bool {
    is_special(scheme) || is_file(scheme)
}

/// Parses a reference whose base has this scheme. Without a base it is parsed as in a page of the web.
pub(crate) fn read<'t>(text: &'t str, base: Option<&str>) -> RepairedRef<'t> {
    let mut warnings = Warnings::default();
    let read = match scheme_of(text) {
        Some(scheme) if is_special(scheme) => special(text, scheme, base, &mut warnings),
        Some(scheme) if is_file(scheme) => file(text, scheme, base, &mut warnings),
        Some(_) => {
            let repaired = authority::repaired(text);
            if repaired.is_some() {
                warnings.insert(Warning::Lenient);
            }
            repaired
        }
        None => relative(text, base, &mut warnings),
    };
    let mut text = read.map_or(Cow::Borrowed(text), Cow::Owned);
    let is_of_web = scheme_of(&text).or(base).is_none_or(is_special);
    if is_of_web && let Some(one) = with_one_at(&text) {
        warnings.insert(Warning::HostDisputed);
        text = Cow::Owned(one);
    }
    if is_of_web && let Some(plain) = with_plain_address(&text) {
        warnings.insert(Warning::IpDisguised);
        text = Cow::Owned(plain);
    }
    RepairedRef { text, warnings }
}

/// Returns `true` if the target of a reference depends on its base: it has no scheme, or one whose references may
/// nevertheless be relative.
pub(crate) fn depends_on_base(text: &str) -> bool {
    scheme_of(text)
        .is_none_or(|scheme| is_standard(scheme) && slashes(&text[scheme.len() + 1..]) < 2)
}

/// Returns the number of slashes and backslashes at the beginning of a text.
fn slashes(text: &str) -> usize {
    text.bytes().take_while(|b| matches!(b, b'/' | b'\\')).count()
}

/// Returns the text with slashes instead of backslashes before `?` and `#`.
fn slashed(text: &str) -> Cow<'_, str> {
    let end = text.find(['?', '#']).unwrap_or(text.len());
    match text[..end].contains('\\') {
        true => Cow::Owned(text[..end].replace('\\', "/") + &text[end..]),
        false => Cow::Borrowed(text),
    }
}

/// Returns `true` if a backslash precedes `?` and `#`, and the first slash.
fn has_backslash_in_authority(text: &str) -> bool {
    let end = text.find(['/', '?', '#']).unwrap_or(text.len());
    text[..end].contains('\\')
}

/// Parses a URL of a web scheme ("special authority ignore slashes state"): any number of slashes counts as two. If the
/// base has the same scheme, and there are fewer than two, it is a relative reference ("special relative or authority
/// state").
fn special(
    text: &str,
    scheme: &str,
    base: Option<&str>,
    warnings: &mut Warnings,
) -> Option<String> {
    let rest = &text[scheme.len() + 1..];
    let count = slashes(rest);
    if count < 2 && base.is_some_and(|base| base.eq_ignore_ascii_case(scheme)) {
        warnings.insert(Warning::Lenient);
        return Some(first_segment(slashed(rest)).into_owned());
    }
    let (front, authority) = rest.split_at(count);
    let is_disputed = front != "//" || has_backslash_in_authority(authority);
    if is_disputed {
        warnings.insert(Warning::HostDisputed);
    }
    let slashed = slashed(authority);
    (is_disputed || matches!(slashed, Cow::Owned(_))).then(|| format!("{scheme}://{slashed}"))
}

/// Parses a `file:` URL, in which the number of slashes matters ("file state", "file slash state"), and a backslash is a
/// slash. A drive letter begins a path ("file host state"): `file://C:/x`.
fn file(text: &str, scheme: &str, base: Option<&str>, warnings: &mut Warnings) -> Option<String> {
    let rest = slashed(&text[scheme.len() + 1..]);
    if let Some(read) = on_drive(scheme, &rest) {
        warnings.insert(Warning::Lenient);
        return Some(read);
    }
    match slashes(&rest) {
        0 if base.is_some_and(is_file) => Some(first_segment(rest).into_owned()),
        0 => Some(format!("{scheme}:///{rest}")),
        1 => Some(format!("{scheme}://{rest}")),
        _ => {
            // The path of such a URL is a slash at least ("path start state").
            let end = rest[2..].find(['/', '?', '#']).map_or(rest.len(), |end| end + 2);
            let has_path = rest[end..].starts_with('/');
            let slash = if has_path { "" } else { "/" };
            if !has_path {
                warnings.insert(Warning::Lenient);
            }
            (!has_path || matches!(rest, Cow::Owned(_)))
                .then(|| format!("{scheme}:{}{slash}{}", &rest[..end], &rest[end..]))
        }
    }
}

/// Returns `true` if a text is a drive letter with its colon, or begins with these and a slash ("starts with a Windows
/// drive letter").
fn is_drive(text: &str) -> bool {
    matches!(text.as_bytes(), [letter, b':', rest @ ..]
        if letter.is_ascii_alphabetic() && matches!(rest, [] | [b'/' | b'?' | b'#', ..]))
}

/// Parses the text after `file:` as a path if a drive letter is in the place of the host.
fn on_drive(scheme: &str, rest: &str) -> Option<String> {
    let path = rest.strip_prefix("//").filter(|path| is_drive(path))?;
    Some(format!("{scheme}:///{path}"))
}

/// Parses a `file` IRI with a drive letter in the place of the host; `None` if it has none.
pub(crate) fn file_on_drive(text: &str) -> Option<String> {
    let scheme = scheme_of(text).filter(|scheme| is_file(scheme))?;
    on_drive(scheme, &slashed(&text[scheme.len() + 1..]))
}

/// Parses a reference without a scheme ("relative state", "relative slash state").
fn relative(text: &str, base: Option<&str>, warnings: &mut Warnings) -> Option<String> {
    let is_of_web = base.is_none_or(is_special);
    if !is_of_web && !base.is_some_and(is_file) {
        return None;
    }
    let count = slashes(text);
    let (front, rest) = text.split_at(count);
    if is_of_web && count > 1 {
        let is_disputed = front != "//" || has_backslash_in_authority(rest);
        if is_disputed {
            warnings.insert(Warning::HostDisputed);
        }
        let slashed = slashed(rest);
        return (is_disputed || matches!(slashed, Cow::Owned(_))).then(|| format!("//{slashed}"));
    }
    match first_segment(slashed(text)) {
        Cow::Owned(read) => {
            warnings.insert(Warning::Lenient);
            Some(read)
        }
        Cow::Borrowed(_) => None,
    }
}

/// Protects a colon in the first segment of a relative reference, `12:30.html`, which would end a scheme (RFC 3986 §4.2).
fn first_segment(text: Cow<'_, str>) -> Cow<'_, str> {
    let end = text.find(['/', '?', '#']).unwrap_or(text.len());
    if text[..end].contains(':') { Cow::Owned(format!("./{text}")) } else { text }
}

/// Returns the range of the authority, without the slashes before it; `None` if there is none.
fn authority(text: &str) -> Option<Range<usize>> {
    let scheme = scheme_of(text).map_or(0, |scheme| scheme.len() + 1);
    let rest = text[scheme..].strip_prefix("//")?;
    let start = scheme + 2;
    Some(start..start + rest.find(['/', '?', '#']).unwrap_or(rest.len()))
}

/// Returns the text with all but the last `@` of the authority percent-encoded, since user information ends at the last
/// one ("authority state"), and with the brackets before it: they are no IP literal.
fn with_one_at(text: &str) -> Option<String> {
    let authority = authority(text)?;
    let inside = &text[authority.clone()];
    let (userinfo, host) = inside.split_at(inside.rfind('@')?);
    if !userinfo.contains(['@', '[', ']']) {
        return None;
    }
    let userinfo = userinfo.replace('@', "%40").replace('[', "%5B").replace(']', "%5D");
    Some(format!("{}{userinfo}{host}{}", &text[..authority.start], &text[authority.end..]))
}

/// Returns the text with its host as four decimal numbers, if browsers read the host as an address that is written in
/// another form.
fn with_plain_address(text: &str) -> Option<String> {
    let Range { start, end } = authority(text)?;
    let authority = &text[start..end];
    let host_start = authority.rfind('@').map_or(0, |at| at + 1);
    let host = &authority[host_start..];
    // A literal in brackets needs no change.
    let host = &host[..host.rfind(':').unwrap_or(host.len())];
    if host.is_empty() || host.starts_with('[') {
        return None;
    }
    let decoded = match host.bytes().all(|b| b.is_ascii() && b != b'%') {
        true => Cow::Borrowed(host),
        // A host with a letter that is not ASCII is no address.
        false if host::is_simple(host) => return None,
        false => Cow::Owned(host::as_browser(host).ok()?),
    };
    let address = match decoded.parse::<Ipv4Addr>() {
        Ok(address) if decoded != host => address,
        Ok(_) => return None,
        Err(_) => disguised_ipv4(&decoded)?,
    };
    let host_start = start + host_start;
    Some(format!("{}{address}{}", &text[..host_start], &text[host_start + host.len()..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(cases: &[(&str, Option<&str>, &str, &[Warning])]) {
        for (text, base, want, codes) in cases {
            let read = read(text, *base);
            assert_eq!(read.text, *want, "{text}");
            let found: Vec<_> = read.warnings.iter().collect();
            assert_eq!(found, *codes, "{text}");
        }
    }

    const DISPUTED: &[Warning] = &[Warning::HostDisputed];
    const LENIENT: &[Warning] = &[Warning::Lenient];
    const ADDRESS: &[Warning] = &[Warning::IpDisguised];

    /// Returns `true` if a text is obviously one that both parse alike: it has no backslash, two slashes after a web
    /// scheme, and a host that is not an address in any form; or it is a path.
    fn is_read_alike(text: &str) -> bool {
        if memchr::memchr(b'\\', text.as_bytes()).is_some() {
            return false;
        }
        let rest = match scheme_of(text) {
            Some(scheme) if is_special(scheme) => &text.as_bytes()[scheme.len() + 1..],
            Some(_) => return false,
            None => text.as_bytes(),
        };
        let Some(authority) = rest.strip_prefix(b"//") else {
            let first_segment = rest.iter().take_while(|b| !matches!(b, b'/' | b'?' | b'#'));
            return rest.len() == text.len() && first_segment.into_iter().all(|&b| b != b':');
        };
        let is_of_name = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'.' | b'_');
        let end = authority.iter().position(|&b| !is_of_name(b)).unwrap_or(authority.len());
        let last = authority[..end].iter().rposition(|&b| b == b'.').map_or(0, |dot| dot + 1);
        // Userinfo, a port, percent-encoded bytes, non-ASCII characters and digits need the full check.
        matches!(authority.get(end), None | Some(b'/' | b'?' | b'#'))
            && authority[last..end].first().is_some_and(u8::is_ascii_alphabetic)
    }

    #[test]
    fn the_last_at_ends_the_user_information() {
        check(&[
            ("https://a.example@@b.example/", None, "https://a.example%40@b.example/", DISPUTED),
            ("//a@b:c@d@e", Some("http"), "//a%40b:c%40d@e", DISPUTED),
            ("https://a@b/@@", None, "https://a@b/@@", &[]),
            ("https://a/?b@c@d", None, "https://a/?b@c@d", &[]),
            ("x://a@b@c/", None, "x://a@b@c/", &[]),
            ("//a@b@c", Some("x"), "//a@b@c", &[]),
        ]);
    }

    #[test]
    fn what_is_plainly_read_alike_comes_out_as_it_is() {
        let pieces = [
            "http:", "HTTPS:", "ftp:", "x:", "file:", "//", "/", "/", "\\", "a", "0x7f", "1", ".",
            ":80", "@", "%31", "?", "#", ":", "é", "[::1]", "１", "-b",
        ];
        let mut dice = crate::dice::Dice::new(5);
        let mut plain = 0;
        for _ in 0..200_000 {
            let text: String = (0..dice.below(7)).map(|_| dice.pick(&pieces)).collect();
            if is_read_alike(&text) {
                plain += 1;
                for base in [None, Some("http"), Some("https"), Some("file"), Some("urn")] {
                    let read = read(&text, base);
                    assert!(read.text == *text && read.warnings.is_empty(), "{text} {base:?}");
                }
            }
        }
        assert!(plain > 20_000, "{plain}");
    }

    #[test]
    fn slashes_and_backslashes() {
        let http = Some("http");
        check(&[
            ("/\\evil.example/x", http, "//evil.example/x", DISPUTED),
            ("\\\\evil.example/x", http, "//evil.example/x", DISPUTED),
            ("///evil.example/x", None, "//evil.example/x", DISPUTED),
            ("//a.example/x", http, "//a.example/x", &[]),
            ("//a.example\\x?\\", http, "//a.example/x?\\", DISPUTED),
            ("//a.example/x\\y", http, "//a.example/x/y", &[]),
            (
                "https://bank.example\\@evil.example/",
                http,
                "https://bank.example/@evil.example/",
                DISPUTED,
            ),
            ("https://a.example/b\\c#\\", http, "https://a.example/b/c#\\", &[]),
            ("http:a", http, "a", LENIENT),
            ("http:/a:b", http, "/a:b", LENIENT),
            ("http:a:b", http, "./a:b", LENIENT),
            ("http:\\\\b.example/", http, "http://b.example/", DISPUTED),
            ("https:b.example/x", http, "https://b.example/x", DISPUTED),
            ("HTTPS:////b.example/x", None, "HTTPS://b.example/x", DISPUTED),
            ("\\a\\b?\\", http, "/a/b?\\", LENIENT),
            ("a/b#\\", http, "a/b#\\", &[]),
            ("12:30.html", http, "./12:30.html", LENIENT),
            ("a:b\\c", http, "a:b\\c", &[]),
            ("\\\\a", Some("mailto"), "\\\\a", &[]),
        ]);
    }

    #[test]
    fn files() {
        let file = Some("file");
        check(&[
            ("file:c:\\x\\y", None, "file:///c:/x/y", &[]),
            ("file:/x", None, "file:///x", &[]),
            ("file:x", file, "x", &[]),
            ("file:\\\\host\\x", None, "file://host/x", &[]),
            ("file:///x", None, "file:///x", &[]),
            ("file://C:/x/y", None, "file:///C:/x/y", LENIENT),
            ("FILE:\\\\d:\\x?\\", None, "FILE:///d:/x?\\", LENIENT),
            ("file://c:", None, "file:///c:", LENIENT),
            ("file://c:80/x", None, "file://c:80/x", &[]),
            ("file://cd:/x", None, "file://cd:/x", &[]),
            ("//host/x", file, "//host/x", &[]),
            ("a\\b", file, "a/b", LENIENT),
        ]);
    }

    #[test]
    fn addresses() {
        check(&[
            ("http://0x7f.1/", None, "http://127.0.0.1/", ADDRESS),
            ("http://3232235777:80/", None, "http://192.168.1.1:80/", ADDRESS),
            ("http://me@0300.1/?q", None, "http://me@192.0.0.1/?q", ADDRESS),
            ("//0x7f000001", None, "//127.0.0.1", ADDRESS),
            ("http://１２７.0.0.1/", None, "http://127.0.0.1/", ADDRESS),
            ("http://%31.2.3.4/", None, "http://1.2.3.4/", ADDRESS),
            ("http://1.2.3.4/", None, "http://1.2.3.4/", &[]),
            ("http://[::ffff:1.2.3.4]/", None, "http://[::ffff:1.2.3.4]/", &[]),
            ("ssh://0x7f.1/", None, "ssh://0x7f.1/", &[]),
            ("http://0xg/", None, "http://0xg/", &[]),
        ]);
    }
}
