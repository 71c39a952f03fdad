//! Metadata at the beginning of a document.
//!
//! The input is the text of the document, the result is the range of its metadata, and where the rest begins.

use std::ops::Range;

/// Returns the range of the metadata that a document begins with, and the offset after it: YAML between `---` and `---` or
/// `...`, or TOML between two `+++`.
pub(super) fn front_matter(text: &str) -> (Range<usize>, usize) {
    const NONE: (Range<usize>, usize) = (0..0, 0);
    // After a byte order mark.
    let inside = text.trim_start_matches('\u{FEFF}');
    let mut lines = inside.split_inclusive('\n');
    let Some(first) = lines.next() else { return NONE };
    let start = text.len() - inside.len() + first.len();
    let ends: &[&str] = match first.trim_ascii_end() {
        "---" => &["---", "..."],
        "+++" => &["+++"],
        _ => return NONE,
    };
    let mut at = start;
    for line in lines {
        let written = line.trim_ascii_end();
        let is_end = ends.contains(&written);
        // Two such lines, or one before an empty line, are not metadata.
        if at == start && (is_end || written.is_empty()) {
            return NONE;
        }
        if is_end {
            return (start..at, at + line.len());
        }
        at += line.len();
    }
    NONE
}
