//! Table of kinds: the formats that are not scanned as text, each with its magic numbers, extensions, media types and
//! handling.
//!
//! A magic number that consists only of letters may also be the beginning of a text about the format. It counts if a
//! control character is near, or if the name or the declared type indicates the same format.

use super::field::MARK;
use super::magic;
use crate::detect::document::{ArchiveFormat, Declared, Detection, Disposition, Evidence};

/// Handling of a document of a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Handling {
    Opened(ArchiveFormat),
    Document(Disposition),
}

use Disposition::{Binary, Encrypted, Media, Opaque, Signature, Table};
use Handling::{Document, Opened};

/// Row of the table.
#[derive(Debug)]
pub(crate) struct FormatRow {
    pub(super) handling: Handling,
    pub(super) magic: &'static [Magic],
    /// Extensions of names, in lower case. They decide if the bytes are not text.
    endings: &'static [&'static str],
    /// Media types, in lower case.
    media_types: &'static [&'static str],
}

/// Magic number of a kind.
#[derive(Debug)]
pub(super) struct Magic {
    /// First bytes of the document.
    first: &'static [u8],
    /// Further condition.
    also: Option<fn(&[u8]) -> bool>,
    /// Whether texts may begin with these letters.
    is_word: bool,
}

const fn starts(first: &'static [u8]) -> Magic {
    Magic { first, also: None, is_word: false }
}

const fn word(first: &'static [u8]) -> Magic {
    Magic { first, also: None, is_word: true }
}

const fn and(first: &'static [u8], also: fn(&[u8]) -> bool) -> Magic {
    Magic { first, also: Some(also), is_word: false }
}

const fn word_and(first: &'static [u8], also: fn(&[u8]) -> bool) -> Magic {
    Magic { first, also: Some(also), is_word: true }
}

const fn kind(
    handling: Handling,
    magic: &'static [Magic],
    endings: &'static [&'static str],
    media_types: &'static [&'static str],
) -> FormatRow {
    FormatRow { handling, magic, endings, media_types }
}

/// First bytes of an `ar` archive.
pub(crate) const AR: &[u8] = b"!<arch>\n";

/// First bytes of a PDF.
pub(crate) const PDF: &[u8] = b"%PDF-";

/// First bytes of a binary property list.
pub(crate) const PROPERTY_LIST: &[u8] = b"bplist0";

/// First bytes of a WARC record.
const WARC: [&[u8]; 2] = [b"WARC/1.", b"WARC/0."];

/// Returns `true` if the bytes begin with a WARC record.
pub(crate) fn is_warc(bytes: &[u8]) -> bool {
    WARC.iter().any(|magic| bytes.starts_with(magic))
}

/// Maximum number of line ends before the first record of a crawl.
const MOST_BLANK: usize = 16;

/// Returns the bytes after a byte order mark and a few blank lines, if a crawl may begin there.
fn after_blanks(bytes: &[u8]) -> Option<&[u8]> {
    let bytes = bytes.strip_prefix(MARK).unwrap_or(bytes);
    let blanks = bytes.iter().take_while(|byte| matches!(byte, b'\r' | b'\n')).count();
    (blanks <= MOST_BLANK).then(|| &bytes[blanks..])
}

/// Returns `true` if the bytes are a crawl: a WARC record, perhaps after a byte order mark and a few blank lines.
pub(crate) fn is_crawl(bytes: &[u8]) -> bool {
    after_blanks(bytes).is_some_and(is_warc)
}

/// Returns `true` if bytes end before it is clear whether a WARC record begins.
pub(crate) fn is_cut_warc(bytes: &[u8]) -> bool {
    WARC.iter().any(|magic| bytes.len() < magic.len() && magic.starts_with(bytes))
}

/// Returns `true` if the bytes are a crawl, or may be one with the bytes that follow.
pub(crate) fn may_be_crawl(bytes: &[u8]) -> bool {
    is_crawl(bytes) || is_cut_crawl(bytes)
}

/// Returns `true` if bytes end before it is clear whether they are a crawl.
pub(super) fn is_cut_crawl(bytes: &[u8]) -> bool {
    after_blanks(bytes).is_some_and(is_cut_warc) || !bytes.is_empty() && MARK.starts_with(bytes)
}

/// Stores of messages, if their parser is there. Their bytes show no link, since each block is permuted.
const STORE: Disposition = if cfg!(feature = "office") { Disposition::Office } else { Table };
/// Compound files, if their parser is there.
const OFFICE: Disposition = if cfg!(feature = "office") { Disposition::Office } else { Binary };
/// Property lists, if their parser is there.
const READ_LIST: Disposition =
    if cfg!(feature = "documents") { Disposition::PropertyList } else { Binary };
/// PDF, if its parser is there.
const READ_PDF: Disposition = if cfg!(feature = "pdf") { Disposition::Pdf } else { Opaque };

#[rustfmt::skip]
pub(super) const KINDS: [FormatRow; 72] = [
    // Opened. Formats without a magic number at the first byte (tar, LZMA, Brotli) are detected by
    // `declared::archive_format`.
    kind(Opened(ArchiveFormat::Gzip), &[and(b"\x1F\x8B\x08", magic::is_gzip)], &[], &[]),
    kind(Opened(ArchiveFormat::Bzip2), &[and(b"BZh", magic::is_bzip2)], &[], &[]),
    kind(Opened(ArchiveFormat::Xz), &[starts(b"\xFD7zXZ\0")], &[], &[]),
    kind(Opened(ArchiveFormat::Zstd), &[starts(b"\x28\xB5\x2F\xFD")], &[], &[]),
    kind(Opened(ArchiveFormat::Lz4), &[starts(b"\x04\x22\x4D\x18")], &[], &[]),
    kind(Opened(ArchiveFormat::Zip), &[
        starts(b"PK\x03\x04"), starts(b"PK\x05\x06\0\0\0\0"), starts(b"PK\x07\x08PK\x03\x04"), starts(b"PK00PK\x03\x04"),
    ], &[], &[]),
    kind(Opened(ArchiveFormat::Warc), &[
        starts(WARC[0]), starts(WARC[1]), starts(b"filedesc://"),
        and(b"\r\n", is_crawl), and(b"\nW", is_crawl), and(b"\n\n", is_crawl), and(b"\n\r", is_crawl), and(MARK, is_crawl),
    ], &[], &[]),
    kind(Opened(ArchiveFormat::Ar), &[starts(AR)], &[], &[]),
    // Not opened: they contain more than their bytes show.
    kind(Document(Opaque), &[starts(b"7z\xBC\xAF\x27\x1C")], &["7z"], &["application/x-7z-compressed"]),
    kind(Document(Opaque), &[starts(b"Rar!\x1A\x07")], &["rar"], &["application/vnd.rar", "application/x-rar-compressed"]),
    kind(Document(Opaque), &[starts(b"MSCF\0\0\0\0")], &["cab"], &["application/vnd.ms-cab-compressed"]),
    kind(Document(Opaque), &[starts(b"\xED\xAB\xEE\xDB")], &["rpm"], &["application/x-rpm"]),
    kind(Document(Opaque), &[word(b"070701"), word(b"070702"), word(b"070707"), starts(b"\xC7\x71")], &["cpio"], &["application/x-cpio"]),
    kind(Document(OFFICE), &[starts(b"\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"), starts(b"\xDB\xA5\x2D\0")], &[], &[]),
    kind(Document(STORE), &[word(b"!BDN")], &[], &[]),
    kind(Document(READ_PDF), &[starts(PDF), starts(b"\n%PDF-"), starts(b"\r\n%PDF-"), starts(b"\xEF\xBB\xBF%PDF-")], &["pdf"], &["application/pdf", "application/x-pdf"]),
    kind(Document(READ_LIST), &[word(PROPERTY_LIST)], &[], &["application/x-bplist"]),
    kind(Document(Opaque), &[starts(b"\x1F\x9D")], &[], &["application/x-compress"]),
    // Tables of rows and columns.
    kind(Document(Table), &[word(b"PAR1"), word(b"PARE")], &["parquet"],
        &["application/vnd.apache.parquet", "application/x-parquet", "application/parquet"]),
    kind(Document(Table), &[starts(b"ARROW1\0\0"), word(b"FEA1"), and(b"\xFF\xFF\xFF\xFF", magic::is_arrow_stream)],
        &["arrow", "arrows", "feather"],
        &["application/vnd.apache.arrow.file", "application/vnd.apache.arrow.stream"]),
    kind(Document(Table), &[starts(b"SQLite format 3\0")], &["sqlite", "sqlite3"],
        &["application/vnd.sqlite3", "application/x-sqlite3"]),
    kind(Document(Table), &[and(b"ORC", magic::is_orc)], &["orc"], &["application/vnd.apache.orc", "application/x-orc"]),
    kind(Document(Table), &[starts(b"Obj\x01")], &["avro"], &["application/avro", "application/vnd.apache.avro", "avro/binary"]),
    kind(Document(Table), &[starts(b"\0\x01\0\0Standard Jet DB\0"), starts(b"\0\x01\0\0Standard ACE DB\0")], &["mdb", "accdb"],
        &["application/vnd.ms-access", "application/x-msaccess"]),
    // Pictures.
    kind(Document(Media), &[starts(b"\x89PNG\r\n\x1A\n")], &["png"], &[]),
    kind(Document(Media), &[starts(b"\xFF\xD8\xFF")], &["jpg", "jpeg", "jpe", "jfif"], &[]),
    kind(Document(Media), &[word(b"GIF87a"), word(b"GIF89a")], &["gif"], &[]),
    kind(Document(Media), &[word_and(b"BM", magic::is_bitmap)], &["bmp", "dib"], &[]),
    kind(Document(Media), &[and(b"\0\0\x01\0", magic::is_icon), and(b"\0\0\x02\0", magic::is_icon)], &["ico", "cur"], &[]),
    kind(Document(Media), &[starts(b"II*\0"), starts(b"MM\0*"), starts(b"II+\0"), starts(b"MM\0+")], &["tif", "tiff"], &[]),
    kind(Document(Media), &[word(b"RIFF"), word(b"RIFX")], &["webp", "wav", "avi"], &[]),
    kind(Document(Media), &[starts(b"\0\0\0\x0CjP  \r\n\x87\n")], &["jp2"], &[]),
    kind(Document(Media), &[starts(b"\0\0\0\x0CJXL \r\n\x87\n")], &["jxl"], &[]),
    kind(Document(Media), &[word(b"8BPS")], &["psd"], &[]),
    kind(Document(Media), &[word(b"gimp xcf ")], &["xcf"], &[]),
    kind(Document(Media), &[word(b"AT&TFORM")], &["djvu", "djv"], &[]),
    kind(Document(Media), &[starts(b"\x76\x2F\x31\x01")], &["exr"], &[]),
    kind(Document(Media), &[word_and(b"DDS ", magic::is_dds)], &["dds"], &[]),
    kind(Document(Media), &[word(b"qoif")], &["qoi"], &[]),
    kind(Document(Media), &[starts(b"\xD7\xCD\xC6\x9A")], &["wmf"], &[]),
    kind(Document(Media), &[and(b"\x01\0\0\0", magic::is_emf)], &["emf"], &[]),
    // ISO media: sound, video, and pictures (HEIF, AVIF), detected by the bytes from the fifth on.
    kind(Document(Media), &[and(b"\0\0", magic::is_iso_media)],
        &["mp4", "m4a", "m4v", "mov", "3gp", "3g2", "heic", "heif", "avif"], &["application/mp4"]),
    // Sound.
    kind(Document(Media), &[word(b"ID3")], &["mp3", "aac"], &[]),
    kind(Document(Media), &[word(b"OggS")], &["ogg", "oga", "ogv", "ogx", "opus", "spx"], &["application/ogg"]),
    kind(Document(Media), &[word(b"fLaC")], &["flac"], &[]),
    kind(Document(Media), &[starts(b"MThd\0\0\0\x06")], &["mid", "midi"], &[]),
    kind(Document(Media), &[and(b"FORM", magic::is_aiff)], &["aif", "aiff", "aifc"], &[]),
    kind(Document(Media), &[starts(b".snd\0\0\0")], &["au", "snd"], &[]),
    kind(Document(Media), &[word(b"#!AMR")], &["amr", "awb"], &[]),
    kind(Document(Media), &[word(b"wvpk")], &["wv"], &[]),
    kind(Document(Media), &[word(b"MAC ")], &["ape"], &[]),
    // Video.
    kind(Document(Media), &[starts(b"\x1A\x45\xDF\xA3")], &["mkv", "mka", "webm"], &[]),
    kind(Document(Media), &[starts(b"\x30\x26\xB2\x75\x8E\x66\xCF\x11")], &["asf", "wma", "wmv"], &[]),
    kind(Document(Media), &[starts(b"FLV\x01")], &["flv"], &[]),
    kind(Document(Media), &[starts(b"\0\0\x01\xBA"), starts(b"\0\0\x01\xB3")], &["mpg", "mpeg", "vob"], &[]),
    kind(Document(Media), &[starts(b".RMF\0\0\0")], &["rm", "rmvb"], &[]),
    kind(Document(Media), &[], &["m2ts", "mts", "mp2", "mpa", "tga", "pcx"], &[]),
    // Fonts.
    kind(Document(Media), &[word(b"wOFF")], &["woff"], &["application/font-woff", "application/x-font-woff"]),
    kind(Document(Media), &[word(b"wOF2")], &["woff2"], &["application/font-woff2"]),
    kind(Document(Media), &[and(b"OTTO", magic::has_tables)], &["otf"], &["application/x-font-opentype", "application/x-font-otf"]),
    kind(Document(Media), &[and(b"\0\x01\0\0", magic::has_tables), and(b"true", magic::has_tables)], &["ttf"],
        &["application/x-font-ttf", "application/x-font-truetype", "application/font-sfnt"]),
    kind(Document(Media), &[starts(b"ttcf\0")], &["ttc", "otc"], &[]),
    kind(Document(Media), &[], &["eot"], &["application/vnd.ms-fontobject"]),
    // Programs, and documents that contain text among other bytes.
    kind(Document(Binary), &[starts(b"\x7FELF")], &[], &[]),
    kind(Document(Binary), &[starts(b"\xCA\xFE\xBA\xBE")], &[], &[]),
    kind(Document(Binary), &[starts(b"\xFE\xED\xFA")], &[], &[]),
    kind(Document(Binary), &[starts(b"\xCF\xFA\xED\xFE"), starts(b"\xCE\xFA\xED\xFE")], &[], &[]),
    kind(Document(Binary), &[starts(b"\0asm")], &["wasm"], &["application/wasm"]),
    kind(Document(Binary), &[starts(b"\x89HDF\r\n\x1A\n")], &[], &[]),
    kind(Document(Binary), &[starts(b"FWS\x0C"), word(b"CWS"), word(b"ZWS")], &["swf"], &["application/x-shockwave-flash"]),
    // Types that mail declares.
    kind(Document(Signature), &[], &[], &[
        "application/pkcs7-signature", "application/x-pkcs7-signature", "application/pkcs10",
        "application/pgp-signature", "application/pgp-keys",
    ]),
    kind(Document(Encrypted), &[], &[], &[
        "application/pkcs7-mime", "application/x-pkcs7-mime", "application/ms-tnef", "application/mac-binhex40",
        // The first part of an encrypted message (RFC 3156 §4), whose second one says nothing.
        "application/pgp-encrypted",
    ]),
];

/// Index of the magic numbers by their first byte: for each byte, the number of its first entry, then the entries,
/// which are the numbers of a row and of its magic number. Most texts begin with a byte that few magic numbers have.
const BY_FIRST: ([u8; 257], [(u8, u8); MAGICS]) = {
    let (mut from, mut rows) = ([0; 257], [(0, 0); MAGICS]);
    let (mut byte, mut count) = (0, 0);
    while byte < 256 {
        from[byte] = count as u8;
        let mut at = 0;
        while at < KINDS.len() {
            let mut one = 0;
            while one < KINDS[at].magic.len() {
                if KINDS[at].magic[one].first[0] as usize == byte {
                    rows[count] = (at as u8, one as u8);
                    count += 1;
                }
                one += 1;
            }
            at += 1;
        }
        byte += 1;
    }
    from[256] = count as u8;
    assert!(count == MAGICS);
    (from, rows)
};

/// Number of magic numbers.
const MAGICS: usize = {
    let (mut at, mut count) = (0, 0);
    while at < KINDS.len() {
        count += KINDS[at].magic.len();
        at += 1;
    }
    assert!(count < 256);
    count
};

/// Returns the kind whose magic number the bytes begin with. For a magic number of letters in bytes that may be text,
/// `says_so` must return `true`: whether the name or the declared type indicates the same kind.
pub(super) fn by_magic(
    head: &[u8],
    says_so: impl Fn(&'static FormatRow) -> bool,
) -> Option<&'static FormatRow> {
    let first = usize::from(*head.first()?);
    let rows = usize::from(BY_FIRST.0[first])..usize::from(BY_FIRST.0[first + 1]);
    BY_FIRST.1[rows].iter().find_map(|&(kind, one)| {
        let kind = &KINDS[usize::from(kind)];
        let Magic { first, also, is_word } = &kind.magic[usize::from(one)];
        let is_so = head.starts_with(first)
            && also.is_none_or(|also| also(head))
            && (!is_word || !magic::is_text(head) || says_so(kind));
        is_so.then_some(kind)
    })
}

/// Returns the archive format whose magic number a document ends in, after at least two of its bytes.
pub(super) fn cut_archive(head: &[u8]) -> Option<ArchiveFormat> {
    let is_cut =
        |first: &[u8]| head.len() >= 2 && head.len() < first.len() && first.starts_with(head);
    let found = KINDS.iter().filter(|kind| kind.magic.iter().any(|magic| is_cut(magic.first)));
    // What may also be of another kind is of none.
    let mut found = found.map(FormatRow::archive_format);
    found.next().flatten().filter(|_| found.next().is_none())
}

/// Returns `true` if bytes may begin with a magic number, according to the first two of them.
#[inline]
pub(super) fn may_begin(head: &[u8]) -> bool {
    let [first, second, ..] = *head else { return true };
    let first = usize::from(first);
    let rows = usize::from(BY_FIRST.0[first])..usize::from(BY_FIRST.0[first + 1]);
    BY_FIRST.1[rows].iter().any(|&(kind, one)| {
        let magic = KINDS[usize::from(kind)].magic[usize::from(one)].first;
        magic.get(1).is_none_or(|byte| *byte == second)
    })
}

/// Returns the kind of a name's extension.
pub(super) fn by_name(name: &[u8]) -> Option<&'static FormatRow> {
    let (_, ending) = split(name)?;
    KINDS.iter().find(|kind| kind.has_ending(ending))
}

/// Returns the kind of a media type, which is in lower case and has no parameters.
pub(super) fn by_media_type(essence: &str) -> Option<&'static FormatRow> {
    KINDS.iter().find(|kind| kind.media_types.contains(&essence))
}

impl FormatRow {
    /// Returns the detection of a document of this kind, by this evidence.
    pub(super) fn detection(&self, evidence: Evidence) -> Detection {
        match self.handling {
            Opened(archive) => Detection::of_archive(archive, evidence),
            Document(disposition) => Detection::of(disposition, evidence),
        }
    }

    /// Returns the archive format, if documents of this kind are opened.
    pub(super) fn archive_format(&self) -> Option<ArchiveFormat> {
        match self.handling {
            Opened(archive_format) => Some(archive_format),
            Document(_) => None,
        }
    }

    /// Returns `true` if the declared type or the name indicates this kind.
    pub(super) fn is_said(&self, declared: Declared, name: &[u8]) -> bool {
        let is_declared = match self.handling {
            Document(disposition) => declared == Declared::Kind(disposition),
            Opened(_) => false,
        };
        is_declared || split(name).is_some_and(|(_, ending)| self.has_ending(ending))
    }

    #[cfg(test)]
    pub(super) fn endings(&self) -> &[&str] {
        self.endings
    }

    #[cfg(test)]
    pub(super) fn media_types(&self) -> &[&str] {
        self.media_types
    }

    fn has_ending(&self, ending: &[u8]) -> bool {
        self.endings.iter().any(|one| ending.eq_ignore_ascii_case(one.as_bytes()))
    }
}

/// Splits a name into the part before its extension, and the extension.
pub(super) fn split(name: &[u8]) -> Option<(&[u8], &[u8])> {
    let dot = memchr::memrchr(b'.', name)?;
    Some((&name[..dot], &name[dot + 1..]))
}
