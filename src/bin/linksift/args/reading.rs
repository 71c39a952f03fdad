//! What is read, and as what.

use std::path::PathBuf;

use clap::Args;

/// Lists of inputs, and what is known of their content.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct Reading {
    /// What the inputs are: auto (by their names, then by how they begin), text, html, xml, css,
    /// json, csv or markdown
    #[arg(long, value_name = "FORMAT", default_value = "auto")]
    pub(crate) format: String,

    /// What the inputs are encoded in, by any label of the WHATWG Encoding Standard, as a header of
    /// HTTP or MIME would say; a byte order mark goes before it. Found out if not given: see
    /// `linksift charset`
    #[arg(long, value_name = "LABEL")]
    pub(crate) charset: Option<String>,

    /// Take inputs from a list too, one a line; "-" is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) files_from: Option<PathBuf>,

    /// NUL instead of line feed, in the list of inputs and in the plain output
    #[arg(long)]
    pub(crate) null: bool,

    /// NUL instead of line feed, in the list of inputs alone
    #[arg(short = '0', long)]
    pub(crate) from0: bool,

    /// How many threads to use; 0: one for each core
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0)]
    pub(crate) threads: usize,
}
