//! Results of a scan about a document: notices, and totals.

mod code;
mod scanned;

pub use code::Notice;
pub(crate) use code::{NoticedParts, Notices};
pub use scanned::{ScanError, Scanned};
