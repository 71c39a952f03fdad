//! HTTP in a record: where its header begins, its fields and the references in it, chunks, content codings.
//!
//! Headers lie: a body is taken apart only as far as it looks as they say.
//!
//! A header may have any number of fields, of any length: they are read one after the other. Of a field that is used
//! no more is kept than [`FIELD`] bytes.

use std::io::{self, Read};
use std::ops::Range;

use super::super::codec::Codec;
use super::super::fault::{Fault, FaultCode};
use super::super::limits::Limits;
use super::super::lookahead::{Lookahead, LookaheadReader};
use super::super::metadata::{CutEnd, HeaderLink};
use crate::context::{ContextKind, KnownContext};
use crate::detect::media_type::{first_word, lossy, parameter, quoted_text};
use crate::iri::repair::octets_encoded;
use crate::limits::FIELD;
use crate::link::Position;

/// Whether a response begins with a header: with the version of HTTP; or, where the record says that it is HTTP,
/// with another word before the status, as servers of streams do (`ICY 200 OK`), and a field after it.
pub(super) fn begins_header(
    content_type: Option<&str>,
    feed: &mut LookaheadReader<'_>,
) -> io::Result<bool> {
    let head = feed.look(4 << 10)?;
    if head.starts_with(b"HTTP/") {
        return Ok(true);
    }
    let is_said = content_type
        .is_some_and(|kind| first_word(kind.as_bytes()).eq_ignore_ascii_case("application/http"));
    let mut lines = head.split(|byte| *byte == b'\n');
    let (Some(status), Some(field)) = (lines.next(), lines.next()) else { return Ok(false) };
    let code = status.split(u8::is_ascii_whitespace).nth(1).unwrap_or_default();
    let name = field.split(|byte| *byte == b':').next().unwrap_or_default();
    let is_token = |byte: &u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(byte);
    Ok(is_said
        && code.len() == 3
        && code.iter().all(u8::is_ascii_digit)
        && (1..field.len()).contains(&name.len())
        && name.iter().all(is_token))
}

/// Whether a body begins as its coding does.
pub(super) fn begins(codec: Codec, feed: &mut LookaheadReader<'_>) -> bool {
    let Ok(head) = feed.look(CODED) else { return false };
    let is_control = |byte: &u8| matches!(byte, 0..=8 | 0x0E..=0x1F | 0x7F);
    let first = &head[..head.len().min(16)];
    match codec {
        Codec::Gzip => head.starts_with(&[0x1F, 0x8B, 8]),
        Codec::Zstd => head.starts_with(&[0x28, 0xB5, 0x2F, 0xFD]),
        // Neither has a magic number. Plain bodies begin with a sign or a letter, which may be in any encoding.
        _ if first.is_ascii() => first.iter().any(is_control),
        _ => head.iter().any(is_control) || is_decodable(codec, head),
    }
}

/// Whether these bytes can begin a stream of a codec.
fn is_decodable(codec: Codec, head: &[u8]) -> bool {
    let mut feed = LookaheadReader::reusing(Vec::new(), Box::new(head), 0);
    let decoder = codec.decoder(&mut feed, &Limits::default(), None);
    let decoded = decoder.and_then(|decoder| io::copy(&mut decoder.take(PROBED), &mut io::sink()));
    match decoded {
        Ok(_) => true,
        Err(error) => Fault::of(&error).is_some_and(|fault| fault.code() == FaultCode::Truncated),
    }
}

/// Whether a body is in chunks: the first header parses, and so does the line end after the chunk,
/// if it is available.
pub(super) fn begins_chunked(body: &[u8]) -> bool {
    let Some((size, len)) = chunk_header(body) else { return false };
    let end = usize::try_from(size).ok().and_then(|size| len.checked_add(size));
    match end.and_then(|end| body.get(end..)) {
        None | Some([]) => true,
        Some(rest) => rest.starts_with(b"\r\n") || rest.starts_with(b"\n") || rest == b"\r",
    }
}

/// Whether a body is in chunks, or begins as the last of its codings.
pub(in super::super) fn is_coded(fields: &HttpFields, body: &[u8]) -> bool {
    let mut feed = LookaheadReader::reusing(Vec::new(), Box::new(body), 0);
    let is_it = |codec: &Codec| begins(*codec, &mut feed);
    fields.is_chunked && chunk_header(body).is_some() || fields.codings.last().is_some_and(is_it)
}

/// The size that a chunk's header says, and the header's length (RFC 9112 §7.1).
fn chunk_header(bytes: &[u8]) -> Option<(u64, usize)> {
    let end = memchr::memchr(b'\n', &bytes[..bytes.len().min(4 << 10)])?;
    let line = bytes[..end].trim_ascii();
    let digits = line.iter().position(|byte| !byte.is_ascii_hexdigit()).unwrap_or(line.len());
    let is_more = !matches!(line.get(digits), None | Some(b';' | b' ' | b'\t'));
    let digits = std::str::from_utf8(&line[..digits]).ok().filter(|_| !is_more)?;
    Some((u64::from_str_radix(digits, 16).ok()?, end + 1))
}

/// A body without its chunks' headers. A fault ends it, and is noted.
pub(super) struct Dechunked<'d, 'r> {
    feed: &'d mut LookaheadReader<'r>,
    left: u64,
    is_first: bool,
    is_over: bool,
    cut: Option<&'d CutEnd>,
}

impl<'d, 'r> Dechunked<'d, 'r> {
    pub(super) fn new(
        feed: &'d mut LookaheadReader<'r>,
        cut: Option<&'d CutEnd>,
    ) -> Dechunked<'d, 'r> {
        Dechunked { feed, left: 0, is_first: true, is_over: false, cut }
    }

    /// Ends the body before its last chunk.
    fn end_early(&mut self) {
        self.is_over = true;
        if let Some(cut) = self.cut {
            cut.of_chunks.set(true);
        }
    }
}

impl Read for Dechunked<'_, '_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if self.left == 0 && !self.is_over {
            if !self.is_first {
                while let [b'\r' | b'\n', ..] = self.feed.look(2)? {
                    self.feed.consume(1);
                }
            }
            self.is_first = false;
            match chunk_header(self.feed.look(4 << 10)?) {
                Some((size, len)) if size > 0 => {
                    self.feed.consume(len);
                    self.left = size;
                }
                Some(_) => self.is_over = true,
                None => self.end_early(),
            }
        }
        if self.is_over {
            return Ok(0);
        }
        let len = usize::try_from(self.left).unwrap_or(usize::MAX).min(to.len());
        let read = self.feed.read(&mut to[..len])?;
        self.left -= read as u64;
        if read == 0 && len > 0 {
            self.end_early();
        }
        Ok(read)
    }
}

/// Bytes of a body by which a coding is recognised.
pub(in super::super) const CODED: usize = 64;
/// Bytes that the beginning of a body is decoded to, to see whether it can be.
const PROBED: u64 = 64 << 10;
/// Bytes of a line in which the name of its field is searched.
const HEAD: usize = 64;
/// More codings than any archive is opened in.
const MOST_CODINGS: usize = 64;

static LINK: KnownContext = KnownContext::new("header:link", ContextKind::Header);
pub(in super::super) static LOCATION: KnownContext =
    KnownContext::new("header:location", ContextKind::Header);
static CONTENT_LOCATION: KnownContext =
    KnownContext::new("header:content-location", ContextKind::Header);
static REFRESH: KnownContext = KnownContext::new("header:refresh", ContextKind::Header);

/// Header fields of a response that describe its body.
#[derive(Debug, Default)]
pub(in super::super) struct HttpFields {
    pub(in super::super) content_type: Option<String>,
    pub(in super::super) is_chunked: bool,
    /// In the order in which they were applied.
    pub(in super::super) codings: Vec<Codec>,
    /// Some of a field was not read, or the header went on and on without an empty line.
    pub(in super::super) is_too_long: bool,
}

impl HttpFields {
    /// Takes the header and gives its references in their order. An empty line ends it, or the end of the block; of a
    /// block that is cut, a line that is cut is not used.
    pub(in super::super) fn read(
        feed: &mut LookaheadReader<'_>,
        is_cut: bool,
        give: &mut dyn FnMut(HeaderLink),
    ) -> io::Result<HttpFields> {
        let mut read = HttpFields::default();
        let (begin, mut lines) = (feed.at(), 0);
        loop {
            let at = usize::try_from(feed.at() - begin).unwrap_or(usize::MAX);
            let head = feed.look(HEAD)?;
            if let Some(len) = [&b"\n"[..], b"\r\n"].iter().find(|end| head.starts_with(end)) {
                feed.consume(len.len());
                return Ok(read);
            }
            if feed.held().is_empty() {
                read.is_too_long |= at > FIELD;
                return Ok(read);
            }
            let is_used = lines > 0 && is_used(feed.held());
            let mut field = FieldLines { at, line: lines + 1, is_used, ..FieldLines::default() };
            loop {
                let is_whole = field.take_line(feed)?;
                lines += 1;
                if !is_whole && is_cut {
                    field.drop_line();
                }
                // A line that begins with a blank goes on the one before.
                if !is_whole || !matches!(feed.look(1)?, [b' ' | b'\t', ..]) {
                    break;
                }
            }
            read.note(&field, give);
        }
    }

    fn note(&mut self, field: &FieldLines, give: &mut dyn FnMut(HeaderLink)) {
        self.is_too_long |= field.is_too_long;
        let Some(colon) = memchr::memchr(b':', &field.bytes) else { return };
        let value = colon + 1..field.bytes.len();
        let name = field.bytes[..colon].trim_ascii().to_ascii_lowercase();
        match &name[..] {
            b"content-type" => self.content_type = Some(field.unfolded(value)),
            b"transfer-encoding" => {
                let value = field.unfolded(value).to_ascii_lowercase();
                self.is_chunked |= value.contains("chunked");
            }
            b"content-encoding" => {
                let names = field.unfolded(value).to_ascii_lowercase();
                self.codings.extend(names.split(',').filter_map(|name| match name.trim() {
                    "gzip" | "x-gzip" => Some(Codec::Gzip),
                    "deflate" => Some(Codec::Zlib),
                    "br" => Some(Codec::Brotli),
                    "zstd" => Some(Codec::Zstd),
                    _ => None,
                }));
                // The last ones are undone first.
                self.codings.drain(..self.codings.len().saturating_sub(MOST_CODINGS));
            }
            b"link" => field.give(&LINK, linked(&field.bytes, value), give),
            // One reference, of which not all is there.
            _ if field.is_too_long => {}
            b"location" => field.give(&LOCATION, alone(value), give),
            b"content-location" => field.give(&CONTENT_LOCATION, alone(value), give),
            b"refresh" => {
                field.give(&REFRESH, refreshed(&field.bytes, value).and_then(alone), give);
            }
            _ => {}
        }
    }
}

/// Whether the field of a line that begins so is used.
fn is_used(head: &[u8]) -> bool {
    let name = &head[..memchr::memchr(b':', head).unwrap_or(0)];
    [
        "content-type",
        "transfer-encoding",
        "content-encoding",
        "location",
        "content-location",
        "refresh",
        "link",
    ]
    .iter()
    .any(|used| name.trim_ascii().eq_ignore_ascii_case(used.as_bytes()))
}

/// A field with the lines that it goes on in.
#[derive(Default)]
struct FieldLines {
    /// Nothing of a field that is not used.
    bytes: Vec<u8>,
    is_used: bool,
    is_too_long: bool,
    /// Where it begins in the block, and in which line.
    at: usize,
    line: u64,
}

impl FieldLines {
    /// Takes a line; false if it has no end.
    fn take_line(&mut self, feed: &mut LookaheadReader<'_>) -> io::Result<bool> {
        loop {
            let held = feed.fill()?;
            if held.is_empty() {
                return Ok(false);
            }
            let end = memchr::memchr(b'\n', held);
            let len = end.map_or(held.len(), |end| end + 1);
            if self.is_used {
                let room = FIELD - self.bytes.len();
                self.is_too_long |= len > room;
                self.bytes.extend_from_slice(&held[..len.min(room)]);
            }
            feed.consume(len);
            if end.is_some() {
                return Ok(true);
            }
        }
    }

    fn drop_line(&mut self) {
        self.bytes.truncate(memchr::memrchr(b'\n', &self.bytes).map_or(0, |end| end + 1));
    }

    /// A value, its lines joined.
    fn unfolded(&self, value: Range<usize>) -> String {
        let lines: Vec<&[u8]> = self.bytes[value]
            .trim_ascii()
            .split(|byte| *byte == b'\n')
            .map(<[u8]>::trim_ascii)
            .collect();
        String::from_utf8_lossy(&lines.join(&b' ')).into_owned()
    }

    /// Gives the references in these ranges, each with its parameters. They are in order: their lines are counted once.
    fn give(
        &self,
        context: &'static KnownContext,
        ranges: impl IntoIterator<Item = [Range<usize>; 2]>,
        give: &mut dyn FnMut(HeaderLink),
    ) {
        let (mut counted, mut line, mut line_start) = (0, self.line, 0);
        for [range, parameters] in ranges {
            let inside = &self.bytes[range.clone()];
            let from = range.start + inside.len() - inside.trim_ascii_start().len();
            let text = inside.trim_ascii();
            if text.is_empty() {
                continue;
            }
            for end in memchr::memchr_iter(b'\n', &self.bytes[counted..from]) {
                (line, line_start) = (line + 1, counted + end + 1);
            }
            counted = from;
            give(HeaderLink {
                context,
                text: octets_encoded(text).into_owned(),
                range: self.at + from..self.at + from + text.len(),
                position: Position { line, column: (from - line_start) as u64 + 1 },
                rel: relation(&self.bytes[parameters]),
            });
        }
    }
}

/// Returns the reference of a field that has no parameters.
fn alone(value: Range<usize>) -> Option<[Range<usize>; 2]> {
    let end = value.end;
    Some([value, end..end])
}

/// Returns the relation types of a reference in lower case (RFC 8288 §3.3).
fn relation(parameters: &[u8]) -> Option<String> {
    parameter(parameters, "rel").map(|types| lossy(&types).to_lowercase())
}

/// Returns the target of `Refresh`: `seconds; url=reference`, in quotes or not.
fn refreshed(field: &[u8], value: Range<usize>) -> Option<Range<usize>> {
    let lower = field[value.clone()].to_ascii_lowercase();
    let from = value.start + memchr::memmem::find(&lower, b"url=")? + 4;
    let quote = field.get(from).copied().filter(|quote| matches!(quote, b'"' | b'\''));
    let from = from + usize::from(quote.is_some());
    let end = quote.and_then(|quote| memchr::memchr(quote, &field[from..]));
    Some(from..end.map_or(field.len(), |end| from + end))
}

/// Returns the references of `Link` (RFC 8288 §3), each with its parameters: `<reference>; parameters, <reference> …`. A
/// parameter in quotes has no references.
fn linked(field: &[u8], value: Range<usize>) -> impl Iterator<Item = [Range<usize>; 2]> {
    let (mut from, mut has_quotes) = (value.start, true);
    std::iter::from_fn(move || {
        let open = from + memchr::memchr(b'<', &field[from..])? + 1;
        let close = open + memchr::memchr(b'>', &field[open..])?;
        from = close + 1;
        loop {
            let len = memchr::memchr3(b'<', b',', b'"', &field[from..]);
            from = len.map_or(field.len(), |len| from + len);
            if field.get(from) != Some(&b'"') {
                break;
            }
            from += 1;
            if has_quotes {
                let end = from + quoted_text(&field[from..]).1;
                // If this one has no end, neither has any other one after it.
                has_quotes = field.get(end) == Some(&b'"');
                from = if has_quotes { end + 1 } else { from };
            }
        }
        Some([open..close, close + 1..from])
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chunks_are_known_by_their_headers() {
        assert!(begins_chunked(b"5\r\nhello\r\n0\r\n\r\n"));
        assert!(begins_chunked(b"5; x=1\r\nhel"));
        assert!(!begins_chunked(b"5\r\nhello world"));
        assert!(!begins_chunked(b"<html>\n"));
        assert_eq!(chunk_header(b"fffffffff\r\n"), Some((0xF_FFFF_FFFF, 11)));
    }

    fn read(text: &[u8], is_cut: bool) -> (HttpFields, Vec<HeaderLink>, Vec<u8>) {
        let (mut feed, mut links) =
            (LookaheadReader::reusing(Vec::new(), Box::new(text), 0), Vec::new());
        let fields = HttpFields::read(&mut feed, is_cut, &mut |link| links.push(link)).unwrap();
        let rest = feed.look(100).unwrap().to_vec();
        (fields, links, rest)
    }

    #[test]
    fn headers_have_links() {
        let text = b"HTTP/1.1 302\r\nLocation: ../x\r\nLink: <a>; rel=next,\r\n  <b>\r\nRefresh: 0; url='c'\r\n\r\n";
        let (_, found, rest) = read(text, false);
        let expected = [
            ("location", "../x", 2, 11),
            ("link", "a", 3, 8),
            ("link", "b", 4, 4),
            ("refresh", "c", 5, 18),
        ];
        for (link, (name, value, line, column)) in found.iter().zip(expected) {
            assert_eq!((link.context.name(), &*link.text), (&*format!("header:{name}"), value));
            assert_eq!(link.position, Position { line, column });
            assert_eq!(&text[link.range.clone()], value.as_bytes());
        }
        assert_eq!((found.len(), &rest[..]), (4, &b""[..]));
    }

    #[test]
    fn parameters_in_quotes_have_no_references() {
        for (field, wanted) in [
            (r#"</a>; rel="next"; title="x, <y>", </b>; rel=prev"#, &["/a", "/b"][..]),
            (r#"<a>; title="x \" <y>", <b>"#, &["a", "b"]),
            (r#"<a>; title="x\\", <b>; title="<y>""#, &["a", "b"]),
            // An apostrophe is not a quotation mark, and one without an end is none.
            ("<a>; title='x, <y>', <b>", &["a", "y", "b"]),
            (r#"<a>; title="x, <b>; rel=next, <c>"#, &["a", "b", "c"]),
            (r#"<a>; title="x\"#, &["a"]),
            ("<a> <b>,<c", &["a", "b"]),
            (r#"<a,"b>, <c>"#, &[r#"a,"b"#, "c"]),
        ] {
            let found = linked(field.as_bytes(), 0..field.len()).map(|[range, _]| &field[range]);
            assert_eq!(found.collect::<Vec<_>>(), wanted, "{field}");
        }
    }

    #[test]
    fn references_have_relations() {
        let text = b"HTTP/1.1 200\r\nLink: <a>; REL=\"Next  ugc\"; title=\"x, rel=no\", <b>; title=x,<c>;rel=preload ; as=font\r\n\
            Link: <d> ; title=\"\\\"; rel=no\"\r\n  ; rel = canonical\r\nLocation: e; rel=no\r\n\r\n";
        let found = read(text, false).1;
        let relations: Vec<_> = found.iter().map(|link| link.rel.as_deref()).collect();
        let wanted = [Some("next  ugc"), None, Some("preload"), Some("canonical"), None];
        assert_eq!(relations, wanted);
    }

    #[test]
    fn fields_go_on_in_lines_that_begin_with_a_blank() {
        let text = b"HTTP/1.1 200\nX: y\n Content-Type: no/no\nContent-type :\n text/html;\r\n\tcharset=x\n\nbody";
        let (fields, links, rest) = read(text, false);
        assert_eq!(fields.content_type.as_deref(), Some("text/html; charset=x"));
        assert_eq!((links.len(), &rest[..]), (0, &b"body"[..]));
    }

    #[test]
    fn a_line_that_is_cut_is_not_used() {
        let text = b"HTTP/1.1 302\r\nContent-Location: a\r\nLocation: b";
        let of = |is_cut| read(text, is_cut).1.len();
        assert_eq!((of(true), of(false)), (1, 2));
    }

    #[test]
    fn a_field_is_read_as_far_as_it_may_go() {
        let of = |field: &str| {
            let text = format!("HTTP/1.1 200\r\n{field}\r\nLocation: b\r\n\r\n");
            let (fields, links, _) = read(text.as_bytes(), false);
            (links.len(), fields.is_too_long)
        };
        let (most, a) = (FIELD / 4, "<a>,");
        assert_eq!(of(&format!("X: {}", a.repeat(2 * most))), (1, false));
        assert_eq!(of(&format!("Link: {}", a.repeat(most - 2))), (most - 2 + 1, false));
        assert_eq!(of(&format!("Link: {}", a.repeat(2 * most))), (most - 2 + 1, true));
        assert_eq!(of(&format!("Location: {}", "a".repeat(FIELD))), (1, true));
    }
}
