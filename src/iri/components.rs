//! Parsed IRIs: borrowed text and six offsets into it.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::ops::Deref;

use super::error::Error;
use super::ip;
use super::parse::{self, ComponentOffsets, Form, Repertoire};

/// Rule of the grammar and set of characters to parse with.
///
/// ```
/// use linksift::iri::{Form, Repertoire, Syntax};
///
/// let uri_reference = Syntax::new().form(Form::Reference).repertoire(Repertoire::Rfc3986);
/// assert!(uri_reference.parse("../a?b#c").is_ok());
/// assert!(uri_reference.parse("../é").is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[must_use]
pub struct Syntax {
    form: Form,
    repertoire: Repertoire,
}

impl Syntax {
    /// Creates the syntax of the rule `IRI` of RFC 3987.
    ///
    /// ```
    /// use linksift::iri::Syntax;
    ///
    /// assert!(Syntax::new().parse("http://例え.jp/#a").is_ok());
    /// assert!(Syntax::new().parse("../a").is_err());
    /// ```
    pub const fn new() -> Self {
        Syntax { form: Form::Iri, repertoire: Repertoire::Rfc3987 }
    }

    /// Sets the rule of the grammar. Default: [`Form::Iri`].
    ///
    /// ```
    /// use linksift::iri::{Form, Syntax};
    ///
    /// assert!(Syntax::new().form(Form::Reference).parse("../a").is_ok());
    /// assert!(Syntax::new().form(Form::Absolute).parse("http://e.com/#a").is_err());
    /// ```
    pub const fn form(mut self, form: Form) -> Self {
        self.form = form;
        self
    }

    /// Sets the characters that are allowed. Default: [`Repertoire::Rfc3987`].
    ///
    /// ```
    /// use linksift::iri::{Repertoire, Syntax};
    ///
    /// let uri = Syntax::new().repertoire(Repertoire::Rfc3986);
    /// assert!(uri.parse("http://e.com/%C3%A9").is_ok());
    /// assert_eq!(uri.parse("http://e.com/é").unwrap_err().index(), 13);
    /// ```
    pub const fn repertoire(mut self, repertoire: Repertoire) -> Self {
        self.repertoire = repertoire;
        self
    }

    /// Parses a text.
    ///
    /// # Errors
    ///
    /// The first error in the text, with its byte index.
    ///
    /// ```
    /// use linksift::iri::{ErrorKind, Syntax};
    ///
    /// assert_eq!(Syntax::new().parse("http://例え.jp/a")?.path(), "/a");
    /// let error = Syntax::new().parse("http://e.com/a b").unwrap_err();
    /// assert_eq!((error.kind(), error.index()), (ErrorKind::ForbiddenCharacter, 14));
    /// # Ok::<(), linksift::iri::Error>(())
    /// ```
    #[inline]
    pub fn parse(self, text: &str) -> Result<IriRef<'_>, Error> {
        Ok(IriRef { text, parts: parse::parse(text, self.form, self.repertoire)? })
    }

    /// Parses bytes. Malformed UTF-8 is an error at its position, unless there is an earlier error.
    ///
    /// # Errors
    ///
    /// As [`parse`](Syntax::parse), and [`NotUtf8`](super::ErrorKind::NotUtf8).
    ///
    /// ```
    /// use linksift::iri::{ErrorKind, Syntax};
    ///
    /// assert_eq!(Syntax::new().parse_bytes("a:é".as_bytes())?.path(), "é");
    /// let error = Syntax::new().parse_bytes(b"a:b\xFF").unwrap_err();
    /// assert_eq!((error.kind(), error.index()), (ErrorKind::NotUtf8, 3));
    /// # Ok::<(), linksift::iri::Error>(())
    /// ```
    pub fn parse_bytes(self, bytes: &[u8]) -> Result<IriRef<'_>, Error> {
        let (text, parts) = parse::parse_bytes(bytes, self.form, self.repertoire)?;
        Ok(IriRef { text, parts })
    }
}

/// A valid IRI reference (RFC 3987 §2.2 `IRI-reference`), borrowed.
///
/// ```
/// use linksift::iri::IriRef;
///
/// let reference = IriRef::parse("//例え.jp:80/パス?a=b#")?;
/// assert_eq!(reference.scheme(), None);
/// assert_eq!(reference.host(), Some("例え.jp"));
/// assert_eq!(reference.port(), Some("80"));
/// assert_eq!(reference.path(), "/パス");
/// assert_eq!(reference.query(), Some("a=b"));
/// assert_eq!(reference.fragment(), Some(""));
/// # Ok::<(), linksift::iri::Error>(())
/// ```
#[derive(Clone, Copy)]
pub struct IriRef<'a> {
    pub(crate) text: &'a str,
    pub(crate) parts: ComponentOffsets,
}

/// A valid IRI (RFC 3987 §2.2 `IRI`: with a scheme), borrowed. It derefs to [`IriRef`].
///
/// ```
/// use linksift::iri::{ErrorKind, Iri};
///
/// let iri = Iri::parse("http://user@例え.jp/パス")?;
/// assert_eq!(iri.scheme(), "http");
/// assert_eq!(iri.userinfo(), Some("user"));
///
/// let refused = Iri::parse("http://例え.jp/a b").unwrap_err();
/// assert_eq!((refused.kind(), refused.index()), (ErrorKind::ForbiddenCharacter, 18));
/// # Ok::<(), linksift::iri::Error>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Iri<'a>(IriRef<'a>);

/// The kind of a host by the grammar: the first match wins (RFC 3986 §3.2.2).
///
/// ```
/// use linksift::iri::{HostKind, IriRef};
///
/// assert_eq!(IriRef::parse("//256.1.1.1/").unwrap().host_kind(), Some(HostKind::RegName));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum HostKind {
    /// `IPv4address`.
    Ipv4(Ipv4Addr),
    /// `IPv6address` in brackets.
    Ipv6(Ipv6Addr),
    /// `IPvFuture` in brackets.
    IpvFuture,
    /// `ireg-name`, empty ones too.
    RegName,
}

impl<'a> IriRef<'a> {
    /// Parses an `IRI-reference`.
    ///
    /// # Errors
    ///
    /// The first error in the text, with its byte index.
    ///
    /// ```
    /// use linksift::iri::IriRef;
    ///
    /// assert_eq!(IriRef::parse("../é?a")?.query(), Some("a"));
    /// assert_eq!(IriRef::parse("../é^").unwrap_err().index(), 5);
    /// # Ok::<(), linksift::iri::Error>(())
    /// ```
    #[inline]
    pub fn parse(text: &'a str) -> Result<Self, Error> {
        Syntax::new().form(Form::Reference).parse(text)
    }

    /// Parses an `IRI-reference` from bytes.
    ///
    /// # Errors
    ///
    /// As [`parse`](IriRef::parse), and [`NotUtf8`](super::ErrorKind::NotUtf8).
    ///
    /// ```
    /// # use linksift::iri::{ErrorKind, IriRef};
    /// assert_eq!(IriRef::parse_bytes(b"a/\xFF").unwrap_err().kind(), ErrorKind::NotUtf8);
    /// ```
    pub fn parse_bytes(bytes: &'a [u8]) -> Result<Self, Error> {
        Syntax::new().form(Form::Reference).parse_bytes(bytes)
    }

    /// Returns the text, as it was given.
    ///
    /// ```
    /// let iri = linksift::iri::Iri::parse("HTTP://me@例え.jp:80/a?b#c").unwrap();
    /// assert_eq!(iri.as_str(), "HTTP://me@例え.jp:80/a?b#c");
    /// ```
    #[must_use]
    pub const fn as_str(&self) -> &'a str {
        self.text
    }

    /// Creates a reference from a valid `text` and the offsets of its components.
    pub(crate) fn from_parts(text: &'a str, parts: ComponentOffsets) -> Self {
        IriRef { text, parts }
    }

    /// Returns the offsets of its components.
    pub(crate) fn parts(&self) -> ComponentOffsets {
        self.parts
    }

    /// Returns the range of the host; empty if there is none.
    pub(crate) fn host_range(&self) -> std::ops::Range<usize> {
        self.parts.host_start as usize..self.parts.host_end as usize
    }

    #[inline]
    pub(crate) fn slice(&self, start: u32, end: u32) -> &'a str {
        self.text.get(start as usize..end as usize).unwrap_or_default()
    }

    /// Returns the scheme, without its colon, in its original letter case.
    ///
    /// ```
    /// let iri = linksift::iri::Iri::parse("HTTP://me@例え.jp:80/a?b#c").unwrap();
    /// assert_eq!(iri.as_reference().scheme(), Some("HTTP"));
    /// ```
    #[must_use]
    #[inline]
    pub fn scheme(&self) -> Option<&'a str> {
        (self.parts.hier_start != 0).then(|| self.slice(0, self.parts.hier_start - 1))
    }

    #[inline]
    pub(crate) fn has_authority(&self) -> bool {
        self.parts.path_start != self.parts.hier_start
    }

    /// Returns the authority, without its `//`.
    ///
    /// ```
    /// let iri = linksift::iri::Iri::parse("HTTP://me@例え.jp:80/a?b#c").unwrap();
    /// assert_eq!(iri.authority(), Some("me@例え.jp:80"));
    /// ```
    #[must_use]
    #[inline]
    pub fn authority(&self) -> Option<&'a str> {
        self.has_authority().then(|| self.slice(self.parts.hier_start + 2, self.parts.path_start))
    }

    /// Returns the userinfo, without its `@`.
    ///
    /// ```
    /// let iri = linksift::iri::Iri::parse("HTTP://me@例え.jp:80/a?b#c").unwrap();
    /// assert_eq!(iri.userinfo(), Some("me"));
    /// ```
    #[must_use]
    #[inline]
    pub fn userinfo(&self) -> Option<&'a str> {
        let start = self.parts.hier_start + 2;
        (self.has_authority() && self.parts.host_start > start)
            .then(|| self.slice(start, self.parts.host_start - 1))
    }

    /// Returns the host; an IP literal has its brackets.
    ///
    /// ```
    /// let iri = linksift::iri::Iri::parse("HTTP://me@例え.jp:80/a?b#c").unwrap();
    /// assert_eq!(iri.host(), Some("例え.jp"));
    /// ```
    #[must_use]
    #[inline]
    pub fn host(&self) -> Option<&'a str> {
        self.has_authority().then(|| self.slice(self.parts.host_start, self.parts.host_end))
    }

    /// Returns the kind of the host.
    ///
    /// ```
    /// # use linksift::iri::{HostKind, IriRef};
    /// let kind = |text| IriRef::parse(text).ok().and_then(|iri| iri.host_kind());
    /// assert_eq!(kind("//1.2.3.4/"), Some(HostKind::Ipv4([1, 2, 3, 4].into())));
    /// assert_eq!(kind("//256.1.1.1/"), Some(HostKind::RegName));
    /// assert_eq!(kind("//[::1]/"), Some(HostKind::Ipv6(std::net::Ipv6Addr::LOCALHOST)));
    /// assert_eq!(kind("/path"), None);
    /// ```
    #[must_use]
    pub fn host_kind(&self) -> Option<HostKind> {
        let host = self.host()?;
        let inside = host.strip_prefix('[').and_then(|host| host.strip_suffix(']'));
        Some(match inside {
            Some(inside) => ip::ipv6(inside.as_bytes()).map_or(HostKind::IpvFuture, HostKind::Ipv6),
            None => ip::ipv4(host.as_bytes()).map_or(HostKind::RegName, HostKind::Ipv4),
        })
    }

    /// Returns the digits of the port; `Some("")` if nothing follows the colon.
    ///
    /// ```
    /// let iri = linksift::iri::Iri::parse("HTTP://me@例え.jp:80/a?b#c").unwrap();
    /// assert_eq!(iri.port(), Some("80"));
    /// ```
    #[must_use]
    #[inline]
    pub fn port(&self) -> Option<&'a str> {
        (self.has_authority() && self.parts.host_end < self.parts.path_start)
            .then(|| self.slice(self.parts.host_end + 1, self.parts.path_start))
    }

    /// Returns the path, which may be empty.
    ///
    /// ```
    /// let iri = linksift::iri::Iri::parse("HTTP://me@例え.jp:80/a?b#c").unwrap();
    /// assert_eq!(iri.path(), "/a");
    /// ```
    #[must_use]
    #[inline]
    pub fn path(&self) -> &'a str {
        self.slice(self.parts.path_start, self.parts.path_end)
    }

    /// Returns the query, without its `?`.
    ///
    /// ```
    /// let iri = linksift::iri::Iri::parse("HTTP://me@例え.jp:80/a?b#c").unwrap();
    /// assert_eq!(iri.query(), Some("b"));
    /// ```
    #[must_use]
    #[inline]
    pub fn query(&self) -> Option<&'a str> {
        (self.parts.path_end < self.parts.query_end)
            .then(|| self.slice(self.parts.path_end + 1, self.parts.query_end))
    }

    /// Returns the fragment, without its `#`.
    ///
    /// ```
    /// let iri = linksift::iri::Iri::parse("HTTP://me@例え.jp:80/a?b#c").unwrap();
    /// assert_eq!(iri.fragment(), Some("c"));
    /// ```
    #[must_use]
    #[inline]
    pub fn fragment(&self) -> Option<&'a str> {
        self.text.get(self.parts.query_end as usize + 1..)
    }

    /// Returns the reference as an IRI, if it has a scheme.
    ///
    /// ```
    /// let reference = linksift::iri::IriRef::parse("a/b").unwrap();
    /// assert!(reference.to_iri().is_none());
    /// ```
    #[must_use]
    #[inline]
    pub fn to_iri(self) -> Option<Iri<'a>> {
        (self.parts.hier_start != 0).then_some(Iri(self))
    }
}

impl<'a> Iri<'a> {
    /// Creates an IRI from a text that was parsed before, and the offsets of its components.
    pub(crate) fn from_parts(text: &'a str, parts: ComponentOffsets) -> Self {
        Iri(IriRef { text, parts })
    }

    /// Parses an `IRI`.
    ///
    /// # Errors
    ///
    /// The first error in the text, with its byte index.
    ///
    /// ```
    /// assert!(linksift::iri::Iri::parse("mailto:a@e.com").is_ok());
    /// assert_eq!(linksift::iri::Iri::parse("http://e.com/a b").unwrap_err().index(), 14);
    /// ```
    #[inline]
    pub fn parse(text: &'a str) -> Result<Self, Error> {
        Syntax::new().parse(text).map(Iri)
    }

    /// Parses an `absolute-IRI`, which has no fragment (RFC 3986 §4.3).
    ///
    /// # Errors
    ///
    /// As [`parse`](Iri::parse), and [`Fragment`](super::ErrorKind::Fragment).
    ///
    /// ```
    /// # use linksift::iri::Iri;
    /// assert!(Iri::parse_absolute("a:b?c").is_ok());
    /// assert!(Iri::parse_absolute("a:b#").is_err());
    /// ```
    pub fn parse_absolute(text: &'a str) -> Result<Self, Error> {
        Syntax::new().form(Form::Absolute).parse(text).map(Iri)
    }

    /// Parses an `IRI` from bytes.
    ///
    /// # Errors
    ///
    /// As [`parse`](Iri::parse), and [`NotUtf8`](super::ErrorKind::NotUtf8).
    ///
    /// ```
    /// # use linksift::iri::Iri;
    /// assert_eq!(Iri::parse_bytes("a:é".as_bytes())?.path(), "é");
    /// # Ok::<(), linksift::iri::Error>(())
    /// ```
    pub fn parse_bytes(bytes: &'a [u8]) -> Result<Self, Error> {
        Syntax::new().parse_bytes(bytes).map(Iri)
    }

    /// Returns the scheme, without its colon, in its original letter case.
    ///
    /// ```
    /// let iri = linksift::iri::Iri::parse("HTTP://me@例え.jp:80/a?b#c").unwrap();
    /// assert_eq!(iri.scheme(), "HTTP");
    /// ```
    #[must_use]
    #[inline]
    pub fn scheme(&self) -> &'a str {
        self.0.slice(0, self.0.parts.hier_start - 1)
    }

    /// Returns the IRI as a reference.
    ///
    /// ```
    /// let iri = linksift::iri::Iri::parse("HTTP://me@例え.jp:80/a?b#c").unwrap();
    /// assert_eq!(iri.as_reference().path(), iri.path());
    /// ```
    #[must_use]
    pub const fn as_reference(&self) -> IriRef<'a> {
        self.0
    }
}

impl<'a> Deref for Iri<'a> {
    type Target = IriRef<'a>;

    fn deref(&self) -> &IriRef<'a> {
        &self.0
    }
}
