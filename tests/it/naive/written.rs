//! What a line of source code writes around a name.

use super::Twin;
use super::names::{is_believed, is_listed};

const HOSTS_SETTINGS: &str = "addr base cdn dns domain endpoint fqdn home host href mail mx proxy realm relay server site uri url web";

/// A name on its line: what is around it as far as it is looked at, and whether the line begins and ends there.
pub(super) struct Around<'a> {
    pub front: &'a str,
    pub begins: bool,
    pub behind: &'a str,
    pub ends: bool,
    /// It ends in a word of code, in what files end in, or in what is doubted.
    pub weak: bool,
}

fn in_name(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

impl Around<'_> {
    /// Only code writes so. `country`: two letters that are no word of code.
    pub(super) fn is_code(&self, country: bool) -> bool {
        let Around { front, behind, ends, .. } = *self;
        if let Some(call) = front.strip_suffix(['"', '\'']) {
            // `__('a.b')`
            let index = self.begins && call.starts_with(".IX ");
            return index
                || ["__(", "_(", "t(", "gettext(", "trans(", "translate("].iter().any(|one| {
                    call.strip_suffix(*one).is_some_and(|rest| !rest.ends_with(in_name))
                });
        }
        let operators = [
            "if (",
            "while (",
            "switch (",
            " == ",
            " != ",
            " === ",
            " !== ",
            " ~= ",
            " >= ",
            " <= ",
            " += ",
            " -= ",
            " extends ",
            "<!ENTITY ",
            " !",
            "(!",
            " !!",
            "(!!",
            "|> ",
            ":= ",
            "<%= ",
            "<%- ",
            "{{ ",
        ];
        let joined = ["\" % ", "' % ", "\" + ", "' + "];
        let follows = [
            "{",
            " is not None",
            " is None",
            " |> ",
            " != ",
            " instanceof ",
            "%}",
            " %}",
            "%]",
            " %]",
        ];
        let closes = !front.ends_with('(')
            && front.contains('(')
            && ends
            && [");", ") {", ")) {", "));"].contains(&behind);
        let optional =
            behind.strip_prefix("?.").unwrap_or("").starts_with(|c: char| c.is_ascii_alphabetic());
        operators.iter().chain(&joined).any(|one| front.ends_with(one))
            || follows.iter().any(|one| behind.starts_with(one))
            || closes
            || self.weak && self.is_doubtful()
            || optional
            || self.is_argument()
            || self.is_value()
            || !country && self.is_assigned()
            || self.is_private()
            || self.begins && self.is_statement(country)
    }

    /// Logic, a line of PostScript's, the first line of a document of Texinfo.
    fn is_doubtful(&self) -> bool {
        let Around { front, begins, behind, ends, .. } = *self;
        let styled = ends && behind == " {" && !front.trim_ascii().is_empty();
        styled
            || [" && ", " || "].iter().any(|one| front.ends_with(one) || behind.starts_with(one))
            || begins && front.starts_with("%%")
            || behind.starts_with(", produced by ")
    }

    fn is_argument(&self) -> bool {
        let Some(function) = self.front.strip_suffix('(') else { return false };
        let before = function.trim_end_matches(|c| in_name(c) || c == '.' || c == '!');
        let name = &function[before.len()..];
        name.starts_with(|c: char| c.is_ascii_lowercase()) || name.contains(['_', '.', '!'])
    }

    fn is_value(&self) -> bool {
        let field = self.front.trim_ascii_start().strip_suffix(": ");
        let comma = self.ends && self.behind == ",";
        if self.begins && comma {
            return field.is_some_and(|key| !key.is_empty() && key.chars().all(in_name));
        }
        let keyed = self.front.strip_suffix('=').is_some_and(|key| key.ends_with(in_name));
        keyed && (comma || self.behind.starts_with(')'))
    }

    fn is_assigned(&self) -> bool {
        let Some(target) = self.front.strip_suffix(" = ") else { return false };
        let key = target[target.trim_end_matches(in_name).len()..].to_ascii_lowercase();
        let names_host = HOSTS_SETTINGS.split(' ').any(|word| key.contains(word));
        target.ends_with(|c| in_name(c) || c == ')' || c == ']') && !names_host
    }

    fn is_private(&self) -> bool {
        let Some(rest) = self.front.strip_suffix('_') else { return false };
        (rest.is_empty() || rest.ends_with([' ', '(', '&', '.', '=', '!', '$', '@']))
            && !self.behind.contains('_')
    }

    fn is_statement(&self, country: bool) -> bool {
        let word = self.front.trim_ascii();
        if self.statement() == "import" {
            return self.ends && self.behind.is_empty() || self.behind.starts_with(" as ");
        }
        match word {
            "return" | "yield" | "await" | "elif" | "typeof" | "assert" | "del" => true,
            "[" => !country && self.ends && self.behind == "]",
            "if" | "if not" | "while" => self.ends && self.behind == ":",
            _ => self.is_imported(),
        }
    }

    /// `from a.net import b`
    pub(super) fn is_imported(&self) -> bool {
        self.begins && self.statement() == "from" && self.behind.starts_with(" import ")
    }

    /// Without the marks of a prompt or a comment.
    fn statement(&self) -> &str {
        self.front.trim_start_matches(|c: char| !c.is_ascii_alphanumeric()).trim_ascii_end()
    }
}

/// `/srv/www/`, `~/sites/`, `../`
pub(super) fn is_folder(before: &str, whole: bool) -> bool {
    let around = |c: char| !c.is_ascii_graphic() || "\"'`()<>[]{}=,:;|@?#&\\".contains(c);
    let path = before.rsplit(around).next().unwrap_or("");
    let seen = path.len() < before.len() && !before[..before.len() - path.len()].ends_with('\\');
    let rooted = ["/", "~/", "./", "../"].iter().any(|root| path.starts_with(root));
    before.ends_with('/')
        && (seen || whole && path.len() == before.len())
        && rooted
        && path.len() > 1
        && !path.contains("//")
}

/// A string sequence of a terminal is open at the end, and not at the URI of OSC 8 or OSC 7.
pub(super) fn is_in_sequence(before: &[u8]) -> bool {
    let near = before.len().saturating_sub(32);
    let Some(escape) = before.iter().rposition(|&b| b == 0x1B).filter(|&at| at >= near) else {
        return false;
    };
    let (kind, rest) = before[escape + 1..].split_at_checked(1).unwrap_or_default();
    if ![&b"]"[..], b"P", b"X", b"^", b"_"].contains(&kind)
        || rest.iter().any(|b| b"\n\x07".contains(b))
    {
        return false;
    }
    let fields: Vec<&[u8]> = rest.split(|&b| b == b';').collect();
    let uri = matches!(fields.as_slice(), [b"7", b""] | [b"8", _, b""]);
    !(uri && kind == b"]")
}

/// `docs/`, `src/img/`, `.github/a/`
pub(super) fn is_source(before: &str) -> bool {
    let lower = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || "_-.".contains(c);
    let Some(path) = before.strip_suffix('/') else { return false };
    let mut names = path.split('/').rev();
    let mut seen = Vec::new();
    for name in names.by_ref() {
        // Up to a character that no name has; what a capital or a letter of another script begins is none.
        let tail = &name[name.trim_end_matches(lower).len()..];
        let front = &name[..name.len() - tail.len()];
        let glued = front.ends_with(|c: char| in_name(c) || !c.is_ascii());
        if !glued && !tail.is_empty() {
            seen.push(tail);
        }
        if !front.is_empty() {
            break;
        }
    }
    let known = |name: &str| super::names::has(super::names::DIRECTORIES, name);
    let hidden = |name: &str| {
        name.len() > 1 && name.starts_with('.') && name.as_bytes()[1].is_ascii_lowercase()
    };
    match seen.as_slice() {
        [] => false,
        [last] => known(last),
        all => known(all[0]) || all.iter().any(|name| known(name) || hidden(name)),
    }
}

impl Twin<'_> {
    /// A name of three labels or more is called by its last as one of two is.
    pub(super) fn is_method(&self, ending: &str) -> bool {
        is_listed(ending) || !is_believed(ending) && ending.len() > 2
    }
}
