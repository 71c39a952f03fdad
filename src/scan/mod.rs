//! The scan: from stored bytes to candidates.
//!
//! What comes in is a view of the text, whole or a block of it; what goes out are candidates, one
//! after the other, each with its ends. A pass over the bytes finds the triggers (`trigger`), and
//! only around a trigger is anything decoded: back and forth to the ends of a host, a local part, a
//! scheme. It implements UTS #58 link detection and what UTS58.md decides beyond it; it does not map
//! anything, nor ask UTS #46.

mod around;
mod authority;
mod bare;
mod candidate;
mod email;
mod ending;
mod filename;
mod head;
mod host;
mod host_char;
mod lead;
mod plain;
mod plausible;
mod scheme;
mod simd;
mod trigger;
mod view;
mod word;

pub(crate) use candidate::{Candidate, Marks};
pub use candidate::{LinkKind, Reason};
pub(crate) use view::View;

use bare::LookedAhead;
use head::Head;
use trigger::{Kinds, Triggers};
use view::{Char, More};

/// Which schemes are links.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Schemes {
    /// Those that are registered as permanent or provisional, and unregistered ones in wide use.
    #[default]
    Known,
    /// Whatever fits the grammar of a scheme.
    Any,
    /// These, in any case.
    List(Vec<String>),
}

/// Where links end in running text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Boundaries {
    /// By UTS #58, with rules for prose in scripts that are written without spaces.
    #[default]
    Prose,
    /// By UTS #58 alone.
    Uts58,
}

/// Whether character references are resolved before a candidate is judged.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum References {
    /// Numeric ones in any text.
    #[default]
    Auto,
    /// None.
    Never,
}

/// What the scan looks for.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) schemes: Schemes,
    pub(crate) schemeless: bool,
    pub(crate) emails: bool,
    pub(crate) boundaries: Boundaries,
    pub(crate) references: References,
    pub(crate) max_link: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            schemes: Schemes::Known,
            schemeless: true,
            emails: true,
            boundaries: Boundaries::Prose,
            references: References::Auto,
            max_link: crate::DEFAULT_MAX_LINK,
        }
    }
}

/// What a call of [`Scanner::next`] comes to.
#[derive(Debug)]
pub(crate) enum Step {
    Found(Candidate),
    /// All that can be decided is; the view must grow.
    More,
    /// The input is at its end.
    Done,
}

/// Goes through a text, block by block if need be; offsets are those of the view.
#[derive(Clone, Debug)]
pub(crate) struct Scanner {
    triggers: Triggers,
    /// Nothing walks back past it: the end of the last candidate.
    floor: usize,
    pending: Option<Box<Head>>,
    looked: LookedAhead,
}

impl Scanner {
    pub(crate) fn new() -> Scanner {
        Scanner {
            triggers: Triggers::new(),
            floor: 0,
            pending: None,
            looked: LookedAhead::default(),
        }
    }

    /// The next candidate of the view.
    pub(crate) fn next(&mut self, settings: &Settings, view: View<'_>) -> Step {
        if let Some(mut head) = self.pending.take() {
            match self.finish(settings, &view, &mut head) {
                Ok(true) => return Step::Found(head.candidate),
                Ok(false) => {}
                Err(More) => {
                    self.pending = Some(head);
                    return Step::More;
                }
            }
        }
        let kinds = Kinds { dots: settings.schemeless };
        while let Some(event) = self.triggers.next(view.text, kinds) {
            // Looked at where it lies: it is too large to be moved for each candidate.
            let mut found = self.head(settings, &view, event);
            match &mut found {
                Ok(None) => {}
                Ok(Some(head)) => match self.finish(settings, &view, head) {
                    Ok(true) => return Step::Found(head.candidate.clone()),
                    Ok(false) => {}
                    Err(More) => {
                        self.pending = Some(Box::new(head.clone()));
                        return Step::More;
                    }
                },
                Err(More) => {
                    self.triggers.again(event);
                    return Step::More;
                }
            }
        }
        if view.is_last { Step::Done } else { Step::More }
    }

    /// The candidate around the trigger that `event`, its last byte, belongs to.
    fn head(
        &mut self,
        settings: &Settings,
        view: &View<'_>,
        event: usize,
    ) -> Result<Option<Head>, More> {
        let text = view.text;
        let one = |at: usize| (at, Char { code: text[at].into(), len: 1 });
        let two_before = text[event.saturating_sub(2)];
        let (at, c) = match text[event] {
            b'@' => one(event),
            b if text[event - 1] == b':' => {
                // `12:30` and `key:value` are all that most colons are.
                if !two_before.is_ascii_alphabetic()
                    && !matches!((two_before, b), (b';', _) | (_, b'/' | b'&'))
                {
                    return Ok(None);
                }
                one(event - 1)
            }
            b'#' if text[event - 1] == b'&' => match view.reference(event - 1)? {
                Some(c) => (event - 1, c),
                None => return Ok(None),
            },
            _ if two_before != b'.' => {
                let dot = match text[event - 3..event] {
                    [0xE3, ..] => 0x3002,
                    [_, 0xBC, 0x8E] => 0xFF0E,
                    [_, 0xBD, 0xA1] => 0xFF61,
                    _ => return Ok(None),
                };
                if !bare::may_begin(text, event) {
                    return Ok(None);
                }
                (event - 3, Char { code: dot, len: 3 })
            }
            _ => {
                if !bare::may_begin(text, event - 1) {
                    return Ok(None);
                }
                one(event - 2)
            }
        };
        if at < self.floor {
            return Ok(None);
        }
        let Char { code, len } = c;
        match char::from_u32(code) {
            Some('.' | '\u{FF0E}' | '\u{3002}' | '\u{FF61}') if !settings.schemeless => Ok(None),
            Some('.' | '\u{FF0E}' | '\u{3002}' | '\u{FF61}') => {
                bare::read(view, at, c, self.floor, settings, &mut self.looked)
            }
            Some('@') => email::read(view, at, len, self.floor, settings),
            Some(':') => match authority::behind_colon_slash_slash(view, at)? {
                Some(end) => scheme::read(view, at, end, self.floor, settings),
                None => scheme::read_word(view, at, len, self.floor, settings),
            },
            // A letter of a top-level domain, written as a reference.
            _ if settings.schemeless && host_char::is_bare_host_char(c) => {
                let mut dot = view.prev(at, self.floor);
                let mut start = at - dot.len;
                if host_char::is_bare_host_char(dot) {
                    dot = view.prev(start, self.floor);
                    start -= dot.len;
                }
                match dot.code {
                    0x2E | 0xFF0E | 0x3002 | 0xFF61 => {
                        bare::read(view, start, dot, self.floor, settings, &mut self.looked)
                    }
                    _ => Ok(None),
                }
            }
            _ => Ok(None),
        }
    }

    /// Looks for the end of what begins with `head`; false when it is no candidate.
    fn finish(
        &mut self,
        settings: &Settings,
        view: &View<'_>,
        head: &mut Head,
    ) -> Result<bool, More> {
        let is_candidate = head.finish(view, settings.max_link)?;
        if is_candidate {
            self.floor = head.candidate.range.end;
            self.triggers.skip_to(self.floor);
        }
        Ok(is_candidate)
    }

    /// From which offset on the text is still needed, a walk back apart; and where the candidate
    /// begins that has grown longer than `max_link`, whose text is not.
    pub(crate) fn needed(&self, max_link: usize) -> (usize, Option<usize>) {
        match &self.pending {
            None => (self.triggers.at(), None),
            Some(head) => {
                let start = head.candidate.range.start;
                let safe = head.safe();
                match safe - start + head.candidate.lead > max_link {
                    true => (safe, Some(start)),
                    false => (start, None),
                }
            }
        }
    }

    /// The view has lost `by` bytes at its front.
    pub(crate) fn shift(&mut self, by: usize) {
        self.triggers.shift(by);
        self.floor = self.floor.saturating_sub(by);
        self.looked.shift(by);
        if let Some(head) = &mut self.pending {
            head.shift(by);
        }
    }
}
