//! Decodes text from an encoding, and encodes queries (draft-ietf-iri-3987bis-07 §3.5).

use std::borrow::Cow;

use encoding_rs::{EncoderResult, UTF_8};

use crate::charset::{Charset, Layout};
use crate::iri::Octet;

impl Charset {
    /// Returns `true` for the encodings of Unicode, UTF-8 and UTF-16, for which IRIs are mapped without another encoding
    /// (RFC 3987 §3.1, step 1, variant c).
    ///
    /// ```
    /// let is_unicode = |label: &str| label.parse().map(linksift::Charset::is_unicode);
    /// assert_eq!(is_unicode("utf-16le"), Ok(true));
    /// assert_eq!(is_unicode("gb18030"), Ok(false));
    /// ```
    pub fn is_unicode(self) -> bool {
        self.encoding().output_encoding() == UTF_8
    }

    /// Returns `true` if it is UTF-8.
    pub(crate) fn is_utf8(self) -> bool {
        self.encoding() == UTF_8
    }

    /// Decodes stored bytes; malformed sequences become U+FFFD. The result is borrowed if possible. A byte order mark is a
    /// character like any other.
    ///
    /// ```
    /// let charset: linksift::Charset = "shift_jis".parse()?;
    /// assert_eq!(charset.decode(b"\x95\x5C.com"), "表.com");
    /// # Ok::<(), linksift::ParseCharsetError>(())
    /// ```
    pub fn decode(self, bytes: &[u8]) -> Cow<'_, str> {
        self.encoding().decode_without_bom_handling(bytes).0
    }

    /// Returns a text in this encoding; `None` if that lacks a character.
    pub(crate) fn encode(self, text: &str) -> Option<Cow<'_, [u8]>> {
        let bytes =
            |bytes: fn(u16) -> [u8; 2]| Cow::Owned(text.encode_utf16().flat_map(bytes).collect());
        match self.layout() {
            Some(Layout::Utf16Le) => Some(bytes(u16::to_le_bytes)),
            Some(Layout::Utf16Be) => Some(bytes(u16::to_be_bytes)),
            _ => {
                let (encoded, _, lacks_some) = self.encoding().encode(text);
                (!lacks_some).then_some(encoded)
            }
        }
    }

    /// Passes the octets of a query in this encoding to `give`, in order, as
    /// [`MapOptions::charset`](crate::iri::MapOptions::charset) requires: one character at a time through one encoder, so
    /// that the result of an encoding with states (ISO-2022-JP) is that for the complete query.
    ///
    /// ```
    /// use linksift::iri::{Iri, MapOptions};
    ///
    /// let charset: linksift::Charset = "shift_jis".parse()?;
    /// let encoder = |query: &str, give: &mut dyn FnMut(_)| charset.encode_query(query, give);
    /// let iri = Iri::parse("http://example.com/?q=表")?;
    /// assert_eq!(iri.to_uri_with(&MapOptions::new().charset(&encoder))?, "http://example.com/?q=%95%5C");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn encode_query(self, query: &str, give: &mut dyn FnMut(Octet)) {
        let mut encoder = self.encoding().new_encoder();
        // One character becomes at most an escape sequence and four octets.
        let mut buffer = [0; 16];
        for c in query.chars() {
            let mut utf8 = [0; 4];
            let (result, _, written) = encoder.encode_from_utf8_without_replacement(
                c.encode_utf8(&mut utf8),
                &mut buffer,
                false,
            );
            let octets = buffer.get(..written).unwrap_or_default();
            match octets.split_last() {
                // An ASCII character represents itself, possibly after a change of state.
                Some((&last, front)) if c.is_ascii() && last == c as u8 => {
                    front.iter().for_each(|&b| give(Octet::Encoded(b)));
                    give(Octet::Written(last));
                }
                _ => octets.iter().for_each(|&b| give(Octet::Encoded(b))),
            }
            if let EncoderResult::Unmappable(missing) = result {
                give(Octet::Missing(missing));
            }
        }
        let (_, _, written) = encoder.encode_from_utf8_without_replacement("", &mut buffer, true);
        buffer.iter().take(written).for_each(|&b| give(Octet::Encoded(b)));
    }
}
