//! Points: where the scan of a document that was fed in part goes on, in this program or in another one.

use std::fmt;
use std::str::FromStr;

use super::fields::{Fields, Words};
use crate::charset::{Charset, CharsetSource, Detected};
use crate::detect::document::DocumentFormat;
use crate::document::pass::{PassPoint, PassState};
use crate::link::lines::LineState;
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
    #[cfg(feature = "documents")]
    ("xml", DocumentFormat::Xml),
    #[cfg(feature = "documents")]
    ("json", DocumentFormat::Json),
    #[cfg(feature = "documents")]
    ("csv", DocumentFormat::Csv),
];

fn name_of(format: DocumentFormat) -> Option<&'static str> {
    FORMATS.iter().find(|(_, known)| *known == format).map(|(name, _)| *name)
}

/// Mark of this form; another one has another mark.
const FORM: &str = "point3";

impl Fields<'_, '_> {
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
            PassState::Page(page) => self.page(page),
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
            write!(fields.0, " {} {}", detected.charset().as_str(), detected.source().as_str())?;
            fields.text(detected.unknown_label())?;
        }
        fields.number(self.state.is_some())?;
        self.state.as_ref().map_or(Ok(()), |state| fields.state(state))
    }
}

impl Words<'_> {
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
            format if !format.is_text() => PassState::Page(Box::new(self.page(offset, format)?)),
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
