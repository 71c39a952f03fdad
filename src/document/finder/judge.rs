//! The general path from a draft to a link: repaired, resolved, mapped, held to the rules of its scheme, warned of.
//!
//! Takes a [`Draft`], of running text or of a value of markup; gives a link with its
//! URI, or a rejected candidate with its reason. A new warning or a new reason is written here, once. The
//! short paths (`text`, `value`) give what this one would give of a text that is its own URI, which has no
//! warnings: what a plain ASCII text can be warned of must come here (`text::is_plain`, `Finder::plain` in `value`).
//!
//! What deceives in a link: asked of the module `trust` once its host is mapped.
//!
//! The one place where links of text and of values, and rejected candidates, get the warnings that hang
//! on their text. A link of plain ASCII with an ordinary host never comes here.

use std::borrow::Cow;
use std::ops::Range;

use super::leniency::{self, Held, Place};
use super::target::{Base, Target};
use super::{Finder, Forbidden, Schemes};
use crate::charset::Charset;
use crate::iri::repair::{Repairs, scheme_of};
use crate::iri::{
    Error, ErrorKind, HostMapping, Iri, IriRef, MapOptions, Octet, QueryEncoder, host_to_ascii,
    mail_domain,
};
use crate::link::{Body, Judged, Link, LinkKind, Reason, Rejected, Warning, Warnings, derived};
use crate::tables::forms::{is_nfc, nfc};
use crate::tables::schemes;
use crate::trust::{self, Subject};

/// A candidate with its text: where it stood, as what, and what it is decoded from are in the body.
pub(super) struct Draft<'t> {
    pub(super) body: Body<'t>,
    pub(super) place: Place,
    /// The scan has seen what UTS #46 must look at in the host.
    pub(super) has_odd_host: bool,
}

/// Result of a draft.
struct Outcome {
    kind: LinkKind,
    warnings: Warnings,
    /// The known host that its own resembles.
    resembled: Option<Box<str>>,
    /// Valid by RFC 3987; `None`: the text is.
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
    /// The host in the URI, where that is another text.
    fn own_host(&self) -> Option<&str> {
        self.uri.as_deref()?.get(self.host.clone()).filter(|host| !host.is_empty())
    }
}

impl Finder {
    /// Makes of a draft a link or a rejected candidate.
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
                // As it is written, but for Form C; what had to be repaired is so in the URI alone.
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
                let kind =
                    if scheme_of(text).is_some() { LinkKind::Iri } else { LinkKind::Reference };
                let (warnings, end) = (Warnings::default(), Err(Reason::of(error.kind())));
                return Outcome { kind, warnings, resembled: None, iri: None, end };
            }
        };
        let parsed = target.parsed();
        let lacks_base = target.is_relative && base.is_some();
        let kind = match (place, is_mailto(&parsed), target.has_scheme) {
            (Place::Text, ..) => body.kind,
            (_, true, _) => LinkKind::Email,
            (_, _, true) => LinkKind::Iri,
            _ => LinkKind::Reference,
        };
        let mut warnings = derived::of_iri(&parsed, target.repairs, charset);
        let end = match self.unwanted(kind, target.repairs, *place) {
            Some(reason) => Err(reason),
            None if lacks_base => Err(Reason::BaseTooLong),
            None => self
                .host_is_valid(&parsed, *has_odd_host)
                .and_then(|()| self.mapped(parsed, target.is_relative, charset, *place, kind))
                .and_then(|mapped| self.selected(&target).map(|()| mapped)),
        };
        if end.as_ref().is_ok_and(|mapped| mapped.held == Held::LetThrough) {
            warnings.insert(Warning::Lenient);
        }
        // A base's host is not what this value deceives with. A text is asked as it was written, unrepaired.
        let own = match target.has_scheme || text.starts_with(['/', '\\']) && parsed.has_authority()
        {
            true => host_of(&parsed),
            false => 0..0,
        };
        let resembled = match place {
            Place::Text => None,
            Place::Value => self.deceits(&parsed, own, end.as_ref().ok(), &mut warnings),
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
        // The scan asks so of running text itself.
        (place == Place::Value && kind == LinkKind::Email && !self.scan.emails)
            .then_some(Reason::Email)
    }

    /// Whether the scheme of a target that would be a link otherwise is one of those that were asked for: in running
    /// text and in values alike, that of its URI.
    fn selected(&self, target: &Target<'_>) -> Result<(), Reason> {
        match (&self.scan.schemes, target.parsed().scheme()) {
            // Nothing that no base resolves can be on a list.
            (Schemes::List(_), None) => Err(Reason::of(ErrorKind::NoScheme)),
            (schemes, Some(scheme)) if !schemes.selects(scheme) => Err(Reason::SchemeNotSelected),
            _ => Ok(()),
        }
    }

    /// Adds what a value deceives with, and gives the known host that it resembles. `own`: its host, if
    /// that is written in it.
    fn deceits(
        &self,
        parsed: &IriRef<'_>,
        own: Range<usize>,
        mapped: Option<&Mapped>,
        warnings: &mut Warnings,
    ) -> Option<Box<str>> {
        let text = parsed.as_str();
        let written = text.get(own.clone()).unwrap_or_default();
        let ascii = self.ascii_host(written, mapped.and_then(Mapped::own_host));
        let ascii = ascii.as_deref();
        let scheme = parsed.scheme().unwrap_or_default();
        trust::collect_warnings(&Subject { text, scheme, host: own, ascii }, warnings);
        self.resembled(ascii)
    }

    /// Checks the host by UTS #46, which decides in running text, however it is mapped and whatever the scheme. One
    /// that UTS #46 maps anyway is not looked at here.
    fn host_is_valid(&self, parsed: &IriRef<'_>, is_odd: bool) -> Result<(), Reason> {
        let host = &parsed.as_str()[host_of(parsed)];
        if is_odd && !host.is_empty() && !self.is_mapped_by_idna(host) {
            host_to_ascii(host).map_err(Reason::of)?;
        }
        Ok(())
    }

    /// The URI that an IRI or a relative reference maps to, or why it is no link.
    fn mapped(
        &self,
        parsed: IriRef<'_>,
        is_relative: bool,
        charset: Charset,
        place: Place,
        kind: LinkKind,
    ) -> Result<Mapped, Reason> {
        // A path, a query, a fragment: what most pages are full of.
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
        let uri = match parsed.to_uri_with(&options).map_err(refused)? {
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
            && mapped.host().is_some_and(ends_in_digit)
            && let Some(Err(error)) = whole.as_ref().map(Iri::check_scheme)
            && error.kind() == ErrorKind::SchemeHostIpv4
        {
            // The scan looks at digits as they are written: `http://１/`.
            return Err(Reason::HostIpv4);
        }
        let held = match whole {
            Some(whole) if !is_relative => leniency::check(&whole, place, kind).map_err(refused)?,
            _ => Held::Kept,
        };
        let host = host_of(&mapped);
        Ok(Mapped { uri, host, held })
    }
}

/// Whether the last label of a host may be a number.
fn ends_in_digit(host: &str) -> bool {
    host.strip_suffix('.').unwrap_or(host).ends_with(|c: char| c.is_ascii_digit())
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

/// Where the host lies, that of an address too; empty without one.
fn host_of(parsed: &IriRef<'_>) -> Range<usize> {
    let domain = if is_mailto(parsed) { mail_domain(parsed) } else { None };
    domain.unwrap_or(parsed.host_range())
}

impl Finder {
    /// Adds to a link or candidate of running text what its text and its host deceive with. `mapped`: the
    /// host in its URI, if it has come so far.
    pub(super) fn warn_of_deceit(&self, body: &mut Body<'_>, mapped: Option<&str>) {
        let text = body.text();
        let ascii = self.ascii_host(text.get(body.host()).unwrap_or_default(), mapped);
        let ascii = ascii.as_deref();
        let mut warnings = body.warnings;
        derived::collect_deceits(body, ascii, &mut warnings);
        let resembled = self.resembled(ascii);
        body.warnings = warnings;
        self.note_resembled(body, resembled);
    }

    /// A host by UTS #46; `mapped` is what the URI has for it, so that none is mapped twice.
    pub(super) fn ascii_host<'h>(
        &self,
        written: &'h str,
        mapped: Option<&'h str>,
    ) -> Option<Cow<'h, str>> {
        match mapped {
            Some(mapped) if self.is_mapped_by_idna(written) => Some(Cow::Borrowed(mapped)),
            _ => host_to_ascii(written).ok(),
        }
    }

    /// Whether UTS #46 maps this host, whatever the scheme, on the way to the URI.
    pub(super) fn is_mapped_by_idna(&self, written: &str) -> bool {
        self.host == HostMapping::Ascii && !written.is_ascii()
    }

    /// The known host that this one looks like.
    pub(super) fn resembled(&self, ascii: Option<&str>) -> Option<Box<str>> {
        self.known.as_ref()?.resembled(ascii?).map(Box::from)
    }

    pub(super) fn note_resembled(&self, body: &mut Body<'_>, resembled: Option<Box<str>>) {
        if resembled.is_some() {
            body.warnings.insert(Warning::HostLookalike);
            body.rare_mut().resembled = resembled;
        }
    }

    /// Whether every host has to be compared with the known ones.
    #[inline]
    pub(crate) fn has_known(&self) -> bool {
        self.known.is_some()
    }
}
