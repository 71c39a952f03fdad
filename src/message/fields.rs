//! The table of header fields: which is read how for links.

/// How a field's value is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reading {
    /// `<IRI>`, commas between (RFC 2369).
    List,
    /// All of it is one IRI reference, in `<>` or not.
    Iri,
    /// Running text with encoded words.
    Text,
    /// Addresses: running text of which addresses alone are links.
    Addresses,
    /// It holds identifiers, or what programs have written for programs.
    Never,
}

/// The fields that something is read of.
struct Known {
    /// In lower case, as in the context of records.
    context: &'static str,
    reading: Reading,
    /// By default, or only if all headers are asked for.
    is_default: bool,
}

const fn known(context: &'static str, reading: Reading, is_default: bool) -> Known {
    Known { context, reading, is_default }
}

const CONTEXT: &str = "header:";

#[rustfmt::skip]
const FIELDS: [Known; 50] = [
    known("header:list-help", Reading::List, true),
    known("header:list-unsubscribe", Reading::List, true),
    known("header:list-subscribe", Reading::List, true),
    known("header:list-post", Reading::List, true),
    known("header:list-owner", Reading::List, true),
    known("header:list-archive", Reading::List, true),
    known("header:archived-at", Reading::List, true),
    known("header:content-location", Reading::Iri, true),
    known("header:content-base", Reading::Iri, true),
    known("header:x-url", Reading::Text, true),
    known("header:x-website", Reading::Text, true),
    known("header:openpgp", Reading::Text, true),
    known("header:subject", Reading::Text, true),
    known("header:comments", Reading::Text, true),
    known("header:content-description", Reading::Text, true),
    known("header:from", Reading::Addresses, false),
    known("header:sender", Reading::Addresses, false),
    known("header:reply-to", Reading::Addresses, false),
    known("header:to", Reading::Addresses, false),
    known("header:cc", Reading::Addresses, false),
    known("header:bcc", Reading::Addresses, false),
    known("header:return-path", Reading::Addresses, false),
    known("header:envelope-to", Reading::Addresses, false),
    known("header:delivered-to", Reading::Addresses, false),
    known("header:errors-to", Reading::Addresses, false),
    known("header:disposition-notification-to", Reading::Addresses, false),
    known("header:return-receipt-to", Reading::Addresses, false),
    known("header:mail-followup-to", Reading::Addresses, false),
    known("header:mail-reply-to", Reading::Addresses, false),
    known("header:resent-from", Reading::Addresses, false),
    known("header:resent-sender", Reading::Addresses, false),
    known("header:resent-to", Reading::Addresses, false),
    known("header:resent-cc", Reading::Addresses, false),
    known("header:resent-bcc", Reading::Addresses, false),
    known("header:resent-reply-to", Reading::Addresses, false),
    known("header:apparently-to", Reading::Addresses, false),
    known("header:approved", Reading::Addresses, false),
    known("header:organization", Reading::Text, false),
    known("header:organisation", Reading::Text, false),
    known("header:keywords", Reading::Text, false),
    known("header:summary", Reading::Text, false),
    known("header:user-agent", Reading::Text, false),
    known("header:feedback-id", Reading::Never, false),
    known("header:x-google-dkim-signature", Reading::Never, false),
    known("header:x-received", Reading::Never, false),
    known("header:x-message-id", Reading::Never, false),
    known("header:x-ms-exchange-messagesentrepresentingtype", Reading::Never, false),
    known("header:x-original-message-id", Reading::Never, false),
    known("header:x-face", Reading::Never, false),
    known("header:x-uidl", Reading::Never, false),
];

/// No name of the table is longer.
const LONGEST: usize = 64;

/// The numbers of the fields in order of their names' lengths, and before them where those of each length begin: most
/// fields of a message are none of the table, and each is asked for.
const BY_LENGTH: ([usize; LONGEST + 1], [usize; FIELDS.len()]) = {
    let (mut from, mut numbers) = ([0; LONGEST + 1], [0; FIELDS.len()]);
    let (mut len, mut count) = (0, 0);
    while len < LONGEST {
        from[len] = count;
        let mut number = 0;
        while number < FIELDS.len() {
            if FIELDS[number].context.len() == CONTEXT.len() + len {
                numbers[count] = number;
                count += 1;
            }
            number += 1;
        }
        len += 1;
    }
    from[LONGEST] = count;
    assert!(count == FIELDS.len());
    (from, numbers)
};

/// How a field is read, and the context of its links; `None` if nothing is read of it.
pub(crate) fn reading(name: &[u8], is_all: bool) -> Option<(Reading, Option<&'static str>)> {
    let is = |known: &Known| known.context.as_bytes()[CONTEXT.len()..].eq_ignore_ascii_case(name);
    let of_length = BY_LENGTH.0.get(name.len()..).and_then(|from| from.first_chunk());
    let of_length = of_length.map_or(&[][..], |[from, to]| &BY_LENGTH.1[*from..*to]);
    match of_length.iter().map(|number| &FIELDS[*number]).find(|known| is(known)) {
        Some(Known { reading: Reading::Never, .. }) => None,
        Some(known) => (is_all || known.is_default).then_some((known.reading, Some(known.context))),
        None if is_all && name.len() > 2 && name[..2].eq_ignore_ascii_case(b"x-") => {
            Some((Reading::Text, None))
        }
        None => None,
    }
}

/// The context of a field that the table does not have.
pub(crate) fn context(name: &[u8]) -> String {
    let name = &name[..name.len().min(crate::limits::NAME_IN_CONTEXT)];
    format!("{CONTEXT}{}", String::from_utf8_lossy(name).to_ascii_lowercase())
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
        assert_eq!(reading(b"SUBJECT", false), Some((Reading::Text, Some("header:subject"))));
        assert_eq!(reading(b"X-Bug", true), Some((Reading::Text, None)));
        assert_eq!(context(b"X-Bug"), "header:x-bug");
    }
}
