//! Templates: the form of a line of plain output, with the names of fields.

use std::str::FromStr;

use linksift::report::{Field, Record};

use crate::safe::Controls;

/// Text with fields, from `--template`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Template {
    pieces: Vec<Piece>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Piece {
    Text(String),
    Field(Field),
}

impl FromStr for Template {
    type Err = String;

    fn from_str(text: &str) -> Result<Template, String> {
        let (mut pieces, mut literal) = (Vec::new(), String::new());
        let mut rest = text.chars();
        while let Some(c) = rest.next() {
            let next = rest.as_str().chars().next();
            match (c, next) {
                ('{' | '}', Some(same)) if same == c => {
                    rest.next();
                    literal.push(c);
                }
                ('{', _) => {
                    let Some((name, after)) = rest.as_str().split_once('}') else {
                        return Err("missing } after a field; write {{ for a brace".to_owned());
                    };
                    let field = name.parse::<Field>().map_err(|error| error.to_string())?;
                    if !literal.is_empty() {
                        pieces.push(Piece::Text(std::mem::take(&mut literal)));
                    }
                    pieces.push(Piece::Field(field));
                    rest = after.chars();
                }
                ('}', _) => return Err("missing field before }; write }} for a brace".to_owned()),
                ('\\', Some(escape)) => {
                    rest.next();
                    literal.push(match escape {
                        'n' => '\n',
                        'r' => '\r',
                        't' => '\t',
                        '0' => '\0',
                        '\\' => '\\',
                        _ => {
                            return Err(format!(
                                "unknown escape \\{escape}: expected one of \\n \\r \\t \\0 \\\\"
                            ));
                        }
                    });
                }
                _ => literal.push(c),
            }
        }
        if !literal.is_empty() {
            pieces.push(Piece::Text(literal));
        }
        Ok(Template { pieces })
    }
}

impl Template {
    /// Returns `true` if it contains one of these fields.
    pub(crate) fn shows(&self, wanted: &[Field]) -> bool {
        let is_wanted =
            |piece: &Piece| matches!(piece, Piece::Field(field) if wanted.contains(field));
        self.pieces.iter().any(is_wanted)
    }

    /// Appends a record in the form of this template.
    pub(crate) fn push(&self, record: &Record<'_>, controls: Controls, out: &mut Vec<u8>) {
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => out.extend_from_slice(text.as_bytes()),
                Piece::Field(field) => {
                    let value = record.text(*field).unwrap_or_default();
                    controls.push(value.as_bytes(), out);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(template: &str) -> Result<String, String> {
        let link = linksift::links("example.com/a").next().unwrap();
        let mut out = Vec::new();
        template.parse::<Template>()?.push(
            &Record::link("a\nb", &link),
            Controls::Escaped,
            &mut out,
        );
        Ok(String::from_utf8(out).unwrap())
    }

    #[test]
    fn fields_and_escapes() {
        assert_eq!(
            line("{path}\\t{host}\\t{uri}").unwrap(),
            "a\\nb\texample.com\thttps://example.com/a"
        );
        assert_eq!(line("{{{start}}}-{end}\\\\{line}|").unwrap(), "{0}-13\\|");
        assert_eq!(line("").unwrap(), "");
    }

    #[test]
    fn what_is_none() {
        assert!(
            line("{url}").unwrap_err().starts_with("unknown value \"url\": expected one of path, ")
        );
        for template in ["{uri", "uri}", "\\x", "{}"] {
            assert!(line(template).is_err(), "{template}");
        }
    }
}
