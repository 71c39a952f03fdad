//! Values: splits the text of a value into the references in it, each with its range.
//!
//! Character references are resolved once, then the text is split by its grammar: white space is stripped as the URL
//! standard does it, lists are split as HTML splits them. The finder of `document` decides what a reference means; grammars
//! of other languages (CSS, a nested document) are left to their tokenizers.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::field::{CodeReference, url_of_drive};
use super::{Grammar, Rules, css, field, formula, markdown, xml};
use crate::iri::chars;
use crate::iri::repair::{stripped, without_breaks};
use crate::scan::reference::resolved_by;
use crate::source_map::{MappedText, Rewriting, SourceMap};
use crate::tables::{class, schemes};

/// An IRI reference that a value holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ValueReference<'t> {
    /// Text with references resolved, and with white space stripped at the ends and removed inside.
    pub(crate) text: Cow<'t, str>,
    /// Range in the given text: without the white space at its ends, with the characters that were removed inside.
    pub(crate) range: Range<usize>,
    /// Whether the program loads it, whatever the context says.
    pub(crate) is_loaded: bool,
    /// Text of the link, if the value has it.
    pub(crate) shown: Option<Arc<str>>,
}

impl<'t> ValueReference<'t> {
    fn new(text: Cow<'t, str>, range: Range<usize>) -> ValueReference<'t> {
        ValueReference { text, range, is_loaded: false, shown: None }
    }
}

/// Returns the text of a value with its character references resolved.
pub(crate) fn resolved(text: &str, rules: Rules) -> MappedText<'_> {
    match resolved_by(text, rules, 0) {
        Some((resolved, map)) => (Cow::Owned(resolved), Some(map)).into(),
        None => MappedText::copy(Cow::Borrowed(text), 0),
    }
}

/// Returns the text of a value of this grammar with its character references, and the escapes of its language, resolved.
pub(crate) fn resolved_in(text: &str, grammar: Grammar, rules: Rules) -> MappedText<'_> {
    match grammar {
        Grammar::Css => css::resolved(text).into(),
        Grammar::Content => xml::content_resolved(text, 0).into(),
        Grammar::FragmentInPieces => xml::run_resolved(text).into(),
        Grammar::Field if rules == Rules::Xml => xml::field_resolved(text).into(),
        Grammar::Markdown => markdown::resolved(text).into(),
        Grammar::Joined => joined(text).into(),
        _ => resolved(text, rules),
    }
}

/// Returns the text without white space and without the backslashes that escape a character, and its map if some was removed.
fn joined(text: &str) -> (Cow<'_, str>, Option<SourceMap>) {
    let mut joined = Rewriting::new(text, 0);
    let mut escaped = None;
    for (at, byte) in text.bytes().enumerate() {
        let is_escape = byte == b'\\' && escaped != Some(at);
        if is_escape {
            escaped = Some(at + 1);
        }
        if is_escape || is_space(byte) {
            joined.leave_out(at..at + 1);
        }
    }
    match joined.finish() {
        Some((text, map)) => (Cow::Owned(text), Some(map)),
        None => (Cow::Borrowed(text), None),
    }
}

/// Passes the references in `text`, a decoded value of this grammar, to `give`, in order.
pub(crate) fn each_reference<'t>(
    text: &'t str,
    grammar: Grammar,
    rules: Rules,
    mut give: impl FnMut(ValueReference<'t>),
) {
    if is_as_written(text.as_bytes(), grammar) {
        return give(ValueReference::new(Cow::Borrowed(text), 0..text.len()));
    }
    if grammar == Grammar::Address {
        return give(ValueReference::new(Cow::Owned(mailto(text)), 0..text.len()));
    }
    let resolved = resolved_in(text, grammar, rules);
    if matches!(grammar, Grammar::Style | Grammar::CssValue) {
        return each_of_css(&resolved, &mut give);
    }
    let give_field = |CodeReference { url, range, is_loaded, shown }: CodeReference| {
        let range = resolved.range(range);
        give(ValueReference { text: Cow::Owned(url), range, is_loaded, shown });
    };
    match grammar {
        Grammar::Formula => return formula::each(&resolved.text, give_field),
        Grammar::Field => return field::of_field(&resolved.text).into_iter().for_each(give_field),
        Grammar::DrivePath => {
            let range = stripped(&resolved.text, 0..resolved.text.len());
            let url = url_of_drive(&resolved.text[range.clone()]);
            let reference = |url| CodeReference { url, range, is_loaded: false, shown: None };
            return url.map(reference).into_iter().for_each(give_field);
        }
        _ => {}
    }
    split(&resolved.text, grammar, |range| {
        let source = resolved.range(range.clone());
        let text = match &resolved.text {
            Cow::Borrowed(text) => without_breaks(&text[range]),
            Cow::Owned(text) => Cow::Owned(without_breaks(&text[range]).into_owned()),
        };
        give(ValueReference::new(text, source));
    });
}

/// Passes the references of a value that is CSS to `give`: its text is resolved a second time, by CSS.
fn each_of_css<'t>(resolved: &MappedText<'_>, give: &mut impl FnMut(ValueReference<'t>)) {
    css::each(&resolved.text, |outer| {
        let inner = MappedText::from(css::resolved(&resolved.text[outer.clone()]));
        split(&inner.text, Grammar::Css, |range| {
            let within = inner.range(range.clone());
            let range_in_css = outer.start + within.start..outer.start + within.end;
            let text = Cow::Owned(without_breaks(&inner.text[range]).into_owned());
            give(ValueReference::new(text, resolved.range(range_in_css)));
        });
    });
}

/// Returns `true` if a value of this grammar is one reference as it is written, as nearly all are: it is not empty, and has
/// no character reference, white space or control to be resolved, stripped or removed. The target of the reference does not
/// matter here.
#[inline]
pub(crate) fn is_as_written(value: &[u8], grammar: Grammar) -> bool {
    // The loop has no early exit, so that it can process many bytes at once.
    let is_plain = || value.iter().fold(true, |plain, &b| plain & (b > b' ') & (b != b'&'));
    matches!(grammar, Grammar::Url | Grammar::NonEmptyUrl) && !value.is_empty() && is_plain()
}

/// Passes the ranges of the resolved text that are references to `give`.
fn split(text: &str, grammar: Grammar, mut give: impl FnMut(Range<usize>)) {
    let whole = 0..text.len();
    match grammar {
        Grammar::Url | Grammar::Content | Grammar::Markdown => give(stripped(text, whole)),
        Grammar::NonEmptyUrl | Grammar::Joined | Grammar::Css | Grammar::Json => {
            let range = stripped(text, whole);
            if !range.is_empty() {
                give(range);
            }
        }
        Grammar::OutOfPackage => {
            let range = stripped(text, whole);
            if leads_out(&text[range.clone()]) {
                give(range);
            }
        }
        Grammar::SafeCurieOrUrl => {
            let range = stripped(text, whole);
            if !is_rdf_name(&text[range.clone()]) {
                give(range);
            }
        }
        Grammar::AbsoluteOnly => {
            let range = stripped(text, whole);
            if is_absolute(&text[range.clone()]) {
                give(range);
            }
        }
        Grammar::SpaceList => pieces(text, is_space, &mut give),
        Grammar::CommaList => pieces(text, |b| b == b',', &mut give),
        Grammar::Srcset => srcset(text.as_bytes(), &mut |url| give(stripped(text, url))),
        Grammar::Refresh => {
            if let Some(range) = refresh(text).map(|range| stripped(text, range))
                && !range.is_empty()
            {
                give(range);
            }
        }
        Grammar::CssValue
        | Grammar::Style
        | Grammar::Srcdoc
        | Grammar::MarkdownDocument
        | Grammar::Fragment
        | Grammar::FragmentInPieces
        | Grammar::Base64Html
        | Grammar::Base64Text
        | Grammar::Running
        | Grammar::Property
        | Grammar::Field
        | Grammar::Formula
        | Grammar::DrivePath
        | Grammar::Address => {}
    }
}

/// Returns `true` if a reference in a package leads out of it (OpenDocument 1.3, part 2, §3.7).
fn leads_out(reference: &str) -> bool {
    let first = reference.find(['/', '?', '#']).unwrap_or(reference.len());
    reference[..first].contains(':') || reference.starts_with('/') || reference.starts_with("../")
}

/// Returns `true` for a CURIE in brackets, or the name of a blank node (RDFa 1.1 Core, §7.4.5).
fn is_rdf_name(reference: &str) -> bool {
    reference.starts_with('[') && reference.ends_with(']') || reference.starts_with("_:")
}

/// Returns the `mailto:` URI of an address, in which the delimiters of URIs must be encoded (RFC 6068 §2, item 1).
fn mailto(address: &str) -> String {
    let mut out = String::from("mailto:");
    for c in address.chars() {
        match c {
            '%' | '?' | '#' | '&' | '/' => chars::push_encoded(&mut out, c),
            // Lines of reStructuredText are joined.
            _ if c.is_ascii_whitespace() => {}
            _ => out.push(c),
        }
    }
    out
}

/// Returns `true` for the ASCII white space of HTML.
fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t' | b'\n' | b'\r' | 0x0C)
}

/// Passes the non-empty ranges between separators, without white space around them, to `give`.
fn pieces(text: &str, separates: impl Fn(u8) -> bool, give: &mut impl FnMut(Range<usize>)) {
    let mut start = 0;
    let ends = text.bytes().enumerate().filter(|(_, b)| separates(*b)).map(|(at, _)| at);
    for end in ends.chain([text.len()]) {
        let range = stripped(text, start..end);
        if !range.is_empty() {
            give(range);
        }
        start = end + 1;
    }
}

/// Returns the offset at which a list of references can be divided, given its first bytes: complete references are before
/// it, and a list of the same grammar is after it. Returns `None` if the first reference continues to the end, or the
/// grammar is not that of a list.
pub(crate) fn list_division(bytes: &[u8], grammar: Grammar) -> Option<usize> {
    let at = match grammar {
        Grammar::SpaceList => bytes.iter().rposition(|&b| is_space(b))? + 1,
        Grammar::CommaList => memchr::memrchr(b',', bytes)? + 1,
        Grammar::Srcset => {
            // The descriptors of the last candidate may continue.
            let mut last = 0;
            srcset(bytes, &mut |url| last = url.start);
            last
        }
        _ => return None,
    };
    (at > 0).then_some(at)
}

/// Passes the URLs of the images of a source set to `give` (HTML §4.8.4.2.1, "parse a srcset attribute"). A candidate with
/// invalid descriptors, which a browser ignores, is included.
fn srcset(bytes: &[u8], give: &mut impl FnMut(Range<usize>)) {
    let skip = |at: usize, skipped: &dyn Fn(u8) -> bool| {
        let rest = bytes.get(at..).unwrap_or_default();
        at + rest.iter().take_while(|b| skipped(**b)).count()
    };
    let mut at = 0;
    loop {
        let start = skip(at, &|b| is_space(b) || b == b',');
        at = skip(start, &|b| !is_space(b));
        if start == at {
            return;
        }
        let commas = bytes[start..at].iter().rev().take_while(|&&b| b == b',').count();
        give(start..at - commas);
        if commas > 0 {
            continue;
        }
        // Descriptors, up to a comma outside brackets.
        let mut in_parens = false;
        while let Some(&b) = bytes.get(at) {
            match b {
                b',' if !in_parens => break,
                b'(' => in_parens = true,
                b')' => in_parens = false,
                _ => {}
            }
            at += 1;
        }
    }
}

/// Returns the range of the URL of a refresh (HTML §4.2.5.3, "shared declarative refresh steps").
fn refresh(text: &str) -> Option<Range<usize>> {
    let bytes = text.as_bytes();
    let byte = |at: usize| bytes.get(at).copied();
    let spaces = |mut at: usize| {
        while byte(at).is_some_and(is_space) {
            at += 1;
        }
        at
    };
    let digits = |mut at: usize, dots: bool| {
        while byte(at).is_some_and(|b| b.is_ascii_digit() || (dots && b == b'.')) {
            at += 1;
        }
        at
    };
    let time = spaces(0);
    let mut at = digits(time, false);
    if at == time && byte(at) != Some(b'.') {
        return None;
    }
    at = digits(at, true);
    if !byte(at).is_some_and(|b| is_space(b) || matches!(b, b';' | b',')) {
        return None;
    }
    at = spaces(at);
    if matches!(byte(at), Some(b';' | b',')) {
        at += 1;
    }
    let mut start = spaces(at);
    let is = |at: usize, lower: u8| byte(at).is_some_and(|b| b | 0x20 == lower);
    if is(start, b'u') {
        if !is(start + 1, b'r') || !is(start + 2, b'l') {
            return Some(start..text.len());
        }
        let equals = spaces(start + 3);
        if byte(equals) != Some(b'=') {
            return Some(start..text.len());
        }
        start = spaces(equals + 1);
    }
    let end = match byte(start) {
        Some(quote @ (b'"' | b'\'')) => {
            start += 1;
            bytes[start..].iter().position(|&b| b == quote).map(|len| start + len)
        }
        _ => None,
    };
    Some(start..end.unwrap_or(text.len()))
}

/// Returns `true` if a text whose grammar is not that of an IRI is one: it has `scheme://` or `//` with a host after it, or
/// a scheme that needs no `//`, and no white space.
fn is_absolute(text: &str) -> bool {
    if text.bytes().any(is_space) {
        return false;
    }
    let begins_host = |c: char| c == '[' || c != '-' && class(u32::from(c)).is_host();
    let rooted = |rest: &str| {
        let host = rest.strip_prefix("//");
        host.is_some_and(|host| host.starts_with(begins_host))
    };
    if rooted(text) {
        return true;
    }
    let Some((scheme, rest)) = text.split_once(':') else { return false };
    let mut bytes = scheme.bytes();
    let fits = bytes.next().is_some_and(|b| b.is_ascii_alphabetic())
        && bytes.all(|b| b.is_ascii_alphanumeric() || matches!(b, b'+' | b'-' | b'.'));
    fits && (rooted(rest) || (rest.starts_with("//") && schemes::is_known(scheme.as_bytes())))
        || (schemes::is(scheme.as_bytes(), schemes::ALONE_IN_VALUES) && !rest.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str, grammar: Grammar) -> Vec<(String, &str)> {
        let mut found = Vec::new();
        each_reference(text, grammar, Rules::HtmlAttribute, |one| {
            found.push((one.text.into_owned(), &text[one.range]));
        });
        found
    }

    fn texts(text: &str, grammar: Grammar) -> Vec<String> {
        all(text, grammar).into_iter().map(|(text, _)| text).collect()
    }

    #[test]
    fn css_in_a_value_is_resolved_twice() {
        let text = "a: url(&quot;b\\26 c&amp;d&quot;); e: url( f ); g: url()";
        let found = all(text, Grammar::Style);
        let wanted = [("b&c&d".to_owned(), "b\\26 c&amp;d"), ("f".to_owned(), "f")];
        assert_eq!(found, wanted);
        assert_eq!(all("url(x#y)", Grammar::CssValue), [("x#y".to_owned(), "x#y")]);
        for local in ["url(#x)", "url( '#x' )", "url(\\23 x)", "url(&quot;#x&quot;)"] {
            assert!(all(local, Grammar::CssValue).is_empty(), "{local}");
        }
        assert_eq!(all("\\62 ", Grammar::Css), [("b".to_owned(), "\\62 ")]);
    }

    #[test]
    fn white_space_goes_as_the_url_standard_says() {
        for (text, found, raw) in [
            (" \u{1}http://a/ b\tc\n ", "http://a/ bc", "http://a/ b\tc"),
            ("&#32;a&amp;b&nbsp;", "a&b\u{A0}", "a&amp;b&nbsp;"),
            ("a&Tab;b&NewLine;", "ab", "a&Tab;b"),
            ("", "", ""),
            (" ", "", ""),
        ] {
            assert_eq!(all(text, Grammar::Url), [(found.to_owned(), raw)], "{text:?}");
        }
        assert!(all(" &#9;", Grammar::NonEmptyUrl).is_empty());
        assert_eq!(texts(" http://a/\r\n \tb c&amp;\n", Grammar::Joined), ["http://a/bc&amp;"]);
        assert_eq!(texts(r"a\_\*\>b\c\\\d\ e\", Grammar::Joined), [r"a_*>bc\de"]);
        assert_eq!(texts("a@\n b.c", Grammar::Address), ["mailto:a@b.c"]);
    }

    #[test]
    fn lists() {
        assert_eq!(texts(" a\tb\u{C}c&#10;d", Grammar::SpaceList), ["a", "b", "c", "d"]);
        assert_eq!(texts("a, b c,,d ", Grammar::CommaList), ["a", "b c", "d"]);
    }

    #[test]
    fn source_sets() {
        for (text, found) in [
            ("a 1x, b 2x", &["a", "b"][..]),
            ("a, b", &["a", "b"]),
            ("a,b 2x", &["a,b"]),
            ("a,, b", &["a", "b"]),
            ("  ,, a 100w(,), b", &["a", "b"]),
            ("data:,x 1x,b", &["data:,x", "b"]),
            ("a (b, c) d, e", &["a", "e"]),
            ("", &[]),
            (",", &[]),
        ] {
            assert_eq!(texts(text, Grammar::Srcset), found, "{text}");
        }
    }

    #[test]
    fn refreshes() {
        for (text, found) in [
            ("5; url=http://a/", Some("http://a/")),
            ("0;URL='x y' z", Some("x y")),
            ("0;url=\"x", Some("x")),
            ("5,x", Some("x")),
            ("5 x", Some("x")),
            (".5; a", Some("a")),
            ("1.5.5;a", Some("a")),
            ("5;urx", Some("urx")),
            ("5;url x", Some("url x")),
            ("5;'a'b", Some("a")),
            ("5; url = a", Some("a")),
            ("5", None),
            ("5;", None),
            ("url=a", None),
            ("5x", None),
            ("x;url=a", None),
        ] {
            assert_eq!(texts(text, Grammar::Refresh).first().map(|s| &**s), found, "{text}");
        }
    }

    #[test]
    fn addresses() {
        assert_eq!(all("a@b.c", Grammar::Address), [("mailto:a@b.c".to_owned(), "a@b.c")]);
        assert_eq!(texts("a?b%c@d.e", Grammar::Address), ["mailto:a%3Fb%25c@d.e"]);
    }

    #[test]
    fn absolute_alone() {
        for text in
            ["http://a/", "//cdn.example/x", "mailto:a@b", "foo+bar://x", "file:///x", "urn:a:b"]
        {
            assert_eq!(texts(text, Grammar::AbsoluteOnly), [text]);
        }
        for text in [
            "a",
            "width=1",
            "text: more",
            "og:url",
            "http://a b",
            "http:",
            "/a",
            "// x",
            "é:b",
            "mailto:",
        ] {
            assert!(texts(text, Grammar::AbsoluteOnly).is_empty(), "{text}");
        }
    }
}
