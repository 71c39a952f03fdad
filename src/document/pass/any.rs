//! The pass that a document needs.

use std::ops::ControlFlow;

use super::legacy::Legacy;
use super::page::Page;
use super::wide::{Bytes, Wide};
use super::{Arrived, Pass, PassPoint, Told, Utf8};
use crate::charset::Charset;
use crate::detect::document::{DocumentFormat, Format, Hints, TextOpening};
use crate::document::finder::{Finder, FinderHandle};
use crate::document::legacy::{LegacyScanner, may_hold_link};
use crate::document::step::{Emit, Stepped};
use crate::input::chunk::Chunk;
use crate::notice::Notice;

/// A pass over running text in UTF-8 or in a legacy charset, or over a page.
#[allow(clippy::large_enum_variant, reason = "to allocate takes longer than a short text does")]
#[derive(Clone, Debug)]
pub(crate) enum AnyPass<'f> {
    Utf8(Utf8<'f>),
    Legacy(Box<Legacy<'f>>),
    Page(Box<Page<'f>>),
    Wide(Box<Wide<'f>>),
}

impl<'f> AnyPass<'f> {
    /// Returns the pass for a document by its beginning, or all of it, and the notices on the document.
    pub(crate) fn of(
        finder: &FinderHandle<'f>,
        opening: &TextOpening,
        hints: &Hints,
        start: Arrived<'_>,
    ) -> (AnyPass<'f>, Told) {
        let TextOpening { format, ref encoding, is_binary } = *opening;
        let finder = &if is_binary { finder.of_binary() } else { finder.clone() };
        let unknown = Notice::of_detected(encoding);
        if let Some(page) = Page::of(finder, encoding, hints, format, start) {
            return (AnyPass::Page(Box::new(page)), [None, unknown]);
        }
        let text_kind = format.text_kind(finder.scan.boundaries);
        let columns = hints.positions;
        let notice = [Notice::of_text(hints, format), unknown];
        // Strings in UTF-16 are searched beside those in bytes.
        if is_binary && !encoding.charset().is_utf16() {
            let bytes = match LegacyScanner::of(encoding, &finder.scan) {
                Some(scanner) => {
                    Bytes::Legacy(Legacy::new(finder.clone(), scanner, text_kind, columns))
                }
                None => Bytes::Utf8(Utf8::new(finder, text_kind, columns)),
            };
            let wide = Wide::around(bytes, finder, Charset::UTF_16LE, columns);
            return (AnyPass::Wide(Box::new(wide)), notice);
        }
        // Cloned before the scanner exists, which is then moved only once.
        let kept = finder.clone();
        if let Some(scanner) = LegacyScanner::of(encoding, &finder.scan) {
            let pass = Legacy::new(kept, scanner, text_kind, columns);
            return (AnyPass::Legacy(Box::new(pass)), notice);
        }
        (AnyPass::Utf8(Utf8::new(finder, text_kind, columns)), notice)
    }

    /// Returns `true` if the links of a document may depend on an encoding that can only be guessed from its content.
    pub(crate) fn needs_guess(finder: &Finder, format: DocumentFormat, bytes: &[u8]) -> bool {
        format != DocumentFormat::Text || may_hold_link(bytes, &finder.scan)
    }

    /// Returns `true` if the links of a document that begins so can be reported before all of it is available.
    pub(crate) fn is_for_parts(opening: &TextOpening) -> bool {
        Page::is_for_parts(opening.format, &opening.encoding)
    }
}

impl AnyPass<'_> {
    /// Returns `true` for a pass over running text whose ASCII is stored as ASCII.
    pub(crate) fn is_of_text(&self) -> bool {
        matches!(self, AnyPass::Utf8(_) | AnyPass::Legacy(_))
    }
}

impl Pass for AnyPass<'_> {
    #[inline(always)]
    fn step<'b>(
        &mut self,
        chunk: Chunk<'b>,
        emit: &mut Emit<'_, 'b>,
    ) -> ControlFlow<(), Stepped<'b>> {
        match self {
            AnyPass::Utf8(pass) => pass.step(chunk, emit),
            AnyPass::Legacy(pass) => pass.step(chunk, emit),
            AnyPass::Page(pass) => pass.step(chunk, emit),
            AnyPass::Wide(pass) => pass.step(chunk, emit),
        }
    }

    fn at(&self) -> Option<usize> {
        match self {
            AnyPass::Utf8(pass) => pass.at(),
            AnyPass::Page(pass) => pass.at(),
            AnyPass::Legacy(_) | AnyPass::Wide(_) => None,
        }
    }

    fn point(&self, chunk: Chunk<'_>) -> Option<PassPoint> {
        match self {
            AnyPass::Utf8(pass) => pass.point(chunk),
            AnyPass::Page(pass) => pass.point(chunk),
            AnyPass::Legacy(_) | AnyPass::Wide(_) => None,
        }
    }

    fn resume(&mut self, point: &PassPoint) {
        match self {
            AnyPass::Utf8(pass) => pass.resume(point),
            AnyPass::Page(pass) => pass.resume(point),
            AnyPass::Legacy(_) | AnyPass::Wide(_) => {}
        }
    }

    fn release(&mut self, chunk: Chunk<'_>) -> usize {
        match self {
            AnyPass::Utf8(pass) => pass.release(chunk),
            AnyPass::Legacy(pass) => pass.release(chunk),
            AnyPass::Page(pass) => pass.release(chunk),
            AnyPass::Wide(pass) => pass.release(chunk),
        }
    }

    fn notices(&self) -> &[Notice] {
        match self {
            AnyPass::Page(pass) => pass.notices(),
            _ => &[],
        }
    }
}

impl Notice {
    /// Returns the notice on a document that is read as text although it is markup, or mail without the feature for it.
    fn of_text(hints: &Hints, kind: DocumentFormat) -> Option<Notice> {
        let is_mail = matches!(hints.effective_format(), Format::Email | Format::Mbox);
        let is_other = !kind.is_text() || is_mail && !cfg!(feature = "mail");
        is_other.then_some(Notice::ReadAsText)
    }
}
