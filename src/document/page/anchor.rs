//! Anchors whose visible text names another site than they lead to: the warning `text-mismatch`.
//!
//! The input is a link of an anchor and the bytes after it, the result is the link, with the warning if its text needs
//! it. A text names the host that the scan of running text finds in it. While the text is not available, the link
//! waits, and the page with it.

use std::ops::{ControlFlow, Range};
use std::sync::LazyLock;

use super::{Emit, Page, Source, Tokens};
use crate::charset::Charset;
use crate::context::ContextKind;
use crate::document::finder::Finder;
use crate::link::{Judged, Link, LinkKind, owned, set_shown};
use crate::markup::anchor::{Anchor, Dialect, IsPlain, anchor};
use crate::markup::{Grammar, Rules, UrlValue};
use crate::scan::reference::plainly_resolved;
use crate::simd::signs::NonAscii;
use crate::trust::is_other_site;
use crate::warning::Severity;

/// A link whose text is not available yet.
#[derive(Clone)]
pub(super) struct Waiting {
    judged: Judged<'static>,
    /// Range of its value in the source.
    value: Range<usize>,
}

/// The host that a text names, and how certainly it does.
struct Named {
    host: String,
    severity: Severity,
}

impl<'f> Page<'f> {
    /// Returns `true` if the text after the value may name another host than the link; one quick check excludes this
    /// for nearly all links.
    #[inline]
    pub(super) fn may_be_mismatch(
        &self,
        source: &Source<'_>,
        value_end: usize,
        link: &Link<'_>,
    ) -> bool {
        let is_web = || {
            let scheme = link.body.text().get(..4);
            link.body.mapped().is_some()
                || scheme.is_some_and(|scheme| scheme.eq_ignore_ascii_case("http"))
        };
        let has_host = !link.body.host.is_empty();
        let beyond = match !source.is_plain() || self.charset.is_utf8() {
            true => NonAscii::Utf8,
            false => NonAscii::Anything,
        };
        let look = IsPlain { bytes: source.chunk.get(value_end..).unwrap_or_default(), beyond };
        has_host && is_web() && !self.masks.run(look)
    }

    /// Adds the warning to a link whose text names another site; `None` if the text is not available yet, and the link
    /// waits.
    #[inline(never)]
    pub(super) fn compared<'s>(
        &mut self,
        source: &Source<'s>,
        value: Range<usize>,
        judged: Judged<'s>,
    ) -> Option<Judged<'s>> {
        let Ok(link) = &judged else { return Some(judged) };
        let (dialect, rules) = match self.tokens {
            Tokens::Xml(_) => (Dialect::Xml, Rules::Xml),
            _ => (Dialect::Html, Rules::HtmlText),
        };
        let (bytes, is_whole) = match anchor(source.chunk, value.end, dialect) {
            Anchor::Text { bytes, is_whole } => (bytes, is_whole),
            Anchor::Cut => {
                self.waiting = Some(Box::new(Waiting { judged: owned(judged), value }));
                return None;
            }
        };
        let decoded = source.charset(self.charset).decode(&bytes);
        let text = plainly_resolved(&decoded, rules);
        let warned = mismatch(link, &text, is_whole);
        Some(with(judged, warned))
    }

    /// Resumes a link that waits for its text; returns `true` if none waits any more.
    pub(super) fn settle<'s>(
        &mut self,
        source: &Source<'s>,
        emit: &mut Emit<'_, 's>,
    ) -> ControlFlow<(), bool> {
        let Some(waiting) = self.waiting.take() else { return ControlFlow::Continue(true) };
        let Waiting { judged, value } = *waiting;
        match self.compared(source, value, judged) {
            None => ControlFlow::Continue(false),
            Some(judged) => self.give(judged, emit).map_continue(|()| true),
        }
    }

    /// Returns `true` if the text of a plain link may name another site.
    #[inline]
    pub(super) fn may_be_plain_mismatch(
        &self,
        source: &Source<'_>,
        value: &UrlValue,
        link: &Link<'_>,
    ) -> bool {
        match value.grammar {
            Grammar::Url => {
                value.context.kind() == ContextKind::Anchor
                    && self.may_be_mismatch(source, value.range.end, link)
            }
            Grammar::Markdown => value.context.kind() == ContextKind::MarkdownLink,
            _ => false,
        }
    }

    /// Adds the warning to a plain link whose text, which [may](Page::may_be_plain_mismatch), names another site;
    /// `None` if the text is not available yet, and the link waits.
    #[inline(never)]
    pub(super) fn compared_plainly<'s>(
        &mut self,
        source: &Source<'s>,
        value: &UrlValue,
        link: Link<'s>,
    ) -> Option<Link<'s>> {
        match value.grammar {
            Grammar::Markdown => compared_in_markdown(source, self.charset, value, Ok(link)).ok(),
            _ => self.compared(source, value.range.clone(), Ok(link))?.ok(),
        }
    }
}

/// Adds the warning to a link of Markdown whose text, which precedes it, names another site.
pub(super) fn compared_in_markdown<'s>(
    source: &Source<'s>,
    charset: Charset,
    value: &UrlValue,
    judged: Judged<'s>,
) -> Judged<'s> {
    let before = source.chunk.get(source.chunk.base()..value.range.start).unwrap_or_default();
    let Some(text) = text_before(before) else { return judged };
    let text = source.charset(charset).decode(text);
    let text: String = plainly_resolved(&text, Rules::Markdown)
        .chars()
        .filter(|c| !matches!(c, '*' | '`' | '\\' | '~'))
        .collect();
    let warned = judged.as_ref().ok().and_then(|link| mismatch(link, &text, true));
    with(judged, warned)
}

/// Adds the warning to a link whose visible text, given in full, names another site.
pub(crate) fn compared_with<'s>(judged: Judged<'s>, text: &str) -> Judged<'s> {
    let warned = judged.as_ref().ok().and_then(|link| mismatch(link, text, true));
    with(judged, warned)
}

fn with<'s>(mut judged: Judged<'s>, named: Option<Named>) -> Judged<'s> {
    if let Some(Named { host, severity }) = named {
        set_shown(&mut judged, &host, severity);
    }
    judged
}

/// Returns the text of a link of Markdown that precedes its destination; `None` for an image, or a text with brackets.
fn text_before(before: &[u8]) -> Option<&[u8]> {
    let before = before.trim_ascii_end();
    let before = before.strip_suffix(b"<").unwrap_or(before).trim_ascii_end();
    let before = before.strip_suffix(b"](")?;
    let open = memchr::memrchr2(b'[', b']', before.get(before.len().saturating_sub(1024)..)?)?;
    let start = before.len() - before.len().min(1024) + open;
    (before.get(start) == Some(&b'[')).then(|| before.get(start + 1..)).flatten()
}

/// Returns the other site that the text of a link names: as a URL at its beginning, or as a host alone.
fn mismatch(link: &Link<'_>, text: &str, is_whole: bool) -> Option<Named> {
    let target = link.host()?;
    let is_web = ["http:", "https:"].iter().any(|scheme| {
        link.uri().get(..scheme.len()).is_some_and(|start| start.eq_ignore_ascii_case(scheme))
    });
    let named = named(text, is_whole).filter(|_| is_web)?;
    is_other_site(&named.host, &target).then_some(named)
}

fn named(text: &str, is_whole: bool) -> Option<Named> {
    static FINDER: LazyLock<Finder> = LazyLock::new(Finder::new);
    let is_unseen =
        |c: &char| matches!(c, '\u{AD}' | '\u{200B}'..='\u{200F}' | '\u{2060}' | '\u{FEFF}');
    let seen: String = text.chars().filter(|c| !is_unseen(c)).collect();
    let quotes = ['<', '>', '"', '\'', '“', '”', '„', '«', '»', '‹', '›'];
    let seen = seen.trim().trim_matches(quotes).trim();
    let url = |text: &str| {
        let link = FINDER.links(text).next()?;
        let host = link.host().filter(|_| link.range().start == 0)?;
        (link.kind() == LinkKind::Iri).then(|| host.into_owned())
    };
    if seen.get(..seen.len().min(64)).unwrap_or(seen).contains("://") {
        // White space between tags only formats the source.
        let joined = || seen.split_whitespace().collect::<String>();
        let host = url(seen).or_else(|| url(&joined()))?;
        return Some(Named { host, severity: Severity::Deceptive });
    }
    if !is_whole || seen.contains(char::is_whitespace) {
        return None;
    }
    let host = seen.trim_end_matches(['/', '.', '…']);
    let link = FINDER.links(host).next();
    let is_all =
        |link: &Link<'_>| link.kind() == LinkKind::Schemeless && link.range() == (0..host.len());
    let host = match link.filter(is_all) {
        Some(link) => link.host()?.into_owned(),
        None => reserved(host)?.to_owned(),
    };
    Some(Named { host, severity: Severity::Suspect })
}

/// Returns `true` for hosts below a name that is reserved for documents and tests (RFC 2606 §2), which no list of
/// top-level domains has.
fn reserved(text: &str) -> Option<&str> {
    let (name, last) = text.rsplit_once('.')?;
    let is_label = |label: &str| {
        !label.is_empty() && label.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
    };
    let is_one = ["example", "test"].iter().any(|one| last.eq_ignore_ascii_case(one));
    (is_one && name.split('.').all(is_label)).then_some(text)
}
