//! The trigger `://`: scheme before it, authority after it.

use super::chars::{self, Close, Open, Soft};
use super::ending::{Head, Part, Tail};
use super::host::{self, Set};
use super::{Candidate, Kind, Schemes, Twin};

const SCHEME: usize = 32;
const USERINFO: usize = 256;
const LITERAL: usize = 64;

/// How the authority was read.
struct Authority {
    end: usize,
    root_dot: bool,
    /// The link ends with the authority.
    cut: bool,
    /// A path follows without a slash: a drive letter, or what scp writes after a colon.
    drive: bool,
    refused: Option<&'static str>,
}

impl Twin<'_> {
    /// `colon` is the index of a colon.
    pub(super) fn scheme_trigger(&self, colon: usize) -> Option<Candidate> {
        let first = self.authority_start(colon)?;
        let escaped = self.prose() && colon > self.floor && self.is_plain(colon - 1, "\\:");
        let colon = colon - usize::from(escaped);
        let mut run = colon;
        // One character more than a scheme may have tells that it is none.
        while run > self.floor
            && colon - run <= SCHEME
            && self.before(run).is_some_and(chars::is_scheme)
        {
            run -= 1;
        }
        // No scheme ends in a plus.
        if run == colon || self.before(colon) == Some('+') {
            return None;
        }
        let known = self.scheme_start(run, colon);
        let start = known.unwrap_or(run);
        let scheme = self.string(start, colon).to_ascii_lowercase();
        // An address with slashes after `mailto:` is found at its `@`.
        if self.prose() && scheme == "mailto" && self.userinfo(first).is_some() {
            return None;
        }
        let authority = self.authority(start, &scheme, first)?;
        let refused = if known.is_none() { Some("unknown-scheme") } else { authority.refused };
        let angle = self.before(start) == Some('<') && self.before(start - 1) != Some('\\');
        let exact = angle || self.url_prefix(start);
        let Tail { end, reach } = if authority.cut {
            Tail::bare(authority.end)
        } else {
            self.ending(Head {
                start,
                end: authority.end,
                part: if authority.drive { Part::Path } else { Part::None },
                root_dot: authority.root_dot,
                exact,
            })
        };
        Some(Candidate { start, end, reach, kind: Kind::Iri, refused })
    }

    /// Where the scheme begins: the whole run, or the longest of three at its end.
    fn scheme_start(&self, run: usize, colon: usize) -> Option<usize> {
        let whole = self.string(run, colon).to_ascii_lowercase();
        if self.is_scheme(&whole) {
            return Some(run);
        }
        for suffix in ["https", "http", "ftp"] {
            if whole.ends_with(suffix) {
                return Some(colon - suffix.len());
            }
        }
        // By a list any scheme is one, and rejected if it is not on the list.
        let fits = whole.len() <= SCHEME && whole.starts_with(|c: char| c.is_ascii_alphabetic());
        let listed = matches!(self.settings.schemes, Schemes::List(_));
        (listed && fits && !is_defanged_scheme(&whole)).then_some(run)
    }

    fn is_scheme(&self, scheme: &str) -> bool {
        if scheme.len() > SCHEME || is_defanged_scheme(scheme) {
            return false;
        }
        match &self.settings.schemes {
            Schemes::Known => chars::is_known_scheme(scheme),
            Schemes::Any => scheme.starts_with(|c: char| c.is_ascii_alphabetic()),
            Schemes::List(list) => {
                chars::is_known_scheme(scheme)
                    || list.iter().any(|one| one.eq_ignore_ascii_case(scheme))
            }
        }
    }

    /// None: this is no candidate at all.
    fn authority(&self, start: usize, scheme: &str, from: usize) -> Option<Authority> {
        let letter = self.at(from).is_some_and(|c| c.is_ascii_alphabetic());
        if scheme == "file"
            && letter
            && (self.is_written(from + 1, ":/") || self.is_written(from + 1, ":\\"))
            && self.written(from).is_some()
        {
            let (end, root_dot, cut, drive, refused) = (from, false, false, true, None);
            return Some(Authority { end, root_dot, cut, drive, refused });
        }
        if scheme == "at"
            && self.prose()
            && let Some(end) = self.identifier(from)
        {
            return Some(Authority {
                end,
                root_dot: false,
                cut: false,
                drive: false,
                refused: None,
            });
        }
        let mut first = from;
        let mut refused = None;
        if let Some(behind) = self.userinfo(first) {
            let template = (first..behind).any(|i| " <".contains(self.at(i).unwrap_or('x')));
            first = behind;
            let web = matches!(scheme, "http" | "https" | "ws" | "wss") && !self.settings.userinfo;
            if web || template {
                refused = Some("userinfo");
            }
            while let Some(behind) = self.userinfo(first) {
                first = behind;
                refused = Some("userinfo");
            }
        }
        if self.at(first) == Some('[') {
            return Some(self.literal(first, refused));
        }
        let run = self.host_run(Set::Schemed, first);
        let triplets = (first..run).filter(|&i| self.at(i) == Some('%')).count();
        if refused.is_none() && run - first - 2 * triplets > host::HOST {
            refused = Some("host-too-long");
        }
        let mut end = self.without_dots(first, run);
        if self.prose() {
            if let Some(stop) = self.ideographic_stop(first, end) {
                end = self.without_dots(first, stop);
            }
            if let Some(cut) = self.prose_cut(first, end) {
                refused = refused
                    .or_else(|| self.host_error(start, scheme, first, cut))
                    .or_else(|| self.mapping_error(scheme, first, cut));
                return Some(Authority {
                    end: cut,
                    root_dot: false,
                    cut: true,
                    drive: false,
                    refused,
                });
            }
        }
        end = self.without_dots(first, self.without_hyphens(first, end));
        // `http://https://example.com`, and defanged `http://evil[.]com`.
        if refused != Some("host-too-long") && (self.scheme_follows(end) || self.is(end, "[.]")) {
            return None;
        }
        if self.prose()
            && refused != Some("host-too-long")
            && self.without_dots(first, run) == end
            && (first..run)
                .find(|&i| self.at(i).is_some_and(chars::is_ideographic_dot))
                .is_none_or(|stop| stop < end)
            && let Some(rest) = self.end_of_template(first, end, run)
        {
            refused = refused
                .or_else(|| self.host_error(start, scheme, first, end))
                .or(Some("host-not-delimited"));
            let (end, _) = self.only_port(rest);
            return Some(Authority { end, root_dot: false, cut: false, drive: false, refused });
        }
        refused = refused.or_else(|| self.host_error(start, scheme, first, end));
        let host_end = end;
        if refused == Some("host-not-delimited") {
            end = self.after_enders(end);
        }
        let root_dot = end == host_end && end > first && self.root_dot(end);
        if root_dot {
            end += 1;
            let rooted = host::is_ipv4(&self.string(first, host_end));
            refused = refused.or(rooted.then_some("host-ipv4"));
        }
        let remote = scheme == "git" || scheme.split('+').any(|part| part == "ssh");
        if remote
            && self.prose()
            && end == host_end
            && let Some(path) = self.path_of_repository(end)
        {
            let refused = refused.or_else(|| self.mapping_error(scheme, first, host_end));
            return Some(Authority {
                end: path,
                root_dot: false,
                cut: false,
                drive: true,
                refused,
            });
        }
        let (end_of_port, in_range) = self.only_port(end);
        if !in_range {
            refused = refused.or(Some("port"));
        }
        // Last, since it alone needs the mapping. With the root dot: no empty label may be before it.
        let mapped_end = host_end + usize::from(root_dot);
        refused = refused.or_else(|| self.mapping_error(scheme, first, mapped_end));
        Some(Authority {
            end: end_of_port,
            root_dot: root_dot && end_of_port == end,
            cut: false,
            drive: false,
            refused,
        })
    }

    /// `did:plc:x`
    fn identifier(&self, from: usize) -> Option<usize> {
        if !self.is(from, "did:") {
            return None;
        }
        let is_part = |c: &char| c.is_ascii_alphanumeric() || ":.-_%".contains(*c);
        let text: String =
            (from + 4..from + 254).map_while(|i| self.written(i)).take_while(is_part).collect();
        let (method, name) = text.split_once(':')?;
        let name = name.trim_end_matches(|c: char| !c.is_ascii_alphanumeric());
        let fits = !method.is_empty() && method.chars().all(|c| c.is_ascii_alphanumeric());
        (fits && !name.is_empty()).then(|| from + 4 + method.len() + 1 + name.len())
    }

    /// `:me/x.git`: where the path begins.
    fn path_of_repository(&self, colon: usize) -> Option<usize> {
        let is_part = |c: &char| c.is_ascii_alphanumeric() || "-._~".contains(*c);
        let first: String =
            (colon + 1..).map_while(|i| self.written(i)).take_while(is_part).collect();
        let named = !first.chars().all(|c| c.is_ascii_digit()) && first.len() < 256;
        let end = colon + 1 + first.len();
        let slash = self.written(end) == Some('/')
            || self.written(end) == Some('\\') && self.after_slash(end).is_some();
        let slash = slash && self.is_plain(colon, ":") && !first.is_empty();
        (named && slash).then_some(colon + 1)
    }

    /// The index after the `@` of a userinfo that begins at `from`.
    fn userinfo(&self, from: usize) -> Option<usize> {
        let mut colon = false;
        let mut i = from;
        // A placeholder counts as one.
        let mut count = 0;
        while count <= USERINFO {
            count += 1;
            let c = self.at(i)?;
            if c == '@' {
                return Some(i + 1);
            }
            if let Some(behind) = self.template_with_blank(i) {
                i = behind;
                continue;
            }
            if c == ':' {
                if self.is(i, "://") {
                    return None;
                }
                colon = true;
            } else {
                let local = chars::is_email(c) && !matches!(c, '/' | '?' | '#');
                let password = colon && ",;()".contains(c);
                if !local && !password {
                    return None;
                }
            }
            i += 1;
        }
        None
    }

    /// `[…]` at `first`.
    fn literal(&self, first: usize, refused: Option<&'static str>) -> Authority {
        let inside = |c: char| c.is_ascii_graphic() && c != '/' && c != ']';
        let mut i = first;
        while i < first + LITERAL && self.at(i).is_some_and(inside) {
            i += 1;
        }
        let close = (i < first + LITERAL && self.at(i) == Some(']')).then_some(i);
        let (end, valid) = match close {
            Some(close) => {
                let inside = self.string(first + 1, close);
                (close + 1, host::is_ip_literal(&inside))
            }
            None => (first + 1, false),
        };
        let refused = refused.or((!valid).then_some("host-ip-literal"));
        let (end, in_range) = if valid { self.only_port(end) } else { (end, true) };
        Authority {
            end,
            root_dot: false,
            cut: false,
            drive: false,
            refused: refused.or((!in_range).then_some("port")),
        }
    }

    /// A name with an invisible character or a sign in it is refused whole: the half after
    /// that character is no link of its own.
    fn after_enders(&self, mut end: usize) -> usize {
        loop {
            let mut next = end;
            let is_end = |c| c == '%' || chars::is_ender(c) || chars::is_sign_in_word(c);
            while self.at(next).is_some_and(is_end) {
                next += 1;
            }
            let run = self.without_dots(next, self.host_run(Set::Schemed, next));
            if next == end || run == next {
                return end;
            }
            end = run;
        }
    }

    /// Prose: where an ideographic full stop ends the host rather than being a
    /// dot of it.
    fn ideographic_stop(&self, first: usize, end: usize) -> Option<usize> {
        let stop = (first..end).find(|&i| self.at(i).is_some_and(chars::is_ideographic_dot))?;
        let last = self.last_label(first, end);
        let stop_of_label = self.without_dots(first, stop);
        let before = self.last_label(first, stop_of_label);
        let whole = chars::is_tld(&self.string(last, end))
            && !chars::is_tld(&self.string(before, stop_of_label));
        (!whole).then_some(stop)
    }

    fn host_error(
        &self,
        start: usize,
        scheme: &str,
        first: usize,
        end: usize,
    ) -> Option<&'static str> {
        if first == end {
            let named = |c: char| c.is_alphanumeric() || "%~._-:?@".contains(c);
            let app = is_free(scheme) && self.at(end + 1).is_some_and(named);
            let file = (scheme == "file" || app) && self.at(end) == Some('/');
            return (!file).then_some("host-empty");
        }
        let text = self.unescaped(first, end);
        if let Some(code) = host::label_error(&text)
            && !host::is_only_hyphens(&text)
        {
            return Some(code);
        }
        let last = self.string(self.last_label(first, end), end);
        let ipv4 = host::is_ipv4(&text);
        if host::is_number(&last) && !ipv4 {
            return Some("host-ipv4");
        }
        if !chars::is_tld(&last) && !ipv4 && !self.is_delimited(start, end)
            || self.prose() && self.is_pattern(end)
        {
            return Some("host-not-delimited");
        }
        None
    }

    fn mapping_error(&self, scheme: &str, first: usize, end: usize) -> Option<&'static str> {
        let host = self.unescaped(first, end);
        // The host of an application is a name of any kind.
        let ruled = ["ldap", "ldaps", "ni"].contains(&scheme);
        let named = is_free(scheme) && !ruled && host.is_ascii() && host.contains('%');
        if first == end || named { None } else { host::idna_error(&host) }
    }

    /// `http://www\.example\.com/`
    fn is_pattern(&self, end: usize) -> bool {
        let more = usize::from(self.is_plain(end, r"\\"));
        let named = |c: char| c.is_ascii_alphanumeric();
        self.at(end) == Some('\\')
            && self.written(end + 1 + more) == Some('.')
            && self.written(end + 2 + more).is_some_and(named)
    }

    /// Whether a host without a known top-level domain is plainly over at `end`.
    fn is_delimited(&self, start: usize, end: usize) -> bool {
        let Some(c) = self.at(end) else { return true };
        if chars::is_ender(c) {
            return false;
        }
        let emphasis = self.emphasis(start).is_some_and(|(mark, _)| mark == c);
        matches!(c, '/' | '?' | '#')
            || matches!(chars::term(c), Soft | Open | Close)
            || chars::is_white_space(c)
            || u32::from(c) < 0x20
            || c == '&' && self.is_entity(end + 1)
            || c == '\\'
                && (self.is_escape(end)
                    || self.prose() && self.after_slash(end).is_some()
                    || matches!(self.before(start), Some('"' | '\'')))
            || emphasis
            || c == '|' && (self.prose() || self.is_labelled(start))
            || self.closes_quotation(start, end)
    }
}

/// Schemes whose documents say what stands after `//`; `file` and the directories aside.
const RULED: &str = "coap coaps dict ftp git gopher http https imap ipp irc ircs nfs nntp pop rsync rtsp rtsps sftp snmp \
    ssh svn telnet tftp ws wss acct bitcoin cid data dns doi file geo hxxp hxxps info javascript magnet mailto matrix mid \
    news sip sips sms tag tel urn xmpp";

/// Applications have schemes without a grammar of hosts. A repository needs a host.
fn is_free(scheme: &str) -> bool {
    let remote = scheme.split('+').any(|part| part == "ssh");
    !remote && scheme != "at" && !RULED.split_whitespace().any(|one| one == scheme)
}

fn is_defanged_scheme(scheme: &str) -> bool {
    matches!(scheme, "hxxp" | "hxxps")
}
