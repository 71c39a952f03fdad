//! The references in formulas of spreadsheets: the first arguments of `HYPERLINK` and similar functions.
//!
//! The argument may be one string, or a choice of strings: `HYPERLINK(IF(A1, "https://a.example/", "https://b.example/"), "text")`. A
//! string that a formula puts together with other ones is no reference, since part of a link is not a link.

use std::ops::Range;
use std::sync::Arc;

use super::field::{CodeReference, url_of_drive};
use super::visible::push_shown;
use crate::tables::schemes;

/// Functions whose first argument is a URL.
const FUNCTIONS: [&str; 3] = ["HYPERLINK", "WEBSERVICE", "IMAGE"];
/// Functions whose value is one of their arguments, as it is.
const CHOICES: [&str; 8] = ["IF", "IFS", "IFERROR", "IFNA", "CHOOSE", "SWITCH", "T", "TRIM"];
/// Calls and brackets around a string that are followed.
const DEEPEST: usize = 64;

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

/// Passes the references of a formula to `give`, in order.
pub(super) fn each(text: &str, mut give: impl FnMut(CodeReference)) {
    let mut reader = FormulaReader {
        text,
        groups: Vec::new(),
        strings: Vec::new(),
        found: Vec::new(),
        outermost: 0,
    };
    reader.read();
    let mut found = reader.found;
    found.sort_by_cached_key(|reference| reference.range.start);
    // The cell shows a label if the call is all of the formula: a name and its bracket.
    let is_one_call = reader.outermost == 2;
    for mut reference in found {
        reference.shown = reference.shown.filter(|_| is_one_call);
        give(reference);
    }
}

/// Returns where a formula begins behind its mark: `=`, `of:=`.
fn begin_of(text: &str) -> usize {
    let Some((front, _)) = text.split_once('=') else { return 0 };
    let is_name = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric());
    let is_mark = front.trim().is_empty() || front.trim().strip_suffix(':').is_some_and(is_name);
    if is_mark { front.len() + 1 } else { 0 }
}

/// Returns the URL of a string and its range; a string that is not all of the argument is one if its scheme is known.
fn url_of(text: &str, range: Range<usize>, is_argument: bool) -> Option<(String, Range<usize>)> {
    let written = &text[range.clone()];
    // A place in a workbook: `[http://example.com/a.xlsx]Sheet1!A1`.
    let workbook = written.strip_prefix('[').and_then(|rest| rest.split(']').next());
    let (range, is_whole) = match workbook {
        Some(workbook) => (range.start + 1..range.start + 1 + workbook.len(), false),
        None => (range, is_argument),
    };
    let url = unquoted(&text[range.clone()]).trim().to_owned();
    if let Some(url) = url_of_drive(&url) {
        return Some((url, range));
    }
    let is_absolute = || {
        let scheme = url.split_once(':').map_or("", |(scheme, _)| scheme);
        schemes::is_known(scheme.as_bytes())
    };
    // References to this workbook are skipped.
    let is_url = !url.is_empty() && !url.starts_with('#') && (is_whole || is_absolute());
    is_url.then_some((url, range))
}

/// Returns a string as it is read: a quote in it is doubled.
fn unquoted(string: &str) -> String {
    string.replace("\"\"", "\"")
}

/// Returns the text of a label; `None` if it shows nothing.
fn label_of(string: &str) -> Option<Arc<str>> {
    let mut label = String::new();
    push_shown(&mut label, &unquoted(string));
    (!label.trim().is_empty()).then(|| label.into())
}

/// Token of a formula, without white space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum FormulaToken<'t> {
    /// A word with what it has after its last dot: `_xlfn.IMAGE`.
    Name(&'t str),
    /// Offsets of a string between its quotes.
    String(usize, usize),
    /// The quoted name of a sheet.
    Sheet,
    Sign(u8),
}

/// Iterator over the tokens of a formula.
struct FormulaTokens<'t> {
    text: &'t str,
    at: usize,
}

impl<'t> Iterator for FormulaTokens<'t> {
    type Item = FormulaToken<'t>;

    fn next(&mut self) -> Option<FormulaToken<'t>> {
        let bytes = self.text.as_bytes();
        let rest = bytes.get(self.at..)?;
        self.at += rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        let start = self.at;
        let byte = *bytes.get(start)?;
        if byte == b'"' || byte == b'\'' {
            let end = string_end(bytes, start + 1, byte);
            self.at = end + 1;
            return Some(match byte {
                b'"' => FormulaToken::String(start + 1, end),
                _ => FormulaToken::Sheet,
            });
        }
        let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'.');
        let len = bytes[start..].iter().take_while(is_name).count();
        self.at += len.max(1);
        match len {
            0 => Some(FormulaToken::Sign(byte)),
            _ => {
                let name = self.text.get(start..start + len).unwrap_or_default();
                Some(FormulaToken::Name(name.rsplit('.').next().unwrap_or_default()))
            }
        }
    }
}

impl FormulaTokens<'_> {
    /// Returns the string that is the complete argument that comes next.
    fn whole_string(&mut self) -> Option<Range<usize>> {
        let mut ahead = FormulaTokens { text: self.text, at: self.at };
        let Some(FormulaToken::String(start, end)) = ahead.next() else { return None };
        matches!(ahead.next(), Some(FormulaToken::Sign(b',' | b';' | b')'))).then_some(start..end)
    }
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

/// A call, or a bracket, that is open in a formula.
struct FormulaGroup {
    /// Whether it is a call of [`FUNCTIONS`] whose first argument is read, and which one.
    function: Option<usize>,
    /// Whether a string in it may be the first argument of such a call.
    is_kept: bool,
    /// Number of strings before it.
    first: usize,
    /// Number of tokens in it.
    tokens: usize,
}

/// Reads a formula once, from its beginning to its end.
struct FormulaReader<'t> {
    text: &'t str,
    groups: Vec<FormulaGroup>,
    /// Strings that the first arguments of the calls that are open may be.
    strings: Vec<Range<usize>>,
    found: Vec<CodeReference>,
    /// Number of tokens outside all groups.
    outermost: usize,
}

impl<'t> FormulaReader<'t> {
    fn read(&mut self) {
        let mut tokens = FormulaTokens { text: self.text, at: begin_of(self.text) };
        // Number of groups that are open beyond the most.
        let mut deeper = 0_usize;
        // Whether a part of an argument may begin, and the name before a bracket.
        let (mut is_start, mut name) = (true, None);
        // Number of strings before a part that has ended, if the argument ends with it.
        let mut ended: Option<usize> = None;
        while let Some(token) = tokens.next() {
            self.outermost += usize::from(self.groups.is_empty());
            let is_end = matches!(token, FormulaToken::Sign(b',' | b';' | b')'));
            if let Some(first) = ended.take().filter(|_| !is_end) {
                self.strings.truncate(first);
            }
            let called: Option<(&str, bool)> = name.take();
            let was_start = called.map_or(is_start, |(_, was_start)| was_start);
            is_start = false;
            match token {
                FormulaToken::Sign(b'(' | b'{') if self.groups.len() == DEEPEST => deeper += 1,
                FormulaToken::Sign(b')' | b'}') if deeper > 0 => deeper -= 1,
                _ if deeper > 0 => {}
                FormulaToken::Sign(sign @ (b'(' | b'{')) => {
                    self.open(called.map(|(name, _)| name), was_start && sign == b'(');
                    is_start = true;
                }
                FormulaToken::Sign(b')' | b'}') => ended = self.close(),
                FormulaToken::Sign(b',' | b';') => {
                    self.end_argument(tokens.whole_string());
                    is_start = true;
                }
                FormulaToken::String(start, end) => {
                    if was_start && self.groups.last().is_some_and(|group| group.is_kept) {
                        ended = Some(self.strings.len());
                        self.strings.push(start..end);
                    }
                    self.count();
                }
                FormulaToken::Name(word) => {
                    name = Some((word, was_start));
                    self.count();
                }
                FormulaToken::Sheet | FormulaToken::Sign(_) => self.count(),
            }
        }
    }

    fn count(&mut self) {
        if let Some(group) = self.groups.last_mut() {
            group.tokens += 1;
        }
    }

    /// Opens a call of a function, or a bracket, which may be all of an argument.
    fn open(&mut self, called: Option<&str>, is_part: bool) {
        let is = |names: &[&str], name: &str| {
            names.iter().position(|one| one.eq_ignore_ascii_case(name))
        };
        let function = called.and_then(|name| is(&FUNCTIONS, name));
        let is_choice = called.is_none_or(|name| is(&CHOICES, name).is_some());
        let is_inside = is_part && self.groups.last().is_some_and(|group| group.is_kept);
        let is_kept = function.is_some() || is_choice && is_inside;
        self.count();
        self.groups.push(FormulaGroup { function, is_kept, first: self.strings.len(), tokens: 0 });
    }

    /// Closes the innermost group; returns the number of strings before it, if its value may be one of them.
    fn close(&mut self) -> Option<usize> {
        if self.groups.last()?.function.is_some() {
            self.end_argument(None);
            self.groups.pop();
            return None;
        }
        Some(self.groups.pop()?.first)
    }

    /// Ends an argument, behind which this string is the next one.
    fn end_argument(&mut self, label: Option<Range<usize>>) {
        let is_outermost = self.groups.len() == 1;
        let Some(group) = self.groups.last_mut() else { return };
        let Some(function) = group.function.take() else { return };
        group.is_kept = false;
        let strings: Vec<_> = self.strings.drain(group.first..).collect();
        let is_string = group.tokens == 1;
        let shown = label
            .filter(|_| function == 0 && is_outermost)
            .and_then(|range| label_of(&self.text[range]));
        for range in strings {
            if let Some((url, range)) = url_of(self.text, range, is_string) {
                let is_loaded = function > 0;
                self.found.push(CodeReference { url, range, is_loaded, shown: shown.clone() });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas() {
        for (text, urls) in [
            (r#"HYPERLINK("http://e.com/","see")"#, &["http://e.com/ see"][..]),
            (r#"of:=hyperlink ( "http://e.com/" ; "see" )"#, &["http://e.com/ see"]),
            (
                r#"_xlfn.IMAGE("http://e.com/p.png")&HYPERLINK("http://e.com/""q")"#,
                &["http://e.com/p.png", "http://e.com/\"q"],
            ),
            (r#"HYPERLINK("a.html",A1)"#, &["a.html"]),
            (r#"HYPERLINK("http://e.com/"&A1)"#, &[]),
            (r#"HYPERLINK(A1,"http://e.com/")"#, &[]),
            (r##"HYPERLINK("#A2","x")"##, &[]),
            (r#"HYPERLINK("D:\FINANCE\1stqtr.xlsx")"#, &[r"file:///D:\FINANCE\1stqtr.xlsx"]),
            (r#"HYPERLINK("[d:/a.xlsx]Annual!F10")"#, &["file:///d:/a.xlsx"]),
            (r#"T("HYPERLINK(""http://e.com/"")")"#, &[]),
            (r#"'a"b'!A1+HYPERLINK("http://e.com/")"#, &["http://e.com/"]),
            ("HYPERLINK(\"", &[]),
            ("HYPERLINK(\"http://e.com/\"", &[]),
            (r#"HYPERLINK("[http://e.com/a b.xlsx]Annual!F10", D1)"#, &["http://e.com/a b.xlsx"]),
            (r#"HYPERLINK("[a.xlsx]Annual!F10", "x")"#, &[]),
            (
                r#"HYPERLINK(IF(A1="http://no/","http://e.com/a",("http://e.com/b")),"x")"#,
                &["http://e.com/a x", "http://e.com/b x"],
            ),
            (r#"HYPERLINK(T("http://e.com/"),"x")"#, &["http://e.com/ x"]),
            (r#"HYPERLINK(IF(A1,"http://no/","x")&B1)"#, &[]),
            (r#"HYPERLINK(B1&IF(A1,"http://no/","x"))"#, &[]),
            (r#"HYPERLINK(CONCATENATE("http://no/",B1))"#, &[]),
            (r#"HYPERLINK({"http://no/","http://no/"})"#, &[]),
            (r##"HYPERLINK(IF(A1,"#a","b.html"))"##, &[]),
            (r#"HYPERLINK(FILTERXML(WEBSERVICE("http://e.com/"),"//a"),"x")"#, &["http://e.com/"]),
            (
                r#"IF(A1,HYPERLINK("http://e.com/a","x"),HYPERLINK(IFERROR("http://e.com/b",IMAGE("http://e.com/c"))))"#,
                &["http://e.com/a", "http://e.com/b", "http://e.com/c"],
            ),
            (
                r#"HYPERLINK("http://e.com/a")&HYPERLINK("http://e.com/b","x")"#,
                &["http://e.com/a", "http://e.com/b"],
            ),
            (r#"=HYPERLINK("http://e.com/","x") "#, &["http://e.com/ x"]),
            (r#"HYPERLINK("http://e.com/","x")&"y""#, &["http://e.com/"]),
            (r#"A1=HYPERLINK("http://e.com/","x")"#, &["http://e.com/"]),
        ] {
            let mut found = Vec::new();
            each(text, |CodeReference { url, shown, .. }| {
                found.push(
                    [url, shown.as_deref().unwrap_or_default().to_owned()]
                        .join(" ")
                        .trim_end()
                        .to_owned(),
                );
            });
            assert_eq!(found, urls, "{text}");
            assert!(urls.is_empty() || may_be_formula(text.as_bytes()), "{text}");
        }
        assert!(!may_be_formula(b"SUM(A1:A2)"));
    }

    #[test]
    fn links_share_a_label_that_is_cut() {
        let label = "ä".repeat(1 << 16);
        let mut labels = Vec::new();
        each(&format!("HYPERLINK(CHOOSE(1,\"tel:1\",\"tel:2\"),\"{label}\")"), |reference| {
            labels.extend(reference.shown);
        });
        assert_eq!(labels.len(), 2);
        assert!(Arc::ptr_eq(&labels[0], &labels[1]));
        assert_eq!(&*labels[0], "ä".repeat(crate::limits::SHOWN / 2 + 1));
    }

    #[test]
    fn calls_in_calls_are_followed_to_a_depth() {
        let deep = |depth| {
            format!("HYPERLINK({}\"http://e.com/\"{})", "T(".repeat(depth), ")".repeat(depth))
        };
        for (depth, count) in [(DEEPEST - 1, 1), (DEEPEST, 0), (10 * DEEPEST, 0)] {
            let mut found = 0;
            each(&[&deep(depth), "+", &deep(1)].concat(), |_| found += 1);
            assert_eq!(found, count + 1, "{depth}");
        }
    }
}
