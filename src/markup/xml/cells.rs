//! Values of the cells of a worksheet, as far as they are wanted; strings that cells share are in another part of the workbook.

use std::borrow::Cow;
use std::collections::HashMap;

use super::part::{CELL, PartItem, each_item, read};
use crate::markup::visible::push_shown;

/// Returns the values of the cells that are wanted, by their names; `shared` returns the part with the strings of the workbook.
pub(super) fn values(
    sheet: &[u8],
    is_wanted: &dyn Fn(&[u8]) -> bool,
    shared: impl FnOnce() -> Option<Vec<u8>>,
) -> HashMap<Vec<u8>, String> {
    let mut cells = CellValues { is_wanted, open: None, column: 0, row: 0, values: HashMap::new() };
    each_item(sheet, |item| cells.item(item));
    let values = cells.values;
    let is_shared = |value: &&CellValue| matches!(value, CellValue::Shared(_));
    let strings = match values.values().find(is_shared).and_then(|_| shared()) {
        Some(part) => shared_strings(&part, &values),
        None => HashMap::new(),
    };
    let text = |value| match value {
        CellValue::Text(text) => Some(text),
        CellValue::Shared(number) => strings.get(&number).cloned(),
    };
    values.into_iter().filter_map(|(cell, value)| Some((cell, text(value)?))).collect()
}

/// Returns the column and the row that the name of a cell, or of a row, has: `AB12`.
fn position(name: &[u8]) -> (Option<u32>, Option<u32>) {
    let letters = name.iter().take_while(|byte| byte.is_ascii_alphabetic()).count();
    let (column, row) = name.split_at(letters);
    let digit = |byte: &u8| u32::from(byte.to_ascii_uppercase() - b'A') + 1;
    let column = column
        .iter()
        .try_fold(0_u32, |number, byte| number.checked_mul(26)?.checked_add(digit(byte)));
    let row = str::from_utf8(row).ok().and_then(|row| row.parse().ok());
    (column.filter(|column| *column > 0), row)
}

/// Returns the name of the cell in a column and a row.
fn name_of(mut column: u32, row: u32) -> Vec<u8> {
    let mut name = Vec::new();
    while column > 0 {
        name.push(b'A' + ((column - 1) % 26) as u8);
        column = (column - 1) / 26;
    }
    name.reverse();
    name.extend(row.to_string().bytes());
    name
}

/// Value of a cell.
enum CellValue {
    Text(String),
    /// Number of a string that cells share.
    Shared(usize),
}

/// The cell that is open.
struct OpenCell {
    name: Vec<u8>,
    is_shared: bool,
    text: String,
    /// Whether the next text is of its value.
    is_value: bool,
}

/// Values of the cells that have links, as the sheet is read.
struct CellValues<'w> {
    is_wanted: &'w dyn Fn(&[u8]) -> bool,
    open: Option<OpenCell>,
    /// Position of the last cell, from 1 on: cells and rows without a name follow the one before.
    column: u32,
    row: u32,
    values: HashMap<Vec<u8>, CellValue>,
}

impl CellValues<'_> {
    fn item(&mut self, item: PartItem<'_>) {
        match (item, &mut self.open) {
            (PartItem::Start(tag), _) if tag.local == b"row" => {
                let number = tag.attribute(b"r", false).and_then(|name| position(name).1);
                self.row = number.unwrap_or(self.row.saturating_add(1));
                self.column = 0;
            }
            (PartItem::Start(tag), open) if tag.local == b"c" => {
                let name = tag.attribute(b"r", false);
                let column = name.and_then(|name| position(name).0);
                self.column = column.unwrap_or(self.column.saturating_add(1));
                let name = match name {
                    Some(name) => Cow::Borrowed(name),
                    None => Cow::Owned(name_of(self.column, self.row)),
                };
                let name = &*name;
                let is_shared = tag.attribute(b"t", false) == Some(b"s");
                let is_wanted = (self.is_wanted)(name);
                let new = |name: &[u8]| OpenCell {
                    name: name.to_vec(),
                    is_shared,
                    text: String::new(),
                    is_value: false,
                };
                *open = is_wanted.then(|| new(name));
            }
            (PartItem::Start(tag), Some(open)) => open.is_value = matches!(tag.local, b"v" | b"t"),
            (PartItem::Text(text), Some(open)) if open.is_value => {
                push_shown(&mut open.text, &read(text, CELL));
            }
            (PartItem::End(b"c"), open) => {
                let Some(OpenCell { name, is_shared, text, .. }) = open.take() else { return };
                let value = match is_shared {
                    true => text.trim().parse().ok().map(CellValue::Shared),
                    false => Some(CellValue::Text(text)),
                };
                if let Some(value) = value {
                    self.values.insert(name, value);
                }
            }
            (PartItem::End(_), Some(open)) => open.is_value = false,
            _ => {}
        }
    }
}

/// Returns the strings of a workbook that the values name.
fn shared_strings(part: &[u8], values: &HashMap<Vec<u8>, CellValue>) -> HashMap<usize, String> {
    let number = |value: &CellValue| match value {
        CellValue::Shared(number) => Some((*number, String::new())),
        CellValue::Text(_) => None,
    };
    let mut strings: HashMap<usize, String> = values.values().filter_map(number).collect();
    let (mut at, mut is_text, mut is_phonetic) = (0, false, false);
    each_item(part, |item| match item {
        PartItem::Start(tag) if tag.local == b"rPh" => is_phonetic = true,
        PartItem::Start(tag) => is_text = tag.local == b"t" && !is_phonetic,
        PartItem::End(b"si") => at += 1,
        PartItem::End(b"rPh") => is_phonetic = false,
        PartItem::End(_) => is_text = false,
        PartItem::Text(text) if is_text => {
            if let Some(string) = strings.get_mut(&at) {
                push_shown(string, &read(text, CELL));
            }
        }
        PartItem::Text(_) => {}
    });
    strings
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_cells() {
        for (name, column, row) in [
            ("A1", 1, 1),
            ("Z10", 26, 10),
            ("AA2", 27, 2),
            ("AZ3", 52, 3),
            ("ZZ4", 702, 4),
            ("XFD1048576", 16384, 1_048_576),
        ] {
            assert_eq!(position(name.as_bytes()), (Some(column), Some(row)));
            assert_eq!(name_of(column, row), name.as_bytes());
        }
        assert_eq!(position(b"7"), (None, Some(7)));
        assert_eq!(position(b"ZZZZZZZZZZ99999999999"), (None, None));
        assert_eq!(position(b""), (None, None));
    }
}
