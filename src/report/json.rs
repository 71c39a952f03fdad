//! Records as JSON, one object per line.

#[cfg(feature = "report")]
use std::io;

use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::Record;
use super::field::{Field, FieldValue};

/// Selected fields of a record.
struct Selected<'r>(&'r Record<'r>, &'r [Field]);

impl Serialize for Selected<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Selected(record, fields) = self;
        // Programs that infer columns from the first lines would lose a field that is absent from them.
        let mut out = serializer.serialize_struct("Record", fields.len())?;
        for field in *fields {
            let name = field.as_str();
            match record.value(*field) {
                FieldValue::Absent => out.serialize_field(name, &None::<()>)?,
                FieldValue::Text(text) => out.serialize_field(name, &text)?,
                FieldValue::Integer(number) => out.serialize_field(name, &number)?,
                FieldValue::Flag(is_set) => out.serialize_field(name, &is_set)?,
                FieldValue::Codes(warnings) => out.serialize_field(name, warnings)?,
            }
        }
        out.end()
    }
}

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let fields = self.fields();
        // A link alone has no path, and none of its records has one.
        let fields = if self.path.is_none() { &fields[1..] } else { fields };
        Selected(self, fields).serialize(serializer)
    }
}

#[cfg(feature = "report")]
impl Record<'_> {
    /// Appends the [default fields](Record::fields) of the record as one line of JSON, with its line feed. Fields without a
    /// value are `null`, and `warnings` is a list.
    ///
    /// ```
    /// use linksift::report::Record;
    ///
    /// let mut lines = Vec::new();
    /// for link in linksift::links("see example.com or http://example.org/") {
    ///     Record::link("notes.txt", &link).push_json(&mut lines);
    /// }
    /// let lines = String::from_utf8(lines)?;
    /// assert_eq!(lines.lines().count(), 2);
    /// assert!(lines.contains(r#""uri":"https://example.com""#) && lines.contains(r#""warnings":[]"#));
    /// # Ok::<(), std::string::FromUtf8Error>(())
    /// ```
    pub fn push_json(&self, out: &mut Vec<u8>) {
        self.push_json_of(self.fields(), out);
    }

    /// Appends these fields of the record as one line of JSON, in this order. Fields without a value are `null`, and
    /// `warnings` is a list.
    ///
    /// ```
    /// use linksift::report::{Field, Record};
    ///
    /// let link = linksift::links("example.com").next().unwrap();
    /// let mut out = Vec::new();
    /// Record::link("-", &link).push_json_of(&[Field::Uri, Field::Line, Field::End], &mut out);
    /// assert_eq!(out, b"{\"uri\":\"https://example.com\",\"line\":null,\"end\":11}\n");
    /// ```
    pub fn push_json_of(&self, fields: &[Field], out: &mut Vec<u8>) {
        // Neither writing to a `Vec` nor serializing these fields can fail.
        if serde_json::to_writer(&mut *out, &Selected(self, fields)).is_ok() {
            out.push(b'\n');
        }
    }

    /// Writes the record as one line of JSON, with its line feed.
    ///
    /// # Errors
    ///
    /// Returns the error of the writer.
    ///
    /// ```
    /// let link = linksift::links("example.com").next().unwrap();
    /// let mut out = Vec::new();
    /// linksift::report::Record::link("-", &link).write_json(&mut out)?;
    /// assert!(out.starts_with(br#"{"path":"-","member":null,"part":null,"source":null,"#));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn write_json<W: io::Write>(&self, mut out: W) -> io::Result<()> {
        serde_json::to_writer(&mut out, self)?;
        out.write_all(b"\n")
    }
}
