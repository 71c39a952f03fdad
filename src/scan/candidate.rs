//! The result of a scan: a candidate with its parts, to be validated and mapped, or rejected by the scan.

use std::fmt;
use std::ops::Range;

use super::filename::Rule;
use super::settings::TextKind;
use super::view::View;
use crate::codes::coded;
use crate::input::chunk::Chunk;
use crate::iri::ErrorKind;
use crate::tables;

coded! {
    /// Kind of a link, by the way it is written.
    ///
    /// ```
    /// use linksift::LinkKind;
    ///
    /// assert_eq!(LinkKind::Email.as_str(), "email");
    /// assert_eq!("email".parse(), Ok(LinkKind::Email));
    /// ```
    pub enum LinkKind in "linksift" {
        /// A reference with a scheme: `http://example.com/`, `tel:+1-201-555-0123`.
        Absolute = "iri",
        /// A host with a known top-level domain and what follows it: `example.com/x`.
        Schemeless = "schemeless",
        /// An e-mail address, with or without `mailto:` in front.
        Email = "email",
        /// A relative reference, in markup: `../a.html`.
        Reference = "reference",
    }
}

coded! {
    display none
    /// Reason for the rejection of a candidate.
    ///
    /// `Display` gives a sentence for people, [`as_str`](Reason::as_str) the stable word in records.
    ///
    /// ```
    /// use linksift::{Reason, iri::ErrorKind};
    ///
    /// assert_eq!(Reason::HostLabel.as_str(), "host-label");
    /// assert_eq!("host-label".parse(), Ok(Reason::HostLabel));
    /// // What the grammar says has its reason, too.
    /// assert_eq!("scheme-path".parse(), Ok(Reason::Iri(ErrorKind::SchemePath)));
    /// assert_eq!(Reason::from(ErrorKind::HostLabel), Reason::HostLabel);
    /// ```
    pub enum Reason in "linksift" {
        /// The scheme in running text is unknown or defanged (`hxxp`).
        UnknownScheme = "unknown-scheme",
        /// A link in every other respect, and its URI has a scheme that is not on the list
        /// ([`Schemes::List`](crate::Schemes::List)).
        SchemeNotSelected = "scheme-not-selected",
        /// A host without a scheme begins with `www.` and ends in no known top-level domain.
        UnknownDomain = "unknown-domain",
        /// No host, although the scheme requires one.
        HostEmpty = "host-empty",
        /// A label is empty, begins or ends with a hyphen, or is longer than 63 bytes.
        HostLabel = "host-label",
        /// The host is longer than 253 characters.
        HostTooLong = "host-too-long",
        /// The last label is all digits, but the host is not an IPv4 address.
        HostIpv4 = "host-ipv4",
        /// The brackets contain neither an IPv6 nor an IPvFuture address.
        HostIpLiteral = "host-ip-literal",
        /// The host is not valid according to UTS #46.
        HostInvalidIdna = "host-invalid-idna",
        /// A host without a known top-level domain is followed by a character that does not end a host.
        HostNotDelimited = "host-not-delimited",
        /// The port is greater than 65535.
        Port = "port",
        /// User information before the host, which http, https, ws and wss links must not have.
        Userinfo = "userinfo",
        /// The local part of the address is empty, or has misplaced dots.
        LocalPart = "local-part",
        /// An e-mail address, but e-mail addresses are not selected.
        Email = "email",
        /// A file name that looks like a host: `main.rs`, `README.md`.
        FileName = "file-name",
        /// A call in code that looks like a host: `window.open(…)`.
        Code = "code",
        /// A message identifier that looks like an address, in a quoted `Message-ID:` or a similar field.
        MessageId = "message-id",
        /// A character that URIs forbid, with [`Forbidden::Refuse`](crate::Forbidden::Refuse).
        ForbiddenCharacter = "forbidden-character",
        /// Longer than the maximum length of a link.
        TooLong = "too-long",
        /// A relative reference whose base is too long to be repeated with each link.
        BaseTooLong = "base-too-long",
        /// An entity of an XML document is recursive or nested too deeply.
        EntityLoop = "entity-loop",
        /// The entities of an XML document expand to too much text.
        EntityLimit = "entity-limit",
    }
    else {
        /// The grammar of IRIs or the rules of the scheme reject it, for a reason without its own variant.
        Iri(ErrorKind),
    }
}

impl Reason {
    /// Returns the reason for an error of the module `iri`. An error that the scan detects too has the scan's code.
    pub(crate) fn of(kind: ErrorKind) -> Reason {
        match kind {
            ErrorKind::SchemeHost => Reason::HostEmpty,
            ErrorKind::SchemeHostIpv4 => Reason::HostIpv4,
            ErrorKind::SchemePort => Reason::Port,
            ErrorKind::SchemeUserinfo => Reason::Userinfo,
            kind => Reason::from(kind),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Reason::Iri(kind) => return write!(f, "not valid for its scheme: {}", kind.as_str()),
            Reason::UnknownScheme => "the scheme is not known",
            Reason::SchemeNotSelected => "the scheme is not selected",
            Reason::UnknownDomain => "the host has no known top-level domain",
            Reason::HostEmpty => "the scheme requires a host",
            Reason::HostLabel => {
                "a label of the host is empty, too long, or has a misplaced hyphen"
            }
            Reason::HostTooLong => "the host is longer than 253 characters",
            Reason::HostIpv4 => "the host ends in a number but is not an IPv4 address",
            Reason::HostIpLiteral => "the brackets do not contain an IPv6 or IPvFuture address",
            Reason::HostInvalidIdna => "the host is not valid according to UTS #46",
            Reason::HostNotDelimited => {
                "the host has no known top-level domain and its end is unclear"
            }
            Reason::Port => "the port is greater than 65535",
            Reason::Userinfo => "user information before the host",
            Reason::LocalPart => "the local part of the address is not valid",
            Reason::Email => "e-mail addresses are not selected",
            Reason::FileName => "looks like a file name",
            Reason::Code => "looks like a call in code",
            Reason::MessageId => "looks like a message identifier",
            Reason::ForbiddenCharacter => "contains a character that URIs forbid",
            Reason::TooLong => "longer than the maximum length of a link",
            Reason::BaseTooLong => "its base is longer than 8 KiB, or repeated too often",
            Reason::EntityLoop => "the entity is recursive or nested too deeply",
            Reason::EntityLimit => "the entities of the document expand to too much text",
        })
    }
}

/// Range of the text that looks like a link; offsets are those of the text that was scanned.
#[derive(Clone, Debug)]
pub(crate) struct Match {
    pub(crate) range: Range<usize>,
    pub(crate) kind: LinkKind,
    /// Offset of the colon after the scheme; the candidate's start if it has no scheme.
    pub(crate) scheme_end: usize,
    /// Range of the host, with its brackets and without user information and port; empty if there is no host.
    pub(crate) host: Range<usize>,
    pub(crate) marks: CandidateFlags,
    pub(crate) refused: Option<Reason>,
    /// The rule that classifies the candidate as a name of a file or a member, if the candidate is rejected for that.
    pub(crate) rule: Option<Rule>,
    /// Number of bytes of the candidate that have left the text: it begins this many bytes before `range.start`. Not zero
    /// only for a candidate that is too long.
    pub(crate) lead: usize,
}

impl Match {
    /// Creates a candidate that has no scheme and is not rejected.
    #[inline(always)]
    pub(crate) fn new(
        kind: LinkKind,
        range: Range<usize>,
        host: Range<usize>,
        marks: CandidateFlags,
    ) -> Match {
        let scheme_end = range.start;
        Match { range, kind, scheme_end, host, marks, refused: None, rule: None, lead: 0 }
    }

    /// Extends the candidate to the end of a value of data that it begins, if a punctuation mark alone is behind it
    /// (`"https://en.wikipedia.org/wiki/Yahoo!"`), or a bracket that it has opened and the rest of a link
    /// (`Live_(AC/DC_album)`, `commits{/sha}`); returns whether it did. In a value there is no sentence that the mark would end, and no
    /// bracket around the link; several marks are the ellipsis of a text that was shortened.
    #[inline]
    pub(crate) fn take_rest_of_value(&mut self, view: &View<'_>) -> bool {
        view.text_kind == TextKind::Value
            && view.is_last
            && (self.range.start, self.lead) == (0, 0)
            && self.take_rest(view.text)
    }

    fn take_rest(&mut self, text: &[u8]) -> bool {
        let is_with_path = self.host.end > self.scheme_end && self.range.end > self.host.end;
        let is_link = self.kind == LinkKind::Absolute && self.refused.is_none();
        let (Some(link), Some(rest)) = (text.get(..self.range.end), text.get(self.range.end..))
        else {
            return false;
        };
        let is_rest = match rest {
            [b'.' | b',' | b'!' | b'?' | b';' | b':'] => true,
            [close @ (b')' | b'}' | b']'), ..] => is_inside(link, *close) && is_rest_of_path(rest),
            _ => false,
        };
        let is_all = is_rest && is_with_path && is_link;
        self.range.end = if is_all { text.len() } else { self.range.end };
        is_all
    }

    /// Returns the range in the complete text, given the chunk that was scanned.
    pub(crate) fn range_in(&self, chunk: Chunk<'_>) -> Range<usize> {
        let Range { start, end } = chunk.range(self.range.clone());
        start - self.lead..end
    }

    /// Moves the candidate's offsets from a text in which it is at `from` to one in which it is at `to`.
    pub(crate) fn moved(&mut self, from: usize, to: usize) {
        let moved = |at: usize| (at + to).saturating_sub(from);
        self.range = moved(self.range.start)..moved(self.range.end);
        self.scheme_end = moved(self.scheme_end);
        self.host = moved(self.host.start)..moved(self.host.end);
    }
}

/// Returns `true` if a bracket that `close` closes is open at the end of the text.
fn is_inside(text: &[u8], close: u8) -> bool {
    let count = |bracket: u32| text.iter().filter(|byte| u32::from(**byte) == bracket).count();
    let close = u32::from(close);
    tables::opening_bracket(close).is_some_and(|open| count(open) > count(close))
}

/// Returns `true` if the bytes are characters of a path, query and fragment, and none before which another link or an address
/// may begin. A comma is one between braces alone (`/repos{/owner}{?page,sort}`).
fn is_rest_of_path(rest: &[u8]) -> bool {
    let mut is_in_braces = false;
    let mut is_known = |byte: &u8| match byte {
        b'{' | b'}' => {
            is_in_braces = *byte == b'{';
            true
        }
        b',' => is_in_braces,
        byte => byte.is_ascii_alphanumeric() || b"-._~!$&'()*+=:%/?#[]".contains(byte),
    };
    rest.iter().all(&mut is_known) && memchr::memmem::find(rest, b"://").is_none()
}

/// A link that is decided. It is small to move, while a candidate is not.
#[derive(Clone, Debug)]
pub(crate) struct PlainLink {
    pub(crate) kind: LinkKind,
    pub(crate) range: Range<usize>,
    /// As in [`Match`].
    pub(crate) scheme_end: usize,
    pub(crate) host: Range<usize>,
    pub(crate) marks: CandidateFlags,
    /// The text is an IRI whose host surely can be mapped: nothing that [`ATTENTION`](CandidateFlags::ATTENTION) asks for
    /// remains to be checked.
    pub(crate) is_iri: bool,
}

impl PlainLink {
    #[inline(always)]
    pub(crate) fn candidate(self) -> Match {
        let PlainLink { kind, range, scheme_end, host, marks, .. } = self;
        Match { scheme_end, ..Match::new(kind, range, host, marks) }
    }
}

/// Flags of a candidate. They save later steps work in the common case.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct CandidateFlags(u16);

impl CandidateFlags {
    /// Some character may need percent-encoding or a warning: the link is not only plain ASCII of URIs.
    pub(crate) const ATTENTION: CandidateFlags = CandidateFlags(1);
    /// The host has other characters than ASCII letters, digits, hyphens and dots, or has an A-label.
    pub(crate) const HOST: CandidateFlags = CandidateFlags(2);
    /// The candidate has a numeric character reference.
    pub(crate) const REFERENCE: CandidateFlags = CandidateFlags(4);
    /// The candidate has user information.
    pub(crate) const USERINFO: CandidateFlags = CandidateFlags(8);
    /// A malformed sequence ends it.
    pub(crate) const MALFORMED: CandidateFlags = CandidateFlags(16);
    /// The host is an IP literal in brackets.
    pub(crate) const IP_LITERAL: CandidateFlags = CandidateFlags(32);
    /// A character follows the host that a reader mistakes for a part of it: another kind of slash, or an invisible
    /// character, and then a letter.
    pub(crate) const GOES_ON: CandidateFlags = CandidateFlags(64);
    /// The host has three dots or more, or a hyphen after a label of three characters: it may contain the name of another
    /// site (`www.a.com.b.test`, `a.com-b.test`).
    pub(crate) const DEEP: CandidateFlags = CandidateFlags(128);
    /// The URI of a terminal's hyperlink (OSC 8), and that of its working directory (OSC 7).
    pub(crate) const HYPERLINK: CandidateFlags = CandidateFlags(256);
    pub(crate) const WORKING_DIRECTORY: CandidateFlags = CandidateFlags(512);

    pub(crate) const fn has(self, other: CandidateFlags) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns these flags if the condition is true, otherwise no flags.
    #[inline(always)]
    pub(crate) const fn when(self, holds: bool) -> CandidateFlags {
        if holds { self } else { CandidateFlags(0) }
    }
}

impl std::ops::BitOr for CandidateFlags {
    type Output = CandidateFlags;

    #[inline(always)]
    fn bitor(self, other: CandidateFlags) -> CandidateFlags {
        CandidateFlags(self.0 | other.0)
    }
}

impl std::ops::BitOrAssign for CandidateFlags {
    fn bitor_assign(&mut self, other: CandidateFlags) {
        self.0 |= other.0;
    }
}
