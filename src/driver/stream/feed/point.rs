//! Points: where the scan of a document that was fed in part goes on, in this program or in another one.

use std::fmt;
use std::str::FromStr;

use crate::charset::{Charset, CharsetSource, Detected};
use crate::detect::document::DocumentFormat;
#[cfg(feature = "documents")]
use crate::document::pass::PagePoint;
use crate::document::pass::{PassPoint, PassState};
use crate::link::lines::LineState;
#[cfg(feature = "documents")]
use crate::markup::{HtmlPoint, HtmlTagPoint};
use crate::notice::{Notice, ParsePointError};
use crate::scan::ScanPoint;

/// A place of a document from which a scan that was fed goes on, with what is known there.
///
/// [`Feed::resume_point`](crate::Feed::resume_point) returns one, [`Finder::resume`](crate::Finder::resume) goes on there. It
/// can be kept as a text, whose form may change in any version.
///
/// ```
/// use linksift::{FeedPoint, Finder, Hints};
///
/// let (finder, hints) = (Finder::new(), Hints::new().content_type("text/html; charset=utf-8"));
/// let page = "<p><a href='http://e.com/1'>one</a> <a href='http://e.com/2'>two</a>".repeat(500);
/// let mut feed = finder.feed(&hints);
/// let before = feed.push(&page.as_bytes()[..20_000])?.take(100).count();
/// let kept = feed.resume_point().to_string();
///
/// let point: FeedPoint = kept.parse()?;
/// let mut feed = finder.resume(&hints, &point);
/// let rest = &page.as_bytes()[usize::try_from(point.offset())?..];
/// let after = feed.push(rest)?.count();
/// assert_eq!(before + after + feed.finish()?.count(), 1_000);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FeedPoint {
    /// Number of events that were given after its offset.
    pub(super) skipped: u64,
    pub(super) detected: Option<Detected>,
    pub(super) state: Option<Box<PointState>>,
}

/// State of the scan of a text or a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in super::super) struct PointState {
    pub(in super::super) format: DocumentFormat,
    /// Notices on the document before its first link.
    pub(in super::super) notices: Vec<Notice>,
    /// Search for encoded data, in running text.
    pub(in super::super) encoded: Option<(usize, bool)>,
    pub(in super::super) pass: PassPoint,
}

impl PointState {
    /// Returns `true` if documents in a format have points.
    pub(in super::super) fn is_for(format: DocumentFormat) -> bool {
        name_of(format).is_some()
    }
}

impl FeedPoint {
    /// Returns the offset of the document, in bytes, from which it must be fed again: at most that of the last bytes that
    /// were passed, and zero where nothing but the beginning is enough.
    ///
    /// ```
    /// let finder = linksift::Finder::new();
    /// assert_eq!(finder.feed(&linksift::Hints::new()).resume_point().offset(), 0);
    /// ```
    pub fn offset(&self) -> u64 {
        self.state.as_ref().map_or(0, |state| state.pass.offset as u64)
    }
}

/// Number of points that are kept of one call.
const KEPT: usize = 64;
/// Number of bytes between two points at first.
const APART: usize = 4 << 10;

/// Points of a document, each with the number of events before it.
#[derive(Debug)]
pub(in super::super) struct NotedPoints {
    points: Vec<(u64, PointState)>,
    apart: usize,
    /// Offset from which the next one is noted.
    next: usize,
}

impl NotedPoints {
    /// Creates the list of a document that is scanned from this offset on.
    pub(super) fn after(offset: u64) -> NotedPoints {
        NotedPoints { points: Vec::new(), apart: APART, next: offset as usize + APART }
    }

    /// Returns `true` if a point at this offset is to be noted.
    #[inline]
    pub(in super::super) fn is_due(&self, at: usize) -> bool {
        at >= self.next
    }

    /// Notes a point that is due, after so many events, if there is one.
    pub(in super::super) fn add(&mut self, count: u64, point: Option<PointState>) {
        let Some(point) = point else { return };
        self.next = point.pass.available() + self.apart;
        self.points.push((count, point));
        if self.points.len() > KEPT {
            self.points = self.points.drain(..).step_by(2).collect();
            self.apart *= 2;
        }
    }

    /// Removes all points but the last one that needs no event after the first `count`.
    pub(super) fn forget_before(&mut self, count: u64) {
        let last = self.points.iter().rposition(|(before, _)| *before <= count);
        self.points.drain(..last.unwrap_or(0));
        self.apart = APART;
    }

    /// Removes all points; no other one is noted.
    pub(super) fn end(&mut self) {
        (self.points, self.next) = (Vec::new(), usize::MAX);
    }

    /// Returns the last point that has only events among the first `count` before it, with their number.
    pub(super) fn last(&self, count: u64) -> Option<&(u64, PointState)> {
        self.points.iter().rfind(|(before, _)| *before <= count)
    }
}

/// The formats of documents that have points, by name.
const FORMATS: &[(&str, DocumentFormat)] = &[
    ("text", DocumentFormat::Text),
    ("code", DocumentFormat::Code),
    ("yaml", DocumentFormat::Yaml),
    #[cfg(feature = "documents")]
    ("html", DocumentFormat::Html),
];

fn name_of(format: DocumentFormat) -> Option<&'static str> {
    FORMATS.iter().find(|(_, known)| *known == format).map(|(name, _)| *name)
}

/// Mark of this form; another one has another mark.
const FORM: &str = "point1";

/// Writes fields, with a space between them.
struct Fields<'f, 'a>(&'f mut fmt::Formatter<'a>);

impl Fields<'_, '_> {
    fn number(&mut self, number: impl Into<u64>) -> fmt::Result {
        write!(self.0, " {}", number.into())
    }

    fn size(&mut self, number: usize) -> fmt::Result {
        self.number(number as u64)
    }

    /// Writes a text in hexadecimal digits, or `-` for none.
    fn text(&mut self, text: Option<&str>) -> fmt::Result {
        match text {
            None => self.0.write_str(" -"),
            Some(text) => {
                self.0.write_str(" =")?;
                text.bytes().try_for_each(|byte| write!(self.0, "{byte:02x}"))
            }
        }
    }

    fn notices(&mut self, notices: &[Notice]) -> fmt::Result {
        self.size(notices.len())?;
        notices.iter().try_for_each(|notice| write!(self.0, " {}", notice.as_str()))
    }

    fn state(&mut self, state: &PointState) -> fmt::Result {
        let PointState { format, notices, encoded, pass } = state;
        write!(self.0, " {}", name_of(*format).unwrap_or("-"))?;
        self.notices(notices)?;
        self.number(encoded.is_some())?;
        let (next, has_found) = encoded.unwrap_or_default();
        self.size(next)?;
        self.number(has_found)?;
        self.size(pass.offset)?;
        self.number(pass.lines.is_some())?;
        if let Some(LineState { done, line, line_start, units, after_cr, front }) = pass.lines {
            self.size(done)?;
            self.number(line)?;
            self.size(line_start)?;
            self.number(units)?;
            self.number(after_cr)?;
            front.iter().try_for_each(|byte| self.number(*byte))?;
        }
        match &pass.state {
            PassState::Text(ScanPoint { min_start, at }) => {
                self.size(*min_start)?;
                self.size(*at)
            }
            #[cfg(feature = "documents")]
            PassState::Page(page) => {
                let PagePoint { html, base, has_base, href, repeated, notices } = &**page;
                let HtmlPoint { at: _, joined, in_link, around, tag } = html;
                self.number(*joined)?;
                self.number(*in_link)?;
                self.size(around.len())?;
                for (number, count) in around {
                    self.number(*number)?;
                    self.number(*count)?;
                }
                self.number(tag.is_some())?;
                if let Some(HtmlTagPoint { element, seen, is_link }) = tag {
                    self.number(*element)?;
                    write!(self.0, " {seen}")?;
                    self.number(*is_link)?;
                }
                self.text(base.as_deref())?;
                self.number(*has_base)?;
                self.text(Some(href))?;
                repeated.iter().try_for_each(|number| self.number(*number))?;
                self.notices(notices)
            }
        }
    }
}

impl fmt::Display for FeedPoint {
    /// Writes the point as one line of ASCII, which [`FromStr`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(FORM)?;
        let mut fields = Fields(f);
        fields.number(self.skipped)?;
        fields.number(self.detected.is_some())?;
        if let Some(detected) = &self.detected {
            write!(fields.0, " {} {}", detected.charset().name(), detected.source().as_str())?;
            fields.text(detected.unknown_label())?;
        }
        fields.number(self.state.is_some())?;
        self.state.as_ref().map_or(Ok(()), |state| fields.state(state))
    }
}

/// Largest number that is read: half of what offsets have on this processor.
const LARGEST: u64 = (usize::MAX / 4) as u64;

/// Reads fields.
struct Words<'t>(std::str::Split<'t, char>);

impl<'t> Words<'t> {
    fn word(&mut self) -> Option<&'t str> {
        self.0.next()
    }

    fn parsed<T: FromStr>(&mut self) -> Option<T> {
        self.word()?.parse().ok()
    }

    /// Reads a number or an offset that can be added to without an overflow.
    fn count<T: FromStr + TryInto<u64> + Copy>(&mut self) -> Option<T> {
        self.parsed()
            .filter(|number: &T| (*number).try_into().is_ok_and(|number| number <= LARGEST))
    }

    fn flag(&mut self) -> Option<bool> {
        match self.word()? {
            "0" => Some(false),
            "1" => Some(true),
            _ => None,
        }
    }

    fn text(&mut self) -> Option<Option<String>> {
        let Some(digits) = self.word()?.strip_prefix('=') else { return Some(None) };
        let pairs = digits.as_bytes().chunks(2);
        let byte = |pair: &[u8]| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok();
        let bytes: Vec<u8> = pairs.map(byte).collect::<Option<_>>()?;
        Some(Some(String::from_utf8(bytes).ok()?))
    }

    /// Reads a list whose length is its first field; nothing is reserved for a length that the text does not have.
    fn list<T>(&mut self, mut one: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        let len: usize = self.parsed()?;
        let mut all = Vec::new();
        for _ in 0..len {
            all.push(one(self)?);
        }
        Some(all)
    }

    fn notices(&mut self) -> Option<Vec<Notice>> {
        self.list(Words::parsed)
    }

    fn lines(&mut self) -> Option<Option<LineState>> {
        if !self.flag()? {
            return Some(None);
        }
        let (done, line, line_start) = (self.count()?, self.count()?, self.count()?);
        let (units, after_cr) = (self.count()?, self.flag()?);
        let front = [self.parsed()?, self.parsed()?, self.parsed()?];
        Some(Some(LineState { done, line, line_start, units, after_cr, front }))
    }

    fn detected(&mut self) -> Option<Option<Detected>> {
        if !self.flag()? {
            return Some(None);
        }
        let (charset, source): (Charset, CharsetSource) = (self.parsed()?, self.parsed()?);
        Some(Some(Detected::with_label(charset, source, self.text()?)))
    }

    fn state(&mut self) -> Option<PointState> {
        let name = self.word()?;
        let (_, format) = *FORMATS.iter().find(|(known, _)| *known == name)?;
        let notices = self.notices()?;
        let has_encoded = self.flag()?;
        let encoded = (self.count()?, self.flag()?);
        let offset: usize = self.count()?;
        let lines = self.lines()?;
        let state = match format {
            #[cfg(feature = "documents")]
            DocumentFormat::Html => PassState::Page(Box::new(self.page(offset)?)),
            _ => {
                let (min_start, at) = (self.count()?, self.count()?);
                PassState::Text(ScanPoint { min_start, at })
            }
        };
        let pass = PassPoint { offset, lines, state };
        let encoded = has_encoded.then_some(encoded);
        // Nothing is known of lines between the bytes that are counted and those that come.
        let is_whole = lines.is_none_or(|lines| lines.done >= offset) && pass.available() >= offset;
        is_whole.then_some(PointState { format, notices, encoded, pass })
    }

    #[cfg(feature = "documents")]
    fn page(&mut self, at: usize) -> Option<PagePoint> {
        let (joined, in_link) = (self.flag()?, self.flag()?);
        let around = self.list(|words| Some((words.parsed()?, words.parsed()?)))?;
        let tag = match self.flag()? {
            true => {
                let (element, seen, is_link) = (self.parsed()?, self.parsed()?, self.flag()?);
                Some(HtmlTagPoint { element, seen, is_link })
            }
            false => None,
        };
        let html = HtmlPoint { at, joined, in_link, around, tag };
        let (base, has_base, href) = (self.text()?, self.flag()?, self.text()??);
        let repeated = [self.count()?, self.count()?, self.count()?, self.count()?];
        let notices = self.notices()?;
        Some(PagePoint { html, base, has_base, href, repeated, notices })
    }

    fn point(&mut self) -> Option<FeedPoint> {
        if self.word()? != FORM {
            return None;
        }
        let (skipped, detected) = (self.count()?, self.detected()?);
        let state = if self.flag()? { Some(Box::new(self.state()?)) } else { None };
        let is_whole = state.as_deref().is_none_or(|state: &PointState| {
            let charset = detected.as_ref().map(Detected::charset);
            match &state.pass.state {
                PassState::Text(_) => charset == Some(Charset::UTF_8),
                #[cfg(feature = "documents")]
                PassState::Page(_) => charset.is_some(),
            }
        });
        (is_whole && self.word().is_none()).then_some(FeedPoint { skipped, detected, state })
    }
}

impl FromStr for FeedPoint {
    type Err = ParsePointError;

    fn from_str(text: &str) -> Result<FeedPoint, ParsePointError> {
        Words(text.split(' ')).point().ok_or(ParsePointError(()))
    }
}
