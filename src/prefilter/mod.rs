//! "May there be a link here?": the one owner of that question.
//!
//! What comes in are bytes, what goes out is a no that is sure or a perhaps: what is said to hold no link
//! holds none, whatever its bytes, and what is said to may turn out to hold none. Nothing is decoded and
//! nothing is validated here. `triggers` and `stored` go through whole documents, `quiet` and `hot` look
//! at the texts of a page; what a mark is, which labels and which words before a colon are promising,
//! each has one place (`marks`, `label`, `colon`).

pub(crate) mod colon;
#[cfg(feature = "markup")]
pub(crate) mod hot;
pub(crate) mod label;
pub(crate) mod marks;
mod pass;
#[cfg(feature = "markup")]
mod quiet;
mod sieve;
#[cfg(feature = "charset")]
mod stored;
mod triggers;

pub(crate) use marks::Kinds;
#[cfg(feature = "charset")]
pub(crate) use marks::{Stops, StoredKinds};
#[cfg(feature = "markup")]
pub(crate) use quiet::{Look, Quiet};
pub(crate) use sieve::Sieve;
#[cfg(feature = "charset")]
pub(crate) use stored::{StoredTriggers, Trigger};
pub(crate) use triggers::Triggers;
