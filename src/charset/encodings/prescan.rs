//! The HTML standard's "prescan a byte stream to determine its encoding" (§13.2.3.2), and its last step, "get an XML
//! encoding".
//!
//! The input is the beginning of a document, 1,024 bytes of it by the standard; the result is the encoding of the first
//! `<meta>` that declares one, otherwise that of the XML declaration. The time is linear in the input.

use std::mem;
use std::sync::LazyLock;

use encoding_rs::{Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, X_USER_DEFINED};

use super::label::{self, Declaration};
use crate::input::caseless::CaselessWord;

static CHARSET: LazyLock<CaselessWord> = LazyLock::new(|| CaselessWord::new("charset"));

/// Returns the encoding that an HTML document declares in these bytes.
pub(super) fn html(bytes: &[u8]) -> Declaration {
    if let Some(encoding) = utf_16_by_pattern(bytes) {
        return Declaration::of(encoding, b"");
    }
    // A `<meta>` that declares an encoding contains this word: most documents need not be processed tag by tag.
    if !CHARSET.is_in(bytes) {
        return xml_encoding(bytes);
    }
    let mut prescan = Prescan { bytes, at: 0, unknown: None };
    match prescan.run() {
        Some(declaration) => declaration,
        None => xml_encoding(bytes).or_unknown(prescan.unknown),
    }
}

/// Detects `<?x` in units of two bytes.
fn utf_16_by_pattern(bytes: &[u8]) -> Option<&'static Encoding> {
    match bytes {
        [b'<', 0, b'?', 0, b'x', 0, ..] => Some(UTF_16LE),
        [0, b'<', 0, b'?', 0, b'x', ..] => Some(UTF_16BE),
        _ => None,
    }
}

/// Applies "get an XML encoding".
fn xml_encoding(bytes: &[u8]) -> Declaration {
    let Some(label) = xml_label(bytes) else { return Declaration::default() };
    match label::standard(label) {
        Some(encoding) => Declaration::of(in_ascii(encoding), label),
        None => Declaration::default().or_unknown(Some(label)),
    }
}

fn xml_label(bytes: &[u8]) -> Option<&[u8]> {
    let rest = bytes.strip_prefix(b"<?xml")?;
    let end = rest.iter().position(|byte| *byte == b'>')?;
    let declaration = &rest[..end];
    let name = b"encoding";
    let at = declaration.windows(name.len()).position(|window| window == name)?;
    let rest = trim_controls(&declaration[at + name.len()..]);
    let rest = trim_controls(rest.strip_prefix(b"=")?);
    let (quote, rest) = rest.split_first()?;
    if !matches!(quote, b'"' | b'\'') {
        return None;
    }
    let end = rest.iter().position(|byte| byte == quote)?;
    let label = &rest[..end];
    (!label.iter().any(|byte| *byte <= b' ')).then_some(label)
}

fn trim_controls(bytes: &[u8]) -> &[u8] {
    let start = bytes.iter().position(|byte| *byte > b' ').unwrap_or(bytes.len());
    &bytes[start..]
}

/// Replaces UTF-16 by UTF-8: the label was read as ASCII.
pub(super) fn in_ascii(encoding: &'static Encoding) -> &'static Encoding {
    if encoding == UTF_16BE || encoding == UTF_16LE { UTF_8 } else { encoding }
}

/// Returns `true` for the standard's white space, which does not include the vertical tab and NUL.
fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\x0C' | b'\r' | b' ')
}

/// End of the bytes, at which the prescan is aborted.
struct EndOfBytes;

struct Prescan<'t> {
    bytes: &'t [u8],
    at: usize,
    /// The first unknown label.
    unknown: Option<&'t [u8]>,
}

/// Result of the standard's "get an attribute", in the written letter case.
struct PrescanAttribute<'t> {
    name: &'t [u8],
    value: &'t [u8],
}

impl<'t> Prescan<'t> {
    fn run(&mut self) -> Option<Declaration> {
        while let Some(next) = memchr::memchr(b'<', &self.bytes[self.at..]) {
            self.at += next;
            match self.step() {
                Err(EndOfBytes) => return None,
                Ok(Some(declaration)) => return Some(declaration),
                Ok(None) => self.at = (self.at + 1).min(self.bytes.len()),
            }
        }
        None
    }

    /// Performs one iteration of the loop; leaves the position at the last byte that it read.
    fn step(&mut self) -> Result<Option<Declaration>, EndOfBytes> {
        match &self.bytes[self.at..] {
            [b'<', b'!', b'-', b'-', ..] => {
                // The two hyphens can be those of the beginning: `<!-->` is a comment.
                let rest = &self.bytes[self.at + 2..];
                let end = rest.windows(3).position(|window| window == b"-->").ok_or(EndOfBytes)?;
                self.at += 2 + end + 2;
            }
            [b'<', m, e, t, a, after, ..]
                if [*m, *e, *t, *a].eq_ignore_ascii_case(b"meta")
                    && (is_space(*after) || *after == b'/') =>
            {
                self.at += 5;
                return self.meta();
            }
            [b'<', b'/', letter, ..] | [b'<', letter, ..] if letter.is_ascii_alphabetic() => {
                while !is_space(self.byte()?) && self.byte()? != b'>' {
                    self.at += 1;
                }
                while self.attribute()?.is_some() {}
            }
            [b'<', b'!' | b'/' | b'?', ..] => {
                self.at += memchr::memchr(b'>', &self.bytes[self.at..]).ok_or(EndOfBytes)?;
            }
            _ => {}
        }
        Ok(None)
    }

    fn meta(&mut self) -> Result<Option<Declaration>, EndOfBytes> {
        // The first of several attributes with the same name counts.
        let mut seen = [false; 3];
        let mut has_pragma = false;
        let mut needs_pragma = None;
        let mut charset: Option<(&[u8], Option<&'static Encoding>)> = None;
        while let Some(PrescanAttribute { name, value }) = self.attribute()? {
            let names = [&b"http-equiv"[..], b"content", b"charset"];
            let Some(which) = names.iter().position(|one| name.eq_ignore_ascii_case(one)) else {
                continue;
            };
            match (mem::replace(&mut seen[which], true), which) {
                (true, _) => {}
                (_, 0) => has_pragma = value.eq_ignore_ascii_case(b"content-type"),
                (_, 1) => {
                    let label = label_in_content(value).filter(|_| charset.is_none());
                    match label.map(|label| (label, label::standard(label))) {
                        Some((label, Some(encoding))) => {
                            charset = Some((label, Some(encoding)));
                            needs_pragma = Some(true);
                        }
                        Some((label, None)) => self.unknown = self.unknown.or(Some(label)),
                        None => {}
                    }
                }
                _ => {
                    charset = Some((value, label::standard(value)));
                    needs_pragma = Some(false);
                }
            }
        }
        Ok(match (needs_pragma, charset) {
            (Some(true), _) if !has_pragma => None,
            (Some(_), Some((label, Some(encoding)))) => {
                let encoding = match in_ascii(encoding) {
                    encoding if encoding == X_USER_DEFINED => WINDOWS_1252,
                    encoding => encoding,
                };
                Some(Declaration::of(encoding, label))
            }
            (Some(_), Some((label, None))) => {
                self.unknown = self.unknown.or(Some(label));
                None
            }
            _ => None,
        })
    }

    fn byte(&self) -> Result<u8, EndOfBytes> {
        self.bytes.get(self.at).copied().ok_or(EndOfBytes)
    }

    fn skip_spaces(&mut self) -> Result<u8, EndOfBytes> {
        while is_space(self.byte()?) {
            self.at += 1;
        }
        self.byte()
    }

    /// Applies "get an attribute".
    fn attribute(&mut self) -> Result<Option<PrescanAttribute<'t>>, EndOfBytes> {
        let bytes = self.bytes;
        while is_space(self.byte()?) || self.byte()? == b'/' {
            self.at += 1;
        }
        if self.byte()? == b'>' {
            return Ok(None);
        }
        let start = self.at;
        let name = loop {
            match self.byte()? {
                b'=' if self.at > start => break &bytes[start..self.at],
                b'/' | b'>' => {
                    return Ok(Some(PrescanAttribute { name: &bytes[start..self.at], value: b"" }));
                }
                byte if is_space(byte) => {
                    let name = &bytes[start..self.at];
                    if self.skip_spaces()? != b'=' {
                        return Ok(Some(PrescanAttribute { name, value: b"" }));
                    }
                    break name;
                }
                _ => self.at += 1,
            }
        };
        self.at += 1;
        let value = match self.skip_spaces()? {
            quote @ (b'"' | b'\'') => {
                self.at += 1;
                let start = self.at;
                while self.byte()? != quote {
                    self.at += 1;
                }
                self.at += 1;
                &bytes[start..self.at - 1]
            }
            b'>' => b"",
            _ => {
                let start = self.at;
                while !is_space(self.byte()?) && self.byte()? != b'>' {
                    self.at += 1;
                }
                &bytes[start..self.at]
            }
        };
        Ok(Some(PrescanAttribute { name, value }))
    }
}

/// Applies "extracting a character encoding from a meta element", up to the label.
fn label_in_content(content: &[u8]) -> Option<&[u8]> {
    let name = b"charset";
    let mut rest = content;
    loop {
        let at = rest.windows(name.len()).position(|window| window.eq_ignore_ascii_case(name))?;
        rest = rest[at + name.len()..].trim_ascii_start();
        let Some(value) = rest.strip_prefix(b"=") else { continue };
        let value = value.trim_ascii_start();
        return match value {
            [quote @ (b'"' | b'\''), inner @ ..] => {
                let end = inner.iter().position(|byte| byte == quote)?;
                Some(&inner[..end])
            }
            [] => None,
            _ => {
                let is_end = |byte: &u8| is_space(*byte) || *byte == b';';
                Some(&value[..value.iter().position(is_end).unwrap_or(value.len())])
            }
        };
    }
}
