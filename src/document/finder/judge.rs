//! The general path from a draft to a link: repair, resolution, mapping, the rules of its scheme, warnings.
//!
//! The input is a [`Draft`], of running text or of a value of markup, the result is a link with its URI, or a rejected
//! candidate with its reason. Only this module adds warnings and reasons. The fast paths (`text`, `value`) have the
//! result that this one would have for a text that is its own URI, without warnings: a plain ASCII text that may have a
//! warning must come here (`text::is_plain`, `Finder::plain` in `value`).
//!
//! The warnings about deception come from the module `trust`, when the host is mapped.
//!
//! Links of text and of values, and rejected candidates, get the warnings that depend on their text only here. A link
//! of plain ASCII with an ordinary host takes a fast path.

use std::borrow::Cow;
use std::ops::Range;

use super::leniency::{self, Held, Place};
use super::target::{Base, Target};
use super::{Finder, Forbidden, Schemes};
use crate::charset::Charset;
use crate::iri::repair::{Repairs, browser, scheme_of};
use crate::iri::{
    Error, ErrorKind, HostMapping, Iri, IriRef, MapOptions, Octet, QueryEncoder, host_to_ascii,
    mail_domain,
};
use crate::link::{
    Body, Judged, Link, LinkKind, Reason, Rejected, Resembled, Warning, Warnings, derived,
};
use crate::tables::forms::{is_nfc, nfc};
use crate::tables::schemes;
use crate::trust::{self, LinkUse, Subject};

/// A candidate with its text; the body has its range, its kind and its charset.
pub(super) struct Draft<'t> {
    pub(super) body: Body<'t>,
    pub(super) place: Place,
    /// Whether the scan found characters in the host that UTS #46 must check.
    pub(super) has_odd_host: bool,
}

/// Result of a draft.
struct Outcome {
    kind: LinkKind,
    warnings: Warnings,
    /// The known host that its host resembles.
    resembled: Option<Resembled>,
    /// The IRI, valid by RFC 3987; `None` if the text is that.
    iri: Option<String>,
    /// Its IRI and URI, or the reason for its rejection.
    end: Result<Mapped, Reason>,
}

/// Result of mapping an IRI to a URI.
struct Mapped {
    /// `None`: the IRI is its own URI.
    uri: Option<String>,
    /// The host in the URI.
    host: Range<usize>,
    held: Held,
}

impl Mapped {
    /// Range of the host in the URI, if that differs from the text.
    fn own_host(&self) -> Option<&str> {
        self.uri.as_deref()?.get(self.host.clone()).filter(|host| !host.is_empty())
    }
}

impl Finder {
    /// Converts a draft to a link or a rejected candidate.
    pub(super) fn follow<'t>(&self, draft: Draft<'t>, base: Option<&Base>) -> Judged<'t> {
        let prefix = draft.body.prefix().len();
        let text = draft.body.iri();
        let Outcome { kind, warnings, resembled, iri, end } = self.outcome(&draft, &text, base);
        let text = match text {
            Cow::Borrowed(_) => None,
            Cow::Owned(text) => Some(text),
        };
        let Draft { mut body, place, .. } = draft;
        body.warnings = body.warnings.with(warnings);
        self.note_resembled(&mut body, resembled);
        match place {
            Place::Value => {
                body.kind = kind;
                if let Some(iri) = iri {
                    body.resolved = (*iri != *body.raw).then(|| iri.into_boxed_str());
                }
                let Mapped { uri, host, .. } = match end {
                    Ok(mapped) => mapped,
                    Err(reason) => return Err(Rejected::new(body, reason)),
                };
                body.set_host(host);
                body.set_uri(uri);
            }
            Place::Text => {
                self.warn_of_deceit(&mut body, end.as_ref().ok().and_then(Mapped::own_host));
                // The text in Form C; repairs appear only in the URI.
                compose(&mut body);
                let Mapped { uri, host, .. } = match end {
                    Ok(mapped) => mapped,
                    Err(reason) => return Err(Rejected::new(body, reason)),
                };
                let written = text.as_deref().unwrap_or(body.text());
                match uri.or(iri).filter(|uri| uri != written) {
                    Some(uri) => {
                        body.set_host(host);
                        body.set_uri(Some(uri));
                    }
                    None => body.set_host(
                        host.start.saturating_sub(prefix)..host.end.saturating_sub(prefix),
                    ),
                }
            }
        }
        Ok(Link { body })
    }

    fn outcome(&self, draft: &Draft<'_>, text: &str, base: Option<&Base>) -> Outcome {
        let Draft { body, place, has_odd_host } = draft;
        let charset = body.charset;
        let encoder = |query: &str, give: &mut dyn FnMut(Octet)| charset.encode_query(query, give);
        let of_query: Option<&QueryEncoder<'_>> =
            if charset.is_unicode() || !self.query_charset { None } else { Some(&encoder) };
        let target = match Target::of(text, *place, base, of_query) {
            Ok(target) => target,
            Err(error) => {
                let kind = if scheme_of(text).is_some() {
                    LinkKind::Absolute
                } else {
                    LinkKind::Reference
                };
                let (warnings, end) = (Warnings::default(), Err(Reason::of(error.kind())));
                return Outcome { kind, warnings, resembled: None, iri: None, end };
            }
        };
        let parsed = target.parsed();
        let lacks_base = target.is_relative && base.is_some();
        let kind = match (place, is_mailto(&parsed), target.has_scheme) {
            (Place::Text, ..) => body.kind,
            (_, true, _) => LinkKind::Email,
            (_, _, true) => LinkKind::Absolute,
            _ => LinkKind::Reference,
        };
        let mut warnings = derived::of_iri(&parsed, target.repairs, charset);
        let end = match self.unwanted(kind, target.repairs, *place) {
            Some(reason) => Err(reason),
            None if lacks_base => Err(Reason::BaseTooLong),
            None => self
                .host_is_valid(&parsed, *has_odd_host)
                .and_then(|()| self.mapped(parsed, target.is_relative, charset, *place, kind))
                .and_then(|mapped| self.selected(target.parsed().scheme()).map(|()| mapped)),
        };
        if end.as_ref().is_ok_and(|mapped| mapped.held == Held::LetThrough) {
            warnings.insert(Warning::Lenient);
        }
        // The host of a base is not part of this value. A text is checked unrepaired, as written.
        let own = match target.has_scheme || text.starts_with(['/', '\\']) && parsed.has_authority()
        {
            true => host_of(&parsed),
            false => 0..0,
        };
        let resembled = match place {
            Place::Text => None,
            Place::Value => {
                let place = LinkUse::from(body.context.kind());
                self.deceits(&parsed, own, end.as_ref().ok(), place, &mut warnings)
            }
        };
        let iri = match target.iri {
            iri if !charset.is_unicode() && !iri.is_ascii() && !is_nfc(&iri) => {
                Some(nfc(&iri).into_owned())
            }
            Cow::Owned(iri) => Some(iri),
            Cow::Borrowed(_) => None,
        };
        Outcome { kind, warnings, resembled, iri, end }
    }

    /// Returns the reason why a valid IRI is not a wanted link.
    fn unwanted(&self, kind: LinkKind, repairs: Repairs, place: Place) -> Option<Reason> {
        if repairs.forbidden && self.forbidden == Forbidden::Refuse {
            return Some(Reason::ForbiddenCharacter);
        }
        // The scan checks this for running text.
        (place == Place::Value && kind == LinkKind::Email && !self.scan.emails)
            .then_some(Reason::Email)
    }

    /// Checks whether the scheme of a target is selected: in running text and in values the scheme of its URI.
    pub(super) fn selected(&self, scheme: Option<&str>) -> Result<(), Reason> {
        match (&self.scan.schemes, scheme) {
            // A reference without a base has no scheme that a list could contain.
            (Schemes::List(_), None) => Err(Reason::of(ErrorKind::NoScheme)),
            (schemes, Some(scheme)) if !schemes.selects(scheme) => Err(Reason::SchemeNotSelected),
            _ => Ok(()),
        }
    }

    /// Adds the warnings about deception of a value, and returns the known host that it resembles. `own`: its host, if
    /// the value contains one.
    fn deceits(
        &self,
        parsed: &IriRef<'_>,
        own: Range<usize>,
        mapped: Option<&Mapped>,
        place: LinkUse,
        warnings: &mut Warnings,
    ) -> Option<Resembled> {
        let text = parsed.as_str();
        let written = text.get(own.clone()).unwrap_or_default();
        let ascii = self.ascii_host(written, mapped.and_then(Mapped::own_host));
        let ascii = ascii.as_deref();
        let scheme = parsed.scheme().unwrap_or_default();
        trust::collect_warnings(&Subject { text, scheme, host: own, ascii, place }, warnings);
        self.resembled(written, ascii)
    }

    /// Checks the host by UTS #46, which decides in running text, with any mapping and any scheme. A host that UTS #46
    /// maps anyway is not checked here.
    fn host_is_valid(&self, parsed: &IriRef<'_>, is_odd: bool) -> Result<(), Reason> {
        let host = &parsed.as_str()[host_of(parsed)];
        let scheme = parsed.scheme().unwrap_or_default();
        // The host of an application's scheme is any name: `message://%3Cid%3E`.
        let is_name =
            || host.contains('%') && host.is_ascii() && schemes::has_any_host(scheme.as_bytes());
        if is_odd && !host.is_empty() && !self.is_mapped_by_idna(host) && !is_name() {
            host_to_ascii(host).map_err(Reason::of)?;
        }
        Ok(())
    }

    /// Returns the URI that an IRI or a relative reference maps to, or the reason why it is not a link.
    fn mapped(
        &self,
        parsed: IriRef<'_>,
        is_relative: bool,
        charset: Charset,
        place: Place,
        kind: LinkKind,
    ) -> Result<Mapped, Reason> {
        // A path, a query, a fragment: most references of pages.
        if is_relative && !parsed.has_authority() && parsed.as_str().is_ascii() {
            let host = parsed.host_range();
            return Ok(Mapped { uri: None, host, held: Held::Kept });
        }
        let refused = |error: Error| Reason::of(error.kind());
        let encoder = |query: &str, give: &mut dyn FnMut(Octet)| charset.encode_query(query, give);
        let mut options = MapOptions::new().host(self.host);
        if !charset.is_unicode() {
            options = options.nfc(true);
            if self.query_charset {
                options = options.charset(&encoder);
            }
        }
        let (uri, is_lenient) = match (parsed.to_uri_with(&options), place) {
            (Err(error), Place::Value) => {
                let uri = parsed.to_uri_with(&of_browser(&parsed, options));
                (uri.map_err(|_| refused(error))?, true)
            }
            (uri, _) => (uri.map_err(refused)?, false),
        };
        let uri = match uri {
            Cow::Borrowed(_) => None,
            Cow::Owned(uri) => Some(uri),
        };
        // Most are their own URI already.
        let mapped = match &uri {
            None => parsed,
            Some(uri) => IriRef::parse(uri).map_err(refused)?,
        };
        let whole = mapped.to_iri();
        if place == Place::Text
            && uri.is_some()
            && mapped.host().is_some_and(leniency::may_be_address)
            && let Some(Err(error)) = whole.as_ref().map(Iri::check_scheme)
            && error.kind() == ErrorKind::SchemeHostIpv4
        {
            // The scan reads digits unmapped: `http://１/`, `http://0ｘ7f/`.
            return Err(Reason::HostIpv4);
        }
        let held = match whole {
            Some(whole) if !is_relative => leniency::check(&whole, place, kind).map_err(refused)?,
            _ => Held::Kept,
        };
        let held = if is_lenient { Held::LetThrough } else { held };
        let host = host_of(&mapped);
        Ok(Mapped { uri, host, held })
    }
}

/// Returns the options by which browsers map a host that is no name of the domain name system: in a URL of the web it is
/// one of theirs, elsewhere it is percent-encoded (URL standard, "opaque-host parser").
fn of_browser<'e>(parsed: &IriRef<'_>, options: MapOptions<'e>) -> MapOptions<'e> {
    match parsed.scheme() {
        Some(scheme) if !browser::is_standard(scheme) => options.host(HostMapping::Percent),
        _ => options.as_browsers(),
    }
}

/// Normalizes text of a legacy charset to Form C.
fn compose(body: &mut Body<'_>) {
    if body.charset.is_unicode() || body.text().is_ascii() || is_nfc(body.text()) {
        return;
    }
    body.resolved = Some(nfc(body.text()).into());
}

fn is_mailto(parsed: &IriRef<'_>) -> bool {
    parsed.scheme().is_some_and(schemes::is_mail)
}

/// Returns the range of the host, that of an address too; empty without one.
fn host_of(parsed: &IriRef<'_>) -> Range<usize> {
    let domain = if is_mailto(parsed) { mail_domain(parsed) } else { None };
    domain.unwrap_or(parsed.host_range())
}

impl Finder {
    /// Adds the warnings about deception by text and host to a link or candidate of running text. `mapped`: the host in
    /// its URI, if it has one.
    pub(super) fn warn_of_deceit(&self, body: &mut Body<'_>, mapped: Option<&str>) {
        let text = body.text();
        let written = text.get(body.host()).unwrap_or_default();
        let ascii = self.ascii_host(written, mapped);
        let ascii = ascii.as_deref();
        let mut warnings = body.warnings;
        derived::collect_deceits(body, ascii, &mut warnings);
        let resembled = self.resembled(written, ascii);
        body.warnings = warnings;
        self.note_resembled(body, resembled);
    }

    /// Returns a host mapped by UTS #46; `mapped` is the host of the URI, so that no host is mapped twice.
    fn ascii_host<'h>(&self, written: &'h str, mapped: Option<&'h str>) -> Option<Cow<'h, str>> {
        match mapped {
            Some(mapped) if self.is_mapped_by_idna(written) => Some(Cow::Borrowed(mapped)),
            _ => host_to_ascii(written).ok(),
        }
    }

    /// Returns `true` if UTS #46 maps this host for the URI, with any scheme.
    fn is_mapped_by_idna(&self, written: &str) -> bool {
        self.host == HostMapping::Ascii && !written.is_ascii()
    }

    /// Returns the known host that this one looks like, misspells, or has before its own domain.
    pub(super) fn resembled(&self, written: &str, ascii: Option<&str>) -> Option<Resembled> {
        let found = self.known.as_ref()?.resemblance(written, ascii?)?;
        Some(Resembled { warning: found.warning, host: found.known.into() })
    }

    pub(super) fn note_resembled(&self, body: &mut Body<'_>, resembled: Option<Resembled>) {
        if let Some(Resembled { warning, .. }) = resembled {
            body.warnings.insert(warning);
            body.rare_mut().resembled = resembled;
        }
    }

    /// Returns `true` if every host has to be compared with the known ones.
    #[inline]
    pub(crate) fn has_known(&self) -> bool {
        self.known.is_some()
    }
}
