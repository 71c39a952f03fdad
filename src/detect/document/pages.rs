//! Ranges of pages.

use std::fmt;
use std::str::FromStr;

use crate::codes::ParseEnumError;

/// Pages that are read of a document: from a first one to a last one, both counted from 1. Default: all.
///
/// ```
/// use linksift::PageRange;
///
/// let pages: PageRange = "2-5".parse()?;
/// assert!(pages.has(2) && pages.has(5) && !pages.has(6));
/// assert!("3-".parse::<PageRange>()?.has(u64::MAX));
/// assert_eq!("7".parse::<PageRange>()?.to_string(), "7-7");
/// assert!("5-2".parse::<PageRange>().is_err());
/// # Ok::<(), linksift::ParseEnumError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct PageRange {
    first: u64,
    last: u64,
}

impl PageRange {
    /// Returns `true` if a page is in the range.
    ///
    /// ```
    /// assert!(linksift::PageRange::default().has(1));
    /// ```
    pub fn has(self, page: u64) -> bool {
        (self.first..=self.last).contains(&page)
    }

    /// Returns `true` if the range ends before a page.
    pub(crate) fn is_before(self, page: u64) -> bool {
        self.last < page
    }
}

impl Default for PageRange {
    fn default() -> PageRange {
        PageRange { first: 1, last: u64::MAX }
    }
}

impl fmt::Display for PageRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.last {
            u64::MAX => write!(f, "{}-", self.first),
            last => write!(f, "{}-{last}", self.first),
        }
    }
}

impl FromStr for PageRange {
    type Err = ParseEnumError;

    fn from_str(text: &str) -> Result<PageRange, ParseEnumError> {
        let number = |digits: &str| digits.parse().ok().filter(|page| *page > 0);
        let range = match text.split_once('-') {
            Some((first, "")) => number(first).map(|first| PageRange { first, last: u64::MAX }),
            Some((first, last)) => {
                number(first).zip(number(last)).map(|(first, last)| PageRange { first, last })
            }
            None => number(text).map(|page| PageRange { first: page, last: page }),
        };
        let range = range.filter(|range| range.first <= range.last);
        range.ok_or_else(|| ParseEnumError::new(text, &["FIRST-LAST", "FIRST-", "PAGE"]))
    }
}
