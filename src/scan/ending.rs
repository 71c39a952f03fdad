//! Where a link ends: UTS #58 §4 on characters, and the decisions for prose.
//!
//! What comes in is the text from after the authority on; what goes out is the offset that the link
//! ends at. The state is small and can be kept while the text goes on in another block: the component that
//! is open, the offset after the last character that surely belongs (`safe`), and the open brackets.

mod act;
mod glued;
mod label;
mod prose;
mod quote;
mod skip;
mod trim;
mod wikitext;

use super::candidate::CandidateFlags;
use super::host_char;
use super::markup_context::{is_closing, is_escaped_slash, is_markup, quotation};
use super::plain::Tail;
use super::script::is_unspaced;
use super::view::{Char, EDGE, Incomplete, MALFORMED, View};
use crate::iri::chars::is_uri_byte;
use crate::tables::{self, Term, beside};

/// Brackets that can be open at once; one more stops the link (UTS #58).
const MAX_OPEN: usize = 125;

/// Three dots, which end a link or stand in one.
pub(crate) const ELLIPSIS: u32 = 0x2026;

/// The component of the link that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Component {
    /// In a host that is too long to be one.
    Host,
    /// Directly after the authority.
    None,
    Path,
    Query,
    Fragment,
}

/// Characters directly before a link that decide where it ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PrecedingContext {
    /// The quotation mark in front; its counterpart ends the link.
    pub(crate) quote: Option<char>,
    /// `<` or `<URL:` in front: the link ends exactly at the `>`.
    pub(crate) angle: bool,
    /// An emphasis mark and how many times it is in front: so many come off the end.
    pub(crate) emphasis: Option<(u8, u16)>,
    /// An opening in front of a link with a label, which a bar separates, is before the link: `<`, `[`, `{@link `.
    pub(crate) label: bool,
}

/// Bounds of the search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The rules for prose in unspaced scripts hold.
    pub(crate) prose: bool,
    /// The longest link, in bytes.
    pub(crate) max_link: usize,
}

/// Where a search for a link's end begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Opening {
    pub(crate) component: Component,
    /// Where the link so far ends.
    pub(crate) at: usize,
    pub(crate) lead: PrecedingContext,
}

/// The state of the search for a link's end.
#[derive(Clone, Debug)]
pub(crate) struct Ending {
    component: Component,
    lead: PrecedingContext,
    prose: bool,
    /// Where the link begins, and how long it may be: what is beyond is not read for its own sake.
    start: usize,
    max_link: usize,
    /// Where the search began.
    origin: usize,
    /// Where to read on.
    at: usize,
    /// After the last character that surely belongs to the link.
    safe: usize,
    /// Where the last component was opened: a component that is still empty at the end is none.
    opened: [usize; 2],
    open: Vec<u32>,
    /// The kinds of quotation marks that were seen once, or three times: the next one closes what that
    /// opened.
    quotes: u8,
    /// A character was seen that may need percent-encoding.
    attention: bool,
    /// A numeric reference was read.
    reference: bool,
    /// A malformed sequence ended the link.
    malformed: bool,
    /// The link ends at the `>` of the angle form, to which nothing is done.
    is_exact: bool,
    /// The rules have ended the link; only the `>` of the angle form is still looked for.
    stopped: bool,
    /// Where a square bracket was opened that is not closed, and how many are open with it.
    square: (usize, u16),
    /// Where the last square brackets that were closed begin and end.
    label: [usize; 2],
    /// The link has ended in front of what was read.
    is_cut: bool,
    /// The component that the search began in: the path where the link has no authority, the query of a `mailto:`.
    first: Component,
    /// A character that is not of ASCII was read over, or what is glued to the link is none of its concern.
    is_foreign: bool,
}

impl Ending {
    /// The search for the end of the link that begins at `start`.
    pub(crate) fn new(start: usize, opening: Opening, limits: Limits) -> Ending {
        let Opening { component, at, lead } = opening;
        Ending {
            component,
            lead,
            prose: limits.prose,
            start,
            max_link: limits.max_link,
            origin: at,
            at,
            safe: at,
            opened: [usize::MAX; 2],
            open: Vec::new(),
            quotes: 0,
            attention: false,
            reference: false,
            malformed: false,
            is_exact: false,
            stopped: false,
            square: (0, 0),
            label: [usize::MAX; 2],
            is_cut: false,
            first: component,
            // Forms without an authority have none of these rules: `xmpp:a.am에`.
            is_foreign: component == Component::Path,
        }
    }

    /// After the last character that surely belongs to the link.
    pub(crate) fn safe(&self) -> usize {
        self.safe
    }

    /// Flags of the characters that were read.
    pub(crate) fn marks(&self) -> CandidateFlags {
        let mut marks = CandidateFlags::default();
        if self.attention {
            marks |= CandidateFlags::ATTENTION;
        }
        if self.reference {
            marks |= CandidateFlags::REFERENCE;
        }
        marks
    }

    pub(crate) fn is_malformed(&self) -> bool {
        self.malformed
    }

    /// Takes offsets of a view that begins `by` bytes later, not after `safe`.
    pub(super) fn rebase(&mut self, by: usize) {
        self.at -= by;
        self.safe -= by;
        self.origin = self.origin.saturating_sub(by);
        self.square.0 = self.square.0.saturating_sub(by);
        // The start may have left the text; how long the link is is then known to be too long.
        self.start = self.start.saturating_sub(by);
        for opened in self.opened.iter_mut().chain(&mut self.label) {
            if *opened != usize::MAX {
                *opened = opened.saturating_sub(by);
            }
        }
    }

    /// Reads on until the end is decided; gives the offset that the link ends at.
    ///
    /// A run of Soft longer than the limit for links ends the link in front of it: the text after
    /// could only belong to a link that is too long, and need not be waited for.
    #[inline]
    pub(crate) fn run(&mut self, view: &View<'_>) -> Result<usize, Incomplete> {
        // As nearly all begin.
        if self.component == Component::None && view.text.get(self.at) == Some(&b'/') {
            self.component = Component::Path;
            self.at += 1;
            self.safe = self.at;
        }
        while !self.stopped || self.lead.angle {
            if self.component > Component::None && !self.stopped && self.max_link >= Tail::WINDOW {
                self.skip(view);
                if self.stopped {
                    continue;
                }
            }
            if self.lead.angle && self.at - self.start > self.max_link {
                self.lead.angle = false;
                continue;
            }
            let c = view.next(self.at)?;
            if self.step(view, c)? {
                break;
            }
            self.at += c.len;
        }
        self.stopped = true;
        self.lead.angle = false;
        Ok(self.safe)
    }

    /// Takes one character; true when it ends the search.
    fn step(&mut self, view: &View<'_>, c: Char) -> Result<bool, Incomplete> {
        if self.lead.angle {
            if c.code == u32::from('>') {
                // A bare authority, or a component that was opened: what is between belongs to it.
                if self.component != Component::None || self.at == self.origin {
                    self.safe = self.at;
                }
                self.is_exact = true;
                return Ok(true);
            }
            let is_label = c.code == u32::from('|') && self.prose;
            if c.code == u32::from('<') || is_hard(c.code) || is_label {
                self.lead.angle = false;
            }
            if self.stopped {
                self.attention |= c.code == u32::from('#');
                self.note(view, c);
                return Ok(!self.lead.angle);
            }
        }
        let second_hash = self.component == Component::Fragment && c.code == u32::from('#');
        if self.stops(view, c)? {
            self.malformed = c.code == MALFORMED;
            self.cut_label(c.code);
            // Without a component there is nothing that `>` could still complete.
            self.lead.angle &= self.component != Component::None;
            self.stopped = true;
            if self.lead.angle {
                self.note(view, c);
            }
            return Ok(!self.lead.angle);
        }
        if self.at + c.len - self.safe > self.max_link {
            self.stopped = true;
            return Ok(true);
        }
        self.attention |= second_hash;
        self.note(view, c);
        Ok(false)
    }

    /// Notes what a character that is read over asks for later.
    fn note(&mut self, view: &View<'_>, c: Char) {
        self.attention |= !is_plain(c.code);
        self.is_foreign |= c.code >= 0x80;
        self.reference |= c.len > 1 && view.text[self.at] == b'&';
    }

    /// The rules of UTS #58 for one character; true when the link stops in front of it.
    fn stops(&mut self, view: &View<'_>, c: Char) -> Result<bool, Incomplete> {
        let after = self.at + c.len;
        if self.component == Component::Host {
            if host_char::is_host_like(c) {
                self.safe = after;
                return Ok(false);
            }
            self.component = Component::None;
        }
        if self.component == Component::None {
            self.component = match char::from_u32(c.code) {
                Some('/') => Component::Path,
                Some('?') => Component::Query,
                Some('#') => Component::Fragment,
                Some('\\') if self.prose && is_escaped_slash(view, self.at)? => Component::Path,
                _ => return Ok(true),
            };
            self.open_part(c.code, after);
            return Ok(false);
        }
        if c.code == EDGE || c.code == MALFORMED || self.is_closing_quote(view, c)? {
            return Ok(true);
        }
        let is_label = c.code == u32::from('|')
            && self.prose
            && (self.lead.label || wikitext::is_in_parameter(view, self.start)?);
        if is_label || view.text_kind.is_markup(c.code) {
            self.lead.angle = false;
            return Ok(true);
        }
        let mark = quotation(c.code);
        if mark & !self.quotes != 0 && is_closing(view, mark, after)? {
            return Ok(true);
        }
        self.quotes ^= mark;
        if matches!(char::from_u32(c.code), Some('<' | '[' | '\\' | '&'))
            && is_markup(view, c, after)?
        {
            return Ok(true);
        }
        if self.prose && prose::has_say(c.code, self.is_foreign) {
            if self.ends_in_prose(view, c, after)? {
                return Ok(true);
            }
            if beside::is_rule(c.code) {
                // It is left out at the end as Soft is.
                return Ok(false);
            }
        }
        if c.code == ELLIPSIS && self.prose {
            // It is left out at the end as Soft is.
            let next = char::from_u32(view.next(after)?.code);
            return Ok(next.is_some_and(is_unspaced));
        }
        match (self.component, char::from_u32(c.code)) {
            (Component::Path, Some('?')) => self.component = Component::Query,
            (Component::Path | Component::Query, Some('#')) => self.component = Component::Fragment,
            (Component::Path, Some('/')) | (Component::Query, Some('=' | '&')) => {
                self.open.clear();
                return Ok(self.classify(c, after));
            }
            (Component::Fragment, Some(':')) => {
                if self.is_directive(view, after)? {
                    self.open.clear();
                }
                return Ok(self.classify(c, after));
            }
            _ => return Ok(self.classify(c, after)),
        }
        self.open_part(c.code, after);
        Ok(false)
    }

    fn open_part(&mut self, code: u32, after: usize) {
        self.safe = after;
        self.open.clear();
        match char::from_u32(code) {
            Some('?') => self.opened[0] = self.at,
            Some('#') => self.opened[1] = self.at,
            _ => {}
        }
    }

    /// By the Link_Term of the character.
    fn classify(&mut self, c: Char, after: usize) -> bool {
        match tables::class(c.code).term() {
            Term::Include => self.safe = after,
            Term::Soft => {}
            Term::ProseStop => return self.prose,
            Term::Hard | Term::Ender => return true,
            Term::Open => {
                if self.open.len() == MAX_OPEN {
                    return true;
                }
                self.open.push(c.code);
                if c.code == u32::from('[') {
                    if self.square.1 == 0 {
                        self.square.0 = self.at;
                    }
                    self.square.1 = self.square.1.saturating_add(1);
                }
                self.safe = after;
            }
            Term::Close => {
                if self.open.last().copied() != tables::opening_bracket(c.code) {
                    return true;
                }
                self.open.pop();
                if c.code == u32::from(']') {
                    self.square.1 = self.square.1.saturating_sub(1);
                    if self.square.1 == 0 {
                        self.label = [self.square.0, after];
                    }
                }
                self.safe = after;
            }
        }
        false
    }

    /// `:~:`, the rest of which begins at `at`.
    fn is_directive(&self, view: &View<'_>, at: usize) -> Result<bool, Incomplete> {
        let tilde = view.next(at)?;
        Ok(tilde.code == u32::from('~') && view.next(at + tilde.len)?.code == u32::from(':'))
    }
}

/// Whether nothing can go on over it, not even inside `<…>`.
fn is_hard(code: u32) -> bool {
    code >= MALFORMED || matches!(tables::class(code).term(), Term::Hard | Term::Ender)
}

/// Whether a URI takes the character as it is, without a closer look.
fn is_plain(code: u32) -> bool {
    match u8::try_from(code) {
        Ok(b'%' | b'[' | b']' | 0x80..) | Err(_) => false,
        Ok(byte) => is_uri_byte(byte),
    }
}
