//! The public nouns: a link that was found, a candidate that was refused, and what they carry.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use crate::charset::Charset;
use crate::iri::to_uri;
pub use crate::scan::{LinkKind, Reason};

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
#[derive(Clone, Debug)]
pub struct Link<'t> {
    pub(crate) body: Body<'t>,
    /// The host as mapped, where mapping changes it.
    pub(crate) mapped_host: Option<Box<str>>,
}

/// A candidate that is no link, and why.
///
/// ```
/// let finder = linksift::Finder::new();
/// let refused = finder.candidates("http://user@example.com/").next().unwrap().unwrap_err();
/// assert_eq!(refused.raw(), "http://user@example.com/");
/// assert_eq!(refused.reason().code(), "userinfo");
/// ```
#[derive(Clone, Debug)]
pub struct Refused<'t> {
    pub(crate) body: Body<'t>,
    pub(crate) reason: Reason,
}

/// What links and refused candidates share.
#[derive(Clone, Debug)]
pub(crate) struct Body<'t> {
    /// In the stored bytes of the whole input.
    pub(crate) range: Range<usize>,
    /// As written, decoded, references not resolved.
    pub(crate) raw: Cow<'t, str>,
    /// With its references resolved, if it has any.
    pub(crate) resolved: Option<Box<str>>,
    /// The scheme supplied, with what stands between it and the text: `https://`, `mailto:` or nothing.
    pub(crate) prefix: Cow<'t, str>,
    pub(crate) kind: LinkKind,
    /// The host in the resolved text.
    pub(crate) host: Range<usize>,
    pub(crate) warnings: Warnings,
    pub(crate) position: Option<Position>,
    /// Whether the text, the host apart, is a URI as it stands.
    pub(crate) is_plain: bool,
    /// What the input is decoded from.
    pub(crate) charset: Charset,
    /// The text with its query in the octets of that charset, where these differ from UTF-8.
    pub(crate) octets: Option<Box<str>>,
    /// Where it stood.
    pub(crate) context: &'static str,
    /// What few links have beside that.
    pub(crate) place: Option<Box<Place>>,
}

/// What some links have that were the value of an attribute or the like.
#[derive(Clone, Debug, Default)]
pub(crate) struct Place {
    /// Where it stood, if the document has named that.
    pub(crate) context: Option<Box<str>>,
    /// The URI, where it is not the text.
    pub(crate) uri: Option<Box<str>>,
}

impl<'t> Body<'t> {
    /// One whose text is still to be told.
    #[inline]
    pub(crate) fn new(range: Range<usize>, kind: LinkKind, charset: Charset) -> Body<'t> {
        Body {
            range,
            raw: Cow::Borrowed(""),
            resolved: None,
            prefix: Cow::Borrowed(""),
            kind,
            host: 0..0,
            warnings: Warnings::default(),
            position: None,
            is_plain: true,
            charset,
            octets: None,
            context: "text",
            place: None,
        }
    }

    pub(crate) fn text(&self) -> &str {
        self.resolved.as_deref().unwrap_or(&self.raw)
    }

    fn iri(&self) -> Cow<'_, str> {
        match self.prefix.is_empty() {
            true => Cow::Borrowed(self.text()),
            false => Cow::Owned([&*self.prefix, self.text()].concat()),
        }
    }

    fn into_owned(self) -> Body<'static> {
        Body {
            raw: Cow::Owned(self.raw.into_owned()),
            prefix: Cow::Owned(self.prefix.into_owned()),
            ..self
        }
    }
}

/// The accessors that a link and a refused candidate have in common.
macro_rules! shared_accessors {
    () => {
        /// Where it stands in the stored bytes of the whole input: `bytes[range]` is the text as written.
        pub fn range(&self) -> Range<usize> {
            self.body.range.clone()
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
        /// written. Of a refused candidate: as far as it got.
        pub fn iri(&self) -> Cow<'_, str> {
            self.body.iri()
        }

        /// Where it stood: `text` in running text; in markup `a@href`, `img@srcset`, `meta@refresh`,
        /// `style`, `markdown:link` and so on, elements and attributes in lower case.
        pub fn context(&self) -> &str {
            let named = self.body.place.as_ref().and_then(|place| place.context.as_deref());
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

        /// Line and column of its first byte, if the scan was asked to count them
        /// ([`Hints::positions`](crate::Hints::positions)).
        pub fn position(&self) -> Option<Position> {
            self.body.position
        }
    };
}

impl Link<'_> {
    shared_accessors!();

    /// The URI it maps to: ASCII, valid by RFC 3986 (with [`HostForm::Unicode`](crate::HostForm::Unicode)
    /// the host stays as it is). Borrowed when the text is that URI already.
    pub fn uri(&self) -> Cow<'_, str> {
        let body = &self.body;
        if let Some(uri) = body.place.as_ref().and_then(|place| place.uri.as_deref()) {
            return Cow::Borrowed(uri);
        }
        if body.is_plain && body.prefix.is_empty() && self.mapped_host.is_none() {
            return Cow::Borrowed(body.text());
        }
        let mut out = String::with_capacity(body.prefix.len() + body.text().len() + 16);
        out.push_str(&body.prefix);
        let text = body.octets.as_deref().unwrap_or(body.text());
        let host = self.mapped_host.as_deref().unwrap_or(&text[body.host.clone()]);
        if body.is_plain {
            out.push_str(&text[..body.host.start]);
            out.push_str(host);
            out.push_str(&text[body.host.end..]);
        } else {
            to_uri::push(&mut out, text, body.host.clone(), host);
        }
        Cow::Owned(out)
    }

    /// The host as it stands in [`uri`](Link::uri), an IP literal with its brackets; `None` if the
    /// link has none (`tel:`, `file:///`).
    pub fn host(&self) -> Option<Cow<'_, str>> {
        match (&self.mapped_host, self.body.host.is_empty()) {
            (Some(host), _) => Some(Cow::Borrowed(host)),
            (None, true) => None,
            (None, false) => Some(Cow::Borrowed(&self.body.text()[self.body.host.clone()])),
        }
    }

    /// The same link, with its text copied.
    pub fn into_owned(self) -> Link<'static> {
        Link { body: self.body.into_owned(), mapped_host: self.mapped_host }
    }
}

impl Refused<'_> {
    shared_accessors!();

    /// Why it is no link.
    pub fn reason(&self) -> Reason {
        self.reason
    }

    /// The same candidate, with its text copied.
    pub fn into_owned(self) -> Refused<'static> {
        Refused { body: self.body.into_owned(), reason: self.reason }
    }
}

/// What a candidate comes to.
pub(crate) type Judged<'t> = Result<Link<'t>, Refused<'t>>;

/// Where in the stored bytes a link or a refused candidate begins.
#[cfg(feature = "charset")]
pub(crate) fn start_of(judged: &Judged<'_>) -> usize {
    match judged {
        Ok(link) => link.body.range.start,
        Err(refused) => refused.body.range.start,
    }
}

/// The same, with its text copied.
#[cfg(feature = "charset")]
pub(crate) fn owned(judged: Judged<'_>) -> Judged<'static> {
    match judged {
        Ok(link) => Ok(link.into_owned()),
        Err(refused) => Err(refused.into_owned()),
    }
}

/// What a link and a refused candidate share.
pub(crate) fn body_of<'j, 't>(judged: &'j mut Judged<'t>) -> &'j mut Body<'t> {
    match judged {
        Ok(link) => &mut link.body,
        Err(refused) => &mut refused.body,
    }
}

/// Notes where a link or a refused candidate stands.
pub(crate) fn set_position(judged: &mut Judged<'_>, position: Option<Position>) {
    body_of(judged).position = position;
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

/// One thing that a reader of a link should know.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
#[repr(u8)]
pub enum Warning {
    /// A malformed sequence of the encoding ended it.
    Malformed,
    /// There is user information in front of the host.
    Userinfo,
    /// The text is not in Unicode Normalization Form C.
    NotNfc,
    /// A `%` without two hexadecimal digits behind it became `%25`.
    StrayPercent,
    /// ASCII that URIs forbid was percent-encoded.
    ForbiddenCharacter,
    /// A character that RFC 3987 does not let into IRIs was percent-encoded.
    NotIriCharacter,
    /// A component mixes directions (RFC 3987 §4.2, rule 1).
    BidiMixed,
    /// A right-to-left component begins or ends with something else (RFC 3987 §4.2, rule 2).
    BidiEnds,
    /// A `<base href>` that stands too late in a long stream: nothing was resolved against it.
    LateBase,
}

impl Warning {
    const ALL: [Warning; 9] = [
        Warning::Malformed,
        Warning::Userinfo,
        Warning::NotNfc,
        Warning::StrayPercent,
        Warning::ForbiddenCharacter,
        Warning::NotIriCharacter,
        Warning::BidiMixed,
        Warning::BidiEnds,
        Warning::LateBase,
    ];

    /// The stable word in records.
    ///
    /// ```
    /// assert_eq!(linksift::Warning::StrayPercent.code(), "stray-percent");
    /// ```
    pub const fn code(self) -> &'static str {
        match self {
            Warning::Malformed => "malformed",
            Warning::Userinfo => "userinfo",
            Warning::NotNfc => "not-nfc",
            Warning::StrayPercent => "stray-percent",
            Warning::ForbiddenCharacter => "forbidden-character",
            Warning::NotIriCharacter => "not-iri-character",
            Warning::BidiMixed => "bidi-mixed",
            Warning::BidiEnds => "bidi-ends",
            Warning::LateBase => "late-base",
        }
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// The warnings of one link, each at most once.
///
/// ```
/// let link = linksift::links("ftp://me@example.com/100%").next().unwrap();
/// let codes: Vec<_> = link.warnings().map(|w| w.code()).collect();
/// assert_eq!(codes, ["userinfo", "stray-percent"]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Warnings(u16);

impl Warnings {
    /// Whether there are none.
    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether this one is among them.
    pub fn contains(self, warning: Warning) -> bool {
        self.0 >> warning as u8 & 1 != 0
    }

    pub(crate) fn insert(&mut self, warning: Warning) {
        self.0 |= 1 << warning as u8;
    }

    #[cfg(feature = "charset")]
    pub(crate) fn remove(&mut self, warning: Warning) {
        self.0 &= !(1 << warning as u8);
    }
}

impl Iterator for Warnings {
    type Item = Warning;

    fn next(&mut self) -> Option<Warning> {
        let warning = *Warning::ALL.get(self.0.trailing_zeros() as usize)?;
        self.0 &= self.0 - 1;
        Some(warning)
    }
}
