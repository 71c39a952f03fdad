//! Links of markup: a reference out of a value, and a link of running text in a page.

use std::borrow::Cow;
use std::ops::Range;

use unicode_normalization::{UnicodeNormalization, is_nfc};

use super::{Finder, Forbidden};
use crate::charset::Charset;
use crate::iri::{Error, ErrorKind, IriRef, MapOptions, Octet};
use crate::link::{Body, Link, LinkKind, Place, Reason, Refused, Warning, Warnings};
use crate::markup::{Base, Mended, Target};

impl Finder {
    /// Makes of the reference `text`, written as `raw` at `range`, a link or a refusal.
    pub(crate) fn judge_value(
        &self,
        text: &str,
        raw: String,
        range: Range<usize>,
        context: Cow<'static, str>,
        base: Option<&Base>,
        charset: Charset,
    ) -> Result<Link<'static>, Refused<'static>> {
        let place = Place { context, uri: None };
        let target = match Target::of(text, base) {
            Ok(target) => target,
            Err(error) => {
                let kind = if has_scheme(text) { LinkKind::Iri } else { LinkKind::Reference };
                let body = body(raw, text.to_owned(), range, kind, place, charset);
                return Err(Refused { body, reason: Reason::Iri(error.kind()) });
            }
        };
        let iri = target.iri.into_owned();
        let is_mail = iri.get(..7).is_some_and(|scheme| scheme.eq_ignore_ascii_case("mailto:"));
        let kind = match (is_mail, has_scheme(text)) {
            (true, _) => LinkKind::Email,
            (_, true) => LinkKind::Iri,
            _ => LinkKind::Reference,
        };
        let mapped = self.map_value(&iri, target.is_relative, charset);
        let composed = match charset.is_unicode() || iri.is_ascii() || is_nfc(&iri) {
            true => iri,
            false => iri.nfc().collect(),
        };
        let mut body = body(raw, composed, range, kind, place, charset);
        warn(&mut body, target.mended, charset);
        if target.mended.forbidden && self.forbidden == Forbidden::Refuse {
            return Err(Refused { body, reason: Reason::ForbiddenCharacter });
        }
        if is_mail && !self.scan.emails {
            return Err(Refused { body, reason: Reason::Email });
        }
        let Mapped { uri, host, has_userinfo } = match mapped {
            Ok(mapped) => mapped,
            Err(reason) => return Err(Refused { body, reason }),
        };
        if has_userinfo {
            body.warnings.insert(Warning::Userinfo);
        }
        if let Some(place) = &mut body.place {
            place.uri = Some(uri.into_boxed_str());
        }
        Ok(Link { body, mapped_host: host })
    }

    /// The URI that a reference maps to, or why it is none.
    fn map_value(&self, iri: &str, is_relative: bool, charset: Charset) -> Result<Mapped, Reason> {
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
        let parsed = IriRef::parse(iri).map_err(refused)?;
        let uri = parsed.to_uri_with(&options).map_err(refused)?;
        // Most are their own URI already.
        let mapped = match &uri {
            Cow::Borrowed(_) => parsed,
            Cow::Owned(uri) => IriRef::parse(uri).map_err(refused)?,
        };
        if !is_relative && let Some(whole) = mapped.to_iri() {
            // What pages write behind these is for programs; `geo:` is what maps hand out.
            let is_free = ["javascript", "data", "geo"]
                .iter()
                .any(|scheme| whole.scheme().eq_ignore_ascii_case(scheme));
            if !is_free {
                whole.check_scheme().map_err(refused)?;
            }
        }
        let host = mapped.host().filter(|host| !host.is_empty()).map(Box::from);
        let has_userinfo = mapped.userinfo().is_some();
        Ok(Mapped { host, has_userinfo, uri: uri.into_owned() })
    }

    /// Refuses a value that is longer than the limit; `head` are its first characters.
    pub(crate) fn refuse_long_value(
        &self,
        head: String,
        range: Range<usize>,
        context: Cow<'static, str>,
        charset: Charset,
    ) -> Refused<'static> {
        let place = Place { context, uri: None };
        let body = body(head.clone(), head, range, LinkKind::Reference, place, charset);
        Refused { body, reason: Reason::TooLong }
    }
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
    uri: String,
    host: Option<Box<str>>,
    has_userinfo: bool,
}

fn body(
    raw: String,
    iri: String,
    range: Range<usize>,
    kind: LinkKind,
    place: Place,
    charset: Charset,
) -> Body<'static> {
    let resolved = (raw != iri).then(|| iri.into_boxed_str());
    Body {
        range,
        raw: Cow::Owned(raw),
        resolved,
        prefix: Cow::Borrowed(""),
        kind,
        host: 0..0,
        warnings: Warnings::default(),
        position: None,
        is_plain: true,
        charset,
        octets: None,
        place: Some(Box::new(place)),
    }
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
