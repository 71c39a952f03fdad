//! Schemas of the records: a JSON Schema for JSON lines, and an SQL table for CSV.

use std::fmt::Write;

use super::field::{Field, Type};

/// Returns the JSON Schema (2020-12) of one line of JSON. Fields that may be absent are those that are not `required`.
///
/// ```
/// let schema: serde_json::Value = serde_json::from_str(&linksift::report::json_schema()).unwrap();
/// assert_eq!(schema["properties"]["start"]["type"], "integer");
/// assert!(schema["required"].as_array().unwrap().contains(&"uri".into()) == false);
/// ```
pub fn json_schema() -> String {
    let quoted = |words: Vec<&str>| {
        let words: Vec<_> = words.iter().map(|word| format!("\"{word}\"")).collect();
        words.join(", ")
    };
    let required = Field::ALL.iter().filter(|field| !field.is_optional());
    let required = quoted(required.map(|field| field.as_str()).collect());
    let mut out = String::from("{\n");
    out += "  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n";
    out += "  \"title\": \"linksift record\",\n  \"type\": \"object\",\n";
    out += "  \"properties\": {\n";
    for (number, field) in Field::ALL.iter().enumerate() {
        let kind = match field.value_type() {
            Type::Text => r#""type": "string""#,
            Type::Integer => r#""type": "integer", "minimum": 0"#,
            Type::Codes => r#""type": "array", "items": {"type": "string"}"#,
        };
        let separator = if number + 1 == Field::ALL.len() { "" } else { "," };
        let (name, meaning) = (field.as_str(), field.meaning());
        // Writing to a `String` cannot fail.
        let _ =
            writeln!(out, "    \"{name}\": {{{kind}, \"description\": \"{meaning}\"}}{separator}");
    }
    let _ = write!(out, "  }},\n  \"required\": [{required}]\n}}\n");
    out
}

/// Returns the definition of a table with the columns of CSV, in SQL for PostgreSQL, SQLite and DuckDB.
///
/// ```
/// assert!(linksift::report::sql_schema().starts_with("CREATE TABLE links (\n"));
/// ```
pub fn sql_schema() -> String {
    let mut out = String::from("CREATE TABLE links (\n");
    for (number, field) in Field::ALL.iter().enumerate() {
        let kind = match field.value_type() {
            Type::Text | Type::Codes => "TEXT",
            Type::Integer => "BIGINT",
        };
        let null = if field.is_optional() { "" } else { " NOT NULL" };
        let separator = if number + 1 == Field::ALL.len() { "" } else { "," };
        let (name, meaning) = (field.as_str(), field.meaning());
        let _ = writeln!(out, "  \"{name}\" {kind}{null}{separator} -- {meaning}");
    }
    out += ");\n";
    out
}
