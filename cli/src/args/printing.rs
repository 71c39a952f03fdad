//! What is printed, and how it looks.

use clap::{Args, ValueEnum};
use linksift::report::{Field, Formulas};

use super::reading::words;
use crate::template::Template;

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

    /// CSV: keep values that spreadsheets take for formulas (they begin with = + - @, TAB, CR or LF), or prefix them with an
    /// apostrophe
    #[arg(long, value_name = "POLICY", value_parser = words::<Formulas>(["keep", "prefix"]))]
    pub(crate) csv_formulas: Option<Formulas>,

    /// Only these fields of JSON, CSV or Parquet, in this order: see `linksift schema`
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) fields: Vec<Field>,

    /// Print each link so: fields in braces, \t \n \0 \\ as escapes, such as '{path}\t{uri}'
    #[arg(long, value_name = "TEXT", group = "form")]
    pub(crate) template: Option<Template>,

    /// Print only the number of links of each input
    #[arg(short = 'c', long, group = "form")]
    pub(crate) count: bool,

    /// Print only the paths of the inputs that have links
    #[arg(short = 'l', long, group = "form")]
    pub(crate) files_with_links: bool,

    /// Print only the paths of the inputs that have none
    #[arg(long, group = "form")]
    pub(crate) files_without_links: bool,

    /// Print at the end how often each value of --unique occurs, with a TAB between, in order of
    /// first occurrence
    #[arg(long, group = "form")]
    pub(crate) tally: bool,

    /// Print nothing, and stop at the first link: only the status says whether there is one
    #[arg(short = 'q', long)]
    pub(crate) quiet: bool,

    /// Which form of a link the plain output shows: the URI, the IRI, what is written, or the form for
    /// people (names that deceive stay encoded)
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Show::Uri)]
    pub(crate) show: Show,

    /// Print path, line and column in front of each link [default: with several inputs]
    #[arg(short = 'H', long, overrides_with = "no_filename")]
    pub(crate) with_filename: bool,

    /// Never print path, line and column
    #[arg(short = 'I', long, overrides_with = "with_filename")]
    pub(crate) no_filename: bool,

    /// Print the path once above its links instead of in front of each [default: on a terminal]
    #[arg(long, overrides_with = "no_heading")]
    pub(crate) heading: bool,

    /// Never print the path above its links
    #[arg(long, overrides_with = "heading")]
    pub(crate) no_heading: bool,

    /// Print below each link its line, with so many lines before and after it; of files alone
    #[arg(long, value_name = "N")]
    pub(crate) context_lines: Option<usize>,

    /// Print what looked like a link and is none too, with the reason
    #[arg(long)]
    pub(crate) rejected: bool,

    /// Print each distinct URI, host or IRI once, where it occurs first
    #[arg(long, value_enum, value_name = "WHAT", num_args = 0..=1, require_equals = true,
        default_missing_value = "uri")]
    pub(crate) unique: Option<Key>,

    /// Take links for the same only within this; without --unique, by their URIs
    #[arg(long, value_enum, value_name = "SCOPE")]
    pub(crate) unique_in: Option<Scope>,

    /// Print at most so many links of each input
    #[arg(short = 'm', long, value_name = "N")]
    pub(crate) max_count: Option<u64>,

    /// Print links in the order of their URIs or hosts, or by --tally the most frequent first; all are held in memory
    #[arg(long, value_enum, value_name = "KEY")]
    pub(crate) sort: Option<SortKey>,

    /// When links are links of the terminal too (OSC 8); auto: where it is known to have them
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto)]
    pub(crate) hyperlinks: When,

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
    Display,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    Auto,
    Never,
    Always,
}

/// What two links have in common that are the same by `--unique`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Key {
    Uri,
    Host,
    Iri,
}

/// Within what links are the same by `--unique`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scope {
    /// All inputs
    Run,
    /// Each message of a mailbox, and each other document
    Message,
}

/// What links are in the order of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SortKey {
    Uri,
    Host,
    Count,
}
