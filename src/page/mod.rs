//! Pages: documents in markup, from stored bytes to links.
//!
//! A tokenizer (`markup`) takes a document apart; here its values become references, resolved against
//! the base in force, and its text is scanned as running text. What a value or a text was decoded from
//! is noted on the way, so that every link knows the stored bytes it was written in.

mod order;
mod region;
mod source;
mod tokens;
mod value;

use std::borrow::Cow;
use std::ops::{ControlFlow, Range};

use crate::charset::Charset;
use crate::finder::Finder;
use crate::link::{Link, Reason, Refused};
use crate::markup::{
    Base, Content, Grammar, Limits, Rules, Run, Scope, Step, Text, Tokenizer, Value,
};
use crate::reference::any_reference;
use crate::scan::{self, Ahead, References, Scanner, View};
use crate::stored;

pub(crate) use source::{Source, Transcoded};
pub(crate) use tokens::Tokens;

use order::{Judged, Order, start_of};
use region::Region;

/// Documents inside documents are followed so deep.
const DEEPEST: usize = 3;
/// The longest document that is kept whole: for a base that stands behind references, and where the
/// encoding or the format asks for all of it at once.
pub(crate) const WHOLE: usize = 16 << 20;
/// A style sheet that is longer is read in parts, cut behind a block.
const LONG_SHEET: usize = WHOLE;
/// A text does not go on behind a comment that is longer.
const FAR: usize = 1 << 20;

/// What a page is told beside its bytes.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    /// What relative references are resolved against, unless the page says something else.
    pub(crate) base: Option<Base>,
    /// Whether its text is scanned.
    pub(crate) text: bool,
}

/// What becomes of a link or a refused candidate.
pub(crate) type Emit<'e> = dyn FnMut(Result<Link<'_>, Refused<'_>>) -> ControlFlow<()> + 'e;

/// Goes through a page.
pub(crate) struct Page<'f> {
    finder: &'f Finder,
    charset: Charset,
    tokens: Tokens,
    settings: Settings,
    /// The page's own base; whether it was looked for ahead.
    own: Option<Base>,
    is_own_known: bool,
    /// The bases of elements that are open.
    inner: Vec<Option<Base>>,
    region: Region,
    /// The triggers in the bytes of the source.
    ahead: Option<Ahead>,
    /// The URI of the link whose text is being gone through.
    href: Option<String>,
    /// A style sheet that may go on: where it stands so far, counted from the beginning of all blocks.
    sheet: Option<(Range<usize>, Rules)>,
    /// A value that is too long to be kept: where it begins in the document, and its first characters.
    long: Option<(usize, Cow<'static, str>, String)>,
    /// The text in the region is not at its end; whether it stands in a link.
    is_text_open: bool,
    is_text_in_link: bool,
    order: Order,
    depth: usize,
}

impl<'f> Page<'f> {
    pub(crate) fn new(
        finder: &'f Finder,
        charset: Charset,
        tokens: Tokens,
        settings: Settings,
    ) -> Self {
        Page {
            finder,
            charset,
            tokens,
            settings,
            own: None,
            is_own_known: false,
            inner: Vec::new(),
            region: Region::default(),
            ahead: None,
            href: None,
            sheet: None,
            long: None,
            is_text_open: false,
            is_text_in_link: false,
            order: Order::default(),
            depth: 0,
        }
    }

    /// The limits for values that a finder asks for.
    pub(crate) fn limits(finder: &Finder) -> Limits {
        Limits { link: finder.scan.max_link, ..Limits::default() }
    }

    /// Goes through what the source has, as far as it can be decided.
    pub(crate) fn scan(&mut self, source: &Source<'_>, emit: &mut Emit<'_>) -> ControlFlow<()> {
        if !self.is_own_known {
            self.find_base(source);
        }
        loop {
            match self.tokens.next(source.bytes, source.is_last) {
                Step::Run(run) => self.run(source, run, emit)?,
                Step::Done => {
                    self.end_sheet(source, emit)?;
                    self.end_text(source, emit)?;
                    return self.order.give(usize::MAX, emit);
                }
                Step::More => {
                    let needed = source.base + self.tokens.needed();
                    if self.sheet.as_ref().is_some_and(|(sheet, _)| needed > sheet.end) {
                        self.end_sheet(source, emit)?;
                    }
                    if self.undecided().is_some_and(|at| needed > at + FAR) {
                        self.end_text(source, emit)?;
                    }
                    let limit = self.undecided().map(|at| source.stored_absolute(at..at).start);
                    return self.order.give(limit.unwrap_or(usize::MAX), emit);
                }
            }
        }
    }

    /// From which offset of the source on its bytes are needed.
    pub(crate) fn needed(&mut self, base: usize) -> usize {
        let sheet = self.sheet.as_ref().map(|(sheet, _)| sheet.start);
        let others = [sheet, self.order.first(), self.undecided()];
        let first = others.into_iter().flatten().map(|at| at.saturating_sub(base)).min();
        self.tokens.needed().min(first.unwrap_or(usize::MAX))
    }

    /// Where the text begins that is not decided yet, counted from the beginning of all blocks.
    fn undecided(&mut self) -> Option<usize> {
        self.is_text_open.then(|| self.region.undecided(self.finder.scan.max_link)).flatten()
    }

    /// Where something begins that is too long to be kept.
    pub(crate) fn long_starts(&self) -> [Option<usize>; 2] {
        [self.long.as_ref().map(|(start, ..)| *start), self.region.head_start()]
    }

    pub(crate) fn shift(&mut self, by: usize) {
        self.tokens.shift(by);
        if let Some(ahead) = &mut self.ahead {
            ahead.shift(by);
        }
    }

    /// A `<base href>` counts for the references before it too.
    fn find_base(&mut self, source: &Source<'_>) {
        self.is_own_known = true;
        if !self.tokens.may_have_base(source.bytes) {
            return;
        }
        let mut tokens = self.tokens.clone();
        while let Step::Run(run) = tokens.next(source.bytes, source.is_last) {
            if let Run::Base { value, scope: Scope::Document } = run {
                // HTML, "set the frozen base URL": one of these is none.
                let is_free = |base: &Base| {
                    ["data:", "javascript:"].iter().any(|scheme| {
                        let front = base.as_str().get(..scheme.len());
                        front.is_some_and(|front| front.eq_ignore_ascii_case(scheme))
                    })
                };
                self.own = self.base_of(source, &value).filter(|base| !is_free(base));
                return;
            }
        }
    }

    /// What relative references are resolved against here.
    fn base(&self) -> Option<&Base> {
        let inner = self.inner.iter().rev().find_map(Option::as_ref);
        inner.or(self.own.as_ref()).or(self.settings.base.as_ref())
    }

    /// Gives a link of a value, when nothing that stands before it is undecided.
    fn give(&mut self, judged: Judged<'_>, emit: &mut Emit<'_>) -> ControlFlow<()> {
        if self.is_text_open {
            return match self.order.hold(judged) {
                true => self.order.give(usize::MAX, emit),
                false => ControlFlow::Continue(()),
            };
        }
        self.order.give(start_of(&judged), emit)?;
        emit(judged)
    }

    fn run(&mut self, source: &Source<'_>, run: Run, emit: &mut Emit<'_>) -> ControlFlow<()> {
        let goes_on = matches!(&run, Run::Text(text) if text.joined);
        if self.sheet.is_some() && !goes_on {
            self.end_sheet(source, emit)?;
        }
        match run {
            Run::Value(value) => self.value(source, value, emit),
            Run::Text(text) => self.text(source, text, emit),
            Run::Base { value, scope } => {
                if scope == Scope::Element {
                    let base = self.base_of(source, &value);
                    self.inner.push(base);
                }
                // The base itself is a link of the page, resolved against what is outside of it.
                self.base_link(source, value, scope, emit)
            }
            Run::BaseEnd => {
                self.inner.pop();
                ControlFlow::Continue(())
            }
            Run::Long(value) => {
                let start = source.stored(value.range.start..value.range.start).start;
                // As much of it, however the blocks lie.
                let most = value.range.start + self.finder.scan.max_link;
                let range = value.range.start..value.range.end.min(most);
                let mut head = source.raw(self.charset, range);
                head.truncate(head.trim_end_matches('\u{FFFD}').len());
                self.long = Some((start, value.context, head));
                ControlFlow::Continue(())
            }
            Run::LongEnd(end) => match self.long.take() {
                None => ControlFlow::Continue(()),
                Some((start, context, head)) => {
                    let range = start..source.stored(end..end).end.max(start);
                    let charset = self.charset;
                    let refused = self.finder.refuse_long_value(head, range, context, charset);
                    self.give(Err(refused), emit)
                }
            },
        }
    }

    fn text(&mut self, source: &Source<'_>, text: Text, emit: &mut Emit<'_>) -> ControlFlow<()> {
        if text.content == Content::Sheet {
            return self.sheet(source, &text, emit);
        }
        if !self.settings.text {
            return ControlFlow::Continue(());
        }
        if !text.joined {
            self.end_text(source, emit)?;
        }
        if !text.in_link {
            self.href = None;
        }
        if !text.joined && !text.open && !self.may_hold_link(source, &text) {
            return ControlFlow::Continue(());
        }
        let bytes = &source.bytes[text.range.clone()];
        let is_whole = !text.joined && !text.open;
        let is_as_stored = self.charset.is_utf8() || source.is_utf8() || bytes.is_ascii();
        if is_whole && is_as_stored && memchr::memchr(b'&', bytes).is_none() {
            return self.scan_whole(source, &text, emit);
        }
        let charset = source.charset(self.charset);
        let may_go_on = text.open && text.range.end == source.bytes.len();
        self.region.add(source, charset, text.range.clone(), text.rules, may_go_on);
        (self.is_text_open, self.is_text_in_link) = (text.open, text.in_link);
        self.scan_region(source, !text.open, text.in_link, emit)
    }

    /// Whether a text that nothing goes on from may hold a link; most do not.
    fn may_hold_link(&mut self, source: &Source<'_>, text: &Text) -> bool {
        let settings = &self.finder.scan;
        let ahead = self.ahead.get_or_insert_with(|| match source.charset(self.charset).layout() {
            Some(layout) => Ahead::stored(stored::kinds(layout, settings)),
            None => Ahead::utf8(settings.schemeless),
        });
        if ahead.may_hold(source.bytes, text.range.clone()) {
            return true;
        }
        any_reference(&source.bytes[text.range.clone()], text.rules, may_be_of_link)
    }

    /// Nothing goes on from the text that was open.
    fn end_text(&mut self, source: &Source<'_>, emit: &mut Emit<'_>) -> ControlFlow<()> {
        if !self.is_text_open {
            return ControlFlow::Continue(());
        }
        self.is_text_open = false;
        self.scan_region(source, true, self.is_text_in_link, emit)
    }

    /// A text that is in the source as it is read.
    fn scan_whole(
        &mut self,
        source: &Source<'_>,
        text: &Text,
        emit: &mut Emit<'_>,
    ) -> ControlFlow<()> {
        let bytes = &source.bytes[text.range.clone()];
        let mut scanner = Scanner::new();
        let view = View::new(bytes, true, References::Never);
        while let scan::Step::Found(candidate) = scanner.next(&self.finder.scan, view) {
            let start = text.range.start + candidate.range.start;
            let inside = start..text.range.start + candidate.range.end;
            let mut judged = self.finder.judge(bytes, 0, candidate);
            let stored = source.stored(inside.clone());
            let raw = (!source.is_plain()).then(|| source.raw(self.charset, inside));
            self.finder.place_text(&mut judged, stored, raw, self.charset);
            if !self.is_repeated(&judged, text.in_link) {
                self.give(judged, emit)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// A text that was decoded or resolved, or came in pieces.
    fn scan_region(
        &mut self,
        source: &Source<'_>,
        is_last: bool,
        in_link: bool,
        emit: &mut Emit<'_>,
    ) -> ControlFlow<()> {
        let mut region = std::mem::take(&mut self.region);
        if is_last {
            region.end();
        }
        while let Some(candidate) = region.next(&self.finder.scan, is_last) {
            let inside = region.source(&candidate);
            let mut stored = source.stored_absolute(inside.clone());
            let is_long = candidate.refused == Some(Reason::TooLong);
            let (mut judged, raw) = match region.take_head() {
                Some((start, head)) => {
                    let start = source.stored_absolute(start..start).start;
                    stored = start..stored.end.max(start);
                    let kind = candidate.kind;
                    (Err(self.finder.refuse_long(head.into(), stored.clone(), kind)), None)
                }
                // Only its first characters are told.
                None if is_long => (self.finder.judge(region.text(), 0, candidate), None),
                None => {
                    let raw = source.raw_absolute(self.charset, inside);
                    (self.finder.judge(region.text(), 0, candidate), Some(raw))
                }
            };
            self.finder.place_text(&mut judged, stored, raw, self.charset);
            if !self.is_repeated(&judged, in_link) {
                // What waits stands behind it, or inside.
                self.order.give(start_of(&judged), emit)?;
                if emit(judged).is_break() {
                    return ControlFlow::Break(());
                }
            }
        }
        if is_last {
            region.clear();
        }
        self.region = region;
        ControlFlow::Continue(())
    }

    /// Whether a text inside a link only says again where it goes.
    fn is_repeated(&self, judged: &Result<Link<'_>, Refused<'_>>, in_link: bool) -> bool {
        match (judged, &self.href) {
            (Ok(link), Some(href)) if in_link => {
                let uri = link.uri();
                // `http://example.com` goes to `http://example.com/`.
                uri == **href || href.strip_suffix('/') == Some(&*uri)
            }
            _ => false,
        }
    }

    /// A piece of a style sheet.
    fn sheet(&mut self, source: &Source<'_>, text: &Text, emit: &mut Emit<'_>) -> ControlFlow<()> {
        let end = source.base + text.range.end;
        let (sheet, _) =
            self.sheet.get_or_insert_with(|| (source.base + text.range.start..end, text.rules));
        sheet.end = end;
        let sheet = sheet.clone();
        if !text.open {
            return self.end_sheet(source, emit);
        }
        if sheet.len() < LONG_SHEET {
            return ControlFlow::Continue(());
        }
        let bytes = &source.bytes[sheet.start - source.base..sheet.end - source.base];
        let block = memchr::memrchr(b'}', bytes).map_or(sheet.end, |at| sheet.start + at + 1);
        self.sheet = Some((sheet.start..block, text.rules));
        let flow = self.end_sheet(source, emit);
        self.sheet = Some((block..sheet.end, text.rules));
        flow
    }

    /// Nothing goes on from the style sheet that was open.
    fn end_sheet(&mut self, source: &Source<'_>, emit: &mut Emit<'_>) -> ControlFlow<()> {
        let Some((sheet, rules)) = self.sheet.take() else { return ControlFlow::Continue(()) };
        let value = Value {
            range: sheet.start - source.base..sheet.end - source.base,
            context: Cow::Borrowed("style"),
            grammar: Grammar::Style,
            rules,
        };
        self.value(source, value, emit)
    }
}

/// Whether a character that is written as a reference may make a link of the text around it: white space
/// and most punctuation cannot.
fn may_be_of_link(c: char) -> bool {
    const NONE: &str = "&<>\"'|!*,;()[]{}\u{A0}\u{2013}\u{2014}\u{2018}\u{2019}\u{201C}\u{201D}\u{2026}\u{2022}\u{AB}\u{BB}";
    !c.is_ascii_whitespace() && !NONE.contains(c)
}

fn owned(judged: Judged<'_>) -> Judged<'static> {
    match judged {
        Ok(link) => Ok(link.into_owned()),
        Err(refused) => Err(refused.into_owned()),
    }
}
