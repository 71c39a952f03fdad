//! Boundaries of a malformed header: one with several `Content-Type` fields, or without an empty line after it.
//!
//! A boundary counts if it occurs as a delimiter, at the start of a line. Each line of a header is compared with the
//! boundaries that the fields before it declare. If there are several types, the one whose boundary occurs in the body
//! counts.

use super::part::MimeHeaders;
use super::structure::{EntityLevel, LineKind, Multipart, PartEnd, PartEndFinder, SearchStart};
use super::transfer::TransferEncoding;
use super::{MailScanner, MessageBuffer};
use crate::input::chunk::Chunk;

/// Number of bytes of the body in which the boundaries of several types are searched.
const LOOK: usize = 64 << 10;

/// Levels that are opened by the header fields read so far.
#[derive(Debug, Default)]
pub(super) struct OpenedLevels {
    /// Number of types when the levels were built.
    types: usize,
    levels: Vec<EntityLevel>,
}

impl OpenedLevels {
    /// Returns the role of the line at an offset in the input: whether it is a delimiter of the header's own body.
    pub(super) fn line(
        &mut self,
        head: &MimeHeaders,
        ends: &PartEndFinder,
        chunk: Chunk<'_>,
        offset: usize,
    ) -> LineKind {
        if self.types != head.count_types() {
            self.types = head.count_types();
            self.levels = levels(head).map(|(_, level)| level).collect();
        }
        match self.levels.is_empty() {
            true => LineKind::Inside,
            false => ends.line(chunk, offset, &self.levels),
        }
    }
}

fn levels(head: &MimeHeaders) -> impl Iterator<Item = (usize, EntityLevel)> {
    head.boundaries()
        .into_iter()
        .map(|(number, of)| (number, EntityLevel::Parts(Multipart::of(of))))
}

impl MailScanner<'_> {
    /// Chooses the type of a header that has several and whose body begins at `body`: the type whose boundary occurs
    /// first in the body, otherwise the first type without a boundary, otherwise the first type.
    pub(super) fn choose_type(
        &mut self,
        feed: &mut MessageBuffer<'_>,
        head: &mut MimeHeaders,
        body: usize,
    ) {
        if head.count_types() < 2 {
            return;
        }
        let (numbers, own): (Vec<usize>, Vec<EntityLevel>) = levels(head).unzip();
        if own.is_empty() {
            return;
        }
        self.ensure(feed, body + LOOK);
        let chunk = match feed.chunk() {
            long if long.end() > body + LOOK => long.up_to(body + LOOK),
            short => short,
        };
        let levels = [&self.levels[..], &own].concat();
        match self.ends.find(chunk, SearchStart { at: body, is_line: true }, &levels) {
            Ok((_, PartEnd::Delimiter { level, .. })) if level >= self.levels.len() => {
                head.choose_type(numbers[level - self.levels.len()]);
            }
            // In an encoded body, a boundary may occur that is found only after decoding.
            Ok(_) if head.encoding.unwrap_or_default() == TransferEncoding::Identity => {
                let other = (0..head.count_types()).find(|number| !numbers.contains(number));
                head.choose_type(other.unwrap_or_default());
            }
            _ => {}
        }
    }
}
