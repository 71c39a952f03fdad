//! A document's charset for the IRI commands: queries into its octets, lines out of them.

use encoding_rs::{EncoderResult, Encoding, UTF_8};
use linksift::iri::Octet;

/// A charset by its WHATWG label; one that has no encoder is refused.
pub(crate) fn parse(label: &str) -> Result<&'static Encoding, String> {
    match Encoding::for_label_no_replacement(label.as_bytes()) {
        Some(encoding) => Ok(encoding),
        None => Err(format!("unknown charset: {label}")),
    }
}

/// Whether the charset is one of Unicode's, where mapping knows no charset (RFC 3987 §3.1, 1c).
pub(crate) fn is_unicode(encoding: &'static Encoding) -> bool {
    encoding.output_encoding() == UTF_8
}

/// Gives the octets of a query, one character after the other through one encoder, so that a
/// charset with states (ISO-2022-JP) is encoded as the whole it is.
pub(crate) fn encode(encoding: &'static Encoding, query: &str, give: &mut dyn FnMut(Octet)) {
    let mut encoder = encoding.new_encoder();
    // An escape sequence and four octets are the most that one character becomes.
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
            // An ASCII character is itself, perhaps behind a change of state.
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
