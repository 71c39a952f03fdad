//! The trigger `@`: an address, with or without `mailto:`.

use super::chars;
use super::ending::{Head, Part, Tail};
use super::host::{self, Set};
use super::{Candidate, Kind, Twin};

const LOCAL: usize = 256;

impl Twin<'_> {
    /// The at sign at `at`, of `len` characters.
    pub(super) fn email_trigger(&self, at: usize, len: usize) -> Option<Candidate> {
        let mut run = at;
        // A soft hyphen stands between two letters.
        let joined = |i: usize| {
            i > self.floor + 1
                && self.before(i) == Some('\u{AD}')
                && self.at(i).is_some_and(chars::is_letter_or_digit)
                && self.before(i - 1).is_some_and(chars::is_letter_or_digit)
        };
        // One character more than a local part may have tells that it is none.
        while run > self.floor
            && at - run <= LOCAL
            && (self.before(run).is_some_and(chars::is_email) || joined(run))
        {
            run -= 1;
        }
        // `mailto://me@example.org`
        let slashes = self.prose() && self.is(run, "//") && self.mailto_before(run).is_some();
        if slashes {
            run += 2;
        } else if self.before(run) == Some('@') {
            return None;
        }
        let (host_end, cut, known) = self.address_host(at + len)?;
        if self.is(host_end, "[.]") {
            return None;
        }
        let local = self.after_marks(self.trimmed_local(run, at), at, host_end);
        if self.prose() && self.is_uuencoded(local, host_end) {
            return None;
        }
        if !self.settings.schemeless && self.begins_with_host(local, at) {
            return None;
        }
        let mut start = local;
        let mut mailto = false;
        if local == run
            && let Some(word) = self.mailto_before(if slashes { local - 2 } else { local })
        {
            start = word;
            mailto = true;
        }
        // A host that is none by itself is one where `mailto:` says so.
        if !known && !mailto {
            return None;
        }
        let foreign = if mailto { None } else { self.remote_path(host_end) };
        let name = self.string(local, at).to_ascii_lowercase();
        let is_identifier = self.prose() && !mailto && name.starts_with("%3c");
        if is_identifier || !self.is_local_part(run, local, at) {
            return Some(Candidate {
                start: if mailto { start } else { run },
                end: foreign.unwrap_or(host_end),
                reach: foreign.unwrap_or(host_end),
                kind: Kind::Email,
                refused: Some("local-part"),
            });
        }
        let mut tail = Tail::bare(host_end);
        if mailto && !cut && self.is_header_field(host_end) {
            tail = self.ending(Head {
                start,
                end: host_end,
                part: Part::None,
                root_dot: false,
                exact: false,
            });
        }
        let host = self.string(at + len, host_end);
        let refused = match self.settings.emails {
            true if foreign.is_some() => Some("file-name"),
            true => host::idna_error(&host),
            false => Some("email"),
        };
        let Tail { mut end, mut reach } = tail;
        if let Some(path) = foreign {
            (end, reach) = (path, path);
        }
        Some(Candidate { start, end, reach, kind: Kind::Email, refused })
    }

    /// Where `\(at` or `\[at]` begins and its length, if it and a local part stand before the name of the dot.
    pub(super) fn escaped_sign(&self, dot: usize) -> Option<(usize, usize)> {
        if !self.prose() {
            return None;
        }
        let name = self.run_start(dot);
        let signs = [(r"\(", "at"), (r"\[at]", ""), (r"\", "x40"), (r"\", "u0040")];
        signs.iter().find_map(|&(front, inside)| {
            let start = name.checked_sub(front.len()).filter(|&start| start > self.floor)?;
            let fits = self.is_plain(start, front) && self.is_plain(name, inside);
            let local = self.written(start - 1).is_some_and(|c| c.is_ascii_alphanumeric());
            let end = name + inside.len();
            (fits && local && end < dot).then_some((start, end - start))
        })
    }

    /// The end of `:path` after a host, as scp and git write it.
    fn remote_path(&self, colon: usize) -> Option<usize> {
        if self.at(colon) != Some(':') {
            return None;
        }
        let is_of_path = |c: char| c.is_ascii_alphanumeric() || "-._~/+%".contains(c);
        let path: String =
            (colon + 1..colon + 257).map_while(|i| self.at(i).filter(|c| is_of_path(*c))).collect();
        let is_path = path.contains('/') || path.starts_with('~') || path.ends_with(".git");
        let is_port = path.split_once('/').is_some_and(|(first, _)| {
            !first.is_empty() && first.chars().all(|c| c.is_ascii_digit())
        });
        (is_path && !is_port && !path.starts_with("//")).then_some(colon + 1 + path.len())
    }

    /// `example.com/joe@example.org`: a link without a scheme, which nobody
    /// asked for, and no local part.
    fn begins_with_host(&self, local: usize, at: usize) -> bool {
        let Some(end) = (local..at).find(|&i| matches!(self.at(i), Some('/' | '?' | '#'))) else {
            return false;
        };
        let dot = self.root_dot(end.saturating_sub(1));
        let end = if dot { end - 1 } else { end };
        if end <= local || self.host_run(Set::Schemeless, local) < end || end - local > host::HOST {
            return false;
        }
        let last = self.last_label(local, end);
        let text = self.string(local, end);
        last > local && chars::is_tld(&self.string(last, end)) && host::label_error(&text).is_none()
    }

    /// The end of a valid host whose last label is no number, whether prose follows directly, and whether it has
    /// a known top-level domain.
    pub(super) fn address_host(&self, first: usize) -> Option<(usize, bool, bool)> {
        let run = self.host_run(Set::Schemeless, first);
        let mut end = self.without_dots(first, run);
        let cut = self.prose_cut(first, end);
        end = cut.unwrap_or_else(|| {
            loop {
                let shorter = self.without_dots(first, self.without_hyphens(first, end));
                if shorter == end {
                    return end;
                }
                end = shorter;
            }
        });
        if end == first || end - first > host::HOST {
            return None;
        }
        let end = self.sentence_in(first, end).unwrap_or(end);
        let last = self.last_label(first, end);
        let known = last > first && chars::is_tld(&self.string(last, end));
        if !known && host::is_number(&self.string(last, end)) {
            return None;
        }
        if host::label_error(&self.string(first, end)).is_some() {
            return None;
        }
        Some((end, cut.is_some(), known))
    }

    /// Where the local part begins once quotation marks, list marks and keys
    /// have been taken off its front.
    fn trimmed_local(&self, run: usize, at: usize) -> usize {
        let mut local = self.after_words(self.after_escape(run, at), at);
        local = self.after_only_slash(local, at);
        // `#me@example.org`: a comment, if the line begins so.
        let marks = (local..at).take_while(|&i| self.at(i) == Some('#')).count();
        let begins = self.before(local).is_none_or(|c| matches!(c, '\n' | '\r'));
        if self.prose() && begins && local + marks < at {
            local += marks;
        }
        loop {
            if self.at(local).is_some_and(|c| "'`*{|".contains(c)) {
                local += 1;
                continue;
            }
            let Some(equals) = (local..at).find(|&i| self.at(i) == Some('=')) else {
                return local;
            };
            // `?email=me@example.org`, `*=me@example.org`
            let query = self.prose() && self.at(local).is_some_and(|c| "/?&=".contains(c));
            let last = (local..at).rev().find(|&i| self.at(i) == Some('='));
            if let Some(last) = last.filter(|&last| query && last + 1 < at) {
                return last + 1;
            }
            let key = self.string(local, equals);
            let is_key = match self.prose() {
                true => is_key(&key, &self.string(equals + 1, at)),
                false => is_plain_key(&key),
            };
            if !is_key {
                return local;
            }
            local = equals + 1;
        }
    }

    /// `E-Mail/me@example.org`, `/me@example.org`
    fn after_only_slash(&self, run: usize, at: usize) -> usize {
        let written: Option<String> = (run..at).map(|i| self.written(i)).collect();
        let text = written.unwrap_or_default();
        if !self.prose()
            || text.contains(['=', '&'])
            || text.starts_with(['\'', '`', '*', '{', '|', '#'])
        {
            return run;
        }
        let Some((word, rest)) = text.split_once('/') else { return run };
        let known =
            ["", "e-mail", "email", "mail"].iter().any(|one| word.eq_ignore_ascii_case(one));
        let named = rest.starts_with(|c: char| c.is_ascii_alphanumeric()) && !rest.contains('/');
        if known && named { run + word.len() + 1 } else { run }
    }

    /// Prose of a script whose words may have no space after them, a prefix of
    /// another script with a hyphen, and what a bar or an opening brace separates, unless the local
    /// part ends in non-ASCII letters.
    fn after_words(&self, run: usize, at: usize) -> usize {
        if !self.prose() {
            return run;
        }
        let mut i = at;
        while i > run {
            let Some(c) = self.before(i) else { break };
            let next = if i < at { self.at(i) } else { None };
            if next.is_none() && !c.is_ascii() {
                return self.after_attached(run, at);
            }
            if next == Some('-') && chars::is_foreign(c) {
                return i + 1;
            }
            let letter = next.is_some_and(|n| n.is_ascii_alphanumeric());
            if letter && (chars::is_before_word(c) || chars::is_attached(c) || "|{".contains(c)) {
                return i;
            }
            i -= 1;
        }
        self.after_attached(run, at)
    }

    /// What belongs to the character before the name.
    pub(super) fn after_attached(&self, start: usize, end: usize) -> usize {
        let attached = |i: &usize| self.at(*i).is_some_and(chars::is_attached);
        let len = (start..end).take_while(attached).count();
        if start + len < end { start + len } else { start }
    }

    /// Hyphens, unless they are behind `mailto:`; a `+` that begins the line; and `_` or `~`, as often as it stands after
    /// the address too.
    fn after_marks(&self, local: usize, at: usize, end: usize) -> usize {
        let Some(mark) = self.at(local).filter(|c| "-+_~".contains(*c) && self.prose()) else {
            return local;
        };
        let count = (local..at).take_while(|&i| self.at(i) == Some(mark)).count();
        let behind = (end..end + count).take_while(|&i| self.at(i) == Some(mark)).count();
        let begins = self.before(local).is_none_or(|c| matches!(c, '\n' | '\r'));
        let take = match mark {
            '-' if self.mailto_before(local).is_none() => count,
            '+' if begins => count,
            '-' | '+' => 0,
            _ => behind,
        };
        if take < at - local { local + take } else { local }
    }

    fn is_local_part(&self, run: usize, local: usize, at: usize) -> bool {
        let text = self.string(local, at);
        let authority = self.is(run, "//") && self.before(run) == Some(':');
        let is_template = self.prose() && text.ends_with(['}', '\'', '/']);
        text.contains(|c: char| c.is_ascii_alphanumeric() || !c.is_ascii())
            && !is_template
            && at - run <= LOCAL
            && !text.starts_with('.')
            && !text.ends_with('.')
            && !text.contains("..")
            && !authority
    }

    /// Where `mailto:` begins if it stands directly before `local`.
    fn mailto_before(&self, local: usize) -> Option<usize> {
        let start = local.checked_sub(7)?;
        if start < self.floor || !self.string(start, local).eq_ignore_ascii_case("mailto:") {
            return None;
        }
        self.before(start).is_none_or(|c| !chars::is_scheme(c)).then_some(start)
    }

    /// `?name=` after the host.
    fn is_header_field(&self, from: usize) -> bool {
        if self.at(from) != Some('?') {
            return false;
        }
        let mut i = from + 1;
        while self.at(i).is_some_and(|c| c.is_ascii_alphanumeric() || c == '-' || c == '_') {
            i += 1;
        }
        i > from + 1 && self.at(i) == Some('=')
    }
}

/// The same by the rules beside UTS #58 alone: a word, or a property.
fn is_plain_key(key: &str) -> bool {
    let key = key.to_ascii_lowercase();
    let word =
        |part: &str| !part.is_empty() && part.chars().all(|c| c.is_ascii_alphabetic() || c == '_');
    let property = ["smtp.", "header.", "policy.", "body."]
        .iter()
        .any(|kind| key.strip_prefix(kind).is_some_and(word));
    key != "prvs" && (word(&key) || property)
}

/// What may stand before `=` in front of an address: a name in a query, an option, a setting, or a
/// property of an Authentication-Results header. A tagged address has what looks like one: known
/// tags, a second `=`, a host after the `=`. Case does not matter.
fn is_key(key: &str, rest: &str) -> bool {
    let key = key.to_ascii_lowercase();
    let rest = rest.to_ascii_lowercase();
    let tags = ["prvs", "msprvs1", "srs0", "srs1", "btv1"];
    let name = key.trim_start_matches('-');
    let part = |c: char| c.is_ascii_alphanumeric() || "_.-".contains(c);
    let first = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let last = name.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_');
    if !first || !last || !key.chars().all(part) || tags.contains(&name) {
        return false;
    }
    let property =
        ["smtp.", "header.", "policy.", "body."].iter().any(|kind| name.starts_with(kind));
    if property || tags.iter().any(|tag| rest.starts_with(&format!("{tag}="))) {
        return true;
    }
    let word = key.chars().all(|c| c.is_ascii_alphabetic() || c == '_');
    let host = rest.rsplit_once('.').is_some_and(|(_, last)| chars::is_tld(last));
    !rest.contains('=') && (word || !host)
}
