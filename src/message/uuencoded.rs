//! Uuencoded files in the text of a part: each is read as an attachment is, between the links of the text.

use std::ops::{ControlFlow, Range};

use super::content::Leaf;
use super::part::Reading;
use super::placing::{Bytes, Placing};
use super::transfer::{Encoding, uuencode};
use super::{Emit, Feed, Found, LONGEST_CHAIN, Mail};
use crate::document::{Disposition, Format};
use crate::notice::Notice;

/// The files of a text that are not read yet, in order.
pub(super) struct Uuencoded<'b> {
    files: &'b [Range<usize>],
}

impl<'b> Uuencoded<'b> {
    /// Those of a text, if all of its part is at hand.
    pub(super) fn of(bytes: &Bytes<'b>, is_whole: bool) -> Uuencoded<'b> {
        let files = bytes.edited.filter(|_| is_whole).map_or(&[][..], |edited| &edited.files);
        Uuencoded { files }
    }

    /// Takes those before an offset of the text.
    pub(super) fn before(&mut self, bytes: &Bytes<'_>, text: usize) -> &'b [Range<usize>] {
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

impl Mail<'_> {
    /// Reads uuencoded files, ranges of the decoded bytes of a leaf.
    pub(super) fn uuencoded(
        &mut self,
        bytes: &Bytes<'_>,
        files: &[Range<usize>],
        placing: &mut Placing,
        emit: &mut Emit<'_>,
    ) -> ControlFlow<()> {
        for file in files {
            if self.chain + 1 >= LONGEST_CHAIN {
                self.notice(Notice::TooDeep);
                self.notice(Notice::Skipped);
                return ControlFlow::Continue(());
            }
            let name = uuencode::name(&bytes.decoded[file.clone()]);
            let leaf = Leaf {
                reading: Reading::As(Format::Auto, Some(name.into())),
                disposition: Disposition::Text,
                encoding: Encoding::Uuencode,
                charset: Ok(None),
                ..bytes.leaf.clone()
            };
            let mut inner = self.inner_leaf(leaf, bytes.decoded);
            inner.at = file.start;
            let flow = inner.run(&mut Feed::whole(&bytes.decoded[..file.end]), &mut |found| {
                let Found::Judged(mut judged) = found else { return emit(found) };
                placing.outwards(&mut judged, bytes.stored);
                self.give(judged, bytes.stored.chunk, emit)
            });
            self.notices.add_all(inner.notices());
            flow?;
        }
        ControlFlow::Continue(())
    }
}
