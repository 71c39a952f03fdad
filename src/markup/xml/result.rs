//! Text that a field or a formula shows, which its document has behind the code.
//!
//! | code | text |
//! |---|---|
//! | `w:instrText` | the runs from `separate` to `end` of the field |
//! | `w:fldSimple@w:instr` | the runs of the element |
//! | `f` | the value of the cell |
//!
//! It reads ahead of the tokenizer and keeps no state, as [`anchor`](crate::markup::anchor::anchor) does.

use std::mem;
use std::ops::{ControlFlow, Range};

use super::package::ShownText;
use super::part::{CELL, PartItem, PartTag, items_until, read, tag_end};
use crate::input::chunk::Chunk;
use crate::limits;
use crate::markup::anchor::{AnchorElement, AnchorText, ReadAnchor, STORED};
use crate::markup::visible::push_shown;

/// Fields, codes or elements that are followed: each may be a link whose text is read separately.
const DEEPEST: usize = 8;

const DONE: ControlFlow<()> = ControlFlow::Break(());
const MORE: ControlFlow<()> = ControlFlow::Continue(());

/// Returns the text that a code in this range shows.
pub(crate) fn result_text(
    chunk: Chunk<'_>,
    code: Range<usize>,
    element: AnchorElement,
) -> ReadAnchor {
    let bytes = chunk.get(code.end..).unwrap_or_default();
    let is_capped = bytes.len() >= STORED;
    let bytes = bytes.get(..STORED).unwrap_or(bytes);
    let (text, is_done) = match element {
        AnchorElement::FieldCode => of_field(bytes, is_begun(chunk.get(code).unwrap_or_default())),
        AnchorElement::FieldElement => of_element(bytes),
        _ => of_cell(bytes),
    };
    if !is_done && !is_capped && !chunk.is_last() {
        return ReadAnchor::Cut;
    }
    let is_whole = (is_done || !is_capped) && text.len() <= limits::SHOWN;
    ReadAnchor::Text(AnchorText {
        bytes: text.into_bytes(),
        is_whole,
        alternatives: Vec::new(),
        has_title: false,
        is_resolved: true,
    })
}

/// Returns `true` if a code ends with the mark that begins another field in it.
fn is_begun(code: &[u8]) -> bool {
    let open = memchr::memrchr(b'<', code);
    let tag = open.filter(|_| code.ends_with(b">")).and_then(|open| code.get(open..));
    tag.is_some_and(|tag| memchr::memmem::find(tag, b"fldChar").is_some())
}

fn mark(tag: PartTag<'_>) -> &[u8] {
    tag.attribute(b"fldCharType", true).unwrap_or_default()
}

/// Fields whose result is read.
struct FieldMarks {
    /// Number of fields that are open in the one that is read.
    depth: usize,
    /// Those of them that are in their code: a bit for each depth.
    in_code: u16,
    /// Number of codes that have begun.
    codes: usize,
    /// Whether the next piece of a code begins one.
    is_new: bool,
}

impl FieldMarks {
    /// Reads a tag; breaks where the field ends, or more is not read.
    fn item(&mut self, item: &PartItem<'_>, is_continued: bool) -> ControlFlow<()> {
        match item {
            PartItem::Start(tag) if tag.local == b"fldChar" => {
                self.is_new = true;
                self.mark(mark(*tag))?;
            }
            PartItem::Start(tag) if matches!(tag.local, b"instrText" | b"delInstrText") => {
                self.codes += usize::from(mem::take(&mut self.is_new));
                // A code that is not separated; and a limit, since the text of each code is read separately.
                let is_other = self.depth == 0 && !self.is_result() && !is_continued;
                if is_other || self.codes > DEEPEST {
                    return DONE;
                }
            }
            PartItem::Start(tag) if tag.local == b"p" => self.is_new = true,
            PartItem::End(b"p") if !self.is_result() && self.depth == 0 => return DONE,
            PartItem::End(b"p") => self.is_new = true,
            _ => {}
        }
        MORE
    }

    fn mark(&mut self, kind: &[u8]) -> ControlFlow<()> {
        let bit = 1 << self.depth;
        match kind {
            b"begin" if self.depth == DEEPEST => return DONE,
            b"begin" => {
                self.depth += 1;
                self.in_code |= bit << 1;
            }
            b"separate" => self.in_code &= !bit,
            b"end" if self.depth == 0 => return DONE,
            b"end" => {
                self.depth -= 1;
                self.in_code &= !bit;
            }
            _ => {}
        }
        MORE
    }

    /// Returns `true` if the result of the field has begun.
    fn is_result(&self) -> bool {
        self.in_code & 1 == 0
    }
}

/// Reads the result of a field in whose code a field has begun, or not.
fn of_field(bytes: &[u8], is_begun: bool) -> (String, bool) {
    let mut shown = ShownText::of_all();
    let depth = usize::from(is_begun);
    let mut marks = FieldMarks { depth, in_code: (2 << depth) - 1, codes: 0, is_new: true };
    let flow = items_until(bytes, |item| {
        // The code goes on behind a field in it.
        marks.item(&item, is_begun)?;
        if marks.is_result() {
            // The code of a field in the result is not shown.
            shown.hide(marks.in_code != 0);
            shown.item(item);
        }
        MORE
    });
    (shown.into_all(), flow.is_break())
}

/// Reads the runs of an element with whose attribute's closing quote the bytes begin.
fn of_element(bytes: &[u8]) -> (String, bool) {
    let Some((start, is_empty)) = tag_end(Chunk::whole(bytes), bytes.len().min(1)) else {
        return (String::new(), false);
    };
    if is_empty {
        return (String::new(), true);
    }
    let (mut shown, mut depth, mut links) = (ShownText::of_all(), 0_usize, 0);
    let flow = items_until(bytes.get(start..).unwrap_or_default(), |item| {
        match &item {
            PartItem::Start(tag) => {
                links += usize::from(matches!(tag.local, b"fldSimple" | b"hlink"));
                depth += 1;
                if links > DEEPEST {
                    return DONE;
                }
            }
            PartItem::End(_) if depth == 0 => return DONE,
            PartItem::End(_) => depth -= 1,
            PartItem::Text(_) => {}
        }
        shown.item(item);
        MORE
    });
    (shown.into_all(), flow.is_break())
}

/// Reads the value of a cell behind its formula.
fn of_cell(bytes: &[u8]) -> (String, bool) {
    let (mut text, mut is_value) = (String::new(), false);
    let flow = items_until(bytes, |item| {
        match item {
            PartItem::Start(tag) if matches!(tag.local, b"c" | b"f") => return DONE,
            PartItem::End(b"c") => return DONE,
            PartItem::Start(tag) => is_value = matches!(tag.local, b"v" | b"t"),
            PartItem::End(_) => is_value = false,
            PartItem::Text(stored) if is_value => push_shown(&mut text, &read(stored, CELL)),
            PartItem::Text(_) => {}
        }
        MORE
    });
    (text, flow.is_break())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reads the result of a field, of marks and texts: `B`, `S` and `E` for `begin`, `separate` and `end`.
    fn result(items: &[&str], is_begun: bool) -> (String, bool) {
        let item = |item: &&str| match *item {
            "B" => "<w:fldChar w:fldCharType=\"begin\"/>".to_owned(),
            "S" => "<w:fldChar w:fldCharType=\"separate\"/>".to_owned(),
            "E" => "<w:fldChar w:fldCharType=\"end\"/>".to_owned(),
            "CODE" => "<w:instrText>no</w:instrText>".to_owned(),
            tag if tag.starts_with('<') => tag.to_owned(),
            text => format!("<w:r><w:t>{text}</w:t></w:r>"),
        };
        of_field(items.iter().map(item).collect::<String>().as_bytes(), is_begun)
    }

    #[test]
    fn results_of_fields() {
        for (items, shown) in [
            (&["S", "a", "E", "no"][..], "a"),
            (&["S", "<w:instrText/>", "a", "CODE", "b", "E"], "ab"),
            (&["S", "a", "B", "CODE", "no", "S", "b", "E", "c", "E"], "abc"),
            (&["S", "B", "no", "B", "no", "S", "no", "E", "no", "S", "b", "E", "c", "E"], "bc"),
            (&["S", "B", "<w:moveFrom>", "no", "</w:moveFrom>", "E", "c", "E"], "c"),
            (&["CODE", "S", "no", "E"], ""),
            (&["</w:p>", "S", "no", "E"], ""),
        ] {
            assert_eq!(result(items, false), (shown.to_owned(), true), "{items:?}");
        }
        assert_eq!(result(&["E", "CODE", "S", "a", "E"], true), ("a".to_owned(), true));
    }

    #[test]
    fn codes_behind_a_code_are_read_to_a_number() {
        for (count, shown) in [(DEEPEST, "a"), (DEEPEST + 1, "")] {
            let mut items = [["E", "CODE", "B"]].repeat(count).concat();
            items.extend(["E", "S", "a", "E"]);
            assert_eq!(result(&items, true), (shown.to_owned(), true));
            let mut items = vec!["S"];
            items.extend([["CODE", "S"]].repeat(count).concat());
            items.extend(["a", "E"]);
            assert_eq!(result(&items, false), (shown.to_owned(), true));
        }
    }
}
