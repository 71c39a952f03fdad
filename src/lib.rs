//! Finds IRIs, URLs and e-mail addresses in running text.

pub mod iri;
