//! Links as values of other crates.

mod code;
mod context;
mod details;
mod keys;
mod paths;
mod urls;
