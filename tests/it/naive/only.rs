//! Schemes whose links have no `//`: a fixed list, each with a plausible body.

use super::chars::{self, Include, Soft};
use super::ending::{Head, Part, Tail};
use super::host::{self, Set};
use super::text::Text;
use super::{Candidate, Kind, Settings, Twin};

const WORDS: [&str; 18] = [
    "acct", "tel", "sms", "sip", "sips", "xmpp", "urn", "news", "mid", "cid", "magnet", "geo",
    "data", "doi", "bitcoin", "matrix", "file", "mailto",
];

/// Characters that are looked over for what makes a body plausible.
const LOOK: usize = 128;
/// Characters of a telephone number, separators and all.
const NUMBER: usize = 64;

impl Twin<'_> {
    /// An IPv4 address without a scheme: with a port and a path it is a link. `colon` is that of the port.
    pub(super) fn address_trigger(&self, colon: usize) -> Option<Candidate> {
        if !self.prose() || !self.settings.schemeless {
            return None;
        }
        let mut start = colon;
        while start > self.floor
            && self.before(start).is_some_and(|c| c.is_ascii_digit() || c == '.')
        {
            start -= 1;
        }
        let glued = |c| chars::is_host(c) || "._@/:%]\\".contains(c);
        if !host::is_ipv4(&self.string(start, colon)) || self.before(start).is_some_and(glued) {
            return None;
        }
        let (end, in_range) = self.port(colon);
        let name: String = (end + 1..end + 6)
            .map_while(|i| self.at(i))
            .take_while(|c| c.is_ascii_alphanumeric() || "/-_.".contains(*c))
            .collect::<String>()
            .to_ascii_lowercase();
        let protocol = ["tcp", "udp", "sctp", "tcp6", "udp6"]
            .contains(&name.strip_suffix('.').unwrap_or(&name));
        let length = self.at(end + 1).is_some_and(|c| c.is_ascii_digit());
        if end == colon || self.at(end) != Some('/') || protocol || length {
            return None;
        }
        let head =
            Head { start, end, part: Part::None, root_dot: false, exact: self.url_prefix(start) };
        let Tail { end, reach } = self.ending(head);
        let refused = (!in_range).then_some("port");
        Some(Candidate { start, end, reach, kind: Kind::Schemeless, refused })
    }

    /// `colon` is the index of a colon.
    pub(super) fn only_trigger(&self, colon: usize) -> Option<Candidate> {
        let mut start = colon;
        while start > self.floor && self.before(start).is_some_and(chars::is_scheme) {
            start -= 1;
        }
        let word = self.string(start, colon).to_ascii_lowercase();
        if !WORDS.contains(&word.as_str()) || !self.is_word_start(start) {
            return None;
        }
        let tail = if word == "tel" || word == "sms" {
            self.number(start, colon + 1)?
        } else {
            let tail = self.only_tail(start, colon + 1);
            // What closes an emphasis is none of the body: `*xmpp:example.org**`.
            let body = self.string(colon + 1, tail.end);
            let mark = self.emphasis(start).map(|(mark, _)| mark);
            let bare = body.trim_end_matches(|c| Some(c) == mark);
            if !self.is_plausible(&word, &body) && !self.is_plausible(&word, bare) {
                return None;
            }
            tail
        };
        let Tail { end, reach } = tail;
        let (kind, refused) = match word.as_str() {
            "mailto" if self.settings.emails => (Kind::Email, None),
            "mailto" => (Kind::Email, Some("email")),
            _ => (Kind::Iri, None),
        };
        Some(Candidate { start, end, reach, kind, refused })
    }

    fn only_tail(&self, start: usize, first: usize) -> Tail {
        self.ending(Head {
            start,
            end: first,
            part: Part::Path,
            root_dot: false,
            exact: self.url_prefix(start),
        })
    }

    /// `tel:` and `sms:` by what follows the number: parameters go on by the
    /// rules for every link, anything that is not Include ends the number, and
    /// Include makes it none.
    fn number(&self, start: usize, first: usize) -> Option<Tail> {
        let mut run = first;
        let mut open = 0;
        let mut end = first;
        let mut digit = false;
        while let Some(c) = self.at(run).filter(|_| run - first <= NUMBER) {
            match c {
                '0'..='9' => {
                    digit = true;
                    end = run + 1;
                }
                '(' => open += 1,
                ')' if open > 0 => {
                    open -= 1;
                    end = run + 1;
                }
                '+' | '-' | '.' => {}
                _ => break,
            }
            run += 1;
        }
        if !digit {
            return None;
        }
        if self.before(start) == Some('<')
            && self.before(start - 1) != Some('\\')
            && matches!(self.at(run), Some(',' | '#' | '*'))
        {
            let is_tone = |c: &char| c.is_ascii_digit() || matches!(c, ',' | '#' | '*' | '%');
            let after = (run..).take_while(|&i| i - run <= NUMBER);
            let tones = after.take_while(|&i| self.at(i).as_ref().is_some_and(is_tone)).count();
            if tones <= NUMBER && self.at(run + tones) == Some('>') {
                return Some(Tail::bare(run + tones));
            }
        }
        let is_include = |i| {
            let closes = |c| c == '`' && self.closes_something(c, i + 1);
            let is_one = |c| {
                chars::term(c) == Include
                    && c != '…'
                    && !(self.prose()
                        && (chars::is_rule(c) || c == '\\' && self.is_after_backslash(i)))
                    && !chars::is_ender(c)
                    && !(c == '&' && self.is_entity(i + 1))
                    && !closes(c)
            };
            self.at(i).is_some_and(is_one)
        };
        let parameters = is_include(run + 1) && self.at(run + 1) != Some('#');
        if matches!(self.at(run), Some(';' | '?')) && parameters {
            return Some(self.only_tail(start, first));
        }
        let emphasis = self.emphasis(start).is_some_and(|(mark, _)| self.at(run) == Some(mark));
        let closed = self.closes_quotation(start, run) || self.ends_at_bar(start, run);
        let over = emphasis || closed || self.is_escape(run);
        (over || !is_include(run)).then_some(Tail::bare(end))
    }

    fn is_plausible(&self, word: &str, body: &str) -> bool {
        match word {
            "geo" => {
                body.strip_prefix('-').unwrap_or(body).starts_with(|c: char| c.is_ascii_digit())
            }
            "data" => body.split_once(',').is_some_and(|(kind, rest)| {
                is_media_type(kind) && begins_with_include(rest, self.prose())
            }),
            "news" => {
                is_addressed(body, '@', self.prose()) || is_addressed(body, '.', self.prose())
            }
            "urn" => body.split_once(':').is_some_and(|(name, rest)| {
                is_namespace(name) && begins_with_include(rest, self.prose())
            }),
            "sip" | "sips" | "xmpp" => is_addressed(body, '@', self.prose()) || self.is_host(body),
            "file" => body.strip_prefix('/').is_some_and(|path| {
                !path.starts_with('/') && begins_with_include(path, self.prose())
            }),
            "mailto" => body.strip_prefix('?').is_some_and(|fields| {
                let name = |c: char| c.is_ascii_alphanumeric() || "-_".contains(c);
                fields.trim_start_matches(name).starts_with('=') && fields.starts_with(name)
            }),
            "doi" => {
                body.strip_prefix("10.").is_some_and(|rest| begins_with_include(rest, self.prose()))
            }
            "magnet" => body
                .strip_prefix('?')
                .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_alphanumeric())),
            "acct" | "cid" | "mid" => is_addressed(body, '@', self.prose()),
            "bitcoin" => {
                let address = body.chars().take_while(char::is_ascii_alphanumeric);
                address.count() >= 25
            }
            "matrix" => ["u/", "r/", "roomid/", "e/"].iter().any(|kind| {
                body.strip_prefix(kind).is_some_and(|rest| begins_with_include(rest, self.prose()))
            }),
            _ => false,
        }
    }

    fn is_host(&self, body: &str) -> bool {
        if let Some(rest) = body.strip_prefix('[') {
            return rest.split_once(']').is_some_and(|(inside, behind)| {
                let digits = |port: &str| port.chars().take_while(char::is_ascii_digit).collect();
                let port: String = behind.strip_prefix(':').map(digits).unwrap_or_default();
                let in_range = port.is_empty() || port.parse().is_ok_and(|n: u64| n <= 65_535);
                in_range && host::is_ip_literal(inside)
            });
        }
        // After the host stands what opens something, or nothing that could be a link's last.
        let text = Text::new(body.as_bytes(), false);
        // No ideographic dots in either mode.
        let prose = Settings::default();
        let alone = Twin { text, settings: &prose, floor: 0 };
        let run = alone.host_run(Set::Schemeless, 0);
        let rest = alone.string(run, body.len());
        let opens = |c: char| ";?/:#".contains(c);
        let escaped = match alone.string_escape(run).filter(|_| self.prose()) {
            Some((c, _)) => c.is_none_or(opens),
            None => self.prose() && alone.is(run, r"\/"),
        };
        if !escaped && begins_with_include(&rest, self.prose()) && !rest.starts_with(opens) {
            return false;
        }
        let name = alone.string(0, alone.without_dots(0, run));
        let name = name.as_str();
        if host::is_ipv4(name) {
            return true;
        }
        let labels = host::labels(name);
        let number = |label: &&str| host::is_number(label);
        labels.len() > 1 && !labels.last().is_some_and(number) && host::label_error(name).is_none()
    }

    fn is_word_start(&self, start: usize) -> bool {
        // Emphasis may be before it.
        let marks = (1..=32).take_while(|n| start >= *n && self.at(start - n) == Some('_')).count();
        let is_of_word = |c| chars::is_scheme(c) || c == '_' || chars::is_cased(c);
        !self.before(start - marks).is_some_and(is_of_word)
    }
}

fn begins_with_include(text: &str, prose: bool) -> bool {
    text.starts_with(|c| chars::term(c) == Include && c != '…' && !(prose && chars::is_rule(c)))
}

/// The namespace identifier of a URN.
fn is_namespace(name: &str) -> bool {
    name.len() <= 32
        && name.starts_with(|c: char| c.is_ascii_alphanumeric())
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
}

/// What may stand before the comma of a `data:`: a media type or nothing, then
/// parameters.
fn is_media_type(kind: &str) -> bool {
    let name = kind.split(';').next().unwrap_or("");
    kind.chars().count() < LOOK
        && kind.chars().all(|c| c.is_ascii_graphic())
        && (kind.is_empty() || kind.starts_with(';') || name.contains('/'))
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "/.+-_*!$&^%".contains(c))
}

/// Something, the mark, and something that may be a link's last: no brackets before the mark.
fn is_addressed(body: &str, mark: char, prose: bool) -> bool {
    let mut rest = body.chars();
    let mut n = 0;
    if body.starts_with('@') {
        return false;
    }
    while let Some(c) = rest.next() {
        if c == mark && n > 0 && n < LOOK {
            return begins_with_include(rest.as_str(), prose);
        }
        if n == LOOK || !matches!(chars::term(c), Include | Soft) {
            return false;
        }
        n += 1;
    }
    false
}
