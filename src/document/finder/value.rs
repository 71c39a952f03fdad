//! Links of markup: from a reference in a value to a link or a rejected candidate.
//!
//! The input is a reference with its range; the page supplies the base. Most references are plain, and become links
//! here; the others are drafts for the general path.

use std::borrow::Cow;
use std::ops::Range;

use super::judge::Draft;
use super::leniency::Place;
use super::target::Base;
use super::{Finder, Schemes};
use crate::charset::Charset;
use crate::context::{KnownContext, StoredContext};
use crate::iri::SimpleUriRef;
use crate::iri::repair::browser::{self, RepairedRef};
use crate::iri::repair::scheme_of;
use crate::link::{Body, Judged, Link, LinkKind, Reason, Rejected};
use crate::notation::Notation;

/// An IRI reference in a value of markup.
pub(crate) struct Reference<'t> {
    /// Text, with character references and escapes resolved and white space stripped.
    pub(crate) text: Cow<'t, str>,
    /// Stored text; `None` if it equals `text`.
    pub(crate) raw: Option<Cow<'t, str>>,
    /// Range in the stored bytes of the document.
    pub(crate) range: Range<usize>,
    /// Context: `a@href`.
    pub(crate) context: StoredContext,
    pub(crate) notation: Notation,
}

/// A reference that is its own URI, judged: the parts of a link, which is made where it is returned, since it is large.
pub(crate) struct PlainValueLink<'t> {
    raw: &'t str,
    target: PlainTarget,
}

/// Target of a plain reference.
struct PlainTarget {
    kind: LinkKind,
    /// Text of the target, if a base changed it.
    resolved: Option<Box<str>>,
    host: Range<usize>,
    /// Whether its scheme is selected.
    selected: Result<(), Reason>,
}

/// Where a plain link is, and how it is written there.
pub(crate) struct PlainValuePlace {
    /// Stored range.
    pub(crate) range: Range<usize>,
    pub(crate) context: &'static KnownContext,
    pub(crate) charset: Charset,
    pub(crate) notation: Notation,
}

impl<'t> PlainValueLink<'t> {
    /// Returns the text of the target.
    #[inline(always)]
    pub(crate) fn text(&self) -> &str {
        self.target.resolved.as_deref().unwrap_or(self.raw)
    }

    /// Returns `true` if its scheme is selected.
    #[inline(always)]
    pub(crate) fn is_selected(&self) -> bool {
        self.target.selected.is_ok()
    }

    #[inline(always)]
    pub(crate) fn has_host(&self) -> bool {
        !self.target.host.is_empty()
    }

    #[inline(always)]
    pub(crate) fn raw(&self) -> &str {
        self.raw
    }

    /// Makes the link, or the rejected candidate.
    #[inline(always)]
    pub(crate) fn judged(self, place: PlainValuePlace) -> Judged<'t> {
        let PlainValuePlace { range, context, charset, notation } = place;
        let PlainTarget { kind, resolved, host, selected } = self.target;
        let mut body = Body {
            raw: Cow::Borrowed(self.raw),
            resolved,
            notation,
            context: context.into(),
            ..Body::new(range, kind, charset)
        };
        match selected {
            Ok(()) => {
                body.set_host(host);
                Ok(Link { body })
            }
            Err(reason) => Err(Rejected::new(body, reason)),
        }
    }
}

impl Finder {
    /// Judges a reference.
    pub(crate) fn judge_value<'t>(
        &self,
        reference: Reference<'t>,
        base: Option<&Base>,
        charset: Charset,
    ) -> Judged<'t> {
        if reference.range.len() > self.scan.max_link {
            let Reference { text, raw, range, context, .. } = reference;
            let has_scheme = scheme_of(&text).is_some();
            let mut raw = raw.unwrap_or(text).into_owned();
            let most = raw.len().min(self.scan.max_link);
            raw.truncate((0..=most).rev().find(|end| raw.is_char_boundary(*end)).unwrap_or(0));
            let mut refused = self.refuse_value(raw, range, context, charset, Reason::TooLong);
            if has_scheme {
                refused.body.kind = LinkKind::Absolute;
            }
            return Err(refused);
        }
        let plain = SimpleUriRef::of_resolved(&reference.text);
        let Some(target) = plain.and_then(|plain| self.plain(&plain, base)) else {
            return self.judge_closely(reference, base, charset);
        };
        let Reference { text, raw, range, context, notation } = reference;
        let mut body = Body { notation, ..body(range, charset, context) };
        (body.kind, body.resolved) = (target.kind, target.resolved);
        body.raw = match raw.filter(|raw| *raw != text) {
            Some(raw) => {
                body.resolved.get_or_insert_with(|| text.into());
                raw
            }
            None => text,
        };
        match target.selected {
            Ok(()) => {
                body.set_host(target.host);
                Ok(Link { body })
            }
            Err(reason) => Err(Rejected::new(body, reason)),
        }
    }

    /// Judges a reference of any form.
    fn judge_closely<'t>(
        &self,
        reference: Reference<'t>,
        base: Option<&Base>,
        charset: Charset,
    ) -> Judged<'t> {
        let Reference { text, raw, range, context, notation } = reference;
        let scheme = base.and_then(Base::scheme);
        // Renderers of Markdown percent-encode a backslash (CommonMark 0.31 §6.5).
        let is_rendered = context.kind().is_markdown() && text.contains('\\');
        let read =
            if is_rendered { RepairedRef::plain(&text) } else { browser::read(&text, scheme) };
        let warnings = read.warnings;
        let (text, raw) = match read.text {
            Cow::Owned(read) => (Cow::Owned(read), Some(raw.unwrap_or(text))),
            Cow::Borrowed(_) => (text, raw),
        };
        let mut body = Body { notation, ..body(range, charset, context) };
        body.warnings = warnings;
        match raw.filter(|raw| *raw != text) {
            Some(raw) => {
                body.resolved = Some(text.into());
                body.raw = raw;
            }
            None => body.raw = text,
        }
        self.follow(Draft { body, place: Place::Value, has_odd_host: false }, base)
    }

    /// Judges a plain reference, as nearly all are, with nothing to be resolved or stripped; `None` if the reference or the base needs
    /// the general path.
    #[inline(always)]
    pub(crate) fn judge_plain<'t>(
        &self,
        plain: &SimpleUriRef<'t>,
        base: Option<&Base>,
    ) -> Option<PlainValueLink<'t>> {
        Some(PlainValueLink { raw: plain.text, target: self.plain(plain, base)? })
    }

    /// Returns the target of a plain reference.
    #[inline(always)]
    fn plain(&self, plain: &SimpleUriRef<'_>, base: Option<&Base>) -> Option<PlainTarget> {
        // A reference that may deceive takes the general path.
        let is_long = plain.text.len() > self.scan.max_link;
        if self.has_known() || is_long || plain.may_deceive() {
            return None;
        }
        let has_scheme = plain.has_scheme();
        if (has_scheme || !plain.host_range().is_empty()) && is_read_otherwise(plain) {
            return None;
        }
        let (resolved, host) = match base {
            Some(base) if !has_scheme => {
                let (target, host) = base.resolve_plain(plain)?;
                (Some(target), host)
            }
            _ => (None, plain.host_range()),
        };
        let kind = if has_scheme { LinkKind::Absolute } else { LinkKind::Reference };
        let selected = match self.scan.schemes {
            Schemes::List(_) => self.selected(match has_scheme {
                true => scheme_of(plain.text),
                false => base.and_then(Base::scheme),
            }),
            _ => Ok(()),
        };
        Some(PlainTarget { kind, resolved, host, selected })
    }

    /// Rejects a value with its stored text, as far as it is available.
    pub(crate) fn refuse_value(
        &self,
        raw: String,
        range: Range<usize>,
        context: StoredContext,
        charset: Charset,
        reason: Reason,
    ) -> Rejected<'static> {
        Rejected::new(Body { raw: raw.into(), ..body(range, charset, context) }, reason)
    }
}

/// Returns the body of a reference whose text is set later.
fn body<'t>(range: Range<usize>, charset: Charset, context: StoredContext) -> Body<'t> {
    Body { context, ..Body::new(range, LinkKind::Reference, charset) }
}

/// Returns `true` if a plain reference of http has dot segments, or a host that browsers may read as an address.
#[inline]
fn is_read_otherwise(plain: &SimpleUriRef<'_>) -> bool {
    let bytes = plain.text.as_bytes();
    let (host, path) =
        (plain.host_range(), plain.parts.path_start as usize..plain.parts.path_end as usize);
    let is_hex = bytes[host.clone()].last().is_some_and(|b| b.is_ascii_hexdigit() || *b == b'x');
    is_hex && bytes[host].windows(2).any(|two| two == b"0x")
        || bytes[path].windows(2).any(|two| two == b"/.")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The fast path has the links of the general path for plain values, with a base and without.
    #[test]
    fn the_short_path_and_the_general_path_agree() {
        let finder = Finder::new();
        let mut plain = 0;
        for base in [None, Some("http://b.example/c/d?e"), Some("http://\u{e4}.example/")] {
            let base = base.and_then(Base::new);
            for text in [
                "a",
                "/a/b",
                "../x?y#z",
                "?q",
                "#f",
                "//h.example/x",
                "http://e.com/a",
                "./",
                "a/../b",
                "a%41",
                "https://e.com",
                "a;b=c,d",
                "http://E.com/~x/",
                "/a//b",
                "a:b",
                "1:a",
                "http://e.com:80/",
                "http://e.com/a?b&c=d#e&f",
                "a&b?c",
            ] {
                let Some(parsed) = SimpleUriRef::of_resolved(text) else { continue };
                let notation = Notation::default();
                let charset = Charset::UTF_8;
                let base = base.as_ref();
                let Some(short) = finder.judge_plain(&parsed, base) else { continue };
                let context = KnownContext::STYLE;
                let short =
                    short.judged(PlainValuePlace { range: 3..9, context, charset, notation });
                let short = short.unwrap();
                let context = KnownContext::STYLE.into();
                let reference =
                    Reference { text: text.into(), raw: None, range: 3..9, context, notation };
                let general = finder.judge_closely(reference, base, charset).unwrap();
                assert_eq!(
                    (short.uri(), short.iri(), short.host()),
                    (general.uri(), general.iri(), general.host())
                );
                assert_eq!(
                    (short.kind(), short.raw(), short.warnings()),
                    (general.kind(), general.raw(), general.warnings())
                );
                plain += 1;
            }
        }
        assert!(plain >= 20, "{plain}");
    }

    /// With a list of schemes, plain references are selected as the others are.
    #[test]
    fn the_short_path_selects_schemes_as_the_general_path_does() {
        let lists = ["http".parse().unwrap(), "https,ftp".parse().unwrap()];
        let seen = |judged: Judged<'_>| match &judged {
            Ok(link) => (
                link.kind(),
                link.iri().into_owned(),
                link.host().map(Cow::into_owned),
                None,
                link.warnings(),
            ),
            Err(rejected) => {
                let reason = Some(rejected.reason());
                (rejected.kind(), rejected.iri().into_owned(), None, reason, rejected.warnings())
            }
        };
        let mut refused = 0;
        for schemes in lists {
            let finder = Finder::builder().schemes(schemes).build();
            for base in [None, Some("http://b.example/c/d?e"), Some("https://b.example")] {
                let base = base.and_then(Base::new);
                for text in ["a", "?q", "//h.example/x", "http://e.com/a", "https://e.com/", "#f"] {
                    let reference = || {
                        let context = KnownContext::STYLE.into();
                        let notation = Notation::default();
                        Reference { text: text.into(), raw: None, range: 3..9, context, notation }
                    };
                    let short = finder.judge_value(reference(), base.as_ref(), Charset::UTF_8);
                    let general = finder.judge_closely(reference(), base.as_ref(), Charset::UTF_8);
                    refused += usize::from(short.is_err());
                    assert_eq!(seen(short), seen(general), "{text}");
                }
            }
        }
        assert!((10..30).contains(&refused), "{refused}");
    }
}
