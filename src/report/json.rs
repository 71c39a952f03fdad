//! Records as JSON, one object a line.

use std::io;

use serde::ser::{Serialize, SerializeStruct, Serializer};

use super::Record;
use crate::link::Transfer;

impl Serialize for Record<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        // JSON and what else is likely do not look at the count, which the optional fields change.
        let mut fields = serializer.serialize_struct("Record", 22)?;
        let out = &mut fields;
        out.serialize_field("path", &self.path)?;
        optional(out, "path_bytes", self.path_bytes.map(hex))?;
        optional(out, "member", self.member)?;
        optional(out, "member_bytes", self.member_bytes.map(hex))?;
        optional(out, "part", self.part)?;
        optional(out, "transfer", self.transfer.map(Transfer::as_str))?;
        optional(out, "source", self.source)?;
        optional(out, "message_id", self.message_id)?;
        out.serialize_field("start", &self.start)?;
        out.serialize_field("end", &self.end)?;
        optional(out, "line", self.position.map(|position| position.line))?;
        optional(out, "column", self.position.map(|position| position.column))?;
        out.serialize_field("kind", self.kind.as_str())?;
        out.serialize_field("context", self.context)?;
        out.serialize_field("charset", self.charset)?;
        out.serialize_field("raw", self.raw)?;
        out.serialize_field("iri", &self.iri)?;
        optional(out, "uri", self.uri.as_deref())?;
        optional(out, "host", self.host.as_deref())?;
        optional(out, "rejected", self.rejected)?;
        optional(out, "warnings", (!self.warnings.is_empty()).then_some(Codes(self)))?;
        optional(out, "shown", self.shown)?;
        fields.end()
    }
}

/// A field that is absent when it has nothing to say.
fn optional<S: SerializeStruct, T: Serialize>(
    fields: &mut S,
    name: &'static str,
    value: Option<T>,
) -> Result<(), S::Error> {
    match value {
        Some(value) => fields.serialize_field(name, &value),
        None => fields.skip_field(name),
    }
}

struct Codes<'r>(&'r Record<'r>);

impl Serialize for Codes<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.warnings.iter().map(|warning| warning.code()))
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
