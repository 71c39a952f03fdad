//! What a media type says of a document (RFC 9110 §8.3.1), wherever one is given: WARC, mail, tables of inputs.

use super::Format;

impl Format {
    /// The format that a media type names; `None`, if it says nothing of one that is read. Parameters are passed
    /// over, and case does not count. `text/plain` is running text, whatever it looks like.
    ///
    /// ```
    /// use linksift::Format;
    ///
    /// assert_eq!(Format::of_media_type("text/HTML; charset=utf-8"), Some(Format::Html));
    /// assert_eq!(Format::of_media_type("application/atom+xml"), Some(Format::Xml));
    /// assert_eq!(Format::of_media_type("application/octet-stream"), None);
    /// ```
    pub fn of_media_type(media_type: &str) -> Option<Format> {
        let name = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let (kind, subtype) = name.split_once('/')?;
        Some(match (kind, subtype) {
            (_, "html" | "x-amp-html" | "x-watch-html") => Format::Html,
            (_, "xml" | "xhtml" | "xsl" | "xml-dtd") => Format::Xml,
            (_, "json" | "x-ndjson" | "ndjson" | "jsonl") => Format::Json,
            (_, "css") => Format::Css,
            (_, "csv") => Format::Csv,
            (_, "markdown" | "x-markdown") => Format::Markdown,
            ("text", "plain") => Format::Text,
            (_, other) if other.ends_with("+xml") => Format::Xml,
            (_, other) if other.ends_with("+json") => Format::Json,
            _ => return None,
        })
    }
}
