//! What the benches share: the contenders, timing in rounds, tables in Markdown.
//!
//! One process, one thread, bytes in memory. Contenders take turns within every round, so that whatever
//! slows the machine down slows all of them; only ratios taken inside one round are compared.

pub mod clock;
pub mod contenders;
pub mod machine;
pub mod messages;
pub mod outcome;
pub mod rounds;
