//! The scan: from stored bytes to candidates.
//!
//! The input is a view of the text, complete or a block of it; the result is a sequence of candidates, each with its range.
//! A pass over the bytes finds the triggers (`prefilter`), and only the text around a trigger is decoded: backwards and
//! forwards to the ends of a host, a local part, a scheme. The scan implements UTS #58 link detection and the additional
//! rules of `docs/rules.md`. It does not map anything, and of hosts by UTS #46 it only notes that plain ones are valid.

mod address_host;
mod authority;
mod beside;
mod candidate;
mod chance;
mod defanged;
mod email;
mod ending;
mod filename;
mod front;
mod head;
mod host;
mod host_char;
mod ipv4;
mod joined;
mod local;
mod markup_context;
mod plain;
mod plausible;
mod preceding_context;
pub(crate) mod prefilter;
mod progress;
mod quick;
pub(crate) mod reference;
mod scheme;
mod schemeless;
mod sentence;
mod sequence;
mod settings;
mod terminal;
mod unicode_host;
mod view;
mod word;

use std::ops::Range;

pub(crate) use candidate::{CandidateFlags, Match, PlainLink};
pub use candidate::{LinkKind, Reason};
pub(crate) use filename::{MAX_BEFORE, Rule};
pub(crate) use head::Wanted;
use head::{Head, Pending, Recognized};
pub(crate) use host::has_edge_hyphen;
pub(crate) use plausible::is_tone;
pub(crate) use progress::ScanPoint;
use schemeless::{Dot, LookedAhead};
pub(crate) use sequence::{ESC, Sequence};
pub use settings::{Boundaries, References, Schemes, Userinfo};
pub(crate) use settings::{Settings, TextKind};
use terminal::Holder;
use view::Char;
#[cfg(feature = "documents")]
pub(crate) use view::Incomplete;
#[cfg(not(feature = "documents"))]
use view::Incomplete;
pub(crate) use view::View;

use crate::scan::prefilter::marks::FIRST_LETTER;
use crate::scan::prefilter::{Asked, Kinds, Triggers, surroundings};
use crate::tables::{opening, punctuation};

/// Result of [`Scanner::next`].
#[derive(Debug)]
pub(crate) enum ScanStep {
    Found(Match),
    /// Everything that can be decided is decided; the view must grow.
    Incomplete,
    /// A control sequence affects the next candidate; only for views that may have control sequences.
    Sequence,
    /// The input has ended.
    Done,
}

/// Scans a text, view by view if necessary.
///
/// A candidate has the offsets of the view that it was found in. All other offsets that callers see are those of the text,
/// and stay valid when the next view begins later. Internally, offsets are those of the last view, and only
/// [`rebase`](Scanner::rebase) changes them.
#[derive(Clone, Debug)]
pub(crate) struct Scanner {
    /// Offset at which the last view begins.
    base: usize,
    triggers: Triggers,
    /// The end of the last candidate: the scan never reads back beyond it.
    min_start: usize,
    pending: Option<Box<Pending>>,
    /// The first characters of the candidate that is pending or was found last, if it is too long to be kept.
    head: Option<Box<str>>,
    looked: LookedAhead,
    wanted: Wanted,
    /// Offset up to which no control sequence follows the last candidate.
    looked_to: usize,
    /// Offset of white space before which no control sequence follows the last candidate.
    clear_to: usize,
}

impl Scanner {
    #[inline]
    pub(crate) fn new() -> Scanner {
        Scanner::with_triggers(Triggers::new(Asked::Labels), Wanted::Candidates)
    }

    /// Creates a scanner of this text, which is the whole view.
    #[inline(always)]
    pub(crate) fn of(settings: &Settings, text: &[u8], wanted: Wanted) -> Scanner {
        let kinds = Kinds { dots: settings.schemeless };
        Scanner::with_triggers(Triggers::of(text, Asked::Labels, kinds), wanted)
    }

    #[inline(always)]
    fn with_triggers(triggers: Triggers, wanted: Wanted) -> Scanner {
        Scanner {
            base: 0,
            triggers,
            min_start: 0,
            pending: None,
            head: None,
            looked: LookedAhead::default(),
            wanted,
            looked_to: 0,
            clear_to: 0,
        }
    }

    /// Continues in a text whose triggers before `at` and candidates before `min_start` are all decided.
    pub(crate) fn resumed(mut self, min_start: usize, at: usize) -> Scanner {
        debug_assert!(self.base == 0, "a scanner that has seen no view yet");
        self.triggers.again(at.max(min_start));
        self.min_start = min_start;
        self
    }

    /// Returns `true` if the last view has no more candidates, as far as its triggers show.
    #[inline(always)]
    pub(crate) fn is_done(&mut self, settings: &Settings, text: &[u8]) -> bool {
        let kinds = Kinds { dots: settings.schemeless };
        self.pending.is_none() && self.triggers.is_done(text, kinds)
    }

    /// Returns the next candidate of the view.
    #[inline(never)]
    pub(crate) fn next(&mut self, settings: &Settings, view: View<'_>) -> ScanStep {
        match self.find(settings, view, |link| Some(link.candidate()), |found| Some(found.clone()))
        {
            Ok(mut candidate) => {
                if candidate.take_rest_of_value(&view) {
                    self.skip_to(candidate.range.end);
                }
                ScanStep::Found(candidate)
            }
            Err(end) => end,
        }
    }

    /// Returns the first value that `plain` makes from a link that needs no other step, or `take` from another candidate of
    /// the view, and skips those for which they return `None`. `take` gets each candidate by reference, in place: a load from
    /// memory that has just been written in parts has to wait for these writes.
    ///
    /// # Errors
    ///
    /// Returns [`ScanStep::Incomplete`], [`ScanStep::Sequence`] or [`ScanStep::Done`].
    #[inline(always)]
    pub(crate) fn find<R>(
        &mut self,
        settings: &Settings,
        view: View<'_>,
        mut plain: impl FnMut(PlainLink) -> Option<R>,
        mut take: impl FnMut(&Match) -> Option<R>,
    ) -> Result<R, ScanStep> {
        let kinds = Kinds { dots: settings.schemeless };
        if self.base != view.base {
            self.rebase(view.base);
        }
        loop {
            let trigger = match self.pending.is_some() {
                true => None,
                false => match self.triggers.next(view.text, kinds) {
                    None => break,
                    trigger => trigger,
                },
            };
            if let Some(trigger) = trigger
                && let Some(link) = quick::read(&view, trigger, self.min_start, settings)
                && !terminal::has_escape_before(view.text, link.range.start)
            {
                self.skip_past(settings, &view, link.range.clone())?;
                match plain(link) {
                    None => continue,
                    Some(made) => return Ok(made),
                }
            }
            let mut found = match trigger {
                Some(trigger) => self.recognize(settings, &view, trigger),
                None => self.resume(settings, &view),
            };
            let candidate = match &mut found {
                Ok(Recognized::Nothing) => continue,
                Ok(Recognized::Whole(candidate)) => candidate,
                Ok(Recognized::Head(head)) => match head.end(settings, &view) {
                    Ok(true) => &mut head.candidate,
                    Ok(false) => continue,
                    Err(ending) => {
                        let pending = Pending { head: head.clone(), ending };
                        return Err(self.wait(&view, pending, trigger));
                    }
                },
                Ok(Recognized::Refused(end)) => {
                    let end = *end;
                    self.skip_past(settings, &view, end..end)?;
                    continue;
                }
                Ok(Recognized::Sequence(trigger)) => {
                    if self.pending.is_none() {
                        self.triggers.again(*trigger);
                    }
                    self.wanted = Wanted::Window;
                    return Err(ScanStep::Sequence);
                }
                Err(Incomplete) => return Err(ScanStep::Incomplete),
            };
            self.skip_past(settings, &view, candidate.range.clone())?;
            if is_text(settings, view.text, candidate)
                && let Some(made) = take(candidate)
            {
                return Ok(made);
            }
        }
        if view.is_last {
            return Err(ScanStep::Done);
        }
        // The trigger of an `@` is the byte after it.
        if let Some(last) = view.text.len().checked_sub(1)
            && view.text[last] == b'@'
            && self.min_start <= last
        {
            self.triggers.again(last);
        }
        Err(ScanStep::Incomplete)
    }

    /// Continues the search for the end of the candidate that the previous view left undecided.
    #[cold]
    fn resume(&mut self, settings: &Settings, view: &View<'_>) -> Result<Recognized, Incomplete> {
        let Some(mut pending) = self.pending.take() else { return Ok(Recognized::Nothing) };
        // A window that continues a scan is still empty.
        if pending.safe() > view.len() {
            self.pending = Some(pending);
            return Err(Incomplete);
        }
        if view.has_sequences {
            let found = self.sequence_before(view, pending.safe(), view.len());
            let Match { lead, range, .. } = &pending.head.candidate;
            if found == Ok(true) && *lead == 0 {
                // Text after the sequence may decide whether it is a link at all.
                let from = range.start.saturating_sub(sequence::BACK).max(self.min_start);
                return Ok(Recognized::Sequence(from));
            }
            if found != Ok(false) {
                self.pending = Some(pending);
                return found.map(|_| Recognized::Sequence(0));
            }
        }
        let Pending { head, ending } = &mut *pending;
        match head.finish(view, ending.as_mut(), settings.max_link) {
            Ok(true) => Ok(Recognized::Whole(pending.head.candidate)),
            Ok(false) => {
                self.head = None;
                Ok(Recognized::Nothing)
            }
            Err(Incomplete) => {
                self.pending = Some(pending);
                Err(Incomplete)
            }
        }
    }

    /// Continues the scan after a candidate.
    ///
    /// # Errors
    ///
    /// Returns an error if a control sequence may affect the candidate; the candidate is then found again later.
    #[inline(always)]
    fn skip_past(
        &mut self,
        settings: &Settings,
        view: &View<'_>,
        candidate: Range<usize>,
    ) -> Result<(), ScanStep> {
        let before = self.min_start;
        self.skip_to(candidate.end);
        match view.has_sequences && !self.is_clear(view, candidate.end) {
            true => self.before_sequence(settings, view, before, candidate),
            false => Ok(()),
        }
    }

    /// Returns the candidate around one trigger, whose last byte in stored bytes is `trigger`, and which does not begin
    /// before `min_start`. It is for callers that search the triggers themselves. An undecided candidate is not kept.
    pub(crate) fn candidate_at(
        &mut self,
        settings: &Settings,
        view: View<'_>,
        trigger: usize,
        min_start: usize,
    ) -> Result<Option<Match>, Incomplete> {
        self.min_start = min_start;
        self.looked = LookedAhead::default();
        let trigger = after_mark(view.text, trigger);
        if let Some(link) = quick::read(&view, trigger, min_start, settings) {
            let candidate = &mut link.candidate();
            return Ok(is_text(settings, view.text, candidate).then(|| candidate.clone()));
        }
        let mut found = self.recognize(settings, &view, trigger)?;
        let candidate = match &mut found {
            Recognized::Nothing | Recognized::Refused(_) | Recognized::Sequence(_) => {
                return Ok(None);
            }
            Recognized::Whole(candidate) => candidate,
            Recognized::Head(head) => match head.end(settings, &view) {
                Ok(true) => &mut head.candidate,
                Ok(false) => return Ok(None),
                Err(_) => return Err(Incomplete),
            },
        };
        Ok(is_text(settings, view.text, candidate).then(|| candidate.clone()))
    }

    /// Continues the scan at an offset of the view, at which a candidate ends.
    #[inline]
    fn skip_to(&mut self, end: usize) {
        self.min_start = end;
        self.triggers.skip_to(end);
    }

    /// Returns the candidate around the trigger whose trigger byte is before `trigger`; names in XML within binary data are
    /// skipped.
    #[inline(always)]
    fn recognize(
        &mut self,
        settings: &Settings,
        view: &View<'_>,
        trigger: usize,
    ) -> Result<Recognized, Incomplete> {
        let found = self.head(settings, view, trigger);
        if found.is_err() {
            self.triggers.again(trigger);
        }
        if !settings.is_binary {
            return found;
        }
        Ok(match found? {
            Recognized::Head(Head { candidate, .. }) | Recognized::Whole(candidate)
                if chance::is_at_xml_name(view.text, candidate.range.start) =>
            {
                Recognized::Nothing
            }
            found => found,
        })
    }

    /// Like [`recognize`](Scanner::recognize), without the check for XML in binary data.
    #[inline(always)]
    fn head(
        &mut self,
        settings: &Settings,
        view: &View<'_>,
        trigger: usize,
    ) -> Result<Recognized, Incomplete> {
        let text = view.text;
        let prose = settings.boundaries == Boundaries::Prose;
        let one = |at: usize| (at, Char { code: text[at].into(), len: 1 });
        let (at, c) = match text[trigger - 1] {
            b'@' => one(trigger - 1),
            b':' if text[trigger] == b'/' => one(trigger - 1),
            b':' if !surroundings::may_be_colon(text, trigger) => return Ok(Recognized::Nothing),
            b':' if settings.schemeless && prose && ipv4::may_be_port(text, trigger) => {
                return ipv4::read(view, trigger - 1, self.min_start);
            }
            b':' => one(trigger - 1),
            b'&' => match view.reference(trigger - 1)? {
                Some(c) => (trigger - 1, c),
                None => return Ok(Recognized::Nothing),
            },
            // The prefilter has already checked ASCII after a dot, and the label is examined below.
            _ if opening::is_east_asian(text[trigger])
                && !surroundings::label_may_begin(text, trigger) =>
            {
                return Ok(Recognized::Nothing);
            }
            b'.' => one(trigger - 1),
            _ => {
                let Some(code) = punctuation::full_stop_at_end(&text[..trigger]) else {
                    return sequence::after_escape(view, trigger);
                };
                (trigger - 3, Char { code, len: 3 })
            }
        };
        if at < self.min_start {
            return Ok(Recognized::Nothing);
        }
        let Char { code, len } = c;
        if punctuation::dot_of_host(code).is_some() {
            if !settings.schemeless {
                return Ok(Recognized::Nothing);
            }
            let (dot, looked) = (Dot { at, c }, &mut self.looked);
            return schemeless::read(view, dot, self.min_start, settings, looked, self.wanted);
        }
        match char::from_u32(code) {
            Some('@') => {
                // `me\@example.org`
                let is_escaped = prose && at > self.min_start && text[at - 1] == b'\\';
                let escape = usize::from(is_escaped);
                let (at, len) = (at - escape, len + escape);
                email::read(view, at, len, self.min_start, settings, self.wanted)
            }
            Some(':') => match authority::after_colon_slash_slash(view, at, prose)? {
                // `http\://example.org`
                Some(end) if prose && text[self.min_start..at + 1].ends_with(b"\\:") => {
                    scheme::read(view, at - 1, end, self.min_start, settings)
                }
                Some(end) => quick::with_scheme(view, at, end, self.min_start, settings),
                None => scheme::read_word(view, at, len, self.min_start, settings),
            },
            // A letter of a top-level domain that is written as a reference.
            _ if settings.schemeless && host_char::is_bare_host_char(c) => {
                let mut dot = view.prev(at, self.min_start);
                let mut start = at - dot.len;
                if host_char::is_bare_host_char(dot) {
                    dot = view.prev(start, self.min_start);
                    start -= dot.len;
                }
                if punctuation::dot_of_host(dot.code).is_none() {
                    return Ok(Recognized::Nothing);
                }
                let (dot, looked) = (Dot { at: start, c: dot }, &mut self.looked);
                schemeless::read(view, dot, self.min_start, settings, looked, self.wanted)
            }
            _ => Ok(Recognized::Nothing),
        }
    }
}

/// Returns `true` if a candidate belongs to the text. The URI of a terminal's sequence does, and gets a flag; the rest of
/// a sequence does not. Rejected candidates are not checked.
#[inline(always)]
fn is_text(settings: &Settings, text: &[u8], candidate: &mut Match) -> bool {
    candidate.refused.is_some()
        || !terminal::has_escape_before(text, candidate.range.start)
        || is_text_after_escape(settings, text, candidate)
}

#[cold]
fn is_text_after_escape(settings: &Settings, text: &[u8], candidate: &mut Match) -> bool {
    if settings.is_binary || settings.boundaries != Boundaries::Prose {
        return true;
    }
    match terminal::holder(&text[..candidate.range.start]) {
        Holder::Text => true,
        Holder::Uri(flag) => {
            candidate.marks |= flag;
            true
        }
        Holder::Sequence => false,
    }
}

/// Returns the trigger in UTF-8 text for one in stored bytes, where the pass reports a trigger up to two bytes after a dot.
fn after_mark(text: &[u8], trigger: usize) -> usize {
    match text[..trigger] {
        [.., b'.', first] if first >= FIRST_LETTER => trigger - 1,
        _ => trigger,
    }
}
