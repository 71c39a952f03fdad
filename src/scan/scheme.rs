//! Schemes: before `://`, and in links of a fixed list of schemes that need no `//`.

use super::authority::{self, AuthorityTail, Kind};
use super::candidate::{CandidateFlags, LinkKind, Match, Reason};
use super::ending::{Component, Opening};
use super::head::{self, Head, Recognized};
use super::host::HostSet;
use super::plausible::PlausibleBody;
use super::view::{Incomplete, View};
use super::word::{Word, is_scheme_byte};
use super::{Boundaries, Schemes, Settings, Userinfo, preceding_context};
use crate::scan::prefilter::surroundings::is_plainly_no_word;
use crate::tables;
use crate::tables::schemes::{self, SchemeForm};

/// Maximum number of bytes of a scheme in text.
const MAX_SCHEME: usize = 32;

/// Reads the candidate around the `://` whose colon is at `colon` and whose authority begins at `at`, whatever characters its host has.
#[inline(never)]
pub(super) fn read(
    view: &View<'_>,
    colon: usize,
    at: usize,
    min_start: usize,
    settings: &Settings,
) -> Result<Recognized, Incomplete> {
    let run = Word::before(view, colon, min_start, is_scheme_byte);
    // No scheme ends in a plus sign.
    if run.len == 0 || run.bytes().ends_with(b"+") {
        return Ok(Recognized::Nothing);
    }
    let found = suffix(run.bytes(), run.len > MAX_SCHEME, &settings.schemes);
    let start = found.map_or(run.start, |len| run.start_of_last(view, len));
    let kind = Kind::of(&run.bytes()[run.len - found.unwrap_or(run.len)..]);
    let prose = settings.boundaries == Boundaries::Prose;
    let kind = match (kind, settings.userinfo) {
        (Kind::Web, Userinfo::Warn) => Kind::Other,
        (kind, _) => kind,
    };
    // `mailto://me@example.org` is found at its `@`.
    let is_mailto = prose && view.text[start..colon].eq_ignore_ascii_case(b"mailto");
    if is_mailto && authority::has_userinfo(view, at, HostSet::Schemed)? {
        return Ok(Recognized::Nothing);
    }
    let lead = preceding_context::directly_before(view, start, true);
    let Some(authority) = authority::read(view, at, kind, prose, lead)? else {
        return Ok(Recognized::Nothing);
    };
    let refused = match found {
        None => Some(Reason::UnknownScheme),
        Some(_) => authority.refused,
    };
    let opening = match authority.tail {
        AuthorityTail::Closed => None,
        AuthorityTail::Path => {
            Some(Opening { component: Component::Path, at: authority.end, lead })
        }
        AuthorityTail::Swallowed => {
            Some(Opening { component: Component::Host, at: authority.end, lead })
        }
        AuthorityTail::Open if lead.angle => {
            Some(Opening { component: Component::None, at: authority.end, lead })
        }
        AuthorityTail::Open => head::tail(view, authority.end, prose, || lead)?,
    };
    let has_reference = at - colon > 3 || colon - start > found.unwrap_or(run.len);
    let marks = authority.marks
        | CandidateFlags::REFERENCE.when(has_reference)
        | CandidateFlags::ATTENTION.when(view.text[colon..colon + 2].contains(&b'\\'));
    let host_end = authority.host.end.max(at);
    Ok(Recognized::Head(Head {
        candidate: Match {
            scheme_end: colon,
            refused,
            ..Match::new(LinkKind::Absolute, start..authority.end, authority.host, marks)
        },
        opening,
        check: None,
        min_end: at,
        host_end,
    }))
}

/// Returns the length of the scheme at the end of a run of scheme characters: the length of the run if it is a scheme
/// according to the settings, otherwise that of a scheme before which other characters are joined to it.
///
/// Whether a list selects the scheme is checked for the link's URI later. A link with another scheme is a candidate too, so
/// that no part of it becomes a link by itself.
fn suffix(run: &[u8], is_too_long: bool, asked: &Schemes) -> Option<usize> {
    if !is_too_long && is_scheme(run, asked) {
        return Some(run.len());
    }
    let ends_in = |name: &&str| {
        run.len() > name.len()
            && run[run.len() - name.len()..].eq_ignore_ascii_case(name.as_bytes())
    };
    let name = schemes::all_that_are(schemes::GLUED).map(|row| row.name).find(ends_in);
    match (name, asked) {
        (Some(name), _) => Some(name.len()),
        (None, Schemes::List(_)) if !is_too_long && is_scheme(run, &Schemes::Any) => {
            Some(run.len())
        }
        (None, _) => None,
    }
}

/// Returns `true` if a run of scheme characters is a scheme according to the settings.
fn is_scheme(run: &[u8], asked: &Schemes) -> bool {
    match asked {
        Schemes::Known => schemes::is_known(run),
        Schemes::Any => {
            let is_defanged = schemes::is(run, schemes::DEFANGED);
            run.first().is_some_and(u8::is_ascii_alphabetic) && !is_defanged
        }
        Schemes::List(list) => {
            schemes::is_known(run)
                || list.iter().any(|s| run.eq_ignore_ascii_case(s.as_str().as_bytes()))
        }
    }
}

/// Reads the form without `//` whose colon, of `len` bytes, is at `colon`: `tel:`, `urn:` and so on.
pub(crate) fn read_word(
    view: &View<'_>,
    colon: usize,
    len: usize,
    min_start: usize,
    settings: &Settings,
) -> Result<Recognized, Incomplete> {
    if is_plainly_no_word(&view.text[min_start..colon]) {
        return Ok(Recognized::Nothing);
    }
    let run = Word::before(view, colon, min_start, |b| b.is_ascii_alphabetic());
    let (word, start) = (run.bytes(), run.start);
    let Some(form) = schemes::row(word).and_then(|row| row.form) else {
        return Ok(Recognized::Nothing);
    };
    let mut before = view.prev(start, 0);
    // Underscores are emphasis after anything but a word: `_tel:+1-201-555-0123_`.
    let mut first = start;
    while before.code == u32::from('_') && start - first < MAX_SCHEME {
        first -= before.len;
        before = view.prev(first, 0);
    }
    let in_word = match char::from_u32(before.code) {
        Some(c) if c.is_ascii() => c.is_ascii_alphanumeric() || "+-._".contains(c),
        _ => tables::class(before.code).is_cased(),
    };
    if in_word {
        return Ok(Recognized::Nothing);
    }
    let (at, prose) = (colon + len, settings.boundaries == Boundaries::Prose);
    let lead = preceding_context::directly_before(view, start, false);
    let Some(body) = form.body(view, at, &lead, prose)? else { return Ok(Recognized::Nothing) };
    let (opening, min_end) = match body {
        PlausibleBody::Closed { end } => (None, end),
        PlausibleBody::Open { min_end } => {
            (Some(Opening { component: Component::Path, at, lead }), min_end)
        }
    };
    let has_reference =
        len > 1 || colon - start > run.len || view.text[at..min_end].contains(&b'&');
    let is_mail = form == SchemeForm::Mailto;
    let kind = if is_mail { LinkKind::Email } else { LinkKind::Absolute };
    // The fields of a `mailto:` have a warning.
    let marks =
        CandidateFlags::REFERENCE.when(has_reference) | CandidateFlags::ATTENTION.when(is_mail);
    Ok(Recognized::Head(Head {
        candidate: Match {
            scheme_end: colon,
            refused: (is_mail && !settings.emails).then_some(Reason::Email),
            ..Match::new(kind, start..min_end, start..start, marks)
        },
        opening,
        check: None,
        min_end,
        host_end: at,
    }))
}
