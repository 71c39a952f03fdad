//! Pages: documents in markup, from stored bytes to links.
//!
//! A tokenizer (`markup`) takes a document apart; here its values become references, resolved against
//! the base in force, and its text is scanned as running text. What a value or a text was decoded from
//! is noted on the way, so that every link knows the stored bytes it was written in.

mod region;
mod source;
mod tokens;

use std::borrow::Cow;
use std::ops::{ControlFlow, Range};

use crate::charset::Charset;
use crate::finder::Finder;
use crate::link::{Link, Refused};
use crate::markup::{
    Base, Content, Grammar, Limits, Rules, Run, Scope, Step, Text, Tokenizer, Value, each_reference,
};
use crate::scan::{self, References, Scanner, View};

pub(crate) use source::{Source, Transcoded};
pub(crate) use tokens::Tokens;

use region::Region;

/// Documents inside documents are followed so deep.
const DEEPEST: usize = 3;
/// The longest document that is kept whole: for a base that stands behind references, and where the
/// encoding or the format asks for all of it at once.
pub(crate) const WHOLE: usize = 16 << 20;

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
    /// The URI of the link whose text is being gone through.
    href: Option<String>,
    /// Where a style sheet began that is not at its end.
    sheet: Option<usize>,
    /// A value that is too long to be kept.
    long: Option<(Value, String)>,
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
            href: None,
            sheet: None,
            long: None,
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
        while let Step::Run(run) = self.tokens.next(source.bytes, source.is_last) {
            self.run(source, run, emit)?;
        }
        ControlFlow::Continue(())
    }

    /// From which offset of the source on its bytes are needed.
    pub(crate) fn needed(&self, base: usize) -> usize {
        let needed = self.tokens.needed();
        self.sheet.map_or(needed, |sheet| needed.min(sheet.saturating_sub(base)))
    }

    pub(crate) fn shift(&mut self, by: usize) {
        self.tokens.shift(by);
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
                self.own = self.base_of(source, &value);
                return;
            }
        }
    }

    /// What relative references are resolved against here.
    fn base(&self) -> Option<&Base> {
        let inner = self.inner.iter().rev().find_map(Option::as_ref);
        inner.or(self.own.as_ref()).or(self.settings.base.as_ref())
    }

    fn base_of(&self, source: &Source<'_>, value: &Value) -> Option<Base> {
        let decoded = source.decoded(self.charset, value.range.clone());
        let mut reference = None;
        each_reference(&decoded.text, value.grammar, value.rules, |found| {
            reference.get_or_insert(found.text.into_owned());
        });
        let outer = match self.inner.iter().rev().find_map(Option::as_ref) {
            Some(inner) => Some(inner),
            None => self.own.as_ref().or(self.settings.base.as_ref()),
        };
        Base::inner(outer, &reference?)
    }

    fn run(&mut self, source: &Source<'_>, run: Run, emit: &mut Emit<'_>) -> ControlFlow<()> {
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
                let head = source.raw(self.charset, value.range.clone());
                self.long = Some((value, head));
                ControlFlow::Continue(())
            }
            Run::LongEnd(end) => match self.long.take() {
                None => ControlFlow::Continue(()),
                Some((value, head)) => {
                    let start = source.stored(value.range.start..value.range.start).start;
                    let end = source.stored(end..end).end;
                    let range = start.min(end)..end;
                    emit(Err(self.finder.refuse_long_value(
                        head,
                        range,
                        value.context,
                        self.charset,
                    )))
                }
            },
        }
    }

    fn base_link(
        &mut self,
        source: &Source<'_>,
        value: Value,
        scope: Scope,
        emit: &mut Emit<'_>,
    ) -> ControlFlow<()> {
        let own = self.own.take();
        let inner = match scope {
            Scope::Element => self.inner.pop(),
            Scope::Document => None,
        };
        if scope == Scope::Element {
            self.own = own.clone();
        }
        let flow = self.value(source, value, emit);
        self.own = own;
        self.inner.extend(inner);
        flow
    }

    fn value(&mut self, source: &Source<'_>, value: Value, emit: &mut Emit<'_>) -> ControlFlow<()> {
        let Value { range, context, grammar, rules } = value;
        let mut decoded = source.decoded(self.charset, range.clone());
        match grammar {
            Grammar::Srcdoc => return self.document_inside(source, &mut decoded, rules, emit),
            Grammar::Running => {
                let text = decoded.text.to_string();
                let charset = self.charset;
                let decode = |bytes: &[u8]| source::text_of(charset, bytes).into_owned();
                // What expands too far is not resolved; its text is not given as if it were.
                let resolved =
                    self.tokens.entities().and_then(|e| e.resolved(&text, 0, &decode).ok());
                let (text, trace) = match resolved.flatten() {
                    Some((text, trace)) => (text, Some(trace)),
                    None => (text, None),
                };
                self.region.add_resolved(text, trace, decoded);
                return self.scan_region(source, true, false, emit);
            }
            _ => {}
        }
        let mut found = Vec::new();
        each_reference(&decoded.text, grammar, rules, |one| {
            found.push((one.text.into_owned(), one.range))
        });
        for (text, range) in found {
            let inside = decoded.source(range);
            let stored = source.stored(inside.clone());
            let raw = source.raw(self.charset, inside);
            let base = self.base();
            let judged =
                self.finder.judge_value(&text, raw, stored, context.clone(), base, self.charset);
            if grammar == Grammar::Url
                && let Ok(link) = &judged
                && &*context == "a@href"
            {
                self.href = Some(link.uri().into_owned());
            }
            emit(judged)?;
        }
        ControlFlow::Continue(())
    }

    /// `srcdoc`, and HTML that a feed holds: a document in a value.
    fn document_inside(
        &mut self,
        source: &Source<'_>,
        decoded: &mut source::Decoded<'_>,
        rules: Rules,
        emit: &mut Emit<'_>,
    ) -> ControlFlow<()> {
        if self.depth >= DEEPEST {
            return ControlFlow::Continue(());
        }
        let written = decoded.text.to_string();
        let resolved = crate::markup::Resolved::new(&written, rules);
        let text = resolved.text.clone();
        let cell = std::cell::RefCell::new(decoded);
        let inside = |range: Range<usize>| cell.borrow_mut().source(resolved.range(range));
        let stored = |range: Range<usize>| source.stored(inside(range));
        let raw = |range: Range<usize>| source.raw(self.charset, inside(range));
        let inner = Source::inside(text.as_bytes(), &stored, &raw);
        let settings = Settings { base: self.base().cloned(), ..self.settings.clone() };
        let tokens = Tokens::html(Page::limits(self.finder));
        let mut page = Page::new(self.finder, self.charset, tokens, settings);
        page.depth = self.depth + 1;
        page.scan(&inner, emit)
    }

    fn text(&mut self, source: &Source<'_>, text: Text, emit: &mut Emit<'_>) -> ControlFlow<()> {
        if text.content == Content::Sheet {
            return self.sheet(source, &text, emit);
        }
        if !self.settings.text {
            return ControlFlow::Continue(());
        }
        if !text.in_link {
            self.href = None;
        }
        let bytes = &source.bytes[text.range.clone()];
        let is_whole = !text.joined && !text.open;
        let is_as_stored = self.charset.is_utf8() || source.is_utf8() || bytes.is_ascii();
        if is_whole && is_as_stored && memchr::memchr(b'&', bytes).is_none() {
            return self.scan_whole(source, &text, emit);
        }
        if !text.joined {
            self.region.clear();
        }
        let charset = source.charset(self.charset);
        self.region.add(source, charset, text.range.clone(), text.rules);
        self.scan_region(source, !text.open, text.in_link, emit)
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
                emit(judged)?;
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
        while let Some(candidate) = self.region.next(&self.finder.scan, is_last) {
            let inside = self.region.source(&candidate);
            let (stored, raw) = match self.region.take_head() {
                Some((start, head)) => (start..source.stored_absolute(inside.clone()).end, head),
                None => {
                    let stored = source.stored_absolute(inside.clone());
                    (stored, source.raw_absolute(self.charset, inside))
                }
            };
            let mut judged = self.finder.judge(self.region.text(), 0, candidate);
            self.finder.place_text(&mut judged, stored, Some(raw), self.charset);
            if !self.is_repeated(&judged, in_link) {
                emit(judged)?;
            }
        }
        if is_last {
            self.region.clear();
        }
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

    /// A style sheet, when it is whole.
    fn sheet(&mut self, source: &Source<'_>, text: &Text, emit: &mut Emit<'_>) -> ControlFlow<()> {
        let start = *self.sheet.get_or_insert(source.base + text.range.start);
        if text.open {
            return ControlFlow::Continue(());
        }
        self.sheet = None;
        let value = Value {
            range: start - source.base..text.range.end,
            context: Cow::Borrowed("style"),
            grammar: Grammar::Style,
            rules: text.rules,
        };
        self.value(source, value, emit)
    }
}
