//! Makes text safe for terminals and for programs that read lines: dangerous characters are written as escapes.
//!
//! Links, paths and names of members come from the authors of the inputs. Unescaped, they could forge a line that looks
//! like a link, hide one, or send commands to the terminal. Dangerous characters are the controls C0 and C1, DEL, the
//! separators U+2028 and U+2029, and the controls that reorder text. Also dangerous are the bytes from 0x80 to 0x9F that
//! are not part of UTF-8, since an 8-bit terminal treats them as C1; other bytes that are not UTF-8 are written unchanged.
//!
//! Each form of output has its own escape for them: plain text and messages (`push`, `text`), JSON (`json`), HTML (`html`).
//! CSV has no escapes, and records that end in NUL are exact.

use std::borrow::Cow;
use std::io::Write;

/// Whether controls are written as escapes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Controls {
    Escaped,
    Kept,
}

impl Controls {
    /// Appends text or a name from an input.
    pub(crate) fn push(self, bytes: &[u8], out: &mut Vec<u8>) {
        match self {
            Controls::Escaped => push(bytes, out),
            Controls::Kept => out.extend_from_slice(bytes),
        }
    }
}

/// Appends bytes, with dangerous characters written as `\n`, `\r`, `\t`, `\u{202E}` or `\x9B`.
pub(crate) fn push(bytes: &[u8], out: &mut Vec<u8>) {
    // The loop has no early exit, so that it can process many bytes at once; nearly all texts are plain.
    let is_plain = bytes.iter().fold(true, |plain, &b| plain & matches!(b, b' '..=b'~'));
    if is_plain {
        return out.extend_from_slice(bytes);
    }
    for chunk in bytes.utf8_chunks() {
        for c in chunk.valid().chars() {
            push_char(c, out);
        }
        for byte in chunk.invalid() {
            match byte {
                // Writing to a `Vec` cannot fail.
                0x80..=0x9F => drop(write!(out, "\\x{byte:02X}")),
                _ => out.push(*byte),
            }
        }
    }
}

/// Returns `true` if some character of a text would be written as an escape.
pub(crate) fn is_changed(text: &str) -> bool {
    text.chars().any(is_dangerous)
}

/// Returns a text with its dangerous characters written as escapes.
pub(crate) fn text(text: &str) -> Cow<'_, str> {
    if !is_changed(text) {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len() + 16);
    push(text.as_bytes(), &mut out);
    Cow::Owned(String::from_utf8_lossy(&out).into_owned())
}

/// Returns JSON text with the dangerous characters in its strings as `\u009b`, which has the same value. JSON escapes C0
/// anyway, and outside strings C0 characters are white space.
pub(crate) fn json(text: &str) -> Cow<'_, str> {
    let is_escaped = |c: char| c > '\u{7E}' && is_dangerous(c);
    if !may_be_escaped(text.as_bytes()) || !text.chars().any(is_escaped) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        match is_escaped(c) {
            true => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            false => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Returns `true` if a byte can begin a character that is escaped in JSON.
fn may_be_escaped(bytes: &[u8]) -> bool {
    // The loop has no early exit, so that it can process many bytes at once.
    bytes.iter().fold(false, |may, b| may | matches!(b, 0x7F | 0xC2 | 0xD8 | 0xE2))
}

/// Escapes JSON text that begins at `start` in place.
pub(crate) fn json_since(start: usize, out: &mut Vec<u8>) {
    if !may_be_escaped(&out[start..]) {
        return;
    }
    let safe = match std::str::from_utf8(&out[start..]).map(json) {
        Ok(Cow::Owned(safe)) => safe,
        _ => return,
    };
    out.truncate(start);
    out.extend_from_slice(safe.as_bytes());
}

/// Returns HTML text in which U+FFFD replaces the controls that HTML forbids (all except TAB, LF, FF and CR).
pub(crate) fn html(text: &str) -> Cow<'_, str> {
    let is_forbidden = |c: char| c.is_control() && !matches!(c, '\t' | '\n' | '\u{C}' | '\r');
    match text.contains(is_forbidden) {
        true => Cow::Owned(text.replace(is_forbidden, "\u{FFFD}")),
        false => Cow::Borrowed(text),
    }
}

fn push_char(c: char, out: &mut Vec<u8>) {
    match c {
        '\n' => out.extend_from_slice(b"\\n"),
        '\r' => out.extend_from_slice(b"\\r"),
        '\t' => out.extend_from_slice(b"\\t"),
        // Writing to a `Vec` cannot fail.
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
    fn bytes_that_are_not_utf_8_and_may_be_controls_are_written_out() {
        let mut out = Vec::new();
        push(b"a\x9B2J\xE9\xE2\x80b\xC2\x9B\x1B\x7F\xA0 \xE4\xBE\x8B", &mut out);
        let safe = b"a\\x9B2J\xE9\xE2\\x80b\\u{9B}\\u{1B}\\u{7F}\xA0 \xE4\xBE\x8B";
        assert_eq!(out.escape_ascii().to_string(), safe.escape_ascii().to_string());
    }

    #[test]
    fn json_has_the_same_value_without_controls() {
        let value = "a\u{7F}b\u{80}\u{9B}2J\u{A0}\u{2028}\u{202E}\u{61C}\u{606}例\n\0\"\\";
        let mut out = serde_json::to_vec(&[value]).unwrap();
        out.push(b'\n');
        json_since(0, &mut out);
        let text = String::from_utf8(out).unwrap();
        assert!(!text.trim_end().chars().any(is_dangerous), "{text:?}");
        assert!(
            text.contains("a\\u007fb\\u0080\\u009b2J\u{A0}\\u2028\\u202e\\u061c\u{606}例"),
            "{text}"
        );
        assert_eq!(serde_json::from_str::<[String; 1]>(&text).unwrap(), [value]);
        let mut out = b"\xC2\x9B[\"\xC2\x9B\"]".to_vec();
        json_since(2, &mut out);
        assert_eq!(out, b"\xC2\x9B[\"\\u009b\"]");
    }

    #[test]
    fn html_has_no_controls_but_white_space() {
        assert!(matches!(html("a\tb\r\n\u{C}<p>例"), Cow::Borrowed(_)));
        assert_eq!(html("\0\x1b[31m\x7F\u{9B}"), "\u{FFFD}\u{FFFD}[31m\u{FFFD}\u{FFFD}");
    }
}
