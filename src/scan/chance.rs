//! Data in which dots and at signs occur by chance: lines of uuencode, and XML names in binary data.
//!
//! A line of uuencode (POSIX.1 `uuencode`, historical algorithm) has a character for the number of bytes, and then four
//! characters for every three bytes, all of U+0020 to U+0060.
//!
//! Binary data may contain XML: packets of XMP in PDF and fonts, property lists in settings of printers. In an XML document
//! its tokenizer recognises the names of namespaces and document types. Binary data is not tokenized, and most links found
//! there would be such names.

use super::view::{Incomplete, View};

/// Length of the longest line: it encodes 45 bytes.
const MAX_LINE: usize = 61;
/// Minimum length of a line: a shorter one may look encoded by chance.
const MIN_LINE: usize = 17;

/// Returns `true` if `start..end` is in such a line.
#[inline]
pub(crate) fn is_in_uuencoded(
    view: &View<'_>,
    start: usize,
    end: usize,
) -> Result<bool, Incomplete> {
    // Such lines have no lower-case letters.
    if view.text[start] > b'`' || view.text[end - 1] > b'`' {
        return Ok(false);
    }
    is_line(view, start, end)
}

fn is_line(view: &View<'_>, start: usize, end: usize) -> Result<bool, Incomplete> {
    let is_data = |byte: u8| matches!(byte, b' '..=b'`');
    let low = start.saturating_sub(MAX_LINE);
    let before = &view.text[low..start];
    let line = match before.iter().rposition(|&b| !is_data(b)) {
        Some(at) if before[at] == b'\n' => low + at + 1,
        None if low == 0 => 0,
        _ => return Ok(false),
    };
    if !view.text[start..end].iter().copied().all(is_data) {
        return Ok(false);
    }
    let mut line_end = end;
    while line_end - line <= MAX_LINE {
        match view.byte(line_end)? {
            Some(byte) if is_data(byte) => line_end += 1,
            Some(b'\r' | b'\n') | None => break,
            Some(_) => return Ok(false),
        }
    }
    let len = line_end - line;
    let bytes = usize::from(view.text[line].saturating_sub(b' ') & 0x3F);
    Ok((MIN_LINE..=MAX_LINE).contains(&len) && len == 1 + 4 * bytes.div_ceil(3))
}

/// Number of bytes before a name that are examined.
const REACH: usize = 256;

/// Returns `true` if the value of an `xmlns`, or an identifier in a document type declaration, begins at `start`.
pub(super) fn is_at_xml_name(text: &[u8], start: usize) -> bool {
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
    use crate::scan::References;

    fn is_data(line: &str, name: &str) -> bool {
        let text = format!("begin 644 a\n{line}\nend\n");
        let start = text.find(name).unwrap();
        let view = View::new(text.as_bytes(), true, References::Auto);
        is_in_uuencoded(&view, start, start + name.len()) == Ok(true)
    }

    #[test]
    fn lines_of_the_length_that_they_tell() {
        let full = format!("M{}A.IT{}", "\"8F]O".repeat(4), "#(R-D".repeat(7) + "X");
        assert_eq!(full.len(), 61);
        assert!(is_data(&full, "A.IT"));
        assert!(!is_data(&full[1..], "A.IT"));
        assert!(is_data("/2&QA<R@A.IT9(0&&&&&&", "A.IT"));
        assert!(!is_data("WWW.EXAMPLE.COM IS MY SITE", "WWW.EXAMPLE.COM"));
        assert!(!is_data("/2&QA<R@a.it9(0&&&&&&", "a.it"));
    }

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
            assert_eq!(is_at_xml_name(text.as_bytes(), front.len()), is_name, "{front}");
        }
    }
}
