//! CSS: finds the IRIs of a style sheet, a `style` attribute or the value of a property.
//!
//! The input is bytes (ASCII-compatible, without trail bytes below 0x80), the result is values: unquoted and quoted
//! `url()`, the string of `src()` and `@import`, the strings that are directly in `image-set()` and
//! `image()`, but not the name that `@namespace` has. Tokens are read as in CSS Syntax Level 3, §4, as far as this needs it: a comment, a string, a name, a bad
//! `url()` and a bracket are distinguished, but a number and its unit are not. Other strings (`content: "http://…"`) and
//! comments hold no IRIs, and an empty `url()` is not an IRI (CSS Values Level 4, §4.5.2).
//!
//! A sheet of any length needs no more memory than its longest value, up to the limit.

mod inside;
mod name_and_escape;

pub(crate) use name_and_escape::resolved;
use name_and_escape::{CssName, Escape, escape_at, is_name_byte, name_at};

use super::{
    Grammar, NeedsMore, Rules, Token, TokenResult, Tokenizer, TokenizerStep, UrlValue, ValueLimits,
};
use crate::context::KnownContext;
use crate::input::chunk::Chunk;

/// Maximum depth of brackets inside a function with IRIs that are stored; deeper ones are only counted.
const DEEPEST: usize = 256;

/// Tokenizer for CSS.
#[derive(Clone, Debug)]
pub(crate) struct Css {
    limits: ValueLimits,
    at: usize,
    mode: CssMode,
    prelude: Prelude,
    /// Open brackets from the outermost function with IRIs on; empty outside such a function.
    open: Vec<OpenBracket>,
    /// Number of open brackets that are not in `open`.
    deeper: usize,
}

/// Construct in which the bytes ended, or may have ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum CssMode {
    Plain,
    Comment,
    /// In a string; `start` is set if it holds an IRI.
    Quoted {
        quote: u8,
        start: Option<usize>,
    },
    /// In the white space after `url(`.
    Before,
    Url {
        start: usize,
    },
    /// After the white space that ended an unquoted URL.
    Behind {
        start: usize,
        end: usize,
    },
    BadUrl,
    /// In a name that is too long to be a known one.
    LongName,
    /// In a value that is too long; `quote` is set in a string.
    Long {
        quote: Option<u8>,
    },
}

/// An at-rule whose next token may be an IRI.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Prelude {
    None,
    /// A string is an IRI too.
    Import,
    /// The IRI is a name, which leads nowhere.
    Namespace,
}

/// An open bracket, by its effect on the strings in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OpenBracket {
    /// `image-set(`: each string is an IRI.
    Each,
    /// `url(`, `src(`: the first string is an IRI.
    First,
    /// Any other bracket, with the byte that closes it.
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

    /// Reads tokens up to one that has content.
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
                // This is one token, so that its dashes do not begin a name.
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

    /// Reads a name of any kind: an identifier, a name after `@` or `#`, or the unit of a number.
    fn name(&mut self, bytes: Chunk<'_>, sigil: usize) -> TokenResult {
        let (name, end) = match name_at(bytes, self.at + sigil) {
            CssName::Cut => return Err(NeedsMore),
            CssName::None if sigil == 0 => {
                // A backslash before a line break.
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
            // Only an identifier makes a function, and an identifier does not begin with `-0`.
            next => next == Some(&b'(') && sigil == 0,
        };
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
            (b'@', Some("namespace"), _) => Prelude::Namespace,
            // A prefix.
            (_, _, Prelude::Namespace) if sigil == 0 => Prelude::Namespace,
            _ => Prelude::None,
        };
        Ok(None)
    }

    /// Reads one byte that is a token by itself.
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

    /// Returns `true` if a string at this place holds an IRI.
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
            None => prelude == Prelude::Import,
        }
    }

    /// Returns the value that began at `start` and ends here, unless there is none or it is empty.
    fn given(&mut self, bytes: Chunk<'_>, start: Option<usize>, end: usize) -> Option<Token> {
        self.mode = CssMode::Plain;
        let start = start.filter(|start| *start < end)?;
        // A fragment is a place in the document itself, whatever the base (CSS Values and Units 4, §4.5.1).
        let is_local = match bytes.get(start) {
            Some(b'\\') => {
                matches!(escape_at(bytes, start), Escape::Char { code: 0x23, .. })
            }
            first => first == Some(&b'#'),
        };
        if is_local {
            return None;
        }
        Some(Token::Value(value(start, end)))
    }

    fn given_up(&mut self, start: usize, quote: Option<u8>) -> Token {
        self.mode = CssMode::Long { quote };
        Token::Long(value(start, self.at))
    }
}

/// Passes the ranges of the values in `text`, which is complete CSS, to `give`.
pub(crate) fn each(text: &str, mut give: impl FnMut(std::ops::Range<usize>)) {
    // The limits are the length of the text, which is in memory already.
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
