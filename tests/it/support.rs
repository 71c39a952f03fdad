//! What the tests of all modules share: seeded choices, processor time, readers in pieces, the twin.

pub(crate) mod clock;
#[path = "../../src/dice.rs"]
pub(crate) mod dice;
pub(crate) mod failing;
pub(crate) mod growth;
pub(crate) mod pieces;
pub(crate) mod twin;
