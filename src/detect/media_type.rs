//! Parses media types and their parameters: `type/subtype; name=value` (RFC 2045 §5.1, RFC 2231, RFC 9110 §8.3.1).

use std::borrow::Cow;
use std::ops::Range;

use crate::iri::chars::hex_value;

/// Returns the value up to its first `;` or `,` or the next word, without blanks and comments: `text/plain`. They may
/// also be around its `/`.
pub(crate) fn first_word(value: &[u8]) -> Cow<'_, str> {
    let is_end = |b: &u8| ENDS_WORD[usize::from(*b)];
    let (word, rest) = split_word(after_comments(value), is_end);
    if matches!(rest, [] | [b';', ..]) {
        return lossy(word);
    }
    let rest = after_comments(rest);
    match (word.strip_suffix(b"/"), rest.strip_prefix(b"/")) {
        // Both is a type without a subtype.
        (None, None) | (Some(_), Some(_)) => lossy(word),
        (kind, subtype) => {
            let (kind, subtype) = (kind.unwrap_or(word), subtype.unwrap_or(rest));
            let (subtype, _) = split_word(after_comments(subtype), is_end);
            let whole = [kind, b"/", subtype].concat();
            Cow::Owned(String::from_utf8_lossy(&whole).into_owned())
        }
    }
}

/// Bytes that end a word of a type: controls, blanks and the separators of a list, of parameters and of comments.
static ENDS_WORD: [bool; 256] = {
    let mut ends = [false; 256];
    let mut byte = 0;
    while byte <= 0x7F {
        ends[byte] = matches!(byte as u8, b';' | b',' | b'(' | 0..=b' ' | 0x7F);
        byte += 1;
    }
    ends
};

/// Returns `true` if the type of a value begins with a prefix in lower case. Most values begin with another letter.
#[inline]
pub(crate) fn is_of(value: &[u8], prefix: &str) -> bool {
    let first = value.trim_ascii_start().first().map_or(0, u8::to_ascii_lowercase);
    let may_be = first == b'(' || Some(&first) == prefix.as_bytes().first();
    let is_it = |word: &str| {
        word.get(..prefix.len()).is_some_and(|front| front.eq_ignore_ascii_case(prefix))
    };
    may_be && is_it(&first_word(value))
}

/// Returns the text of bytes, nearly all of which are well-formed UTF-8: the search for malformed sequences goes byte by byte.
pub(crate) fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    std::str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed)
}

/// Splits a text at the first byte that ends a word.
fn split_word(text: &[u8], is_end: impl FnMut(&u8) -> bool) -> (&[u8], &[u8]) {
    text.split_at(text.iter().position(is_end).unwrap_or(text.len()))
}

/// Returns a value without the comments and blanks that it begins with.
pub(crate) fn after_comments(value: &[u8]) -> &[u8] {
    let mut value = value.trim_ascii();
    while let Some(rest) = value.strip_prefix(b"(") {
        value = after_comment(rest).trim_ascii_start();
    }
    value
}

/// Returns the value of a parameter, in any letter case of its name; pieces according to RFC 2231 are joined and
/// percent-decoded. They precede a value without pieces, which is for programs that do not know them (RFC 8187 §3.2.1).
pub(crate) fn parameter<'v>(value: &'v [u8], wanted: &str) -> Option<Cow<'v, [u8]>> {
    parameter_place(value, wanted).map(|(text, _)| text)
}

/// Returns the value of a parameter as [`parameter`] does, and the range of the text in which it is stored, without quotes
/// around it, from the first of its pieces to the last.
pub(crate) fn parameter_place<'v>(
    value: &'v [u8],
    wanted: &str,
) -> Option<(Cow<'v, [u8]>, Range<usize>)> {
    let mut pieces: Vec<ParameterPiece<'v>> = Vec::new();
    let (mut plain, mut rest) = (None, after_word(value));
    while let Some(ParsedParameter { name, text, stored, after, rest: next }) = next_parameter(rest)
    {
        rest = next;
        let end = value.len() - after.len();
        let place = end - stored..end;
        if name.eq_ignore_ascii_case(wanted.as_bytes()) {
            // Nearly no parameter comes in pieces. This is asked once, since the parameter may come again and again.
            if plain.is_none() && pieces.is_empty() && !rest.contains(&b'*') {
                return Some((text, place));
            }
            plain = plain.or(Some((text, place)));
            continue;
        }
        let Some(tail) = name
            .get(..wanted.len())
            .filter(|start| start.eq_ignore_ascii_case(wanted.as_bytes()))
            .and_then(|_| name[wanted.len()..].strip_prefix(b"*"))
        else {
            continue;
        };
        let (number, is_encoded) = match tail.strip_suffix(b"*") {
            Some(number) => (number, true),
            // `name*=` is a single encoded piece.
            None => (tail, tail.is_empty()),
        };
        let number = match number.is_empty() {
            true => Some(0),
            false => std::str::from_utf8(number).ok().and_then(|number| number.parse().ok()),
        };
        if let Some(number) = number {
            pieces.push(ParameterPiece { number, is_encoded, text, place });
        }
    }
    if pieces.is_empty() || plain.is_some() && !pieces.iter().any(|piece| piece.number == 0) {
        return plain;
    }
    pieces.sort_by_cached_key(|piece| piece.number);
    pieces.dedup_by_key(|piece| piece.number);
    let (mut whole, mut place) = (Vec::new(), pieces[0].place.clone());
    for (at, piece) in pieces.iter().enumerate() {
        if piece.number != at {
            break;
        }
        place = place.start.min(piece.place.start)..place.end.max(piece.place.end);
        let mut text: &[u8] = &piece.text;
        if at == 0 && piece.is_encoded {
            // `charset'language'text`.
            let mut quotes = memchr::memchr_iter(b'\'', text);
            if let (Some(_), Some(second)) = (quotes.next(), quotes.next()) {
                text = &text[second + 1..];
            }
        }
        match piece.is_encoded {
            true => push_decoded(text, &mut whole),
            false => whole.extend_from_slice(text),
        }
    }
    Some((Cow::Owned(whole), place))
}

/// Piece of a value (RFC 2231 §3).
struct ParameterPiece<'v> {
    number: usize,
    is_encoded: bool,
    text: Cow<'v, [u8]>,
    /// Range of the text in which it is stored.
    place: Range<usize>,
}

fn push_decoded(text: &[u8], out: &mut Vec<u8>) {
    let mut at = 0;
    while let Some(byte) = text.get(at) {
        let digits = text.get(at + 1..at + 3).map(|d| (hex_value(d[0]), hex_value(d[1])));
        match (byte, digits) {
            (b'%', Some((Some(high), Some(low)))) => {
                out.push(high << 4 | low);
                at += 3;
            }
            _ => {
                out.push(*byte);
                at += 1;
            }
        }
    }
}

/// Returns the text after the first `;` outside comments.
fn after_word(value: &[u8]) -> &[u8] {
    let mut rest = value;
    loop {
        match memchr::memchr2(b';', b'(', rest) {
            None => return &[],
            Some(at) if rest[at] == b';' => return &rest[at + 1..],
            Some(at) => rest = after_comment(&rest[at + 1..]),
        }
    }
}

/// Returns the text after a comment whose `(` was read.
fn after_comment(text: &[u8]) -> &[u8] {
    comment_len(text).map_or(&[], |len| &text[len..])
}

/// Returns the length in bytes of a comment whose `(` was read, if it is closed; comments nest (RFC 5322 §3.2.2).
pub(crate) fn comment_len(text: &[u8]) -> Option<usize> {
    let (mut depth, mut at) = (1, 0);
    while depth > 0 {
        match text.get(at)? {
            b'(' => depth += 1,
            b')' => depth -= 1,
            b'\\' => at += 1,
            _ => {}
        }
        at += 1;
    }
    Some(at.min(text.len()))
}

/// Parameter of a media type.
struct ParsedParameter<'v> {
    name: &'v [u8],
    text: Cow<'v, [u8]>,
    /// Length in bytes of the value as it is stored, without quotes around it.
    stored: usize,
    /// Text after these bytes.
    after: &'v [u8],
    /// Text after the parameter.
    rest: &'v [u8],
}

/// Parses the first parameter of a text.
fn next_parameter(mut text: &[u8]) -> Option<ParsedParameter<'_>> {
    loop {
        text = after_comments(text);
        if let b';' | b'=' = text.first()? {
            text = &text[1..];
            continue;
        }
        let is_end = |b: &u8| matches!(b, b'=' | b';' | b' ' | b'\t' | b'\r' | b'\n' | b'(');
        let (name, rest) = split_word(text, is_end);
        let rest = after_comments(rest);
        let Some(rest) = rest.strip_prefix(b"=") else {
            if rest.is_empty() {
                return None;
            }
            // A word without a value.
            text = rest;
            continue;
        };
        let rest = after_comments(rest);
        let Some(quoted) = rest.strip_prefix(b"\"") else {
            let is_end = |b: &u8| matches!(b, b';' | b' ' | b'\t' | b'\r' | b'\n' | b'(');
            let (value, rest) = split_word(rest, is_end);
            let (text, stored) = (Cow::Borrowed(value), value.len());
            return Some(ParsedParameter { name, text, stored, after: rest, rest });
        };
        let (text, stored) = quoted_text(quoted);
        let after = &quoted[stored..];
        let rest = after.get(1..).unwrap_or_default();
        return Some(ParsedParameter { name, text, stored, after, rest });
    }
}

/// Returns the value of a quoted string whose first `"` was read, and its length in bytes up to its last `"`.
pub(crate) fn quoted_text(text: &[u8]) -> (Cow<'_, [u8]>, usize) {
    match memchr::memchr2(b'"', b'\\', text) {
        None => return (Cow::Borrowed(text), text.len()),
        Some(at) if text[at] == b'"' && !text[..at].contains(&b'\n') => {
            return (Cow::Borrowed(&text[..at]), at);
        }
        _ => {}
    }
    let mut value = Vec::new();
    let mut bytes = text.iter().enumerate();
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'"' => return (Cow::Owned(value), at),
            // The line end of a fold is not part of the value.
            b'\r' | b'\n' => {}
            b'\\' => value.extend(bytes.next().map(|(_, byte)| *byte)),
            byte => value.push(*byte),
        }
    }
    (Cow::Owned(value), text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn get(value: &str, name: &str) -> Option<String> {
        let found = parameter(value.as_bytes(), name)?;
        Some(String::from_utf8_lossy(&found).into_owned())
    }

    #[test]
    fn parameters_are_read_as_people_write_them() {
        let is = |text: &str| Some(text.to_owned());
        assert_eq!(get(" text/plain; charset=utf-8", "charset"), is("utf-8"));
        assert_eq!(get("text/plain (a;b=c); CHARSET = \"utf-8\" (x)", "charset"), is("utf-8"));
        assert_eq!(get("a/b; charset (c) = (d(e)) utf-8;", "charset"), is("utf-8"));
        assert_eq!(get("a/b; name=\"a\\\"b\"; boundary=\"x y\"", "boundary"), is("x y"));
        assert_eq!(get("a/b; x; =; y=; boundary=z", "boundary"), is("z"));
        assert_eq!(get("a/b;boundary=\"open", "boundary"), is("open"));
        assert_eq!(get("a/b; name*0*=utf-8''%D1%84; name*1=.eml", "name"), is("ф.eml"));
        assert_eq!(get("a/b; name*1=b; name*0=a", "name"), is("ab"));
        assert_eq!(get("a/b; name*=latin1'de'%41", "name"), is("A"));
        assert_eq!(get("a/b; name*2=b", "name"), is(""));
        assert_eq!(get("a/b; name=a; name*=us-ascii''b; name=c", "name"), is("b"));
        assert_eq!(get("a/b; name*1=b; name=a", "name"), is("a"));
        assert_eq!(get("a/b; name=a; name=b", "name"), is("a"));
        assert_eq!(get("a/b", "name"), None);
    }

    #[test]
    fn a_parameter_has_a_place() {
        for (value, stored) in [
            ("a/b; name=c d", "c"),
            ("a/b; x=c; name = \"c\\\"d\"; y", "c\\\"d"),
            ("a/b; name=\"c", "c"),
            ("a/b; name*1=d; name*0*=c; y=e", "d; name*0*=c"),
            ("a/b; name*0=\"c\"; name*1=\"d\"; name*3=e", "c\"; name*1=\"d"),
            ("a/b; name*2=c", "c"),
        ] {
            let (_, place) = parameter_place(value.as_bytes(), "name").unwrap();
            assert_eq!(&value[place], stored, "{value:?}");
        }
    }

    #[test]
    fn a_type_ends_where_its_characters_end() {
        for (value, word) in [
            (" (c) Text/HTML; x", "Text/HTML"),
            ("text/html, charset=utf-8", "text/html"),
            ("text/html charset=utf-8", "text/html"),
            ("text/html\0", "text/html"),
            ("text / html;a", "text/html"),
            ("text(c)/(d) html(e)", "text/html"),
            ("text/\r\n html", "text/html"),
            ("text/ / html", "text/"),
            ("text/;html", "text/"),
            ("text html", "text"),
            ("", ""),
        ] {
            assert_eq!(first_word(value.as_bytes()), word, "{value:?}");
        }
    }

    #[test]
    fn a_million_pieces_take_linear_time() {
        let value: String = (0..1_000_000).map(|n| format!(";name*{n}=a")).collect();
        assert_eq!(get(&value, "name").map(|name| name.len()), Some(1_000_000));
        let value = "(".repeat(1_000_000);
        assert_eq!(get(&value, "name"), None);
        assert_eq!(get(&";a= ".repeat(300_000), "name"), None);
    }
}
