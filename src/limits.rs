//! Limits of lengths, depths and counts, and the codes that are reported when they are reached.
//!
//! Each is declared here once: the modules read it from here, `docs/output.md` has the same table, and a test
//! reaches each of them.

/// Bytes of a base, of the source IRI of a document's links, and of the name of a member of an archive: each is reported
/// with every link, so the limit bounds the output by the input.
pub(crate) const TOLD_WITH_EACH: usize = 8 << 10;
/// The links of a document may repeat these for as many times the document's size, and for as many bytes in any case.
pub(crate) const REPEATED: u64 = 32;
pub(crate) const REPEATED_ALWAYS: u64 = 64 << 10;
/// Bytes of the name of an element or an attribute in a context.
pub(crate) const NAME_IN_CONTEXT: usize = 128;
/// Bytes of the visible text of a link that are kept, and compared with its target.
pub(crate) const SHOWN: usize = 1 << 10;
/// Bytes of a link.
pub(crate) const LINK: usize = 64 << 10;
/// Bytes of a value that holds several references, or a document.
pub(crate) const VALUE: usize = 1 << 20;
/// Bytes of a document in a string of JSON, and of the object around it that are searched for its type.
pub(crate) const IN_JSON: usize = 4 << 20;
/// Bytes of a field of a header, with the lines that it goes on in.
pub(crate) const FIELD: usize = 1 << 20;
/// Bytes of a document that can only be read when all of it is available.
pub(crate) const WHOLE: usize = 16 << 20;
/// Bytes of a document that a parser reads whole, such as PDF.
pub(crate) const WHOLE_DOCUMENT: usize = 256 << 20;
/// Bytes of such documents, over all that are read at once.
pub(crate) const WHOLE_DOCUMENTS: usize = 512 << 20;
/// Documents that a parser reads whole in each other.
pub(crate) const NESTED_DOCUMENTS: usize = 8;
/// Documents of HTML in values of others.
pub(crate) const INSIDE: usize = 3;
/// Quotations and lists of Markdown in each other.
pub(crate) const MARKDOWN: usize = 100;
/// Lines of a calendar or a card.
pub(crate) const PROPERTIES: usize = 1 << 19;
/// Elements of an XML document in each other that are remembered.
pub(crate) const ELEMENTS: usize = 1 << 14;
/// Prefixes of XML namespaces in force at one place.
pub(crate) const PREFIXES: usize = 256;
/// Bytes that the entities of an XML document may always expand to.
pub(crate) const ENTITIES: usize = 8 << 20;
/// Levels of a message.
pub(crate) const MESSAGE: usize = 64;
/// Encodings of a message in each other.
pub(crate) const ENCODINGS: usize = 3;
/// Uuencoded files in the text of a part of a message.
pub(crate) const UUENCODED: usize = 1024;
/// Containers and compressions in each other.
pub(crate) const DEPTH: u32 = 8;
/// How many times its size something may expand to.
pub(crate) const EXPANSION: u64 = 2000;
/// Bytes that a decoder keeps.
pub(crate) const WINDOW: u64 = 128 << 20;

/// A limit: its name, maximum, option, and the code that is reported when it is reached.
///
/// ```
/// let base = linksift::limits::ALL.iter().find(|limit| limit.name() == "base").unwrap();
/// assert_eq!((base.most(), base.option(), base.said()), (8192, None, "base-too-long"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limit {
    name: &'static str,
    most: u64,
    unit: &'static str,
    option: Option<&'static str>,
    said: &'static str,
}

impl Limit {
    /// Returns the name, as in the documentation.
    ///
    /// ```
    /// assert!(linksift::limits::ALL.iter().any(|limit| limit.name() == "link"));
    /// ```
    #[must_use]
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// Returns the default maximum, in its [unit](Limit::unit).
    ///
    /// ```
    /// let link = linksift::limits::ALL.iter().find(|limit| limit.name() == "link").unwrap();
    /// assert_eq!(link.most(), linksift::DEFAULT_MAX_LINK as u64);
    /// ```
    #[must_use]
    pub const fn most(&self) -> u64 {
        self.most
    }

    /// Returns the unit: `bytes`, `levels`, `times`.
    ///
    /// ```
    /// assert!(linksift::limits::ALL.iter().all(|limit| !limit.unit().is_empty()));
    /// ```
    #[must_use]
    pub const fn unit(&self) -> &'static str {
        self.unit
    }

    /// Returns the option of the command that sets the limit, if any.
    ///
    /// ```
    /// let options: Vec<_> = linksift::limits::ALL.iter().filter_map(|limit| limit.option()).collect();
    /// assert!(options.contains(&"--max-link"));
    /// ```
    #[must_use]
    pub const fn option(&self) -> Option<&'static str> {
        self.option
    }

    /// Returns the code that is reported when the limit is reached: of a notice, a reason, a warning or a failure. It is empty
    /// if nothing is lost beyond the limit: documents wait for their turn.
    ///
    /// ```
    /// let link = linksift::limits::ALL.iter().find(|limit| limit.name() == "link").unwrap();
    /// assert_eq!(link.said(), linksift::Reason::TooLong.as_str());
    /// ```
    #[must_use]
    pub const fn said(&self) -> &'static str {
        self.said
    }
}

const fn limit(name: &'static str, most: usize, unit: &'static str, said: &'static str) -> Limit {
    Limit { name, most: most as u64, unit, option: None, said }
}

const fn set(limit: Limit, option: &'static str) -> Limit {
    Limit { option: Some(option), ..limit }
}

/// The limits that a document can reach.
///
/// ```
/// for limit in linksift::limits::ALL {
///     println!("{}: {} {}", limit.name(), limit.most(), limit.unit());
/// }
/// ```
pub const ALL: &[Limit] = &[
    set(limit("link", LINK, "bytes", "too-long"), "--max-link"),
    limit("value of several links", VALUE, "bytes", "value-too-long"),
    limit("HTML in a value", VALUE, "bytes", "read-as-text"),
    limit("HTML in HAR", IN_JSON, "bytes", "read-as-text"),
    limit("field of a header", FIELD, "bytes", "field-too-long"),
    limit("base", TOLD_WITH_EACH, "bytes", "base-too-long"),
    limit("source", TOLD_WITH_EACH, "bytes", "source-too-long"),
    limit("bases, sources and names over all links", REPEATED as usize, "times", "repeated"),
    limit("member's name", TOLD_WITH_EACH, "bytes", "name-too-long"),
    limit("page in UTF-16, Markdown, calendar, card, RTF", WHOLE, "bytes", "read-as-text"),
    limit(
        "PDF, Office, property list, store in a mail",
        WHOLE_DOCUMENT,
        "bytes",
        "document-too-long",
    ),
    limit("PDF, Office, stores at once", WHOLE_DOCUMENTS, "bytes", ""),
    limit("quotations and lists of Markdown", MARKDOWN, "levels", "read-as-text"),
    limit("lines of a calendar or a card", PROPERTIES, "lines", "read-as-text"),
    limit("documents in values", INSIDE, "levels", "read-as-text"),
    limit("elements of XML in each other", ELEMENTS, "levels", "elements-too-deep"),
    limit("prefixes of XML", PREFIXES, "prefixes", "prefixes-too-many"),
    limit("entities of XML", ENTITIES, "bytes", "entity-limit"),
    limit("messages in each other", MESSAGE, "levels", "too-deep"),
    limit("encodings of mail", ENCODINGS, "levels", "too-deep"),
    limit("uuencoded files in a text", UUENCODED, "files", "skipped"),
    limit("attached archive", WHOLE, "bytes", "attachment-too-long"),
    set(limit("archives in each other", DEPTH as usize, "levels", "depth"), "--max-depth"),
    set(limit("expansion", EXPANSION as usize, "times", "expansion"), "--max-expansion"),
    set(limit("decoder's window", WINDOW as usize, "bytes", "window"), "--max-window"),
];
