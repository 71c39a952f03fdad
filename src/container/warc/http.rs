//! HTTP in a record: where its header begins, chunks, content codings.
//!
//! Headers lie: a body is taken apart only as far as it looks as they say.

use std::cell::Cell;
use std::io::{self, Read};
use std::rc::Rc;

use super::super::codec::Codec;
use super::super::lookahead::{Lookahead, LookaheadReader};
use crate::detect::media_type::first_word;

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
        .is_some_and(|kind| first_word(kind.as_bytes()).eq_ignore_ascii_case(b"application/http"));
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
    let Ok(head) = feed.look(16) else { return false };
    match codec {
        Codec::Gzip => head.starts_with(&[0x1F, 0x8B, 8]),
        Codec::Zstd => head.starts_with(&[0x28, 0xB5, 0x2F, 0xFD]),
        // Neither has a magic number; plain bodies begin with a sign or a letter.
        _ => head.iter().any(|byte| matches!(byte, 0..=8 | 0x0E..=0x1F | 0x7F..)),
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
    is_cut: Rc<Cell<bool>>,
}

impl<'d, 'r> Dechunked<'d, 'r> {
    pub(super) fn new(
        feed: &'d mut LookaheadReader<'r>,
        is_cut: Rc<Cell<bool>>,
    ) -> Dechunked<'d, 'r> {
        Dechunked { feed, left: 0, is_first: true, is_over: false, is_cut }
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
                None => {
                    self.is_over = true;
                    self.is_cut.set(true);
                }
            }
        }
        if self.is_over {
            return Ok(0);
        }
        let len = usize::try_from(self.left).unwrap_or(usize::MAX).min(to.len());
        let read = self.feed.read(&mut to[..len])?;
        self.left -= read as u64;
        if read == 0 && len > 0 {
            self.is_over = true;
            self.is_cut.set(true);
        }
        Ok(read)
    }
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
}
