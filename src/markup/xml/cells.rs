//! Values of the cells of a worksheet, as far as they are wanted; strings that cells share are in another part of the workbook.

use std::collections::HashMap;

use super::part::{CELL, PartItem, each_item, push, read};

/// Returns the values of the cells that are wanted, by their names; `shared` returns the part with the strings of the workbook.
pub(super) fn values(
    sheet: &[u8],
    is_wanted: &dyn Fn(&[u8]) -> bool,
    shared: impl FnOnce() -> Option<Vec<u8>>,
) -> HashMap<Vec<u8>, String> {
    let mut cells = CellValues { is_wanted, open: None, values: HashMap::new() };
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
    values: HashMap<Vec<u8>, CellValue>,
}

impl CellValues<'_> {
    fn item(&mut self, item: PartItem<'_>) {
        match (item, &mut self.open) {
            (PartItem::Start(tag), open) if tag.local == b"c" => {
                let name = tag.attribute(b"r", false).unwrap_or_default();
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
                push(&mut open.text, &read(text, CELL));
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
                push(string, &read(text, CELL));
            }
        }
        PartItem::Text(_) => {}
    });
    strings
}
