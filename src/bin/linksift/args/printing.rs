//! What is printed, and how it looks.

use clap::{Args, ValueEnum};

/// The form of the output, and what of the links is in it.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct Printing {
    /// Print one JSON object a line
    #[arg(long, group = "form")]
    pub(crate) json: bool,

    /// Print comma-separated values, with a header
    #[arg(long, group = "form")]
    pub(crate) csv: bool,

    /// Print only the number of links of each input
    #[arg(long, group = "form")]
    pub(crate) count: bool,

    /// Which form of a link the plain output shows: the URI, the IRI, or what is written
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Show::Uri)]
    pub(crate) show: Show,

    /// Print path, line and column in front of each link [default: with several inputs]
    #[arg(short = 'H', long, overrides_with = "no_filename")]
    pub(crate) with_filename: bool,

    /// Never print path, line and column
    #[arg(short = 'I', long, overrides_with = "with_filename")]
    pub(crate) no_filename: bool,

    /// Print what looked like a link and is none too, with the reason
    #[arg(long)]
    pub(crate) rejected: bool,

    /// Print each distinct URI once, where it occurs first
    #[arg(long)]
    pub(crate) unique: bool,

    /// When to colour the plain output
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    pub(crate) color: When,

    /// When to show progress on standard error
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    pub(crate) progress: When,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Show {
    Uri,
    Iri,
    Raw,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    Auto,
    Never,
    Always,
}
