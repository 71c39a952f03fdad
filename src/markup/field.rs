//! The references in the codes of fields of word processors.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

/// Fields whose first argument is a URL: a reader follows that of the first one, the program loads the others.
const FIELDS: [&str; 3] = ["HYPERLINK", "INCLUDEPICTURE", "INCLUDETEXT"];

/// A reference of a field or a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct CodeReference {
    pub(super) url: String,
    /// Range in the code.
    pub(super) range: Range<usize>,
    /// Whether the program loads it, and no reader follows it.
    pub(super) is_loaded: bool,
    /// Text that the code itself has for the link, as far as it is compared and shown; several links may have it.
    pub(super) shown: Option<Arc<str>>,
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

/// Returns the URL of a file that is named by its path on a drive of Windows: `C:\a.docx`.
pub(super) fn url_of_drive(path: &str) -> Option<String> {
    is_on_drive(path.as_bytes()).then(|| format!("file:///{path}"))
}

/// Returns `true` for a path on a drive of Windows.
pub(super) fn is_on_drive(path: &[u8]) -> bool {
    matches!(path.trim_ascii_start(), [letter, b':', b'\\' | b'/', ..] if letter.is_ascii_alphabetic())
}

/// Returns the URL of a field by its code; `None` for other fields, and for a place in the field's own document.
#[cfg(feature = "office")]
pub(crate) fn field_url(code: &str) -> Option<String> {
    of_field(code).map(|reference| reference.url)
}

/// Returns the reference of a field; a place in the field's own document is not a reference.
pub(super) fn of_field(text: &str) -> Option<CodeReference> {
    let mut arguments = Arguments { text, at: 0 };
    let name = arguments.next()?;
    let field = FIELDS.iter().position(|field| name.text.eq_ignore_ascii_case(field))?;
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
    let (path, mut range) = (url.text.trim(), url.range);
    let mut text = url_of_drive(path).unwrap_or_else(|| path.to_owned());
    if let Some(fragment) = fragment.filter(|fragment| !fragment.text.is_empty()) {
        text.push('#');
        text.push_str(&fragment.text);
        range = range.start.min(fragment.range.start)..range.end.max(fragment.range.end);
    }
    Some(CodeReference { url: text, range, is_loaded: field > 0, shown: None })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Option<(String, &str)> {
        of_field(text).map(|CodeReference { url, range, .. }| (url, &text[range]))
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
            (r#"HYPERLINK "C:\\a\\b.docx""#, r"file:///C:\a\b.docx", r"C:\\a\\b.docx"),
            ("HYPERLINK \u{201C}http://e.com/\u{201D}", "http://e.com/", "http://e.com/"),
            (
                r#"INCLUDEPICTURE "http://e.com/p.png" \* MERGEFORMATINET"#,
                "http://e.com/p.png",
                "http://e.com/p.png",
            ),
            (r#"HYPERLINK "http://e.com/"#, "http://e.com/", "http://e.com/"),
            ("HYPERLINK \"http://e.com/\" \\o \"\u{13}", "http://e.com/", "http://e.com/"),
        ] {
            assert_eq!(found(text), Some((url.to_owned(), raw)), "{text}");
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
            assert_eq!(found(text), None, "{text}");
        }
    }
}
