//! Actions (ISO 32000-2 §12.6): what they open becomes pieces.

use std::collections::HashSet;
use std::sync::Arc;

use super::file::PdfFile;
use super::strings::text;
use super::syntax::{PdfDictionary, PdfObject};
use crate::context::{ContextKind, KnownContext};
use crate::detect::document::Format;
use crate::piece::{DocumentPiece, PieceContent};

/// Actions that one of them leads to.
const MOST_ACTIONS: usize = 64;

pub(super) static URI: KnownContext = KnownContext::new("pdf:uri", ContextKind::DocumentLink);
static FILE: KnownContext = KnownContext::other("pdf:file");
static SUBMIT: KnownContext = KnownContext::new("pdf:submit", ContextKind::DocumentForm);
static JAVASCRIPT: KnownContext = KnownContext::other("pdf:javascript");

/// Where actions are, and what their links have in common.
#[derive(Clone, Debug)]
pub(super) struct ActionPlace {
    /// Object that holds the action, unless that is an object itself.
    pub(super) object: Arc<str>,
    pub(super) page: Option<u64>,
    /// Base of the document's URIs.
    pub(super) base: Option<Arc<str>>,
    /// Text that readers see in place of the link.
    pub(super) shown: Option<String>,
}

impl ActionPlace {
    fn piece(&self, context: &'static KnownContext, content: PieceContent) -> DocumentPiece {
        let (object, page) = (Arc::clone(&self.object), self.page);
        DocumentPiece { object, page, context: context.into(), content }
    }

    fn value(&self, context: &'static KnownContext, text: String) -> Option<DocumentPiece> {
        let (base, shown) = (self.base.clone(), self.shown.clone());
        let text = text.trim_matches(|c: char| c.is_whitespace() || c == '\0').to_owned();
        (!text.is_empty()).then(|| self.piece(context, PieceContent::Value { text, base, shown }))
    }
}

/// Actions that one object holds, and their pieces.
#[derive(Debug)]
pub(super) struct HeldActions {
    pub(super) place: ActionPlace,
    /// Numbers of the actions that were read: each is read once, since an action may follow itself.
    pub(super) read: HashSet<u32>,
    pub(super) pieces: Vec<DocumentPiece>,
}

impl HeldActions {
    pub(super) fn new(place: ActionPlace) -> HeldActions {
        HeldActions { place, read: HashSet::new(), pieces: Vec::new() }
    }

    /// Appends the pieces of an action and of those after it.
    pub(super) fn add(&mut self, file: &mut PdfFile<'_>, action: &PdfObject) {
        let mut left = vec![(action.clone(), Arc::clone(&self.place.object))];
        let mut count = 0;
        while let Some((action, holder)) = left.pop() {
            let id = action.reference();
            if id.is_some_and(|id| !self.read.insert(id.number)) {
                continue;
            }
            count += 1;
            if count > MOST_ACTIONS {
                file.faults.is_limited = true;
                return;
            }
            let object = id.map_or(holder, |id| id.to_string().into());
            match file.resolve(&action) {
                PdfObject::Dictionary(action) => {
                    let place = ActionPlace { object: Arc::clone(&object), ..self.place.clone() };
                    of_one(file, &action, &place, &mut self.pieces);
                    if action.has("Next") {
                        left.push((action.get("Next").clone(), object));
                    }
                }
                PdfObject::Array(actions) => {
                    let actions = actions.into_iter().take(MOST_ACTIONS).rev();
                    left.extend(actions.map(|action| (action, Arc::clone(&object))));
                }
                _ => {}
            }
        }
    }

    /// Appends the pieces of additional actions, each of which has the name of its event.
    pub(super) fn add_additional(&mut self, file: &mut PdfFile<'_>, holder: &PdfDictionary) {
        let actions = file.get(holder, "AA");
        let Some(actions) = actions.dictionary() else { return };
        for (_, one) in actions.entries() {
            self.add(file, one);
        }
    }
}

fn of_one(
    file: &mut PdfFile<'_>,
    action: &PdfDictionary,
    place: &ActionPlace,
    pieces: &mut Vec<DocumentPiece>,
) {
    let kind = file.get(action, "S");
    match kind.name().unwrap_or_default() {
        b"URI" => {
            let uri = file.get(action, "URI");
            pieces.extend(uri.string().and_then(|uri| place.value(&URI, text(uri))));
        }
        b"GoToR" | b"GoToE" | b"Launch" | b"Thread" | b"ImportData" => {
            let target = file.get(action, "F");
            let windows = file.get(action, "Win");
            let target = match (target, windows.dictionary()) {
                (PdfObject::Null, Some(windows)) => file.get(windows, "F"),
                (target, _) => target,
            };
            let path = path(file, &target);
            pieces.extend(path.and_then(|path| place.value(&FILE, path)));
        }
        b"SubmitForm" => {
            let target = file.get(action, "F");
            let path = path(file, &target);
            pieces.extend(path.and_then(|path| place.value(&SUBMIT, path)));
        }
        b"JavaScript" | b"Rendition" if action.has("JS") => {
            let script = match file.get(action, "JS") {
                PdfObject::Stream(stream) => file.data(&stream).unwrap_or_default(),
                script => script.string().unwrap_or_default().to_vec(),
            };
            let bytes = text(&script).into_bytes();
            let content = PieceContent::Markup { bytes, format: Format::Code, charset: None };
            pieces.push(place.piece(&JAVASCRIPT, content));
        }
        _ => {}
    }
}

/// Returns the path or URL of a file specification (§7.11).
pub(super) fn path(file: &mut PdfFile<'_>, specification: &PdfObject) -> Option<String> {
    match specification {
        PdfObject::String(path) => Some(text(path)),
        PdfObject::Dictionary(dictionary) => {
            let keys = ["UF", "F", "Unix", "DOS", "Mac"];
            keys.iter().find_map(|key| file.get(dictionary, key).string().map(text))
        }
        _ => None,
    }
}
