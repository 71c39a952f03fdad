//! Options for compressed files, archives and binary files.

use clap::{Args, ValueEnum};

use super::number::number;
use super::size::size;

/// Options for compressed files, archives and binary files.
#[derive(Debug, Args)]
#[command(next_help_heading = "Archives")]
pub(crate) struct Opening {
    /// Open compressed files and archives, or do not
    ///
    /// They are recognised by their first bytes.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = Archives::Auto, hide_short_help = true)]
    pub(crate) archives: Archives,

    /// Choose how to read binary files, such as programs
    #[arg(long, value_enum, value_name = "HOW", default_value_t = Binary::Auto, hide_short_help = true)]
    pub(crate) binary: Binary,

    /// Open archives and compressed files nested up to N levels
    #[arg(long, value_name = "N", default_value_t = 8, value_parser = number::<u32>, allow_negative_numbers = true, hide_short_help = true)]
    pub(crate) max_depth: u32,

    /// Stop decoding data that expands to more than N times its size
    ///
    /// Up to 1 GiB per member and 4 GiB per input are always decoded.
    #[arg(long, value_name = "N", default_value_t = 2000, value_parser = number::<u64>, allow_negative_numbers = true, hide_short_help = true)]
    pub(crate) max_expansion: u64,

    /// Limit the decoded data that a decoder keeps to BYTES
    ///
    /// BYTES is a number, with k, M or G after it for powers of 1024.
    #[arg(long, value_name = "BYTES", default_value = "128M", value_parser = size, allow_negative_numbers = true, hide_short_help = true)]
    pub(crate) max_window: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Archives {
    Auto,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Binary {
    /// Find only scheme:// and mailto: links
    Auto,
    /// Read them as text
    Text,
    /// Skip them
    Skip,
}
