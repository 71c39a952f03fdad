//! Ends of links in prose: placeholders, backslashes, templates, brackets of East Asian width, a second link.

use super::Twin;
use super::chars;
use super::ending::{ELEMENTS, Head, Part};

/// Brackets and quotation marks of East Asian width, each with what closes it.
const WIDE: &str = "“”” 〝〞〟 〈〉〉 《》》 「」」 『』』 【】】 〔〕〕 〖〗〗 〘〙〙 〚〛〛 （）） ［］］ ｛｝｝ ｟｠｠ ｢｣｣";
const DELIMITERS: &str = "/?#&=:_";

/// An ESC as it is written in source code.
const ESCAPES: [&str; 11] = [
    r"\x1b",
    r"\x{1b}",
    r"\u001b",
    r"\u{1b}",
    r"\U0000001b",
    r"\033",
    r"\0033",
    r"\33",
    r"\27",
    r"\e",
    "^[",
];

impl Twin<'_> {
    /// The character at `i`, unless it is written as a reference.
    pub(super) fn written(&self, i: usize) -> Option<char> {
        let c = self.at(i)?;
        let (start, end) = self.text.stored(i, i + 1);
        (end - start == c.len_utf8()).then_some(c)
    }

    pub(super) fn is_written(&self, i: usize, word: &str) -> bool {
        word.chars()
            .enumerate()
            .all(|(k, c)| self.written(i + k).is_some_and(|d| d.eq_ignore_ascii_case(&c)))
    }

    fn is_gap(&self, i: usize) -> bool {
        self.at(i).is_none_or(chars::is_white_space)
    }

    /// Whether the link ends in front of the character at `i`.
    pub(super) fn ends_in_prose(&self, head: Head, i: usize) -> bool {
        match self.at(i) {
            Some('<') => !self.is_placeholder(head, i),
            Some('\\') => self.is_after_backslash(i) || self.is_written_escape(i),
            Some('^') => self.is_written_escape(i),
            Some('{') => self.is_template(head, i),
            Some('(') => self.is_substitution(head, i),
            Some('|') => self.written(i + 1) == Some('|') && self.is_in_command(head, i),
            Some('&') => self.is_next_command(head.start, i) && self.is_in_command(head, i),
            _ => self.is_wide_opener(head, i),
        }
    }

    /// Whether the bracket at `i` is one of `E<gt>`, as POD writes `>`.
    pub(super) fn is_pod(&self, head: Head, i: usize) -> bool {
        let is_name = self.is_written(i + 1, "gt>") || self.is_written(i + 1, "lt>");
        let is_lower = self.written(i + 1).is_some_and(|c| c.is_ascii_lowercase())
            && self.written(i + 2) == Some('t');
        self.at(i) == Some('<')
            && is_name
            && is_lower
            && i > head.end
            && self.written(i - 1) == Some('E')
    }

    fn in_link(&self, head: Head, i: usize) -> Option<char> {
        (i > head.start).then(|| self.before(i)).flatten()
    }

    fn is_placeholder(&self, head: Head, i: usize) -> bool {
        let is_inside = |c: char| c.is_alphanumeric() || "_-.".contains(c);
        let name: String =
            (i + 1..).map_while(|k| self.at(k)).take_while(|c| is_inside(*c)).collect();
        let end = i + 1 + name.chars().count();
        let after = self.at(end + 1).is_some_and(|c| "/.-?&".contains(c));
        let inside: String =
            (i + 1..i + 34).map_while(|k| self.at(k)).take_while(|c| *c != '>').collect();
        let digits = inside.chars().take_while(char::is_ascii_digit).count();
        let is_sici = inside.chars().count() <= 32
            && self.at(i + 1 + inside.chars().count()) == Some('>')
            && digits > 0
            && inside.chars().nth(digits) == Some(':')
            && inside.chars().skip(digits).all(|c| c.is_alphanumeric() || "-:".contains(c));
        if is_sici {
            return true;
        }
        let is_element = ELEMENTS.split_whitespace().any(|one| one.eq_ignore_ascii_case(&name));
        self.in_link(head, i).is_some_and(|c| "/-=._".contains(c))
            && (1..=32).contains(&name.chars().count())
            && self.at(end) == Some('>')
            && (after || !is_element)
    }

    pub(super) fn is_after_backslash(&self, i: usize) -> bool {
        if self.at(i + 1).is_some_and(|c| "<>()[]{}\"'`|".contains(c)) {
            return true;
        }
        if self.at(i + 1) == Some('*') && self.at(i + 2) != Some('/') {
            return true;
        }
        let more = (i + 1..).take_while(|&k| self.at(k) == Some('\\')).count().min(8);
        let after = i + 1 + more;
        let is_over = self.at(after).is_none_or(|c| {
            chars::is_ender(c) || chars::term(c) == chars::Hard || "nrtN".contains(c)
        });
        more > 0 && is_over
    }

    fn is_written_escape(&self, i: usize) -> bool {
        ESCAPES.iter().any(|escape| {
            let after = self.written(i + escape.len());
            self.is_written(i, escape) && after.is_some_and(|c| "[]()\\".contains(c))
        })
    }

    /// Whether an ESC stands before `i`, as it is or written out.
    fn is_after_esc(&self, i: usize) -> bool {
        ESCAPES
            .iter()
            .chain(&["\u{1B}"])
            .any(|esc| i >= esc.len() && self.is_written(i - esc.len(), esc))
    }

    /// After a control sequence of a terminal that goes on in the name `start..end`.
    pub(super) fn after_sequence(&self, start: usize, end: usize) -> Option<usize> {
        let back = |n: usize| start.checked_sub(n).and_then(|i| self.written(i));
        let last = back(1)?;
        let after_digit = last == ' ' && back(2).is_some_and(|c| c.is_ascii_digit());
        if !("\u{1B}\u{9B}[();:?".contains(last) || after_digit) {
            return None;
        }
        let inner =
            (1..=32).take_while(|&n| back(n).is_some_and(|c| (' '..='?').contains(&c))).count();
        let head = start - inner;
        let csi = back(inner + 1) == Some('[') && self.is_after_esc(head - 1)
            || back(inner + 1) == Some('\u{9B}');
        let inside = self.string(head, start);
        let intermediates = inside.trim_start_matches(|c| c >= '0');
        if intermediates.contains(|c| c >= '0') {
            return None;
        }
        let designates = self.is_after_esc(head) && intermediates == inside;
        let is_digit = |i: usize| self.written(i).is_some_and(|c| c.is_ascii_digit());
        let last = match csi {
            true if !intermediates.is_empty() => start,
            true => (start..end).find(|&i| !is_digit(i))?,
            false if designates => start,
            false => return None,
        };
        let c = self.written(last)?;
        let is_final = ('@'..='~').contains(&c) || last == start && c.is_ascii_digit();
        (is_final && last + 1 < end && self.at(last + 1) != Some('.')).then_some(last + 1)
    }

    fn is_template(&self, head: Head, i: usize) -> bool {
        let digit = |k: usize| self.at(k).is_some_and(|c| c.is_ascii_hexdigit());
        match self.at(i + 1) {
            Some('%') => return !(digit(i + 2) && digit(i + 3)),
            Some('\\') => return true,
            Some('{') => {}
            _ => return false,
        }
        if self.is_gap(i + 2) {
            return true;
        }
        if self.in_link(head, i).is_some_and(|c| "/?#&=:-_.".contains(c)) {
            return false;
        }
        for k in i + 2..i + 2 + 64 {
            if self.is_gap(k) {
                return true;
            }
            if self.is(k, "}}") {
                let next = self.at(k + 2);
                return !next.is_some_and(|c| c.is_alphanumeric() || "/?#&=-_.".contains(c));
            }
        }
        false
    }

    /// `$(uname -s)`
    fn is_substitution(&self, head: Head, i: usize) -> bool {
        let bad = |c: char| matches!(c, '\0'..' ' | '\u{FFFD}');
        let inside: String = (i + 1..i + 65)
            .map_while(|k| self.at(k))
            .take_while(|&c| c != ')' && !bad(c))
            .collect();
        let closed = self.at(i + 1 + inside.chars().count()) == Some(')');
        let near = inside.chars().count() < 64;
        i > head.end && self.is_plain(i - 1, "$(") && closed && near && inside.contains(' ')
    }

    /// Whether neither a quotation mark is directly before the link, nor a query in it.
    fn is_in_command(&self, head: Head, i: usize) -> bool {
        let query = (head.end..i).map_while(|k| self.at(k)).take_while(|&c| c != '#');
        !matches!(self.before(head.start), Some('"' | '\''))
            && head.part != Part::Query
            && !query.into_iter().any(|c| c == '?')
    }

    /// `app.js:10:22`, `a.py:5`: the line and the column behind the name of a file, the colon at `i`.
    pub(super) fn is_position(&self, head: Head, query: Option<usize>, i: usize) -> bool {
        if head.part != Part::None || self.written(i) != Some(':') {
            return false;
        }
        let digit = |k: usize| self.written(k).is_some_and(|c| c.is_ascii_digit());
        let digits = |k: usize| (k..k + 9).take_while(|&k| digit(k)).count();
        let line = i + 1 + digits(i + 1);
        let column = if self.is_plain(line, ":") { digits(line + 1) } else { 0 };
        let end = if column > 0 { line + 1 + column } else { line };
        let path = query.unwrap_or(i);
        let part = |k: &usize| self.written(*k).is_some_and(|c| c.is_ascii_alphanumeric());
        let len = (head.end..path).rev().take(6).take_while(part).count();
        let extension = self.string(path - len, path);
        let front = |n: usize| (path - len).checked_sub(n).filter(|&k| k >= head.end);
        let named = front(1).is_some_and(|k| self.written(k) == Some('.'))
            && front(2).is_some_and(|k| self.written(k) != Some('/'))
            && extension.starts_with(|c: char| c.is_ascii_alphabetic());
        let is_one = |list: &str| list.split(' ').any(|one| one == extension);
        let script = is_one("cjs css htm html js jsx mjs php py rb scss svelte ts tsx vue");
        let source =
            script || is_one("c cc cpp cs dart go h hpp java kt lua m rs scala swift wasm");
        let quoted = matches!(self.before(head.start), Some('"' | '\''));
        let inner = (head.end..i).any(|k| self.is_plain(k, "://"));
        let over = match self.at(end) {
            Some('.' | ':') => self.is_gap(end + 1),
            Some(c) => ")]}><\"'`,;\\".contains(c) || self.is_gap(end),
            None => true,
        };
        line > i + 1
            && named
            && over
            && !inner
            && match (column > 0, query.is_some()) {
                (true, false) => source,
                (false, true) => false,
                (true, true) => script,
                (false, false) => script && !quoted,
            }
    }

    fn is_wide_opener(&self, head: Head, i: usize) -> bool {
        let Some(opener) = self.at(i) else { return false };
        let Some(trio) = WIDE.split(' ').find(|trio| trio.starts_with(opener)) else {
            return false;
        };
        let first = (head.end..i)
            .rev()
            .find(|&k| self.at(k).is_some_and(|c| DELIMITERS.contains(c)))
            .map_or(head.end, |k| k + 1);
        let is_encoded = |k: usize| {
            let digit = |k: usize| self.written(k).filter(|_| k < i).and_then(|c| c.to_digit(16));
            self.at(k) == Some('%') && digit(k + 1).is_some_and(|d| d > 7) && digit(k + 2).is_some()
        };
        let beyond = |k: usize| self.is_beyond_ascii(k) || is_encoded(k);
        let note = opener == '（'
            && head.part != Part::Path
            && self.in_link(head, i) == Some('/')
            && !(head.start..i).any(beyond);
        if first == i && !note || (first..i).any(beyond) {
            return false;
        }
        let mut depth = 0;
        for k in i + 1..i + 1 + 64 {
            match self.at(k) {
                _ if self.is_gap(k) => return true,
                Some(c) if c == opener => depth += 1,
                Some(c) if trio.chars().skip(1).any(|one| one == c) => {
                    if depth == 0 {
                        return !self.at(k + 1).is_some_and(|c| "/?#&=_".contains(c));
                    }
                    depth -= 1;
                }
                _ => {}
            }
        }
        true
    }

    /// Where the link ends if the colon at `i` is that of another one.
    pub(super) fn second_scheme(&self, head: Head, has_query: bool, i: usize) -> Option<usize> {
        if head.part == Part::Path || self.at(i) != Some(':') || !self.is_written(i + 1, "//") {
            return None;
        }
        let scheme = ["https", "http"].iter().find_map(|name| {
            let first = i.checked_sub(name.len())?;
            (first >= head.start && self.is_written(first, name)).then_some(first)
        })?;
        if scheme < head.end {
            return None;
        }
        let beyond = |k: usize| k > head.end && self.is_beyond_ascii(k - 1);
        if beyond(scheme) {
            let mut first = scheme;
            while beyond(first) {
                first -= 1;
            }
            let own =
                first == head.end || self.before(first).is_some_and(|c| DELIMITERS.contains(c));
            return Some(if own { scheme } else { first });
        }
        let before = |k: usize| (k > head.end).then(|| self.before(k)).flatten();
        let separated = match before(scheme)? {
            ',' | ';' | '|' => true,
            '&' => before(scheme - 1) == Some('&'),
            _ => false,
        };
        let slashes = (head.start..head.end).any(|k| self.is_written(k, "//") && k + 2 <= head.end);
        if !separated || has_query || !slashes {
            return None;
        }
        let mut end = scheme;
        while before(end).is_some_and(|c| ",;|&".contains(c)) {
            end -= 1;
        }
        Some(end)
    }

    /// Whether the `#` before `end` is the last of a namespace in quotation marks.
    pub(super) fn is_namespace(&self, head: Head, end: usize) -> bool {
        let quote = self.before(head.start);
        self.prose()
            && matches!(quote, Some('"' | '\''))
            && self.written(end) == quote
            && self.written(end - 1) == Some('#')
    }
}
