//! Kinds: what a stream is by how it begins; its name decides only where nothing else can.

use super::codec::Codec;
use super::{ar, tar};

/// How much of a stream is looked at: the binary rule's 8 KiB.
pub(crate) const HEAD: usize = 8 << 10;

/// What a stream is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// A document.
    Document(Nature),
    Compressed(Codec),
    Zip,
    Tar,
    Ar,
    /// WARC, or its predecessor ARC.
    Warc,
}

/// What the content of a document is like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Nature {
    Text,
    /// Only `scheme://` and `mailto:` are links in it.
    Binary,
    /// The same; it holds more than can be seen in its bytes.
    Closed,
}

/// Formats that are known and not opened.
const CLOSED: [(&[u8], &str); 11] = [
    (b"7z\xBC\xAF\x27\x1C", "7z"),
    (b"Rar!\x1A\x07", "rar"),
    (b"MSCF\0\0\0\0", "cab"),
    (b"\xED\xAB\xEE\xDB", "rpm"),
    (b"070701", "cpio"),
    (b"070702", "cpio"),
    (b"070707", "cpio"),
    (b"\xC7\x71", "cpio"),
    (b"%PDF-", "pdf"),
    (b"SQLite format 3\0", "sqlite"),
    (b"\x1F\x9D", "compress"),
];

/// Formats without text of their own that may have no NUL in front.
const BINARY: [&[u8]; 16] = [
    b"\x7FELF",
    b"\x89PNG\r\n\x1A\n",
    b"\xFF\xD8\xFF",
    b"GIF87a",
    b"GIF89a",
    b"RIFF",
    b"ID3",
    b"OggS",
    b"fLaC",
    b"\x1A\x45\xDF\xA3",
    b"\xCA\xFE\xBA\xBE",
    b"\0asm",
    b"wOFF",
    b"wOF2",
    b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1",
    b"\xFE\xED\xFA",
];

/// Endings of compressed files, with what is left of the name without the compression.
const ENDINGS: [(&str, &str, Codec); 16] = [
    ("gz", "", Codec::Gzip),
    ("tgz", "tar", Codec::Gzip),
    ("svgz", "svg", Codec::Gzip),
    ("bz2", "", Codec::Bzip2),
    ("tbz2", "tar", Codec::Bzip2),
    ("tbz", "tar", Codec::Bzip2),
    ("xz", "", Codec::Xz),
    ("txz", "tar", Codec::Xz),
    ("lzma", "", Codec::Lzma),
    ("tlz", "tar", Codec::Lzma),
    ("zst", "", Codec::Zstd),
    ("zstd", "", Codec::Zstd),
    ("tzst", "tar", Codec::Zstd),
    ("lz4", "", Codec::Lz4),
    ("br", "", Codec::Brotli),
    ("z", "", Codec::Gzip),
];

impl Kind {
    /// What a stream of this name is that begins so; `has_text` is asked only where there are zeros.
    pub(super) fn of(name: &[u8], head: &[u8], has_text: impl FnOnce() -> bool) -> Kind {
        let codec = match head {
            [0x1F, 0x8B, 8, flags, ..] if flags & 0xE0 == 0 => Some(Codec::Gzip),
            [b'B', b'Z', b'h', b'1'..=b'9', rest @ ..]
                if rest.starts_with(b"1AY&SY") || rest.starts_with(b"\x17\x72\x45\x38\x50\x90") =>
            {
                Some(Codec::Bzip2)
            }
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some(Codec::Xz),
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Some(Codec::Zstd),
            [0x04, 0x22, 0x4D, 0x18, ..] => Some(Codec::Lz4),
            // A skippable frame may begin either of two formats.
            [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => match by_name(name) {
                Some((_, Codec::Lz4)) => Some(Codec::Lz4),
                _ => Some(Codec::Zstd),
            },
            _ => match by_name(name) {
                Some((_, Codec::Brotli)) if !is_text(head) => Some(Codec::Brotli),
                Some((_, Codec::Lzma)) if is_lzma(head) => Some(Codec::Lzma),
                // What is nothing cannot be what its name says.
                Some((_, codec)) if head.is_empty() => Some(codec),
                _ => None,
            },
        };
        match codec {
            Some(codec) => Kind::Compressed(codec),
            None if is_zip(head) => Kind::Zip,
            None if is_tar(name, head) => Kind::Tar,
            None if is_warc(head) => Kind::Warc,
            None if head.starts_with(ar::MAGIC) => Kind::Ar,
            None => Kind::Document(nature(head, has_text)),
        }
    }
}

/// A local header, the end record of an empty archive, or a mark that spanned archives begin with.
fn is_zip(head: &[u8]) -> bool {
    let spanned = [&b"PK\x07\x08PK\x03\x04"[..], b"PK00PK\x03\x04"];
    head.starts_with(b"PK\x03\x04")
        || head.starts_with(b"PK\x05\x06\0\0\0\0")
        || spanned.iter().any(|magic| head.starts_with(magic))
}

/// A header with the right checksum, and `ustar` in it, or a name that says so.
fn is_tar(name: &[u8], head: &[u8]) -> bool {
    let is_named = || split(name).is_some_and(|(_, ending)| ending.eq_ignore_ascii_case(b"tar"));
    let is_ustar = head.get(257..262) == Some(b"ustar");
    (is_ustar || head.len() >= tar::BLOCK && is_named())
        && tar::is_header(&head[..head.len().min(tar::BLOCK)])
}

fn is_warc(head: &[u8]) -> bool {
    [&b"WARC/1."[..], b"WARC/0.", b"filedesc://"].iter().any(|magic| head.starts_with(magic))
}

/// Whether a zip may follow what begins so: a program, or a script.
pub(super) fn may_precede_zip(head: &[u8]) -> bool {
    [&b"MZ"[..], b"\x7FELF", b"#!"].iter().any(|magic| head.starts_with(magic))
}

/// The binary rule.
fn nature(head: &[u8], has_text: impl FnOnce() -> bool) -> Nature {
    if let Some((_, name)) = CLOSED.iter().find(|(magic, _)| head.starts_with(magic)) {
        // Of these alone whole words are the magic number.
        if !name.contains("cpio") || !is_text(head) {
            return Nature::Closed;
        }
    }
    if BINARY.iter().any(|magic| head.starts_with(magic)) && !is_text(head) {
        return Nature::Binary;
    }
    match memchr::memchr(0, &head[..head.len().min(HEAD)]) {
        Some(_) if !has_text() => Nature::Binary,
        _ => Nature::Text,
    }
}

/// No control character of the kind that compressed bytes are full of.
fn is_text(head: &[u8]) -> bool {
    let head = &head[..head.len().min(512)];
    let is_odd = |byte: &u8| matches!(byte, 0..=8 | 0x0E..=0x1A | 0x1C..=0x1F | 0x7F);
    !head.iter().any(is_odd)
}

/// The header of `.lzma`, which has no magic number: plausible properties, a dictionary of a usual
/// size, a length that is unknown or below 256 GiB (as `file` and liblzma judge it).
fn is_lzma(head: &[u8]) -> bool {
    let Some(&[properties, a, b, c, d, e, f, g, h, i, j, k, l]) = head.first_chunk::<13>() else {
        return false;
    };
    let dictionary = u32::from_le_bytes([a, b, c, d]);
    let length = u64::from_le_bytes([e, f, g, h, i, j, k, l]);
    let is_usual = dictionary == u32::MAX
        || dictionary.is_power_of_two()
        || dictionary
            .checked_sub(dictionary.checked_next_power_of_two().unwrap_or(0) / 2)
            .is_some_and(|over| over.is_power_of_two());
    properties < 9 * 5 * 5 && is_usual && (length == u64::MAX || length < 1 << 38)
}

/// What a name's ending says: the length of the name without it and the codec.
fn by_name(name: &[u8]) -> Option<(&'static str, Codec)> {
    let (_, ending) = split(name)?;
    let known = ENDINGS.iter().find(|(known, ..)| ending.eq_ignore_ascii_case(known.as_bytes()))?;
    Some((known.1, known.2))
}

fn split(name: &[u8]) -> Option<(&[u8], &[u8])> {
    let dot = memchr::memrchr(b'.', name)?;
    Some((&name[..dot], &name[dot + 1..]))
}

/// The name of what a compressed file holds: `x.html.gz` holds `x.html`, `x.tgz` holds `x.tar`.
pub(super) fn inner_name(name: &[u8]) -> Vec<u8> {
    let (Some((rest, _)), Some((left, _))) = (split(name), by_name(name)) else {
        return name.to_vec();
    };
    match left {
        "" => rest.to_vec(),
        left => [rest, b".", left.as_bytes()].concat(),
    }
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
    fn content_goes_before_the_name() {
        let kind = |name: &str, head: &[u8]| Kind::of(name.as_bytes(), head, || false);
        assert_eq!(kind("x.txt", b"\x1F\x8B\x08\0"), Kind::Compressed(Codec::Gzip));
        assert_eq!(kind("x.gz", b"text"), Kind::Document(Nature::Text));
        assert_eq!(kind("x.br", b"text"), Kind::Document(Nature::Text));
        assert_eq!(kind("x.br", b"\x8B\x02\x80"), Kind::Compressed(Codec::Brotli));
        assert_eq!(kind("x.gz", b""), Kind::Compressed(Codec::Gzip));
        assert_eq!(kind("x", b"\x7FELF"), Kind::Document(Nature::Binary));
        assert_eq!(kind("x", b"a\0b"), Kind::Document(Nature::Binary));
        assert_eq!(kind("x", b"%PDF-1.7"), Kind::Document(Nature::Closed));
    }
}
