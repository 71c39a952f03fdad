//! Records as CSV (RFC 4180, lines end with LF): all columns in each line, empty where a record has no value.
//!
//! This module does not use a CSV library, since none quotes some columns always and others if necessary.

use std::io;

use super::Record;
use super::field::Field;
use crate::codes::coded;

coded! {
    /// Treatment by CSV of values that a spreadsheet could mistake for formulas: those that begin with `=`, `+`, `-`, `@`
    /// (also in their full-width forms), TAB, CR or LF. Links and names come from the author of the input, and a formula
    /// can send data away.
    ///
    /// ```
    /// use linksift::report::{Field, Formulas, Record};
    ///
    /// let link = linksift::links("see a@example.com").next().unwrap();
    /// let record = Record::link("=cmd.txt", &link);
    /// let mut out = Vec::new();
    /// record.push_csv_with(&[Field::Path, Field::Start], Formulas::Prefix, &mut out);
    /// record.push_csv_with(&[Field::Path, Field::Start], Formulas::Keep, &mut out);
    /// assert_eq!(out, b"\"'=cmd.txt\",4\n\"=cmd.txt\",4\n");
    /// assert_eq!("prefix".parse(), Ok(Formulas::Prefix));
    /// ```
    pub enum Formulas in "linksift::report" default Keep {
        /// Values are exact.
        Keep = "keep",
        /// An apostrophe is written before such a value, so that spreadsheets show it as text.
        Prefix = "prefix",
    }
}

impl Record<'_> {
    /// Appends the line with the names of the [default columns](Field::DEFAULT).
    ///
    /// ```
    /// let mut out = Vec::new();
    /// linksift::report::Record::push_csv_header(&mut out);
    /// assert!(out.starts_with(b"path,member,part,source,page,object,start,end,"));
    /// ```
    pub fn push_csv_header(out: &mut Vec<u8>) {
        Record::push_csv_header_of(Field::DEFAULT, out);
    }

    /// Appends the line with the names of these columns.
    ///
    /// ```
    /// use linksift::report::{Field, Record};
    ///
    /// let mut out = Vec::new();
    /// Record::push_csv_header_of(&[Field::Uri, Field::Path], &mut out);
    /// assert_eq!(out, b"uri,path\n");
    /// ```
    pub fn push_csv_header_of(fields: &[Field], out: &mut Vec<u8>) {
        let names: Vec<_> = fields.iter().map(|field| field.as_str()).collect();
        out.extend_from_slice(names.join(",").as_bytes());
        out.push(b'\n');
    }

    /// Appends the [default columns](Field::DEFAULT) of the record as one line of CSV; several warnings are separated by spaces. `path`, `source`, `raw`, `iri` and
    /// `uri` are always quoted, the others if necessary.
    ///
    /// ```
    /// let link = linksift::links("ftp://me@example.com/100%").next().unwrap();
    /// let mut out = Vec::new();
    /// linksift::report::Record::link("a, b.txt", &link).push_csv(&mut out);
    /// let line = String::from_utf8(out).unwrap();
    /// assert!(line.starts_with("\"a, b.txt\",,,,,,0,25,,,iri,text,utf-8,\"ftp://me@"));
    /// assert!(line.ends_with(",example.com,userinfo stray-percent\n"));
    /// ```
    pub fn push_csv(&self, out: &mut Vec<u8>) {
        self.push_csv_of(Field::DEFAULT, out);
    }

    /// Appends these fields of the record as one line of CSV, in this order.
    ///
    /// ```
    /// use linksift::report::{Field, Record};
    ///
    /// let link = linksift::links("example.com").next().unwrap();
    /// let mut out = Vec::new();
    /// Record::link("-", &link).push_csv_of(&[Field::Uri, Field::Line, Field::Kind], &mut out);
    /// assert_eq!(out, b"\"https://example.com\",,schemeless\n");
    /// ```
    pub fn push_csv_of(&self, fields: &[Field], out: &mut Vec<u8>) {
        self.push_csv_with(fields, Formulas::Keep, out);
    }

    /// Appends these fields of the record as one line of CSV, in this order, with a policy for values that look like formulas.
    ///
    /// ```
    /// use linksift::report::{Field, Formulas, Record};
    ///
    /// let link = linksift::links("example.com").next().unwrap();
    /// let mut out = Vec::new();
    /// Record::link("@SUM(1)", &link).push_csv_with(&[Field::Path], Formulas::Prefix, &mut out);
    /// assert_eq!(out, b"\"'@SUM(1)\"\n");
    /// ```
    pub fn push_csv_with(&self, fields: &[Field], formulas: Formulas, out: &mut Vec<u8>) {
        for (number, field) in fields.iter().enumerate() {
            if number > 0 {
                out.push(b',');
            }
            if let Some(text) = self.text(*field) {
                let front = match formulas {
                    Formulas::Prefix if text.starts_with(BEGINS_FORMULA) => "'",
                    _ => "",
                };
                push_value(front, &text, field.is_quoted(), out);
            }
        }
        out.push(b'\n');
    }

    /// Writes the [default columns](Field::DEFAULT) of the record as one line of CSV.
    ///
    /// # Errors
    ///
    /// Returns the error of the writer.
    ///
    /// ```
    /// let link = linksift::links("example.com").next().unwrap();
    /// let mut out = Vec::new();
    /// linksift::report::Record::link("-", &link).write_csv(&mut out)?;
    /// assert!(out.starts_with(b"\"-\",,,,,,0,11,,,schemeless,text,utf-8,"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn write_csv<W: io::Write>(&self, mut out: W) -> io::Result<()> {
        let mut line = Vec::new();
        self.push_csv(&mut line);
        out.write_all(&line)
    }
}

/// First characters of formulas in spreadsheets, some of which skip white space before them.
const BEGINS_FORMULA: [char; 11] = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];

/// RFC 4180 §2: a value with a comma, a quote or a line break is quoted, and each quote doubled.
fn push_value(front: &str, text: &str, always: bool, out: &mut Vec<u8>) {
    let needs = |byte: u8| matches!(byte, b',' | b'"' | b'\n' | b'\r');
    if !always && !text.bytes().any(needs) {
        out.extend_from_slice(front.as_bytes());
        return out.extend_from_slice(text.as_bytes());
    }
    out.push(b'"');
    out.extend_from_slice(front.as_bytes());
    for (number, piece) in text.split('"').enumerate() {
        if number > 0 {
            out.extend_from_slice(b"\"\"");
        }
        out.extend_from_slice(piece.as_bytes());
    }
    out.push(b'"');
}
