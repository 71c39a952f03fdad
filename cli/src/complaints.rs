//! Lines for standard error about an input, or a member of it.

use std::io;
use std::path::Path;

use linksift::container::Member;

use crate::chunk::Chunk;
use crate::hints;
use crate::reason::reason;
use crate::safe;

/// What failed with an input, or with a member of it.
pub(crate) fn complain(path: &Path, member: &Member, error: &io::Error, chunk: &mut Chunk) {
    let out = &mut chunk.complaints;
    match hints::of_missing(path, error) {
        Some(hint) => tell(path, member, &format!("{} ({hint})", reason(error)), out),
        None => tell(path, member, &reason(error), out),
    }
}

/// Tells that a document declares a charset that nobody knows; it is scanned all the same.
pub(crate) fn warn(path: &Path, member: &Member, label: &str, chunk: &mut Chunk) {
    let message = format!("warning: declares an unknown charset: {label:?}");
    tell(path, member, &message, &mut chunk.complaints);
}

/// `linksift: PATH!MEMBER: message`.
pub(crate) fn tell(path: &Path, member: &Member, message: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(b"linksift: ");
    safe::push(path.as_os_str().as_encoded_bytes(), out);
    if !member.is_empty() {
        out.push(b'!');
        safe::push(member.as_str().as_bytes(), out);
    }
    out.extend_from_slice(b": ");
    safe::push(message.as_bytes(), out);
    out.push(b'\n');
}
