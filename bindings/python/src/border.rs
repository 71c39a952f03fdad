//! The border to Python: its exceptions, its signals, and panics, which do not cross it.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::OnceLock;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread::{self, ThreadId};
use std::time::Duration;

use linksift::{Cancel, Finder, Format, Hints, NotRead, ScanError, detect};
use pyo3::conversion::FromPyObjectOwned;
use pyo3::create_exception;
use pyo3::exceptions::{PyOSError, PyOverflowError, PyRuntimeError, PyValueError};
use pyo3::prelude::*;

create_exception!(
    linksift,
    NotReadError,
    PyValueError,
    "Nothing of a document is read; `code` states why: `archive`, `media`, `binary`, `encrypted` and so on."
);
create_exception!(
    linksift,
    CharsetError,
    NotReadError,
    "A document declares an encoding that is not supported, such as iso-2022-kr."
);
create_exception!(
    linksift,
    InternalError,
    PyRuntimeError,
    "A bug in linksift. Please report it, with the input that causes it."
);

/// The thread that signals come to, as far as it can be known: the one that imported the module.
static MAIN: OnceLock<ThreadId> = OnceLock::new();

pub(crate) fn init() {
    let _ = MAIN.set(thread::current().id());
}

/// Runs what is linksift's; a panic in it becomes an exception.
pub(crate) fn guarded<T>(run: impl FnOnce() -> T) -> PyResult<T> {
    catch_unwind(AssertUnwindSafe(run)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        InternalError::new_err(text.unwrap_or("panic").to_owned())
    })
}

/// A panic, for the test that none crosses.
#[cfg(debug_assertions)]
#[pyfunction]
pub(crate) fn _panic() -> PyResult<()> {
    guarded(|| panic!("on purpose"))
}

/// Lets Python look at signals, from wherever it is called: Ctrl-C is an error then.
pub(crate) fn check_signals() -> PyResult<()> {
    // On another thread there is nothing to see, and the one that has the interpreter may be waiting for us.
    if MAIN.get() != Some(&thread::current().id()) {
        return Ok(());
    }
    Python::attach(|py| py.check_signals())
}

/// How often a caller that waits looks at signals.
pub(crate) const PATIENCE: Duration = Duration::from_millis(50);

/// Runs what may take long on a thread of its own, while this one looks at signals: Ctrl-C cancels it, and is an error then.
pub(crate) fn patient<T: Send>(
    py: Python<'_>,
    cancel: &Cancel,
    run: impl FnOnce() -> T + Send,
) -> PyResult<T> {
    py.detach(|| {
        thread::scope(|scope| {
            let (ended, wait) = channel::<()>();
            let run = move || {
                let _ended = ended;
                guarded(run)
            };
            let running = thread::Builder::new().spawn_scoped(scope, run)?;
            let mut interrupted = Ok(());
            while let (Err(RecvTimeoutError::Timeout), true) =
                (wait.recv_timeout(PATIENCE), interrupted.is_ok())
            {
                interrupted = check_signals();
                if interrupted.is_err() {
                    cancel.cancel();
                }
            }
            let done = running.join().unwrap_or_else(|_| Err(InternalError::new_err("panic")));
            interrupted.and(done)
        })
    })
}

/// The exception for an input that cannot be read: an `OSError` of the system's number, if it has one,
/// and of the path.
pub(crate) fn os_error(path: &Path, member: &str, error: &ScanError) -> PyErr {
    let path = path.as_os_str().to_owned();
    let number = match error {
        ScanError::Io(error) => error.raw_os_error(),
        _ => None,
    };
    match number {
        Some(number) => {
            let text = error.to_string();
            let text = text.split(" (os error").next().unwrap_or_default().to_owned();
            PyOSError::new_err((number, text, path))
        }
        None => {
            let place = match member {
                "" => path.to_string_lossy().into_owned(),
                member => format!("{}!{member}", path.to_string_lossy()),
            };
            PyOSError::new_err(format!("{place}: {error}"))
        }
    }
}

/// The error of a document that is not read; `place` is in front of its sentence.
pub(crate) fn unread_error(place: &str, reason: &NotRead) -> PyErr {
    let error = match reason {
        NotRead::Undecodable { .. } => CharsetError::new_err(format!("{place}{reason}")),
        NotRead::Archive if place.is_empty() => {
            NotReadError::new_err(format!("{reason}: use archives=True to open it"))
        }
        _ => NotReadError::new_err(format!("{place}{reason}")),
    };
    match Python::attach(|py| error.value(py).setattr("code", reason.as_str())) {
        Ok(()) => error,
        Err(error) => error,
    }
}

/// Reads a number of an argument: one that is negative or too large is a value that is not accepted, a `ValueError`.
pub(crate) fn number<'py, T: FromPyObjectOwned<'py>>(value: &Bound<'py, PyAny>) -> PyResult<T> {
    value.extract::<T>().map_err(Into::into).map_err(|error: PyErr| {
        match error.is_instance_of::<PyOverflowError>(value.py()) {
            true => {
                PyValueError::new_err(format!("invalid value {value}: expected a number from 0"))
            }
            false => error,
        }
    })
}

/// Why nothing of a cell or of a source is read.
pub(crate) enum Unread {
    Document(NotRead),
    /// A text is a message, but its fields and parts had charsets of their own, and somebody decoded all of it at once.
    DecodedMessage,
}

impl Unread {
    /// A text in ASCII has the bytes that the message had.
    pub(crate) fn of_text(text: &[u8], hints: &Hints) -> Option<Unread> {
        if text.is_ascii() {
            return None;
        }
        let found = detect(text, hints);
        let is_message = found.is_mail() || found.format() == Format::Http;
        is_message.then_some(Unread::DecodedMessage)
    }

    /// The exception; `place` is in front of its sentence.
    pub(crate) fn error(&self, place: &str) -> PyErr {
        match self {
            Unread::Document(reason) => unread_error(place, reason),
            Unread::DecodedMessage => PyValueError::new_err(format!("{place}{self}")),
        }
    }
}

impl fmt::Display for Unread {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unread::Document(reason) => reason.fmt(f),
            Unread::DecodedMessage => f.write_str(
                "a str that is a message has to be ASCII, since its parts have charsets of their own: pass bytes",
            ),
        }
    }
}

/// Why nothing of a document is read, whether or not archives are opened.
pub(crate) fn unread(
    finder: &Finder,
    bytes: &[u8],
    hints: Hints,
    archives: bool,
) -> Option<NotRead> {
    let reason = finder.document(bytes, &hints).err();
    reason.filter(|reason| !(archives && *reason == NotRead::Archive))
}
