//! Links as values of other crates.

mod code;
mod details;
mod urls;
