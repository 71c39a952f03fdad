//! Text that a field or a formula shows, which its document has behind the code.
//!
//! | code | text |
//! |---|---|
//! | `w:instrText` | the runs from `separate` to `end` of the field |
//! | `w:fldSimple@w:instr` | the runs of the element |
//! | `f` | the value of the cell |
//!
//! It reads ahead of the tokenizer and keeps no state, as [`anchor`](crate::markup::anchor::anchor) does.

use std::ops::{ControlFlow, Range};

use super::package::ShownText;
use super::part::{CELL, PartItem, PartTag, items_until, push, read, tag_end};
use crate::input::chunk::Chunk;
use crate::limits;
use crate::markup::anchor::{AnchorElement, AnchorText, ReadAnchor, STORED};

/// Fields or elements in a result that are followed: each may be a link whose text is read separately.
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
        AnchorElement::FieldCode => {
            of_field(bytes, usize::from(is_begun(chunk.get(code).unwrap_or_default())))
        }
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

/// Reads the result of a field with so many fields in its code that are open.
fn of_field(bytes: &[u8], mut depth: usize) -> (String, bool) {
    let (mut shown, mut is_result) = (ShownText::of_all(), false);
    // The code goes on behind a field in it.
    let is_continued = depth > 0;
    let flow = items_until(bytes, |item| {
        match &item {
            PartItem::Start(tag) if tag.local == b"fldChar" => match mark(*tag) {
                b"begin" if depth == DEEPEST => return DONE,
                b"begin" => depth += 1,
                b"separate" => is_result |= depth == 0,
                b"end" if depth == 0 => return DONE,
                b"end" => depth -= 1,
                _ => {}
            },
            // A code that is not separated, or another one without a mark.
            PartItem::Start(tag)
                if matches!(tag.local, b"instrText" | b"delInstrText")
                    && depth == 0
                    && (is_result || !is_continued) =>
            {
                return DONE;
            }
            PartItem::End(b"p") if !is_result && depth == 0 => return DONE,
            _ => {}
        }
        if is_result {
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
            PartItem::Text(stored) if is_value => push(&mut text, &read(stored, CELL)),
            PartItem::Text(_) => {}
        }
        MORE
    });
    (text, flow.is_break())
}
