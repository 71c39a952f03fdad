//! Answers of HTTP that are fed: their headers are kept until they are complete, then the document after them is fed.

use super::super::answer::needs_header;
use super::arrival::Arrival;
use super::found::{FoundEvent, FoundEvents};
use super::{Feed, FeedState};
use crate::container::AnswerHeads;
use crate::driver::answer::links_of;
use crate::link::place_after;
use crate::notice::{FailedScan, Notice};

/// The document after the headers of an HTTP answer.
pub(super) struct FedAnswer {
    body: Feed,
    len: usize,
    lines: u64,
    notices: Vec<Notice>,
}

impl FedAnswer {
    pub(super) fn take(
        &mut self,
        arrival: Arrival<'_>,
        found: &mut FoundEvents,
    ) -> Result<(), FailedScan> {
        let FedAnswer { body, len, lines, .. } = self;
        body.advance(arrival)?;
        #[cfg(feature = "mail")]
        let mut parts = body.found.parts.drain(..);
        for event in body.found.events.drain(..) {
            match event {
                FoundEvent::Judged(mut judged) => {
                    place_after(&mut judged, *len, *lines);
                    let _ = found.add(judged);
                }
                #[cfg(feature = "mail")]
                FoundEvent::Part => parts.next().into_iter().for_each(|part| found.add_part(part)),
            }
        }
        Ok(())
    }
}

impl Feed {
    /// Reads the headers of an answer when they are available, and begins with the document after them.
    pub(super) fn open_answer(&mut self, arrival: Arrival<'_>) -> Result<(), FailedScan> {
        let FeedState::Header(bytes, len) = &mut self.state else { return Ok(()) };
        if needs_header(bytes, len) && !matches!(arrival, Arrival::End) {
            return Ok(());
        }
        let bytes = std::mem::take(bytes);
        let mut heads = AnswerHeads::of(&bytes, self.hints.base.as_ref());
        let mut notices = Vec::new();
        for judged in links_of(&self.finder, &mut heads, &self.hints, &mut notices) {
            let _ = self.found.add(judged);
        }
        let body = self.finder.feed(&heads.hints(&self.hints));
        let answer = FedAnswer { body, len: heads.len, lines: heads.lines, notices };
        self.enter(FeedState::Answer(Box::new(answer)), &bytes[heads.len..], arrival)
    }

    pub(super) fn end_answer(&mut self) {
        if let FeedState::Answer(answer) = std::mem::replace(&mut self.state, FeedState::Ended) {
            self.scanned = answer.body.scanned;
            self.scanned.notices.splice(0..0, answer.notices);
        }
    }
}
