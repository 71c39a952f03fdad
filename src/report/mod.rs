//! Reports: links and refused candidates as records, JSON lines or CSV.
//!
//! What comes in are links with the path that they were found in, what goes out are bytes in a
//! buffer of the caller's; nothing is printed here. The fields, their names, order and meaning are
//! stable: fields are added, never renamed.

mod csv;
mod json;

use std::borrow::Cow;
use std::path::Path;

use crate::link::{Link, LinkKind, Position, Refused, Warnings};

/// One record: a link or a refused candidate, and where it was found.
///
/// ```
/// use linksift::{Document, Finder, report::Record};
///
/// let finder = Finder::new();
/// let document = Document::new(b"see example.com/a").positions(true);
/// let link = finder.document(&document).next().unwrap().unwrap();
///
/// let mut out = Vec::new();
/// Record::link("notes.txt", &link).push_json(&mut out);
/// assert_eq!(
///     String::from_utf8(out).unwrap(),
///     concat!(
///         r#"{"path":"notes.txt","start":4,"end":17,"line":1,"column":5,"kind":"schemeless","#,
///         r#""context":"text","charset":"utf-8","raw":"example.com/a","#,
///         r#""iri":"https://example.com/a","uri":"https://example.com/a","host":"example.com"}"#,
///         "\n",
///     ),
/// );
/// ```
#[derive(Clone, Debug)]
pub struct Record<'a> {
    path: Cow<'a, str>,
    /// The path, if it is not UTF-8.
    path_bytes: Option<&'a [u8]>,
    start: usize,
    end: usize,
    position: Option<Position>,
    kind: LinkKind,
    context: &'a str,
    charset: &'static str,
    raw: &'a str,
    iri: Cow<'a, str>,
    uri: Option<Cow<'a, str>>,
    host: Option<Cow<'a, str>>,
    rejected: Option<&'static str>,
    warnings: Warnings,
}

impl<'a> Record<'a> {
    /// The record of a link.
    pub fn link<P: AsRef<Path> + ?Sized>(path: &'a P, link: &'a Link<'_>) -> Record<'a> {
        let (path, path_bytes) = name(path.as_ref());
        let range = link.range();
        Record {
            path,
            path_bytes,
            start: range.start,
            end: range.end,
            position: link.position(),
            kind: link.kind(),
            context: link.context(),
            charset: link.charset(),
            raw: link.raw(),
            iri: link.iri(),
            uri: Some(link.uri()),
            host: link.host(),
            rejected: None,
            warnings: link.warnings(),
        }
    }

    /// The record of a candidate that was refused: it has `rejected`, and no `uri`.
    ///
    /// ```
    /// use linksift::{Finder, report::Record};
    ///
    /// let finder = Finder::new();
    /// let refused = finder.candidates("http://300.1.1.1/").next().unwrap().unwrap_err();
    /// let mut out = Vec::new();
    /// Record::refused("-", &refused).push_json(&mut out);
    /// assert_eq!(
    ///     String::from_utf8(out).unwrap(),
    ///     concat!(
    ///         r#"{"path":"-","start":0,"end":17,"kind":"iri","context":"text","charset":"utf-8","#,
    ///         r#""raw":"http://300.1.1.1/","iri":"http://300.1.1.1/","rejected":"host-ipv4"}"#,
    ///         "\n",
    ///     ),
    /// );
    /// ```
    pub fn refused<P: AsRef<Path> + ?Sized>(path: &'a P, refused: &'a Refused<'_>) -> Record<'a> {
        let (path, path_bytes) = name(path.as_ref());
        let range = refused.range();
        Record {
            path,
            path_bytes,
            start: range.start,
            end: range.end,
            position: refused.position(),
            kind: refused.kind(),
            context: refused.context(),
            charset: refused.charset(),
            raw: refused.raw(),
            iri: refused.iri(),
            uri: None,
            host: None,
            rejected: Some(refused.reason().code()),
            warnings: refused.warnings(),
        }
    }
}

/// A path as text and, if it is not UTF-8, as bytes.
fn name(path: &Path) -> (Cow<'_, str>, Option<&[u8]>) {
    let path = path.as_os_str();
    match path.to_string_lossy() {
        text @ Cow::Borrowed(_) => (text, None),
        text @ Cow::Owned(_) => (text, Some(path.as_encoded_bytes())),
    }
}
