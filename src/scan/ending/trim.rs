//! Removes trailing characters from a link that was found: emphasis, empty components, and the Soft characters before them.
//!
//! The quotation mark before a link, and the character that closes it.

use super::before::trailing;
use super::{Ending, comment};
use crate::scan::markup_context::is_escaped_slash;
use crate::scan::settings::TextKind;
use crate::scan::view::{Char, Incomplete, View};
use crate::tables::{self, Term};

/// Returns `true` if [`without_closer`](Ending::without_closer) may remove the last characters of a link that ends at `end`.
#[inline]
pub(crate) fn may_end_in_closer(text: &[u8], end: usize) -> bool {
    match text[..end] {
        [.., last, b'/' | b'@'] => comment::is_mark(last),
        [.., last] => comment::is_mark(last) || matches!(last, b'&' | b']'),
        [] => false,
    }
}

impl Ending {
    /// Returns the end without emphasis characters that also precede the link, without empty components, and without the
    /// Soft characters before those. The end is never before `host_end`.
    pub(crate) fn trimmed(&self, view: &View<'_>, host_end: usize) -> Result<usize, Incomplete> {
        let mut end = self.safe;
        let text = view.text;
        let is_simple = self.opened == [usize::MAX; 2]
            && self.lead.emphasis.is_none()
            && !self.is_cut
            && !may_end_in_closer(text, end);
        if is_simple || self.is_exact || end <= self.origin {
            return Ok(end);
        }
        // If the link was cut, its last character may be Soft.
        let mut full = if self.is_cut { usize::MAX } else { end };
        let is_namespace = self.is_namespace(view);
        let mut times = self.lead.emphasis.map_or(0, |(_, times)| times);
        loop {
            let before = end;
            while times > 0
                && end > host_end
                && Some(text[end - 1]) == self.lead.emphasis.map(|e| e.0)
            {
                end -= 1;
                times -= 1;
            }
            let without = self.without_closer(view, end, host_end)?;
            if without < end {
                (end, full) = (without, usize::MAX);
            }
            for &opened in self.opened.iter().rev() {
                if opened < end
                    && is_bare(&text[..end], opened)
                    && !(is_namespace && end == self.safe)
                {
                    end = opened;
                }
            }
            while end < full && end > host_end {
                let c = view.prev(end, host_end);
                if !matches!(tables::class(c.code).term(), Term::Soft | Term::ProseStop) {
                    break;
                }
                end -= c.len;
            }
            if end == before {
                return Ok(end);
            }
        }
    }
}

impl Ending {
    /// Returns the end without text that closes something around the link in prose: a comment or emphasis, a shell command
    /// (`http://a.com/b&& tar`), a label of one word (`http://a.com/b[RFC]`).
    #[inline(never)]
    fn without_closer(
        &self,
        view: &View<'_>,
        end: usize,
        host_end: usize,
    ) -> Result<usize, Incomplete> {
        let text = view.text;
        if !self.limits.prose || end <= host_end {
            return Ok(end);
        }
        match text[host_end..end] {
            [.., b'&', b'&'] => Ok(end - trailing(&text[host_end..end], b'&')),
            [.., b']'] if self.pairs.label[1] == end && self.is_label(text) => {
                Ok(self.pairs.label[0])
            }
            _ => self.without_comment_end(view, end, host_end),
        }
    }

    /// Returns `true` if the `#` at the end of the link is the end of a namespace: `"http://a.com/ns#"`. The link is all that
    /// is in quotation marks, or a value of data.
    fn is_namespace(&self, view: &View<'_>) -> bool {
        let text = view.text;
        let is_all = match self.lead.quote {
            Some(quote @ ('"' | '\'')) => text.get(self.safe) == Some(&(quote as u8)),
            _ => {
                let is_end = view.is_last && self.safe == text.len();
                view.text_kind == TextKind::Value && self.start == 0 && is_end
            }
        };
        is_all && self.limits.prose && text[..self.safe].ends_with(b"#")
    }
}

/// Returns `true` if the component that begins at `opened` consists of only its `?` or `#`, which may be written as a
/// reference.
fn is_bare(text: &[u8], opened: usize) -> bool {
    let Some(part) = text.get(opened..) else { return false };
    let opener = match part.first() {
        Some(b'&') => memchr::memchr(b';', part).map_or(1, |n| n + 1),
        Some(_) => 1,
        None => return false,
    };
    // A second `#` is empty like the first.
    part[opener..].iter().all(|&b| b == b'#')
}

impl Ending {
    /// Returns `true` if the character closes the quotation that the link is in.
    pub(super) fn is_closing_quote(&self, view: &View<'_>, c: Char) -> Result<bool, Incomplete> {
        let (Some(quote), Some(c_char)) = (self.lead.quote, char::from_u32(c.code)) else {
            return Ok(false);
        };
        Ok(match quote {
            '"' | '\'' if c_char == '\\' => {
                !(self.limits.prose && is_escaped_slash(view, self.at)?)
            }
            '"' => c_char == '"',
            '\'' if c_char == '\'' => {
                // An apostrophe inside a word does not close a quotation: `'http://e.com/it's'`.
                let next = view.next(self.at + c.len)?.code;
                !char::from_u32(next).is_some_and(|c| c.is_ascii_alphanumeric())
            }
            '`' | '|' => c_char == quote,
            '｜' => self.limits.prose && c_char == quote,
            '\u{201C}' | '\u{201E}' => matches!(c_char, '\u{201D}' | '\u{201C}'),
            '\u{2018}' | '\u{201A}' => matches!(c_char, '\u{2019}' | '\u{2018}'),
            '\u{5F4}' => c_char == quote,
            '«' => c_char == '»',
            '»' => c_char == '«',
            '‹' => c_char == '›',
            '〝' => matches!(c_char, '〞' | '〟'),
            '﹁' => c_char == '﹂',
            '﹃' => c_char == '﹄',
            '＂' | '＇' => c_char == quote,
            '＜' => c_char == '＞',
            '≪' => c_char == '≫',
            _ => false,
        })
    }
}
