//! Lines for standard error about an input, or a member of it.

use std::io::Write;
use std::path::Path;

use linksift::ScanError;
use linksift::container::Member;
use linksift::files::PathError;

use crate::chunk::Chunk;
use crate::hints;
use crate::reason::of_scan;
use crate::safe;
use crate::streams;

/// Notice about archives, in place of the library's sentence, which names a function.
pub(crate) const UNOPENED: &str = "an archive or compressed, and not to be opened (--archives auto opens it), \
    only scheme:// and mailto: are links in it";

/// The same where nothing of them is read.
pub(crate) const UNREAD: &str = "an archive or compressed; skipped (--archives auto opens it)";

/// Appends the error of an input, or of a member of it.
pub(crate) fn complain(path: &Path, member: &Member, error: &ScanError, chunk: &mut Chunk) {
    tell_failed(path, member, error, &mut chunk.complaints);
}

/// Appends the line about a failure.
pub(crate) fn tell_failed(path: &Path, member: &Member, error: &ScanError, out: &mut Vec<u8>) {
    if let ScanError::Refused(reason) = error {
        // The message of a rejected input contains its position in a list.
        return push_line(reason, out);
    }
    match hints::of_missing(path, error) {
        Some(hint) => tell(path, member, &format!("{} ({hint})", of_scan(error)), out),
        None => tell(path, member, &of_scan(error), out),
    }
}

/// Prints the error of a path in a list of files, or the notice on it; returns `true` for an error.
pub(crate) fn say_unreached(failed: &PathError) -> bool {
    let (path, member, mut line) = (failed.path(), Member::default(), Vec::new());
    match failed.notice() {
        Some(notice) => tell(path, &member, &format!("notice: {notice}"), &mut line),
        None => tell_failed(path, &member, failed.error(), &mut line),
    }
    put(&line);
    failed.notice().is_none()
}

/// Appends `linksift: message`.
pub(crate) fn push_line(message: &str, out: &mut Vec<u8>) {
    out.extend_from_slice(b"linksift: ");
    safe::push(message.as_bytes(), out);
    out.push(b'\n');
}

/// Prints a message on standard error.
pub(crate) fn say(message: &str) {
    let mut line = Vec::new();
    push_line(message, &mut line);
    put(&line);
}

/// Writes lines to standard error.
pub(crate) fn put(lines: &[u8]) {
    // If standard error cannot be written, only the exit status remains.
    let _ = streams::stderr().write_all(lines);
}

/// Appends the notice of an unknown encoding that a document declares.
pub(crate) fn tell_unknown(path: &Path, member: &Member, label: &str, chunk: &mut Chunk) {
    let message = format!("notice: declares the unknown encoding {label:?}; detected it instead");
    tell(path, member, &message, &mut chunk.complaints);
}

/// Appends `linksift: PATH!MEMBER: message`.
pub(crate) fn tell(path: &Path, member: &Member, message: &str, out: &mut Vec<u8>) {
    tell_of_part(path, (member, None), message, out);
}

/// Prints that a failed input is not in the list of them.
pub(crate) fn say_unlisted(name: &[u8]) {
    let mut line = b"linksift: ".to_vec();
    safe::push(name, &mut line);
    let message: &[u8] =
        b": not listed by --failed, since its name has a line break; --null or -0 lists it\n";
    line.extend_from_slice(message);
    put(&line);
}

/// Member, and part of a message in it.
pub(crate) type MemberPart<'a> = (&'a Member, Option<&'a str>);

/// Appends `linksift: PATH!MEMBER, part PART: message`.
pub(crate) fn tell_of_part(path: &Path, place: MemberPart<'_>, message: &str, out: &mut Vec<u8>) {
    let (member, part) = place;
    out.extend_from_slice(b"linksift: ");
    safe::push(path.as_os_str().as_encoded_bytes(), out);
    if !member.is_empty() {
        out.push(b'!');
        safe::push(member.as_str().as_bytes(), out);
    }
    if let Some(part) = part {
        out.extend_from_slice(b", part ");
        safe::push(part.as_bytes(), out);
    }
    out.extend_from_slice(b": ");
    safe::push(message.as_bytes(), out);
    out.push(b'\n');
}
