//! What the tokenizers give, for tests and for comparisons with other parsers: not part of the API.
//!
//! A document goes in, in pieces if wanted; its runs come out with their text resolved, pieces of one
//! text joined. Whatever a tokenizer says it needs no more is gone before it is called again.

use std::borrow::Cow;
use std::ops::Range;

use super::css::{self, Css};
use super::{Content, Grammar, Limits, Rules, Run, Step, Text, Tokenizer, Value};

/// One run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Found {
    /// `value`, `text`, `sheet`, `base`, `base-end`, `long`.
    pub what: &'static str,
    /// Of stored bytes.
    pub range: Range<usize>,
    /// `a@href`; empty for what is no value.
    pub context: String,
    /// How references lie in it: the name of the grammar.
    pub grammar: String,
    /// With its references and escapes resolved.
    pub text: String,
    /// It stands inside a link whose reference was given.
    pub in_link: bool,
}

/// The runs of a document in `format` (`css`), given in pieces that end at `cuts`.
pub fn runs(format: &str, bytes: &[u8], cuts: &[usize]) -> Vec<Found> {
    match format {
        "css" => Drive::new(bytes).all(Css::new(Limits::default()), cuts),
        _ => Vec::new(),
    }
}

/// Gives a document to a tokenizer, piece by piece.
struct Drive<'d> {
    bytes: &'d [u8],
    found: Vec<Found>,
    /// The last text said that it may go on.
    open: bool,
}

impl<'d> Drive<'d> {
    fn new(bytes: &'d [u8]) -> Drive<'d> {
        Drive { bytes, found: Vec::new(), open: false }
    }

    fn all<T: Tokenizer>(mut self, mut tokenizer: T, cuts: &[usize]) -> Vec<Found> {
        let mut base = 0;
        let ends = cuts.iter().copied().chain([self.bytes.len()]);
        let ends: Vec<usize> = ends.filter(|end| *end <= self.bytes.len()).collect();
        for (n, &end) in ends.iter().enumerate() {
            loop {
                match tokenizer.next(&self.bytes[base..end], n + 1 == ends.len()) {
                    Step::Run(run) => self.note(run, base),
                    Step::More | Step::Done => break,
                }
            }
            let needed = tokenizer.needed();
            tokenizer.shift(needed);
            base += needed;
        }
        self.found
    }

    fn note(&mut self, run: Run, base: usize) {
        match run {
            Run::Value(value) => self.value("value", value, base),
            Run::Long(value) => self.value("long", value, base),
            Run::Base { value, .. } => self.value("base", value, base),
            Run::BaseEnd => self.found.push(empty("base-end", 0..0)),
            Run::LongEnd(end) => {
                if let Some(found) = self.found.last_mut() {
                    found.range.end = base + end;
                }
            }
            Run::Text(text) => self.text(text, base),
        }
    }

    fn value(&mut self, what: &'static str, value: Value, base: usize) {
        let range = base + value.range.start..base + value.range.end;
        let stored = String::from_utf8_lossy(&self.bytes[range.clone()]);
        let text = match value.grammar {
            Grammar::Css => css::resolved(&stored).0.into_owned(),
            _ => resolved(&stored, value.rules).into_owned(),
        };
        self.found.push(Found {
            range,
            context: value.context.into_owned(),
            grammar: format!("{:?}", value.grammar),
            text,
            ..empty(what, 0..0)
        });
    }

    fn text(&mut self, text: Text, base: usize) {
        let range = base + text.range.start..base + text.range.end;
        let stored = String::from_utf8_lossy(&self.bytes[range.clone()]);
        let resolved = resolved(&stored, text.rules);
        let what = match text.content {
            Content::Running => "text",
            Content::Sheet => "sheet",
        };
        assert!(self.open || !text.joined, "a text at {range:?} goes on from one that had ended");
        match self.found.last_mut() {
            Some(last) if text.joined => {
                assert_eq!(last.what, what, "{range:?}");
                last.range.end = range.end;
                last.text.push_str(&resolved);
            }
            _ if range.is_empty() => {}
            _ => self.found.push(Found {
                text: resolved.into_owned(),
                in_link: text.in_link,
                ..empty(what, range)
            }),
        }
        self.open = text.open;
    }
}

fn empty(what: &'static str, range: Range<usize>) -> Found {
    Found {
        what,
        range,
        context: String::new(),
        grammar: String::new(),
        text: String::new(),
        in_link: false,
    }
}

fn resolved(stored: &str, rules: Rules) -> Cow<'_, str> {
    match rules {
        _ => Cow::Borrowed(stored),
    }
}
