//! Parses a text in one pass: returns the offsets of its components, or the first error.
//!
//! Implements RFC 3987 §2.2 (`IRI`, `IRI-reference`, `absolute-IRI`, `irelative-ref`) and the formatting characters of
//! §4.1, which are not in the ABNF. Nothing is allocated, and nothing is read twice, except for the first segment of a
//! relative reference (its colon). It checks only the grammar: [`scheme`](super::scheme) and [`host`](super::host) check
//! the rules of schemes and of the domain name system.

use super::chars::{self, AUTHORITY, CLASS, PATH, Private, QUERY, SCHEME, triplet};
use super::error::{Error, ErrorKind};
use super::ip;
use crate::codes::coded;

coded! {
    /// Rule of the grammar that a text must match (RFC 3987 §2.2).
    ///
    /// ```
    /// use linksift::iri::{Form, Syntax};
    ///
    /// assert!(Syntax::new().form(Form::Absolute).parse("http://example.org/#top").is_err());
    /// assert!(Syntax::new().form(Form::Relative).parse("résumé.html").is_ok());
    /// ```
    pub enum Form in "linksift::iri" default Iri {
        /// `IRI`: with a scheme, with or without fragment.
        Iri = "iri",
        /// `IRI-reference`: `IRI` or `irelative-ref`.
        Reference = "reference",
        /// `absolute-IRI`: with a scheme, without fragment.
        Absolute = "absolute",
        /// `irelative-ref`: without a scheme.
        Relative = "relative",
    }
}

coded! {
    /// Set of non-ASCII characters that an IRI may have.
    ///
    /// ```
    /// use linksift::iri::{Repertoire, Syntax};
    ///
    /// assert!(Syntax::new().repertoire(Repertoire::Rfc3986).parse("http://例え.jp/").is_err());
    /// ```
    pub enum Repertoire in "linksift::iri" default Rfc3987 {
        /// None: the text is a URI.
        Rfc3986 = "rfc3986",
        /// `ucschar` and `iprivate` of RFC 3987.
        Rfc3987 = "rfc3987",
        /// As RFC 3987, and U+E0000–E0FFF in queries, as in draft-ietf-iri-3987bis-07.
        Bis = "bis",
    }
}

/// Maximum length of a text: offsets have 32 bits, so that a parsed IRI stays small.
const LONGEST: usize = u32::MAX as usize - 1;

/// Returns the offsets of the components, or the first error.
pub(crate) fn parse(
    text: &str,
    form: Form,
    repertoire: Repertoire,
) -> Result<ComponentOffsets, Error> {
    let parsed = if text.len() > LONGEST {
        Err(Error::new(ErrorKind::TooLong, LONGEST))
    } else {
        let private = match repertoire {
            Repertoire::Bis => Private::BisQuery,
            _ => Private::Query,
        };
        Parser { text, bytes: text.as_bytes(), form, private }.parse()
    };
    // A URI is an IRI without non-ASCII characters, so the loop needs no third table.
    if repertoire == Repertoire::Rfc3986
        && let Some(at) = text.bytes().position(|b| b >= 0x80)
    {
        return Err(match parsed {
            Err(error) if error.index() < at => error,
            _ => Error::new(ErrorKind::NotAscii, at),
        });
    }
    parsed
}

/// Parses octets: malformed UTF-8 is an error like any other, at its position.
pub(crate) fn parse_bytes(
    bytes: &[u8],
    form: Form,
    repertoire: Repertoire,
) -> Result<(&str, ComponentOffsets), Error> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Ok((text, parse(text, form, repertoire)?)),
        Err(malformed) => {
            let at = malformed.valid_up_to();
            let before = std::str::from_utf8(&bytes[..at]).unwrap_or_default();
            Err(match parse(before, form, repertoire) {
                Err(error) if error.index() < at => error,
                _ => Error::new(ErrorKind::NotUtf8, at),
            })
        }
    }
}

/// Returns where the host that begins here ends, if `scheme://` before it makes it and the text after it an IRI without
/// userinfo.
pub(crate) fn host_end(text: &str, start: usize) -> Option<usize> {
    let (bytes, form) = (text.as_bytes(), Form::Iri);
    let parser = Parser { text, bytes, form, private: Private::Query };
    let mut parts = ComponentOffsets::default();
    let after = parser.authority(start, &mut parts).ok()?;
    let parts = parser.rest(after, parts).ok()?;
    (parts.host_start as usize == start).then_some(parts.host_end as usize)
}

/// Returns `true` if a path, a query and a fragment of an IRI, and nothing else, begin here, after its authority.
pub(crate) fn is_rest(text: &str, start: usize) -> bool {
    let (bytes, form) = (text.as_bytes(), Form::Iri);
    let parser = Parser { text, bytes, form, private: Private::Query };
    parser.rest(start, ComponentOffsets::default()).is_ok()
}

struct Parser<'a> {
    text: &'a str,
    bytes: &'a [u8],
    form: Form,
    private: Private,
}

/// Skips octets of the class.
#[inline(always)]
pub(crate) fn skip<const CLASSES: u8>(bytes: &[u8], i: usize) -> usize {
    skip_by::<CLASSES>(&CLASS, bytes, i)
}

/// Skips octets that have the class in a table, eight at a time: one lookup per octet, one branch per chunk.
#[inline(always)]
pub(super) fn skip_by<const CLASSES: u8>(table: &[u8; 256], bytes: &[u8], mut i: usize) -> usize {
    while let Some(chunk) = bytes.get(i..i + 8) {
        let mut all = CLASSES;
        for &b in chunk {
            all &= table[usize::from(b)];
        }
        if all == 0 {
            break;
        }
        i += 8;
    }
    while let Some(&b) = bytes.get(i) {
        if table[usize::from(b)] & CLASSES == 0 {
            break;
        }
        i += 1;
    }
    i
}

impl Parser<'_> {
    fn parse(&self) -> Result<ComponentOffsets, Error> {
        let bytes = self.bytes;
        let mut parts = ComponentOffsets::default();
        let mut i = self.scheme()?;
        parts.hier_start = i as u32;
        parts.host_start = i as u32;
        parts.host_end = i as u32;
        if bytes.get(i..i + 2) == Some(b"//") {
            i = self.authority(i + 2, &mut parts)?;
        }
        self.rest(i, parts)
    }

    /// Parses path, query and fragment, after the authority.
    #[inline(always)]
    fn rest(&self, mut i: usize, mut parts: ComponentOffsets) -> Result<ComponentOffsets, Error> {
        let bytes = self.bytes;
        parts.path_start = i as u32;
        i = self.component::<PATH>(i, Private::No)?;
        parts.path_end = i as u32;
        if bytes.get(i) == Some(&b'?') {
            i = self.component::<QUERY>(i + 1, self.private)?;
        }
        parts.query_end = i as u32;
        if bytes.get(i) == Some(&b'#') {
            if self.form == Form::Absolute {
                return self.fail(ErrorKind::Fragment, i);
            }
            i = self.component::<QUERY>(i + 1, Private::No)?;
        }
        match bytes.get(i) {
            None => Ok(parts),
            Some(&b) => self.fail(chars::ascii_kind(b), i),
        }
    }

    /// Returns the offset after `scheme ":"`; 0 if there is no scheme and none is required.
    #[inline]
    fn scheme(&self) -> Result<usize, Error> {
        let bytes = self.bytes;
        let mut i = 0;
        if self.form != Form::Relative && bytes.first().is_some_and(u8::is_ascii_alphabetic) {
            // Schemes are short, so chunks would cost more than they save.
            i = 1;
            while bytes.get(i).is_some_and(|&b| CLASS[usize::from(b)] & SCHEME != 0) {
                i += 1;
            }
            if bytes.get(i) == Some(&b':') {
                return Ok(i + 1);
            }
        }
        match self.form {
            Form::Iri | Form::Absolute => self.fail(ErrorKind::NoScheme, i),
            Form::Reference | Form::Relative => self.first_segment(),
        }
    }

    /// Parses `isegment-nz-nc`: a colon in the first segment would make it a scheme.
    fn first_segment(&self) -> Result<usize, Error> {
        let end = self.bytes.iter().position(|b| matches!(b, b':' | b'/' | b'?' | b'#'));
        match end {
            Some(at) if self.bytes[at] == b':' => match self.component::<PATH>(0, Private::No) {
                Ok(i) if i < at => self.fail(chars::ascii_kind(self.bytes[i]), i),
                Err(error) if error.index() < at => Err(error),
                _ => self.fail(ErrorKind::ColonInFirstSegment, at),
            },
            _ => Ok(0),
        }
    }

    /// Parses `iauthority`, after the `//`; returns its end.
    fn authority(&self, start: usize, parts: &mut ComponentOffsets) -> Result<usize, Error> {
        let bytes = self.bytes;
        let mut i = start;
        let mut host_start = start;
        // The first colon since the host began; if no `@` follows, it begins the port.
        let mut colon = None;
        let mut at_seen = false;
        loop {
            i = self.component::<AUTHORITY>(i, Private::No)?;
            match bytes.get(i) {
                Some(b':') => {
                    colon = colon.or(Some(i));
                    i += 1;
                }
                Some(b'@') if !at_seen => {
                    at_seen = true;
                    host_start = i + 1;
                    colon = None;
                    i += 1;
                }
                Some(b'@') => return self.fail(ErrorKind::SecondAt, i),
                Some(b'[') if i == host_start => {
                    let end = self.ip_literal(i)?;
                    parts.host_end = end as u32;
                    match bytes.get(end) {
                        Some(b':') => {
                            i = self.port(end + 1)?;
                        }
                        None | Some(b'/' | b'?' | b'#') => i = end,
                        // Any other character after the `]` is an error.
                        Some(&b) if b < 0x80 => return self.fail(chars::ascii_kind(b), end),
                        Some(_) => return self.fail(ErrorKind::HostIpLiteral, end),
                    }
                    parts.host_start = host_start as u32;
                    return Ok(i);
                }
                None | Some(b'/' | b'?' | b'#') => {
                    let host_end = colon.unwrap_or(i);
                    if let Some(colon) = colon {
                        self.port(colon + 1)?;
                    }
                    parts.host_start = host_start as u32;
                    parts.host_end = host_end as u32;
                    return Ok(i);
                }
                Some(&b) => return self.fail(chars::ascii_kind(b), i),
            }
        }
    }

    /// Parses an IP literal from its `[`; returns the offset after the `]`.
    #[cold]
    fn ip_literal(&self, open: usize) -> Result<usize, Error> {
        let rest = &self.bytes[open + 1..];
        let inside = rest.iter().position(|b| matches!(b, b']' | b'/' | b'?' | b'#' | b'['));
        match inside {
            Some(n) if rest[n] == b']' && ip::ip_literal(&rest[..n]) => Ok(open + n + 2),
            _ => self.fail(ErrorKind::HostIpLiteral, open),
        }
    }

    /// Parses `*DIGIT` up to the authority's end; returns the offset there.
    fn port(&self, start: usize) -> Result<usize, Error> {
        let digits = self.bytes[start..].iter().take_while(|b| b.is_ascii_digit()).count();
        let end = start + digits;
        match self.bytes.get(end) {
            None | Some(b'/' | b'?' | b'#') => Ok(end),
            Some(_) => self.fail(ErrorKind::PortCharacter, end),
        }
    }

    /// Skips characters of the class, percent-encoded bytes, and non-ASCII characters that are allowed; returns the offset
    /// of the first other ASCII character, or of the end.
    #[inline(always)]
    fn component<const CLASSES: u8>(&self, mut i: usize, private: Private) -> Result<usize, Error> {
        let bytes = self.bytes;
        loop {
            i = skip::<CLASSES>(bytes, i);
            let Some(&b) = bytes.get(i) else { return Ok(i) };
            if b >= 0x80 {
                i = self.beyond_ascii(i, private)?;
            } else if b != b'%' {
                return Ok(i);
            } else {
                // Percent-encoded bytes come in runs.
                while bytes.get(i) == Some(&b'%') {
                    if triplet(bytes, i).is_none() {
                        return self.fail(ErrorKind::StrayPercent, i);
                    }
                    i += 3;
                }
            }
        }
    }

    /// Skips one character whose lead octet does not decide whether it is allowed.
    #[inline]
    fn beyond_ascii(&self, i: usize, private: Private) -> Result<usize, Error> {
        // D8 is a lead octet of Arabic, and of its characters only U+061C is forbidden.
        if self.bytes[i] == 0xD8 && self.bytes.get(i + 1) != Some(&0x9C) {
            return Ok(i + 2);
        }
        match self.text.get(i..).and_then(|rest| rest.chars().next()) {
            None => Ok(i + 1),
            Some(c) => match chars::judge(c, private) {
                Ok(()) => Ok(i + c.len_utf8()),
                Err(kind) => self.fail(kind, i),
            },
        }
    }

    #[cold]
    fn fail<T>(&self, kind: ErrorKind, index: usize) -> Result<T, Error> {
        Err(Error::new(kind, index))
    }
}

/// Offsets of the components. A component is present if its delimiter is, even if it is empty: `a:?` has a query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct ComponentOffsets {
    /// Offset after the scheme's colon; 0 without a scheme.
    pub(crate) hier_start: u32,
    pub(crate) host_start: u32,
    pub(crate) host_end: u32,
    /// Offset of the path; it is not `hier_start` if there is an authority.
    pub(crate) path_start: u32,
    pub(crate) path_end: u32,
    pub(crate) query_end: u32,
}
