//! The quotation mark before a link, and the character that closes it.

use super::Ending;
use crate::scan::markup_context::is_escaped_slash;
use crate::scan::view::{Char, Incomplete, View};

impl Ending {
    /// Returns `true` if the character closes the quotation that the link is in.
    pub(super) fn is_closing_quote(&self, view: &View<'_>, c: Char) -> Result<bool, Incomplete> {
        let (Some(quote), Some(c_char)) = (self.lead.quote, char::from_u32(c.code)) else {
            return Ok(false);
        };
        Ok(match quote {
            '"' | '\'' if c_char == '\\' => !(self.prose && is_escaped_slash(view, self.at)?),
            '"' => c_char == '"',
            '\'' if c_char == '\'' => {
                // An apostrophe inside a word does not close a quotation: `'http://e.com/it's'`.
                let next = view.next(self.at + c.len)?.code;
                !char::from_u32(next).is_some_and(|c| c.is_ascii_alphanumeric())
            }
            '`' | '|' => c_char == quote,
            '｜' => self.prose && c_char == quote,
            '\u{201C}' | '\u{201E}' => matches!(c_char, '\u{201D}' | '\u{201C}'),
            '\u{2018}' | '\u{201A}' => matches!(c_char, '\u{2019}' | '\u{2018}'),
            '\u{5F4}' => c_char == quote,
            '«' => c_char == '»',
            '»' => c_char == '«',
            '‹' => c_char == '›',
            _ => false,
        })
    }
}
