//! Plain references, as nearly all values of pages are, parsed in one pass.
//!
//! The input is a text, the result is the components of a reference that is its own URI with any options of the mapping:
//! ASCII, relative, or of http with a host that DNS accepts unchanged and no other part of the authority. Other references
//! are left to `parse`, `mapping` and `scheme`, which have the same result for the references that are accepted here.

use std::ops::Range;

use super::chars::{CLASS, PATH, PLAIN, QUERY, triplet};
use super::parse::{ComponentOffsets, skip_by};
use crate::trust;

/// Characters of a host, or of a first segment without a colon.
const NAME: u8 = 1;
/// Characters of a path.
const IN_PATH: u8 = 2;
/// Characters of a query or a fragment.
const IN_QUERY: u8 = 4;

/// Classes of the octets. An ampersand has none, because in markup a character reference may begin with it.
static TABLE: [u8; 256] = OCTETS;

/// Classes for a text whose references are resolved: an ampersand is an octet of paths and queries.
static RESOLVED: [u8; 256] = {
    let mut table = OCTETS;
    table[b'&' as usize] = IN_PATH | IN_QUERY;
    table
};

const OCTETS: [u8; 256] = {
    let mut table = [0; 256];
    let mut b = 0;
    while b < 0x80 {
        let class = CLASS[b];
        if class & PLAIN != 0 && b != b'&' as usize {
            if !matches!(b as u8, b':' | b'/' | b'?' | b'@') {
                table[b] |= NAME;
            }
            if class & PATH != 0 {
                table[b] |= IN_PATH;
            }
            if class & QUERY != 0 {
                table[b] |= IN_QUERY;
            }
        }
        b += 1;
    }
    table
};

/// Maximum length of a host that is examined: none of its labels can be too long.
const LONGEST_HOST: usize = 63;
/// Maximum length; longer references take the slow path, which checks their limit.
const LONGEST: usize = u16::MAX as usize;

/// A reference of plain URI characters, with the offsets of its components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SimpleUriRef<'t> {
    pub(crate) text: &'t str,
    pub(crate) parts: ComponentOffsets,
    /// Whether there is a percent-encoded byte.
    has_triplet: bool,
    /// Whether the host has three dots or more, or a hyphen after a label of three characters.
    is_deep: bool,
    /// Offset behind the first octet of the last segment of the path that begins with a dot, zero if none does; the maximum
    /// if it is not known.
    pub(crate) dots_end: u32,
}

impl<'t> SimpleUriRef<'t> {
    /// Parses a plain reference. An empty text is not one.
    #[inline]
    pub(crate) fn of(text: &'t str) -> Option<SimpleUriRef<'t>> {
        SimpleUriRef::by(&TABLE, text)
    }

    /// Like [`of`](SimpleUriRef::of), for a text in which no character references need to be resolved.
    pub(crate) fn of_resolved(text: &'t str) -> Option<SimpleUriRef<'t>> {
        SimpleUriRef::by(&RESOLVED, text)
    }

    #[inline(always)]
    fn by(table: &'static [u8; 256], text: &'t str) -> Option<SimpleUriRef<'t>> {
        let bytes = text.as_bytes();
        if bytes.len() > LONGEST {
            return None;
        }
        let mut parts = ComponentOffsets::default();
        let mut is_deep = false;
        // This does not use chunks, since most first segments are short.
        let mut at = bytes.iter().take_while(|&&b| table[usize::from(b)] & NAME != 0).count();
        if bytes.get(at) == Some(&b'%') {
            at = run::<NAME>(table, bytes, at);
        }
        let is_rooted = match bytes.get(at..)? {
            [b':', b'/', b'/', ..] if matches!(&bytes[..at], b"http" | b"https") => {
                at += 1;
                parts.hier_start = at as u32;
                true
            }
            [b'/', b'/', ..] => at == 0,
            [] if at == 0 => return None,
            [] | [b'/' | b'?' | b'#', ..] => false,
            _ => return None,
        };
        (parts.host_start, parts.host_end) = (parts.hier_start, parts.hier_start);
        if is_rooted {
            let start = at + 2;
            (at, is_deep) = host_end(bytes, start)?;
            (parts.host_start, parts.host_end) = (start as u32, at as u32);
        }
        parts.path_start = if is_rooted { at as u32 } else { 0 };
        at = run::<IN_PATH>(table, bytes, at);
        parts.path_end = at as u32;
        if bytes.get(at) == Some(&b'?') {
            at = run::<IN_QUERY>(table, bytes, at + 1);
        }
        parts.query_end = at as u32;
        if bytes.get(at) == Some(&b'#') {
            at = run::<IN_QUERY>(table, bytes, at + 1);
        }
        if at < bytes.len() {
            return None;
        }
        // Search for this only if the reference is accepted otherwise.
        let has_triplet = memchr::memchr(b'%', bytes).is_some();
        Some(SimpleUriRef { text, parts, has_triplet, is_deep, dots_end: u32::MAX })
    }

    /// Octets of paths, except for percent-encoded bytes and the ampersand: a table, and the bit in it.
    pub(crate) const PATH_OCTETS: (&'static [u8; 256], u8) = (&OCTETS, IN_PATH);

    /// Creates a relative reference without an authority, given the ends of its path and query, and of the beginnings of
    /// segments that begin with a dot. It must not be empty, and must have only octets of paths except for the delimiters of
    /// its query and its fragment.
    #[inline]
    pub(crate) fn relative(
        text: &'t str,
        path_end: u32,
        query_end: u32,
        dots_end: u32,
    ) -> SimpleUriRef<'t> {
        let parts = ComponentOffsets { path_end, query_end, ..ComponentOffsets::default() };
        SimpleUriRef { text, parts, has_triplet: false, is_deep: false, dots_end }
    }

    /// Returns `true` if the module `trust` must check its percent-encoded bytes or its host.
    #[inline]
    pub(crate) fn may_deceive(&self) -> bool {
        self.has_triplet && trust::may_hide(self.text)
            || self.is_deep && trust::is_nested(&self.text[self.host_range()])
    }

    /// Returns the range of the host; empty if there is none.
    #[inline]
    pub(crate) fn host_range(&self) -> Range<usize> {
        self.parts.host_start as usize..self.parts.host_end as usize
    }

    /// Returns `true` if it is an IRI, with an http scheme.
    #[inline]
    pub(crate) fn has_scheme(&self) -> bool {
        self.parts.hier_start != 0
    }
}

/// Skips octets of the class, and percent-encoded bytes.
#[inline]
fn run<const CLASSES: u8>(table: &[u8; 256], bytes: &[u8], mut at: usize) -> usize {
    loop {
        at = skip_by::<CLASSES>(table, bytes, at);
        if bytes.get(at) != Some(&b'%') || triplet(bytes, at).is_none() {
            return at;
        }
        at += 3;
    }
}

/// Returns where the host that begins here ends, if it is plain, and whether it is deep. A plain host has labels that the
/// DNS accepts, no A-label, no port or userinfo, and is not an address, since the last octet is a letter.
#[inline]
fn host_end(bytes: &[u8], start: usize) -> Option<(usize, bool)> {
    let mut before = b'.';
    let mut at = start;
    let (mut dots, mut is_deep) = (0, false);
    while let Some(&b) = bytes.get(at)
        && TABLE[usize::from(b)] & NAME != 0
    {
        // An empty label, or a hyphen at the edge of one; two hyphens may be those of `xn--`.
        if matches!((before, b), (b'.' | b'-', b'.' | b'-')) {
            return None;
        }
        dots += usize::from(b == b'.');
        is_deep |= b == b'-' && at >= start + 4 && bytes[at - 4] == b'.';
        before = b;
        at += 1;
    }
    is_deep |= dots > 2;
    let is_ended = matches!(bytes.get(at), None | Some(b'/' | b'?' | b'#'));
    (is_ended && before.is_ascii_alphabetic() && at - start <= LONGEST_HOST)
        .then_some((at, is_deep))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dice::Dice;
    use crate::iri::{HostMapping, IriRef, MapOptions};

    #[test]
    fn what_is_plain() {
        for text in [
            "a",
            "a.b/c?d#e",
            "#id",
            "?q",
            "/",
            "/a//b",
            "../../a%20b/%7E",
            "%41",
            "a/b:c",
            "./a@b",
            "http://a.example",
            "https://www.a-b.example/c?d=e:/?#f/?",
            "//a.example/b",
            "http://a?b",
        ] {
            assert!(SimpleUriRef::of(text).is_some(), "{text}");
        }
        for text in [
            "",
            "a b",
            "a&b",
            "a:b",
            "1:b",
            "%41:b",
            "a@b",
            "%4",
            "a%zz",
            "é",
            "[a]",
            "a#b#c",
            "a|b",
            "HTTP://a.example",
            "http:",
            "http:/a",
            "http://",
            "http:///a",
            "http://.a",
            "http://a..b",
            "http://a.",
            "http://a.1",
            "http://[::1]/",
            "http://u@a/",
            "http://a:80/",
            "http://xn--a/",
            "http://a%41/",
            "ftp://a/",
            "mailto:a@b.example",
            "//",
            "///a",
        ] {
            assert!(SimpleUriRef::of(text).is_none(), "{text}");
        }
        let label = "a".repeat(63);
        assert!(SimpleUriRef::of(&format!("//{label}/")).is_some());
        assert!(SimpleUriRef::of(&format!("//{label}a/")).is_none());
    }

    /// Each plain reference parses into the same components, maps to itself and violates no rule.
    #[test]
    fn what_is_plain_needs_no_other_look() {
        const PIECES: [&str; 33] = [
            "a", "b.c", "/", "//", "?", "#", ":", "http://", "https://", "http", ".", "..", "-",
            "--", "xn--", "@", "%41", "%", "1", "127.1", "é", "[", "]", "=", ";", "~", "!",
            "mailto:", "HTTP://", "_", " ", "(,", "&",
        ];
        let mut dice = Dice::new(5);
        let mut plain = 0;
        for _ in 0..300_000 {
            let text: String = (0..=dice.below(7)).map(|_| dice.pick(&PIECES)).collect();
            let Some(found) = SimpleUriRef::of_resolved(&text) else { continue };
            assert!(text.contains('&') || SimpleUriRef::of(&text) == Some(found));
            plain += 1;
            let parsed = IriRef::parse(&text).unwrap();
            assert_eq!((found.text, found.parts), (&*text, parsed.parts()), "{text}");
            assert_eq!(found.has_scheme(), parsed.scheme().is_some(), "{text}");
            for host in [HostMapping::Ascii, HostMapping::Percent, HostMapping::Unicode] {
                let uri = parsed.to_uri_with(&MapOptions::new().host(host).nfc(true));
                assert_eq!(uri.as_deref(), Ok(&*text));
            }
            if let Some(iri) = parsed.to_iri() {
                assert_eq!(iri.check_scheme(), Ok(()), "{text}");
            }
        }
        assert!(plain > 30_000, "{plain}");
    }
}
