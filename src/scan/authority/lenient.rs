//! Authorities that RFC 3986 does not have: the path of a repository after a colon, a decentralized identifier, and a drive letter
//! in the place of a host. The finder writes them in the form of the RFC (`iri::repair`).

use super::{Authority, AuthorityTail, Kind, after_ascii};
use crate::scan::candidate::CandidateFlags;
use crate::scan::host;
use crate::scan::markup_context::is_escaped_slash;
use crate::scan::view::{Incomplete, View};

/// Maximum number of bytes of the first segment of a path.
const MAX_SEGMENT: usize = 256;

/// Returns the authority at `at` if a drive letter or an identifier is in the place of its host.
pub(super) fn without_host(
    view: &View<'_>,
    at: usize,
    kind: Kind,
    prose: bool,
) -> Result<Option<Authority>, Incomplete> {
    let (end, tail) = match kind {
        Kind::File if is_drive(view, at)? => (Some(at), AuthorityTail::Path),
        Kind::Identifier if prose => (identifier(view, at)?, AuthorityTail::Open),
        _ => return Ok(None),
    };
    let marks = CandidateFlags::ATTENTION;
    Ok(end.map(|end| Authority { host: at..end, end, tail, marks, refused: None }))
}

/// Returns `true` if a path that begins with a drive letter is at `at`. RFC 3986 reads the letter as a host, the URL
/// standard does not ("file host state"): `file://C:/Users/me`. The finder inserts the third slash.
fn is_drive(view: &View<'_>, at: usize) -> Result<bool, Incomplete> {
    Ok(view.byte(at)?.is_some_and(|letter| letter.is_ascii_alphabetic())
        && view.byte(at + 1)? == Some(b':')
        && matches!(view.byte(at + 2)?, Some(b'/' | b'\\')))
}

/// Returns the end of the decentralized identifier at `at` (W3C DID §3.1): `did:`, a method, a colon, a name.
fn identifier(view: &View<'_>, at: usize) -> Result<Option<usize>, Incomplete> {
    let Some(method) = after_ascii(view, at, b"did:")? else { return Ok(None) };
    let (mut end, mut last, mut colon) = (method, method, None);
    while end - at <= host::MAX_HOST {
        match view.byte(end)? {
            Some(b':') if colon.is_none() && end > method => colon = Some(end),
            Some(b':' | b'.' | b'-' | b'_' | b'%') if colon.is_some() => {}
            Some(byte) if byte.is_ascii_alphanumeric() => last = end + 1,
            _ => break,
        }
        end += 1;
    }
    Ok(colon.filter(|colon| last > colon + 1).map(|_| last))
}

/// Returns where the path of a repository begins that follows a host and a colon at `at`: `:me/x.git`. Its first segment is not
/// a number, which would be a port.
pub(super) fn remote_path(view: &View<'_>, at: usize) -> Result<Option<usize>, Incomplete> {
    if view.byte(at)? != Some(b':') {
        return Ok(None);
    }
    let (mut end, mut is_number) = (at + 1, true);
    while end - at <= MAX_SEGMENT {
        match view.byte(end)? {
            Some(b'/' | b'\\') if end > at + 1 => {
                let is_path = view.text[end] == b'/' || is_escaped_slash(view, end)?;
                return Ok((is_path && !is_number).then_some(at + 1));
            }
            Some(byte) if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) => {
                is_number &= byte.is_ascii_digit();
            }
            _ => return Ok(None),
        }
        end += 1;
    }
    Ok(None)
}
