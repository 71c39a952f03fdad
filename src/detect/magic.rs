//! Checks the first bytes of a document where a magic number alone is not enough.
//!
//! It also detects text in UTF-16 and UTF-32, whose zero bytes are not NULs.

use crate::charset::{Charset, Detected};
use crate::detect::document::Disposition;

/// Size in bytes of a tar header, and the unit to which its files are padded.
pub(crate) const TAR_BLOCK: usize = 512;

/// Returns `true` if the first 512 bytes have no control character that is typical of compressed bytes.
pub(super) fn is_text(head: &[u8]) -> bool {
    let head = &head[..head.len().min(512)];
    let is_odd = |byte: &u8| matches!(byte, 0..=8 | 0x0E..=0x1A | 0x1C..=0x1F | 0x7F);
    !head.iter().any(is_odd)
}

/// Returns `true` if no reserved flag is set.
pub(super) fn is_gzip(head: &[u8]) -> bool {
    head.get(3).is_some_and(|flags| flags & 0xE0 == 0)
}

/// Returns `true` for a block size with a block after it, or with the end of a stream without blocks.
pub(super) fn is_bzip2(head: &[u8]) -> bool {
    matches!(head, [_, _, _, b'1'..=b'9', rest @ ..]
        if rest.starts_with(b"1AY&SY") || rest.starts_with(b"\x17\x72\x45\x38\x50\x90"))
}

/// Returns `true` for a frame that decoders skip. Zstandard and LZ4 may both begin with one.
pub(super) fn is_skippable_frame(head: &[u8]) -> bool {
    matches!(head, [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..])
}

/// Returns `true` for a header of `.lzma`, which has no magic number: valid properties, a dictionary of a usual size,
/// and a length that is unknown or below 256 GiB (as `file` and liblzma check it).
pub(super) fn is_lzma(head: &[u8]) -> bool {
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

/// Returns `true` for a tar header that contains `ustar` and the right checksum.
pub(super) fn is_ustar(head: &[u8]) -> bool {
    head.get(257..262) == Some(b"ustar") && is_tar_header(head)
}

/// Returns `true` if a tar header has the right checksum: of unsigned bytes, or of signed ones, as old programs write
/// it.
pub(crate) fn is_tar_header(block: &[u8]) -> bool {
    let Some(block) = block.first_chunk::<TAR_BLOCK>() else { return false };
    let Some(stored) = octal(&block[148..156]) else { return false };
    let field = |at: usize| (148..156).contains(&at);
    let byte = |(at, byte): (usize, &u8)| if field(at) { b' ' } else { *byte };
    let unsigned: u64 = block.iter().enumerate().map(|one| u64::from(byte(one))).sum();
    let signed: i64 = block.iter().enumerate().map(|one| i64::from(byte(one) as i8)).sum();
    block[0] != 0 && (stored == unsigned || i64::try_from(stored) == Ok(signed))
}

/// Parses an octal number, which may be enclosed in blanks and ends at a NUL.
pub(crate) fn octal(field: &[u8]) -> Option<u64> {
    let end = field.iter().position(|byte| *byte == 0).unwrap_or(field.len());
    let digits = field[..end].trim_ascii();
    digits.iter().try_fold(0_u64, |value, digit| match digit {
        b'0'..=b'7' => value.checked_mul(8)?.checked_add(u64::from(digit - b'0')),
        _ => None,
    })
}

/// Returns `true` for the length of a message's metadata, padded to eight bytes, and the offset of its root.
pub(super) fn is_arrow_stream(head: &[u8]) -> bool {
    let length = number(head, 4);
    length > 0
        && length.is_multiple_of(8)
        && length < 1 << 24
        && (4..256).contains(&number(head, 8))
}

/// Returns `true` if the next byte is not text: a stripe begins with the header of a compressed block, or of a stream.
pub(super) fn is_orc(head: &[u8]) -> bool {
    head.get(3).is_some_and(|next| matches!(next, 0..=8 | 0x0E..=0x1F | 0x7F..))
}

/// Returns `true` if the reserved bytes are zero and the header has a known length.
pub(super) fn is_bitmap(head: &[u8]) -> bool {
    number(head, 6) == 0 && matches!(number(head, 14), 12 | 16 | 40 | 52 | 56 | 64 | 108 | 124)
}

/// Returns `true` for 1 to 255 pictures and a reserved byte that is zero in the entry of the first one.
pub(super) fn is_icon(head: &[u8]) -> bool {
    matches!(head.get(4..10), Some([pictures, 0, _, _, _, 0]) if *pictures > 0)
}

/// Returns `true` if the header has its fixed length.
pub(super) fn is_dds(head: &[u8]) -> bool {
    number(head, 4) == 124
}

/// Returns `true` if the header contains the signature.
pub(super) fn is_emf(head: &[u8]) -> bool {
    head.get(40..44) == Some(b" EMF")
}

/// Returns `true` if the first box is one of ISO 14496-12, or of QuickTime before it.
pub(super) fn is_iso_media(head: &[u8]) -> bool {
    matches!(head.get(4..8), Some(b"ftyp" | b"moov" | b"mdat" | b"wide" | b"free" | b"skip"))
}

/// Returns `true` if an IFF file has the form of AIFF.
pub(super) fn is_aiff(head: &[u8]) -> bool {
    matches!(head.get(8..12), Some(b"AIFF" | b"AIFC"))
}

/// Returns `true` if a head has a number of tables, as fonts have, and the search range that follows from the number.
pub(super) fn has_tables(head: &[u8]) -> bool {
    let Some([_, _, _, _, high, low, range_high, range_low]) = head.first_chunk::<8>() else {
        return false;
    };
    let tables = u16::from_be_bytes([*high, *low]);
    let range = u16::from_be_bytes([*range_high, *range_low]);
    (1..256).contains(&tables) && range == 16 << tables.ilog2()
}

/// Object identifier of signed data (RFC 5652 §5.1), as a BER element.
pub(crate) const SIGNED_DATA: &[u8] = b"\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x02";

/// Returns `true` for a BER sequence that begins with this identifier, after a length of up to five bytes.
pub(crate) fn is_signed(head: &[u8]) -> bool {
    head.first() == Some(&0x30)
        && (2..=6).any(|at| head.get(at..).is_some_and(|rest| rest.starts_with(SIGNED_DATA)))
}

/// Returns the four bytes at `at` as a little-endian number; 0 beyond the end.
fn number(head: &[u8], at: usize) -> u32 {
    let bytes = head.get(at..).and_then(|rest| rest.first_chunk());
    bytes.map_or(0, |bytes| u32::from_le_bytes(*bytes))
}

/// Number of units that are examined in a document without a byte order mark.
const UNITS: usize = 16;

/// Detects UTF-16 in bytes with zeros, and UTF-32, which the Encoding Standard does not decode.
pub(super) fn disposition_of_wide(charset: Option<Charset>, head: &[u8]) -> Option<Disposition> {
    if is_utf32(head) {
        return Some(Disposition::Undecodable);
    }
    let is_text = charset.is_some_and(Charset::is_utf16)
        || Detected::of_bytes(head).is_ok_and(|detected| detected.charset().is_utf16());
    is_text.then_some(Disposition::Text)
}

/// Returns `true` if there is a byte order mark, or if the first characters are ASCII, each with three zeros.
fn is_utf32(head: &[u8]) -> bool {
    if head.len() >= 8 && [&b"\xFF\xFE\0\0"[..], b"\0\0\xFE\xFF"].contains(&&head[..4]) {
        return true;
    }
    let (units, _) = head.as_chunks::<4>();
    let units = &units[..units.len().min(UNITS)];
    let is_ascii = |byte: u8| matches!(byte, b'\t' | b'\n' | b'\r' | 0x20..=0x7E);
    units.len() > 1
        && (units.iter().all(|unit| is_ascii(unit[0]) && unit[1..] == [0; 3])
            || units.iter().all(|unit| is_ascii(unit[3]) && unit[..3] == [0; 3]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_of_four_bytes_are_told() {
        let text = "see http://e.com/";
        let little: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
        let big: Vec<u8> = text.chars().flat_map(|c| u32::from(c).to_be_bytes()).collect();
        for bytes in [little.clone(), big, [&b"\xFF\xFE\0\0"[..], &little].concat()] {
            assert_eq!(disposition_of_wide(None, &bytes), Some(Disposition::Undecodable));
        }
    }

    #[cfg(feature = "documents")]
    #[test]
    fn units_of_two_bytes_are_text() {
        let text: Vec<u8> = "see http://e.com/".encode_utf16().flat_map(u16::to_le_bytes).collect();
        assert_eq!(disposition_of_wide(None, &text), Some(Disposition::Text));
        assert_eq!(
            disposition_of_wide("utf-16le".parse().ok(), b"\0\x4E\0\x01"),
            Some(Disposition::Text)
        );
        for bytes in [&b"\0"[..], b"a\0", b"\x01\0\0\0\x02\0\0\0", b"\xFF\xFE", b""] {
            assert_ne!(
                disposition_of_wide(None, bytes),
                Some(Disposition::Undecodable),
                "{bytes:?}"
            );
        }
    }
}
