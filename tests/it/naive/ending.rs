//! Where a link ends: UTS #58's termination, and the rules that stand beside it.

use super::chars::{self, Close, Hard, Include, Open, Soft};
use super::{Boundaries, Twin};

#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    None,
    Path,
    Query,
    Fragment,
}

/// What is known of a link before its tail is read.
#[derive(Clone, Copy)]
pub(super) struct Head {
    /// The link's first character.
    pub start: usize,
    /// The first character that is not host, port or scheme-only colon.
    pub end: usize,
    /// The part that is open there.
    pub part: Part,
    /// The character before `end` is a root dot.
    pub root_dot: bool,
    /// The link may be the whole inside of `<…>`.
    pub exact: bool,
}

/// Where a link ends.
#[derive(Clone, Copy)]
pub(super) struct Tail {
    /// The index after the link's last character.
    pub end: usize,
    /// The same before emphasis and a bare `?` or `#` came off.
    pub reach: usize,
}

impl Tail {
    pub(super) fn bare(end: usize) -> Self {
        Tail { end, reach: end }
    }
}

const STACK: usize = 125;
pub(super) const ELEMENTS: &str = "a abbr acronym b big blockquote br button center cite code dd del dfn div dl dt em embed \
    figcaption figure font footer form h1 h2 h3 h4 h5 h6 hr i iframe img input ins kbd legend li mark nav \
    noscript ol option p pre q s samp script select small span strike strong style sub sup svg table tbody td \
    textarea tfoot th thead tr tt u ul var video wbr";

/// Where the termination algorithm came to.
struct Machine {
    safe: usize,
    /// In front of a bracket or a second link that is no part of the link.
    cut: bool,
    /// The last square brackets that were closed.
    label: Option<(usize, usize)>,
    /// A query was opened.
    query: bool,
}

impl Twin<'_> {
    pub(super) fn ending(&self, head: Head) -> Tail {
        if head.exact
            && let Some(end) = self.exact_end(head)
        {
            return Tail::bare(end);
        }
        let limit = self.quoted_end(head.start, head.end).min(self.labelled_end(head));
        let Machine { safe: reach, mut cut, label, query } = self.machine(head, limit);
        let mut marks = self.marks_before(head.start).map_or(0, |(_, n)| n);
        let mut end = reach;
        loop {
            let before = end;
            end = self.without_emphasis(head, end, &mut marks);
            if self.prose() {
                end = self.without_closer(head, label, query, end);
                cut |= end < before;
            }
            end = self.trimmed(head, end, self.is_namespace(head, reach) && end == reach);
            let soft = |i: usize| self.at(i).is_some_and(|c| chars::term(c) == Soft);
            while cut && end > head.end && soft(end - 1) {
                end -= 1;
            }
            if end == before {
                return Tail { end, reach };
            }
        }
    }

    /// `<scheme://…>` and `<URL:…>`: the index of the `>`, which is looked for
    /// as far as a link may reach.
    fn exact_end(&self, head: Head) -> Option<usize> {
        let (start, from) = (head.start, head.end);
        if head.part == Part::None && !matches!(self.at(from)?, '/' | '?' | '#' | '>') {
            return None;
        }
        let mut i = from;
        loop {
            let c = self.at(i)?;
            let (first, end) = self.text.stored(start, i);
            if end - first > self.settings.max_link {
                return None;
            }
            if c == '>' {
                return Some(i);
            }
            if c == '|' && self.prose() {
                return None;
            }
            if self.string_escape(i).is_some_and(|(c, _)| c.is_none()) {
                return None;
            }
            if c == '<' || chars::is_ender(c) || chars::term(c) == Hard {
                return None;
            }
            i += 1;
        }
    }

    /// Whether `<URL:` stands directly before `start`.
    pub(super) fn url_prefix(&self, start: usize) -> bool {
        start >= 5 && self.string(start - 5, start).eq_ignore_ascii_case("<URL:")
    }

    /// Where the quotation that opens directly before the link closes, or the
    /// text's end.
    fn quoted_end(&self, start: usize, from: usize) -> usize {
        (from..self.text.len())
            .find(|&i| self.closes_quotation(start, i))
            .unwrap_or(self.text.len())
    }

    /// Prose: a bar ends a link that has a label after it, and one in a parameter of wikitext.
    fn labelled_end(&self, head: Head) -> usize {
        (head.end..self.text.len())
            .find(|&i| self.ends_at_bar(head.start, i))
            .unwrap_or(self.text.len())
    }

    /// Whether a bar is there that ends the link at `start`.
    pub(super) fn ends_at_bar(&self, start: usize, i: usize) -> bool {
        let is_bar = self.prose() && self.at(i) == Some('|');
        is_bar
            && (self.is_labelled(start) || self.is_in_parameter(start) || self.is_piped(start, i))
    }

    /// `{{cite|url=`, `|link = `, `{{note|see `: among the 32 characters before the link, on its line.
    fn is_in_parameter(&self, start: usize) -> bool {
        let front = self.front_of(start);
        let named = front.trim_end_matches(' ').strip_suffix('=').is_some_and(|front| {
            front.rsplit_once('|').is_some_and(|(_, name)| {
                !name.trim_matches(' ').is_empty() && !name.contains(|c| "={}[]<>\"'".contains(c))
            })
        });
        let (mut closed, mut bar) = (0, false);
        let mut rest = front.as_str();
        while let Some(c) = rest.chars().next_back() {
            bar |= c == '|';
            let pair = rest.ends_with("{{") || rest.ends_with("}}");
            if rest.ends_with("{{") && closed == 0 && bar {
                return true;
            }
            match c {
                '}' if pair => closed += 1,
                '{' if pair => closed = closed.max(1) - 1,
                _ => {}
            }
            let len = if pair { 2 } else { c.len_utf8() };
            rest = &rest[..rest.len() - len];
        }
        named
    }

    pub(super) fn is_labelled(&self, start: usize) -> bool {
        let front = self.string(start.saturating_sub(12), start);
        ["<", "[", "{@link ", "{@linkplain "].iter().any(|open| front.ends_with(open))
    }

    /// Whether the character at `i` ends a link that starts at `start` because
    /// of the quotation mark directly before it.
    pub(super) fn closes_quotation(&self, start: usize, i: usize) -> bool {
        let (Some(opener), Some(c)) = (self.before(start), self.at(i)) else {
            return false;
        };
        // An escaped slash is one, and so is another character of a string.
        if self.prose() && (self.is(i, r"\/") || self.string_escape(i).is_some()) {
            return false;
        }
        match opener {
            '"' => c == '"' || c == '\\',
            '\'' => {
                let goes_on = self.at(i + 1).is_some_and(|d| d.is_ascii_alphanumeric());
                c == '\\' || (c == '\'' && !goes_on)
            }
            '`' | '|' => c == opener,
            '｜' => self.prose() && c == opener,
            '“' | '„' => c == '”' || c == '“',
            '‘' | '‚' => c == '’' || c == '‘',
            '«' => c == '»',
            '»' => c == '«',
            '‹' => c == '›',
            '〝' => c == '〞' || c == '〟',
            '﹁' => c == '﹂',
            '﹃' => c == '﹄',
            '＂' | '＇' => c == opener,
            '＜' => c == '＞',
            '≪' => c == '≫',
            // Hebrew gershayim, which phones write as quotation marks.
            '\u{05F4}' => c == '\u{05F4}',
            _ => false,
        }
    }

    /// The termination algorithm on the characters before `limit`. A brace that is still open ends the link.
    fn machine(&self, head: Head, limit: usize) -> Machine {
        let mut stack = Vec::new();
        let mut machine = self.machine_of(head, limit, &mut stack);
        let brace = stack.iter().find(|(_, c)| *c == '{').map(|&(at, _)| at);
        let (first, end) = self.text.stored(head.start, machine.safe);
        if let Some(brace) = brace.filter(|&brace| self.prose() && brace < machine.safe)
            && end - first <= self.settings.max_link
        {
            machine.safe = brace - usize::from(self.is_sign_before(head, brace));
            machine.cut = true;
        }
        machine
    }

    /// The sign of a template, `${`.
    fn is_sign_before(&self, head: Head, i: usize) -> bool {
        i > head.end && matches!(self.written(i - 1), Some('$' | '%'))
    }

    fn machine_of(&self, head: Head, limit: usize, stack: &mut Vec<(usize, char)>) -> Machine {
        let mut squares: Vec<usize> = Vec::new();
        let (mut label, mut query) = (None, false);
        let mut query_at = None;
        let mut part = head.part;
        let mut safe = head.end;
        let mut quotes = String::new();
        let mut at = head.end;
        loop {
            let i = at;
            if i >= limit {
                // At the text's end as at white space.
                match squares.first() {
                    Some(&square) if self.prose() && squares.len() <= 8 && i == self.text.len() => {
                        return Machine { safe: square, cut: true, label, query };
                    }
                    _ => break,
                }
            }
            let Some(c) = self.at(i) else { break };
            let (c, len) = match self.string_escape(i) {
                Some((Some(c), len)) => (c, len),
                Some((None, _)) => {
                    // As at the text's end.
                    match squares.first() {
                        Some(&square) if part != Part::None && squares.len() <= 8 => {
                            return Machine { safe: square, cut: true, label, query };
                        }
                        _ => break,
                    }
                }
                None => (c, 1),
            };
            at = i + len;
            let pattern = c == '#'
                && part != Part::Fragment
                && self.prose()
                && head.start.checked_sub(1).is_some_and(|k| self.written(k) == Some('#'))
                && ["http://", "https://"].iter().any(|link| self.is_plain(at, link));
            if pattern {
                break;
            }
            let next = match (part, c) {
                (Part::None, '/') => Some(Part::Path),
                (Part::None, '\\') if self.prose() && self.is(i, r"\/") => Some(Part::Path),
                (Part::None | Part::Path, '?') => Some(Part::Query),
                (Part::None | Part::Path | Part::Query, '#') => Some(Part::Fragment),
                _ => None,
            };
            if let Some(next) = next {
                part = next;
                query |= next == Part::Query;
                query_at = query_at.or(query.then_some(i));
                stack.clear();
                safe = at;
                continue;
            }
            if part == Part::None {
                break;
            }
            if matches!(c, '"' | '`') {
                let opened = quotes.chars().filter(|&q| q == c).count() % 2 == 1;
                let front = (i > head.end).then(|| self.before(i)).flatten();
                let inner = matches!(front, Some('/' | '=' | '_'))
                    && self.written(i + 1).is_some_and(|c| c.is_ascii_alphanumeric());
                let separated = matches!(front, Some(',' | ';'))
                    && !quotes.contains(c)
                    && stack.is_empty()
                    && !query;
                let in_string = c == '"'
                    && self.prose()
                    && !inner
                    && (separated || self.is_in_string(head.start, c));
                if !opened && (in_string || self.closes_something(c, i + 1)) {
                    break;
                }
                quotes.push(c);
            }
            if c == '\'' {
                let opened = quotes.chars().filter(|&q| q == c).count() % 2 == 1;
                if !opened && self.prose() && self.closes_string(head.start, i + 1) {
                    break;
                }
                quotes.push(c);
            }
            if c == '&' && self.is_entity(at) || self.is_markup(i) || self.is_escape(i) {
                break;
            }
            if self.prose() && part != Part::None && self.is_pod(head, i) {
                return Machine { safe: i - 1, cut: true, label, query };
            }
            if self.prose()
                && (self.is_broken_off(i) || self.is_glued(head, i) || self.ends_in_prose(head, i))
            {
                let opens = c == '{' || self.is_plain(i, "(");
                if opens && self.is_sign_before(head, i) {
                    return Machine { safe: safe.min(i - 1), cut: true, label, query };
                }
                if self.is_suffix(head, i) && !(head.end..i).any(|k| self.is_beyond_ascii(k)) {
                    safe = i - 1;
                }
                break;
            }
            if self.prose() && part != Part::Fragment && self.is_position(head, query_at, i) {
                break;
            }
            if self.prose()
                && let Some(end) = self.second_scheme(head, query, i)
            {
                return Machine { safe: end, cut: true, label, query };
            }
            if self.prose()
                && let Some(end) = self.separated_end(head, query, i)
            {
                return match c {
                    '@' => Machine { safe: end, cut: true, label, query },
                    _ => Machine { safe, cut: false, label, query },
                };
            }
            // What began the label of a link and is still open at white space, or closes although a
            // slash came between.
            let unmatched = c == ']' && stack.is_empty();
            if self.prose()
                && (chars::is_white_space(c) || unmatched)
                && squares.len() <= 8
                && let Some(&square) = squares.first()
            {
                return Machine { safe: square, cut: true, label, query };
            }
            if self.is_interior_syntax(part, c, at) {
                stack.clear();
            }
            if chars::is_ender(c) {
                break;
            }
            if self.settings.boundaries == Boundaries::Prose && chars::is_prose_stop(c) {
                break;
            }
            let soft = |c| c == '…' || chars::is_rule(c);
            let term = if self.prose() && soft(c) { Soft } else { chars::term(c) };
            match term {
                Hard => break,
                Soft => {
                    // What comes after could only belong to a link that is too long.
                    let (first, end) = self.text.stored(safe, at);
                    if end - first > self.settings.max_link {
                        break;
                    }
                }
                Include => safe = at,
                Open => {
                    if stack.len() == STACK {
                        break;
                    }
                    stack.push((i, c));
                    if c == '[' {
                        squares.push(i);
                    }
                    safe = at;
                }
                Close => {
                    if stack.last().map(|&(_, c)| c) != chars::opening_bracket(c) {
                        break;
                    }
                    stack.pop();
                    if c == ']' {
                        let first = squares.first().copied();
                        squares.pop();
                        if let (Some(first), true) = (first, squares.is_empty()) {
                            label = Some((first, at));
                        }
                    }
                    safe = at;
                }
            }
        }
        Machine { safe, cut: false, label, query }
    }

    /// `…` in front of a word of a script without spaces.
    fn is_broken_off(&self, i: usize) -> bool {
        self.at(i) == Some('…') && self.at(i + 1).is_some_and(chars::is_unspaced)
    }

    /// What stands after a quotation mark tells that it opens nothing.
    pub(super) fn closes_something(&self, mark: char, i: usize) -> bool {
        if mark == '`' {
            let rest = (i..self.text.len()).take(16).take_while(|&i| self.at(i) == Some('`'));
            let behind = self.at(i + rest.count());
            let goes_on = |c| !chars::is_ender(c) && matches!(chars::term(c), Include | Open);
            return !behind.is_some_and(goes_on);
        }
        let name = |&i: &usize| self.at(i).is_some_and(|c| c.is_ascii_lowercase() || c == '_');
        let len = (i + 1..self.text.len()).take(16).take_while(name).count();
        let method = self.at(i) == Some('.') && len > 0 && self.at(i + 1 + len) == Some('(');
        let language =
            self.at(i) == Some('@') && self.at(i + 1).is_some_and(|c| c.is_ascii_lowercase());
        method
            || language
            || self.is(i, "/>")
            || self.is(i, "^^")
            || matches!(self.at(i), Some(',' | ';' | ':' | '+'))
    }

    /// Markup in a text that is not known as such: `</`, `[/`, and a line break.
    fn is_markup(&self, i: usize) -> bool {
        let line_break = self.string(i, i + 3).eq_ignore_ascii_case("<br")
            && matches!(self.at(i + 3), Some('>' | '/' | ' '));
        self.is(i, "</") || self.is(i, "[/") || line_break
    }

    /// A backslash that begins an escape of string literals, or roff's change
    /// of the font.
    pub(super) fn is_escape(&self, i: usize) -> bool {
        if self.at(i) != Some('\\') {
            return false;
        }
        match self.at(i + 1) {
            None => true,
            Some(c) if chars::is_ender(c) || chars::term(c) == Hard => true,
            Some('n' | 'r' | 't' | 'N' | '"' | '\'') => true,
            Some('f') => matches!(self.at(i + 2), Some('R' | 'B' | 'I' | 'P' | '0'..='9')),
            _ => false,
        }
    }

    fn is_interior_syntax(&self, part: Part, c: char, behind: usize) -> bool {
        match part {
            Part::None => false,
            Part::Path => c == '/',
            Part::Query => c == '=' || c == '&',
            Part::Fragment => c == ':' && self.is(behind, "~:"),
        }
    }

    /// How many of one emphasis character stand directly before `start`.
    pub(super) fn emphasis(&self, start: usize) -> Option<(char, usize)> {
        self.marks_before(start).filter(|(mark, _)| *mark != '=')
    }

    /// How many of one character that comes off at the end stand directly before `start`. Equals signs follow white space.
    fn marks_before(&self, start: usize) -> Option<(char, usize)> {
        let mark = self.before(start).filter(|c| "*_~=".contains(*c))?;
        let mut n = 0;
        while n < start && self.at(start - n - 1) == Some(mark) {
            n += 1;
        }
        let is_value = |c: char| mark == '=' && !chars::is_white_space(c);
        (!self.before(start - n).is_some_and(is_value)).then_some((mark, n))
    }

    fn without_emphasis(&self, head: Head, mut end: usize, marks: &mut usize) -> usize {
        let mark = self.marks_before(head.start).map(|(mark, _)| mark);
        while *marks > 0 && end > head.end && self.before(end) == mark {
            end -= 1;
            *marks -= 1;
        }
        end
    }

    /// A bare `?` or `#` comes off, and so does what may not be last and has
    /// become last by this: Soft, and the root dot.
    fn trimmed(&self, head: Head, mut end: usize, is_namespace: bool) -> usize {
        while end > head.end {
            let Some(c) = self.before(end) else { break };
            // `?` is Soft, and a `#` is bare if there is nothing but `#` after
            // the one that opens the fragment.
            let opener = (head.end..end).find(|&i| self.at(i) == Some('#'));
            let bare =
                !is_namespace && opener.is_some_and(|i| (i..end).all(|i| self.at(i) == Some('#')));
            if !bare && chars::term(c) != Soft {
                break;
            }
            end -= 1;
        }
        if end == head.end && head.root_dot {
            end -= 1;
        }
        end
    }
}
