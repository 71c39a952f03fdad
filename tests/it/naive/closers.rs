//! What closes something around a link: a comment, emphasis, a pipe of a shell, a character of markup.

use super::Twin;
use super::ending::Head;

const FETCH: &str = "curl wget fetch iwr irm aria2c lynx w3m";
const READ: &str = "awk base bash bsdtar bunzip bzip cat column cpio cut dash deno docker dpkg env findstr fish git go \
    gpg grep gunzip gzip head iex jq kubectl ksh less md5sum more mysql nc node openssl patch perl php \
    powershell psql pv pwsh python ruby sed sh sha1sum sha256sum sha512sum sort sqlite sudo tail tar tee \
    tr uniq unxz unzip wc xargs xmllint xz yq zcat zsh zstd";

impl Twin<'_> {
    /// The name of a character that is neither a letter nor one of a URL, and a semicolon, behind an ampersand.
    pub(super) fn is_entity(&self, i: usize) -> bool {
        let sign = |c: char| match c.is_ascii() {
            true => !c.is_ascii_alphanumeric() && !"-._~:/?#@!$&()*+,;=%".contains(c),
            false => !c.is_alphanumeric(),
        };
        let name: String = (i..i + 40)
            .map_while(|k| self.written(k))
            .take_while(char::is_ascii_alphanumeric)
            .collect();
        self.is_plain(i + name.len(), ";") && {
            let name = format!("&{name};");
            let known = entities::ENTITIES.iter().find(|one| one.entity == name);
            known.is_some_and(|known| known.characters.chars().all(sign))
        }
    }

    /// As it stands, none of it written as a reference.
    pub(super) fn is_plain(&self, i: usize, word: &str) -> bool {
        word.chars().enumerate().all(|(k, c)| self.written(i + k) == Some(c))
    }

    /// The 32 characters before the link, as far as they are on its line.
    pub(super) fn front_of(&self, start: usize) -> String {
        let front = self.string(start.saturating_sub(32), start);
        front.rsplit(['\n', '\r']).next().unwrap_or_default().to_owned()
    }

    /// Whether the single quotation mark before `i` closes a string that one of the 32 characters before the link opens.
    pub(super) fn closes_string(&self, start: usize, i: usize) -> bool {
        let joined = ["||", "=>", ".$", ".'", ".\""].iter().any(|one| self.is(i, one));
        self.is_in_string(start, '\'') && (joined || self.closes_something('\'', i))
    }

    /// Whether one of the 32 characters before the link is such a mark and opens a string.
    pub(super) fn is_in_string(&self, start: usize, mark: char) -> bool {
        let front: Vec<char> = self.front_of(start).chars().collect();
        let letter = |c: &char| c.is_ascii_alphanumeric() || !c.is_ascii() || *c == '\0';
        let marks = (0..front.len()).rev().filter(|&k| front[k] == mark);
        let last = marks.into_iter().find(|&k| {
            let escaped = k > 0 && front[k - 1] == '\\';
            let inner = mark == '\''
                && k > 0
                && letter(&front[k - 1])
                && front.get(k + 1).is_some_and(letter);
            !escaped && !inner
        });
        last.is_some_and(|k| {
            let first = k == 0 && front.len() < 32;
            let before = first || k > 0 && !letter(&front[k - 1]);
            let closes = |c: &char| c.is_ascii_whitespace() || ",;:.)]}+".contains(*c);
            before && !front.get(k + 1).is_none_or(closes)
        })
    }

    /// `curl https://example.org/a|bash`: the bar is at `i`.
    pub(super) fn is_piped(&self, start: usize, i: usize) -> bool {
        let first = if self.written(i + 1) == Some('&') { i + 2 } else { i + 1 };
        let is_part = |c: &char| c.is_ascii_alphanumeric() || "/._-".contains(*c);
        let command: String =
            (first..).map_while(|k| self.written(k)).take_while(is_part).collect();
        let name = command.rsplit('/').next().unwrap_or_default();
        let name = name.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.');
        self.is_fetched(start)
            && command.len() < 32
            && READ.split_whitespace().any(|one| one == name)
    }

    /// `curl https://example.org/a&&tar`: the first ampersand is at `i`.
    pub(super) fn is_next_command(&self, start: usize, i: usize) -> bool {
        self.is_plain(i, "&&")
            && self.written(i + 2).is_some_and(|c| c.is_ascii_alphabetic())
            && !matches!(self.before(start), Some('"' | '\''))
            && self.is_fetched(start)
    }

    fn is_fetched(&self, start: usize) -> bool {
        let front = self.front_of(start);
        let mut words = Vec::new();
        let mut word = String::new();
        for c in front.chars() {
            if c == ' ' {
                words.push(std::mem::take(&mut word));
            } else {
                word.push(c);
            }
        }
        FETCH.split(' ').any(|name| {
            words.iter().any(|word| {
                word.strip_suffix(name)
                    .is_some_and(|rest| !rest.ends_with(|c: char| c.is_ascii_alphanumeric()))
            })
        })
    }

    /// The end without what closes a comment, a command or a label around the link.
    pub(super) fn without_closer(
        &self,
        head: Head,
        label: Option<(usize, usize)>,
        query: bool,
        end: usize,
    ) -> usize {
        let back =
            |n: usize| end.checked_sub(n).filter(|&k| k >= head.end).and_then(|k| self.written(k));
        let run = |first: usize, c: char| (first..).take_while(|&n| back(n) == Some(c)).count();
        if run(1, '&') > 1 {
            return end - run(1, '&');
        }
        if let Some((first, last)) = label
            && last == end
            && !query
        {
            let letter = |k: usize| {
                self.at(k).is_some_and(|c| c.is_ascii_alphabetic() || self.is_beyond_ascii(k))
            };
            return if (first..last).any(letter) { first } else { end };
        }
        // The last character of the end of a comment belongs to the link or is behind it.
        let inside = back(1).is_some_and(|c| "/@".contains(c));
        let edge = if inside { back(1) } else { self.written(end) };
        let skipped = usize::from(inside);
        let Some(mark) = back(1 + skipped).filter(|c| "*-+=%|_~".contains(*c)) else { return end };
        let marks = run(1 + skipped, mark);
        let bare = end - skipped - marks;
        // A character that is written as a reference is none.
        let after_slash = end
            .checked_sub(1 + skipped + marks)
            .filter(|&k| k >= head.end)
            .is_none_or(|k| self.written(k) == Some('/'));
        if mark == '%' && matches!(edge, Some('>' | '}')) {
            return bare - run(1 + skipped + marks, '-');
        }
        let front = self.front_of(head.start);
        let opened = edge.and_then(|edge| {
            let pairs = [")(", "}{", "][", "><", "//", "##", "@@"];
            let opener = pairs.iter().find(|pair| pair.starts_with(edge))?.chars().nth(1)?;
            let (before, after) = front.rsplit_once(&format!("{opener}{mark}"))?;
            let is_path = opener == '/' && before.ends_with(|c: char| c.is_ascii_graphic());
            let closed = format!("{mark}{edge}");
            Some(!is_path && !after.contains(&closed))
        });
        let closed = match (mark, edge) {
            ('*', Some('/')) => !after_slash,
            ('-', Some('>' | '}' | ']')) if marks > 1 => true,
            ('-' | '=', Some('>')) => {
                ["http://", "https://"].iter().any(|link| self.is_plain(end + 1, link))
            }
            _ => false,
        };
        let brackets = match (mark, edge) {
            ('*', Some(')')) => Some(['(', ')']),
            ('-', Some('}')) => Some(['{', '}']),
            _ => None,
        };
        let earlier = brackets.is_some_and(|brackets| {
            let last = front.chars().rev().find(|c| brackets.contains(c));
            let gap = self.at(end + 1).is_none_or(char::is_whitespace);
            last != Some(brackets[0]) && !after_slash && gap
        });
        if closed || earlier || opened == Some(true) {
            return bare;
        }
        let quoted =
            self.before(head.start).is_some_and(|c| "\"'`|｜“„‘‚\u{5F4}«»‹＜≪".contains(c));
        let emphasis = (mark == '*' || marks > 1 && "_~".contains(mark))
            && !inside
            && !quoted
            && !self.settings.code
            && (marks > 1 || !after_slash)
            && marks == emphasized(&front, mark);
        if emphasis { bare } else { end }
    }
}

/// How many marks begin the last emphasis, if it is open.
fn emphasized(front: &str, mark: char) -> usize {
    let Some((before, after)) = front.rsplit_once(mark) else { return 0 };
    let rest = before.trim_end_matches(mark);
    let opens = !rest.ends_with(|c: char| c.is_ascii_alphanumeric() || "/.".contains(c))
        && after.starts_with(|c: char| {
            c.is_ascii_alphanumeric() || "[(\"'\0".contains(c) || !c.is_ascii()
        });
    if opens { before.len() - rest.len() + 1 } else { 0 }
}
