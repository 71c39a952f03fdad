//! Detects the disposition and format of parts, and handles those that are not text.

use std::cell::Cell;
use std::ops::ControlFlow;
use std::sync::Arc;

use super::link_placement::{LeafText, LinkPlacement};
use super::part::{Leaf, LeafFormat, NestedContent, StoredLeaf};
use super::transfer::TransferDecoder;
use super::{EmitMail, MailScanner, ScanEvent};
#[cfg(feature = "office")]
use super::{PartFound, scan_composed};
use crate::detect::document::{Declared, Detection, Disposition, Format, NonText};
use crate::detect::{self, DocumentFacts, HEAD, LEAD};
use crate::document::attachment::Attachment;
#[cfg(feature = "office")]
use crate::link::Origin;
use crate::link::set_origin;
use crate::notice::Notice;
use crate::whole::{WholeEvent, WholeScanner};

impl LeafFormat {
    /// Returns `true` if all of its text is edited: lines are joined, or commands replaced.
    pub(crate) fn is_edited(&self) -> bool {
        matches!(self, LeafFormat::Enriched | LeafFormat::Text { delsp: true })
    }

    /// Returns the declaration that the part's type amounts to.
    fn declared(&self) -> Declared {
        match self {
            LeafFormat::Text { .. } | LeafFormat::Enriched => Declared::Text,
            LeafFormat::As(Format::Auto, _) | LeafFormat::Skip => Declared::Nothing,
            LeafFormat::As(format, _) => Declared::Format(*format),
            LeafFormat::Kind(disposition, _) => Declared::Kind(*disposition),
        }
    }

    /// Returns the format of a leaf that is scanned as a separate document.
    pub(super) fn format(&self) -> Option<Format> {
        match self {
            LeafFormat::As(format, _) => Some(*format),
            LeafFormat::Kind(..) => Some(Format::Auto),
            _ => None,
        }
    }

    /// Returns the name of a leaf that is detected by its name.
    pub(super) fn name(&self) -> Option<&[u8]> {
        match self {
            LeafFormat::As(_, name) | LeafFormat::Kind(_, name) => name.as_deref(),
            _ => None,
        }
    }
}

impl Leaf {
    /// Returns the detection of decoded bytes with this head, without their format.
    pub(super) fn disposition(&self, head: &[u8]) -> Detection {
        if self.holds != NestedContent::Nothing || self.reading == LeafFormat::Skip {
            return Detection::known(Disposition::Text);
        }
        detect::detect_disposition(&self.about(), head)
    }

    /// Returns the detection of a leaf's decoded bytes with their format. `found` is the detection of the head, if it
    /// was made before the rest was decoded.
    pub(super) fn detection(&self, bytes: &[u8], found: Option<Detection>) -> Detection {
        let found = found.unwrap_or_else(|| self.disposition(&bytes[..bytes.len().min(HEAD)]));
        match self.reading.format() {
            Some(_) => detect::with_format(found, &self.about(), bytes),
            None => found,
        }
    }

    fn about(&self) -> DocumentFacts<'_> {
        DocumentFacts {
            asked: None,
            charset: self.charset.as_ref().ok().copied().flatten(),
            declared: self.reading.declared(),
            name: self.reading.name().unwrap_or_default(),
        }
    }

    /// Returns `true` if the declared type is not text, so that the leaf is detected by its head before it is decoded.
    pub(super) fn may_be_left(&self) -> bool {
        matches!(self.reading, LeafFormat::As(Format::Auto, _) | LeafFormat::Kind(..))
    }
}

impl MailScanner<'_> {
    /// Detects a leaf by its head. Only the bytes that decide are decoded: for most binary files, those of the magic
    /// number.
    pub(super) fn detect_head(&self, stored: &[u8], leaf: &Leaf) -> Detection {
        if leaf.holds == NestedContent::Nothing && leaf.may_be_left() {
            let lead = self.head_of(stored, leaf, LEAD);
            let settled = detect::settled(&leaf.about(), &lead);
            if let Some(found) = settled.filter(|_| lead.len() == LEAD) {
                return found;
            }
        }
        leaf.disposition(&self.head_of(stored, leaf, HEAD))
    }

    /// Returns the first `len` decoded bytes of a leaf.
    pub(super) fn head_of(&self, stored: &[u8], leaf: &Leaf, len: usize) -> Vec<u8> {
        let mut head = Vec::with_capacity(2 * len);
        let mut decoding = TransferDecoder::new(leaf.encoding, self.ends.line_end, leaf.expected());
        // Base64 takes four bytes for three, quoted-printable up to three for one, both with line breaks.
        let most = stored.len().min(4 * len);
        let mut done = 0;
        for end in [most.min(len + len / 2), most] {
            let is_last = end == stored.len() && most < 4 * len;
            done += decoding.decode(&stored[done..end], is_last, &mut head);
            if head.len() >= len {
                break;
            }
        }
        head.truncate(len);
        head
    }

    /// Reports a leaf that is not text; returns `true` if it is scanned.
    pub(super) fn tell(
        &mut self,
        disposition: Disposition,
        emit: &mut EmitMail<'_>,
    ) -> ControlFlow<(), bool> {
        if let Some(notice) = Notice::of_disposition(disposition) {
            self.notice(notice);
        }
        let is_scanned = disposition.is_scanned(self.hints.scope.non_text);
        if !is_scanned && !disposition.is_binary() {
            emit(ScanEvent::Unread)?;
        }
        ControlFlow::Continue(is_scanned)
    }

    /// Returns `true` if a leaf of this disposition is scanned.
    pub(super) fn is_scanned(&self, disposition: Disposition) -> bool {
        self.hints.scope.non_text == NonText::AsText
            || disposition.is_scanned(self.hints.scope.non_text)
    }

    /// Scans the decoded bytes of a leaf that is not text.
    pub(super) fn binary(
        &mut self,
        disposition: Disposition,
        stored: StoredLeaf<'_>,
        decoded: &[u8],
        leaf: &Leaf,
        emit: &mut EmitMail<'_>,
    ) -> ControlFlow<()> {
        if !self.tell(disposition, emit)? {
            return ControlFlow::Continue(());
        }
        let leaf = &Leaf { disposition, ..leaf.clone() };
        let hints = self.leaf_hints(leaf);
        let mut placing = LinkPlacement::new();
        let bytes = LeafText::unedited(stored, decoded, leaf);
        self.scan(hints, bytes, &mut placing, emit)
    }

    /// Reports a leaf that is an archive, with its bytes if it is in memory.
    pub(super) fn attachment(
        &mut self,
        whole: Option<&dyn Fn() -> Vec<u8>>,
        leaf: &Leaf,
        emit: &mut EmitMail<'_>,
    ) -> ControlFlow<()> {
        if !self.is_opened(whole, false, leaf, emit)? {
            self.notice(Notice::AttachmentUnread);
        }
        ControlFlow::Continue(())
    }

    /// Returns `true` if the caller opens a leaf that is an archive, or an answer of HTTP.
    pub(super) fn is_opened(
        &mut self,
        whole: Option<&dyn Fn() -> Vec<u8>>,
        is_answer: bool,
        leaf: &Leaf,
        emit: &mut EmitMail<'_>,
    ) -> ControlFlow<(), bool> {
        let (name, origin) = (leaf.reading.name().unwrap_or_default(), self.origin(leaf));
        let is_done = Cell::new(false);
        let is_done = &is_done;
        let is_embedded = false;
        let attachment = Attachment { whole, name, origin, is_embedded, is_answer, is_done };
        emit(ScanEvent::Attachment(attachment))?;
        ControlFlow::Continue(is_done.get())
    }

    /// Scans the decoded bytes of a leaf that a parser reads whole. Its links have the leaf's part, and ranges in its
    /// objects.
    pub(super) fn whole(
        &mut self,
        disposition: Disposition,
        decoded: &[u8],
        leaf: &Leaf,
        emit: &mut EmitMail<'_>,
    ) -> ControlFlow<()> {
        let (hints, origin) = (self.leaf_hints(leaf), self.origin(leaf));
        let finder = self.finder.clone();
        let mut whole = WholeScanner::new(&finder, &hints, disposition, decoded);
        let flow = whole.run(&mut |event| match event {
            WholeEvent::Judged(mut judged) => {
                set_origin(&mut judged, &origin);
                self.give_unplaced(judged, emit)
            }
            WholeEvent::File(file) => {
                let origin = Arc::clone(&origin);
                emit(ScanEvent::Attachment(Attachment { origin, ..file }))
            }
            #[cfg(feature = "office")]
            WholeEvent::Message(message) => {
                scan_composed(&finder, message, &mut |event| self.of_whole(event, &origin, emit))
            }
            WholeEvent::Unread => emit(ScanEvent::Unread),
        });
        whole.notices().iter().for_each(|notice| self.notice(*notice));
        flow
    }
    /// Reports an event of a message that is in a leaf.
    #[cfg(feature = "office")]
    fn of_whole(
        &mut self,
        event: ScanEvent<'_>,
        origin: &Arc<Origin>,
        emit: &mut EmitMail<'_>,
    ) -> ControlFlow<()> {
        match event {
            ScanEvent::Judged(mut judged) => {
                set_origin(&mut judged, origin);
                self.give_unplaced(judged, emit)
            }
            ScanEvent::Part(found) => {
                let inner = Origin { part: found.part.map(Into::into), ..Origin::default() };
                let part = inner.part_within(origin);
                emit(ScanEvent::Part(PartFound { part: part.as_deref(), ..found }))
            }
            ScanEvent::Attachment(file) => {
                let origin = origin.around(Some(&file.origin));
                emit(ScanEvent::Attachment(Attachment { origin, ..file }))
            }
            ScanEvent::Unread => emit(ScanEvent::Unread),
        }
    }
}
