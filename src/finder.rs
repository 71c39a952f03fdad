//! The finder: settings, and the stages joined for text that is in memory.
//!
//! The scan gives candidates; here each is mapped, or refused with a reason, and becomes one of the
//! public nouns. Streams go the same way (`stream`).

use std::borrow::Cow;
use std::ops::Range;
use std::sync::LazyLock;

pub use crate::iri::HostMapping as HostForm;
use crate::iri::host::{self, HostError};
use crate::iri::to_uri;
use crate::iri::{BidiRule, ErrorKind, Iri};
use crate::lines::LineCounter;
use crate::link::{Body, Link, Refused, Warning, Warnings};
use crate::reference;
use crate::scan::{self, Candidate, LinkKind, Marks, Reason, Scanner, Step, View};
pub use crate::scan::{Boundaries, References, Schemes};

/// What becomes of ASCII that URIs forbid, where it stands inside a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Forbidden {
    /// It is percent-encoded, with a warning.
    #[default]
    Encode,
    /// The link is refused.
    Refuse,
}

/// The longest link, in stored bytes, if nothing else is said.
pub const DEFAULT_MAX_LINK: usize = 65536;

/// Finds links by its settings; reusable, shareable between threads.
///
/// ```
/// use linksift::{Finder, Schemes};
///
/// let finder = Finder::builder().schemeless(false).schemes(Schemes::Any).build();
/// let text = "example.org, foo://example.com/a and me@example.net";
/// let found: Vec<_> = finder.links(text).map(|l| l.uri().into_owned()).collect();
/// assert_eq!(found, ["foo://example.com/a", "mailto:me@example.net"]);
/// ```
#[derive(Clone, Debug)]
pub struct Finder {
    pub(crate) scan: scan::Settings,
    default_prefix: String,
    host: HostForm,
    forbidden: Forbidden,
}

impl Default for Finder {
    fn default() -> Self {
        Finder::builder().build()
    }
}

impl Finder {
    /// The finder of [`links`](crate::links): known schemes, hosts without a scheme, e-mail addresses.
    pub fn new() -> Finder {
        Finder::default()
    }

    /// A finder with other settings.
    pub fn builder() -> FinderBuilder {
        FinderBuilder { finder: Finder::base() }
    }

    fn base() -> Finder {
        Finder {
            scan: scan::Settings::default(),
            default_prefix: "https://".to_owned(),
            host: HostForm::default(),
            forbidden: Forbidden::default(),
        }
    }

    pub(crate) fn shared() -> &'static Finder {
        static SHARED: LazyLock<Finder> = LazyLock::new(Finder::new);
        &SHARED
    }

    /// The links of `text`, in order, each found when it is asked for.
    ///
    /// ```
    /// let finder = linksift::Finder::new();
    /// assert_eq!(finder.links("a.example.com b").next().unwrap().range(), 0..13);
    /// ```
    pub fn links<'t>(&'t self, text: &'t str) -> Links<'t> {
        Links(self.candidates(text))
    }

    /// The links of `text` and the candidates that were refused, in order.
    ///
    /// ```
    /// let finder = linksift::Finder::new();
    /// let text = "http://256.1.1.1/ http://10.1.1.1/";
    /// let codes: Vec<_> =
    ///     finder.candidates(text).map(|c| c.map_err(|r| r.reason().code()).is_ok()).collect();
    /// assert_eq!(codes, [false, true]);
    /// ```
    pub fn candidates<'t>(&'t self, text: &'t str) -> Candidates<'t> {
        Candidates { text: Some(text), ..self.candidates_in(text.as_bytes()) }
    }

    /// As [`candidates`](Finder::candidates), of UTF-8 that need not be well-formed: a malformed
    /// sequence ends a link, which then has the warning [`Malformed`](Warning::Malformed).
    ///
    /// ```
    /// let finder = linksift::Finder::new();
    /// let link = finder.candidates_in(b"http://e.com/a\xFFb").next().unwrap().unwrap();
    /// assert_eq!(link.range(), 0..14);
    /// assert!(link.warnings().contains(linksift::Warning::Malformed));
    /// ```
    pub fn candidates_in<'t>(&'t self, bytes: &'t [u8]) -> Candidates<'t> {
        Candidates { finder: self, bytes, text: None, scanner: Scanner::new(), lines: None }
    }

    /// Makes of a candidate of `bytes`, which begin at `base` in the whole input, a link or a refusal.
    pub(crate) fn judge<'t>(
        &'t self,
        bytes: &'t [u8],
        base: usize,
        candidate: Candidate,
    ) -> Result<Link<'t>, Refused<'t>> {
        let Range { start: origin, end } = candidate.range;
        if candidate.refused == Some(Reason::TooLong) {
            let head = &bytes[origin..end.min(origin + self.scan.max_link)];
            let range = base + origin..base + end;
            return Err(self.refuse_long(String::from_utf8_lossy(head), range, candidate.kind));
        }
        // What the scan read over is well-formed; the other case is for what it did not, a refusal.
        let raw = match std::str::from_utf8(&bytes[origin..end]) {
            Ok(text) => Cow::Borrowed(text),
            Err(_) => String::from_utf8_lossy(&bytes[origin..end]),
        };
        self.judge_raw(raw, base, candidate)
    }

    /// The same for a text that is known to be UTF-8, which need not be looked through again.
    #[inline]
    fn judge_str<'t>(
        &'t self,
        text: &'t str,
        candidate: Candidate,
    ) -> Result<Link<'t>, Refused<'t>> {
        match text.get(candidate.range.clone()) {
            Some(raw) if candidate.refused != Some(Reason::TooLong) => {
                self.judge_raw(Cow::Borrowed(raw), 0, candidate)
            }
            _ => self.judge(text.as_bytes(), 0, candidate),
        }
    }

    /// The same, where the candidate's text is at hand.
    fn judge_raw<'t>(
        &'t self,
        raw: Cow<'t, str>,
        base: usize,
        candidate: Candidate,
    ) -> Result<Link<'t>, Refused<'t>> {
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
        let prefix = match kind {
            LinkKind::Schemeless => Cow::Borrowed(&*self.default_prefix),
            LinkKind::Email if scheme_len == 0 => Cow::Borrowed("mailto:"),
            _ => Cow::Borrowed(""),
        };
        let mut body = Body {
            range,
            raw,
            resolved,
            prefix,
            kind,
            host,
            warnings: Warnings::default(),
            position: None,
            is_plain: true,
        };
        if marks.has(Marks::MALFORMED) {
            body.warnings.insert(Warning::Malformed);
        }
        if marks.has(Marks::USERINFO) {
            body.warnings.insert(Warning::Userinfo);
        }
        if let Some(reason) = refused {
            return Err(Refused { body, reason });
        }
        self.map(body, marks)
    }

    /// Refuses what is longer than the limit; `head` are its first bytes.
    pub(crate) fn refuse_long<'t>(
        &self,
        head: Cow<'t, str>,
        range: Range<usize>,
        kind: LinkKind,
    ) -> Refused<'t> {
        let body = Body {
            range,
            raw: head,
            resolved: None,
            prefix: Cow::Borrowed(""),
            kind,
            host: 0..0,
            warnings: Warnings::default(),
            position: None,
            is_plain: true,
        };
        Refused { body, reason: Reason::TooLong }
    }

    /// The last stage: the host mapped, the rest looked through for what a URI cannot have.
    fn map<'t>(&'t self, mut body: Body<'t>, marks: Marks) -> Result<Link<'t>, Refused<'t>> {
        let mut mapped_host = None;
        if marks.has(Marks::HOST) {
            let text = &body.text()[body.host.clone()];
            let ascii = match host::to_ascii(text) {
                Ok(ascii) => ascii,
                Err(HostError::Idna) => {
                    return Err(Refused { body, reason: Reason::HostInvalidIdna });
                }
                Err(HostError::Length) => return Err(Refused { body, reason: Reason::HostLabel }),
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
                return Err(Refused { body, reason: Reason::ForbiddenCharacter });
            }
        }
        let mut link = Link { body, mapped_host };
        if marks.has(Marks::ATTENTION) {
            add_bidi_warnings(&mut link);
        }
        match scheme_refusal(&link) {
            Some(kind) => Err(Refused { body: link.body, reason: Reason::Iri(kind) }),
            None => Ok(link),
        }
    }
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

/// What the grammar or the rules of its scheme (RFC 8141, RFC 3966 and so on) have against a link.
/// http, its relatives and ftp are left out: the scan itself holds them to all of their rules.
fn scheme_refusal(link: &Link<'_>) -> Option<ErrorKind> {
    if link.body.kind != LinkKind::Iri {
        return None;
    }
    let text = link.body.text();
    let is_scheme = |s: &&str| {
        text.as_bytes().get(s.len()) == Some(&b':')
            && text.as_bytes()[..s.len()].eq_ignore_ascii_case(s.as_bytes())
    };
    if ["https", "http", "ftp", "ws", "wss"].iter().any(is_scheme) {
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

/// Sets up a [`Finder`].
///
/// ```
/// use linksift::{Boundaries, Finder};
///
/// let finder = Finder::builder().boundaries(Boundaries::Uts58).default_scheme("http").build();
/// assert_eq!(finder.links("example.com").next().unwrap().uri(), "http://example.com");
/// ```
#[derive(Clone, Debug)]
pub struct FinderBuilder {
    finder: Finder,
}

impl FinderBuilder {
    /// Which schemes are links; [`Schemes::Known`] if nothing is said.
    pub fn schemes(mut self, schemes: Schemes) -> Self {
        self.finder.scan.schemes = schemes;
        self
    }

    /// Whether hosts without a scheme (`example.com/x`) are links; they are if nothing is said.
    pub fn schemeless(mut self, found: bool) -> Self {
        self.finder.scan.schemeless = found;
        self
    }

    /// Whether e-mail addresses are links, with and without `mailto:`; they are if nothing is said.
    pub fn emails(mut self, found: bool) -> Self {
        self.finder.scan.emails = found;
        self
    }

    /// The scheme supplied to hosts without one, `https` if nothing is said; without the colon.
    pub fn default_scheme(mut self, scheme: &str) -> Self {
        self.finder.default_prefix = [scheme, "://"].concat();
        self
    }

    /// Where links end in prose; [`Boundaries::Prose`] if nothing is said.
    pub fn boundaries(mut self, boundaries: Boundaries) -> Self {
        self.finder.scan.boundaries = boundaries;
        self
    }

    /// Whether character references are resolved; [`References::Auto`] if nothing is said.
    pub fn references(mut self, references: References) -> Self {
        self.finder.scan.references = references;
        self
    }

    /// How a non-ASCII host is mapped; [`HostForm::Ascii`] if nothing is said.
    pub fn host(mut self, form: HostForm) -> Self {
        self.finder.host = form;
        self
    }

    /// What becomes of ASCII that URIs forbid; [`Forbidden::Encode`] if nothing is said.
    pub fn forbidden(mut self, forbidden: Forbidden) -> Self {
        self.finder.forbidden = forbidden;
        self
    }

    /// The longest link in stored bytes, [`DEFAULT_MAX_LINK`] if nothing is said; a longer candidate
    /// is refused.
    pub fn max_link(mut self, bytes: usize) -> Self {
        self.finder.scan.max_link = bytes;
        self
    }

    /// The finder.
    pub fn build(self) -> Finder {
        self.finder
    }
}

/// The links of a text; see [`Finder::links`].
#[derive(Clone, Debug)]
pub struct Links<'t>(Candidates<'t>);

impl<'t> Iterator for Links<'t> {
    type Item = Link<'t>;

    #[inline]
    fn next(&mut self) -> Option<Link<'t>> {
        let Candidates { finder, bytes, text, scanner, .. } = &mut self.0;
        let view = View::new(bytes, true, finder.scan.references);
        loop {
            match scanner.next(&finder.scan, view) {
                // What the scan refuses need not be judged.
                Step::Found(candidate) if candidate.refused.is_some() => {}
                Step::Found(candidate) => {
                    let judged = match text {
                        Some(text) => finder.judge_str(text, candidate),
                        None => finder.judge(bytes, 0, candidate),
                    };
                    if let Ok(link) = judged {
                        return Some(link);
                    }
                }
                Step::More | Step::Done => return None,
            }
        }
    }
}

/// The links of a text and what was refused; see [`Finder::candidates`].
#[derive(Clone, Debug)]
pub struct Candidates<'t> {
    finder: &'t Finder,
    bytes: &'t [u8],
    /// The same, if it is known to be UTF-8.
    text: Option<&'t str>,
    scanner: Scanner,
    lines: Option<LineCounter>,
}

impl Candidates<'_> {
    /// With or without positions.
    pub(crate) fn counting(mut self, positions: bool) -> Self {
        self.lines = positions.then(LineCounter::new);
        self
    }
}

impl<'t> Iterator for Candidates<'t> {
    type Item = Result<Link<'t>, Refused<'t>>;

    fn next(&mut self) -> Option<Self::Item> {
        let view = View::new(self.bytes, true, self.finder.scan.references);
        match self.scanner.next(&self.finder.scan, view) {
            Step::Found(candidate) => {
                let start = candidate.range.start;
                let mut judged = match self.text {
                    Some(text) => self.finder.judge_str(text, candidate),
                    None => self.finder.judge(self.bytes, 0, candidate),
                };
                if let Some(lines) = &mut self.lines {
                    let position = Some(lines.position(self.bytes, 0, start));
                    match &mut judged {
                        Ok(link) => link.body.position = position,
                        Err(refused) => refused.body.position = position,
                    }
                }
                Some(judged)
            }
            // A view that is the input's last never asks for more.
            Step::More | Step::Done => None,
        }
    }
}
