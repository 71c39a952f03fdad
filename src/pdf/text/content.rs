//! Content streams: the operators that show text, and those that it depends on (ISO 32000-2 §8.4, §9.4, §14.6).

use std::sync::Arc;

use super::super::file::PdfFile;
use super::super::strings;
use super::super::syntax::{PdfDictionary, PdfLexer, PdfObject, PdfToken, is_white};
use super::font::PdfFont;
use super::glyph::{PageGlyphs, PlaneMatrix, ShownGlyph};
use super::{FontCache, names};

/// Operators of a page, with those of its forms.
const MOST_OPERATORS: usize = 4 << 20;
/// Glyphs of a page.
const MOST_GLYPHS: usize = 1 << 20;
/// Bytes of the text of a page: a code can stand for many characters.
const MOST_TEXT: usize = 16 << 20;
/// Forms in each other.
const DEEPEST: usize = 12;
/// Saved states, and marked content, in each other.
const MOST_SAVED: usize = 512;
/// Operands of an operator.
const MOST_OPERANDS: usize = 64;

/// State that `q` saves.
#[derive(Clone, Debug)]
struct GraphicsState {
    matrix: PlaneMatrix,
    font: Option<Arc<PdfFont>>,
    size: f64,
    character_space: f64,
    word_space: f64,
    /// Horizontal scaling, 1 for none.
    scale: f64,
    leading: f64,
    rise: f64,
}

impl GraphicsState {
    fn new() -> GraphicsState {
        GraphicsState {
            matrix: PlaneMatrix::IDENTITY,
            font: None,
            size: 0.0,
            character_space: 0.0,
            word_space: 0.0,
            scale: 1.0,
            leading: 0.0,
            rise: 0.0,
        }
    }
}

/// Text that replaces the glyphs of marked content.
#[derive(Clone, Debug)]
struct Replacement {
    /// Number of glyphs before the content.
    glyphs: usize,
    text: Option<String>,
}

/// Interpreter of the content of a page.
pub(super) struct ContentReader<'f, 'b> {
    file: &'f mut PdfFile<'b>,
    fonts: &'f mut FontCache,
    state: GraphicsState,
    saved: Vec<GraphicsState>,
    text_matrix: PlaneMatrix,
    line_matrix: PlaneMatrix,
    marked: Vec<Replacement>,
    /// Marked content beyond the limit.
    unmarked: usize,
    operators: usize,
    page: PageGlyphs,
    /// A font shows glyphs without text.
    pub(super) has_unknown_glyphs: bool,
}

impl<'f, 'b> ContentReader<'f, 'b> {
    pub(super) fn new(
        file: &'f mut PdfFile<'b>,
        fonts: &'f mut FontCache,
    ) -> ContentReader<'f, 'b> {
        ContentReader {
            file,
            fonts,
            state: GraphicsState::new(),
            saved: Vec::new(),
            text_matrix: PlaneMatrix::IDENTITY,
            line_matrix: PlaneMatrix::IDENTITY,
            marked: Vec::new(),
            unmarked: 0,
            operators: 0,
            page: PageGlyphs::default(),
            has_unknown_glyphs: false,
        }
    }

    pub(super) fn into_page(self) -> PageGlyphs {
        self.page
    }

    /// Reads a content stream with its resources.
    pub(super) fn read(&mut self, content: &[u8], resources: &PdfDictionary, depth: usize) {
        let mut lexer = PdfLexer::content(content);
        let mut operands: Vec<PdfObject> = Vec::new();
        while let Some(token) = lexer.next() {
            match token {
                PdfToken::Object(object) => {
                    if operands.len() < MOST_OPERANDS {
                        operands.push(object);
                    }
                }
                PdfToken::Operator(b"BI") => {
                    skip_image(&mut lexer);
                    operands.clear();
                }
                PdfToken::Operator(operator) => {
                    self.operators += 1;
                    if self.operators > MOST_OPERATORS || self.is_full() {
                        self.file.faults.is_limited = true;
                        return;
                    }
                    self.operator(operator, &operands, resources, depth);
                    operands.clear();
                }
                PdfToken::Stray(_) => {}
            }
        }
        self.file.faults.is_limited |= lexer.is_limited();
    }

    fn operator(
        &mut self,
        operator: &[u8],
        operands: &[PdfObject],
        resources: &PdfDictionary,
        depth: usize,
    ) {
        let number = |at: usize| operands.get(at).and_then(PdfObject::number).unwrap_or(0.0);
        let matrix = || PlaneMatrix(std::array::from_fn(number));
        match operator {
            b"q" if self.saved.len() < MOST_SAVED => self.saved.push(self.state.clone()),
            b"q" => self.file.faults.is_limited = true,
            b"Q" => self.state = self.saved.pop().unwrap_or_else(|| self.state.clone()),
            b"cm" => self.state.matrix = matrix().then(self.state.matrix),
            b"BT" => self.set_line(PlaneMatrix::IDENTITY),
            b"Tc" => self.state.character_space = number(0),
            b"Tw" => self.state.word_space = number(0),
            b"Tz" => self.state.scale = number(0) / 100.0,
            b"TL" => self.state.leading = number(0),
            b"Ts" => self.state.rise = number(0),
            b"Tf" => {
                let name = operands.first().and_then(PdfObject::name).unwrap_or_default();
                self.state.font = self.fonts.named(self.file, resources, name);
                self.state.size = number(1);
            }
            b"gs" => self.graphics_state(operands.first(), resources),
            b"Td" => self.next_line(number(0), number(1)),
            b"TD" => {
                self.state.leading = -number(1);
                self.next_line(number(0), number(1));
            }
            b"Tm" => self.set_line(matrix()),
            b"T*" => self.next_line(0.0, -self.state.leading),
            b"Tj" => self.show(operands.first()),
            b"'" => {
                self.next_line(0.0, -self.state.leading);
                self.show(operands.first());
            }
            b"\"" => {
                (self.state.word_space, self.state.character_space) = (number(0), number(1));
                self.next_line(0.0, -self.state.leading);
                self.show(operands.get(2));
            }
            b"TJ" => {
                for one in operands.first().map_or(&[][..], PdfObject::elements) {
                    match one.number() {
                        Some(number) => self.advance(-number / 1000.0 * self.state.size),
                        None => self.show(Some(one)),
                    }
                }
            }
            b"Do" => self.form(operands.first(), resources, depth),
            b"BMC" => self.begin_marked(None),
            b"BDC" => {
                let properties = match operands.get(1) {
                    Some(PdfObject::Name(name)) => self.resource(resources, "Properties", name),
                    Some(PdfObject::Dictionary(own)) => PdfObject::Dictionary(own.clone()),
                    _ => PdfObject::Null,
                };
                let text = properties
                    .dictionary()
                    .map(|properties| self.file.get(properties, "ActualText"));
                let text = text.as_ref().and_then(PdfObject::string).map(strings::text);
                self.begin_marked(text);
            }
            b"EMC" => self.end_marked(),
            _ => {}
        }
    }

    fn resource(&mut self, resources: &PdfDictionary, kind: &str, name: &[u8]) -> PdfObject {
        let resolve = |file: &mut PdfFile<'b>, found: &PdfObject| file.resolve(found);
        super::resource(self.file, resources, kind, name, resolve).unwrap_or_default()
    }

    fn graphics_state(&mut self, name: Option<&PdfObject>, resources: &PdfDictionary) {
        let name = name.and_then(PdfObject::name).unwrap_or_default();
        let state = self.resource(resources, "ExtGState", name);
        let font = state.dictionary().map(|state| self.file.get(state, "Font"));
        if let Some([font, size]) = font.as_ref().map(PdfObject::elements) {
            self.state.font = self.fonts.font(self.file, font);
            self.state.size = size.number().unwrap_or(0.0);
        }
    }

    fn set_line(&mut self, matrix: PlaneMatrix) {
        (self.text_matrix, self.line_matrix) = (matrix, matrix);
    }

    fn next_line(&mut self, x: f64, y: f64) {
        self.set_line(PlaneMatrix::moved(x, y).then(self.line_matrix));
    }

    /// Moves along the line.
    fn advance(&mut self, by: f64) {
        let is_vertical = self.state.font.as_ref().is_some_and(|font| font.is_vertical);
        let (x, y) = if is_vertical { (0.0, by) } else { (by * self.state.scale, 0.0) };
        self.text_matrix = PlaneMatrix::moved(x, y).then(self.text_matrix);
    }

    /// Returns `true` if the page has as much text as is read.
    fn is_full(&self) -> bool {
        self.page.glyphs.len() >= MOST_GLYPHS || self.page.text.len() >= MOST_TEXT
    }

    fn show(&mut self, string: Option<&PdfObject>) {
        let (Some(mut string), Some(font)) =
            (string.and_then(PdfObject::string), self.state.font.clone())
        else {
            return;
        };
        let size = self.state.size;
        while !string.is_empty() && !self.is_full() {
            let start = self.page.text.len() as u32;
            let (shown, length) = font.show(string, &mut self.page.text);
            string = &string[length..];
            self.has_unknown_glyphs |= shown.is_unknown && shown.width > 0.0;
            if shown.is_unknown {
                self.page.text.push('\u{FFFD}');
            }
            mend_tilde(&mut self.page.text, start as usize);
            let space = self.state.character_space
                + if shown.is_space { self.state.word_space } else { 0.0 };
            // Vertical text goes down by a whole font size.
            let width = if font.is_vertical { -size } else { shown.width * size };
            let place = self.text_matrix.then(self.state.matrix);
            let from = place.point(0.0, self.state.rise);
            let (x, y) =
                if font.is_vertical { (0.0, width) } else { (width * self.state.scale, 0.0) };
            let to = place.point(x, y + self.state.rise);
            let up = place.point(0.0, size).minus(place.point(0.0, 0.0));
            let end = self.page.text.len() as u32;
            if end > start {
                let size = up.dot(up).sqrt();
                self.page.glyphs.push(ShownGlyph { text: start..end, from, to, size });
            }
            self.advance(if font.is_vertical { width - space } else { width + space });
        }
    }

    /// Reads a form (§8.10).
    fn form(&mut self, name: Option<&PdfObject>, resources: &PdfDictionary, depth: usize) {
        let name = name.and_then(PdfObject::name).unwrap_or_default();
        let object = self.resource(resources, "XObject", name);
        let Some(form) =
            object.stream().filter(|form| form.dictionary.get("Subtype").is_name("Form"))
        else {
            return;
        };
        if depth >= DEEPEST {
            self.file.faults.is_limited = true;
            return;
        }
        let Some(content) = self.file.data(form) else { return };
        let matrix = self.file.get(&form.dictionary, "Matrix");
        let own = self.file.get(&form.dictionary, "Resources");
        let (state, saved) = (self.state.clone(), std::mem::take(&mut self.saved));
        if let [_, _, _, _, _, _] = matrix.elements() {
            let number = |at: usize| matrix.elements()[at].number().unwrap_or(0.0);
            self.state.matrix = PlaneMatrix(std::array::from_fn(number)).then(self.state.matrix);
        }
        // Old forms use the resources of the page.
        self.fonts.forget_names();
        self.read(&content, own.dictionary().unwrap_or(resources), depth + 1);
        self.fonts.forget_names();
        (self.state, self.saved) = (state, saved);
    }

    fn begin_marked(&mut self, text: Option<String>) {
        if self.marked.len() >= MOST_SAVED {
            self.unmarked += 1;
            return;
        }
        self.marked.push(Replacement { glyphs: self.page.glyphs.len(), text });
    }

    fn end_marked(&mut self) {
        if self.unmarked > 0 {
            self.unmarked -= 1;
            return;
        }
        let Some(Replacement { glyphs, text: Some(text) }) = self.marked.pop() else { return };
        let (Some(first), Some(last)) = (self.page.glyphs.get(glyphs), self.page.glyphs.last())
        else {
            return;
        };
        let (mut whole, to) = (first.clone(), last.to);
        self.page.glyphs.truncate(glyphs);
        let start = self.page.text.len() as u32;
        let room = MOST_TEXT.saturating_sub(self.page.text.len());
        text.chars().take(room).for_each(|c| names::push(c, &mut self.page.text));
        whole.text = start..self.page.text.len() as u32;
        whole.to = to;
        if !whole.text.is_empty() {
            self.page.glyphs.push(whole);
        }
    }
}

/// Makes the tilde of a path the character that it stands for: TeX draws an accent or an operator.
fn mend_tilde(text: &mut String, start: usize) {
    if text[..start].ends_with('/') && matches!(&text[start..], "\u{2DC}" | "\u{223C}") {
        text.truncate(start);
        text.push('~');
    }
}

/// Skips the data of an inline image (§8.9.7).
fn skip_image(lexer: &mut PdfLexer<'_>) {
    loop {
        match lexer.next() {
            Some(PdfToken::Operator(b"ID")) | None => break,
            _ => {}
        }
    }
    let start = lexer.at();
    let rest = lexer.rest();
    let ends = memchr::memmem::find_iter(rest, b"EI");
    for at in ends {
        let is_apart = at > 0 && is_white(rest[at - 1]);
        let after = &rest[at + 2..];
        // Operators follow, of which none has such bytes.
        let is_text =
            after.iter().take(8).all(|byte| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~'));
        if is_apart && after.first().is_none_or(|byte| is_white(*byte)) && is_text {
            lexer.seek(start + at + 2);
            return;
        }
    }
    lexer.seek(start + rest.len());
}
