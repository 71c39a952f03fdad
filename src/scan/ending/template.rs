//! Templates in the tail of a link, which a program fills in: `/a{{ x }}`, `/${a ? b : c}`, `/$(uname -s)`. A link ends before one
//! that has white space in it or is not closed.

use super::Ending;
use super::prose::MAX_INSIDE;
use crate::scan::view::{Char, Incomplete, View, is_gap};

impl Ending {
    /// Returns `true` if a template begins here and is not part of the link, `at` being after its brace.
    pub(super) fn ends_at_template(
        &mut self,
        view: &View<'_>,
        at: usize,
    ) -> Result<bool, Incomplete> {
        let is_end = self.is_template(view, at)?;
        if is_end {
            self.cut_sign(view, self.at);
        }
        Ok(is_end)
    }

    /// Returns `true` if a substitution of a shell with a blank in it is here, `at` being after its bracket: `$(uname -s)`.
    pub(super) fn ends_at_substitution(
        &mut self,
        view: &View<'_>,
        at: usize,
    ) -> Result<bool, Incomplete> {
        if view.text[self.origin..self.at].last() != Some(&b'$') {
            return Ok(false);
        }
        let (mut end, mut has_blank) = (at, false);
        for _ in 0..MAX_INSIDE {
            let c = view.next(end)?;
            match char::from_u32(c.code) {
                Some(' ') => has_blank = true,
                Some(')') if has_blank => {
                    self.cut_sign(view, self.at);
                    return Ok(true);
                }
                None | Some(')' | '\0'..' ' | char::REPLACEMENT_CHARACTER) => break,
                Some(_) => {}
            }
            end += c.len;
        }
        Ok(false)
    }

    /// Ends the link before the sign of a template whose bracket is at `at`: `${`, `%{`, `$(`.
    fn cut_sign(&mut self, view: &View<'_>, at: usize) {
        if matches!(view.text[self.origin..at].last(), Some(b'$' | b'%')) {
            self.safe = self.safe.min(at - 1);
            self.is_cut = true;
        }
    }

    /// Ends the link before a brace that is not closed in it. A link that is too long is not made shorter.
    pub(super) fn cut_open_brace(&mut self, view: &View<'_>) {
        let at = self.pairs.brace;
        if self.limits.prose
            && !self.is_exact
            && at < self.safe
            && self.safe - self.start <= self.limits.max_link
            && self.pairs.brackets.contains(&u32::from('{'))
        {
            self.safe = at;
            self.is_cut = true;
            self.cut_sign(view, at);
        }
    }

    /// Returns `true` if `{%`, `{{` or `{\` of a template begins here and is not part of the link: `/a{% endraw %}`, `/a{{ x }}`,
    /// `/a{\b0}`. The braces of `/{{id}}/x` and `/a{{id}}/x` are part of it.
    fn is_template(&self, view: &View<'_>, at: usize) -> Result<bool, Incomplete> {
        let second = view.next(at)?;
        let mut end = at + second.len;
        match char::from_u32(second.code) {
            Some('%') => {
                // A percent-encoded byte does not begin a template tag.
                let is_digit =
                    |c: Char| char::from_u32(c.code).is_some_and(|c| c.is_ascii_hexdigit());
                let digit = view.next(end)?;
                return Ok(!is_digit(digit) || !is_digit(view.next(end + digit.len)?));
            }
            Some('\\') => return Ok(true),
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
}
