//! Dots and colons in brackets, which are written so that nobody follows a link: `example[.]org`, `http[:]//example.org`.

use super::view::{Incomplete, View};

/// Returns `true` if a text ends in a defanged dot or colon: `[.]`, `http[:]//`, `http[://]`.
pub(crate) fn is_before(before: &[u8]) -> bool {
    [&b"[.]"[..], b"[:]//", b"[://]"].iter().any(|sign| before.ends_with(sign))
}

/// Returns `true` if `[.]` follows.
pub(crate) fn is_dot_ahead(view: &View<'_>, at: usize) -> Result<bool, Incomplete> {
    Ok(view.byte(at)? == Some(b'[')
        && view.byte(at + 1)? == Some(b'.')
        && view.byte(at + 2)? == Some(b']'))
}
