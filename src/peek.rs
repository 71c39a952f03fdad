//! A window into stages that the public interface shows only joined: for tests and benches.
//!
//! Not part of the interface: it changes without notice.

use std::ops::Range;

use crate::markup::{self, Grammar, Html, Limits, Run, Step, Tokenizer};
use crate::reference::{self, Rules};

/// What a tokenizer gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Peek {
    /// What it is.
    pub what: What,
    /// In the bytes of all blocks together.
    pub range: Range<usize>,
    /// Of a value: where it stood. Of a text: what it is.
    pub context: String,
    /// Of a value: how the references lie in it.
    pub grammar: String,
    /// Of a text: it goes on from the one before.
    pub joined: bool,
    /// Of a text: it stands inside a link.
    pub in_link: bool,
}

/// What kind of thing a tokenizer gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "as in the room `markup`")]
pub enum What {
    Value,
    Text,
    Base,
    BaseEnd,
    Long,
    LongEnd,
}

/// What the tokenizer of HTML gives for these blocks, one behind the other; a value of one reference
/// may be so long. The bytes that it says it needs no more are taken away from it.
///
/// ```
/// let all = linksift::peek::html(&[b"<a hre", b"f=x>"], 100);
/// assert_eq!((all[0].range.clone(), &*all[0].context), (8..9, "a@href"));
/// ```
pub fn html(blocks: &[&[u8]], longest: usize) -> Vec<Peek> {
    let limits = Limits { link: longest, ..Limits::default() };
    let mut all = Vec::new();
    each_run(&mut Html::new(limits), blocks, |run, base| all.push(peek(run, base)));
    all
}

/// The most bytes that the tokenizer of HTML keeps of so many copies of a block.
///
/// ```
/// assert!(linksift::peek::html_kept(&[b'a'; 1000], 100, 100) <= 1000);
/// ```
pub fn html_kept(block: &[u8], copies: usize, longest: usize) -> usize {
    let limits = Limits { link: longest, whole: longest };
    let blocks = (0..copies).map(|n| (block, n + 1 == copies));
    each_run_of(&mut Html::new(limits), blocks, |_, _| {})
}

fn each_run(tokenizer: &mut impl Tokenizer, blocks: &[&[u8]], give: impl FnMut(Run, usize)) {
    let blocks = blocks.iter().enumerate().map(|(n, block)| (*block, n + 1 == blocks.len()));
    each_run_of(tokenizer, blocks, give);
}

fn each_run_of<'b>(
    tokenizer: &mut impl Tokenizer,
    blocks: impl Iterator<Item = (&'b [u8], bool)>,
    mut give: impl FnMut(Run, usize),
) -> usize {
    let (mut buffer, mut base, mut most) = (Vec::new(), 0, 0);
    for (block, is_last) in blocks {
        buffer.extend_from_slice(block);
        most = most.max(buffer.len());
        while let Step::Run(run) = tokenizer.next(&buffer, is_last) {
            give(run, base);
        }
        let done = tokenizer.needed();
        tokenizer.shift(done);
        buffer.drain(..done);
        base += done;
    }
    most
}

fn peek(run: Run, base: usize) -> Peek {
    let mut seen = Peek {
        what: What::BaseEnd,
        range: 0..0,
        context: String::new(),
        grammar: String::new(),
        joined: false,
        in_link: false,
    };
    let (what, value) = match run {
        Run::Text(text) => {
            seen.what = What::Text;
            seen.range = base + text.range.start..base + text.range.end;
            seen.context = format!("{:?} {:?}", text.content, text.rules);
            (seen.joined, seen.in_link) = (text.joined, text.in_link);
            return seen;
        }
        Run::BaseEnd => return seen,
        Run::LongEnd(end) => {
            return Peek { what: What::LongEnd, range: base + end..base + end, ..seen };
        }
        Run::Value(value) => (What::Value, value),
        Run::Base { value, .. } => (What::Base, value),
        Run::Long(value) => (What::Long, value),
    };
    seen.what = what;
    seen.range = base + value.range.start..base + value.range.end;
    seen.context = value.context.into_owned();
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
    markup::html_place(element, attribute, is_foreign).map(|grammar| format!("{grammar:?}"))
}

/// How much the tokenizer of HTML gives: values, references in them, bytes of text.
///
/// ```
/// assert_eq!(linksift::peek::html_count(b"<img srcset='a 1x, b 2x'>c.d"), [1, 2, 3]);
/// ```
pub fn html_count(bytes: &[u8]) -> [u64; 3] {
    let mut counts = [0; 3];
    let mut html = Html::new(Limits::default());
    while let Step::Run(run) = html.next(bytes, true) {
        match run {
            Run::Text(text) => counts[2] += text.range.len() as u64,
            Run::Value(value) | Run::Base { value, .. } => {
                counts[0] += 1;
                // What is not UTF-8 is decoded by another stage.
                if let Some(Ok(text)) = bytes.get(value.range).map(std::str::from_utf8) {
                    markup::each_reference(text, value.grammar, value.rules, |_| counts[1] += 1);
                }
            }
            Run::BaseEnd | Run::Long(_) | Run::LongEnd(_) => {}
        }
    }
    counts
}

/// The references in a value's text by a grammar of [`html_place`], and where each stands in it.
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
