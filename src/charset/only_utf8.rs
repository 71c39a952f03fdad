//! UTF-8 only: replaces the module of encodings in builds without the feature `documents`, with the same functions.

use std::borrow::Cow;

use super::evidence::{
    Bom, CharsetSource, DeclaredEncoding, Detected, EncodingHints, UndecodableError,
};
use super::utf8::{Utf8Validity, judged, verdict};
use super::{Charset, Extent};
use crate::iri::Octet;

/// The only encoding.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) struct Encoding;

/// The labels of UTF-8 (Encoding Standard §4.2).
const LABELS: [&str; 6] =
    ["utf-8", "utf8", "unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "x-unicode20utf8"];

impl Charset {
    /// UTF-8.
    pub const UTF_8: Charset = Charset { encoding: &Encoding };

    /// Returns the name of the encoding in the WHATWG Encoding Standard, in lower case.
    pub fn as_str(self) -> &'static str {
        "utf-8"
    }

    /// Returns `true`, since UTF-8 is an encoding of Unicode.
    pub fn is_unicode(self) -> bool {
        true
    }

    /// Returns `false`, since there is no UTF-16.
    pub(crate) fn is_utf16(self) -> bool {
        false
    }

    /// Decodes stored bytes; malformed sequences become U+FFFD. The result is borrowed if possible. A byte order mark is a
    /// character like any other.
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        String::from_utf8_lossy(bytes)
    }

    /// Returns a text in UTF-8.
    pub(crate) fn encode(self, text: &str) -> Option<Cow<'_, [u8]>> {
        Some(text.as_bytes().into())
    }

    /// Passes the octets of a query in UTF-8 to `give`.
    pub fn encode_query(self, query: &str, give: &mut dyn FnMut(Octet)) {
        for byte in query.bytes() {
            give(if byte.is_ascii() { Octet::Written(byte) } else { Octet::Encoded(byte) });
        }
    }

    pub(super) fn of_bom(bom: Bom) -> Option<Charset> {
        (bom == Bom::Utf8).then_some(Charset::UTF_8)
    }

    pub(super) fn for_label(label: &str) -> Option<Charset> {
        let wanted = label.trim_matches(|c: char| c.is_ascii_whitespace());
        LABELS.iter().any(|known| known.eq_ignore_ascii_case(wanted)).then_some(Charset::UTF_8)
    }
}

/// Returns `false`: all text is UTF-8, whatever it declares.
pub(crate) fn may_have_mode_line(_: &[u8]) -> bool {
    false
}

pub(super) fn declared(
    _: &[u8],
    _: Extent,
    _: &EncodingHints<'_>,
) -> Result<DeclaredEncoding, UndecodableError> {
    Ok(DeclaredEncoding::Nothing { unknown_label: None })
}

pub(super) fn by_content(
    start: &[u8],
    extent: Extent,
    _: &EncodingHints<'_>,
    _: &dyn Fn(&[u8]) -> bool,
) -> Result<Detected, UndecodableError> {
    let (judged, extent) = judged(start, extent);
    let source = match verdict(judged, extent) {
        Utf8Validity::Other => CharsetSource::Default,
        _ => CharsetSource::Utf8,
    };
    Ok(Detected::new(Charset::UTF_8, source))
}
