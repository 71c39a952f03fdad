//! Options for lists of inputs, and for the format and encoding of inputs.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use linksift::{Alternatives, Headers, JoinWrapped, PageRange};

use super::number::number;
use super::suggested::{CHARSETS, FORMATS, with_formats};

const FORMAT_HELP: &str = "Read inputs as FORMAT; auto: detect it";

/// Options for lists of inputs, and for the format and encoding of inputs.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct Reading {
    // The library names the formats.
    #[arg(long, value_name = "FORMAT", default_value = "auto", value_parser = FORMATS,
        hide_possible_values = true, help = FORMAT_HELP, long_help = with_formats(FORMAT_HELP))]
    pub(crate) format: String,

    /// Read inputs in this encoding instead of detecting it
    ///
    /// LABEL is any label of the WHATWG Encoding Standard, as in an HTTP or MIME header. A byte order mark overrides
    /// it. `linksift charset` shows what is detected.
    #[arg(long, value_name = "LABEL", value_parser = CHARSETS, hide_possible_values = true)]
    pub(crate) charset: Option<String>,

    /// Mail: read no header fields, those that contain links, or all
    #[arg(long, value_name = "WHICH", default_value_t = Headers::default(), value_parser = words::<Headers>(["none", "links", "all"]), hide_short_help = true)]
    pub(crate) headers: Headers,

    /// Mail: read all parts of a multipart/alternative, or only the best one
    #[arg(long, value_name = "WHICH", default_value_t = Alternatives::default(), value_parser = words::<Alternatives>(["all", "best"]), hide_short_help = true)]
    pub(crate) alternatives: Alternatives,

    /// Join links in <...> that are broken over several lines
    ///
    /// auto: only in mail.
    #[arg(long, value_name = "WHEN", default_value_t = JoinWrapped::default(), value_parser = words::<JoinWrapped>(["auto", "never"]), hide_short_help = true)]
    pub(crate) join_wrapped: JoinWrapped,

    /// PDF: read only the pages FIRST-LAST
    ///
    /// `--pages 3` is one page, `--pages 3-` all from it on. Embedded files and metadata belong to no page, and are read.
    #[arg(long, value_name = "FIRST-LAST", default_value_t = PageRange::default(), hide_default_value = true, hide_short_help = true)]
    pub(crate) pages: PageRange,

    /// Do not read PDF
    #[arg(long, hide_short_help = true)]
    pub(crate) no_pdf: bool,

    /// Also read the inputs listed in FILE ("-": stdin)
    ///
    /// FILE has one path per line.
    #[arg(long, value_name = "FILE")]
    pub(crate) files_from: Option<PathBuf>,

    /// Use NUL instead of line feeds, in --files-from and in plain output
    #[arg(long, hide_short_help = true)]
    pub(crate) null: bool,

    /// Use NUL instead of line feeds, only in --files-from
    #[arg(short = '0', long, hide_short_help = true)]
    pub(crate) from0: bool,

    /// Use N threads; 0: one per core
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0, value_parser = number::<usize>, allow_negative_numbers = true, hide_short_help = true)]
    pub(crate) threads: usize,
}

/// Returns a parser for an option whose values the library names.
pub(crate) fn words<T>(
    all: impl IntoIterator<Item = &'static str>,
) -> impl TypedValueParser<Value = T>
where
    T: std::str::FromStr<Err: std::error::Error + Send + Sync> + Clone + Send + Sync + 'static,
{
    PossibleValuesParser::new(all.into_iter().collect::<Vec<_>>()).try_map(|word| word.parse::<T>())
}
