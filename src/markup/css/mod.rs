//! CSS: where a sheet, a `style` attribute or a value of a property holds an IRI.
//!
//! Bytes in (ASCII-compatible, without trail bytes below 0x80), values out: unquoted and quoted
//! `url()`, the string of `src()`, `@import` and `@namespace`, the strings that are directly in
//! `image-set()` and `image()`. Tokens are cut as CSS Syntax Level 3, §4 cuts them, as far as it
//! matters for that: a comment, a string, a name, a bad `url()` and a bracket are distinguished, a number
//! from its unit is not. Other strings (`content: "http://…"`) and comments hold no IRI, and a
//! `url()` without anything in it is none (CSS Values Level 4, §4.5.2).
//!
//! A sheet of any length needs no more memory than its longest value, up to the limit.

mod escape;
mod inside;
mod name;

pub(crate) use escape::resolved;

use super::{
    Grammar, NeedsMore, Rules, Token, TokenResult, Tokenizer, TokenizerStep, UrlValue, ValueLimits,
};
use crate::context::KnownContext;
use crate::input::chunk::Chunk;
use name::{CssName, is_name_byte, name_at};

/// Brackets inside a function of IRIs are remembered so deep, further in they are only counted.
const DEEPEST: usize = 256;

/// Goes through CSS.
#[derive(Clone, Debug)]
pub(crate) struct Css {
    limits: ValueLimits,
    at: usize,
    mode: CssMode,
    prelude: Prelude,
    /// Open brackets from the outermost function of IRIs on; empty outside of one.
    open: Vec<OpenBracket>,
    /// How many more are open than `open` remembers.
    deeper: usize,
}

/// Construct in which the bytes ended, or may have ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CssMode {
    Plain,
    Comment,
    /// In a string; `start` where it holds an IRI.
    Quoted {
        quote: u8,
        start: Option<usize>,
    },
    /// After `url(`: white space.
    Before,
    Url {
        start: usize,
    },
    /// After the white space that ended an unquoted one.
    Behind {
        start: usize,
        end: usize,
    },
    BadUrl,
    /// In a name too long to be one of ours.
    LongName,
    /// In a value that is too long to be given; in a string, which quote it is.
    Long {
        quote: Option<u8>,
    },
}

/// An at-rule whose next token may be an IRI as a string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Prelude {
    None,
    Import,
    Namespace { prefix: bool },
}

/// An open bracket, with its effect on the strings in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OpenBracket {
    /// `image-set(`: each string is an IRI.
    Each,
    /// `url(`, `src(`: the first one is.
    First,
    /// Anything else, with what closes it.
    Other(u8),
}

impl OpenBracket {
    fn closed_by(self) -> u8 {
        match self {
            OpenBracket::Each | OpenBracket::First => b')',
            OpenBracket::Other(close) => close,
        }
    }
}

impl Css {
    pub(crate) fn new(limits: ValueLimits) -> Css {
        let open = Vec::new();
        Css { limits, at: 0, mode: CssMode::Plain, prelude: Prelude::None, open, deeper: 0 }
    }

    fn inner(&mut self, bytes: Chunk<'_>) -> TokenResult {
        match self.mode {
            CssMode::Plain => self.plain(bytes),
            CssMode::Comment => self.comment(bytes),
            CssMode::Quoted { quote, start } => self.quoted(bytes, quote, start),
            CssMode::Before => self.before(bytes),
            CssMode::Url { start } => self.unquoted(bytes, start),
            CssMode::Behind { start, end } => self.after(bytes, start, end),
            CssMode::BadUrl => self.bad_url(bytes),
            CssMode::LongName => self.long_name(bytes),
            CssMode::Long { quote } => self.long(bytes, quote),
        }
    }

    /// Between tokens, up to one that has an inside.
    fn plain(&mut self, bytes: Chunk<'_>) -> TokenResult {
        loop {
            let Some(&byte) = bytes.get(self.at) else { return Err(NeedsMore) };
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' | b'\x0C' => self.at += 1,
                b'/' => match bytes.get(self.at + 1) {
                    None if !bytes.is_last() => return Err(NeedsMore),
                    Some(b'*') => {
                        self.at += 2;
                        self.mode = CssMode::Comment;
                        return Ok(None);
                    }
                    _ => self.delimiter(),
                },
                b'"' | b'\'' => {
                    self.at += 1;
                    let start = self.is_wanted().then_some(self.at);
                    self.mode = CssMode::Quoted { quote: byte, start };
                    return Ok(None);
                }
                // One token, lest its dashes begin a name.
                b'<' => match bytes[self.at..].starts_with(b"<!--") {
                    true => {
                        self.delimiter();
                        self.at += 3;
                    }
                    false if !bytes.is_last() && b"<!--".starts_with(&bytes[self.at..]) => {
                        return Err(NeedsMore);
                    }
                    false => self.delimiter(),
                },
                b'(' => self.opened(OpenBracket::Other(b')')),
                b'[' => self.opened(OpenBracket::Other(b']')),
                b'{' => self.opened(OpenBracket::Other(b'}')),
                b')' | b']' | b'}' => self.closed(byte),
                b'@' | b'#' | b'0'..=b'9' => return self.name(bytes, 1),
                _ if is_name_byte(byte) || byte == b'\\' => return self.name(bytes, 0),
                _ => self.delimiter(),
            }
        }
    }

    /// A name of any kind: an identifier, or after `@` or `#`, or the unit of a number.
    fn name(&mut self, bytes: Chunk<'_>, sigil: usize) -> TokenResult {
        let (name, end) = match name_at(bytes, self.at + sigil) {
            CssName::Cut => return Err(NeedsMore),
            CssName::None if sigil == 0 => {
                // A backslash before the end of a line.
                self.delimiter();
                return Ok(None);
            }
            CssName::None => (None, self.at + sigil),
            CssName::Long { end } => {
                self.at = end;
                self.prelude = Prelude::None;
                self.mode = CssMode::LongName;
                return Ok(None);
            }
            CssName::Read { known, end } => (known, end),
        };
        let first = bytes[self.at];
        let is_function = match bytes.get(end) {
            None if !bytes.is_last() => return Err(NeedsMore),
            // Nothing but an identifier makes a function, and those do not begin with `-0`.
            next => next == Some(&b'(') && sigil == 0,
        };
        // What a dash begins may be a number, or the dash alone.
        let second = bytes.get(self.at + 1).filter(|_| self.at + 1 < end);
        let is_identifier = first != b'-' || second.is_some_and(|byte| !byte.is_ascii_digit());
        self.at = end;
        if is_function {
            self.at += 1;
            match name {
                Some("url") => self.mode = CssMode::Before,
                Some("src") => self.opened_at(OpenBracket::First),
                Some("image-set" | "-webkit-image-set" | "image") => {
                    self.opened_at(OpenBracket::Each)
                }
                _ => self.opened_at(OpenBracket::Other(b')')),
            }
            return Ok(None);
        }
        self.prelude = match (first, name, self.prelude) {
            (b'@', Some("import"), _) => Prelude::Import,
            (b'@', Some("namespace"), _) => Prelude::Namespace { prefix: false },
            (_, _, Prelude::Namespace { prefix: false }) if sigil == 0 && is_identifier => {
                Prelude::Namespace { prefix: true }
            }
            _ => Prelude::None,
        };
        Ok(None)
    }

    /// One byte that is a token of its own.
    fn delimiter(&mut self) {
        self.at += 1;
        self.prelude = Prelude::None;
    }

    fn opened(&mut self, open: OpenBracket) {
        self.at += 1;
        self.opened_at(open);
    }

    fn opened_at(&mut self, open: OpenBracket) {
        self.prelude = Prelude::None;
        match open {
            OpenBracket::Other(_) if self.open.is_empty() => {}
            _ if self.open.len() < DEEPEST => self.open.push(open),
            _ => self.deeper += 1,
        }
    }

    fn closed(&mut self, close: u8) {
        self.delimiter();
        if self.deeper > 0 {
            self.deeper -= 1;
        } else if self.open.last().is_some_and(|open| open.closed_by() == close) {
            self.open.pop();
        }
    }

    /// Whether a string at this place holds an IRI.
    fn is_wanted(&mut self) -> bool {
        let prelude = std::mem::replace(&mut self.prelude, Prelude::None);
        if self.deeper > 0 {
            return false;
        }
        match self.open.last_mut() {
            Some(OpenBracket::Each) => true,
            Some(open @ OpenBracket::First) => {
                *open = OpenBracket::Other(b')');
                true
            }
            Some(OpenBracket::Other(_)) => false,
            None => prelude != Prelude::None,
        }
    }

    /// The value that began at `start` and ends here, unless there is none or nothing in it.
    fn given(&mut self, start: Option<usize>, end: usize) -> Option<Token> {
        self.mode = CssMode::Plain;
        let start = start.filter(|start| *start < end)?;
        Some(Token::Value(value(start, end)))
    }

    fn given_up(&mut self, start: usize, quote: Option<u8>) -> Token {
        self.mode = CssMode::Long { quote };
        Token::Long(value(start, self.at))
    }
}

/// Gives where in `text`, CSS that is there whole, the values stand.
pub(crate) fn each(text: &str, mut give: impl FnMut(std::ops::Range<usize>)) {
    // However long one is, it is in memory already.
    let mut css =
        Css::new(ValueLimits { link: text.len(), whole: text.len(), ..ValueLimits::default() });
    while let TokenizerStep::Token(run) = css.next(Chunk::whole(text.as_bytes())) {
        if let Token::Value(value) = run {
            give(value.range);
        }
    }
}

fn value(start: usize, end: usize) -> UrlValue {
    UrlValue {
        range: start..end,
        context: KnownContext::STYLE.into(),
        grammar: Grammar::Css,
        rules: Rules::None,
    }
}

impl Tokenizer for Css {
    fn next(&mut self, bytes: Chunk<'_>) -> TokenizerStep {
        loop {
            match self.inner(bytes) {
                Ok(Some(run)) => return TokenizerStep::Token(run),
                Ok(None) => {}
                Err(NeedsMore) if bytes.is_last() && self.at >= bytes.end() => {
                    return TokenizerStep::Done;
                }
                Err(NeedsMore) if bytes.is_last() => self.at = bytes.end(),
                Err(NeedsMore) => {
                    let needed = match self.mode {
                        CssMode::Quoted { start: Some(start), .. }
                        | CssMode::Url { start }
                        | CssMode::Behind { start, .. } => start,
                        _ => self.at,
                    };
                    return TokenizerStep::Incomplete { needed };
                }
            }
        }
    }
}
