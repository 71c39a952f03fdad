//! Formats of streams that this module opens.

use super::codec::Codec;
use crate::detect::document::ArchiveFormat;

/// Format of a stream that can be opened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum StreamFormat {
    Compressed(Codec),
    Zip,
    Tar,
    Ar,
    /// WARC, or its predecessor ARC.
    Warc,
}

impl StreamFormat {
    pub(super) fn of(archive_format: ArchiveFormat) -> StreamFormat {
        match archive_format {
            ArchiveFormat::Gzip => StreamFormat::Compressed(Codec::Gzip),
            ArchiveFormat::Bzip2 => StreamFormat::Compressed(Codec::Bzip2),
            ArchiveFormat::Xz => StreamFormat::Compressed(Codec::Xz),
            ArchiveFormat::Lzma => StreamFormat::Compressed(Codec::Lzma),
            ArchiveFormat::Zstd => StreamFormat::Compressed(Codec::Zstd),
            ArchiveFormat::Lz4 => StreamFormat::Compressed(Codec::Lz4),
            ArchiveFormat::Brotli => StreamFormat::Compressed(Codec::Brotli),
            ArchiveFormat::Zip => StreamFormat::Zip,
            ArchiveFormat::Tar => StreamFormat::Tar,
            ArchiveFormat::Ar => StreamFormat::Ar,
            ArchiveFormat::Warc => StreamFormat::Warc,
        }
    }
}
