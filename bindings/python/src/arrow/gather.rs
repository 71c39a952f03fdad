//! What a caller hands over: Arrow data of any library, or Python's own texts.

use std::sync::Arc;

use pyo3::exceptions::{PyOSError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyFloat, PyString};

use super::abi::{self, Array, Schema, Stream};
use super::column::{Column, Type};
use super::input::{self, Cells, Chunk};
use crate::border::check_signals;
use crate::source::Source;

/// The arrays of an object that has Arrow data, or a chunk of the texts that it iterates over.
pub(super) fn chunks(data: &Bound<'_, PyAny>) -> PyResult<Vec<Arc<Chunk>>> {
    if data.hasattr("__arrow_c_stream__")? {
        let stream: Stream = abi::take(&data.call_method0("__arrow_c_stream__")?)?;
        return streamed(data.py(), stream);
    }
    if data.hasattr("__arrow_c_array__")? {
        let (schema, array): (Bound<'_, PyAny>, Bound<'_, PyAny>) =
            data.call_method0("__arrow_c_array__")?.extract()?;
        let schema: Arc<Schema> = Arc::new(abi::take(&schema)?);
        let array: Array = abi::take(&array)?;
        return Ok(vec![Arc::new(Chunk::Foreign { schema, array })]);
    }
    texts(data)
}

fn streamed(py: Python<'_>, mut stream: Stream) -> PyResult<Vec<Arc<Chunk>>> {
    // Who gives the arrays may need the interpreter on another thread.
    py.detach(|| {
        let schema = Arc::new(stream.schema().map_err(PyOSError::new_err)?);
        let mut chunks = Vec::new();
        while let Some(array) = stream.next().map_err(PyOSError::new_err)? {
            chunks.push(Arc::new(Chunk::Foreign { schema: Arc::clone(&schema), array }));
            check_signals()?;
        }
        if chunks.is_empty() {
            // So that what is asked of it is looked at, though it has no rows.
            let Ok(array) = empty(&schema) else { return Ok(chunks) };
            chunks.push(Arc::new(Chunk::Foreign { schema, array }));
        }
        Ok(chunks)
    })
}

/// There is no array without its library: an empty table is taken as no chunk.
fn empty(_: &Arc<Schema>) -> Result<Array, ()> {
    Err(())
}

/// How many bytes of texts go into a chunk.
const CHUNK: usize = 64 << 20;

/// Python's own texts, bytes and `None`.
fn texts(data: &Bound<'_, PyAny>) -> PyResult<Vec<Arc<Chunk>>> {
    if data.is_instance_of::<PyString>() || data.is_instance_of::<PyBytes>() {
        let text = "expected a column of text: Arrow data, or a list of str";
        return Err(PyTypeError::new_err(text));
    }
    let mut chunks = Vec::new();
    let mut column = Column::new(&Type::Text);
    let mut is_text = None;
    for (number, value) in data.try_iter()?.enumerate() {
        let value = value?;
        if is_missing(&value) {
            column.push_text(None)?;
            continue;
        }
        let source = Source::of(&value).map_err(|error| {
            PyTypeError::new_err(format!("row {number}: {}", error.value(value.py())))
        })?;
        if *is_text.get_or_insert(source.is_str()) != source.is_str() {
            let text = format!("row {number}: str and bytes cannot be mixed in a column");
            return Err(PyTypeError::new_err(text));
        }
        if column.size() + source.bytes().len() > CHUNK && column.len() > 0 {
            let full = std::mem::replace(&mut column, Column::new(&Type::Text));
            chunks.push(full);
        }
        column.push_bytes(Some(source.bytes()))?;
    }
    chunks.push(column);
    let is_text = is_text.unwrap_or(true);
    Ok(chunks.into_iter().map(|texts| Arc::new(Chunk::Own { texts, is_text })).collect())
}

/// What stands for a missing value in Python and in pandas.
fn is_missing(value: &Bound<'_, PyAny>) -> bool {
    let is_nan = || value.cast::<PyFloat>().is_ok_and(|float| float.value().is_nan());
    let is_na = || {
        let name = value.get_type().name();
        name.is_ok_and(|name| name == "NAType" || name == "NaTType")
    };
    value.is_none() || is_nan() || is_na()
}

/// Settings whose values are in columns of the table.
#[derive(Default)]
pub(super) struct Columns<'py> {
    base: Option<String>,
    pub(super) charset: Option<String>,
    name: Option<String>,
    /// The other settings.
    pub(super) values: Option<Bound<'py, PyDict>>,
}

/// Tells the settings `base`, `charset` and `name` that name columns of the table from the others.
pub(super) fn columns<'py>(
    chunks: &[Arc<Chunk>],
    keywords: Option<&Bound<'py, PyDict>>,
) -> PyResult<Columns<'py>> {
    let Some(keywords) = keywords else { return Ok(Columns::default()) };
    let values = keywords.copy()?;
    let mut columns = Columns::default();
    for (name, column) in [
        ("base", &mut columns.base),
        ("charset", &mut columns.charset),
        ("name", &mut columns.name),
    ] {
        let Some(value) = values.get_item(name)?.and_then(|value| value.extract().ok()) else {
            continue;
        };
        let value: String = value;
        if chunks.first().is_some_and(|chunk| input::has_column(chunk, &value)) {
            values.del_item(name)?;
            *column = Some(value);
        }
    }
    columns.values = Some(values);
    Ok(columns)
}

/// A chunk's cells, with what other columns say of each.
pub(super) struct CellsOf {
    pub(super) source: Cells,
    pub(super) base: Option<Cells>,
    pub(super) charset: Option<Cells>,
    pub(super) name: Option<Cells>,
    /// The row of the first.
    pub(super) first_row: u64,
}

impl Columns<'_> {
    pub(super) fn cells(
        &self,
        chunks: &[Arc<Chunk>],
        column: Option<&str>,
    ) -> PyResult<Vec<CellsOf>> {
        let mut first_row = 0;
        let mut all = Vec::new();
        for chunk in chunks {
            let named = |name: &Option<String>| {
                name.as_deref().map(|name| Cells::of(chunk, Some(name))).transpose()
            };
            let source = Cells::of(chunk, column)?;
            let len = source.len as u64;
            let (base, charset) = (named(&self.base)?, named(&self.charset)?);
            all.push(CellsOf { source, base, charset, name: named(&self.name)?, first_row });
            first_row += len;
        }
        Ok(all)
    }
}
