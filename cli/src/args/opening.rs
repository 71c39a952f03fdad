//! What is opened, and how far.

use clap::{Args, ValueEnum};

use super::size::size;

/// Compressed files, archives, and what is not text.
#[derive(Debug, Args)]
#[command(next_help_heading = "Archives")]
pub(crate) struct Opening {
    /// Whether compressed files and archives are opened, which are known by how they begin
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Archives::Auto)]
    pub(crate) archives: Archives,

    /// What becomes of documents that are not text: only scheme:// and mailto: are links in them, they
    /// are read as text, or left out
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Binary::Auto)]
    pub(crate) binary: Binary,

    /// How many archives and compressions may be inside each other
    #[arg(long, value_name = "N", default_value_t = 8)]
    pub(crate) max_depth: u32,

    /// How many times its stored size something may expand to, beyond 1 GiB a member and 4 GiB an input
    #[arg(long, value_name = "N", default_value_t = 2000)]
    pub(crate) max_expansion: u64,

    /// How much a decoder may keep of what it has decoded: bytes, or with k, M or G after the number
    #[arg(long, value_name = "BYTES", default_value = "128M", value_parser = size)]
    pub(crate) max_window: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Archives {
    Auto,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Binary {
    Auto,
    Text,
    Skip,
}
