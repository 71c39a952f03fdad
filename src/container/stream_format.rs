//! Formats of streams that this module opens.

use super::codec::Codec;
use crate::sniff::Opener;

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
    pub(super) fn of(opener: Opener) -> StreamFormat {
        match opener {
            Opener::Gzip => StreamFormat::Compressed(Codec::Gzip),
            Opener::Bzip2 => StreamFormat::Compressed(Codec::Bzip2),
            Opener::Xz => StreamFormat::Compressed(Codec::Xz),
            Opener::Lzma => StreamFormat::Compressed(Codec::Lzma),
            Opener::Zstd => StreamFormat::Compressed(Codec::Zstd),
            Opener::Lz4 => StreamFormat::Compressed(Codec::Lz4),
            Opener::Brotli => StreamFormat::Compressed(Codec::Brotli),
            Opener::Zip => StreamFormat::Zip,
            Opener::Tar => StreamFormat::Tar,
            Opener::Ar => StreamFormat::Ar,
            Opener::Warc => StreamFormat::Warc,
        }
    }
}
