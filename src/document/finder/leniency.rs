//! Leniency: where links are held to less than the rules of their scheme.
//!
//! One table lists the faults that are accepted in running text and in values of markup: forms that people write and
//! programs understand, although the RFC of the scheme forbids them.

use crate::iri::{Error, ErrorKind, Iri};
use crate::link::LinkKind;
use crate::tables::schemes;

/// Where a link stood.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In running text: the scan has held it to the rules of the web's schemes.
    Text,
    /// In a value of markup.
    Value,
}

/// Result of checking a URI by the rules of its scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// Keeps the rules that it is held to.
    Kept,
    /// Breaks a rule, and browsers open it all the same: a warning says so.
    LetThrough,
}

/// Exception from the rules of a scheme; the schemes that are let through whole
/// say so in the table of schemes.
#[derive(Clone, Copy)]
enum Leniency {
    /// One fault.
    Fault(ErrorKind),
    /// `%40` for the `@` of an address: RFC 6068 §2 wants it as it is (`addr-spec`); yet what browsers hand
    /// over to mail programs is decoded before it is read, so that `mailto:user%40example.com` gets
    /// there, and pages have it.
    EncodedAt,
}

/// Scheme, where, what.
const TABLE: [(&str, Place, Leniency); 2] = [
    // `geo:48.2010,16.3695?z=12` is what maps hand out, whatever RFC 5870 says.
    ("geo", Place::Text, Leniency::Fault(ErrorKind::SchemeQuery)),
    ("mailto", Place::Value, Leniency::EncodedAt),
];

/// Whether a link of running text is held to anything beyond what the scan holds it to.
#[inline]
pub(super) fn has_rules(kind: LinkKind, text: &str) -> bool {
    if kind != LinkKind::Iri
        || matches!(
            text.as_bytes(),
            [b'h', b't', b't', b'p', b':', ..] | [b'h', b't', b't', b'p', b's', b':', ..]
        )
    {
        return false;
    }
    let scheme = text.split(':').next().unwrap_or_default();
    !schemes::is(scheme.as_bytes(), schemes::HELD_BY_SCAN)
}

/// Checks a URI by the rules of its scheme (RFC 8141, RFC 3966 and so on), as far as it is held to them.
///
/// # Errors
///
/// The first rule that is broken and not let through.
pub(super) fn check(uri: &Iri<'_>, place: Place, kind: LinkKind) -> Result<Held, Error> {
    // An address in running text has been read as one.
    if place == Place::Text && kind != LinkKind::Iri {
        return Ok(Held::Kept);
    }
    let scheme = uri.scheme();
    let free = match place {
        Place::Text => schemes::HELD_BY_SCAN,
        Place::Value => schemes::FREE_IN_VALUES,
    };
    if schemes::is(scheme.as_bytes(), free) {
        return Ok(Held::Kept);
    }
    let checked = uri.check_scheme();
    let Err(error) = checked else { return Ok(Held::Kept) };
    let row = TABLE.iter().find(|row| row.1 == place && row.0.eq_ignore_ascii_case(scheme));
    let checked = match row.map(|row| row.2) {
        Some(Leniency::Fault(kind)) if error.kind() == kind => Ok(()),
        Some(Leniency::EncodedAt) if error.kind() == ErrorKind::SchemeAddress => {
            let decoded = uri.as_str().replace("%40", "@");
            Iri::parse(&decoded).and_then(|iri| iri.check_scheme()).or(checked)
        }
        _ => checked,
    };
    match checked {
        Ok(()) => Ok(Held::Kept),
        Err(error) if place == Place::Value && is_handed_over(scheme, error.kind()) => {
            Ok(Held::LetThrough)
        }
        Err(error) => Err(error),
    }
}

/// Whether browsers hand a URI over to another program whatever the rules of its scheme have against it: of the
/// schemes that name no host, what people write (`tel:0664 118`, `sms:?body=x`, `mailto:?&subject=x`).
fn is_handed_over(scheme: &str, fault: ErrorKind) -> bool {
    schemes::is(scheme.as_bytes(), schemes::HANDED_OVER)
        && matches!(
            fault,
            ErrorKind::SchemePath
                | ErrorKind::SchemeAddress
                | ErrorKind::SchemeHfield
                | ErrorKind::SchemeQuery
                | ErrorKind::SchemeFragment
                | ErrorKind::SchemeNoAuthority
                | ErrorKind::SchemeUserinfo
                | ErrorKind::SchemeNid
                | ErrorKind::SchemeNss
        )
}
