//! The scan of a page, block by block.

use std::ops::ControlFlow;

use super::Event;
use super::blocks::{Held, Scan};
use crate::charset::{Charset, Layout};
use crate::lines::{LineCounter, LineEnds};
use crate::link::{Link, Refused, set_position};
use crate::page::{self, Source, Transcoded};

pub(super) struct Page<'f> {
    page: page::Page<'f>,
    /// Of a document that must be transcoded as a whole: its encoding, and where its text begins.
    transcode: Option<(Charset, Layout, usize)>,
    lines: Option<LineCounter>,
}

impl<'f> Page<'f> {
    pub(super) fn new(
        page: page::Page<'f>,
        transcode: Option<(Charset, Layout, usize)>,
        lines: Option<LineEnds>,
    ) -> Page<'f> {
        Page { page, transcode, lines: lines.map(LineCounter::new) }
    }
}

impl Scan for Page<'_> {
    fn scan<F>(&mut self, block: Held<'_>, emit: &mut F) -> ControlFlow<()>
    where
        F: FnMut(Event<'_>) -> ControlFlow<()>,
    {
        let Held { bytes, base, is_last } = block;
        let Page { page, transcode, lines } = self;
        let mut give = |mut judged: Result<Link<'_>, Refused<'_>>| {
            if let Some(lines) = lines {
                let start = match &judged {
                    Ok(link) => link.body.range.start,
                    Err(refused) => refused.body.range.start,
                };
                // What a block has lost was counted; a link that began before it is put at its edge.
                let start = start.max(base);
                set_position(&mut judged, Some(lines.position(bytes, base, start)));
            }
            emit(Event::from(judged))
        };
        match *transcode {
            None => page.scan(&Source::stored_bytes(bytes, base, is_last), &mut give),
            Some(_) if !is_last => ControlFlow::Continue(()),
            Some((charset, layout, first)) => {
                let document = Transcoded::new(charset, layout, bytes, first);
                page.scan(&Source::transcoded(&document), &mut give)
            }
        }
    }

    fn cut(&mut self, block: Held<'_>) -> usize {
        let Held { bytes, base, .. } = block;
        if self.transcode.is_some() {
            return 0;
        }
        let dropped = self.page.needed(base).min(bytes.len());
        if let Some(lines) = &mut self.lines {
            lines.advance(bytes, base, base + dropped);
        }
        self.page.shift(dropped);
        dropped
    }
}
