//! CDATA sections, in XML and in the SVG and MathML of HTML, in any encoding whose `]` may be half a character.

use crate::input::chunk::Chunk;

/// Returns whether a character begins at the second offset, given that one begins at the first.
pub(crate) type IsBoundary = fn(Chunk<'_>, usize, usize) -> bool;

/// Number of bytes that a cut leaves behind it: the `]]` of the end, and all of a character but its first byte.
const LEFT: usize = 3;

/// Returns where the `]]>` of a CDATA section begins; `known` is an offset in it at which a character begins.
pub(super) fn cdata_end(bytes: Chunk<'_>, known: usize, is_boundary: IsBoundary) -> Option<usize> {
    let mut at = known;
    loop {
        let end = at + memchr::memmem::find(bytes.get(at..)?, b"]]>")?;
        if is_boundary(bytes, known, end) {
            return Some(end);
        }
        at = end + 1;
    }
}

/// Returns where a section is cut whose end is not among the bytes: before anything that may begin its end, and not
/// inside of a character.
pub(super) fn cdata_cut(bytes: Chunk<'_>, known: usize, is_boundary: IsBoundary) -> usize {
    let mut end = bytes.end().saturating_sub(LEFT).max(known);
    while end > known && !is_boundary(bytes, known, end) {
        end -= 1;
    }
    end
}
