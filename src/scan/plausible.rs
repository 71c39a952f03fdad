//! The forms of links without `//`, each with the minimum requirements on its body (`docs/rules.md`, "Where a link
//! begins"). All searches are bounded, so that a text with many `data:` takes linear time.

use std::borrow::Cow;
use std::net::Ipv4Addr;

use super::authority::{self, after_ascii};
use super::candidate::CandidateFlags;
use super::ending::PrecedingContext;
use super::host::{self, FullStops, HostSet};
use super::markup_context::{
    APOSTROPHE, is_closing, is_escape_around, is_escaped_slash, is_markup, quotation, string_escape,
};
use super::reference;
use super::view::{Incomplete, View};
use crate::tables::punctuation::ELLIPSIS;
use crate::tables::schemes::SchemeForm;
use crate::tables::{self, Term, is_number, punctuation};

/// Maximum number of characters that are searched for a required part of a body.
const MAX_LOOK: usize = 128;
/// Maximum number of characters of a telephone number, including separators.
const MAX_NUMBER: usize = 64;
/// The shortest bitcoin address has 25 characters.
const MIN_BITCOIN: usize = 25;

/// How a plausible body continues.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PlausibleBody {
    /// The link ends here.
    Closed { end: usize },
    /// The rules for link ends apply, but the link does not end before `min_end`.
    Open { min_end: usize },
}

impl SchemeForm {
    /// Returns how a body of this form that begins at `at` continues; `None` if it is not one. `prose`: the rules for prose
    /// apply.
    pub(crate) fn body(
        self,
        view: &View<'_>,
        at: usize,
        lead: &PrecedingContext,
        prose: bool,
    ) -> Result<Option<PlausibleBody>, Incomplete> {
        let min_end = match self {
            SchemeForm::Number => return number(view, prose, at, lead),
            // Use the nearer of the two: the rules may end the link between them.
            SchemeForm::Sip => {
                nearer(addressed(view, prose, at, '@')?, host_first(view, prose, at, lead)?)
            }
            SchemeForm::Urn => urn(view, prose, at)?,
            SchemeForm::News => {
                nearer(addressed(view, prose, at, '@')?, addressed(view, prose, at, '.')?)
            }
            SchemeForm::MessageId => addressed(view, prose, at, '@')?,
            SchemeForm::Magnet => match after_ascii(view, at, b"?")? {
                Some(query) => alphanumerics(view, query, 1)?,
                None => None,
            },
            // `mailto:?body=x`; one with an address is found at its `@`.
            SchemeForm::Mailto => match after_ascii(view, at, b"?")? {
                Some(name) => field(view, name)?,
                None => None,
            },
            SchemeForm::Geo => {
                let digits = after_ascii(view, at, b"-")?.unwrap_or(at);
                let c = view.next(digits)?;
                let is_digit = char::from_u32(c.code).is_some_and(|c| c.is_ascii_digit());
                is_digit.then_some(digits + c.len)
            }
            SchemeForm::Data => data(view, prose, at)?,
            // `file:/etc/hosts` (RFC 8089 §2 `file-hier-part`); two slashes begin an authority.
            SchemeForm::File => match after_ascii(view, at, b"/")? {
                Some(path) if view.next(path)?.code != u32::from('/') => {
                    included(view, prose, path)?
                }
                _ => None,
            },
            SchemeForm::Doi => match after_ascii(view, at, b"10.")? {
                Some(suffix) => included(view, prose, suffix)?,
                None => None,
            },
            SchemeForm::Bitcoin => alphanumerics(view, at, MIN_BITCOIN)?,
            SchemeForm::Matrix => {
                let mut found = None;
                for kind in [&b"u/"[..], b"r/", b"roomid/", b"e/"] {
                    if let Some(name) = after_ascii(view, at, kind)? {
                        found = included(view, prose, name)?;
                    }
                }
                found
            }
        };
        Ok(min_end.map(|min_end| PlausibleBody::Open { min_end }))
    }
}

/// Requires digits and separators with at least one digit, and then the end, `;` or `?`, but not a word. In `<…>`, tones may
/// follow: `<tel:+1-201-555-0123,,123#>`.
fn number(
    view: &View<'_>,
    prose: bool,
    at: usize,
    lead: &PrecedingContext,
) -> Result<Option<PlausibleBody>, Incomplete> {
    let mut end = at;
    let mut safe = at;
    let mut open = 0;
    let mut count = 0;
    let c = loop {
        let c = view.next(end)?;
        match char::from_u32(c.code) {
            _ if count > MAX_NUMBER => break c,
            Some('0'..='9') => safe = end + c.len,
            Some('(') => open += 1,
            Some(')') if open > 0 => {
                open -= 1;
                if safe > at {
                    safe = end + c.len;
                }
            }
            Some('+' | '.' | '-') => {}
            _ => break c,
        }
        end += c.len;
        count += 1;
    };
    if safe == at {
        return Ok(None);
    }
    let closed = Ok(Some(PlausibleBody::Closed { end: safe }));
    let after = end + c.len;
    if lead.after_bracket
        && matches!(char::from_u32(c.code), Some(',' | '#' | '*'))
        && let Some(end) = tones(view, end)?
    {
        return Ok(Some(PlausibleBody::Closed { end }));
    }
    match char::from_u32(c.code) {
        Some(';' | '?') if view.next(after)?.code == u32::from('#') => closed,
        Some(';' | '?') => match included(view, prose, after)? {
            // Where what follows is removed from the end (`*/`), the number stays.
            Some(_) => Ok(Some(PlausibleBody::Open { min_end: safe })),
            None => closed,
        },
        _ if lead.delimits(c.code, prose) => closed,
        Some('\\') if is_markup(view, c, after)? => closed,
        _ if included(view, prose, end)?.is_some() => Ok(None),
        _ => closed,
    }
}

/// Returns `true` for the characters of pauses and tones that are dialled after a number, which may be percent-encoded.
pub(crate) fn is_tone(c: char) -> bool {
    c.is_ascii_digit() || matches!(c, ',' | '#' | '*' | '%')
}

/// Returns the offset after pauses and tones from `at` on, if `>` follows them.
fn tones(view: &View<'_>, at: usize) -> Result<Option<usize>, Incomplete> {
    let mut end = at;
    for _ in 0..=MAX_NUMBER {
        let c = view.next(end)?;
        match char::from_u32(c.code) {
            Some(c_char) if is_tone(c_char) => end += c.len,
            Some('>') => return Ok(Some(end)),
            _ => return Ok(None),
        }
    }
    Ok(None)
}

fn nearer(one: Option<usize>, other: Option<usize>) -> Option<usize> {
    one.into_iter().chain(other).min()
}

/// Requires some text, then the character, then some text that belongs to a link.
fn addressed(
    view: &View<'_>,
    prose: bool,
    at: usize,
    mark: char,
) -> Result<Option<usize>, Incomplete> {
    let mut end = at;
    for n in 0..MAX_LOOK {
        let c = view.next(end)?;
        if n == 0 && c.code == u32::from('@') {
            return Ok(None);
        }
        if c.code == u32::from(mark) && n > 0 {
            return included(view, prose, end + c.len);
        }
        // With the rules for prose the link ends before it reaches the required character.
        if !matches!(tables::class(c.code).term(), Term::Include | Term::Soft | Term::ProseStop) {
            return Ok(None);
        }
        end += c.len;
    }
    Ok(None)
}

/// Requires a host of two labels or more, an IPv4 address or an IP literal at the beginning.
fn host_first(
    view: &View<'_>,
    prose: bool,
    at: usize,
    lead: &PrecedingContext,
) -> Result<Option<usize>, Incomplete> {
    if view.byte(at)? == Some(b'[') {
        let authority = authority::ip_literal(view, at, CandidateFlags::default())?;
        return Ok(authority.refused.is_none().then_some(authority.end));
    }
    let mut run = host::read(view, at, usize::MAX, HostSet::Bare, FullStops::Ends)?;
    // The rules of a link without an authority end it there.
    if let Some(hyphen) = memchr::memmem::find(&view.text[at..run.end], "\u{AD}".as_bytes()) {
        run = host::read(view, at, at + hyphen, HostSet::Bare, FullStops::Ends)?;
    }
    let text = std::str::from_utf8(&view.text[run.start..run.end]).unwrap_or_default();
    let is_host = run.labels > 1 && !run.has_bad_label && !run.is_too_long;
    let host = resolved(view, run.start, run.end)?;
    let is_name = host.rsplit('.').next().is_some_and(|label| !is_number(label.as_bytes()));
    if !is_host || !(is_name || host.parse::<Ipv4Addr>().is_ok()) {
        return Ok(None);
    }
    // `sip:example.com_` is not a link: the next character must begin a component or end the link.
    let mut c = view.next(run.run_end)?;
    let mut is_cut = false;
    let mut is_slash = false;
    if prose && c.code == u32::from('\\') {
        is_slash = is_escaped_slash(view, run.run_end)?;
        if let Some(escaped) = string_escape(view, run.run_end)? {
            is_cut = !char::from_u32(escaped.code).is_some_and(reference::is_of_url);
            c = escaped;
        }
    }
    let goes_on = is_cut
        || is_slash
        || matches!(char::from_u32(c.code), Some(';' | '?' | '/' | ':' | '#'))
        || lead.delimits(c.code, true)
        || included(view, prose, run.run_end)?.is_none();
    // A punctuation mark at the end of a word belongs to a host, but is cut off where the link ends in it:
    // `sip:a.example·`.
    let ascii = text.bytes().take_while(u8::is_ascii).count();
    let front = text[..ascii].rsplit_once('.').map_or("", |(_, last)| last);
    let is_name = !is_number(front.as_bytes()) && !front.ends_with('-');
    Ok(goes_on.then_some(if is_name { run.start + ascii } else { run.end }))
}

/// Returns the characters of a host, whose dots may be written as references.
fn resolved<'v>(view: &View<'v>, start: usize, end: usize) -> Result<Cow<'v, str>, Incomplete> {
    let stored = &view.text[start..end];
    if memchr::memchr(b'&', stored).is_none() {
        return Ok(Cow::Borrowed(std::str::from_utf8(stored).unwrap_or_default()));
    }
    let (mut host, mut at) = (String::new(), start);
    while at < end {
        let c = view.next(at)?;
        host.extend(char::from_u32(c.code));
        at += c.len;
    }
    Ok(Cow::Owned(host))
}

/// Requires a namespace identifier, a colon, and some text (RFC 8141 §2).
fn urn(view: &View<'_>, prose: bool, at: usize) -> Result<Option<usize>, Incomplete> {
    let mut end = at;
    for n in 0..=32 {
        let c = view.next(end)?;
        match char::from_u32(c.code) {
            Some('a'..='z' | 'A'..='Z' | '0'..='9') => end += c.len,
            Some('-') if n > 0 => end += c.len,
            Some(':') if n > 0 => return included(view, prose, end + c.len),
            _ => return Ok(None),
        }
    }
    Ok(None)
}

/// Requires a comma, before it nothing, a media type or parameters (RFC 2397 §3), and after it some text.
fn data(view: &View<'_>, prose: bool, at: usize) -> Result<Option<usize>, Incomplete> {
    let mut end = at;
    let mut has_slash = false;
    let mut is_without_type = false;
    let mut in_parameters = false;
    for n in 0..MAX_LOOK {
        let c = view.next(end)?;
        let Ok(byte) = u8::try_from(c.code) else { return Ok(None) };
        match byte {
            b',' if n == 0 || has_slash || is_without_type => {
                return included(view, prose, end + c.len);
            }
            b';' => {
                is_without_type |= n == 0;
                in_parameters = true;
            }
            b'/' => has_slash |= !in_parameters,
            b if b.is_ascii_alphanumeric() || b".+-_*!$&^%".contains(&b) => {}
            b if in_parameters && b.is_ascii_graphic() && b != b',' => {}
            _ => return Ok(None),
        }
        end += c.len;
    }
    Ok(None)
}

/// Returns the offset after the character at `at`, if it belongs to a link.
fn included(view: &View<'_>, prose: bool, at: usize) -> Result<Option<usize>, Incomplete> {
    let c = view.next(at)?;
    let after = at + c.len;
    let mark = quotation(c.code);
    let is_included = tables::class(c.code).term() == Term::Include
        && c.code != ELLIPSIS
        && !(prose && punctuation::is_rule(c.code))
        && !(matches!(char::from_u32(c.code), Some('\\' | '&')) && is_markup(view, c, after)?)
        && !(prose && is_escape_around(view, c, after)?)
        && !(mark & !APOSTROPHE != 0 && is_closing(view, mark, after)?);
    Ok(is_included.then_some(after))
}

/// Returns the offset after the `name=` at `at` (RFC 6068 §2 `hfname`).
fn field(view: &View<'_>, at: usize) -> Result<Option<usize>, Incomplete> {
    for end in at..at + MAX_LOOK {
        match view.byte(end)? {
            Some(byte) if byte.is_ascii_alphanumeric() || b"-_".contains(&byte) => {}
            Some(b'=') => return Ok((end > at).then_some(end + 1)),
            _ => return Ok(None),
        }
    }
    Ok(None)
}

/// Returns the offset after `count` ASCII letters and digits at `at`, if there are that many.
fn alphanumerics(view: &View<'_>, at: usize, count: usize) -> Result<Option<usize>, Incomplete> {
    let mut end = at;
    for _ in 0..count {
        let c = view.next(end)?;
        if !char::from_u32(c.code).is_some_and(|c| c.is_ascii_alphanumeric()) {
            return Ok(None);
        }
        end += c.len;
    }
    Ok(Some(end))
}
