//! The module `iri`: cases, laws over random texts, official data, peers.

mod display;
mod fixtures;
mod hostile;
mod idna;
mod laws;
mod peers;
