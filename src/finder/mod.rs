//! The finder: settings, and the stages joined for text that is in memory.
//!
//! The scan gives candidates; here each is mapped, or refused with a reason, and becomes one of the
//! public nouns. Streams go the same way (`stream`).

mod builder;
mod judge;
#[cfg(feature = "charset")]
mod stored;
#[cfg(feature = "markup")]
mod value;

use std::sync::LazyLock;

pub use crate::iri::HostMapping as HostForm;
use crate::lines::{LineCounter, LineEnds};
use crate::link::{Link, Refused, set_position};
use crate::scan::{self, Scanner, Step, View};
pub use crate::scan::{Boundaries, References, Schemes};
#[cfg(feature = "charset")]
use crate::stored::{Block, StoredScanner};
pub use builder::FinderBuilder;
#[cfg(feature = "markup")]
pub(crate) use value::Reference;

/// What becomes of ASCII that URIs forbid, where it stands inside a link.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Forbidden {
    /// It is percent-encoded, with a warning.
    #[default]
    Encode,
    /// The link is refused.
    Refuse,
}

/// The longest link, in stored bytes, if nothing else is said.
pub const DEFAULT_MAX_LINK: usize = 65536;

/// Finds links by its settings; reusable, shareable between threads.
///
/// ```
/// use linksift::{Finder, Schemes};
///
/// let finder = Finder::builder().schemeless(false).schemes(Schemes::Any).build();
/// let text = "example.org, foo://example.com/a and me@example.net";
/// let found: Vec<_> = finder.links(text).map(|l| l.uri().into_owned()).collect();
/// assert_eq!(found, ["foo://example.com/a", "mailto:me@example.net"]);
/// ```
#[derive(Clone, Debug)]
pub struct Finder {
    pub(crate) scan: scan::Settings,
    default_prefix: String,
    host: HostForm,
    forbidden: Forbidden,
    #[cfg_attr(not(feature = "charset"), allow(dead_code, reason = "UTF-8 alone has no octets"))]
    query_charset: bool,
}

impl Default for Finder {
    fn default() -> Self {
        Finder::builder().build()
    }
}

impl Finder {
    /// The finder of [`links`](crate::links): known schemes, hosts without a scheme, e-mail addresses.
    pub fn new() -> Finder {
        Finder::default()
    }

    /// A finder with other settings.
    pub fn builder() -> FinderBuilder {
        FinderBuilder { finder: Finder::base() }
    }

    fn base() -> Finder {
        Finder {
            scan: scan::Settings::default(),
            default_prefix: "https://".to_owned(),
            host: HostForm::default(),
            forbidden: Forbidden::default(),
            query_charset: true,
        }
    }

    pub(crate) fn shared() -> &'static Finder {
        static SHARED: LazyLock<Finder> = LazyLock::new(Finder::new);
        &SHARED
    }

    /// The links of `text`, in order, each found when it is asked for.
    ///
    /// ```
    /// let finder = linksift::Finder::new();
    /// assert_eq!(finder.links("a.example.com b").next().unwrap().range(), 0..13);
    /// ```
    pub fn links<'t>(&'t self, text: &'t str) -> Links<'t> {
        Links(Candidates { scanner: Scanner::for_links(), ..self.candidates(text) })
    }

    /// The links of `text` and the candidates that were refused, in order.
    ///
    /// ```
    /// let finder = linksift::Finder::new();
    /// let text = "http://256.1.1.1/ http://10.1.1.1/";
    /// let codes: Vec<_> =
    ///     finder.candidates(text).map(|c| c.map_err(|r| r.reason().code()).is_ok()).collect();
    /// assert_eq!(codes, [false, true]);
    /// ```
    pub fn candidates<'t>(&'t self, text: &'t str) -> Candidates<'t> {
        Candidates { text: Some(text), ..self.candidates_in(text.as_bytes()) }
    }

    /// As [`candidates`](Finder::candidates), of UTF-8 that need not be well-formed: a malformed
    /// sequence ends a link, which then has the warning [`Malformed`](crate::Warning::Malformed).
    ///
    /// ```
    /// let finder = linksift::Finder::new();
    /// let link = finder.candidates_in(b"http://e.com/a\xFFb").next().unwrap().unwrap();
    /// assert_eq!(link.range(), 0..14);
    /// assert!(link.warnings().contains(linksift::Warning::Malformed));
    /// ```
    pub fn candidates_in<'t>(&'t self, bytes: &'t [u8]) -> Candidates<'t> {
        Candidates {
            finder: self,
            bytes,
            text: None,
            scanner: Scanner::new(),
            #[cfg(feature = "charset")]
            stored: None,
            #[cfg(feature = "markup")]
            found: None,
            lines: None,
        }
    }
}

/// The links of a text; see [`Finder::links`].
#[derive(Clone, Debug)]
pub struct Links<'t>(Candidates<'t>);

impl<'t> Iterator for Links<'t> {
    type Item = Link<'t>;

    #[inline]
    fn next(&mut self) -> Option<Link<'t>> {
        let Candidates { finder, bytes, text, scanner, .. } = &mut self.0;
        let view = View::new(bytes, true, finder.scan.references);
        loop {
            match scanner.next(&finder.scan, view) {
                // What the scan refuses need not be judged.
                Step::Found(candidate) if candidate.refused.is_some() => {}
                Step::Found(candidate) => {
                    // Nearly all, and made where the caller wants them: a link is large to move.
                    let raw = text.and_then(|text| text.get(candidate.range.clone()));
                    if let Some(link) = raw.and_then(|raw| finder.judge_plain(raw, 0, &candidate)) {
                        return Some(link);
                    }
                    let judged = match text {
                        Some(text) => finder.judge_str(text, candidate),
                        None => finder.judge(bytes, 0, candidate),
                    };
                    if let Ok(link) = judged {
                        return Some(link);
                    }
                }
                Step::More | Step::Done => return None,
            }
        }
    }
}

/// The links of a text and what was refused; see [`Finder::candidates`].
#[derive(Clone, Debug)]
pub struct Candidates<'t> {
    finder: &'t Finder,
    bytes: &'t [u8],
    /// The same, if it is known to be UTF-8.
    text: Option<&'t str>,
    scanner: Scanner,
    /// Of a document in a legacy charset: this instead of the scanner of UTF-8.
    #[cfg(feature = "charset")]
    stored: Option<Box<StoredScanner>>,
    /// Of a page: all of them, found already.
    #[cfg(feature = "markup")]
    found: Option<std::vec::IntoIter<Result<Link<'static>, Refused<'static>>>>,
    lines: Option<LineCounter>,
}

impl<'t> Candidates<'t> {
    /// With or without positions.
    pub(crate) fn counting(mut self, positions: bool) -> Self {
        self.lines = positions.then(|| LineCounter::new(LineEnds::Bytes));
        #[cfg(feature = "charset")]
        if let (true, Some(stored)) = (positions, &self.stored) {
            self.lines = Some(LineCounter::new(stored.line_ends()));
        }
        self
    }

    /// Of a page, whose links are found.
    #[cfg(feature = "markup")]
    pub(crate) fn found(self, all: Vec<Result<Link<'static>, Refused<'static>>>) -> Self {
        Candidates { found: Some(all.into_iter()), ..self }
    }

    /// Of a document in a legacy charset.
    #[cfg(feature = "charset")]
    pub(crate) fn stored(self, scanner: StoredScanner) -> Self {
        Candidates { stored: Some(Box::new(scanner)), ..self }
    }

    #[cfg(feature = "charset")]
    fn next_stored(&mut self) -> Option<Result<Link<'t>, Refused<'t>>> {
        let scanner = self.stored.as_mut()?;
        let block = Block { bytes: self.bytes, base: 0, is_last: true };
        let Step::Found(candidate) = scanner.next(block) else { return None };
        let mut judged = self.finder.judge_in(scanner, block, candidate);
        if let Some(lines) = &mut self.lines {
            let start = match &judged {
                Ok(link) => link.body.range.start,
                Err(refused) => refused.body.range.start,
            };
            set_position(&mut judged, Some(lines.position(self.bytes, 0, start)));
        }
        Some(judged)
    }
}

impl<'t> Iterator for Candidates<'t> {
    type Item = Result<Link<'t>, Refused<'t>>;

    fn next(&mut self) -> Option<Self::Item> {
        #[cfg(feature = "markup")]
        if let Some(found) = &mut self.found {
            return found.next();
        }
        #[cfg(feature = "charset")]
        if self.stored.is_some() {
            return self.next_stored();
        }
        let view = View::new(self.bytes, true, self.finder.scan.references);
        match self.scanner.next(&self.finder.scan, view) {
            Step::Found(candidate) => {
                let start = candidate.range.start;
                let mut judged = match self.text {
                    Some(text) => self.finder.judge_str(text, candidate),
                    None => self.finder.judge(self.bytes, 0, candidate),
                };
                if let Some(lines) = &mut self.lines {
                    let position = Some(lines.position(self.bytes, 0, start));
                    set_position(&mut judged, position);
                }
                Some(judged)
            }
            // A view that is the input's last never asks for more.
            Step::More | Step::Done => None,
        }
    }
}
