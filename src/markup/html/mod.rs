//! HTML: stored bytes in, runs out (WHATWG HTML §13.2.5 as far as links need it).
//!
//! Between tags only a `<` stops it; inside a tag names are looked up and values are skipped by
//! loads of eight bytes (`tag`). It keeps no tree: which text is raw and where CDATA may stand is known
//! from start tags, and from a bounded stack while SVG or MathML is open (`foreign`). A start tag that a
//! tree builder would drop for standing in the wrong place counts all the same: what its author linked to
//! is there to be seen.
//!
//! Everything is resumable at any byte. A tag that the input's end cuts gives the values that are
//! whole, and nothing of the one that is cut.

mod element;
mod foreign;
mod held;
mod name;
mod note;
mod places;
mod raw;
mod skip;
mod tag;

pub(crate) use held::held;

use std::ops::Range;

use super::{Content, Limits, Rules, Run, Step, Text, Tokenizer};
use element::Element;
use foreign::Foreign;
use name::{ends_tag_name, find, word};
use raw::Raw;
use skip::Skip;
use tag::{Inside, Tag};

/// Reads HTML.
#[derive(Clone, Debug)]
pub(crate) struct Html {
    /// What is before it is done with.
    at: usize,
    state: State,
    tag: Tag,
    foreign: Foreign,
    limits: Limits,
    /// Only comments and the like stood since the last text.
    joined: bool,
    /// An `a` with a reference is open.
    in_link: bool,
    has_base: bool,
}

/// What `at` is inside of.
#[derive(Clone, Copy, Debug)]
enum State {
    Text,
    Tag(Inside),
    Skip(Skip),
    Raw(Raw),
    Cdata,
}

/// What a step comes to.
enum Progress {
    On,
    Run(Run),
    /// The bytes are at their end.
    Out,
}

/// What begins at a `<`.
enum Opening {
    /// A tag whose name is this.
    Tag {
        name: Range<usize>,
        is_end: bool,
    },
    /// A tag whose name begins here and is longer than any.
    Endless {
        start: usize,
        is_end: bool,
    },
    Skip(Skip),
    Cdata,
    /// `</>`, which is nothing at all.
    Nothing,
    /// It is text.
    Text,
    /// The bytes end before it is known.
    Cut,
}

/// A name of a tag that is longer is none that is known.
const LONGEST_NAME: usize = 64;

impl Html {
    pub(crate) fn new(limits: Limits) -> Html {
        Html {
            at: 0,
            state: State::Text,
            tag: Tag::default(),
            foreign: Foreign::default(),
            limits,
            joined: false,
            in_link: false,
            has_base: false,
        }
    }

    /// Text up to the next piece of markup, and the beginning of that.
    fn text(&mut self, bytes: &[u8], is_last: bool) -> Progress {
        let start = self.at;
        let mut from = start;
        loop {
            let Some(at) = find(bytes, from, b'<') else {
                self.at = bytes.len();
                return self.give_text(bytes, start..bytes.len(), Rules::HtmlText, !is_last);
            };
            let opening = opening(bytes, at, is_last, &self.foreign);
            let open = match &opening {
                Opening::Text => {
                    from = at + 1;
                    continue;
                }
                Opening::Tag { name, is_end } => !is_end && is_wbr(&bytes[name.clone()]),
                Opening::Endless { .. } => false,
                Opening::Skip(_) | Opening::Cdata | Opening::Nothing | Opening::Cut => true,
            };
            if at > start {
                self.at = at;
                let given = self.give_text(bytes, start..at, Rules::HtmlText, open);
                if let Progress::Run(_) = given {
                    return given;
                }
            }
            self.at = at;
            match opening {
                Opening::Tag { name, is_end } => self.begin_tag(bytes, name, is_end),
                Opening::Endless { start, is_end } => {
                    self.begin_tag(bytes, start..start + LONGEST_NAME, is_end);
                    self.state = State::Tag(Inside::LongName);
                }
                Opening::Skip(skip) => {
                    self.at = at + skip.opening_len();
                    self.state = State::Skip(skip);
                }
                Opening::Cdata => {
                    self.at = at + b"<![CDATA[".len();
                    self.state = State::Cdata;
                }
                Opening::Nothing => self.at = at + b"</>".len(),
                Opening::Text | Opening::Cut => return Progress::Out,
            }
            return Progress::On;
        }
    }

    /// Gives a piece of text, unless it is of no use.
    fn give_text(
        &mut self,
        bytes: &[u8],
        range: Range<usize>,
        rules: Rules,
        open: bool,
    ) -> Progress {
        let content = match self.foreign.innermost() {
            None => Content::Running,
            Some(Element::STYLE) => Content::Sheet,
            Some(Element::SCRIPT) => return Progress::Out,
            Some(_) => Content::Running,
        };
        self.give(
            bytes,
            range,
            Text { range: 0..0, rules, content, joined: false, open, in_link: false },
        )
    }

    /// Gives a text like this, unless nothing in it can be a link.
    fn give(&mut self, bytes: &[u8], range: Range<usize>, text: Text) -> Progress {
        if range.is_empty() {
            return Progress::Out;
        }
        let is_quiet = !self.joined && !text.open && text.content == Content::Running;
        if is_quiet && raw::is_quiet(&bytes[range.clone()]) {
            return Progress::Out;
        }
        let text = Text { range, joined: self.joined, in_link: self.in_link, ..text };
        self.joined = true;
        Progress::Run(Run::Text(text))
    }

    /// Text inside `<![CDATA[`.
    fn cdata(&mut self, bytes: &[u8], is_last: bool) -> Progress {
        let start = self.at;
        let (end, behind) = match memchr::memmem::find(&bytes[start..], b"]]>") {
            Some(len) => (start + len, start + len + 3),
            None if is_last => (bytes.len(), bytes.len()),
            // Two brackets at the edge may be the end's beginning.
            None => {
                let end = bytes.len().saturating_sub(2).max(start);
                (end, end)
            }
        };
        self.at = behind;
        if end < behind {
            self.state = State::Text;
        } else if !is_last && start == end {
            return Progress::Out;
        }
        match self.give_text(bytes, start..end, Rules::None, true) {
            Progress::Out if end < behind => Progress::On,
            progress => progress,
        }
    }
}

fn is_wbr(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b"wbr")
}

/// What begins at `bytes[at]`, a `<` (§13.2.5.6 and the states behind it).
#[inline(always)]
fn opening(bytes: &[u8], at: usize, is_last: bool, foreign: &Foreign) -> Opening {
    let (first, is_end) = match bytes.get(at + 1) {
        Some(b'/') => (bytes.get(at + 2), true),
        first => (first, false),
    };
    match first {
        Some(b) if b.is_ascii_alphabetic() => {
            let start = at + 1 + usize::from(is_end);
            match name_end(bytes, start) {
                Some(end) => Opening::Tag { name: start..end, is_end },
                None if bytes.len() - start > LONGEST_NAME => Opening::Endless { start, is_end },
                None => Opening::Cut,
            }
        }
        Some(b'>') if is_end => Opening::Nothing,
        Some(_) if is_end => Opening::Skip(Skip::bogus_end_tag()),
        Some(b'!') => skip::declaration(bytes, at, is_last, foreign.is_innermost()),
        Some(b'?') => Opening::Skip(Skip::bogus()),
        Some(_) => Opening::Text,
        None if is_last => Opening::Text,
        None => Opening::Cut,
    }
}

/// Where the name of a tag ends that begins at `start`.
#[inline(always)]
fn name_end(bytes: &[u8], start: usize) -> Option<usize> {
    let mut at = start;
    while let Some(word) = word(bytes, at) {
        at += name::name_len(word);
        match bytes.get(at) {
            Some(&b) if ends_tag_name(b) => return Some(at),
            // No end, or a byte that only looks like one.
            Some(b) if *b <= b' ' || matches!(b, b'<' | b'=' | b'?') => at += 1,
            _ => {}
        }
    }
    let rest = bytes.get(at..)?;
    rest.iter().position(|&b| ends_tag_name(b)).map(|len| at + len)
}

impl Tokenizer for Html {
    fn next(&mut self, bytes: &[u8], is_last: bool) -> Step {
        loop {
            let progress = match self.state {
                State::Text => self.text(bytes, is_last),
                State::Tag(inside) => self.tag(bytes, is_last, inside),
                State::Skip(skip) => self.skip(bytes, skip),
                State::Raw(raw) => self.raw(bytes, is_last, raw),
                State::Cdata => self.cdata(bytes, is_last),
            };
            match progress {
                Progress::On => {}
                Progress::Run(run) => return Step::Run(run),
                Progress::Out if is_last => return Step::Done,
                Progress::Out => return Step::More,
            }
        }
    }

    fn needed(&self) -> usize {
        match self.state {
            State::Tag(inside) => self.tag.needed(inside, self.at),
            State::Skip(skip) => skip.needed(self.at),
            State::Raw(raw) => raw.needed(self.at),
            State::Text | State::Cdata => self.at,
        }
    }

    fn shift(&mut self, by: usize) {
        self.at = self.at.saturating_sub(by);
        self.tag.shift(by);
        match &mut self.state {
            State::Tag(inside) => inside.shift(by),
            State::Skip(skip) => skip.shift(by),
            State::Raw(raw) => raw.shift(by),
            State::Text | State::Cdata => {}
        }
    }
}
