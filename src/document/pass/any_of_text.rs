//! The pass over text in UTF-8, the only one without the feature `documents`.

use std::ops::ControlFlow;

use super::{Arrived, Pass, PassPoint, Told, Utf8};
use crate::detect::document::{DocumentFormat, Format, Hints, TextOpening};
use crate::document::finder::{Finder, FinderHandle};
use crate::document::step::{Emit, Stepped};
use crate::input::chunk::Chunk;
use crate::notice::Notice;

/// A pass over running text in UTF-8.
#[derive(Clone, Debug)]
pub(crate) enum AnyPass<'f> {
    Utf8(Utf8<'f>),
}

impl<'f> AnyPass<'f> {
    /// Returns the pass for any document, and the notice that it is read as text, if it is declared to be markup or
    /// mail.
    pub(crate) fn of(
        finder: &FinderHandle<'f>,
        opening: &TextOpening,
        hints: &Hints,
        _: Arrived<'_>,
    ) -> (AnyPass<'f>, Told) {
        let is_text = matches!(
            hints.effective_format(),
            Format::Auto | Format::Text | Format::Code | Format::Yaml
        );
        let notice = (!is_text).then_some(Notice::ReadAsText);
        let text_kind = opening.format.text_kind(finder.scan.boundaries);
        let pass = Utf8::new(finder, text_kind, hints.positions);
        (AnyPass::Utf8(pass), [notice, Notice::of_detected(&opening.encoding)])
    }

    /// Returns `true`: no encoding is guessed.
    pub(crate) fn needs_guess(_: &Finder, _: DocumentFormat, _: &[u8]) -> bool {
        true
    }

    /// Returns `true`: the links of a text can always be reported before all of it is available.
    pub(crate) fn is_for_parts(_: &TextOpening) -> bool {
        true
    }

    /// Returns `true`: it is a pass over running text whose ASCII is stored as ASCII.
    pub(crate) fn is_of_text(&self) -> bool {
        true
    }
}

impl Pass for AnyPass<'_> {
    fn step<'b>(
        &mut self,
        chunk: Chunk<'b>,
        emit: &mut Emit<'_, 'b>,
    ) -> ControlFlow<(), Stepped<'b>> {
        let AnyPass::Utf8(pass) = self;
        pass.step(chunk, emit)
    }

    fn at(&self) -> Option<usize> {
        let AnyPass::Utf8(pass) = self;
        pass.at()
    }

    fn point(&self, chunk: Chunk<'_>) -> Option<PassPoint> {
        let AnyPass::Utf8(pass) = self;
        pass.point(chunk)
    }

    fn resume(&mut self, point: &PassPoint) {
        let AnyPass::Utf8(pass) = self;
        pass.resume(point);
    }

    fn release(&mut self, chunk: Chunk<'_>) -> usize {
        let AnyPass::Utf8(pass) = self;
        pass.release(chunk)
    }
}
