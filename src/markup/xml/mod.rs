//! XML: finds the IRIs in feeds, site maps, drawings, books, packages and XML of any kind.
//!
//! The input is bytes in any ASCII-compatible encoding, the result is values and text. The first 64 KiB of a tag are read
//! ahead for the namespaces and the base that it declares; `vocabulary` then defines which attributes and which contents
//! are IRIs. In unknown vocabularies `href`, `src`, `xlink:href` and values that are absolute IRIs count, but never the
//! name of a namespace. HTML in text or in an attribute is returned as a fragment or a separate document.
//!
//! This is not a validator: malformed XML is read as far as possible, an end tag that closes nothing is ignored, and a
//! truncated document yields what it has. Nothing is fetched.

mod attribute;
mod cells;
mod content;
mod doctype;
mod entities;
mod features;
mod flow;
mod held;
mod instruction;
mod package;
mod paragraph;
mod part;
mod plain;
mod point;
mod purpose;
mod result;
mod run;
mod scope;
mod tag;
mod vocabulary;

use std::collections::VecDeque;
use std::ops::Range;
use std::sync::Arc;

use attribute::is_space;
use content::{ContentUnit, Gathered, Opener, find, gather, opener_at};
pub(crate) use content::{
    resolved as content_resolved, resolved_base64 as base64_resolved, run_resolved,
};
use doctype::Doctype;
pub(crate) use entities::{Entities, EntityError, Unexpanded};
pub(crate) use flow::resolved as field_resolved;
use held::is_absolute;
pub(crate) use package::{PackageText, PackageTexts};
use paragraph::ParagraphRuns;
use plain::PlainAttribute;
pub(crate) use point::XmlPoint;
pub(crate) use result::result_text;
use run::RunSearch;
use scope::ElementStack;
pub(crate) use scope::XmlStackPoint;
use tag::CurrentTag;

use super::cdata::{IsBoundary, cdata_cut, cdata_end};
use super::formula::may_be_formula;
use super::{
    Content, Grammar, LabelText, LinkLabel, NeedsMore, Rules, TextToken, Token, TokenResult,
    Tokenizer, TokenizerStep, UrlValue, ValueLimits,
};
use crate::context::StoredContext;
use crate::input::chunk::Chunk;
use crate::notice::Notice;
use crate::simd::signs::Isa;

/// Tokenizer for XML.
#[derive(Clone, Debug)]
pub(crate) struct Xml {
    limits: ValueLimits,
    is_boundary: IsBoundary,
    at: usize,
    mode: XmlMode,
    /// Whether the last text that was returned may continue.
    open: bool,
    scope: ElementStack,
    tag: CurrentTag,
    /// Attributes of the plain tag that is being read.
    attributes: Vec<PlainAttribute>,
    best: Isa,
    looked: RunSearch,
    runs: ParagraphRuns,
    entities: Entities,
    /// Offset before which texts are in the code of a field, and each is apart.
    code_until: usize,
    /// Tokens that are returned before anything else is read.
    due: VecDeque<Token>,
    /// Texts of the links of the part whose relationships these are.
    texts: Option<Arc<PackageTexts>>,
    /// Bytes of texts that links have got.
    labels_given: usize,
}

/// Construct that the tokenizer is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum XmlMode {
    Content,
    Cdata,
    /// In markup that is skipped; in a document type declaration, or else in content.
    Until(Until, Option<Doctype>),
    Doctype(Doctype),
    /// Between the attributes of a start tag.
    Tag,
    /// In an attribute's value that is too long; whether it was returned.
    LongValue {
        quote: Option<u8>,
        given: bool,
    },
    /// In such a value that is text, and too long to be checked as a complete value.
    LongText {
        quote: Option<u8>,
    },
    /// After the start tag of an element whose content is a value.
    Whole(Grammar),
}

/// Delimiter that ends a skipped range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Until {
    Comment,
    Instruction,
    Tag,
    Quote(u8),
}

impl Xml {
    /// Creates a tokenizer for bytes in UTF-8, or in an encoding with one byte per character.
    pub(crate) fn new(limits: ValueLimits) -> Xml {
        Xml {
            limits,
            is_boundary: |_, _, _| true,
            at: 0,
            mode: XmlMode::Content,
            open: false,
            scope: ElementStack::default(),
            tag: CurrentTag::default(),
            attributes: Vec::new(),
            best: Isa::detect(),
            looked: RunSearch::default(),
            runs: ParagraphRuns::default(),
            entities: Entities::default(),
            code_until: 0,
            due: VecDeque::new(),
            texts: None,
            labels_given: 0,
        }
    }

    /// Sets the function for an encoding in which a character may have several bytes.
    pub(crate) fn boundaries(self, is_boundary: IsBoundary) -> Xml {
        Xml { is_boundary, ..self }
    }

    /// Sets the texts of the links of the part whose relationships the document has.
    pub(crate) fn texts(self, texts: Option<Arc<PackageTexts>>) -> Xml {
        Xml { texts, ..self }
    }

    /// Returns the entities that the document has declared so far.
    pub(crate) fn entities(&mut self) -> &mut Entities {
        &mut self.entities
    }

    fn inner(&mut self, bytes: Chunk<'_>) -> TokenResult {
        match self.mode {
            XmlMode::Content => self.content(bytes),
            XmlMode::Cdata => self.cdata(bytes),
            XmlMode::Until(until, back) => self.until(bytes, until, back),
            XmlMode::Doctype(inside) => self.doctype(bytes, inside),
            XmlMode::Tag => self.attributes(bytes),
            XmlMode::LongValue { quote, given } => self.long_value(bytes, quote, given),
            XmlMode::LongText { quote } => self.long_text(bytes, quote),
            XmlMode::Whole(grammar) => self.whole(bytes, grammar),
        }
    }

    /// Reads text, up to the markup that ends it.
    fn content(&mut self, bytes: Chunk<'_>) -> TokenResult {
        if !self.open {
            if self.looked.waits(self.at, bytes) {
                return Err(NeedsMore);
            }
            if self.entities.is_empty() {
                let run = self.plain(bytes);
                if run.is_some() || self.mode != XmlMode::Content || !self.due.is_empty() {
                    return Ok(run);
                }
            }
            while bytes.get(self.at).is_some_and(|byte| is_space(*byte)) {
                self.at += 1;
            }
            if let Some(run) = self.fragment(bytes)? {
                return Ok(Some(run));
            }
            if let Some(run) = self.with_entities(bytes)? {
                return Ok(Some(run));
            }
        }
        let start = self.at;
        let mut at = start;
        loop {
            let Some(next) = memchr::memchr(b'<', bytes.get(at..).unwrap_or_default()) else {
                if start >= bytes.end() {
                    return self.ended(bytes.is_last());
                }
                self.at = bytes.end();
                return Ok(self.text(start..bytes.end(), !bytes.is_last(), Rules::Xml));
            };
            at += next;
            let opener = opener_at(bytes, at);
            if opener == Opener::None {
                at += 1;
                continue;
            }
            let may_go_on = match at < self.code_until {
                true => Some(false),
                false => self.goes_on_after(bytes, at, opener),
            };
            let text = self.text(start..at, may_go_on.unwrap_or(true), Rules::Xml);
            self.at = at;
            if text.is_none() {
                // The construct that begins here must be known before it is entered.
                may_go_on.ok_or(NeedsMore)?;
                self.opener(bytes, opener)?;
            }
            return Ok(text);
        }
    }

    /// Handles the end of the bytes within text.
    fn ended(&mut self, is_last: bool) -> TokenResult {
        match is_last && self.open {
            true => Ok(self.text(self.at..self.at, false, Rules::Xml)),
            false => Err(NeedsMore),
        }
    }

    /// Enters the construct that a `<` begins.
    fn opener(&mut self, bytes: Chunk<'_>, opener: Opener) -> Result<(), NeedsMore> {
        let (len, mode) = match opener {
            Opener::Tag => return self.start_tag(bytes),
            Opener::EndTag => return self.end_tag(bytes),
            Opener::Instruction => return self.instruction(bytes),
            Opener::Comment => (4, XmlMode::Until(Until::Comment, None)),
            Opener::Cdata => (9, XmlMode::Cdata),
            Opener::Doctype => (9, XmlMode::Doctype(Doctype::default())),
            Opener::Declaration => (2, XmlMode::Until(Until::Tag, None)),
            Opener::None | Opener::Cut => (1, XmlMode::Content),
        };
        self.at += len;
        self.mode = mode;
        Ok(())
    }

    fn cdata(&mut self, bytes: Chunk<'_>) -> TokenResult {
        if !self.open {
            while bytes.get(self.at).is_some_and(|byte| is_space(*byte)) {
                self.at += 1;
            }
        }
        let start = self.at;
        if let Some(end) = cdata_end(bytes, start, self.is_boundary) {
            self.at = end + 3;
            self.mode = XmlMode::Content;
            // The text may continue; if it does not, an empty text reports that.
            let open = self.open || start < end;
            return Ok(self.text(start..end, open, Rules::None));
        }
        if bytes.is_last() {
            self.at = bytes.end();
            self.mode = XmlMode::Content;
            return Ok(self.text(start..bytes.end(), false, Rules::None));
        }
        let end = cdata_cut(bytes, start, self.is_boundary);
        if end == start {
            return Err(NeedsMore);
        }
        self.at = end;
        Ok(self.text(start..end, true, Rules::None))
    }

    fn until(&mut self, bytes: Chunk<'_>, until: Until, back: Option<Doctype>) -> TokenResult {
        let quote;
        let needle: &[u8] = match until {
            Until::Comment => b"-->",
            Until::Instruction => b"?>",
            Until::Tag => b">",
            Until::Quote(byte) => {
                quote = [byte];
                &quote
            }
        };
        match find(bytes, self.at, needle) {
            Some(end) => {
                self.at = end + needle.len();
                self.mode = back.map_or(XmlMode::Content, XmlMode::Doctype);
                Ok(None)
            }
            None => {
                let kept = if bytes.is_last() { 0 } else { needle.len() - 1 };
                self.at = bytes.end().saturating_sub(kept).max(self.at);
                if bytes.is_last() {
                    self.mode = XmlMode::Content;
                    return Ok(None);
                }
                Err(NeedsMore)
            }
        }
    }

    /// Reads a text that has entities of the document as a value, so that they are resolved.
    fn with_entities(&mut self, bytes: Chunk<'_>) -> TokenResult {
        let is_code = self.scope.innermost().is_some_and(|open| open.is_code);
        if self.entities.is_empty() || self.scope.is_outside() || is_code {
            return Ok(None);
        }
        let start = self.at;
        let limit = self.limits.link;
        let window = &bytes[start..bytes.end().min(start + limit + 1)];
        // A longer text is cut at white space, where no link goes on.
        let is_blank = |byte: &u8| byte.is_ascii_whitespace();
        let (len, is_cut) = match memchr::memchr(b'<', window) {
            Some(len) => (len, false),
            None if window.len() > limit => match window[..limit].iter().rposition(is_blank) {
                Some(blank) => (blank + 1, true),
                None => {
                    if self.entities.are_in(window) {
                        self.due.push_back(Token::Notice(Notice::ValueTooLong));
                    }
                    return Ok(None);
                }
            },
            None if bytes.is_last() => (window.len(), false),
            None => return Err(NeedsMore),
        };
        if !is_cut && !self.entities.are_in(&window[..len]) {
            return Ok(None);
        }
        self.at = start + len;
        Ok(Some(self.value(start..start + len, StoredContext::TEXT, Grammar::Running, Rules::Xml)))
    }

    /// Reads the content of an element that is a value, up to its end tag.
    fn whole(&mut self, bytes: Chunk<'_>, grammar: Grammar) -> TokenResult {
        let start = self.at;
        let limit = grammar.limit(&self.limits);
        if grammar == Grammar::Field {
            return self.field(bytes, limit);
        }
        let what = (ContentUnit::Content, self.is_boundary);
        let (pieces, end) = match gather(bytes, start, limit, what) {
            Gathered::Cut => return Err(NeedsMore),
            Gathered::Other => {
                self.mode = XmlMode::Content;
                return Ok(None);
            }
            Gathered::Pieces { pieces, end } => (pieces, end),
        };
        self.mode = XmlMode::Content;
        let grammar = match (&pieces[..], grammar) {
            ([piece], Grammar::Formula) if may_be_formula(&bytes[piece.range.clone()]) => grammar,
            (_, Grammar::Formula) => return Ok(None),
            ([piece], Grammar::AbsoluteOnly) => {
                match self.identifier(&bytes[piece.range.clone()]) {
                    Some(grammar) => grammar,
                    // It is text.
                    None => return Ok(None),
                }
            }
            (_, grammar) => grammar,
        };
        self.at = end;
        let context = self.context_of_content();
        let is_one = !matches!(
            grammar,
            Grammar::Srcdoc | Grammar::Base64Html | Grammar::Base64Text | Grammar::Running
        );
        if is_one && pieces.len() > 1 {
            let value = self.value(start..end, context, Grammar::Content, Rules::Xml);
            return Ok(Some(value));
        }
        for piece in pieces {
            let rules = if piece.is_cdata { Rules::None } else { Rules::Xml };
            let run = self.value(piece.range, context.clone(), grammar, rules);
            self.due.push_back(run);
        }
        Ok(None)
    }

    /// Returns the grammar of the content of an element that names something by an IRI; `None` if it is not an IRI. Atom's
    /// `id` may have any scheme (RFC 4287 §4.2.6), and a relative one is resolved as other references are; the `guid` of
    /// RSS may be anything.
    fn identifier(&self, content: &[u8]) -> Option<Grammar> {
        if is_absolute(content) {
            return Some(Grammar::AbsoluteOnly);
        }
        let is_word = !content.iter().any(u8::is_ascii_whitespace);
        (self.tag.is_atom() && is_word).then_some(Grammar::Url)
    }

    /// Returns a text token if it has content, or if it reports that the previous text has ended.
    fn text(&mut self, range: Range<usize>, open: bool, rules: Rules) -> Option<Token> {
        let joined = self.open;
        let range =
            if self.scope.flow().is_without_text() { range.start..range.start } else { range };
        if range.is_empty() && (open || !joined) {
            return None;
        }
        self.open = open;
        let inside = self.scope.innermost();
        let (in_link, content, own) = match inside {
            Some(inside) if inside.is_code => {
                self.open = false;
                return None;
            }
            Some(inside) if inside.is_sheet => (inside.in_link, Content::Sheet, inside.rules),
            Some(inside) if inside.is_listing => (inside.in_link, Content::Code, inside.rules),
            Some(inside) => (inside.in_link, Content::Running, inside.rules),
            None => (false, Content::Running, Rules::Xml),
        };
        Some(Token::Text(TextToken {
            range,
            rules: if rules == Rules::Xml { own } else { rules },
            content,
            joined,
            open,
            in_link,
        }))
    }

    fn value(
        &self,
        range: Range<usize>,
        context: StoredContext,
        grammar: Grammar,
        rules: Rules,
    ) -> Token {
        Token::Value(UrlValue { range, context, grammar, rules })
    }
}

impl Tokenizer for Xml {
    fn next(&mut self, bytes: Chunk<'_>) -> TokenizerStep {
        loop {
            if let Some(run) = self.due.pop_front() {
                return TokenizerStep::Token(run);
            }
            match self.inner(bytes) {
                Ok(Some(run)) => return TokenizerStep::Token(run),
                Ok(None) => {}
                Err(NeedsMore) if !bytes.is_last() => {
                    return TokenizerStep::Incomplete { needed: self.at };
                }
                Err(NeedsMore) => {
                    // Unclosed markup ends with the input.
                    self.at = bytes.end();
                    self.mode = XmlMode::Content;
                    if let Some(run) = self.text(self.at..self.at, false, Rules::Xml) {
                        return TokenizerStep::Token(run);
                    }
                    return TokenizerStep::Done;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns whether a character begins at `at` in Shift_JIS, as far as needed: a character of two bytes begins with
    /// 81–9F or E0–FC.
    fn begins(bytes: Chunk<'_>, known: usize, at: usize) -> bool {
        let mut start = known;
        while start < at {
            start += 1 + usize::from(matches!(bytes[start], 0x81..=0x9F | 0xE0..=0xFC));
        }
        start == at
    }

    fn all(bytes: &[u8], cut: usize) -> Vec<Token> {
        let mut xml = Xml::new(ValueLimits::default()).boundaries(begins);
        let mut runs = Vec::new();
        for (end, is_last) in [(cut, false), (bytes.len(), true)] {
            while let TokenizerStep::Token(run) = xml.next(Chunk::new(&bytes[..end], 0, is_last)) {
                runs.push(run);
            }
        }
        runs
    }

    /// 83 5D is one character, whose second half looks like a bracket.
    #[test]
    fn half_a_character_ends_no_cdata() {
        let document = b"<a><![CDATA[\x83\x5D]>\x83\x5D\x83\x5D]]></a><b href='\x83\x5D'/>";
        let ends = |runs: &[Token]| -> Vec<usize> {
            let end = |run: &Token| match run {
                Token::Text(text) if !text.open || text.range.end == 20 => Some(text.range.end),
                Token::Value(value) => Some(value.range.end),
                _ => None,
            };
            runs.iter().filter_map(end).collect()
        };
        for cut in 0..document.len() {
            let runs = all(document, cut);
            assert_eq!(ends(&runs).last(), Some(&38), "{cut} {runs:?}");
            assert!(ends(&runs).contains(&20), "{cut} {runs:?}");
        }
        let content = b"<rss><link><![CDATA[\x83\x5D]>x]]></link></rss>";
        let Some(Token::Value(value)) = all(content, 5).pop() else { panic!("no value") };
        assert_eq!(value.range, 20..25);
    }
}
