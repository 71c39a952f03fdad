//! The content of tokens of CSS that have any: comments, strings, `url()`, and names that are too long.

use super::name_and_escape::{Escape, escape_at, is_name_byte};
use super::{Css, CssMode, NeedsMore, OpenBracket, Prelude, Token, TokenResult};
use crate::input::chunk::Chunk;

impl Css {
    pub(super) fn comment(&mut self, bytes: Chunk<'_>) -> TokenResult {
        loop {
            let rest = bytes.get(self.at..).unwrap_or_default();
            let Some(star) = memchr::memchr(b'*', rest) else {
                self.at = bytes.end();
                return Err(NeedsMore);
            };
            self.at += star;
            match bytes.get(self.at + 1) {
                None if !bytes.is_last() => return Err(NeedsMore),
                Some(b'/') => {
                    self.at += 2;
                    self.mode = CssMode::Plain;
                    return Ok(None);
                }
                _ => self.at += 1,
            }
        }
    }

    /// Reads on in a string, §4.3.5. A line break makes it a bad string, which holds nothing.
    pub(super) fn quoted(
        &mut self,
        bytes: Chunk<'_>,
        quote: u8,
        start: Option<usize>,
    ) -> TokenResult {
        loop {
            if let Some(start) = start
                && self.at - start > self.limits.link
            {
                return Ok(Some(self.given_up(start, Some(quote))));
            }
            let Some(&byte) = bytes.get(self.at) else {
                return match bytes.is_last() {
                    true => Ok(self.given(bytes, start, self.at)),
                    false => Err(NeedsMore),
                };
            };
            match byte {
                _ if byte == quote => {
                    let given = self.given(bytes, start, self.at);
                    self.at += 1;
                    return Ok(given);
                }
                b'\n' | b'\r' | b'\x0C' => {
                    self.mode = CssMode::Plain;
                    return Ok(None);
                }
                b'\\' => match escape_at(bytes, self.at) {
                    Escape::Cut => return Err(NeedsMore),
                    Escape::End => {
                        // A backslash at the end of the input is dropped.
                        let given = self.given(bytes, start, self.at);
                        self.at += 1;
                        return Ok(given);
                    }
                    Escape::Line { len } | Escape::Char { len, .. } => self.at += len,
                },
                _ => self.at += 1,
            }
        }
    }

    /// Reads on after `url(`: with a quote it is a function like any other, otherwise a token (§4.3.4).
    pub(super) fn before(&mut self, bytes: Chunk<'_>) -> TokenResult {
        while let Some(&byte) = bytes.get(self.at) {
            let is_name = self.prelude == Prelude::Namespace;
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' | b'\x0C' => self.at += 1,
                b'"' | b'\'' => {
                    let open = if is_name { OpenBracket::Other(b')') } else { OpenBracket::First };
                    self.opened_at(open);
                    self.mode = CssMode::Plain;
                    return Ok(None);
                }
                _ => {
                    self.prelude = Prelude::None;
                    self.mode = match is_name {
                        // It is skipped like one.
                        true => CssMode::BadUrl,
                        false => CssMode::Url { start: self.at },
                    };
                    return Ok(None);
                }
            }
        }
        Err(NeedsMore)
    }

    /// Reads on in an unquoted URL, §4.3.6.
    pub(super) fn unquoted(&mut self, bytes: Chunk<'_>, start: usize) -> TokenResult {
        loop {
            if self.at - start > self.limits.link {
                return Ok(Some(self.given_up(start, None)));
            }
            let Some(&byte) = bytes.get(self.at) else {
                return match bytes.is_last() {
                    true => Ok(self.given(bytes, Some(start), self.at)),
                    false => Err(NeedsMore),
                };
            };
            match byte {
                b')' => {
                    let given = self.given(bytes, Some(start), self.at);
                    self.at += 1;
                    return Ok(given);
                }
                b' ' | b'\t' | b'\n' | b'\r' | b'\x0C' => {
                    self.mode = CssMode::Behind { start, end: self.at };
                    return Ok(None);
                }
                b'\\' => match escape_at(bytes, self.at) {
                    Escape::Cut => return Err(NeedsMore),
                    Escape::End => self.at += 1,
                    Escape::Char { len, .. } => self.at += len,
                    Escape::Line { .. } => {
                        self.mode = CssMode::BadUrl;
                        return Ok(None);
                    }
                },
                b'"' | b'\'' | b'(' | b'\x01'..=b'\x08' | b'\x0B' | b'\x0E'..=b'\x1F' | b'\x7F' => {
                    self.mode = CssMode::BadUrl;
                    return Ok(None);
                }
                _ => self.at += 1,
            }
        }
    }

    pub(super) fn after(&mut self, bytes: Chunk<'_>, start: usize, end: usize) -> TokenResult {
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' | b'\x0C' => self.at += 1,
                b')' => {
                    self.at += 1;
                    return Ok(self.given(bytes, Some(start), end));
                }
                _ => {
                    self.mode = CssMode::BadUrl;
                    return Ok(None);
                }
            }
            // Endless white space must not keep the value in memory.
            if self.at - start > 2 * self.limits.link {
                self.mode = CssMode::BadUrl;
                return Ok(None);
            }
        }
        match bytes.is_last() {
            true => Ok(self.given(bytes, Some(start), end)),
            false => Err(NeedsMore),
        }
    }

    /// Reads the remnants of a bad URL, §4.3.14.
    pub(super) fn bad_url(&mut self, bytes: Chunk<'_>) -> TokenResult {
        loop {
            let rest = bytes.get(self.at..).unwrap_or_default();
            let Some(next) = memchr::memchr2(b')', b'\\', rest) else {
                self.at = bytes.end();
                return Err(NeedsMore);
            };
            self.at += next;
            if bytes[self.at] == b')' {
                self.at += 1;
                self.mode = CssMode::Plain;
                return Ok(None);
            }
            match escape_at(bytes, self.at) {
                Escape::Cut => return Err(NeedsMore),
                Escape::Char { len, .. } => self.at += len,
                Escape::Line { .. } | Escape::End => self.at += 1,
            }
        }
    }

    pub(super) fn long_name(&mut self, bytes: Chunk<'_>) -> TokenResult {
        while let Some(&byte) = bytes.get(self.at) {
            match byte {
                b'\\' => match escape_at(bytes, self.at) {
                    Escape::Cut => return Err(NeedsMore),
                    Escape::Char { len, .. } => self.at += len,
                    Escape::End => self.at += 1,
                    Escape::Line { .. } => break,
                },
                _ if is_name_byte(byte) => self.at += 1,
                _ => break,
            }
        }
        match bytes.get(self.at) {
            None => Err(NeedsMore),
            // It opens a bracket, whether it is a function or not.
            Some(_) => {
                self.mode = CssMode::Plain;
                Ok(None)
            }
        }
    }

    /// Skips the rest of a value that is too long.
    pub(super) fn long(&mut self, bytes: Chunk<'_>, quote: Option<u8>) -> TokenResult {
        while let Some(&byte) = bytes.get(self.at) {
            let is_end = match quote {
                Some(quote) => byte == quote || matches!(byte, b'\n' | b'\r' | b'\x0C'),
                None => byte == b')',
            };
            if is_end {
                let end = self.at;
                // A line break is not skipped, as after any bad string.
                self.at += usize::from(matches!(byte, b'"' | b'\'' | b')'));
                self.mode = CssMode::Plain;
                return Ok(Some(Token::LongEnd(end)));
            }
            match byte {
                b'\\' => match escape_at(bytes, self.at) {
                    Escape::Cut => return Err(NeedsMore),
                    Escape::Line { len } | Escape::Char { len, .. } => self.at += len,
                    Escape::End => self.at += 1,
                },
                _ => self.at += 1,
            }
        }
        match bytes.is_last() {
            true => {
                self.mode = CssMode::Plain;
                Ok(Some(Token::LongEnd(self.at)))
            }
            false => Err(NeedsMore),
        }
    }
}
