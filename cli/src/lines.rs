//! The lines around a link.

use linksift::Charset;
use linksift::files::Surroundings;

/// Number of bytes before and after a link that are examined for each line, and of one line that are decoded: much more than
/// the characters that are shown.
const REACH: usize = 4096;
/// Maximum number of characters of a line that are shown on either side of the link.
const SHOWN: usize = 200;

/// The text around a link: lines before it, its line on both sides of it, lines after it.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Around {
    pub(crate) before: Vec<String>,
    pub(crate) left: String,
    pub(crate) right: String,
    pub(crate) after: Vec<String>,
}

/// Returns the number of bytes that are needed on either side of a link for `count` lines.
pub(crate) fn reach(count: usize) -> usize {
    REACH * (count + 1)
}

/// Returns `count` lines around a link in a document of this encoding.
pub(crate) fn around(found: Surroundings<'_>, charset: Charset, count: usize) -> Around {
    let Surroundings { before, after, is_cut, .. } = found;
    split([before, after], is_cut, charset, count)
}

/// Returns `count` lines on either side; the first one may be cut.
///
/// Only bytes that can be shown are decoded, since the text around a link is repeated with each link of it.
fn split([before, after]: [&[u8]; 2], is_cut: bool, charset: Charset, count: usize) -> Around {
    let width = Width::of(charset);
    // A text in UTF-16 that is cut may begin with half a unit.
    let mut rest = &before[before.len() % width.bytes()..];
    let mut lines = Vec::new();
    // The last of them is the line of the link.
    while lines.len() <= count {
        let Some(end) = width.last_line_feed(rest) else {
            // A line that is cut is not shown, except that of the link.
            if !is_cut || lines.is_empty() {
                lines.push(rest);
            }
            break;
        };
        lines.push(&rest[end + width.bytes()..]);
        rest = &rest[..end];
    }
    let own = lines.first().copied().unwrap_or_default();
    let own = &own[own.len().saturating_sub(REACH)..];
    let left = charset.decode(own);
    let before = lines.iter().skip(1).rev().map(|line| start_of(line, charset)).collect();

    let mut rest = Some(after);
    let mut next = || {
        let bytes = rest?;
        let end = width.first_line_feed(bytes);
        rest = end.map(|end| &bytes[end + width.bytes()..]);
        Some(start_of(&bytes[..end.unwrap_or(bytes.len())], charset))
    };
    let right = next().unwrap_or_default();
    let mut after: Vec<_> = std::iter::from_fn(&mut next).take(count).collect();
    // No line follows the last line end.
    if rest.is_none() && after.last().is_some_and(String::is_empty) {
        after.pop();
    }
    // A byte order mark is not text.
    Around { before, left: shortened(line(without_mark(&left)), Side::End), right, after }
}

/// Returns the start of a line as text.
fn start_of(bytes: &[u8], charset: Charset) -> String {
    let text = charset.decode(&bytes[..bytes.len().min(REACH)]);
    shortened(line(without_mark(&text)), Side::Start)
}

fn without_mark(text: &str) -> &str {
    text.strip_prefix('\u{FEFF}').unwrap_or(text)
}

/// Size of the units of an encoding, in which a line feed is looked for.
#[derive(Clone, Copy)]
enum Width {
    /// A line feed is the byte 0x0A, and this byte is nothing else.
    One,
    /// A unit has two bytes, of which this one is the low one.
    Two(usize),
}

impl Width {
    fn of(charset: Charset) -> Width {
        match charset.as_str() {
            "utf-16le" => Width::Two(0),
            "utf-16be" => Width::Two(1),
            _ => Width::One,
        }
    }

    fn bytes(self) -> usize {
        match self {
            Width::One => 1,
            Width::Two(_) => 2,
        }
    }

    /// Returns where the unit of a line feed begins, given its byte 0x0A in a text of complete units.
    fn unit(self, text: &[u8], at: usize) -> Option<usize> {
        match self {
            Width::One => Some(at),
            Width::Two(low) => (at % 2 == low && text.get(at ^ 1) == Some(&0)).then_some(at & !1),
        }
    }

    fn first_line_feed(self, text: &[u8]) -> Option<usize> {
        memchr::memchr_iter(b'\n', text).find_map(|at| self.unit(text, at))
    }

    fn last_line_feed(self, text: &[u8]) -> Option<usize> {
        memchr::memrchr_iter(b'\n', text).find_map(|at| self.unit(text, at))
    }
}

fn line(text: &str) -> &str {
    text.strip_suffix('\r').unwrap_or(text)
}

/// The side of a line that is kept.
#[derive(Clone, Copy)]
enum Side {
    Start,
    End,
}

fn shortened(text: &str, side: Side) -> String {
    let count = text.chars().count();
    match (count.checked_sub(SHOWN), side) {
        (None | Some(0), _) => text.to_owned(),
        (Some(_), Side::Start) => text.chars().take(SHOWN).chain(['…']).collect(),
        (Some(over), Side::End) => ['…'].into_iter().chain(text.chars().skip(over)).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The lines by splitting the decoded text.
    fn by_text(text: &str, at: usize, len: usize, count: usize) -> Around {
        let mut before: Vec<_> = text[..at].split('\n').map(line).collect();
        let left = before.pop().unwrap();
        let before = before.split_off(before.len().saturating_sub(count));
        let mut after = text[at + len..].split('\n').map(line);
        let right = after.next().unwrap();
        let mut after: Vec<_> = after.collect();
        if after.last() == Some(&"") {
            after.pop();
        }
        after.truncate(count);
        let owned = |line: &&str| shortened(line, Side::Start);
        Around {
            before: before.iter().map(owned).collect(),
            left: shortened(left, Side::End),
            right: shortened(right, Side::Start),
            after: after.iter().map(owned).collect(),
        }
    }

    #[test]
    fn lines_are_those_of_the_decoded_text() {
        let long = format!("{}\r\n", "é".repeat(300));
        // U+0A0A and U+0A00 have the byte of a line feed, and U+010A before U+0020 two bytes that look like one.
        for lines in ["a\nb\r\nc\n", "\n\n", "", "\u{A0A}\u{A00}\u{10A} \u{A0A}\nx\n", &long] {
            for more in ["", "\n", "z", "y\nz", &long] {
                let text = format!("{lines}l http://e.com/ r\r\n{more}{lines}");
                let at = text.find("http").unwrap();
                for count in [0, 1, 2, 3, 100] {
                    let expected = by_text(&text, at, 13, count);
                    let utf8 = [&text.as_bytes()[..at], &text.as_bytes()[at + 13..]];
                    let utf_8 = "utf-8".parse().unwrap();
                    assert_eq!(split(utf8, false, utf_8, count), expected, "{text:?} {count}");
                    for (name, of) in [
                        ("utf-16le", u16::to_le_bytes as fn(u16) -> [u8; 2]),
                        ("utf-16be", u16::to_be_bytes),
                    ] {
                        let bytes =
                            |text: &str| text.encode_utf16().flat_map(of).collect::<Vec<_>>();
                        let (before, after) = (bytes(&text[..at]), bytes(&text[at + 13..]));
                        let charset = name.parse().unwrap();
                        assert_eq!(
                            split([&before, &after], false, charset, count),
                            expected,
                            "{name} {text:?} {count}"
                        );
                        // Half a unit before them.
                        let odd = [&[0x0A], &before[..]].concat();
                        let cut = split([&odd, &after], true, charset, count);
                        assert_eq!(
                            (cut.left, cut.after),
                            (expected.left.clone(), expected.after.clone())
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn a_first_line_that_is_cut_is_shown_only_with_its_link() {
        let of = |before: &str, count| {
            split([before.as_bytes(), b""], true, "utf-8".parse().unwrap(), count)
        };
        assert_eq!(of("half a line", 3).left, "half a line");
        assert_eq!(of("half\nnext\nown ", 3).before, ["next"]);
        assert_eq!(of("half\nnext\nown ", 1).before, ["next"]);
    }
}
