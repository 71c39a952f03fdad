//! Kinds: who of this room opens a stream, by the verdict on what it is.

use super::codec::Codec;
use crate::sniff::Opener;

/// Who opens a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Compressed(Codec),
    Zip,
    Tar,
    Ar,
    /// WARC, or its predecessor ARC.
    Warc,
}

impl Kind {
    pub(super) fn of(opener: Opener) -> Kind {
        match opener {
            Opener::Gzip => Kind::Compressed(Codec::Gzip),
            Opener::Bzip2 => Kind::Compressed(Codec::Bzip2),
            Opener::Xz => Kind::Compressed(Codec::Xz),
            Opener::Lzma => Kind::Compressed(Codec::Lzma),
            Opener::Zstd => Kind::Compressed(Codec::Zstd),
            Opener::Lz4 => Kind::Compressed(Codec::Lz4),
            Opener::Brotli => Kind::Compressed(Codec::Brotli),
            Opener::Zip => Kind::Zip,
            Opener::Tar => Kind::Tar,
            Opener::Ar => Kind::Ar,
            Opener::Warc => Kind::Warc,
        }
    }
}
