//! Names of namespaces and document types in XML that is part of binary data: packets of XMP in PDF and fonts, property
//! lists in settings of printers.
//!
//! In an XML document its tokenizer recognises them. Binary data is not tokenized, and most links found there would be such
//! names.

/// Number of bytes before a name that are examined.
const REACH: usize = 256;

/// Returns `true` if the value of an `xmlns`, or an identifier in a document type declaration, begins at `start`.
pub(super) fn is_at(text: &[u8], start: usize) -> bool {
    let front = &text[start.saturating_sub(REACH)..start];
    let Some((b'"' | b'\'', front)) = front.split_last() else { return false };
    let sign = front.trim_ascii_end().strip_suffix(b"=").map(<[u8]>::trim_ascii_end);
    sign.is_some_and(is_declaration) || is_in_doctype(front)
}

/// Returns `true` if the bytes end with `xmlns` or `xmlns:a`, as the name of an attribute.
fn is_declaration(front: &[u8]) -> bool {
    let is_name =
        |byte: &&u8| byte.is_ascii_alphanumeric() || b":_-.".contains(byte) || **byte >= 0x80;
    let len = front.iter().rev().take_while(is_name).count();
    let name = &front[front.len() - len..];
    name == b"xmlns" || name.starts_with(b"xmlns:")
}

fn is_in_doctype(front: &[u8]) -> bool {
    let at = memchr::memmem::rfind(front, b"<!DOCTYPE");
    at.is_some_and(|at| memchr::memchr2(b'>', b'[', &front[at..]).is_none())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_links() {
        for (front, is_name) in [
            ("<a xmlns=\"", true),
            ("<x:xmpmeta xmlns:x='", true),
            ("<a xmlns:x-y = \"", true),
            ("<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"", true),
            ("<a href=\"", false),
            ("<a noxmlns=\"", false),
            ("<!DOCTYPE a><b c=\"", false),
            ("\"", false),
            ("", false),
            ("xmlns=", false),
        ] {
            let text = format!("{front}http://e.com/");
            assert_eq!(is_at(text.as_bytes(), front.len()), is_name, "{front}");
        }
    }
}
