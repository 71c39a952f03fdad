//! Citations: lines that begin with `>`, in elements by how deep they are.

/// The deepest element; what is deeper is in it.
const DEEPEST: usize = 32;

/// Which elements are open.
#[derive(Debug)]
pub(super) struct Citations {
    depth: usize,
    /// A line begins with what comes next.
    is_at_start: bool,
}

impl Default for Citations {
    fn default() -> Citations {
        Citations { depth: 0, is_at_start: true }
    }
}

impl Citations {
    /// Opens and closes elements before a piece of a line; at its start the signs are counted.
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

    /// A piece was written.
    pub(super) fn end(&mut self, piece: &str) {
        if !piece.is_empty() {
            self.is_at_start = piece.ends_with('\n');
        }
    }

    /// Closes elements until so many are open.
    pub(super) fn close(&mut self, depth: usize, html: &mut String) {
        while self.depth > depth {
            html.push_str("</blockquote>");
            self.depth -= 1;
        }
    }
}

/// How many signs are at a line's start, single spaces between them.
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
