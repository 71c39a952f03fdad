//! Errors of parsing and mapping, with their positions.
//!
//! An error is a value: it is `Copy`, it has the byte index of the first error in the text, and its kind has a code that
//! does not change between versions.

use std::fmt;

use crate::codes::coded;

/// Error of parsing or mapping an IRI, with its position.
///
/// ```
/// use linksift::iri::{ErrorKind, Iri};
///
/// let refused = Iri::parse("http://example.org/100%").unwrap_err();
/// assert_eq!(refused.kind(), ErrorKind::StrayPercent);
/// assert_eq!(refused.index(), 22);
/// assert_eq!(refused.to_string(), "stray-percent at byte 22");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Error {
    index: usize,
    kind: ErrorKind,
}

impl Error {
    pub(crate) const fn new(kind: ErrorKind, index: usize) -> Self {
        Error { index, kind }
    }

    /// Returns the same error for a text that begins `by` bytes later.
    pub(crate) const fn moved(self, by: usize) -> Self {
        Error { index: self.index + by, ..self }
    }

    /// Returns the byte index of the first error; at most the length of the text.
    ///
    /// ```
    /// let error = linksift::iri::Iri::parse("http://e.com/a b").unwrap_err();
    /// assert_eq!(error.index(), 14);
    /// ```
    #[must_use]
    pub const fn index(&self) -> usize {
        self.index
    }

    /// Returns the kind of the error at the [index](Error::index).
    ///
    /// ```
    /// use linksift::iri::{ErrorKind, Iri};
    ///
    /// assert_eq!(Iri::parse("../a").unwrap_err().kind(), ErrorKind::NoScheme);
    /// ```
    #[must_use]
    pub const fn kind(&self) -> ErrorKind {
        self.kind
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} at byte {}", self.kind.as_str(), self.index)
    }
}

impl std::error::Error for Error {}

coded! {
    /// Kind of an error. [`as_str`](ErrorKind::as_str) returns its stable name.
    ///
    /// ```
    /// use linksift::iri::ErrorKind;
    ///
    /// assert_eq!(ErrorKind::SecondAt.as_str(), "second-at");
    /// assert_eq!("second-at".parse(), Ok(ErrorKind::SecondAt));
    /// ```
    pub enum ErrorKind in "linksift::iri" {
        /// No scheme where one is required (RFC 3987 §2.2 `IRI`); the index is where a `:` was expected.
        NoScheme = "no-scheme",
        /// A colon in the first segment of a relative reference (RFC 3986 §4.2).
        ColonInFirstSegment = "colon-in-first-segment",
        /// A fragment in an `absolute-IRI` (RFC 3986 §4.3).
        Fragment = "fragment",
        /// A `%` without two hexadecimal digits after it (RFC 3986 §2.1).
        StrayPercent = "stray-percent",
        /// A printable ASCII character that is not allowed there: ``< > " { } | \ ^ ` `` and space, `[ ]` outside the host,
        /// a second `#`.
        ForbiddenCharacter = "forbidden-character",
        /// A C0 or C1 control, or DEL.
        ControlCharacter = "control-character",
        /// A character that is neither `ucschar` nor `iprivate` (RFC 3987 §2.2).
        NotIriCharacter = "not-iri-character",
        /// `iprivate` outside the query (RFC 3987 §2.2).
        PrivateUse = "private-use",
        /// A bidirectional formatting character (RFC 3987 §4.1).
        BidiControl = "bidi-control",
        /// A non-ASCII character in a text that must be a URI (RFC 3986).
        NotAscii = "not-ascii",
        /// Bytes that are not UTF-8.
        NotUtf8 = "not-utf-8",
        /// A second `@` in the authority (RFC 3986 §3.2.1).
        SecondAt = "second-at",
        /// Between `[` and `]` neither `IPv6address` nor `IPvFuture`, or no `]` (RFC 3986 §3.2.2).
        HostIpLiteral = "host-ip-literal",
        /// A port that is not `*DIGIT` (RFC 3986 §3.2.3).
        PortCharacter = "port-character",
        /// More than 4 GiB of text: offsets are 32 bits wide.
        TooLong = "too-long",
        /// The host is not valid according to UTS #46.
        HostInvalidIdna = "host-invalid-idna",
        /// A label of the host is empty or longer than 63 octets.
        HostLabel = "host-label",
        /// The host is longer than 253 octets.
        HostTooLong = "host-too-long",
        /// The percent-encoded bytes of the host are not UTF-8.
        HostNotUtf8 = "host-not-utf-8",
        /// No authority where the scheme needs one.
        SchemeAuthority = "scheme-authority",
        /// An authority where the scheme has none.
        SchemeNoAuthority = "scheme-no-authority",
        /// An empty host where the scheme needs one.
        SchemeHost = "scheme-host-empty",
        /// A host whose last label is all digits, but which is not an IPv4 address (RFC 3986 §7.4).
        SchemeHostIpv4 = "scheme-host-ipv4",
        /// A port above 65535.
        SchemePort = "scheme-port",
        /// A port where the scheme has none.
        SchemeNoPort = "scheme-no-port",
        /// Userinfo where the scheme has none.
        SchemeUserinfo = "scheme-userinfo",
        /// A fragment where the scheme has none.
        SchemeFragment = "scheme-fragment",
        /// A query where the scheme has none.
        SchemeQuery = "scheme-query",
        /// A path that the scheme's grammar does not accept.
        SchemePath = "scheme-path",
        /// An e-mail address that the scheme's grammar does not accept (RFC 6068 §2).
        SchemeAddress = "scheme-address",
        /// A header field of `mailto:` without name or `=` (RFC 6068 §2).
        SchemeHfield = "scheme-hfield",
        /// A namespace identifier that RFC 8141 §2 does not accept.
        SchemeNid = "scheme-nid",
        /// A namespace specific string that RFC 8141 §2 does not accept.
        SchemeNss = "scheme-nss",
    }
}
