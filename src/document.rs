//! Documents: bytes with what is known about them beside the bytes.

use std::fmt;
use std::str::FromStr;

/// What the input is.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Format {
    /// Running text.
    #[default]
    Text,
}

/// What the input is decoded from.
///
/// ```
/// assert_eq!("UTF-8".parse::<linksift::Charset>().unwrap().name(), "utf-8");
/// assert!("utf-9".parse::<linksift::Charset>().is_err());
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Charset(());

impl Charset {
    /// UTF-8.
    pub const UTF_8: Charset = Charset(());

    /// The name of the encoding in the WHATWG Encoding Standard, in lower case.
    pub fn name(self) -> &'static str {
        "utf-8"
    }
}

impl FromStr for Charset {
    type Err = UnknownLabel;

    /// Takes a label as the WHATWG Encoding Standard lists them (§4.2), any case.
    fn from_str(label: &str) -> Result<Charset, UnknownLabel> {
        const LABELS: [&str; 6] = [
            "utf-8",
            "utf8",
            "unicode-1-1-utf-8",
            "unicode11utf8",
            "unicode20utf8",
            "x-unicode20utf8",
        ];
        let wanted = label.trim_matches(|c: char| c.is_ascii_whitespace());
        match LABELS.iter().any(|known| known.eq_ignore_ascii_case(wanted)) {
            true => Ok(Charset::UTF_8),
            false => Err(UnknownLabel(label.to_owned())),
        }
    }
}

/// The label of an encoding that is not known, or not supported yet.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownLabel(String);

impl fmt::Display for UnknownLabel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "unsupported charset {:?}: only utf-8 for now, others come later", self.0)
    }
}

impl std::error::Error for UnknownLabel {}

/// What is known of an input beside its bytes, and what is wanted of the scan.
///
/// ```
/// let hints = linksift::Hints::new().positions(true);
/// ```
#[derive(Clone, Debug, Default)]
pub struct Hints {
    pub(crate) format: Format,
    pub(crate) charset: Charset,
    pub(crate) positions: bool,
}

impl Hints {
    /// Running text in UTF-8, positions not counted.
    pub fn new() -> Hints {
        Hints::default()
    }

    /// What the input is; running text if nothing is said.
    pub fn format(mut self, format: Format) -> Self {
        self.format = format;
        self
    }

    /// What the input is decoded from; UTF-8 if nothing is said.
    pub fn charset(mut self, charset: Charset) -> Self {
        self.charset = charset;
        self
    }

    /// Whether links carry their line and column; not, if nothing is said. Lines are counted only
    /// up to the last link, and only between one link and the next.
    pub fn positions(mut self, counted: bool) -> Self {
        self.positions = counted;
        self
    }
}

/// Bytes and what is known about them.
///
/// ```
/// use linksift::{Document, Finder};
///
/// let finder = Finder::new();
/// let document = Document::new(b"first line\nsee example.com").positions(true);
/// let link = finder.document(&document).next().unwrap().unwrap();
/// assert_eq!(link.position().unwrap().line, 2);
/// ```
#[derive(Clone, Debug)]
pub struct Document<'t> {
    pub(crate) bytes: &'t [u8],
    pub(crate) hints: Hints,
}

impl<'t> Document<'t> {
    /// A document of running text in UTF-8.
    pub fn new(bytes: &'t [u8]) -> Document<'t> {
        Document { bytes, hints: Hints::default() }
    }

    /// What the document is; running text if nothing is said.
    pub fn format(mut self, format: Format) -> Self {
        self.hints.format = format;
        self
    }

    /// What it is decoded from; UTF-8 if nothing is said.
    pub fn charset(mut self, charset: Charset) -> Self {
        self.hints.charset = charset;
        self
    }

    /// Whether links carry their line and column; not, if nothing is said.
    pub fn positions(mut self, counted: bool) -> Self {
        self.hints.positions = counted;
        self
    }
}
