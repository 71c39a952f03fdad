//! The trigger dot: a host without a scheme ends in a known top-level domain.

use super::chars;
use super::ending::{Head, Part, Tail};
use super::host::{self, Set};
use super::names::{self, Name};
use super::{Candidate, Kind, Twin};

const AHEAD: usize = 256;
const COOKIE: &str = "HttpOnly_";

impl Twin<'_> {
    pub(super) fn schemeless_trigger(&self, dot: usize) -> Option<Candidate> {
        let ideographic = self.prose() && self.at(dot).is_some_and(chars::is_ideographic_dot);
        if self.prose() && self.at(dot) == Some('。') && self.is_after_sentence(dot) {
            return None;
        }
        let Some((end, cut)) = self.label_behind(dot) else { return self.www_trigger(dot) };
        let run = self.run_start(dot);
        if let Some((at, len)) = self.escaped_sign(dot) {
            return self.email_trigger(at, len);
        }
        if let Some(colon) = self.escaped_colon(run, dot) {
            return self.scheme_trigger(colon);
        }
        if let Some(scheme) = self.damaged_scheme(run) {
            return self.damaged(scheme, run, dot, end, cut);
        }
        let start = self.host_start(dot);
        if self.at(start) == Some('\u{AD}') {
            return None;
        }
        // Nothing at all before the dot (`.fr`, `*.md`, `\fI.ad`) is no candidate.
        if !(start..dot).any(|i| self.at(i).is_some_and(|c| !chars::is_dot(c))) {
            return None;
        }
        let start = self.after_rule(start, dot, end);
        if self.is_name_in_prose(start, dot, end, cut) || self.is_record(start, end) {
            return None;
        }
        if self.prose() && self.is_uuencoded(start, end) {
            return None;
        }
        if end - start > host::HOST || self.is_new_sentence(start, dot, end) {
            return None;
        }
        let hex = |i: usize| self.at(i).is_some_and(|c| c.is_ascii_hexdigit());
        let triplet = self.before(start) == Some('%') && hex(start) && hex(start + 1);
        let at_sign = self.before(start).is_some_and(|c| "@＠﹫".contains(c));
        if triplet || at_sign || self.is_defanged(start, end) || self.is_in_conversion(start) {
            return None;
        }
        let anew = cut && self.begins_anew(end) || self.is_apart(end);
        if self.address_follows(end) && !anew || self.scheme_follows(end) {
            return None;
        }
        let candidate = self.finish(start, end, cut);
        if ideographic && !self.stands_alone(candidate.start, candidate.end) {
            return None;
        }
        Some(candidate)
    }

    /// `www.example.lan/x`: a host that somebody meant as such, without a known top-level domain.
    fn www_trigger(&self, dot: usize) -> Option<Candidate> {
        let start = dot.checked_sub(3).filter(|start| *start >= self.floor)?;
        self.at(dot + 1)?;
        let (first, last) = self.text.stored(start, dot + 1);
        let (_, after) = self.text.stored(start, dot + 2);
        let plain = last - first == 4 && after - first == 5;
        let letter = self.at(dot + 1).is_some_and(|c| c.is_ascii_alphabetic());
        if !plain || !letter || !self.string(start, dot + 1).eq_ignore_ascii_case("www.") {
            return None;
        }
        if self.before(start).is_some_and(|c| chars::is_host(c) || "._-@/\\%$~]".contains(c)) {
            return None;
        }
        let run = self.host_run(Set::Schemeless, start);
        let end = self.without_dots(start, run);
        let host = self.string(start, end);
        let labels = host::labels(&host);
        if end - start > host::HOST || host::label_error(&host).is_some() || labels.len() < 2 {
            return None;
        }
        let short = labels.len() < 3 && self.at(end) != Some('/');
        let number = labels.last().is_some_and(|last| host::is_number(last));
        let known =
            |i: usize| self.at(i).is_some_and(chars::is_dot) && self.label_behind(i).is_some();
        if short || number || (start..end).any(known) {
            return None;
        }
        let last = self.last_label(start, end);
        if self.is_new_sentence(start, last - 1, end)
            || self.prose() && self.is_uuencoded(start, end)
            || self.is_defanged(start, end)
            || self.address_follows(end)
            || self.scheme_follows(end)
        {
            return None;
        }
        let root_dot = self.root_dot(end);
        let (port, _) = self.port(if root_dot { end + 1 } else { end });
        let root_dot = root_dot && port == end + 1;
        let exact = self.url_prefix(start);
        let Tail { end, reach } =
            self.ending(Head { start, end: port, part: Part::None, root_dot, exact });
        let refused = Some("unknown-domain");
        Some(Candidate { start, end, reach, kind: Kind::Schemeless, refused })
    }

    /// A word of ASCII after a sentence that is not: `です。info`.
    fn is_after_sentence(&self, stop: usize) -> bool {
        self.before(stop).is_some_and(|c| !c.is_ascii())
            && self.at(stop + 1).is_some_and(|c| c.is_ascii())
    }

    /// The end of the top-level domain after the dot, and whether prose goes
    /// on directly after it.
    fn label_behind(&self, dot: usize) -> Option<(usize, bool)> {
        let first = dot + 1;
        if self.prose()
            && let Some(cut) = self.joined(first)
        {
            return Some((cut, true));
        }
        let mut end = first;
        while self.host_character(Set::Schemeless, first, end) > 0 {
            end += 1;
        }
        if self.another_label_follows(end) {
            return self.ends_before_sentence(first).map(|end| (end, true));
        }
        let hyphens = self.prose() && !self.goes_on_after_hyphens(end);
        while hyphens && end > first && self.before(end) == Some('-') {
            end -= 1;
        }
        match chars::is_tld(&self.string(first, end)) {
            true => Some((end, false)),
            false => self.ending_behind(first).map(|end| (end, true)),
        }
    }

    /// Without the dots that a sentence breaks off with, and without a rule of
    /// hyphens: three or more, or some before `www.` or a host that hyphens follow.
    fn after_rule(&self, start: usize, dot: usize, end: usize) -> usize {
        if !self.prose() {
            return start;
        }
        let mut first = start;
        for i in start + 2..dot {
            if self.is(i - 2, "..") {
                first = i;
            }
        }
        if dot >= start + 2 && self.is(dot - 2, "..") {
            return start;
        }
        let hyphens = (first..dot).take_while(|&i| self.at(i) == Some('-')).count();
        let rest = self.string(first + hyphens, dot + 1).to_ascii_lowercase();
        let rule =
            hyphens > 2 || hyphens > 0 && (self.at(end) == Some('-') || rest.starts_with("www."));
        if rule && first + hyphens < dot { first + hyphens } else { first }
    }

    /// `使用.NET`; a number before an ideographic full stop; and a name after `www` that
    /// another label follows.
    fn is_name_in_prose(&self, start: usize, dot: usize, end: usize, cut: bool) -> bool {
        let net = matches!(self.string(dot, end).as_str(), ".NET" | ".Net")
            && self.before(dot).is_some_and(chars::is_unspaced);
        let number = self.at(dot).is_some_and(chars::is_ideographic_dot)
            && self.at(start).is_some_and(|c| c.is_ascii_digit());
        let mut label = end;
        while self.host_character(Set::Schemeless, dot + 1, label) > 0 {
            label += 1;
        }
        let www = cut
            && self.string(start, dot).eq_ignore_ascii_case("www")
            && self.another_label_follows(label);
        self.prose() && (net || number || www)
    }

    /// `_dmarc.example.com`: the name of a DNS record is no host, nor what follows it.
    fn is_record(&self, start: usize, end: usize) -> bool {
        if !self.prose() || self.before(start) != Some('_') || self.is_cookie(start) {
            return false;
        }
        let front = self.before(start - 1);
        let host = self.string(start, end);
        let www = host.get(..4).is_some_and(|label| label.eq_ignore_ascii_case("www."));
        let more = matches!(self.at(end), Some('_' | '/' | '?' | '#'));
        front == Some('.')
            || front != Some('_')
                && host::labels(&host).iter().filter(|label| !label.is_empty()).count() > 2
                && !www
                && !more
    }

    /// A line that tells its own length, of nothing but U+0020 to U+0060.
    pub(super) fn is_uuencoded(&self, start: usize, end: usize) -> bool {
        let data = |i: usize| self.text.is_data(i);
        let mut first = start;
        while first > 0 && data(first - 1) {
            first -= 1;
        }
        if first > 0 && self.at(first - 1) != Some('\n') || !(start..end).all(data) {
            return false;
        }
        let mut last = end;
        while data(last) {
            last += 1;
        }
        let over = matches!(self.at(last), None | Some('\r' | '\n'));
        if first == last {
            return false;
        }
        let (from, to) = self.text.stored(first, last);
        let len = to - from;
        let Some(count) = self.at(first).filter(|_| over && (17..=61).contains(&len)) else {
            return false;
        };
        let bytes = (u32::from(count) - 32) % 64;
        len as u32 == 1 + 4 * bytes.div_ceil(3)
    }

    pub(super) fn another_label_follows(&self, end: usize) -> bool {
        self.at(end).is_some_and(|c| self.is_dot_of(Set::Schemeless, c))
            && self.at(end + 1).is_some_and(chars::is_host)
    }

    /// `http:/example.com`: no host, and no part of it is a link.
    fn damaged(
        &self,
        scheme: usize,
        start: usize,
        dot: usize,
        end: usize,
        cut: bool,
    ) -> Option<Candidate> {
        let anew = cut && self.begins_anew(end) || self.is_apart(end);
        let dots = (start..dot).all(|i| self.at(i).is_some_and(chars::is_dot));
        if dots
            || end - start > host::HOST
            || self.is(end, "[.]")
            || self.address_follows(end) && !anew
            || self.scheme_follows(end)
            || self.is_new_sentence(start, dot, end)
        {
            return None;
        }
        let mut tail = Tail::bare(end);
        if !cut {
            let root_dot = self.root_dot(end);
            let host_end = if root_dot { end + 1 } else { end };
            let (port, _) = self.port(host_end);
            let root_dot = root_dot && port == host_end;
            let exact = self.url_prefix(scheme);
            tail =
                self.ending(Head { start: scheme, end: port, part: Part::None, root_dot, exact });
        }
        let Tail { end, reach } = tail;
        Some(Candidate { start: scheme, end, reach, kind: Kind::Iri, refused: Some("host-empty") })
    }

    /// Back over host characters to the end of the last candidate.
    fn host_start(&self, dot: usize) -> usize {
        let start = self.run_start(dot);
        let cookie = start + COOKIE.len();
        if self.prose() && cookie < dot && self.is_cookie(cookie) {
            return self.after_prose(cookie, dot);
        }
        let mut name = self.after_escape(start, dot);
        // No host begins with an underscore.
        while name > start && name < dot && self.at(name) == Some('_') {
            name += 1;
        }
        self.after_prose(name, dot)
    }

    /// `#HttpOnly_` of a cookie jar.
    fn is_cookie(&self, start: usize) -> bool {
        let flag = start.checked_sub(COOKIE.len() + 1);
        flag.is_some_and(|first| self.is_plain(first, "#HttpOnly_"))
    }

    pub(super) fn run_start(&self, dot: usize) -> usize {
        let mut start = dot;
        while start > self.floor {
            let i = start - 1;
            let is_dot = self.at(i).is_some_and(|c| self.is_dot_of(Set::Schemeless, c));
            if !is_dot && self.host_character(Set::Schemeless, self.floor, i) == 0 {
                break;
            }
            start = i;
        }
        start
    }

    /// Prose in front: the host begins with the `www` of its first label, or
    /// else after the last character of a script without spaces, if a letter
    /// of ASCII stands there and nothing but ASCII follows.
    fn after_prose(&self, start: usize, end: usize) -> usize {
        // What is too long for a host is none, wherever the prose in it ends.
        if !self.prose() || end - start > host::HOST {
            return start;
        }
        let first = (start..end).find(|&i| self.at(i) == Some('.')).unwrap_or(end);
        let www = first.saturating_sub(3);
        let glued = www > start
            && self.string(www, first).eq_ignore_ascii_case("www")
            && (self.before(www).is_some_and(|c| !c.is_ascii())
                || www >= start + 2 && self.is(www - 2, "--") && self.has_foreign(start, end));
        if glued {
            return www;
        }
        let foreign = |i: &usize| self.at(*i).is_some_and(|c| !c.is_ascii());
        let Some(last) = (start..end).rev().find(foreign) else { return start };
        let letter = |i: usize| i < end && self.at(i).is_some_and(|c| c.is_ascii_alphabetic());
        // `ב-Render.com`
        let hyphen = last + 1 < end && self.at(last + 1) == Some('-') && letter(last + 2);
        if self.at(last).is_some_and(chars::is_foreign) && hyphen {
            return last + 2;
        }
        let digits =
            (last + 1..end).take_while(|&i| self.at(i).is_some_and(|c| c.is_ascii_digit())).count();
        let behind = last + 1 + digits;
        let is = |test: fn(char) -> bool| self.at(last).is_some_and(test);
        let cut = if letter(behind) {
            is(chars::is_before_word) || is(chars::is_attached)
        } else {
            let over = behind == end || self.at(behind) == Some('.');
            over && (digits > 1 && is(chars::is_unspaced) || digits > 0 && is(chars::is_attached))
        };
        if cut { last + 1 } else { self.after_attached(start, end) }
    }

    fn has_foreign(&self, start: usize, end: usize) -> bool {
        (start..end).any(|i| self.at(i).is_some_and(|c| !c.is_ascii()))
    }

    /// `"see\nwww.example.com"`: the letter of the escape is none of the host's.
    pub(super) fn after_escape(&self, start: usize, end: usize) -> usize {
        let after = self.after_letters_of_escape(start, end);
        let is_mark = |i: &usize| matches!(self.at(*i), Some('\u{5F3}' | '\u{5F4}'));
        // No name begins with Hebrew punctuation.
        if after > start { after + (after..end).take_while(is_mark).count() } else { start }
    }

    fn after_letters_of_escape(&self, start: usize, end: usize) -> usize {
        let quotes = ["Aq", "aq", "cq", "dq", "lq", "oq", "rq"];
        let named = quotes.iter().any(|one| self.is(start, one)) && start + 2 < end;
        let called = ["\\(", "\\*("].iter().any(|one| {
            let len = one.len();
            start >= len && self.is(start - len, one)
        });
        if called && named && self.at(start + 2) != Some('.') {
            return start + 2;
        }
        if let Some(after) = self.after_sequence(start, end) {
            return after;
        }
        if let Some(after) = self.after_colour(start, end) {
            return after;
        }
        if self.before(start) != Some('\\') {
            return start;
        }
        if self.is_surely_in_folder(start) {
            return start;
        }
        let font = self.at(start) == Some('f')
            && matches!(self.at(start + 1), Some('B' | 'I' | 'R' | 'P' | '0'..='9'))
            && start + 2 <= end;
        if font {
            return start + 2;
        }
        // The letter, how many digits, and in which system.
        let number = match self.at(start) {
            Some('u') => Some((1, 4, 16)),
            Some('x') => Some((1, 2, 16)),
            Some('0' | '1') => Some((0, 3, 8)),
            _ => None,
        };
        let mut len = usize::from(matches!(self.at(start), Some('n' | 'r' | 't')));
        if let Some((letter, digits, radix)) = number {
            let text = self.string(start + letter, (start + letter + digits).min(end));
            let value = u32::from_str_radix(&text, radix);
            let prose = value.is_ok_and(|n| {
                let ascii = n < 0x80 && !(n as u8).is_ascii_alphanumeric();
                ascii || (0x80..0xAA).contains(&n) || (0x2000..0x2070).contains(&n) || n >= 0x2E80
            });
            if text.chars().count() == digits && prose {
                len = letter + digits;
            }
        }
        let goes_on = start + len < end && self.at(start + len) != Some('.');
        if goes_on { start + len } else { start }
    }

    /// The number of a colour of IRC, behind U+0003 or behind another number and a comma.
    fn after_colour(&self, start: usize, end: usize) -> Option<usize> {
        let back = |n: usize| start.checked_sub(n).and_then(|i| self.written(i));
        let digit = |n: usize| back(n).is_some_and(|c| c.is_ascii_digit());
        let mark = |n: usize| back(n) == Some('\u{3}');
        let second = back(1) == Some(',') && digit(2) && (mark(3) || digit(3) && mark(4));
        if !mark(1) && !second {
            return None;
        }
        let digits = (start..end.min(start + 2))
            .take_while(|&i| self.written(i).is_some_and(|c| c.is_ascii_digit()))
            .count();
        let goes_on = start + digits < end && self.at(start + digits) != Some('.');
        (goes_on && digits > 0).then_some(start + digits)
    }

    /// `fine.It` is the end of a sentence and the beginning of the next.
    fn is_new_sentence(&self, start: usize, dot: usize, end: usize) -> bool {
        let before = self.string(self.last_label(start, dot), dot);
        let small = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
        let lower = before.chars().all(small) && before.chars().any(|c| c.is_ascii_lowercase());
        let domain = self.string(dot + 1, end);
        if domain.starts_with(|c: char| !c.is_ascii()) {
            let name = self.string(start, dot);
            let mut rest = domain.chars();
            let title = rest.next().is_some_and(char::is_uppercase)
                && rest.clone().count() > 1
                && rest.all(char::is_lowercase);
            let initials =
                name.contains('.') && name.split('.').all(|one| one.chars().count() == 1);
            return title && name.contains(char::is_lowercase) || initials;
        }
        let mut rest = domain.chars();
        let capital = rest.next().is_some_and(|c| c.is_ascii_uppercase());
        lower && capital && rest.all(|c| c.is_ascii_lowercase())
    }

    /// `foo.com[.]evil.com` gives nothing on either side.
    fn is_defanged(&self, start: usize, end: usize) -> bool {
        let follows =
            |sign: &str| start.checked_sub(sign.len()).is_some_and(|at| self.is(at, sign));
        self.is(end, "[.]") || ["[.]", "[:]//", "[://]"].into_iter().any(follows)
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

    /// The prose in between ends in a word of ASCII, with which the address begins.
    fn begins_anew(&self, end: usize) -> bool {
        let local = |c| chars::is_email(c) && !matches!(c, '/' | '?' | '#');
        let mut at = end;
        while at - end < AHEAD && self.at(at).is_some_and(local) && !self.is(at, "%40") {
            at += 1;
        }
        self.at(end).is_some_and(chars::is_before_word)
            && self.before(at).is_some_and(|c| c.is_ascii())
    }

    /// `example.com|joe@example.org`
    fn is_apart(&self, end: usize) -> bool {
        let named = self.written(end + 1).is_some_and(|c| c.is_ascii_alphanumeric());
        self.prose() && matches!(self.at(end), Some('|' | '{')) && named
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
        let mut path = String::new();
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
            path = self.string(end_of_port, tail.end.max(end_of_port));
            let plain: Option<String> = (end_of_port..tail.end).map(|i| self.written(i)).collect();
            let marked =
                end_of_port > end || matches!(self.written(start.wrapping_sub(1)), Some('[' | '/'));
            if self.prose() && plain.is_some_and(|plain| is_beside(&plain, marked)) {
                tail.end = end_of_port - usize::from(root_dot);
                path.clear();
            }
            rescued = self.before(start) != Some('/')
                && tail.end > end_of_port
                && self.at(end_of_port) == Some('/');
        }
        let tail_start = if self.at(host_end) == Some('.') { host_end + 1 } else { host_end };
        if rescued && self.is_other_name(&text, &self.string(tail_start, tail.end)) {
            rescued = false;
        }
        let name = self.name(start, host_end);
        if self.is_call(&text, host_end) || is_function(&text, &path) {
            refused = refused.or(Some("code"));
        }
        if name == Name::Certain || name == Name::Doubted && (!rescued || self.is_no_path(&path)) {
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
        let mark = matches!(self.at(end), Some('!' | '?')) && self.at(end + 1) == Some('(');
        let labels = host::labels(host);
        let method = labels.last().is_some_and(|ending| self.is_method(ending));
        let bracket = self.at(end) == Some('(') && self.at(end + 1).is_none_or(|c| c.is_ascii());
        (bracket || mark) && (labels.len() == 2 || method) && !www
    }
}

/// `/192.0.2.1:443`, `/emailAddress=me@example.com`
fn is_beside(path: &str, marked: bool) -> bool {
    let Some(path) = path.strip_prefix('/') else { return false };
    let digits = |text: &str| text.chars().all(|c| c.is_ascii_digit());
    let (address, port) = path.split_once(':').unwrap_or((path, ""));
    let attribute = path.split_once('=').is_some_and(|(name, _)| {
        "emailAddress CN O OU L ST C DC serialNumber".split(' ').any(|one| one == name)
    });
    host::is_ipv4(address) && digits(port) && (marked || !port.is_empty()) || attribute
}

/// `Set.top/2`: a function of a module, and its arity.
fn is_function(host: &str, path: &str) -> bool {
    let [module, function] = host::labels(host)[..] else { return false };
    let arity =
        path.strip_prefix('/').is_some_and(|n| n.len() == 1 && n.as_bytes()[0].is_ascii_digit());
    arity
        && module.starts_with(|c: char| c.is_ascii_uppercase())
        && function.chars().all(|c| c.is_ascii_lowercase())
        && !names::is_believed(function)
}
