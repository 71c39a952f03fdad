//! Warnings: what a reader of a link should know, as a set of codes.

use std::fmt;

use crate::codes::coded;

coded! {
    /// One thing that a reader of a link should know.
    ///
    /// ```
    /// use linksift::Warning;
    ///
    /// assert_eq!(Warning::StrayPercent.code(), "stray-percent");
    /// assert_eq!("stray-percent".parse(), Ok(Warning::StrayPercent));
    /// ```
    pub enum Warning via code {
        /// A malformed sequence of the encoding ended it.
        Malformed = "malformed",
        /// There is user information in front of the host.
        Userinfo = "userinfo",
        /// The text is not in Unicode Normalization Form C.
        NotNfc = "not-nfc",
        /// A `%` without two hexadecimal digits after it became `%25`.
        StrayPercent = "stray-percent",
        /// ASCII that URIs forbid was percent-encoded.
        ForbiddenCharacter = "forbidden-character",
        /// A character that RFC 3987 does not let into IRIs was percent-encoded.
        NotIriCharacter = "not-iri-character",
        /// A component mixes directions (RFC 3987 §4.2, rule 1).
        BidiMixed = "bidi-mixed",
        /// A right-to-left component begins or ends with something else (RFC 3987 §4.2, rule 2).
        BidiEnds = "bidi-ends",
        /// A `<base href>` that comes too late in a long stream: nothing was resolved against it.
        LateBase = "late-base",
    }
}

/// The warnings of one link, each at most once, in the order of [`Warning::ALL`].
///
/// ```
/// let link = linksift::links("ftp://me@example.com/100%").next().unwrap();
/// let codes: Vec<_> = link.warnings().iter().map(|w| w.code()).collect();
/// assert_eq!(codes, ["userinfo", "stray-percent"]);
/// ```
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Warnings {
    /// A bit for each warning, by its place in `Warning::ALL`.
    bits: u64,
}

const _: () = assert!(Warning::ALL.len() <= u64::BITS as usize, "a warning is one bit of a u64");

impl Warnings {
    /// Whether there are none.
    pub const fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// How many there are.
    pub const fn len(self) -> usize {
        self.bits.count_ones() as usize
    }

    /// Whether this one is among them.
    pub const fn contains(self, warning: Warning) -> bool {
        self.bits >> warning as u8 & 1 != 0
    }

    /// The warnings, one after the other.
    pub const fn iter(self) -> WarningsIter {
        WarningsIter { left: self }
    }

    pub(crate) fn insert(&mut self, warning: Warning) {
        self.bits |= 1 << warning as u8;
    }

    #[cfg(feature = "charset")]
    pub(crate) fn remove(&mut self, warning: Warning) {
        self.bits &= !(1 << warning as u8);
    }
}

impl IntoIterator for Warnings {
    type Item = Warning;
    type IntoIter = WarningsIter;

    fn into_iter(self) -> WarningsIter {
        self.iter()
    }
}

/// The warnings of one link; see [`Warnings::iter`].
#[derive(Clone, Debug)]
pub struct WarningsIter {
    left: Warnings,
}

impl Iterator for WarningsIter {
    type Item = Warning;

    fn next(&mut self) -> Option<Warning> {
        let warning = *Warning::ALL.get(self.left.bits.trailing_zeros() as usize)?;
        self.left.bits &= self.left.bits - 1;
        Some(warning)
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left.len(), Some(self.left.len()))
    }
}

impl ExactSizeIterator for WarningsIter {}

impl fmt::Debug for Warnings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}
