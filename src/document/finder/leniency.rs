//! Leniency: links that may break rules of their scheme.
//!
//! One table lists the faults that are accepted in running text and in values of markup: forms that people write and
//! programs understand, although the RFC of the scheme forbids them.

use crate::iri::repair::browser::is_special;
use crate::iri::{Error, ErrorKind, Iri};
use crate::link::LinkKind;
use crate::scan::is_tone;
use crate::tables::{is_number, schemes};

/// Place of a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// In running text: the scan has checked the rules of the web's schemes.
    Text,
    /// In a value of markup.
    Value,
}

/// Result of checking a URI by the rules of its scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Held {
    /// It meets the rules that apply to it.
    Kept,
    /// It breaks a rule, but browsers open it: it has a warning.
    LetThrough,
}

/// Exception from the rules of a scheme; schemes without any check have a trait in the table of schemes.
#[derive(Clone, Copy)]
enum Leniency {
    /// One fault.
    Fault(ErrorKind),
    /// `%40` for the `@` of an address: RFC 6068 §2 requires the `@` itself (`addr-spec`), but mail programs decode the
    /// address that a browser passes to them, so `mailto:user%40example.com` works, and pages contain it.
    EncodedAt,
    /// Pauses and tones after a number, which the scan accepts in `<…>`: RFC 3966 has neither, but telephones dial them.
    Tones,
}

/// Scheme, place, exception.
const TABLE: [(&str, Place, Leniency); 3] = [
    // Maps generate `geo:48.2010,16.3695?z=12`, against RFC 5870.
    ("geo", Place::Text, Leniency::Fault(ErrorKind::SchemeQuery)),
    ("mailto", Place::Value, Leniency::EncodedAt),
    ("tel", Place::Text, Leniency::Tones),
];

/// Returns `true` if a link of running text has to meet rules that the scan does not check.
#[inline]
pub(super) fn has_rules(kind: LinkKind, text: &str) -> bool {
    if kind != LinkKind::Absolute
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

/// Checks a URI by the rules of its scheme (RFC 8141, RFC 3966 and so on), as far as they apply to it.
///
/// # Errors
///
/// Returns the first broken rule without an exception.
pub(super) fn check(uri: &Iri<'_>, place: Place, kind: LinkKind) -> Result<Held, Error> {
    // The scan has checked an address in running text.
    if place == Place::Text && kind != LinkKind::Absolute {
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
        Some(Leniency::Tones) if has_tones(uri.as_str()) => return Ok(Held::LetThrough),
        _ => checked,
    };
    match checked {
        Ok(()) => Ok(Held::Kept),
        Err(error) if place == Place::Value && is_opened(scheme, error.kind()) => {
            Ok(Held::LetThrough)
        }
        Err(error) => Err(error),
    }
}

/// Returns `true` if a URI is that of a telephone number with pauses and tones after it.
fn has_tones(uri: &str) -> bool {
    let Some(at) = uri.find([',', '#', '*']) else { return false };
    uri[at..].chars().all(is_tone)
        && Iri::parse(&uri[..at]).is_ok_and(|iri| iri.check_scheme().is_ok())
}

/// Returns `true` if browsers open a URI although it breaks rules of its scheme: they pass forms that people write, of
/// schemes without a host, to another program (`tel:0664 118`, `sms:?body=x`, `mailto:?&subject=x`), and read a `ws` URL as
/// one of http.
fn is_opened(scheme: &str, fault: ErrorKind) -> bool {
    let is_of_web = is_special(scheme)
        && matches!(fault, ErrorKind::SchemeUserinfo | ErrorKind::SchemeFragment);
    is_of_web
        || schemes::is(scheme.as_bytes(), schemes::HANDED_OVER)
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

/// Returns `true` if the last label of a host is a number or empty; the general path decides what that means for the
/// scheme.
pub(super) fn may_be_address(host: &str) -> bool {
    let name = host.strip_suffix('.').unwrap_or(host).as_bytes();
    let dot = memchr::memrchr(b'.', name);
    is_number(&name[dot.map_or(0, |dot| dot + 1)..])
}
