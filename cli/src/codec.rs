//! Compression of an output file, selected by the file's extension.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;

/// Compression of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Codec {
    Stored,
    Gzip,
    Zstd,
}

impl Codec {
    /// Returns the codec of a name's extension, and the name without it.
    ///
    /// # Errors
    ///
    /// Returns an error for the extension of a compression that cannot be written.
    pub(crate) fn of(name: &Path) -> Result<(Codec, PathBuf), String> {
        let end = name.extension().and_then(|end| end.to_str()).unwrap_or_default();
        let codec = match end.to_ascii_lowercase().as_str() {
            "gz" => Codec::Gzip,
            "zst" => Codec::Zstd,
            "bz2" | "xz" | "br" | "lz4" | "lzma" | "zip" => {
                return Err(format!(
                    "--output {}: unknown compression: expected one of .gz, .zst",
                    name.display()
                ));
            }
            _ => return Ok((Codec::Stored, name.to_owned())),
        };
        Ok((codec, name.with_extension("")))
    }

    pub(crate) fn frame(self, bytes: &[u8]) -> io::Result<Vec<u8>> {
        match self {
            Codec::Stored => Ok(bytes.to_vec()),
            Codec::Gzip => {
                let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
                encoder.write_all(bytes)?;
                encoder.finish()
            }
            Codec::Zstd => zstd::bulk::compress(bytes, zstd::DEFAULT_COMPRESSION_LEVEL),
        }
    }
}
