//! Visible texts of the links of a part of a package (ISO/IEC 29500), by the identifiers of its relationships.
//!
//! Word, Excel and PowerPoint write an identifier where a link is shown, and its target in another part, the relationships. The input is
//! the part that is shown. The text is what a reader sees: hidden runs, codes of fields and deleted text are left out.
//!
//! | where | identifier | text |
//! |---|---|---|
//! | Word | `w:hyperlink` | its runs |
//! | run of DrawingML | `a:hlinkClick` | the runs, one after the other, with the same identifier |
//! | shape, picture | `a:hlinkClick` of its properties | the text of the shape, or its `descr` |
//! | cell of Excel | `hyperlink` with `ref` | the value of the cell, or else `display` |

use std::collections::HashMap;
use std::mem;

use super::cells;
use super::part::{CELL, PartItem, PartTag, each_item, read};
use super::{LabelText, LinkLabel, Token, Xml};
use crate::markup::visible::push_shown;
use crate::scan::reference::Rules;

/// Bytes of texts that are kept of a part; links whose text is behind them have none.
const MOST_OF_TEXTS: usize = 4 << 20;
/// Texts of one relationship, which several links may have.
const MOST_OF_ONE: usize = 256;
/// Links that are open at the same time, and places where what is read is kept apart.
const MOST_OPEN: usize = 8;

/// Text of a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct PackageText {
    pub(crate) text: Box<str>,
    /// Whether it is the description of a picture.
    pub(crate) is_alternative: bool,
}

/// Texts of the links of a part.
#[derive(Debug, Default)]
pub(crate) struct PackageTexts {
    of: HashMap<Box<[u8]>, Vec<PackageText>>,
    len: usize,
}

impl PackageTexts {
    /// Returns the texts of a part; `shared` returns the part with the strings of a workbook.
    pub(crate) fn of_part(part: &[u8], shared: impl FnOnce() -> Option<Vec<u8>>) -> PackageTexts {
        let mut shown = ShownText::default();
        each_item(part, |item| shown.item(item));
        let ShownText { mut texts, cells, .. } = shown;
        if !cells.is_empty() {
            texts.add_cells(part, cells, shared);
        }
        texts
    }

    /// Returns the texts of the links with this identifier.
    pub(crate) fn of(&self, id: &[u8]) -> &[PackageText] {
        self.of.get(id).map_or(&[], Vec::as_slice)
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.of.is_empty()
    }

    fn add(&mut self, id: &[u8], text: &str, is_alternative: bool) {
        if text.trim().is_empty() || self.len >= MOST_OF_TEXTS {
            return;
        }
        let texts = self.of.entry(id.into()).or_default();
        let has_it = |one: &PackageText| *one.text == *text && one.is_alternative == is_alternative;
        if texts.len() < MOST_OF_ONE && !texts.iter().any(has_it) {
            let text = PackageText { text: text.into(), is_alternative };
            self.len += id.len() + text.text.len();
            texts.push(text);
        }
    }

    /// Adds the values of cells with links.
    fn add_cells(
        &mut self,
        sheet: &[u8],
        cells: HashMap<Vec<u8>, Vec<CellLink>>,
        shared: impl FnOnce() -> Option<Vec<u8>>,
    ) {
        let values = cells::values(sheet, &|cell| cells.contains_key(cell), shared);
        for (cell, links) in cells {
            let value = values.get(&cell).filter(|text| !text.is_empty());
            for CellLink { id, display } in links {
                self.add(&id, value.unwrap_or(&display), false);
            }
        }
    }
}

impl Xml {
    /// Returns the texts of the link whose target is the next value, if the tag is a relationship; descriptions of pictures are last.
    #[inline]
    pub(super) fn labels(&mut self) -> Vec<Token> {
        let Some(texts) = &self.texts else { return Vec::new() };
        let id = mem::take(&mut self.tag.id);
        // Identifiers are distinct: those that come again need not get all texts again.
        if id.is_empty() || self.labels_given >= MOST_OF_TEXTS {
            return Vec::new();
        }
        let mut texts: Vec<_> = texts.of(&id).iter().collect();
        self.labels_given += texts.iter().map(|text| text.text.len()).sum::<usize>();
        texts.sort_by_cached_key(|text| usize::from(text.is_alternative));
        let label = |text: &PackageText| {
            let text = LabelText::Given(text.clone());
            Token::Label(LinkLabel { text, is_image: false })
        };
        texts.into_iter().map(label).collect()
    }
}

/// Link of a cell.
struct CellLink {
    id: Vec<u8>,
    display: String,
}

/// A run of text: pieces with the same properties.
#[derive(Default)]
struct ShownRun {
    is_in: bool,
    is_hidden: bool,
    /// Whether its properties are read.
    in_properties: bool,
    id: Option<Vec<u8>>,
    text: String,
}

/// Links whose text is being read.
#[derive(Default)]
struct OpenLinks {
    /// Links of Word, and their texts.
    open: Vec<(Option<Vec<u8>>, String)>,
    run: ShownRun,
    /// Link of the runs of DrawingML before this one, and their text.
    joined: Option<(Vec<u8>, String)>,
    /// Text of all that is read, if that is wanted.
    all: Option<String>,
    /// Links of the shape that is open, and its text.
    shape: Option<(Vec<Vec<u8>>, String)>,
}

/// Elements with what was there before a change.
const CHANGED: [&[u8]; 3] = [b"rPrChange", b"pPrChange", b"moveFrom"];

/// Texts of links, as the part is read.
#[derive(Default)]
pub(super) struct ShownText {
    texts: PackageTexts,
    links: OpenLinks,
    /// Description of the drawing whose properties come.
    description: String,
    is_text: bool,
    /// Whether what comes is in the code of a field.
    is_code: bool,
    /// Number of elements around with text or properties of before a change.
    changes: usize,
    /// Links that are open beyond the most.
    over: usize,
    /// What is around an element that is shown where another one is not understood: its links are read apart.
    around: Vec<OpenLinks>,
    cells: HashMap<Vec<u8>, Vec<CellLink>>,
}

impl ShownText {
    /// Creates a reader of one text.
    pub(super) fn of_all() -> ShownText {
        let links = OpenLinks { all: Some(String::new()), ..OpenLinks::default() };
        ShownText { links, ..ShownText::default() }
    }

    /// Returns the text of all that was read.
    pub(super) fn into_all(self) -> String {
        self.links.all.unwrap_or_default()
    }

    /// Hides what comes, or no longer.
    pub(super) fn hide(&mut self, is_code: bool) {
        self.is_code = is_code;
    }

    pub(super) fn item(&mut self, item: PartItem<'_>) {
        match item {
            PartItem::Start(tag) if CHANGED.contains(&tag.local) => self.changes += 1,
            PartItem::End(local) if CHANGED.contains(&local) => {
                self.changes = self.changes.saturating_sub(1);
            }
            _ if self.changes > 0 => {}
            PartItem::Start(tag) if tag.local == b"Fallback" => self.begin_apart(),
            PartItem::End(b"Fallback") => self.end_apart(),
            PartItem::Start(tag) => self.start(tag),
            PartItem::End(local) => self.end(local),
            PartItem::Text(text) if self.is_text => self.text(&read(text, Rules::Xml)),
            PartItem::Text(_) => {}
        }
    }

    fn begin_apart(&mut self) {
        let links = mem::take(&mut self.links);
        if self.around.len() < MOST_OPEN {
            self.around.push(links);
        }
    }

    fn end_apart(&mut self) {
        if let Some(links) = self.around.pop() {
            self.end_of_joined();
            self.links = links;
        }
    }

    fn start(&mut self, tag: PartTag<'_>) {
        match tag.local {
            b"hyperlink" => match tag.attribute(b"ref", false) {
                Some(cell) => self.cell(cell, tag),
                None if self.links.open.len() < MOST_OPEN => {
                    self.links.open.push((tag.id().map(<[u8]>::to_vec), String::new()));
                }
                None => self.over += 1,
            },
            b"r" | b"fld" => self.links.run = ShownRun { is_in: true, ..ShownRun::default() },
            b"rPr" => self.links.run.in_properties = self.links.run.is_in,
            b"vanish" if self.links.run.in_properties => {
                let value = tag.attribute(b"val", true);
                self.links.run.is_hidden = !matches!(value, Some(b"0" | b"false" | b"off"));
            }
            b"t" => self.is_text = true,
            b"tab" | b"br" | b"cr" => self.text(" "),
            b"noBreakHyphen" => self.text("-"),
            b"sp" => self.links.shape = Some((Vec::new(), String::new())),
            b"cNvPr" | b"docPr" => {
                let described = tag.attribute(b"descr", false).unwrap_or_default();
                self.description = read(described, Rules::Xml);
                for id in self.links.open.iter().filter_map(|(id, _)| id.as_deref()) {
                    self.texts.add(id, &self.description, true);
                }
            }
            b"hlinkClick" | b"hlinkMouseOver" => self.click(tag),
            _ => {}
        }
    }

    fn cell(&mut self, cell: &[u8], tag: PartTag<'_>) {
        let Some(id) = tag.id() else { return };
        let first = cell.split(|byte| *byte == b':').next().unwrap_or_default();
        let display = read(tag.attribute(b"display", false).unwrap_or_default(), CELL);
        let links = self.cells.entry(first.to_vec()).or_default();
        if links.len() < MOST_OF_ONE {
            links.push(CellLink { id: id.to_vec(), display });
        }
    }

    /// Reads a link of a run, a shape or a picture.
    fn click(&mut self, tag: PartTag<'_>) {
        let Some(id) = tag.id() else { return };
        if self.links.run.in_properties {
            self.links.run.id = Some(id.to_vec());
            return;
        }
        match &mut self.links.shape {
            Some((ids, _)) if ids.len() < MOST_OPEN => ids.push(id.to_vec()),
            Some(_) => {}
            None => self.texts.add(id, &self.description, true),
        }
    }

    fn text(&mut self, text: &str) {
        if self.is_code || self.links.run.is_hidden {
            return;
        }
        if self.links.run.is_in {
            push_shown(&mut self.links.run.text, text);
        }
        for (_, open) in &mut self.links.open {
            push_shown(open, text);
        }
        if let Some(all) = &mut self.links.all {
            push_shown(all, text);
        }
        if let Some((_, shown)) = &mut self.links.shape {
            push_shown(shown, text);
        }
    }

    fn end(&mut self, local: &[u8]) {
        match local {
            b"hyperlink" if self.over > 0 => self.over -= 1,
            b"hyperlink" => {
                if let Some((Some(id), text)) = self.links.open.pop() {
                    self.texts.add(&id, &text, false);
                }
            }
            b"rPr" => self.links.run.in_properties = false,
            b"t" => self.is_text = false,
            b"r" | b"fld" => self.end_of_run(),
            b"p" => {
                self.end_of_joined();
                self.text(" ");
            }
            b"sp" => {
                let Some((ids, text)) = self.links.shape.take() else { return };
                for id in ids {
                    match text.trim().is_empty() {
                        true => self.texts.add(&id, &self.description, true),
                        false => self.texts.add(&id, &text, false),
                    }
                }
            }
            _ => {}
        }
    }

    fn end_of_run(&mut self) {
        let run = mem::take(&mut self.links.run);
        match (&mut self.links.joined, run.id) {
            (Some((id, text)), Some(own)) if *id == own => push_shown(text, &run.text),
            (_, own) => {
                self.end_of_joined();
                self.links.joined = own.map(|own| (own, run.text));
            }
        }
    }

    fn end_of_joined(&mut self) {
        if let Some((id, text)) = self.links.joined.take() {
            self.texts.add(&id, &text, false);
        }
    }
}
