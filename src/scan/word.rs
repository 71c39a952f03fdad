//! The run of ASCII characters before an offset, with references resolved: a scheme, or `mailto`.

use super::view::View;

/// Number of characters of a run that are kept: one more than a scheme can have.
const MAX: usize = 33;

/// Returns `true` if the byte may be in a scheme (RFC 3986 §3.1 `scheme`).
pub(crate) fn is_scheme_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'-' | b'.')
}

/// A run of ASCII characters that ends at a given offset.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Word<'v> {
    /// The run as it is in the text.
    plain: &'v [u8],
    /// Its characters, at the end of the buffer, if there may be references among them.
    buffer: Option<[u8; MAX]>,
    /// Number of its characters; [`MAX`] if there may be more.
    pub(crate) len: usize,
    /// Offset in the text at which it begins.
    pub(crate) start: usize,
    end: usize,
}

impl<'v> Word<'v> {
    /// Returns the run of characters before `end` for which `belongs` returns `true`, not beginning before `min_start`.
    #[inline]
    pub(crate) fn before(
        view: &View<'v>,
        end: usize,
        min_start: usize,
        belongs: impl Fn(u8) -> bool,
    ) -> Word<'v> {
        let low = min_start.max(end.saturating_sub(MAX));
        let mut start = end;
        while start > low && belongs(view.text[start - 1]) {
            start -= 1;
        }
        // Only a semicolon can be the end of a reference to one of the characters.
        if start > min_start && view.text[start - 1] == b';' {
            return Word::with_references(view, end, min_start, belongs);
        }
        Word { plain: &view.text[start..end], buffer: None, len: end - start, start, end }
    }

    #[cold]
    fn with_references(
        view: &View<'v>,
        end: usize,
        min_start: usize,
        belongs: impl Fn(u8) -> bool,
    ) -> Word<'v> {
        let mut buffer = [0; MAX];
        let (mut start, mut len) = (end, 0);
        while len < MAX && start > min_start {
            let c = view.prev(start, min_start);
            let Ok(byte @ 0..0x80) = u8::try_from(c.code) else { break };
            if !belongs(byte) {
                break;
            }
            len += 1;
            start -= c.len;
            buffer[MAX - len] = byte;
        }
        Word { plain: &[], buffer: Some(buffer), len, start, end }
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        match &self.buffer {
            Some(buffer) => &buffer[MAX - self.len..],
            None => self.plain,
        }
    }

    /// Returns where the last `len` characters begin in the text.
    pub(crate) fn start_of_last(&self, view: &View<'_>, len: usize) -> usize {
        if self.buffer.is_none() {
            return self.end - len;
        }
        let mut start = self.end;
        for _ in 0..len {
            start -= view.prev(start, self.start).len;
        }
        start
    }
}
