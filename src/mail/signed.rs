//! Signed content (CMS `SignedData`, RFC 5652 §5.1; S/MIME, RFC 8551 §3.5.2): the octets that are signed, found in BER.
//!
//! The content is an octet string, whole or in pieces, which is not encrypted. It is an entity of MIME, or any other
//! file (`invoice.xml.p7m`). Its signature is neither checked nor read. A cut or malformed file is read up to the fault.

use std::ops::{ControlFlow, Range};

use super::edit::EditedText;
use super::part::{Leaf, LeafFormat, NestedContent, StoredLeaf};
use super::structure::DEEPEST as DEEPEST_LEVEL;
use super::transfer::TransferDecoder;
use super::{EmitMail, LONGEST_CHAIN, MailScanner};
use crate::detect::document::{Disposition, Format};
use crate::detect::mail::begins_entity;
use crate::detect::{LEAD, SIGNED_DATA, is_signed, signed_name};
use crate::link::{Judged, Transfer, body_of};
use crate::notice::Notice;
use crate::source_map::SourceMap;

/// Octet strings in each other; programs write two levels.
const DEEPEST: usize = 8;
/// Pieces of an octet string; programs write 1,000 bytes and more in each.
const MOST_PIECES: usize = 1 << 16;

const SEQUENCE: u8 = 0x30;
const CONTEXT_0: u8 = 0xA0;
const OCTETS: u8 = 0x04;
const OCTETS_CONSTRUCTED: u8 = 0x24;

/// BER element: its tag, where its content begins, and where that ends if its length is definite.
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

/// Where the content of an element begins that must have this tag.
fn enter(bytes: &[u8], at: usize, tag: u8) -> Option<usize> {
    element(bytes, at).filter(|element| element.tag == tag).map(|element| element.content)
}

/// Where the element ends that begins at an offset.
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

/// The pieces of the content that is signed: none of a signature whose content is elsewhere. `None` if it is not signed
/// data, or in too many pieces.
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
    // What follows this sequence has the same tag: certificates.
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
                // Malformed: the rest is read as content.
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

/// The content as one text, and where its bytes are in what it is signed in.
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
    /// Puts a link of this text where it came from. One with something left out in it must be decoded with what it is in.
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
    /// Whether its type or its name says that it may be signed.
    fn may_be_signed(&self) -> bool {
        match &self.reading {
            LeafFormat::Kind(Disposition::Encrypted, _) => true,
            LeafFormat::As(Format::Auto, Some(name)) => signed_name(name).is_some(),
            _ => false,
        }
    }
}

impl MailScanner<'_> {
    /// Goes through the content of a leaf that is signed; whether it is.
    pub(super) fn signed(
        &mut self,
        stored: StoredLeaf<'_>,
        leaf: &Leaf,
        emit: &mut EmitMail<'_>,
    ) -> ControlFlow<(), bool> {
        if !leaf.may_be_signed() || !is_signed(&self.head_of(stored.bytes, leaf, LEAD)) {
            return ControlFlow::Continue(false);
        }
        if self.chain + 1 >= LONGEST_CHAIN || self.depth + self.levels.len() + 1 >= DEEPEST_LEVEL {
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
