//! Records as JSON, one object a line.

use std::io;

use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::Record;

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // JSON and what else is likely do not look at the count, which the optional fields change.
        let mut fields = serializer.serialize_struct("Record", 15)?;
        fields.serialize_field("path", &self.path)?;
        match self.path_bytes {
            Some(bytes) => fields.serialize_field("path_bytes", &hex(bytes))?,
            None => fields.skip_field("path_bytes")?,
        }
        fields.serialize_field("start", &self.start)?;
        fields.serialize_field("end", &self.end)?;
        match self.position {
            Some(position) => {
                fields.serialize_field("line", &position.line)?;
                fields.serialize_field("column", &position.column)?;
            }
            None => {
                fields.skip_field("line")?;
                fields.skip_field("column")?;
            }
        }
        fields.serialize_field("kind", self.kind.as_str())?;
        fields.serialize_field("context", self.context)?;
        fields.serialize_field("charset", self.charset)?;
        fields.serialize_field("raw", self.raw)?;
        fields.serialize_field("iri", &self.iri)?;
        for (name, value) in [("uri", &self.uri), ("host", &self.host)] {
            match value {
                Some(value) => fields.serialize_field(name, value)?,
                None => fields.skip_field(name)?,
            }
        }
        match self.rejected {
            Some(code) => fields.serialize_field("rejected", code)?,
            None => fields.skip_field("rejected")?,
        }
        match self.warnings.is_empty() {
            true => fields.skip_field("warnings")?,
            false => fields.serialize_field("warnings", &Codes(self))?,
        }
        fields.end()
    }
}

struct Codes<'r>(&'r Record<'r>);

impl Serialize for Codes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.warnings.map(|warning| warning.code()))
    }
}

/// Two lower-case digits for each byte.
pub(super) fn hex(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from(b"0123456789abcdef"[usize::from(value)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

impl Record<'_> {
    /// Appends the record as one line of JSON, with its line feed. Fields that have nothing to say
    /// are absent.
    pub fn push_json(&self, out: &mut Vec<u8>) {
        // Neither a `Vec` nor these fields can fail.
        if serde_json::to_writer(&mut *out, self).is_ok() {
            out.push(b'\n');
        }
    }

    /// Writes the record as one line of JSON, with its line feed.
    ///
    /// # Errors
    ///
    /// What the writer fails with.
    ///
    /// ```
    /// let link = linksift::links("example.com").next().unwrap();
    /// let mut out = Vec::new();
    /// linksift::report::Record::link("-", &link).write_json(&mut out)?;
    /// assert!(out.starts_with(br#"{"path":"-","start":0,"end":11,"kind":"schemeless","#));
    /// # Ok::<(), std::io::Error>(())
    /// ```
    pub fn write_json<W: io::Write>(&self, mut out: W) -> io::Result<()> {
        serde_json::to_writer(&mut out, self)?;
        out.write_all(b"\n")
    }
}
