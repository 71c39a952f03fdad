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
            while let Some(record) = records.next()? {
                let Record::Whole(line) = record else { continue };
                let Some((mut path, _)) = path_and_rest(&line, records.number) else { continue };
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
        Ok(Manifest { records, name: name.to_owned(), rows, failure })
    }

    /// Error in the row that was read last, with its line.
    fn at_line(&self, what: &str) -> String {
        format!("{}: line {}: {what}", self.name.display(), self.records.number)
    }
}

/// Returns the path of a row, and its other fields. A header is allowed, and empty lines are skipped.
fn path_and_rest(line: &[u8], number: u64) -> Option<(PathBuf, Vec<&[u8]>)> {
    let mut fields = line.split(|byte| *byte == b'\t');
    let path = fields.next().unwrap_or_default();
    if line.is_empty() || number == 1 && line.starts_with(b"path\t") {
        return None;
    }
    Some((list::path(path.to_vec()), fields.collect()))
}

impl Iterator for Manifest {
    type Item = Input;

    fn next(&mut self) -> Option<Input> {
        loop {
            let line = match self.records.next() {
                Ok(None) => return None,
                Ok(Some(Record::Whole(line))) => line,
                Ok(Some(Record::TooLong(start))) => {
                    let path = start.split(|byte| *byte == b'\t').next().unwrap_or_default();
                    let path = match path.len() < start.len() {
                        true => list::path(path.to_vec()),
                        false => list::path_of_start(start),
                    };
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
            let Some((path, fields)) = path_and_rest(&line, self.records.number) else { continue };
            let row = match path.as_os_str().is_empty() {
                true => Err("no path".to_owned()),
                false => row(&fields),
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

fn row(fields: &[&[u8]]) -> Result<Row, String> {
    let octets = |at: usize| fields.get(at).copied().filter(|field| !field.is_empty());
    let field = |at: usize| octets(at).map(lossy);
    if fields.len() > 4 {
        return Err("too many columns: expected path, base, charset, type, label".to_owned());
    }
    let mut row = Row::default();
    if let Some(base) = octets(0) {
        let base = repair(base)
            .map_err(|error| format!("base {:?}: not an IRI: {}", lossy(base), error.kind()))?;
        row.base = Some(base.into_iri());
    }
    if let Some(kind) = field(2) {
        let (media_type, parameters) = kind.split_once(';').unwrap_or((&*kind, ""));
        row.declared = Some(declared(media_type.trim())?);
        let charset = parameters.split(';').find_map(|parameter| {
            let (name, value) = parameter.split_once('=')?;
            name.trim().eq_ignore_ascii_case("charset").then(|| value.trim().trim_matches('"'))
        });
        // An unknown label from a header is reported, and the encoding is detected.
        row.charset = charset.map(str::to_owned);
    }
    if let Some(label) = field(1) {
        label.parse::<Charset>().map_err(|error| format!("charset: {error}"))?;
        row.charset = Some(label.into_owned());
    }
    row.label = field(3).map(|label| PathBuf::from(&*label));
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
