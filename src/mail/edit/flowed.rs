//! Flowed text with `DelSp=yes` (RFC 3676 §4): a line that ends in a space goes on in the next one.
//!
//! Without `DelSp` the space stays, and ends a link as any other does: nothing is to be joined then.

use super::{EditedText, line};

/// The signature's line ends in a space and flows into nothing (§4.3).
const SIGNATURE: &[u8] = b"-- ";

pub(super) fn edit(source: &[u8], out: &mut EditedText) -> usize {
    let (mut done, mut start) = (0, 0);
    while start < source.len() {
        let (end, next) = line(source, start);
        let depth = depth(&source[start..end]);
        let text = unstuffed(source, start + depth);
        let is_flowed = end > text && source[end - 1] == b' ' && &source[text..end] != SIGNATURE;
        if is_flowed && next < source.len() {
            let (next_end, _) = line(source, next);
            let next_line = &source[next..next_end];
            let next_text = unstuffed(source, next + depth);
            if self::depth(next_line) == depth && source.get(next_text..next_end) != Some(SIGNATURE)
            {
                out.leave_out(source, &mut done, end - 1, next_text.min(next_end), true);
            }
        }
        start = next;
    }
    done
}

/// How deep a line is quoted: signs without anything between them (§4.5).
fn depth(line: &[u8]) -> usize {
    line.iter().take_while(|b| **b == b'>').count()
}

/// Returns the index after a stuffed space, which is not part of the line (§4.4).
fn unstuffed(source: &[u8], at: usize) -> usize {
    at + usize::from(source.get(at) == Some(&b' '))
}
