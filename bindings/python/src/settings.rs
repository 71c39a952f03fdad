//! Settings by the names of the command's options, as keywords of Python.

use std::sync::OnceLock;

use linksift::html::Linkify;
use linksift::{Finder, Format, Hints, SettingError, Settings};
use pyo3::exceptions::{PyLookupError, PyTypeError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyInt, PyString, PyTuple};

/// Settings as they were given, and what they come to.
pub(crate) struct Given {
    pub(crate) settings: Settings,
    pub(crate) finder: Finder,
    /// Of a document whose format is to be detected, unless it is named.
    pub(crate) document: Hints,
    /// Of a running text, unless its format is named.
    pub(crate) text: Hints,
    /// Whether a text is not read as running text in UTF-8 without positions, which is the quick way.
    pub(crate) is_plain: bool,
    /// Whether they name the unit of columns, which are characters in a `str` otherwise.
    pub(crate) names_columns: bool,
    /// Whether they name the charset.
    pub(crate) names_charset: bool,
    /// Their names as keywords, and their values.
    pub(crate) pairs: Vec<(String, String)>,
    /// How HTML is made, once that was asked for.
    linkify: OnceLock<Linkify>,
}

impl Default for Given {
    fn default() -> Given {
        Given::of(Settings::new(), Vec::new())
    }
}

impl Given {
    fn of(settings: Settings, pairs: Vec<(String, String)>) -> Given {
        let document = settings.hints();
        let is = |name: &str| pairs.iter().any(|(given, _)| given == name);
        let text = match is("format") {
            true => document.clone(),
            false => document.clone().format(Format::Text),
        };
        Given {
            finder: settings.finder(),
            is_plain: !is("format") && !is("positions") && !is("columns"),
            names_columns: is("columns"),
            names_charset: is("charset"),
            settings,
            document,
            text,
            pairs,
            linkify: OnceLock::new(),
        }
    }

    /// How HTML is made.
    pub(crate) fn linkify(&self) -> &Linkify {
        self.linkify.get_or_init(|| self.settings.html())
    }

    /// These settings with others in addition or instead; those whose value is `None` stay as they are.
    pub(crate) fn with(&self, keywords: Option<&Bound<'_, PyDict>>) -> PyResult<Given> {
        let mut settings = self.settings.clone();
        let mut pairs = self.pairs.clone();
        for (name, value) in keywords.into_iter().flatten() {
            let name: String = name.extract()?;
            // `class_`: the word is Python's own.
            let name = name.strip_suffix('_').unwrap_or(&name).to_owned();
            if value.is_none() {
                continue;
            }
            let value = word(&name, &value)?;
            settings.set(&name, &value).map_err(exception)?;
            match pairs.iter_mut().find(|(given, _)| *given == name) {
                Some((_, old)) => *old = value,
                None => pairs.push((name, value)),
            }
        }
        pairs.sort();
        Ok(Given::of(settings, pairs))
    }

    /// As keywords.
    pub(crate) fn keywords<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let keywords = PyDict::new(py);
        for (name, value) in &self.pairs {
            keywords.set_item(name, value)?;
        }
        Ok(keywords)
    }
}

/// The word for a value: a bool, a number, a text, or several texts.
fn word(name: &str, value: &Bound<'_, PyAny>) -> PyResult<String> {
    if let Ok(flag) = value.cast::<PyBool>() {
        return Ok(if flag.is_true() { "yes" } else { "no" }.to_owned());
    }
    if value.is_instance_of::<PyString>() || value.is_instance_of::<PyInt>() {
        return Ok(value.str()?.to_str()?.to_owned());
    }
    let several = value.try_iter().and_then(|values| {
        let texts = values.map(|one| one?.extract::<String>());
        texts.collect::<PyResult<Vec<_>>>()
    });
    match several {
        Ok(texts) => Ok(texts.join(",")),
        Err(_) => {
            let kind = value.get_type().name()?.to_str()?.to_owned();
            Err(PyTypeError::new_err(format!("invalid type {kind} for {name}")))
        }
    }
}

/// The exception that Python has for it.
pub(crate) fn exception(error: SettingError) -> PyErr {
    let text = error.to_string().replace('-', "_");
    match &error {
        SettingError::UnknownName(_) => PyTypeError::new_err(text),
        SettingError::BadValue { name, .. } if name == "charset" => {
            PyLookupError::new_err(error.to_string())
        }
        _ => PyValueError::new_err(error.to_string()),
    }
}

/// The names of all settings, as keywords.
pub(crate) fn names(py: Python<'_>) -> PyResult<Bound<'_, PyTuple>> {
    PyTuple::new(py, Settings::NAMES.iter().map(|name| name.replace('-', "_")))
}
