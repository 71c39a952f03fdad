//! Scans leaves, which are parts that contain no parts: they are decoded, edited and scanned, and the ranges of their
//! links are mapped to the stored bytes.

use std::ops::ControlFlow;
use std::sync::Arc;

use super::edit::{self, WrappedLinks};
use super::link_placement::{LeafText, LinkPlacement};
use super::nested::UuencodedFiles;
use super::part::{Leaf, LeafEnd, LeafFormat, NestedContent, StoredLeaf, UndecodableCharset};
use super::shift_encoding::ShiftedRanges;
use super::structure::{EntityLevel, PartEnd, SearchStart};
use super::transfer::{ExpectedContent, TransferDecoder, TransferEncoding, base64_in};
use super::{EmitMail, MailScanner, MessageBuffer, ScanEvent};
use crate::charset::{Charset, Detected};
use crate::context::{ContextKind, KnownContext};
use crate::detect::document::{
    Declared, Detection, Disposition, DocumentFormat, Format, Hints, JoinWrapped, ScanScope,
};
use crate::detect::mail::MailKind;
use crate::input::chunk::Chunk;
use crate::link::{Judged, Origin, body_of, owned};
use crate::notice::Notice;
use crate::source_map::SourceMap;

impl MailScanner<'_> {
    /// Scans a leaf.
    pub(super) fn leaf(
        &mut self,
        feed: &mut MessageBuffer<'_>,
        mut leaf: Leaf,
        emit: &mut EmitMail<'_>,
    ) -> ControlFlow<()> {
        let (start, longest) = (self.at, leaf.longest_whole());
        let mut from = SearchStart { at: start, is_line: true };
        let (at, end) = loop {
            match self.ends.find(feed.chunk(), from, &self.entities.levels) {
                Ok((at, end)) if at - start > longest => {
                    let from = SearchStart { at: start, is_line: true };
                    self.preamble(&mut leaf, None);
                    let end = LeafEnd { from, found: Some((at, end)) };
                    return self.long_leaf(feed, leaf, end, emit);
                }
                Ok(found) => break found,
                Err(again) if again.at - start > longest => {
                    self.preamble(&mut leaf, None);
                    let end = LeafEnd { from: again, found: None };
                    return self.long_leaf(feed, leaf, end, emit);
                }
                Err(again) => {
                    from = again;
                    feed.more(start.saturating_sub(super::BEFORE), &mut self.lines);
                }
            }
        };
        self.preamble(&mut leaf, Some(end));
        if leaf.context.is_some() {
            leaf.section.clone_from(&self.place.section);
        }
        let content = &feed.from(start)[..at - start];
        // The line end before a delimiter belongs to it (RFC 2046 §5.1.1).
        let content = match end {
            PartEnd::Delimiter { .. } => super::header::without_end(content),
            _ => content,
        };
        let stored =
            StoredLeaf { bytes: content, start, chunk: feed.chunk(), map: None, detection: None };
        self.rank(&leaf);
        self.stored_leaf(stored, &leaf, emit)?;
        self.end(at, end, emit)
    }

    /// Treats the text before the first delimiter of a level as the level's body, which is text or encoded parts,
    /// unless a delimiter of that level ends it. `end` is `None` for a text that is too long to wait for its end.
    fn preamble(&self, leaf: &mut Leaf, end: Option<PartEnd>) {
        if leaf.context.map(KnownContext::kind) != Some(ContextKind::Preamble) {
            return;
        }
        if end.is_some_and(|end| self.ends_own_level(end)) {
            leaf.holds = NestedContent::Nothing;
            return;
        }
        leaf.context = None;
        leaf.section.clone_from(&self.place.section);
        leaf.section.push(1);
        if let NestedContent::Parts(encoding) = leaf.holds {
            leaf.encoding = encoding;
        }
    }

    /// Returns `true` if a delimiter belongs to the innermost level.
    fn ends_own_level(&self, end: PartEnd) -> bool {
        matches!(end, PartEnd::Delimiter { level, .. } if level + 1 == self.entities.levels.len())
            && matches!(self.entities.levels.last(), Some(EntityLevel::Parts(_)))
    }

    fn stored_leaf(
        &mut self,
        stored: StoredLeaf<'_>,
        leaf: &Leaf,
        emit: &mut EmitMail<'_>,
    ) -> ControlFlow<()> {
        if leaf.reading == LeafFormat::Skip && leaf.holds == NestedContent::Nothing
            || stored.bytes.is_empty()
        {
            return ControlFlow::Continue(());
        }
        if self.signed(stored, leaf, emit)? {
            return ControlFlow::Continue(());
        }
        if leaf.encoding == TransferEncoding::Identity {
            return self.document(stored, stored.bytes, leaf, emit);
        }
        let mut decoding = TransferDecoder::new(leaf.encoding, self.ends.line_end, leaf.expected());
        let mut detection = None;
        if leaf.may_be_left() {
            let found = self.detect_head(stored.bytes, leaf);
            detection = Some(found);
            let is_left = match found.archive {
                Some(_) => {
                    // Decode only on request: an attachment may be long, and few callers need its bytes.
                    let whole = || {
                        let (mut decoding, mut decoded) = (decoding, Vec::new());
                        decoding.decode(stored.bytes, true, &mut decoded);
                        decoded
                    };
                    self.attachment(Some(&whole), leaf, emit)?;
                    true
                }
                None if !self.is_scanned(found.disposition) => {
                    self.tell(found.disposition, emit)?;
                    true
                }
                None => false,
            };
            if is_left {
                let done = decoding.pass(stored.bytes);
                return self.after_encoded(stored, done, decoding.has_ended(), leaf, emit);
            }
        }
        let mut decoded = std::mem::take(&mut self.buffers.decoded);
        decoded.clear();
        let mut map = std::mem::take(&mut self.buffers.map);
        map.clear();
        // No encoding decodes to more bytes than are stored.
        decoded.reserve(stored.bytes.len());
        let done = decoding.decode_mapped(stored.bytes, stored.start, true, &mut decoded, &mut map);
        let mut flow = ControlFlow::Continue(());
        let is_encoded = !decoded.is_empty() || !decoding.has_ended();
        let resumes = || leaf.resumption(stored.bytes, self.ends.line_end).is_some();
        let is_text = !is_encoded && !resumes();
        if is_encoded {
            let stored = StoredLeaf { map: Some(&map), detection, ..stored };
            flow = self.document(stored, &decoded, leaf, emit);
        }
        (self.buffers.decoded, self.buffers.map) = (decoded, map);
        flow?;
        if is_text {
            // Nothing in the part is encoded: scan the stored bytes.
            let holds = match leaf.holds {
                NestedContent::Message | NestedContent::MessageHeader => leaf.holds,
                _ => NestedContent::Nothing,
            };
            let leaf = Leaf { encoding: TransferEncoding::Identity, holds, ..leaf.clone() };
            return self.stored_leaf(stored, &leaf, emit);
        }
        self.after_encoded(stored, done, decoding.has_ended(), leaf, emit)
    }

    /// Scans the text after a part's encoded bytes, which is not encoded: a mailing list appended it. Encoded bytes may
    /// follow that a program put it before.
    pub(super) fn after_encoded(
        &mut self,
        stored: StoredLeaf<'_>,
        done: usize,
        has_ended: bool,
        leaf: &Leaf,
        emit: &mut EmitMail<'_>,
    ) -> ControlFlow<()> {
        if !has_ended {
            return ControlFlow::Continue(());
        }
        let reading = LeafFormat::Text { delsp: false };
        let encoding = TransferEncoding::Identity;
        let text = Leaf { reading, encoding, holds: NestedContent::Nothing, ..leaf.clone() };
        let mut at = done;
        loop {
            let again = leaf.resumption(&stored.bytes[at..], self.ends.line_end);
            let end = again.map_or(stored.bytes.len(), |again| at + again);
            let (bytes, start) = (&stored.bytes[at..end], stored.start + at);
            self.stored_leaf(StoredLeaf { bytes, start, map: None, ..stored }, &text, emit)?;
            if again.is_none() {
                return ControlFlow::Continue(());
            }
            let mut decoding =
                TransferDecoder::new(leaf.encoding, self.ends.line_end, leaf.expected());
            let (mut decoded, mut map) = (Vec::new(), SourceMap::default());
            let (bytes, start) = (&stored.bytes[end..], stored.start + end);
            let done = decoding.decode_mapped(bytes, start, true, &mut decoded, &mut map);
            let rest = StoredLeaf { bytes, start, map: Some(&map), detection: None, ..stored };
            self.document(rest, &decoded, leaf, emit)?;
            if !decoding.has_ended() {
                return ControlFlow::Continue(());
            }
            at = end + done;
        }
    }

    /// Scans the decoded bytes of a leaf.
    pub(super) fn document(
        &mut self,
        stored: StoredLeaf<'_>,
        decoded: &[u8],
        leaf: &Leaf,
        emit: &mut EmitMail<'_>,
    ) -> ControlFlow<()> {
        let found = leaf.detection(decoded, stored.detection);
        if found.archive.is_some() {
            return self.attachment(Some(&|| decoded.to_vec()), leaf, emit);
        }
        if found.format == Some(DocumentFormat::Http)
            && self.is_opened(Some(&|| decoded.to_vec()), true, leaf, emit)?
        {
            return ControlFlow::Continue(());
        }
        match self.hints.scope.non_text.applied_to(found.disposition) {
            Disposition::Text => {}
            whole if whole.is_whole() => return self.whole(whole, decoded, leaf, emit),
            disposition => return self.binary(disposition, stored, decoded, leaf, emit),
        }
        let mut hints = self.leaf_hints(leaf);
        let mut kind = (leaf.holds != NestedContent::Nothing).then_some(MailKind::Message);
        if let Some(format) = leaf.reading.format() {
            hints.name = leaf.reading.name().map(Into::into);
            hints.format = format;
            hints.detection = Some(Detection { disposition: leaf.disposition, ..found });
            kind = kind.or(found.mail_kind());
        }
        if let Some(kind) = kind {
            return self.nested(stored, decoded, leaf, kind, emit);
        }
        let mut placing = LinkPlacement::new();
        let bytes = LeafText::unedited(stored, decoded, leaf);
        self.edited_document(bytes, hints, &mut placing, emit)
    }

    /// Scans a block of a long leaf's text as a document.
    pub(super) fn stretch(
        &mut self,
        stored: StoredLeaf<'_>,
        decoded: &[u8],
        leaf: &Leaf,
        placing: &mut LinkPlacement,
        emit: &mut EmitMail<'_>,
    ) -> ControlFlow<()> {
        let mut hints = self.leaf_hints(leaf);
        // The encoding of the first block applies to all blocks.
        let charset = placing.charset.or(hints.charset);
        hints.charset = charset;
        if placing.charset.is_none() {
            let found = Detected::of_document(decoded, &hints);
            placing.charset = found.ok().map(|found| found.charset());
        }
        placing.is_whole = false;
        if leaf.is_table() {
            return self.table(LeafText::unedited(stored, decoded, leaf), hints, placing, emit);
        }
        let bytes = LeafText::unedited(stored, decoded, leaf);
        self.edited_document(bytes, hints, placing, emit)
    }

    /// Edits bytes according to the format of their leaf, and scans them.
    fn edited_document(
        &mut self,
        bytes: LeafText<'_>,
        hints: Hints,
        placing: &mut LinkPlacement,
        emit: &mut EmitMail<'_>,
    ) -> ControlFlow<()> {
        let wrapped = match self.hints.mail.join_wrapped {
            JoinWrapped::Auto => WrappedLinks::Joined,
            JoinWrapped::Never => WrappedLinks::Left,
        };
        let mut edited = std::mem::take(&mut self.buffers.edited);
        let is_edited = edit::edit(&bytes.leaf.reading, wrapped, bytes.decoded, &mut edited);
        if is_edited && (edited.has_skipped || !placing.is_whole && !edited.files.is_empty()) {
            self.notice(Notice::Skipped);
        }
        let bytes = match is_edited {
            true => LeafText { text: &edited.text, edited: Some(&edited), ..bytes },
            false => bytes,
        };
        let flow = self.scan(hints, bytes, placing, emit);
        self.buffers.edited = edited;
        flow
    }

    pub(super) fn leaf_hints(&mut self, leaf: &Leaf) -> Hints {
        let charset = match &leaf.charset {
            Ok(charset) => *charset,
            Err(UndecodableCharset::Unknown) => {
                self.notice(Notice::UnknownCharset);
                None
            }
            // Only its ASCII characters are read.
            Err(UndecodableCharset::Shifted(_)) => {
                self.notice(Notice::Undecodable);
                Some(Charset::UTF_8)
            }
        };
        Hints {
            format: Format::Text,
            is_asked: false,
            declared: Declared::Nothing,
            detection: Some(Detection::known(leaf.disposition)),
            charset: charset.or(self.hints.charset),
            base: leaf.base.clone(),
            positions: None,
            eager: false,
            name: None,
            scope: ScanScope { is_of_message: true, ..self.hints.scope },
            ..self.hints.clone()
        }
    }

    pub(super) fn origin(&self, leaf: &Leaf) -> Arc<Origin> {
        let message_id = self.entities.message_id().cloned();
        let source = leaf.source.clone();
        Arc::new(Origin { message_id, source, ..self.origin_of(&leaf.section) })
    }

    /// Returns the origin of links in a section: its place in the mailbox or message, and the message's number.
    pub(super) fn origin_of(&self, section: &[u64]) -> Origin {
        let part = self.place.of(section);
        Origin { part, message_number: self.place.message_number(), ..Origin::default() }
    }

    pub(super) fn scan(
        &mut self,
        hints: Hints,
        bytes: LeafText<'_>,
        placing: &mut LinkPlacement,
        emit: &mut EmitMail<'_>,
    ) -> ControlFlow<()> {
        let shifts = match bytes.leaf.charset {
            Err(UndecodableCharset::Shifted(shifted)) => shifted.stretches(bytes.text),
            _ => ShiftedRanges::default(),
        };
        let finder = self.finder.clone();
        let Ok(mut found) = finder.document(bytes.text, &hints) else {
            self.notice(Notice::Undecodable);
            return ControlFlow::Continue(());
        };
        let mut files = UuencodedFiles::of(&bytes, placing.is_whole);
        for candidate in &mut found {
            let mut judged = candidate.into_result();
            let text = body_of(&mut judged).range.clone();
            if shifts.touch(&text) || text.start < bytes.before {
                continue;
            }
            self.uuencoded(&bytes, files.before(&bytes, text.start), emit)?;
            placing.place(self, &bytes, &mut judged);
            let judged = bytes.compared(bytes.rejected(judged, text.clone()), text);
            self.give(judged, bytes.stored.chunk, emit)?;
        }
        for notice in found.told() {
            // Uuencoded files are found when the text is edited.
            self.notice(notice);
        }
        self.uuencoded(&bytes, files.rest(), emit)
    }

    /// Limits the repeated values of a link, sets its position, and reports or buffers it.
    pub(super) fn give(
        &mut self,
        mut judged: Judged<'_>,
        chunk: Chunk<'_>,
        emit: &mut EmitMail<'_>,
    ) -> ControlFlow<()> {
        self.repeated.bound(&mut judged);
        self.repeated.bound_origin(&mut judged);
        if self.repeated.is_reached() {
            self.notice(Notice::Repeated);
        }
        if let Some(lines) = &mut self.lines {
            let body = body_of(&mut judged);
            body.position = Some(lines.position(chunk, body.range.start)).into();
        }
        self.hand_out(judged, emit)
    }

    /// Reports or buffers a link whose range does not count in the stored bytes.
    pub(super) fn give_unplaced(
        &mut self,
        mut judged: Judged<'_>,
        emit: &mut EmitMail<'_>,
    ) -> ControlFlow<()> {
        self.repeated.bound_origin(&mut judged);
        if self.repeated.is_reached() {
            self.notice(Notice::Repeated);
        }
        self.hand_out(judged, emit)
    }

    #[inline]
    fn hand_out(&mut self, judged: Judged<'_>, emit: &mut EmitMail<'_>) -> ControlFlow<()> {
        match self.held.last_mut() {
            Some(held) => {
                held.push(owned(judged));
                self.release_full(emit)
            }
            None => emit(ScanEvent::Judged(judged)),
        }
    }
}

impl Leaf {
    /// Returns where Base64 certainly continues in the text of a part that is declared to be in it.
    fn resumption(&self, text: &[u8], line_end: u8) -> Option<usize> {
        let is_declared = self.encoding == TransferEncoding::Base64
            && self.holds == NestedContent::Nothing
            && matches!(self.expected(), ExpectedContent::Text(_));
        is_declared.then(|| base64_in(text, line_end))?
    }
}
