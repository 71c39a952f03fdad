//! Uuencoded files in the text of a part: each is read as an attachment is, between the links of the text.

use std::ops::{ControlFlow, Range};

use super::content::Leaf;
use super::link_placement::{LeafText, outwards};
use super::part::LeafFormat;
use super::transfer::TransferEncoding;
use super::{EmitMail, LONGEST_CHAIN, MailScanner};
use crate::detect::document::{Disposition, Format};
use crate::link::Judged;
use crate::notice::Notice;
use crate::source_map::ByteCursor;
use crate::source_map::transfer::uuencode;

/// Uuencoded files of a text that have not been read yet, in order.
pub(super) struct UuencodedFiles<'b> {
    files: &'b [Range<usize>],
}

impl<'b> UuencodedFiles<'b> {
    /// Those of a text, if all of its part is available.
    pub(super) fn of(bytes: &LeafText<'b>, is_whole: bool) -> UuencodedFiles<'b> {
        let files = bytes.edited.filter(|_| is_whole).map_or(&[][..], |edited| &edited.files);
        UuencodedFiles { files }
    }

    /// Takes those before an offset of the text.
    pub(super) fn before(&mut self, bytes: &LeafText<'_>, text: usize) -> &'b [Range<usize>] {
        let Some(edited) = bytes.edited.filter(|_| !self.files.is_empty()) else { return &[] };
        let start = edited.source(text);
        let count = self.files.iter().take_while(|file| file.start < start).count();
        let (before, after) = self.files.split_at(count);
        self.files = after;
        before
    }

    /// Those that are left.
    pub(super) fn rest(self) -> &'b [Range<usize>] {
        self.files
    }
}

impl MailScanner<'_> {
    /// Reads uuencoded files, ranges of the decoded bytes of a leaf.
    pub(super) fn uuencoded(
        &mut self,
        bytes: &LeafText<'_>,
        files: &[Range<usize>],
        emit: &mut EmitMail<'_>,
    ) -> ControlFlow<()> {
        for file in files {
            if self.chain + 1 >= LONGEST_CHAIN {
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
