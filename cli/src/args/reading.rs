//! What is read, and as what.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use linksift::{Alternatives, Headers, JoinWrapped};

use super::suggested::{CHARSETS, FORMATS};

/// Lists of inputs, and what is known of their content.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct Reading {
    /// What the inputs are: auto (by their names, then by how they begin), text, code, html, xml,
    /// css, json, csv, markdown, calendar, vcard, email or mbox
    #[arg(long, value_name = "FORMAT", default_value = "auto", value_parser = FORMATS,
        hide_possible_values = true)]
    pub(crate) format: String,

    /// What the inputs are encoded in, by any label of the WHATWG Encoding Standard, as a header of
    /// HTTP or MIME would say; a byte order mark goes before it. Found out if not given: see
    /// `linksift charset`
    #[arg(long, value_name = "LABEL", value_parser = CHARSETS, hide_possible_values = true)]
    pub(crate) charset: Option<String>,

    /// Mail: which header fields are read: none, those that hold links, or all
    #[arg(long, value_name = "WHICH", default_value_t = Headers::default(), value_parser = words::<Headers>(["none", "links", "all"]))]
    pub(crate) headers: Headers,

    /// Mail: read all parts of a multipart/alternative, or the best one
    #[arg(long, value_name = "WHICH", default_value_t = Alternatives::default(), value_parser = words::<Alternatives>(["all", "best"]))]
    pub(crate) alternatives: Alternatives,

    /// Rejoin links in <...> that are broken over lines: auto is in mail
    #[arg(long, value_name = "WHEN", default_value_t = JoinWrapped::default(), value_parser = words::<JoinWrapped>(["auto", "never"]))]
    pub(crate) join_wrapped: JoinWrapped,

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

/// A parser of the words that the library knows an option's values by.
pub(crate) fn words<T>(
    all: impl IntoIterator<Item = &'static str>,
) -> impl TypedValueParser<Value = T>
where
    T: std::str::FromStr<Err: std::error::Error + Send + Sync> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(all.into_iter().collect::<Vec<_>>()).try_map(|word| word.parse::<T>())
}
