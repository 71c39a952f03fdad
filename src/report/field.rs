//! The fields of a record: their names, order, types and meanings, for all forms of records and their schema.

use std::borrow::Cow;

use super::{Record, hex};
use crate::codes::coded;
use crate::link::{Transfer, Warnings};

coded! {
    /// A field of a record. The order of [`Field::ALL`] is that of JSON and CSV.
    ///
    /// ```
    /// use linksift::report::Field;
    ///
    /// let field: Field = "uri".parse()?;
    /// assert_eq!(field.as_str(), "uri");
    /// assert!("url".parse::<Field>().is_err());
    /// # Ok::<(), linksift::UnknownWord>(())
    /// ```
    pub enum Field in "linksift::report" via as_str {
        /// The input as named.
        Path = "path",
        /// The bytes of a path that is not UTF-8.
        PathBytes = "path_bytes",
        /// The member of an archive.
        Member = "member",
        /// The bytes of a member's name that is not UTF-8.
        MemberBytes = "member_bytes",
        /// The place inside a mailbox or message.
        Part = "part",
        /// The transfer encoding.
        Transfer = "transfer",
        /// The document's own IRI.
        Source = "source",
        /// The message that holds it.
        MessageId = "message_id",
        /// Where it begins in the stored bytes.
        Start = "start",
        /// Where it ends in the stored bytes.
        End = "end",
        /// The line of its first byte.
        Line = "line",
        /// The column of its first byte.
        Column = "column",
        /// Kind of the link by the way it is written.
        Kind = "kind",
        /// Where it stood.
        Context = "context",
        /// Charset of the input.
        Charset = "charset",
        /// As written.
        Raw = "raw",
        /// The IRI.
        Iri = "iri",
        /// The URI that it maps to.
        Uri = "uri",
        /// The host.
        Host = "host",
        /// Reason for the rejection.
        Rejected = "rejected",
        /// Warnings on the link.
        Warnings = "warnings",
        /// The host that the visible text names.
        Shown = "shown",
        /// The rule by which it is a name of a file or a member.
        Rule = "rule",
    }
}

/// Type of a field's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Type {
    Text,
    Integer,
    /// Codes: in JSON a list, elsewhere with spaces between.
    Codes,
}

/// The value of a field.
pub(super) enum FieldValue<'r> {
    Absent,
    Text(Cow<'r, str>),
    Integer(u64),
    Codes(&'r Warnings),
}

impl Field {
    /// Returns `true` if records may be without it; in CSV it is empty then.
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
        )
    }

    /// Returns the meaning of the field, in a line for people.
    ///
    /// ```
    /// assert_eq!(linksift::report::Field::Start.meaning(), "byte offset of the start of the link in the stored bytes");
    /// ```
    pub const fn meaning(self) -> &'static str {
        match self {
            Field::Path => "path of the input as given, - for standard input",
            Field::PathBytes => "bytes of a path that is not UTF-8, in hexadecimal",
            Field::Member => "archive member that contains the link, outermost first, joined by !",
            Field::MemberBytes => "bytes of a member name that is not UTF-8, in hexadecimal",
            Field::Part => "position in a mailbox or message, such as 12!1.2",
            Field::Transfer => "transfer encoding of the link",
            Field::Source => "IRI of the document itself",
            Field::MessageId => "Message-ID of the message that contains the link",
            Field::Start => "byte offset of the start of the link in the stored bytes",
            Field::End => "byte offset of the end of the link",
            Field::Line => "line of the start, from 1",
            Field::Column => "column of the start in bytes, from 1",
            Field::Kind => "iri, schemeless, email or reference",
            Field::Context => "where the link occurs: text, a@href, img@srcset, style ...",
            Field::Charset => "encoding that the input was decoded from",
            Field::Raw => "link as written, decoded",
            Field::Iri => "IRI, resolved against the base if there is one",
            Field::Uri => "URI that the link maps to; absent if rejected",
            Field::Host => "host of uri",
            Field::Rejected => "reason for the rejection; only with --rejected",
            Field::Warnings => "warnings about the link",
            Field::Shown => "host in the visible text, if it is another one",
            Field::Rule => {
                "rule that treats the candidate as a file or member name; only with --rejected"
            }
        }
    }

    pub(super) const fn value_type(self) -> Type {
        match self {
            Field::Start | Field::End | Field::Line | Field::Column => Type::Integer,
            Field::Warnings => Type::Codes,
            _ => Type::Text,
        }
    }

    /// Whether CSV quotes its values always. Programs that guess how a file is quoted look at its
    /// first lines only, and a comma in a URI comes late.
    pub(super) const fn is_quoted(self) -> bool {
        matches!(self, Field::Path | Field::Source | Field::Raw | Field::Iri | Field::Uri)
    }
}

impl<'a> Record<'a> {
    pub(super) fn value(&self, field: Field) -> FieldValue<'_> {
        let text = |value: Option<&'a str>| match value {
            Some(value) => FieldValue::Text(Cow::Borrowed(value)),
            None => FieldValue::Absent,
        };
        let bytes = |value: Option<&[u8]>| match value {
            Some(value) => FieldValue::Text(Cow::Owned(hex(value))),
            None => FieldValue::Absent,
        };
        let integer = |value: Option<u64>| value.map_or(FieldValue::Absent, FieldValue::Integer);
        match field {
            Field::Path => match &self.path {
                Some(path) => FieldValue::Text(Cow::Borrowed(path)),
                None => FieldValue::Absent,
            },
            Field::PathBytes => bytes(self.path_bytes),
            Field::Member => text(self.member),
            Field::MemberBytes => bytes(self.member_bytes),
            Field::Part => text(self.part),
            Field::Transfer => text(self.transfer.map(Transfer::as_str)),
            Field::Source => text(self.source),
            Field::MessageId => text(self.message_id),
            Field::Start => FieldValue::Integer(self.start),
            Field::End => FieldValue::Integer(self.end),
            Field::Line => integer(self.position.map(|position| position.line)),
            Field::Column => integer(self.position.map(|position| position.column)),
            Field::Kind => text(Some(self.kind.as_str())),
            Field::Context => text(Some(self.context)),
            Field::Charset => text(Some(self.charset)),
            Field::Raw => text(Some(self.raw)),
            Field::Iri => FieldValue::Text(Cow::Borrowed(&self.iri)),
            Field::Uri => match &self.uri {
                Some(uri) => FieldValue::Text(Cow::Borrowed(uri)),
                None => FieldValue::Absent,
            },
            Field::Host => match &self.host {
                Some(host) => FieldValue::Text(Cow::Borrowed(host)),
                None => FieldValue::Absent,
            },
            Field::Rejected => text(self.rejected),
            Field::Warnings if self.warnings.is_empty() => FieldValue::Absent,
            Field::Warnings => FieldValue::Codes(&self.warnings),
            Field::Shown => text(self.shown),
            Field::Rule => text(self.rule),
        }
    }

    /// Returns the value of a field as text: numbers in decimal, several warnings with spaces between; `None` if the
    /// record is without it.
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
            FieldValue::Codes(warnings) => {
                let codes: Vec<_> = warnings.iter().map(|warning| warning.code()).collect();
                Some(Cow::Owned(codes.join(" ")))
            }
        }
    }
}
