//! A window into stages that the public interface shows only joined: for tests and benches.
//!
//! Not part of the interface: it changes without notice. `html` shows what the tokenizer gives run by run,
//! `runs` what the runs of any format come to: texts resolved, pieces of one text joined.

use std::ops::Range;

use crate::detect::document::DocumentFormat;
use crate::detect::format_of;
use crate::input::chunk::Chunk;
use crate::markup::{
    self, Content, Css, Csv, Element, Grammar, Html, Json, LabelText, Markdown, TextToken, Token,
    Tokenizer, TokenizerStep, UrlValue, ValueLimits, Xml,
};
use crate::scan::reference::{self, EscapeGrammar, Rules, plainly_resolved};

/// A token that a tokenizer gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peek {
    /// Kind of the token.
    pub what: TokenKind,
    /// In the bytes of all blocks together.
    pub range: Range<usize>,
    /// Context of a value, content of a text.
    pub context: String,
    /// Grammar of a value.
    pub grammar: String,
    /// Whether a text goes on from the one before.
    pub joined: bool,
    /// Whether a text is inside a link.
    pub in_link: bool,
}

/// The kind of a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "as in the module `markup`")]
pub enum TokenKind {
    Value,
    Text,
    Base,
    BaseEnd,
    Long,
    LongEnd,
    Label,
    Notice,
}

/// The tokens of HTML in these blocks, one after the other; a value of one reference
/// may be so long. The bytes that it says it needs no more are taken away from it.
///
/// ```
/// let all = linksift::peek::html(&[b"<a hre", b"f=x>"], 100);
/// assert_eq!((all[0].range.clone(), &*all[0].context), (8..9, "a@href"));
/// ```
pub fn html(blocks: &[&[u8]], longest: usize) -> Vec<Peek> {
    let limits = ValueLimits { link: longest, ..ValueLimits::default() };
    let mut all = Vec::new();
    each_run(&mut Html::new(limits), blocks, |run| all.push(peek(run)));
    all
}

/// Returns the greatest number of bytes that the tokenizer of HTML holds while it reads copies of a block.
///
/// ```
/// assert!(linksift::peek::html_kept(&[b'a'; 1000], 100, 100) <= 1000);
/// ```
pub fn html_kept(block: &[u8], copies: usize, longest: usize) -> usize {
    let limits = ValueLimits { link: longest, whole: longest, ..ValueLimits::default() };
    let blocks = (0..copies).map(|n| (block, n + 1 == copies));
    each_run_of(&mut Html::new(limits), blocks, |_| {})
}

fn each_run(tokenizer: &mut impl Tokenizer, blocks: &[&[u8]], give: impl FnMut(Token)) {
    let blocks = blocks.iter().enumerate().map(|(n, block)| (*block, n + 1 == blocks.len()));
    each_run_of(tokenizer, blocks, give);
}

fn each_run_of<'b>(
    tokenizer: &mut impl Tokenizer,
    blocks: impl Iterator<Item = (&'b [u8], bool)>,
    mut give: impl FnMut(Token),
) -> usize {
    let (mut buffer, mut base, mut most) = (Vec::new(), 0, 0);
    for (block, is_last) in blocks {
        buffer.extend_from_slice(block);
        most = most.max(buffer.len());
        loop {
            match tokenizer.next(Chunk::new(&buffer, base, is_last)) {
                TokenizerStep::Token(run) => give(run),
                TokenizerStep::Incomplete { needed } => {
                    buffer.drain(..needed - base);
                    base = needed;
                    break;
                }
                TokenizerStep::Done => break,
            }
        }
    }
    most
}

fn peek(run: Token) -> Peek {
    let mut seen = Peek {
        what: TokenKind::BaseEnd,
        range: 0..0,
        context: String::new(),
        grammar: String::new(),
        joined: false,
        in_link: false,
    };
    let (what, value) = match run {
        Token::Text(text) => {
            seen.what = TokenKind::Text;
            seen.range = text.range;
            seen.context = format!("{:?} {:?}", text.content, text.rules);
            (seen.joined, seen.in_link) = (text.joined, text.in_link);
            return seen;
        }
        Token::BaseEnd => return seen,
        Token::Notice(notice) => {
            return Peek { what: TokenKind::Notice, context: notice.as_str().to_owned(), ..seen };
        }
        Token::Label(label) => {
            let range = match label.text {
                LabelText::Whole(range) => range,
                LabelText::Given(_) => 0..0,
                LabelText::Pieces(pieces) => match (pieces.first(), pieces.last()) {
                    (Some(first), Some(last)) => first.range.start..last.range.end,
                    _ => 0..0,
                },
            };
            return Peek { what: TokenKind::Label, range, ..seen };
        }
        Token::LongEnd(end) => {
            return Peek { what: TokenKind::LongEnd, range: end..end, ..seen };
        }
        Token::Value(value) => (TokenKind::Value, value),
        Token::Base { value, .. } => (TokenKind::Base, value),
        Token::Long(value) => (TokenKind::Long, value),
    };
    seen.what = what;
    seen.range = value.range;
    seen.context = value.context.name().to_owned();
    seen.grammar = format!("{:?}", value.grammar);
    seen
}

/// How the IRIs lie in an attribute of HTML, if it holds any on this element.
///
/// ```
/// assert_eq!(linksift::peek::html_place("img", "srcset", false).as_deref(), Some("Srcset"));
/// assert_eq!(linksift::peek::html_place("img", "href", false), None);
/// ```
pub fn html_place(element: &str, attribute: &str, is_foreign: bool) -> Option<String> {
    let element = Element::of(element.as_bytes());
    markup::html_place(element, attribute.as_bytes(), is_foreign, &ValueLimits::default())
        .map(|(grammar, _)| format!("{grammar:?}"))
}

/// How much the tokenizer of HTML gives: values, references in them, bytes of text.
///
/// ```
/// assert_eq!(linksift::peek::html_count(b"<img srcset='a 1x, b 2x'>c.d"), [1, 2, 3]);
/// ```
pub fn html_count(bytes: &[u8]) -> [u64; 3] {
    let mut counts = [0; 3];
    let mut html = Html::new(ValueLimits::default());
    while let TokenizerStep::Token(run) = html.next(Chunk::whole(bytes)) {
        match run {
            Token::Text(text) => counts[2] += text.range.len() as u64,
            Token::Value(value) | Token::Base { value, .. } => {
                counts[0] += 1;
                // Another stage decodes values that are not UTF-8.
                if let Some(Ok(text)) = bytes.get(value.range).map(std::str::from_utf8) {
                    markup::each_reference(text, value.grammar, value.rules, |_| counts[1] += 1);
                }
            }
            Token::BaseEnd
            | Token::Long(_)
            | Token::LongEnd(_)
            | Token::Label(_)
            | Token::Notice(_) => {}
        }
    }
    counts
}

/// The references in a value's text by a grammar of [`html_place`], and where each is in it.
///
/// ```
/// assert_eq!(linksift::peek::references(" a&amp;b ", "Url"), [("a&b".to_owned(), 1..8)]);
/// ```
pub fn references(text: &str, grammar: &str) -> Vec<(String, Range<usize>)> {
    const ALL: [Grammar; 6] = [
        Grammar::Url,
        Grammar::NonEmptyUrl,
        Grammar::AbsoluteOnly,
        Grammar::SpaceList,
        Grammar::CommaList,
        Grammar::Srcset,
    ];
    let known = ALL.into_iter().find(|known| format!("{known:?}") == grammar);
    let grammar = known.unwrap_or(Grammar::Refresh);
    let mut all = Vec::new();
    markup::each_reference(text, grammar, Rules::HtmlAttribute, |found| {
        all.push((found.text.into_owned(), found.range));
    });
    all
}

/// A text with its references resolved as in an `attribute` of HTML, in its `text`, or in `xml`.
///
/// ```
/// assert_eq!(linksift::peek::resolved("&notit;", "text"), "¬it;");
/// assert_eq!(linksift::peek::resolved("&notit;", "attribute"), "&notit;");
/// ```
pub fn resolved(text: &str, rules: &str) -> String {
    let rules = match rules {
        "attribute" => Rules::HtmlAttribute,
        "text" => Rules::HtmlText,
        "xml" => Rules::Xml,
        _ => Rules::Plain,
    };
    reference::plainly_resolved(text, rules).into_owned()
}

/// Appends what a part of mail stands for by its transfer encoding, as far as that goes; how many bytes that is.
///
/// ```
/// let mut decoded = Vec::new();
/// assert_eq!(linksift::peek::untransferred("base64", b"Y29t\nbw==\n", &mut decoded), 4);
/// assert_eq!(decoded, b"como");
/// ```
#[cfg(feature = "mail")]
pub fn untransferred(encoding: &str, bytes: &[u8], decoded: &mut Vec<u8>) -> usize {
    use crate::mail::{ExpectedContent, TransferDecoder, TransferEncoding};

    let start = decoded.len();
    let encoding = TransferEncoding::of(encoding.as_bytes()).unwrap_or_default();
    TransferDecoder::new(encoding, b'\n', ExpectedContent::Bytes).decode(bytes, true, decoded);
    decoded.len() - start
}

/// One run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MarkupRun {
    /// `value`, `text`, `sheet`, `base`, `base-end`, `long`.
    pub what: &'static str,
    /// Range in the stored bytes.
    pub range: Range<usize>,
    /// `a@href`; empty for a token that is not a value.
    pub context: String,
    /// How references lie in it: the name of the grammar.
    pub grammar: String,
    /// With its references and escapes resolved.
    pub text: String,
    /// Whether it is inside a link whose reference was given.
    pub in_link: bool,
}

/// The runs of a document in `format` (`css`, `csv`, `html`, `json`, `markdown`, `xml`), given in pieces that end at `cuts`.
///
/// ```
/// let found = linksift::peek::runs("css", b"a{b:url(c\\64)}", &[9]);
/// assert_eq!((found[0].what, &*found[0].text), ("value", "cd"));
/// ```
pub fn runs(format: &str, bytes: &[u8], cuts: &[usize]) -> Vec<MarkupRun> {
    let limits = ValueLimits::default();
    match format {
        "css" => RunBuilder::all(&mut Css::new(limits), bytes, cuts),
        "json" => RunBuilder::all(&mut Json::new(limits), bytes, cuts),
        "csv" => RunBuilder::all(&mut Csv::new(), bytes, cuts),
        "html" => RunBuilder::all(&mut Html::new(limits), bytes, cuts),
        "markdown" => RunBuilder::all(&mut Markdown::new(limits), bytes, cuts),
        "xml" => RunBuilder::all(&mut Xml::new(limits), bytes, cuts),
        _ => Vec::new(),
    }
}

/// The format that a document goes by with this name and beginning: `text`, `css` …
///
/// ```
/// assert_eq!(linksift::peek::format(None, b"<?xml version='1.0'?>"), "xml");
/// ```
pub fn format(name: Option<&[u8]>, head: &[u8]) -> &'static str {
    match format_of(name.unwrap_or_default(), head) {
        DocumentFormat::Text => "text",
        DocumentFormat::Code => "code",
        DocumentFormat::Yaml => "yaml",
        DocumentFormat::Http => "http",
        DocumentFormat::Notebook => "notebook",
        DocumentFormat::Rst => "rst",
        DocumentFormat::Asciidoc => "asciidoc",
        DocumentFormat::Rtf => "rtf",
        DocumentFormat::Html => "html",
        DocumentFormat::Xml => "xml",
        DocumentFormat::Markdown => "markdown",
        DocumentFormat::Css => "css",
        DocumentFormat::Json | DocumentFormat::Manifest => "json",
        DocumentFormat::Csv => "csv",
        DocumentFormat::Calendar => "calendar",
        DocumentFormat::Vcard => "vcard",
        DocumentFormat::Escaped(grammar) => match grammar {
            EscapeGrammar::Properties => "properties",
            EscapeGrammar::Po => "po",
            EscapeGrammar::Strings => "strings",
            EscapeGrammar::Tex => "tex",
            EscapeGrammar::Texinfo => "texinfo",
            EscapeGrammar::Pod => "pod",
            EscapeGrammar::Roff => "roff",
            EscapeGrammar::Perl => "perl",
            EscapeGrammar::Notebook => "notebook",
            EscapeGrammar::Cell | EscapeGrammar::Header => "xml",
        },
        DocumentFormat::Email => "email",
        DocumentFormat::Mbox => "mbox",
    }
}

/// The runs of a document so far, pieces of one text joined.
struct RunBuilder<'d> {
    bytes: &'d [u8],
    found: Vec<MarkupRun>,
    /// The last text said that it may go on.
    open: bool,
    /// The stretches of the last text, neighbours by the same rules as one.
    pieces: Vec<(Range<usize>, Rules)>,
}

impl<'d> RunBuilder<'d> {
    fn all(tokenizer: &mut impl Tokenizer, bytes: &'d [u8], cuts: &[usize]) -> Vec<MarkupRun> {
        let mut joined = RunBuilder { bytes, found: Vec::new(), open: false, pieces: Vec::new() };
        let ends: Vec<usize> = cuts.iter().copied().filter(|cut| *cut <= bytes.len()).collect();
        let starts = [0].into_iter().chain(ends.iter().copied());
        let ends = ends.iter().copied().chain([bytes.len()]);
        let blocks: Vec<&[u8]> = starts.zip(ends).map(|(start, end)| &bytes[start..end]).collect();
        each_run(tokenizer, &blocks, |run| joined.note(run));
        joined.found
    }

    fn note(&mut self, run: Token) {
        match run {
            Token::Value(value) => self.value("value", value),
            Token::Long(value) => self.value("long", value),
            Token::Base { value, .. } => self.value("base", value),
            Token::BaseEnd => self.found.push(empty("base-end", 0..0)),
            Token::Label(_) | Token::Notice(_) => {}
            Token::LongEnd(end) => {
                if let Some(found) = self.found.last_mut() {
                    found.range.end = end;
                }
            }
            Token::Text(text) => self.text(text),
        }
    }

    fn value(&mut self, what: &'static str, value: UrlValue) {
        let range = value.range;
        let stored = String::from_utf8_lossy(&self.bytes[range.clone()]);
        let text = markup::resolved_in(&stored, value.grammar, value.rules).text.into_owned();
        self.found.push(MarkupRun {
            range,
            context: value.context.name().to_owned(),
            grammar: format!("{:?}", value.grammar),
            text,
            ..empty(what, 0..0)
        });
    }

    fn text(&mut self, run: TextToken) {
        let text = &run;
        let range = text.range.clone();
        let what = match text.content {
            Content::Running | Content::Asciidoc | Content::Value => "text",
            Content::Code => "code",
            Content::Sheet => "sheet",
        };
        assert!(self.open || !text.joined, "a text at {range:?} goes on from one that had ended");
        self.open = text.open;
        match self.pieces.last_mut() {
            _ if !text.joined => self.pieces = vec![(range.clone(), text.rules)],
            // A reference may be cut between two pieces.
            Some((last, rules)) if last.end == range.start && *rules == text.rules => {
                last.end = range.end;
            }
            _ => self.pieces.push((range.clone(), text.rules)),
        }
        let piece = |(range, rules): &(Range<usize>, Rules)| {
            let stored = String::from_utf8_lossy(&self.bytes[range.clone()]);
            plainly_resolved(&stored, *rules).into_owned()
        };
        // Values may stand between the pieces of a text.
        let mut found = self.found.iter_mut().rev();
        match found.find(|found| ["text", "code", "sheet"].contains(&found.what)) {
            Some(last) if run.joined => {
                assert_eq!(last.what, what, "{range:?}");
                last.range.end = range.end;
                // The text is made when it is whole: a long one comes in many pieces.
                if !text.open {
                    last.text = self.pieces.iter().map(piece).collect();
                }
            }
            _ if range.is_empty() => {}
            _ => {
                let text = self.pieces.iter().map(piece).collect();
                self.found.push(MarkupRun { text, in_link: run.in_link, ..empty(what, range) });
            }
        }
    }
}

fn empty(what: &'static str, range: Range<usize>) -> MarkupRun {
    MarkupRun {
        what,
        range,
        context: String::new(),
        grammar: String::new(),
        text: String::new(),
        in_link: false,
    }
}
