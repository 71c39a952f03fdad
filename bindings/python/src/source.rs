//! What is searched: a `str` or bytes, lent by Python without a copy where that can be.

use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::pybacked::{PyBackedBytes, PyBackedStr};
use pyo3::types::{PyByteArray, PyBytes, PyString};

/// A text or bytes; nobody changes them while they are here.
pub(crate) enum Source {
    /// A `str`, as UTF-8.
    Text {
        text: PyBackedStr,
        /// Whether it is ASCII: bytes are characters then.
        is_ascii: bool,
    },
    /// A `str` with halves of surrogate pairs, which have three bytes each, as UTF-8 would have them.
    Surrogates(Vec<u8>),
    Bytes(PyBackedBytes),
    /// A file, which is read as a stream: nothing of it is here.
    File,
}

impl Source {
    /// A `str`, or an object that has bytes. What may change is copied.
    pub(crate) fn of(object: &Bound<'_, PyAny>) -> PyResult<Source> {
        if let Ok(text) = object.cast::<PyString>() {
            return match PyBackedStr::try_from(text.clone()) {
                Ok(backed) => {
                    let is_ascii = backed.len() == text.len()?;
                    Ok(Source::Text { text: backed, is_ascii })
                }
                Err(_) => {
                    let encoded = text.call_method1("encode", ("utf-8", "surrogatepass"))?;
                    Ok(Source::Surrogates(encoded.cast::<PyBytes>()?.as_bytes().to_vec()))
                }
            };
        }
        if object.is_instance_of::<PyBytes>() || object.is_instance_of::<PyByteArray>() {
            return Ok(Source::Bytes(object.extract()?));
        }
        let py = object.py();
        // Only what lends its bytes: `bytes(3)` is three zeros.
        let view =
            py.import("builtins")?.getattr("memoryview")?.call1((object,)).map_err(|_| {
                let kind = object.get_type().name().map(|name| name.to_string());
                let kind = kind.unwrap_or_default();
                PyTypeError::new_err(format!("expected str or bytes, not {kind}"))
            })?;
        Ok(Source::Bytes(view.call_method0("tobytes")?.extract()?))
    }

    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            Source::Text { text, .. } => text.as_bytes(),
            Source::Surrogates(bytes) => bytes,
            Source::Bytes(bytes) => bytes,
            Source::File => &[],
        }
    }

    /// Whether offsets are to be counted in characters, and these are not bytes.
    pub(crate) fn counts_characters(&self) -> bool {
        matches!(self, Source::Text { is_ascii: false, .. } | Source::Surrogates(_))
    }

    pub(crate) fn is_str(&self) -> bool {
        !matches!(self, Source::Bytes(_) | Source::File)
    }
}

/// A `str` that becomes another one: halves of surrogate pairs are U+FFFD in it.
pub(crate) fn unicode(object: &Bound<'_, PyAny>) -> PyResult<PyBackedStr> {
    let text = object.cast::<PyString>()?;
    PyBackedStr::try_from(text.clone()).or_else(|_| {
        let units = text.call_method1("encode", ("utf-16-le", "surrogatepass"))?;
        units.call_method1("decode", ("utf-16-le", "replace"))?.extract()
    })
}
