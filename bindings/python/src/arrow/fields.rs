//! The fields of records as columns: their names, their types, and what each takes from a link.

use linksift::{Candidate, Severity, Transfer};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::Overflow;
use super::column::{Column, Named, Type};
use crate::link::{Finding, either};

/// A field of records. The names are those of the command's records, without `path_bytes`, `member_bytes` and `rule`, and
/// with `row`, `severity`, `findings`, `display` and `error`.
macro_rules! fields {
    ($($Field:ident = $name:literal $kind:ident $nullable:ident,)+) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Field { $($Field,)+ }

        impl Field {
            const ALL: &'static [(&'static str, Field)] = &[$(($name, Field::$Field),)+];

            pub(crate) fn column(self) -> Named {
                match self {
                    $(Field::$Field => Named::new($name, fields!(@type $kind), fields!(@null $nullable)),)+
                }
            }
        }
    };
    (@type integer) => { Type::Integer };
    (@type text) => { Type::Text };
    (@type flag) => { Type::Flag };
    (@type codes) => { Type::List(Box::new(Named::new("item", Type::Text, false))) };
    (@type findings) => {
        Type::List(Box::new(Named::new("item", Type::Struct(finding_columns()), false)))
    };
    (@null always) => { false };
    (@null sometimes) => { true };
}

fields! {
    Row = "row" integer always,
    Path = "path" text always,
    Member = "member" text sometimes,
    Part = "part" text sometimes,
    Transfer = "transfer" text sometimes,
    Source = "source" text sometimes,
    MessageId = "message_id" text sometimes,
    Page = "page" integer sometimes,
    Object = "object" text sometimes,
    Start = "start" integer sometimes,
    End = "end" integer sometimes,
    Line = "line" integer sometimes,
    Column = "column" integer sometimes,
    Kind = "kind" text sometimes,
    Context = "context" text sometimes,
    Charset = "charset" text sometimes,
    Raw = "raw" text sometimes,
    Iri = "iri" text sometimes,
    Uri = "uri" text sometimes,
    Host = "host" text sometimes,
    Rejected = "rejected" text sometimes,
    Warnings = "warnings" codes sometimes,
    Severity = "severity" text sometimes,
    Findings = "findings" findings sometimes,
    Display = "display" text sometimes,
    Shown = "shown" text sometimes,
    Role = "role" text sometimes,
    Text = "text" text sometimes,
    Rel = "rel" text sometimes,
    Code = "code" flag sometimes,
    Error = "error" text sometimes,
}

fn finding_columns() -> Vec<Named> {
    vec![
        Named::new("warning", Type::Text, false),
        Named::new("severity", Type::Text, false),
        Named::new("start", Type::Integer, false),
        Named::new("end", Type::Integer, false),
        Named::new("what", Type::Text, true),
    ]
}

/// The fields that a list of names names.
pub(crate) fn named(names: Vec<String>, without: &[Field]) -> PyResult<Vec<Field>> {
    let all = || Field::ALL.iter().filter(|(_, field)| !without.contains(field));
    let mut fields = Vec::new();
    for name in names {
        let Some((_, field)) = all().find(|(known, _)| *known == name) else {
            let known: Vec<_> = all().map(|(name, _)| *name).collect();
            let text = format!("unknown field {name:?}: expected one of {}", known.join(", "));
            return Err(PyValueError::new_err(text));
        };
        if fields.contains(field) {
            return Err(PyValueError::new_err(format!("duplicate field {name:?}")));
        }
        fields.push(*field);
    }
    Ok(fields)
}

/// What one record is made of.
#[derive(Clone, Copy)]
pub(crate) struct Record<'r> {
    /// The row of the column, or 0.
    pub(crate) row: u64,
    /// The input, or nothing.
    pub(crate) path: &'r str,
    /// What failed: then there is no link.
    pub(crate) failed: Option<Failed<'r>>,
    pub(crate) start: u64,
    pub(crate) end: u64,
    pub(crate) column: Option<u64>,
}

#[derive(Clone, Copy)]
pub(crate) struct Failed<'r> {
    pub(crate) member: &'r str,
    pub(crate) error: &'r str,
}

/// Records as columns.
#[derive(Debug)]
pub(crate) struct Records {
    fields: Vec<Field>,
    /// A struct of a column for each field.
    pub(crate) columns: Column,
    /// The bytes of its texts.
    pub(crate) text_bytes: usize,
}

impl Records {
    pub(crate) fn new(fields: &[Field]) -> Records {
        let columns = Column::new(&kind(fields));
        Records { fields: fields.to_vec(), columns, text_bytes: 0 }
    }

    /// Puts what `later` has after what is here.
    pub(crate) fn append(&mut self, later: &Records) -> Result<(), Overflow> {
        self.text_bytes += later.text_bytes;
        self.columns.append(&later.columns)
    }

    pub(crate) fn len(&self) -> usize {
        self.columns.len()
    }

    /// A record that says what failed.
    pub(crate) fn push_failed(&mut self, record: Record<'_>) -> Result<(), Overflow> {
        let Some(failed) = record.failed else { return Ok(()) };
        for (field, column) in self.fields.iter().zip(self.columns.children()) {
            let text = match field {
                Field::Row => {
                    column.push_integer(Some(record.row));
                    continue;
                }
                Field::Path => Some(record.path),
                Field::Member => Some(failed.member).filter(|member| !member.is_empty()),
                Field::Error => Some(failed.error),
                _ => None,
            };
            self.text_bytes += text.map_or(0, str::len);
            match column {
                Column::Integer { .. } => column.push_integer(None),
                Column::Flag { .. } => column.push_flag(None),
                Column::List { .. } => column.push_list(false)?,
                _ => column.push_text(text)?,
            }
        }
        self.columns.push_struct();
        Ok(())
    }

    /// A link or a rejected candidate.
    pub(crate) fn push(
        &mut self,
        record: Record<'_>,
        judged: &Candidate<'_>,
    ) -> Result<(), Overflow> {
        let link = judged.link();
        let position = || either!(judged, position);
        for (field, column) in self.fields.iter().zip(self.columns.children()) {
            let size = &mut self.text_bytes;
            let mut text = |column: &mut Column, value: Option<&str>| {
                *size += value.map_or(0, str::len);
                column.push_text(value)
            };
            match field {
                Field::Row => column.push_integer(Some(record.row)),
                Field::Path => text(column, Some(record.path))?,
                Field::Member => text(column, either!(judged, member))?,
                Field::Part => text(column, either!(judged, part))?,
                Field::Transfer => {
                    text(column, either!(judged, transfer).map(Transfer::as_str))?;
                }
                Field::Source => text(column, either!(judged, source))?,
                Field::MessageId => text(column, either!(judged, message_id))?,
                Field::Page => column.push_integer(either!(judged, page)),
                Field::Object => text(column, either!(judged, object))?,
                Field::Start => column.push_integer(Some(record.start)),
                Field::End => column.push_integer(Some(record.end)),
                Field::Line => column.push_integer(position().map(|position| position.line)),
                Field::Column => column.push_integer(record.column),
                Field::Kind => text(column, Some(either!(judged, kind).as_str()))?,
                Field::Context => text(column, Some(either!(judged, context).as_str()))?,
                Field::Charset => text(column, Some(either!(judged, charset).as_str()))?,
                Field::Raw => text(column, Some(either!(judged, raw)))?,
                Field::Iri => text(column, Some(&either!(judged, iri)))?,
                Field::Uri => text(column, link.map(linksift::Link::uri).as_deref())?,
                Field::Host => text(column, link.and_then(linksift::Link::host).as_deref())?,
                Field::Rejected => {
                    let reason = judged.rejected().map(|rejected| rejected.reason().as_str());
                    text(column, reason)?;
                }
                Field::Warnings => {
                    for warning in either!(judged, warnings) {
                        text(column.child(), Some(warning.as_str()))?;
                    }
                    column.push_list(true)?;
                }
                Field::Severity => {
                    text(column, either!(judged, severity).map(Severity::as_str))?;
                }
                Field::Findings => {
                    for finding in Finding::all(judged) {
                        push_finding(column.child(), &finding)?;
                    }
                    column.push_list(true)?;
                }
                Field::Display => text(column, link.map(linksift::Link::display).as_deref())?,
                Field::Shown => text(column, either!(judged, text_host))?,
                Field::Role => text(column, link.map(|link| link.role().as_str()))?,
                Field::Text => text(column, link.and_then(linksift::Link::text))?,
                Field::Rel => text(column, link.and_then(linksift::Link::rel))?,
                Field::Code => column.push_flag(Some(either!(judged, is_code))),
                Field::Error => text(column, None)?,
            }
        }
        self.columns.push_struct();
        Ok(())
    }
}

fn push_finding(column: &mut Column, finding: &Finding) -> Result<(), Overflow> {
    let (warning, severity, start, end, what) = finding.columns();
    if let [warnings, severities, starts, ends, whats] = column.children() {
        warnings.push_text(Some(warning))?;
        severities.push_text(Some(severity))?;
        starts.push_integer(Some(start as u64));
        ends.push_integer(Some(end as u64));
        whats.push_text(what)?;
    }
    column.push_struct();
    Ok(())
}

/// The names of fields and their types in SQL, as Spark has them.
#[pyfunction]
pub(crate) fn ddl(names: Vec<String>) -> PyResult<Vec<(&'static str, String)>> {
    let fields = named(names, &[])?;
    let column = |field: Field| {
        let column = field.column();
        (column.name, sql(&column.kind))
    };
    Ok(fields.into_iter().map(column).collect())
}

fn sql(kind: &Type) -> String {
    match kind {
        Type::Integer => "bigint".to_owned(),
        Type::Flag => "boolean".to_owned(),
        Type::Text => "string".to_owned(),
        Type::List(item) => format!("array<{}>", sql(&item.kind)),
        Type::Struct(fields) => {
            let fields = fields.iter().map(|field| format!("{}:{}", field.name, sql(&field.kind)));
            format!("struct<{}>", fields.collect::<Vec<_>>().join(","))
        }
    }
}

/// The type of records of these fields.
pub(crate) fn kind(fields: &[Field]) -> Type {
    Type::Struct(fields.iter().map(|field| field.column()).collect())
}
