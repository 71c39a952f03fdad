//! Results of a scan about a document: notices, and totals.

mod code;
mod not_read;
mod scanned;

pub use code::Notice;
pub(crate) use code::{NoticedParts, Notices, part_of};
pub use not_read::NotRead;
pub use scanned::{ScanError, Scanned};
