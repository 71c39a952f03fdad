//! References as texts: comparison, hashing, formatting, and parsing.

use std::fmt;

use super::components::{Iri, IriRef};
use super::error::Error;

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
