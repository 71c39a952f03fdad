//! Options of a run from the arguments: the finder, and how inputs are read.

mod bases;
mod finder;
mod rules;

pub(crate) use rules::rules;

use linksift::container::Limits;
use linksift::files::{self, Options};
use linksift::{Charset, Format, Hints};

use crate::args::{Archives, Binary, Opening, Sift};
use crate::lines;
use crate::manifest::Rows;
use crate::presentation::Presentation;

/// Returns the options for reading the inputs.
pub(crate) fn options(
    args: &Sift,
    look: &Presentation,
    rows: Option<Rows>,
) -> Result<Options, String> {
    let hints = hints(&args.reading.format, args.reading.charset.as_deref())?;
    let mut hints = hints
        .text(!args.finding.no_text)
        .details(look.has_details())
        .pages(args.reading.pages)
        .pdf(!args.reading.no_pdf)
        .headers(args.reading.headers)
        .alternatives(args.reading.alternatives)
        .join_wrapped(args.reading.join_wrapped);
    if look.has_positions() {
        hints = hints.columns(args.printing.columns);
    }
    hints = bases::shared(&args.bases, hints)?;
    // If only URIs are needed, links need not wait until the encoding is known.
    hints = hints.eager(!look.is_records());
    let mut options = Options::new()
        .finder(finder::finder(&args.finding)?)
        .hints(hints.clone())
        .threads(args.reading.threads);
    options = opening(&args.opening, options).surroundings(look.lines.map_or(0, lines::reach));
    if let Some(rules) = rules(&args.walking)? {
        options = options.rules(rules);
    }
    bases::described(&args.bases, rows, hints, options)
}

/// Returns the hints for inputs in a format and an encoding that options name.
pub(crate) fn hints(format_name: &str, charset: Option<&str>) -> Result<Hints, String> {
    let hints = Hints::new().format(format(format_name)?);
    let Some(label) = charset else { return Ok(hints) };
    let charset: Charset = label.parse().map_err(|error| format!("--charset: {error}"))?;
    Ok(hints.charset(charset))
}

/// Sets which archives are opened, and their limits.
fn opening(args: &Opening, options: Options) -> Options {
    let limits = Limits::new()
        .max_depth(args.max_depth)
        .max_expansion(args.max_expansion)
        .max_window(args.max_window as u64);
    options
        .archives(match args.archives {
            Archives::Auto => files::Archives::Auto,
            Archives::Never => files::Archives::Never,
        })
        .binary(match args.binary {
            Binary::Auto => files::Binary::Auto,
            Binary::Text => files::Binary::Text,
            Binary::Skip => files::Binary::Skip,
        })
        .limits(limits)
}

fn format(name: &str) -> Result<Format, String> {
    name.parse().map_err(|error: linksift::ParseEnumError| {
        let (last, others) = error.expected().split_last().unwrap_or((&"", &[]));
        format!("--format {name}: unknown format: expected one of {}, {last}", others.join(", "))
    })
}
