//! Names: what an ending says of a document where its bytes do not say it.

use super::about::DocumentFacts;
use super::kinds::split;
use super::magic::{TAR_BLOCK, is_lzma, is_skippable_frame, is_tar_header, is_text, is_ustar};

use crate::detect::document::{ArchiveFormat, Declared, Evidence};

/// Endings of names of compressed files, each with the ending of the file inside.
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

/// Returns the archive format of a document that has no magic number at its beginning.
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
        // What somebody declares is asked before the name.
        _ if about.declared != Declared::Nothing => None,
        [] => by_name().and_then(named),
        _ => match by_name() {
            // Brotli has no magic number: a text of such a name is not compressed.
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

/// Returns the name without the ending of a compression, and the archive format of that.
fn by_name(name: &[u8]) -> Option<(&'static str, ArchiveFormat)> {
    let (_, ending) = split(name)?;
    let is_it =
        |known: &&(&str, &str, ArchiveFormat)| ending.eq_ignore_ascii_case(known.0.as_bytes());
    COMPRESSED.iter().find(is_it).map(|known| (known.1, known.2))
}

/// Endings of texts whose format they do not say: a saved page may be called `.txt`.
const TEXTS: [&str; 4] = ["txt", "text", "log", "asc"];

/// Whether a name is that of a text.
pub(super) fn is_of_text(name: &[u8]) -> bool {
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

/// The name of what a compressed file holds: `x.html.gz` holds `x.html`, `x.tgz` holds `x.tar`.
pub(crate) fn inner_name(name: &[u8]) -> Vec<u8> {
    let (Some((rest, _)), Some((left, _))) = (split(name), by_name(name)) else {
        return name.to_vec();
    };
    match left {
        "" => rest.to_vec(),
        left => [rest, b".", left.as_bytes()].concat(),
    }
}

/// Returns the name of the signed document (`invoice.xml` of `invoice.xml.p7m`), if the name is that of signed data.
#[cfg(feature = "mail")]
pub(crate) fn signed_name(name: &[u8]) -> Option<&[u8]> {
    split(name).filter(|(_, ending)| ending.eq_ignore_ascii_case(b"p7m")).map(|(rest, _)| rest)
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
}
