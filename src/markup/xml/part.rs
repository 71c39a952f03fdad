//! Tags and texts of a part of a package, in order, without what they mean.

use std::ops::ControlFlow;

use super::attribute::{TagItem, name_end, part_at, split};
use crate::input::chunk::Chunk;
use crate::limits;
use crate::scan::reference::{EscapeGrammar, Rules, plainly_resolved};

/// Stored bytes of a piece of text that are looked at.
const MOST_STORED: usize = 8 << 10;

/// References and escapes of a cell.
pub(super) const CELL: Rules = Rules::Escapes(EscapeGrammar::Cell);

/// Item of a part.
pub(super) enum PartItem<'p> {
    Start(PartTag<'p>),
    /// Local name of an end tag, or of an empty element, whose start tag was before it.
    End(&'p [u8]),
    Text(&'p [u8]),
}

/// Start tag of an element.
#[derive(Clone, Copy)]
pub(super) struct PartTag<'p> {
    /// Name without its prefix.
    pub(super) local: &'p [u8],
    part: Chunk<'p>,
    /// Offset of its attributes.
    attributes: usize,
}

impl<'p> PartTag<'p> {
    /// Returns the value of an attribute by its name without a prefix, and whether it has one.
    pub(super) fn attribute(self, wanted: &[u8], is_prefixed: bool) -> Option<&'p [u8]> {
        let mut at = self.attributes;
        loop {
            match part_at(self.part, at, limits::VALUE) {
                TagItem::Attribute { name, value, next } => {
                    let (prefix, local) = split(self.part.slice(name));
                    if local == wanted && prefix.is_some() == is_prefixed {
                        return Some(self.part.slice(value));
                    }
                    at = next;
                }
                TagItem::Other { next } | TagItem::LongHead { next } => at = next,
                _ => return None,
            }
        }
    }

    /// Returns the identifier of a relationship.
    pub(super) fn id(self) -> Option<&'p [u8]> {
        self.attribute(b"id", true).filter(|id| !id.is_empty())
    }
}

/// Passes the tags and texts of a part to `give`, in order.
pub(super) fn each_item<'p>(part: &'p [u8], mut give: impl FnMut(PartItem<'p>)) {
    let all = |item| {
        give(item);
        ControlFlow::Continue(())
    };
    // It ends nowhere else.
    let _ = items_until(part, all);
}

/// Passes the tags and texts of a part to `give`, in order, until that breaks.
pub(super) fn items_until<'p>(
    part: &'p [u8],
    mut give: impl FnMut(PartItem<'p>) -> ControlFlow<()>,
) -> ControlFlow<()> {
    let chunk = Chunk::whole(part);
    let mut at = 0;
    while let Some(open) = memchr::memchr(b'<', part.get(at..).unwrap_or_default()) {
        if open > 0 {
            give(PartItem::Text(&part[at..at + open]))?;
        }
        at += open;
        let rest = &part[at..];
        let end_of = |end: &[u8]| memchr::memmem::find(rest, end).map(|found| found + end.len());
        match rest.get(1) {
            Some(b'!') if rest.starts_with(b"<![CDATA[") => {
                let end = end_of(b"]]>").unwrap_or(rest.len());
                give(PartItem::Text(rest.get(9..end.saturating_sub(3)).unwrap_or_default()))?;
                at += end;
            }
            Some(b'!') if rest.starts_with(b"<!--") => at += end_of(b"-->").unwrap_or(rest.len()),
            Some(b'!' | b'?') => at += end_of(b">").unwrap_or(rest.len()),
            Some(b'/') => {
                let Some(next) = end_of(b">") else { break };
                let end = name_end(chunk, at + 2, at + next).unwrap_or(at + next);
                give(PartItem::End(split(&part[at + 2..end.max(at + 2)]).1))?;
                at += next;
            }
            _ => {
                let end = name_end(chunk, at + 1, part.len()).unwrap_or(part.len());
                let local = split(&part[at + 1..end]).1;
                let Some((next, is_empty)) = tag_end(chunk, end) else { break };
                give(PartItem::Start(PartTag { local, part: chunk, attributes: end }))?;
                if is_empty {
                    give(PartItem::End(local))?;
                }
                at = next;
            }
        }
    }
    ControlFlow::Continue(())
}

/// Returns the end of a start tag, and whether its element is empty.
pub(super) fn tag_end(part: Chunk<'_>, mut at: usize) -> Option<(usize, bool)> {
    loop {
        match part_at(part, at, usize::MAX - 1) {
            TagItem::Attribute { next, .. }
            | TagItem::Other { next }
            | TagItem::LongHead { next } => at = next,
            TagItem::End { next, is_empty } => return Some((next, is_empty)),
            TagItem::Broken { at } => return Some((at, false)),
            TagItem::Long { .. } | TagItem::Cut { .. } => return None,
        }
    }
}

/// Returns a text of a part as a reader sees it.
pub(super) fn read(stored: &[u8], rules: Rules) -> String {
    let stored = stored.get(..MOST_STORED).unwrap_or(stored);
    plainly_resolved(&String::from_utf8_lossy(stored), rules).into_owned()
}
