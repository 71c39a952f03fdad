//! Text that a terminal, or whoever reads lines, may get: what would steer it is written as an escape.
//!
//! Links, paths and names of members come from whoever wrote the input. As they are, they could forge a
//! line that looks like a link, hide one, or send the terminal commands. Written out instead are the
//! controls C0 and C1, DEL, the separators U+2028 and U+2029, and the controls that reorder text. What is not
//! UTF-8 stays as it is in output, where a path must still name its file; in messages its bytes from 0x80 to 0x9F are written
//! out too, which a terminal of eight bits takes for C1.

use std::borrow::Cow;
use std::io::Write;

/// Whether controls are written out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Controls {
    Escaped,
    Kept,
}

impl Controls {
    /// Appends text that comes from an input, or its name.
    pub(crate) fn push(self, bytes: &[u8], out: &mut Vec<u8>) {
        match self {
            Controls::Escaped => push(bytes, out),
            Controls::Kept => out.extend_from_slice(bytes),
        }
    }
}

/// Appends bytes, with what is dangerous in them as `\n`, `\r`, `\t` or `\u{202E}`.
pub(crate) fn push(bytes: &[u8], out: &mut Vec<u8>) {
    // Without a way out of the loop, so that it works on many bytes at once; nearly all are such.
    let is_plain = bytes.iter().fold(true, |plain, &b| plain & matches!(b, b' '..=b'~'));
    if is_plain {
        return out.extend_from_slice(bytes);
    }
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            push_char(c, out);
        }
        out.extend_from_slice(chunk.invalid());
    }
}

/// The same for messages: there bytes that are not UTF-8 and that a terminal of eight bits takes for controls (C1) are
/// written as `\x9B`.
pub(crate) fn push_message(bytes: &[u8], out: &mut Vec<u8>) {
    for chunk in bytes.utf8_chunks() {
        push(chunk.valid().as_bytes(), out);
        for byte in chunk.invalid() {
            match byte {
                // Into a `Vec`: it cannot fail.
                0x80..=0x9F => drop(write!(out, "\\x{byte:02X}")),
                _ => out.push(*byte),
            }
        }
    }
}

/// Whether something of a text would be written as an escape.
pub(crate) fn is_changed(text: &str) -> bool {
    text.chars().any(is_dangerous)
}

/// A text, with what is dangerous in it written as an escape.
pub(crate) fn text(text: &str) -> Cow<'_, str> {
    if !is_changed(text) {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len() + 16);
    push(text.as_bytes(), &mut out);
    Cow::Owned(String::from_utf8_lossy(&out).into_owned())
}

fn push_char(c: char, out: &mut Vec<u8>) {
    match c {
        '\n' => out.extend_from_slice(b"\\n"),
        '\r' => out.extend_from_slice(b"\\r"),
        '\t' => out.extend_from_slice(b"\\t"),
        // Into a `Vec`: it cannot fail.
        c if is_dangerous(c) => drop(write!(out, "\\u{{{:X}}}", u32::from(c))),
        c => out.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
    }
}

fn is_dangerous(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{61C}' | '\u{200E}' | '\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}'
        )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_steers_is_written_out_and_all_else_is_as_it_was() {
        for (raw, safe) in [
            ("http://example.com/a?b#c", "http://example.com/a?b#c"),
            ("a\nb\rc\td", "a\\nb\\rc\\td"),
            ("\x1b]0;pwn\x07", "\\u{1B}]0;pwn\\u{7}"),
            ("\u{7F}\u{80}\u{9B}2J", "\\u{7F}\\u{80}\\u{9B}2J"),
            ("a\u{2028}b\u{2029}c", "a\\u{2028}b\\u{2029}c"),
            ("\u{202E}moc\u{2066}x\u{61C}", "\\u{202E}moc\\u{2066}x\\u{61C}"),
            ("例え.jp/पृष्ठ\u{200D}x", "例え.jp/पृष्ठ\u{200D}x"),
        ] {
            let mut out = Vec::new();
            push(raw.as_bytes(), &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), safe);
            assert_eq!(text(raw), safe);
        }
    }

    #[test]
    fn bytes_that_are_not_utf_8_stay() {
        let mut out = Vec::new();
        push(b"a\xFF\n\xE2\x80", &mut out);
        assert_eq!(out, b"a\xFF\\n\xE2\x80");
    }

    #[test]
    fn in_messages_bytes_that_may_be_controls_are_written_out() {
        let mut out = Vec::new();
        push_message(b"a\x9B2J\xE9\xE2\x80b\xC2\x9B\x1B\x7F\xA0 \xE4\xBE\x8B", &mut out);
        let safe = b"a\\x9B2J\xE9\xE2\\x80b\\u{9B}\\u{1B}\\u{7F}\xA0 \xE4\xBE\x8B";
        assert_eq!(out.escape_ascii().to_string(), safe.escape_ascii().to_string());
    }
}
