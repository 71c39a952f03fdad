//! Ends of links in prose, in addition to UTS #58: brackets that open next to a link, markup or shell syntax after it, and
//! a second link directly after the first.

use super::{Component, Ending};
use crate::scan::markup_context::{is_element_name, is_escape_around};
use crate::scan::view::{Char, EDGE, Incomplete, View, is_gap};
use crate::tables::punctuation;
use crate::tables::sentence::is_mark_at_end;

/// Maximum number of characters of a placeholder, `<name>`.
const MAX_PLACEHOLDER: usize = 32;
/// Maximum number of characters in East Asian brackets, or in a template, that are searched for the closing character.
pub(super) const MAX_INSIDE: usize = 64;

/// Returns `true` if a character may end a link in prose: those with an arm in [`Ending::ends_in_prose`]. `is_foreign`: the
/// link already has a non-ASCII character, after which no sentence begins; a non-ASCII character with an arm of its own
/// is in the second list too.
#[inline]
pub(super) fn may_end(code: u32, is_foreign: bool) -> bool {
    const ASCII: u128 = 1 << b'<'
        | 1 << b'\\'
        | 1 << b'^'
        | 1 << b'{'
        | 1 << b'('
        | 1 << b'&'
        | 1 << b':'
        | 1 << b'|'
        | 1 << b';'
        | 1 << b'@';
    match code {
        0..=0x7F => ASCII >> code & 1 == 1,
        _ if !is_foreign => true,
        // A quotation mark, box-drawing characters, East Asian brackets.
        0x201C | 0x2500..=0x259F | 0x3008..=0x301D | 0xFF08..=0xFF62 => true,
        _ => char::from_u32(code).is_some_and(is_mark_at_end),
    }
}

impl Ending {
    /// Returns `true` if prose ends the link before this character, for which [`may_end`] is true.
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
            Some('\\' | '^') => is_escape_around(view, c, after),
            Some('{') => self.ends_at_template(view, after),
            Some('(') if c.len == 1 => self.ends_at_substitution(view, after),
            Some('&') => Ok(c.len == 1
                && self.is_command()
                && super::command::is_followed(view, self.start, after)?),
            Some(':') => Ok(self.is_position(view, after)? || self.is_second_scheme(view, after)?),
            Some('|') if self.is_command() && view.byte(after)? == Some(b'|') => Ok(true),
            Some(';' | '|') => Ok(self.may_end_at_separator()
                && super::separated::is_www(view, self.origin..self.at, after)?),
            Some('@') if self.may_end_at_separator() => self.is_second_address(view, after),
            Some('\u{80}'..) => {
                Ok(self.is_glued(view, c, after)? || self.is_opening_beside(view, c, after)?)
            }
            _ => Ok(false),
        }
    }

    /// Returns `true` if two bars or ampersands may be those of a shell: they are not in quotation marks, nor in a query.
    fn is_command(&self) -> bool {
        !self.is_quoted() && !self.has_query()
    }

    /// Returns `true` if a quotation mark is directly before the link.
    pub(super) fn is_quoted(&self) -> bool {
        matches!(self.lead.quote, Some('"' | '\''))
    }

    /// Returns `true` if a query was opened.
    pub(super) fn has_query(&self) -> bool {
        self.opened[0] != usize::MAX || self.first == Component::Query
    }

    /// Returns the character before `at` in the link.
    pub(super) fn before(&self, view: &View<'_>, at: usize) -> Option<char> {
        char::from_u32(view.prev(at, self.start).code)
    }

    /// Returns `true` if an `E<gt>` of Perl's documentation is here, `at` being after its `<`: `L<http://a.com/bE<gt>`.
    fn is_pod(&self, view: &View<'_>, at: usize) -> Result<bool, Incomplete> {
        let name = [view.byte(at)?, view.byte(at + 1)?, view.byte(at + 2)?];
        let is_bracket = matches!(name, [Some(b'g' | b'l'), Some(b't'), Some(b'>')]);
        Ok(is_bracket && view.text[self.origin..self.at].ends_with(b"E"))
    }

    /// Returns `true` if a placeholder is here, `at` being after its `<`: `/a-<version>.tar`, `/api/<code>/x`. The name of
    /// an HTML element is a placeholder only if the link continues after it.
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

    /// Returns `true` if the `://` of another link is here, with this colon, and this link ends before that one:
    /// `/a和http://b`, `/a,https://b`. After `/`, `=` and `:` the other URL is part of this link.
    fn is_second_scheme(&mut self, view: &View<'_>, after: usize) -> Result<bool, Incomplete> {
        let is_escaped = view.text[self.at] == b'\\';
        if self.component <= Component::None || self.first == Component::Path || is_escaped {
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
            // Directly after a delimiter it belongs to the component.
            let is_own = self.before(view, end).is_none_or(punctuation::begins_segment);
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

    /// Returns `true` if a number sign that ends at `after` separates this link from another one, as one before it does:
    /// `s#http://a.com#https://b.com#`.
    pub(super) fn is_next_pattern(
        &self,
        view: &View<'_>,
        after: usize,
    ) -> Result<bool, Incomplete> {
        Ok(self.component < Component::Fragment
            && self.limits.prose
            && view.text[..self.start].last() == Some(&b'#')
            && super::comment::is_web_link(view, after)?)
    }

    /// Returns `true` if another link may follow after a separator: this one has an authority and no query.
    fn may_end_at_separator(&self) -> bool {
        self.first == Component::None && !self.has_query()
    }

    /// Returns `true` if the at sign of an address is here that a comma, a semicolon or a bar separates from the link: `/a;me@b.com`.
    fn is_second_address(&mut self, view: &View<'_>, after: usize) -> Result<bool, Incomplete> {
        let front = self.origin..self.at;
        let Some(end) = super::separated::end_before_address(view, front, after)? else {
            return Ok(false);
        };
        self.safe = end;
        self.is_cut = true;
        Ok(true)
    }

    /// Returns `true` if the link has a scheme and an authority.
    fn has_scheme(&self, view: &View<'_>) -> bool {
        let head = &view.text[self.start..self.origin];
        memchr::memmem::find(head, b"//").is_some()
    }

    /// Returns `true` after a slash if all characters of the link up to there are ASCII, also when decoded.
    fn is_after_slash_of_ascii(&self, view: &View<'_>) -> bool {
        if self.is_foreign || self.before(view, self.at) != Some('/') {
            return false;
        }
        let mut at = self.at;
        loop {
            let c = view.prev(at, self.start);
            match u8::try_from(c.code) {
                Ok(b'%') if is_encoded_beyond_ascii(&view.text[at..self.at]) => return false,
                Ok(byte) if byte.is_ascii() => at -= c.len,
                _ => return c.code == EDGE,
            }
        }
    }

    /// Returns `true` if an East Asian bracket or quotation mark that opens here is not part of the link: it follows a
    /// non-empty ASCII segment, and the link does not continue after the closing character. A parenthesis after a slash is not part of
    /// a link of ASCII either.
    fn is_opening_beside(
        &self,
        view: &View<'_>,
        c: Char,
        after: usize,
    ) -> Result<bool, Incomplete> {
        let Some(closer) = punctuation::closers_of_wide(c.code) else { return Ok(false) };
        let mut at = self.at;
        let mut is_first = true;
        loop {
            let c = view.prev(at, self.origin);
            match char::from_u32(c.code) {
                // After the authority the component has just begun.
                None => break,
                Some(c) if punctuation::begins_segment(c) => break,
                Some(c) if !c.is_ascii() => return Ok(false),
                Some('%') if is_encoded_beyond_ascii(&view.text[at..self.at]) => return Ok(false),
                Some(_) => {}
            }
            is_first = false;
            at -= c.len;
        }
        if is_first && !(c.code == u32::from('（') && self.is_after_slash_of_ascii(view)) {
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

/// Returns `true` if these bytes begin with the two digits of a percent-encoded non-ASCII byte.
fn is_encoded_beyond_ascii(digits: &[u8]) -> bool {
    matches!(digits, [b'8' | b'9' | b'a'..=b'f' | b'A'..=b'F', second, ..] if second.is_ascii_hexdigit())
}
