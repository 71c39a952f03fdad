//! Rows: records in a binary format of this crate, written on one thread and read by the Parquet writer on another.

use std::ops::Range;

use super::Record;
use super::field::{Field, FieldValue};

/// Tag of a value: none, or one that follows.
pub(super) const ABSENT: u8 = 0;
pub(super) const PRESENT: u8 = 1;

impl Record<'_> {
    /// Appends these fields of the record as a row for a [`ParquetWriter`](super::ParquetWriter) of the same fields.
    ///
    /// ```
    /// use linksift::report::{Field, ParquetWriter, Record};
    ///
    /// let fields = [Field::Uri];
    /// let link = linksift::links("example.com").next().unwrap();
    /// let mut rows = Vec::new();
    /// Record::link("-", &link).push_row_of(&fields, &mut rows);
    ///
    /// let mut writer = ParquetWriter::new(Vec::new(), &fields)?;
    /// writer.write_rows(&rows)?;
    /// rows.pop();
    /// assert!(writer.write_rows(&rows).is_err());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn push_row_of(&self, fields: &[Field], out: &mut Vec<u8>) {
        for field in fields {
            match self.value(*field) {
                FieldValue::Integer(number) => {
                    out.push(PRESENT);
                    out.extend_from_slice(&number.to_le_bytes());
                }
                FieldValue::Absent => out.push(ABSENT),
                FieldValue::Text(_) | FieldValue::Flag(_) | FieldValue::Codes(_) => {
                    match self.text(*field) {
                        Some(text) => {
                            out.push(PRESENT);
                            out.extend_from_slice(&(text.len() as u64).to_le_bytes());
                            out.extend_from_slice(text.as_bytes());
                        }
                        None => out.push(ABSENT),
                    }
                }
            }
        }
    }
}

/// Reader of rows, from the front.
pub(super) struct RowReader<'r> {
    bytes: &'r [u8],
    /// Number of bytes that have been read.
    at: usize,
}

impl<'r> RowReader<'r> {
    pub(super) fn new(bytes: &'r [u8]) -> RowReader<'r> {
        RowReader { bytes, at: 0 }
    }

    /// Returns the number of bytes that have been read; the length of the input at its end.
    pub(super) fn at(&self) -> usize {
        self.at
    }

    pub(super) fn tag(&mut self) -> Option<u8> {
        let tag = self.bytes.get(self.at)?;
        self.at += 1;
        Some(*tag)
    }

    pub(super) fn number(&mut self) -> Option<u64> {
        let (number, _) = self.bytes.get(self.at..)?.split_first_chunk()?;
        self.at += number.len();
        Some(u64::from_le_bytes(*number))
    }

    /// Returns the range of a text.
    pub(super) fn text(&mut self) -> Option<Range<usize>> {
        let len = usize::try_from(self.number()?).ok()?;
        let text = self.at..self.at.checked_add(len).filter(|end| *end <= self.bytes.len())?;
        self.at = text.end;
        Some(text)
    }
}
