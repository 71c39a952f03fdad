//! Short texts that can be nothing but text in UTF-8: of them nothing else is asked.
//!
//! Who calls with messages of a chat has many, and to ask of each in turn whether it is an archive, a picture, mail or a
//! page, and in which charset, takes longer than to look for links in it. What is not told here at once goes the
//! whole way, which gives the same answer (`Finder::document` is tested against it).

use super::hints::is_surely_no_mail;
use super::kinds;
use super::magic::is_ustar;
use crate::charset;
use crate::document::{Declared, Format, Hints};

/// Longer ones go the whole way, of which they notice less: controls are counted in the first 8 KiB.
const MOST: usize = 4 << 10;

// What a byte may say against it, a bit for each.
const CONTROL: u8 = 1;
const NON_ASCII: u8 = 2;
/// `#`, `*` and `=`: each line in which an editor is told of a charset has one.
const SIGN: u8 = 4;

/// Whether a document with these hints is text in UTF-8 and was not said to be anything else.
pub(crate) fn is_plain_text(hints: &Hints, bytes: &[u8]) -> bool {
    let is_unknown = hints.format == Format::Auto
        && hints.declared == Declared::Nothing
        && hints.name.is_none()
        && hints.charset.is_none()
        && hints.nature.is_none();
    is_unknown && bytes.len() <= MOST && begins_as_text(bytes) && is_clean(bytes)
}

/// Whether it is no archive, no page and no mail by how it begins.
#[inline]
fn begins_as_text(bytes: &[u8]) -> bool {
    // What markup, JSON and style sheets begin with; beyond ASCII a byte order mark.
    let is_plain = match bytes.trim_ascii_start() {
        [b'<' | b'{' | b'[' | b'"' | b'@', ..] => false,
        [first, ..] => matches!(first, b'!'..=b'~' | 0xC3..=0xEE),
        [] => false,
    };
    is_plain && !kinds::may_begin(bytes) && !is_ustar(bytes) && is_surely_no_mail(bytes)
}

/// Whether it has no control character, no line that may name a charset, and is well-formed.
#[inline]
fn is_clean(bytes: &[u8]) -> bool {
    let (chunks, rest) = bytes.as_chunks::<16>();
    let mut found = [0; 16];
    for chunk in chunks {
        gather(&mut found, chunk);
    }
    match bytes.last_chunk() {
        // Some bytes are looked at twice.
        Some(last) => gather(&mut found, last),
        None => found[0] = rest.iter().fold(0, |found, byte| found | signs(*byte)),
    }
    let found = found.iter().fold(0, |all, one| all | one);
    found & CONTROL == 0
        && (found & NON_ASCII == 0 || std::str::from_utf8(bytes).is_ok())
        && (found & SIGN == 0 || !charset::may_have_mode_line(bytes))
}

/// Lane by lane, so that the compiler makes vectors of it.
#[inline(always)]
fn gather(found: &mut [u8; 16], chunk: &[u8; 16]) {
    for (found, byte) in found.iter_mut().zip(chunk) {
        *found |= signs(*byte);
    }
}

/// What the byte says against plain text.
#[inline(always)]
fn signs(byte: u8) -> u8 {
    let is_blank = byte.wrapping_sub(b'\t') < 5;
    let is_control = (byte < b' ') & !is_blank | (byte == 0x7F);
    let is_sign = (byte == b'#') | (byte == b'*') | (byte == b'=');
    (u8::from(is_control) * CONTROL) | ((byte >> 7) * NON_ASCII) | (u8::from(is_sign) * SIGN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_told_at_once() {
        let plain = |text: &str| is_plain_text(&Hints::new(), text.as_bytes());
        for text in [
            "see example.com",
            "見て http://例え.jp/パス。",
            "a\tb\r\nc: d",
            "To be or not",
            " (a)",
            "1. b",
            "was x=1",
        ] {
            assert!(plain(text), "{text}");
        }
        for text in [
            "",
            " ",
            "<p>",
            "\n<p>",
            "{\"a\": 1}",
            "From a",
            "From: a",
            "Subject : x",
            "a\u{1B}$B",
            "a\0",
            "\u{FEFF}a",
            "GIF89a",
            "a # coding: latin-1",
            "x vim: set fenc=latin1 :",
            "@charset \"x\";",
            "word",
        ] {
            assert!(!plain(text), "{text}");
        }
        assert!(!is_plain_text(&Hints::new(), b"caf\xE9 au lait"));
        assert!(!is_plain_text(&Hints::new().format(Format::Html), b"see a"));
        assert!(!is_plain_text(&Hints::new().name("a.html"), b"see a"));
    }

    #[test]
    fn each_byte_is_seen_wherever_it_stands() {
        for len in 1..40 {
            for at in 1..len {
                let mut text = vec![b'a'; len];
                text[0] = b'b';
                text.splice(1..1, *b" ");
                text[at + 1] = 1;
                assert!(!is_plain_text(&Hints::new(), &text), "{len} {at}");
            }
        }
    }
}
