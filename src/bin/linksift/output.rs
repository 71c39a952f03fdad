//! Standard output and standard error: chunks in, in order; what is not shown twice is known here.

use std::io::{self, ErrorKind, Write};
use std::mem;
use std::ops::ControlFlow;

use crate::chunk::{Chunk, Mark};
use crate::progress::Bar;
use crate::seen::Seen;
use crate::stdout::Stdout;

/// What was shown, and what was left out, of all inputs.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Total {
    pub(crate) links: u64,
    pub(crate) unresolved: u64,
}

/// Writes chunks as they come, each at once: they come when there is something to show.
pub(crate) struct Output {
    out: Stdout,
    bar: Option<Bar>,
    /// The values that were there before.
    seen: Seen,
    /// Links of the input that is not at its end yet.
    links: u64,
    total: Total,
    /// What is left of a chunk without what was there before.
    kept: Vec<u8>,
    /// Why nothing more can be written.
    failure: Option<io::Error>,
}

impl Output {
    pub(crate) fn new(bar: Option<Bar>) -> Output {
        Output {
            out: Stdout::lock(),
            bar,
            seen: Seen::new(),
            links: 0,
            total: Total::default(),
            kept: Vec::new(),
            failure: None,
        }
    }

    /// Writes bytes that no chunk holds.
    pub(crate) fn write_bytes(&mut self, bytes: &[u8]) -> ControlFlow<()> {
        let result = self.out.write_all(bytes).and_then(|()| self.out.flush());
        self.note(result)
    }

    /// Writes a chunk and empties it.
    pub(crate) fn write(&mut self, chunk: &mut Chunk) -> ControlFlow<()> {
        let is_marked = !chunk.marks.is_empty();
        if is_marked {
            self.decide(chunk);
        }
        self.links += chunk.links;
        self.total.links += chunk.links;
        self.total.unresolved += chunk.unresolved;
        let Output { out, bar, kept, .. } = self;
        let bytes = if is_marked { &*kept } else { &chunk.out };
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
        self.note(result)
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

    /// Copies what should be written of a chunk with marks.
    fn decide(&mut self, chunk: &Chunk) {
        self.kept.clear();
        let mut done = 0;
        for mark in &chunk.marks {
            match mark {
                Mark::Record { bytes, value } => {
                    let is_new = self.seen.insert(*value);
                    self.links += u64::from(is_new);
                    self.total.links += u64::from(is_new);
                    let end = if is_new { bytes.end } else { bytes.start };
                    self.kept.extend_from_slice(&chunk.out[done..end]);
                    done = bytes.end;
                }
                Mark::End { line, number, links } => {
                    self.kept.extend_from_slice(&chunk.out[done..*number]);
                    self.total.links += links;
                    let links = mem::take(&mut self.links) + links;
                    if !line.is_empty() {
                        self.kept.extend_from_slice(links.to_string().as_bytes());
                    }
                    done = *number;
                }
            }
        }
        self.kept.extend_from_slice(&chunk.out[done..]);
    }

    /// What was shown and left out so far.
    pub(crate) fn total(&self) -> Total {
        self.total
    }

    /// Ends the output; why it failed, if it did. A closed pipe is no failure: who closed it has
    /// seen enough.
    pub(crate) fn finish(self) -> Option<String> {
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
