//! Functions: how long they are, and how many parameters they take.
//!
//! What takes many has a state that wants a name. A pattern that takes a tuple or an array apart counts as that many.

use std::path::Path;

use super::sources::{Source, code, sources, sources_of};

/// A function is read at once.
const MOST_LINES: usize = 100;
const MOST_PARAMETERS: usize = 6;

/// A function as it is written.
#[derive(Debug, PartialEq, Eq)]
struct Function {
    name: String,
    parameters: usize,
    lines: usize,
    /// Python calls it, by keywords.
    is_of_keywords: bool,
}

/// The functions of a text, those of its tests apart.
fn functions(text: &str) -> Vec<Function> {
    let code = code(text);
    let mut found = Vec::new();
    for (at, _) in code.match_indices("fn ") {
        let line_start = code[..at].rfind('\n').map_or(0, |lf| lf + 1);
        let before = &code[line_start..at];
        let is_item = before.split_whitespace().all(is_qualifier);
        let after = &code[at + 3..];
        let name_end = after.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(0);
        let Some((parameters, rest)) = parameters(&after[name_end..]) else { continue };
        if !is_item || name_end == 0 {
            continue;
        }
        let indent = &before[..before.len() - before.trim_start().len()];
        let has_body = rest.find(['{', ';']).is_some_and(|end| rest[end..].starts_with('{'));
        let whole = &code[at..];
        let end = match has_body {
            // A function of one line ends with it.
            true if whole.lines().next().is_some_and(|line| line.ends_with('}')) => Some(0),
            true => whole.find(&format!("\n{indent}}}")).map(|end| end + 1),
            false => Some(0),
        };
        let end = end.unwrap_or(whole.len());
        let attributes = code[..line_start].rfind(['}', ';']).unwrap_or(0);
        found.push(Function {
            name: after[..name_end].to_owned(),
            parameters,
            lines: whole[..end].matches('\n').count() + 1,
            is_of_keywords: code[attributes..line_start].contains("#[pyo3(signature"),
        });
    }
    found
}

fn is_qualifier(word: &str) -> bool {
    matches!(word, "pub" | "const" | "unsafe" | "async" | "extern" | "\"C\"" | "in")
        || word.starts_with("pub(")
        || word.ends_with(')')
}

/// How many parameters there are after a function's name, and what follows them.
fn parameters(code: &str) -> Option<(usize, &str)> {
    let mut depth = 0_usize;
    let (mut list, mut before) = (None, ' ');
    for (at, c) in code.char_indices() {
        match c {
            '(' if depth == 0 => {
                list = Some(at + 1);
                depth = 1;
            }
            '<' | '(' | '[' | '{' => depth += 1,
            '>' if before == '-' || before == '=' => {}
            '>' | ')' | ']' | '}' => {
                depth = depth.checked_sub(1)?;
                if let (0, Some(start)) = (depth, list) {
                    let count = split(&code[start..at]).into_iter().map(names).sum();
                    return Some((count, &code[at + 1..]));
                }
            }
            _ => {}
        }
        before = c;
    }
    None
}

/// A list's entries: what is between commas that are in no brackets.
fn split(list: &str) -> Vec<&str> {
    let (mut depth, mut start, mut before) = (0_usize, 0, ' ');
    let mut entries = Vec::new();
    for (at, c) in list.char_indices() {
        match c {
            '<' | '(' | '[' | '{' => depth += 1,
            '>' if before == '-' || before == '=' => {}
            '>' | ')' | ']' | '}' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                entries.push(&list[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        before = c;
    }
    entries.push(&list[start..]);
    entries.retain(|entry| !entry.trim().is_empty());
    entries
}

/// How many names a parameter gives: of a pattern as many as are in it.
fn names(parameter: &str) -> usize {
    let parameter = parameter.trim();
    let close = match parameter.chars().next() {
        Some('(') => ')',
        Some('[') => ']',
        _ => return 1,
    };
    parameter.find(close).map_or(1, |end| split(&parameter[1..end]).len())
}

/// The functions of a file that are too long or take too much.
fn excessive(source: &Source) -> Vec<String> {
    let say = |function: Function| {
        let Function { name, parameters, lines, .. } = function;
        format!("{}: {name}: {parameters} parameters, {lines} lines", source.path)
    };
    let is_excessive = |function: &Function| {
        let is_wide = function.parameters > MOST_PARAMETERS && !function.is_of_keywords;
        is_wide || function.lines > MOST_LINES
    };
    functions(&source.text).into_iter().filter(is_excessive).map(say).collect()
}

#[test]
fn functions_are_short_and_take_little() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut all: Vec<_> = sources().into_iter().filter(|source| !source.is_command()).collect();
    for folder in super::structure::USERS {
        all.extend(sources_of(&root.join(folder)));
    }
    let found: Vec<_> = all.iter().flat_map(excessive).collect();
    assert!(found.is_empty(), "{}", found.join("\n"));
    let count: usize = all.iter().map(|source| functions(&source.text).len()).sum();
    assert!(count > 2_000, "{count} functions");
}

#[test]
fn what_is_excessive_is_seen() {
    let one = |path: &str, text: &str| {
        excessive(&Source { path: path.to_owned(), text: text.to_owned() })
    };
    let wide =
        "fn f(a: u8, b: u8, c: u8, d: u8, e: Vec<(u8, u8)>, f: impl Fn(u8, u8) -> u8, g: u8) {}\n";
    assert_eq!(one("files/one", wide), ["files/one: f: 7 parameters, 1 lines"]);
    let dodged = "impl A {\n    pub(super) fn f<T: Fn() -> u8>(\n        &mut self,\n        (a, b): (u8, u8),\n        [c, d, e, f]: [u8; 4],\n    ) -> u8 {\n        0\n    }\n}\n";
    assert_eq!(one("files/one", dodged), ["files/one: f: 7 parameters, 7 lines"]);
    let long = |lines: usize| format!("fn f() {{\n{}}}\n", "    g();\n".repeat(lines));
    assert_eq!(one("files/one", &long(99)), ["files/one: f: 0 parameters, 101 lines"]);
    assert!(one("files/one", &long(98)).is_empty());
    let python = "#[pyo3(signature = (a, *, b = 1))]\npub(crate) fn f(a: A, b: B, c: C, d: D, e: E, f: F, g: G) {}\n";
    assert!(one("finder", python).is_empty());
    assert_eq!(one("finder", &python.replace("pyo3(signature", "doc(alias")).len(), 1);
    let fine = "trait A {\n    fn f(&self, a: HashMap<u8, u8>, b: (u8, u8)) -> [u8; 9];\n}\n#[cfg(test)]\nmod tests {\n    fn f(a: A, b: B, c: C, d: D, e: E, f: F, g: G) {}\n}\n";
    assert!(one("files/one", fine).is_empty());
}
