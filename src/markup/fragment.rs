//! HTML in values of other formats: text of XML, strings of JSON, fields of CSV, properties; and common code for formats of
//! plain data, in which a document is a sequence of parts, each a separate text or such a fragment.
//!
//! A value is a fragment of HTML if, with its references resolved, it begins with a tag, or contains an end tag. A tag is `<`
//! or `</`, the name of an HTML element, and white space, `/` or `>`. Each of these characters may be written as a reference.
//! Nothing is decoded, since most values contain neither a `<` nor a reference that may be one.

use std::ops::Range;

use super::{Content, Grammar, Rules, TextToken, Token, UrlValue, is_html_element};
use crate::context::StoredContext;
use crate::limits;
use crate::notice::Notice;
use crate::scan::reference::ascii_at;

/// Maximum length of the name of an element.
const LONGEST_NAME: usize = 32;

/// Format of a value: text, or a fragment of HTML.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FragmentFormat {
    Text,
    Html,
    /// It would be HTML if it were shorter; it is read as text.
    TooLong,
    /// More bytes are needed.
    Undecided,
}

/// Returns the format of the value that begins with these bytes; `is_whole`: it ends with them.
pub(crate) fn reading(bytes: &[u8], is_whole: bool, rules: Rules) -> FragmentFormat {
    let looked_at = bytes.get(..limits::VALUE).unwrap_or(bytes);
    let is_long = bytes.len() > limits::VALUE;
    match is_whole || is_long {
        false => FragmentFormat::Undecided,
        true if !is_html(looked_at, rules) => FragmentFormat::Text,
        true if is_long => FragmentFormat::TooLong,
        true => FragmentFormat::Html,
    }
}

/// Returns `true` if a value is a fragment of HTML.
pub(crate) fn is_html(value: &[u8], rules: Rules) -> bool {
    let mut at = 0;
    let mut is_first = true;
    while let Some(opener) = next_opener(value, at, rules) {
        let Some((b'<', after)) = ascii_at(value, opener, rules) else {
            at = opener + 1;
            continue;
        };
        let is_begin = std::mem::take(&mut is_first) && is_blank(&value[..opener], rules);
        if tag_at(value, after, rules).is_some_and(|tag| is_begin || tag == TagKind::End) {
            return true;
        }
        at = after;
    }
    false
}

/// Returns `true` if a value may contain a tag: a `<`, or a character that may begin a reference to it.
#[inline]
pub(crate) fn may_be_html(value: &[u8], rules: Rules) -> bool {
    next_opener(value, 0, rules).is_some()
}

/// Returns the offset of the next `<`, or of a character that may begin a reference to it.
#[inline]
fn next_opener(value: &[u8], from: usize, rules: Rules) -> Option<usize> {
    let rest = value.get(from..)?;
    let found = match rules {
        Rules::Json => memchr::memchr2_iter(b'<', b'\\', rest)
            .find(|at| rest[*at] == b'<' || rest.get(at + 1) == Some(&b'u')),
        Rules::None | Rules::Csv | Rules::Hyphen | Rules::Escapes(_) => memchr::memchr(b'<', rest),
        _ => memchr::memchr2_iter(b'<', b'&', rest)
            .find(|at| rest[*at] == b'<' || matches!(rest.get(at + 1), Some(b'l' | b'L' | b'#'))),
    };
    found.map(|found| from + found)
}

/// Returns `true` if there is only white space.
fn is_blank(bytes: &[u8], rules: Rules) -> bool {
    let mut at = 0;
    while let Some((byte, next)) = ascii_at(bytes, at, rules) {
        if !is_space(byte) {
            return false;
        }
        at = next;
    }
    at == bytes.len()
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0C)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TagKind {
    Start,
    End,
}

/// Returns the kind of the tag whose `<` is before `at`, if it is a tag of an HTML element.
fn tag_at(value: &[u8], mut at: usize, rules: Rules) -> Option<TagKind> {
    let mut tag = TagKind::Start;
    let mut name = [0; LONGEST_NAME];
    let mut len = 0;
    loop {
        let (byte, next) = ascii_at(value, at, rules)?;
        match byte {
            b'/' if len == 0 && tag == TagKind::Start => tag = TagKind::End,
            b'>' | b'/' => break,
            _ if is_space(byte) => break,
            _ if byte.is_ascii_alphanumeric() || (len > 0 && matches!(byte, b'-' | b':')) => {
                *name.get_mut(len)? = byte;
                len += 1;
            }
            _ => return None,
        }
        at = next;
    }
    is_html_element(&name[..len]).then_some(tag)
}

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
    Token::Value(UrlValue { range, context: StoredContext::TEXT, grammar, rules })
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

    /// Returns `true` if a part is begun: a piece of it was returned, it was checked, or its end was searched.
    pub(super) fn is_inside(&self) -> bool {
        self.is_open || self.is_text || self.seen > self.at
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
        let content = Content::Value;
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_and_what_only_looks_like_them() {
        for (value, rules, is_fragment) in [
            ("<p>x", Rules::None, true),
            (" \n<BR/>x", Rules::None, true),
            ("<a\nhref=x>", Rules::None, true),
            ("x <b>y</b>", Rules::None, true),
            ("x</time >", Rules::None, true),
            ("x <b>y", Rules::None, false),
            ("x <br> y <p>", Rules::None, false),
            ("<https://e.example/?a=1&copy=2>", Rules::None, false),
            ("<me@e.example>", Rules::None, false),
            ("<name>x</name>", Rules::None, false),
            ("<p", Rules::None, false),
            ("</ p>", Rules::None, false),
            ("<//p>", Rules::None, false),
            ("<->", Rules::None, false),
            ("&lt;p&gt;x&lt;/p&gt;", Rules::None, false),
            ("&lt;p&gt;x", Rules::Xml, true),
            ("&#9;&#60;P&#x3e;", Rules::Xml, true),
            ("&#x00003c;p x", Rules::Xml, true),
            ("x&lt;&#x2F;p&gt;", Rules::Xml, true),
            ("&amp;lt;p&amp;gt;x&amp;lt;/p&amp;gt;", Rules::Xml, false),
            ("&amp;&#60;p>", Rules::Xml, false),
            ("a &lt; b", Rules::Xml, false),
            ("List&lt;String&gt; &lt;/ b&gt;", Rules::Xml, false),
            ("表&lt;p&gt;", Rules::Xml, false),
            (r"\u003cp\u003ex", Rules::Json, true),
            (r"\u003Cp\u003E", Rules::Json, true),
            (r"x<\/p>", Rules::Json, true),
            (r"x\u003c\u002fp\u003e", Rules::Json, true),
            (r"\n\t<br\n>", Rules::Json, true),
            (r"\\u003cp>", Rules::Json, false),
            (r"\u00e9<p>", Rules::Json, false),
            (r"&lt;p>x&lt;/p>", Rules::Json, false),
            ("<a href=\"\"x\"\">", Rules::Csv, true),
            ("\"\"<a>", Rules::Csv, false),
            ("", Rules::None, false),
        ] {
            assert_eq!(is_html(value.as_bytes(), rules), is_fragment, "{value}");
        }
    }

    #[test]
    fn a_long_value_is_text() {
        let fill = |len: usize| [b"<p>".as_slice(), &vec![b'x'; len - 3]].concat();
        let (fits, long) = (fill(limits::VALUE), fill(limits::VALUE + 1));
        assert_eq!(reading(&fits, true, Rules::None), FragmentFormat::Html);
        assert_eq!(reading(&fits, false, Rules::None), FragmentFormat::Undecided);
        for is_whole in [true, false] {
            assert_eq!(reading(&long, is_whole, Rules::None), FragmentFormat::TooLong);
            assert_eq!(reading(&long[3..], true, Rules::None), FragmentFormat::Text);
        }
        // Bytes beyond the limit are not examined.
        let late = [vec![b'x'; limits::VALUE], b"</p>".to_vec()].concat();
        assert_eq!(reading(&late, true, Rules::None), FragmentFormat::Text);
    }
}
