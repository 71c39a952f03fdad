//! Heads: a page whose stream has paused reports the links that are decided, and its references wait for a `<base>` until the head
//! ends.
//!
//! A second tokenizer, the scout, searches for the base. Links that depend on the base are held, and all links after them.
//!
//! Links that are found out of order are reported in the order in which they are written:
//!
//! a value may be inside a link of running text (in a `<wbr>`), and a base is reported before the references of its own
//! tag. A link that is found too early waits here, within a limit.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use super::{Emit, Page, Source, Tokens, WAIT};
use crate::document::step::Stepped;
use crate::iri::repair::browser::depends_on_base;
use crate::link::{Judged, kept_size, owned, start_of};
use crate::markup::{
    Content, Grammar, HeadLook, HeadScout, Rules, Token, Tokenizer, TokenizerStep, each_reference,
};

/// A page in whose head a base may follow.
#[derive(Clone)]
pub(super) struct OpenHead {
    scout: HeadScout,
    /// The tokenizer at the beginning of the page.
    begin: Tokens,
    /// Token that depends on the base.
    held: Option<Token>,
}

impl<'f> Page<'f> {
    /// Notes that the stream has paused: decided links are reported before the end of the page, and a base counts only in the head.
    pub(crate) fn set_paused(&mut self) {
        self.bases.is_known = true;
        if let Some(scout) = self.tokens.head_scout() {
            self.bases.is_known = false;
            let begin = self.tokens.clone();
            self.bases.head = Some(Box::new(OpenHead { scout, begin, held: None }));
        }
    }

    /// Advances by one step while the head is open; the first step after its end ends the waiting.
    #[cold]
    pub(super) fn step_in_head<'s>(
        &mut self,
        source: &Source<'s>,
        emit: &mut Emit<'_, 's>,
    ) -> ControlFlow<(), Stepped<'s>> {
        let Some(mut head) = self.bases.head.take() else {
            return ControlFlow::Continue(Stepped::More);
        };
        if self.is_head_over(&mut head, source) {
            self.bases.is_known = true;
            if let Some(token) = head.held {
                self.run(source, token, emit)?;
            }
            return ControlFlow::Continue(Stepped::More);
        }
        if !self.texts.waiting.is_empty() && !self.settle(source, emit)? {
            self.bases.head = Some(head);
            return ControlFlow::Continue(Stepped::NeedInput);
        }
        if head.held.is_none()
            && let TokenizerStep::Token(token) = self.tokens.next(source.chunk)
        {
            match self.depends_on_base(source, &token) {
                true => head.held = Some(token),
                false => {
                    self.bases.head = Some(head);
                    self.run(source, token, emit)?;
                    return ControlFlow::Continue(Stepped::More);
                }
            }
        }
        self.bases.head = Some(head);
        self.pause(source, false, emit)?;
        ControlFlow::Continue(Stepped::NeedInput)
    }

    /// Returns `true` if the base is known, or certainly absent.
    fn is_head_over(&mut self, head: &mut OpenHead, source: &Source<'_>) -> bool {
        let looked_at = source.chunk.up_to(source.chunk.end().min(WAIT));
        // Its own base is that outside of all elements.
        let inner = self.bases.take_inner();
        let is_over = match head.scout.look(looked_at) {
            HeadLook::Base(value) => {
                self.set_own_base(source, &value);
                true
            }
            HeadLook::Over => true,
            HeadLook::Open if source.chunk.is_last() || looked_at.end() == WAIT => {
                self.find_base_by(head.begin.clone(), source.chunk.up_to(WAIT), source);
                true
            }
            HeadLook::Open => false,
        };
        self.bases.set_inner(inner);
        is_over
    }

    /// Returns `true` if the links of a token depend on the page's own base.
    fn depends_on_base(&self, source: &Source<'_>, token: &Token) -> bool {
        if self.bases.has_inner() {
            return false;
        }
        match token {
            // Its rest may contain anything.
            Token::Text(text) if text.content == Content::Sheet => {
                text.open || self.has_reference(source, &text.range, Grammar::Style, text.rules)
            }
            Token::Value(value) => match value.grammar {
                Grammar::Running | Grammar::Base64Text | Grammar::Property => false,
                Grammar::Srcdoc
                | Grammar::Fragment
                | Grammar::FragmentInPieces
                | Grammar::Base64Html => true,
                grammar => self.has_reference(source, &value.range, grammar, value.rules),
            },
            Token::Base { value, .. } => {
                self.has_reference(source, &value.range, value.grammar, value.rules)
            }
            Token::Text(_)
            | Token::BaseEnd
            | Token::Long(_)
            | Token::LongEnd(_)
            | Token::Label(_)
            | Token::Notice(_) => false,
        }
    }

    /// Returns `true` if a value contains a reference that depends on its base.
    fn has_reference(
        &self,
        source: &Source<'_>,
        range: &std::ops::Range<usize>,
        grammar: Grammar,
        rules: Rules,
    ) -> bool {
        let decoded = source.decoded(self.charset, range.clone());
        let mut depends = false;
        each_reference(&decoded.text, grammar, rules, |found| {
            depends |= depends_on_base(&found.text);
        });
        depends
    }
}

/// Maximum number of bytes that the links need which wait.
const MOST: usize = 1 << 20;

/// Links that wait, by their starts.
#[derive(Clone, Default)]
pub(super) struct Order {
    waiting: VecDeque<Judged<'static>>,
    size: usize,
}

impl Order {
    /// Returns the start of the first link that waits.
    pub(super) fn first(&self) -> Option<usize> {
        self.waiting.front().map(start_of)
    }

    /// Adds a link; returns `true` if too many wait now.
    pub(super) fn hold(&mut self, judged: Judged<'_>) -> bool {
        let judged = owned(judged);
        self.size += kept_size(&judged);
        let start = start_of(&judged);
        let at = self.waiting.partition_point(|other| start_of(other) <= start);
        self.waiting.insert(at, judged);
        self.size > MOST
    }

    /// Reports those that begin before `limit`.
    pub(super) fn give<'s>(&mut self, limit: usize, emit: &mut Emit<'_, 's>) -> ControlFlow<()> {
        while self.first().is_some_and(|start| start < limit)
            && let Some(judged) = self.waiting.pop_front()
        {
            self.size -= kept_size(&judged);
            emit(judged)?;
        }
        ControlFlow::Continue(())
    }
}
