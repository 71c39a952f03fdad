//! Pages: documents in markup, from stored bytes to links.
//!
//! A tokenizer (`markup`) splits a document into tokens. Here its values become references, resolved against the
//! current base, and its text is scanned as running text. Each value and text has a source map, so that every link has
//! its range in the stored bytes.

mod anchor;
mod detail;
mod head;
mod plain;
mod point;
mod properties;
mod rtf;
mod shown;
mod source;
mod stored_text;
mod text;
mod tokens;
mod value;

use std::ops::{ControlFlow, Range};

use anchor::Waiting;
pub(crate) use anchor::compared_with;
use head::{OpenHead, Order};
pub(crate) use point::PagePoint;
pub(crate) use properties::Properties;
pub(crate) use source::{Source, Transcoded};
use stored_text::StoredText;
pub(crate) use tokens::Tokens;

use crate::charset::Charset;
use crate::context::{Context, ContextKind, KnownContext};
use crate::document::finder::{Base, Finder};
use crate::document::step::{Emit, Stepped};
use crate::document::window::TextWindow;
use crate::input::chunk::Chunk;
use crate::limits;
use crate::link::{Judged, Reason, Rejected, Repeated, owned, start_of};
use crate::markup::{
    BaseScope, Grammar, Lazy, LinkLabel, Rules, TextToken, Token, Tokenizer, TokenizerStep,
    UrlValue, ValueLimits,
};
use crate::notation::Notation;
use crate::notice::{Notice, Notices};
use crate::scan::References;
use crate::scan::prefilter::TextPrefilter;
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
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// Base of relative references, unless the page has its own.
    pub(crate) base: Option<Base>,
    /// Whether the text is scanned.
    pub(crate) text: bool,
    /// Whether links have their visible text and relation.
    pub(crate) details: bool,
}

/// Scan of a page.
#[derive(Clone)]
pub(crate) struct Page<'f> {
    finder: &'f Finder,
    charset: Charset,
    tokens: Tokens,
    /// Offset of the source from which the tokenizer needed bytes, when it had processed the available ones.
    needed_by_tokens: usize,
    settings: Settings,
    /// The page's own base; whether it was searched for ahead, and whether one was found, even one that nothing can be
    /// resolved against.
    own: Option<Base>,
    is_own_known: bool,
    has_own: bool,
    /// State of a stream that has paused in the head, where a base may still follow.
    head: Option<Box<OpenHead>>,
    /// Bases that the open elements declare.
    inner: Vec<Option<Base>>,
    window: TextWindow,
    /// Scan of texts in a legacy charset that need not be decoded as a whole.
    stored_text: Option<Box<StoredText>>,
    masks: Isa,
    /// Searches for triggers in the texts of the source.
    prefilter: Option<TextPrefilter>,
    /// The URI of the link whose text is being processed; empty outside links.
    href: String,
    /// Why the last plain value is not a link: its scheme is not one of the list.
    unselected: Option<Reason>,
    /// Range so far of a style sheet that may continue.
    sheet: Option<(Range<usize>, Rules)>,
    /// Start in the document, and first characters, of a value that is too long to be kept.
    long: Option<(usize, Context, String)>,
    /// Set while the text in the window continues: whether it is in a link.
    is_text_open: bool,
    is_text_in_link: bool,
    order: Order,
    /// Texts of links whose destination is the next value, in the source.
    labels: Vec<LinkLabel>,
    /// Link whose text is not available yet; until it is, nothing else is read.
    waiting: Option<Box<Waiting>>,
    depth: usize,
    /// How the page is written in the document, and the text in the window in the page.
    around: Notation,
    of_window: Notation,
    repeated: Repeated,
    /// Notices on the page.
    notices: Notices,
}

impl<'f> Page<'f> {
    pub(crate) fn new(
        finder: &'f Finder,
        charset: Charset,
        tokens: Tokens,
        settings: Settings,
    ) -> Self {
        let mut notices = Notices::default();
        if settings.base.as_ref().is_some_and(Base::is_too_long) {
            notices.add(Notice::BaseTooLong);
        }
        Page {
            finder,
            charset,
            tokens,
            needed_by_tokens: 0,
            settings,
            own: None,
            is_own_known: false,
            has_own: false,
            head: None,
            inner: Vec::new(),
            window: TextWindow::default(),
            stored_text: None,
            masks: Isa::detect(),
            prefilter: None,
            href: String::new(),
            unselected: None,
            sheet: None,
            long: None,
            is_text_open: false,
            is_text_in_link: false,
            order: Order::default(),
            labels: Vec::new(),
            waiting: None,
            depth: 0,
            around: Notation::default(),
            of_window: Notation::default(),
            repeated: Repeated::default(),
            notices,
        }
    }

    /// Returns which character references the scan of a text resolves: in markup all are resolved before.
    fn references(&self) -> References {
        match self.tokens.is_data() {
            true => self.finder.scan.references,
            false => References::Never,
        }
    }

    /// Marks the links of the page as written in a way that nothing can be written in.
    pub(crate) fn set_unwritable(&mut self) {
        self.around = Notation::UNWRITABLE;
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
        if !self.is_own_known {
            if self.head.is_some() {
                return self.step_in_head(source, emit);
            }
            self.find_base(source);
        }
        if self.waiting.is_some() && !self.settle(source, emit)? {
            return ControlFlow::Continue(Stepped::NeedInput);
        }
        let is_last = loop {
            match self.tokens.next(source.chunk) {
                TokenizerStep::Token(Token::Value(value)) => {
                    if let Some(link) = self.plain_value(source, &value) {
                        if let Some(reason) = self.unselected {
                            self.labels.clear();
                            let rejected = Rejected::new(link.body, reason);
                            return ControlFlow::Continue(Stepped::Found(Err(rejected)));
                        }
                        // A link is large, so it is moved as rarely as possible.
                        if !self.may_be_plain_mismatch(source, &value, &link) {
                            return ControlFlow::Continue(Stepped::Found(Ok(link)));
                        }
                        let compared = self.compared_plainly(source, &value, link);
                        let stepped =
                            compared.map_or(Stepped::More, |link| Stepped::Found(Ok(link)));
                        return ControlFlow::Continue(stepped);
                    }
                    self.run(source, Token::Value(value), emit)?;
                }
                TokenizerStep::Token(Token::Text(text)) if self.is_lone(&text) => {
                    // Most contain no link, and need no second step.
                    if !self.may_hold_link_by_itself(source, &text) {
                        continue;
                    }
                    self.whole_text(source, text, emit)?;
                }
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
                if self.sheet.as_ref().is_some_and(|(sheet, _)| needed > sheet.end) {
                    self.end_sheet(source, emit)?;
                }
                if self.undecided().is_some_and(|at| needed > at + FAR) {
                    self.end_text(source, emit)?;
                }
                self.undecided().map(|at| source.stored(at..at).start)
            }
        };
        match self.tokens.is_value_waiting() && !is_last {
            true => ControlFlow::Continue(()),
            false => self.order.give(limit.unwrap_or(usize::MAX), emit),
        }
    }

    /// Returns the offset of the source from which its bytes are needed.
    pub(crate) fn needed(&mut self) -> usize {
        if self.waiting.is_some() || self.head.is_some() {
            // The tokenizer may have more tokens in these bytes.
            return 0;
        }
        let sheet = self.sheet.as_ref().map(|(sheet, _)| sheet.start);
        let others = [sheet, self.order.first(), self.undecided()];
        let first = others.into_iter().flatten().min();
        self.needed_by_tokens.min(first.unwrap_or(usize::MAX))
    }

    /// Returns the start of the text that is not decided yet.
    fn undecided(&mut self) -> Option<usize> {
        match self.is_text_open {
            true if self.is_stored_text_open() => self.needed_by_stored_text(),
            true => self.window.undecided(self.finder.scan.max_link),
            false => None,
        }
    }

    /// Returns the start of a value or a link that is too long to be kept.
    pub(crate) fn long_starts(&self) -> [Option<usize>; 2] {
        let in_text = self.long_in_stored_text().or(self.window.long_start());
        [self.long.as_ref().map(|(start, ..)| *start), in_text]
    }

    /// Searches for a `<base href>`, which counts for the references before it too.
    pub(crate) fn find_base(&mut self, source: &Source<'_>) {
        self.is_own_known = true;
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
    fn find_base_by(&mut self, mut tokens: Tokens, looked_at: Chunk<'_>, source: &Source<'_>) {
        while let TokenizerStep::Token(run) = tokens.next(looked_at) {
            if let Token::Base { value, scope: BaseScope::Document } = run {
                return self.set_own_base(source, &value);
            }
        }
    }

    /// Sets the page's own base to the first value that is one.
    fn set_own_base(&mut self, source: &Source<'_>, value: &UrlValue) {
        self.has_own = true;
        // HTML, "set the frozen base URL": URLs with these schemes are ignored.
        let is_free = |base: &Base| {
            ["data:", "javascript:"].iter().any(|scheme| {
                let front = base.as_str().get(..scheme.len());
                front.is_some_and(|front| front.eq_ignore_ascii_case(scheme))
            })
        };
        let own = self.base_of(source, value);
        if own.as_ref().is_some_and(is_free) {
            self.notices.add(Notice::BaseUnusable);
        }
        self.own = own.filter(|base| !is_free(base));
    }

    /// Reports a link of a value when everything before it is decided.
    fn give<'s>(&mut self, judged: Judged<'s>, emit: &mut Emit<'_, 's>) -> ControlFlow<()> {
        if self.is_text_open || self.tokens.is_value_waiting() {
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
        let goes_on = matches!(&run, Token::Text(text) if text.joined);
        if self.sheet.is_some() && !goes_on {
            self.end_sheet(source, emit)?;
        }
        match run {
            Token::Value(value) => {
                let flow = self.value(source, value, emit);
                self.labels.clear();
                flow
            }
            Token::Text(text) => self.text(source, text, emit),
            Token::Base { value, scope } => {
                if scope == BaseScope::Element {
                    // An invalid base is ignored.
                    let base = self.base_of(source, &value).or_else(|| self.base().cloned());
                    self.inner.push(base);
                }
                // The base itself is a link of the page, resolved against the base outside of its element.
                self.base_link(source, value, scope, emit)
            }
            Token::BaseEnd => {
                self.inner.pop();
                ControlFlow::Continue(())
            }
            Token::Label(label) => {
                self.labels.push(label);
                ControlFlow::Continue(())
            }
            Token::Notice(notice) => {
                self.notices.add(notice);
                ControlFlow::Continue(())
            }
            Token::Long(value) => {
                self.labels.clear();
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
                self.long = Some((start, value.context, head));
                ControlFlow::Continue(())
            }
            Token::LongEnd(end) => match self.long.take() {
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
        let (sheet, _) = self.sheet.get_or_insert_with(|| (text.range.clone(), text.rules));
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
        self.sheet = Some((sheet.start..rules_end, text.rules));
        let flow = self.end_sheet(source, emit);
        self.sheet = Some((rules_end..sheet.end, text.rules));
        flow
    }

    /// Ends the style sheet that was open.
    fn end_sheet<'s>(&mut self, source: &Source<'s>, emit: &mut Emit<'_, 's>) -> ControlFlow<()> {
        let Some((sheet, rules)) = self.sheet.take() else { return ControlFlow::Continue(()) };
        let value = UrlValue {
            range: sheet,
            context: KnownContext::STYLE.into(),
            grammar: Grammar::Style,
            rules,
        };
        self.value(source, value, emit)
    }
}
