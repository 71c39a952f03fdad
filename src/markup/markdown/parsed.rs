//! Converts the parser's events to tokens.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use pulldown_cmark::{CowStr, Event, LinkType, Options, Parser, Tag, TagEnd};

use super::autolink::OpenAutolink;
use super::destination::{destination_at, resolved};
use super::front::front_matter;
use super::visible::{OpenLabels, in_order};
use crate::context::{ContextKind, KnownContext};
use crate::input::chunk::Chunk;
use crate::markup::html::Html;
use crate::markup::{
    Content, Grammar, LabelText, LinkLabel, Rules, TextToken, Token, Tokenizer, TokenizerStep,
    UrlValue, ValueLimits,
};
use crate::notice::Notice;
use crate::scan::reference::plainly_resolved;
use crate::source_map::SourceMap;

/// Maximum number of places in which a destination is searched that the parser did not borrow from the document.
const MOST_TRIES: usize = 64;

static LINK: KnownContext = KnownContext::new("markdown:link", ContextKind::MarkdownLink);
static IMAGE: KnownContext = KnownContext::new("markdown:image", ContextKind::MarkdownImage);
static AUTOLINK: KnownContext = KnownContext::new("markdown:autolink", ContextKind::Markdown);
static DEFINITION: KnownContext = KnownContext::new("markdown:definition", ContextKind::Markdown);

/// Returns the runs of a document, in order.
pub(super) fn runs(bytes: &[u8], limits: &ValueLimits) -> Vec<Token> {
    let text = as_text(bytes);
    // The parser's own metadata blocks may be anywhere, and it searches for the end of one from each `---` in a container.
    let options = Options::ENABLE_TABLES
        | Options::ENABLE_FOOTNOTES
        | Options::ENABLE_STRIKETHROUGH
        | Options::ENABLE_TASKLISTS;
    let (front, body) = front_matter(&text);
    let parser = Parser::new_ext(&text[body..], options);
    let mut reader = MarkdownReader {
        text: &text,
        limits: *limits,
        runs: Vec::new(),
        links: Vec::new(),
        images: 0,
        last_end: 0,
        block: Vec::new(),
        labels: Vec::new(),
        visible: OpenLabels::default(),
        joins: false,
        in_anchor: false,
        in_code: false,
        in_element: 0,
        autolink: OpenAutolink::default(),
        defined: HashMap::new(),
    };
    let in_document = |range: Range<usize>| body + range.start..body + range.end;
    for (_, definition) in parser.reference_definitions().iter() {
        let at = reader.lent(&definition.dest).or_else(|| {
            let Range { start, end } = in_document(definition.span.clone());
            let after = start + text.get(start..end)?.find("]:")? + 2;
            let found = reader.looked_for(after..end, &definition.dest)?;
            // Definitions come in any order; of two that are equal the first one gets the texts.
            let first = reader.defined.entry(definition.dest.to_string()).or_default();
            if first.end == 0 || found.start < first.start {
                *first = found.clone();
            }
            Some(found)
        });
        reader.destination(at, &DEFINITION, Grammar::Markdown);
    }
    // Metadata are settings: neither references nor backslashes of Markdown are in them.
    reader.text(front, Rules::None, false);
    for (event, range) in parser.into_offset_iter() {
        reader.event(event, in_document(range));
    }
    in_order(reader.labels, reader.runs)
}

/// Returns the bytes as text of the same length: malformed UTF-8 becomes control characters, which are not special here.
fn as_text(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(bytes.len());
    for chunk in bytes.utf8_chunks() {
        text.push_str(chunk.valid());
        text.extend(chunk.invalid().iter().map(|_| '\x1A'));
    }
    Cow::Owned(text)
}

struct MarkdownReader<'t> {
    text: &'t str,
    limits: ValueLimits,
    runs: Vec<Token>,
    /// Links and images that are open.
    links: Vec<OpenLink>,
    /// Number of them that are images.
    images: usize,
    /// Where the last event ended.
    last_end: usize,
    /// Lines of the open HTML block.
    block: Vec<Range<usize>>,
    /// Where the destination of a link or an image is, perhaps in a definition, and its text.
    labels: Vec<(usize, LinkLabel)>,
    visible: OpenLabels,
    /// Only a comment has occurred since the last text.
    joins: bool,
    /// An HTML `a` with a reference is open.
    in_anchor: bool,
    /// A block of code is open, or a span is being read.
    in_code: bool,
    /// Number of `code` elements of HTML that are open in this paragraph.
    in_element: usize,
    autolink: OpenAutolink,
    /// Where the destinations of definitions are that the parser did not borrow.
    defined: HashMap<String, Range<usize>>,
}

struct OpenLink {
    range: Range<usize>,
    kind: LinkType,
    dest: String,
    at: Option<Range<usize>>,
    is_image: bool,
    /// Number of runs before it.
    runs: usize,
    /// Where its visible text begins.
    visible: usize,
}

impl MarkdownReader<'_> {
    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        let joins = std::mem::take(&mut self.joins);
        match event {
            Event::Start(Tag::Link { link_type, dest_url, .. }) => {
                self.opened(link_type, &dest_url, range.clone(), false);
                self.last_end = range.start;
            }
            Event::Start(Tag::Image { link_type, dest_url, .. }) => {
                self.opened(link_type, &dest_url, range.clone(), true);
                self.last_end = range.start;
            }
            Event::End(TagEnd::Link | TagEnd::Image) => {
                self.closed();
                self.last_end = range.end;
            }
            Event::Text(text) => {
                self.shown(&text, range.clone());
                self.text(range.clone(), Rules::Markdown, joins);
                self.last_end = range.end;
            }
            Event::Start(Tag::CodeBlock(_)) => self.in_code = true,
            Event::End(TagEnd::CodeBlock) => {
                self.in_code = false;
                self.last_end = range.end;
            }
            Event::Code(code) => {
                self.code(&code, within_backquotes(self.text, range.clone()));
                self.last_end = range.end;
            }
            Event::Html(_) => self.block.push(range),
            Event::End(TagEnd::HtmlBlock) => {
                let lines = std::mem::take(&mut self.block);
                self.html(&lines);
                self.last_end = range.end;
            }
            Event::InlineHtml(_) => {
                self.joins = joins || self.is_open_text(range.start);
                self.inline_html(range.clone());
                self.last_end = range.end;
            }
            Event::Start(Tag::Paragraph | Tag::Heading { .. } | Tag::TableCell | Tag::Item) => {
                self.in_element = 0;
            }
            Event::Start(Tag::Emphasis | Tag::Strong | Tag::Strikethrough) => {
                self.autolink.opened(range.start);
            }
            Event::End(TagEnd::Emphasis | TagEnd::Strong | TagEnd::Strikethrough) => {
                self.autolink.closed();
                self.last_end = range.end;
            }
            Event::Start(_) => {}
            Event::SoftBreak | Event::HardBreak => {
                self.line_ended(range.clone());
                self.last_end = range.end;
            }
            _ => self.last_end = range.end,
        }
    }

    /// Returns the range of a text of the parser in the document, if it is borrowed from there.
    fn lent(&self, text: &CowStr<'_>) -> Option<Range<usize>> {
        let CowStr::Borrowed(text) = text else { return None };
        if text.is_empty() {
            return None;
        }
        let start = (text.as_ptr() as usize).checked_sub(self.text.as_ptr() as usize)?;
        let range = start..start + text.len();
        (self.text.get(range.clone()) == Some(*text)).then_some(range)
    }

    /// Searches `range` for the destination that resolves to `dest`: white space precedes it, and the markers of lists and
    /// quotations at the beginning of a line.
    fn looked_for(&mut self, range: Range<usize>, dest: &str) -> Option<Range<usize>> {
        let inside = self.text.get(range.clone())?;
        let starts = inside.char_indices().take(MOST_TRIES).map(|(at, _)| range.start + at);
        let found = starts.filter_map(|at| destination_at(self.text, at)).find(|found| {
            let written = self.text.get(found.clone()).unwrap_or_default();
            // In a table a bar has an additional escape.
            *resolved(written).0 == *dest || *resolved(&written.replace("\\|", "|")).0 == *dest
        });
        if found.is_none() && inside.chars().nth(MOST_TRIES).is_some() {
            self.runs.push(Token::Notice(Notice::ValueTooLong));
        }
        found
    }

    /// Returns the range of the empty destination after white space from `at` on: it is between `<` and `>`, or has no
    /// characters at all.
    fn empty_at(&self, at: usize) -> Range<usize> {
        let rest = self.text.get(at..).unwrap_or_default();
        let start = at + rest.len() - rest.trim_start().len();
        let inside = start + usize::from(rest.trim_start().starts_with("<>"));
        inside..inside
    }

    fn opened(&mut self, kind: LinkType, dest: &CowStr<'_>, range: Range<usize>, is_image: bool) {
        let at = self.lent(dest);
        self.images += usize::from(is_image);
        let runs = self.runs.len();
        let visible = self.visible.opened(self.links.is_empty());
        let dest = dest.to_string();
        self.links.push(OpenLink { range, kind, dest, at, is_image, runs, visible });
    }

    fn closed(&mut self) {
        let Some(OpenLink { range, kind, dest, at, is_image, runs, visible }) = self.links.pop()
        else {
            return;
        };
        self.images -= usize::from(is_image);
        // An image's description is only text, whatever markup it contains.
        if self.images > 0 {
            return;
        }
        if !self.limits.repeats && self.says(runs, &dest) {
            self.runs.truncate(runs);
        }
        let context = if is_image { &IMAGE } else { &LINK };
        match kind {
            LinkType::Inline => {
                let at = at.or_else(|| {
                    let rest = self.text.get(self.last_end..range.end)?;
                    let after = self.last_end + rest.find("](")? + 2;
                    match dest.is_empty() {
                        // As with the `src` of HTML's `img`, the empty destination of an image does not refer to anything.
                        true if is_image => None,
                        true => Some(self.empty_at(after)),
                        false => self.looked_for(after..range.end, &dest),
                    }
                });
                self.label(at.clone(), visible, is_image);
                self.destination(at, context, Grammar::Markdown);
            }
            // Backslashes have no meaning in an autolink (§6.5), references do (§2.5).
            LinkType::Autolink => {
                let inside = Some(range.start + 1..range.end - 1);
                self.destination(inside, &AUTOLINK, Grammar::Url);
            }
            LinkType::Email => {
                let inside = Some(range.start + 1..range.end - 1);
                self.destination(inside, &AUTOLINK, Grammar::Address);
            }
            // The definition of the reference has the destination.
            _ => self.label(at.or_else(|| self.defined.get(&dest).cloned()), visible, is_image),
        }
        // The descriptions of two images are not one text.
        if is_image && !self.links.is_empty() {
            self.visible.add(range.end..range.end, Rules::None, true);
        }
    }

    /// Gives the visible text of a link or an image to its destination, if it is needed.
    fn label(&mut self, at: Option<Range<usize>>, visible: usize, is_image: bool) {
        let may_deceive = || !is_image && self.visible.may_name_site(self.text, visible);
        if let Some(at) = at.filter(|_| self.limits.texts || may_deceive()) {
            let text = LabelText::Pieces(self.visible.since(visible));
            self.labels.push((at.start, LinkLabel { text, is_image }));
        }
    }

    /// Reads a span of code. In a table a backslash before a bar is not of the code.
    fn code(&mut self, code: &str, inside: Range<usize>) {
        const BAR: &str = "\\|";
        let written = self.text.get(inside.clone()).unwrap_or_default();
        let is_in_table = written.contains(BAR) && !code.contains(BAR);
        let bars = written.match_indices(BAR).filter(|_| is_in_table);
        let ends = bars.map(|(at, _)| inside.start + at).chain([inside.end]);
        self.in_code = true;
        let mut start = inside.start;
        for end in ends {
            self.shown(self.text.get(start..end).unwrap_or_default(), start..end);
            self.text(start..end, Rules::None, false);
            start = end + 1;
        }
        self.in_code = false;
    }

    /// Notes the end of a line, which a reader of a link sees as white space.
    fn line_ended(&mut self, range: Range<usize>) {
        let written = self.text.get(range.clone()).unwrap_or_default();
        if let Some(at) = written.find(|c: char| c.is_ascii_whitespace()) {
            self.shown(&written[at..at + 1], range.start + at..range.start + at + 1);
        }
    }

    /// Notes a text of the parser that a reader of a link sees; the empty one separates what is around it.
    fn shown(&mut self, text: &str, range: Range<usize>) {
        if self.links.is_empty() {
            return;
        }
        let is_as_written = self.text.get(range.clone()) == Some(text);
        let rules = if is_as_written { Rules::None } else { Rules::Markdown };
        self.visible.add(range, rules, self.images > 0);
    }

    /// Returns `true` if the runs from `from` on are text that consists of only `dest`.
    fn says(&self, from: usize, dest: &str) -> bool {
        let mut said = String::new();
        for run in self.runs.get(from..).unwrap_or_default() {
            let Token::Text(text) = run else { return false };
            let inside = self.text.get(text.range.clone()).unwrap_or_default();
            said.push_str(&plainly_resolved(inside, text.rules));
        }
        let said = said.trim();
        let schemes = ["", "https://", "mailto:"];
        schemes.iter().any(|scheme| dest.strip_prefix(scheme) == Some(said))
    }

    fn destination(
        &mut self,
        at: Option<Range<usize>>,
        context: &'static KnownContext,
        grammar: Grammar,
    ) {
        let Some(range) = at else { return };
        let end = range.end;
        let is_long = range.len() > self.limits.link;
        let kept = range.start..end.min(range.start + self.limits.link);
        let value = UrlValue {
            range: kept,
            context: context.into(),
            grammar,
            rules: if grammar == Grammar::Address { Rules::None } else { Rules::Markdown },
        };
        match is_long {
            true => self.runs.extend([Token::Long(value), Token::LongEnd(end)]),
            false => self.runs.push(Token::Value(value)),
        }
    }

    /// Returns `true` if the last run is a text that ends at `at`.
    fn is_open_text(&self, at: usize) -> bool {
        matches!(self.runs.last(), Some(Token::Text(text)) if text.range.end == at)
    }

    fn text(&mut self, range: Range<usize>, rules: Rules, joins: bool) {
        if range.is_empty() || self.images > 0 {
            return;
        }
        let is_autolink =
            |link: &OpenLink| matches!(link.kind, LinkType::Autolink | LinkType::Email);
        if self.links.last().is_some_and(is_autolink) {
            return;
        }
        let in_link = self.in_anchor;
        let is_code = self.in_code || self.in_element > 0;
        let content = if is_code { Content::Code } else { Content::Running };
        // A backslash that escapes the next character separates two texts, and a comment may.
        let joined = match self.runs.last_mut() {
            Some(Token::Text(last))
                if last.rules == rules && last.in_link == in_link && last.content == content =>
            {
                let end = last.range.end;
                if !last.open
                    && (end == range.start || self.autolink.goes_on(self.text, end, &range))
                {
                    last.range.end = range.end;
                    return;
                }
                let joined = joins || self.text.get(end..range.start) == Some("\\");
                last.open = joined;
                joined
            }
            _ => false,
        };
        self.autolink.restart(range.start);
        self.runs.push(Token::Text(TextToken {
            range,
            rules,
            content,
            joined,
            open: false,
            in_link,
        }));
    }

    /// Reads one tag or comment of HTML in a paragraph.
    fn inline_html(&mut self, range: Range<usize>) {
        let inside = self.text.get(range.clone()).unwrap_or_default();
        let starts = |prefix: &str| {
            inside.get(..prefix.len()).is_some_and(|start| start.eq_ignore_ascii_case(prefix))
        };
        self.joins &= starts("<!--") || starts("<wbr");
        if starts("</a") {
            self.in_anchor = false;
        } else if starts("<br") {
            self.shown("", range.end..range.end);
        } else if starts("<img") && !self.links.is_empty() {
            self.visible.add_picture(self.text, range.clone());
        }
        if starts("<code>") || starts("<code ") {
            self.in_element += 1;
        } else if starts("</code") {
            self.in_element = self.in_element.saturating_sub(1);
        }
        let before = self.runs.len();
        self.html(&[range]);
        let is_anchor = |run: &Token| matches!(run, Token::Value(value) if value.context.kind() == ContextKind::Anchor);
        if starts("<a") && self.runs.get(before..).unwrap_or_default().iter().any(is_anchor) {
            self.in_anchor = true;
        }
    }

    /// Reads the lines of an HTML block, without the markers of lists and quotations before them.
    fn html(&mut self, lines: &[Range<usize>]) {
        if self.images > 0 {
            return;
        }
        let mut inside = Vec::new();
        let mut map = SourceMap::default();
        let mut end = usize::MAX;
        for line in lines {
            if line.start != end {
                map.copied(inside.len(), line.start);
            }
            end = line.end;
            inside.extend_from_slice(self.text.get(line.clone()).unwrap_or_default().as_bytes());
        }
        let stored = |range: &Range<usize>| map.range(&inside, range.clone());
        let mut html = Html::new(self.limits);
        while let TokenizerStep::Token(mut run) = html.next(Chunk::whole(&inside)) {
            match &mut run {
                Token::Value(value) | Token::Long(value) | Token::Base { value, .. } => {
                    value.range = stored(&value.range);
                }
                Token::Text(text) => text.range = stored(&text.range),
                Token::LongEnd(end) => *end = map.edges(&inside, *end).end,
                Token::BaseEnd | Token::Notice(_) | Token::Label(_) => {}
            }
            self.runs.push(run);
        }
    }
}

/// Returns the range inside a code span.
fn within_backquotes(text: &str, range: Range<usize>) -> Range<usize> {
    let span = text.get(range.clone()).unwrap_or_default();
    let len = span.len() - span.trim_start_matches('`').len();
    match span.len() >= 2 * len {
        true => range.start + len..range.end - len,
        false => range.start..range.start,
    }
}
