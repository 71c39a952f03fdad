//! Decisions that need all results in order: duplicates, counts, headings, sorting.

use std::cmp::Reverse;
use std::collections::HashMap;

use linksift::files::ResumePoint;
use serde::{Deserialize, Serialize};

use crate::args::SortKey;
use crate::chunk::{Chunk, Line, LineKind, Mark, Total};
use crate::presentation::{OutputForm, Presentation};
use crate::render::push_host_key;
use crate::safe::Controls;
use crate::seen::Seen;

/// State that depends on all earlier results.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Carried {
    pub(crate) total: Total,
    /// Whether the heading has been written.
    is_headed: bool,
    /// Number of links of the current input.
    links: u64,
    heading: String,
    is_under_heading: bool,
}

/// Reason for a halt in a chunk.
#[derive(Debug)]
pub(crate) enum Halt<'c> {
    /// An input has ended.
    End,
    /// An input can be resumed here.
    Reached { path: &'c [u8], point: ResumePoint },
}

/// Position in a chunk up to which it has been processed.
#[derive(Debug, Default)]
pub(crate) struct Progress {
    marks: usize,
    bytes: usize,
}

/// Takes chunks in order, and selects the output to write.
pub(crate) struct Chooser {
    form: OutputForm,
    sort: Option<SortKey>,
    /// Maximum number of links of an input.
    most: Option<u64>,
    terminator: u8,
    controls: Controls,
    /// Number of links of the current input.
    links: u64,
    total: Total,
    /// Values that have occurred before.
    seen: Seen,
    /// The heading of the next line, and whether it has been written.
    heading: Vec<u8>,
    is_headed: bool,
    is_first: bool,
    /// Lines that wait to be sorted.
    lines: Vec<Sorted>,
    tally: Tally,
}

/// A line with its sort key.
struct Sorted {
    key: Box<[u8]>,
    line: Box<[u8]>,
}

/// Number of occurrences of each value, in order of first occurrence.
#[derive(Default)]
struct Tally {
    places: HashMap<u128, usize>,
    values: Vec<(u64, Box<[u8]>)>,
}

impl Chooser {
    pub(crate) fn new(look: &Presentation) -> Chooser {
        Chooser {
            form: look.form.clone(),
            sort: look.sort,
            most: look.most,
            terminator: look.terminator,
            controls: look.controls,
            links: 0,
            total: Total::default(),
            seen: Seen::new(),
            heading: Vec::new(),
            is_headed: false,
            is_first: true,
            lines: Vec::new(),
            tally: Tally::default(),
        }
    }

    /// Returns the numbers of links shown and skipped so far.
    pub(crate) fn total(&self) -> Total {
        self.total
    }

    /// Returns `true` if the current input has all links that are wanted.
    pub(crate) fn has_enough(&self) -> bool {
        self.most.is_some_and(|most| self.links >= most)
    }

    /// Restores the state of an interrupted run.
    pub(crate) fn carry(&mut self, carried: &Carried) {
        self.total = carried.total;
        self.is_first = !carried.is_headed;
        (self.links, self.is_headed) = (carried.links, carried.is_under_heading);
        self.heading = carried.heading.clone().into_bytes();
    }

    /// Returns the state at a halt.
    pub(crate) fn carried(&self) -> Carried {
        Carried {
            total: self.total,
            is_headed: !self.is_first,
            links: self.links,
            heading: String::from_utf8_lossy(&self.heading).into_owned(),
            is_under_heading: self.is_headed,
        }
    }

    /// Adds the counts of a chunk without marks, which is written completely.
    pub(crate) fn count(&mut self, chunk: &Chunk) {
        self.links += chunk.total.links;
        self.total += chunk.total;
    }

    /// Processes a chunk up to the next halt, and appends the output. Returns the halt and the length of the log before it;
    /// `None` at the chunk's end.
    pub(crate) fn advance<'c>(
        &mut self,
        chunk: &'c Chunk,
        progress: &mut Progress,
        kept: &mut Vec<u8>,
    ) -> Option<(Halt<'c>, usize)> {
        let Progress { marks, bytes: done } = progress;
        while let Some(mark) = chunk.marks.get(*marks) {
            *marks += 1;
            match mark {
                Mark::Heading { line } => {
                    kept.extend_from_slice(&chunk.out[*done..line.start]);
                    *done = line.end;
                    if self.heading != chunk.out[line.clone()] {
                        self.heading.clear();
                        self.heading.extend_from_slice(&chunk.out[line.clone()]);
                        self.is_headed = false;
                    }
                }
                Mark::Record(line) => {
                    kept.extend_from_slice(&chunk.out[*done..line.bytes.start]);
                    *done = line.bytes.end;
                    self.record(line, chunk, kept);
                }
                Mark::End { line, number, total, log, failed } => {
                    kept.extend_from_slice(&chunk.out[*done..line.start]);
                    *done = line.end;
                    self.total += *total;
                    let links = std::mem::take(&mut self.links) + total.links;
                    // An input that is named again gets its heading again.
                    self.heading.clear();
                    match self.form {
                        _ if line.is_empty() => {}
                        // There may be links after the error.
                        OutputForm::Count | OutputForm::Without if *failed && links == 0 => {}
                        OutputForm::Count => {
                            kept.extend_from_slice(&chunk.out[line.start..*number]);
                            kept.extend_from_slice(links.to_string().as_bytes());
                            kept.extend_from_slice(&chunk.out[*number..line.end]);
                        }
                        OutputForm::With if links == 0 => {}
                        OutputForm::Without if links > 0 => {}
                        _ => kept.extend_from_slice(&chunk.out[line.clone()]),
                    }
                    return Some((Halt::End, *log));
                }
                Mark::Reached { at, path, point, total, log } => {
                    kept.extend_from_slice(&chunk.out[*done..*at]);
                    *done = *at;
                    self.total += *total;
                    self.links += total.links;
                    let path = &chunk.values[path.clone()];
                    return Some((Halt::Reached { path, point: *point }, *log));
                }
            }
        }
        kept.extend_from_slice(&chunk.out[*done..]);
        *done = chunk.out.len();
        self.count(chunk);
        None
    }

    fn record(&mut self, line: &Line, chunk: &Chunk, kept: &mut Vec<u8>) {
        if self.has_enough() {
            return;
        }
        let value = &chunk.values[line.value.clone()];
        if let (OutputForm::Tally, Some(once)) = (&self.form, line.once) {
            self.links += 1;
            self.total.links += 1;
            return self.tally.add(once, value);
        }
        if line.once.is_some_and(|once| !self.seen.insert(once)) {
            return;
        }
        if line.what == LineKind::Link {
            self.links += 1;
            self.total.links += 1;
        }
        let bytes = &chunk.out[line.bytes.clone()];
        if bytes.is_empty() {
            return;
        }
        if self.sort.is_some() {
            return self.lines.push(Sorted { key: value.into(), line: bytes.into() });
        }
        if !self.heading.is_empty() && !std::mem::replace(&mut self.is_headed, true) {
            if !std::mem::replace(&mut self.is_first, false) {
                kept.push(self.terminator);
            }
            kept.extend_from_slice(&self.heading);
        }
        kept.extend_from_slice(bytes);
    }

    /// Writes the output that needs all results.
    pub(crate) fn finish(&mut self) -> Vec<u8> {
        let mut out = Vec::new();
        if self.form == OutputForm::Tally {
            self.tally.finish(self.sort, self.terminator, self.controls, &mut out);
        }
        // The sort is stable.
        self.lines.sort_by(|a, b| a.key.cmp(&b.key));
        for Sorted { line, .. } in self.lines.drain(..) {
            out.extend_from_slice(&line);
        }
        out
    }
}

impl Tally {
    fn add(&mut self, once: u128, value: &[u8]) {
        let place = *self.places.entry(once).or_insert(self.values.len());
        match self.values.get_mut(place) {
            Some((count, _)) => *count += 1,
            None => self.values.push((1, value.into())),
        }
    }

    fn finish(
        &mut self,
        sort: Option<SortKey>,
        terminator: u8,
        controls: Controls,
        out: &mut Vec<u8>,
    ) {
        match sort {
            // The most frequent value is first.
            Some(SortKey::Count) => self.values.sort_by_key(|value| Reverse(value.0)),
            Some(SortKey::Uri) => self.values.sort_by(|a, b| a.1.cmp(&b.1)),
            Some(SortKey::Host) => self.values.sort_by_cached_key(|(_, value)| {
                let mut key = Vec::new();
                push_host_key(&String::from_utf8_lossy(value), &mut key);
                key
            }),
            None => {}
        }
        for (count, value) in self.values.drain(..) {
            out.extend_from_slice(count.to_string().as_bytes());
            out.push(b'\t');
            controls.push(&value, out);
            out.push(terminator);
        }
    }
}
