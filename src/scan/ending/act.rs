//! Classifies the bytes of a link's tail by the action that they need in the search for its end.

/// Action of the search for a byte.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Act {
    /// Include; no other action is needed.
    Plain,
    /// Soft; no other action is needed.
    Soft,
    /// Hard: white space and controls.
    Hard,
    /// `=`, which closes the brackets of a value in a query.
    Value,
    /// `?`, which opens the query after a path.
    Query,
    /// The first byte of a non-ASCII character, or of a malformed sequence.
    Foreign,
    /// Any other byte: the character must be examined.
    Look,
}

pub(super) const ACTS: [Act; 256] = {
    let mut acts = [Act::Foreign; 256];
    let mut byte = 0;
    while byte < 128 {
        acts[byte] = match byte as u8 {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' => Act::Plain,
            b'-' | b'_' | b'~' | b'$' | b'*' | b'+' | b'@' | b'/' => Act::Plain,
            b'.' | b',' | b'!' | b';' => Act::Soft,
            0..=b' ' | 0x7F => Act::Hard,
            b'=' => Act::Value,
            b'?' => Act::Query,
            _ => Act::Look,
        };
        byte += 1;
    }
    acts
};
