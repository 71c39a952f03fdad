//! Property sets ([MS-OLEPS]): the texts of title, subject, authors, comments and of a user's own properties.

use super::compound::{len_at, u16_at, u32_at, utf16};
use crate::charset::Charset;

/// Types of values: text in the code page, and in UTF-16.
const TEXT: u32 = 30;
const WIDE_TEXT: u32 = 31;
/// Property that names the code page.
const CODE_PAGE: u32 = 1;
/// Properties that name files and programs: the template and the program of `SummaryInformation`.
const NAMES: [u32; 2] = [7, 18];
/// Maximum number of properties of a set.
const MAX_PROPERTIES: usize = 1 << 12;

/// Returns the texts of a stream of property sets as lines.
pub(super) fn read(stream: &[u8], is_summary: bool) -> String {
    let mut lines = String::new();
    let count = len_at(stream, 24).unwrap_or_default().min(2);
    for number in 0..count {
        let set = len_at(stream, 28 + number * 20 + 16).and_then(|start| stream.get(start..));
        read_set(set.unwrap_or_default(), is_summary, &mut lines);
    }
    lines
}

fn read_set(set: &[u8], is_summary: bool, lines: &mut String) {
    let count = len_at(set, 4).unwrap_or_default().min(MAX_PROPERTIES);
    let property =
        |number: usize| Some((u32_at(set, 8 + number * 8)?, len_at(set, 12 + number * 8)?));
    let properties = || (0..count).map_while(property);
    let page = properties().find(|(id, _)| *id == CODE_PAGE);
    let page = page.and_then(|(_, at)| u16_at(set, at.checked_add(4)?));
    let charset = page.and_then(|page| Charset::of_code_page(page.into()));
    let charset = charset.unwrap_or(Charset::WINDOWS_1252);
    let mut left = set.len();
    for (_, at) in properties().filter(|(id, _)| !is_summary || !NAMES.contains(id)) {
        let Some(value) = set.get(at..) else { continue };
        let (kind, len) = (u32_at(value, 0), len_at(value, 4).unwrap_or_default());
        let bytes = value.get(8..).unwrap_or_default();
        let unit = if kind == Some(WIDE_TEXT) { 2 } else { 1 };
        let bytes = &bytes[..bytes.len().min(len.saturating_mul(unit))];
        // Values do not share bytes.
        let Some(after) = left.checked_sub(bytes.len()) else { continue };
        let text = match kind {
            Some(WIDE_TEXT) => utf16(bytes),
            Some(TEXT) => charset.decode(bytes).into_owned(),
            _ => continue,
        };
        left = after;
        lines.push_str(text.trim_end_matches('\0'));
        lines.push('\n');
    }
}
