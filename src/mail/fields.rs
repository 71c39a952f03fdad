//! Table of header fields, with the syntax by which each is searched for links.

use crate::context::{ContextKind, HEADER, KnownContext, StoredContext};
use crate::detect::media_type::is_of;

/// Syntax of a field's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FieldSyntax {
    /// `<IRI>` entries, separated by commas (RFC 2369). Programs omit the scheme of an address or a host.
    List,
    /// The same with IRI references (RFC 8288).
    References,
    /// One IRI reference, in `<>` or not.
    Iri,
    /// Running text with encoded words.
    Text,
    /// Tags, `name=value`, separated by semicolons.
    Tags,
    /// Media type with the parameter `URL`, if it is `message/external-body` (RFC 2017).
    ExternalBody,
    /// Running text in which only addresses are links.
    Addresses,
    /// Identifiers, or data that programs write for programs.
    Never,
}

/// Row of the table: a field and its syntax.
struct KnownField {
    /// Context with the name in lower case, as records have it.
    context: KnownContext,
    reading: FieldSyntax,
    /// Whether the field is searched by default, and not only if all headers are requested.
    is_default: bool,
}

const fn known(name: &'static str, reading: FieldSyntax, is_default: bool) -> KnownField {
    let context = KnownContext::new(name, ContextKind::Header);
    KnownField { context, reading, is_default }
}

impl FieldSyntax {
    /// Returns `true` if a field with this syntax and value may have a link.
    pub(crate) fn reads(self, value: &[u8]) -> bool {
        self != FieldSyntax::ExternalBody || is_of(value, "message/external-body")
    }
}

impl KnownField {
    /// Returns the row with another kind of context, on which other code depends.
    const fn of_kind(self, kind: ContextKind) -> KnownField {
        KnownField { context: KnownContext::new(self.context.name(), kind), ..self }
    }
}

#[rustfmt::skip]
const FIELDS: [KnownField; 53] = [
    known("header:list-help", FieldSyntax::List, true),
    known("header:list-unsubscribe", FieldSyntax::List, true).of_kind(ContextKind::ListUnsubscribe),
    known("header:list-subscribe", FieldSyntax::List, true),
    known("header:list-post", FieldSyntax::List, true),
    known("header:list-owner", FieldSyntax::List, true),
    known("header:list-archive", FieldSyntax::List, true),
    known("header:archived-at", FieldSyntax::References, true),
    known("header:content-location", FieldSyntax::Iri, true).of_kind(ContextKind::ContentLocation),
    known("header:content-base", FieldSyntax::Iri, true),
    known("header:content-type", FieldSyntax::ExternalBody, true),
    known("header:link", FieldSyntax::References, true),
    known("header:bimi-location", FieldSyntax::Tags, true),
    known("header:x-url", FieldSyntax::Text, true),
    known("header:x-website", FieldSyntax::Text, true),
    known("header:openpgp", FieldSyntax::Text, true),
    known("header:subject", FieldSyntax::Text, true),
    known("header:comments", FieldSyntax::Text, true),
    known("header:content-description", FieldSyntax::Text, true),
    known("header:from", FieldSyntax::Addresses, false),
    known("header:sender", FieldSyntax::Addresses, false),
    known("header:reply-to", FieldSyntax::Addresses, false),
    known("header:to", FieldSyntax::Addresses, false),
    known("header:cc", FieldSyntax::Addresses, false),
    known("header:bcc", FieldSyntax::Addresses, false),
    known("header:return-path", FieldSyntax::Addresses, false),
    known("header:envelope-to", FieldSyntax::Addresses, false),
    known("header:delivered-to", FieldSyntax::Addresses, false),
    known("header:errors-to", FieldSyntax::Addresses, false),
    known("header:disposition-notification-to", FieldSyntax::Addresses, false),
    known("header:return-receipt-to", FieldSyntax::Addresses, false),
    known("header:mail-followup-to", FieldSyntax::Addresses, false),
    known("header:mail-reply-to", FieldSyntax::Addresses, false),
    known("header:resent-from", FieldSyntax::Addresses, false),
    known("header:resent-sender", FieldSyntax::Addresses, false),
    known("header:resent-to", FieldSyntax::Addresses, false),
    known("header:resent-cc", FieldSyntax::Addresses, false),
    known("header:resent-bcc", FieldSyntax::Addresses, false),
    known("header:resent-reply-to", FieldSyntax::Addresses, false),
    known("header:apparently-to", FieldSyntax::Addresses, false),
    known("header:approved", FieldSyntax::Addresses, false),
    known("header:organization", FieldSyntax::Text, false),
    known("header:organisation", FieldSyntax::Text, false),
    known("header:keywords", FieldSyntax::Text, false),
    known("header:summary", FieldSyntax::Text, false),
    known("header:user-agent", FieldSyntax::Text, false),
    known("header:feedback-id", FieldSyntax::Never, false),
    known("header:x-google-dkim-signature", FieldSyntax::Never, false),
    known("header:x-received", FieldSyntax::Never, false),
    known("header:x-message-id", FieldSyntax::Never, false),
    known("header:x-ms-exchange-messagesentrepresentingtype", FieldSyntax::Never, false),
    known("header:x-original-message-id", FieldSyntax::Never, false),
    known("header:x-face", FieldSyntax::Never, false),
    known("header:x-uidl", FieldSyntax::Never, false),
];

/// Length in bytes that no name of the table reaches.
const LONGEST: usize = 64;

/// Index of the fields by the length of their names: `numbers` has the fields in that order, and `starts` the index of
/// the first field of each length. It is needed because each field of a message is looked up, and most are not in the
/// table.
struct ByLength {
    starts: [usize; LONGEST + 1],
    numbers: [usize; FIELDS.len()],
}

/// Index of all fields, then of those that are searched by default.
static BY_LENGTH: [ByLength; 2] = [ByLength::new(true), ByLength::new(false)];

impl ByLength {
    const fn new(is_all: bool) -> ByLength {
        let (mut starts, mut numbers) = ([0; LONGEST + 1], [0; FIELDS.len()]);
        let (mut len, mut count) = (0, 0);
        while len < LONGEST {
            starts[len] = count;
            let mut number = 0;
            while number < FIELDS.len() {
                let field = &FIELDS[number];
                if field.context.name().len() == HEADER.len() + len && (is_all || field.is_default)
                {
                    numbers[count] = number;
                    count += 1;
                }
                number += 1;
            }
            len += 1;
        }
        starts[LONGEST] = count;
        assert!(!is_all || count == FIELDS.len());
        ByLength { starts, numbers }
    }

    fn find(&self, name: &[u8]) -> Option<&'static KnownField> {
        let [from, to] = self.starts.get(name.len()..)?.first_chunk()?;
        let known = self.numbers[*from..*to].iter().map(|number| &FIELDS[*number]);
        let first = name.first()?.to_ascii_lowercase();
        let is = |known: &&KnownField| {
            let own = &known.context.name().as_bytes()[HEADER.len()..];
            own[0] == first && own.eq_ignore_ascii_case(name)
        };
        known.into_iter().find(is)
    }
}

/// Returns the syntax of a field and, if it is in the table, its context; `None` if the field is not searched.
pub(crate) fn reading(
    name: &[u8],
    is_all: bool,
) -> Option<(FieldSyntax, Option<&'static KnownContext>)> {
    match BY_LENGTH[usize::from(!is_all)].find(name) {
        Some(KnownField { reading: FieldSyntax::Never, .. }) => None,
        Some(known) => Some((known.reading, Some(&known.context))),
        None if is_all && name.len() > 2 && name[..2].eq_ignore_ascii_case(b"x-") => {
            Some((FieldSyntax::Text, None))
        }
        None => None,
    }
}

/// Returns the context of a field that is not in the table.
pub(crate) fn context(name: &[u8]) -> StoredContext {
    let name = &name[..name.len().min(crate::limits::NAME_IN_CONTEXT)];
    StoredContext::of_header(&String::from_utf8_lossy(name).to_ascii_lowercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identifiers_are_never_read() {
        for name in ["Message-ID", "References", "In-Reply-To", "Content-ID", "List-ID", "Received"]
        {
            assert_eq!(reading(name.as_bytes(), true), None, "{name}");
        }
        assert_eq!(reading(b"From", false), None);
        let subject = KnownContext::new("header:subject", ContextKind::Header);
        assert_eq!(reading(b"SUBJECT", false), Some((FieldSyntax::Text, Some(&subject))));
        assert_eq!(reading(b"X-Bug", true), Some((FieldSyntax::Text, None)));
        assert_eq!(context(b"X-Bug").name(), "header:x-bug");
    }
}
