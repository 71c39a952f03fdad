//! Anchors whose visible text names another site than they lead to: the warning `text-mismatch`.
//!
//! The input is a link of an anchor and the bytes after it, the result is the link, with the warning if its text needs
//! it; [`shown`](super::shown) compares them. While the text is not available, the link waits, and the page with it.

use std::collections::VecDeque;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use super::bases::authority_of;
use super::detail::{LinkDetails, ReadValue, leads_from};
use super::shown::{Named, VisibleText, is_compared, is_dialled, mismatch, names_nothing};
use super::{Emit, Page, Source};
use crate::context::ContextKind;
use crate::document::finder::PlainValueLink;
use crate::limits::SHOWN;
use crate::link::{Judged, Link, LinkKind, owned, set_shown, shown_text};
use crate::markup::anchor::AnchorText;
use crate::markup::plain_anchor::{AnchorLook, PlainAnchor};
use crate::markup::{Grammar, LabelPiece, LabelText, LinkLabel, PackageText, Rules, UrlValue};
use crate::scan::reference::plainly_resolved;
use crate::simd::signs::NonAscii;

/// Texts of links that are compared with the links.
#[derive(Clone, Default)]
pub(super) struct LinkTexts {
    /// Texts of links whose destination is the next value, in the source.
    pub(super) labels: Vec<LinkLabel>,
    /// Links of a value whose text is not available yet, in order; until it is, nothing else is read.
    pub(super) waiting: VecDeque<Waiting>,
    /// What is behind the value that was last read, whose next link has the same.
    pub(super) read: Option<ReadValue>,
}

/// A link whose text is not available yet, or a result behind such a link in the same value.
#[derive(Clone)]
pub(super) struct Waiting {
    judged: Judged<'static>,
    /// Range of its value in the source.
    value: Range<usize>,
    /// Text that the value has for it.
    label: Option<Arc<str>>,
}

/// What the text of an anchor is compared with.
pub(super) struct AnchorTarget<'l> {
    pub(super) text: &'l str,
    pub(super) has_host: bool,
    /// Whether its URI is another text.
    pub(super) is_mapped: bool,
}

impl<'l> From<&'l Link<'_>> for AnchorTarget<'l> {
    fn from(Link { body }: &'l Link<'_>) -> AnchorTarget<'l> {
        let (has_host, is_mapped) = (!body.host.is_empty(), body.mapped().is_some());
        AnchorTarget { text: body.text(), has_host, is_mapped }
    }
}

impl<'f> Page<'f> {
    /// Returns `true` if the text after the value may name another host than the link; one quick check excludes this
    /// for nearly all links.
    #[inline]
    pub(super) fn may_be_mismatch(
        &self,
        source: &Source<'_>,
        value_end: usize,
        context: ContextKind,
        target: &AnchorTarget<'_>,
    ) -> bool {
        let AnchorTarget { text, has_host, is_mapped } = *target;
        if context != ContextKind::Anchor || !has_host && is_dialled(text) {
            return true;
        }
        if !has_host || !is_mapped && !is_compared(text) {
            return false;
        }
        let beyond = match !source.is_plain() || self.charset.is_utf8() {
            true => NonAscii::Utf8,
            false => NonAscii::Anything,
        };
        let bytes = source.chunk.get(value_end..).unwrap_or_default();
        match self.masks.run(PlainAnchor { bytes, dialect: self.dialect().0, beyond }) {
            AnchorLook::Nothing => false,
            AnchorLook::Only(text) => !names_nothing(bytes.get(text).unwrap_or_default(), true),
            AnchorLook::Unknown => true,
        }
    }

    /// Adds the warning to a link whose text names another site; `None` if the text is not available yet, and the link
    /// waits.
    #[inline(never)]
    pub(super) fn compared<'s>(
        &mut self,
        source: &Source<'s>,
        value: Range<usize>,
        label: Option<Arc<str>>,
        judged: Judged<'s>,
    ) -> Option<Judged<'s>> {
        let compared = match self.texts.waiting.is_empty() {
            true => self.compared_now(source, &value, label.as_deref(), judged),
            false => Err(judged),
        };
        match compared {
            Ok(judged) => Some(judged),
            Err(judged) => {
                self.texts.waiting.push_back(Waiting { judged: owned(judged), value, label });
                None
            }
        }
    }

    /// Adds the warning to a link whose text names another site; an error with the link if the text is not available yet.
    fn compared_now<'s>(
        &mut self,
        source: &Source<'s>,
        value: &Range<usize>,
        label: Option<&str>,
        judged: Judged<'s>,
    ) -> Result<Judged<'s>, Judged<'s>> {
        let Ok(link) = &judged else { return Ok(judged) };
        let kind = link.body.context.kind();
        let Some(read) = self.read_value(source, value, kind) else { return Err(judged) };
        let by_label = label.and_then(|label| self.named_by_label(link, label));
        let behind = || self.named_by(source, link, read.compared.as_ref()?);
        let warned = by_label.or_else(behind);
        let mut details = read.details.clone();
        if let Some(label) = label.filter(|_| self.settings.details) {
            details.text = shown_text(label).or(details.text);
        }
        // Links of other kinds have no text, which may lie between those that have one.
        if read.compared.is_some() {
            self.texts.read = Some(read);
        }
        Ok(details.of(with(judged, warned)))
    }

    /// Returns what a label of a formula names, if that is another site.
    fn named_by_label(&self, link: &Link<'_>, label: &str) -> Option<Named> {
        let is_on_own_site: &dyn Fn() -> bool = &|| self.is_on_own_site(link);
        let is_whole = label.len() <= SHOWN;
        mismatch(link, VisibleText { is_whole, is_on_own_site, ..VisibleText::whole(label) })
    }

    /// Returns what the text behind a link names, if that is another site.
    fn named_by(&self, source: &Source<'_>, link: &Link<'_>, found: &AnchorText) -> Option<Named> {
        let rules = self.dialect().1;
        let charset = source.charset(self.charset);
        let is_number = is_dialled(link.body.text());
        let is_on_own_site: &dyn Fn() -> bool = &|| self.is_on_own_site(link);
        let warned_by = |bytes: &[u8], is_whole: bool, is_alternative: bool| {
            if !is_number && names_nothing(bytes, is_whole) {
                return None;
            }
            let decoded = charset.decode(bytes);
            let text = match found.is_resolved {
                true => String::from_utf8_lossy(bytes),
                false => plainly_resolved(&decoded, rules),
            };
            mismatch(link, VisibleText { text: &text, is_whole, is_alternative, is_on_own_site })
        };
        let alternatives =
            || found.alternatives.iter().find_map(|bytes| warned_by(bytes, true, true));
        warned_by(&found.bytes, found.is_whole, false).or_else(alternatives)
    }

    /// Returns `true` for a relative reference to the site of the base that the caller gives, and not the page or its sender.
    fn is_on_own_site(&self, link: &Link<'_>) -> bool {
        link.kind() == LinkKind::Reference
            && !self.settings.is_base_declared
            && self
                .bases
                .given_authority()
                .is_some_and(|own| authority_of(&link.uri()) == Some(own))
    }

    /// Resumes the links that wait for their text; returns `true` if none waits any more.
    pub(super) fn settle<'s>(
        &mut self,
        source: &Source<'s>,
        emit: &mut Emit<'_, 's>,
    ) -> ControlFlow<(), bool> {
        while let Some(Waiting { judged, value, label }) = self.texts.waiting.pop_front() {
            match self.compared_now(source, &value, label.as_deref(), judged) {
                Ok(judged) => self.give(judged, emit)?,
                Err(judged) => {
                    let judged = owned(judged);
                    self.texts.waiting.push_front(Waiting { judged, value, label });
                    return ControlFlow::Continue(false);
                }
            }
        }
        ControlFlow::Continue(true)
    }

    /// Returns `true` if the text of a plain link may name another site.
    #[inline]
    pub(super) fn may_be_plain_mismatch(
        &self,
        source: &Source<'_>,
        value: &UrlValue,
        link: &PlainValueLink<'_>,
    ) -> bool {
        let kind = value.context.kind();
        match value.grammar {
            _ if !self.texts.labels.is_empty() => true,
            Grammar::Url | Grammar::NonEmptyUrl => {
                self.wants_details(kind)
                    || leads_from(kind).is_some() && {
                        let (text, has_host) = (link.text(), link.has_host());
                        let target = AnchorTarget { text, has_host, is_mapped: false };
                        self.may_be_mismatch(source, value.range.end, kind, &target)
                    }
            }
            Grammar::Markdown => self.wants_details(kind),
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
        judged: Judged<'s>,
    ) -> Option<Judged<'s>> {
        match value.grammar == Grammar::Markdown || !self.texts.labels.is_empty() {
            true => Some(self.compared_in_markdown(source, judged)),
            false => self.compared(source, value.range.clone(), None, judged),
        }
    }

    /// Adds the warning to a link of Markdown whose text, which precedes it, names another site; the destination of a
    /// definition is compared with the texts of the links that refer to it.
    pub(super) fn compared_in_markdown<'s>(
        &mut self,
        source: &Source<'s>,
        judged: Judged<'s>,
    ) -> Judged<'s> {
        let labels = std::mem::take(&mut self.texts.labels);
        let Ok(link) = &judged else { return judged };
        let first = labels.first().filter(|_| self.settings.details);
        let details = match first.and_then(|label| self.shown_label(source, label)) {
            Some(ShownLabel { text, alternatives }) => {
                let text = shown_text(&text).or_else(|| shown_text(&alternatives.join(" ")));
                LinkDetails { text, rel: None }
            }
            None => LinkDetails::default(),
        };
        let is_on_own_site: &dyn Fn() -> bool = &|| self.is_on_own_site(link);
        let warned_by = |label: &LinkLabel| {
            let ShownLabel { text, alternatives } = self.shown_label(source, label)?;
            let named = |text: &str, is_alternative: bool| {
                let visible =
                    VisibleText { is_alternative, is_on_own_site, ..VisibleText::whole(text) };
                (text.len() <= SHOWN).then(|| mismatch(link, visible)).flatten()
            };
            named(&text, false)
                .or_else(|| alternatives.iter().find_map(|alternative| named(alternative, true)))
        };
        let warned = labels.iter().filter(|label| !label.is_image).find_map(warned_by);
        details.of(with(judged, warned))
    }

    /// Returns the text of a label as a reader sees it; `None` if its bytes are not available.
    fn shown_label(&self, source: &Source<'_>, label: &LinkLabel) -> Option<ShownLabel> {
        let charset = source.charset(self.charset);
        let mut shown = ShownLabel::default();
        match &label.text {
            LabelText::Whole(range) => {
                let text = charset.decode(source.chunk.get(range.clone())?);
                let text = plainly_resolved(&text, Rules::Markdown);
                let is_seen = |c: &char| !matches!(c, '*' | '`' | '\\' | '~');
                shown.text = text.chars().filter(is_seen).collect();
            }
            LabelText::Given(PackageText { text, is_alternative: true }) => {
                shown.alternatives.push(text.to_string());
            }
            LabelText::Given(PackageText { text, .. }) => shown.text.push_str(text),
            LabelText::Pieces(pieces) => {
                let mut is_ended = true;
                for LabelPiece { range, rules, is_alternative } in pieces {
                    let text = charset.decode(source.chunk.get(range.clone())?);
                    let text = plainly_resolved(&text, *rules);
                    match (range.is_empty(), is_alternative) {
                        (true, true) => is_ended = true,
                        (true, false) => shown.text.push(' '),
                        (false, false) => shown.text.push_str(&text),
                        (false, true) if std::mem::take(&mut is_ended) => {
                            shown.alternatives.push(text.into_owned());
                        }
                        (false, true) => {
                            let open = shown.alternatives.last_mut()?;
                            open.push_str(&text);
                        }
                    }
                }
            }
        }
        Some(shown)
    }
}

/// Text of a label as a reader sees it.
#[derive(Default)]
struct ShownLabel {
    text: String,
    /// Descriptions of the images in it.
    alternatives: Vec<String>,
}

/// Adds the warning to a link whose visible text, given in full, names another site; and the text, if it is wanted.
pub(crate) fn compared_with<'s>(judged: Judged<'s>, text: &str, is_wanted: bool) -> Judged<'s> {
    let warned = judged.as_ref().ok().and_then(|link| mismatch(link, VisibleText::whole(text)));
    let text = if is_wanted { shown_text(text) } else { None };
    LinkDetails { text, rel: None }.of(with(judged, warned))
}

fn with<'s>(mut judged: Judged<'s>, named: Option<Named>) -> Judged<'s> {
    if let Some(Named { shown, severity }) = named {
        set_shown(&mut judged, &shown, severity);
    }
    judged
}
