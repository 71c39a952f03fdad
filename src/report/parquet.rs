//! Records as Apache Parquet: columns of text and numbers, compressed by zstd.
//!
//! The columns are those of CSV, optional ones with nothing where a record is without them; several codes have spaces
//! between them. What is made of a record on one thread is a [row](Record::push_row_of): bytes of our own that the
//! [`ParquetWriter`] takes on another, since a file of columns has to be written in one place.

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, Encoding, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, Type as Node};

use super::Record;
use super::field::{Field, Type, Value};

/// Rows that are written together, and bytes of them: a reader reads that much at least.
const GROUP: usize = 1 << 17;
const GROUP_BYTES: usize = 64 << 20;

/// A value follows, or none.
const ABSENT: u8 = 0;
const PRESENT: u8 = 1;

impl Record<'_> {
    /// Appends these fields of the record as a row for a [`ParquetWriter`] of the same fields.
    ///
    /// See there for an example.
    pub fn push_row_of(&self, fields: &[Field], out: &mut Vec<u8>) {
        for field in fields {
            match self.value(*field) {
                Value::Integer(number) => {
                    out.push(PRESENT);
                    out.extend_from_slice(&number.to_le_bytes());
                }
                Value::Absent => out.push(ABSENT),
                _ => {
                    let text = self.text(*field).unwrap_or_default();
                    out.push(PRESENT);
                    out.extend_from_slice(&(text.len() as u64).to_le_bytes());
                    out.extend_from_slice(text.as_bytes());
                }
            }
        }
    }
}

/// Writes records as a file of Apache Parquet.
///
/// ```
/// use linksift::report::{Field, ParquetWriter, Record};
///
/// let fields = [Field::Path, Field::Uri, Field::Line];
/// let mut rows = Vec::new();
/// for link in linksift::links("see example.com and example.org") {
///     Record::link("notes.txt", &link).push_row_of(&fields, &mut rows);
/// }
/// let mut file = Vec::new();
/// let mut writer = ParquetWriter::new(&mut file, &fields)?;
/// writer.write_rows(&rows)?;
/// writer.finish()?;
/// assert!(file.starts_with(b"PAR1") && file.ends_with(b"PAR1"));
/// # Ok::<(), std::io::Error>(())
/// ```
pub struct ParquetWriter<W: Write + Send> {
    writer: SerializedFileWriter<W>,
    columns: Vec<Column>,
    rows: usize,
    bytes: usize,
}

/// The values of a field that are not written yet.
#[derive(Debug)]
struct Column {
    is_integer: bool,
    is_optional: bool,
    texts: Vec<ByteArray>,
    integers: Vec<i64>,
    /// 1 where a row has a value, 0 where it has none.
    present: Vec<i16>,
}

impl<W: Write + Send> std::fmt::Debug for ParquetWriter<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ParquetWriter").field("rows", &self.rows).finish_non_exhaustive()
    }
}

impl<W: Write + Send> ParquetWriter<W> {
    /// A file with a column for each of these fields, in this order.
    ///
    /// # Errors
    ///
    /// What the writer fails with.
    pub fn new(out: W, fields: &[Field]) -> io::Result<ParquetWriter<W>> {
        let zstd = ZstdLevel::try_new(3).map_err(failed)?;
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(zstd))
            .set_created_by(concat!("linksift ", env!("CARGO_PKG_VERSION")).to_owned());
        let mut nodes = Vec::new();
        let mut columns = Vec::new();
        for field in fields {
            let is_integer = field.value_type() == Type::Integer;
            let is_optional = field.is_optional();
            let physical = if is_integer { Physical::INT64 } else { Physical::BYTE_ARRAY };
            let logical = (!is_integer).then_some(LogicalType::String);
            let repetition = if is_optional { Repetition::OPTIONAL } else { Repetition::REQUIRED };
            let node = Node::primitive_type_builder(field.as_str(), physical)
                .with_repetition(repetition)
                .with_logical_type(logical)
                .build();
            nodes.push(Arc::new(node.map_err(failed)?));
            if is_integer {
                // Offsets go up: their differences are small.
                let path = ColumnPath::from(field.as_str());
                properties = properties
                    .set_column_dictionary_enabled(path.clone(), false)
                    .set_column_encoding(path, Encoding::DELTA_BINARY_PACKED);
            }
            let (texts, integers, present) = (Vec::new(), Vec::new(), Vec::new());
            columns.push(Column { is_integer, is_optional, texts, integers, present });
        }
        let schema =
            Node::group_type_builder("links").with_fields(nodes).build().map_err(failed)?;
        let writer = SerializedFileWriter::new(out, Arc::new(schema), Arc::new(properties.build()))
            .map_err(failed)?;
        Ok(ParquetWriter { writer, columns, rows: 0, bytes: 0 })
    }

    /// Writes whole rows, as [`Record::push_row_of`] makes them of the fields of this file.
    ///
    /// # Errors
    ///
    /// What the writer fails with, and bytes that are no such rows.
    pub fn write_rows(&mut self, rows: &[u8]) -> io::Result<()> {
        // Texts are slices of one copy: an allocation for each would cost more than the rest.
        let shared = ByteArray::from(rows.to_vec());
        let mut rows = Rows { rest: rows, shared: &shared };
        while !rows.rest.is_empty() {
            for column in &mut self.columns {
                self.bytes += column.take(&mut rows).ok_or(io::ErrorKind::InvalidData)?;
            }
            self.rows += 1;
            if self.rows >= GROUP || self.bytes >= GROUP_BYTES {
                self.write_group()?;
            }
        }
        Ok(())
    }

    /// Writes what is left, and the end of the file.
    ///
    /// # Errors
    ///
    /// What the writer fails with.
    pub fn finish(mut self) -> io::Result<()> {
        if self.rows > 0 {
            self.write_group()?;
        }
        self.writer.close().map(drop).map_err(failed)
    }

    fn write_group(&mut self) -> io::Result<()> {
        let mut group = self.writer.next_row_group().map_err(failed)?;
        let mut columns = self.columns.iter_mut();
        while let (Some(mut out), Some(column)) =
            (group.next_column().map_err(failed)?, columns.next())
        {
            let present = column.is_optional.then_some(&column.present[..]);
            match column.is_integer {
                true => out.typed::<Int64Type>().write_batch(&column.integers, present, None),
                false => out.typed::<ByteArrayType>().write_batch(&column.texts, present, None),
            }
            .map_err(failed)?;
            out.close().map_err(failed)?;
            column.texts.clear();
            column.integers.clear();
            column.present.clear();
        }
        group.close().map_err(failed)?;
        (self.rows, self.bytes) = (0, 0);
        Ok(())
    }
}

/// Rows that are read from their front.
struct Rows<'r> {
    rest: &'r [u8],
    /// All bytes, of which `rest` is the end.
    shared: &'r ByteArray,
}

impl Rows<'_> {
    fn tag(&mut self) -> Option<u8> {
        let (tag, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*tag)
    }

    fn number(&mut self) -> Option<u64> {
        let (number, rest) = self.rest.split_first_chunk()?;
        self.rest = rest;
        Some(u64::from_le_bytes(*number))
    }

    fn text(&mut self) -> Option<ByteArray> {
        let len = usize::try_from(self.number()?).ok()?;
        let start = self.shared.len() - self.rest.len();
        self.rest = self.rest.get(len..)?;
        Some(self.shared.slice(start, len))
    }
}

impl Column {
    /// Takes its value off the front of a row; how much memory that is about.
    fn take(&mut self, rows: &mut Rows<'_>) -> Option<usize> {
        match rows.tag()? {
            ABSENT if self.is_optional => {
                self.present.push(0);
                Some(2)
            }
            PRESENT if self.is_integer => {
                self.integers.push(i64::try_from(rows.number()?).ok()?);
                self.present.push(1);
                Some(10)
            }
            PRESENT => {
                let text = rows.text()?;
                let bytes = text.len() + size_of::<ByteArray>();
                self.texts.push(text);
                self.present.push(1);
                Some(bytes)
            }
            _ => None,
        }
    }
}

fn failed(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(other) => io::Error::other(other),
        },
        other => io::Error::other(other),
    }
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::RowAccessor;

    use super::*;

    #[test]
    fn what_is_written_is_read_again() {
        let finder = crate::Finder::new();
        let mut rows = Vec::new();
        let text = "ftp://me@example.com/100% http://300.1.1.1/ example.org/ж ";
        let hints = crate::Hints::new().positions(true);
        let mut count = 0;
        for _ in 0..50_000 {
            let document = crate::Document::new(text.as_bytes()).hints(hints.clone());
            for candidate in finder.document(&document).unwrap() {
                match &candidate {
                    Ok(link) => Record::link("a", link).push_row_of(Field::ALL, &mut rows),
                    Err(rejected) => {
                        Record::rejected("a", rejected).push_row_of(Field::ALL, &mut rows)
                    }
                }
                count += 1;
            }
        }
        assert!(count > GROUP, "several groups");
        let mut file = Vec::new();
        let mut writer = ParquetWriter::new(&mut file, Field::ALL).unwrap();
        writer.write_rows(&rows).unwrap();
        writer.finish().unwrap();
        assert!(file.len() < 2 << 20, "{}", file.len());
        let name = std::env::temp_dir().join(format!("linksift-{}.parquet", std::process::id()));
        std::fs::write(&name, &file).unwrap();
        let reader = SerializedFileReader::new(std::fs::File::open(&name).unwrap()).unwrap();
        std::fs::remove_file(&name).unwrap();
        assert_eq!(reader.metadata().file_metadata().num_rows(), i64::try_from(count).unwrap());
        let columns = reader.metadata().file_metadata().schema_descr().columns();
        let names: Vec<_> = columns.iter().map(|column| column.name().to_owned()).collect();
        assert_eq!(names, Field::ALL.iter().map(|field| field.as_str()).collect::<Vec<_>>());
        let at = |field: Field| Field::ALL.iter().position(|one| *one == field).unwrap();
        let read: Vec<_> = reader.get_row_iter(None).unwrap().take(3).map(Result::unwrap).collect();
        assert_eq!(read[0].get_string(at(Field::Warnings)).unwrap(), "userinfo stray-percent");
        assert_eq!(read[1].get_string(at(Field::Rejected)).unwrap(), "host-ipv4");
        assert!(read[1].get_string(at(Field::Uri)).is_err(), "it is null");
        assert_eq!(read[2].get_string(at(Field::Uri)).unwrap(), "https://example.org/%D0%B6");
        assert_eq!(read[2].get_long(at(Field::Start)).unwrap(), 44);
    }

    #[test]
    fn rows_that_are_none_are_refused() {
        for rows in [&b"\x01"[..], b"\x01\xFF\0\0\0\0\0\0\0a", b"\x00", b"\x02\0\0\0\0\0\0\0\0"] {
            let mut writer = ParquetWriter::new(Vec::new(), &[Field::Path]).unwrap();
            assert!(writer.write_rows(rows).is_err(), "{rows:?}");
        }
    }
}
