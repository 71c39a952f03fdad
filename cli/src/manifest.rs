//! The table of inputs of `--manifest`: metadata of each input in addition to its path.
//!
//! A row is read when its input is next, and dropped with the input, so a table may have any length.

use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};
use std::io::BufRead;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use linksift::files::Input;
use linksift::iri::{IriBuf, repair};
use linksift::{Charset, Format};

use crate::list::{self, ListFailures, ListRecords, Record};
use crate::reason::reason;
use crate::writing::Claims;

/// Maximum length of a row in bytes.
const LONGEST: u64 = 1 << 20;
const TOO_LONG: &str = "longer than 1 MiB";

/// Metadata of an input in a row.
#[derive(Debug, Default)]
pub(crate) struct Row {
    pub(crate) base: Option<IriBuf>,
    /// A label, which is a known one unless it is part of a media type.
    pub(crate) charset: Option<String>,
    /// A format or a media type.
    pub(crate) declared: Option<Declared>,
    pub(crate) label: Option<PathBuf>,
}

/// Format and encoding that a row declares.
#[derive(Clone, Debug)]
pub(crate) enum Declared {
    Format(Format),
    MediaType(String),
}

/// The rows of inputs that were returned and have not been opened yet.
#[derive(Clone, Debug, Default)]
pub(crate) struct Rows(Arc<Mutex<HashMap<PathBuf, VecDeque<Row>>>>);

impl Rows {
    /// Takes the row of an input that is about to be opened.
    pub(crate) fn take(&self, path: &Path) -> Option<Row> {
        let mut rows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let of_path = rows.get_mut(path)?;
        let row = of_path.pop_front();
        if of_path.is_empty() {
            rows.remove(path);
        }
        row
    }

    fn put(&self, path: &Path, row: Row) {
        let mut rows = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        rows.entry(path.to_owned()).or_default().push_back(row);
    }
}

/// Iterator over the inputs of a table.
pub(crate) struct Manifest {
    records: ListRecords<Box<dyn BufRead + Send>>,
    columns: Columns,
    name: PathBuf,
    rows: Rows,
    failure: ListFailures,
}

impl Manifest {
    /// Opens a table. Its inputs must not be files that the run writes.
    ///
    /// # Errors
    ///
    /// Returns errors of the system, and an error for such an input.
    pub(crate) fn open(
        name: &Path,
        rows: Rows,
        failure: ListFailures,
        claims: &Claims,
    ) -> Result<Manifest, String> {
        let reader = list::open_ahead(name, claims, |reader| {
            let mut records = ListRecords::new(reader, b'\n', LONGEST);
            let mut columns = Columns::UNNAMED;
            while let Some(record) = records.next()? {
                let Record::Whole(line) = record else { continue };
                match columns.skips(&line, records.number) {
                    Ok(false) => {}
                    Ok(true) => continue,
                    // The error is reported when the table is read.
                    Err(_) => break,
                }
                let mut path = columns.path(&fields_of(&line));
                // In a table, `-` is the path of a file.
                if path.as_os_str() == "-" {
                    path = Path::new(".").join(path);
                }
                if let Err(message) = claims.input(&path) {
                    return Ok(Err(message));
                }
            }
            Ok(Ok(()))
        })?;
        let records = ListRecords::new(reader, b'\n', LONGEST);
        let columns = Columns::UNNAMED;
        Ok(Manifest { records, columns, name: name.to_owned(), rows, failure })
    }

    /// Error in the row that was read last, with its line.
    fn at_line(&self, what: &str) -> String {
        format!("{}: line {}: {what}", self.name.display(), self.records.number)
    }
}

/// Names of the columns, in the order of a table without a header.
const COLUMNS: [&str; 5] = ["path", "base", "charset", "type", "label"];

/// Fields of a line.
fn fields_of(line: &[u8]) -> Vec<&[u8]> {
    line.split(|byte| *byte == b'\t').collect()
}

/// Places of the columns in each row, in the order of [`COLUMNS`].
#[derive(Clone, Copy, Debug)]
struct Columns {
    places: [Option<usize>; COLUMNS.len()],
    count: usize,
}

impl Columns {
    /// Columns of a table without a header.
    const UNNAMED: Columns =
        Columns { places: [Some(0), Some(1), Some(2), Some(3), Some(4)], count: COLUMNS.len() };

    /// Returns the columns that the first line names; `None` if it is a row. A header names the path, and begins with it or has only
    /// names of columns.
    ///
    /// # Errors
    ///
    /// Returns an error for a header with an unknown name, or with a name twice.
    fn of_first(line: &[u8]) -> Option<Result<Columns, String>> {
        let fields = fields_of(line);
        let place = |name: &str| fields.iter().position(|field| *field == name.as_bytes());
        let number = |field: &&[u8]| COLUMNS.iter().position(|name| name.as_bytes() == *field);
        let unknown = fields.iter().find(|field| number(field).is_none());
        if place(COLUMNS[0])? > 0 && unknown.is_some() {
            return None;
        }
        if let Some(name) = unknown {
            let (name, names) = (lossy(name), COLUMNS.join(", "));
            return Some(Err(format!("unknown column {name:?}: expected some of {names}")));
        }
        let mut others = fields.iter().enumerate();
        if let Some((_, name)) = others.find(|(at, field)| fields[..*at].contains(field)) {
            return Some(Err(format!("column {:?} is named twice", lossy(name))));
        }
        Some(Ok(Columns { places: COLUMNS.map(place), count: fields.len() }))
    }

    /// Returns the field of a column; `None` if it is empty or missing.
    fn field<'l>(&self, name: &str, fields: &[&'l [u8]]) -> Option<&'l [u8]> {
        let number = COLUMNS.iter().position(|column| *column == name)?;
        fields.get(self.places[number]?).copied().filter(|field| !field.is_empty())
    }

    fn path(&self, fields: &[&[u8]]) -> PathBuf {
        list::path(self.field(COLUMNS[0], fields).unwrap_or_default().to_vec())
    }

    /// Returns the path of a row that is too long, from its first bytes: empty if it is not in them.
    fn path_of_start(&self, start: &[u8]) -> PathBuf {
        let mut fields = fields_of(start);
        match fields.pop() {
            Some(cut) if self.places[0] == Some(fields.len()) => list::path_of_start(cut.to_vec()),
            _ => self.path(&fields),
        }
    }

    /// Returns `true` if a line is not a row: it is empty, or it is the header, which then gives the columns of the rows.
    fn skips(&mut self, line: &[u8], number: u64) -> Result<bool, String> {
        let header = if number == 1 { Columns::of_first(line) } else { None };
        let Some(header) = header else { return Ok(line.is_empty()) };
        *self = header?;
        Ok(true)
    }
}

impl Iterator for Manifest {
    type Item = Input;

    fn next(&mut self) -> Option<Input> {
        loop {
            let line = match self.records.next() {
                Ok(None) => return None,
                Ok(Some(Record::Whole(line))) => line,
                Ok(Some(Record::TooLong(start))) => {
                    let path = self.columns.path_of_start(&start);
                    return Some(Input::Refused { path, reason: self.at_line(TOO_LONG) });
                }
                Ok(Some(Record::Endless)) => {
                    self.failure.note(self.at_line(TOO_LONG));
                    return None;
                }
                Err(error) => {
                    self.failure.note(self.at_line(&reason(&error)));
                    return None;
                }
            };
            match self.columns.skips(&line, self.records.number) {
                Ok(false) => {}
                Ok(true) => continue,
                Err(what) => {
                    self.failure.note(self.at_line(&what));
                    return None;
                }
            }
            let fields = fields_of(&line);
            let path = self.columns.path(&fields);
            let row = match path.as_os_str().is_empty() {
                true => Err("no path".to_owned()),
                false => row(&self.columns, &fields),
            };
            match row {
                Ok(row) => self.rows.put(&path, row),
                // To scan the input with a wrong base would be worse than not to scan it.
                Err(what) => return Some(Input::Refused { path, reason: self.at_line(&what) }),
            }
            // In a table, `-` is the path of a file.
            return Some(Input::Path(path));
        }
    }
}

fn row(columns: &Columns, fields: &[&[u8]]) -> Result<Row, String> {
    let field = |name: &str| columns.field(name, fields).map(lossy);
    if fields.len() > columns.count {
        let names = COLUMNS.join(", ");
        return Err(match columns.count == COLUMNS.len() {
            true => format!("too many columns: expected {names}"),
            false => "more columns than the header names".to_owned(),
        });
    }
    let mut row = Row::default();
    if let Some(base) = columns.field("base", fields) {
        let base = repair(base)
            .map_err(|error| format!("base {:?}: not an IRI: {}", lossy(base), error.kind()))?;
        row.base = Some(base.into_iri());
    }
    if let Some(kind) = field("type") {
        let (media_type, parameters) = kind.split_once(';').unwrap_or((&*kind, ""));
        row.declared = Some(declared(media_type.trim())?);
        let charset = parameters.split(';').find_map(|parameter| {
            let (name, value) = parameter.split_once('=')?;
            name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches('"'))
        });
        // An unknown label from a header is reported, and the encoding is detected.
        row.charset = charset.map(str::to_owned);
    }
    if let Some(label) = field("charset") {
        label.parse::<Charset>().map_err(|error| format!("charset: {error}"))?;
        row.charset = Some(label.into_owned());
    }
    row.label = field("label").map(|label| PathBuf::from(&*label));
    Ok(row)
}

fn lossy(field: &[u8]) -> Cow<'_, str> {
    String::from_utf8_lossy(field)
}

/// Parses the name of a format, or a media type.
fn declared(kind: &str) -> Result<Declared, String> {
    if kind.contains('/') {
        return Ok(Declared::MediaType(kind.to_owned()));
    }
    let format = kind.to_ascii_lowercase().parse();
    format.map(Declared::Format).map_err(|error| format!("type: {error}"))
}
