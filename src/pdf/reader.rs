//! The reader: pages one after the other, then what belongs to the whole document.

use std::collections::{HashSet, VecDeque};
use std::sync::Arc;

use super::action::{self, ActionPlace, HeldActions};
use super::file::PdfFile;
use super::strings;
use super::syntax::{ObjectId, PdfDictionary, PdfObject};
use super::text::{self, FontCache, ReadPage, WantedArea};
use crate::context::{ContextKind, KnownContext, StoredContext};
use crate::detect::document::{Format, Hints, PageRange};
use crate::notice::{Notice, Notices};
use crate::piece::{DocumentPiece, PieceContent};

/// Pages and nodes of their tree, items of an outline, nodes of a tree of names.
const MOST_NODES: usize = 1 << 20;
/// Annotations of a page.
const MOST_ANNOTATIONS: usize = 1 << 16;

static TEXT: KnownContext = KnownContext::new("pdf:text", ContextKind::DocumentText);
static METADATA: KnownContext = KnownContext::other("pdf:metadata");

/// Node of the page tree that is read next, with the resources that it inherits.
#[derive(Clone, Debug)]
struct PageNode {
    node: PdfObject,
    resources: Arc<PdfObject>,
}

/// Part of a file that is read next.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PdfStage {
    Pages,
    LostPages,
    Document,
    LostLinks,
    Done,
}

/// Reader of a file: its pieces, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct PdfReader<'b> {
    file: PdfFile<'b>,
    catalog: PdfDictionary,
    base: Option<Arc<str>>,
    stage: PdfStage,
    nodes: Vec<PageNode>,
    /// Numbers of the nodes and pages that were read.
    seen: HashSet<u32>,
    /// Numbers of objects that may be pages that no tree has.
    lost: VecDeque<u32>,
    /// Numbers of objects that hold actions or embedded files, or are actions, if the objects were searched: those that
    /// nothing leads to are read last.
    holders: VecDeque<u32>,
    actions: VecDeque<u32>,
    /// Numbers of the catalog, annotations, items and actions that were read.
    reached: HashSet<u32>,
    page: u64,
    pieces: VecDeque<DocumentPiece>,
    fonts: FontCache,
    /// Whether the text of pages is wanted.
    has_text: bool,
    pages: PageRange,
    is_unread: bool,
    /// Embedded files that were read.
    files: HashSet<ObjectId>,
    notices: Notices,
}

impl<'b> PdfReader<'b> {
    /// Creates a reader of a file, by the hints for it.
    pub(crate) fn new(bytes: &'b [u8], hints: &Hints) -> PdfReader<'b> {
        let mut notices = Notices::default();
        if !hints.scope.pdf {
            notices.add(Notice::PdfUnread);
        }
        let mut file = PdfFile::open(if hints.scope.pdf { bytes } else { b"" });
        let catalog = file.catalog();
        let uri = file.get(&catalog, "URI");
        let base = uri.dictionary().map(|uri| file.get(uri, "Base"));
        let base = base.as_ref().and_then(PdfObject::string).map(|base| strings::text(base).into());
        let root = PageNode { node: catalog.get("Pages").clone(), resources: Arc::default() };
        let is_unread = file.faults.is_encrypted || !hints.scope.pdf;
        let stage = if is_unread { PdfStage::Done } else { PdfStage::Pages };
        let mut reader = PdfReader {
            file,
            catalog,
            base,
            stage,
            nodes: vec![root],
            seen: HashSet::new(),
            lost: VecDeque::new(),
            holders: VecDeque::new(),
            actions: VecDeque::new(),
            reached: HashSet::new(),
            page: 0,
            pieces: VecDeque::new(),
            fonts: FontCache::default(),
            has_text: hints.scope.text,
            pages: hints.scope.pages,
            is_unread,
            files: HashSet::new(),
            notices,
        };
        if hints.scope.pdf {
            reader.note_faults();
        }
        reader
    }

    pub(crate) fn notices(&self) -> &[Notice] {
        self.notices.as_slice()
    }

    /// Returns `true` if the file was searched for objects, and has none.
    pub(crate) fn is_empty(&self) -> bool {
        self.file.is_rebuilt() && self.file.numbers().is_empty()
    }

    /// Returns `true` if nothing of the file can be read.
    pub(crate) fn is_unread(&self) -> bool {
        self.is_unread
    }

    /// Returns the next piece.
    pub(crate) fn next(&mut self) -> Option<DocumentPiece> {
        loop {
            if let Some(piece) = self.pieces.pop_front() {
                return Some(piece);
            }
            match self.stage {
                PdfStage::Pages => self.step_pages(),
                PdfStage::LostPages => self.step_lost(),
                PdfStage::Document => {
                    self.document();
                    self.stage = PdfStage::LostLinks;
                }
                PdfStage::LostLinks => self.step_lost_links(),
                PdfStage::Done => return None,
            }
            self.note_faults();
        }
    }

    fn note_faults(&mut self) {
        let faults = self.file.faults;
        let notices = [
            (faults.is_encrypted, Notice::PdfEncrypted),
            (faults.is_damaged, Notice::PdfDamaged),
            (faults.is_limited, Notice::PdfLimit),
            (faults.has_unknown_filter, Notice::PdfFilter),
        ];
        for (_, notice) in notices.into_iter().filter(|(is_so, _)| *is_so) {
            self.notices.add(notice);
        }
    }

    /// Reads the next node of the page tree.
    fn step_pages(&mut self) {
        let Some(PageNode { node, resources }) = self.nodes.pop() else {
            // A tree that was damaged does not lead to all pages.
            if self.page == 0 {
                self.file.rebuild();
            }
            if self.file.is_rebuilt() {
                self.lost = self.file.numbers().into();
            }
            self.stage = PdfStage::LostPages;
            return;
        };
        let id = node.reference();
        if self.seen.len() >= MOST_NODES || id.is_some_and(|id| !self.seen.insert(id.number)) {
            self.file.faults.is_limited = true;
            return;
        }
        let node = self.file.resolve(&node);
        let Some(node) = node.dictionary() else { return };
        let resources = match node.get("Resources") {
            PdfObject::Null => resources,
            own => Arc::new(own.clone()),
        };
        let kids = self.file.get(node, "Kids");
        let is_page = node.has("Contents") || node.has("Annots");
        if node.get("Type").is_name("Pages") && !node.has("Kids") && !is_page {
            // A tree that leads nowhere is damaged.
            self.file.rebuild();
        } else if node.has("Kids") && !node.get("Type").is_name("Page") {
            let kids = kids.elements().iter().rev();
            self.nodes.extend(
                kids.map(|kid| PageNode { node: kid.clone(), resources: Arc::clone(&resources) }),
            );
        } else {
            self.page(id, node, &resources);
        }
    }

    /// Reads the next object that may be a page.
    fn step_lost(&mut self) {
        let Some(number) = self.lost.pop_front() else {
            self.stage = PdfStage::Document;
            return;
        };
        let id = ObjectId { number, generation: 0 };
        if self.seen.contains(&number) {
            return;
        }
        let object = self.file.load(id);
        let Some(dictionary) = object.dictionary() else { return };
        if dictionary.get("Type").is_name("Page") {
            self.seen.insert(number);
            self.page(Some(id), dictionary, dictionary.get("Resources"));
        } else if self.pages == PageRange::default() {
            // Nothing says which page of a range a lost annotation belongs to.
            if ["A", "PA", "AA", "FS", "EF"].iter().any(|key| dictionary.has(key)) {
                self.holders.push_back(number);
            } else if dictionary.has("S") {
                self.actions.push_back(number);
            }
        }
    }

    /// Reads the next annotation, item, file or action that nothing led to.
    fn step_lost_links(&mut self) {
        let holder = self.holders.pop_front();
        let is_action = holder.is_none();
        let Some(number) = holder.or_else(|| self.actions.pop_front()) else {
            self.stage = PdfStage::Done;
            return;
        };
        if !self.reached.insert(number) {
            return;
        }
        let id = ObjectId { number, generation: 0 };
        let loaded = self.file.load(id);
        let Some(dictionary) = loaded.dictionary() else { return };
        let shown = self.file.get(dictionary, "Title").string().map(strings::text);
        let object = id.to_string().into();
        let place = ActionPlace { object, page: None, base: self.base.clone(), shown };
        let mut pieces = self.annotation(dictionary, place.clone());
        if dictionary.has("EF") {
            self.embedded(&PdfObject::Reference(id), &mut pieces);
        }
        // An action that another one leads to is read once. After an outline item comes an item, not an action.
        if is_action {
            let mut held =
                HeldActions { read: std::mem::take(&mut self.reached), ..HeldActions::new(place) };
            held.add(&mut self.file, &loaded);
            self.reached = held.read;
            pieces.extend(held.pieces);
        }
        self.pieces.extend(pieces);
    }

    fn page(&mut self, id: Option<ObjectId>, page: &PdfDictionary, resources: &PdfObject) {
        self.page += 1;
        if !self.pages.has(self.page) {
            if self.pages.is_before(self.page) {
                (self.nodes, self.lost) = (Vec::new(), VecDeque::new());
            }
            return;
        }
        let object: Arc<str> = id.map(|id| id.to_string()).unwrap_or_default().into();
        let annotations = self.file.get(page, "Annots");
        let place =
            ActionPlace { object, page: Some(self.page), base: self.base.clone(), shown: None };
        let annotations = annotations.elements();
        let read: Vec<(ActionPlace, PdfDictionary)> = annotations
            .iter()
            .take(MOST_ANNOTATIONS)
            .filter_map(|annotation| {
                self.reached.extend(annotation.reference().map(|id| id.number));
                let object = annotation.reference().map(|id| id.to_string().into());
                let object = object.unwrap_or_else(|| Arc::clone(&place.object));
                let annotation = self.file.resolve(annotation).dictionary()?.clone();
                Some((ActionPlace { object, ..place.clone() }, annotation))
            })
            .collect();
        self.file.faults.is_limited |= annotations.len() > MOST_ANNOTATIONS;
        let mut text = ReadPage::default();
        if self.has_text {
            let areas: Vec<WantedArea> = read.iter().map(|(_, one)| self.area(one)).collect();
            let resources = self.file.resolve(resources).dictionary().cloned().unwrap_or_default();
            // The text costs most. The links that the page stores are read in any case.
            let reserved = self.file.work.reserve();
            text = text::read(&mut self.file, &mut self.fonts, page, &resources, &areas);
            self.file.work.release(reserved);
        }
        let mut held = HeldActions::new(place.clone());
        held.add_additional(&mut self.file, page);
        let mut pieces = self.pieces_of(held);
        let mut shown = text.shown.into_iter();
        for (place, annotation) in read {
            let shown = shown.next().filter(|shown| !shown.is_empty());
            pieces.extend(self.annotation(&annotation, ActionPlace { shown, ..place }));
        }
        if text.has_unknown_glyphs {
            self.notices.add(Notice::PdfGlyphs);
        }
        if !text.text.is_empty() {
            let (object, context) = (place.object, StoredContext::from(&TEXT));
            let content = PieceContent::PageText { text: text.text, cut: text.cut };
            pieces.push(DocumentPiece { object, page: place.page, context, content });
        }
        self.pieces.extend(pieces);
    }

    /// Returns the area of an annotation, and its URI.
    fn area(&mut self, annotation: &PdfDictionary) -> WantedArea {
        let action = self.file.get(annotation, "A");
        let uri = action.dictionary().map(|action| self.file.get(action, "URI"));
        let uri = uri.as_ref().and_then(PdfObject::string).map(strings::text).unwrap_or_default();
        let mut numbers = |key: &str| -> Vec<f64> {
            let list = self.file.get(annotation, key);
            list.elements().iter().filter_map(PdfObject::number).collect()
        };
        let quads: Vec<Vec<f64>> =
            numbers("QuadPoints").chunks_exact(8).map(<[f64]>::to_vec).collect();
        let corners = if quads.is_empty() { vec![numbers("Rect")] } else { quads };
        WantedArea { uri, corners }
    }

    fn annotation(&mut self, annotation: &PdfDictionary, place: ActionPlace) -> Vec<DocumentPiece> {
        let mut held = HeldActions::new(place);
        for key in ["A", "PA"] {
            held.add(&mut self.file, annotation.get(key));
        }
        held.add_additional(&mut self.file, annotation);
        if annotation.get("Subtype").is_name("Widget") {
            self.fields(annotation, &mut held);
        }
        if annotation.get("Subtype").is_name("FileAttachment") {
            self.embedded(annotation.get("FS"), &mut held.pieces);
        }
        self.pieces_of(held)
    }

    /// Reads the additional actions of the fields that a widget belongs to, at its first widget (§12.7.4).
    fn fields(&mut self, widget: &PdfDictionary, held: &mut HeldActions) {
        let mut parent = widget.get("Parent").clone();
        while let Some(id) = parent.reference().filter(|id| self.reached.insert(id.number)) {
            let field = self.file.load(id);
            let Some(field) = field.dictionary() else { return };
            let object = id.to_string().into();
            let place = ActionPlace { object, shown: None, ..held.place.clone() };
            let mut own = HeldActions::new(place);
            own.add_additional(&mut self.file, field);
            held.pieces.extend(self.pieces_of(own));
            parent = field.get("Parent").clone();
        }
    }

    /// Returns the pieces of actions, and keeps which ones were read.
    fn pieces_of(&mut self, held: HeldActions) -> Vec<DocumentPiece> {
        self.reached.extend(held.read);
        held.pieces
    }

    /// Reads what belongs to the document: actions, outline, scripts, embedded files, metadata.
    fn document(&mut self) {
        let catalog = std::mem::take(&mut self.catalog);
        let root = self.file.root();
        self.reached.extend(root.map(|root| root.number));
        let object: Arc<str> = root.map(|id| id.to_string()).unwrap_or_default().into();
        let place = ActionPlace { object, page: None, base: self.base.clone(), shown: None };
        let mut held = HeldActions::new(place);
        held.add(&mut self.file, catalog.get("OpenAction"));
        held.add_additional(&mut self.file, &catalog);
        self.outline(&catalog, &mut held);
        let names = self.file.get(&catalog, "Names");
        if let Some(names) = names.dictionary() {
            for script in self.named(names.get("JavaScript")) {
                held.add(&mut self.file, &script);
            }
            for file in self.named(names.get("EmbeddedFiles")) {
                self.embedded(&file, &mut held.pieces);
            }
        }
        let mut pieces = self.pieces_of(held);
        let metadata = self.file.get(&catalog, "Metadata");
        if let Some(stream) = metadata.stream()
            && let Some(mut bytes) = self.file.data(stream)
        {
            leave_names(&mut bytes);
            let content = PieceContent::Markup { bytes, format: Format::Xml, charset: None };
            let (object, context) = (stream.id.to_string().into(), StoredContext::from(&METADATA));
            pieces.push(DocumentPiece { object, page: None, context, content });
        }
        self.pieces.extend(pieces);
    }

    /// Reads the actions of the outline (§12.3.3).
    fn outline(&mut self, catalog: &PdfDictionary, document: &mut HeldActions) {
        let outline = self.file.get(catalog, "Outlines");
        let Some(outline) = outline.dictionary() else { return };
        let mut left = vec![outline.get("First").clone()];
        let mut seen = HashSet::new();
        while let Some(item) = left.pop() {
            let Some(id) = item.reference() else { continue };
            if seen.len() >= MOST_NODES || !seen.insert(id) {
                self.file.faults.is_limited = true;
                continue;
            }
            self.reached.insert(id.number);
            let item = self.file.load(id);
            let Some(item) = item.dictionary() else { continue };
            let shown = self.file.get(item, "Title").string().map(strings::text);
            let object = id.to_string().into();
            let place = ActionPlace { object, shown, ..document.place.clone() };
            let mut held = HeldActions::new(place);
            held.add(&mut self.file, item.get("A"));
            document.pieces.extend(self.pieces_of(held));
            left.push(item.get("Next").clone());
            left.push(item.get("First").clone());
        }
    }

    /// Returns the values of a tree of names (§7.9.6).
    fn named(&mut self, root: &PdfObject) -> Vec<PdfObject> {
        let (mut left, mut values, mut seen) = (vec![root.clone()], Vec::new(), HashSet::new());
        let mut count = 0;
        while let Some(node) = left.pop() {
            count += 1;
            if count > MOST_NODES || node.reference().is_some_and(|id| !seen.insert(id)) {
                self.file.faults.is_limited = true;
                continue;
            }
            let node = self.file.resolve(&node);
            let Some(node) = node.dictionary() else { continue };
            let kids = self.file.get(node, "Kids");
            left.extend(kids.elements().iter().rev().cloned());
            let names = self.file.get(node, "Names");
            values.extend(names.elements().iter().skip(1).step_by(2).cloned());
        }
        values
    }

    /// Reads an embedded file, once.
    fn embedded(&mut self, specification: &PdfObject, pieces: &mut Vec<DocumentPiece>) {
        let specification = self.file.resolve(specification);
        let Some(dictionary) = specification.dictionary() else { return };
        let files = self.file.get(dictionary, "EF");
        let Some(files) = files.dictionary() else { return };
        let name = action::path(&mut self.file, &specification).unwrap_or_default();
        let found = ["UF", "F"].iter().find_map(|key| match self.file.get(files, key) {
            PdfObject::Stream(stream) => Some(stream),
            _ => None,
        });
        let Some(stream) = found.filter(|stream| self.files.insert(stream.id)) else { return };
        let Some(bytes) = self.file.data(&stream) else { return };
        let (object, context) = (stream.id.to_string().into(), StoredContext::from(&TEXT));
        let content = PieceContent::File { name, bytes };
        pieces.push(DocumentPiece { object, page: None, context, content });
    }
}

/// Takes from XMP what only names something, without moving the rest: the attributes that name its subject, the file itself, and
/// the namespaces of the schemas that it describes.
fn leave_names(xmp: &mut [u8]) {
    let places: Vec<usize> = memchr::memmem::find_iter(xmp, b"about=").collect();
    for at in places {
        if at > 0 && matches!(xmp[at - 1], b':' | b' ' | b'\n' | b'\r' | b'\t') {
            xmp[at..at + 5].copy_from_slice(b"ID   ");
        }
    }
    let places: Vec<usize> = memchr::memmem::find_iter(xmp, b":namespaceURI").collect();
    for at in places {
        // The value of an attribute, or the text of an element.
        let value = xmp[at..].iter_mut().skip(b":namespaceURI".len());
        let value = value.skip_while(|byte| byte.is_ascii_whitespace() || **byte == b'=');
        let mut value = value.skip_while(|byte| matches!(**byte, b'"' | b'\'' | b'>')).peekable();
        while let Some(byte) = value.next_if(|byte| !matches!(**byte, b'"' | b'\'' | b'<' | b'>')) {
            *byte = b' ';
        }
    }
}
