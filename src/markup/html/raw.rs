//! Raw text: elements whose content is not markup up to their end tag (§13.2.5.9–31).

use super::block::may_link;
use super::element::Element;
use super::name::ends_tag_name;
use super::{Html, HtmlState, HtmlStep, Json};
use crate::input::chunk::Chunk;
use crate::markup::{Content, DeclaredJson, Rules, TextToken, Token, Tokenizer, TokenizerStep};
use crate::simd::signs::NonAscii;

/// The raw text that is open.
#[derive(Clone, Copy, Debug)]
pub(super) struct Raw {
    element: Element,
    /// Kind of its content and rules for its references, if it is scanned.
    content: Option<(Content, Rules)>,
    script: Script,
}

/// State of a `script` in text that looks like a comment with a script in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Script {
    Data,
    /// After `<!--`; the dashes of its end are at this offset or later.
    Escaped(usize),
    /// After `<script` in such a comment.
    Double(usize),
}

/// Result of the search for the end of raw text.
enum RawTextEnd {
    /// The end tag begins here.
    End(usize),
    /// The bytes end where an end tag may begin.
    Cut(usize),
    /// No end tag begins here.
    None,
}

impl Raw {
    fn new(element: Element) -> Raw {
        let content = match element {
            // Scripts are programs; those that hold data are read by their own tokenizer.
            Element::SCRIPT => None,
            Element::STYLE => Some((Content::Sheet, Rules::None)),
            Element::TEXTAREA | Element::TITLE => Some((Content::Running, Rules::HtmlText)),
            _ => Some((Content::Running, Rules::None)),
        };
        Raw { element, content, script: Script::Data }
    }

    fn needed(self, at: usize) -> usize {
        match self.script {
            Script::Data => at,
            Script::Escaped(min_start) | Script::Double(min_start) => {
                at.saturating_sub(2).max(min_start).min(at)
            }
        }
    }

    /// Searches for the end tag from an offset on.
    fn stop(&mut self, bytes: Chunk<'_>, from: usize) -> RawTextEnd {
        match self.element {
            Element::PLAINTEXT => RawTextEnd::None,
            Element::SCRIPT => self.script_stop(bytes, from),
            element => {
                for len in memchr::memchr_iter(b'<', &bytes[from..]) {
                    match is_tag(bytes, from + len + 1, b"/", element.name()) {
                        Some(true) => return RawTextEnd::End(from + len),
                        Some(false) => {}
                        None => return RawTextEnd::Cut(from + len),
                    }
                }
                RawTextEnd::None
            }
        }
    }

    fn script_stop(&mut self, bytes: Chunk<'_>, from: usize) -> RawTextEnd {
        let mut at = from;
        loop {
            let next = match self.script {
                Script::Data => memchr::memchr(b'<', &bytes[at..]),
                _ => memchr::memchr2(b'<', b'>', &bytes[at..]),
            };
            let Some(len) = next else { return RawTextEnd::None };
            at += len;
            if bytes[at] == b'>' {
                let (Script::Escaped(min_start) | Script::Double(min_start)) = self.script else {
                    return RawTextEnd::None;
                };
                if at >= min_start + 2 && &bytes[at - 2..at] == b"--" {
                    self.script = Script::Data;
                }
                at += 1;
                continue;
            }
            let ends = is_tag(bytes, at + 1, b"/", "script");
            match (self.script, ends) {
                (_, None) => return RawTextEnd::Cut(at),
                (Script::Data | Script::Escaped(_), Some(true)) => return RawTextEnd::End(at),
                (Script::Double(min_start), Some(true)) => self.script = Script::Escaped(min_start),
                (Script::Data, Some(false)) => {
                    let rest = &bytes[at + 1..];
                    let len = rest.len().min(3);
                    if rest[..len] == b"!--"[..len] {
                        if len < 3 && !bytes.is_last() {
                            return RawTextEnd::Cut(at);
                        }
                        if len == 3 {
                            // Its dashes may be those of the end: `<!-->`.
                            self.script = Script::Escaped(at + 2);
                        }
                    }
                }
                (Script::Escaped(min_start), Some(false)) => {
                    match is_tag(bytes, at + 1, b"", "script") {
                        None => return RawTextEnd::Cut(at),
                        Some(true) => self.script = Script::Double(min_start),
                        Some(false) => {}
                    }
                }
                (Script::Double(_), Some(false)) => {}
            }
            at += 1;
        }
    }
}

/// Returns `true` if `lead`, then `name` in upper or lower case, then a byte that ends a tag's name is at `bytes[at]`;
/// `None` if the bytes end before this is known.
fn is_tag(bytes: Chunk<'_>, at: usize, lead: &[u8], name: &str) -> Option<bool> {
    let rest = bytes.get(at..).unwrap_or_default();
    let wanted = lead.iter().chain(name.as_bytes());
    let mut same = 0;
    for (have, want) in rest.iter().zip(wanted) {
        if !have.eq_ignore_ascii_case(want) {
            return Some(false);
        }
        same += 1;
    }
    match rest.get(lead.len() + name.len()) {
        Some(&b) if same == lead.len() + name.len() => Some(ends_tag_name(b)),
        _ if bytes.is_last() => Some(false),
        _ => None,
    }
}

impl Html {
    /// Begins the raw text of an element; `data`: the JSON that a `script` holds.
    pub(super) fn begin_raw(&mut self, element: Element, data: Option<DeclaredJson>) {
        let mut raw = Raw::new(element);
        self.data = None;
        if let Some(format) = data.filter(|_| element == Element::SCRIPT) {
            match self.beyond {
                // A backslash or a quotation mark may be half of a character.
                NonAscii::Anything => raw.content = Some((Content::Running, Rules::Json)),
                _ => self.data = Some(Box::new(Json::declared(format, self.limits, self.at))),
            }
        }
        self.state = HtmlState::Raw(raw);
    }

    /// Returns the offset from which the bytes are needed in raw text.
    pub(super) fn needed_by_raw(&self, raw: Raw) -> usize {
        let by_data = self.data.as_ref().map_or(usize::MAX, |data| data.needed());
        raw.needed(self.at).min(by_data)
    }

    /// Reads JSON in a `script`, up to its end tag.
    fn script_data(&mut self, bytes: Chunk<'_>, mut raw: Raw) -> HtmlStep {
        let stop = raw.stop(bytes, self.at);
        let (available, is_end) = match stop {
            RawTextEnd::End(end) => (bytes.ending_at(end), true),
            RawTextEnd::Cut(end) => (bytes.up_to(end), false),
            RawTextEnd::None => (bytes, bytes.is_last()),
        };
        self.at = available.end();
        self.state = HtmlState::Raw(raw);
        match self.data.as_mut().map(|data| data.next(available)) {
            Some(TokenizerStep::Token(Token::Text(text))) => {
                HtmlStep::Token(Token::Text(TextToken { in_link: self.in_link, ..text }))
            }
            Some(TokenizerStep::Token(token)) => HtmlStep::Token(token),
            _ if is_end => {
                self.data = None;
                self.state = HtmlState::Text;
                HtmlStep::On
            }
            _ => HtmlStep::Out,
        }
    }

    /// Reads raw text up to its end.
    pub(super) fn raw(&mut self, bytes: Chunk<'_>, mut raw: Raw) -> HtmlStep {
        if self.data.is_some() {
            return self.script_data(bytes, raw);
        }
        let start = self.at;
        let stop = raw.stop(bytes, start);
        let (end, open) = match stop {
            RawTextEnd::End(at) => (at, false),
            RawTextEnd::Cut(at) => (at, true),
            RawTextEnd::None => (bytes.end(), !bytes.is_last()),
        };
        self.at = end;
        self.state = match stop {
            RawTextEnd::End(_) => HtmlState::Text,
            _ => HtmlState::Raw(raw),
        };
        let given = match raw.content {
            Some((content, rules)) => {
                let is_alone = !self.joined && !open && content == Content::Running;
                let range = start..end;
                let is_quiet = |text: &[u8]| {
                    !may_link(text)
                        && (rules != Rules::Json || memchr::memchr(b'\\', text).is_none())
                };
                match is_alone && is_quiet(&bytes[range.clone()]) {
                    true => HtmlStep::Out,
                    false => {
                        let in_link = self.in_link;
                        self.give(TextToken { range, rules, content, joined: false, open, in_link })
                    }
                }
            }
            None => HtmlStep::Out,
        };
        match (given, stop) {
            (HtmlStep::Out, RawTextEnd::End(_)) => HtmlStep::On,
            (given, _) => given,
        }
    }
}
