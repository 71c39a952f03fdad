//! Common code for formats of plain data: a document is a sequence of parts, each a separate text or a fragment of HTML.

use std::ops::Range;

use super::fragment::{FragmentFormat, reading};
use super::{Content, Grammar, Rules, TextToken, Token, UrlValue};
use crate::context::Context;
use crate::notice::Notice;

/// The shortest text that can hold a link: `a.de`.
const SHORTEST: usize = 4;

/// Position in the part that is being read.
#[derive(Clone, Debug, Default)]
pub(super) struct TextSplitter {
    pub(super) at: usize,
    /// Whether a piece of the part was returned because the bytes ended before the part did.
    pub(super) is_open: bool,
    /// Whether the part was checked as a value, and is text.
    pub(super) is_text: bool,
    /// Offset up to which its end was searched without success.
    pub(super) seen: usize,
}

/// Kind of a part, from its beginning.
pub(super) enum StartedText {
    /// HTML, or the notice that it is too long for that.
    Token(Token),
    Text,
    /// More bytes are needed.
    Undecided,
}

/// Returns the token of a range that is a fragment of HTML.
pub(super) fn fragment(range: Range<usize>, grammar: Grammar, rules: Rules) -> Token {
    Token::Value(UrlValue { range, context: Context::TEXT, grammar, rules })
}

impl TextSplitter {
    /// Returns the next part that may contain a link. `part` reads one, and returns its token and whether another part may
    /// begin after it in the available bytes.
    #[inline]
    pub(super) fn next(mut part: impl FnMut() -> (Option<Token>, bool)) -> Option<Token> {
        loop {
            match part() {
                (None, true) => {}
                (token, _) => return token,
            }
        }
    }

    /// Returns the offset from which the end of the part must be searched.
    pub(super) fn unseen(&self) -> usize {
        self.at.max(self.seen)
    }

    /// Returns the kind of the part that begins with these bytes; `is_end`: the part is complete.
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

    /// Returns the part up to `end`, where the part or the bytes end, if it may contain a link.
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
