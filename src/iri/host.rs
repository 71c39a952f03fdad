//! Hosts and the domain name system: UTS #46 and the lengths of RFC 1035.
//!
//! The input is a host of RFC 3987 §2.2 (`ireg-name`, IPv4 or IP literal), the result is the host of the URI. This is a
//! policy and not the grammar: an IRI whose host is rejected here is still valid. UTS #46 is applied non-transitional, with
//! CheckBidi and CheckJoiners, hyphens in any position, `_` allowed, and the ASCII that WHATWG forbids in domains denied.
//! This is the only wrapper of `idna`; simple hosts are mapped by `ace`.

use std::borrow::Cow;

use idna::uts46::{AsciiDenyList, DnsLength, Hyphens, Uts46};

use super::ace;
use super::chars::{AUTHORITY, CLASS, triplet};
use super::error::ErrorKind;
use crate::codes::coded;
use crate::tables::{self, punycode};

coded! {
    /// Mapping of a non-ASCII host. Default: `Ascii`.
    ///
    /// ```
    /// use linksift::iri::HostMapping;
    ///
    /// assert_eq!("percent".parse(), Ok(HostMapping::Percent));
    /// ```
    pub enum HostMapping in "linksift::iri" default Ascii {
        /// IDNA ToASCII according to UTS #46.
        Ascii = "ascii",
        /// Percent-encoded UTF-8, the general procedure (bis §3.4).
        Percent = "percent",
        /// Kept unchanged: the result is an IRI.
        Unicode = "unicode",
    }
}

/// Maximum length of a host that can be mapped to 253 octets. Composition shortens Hangul most: nine octets of jamo become
/// one of a label. Longer hosts are rejected before anything is allocated.
const LONGEST_INPUT: usize = 4096;

/// Converts a host for a URI: decodes percent-encoding, then applies IDNA ToASCII of UTS #46 (RFC 3987 §3.1).
///
/// ASCII without `xn--` and `%` is returned borrowed and unchanged, in its original letter case; so are IP literals
/// and the empty host. A-labels are verified. A host with a character that is unassigned in the
/// [crate's version of Unicode](crate::UNICODE_VERSION) is rejected, also if the character is in an
/// A-label. The mapping is idempotent.
///
/// # Errors
///
/// `HostInvalidIdna`, `HostLabel` (empty, or longer than 63), `HostTooLong` (longer than 253 without the root dot),
/// `HostNotUtf8`.
///
/// ```
/// use linksift::iri::{ErrorKind, host_to_ascii};
///
/// assert_eq!(host_to_ascii("résumé.example.org")?, "xn--rsum-bpad.example.org");
/// assert_eq!(host_to_ascii("r%C3%A9sum%C3%A9.example.org")?, "xn--rsum-bpad.example.org");
/// assert_eq!(host_to_ascii("EXAMPLE.org")?, "EXAMPLE.org");
/// assert_eq!(host_to_ascii("xn--rsum-bad.example.org"), Err(ErrorKind::HostInvalidIdna));
/// # Ok::<(), ErrorKind>(())
/// ```
pub fn host_to_ascii(host: &str) -> Result<Cow<'_, str>, ErrorKind> {
    match survey(host) {
        HostSyntax::Plain => {
            lengths(host)?;
            Ok(Cow::Borrowed(host))
        }
        HostSyntax::Literal => Ok(Cow::Borrowed(host)),
        HostSyntax::Idna => to_ascii_slow(host),
    }
}

/// Returns `true` if a non-ASCII host surely can be mapped, without mapping it.
pub(crate) fn is_simple(host: &str) -> bool {
    ace::is_simple(host)
}

/// Syntax of a host, from a check of its octets.
enum HostSyntax {
    /// ASCII that needs no mapping.
    Plain,
    /// An IP literal, or an empty host.
    Literal,
    /// Needs the mapping of UTS #46.
    Idna,
}

#[inline]
fn survey(host: &str) -> HostSyntax {
    let bytes = host.as_bytes();
    match bytes {
        [] => return HostSyntax::Literal,
        // Text in brackets that is not an address is left to UTS #46, which rejects it.
        [b'[', inside @ .., b']'] if inside.iter().all(|&b| may_be_in_literal(b)) => {
            return HostSyntax::Literal;
        }
        _ => {}
    }
    let mut all = AUTHORITY;
    let mut high = 0;
    let mut before = 0;
    let mut hyphens = false;
    for &b in bytes {
        all &= CLASS[usize::from(b)];
        high |= b;
        hyphens |= b == b'-' && before == b'-';
        before = b;
    }
    // `--` is rare in hosts; if there is one, it may be that of `xn--`.
    if all == 0 || high >= 0x80 || (hyphens && has_ace_prefix(bytes)) {
        HostSyntax::Idna
    } else {
        HostSyntax::Plain
    }
}

/// Returns `true` if a byte may be inside the brackets of an IP literal (RFC 3986 §3.2.2).
fn may_be_in_literal(b: u8) -> bool {
    b == b':' || b.is_ascii() && CLASS[usize::from(b)] & AUTHORITY != 0
}

/// Returns `true` if a label begins with `xn--`, in upper or lower case.
fn has_ace_prefix(bytes: &[u8]) -> bool {
    bytes
        .split(|&b| b == b'.')
        .any(|label| label.get(..4).is_some_and(|start| start.eq_ignore_ascii_case(b"xn--")))
}

/// Checks the lengths of RFC 1035 §2.3.4, in octets of the text: labels of 1 to 63, 253 in all, and an optional root dot.
fn lengths(host: &str) -> Result<(), ErrorKind> {
    let name = host.strip_suffix('.').unwrap_or(host);
    if name.len() > ace::LONGEST_HOST {
        return Err(ErrorKind::HostTooLong);
    }
    let mut start = 0;
    for end in memchr::memchr_iter(b'.', name.as_bytes()).chain([name.len()]) {
        if end == start || end - start > 63 {
            return Err(ErrorKind::HostLabel);
        }
        start = end + 1;
    }
    Ok(())
}

fn to_ascii_slow(host: &str) -> Result<Cow<'_, str>, ErrorKind> {
    if !host.is_ascii() {
        let mut ascii = String::with_capacity(host.len() * 2);
        push_ascii(&mut ascii, host)?;
        return Ok(Cow::Owned(ascii));
    }
    to_ascii_by_idna(host)
}

/// Appends a non-ASCII host, mapped.
pub(crate) fn push_ascii(out: &mut String, host: &str) -> Result<(), ErrorKind> {
    if host.len() <= LONGEST_INPUT {
        let start = out.len();
        if ace::push_simple(out, host).is_some() {
            return Ok(());
        }
        out.truncate(start);
    }
    out.push_str(&to_ascii_by_idna(host)?);
    Ok(())
}

#[cold]
fn to_ascii_by_idna(host: &str) -> Result<Cow<'_, str>, ErrorKind> {
    let decoded = decode(host)?;
    if decoded.len() > LONGEST_INPUT {
        return Err(ErrorKind::HostTooLong);
    }
    let ascii = processed(&decoded)?;
    // The deny list does not include `"`, the backquote and braces, which no URI may have: `%22` in a host.
    if !ascii.bytes().all(may_be_in_uri) {
        return Err(ErrorKind::HostInvalidIdna);
    }
    lengths(&ascii)?;
    // The case is kept if only the case would change: `XN--RSUM-BPAD.example`.
    if ascii.eq_ignore_ascii_case(host) {
        return Ok(Cow::Borrowed(host));
    }
    Ok(Cow::Owned(ascii.into_owned()))
}

/// Maps a host as browsers do (URL standard, "host parser" with beStrict false): like [`host_to_ascii`], but with labels of
/// any length, also empty ones, and with `"`, the backquote and braces, which are percent-encoded.
pub(super) fn as_browser(host: &str) -> Result<String, ErrorKind> {
    let decoded = decode(host)?;
    if decoded.len() > LONGEST_INPUT {
        return Err(ErrorKind::HostTooLong);
    }
    let ascii = processed(&decoded)?;
    if ascii.is_empty() {
        return Err(ErrorKind::HostLabel);
    }
    let mut out = String::with_capacity(ascii.len());
    for c in ascii.chars() {
        match u8::try_from(c).is_ok_and(may_be_in_uri) {
            true => out.push(c),
            false => super::chars::push_encoded(&mut out, c),
        }
    }
    Ok(out)
}

/// Returns `true` if the host of a URI may have a byte unencoded.
fn may_be_in_uri(b: u8) -> bool {
    CLASS[usize::from(b)] & AUTHORITY != 0
}

/// Maps a decoded host by UTS #46, without a check of lengths.
fn processed(decoded: &str) -> Result<Cow<'_, str>, ErrorKind> {
    let ascii = Uts46::new()
        .to_ascii(decoded.as_bytes(), AsciiDenyList::URL, Hyphens::Allow, DnsLength::Ignore)
        .map_err(|_| ErrorKind::HostInvalidIdna)?;
    if hides_ace_prefix(&ascii) || !is_assigned(decoded) || !labels_are_assigned(&ascii) {
        return Err(ErrorKind::HostInvalidIdna);
    }
    Ok(ascii)
}

/// Returns `true` if all characters of a host are assigned in this crate's version of Unicode: `idna` may implement a later
/// one.
fn is_assigned(host: &str) -> bool {
    host.chars().all(tables::is_assigned)
}

/// Returns `true` if all characters in the A-labels of a mapped host are assigned.
fn labels_are_assigned(ascii: &str) -> bool {
    ascii.split('.').all(|label| punycode::decode(label).is_none_or(|label| is_assigned(&label)))
}

/// Returns `true` for an A-label whose decoded label itself begins with `xn--`. UTS #46 §4.1, criterion 4, rejects it even
/// if hyphens may be in any position, but `idna` does not.
fn hides_ace_prefix(ascii: &str) -> bool {
    let twice = |host: &str| host.split('.').any(|label| label.starts_with("xn--xn--"));
    twice(ascii) && {
        let unicode = Uts46::new().to_unicode(ascii.as_bytes(), AsciiDenyList::URL, Hyphens::Allow);
        unicode.0.split('.').any(|label| label.starts_with("xn--"))
    }
}

/// Converts the A-labels of a host to Unicode (RFC 3987 §3.2, last paragraph).
///
/// A host that would not map back to the same A-labels is returned unchanged, and so is a host that UTS #46
/// rejects. There is no error, since the result can always be shown.
///
/// ```
/// use linksift::iri::host_to_unicode;
///
/// assert_eq!(host_to_unicode("xn--99zt52a.example.org"), "納豆.example.org");
/// assert_eq!(host_to_unicode("xn--rsum-bad.example.org"), "xn--rsum-bad.example.org");
/// ```
#[must_use]
pub fn host_to_unicode(host: &str) -> Cow<'_, str> {
    match survey(host) {
        HostSyntax::Plain | HostSyntax::Literal => Cow::Borrowed(host),
        HostSyntax::Idna => to_unicode_slow(host).map_or(Cow::Borrowed(host), Cow::Owned),
    }
}

fn to_unicode_slow(host: &str) -> Option<String> {
    let ascii = host_to_ascii(host).ok()?;
    let (unicode, result) =
        Uts46::new().to_unicode(ascii.as_bytes(), AsciiDenyList::URL, Hyphens::Allow);
    result.ok()?;
    // Characters that UTS #46 returns and an IRI must not have stay in ACE form.
    let fits = unicode
        .chars()
        .all(|c| c.is_ascii() || super::chars::judge(c, super::chars::Private::No).is_ok());
    let back = host_to_ascii(&unicode).ok()?;
    (fits && back.eq_ignore_ascii_case(&ascii)).then(|| unicode.into_owned())
}

/// Maps a host by the general procedure: non-ASCII is percent-encoded (RFC 3987 §3.1, step 2).
pub(crate) fn to_percent(host: &str) -> Cow<'_, str> {
    if host.is_ascii() {
        return Cow::Borrowed(host);
    }
    let mut out = String::with_capacity(host.len() * 3);
    super::chars::push_expanded(&mut out, host);
    Cow::Owned(out)
}

/// Decodes the percent-encoded bytes of a host once (RFC 3986 §3.2.2: they are UTF-8).
pub(crate) fn decode(host: &str) -> Result<Cow<'_, str>, ErrorKind> {
    if !host.contains('%') {
        return Ok(Cow::Borrowed(host));
    }
    let bytes = host.as_bytes();
    let mut octets = Vec::with_capacity(bytes.len());
    let mut i = 0;
    while let Some(&b) = bytes.get(i) {
        match triplet(bytes, i) {
            Some(octet) => {
                octets.push(octet);
                i += 3;
            }
            None => {
                octets.push(b);
                i += 1;
            }
        }
    }
    String::from_utf8(octets).map(Cow::Owned).map_err(|_| ErrorKind::HostNotUtf8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_those_of_the_dns() {
        let label = "a".repeat(63);
        assert!(host_to_ascii(&label).is_ok());
        assert_eq!(host_to_ascii(&format!("{label}a")), Err(ErrorKind::HostLabel));
        let long = format!("{label}.{label}.{label}.{}", "a".repeat(61));
        assert_eq!(long.len(), 253);
        assert!(host_to_ascii(&long).is_ok());
        assert!(host_to_ascii(&format!("{long}.")).is_ok());
        assert_eq!(host_to_ascii(&format!("{long}a")), Err(ErrorKind::HostTooLong));
        for bad in [".", "a..b", ".a", "a.."] {
            assert_eq!(host_to_ascii(bad), Err(ErrorKind::HostLabel), "{bad}");
        }
        // 59 octets of Punycode after the four of the prefix.
        assert!(host_to_ascii(&"é".repeat(55)).is_ok());
        assert_eq!(host_to_ascii(&"é".repeat(60)), Err(ErrorKind::HostLabel));
    }

    #[test]
    fn what_is_denied() {
        for (bad, kind) in [
            ("ex%2Forg", ErrorKind::HostInvalidIdna),
            ("a%22b", ErrorKind::HostInvalidIdna),
            ("a%60b", ErrorKind::HostInvalidIdna),
            ("a%25b", ErrorKind::HostInvalidIdna),
            ("%FF", ErrorKind::HostNotUtf8),
            ("%C2%AD", ErrorKind::HostLabel),
            ("xn--a.example", ErrorKind::HostInvalidIdna),
            ("xn--xn---epa", ErrorKind::HostInvalidIdna),
            ("xn--\u{e9}", ErrorKind::HostInvalidIdna),
            ("a b", ErrorKind::HostInvalidIdna),
        ] {
            assert_eq!(host_to_ascii(bad), Err(kind), "{bad}");
        }
        assert_eq!(host_to_ascii("a_b.example").as_deref(), Ok("a_b.example"));
        assert_eq!(host_to_ascii("XN--RSUM-BPAD.Example").as_deref(), Ok("XN--RSUM-BPAD.Example"));
        assert_eq!(host_to_ascii("faß.de").as_deref(), Ok("xn--fa-hia.de"));
        assert_eq!(host_to_ascii("１２７.0.0.1").as_deref(), Ok("127.0.0.1"));
    }

    /// This calls the checks directly, since `idna` rejects the same characters unless it implements a later version.
    #[test]
    fn unassigned_characters_are_refused_whatever_idna_knows() {
        let a_label = |label: &str| {
            let (mut points, mut ascii) = (punycode::Points::new(), "xn--".to_owned());
            for c in label.chars() {
                match c.is_ascii() {
                    true => points.basic().map(|()| ascii.push(c)),
                    false => points.insert(c),
                }
                .expect("a short label");
            }
            points.encode(|b| ascii.push(char::from(b)));
            ascii
        };
        for (label, is_good) in [
            ("a\u{378}", false),
            ("\u{2FE0}é", false),
            ("\u{10FFFF}", false),
            ("例え", true),
            ("aé", true),
        ] {
            let ascii = format!("www.{}.example", a_label(label));
            assert_eq!(is_assigned(label), is_good, "{label}");
            assert_eq!(labels_are_assigned(&ascii), is_good, "{ascii}");
            for host in [label, &ascii] {
                assert_eq!(host_to_ascii(host).is_ok(), is_good, "{host}");
            }
        }
        for unassigned in
            (0..=0x10_FFFF).filter_map(char::from_u32).filter(|&c| !tables::is_assigned(c))
        {
            assert_eq!(host_to_ascii(&format!("a{unassigned}b")), Err(ErrorKind::HostInvalidIdna));
        }
    }

    #[test]
    fn a_million_labels_are_refused_at_once() {
        assert_eq!(host_to_ascii(&"é.".repeat(1_000_000)), Err(ErrorKind::HostTooLong));
        assert_eq!(host_to_ascii(&"a.".repeat(1_000_000)), Err(ErrorKind::HostTooLong));
    }
}
