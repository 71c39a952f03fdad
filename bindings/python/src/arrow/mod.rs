//! Arrow data in, Arrow data out: the links of a column's texts, as a table or as a column of lists.

pub(crate) mod abi;
pub(crate) mod column;
pub(crate) mod fields;
mod gather;
mod input;
pub(crate) mod output;
mod scan;
pub(crate) mod table;

use std::sync::Arc;

use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::settings::Given;
use column::{Named, Type};
use fields::Field;
use table::Table;

/// A batch that would have more than 2³¹ bytes of text, or items, which Arrow's offsets of 32 bits cannot
/// count.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Overflow;

impl From<Overflow> for PyErr {
    fn from(_: Overflow) -> PyErr {
        PyOverflowError::new_err("the links of a row have more than 2 GiB of text")
    }
}

/// What becomes of what fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Errors {
    Raise,
    Skip,
    Rows,
}

impl Errors {
    pub(crate) fn of(word: &str) -> PyResult<Errors> {
        match word {
            "raise" => Ok(Errors::Raise),
            "skip" => Ok(Errors::Skip),
            "rows" => Ok(Errors::Rows),
            _ => Err(PyValueError::new_err(format!(
                "invalid value {word:?} for errors: expected one of raise, skip, rows"
            ))),
        }
    }
}

/// Options of a scan of a column, in addition to the finder's settings.
pub(crate) struct ColumnOptions {
    pub(crate) fields: Option<Vec<String>>,
    pub(crate) nested: bool,
    pub(crate) rejected: bool,
    pub(crate) offsets: Option<String>,
    pub(crate) errors: String,
    pub(crate) threads: usize,
}

/// Default fields of a table of links.
const FIELDS: &[Field] = &[Field::Row, Field::Start, Field::End, Field::Kind, Field::Uri];
/// Fields that the links of a column do not have.
const NOT_OF_CELLS: &[Field] = &[Field::Path, Field::Member];

/// The links of a column of texts or documents.
pub(crate) fn links(
    data: &Bound<'_, PyAny>,
    column: Option<&str>,
    keywords: Option<&Bound<'_, PyDict>>,
    given: &Given,
    wanted: &ColumnOptions,
) -> PyResult<Table> {
    let errors = Errors::of(&wanted.errors)?;
    let fields = fields_of(wanted, errors)?;
    let of_characters = match wanted.offsets.as_deref() {
        None => None,
        Some("chars") => Some(true),
        Some("bytes") => Some(false),
        Some(word) => {
            let text = format!("invalid value {word:?} for offsets: expected one of chars, bytes");
            return Err(PyValueError::new_err(text));
        }
    };
    let chunks = gather::chunks(data)?;
    let columns = gather::columns(&chunks, keywords)?;
    let given = given.with(columns.values.as_ref())?;
    let cells = columns.cells(&chunks, column)?;
    let is_text = cells.first().is_none_or(|cells| cells.source.is_text);
    if of_characters == Some(true) && !is_text {
        let text = "offsets in characters need a column of text, not bytes";
        return Err(PyValueError::new_err(text));
    }
    if is_text && (given.names_charset || columns.charset.is_some()) {
        return Err(PyValueError::new_err(
            "a column of text has no charset: it is already decoded",
        ));
    }
    let job = scan::ColumnJob {
        finder: &given.finder,
        hints: &given.text,
        is_plain: given.is_plain,
        is_text,
        in_characters: of_characters.unwrap_or(is_text),
        names_columns: given.names_columns,
        rejected: wanted.rejected,
        nested: wanted.nested,
        errors,
        fields: &fields,
        cells: &cells,
    };
    let batches = job.run(data.py(), wanted.threads)?;
    Ok(Table::new(named(&fields, wanted.nested), batches))
}

fn fields_of(wanted: &ColumnOptions, errors: Errors) -> PyResult<Vec<Field>> {
    let mut without = NOT_OF_CELLS.to_vec();
    if wanted.nested {
        without.push(Field::Row);
        if errors == Errors::Rows {
            return Err(PyValueError::new_err("errors=\"rows\" cannot be used with nested=True"));
        }
    }
    let mut fields = match &wanted.fields {
        Some(names) => fields::named(names.clone(), &without)?,
        None => FIELDS.iter().copied().filter(|field| !without.contains(field)).collect(),
    };
    with_wanted(&mut fields, wanted.fields.is_some(), wanted.rejected, errors);
    if fields.is_empty() {
        return Err(PyValueError::new_err("expected at least one field"));
    }
    Ok(fields)
}

/// The fields that say what is rejected and what failed, where that is wanted and no fields are named.
pub(crate) fn with_wanted(
    fields: &mut Vec<Field>,
    are_named: bool,
    rejected: bool,
    errors: Errors,
) {
    if !are_named && rejected {
        fields.push(Field::Rejected);
    }
    if errors == Errors::Rows && !fields.contains(&Field::Error) {
        fields.push(Field::Error);
    }
}

/// The type of a table of links, or of a column of lists of them.
fn named(fields: &[Field], nested: bool) -> Arc<Named> {
    let records = fields::kind(fields);
    Arc::new(match nested {
        false => Named::new("", records, false),
        true => {
            let item = Named::new("item", records, false);
            Named::new("links", Type::List(Box::new(item)), true)
        }
    })
}
