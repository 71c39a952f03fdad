//! Long tables: comma-separated values of more than 16 MiB are read a stretch at a time, as a file of that size is.
//!
//! A stretch ends with a record. The first line of all is put before it, since that tells what separates.

use std::ops::ControlFlow;

use super::content::{Leaf, NestedContent};
use super::edit::EditedText;
use super::link_placement::{LeafText, LinkPlacement};
use super::long::end_of_stretch;
use super::part::LeafFormat;
use super::{EmitMail, MailScanner, MessageBuffer};
use crate::charset::{Charset, Layout};
use crate::detect::HEAD;
use crate::detect::document::{Disposition, DocumentFormat, Format, Hints};
use crate::markup::Csv;

impl Leaf {
    /// Whether it is one of comma-separated values.
    pub(super) fn is_table(&self) -> bool {
        matches!(self.reading, LeafFormat::As(Format::Csv, _))
    }
}

impl LinkPlacement {
    /// How many bytes of a stretch are whole records.
    pub(super) fn records(&self, decoded: &[u8]) -> usize {
        let first = self.first_line.as_deref().unwrap_or(decoded);
        match Csv::records_end(decoded, first).0 {
            // A record is longer than that.
            0 => end_of_stretch(decoded),
            end => end,
        }
    }
}

impl MailScanner<'_> {
    /// Whether a leaf that begins here holds comma-separated values, in a charset that has ASCII as bytes.
    pub(super) fn holds_table(&self, feed: &MessageBuffer<'_>, leaf: &Leaf) -> bool {
        let Some(format) = leaf.reading.format().filter(|_| leaf.disposition == Disposition::Text)
        else {
            return false;
        };
        let head = self.head_of(feed.from(self.at), leaf, HEAD);
        let charset = leaf.charset.ok().flatten();
        let is_wide =
            |charset: Charset| charset.is_utf16() || charset.layout() == Some(Layout::Iso2022Jp);
        let name = leaf.reading.name().map(Into::into);
        let hints = Hints { format, name, ..Hints::default() };
        leaf.holds == NestedContent::Nothing
            && !charset.is_some_and(is_wide)
            && memchr::memchr(0, &head).is_none()
            && hints.document_format(&head) == DocumentFormat::Csv
    }

    /// Scans a stretch of a table.
    pub(super) fn table(
        &mut self,
        bytes: LeafText<'_>,
        hints: Hints,
        placing: &mut LinkPlacement,
        emit: &mut EmitMail<'_>,
    ) -> ControlFlow<()> {
        let hints = Hints { format: Format::Csv, ..hints };
        let Some(first) = placing.first_line.take() else {
            placing.first_line = Some(Csv::first_line(bytes.decoded));
            return self.scan(hints, bytes, placing, emit);
        };
        let edited = EditedText::after(&first, bytes.decoded);
        let (text, before) = (&*edited.text, first.len());
        let bytes = LeafText { text, edited: Some(&edited), before, ..bytes };
        let flow = self.scan(hints, bytes, placing, emit);
        placing.first_line = Some(first);
        flow
    }
}
