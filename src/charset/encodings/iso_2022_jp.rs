//! Detects ISO-2022-JP: ASCII bytes with text between escape sequences.

use encoding_rs::{DecoderResult, ISO_2022_JP};

const ESC: u8 = 0x1B;
/// Maximum number of bytes from the first escape sequence on that are decoded.
const MOST: usize = 64 << 10;

/// Returns `true` if a text without bytes above 0x7F, decoded from its first escape sequence on, has no errors and contains
/// Japanese. Terminals use other escape sequences.
pub(super) fn is_plausible(ascii: &[u8]) -> bool {
    let mut escapes = memchr::memchr_iter(ESC, ascii);
    let Some(start) = escapes.find(|at| is_shift(&ascii[*at..])) else { return false };
    let rest = &ascii[start..];
    let text = &rest[..rest.len().min(MOST)];
    let mut decoder = ISO_2022_JP.new_decoder_without_bom_handling();
    let mut decoded = String::with_capacity(
        decoder.max_utf8_buffer_length_without_replacement(text.len()).unwrap_or(4 * MOST),
    );
    // A character that is cut at the end is not an error.
    let (result, _) = decoder.decode_to_string_without_replacement(text, &mut decoded, false);
    let is_japanese = |c: char| matches!(c, '\u{3001}'..='\u{9FFF}' | '\u{FF61}'..='\u{FF9F}');
    matches!(result, DecoderResult::InputEmpty) && decoded.contains(is_japanese)
}

/// Returns `true` for a sequence that selects another set than ASCII: JIS X 0208, or one half of JIS X 0201.
fn is_shift(bytes: &[u8]) -> bool {
    matches!(bytes, [ESC, b'$', b'@' | b'B', ..] | [ESC, b'(', b'J' | b'I', ..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escape_sequences_alone_are_not_enough() {
        assert!(is_plausible(b"abc \x1B$B$3$s$K$A$O\x1B(B."));
        assert!(is_plausible(b"\x1B$@$3$s$K"), "cut");
        assert!(is_plausible(b"\x1B(I1234"));
        for none in [
            &b"plain"[..],
            b"\x1B[0;31mred\x1B[0m \x1B(B",
            b"\x1B(Jroman\x1B(B",
            b"\x1B$B\x1B$B\x1B$B",
            b"\x1B$B with spaces",
            b"\x1B$B",
            b"",
        ] {
            assert!(!is_plausible(none), "{none:?}");
        }
    }
}
