//! Expected records, as the fixtures hold them: a file of its own, since it needs the feature `report`.

use linksift::report::{Field, Record};

/// Appends the fields of a record that have a value as a line of JSON: in fixtures the others would hide what differs. The
/// severity follows from the warnings.
pub(crate) fn push_present(record: &Record<'_>, out: &mut Vec<u8>) {
    // Every record has these, and they are derived from others.
    let derived = [Field::Severity, Field::Role, Field::Code];
    let is_present = |field: &Field| !derived.contains(field) && record.text(*field).is_some();
    let fields: Vec<_> = Field::ALL.iter().copied().filter(is_present).collect();
    record.push_json_of(&fields, out);
}
