//! The trigger dot: a host without a scheme ends in a known top-level domain.

use super::chars;
use super::ending::{Head, Part, Tail};
use super::host::{self, Set};
use super::names::Name;
use super::{Candidate, Kind, Twin};

const AHEAD: usize = 256;

impl Twin<'_> {
    pub(super) fn schemeless_trigger(&self, dot: usize) -> Option<Candidate> {
        let ideographic = self.prose() && self.at(dot).is_some_and(chars::is_ideographic_dot);
        if self.prose() && self.at(dot) == Some('。') && self.is_after_sentence(dot) {
            return None;
        }
        let (end, cut) = self.label_behind(dot)?;
        let start = self.host_start(dot);
        // Nothing at all before the dot (`.fr`, `*.md`, `\fI.ad`) is no candidate.
        if !(start..dot).any(|i| self.at(i).is_some_and(|c| !chars::is_dot(c))) {
            return None;
        }
        if end - start > host::HOST || self.is_new_sentence(start, dot, end) {
            return None;
        }
        let hex = |i: usize| self.at(i).is_some_and(|c| c.is_ascii_hexdigit());
        let triplet = self.before(start) == Some('%') && hex(start) && hex(start + 1);
        if triplet || self.before(start) == Some('@') || self.is_defanged(start, end) {
            return None;
        }
        if self.address_follows(end) || self.scheme_follows(end) {
            return None;
        }
        let candidate = self.finish(start, end, cut);
        if ideographic && !self.stands_alone(candidate.start, candidate.end) {
            return None;
        }
        Some(candidate)
    }

    /// A word of ASCII behind a sentence that is not: `です。info`.
    fn is_after_sentence(&self, stop: usize) -> bool {
        self.before(stop).is_some_and(|c| !c.is_ascii())
            && self.at(stop + 1).is_some_and(|c| c.is_ascii())
    }

    /// The end of the top-level domain behind the dot, and whether prose goes
    /// on directly behind it.
    fn label_behind(&self, dot: usize) -> Option<(usize, bool)> {
        let first = dot + 1;
        let mut end = first;
        while self.host_character(Set::Schemeless, first, end) > 0 {
            end += 1;
        }
        if self.another_label_follows(end) {
            return None;
        }
        if chars::is_tld(&self.string(first, end)) {
            return Some((end, false));
        }
        self.prose_cut(first, end).map(|cut| (cut, true))
    }

    fn another_label_follows(&self, end: usize) -> bool {
        self.at(end).is_some_and(|c| self.is_dot_of(Set::Schemeless, c))
            && self.at(end + 1).is_some_and(chars::is_host)
    }

    /// Back over host characters to the end of the last candidate.
    fn host_start(&self, dot: usize) -> usize {
        let mut start = dot;
        while start > self.floor {
            let i = start - 1;
            let is_dot = self.at(i).is_some_and(|c| self.is_dot_of(Set::Schemeless, c));
            if !is_dot && self.host_character(Set::Schemeless, self.floor, i) == 0 {
                break;
            }
            start = i;
        }
        self.behind_prose(self.behind_escape(start, dot), dot)
    }

    /// Prose in front: the host begins with the `www` of its first label, or
    /// else behind the last character of a script without spaces, if a letter
    /// of ASCII stands there and nothing but ASCII follows.
    fn behind_prose(&self, start: usize, end: usize) -> usize {
        // What is too long for a host is none, wherever the prose in it ends.
        if !self.prose() || end - start > host::HOST {
            return start;
        }
        let first = (start..end).find(|&i| self.at(i) == Some('.')).unwrap_or(end);
        let www = first.saturating_sub(3);
        let glued = www > start
            && self.string(www, first).eq_ignore_ascii_case("www")
            && self.before(www).is_some_and(|c| !c.is_ascii());
        if glued {
            return www;
        }
        let foreign = |i: &usize| self.at(*i).is_some_and(|c| !c.is_ascii());
        let Some(last) = (start..end).rev().find(foreign) else { return start };
        let cut = self.at(last).is_some_and(is_unspaced)
            && last + 1 < end
            && self.at(last + 1).is_some_and(|c| c.is_ascii_alphabetic());
        if cut { last + 1 } else { start }
    }

    /// `"see\nwww.example.com"`: the letter of the escape is none of the host's.
    pub(super) fn behind_escape(&self, start: usize, end: usize) -> usize {
        if self.before(start) != Some('\\') {
            return start;
        }
        let goes_on = |i: usize| i < end && self.at(i) != Some('.');
        let font = self.at(start) == Some('f')
            && matches!(self.at(start + 1), Some('B' | 'I' | 'R' | 'P' | '0'..='9'))
            && start + 2 <= end;
        if font {
            return start + 2;
        }
        let escape = matches!(self.at(start), Some('n' | 'r' | 't')) && goes_on(start + 1);
        if escape { start + 1 } else { start }
    }

    /// `fine.It` is the end of a sentence and the beginning of the next.
    fn is_new_sentence(&self, start: usize, dot: usize, end: usize) -> bool {
        let before = self.string(self.last_label(start, dot), dot);
        let small = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let lower = before.chars().all(small) && before.chars().any(|c| c.is_ascii_lowercase());
        let domain = self.string(dot + 1, end);
        let mut rest = domain.chars();
        let capital = rest.next().is_some_and(|c| c.is_ascii_uppercase());
        let tail = rest.as_str();
        lower && capital && !tail.is_empty() && tail.chars().all(|c| c.is_ascii_lowercase())
    }

    /// `foo.com[.]evil.com` gives nothing on either side.
    fn is_defanged(&self, start: usize, end: usize) -> bool {
        self.is(end, "[.]") || (start >= 3 && self.is(start - 3, "[.]"))
    }

    fn address_follows(&self, end: usize) -> bool {
        let mut i = end;
        while i - end < AHEAD
            && self.at(i).is_some_and(|c| chars::is_email(c) && !matches!(c, '/' | '?' | '#'))
        {
            i += 1;
        }
        self.at(i) == Some('@') || (end..i).any(|i| self.is(i, "%40"))
    }

    fn stands_alone(&self, start: usize, end: usize) -> bool {
        self.before(start).is_none_or(chars::is_white_space)
            && self.at(end).is_none_or(chars::is_white_space)
    }

    fn finish(&self, start: usize, host_end: usize, cut: bool) -> Candidate {
        let text = self.string(start, host_end);
        let mut refused = host::label_error(&text);
        let mut tail = Tail::bare(host_end);
        let mut rescued = false;
        if !cut {
            let root_dot = self.root_dot(host_end);
            let end = if root_dot { host_end + 1 } else { host_end };
            let (end_of_port, in_range) = self.port(end);
            if !in_range {
                refused = refused.or(Some("port"));
            }
            let root_dot = root_dot && end_of_port == end;
            tail = self.ending(Head {
                start,
                end: end_of_port,
                part: Part::None,
                root_dot,
                exact: self.url_prefix(start),
            });
            rescued = self.before(start) != Some('/')
                && tail.end > end_of_port
                && matches!(self.at(end_of_port), Some('/' | '?'));
        }
        let tail_start = if self.at(host_end) == Some('.') { host_end + 1 } else { host_end };
        if rescued && self.is_other_name(&text, &self.string(tail_start, tail.end)) {
            rescued = false;
        }
        let name = self.name(start, host_end);
        if self.is_call(&text, host_end) {
            refused = refused.or(Some("code"));
        }
        if name == Name::Certain || name == Name::Doubted && !rescued {
            refused = refused.or(Some("file-name"));
        }
        // Last, since it alone needs the mapping.
        refused = refused.or_else(|| host::idna_error(&text));
        let Tail { end, reach } = tail;
        Candidate { start, end, reach, kind: Kind::Schemeless, refused }
    }

    /// `window.open(…)`: a call in code rather than a host.
    fn is_call(&self, host: &str, end: usize) -> bool {
        let www = host.get(..4).is_some_and(|label| label.eq_ignore_ascii_case("www."));
        self.at(end) == Some('(') && host::labels(host).len() == 2 && !www
    }
}

/// Thai and Lao, Burmese, Khmer, Chinese and Japanese.
fn is_unspaced(c: char) -> bool {
    let ranges = [
        (0xE00, 0xEFF),
        (0x1000, 0x109F),
        (0x1780, 0x17FF),
        (0x2E80, 0x9FFF),
        (0xF900, 0xFAFF),
        (0x20000, 0x3FFFF),
    ];
    ranges.iter().any(|&(first, last)| (first..=last).contains(&u32::from(c)))
}
