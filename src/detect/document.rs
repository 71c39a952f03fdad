//! Documents: bytes, and facts about them that are not in the bytes.

mod detection;
mod hints;
mod pages;
mod scope;

pub use detection::{ArchiveFormat, Detection, Disposition, Evidence};
pub(crate) use detection::{Declared, DocumentFormat, NonText, ScanScope, TextOpening};
pub use hints::Hints;
pub use pages::PageRange;

use crate::charset::{Detected, Extent, decide};
use crate::codes::coded;
use crate::notice::NotRead;

coded! {
    /// The format of an input. Default: `Auto`.
    ///
    /// ```
    /// use linksift::Format;
    ///
    /// assert_eq!("text".parse(), Ok(Format::Text));
    /// assert!("word".parse::<Format>().is_err());
    /// ```
    pub enum Format in "linksift" default Auto {
        /// Detected from the name, then from the first bytes.
        Auto = "auto",
        /// Running text.
        Text = "text",
        /// Source code or settings: running text in which a host without a scheme needs `www.`, a path, or a top-level
        /// domain that is not a usual name of an object's member.
        Code = "code",
        /// YAML: as source code, but names of Kubernetes (`app.kubernetes.io/name: x`) are not hosts.
        Yaml = "yaml",
        /// HTML.
        Html = "html",
        /// XML: feeds, sitemaps, SVG, XHTML and others.
        Xml = "xml",
        /// CSS.
        Css = "css",
        /// JSON, one value or one per line: each string is running text, with its escapes decoded.
        Json = "json",
        /// A notebook of Jupyter: JSON whose cells are Markdown, source code and HTML.
        Notebook = "notebook",
        /// Comma-separated values: each field is running text.
        Csv = "csv",
        /// Markdown. It is read as running text without the feature `documents`, and if a document is too much for the
        /// parser ([`Notice::ReadAsText`](crate::Notice::ReadAsText)).
        Markdown = "markdown",
        /// reStructuredText: a link has a text and a target, literals are code.
        Rst = "rst",
        /// AsciiDoc: a link has a target and a text, listings are code.
        Asciidoc = "asciidoc",
        /// A calendar (RFC 5545): folded lines, escaped values.
        Calendar = "calendar",
        /// Address cards (vCard, RFC 6350 and the versions before it).
        Vcard = "vcard",
        /// Java properties: names and values with escapes, lines continued by a backslash.
        Properties = "properties",
        /// Messages of gettext (PO, POT): strings with escapes, continued on the next line.
        Po = "po",
        /// Strings files of Apple.
        Strings = "strings",
        /// TeX, LaTeX and BibTeX.
        Tex = "tex",
        /// Texinfo.
        Texinfo = "texinfo",
        /// Documentation of Perl (POD).
        Pod = "pod",
        /// Troff and groff: manual pages.
        Roff = "roff",
        /// A message (RFC 5322) with its parts (MIME), each of which is read as its declared type.
        Email = "email",
        /// A mailbox of messages (RFC 4155): mboxo, mboxrd, mboxcl and mboxcl2.
        Mbox = "mbox",
        /// An answer of HTTP with its header, which is read as it says (with the feature `archives`; otherwise as running text).
        Http = "http",
    }
}

coded! {
    /// Header fields of a message that are searched for links.
    ///
    /// ```
    /// use linksift::Headers;
    ///
    /// assert_eq!("all".parse(), Ok(Headers::All));
    /// assert_eq!(Headers::default(), Headers::Links);
    /// ```
    pub enum Headers in "linksift" default Links {
        /// No fields.
        None = "none",
        /// Fields that contain links: `List-Unsubscribe` and related ones, `Archived-At`, `Content-Location`, and
        /// running text such as `Subject`.
        Links = "links",
        /// Also fields that contain addresses (`From`, `To` …), and all that begin with `X-`. Fields with identifiers,
        /// and those that servers write for servers (`Message-ID`, `Received` …), are never read.
        All = "all",
    }
}

coded! {
    /// Parts of a `multipart/alternative` that are read.
    ///
    /// ```
    /// use linksift::Alternatives;
    ///
    /// assert_eq!("best".parse(), Ok(Alternatives::Best));
    /// assert_eq!(Alternatives::default(), Alternatives::All);
    /// ```
    pub enum Alternatives in "linksift" default All {
        /// Every part: their links may differ.
        All = "all",
        /// The one that a mail client shows: HTML rather than text.
        Best = "best",
    }
}

coded! {
    /// Whether links in `<…>` that are broken over lines are joined, in mail.
    ///
    /// ```
    /// use linksift::JoinWrapped;
    ///
    /// assert_eq!("never".parse(), Ok(JoinWrapped::Never));
    /// assert_eq!(JoinWrapped::default(), JoinWrapped::Auto);
    /// ```
    pub enum JoinWrapped in "linksift" default Auto {
        /// Joined, with the warning [`Joined`](crate::Warning::Joined).
        Auto = "auto",
        /// Not joined: they end at the end of the line.
        Never = "never",
    }
}

/// What of mail is read, and how.
#[derive(Clone, Copy, Debug, Default)]
#[cfg_attr(not(feature = "mail"), allow(dead_code, reason = "nothing is mail"))]
pub(crate) struct MailPolicy {
    pub(crate) headers: Headers,
    pub(crate) alternatives: Alternatives,
    pub(crate) join_wrapped: JoinWrapped,
}

impl Detected {
    /// Detects the encoding of a document from its declarations or its content. The document is read as whichever of HTML,
    /// XML, CSS and text it looks like.
    ///
    /// The first [`START`](Detected::START) bytes, and one more if the document is longer, are enough.
    ///
    /// # Errors
    ///
    /// Returns [`NotRead::Undecodable`] if the document declares an encoding that the standard maps to `replacement`.
    ///
    /// ```
    /// use linksift::{CharsetSource, Detected};
    ///
    /// let found = Detected::of("naïve".as_bytes()).unwrap();
    /// assert_eq!((found.charset().as_str(), found.source()), ("utf-8", CharsetSource::Utf8));
    /// # #[cfg(feature = "documents")] {
    /// let found = Detected::of(b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0!").unwrap();
    /// assert_eq!((found.charset().as_str(), found.source()), ("windows-1251", CharsetSource::Detected));
    /// assert!(Detected::of(b"<meta charset=iso-2022-kr>").is_err());
    /// # }
    /// ```
    pub fn of(bytes: &[u8]) -> Result<Detected, NotRead> {
        Ok(Detected::of_bytes(bytes)?)
    }

    /// Detects the encoding of a document as [`Finder::document`](crate::Finder::document) does: by a byte order mark, the
    /// [charset of the hints](Hints::charset), a declaration of the format that the hints name or the bytes show, or the content.
    ///
    /// # Errors
    ///
    /// Returns [`NotRead::Undecodable`] if the document declares an encoding that the Encoding Standard maps to `replacement`; no
    /// links are found in it.
    ///
    /// ```
    /// # #[cfg(feature = "documents")] {
    /// use linksift::{CharsetSource, Detected, Format, Hints};
    ///
    /// let hints = Hints::new().format(Format::Xml);
    /// let found = Detected::of_document(b"<?xml version='1.0' encoding='koi8-r'?><a/>", &hints).unwrap();
    /// assert_eq!((found.charset().as_str(), found.source()), ("koi8-r", CharsetSource::Declared));
    /// # }
    /// ```
    pub fn of_document(bytes: &[u8], hints: &Hints) -> Result<Detected, NotRead> {
        Ok(decide(bytes, Extent::Whole, &hints.known())?)
    }
}
