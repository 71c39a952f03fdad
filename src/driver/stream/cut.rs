//! Cuts: the place where a reader fails, and the links that may be cut there.
//!
//! The bytes before a failure are scanned as if the document ended there. The last link may be cut, unless a character follows
//! that ends every link.

use std::cell::{Cell, RefCell};
use std::io::{self, ErrorKind, Read};

use crate::context::ContextKind;
use crate::link::{Body, Judged, Transfer, body, has_object};
#[cfg(feature = "mail")]
use crate::mail::{ExpectedContent, TransferDecoder, TransferEncoding};

/// Bytes of the last reads that are kept. A link that ends farther from the failure is not cut.
const TAIL: usize = 256;

/// State of a reader.
#[derive(Debug, Default)]
pub(crate) struct Watch {
    read: Cell<usize>,
    has_failed: Cell<bool>,
    /// The last bytes of the reader.
    tail: RefCell<Vec<u8>>,
}

impl Watch {
    /// Whether a candidate may be the beginning of a longer link that the failure has cut.
    #[inline]
    pub(crate) fn is_cut(&self, judged: &Judged<'_>) -> bool {
        self.has_failed.get() && !has_object(judged) && self.is_cut_here(judged)
    }

    fn is_cut_here(&self, judged: &Judged<'_>) -> bool {
        let found = body(judged);
        let tail = self.tail.borrow();
        let after = self.read.get().saturating_sub(found.range.end);
        let Some(end) = tail.len().checked_sub(after) else { return false };
        let start = end.checked_sub(found.range.len());
        is_open(found, &tail[..start.unwrap_or(0)], &tail[end..])
    }
}

/// Returns `true` if a candidate may continue after the bytes that follow it; the bytes before it are given, or
/// unknown.
fn is_open(found: &Body<'_>, before: &[u8], after: &[u8]) -> bool {
    let ends: &[u8] = match found.context.kind() {
        ContextKind::Text => b"<>\"",
        _ => b"<>\"')",
    };
    // After an escape, characters of another set follow.
    let is_end = |byte: u8| byte <= b' ' && byte != 0x1B || ends.contains(&byte);
    #[cfg(feature = "mail")]
    let decoded;
    let (mut before, mut after) = (before, after);
    match found.rare.as_ref().and_then(|rare| rare.transfer) {
        None => {}
        #[cfg(feature = "mail")]
        Some(Transfer::QuotedPrintable) => {
            decoded = [unquoted(before.last_chunk().unwrap_or(&[0; OCTET])), unquoted(after)];
            [before, after] = [&*decoded[0], &*decoded[1]];
        }
        // A field ends at the end of a line, unless a blank follows.
        Some(Transfer::Q | Transfer::B | Transfer::BPlus1 | Transfer::BPlus2) => {
            return !after
                .windows(2)
                .any(|pair| pair[0] == b'\n' && !matches!(pair[1], b' ' | b'\t'));
        }
        // The digits do not show the decoded text.
        Some(_) => return true,
    }
    if found.charset.is_utf16() {
        // Halves of other characters look the same.
        return !after.chunks_exact(2).any(|unit| match unit {
            [0, byte] | [byte, 0] => is_end(*byte),
            _ => false,
        });
    }
    let Some(end) = after.iter().position(|byte| is_end(*byte)) else { return true };
    if !is_of_mail(found) || after[end] > b' ' {
        return false;
    }
    // A fold, a flowed line and a line in `<…>` go on after a line end; signs of quoting begin lines.
    let may_be_enclosed = before.is_empty() || before.ends_with(b"<") || before.ends_with(b":");
    let mut lines = after.split(|byte| matches!(byte, b'\n' | b'\r'));
    let first = lines.next().unwrap_or_default();
    let is_quote = |byte: &u8| matches!(byte, b'>' | b'|' | b' ' | b'\t');
    let rest = |line: &'_ [u8]| line.iter().position(|byte| !is_quote(byte));
    // A sign behind initials (`Joe>`) may be one of quoting, too.
    let closes = |line: &[u8]| {
        let initials = line.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
        line.iter().skip(initials + 1).any(|byte| *byte == b'>')
    };
    match may_be_enclosed {
        true => {
            !first.contains(&b'>')
                && !lines.any(|line| rest(line).is_some_and(|at| closes(&line[at..])))
        }
        false => first.iter().all(|byte| *byte <= b' ') && !lines.any(|line| rest(line).is_some()),
    }
}

fn is_of_mail(found: &Body<'_>) -> bool {
    found.origin().is_some_and(|origin| origin.part.is_some())
        || found.context.kind().is_outside_parts()
}

/// Length in bytes of `=XX`.
const OCTET: usize = 3;

/// Decodes quoted-printable, as far as it is whole.
#[cfg(feature = "mail")]
fn unquoted(bytes: &[u8]) -> Vec<u8> {
    let mut decoded = Vec::new();
    let mut decoding =
        TransferDecoder::new(TransferEncoding::QuotedPrintable, b'\n', ExpectedContent::default());
    let done = decoding.decode(bytes, false, &mut decoded);
    // Blanks, or a line end after them: both end a link.
    decoded.extend(bytes.get(done).filter(|byte| matches!(byte, b' ' | b'\t' | b'\r')));
    decoded
}

/// Reader that records its last bytes and its failure.
pub(crate) struct Watched<'w, R> {
    reader: R,
    watch: &'w Watch,
}

impl<'w, R> Watched<'w, R> {
    pub(crate) fn new(reader: R, watch: &'w Watch) -> Watched<'w, R> {
        Watched { reader, watch }
    }
}

impl<R: Read> Read for Watched<'_, R> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let read = self.reader.read(to).inspect_err(|error| {
            if error.kind() != ErrorKind::Interrupted {
                self.watch.has_failed.set(true);
            }
        })?;
        self.watch.read.set(self.watch.read.get() + read);
        let mut tail = self.watch.tail.borrow_mut();
        if read < TAIL {
            let over = (tail.len() + read).saturating_sub(TAIL);
            tail.drain(..over);
            tail.extend_from_slice(&to[..read]);
        } else {
            tail.clear();
            tail.extend_from_slice(&to[read - TAIL..read]);
        }
        Ok(read)
    }
}

/// Reader that returns a failure that occurred before, at its place.
pub(super) struct Failing(pub(super) Option<io::Error>);

impl Read for Failing {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        self.0.take().map_or(Ok(0), Err)
    }
}
