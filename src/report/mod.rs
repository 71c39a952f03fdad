//! Reports: converts links and rejected candidates to records, as JSON lines, CSV or Parquet.
//!
//! The input is links with the path of their document, the result is bytes in the caller's buffer; nothing is printed here.
//! The fields, their names, order and meaning are stable: fields are added, but never renamed.

mod csv;
mod field;
mod json;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "parquet")]
mod row;
mod serial;

use std::borrow::Cow;
use std::path::Path;

pub use csv::Formulas;
pub use field::{Field, json_schema, sql_schema};

#[cfg(feature = "parquet")]
pub use self::parquet::ParquetWriter;
use crate::link::derived::Derived;
use crate::link::{Link, Rejected};

/// One record: a link or a rejected candidate, and where it was found.
///
/// ```
/// use linksift::{Finder, Hints, report::Record};
///
/// let finder = Finder::new();
/// let hints = Hints::new().positions(true);
/// let link = finder.document(b"see example.com/a", &hints).unwrap().links().next().unwrap();
///
/// let mut out = Vec::new();
/// Record::link("notes.txt", &link).push_json(&mut out);
/// assert_eq!(
///     String::from_utf8(out).unwrap(),
///     concat!(
///         r#"{"path":"notes.txt","member":null,"part":null,"source":null,"page":null,"object":null,"#,
///         r#""start":4,"end":17,"line":1,"column":5,"kind":"schemeless","#,
///         r#""context":"text","charset":"utf-8","raw":"example.com/a","iri":"https://example.com/a","#,
///         r#""uri":"https://example.com/a","host":"example.com","warnings":[]}"#,
///         "\n",
///     ),
/// );
/// ```
#[derive(Clone, Debug)]
pub struct Record<'a> {
    path: Option<Cow<'a, str>>,
    /// The path as bytes, if it is not UTF-8.
    path_bytes: Option<&'a [u8]>,
    found: Result<&'a Link<'a>, &'a Rejected<'a>>,
    /// Derived values, computed once for several fields.
    derived: Derived<'a>,
}

impl<'a> Record<'a> {
    /// Returns the record of a link.
    ///
    /// ```
    /// use linksift::report::{Field, Record};
    ///
    /// let link = linksift::links("见 http://例子.cn/").next().unwrap();
    /// let record = Record::link("notes/1.txt", &link);
    /// assert_eq!(record.text(Field::Path).as_deref(), Some("notes/1.txt"));
    /// assert_eq!(record.text(Field::Host).as_deref(), Some("xn--fsqu00a.cn"));
    /// ```
    pub fn link<P: AsRef<Path> + ?Sized>(path: &'a P, link: &'a Link<'_>) -> Record<'a> {
        Record::of_link(link).at(path.as_ref())
    }

    /// Returns the record of a candidate that was rejected: it has `rejected`, and no `uri`.
    ///
    /// ```
    /// use linksift::{Finder, report::{Field, Record}};
    ///
    /// let finder = Finder::new();
    /// let rejected = finder.candidates("http://300.1.1.1/").next().unwrap().into_result().unwrap_err();
    /// let mut out = Vec::new();
    /// Record::rejected("-", &rejected).push_json_of(&[Field::Raw, Field::Uri, Field::Rejected], &mut out);
    /// assert_eq!(out, b"{\"raw\":\"http://300.1.1.1/\",\"uri\":null,\"rejected\":\"host-ipv4\"}\n");
    /// ```
    pub fn rejected<P: AsRef<Path> + ?Sized>(
        path: &'a P,
        rejected: &'a Rejected<'_>,
    ) -> Record<'a> {
        Record::of_rejected(rejected).at(path.as_ref())
    }

    /// Creates the record of a link without a path.
    pub(crate) fn of_link(link: &'a Link<'_>) -> Record<'a> {
        Record { path: None, path_bytes: None, found: Ok(link), derived: link.derived() }
    }

    /// Creates the record of a rejected candidate without a path.
    pub(crate) fn of_rejected(rejected: &'a Rejected<'_>) -> Record<'a> {
        let derived = Derived { uri: Cow::Borrowed(""), host: None, warnings: rejected.warnings() };
        Record { path: None, path_bytes: None, found: Err(rejected), derived }
    }

    /// Returns the fields that are written by default: [`Field::DEFAULT`] of a link, [`Field::WITH_REJECTED`] of a rejected
    /// candidate.
    ///
    /// ```
    /// use linksift::report::{Field, Record};
    ///
    /// let link = linksift::links("example.com").next().unwrap();
    /// assert_eq!(Record::link("-", &link).fields(), Field::DEFAULT);
    /// ```
    pub fn fields(&self) -> &'static [Field] {
        match self.found {
            Ok(_) => Field::DEFAULT,
            Err(_) => Field::WITH_REJECTED,
        }
    }

    fn at(self, path: &'a Path) -> Record<'a> {
        let (path, path_bytes) = name(path);
        Record { path: Some(path), path_bytes, ..self }
    }
}

/// Returns two lower-case digits for each byte.
fn hex(bytes: &[u8]) -> String {
    let digit = |value: u8| char::from(b"0123456789abcdef"[usize::from(value)]);
    bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect()
}

/// Returns a path as text and, if it is not UTF-8, as bytes.
fn name(path: &Path) -> (Cow<'_, str>, Option<&[u8]>) {
    let path = path.as_os_str();
    match path.to_string_lossy() {
        text @ Cow::Borrowed(_) => (text, None),
        text @ Cow::Owned(_) => (text, Some(path.as_encoded_bytes())),
    }
}

#[cfg(all(test, feature = "report"))]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::link::{Judged, Origin, Transfer, body_of, set_origin, set_shown};

    fn with_origin(judged: &mut Judged<'_>) {
        let origin = Origin {
            member: Some("a%21b.zip!c\u{FFFD}".into()),
            member_bytes: Some(b"c\xFF".as_slice().into()),
            part: Some("12!1.2".into()),
            message_number: Some(12),
            source: Some("http://e.com/".into()),
            message_id: Some("x@e.com".into()),
        };
        set_origin(judged, &Arc::new(origin));
        let rare = body_of(judged).rare_mut();
        (rare.transfer, rare.page) = (Some(Transfer::Base64Plus1), Some(7));
        rare.object = Some("31 0".into());
        set_shown(judged, "f.com", crate::Severity::Suspect);
    }

    #[test]
    fn what_containers_and_mail_say_is_written_in_order() {
        let finder = crate::Finder::new();
        let mut link: Judged<'_> = Ok(finder.links("http://e.com/").next().unwrap());
        let mut rejected = finder.candidates("http://300.1.1.1/").next().unwrap().into_result();
        with_origin(&mut link);
        with_origin(&mut rejected);
        let (link, rejected) = (link.unwrap().into_owned(), rejected.unwrap_err().into_owned());
        let (mut json, mut csv) = (Vec::new(), Vec::new());
        for record in [Record::link("p", &link), Record::rejected("p", &rejected)] {
            record.push_json_of(Field::ALL, &mut json);
            record.push_csv_of(Field::ALL, &mut csv);
        }
        let origin = concat!(
            "{\"path\":\"p\",\"member\":\"a%21b.zip!c\u{FFFD}\",\"member_bytes\":\"63ff\",",
            r#""part":"12!1.2","transfer":"base64+1","source":"http://e.com/","#,
            r#""message_id":"x@e.com","page":7,"object":"31 0","start":0,"#,
        );
        let json = String::from_utf8(json).unwrap();
        assert_eq!(json.lines().count(), 2);
        for (line, role) in json.lines().zip([r#""text""#, "null"]) {
            let end = r#","text":null,"rel":null,"code":false}"#;
            let end = format!(r#","shown":"f.com","rule":null,"role":{role}{end}"#);
            let line = line.replace(r#""path_bytes":null,"#, "");
            assert!(line.starts_with(origin), "{line}");
            assert!(line.ends_with(&end), "{line}");
        }
        let csv = String::from_utf8(csv).unwrap();
        assert_eq!(csv.lines().count(), 2);
        for (line, role) in csv.lines().zip(["text", ""]) {
            let end = format!(",f.com,,{role},,,false");
            let start = "\"p\",,a%21b.zip!c\u{FFFD},63ff,12!1.2,base64+1,\"http://e.com/\",x@e.com,7,31 0,0,";
            assert!(line.starts_with(start) && line.ends_with(&end), "{line}");
        }
    }

    #[test]
    fn a_link_of_a_file_says_nothing_of_containers() {
        let finder = crate::Finder::new();
        let link = finder.links("http://e.com/").next().unwrap();
        let mut json = Vec::new();
        Record::link("p", &link).push_json(&mut json);
        let start = br#"{"path":"p","member":null,"part":null,"source":null,"page":null,"object":null,"start":0,"end":13,"#;
        assert!(json.starts_with(start));
        assert!(json.ends_with(b"\"host\":\"e.com\",\"warnings\":[]}\n"));
    }
}
