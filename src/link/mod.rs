//! The public nouns: a link that was found, a candidate that was rejected, and what they carry.

mod body;
mod findings;
mod origin;
#[cfg(feature = "url")]
mod url;

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;
#[cfg(any(feature = "files", test))]
use std::sync::Arc;

use crate::iri::IriRef;
pub use crate::scan::{LinkKind, Reason};
use crate::trust::Findings;
use crate::warning::Severity;
pub(crate) use crate::warning::{Warning, Warnings};
pub(crate) use body::{Body, Prefix};
#[cfg(feature = "markup")]
pub(crate) use body::{Rare, Shown};
pub(crate) use origin::Origin;
pub use origin::Transfer;

/// A link that was found: valid by RFC 3987, with the URI it maps to.
///
/// Offsets are bytes in the stored input (of `&str`: in its UTF-8). The text is borrowed wherever
/// it can be; [`into_owned`](Link::into_owned) detaches it.
///
/// ```
/// let text = "見て http://例え.jp/パス。";
/// let link = linksift::links(text).next().unwrap();
/// assert_eq!(&text[link.range()], "http://例え.jp/パス");
/// assert_eq!(link.uri(), "http://xn--r8jz45g.jp/%E3%83%91%E3%82%B9");
/// assert_eq!(link.host().as_deref(), Some("xn--r8jz45g.jp"));
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Link<'t> {
    pub(crate) body: Body<'t>,
}

/// A candidate that is no link, and why.
///
/// ```
/// let finder = linksift::Finder::new();
/// let rejected = finder.candidates("http://user@example.com/").next().unwrap().unwrap_err();
/// assert_eq!(rejected.raw(), "http://user@example.com/");
/// assert_eq!(rejected.reason().code(), "userinfo");
/// ```
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Rejected<'t> {
    /// Boxed, so that what most candidates come to is no larger than a link.
    pub(crate) body: Box<Body<'t>>,
    pub(crate) reason: Reason,
}

/// The accessors that a link and a rejected candidate have in common.
macro_rules! shared_accessors {
    () => {
        /// Where it is in the stored bytes of the whole input: `bytes[range]` is the text as written.
        pub fn range(&self) -> Range<usize> {
            self.body.range.clone()
        }

        /// Where it is in the stored bytes of the whole input, of whatever length: the numbers of
        /// [`range`](Self::range), for those who store them or add to them.
        ///
        /// ```
        /// let link = linksift::links("see example.com").next().unwrap();
        /// assert_eq!(link.span(), 4_u64..15);
        /// ```
        pub fn span(&self) -> Range<u64> {
            self.body.range.start as u64..self.body.range.end as u64
        }

        /// Where it begins in the stored bytes of the whole input.
        pub fn start(&self) -> usize {
            self.body.range.start
        }

        /// Where it ends in the stored bytes of the whole input.
        pub fn end(&self) -> usize {
            self.body.range.end
        }

        /// As written: another name for [`raw`](Self::raw).
        pub fn as_str(&self) -> &str {
            &self.body.raw
        }

        /// What it is by the way it is written.
        pub fn kind(&self) -> LinkKind {
            self.body.kind
        }

        /// As written: decoded, character references not resolved.
        pub fn raw(&self) -> &str {
            &self.body.raw
        }

        /// The IRI: character references resolved, a scheme supplied if there is none; otherwise as
        /// written. Of a rejected candidate: as far as it got.
        pub fn iri(&self) -> Cow<'_, str> {
            self.body.iri()
        }

        /// Where it stood: `text` in running text; in markup `a@href`, `img@srcset`, `meta@refresh`,
        /// `style`, `markdown:link` and so on, elements and attributes in lower case.
        pub fn context(&self) -> &str {
            let named = self.body.rare.as_ref().and_then(|rare| rare.context.as_deref());
            named.unwrap_or(self.body.context)
        }

        /// What the input was decoded from: the WHATWG name in lower case.
        pub fn charset(&self) -> &'static str {
            self.body.charset.name()
        }

        /// What a reader of it should know.
        pub fn warnings(&self) -> Warnings {
            self.body.warnings
        }

        /// What of it deceives, one for each of its [warnings](Self::warnings): where it is, in bytes of
        /// [`iri`](Self::iri), and what is there. Found out anew on each call; a link without warnings
        /// costs nothing.
        ///
        /// ```
        /// use linksift::trust::What;
        ///
        /// let link = linksift::links("https://pаypal.com/").next().unwrap();
        /// let found = link.findings();
        /// let first = found.iter().next().unwrap();
        /// assert_eq!(first.warning().code(), "host-mixed-script");
        /// assert_eq!(&link.iri()[first.range()], "pаypal");
        /// assert_eq!(*first.what(), What::Scripts("Latn", "Cyrl"));
        /// ```
        pub fn findings(&self) -> Findings {
            findings::of(&self.body)
        }

        /// The greatest severity among its [findings](Self::findings); `None` if there are none.
        ///
        /// ```
        /// use linksift::Severity;
        ///
        /// let link = linksift::links("https://pаypal.com/").next().unwrap();
        /// assert_eq!(link.severity(), Some(Severity::Deceptive));
        /// ```
        pub fn severity(&self) -> Option<Severity> {
            findings::severity(&self.body)
        }

        /// Line and column of its first byte, if the scan was asked to count them
        /// ([`Hints::positions`](crate::Hints::positions)).
        pub fn position(&self) -> Option<Position> {
            self.body.position.get()
        }

        /// The member of an archive that holds the bytes, outermost first, steps joined by `!`;
        /// inside a name `%` is `%25`, `!` is `%21`, a control `%XX`. `None` outside of archives. Offsets
        /// count in the member's bytes.
        pub fn member(&self) -> Option<&str> {
            self.body.origin()?.member.as_deref()
        }

        /// The bytes of the [member](Self::member)'s name, if they are not UTF-8.
        pub fn member_bytes(&self) -> Option<&[u8]> {
            self.body.origin()?.member_bytes.as_deref()
        }

        /// The place inside a mailbox or message: the ordinal in the mailbox and `!`, if it is one,
        /// then the section as IMAP numbers it, such as `12!1.2`.
        pub fn part(&self) -> Option<&str> {
            self.body.origin()?.part.as_deref()
        }

        /// The transfer encoding that the stored bytes are written in; `None` if they are written as
        /// they are.
        pub fn transfer(&self) -> Option<Transfer> {
            self.body.rare.as_ref()?.transfer
        }

        /// The document's own IRI: the target of a WARC record, the `Content-Location` of a part.
        pub fn source(&self) -> Option<&str> {
            self.body.origin()?.source.as_deref()
        }

        /// The identifier of the message that holds it, without `<>`.
        pub fn message_id(&self) -> Option<&str> {
            self.body.origin()?.message_id.as_deref()
        }

        /// The number of the message in its mailbox, from 1; of what is attached to a message, that message's.
        /// `None` if it is in no mailbox. [`part`](Self::part) begins with it.
        pub fn message_number(&self) -> Option<u64> {
            self.body.origin()?.message_number
        }

        /// The host that the visible text names, where it is another one than the link's.
        pub fn shown(&self) -> Option<&str> {
            Some(&self.body.rare.as_ref()?.shown.as_ref()?.host)
        }
    };
}

impl Link<'_> {
    shared_accessors!();

    /// The URI it maps to: ASCII, valid by RFC 3986 (with [`HostForm::Unicode`](crate::HostForm::Unicode)
    /// the host stays as it is). Borrowed when the text is that URI already.
    pub fn uri(&self) -> Cow<'_, str> {
        self.body.mapped().map_or_else(|| self.body.iri(), Cow::Borrowed)
    }

    /// The host as it stands in [`uri`](Link::uri), an IP literal with its brackets; `None` if the
    /// link has none (`tel:`, `file:///`).
    pub fn host(&self) -> Option<Cow<'_, str>> {
        let Range { start, end } = self.body.host;
        let text = self.body.mapped().unwrap_or(self.body.text());
        let host = text.get(start as usize..end as usize)?;
        (!host.is_empty()).then_some(Cow::Borrowed(host))
    }

    /// The form for people: in characters where they are found again whole, each label that deceives as
    /// an A-label. It is [`iri::IriRef::display`](crate::iri::IriRef::display) of its URI.
    ///
    /// ```
    /// let shown = |text| linksift::links(text).next().unwrap().display();
    /// assert_eq!(shown("http://xn--r8jz45g.jp/%E3%83%91"), "http://例え.jp/パ");
    /// assert_eq!(shown("http://www.аррӏе.com/"), "http://www.xn--80ak6aa92e.com/");
    /// ```
    pub fn display(&self) -> String {
        let uri = self.uri();
        match IriRef::parse(&uri) {
            Ok(parsed) => parsed.display(),
            Err(_) => uri.into_owned(),
        }
    }

    /// The same link, with its text copied.
    pub fn into_owned(self) -> Link<'static> {
        Link { body: self.body.into_owned() }
    }
}

impl Rejected<'_> {
    shared_accessors!();

    /// Why it is no link.
    pub fn reason(&self) -> Reason {
        self.reason
    }

    /// The same candidate, with its text copied.
    pub fn into_owned(self) -> Rejected<'static> {
        Rejected { body: Box::new(self.body.into_owned()), reason: self.reason }
    }
}

/// The URI that the link maps to.
impl fmt::Display for Link<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.uri())
    }
}

impl fmt::Debug for Link<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Link({:?} {:?})", self.range(), self.uri())
    }
}

/// The candidate as it is written, and why it is no link.
impl fmt::Display for Rejected<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.raw(), self.reason)
    }
}

impl fmt::Debug for Rejected<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Rejected({:?} {:?} {})", self.range(), self.raw(), self.reason.code())
    }
}

/// What a candidate comes to.
pub(crate) type Judged<'t> = Result<Link<'t>, Rejected<'t>>;

/// Where in the stored bytes a link or a rejected candidate begins.
pub(crate) fn start_of(judged: &Judged<'_>) -> usize {
    match judged {
        Ok(link) => link.body.range.start,
        Err(rejected) => rejected.body.range.start,
    }
}

/// The same, with its text copied.
#[cfg(feature = "charset")]
pub(crate) fn owned(judged: Judged<'_>) -> Judged<'static> {
    match judged {
        Ok(link) => Ok(link.into_owned()),
        Err(rejected) => Err(rejected.into_owned()),
    }
}

/// What a link and a rejected candidate share.
pub(crate) fn body_of<'j, 't>(judged: &'j mut Judged<'t>) -> &'j mut Body<'t> {
    match judged {
        Ok(link) => &mut link.body,
        Err(rejected) => &mut rejected.body,
    }
}

/// Notes where a link or a rejected candidate is.
pub(crate) fn set_position(judged: &mut Judged<'_>, position: Option<Position>) {
    body_of(judged).position = position.into();
}

/// Line and column of a byte of the input, both counted from 1.
///
/// A line ends at LF, CR LF or CR; the column counts bytes of the stored line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1.
    pub line: u64,
    /// The byte in its line, from 1.
    pub column: u64,
}

// What is larger is moved by calls, and each candidate is moved several times.
const _: () = assert!(size_of::<Judged<'_>>() <= 128);

/// Says where the document came from that a link or a rejected candidate is in.
#[cfg(any(feature = "files", test))]
pub(crate) fn set_origin(judged: &mut Judged<'_>, origin: &Arc<Origin>) {
    let own = &mut body_of(judged).rare_mut().origin;
    *own = Some(origin.around(own.as_deref()));
}

/// Warns that the visible text of a link names another host than the link has.
#[cfg(feature = "markup")]
pub(crate) fn set_shown(judged: &mut Judged<'_>, host: &str, severity: Severity) {
    let body = body_of(judged);
    body.warnings.insert(Warning::TextMismatch);
    body.rare_mut().shown = Some(Shown { host: host.into(), severity });
}
