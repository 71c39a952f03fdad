//! Finds the encoding that a document declares in its first 1,024 bytes.
//!
//! The input is the beginning of a document and whether it is known to be HTML, the result is the first declaration with a
//! known encoding, and the first unknown label before it.

use super::label::{self, Declaration, MOST};
use super::{mode_line, prescan};
use crate::charset::utf8::Extent;

/// Returns the declaration of an HTML document after its first 1,024 bytes, which a parser finds later ("changing the
/// encoding while parsing", §13.2.3.5): it is better than a guess.
pub(super) fn find_late(start: &[u8], is_html: bool) -> Declaration {
    match is_html || first_byte(start) == Some(b'<') {
        true => prescan::html(start),
        false => Declaration::default(),
    }
}

fn first_byte(start: &[u8]) -> Option<u8> {
    start.iter().copied().find(|byte| !byte.is_ascii_whitespace())
}

/// Returns the declaration of a document that begins with `start`. A `<meta>` counts in a document that is known to be
/// HTML or begins with a tag; in other texts it is an example.
pub(super) fn find(start: &[u8], extent: Extent, is_html: bool) -> Declaration {
    let head = &start[..start.len().min(MOST)];
    let declaration = match (head, first_byte(head)) {
        _ if is_html => prescan::html(head),
        (_, Some(b'<')) | ([0, b'<', ..], _) => prescan::html(head),
        ([b'@', ..], _) => css(head),
        _ => Declaration::default(),
    };
    match declaration.is_found() {
        true => declaration,
        // A page or a style sheet that a program generates may have a mode line in a comment.
        false => {
            let unknown = declaration.unknown;
            let mut lines = mode_line::find(start, extent);
            lines.unknown = unknown.or(lines.unknown);
            lines
        }
    }
}

/// Reads `@charset "…";` byte for byte (CSS Syntax §3.2).
fn css(head: &[u8]) -> Declaration {
    let Some(rest) = head.strip_prefix(b"@charset \"") else {
        return Declaration::default();
    };
    let end = rest.iter().position(|byte| *byte == b'"').unwrap_or(rest.len());
    if rest.get(end + 1) != Some(&b';') {
        return Declaration::default();
    }
    let label = &rest[..end];
    match label::standard(label) {
        Some(encoding) => Declaration::of(prescan::in_ascii(encoding), label),
        None => Declaration::default().or_unknown(Some(label)),
    }
}

#[cfg(test)]
mod tests {
    use encoding_rs::Encoding;

    use super::*;

    fn declared(start: &[u8], is_html: bool) -> &'static str {
        find(start, Extent::Whole, is_html).encoding.map_or("nothing", Encoding::name)
    }

    #[test]
    fn a_style_sheets_charset_is_exact() {
        for (start, name) in [
            (&b"@charset \"iso-8859-2\";a{}"[..], "ISO-8859-2"),
            (b"@charset \"utf-16\";", "UTF-8"),
            (b"@charset 'iso-8859-2';", "nothing"),
            (b"@charset  \"iso-8859-2\";", "nothing"),
            (b"@CHARSET \"iso-8859-2\";", "nothing"),
            (b" @charset \"iso-8859-2\";", "nothing"),
            (b"@charset \"iso-8859-2\" ;", "nothing"),
            (b"@charset \"iso-8859-2", "nothing"),
        ] {
            assert_eq!(declared(start, false), name);
        }
    }

    #[test]
    fn an_xml_declaration_names_its_encoding() {
        for (start, name) in [
            (&b"<?xml version='1.0' encoding='koi8-r'?><a/>"[..], "KOI8-R"),
            (b"<?xml version=\"1.0\" encoding = \"Shift_JIS\" ?>", "Shift_JIS"),
            (b"<?xml encoding='utf-16'?>", "UTF-8"),
            (b"<?xml version='1.0'?><a encoding='koi8-r'>", "nothing"),
            (b" <?xml encoding='koi8-r'?>", "nothing"),
            (b"<?xml encoding='koi8-r", "nothing"),
            (b"<\0?\0x\0m\0", "UTF-16LE"),
            (b"\0<\0?\0x\0m", "UTF-16BE"),
        ] {
            assert_eq!(declared(start, false), name);
        }
    }

    #[test]
    fn only_pages_are_searched_for_meta() {
        assert_eq!(declared(b"\n<p><meta charset=big5>", false), "Big5");
        assert_eq!(declared(b"write <meta charset=big5>", false), "nothing");
        assert_eq!(declared(b"write <meta charset=big5>", true), "Big5");
        assert_eq!(declared(b"@charset \"big5\";", false), "Big5");
        assert_eq!(declared(b"<!-- -*- coding: euc-kr -*- -->\n<p>", false), "EUC-KR");
        assert_eq!(declared(b"a <!-- -*- coding: euc-kr -*- -->\n<p>", true), "EUC-KR");
    }

    #[test]
    fn what_cannot_be_decoded_is_refused_by_name() {
        let of = |start: &[u8]| find(start, Extent::Whole, false).settle();
        let refused = of(b"<meta charset=HZ-GB-2312>").unwrap_err();
        assert_eq!(refused.label(), "HZ-GB-2312");
        let (encoding, unknown) = of(b"<meta charset='no such'>").unwrap();
        assert_eq!((encoding, unknown.as_deref()), (None, Some("no such")));
    }
}
