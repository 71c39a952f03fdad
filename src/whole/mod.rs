//! Documents that a parser reads whole, such as PDF: their pieces become links.
//!
//! The input is the bytes of a document in memory and its disposition, which selects the parser. The parser returns one
//! [`DocumentPiece`] after the other; each becomes links here, on every code path: a file, a member of an archive, a part of a
//! message, a record of a crawl, bytes in memory.
//!
//! To add a parser: a variant of [`Disposition`] for which [`Disposition::is_whole`] holds, and its row in
//! `detect::kinds`; a module that turns bytes into pieces, without a dependency on this one; a variant of [`DocumentParser`] with
//! its arms in [`DocumentParser::of`], [`DocumentParser::next`] and [`DocumentParser::notices`], behind the feature of the parser. What bounds the
//! parser is its own: a piece is in memory as a whole.

mod bytes;
mod parser;
#[cfg(all(test, feature = "documents"))]
mod tests;

use std::borrow::Cow;
use std::cell::Cell;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

pub(crate) use bytes::WholeBytes;
use parser::DocumentParser;

use crate::charset::Charset;
use crate::context::{ContextKind, StoredContext};
use crate::detect;
use crate::detect::document::{Declared, Detection, Disposition, Format, Hints};
use crate::document::attachment::Attachment;
use crate::document::finder::{Base, Finder, Reference};
#[cfg(feature = "documents")]
use crate::document::page::compared_with;
use crate::input::guard::is_cancelled;
use crate::iri::IriBuf;
use crate::iri::repair::without_breaks;
use crate::limits;
use crate::link::{Judged, Origin, Repeated, body_of, set_origin};
use crate::notation::Notation;
use crate::notice::{NotRead, Notice, NoticedParts, Notices};
#[cfg(all(feature = "office", feature = "files"))]
use crate::office::StoredMessage;
#[cfg(feature = "documents")]
use crate::offsets::Unit;
#[cfg(feature = "office")]
use crate::piece::MessagePlace;
use crate::piece::{DocumentPiece, PieceContent};

/// Event of the scan of such a document.
pub(crate) enum WholeEvent<'a> {
    Judged(Judged<'a>),
    /// A message that the parser composed, which the receiver scans.
    #[cfg(feature = "office")]
    Message(ComposedMessage<'a>),
    /// A file of its own. It is scanned here unless the receiver sets [`Attachment::is_done`].
    File(Attachment<'a>),
    /// The document is counted as unread.
    Unread,
}

/// Callback that receives the events of a scan.
pub(crate) type EmitWhole<'e> = dyn FnMut(WholeEvent<'_>) -> ControlFlow<()> + 'e;

/// Scanner of a document that is in memory.
#[derive(Clone, Debug)]
pub(crate) struct WholeScanner<'f, 'b> {
    finder: &'f Finder,
    hints: Hints,
    parser: DocumentParser<'b>,
    /// The first piece, if it was read to see whether there is one.
    first: Option<DocumentPiece>,
    notices: Notices,
    repeated: Repeated,
    is_done: bool,
    /// Unit of columns in binary data, if lines and columns are counted.
    #[cfg(feature = "documents")]
    positions: Option<Unit>,
}

impl<'f, 'b> WholeScanner<'f, 'b> {
    /// Creates a scanner of the bytes of a document with this disposition.
    pub(crate) fn new(
        finder: &'f Finder,
        hints: &Hints,
        disposition: Disposition,
        bytes: &'b [u8],
    ) -> WholeScanner<'f, 'b> {
        let parser = DocumentParser::of(disposition, hints, bytes);
        WholeScanner::of(finder, hints, parser)
    }

    /// Creates a scanner of a message that was read of a store.
    #[cfg(all(feature = "office", feature = "files"))]
    pub(crate) fn of_message(
        finder: &'f Finder,
        hints: &Hints,
        message: StoredMessage,
    ) -> WholeScanner<'f, 'static> {
        WholeScanner::of(finder, hints, DocumentParser::of_message(message))
    }

    /// Returns an error if nothing in the document can be read, and the hints do not want that as a notice.
    pub(crate) fn checked(mut self, hints: &Hints) -> Result<WholeScanner<'f, 'b>, NotRead> {
        if hints.scope.non_text.is_strict() {
            self.first = self.parser.first(hints)?;
        }
        Ok(self)
    }

    fn of(finder: &'f Finder, hints: &Hints, parser: DocumentParser<'b>) -> WholeScanner<'f, 'b> {
        #[cfg(feature = "documents")]
        let positions = hints.positions;
        let hints = Hints {
            format: Format::Auto,
            is_asked: false,
            declared: Declared::Nothing,
            detection: None,
            charset: None,
            detected: None,
            unknown_label: None,
            positions: None,
            eager: false,
            name: None,
            around: hints.around.inner(),
            scope: hints.scope.of_parts(),
            ..hints.clone()
        };
        let (notices, repeated) = (Notices::default(), Repeated::default());
        WholeScanner {
            finder,
            hints,
            parser,
            first: None,
            notices,
            repeated,
            is_done: false,
            #[cfg(feature = "documents")]
            positions,
        }
    }

    #[cfg(feature = "office")]
    pub(crate) fn finder(&self) -> &'f Finder {
        self.finder
    }

    /// Returns the notices, each once.
    pub(crate) fn notices(&self) -> &[Notice] {
        self.notices.as_slice()
    }

    /// Returns the parts of a message that notices are about.
    pub(crate) fn noticed_parts(&self) -> &NoticedParts {
        self.notices.parts()
    }

    /// Scans the next piece; returns `true` if there may be more.
    pub(crate) fn step(&mut self, emit: &mut EmitWhole<'_>) -> ControlFlow<(), bool> {
        if self.is_done {
            return ControlFlow::Continue(false);
        }
        #[cfg(feature = "documents")]
        if let DocumentParser::Binary { bytes, notices } = self.parser {
            self.is_done = true;
            self.notices.add_all(notices);
            self.binary(bytes, emit)?;
            return ControlFlow::Continue(false);
        }
        let piece = self.first.take().or_else(|| self.parser.next());
        self.notices.add_all(self.parser.notices());
        match piece {
            Some(piece) => self.piece(piece, emit)?,
            None => {
                self.is_done = true;
                if self.parser.is_unread() {
                    emit(WholeEvent::Unread)?;
                }
            }
        }
        ControlFlow::Continue(true)
    }

    /// Scans all pieces, until it is cancelled.
    pub(crate) fn run(&mut self, emit: &mut EmitWhole<'_>) -> ControlFlow<()> {
        while !is_cancelled(self.hints.cancel.as_ref()) {
            if !self.step(emit)? {
                return ControlFlow::Continue(());
            }
        }
        ControlFlow::Break(())
    }

    fn piece(&mut self, piece: DocumentPiece, emit: &mut EmitWhole<'_>) -> ControlFlow<()> {
        let DocumentPiece { object, page, context, content } = piece;
        let place = PiecePlace { object, page, context, cut: Vec::new(), at: None };
        match content {
            PieceContent::Value { text, base, shown } => {
                let judged = self.value(&place, text, base.as_deref(), shown.as_deref());
                self.give(judged, &place, emit)
            }
            PieceContent::Text(text) => self.text(&text, &place, emit),
            #[cfg(feature = "pdf")]
            PieceContent::PageText { text, cut } => {
                self.text(&text, &PiecePlace { cut, ..place }, emit)
            }
            PieceContent::Markup { bytes, format, charset } => {
                let hints = Hints { format, is_asked: true, charset, ..self.hints.clone() };
                self.document(&bytes, hints, &place, emit)
            }
            PieceContent::Stored { range, format, charset, base } => {
                let bytes = &self.parser.stored()[range.clone()];
                let place = PiecePlace { at: Some(range.start), ..place };
                let Some(format) = format else {
                    let text = String::from_utf8_lossy(bytes).into_owned();
                    let judged = self.value(&place, text, base.as_deref(), None);
                    return self.give(judged, &place, emit);
                };
                let base = self.base_of(base.as_deref());
                let hints = Hints { format, is_asked: true, charset, base, ..self.hints.clone() };
                self.document(bytes, hints, &place, emit)
            }
            #[cfg(feature = "office")]
            PieceContent::Message { bytes, places, member } => {
                self.message(&bytes, &places, member, emit)
            }
            PieceContent::File { name, bytes } => self.file(&name, &bytes, emit),
        }
    }

    /// Searches binary data for links; their places are those of the stored bytes.
    #[cfg(feature = "documents")]
    fn binary(&mut self, bytes: &[u8], emit: &mut EmitWhole<'_>) -> ControlFlow<()> {
        let found = Detection::known(Disposition::Binary);
        let positions = self.positions;
        let hints = Hints { detection: Some(found), positions, ..self.hints.clone() };
        self.notices.add(Notice::Binary);
        let finder = self.finder;
        let Ok(links) = finder.document(bytes, &hints) else {
            return ControlFlow::Continue(());
        };
        for candidate in links {
            emit(WholeEvent::Judged(candidate.into_result()))?;
        }
        ControlFlow::Continue(())
    }

    /// Returns the base of a piece: its own, if that is an IRI, or the document's.
    fn base_of(&self, own: Option<&str>) -> Option<IriBuf> {
        let own = own.and_then(|own| Base::inner(None, own).ok()).map(Base::into_iri);
        own.or_else(|| self.hints.base.clone())
    }

    /// Returns the link of a value, with the warning if its visible text names another site.
    fn value(
        &self,
        place: &PiecePlace,
        text: String,
        base: Option<&str>,
        shown: Option<&str>,
    ) -> Judged<'static> {
        let (range, context) = (0..text.len(), place.context.clone());
        let base = self.base_of(base);
        let (text, raw) = match without_breaks(&text) {
            Cow::Borrowed(_) => (text, None),
            Cow::Owned(whole) => (whole, Some(text.into())),
        };
        let notation = Notation::UNWRITABLE;
        let reference = Reference { text: text.into(), raw, range, context, notation };
        let base = base.as_ref().map(Base::from);
        let judged = self.finder.judge_value(reference, base.as_ref(), Charset::UTF_8);
        #[cfg(feature = "documents")]
        if let Some(shown) = shown {
            return compared_with(judged, shown, self.hints.scope.details);
        }
        judged
    }

    fn text(
        &mut self,
        text: &str,
        place: &PiecePlace,
        emit: &mut EmitWhole<'_>,
    ) -> ControlFlow<()> {
        let hints = Hints { format: Format::Text, is_asked: true, ..self.hints.clone() };
        let hints = Hints { charset: Some(Charset::UTF_8), ..hints };
        self.document(text.as_bytes(), hints, place, emit)
    }

    /// Scans a piece that is a document of its own.
    fn document(
        &mut self,
        bytes: &[u8],
        hints: Hints,
        place: &PiecePlace,
        emit: &mut EmitWhole<'_>,
    ) -> ControlFlow<()> {
        if !hints.scope.text && hints.format == Format::Text {
            return ControlFlow::Continue(());
        }
        let finder = self.finder;
        let Ok(mut found) = finder.document(bytes, &hints) else {
            self.notices.add(Notice::Undecodable);
            return ControlFlow::Continue(());
        };
        for candidate in &mut found {
            self.give(candidate.into_result(), place, emit)?;
        }
        self.notices.add_all(&found.notices());
        ControlFlow::Continue(())
    }

    /// Gives the receiver a message that the parser composed.
    #[cfg(feature = "office")]
    fn message(
        &mut self,
        bytes: &[u8],
        places: &[MessagePlace],
        member: Option<String>,
        emit: &mut EmitWhole<'_>,
    ) -> ControlFlow<()> {
        let origin = Arc::new(Origin { member: member.map(Into::into), ..Origin::default() });
        let hints = Hints { format: Format::Email, is_asked: true, ..self.hints.clone() };
        let notices = &mut self.notices;
        emit(WholeEvent::Message(ComposedMessage { bytes, hints, origin, places, notices }))
    }

    /// Reports a link at its place.
    fn give(
        &mut self,
        mut judged: Judged<'_>,
        place: &PiecePlace,
        emit: &mut EmitWhole<'_>,
    ) -> ControlFlow<()> {
        let at = body_of(&mut judged).range.start;
        let after = place.cut.partition_point(|cut| cut.start <= at);
        if after.checked_sub(1).is_some_and(|cut| at < place.cut[cut].end) {
            return ControlFlow::Continue(());
        }
        self.repeated.bound(&mut judged);
        if self.repeated.is_reached() {
            self.notices.add(Notice::Repeated);
        }
        let body = body_of(&mut judged);
        if body.context.kind() == ContextKind::Text {
            body.context = place.context.clone();
        }
        match place.at {
            Some(at) => body.range = body.range.start + at..body.range.end + at,
            None => {
                let rare = body.rare_mut();
                (rare.object, rare.page) = (Some(Arc::clone(&place.object)), place.page);
            }
        }
        emit(WholeEvent::Judged(judged))
    }

    /// Reports a file, and scans it unless the receiver has.
    fn file(&mut self, name: &str, bytes: &[u8], emit: &mut EmitWhole<'_>) -> ControlFlow<()> {
        if self.hints.around.depth >= limits::NESTED_DOCUMENTS {
            self.notices.add(Notice::TooDeep);
            return ControlFlow::Continue(());
        }
        let is_done = Cell::new(false);
        let whole = || bytes.to_vec();
        emit(WholeEvent::File(Attachment {
            whole: Some(&whole),
            name: name.as_bytes(),
            origin: Arc::default(),
            is_embedded: true,
            is_answer: false,
            is_done: &is_done,
        }))?;
        if is_done.get() {
            return ControlFlow::Continue(());
        }
        let hints = Hints { name: Some(name.into()), ..self.hints.clone() };
        let found = detect::detect(bytes, &hints);
        if found.archive.is_some() {
            self.notices.add(Notice::AttachmentUnread);
            return ControlFlow::Continue(());
        }
        let hints = Hints { detection: Some(found), ..hints };
        let finder = self.finder;
        let Ok(mut links) = finder.document(bytes, &hints) else {
            self.notices.add(Notice::Undecodable);
            return ControlFlow::Continue(());
        };
        let origin = Arc::new(Origin { member: Some(name.into()), ..Origin::default() });
        for candidate in &mut links {
            let mut judged = candidate.into_result();
            set_origin(&mut judged, &origin);
            emit(WholeEvent::Judged(judged))?;
        }
        self.notices.add_all(&links.notices());
        self.notices.add_all(Notice::of_disposition(found.disposition).as_slice());
        ControlFlow::Continue(())
    }
}

/// Message that a parser composed of texts that the document stores.
#[cfg(feature = "office")]
pub(crate) struct ComposedMessage<'a> {
    pub(crate) bytes: &'a [u8],
    pub(crate) hints: Hints,
    /// Its name in a store of messages.
    pub(crate) origin: Arc<Origin>,
    places: &'a [MessagePlace],
    /// Notices of the document, to which those of the message belong.
    pub(crate) notices: &'a mut Notices,
}

#[cfg(feature = "office")]
impl ComposedMessage<'_> {
    /// Gives a link of the message its place in the text that it comes from.
    pub(crate) fn place(&self, judged: &mut Judged<'_>) {
        let body = body_of(judged);
        let after = self.places.partition_point(|place| place.range.start <= body.range.start);
        let place = after.checked_sub(1).and_then(|place| self.places.get(place));
        // The links of a document in an attachment count in its own objects.
        let is_own = body.rare.as_ref().is_none_or(|rare| rare.object.is_none());
        if let Some(place) = place.filter(|_| is_own) {
            let by = |offset: usize| offset.saturating_sub(place.range.start) + place.from;
            body.range = by(body.range.start)..by(body.range.end);
            body.rare_mut().object = Some(Arc::clone(&place.object));
        }
        if self.origin.member.is_some() {
            set_origin(judged, &self.origin);
        }
    }
}

/// Place of a piece's links.
struct PiecePlace {
    object: Arc<str>,
    page: Option<u64>,
    context: StoredContext,
    /// Ranges of the piece in which no link begins, in order.
    cut: Vec<Range<usize>>,
    /// Offset of the piece in the document, if it is stored there as it is; its links have no object then.
    at: Option<usize>,
}
