//! Decides whether a complete value of unknown meaning is an absolute IRI.

use crate::tables::schemes::{self, SchemeShape};

/// Returns `true` if the text after the colon distinguishes a scheme without `//` from the prefix of a qualified name.
fn has_shape(rest: &[u8], shape: SchemeShape) -> bool {
    match shape {
        SchemeShape::At => memchr::memchr(b'@', rest).is_some(),
        SchemeShape::Colon => memchr::memchr(b':', rest).is_some(),
        SchemeShape::Comma => memchr::memchr(b',', rest).is_some(),
        SchemeShape::Query => rest.starts_with(b"?"),
        SchemeShape::Number => {
            rest.first().is_some_and(|byte| byte.is_ascii_digit() || matches!(byte, b'+' | b'-'))
        }
    }
}

/// Returns `true` if `value` begins like an absolute IRI of a known scheme, and has no white space.
pub(super) fn is_absolute(value: &[u8]) -> bool {
    let value = value.trim_ascii();
    // The longest known scheme is much shorter.
    let Some(colon) = memchr::memchr(b':', &value[..value.len().min(64)]) else { return false };
    let (scheme, rest) = (&value[..colon], &value[colon + 1..]);
    let is_iri = match rest.strip_prefix(b"//") {
        Some(rest) => !rest.is_empty() && schemes::is_known(scheme),
        None => {
            let shape = schemes::row(scheme).and_then(|row| row.shape);
            shape.is_some_and(|shape| has_shape(rest, shape))
        }
    };
    is_iri && !value.iter().any(|byte| byte.is_ascii_whitespace())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn absolute_as_a_whole() {
        for value in [
            "http://example.com/",
            " HTTPS://例え.jp/パス\n",
            "mailto:a@example.com",
            "urn:isbn:0451450523",
            "tel:+1-201-555-0123",
            "data:,x",
            "file:///etc/hosts",
        ] {
            assert!(is_absolute(value.as_bytes()), "{value}");
        }
        for value in [
            "",
            "a",
            "xs:string",
            "geo:lat",
            "data:table",
            "urn:x",
            "see http://example.com/",
            "http://example.com/ now",
            "http://",
            "nonsense://example.com/",
            "//example.com/",
            "12:30:00",
        ] {
            assert!(!is_absolute(value.as_bytes()), "{value}");
        }
    }
}
