//! Calendars and cards: each is a text of its values, unfolded, decoded and without escapes.

use std::borrow::Cow;
use std::ops::Range;

use super::source::{Source, Transcoded};
use crate::charset::{Charset, CharsetSource, Detected, EncodingHints, Extent, Layout, decide};
use crate::context::{ContextKind, StoredContext};
use crate::input::chunk::Chunk;
use crate::limits;
use crate::markup::{
    FragmentFormat, Grammar, Holds, Property, Rules, Token, UrlValue, is_uri, names_charset,
    reading, unfold, unquoted,
};
use crate::notice::Notice;
use crate::source_map::{MappedText, Rewriting, SourceMap};

/// A calendar, a card or RTF that is available as a whole.
#[derive(Debug)]
pub(crate) struct Properties {
    pub(crate) document: Transcoded,
    pub(crate) tokens: Vec<Token>,
    pub(crate) charset: Charset,
}

/// Unfolded bytes of the values, and their stored offsets.
struct Unfolded {
    bytes: Vec<u8>,
    map: SourceMap,
    charset: Charset,
    /// Charset of the bytes: UTF-8 where the document had to be transcoded first.
    read_as: Charset,
    /// Whether this charset is declared for them.
    is_said: bool,
}

impl Properties {
    /// Reads stored bytes, in contexts that begin with `front`; `None` if there are too many lines.
    pub(crate) fn of(
        stored: &[u8],
        detected: &Detected,
        front: &str,
        max_link: usize,
    ) -> Option<Properties> {
        let unfolded = Unfolded::of(stored, detected)?;
        let document = Transcoded { text: Vec::new(), map: SourceMap::default() };
        let mut properties = Properties { document, tokens: Vec::new(), charset: unfolded.charset };
        let mut start = 0;
        while start < unfolded.bytes.len() {
            let end = memchr::memchr(b'\n', &unfolded.bytes[start..]);
            let end = end.map_or(unfolded.bytes.len(), |len| start + len);
            properties.line(&unfolded, start..end, front, max_link);
            start = end + 1;
        }
        Some(properties)
    }

    fn line(&mut self, unfolded: &Unfolded, line: Range<usize>, front: &str, max_link: usize) {
        let property = Property::of(&unfolded.bytes, line);
        let name = property.name.as_str();
        let named = |kind| StoredContext::of_property(front, name, kind);
        for range in property.parameters.iter().filter(|range| unfolded.may_hold(range)) {
            let text = unfolded.decoded(range.clone(), None, false);
            self.push(text, Holds::Parameter, &named(ContextKind::Other), max_link);
        }
        let context = named(property.kind());
        let Some(value) = property.value.filter(|range| unfolded.may_hold(range)) else { return };
        let label = property.charset.map(|range| &unfolded.bytes[range]);
        let text = unfolded.decoded(value, label, property.is_quoted_printable);
        self.push(unescaped(text), property.holds, &context, max_link);
    }

    /// Reads HTML that is too long as text.
    fn too_long(&mut self) -> Grammar {
        self.tokens.push(Token::Notice(Notice::ReadAsText));
        Grammar::Property
    }

    /// Adds a text with its kind.
    fn push(
        &mut self,
        text: MappedText<'_>,
        holds: Holds,
        context: &StoredContext,
        max_link: usize,
    ) {
        let bytes = text.text.as_bytes();
        let blanks = bytes.len() - bytes.trim_ascii_start().len();
        let trimmed = text.text.trim_ascii();
        let grammar = match holds {
            Holds::Identifier if !is_web(trimmed) => return,
            Holds::Identifier => Grammar::NonEmptyUrl,
            // Programs write this for a person without an address.
            Holds::Uri if trimmed.eq_ignore_ascii_case("invalid:nomail") => return,
            Holds::Uri if is_uri(trimmed) => Grammar::NonEmptyUrl,
            Holds::Parameter if is_uri(trimmed) && is_sure(trimmed) => Grammar::NonEmptyUrl,
            Holds::Html if bytes.len() <= limits::VALUE => Grammar::Srcdoc,
            Holds::Html => self.too_long(),
            Holds::Text | Holds::Uri => match reading(bytes, true, Rules::None) {
                FragmentFormat::Html => Grammar::Fragment,
                FragmentFormat::TooLong => self.too_long(),
                FragmentFormat::Text | FragmentFormat::Undecided => Grammar::Property,
            },
            Holds::Parameter => Grammar::Property,
        };
        let Transcoded { text: out, map } = &mut self.document;
        let at = out.len();
        out.extend_from_slice(bytes);
        if let Some(made) = &text.map {
            map.append(at, made, bytes, 0..bytes.len(), 0);
        }
        // A value does not continue the one before.
        let end = map.range(out, at..out.len()).end;
        map.replaced(out.len(), end..end);
        out.push(b'\n');
        let range = match grammar {
            Grammar::NonEmptyUrl => at + blanks..at + blanks + trimmed.len(),
            _ => at..at + bytes.len(),
        };
        let end = range.end;
        let is_long = grammar == Grammar::NonEmptyUrl && range.len() > max_link;
        let context = context.clone();
        let value = UrlValue { range, context, grammar, rules: Rules::None };
        match is_long {
            true => self.tokens.extend([Token::Long(value), Token::LongEnd(end)]),
            false => self.tokens.push(Token::Value(value)),
        }
    }
}

impl Unfolded {
    /// `None`: there are too many lines.
    fn of(stored: &[u8], detected: &Detected) -> Option<Unfolded> {
        let (mut charset, source) = (detected.charset(), detected.source());
        let is_said = matches!(source, CharsetSource::Bom | CharsetSource::Transport);
        let first = detected.text_start();
        // In these encodings line ends have two bytes, or depend on an escape sequence before them.
        let whole = charset
            .layout()
            .filter(|layout| layout.is_utf16() || is_said && *layout == Layout::Iso2022Jp);
        if let Some(layout) = whole {
            let made = Transcoded::new(charset, layout, stored, first);
            let (bytes, map, lines) = unfold(&made.text, 0);
            let map = map.through(bytes.len(), &made.map, &made.text);
            let is_few = lines <= limits::PROPERTIES;
            return is_few.then_some(Unfolded {
                bytes,
                map,
                charset,
                read_as: Charset::UTF_8,
                is_said,
            });
        }
        let (bytes, map, lines) = unfold(stored, first);
        // Lines that name another charset do not count.
        let is_utf8 = |line: &[u8]| std::str::from_utf8(line).is_ok() || names_charset(line);
        if !is_said && bytes.split(|byte| *byte == b'\n').all(is_utf8) {
            charset = Charset::UTF_8;
        } else if !is_said {
            // A fold may be inside a character.
            charset = decide(&bytes, Extent::Whole, &EncodingHints::default())
                .map_or(charset, |found| found.charset());
        }
        (lines <= limits::PROPERTIES).then_some(Unfolded {
            bytes,
            map,
            charset,
            read_as: charset,
            is_said,
        })
    }

    /// Returns `true` if a range may contain a link: it has a character that every link needs.
    fn may_hold(&self, range: &Range<usize>) -> bool {
        self.bytes[range.clone()]
            .iter()
            .any(|byte| matches!(byte, b'.' | b':' | b'@' | b'&' | b'<' | b'=' | 0x80..))
    }

    /// Returns a range as text, decoded from the charset with this label, and its map.
    fn decoded(
        &self,
        range: Range<usize>,
        label: Option<&[u8]>,
        is_quoted: bool,
    ) -> MappedText<'_> {
        let bytes = &self.bytes[range.clone()];
        let (quoted, unquoted_map) = match is_quoted {
            true => unquoted(bytes),
            false => (Vec::new(), SourceMap::default()),
        };
        let bytes = if is_quoted { &quoted[..] } else { bytes };
        let named =
            label.and_then(|label| std::str::from_utf8(label).ok()?.trim_matches('"').parse().ok());
        let charset = match named {
            Some(charset) => charset,
            None if !self.is_said && std::str::from_utf8(bytes).is_ok() => Charset::UTF_8,
            // Octets of quoted-printable do not take part in the detection.
            None if is_quoted && self.read_as.is_utf8() && std::str::from_utf8(bytes).is_err() => {
                Charset::WINDOWS_1252
            }
            None => self.read_as,
        };
        let source = Source::stored_bytes(Chunk::whole(bytes));
        let decoded = source.decoded(charset, 0..bytes.len());
        let mut map = SourceMap::default();
        if decoded.map.is_none() && !is_quoted {
            map.append(0, &self.map, &self.bytes, range, 0);
        } else {
            // Character by character: a fold may be inside of one, and an octet is three bytes.
            for (at, c) in decoded.text.char_indices() {
                let mut inside = decoded.range(at..at + c.len_utf8());
                if is_quoted {
                    inside = unquoted_map.range(bytes, inside);
                }
                let inside = range.start + inside.start..range.start + inside.end;
                let stored = self.map.range(&self.bytes, inside);
                match stored.len() == 1 && c.is_ascii() {
                    true => map.copied(at, stored.start),
                    false => map.replaced(at, stored),
                }
            }
        }
        let text = Cow::Owned(decoded.text.into_owned());
        MappedText { text, map: Some(map), start: 0 }
    }
}

/// Returns `true` if a text is the URL of a page.
fn is_web(text: &str) -> bool {
    begins_with(text, &["http://", "https://"])
}

/// Returns `true` if a URI is more than a word with a colon in it.
fn is_sure(text: &str) -> bool {
    text.contains("://") || begins_with(text, &["mailto:", "cid:", "urn:", "tel:", "sip:"])
}

fn begins_with(text: &str, fronts: &[&str]) -> bool {
    fronts
        .iter()
        .any(|front| text.get(..front.len()).is_some_and(|start| start.eq_ignore_ascii_case(front)))
}

/// Returns a value without its escapes: `\n` is a line end; a comma, a semicolon, a colon and a backslash are the
/// characters themselves.
fn unescaped(value: MappedText<'_>) -> MappedText<'_> {
    let text = &*value.text;
    let (mut made, mut at) = (Rewriting::new(text, 0), 0);
    while let Some(found) = memchr::memchr(b'\\', &text.as_bytes()[at..]) {
        let escape = at + found;
        at = escape + 1;
        match text.as_bytes().get(at) {
            Some(b'n' | b'N') => made.replace(escape..at + 1).push('\n'),
            Some(b',' | b';' | b':' | b'\\') => made.leave_out(escape..at),
            _ => continue,
        }
        at += 1;
    }
    match made.finish() {
        None => value,
        Some((text, map)) => {
            MappedText { text: Cow::Owned(text), map: Some(map), start: 0 }.through(&value)
        }
    }
}
