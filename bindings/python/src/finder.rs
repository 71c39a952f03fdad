//! The finder and the functions of the module, which are those of a finder made for one call.

use std::path::PathBuf;
use std::sync::{Arc, LazyLock};
use std::time::Instant;

use linksift::html::{self, Linkify};
use linksift::{Cancel, ScanError};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PyDict, PyList, PyString, PyTuple};

use crate::arrow::table::Table;
use crate::arrow::{self, ColumnOptions};
use crate::border::{InternalError, PATIENCE, guarded, number, patient, unread_error};
use crate::files::{self, Scan};
use crate::links::{LONG, Links, Search, Taken};
use crate::settings::Given;
use crate::source::{Source, unicode};

static DEFAULT: LazyLock<Arc<Given>> = LazyLock::new(Arc::default);

/// The settings of a call.
pub(crate) fn given(keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Arc<Given>> {
    match keywords {
        Some(keywords) if !keywords.is_empty() => Ok(Arc::new(DEFAULT.with(Some(keywords))?)),
        _ => Ok(Arc::clone(&DEFAULT)),
    }
}

fn search(given: Arc<Given>, source: Source, taken: Taken, rejected: bool) -> PyResult<Search> {
    if given.names_charset && source.is_str() {
        let text = "a str has no charset: it is already decoded";
        return Err(PyValueError::new_err(text));
    }
    let search = Search { given, taken, source, rejected, archives: false };
    match guarded(|| search.unread_text())? {
        Some(reason) => Err(reason.error("")),
        None => Ok(search),
    }
}

/// The links of a document, and of archives in it if that is asked for.
fn read(
    given: &Arc<Given>,
    source: &Bound<'_, PyAny>,
    taken: Taken,
    rejected: bool,
    archives: bool,
) -> PyResult<Links> {
    let source = Source::of(source)?;
    if archives && source.is_str() {
        return Err(PyValueError::new_err("a str cannot contain archives: pass bytes"));
    }
    Links::of(Search { archives, ..search(Arc::clone(given), source, taken, rejected)? })
}

/// Finds links by its settings. It can be shared between threads, pickled and compared.
#[pyclass(frozen, module = "linksift")]
pub(crate) struct Finder {
    given: Arc<Given>,
}

impl Finder {
    /// HTML of a text; of a long one without the interpreter's lock, and so that Ctrl-C ends it.
    fn html(
        &self,
        py: Python<'_>,
        text: &str,
        make: fn(&str, &Linkify) -> String,
        make_until: fn(&str, &Linkify, &Cancel) -> Result<String, ScanError>,
    ) -> PyResult<String> {
        let options = self.given.linkify();
        if text.len() <= LONG {
            return guarded(|| make(text, options));
        }
        let cancel = Cancel::new();
        let made = patient(py, &cancel, || make_until(text, options, &cancel))?;
        made.map_err(|cancelled| InternalError::new_err(cancelled.to_string()))
    }
}

#[pymethods]
impl Finder {
    #[new]
    #[pyo3(signature = (**settings))]
    fn new(settings: Option<&Bound<'_, PyDict>>) -> PyResult<Finder> {
        Ok(Finder { given: given(settings)? })
    }

    /// The settings that were given, by their names.
    #[getter]
    fn settings<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        self.given.keywords(py)
    }

    /// The links of a running text.
    #[pyo3(signature = (source, *, rejected = false))]
    fn links(&self, source: &Bound<'_, PyAny>, rejected: bool) -> PyResult<Links> {
        let source = Source::of(source)?;
        Links::of(search(Arc::clone(&self.given), source, Taken::Text, rejected)?)
    }

    /// The links of a running text and the candidates that were rejected.
    fn candidates(&self, source: &Bound<'_, PyAny>) -> PyResult<Links> {
        self.links(source, true)
    }

    /// The URIs of a running text.
    fn uris(&self, source: &Bound<'_, PyAny>) -> PyResult<Py<PyList>> {
        let py = source.py();
        let uris = PyList::empty(py);
        // Most texts are short and a `str`: they are searched where Python has them.
        if let (true, Ok(text)) = (self.given.is_plain, source.cast_exact::<PyString>())
            && !self.given.names_charset
            && let Ok(text) = text.to_str()
            && text.len() <= LONG
        {
            let mut links = self.given.finder.links(text);
            guarded(|| links.try_for_each(|link| uris.append(&*link.uri())))??;
            return Ok(uris.unbind());
        }
        let search = search(Arc::clone(&self.given), Source::of(source)?, Taken::Text, false)?;
        if search.is_short() {
            guarded(|| {
                let mut links = search.links().map_err(|error| unread_error("", &error))?;
                links.try_for_each(|link| uris.append(&*link.uri()))
            })??;
            return Ok(uris.unbind());
        }
        let links = Links::of(search)?;
        let mut looked = Instant::now();
        while let Some(found) = links.take(py)? {
            if looked.elapsed() >= PATIENCE {
                looked = Instant::now();
                py.check_signals()?;
            }
            if let Some(link) = found.judged.link() {
                uris.append(&*link.uri())?;
            }
        }
        Ok(uris.unbind())
    }

    /// The links of a document: HTML, XML, CSS, JSON, CSV, Markdown, mail or text.
    #[pyo3(signature = (source, *, rejected = false, archives = false))]
    fn document(
        &self,
        source: &Bound<'_, PyAny>,
        rejected: bool,
        archives: bool,
    ) -> PyResult<Links> {
        read(&self.given, source, Taken::Document, rejected, archives)
    }

    /// The links of a message (RFC 5322) with its parts: bytes, or a `str` that is ASCII.
    #[pyo3(signature = (source, *, rejected = false, archives = false))]
    fn message(
        &self,
        source: &Bound<'_, PyAny>,
        rejected: bool,
        archives: bool,
    ) -> PyResult<Links> {
        read(&self.given, source, Taken::Message, rejected, archives)
    }

    /// The links of a mailbox (mbox): its bytes, or the path of its file, which is read as a stream.
    #[pyo3(signature = (source, *, rejected = false))]
    fn mailbox(&self, source: &Bound<'_, PyAny>, rejected: bool) -> PyResult<Links> {
        let given = Arc::clone(&self.given);
        let is_path =
            source.is_instance_of::<pyo3::types::PyString>() || source.hasattr("__fspath__")?;
        if is_path {
            let path: PathBuf = source.extract()?;
            let search = search(given, Source::File, Taken::Mailbox, rejected)?;
            return Links::of_file(search, path);
        }
        Links::of(search(given, Source::of(source)?, Taken::Mailbox, rejected)?)
    }

    /// HTML of a text with its links marked; all of the text is escaped.
    #[pyo3(signature = (text, /))]
    fn linkify(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = unicode)] text: PyBackedStr,
    ) -> PyResult<String> {
        self.html(py, &text, html::linkify, html::linkify_until)
    }

    /// HTML with the bare links in its text marked; all else stays as it is.
    #[pyo3(signature = (source, /))]
    fn linkify_html(
        &self,
        py: Python<'_>,
        #[pyo3(from_py_with = unicode)] source: PyBackedStr,
    ) -> PyResult<String> {
        self.html(py, &source, html::linkify_html, html::linkify_html_until)
    }

    /// The links of a column of texts or documents, as Arrow data.
    #[pyo3(signature = (data, column = None, *, fields = None, nested = false, rejected = false,
        offsets = None, errors = "raise", threads = 0, **settings))]
    #[allow(clippy::too_many_arguments, reason = "keywords of Python")]
    fn arrow(
        &self,
        data: &Bound<'_, PyAny>,
        column: Option<&str>,
        fields: Option<Vec<String>>,
        nested: bool,
        rejected: bool,
        offsets: Option<String>,
        errors: &str,
        #[pyo3(from_py_with = number)] threads: usize,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Table> {
        let errors = errors.to_owned();
        let wanted = ColumnOptions { fields, nested, rejected, offsets, errors, threads };
        arrow::links(data, column, settings, &self.given, &wanted)
    }

    /// The links of files, directories, archives and mailboxes, as a stream of batches.
    #[pyo3(signature = (paths, *, fields = None, rejected = false, errors = "raise", threads = 0,
        archives = true, binary = "auto", max_depth = None, max_expansion = None,
        max_window = None, **settings))]
    #[allow(clippy::too_many_arguments, reason = "keywords of Python")]
    fn scan_paths(
        &self,
        paths: &Bound<'_, PyAny>,
        fields: Option<Vec<String>>,
        rejected: bool,
        errors: &str,
        #[pyo3(from_py_with = number)] threads: usize,
        archives: bool,
        binary: &str,
        #[pyo3(from_py_with = number)] max_depth: Option<u32>,
        #[pyo3(from_py_with = number)] max_expansion: Option<u64>,
        #[pyo3(from_py_with = number)] max_window: Option<u64>,
        settings: Option<&Bound<'_, PyDict>>,
    ) -> PyResult<Scan> {
        let wanted = files::FilesOptions {
            fields,
            rejected,
            errors: errors.to_owned(),
            threads,
            archives,
            binary: binary.to_owned(),
            max_depth,
            max_expansion,
            max_window,
        };
        let given = match settings {
            Some(settings) => Arc::new(self.given.with(Some(settings))?),
            None => Arc::clone(&self.given),
        };
        files::scan(files::inputs(paths)?, given, &wanted)
    }

    fn __getnewargs_ex__<'py>(
        &self,
        py: Python<'py>,
    ) -> PyResult<(Bound<'py, PyTuple>, Bound<'py, PyDict>)> {
        Ok((PyTuple::empty(py), self.given.keywords(py)?))
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        let other = other.cast::<Finder>();
        other.is_ok_and(|other| other.get().given.pairs == self.given.pairs)
    }

    fn __hash__(&self) -> u64 {
        use std::hash::{DefaultHasher, Hash, Hasher};

        let mut hasher = DefaultHasher::new();
        self.given.pairs.hash(&mut hasher);
        hasher.finish()
    }

    fn __repr__(&self) -> String {
        let pairs = self.given.pairs.iter();
        let pairs: Vec<_> = pairs.map(|(name, value)| format!("{name}={value:?}")).collect();
        format!("Finder({})", pairs.join(", "))
    }
}

/// Functions of the module that are methods of a finder with the settings of the call.
macro_rules! functions {
    ($($(#[doc = $doc:literal])+ fn $name:ident($source:ident $(, $flag:ident)*) -> $Out:ty;)+) => {
        $(functions!(@one [$(#[doc = $doc])+] $name $source $($flag)* => $Out);)+
    };
    (@one [$($docs:tt)+] $name:ident $source:ident $rejected:ident $archives:ident => $Out:ty) => {
        $($docs)+
        #[pyfunction]
        #[pyo3(signature = ($source, *, rejected = false, archives = false, **settings))]
        pub(crate) fn $name(
            $source: &Bound<'_, PyAny>,
            rejected: bool,
            archives: bool,
            settings: Option<&Bound<'_, PyDict>>,
        ) -> PyResult<$Out> {
            Finder { given: given(settings)? }.$name($source, rejected, archives)
        }
    };
    (@one [$($docs:tt)+] $name:ident $source:ident $rejected:ident => $Out:ty) => {
        $($docs)+
        #[pyfunction]
        #[pyo3(signature = ($source, *, rejected = false, **settings))]
        pub(crate) fn $name(
            $source: &Bound<'_, PyAny>,
            rejected: bool,
            settings: Option<&Bound<'_, PyDict>>,
        ) -> PyResult<$Out> {
            Finder { given: given(settings)? }.$name($source, rejected)
        }
    };
    (@one [$($docs:tt)+] $name:ident $source:ident => $Out:ty) => {
        $($docs)+
        #[pyfunction]
        #[pyo3(signature = ($source, **settings))]
        pub(crate) fn $name(
            $source: &Bound<'_, PyAny>,
            settings: Option<&Bound<'_, PyDict>>,
        ) -> PyResult<$Out> {
            Finder { given: given(settings)? }.$name($source)
        }
    };
}

functions! {
    /// The links of a running text: a `str`, with offsets in characters, or bytes of any charset, with
    /// offsets in bytes.
    fn links(source, rejected) -> Links;
    /// The links of a running text and the candidates that were rejected.
    fn candidates(source) -> Links;
    /// The URIs of a running text.
    fn uris(source) -> Py<PyList>;
    /// The links of a document: HTML, XML, CSS, JSON, CSV, Markdown, mail or text, as its name or content
    /// says.
    fn document(source, rejected, archives) -> Links;
    /// The links of a message (RFC 5322) with its parts: bytes, or a `str` that is ASCII; offsets are those of the stored
    /// bytes.
    fn message(source, rejected, archives) -> Links;
    /// The links of a mailbox (mbox): its bytes, or the path of its file, which is read as a stream.
    fn mailbox(source, rejected) -> Links;
}

/// The links of a column of texts or documents, as Arrow data: a table with a row for each link, or with
/// `nested` a column with a list for each text.
#[pyfunction(name = "arrow")]
#[pyo3(signature = (data, column = None, *, fields = None, nested = false, rejected = false,
    offsets = None, errors = "raise", threads = 0, **settings))]
#[allow(clippy::too_many_arguments, reason = "keywords of Python")]
pub(crate) fn arrow_links(
    data: &Bound<'_, PyAny>,
    column: Option<&str>,
    fields: Option<Vec<String>>,
    nested: bool,
    rejected: bool,
    offsets: Option<String>,
    errors: &str,
    #[pyo3(from_py_with = number)] threads: usize,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<Table> {
    let finder = Finder { given: Arc::clone(&DEFAULT) };
    finder.arrow(data, column, fields, nested, rejected, offsets, errors, threads, settings)
}

/// The links of files, directories, archives and mailboxes, as a stream of batches: in parallel, in the order
/// of the inputs.
#[pyfunction]
#[pyo3(signature = (paths, *, fields = None, rejected = false, errors = "raise", threads = 0,
    archives = true, binary = "auto", max_depth = None, max_expansion = None,
    max_window = None, **settings))]
#[allow(clippy::too_many_arguments, reason = "keywords of Python")]
pub(crate) fn scan_paths(
    paths: &Bound<'_, PyAny>,
    fields: Option<Vec<String>>,
    rejected: bool,
    errors: &str,
    #[pyo3(from_py_with = number)] threads: usize,
    archives: bool,
    binary: &str,
    #[pyo3(from_py_with = number)] max_depth: Option<u32>,
    #[pyo3(from_py_with = number)] max_expansion: Option<u64>,
    #[pyo3(from_py_with = number)] max_window: Option<u64>,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<Scan> {
    Finder { given: Arc::clone(&DEFAULT) }.scan_paths(
        paths,
        fields,
        rejected,
        errors,
        threads,
        archives,
        binary,
        max_depth,
        max_expansion,
        max_window,
        settings,
    )
}

/// HTML of a text with its links marked; all of the text is escaped.
#[pyfunction]
#[pyo3(signature = (text, /, **settings))]
pub(crate) fn linkify(
    py: Python<'_>,
    #[pyo3(from_py_with = unicode)] text: PyBackedStr,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    Finder { given: given(settings)? }.linkify(py, text)
}

/// HTML with the bare links in its text marked; all else stays as it is, byte for byte.
#[pyfunction]
#[pyo3(signature = (source, /, **settings))]
pub(crate) fn linkify_html(
    py: Python<'_>,
    #[pyo3(from_py_with = unicode)] source: PyBackedStr,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<String> {
    Finder { given: given(settings)? }.linkify_html(py, source)
}
