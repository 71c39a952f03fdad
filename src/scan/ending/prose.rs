//! Ends of links that prose has beyond UTS #58: what opens beside a link, what its markup or its shell puts after it, a
//! second link directly after the first.

use super::{Component, Ending};
use crate::scan::markup_context::{is_after_backslash, is_element_name, is_written_escape};
use crate::scan::script::is_mark_at_end;
use crate::scan::view::{Char, EDGE, Incomplete, View, is_gap};
use crate::tables::beside;

/// Characters of a placeholder, `<name>`.
const MAX_PLACEHOLDER: usize = 32;
/// Characters in brackets of East Asian width, or in a template, that are looked over for their end.
const MAX_INSIDE: usize = 64;

/// Whether a character has a say in where prose ends a link; `is_foreign`: a non-ASCII one is in the link already, after
/// which no sentence begins.
#[inline]
pub(super) fn has_say(code: u32, is_foreign: bool) -> bool {
    const ASCII: u128 = 1 << b'<' | 1 << b'\\' | 1 << b'^' | 1 << b'{' | 1 << b':' | 1 << b'|';
    match code {
        0..=0x7F => ASCII >> code & 1 == 1,
        _ if !is_foreign => true,
        // A quotation mark, box characters, brackets of East Asian width.
        0x201C | 0x2500..=0x259F | 0x3008..=0x301D | 0xFF08..=0xFF62 => true,
        _ => char::from_u32(code).is_some_and(is_mark_at_end),
    }
}

impl Ending {
    /// Whether prose ends the link in front of this character, which has a say in that.
    #[inline(never)]
    pub(super) fn ends_in_prose(
        &mut self,
        view: &View<'_>,
        c: Char,
        after: usize,
    ) -> Result<bool, Incomplete> {
        match char::from_u32(c.code) {
            Some('<') if self.is_pod(view, after)? => {
                self.safe = self.at - 1;
                self.is_cut = true;
                Ok(true)
            }
            Some('<') => Ok(!self.is_placeholder(view, after)?),
            Some('\\') => Ok(is_after_backslash(view, after)? || is_written_escape(view, self.at)?),
            Some('^') => is_written_escape(view, self.at),
            Some('{') => self.is_template(view, after),
            Some(':') => self.is_second_scheme(view, after),
            Some('\u{80}'..) => {
                Ok(self.is_glued(view, c, after)? || self.is_opening_beside(view, c, after)?)
            }
            _ => Ok(false),
        }
    }

    /// Whether a query was opened.
    pub(super) fn has_query(&self) -> bool {
        self.opened[0] != usize::MAX || self.first == Component::Query
    }

    /// The character before `at` in the link.
    fn before(&self, view: &View<'_>, at: usize) -> Option<char> {
        char::from_u32(view.prev(at, self.start).code)
    }

    /// Whether a bracket of Perl's documentation goes on at `at`, after its `E<`: `L<http://a.com/bE<gt>`.
    fn is_pod(&self, view: &View<'_>, at: usize) -> Result<bool, Incomplete> {
        let name = [view.byte(at)?, view.byte(at + 1)?, view.byte(at + 2)?];
        let is_bracket = matches!(name, [Some(b'g' | b'l'), Some(b't'), Some(b'>')]);
        Ok(is_bracket && view.text[self.origin..self.at].ends_with(b"E"))
    }

    /// Whether a name to be filled in goes on at `at`, after `<`: `/a-<version>.tar`, `/api/<code>/x`. That of an element
    /// of HTML is one only where the link goes on after it.
    fn is_placeholder(&self, view: &View<'_>, at: usize) -> Result<bool, Incomplete> {
        let is_place = matches!(self.before(view, self.at), Some('/' | '-' | '=' | '.' | '_'));
        let (mut name, mut end, mut is_sici) = (String::new(), at, false);
        for _ in 0..=MAX_PLACEHOLDER {
            let c = view.next(end)?;
            end += c.len;
            match char::from_u32(c.code) {
                // The location and the code of a title in a SICI, as the identifiers of older articles have them:
                // `8<693::AID-ASI4>3.0.CO`.
                Some(':') if name.bytes().all(|b| b.is_ascii_digit()) && !name.is_empty() => {
                    is_sici = true;
                }
                Some('>') if is_sici => return Ok(true),
                Some('>') if !name.is_empty() && is_place => {
                    let next = char::from_u32(view.next(end)?.code);
                    let goes_on = matches!(next, Some('/' | '.' | '-' | '?' | '&'));
                    return Ok(goes_on || !is_element_name(&name));
                }
                Some(':') if is_sici => {}
                Some(c)
                    if c.is_alphanumeric() || c == '-' || !is_sici && matches!(c, '_' | '.') =>
                {
                    name.push(c);
                }
                _ => return Ok(false),
            }
        }
        Ok(false)
    }

    /// Whether `{%` or `{{` of a template begins here and is no part of the link: `/a{% endraw %}`, `/a{{ x }}`.
    /// `/{{id}}/x` and `/a{{id}}/x` are.
    fn is_template(&self, view: &View<'_>, at: usize) -> Result<bool, Incomplete> {
        let second = view.next(at)?;
        let mut end = at + second.len;
        match char::from_u32(second.code) {
            Some('%') => {
                // Not an octet that is percent-encoded.
                let is_digit =
                    |c: Char| char::from_u32(c.code).is_some_and(|c| c.is_ascii_hexdigit());
                let digit = view.next(end)?;
                return Ok(!is_digit(digit) || !is_digit(view.next(end + digit.len)?));
            }
            Some('{') => {}
            _ => return Ok(false),
        }
        if is_gap(view.next(end)?.code) {
            return Ok(true);
        }
        if matches!(
            self.before(view, self.at),
            Some('/' | '?' | '#' | '&' | '=' | ':' | '-' | '_' | '.')
        ) {
            return Ok(false);
        }
        for _ in 0..MAX_INSIDE {
            let c = view.next(end)?;
            end += c.len;
            if is_gap(c.code) {
                return Ok(true);
            }
            if c.code == u32::from('}') && view.next(end)?.code == c.code {
                let next = view.next(end + 1)?.code;
                let goes_on = |c: char| c.is_alphanumeric() || "/?#&=-_.".contains(c);
                return Ok(!char::from_u32(next).is_some_and(goes_on));
            }
        }
        Ok(false)
    }

    /// Whether `://` of another link follows, with this colon, and this link ends in front of it: `/a和http://b`,
    /// `/a,https://b`. After `/`, `=` and `:` it is a part of this one.
    fn is_second_scheme(&mut self, view: &View<'_>, after: usize) -> Result<bool, Incomplete> {
        if self.component <= Component::None || self.first == Component::Path {
            return Ok(false);
        }
        let before = &view.text[self.start..self.at];
        let is_scheme = |name: &[u8]| {
            before
                .last_chunk()
                .is_some_and(|last: &[u8; 5]| last[5 - name.len()..].eq_ignore_ascii_case(name))
        };
        let len = match (is_scheme(b"https"), is_scheme(b"http")) {
            (true, _) => 5,
            (_, true) => 4,
            _ => return Ok(false),
        };
        for at in [after, after + 1] {
            if view.byte(at)? != Some(b'/') {
                return Ok(false);
            }
        }
        let scheme = self.at - len;
        let mut end = scheme;
        let front = view.prev(scheme, self.origin);
        if front.code >= 0x80 && front.code < EDGE {
            while let c @ Char { code: 0x80.., .. } = view.prev(end, self.origin)
                && c.code < EDGE
            {
                end -= c.len;
            }
            // Directly after a delimiter it is a component's own.
            let is_own = self.before(view, end).is_none_or(beside::begins_segment);
            if is_own || end <= self.origin {
                end = scheme;
            }
        } else {
            let is_separated = match char::from_u32(front.code) {
                Some(',' | ';' | '|') => true,
                Some('&') => view.prev(scheme - 1, self.origin).code == u32::from('&'),
                _ => false,
            };
            if !is_separated || self.has_query() || !self.has_scheme(view) {
                return Ok(false);
            }
            while let Some(',' | ';' | '|' | '&') = char::from_u32(view.prev(end, self.origin).code)
            {
                end -= 1;
            }
        }
        self.safe = end;
        self.is_cut = true;
        Ok(true)
    }

    /// Whether the link was written with a scheme and an authority.
    fn has_scheme(&self, view: &View<'_>) -> bool {
        let head = &view.text[self.start..self.origin];
        memchr::memmem::find(head, b"//").is_some()
    }

    /// Whether a bracket or a quotation mark of East Asian width opens here beside the link: after a segment of ASCII that
    /// is not empty, unless the link goes on after what closes it.
    pub(super) fn is_opening_beside(
        &self,
        view: &View<'_>,
        c: Char,
        after: usize,
    ) -> Result<bool, Incomplete> {
        let Some(closer) = beside::closers_of_wide(c.code) else { return Ok(false) };
        let mut at = self.at;
        let mut is_first = true;
        loop {
            let c = view.prev(at, self.origin);
            match char::from_u32(c.code) {
                // At the authority the component has just begun.
                None => break,
                Some(c) if beside::begins_segment(c) => break,
                Some(c) if !c.is_ascii() => return Ok(false),
                Some('%') if is_encoded_beyond_ascii(&view.text[at..self.at]) => return Ok(false),
                Some(_) => {}
            }
            is_first = false;
            at -= c.len;
        }
        if is_first {
            return Ok(false);
        }
        let (mut depth, mut end) = (0, after);
        for _ in 0..MAX_INSIDE {
            let next = view.next(end)?;
            end += next.len;
            if is_gap(next.code) {
                break;
            }
            if next.code == c.code {
                depth += 1;
            } else if closer.contains(&next.code) {
                if depth == 0 {
                    let next = char::from_u32(view.next(end)?.code);
                    return Ok(!matches!(next, Some('/' | '?' | '#' | '&' | '=' | '_')));
                }
                depth -= 1;
            }
        }
        Ok(true)
    }
}

/// Whether the two digits of a `%` that these bytes follow encode an non-ASCII octet.
fn is_encoded_beyond_ascii(digits: &[u8]) -> bool {
    matches!(digits, [b'8' | b'9' | b'a'..=b'f' | b'A'..=b'F', second, ..] if second.is_ascii_hexdigit())
}
