//! The text nodes of HTML in which links may be marked.
//!
//! It builds no tree: tags are skipped as the tokenizer of the HTML standard does (§13.2.5), and elements without markup,
//! or without links, are skipped completely. Where the results may differ, less is marked: in SVG and MathML, and behind
//! HTML inside of them, an element of [`RAW`] may be markup or not, and so may `noscript`, whether scripts run or not. Such
//! an element is skipped if it ends at the same place either way; otherwise nothing behind it is marked.

use std::ops::Range;

/// Elements whose content is not markup (§13.2.5.2 to 13.2.5.4), up to their end tag.
const RAW: [&str; 9] =
    ["script", "style", "textarea", "title", "xmp", "iframe", "noembed", "noframes", "plaintext"];
/// Elements in which no link is created.
const CLOSED: [&str; 12] = [
    "a", "button", "select", "svg", "math", "head", "template", "object", "audio", "video",
    "canvas", "datalist",
];

/// Elements in which markup is of another language (§13.2.6.5).
const FOREIGN: [&str; 2] = ["svg", "math"];
/// Elements of these languages in which HTML is read again (§13.2.6.5, integration points), but `title`, which is one of
/// [`RAW`].
const INTEGRATION: [&str; 8] =
    ["foreignobject", "desc", "mi", "mo", "mn", "ms", "mtext", "annotation-xml"];

/// Iterator over the text nodes.
pub(super) struct Nodes<'s> {
    source: &'s str,
    at: usize,
    /// Open elements in which no link is created.
    closed: Vec<&'static str>,
    /// Whether no such element was open before the last tag.
    was_open: bool,
    /// The open element of SVG or MathML in which HTML is read.
    point: Option<&'static str>,
    /// Whether HTML was inside of SVG or MathML: an end tag that closes neither looks as if it did.
    is_doubtful: bool,
}

/// Maximum depth of nested elements of these kinds; behind deeper ones nothing is marked.
const DEEPEST: usize = 64;

impl<'s> Nodes<'s> {
    pub(super) fn new(source: &'s str) -> Nodes<'s> {
        let closed = Vec::new();
        Nodes { source, at: 0, closed, was_open: true, point: None, is_doubtful: false }
    }

    /// Skips the markup that a `<` begins; returns whether it is markup.
    fn markup(&mut self) -> bool {
        let rest = &self.source[self.at..];
        let bytes = rest.as_bytes();
        if let Some(comment) = rest.strip_prefix("<!--") {
            // `<!-->` and `<!--->` are complete comments.
            let short = ["->", ">"].into_iter().find(|end| comment.starts_with(end));
            let long = || {
                let (mut dashes, mut is_ending) = (0, false);
                comment.bytes().position(|byte| {
                    let is_end = byte == b'>' && (dashes >= 2 || is_ending);
                    is_ending = byte == b'!' && dashes >= 2;
                    dashes = if byte == b'-' { dashes + 1 } else { 0 };
                    is_end
                })
            };
            let long = || long().map(|at| at + 1);
            let end = short.map(str::len).or_else(long);
            self.at += end.map_or(rest.len(), |end| 4 + end);
            return true;
        }
        match bytes.get(1) {
            Some(b'!' | b'?') => {
                let end = rest.find('>').map_or(rest.len(), |end| end + 1);
                // A section of SVG ends at `]]>`, a comment of HTML at the first `>`.
                let is_section = rest.starts_with("<![CDATA[") && self.may_be_foreign();
                match is_section && !rest[..end].ends_with("]]>") {
                    true => self.give_up(),
                    false => self.at += end,
                }
                true
            }
            Some(b'/') if bytes.get(2).is_some_and(u8::is_ascii_alphabetic) => {
                let (name, _) = self.tag(2);
                self.close(name);
                true
            }
            Some(b'/') => {
                self.at += rest.find('>').map_or(rest.len(), |end| end + 1);
                true
            }
            Some(letter) if letter.is_ascii_alphabetic() => {
                let (name, is_empty) = self.tag(1);
                self.open(name, is_empty);
                true
            }
            _ => {
                self.at += 1;
                false
            }
        }
    }

    /// Returns `true` if the markup here does not interrupt a text: a comment, or a place where a line may break.
    fn is_inside_text(&self) -> bool {
        let rest = &self.source.as_bytes()[self.at..];
        let is_break = || {
            let name = rest.get(1..4).is_some_and(|name| name.eq_ignore_ascii_case(b"wbr"));
            name && rest.get(4).is_some_and(|b| b.is_ascii_whitespace() || b"/>".contains(b))
        };
        rest.starts_with(b"<!--") || is_break()
    }

    fn open(&mut self, name: &str, is_empty: bool) {
        let of = |list: &'static [&'static str]| {
            list.iter().copied().find(|known| known.eq_ignore_ascii_case(name))
        };
        let is_foreign = self.is_foreign();
        self.is_doubtful |= self.point.is_some();
        if let Some(raw) = of(&RAW) {
            let is_whole = is_empty && is_foreign;
            match self.may_be_foreign() {
                true if is_whole => self.give_up(),
                true => self.skip_if_alike(raw),
                false => self.raw(raw),
            }
        } else if name.eq_ignore_ascii_case("noscript") {
            self.skip_if_alike("noscript");
        } else if let Some(closed) = of(&CLOSED) {
            // In SVG and MathML a tag may end its element.
            let is_whole =
                is_empty && (FOREIGN.contains(&closed) || is_foreign && self.point.is_none());
            if closed == "a" {
                // A second `a` closes the first.
                self.closed.retain(|open| *open != "a");
            }
            match self.closed.len() < DEEPEST {
                true if is_whole => {}
                true => self.closed.push(closed),
                false => self.give_up(),
            }
        } else if name.eq_ignore_ascii_case("body") {
            self.closed.retain(|open| *open != "head");
        } else if is_foreign && !is_empty {
            self.point = of(&INTEGRATION);
        }
    }

    /// Closes the innermost element of this name and those inside of it, but a link, which goes on behind their ends
    /// (§13.2.4.3, active formatting elements).
    fn close(&mut self, name: &str) {
        if self.point.is_some_and(|point| point.eq_ignore_ascii_case(name)) {
            self.point = None;
        }
        let Some(open) = self.closed.iter().rposition(|open| open.eq_ignore_ascii_case(name))
        else {
            return;
        };
        if self.closed[open] == "a" {
            self.closed.remove(open);
            return;
        }
        let has_link = self.closed[open..].contains(&"a");
        // An element between may keep both open.
        self.is_doubtful |= self.closed[open + 1..].iter().any(|one| FOREIGN.contains(one))
            && !FOREIGN.contains(&self.closed[open]);
        self.closed.truncate(open);
        if has_link {
            self.closed.push("a");
        }
    }

    fn is_foreign(&self) -> bool {
        self.closed.iter().any(|open| FOREIGN.contains(open))
    }

    /// Returns `true` if markup may be of another language here.
    fn may_be_foreign(&self) -> bool {
        self.is_doubtful || self.is_foreign()
    }

    /// Marks nothing more.
    fn give_up(&mut self) {
        self.at = self.source.len();
    }

    /// Skips an element whose content may be markup or not, if its end tag is the same either way.
    fn skip_if_alike(&mut self, name: &'static str) {
        let start = self.at;
        self.raw(name);
        let end = self.at;
        let content = &self.source[start..end];
        if !content.contains('<') {
            return;
        }
        self.is_doubtful |= self.is_foreign();
        // The tags inside, as markup.
        let mut inside = Nodes { at: start, is_doubtful: true, ..Nodes::new(self.source) };
        let bytes = self.source.as_bytes();
        while let Some(at) = bytes.get(inside.at..end).and_then(|rest| memchr::memchr(b'<', rest)) {
            inside.at += at;
            let is_start = bytes.get(inside.at + 1).is_some_and(u8::is_ascii_alphabetic);
            match is_start {
                true => {
                    let (name, _) = inside.tag(1);
                    let is_raw = |raw: &&str| raw.eq_ignore_ascii_case(name);
                    if RAW.iter().chain(&["noscript"]).any(is_raw) {
                        inside.give_up();
                    }
                }
                false => _ = inside.markup(),
            }
        }
        inside.at = inside.at.max(end);
        match inside.at == end {
            true => self.at = end,
            false => self.give_up(),
        }
    }

    /// Skips an element without markup.
    fn raw(&mut self, name: &str) {
        let (bytes, start) = (self.source.as_bytes(), self.at);
        let is_end = |at: &usize| {
            let rest = &bytes[*at..];
            rest.get(2..2 + name.len())
                .is_some_and(|found| found.eq_ignore_ascii_case(name.as_bytes()))
                && rest
                    .get(2 + name.len())
                    .is_none_or(|b| b.is_ascii_whitespace() || b"/>".contains(b))
        };
        let ends = memchr::memmem::find_iter(&bytes[self.at..], b"</").map(|found| self.at + found);
        self.at = match name {
            "plaintext" => bytes.len(),
            _ => ends.into_iter().find(is_end).unwrap_or(bytes.len()),
        };
        // A script in a comment of a script ends with the latter (§13.2.5.20 to 13.2.5.31).
        let content = &self.source[start..self.at];
        if name == "script"
            && let Some(comment) = content.find("<!--")
            && content[comment..].to_ascii_lowercase().contains("<script")
        {
            self.give_up();
        }
    }

    /// Skips a tag whose name begins `skipped` bytes after this offset; returns its name, and whether it ends with `/>`.
    fn tag(&mut self, skipped: usize) -> (&'s str, bool) {
        let bytes = self.source.as_bytes();
        let start = self.at + skipped;
        let is_blank = |b: u8| matches!(b, b' ' | b'\t' | b'\n' | b'\r' | 0x0C);
        let skip = |at: usize, is_inside: &dyn Fn(u8) -> bool| {
            let rest = &bytes[at.min(bytes.len())..];
            bytes.len() - rest.len() + rest.iter().take_while(|b| is_inside(**b)).count()
        };
        let name = skip(start, &|b| !is_blank(b) && !matches!(b, b'/' | b'>'));
        let (mut at, mut is_empty) = (name, false);
        loop {
            // Before the name of an attribute.
            let before = at;
            at = skip(at, &|b| is_blank(b) || b == b'/');
            match bytes.get(at) {
                None => break,
                Some(b'>') => {
                    is_empty = at > before && bytes[at - 1] == b'/';
                    at += 1;
                    break;
                }
                Some(_) => {}
            }
            // An equals sign may begin a name.
            at = skip(at + 1, &|b| !is_blank(b) && !matches!(b, b'/' | b'>' | b'='));
            let sign = skip(at, &is_blank);
            if bytes.get(sign) != Some(&b'=') {
                continue;
            }
            at = skip(sign + 1, &is_blank);
            at = match bytes.get(at) {
                Some(quote @ (b'"' | b'\'')) => skip(at + 1, &|b| b != *quote) + 1,
                Some(b'>') | None => at,
                Some(_) => skip(at, &|b| !is_blank(b) && b != b'>'),
            };
        }
        self.at = at.min(bytes.len());
        (&self.source[start..name], is_empty)
    }
}

impl Iterator for Nodes<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let bytes = self.source.as_bytes();
        while self.at < bytes.len() {
            let start = self.at;
            let mut end = start;
            // A `<` that does not begin a tag is text.
            while self.at < bytes.len() {
                end =
                    memchr::memchr(b'<', &bytes[self.at..]).map_or(bytes.len(), |at| self.at + at);
                self.at = end;
                let is_inside = end < bytes.len() && self.is_inside_text();
                if end == bytes.len() || self.markup() && !is_inside {
                    break;
                }
            }
            // The elements that were open before the tag decide about the text before it.
            let was_open = std::mem::replace(&mut self.was_open, self.closed.is_empty());
            if was_open && end > start {
                return Some(start..end);
            }
        }
        None
    }
}
