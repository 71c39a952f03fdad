//! References as texts: types that own their text, for settings, and comparison, hashing, formatting and parsing.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::components::{Iri, IriRef};
use super::error::{Error, ErrorKind};
use super::parse::ComponentOffsets;

/// The name of a scheme (RFC 3986 §3.1), in lower case, without its colon.
///
/// ```
/// use linksift::iri::Scheme;
///
/// assert_eq!("HTTP".parse::<Scheme>()?.as_str(), "http");
/// assert_eq!("not a scheme".parse::<Scheme>().unwrap_err().index(), 3);
/// # Ok::<(), linksift::iri::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Scheme(Box<str>);

impl Scheme {
    /// Returns the name, in lower case.
    ///
    /// ```
    /// let scheme: linksift::iri::Scheme = "HTTPS".parse().unwrap();
    /// assert_eq!(scheme.as_str(), "https");
    /// ```
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for Scheme {
    type Err = Error;

    /// Parses a name, in upper or lower case.
    ///
    /// # Errors
    ///
    /// [`ErrorKind::NoScheme`], at the first byte that the grammar does not allow: a name begins with an ASCII letter and
    /// continues with letters, digits, `+`, `-` and `.`.
    fn from_str(name: &str) -> Result<Scheme, Error> {
        let is_inner = |b: u8| b.is_ascii_alphanumeric() || b"+-.".contains(&b);
        let is_first = |b: u8| b.is_ascii_alphabetic();
        let wrong =
            name.bytes().enumerate().find(|&(at, b)| !(is_inner(b) && (at > 0 || is_first(b))));
        match wrong {
            Some((at, _)) => Err(Error::new(ErrorKind::NoScheme, at)),
            None if name.is_empty() => Err(Error::new(ErrorKind::NoScheme, 0)),
            None => Ok(Scheme(name.to_ascii_lowercase().into())),
        }
    }
}

impl AsRef<str> for Scheme {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for Scheme {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

/// An IRI (RFC 3987 §2.2) that owns its text; [`as_iri`](IriBuf::as_iri) borrows it.
///
/// ```
/// use linksift::iri::IriBuf;
///
/// let base: IriBuf = "http://例え.jp/文書/".parse()?;
/// assert_eq!(base.as_iri().host(), Some("例え.jp"));
/// assert!("../a".parse::<IriBuf>().is_err());
/// # Ok::<(), linksift::iri::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct IriBuf {
    /// Shared, because a base is kept wherever it applies.
    text: Arc<str>,
    parts: ComponentOffsets,
}

impl IriBuf {
    /// Returns the text, as it was given.
    ///
    /// ```
    /// let iri: linksift::iri::IriBuf = "HTTP://例え.jp/".parse().unwrap();
    /// assert_eq!(iri.as_str(), "HTTP://例え.jp/");
    /// ```
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// Returns the IRI with its components.
    ///
    /// ```
    /// let iri: linksift::iri::IriBuf = "http://例え.jp/文書/".parse().unwrap();
    /// assert_eq!(iri.as_iri().path(), "/文書/");
    /// ```
    #[must_use]
    pub fn as_iri(&self) -> Iri<'_> {
        Iri::from_parts(&self.text, self.parts)
    }
}

impl From<Iri<'_>> for IriBuf {
    fn from(iri: Iri<'_>) -> IriBuf {
        IriBuf { text: iri.as_str().into(), parts: iri.parts() }
    }
}

impl FromStr for IriBuf {
    type Err = Error;

    /// Parses by the grammar, as [`Iri::parse`].
    ///
    /// # Errors
    ///
    /// The first error.
    fn from_str(text: &str) -> Result<IriBuf, Error> {
        Iri::parse(text).map(IriBuf::from)
    }
}

impl fmt::Display for IriBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.text)
    }
}

impl fmt::Debug for IriBuf {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&self.text, f)
    }
}

/// References are compared as texts: RFC 3987 §5.3.1.
impl PartialEq for IriRef<'_> {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Eq for IriRef<'_> {}

impl PartialOrd for IriRef<'_> {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for IriRef<'_> {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        self.text.cmp(other.text)
    }
}

impl std::hash::Hash for IriRef<'_> {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        self.text.hash(state);
    }
}

impl fmt::Display for IriRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text)
    }
}

impl fmt::Debug for IriRef<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "IriRef({:?})", self.text)
    }
}

impl fmt::Display for Iri<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.text)
    }
}

impl fmt::Debug for Iri<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Iri({:?})", self.text)
    }
}

impl<'a> TryFrom<&'a str> for Iri<'a> {
    type Error = Error;

    fn try_from(text: &'a str) -> Result<Self, Error> {
        Iri::parse(text)
    }
}

impl<'a> TryFrom<&'a str> for IriRef<'a> {
    type Error = Error;

    fn try_from(text: &'a str) -> Result<Self, Error> {
        IriRef::parse(text)
    }
}
