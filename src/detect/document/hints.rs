//! Hints: facts about an input that are not in its bytes, and options of the scan.

use std::ffi::OsStr;
use std::io;
use std::path::Path;
#[cfg(feature = "documents")]
use std::sync::Arc;

use super::{Alternatives, Headers, JoinWrapped, MailPolicy, ScanScope};
use super::{Declared, Detection, Format};
use crate::charset::{Charset, Detected, EncodingHints, ParseCharsetError};
use crate::detect::media_type;
use crate::input::guard::Cancel;
use crate::iri::IriBuf;
#[cfg(feature = "documents")]
use crate::markup::PackageTexts;
use crate::offsets::Unit;

/// Facts about an input besides its bytes, and options of the scan.
///
/// ```
/// use linksift::{Finder, Hints};
///
/// let hints = Hints::new().positions(true);
/// let link = Finder::new().document(b"one\nsee example.com", &hints)?.links().next().unwrap();
/// assert_eq!(link.position().map(|position| position.line), Some(2));
/// # Ok::<(), linksift::NotRead>(())
/// ```
#[derive(Clone, Debug, Default)]
#[must_use]
pub struct Hints {
    pub(crate) format: Format,
    /// Whether the caller requested that format; otherwise it is the default.
    pub(crate) is_asked: bool,
    pub(crate) declared: Declared,
    /// Detection that was made earlier.
    pub(crate) detection: Option<Detection>,
    pub(crate) charset: Option<Charset>,
    /// Label that was set in place of the charset, if it is unknown.
    pub(crate) unknown_label: Option<Box<str>>,
    /// Unit of columns, if lines and columns are counted.
    pub(crate) positions: Option<Unit>,
    pub(crate) eager: bool,
    pub(crate) scope: ScanScope,
    pub(crate) base: Option<IriBuf>,
    pub(crate) detected: Option<Detected>,
    /// Name of the document, whose extension is used.
    pub(crate) name: Option<Vec<u8>>,
    pub(crate) cancel: Option<Cancel>,
    pub(crate) mail: MailPolicy,
    pub(crate) around: Enclosure,
}

/// What a document is in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Enclosure {
    /// Number of documents that are read whole around it.
    pub(crate) depth: usize,
    /// Texts of the links of a part of a package, if the document is the relationships of that part.
    #[cfg(feature = "documents")]
    pub(crate) texts: Option<Arc<PackageTexts>>,
}

impl Enclosure {
    /// Returns what a document is in that the document contains.
    pub(crate) fn inner(&self) -> Enclosure {
        Enclosure {
            depth: self.depth + 1,
            #[cfg(feature = "documents")]
            texts: None,
        }
    }
}

impl Hints {
    /// Creates empty hints: format and encoding are detected, lines and columns are not counted.
    ///
    /// ```
    /// use linksift::{Finder, Hints};
    ///
    /// let link = Finder::new().document(b"see example.com", &Hints::new())?.links().next().unwrap();
    /// assert_eq!((link.raw(), link.context().as_str(), link.position()), ("example.com", "text", None));
    /// # Ok::<(), linksift::NotRead>(())
    /// ```
    pub fn new() -> Hints {
        Hints::default()
    }

    /// Sets the format of the input. Default: [`Format::Auto`].
    ///
    /// ```
    /// # #[cfg(feature = "documents")] {
    /// use linksift::{Finder, Format, Hints};
    ///
    /// let hints = Hints::new().format(Format::Json);
    /// let link = Finder::new().document(br#"{"see": "http:\/\/e.com\/"}"#, &hints)?.links().next().unwrap();
    /// assert_eq!(link.iri(), "http://e.com/");
    /// # }
    /// # Ok::<(), linksift::NotRead>(())
    /// ```
    pub fn format(mut self, format: Format) -> Self {
        self.format = format;
        self.is_asked = true;
        self
    }

    /// Sets the format that a server or a manifest declares, which may be wrong. Default: none.
    ///
    /// This format decides for [`Format::Auto`], before the [name](Hints::name). The bytes take precedence: a document
    /// that begins as a picture is a picture, and one with many control characters is not text.
    ///
    /// ```
    /// # #[cfg(feature = "documents")] {
    /// use linksift::{Finder, Format, Hints};
    ///
    /// let hints = Hints::new().format(Format::Auto).declared(Format::Html).name("page.php.txt");
    /// let link = Finder::new().document(b"<a href='http://e.com/?a&amp;b'>", &hints)?.links().next().unwrap();
    /// assert_eq!(link.iri(), "http://e.com/?a&b");
    /// # }
    /// # Ok::<(), linksift::NotRead>(())
    /// ```
    pub fn declared(mut self, format: Format) -> Self {
        self.declared = match format {
            Format::Auto => Declared::Nothing,
            format => Declared::Format(format),
        };
        self
    }

    /// Sets the media type that is declared for the input, in place of a [format](Hints::declared). Parameters are
    /// ignored: use [`content_type`](Hints::content_type) for a whole header.
    ///
    /// ```
    /// use linksift::{Finder, Format, Hints, NotRead};
    ///
    /// let hints = Hints::new().format(Format::Auto).media_type("image/png");
    /// assert_eq!(Finder::new().document(b"see http://e.com/", &hints).unwrap_err(), NotRead::Media);
    /// ```
    pub fn media_type(mut self, media_type: &str) -> Self {
        let essence = media_type.split(';').next().unwrap_or_default();
        self.declared = Declared::of(essence);
        self
    }

    /// Sets the charset that an HTTP or MIME header declares. Default: detected.
    ///
    /// ```
    /// # #[cfg(feature = "documents")] {
    /// use linksift::{Finder, Hints};
    ///
    /// let hints = Hints::new().charset("windows-1251".parse().unwrap());
    /// let link = Finder::new().document(b"http://e.com/\xFF", &hints)?.links().next().unwrap();
    /// assert_eq!(link.raw(), "http://e.com/я");
    /// # }
    /// # Ok::<(), linksift::NotRead>(())
    /// ```
    pub fn charset(mut self, charset: Charset) -> Self {
        self.charset = Some(charset);
        self.unknown_label = None;
        self
    }

    /// Sets the [charset](Hints::charset) by the label in an HTTP or MIME header. An unknown label is reported
    /// ([`Notice::UnknownCharset`](crate::Notice::UnknownCharset)), and the encoding is detected; an empty one is
    /// ignored.
    ///
    /// ```
    /// use linksift::{Finder, Hints, Notice};
    ///
    /// let hints = Hints::new().charset_label("klingon");
    /// let finder = Finder::new();
    /// let found = finder.document("http://e.com/é".as_bytes(), &hints)?;
    /// assert_eq!(found.notices(), [Notice::UnknownCharset]);
    /// assert_eq!(found.links().next().unwrap().raw(), "http://e.com/é");
    /// # Ok::<(), linksift::NotRead>(())
    /// ```
    pub fn charset_label(mut self, label: &str) -> Self {
        let label = label.trim();
        self.charset = label.parse().ok();
        self.unknown_label =
            (self.charset.is_none() && !label.is_empty()).then(|| ParseCharsetError::shown(label));
        self
    }

    /// Sets the [media type](Hints::media_type) and, where it names one, the [charset](Hints::charset_label) of a `Content-Type`
    /// header.
    ///
    /// ```
    /// use linksift::{Finder, Hints};
    ///
    /// let hints = Hints::new().content_type("text/html; charset=\"UTF-8\"");
    /// let page = "<a href='http://e.com/é'>".as_bytes();
    /// let link = Finder::new().document(page, &hints)?.links().next().unwrap();
    /// assert_eq!(link.raw(), "http://e.com/é");
    /// # Ok::<(), linksift::NotRead>(())
    /// ```
    pub fn content_type(self, header: &str) -> Self {
        let essence = media_type::first_word(header.as_bytes());
        let hints = self.media_type(&essence);
        match media_type::parameter(header.as_bytes(), "charset") {
            None => hints,
            Some(label) => {
                hints.charset_label(String::from_utf8_lossy(&label).trim_matches(['\'', ' ']))
            }
        }
    }

    /// Sets whether the links of a reader are reported as soon as no later byte can change them. Default: `false`: up
    /// to 1 MiB is read to detect an encoding, and up to 16 MiB of a page to find its `<base>`.
    ///
    /// A read that returns less than requested is a *pause*: the bytes that have arrived by then decide the format.
    /// While all are ASCII, links are reported, in text also between pauses; their [charset](crate::Link::charset) is
    /// `utf-8`. At the first pause after a non-ASCII byte the encoding is detected. References of a page wait for a
    /// `<base>` until the head ends, and a later one is ignored ([`Warning::LateBase`](crate::Warning::LateBase)).
    /// Markdown, calendars, cards and documents that must be transcoded as a whole wait for the end. Without a charset,
    /// results depend on [how the bytes arrive](crate::Feed#the-same-links-in-any-pieces). A document in memory does not pause.
    ///
    /// ```
    /// # #[cfg(feature = "documents")] {
    /// use linksift::{Event, Finder, Format, Hints};
    /// use std::{cell::RefCell, io::Read, ops::ControlFlow};
    ///
    /// struct Slow<'s>(&'s RefCell<Vec<String>>, [&'s str; 2]);
    ///
    /// impl Read for Slow<'_> {
    ///     fn read(&mut self, to: &mut [u8]) -> std::io::Result<usize> {
    ///         let [part, rest] = self.1;
    ///         self.0.borrow_mut().push(format!("read {}", part.len()));
    ///         self.1 = [rest, ""];
    ///         part.as_bytes().read(to)
    ///     }
    /// }
    ///
    /// let told = RefCell::new(Vec::new());
    /// let reader = Slow(&told, ["<body><a href=http://e.com/>a</a>", "<p>http://e.org/"]);
    /// let hints = Hints::new().format(Format::Html).eager(true);
    /// Finder::new().scan_reader(reader, &hints, |event| {
    ///     told.borrow_mut().extend(event.link().map(|link| link.raw().to_owned()));
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!(*told.borrow(), ["read 33", "http://e.com/", "read 16", "read 0", "http://e.org/"]);
    /// # }
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn eager(mut self, at_once: bool) -> Self {
        self.eager = at_once;
        self
    }

    /// Sets the encoding of the input, if it was detected before: it is not detected again.
    ///
    /// ```
    /// use linksift::{Detected, Finder, Hints};
    ///
    /// let bytes = "見て http://例え.jp/".as_bytes();
    /// let detected = Detected::of(bytes)?;
    /// assert_eq!(Finder::new().document(bytes, &Hints::new().detected(detected))?.count(), 1);
    /// # Ok::<(), linksift::NotRead>(())
    /// ```
    pub fn detected(mut self, detected: Detected) -> Self {
        self.detected = Some(detected);
        self
    }

    /// Sets the base against which relative references in markup are resolved. A `<base href>` is resolved against it
    /// first. Default: none, they stay relative. [`iri::repair`](crate::iri::repair) converts what people and programs
    /// write to an IRI, as a browser does; [`parse`](str::parse) accepts only the grammar of RFC 3987.
    ///
    /// ```
    /// # #[cfg(feature = "documents")] {
    /// use linksift::{Finder, Format, Hints};
    ///
    /// let base = linksift::iri::repair("http://example.com/a [1]/").unwrap();
    /// let hints = Hints::new().format(Format::Html).base(base.into_iri());
    /// let link = Finder::new().document(b"<a href=../b>b</a>", &hints)?.links().next().unwrap();
    /// assert_eq!(link.iri(), "http://example.com/b");
    /// # }
    /// # Ok::<(), linksift::NotRead>(())
    /// ```
    pub fn base(mut self, iri: IriBuf) -> Self {
        self.base = Some(iri);
        self
    }

    /// Sets the [base](Hints::base) to the `file:` IRI of an existing file or directory, so that the relative references of the file
    /// resolve to paths ([`Link::file_path`](crate::Link::file_path)).
    ///
    /// # Errors
    ///
    /// The errors are those of [`IriBuf::of_file`].
    ///
    /// ```
    /// # #[cfg(feature = "documents")] {
    /// use linksift::{Finder, Format, Hints};
    /// use std::path::Path;
    ///
    /// let hints = Hints::new().format(Format::Html).base_of_file(Path::new("src/lib.rs"))?;
    /// let link = Finder::new().document(b"<a href='a%20b.html'>b</a>", &hints)?.links().next().unwrap();
    /// assert_eq!(link.file_path(), Some(std::path::absolute("src/a b.html")?));
    /// # }
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn base_of_file(self, path: &Path) -> io::Result<Self> {
        Ok(self.base(IriBuf::of_file(path)?))
    }

    /// Sets the name or path of the document, such as `index.html`, whose extension is used for [`Format::Auto`].
    /// Default: none.
    ///
    /// ```
    /// # #[cfg(feature = "documents")] {
    /// use linksift::{Finder, Format, Hints};
    /// use std::path::Path;
    ///
    /// let hints = Hints::new().format(Format::Auto).name(Path::new("docs/index.html"));
    /// let link = Finder::new().document(b"see <a href=a.html>this</a>", &hints)?.links().next().unwrap();
    /// assert_eq!(link.context(), "a@href");
    /// # }
    /// # Ok::<(), linksift::NotRead>(())
    /// ```
    pub fn name(mut self, name: impl AsRef<OsStr>) -> Self {
        self.name = Some(name.as_ref().as_encoded_bytes().to_vec());
        self
    }

    /// Sets a token that cancels the scan of a reader, a [`Feed`](crate::Feed) and [`rewrite`](crate::Finder::rewrite). Default: only
    /// the callback ends it. The token does not end the iterator of a document in memory, which the caller can drop at any time.
    ///
    /// ```
    /// use linksift::{Cancel, Finder, Hints};
    /// use std::ops::ControlFlow;
    ///
    /// let cancel = Cancel::new();
    /// let hints = Hints::new().cancel(cancel.clone());
    /// let text = "http://example.com/1 http://example.com/2 ".repeat(1000);
    /// let mut links = 0;
    /// let scanned = Finder::new().scan_reader(text.as_bytes(), &hints, |_| {
    ///     links += 1;
    ///     cancel.cancel();
    ///     ControlFlow::Continue(())
    /// })?;
    /// assert_eq!((links, scanned.stopped()), (1, true));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn cancel(mut self, token: Cancel) -> Self {
        self.cancel = Some(token);
        self
    }

    /// Sets the header fields of mail that are read. Default: [`Headers::Links`]. Without the
    /// feature `mail` it has no effect.
    ///
    /// ```
    /// # #[cfg(feature = "mail")] {
    /// use linksift::{Finder, Format, Headers, Hints};
    ///
    /// let finder = Finder::new();
    /// let mail = b"From: me@e.com\nArchived-At: <http://e.com/1>\n\nsee example.com";
    /// let count = |headers| {
    ///     let hints = Hints::new().format(Format::Email).headers(headers);
    ///     finder.document(mail, &hints).unwrap().count()
    /// };
    /// assert_eq!([Headers::None, Headers::Links, Headers::All].map(count), [1, 2, 3]);
    /// # }
    /// ```
    pub fn headers(mut self, headers: Headers) -> Self {
        self.mail.headers = headers;
        self
    }

    /// Sets the parts of a `multipart/alternative` that are read. Default: [`Alternatives::All`]. Without the
    /// feature `mail` it has no effect.
    ///
    /// ```
    /// # #[cfg(feature = "mail")]
    /// # fn main() -> Result<(), linksift::NotRead> {
    /// use linksift::{Alternatives, Finder, Format, Hints};
    ///
    /// let mail = b"Content-Type: multipart/alternative; boundary=x\n\n\
    ///     --x\nContent-Type: text/plain\n\nhttp://e.com/text\n\
    ///     --x\nContent-Type: text/html\n\n<a href=http://e.com/html>here</a>\n--x--\n";
    /// let hints = Hints::new().format(Format::Email).alternatives(Alternatives::Best);
    /// let found: Vec<_> = Finder::new()
    ///     .document(mail, &hints)?
    ///     .links()
    ///     .map(|link| link.uri().into_owned())
    ///     .collect();
    /// assert_eq!(found, ["http://e.com/html"]);
    /// # Ok(())
    /// # }
    /// # #[cfg(not(feature = "mail"))]
    /// # fn main() {}
    /// ```
    pub fn alternatives(mut self, alternatives: Alternatives) -> Self {
        self.mail.alternatives = alternatives;
        self
    }

    /// Sets whether links in `<…>` that are broken over lines are joined, in mail. Default: [`JoinWrapped::Auto`].
    /// Without the feature `mail` it has no effect.
    ///
    /// ```
    /// # #[cfg(feature = "mail")] {
    /// use linksift::{Finder, Format, Hints, JoinWrapped};
    ///
    /// let finder = Finder::new();
    /// let mail = b"Subject: a\n\nsee <http://e.com/long/\npath>";
    /// let first = |join| {
    ///     let hints = Hints::new().format(Format::Email).join_wrapped(join);
    ///     finder.document(mail, &hints).unwrap().links().next().unwrap().uri().into_owned()
    /// };
    /// assert_eq!(first(JoinWrapped::Auto), "http://e.com/long/path");
    /// assert_eq!(first(JoinWrapped::Never), "http://e.com/long/");
    /// # }
    /// ```
    pub fn join_wrapped(mut self, join_wrapped: JoinWrapped) -> Self {
        self.mail.join_wrapped = join_wrapped;
        self
    }

    /// Returns the hints on the encoding.
    pub(crate) fn known(&self) -> EncodingHints<'_> {
        EncodingHints {
            detected: self.detected.as_ref(),
            transport: self.charset,
            unknown_label: self.unknown_label.as_deref(),
            #[cfg(feature = "documents")]
            is_html: self.is_known_html(),
            // Without documents everything is plain text.
            #[cfg(not(feature = "documents"))]
            is_html: false,
        }
    }

    /// Sets whether links have their line and column. Default: `false`. Lines are counted only up to the last link,
    /// from one link to the next.
    ///
    /// ```
    /// use linksift::{Finder, Hints};
    ///
    /// let hints = Hints::new().positions(true);
    /// let link = Finder::new().document(b"one\nsee example.com", &hints)?.links().next().unwrap();
    /// assert_eq!(link.position().map(|position| position.line), Some(2));
    /// # Ok::<(), linksift::NotRead>(())
    /// ```
    pub fn positions(mut self, counted: bool) -> Self {
        self.positions = counted.then(|| self.positions.unwrap_or(Unit::Bytes));
        self
    }

    /// Sets the unit that columns count, and [`positions`](Hints::positions). Default: bytes of the stored line. Editors count
    /// characters, or units of UTF-16 as the Language Server Protocol does; both are those of the decoded line, in any
    /// encoding, and a malformed sequence is one of them. In a message, whose parts have encodings of their own, non-ASCII bytes
    /// count as UTF-8. A byte order mark is not counted in any unit.
    ///
    /// ```
    /// use linksift::offsets::Unit;
    /// use linksift::{Finder, Hints};
    ///
    /// let column = |unit| {
    ///     let bytes = "🦀é http://e.com/".as_bytes();
    ///     let hints = Hints::new().columns(unit);
    ///     let link = Finder::new().document(bytes, &hints).unwrap().links().next().unwrap();
    ///     link.position().unwrap().column
    /// };
    /// assert_eq!([Unit::Bytes, Unit::Chars, Unit::Utf16].map(column), [8, 4, 5]);
    /// ```
    pub fn columns(mut self, unit: Unit) -> Self {
        self.positions = Some(unit);
        self
    }
}
