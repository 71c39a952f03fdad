//! What formats of plain data have in common: a document is a row of parts, each a text of its own.

use super::{Content, Rules, Step, Text, Token};

/// The shortest text that can hold a link: `a.de`.
const SHORTEST: usize = 4;

/// Where the part begins that is being read, or what is left of it.
#[derive(Clone, Debug, Default)]
pub(super) struct Parts {
    pub(super) at: usize,
    /// A piece of it was given, for the bytes ended before it did.
    pub(super) is_open: bool,
}

impl Parts {
    /// The next part that is worth a look. `part` reads one: what of it is to be given, and whether another
    /// may begin after it in what is there.
    pub(super) fn next(is_last: bool, mut part: impl FnMut() -> (Option<Token>, bool)) -> Step {
        loop {
            match part() {
                (Some(run), _) => return Step::Token(run),
                (None, true) => {}
                (None, false) if is_last => return Step::Done,
                (None, false) => return Step::Incomplete,
            }
        }
    }

    /// The part up to `end`, where it ends or the bytes do, if it is worth a look.
    pub(super) fn take(&mut self, end: usize, is_end: bool, rules: Rules) -> Option<Token> {
        let range = self.at..end;
        let joined = self.is_open;
        let is_idle = match is_end {
            true => !joined && range.len() < SHORTEST,
            false => range.is_empty(),
        };
        self.at = end;
        if is_idle {
            return None;
        }
        self.is_open = !is_end;
        let content = Content::Running;
        Some(Token::Text(Text { range, rules, content, joined, open: !is_end, in_link: false }))
    }
}
