//! Compressed RTF of Outlook ([MS-OXRTFCP]).

use super::compound::len_at;

/// Text with which the window begins.
const BEGINNING: &[u8] = b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern \\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx";
/// Length in bytes of the window, and of the header.
const WINDOW: usize = 4096;
const HEADER: usize = 16;

/// Returns RTF decompressed, as far as it can be; `None` if it is in another form.
pub(super) fn decompressed(bytes: &[u8]) -> Option<Vec<u8>> {
    let size = len_at(bytes, 4)?;
    let body = bytes.get(HEADER..)?;
    match &bytes[8..12] {
        b"MELA" => return Some(body[..body.len().min(size)].to_vec()),
        b"LZFu" => {}
        _ => return None,
    }
    let mut out = BEGINNING.to_vec();
    let mut rest = body.iter().copied();
    'runs: while let Some(bits) = rest.next() {
        for bit in 0..8 {
            let Some(first) = rest.next() else { break 'runs };
            if bits >> bit & 1 == 0 {
                out.push(first);
                continue;
            }
            let Some(second) = rest.next() else { break 'runs };
            let offset = usize::from(first) << 4 | usize::from(second) >> 4;
            let end = out.len() % WINDOW;
            // A reference to the end of the window ends the text.
            if offset == end {
                break 'runs;
            }
            let distance = (end + WINDOW - offset) % WINDOW;
            for _ in 0..usize::from(second & 15) + 2 {
                out.push(out.len().checked_sub(distance).map_or(b' ', |at| out[at]));
            }
        }
        if out.len() - BEGINNING.len() >= size {
            break;
        }
    }
    out.drain(..BEGINNING.len());
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The examples of [MS-OXRTFCP] §3.1.1 and §3.1.2.
    #[test]
    fn examples_of_the_specification() {
        let simple = b"\x2D\0\0\0\x2B\0\0\0LZFu\xF1\xC5\xC7\xA7\x03\0\x0A\0rcpg125\x42\x32\x0A\xF3 hel\x09\0 bw\x05\xB0ld}\x0A\x80\x0F\xA0";
        let text = decompressed(simple).unwrap();
        assert_eq!(text, b"{\\rtf1\\ansi\\ansicpg1252\\pard hello world}\r\n");
        let crossing =
            b"\x1A\0\0\0\x1C\0\0\0LZFu\xE2\xD4\x4B\x51\x41\0\x04\x20WXYZ\x0D\x6E\x7D\x01\x0E\xB0";
        assert_eq!(decompressed(crossing).unwrap(), b"{\\rtf1 WXYZWXYZWXYZWXYZWXYZ}");
        assert_eq!(decompressed(b"\x10\0\0\0\x03\0\0\0MELA\0\0\0\0{a}x").unwrap(), b"{a}");
        assert!(decompressed(b"LZFu").is_none());
    }
}
