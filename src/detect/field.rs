//! Detects header fields by the colon in their first line.

/// Byte order mark of UTF-8, which editors put before messages too.
pub(crate) const MARK: &[u8] = b"\xEF\xBB\xBF";

/// Whether a byte may occur in the name of a field.
const IS_NAME: [bool; 256] = {
    let mut is_name = [false; 256];
    let mut byte = 33;
    while byte <= 126 {
        is_name[byte] = byte != b':' as usize;
        byte += 1;
    }
    is_name
};

/// Returns a line without its line end.
pub(crate) fn without_end(line: &[u8]) -> &[u8] {
    let line = line.strip_suffix(b"\n").unwrap_or(line);
    line.strip_suffix(b"\r").unwrap_or(line)
}

/// Returns the index of a field's colon in its line; `None` if the line is not a field.
pub(crate) fn colon(line: &[u8]) -> Option<usize> {
    let name = line.iter().position(|b| !IS_NAME[usize::from(*b)])?;
    // Nearly always the colon follows the name directly.
    let blanks = match line[name] {
        b':' => 0,
        _ => line[name..].iter().position(|b| !matches!(b, b' ' | b'\t'))?,
    };
    let colon = name + blanks;
    if name == 0 || line[colon] != b':' {
        return None;
    }
    // A URL in the first line of a body without an empty line before it is not a field.
    let is_url = line[colon + 1..].starts_with(b"//")
        && ["http", "https", "ftp"].iter().any(|s| line[..name].eq_ignore_ascii_case(s.as_bytes()));
    (!is_url).then_some(colon)
}

/// Returns the length in bytes of the name that a line begins with.
#[inline]
pub(crate) fn name_len(line: &[u8]) -> usize {
    line.iter().position(|b| !IS_NAME[usize::from(*b)]).unwrap_or(line.len())
}

/// Returns `true` if a line whose end was not read may be a field: it is a name so far, perhaps with blanks after it.
pub(crate) fn may_be_name(text: &[u8]) -> bool {
    text[name_len(text)..].iter().all(|b| matches!(b, b' ' | b'\t'))
}
