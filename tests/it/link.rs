//! Links as values of other crates.

mod urls;
