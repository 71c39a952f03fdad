//! From IRI to URI (RFC 3987 §3.1), for a link whose host is known and mapped already.

use std::ops::Range;

use super::chars::{is_iri_char, is_uri_byte};

/// What the text of a link has in it that a URI cannot have.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Survey {
    /// A `%` without two hexadecimal digits.
    pub(crate) stray_percent: bool,
    /// ASCII that must be percent-encoded.
    pub(crate) forbidden: bool,
    /// A character that RFC 3987 does not let in.
    pub(crate) not_iri: bool,
    /// Anything that is not ASCII.
    pub(crate) non_ascii: bool,
}

/// Looks through the text of a link, its host left out.
pub(crate) fn survey(text: &str, host: Range<usize>) -> Survey {
    let mut survey = Survey::default();
    walk(text, host, |piece| match piece {
        Piece::Host | Piece::Plain(_) => {}
        Piece::StrayPercent => survey.stray_percent = true,
        Piece::Forbidden(_) => survey.forbidden = true,
        Piece::NonAscii(c, in_query) => {
            survey.non_ascii = true;
            survey.not_iri |= !is_iri_char(c, in_query);
        }
    });
    survey.non_ascii |= !text.is_ascii();
    survey
}

/// Appends the URI of `text`, with `mapped_host` in the place of its host.
pub(crate) fn push(out: &mut String, text: &str, host: Range<usize>, mapped_host: &str) {
    walk(text, host, |piece| match piece {
        Piece::Host => out.push_str(mapped_host),
        Piece::Plain(byte) => out.push(char::from(byte)),
        Piece::StrayPercent => out.push_str("%25"),
        Piece::Forbidden(byte) => push_encoded(out, byte),
        Piece::NonAscii(c, _) => {
            for &byte in c.encode_utf8(&mut [0; 4]).as_bytes() {
                push_encoded(out, byte);
            }
        }
    });
}

/// Appends a byte as a `pct-encoded` triplet.
pub(crate) fn push_encoded(out: &mut String, byte: u8) {
    const HEX: &[u8; 16] = b"0123456789ABCDEF";
    out.push('%');
    out.push(char::from(HEX[usize::from(byte >> 4)]));
    out.push(char::from(HEX[usize::from(byte & 15)]));
}

/// The octet of the `pct-encoded` triplet at `at`, if one stands there.
pub(crate) fn triplet(bytes: &[u8], at: usize) -> Option<u8> {
    let digit = |b: &u8| char::from(*b).to_digit(16).map(|d| d as u8);
    match bytes.get(at..at + 3)? {
        [b'%', high, low] => Some(digit(high)? << 4 | digit(low)?),
        _ => None,
    }
}

enum Piece {
    Host,
    Plain(u8),
    StrayPercent,
    Forbidden(u8),
    NonAscii(char, bool),
}

fn walk(text: &str, host: Range<usize>, mut give: impl FnMut(Piece)) {
    let bytes = text.as_bytes();
    let (mut in_query, mut in_fragment) = (false, false);
    let mut at = 0;
    while at < bytes.len() {
        if at == host.start && !host.is_empty() {
            give(Piece::Host);
            at = host.end;
            continue;
        }
        let byte = bytes[at];
        if !byte.is_ascii() {
            let c = text[at..].chars().next().unwrap_or(char::REPLACEMENT_CHARACTER);
            give(Piece::NonAscii(c, in_query && !in_fragment));
            at += c.len_utf8();
            continue;
        }
        give(match byte {
            b'%' if triplet(bytes, at).is_none() => Piece::StrayPercent,
            b'[' | b']' => Piece::Forbidden(byte),
            b'#' if in_fragment => Piece::Forbidden(byte),
            _ if !is_uri_byte(byte) => Piece::Forbidden(byte),
            _ => Piece::Plain(byte),
        });
        in_query |= byte == b'?';
        in_fragment |= byte == b'#';
        at += 1;
    }
}
