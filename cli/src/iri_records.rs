//! Input and output records of the IRI commands: lines or NUL-terminated, plain or JSON.

use std::borrow::Cow;
use std::fmt;
use std::io::{self, BufRead, Read as _};

use linksift::iri::{Error, ErrorKind};

use crate::reason::reason;

/// Reason why a record has no result.
#[derive(Clone, Copy, Debug)]
pub(crate) enum RecordFailure {
    /// It is invalid at a byte of the record.
    At(ErrorKind, usize),
    /// The record has no TAB, and so no second IRI.
    NoTab(usize),
}

impl From<Error> for RecordFailure {
    fn from(error: Error) -> Self {
        RecordFailure::At(error.kind(), error.index())
    }
}

impl RecordFailure {
    fn parts(self) -> (&'static str, usize) {
        match self {
            RecordFailure::At(kind, index) => (kind.as_str(), index),
            RecordFailure::NoTab(index) => ("no-tab", index),
        }
    }
}

/// Reason why a command ends early: an error of a standard stream.
#[derive(Debug)]
pub(crate) enum StreamFailure {
    Input(io::Error),
    Output(io::Error),
}

impl From<io::Error> for StreamFailure {
    fn from(error: io::Error) -> Self {
        StreamFailure::Output(error)
    }
}

impl fmt::Display for StreamFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StreamFailure::Input(error) => write!(f, "standard input: {}", reason(error)),
            StreamFailure::Output(error) => write!(f, "standard output: {}", reason(error)),
        }
    }
}

impl fmt::Display for RecordFailure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (code, index) = self.parts();
        write!(f, "{code} at byte {index}")
    }
}

/// Maximum length of a record in bytes; a longer one is not an IRI, and must not fill the memory.
const LONGEST: u64 = 64 << 20;

/// Passes each record of a reader, without its terminator, to a function; no record follows the last terminator.
pub(crate) fn each(
    mut input: impl BufRead,
    null: bool,
    give: &mut dyn FnMut(&[u8]) -> io::Result<()>,
) -> Result<(), StreamFailure> {
    let terminator = if null { 0 } else { b'\n' };
    let mut record = Vec::new();
    loop {
        record.clear();
        let read = input.by_ref().take(LONGEST).read_until(terminator, &mut record);
        if read.map_err(StreamFailure::Input)? == 0 {
            return Ok(());
        }
        if record.last() == Some(&terminator) {
            record.pop();
            // A line ends in LF or CR LF.
            if !null && record.last() == Some(&b'\r') {
                record.pop();
            }
        } else if record.len() as u64 == LONGEST {
            let what = "the record is longer than 64 MiB";
            let error = io::Error::new(io::ErrorKind::InvalidData, what);
            return Err(StreamFailure::Input(error));
        }
        give(&record)?;
    }
}

/// Passes each argument to a function. For pairs, two arguments are one record, unless one of them contains a TAB.
pub(crate) fn arguments(
    arguments: &[String],
    pairs: bool,
    give: &mut dyn FnMut(&[u8]) -> io::Result<()>,
) -> io::Result<()> {
    let mut rest = arguments.iter();
    while let Some(argument) = rest.next() {
        if pairs
            && !argument.contains('\t')
            && let Some(second) = rest.next()
        {
            give(format!("{argument}\t{second}").as_bytes())?;
            continue;
        }
        give(argument.as_bytes())?;
    }
    Ok(())
}

/// Receiver of a result. Plain output shows its first field.
pub(crate) trait RecordSink {
    /// Begins the result, a text; the caller appends it to the returned string.
    fn text(&mut self, field: &str) -> &mut String;
    /// Ends the text that [`text`](RecordSink::text) began.
    fn end_text(&mut self);
    /// Sets the result to a text.
    fn put(&mut self, field: &str, value: &str) {
        self.text(field).push_str(value);
        self.end_text();
    }
    /// Sets the result to `true` or `false`.
    fn flag(&mut self, field: &str, value: bool);
    /// Sets the result to a list.
    fn list(&mut self, field: &str, values: &mut dyn Iterator<Item = Cow<'_, str>>);
    /// Sets the components of `check`.
    fn components(&mut self, components: &[(&str, Option<&str>)]);
    /// Adds a text to the result.
    fn more(&mut self, field: &str, value: &str);
    /// Adds a list to the result.
    fn more_list(&mut self, field: &str, values: &mut dyn Iterator<Item = Cow<'_, str>>);
}

/// Only the result: a line, or a line for each value of a list.
pub(crate) struct Plain<'a> {
    pub(crate) text: &'a mut String,
    /// Offsets in the text at which the lines end, since a line may contain any character.
    pub(crate) ends: &'a mut Vec<usize>,
}

impl RecordSink for Plain<'_> {
    fn text(&mut self, _: &str) -> &mut String {
        self.text
    }

    fn end_text(&mut self) {
        self.ends.push(self.text.len());
    }

    fn flag(&mut self, field: &str, value: bool) {
        self.put(field, if value { "true" } else { "false" });
    }

    fn list(&mut self, field: &str, values: &mut dyn Iterator<Item = Cow<'_, str>>) {
        for value in values {
            self.put(field, &value);
        }
    }

    fn components(&mut self, _: &[(&str, Option<&str>)]) {}

    fn more(&mut self, _: &str, _: &str) {}

    fn more_list(&mut self, _: &str, _: &mut dyn Iterator<Item = Cow<'_, str>>) {}
}

/// One object per record: `input`, then the result or the error.
pub(crate) struct Object<'a> {
    line: &'a mut String,
    /// Where the result begins, which is removed if there is none.
    input_end: usize,
    /// A text that is being built, and is not escaped yet.
    raw: String,
}

impl<'a> Object<'a> {
    /// Opens the object of a record; octets that are not UTF-8 become U+FFFD.
    pub(crate) fn open(line: &'a mut String, record: &[u8]) -> Self {
        line.push_str("{\"input\":");
        push_json(line, &String::from_utf8_lossy(record));
        let input_end = line.len();
        Object { line, input_end, raw: String::new() }
    }

    /// Closes the object, with the error instead of a result if there is one.
    pub(crate) fn close(self, failure: Option<RecordFailure>) -> Result<(), RecordFailure> {
        if let Some(failure) = failure {
            let (code, index) = failure.parts();
            self.line.truncate(self.input_end);
            self.line.push_str(&format!(",\"error\":{{\"kind\":\"{code}\",\"index\":{index}}}"));
        }
        self.line.push('}');
        failure.map_or(Ok(()), Err)
    }

    fn field(&mut self, field: &str) {
        self.line.push(',');
        push_json(self.line, field);
        self.line.push(':');
    }
}

impl RecordSink for Object<'_> {
    fn text(&mut self, field: &str) -> &mut String {
        self.field(field);
        self.raw.clear();
        &mut self.raw
    }

    fn end_text(&mut self) {
        push_json(self.line, &self.raw);
    }

    fn flag(&mut self, field: &str, value: bool) {
        self.field(field);
        self.line.push_str(if value { "true" } else { "false" });
    }

    fn list(&mut self, field: &str, values: &mut dyn Iterator<Item = Cow<'_, str>>) {
        self.field(field);
        self.line.push('[');
        for (index, value) in values.enumerate() {
            if index > 0 {
                self.line.push(',');
            }
            push_json(self.line, &value);
        }
        self.line.push(']');
    }

    fn components(&mut self, components: &[(&str, Option<&str>)]) {
        self.field("components");
        let mut separator = '{';
        for (name, value) in components {
            if let Some(value) = value {
                self.line.push(separator);
                push_json(self.line, name);
                self.line.push(':');
                push_json(self.line, value);
                separator = ',';
            }
        }
        self.line.push('}');
    }

    fn more(&mut self, field: &str, value: &str) {
        self.put(field, value);
    }

    fn more_list(&mut self, field: &str, values: &mut dyn Iterator<Item = Cow<'_, str>>) {
        self.list(field, values);
    }
}

/// Appends a JSON string (RFC 8259 §7). Characters without an escape, which are nearly all, are copied in runs.
pub(crate) fn push_json(out: &mut String, text: &str) {
    out.push('"');
    let mut start = 0;
    for (at, b) in text.bytes().enumerate() {
        if b >= b' ' && b != b'"' && b != b'\\' {
            continue;
        }
        out.push_str(text.get(start..at).unwrap_or_default());
        start = at + 1;
        match b {
            b'"' => out.push_str("\\\""),
            b'\\' => out.push_str("\\\\"),
            b'\n' => out.push_str("\\n"),
            b'\r' => out.push_str("\\r"),
            b'\t' => out.push_str("\\t"),
            b => out.push_str(&format!("\\u{b:04x}")),
        }
    }
    out.push_str(text.get(start..).unwrap_or_default());
    out.push('"');
}
