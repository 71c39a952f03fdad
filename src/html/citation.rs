//! Citations: puts lines that begin with `>` into elements, nested by their depth.

/// Maximum depth of elements; deeper citations are in the deepest element.
const DEEPEST: usize = 32;

/// The elements that are open.
#[derive(Debug)]
pub(super) struct Citations {
    depth: usize,
    /// Whether the next piece begins a line.
    is_at_start: bool,
}

impl Default for Citations {
    fn default() -> Citations {
        Citations { depth: 0, is_at_start: true }
    }
}

impl Citations {
    /// Opens and closes elements before a piece of a line; at the start of a line the signs are counted.
    pub(super) fn line(&mut self, piece: &str, html: &mut String) {
        if !self.is_at_start || piece.is_empty() {
            return;
        }
        let depth = depth(piece).min(DEEPEST);
        self.close(depth, html);
        while self.depth < depth {
            html.push_str("<blockquote>");
            self.depth += 1;
        }
    }

    /// Processes the end of a piece.
    pub(super) fn end(&mut self, piece: &str) {
        if !piece.is_empty() {
            self.is_at_start = piece.ends_with('\n');
        }
    }

    /// Closes elements until this many are open.
    pub(super) fn close(&mut self, depth: usize, html: &mut String) {
        while self.depth > depth {
            html.push_str("</blockquote>");
            self.depth -= 1;
        }
    }
}

/// Returns the number of signs at a line's start, which may have single spaces between them.
fn depth(line: &str) -> usize {
    let (mut depth, mut is_after_space) = (0, false);
    for byte in line.bytes() {
        match byte {
            b'>' => (depth, is_after_space) = (depth + 1, false),
            b' ' if depth > 0 && !is_after_space => is_after_space = true,
            _ => break,
        }
    }
    depth
}
