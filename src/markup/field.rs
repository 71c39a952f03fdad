//! The references in the codes of fields of word processors, and in formulas of spreadsheets.

use std::borrow::Cow;
use std::ops::Range;

use super::Grammar;

/// Functions whose first argument is a URL.
const FUNCTIONS: [&str; 3] = ["HYPERLINK", "WEBSERVICE", "IMAGE"];
/// Fields whose first argument is a URL.
const FIELDS: [&str; 3] = ["HYPERLINK", "INCLUDEPICTURE", "INCLUDETEXT"];

/// Passes the references of a field or a formula to `give`, in order.
pub(super) fn each(text: &str, grammar: Grammar, mut give: impl FnMut(String, Range<usize>)) {
    match grammar {
        Grammar::Formula => each_of_formula(text, &mut give),
        _ => {
            if let Some((url, range)) = of_field(text) {
                give(url, range);
            }
        }
    }
}

/// Returns `true` if a formula may call a function whose argument is a URL.
pub(super) fn may_be_formula(bytes: &[u8]) -> bool {
    memchr::memchr_iter(b'(', bytes).any(|open| {
        let front = bytes[..open].trim_ascii_end();
        FUNCTIONS.iter().any(|name| {
            let start = front.len().checked_sub(name.len());
            start.is_some_and(|start| front[start..].eq_ignore_ascii_case(name.as_bytes()))
        })
    })
}

/// Character that stands for another field in the code of a field, as Word stores it.
pub(super) const INNER_FIELD: char = '\u{13}';

/// An argument of a field, its range, and whether it is a switch: `\l`.
struct Argument<'t> {
    text: Cow<'t, str>,
    range: Range<usize>,
    is_switch: bool,
}

/// Iterator over the arguments of a field (ISO/IEC 29500-1 §17.16.1), its name first.
struct Arguments<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Iterator for Arguments<'t> {
    type Item = Argument<'t>;

    fn next(&mut self) -> Option<Argument<'t>> {
        let rest = self.text.get(self.at..)?;
        let start = self.at + rest.find(|c: char| !c.is_whitespace())?;
        let rest = &self.text[start..];
        let first = rest.chars().next()?;
        let is_quote = |c: char| matches!(c, '"' | '\u{201C}' | '\u{201D}');
        if is_quote(first) {
            let start = start + first.len_utf8();
            let inside = &self.text[start..];
            let mut is_escaped = false;
            let end = inside.find(|c: char| {
                let is_end = is_quote(c) && !is_escaped;
                is_escaped = c == '\\' && !is_escaped;
                is_end
            });
            let range = start..end.map_or(self.text.len(), |end| start + end);
            self.at = self.text[range.end..]
                .chars()
                .next()
                .map_or(range.end, |quote| range.end + quote.len_utf8());
            return Some(Argument {
                text: unescaped(&self.text[range.clone()]),
                range,
                is_switch: false,
            });
        }
        let is_end = |c: char| c.is_whitespace() || is_quote(c);
        let end = start + rest.find(is_end).unwrap_or(rest.len());
        self.at = end;
        let text = Cow::Borrowed(&self.text[start..end]);
        Some(Argument { text, range: start..end, is_switch: first == '\\' })
    }
}

/// A backslash precedes a quote and another backslash.
fn unescaped(text: &str) -> Cow<'_, str> {
    if !text.contains('\\') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut rest = text.chars().peekable();
    while let Some(c) = rest.next() {
        match rest.peek() {
            Some(&next @ ('\\' | '"')) if c == '\\' => {
                out.push(next);
                rest.next();
            }
            _ => out.push(c),
        }
    }
    Cow::Owned(out)
}

/// Returns the URL of a field by its code; `None` for other fields, and for a place in the field's own document.
#[cfg(feature = "office")]
pub(crate) fn field_url(code: &str) -> Option<String> {
    of_field(code).map(|(url, _)| url)
}

/// Returns the reference of a field; a place in the field's own document is not a reference.
fn of_field(text: &str) -> Option<(String, Range<usize>)> {
    let mut arguments = Arguments { text, at: 0 };
    let name = arguments.next()?;
    if !FIELDS.iter().any(|field| name.text.eq_ignore_ascii_case(field)) {
        return None;
    }
    let (mut url, mut fragment): (Option<Argument<'_>>, Option<Argument<'_>>) = (None, None);
    while let Some(argument) = arguments.next() {
        if !argument.is_switch {
            url = url.or(Some(argument));
            continue;
        }
        // These switches have an argument, which may be empty; `\l` names a place in the target.
        match &*argument.text {
            "\\l" | "\\L" => fragment = arguments.next().filter(|next| !next.is_switch),
            "\\o" | "\\O" | "\\t" | "\\T" | "\\c" | "\\C" | "\\*" => drop(arguments.next()),
            _ => {}
        }
    }
    let is_whole = |argument: &Argument<'_>| !argument.text.contains(INNER_FIELD);
    let url = url.filter(|url| !url.text.trim().is_empty() && is_whole(url))?;
    if fragment.as_ref().is_some_and(|fragment| !is_whole(fragment)) {
        return None;
    }
    let (mut text, mut range) = (url.text.trim().to_owned(), url.range);
    if let Some(fragment) = fragment.filter(|fragment| !fragment.text.is_empty()) {
        text.push('#');
        text.push_str(&fragment.text);
        range = range.start.min(fragment.range.start)..range.end.max(fragment.range.end);
    }
    Some((text, range))
}

fn each_of_formula(text: &str, give: &mut impl FnMut(String, Range<usize>)) {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        if byte == b'"' || byte == b'\'' {
            at = string_end(bytes, at + 1, byte) + 1;
            continue;
        }
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
        let len = bytes[at..].iter().take_while(|byte| is_name(byte)).count();
        if len == 0 {
            at += 1;
            continue;
        }
        let name = text[at..at + len].rsplit('.').next().unwrap_or_default();
        at += len;
        if FUNCTIONS.iter().any(|function| function.eq_ignore_ascii_case(name))
            && let Some(range) = first_string(bytes, at)
        {
            let url = text[range.clone()].replace("\"\"", "\"");
            // References to this workbook, or to one that has no URL, are skipped.
            if !url.trim().is_empty() && !url.starts_with(['#', '[']) {
                give(url.trim().to_owned(), range.clone());
            }
            at = range.end + 1;
        }
    }
}

/// Returns the range of the string that is the complete first argument of the call whose `(` comes next. Strings that a
/// formula concatenates are skipped, since part of a link is not a link.
fn first_string(bytes: &[u8], at: usize) -> Option<Range<usize>> {
    let after_spaces = |at: usize| {
        at + bytes
            .get(at..)
            .unwrap_or_default()
            .iter()
            .take_while(|b| b.is_ascii_whitespace())
            .count()
    };
    let open = after_spaces(at);
    if bytes.get(open) != Some(&b'(') {
        return None;
    }
    let quote = after_spaces(open + 1);
    if bytes.get(quote) != Some(&b'"') {
        return None;
    }
    let end = string_end(bytes, quote + 1, b'"');
    let next = bytes.get(after_spaces(end + 1));
    matches!(next, Some(b',' | b';' | b')')).then_some(quote + 1..end)
}

/// Returns where the string ends that began before `at`: a quote in it is doubled.
fn string_end(bytes: &[u8], mut at: usize, quote: u8) -> usize {
    while let Some(&byte) = bytes.get(at) {
        match (byte == quote, bytes.get(at + 1)) {
            (true, Some(&next)) if next == quote => at += 2,
            (true, _) => return at,
            _ => at += 1,
        }
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(text: &str, grammar: Grammar) -> Vec<(String, &str)> {
        let mut found = Vec::new();
        each(text, grammar, |url, range| found.push((url, &text[range])));
        found
    }

    #[test]
    fn fields() {
        for (text, url, raw) in [
            (r#" HYPERLINK "http://e.com/a b" \o "tip" "#, "http://e.com/a b", "http://e.com/a b"),
            (r#"hyperlink http://e.com/ \h"#, "http://e.com/", "http://e.com/"),
            (
                r#"HYPERLINK "http://e.com/" \l "part 2" \t "_blank""#,
                "http://e.com/#part 2",
                r#"http://e.com/" \l "part 2"#,
            ),
            (r#"HYPERLINK \o "http://tip.com/" "http://e.com/""#, "http://e.com/", "http://e.com/"),
            (r#"HYPERLINK "C:\\a\\b.docx""#, r"C:\a\b.docx", r"C:\\a\\b.docx"),
            ("HYPERLINK \u{201C}http://e.com/\u{201D}", "http://e.com/", "http://e.com/"),
            (
                r#"INCLUDEPICTURE "http://e.com/p.png" \* MERGEFORMATINET"#,
                "http://e.com/p.png",
                "http://e.com/p.png",
            ),
            (r#"HYPERLINK "http://e.com/"#, "http://e.com/", "http://e.com/"),
            ("HYPERLINK \"http://e.com/\" \\o \"\u{13}", "http://e.com/", "http://e.com/"),
        ] {
            assert_eq!(all(text, Grammar::Field), [(url.to_owned(), raw)], "{text}");
        }
        for text in [
            r#"HYPERLINK \l "here""#,
            "PAGE",
            r#"REF "http://e.com/""#,
            "HYPERLINK",
            "",
            r#"HYPERLINK "" \l "#,
            "HYPERLINK \"http://e.com/\u{13}",
            "HYPERLINK \u{13} \"http://e.com/\"",
            "HYPERLINK \"http://e.com/\" \\l \"\u{13}",
        ] {
            assert_eq!(all(text, Grammar::Field), [], "{text}");
        }
    }

    #[test]
    fn formulas() {
        for (text, urls) in [
            (r#"HYPERLINK("http://e.com/","see")"#, &["http://e.com/"][..]),
            (r#"of:=hyperlink ( "http://e.com/" ; "see" )"#, &["http://e.com/"]),
            (
                r#"_xlfn.IMAGE("http://e.com/p.png")&HYPERLINK("http://e.com/""q")"#,
                &["http://e.com/p.png", "http://e.com/\"q"],
            ),
            (r#"HYPERLINK("http://e.com/"&A1)"#, &[]),
            (r#"HYPERLINK(A1,"http://e.com/")"#, &[]),
            (r##"HYPERLINK("#A2","x")"##, &[]),
            (r#"T("HYPERLINK(""http://e.com/"")")"#, &[]),
            (r#"'a"b'!A1+HYPERLINK("http://e.com/")"#, &["http://e.com/"]),
            ("HYPERLINK(\"", &[]),
        ] {
            let found: Vec<_> =
                all(text, Grammar::Formula).into_iter().map(|(url, _)| url).collect();
            assert_eq!(found, urls, "{text}");
            assert!(urls.is_empty() || may_be_formula(text.as_bytes()), "{text}");
        }
        assert!(!may_be_formula(b"SUM(A1:A2)"));
    }
}
