//! Text of pages: content streams become glyphs with places (`content`, `font`), glyphs become lines (`layout`).

mod cmap;
mod content;
mod font;
mod glyph;
mod joins;
mod layout;
mod names;
mod open_type;
mod order;
mod program;

use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

use super::file::PdfFile;
use super::syntax::{ObjectId, PdfDictionary, PdfObject};
use content::ContentReader;
use font::PdfFont;
use glyph::Area;

/// Bytes of the content of a page.
const MOST_CONTENT: usize = 64 << 20;
/// Comparisons of a glyph with the area of an annotation on a page.
const MOST_COMPARED: usize = 1 << 27;
/// Glyphs that all annotations of a page cover.
const MOST_COVERED: usize = 1 << 22;
/// Maximum number of annotations of a link that is broken which are compared as one.
const MOST_PARTS: usize = 16;
/// Characters of a URI that are compared with the text over it.
const LONGEST_COMPARED: usize = 8 << 10;
/// Entries of the tables of fonts that are kept: those of 1,024 fonts with one byte for each code.
const MOST_FONT_ENTRIES: usize = 1 << 19;
/// Work of reading a font beside its streams: tables of 256 codes.
const FONT_WORK: usize = 4096;

/// Fonts that were read.
#[derive(Clone, Debug, Default)]
pub(super) struct FontCache {
    fonts: HashMap<ObjectId, Arc<PdfFont>>,
    /// Fonts by the names that the current resources give them.
    named: HashMap<Vec<u8>, Option<Arc<PdfFont>>>,
    entries: usize,
}

impl FontCache {
    /// Returns the font that resources give a name.
    fn named(
        &mut self,
        file: &mut PdfFile<'_>,
        resources: &PdfDictionary,
        name: &[u8],
    ) -> Option<Arc<PdfFont>> {
        if let Some(known) = self.named.get(name) {
            return known.clone();
        }
        let font = resource(file, resources, "Font", name, |file, font| self.font(file, font));
        let font = font.flatten();
        self.hold(font.as_deref());
        self.named.insert(name.to_owned(), font.clone());
        font
    }

    /// Forgets the names of fonts: other resources are in force.
    fn forget_names(&mut self) {
        self.named.clear();
    }

    fn font(&mut self, file: &mut PdfFile<'_>, font: &PdfObject) -> Option<Arc<PdfFont>> {
        let id = font.reference();
        if let Some(known) = id.and_then(|id| self.fonts.get(&id)) {
            return Some(Arc::clone(known));
        }
        file.spend(FONT_WORK)?;
        let font = file.resolve(font);
        let font = Arc::new(PdfFont::of(file, font.dictionary()?));
        if let Some(id) = id {
            self.hold(Some(&font));
            self.fonts.insert(id, Arc::clone(&font));
        }
        Some(font)
    }

    /// Counts the entries of a font that is kept, and drops the others where all are too many.
    fn hold(&mut self, font: Option<&PdfFont>) {
        self.entries += 1 + font.map_or(0, PdfFont::entries);
        if self.entries > MOST_FONT_ENTRIES {
            self.fonts.clear();
            self.named.clear();
            self.entries = 0;
        }
    }
}

/// Calls a function with the resource of a kind that has this name. To search for it counts as work.
fn resource<'b, T>(
    file: &mut PdfFile<'b>,
    resources: &PdfDictionary,
    kind: &str,
    name: &[u8],
    then: impl FnOnce(&mut PdfFile<'b>, &PdfObject) -> T,
) -> Option<T> {
    let loaded;
    let all = match resources.get(kind) {
        PdfObject::Dictionary(all) => all,
        reference => {
            loaded = file.resolve(reference);
            loaded.dictionary()?
        }
    };
    file.spend(all.len())?;
    let (_, found) = all.entries().find(|(key, _)| *key == name)?;
    Some(then(file, found))
}

/// Link of a page, with the glyphs that it covers.
#[derive(Clone, Debug, Default)]
struct LinkArea {
    uri: String,
    glyphs: Vec<usize>,
}

/// Annotation whose visible text is wanted.
#[derive(Clone, Debug)]
pub(super) struct WantedArea {
    /// The URI, if it has one.
    pub(super) uri: String,
    /// Corners of its rectangles.
    pub(super) corners: Vec<Vec<f64>>,
}

/// Text of a page.
#[derive(Clone, Debug, Default)]
pub(super) struct ReadPage {
    pub(super) text: String,
    /// Ranges of links that are cut at the end of a line, and whole in an annotation over them.
    pub(super) cut: Vec<Range<usize>>,
    /// Visible text of each annotation.
    pub(super) shown: Vec<String>,
    /// Some glyphs have no text.
    pub(super) has_unknown_glyphs: bool,
}

/// Reads the text of a page, and that of its annotations.
pub(super) fn read(
    file: &mut PdfFile<'_>,
    fonts: &mut FontCache,
    page: &PdfDictionary,
    resources: &PdfDictionary,
    areas: &[WantedArea],
) -> ReadPage {
    let content = content(file, page);
    fonts.forget_names();
    let mut reader = ContentReader::new(file, fonts);
    reader.read(&content, resources, 0);
    let has_unknown_glyphs = reader.has_unknown_glyphs;
    let page = reader.into_page();
    if page.glyphs.is_empty() {
        return ReadPage {
            shown: vec![String::new(); areas.len()],
            has_unknown_glyphs,
            ..ReadPage::default()
        };
    }
    let mut left = MOST_COMPARED / page.glyphs.len();
    let is_compared = |area: &&WantedArea| {
        let rectangles = left.checked_sub(area.corners.len());
        left = rectangles.unwrap_or(0);
        rectangles.is_some()
    };
    let mut left_glyphs = MOST_COVERED;
    let mut links: Vec<LinkArea> = areas
        .iter()
        .take_while(is_compared)
        .map(|area| covered(&page, area, &mut left_glyphs))
        .collect();
    let laid = layout::text(&page, &links);
    links.resize_with(areas.len(), LinkArea::default);
    let mut shown = Vec::new();
    let broken = links.chunk_by(|one, next| layout::goes_on(&laid, one, next));
    for parts in broken.flat_map(|parts| parts.chunks(MOST_PARTS)) {
        let glyphs: Vec<usize> =
            parts.iter().flat_map(|part| part.glyphs.iter().copied()).collect();
        // Each part of a link that is broken is read as the whole link.
        shown.resize(shown.len() + parts.len(), layout::shown(&laid, &glyphs));
    }
    ReadPage { text: laid.text, cut: laid.cut, shown, has_unknown_glyphs }
}

/// Returns the glyphs that an annotation covers, at most `left` of them.
fn covered(page: &glyph::PageGlyphs, area: &WantedArea, left: &mut usize) -> LinkArea {
    let rectangles: Vec<Area> =
        area.corners.iter().filter_map(|corners| Area::around(corners)).collect();
    let is_in = |glyph: &glyph::ShownGlyph| rectangles.iter().any(|rectangle| rectangle.has(glyph));
    let glyphs = page.glyphs.iter().enumerate().filter(|(_, glyph)| is_in(glyph));
    let glyphs: Vec<usize> = glyphs.map(|(number, _)| number).take(*left).collect();
    *left -= glyphs.len();
    LinkArea { uri: area.uri.chars().take(LONGEST_COMPARED).collect(), glyphs }
}

/// Returns the content of a page: its streams, one after the other.
fn content(file: &mut PdfFile<'_>, page: &PdfDictionary) -> Vec<u8> {
    let contents = file.get(page, "Contents");
    let streams = match contents {
        PdfObject::Array(streams) => streams,
        one => vec![one],
    };
    let mut content = Vec::new();
    for one in streams {
        let one = file.resolve(&one);
        let Some(data) = one.stream().and_then(|stream| file.data(stream)) else { continue };
        if content.len() + data.len() > MOST_CONTENT {
            file.faults.is_limited = true;
            break;
        }
        match content.is_empty() {
            true => content = data,
            false => content.extend_from_slice(&data),
        }
        content.push(b'\n');
    }
    content
}
