//! Links of markup: from a reference that a value holds to a link or a refusal.

use std::borrow::Cow;
use std::ops::Range;

use unicode_normalization::{UnicodeNormalization, is_nfc};

use super::browser::{self, Read};
use super::{Finder, Forbidden, Schemes};
use crate::charset::Charset;
use crate::iri::{
    Error, ErrorKind, Iri, IriRef, MapOptions, Octet, Plain, host_to_ascii, mail_domain,
};
use crate::link::{Body, Link, LinkKind, Rare, Reason, Rejected, Warning, Warnings};
use crate::markup::{Base, Mended, Target};
use crate::tables::schemes;
use crate::trust::{self, Subject};

/// An IRI reference that a value of markup holds.
pub(crate) struct Reference<'t> {
    /// Character references and escapes resolved, white space stripped.
    pub(crate) text: Cow<'t, str>,
    /// As it is written; `None`: as `text` is.
    pub(crate) raw: Option<Cow<'t, str>>,
    /// In the stored bytes of the document.
    pub(crate) range: Range<usize>,
    /// Where it stands: `a@href`.
    pub(crate) context: Cow<'static, str>,
}

/// The same, as it is written.
pub(crate) struct PlainValue<'t, R> {
    pub(crate) plain: Plain<'t>,
    /// Where it is stored.
    pub(crate) range: R,
    pub(crate) context: &'static str,
}

impl Finder {
    /// Makes of a reference a link or a refusal.
    pub(crate) fn judge_value<'t>(
        &self,
        reference: Reference<'t>,
        base: Option<&Base>,
        charset: Charset,
    ) -> Result<Link<'t>, Rejected<'t>> {
        let Reference { text, raw, range, context } = reference;
        let scheme = base.and_then(|base| base.parsed().scheme());
        // What renders Markdown percent-encodes a backslash (CommonMark 0.31 §6.5).
        let is_rendered = context.starts_with("markdown:") && text.contains('\\');
        let read = if is_rendered { Read::plain(&text) } else { browser::read(&text, scheme) };
        let (text, raw, mut warnings) = match read {
            Read { text: Cow::Owned(read), warnings } => {
                (Cow::Owned(read), Some(raw.unwrap_or(text)), warnings)
            }
            Read { warnings, .. } => (text, raw, warnings),
        };
        let target = match Target::of(&text, base) {
            Ok(target) => target,
            Err(error) => {
                let kind = if has_scheme(&text) { LinkKind::Iri } else { LinkKind::Reference };
                let mut body = body(raw, text, None, Body::new(range, kind, charset), context);
                warnings.iter().for_each(|warning| body.warnings.insert(warning));
                return Err(Rejected { body, reason: Reason::Iri(error.kind()) });
            }
        };
        let Target { mended, has_scheme, is_relative, .. } = target;
        let parsed = target.parsed();
        let is_mail = is_mailto(&parsed);
        let kind = match (is_mail, has_scheme) {
            (true, _) => LinkKind::Email,
            (_, true) => LinkKind::Iri,
            _ => LinkKind::Reference,
        };
        let mapped = self.map_value(parsed, is_relative, charset);
        let host = host_of(&parsed, is_mail);
        // A base's host is not what this value deceives with.
        let has_own_host = has_scheme || text.starts_with(['/', '\\']) && parsed.has_authority();
        let own = if has_own_host { host.clone() } else { host.end..host.end };
        let (deceits, resembled) = self.deceits(&parsed, own, &mapped);
        let not_listed = self.not_listed(&parsed);
        let iri = match target.iri {
            iri if !charset.is_unicode() && !iri.is_ascii() && !is_nfc(&iri) => {
                Some(iri.nfc().collect())
            }
            Cow::Owned(iri) => Some(iri),
            Cow::Borrowed(_) => None,
        };
        let mut body = body(raw, text, iri, Body::new(range, kind, charset), context);
        body.warnings = deceits;
        self.note_resembled(&mut body, resembled);
        if mapped.as_ref().is_ok_and(|mapped| mapped.is_lenient) {
            warnings.insert(Warning::Lenient);
        }
        warnings.iter().for_each(|warning| body.warnings.insert(warning));
        warn(&mut body, mended, charset);
        if mended.forbidden && self.forbidden == Forbidden::Refuse {
            return Err(Rejected { body, reason: Reason::ForbiddenCharacter });
        }
        if is_mail && !self.scan.emails {
            return Err(Rejected { body, reason: Reason::Email });
        }
        if let Some(reason) = not_listed {
            return Err(Rejected { body, reason });
        }
        let Mapped { changed, has_userinfo, .. } = match mapped {
            Ok(mapped) => mapped,
            Err(reason) => return Err(Rejected { body, reason }),
        };
        if has_userinfo {
            body.warnings.insert(Warning::Userinfo);
        }
        let Some((uri, mapped_host)) = changed else {
            body.host = host;
            return Ok(Link { body, mapped_host: None });
        };
        body.rare_mut().uri = Some(uri);
        Ok(Link { body, mapped_host })
    }

    /// The link of a value that is one plain reference, as nearly all are, with nothing to be resolved or
    /// stripped; `None` if it, or the base, must be looked at closely. `scratch` is for what is resolved;
    /// `tell` gets the link's text, before the link is made where the caller wants it.
    #[inline(always)]
    pub(crate) fn judge_plain_value<'t>(
        &self,
        value: PlainValue<'t, impl FnOnce() -> Range<usize>>,
        base: Option<&Base>,
        charset: Charset,
        scratch: &mut String,
        tell: impl FnOnce(&str),
    ) -> Option<Link<'t>> {
        if matches!(self.scan.schemes, Schemes::List(_)) || self.has_known() {
            return None;
        }
        let PlainValue { plain, range, context } = value;
        // What may deceive goes the longer way.
        if plain.may_deceive() {
            return None;
        }
        let has_scheme = plain.has_scheme();
        if has_scheme && is_read_otherwise(&plain) {
            return None;
        }
        let (resolved, host) = match base {
            Some(base) if !has_scheme => {
                let host = base.resolve_plain(&plain, scratch)?;
                (Some(Box::from(scratch.as_str())), host)
            }
            _ => (None, plain.host_range()),
        };
        tell(resolved.as_deref().unwrap_or(plain.text));
        let kind = if has_scheme { LinkKind::Iri } else { LinkKind::Reference };
        let body = Body {
            raw: Cow::Borrowed(plain.text),
            resolved,
            host,
            context,
            ..Body::new(range(), kind, charset)
        };
        Some(Link { body, mapped_host: None })
    }

    /// What a reference deceives with, and the known host that it resembles. `own`: its host, if that is written
    /// in it.
    fn deceits(
        &self,
        parsed: &IriRef<'_>,
        own: Range<usize>,
        mapped: &Result<Mapped, Reason>,
    ) -> (Warnings, Option<Box<str>>) {
        let text = parsed.as_str();
        let written = text.get(own.clone()).unwrap_or_default();
        let ascii = match mapped {
            Ok(Mapped { changed: Some((_, Some(host))), .. })
                if !own.is_empty() && host.is_ascii() =>
            {
                Some(Cow::Borrowed(&**host))
            }
            _ => host_to_ascii(written).ok(),
        };
        let ascii = ascii.as_deref();
        let scheme = parsed.scheme().unwrap_or_default();
        let mut warnings = Warnings::default();
        trust::survey(&Subject { text, scheme, host: own, ascii }, &mut warnings);
        (warnings, self.resembled(ascii))
    }

    /// Why a value is no link by the schemes that were asked for: a list of them holds for values too, and
    /// nothing that no base resolves can be on it.
    fn not_listed(&self, parsed: &IriRef<'_>) -> Option<Reason> {
        match (&self.scan.schemes, parsed.scheme()) {
            (Schemes::List(list), Some(scheme)) => {
                let is_listed = list.iter().any(|one| one.as_str().eq_ignore_ascii_case(scheme));
                (!is_listed).then_some(Reason::UnknownScheme)
            }
            (Schemes::List(_), None) => Some(Reason::Iri(ErrorKind::NoScheme)),
            _ => None,
        }
    }

    /// Whether a base is an IRI that would be accepted as a link.
    pub(crate) fn accepts(&self, base: &Base, charset: Charset) -> bool {
        self.map_value(base.parsed(), false, charset).is_ok()
    }

    /// The URI that a reference maps to, or why it is none.
    fn map_value(
        &self,
        parsed: IriRef<'_>,
        is_relative: bool,
        charset: Charset,
    ) -> Result<Mapped, Reason> {
        // A path, a query, a fragment: what most pages are full of.
        if is_relative && !parsed.has_authority() && parsed.as_str().is_ascii() {
            return Ok(Mapped { changed: None, has_userinfo: false, is_lenient: false });
        }
        let encoder = |query: &str, give: &mut dyn FnMut(Octet)| charset.encode_query(query, give);
        let mut options = MapOptions::new().host(self.host);
        if !charset.is_unicode() {
            options = match self.query_charset {
                true => options.charset(&encoder),
                false => options.nfc(true),
            };
        }
        let refused = |error: Error| match error.kind() {
            ErrorKind::HostInvalidIdna => Reason::HostInvalidIdna,
            kind => Reason::Iri(kind),
        };
        let uri = parsed.to_uri_with(&options).map_err(refused)?;
        // Most are their own URI already.
        let mapped = match &uri {
            Cow::Borrowed(_) => parsed,
            Cow::Owned(uri) => IriRef::parse(uri).map_err(refused)?,
        };
        let mut is_lenient = false;
        if !is_relative && let Some(whole) = mapped.to_iri() {
            // What pages write behind these is for programs; `geo:` is what maps hand out.
            if !schemes::is(whole.scheme().as_bytes(), schemes::FREE_IN_VALUES) {
                match check_scheme(&whole) {
                    Err(error) if is_let_through(&whole, error.kind()) => is_lenient = true,
                    checked => checked.map_err(refused)?,
                }
            }
        }
        let has_userinfo = mapped.userinfo().is_some();
        let changed = match &uri {
            Cow::Borrowed(_) => None,
            Cow::Owned(uri) => {
                let host = uri.get(host_of(&mapped, is_mailto(&mapped)));
                let host = host.filter(|host| !host.is_empty());
                Some((Box::from(uri.as_str()), host.map(Box::from)))
            }
        };
        Ok(Mapped { changed, has_userinfo, is_lenient })
    }

    /// Refuses a value as it is written, or as much of it as there is.
    pub(crate) fn refuse_value(
        &self,
        raw: String,
        range: Range<usize>,
        context: Cow<'static, str>,
        charset: Charset,
        reason: Reason,
    ) -> Rejected<'static> {
        let kind = LinkKind::Reference;
        let body = body(None, raw.into(), None, Body::new(range, kind, charset), context);
        Rejected { body, reason }
    }
}

/// Whether a plain reference of http has dot segments, or what browsers may take for an address.
#[inline]
fn is_read_otherwise(plain: &Plain<'_>) -> bool {
    let bytes = plain.text.as_bytes();
    let (host, path) =
        (plain.host_range(), plain.parts.path_start as usize..plain.parts.path_end as usize);
    let is_hex = bytes[host.clone()].last().is_some_and(u8::is_ascii_hexdigit);
    is_hex && memchr::memmem::find(&bytes[host], b"0x").is_some()
        || memchr::memmem::find(&bytes[path], b"/.").is_some()
}

/// By the rules of its scheme. RFC 6068 wants an address to have its `@` as it is (§2, `addr-spec`);
/// yet what browsers hand over to mail programs is decoded before it is read, so that
/// `mailto:user%40example.com` gets there, and pages have it.
fn check_scheme(iri: &Iri<'_>) -> Result<(), Error> {
    let checked = iri.check_scheme();
    match checked {
        Err(error) if error.kind() == ErrorKind::SchemeAddress => {
            let decoded = iri.as_str().replace("%40", "@");
            Iri::parse(&decoded).and_then(|iri| iri.check_scheme()).or(checked)
        }
        _ => checked,
    }
}

/// Whether browsers hand a URI over whatever the rules of its scheme have against it: of the schemes that
/// name no host, what people write (`tel:0664 118`, `sms:?body=x`, `mailto:?&subject=x`).
fn is_let_through(iri: &Iri<'_>, kind: ErrorKind) -> bool {
    schemes::is(iri.scheme().as_bytes(), schemes::HANDED_OVER)
        && matches!(
            kind,
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

fn is_mailto(parsed: &IriRef<'_>) -> bool {
    parsed.scheme().is_some_and(|scheme| scheme.eq_ignore_ascii_case("mailto"))
}

/// Where the host lies, that of an address too; empty without one.
fn host_of(parsed: &IriRef<'_>, is_mail: bool) -> Range<usize> {
    let domain = if is_mail { mail_domain(parsed) } else { None };
    domain.unwrap_or(parsed.host_range())
}

/// Whether a reference begins with a scheme and its colon.
fn has_scheme(text: &str) -> bool {
    let is_part = |b: u8| b.is_ascii_alphanumeric() || b"+-.".contains(&b);
    match text.split_once(':') {
        Some((scheme, _)) => {
            scheme.starts_with(|c: char| c.is_ascii_alphabetic()) && scheme.bytes().all(is_part)
        }
        None => false,
    }
}

/// A reference mapped.
struct Mapped {
    /// The URI and its host, where the URI is not what the reference is.
    changed: Option<(Box<str>, Option<Box<str>>)>,
    has_userinfo: bool,
    /// The rules of its scheme do not have it, and browsers open it.
    is_lenient: bool,
}

/// The body of a reference; `iri`: what it became, if that is not its text.
fn body<'t>(
    raw: Option<Cow<'t, str>>,
    text: Cow<'t, str>,
    iri: Option<String>,
    body: Body<'t>,
    context: Cow<'static, str>,
) -> Body<'t> {
    let (context, rare) = match context {
        Cow::Borrowed(context) => (context, None),
        Cow::Owned(context) => {
            ("", Some(Box::new(Rare { context: Some(context.into()), ..Rare::default() })))
        }
    };
    let (raw, iri) = match (raw, iri) {
        (None, iri) => (text, iri),
        (Some(raw), Some(iri)) => (raw, Some(iri)),
        (Some(raw), None) => (raw, Some(text.into_owned())),
    };
    let resolved = iri.filter(|iri| *iri != raw).map(String::into_boxed_str);
    Body { raw, resolved, context, rare, ..body }
}

fn warn(body: &mut Body<'_>, mended: Mended, charset: Charset) {
    let text = body.text();
    let is_not_nfc = charset.is_unicode() && !text.is_ascii() && !is_nfc(text);
    for (found, warning) in [
        (mended.stray_percent, Warning::StrayPercent),
        (mended.forbidden, Warning::ForbiddenCharacter),
        (mended.not_iri, Warning::NotIriCharacter),
        (is_not_nfc, Warning::NotNfc),
    ] {
        if found {
            body.warnings.insert(warning);
        }
    }
}
