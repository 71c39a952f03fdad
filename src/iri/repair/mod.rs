//! Lenient parser that reads an IRI as a browser does.
//!
//! Authors, crawlers and mail programs write what browsers tolerate. All code that reads such a text as an IRI uses this
//! module: for values of markup, `<base href>`, the target of a crawl's record, `Content-Location`, `--base` and similar.
//! White space is removed as in the URL standard ([`stripped`], [`without_breaks`]), slashes, backslashes and addresses are
//! parsed as in it ([`browser`]), and characters that the grammar forbids are percent-encoded ([`grammar`]). The result is
//! an IRI, with warnings about the repairs, or an error with a reason.

pub(crate) mod authority;
pub(crate) mod browser;
mod grammar;

use std::borrow::Cow;
use std::ops::Range;

use super::chars::push_triplet;
use super::{Error, Iri, IriBuf, IriRef, MapOptions};
use crate::warning::{Warning, Warnings};

pub(crate) use grammar::{GrammarRef, Repairs};

/// An IRI as a browser reads it, with warnings about the repairs. Created by [`repair`].
///
/// ```
/// use linksift::iri::repair;
///
/// let repaired = repair(r"http:\\e.example\a b")?;
/// assert_eq!(repaired.iri().as_str(), "http://e.example/a%20b");
/// # Ok::<(), linksift::iri::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repaired {
    iri: IriBuf,
    warnings: Warnings,
}

impl Repaired {
    /// Returns the IRI: valid according to RFC 3987, without dot segments, with a host that can be mapped.
    ///
    /// ```
    /// let repaired = linksift::iri::repair("http://例え.jp/a/../b").unwrap();
    /// assert_eq!(repaired.iri().as_str(), "http://例え.jp/b");
    /// ```
    #[must_use]
    pub fn iri(&self) -> &IriBuf {
        &self.iri
    }

    /// Returns the owned IRI.
    ///
    /// ```
    /// use linksift::{Hints, iri::repair};
    ///
    /// let hints = Hints::new().base(repair("http://e.example/a|b")?.into_iri());
    /// # Ok::<(), linksift::iri::Error>(())
    /// ```
    #[must_use]
    pub fn into_iri(self) -> IriBuf {
        self.iri
    }

    /// Returns the repairs as warnings; empty if nothing was repaired.
    ///
    /// ```
    /// use linksift::{Warning, iri::repair};
    ///
    /// let repaired = repair("http://e.example/100%")?;
    /// assert!(repaired.warnings().contains(Warning::StrayPercent));
    /// assert!(repair("http://e.example/100%25")?.warnings().is_empty());
    /// # Ok::<(), linksift::iri::Error>(())
    /// ```
    #[must_use]
    pub fn warnings(&self) -> Warnings {
        self.warnings
    }
}

/// Parses an IRI as a browser does; [`Iri::parse`] requires the exact grammar.
///
/// C0 controls and spaces at the ends are stripped, tabs and line breaks inside removed. In web schemes and in `file`,
/// slashes, backslashes and IPv4 addresses in any form are read as in the URL standard. Characters that RFC 3987 forbids
/// are percent-encoded: a space, `[ ] | { } ^ " \` and a backquote, a `%` without two hexadecimal digits, characters that
/// IRIs do not have. Bytes that are not UTF-8 are percent-encoded.
///
/// ```
/// use linksift::iri::repair;
///
/// for (written, read) in [
///     (&b" http://e.example/[a]|{b}?c^d#e \n"[..], "http://e.example/%5Ba%5D%7C%7Bb%7D?c%5Ed#e"),
///     (b"http://e.example/caf\xE9/%zz", "http://e.example/caf%E9/%25zz"),
///     (b"https:e.example", "https://e.example"),
///     (b"http://0x7f.1/", "http://127.0.0.1/"),
/// ] {
///     assert_eq!(repair(written)?.iri().as_str(), read);
/// }
/// # Ok::<(), linksift::iri::Error>(())
/// ```
///
/// # Errors
///
/// Returns an error for a text that no browser opens and that cannot be a base: it has no scheme
/// ([`NoScheme`](super::ErrorKind::NoScheme)), a port that is not a number, a host that cannot be mapped (UTS
/// #46, without its lengths) or that its web scheme does not accept. The index is that of the text after the steps above.
///
/// ```
/// use linksift::iri::{ErrorKind, repair};
///
/// let kind = |written: &str| repair(written).unwrap_err().kind();
/// assert_eq!(kind("../a"), ErrorKind::NoScheme);
/// assert_eq!(kind("http://e.example:port/"), ErrorKind::PortCharacter);
/// assert_eq!(kind("http://256.1.1.1/"), ErrorKind::SchemeHostIpv4);
/// ```
pub fn repair(written: impl AsRef<[u8]>) -> Result<Repaired, Error> {
    let written = written.as_ref();
    let mut repaired = repair_within(None, &octets_encoded(written))?;
    if std::str::from_utf8(written).is_err() {
        repaired.warnings.insert(Warning::NotIriCharacter);
    }
    Ok(repaired)
}

/// Like [`repair`], for a reference, which is resolved against the base around it if it has no scheme.
pub(crate) fn repair_within(outer: Option<&Iri<'_>>, written: &str) -> Result<Repaired, Error> {
    let text = without_breaks(&written[stripped(written, 0..written.len())]);
    let read = browser::read(&text, outer.map(Iri::scheme));
    let fitted = GrammarRef::of(&read.text, None)?;
    let reference = fitted.parsed();
    let resolved = match outer {
        Some(outer) if reference.scheme().is_none() => Some(outer.resolve(&reference)),
        _ => without_dots(&reference),
    };
    let iri = match &resolved {
        Some(resolved) => Iri::parse(resolved)?,
        None => Iri::parse(reference.as_str())?,
    };
    let options = MapOptions::new();
    match browser::is_special(iri.scheme()) {
        true => {
            iri.to_uri_with(&options.as_browsers())?;
            iri.check_scheme()?;
        }
        false => drop(iri.to_uri()?),
    }
    let warnings = read.warnings.with(fitted.repairs.warnings());
    Ok(Repaired { iri: iri.into(), warnings })
}

/// Returns a reference with a scheme without its dot segments, if it has any (RFC 3986 §5.2.2 also removes those of a
/// reference with a scheme; a path that does not begin with a slash has no segments).
pub(crate) fn without_dots(reference: &IriRef<'_>) -> Option<String> {
    let path = reference.path();
    match path.starts_with('/') && path.contains("/.") {
        true => reference.to_iri().map(|iri| iri.resolve(reference)),
        false => None,
    }
}

/// Returns octets as text, with those that are not UTF-8 percent-encoded.
pub(crate) fn octets_encoded(octets: &[u8]) -> Cow<'_, str> {
    let mut text = Cow::Borrowed("");
    for chunk in octets.utf8_chunks() {
        match &mut text {
            Cow::Borrowed("") => text = Cow::Borrowed(chunk.valid()),
            text => text.to_mut().push_str(chunk.valid()),
        }
        for octet in chunk.invalid() {
            push_triplet(text.to_mut(), *octet);
        }
    }
    text
}

/// Returns the range of a text without C0 controls and spaces at its ends (URL standard, "basic URL parser", 1.2).
pub(crate) fn stripped(text: &str, range: Range<usize>) -> Range<usize> {
    let part = &text[range.clone()];
    let rest = part.trim_start_matches(|c| c <= ' ');
    let start = range.end - rest.len();
    start..start + rest.trim_end_matches(|c| c <= ' ').len()
}

/// Tabs and line breaks, which are removed from a URL (1.3).
pub(crate) const BREAKS: [char; 3] = ['\t', '\n', '\r'];

/// Returns a text without the tabs and line breaks in it.
pub(crate) fn without_breaks(text: &str) -> Cow<'_, str> {
    match memchr::memchr3(b'\t', b'\n', b'\r', text.as_bytes()) {
        Some(_) => Cow::Owned(text.replace(BREAKS, "")),
        None => Cow::Borrowed(text),
    }
}

/// Returns the scheme that a reference begins with, before its colon (RFC 3986 §3.1; URL standard, "scheme state").
pub(crate) fn scheme_of(reference: &str) -> Option<&str> {
    let is_part = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.');
    let bytes = reference.as_bytes();
    let end = bytes.iter().position(|&b| !is_part(b))?;
    (bytes[end] == b':' && bytes[0].is_ascii_alphabetic()).then(|| &reference[..end])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::iri::ErrorKind;

    #[test]
    fn octets_that_are_no_utf_8_are_triplets() {
        for (octets, text) in [
            (&b"caf\xE9"[..], "caf%E9"),
            (b"\xC3\xA9\xC3", "é%C3"),
            (b"\xF0\x9F\x98", "%F0%9F%98"),
            (b"\xFF\xFEa", "%FF%FEa"),
            (b"", ""),
            (b"a", "a"),
        ] {
            assert_eq!(octets_encoded(octets), text);
        }
        let repaired = repair(b"http://e.example/\xE9\x80/\xC3\xA9").unwrap();
        assert_eq!(repaired.iri().as_str(), "http://e.example/%E9%80/é");
        assert_eq!(repaired.warnings().iter().collect::<Vec<_>>(), [Warning::NotIriCharacter]);
        assert_eq!(repair(b"http://\xE9.example/").unwrap_err().kind(), ErrorKind::HostNotUtf8);
    }

    #[test]
    fn a_reference_is_that_of_the_base_it_stands_in() {
        let outer = Iri::parse("http://a.example/b/c?d").unwrap();
        for (written, read) in [
            ("..\\x y", "http://a.example/x%20y"),
            ("http:e", "http://a.example/b/e"),
            ("//e.example", "http://e.example"),
            ("", "http://a.example/b/c?d"),
            ("urn:a:b", "urn:a:b"),
        ] {
            let repaired = repair_within(Some(&outer), written).unwrap();
            assert_eq!(repaired.iri().as_str(), read, "{written}");
        }
    }
}
