//! The scan of a column: rows in tasks, tasks on threads, results in the order of the rows.

use std::cell::RefCell;
use std::io::{self, Read};
use std::ops::{ControlFlow, Range};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Instant;

use linksift::iri::repair;
use linksift::{Candidate, Candidates, Charset, Event, Finder, Hints, NotRead, ScanError, Step};
use pyo3::prelude::*;

use super::column::{Column, Type};
use super::fields::{Failed, Field, Record, Records, kind};
use super::gather::CellsOf;
use super::table::Batch;
use super::{Errors, Overflow};
use crate::border::{InternalError, PATIENCE, Unread, check_signals, guarded, unread};
use crate::link::either;
use crate::offsets::Characters;

/// What is longer is processed in steps of about so many bytes, with looks at signals in between.
const STEP: usize = 1 << 20;
/// Of shorter ones about so many bytes are between two looks: to read the clock takes as long as to search a short text.
const LOOK: usize = 1 << 14;
/// A row counts as so many bytes, whatever it has.
const ROW: usize = 64;
/// A task has about so many bytes of text, and not more rows than this.
const TASK_BYTES: usize = 1 << 20;
const TASK_ROWS: usize = 1 << 16;
/// A batch that has more text than this is ended.
const FULL: usize = 1 << 28;

/// Work on a column.
pub(super) struct ColumnJob<'j> {
    pub(super) finder: &'j Finder,
    pub(super) hints: &'j Hints,
    pub(super) is_plain: bool,
    pub(super) is_text: bool,
    pub(super) in_characters: bool,
    /// Whether columns are in the unit that the settings name.
    pub(super) names_columns: bool,
    pub(super) rejected: bool,
    pub(super) nested: bool,
    pub(super) errors: Errors,
    pub(super) fields: &'j [Field],
    pub(super) cells: &'j [CellsOf],
}

/// Rows of one chunk.
struct Task {
    cells: usize,
    rows: Range<usize>,
}

type Done = PyResult<Vec<Arc<Batch>>>;

impl ColumnJob<'_> {
    /// The batches of all rows.
    pub(super) fn run(&self, py: Python<'_>, threads: usize) -> Done {
        let done = py.detach(|| guarded(|| self.run_detached(threads)))?;
        let mut batches = done?;
        batches.retain(|batch| batch.column.len() > 0);
        Ok(batches)
    }

    fn run_detached(&self, threads: usize) -> Done {
        let tasks = self.tasks()?;
        let cores = || thread::available_parallelism().map_or(1, usize::from);
        let threads = if threads == 0 { cores() } else { threads.min(64) }.min(tasks.len());
        let cancelled = AtomicBool::new(false);
        if threads <= 1 {
            let mut looked = Instant::now();
            let mut look = || {
                if looked.elapsed() >= PATIENCE {
                    looked = Instant::now();
                    check_signals()?;
                }
                Ok(())
            };
            let mut all = Vec::new();
            for task in &tasks {
                all.extend(self.scan(task, &mut look)?);
            }
            return Ok(all);
        }
        self.run_threads(threads, &tasks, &cancelled)
    }

    fn run_threads(&self, threads: usize, tasks: &[Task], cancelled: &AtomicBool) -> Done {
        let next = AtomicUsize::new(0);
        let done: Vec<Mutex<Option<Done>>> = tasks.iter().map(|_| Mutex::new(None)).collect();
        let (ended, wait) = channel::<()>();
        thread::scope(|scope| {
            for _ in 0..threads {
                let (next, done, ended) = (&next, &done, ended.clone());
                thread::Builder::new().spawn_scoped(scope, move || {
                    let _ended = ended;
                    loop {
                        let number = next.fetch_add(1, Ordering::Relaxed);
                        let Some(task) = tasks.get(number) else { break };
                        if cancelled.load(Ordering::Relaxed) {
                            break;
                        }
                        let mut look = || match cancelled.load(Ordering::Relaxed) {
                            true => Err(InternalError::new_err("cancelled")),
                            false => Ok(()),
                        };
                        let result = guarded(|| self.scan(task, &mut look)).and_then(|done| done);
                        if result.is_err() {
                            // What comes after it does not count, what was begun before it does.
                            next.store(tasks.len(), Ordering::Relaxed);
                        }
                        *done[number].lock().unwrap_or_else(PoisonError::into_inner) = Some(result);
                    }
                })?;
            }
            drop(ended);
            loop {
                match wait.recv_timeout(PATIENCE) {
                    Err(RecvTimeoutError::Timeout) => {}
                    _ => return Ok(()),
                }
                if let Err(error) = check_signals() {
                    cancelled.store(true, Ordering::Relaxed);
                    return Err(error);
                }
            }
        })?;
        let mut all = Vec::new();
        for task in done {
            match task.into_inner().unwrap_or_else(PoisonError::into_inner) {
                Some(batches) => all.extend(batches?),
                // Not begun, because one before it failed.
                None => break,
            }
        }
        Ok(all)
    }

    fn tasks(&self) -> PyResult<Vec<Task>> {
        let mut tasks = Vec::new();
        for (number, cells) in self.cells.iter().enumerate() {
            let (mut first, mut bytes) = (0, 0);
            for row in 0..cells.source.len {
                bytes += cells.source.get(row).map_or(0, <[u8]>::len);
                if bytes >= TASK_BYTES || row + 1 - first >= TASK_ROWS {
                    tasks.push(Task { cells: number, rows: first..row + 1 });
                    (first, bytes) = (row + 1, 0);
                    check_signals()?;
                }
            }
            if first < cells.source.len {
                tasks.push(Task { cells: number, rows: first..cells.source.len });
            }
        }
        Ok(tasks)
    }

    /// The batches of a task's rows: one, or more where there is much text.
    fn scan(&self, task: &Task, look: &mut dyn FnMut() -> PyResult<()>) -> Done {
        let cells = &self.cells[task.cells];
        let mut out = Out::new(self);
        let mut unlooked = LOOK;
        for row in task.rows.clone() {
            if unlooked >= LOOK {
                look()?;
                unlooked = 0;
            }
            let number = cells.first_row + row as u64;
            let bytes = cells.source.get(row);
            unlooked += bytes.map_or(0, <[u8]>::len) + ROW;
            match bytes {
                None => out.end_row(false),
                Some(bytes) => match self.row(cells, row, bytes, &mut out, look)? {
                    None => out.end_row(true),
                    Some(refused) if self.errors == Errors::Raise => {
                        return Err(refused.error(&format!("row {number}: ")));
                    }
                    Some(refused) => {
                        if self.errors == Errors::Rows {
                            let failed = Some(Failed { member: "", error: &refused.to_string() });
                            let record = Record {
                                row: number,
                                path: "",
                                failed,
                                start: 0,
                                end: 0,
                                column: None,
                            };
                            out.records.push_failed(record)?;
                        }
                        out.end_row(false);
                    }
                },
            }
            if out.records.text_bytes > FULL {
                out.flush();
            }
        }
        out.flush();
        Ok(out.batches)
    }

    /// The links of one cell; what is wrong with it, if nothing can be found in it.
    fn row(
        &self,
        cells: &CellsOf,
        row: usize,
        bytes: &[u8],
        out: &mut Out<'_>,
        look: &mut dyn FnMut() -> PyResult<()>,
    ) -> PyResult<Option<Unread>> {
        let number = cells.first_row + row as u64;
        let mut characters = Characters::default();
        let mut each = |judged: Candidate<'_>| -> PyResult<()> {
            let range = either!(&judged, range);
            let position = either!(&judged, position);
            let (units, column) = match self.in_characters {
                false => (range, position.map(|position| position.column)),
                true => {
                    let first = range.start;
                    let units = characters.range(bytes, range);
                    let column = position.map(|at| match self.names_columns {
                        true => at.column,
                        false => characters.column(bytes, first, at.line, at.column),
                    });
                    (units, column)
                }
            };
            let (start, end) = (units.start as u64, units.end as u64);
            let record = Record { row: number, path: "", failed: None, start, end, column };
            Ok(out.push(record, &judged)?)
        };
        let has_own = cells.base.is_some() || cells.charset.is_some() || cells.name.is_some();
        if self.is_text && self.is_plain && !has_own {
            let finder = self.finder;
            let text = std::str::from_utf8(bytes);
            if bytes.len() > STEP {
                let of_bytes = || finder.candidates_in(bytes);
                let candidates = text.map_or_else(|_| of_bytes(), |text| finder.candidates(text));
                return self.long_text(candidates, look, &mut each).map(|()| None);
            }
            return match (text, self.rejected) {
                (Ok(text), false) => {
                    finder.links(text).try_for_each(|link| each(Candidate::Link(link)))
                }
                (Ok(text), true) => finder.candidates(text).try_for_each(each),
                (Err(_), false) => {
                    finder.links_in(bytes).try_for_each(|link| each(Candidate::Link(link)))
                }
                (Err(_), true) => finder.candidates_in(bytes).try_for_each(each),
            }
            .map(|()| None);
        }
        let (name, hints) = self.hints_of(cells, row);
        // Values of a fixed width are filled with NULs, which say nothing.
        let end = bytes.iter().rposition(|byte| *byte != 0).map_or(0, |last| last + 1);
        let unfilled = &bytes[..end];
        if self.is_text {
            if let Some(reason) = Unread::of_text(bytes, &hints) {
                return Ok(Some(reason));
            }
        } else {
            let name = Hints::new().name(name.unwrap_or_default());
            match unread(self.finder, unfilled, name, false) {
                None | Some(NotRead::Undecodable { .. }) => {}
                // A format that is named is that of all.
                Some(reason) if !self.is_plain && reason != NotRead::Archive => {}
                reason => return Ok(reason.map(Unread::Document)),
            }
        }
        if bytes.len() > STEP {
            let reason = self.long_document(bytes, hints, look, &mut each)?;
            return Ok(reason.map(Unread::Document));
        }
        let read = |bytes| self.finder.document(bytes, &hints);
        let candidates = match read(bytes).or_else(|_| read(unfilled)) {
            Ok(candidates) => candidates,
            Err(reason) => return Ok(Some(Unread::Document(reason))),
        };
        match self.rejected {
            true => candidates.into_iter().try_for_each(each)?,
            false => candidates.links().try_for_each(|link| each(Candidate::Link(link)))?,
        }
        Ok(None)
    }

    /// The links of a long text, with looks at signals.
    fn long_text(
        &self,
        mut candidates: Candidates<'_, '_>,
        look: &mut dyn FnMut() -> PyResult<()>,
        each: &mut dyn FnMut(Candidate<'_>) -> PyResult<()>,
    ) -> PyResult<()> {
        loop {
            match candidates.next_within(STEP) {
                Step::Budget => {}
                Step::Done => return Ok(()),
                Step::Found(one) if one.is_link() || self.rejected => each(one)?,
                Step::Found(_) => {}
            }
            look()?;
        }
    }

    /// The links of a long document, read as a stream, with looks at signals.
    fn long_document(
        &self,
        bytes: &[u8],
        hints: Hints,
        look: &mut dyn FnMut() -> PyResult<()>,
        each: &mut dyn FnMut(Candidate<'_>) -> PyResult<()>,
    ) -> PyResult<Option<NotRead>> {
        // Of the reader and of who hears of links, whichever is told to end first.
        let ended = RefCell::new(None);
        let look = RefCell::new(look);
        let go_on = || {
            let looked = (look.borrow_mut())();
            let is_good = looked.is_ok();
            if let Err(error) = looked {
                ended.borrow_mut().get_or_insert(error);
            }
            is_good
        };
        let mut reader = Looking { rest: bytes, go_on: &go_on };
        let done = self.finder.scan_reader(&mut reader, &hints, |event| {
            let judged = match event {
                Event::Link { link, .. } => Candidate::Link(link),
                Event::Rejected { rejected, .. } if self.rejected => Candidate::Rejected(rejected),
                _ => return ControlFlow::Continue(()),
            };
            match each(judged) {
                Ok(()) if go_on() => return ControlFlow::Continue(()),
                Ok(()) => {}
                Err(error) => {
                    ended.borrow_mut().get_or_insert(error);
                }
            }
            ControlFlow::Break(())
        });
        match (ended.into_inner(), done) {
            (Some(error), _) => Err(error),
            (None, Ok(_)) => Ok(None),
            (None, Err(ScanError::NotRead(reason))) => Ok(Some(reason)),
            (None, Err(error)) => Err(io::Error::from(error).into()),
        }
    }

    /// What is known of a cell: what its own columns say goes before what is said of all. What is no base,
    /// or no charset, is not known.
    fn hints_of(&self, cells: &CellsOf, row: usize) -> (Option<String>, Hints) {
        let said = |column: &Option<super::input::Cells>| {
            let value = column.as_ref()?.get(row)?;
            std::str::from_utf8(value).ok().map(|value| value.trim().to_owned())
        };
        let mut hints = self.hints.clone();
        if self.is_text {
            hints = hints.charset(Charset::UTF_8);
        }
        let base = cells.base.as_ref().and_then(|column| column.get(row));
        if let Some(base) = base.and_then(|base| repair(base).ok()) {
            hints = hints.base(base.into_iri());
        }
        if let Some(charset) = said(&cells.charset).and_then(|label| label.parse().ok()) {
            hints = hints.charset(charset);
        }
        let name = said(&cells.name);
        if let Some(name) = &name {
            hints = hints.name(name);
        }
        (name, hints)
    }
}

/// A reader of what is in memory that ends where it may not go on.
struct Looking<'l> {
    rest: &'l [u8],
    go_on: &'l dyn Fn() -> bool,
}

impl Read for Looking<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        if !(self.go_on)() {
            return Ok(0);
        }
        let most = to.len().min(STEP);
        self.rest.read(&mut to[..most])
    }
}

/// The records of a task.
struct Out<'o> {
    fields: &'o [Field],
    nested: bool,
    records: Records,
    /// The end of each row's list, and whether it is one, if rows are lists.
    lists: Vec<(usize, bool)>,
    batches: Vec<Arc<Batch>>,
}

impl<'o> Out<'o> {
    fn new(job: &ColumnJob<'o>) -> Out<'o> {
        Out {
            fields: job.fields,
            nested: job.nested,
            records: Records::new(job.fields),
            lists: Vec::new(),
            batches: Vec::new(),
        }
    }

    fn push(&mut self, record: Record<'_>, judged: &Candidate<'_>) -> Result<(), Overflow> {
        if !self.nested && self.records.text_bytes > FULL {
            self.flush();
        }
        self.records.push(record, judged)
    }

    fn end_row(&mut self, is_valid: bool) {
        if self.nested {
            self.lists.push((self.records.len(), is_valid));
        }
    }

    fn flush(&mut self) {
        let records = std::mem::replace(&mut self.records, Records::new(self.fields));
        let column = match self.nested {
            false => records.columns,
            true => {
                let item = super::column::Named::new("item", kind(self.fields), false);
                let mut lists = Column::new(&Type::List(Box::new(item)));
                lists.set_lists(records.columns, self.lists.drain(..));
                lists
            }
        };
        self.batches.push(Arc::new(Batch { column }));
    }
}
