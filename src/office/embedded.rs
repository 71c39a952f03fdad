//! Files that are embedded in a document: their names and bytes.

use super::compound::{len_at, u16_at};

/// Returns the file of a stream that the packager wrote (`\u{1}Ole10Native`); `None` if it is not one.
pub(super) fn package(stream: &[u8]) -> Option<(String, &[u8])> {
    // Length, kind, two texts, four bytes, a third text with its length.
    let (name, rest) = text(stream.get(6..)?)?;
    let (_, rest) = text(rest)?;
    u16_at(rest, 0)?;
    let len = len_at(rest, 4)?;
    let rest = rest.get(8..)?.get(len..)?;
    let len = len_at(rest, 0)?;
    let bytes = rest.get(4..)?;
    Some((name, &bytes[..bytes.len().min(len)]))
}

fn text(bytes: &[u8]) -> Option<(String, &[u8])> {
    let end = bytes.iter().position(|byte| *byte == 0)?;
    Some((String::from_utf8_lossy(&bytes[..end]).into_owned(), &bytes[end + 1..]))
}
