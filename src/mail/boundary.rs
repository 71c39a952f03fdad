//! Boundaries of a malformed header: one with several `Content-Type` fields, or without an empty line after it.
//!
//! A boundary counts if it occurs as a delimiter, at the start of a line. Each line of a header is compared with the
//! boundaries that the fields before it declare. If there are several types, the one whose boundary occurs in the body
//! counts. If a multipart declares no boundary, or one that does not occur, its body shows it.

use super::part::MimeHeaders;
use super::structure::{EntityLevel, LineKind, Multipart, PartEnd, PartEndFinder, SearchStart};
use super::transfer::TransferEncoding;
use super::{MailScanner, MessageBuffer};
use crate::input::chunk::Chunk;

/// Number of bytes of the body in which the boundaries of several types are searched.
const LOOK: usize = 64 << 10;
/// Number of lines of a body that are compared as boundaries.
const MOST_SHOWN: usize = 8;
/// Maximum length in bytes of a boundary (RFC 2046 §5.1.1).
const LONGEST_BOUNDARY: usize = 70;

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

impl MimeHeaders {
    /// Returns `true` if the content is stored as it is.
    fn is_verbatim(&self) -> bool {
        self.encoding.unwrap_or_default() == TransferEncoding::Identity
    }
}

impl MailScanner<'_> {
    /// Finds the boundary of a multipart in the body that begins at `body`, if it declares none or one that does not
    /// occur there.
    pub(super) fn find_boundary(
        &mut self,
        feed: &mut MessageBuffer<'_>,
        head: &mut MimeHeaders,
        body: usize,
    ) {
        if !head.is_multipart() || self.has_boundary(feed, head, body) {
            return;
        }
        self.ensure(feed, body + LOOK);
        let chunk = first_of(feed, body);
        let start = SearchStart { at: body, is_line: true };
        let end = match self.ends.find(chunk, start, &self.entities.levels) {
            Ok((end, _)) => end,
            Err(_) => chunk.end(),
        };
        let is_declared = head.boundary.is_some();
        let shown = shown_boundary(chunk.slice(body..end), self.ends.line_end, is_declared);
        head.boundary = shown.or(head.boundary.take());
    }

    /// Returns `true` if the boundary that a multipart declares occurs in its body, or may occur once it is decoded.
    fn has_boundary(
        &mut self,
        feed: &mut MessageBuffer<'_>,
        head: &MimeHeaders,
        body: usize,
    ) -> bool {
        let Some(boundary) = &head.boundary else { return false };
        if !head.is_verbatim() {
            return true;
        }
        let level = self.entities.levels.len();
        self.entities.levels.push(EntityLevel::Parts(Multipart::of(boundary.clone())));
        let mut start = SearchStart { at: body, is_line: true };
        let found = loop {
            match self.ends.find(first_of(feed, body), start, &self.entities.levels) {
                Ok((_, end)) => break Some(end),
                Err(_) if feed.end() >= body + LOOK || feed.is_last() => break None,
                Err(again) => start = again,
            }
            self.ensure(feed, body + LOOK);
        };
        self.entities.levels.truncate(level);
        matches!(found, Some(PartEnd::Delimiter { level: found, .. }) if found == level)
    }

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
        let chunk = first_of(feed, body);
        let levels = [&self.entities.levels[..], &own].concat();
        match self.ends.find(chunk, SearchStart { at: body, is_line: true }, &levels) {
            Ok((_, PartEnd::Delimiter { level, .. })) if level >= self.entities.levels.len() => {
                head.choose_type(numbers[level - self.entities.levels.len()]);
            }
            // In an encoded body, a boundary may occur that is found only after decoding.
            Ok(_) if head.is_verbatim() => {
                let other = (0..head.count_types()).find(|number| !numbers.contains(number));
                head.choose_type(other.unwrap_or_default());
            }
            _ => {}
        }
    }
}

/// Returns the bytes of a body that begins at `body` that are searched for boundaries, as far as they are available.
fn first_of<'f>(feed: &'f MessageBuffer<'_>, body: usize) -> Chunk<'f> {
    match feed.chunk() {
        long if long.end() > body + LOOK => long.up_to(body + LOOK),
        short => short,
    }
}

/// Returns the boundary that a body shows: the first line `--X` that a field follows and that occurs again, as `--X` or `--X--`.
/// In place of a declared one, which may be lost with its parts, the field is one of a part: `Content-*`.
fn shown_boundary(body: &[u8], line_end: u8, is_declared: bool) -> Option<Box<[u8]>> {
    let mut lines = body.split(|byte| *byte == line_end).map(<[u8]>::trim_ascii_end).peekable();
    let mut shown: Vec<&[u8]> = Vec::new();
    let mut repeated = MOST_SHOWN;
    while let Some(line) = lines.next() {
        let Some(name) = line.strip_prefix(b"--").filter(|name| !name.is_empty()) else { continue };
        let closed = name.strip_suffix(b"--").unwrap_or(name);
        if let Some(at) = shown.iter().position(|one| *one == name || *one == closed) {
            repeated = repeated.min(at);
        } else if shown.len() < MOST_SHOWN
            && name.len() <= LONGEST_BOUNDARY
            && name.iter().all(u8::is_ascii_graphic)
            && lines.peek().is_some_and(|next| match is_declared {
                true => next.get(..8).is_some_and(|name| name.eq_ignore_ascii_case(b"Content-")),
                false => is_field(next),
            })
        {
            shown.push(name);
        }
    }
    shown.get(repeated).map(|name| (*name).into())
}

/// Returns `true` if a line is a header field.
fn is_field(line: &[u8]) -> bool {
    let name = line.iter().take_while(|b| b.is_ascii_alphanumeric() || **b == b'-').count();
    name > 1 && line[name..].starts_with(b":")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_boundary_is_shown_by_two_lines_and_a_field() {
        for (body, shown) in [
            ("x\n--a\nContent-Type: x\n\ny\n--a--\n", Some("a")),
            ("--a\r\nX-Y: z\r\n\r\ny\r\n--a\r\n\r\nz", Some("a")),
            ("--a\nX-Y: z\n--b\nX-Y: z\n--b--\n--a--", Some("a")),
            ("--b\nX-Y: z\n--a\nX-Y: z\n--a--", Some("a")),
            ("--a\nX-Y: z\n\nend", None),
            ("--a\n\ntext\n--a--", None),
            ("-- \nX: y\n-- \nX: y", None),
            ("-- two words --\nFrom: y\n-- two words --", None),
        ] {
            let found = shown_boundary(body.as_bytes(), b'\n', false);
            assert_eq!(found.as_deref(), shown.map(str::as_bytes), "{body:?}");
        }
    }
}
