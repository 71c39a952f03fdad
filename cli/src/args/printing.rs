//! Options for the content and the form of the output.

use clap::{Args, ValueEnum};
use linksift::offsets::Unit;
use linksift::report::{Field, Formulas};

use super::number::number;
use super::reading::words;
use crate::template::Template;

/// Options for the content and the form of the output.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub(crate) struct Printing {
    /// Print one JSON object per line
    #[arg(long, group = "form")]
    pub(crate) json: bool,

    /// Print comma-separated values, with a header
    #[arg(long, group = "form")]
    pub(crate) csv: bool,

    /// CSV: keep values that a spreadsheet would run as formulas, or prefix them
    ///
    /// Such values begin with = + - @, TAB, CR or LF. "prefix" writes an apostrophe before them, so that a
    /// spreadsheet shows them as text.
    #[arg(long, value_name = "POLICY", value_parser = words::<Formulas>(["keep", "prefix"]), hide_short_help = true)]
    pub(crate) csv_formulas: Option<Formulas>,

    /// Print only these fields of JSON, CSV or Parquet, in this order
    ///
    /// LIST has commas between the names. `linksift schema` lists the fields.
    #[arg(long, value_name = "LIST", value_delimiter = ',', hide_short_help = true)]
    pub(crate) fields: Vec<Field>,

    /// Print each link using TEXT, such as '{path}\t{uri}'
    ///
    /// Field names are in braces; {{ is a brace; \t \n \r \0 and \\ are escapes. `linksift schema` lists the fields.
    #[arg(long, value_name = "TEXT", group = "form", hide_short_help = true)]
    pub(crate) template: Option<Template>,

    /// Print only the number of links in each input
    #[arg(short = 'c', long, group = "form")]
    pub(crate) count: bool,

    /// Print only the paths of inputs that contain links
    #[arg(short = 'l', long, group = "form", hide_short_help = true)]
    pub(crate) files_with_links: bool,

    /// Print only the paths of inputs that contain no links
    #[arg(long, group = "form", hide_short_help = true)]
    pub(crate) files_without_links: bool,

    /// Print how often each URI occurs, or each value of --unique
    ///
    /// Prints one line for each distinct value, at the end: the number, a TAB and the value, in order of first
    /// occurrence.
    #[arg(long, group = "form", hide_short_help = true)]
    pub(crate) tally: bool,

    /// Print nothing, and stop at the first link
    ///
    /// Only the exit status shows whether there is a link.
    #[arg(short = 'q', long, hide_short_help = true)]
    pub(crate) quiet: bool,

    /// Print links as uri, iri, raw or display
    ///
    /// uri: the URI that the link maps to; iri: the IRI; raw: the link as written; display: a form for people, in
    /// which misleading host names stay encoded.
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Show::Uri, hide_possible_values = true)]
    pub(crate) show: Show,

    /// Print path, line and column before each link
    ///
    /// [default: with a directory or several inputs]
    #[arg(short = 'H', long, overrides_with = "no_filename", hide_short_help = true)]
    pub(crate) with_filename: bool,

    /// Do not print path, line and column
    #[arg(short = 'I', long, overrides_with = "with_filename")]
    pub(crate) no_filename: bool,

    /// Count columns in bytes, chars or utf16
    ///
    /// chars: characters, as most editors; utf16: units of UTF-16, as the Language Server Protocol. A byte order mark is not counted.
    #[arg(long, value_name = "UNIT", default_value_t = Unit::default(), value_parser = words::<Unit>(["bytes", "chars", "utf16"]), hide_short_help = true)]
    pub(crate) columns: Unit,

    /// Print the path once above its links
    ///
    /// [default: on a terminal]
    #[arg(long, overrides_with = "no_heading", hide_short_help = true)]
    pub(crate) heading: bool,

    /// Print the path before each link, not above the links
    #[arg(long, overrides_with = "heading", hide_short_help = true)]
    pub(crate) no_heading: bool,

    /// Print the line of each link, with N lines before and after it
    #[arg(long, value_name = "N", value_parser = number::<usize>, allow_negative_numbers = true, hide_short_help = true)]
    pub(crate) context_lines: Option<usize>,

    /// Also print rejected candidates, with the reason
    ///
    /// A candidate is text that looks like a link.
    #[arg(long)]
    pub(crate) rejected: bool,

    /// Print each uri, host or iri only once [if empty: uri]
    ///
    /// Prints the first link that has the value.
    #[arg(long, value_enum, value_name = "WHAT", num_args = 0..=1, require_equals = true,
        default_missing_value = "uri", hide_possible_values = true)]
    pub(crate) unique: Option<Key>,

    /// Remove duplicates within the run or within each message
    ///
    /// Works alone too: links with equal URIs are then duplicates.
    #[arg(long, value_enum, value_name = "SCOPE", hide_short_help = true)]
    pub(crate) unique_in: Option<Scope>,

    /// Print at most N links of each input
    #[arg(short = 'm', long, value_name = "N", value_parser = number::<u64>, allow_negative_numbers = true, hide_short_help = true)]
    pub(crate) max_count: Option<u64>,

    /// Sort by uri or host, or with --tally by count
    ///
    /// count puts the most frequent value first. All links are kept in memory.
    #[arg(long, value_enum, value_name = "KEY", hide_possible_values = true)]
    pub(crate) sort: Option<SortKey>,

    /// Make links clickable in the terminal (OSC 8)
    ///
    /// auto: if the terminal is known to support it.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto, hide_short_help = true)]
    pub(crate) hyperlinks: When,

    /// Colour the plain output
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto, hide_short_help = true)]
    pub(crate) color: When,

    /// Show progress on standard error
    ///
    /// auto: on a terminal. always: elsewhere one line per second.
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto, hide_short_help = true)]
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

/// Value by which `--unique` compares links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Key {
    Uri,
    Host,
    Iri,
}

/// Scope in which `--unique` removes duplicates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Scope {
    /// In the whole run
    Run,
    /// In each message of a mailbox, and in each other document
    Message,
}

/// Sort key of links.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum SortKey {
    Uri,
    Host,
    Count,
}
