//! The tests of the public API, in one binary: it is linked once, and all its tests share the processors.
//! `cargo test --test it charset::` runs those of one module.
//!
//! Those of the command are in `tests/cmd`, and belong to its package; what both make is in `tests/made`.
//! The borders between the modules are a binary of their own, `tests/layers`: it reads sources and
//! needs no crate.

// Text alone is tested by the tests in `src`.
#![cfg(feature = "documents")]
// Without some features some modules are left out, and with them who uses the rest.
#![cfg_attr(
    not(all(feature = "files", feature = "known-hosts", feature = "mail", feature = "report")),
    allow(dead_code, unused_imports)
)]

#[path = "../made/mod.rs"]
mod made;
#[cfg(feature = "report")]
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
#[cfg(all(feature = "known-hosts", feature = "report"))]
mod declared;
mod detect;
mod dialects;
mod document;
mod driver;
#[cfg(feature = "files")]
mod files;
mod html;
mod iri;
mod link;
#[cfg(feature = "mail")]
mod mail;
mod markup;
mod offsets;
#[cfg(feature = "pdf")]
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
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
