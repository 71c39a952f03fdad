//! What of a link deceives, detected again from its text: warnings are a bit each, and what they are
//! about is rarely asked for.

use std::ops::Range;

use super::{Body, Severity, Warning, derived};
use crate::iri::{IriRef, host_to_ascii, mail_domain};
use crate::tables::conduct;
use crate::trust::{self, Finding, FindingDetail, Findings, Subject};

/// One finding at least for each warning of a link, in the order of the warnings.
pub(super) fn of(body: &Body<'_>) -> Findings {
    let mut findings = Findings::default();
    let warnings = derived::warnings(body);
    if warnings.is_empty() {
        return findings;
    }
    let iri = body.iri();
    let scheme = iri.split(':').next().unwrap_or_default();
    let host = host(body, &iri);
    let written = iri.get(host.clone()).unwrap_or_default();
    let ascii = host_to_ascii(written).ok();
    let ascii = ascii.as_deref();
    trust::collect_warnings(
        &Subject { text: &iri, scheme, host: host.clone(), ascii },
        &mut findings,
    );
    findings.0.retain(|finding| warnings.contains(finding.warning));
    for warning in warnings {
        if findings.iter().any(|finding| finding.warning == warning) {
            continue;
        }
        let is_of_host = !host.is_empty() && warning.code().starts_with("host-");
        let range = if is_of_host { host.clone() } else { 0..iri.len() };
        let (what, severity) = (what(body, warning), severity_of(body, warning));
        findings.0.push(Finding { warning, severity, range, what });
    }
    findings.0.sort_by_key(Finding::warning);
    findings
}

/// Returns the range of the host in the IRI; empty for an IRI without a host.
fn host(body: &Body<'_>, iri: &str) -> Range<usize> {
    // In a link with a URI of its own, the body's host is a range of that URI.
    let host = body.host();
    if !host.is_empty() && body.mapped().is_none() {
        let before = body.prefix().len();
        return host.start + before..host.end + before;
    }
    IriRef::parse(iri).map_or(0..0, |parsed| {
        let is_mail = conduct::begins_as_mail(iri);
        let domain = if is_mail { mail_domain(&parsed) } else { None };
        domain.unwrap_or(parsed.host_range())
    })
}

/// Returns the detail of a warning that the link itself has.
fn what(body: &Body<'_>, warning: Warning) -> FindingDetail {
    let Some(rare) = &body.rare else { return FindingDetail::Text };
    let host = match warning {
        Warning::TextMismatch => rare.shown.as_ref().map(|shown| shown.host.clone()),
        Warning::HostLookalike => rare.resembled.clone(),
        _ => None,
    };
    host.map_or(FindingDetail::Text, FindingDetail::Host)
}

pub(super) fn severity(body: &Body<'_>) -> Option<Severity> {
    derived::warnings(body).iter().map(|warning| severity_of(body, warning)).max()
}

/// How much a warning matters for this link.
fn severity_of(body: &Body<'_>, warning: Warning) -> Severity {
    let shown = body.rare.as_ref().and_then(|rare| rare.shown.as_ref());
    match shown.filter(|_| warning == Warning::TextMismatch) {
        Some(shown) => shown.severity,
        None => warning.severity(),
    }
}
