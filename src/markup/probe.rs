//! What the tokenizers give, for tests and for comparisons with other parsers: not part of the API.
//!
//! A document goes in, in pieces if wanted; its runs come out with their text resolved, pieces of one
//! text joined. Whatever a tokenizer says it needs no more is gone before it is called again.

use std::ops::Range;

use crate::reference::plainly_resolved;

use super::css::{self, Css};
use super::format::{Kind, format_of};
use super::html::Html;
use super::markdown::{self, Markdown};
use super::xml::{self, Xml};
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

/// The runs of a document in `format` (`css`, `html`, `markdown`, `xml`), given in pieces that end at `cuts`.
pub fn runs(format: &str, bytes: &[u8], cuts: &[usize]) -> Vec<Found> {
    match format {
        "css" => Drive::new(bytes).all(Css::new(Limits::default()), cuts),
        "html" => Drive::new(bytes).all(Html::new(Limits::default()), cuts),
        "markdown" => Drive::new(bytes).all(Markdown::new(Limits::default()), cuts),
        "xml" => Drive::new(bytes).all(Xml::new(Limits::default()), cuts),
        _ => Vec::new(),
    }
}

/// How many runs a document that is in memory whole has: nothing is kept of them.
pub fn count(format: &str, bytes: &[u8]) -> usize {
    fn all<T: Tokenizer>(mut tokenizer: T, bytes: &[u8]) -> usize {
        let mut count = 0;
        while let Step::Run(_) = tokenizer.next(bytes, true) {
            count += 1;
        }
        count
    }
    let limits = Limits::default();
    match format {
        "css" => all(Css::new(limits), bytes),
        "html" => all(Html::new(limits), bytes),
        "markdown" => all(Markdown::new(limits), bytes),
        "xml" => all(Xml::new(limits), bytes),
        _ => 0,
    }
}

/// The format that a document goes by with this name and beginning: `text`, `css` …
pub fn format(name: Option<&[u8]>, head: &[u8]) -> &'static str {
    match format_of(name, head) {
        Kind::Text => "text",
        Kind::Html => "html",
        Kind::Xml => "xml",
        Kind::Markdown => "markdown",
        Kind::Css => "css",
    }
}

/// Gives a document to a tokenizer, piece by piece.
struct Drive<'d> {
    bytes: &'d [u8],
    found: Vec<Found>,
    /// The last text said that it may go on.
    open: bool,
    /// The stretches of the last text, neighbours by the same rules as one.
    pieces: Vec<(Range<usize>, Rules)>,
}

impl<'d> Drive<'d> {
    fn new(bytes: &'d [u8]) -> Drive<'d> {
        Drive { bytes, found: Vec::new(), open: false, pieces: Vec::new() }
    }

    fn all<T: Tokenizer>(mut self, mut tokenizer: T, cuts: &[usize]) -> Vec<Found> {
        let mut base = 0;
        let ends = cuts.iter().copied().chain([self.bytes.len()]);
        let ends: Vec<usize> = ends.filter(|end| *end <= self.bytes.len()).collect();
        for (n, &end) in ends.iter().enumerate() {
            while let Step::Run(run) = tokenizer.next(&self.bytes[base..end], n + 1 == ends.len()) {
                self.note(run, base);
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
            Grammar::Content => xml::content_resolved(&stored, 0).0.into_owned(),
            Grammar::Markdown => markdown::resolved(&stored).0.into_owned(),
            _ => plainly_resolved(&stored, value.rules).into_owned(),
        };
        self.found.push(Found {
            range,
            context: value.context.into_owned(),
            grammar: format!("{:?}", value.grammar),
            text,
            ..empty(what, 0..0)
        });
    }

    fn text(&mut self, run: Text, base: usize) {
        let text = &run;
        let range = base + text.range.start..base + text.range.end;
        let what = match text.content {
            Content::Running => "text",
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
        match self.found.last_mut() {
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
                self.found.push(Found { text, in_link: run.in_link, ..empty(what, range) });
            }
        }
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
