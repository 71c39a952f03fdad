//! What goes out: tables that can be read again and again, and batches of streams.

use std::any::Any;
use std::sync::Arc;

use pyo3::prelude::*;
use pyo3::types::{PyCapsule, PyDict, PyList};

use super::abi;
use super::column::{Column, Named, Type};
use super::output;

/// A column that is filled.
#[derive(Debug)]
pub(crate) struct Batch {
    pub(crate) column: Column,
}

impl Batch {
    pub(crate) fn array(self: &Arc<Batch>) -> abi::Array {
        let owner: Arc<dyn Any + Send + Sync> = Arc::clone(self) as _;
        output::array(&self.column, &owner)
    }
}

/// Links as Arrow data: a table with a row for each link, or a column with a list for each text.
///
/// Anything that reads Arrow's PyCapsule interface takes it, again and again.
#[pyclass(frozen, module = "linksift")]
pub(crate) struct Table {
    named: Arc<Named>,
    batches: Vec<Arc<Batch>>,
}

impl Table {
    pub(crate) fn new(named: Arc<Named>, batches: Vec<Arc<Batch>>) -> Table {
        Table { named, batches }
    }
}

#[pymethods]
impl Table {
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_stream__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyCapsule>> {
        // It may be ignored by the interface.
        drop(requested_schema);
        let mut batches = self.batches.clone().into_iter();
        let next = move || Ok(batches.next().map(|batch| batch.array()));
        abi::give(py, output::stream((*self.named).clone(), Box::new(next)))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        abi::give(py, output::schema(&self.named))
    }

    fn __len__(&self) -> usize {
        self.batches.iter().map(|batch| batch.column.len()).sum()
    }

    /// Its rows as dictionaries, or its lists of them.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for batch in &self.batches {
            for at in 0..batch.column.len() {
                list.append(value(py, &batch.column, &self.named.kind, at)?)?;
            }
        }
        Ok(list)
    }

    fn __repr__(&self) -> String {
        format!("<linksift.Table of {} rows>", self.__len__())
    }
}

/// A batch of records out of a scan of paths.
#[pyclass(frozen, module = "linksift", name = "Batch")]
pub(crate) struct PyBatch {
    pub(crate) named: Arc<Named>,
    pub(crate) batch: Arc<Batch>,
}

#[pymethods]
impl PyBatch {
    #[pyo3(signature = (requested_schema = None))]
    fn __arrow_c_array__<'py>(
        &self,
        py: Python<'py>,
        requested_schema: Option<Bound<'py, PyAny>>,
    ) -> PyResult<(Bound<'py, PyCapsule>, Bound<'py, PyCapsule>)> {
        drop(requested_schema);
        Ok((abi::give(py, output::schema(&self.named))?, abi::give(py, self.batch.array())?))
    }

    fn __arrow_c_schema__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyCapsule>> {
        abi::give(py, output::schema(&self.named))
    }

    fn __len__(&self) -> usize {
        self.batch.column.len()
    }

    /// Its rows as dictionaries.
    fn to_pylist<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let rows = (0..self.batch.column.len())
            .map(|at| value(py, &self.batch.column, &self.named.kind, at));
        PyList::new(py, rows.collect::<PyResult<Vec<_>>>()?)
    }

    fn __repr__(&self) -> String {
        format!("<linksift.Batch of {} rows>", self.__len__())
    }
}

/// A value of a column as an object of Python.
fn value<'py>(
    py: Python<'py>,
    column: &Column,
    kind: &Type,
    at: usize,
) -> PyResult<Bound<'py, PyAny>> {
    Ok(match (column, kind) {
        (
            Column::Integer { nulls, .. }
            | Column::Flag { nulls, .. }
            | Column::Text { nulls, .. }
            | Column::List { nulls, .. },
            _,
        ) if !nulls.is_valid(at) => py.None().into_bound(py),
        (Column::Integer { values, .. }, _) => values[at].into_pyobject(py)?.into_any(),
        (Column::Flag { values, .. }, _) => values.get(at).into_pyobject(py)?.to_owned().into_any(),
        (Column::Text { offsets, bytes, .. }, _) => {
            let text = &bytes[offsets[at] as usize..offsets[at + 1] as usize];
            String::from_utf8_lossy(text).into_pyobject(py)?.into_any()
        }
        (Column::List { offsets, child, .. }, Type::List(item)) => {
            let items = (offsets[at] as usize..offsets[at + 1] as usize)
                .map(|at| value(py, child, &item.kind, at));
            PyList::new(py, items.collect::<PyResult<Vec<_>>>()?)?.into_any()
        }
        (Column::Struct { children, .. }, Type::Struct(fields)) => {
            let row = PyDict::new(py);
            for (child, field) in children.iter().zip(fields) {
                row.set_item(field.name, value(py, child, &field.kind, at)?)?;
            }
            row.into_any()
        }
        _ => py.None().into_bound(py),
    })
}
