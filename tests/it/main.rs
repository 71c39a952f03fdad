//! The tests of the public API, in one binary: it is linked once, and all its tests share the processors.
//! `cargo test --test it charset::` runs those of one module. It is a package, so that it is built without optimisation, which takes
//! long and gains little, since the library has its own; all features but `parquet` are on.
//!
//! Those of the command are in `tests/cmd`, and belong to its package; what both make is in `tests/made`.
//! The borders between the modules are a binary of their own, `tests/layers`: it reads sources and
//! needs no crate.

#[path = "../made/mod.rs"]
mod made;
#[path = "../made/records.rs"]
mod records;

mod legacy;
mod limits;
mod naive;
mod support;

mod api;
mod beside;
mod charset;
mod container;
mod declared;
mod detect;
mod dialects;
mod document;
mod driver;
mod files;
mod html;
mod iri;
mod link;
mod mail;
mod markup;
mod offsets;
mod pdf;
mod random;
mod report;
mod rewrite;
mod scan;
mod schemes;
mod tables;
mod trust;

use std::path::Path;

use made::bless;

/// The root of the repository.
fn root() -> &'static Path {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    package.ancestors().nth(2).expect("it is tests/it")
}
