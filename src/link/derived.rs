//! Properties that depend only on the text of a link: its URI, its host there, and the warnings about it.
//!
//! The input is a body, the result is a property that it keeps, or that is derived from the text if it is
//! [due](Derivation::Due). The finder computes the warnings that it keeps here too, so that there is one path to them.
//!
//! Findings about deception are detected again from the text: a link keeps one bit for each warning, and callers rarely
//! need more.

use std::borrow::Cow;
use std::ops::Range;

use super::{Body, Derivation, Severity, Warning, Warnings};
use crate::charset::Charset;
use crate::context::ContextKind;
use crate::iri::repair::Repairs;
use crate::iri::{BidiRule, HostMapping, IriRef, chars, host, host_to_ascii, mail_domain};
use crate::scan::has_edge_hyphen;
use crate::tables::direction::is_of_right_to_left;
use crate::tables::forms::is_nfc;
use crate::tables::punctuation::is_full_stop;
use crate::tables::schemes;
use crate::trust::{self, Finding, FindingDetail, Findings, Subject};

/// Returns the URI of a link.
pub(super) fn uri<'b>(body: &'b Body<'_>) -> Cow<'b, str> {
    match body.derivation {
        Derivation::Due(form) => Cow::Owned(mapped(body, form).0),
        Derivation::Kept => body.mapped().map_or_else(|| body.iri(), Cow::Borrowed),
    }
}

/// Returns the host of the URI in lower case; `None` for a URI without a host.
pub(super) fn host<'b>(body: &'b Body<'_>) -> Option<Cow<'b, str>> {
    let text = body.mapped().unwrap_or(body.text());
    let host = text.get(body.host()).filter(|host| !host.is_empty())?;
    match body.derivation {
        Derivation::Due(form) if !host.is_ascii() => {
            let mut mapped = String::new();
            push_host(&mut mapped, host, form);
            Some(lower(Cow::Owned(mapped)))
        }
        _ => Some(lower(Cow::Borrowed(host))),
    }
}

/// Returns a host in lower case, except for percent-encoded bytes, whose digits are in upper case.
fn lower(host: Cow<'_, str>) -> Cow<'_, str> {
    if !host.bytes().any(|b| b.is_ascii_uppercase()) {
        return host;
    }
    let mut encoded = 0;
    let each = host.chars().map(|c| {
        encoded = if c == '%' { 3 } else { encoded - i32::from(encoded > 0) };
        if encoded > 0 { c } else { c.to_ascii_lowercase() }
    });
    Cow::Owned(each.collect())
}

/// Returns all warnings about a link or a candidate.
pub(crate) fn warnings(body: &Body<'_>) -> Warnings {
    let Derivation::Due(_) = body.derivation else { return body.warnings };
    let host = body.text().get(body.host()).unwrap_or_default();
    // A label in ACE form does not begin with the name of a site, as `com-ß` does.
    if trust::is_as_mapped(host) && !host.contains('-') && host::is_simple(host) {
        return due(body, Some(host));
    }
    due(body, host::host_to_ascii(host).ok().as_deref())
}

/// Returns the warnings about a link whose derivation is due; `ascii` is its host as [`Subject`] has it.
fn due(body: &Body<'_>, ascii: Option<&str>) -> Warnings {
    let text = body.text();
    let host = text.get(body.host()).unwrap_or_default();
    let mut warnings = body.warnings.with(of_text(text, host, body.charset));
    // It has no userinfo, and nothing of it has been repaired; the ranges of its other parts are computed if needed.
    if has_right_to_left(text)
        && let Ok(parsed) = IriRef::parse(&body.iri())
    {
        warnings = warnings.with(of_directions(&parsed));
    }
    collect_deceits(body, ascii, &mut warnings);
    warnings
}

/// Fields of a record of a link, derived once.
#[cfg(any(feature = "serde", test))]
#[derive(Clone, Debug)]
pub(crate) struct Derived<'b> {
    pub(crate) uri: Cow<'b, str>,
    pub(crate) host: Option<Cow<'b, str>>,
    pub(crate) warnings: Warnings,
}

/// Returns all fields that are derived from a link.
#[cfg(any(feature = "serde", test))]
pub(crate) fn all<'b>(body: &'b Body<'_>) -> Derived<'b> {
    let Derivation::Due(form) = body.derivation else {
        return Derived { uri: uri(body), host: host(body), warnings: body.warnings };
    };
    let (uri, range) = mapped(body, form);
    let host = uri.get(range).filter(|host| !host.is_empty());
    let warnings = match host.filter(|host| host.is_ascii() && form == HostMapping::Ascii) {
        Some(ascii) => due(body, Some(ascii)),
        None => warnings(body),
    };
    let host = host.map(|host| lower(Cow::Owned(host.to_owned())));
    Derived { uri: Cow::Owned(uri), host, warnings }
}

/// Returns the URI of a link with the range of its host. The text before the host is ASCII; the host is mapped, the
/// rest percent-encoded, and nothing is parsed again.
fn mapped(body: &Body<'_>, form: HostMapping) -> (String, Range<usize>) {
    let (prefix, text, host) = (body.prefix(), body.text(), body.host());
    let mut uri = String::with_capacity(prefix.len() + text.len() * 3);
    uri.push_str(prefix);
    uri.push_str(text.get(..host.start).unwrap_or_default());
    let start = uri.len();
    push_host(&mut uri, text.get(host.clone()).unwrap_or_default(), form);
    let end = uri.len();
    chars::push_expanded(&mut uri, text.get(host.end..).unwrap_or_default());
    (uri, start..end)
}

/// Appends a host in its form. That it can be mapped has been decided.
fn push_host(out: &mut String, host: &str, form: HostMapping) {
    if form == HostMapping::Unicode || host.is_ascii() {
        return out.push_str(host);
    }
    let start = out.len();
    if form == HostMapping::Percent || host::push_ascii(out, host).is_err() {
        out.truncate(start);
        chars::push_expanded(out, host);
    }
}

/// Returns the warnings on an IRI, or on a relative reference.
pub(crate) fn of_iri(parsed: &IriRef<'_>, repairs: Repairs, charset: Charset) -> Warnings {
    let text = parsed.as_str();
    let mut warnings = repairs.warnings();
    let is_identifier =
        || schemes::has_conduct(parsed.scheme().unwrap_or_default(), schemes::IDENTIFIES);
    if parsed.userinfo().is_some() && !is_identifier() {
        warnings.insert(Warning::Userinfo);
    }
    warnings = warnings.with(of_text(text, parsed.host().unwrap_or_default(), charset));
    if has_right_to_left(text) {
        warnings = warnings.with(of_directions(parsed));
    }
    warnings
}

/// That of it which its host and its characters say.
fn of_text(text: &str, host: &str, charset: Charset) -> Warnings {
    let mut warnings = Warnings::default();
    if is_edged_by_hyphens(host) {
        warnings.insert(Warning::Lenient);
    }
    if charset.is_unicode() && !text.is_ascii() && !is_nfc(text) {
        warnings.insert(Warning::NotNfc);
    }
    warnings
}

fn has_right_to_left(text: &str) -> bool {
    // Such characters begin at U+0590.
    text.bytes().any(|b| b >= 0xD6) && text.chars().any(is_of_right_to_left)
}

/// Components whose directions are such that they may be displayed in another order than they are written in
/// (RFC 3987 §4.2).
fn of_directions(parsed: &IriRef<'_>) -> Warnings {
    let mut warnings = Warnings::default();
    for finding in parsed.broken_components() {
        warnings.insert(match finding.rule {
            BidiRule::Mixed => Warning::BidiMixed,
            BidiRule::Ends => Warning::BidiEnds,
        });
    }
    warnings
}

/// Returns `true` if a label of a host begins or ends with a hyphen.
fn is_edged_by_hyphens(host: &str) -> bool {
    host.contains('-') && host.split(|c| c == '.' || is_full_stop(c)).any(has_edge_hyphen)
}

/// Adds the warnings about deception by the text and the host of a link or candidate of running text; `ascii` is the
/// host by UTS #46.
pub(crate) fn collect_deceits(body: &Body<'_>, ascii: Option<&str>, warnings: &mut Warnings) {
    let text = body.text();
    let scheme = scheme_of_body(body);
    let place = body.context.kind().into();
    let subject = Subject { text, scheme, host: body.host(), ascii, place };
    trust::collect_warnings(&subject, warnings);
}

/// Returns the scheme of a link of running text, written or supplied.
fn scheme_of_body<'b>(body: &'b Body<'_>) -> &'b str {
    let text = if body.prefix().is_empty() { body.text() } else { body.prefix() };
    text.split(':').next().unwrap_or_default()
}

/// Returns the findings of a link: at least one for each warning, in their order.
pub(super) fn findings_of(body: &Body<'_>) -> Findings {
    let mut findings = Findings::default();
    let warnings = warnings(body);
    if warnings.is_empty() {
        return findings;
    }
    let iri = body.iri();
    let scheme = iri.split(':').next().unwrap_or_default();
    let host = host_range(body, &iri);
    let written = iri.get(host.clone()).unwrap_or_default();
    let ascii = host_to_ascii(written).ok();
    let ascii = ascii.as_deref();
    trust::collect_warnings(
        &Subject {
            text: &iri,
            scheme,
            host: host.clone(),
            ascii,
            place: body.context.kind().into(),
        },
        &mut findings,
    );
    findings.0.retain(|finding| warnings.contains(finding.warning));
    for finding in &mut findings.0 {
        finding.severity = severity_of(body, finding.warning);
    }
    for warning in warnings {
        if findings.iter().any(|finding| finding.warning == warning) {
            continue;
        }
        let is_of_host = !host.is_empty() && warning.as_str().starts_with("host-");
        let range = if is_of_host { host.clone() } else { 0..iri.len() };
        let (what, severity) = (what(body, warning), severity_of(body, warning));
        findings.0.push(Finding { warning, severity, range, what });
    }
    findings.0.sort_by_cached_key(|finding| finding.warning as usize);
    findings
}

/// Returns the range of the host in the IRI; empty for an IRI without a host.
fn host_range(body: &Body<'_>, iri: &str) -> Range<usize> {
    // In a link with a URI of its own, the body's host is a range of that URI.
    let host = body.host();
    if !host.is_empty() && body.mapped().is_none() {
        let before = body.prefix().len();
        return host.start + before..host.end + before;
    }
    IriRef::parse(iri).map_or(0..0, |parsed| {
        let is_mail = schemes::begins_as_mail(iri);
        let domain = if is_mail { mail_domain(&parsed) } else { None };
        domain.unwrap_or(parsed.host_range())
    })
}

/// Returns the detail of a warning that the link itself has.
fn what(body: &Body<'_>, warning: Warning) -> FindingDetail {
    let Some(rare) = &body.rare else { return FindingDetail::Text };
    let host = match warning {
        Warning::TextMismatch => rare.shown.as_ref().map(|shown| shown.host.clone()),
        _ => {
            let resembled = rare.resembled.as_ref().filter(|one| one.warning == warning);
            resembled.map(|one| one.host.clone())
        }
    };
    host.map_or(FindingDetail::Text, FindingDetail::Host)
}

pub(super) fn greatest_severity(body: &Body<'_>) -> Option<Severity> {
    warnings(body).iter().map(|warning| severity_of(body, warning)).max()
}

/// Returns the severity of a warning for this link.
fn severity_of(body: &Body<'_>, warning: Warning) -> Severity {
    let shown = body.rare.as_ref().and_then(|rare| rare.shown.as_ref());
    match (warning, shown) {
        (Warning::TextMismatch, Some(shown)) => shown.severity,
        (Warning::Userinfo, _) if schemes::has_accounts(scheme_of_body(body)) => Severity::Note,
        (Warning::HostDisguised, _) if is_hyphenated(body) => Severity::Note,
        _ => warning.severity(),
    }
}

/// Returns `true` if only soft hyphens disguise a host or a local part in running text, where they show that a line may break.
fn is_hyphenated(body: &Body<'_>) -> bool {
    let text = body.text();
    let authority = text.split_once("://").map_or(text, |(_, authority)| authority);
    let authority = authority.split(['/', '?', '#']).next().unwrap_or_default();
    body.context.kind() == ContextKind::Text
        && trust::disguised(&authority.replace('\u{AD}', "")).is_none()
}
