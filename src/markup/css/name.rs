//! Names of CSS (CSS Syntax Level 3, §4.3.11), as far as needed to recognise the known ones.

use super::escape::{Escape, escape_at};
use crate::input::chunk::Chunk;

/// Maximum length in bytes of a known name: each of its characters may be an escape of eight bytes.
const LONGEST: usize = 160;

/// The names that an IRI follows.
const KNOWN: [&str; 7] =
    ["url", "src", "image-set", "-webkit-image-set", "image", "import", "namespace"];

/// Name at an offset, if there is one.
pub(super) enum CssName {
    /// A name; `known` is its lower-case form if it is a known one.
    Read {
        known: Option<&'static str>,
        end: usize,
    },
    /// The beginning of a name that is too long to be a known one.
    Long {
        end: usize,
    },
    None,
    /// The bytes end before this can be decided.
    Cut,
}

/// Returns `true` if `byte` belongs to a name, apart from escapes: a letter, a digit, `-`, `_`, a non-ASCII byte, or
/// U+0000, which is read as U+FFFD.
pub(super) fn is_name_byte(byte: u8) -> bool {
    IS_NAME[usize::from(byte)]
}

const IS_NAME: [bool; 256] = {
    let mut table = [false; 256];
    let mut byte = 0;
    while byte < 256 {
        let ascii = byte as u8;
        table[byte] =
            byte >= 0x80 || ascii.is_ascii_alphanumeric() || matches!(ascii, b'-' | b'_' | b'\0');
        byte += 1;
    }
    table
};

/// Reads the name that begins at `at`.
pub(super) fn name_at(bytes: Chunk<'_>, at: usize) -> CssName {
    let limit = at + LONGEST;
    let mut end = at;
    let mut escaped = false;
    loop {
        match bytes.get(end) {
            _ if end >= limit => return CssName::Long { end },
            Some(b'\\') => match escape_at(bytes, end) {
                Escape::Cut => return CssName::Cut,
                Escape::Char { len, .. } => {
                    end += len;
                    escaped = true;
                }
                Escape::End => end += 1,
                Escape::Line { .. } => break,
            },
            Some(&byte) if is_name_byte(byte) => end += 1,
            None if !bytes.is_last() => return CssName::Cut,
            _ => break,
        }
    }
    if end == at {
        return CssName::None;
    }
    let name = &bytes[at..end];
    let known = match escaped {
        false => KNOWN.iter().find(|known| known.as_bytes().eq_ignore_ascii_case(name)),
        true => KNOWN.iter().find(|known| is_spelled(name, known)),
    };
    CssName::Read { known: known.copied(), end }
}

/// Returns `true` if `name` is `known` with some of its letters written as escapes.
fn is_spelled(name: &[u8], known: &str) -> bool {
    let mut at = 0;
    for wanted in known.bytes() {
        let (code, len) = match name.get(at) {
            None => return false,
            Some(b'\\') => match escape_at(Chunk::whole(name), at) {
                Escape::Char { code, len } => (code, len),
                _ => return false,
            },
            Some(&byte) => (u32::from(byte), 1),
        };
        let is_same = u8::try_from(code).is_ok_and(|byte| byte.eq_ignore_ascii_case(&wanted));
        if !is_same {
            return false;
        }
        at += len;
    }
    at == name.len()
}
