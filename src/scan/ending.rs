//! Finds where a link ends, by UTS #58 §4 for each character and by the rules for prose.
//!
//! The input is the text after the authority, the result is the offset at which the link ends. The state is small and can
//! be kept until the next block of the text is available: the component that is open, the offset after the last character
//! that surely belongs to the link (`safe`), and the open brackets.

mod before;
mod command;
mod comment;
mod glued;
mod markup;
mod position;
mod prose;
mod separated;
mod skip;
mod template;
mod trim;

use super::candidate::CandidateFlags;
use super::host_char;
use super::markup_context::{DOUBLE, is_escaped_slash, is_markup, quotation, string_escape};
use super::plain::Tail;
use super::reference;
use super::settings::TextKind;
use super::view::{Char, EDGE, Incomplete, MALFORMED, View};
use crate::iri::chars::is_uri_byte;
use crate::tables::punctuation::{self, ELLIPSIS};
use crate::tables::sentence::is_unspaced;
use crate::tables::{self, Term};
use before::SEEN_DOUBLE;
pub(super) use glued::{is_glued, may_be_glued};
pub(super) use skip::is_quiet;
pub(super) use trim::may_end_in_closer;

/// Maximum number of brackets that are open at once; one more ends the link (UTS #58).
const MAX_OPEN: usize = 125;

/// The component of the link that is open.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Component {
    /// A host that is too long to be valid.
    Host,
    /// None: directly after the authority.
    None,
    Path,
    Query,
    Fragment,
}

/// Characters directly before a link that decide where it ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct PrecedingContext {
    /// The quotation mark before the link; its counterpart ends the link.
    pub(crate) quote: Option<char>,
    /// `<` or `<URL:` precedes the link, so it ends exactly at the `>`.
    pub(crate) angle: bool,
    /// `<` without a backslash precedes the link.
    pub(crate) after_bracket: bool,
    /// An emphasis character and the number of times that it precedes the link: that many are removed from the end.
    pub(crate) emphasis: Option<(u8, u16)>,
    /// The character before the link, `<`, `[` or `{@link `, may open a link with a label, which a bar separates from the
    /// link.
    pub(crate) label: bool,
}

/// Settings that bound the search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// Whether the rules for prose in scripts without spaces apply.
    pub(crate) prose: bool,
    /// Maximum length of a link in bytes.
    pub(crate) max_link: usize,
}

/// The state in which the search for a link's end begins.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Opening {
    pub(crate) component: Component,
    /// End of the part of the link that was read before.
    pub(crate) at: usize,
    pub(crate) lead: PrecedingContext,
}

/// Brackets and quotation marks of the link that are not closed.
#[derive(Clone, Debug)]
struct OpenPairs {
    brackets: Vec<u32>,
    /// The kinds of quotation marks that occurred once, or three times: the next mark of the kind closes the quotation that
    /// the last one opened. Also [`SEEN_DOUBLE`].
    quotes: u8,
    /// Offset of the first square bracket that is not closed, and how many are open since then.
    square: (usize, u16),
    /// Where the last closed pair of square brackets begins and ends.
    label: [usize; 2],
    /// Offset of the first brace that is not closed.
    brace: usize,
}

/// Kinds of characters that were read.
#[derive(Clone, Debug)]
struct SeenCharacters {
    /// A character may need percent-encoding.
    attention: bool,
    /// A numeric reference.
    reference: bool,
    /// A malformed sequence, which ended the link.
    malformed: bool,
}

/// The state of the search for a link's end.
#[derive(Clone, Debug)]
pub(crate) struct Ending {
    component: Component,
    lead: PrecedingContext,
    /// Bytes beyond the maximum length are read only if something else needs them.
    limits: Limits,
    /// Offset at which the link begins.
    start: usize,
    /// Offset at which the search began.
    origin: usize,
    /// Offset of the next character to read.
    at: usize,
    /// Offset after the last character that surely belongs to the link.
    safe: usize,
    /// Where the last query and the last fragment were opened: a component that is empty at the end of the link does not
    /// belong to it.
    opened: [usize; 2],
    pairs: OpenPairs,
    seen: SeenCharacters,
    /// The link ends at the `>` of the angle form, so nothing is removed from its end.
    is_exact: bool,
    /// The rules have ended the link; the search continues only for the `>` of the angle form.
    stopped: bool,
    /// Whether the link ends before characters that were read.
    is_cut: bool,
    /// The component in which the search began: the path if the link has no authority, the query for `mailto:`.
    first: Component,
    /// A non-ASCII character was read, or prose without a space before it cannot end this link.
    is_foreign: bool,
}

impl Ending {
    /// Creates the search for the end of the link that begins at `start`.
    pub(crate) fn new(start: usize, opening: Opening, limits: Limits) -> Ending {
        let Opening { component, at, lead } = opening;
        Ending {
            component,
            lead,
            limits,
            start,
            origin: at,
            at,
            safe: at,
            opened: [usize::MAX; 2],
            pairs: OpenPairs {
                brackets: Vec::new(),
                quotes: 0,
                square: (0, 0),
                label: [usize::MAX; 2],
                brace: usize::MAX,
            },
            seen: SeenCharacters { attention: false, reference: false, malformed: false },
            is_exact: false,
            stopped: false,
            is_cut: false,
            first: component,
            // These rules do not apply to links without an authority: `xmpp:a.am에`.
            is_foreign: component == Component::Path,
        }
    }

    /// Returns the offset after the last character that surely belongs to the link.
    pub(crate) fn safe(&self) -> usize {
        self.safe
    }

    /// Returns the flags of the characters that were read.
    pub(crate) fn marks(&self) -> CandidateFlags {
        let mut marks = CandidateFlags::default();
        if self.seen.attention {
            marks |= CandidateFlags::ATTENTION;
        }
        if self.seen.reference {
            marks |= CandidateFlags::REFERENCE;
        }
        marks
    }

    pub(crate) fn is_malformed(&self) -> bool {
        self.seen.malformed
    }

    /// Adjusts the offsets to a view that begins `by` bytes later, but not after `safe`.
    pub(super) fn rebase(&mut self, by: usize) {
        self.at -= by;
        self.safe -= by;
        self.origin = self.origin.saturating_sub(by);
        self.pairs.square.0 = self.pairs.square.0.saturating_sub(by);
        // The start may have left the text; the link is then already known to be too long.
        self.start = self.start.saturating_sub(by);
        self.pairs.brace = self.pairs.brace.checked_sub(by).unwrap_or(usize::MAX);
        for opened in self.opened.iter_mut().chain(&mut self.pairs.label) {
            if *opened != usize::MAX {
                *opened = opened.saturating_sub(by);
            }
        }
    }

    /// Reads on until the end is decided, and returns the offset at which the link ends.
    ///
    /// A run of Soft characters that is longer than the limit for links ends the link before the run: the text after it
    /// could belong only to a link that is too long, so there is no need to wait for that text.
    #[inline]
    pub(crate) fn run(&mut self, view: &View<'_>) -> Result<usize, Incomplete> {
        // Nearly all links begin this way.
        if self.component == Component::None && view.text.get(self.at) == Some(&b'/') {
            self.component = Component::Path;
            self.at += 1;
            self.safe = self.at;
        }
        while !self.stopped || self.lead.angle {
            if self.component > Component::None
                && !self.stopped
                && self.limits.max_link >= Tail::WINDOW
            {
                self.skip(view);
                if self.stopped {
                    continue;
                }
            }
            if self.lead.angle && self.at - self.start > self.limits.max_link {
                self.lead.angle = false;
                continue;
            }
            let c = match view.next(self.at)? {
                c if c.code == u32::from('\\') => self.unescaped(view, c)?,
                c => c,
            };
            if self.step(view, c)? {
                break;
            }
            self.at += c.len;
        }
        self.stopped = true;
        self.lead.angle = false;
        self.cut_open_brace(view);
        Ok(self.safe)
    }

    /// Returns the character that an escape of a string represents at a backslash, or the backslash. A character that no link
    /// has ends it.
    #[inline(never)]
    fn unescaped(&self, view: &View<'_>, backslash: Char) -> Result<Char, Incomplete> {
        if !self.limits.prose || view.text_kind == TextKind::Rtf {
            return Ok(backslash);
        }
        Ok(match string_escape(view, self.at)? {
            Some(Char { code, len }) if char::from_u32(code).is_some_and(reference::is_of_url) => {
                Char { code, len }
            }
            Some(Char { len, .. }) => Char { code: EDGE, len },
            None => backslash,
        })
    }

    /// Reads one character; returns `true` if it ends the search.
    fn step(&mut self, view: &View<'_>, c: Char) -> Result<bool, Incomplete> {
        if self.lead.angle {
            if c.code == u32::from('>') {
                // A bare authority, or a component that was opened: the characters up to here belong to the link.
                if self.component != Component::None || self.at == self.origin {
                    self.safe = self.at;
                }
                self.is_exact = true;
                return Ok(true);
            }
            let is_label = c.code == u32::from('|') && self.limits.prose;
            if c.code == u32::from('<') || is_hard(c.code) || is_label {
                self.lead.angle = false;
            }
            if self.stopped {
                self.seen.attention |= c.code == u32::from('#');
                self.note(view, c);
                return Ok(!self.lead.angle);
            }
        }
        let second_hash = self.component == Component::Fragment && c.code == u32::from('#');
        if self.stops(view, c)? {
            self.seen.malformed = c.code == MALFORMED;
            self.cut_label(c.code);
            // Without a component the `>` cannot complete a link.
            self.lead.angle &= self.component != Component::None;
            self.stopped = true;
            if self.lead.angle {
                self.note(view, c);
            }
            return Ok(!self.lead.angle);
        }
        if self.at + c.len - self.safe > self.limits.max_link {
            self.stopped = true;
            return Ok(true);
        }
        self.seen.attention |= second_hash;
        self.note(view, c);
        Ok(false)
    }

    /// Records the properties of a character that later steps need.
    fn note(&mut self, view: &View<'_>, c: Char) {
        let is_escaped = c.len > 1 && view.text[self.at] == b'\\';
        self.seen.attention |= !is_plain(c.code) || is_escaped;
        self.is_foreign |= c.code >= 0x80;
        self.seen.reference |= c.len > 1 && view.text[self.at] == b'&';
    }

    /// Applies the rules of UTS #58 to one character; returns `true` if the link ends before it.
    fn stops(&mut self, view: &View<'_>, c: Char) -> Result<bool, Incomplete> {
        let after = self.at + c.len;
        if self.component == Component::Host {
            if host_char::is_host_like(c) {
                self.safe = after;
                return Ok(false);
            }
            self.component = Component::None;
        }
        if c.code == u32::from('#') && self.is_next_pattern(view, after)? {
            return Ok(true);
        }
        if self.component == Component::None {
            self.component = match char::from_u32(c.code) {
                Some('/') => Component::Path,
                Some('?') => Component::Query,
                Some('#') => Component::Fragment,
                Some('\\') if self.limits.prose && is_escaped_slash(view, self.at)? => {
                    Component::Path
                }
                _ => return Ok(true),
            };
            self.open_part(c.code, after);
            return Ok(false);
        }
        if c.code == EDGE || c.code == MALFORMED || self.is_closing_quote(view, c)? {
            return Ok(true);
        }
        let is_label = c.code == u32::from('|')
            && self.limits.prose
            && (self.lead.label
                || markup::is_in_parameter(view, self.start)?
                || command::is_piped(view, self.start, after)?);
        if is_label || view.text_kind.is_markup(c.code) {
            self.lead.angle = false;
            return Ok(true);
        }
        let mark = quotation(c.code);
        if mark & !self.pairs.quotes != 0 && self.is_end_of_string(view, mark, after)? {
            return Ok(true);
        }
        self.pairs.quotes ^= mark;
        self.pairs.quotes |= if mark == DOUBLE { SEEN_DOUBLE } else { 0 };
        if matches!(char::from_u32(c.code), Some('<' | '[' | '\\' | '&'))
            && is_markup(view, c, after)?
        {
            return Ok(true);
        }
        if self.limits.prose && prose::may_end(c.code, self.is_foreign) {
            if self.ends_in_prose(view, c, after)? {
                return Ok(true);
            }
            if punctuation::is_rule(c.code) {
                // Like a Soft character, it is not part of the link at its end.
                return Ok(false);
            }
        }
        if c.code == ELLIPSIS && self.limits.prose {
            // Like a Soft character, it is not part of the link at its end.
            let next = char::from_u32(view.next(after)?.code);
            return Ok(next.is_some_and(is_unspaced));
        }
        match (self.component, char::from_u32(c.code)) {
            (Component::Path, Some('?')) => self.component = Component::Query,
            (Component::Path | Component::Query, Some('#')) => self.component = Component::Fragment,
            (Component::Path, Some('/')) | (Component::Query, Some('=' | '&')) => {
                self.pairs.brackets.clear();
                return Ok(self.classify(c, after));
            }
            (Component::Fragment, Some(':')) => {
                if self.is_directive(view, after)? {
                    self.pairs.brackets.clear();
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
        self.pairs.brackets.clear();
        match char::from_u32(code) {
            Some('?') => self.opened[0] = self.at,
            Some('#') => self.opened[1] = self.at,
            _ => {}
        }
    }

    /// Applies the Link_Term property of the character.
    fn classify(&mut self, c: Char, after: usize) -> bool {
        match tables::class(c.code).term() {
            Term::Include => self.safe = after,
            Term::Soft => {}
            Term::ProseStop => return self.limits.prose,
            Term::Hard | Term::Ender => return true,
            Term::Open => {
                if self.pairs.brackets.len() == MAX_OPEN {
                    return true;
                }
                if c.code == u32::from('{') && !self.pairs.brackets.contains(&c.code) {
                    self.pairs.brace = self.at;
                }
                self.pairs.brackets.push(c.code);
                if c.code == u32::from('[') {
                    if self.pairs.square.1 == 0 {
                        self.pairs.square.0 = self.at;
                    }
                    self.pairs.square.1 = self.pairs.square.1.saturating_add(1);
                }
                self.safe = after;
            }
            Term::Close => {
                if self.pairs.brackets.last().copied() != tables::opening_bracket(c.code) {
                    return true;
                }
                self.pairs.brackets.pop();
                if c.code == u32::from(']') {
                    self.pairs.square.1 = self.pairs.square.1.saturating_sub(1);
                    if self.pairs.square.1 == 0 {
                        self.pairs.label = [self.pairs.square.0, after];
                    }
                }
                self.safe = after;
            }
        }
        false
    }

    /// Returns `true` if `:~:` is here; `at` is the offset of its second character.
    fn is_directive(&self, view: &View<'_>, at: usize) -> Result<bool, Incomplete> {
        let tilde = view.next(at)?;
        Ok(tilde.code == u32::from('~') && view.next(at + tilde.len)?.code == u32::from(':'))
    }
}

/// Returns `true` if no link continues after this character, not even inside `<…>`.
fn is_hard(code: u32) -> bool {
    code >= MALFORMED || matches!(tables::class(code).term(), Term::Hard | Term::Ender)
}

/// Returns `true` if a URI can contain the character unencoded, and no further check is needed.
fn is_plain(code: u32) -> bool {
    match u8::try_from(code) {
        Ok(b'%' | b'[' | b']' | 0x80..) | Err(_) => false,
        Ok(byte) => is_uri_byte(byte),
    }
}
