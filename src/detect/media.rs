//! Declared types: what a media type says of a document (RFC 9110 §8.3.1), wherever one is given: HTTP, WARC, mail,
//! tables of inputs.

use std::borrow::Cow;

use super::kinds::{self, Handling};
use crate::detect::document::{Declared, Disposition, Format};

impl Declared {
    /// The declaration of a media type without its parameters; case does not count.
    pub(crate) fn of(essence: &str) -> Declared {
        let essence = lowered(Cow::Borrowed(essence.trim()));
        let Some((kind, subtype)) = essence.split_once('/') else { return Declared::Nothing };
        if let Some(format) = format(kind, subtype) {
            return Declared::Format(format);
        }
        match kinds::by_media_type(&essence).map(|kind| kind.handling) {
            Some(Handling::Document(disposition)) => return Declared::Kind(disposition),
            Some(Handling::Opened(_)) => return Declared::Nothing,
            None => {}
        }
        match (kind, subtype) {
            // Known by how it begins, though it is text.
            ("text" | "application", "rtf" | "x-rtf") => Declared::Nothing,
            // Lists of addresses, which are text.
            (_, "mpegurl" | "x-mpegurl" | "scpls" | "x-scpls" | "warc-fields") => Declared::Text,
            ("image" | "audio" | "video" | "font", _) => Declared::Kind(Disposition::Media),
            ("text" | "message", _) => Declared::Text,
            _ => Declared::Nothing,
        }
    }
}

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
        let essence = media_type.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        let (kind, subtype) = essence.split_once('/')?;
        format(kind, subtype)
    }
}

/// Returns a type in lower case, in which nearly all are written.
pub(crate) fn lowered(media_type: Cow<'_, str>) -> Cow<'_, str> {
    match media_type.bytes().any(|b| b.is_ascii_uppercase()) {
        true => Cow::Owned(media_type.to_ascii_lowercase()),
        false => media_type,
    }
}

/// The format that a media type in lower case names.
fn format(kind: &str, subtype: &str) -> Option<Format> {
    Some(match (kind, subtype) {
        (_, "html" | "x-html" | "x-amp-html" | "x-watch-html" | "x-server-parsed-html") => {
            Format::Html
        }
        (_, "xml" | "xhtml" | "xsl" | "xml-dtd") => Format::Xml,
        (_, "json" | "x-ndjson" | "ndjson" | "jsonl") => Format::Json,
        (_, "css") => Format::Css,
        (_, "csv") => Format::Csv,
        (_, "calendar" | "x-vcalendar" | "ics") => Format::Calendar,
        (_, "vcard" | "x-vcard" | "directory") => Format::Vcard,
        (_, "markdown" | "x-markdown") => Format::Markdown,
        ("text", "plain") => Format::Text,
        ("text" | "application", "javascript" | "x-javascript" | "ecmascript" | "typescript") => {
            Format::Code
        }
        ("text" | "application", "yaml" | "x-yaml" | "toml" | "sql" | "x-sh" | "x-shellscript") => {
            Format::Code
        }
        (
            "text",
            "x-c" | "x-csrc" | "x-chdr" | "x-c++src" | "x-c++hdr" | "x-java" | "x-java-source",
        ) => Format::Code,
        ("text", "x-go" | "x-perl" | "x-python" | "x-ruby" | "x-rust" | "x-script.python") => {
            Format::Code
        }
        ("message", "rfc822" | "global" | "news") => Format::Email,
        ("application", "mbox") => Format::Mbox,
        (_, other) if other.ends_with("+xml") => Format::Xml,
        (_, other) if other.ends_with("+json") => Format::Json,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_table_for_all_who_declare() {
        for (media_type, declared) in [
            ("text/html", Declared::Format(Format::Html)),
            (" Image/SVG+xml ", Declared::Format(Format::Xml)),
            ("image/png", Declared::Kind(Disposition::Media)),
            ("audio/x-mpegurl", Declared::Text),
            ("font/woff2", Declared::Kind(Disposition::Media)),
            ("application/font-woff", Declared::Kind(Disposition::Media)),
            ("application/pdf", Declared::Kind(Disposition::Opaque)),
            ("application/vnd.apache.parquet", Declared::Kind(Disposition::Table)),
            ("application/pgp-signature", Declared::Kind(Disposition::Signature)),
            ("text/x-unheard-of", Declared::Text),
            ("application/octet-stream", Declared::Nothing),
            ("application/gzip", Declared::Nothing),
            ("plain", Declared::Nothing),
            ("", Declared::Nothing),
        ] {
            assert_eq!(Declared::of(media_type), declared, "{media_type}");
        }
    }
}
