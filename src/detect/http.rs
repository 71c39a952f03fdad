//! Detects answers of HTTP that are stored with their header, as `curl -i` and `wget --save-headers` write them.

use crate::charset::CONTROLS_HEAD as HEAD;

/// First bytes of an answer, up to the status; a version without a minor number has none.
const VERSIONS: [&[u8]; 6] =
    [b"HTTP/1.0 ", b"HTTP/1.1 ", b"HTTP/2 ", b"HTTP/2.0 ", b"HTTP/3 ", b"HTTP/3.0 "];

/// Returns `true` if the bytes begin with the header of an answer: a status, fields and an empty line, or fields alone as far as is
/// examined; `None` if the following bytes decide. A header without fields, as proxies send, must precede another one.
pub(crate) fn begins_answer(bytes: &[u8]) -> Option<bool> {
    let bytes = &bytes[..bytes.len().min(HEAD)];
    let may_go_on = || if bytes.len() == HEAD { Some(true) } else { None };
    let Some(version) = VERSIONS.iter().find(|version| bytes.starts_with(version)) else {
        let is_cut = VERSIONS.iter().any(|version| version.starts_with(bytes));
        return if is_cut { None } else { Some(false) };
    };
    let (mut lines, mut fields) =
        (bytes[version.len()..].split(|byte| *byte == b'\n').peekable(), None);
    while let Some(line) = lines.next() {
        if lines.peek().is_none() {
            return may_go_on();
        }
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        match (fields, line) {
            (
                None,
                [b'1'..=b'5', b'0'..=b'9', b'0'..=b'9']
                | [b'1'..=b'5', b'0'..=b'9', b'0'..=b'9', b' ', ..],
            ) => {
                fields = Some(0);
            }
            (Some(0), []) => {
                let rest = lines.next().unwrap_or_default();
                return match VERSIONS.iter().any(|version| rest.starts_with(version)) {
                    true => Some(true),
                    false if VERSIONS.iter().any(|version| version.starts_with(rest)) => None,
                    false => Some(false),
                };
            }
            (Some(_), []) => return Some(true),
            (Some(count), [first, ..])
                if count > 0 && matches!(first, b' ' | b'\t') || is_field(line) =>
            {
                fields = Some(count + 1);
            }
            _ => return Some(false),
        }
    }
    None
}

/// Returns the length of the header that the bytes begin with, with its empty line; `None` without one.
pub(crate) fn header_len(bytes: &[u8]) -> Option<usize> {
    let mut ends = memchr::memchr_iter(b'\n', bytes);
    ends.find_map(|end| match bytes[end + 1..] {
        [b'\n', ..] => Some(end + 2),
        [b'\r', b'\n', ..] => Some(end + 3),
        _ => None,
    })
}

fn is_field(line: &[u8]) -> bool {
    let is_token = |byte: &u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(byte);
    let name = line.iter().take_while(|byte| is_token(byte)).count();
    name > 0 && line.get(name) == Some(&b':')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_and_texts_about_them() {
        for (text, is_answer) in [
            ("HTTP/1.1 200 OK\r\nA: b\r\n\r\n", Some(true)),
            ("HTTP/2 200 \r\na: b\r\n\r\n<p>", Some(true)),
            ("HTTP/3 404\nA: b\n c\nd:\n\n", Some(true)),
            ("HTTP/1.1 200 Connection established\r\n\r\nHTTP/2 200\r\n", Some(true)),
            ("HTTP/1.1 200 OK\n\nHTTP", None),
            ("HTTP/1.1 200 OK\n\nwords", Some(false)),
            ("HTTP/1.1 200 OK\nwords\n", Some(false)),
            ("HTTP/1.1 200 OK\n a: b\n", Some(false)),
            ("HTTP/1.1 200 OK\nA: b", None),
            ("HTTP/1.1 200 OK\nA: b\n", None),
            ("HTTP/1.1 200", None),
            ("HTTP/1", None),
            ("", None),
            ("HTTP/1.1 2000\n", Some(false)),
            ("HTTP/1.1 status\n", Some(false)),
            ("HTTP/1.2 200\n", Some(false)),
            ("HTTP/4 200\n", Some(false)),
            ("http/1.1 200 OK\nA: b\n\n", Some(false)),
            ("GET / HTTP/1.1\nA: b\n\n", Some(false)),
            ("HTTP is a protocol", Some(false)),
        ] {
            assert_eq!(begins_answer(text.as_bytes()), is_answer, "{text:?}");
        }
        let long = format!("HTTP/1.1 200 OK\n{}", "A: b\n".repeat(2000));
        assert_eq!(begins_answer(long.as_bytes()), Some(true));
        assert_eq!(header_len(b"a\r\nb\r\n\r\nc"), Some(8));
        assert_eq!(header_len(b"a\nb\n\nc\n\n"), Some(5));
        assert_eq!(header_len(b"a\nb\n"), None);
    }
}
