//! Paths in, batches of records out: files, archives and mailboxes, in parallel and in the order of the
//! inputs, while whoever reads them does something else.

use std::mem;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use linksift::container::Limits;
use linksift::files::{self, Archives, Batch as _, Binary, Input, Options};
use linksift::{Candidate, Event};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyCapsule, PyList, PyString};

use crate::arrow::column::Named;
use crate::arrow::fields::{self, Failed, Field, Record, Records};
use crate::arrow::table::{Batch, PyBatch};
use crate::arrow::{Errors, abi, output, with_wanted};
use crate::border::{PATIENCE, check_signals, guarded, os_error};
use crate::link::either;
use crate::settings::Given;

/// A batch has about so many bytes.
const BATCH: usize = 1 << 20;
/// What was found is handed over after this time, though it is less.
const SOON: Duration = Duration::from_millis(200);

/// Options of a scan of paths, in addition to the finder's settings.
pub(crate) struct FilesOptions {
    pub(crate) fields: Option<Vec<String>>,
    pub(crate) rejected: bool,
    pub(crate) errors: String,
    pub(crate) threads: usize,
    pub(crate) archives: bool,
    pub(crate) binary: String,
    pub(crate) max_depth: Option<u32>,
    pub(crate) max_expansion: Option<u64>,
    pub(crate) max_window: Option<u64>,
}

/// Default fields of a scan of paths.
const FIELDS: &[Field] = &[
    Field::Path,
    Field::Member,
    Field::Part,
    Field::Start,
    Field::End,
    Field::Kind,
    Field::Context,
    Field::Uri,
];

/// What failed: an input, a member of it, or something met in a walk.
struct Failure {
    path: PathBuf,
    member: String,
    error: linksift::ScanError,
}

/// A remark about an input or a member.
#[derive(Clone)]
struct Remark {
    path: PathBuf,
    member: String,
    code: &'static str,
    /// Part of a message; empty for the input or the member itself.
    part: String,
}

/// What is found on one thread, on its way to the one that takes it.
#[derive(Default)]
struct Part {
    records: Option<Records>,
    failures: Vec<Failure>,
    remarks: Vec<Remark>,
    /// Whether its records are too many for Arrow.
    overflows: bool,
}

impl files::Batch for Part {
    fn size(&self) -> usize {
        let records = self.records.as_ref().map_or(0, |records| records.columns.size());
        records + 64 * (self.failures.len() + self.remarks.len())
    }

    fn append(&mut self, later: &mut Self) {
        match (&mut self.records, later.records.take()) {
            (Some(records), Some(more)) => self.overflows |= records.append(&more).is_err(),
            (empty, more) => {
                if more.is_some() {
                    *empty = more;
                }
            }
        }
        self.failures.append(&mut later.failures);
        self.remarks.append(&mut later.remarks);
        self.overflows |= mem::take(&mut later.overflows);
    }
}

/// Event of the scanning thread.
enum ThreadEvent {
    Batch(Arc<Batch>),
    Failed(PyErr),
}

/// A scan that runs, and what it said beside its records.
struct Running {
    news: Mutex<Option<Receiver<ThreadEvent>>>,
    stopped: Arc<AtomicBool>,
    said: Arc<Mutex<Said>>,
    pid: u32,
}

#[derive(Default)]
struct Said {
    failures: Vec<(PathBuf, String, String)>,
    remarks: Vec<Remark>,
    summary: Option<files::Summary>,
}

fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Drop for Running {
    fn drop(&mut self) {
        self.stopped.store(true, Ordering::Relaxed);
    }
}

impl Running {
    /// Fails for a scan that has been read to its end or closed: a second read would look like a scan without links.
    fn check_unread(&self) -> PyResult<()> {
        match *locked(&self.news) {
            Some(_) => Ok(()),
            None => Err(PyRuntimeError::new_err(
                "the scan has been read to its end or closed: scan the paths again to read them again",
            )),
        }
    }

    /// The next batch; `None` at the end. It is to be called without the interpreter's lock.
    fn next(&self) -> PyResult<Option<Arc<Batch>>> {
        if self.pid != process::id() {
            let text = "the scan belongs to another process: its threads do not exist after a fork";
            return Err(PyRuntimeError::new_err(text));
        }
        loop {
            let mut news = locked(&self.news);
            let Some(receiver) = &*news else { return Ok(None) };
            match receiver.recv_timeout(PATIENCE) {
                Ok(ThreadEvent::Batch(batch)) => return Ok(Some(batch)),
                Ok(ThreadEvent::Failed(error)) => {
                    *news = None;
                    return Err(error);
                }
                Err(RecvTimeoutError::Disconnected) => {
                    *news = None;
                    return Ok(None);
                }
                Err(RecvTimeoutError::Timeout) => {}
            }
            drop(news);
            check_signals()?;
        }
    }
}

/// The links of paths, as a stream of batches that is read once; a scan that nobody reads on waits.
#[pyclass(frozen, module = "linksift")]
pub(crate) struct Scan {
    named: Arc<Named>,
    running: Arc<Running>,
}

/// Starts a scan of paths.
pub(crate) fn scan(paths: Vec<Input>, given: Arc<Given>, wanted: &FilesOptions) -> PyResult<Scan> {
    let errors = Errors::of(&wanted.errors)?;
    let mut fields = match &wanted.fields {
        Some(names) => fields::named(names.clone(), &[Field::Row])?,
        None => FIELDS.to_vec(),
    };
    with_wanted(&mut fields, wanted.fields.is_some(), wanted.rejected, errors);
    if fields.is_empty() {
        return Err(PyValueError::new_err("expected at least one field"));
    }
    let named = Arc::new(Named::new("", fields::kind(&fields), false));
    let options = options(&given, wanted, &fields)?;
    let (sender, news) = sync_channel(4);
    let stopped = Arc::new(AtomicBool::new(false));
    let said = Arc::new(Mutex::new(Said::default()));
    let job = FilesJob {
        fields,
        errors,
        rejected: wanted.rejected,
        stopped: Arc::clone(&stopped),
        said: Arc::clone(&said),
    };
    let run = move || {
        let done = guarded(|| job.run(paths, &options, &sender)).and_then(|done| done);
        if let Err(error) = done {
            // Nobody waits for it, if it cannot be sent.
            let _ = sender.send(ThreadEvent::Failed(error));
        }
    };
    thread::Builder::new().name("linksift-scan".to_owned()).spawn(run)?;
    let news = Mutex::new(Some(news));
    let running = Arc::new(Running { news, stopped, said, pid: process::id() });
    Ok(Scan { named, running })
}

fn options(given: &Given, wanted: &FilesOptions, fields: &[Field]) -> PyResult<Options> {
    let needs_positions = fields.iter().any(|field| matches!(field, Field::Line | Field::Column));
    let mut hints = given.document.clone();
    if needs_positions {
        hints = hints.positions(true);
    }
    let binary = match wanted.binary.as_str() {
        "auto" => Binary::Auto,
        "text" => Binary::Text,
        "skip" => Binary::Skip,
        word => {
            let text =
                format!("invalid value {word:?} for binary: expected one of auto, text, skip");
            return Err(PyValueError::new_err(text));
        }
    };
    let mut limits = Limits::new();
    if let Some(depth) = wanted.max_depth {
        limits = limits.max_depth(depth);
    }
    if let Some(times) = wanted.max_expansion {
        limits = limits.max_expansion(times);
    }
    if let Some(bytes) = wanted.max_window {
        limits = limits.max_window(bytes);
    }
    let archives = if wanted.archives { Archives::Auto } else { Archives::Never };
    Ok(Options::new()
        .finder(given.finder.clone())
        .hints(hints)
        .threads(wanted.threads)
        .archives(archives)
        .binary(binary)
        .limits(limits))
}

/// Work of the scanning thread.
struct FilesJob {
    fields: Vec<Field>,
    errors: Errors,
    rejected: bool,
    stopped: Arc<AtomicBool>,
    said: Arc<Mutex<Said>>,
}

impl FilesJob {
    fn run(
        &self,
        paths: Vec<Input>,
        options: &Options,
        news: &SyncSender<ThreadEvent>,
    ) -> PyResult<()> {
        let mut outlet = Outlet { part: Part::default(), since: Instant::now(), failed: None };
        let render = |event: Event<'_>, part: &mut Part| self.render(event, part);
        let summary = files::scan_map(paths, options, render, |part: &mut Part| {
            match self.stopped.load(Ordering::Relaxed) {
                true => ControlFlow::Break(()),
                false => self.take(part, &mut outlet, news),
            }
        });
        if outlet.send(news).is_break() {
            return Ok(());
        }
        locked(&self.said).summary = Some(summary);
        outlet.failed.map_or(Ok(()), Err)
    }

    /// Puts an event into the part of the thread that finds it.
    fn render(&self, event: Event<'_>, part: &mut Part) {
        match event {
            Event::Link { path, link, .. } => self.record(path, &Candidate::Link(link), part),
            Event::Rejected { path, rejected, .. } if self.rejected => {
                self.record(path, &Candidate::Rejected(rejected), part);
            }
            Event::Failed { path, member, error, .. } => {
                let member = member.as_str();
                if self.errors == Errors::Rows {
                    let name = path.to_string_lossy();
                    let text = error.to_string();
                    let failed = Some(Failed { member, error: &text });
                    let record =
                        Record { row: 0, path: &name, failed, start: 0, end: 0, column: None };
                    let records = part.records.get_or_insert_with(|| Records::new(&self.fields));
                    part.overflows |= records.push_failed(record).is_err();
                }
                let (path, member) = (path.to_owned(), member.to_owned());
                part.failures.push(Failure { path, member, error });
            }
            Event::Noticed { path, member, part: of_message, notice, .. } => {
                part.remarks.push(Remark {
                    path: path.to_owned(),
                    member: member.as_str().to_owned(),
                    code: notice.as_str(),
                    part: of_message.unwrap_or_default().to_owned(),
                });
            }
            _ => {}
        }
    }

    fn record(&self, path: &Path, judged: &Candidate<'_>, part: &mut Part) {
        let range = either!(judged, range);
        let position = either!(judged, position);
        let path = path.to_string_lossy();
        let record = Record {
            row: 0,
            path: &path,
            failed: None,
            start: range.start as u64,
            end: range.end as u64,
            column: position.map(|position| position.column),
        };
        let records = part.records.get_or_insert_with(|| Records::new(&self.fields));
        part.overflows |= records.push(record, judged).is_err();
    }

    /// Takes what came, in the order of the inputs, and sends it on when it is enough.
    fn take(
        &self,
        part: &mut Part,
        outlet: &mut Outlet,
        news: &SyncSender<ThreadEvent>,
    ) -> ControlFlow<()> {
        let failures = mem::take(&mut part.failures);
        locked(&self.said).remarks.append(&mut part.remarks);
        outlet.part.append(part);
        if let (Errors::Raise, Some(first)) = (self.errors, failures.first()) {
            outlet.failed = Some(os_error(&first.path, &first.member, &first.error));
            return ControlFlow::Break(());
        }
        let mut said = locked(&self.said);
        said.failures.extend(
            failures
                .into_iter()
                .map(|failure| (failure.path, failure.member, failure.error.to_string())),
        );
        drop(said);
        match outlet.part.size() >= BATCH || outlet.since.elapsed() >= SOON {
            true => outlet.send(news),
            false => ControlFlow::Continue(()),
        }
    }
}

/// What is to be sent next.
struct Outlet {
    part: Part,
    since: Instant,
    failed: Option<PyErr>,
}

impl Outlet {
    fn send(&mut self, news: &SyncSender<ThreadEvent>) -> ControlFlow<()> {
        let part = mem::take(&mut self.part);
        self.since = Instant::now();
        if part.overflows {
            self.failed = Some(crate::arrow::Overflow.into());
            return ControlFlow::Continue(());
        }
        let Some(records) = part.records else { return ControlFlow::Continue(()) };
        let batch = Arc::new(Batch { column: records.columns });
        match news.send(ThreadEvent::Batch(batch)) {
            Ok(()) => ControlFlow::Continue(()),
            Err(_) => ControlFlow::Break(()),
        }
    }
}

/// The inputs that one path or several name. A `str` or a path is one.
pub(crate) fn inputs(paths: &Bound<'_, PyAny>) -> PyResult<Vec<Input>> {
    let one = |path: &Bound<'_, PyAny>| -> PyResult<Input> {
        // Standard input is the command's: here `-` is a file.
        Ok(Input::Path(match path.cast::<PyBytes>() {
            Ok(bytes) => path_of(bytes.as_bytes())?,
            Err(_) => path.extract::<PathBuf>()?,
        }))
    };
    let is_one = paths.is_instance_of::<PyString>()
        || paths.is_instance_of::<PyBytes>()
        || paths.hasattr("__fspath__")?;
    match is_one {
        true => Ok(vec![one(paths)?]),
        false => paths.try_iter()?.map(|path| one(&path?)).collect(),
    }
}

#[cfg(unix)]
fn path_of(bytes: &[u8]) -> PyResult<PathBuf> {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    Ok(PathBuf::from(OsStr::from_bytes(bytes)))
}

#[cfg(not(unix))]
fn path_of(bytes: &[u8]) -> PyResult<PathBuf> {
    Ok(PathBuf::from(std::str::from_utf8(bytes).map_err(PyValueError::new_err)?))
}

#[pymethods]
impl Scan {
    fn __iter__(this: Py<Self>) -> PyResult<Py<Self>> {
        this.get().running.check_unread()?;
        Ok(this)
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<PyBatch>> {
        let batch = py.detach(|| self.running.next())?;
        Ok(batch.map(|batch| PyBatch { named: Arc::clone(&self.named), batch }))
    }

    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        drop(requested_schema);
        self.running.check_unread()?;
        let running = Arc::clone(&self.running);
        let next = move || match running.next() {
            Ok(batch) => Ok(batch.map(|batch| batch.array())),
            Err(error) => Err(error.to_string()),
        };
        abi::give(py, output::stream((*self.named).clone(), Box::new(next)))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        abi::give(py, output::schema(&self.named))
    }

    /// What failed so far: path, member, reason. With `errors="raise"` it is the exception instead.
    #[getter]
    fn failures<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let said = locked(&self.running.said);
        let failures = said.failures.iter().map(|(path, member, error)| {
            (path.to_string_lossy().into_owned(), member.clone(), error.clone())
        });
        PyList::new(py, failures.collect::<Vec<_>>())
    }

    /// What was remarked so far: path, member, the code of the notice, the part of a message.
    #[getter]
    fn notices<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let said = locked(&self.running.said);
        let remarks = said.remarks.iter().cloned().map(|Remark { path, member, code, part }| {
            (path.to_string_lossy().into_owned(), member, code, part)
        });
        PyList::new(py, remarks.collect::<Vec<_>>())
    }

    /// At the end of the scan: inputs, failed ones, bytes and links.
    #[getter]
    fn summary(&self) -> Option<(u64, u64, u64, u64)> {
        let said = locked(&self.running.said);
        let summary = said.summary.as_ref()?;
        Some((summary.files(), summary.failed(), summary.bytes(), summary.links()))
    }

    /// Ends the scan before its end.
    fn close(&self) {
        self.running.stopped.store(true, Ordering::Relaxed);
        *locked(&self.running.news) = None;
    }
}
