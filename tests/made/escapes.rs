//! Bytes in lines of fixtures of the command: `\n \r \t \0 \\ \e \xHH`, all else as it is.

use crate::bless::is_readable;

/// The bytes that a line stands for.
pub(crate) fn unescaped(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = text.bytes();
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            out.push(byte);
            continue;
        }
        out.push(match rest.next() {
            Some(b'n') => b'\n',
            Some(b'r') => b'\r',
            Some(b't') => b'\t',
            Some(b'e') => 0x1B,
            Some(b'0') => 0,
            Some(b'\\') => b'\\',
            Some(b'x') => {
                let digits = [rest.next().unwrap(), rest.next().unwrap()];
                u8::from_str_radix(std::str::from_utf8(&digits).unwrap(), 16).unwrap()
            }
            other => panic!("{text}: no escape: {other:?}"),
        });
    }
    out
}

/// A line that stands for these bytes.
pub(crate) fn escaped(bytes: &[u8]) -> String {
    let mut out = String::new();
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            match c {
                '\n' => out += "\\n",
                '\r' => out += "\\r",
                '\t' => out += "\\t",
                '\x1B' => out += "\\e",
                '\0' => out += "\\0",
                '\\' => out += "\\\\",
                c if is_readable(c) => out.push(c),
                c => c.encode_utf8(&mut [0; 4]).bytes().for_each(|byte| push_hex(&mut out, byte)),
            }
        }
        chunk.invalid().iter().for_each(|byte| push_hex(&mut out, *byte));
    }
    out
}

fn push_hex(out: &mut String, byte: u8) {
    *out += &format!("\\x{byte:02X}");
}

#[test]
fn every_byte_comes_back() {
    let all: Vec<u8> = (0..=255).chain("…例\u{202E}e\u{301}\u{FEFF}".bytes()).collect();
    let line = escaped(&all);
    assert_eq!(unescaped(&line), all);
    assert!(!line.contains(|c: char| c.is_control()), "{line}");
    assert!(line.contains("…例\\xE2\\x80\\xAEe\\xCC\\x81\\xEF\\xBB\\xBF"), "{line}");
}
