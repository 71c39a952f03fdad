//! Standard output and standard error: chunks in, in order.

use std::io::{self, ErrorKind, Write};
use std::ops::ControlFlow;

use crate::choose::{Chooser, Total};
use crate::chunk::Chunk;
use crate::progress::Bar;
use crate::settings::Look;
use crate::stdout::Stdout;

/// Writes chunks as they come, each at once: they come when there is something to show.
pub(crate) struct Output {
    out: Stdout,
    bar: Option<Bar>,
    chooser: Chooser,
    stop: Stop,
    /// What is left of a chunk without what was there before.
    kept: Vec<u8>,
    /// It has been told that a document is not text.
    told_binary: bool,
    /// Why nothing more can be written.
    failure: Option<io::Error>,
}

/// When a run ends before all inputs are done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Stop {
    Never,
    /// At the first link.
    AtLink,
    /// When the only input has had enough.
    AtEnough,
}

impl Output {
    pub(crate) fn new(look: &Look, stop: Stop, bar: Option<Bar>) -> Output {
        let chooser = Chooser::new(look);
        let out = Stdout::lock();
        Output { out, bar, chooser, stop, kept: Vec::new(), told_binary: false, failure: None }
    }

    /// Writes bytes that no chunk holds.
    pub(crate) fn write_bytes(&mut self, bytes: &[u8]) -> ControlFlow<()> {
        let result = self.out.write_all(bytes).and_then(|()| self.out.flush());
        self.note(result)
    }

    /// Writes a chunk and empties it.
    pub(crate) fn write(&mut self, chunk: &mut Chunk) -> ControlFlow<()> {
        if !self.told_binary && !chunk.binary.is_empty() {
            self.told_binary = true;
            chunk.complaints.append(&mut chunk.binary);
        }
        self.kept.clear();
        let is_chosen = self.chooser.choose(chunk, &mut self.kept);
        let Output { out, bar, kept, .. } = self;
        let bytes = if is_chosen { &*kept } else { &chunk.out };
        let mut write = || {
            let result = match bytes.is_empty() {
                true => Ok(()),
                false => out.write_all(bytes).and_then(|()| out.flush()),
            };
            // If standard error is gone, the status has to do.
            let _ = io::stderr().write_all(&chunk.complaints);
            result
        };
        let result = match bar {
            Some(bar) => bar.suspended(write),
            None => write(),
        };
        chunk.clear();
        self.note(result)?;
        let is_over = match self.stop {
            Stop::Never => false,
            Stop::AtLink => self.chooser.total().links > 0,
            Stop::AtEnough => self.chooser.has_enough(),
        };
        if is_over { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn note(&mut self, result: io::Result<()>) -> ControlFlow<()> {
        match result {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.failure = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    /// What was shown and left out so far.
    pub(crate) fn total(&self) -> Total {
        self.chooser.total()
    }

    /// Ends the output; why it failed, if it did. A closed pipe is no failure: who closed it has
    /// seen enough.
    pub(crate) fn finish(mut self) -> Option<String> {
        let last = self.chooser.finish();
        if self.failure.is_none() && !last.is_empty() {
            // It is noted.
            let _ = self.write_bytes(&last);
        }
        if let Some(bar) = self.bar {
            bar.finish();
        }
        let error = self.failure.filter(|error| error.kind() != ErrorKind::BrokenPipe)?;
        Some(format!("standard output: {}", reason(&error)))
    }
}

/// What an error says, as messages do here: lower case, without the system's number.
pub(crate) fn reason(error: &io::Error) -> String {
    let mut text = error.to_string();
    if let Some(code) = error.raw_os_error() {
        let number = format!(" (os error {code})");
        if text.ends_with(&number) {
            text.truncate(text.len() - number.len());
        }
    }
    let mut letters = text.chars();
    match (letters.next(), letters.next()) {
        (Some(first), Some(second)) if first.is_ascii_uppercase() && second.is_lowercase() => {
            text.replace_range(..1, &first.to_ascii_lowercase().to_string());
        }
        _ => {}
    }
    text
}
