//! Scans entities inside a leaf: messages, multiparts, signed content and uuencoded files. Their links are mapped to
//! the stored bytes.

use std::ops::{ControlFlow, Range};

use super::alternatives::AlternativeBuffer;
use super::edit::EditedText;
use super::heading::HeaderReader;
use super::link_placement::{LeafText, outwards};
use super::part::{Leaf, LeafFormat, NestedContent, PREAMBLE, StoredLeaf};
use super::structure::DEEPEST;
use super::transfer::TransferEncoding;
use super::{EmitMail, MailScanner, MessageBuffer, MessageState, ScanEvent};
use crate::detect::document::{Disposition, Format, Hints};
use crate::detect::mail::MailKind;
use crate::input::chunk::Chunk;
use crate::link::{Judged, has_object};
use crate::notice::Notice;
use crate::source_map::ByteCursor;
use crate::source_map::transfer::uuencode;

impl<'f> MailScanner<'f> {
    /// Scans a message or a mailbox whose bytes are the decoded bytes of a leaf.
    pub(super) fn nested(
        &mut self,
        stored: StoredLeaf<'_>,
        decoded: &[u8],
        leaf: &Leaf,
        kind: MailKind,
        emit: &mut EmitMail<'_>,
    ) -> ControlFlow<()> {
        if self.entities.is_chain_full() || self.entities.next_depth() >= DEEPEST {
            self.notice(Notice::TooDeep);
            let reading = LeafFormat::Text { delsp: false };
            let leaf = Leaf { holds: NestedContent::Nothing, reading, ..leaf.clone() };
            return self.document(stored, decoded, &leaf, emit);
        }
        let mut inner = self.inner(leaf, kind);
        match leaf.holds {
            NestedContent::Parts(_) => self.enter_parts(&mut inner, decoded),
            NestedContent::MessageHeader => {
                inner.place.set_outer(self.place.of(&leaf.section));
                inner.find_line_end(decoded);
                inner.state = MessageState::Header(HeaderReader::of_attached());
            }
            _ => inner.place.set_outer(self.place.of(&leaf.section)),
        }
        let mut cursor = ByteCursor::default();
        let place = |judged: &mut Judged<'_>| outwards(judged, leaf.encoding, &mut cursor, stored);
        self.run_inner(inner, decoded, stored.chunk, place, emit)
    }

    /// Scans the signed content of a leaf, joined from the pieces that the signature stores: a MIME entity or a
    /// document.
    pub(super) fn nested_in(
        &mut self,
        stored: StoredLeaf<'_>,
        content: &EditedText,
        leaf: &Leaf,
        emit: &mut EmitMail<'_>,
    ) -> ControlFlow<()> {
        let of_content = Leaf { encoding: TransferEncoding::Identity, ..leaf.clone() };
        let mut inner = self.inner_leaf(of_content, &content.text);
        if leaf.holds == NestedContent::Entity {
            inner.state = MessageState::Header(HeaderReader::of_part(false));
        }
        let mut cursor = ByteCursor::default();
        let place = |judged: &mut Judged<'_>| {
            content.outwards(judged);
            outwards(judged, leaf.encoding, &mut cursor, stored);
        };
        self.run_inner(inner, &content.text, stored.chunk, place, emit)
    }

    /// Scans the message inside a leaf. `place` maps each candidate to its range in this message; `chunk` is a chunk of
    /// this message.
    fn run_inner(
        &mut self,
        mut inner: MailScanner<'_>,
        bytes: &[u8],
        chunk: Chunk<'_>,
        mut place: impl FnMut(&mut Judged<'_>),
        emit: &mut EmitMail<'_>,
    ) -> ControlFlow<()> {
        let flow = inner.run(&mut MessageBuffer::whole(bytes), &mut |event| match event {
            ScanEvent::Judged(judged) if has_object(&judged) => self.give_unplaced(judged, emit),
            ScanEvent::Judged(mut judged) => {
                place(&mut judged);
                self.give(judged, chunk, emit)
            }
            event => emit(event),
        });
        self.notices.add_with_parts(&inner.notices);
        flow
    }

    /// Creates a scanner for a leaf whose bytes are decoded from this message, or from a part of it.
    fn inner_leaf(&mut self, leaf: Leaf, decoded: &[u8]) -> MailScanner<'f> {
        let mut inner = self.inner(&leaf, MailKind::Message);
        inner.place.set_outer(self.place.of(&leaf.section));
        inner.entities.set_scope_of(&self.entities);
        inner.find_line_end(decoded);
        inner.state = MessageState::Leaf(Box::new(Leaf { section: Vec::new(), ..leaf }));
        inner
    }

    /// Creates a scanner for the content of a leaf, one level and one encoding deeper.
    fn inner(&mut self, leaf: &Leaf, kind: MailKind) -> MailScanner<'f> {
        let hints = Hints { positions: None, ..self.leaf_hints(leaf) };
        let mut inner = MailScanner::new(&self.finder, &hints, kind);
        (inner.entities, inner.place) = (self.entities.inside(), self.place.inside());
        inner
    }

    /// Sets up `inner` to scan the decoded parts of the multipart that begins here.
    fn enter_parts(&mut self, inner: &mut MailScanner<'_>, decoded: &[u8]) {
        self.notice(Notice::EncodedMultipart);
        inner.find_line_end(decoded);
        inner.state = MessageState::Leaf(Box::new(Leaf::between(&PREAMBLE)));
        inner.entities.set_parts_of(&self.entities);
        inner.place.set_section_of(&self.place);
        if self.holds_alternatives() {
            inner.held.push(AlternativeBuffer::new(inner.entities.levels.len()));
        }
    }
}

/// Uuencoded files of a text that have not been scanned, in order.
pub(super) struct UuencodedFiles<'b> {
    files: &'b [Range<usize>],
}

impl<'b> UuencodedFiles<'b> {
    /// Returns the files of a text; there are none unless its entire part is in memory.
    pub(super) fn of(bytes: &LeafText<'b>, is_whole: bool) -> UuencodedFiles<'b> {
        let files = bytes.edited.filter(|_| is_whole).map_or(&[][..], |edited| &edited.files);
        UuencodedFiles { files }
    }

    /// Removes and returns the files before an offset of the text.
    pub(super) fn before(&mut self, bytes: &LeafText<'_>, text: usize) -> &'b [Range<usize>] {
        let Some(edited) = bytes.edited.filter(|_| !self.files.is_empty()) else { return &[] };
        let start = edited.source(text);
        let count = self.files.iter().take_while(|file| file.start < start).count();
        let (before, after) = self.files.split_at(count);
        self.files = after;
        before
    }

    /// Returns the remaining files.
    pub(super) fn rest(self) -> &'b [Range<usize>] {
        self.files
    }
}

impl MailScanner<'_> {
    /// Scans uuencoded files, which are ranges of the decoded bytes of a leaf.
    pub(super) fn uuencoded(
        &mut self,
        bytes: &LeafText<'_>,
        files: &[Range<usize>],
        emit: &mut EmitMail<'_>,
    ) -> ControlFlow<()> {
        for file in files {
            if self.entities.is_chain_full() {
                self.notice(Notice::TooDeep);
                self.notice(Notice::Skipped);
                return ControlFlow::Continue(());
            }
            let name = uuencode::name(&bytes.decoded[file.clone()]);
            let leaf = Leaf {
                reading: LeafFormat::As(Format::Auto, Some(name.into())),
                disposition: Disposition::Text,
                encoding: TransferEncoding::Uuencode,
                charset: Ok(None),
                ..bytes.leaf.clone()
            };
            let mut inner = self.inner_leaf(leaf, bytes.decoded);
            inner.at = file.start;
            let mut cursor = ByteCursor::default();
            let place = |judged: &mut Judged<'_>| {
                outwards(judged, bytes.leaf.encoding, &mut cursor, bytes.stored);
            };
            let decoded = &bytes.decoded[..file.end];
            self.run_inner(inner, decoded, bytes.stored.chunk, place, emit)?;
        }
        ControlFlow::Continue(())
    }
}
