//! Names in a path of Windows: `C:\Users\example.com`.
//!
//! In goes the text before a name, which ends in a backslash; out comes whether a folder is before it. Letters of
//! escapes follow a backslash too, `see\nexample.com`: before them a drive must begin the path, or a folder whose
//! name begins as no escape does.

use super::MAX_BEFORE;

/// Whether a name that a backslash is before is in a folder.
pub(super) fn is_before(text: &[u8]) -> bool {
    let is_single = matches!(text, [.., b, b'\\'] if is_end_of_folder(*b));
    is_single || is_surely_before(text)
}

/// Whether it is, even if the name begins with the letter of an escape, or if the backslash is written twice.
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

/// Whether the name of a folder may end in a byte; a regular expression's group and a macro's argument may not be
/// before it.
fn is_end_of_folder(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"_-.%:)}".contains(&byte) || byte >= 0x80
}

fn is_of_path(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || b"\\ _-.~%$#@&()".contains(&byte) || byte >= 0x80
}

/// Whether what is after a backslash is a word that no escape begins.
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
