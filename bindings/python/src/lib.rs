//! The Python module: links out of text, documents, mail and archives, as objects or as Arrow data.
//!
//! `links` gives objects, one after the other; `arrow` columns out of columns, without copies;
//! `files` goes through paths. Nothing is found here: it is all linksift's.

mod arrow;
mod border;
mod docs;
mod files;
mod finder;
mod link;
mod links;
mod offsets;
mod settings;
mod source;

use pyo3::prelude::*;

/// What `linksift` is made of; import it from there.
#[pymodule]
mod _native {
    use super::*;
    #[pymodule_export]
    use crate::arrow::fields::ddl;
    #[pymodule_export]
    use crate::arrow::table::{PyBatch, Table};
    #[pymodule_export]
    use crate::border::{CharsetError, InternalError, NotReadError};
    #[pymodule_export]
    use crate::files::Scan;
    #[pymodule_export]
    use crate::finder::{
        Finder, arrow_links, candidates, document, linkify, linkify_html, links, mailbox, message,
        scan_paths, uris,
    };
    #[pymodule_export]
    use crate::link::{Finding, Link, Rejected};
    #[pymodule_export]
    use crate::links::Links;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        crate::border::init();
        #[cfg(debug_assertions)]
        module.add_function(wrap_pyfunction!(crate::border::_panic, module)?)?;
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        module.add("UNICODE_VERSION", linksift::UNICODE_VERSION)?;
        module.add("SETTINGS", crate::settings::names(module.py())?)
    }
}
