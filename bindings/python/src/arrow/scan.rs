//! The scan of a column: rows in tasks, tasks on threads, results in the order of the rows.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use linksift::iri::repair;
use linksift::{Charset, Document, Finder, Hints};
use pyo3::prelude::*;

use super::column::{Column, Type};
use super::fields::{Failed, Field, Judged, Record, Records, kind};
use super::gather::CellsOf;
use super::table::Batch;
use super::{Errors, Overflow};
use crate::border::{CharsetError, InternalError, check_signals, guarded};
use crate::link::either;
use crate::offsets::Characters;

/// A task has about so many bytes of text, and not more rows than this.
const TASK_BYTES: usize = 1 << 20;
const TASK_ROWS: usize = 1 << 16;
/// A batch that has more text than this is ended.
const FULL: usize = 1 << 28;
/// How often a scan looks at signals.
const PATIENCE: Duration = Duration::from_millis(50);

/// What is to be done with a column.
pub(super) struct Job<'j> {
    pub(super) finder: &'j Finder,
    pub(super) hints: &'j Hints,
    pub(super) is_plain: bool,
    pub(super) is_text: bool,
    pub(super) in_characters: bool,
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

impl Job<'_> {
    /// The batches of all rows.
    pub(super) fn run(&self, py: Python<'_>, threads: usize) -> Done {
        let done = py.detach(|| guarded(|| self.run_detached(threads)))?;
        let mut batches = done?;
        batches.retain(|batch| batch.column.len() > 0);
        Ok(batches)
    }

    fn run_detached(&self, threads: usize) -> Done {
        let tasks = self.tasks();
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

    fn tasks(&self) -> Vec<Task> {
        let mut tasks = Vec::new();
        for (number, cells) in self.cells.iter().enumerate() {
            let (mut first, mut bytes) = (0, 0);
            for row in 0..cells.source.len {
                bytes += cells.source.get(row).map_or(0, <[u8]>::len);
                if bytes >= TASK_BYTES || row + 1 - first >= TASK_ROWS {
                    tasks.push(Task { cells: number, rows: first..row + 1 });
                    (first, bytes) = (row + 1, 0);
                }
            }
            if first < cells.source.len {
                tasks.push(Task { cells: number, rows: first..cells.source.len });
            }
        }
        tasks
    }

    /// The batches of a task's rows: one, or more where there is much text.
    fn scan(&self, task: &Task, look: &mut dyn FnMut() -> PyResult<()>) -> Done {
        let cells = &self.cells[task.cells];
        let mut out = Out::new(self);
        for row in task.rows.clone() {
            look()?;
            let number = cells.first_row + row as u64;
            match cells.source.get(row) {
                None => out.end_row(false),
                Some(bytes) => match self.row(cells, row, bytes, number, &mut out)? {
                    None => out.end_row(true),
                    Some(error) if self.errors == Errors::Raise => {
                        return Err(CharsetError::new_err(format!("row {number}: {error}")));
                    }
                    Some(error) => {
                        if self.errors == Errors::Rows {
                            let failed = Some(Failed { member: "", error: &error });
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
        number: u64,
        out: &mut Out<'_>,
    ) -> Result<Option<String>, Overflow> {
        let mut characters = Characters::default();
        let mut each = |judged: Judged<'_>| {
            let range = either!(&judged, range);
            let position = either!(&judged, position);
            let (units, column) = match self.in_characters {
                false => (range, position.map(|position| position.column)),
                true => {
                    let first = range.start;
                    let units = characters.range(bytes, range);
                    let column =
                        position.map(|at| characters.column(bytes, first, at.line, at.column));
                    (units, column)
                }
            };
            let (start, end) = (units.start as u64, units.end as u64);
            out.push(Record { row: number, path: "", failed: None, start, end, column }, &judged)
        };
        let has_own = cells.base.is_some() || cells.charset.is_some() || cells.name.is_some();
        if self.is_text && self.is_plain && !has_own {
            let finder = self.finder;
            return match (std::str::from_utf8(bytes), self.rejected) {
                (Ok(text), false) => finder.links(text).try_for_each(|link| each(Ok(link))),
                (Ok(text), true) => finder.candidates(text).try_for_each(each),
                (Err(_), false) => finder.links_in(bytes).try_for_each(|link| each(Ok(link))),
                (Err(_), true) => finder.candidates_in(bytes).try_for_each(each),
            }
            .map(|()| None);
        }
        let document = Document::new(bytes).hints(self.hints_of(cells, row));
        let candidates = match self.finder.document(&document) {
            Ok(candidates) => candidates,
            Err(error) => return Ok(Some(error.to_string())),
        };
        match self.rejected {
            true => candidates.into_iter().try_for_each(each)?,
            false => candidates.links().try_for_each(|link| each(Ok(link)))?,
        }
        Ok(None)
    }

    /// What is known of a cell: what its own columns say goes before what is said of all. What is no base,
    /// or no charset, is not known.
    fn hints_of(&self, cells: &CellsOf, row: usize) -> Hints {
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
        if let Some(name) = said(&cells.name) {
            hints = hints.name(&name);
        }
        hints
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
    fn new(job: &Job<'o>) -> Out<'o> {
        Out {
            fields: job.fields,
            nested: job.nested,
            records: Records::new(job.fields),
            lists: Vec::new(),
            batches: Vec::new(),
        }
    }

    fn push(&mut self, record: Record<'_>, judged: &Judged<'_>) -> Result<(), Overflow> {
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
