//! Links as values of other crates.

mod code;
mod urls;
