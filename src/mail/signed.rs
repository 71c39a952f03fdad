//! Extracts signed content (CMS `SignedData`, RFC 5652 §5.1; S/MIME, RFC 8551 §3.5.2) from BER.
//!
//! The content is an octet string, as a whole or in pieces, that is not encrypted. It is a MIME entity, or any other
//! file (`invoice.xml.p7m`). Its signature is neither verified nor read. If a piece is malformed, the remaining bytes
//! are read as content.

use std::ops::{ControlFlow, Range};

use super::edit::EditedText;
use super::part::{Leaf, LeafFormat, NestedContent, StoredLeaf};
use super::structure::DEEPEST as DEEPEST_LEVEL;
use super::transfer::TransferDecoder;
use super::{EmitMail, MailScanner};
use crate::detect::document::{Disposition, Format};
use crate::detect::mail::begins_entity;
use crate::detect::{LEAD, SIGNED_DATA, is_signed, signed_name};
use crate::link::{Judged, Transfer, body_of};
use crate::notice::Notice;
use crate::source_map::SourceMap;

/// Maximum nesting depth of octet strings; programs write two levels.
const DEEPEST: usize = 8;
/// Maximum number of pieces of an octet string; programs write 1,000 bytes and more in each.
const MOST_PIECES: usize = 1 << 16;

const SEQUENCE: u8 = 0x30;
const CONTEXT_0: u8 = 0xA0;
const OCTETS: u8 = 0x04;
const OCTETS_CONSTRUCTED: u8 = 0x24;

/// BER element: its tag, the offset of its content, and the end of the content if its length is definite.
struct BerElement {
    tag: u8,
    content: usize,
    end: Option<usize>,
}

fn element(bytes: &[u8], at: usize) -> Option<BerElement> {
    let tag = *bytes.get(at)?;
    let first = *bytes.get(at + 1)?;
    let (length, content) = match first {
        0x80 => return Some(BerElement { tag, content: at + 2, end: None }),
        0x81..=0x84 => {
            let digits = bytes.get(at + 2..at + 2 + usize::from(first & 0x7F))?;
            let length = digits.iter().fold(0_u64, |length, digit| length << 8 | u64::from(*digit));
            (usize::try_from(length).unwrap_or(usize::MAX), at + 2 + digits.len())
        }
        0x85.. => return None,
        short => (usize::from(short), at + 2),
    };
    Some(BerElement { tag, content, end: Some(content.saturating_add(length).min(bytes.len())) })
}

/// Returns the offset of an element's content, if the element has this tag.
fn enter(bytes: &[u8], at: usize, tag: u8) -> Option<usize> {
    element(bytes, at).filter(|element| element.tag == tag).map(|element| element.content)
}

/// Returns the end of the element that begins at an offset.
fn after(bytes: &[u8], mut at: usize) -> Option<usize> {
    let mut open = 0_usize;
    loop {
        if open > 0 && is_end_of_contents(bytes, at) {
            open -= 1;
            at += 2;
        } else {
            let BerElement { content, end, .. } = element(bytes, at)?;
            open += usize::from(end.is_none());
            at = end.unwrap_or(content);
        }
        if open == 0 {
            return Some(at);
        }
    }
}

fn is_end_of_contents(bytes: &[u8], at: usize) -> bool {
    bytes.get(at..at + 2) == Some(&[0, 0])
}

/// Returns the pieces of the signed content; an empty list if the content is stored elsewhere. Returns `None` if the
/// bytes are not signed data, or have too many pieces.
fn content(bytes: &[u8]) -> Option<Vec<Range<usize>>> {
    let of_kind = enter(bytes, 0, SEQUENCE)?;
    if !bytes[of_kind..].starts_with(SIGNED_DATA) {
        return None;
    }
    let signed = enter(bytes, enter(bytes, of_kind + SIGNED_DATA.len(), CONTEXT_0)?, SEQUENCE)?;
    let algorithms = after(bytes, signed)?;
    let BerElement { tag: SEQUENCE, content, end } = element(bytes, after(bytes, algorithms)?)?
    else {
        return None;
    };
    let octets = after(bytes, content)?;
    // The certificates after this sequence have the same tag.
    match enter(bytes, octets, CONTEXT_0).filter(|_| end.is_none_or(|end| octets < end)) {
        Some(octets) => pieces(bytes, octets),
        None => Some(Vec::new()),
    }
}

fn pieces(bytes: &[u8], mut at: usize) -> Option<Vec<Range<usize>>> {
    let (mut found, mut open) = (Vec::new(), Vec::new());
    loop {
        if open.last() == Some(&None) && is_end_of_contents(bytes, at) {
            open.pop();
            at += 2;
        } else {
            match element(bytes, at) {
                Some(BerElement { tag: OCTETS, content, end: Some(end) }) => {
                    if content < end {
                        found.push(content..end);
                    }
                    at = end;
                }
                Some(BerElement { tag: OCTETS_CONSTRUCTED, content, end })
                    if open.len() < DEEPEST =>
                {
                    open.push(end);
                    at = content;
                }
                // The piece is malformed: read the rest as content.
                _ => {
                    found.extend((at < bytes.len()).then_some(at..bytes.len()));
                    return Some(found);
                }
            }
        }
        while open.last().copied().flatten().is_some_and(|end| at >= end) {
            open.pop();
        }
        if open.is_empty() {
            return Some(found);
        }
        if found.len() > MOST_PIECES {
            return None;
        }
    }
}

/// Returns the pieces joined to one text, with a map to `bytes`.
fn joined(bytes: &[u8], pieces: &[Range<usize>]) -> EditedText {
    let (mut joined, mut done) = (EditedText::default(), 0);
    let mut end = 0;
    for piece in pieces {
        joined.leave_out(bytes, &mut done, end, piece.start, false);
        end = piece.end;
    }
    joined.leave_out(bytes, &mut done, end, bytes.len(), false);
    joined
}

impl EditedText {
    /// Maps a link of this text to its source. A link across a gap is marked as nested, since its range in the source
    /// contains other bytes.
    pub(super) fn outwards(&self, judged: &mut Judged<'_>) {
        let body = body_of(judged);
        let range = body.range.clone();
        if self.has_gap(range.start, range.end) {
            body.rare_mut().transfer = Some(Transfer::Nested);
        }
        body.range = self.range(range);
    }
}

impl Leaf {
    /// Returns `true` if its type or its name indicates signed content.
    fn may_be_signed(&self) -> bool {
        match &self.reading {
            LeafFormat::Kind(Disposition::Encrypted, _) => true,
            LeafFormat::As(Format::Auto, Some(name)) => signed_name(name).is_some(),
            _ => false,
        }
    }
}

impl MailScanner<'_> {
    /// Scans the content of a leaf that is signed; returns `true` if it is signed.
    pub(super) fn signed(
        &mut self,
        stored: StoredLeaf<'_>,
        leaf: &Leaf,
        emit: &mut EmitMail<'_>,
    ) -> ControlFlow<(), bool> {
        if !leaf.may_be_signed() || !is_signed(&self.head_of(stored.bytes, leaf, LEAD)) {
            return ControlFlow::Continue(false);
        }
        if self.entities.is_chain_full() || self.entities.next_depth() >= DEEPEST_LEVEL {
            self.notice(Notice::TooDeep);
            return ControlFlow::Continue(false);
        }
        let mut decoding = TransferDecoder::new(leaf.encoding, self.ends.line_end, leaf.expected());
        let (mut decoded, mut map) = (Vec::new(), SourceMap::default());
        let done = decoding.decode_mapped(stored.bytes, stored.start, true, &mut decoded, &mut map);
        let Some(pieces) = content(&decoded) else { return ControlFlow::Continue(false) };
        let content = joined(&decoded, &pieces);
        let holds = match begins_entity(&content.text) {
            true => NestedContent::Entity,
            false => NestedContent::Nothing,
        };
        let name = leaf.reading.name().and_then(signed_name).map(Into::into);
        let reading = LeafFormat::As(Format::Auto, name);
        let of_content = Leaf { holds, reading, ..leaf.clone() };
        let of_decoded = StoredLeaf { map: Some(&map), ..stored };
        self.nested_in(of_decoded, &content, &of_content, emit)?;
        self.after_encoded(stored, done, decoding.has_ended(), leaf, emit)?;
        ControlFlow::Continue(true)
    }
}
