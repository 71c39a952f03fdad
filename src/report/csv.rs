//! Records as CSV (RFC 4180, lines end at LF): always all columns, empty where a JSON record would
//! leave the field away.

use std::io;

use super::{Record, json};
use crate::link::Transfer;

const HEADER: [&str; 22] = [
    "path",
    "path_bytes",
    "member",
    "member_bytes",
    "part",
    "transfer",
    "source",
    "message_id",
    "start",
    "end",
    "line",
    "column",
    "kind",
    "context",
    "charset",
    "raw",
    "iri",
    "uri",
    "host",
    "rejected",
    "warnings",
    "shown",
];

impl Record<'_> {
    /// Appends the line with the names of the columns.
    ///
    /// ```
    /// let mut out = Vec::new();
    /// linksift::report::Record::push_csv_header(&mut out);
    /// assert!(out.starts_with(b"path,path_bytes,member,member_bytes,part,transfer,"));
    /// ```
    pub fn push_csv_header(out: &mut Vec<u8>) {
        write_line(out, HEADER.map(str::as_bytes));
    }

    /// Appends the record as one line of CSV; several warnings are parted by spaces.
    ///
    /// ```
    /// let link = linksift::links("ftp://me@example.com/100%").next().unwrap();
    /// let mut out = Vec::new();
    /// linksift::report::Record::link("a, b.txt", &link).push_csv(&mut out);
    /// let line = String::from_utf8(out).unwrap();
    /// assert!(line.starts_with("\"a, b.txt\",,,,,,,,0,25,,,iri,text,utf-8,"));
    /// assert!(line.ends_with(",userinfo stray-percent,\n"));
    /// ```
    pub fn push_csv(&self, out: &mut Vec<u8>) {
        let number = |value: Option<u64>| value.map_or_else(String::new, |v| v.to_string());
        let hex = |bytes: Option<&[u8]>| bytes.map_or_else(String::new, json::hex);
        let warnings: Vec<_> = self.warnings.iter().map(|warning| warning.code()).collect();
        let fields = [
            &*self.path,
            &hex(self.path_bytes),
            self.member.unwrap_or_default(),
            &hex(self.member_bytes),
            self.part.unwrap_or_default(),
            self.transfer.map_or("", Transfer::as_str),
            self.source.unwrap_or_default(),
            self.message_id.unwrap_or_default(),
            &self.start.to_string(),
            &self.end.to_string(),
            &number(self.position.map(|position| position.line)),
            &number(self.position.map(|position| position.column)),
            self.kind.as_str(),
            self.context,
            self.charset,
            self.raw,
            &self.iri,
            self.uri.as_deref().unwrap_or_default(),
            self.host.as_deref().unwrap_or_default(),
            self.rejected.unwrap_or_default(),
            &warnings.join(" "),
            self.shown.unwrap_or_default(),
        ];
        write_line(out, fields.map(str::as_bytes));
    }

    /// Writes the record as one line of CSV.
    ///
    /// # Errors
    ///
    /// What the writer fails with.
    pub fn write_csv<W: io::Write>(&self, mut out: W) -> io::Result<()> {
        let mut line = Vec::new();
        self.push_csv(&mut line);
        out.write_all(&line)
    }
}

/// The writer's own buffer begins small: it lives for one line, whose batch may go to another
/// thread right after it.
fn write_line(out: &mut Vec<u8>, fields: [&[u8]; HEADER.len()]) {
    let mut line = csv::WriterBuilder::new().buffer_capacity(512).from_writer(out);
    // Into a `Vec`, with as many fields as ever: it cannot fail.
    let _ = line.write_record(fields).and_then(|()| Ok(line.flush()?));
}
