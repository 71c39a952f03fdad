//! Pages: documents in markup, from stored bytes to links.
//!
//! A tokenizer (`markup`) splits a document into tokens. Here its values become references, resolved against the
//! current base, and its text is scanned as running text. Each value and text has a source map, so that every link has
//! its range in the stored bytes.

mod anchor;
mod bases;
mod detail;
mod head;
mod plain;
mod point;
mod properties;
mod repeats;
mod rtf;
mod running;
mod shown;
mod source;
mod stored_text;
mod text;
mod tokens;
mod value;

use std::ops::{ControlFlow, Range};

use anchor::LinkTexts;
pub(crate) use anchor::compared_with;
use bases::PageBases;
use head::Order;
pub(crate) use point::{PagePoint, TokensPoint};
pub(crate) use properties::Properties;
use running::RunningText;
pub(crate) use source::{Source, Transcoded};
pub(crate) use tokens::Tokens;

use crate::charset::Charset;
use crate::context::{ContextKind, KnownContext, StoredContext};
use crate::document::finder::{Base, Finder, FinderHandle};
use crate::document::step::{Emit, Stepped};
use crate::input::chunk::Chunk;
use crate::limits;
use crate::link::{Judged, Reason, Repeated, owned, start_of};
use crate::markup::{
    BaseScope, Content, Grammar, Lazy, Rules, TextToken, Token, Tokenizer, TokenizerStep, UrlValue,
    ValueLimits,
};
use crate::notation::Notation;
use crate::notice::{Notice, Notices};
use crate::scan::References;
use crate::simd::signs::Isa;

/// Maximum length in bytes of a document that is kept as a whole: for a base after references, and where the encoding
/// or the format needs all of it at once.
pub(crate) const WHOLE: usize = limits::WHOLE;
/// Number of bytes of a longer document within which references wait for a base.
const WAIT: usize = 1 << 20;
/// Length in bytes of a style sheet above which it is read in parts, cut after a block.
const LONG_SHEET: usize = WHOLE;
/// Maximum length in bytes of a comment across which a text continues.
const FAR: usize = 1 << 20;

/// Settings of a page.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PageSettings {
    /// Whether the text is scanned.
    pub(crate) text: bool,
    /// Whether links have their visible text and relation.
    pub(crate) details: bool,
    /// Whether the base that is given is declared by the document, or the message, that the page is in, and may be of any site.
    pub(crate) is_base_declared: bool,
}

/// Place of a page that is a value of another one, or a document of its own.
#[derive(Clone, Default)]
struct Nesting {
    /// Number of documents that it is in.
    depth: usize,
    /// How it is written in the document.
    notation: Notation,
}

/// Runs of the source that come in several tokens, and may continue.
#[derive(Clone, Default)]
struct UnendedRuns {
    /// Range so far of a style sheet.
    sheet: Option<(Range<usize>, Rules)>,
    /// Start in the document, and first characters, of a value that is too long to be kept.
    long: Option<(usize, StoredContext, String)>,
}

/// Scan of a page.
#[derive(Clone)]
pub(crate) struct Page<'f> {
    finder: FinderHandle<'f>,
    charset: Charset,
    tokens: Tokens,
    /// Offset of the source from which the tokenizer needed bytes, when it had processed the available ones.
    needed_by_tokens: usize,
    settings: PageSettings,
    bases: PageBases,
    running: RunningText,
    masks: Isa,
    unended: UnendedRuns,
    order: Order,
    texts: LinkTexts,
    nesting: Nesting,
    repeated: Repeated,
    /// Notices on the page.
    notices: Notices,
}

impl<'f> Page<'f> {
    pub(crate) fn new(
        finder: &FinderHandle<'f>,
        charset: Charset,
        tokens: Tokens,
        base: Option<Base>,
        settings: PageSettings,
    ) -> Self {
        let mut notices = Notices::default();
        if base.as_ref().is_some_and(Base::is_too_long) {
            notices.add(Notice::BaseTooLong);
        }
        Page {
            finder: finder.clone(),
            charset,
            tokens,
            needed_by_tokens: 0,
            settings,
            bases: PageBases::new(base),
            running: RunningText::default(),
            masks: Isa::detect(),
            unended: UnendedRuns::default(),
            order: Order::default(),
            texts: LinkTexts::default(),
            nesting: Nesting::default(),
            repeated: Repeated::default(),
            notices,
        }
    }

    /// Returns which character references the scan of a text resolves: in markup all are resolved before, in JSON, also in a
    /// `script`, none.
    fn references(&self, is_json: bool) -> References {
        match is_json || self.tokens.is_data() {
            true => self.finder.scan.references,
            false => References::Never,
        }
    }

    /// Marks the links of the page as written in a way that nothing can be written in.
    pub(crate) fn set_unwritable(&mut self) {
        self.nesting.notation = Notation::UNWRITABLE;
    }

    /// Returns the notices on the page so far.
    pub(crate) fn notices(&self) -> &[Notice] {
        self.notices.as_slice()
    }

    /// Returns the limits for values. A reference that is longer than a link may be is rejected when it is judged; one that
    /// is longer than a base may be, too, is not kept until then.
    pub(crate) fn limits(finder: &Finder) -> ValueLimits {
        let lazy = if finder.lazy { Lazy::Read } else { Lazy::Left };
        let link = finder.scan.max_link.max(limits::TOLD_WITH_EACH);
        ValueLimits { link, lazy, repeats: finder.repeats, ..ValueLimits::default() }
    }

    /// Reads the source as far as it can be decided.
    pub(crate) fn scan<'s>(
        &mut self,
        source: &Source<'s>,
        emit: &mut Emit<'_, 's>,
    ) -> ControlFlow<()> {
        while self.step(source, emit)?.give(emit)? {}
        ControlFlow::Continue(())
    }

    /// Advances by one run of the source, and the texts without a link before it.
    #[inline]
    pub(crate) fn step<'s>(
        &mut self,
        source: &Source<'s>,
        emit: &mut Emit<'_, 's>,
    ) -> ControlFlow<(), Stepped<'s>> {
        if !self.bases.is_known {
            if self.bases.head.is_some() {
                return self.step_in_head(source, emit);
            }
            self.find_base(source);
        }
        if !self.texts.waiting.is_empty() && !self.settle(source, emit)? {
            return ControlFlow::Continue(Stepped::NeedInput);
        }
        let is_last = loop {
            // Tokens and links are large, so they are looked at where they are, and moved as rarely as possible.
            let step = self.tokens.next(source.chunk);
            if let TokenizerStep::Token(Token::Text(text)) = &step
                && self.is_lone(text)
            {
                // Most contain no link, and need no second step.
                if !self.may_hold_link_by_itself(source, text) {
                    continue;
                }
                self.whole_text(source, text.clone(), emit)?;
                return ControlFlow::Continue(Stepped::More);
            }
            if let TokenizerStep::Token(Token::Value(value)) = &step
                && let Some((link, place)) = self.plain_value(source, value)
            {
                let may_be_mismatch = match link.is_selected() {
                    true => self.may_be_plain_mismatch(source, value, &link),
                    false => {
                        self.texts.labels.clear();
                        false
                    }
                };
                if !may_be_mismatch {
                    return ControlFlow::Continue(Stepped::Found(link.judged(place)));
                }
                let compared = self.compared_plainly(source, value, link.judged(place));
                return ControlFlow::Continue(compared.map_or(Stepped::More, Stepped::Found));
            }
            match step {
                TokenizerStep::Token(run) => self.run(source, run, emit)?,
                TokenizerStep::Done => break true,
                TokenizerStep::Incomplete { needed } => {
                    self.needed_by_tokens = needed;
                    break false;
                }
            }
            return ControlFlow::Continue(Stepped::More);
        };
        self.pause(source, is_last, emit)?;
        ControlFlow::Continue(Stepped::NeedInput)
    }

    /// Handles the end of the available bytes, or of the document if they are the last.
    #[inline(never)]
    fn pause<'s>(
        &mut self,
        source: &Source<'s>,
        is_last: bool,
        emit: &mut Emit<'_, 's>,
    ) -> ControlFlow<()> {
        let limit = match is_last {
            true => {
                self.end_sheet(source, emit)?;
                self.end_text(source, emit)?;
                None
            }
            false => {
                let needed = self.needed_by_tokens;
                if self.unended.sheet.as_ref().is_some_and(|(sheet, _)| needed > sheet.end) {
                    self.end_sheet(source, emit)?;
                }
                if self
                    .running
                    .undecided(self.finder.scan.max_link)
                    .is_some_and(|at| needed > at + FAR)
                {
                    self.end_text(source, emit)?;
                }
                self.running
                    .undecided(self.finder.scan.max_link)
                    .map(|at| source.stored(at..at).start)
            }
        };
        match self.tokens.is_value_waiting() && !is_last {
            true => ControlFlow::Continue(()),
            false => self.order.give(limit.unwrap_or(usize::MAX), emit),
        }
    }

    /// Returns the offset of the source from which its bytes are needed.
    pub(crate) fn needed(&mut self) -> usize {
        if !self.texts.waiting.is_empty() || self.bases.head.is_some() {
            // The tokenizer may have more tokens in these bytes.
            return 0;
        }
        let sheet = self.unended.sheet.as_ref().map(|(sheet, _)| sheet.start);
        let others = [sheet, self.order.first(), self.running.undecided(self.finder.scan.max_link)];
        let first = others.into_iter().flatten().min();
        self.needed_by_tokens.min(first.unwrap_or(usize::MAX))
    }

    /// Prepares for the loss of the bytes before an offset.
    pub(crate) fn release(&mut self, chunk: Chunk<'_>, offset: usize) {
        self.running.release(chunk, offset);
    }

    /// Returns the start of a value or a link that is too long to be kept.
    pub(crate) fn long_starts(&self) -> [Option<usize>; 2] {
        [self.unended.long.as_ref().map(|(start, ..)| *start), self.running.long_start()]
    }

    /// Reports a link of a value when everything before it is decided.
    fn give<'s>(&mut self, judged: Judged<'s>, emit: &mut Emit<'_, 's>) -> ControlFlow<()> {
        if self.running.is_open || self.tokens.is_value_waiting() {
            return match self.order.hold(judged) {
                true => self.order.give(usize::MAX, emit),
                false => ControlFlow::Continue(()),
            };
        }
        self.order.give(start_of(&judged), emit)?;
        emit(judged)
    }

    #[inline(never)]
    fn run<'s>(
        &mut self,
        source: &Source<'s>,
        run: Token,
        emit: &mut Emit<'_, 's>,
    ) -> ControlFlow<()> {
        if let Some((sheet, _)) = &self.unended.sheet
            && !matches!(&run, Token::Text(text) if is_rest(sheet, text))
        {
            self.end_sheet(source, emit)?;
        }
        match run {
            Token::Value(value) => {
                let flow = self.value(source, value, emit);
                self.texts.labels.clear();
                flow
            }
            Token::Text(text) => self.text(source, text, emit),
            Token::Base { value, scope } => {
                if scope == BaseScope::Element {
                    // An invalid base is ignored.
                    let base =
                        self.base_of(source, &value).or_else(|| self.bases.current().cloned());
                    self.bases.open(base);
                }
                // The base itself is a link of the page, resolved against the base outside of its element.
                self.base_link(source, value, scope, emit)
            }
            Token::BaseEnd => {
                self.bases.close();
                ControlFlow::Continue(())
            }
            Token::Label(label) => {
                self.texts.labels.push(label);
                ControlFlow::Continue(())
            }
            Token::Notice(notice) => {
                self.notices.add(notice);
                ControlFlow::Continue(())
            }
            Token::Long(value) => {
                self.texts.labels.clear();
                if value.grammar.is_of_many() {
                    self.notices.add(Notice::ValueTooLong);
                }
                if value.context.kind() == ContextKind::Base {
                    self.notices.add(Notice::BaseTooLong);
                }
                let start = source.stored(value.range.start..value.range.start).start;
                // The length does not depend on the blocks.
                let most = value.range.start + self.finder.scan.max_link;
                let range = value.range.start..value.range.end.min(most);
                let mut head = source.raw(self.charset, range);
                head.truncate(head.trim_end_matches('\u{FFFD}').len());
                self.unended.long = Some((start, value.context, head));
                ControlFlow::Continue(())
            }
            Token::LongEnd(end) => match self.unended.long.take() {
                None => ControlFlow::Continue(()),
                Some((start, context, head)) => {
                    let range = start..source.stored(end..end).end.max(start);
                    let charset = self.charset;
                    let reason = Reason::TooLong;
                    let refused = self.finder.refuse_value(head, range, context, charset, reason);
                    self.give(Err(refused), emit)
                }
            },
        }
    }

    /// Adds a piece of a style sheet.
    fn sheet<'s>(
        &mut self,
        source: &Source<'s>,
        text: &TextToken,
        emit: &mut Emit<'_, 's>,
    ) -> ControlFlow<()> {
        let (sheet, _) = self.unended.sheet.get_or_insert_with(|| (text.range.clone(), text.rules));
        sheet.end = text.range.end;
        let sheet = sheet.clone();
        if !text.open {
            return self.end_sheet(source, emit);
        }
        if sheet.len() < LONG_SHEET {
            return ControlFlow::Continue(());
        }
        let bytes = &source.chunk[sheet.clone()];
        let rules_end = memchr::memrchr(b'}', bytes).map_or(sheet.end, |at| sheet.start + at + 1);
        self.unended.sheet = Some((sheet.start..rules_end, text.rules));
        let flow = self.end_sheet(source, emit);
        self.unended.sheet = Some((rules_end..sheet.end, text.rules));
        flow
    }

    /// Ends the style sheet that was open.
    fn end_sheet<'s>(&mut self, source: &Source<'s>, emit: &mut Emit<'_, 's>) -> ControlFlow<()> {
        let Some((sheet, rules)) = self.unended.sheet.take() else {
            return ControlFlow::Continue(());
        };
        let value = UrlValue {
            range: sheet,
            context: KnownContext::STYLE.into(),
            grammar: Grammar::Style,
            rules,
        };
        self.value(source, value, emit)
    }
}

/// Returns `true` if a piece of text continues a style sheet. After a comment or the beginning of a CDATA section another
/// one begins, wherever blocks end.
fn is_rest(sheet: &Range<usize>, text: &TextToken) -> bool {
    text.joined && text.content == Content::Sheet && text.range.start == sheet.end
}
