//! The module `iri` beside its peers: `oxiri`, `fluent-uri`, `iri-string` and `url`.
//!
//! Texts are made and mutated by a seeded generator; on each, validity, components, resolution,
//! normalisation, hosts are asked of all, and a disagreement must be of a class that is known, with
//! the section that says who is right. `LINKSIFT_DIFFERENTIAL=10000000 cargo test --release --test it
//! iri::peers -- --nocapture` asks ten million texts and prints the classes with their counts.
#![allow(clippy::print_stderr, reason = "what is skipped or counted is said aloud")]

mod classes;
mod data;
mod generate;
mod parsers;
