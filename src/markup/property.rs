//! Calendars and cards (RFC 5545, RFC 6350, and the older vCard 2.1): unfolds their lines, and parses the properties on
//! them.
//!
//! A line end and one blank after it are removed before anything else, even before decoding, since a fold may be inside a
//! character. A soft line break of quoted-printable, which vCard 2.1 has, is removed with its `=`. Then a line is a name,
//! parameters and a value, whose encoding and content are determined.

use std::ops::Range;

use crate::context::ContextKind;
use crate::source_map::transfer::{QuotedPrintable, QuotedRules};
use crate::source_map::{PlacedBytes, SourceMap};

/// Maximum length in bytes of the name of a property; a context has no more of it.
const LONGEST_NAME: usize = 64;
/// Number of bytes of a line in which a parameter for quoted-printable is recognised.
const LONGEST_HEAD: usize = 1024;

/// Properties whose value is a URI, unless a parameter states otherwise.
const URIS: [&str; 22] = [
    "url",
    "attach",
    "source",
    "tzurl",
    "conference",
    "image",
    "impp",
    "fburl",
    "caluri",
    "caladruri",
    "capuri",
    "photo",
    "logo",
    "sound",
    "key",
    "member",
    "related",
    "attendee",
    "organizer",
    "link",
    "concept",
    "contact-uri",
];

/// Those of them that a program shows or plays with the event or the card.
const PLAYED: [&str; 4] = ["image", "photo", "logo", "sound"];

/// Properties whose value is an identifier: text in it that looks like an address is not one.
const IDENTIFIERS: [&str; 13] = [
    "uid",
    "related-to",
    "recurrence-id",
    "prodid",
    "clientpidmap",
    "refid",
    "x-wr-relcalid",
    "x-wr-alarmuid",
    "x-alarm-uid",
    "x-evolution-alarm-uid",
    "x-evolution-caldav-etag",
    "x-abuid",
    "x-uid",
];

/// Parameters that hold text or URIs; others hold keywords of the format.
const TELLING: [&str; 10] = [
    "altrep",
    "dir",
    "sent-by",
    "member",
    "delegated-from",
    "delegated-to",
    "email",
    "cn",
    "label",
    "linkrel",
];

/// Content of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    Text,
    /// A URI, if it has a scheme; otherwise text.
    Uri,
    /// A parameter: a URI, if it surely is one; otherwise text.
    Parameter,
    /// An identifier, possibly a URL.
    Identifier,
    Html,
}

/// A line; the ranges are offsets in the bytes that contain it.
#[derive(Clone, Debug)]
pub(crate) struct Property {
    /// The name in lower case; empty if the line is not a property.
    pub(crate) name: String,
    /// Values of each parameter that holds text or URIs.
    pub(crate) parameters: Vec<Range<usize>>,
    /// `None` if it is in base64.
    pub(crate) value: Option<Range<usize>>,
    pub(crate) holds: Holds,
    /// Value of the parameter `CHARSET`.
    pub(crate) charset: Option<Range<usize>>,
    pub(crate) is_quoted_printable: bool,
}

/// Returns the bytes from `start` on without folds and soft line breaks, the source map, and the number of lines.
pub(crate) fn unfold(stored: &[u8], start: usize) -> (Vec<u8>, SourceMap, usize) {
    let (mut text, mut map) = (Vec::with_capacity(stored.len() - start), SourceMap::default());
    let (mut done, mut at, mut lines) = (start, start, 0);
    // Where the line begins in the text, and whether its value is in quoted-printable, if that was determined.
    let (mut line, mut is_soft) = (0, None);
    map.copied(0, start);
    while let Some(found) = memchr::memchr2(b'\r', b'\n', &stored[at..]) {
        let end = at + found;
        let next = end + if stored[end..].starts_with(b"\r\n") { 2 } else { 1 };
        text.extend_from_slice(&stored[done..end]);
        let is_fold = matches!(stored.get(next), Some(b' ' | b'\t'));
        // Check only the line that ends here, not the `=` that an earlier line break has left.
        let is_break = stored[done..end].ends_with(b"=")
            && *is_soft.get_or_insert_with(|| is_quoted_printable(&text[line..]));
        if is_break || is_fold {
            text.truncate(text.len() - usize::from(is_break));
            done = next + usize::from(!is_break);
            map.copied(text.len(), done);
        } else {
            // Every line end becomes one byte.
            map.replaced(text.len(), end..next);
            text.push(b'\n');
            map.copied(text.len(), next);
            (line, is_soft, done, lines) = (text.len(), None, next, lines + 1);
        }
        at = done;
    }
    text.extend_from_slice(&stored[done..]);
    (text, map, lines + 1)
}

/// Returns `true` if the parameters of a line state that its value is in quoted-printable.
fn is_quoted_printable(line: &[u8]) -> bool {
    has_word(line, b"quoted-printable")
}

/// Returns `true` if a line names its encoding.
pub(crate) fn names_charset(line: &[u8]) -> bool {
    has_word(line, b"charset")
}

/// Returns `true` if a word is among the parameters of a line, as a name or a value.
fn has_word(line: &[u8], wanted: &[u8]) -> bool {
    let head = &line[..line.len().min(LONGEST_HEAD)];
    let head = head.split(|byte| *byte == b':').next().unwrap_or_default();
    head.split(|byte| matches!(byte, b';' | b'='))
        .any(|word| word.trim_ascii().eq_ignore_ascii_case(wanted))
}

impl Property {
    /// Returns the kind of the context of the property's links.
    pub(crate) fn kind(&self) -> ContextKind {
        match self.holds {
            _ if PLAYED.contains(&self.name.as_str()) => ContextKind::Embedded,
            Holds::Uri => ContextKind::DocumentLink,
            Holds::Text | Holds::Html => ContextKind::DocumentText,
            Holds::Parameter | Holds::Identifier => ContextKind::Other,
        }
    }

    /// Parses the property on a line of `bytes`.
    pub(crate) fn of(bytes: &[u8], line: Range<usize>) -> Property {
        let mut property = Property {
            name: String::new(),
            parameters: Vec::new(),
            value: Some(line.clone()),
            holds: Holds::Text,
            charset: None,
            is_quoted_printable: false,
        };
        let text = &bytes[line.clone()];
        let is_of_name =
            |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_');
        let len = text.iter().take(LONGEST_NAME + 1).take_while(|byte| is_of_name(byte)).count();
        let is_url = text[len..].starts_with(b"://");
        if len == 0 || is_url || !matches!(text.get(len), Some(b':' | b';')) {
            return property;
        }
        let Some(colon) = colon(&text[len..]).map(|colon| len + colon) else { return property };
        let name = text[..len].rsplit(|byte| *byte == b'.').next().unwrap_or_default();
        property.name = String::from_utf8_lossy(name).to_ascii_lowercase();
        property.value = Some(line.start + colon + 1..line.end);
        let mut said = None;
        for parameter in pieces(bytes, line.start + colon.min(len + 1)..line.start + colon, b';') {
            property.note(bytes, parameter, &mut said);
        }
        let name = property.name.as_str();
        property.holds = match said {
            _ if IDENTIFIERS.contains(&name) => Holds::Identifier,
            // This is the type of the document that the URI leads to.
            Some(Holds::Html) if URIS.contains(&name) => Holds::Uri,
            Some(holds) => holds,
            None if URIS.contains(&name) => Holds::Uri,
            None => Holds::Text,
        };
        property
    }

    /// Evaluates a parameter.
    fn note(&mut self, bytes: &[u8], parameter: Range<usize>, said: &mut Option<Holds>) {
        let text = &bytes[parameter.clone()];
        let equals = memchr::memchr(b'=', text);
        let name = text[..equals.unwrap_or(0)].trim_ascii().to_ascii_lowercase();
        let start = parameter.start + equals.map_or(0, |at| at + 1);
        let value = bytes[start..parameter.end].trim_ascii();
        let is = |wanted: &str| value.eq_ignore_ascii_case(wanted.as_bytes());
        match &name[..] {
            // vCard 2.1 omits the parameter's name.
            b"encoding" | b"" if is("quoted-printable") => self.is_quoted_printable = true,
            b"encoding" | b"" if is("base64") || is("b") => self.value = None,
            b"charset" => self.charset = Some(start..parameter.end),
            b"value" if is("uri") || is("url") => *said = Some(Holds::Uri),
            b"value" if is("text") => *said = said.or(Some(Holds::Text)),
            b"fmttype" if is("text/html") && *said != Some(Holds::Uri) => *said = Some(Holds::Html),
            name if name.starts_with(b"x-") || TELLING.iter().any(|one| one.as_bytes() == name) => {
                self.parameters.extend(pieces(bytes, start..parameter.end, b',').map(|piece| {
                    let text = &bytes[piece.clone()];
                    let is_quoted =
                        text.len() > 1 && text.starts_with(b"\"") && text.ends_with(b"\"");
                    piece.start + usize::from(is_quoted)..piece.end - usize::from(is_quoted)
                }));
            }
            _ => {}
        }
    }
}

/// Decodes a value in quoted-printable, with a source map: `=XX` is one byte, all others represent themselves.
pub(crate) fn unquoted(value: &[u8]) -> (Vec<u8>, SourceMap) {
    let (mut text, mut map) = (Vec::with_capacity(value.len()), SourceMap::default());
    let mut sink = PlacedBytes { out: &mut text, map: &mut map };
    QuotedPrintable::new(QuotedRules::Value).step(value, 0, true, &mut sink);
    (text, map)
}

/// Returns the offset of the first colon outside quotation marks; if they are never closed, of the first colon.
fn colon(text: &[u8]) -> Option<usize> {
    let mut is_quoted = false;
    let found = text.iter().position(|byte| {
        is_quoted ^= *byte == b'"';
        *byte == b':' && !is_quoted
    });
    found.or_else(|| memchr::memchr(b':', text))
}

/// Returns the ranges between separators that are outside quotation marks.
fn pieces(bytes: &[u8], range: Range<usize>, separator: u8) -> impl Iterator<Item = Range<usize>> {
    let mut rest = Some(range);
    std::iter::from_fn(move || {
        let range = rest.take()?;
        let mut is_quoted = false;
        let len = bytes[range.clone()].iter().position(|byte| {
            is_quoted ^= *byte == b'"';
            *byte == separator && !is_quoted
        });
        let end = len.map_or(range.end, |len| range.start + len);
        rest = len.map(|_| end + 1..range.end);
        Some(range.start..end)
    })
}

/// Returns `true` if a text looks like a URI: it has a scheme, and no white space. A scheme with a dot is rather a host
/// before a port.
pub(crate) fn is_uri(text: &str) -> bool {
    let Some((scheme, _)) = text.split_once(':') else { return false };
    scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-'))
        && !text.contains(char::is_whitespace)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn unfolded(text: &str) -> String {
        let (text, map, lines) = unfold(text.as_bytes(), 0);
        assert_eq!(lines, text.split(|byte| *byte == b'\n').count());
        assert!((0..text.len()).all(|at| map.edges(&text, at).start >= at));
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn folds_and_soft_breaks() {
        for (text, wanted) in [
            ("URL:ab\r\n cd\r\nX:y", "URL:abcd\nX:y"),
            ("URL:ab\n\tcd\n  e\n", "URL:abcd e\n"),
            ("URL:ab\r c\r\n\r\nd", "URL:abc\n\nd"),
            ("N;ENCODING=QUOTED-PRINTABLE:a=\r\nb=\n c\nd", "N;ENCODING=QUOTED-PRINTABLE:ab c\nd"),
            ("N;quoted-printable:a=\r\nb", "N;quoted-printable:ab"),
            ("N:a=\r\nb:=\n c", "N:a=\nb:=c"),
            ("N;quoted-printable:==\r\n\r\nb", "N;quoted-printable:=\nb"),
            ("", ""),
        ] {
            assert_eq!(unfolded(text), wanted, "{text:?}");
        }
    }

    #[test]
    fn lines_are_taken_apart() {
        let of = |line: &str| Property::of(line.as_bytes(), 0..line.len());
        for (line, name, value, holds) in [
            ("URL:http://e.com/", "url", "http://e.com/", Holds::Uri),
            ("item1.URL;TYPE=x:http://e.com/", "url", "http://e.com/", Holds::Uri),
            ("A;B=\"c:d;e\":f", "a", "f", Holds::Text),
            ("A;B=\"c:d", "a", "d", Holds::Text),
            ("TEL;VALUE=uri:tel:+1", "tel", "tel:+1", Holds::Uri),
            ("URL;VALUE=TEXT:x", "url", "x", Holds::Text),
            ("UID;VALUE=URI:a@b.example", "uid", "a@b.example", Holds::Identifier),
            ("X-ALT-DESC;FMTTYPE=text/html:<p>", "x-alt-desc", "<p>", Holds::Html),
            ("http://e.com/", "", "http://e.com/", Holds::Text),
            ("see this: x", "", "see this: x", Holds::Text),
            ("", "", "", Holds::Text),
        ] {
            let property = of(line);
            let found = property.value.map(|value| &line[value]);
            assert_eq!(
                (property.name.as_str(), found, property.holds),
                (name, Some(value), holds),
                "{line}"
            );
        }
        assert_eq!(of("PHOTO;ENCODING=b:AAAA").value, None);
        let line = "ATTENDEE;MEMBER=\"mailto:a@e.com\",\"mailto:b@e.com\";TYPE=x:mailto:c@e.com";
        let texts: Vec<_> = of(line).parameters.into_iter().map(|one| &line[one]).collect();
        assert_eq!(texts, ["mailto:a@e.com", "mailto:b@e.com"]);
    }
}
