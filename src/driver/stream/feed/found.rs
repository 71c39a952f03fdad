//! The events that a feed has decided.

use std::ops::ControlFlow;
use std::path::Path;

use super::super::ScanEvent;
use crate::event::Event;
#[cfg(feature = "mail")]
use crate::event::Part;
use crate::input::guard::{Cancel, is_cancelled};
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
    /// Number of events to come that were given before the scan was resumed.
    pub(super) to_skip: u64,
    /// Number of all events since the scan began or was resumed, and of those that the caller has, or has lost.
    pub(super) count: u64,
    pub(super) given: u64,
    /// Token that ends the scan before the next event.
    cancel: Option<Cancel>,
}

/// Numbers of events, to which a list is cut back.
#[cfg(feature = "mail")]
#[derive(Clone, Copy)]
pub(super) struct EventCounts {
    events: usize,
    parts: usize,
    links: u64,
    to_skip: u64,
    count: u64,
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
        if self.is_cancelled() {
            return ControlFlow::Break(());
        }
        if self.is_new() {
            self.links += u64::from(judged.is_ok());
            self.events.push(FoundEvent::Judged(owned(judged)));
        }
        ControlFlow::Continue(())
    }

    #[cfg(feature = "mail")]
    pub(super) fn add_part(&mut self, part: OwnedPart) {
        if self.is_new() {
            self.parts.push(part);
            self.events.push(FoundEvent::Part);
        }
    }

    /// Creates the list of a resumed scan, of which the caller has so many events already.
    pub(super) fn after(given: u64, cancel: Option<Cancel>) -> FoundEvents {
        FoundEvents { to_skip: given, given, cancel, ..FoundEvents::default() }
    }

    pub(super) fn is_cancelled(&self) -> bool {
        is_cancelled(self.cancel.as_ref())
    }

    /// Counts an event; returns whether the caller does not have it yet.
    fn is_new(&mut self) -> bool {
        self.count += 1;
        let is_new = self.to_skip == 0;
        self.to_skip = self.to_skip.saturating_sub(1);
        is_new
    }

    pub(super) fn add_event(&mut self, event: ScanEvent<'_>) -> ControlFlow<()> {
        match event {
            ScanEvent::Judged(judged) => return self.add(judged),
            #[cfg(feature = "mail")]
            ScanEvent::Part(_) if self.is_cancelled() => return ControlFlow::Break(()),
            #[cfg(feature = "mail")]
            ScanEvent::Part(part) => self.add_part(part.into()),
            ScanEvent::Attachment(_) | ScanEvent::Unread => {}
        }
        ControlFlow::Continue(())
    }

    /// Returns how many events there are now.
    #[cfg(feature = "mail")]
    pub(super) fn mark(&self) -> EventCounts {
        let FoundEvents { links, to_skip, count, .. } = *self;
        EventCounts { events: self.events.len(), parts: self.parts.len(), links, to_skip, count }
    }

    /// Removes the events that were added after a mark.
    #[cfg(feature = "mail")]
    pub(super) fn remove_after(&mut self, mark: EventCounts) {
        self.events.truncate(mark.events);
        self.parts.truncate(mark.parts);
        (self.links, self.to_skip, self.count) = (mark.links, mark.to_skip, mark.count);
    }

    /// Returns the events.
    pub(super) fn take(&mut self) -> Events<'_> {
        Events {
            events: self.events.drain(..),
            given: &mut self.given,
            #[cfg(feature = "mail")]
            parts: self.parts.iter(),
        }
    }

    /// Begins another call: what the caller has not taken is lost.
    pub(super) fn clear(&mut self) {
        self.given = self.given.max(self.count);
        self.drop_events();
    }

    /// Removes the events that the caller has not taken, which it can get again from a point.
    pub(super) fn drop_events(&mut self) {
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
    given: &'e mut u64,
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
        let event = self.events.next()?;
        *self.given += 1;
        Some(match event {
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
