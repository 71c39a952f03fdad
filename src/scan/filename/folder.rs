//! Detects names in a Windows path: `C:\Users\example.com`.
//!
//! The input is the text before a name, which ends in a backslash; the result is whether a directory precedes the name.
//! Letters of escapes follow a backslash too, `see\nexample.com`. Before such a letter, the path must begin with a drive,
//! or with a directory whose name does not begin like an escape.

use super::MAX_BEFORE;

/// Returns `true` if a name after a backslash is in a directory.
pub(super) fn is_before(text: &[u8]) -> bool {
    let is_single = matches!(text, [.., b, b'\\'] if is_end_of_folder(*b));
    is_single || is_surely_before(text)
}

/// Returns `true` if it surely is, even if the name begins with the letter of an escape, or if the backslash is doubled.
pub(crate) fn is_surely_before(text: &[u8]) -> bool {
    let text = &text[text.len().saturating_sub(MAX_BEFORE)..];
    let start = text.len() - text.iter().rev().take_while(|b| is_of_path(**b)).count();
    let path = &text[start..];
    let is_drive = match text[..start] {
        [letter, b':'] => letter.is_ascii_alphabetic() && text.len() < MAX_BEFORE,
        [.., front, letter, b':'] => letter.is_ascii_alphabetic() && !front.is_ascii_alphanumeric(),
        _ => false,
    };
    is_drive && path.starts_with(b"\\") || path.split(|&b| b == b'\\').skip(1).any(is_no_escape)
}

/// Returns `true` if the name of a directory may end in this byte. The bytes that end a group of a regular expression or an
/// argument of a macro are not among these.
fn is_end_of_folder(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-.%:)}".contains(&byte) || byte >= 0x80
}

fn is_of_path(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"\\ _-.~%$#@&()".contains(&byte) || byte >= 0x80
}

/// Returns `true` if the text after a backslash is a word that does not begin like an escape.
fn is_no_escape(word: &[u8]) -> bool {
    match word {
        [first, second, ..] => {
            let is_letter = first.is_ascii_alphabetic() && second.is_ascii_alphabetic();
            is_letter && !b"abefnrtuvx".contains(first)
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders() {
        for text in [r"C:\", r"x C:\Users\", r#""C:\\temp\\"#, r"\\server\share\", r"src\lib\"] {
            assert!(is_surely_before(text.as_bytes()), "{text}");
        }
        for text in [r"x\", r"..\", r"%TEMP%\", r"$(OutDir)\", r"Ж\"] {
            assert!(is_before(text.as_bytes()), "{text}");
            assert!(!is_surely_before(text.as_bytes()), "{text}");
        }
        for text in [r"\", r"see \", r"text\\", r#""\"#, r"{\", r"\\"] {
            assert!(!is_before(text.as_bytes()), "{text}");
        }
        for text in [r"see\nand\", r"error:\", r"foo: \", r"a\tb\", r"\w\"] {
            assert!(!is_surely_before(text.as_bytes()), "{text}");
        }
    }
}
