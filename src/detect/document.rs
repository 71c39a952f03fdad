//! Documents: bytes, and facts about them that are not in the bytes.

mod detection;
mod hints;
mod pages;
mod scope;

use std::ffi::OsStr;

pub use detection::{ArchiveFormat, Detection, Disposition, Evidence};
pub(crate) use detection::{Declared, DocumentFormat, NonText};
pub use hints::Hints;
pub use pages::PageRange;

use crate::charset::{Charset, Detected, Extent, decide};
use crate::codes::coded;
use crate::iri::IriBuf;
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

/// Bytes of a document and facts about them.
///
/// ```
/// use linksift::{Document, Finder};
///
/// let finder = Finder::new();
/// let document = Document::new(b"first line\nsee example.com").positions(true);
/// let link = finder.document(&document)?.links().next().unwrap();
/// assert_eq!(link.position().unwrap().line, 2);
/// # Ok::<(), linksift::NotRead>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Document<'t> {
    pub(crate) bytes: &'t [u8],
    pub(crate) hints: Hints,
}

impl<'t> Document<'t> {
    /// Creates a document whose format and encoding are detected: markup by its [name](Document::name) or its first
    /// bytes, otherwise running text. If the document is known to be text, set [`Format::Text`], or call
    /// [`Finder::links`](crate::Finder::links).
    ///
    /// ```
    /// use linksift::{Document, Finder};
    ///
    /// let document = Document::new("見て http://例え.jp/".as_bytes());
    /// let link = Finder::new().document(&document)?.links().next().unwrap();
    /// assert_eq!((link.charset(), link.raw()), ("utf-8", "http://例え.jp/"));
    /// # Ok::<(), linksift::NotRead>(())
    /// ```
    pub fn new(bytes: &'t [u8]) -> Document<'t> {
        Document { bytes, hints: Hints::default() }
    }

    /// Sets the format of the document. Default: [`Format::Auto`].
    ///
    /// ```
    /// # #[cfg(feature = "documents")] {
    /// use linksift::{Document, Finder, Format};
    ///
    /// let document = Document::new(b"<a href=http://e.com/?a&amp;b>here</a>").format(Format::Html);
    /// let link = Finder::new().document(&document)?.links().next().unwrap();
    /// assert_eq!(link.iri(), "http://e.com/?a&b");
    /// # }
    /// # Ok::<(), linksift::NotRead>(())
    /// ```
    pub fn format(mut self, format: Format) -> Self {
        self.hints = self.hints.format(format);
        self
    }

    /// Sets the charset that an HTTP or MIME header declares. Default: detected.
    ///
    /// ```
    /// # #[cfg(feature = "documents")] {
    /// use linksift::{Document, Finder};
    ///
    /// let document = Document::new(b"http://e.com/\xE9").charset("latin1".parse().unwrap());
    /// let link = Finder::new().document(&document)?.links().next().unwrap();
    /// assert_eq!(link.raw(), "http://e.com/é");
    /// # }
    /// # Ok::<(), linksift::NotRead>(())
    /// ```
    pub fn charset(mut self, charset: Charset) -> Self {
        self.hints.charset = Some(charset);
        self
    }

    /// Sets all facts about the document at once, in place of those that were set before.
    ///
    /// ```
    /// use linksift::{Document, Finder, Format, Hints};
    ///
    /// let hints = Hints::new().format(Format::Auto).name("notes.txt").positions(true);
    /// let document = Document::new(b"see example.com").hints(hints);
    /// assert_eq!(Finder::new().document(&document)?.count(), 1);
    /// # Ok::<(), linksift::NotRead>(())
    /// ```
    pub fn hints(mut self, hints: Hints) -> Self {
        self.hints = hints;
        self
    }

    /// Sets the base against which relative references in markup are resolved; see [`Hints::base`].
    ///
    /// ```
    /// # #[cfg(feature = "documents")] {
    /// use linksift::{Document, Finder, Format};
    ///
    /// let page = Document::new(b"<a href=b.html>b</a>").format(Format::Html);
    /// let page = page.base("http://e.com/a/".parse().unwrap());
    /// let link = Finder::new().document(&page)?.links().next().unwrap();
    /// assert_eq!(link.iri(), "http://e.com/a/b.html");
    /// # }
    /// # Ok::<(), linksift::NotRead>(())
    /// ```
    pub fn base(mut self, iri: IriBuf) -> Self {
        self.hints = self.hints.base(iri);
        self
    }

    /// Sets the name or path, whose extension is used for [`Format::Auto`]; see [`Hints::name`].
    ///
    /// ```
    /// # #[cfg(feature = "documents")] {
    /// use linksift::{Document, Finder, Format};
    ///
    /// let page = Document::new(b"p { background: url(a.png) }").format(Format::Auto).name("page.css");
    /// let link = Finder::new().document(&page)?.links().next().unwrap();
    /// assert_eq!(link.iri(), "a.png");
    /// # }
    /// # Ok::<(), linksift::NotRead>(())
    /// ```
    pub fn name(mut self, name: impl AsRef<OsStr>) -> Self {
        self.hints = self.hints.name(name);
        self
    }

    /// Sets whether the running text of markup is scanned. Default: `true`.
    ///
    /// ```
    /// # #[cfg(feature = "documents")] {
    /// use linksift::{Document, Finder, Format};
    ///
    /// let page = b"<a href=http://e.com/>or example.org</a>";
    /// let page = Document::new(page).format(Format::Html).text(false);
    /// let finder = Finder::new();
    /// let mut links = finder.document(&page)?.links();
    /// assert_eq!(links.next().unwrap().raw(), "http://e.com/");
    /// assert_eq!(links.next(), None);
    /// # }
    /// # Ok::<(), linksift::NotRead>(())
    /// ```
    pub fn text(mut self, scanned: bool) -> Self {
        self.hints.text = scanned;
        self
    }

    /// Returns the encoding and its source: a byte order mark, the [charset that was
    /// set](Document::charset), a declaration in the document, or the content.
    ///
    /// # Errors
    ///
    /// Returns [`NotRead::Undecodable`] if the document declares an encoding that the Encoding Standard maps to `replacement`; no links
    /// are found in it.
    ///
    /// ```
    /// use linksift::{CharsetSource, Document};
    ///
    /// let found = Document::new("naïve".as_bytes()).detect().unwrap();
    /// assert_eq!((found.charset().name(), found.source()), ("utf-8", CharsetSource::Utf8));
    /// ```
    pub fn detect(&self) -> Result<Detected, NotRead> {
        Ok(decide(self.bytes, Extent::Whole, &self.hints.known())?)
    }

    /// Sets whether links have their line and column. Default: `false`.
    ///
    /// ```
    /// use linksift::{Document, Finder};
    ///
    /// let document = Document::new(b"one\nsee example.com").positions(true);
    /// let link = Finder::new().document(&document)?.links().next().unwrap();
    /// let position = link.position().unwrap();
    /// assert_eq!((position.line, position.column), (2, 5));
    /// # Ok::<(), linksift::NotRead>(())
    /// ```
    pub fn positions(mut self, counted: bool) -> Self {
        self.hints.positions = counted;
        self
    }
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
    /// assert_eq!((found.charset().name(), found.source()), ("utf-8", CharsetSource::Utf8));
    /// # #[cfg(feature = "documents")] {
    /// let found = Detected::of(b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0!").unwrap();
    /// assert_eq!((found.charset().name(), found.source()), ("windows-1251", CharsetSource::Detected));
    /// assert!(Detected::of(b"<meta charset=iso-2022-kr>").is_err());
    /// # }
    /// ```
    pub fn of(bytes: &[u8]) -> Result<Detected, NotRead> {
        Ok(Detected::of_bytes(bytes)?)
    }
}
