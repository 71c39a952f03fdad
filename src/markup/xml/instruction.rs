//! Processing instructions: two kinds of them hold an IRI, in attributes of a kind.

use super::attribute::{TagItem, part_at};
use super::content::find;
use super::held::lower;
use super::tag::LOOKAHEAD;
use super::{Grammar, NeedsMore, Rules, Until, Xml, XmlMode};
use crate::context::{ContextKind, StoredContext};
use crate::input::chunk::Chunk;

impl Xml {
    /// Reads the processing instruction whose `<` is here; two kinds of them hold an IRI.
    pub(super) fn instruction(&mut self, bytes: Chunk<'_>) -> Result<(), NeedsMore> {
        const KNOWN: [&[u8]; 2] = [b"xml-stylesheet", b"xml-model"];
        let start = self.at + 2;
        let window = bytes.up_to(start + LOOKAHEAD);
        let is_clipped = window.end() == start + LOOKAHEAD;
        let target_len = |known: &&&[u8]| window[start..].starts_with(known);
        let known = KNOWN.iter().find(target_len);
        if known.is_none() {
            // Too few bytes to recognise it?
            let is_short = window.end() < start + 16 && find(window, start, b">").is_none();
            if is_short && !bytes.is_last() {
                return Err(NeedsMore);
            }
        }
        if let Some(known) = known {
            let end = match find(window, start, b"?>") {
                Some(end) => Some(end),
                None if is_clipped => None,
                None if bytes.is_last() => Some(window.end()),
                None => return Err(NeedsMore),
            };
            if let Some(end) = end {
                let from = start + known.len();
                let inside = Chunk::new(&bytes[from..end.max(from)], from, true);
                self.pseudo_attributes(inside, known);
                self.at = bytes.end().min(end + 2);
                self.mode = XmlMode::Content;
                return Ok(());
            }
        }
        self.at = start;
        self.mode = XmlMode::Until(Until::Instruction, None);
        Ok(())
    }

    fn pseudo_attributes(&mut self, bytes: Chunk<'_>, target: &[u8]) {
        let mut at = bytes.base();
        loop {
            match part_at(bytes, at, self.limits.link) {
                TagItem::Attribute { name, value, next } => {
                    at = next;
                    if &bytes[name] == b"href" {
                        let (target, kind) = (lower(target), ContextKind::Loaded);
                        let context = StoredContext::of_attribute(&target, "href", kind);
                        let run = self.value(value, context, Grammar::Url, Rules::Xml);
                        self.due.push_back(run);
                        return;
                    }
                }
                TagItem::Other { next }
                | TagItem::LongHead { next }
                | TagItem::End { next, .. } => {
                    at = next;
                }
                TagItem::Broken { at: broken } => at = broken + 1,
                TagItem::Long { start, .. } => at = start,
                TagItem::Cut { .. } => return,
            }
        }
    }
}
