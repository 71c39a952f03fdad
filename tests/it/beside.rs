//! Official data, read where they are: beside the project, in `../shared`. Nothing of them is in the repository.
//!
//! A test that needs them has the attribute `ignore` where they are not (`official_data`, said by `build.rs`), so
//! that it never passes without them.

use std::fs;
use std::path::PathBuf;

/// Where a file of that name is, or would be.
fn path(name: &str) -> PathBuf {
    crate::root().join("../shared").join(name)
}

/// The bytes of a file of that name.
pub(crate) fn bytes(name: &str) -> Vec<u8> {
    fs::read(path(name)).unwrap_or_else(|error| panic!("../shared/{name}: {error}"))
}

/// The text of a file of that name.
pub(crate) fn text(name: &str) -> String {
    try_text(name).unwrap_or_else(|error| panic!("{error}"))
}

/// The text of a file of that name, or why there is none.
pub(crate) fn try_text(name: &str) -> Result<String, String> {
    fs::read_to_string(path(name)).map_err(|error| format!("../shared/{name}: {error}"))
}
