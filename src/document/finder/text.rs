//! Links of running text: from a candidate of the scan to a link or a rejected candidate.
//!
//! The input is a candidate with its bytes. Nearly all candidates are their own URI, and become links here; the others
//! are drafts for the general path.

use std::borrow::Cow;
use std::ops::Range;

use super::Finder;
use super::judge::Draft;
use super::leniency::{self, Place};
use super::rewritten::WrittenLink;
use crate::charset::Charset;
use crate::context::{ContextKind, KnownContext, StoredContext};
use crate::input::chunk::Chunk;
use crate::iri::repair::scheme_of;
use crate::link::{Body, Derivation, Judged, Link, Prefix, Rare, Rejected, Warning, Warnings};
use crate::notation::Notation;
use crate::scan::{
    Boundaries, CandidateFlags, LinkKind, Match, PlainLink, Reason, References, Schemes, reference,
};
use crate::simd::narrow::ascii;
use crate::tables::schemes;
use crate::trust;

/// Range of a candidate in the stored bytes, with their charset.
pub(crate) struct StoredSpan {
    pub(crate) range: Range<usize>,
    pub(crate) charset: Charset,
    /// Its stored text, if that differs from the judged text.
    pub(crate) raw: Option<String>,
    pub(crate) notation: Notation,
}

impl StoredSpan {
    /// Creates the span of a candidate of running text, whose text is the stored one.
    #[inline]
    pub(crate) fn new(range: Range<usize>, charset: Charset) -> StoredSpan {
        StoredSpan { range, charset, raw: None, notation: Notation::default() }
    }
}

/// Properties of a link besides its text and its range.
pub(crate) struct Settled {
    pub(super) kind: LinkKind,
    pub(super) host: Range<usize>,
    pub(super) prefix: Prefix,
    pub(super) derivation: Derivation,
}

/// Text before the URI of a hyperlink of a terminal (OSC 8).
static TERMINAL_LINK: KnownContext = KnownContext::new("terminal:link", ContextKind::DocumentLink);
/// Text before the working directory (OSC 7).
static TERMINAL_CWD: KnownContext = KnownContext::other("terminal:cwd");

impl Finder {
    /// Judges a candidate of a chunk of UTF-8.
    pub(crate) fn judge<'t>(&self, chunk: Chunk<'t>, candidate: Match) -> Judged<'t> {
        let range = candidate.range_in(chunk);
        let span = StoredSpan::new(range, Charset::UTF_8);
        self.judge_at(chunk.bytes(), candidate, span)
    }

    /// Judges a candidate of `bytes`, UTF-8 that may differ from the stored bytes.
    #[inline]
    pub(crate) fn judge_at<'t>(
        &self,
        bytes: &'t [u8],
        candidate: Match,
        span: StoredSpan,
    ) -> Judged<'t> {
        let Range { start, end } = candidate.range;
        if candidate.refused == Some(Reason::TooLong) {
            let head = &bytes[start..end.min(start + self.scan.max_link)];
            return Err(self.refuse_long(String::from_utf8_lossy(head), candidate.kind, span));
        }
        // The scan only reads well-formed UTF-8. Other bytes can occur only in a rejected candidate.
        let raw = &bytes[start..end];
        // A check for ASCII takes less time than validation as UTF-8.
        let raw = match ascii(raw).map_or_else(|| str::from_utf8(raw), Ok) {
            Ok(raw) => Cow::Borrowed(raw),
            Err(_) => String::from_utf8_lossy(raw),
        };
        self.judge_raw(raw, candidate, span)
    }

    /// Judges a candidate of a text that is stored unchanged.
    pub(crate) fn judge_str<'t>(&self, text: &'t str, candidate: Match) -> Judged<'t> {
        match text.get(candidate.range.clone()) {
            Some(raw) if candidate.refused != Some(Reason::TooLong) => {
                let range = candidate.range.clone();
                let span = StoredSpan::new(range, Charset::UTF_8);
                self.judge_raw(Cow::Borrowed(raw), candidate, span)
            }
            _ => self.judge(Chunk::whole(text.as_bytes()), candidate),
        }
    }

    /// Judges an address whose local part is an atom of RFC 5322 with dots in it, before the `@` at an offset.
    #[cfg(feature = "documents")]
    pub(crate) fn judge_address<'t>(&self, address: &'t str, at: usize) -> Judged<'t> {
        let (all, host) = (0..address.len(), at + 1..address.len());
        let mut candidate =
            Match::new(LinkKind::Email, all.clone(), host, CandidateFlags::ATTENTION);
        // Dots stand only between atoms.
        if address[..at].split('.').any(str::is_empty) {
            candidate.refused = Some(Reason::LocalPart);
        }
        self.judge_raw(Cow::Borrowed(address), candidate, StoredSpan::new(all, Charset::UTF_8))
    }

    /// Judges a candidate whose text is available.
    fn judge_raw<'t>(&self, raw: Cow<'t, str>, candidate: Match, span: StoredSpan) -> Judged<'t> {
        let is_written = span.raw.as_ref().is_none_or(|written| **written == *raw);
        let settled = match &raw {
            Cow::Borrowed(raw) if is_written => self.settled(raw, &candidate, span.charset),
            _ => None,
        };
        if let Some(settled) = settled {
            let mut link = self.link(settled, raw, span.range);
            (link.body.charset, link.body.notation) = (span.charset, span.notation);
            self.note_resemblance_due(&mut link.body);
            return Ok(link);
        }
        if candidate.marks == CandidateFlags::REFERENCE
            && span.raw.is_none()
            && self.scan.references == References::Auto
            && let Some((settled, text)) = self.referring(&raw, &candidate)
        {
            let mut link = self.link(settled, raw, span.range);
            (link.body.charset, link.body.notation) = (span.charset, span.notation.referring());
            link.body.resolved = Some(text.into_boxed_str());
            return Ok(link);
        }
        self.judge_general(raw, candidate, span)
    }

    /// Returns the properties of a candidate that certainly is a link.
    #[inline(always)]
    pub(crate) fn settled(
        &self,
        text: &str,
        candidate: &Match,
        charset: Charset,
    ) -> Option<Settled> {
        match self.as_it_is(text, candidate) {
            None if charset.is_unicode() => self.due(text, candidate),
            plain => plain,
        }
    }

    /// Creates a link with decided properties; its charset is UTF-8.
    #[inline(always)]
    pub(crate) fn link<'t>(
        &self,
        settled: Settled,
        raw: Cow<'t, str>,
        range: Range<usize>,
    ) -> Link<'t> {
        let Settled { kind, host, prefix, derivation } = settled;
        // Written once, to the caller's memory: moving a value that was changed in parts stalls the processor.
        Link {
            body: Body {
                raw,
                prefix,
                derivation,
                host: Body::narrow(host),
                rare: self.own_rare(prefix),
                ..Body::new(range, kind, Charset::UTF_8)
            },
        }
    }

    /// Decides on a candidate that needs no further step, as nearly all.
    #[inline(always)]
    fn as_it_is(&self, raw: &str, candidate: &Match) -> Option<Settled> {
        if !is_plain(raw, candidate) || self.has_known() {
            return None;
        }
        let Match { kind, scheme_end, .. } = *candidate;
        let origin = candidate.range.start;
        let host = candidate.host.start - origin..candidate.host.end - origin;
        // The root dot belongs to the host in the URI.
        let root = usize::from(raw.as_bytes().get(host.end) == Some(&b'.'));
        let prefix = self.prefix(kind, scheme_end > origin);
        if !self.is_selected(prefix, raw) {
            return None;
        }
        let host = host.start..host.end + root;
        Some(Settled { kind, host, prefix, derivation: Derivation::Kept })
    }

    /// Returns the properties of a link that the scan has decided, as [`settled`](Finder::settled) does for its candidate.
    #[inline(always)]
    pub(crate) fn settled_plain(&self, raw: &str, link: &PlainLink) -> Option<Settled> {
        let PlainLink { kind, scheme_end, marks, is_iri, .. } = *link;
        let is_ascii = !marks.has(CandidateFlags::ATTENTION);
        if !is_iri {
            return None;
        }
        let origin = link.range.start;
        let host = link.host.start - origin..link.host.end - origin;
        let prefix = self.prefix(kind, scheme_end > origin);
        let is_kept = !self.has_known()
            && (marks == CandidateFlags::default()
                || !is_ascii
                || !trust::is_nested(raw.get(host.clone())?))
            && self.is_selected(prefix, raw);
        let derivation = match is_ascii {
            true => Derivation::Kept,
            false => self.due_form(marks),
        };
        is_kept.then_some(Settled { kind, host, prefix, derivation })
    }

    /// Resolves the character references of a candidate, and decides on it if it needs no further step then.
    fn referring(&self, raw: &str, candidate: &Match) -> Option<(Settled, String)> {
        let (text, map) = reference::resolved(raw)?;
        let origin = candidate.range.start;
        let at = |offset: usize| map.text_offset(offset - origin).min(text.len());
        let resolved = Match {
            range: 0..text.len(),
            host: at(candidate.host.start)..at(candidate.host.end),
            scheme_end: at(candidate.scheme_end),
            marks: CandidateFlags::default(),
            ..candidate.clone()
        };
        Some((self.as_it_is(&text, &resolved)?, text))
    }

    /// Returns the prefix with which the text is an IRI.
    #[inline(always)]
    pub(super) fn prefix(&self, kind: LinkKind, has_scheme: bool) -> Prefix {
        match kind {
            LinkKind::Schemeless => self.default_prefix,
            LinkKind::Email if !has_scheme => Prefix::Mailto,
            _ => Prefix::None,
        }
    }

    /// Returns the rare properties of a link whose prefix is the finder's own.
    #[inline(always)]
    fn own_rare(&self, prefix: Prefix) -> Option<Box<Rare>> {
        let make = || Box::new(Rare { prefix: self.own_prefix.clone(), ..Rare::default() });
        (prefix == Prefix::Own).then(make)
    }

    /// Returns `true` if the scheme of a link's URI is selected.
    #[inline(always)]
    pub(super) fn is_selected(&self, prefix: Prefix, text: &str) -> bool {
        !matches!(self.scan.schemes, Schemes::List(_)) || self.is_listed(prefix, text)
    }

    #[inline(never)]
    fn is_listed(&self, prefix: Prefix, text: &str) -> bool {
        let own = self.own_prefix.as_deref();
        let text = match prefix {
            Prefix::None => text,
            prefix => prefix.text(own),
        };
        self.scan.schemes.selects(scheme_of(text).unwrap_or_default())
    }

    /// Judges a candidate that the scan has flagged or rejected, or whose scheme has rules.
    pub(super) fn judge_general<'t>(
        &self,
        text: Cow<'t, str>,
        candidate: Match,
        span: StoredSpan,
    ) -> Judged<'t> {
        let Match { kind, marks, refused, .. } = candidate;
        let origin = candidate.range.start;
        let mut host = candidate.host.start - origin..candidate.host.end - origin;
        let mut scheme_len = candidate.scheme_end - origin;
        let (mut resolved, mut notation) = (None, span.notation);
        if marks.has(CandidateFlags::REFERENCE)
            && self.scan.references == References::Auto
            && let Some((text, map)) = reference::resolved(&text)
        {
            let offset = |at| map.text_offset(at).min(text.len());
            host = offset(host.start)..offset(host.end);
            scheme_len = offset(scheme_len);
            (resolved, notation) = (Some(text), notation.referring());
        }
        let mut warnings = Warnings::default();
        if marks.has(CandidateFlags::ATTENTION) {
            let written = WrittenLink {
                text: resolved.as_deref().unwrap_or(&text),
                host: host.clone(),
                scheme_len,
                is_prose: self.scan.boundaries == Boundaries::Prose,
            };
            if let Some(rewritten) = written.rewritten(kind) {
                warnings = rewritten.warnings;
                host = rewritten.host;
                resolved = Some(rewritten.text);
            }
        }
        let prefix = self.prefix(kind, scheme_len > 0);
        let rare = self.own_rare(prefix);
        let mut body = Body { prefix, rare, notation, ..Body::new(span.range, kind, span.charset) };
        match span.raw.filter(|raw| **raw != *text) {
            Some(raw) => {
                body.resolved = Some(resolved.map_or_else(|| text.into(), String::into_boxed_str));
                body.raw = Cow::Owned(raw);
            }
            None => {
                body.resolved = resolved.map(String::into_boxed_str);
                body.raw = text;
            }
        }
        if marks.has(CandidateFlags::MALFORMED) {
            body.warnings.insert(Warning::Malformed);
        }
        body.warnings = body.warnings.with(warnings);
        let scheme = body.text().split(':').next().unwrap_or_default();
        if marks.has(CandidateFlags::USERINFO) && !schemes::has_conduct(scheme, schemes::IDENTIFIES)
        {
            body.warnings.insert(Warning::Userinfo);
        }
        if marks.has(CandidateFlags::GOES_ON) {
            body.warnings.insert(Warning::GoesOn);
        }
        if marks.has(CandidateFlags::HYPERLINK) {
            body.context = StoredContext::Known(&TERMINAL_LINK);
        } else if marks.has(CandidateFlags::WORKING_DIRECTORY) {
            body.context = StoredContext::Known(&TERMINAL_CWD);
        }
        body.set_host(host);
        if let Some(reason) = refused {
            if self.has_known() || marks.has(CandidateFlags::DEEP) || !is_plain_name(&body) {
                self.warn_of_deceit(&mut body, None);
            }
            let rule = candidate.rule.filter(|_| reason == Reason::FileName);
            return Err(Rejected { rule, ..Rejected::new(body, reason) });
        }
        let has_odd_host = marks.has(CandidateFlags::HOST);
        self.follow(Draft { body, place: Place::Text, has_odd_host }, None)
    }

    /// Rejects a candidate that is longer than the limit; `head` is its first bytes.
    pub(crate) fn refuse_long<'t>(
        &self,
        head: Cow<'t, str>,
        kind: LinkKind,
        span: StoredSpan,
    ) -> Rejected<'t> {
        let body = Body { raw: head, ..Body::new(span.range, kind, span.charset) };
        Rejected::new(body, Reason::TooLong)
    }
}

/// Returns `true` if the candidate needs no further step: it consists of ASCII characters of URIs, and its scheme has
/// no rules except those of the scan.
#[inline(always)]
fn is_plain(raw: &str, candidate: &Match) -> bool {
    let after_host = candidate.host.end - candidate.range.start;
    let host = candidate.host.start - candidate.range.start..after_host;
    candidate.refused.is_none()
        && (candidate.marks == CandidateFlags::default()
            || candidate.marks == CandidateFlags::DEEP && !trust::is_nested(&raw[host]))
        && !leniency::has_rules(candidate.kind, raw)
        && match raw.as_bytes().get(after_host) {
            // Fields of a `mailto:` may have effects that the reader does not see.
            Some(b'?') => candidate.kind != LinkKind::Email,
            after_host => after_host.is_none_or(u8::is_ascii),
        }
}

/// Returns `true` for a host alone, without a scheme, of ASCII letters, digits and `. _ -`, which cannot deceive:
/// nearly all names of files are of this form, and nearly all rejected candidates are names of files.
fn is_plain_name(body: &Body<'_>) -> bool {
    let text = body.text().as_bytes();
    let is_plain = |b: &u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-');
    body.kind == LinkKind::Schemeless
        && body.host() == (0..text.len())
        && text.iter().all(is_plain)
        && text.last().is_some_and(u8::is_ascii_alphabetic)
        && !text.windows(2).any(|two| two == b"--")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scan::{ScanStep, Scanner, View};

    /// The fast path has the links of the general path for plain candidates.
    #[test]
    fn the_short_path_and_the_general_path_agree() {
        const TEXT: &str = "http://e.com https://a.example/b?c#d (www.e.org/x) a.b@e.net mailto:x@y.example \
            ftp://h.example/%41 foo://h/ wss://e.com:80/a?b=c&d http://[::1]/x http://127.0.0.1:8080/ \
            http://e.example./x urn:isbn:0451450523 tel:+1-201-555-0123 git+ssh://e.com/r.git e.co/A_(b) HTTP://E.COM/ x.y.z.com.";
        for builder in [Finder::builder(), Finder::builder().default_scheme("ftp".parse().unwrap())]
        {
            let finder = builder.schemes(crate::Schemes::Any).build();
            let (mut scanner, mut plain) = (Scanner::new(), 0);
            let view = View::new(TEXT.as_bytes(), true, References::Auto);
            while let ScanStep::Found(candidate) = scanner.next(&finder.scan, view) {
                let range = candidate.range.clone();
                let raw = &TEXT[range.clone()];
                let short = finder
                    .as_it_is(raw, &candidate)
                    .map(|plain| finder.link(plain, raw.into(), range.clone()));
                let span = StoredSpan::new(range, Charset::UTF_8);
                let general = finder.judge_general(Cow::Borrowed(raw), candidate, span);
                if let Some(short) = short {
                    let general = general.unwrap_or_else(|rejected| panic!("{rejected:?}"));
                    assert_eq!(short.body, general.body);
                    assert_eq!((short.uri(), short.host()), (general.uri(), general.host()));
                    plain += 1;
                }
            }
            assert!(plain >= 6, "{plain}");
        }
    }

    /// The fast path for references has the links of the general path.
    #[test]
    fn the_short_path_of_references_and_the_general_path_agree() {
        const PIECES: [&str; 30] = [
            "http://",
            "https&#58;//",
            "http&#x3A;&#47;&#47;",
            "e.example",
            "&#101;.com",
            "www&#46;e.org",
            "a&#64;b.example",
            "mailto:",
            "tel:",
            "&#43;1",
            "/",
            "&#47;",
            "?a=",
            "&amp;",
            "&#38;",
            "&#37;",
            "%41",
            "4",
            "&#40;",
            "&#41;",
            "&#60;",
            "&#233;",
            "&#x8868;",
            "é",
            "&#32;",
            " ",
            "-",
            "&#45;",
            "a",
            ".",
        ];
        let mut dice = crate::dice::Dice::new(64);
        let mut short = 0;
        for builder in [Finder::builder(), Finder::builder().default_scheme("ftp".parse().unwrap())]
        {
            let finder = builder.schemes(crate::Schemes::Any).build();
            for _ in 0..20_000 {
                let text: String = (0..2 + dice.below(9)).map(|_| dice.pick(&PIECES)).collect();
                let mut scanner = Scanner::new();
                let view = View::new(text.as_bytes(), true, References::Auto);
                while let ScanStep::Found(candidate) = scanner.next(&finder.scan, view) {
                    if candidate.marks != CandidateFlags::REFERENCE {
                        continue;
                    }
                    let range = candidate.range.clone();
                    let raw = &text[range.clone()];
                    short += usize::from(finder.referring(raw, &candidate).is_some());
                    let span = || StoredSpan::new(range.clone(), Charset::UTF_8);
                    let found = finder.judge_raw(Cow::Borrowed(raw), candidate.clone(), span());
                    let general = finder.judge_general(Cow::Borrowed(raw), candidate, span());
                    let (found, general) =
                        (found.map(|link| link.body), general.map(|link| link.body));
                    assert_eq!(found, general, "{text}");
                }
            }
        }
        assert!(short > 500, "{short}");
    }

    #[test]
    fn nothing_deceives_in_a_plain_name() {
        let labels =
            ["a", "1", "0x7f", "127", "b_c", "d-e", "xn", "www", "com", "a-b-c", "Main", "010"];
        let endings = ["in", "rs", "sh", "py", "COM", "app"];
        let finder = Finder::new();
        let mut plain = 0;
        for number in 0..labels.len() * labels.len() * endings.len() {
            let [first, second] = [number, number / labels.len()].map(|n| labels[n % labels.len()]);
            let ending = endings[number / labels.len() / labels.len()];
            for text in [format!("{first}.{ending}"), format!("{first}.{second}.{ending}")] {
                let mut body = Body::new(0..text.len(), LinkKind::Schemeless, Charset::UTF_8);
                body.prefix = finder.prefix(body.kind, false);
                body.set_host(0..text.len());
                body.raw = Cow::Borrowed(&text);
                if is_plain_name(&body) && !trust::is_nested(&text) {
                    finder.warn_of_deceit(&mut body, None);
                    assert!(body.warnings.is_empty(), "{text}: {:?}", body.warnings);
                    plain += 1;
                }
            }
        }
        assert!(plain > 1_000, "{plain}");
    }
}
