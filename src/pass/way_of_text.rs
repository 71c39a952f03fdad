//! The pass that a document asks for, without the feature `documents`: that over text in UTF-8.

use std::ops::ControlFlow;

use super::{Pass, Utf8};
use crate::block::{Block, Emit, Stepped};
use crate::charset::{Detected, Extent};
use crate::document::{Format, Hints};
use crate::notice::Notice;

/// A pass over running text in UTF-8.
#[derive(Clone, Debug)]
pub(crate) enum Way<'f> {
    Utf8(Utf8<'f>),
}

impl<'f> Way<'f> {
    /// The one for any document. With it what a reader should know: that it is read as text, if somebody says that it is more.
    pub(crate) fn of(
        _: &Detected,
        hints: &Hints,
        _: (&[u8], Extent),
        begun: Utf8<'f>,
    ) -> (Way<'f>, Option<Notice>) {
        let is_text = matches!(hints.told_format(), Format::Auto | Format::Text | Format::Code);
        (Way::Utf8(begun), (!is_text).then_some(Notice::ReadAsText))
    }
}

impl Pass for Way<'_> {
    fn step<'b>(
        &mut self,
        block: Block<'b>,
        emit: &mut Emit<'_, 'b>,
    ) -> ControlFlow<(), Stepped<'b>> {
        let Way::Utf8(pass) = self;
        pass.step(block, emit)
    }

    fn cut(&mut self, block: Block<'_>) -> usize {
        let Way::Utf8(pass) = self;
        pass.cut(block)
    }
}
