//! Text strings (ISO 32000-2 §7.9.2.2): UTF-16 or UTF-8 with a mark, else PDFDocEncoding.

/// Characters of PDFDocEncoding from 0x18 to 0x1F, and from 0x80 to 0xA0; all others are those of ISO 8859-1.
const LOW: &str = "˘ˇˆ˙˝˛˚˜";
const HIGH: &str = "•†‡…—–ƒ⁄‹›−‰„“”‘’‚™ﬁﬂŁŒŠŸŽıłœšž\u{FFFD}€";

/// Decodes a text string. Strings without a mark that are UTF-8 are read as such, since programs write them.
pub(super) fn text(bytes: &[u8]) -> String {
    let utf16 = |bytes: &[u8], of: fn([u8; 2]) -> u16| {
        let units = bytes.chunks_exact(2).map(|pair| of([pair[0], pair[1]]));
        char::decode_utf16(units).map(|c| c.unwrap_or('\u{FFFD}')).collect()
    };
    match bytes {
        [0xFE, 0xFF, rest @ ..] => utf16(rest, u16::from_be_bytes),
        [0xFF, 0xFE, rest @ ..] => utf16(rest, u16::from_le_bytes),
        [0xEF, 0xBB, 0xBF, rest @ ..] => String::from_utf8_lossy(rest).into_owned(),
        _ => match std::str::from_utf8(bytes) {
            Ok(text) => text.to_owned(),
            Err(_) => bytes.iter().map(|byte| of_document_encoding(*byte)).collect(),
        },
    }
}

fn of_document_encoding(byte: u8) -> char {
    let listed = |list: &str, from: u8| list.chars().nth(usize::from(byte - from));
    match byte {
        0x18..=0x1F => listed(LOW, 0x18),
        0x80..=0xA0 => listed(HIGH, 0x80),
        _ => None,
    }
    .unwrap_or(char::from(byte))
}
