//! Calendars and cards (RFC 5545, RFC 6350, and vCard 2.1 before them): lines that are folded, and the properties on them.
//!
//! A line end and one blank after it go before anything else is looked at, the charset too: a fold may be inside a
//! character. A soft break of quoted-printable, which vCard 2.1 has, goes with its `=`. Then a line is a name, parameters
//! and a value, of which is said how it is written and what it holds.

use std::ops::Range;

use crate::source_map::transfer::{QuotedPrintable, QuotedRules};
use crate::source_map::{PlacedBytes, SourceMap};

/// The name of a property is no longer, and a context has no more of it.
const LONGEST_NAME: usize = 64;
/// Parameters of a line are looked at so far to know that its value is in quoted-printable.
const LONGEST_HEAD: usize = 1024;

/// Properties whose value is a URI, unless it says something else.
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

/// Properties whose value identifies something: what looks like an address in it is none.
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

/// Parameters that hold text or URIs; others are words of the format.
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
    /// Identifier, perhaps a URL.
    Identifier,
    Html,
}

/// A line: ranges are those of the bytes that it is in.
#[derive(Clone, Debug)]
pub(crate) struct Property {
    /// The name in lower case; empty of a line that is no property.
    pub(crate) name: String,
    /// Values of each parameter that holds text or URIs.
    pub(crate) parameters: Vec<Range<usize>>,
    /// `None`, if it is in base64.
    pub(crate) value: Option<Range<usize>>,
    pub(crate) holds: Holds,
    /// The label of `CHARSET`.
    pub(crate) charset: Option<Range<usize>>,
    pub(crate) is_quoted_printable: bool,
}

/// The bytes without folds and soft breaks, which begin at `start`, with where they are in all; how many lines there are.
pub(crate) fn unfold(stored: &[u8], start: usize) -> (Vec<u8>, SourceMap, usize) {
    let (mut text, mut map) = (Vec::with_capacity(stored.len() - start), SourceMap::default());
    let (mut done, mut at, mut lines) = (start, start, 0);
    // Where the line begins in the text, and whether its value is in quoted-printable, once that was asked.
    let (mut line, mut is_soft) = (0, None);
    map.copied(0, start);
    while let Some(found) = memchr::memchr2(b'\r', b'\n', &stored[at..]) {
        let end = at + found;
        let next = end + if stored[end..].starts_with(b"\r\n") { 2 } else { 1 };
        text.extend_from_slice(&stored[done..end]);
        let is_fold = matches!(stored.get(next), Some(b' ' | b'\t'));
        // Of the line that ends here, not what an earlier break has left.
        let is_break = stored[done..end].ends_with(b"=")
            && *is_soft.get_or_insert_with(|| is_quoted_printable(&text[line..]));
        if is_break || is_fold {
            text.truncate(text.len() - usize::from(is_break));
            done = next + usize::from(!is_break);
            map.copied(text.len(), done);
        } else {
            // The line's end is one byte, whichever it was.
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

/// Whether the parameters of a line say so.
fn is_quoted_printable(line: &[u8]) -> bool {
    has_word(line, b"quoted-printable")
}

/// Whether a line says which charset it is in.
pub(crate) fn names_charset(line: &[u8]) -> bool {
    has_word(line, b"charset")
}

/// Whether a word is one of the parameters of a line, its name or its value.
fn has_word(line: &[u8], wanted: &[u8]) -> bool {
    let head = &line[..line.len().min(LONGEST_HEAD)];
    let head = head.split(|byte| *byte == b':').next().unwrap_or_default();
    head.split(|byte| matches!(byte, b';' | b'='))
        .any(|word| word.trim_ascii().eq_ignore_ascii_case(wanted))
}

impl Property {
    /// The property on a line of `bytes`.
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
            // The type of what is there.
            Some(Holds::Html) if URIS.contains(&name) => Holds::Uri,
            Some(holds) => holds,
            None if URIS.contains(&name) => Holds::Uri,
            None => Holds::Text,
        };
        property
    }

    /// Notes what a parameter says.
    fn note(&mut self, bytes: &[u8], parameter: Range<usize>, said: &mut Option<Holds>) {
        let text = &bytes[parameter.clone()];
        let equals = memchr::memchr(b'=', text);
        let name = text[..equals.unwrap_or(0)].trim_ascii().to_ascii_lowercase();
        let start = parameter.start + equals.map_or(0, |at| at + 1);
        let value = bytes[start..parameter.end].trim_ascii();
        let is = |wanted: &str| value.eq_ignore_ascii_case(wanted.as_bytes());
        match &name[..] {
            // vCard 2.1 leaves the name out.
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

/// The bytes that a value in quoted-printable stands for, with where they are in it: `=XX` is one, all else is itself.
pub(crate) fn unquoted(value: &[u8]) -> (Vec<u8>, SourceMap) {
    let (mut text, mut map) = (Vec::with_capacity(value.len()), SourceMap::default());
    let mut sink = PlacedBytes { out: &mut text, map: &mut map };
    QuotedPrintable::new(QuotedRules::Value).step(value, 0, true, &mut sink);
    (text, map)
}

/// Where the colon is that is in no quotation marks; with marks that are never closed the first one.
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

/// Whether a text is a URI as far as that can be seen: a scheme, and no white space. A scheme with a dot is rather a host
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
