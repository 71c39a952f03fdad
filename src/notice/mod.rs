//! Results of a scan about a document: notices, totals, errors.

mod code;
#[cfg(feature = "archives")]
mod fault;
mod not_read;
mod parse_point;
mod scan_error;
mod scanned;

pub use code::Notice;
pub(crate) use code::{NoticedParts, Notices, part_of};
#[cfg(feature = "archives")]
pub use fault::{Fault, FaultCode};
pub use not_read::NotRead;
pub use parse_point::ParsePointError;
pub use scan_error::ScanError;
pub(crate) use scanned::FailedScan;
pub use scanned::Scanned;
