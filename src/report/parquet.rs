//! Records as Apache Parquet: columns of text and numbers, compressed by zstd.
//!
//! The columns are those of CSV; a record without an optional field has a null there. Several codes are separated by
//! spaces. A thread converts a record to a [row](super::Record::push_row_of), in a format of this crate, and the
//! [`ParquetWriter`] reads it on another thread, since a file of columns must be written at one place.

mod past;

use std::io::{self, Write};
use std::sync::Arc;

use parquet::basic::{Compression, Encoding, LogicalType, Repetition, Type as Physical, ZstdLevel};
use parquet::data_type::{ByteArray, ByteArrayType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::{
    FileMetaData, ParquetMetaData, ParquetMetaDataOptions, ParquetMetaDataReader,
    ParquetMetaDataWriter, RowGroupMetaData,
};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use parquet::file::writer::SerializedFileWriter;
use parquet::schema::types::{ColumnPath, Type as Node};

use super::field::{Field, Type};
use super::row::{ABSENT, PRESENT, RowReader};
use past::ResumedFile;

/// Maximum number of rows in a group, and of their bytes; a reader reads at least one group.
const GROUP: usize = 1 << 17;
const GROUP_BYTES: usize = 64 << 20;

/// Length of the metadata's length and the magic number, which follow the metadata.
const TAIL: usize = 8;

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
    writer: SerializedFileWriter<ResumedFile<W>>,
    /// Metadata of all groups of the file, as read from its end; a resumed writer has only this information about them.
    groups: Vec<RowGroupMetaData>,
    columns: Vec<Column>,
    rows: usize,
    bytes: usize,
    /// Rows that are not in a group yet, unchanged.
    held: Vec<ByteArray>,
}

/// Values of a field that have not been written yet.
#[derive(Debug)]
struct Column {
    is_integer: bool,
    is_optional: bool,
    texts: Vec<ByteArray>,
    integers: Vec<i64>,
    /// 1 for each row with a value, 0 for each row without one.
    present: Vec<i16>,
}

impl<W: Write + Send> std::fmt::Debug for ParquetWriter<W> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ParquetWriter").field("rows", &self.rows).finish_non_exhaustive()
    }
}

impl<W: Write + Send> ParquetWriter<W> {
    /// Creates a file with a column for each of these fields, in this order.
    ///
    /// # Errors
    ///
    /// Returns the error of the writer.
    ///
    /// ```
    /// use linksift::report::{Field, ParquetWriter};
    ///
    /// let mut file = Vec::new();
    /// ParquetWriter::new(&mut file, &[Field::Uri, Field::Start])?.finish()?;
    /// assert!(file.starts_with(b"PAR1"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn new(out: W, fields: &[Field]) -> io::Result<ParquetWriter<W>> {
        ParquetWriter::after(out, fields, 0)
    }

    /// Continues a file with the same fields that another writer has [suspended](Self::suspend). The file must be truncated
    /// to the length that was returned then, and `out` must write at its end.
    ///
    /// ```
    /// use linksift::report::{Field, ParquetWriter, Record};
    ///
    /// let fields = [Field::Uri];
    /// let mut rows = Vec::new();
    /// for link in linksift::links("see example.com and example.org") {
    ///     Record::link("notes.txt", &link).push_row_of(&fields, &mut rows);
    /// }
    /// let (mut whole, mut file) = (Vec::new(), Vec::new());
    /// let mut writer = ParquetWriter::new(&mut whole, &fields)?;
    /// writer.write_rows(&rows)?;
    /// writer.write_rows(&rows)?;
    /// writer.finish()?;
    ///
    /// let mut writer = ParquetWriter::new(&mut file, &fields)?;
    /// writer.write_rows(&rows)?;
    /// let (len, kept) = writer.suspend()?;
    /// drop(writer);
    /// file.truncate(len as usize);
    /// let mut writer = ParquetWriter::resume(&mut file, &fields, len, &kept)?;
    /// writer.write_rows(&rows)?;
    /// writer.finish()?;
    /// assert_eq!(file, whole);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Returns the error of the writer, and an error if `kept` is not from a writer.
    pub fn resume(out: W, fields: &[Field], len: u64, kept: &[u8]) -> io::Result<ParquetWriter<W>> {
        let mut writer = ParquetWriter::after(out, fields, len)?;
        let (number, kept) = kept.split_first_chunk().ok_or(io::ErrorKind::InvalidData)?;
        let end = usize::try_from(u64::from_le_bytes(*number)).ok();
        let parts = end.and_then(|end| kept.split_at_checked(end));
        let (metadata, rows) = parts.ok_or(io::ErrorKind::InvalidData)?;
        writer.groups = groups(metadata)?;
        writer.write_rows(rows)?;
        Ok(writer)
    }

    /// Creates a writer for a file of which `len` bytes have been written.
    fn after(out: W, fields: &[Field], len: u64) -> io::Result<ParquetWriter<W>> {
        let zstd = ZstdLevel::try_new(3).map_err(failed)?;
        let mut properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(zstd))
            // An index of pages would have to be kept in memory until the end.
            .set_statistics_enabled(EnabledStatistics::Chunk)
            .set_offset_index_disabled(true)
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
                // Offsets ascend, so their differences are small.
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
        let (schema, properties) = (Arc::new(schema), Arc::new(properties.build()));
        let out = ResumedFile { out, left: len };
        let mut writer = SerializedFileWriter::new(out, schema, properties).map_err(failed)?;
        // The writer counts its output: zeros represent the bytes that are already there.
        let zeros = vec![0; 1 << 16];
        while let Some(left) =
            len.checked_sub(writer.bytes_written() as u64).filter(|left| *left > 0)
        {
            let step = usize::try_from(left).unwrap_or(usize::MAX).min(zeros.len());
            writer.write_all(&zeros[..step])?;
        }
        let (groups, held) = (Vec::new(), Vec::new());
        Ok(ParquetWriter { writer, groups, columns, rows: 0, bytes: 0, held })
    }

    /// Writes complete rows, as [`Record::push_row_of`](super::Record::push_row_of) creates them from the fields of this
    /// file.
    ///
    /// # Errors
    ///
    /// Returns the error of the writer, and an error for bytes that are not such rows.
    ///
    /// ```
    /// use linksift::report::{Field, ParquetWriter, Record};
    ///
    /// let fields = [Field::Uri];
    /// let mut rows = Vec::new();
    /// for link in linksift::links("example.com example.org") {
    ///     Record::link("-", &link).push_row_of(&fields, &mut rows);
    /// }
    /// let mut file = Vec::new();
    /// let mut writer = ParquetWriter::new(&mut file, &fields)?;
    /// writer.write_rows(&rows)?;
    /// assert!(writer.write_rows(b"no row").is_err());
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn write_rows(&mut self, rows: &[u8]) -> io::Result<()> {
        // Texts are slices of one copy, since an allocation for each would cost more than the rest.
        let shared = ByteArray::from(rows.to_vec());
        let mut rows = RowReader::new(rows);
        let mut start = 0;
        while rows.at() < shared.len() {
            for column in &mut self.columns {
                self.bytes += column.take(&mut rows, &shared).ok_or(io::ErrorKind::InvalidData)?;
            }
            self.rows += 1;
            if self.rows >= GROUP || self.bytes >= GROUP_BYTES {
                self.write_group()?;
                start = rows.at();
            }
        }
        if start < shared.len() {
            self.held.push(shared.slice(start, shared.len() - start));
        }
        Ok(())
    }

    /// Writes all complete groups. Returns the number of bytes of the file, and the data that [`resume`](Self::resume)
    /// needs in addition to them. This writer can continue too.
    ///
    /// # Errors
    ///
    /// Returns the error of the writer.
    ///
    /// ```
    /// use linksift::report::{Field, ParquetWriter, Record};
    ///
    /// let fields = [Field::Uri];
    /// let mut rows = Vec::new();
    /// for link in linksift::links("example.com example.org") {
    ///     Record::link("-", &link).push_row_of(&fields, &mut rows);
    /// }
    /// let mut writer = ParquetWriter::new(Vec::new(), &fields)?;
    /// writer.write_rows(&rows)?;
    /// let (len, kept) = writer.suspend()?;
    /// // The rows are in no group that is whole: they are kept.
    /// assert_eq!(len, writer.written());
    /// assert!(kept.ends_with(&rows));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn suspend(&mut self) -> io::Result<(u64, Vec<u8>)> {
        self.writer.flush()?;
        let mut end = self.end(&self.groups)?;
        end.truncate(end.len() - TAIL);
        let mut kept = (end.len() as u64).to_le_bytes().to_vec();
        kept.append(&mut end);
        self.held.iter().for_each(|rows| kept.extend_from_slice(rows.data()));
        Ok((self.written(), kept))
    }

    /// Returns the number of bytes of the file that have been written: its complete groups.
    ///
    /// ```
    /// use linksift::report::{Field, ParquetWriter, Record};
    ///
    /// let fields = [Field::Uri];
    /// let mut rows = Vec::new();
    /// for link in linksift::links("example.com example.org") {
    ///     Record::link("-", &link).push_row_of(&fields, &mut rows);
    /// }
    /// let mut writer = ParquetWriter::new(Vec::new(), &fields)?;
    /// writer.write_rows(&rows)?;
    /// // The mark that the file begins with; two rows are no group yet.
    /// assert_eq!(writer.written(), 4);
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn written(&self) -> u64 {
        self.writer.bytes_written() as u64
    }

    /// Writes the remaining rows, and the end of the file.
    ///
    /// # Errors
    ///
    /// Returns the error of the writer.
    ///
    /// ```
    /// use linksift::report::{Field, ParquetWriter, Record};
    ///
    /// let fields = [Field::Uri];
    /// let mut rows = Vec::new();
    /// for link in linksift::links("example.com example.org") {
    ///     Record::link("-", &link).push_row_of(&fields, &mut rows);
    /// }
    /// let mut file = Vec::new();
    /// let mut writer = ParquetWriter::new(&mut file, &fields)?;
    /// writer.write_rows(&rows)?;
    /// writer.finish()?;
    /// assert!(file.ends_with(b"PAR1"));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn finish(mut self) -> io::Result<()> {
        if self.rows > 0 {
            self.write_group()?;
        }
        let end = self.end(&self.groups)?;
        self.writer.write_all(&end)?;
        self.writer.flush()
    }

    /// Returns the end of a file with these groups.
    fn end(&self, groups: &[RowGroupMetaData]) -> io::Result<Vec<u8>> {
        let rows = groups.iter().map(RowGroupMetaData::num_rows).sum();
        let properties = self.writer.properties();
        let (version, by) =
            (properties.writer_version().as_num(), properties.created_by().to_owned());
        let schema = Arc::new(self.writer.schema_descr().clone());
        let file = FileMetaData::new(version, rows, Some(by), None, schema, None);
        let mut end = Vec::new();
        ParquetMetaDataWriter::new(&mut end, &ParquetMetaData::new(file, groups.to_vec()))
            .finish()
            .map_err(failed)?;
        Ok(end)
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
        if let Some(group) = self.writer.flushed_row_groups().last() {
            // The writer counts only its own groups.
            let number = i32::try_from(self.groups.len()).map_err(io::Error::other)?;
            let group = group.clone().into_builder().set_ordinal(number).build().map_err(failed)?;
            let end = self.end(&[group])?;
            self.groups.extend(groups(&end[..end.len() - TAIL])?);
        }
        self.held.clear();
        (self.rows, self.bytes) = (0, 0);
        Ok(())
    }
}

/// Returns the groups in the end of a file.
fn groups(end: &[u8]) -> io::Result<Vec<RowGroupMetaData>> {
    // As a mask they would not be written as they were.
    let options = ParquetMetaDataOptions::new().with_encoding_stats_as_mask(false);
    let metadata = ParquetMetaDataReader::decode_metadata_with_options(end, Some(&options));
    Ok(metadata.map_err(failed)?.row_groups().to_vec())
}

impl Column {
    /// Takes its value from the front of a row in `shared`; returns the approximate size of the value in memory.
    fn take(&mut self, rows: &mut RowReader<'_>, shared: &ByteArray) -> Option<usize> {
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
                let text = shared.slice(text.start, text.len());
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
    use crate::report::Record;

    #[test]
    fn what_is_written_is_read_again() {
        let finder = crate::Finder::new();
        let (mut rows, mut ends) = (Vec::new(), Vec::new());
        let text = "ftp://me@example.com/100% http://300.1.1.1/ example.org/ж ";
        let hints = crate::Hints::new().positions(true);
        let mut count = 0;
        for _ in 0..50_000 {
            for candidate in finder.document(text.as_bytes(), &hints).unwrap() {
                match &candidate {
                    crate::Candidate::Link(link) => {
                        Record::link("a", link).push_row_of(Field::ALL, &mut rows)
                    }
                    crate::Candidate::Rejected(rejected) => {
                        Record::rejected("a", rejected).push_row_of(Field::ALL, &mut rows)
                    }
                }
                count += 1;
                ends.push(rows.len());
            }
        }
        assert!(count > GROUP, "several groups");
        let mut file = Vec::new();
        let mut writer = ParquetWriter::new(&mut file, Field::ALL).unwrap();
        writer.write_rows(&rows).unwrap();
        writer.finish().unwrap();
        assert!(file.len() < 2 << 20, "{}", file.len());
        // A file that was suspended several times is the same.
        let mut again = Vec::new();
        let mut writer = ParquetWriter::new(&mut again, Field::ALL).unwrap();
        let mut start = 0;
        for end in ends.into_iter().step_by(count / 5).chain([rows.len()]) {
            writer.write_rows(&rows[start..end]).unwrap();
            start = end;
            let (len, kept) = writer.suspend().unwrap();
            drop(writer);
            again.truncate(len as usize);
            writer = ParquetWriter::resume(&mut again, Field::ALL, len, &kept).unwrap();
        }
        writer.finish().unwrap();
        assert!(again == file);
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
