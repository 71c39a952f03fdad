//! ar: the archive of `.deb` packages and of static libraries.
//!
//! Names: GNU's table of long ones (`//`, `/N`), BSD's in front of the content (`#1/LEN`). Tables of
//! symbols have no text. After an invalid header the archive cannot be resumed.

use std::io::{self, Read};

use super::archive_reader::{ArchiveReader, File, FileEnd};
use super::fault::{Fault, FaultCode};
use super::lookahead::{Left, Lookahead, LookaheadReader};
use super::stream_context::StreamContext;
use super::walk::ContainerWalk;
use super::work_unit::Visitor;
use crate::detect::AR as MAGIC;

const HEADER: usize = 60;
/// The longest table of names, and the longest name.
const MOST_NAMES: u64 = 1 << 20;
/// Text of the fault of a member that is cut by the archive's end.
const SHORT: &str = "ar member truncated";

/// A number in decimal digits, with blanks after it.
fn number(field: &[u8]) -> Option<u64> {
    std::str::from_utf8(field.trim_ascii_end()).ok()?.parse().ok()
}

impl ContainerWalk<'_> {
    pub(super) fn ar(
        &mut self,
        feed: &mut LookaheadReader<'_>,
        context: &StreamContext<'_>,
        visitor: &mut dyn Visitor,
    ) -> io::Result<()> {
        // An `ar` archive is seldom long: a resumed run reads it from its start.
        self.take_begin();
        let mut reader = ArchiveReader::new(self, visitor, context, None);
        let result = reader.ar_members(feed);
        reader.flush();
        result
    }
}

impl ArchiveReader<'_, '_> {
    fn ar_members(&mut self, feed: &mut LookaheadReader<'_>) -> io::Result<()> {
        feed.consume(MAGIC.len());
        let mut long_names = Vec::new();
        while !self.visitor.is_stopped() {
            let at = feed.at();
            let fault = |code, reason: &str| io::Error::from(Fault::new(code, at, reason));
            let held = feed.look(HEADER)?;
            let Some(&header) = held.first_chunk::<HEADER>() else {
                return match held.trim_ascii().is_empty() {
                    true => Ok(()),
                    false => Err(fault(FaultCode::Truncated, "ar header truncated")),
                };
            };
            let size = number(&header[48..58]).filter(|_| header[58..] == *b"`\n");
            let Some(mut size) = size else {
                return Err(fault(FaultCode::Corrupt, "not an ar header"));
            };
            feed.consume(HEADER);
            let padding = size % 2;
            let field = header[..16].trim_ascii_end();
            let mut name = match field {
                [b'/', digits @ ..] if !digits.is_empty() && number(digits).is_some() => {
                    let from = number(digits).and_then(|from| usize::try_from(from).ok());
                    let rest = from.and_then(|from| long_names.get(from..)).unwrap_or_default();
                    let end = rest.iter().position(|byte| matches!(byte, b'\n' | 0));
                    // A name that is not there is the number of it.
                    let end = end.unwrap_or(rest.len());
                    if end == 0 { field.to_vec() } else { rest[..end].to_vec() }
                }
                _ => field.to_vec(),
            };
            if field == b"//" && size > MOST_NAMES {
                let fault = fault(FaultCode::Length, "the table of names is too long");
                self.failed(self.context.member, fault);
            } else if field == b"//" {
                take(feed, size, &mut long_names)?;
                feed.skip(padding)?;
                continue;
            }
            let before = field.strip_prefix(b"#1/").and_then(number);
            if let Some(len) = before.filter(|len| *len <= size.min(MOST_NAMES)) {
                name.clear();
                take(feed, len, &mut name)?;
                name.truncate(name.iter().position(|byte| *byte == 0).unwrap_or(name.len()));
                size -= len;
            }
            let name = name.strip_suffix(b"/").map(<[u8]>::to_vec).unwrap_or(name);
            let is_table = matches!(&name[..], b"" | b"/" | b"/SYM64" | b"__.SYMDEF")
                || name.starts_with(b"__.SYMDEF");
            if is_table {
                if !feed.skip(size + padding)? {
                    return Err(fault(FaultCode::Truncated, SHORT));
                }
                continue;
            }
            let file = File { name, size, short: SHORT };
            if self.file(feed, file)? == FileEnd::Cut {
                return Ok(());
            }
            feed.skip(padding)?;
        }
        Ok(())
    }
}

/// Appends `len` bytes, or all if there are fewer.
fn take(feed: &mut LookaheadReader<'_>, len: u64, to: &mut Vec<u8>) -> io::Result<()> {
    Left::of(feed, len, SHORT).read_to_end(to).map(drop)
}
