//! The net over all roads that a document can come by, to the library and to the command.

mod net;
mod odd;
#[path = "../it/roads/pieces.rs"]
#[allow(dead_code, reason = "documents are not cut here")]
pub(crate) mod pieces;
mod ways;
