//! Texts: running text of a page, scanned as stored where possible, and otherwise decoded, resolved and joined in the
//! window.

use std::ops::ControlFlow;

use super::{Emit, Page, Source};
use crate::document::finder::StoredSpan;
use crate::document::legacy;
use crate::input::chunk::Chunk;
use crate::link::{Judged, Reason, owned, set_code, start_of};
use crate::markup::{Content, Rules, TextToken};
use crate::notation::Notation;
use crate::scan::prefilter::{Look, TextPrefilter};
use crate::scan::reference::any_reference;
use crate::scan::{self, Boundaries, References, Scanner, TextKind, View};
use crate::simd::signs::{self, Masks};
use crate::tables::punctuation::is_full_stop;

/// Length in bytes of a text above which it is resolved piece by piece.
const PIECE: usize = 64 << 10;

impl<'f> Page<'f> {
    pub(super) fn text<'s>(
        &mut self,
        source: &Source<'s>,
        text: TextToken,
        emit: &mut Emit<'_, 's>,
    ) -> ControlFlow<()> {
        if text.content == Content::Sheet {
            return self.sheet(source, &text, emit);
        }
        if !self.settings.text {
            return ControlFlow::Continue(());
        }
        if !text.joined {
            self.end_text(source, emit)?;
        }
        if !text.joined && !text.open {
            return match self.may_hold_link_by_itself(source, &text) {
                true => self.whole_text(source, text, emit),
                false => ControlFlow::Continue(()),
            };
        }
        if !text.in_link {
            self.running.target.clear();
        }
        if self.is_scanned_as_stored(source, &text) {
            return self.text_as_stored(source, &text, emit);
        }
        if self.running.is_stored() {
            self.resume_in_window(source, emit)?;
        }
        self.text_in_window(source, text, emit)
    }

    /// Returns `true` if a run is a complete running text, before which no other text must be ended.
    #[inline]
    pub(super) fn is_lone(&self, text: &TextToken) -> bool {
        let is_pending = self.running.is_open | self.unended.sheet.is_some();
        text.content != Content::Sheet && !(is_pending | text.joined | text.open)
    }

    /// Returns `true` if complete texts are scanned, and this one may contain a link.
    #[inline]
    pub(super) fn may_hold_link_by_itself(
        &mut self,
        source: &Source<'_>,
        text: &TextToken,
    ) -> bool {
        if !self.settings.text {
            return false;
        }
        if !text.in_link {
            self.running.target.clear();
        }
        self.may_hold_link(source, text)
    }

    /// Scans a complete text that may contain a link.
    #[inline(never)]
    pub(super) fn whole_text<'s>(
        &mut self,
        source: &Source<'s>,
        text: TextToken,
        emit: &mut Emit<'_, 's>,
    ) -> ControlFlow<()> {
        let bytes = source.chunk.slice(text.range.clone());
        let is_as_stored = self.charset.is_utf8() || !source.is_plain() || bytes.is_ascii();
        if is_as_stored && !has_opener(source.chunk, &text) {
            return self.scan_whole(source, &text, emit);
        }
        if !is_as_stored && self.is_scanned_as_stored(source, &text) {
            return self.text_as_stored(source, &text, emit);
        }
        self.text_in_window(source, text, emit)
    }

    fn text_in_window<'s>(
        &mut self,
        source: &Source<'s>,
        text: TextToken,
        emit: &mut Emit<'_, 's>,
    ) -> ControlFlow<()> {
        self.running.note_notation(&text);
        let charset = source.charset(self.charset);
        let text_kind = self.text_kind_of(&text);
        self.running.window.text_kind = text_kind;
        // Output of terminals is logged in strings of JSON; in other formats no control character is text.
        let has_sequences = text.rules == Rules::Json;
        self.running.window.leave_out(has_sequences && self.finder.scan.links_go_over_sequences());
        (self.running.is_open, self.running.is_in_link) = (text.open, text.in_link);
        let mut rest = text.range.clone();
        while rest.len() > PIECE {
            let piece = rest.start..rest.start + PIECE;
            rest.start = piece.end;
            self.running.window.add(source.chunk, charset, piece, text.rules, true);
            self.scan_window(source, false, text.in_link, emit)?;
        }
        let may_go_on = text.open && text.range.end == source.chunk.end();
        self.running.window.add(source.chunk, charset, rest, text.rules, may_go_on);
        self.scan_window(source, !text.open, text.in_link, emit)
    }

    /// Returns `true` if a complete text may contain a link; most do not.
    fn may_hold_link(&mut self, source: &Source<'_>, text: &TextToken) -> bool {
        if text.rules == Rules::Json && has_telling_escape(&source.chunk[text.range.clone()]) {
            return true;
        }
        if matches!(text.rules, Rules::Escapes(_)) && has_opener(source.chunk, text) {
            return true;
        }
        let (settings, is_json) = (&self.finder.scan, text.rules == Rules::Json);
        let prefilter = self.running.prefilter.get_or_insert_with(|| {
            match source.charset(self.charset).layout() {
                Some(layout) => TextPrefilter::stored(legacy::kinds(layout, settings)),
                None => TextPrefilter::utf8(settings.schemeless),
            }
        });
        match prefilter.look(source.chunk.bytes(), source.chunk.relative(text.range.clone())) {
            Look::Candidate => return true,
            Look::Nothing => return false,
            Look::References if self.references(is_json) == References::Auto => return true,
            Look::References => {}
        }
        let bytes = source.chunk.slice(text.range.clone());
        any_reference(
            bytes,
            text.rules,
            |before, name| is_label_due(before) || may_be_trigger(name),
            |before, c| is_trigger(c) || is_label_due(before) && may_begin_label(c),
        )
    }

    fn text_kind_of(&self, text: &TextToken) -> TextKind {
        match self.finder.scan.boundaries {
            Boundaries::Prose => text.content.text_kind(),
            Boundaries::Uts58 => TextKind::Prose,
        }
    }

    /// Ends the text that was open.
    pub(super) fn end_text<'s>(
        &mut self,
        source: &Source<'s>,
        emit: &mut Emit<'_, 's>,
    ) -> ControlFlow<()> {
        if !self.running.is_open {
            return ControlFlow::Continue(());
        }
        self.running.is_open = false;
        match self.running.is_stored() {
            true => self.scan_stored_text(source, true, self.running.is_in_link, emit),
            false => self.scan_window(source, true, self.running.is_in_link, emit),
        }
    }

    /// Scans a text that is in the source as it is read.
    fn scan_whole<'s>(
        &mut self,
        source: &Source<'s>,
        text: &TextToken,
        emit: &mut Emit<'_, 's>,
    ) -> ControlFlow<()> {
        let bytes = source.chunk.slice(text.range.clone());
        let mut scanner = Scanner::new();
        let text_kind = self.text_kind_of(text);
        let view =
            View::new(bytes, true, self.references(text.rules == Rules::Json)).of_kind(text_kind);
        while let scan::ScanStep::Found(candidate) = scanner.next(&self.finder.scan, view) {
            let start = text.range.start + candidate.range.start;
            let inside = start..text.range.start + candidate.range.end;
            let range = source.stored(inside.clone());
            let raw = (!source.is_plain()).then(|| source.raw(self.charset, inside));
            let notation = self.nesting.notation.around(Notation::of(text.rules));
            let span = StoredSpan { range, charset: self.charset, raw, notation };
            let mut judged = self.finder.judge_at(bytes, candidate, span);
            set_code(&mut judged, text_kind.is_code());
            if !self.is_repeated(&judged, text.in_link) {
                self.give(judged, emit)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Scans a text that was decoded or resolved, or assembled from pieces.
    pub(super) fn scan_window<'s>(
        &mut self,
        source: &Source<'s>,
        is_last: bool,
        in_link: bool,
        emit: &mut Emit<'_, 's>,
    ) -> ControlFlow<()> {
        let mut window = std::mem::take(&mut self.running.window);
        if is_last {
            window.finish();
        }
        let references = self.references(self.running.is_json);
        while let Some(candidate) = window.next_resolved(&self.finder.scan, is_last, references) {
            let inside = window.stored(&candidate);
            let stored = source.stored(inside.clone());
            let is_long = candidate.refused == Some(Reason::TooLong);
            let charset = self.charset;
            // Only the first characters of a candidate that is too long are reported.
            let head = window.take_head();
            let raw = (head.is_none() && !is_long).then(|| source.raw(charset, inside));
            let notation = self.nesting.notation.around(self.running.notation);
            let span = StoredSpan { range: stored, charset, raw, notation };
            let mut judged = self.finder.judge_kept(head, window.text.bytes(), candidate, span);
            set_code(&mut judged, window.text_kind.is_code());
            if !self.is_repeated(&judged, in_link) {
                // The links that wait are after it, or inside.
                self.order.give(start_of(&judged), emit)?;
                if emit(owned(judged)).is_break() {
                    return ControlFlow::Break(());
                }
            }
        }
        if is_last {
            window.clear();
        }
        self.running.window = window;
        ControlFlow::Continue(())
    }

    /// Returns `true` if a text inside a link only repeats its target.
    pub(super) fn is_repeated(&mut self, judged: &Judged<'_>, in_link: bool) -> bool {
        match judged {
            Ok(link) if in_link && !self.finder.repeats => self.running.target.is_repeated_by(link),
            Err(rejected)
                if in_link
                    && !self.finder.repeats
                    && rejected.reason() == Reason::SchemeNotSelected =>
            {
                self.running.target.is_repeated_in_part_by(&rejected.iri())
            }
            _ => false,
        }
    }
}

/// Returns `true` if a text may contain a reference. Most texts are so short that the call of a search would take
/// longer.
#[inline]
pub(super) fn has_opener(bytes: Chunk<'_>, text: &TextToken) -> bool {
    let range = text.range.clone();
    let Some(opener) = text.rules.opener() else { return text.rules.may_be_in(&bytes[range]) };
    let rest = bytes.get(range.start..).unwrap_or_default();
    match rest.first_chunk::<{ signs::BLOCK }>() {
        Some(block) if range.len() < signs::BLOCK => {
            signs::Plain.same(block, opener) & ((1 << range.len()) - 1) != 0
        }
        _ => memchr::memchr(opener, &bytes[range]).is_some(),
    }
}

/// Returns `true` if an escape of JSON may represent a trigger, or a character after one: `:\/\/`, `\u002e`. No other
/// escape represents a character of a host.
fn has_telling_escape(bytes: &[u8]) -> bool {
    memchr::memchr_iter(b'\\', bytes).any(|at| match bytes.get(at + 1) {
        Some(b'u') => true,
        Some(b'/') => at > 0 && bytes[at - 1] == b':',
        _ => false,
    })
}

/// Returns `true` if a label may begin here, after a dot or an ideographic one.
fn is_label_due(before: &[u8]) -> bool {
    matches!(before, [.., b'.' | 0x80..] | [.., b'.', _])
}

fn may_begin_label(c: char) -> bool {
    !c.is_ascii_punctuation() && !c.is_whitespace()
}

/// Returns `true` if the character may be a trigger at any position.
fn is_trigger(c: char) -> bool {
    matches!(c, '.' | ':' | '@') || is_full_stop(c)
}

/// Returns `true` if a reference may represent a trigger, by the byte after its ampersand: a number, or one of the
/// names `period`, `colon`, `commat`.
fn may_be_trigger(name: &[u8]) -> bool {
    matches!(name, [b'#' | b'p' | b'c', ..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tables::entities;

    #[test]
    fn triggers_have_such_names() {
        let mut triggers = 0;
        for (name, characters) in entities::all() {
            if characters.contains(is_trigger) {
                assert!(may_be_trigger(name.as_bytes()), "{name}");
                triggers += 1;
            }
        }
        assert_eq!(triggers, 3);
    }
}
