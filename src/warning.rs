//! Warnings: what a reader of a link should know, as a set of codes, each with its severity.
//!
//! Who gives them is the finder (how a link is written) and the room `trust` (what a link can deceive
//! with). A code does not change between versions.

use std::fmt;

use crate::codes::coded;

coded! {
    /// How much a [`Warning`] matters to who reads a link, or opens it; the least comes first.
    ///
    /// ```
    /// use linksift::{Severity, Warning};
    ///
    /// assert!(Severity::Deceptive > Severity::Suspect);
    /// assert_eq!(Warning::HostMixedScript.severity(), Severity::Deceptive);
    /// assert_eq!("suspect".parse(), Ok(Severity::Suspect));
    /// ```
    pub enum Severity in "linksift" via as_str {
        /// Worth knowing, and common in good links: nothing has to be shown to a reader.
        Note = "note",
        /// Rare in good links: show the whole host beside the link.
        Suspect = "suspect",
        /// A reader or a program takes the link for another one: ask before it is opened.
        Deceptive = "deceptive",
    }
}

coded! {
    /// One thing that a reader of a link should know.
    ///
    /// A warning describes the link, and never calls it malicious: nothing is opened, and no list of bad sites
    /// is asked. `docs/trust.md` has each code with its rule and an example.
    ///
    /// ```
    /// use linksift::Warning;
    ///
    /// assert_eq!(Warning::StrayPercent.code(), "stray-percent");
    /// assert_eq!("stray-percent".parse(), Ok(Warning::StrayPercent));
    /// ```
    pub enum Warning in "linksift" via code {
        /// A malformed sequence of the encoding ended it.
        Malformed = "malformed",
        /// There is user information before the host.
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
        /// A `<base href>` that stands too late in a long stream: nothing was resolved against it.
        LateBase = "late-base",
        /// It was written in several pieces, which were joined: in mail, broken over lines in `<…>`.
        Joined = "joined",
        /// A `POST` to it unsubscribes without asking (RFC 8058).
        OneClick = "one-click",
        /// It is read as browsers read it where a standard refuses it: `tel:` with a space, `mailto:?&subject=x`, `http://foo-.example.com/`.
        Lenient = "lenient",
        /// A label mixes scripts that no writing system mixes (UTS #39 §5.2, Highly Restrictive).
        HostMixedScript = "host-mixed-script",
        /// All letters of a label that is not Latin look like Latin ones, or all of it like digits.
        HostConfusable = "host-confusable",
        /// A label has a character that names should not have (UTS #39 §3.1): a symbol, an IPA letter.
        HostCharacter = "host-character",
        /// A label has a character where it imitates another one.
        HostContext = "host-context",
        /// A label has a mark twice running, or on a letter that does not take it (UTS #39 §5.4).
        HostMarks = "host-marks",
        /// A label has decimal digits of two systems (UTS #39 §5.3).
        HostMixedDigits = "host-mixed-digits",
        /// A label has Latin letters that no one language has.
        HostMixedLetters = "host-mixed-letters",
        /// The host looks like one that was named as known, and is another.
        HostLookalike = "host-lookalike",
        /// The host has `com`, `net`, `org` or `gov` where only its own subdomains are.
        HostNested = "host-nested",
        /// The host is written with characters that mapping turns into ASCII, or drops.
        HostDisguised = "host-disguised",
        /// RFC 3986 and WHATWG's standard go to different hosts.
        HostDisputed = "host-disputed",
        /// An IPv4 address that is not written as four decimal numbers.
        IpDisguised = "ip-disguised",
        /// The user information reads as a host.
        UserinfoHost = "userinfo-host",
        /// There is a character that cannot be seen, or turns the direction of what follows.
        Invisible = "invisible",
        /// After the host is what a reader takes for a part of it, and a program does not.
        GoesOn = "goes-on",
        /// The visible text of an anchor names another site than it leads to.
        TextMismatch = "text-mismatch",
        /// The scheme runs a program or shows a document that the link itself holds.
        ActiveScheme = "active-scheme",
        /// The scheme opens a program of the system or a share.
        LaunchScheme = "launch-scheme",
        /// Triplets in the path hide dot segments, a NUL, or overlong forms.
        EncodedSyntax = "encoded-syntax",
        /// The `mailto:` sets a field that RFC 6068 warns of.
        MailtoFields = "mailto-fields",
        /// The `tel:` has `*` or `#`: a code that the telephone itself obeys.
        TelCode = "tel-code",
    }
}

impl Warning {
    /// How much it matters.
    ///
    /// ```
    /// use linksift::{Severity, Warning};
    ///
    /// assert_eq!(Warning::NotNfc.severity(), Severity::Note);
    /// assert_eq!(Warning::Userinfo.severity(), Severity::Suspect);
    /// ```
    pub const fn severity(self) -> Severity {
        match self {
            Warning::Malformed
            | Warning::NotNfc
            | Warning::StrayPercent
            | Warning::ForbiddenCharacter
            | Warning::NotIriCharacter
            | Warning::BidiMixed
            | Warning::BidiEnds
            | Warning::LateBase
            | Warning::Joined
            | Warning::OneClick
            | Warning::Lenient => Severity::Note,
            Warning::Userinfo
            | Warning::HostCharacter
            | Warning::HostContext
            | Warning::HostMarks
            | Warning::HostMixedDigits
            | Warning::HostMixedLetters
            | Warning::HostNested
            | Warning::HostDisguised
            | Warning::GoesOn
            | Warning::ActiveScheme
            | Warning::LaunchScheme
            | Warning::EncodedSyntax
            | Warning::MailtoFields => Severity::Suspect,
            Warning::HostMixedScript
            | Warning::HostConfusable
            | Warning::HostLookalike
            | Warning::HostDisputed
            | Warning::IpDisguised
            | Warning::UserinfoHost
            | Warning::Invisible
            | Warning::TextMismatch
            | Warning::TelCode => Severity::Deceptive,
        }
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
    /// Returns `true` if the set is empty.
    ///
    /// ```
    /// let link = linksift::links("http://example.com/").next().unwrap();
    /// assert!(link.warnings().is_empty());
    /// ```
    pub const fn is_empty(self) -> bool {
        self.bits == 0
    }

    /// How many there are.
    ///
    /// ```
    /// let warnings = linksift::links("ftp://me@example.com/100%").next().unwrap().warnings();
    /// assert_eq!(warnings.len(), 2);
    /// ```
    pub const fn len(self) -> usize {
        self.bits.count_ones() as usize
    }

    /// Whether this one is among them.
    ///
    /// ```
    /// use linksift::Warning;
    ///
    /// let warnings = linksift::links("ftp://me@example.com/100%").next().unwrap().warnings();
    /// assert!(warnings.contains(Warning::Userinfo) && !warnings.contains(Warning::Malformed));
    /// ```
    pub const fn contains(self, warning: Warning) -> bool {
        self.bits >> warning as u8 & 1 != 0
    }

    /// The warnings, one after the other.
    ///
    /// ```
    /// let warnings = linksift::links("ftp://me@example.com/100%").next().unwrap().warnings();
    /// let codes: Vec<_> = warnings.iter().map(|warning| warning.code()).collect();
    /// assert_eq!(codes, ["userinfo", "stray-percent"]);
    /// ```
    pub const fn iter(self) -> WarningsIter {
        WarningsIter { left: self }
    }

    /// The greatest severity among them; `None` without warnings.
    ///
    /// ```
    /// use linksift::Severity;
    ///
    /// let link = linksift::links("ftp://me@example.com/100%").next().unwrap();
    /// assert_eq!(link.warnings().severity(), Some(Severity::Suspect));
    /// ```
    pub fn severity(self) -> Option<Severity> {
        self.iter().map(Warning::severity).max()
    }

    pub(crate) fn insert(&mut self, warning: Warning) {
        self.bits |= 1 << warning as u8;
    }

    /// These and those.
    pub(crate) const fn with(self, others: Warnings) -> Warnings {
        Warnings { bits: self.bits | others.bits }
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
///
/// ```
/// let warnings = linksift::links("ftp://me@example.com/100%").next().unwrap().warnings();
/// let mut each = warnings.iter();
/// assert_eq!(each.next(), Some(linksift::Warning::Userinfo));
/// assert_eq!(each.count(), 1);
/// ```
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
