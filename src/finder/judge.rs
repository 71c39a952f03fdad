//! From candidate to link: the host mapped, the rest looked through, the scheme's rules asked.
//!
//! What comes in is a candidate with its text, what goes out is a link with its URI, or a refusal with
//! its reason. The rules themselves are those of the room `iri`.

use std::borrow::Cow;
use std::ops::Range;

use super::{Finder, Forbidden, HostForm};
use crate::charset::Charset;
use crate::iri::host::{self, HostError};
use crate::iri::to_uri;
use crate::iri::{BidiRule, ErrorKind, Iri};
use crate::link::{Body, Link, Prefix, Rejected, Warning};
use crate::reference;
use crate::scan::{Candidate, LinkKind, Marks, Reason, References};
use crate::simd::ascii::ascii;
use crate::tables::schemes;
use crate::trust;

impl Finder {
    /// Makes of a candidate of `bytes`, which begin at `base` in the whole input, a link or a refusal.
    pub(crate) fn judge<'t>(
        &self,
        bytes: &'t [u8],
        base: usize,
        candidate: Candidate,
    ) -> Result<Link<'t>, Rejected<'t>> {
        let Range { start: origin, end } = candidate.range;
        if candidate.refused == Some(Reason::TooLong) {
            let head = &bytes[origin..end.min(origin + self.scan.max_link)];
            let range = base + origin..base + end;
            return Err(self.refuse_long(String::from_utf8_lossy(head), range, candidate.kind));
        }
        // What the scan read over is well-formed; the other case is for what it did not, a refusal.
        let raw = &bytes[origin..end];
        // To see whether it is so takes less time by itself, and least if it is ASCII.
        let raw = match ascii(raw).map_or_else(|| str::from_utf8(raw), Ok) {
            Ok(raw) => Cow::Borrowed(raw),
            Err(_) => String::from_utf8_lossy(raw),
        };
        self.judge_raw(raw, base, candidate)
    }

    /// The same for a text that is known to be UTF-8, which need not be looked through again.
    pub(crate) fn judge_str<'t>(
        &self,
        text: &'t str,
        candidate: Candidate,
    ) -> Result<Link<'t>, Rejected<'t>> {
        match text.get(candidate.range.clone()) {
            Some(raw) if candidate.refused != Some(Reason::TooLong) => {
                self.judge_raw(Cow::Borrowed(raw), 0, candidate)
            }
            _ => self.judge(text.as_bytes(), 0, candidate),
        }
    }

    /// The same, where the candidate's text is at hand.
    fn judge_raw<'t>(
        &self,
        raw: Cow<'t, str>,
        base: usize,
        candidate: Candidate,
    ) -> Result<Link<'t>, Rejected<'t>> {
        if let Cow::Borrowed(raw) = raw
            && let Some(link) = self.judge_plain(raw, base, &candidate)
        {
            return Ok(link);
        }
        self.judge_closely(raw, base, candidate)
    }

    /// The link of a candidate to which nothing is left to be done, as is nearly always so.
    #[inline]
    pub(crate) fn judge_plain<'t>(
        &self,
        raw: &'t str,
        base: usize,
        candidate: &Candidate,
    ) -> Option<Link<'t>> {
        if !is_plain(raw, candidate) || self.has_known() {
            return None;
        }
        let Candidate { kind, scheme_end, .. } = *candidate;
        let Range { start: origin, end } = candidate.range;
        let host = candidate.host.start - origin..candidate.host.end - origin;
        let prefix = self.prefix(kind, scheme_end > origin);
        let body = body(Cow::Borrowed(raw), base + origin..base + end, kind, host, prefix);
        Some(Link { body, mapped_host: None })
    }

    /// What is put in front of a text of this kind to make an IRI of it.
    #[inline]
    fn prefix(&self, kind: LinkKind, has_scheme: bool) -> Prefix {
        match kind {
            LinkKind::Schemeless => self.default_prefix.clone(),
            LinkKind::Email if !has_scheme => Prefix::Mailto,
            _ => Prefix::None,
        }
    }

    /// The same for what the scan has marked, or found refused, or what its scheme has rules for.
    fn judge_closely<'t>(
        &self,
        raw: Cow<'t, str>,
        base: usize,
        candidate: Candidate,
    ) -> Result<Link<'t>, Rejected<'t>> {
        let Range { start: origin, end } = candidate.range;
        let range = base + origin..base + end;
        let Candidate { kind, scheme_end, mut marks, refused, .. } = candidate;
        let mut host = candidate.host.start - origin..candidate.host.end - origin;
        let mut scheme_len = scheme_end - origin;
        let resolved = match marks.has(Marks::REFERENCE) && self.scan.references == References::Auto
        {
            true => reference::resolved(&raw),
            false => None,
        };
        let resolved = resolved.map(|(text, trace)| {
            let offset = |at| trace.text_offset(at).min(text.len());
            host = offset(host.start)..offset(host.end);
            scheme_len = offset(scheme_len);
            text.into_boxed_str()
        });
        let mut resolved = resolved;
        if kind == LinkKind::Email && scheme_len == 0 && marks.has(Marks::ATTENTION) {
            let text = resolved.as_deref().unwrap_or(&raw);
            if let Some((encoded, longer)) = encoded_local_part(text, host.start) {
                host = host.start + longer..host.end + longer;
                resolved = Some(encoded.into_boxed_str());
            }
        }
        // A root dot that is not ASCII is mapped with the host.
        let text = resolved.as_deref().unwrap_or(&raw);
        if !host.is_empty() && text.as_bytes().get(host.end).is_some_and(|b| !b.is_ascii()) {
            let dot = text[host.end..].chars().next();
            if let Some(dot @ ('\u{FF0E}' | '\u{3002}' | '\u{FF61}')) = dot {
                host.end += dot.len_utf8();
                marks |= Marks::HOST;
                marks |= Marks::ATTENTION;
            }
        }
        let mut body = body(raw, range, kind, host, self.prefix(kind, scheme_len > 0));
        body.resolved = resolved;
        if marks.has(Marks::MALFORMED) {
            body.warnings.insert(Warning::Malformed);
        }
        if marks.has(Marks::USERINFO) {
            body.warnings.insert(Warning::Userinfo);
        }
        if marks.has(Marks::GOES_ON) {
            body.warnings.insert(Warning::GoesOn);
        }
        self.warn_of_deceit(&mut body);
        if let Some(reason) = refused {
            return Err(Rejected { body, reason });
        }
        self.map(body, marks)
    }

    /// Refuses what is longer than the limit; `head` are its first bytes.
    pub(crate) fn refuse_long<'t>(
        &self,
        head: Cow<'t, str>,
        range: Range<usize>,
        kind: LinkKind,
    ) -> Rejected<'t> {
        Rejected { body: body(head, range, kind, 0..0, Prefix::None), reason: Reason::TooLong }
    }

    /// The last stage: the host mapped, the rest looked through for what a URI cannot have.
    fn map<'t>(&self, mut body: Body<'t>, marks: Marks) -> Result<Link<'t>, Rejected<'t>> {
        let mut mapped_host = None;
        if marks.has(Marks::HOST) {
            let text = &body.text()[body.host.clone()];
            let ascii = match host::to_ascii(text) {
                Ok(ascii) => ascii,
                Err(HostError::Idna) => {
                    return Err(Rejected { body, reason: Reason::HostInvalidIdna });
                }
                Err(HostError::Length) => return Err(Rejected { body, reason: Reason::HostLabel }),
            };
            let host = match self.host {
                HostForm::Ascii => ascii,
                HostForm::Percent => host::to_percent(text),
                HostForm::Unicode => Cow::Borrowed(text),
            };
            mapped_host = (host != text).then(|| host.into_owned().into_boxed_str());
        }
        if marks.has(Marks::ATTENTION) {
            let text = body.text();
            let survey = to_uri::survey(text, body.host.clone());
            let mut warnings = body.warnings;
            for (found, warning) in [
                (survey.stray_percent, Warning::StrayPercent),
                (survey.forbidden, Warning::ForbiddenCharacter),
                (survey.not_iri, Warning::NotIriCharacter),
                (survey.non_ascii && !unicode_normalization::is_nfc(text), Warning::NotNfc),
            ] {
                if found {
                    warnings.insert(warning);
                }
            }
            body.is_plain = !(survey.stray_percent || survey.forbidden || survey.non_ascii);
            body.warnings = warnings;
            if survey.forbidden && self.forbidden == Forbidden::Refuse {
                return Err(Rejected { body, reason: Reason::ForbiddenCharacter });
            }
        }
        let mut link = Link { body, mapped_host };
        if marks.has(Marks::ATTENTION) {
            add_bidi_warnings(&mut link);
        }
        match scheme_refusal(&link) {
            Some(kind) => Err(Rejected { body: link.body, reason: Reason::Iri(kind) }),
            None => Ok(link),
        }
    }
}

/// Whether nothing is left to be done to the candidate: all of it is ASCII that a URI has, and its
/// scheme has no rules but those of the scan.
#[inline]
fn is_plain(raw: &str, candidate: &Candidate) -> bool {
    let behind_host = candidate.host.end - candidate.range.start;
    let host = candidate.host.start - candidate.range.start..behind_host;
    candidate.refused.is_none()
        && (candidate.marks == Marks::default()
            || candidate.marks == Marks::DEEP && !trust::is_nested(&raw[host]))
        && !has_rules(candidate.kind, raw)
        && raw.as_bytes().get(behind_host).is_none_or(u8::is_ascii)
}

/// A link of running text with what is at hand of it.
#[inline]
fn body<'t>(
    raw: Cow<'t, str>,
    range: Range<usize>,
    kind: LinkKind,
    host: Range<usize>,
    prefix: Prefix,
) -> Body<'t> {
    Body { raw, prefix, host, ..Body::new(range, kind, Charset::UTF_8) }
}

/// An address whose local part has characters that would be syntax in a `mailto:`, with these
/// percent-encoded (RFC 6068 §2), and by how many bytes it grew; `None` if it has none of them.
fn encoded_local_part(address: &str, host: usize) -> Option<(String, usize)> {
    let (local, rest) = address.split_at_checked(host)?;
    if !local.contains(['%', '?', '#']) {
        return None;
    }
    let local = local.replace('%', "%25").replace('?', "%3F").replace('#', "%23");
    let longer = local.len() - host;
    Some((local + rest, longer))
}

/// Whether the grammar or the rules of its scheme (RFC 8141, RFC 3966 and so on) may have something
/// against a link. Not against http, its relatives and ftp: the scan itself holds them to all of
/// their rules.
#[inline]
fn has_rules(kind: LinkKind, text: &str) -> bool {
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

/// What the grammar or the rules of its scheme have against a link.
fn scheme_refusal(link: &Link<'_>) -> Option<ErrorKind> {
    if !has_rules(link.body.kind, link.body.text()) {
        return None;
    }
    let uri = link.uri();
    let error = Iri::parse(&uri).and_then(|iri| iri.check_scheme()).err()?;
    // `geo:48.2010,16.3695?z=12` is what maps hand out, whatever RFC 5870 says.
    (error.kind() != ErrorKind::SchemeQuery).then(|| error.kind())
}

/// Warns of components whose directions are such that they may be displayed in another order than
/// they are written in (RFC 3987 §4.2).
fn add_bidi_warnings(link: &mut Link<'_>) {
    let iri = link.iri();
    if !iri.chars().any(is_right_to_left) {
        return;
    }
    let Ok(parsed) = Iri::parse(&iri) else { return };
    let mut warnings = link.body.warnings;
    for finding in parsed.bidi_findings() {
        warnings.insert(match finding.rule {
            BidiRule::Mixed => Warning::BidiMixed,
            _ => Warning::BidiEnds,
        });
    }
    drop(iri);
    link.body.warnings = warnings;
}

/// Whether the character is of a block of right-to-left scripts: a quick look before a real one.
fn is_right_to_left(c: char) -> bool {
    matches!(c, '\u{590}'..='\u{8FF}' | '\u{FB1D}'..='\u{FEFC}' | '\u{10800}'..='\u{10FFF}' | '\u{1E800}'..='\u{1EFFF}')
}
