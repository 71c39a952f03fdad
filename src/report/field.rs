//! The fields of a record: their names, order, types and meanings, for all forms of records, and their schemas.

use std::borrow::Cow;
use std::fmt::Write;

use super::{Record, hex};
use crate::codes::coded;
use crate::link::{Link, Rejected, Transfer, Warnings};

coded! {
    /// A field of a record. The order of [`Field::ALL`] is that of JSON and CSV.
    ///
    /// The documentation of a field is its [meaning](Field::meaning) in schemas and in the manual page.
    ///
    /// ```
    /// use linksift::report::Field;
    ///
    /// let field: Field = "uri".parse()?;
    /// assert_eq!(field.as_str(), "uri");
    /// assert!("url".parse::<Field>().is_err());
    /// # Ok::<(), linksift::ParseEnumError>(())
    /// ```
    pub enum Field in "linksift::report" {
        /// path of the input as given, - for standard input
        Path = "path",
        /// bytes of a path that is not UTF-8, in hexadecimal
        PathBytes = "path_bytes",
        /// archive member that contains the link, outermost first, joined by !
        Member = "member",
        /// bytes of a member name that is not UTF-8, in hexadecimal
        MemberBytes = "member_bytes",
        /// position in a mailbox or message, such as 12!1.2
        Part = "part",
        /// transfer encoding of the link
        Transfer = "transfer",
        /// IRI of the document itself
        Source = "source",
        /// Message-ID of the message that contains the link
        MessageId = "message_id",
        /// page of the document, from 1
        Page = "page",
        /// object of the document in whose decoded text start and end count, such as 31 0
        Object = "object",
        /// byte offset of the start of the link in the stored bytes
        Start = "start",
        /// byte offset of the end of the link
        End = "end",
        /// line of the start, from 1
        Line = "line",
        /// column of the start, from 1
        Column = "column",
        /// iri, schemeless, email or reference
        Kind = "kind",
        /// where the link occurs: text, a@href, img@srcset, style ...
        Context = "context",
        /// encoding that the input was decoded from
        Charset = "charset",
        /// link as written, decoded
        Raw = "raw",
        /// IRI, resolved against the base if there is one
        Iri = "iri",
        /// URI that the link maps to; absent if rejected
        Uri = "uri",
        /// host of uri
        Host = "host",
        /// reason for the rejection; only with --rejected
        Rejected = "rejected",
        /// warnings about the link
        Warnings = "warnings",
        /// greatest severity of the warnings: note, suspect or deceptive
        Severity = "severity",
        /// host in the visible text, if it is another one
        Shown = "shown",
        /// rule that treats the candidate as a file or member name; only with --rejected
        Rule = "rule",
        /// what a program does with the link: text, navigate, embed, submit ...; absent if rejected
        Role = "role",
        /// visible text of the link, at most 1 KiB
        Text = "text",
        /// relation of the link, such as nofollow
        Rel = "rel",
        /// whether the link is in code and not in prose
        Code = "code",
    }
}

/// The list without its last two is that of links.
const DEFAULT_AND_REJECTED: [Field; 20] = [
    Field::Path,
    Field::Member,
    Field::Part,
    Field::Source,
    Field::Page,
    Field::Object,
    Field::Start,
    Field::End,
    Field::Line,
    Field::Column,
    Field::Kind,
    Field::Context,
    Field::Charset,
    Field::Raw,
    Field::Iri,
    Field::Uri,
    Field::Host,
    Field::Warnings,
    Field::Rejected,
    Field::Rule,
];

/// Type of a field's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Text,
    Integer,
    /// `true` or `false`.
    Flag,
    /// Codes: a list in JSON, elsewhere separated by spaces.
    Codes,
}

/// The value of a field.
pub(super) enum FieldValue<'r> {
    Absent,
    Text(Cow<'r, str>),
    Integer(u64),
    Flag(bool),
    Codes(&'r Warnings),
}

impl<'r> FieldValue<'r> {
    fn text<T: Into<Cow<'r, str>>>(text: Option<T>) -> FieldValue<'r> {
        text.map_or(FieldValue::Absent, |text| FieldValue::Text(text.into()))
    }

    fn number(number: Option<u64>) -> FieldValue<'r> {
        number.map_or(FieldValue::Absent, FieldValue::Integer)
    }
}

impl Field {
    /// Fields of a record by default, in this order: of [`push_json`](Record::push_json), of `--json` and `--csv`.
    ///
    /// ```
    /// use linksift::report::Field;
    ///
    /// assert!(Field::DEFAULT.contains(&Field::Warnings) && !Field::DEFAULT.contains(&Field::Transfer));
    /// ```
    pub const DEFAULT: &[Field] = DEFAULT_AND_REJECTED.split_at(DEFAULT_AND_REJECTED.len() - 2).0;

    /// Fields of a record where rejected candidates are records too: [`DEFAULT`](Field::DEFAULT), `rejected` and `rule`.
    ///
    /// ```
    /// use linksift::report::Field;
    ///
    /// assert!(Field::WITH_REJECTED.starts_with(Field::DEFAULT));
    /// assert!(Field::WITH_REJECTED.ends_with(&[Field::Rejected, Field::Rule]));
    /// ```
    pub const WITH_REJECTED: &[Field] = &DEFAULT_AND_REJECTED;

    /// Returns `true` if a record may have no value of it: `null` in JSON, empty in CSV.
    ///
    /// ```
    /// use linksift::report::Field;
    ///
    /// assert!(Field::Host.is_optional() && !Field::Path.is_optional());
    /// ```
    pub const fn is_optional(self) -> bool {
        !matches!(
            self,
            Field::Path
                | Field::Start
                | Field::End
                | Field::Kind
                | Field::Context
                | Field::Charset
                | Field::Raw
                | Field::Iri
                | Field::Code
        )
    }

    /// Returns the meaning of the field, in one line for people.
    ///
    /// ```
    /// assert_eq!(linksift::report::Field::Start.meaning(), "byte offset of the start of the link in the stored bytes");
    /// ```
    pub const fn meaning(self) -> &'static str {
        Field::DOCS[self as usize].trim_ascii()
    }

    pub(super) const fn value_type(self) -> Type {
        match self {
            Field::Page | Field::Start | Field::End | Field::Line | Field::Column => Type::Integer,
            Field::Warnings => Type::Codes,
            Field::Code => Type::Flag,
            _ => Type::Text,
        }
    }

    /// Returns `true` if CSV always quotes its values. Programs that detect how a file is quoted examine only its first
    /// lines, and the first comma in a URI may come later.
    pub(super) const fn is_quoted(self) -> bool {
        matches!(
            self,
            Field::Path | Field::Source | Field::Raw | Field::Iri | Field::Uri | Field::Text
        )
    }
}

impl Record<'_> {
    pub(super) fn value(&self, field: Field) -> FieldValue<'_> {
        /// Calls an accessor that links and rejected candidates both have.
        macro_rules! both {
            ($accessor:ident) => {
                match self.found {
                    Ok(link) => link.$accessor(),
                    Err(rejected) => rejected.$accessor(),
                }
            };
        }
        let (text, number) = (FieldValue::text::<&str>, FieldValue::number);
        match field {
            Field::Path => text(self.path.as_deref()),
            Field::PathBytes => FieldValue::text(self.path_bytes.map(hex)),
            Field::Member => text(both!(member)),
            Field::MemberBytes => FieldValue::text(both!(member_bytes).map(hex)),
            Field::Part => text(both!(part)),
            Field::Transfer => text(both!(transfer).map(Transfer::as_str)),
            Field::Source => text(both!(source)),
            Field::MessageId => text(both!(message_id)),
            Field::Page => number(both!(page)),
            Field::Object => text(both!(object)),
            Field::Start => number(Some(both!(range).start as u64)),
            Field::End => number(Some(both!(range).end as u64)),
            Field::Line => number(both!(position).map(|position| position.line)),
            Field::Column => number(both!(position).map(|position| position.column)),
            Field::Kind => text(Some(both!(kind).as_str())),
            Field::Context => text(Some(both!(context).as_str())),
            Field::Charset => text(Some(both!(charset).as_str())),
            Field::Raw => text(Some(both!(raw))),
            Field::Iri => FieldValue::Text(both!(iri)),
            Field::Uri => text(self.found.ok().map(|_| &*self.derived.uri)),
            Field::Host => text(self.derived.host.as_deref()),
            Field::Rejected => text(self.found.err().map(|rejected| rejected.reason().as_str())),
            Field::Warnings => FieldValue::Codes(&self.derived.warnings),
            Field::Severity => text(both!(severity).map(|severity| severity.as_str())),
            Field::Shown => text(both!(text_host)),
            Field::Rule => text(self.found.err().and_then(Rejected::rule)),
            Field::Role => text(self.found.ok().map(|link| link.role().as_str())),
            Field::Text => text(self.found.ok().and_then(Link::text)),
            Field::Rel => text(self.found.ok().and_then(Link::rel)),
            Field::Code => FieldValue::Flag(both!(is_code)),
        }
    }

    /// Returns the value of a field as text: numbers in decimal, several warnings separated by spaces; `None` if the record
    /// has no value of it.
    ///
    /// ```
    /// use linksift::report::{Field, Record};
    ///
    /// let link = linksift::links("see example.com/a").next().unwrap();
    /// let record = Record::link("notes.txt", &link);
    /// assert_eq!(record.text(Field::Host).as_deref(), Some("example.com"));
    /// assert_eq!(record.text(Field::Start).as_deref(), Some("4"));
    /// assert_eq!(record.text(Field::Line), None);
    /// ```
    pub fn text(&self, field: Field) -> Option<Cow<'_, str>> {
        match self.value(field) {
            FieldValue::Absent => None,
            FieldValue::Text(text) => Some(text),
            FieldValue::Integer(number) => Some(Cow::Owned(number.to_string())),
            FieldValue::Flag(is_set) => Some(if is_set { "true" } else { "false" }.into()),
            FieldValue::Codes(warnings) if warnings.is_empty() => None,
            FieldValue::Codes(warnings) => {
                let codes: Vec<_> = warnings.iter().map(|warning| warning.as_str()).collect();
                Some(Cow::Owned(codes.join(" ")))
            }
        }
    }
}

/// Returns the JSON Schema (2020-12) of one line of JSON with these fields, all of which are `required`.
///
/// ```
/// use linksift::report::{Field, json_schema};
///
/// let schema: serde_json::Value = serde_json::from_str(&json_schema(Field::DEFAULT)).unwrap();
/// assert_eq!(schema["properties"]["start"]["type"], "integer");
/// assert_eq!(schema["properties"]["host"]["type"], serde_json::json!(["string", "null"]));
/// assert!(schema["required"].as_array().unwrap().contains(&"host".into()));
/// ```
pub fn json_schema(fields: &[Field]) -> String {
    let quoted = |words: Vec<&str>| {
        let words: Vec<_> = words.iter().map(|word| format!("\"{word}\"")).collect();
        words.join(", ")
    };
    let required = quoted(fields.iter().map(|field| field.as_str()).collect());
    let mut out = String::from("{\n");
    out += "  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n";
    out += "  \"title\": \"linksift record\",\n  \"type\": \"object\",\n";
    out += "  \"properties\": {\n";
    for (number, field) in fields.iter().enumerate() {
        let kind = match (field.value_type(), field.is_optional()) {
            (Type::Text, false) => r#""type": "string""#,
            (Type::Text, true) => r#""type": ["string", "null"]"#,
            (Type::Integer, false) => r#""type": "integer", "minimum": 0"#,
            (Type::Integer, true) => r#""type": ["integer", "null"], "minimum": 0"#,
            (Type::Flag, _) => r#""type": "boolean""#,
            (Type::Codes, _) => r#""type": "array", "items": {"type": "string"}"#,
        };
        let separator = if number + 1 == fields.len() { "" } else { "," };
        let (name, meaning) = (field.as_str(), field.meaning());
        // Writing to a `String` cannot fail.
        let _ =
            writeln!(out, "    \"{name}\": {{{kind}, \"description\": \"{meaning}\"}}{separator}");
    }
    let _ = write!(out, "  }},\n  \"required\": [{required}]\n}}\n");
    out
}

/// Returns the definition of a table with these columns of CSV, in SQL for PostgreSQL, SQLite and DuckDB.
///
/// ```
/// use linksift::report::{Field, sql_schema};
///
/// assert!(sql_schema(Field::DEFAULT).starts_with("CREATE TABLE links (\n"));
/// ```
pub fn sql_schema(fields: &[Field]) -> String {
    let mut out = String::from("CREATE TABLE links (\n");
    for (number, field) in fields.iter().enumerate() {
        let kind = match field.value_type() {
            Type::Text | Type::Codes => "TEXT",
            Type::Integer => "BIGINT",
            Type::Flag => "BOOLEAN",
        };
        let null = if field.is_optional() { "" } else { " NOT NULL" };
        let separator = if number + 1 == fields.len() { "" } else { "," };
        let (name, meaning) = (field.as_str(), field.meaning());
        let _ = writeln!(out, "  \"{name}\" {kind}{null}{separator} -- {meaning}");
    }
    out += ");\n";
    out
}
