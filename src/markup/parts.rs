//! What formats of plain data have in common: a document is a row of parts, each a text of its own, or a fragment of HTML.

use std::ops::Range;

use super::fragment::{FragmentFormat, reading};
use super::{Content, Grammar, Rules, TextToken, Token, UrlValue};
use crate::context::Context;
use crate::notice::Notice;

/// The shortest text that can hold a link: `a.de`.
const SHORTEST: usize = 4;

/// Where the part begins that is being read, or what is left of it.
#[derive(Clone, Debug, Default)]
pub(super) struct TextSplitter {
    pub(super) at: usize,
    /// A piece of it was given, for the bytes ended before it did.
    pub(super) is_open: bool,
    /// Inspected as a value, and text.
    pub(super) is_text: bool,
    /// How far its end was looked for in vain.
    pub(super) seen: usize,
}

/// Kind of a part, by its beginning.
pub(super) enum StartedText {
    /// HTML, or the notice that it would be.
    Token(Token),
    Text,
    /// There must be more of it.
    Undecided,
}

/// A stretch that is a fragment of HTML.
pub(super) fn fragment(range: Range<usize>, grammar: Grammar, rules: Rules) -> Token {
    Token::Value(UrlValue { range, context: Context::TEXT, grammar, rules })
}

impl TextSplitter {
    /// The next part that is worth a look. `part` reads one: what of it is to be given, and whether another
    /// may begin after it in what is there.
    #[inline]
    pub(super) fn next(mut part: impl FnMut() -> (Option<Token>, bool)) -> Option<Token> {
        loop {
            match part() {
                (None, true) => {}
                (token, _) => return token,
            }
        }
    }

    /// From where on its end is to be looked for.
    pub(super) fn unseen(&self) -> usize {
        self.at.max(self.seen)
    }

    /// Returns the kind of the part that begins with these bytes; `is_end`: they are all of it.
    #[inline]
    pub(super) fn begun(&mut self, value: &[u8], is_end: bool, rules: Rules) -> StartedText {
        if self.is_open || self.is_text {
            return StartedText::Text;
        }
        match reading(value, is_end, rules) {
            FragmentFormat::Text => StartedText::Text,
            FragmentFormat::Undecided => StartedText::Undecided,
            FragmentFormat::TooLong => {
                self.is_text = true;
                StartedText::Token(Token::Notice(Notice::ReadAsText))
            }
            FragmentFormat::Html => {
                let range = self.at..self.at + value.len();
                StartedText::Token(fragment(range, Grammar::Fragment, rules))
            }
        }
    }

    /// The part up to `end`, where it ends or the bytes do, if it is worth a look.
    pub(super) fn take(&mut self, end: usize, is_end: bool, rules: Rules) -> Option<Token> {
        let range = self.at..end;
        let joined = self.is_open;
        let is_idle = match is_end {
            true => !joined && range.len() < SHORTEST,
            false => range.is_empty(),
        };
        self.at = end;
        self.is_text = false;
        if is_idle {
            return None;
        }
        self.is_open = !is_end;
        let content = Content::Running;
        Some(Token::Text(TextToken {
            range,
            rules,
            content,
            joined,
            open: !is_end,
            in_link: false,
        }))
    }
}
