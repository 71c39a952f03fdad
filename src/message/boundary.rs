//! Boundaries of a header that is broken: one with several `Content-Type` fields, one without an empty line after it.
//!
//! A boundary counts where it occurs as a delimiter, at the start of a line. Lines of a header are compared with the
//! boundaries that it has named by then, and of several types the one counts whose boundary occurs in the body.

use super::part::Head;
use super::structure::{End, Ends, Level, Line, Parts, Start};
use super::transfer::Encoding;
use super::{Feed, Mail};
use crate::chunk::Chunk;

/// The boundary of one of several types is looked for so far in the body.
const LOOK: usize = 64 << 10;

/// The levels that a header opens, as far as it is read.
#[derive(Debug, Default)]
pub(super) struct Opening {
    /// It had so many types when the levels were made.
    types: usize,
    levels: Vec<Level>,
}

impl Opening {
    /// Whether the line at an offset of all bytes is a delimiter of the header's own body.
    pub(super) fn line(
        &mut self,
        head: &Head,
        ends: &Ends,
        chunk: Chunk<'_>,
        offset: usize,
    ) -> Line {
        if self.types != head.count_types() {
            self.types = head.count_types();
            self.levels = levels(head).map(|(_, level)| level).collect();
        }
        match self.levels.is_empty() {
            true => Line::Inside,
            false => ends.line(chunk, offset, &self.levels),
        }
    }
}

fn levels(head: &Head) -> impl Iterator<Item = (usize, Level)> {
    head.boundaries().into_iter().map(|(number, of)| (number, Level::Parts(Parts::of(of))))
}

impl Mail<'_> {
    /// Chooses the type that counts of a header that has several, and whose body begins at an offset: the first whose
    /// boundary occurs in it, or else the first that needs none; the first of all if nothing tells.
    pub(super) fn choose_type(&mut self, feed: &mut Feed<'_>, head: &mut Head, body: usize) {
        let (numbers, own): (Vec<usize>, Vec<Level>) = levels(head).unzip();
        if head.count_types() < 2 || own.is_empty() {
            return;
        }
        self.ensure(feed, body + LOOK);
        let chunk = match feed.chunk() {
            long if long.end() > body + LOOK => long.up_to(body + LOOK),
            short => short,
        };
        let levels = [&self.levels[..], &own].concat();
        match self.ends.find(chunk, Start { at: body, is_line: true }, &levels) {
            Ok((_, End::Delimiter { level, .. })) if level >= self.levels.len() => {
                head.choose_type(numbers[level - self.levels.len()]);
            }
            // A boundary may be in what is encoded.
            Ok(_) if head.encoding.unwrap_or_default() == Encoding::Identity => {
                let other = (0..head.count_types()).find(|number| !numbers.contains(number));
                head.choose_type(other.unwrap_or_default());
            }
            _ => {}
        }
    }
}
