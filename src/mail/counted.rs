//! Messages of Apple Mail (`.emlx`): a line with the message's length in bytes, the message, and an XML property list.

use std::ops::Range;

use super::heading::LONGEST_LENGTH;
use super::part::{Leaf, LeafFormat};
use super::{MailScanner, MessageBuffer, MessageState};
use crate::context::KnownContext;
use crate::detect::document::Format;

/// First bytes of a property list.
const PROPERTIES: [&[u8]; 3] = [b"<?xml", b"<!DOCTYPE plist", b"<plist"];
/// Number of bytes after the message in which the start of a property list is searched.
const NEAR: usize = 64;

impl MailScanner<'_> {
    /// Skips the number, and sets the end of the message if a property list follows it; otherwise all bytes belong to
    /// the message. `message` is relative to the current offset.
    pub(super) fn enter_counted(&mut self, feed: &mut MessageBuffer<'_>, message: Range<usize>) {
        let end = self.at.saturating_add(message.end);
        self.at += message.start;
        if message.len() > LONGEST_LENGTH {
            return;
        }
        self.ensure(feed, end.saturating_add(NEAR));
        let after = feed.from(end);
        let after = after[..after.len().min(NEAR)].trim_ascii_start();
        if end <= feed.end() && PROPERTIES.iter().any(|list| after.starts_with(list)) {
            self.limit = Some(end);
        }
    }

    /// Continues with the property list after the message; returns `true` if there is one.
    pub(super) fn after_counted(&mut self, feed: &mut MessageBuffer<'_>) -> bool {
        let is_more = self.limit.take().is_some();
        if is_more {
            feed.set_limit(None);
            self.entities.levels.clear();
            self.place.section.clear();
            let mut list = Leaf::between(KnownContext::TEXT);
            (list.context, list.reading) = (None, LeafFormat::As(Format::Xml, None));
            self.state = MessageState::Leaf(Box::new(list));
        }
        is_more
    }
}
