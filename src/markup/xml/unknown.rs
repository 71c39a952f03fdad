//! Values of unknown meaning: an absolute IRI, running text, or escaped markup, as the contents of elements have (`<row
//! Body="&lt;a href=…" AboutMe="see http://…"/>`).

use crate::markup::fragment::is_html;
use crate::markup::{Grammar, Rules};
use crate::tables::schemes::{self, SchemeShape};

/// Attributes that name kinds, parts and styles of elements, and namespaces, in any vocabulary.
const NAMES: [&[u8]; 4] = [b"class", b"id", b"style", b"schemaLocation"];

/// Returns the grammar of such an attribute's value; `None` if it is a word, a number or a name.
pub(super) fn held(name: &[u8], value: &[u8]) -> Option<Grammar> {
    if is_absolute(value) {
        return Some(Grammar::AbsoluteOnly);
    }
    if !may_be_text(name) {
        return None;
    }
    let value = value.trim_ascii();
    match value {
        _ if is_html(value, Rules::Xml) => Some(Grammar::Fragment),
        _ if holds_text(value) => Some(Grammar::Running),
        _ => None,
    }
}

/// Returns `true` if an attribute with this name may hold text.
pub(super) fn may_be_text(name: &[u8]) -> bool {
    !NAMES.iter().any(|known| known.eq_ignore_ascii_case(name))
}

/// Returns `true` if the bytes contain a sign that every link in text has: a colon, an at sign, a reference, or a dot
/// before a letter.
pub(super) fn has_sign(bytes: &[u8]) -> bool {
    let is_dot = |two: &[u8]| two[0] == b'.' && two[1] >= b'A';
    memchr::memchr3(b':', b'@', b'&', bytes).is_some() || bytes.windows(2).any(is_dot)
}

/// Returns `true` for more than one word, or a URL in one word, with such a sign.
fn holds_text(value: &[u8]) -> bool {
    let is_text = || {
        value.iter().any(u8::is_ascii_whitespace)
            || ["://", "&#"]
                .iter()
                .any(|part| memchr::memmem::find(value, part.as_bytes()).is_some())
    };
    has_sign(value) && is_text()
}

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
    fn text_markup_and_names() {
        for (value, what) in [
            ("&lt;p&gt;see &lt;a href=&quot;/x&quot;&gt;", Some(Grammar::Fragment)),
            ("see &lt;b&gt;x&lt;/b&gt;", Some(Grammar::Fragment)),
            ("&#60;BR/&#62;", Some(Grammar::Fragment)),
            ("&#x3C;h2 id='a'>", Some(Grammar::Fragment)),
            ("a &lt;script&gt; tag: http://e.com/", Some(Grammar::Running)),
            ("List&lt;String&gt;", None),
            ("a &lt; b &amp;&amp; c", Some(Grammar::Running)),
            ("see http://e.com/", Some(Grammar::Running)),
            ("open('http://e.com/')", Some(Grammar::Running)),
            ("one&#10;e.com", Some(Grammar::Running)),
            ("a b example.com", Some(Grammar::Running)),
            ("http://e.com/", Some(Grammar::AbsoluteOnly)),
            ("example.com", None),
            ("me@example.com", None),
            ("two words", None),
            ("1.5 2.5 3.5", None),
            ("", None),
        ] {
            assert_eq!(held(b"a", value.as_bytes()), what, "{value}");
        }
        assert_eq!(held(b"Class", b"see http://e.com/"), None);
    }

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
