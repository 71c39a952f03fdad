//! Detects lines of uuencoded data, in which dots and at signs occur by chance.
//!
//! The input is the range of a possible host or address, the result is whether its line is one of those that uuencode
//! writes (POSIX.1 `uuencode`, historical algorithm): a character for the number of bytes, and then four characters for
//! every three bytes, all of U+0020 to U+0060.

use super::view::{Incomplete, View};

/// Length of the longest line: it encodes 45 bytes.
const MAX_LINE: usize = 61;
/// Minimum length of a line: a shorter one may look encoded by chance.
const MIN_LINE: usize = 17;

/// Returns `true` if `start..end` is in such a line.
#[inline]
pub(crate) fn is_around(view: &View<'_>, start: usize, end: usize) -> Result<bool, Incomplete> {
    // Such lines have no lower-case letters.
    if view.text[start] > b'`' || view.text[end - 1] > b'`' {
        return Ok(false);
    }
    is_line(view, start, end)
}

fn is_line(view: &View<'_>, start: usize, end: usize) -> Result<bool, Incomplete> {
    let is_data = |byte: u8| matches!(byte, b' '..=b'`');
    let low = start.saturating_sub(MAX_LINE);
    let before = &view.text[low..start];
    let line = match before.iter().rposition(|&b| !is_data(b)) {
        Some(at) if before[at] == b'\n' => low + at + 1,
        None if low == 0 => 0,
        _ => return Ok(false),
    };
    if !view.text[start..end].iter().copied().all(is_data) {
        return Ok(false);
    }
    let mut line_end = end;
    while line_end - line <= MAX_LINE {
        match view.byte(line_end)? {
            Some(byte) if is_data(byte) => line_end += 1,
            Some(b'\r' | b'\n') | None => break,
            Some(_) => return Ok(false),
        }
    }
    let len = line_end - line;
    let bytes = usize::from(view.text[line].saturating_sub(b' ') & 0x3F);
    Ok((MIN_LINE..=MAX_LINE).contains(&len) && len == 1 + 4 * bytes.div_ceil(3))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::References;

    fn is_data(line: &str, name: &str) -> bool {
        let text = format!("begin 644 a\n{line}\nend\n");
        let start = text.find(name).unwrap();
        let view = View::new(text.as_bytes(), true, References::Auto);
        is_around(&view, start, start + name.len()) == Ok(true)
    }

    #[test]
    fn lines_of_the_length_that_they_tell() {
        let full = format!("M{}A.IT{}", "\"8F]O".repeat(4), "#(R-D".repeat(7) + "X");
        assert_eq!(full.len(), 61);
        assert!(is_data(&full, "A.IT"));
        assert!(!is_data(&full[1..], "A.IT"));
        assert!(is_data("/2&QA<R@A.IT9(0&&&&&&", "A.IT"));
        assert!(!is_data("WWW.EXAMPLE.COM IS MY SITE", "WWW.EXAMPLE.COM"));
        assert!(!is_data("/2&QA<R@a.it9(0&&&&&&", "a.it"));
    }
}
