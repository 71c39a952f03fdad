//! What the tests of all rooms share: seeded choices, processor time, readers in pieces, the twin; and the net over all
//! roads that a document can come by.

pub(crate) mod clock;
pub(crate) mod dice;
pub(crate) mod failing;
pub(crate) mod growth;
#[cfg(feature = "cli")]
mod net;
#[cfg(feature = "cli")]
mod odd;
pub(crate) mod pieces;
pub(crate) mod twin;
#[cfg(feature = "cli")]
mod ways;
