//! Fields: a point as a line of words, numbers and texts, with a space between them.

use std::fmt;
use std::str::FromStr;

use crate::notice::Notice;

/// Writes fields, with a space between them.
pub(super) struct Fields<'f, 'a>(pub(super) &'f mut fmt::Formatter<'a>);

impl Fields<'_, '_> {
    pub(super) fn number(&mut self, number: impl Into<u64>) -> fmt::Result {
        write!(self.0, " {}", number.into())
    }

    pub(super) fn size(&mut self, number: usize) -> fmt::Result {
        self.number(number as u64)
    }

    /// Writes a text in hexadecimal digits, or `-` for none.
    pub(super) fn text(&mut self, text: Option<&str>) -> fmt::Result {
        match text {
            None => self.0.write_str(" -"),
            Some(text) => {
                self.0.write_str(" =")?;
                text.bytes().try_for_each(|byte| write!(self.0, "{byte:02x}"))
            }
        }
    }

    pub(super) fn notices(&mut self, notices: &[Notice]) -> fmt::Result {
        self.size(notices.len())?;
        notices.iter().try_for_each(|notice| write!(self.0, " {}", notice.as_str()))
    }
}

/// Largest number that is read: a quarter of the largest offset on this processor.
const LARGEST: u64 = (usize::MAX / 4) as u64;

/// Reads fields.
pub(super) struct Words<'t>(pub(super) std::str::Split<'t, char>);

impl<'t> Words<'t> {
    pub(super) fn word(&mut self) -> Option<&'t str> {
        self.0.next()
    }

    pub(super) fn parsed<T: FromStr>(&mut self) -> Option<T> {
        self.word()?.parse().ok()
    }

    /// Reads a number or an offset that can be added to without an overflow.
    pub(super) fn count<T: FromStr + TryInto<u64> + Copy>(&mut self) -> Option<T> {
        self.parsed()
            .filter(|number: &T| (*number).try_into().is_ok_and(|number| number <= LARGEST))
    }

    pub(super) fn flag(&mut self) -> Option<bool> {
        match self.word()? {
            "0" => Some(false),
            "1" => Some(true),
            _ => None,
        }
    }

    pub(super) fn text(&mut self) -> Option<Option<String>> {
        let Some(digits) = self.word()?.strip_prefix('=') else { return Some(None) };
        let pairs = digits.as_bytes().chunks(2);
        let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        let bytes: Vec<u8> = pairs.map(byte).collect::<Option<_>>()?;
        Some(Some(String::from_utf8(bytes).ok()?))
    }

    /// Reads a list whose length is its first field; nothing is reserved for a length that the text does not have.
    pub(super) fn list<T>(
        &mut self,
        mut one: impl FnMut(&mut Self) -> Option<T>,
    ) -> Option<Vec<T>> {
        let len: usize = self.parsed()?;
        let mut all = Vec::new();
        for _ in 0..len {
            all.push(one(self)?);
        }
        Some(all)
    }

    pub(super) fn notices(&mut self) -> Option<Vec<Notice>> {
        self.list(Words::parsed)
    }
}
