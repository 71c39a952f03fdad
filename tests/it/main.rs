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

mod legacy;
mod limits;
mod markup_cases;
mod naive;
mod support;

mod api;
mod archives;
mod beside;
mod cancel;
mod charset;
mod charset_detect;
mod charset_fixtures;
mod charset_hostile;
mod charset_iri;
mod charset_letters;
mod charset_prescan;
mod charset_unicode;
#[cfg(feature = "report")]
mod colours;
#[cfg(all(feature = "known-hosts", feature = "report"))]
mod declared;
mod entities;
mod files;
mod hostile;
mod iri_display;
mod iri_fixtures;
mod iri_hostile;
mod iri_idna;
mod iri_laws;
mod iri_peers;
mod linkify;
#[cfg(feature = "mail")]
mod mail;
mod markup_css;
mod markup_data;
mod markup_format;
mod markup_hostile;
mod markup_html;
mod markup_limits;
mod markup_links;
mod markup_markdown;
mod markup_xml;
mod notices;
mod offsets;
mod one_route;
mod pauses;
mod random;
mod rescan;
mod schemes;
mod serial;
mod streams;
mod tables;
mod text;
mod threads;
mod trust;
mod urls;
mod wide;
mod within;

use std::path::Path;

use made::bless;

/// The root of the repository.
fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}
