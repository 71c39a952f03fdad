//! Values: what references a value of a page holds, and what they are resolved against.

use std::borrow::Cow;
use std::ops::{ControlFlow, Range};

use super::source::{self, Source};
use super::{DEEPEST, Emit, Page, Settings, Tokens, owned};
use crate::finder::Reference;
use crate::markup::{Base, Grammar, Resolved, Rules, Scope, Value, each_reference};
use crate::span::Trace;

impl Page<'_> {
    pub(super) fn base_of(&mut self, source: &Source<'_>, value: &Value) -> Option<Base> {
        let decoded = source.decoded(self.charset, value.range.clone());
        let resolved = self.declared(source, &decoded.text, value.grammar, value.rules);
        let (text, rules) = match &resolved {
            Some((text, _)) => (&**text, Rules::None),
            None => (&*decoded.text, value.rules),
        };
        let mut reference = None;
        each_reference(text, value.grammar, rules, |found| {
            reference.get_or_insert(found.text.into_owned());
        });
        let outer = match self.inner.iter().rev().find_map(Option::as_ref) {
            Some(inner) => Some(inner),
            None => self.own.as_ref().or(self.settings.base.as_ref()),
        };
        Base::inner(outer, &reference?)
    }

    /// The text of a value with its references resolved, if its document declares some of its own.
    fn declared(
        &mut self,
        source: &Source<'_>,
        text: &str,
        grammar: Grammar,
        rules: Rules,
    ) -> Option<(String, Trace)> {
        let is_kept = rules == Rules::None || grammar == Grammar::Content;
        let entities =
            self.tokens.entities().filter(|entities| !is_kept && !entities.is_empty())?;
        memchr::memchr(b'&', text.as_bytes())?;
        let charset = source.charset(self.charset);
        let decode = |bytes: &[u8]| source::text_of(charset, bytes).into_owned();
        // What expands too far is not resolved; its text is not given as if it were.
        entities.resolved(text, 0, &decode).ok().flatten()
    }

    pub(super) fn base_link(
        &mut self,
        source: &Source<'_>,
        value: Value,
        scope: Scope,
        emit: &mut Emit<'_>,
    ) -> ControlFlow<()> {
        if !self.is_text_open {
            self.order.give(source.stored(value.range.clone()).start, emit)?;
        }
        let own = self.own.take();
        let inner = match scope {
            Scope::Element => self.inner.pop(),
            Scope::Document => None,
        };
        if scope == Scope::Element {
            self.own = own.clone();
        }
        let mut found = None;
        let flow = self.value(source, value, &mut |judged| {
            found = Some(owned(judged));
            ControlFlow::Continue(())
        });
        // References of its tag may stand before it.
        if let Some(judged) = found {
            self.order.hold(judged);
        }
        self.own = own;
        self.inner.extend(inner);
        flow
    }

    pub(super) fn value(
        &mut self,
        source: &Source<'_>,
        value: Value,
        emit: &mut Emit<'_>,
    ) -> ControlFlow<()> {
        if let Some(text) = self.plain(source, &value) {
            let Value { range, context, grammar, .. } = value;
            let range = source.stored(range);
            let reference = Reference { text: Cow::Borrowed(text), raw: None, range, context };
            return self.reference(source, reference, grammar, emit);
        }
        let Value { range, context, grammar, mut rules } = value;
        let mut decoded = source.decoded(self.charset, range.clone());
        if grammar == Grammar::Running {
            self.end_text(source, emit)?;
        }
        let declared = self.declared(source, &decoded.text, grammar, rules);
        match grammar {
            Grammar::Srcdoc => {
                let written = decoded.text.to_string();
                let resolved = match declared {
                    Some((text, trace)) => Resolved::from((Cow::Owned(text), Some(trace))),
                    None => Resolved::new(&written, rules),
                };
                return self.document_inside(source, &mut decoded, &resolved, emit);
            }
            Grammar::Running => {
                let (text, trace) = declared.map_or_else(
                    || (decoded.text.to_string(), None),
                    |(text, trace)| (text, Some(trace)),
                );
                self.region.add_resolved(text, trace, decoded, source.base);
                return self.scan_region(source, true, false, emit);
            }
            _ => {}
        }
        let (text, trace) = match declared {
            Some((text, trace)) => {
                rules = Rules::None;
                (Cow::Owned(text), Some(trace))
            }
            None => (decoded.text.clone(), None),
        };
        let mut found = Vec::new();
        each_reference(&text, grammar, rules, |one| found.push(one));
        let resolved = Resolved { text: Cow::Borrowed(""), trace };
        for one in found {
            let inside = decoded.source(resolved.range(one.range));
            let raw = source.raw(self.charset, inside.clone());
            let reference = Reference {
                raw: (raw != one.text).then_some(Cow::Owned(raw)),
                text: one.text,
                range: source.stored(inside),
                context: context.clone(),
            };
            self.reference(source, reference, grammar, emit)?;
        }
        ControlFlow::Continue(())
    }

    /// A value that is one reference in ASCII, as it is written, as nearly all are.
    fn plain<'s>(&self, source: &Source<'s>, value: &Value) -> Option<&'s str> {
        if !matches!(value.grammar, Grammar::Url | Grammar::NonEmptyUrl) || source.is_inside() {
            return None;
        }
        let bytes = source.bytes.get(value.range.clone())?;
        // Without a way out of the loop, so that it works on many bytes at once.
        let is_plain =
            bytes.iter().fold(true, |plain, &b| plain & (b > b' ') & (b < 0x7F) & (b != b'&'));
        if !is_plain || bytes.is_empty() {
            return None;
        }
        std::str::from_utf8(bytes).ok()
    }

    /// Judges a reference and gives what it comes to.
    fn reference(
        &mut self,
        source: &Source<'_>,
        reference: Reference<'_>,
        grammar: Grammar,
        emit: &mut Emit<'_>,
    ) -> ControlFlow<()> {
        let is_anchor = grammar == Grammar::Url && reference.context == "a@href";
        let judged = self.finder.judge_value(reference, self.base(), self.charset);
        if is_anchor {
            self.end_text(source, emit)?;
            self.href = judged.as_ref().ok().map(|link| link.uri().into_owned());
        }
        self.give(judged, emit)
    }

    /// `srcdoc`, and HTML that a feed holds: a document in a value.
    fn document_inside(
        &mut self,
        source: &Source<'_>,
        decoded: &mut source::Decoded<'_>,
        resolved: &Resolved<'_>,
        emit: &mut Emit<'_>,
    ) -> ControlFlow<()> {
        if self.depth >= DEEPEST {
            return ControlFlow::Continue(());
        }
        let start = source.stored(decoded.range.clone()).start;
        let text = &resolved.text;
        let cell = std::cell::RefCell::new(decoded);
        let inside = |range: Range<usize>| cell.borrow_mut().source(resolved.range(range));
        let stored = |range: Range<usize>| source.stored(inside(range));
        let raw = |range: Range<usize>| source.raw(self.charset, inside(range));
        let inner = Source::inside(text.as_bytes(), &stored, &raw);
        let settings = Settings { base: self.base().cloned(), ..self.settings.clone() };
        let tokens = Tokens::html(Page::limits(self.finder));
        let mut page = Page::new(self.finder, self.charset, tokens, settings);
        page.depth = self.depth + 1;
        if !self.is_text_open {
            self.order.give(start, emit)?;
            return page.scan(&inner, emit);
        }
        let mut found = Vec::new();
        let flow = page.scan(&inner, &mut |judged| {
            found.push(owned(judged));
            ControlFlow::Continue(())
        });
        found.into_iter().try_for_each(|judged| self.give(judged, emit))?;
        flow
    }
}
