//! What relative references are resolved against.

use clap::Args;

/// Where bases come from that no document declares.
#[derive(Debug, Args)]
#[command(next_help_heading = "Bases")]
pub(crate) struct Bases {
    /// What relative references in markup are resolved against; a <base href> is resolved against it
    /// first
    #[arg(long, value_name = "IRI")]
    pub(crate) base: Option<String>,
}
