//! Compressed files, as encoders of others make them.

use std::io::Write;

pub(crate) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn bzip2(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 1).unwrap()
}

pub(crate) fn xz(bytes: &[u8]) -> Vec<u8> {
    let options = lzma_rust2::XzOptions::with_preset(0);
    let mut encoder = lzma_rust2::XzWriter::new(Vec::new(), options).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub(crate) fn lz4(bytes: &[u8]) -> Vec<u8> {
    let info = lz4_flex::frame::FrameInfo::new().block_size(lz4_flex::frame::BlockSize::Max64KB);
    let mut encoder = lz4_flex::frame::FrameEncoder::with_frame_info(info, Vec::new());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Brotli without compression (RFC 7932 §9.2): a window of 16 bits, one uncompressed meta-block, the
/// empty last one.
pub(crate) fn brotli(bytes: &[u8]) -> Vec<u8> {
    // WBITS 0, ISLAST 0, MNIBBLES 00 (4), MLEN - 1 in 16 bits, ISUNCOMPRESSED 1, padding.
    let header = (bytes.len() as u32 - 1) << 4 | 1 << 20;
    let mut out = header.to_le_bytes()[..3].to_vec();
    out.extend_from_slice(bytes);
    out.push(3);
    out
}

/// A skippable frame of zstd or LZ4.
pub(crate) fn skippable() -> Vec<u8> {
    [&0x184D_2A53_u32.to_le_bytes()[..], &5_u32.to_le_bytes(), b"hello"].concat()
}

/// What a codec of this ending makes of bytes; brotli as blocks that are stored.
pub(crate) fn encode(ending: &str, bytes: &[u8]) -> Vec<u8> {
    match ending {
        "gz" => gzip(bytes),
        "bz2" => bzip2(bytes),
        "xz" => xz(bytes),
        "zst" => zstd(bytes),
        "lz4" => lz4(bytes),
        _ => brotli(bytes),
    }
}
