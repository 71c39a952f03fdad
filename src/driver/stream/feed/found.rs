//! The events that a feed has decided.

use std::ops::ControlFlow;
use std::path::Path;

use super::super::ScanEvent;
use crate::event::Event;
#[cfg(feature = "mail")]
use crate::event::Part;
use crate::link::{Judged, owned};
#[cfg(feature = "mail")]
use crate::mail::OwnedPart;

/// Events that the caller has not got yet.
#[derive(Default)]
pub(super) struct FoundEvents {
    pub(super) events: Vec<FoundEvent>,
    #[cfg(feature = "mail")]
    pub(super) parts: Vec<OwnedPart>,
    pub(super) links: u64,
}

#[allow(clippy::large_enum_variant, reason = "nearly all are links")]
pub(super) enum FoundEvent {
    Judged(Judged<'static>),
    /// The next part.
    #[cfg(feature = "mail")]
    Part,
}

impl FoundEvents {
    pub(super) fn add(&mut self, judged: Judged<'_>) -> ControlFlow<()> {
        self.links += u64::from(judged.is_ok());
        self.events.push(FoundEvent::Judged(owned(judged)));
        ControlFlow::Continue(())
    }

    pub(super) fn add_event(&mut self, event: ScanEvent<'_>) -> ControlFlow<()> {
        match event {
            ScanEvent::Judged(judged) => return self.add(judged),
            #[cfg(feature = "mail")]
            ScanEvent::Part(part) => {
                self.parts.push(part.into());
                self.events.push(FoundEvent::Part);
            }
            ScanEvent::Attachment(_) | ScanEvent::Unread => {}
        }
        ControlFlow::Continue(())
    }

    /// Returns how many events there are now.
    #[cfg(feature = "mail")]
    pub(super) fn mark(&self) -> (usize, usize, u64) {
        (self.events.len(), self.parts.len(), self.links)
    }

    /// Removes the events that were added after a mark.
    #[cfg(feature = "mail")]
    pub(super) fn remove_after(&mut self, (events, parts, links): (usize, usize, u64)) {
        self.events.truncate(events);
        self.parts.truncate(parts);
        self.links = links;
    }

    /// Returns the events.
    pub(super) fn take(&mut self) -> Events<'_> {
        Events {
            events: self.events.drain(..),
            #[cfg(feature = "mail")]
            parts: self.parts.iter(),
        }
    }

    pub(super) fn clear(&mut self) {
        self.events.clear();
        #[cfg(feature = "mail")]
        self.parts.clear();
    }
}

/// The events that a call to a [`Feed`](super::Feed) has decided, in order.
///
/// ```
/// use linksift::{Event, Events, Finder, Hints};
///
/// fn links(events: Events<'_>) -> usize {
///     events.filter(|event| matches!(event, Event::Link { .. })).count()
/// }
/// let finder = Finder::new();
/// let mut feed = finder.feed(&Hints::new());
/// assert_eq!(feed.push(b"see example.com")?.count(), 0);
/// assert_eq!(links(feed.finish()?), 1);
/// # Ok::<(), linksift::ScanError>(())
/// ```
#[must_use = "the events are lost when the feed is called again"]
pub struct Events<'e> {
    events: std::vec::Drain<'e, FoundEvent>,
    #[cfg(feature = "mail")]
    parts: std::slice::Iter<'e, OwnedPart>,
}

impl std::fmt::Debug for Events<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Events").field("len", &self.events.len()).finish_non_exhaustive()
    }
}

impl<'e> Iterator for Events<'e> {
    type Item = Event<'e>;

    fn next(&mut self) -> Option<Event<'e>> {
        Some(match self.events.next()? {
            FoundEvent::Judged(judged) => Event::judged(Path::new(""), judged),
            #[cfg(feature = "mail")]
            FoundEvent::Part => Event::Part { part: Part(self.parts.next()?.as_found()) },
        })
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        self.events.size_hint()
    }
}

impl std::iter::FusedIterator for Events<'_> {}
