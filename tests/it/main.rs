//! The tests of the public API and of the command, in one binary: it is linked once, and all its
//! tests share the processors. `cargo test --test it charset::` runs those of one module.
//!
//! The borders between the rooms are a binary of their own, `tests/layers`: it reads sources and
//! needs no crate.

// Without the command's features some modules are left out, and with them who uses the rest.
#![cfg_attr(not(feature = "cli"), allow(dead_code))]

mod bless;
mod escapes;
mod legacy;
mod limits;
#[cfg(feature = "markup")]
mod markup_cases;
mod naive;
mod roads;

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
mod cmd;
mod docs;
#[cfg(feature = "markup")]
mod entities;
mod files;
mod hostile;
mod iri_commands;
mod iri_display;
mod iri_fixtures;
mod iri_hostile;
mod iri_idna;
mod iri_laws;
mod iri_peers;
#[cfg(feature = "markup")]
mod linkify;
#[cfg(feature = "mail")]
mod mail;
#[cfg(feature = "markup")]
mod markup_css;
mod markup_data;
#[cfg(feature = "markup")]
mod markup_format;
#[cfg(feature = "markup")]
mod markup_hostile;
#[cfg(feature = "markup")]
mod markup_html;
mod markup_limits;
mod markup_links;
mod markup_markdown;
#[cfg(feature = "markup")]
mod markup_xml;
mod offsets;
mod one_road;
mod random;
#[cfg(feature = "markup")]
mod rescan;
mod serial;
#[cfg(feature = "markup")]
mod streams;
mod tables;
mod text;
mod trust;
mod urls;
#[cfg(feature = "markup")]
mod within;
