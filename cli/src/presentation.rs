//! Presentation of results: form, position, colours.

use std::fs;
use std::io::{self, IsTerminal};
use std::path::Path;

use linksift::report::{Field, Formulas, Record};

use crate::args::{
    Binary, Counted, Histogram, Key, Printing, Scope, Show, Sift, SortKey, When, Writing,
};
use crate::codec::Codec;
use crate::facts::About;
use crate::safe::{self, Controls};
use crate::template::Template;

/// Maximum number of lines around a link.
const MOST_LINES: usize = 100;

/// Extensions of forms that linksift does not write, and that users of tables or documents expect by their name.
const UNWRITTEN: [&str; 24] = [
    "arrow", "avro", "db", "doc", "docx", "duckdb", "feather", "htm", "html", "md", "ods", "odt",
    "orc", "pdf", "rtf", "sql", "sqlite", "toml", "tsv", "xls", "xlsx", "xml", "yaml", "yml",
];

/// How results are shown.
#[derive(Clone, Debug)]
pub(crate) struct Presentation {
    pub(crate) form: OutputForm,
    pub(crate) show: Show,
    pub(crate) place: Place,
    pub(crate) colour: Colour,
    pub(crate) hyperlinks: Shown,
    pub(crate) rejected: Shown,
    /// Only the first of the links that have this value in common is shown.
    pub(crate) once: Option<Key>,
    pub(crate) once_in: Scope,
    pub(crate) sort: Option<SortKey>,
    /// Number of lines that are shown around the line of each link.
    pub(crate) lines: Option<usize>,
    /// Maximum number of links of each input.
    pub(crate) most: Option<u64>,
    /// Facts that are recorded for the files in addition to the links.
    pub(crate) logged: Logged,
    /// Whether the state of the run is saved.
    pub(crate) is_kept: bool,
    /// Whether binary data is skipped, which notices state.
    pub(crate) skips_binary: bool,
    pub(crate) terminator: u8,
    pub(crate) controls: Controls,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum OutputForm {
    Plain,
    Template(Template),
    /// These fields of each link, for programs.
    Records(RecordFormat, Vec<Field>),
    /// The number of links of each input.
    Count,
    /// The names of inputs with links.
    With,
    /// The names of inputs without links.
    Without,
    /// How often each value of `once` occurs.
    Tally,
    Quiet,
}

/// Format of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum RecordFormat {
    Json,
    Csv(Formulas),
    #[cfg(feature = "parquet")]
    Parquet,
}

impl RecordFormat {
    /// Header before all records, if there is one.
    pub(crate) fn header(self, fields: &[Field], out: &mut Vec<u8>) {
        match self {
            RecordFormat::Csv(_) => Record::push_csv_header_of(fields, out),
            RecordFormat::Json => {}
            #[cfg(feature = "parquet")]
            RecordFormat::Parquet => {}
        }
    }

    /// Appends one record. A text record is one line, since frames of compressed files end after lines.
    pub(crate) fn push(self, record: &Record<'_>, fields: &[Field], out: &mut Vec<u8>) {
        match self {
            RecordFormat::Json => {
                let start = out.len();
                record.push_json_of(fields, out);
                safe::json_since(start, out);
            }
            RecordFormat::Csv(formulas) => record.push_csv_with(fields, formulas, out),
            #[cfg(feature = "parquet")]
            RecordFormat::Parquet => record.push_row_of(fields, out),
        }
    }
}

/// Facts that are recorded in addition to the links.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Logged {
    Nothing,
    /// Outcomes of inputs.
    Runs,
    /// In addition, properties of each link that have few different values.
    Links,
    /// In addition, the host of each link.
    Hosts,
}

impl Logged {
    fn of(writing: &Writing) -> Logged {
        let Writing { resume, errors, failed, summary, histogram, report, .. } = writing;
        let is_by_host =
            |one: &Histogram| matches!(one.of, Counted::Domain | Counted::By(About::Host));
        match () {
            () if report.is_some() || histogram.iter().any(is_by_host) => Logged::Hosts,
            () if summary.is_some() || !histogram.is_empty() => Logged::Links,
            () if resume.is_some() || errors.is_some() || failed.is_some() => Logged::Runs,
            () => Logged::Nothing,
        }
    }
}

/// Whether and where plain output shows the position of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// Before each link.
    Named,
    /// The path once, above its links.
    Headed,
    Unnamed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colour {
    Plain,
    Coloured,
}

/// Whether an optional element is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    Left,
    Shown,
}

impl Presentation {
    pub(crate) fn new(args: &Sift) -> Result<Presentation, String> {
        let printing = &args.printing;
        let form = form(args)?;
        let is_many = args.reading.files_from.is_some()
            || args.bases.manifest.is_some()
            || args.paths.len() > 1
            || args.paths.iter().any(|path| is_directory(path));
        let is_named = printing.with_filename || is_many && !printing.no_filename;
        let is_file = args.writing.output.as_ref().is_some_and(|name| name.as_os_str() != "-");
        let is_terminal = !is_file && io::stdout().is_terminal();
        let is_headed = match (printing.heading, printing.no_heading) {
            (true, _) => true,
            (_, true) => false,
            _ => is_terminal && !args.reading.null,
        };
        let place = match (is_named, is_headed) {
            // Sorted links are not grouped by input.
            (true, true) if form == OutputForm::Plain && printing.sort.is_none() => Place::Headed,
            (true, _) => Place::Named,
            _ => Place::Unnamed,
        };
        let shown = |when: When, auto: fn() -> bool| match when {
            When::Always => true,
            When::Never => false,
            When::Auto => is_terminal && auto(),
        };
        let is_coloured = shown(printing.color, terminal_has_colours);
        let is_linked = shown(printing.hyperlinks, supports_hyperlinks::supports_hyperlinks);
        let once = match form {
            OutputForm::Tally => printing.unique.or(Some(Key::Uri)),
            _ => printing.unique.or(printing.unique_in.map(|_| Key::Uri)),
        };
        if printing.context_lines.is_some() && form != OutputForm::Plain {
            return Err("--context-lines can only be used with plain output".to_owned());
        }
        if printing.unique_in == Some(Scope::Message) && form == OutputForm::Tally {
            return Err("--unique-in message cannot be used with --tally".to_owned());
        }
        if printing.sort == Some(SortKey::Count) && form != OutputForm::Tally {
            return Err("--sort count needs --tally".to_owned());
        }
        Ok(Presentation {
            form,
            show: printing.show,
            place,
            colour: if is_coloured { Colour::Coloured } else { Colour::Plain },
            hyperlinks: if is_linked { Shown::Shown } else { Shown::Left },
            rejected: if printing.rejected { Shown::Shown } else { Shown::Left },
            once,
            once_in: printing.unique_in.unwrap_or(Scope::Run),
            sort: printing.sort,
            lines: printing.context_lines.map(|count| count.min(MOST_LINES)),
            most: printing.max_count,
            logged: Logged::of(&args.writing),
            is_kept: args.writing.resume.is_some(),
            skips_binary: args.opening.binary == Binary::Skip,
            terminator: if args.reading.null { 0 } else { b'\n' },
            controls: if args.reading.null { Controls::Kept } else { Controls::Escaped },
        })
    }

    /// Returns `true` if the output is records for programs, which contain all links.
    pub(crate) fn is_records(&self) -> bool {
        self.fields().is_some()
    }

    /// Returns the fields of each record, if the output is records.
    fn fields(&self) -> Option<&[Field]> {
        match &self.form {
            OutputForm::Records(_, fields) => Some(fields),
            _ => None,
        }
    }

    /// Returns the last byte of a record: JSON and CSV are lines, whatever terminates links in plain output.
    pub(crate) fn record_end(&self) -> u8 {
        if self.is_records() { b'\n' } else { self.terminator }
    }

    /// Returns `true` if the output of a link depends on earlier links, in the order of the inputs.
    pub(crate) fn is_ordered(&self) -> bool {
        self.once.is_some()
            || self.sort.is_some()
            || self.most.is_some()
            || self.place == Place::Headed
    }

    /// Returns the number of links after which the rest of an input is not needed.
    pub(crate) fn wanted(&self) -> Option<u64> {
        match self.form {
            OutputForm::With | OutputForm::Without | OutputForm::Quiet => Some(1),
            // Only the writer, which has all earlier links, knows which of them are new.
            _ if self.once.is_some() => None,
            _ => self.most,
        }
    }

    /// Returns `true` if the state is saved inside archives too. If reading an input stops when there are enough links, it
    /// is not known how far the input was read.
    pub(crate) fn keeps_points(&self) -> bool {
        self.is_kept && self.wanted().is_none()
    }

    /// Returns `true` if the end of each input is reported.
    pub(crate) fn has_ends(&self) -> bool {
        self.is_ordered()
            || self.logged != Logged::Nothing
            || matches!(self.form, OutputForm::Count | OutputForm::With | OutputForm::Without)
    }

    /// Returns `true` if the output needs line numbers, which cost a second pass over the text.
    pub(super) fn has_positions(&self) -> bool {
        match &self.form {
            OutputForm::Plain => self.place != Place::Unnamed || self.lines.is_some(),
            _ => self.shows(&[Field::Line, Field::Column]),
        }
    }

    /// Returns `true` if the output needs the visible text of links or their relation.
    pub(super) fn has_details(&self) -> bool {
        self.shows(&[Field::Text, Field::Rel])
    }

    /// Returns `true` if records have one of these fields.
    fn shows(&self, wanted: &[Field]) -> bool {
        match &self.form {
            OutputForm::Template(template) => template.shows(wanted),
            _ => self.fields().is_some_and(|fields| fields.iter().any(|one| wanted.contains(one))),
        }
    }
}

fn form(args: &Sift) -> Result<OutputForm, String> {
    let printing = &args.printing;
    let records = records(printing, args.writing.output.as_deref())?;
    let fields = || match printing.fields.is_empty() {
        true => default_fields(printing.rejected, args.finding.suspicious.is_some()),
        false => printing.fields.clone(),
    };
    if !printing.fields.is_empty() && records.is_none() {
        return Err("--fields needs --json or --csv; for plain output use --template".to_owned());
    }
    check_distinct(&printing.fields)?;
    if printing.csv_formulas.is_some() && !matches!(records, Some(RecordFormat::Csv(_))) {
        return Err("--csv-formulas needs --csv".to_owned());
    }
    Ok(match records {
        _ if printing.quiet => OutputForm::Quiet,
        Some(records) => OutputForm::Records(records, fields()),
        None if printing.count => OutputForm::Count,
        None if printing.files_with_links => OutputForm::With,
        None if printing.files_without_links => OutputForm::Without,
        None if printing.tally => OutputForm::Tally,
        None => printing.template.clone().map_or(OutputForm::Plain, OutputForm::Template),
    })
}

/// Checks that `--fields` names each field once, since an object of JSON must not have a key twice.
pub(crate) fn check_distinct(fields: &[Field]) -> Result<(), String> {
    let mut all = fields.iter().enumerate();
    match all.find(|(at, field)| fields[..*at].contains(field)) {
        Some((_, field)) => Err(format!("--fields: {} is named twice", field.as_str())),
        None => Ok(()),
    }
}

/// Returns the fields of records if no option lists them. They do not depend on the links, so that programs that infer the
/// columns from the first records find all of them.
pub(crate) fn default_fields(has_rejected: bool, is_suspicious: bool) -> Vec<Field> {
    let fields = if has_rejected { Field::WITH_REJECTED } else { Field::DEFAULT };
    let of_warnings: &[Field] = if is_suspicious { &[Field::Severity, Field::Shown] } else { &[] };
    fields.iter().chain(of_warnings).copied().collect()
}

/// Returns the format of records selected by an option or by the extension of the file, if the output is records.
fn records(printing: &Printing, output: Option<&Path>) -> Result<Option<RecordFormat>, String> {
    let formulas = printing.csv_formulas.unwrap_or_default();
    let asked = match (printing.json, printing.csv) {
        (true, _) => Some(RecordFormat::Json),
        (_, true) => Some(RecordFormat::Csv(formulas)),
        _ => None,
    };
    let Some(output) = output else { return Ok(asked) };
    let (codec, name) = Codec::of(output)?;
    let end =
        name.extension().and_then(|end| end.to_str()).unwrap_or_default().to_ascii_lowercase();
    let named = match &*end {
        "jsonl" | "ndjson" | "json" => RecordFormat::Json,
        "csv" => RecordFormat::Csv(formulas),
        "parquet" => parquet(output, codec)?,
        end if UNWRITTEN.contains(&end) && !has_own_lines(printing, end) => {
            return Err(format!(
                "--output {}: linksift does not write .{end} files: expected one of .jsonl, .csv, .parquet, or .txt for plain output",
                output.display()
            ));
        }
        _ => return Ok(asked),
    };
    let Printing { template, count, files_with_links, files_without_links, tally, .. } = printing;
    let is_other =
        template.is_some() || *count || *files_with_links || *files_without_links || *tally;
    match is_other || asked.is_some_and(|asked| asked != named) {
        true => {
            Err(format!("--output {}: the extension contradicts the options", output.display()))
        }
        false => Ok(Some(named)),
    }
}

/// Returns `true` if the user has chosen lines that may be of the form that an extension names.
fn has_own_lines(printing: &Printing, end: &str) -> bool {
    printing.template.is_some() || end == "tsv" && (printing.tally || printing.count)
}

/// Returns the Parquet format, if the command was built with it.
fn parquet(output: &Path, codec: Codec) -> Result<RecordFormat, String> {
    if codec != Codec::Stored {
        let output = output.display();
        return Err(format!(
            "--output {output}: Parquet is compressed already; use the extension .parquet"
        ));
    }
    #[cfg(feature = "parquet")]
    return Ok(RecordFormat::Parquet);
    #[cfg(not(feature = "parquet"))]
    Err(format!(
        "--output {}: this build does not support Parquet; install with `cargo install --locked --path cli --features parquet`",
        output.display()
    ))
}

fn is_directory(path: &Path) -> bool {
    path.as_os_str() != "-" && fs::metadata(path).is_ok_and(|metadata| metadata.is_dir())
}

/// Follows conventions: `NO_COLOR` (<https://no-color.org>), and the terminal type.
fn terminal_has_colours() -> bool {
    let is_asked_not_to = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let terminal = std::env::var_os("TERM");
    let is_capable = match &terminal {
        Some(name) => name != "dumb",
        None => cfg!(windows),
    };
    is_capable && !is_asked_not_to
}
