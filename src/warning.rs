//! Warnings about links, as a set of codes with severities.
//!
//! Who gives them is the finder (how a link is written) and the module `trust` (what a link can deceive
//! with). A code does not change between versions.

use std::fmt;

use crate::codes::coded;

coded! {
    /// Severity of a [`Warning`] for the person who reads or opens a link, in ascending order.
    ///
    /// ```
    /// use linksift::{Severity, Warning};
    ///
    /// assert!(Severity::Deceptive > Severity::Suspect);
    /// assert_eq!(Warning::HostMixedScript.severity(), Severity::Deceptive);
    /// assert_eq!("suspect".parse(), Ok(Severity::Suspect));
    /// ```
    pub enum Severity in "linksift" {
        /// Common in harmless links: nothing has to be shown.
        Note = "note",
        /// Rare in harmless links: show the complete host next to the link.
        Suspect = "suspect",
        /// A reader or a program mistakes the link for another one: ask before opening it.
        Deceptive = "deceptive",
    }
}

coded! {
    /// Warning about a link.
    ///
    /// A warning describes the link, and never calls it malicious: nothing is opened, and no list of bad sites
    /// is asked. `docs/trust.md` has each code with its rule and an example.
    ///
    /// ```
    /// use linksift::Warning;
    ///
    /// assert_eq!(Warning::StrayPercent.as_str(), "stray-percent");
    /// assert_eq!("stray-percent".parse(), Ok(Warning::StrayPercent));
    /// ```
    pub enum Warning in "linksift" {
        /// A malformed sequence of the encoding ended the link.
        Malformed = "malformed",
        /// User information before the host.
        Userinfo = "userinfo",
        /// The text is not in Unicode Normalization Form C.
        NotNfc = "not-nfc",
        /// A `%` without two hexadecimal digits after it became `%25`.
        StrayPercent = "stray-percent",
        /// ASCII that URIs forbid was percent-encoded.
        ForbiddenCharacter = "forbidden-character",
        /// A character that RFC 3987 does not allow in IRIs was percent-encoded.
        NotIriCharacter = "not-iri-character",
        /// A component mixes directions (RFC 3987 §4.2, rule 1).
        BidiMixed = "bidi-mixed",
        /// A right-to-left component begins or ends with something else (RFC 3987 §4.2, rule 2).
        BidiEnds = "bidi-ends",
        /// A `<base href>` is [too late](crate::Feed#the-same-links-in-any-pieces) in a stream: no reference was resolved against it.
        LateBase = "late-base",
        /// The link was written in several pieces, which were joined: in mail, broken over lines in `<…>`.
        Joined = "joined",
        /// A `POST` to the link unsubscribes without asking (RFC 8058).
        OneClick = "one-click",
        /// The link is read as browsers do although a standard rejects it: `tel:` with a space, `mailto:?&subject=x`,
        /// `http://foo-.example.com/`.
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
        /// The host looks like a known host, but is another one.
        HostLookalike = "host-lookalike",
        /// The registered name of the host differs by one letter from that of a known host.
        HostMisspelled = "host-misspelled",
        /// The host has `com`, `net`, `org` or `gov` where only its own subdomains are.
        HostNested = "host-nested",
        /// The host contains characters that are mapped to ASCII or removed.
        HostDisguised = "host-disguised",
        /// RFC 3986 and the WHATWG URL Standard read different hosts.
        HostDisputed = "host-disputed",
        /// An IPv4 address that is not written as four decimal numbers.
        IpDisguised = "ip-disguised",
        /// The user information looks like a host.
        UserinfoHost = "userinfo-host",
        /// The local part of an address mixes scripts that no writing system mixes (UTS #39 §5.2).
        LocalMixedScript = "local-mixed-script",
        /// The link contains an invisible character or a bidi control.
        Invisible = "invisible",
        /// The text after the host looks like a part of it to a reader, but not to a program.
        GoesOn = "goes-on",
        /// The visible text of an anchor names another site than it leads to.
        TextMismatch = "text-mismatch",
        /// The scheme runs a script or shows a document inside the link itself.
        ActiveScheme = "active-scheme",
        /// The scheme opens a program of the system or a network share.
        LaunchScheme = "launch-scheme",
        /// Percent-encoding in the path hides dot segments, a NUL, or overlong UTF-8.
        EncodedSyntax = "encoded-syntax",
        /// The `mailto:` sets a field that RFC 6068 warns about.
        MailtoFields = "mailto-fields",
        /// The `tel:` contains `*` or `#`: a command to the telephone itself.
        TelCode = "tel-code",
    }
}

impl Warning {
    /// Returns the severity.
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
            | Warning::HostMisspelled
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
            | Warning::LocalMixedScript
            | Warning::Invisible
            | Warning::TextMismatch
            | Warning::TelCode => Severity::Deceptive,
        }
    }
}

impl Warning {
    /// Returns one English sentence that a program can show to the person who reads a link. The [name](Self::as_str) is the key for
    /// translations.
    ///
    /// ```
    /// use linksift::Warning;
    ///
    /// let sentence = "The text names another site than the link leads to.";
    /// assert_eq!(Warning::TextMismatch.sentence(), sentence);
    /// ```
    pub const fn sentence(self) -> &'static str {
        match self {
            Warning::Malformed => "Bytes that are not text ended the link.",
            Warning::Userinfo => "A user name stands before the host.",
            Warning::NotNfc => "The text is not in Unicode Normalization Form C.",
            Warning::StrayPercent => "A percent sign that encodes nothing became %25.",
            Warning::ForbiddenCharacter => "A character that URIs forbid was percent-encoded.",
            Warning::NotIriCharacter => "A character that IRIs forbid was percent-encoded.",
            Warning::BidiMixed => {
                "A part of the link mixes writing directions, so it may be displayed in another order."
            }
            Warning::BidiEnds => {
                "A part of the link written from right to left may be displayed in another order."
            }
            Warning::LateBase => {
                "The document names its base address too late, so the link was not resolved."
            }
            Warning::Joined => "The link was written in several pieces, which were joined.",
            Warning::OneClick => "A program can unsubscribe with this link without asking.",
            Warning::Lenient => {
                "The link breaks a rule of its scheme, and is read as browsers read it."
            }
            Warning::HostMixedScript => {
                "The host mixes letters of different scripts that look alike."
            }
            Warning::HostConfusable => {
                "The host is written in letters that look like those of another name."
            }
            Warning::HostCharacter => "The host contains a character that names do not contain.",
            Warning::HostContext => "The host contains a character that imitates another one.",
            Warning::HostMarks => "The host contains an accent that is hard to see.",
            Warning::HostMixedDigits => "The host mixes digits of different scripts.",
            Warning::HostMixedLetters => {
                "The host contains letters that no language uses together."
            }
            Warning::HostLookalike => {
                "The host looks like a host that you know, but is another one."
            }
            Warning::HostMisspelled => "The host differs by one letter from a host that you know.",
            Warning::HostNested => "The host begins like the address of another site.",
            Warning::HostDisguised => "The host is written with characters that hide its name.",
            Warning::HostDisputed => "Programs disagree about which host the link leads to.",
            Warning::IpDisguised => "The host is a numeric address in an unusual form.",
            Warning::UserinfoHost => {
                "The text before the @ looks like the host, but the link leads elsewhere."
            }
            Warning::LocalMixedScript => {
                "The name before the @ mixes letters of different scripts that look alike."
            }
            Warning::Invisible => "The link contains invisible characters.",
            Warning::GoesOn => "The text after the link looks like a part of it.",
            Warning::TextMismatch => "The text names another site than the link leads to.",
            Warning::ActiveScheme => "The link runs a script, or contains a document of its own.",
            Warning::LaunchScheme => "The link opens a program or a network share.",
            Warning::EncodedSyntax => "The path hides parts that a server may read in another way.",
            Warning::MailtoFields => {
                "The link fills in fields of the message that you may not see."
            }
            Warning::TelCode => "The link may give a command to the telephone.",
        }
    }
}

/// The warnings of one link, each at most once, in the order of [`Warning::ALL`].
///
/// ```
/// let link = linksift::links("ftp://me@example.com/100%").next().unwrap();
/// let codes: Vec<_> = link.warnings().iter().map(|w| w.as_str()).collect();
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

    /// Returns the number of elements.
    ///
    /// ```
    /// let warnings = linksift::links("ftp://me@example.com/100%").next().unwrap().warnings();
    /// assert_eq!(warnings.len(), 2);
    /// ```
    pub const fn len(self) -> usize {
        self.bits.count_ones() as usize
    }

    /// Returns `true` if the set contains `warning`.
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

    /// Returns an iterator over the warnings.
    ///
    /// ```
    /// let warnings = linksift::links("ftp://me@example.com/100%").next().unwrap().warnings();
    /// let codes: Vec<_> = warnings.iter().map(|warning| warning.as_str()).collect();
    /// assert_eq!(codes, ["userinfo", "stray-percent"]);
    /// ```
    pub const fn iter(self) -> WarningsIter {
        WarningsIter { left: self }
    }

    /// Returns the greatest severity among them; `None` without warnings.
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

/// Iterator over the warnings of a link; see [`Warnings::iter`].
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
