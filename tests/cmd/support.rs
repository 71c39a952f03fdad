//! Support that the tests of the command share with those of the library.

#[path = "../it/support/pieces.rs"]
#[allow(dead_code, reason = "documents are not cut here")]
pub(crate) mod pieces;
