//! Markdown: CommonMark with the extensions of GitHub, as pulldown-cmark parses it.
//!
//! A whole document in UTF-8 goes in; out come destinations of links and images, autolinks, the
//! definitions of references, each where it is written, what HTML in it holds, and as running text
//! whatever is neither markup nor an image's description: code too, for people expect its links found.
//!
//! The parser needs all of a document, and many times its size in memory: what is longer than
//! `LONGEST` is given as running text.

mod destination;
#[cfg(feature = "markdown")]
mod parsed;

pub(crate) use destination::resolved;

use std::collections::VecDeque;

use super::{Content, Limits, Rules, Run, Step, Text, Tokenizer};

/// The longest document that is parsed.
const LONGEST: usize = 16 << 20;

/// Reads Markdown.
#[derive(Clone, Debug)]
pub(crate) struct Markdown {
    limits: Limits,
    state: State,
    /// Where what has been given ends.
    at: usize,
    due: VecDeque<Run>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The document is not there yet, whole.
    Waiting,
    Parsed,
    /// It is too long: it is text.
    GivenUp,
}

impl Markdown {
    pub(crate) fn new(limits: Limits) -> Markdown {
        let due = VecDeque::new();
        Markdown { limits, state: State::Waiting, at: 0, due }
    }

    /// All that follows as running text.
    fn text(&mut self, bytes: &[u8], is_last: bool) -> Step {
        let joined = self.at > 0;
        let range = self.at..bytes.len();
        if range.is_empty() {
            return if is_last { Step::Done } else { Step::More };
        }
        self.at = bytes.len();
        Step::Run(Run::Text(Text {
            range,
            rules: Rules::Plain,
            content: Content::Running,
            joined,
            open: !is_last,
            in_link: false,
        }))
    }
}

impl Tokenizer for Markdown {
    fn next(&mut self, bytes: &[u8], is_last: bool) -> Step {
        if self.state == State::Waiting {
            if bytes.len() > LONGEST {
                self.state = State::GivenUp;
            } else if !is_last {
                return Step::More;
            } else {
                self.state = State::Parsed;
                self.due = runs(bytes, &self.limits).into();
                self.at = bytes.len();
            }
        }
        match self.state {
            State::GivenUp => self.text(bytes, is_last),
            _ => self.due.pop_front().map_or(Step::Done, Step::Run),
        }
    }

    fn needed(&self) -> usize {
        match self.state {
            State::Waiting => 0,
            // One byte stays, by which it is known that this is not the beginning.
            State::GivenUp => self.at.saturating_sub(1),
            State::Parsed => self.at,
        }
    }

    fn shift(&mut self, by: usize) {
        self.at -= by;
    }
}

#[cfg(feature = "markdown")]
fn runs(bytes: &[u8], limits: &Limits) -> Vec<Run> {
    parsed::runs(bytes, limits)
}

/// Without the parser it is text.
#[cfg(not(feature = "markdown"))]
fn runs(bytes: &[u8], _: &Limits) -> Vec<Run> {
    let text = Text {
        range: 0..bytes.len(),
        rules: Rules::Plain,
        content: Content::Running,
        joined: false,
        open: false,
        in_link: false,
    };
    if bytes.is_empty() { Vec::new() } else { vec![Run::Text(text)] }
}
