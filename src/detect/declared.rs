//! Formats and dispositions from the extension of a name, and from a media type that HTTP, WARC, mail or a table of
//! inputs declares (RFC 9110 §8.3.1).

use std::borrow::Cow;

use super::about::DocumentFacts;
use super::kinds::{self, Handling, split};
use super::magic::{TAR_BLOCK, is_lzma, is_skippable_frame, is_tar_header, is_text, is_ustar};
use crate::detect::document::{ArchiveFormat, Declared, Disposition, Evidence, Format};

/// Extensions of compressed files, each with the extension of the file inside.
const COMPRESSED: [(&str, &str, ArchiveFormat); 16] = [
    ("gz", "", ArchiveFormat::Gzip),
    ("tgz", "tar", ArchiveFormat::Gzip),
    ("svgz", "svg", ArchiveFormat::Gzip),
    ("bz2", "", ArchiveFormat::Bzip2),
    ("tbz2", "tar", ArchiveFormat::Bzip2),
    ("tbz", "tar", ArchiveFormat::Bzip2),
    ("xz", "", ArchiveFormat::Xz),
    ("txz", "tar", ArchiveFormat::Xz),
    ("lzma", "", ArchiveFormat::Lzma),
    ("tlz", "tar", ArchiveFormat::Lzma),
    ("zst", "", ArchiveFormat::Zstd),
    ("zstd", "", ArchiveFormat::Zstd),
    ("tzst", "tar", ArchiveFormat::Zstd),
    ("lz4", "", ArchiveFormat::Lz4),
    ("br", "", ArchiveFormat::Brotli),
    ("z", "", ArchiveFormat::Gzip),
];

/// Returns the archive format of a document that matches no magic number in the table of kinds: by a magic number at a
/// later offset, or by its name and a plausible header.
pub(super) fn archive_format(
    about: &DocumentFacts<'_>,
    head: &[u8],
) -> Option<(ArchiveFormat, Evidence)> {
    let by_name = || by_name(about.name).map(|(_, archive_format)| archive_format);
    let magic = |archive_format| Some((archive_format, Evidence::Magic));
    let named = |archive_format| Some((archive_format, Evidence::Name));
    match head {
        _ if is_skippable_frame(head) => match by_name() {
            Some(ArchiveFormat::Lz4) => magic(ArchiveFormat::Lz4),
            _ => magic(ArchiveFormat::Zstd),
        },
        _ if is_ustar(head) => magic(ArchiveFormat::Tar),
        // A declared type takes precedence over the name.
        _ if about.declared != Declared::Nothing => None,
        [] => by_name().and_then(named),
        _ => match by_name() {
            // Brotli has no magic number: text with such a name is not compressed.
            Some(ArchiveFormat::Brotli) if !is_text(head) => named(ArchiveFormat::Brotli),
            Some(ArchiveFormat::Lzma) if is_lzma(head) => named(ArchiveFormat::Lzma),
            _ if is_named_tar(about.name) && head.len() >= TAR_BLOCK && is_tar_header(head) => {
                named(ArchiveFormat::Tar)
            }
            _ => None,
        },
    }
}

fn is_named_tar(name: &[u8]) -> bool {
    split(name).is_some_and(|(_, ending)| ending.eq_ignore_ascii_case(b"tar"))
}

/// Returns the extension of the file inside a compressed file, and the archive format, from the name's extension.
fn by_name(name: &[u8]) -> Option<(&'static str, ArchiveFormat)> {
    let (_, ending) = split(name)?;
    let is_it =
        |known: &&(&str, &str, ArchiveFormat)| ending.eq_ignore_ascii_case(known.0.as_bytes());
    COMPRESSED.iter().find(is_it).map(|known| (known.1, known.2))
}

/// Returns the archive format of a document that ends within the magic number of one: a download that was stopped. What
/// may be text is only taken for one if its name says so, or it has the six bytes that begin nothing else.
pub(super) fn cut_archive(name: &[u8], head: &[u8]) -> Option<ArchiveFormat> {
    const BLOCK: &[u8] = b"1AY&SY";
    // No magic number is longer.
    if head.len() > 10 {
        return None;
    }
    let is_bzip2 = matches!(head, [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..]
        if BLOCK.starts_with(rest) && (rest.len() >= 2 || is_named(name, ArchiveFormat::Bzip2)));
    let is_said = |archive| !head.iter().all(u8::is_ascii_graphic) || is_named(name, archive);
    match is_bzip2 || is_named(name, ArchiveFormat::Bzip2) && head == b"BZh" {
        true => Some(ArchiveFormat::Bzip2),
        false => kinds::cut_archive(head).filter(|archive| is_said(*archive)),
    }
}

fn is_named(name: &[u8], archive: ArchiveFormat) -> bool {
    by_name(name).is_some_and(|(_, named)| named == archive)
}

/// Extensions of text in any format: a saved page may be called `.txt`.
const TEXTS: [&str; 4] = ["txt", "text", "log", "asc"];

/// Returns `true` if a name is that of a text.
pub(super) fn is_name_of_text(name: &[u8]) -> bool {
    let is_it = |ending: &[u8]| TEXTS.iter().any(|one| ending.eq_ignore_ascii_case(one.as_bytes()));
    split(name).is_some_and(|(_, ending)| is_it(ending)) || is_of_format(name) || is_of_mail(name)
}

#[cfg(feature = "documents")]
fn is_of_format(name: &[u8]) -> bool {
    super::format::is_told_by_name(name)
}

#[cfg(not(feature = "documents"))]
fn is_of_format(_: &[u8]) -> bool {
    false
}

#[cfg(feature = "mail")]
fn is_of_mail(name: &[u8]) -> bool {
    super::mail::is_named(name)
}

#[cfg(not(feature = "mail"))]
fn is_of_mail(_: &[u8]) -> bool {
    false
}

/// Returns the name of the file inside a compressed file: `x.html` for `x.html.gz`, `x.tar` for `x.tgz`.
pub(crate) fn inner_name(name: &[u8]) -> Vec<u8> {
    let (Some((rest, _)), Some((left, _))) = (split(name), by_name(name)) else {
        return name.to_vec();
    };
    match left {
        "" => rest.to_vec(),
        left => [rest, b".", left.as_bytes()].concat(),
    }
}

/// Returns the name of the signed document (`invoice.xml` for `invoice.xml.p7m`), if the name is that of signed data.
#[cfg(feature = "mail")]
pub(crate) fn signed_name(name: &[u8]) -> Option<&[u8]> {
    split(name).filter(|(_, ending)| ending.eq_ignore_ascii_case(b"p7m")).map(|(rest, _)| rest)
}

impl Declared {
    /// Returns the declaration that a media type without parameters amounts to, in any letter case.
    pub(crate) fn of(essence: &str) -> Declared {
        let essence = lowered(Cow::Borrowed(essence.trim()));
        let Some((kind, subtype)) = essence.split_once('/') else { return Declared::Nothing };
        if (kind, subtype) == ("application", "manifest+json") {
            return Declared::Manifest;
        }
        if let Some(format) = format(kind, subtype) {
            return Declared::Format(format);
        }
        match kinds::by_media_type(&essence).map(|kind| kind.handling) {
            Some(Handling::Document(disposition)) => return Declared::Kind(disposition),
            Some(Handling::Opened(_)) => return Declared::Nothing,
            None => {}
        }
        match (kind, subtype) {
            // RTF is text, but is detected by its first bytes.
            ("text" | "application", "rtf" | "x-rtf") => Declared::Nothing,
            // Playlists and similar lists of addresses are text.
            (_, "mpegurl" | "x-mpegurl" | "scpls" | "x-scpls" | "warc-fields") => Declared::Text,
            ("image" | "audio" | "video" | "font", _) => Declared::Kind(Disposition::Media),
            ("text" | "message", _) => Declared::Text,
            _ => Declared::Nothing,
        }
    }
}

impl Format {
    /// Returns the format that a media type names, or `None` if it names none that is parsed. Parameters and letter
    /// case are ignored. `text/plain` is running text, whatever its content.
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

/// Returns a media type in lower case, without a copy if it already is.
pub(crate) fn lowered(media_type: Cow<'_, str>) -> Cow<'_, str> {
    match media_type.bytes().any(|b| b.is_ascii_uppercase()) {
        true => Cow::Owned(media_type.to_ascii_lowercase()),
        false => media_type,
    }
}

/// Returns the format that a media type in lower case names.
fn format(kind: &str, subtype: &str) -> Option<Format> {
    Some(match (kind, subtype) {
        (_, "html" | "x-html" | "x-amp-html" | "x-watch-html" | "x-server-parsed-html") => {
            Format::Html
        }
        (_, "xml" | "xhtml" | "xsl" | "xml-dtd") => Format::Xml,
        (_, "json" | "x-ndjson" | "ndjson" | "jsonl") => Format::Json,
        ("application", "x-ipynb+json") => Format::Notebook,
        (_, "css") => Format::Css,
        (_, "csv") => Format::Csv,
        (_, "calendar" | "x-vcalendar" | "ics") => Format::Calendar,
        (_, "vcard" | "x-vcard" | "directory") => Format::Vcard,
        (_, "x-java-properties" | "java-properties") => Format::Properties,
        (_, "x-gettext-translation" | "x-gettext" | "x-po" | "x-pot") => Format::Po,
        (_, "x-tex" | "tex" | "x-latex" | "latex" | "x-bibtex") => Format::Tex,
        (_, "x-texinfo" | "texinfo") => Format::Texinfo,
        (_, "x-pod") => Format::Pod,
        (_, "troff" | "x-troff" | "x-troff-man" | "x-troff-mdoc" | "x-man") => Format::Roff,
        (_, "markdown" | "x-markdown") => Format::Markdown,
        (_, "x-rst" | "prs.fallenstein.rst") => Format::Rst,
        (_, "asciidoc" | "x-asciidoc") => Format::Asciidoc,
        ("text", "plain") => Format::Text,
        ("text" | "application", "javascript" | "x-javascript" | "ecmascript" | "typescript") => {
            Format::Code
        }
        ("text" | "application", "yaml" | "x-yaml") => Format::Yaml,
        ("text" | "application", "toml" | "sql" | "x-sh" | "x-shellscript") => Format::Code,
        (
            "text",
            "x-c" | "x-csrc" | "x-chdr" | "x-c++src" | "x-c++hdr" | "x-java" | "x-java-source",
        ) => Format::Code,
        ("text", "x-go" | "x-perl" | "x-python" | "x-ruby" | "x-rust" | "x-script.python") => {
            Format::Code
        }
        ("message", "rfc822" | "global" | "news") => Format::Email,
        ("application", "mbox") => Format::Mbox,
        ("message" | "application", "http") => Format::Http,
        (_, other) if other.ends_with("+xml") => Format::Xml,
        (_, other) if other.ends_with("+json") => Format::Json,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_lose_their_compression() {
        for (name, inner) in [
            ("a/x.html.gz", "a/x.html"),
            ("x.TGZ", "x.tar"),
            ("x.gzip", "x.gzip"),
            ("x.svgz", "x.svg"),
            ("x", "x"),
        ] {
            assert_eq!(inner_name(name.as_bytes()), inner.as_bytes());
        }
    }

    #[test]
    fn one_table_for_all_who_declare() {
        for (media_type, declared) in [
            ("text/html", Declared::Format(Format::Html)),
            (" Image/SVG+xml ", Declared::Format(Format::Xml)),
            ("image/png", Declared::Kind(Disposition::Media)),
            ("application/manifest+json", Declared::Manifest),
            ("audio/x-mpegurl", Declared::Text),
            ("font/woff2", Declared::Kind(Disposition::Media)),
            ("application/font-woff", Declared::Kind(Disposition::Media)),
            ("application/x-7z-compressed", Declared::Kind(Disposition::Opaque)),
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
