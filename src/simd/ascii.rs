//! Converts ASCII bytes to text.
//!
//! The input is the few bytes of a value, the result is a string, if the bytes are ASCII. The standard library checks bytes
//! one by one up to an aligned address, and is called; for a short value that takes longer than everything else.

/// Number of bytes that are checked together.
const WORD: usize = 8;

/// Returns the bytes as text, if all of them are ASCII.
#[inline]
#[allow(unsafe_code)]
pub(crate) fn ascii(bytes: &[u8]) -> Option<&str> {
    if !is_ascii(bytes) {
        return None;
    }
    // SAFETY: each byte is ASCII, as checked above, and ASCII is UTF-8.
    Some(unsafe { std::str::from_utf8_unchecked(bytes) })
}

/// Returns `true` if all of them are ASCII; the last word overlaps the one before.
#[inline]
fn is_ascii(bytes: &[u8]) -> bool {
    let Some(last) = bytes.last_chunk::<WORD>() else {
        return bytes.iter().fold(0, |all, byte| all | byte) < 0x80;
    };
    let (words, _) = bytes.as_chunks::<WORD>();
    let all =
        words.iter().fold(u64::from_ne_bytes(*last), |all, word| all | u64::from_ne_bytes(*word));
    all & 0x8080_8080_8080_8080 == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ascii_is_what_the_library_says() {
        for len in 0..40 {
            for at in 0..len {
                for byte in [0, b'a', 0x7F, 0x80, 0xC3, 0xFF] {
                    let mut bytes = vec![b'x'; len];
                    bytes[at] = byte;
                    let wanted = std::str::from_utf8(&bytes).ok().filter(|text| text.is_ascii());
                    assert_eq!(ascii(&bytes), wanted, "{bytes:?}");
                }
            }
        }
        assert_eq!(ascii(b""), Some(""));
    }
}
