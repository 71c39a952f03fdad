//! Bases of a page, against which its references are resolved: the caller's, the page's own, those of its elements.

use std::ops::ControlFlow;

use super::head::OpenHead;
use super::{Emit, Page, Source, Tokens, WAIT, owned};
use crate::document::finder::Base;
use crate::input::chunk::Chunk;
use crate::iri::ErrorKind;
use crate::limits;
use crate::link::{Warning, body_of};
use crate::markup::{BaseScope, Rules, Token, Tokenizer, TokenizerStep, UrlValue, each_reference};
use crate::notice::Notice;

/// Bases of a page.
#[derive(Clone)]
pub(super) struct PageBases {
    /// That of the caller, which counts where the page has none.
    given: Option<Base>,
    /// The page's own base; whether it was searched for ahead, and whether one was found, even one that nothing can be
    /// resolved against.
    own: Option<Base>,
    pub(super) is_known: bool,
    has_own: bool,
    /// State of a stream that has paused in the head, where a base may still follow.
    pub(super) head: Option<Box<OpenHead>>,
    /// Bases that the open elements declare.
    inner: Vec<Option<Base>>,
}

impl PageBases {
    pub(super) fn new(given: Option<Base>) -> PageBases {
        PageBases {
            given,
            own: None,
            is_known: false,
            has_own: false,
            head: None,
            inner: Vec::new(),
        }
    }

    /// Returns the base of relative references here.
    #[inline]
    pub(super) fn current(&self) -> Option<&Base> {
        let innermost = self.inner.last().and_then(Option::as_ref);
        innermost.or(self.own.as_ref()).or(self.given.as_ref())
    }

    /// Returns `true` if the page declares the base that counts here.
    pub(super) fn has_declared(&self) -> bool {
        self.has_inner() || self.own.is_some()
    }

    /// Returns the authority of the caller's base.
    pub(super) fn given_authority(&self) -> Option<&str> {
        authority_of(self.given.as_ref()?.as_str())
    }

    /// Returns `true` if an element declares a base here.
    pub(super) fn has_inner(&self) -> bool {
        matches!(self.inner.last(), Some(Some(_)))
    }

    /// Begins an element with this base.
    pub(super) fn open(&mut self, base: Option<Base>) {
        self.inner.push(base);
    }

    /// Ends the innermost element with a base.
    pub(super) fn close(&mut self) {
        self.inner.pop();
    }

    /// Takes the bases of the elements, which are not those of the page's own base.
    pub(super) fn take_inner(&mut self) -> Vec<Option<Base>> {
        std::mem::take(&mut self.inner)
    }

    pub(super) fn set_inner(&mut self, inner: Vec<Option<Base>>) {
        self.inner = inner;
    }

    /// Returns `true` if [`point`](Self::point) is all that is known of the bases, and is short.
    pub(super) fn has_point(&self) -> bool {
        let known = self.inner.iter().chain([&self.own]).flatten();
        let len: usize = known.map(|base| base.as_str().len()).sum();
        self.is_known && self.head.is_none() && len <= limits::TOLD_WITH_EACH
    }

    /// Returns the page's own base, whether it has one, and those of the open elements.
    pub(super) fn point(&self) -> (Option<String>, bool, Vec<Option<String>>) {
        let text = |base: &Option<Base>| base.as_ref().map(|base| base.as_str().to_owned());
        (text(&self.own), self.has_own, self.inner.iter().map(text).collect())
    }

    /// Continues with the bases of a point.
    pub(super) fn resume(
        &mut self,
        (own, has_own): (Option<&str>, bool),
        inner: &[Option<String>],
    ) {
        let base = |text: Option<&str>| text.and_then(Base::new);
        (self.head, self.is_known, self.has_own) = (None, true, has_own);
        self.own = base(own);
        self.inner = inner.iter().map(|inner| base(inner.as_deref())).collect();
    }
}

/// Returns the authority of a URI.
pub(super) fn authority_of(uri: &str) -> Option<&str> {
    uri.split_once("://")?.1.split(['/', '?', '#']).next()
}

/// Returns `true` for a base that is ignored (HTML, "set the frozen base URL").
fn is_free(base: &Base) -> bool {
    ["data:", "javascript:"].iter().any(|scheme| {
        let front = base.as_str().get(..scheme.len());
        front.is_some_and(|front| front.eq_ignore_ascii_case(scheme))
    })
}

impl<'f> Page<'f> {
    /// Searches for a `<base href>`, which counts for the references before it too.
    pub(crate) fn find_base(&mut self, source: &Source<'_>) {
        self.bases.is_known = true;
        let looked_at = match source.chunk.is_last() {
            true => source.chunk,
            // This does not depend on how much of it is available.
            false => source.chunk.up_to(WAIT),
        };
        if !self.tokens.may_have_base(looked_at.bytes()) {
            return;
        }
        self.find_base_by(self.tokens.clone(), looked_at, source);
    }

    /// Searches for one in these bytes, by a tokenizer at the beginning of the page.
    pub(super) fn find_base_by(
        &mut self,
        mut tokens: Tokens,
        looked_at: Chunk<'_>,
        source: &Source<'_>,
    ) {
        while let TokenizerStep::Token(run) = tokens.next(looked_at) {
            if let Token::Base { value, scope: BaseScope::Document } = run {
                return self.set_own_base(source, &value);
            }
        }
    }

    /// Sets the page's own base to the first value that is one.
    pub(super) fn set_own_base(&mut self, source: &Source<'_>, value: &UrlValue) {
        self.bases.has_own = true;
        let own = self.base_of(source, value);
        if own.as_ref().is_some_and(is_free) {
            self.notices.add(Notice::BaseUnusable);
        }
        self.bases.own = own.filter(|base| !is_free(base));
    }

    /// Returns the base that a value forms with the base around it; a value that cannot be one is noted.
    pub(super) fn base_of(&mut self, source: &Source<'_>, value: &UrlValue) -> Option<Base> {
        let decoded = source.decoded(self.charset, value.range.clone());
        let resolved = self.declared(source, &decoded.text, value.grammar, value.rules);
        let (text, rules) = match resolved.as_ref().ok()? {
            Some((text, _)) => (&**text, Rules::None),
            None => (&*decoded.text, value.rules),
        };
        let mut reference = None;
        each_reference(text, value.grammar, rules, |found| {
            reference.get_or_insert(found.text.into_owned());
        });
        match Base::inner(self.bases.current(), &reference?) {
            Ok(base) => {
                self.note_base(&base);
                Some(base)
            }
            Err(error) => {
                // A relative one stays relative, like all relative references.
                if error.kind() != ErrorKind::NoScheme {
                    self.notices.add(Notice::BaseUnusable);
                }
                None
            }
        }
    }

    /// Notes a base against which nothing can be resolved.
    fn note_base(&mut self, base: &Base) {
        if base.is_too_long() {
            self.notices.add(Notice::BaseTooLong);
        }
    }

    pub(super) fn base_link<'s>(
        &mut self,
        source: &Source<'s>,
        value: UrlValue,
        scope: BaseScope,
        emit: &mut Emit<'_, 's>,
    ) -> ControlFlow<()> {
        if scope == BaseScope::Document {
            // The tag ends a text. Links of a text that is still open would wait, and miss their warning.
            self.end_text(source, emit)?;
        }
        if !self.running.is_open {
            self.order.give(source.stored(value.range.clone()).start, emit)?;
        }
        // Only the first of several can be the base.
        let is_late =
            scope == BaseScope::Document && !std::mem::replace(&mut self.bases.has_own, true);
        let own = self.bases.own.take();
        let inner = match scope {
            BaseScope::Element => self.bases.inner.pop(),
            BaseScope::Document => None,
        };
        if scope == BaseScope::Element {
            self.bases.own = own.clone();
        }
        let mut found = None;
        let flow = self.value(source, value, &mut |judged| {
            found = Some(owned(judged));
            ControlFlow::Continue(())
        });
        // Other references of its tag may precede it.
        if let Some(mut judged) = found {
            if is_late {
                body_of(&mut judged).warnings.insert(Warning::LateBase);
            }
            self.order.hold(judged);
        }
        self.bases.own = own;
        self.bases.inner.extend(inner);
        flow
    }
}
