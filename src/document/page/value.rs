//! Values: the references in a value of a page, and the base against which they are resolved.

use std::borrow::Cow;
use std::ops::{ControlFlow, Range};
use std::sync::Arc;

use super::detail::leads_from;
use super::source::{self, Source};
use super::{Emit, Nesting, Page, Tokens, owned};
use crate::context::{ContextKind, StoredContext};
use crate::document::finder::Reference;
use crate::iri::ErrorKind;
use crate::limits;
use crate::link::{Judged, Reason, Rejected, body_of};
use crate::markup::{
    EntityError, Grammar, Markdown, Rules, Unexpanded, UrlValue, ValueLimits, ValueReference,
    base64_resolved, each_reference, is_as_written, resolved, resolved_in,
};
use crate::notation::Notation;
use crate::notice::Notice;
use crate::simd::narrow::ascii;
use crate::source_map::{MappedText, SourceMap};

/// Returns a candidate from a document inside another, with the context of conditional comments if it is in one.
fn from_inside(is_conditional: bool, judged: Judged<'_>) -> Judged<'static> {
    let mut judged = owned(judged);
    let context = &mut body_of(&mut judged).context;
    // One comment may be in another: its context is the same.
    if is_conditional && context.kind() != ContextKind::InConditional {
        *context = context.in_conditional();
    }
    judged
}

/// Returns `true` if a reference is rejected only because of its scheme, or because it has none.
fn is_unselected(reason: Reason) -> bool {
    reason == Reason::SchemeNotSelected || reason == Reason::of(ErrorKind::NoScheme)
}

/// Returns `true` for a reference to a file that the cell of a notebook holds.
fn is_attached(judged: &mut Judged<'_>) -> bool {
    body_of(judged).text().starts_with("attachment:")
}

/// Returns `true` if a value of this grammar certainly contains no reference, in any charset.
fn holds_none(bytes: &[u8], grammar: Grammar) -> bool {
    match grammar {
        // A word or a title: an absolute reference has a colon or two slashes.
        Grammar::AbsoluteOnly => memchr::memchr3(b':', b'/', b'&', bytes).is_none(),
        // Declarations without a function and an at-rule, as nearly all are; a character reference or an escape may
        // represent their first characters.
        Grammar::Style | Grammar::CssValue => {
            memchr::memchr3(b'(', b'@', b'&', bytes).is_none()
                && memchr::memchr(b'\\', bytes).is_none()
        }
        _ => false,
    }
}

/// A document that is a value of another one.
#[derive(Clone, Copy)]
struct Inside {
    /// Start of the value in the source.
    start: usize,
    /// Whether it is a conditional comment, which the contexts of its links say.
    is_conditional: bool,
    /// Number of documents that it is in; for a fragment the maximum.
    depth: usize,
    /// Whether it is Markdown, and not HTML.
    is_markdown: bool,
    /// How it is written in the page.
    notation: Notation,
}

/// The value that a reference is in, with the text that it has for it.
struct LinkedValue {
    grammar: Grammar,
    range: Range<usize>,
    label: Option<Arc<str>>,
}

impl<'f> Page<'f> {
    /// Returns the text of a value with its references resolved, if its document declares entities.
    ///
    /// # Errors
    ///
    /// Returns an error if one of them expands too far.
    pub(super) fn declared(
        &mut self,
        source: &Source<'_>,
        text: &str,
        grammar: Grammar,
        rules: Rules,
    ) -> Result<Option<(String, SourceMap)>, Unexpanded> {
        let is_kept =
            rules == Rules::None || matches!(grammar, Grammar::Content | Grammar::FragmentInPieces);
        let charset = source.charset(self.charset);
        match self.tokens.entities() {
            Some(entities) if !is_kept && entities.are_in(text.as_bytes()) => {
                let decode = |bytes: &[u8]| source::text_of(charset, bytes).into_owned();
                entities.resolved(text, 0, &decode)
            }
            _ => Ok(None),
        }
    }

    /// Returns the rejected candidate for a value with an entity that expands too far: the whole value if it is one
    /// reference, otherwise the entity.
    fn unexpanded(
        &self,
        source: &Source<'_>,
        value: &UrlValue,
        decoded: &MappedText<'_>,
        refused: Unexpanded,
    ) -> Rejected<'static> {
        let is_one =
            matches!(value.grammar, Grammar::Url | Grammar::NonEmptyUrl | Grammar::AbsoluteOnly);
        let inside = if is_one { value.range.clone() } else { decoded.range(refused.range) };
        let reason = match refused.why {
            EntityError::Loop => Reason::EntityLoop,
            EntityError::Limit => Reason::EntityLimit,
        };
        let raw = source.raw(self.charset, inside.clone());
        let (stored, context) = (source.stored(inside), value.context.clone());
        self.finder.refuse_value(raw, stored, context, self.charset, reason)
    }

    pub(super) fn value<'s>(
        &mut self,
        source: &Source<'s>,
        value: UrlValue,
        emit: &mut Emit<'_, 's>,
    ) -> ControlFlow<()> {
        let bytes = source.chunk.get(value.range.clone()).unwrap_or_default();
        if holds_none(bytes, value.grammar) {
            return ControlFlow::Continue(());
        }
        if !source.is_inside()
            && self.texts.labels.is_empty()
            && is_as_written(bytes, value.grammar)
            && let Some(text) = ascii(bytes)
        {
            let UrlValue { range, context, grammar, rules } = value;
            let notation = self.nesting.notation.around(grammar.notation(rules));
            let at = range.clone();
            let range = source.stored(range);
            let reference = Reference { text: text.into(), raw: None, range, context, notation };
            let value = LinkedValue { grammar, range: at, label: None };
            return self.reference(source, reference, value, emit);
        }
        let decoded = source.decoded(self.charset, value.range.clone());
        if self.running.is_open && matches!(value.grammar, Grammar::Running | Grammar::Base64Text) {
            return self.text_inside(source, value, emit);
        }
        let declared = match self.declared(source, &decoded.text, value.grammar, value.rules) {
            Ok(declared) => declared,
            Err(refused) => {
                let refused = self.unexpanded(source, &value, &decoded, refused);
                if value.grammar != Grammar::Running {
                    return self.give(Err(refused), emit);
                }
                // The rest of the text is scanned unresolved.
                self.order.hold(Err(refused));
                None
            }
        };
        let (at, kind) = (value.range.clone(), value.context.kind());
        let has_text =
            !self.texts.labels.is_empty() || kind.is_markdown() && self.wants_details(kind);
        let UrlValue { context, grammar, mut rules, .. } = value;
        let notation = grammar.notation(rules).unless(declared.is_some());
        match grammar {
            _ if grammar.is_document() => {
                let text = match declared {
                    Some((text, map)) => (Cow::Owned(text), Some(map)).into(),
                    None if grammar == Grammar::Base64Html => base64_resolved(&decoded.text),
                    None => resolved_in(&decoded.text, grammar, rules),
                };
                let inside = Inside { notation, ..self.inside(&decoded, &context, grammar) };
                return self.document_inside(source, &text.through(&decoded), inside, emit);
            }
            Grammar::Base64Text => {
                let text = base64_resolved(&decoded.text);
                return self.held(source, &text.through(&decoded), notation, emit);
            }
            Grammar::Property => {
                let text = resolved(&decoded.text, rules).through(&decoded);
                self.running.notation = notation;
                return self.property(source, &text, &context, emit);
            }
            Grammar::Running => {
                let text = match declared {
                    Some((text, map)) => MappedText::from((Cow::Owned(text), Some(map))),
                    None => resolved(&decoded.text, rules),
                };
                return self.held(source, &text.through(&decoded), notation, emit);
            }
            _ => {}
        }
        let text = match declared {
            Some((text, map)) => {
                rules = Rules::None;
                (Cow::Owned(text), Some(map)).into()
            }
            None => MappedText::copy(Cow::Borrowed(&*decoded.text), 0),
        };
        let mut flow = ControlFlow::Continue(());
        // A style sheet may have more references than can be kept.
        each_reference(&text.text, grammar, rules, |one| {
            if flow.is_break() {
                return;
            }
            let inside = decoded.range(text.range(one.range.clone()));
            let label = one.shown.clone();
            let reference = self.reference_of(source, one, inside, &context, notation);
            flow = match has_text {
                true => self.labelled_reference(source, reference, emit),
                false => {
                    let value = LinkedValue { grammar, range: at.clone(), label };
                    self.reference(source, reference, value, emit)
                }
            };
        });
        flow
    }

    /// Makes the reference that a value has in this range.
    fn reference_of<'s>(
        &self,
        source: &Source<'s>,
        one: ValueReference<'_>,
        inside: Range<usize>,
        context: &StoredContext,
        notation: Notation,
    ) -> Reference<'s> {
        let raw = source.raw(self.charset, inside.clone());
        let context = match one.is_loaded {
            true => context.with_kind(ContextKind::Loaded),
            false => context.clone(),
        };
        Reference {
            raw: (raw != one.text).then_some(Cow::Owned(raw)),
            text: Cow::Owned(one.text.into_owned()),
            range: source.stored(inside),
            context,
            notation: self.nesting.notation.around(notation),
        }
    }

    /// Scans the text of a value.
    fn held<'s>(
        &mut self,
        source: &Source<'s>,
        text: &MappedText<'_>,
        notation: Notation,
        emit: &mut Emit<'_, 's>,
    ) -> ControlFlow<()> {
        self.running.notation = notation;
        self.running.hold(text);
        self.scan_window(source, true, false, emit)
    }

    /// Reports the links of a property's value in its context.
    fn property<'s>(
        &mut self,
        source: &Source<'s>,
        text: &MappedText<'_>,
        context: &StoredContext,
        emit: &mut Emit<'_, 's>,
    ) -> ControlFlow<()> {
        if !self.settings.text {
            return ControlFlow::Continue(());
        }
        self.running.hold(text);
        self.scan_window(source, true, false, &mut |mut judged| {
            body_of(&mut judged).context = context.clone();
            emit(judged)
        })
    }

    /// Scans a value that is text, inside a text that continues after it.
    fn text_inside<'s>(
        &mut self,
        source: &Source<'s>,
        value: UrlValue,
        emit: &mut Emit<'_, 's>,
    ) -> ControlFlow<()> {
        if self.running.is_stored() {
            self.resume_in_window(source, emit)?;
        }
        // The links that wait for the open text are not passed through the one inside.
        let outer = (std::mem::take(&mut self.running.window), std::mem::take(&mut self.order));
        let of_window = self.running.notation;
        self.running.is_open = false;
        let mut found = Vec::new();
        let mut keep = |judged: Judged<'_>| {
            found.push(owned(judged));
            ControlFlow::Continue(())
        };
        let mut flow = self.value(source, value, &mut keep);
        if flow.is_continue() {
            flow = self.order.give(usize::MAX, &mut keep);
        }
        (self.running.window, self.order) = outer;
        (self.running.is_open, self.running.notation) = (true, of_window);
        found.into_iter().try_for_each(|judged| self.give(judged, emit))?;
        flow
    }

    /// Judges a reference against the current base.
    fn judged<'s>(&mut self, reference: Reference<'s>) -> Judged<'s> {
        let mut judged = self.finder.judge_value(reference, self.bases.current(), self.charset);
        self.repeated.bound(&mut judged);
        if self.repeated.is_reached() {
            self.notices.add(Notice::Repeated);
        }
        judged
    }

    /// Judges a reference of Markdown whose text precedes it, and reports the result.
    fn labelled_reference<'s>(
        &mut self,
        source: &Source<'s>,
        reference: Reference<'s>,
        emit: &mut Emit<'_, 's>,
    ) -> ControlFlow<()> {
        let judged = self.judged(reference);
        let judged = self.compared_in_markdown(source, judged);
        self.give(judged, emit)
    }

    /// Judges a reference of the value at this range, with the text that the value has for it, and reports the result.
    fn reference<'s>(
        &mut self,
        source: &Source<'s>,
        reference: Reference<'s>,
        value: LinkedValue,
        emit: &mut Emit<'_, 's>,
    ) -> ControlFlow<()> {
        let LinkedValue { grammar, range: value, label } = value;
        let context = reference.context.kind();
        let leads = matches!(grammar, Grammar::Url | Grammar::OutOfPackage)
            && context == ContextKind::Anchor;
        let judged = self.judged(reference);
        if leads {
            self.end_text(source, emit)?;
            match &judged {
                Ok(link) => self.running.target.set(&link.uri()),
                Err(rejected) if is_unselected(rejected.reason()) => {
                    self.running.target.set(&rejected.iri());
                }
                Err(_) => self.running.target.clear(),
            }
        }
        let is_compared = leads || leads_from(context).is_some();
        // The text behind a formula is read once for all of its links.
        let is_shared = grammar == Grammar::Formula;
        let may_be_mismatch = match &judged {
            Ok(link) => {
                label.is_some()
                    || self.wants_details(context)
                    || is_compared
                        && (is_shared
                            || self.may_be_mismatch(source, value.end, context, &link.into()))
            }
            Err(_) => false,
        };
        // What is behind a link of the same value that waits comes after it.
        let judged = match may_be_mismatch || !self.texts.waiting.is_empty() {
            true => match self.compared(source, value, label, judged) {
                Some(judged) => judged,
                None => return ControlFlow::Continue(()),
            },
            false => judged,
        };
        self.give(judged, emit)
    }

    /// Position of a value that is a document, and the number of documents that it is in.
    fn inside(&self, value: &MappedText<'_>, context: &StoredContext, grammar: Grammar) -> Inside {
        let is_fragment = matches!(grammar, Grammar::Fragment | Grammar::FragmentInPieces);
        Inside {
            start: value.range(0..0).start,
            is_conditional: context.kind() == ContextKind::Conditional,
            depth: if is_fragment { limits::INSIDE } else { self.nesting.depth + 1 },
            is_markdown: grammar == Grammar::MarkdownDocument,
            notation: Notation::UNWRITABLE,
        }
    }

    /// Scans a value that is a document: `srcdoc`, HTML in a feed, a comment that Outlook reads, a fragment of HTML.
    fn document_inside<'s>(
        &mut self,
        source: &Source<'s>,
        text: &MappedText<'_>,
        inside: Inside,
        emit: &mut Emit<'_, 's>,
    ) -> ControlFlow<()> {
        let Inside { start, is_conditional, depth, is_markdown, notation } = inside;
        if self.nesting.depth >= limits::INSIDE
            || is_markdown && !Markdown::fits(text.text.as_bytes())
        {
            self.notices.add(Notice::ReadAsText);
            self.end_text(source, emit)?;
            self.running.hold(text);
            return self.scan_window(source, true, false, emit);
        }
        let start = source.stored(start..start).start;
        let inner = Source::inside(text, source);
        let limits = ValueLimits { texts: self.settings.details, ..Page::limits(&self.finder) };
        let tokens = match is_markdown {
            true => Tokens::markdown(limits),
            false => Tokens::html(limits, None),
        };
        let base = self.bases.current().cloned();
        let mut settings = self.settings;
        settings.is_base_declared |= self.bases.has_declared();
        let mut page = Page::new(&self.finder, self.charset, tokens, base, settings);
        page.repeated = self.repeated;
        page.nesting = Nesting { depth, notation: self.nesting.notation.around(notation) };
        if !self.running.is_open {
            self.order.give(start, emit)?;
            let flow = page.scan(&inner, &mut |mut judged| match is_markdown
                && is_attached(&mut judged)
            {
                true => ControlFlow::Continue(()),
                false => emit(from_inside(is_conditional, judged)),
            });
            self.notices.add_all(page.notices());
            self.repeated = page.repeated;
            return flow;
        }
        let mut found = Vec::new();
        let flow = page.scan(&inner, &mut |mut judged| {
            if !is_markdown || !is_attached(&mut judged) {
                found.push(from_inside(is_conditional, judged));
            }
            ControlFlow::Continue(())
        });
        self.notices.add_all(page.notices());
        self.repeated = page.repeated;
        found.into_iter().try_for_each(|judged| self.give(judged, emit))?;
        flow
    }
}
