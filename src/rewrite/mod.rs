//! Rewriting: a document with some of its links replaced, and nothing else changed.
//!
//! A link is replaced where it is stored, in the notation of its place and in the document's encoding ([`edit`]). The result is
//! scanned again ([`check`]): an edit after which a link is read otherwise than wanted, or another link changes, is refused.

mod check;
mod counted;
mod edit;
mod encode;
mod host;

use std::borrow::Cow;
use std::collections::BTreeSet;

pub use edit::{Edit, NotWritable};

use crate::charset::{Extent, decide};
use crate::codes::coded;
use crate::detect::document::{Detection, Disposition, DocumentFormat, Hints};
use crate::detect::{self};
use crate::document::finder::Finder;
use crate::link::Link;
use crate::notice::{NotRead, Notice};
use check::Expected;
use counted::CountedTexts;

/// Maximum number of times that a rewritten document is scanned. If the last scan still finds a difference, all edits are refused.
const MOST_SCANS: usize = 8;

coded! {
    display none
    /// Reason why a document cannot be rewritten: its bytes are not text that links can be written in. `Display` gives a sentence
    /// for people.
    ///
    /// ```
    /// use linksift::{Finder, Hints, NotRewritable};
    ///
    /// let refused = Finder::new().rewrite(b"%PDF-1.7\n", &Hints::new(), |_| None).unwrap_err();
    /// assert_eq!(refused, NotRewritable::Document);
    /// ```
    pub enum NotRewritable in "linksift" {
        /// An image, audio, a video or a font.
        Media = "media",
        /// A database or table file.
        Table = "table",
        /// Compressed data or an archive.
        Archive = "archive",
        /// A document that is not text: PDF, Office, Outlook, a binary property list, or another format.
        Document = "document",
        /// A message or a mailbox, whose parts have transfer encodings and may be signed.
        Mail = "mail",
        /// An answer of HTTP with its header, which states the length of its body.
        Http = "http",
        /// Other binary data.
        Binary = "binary",
        /// Encrypted data.
        Encrypted = "encrypted",
        /// Text in an encoding that cannot be decoded.
        Undecodable = "undecodable",
        /// A [`Cancel`](crate::Cancel) ended the work.
        Cancelled = "cancelled",
    }
}

impl std::fmt::Display for NotRewritable {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.pad(match self {
            NotRewritable::Media => "cannot rewrite an image, audio, a video or a font",
            NotRewritable::Table => "cannot rewrite a database or a table file",
            NotRewritable::Archive => "cannot rewrite a compressed file or an archive",
            NotRewritable::Document => "cannot rewrite a document that is not text",
            NotRewritable::Mail => "cannot rewrite a message or a mailbox",
            NotRewritable::Http => "cannot rewrite an answer of HTTP",
            NotRewritable::Binary => "cannot rewrite binary data",
            NotRewritable::Encrypted => "cannot rewrite encrypted data",
            NotRewritable::Undecodable => "cannot decode the encoding",
            NotRewritable::Cancelled => "cancelled",
        })
    }
}

impl std::error::Error for NotRewritable {}

impl From<NotRead> for NotRewritable {
    fn from(reason: NotRead) -> NotRewritable {
        match reason {
            NotRead::Media => NotRewritable::Media,
            NotRead::Table => NotRewritable::Table,
            NotRead::Archive => NotRewritable::Archive,
            NotRead::Binary => NotRewritable::Binary,
            NotRead::Encrypted => NotRewritable::Encrypted,
            NotRead::Undecodable { .. } => NotRewritable::Undecodable,
            NotRead::Unsupported | NotRead::Pdf | NotRead::Damaged | NotRead::TooLong => {
                NotRewritable::Document
            }
        }
    }
}

impl NotRewritable {
    /// Returns the reason why a document with this detection cannot be rewritten.
    fn of(found: &Detection) -> Option<NotRewritable> {
        Some(match found.disposition {
            Disposition::Text => match found.format {
                Some(DocumentFormat::Email | DocumentFormat::Mbox) => NotRewritable::Mail,
                Some(DocumentFormat::Http) => NotRewritable::Http,
                _ => return None,
            },
            Disposition::Pdf | Disposition::Office | Disposition::PropertyList => {
                NotRewritable::Document
            }
            Disposition::Signature => NotRewritable::Mail,
            other => return Notice::of_disposition(other).and_then(NotRead::of).map(Self::from),
        })
    }
}

/// Document with some of its links replaced; see [`Finder::rewrite`].
///
/// ```
/// use linksift::{Finder, Hints};
///
/// let rewritten = Finder::new()
///     .rewrite(b"see http://old.example/.", &Hints::new(), |link| link.with_host("old.example", "new.example"))?;
/// assert_eq!(rewritten.bytes(), b"see http://new.example/.");
/// assert_eq!((rewritten.changed(), rewritten.refused().len()), (1, 0));
/// # Ok::<(), linksift::NotRewritable>(())
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct Rewritten<'t> {
    bytes: Cow<'t, [u8]>,
    edits: Vec<Edit>,
    refused: Vec<(Link<'static>, NotWritable)>,
    notices: Vec<Notice>,
}

impl<'t> Rewritten<'t> {
    /// Returns the bytes of the rewritten document.
    ///
    /// ```
    /// use linksift::{Finder, Hints};
    ///
    /// let rewritten = Finder::new().rewrite(b"example.com", &Hints::new(), |_| Some("example.org/a".to_owned()))?;
    /// assert_eq!(rewritten.bytes(), b"example.org/a");
    /// # Ok::<(), linksift::NotRewritable>(())
    /// ```
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the bytes of the rewritten document: those of the original one, borrowed, if nothing was changed.
    ///
    /// ```
    /// use linksift::{Finder, Hints};
    /// use std::borrow::Cow;
    ///
    /// let rewritten = Finder::new().rewrite(b"example.com", &Hints::new(), |_| None)?;
    /// assert!(matches!(rewritten.into_bytes(), Cow::Borrowed(b"example.com")));
    /// # Ok::<(), linksift::NotRewritable>(())
    /// ```
    pub fn into_bytes(self) -> Cow<'t, [u8]> {
        self.bytes
    }

    /// Returns the number of places that were changed.
    ///
    /// ```
    /// use linksift::{Finder, Hints};
    ///
    /// let rewritten = Finder::new().rewrite(b"example.com", &Hints::new(), |_| None)?;
    /// assert_eq!(rewritten.changed(), 0);
    /// # Ok::<(), linksift::NotRewritable>(())
    /// ```
    pub fn changed(&self) -> usize {
        self.edits.len()
    }

    /// Returns the edits of the original bytes, in order.
    ///
    /// ```
    /// use linksift::{Finder, Hints};
    ///
    /// let rewritten = Finder::new().rewrite(b"see example.com", &Hints::new(), |_| Some("example.org".to_owned()))?;
    /// // As few bytes as possible are replaced.
    /// assert_eq!((rewritten.edits()[0].range(), rewritten.edits()[0].bytes()), (12..15, &b"org"[..]));
    /// # Ok::<(), linksift::NotRewritable>(())
    /// ```
    pub fn edits(&self) -> &[Edit] {
        &self.edits
    }

    /// Returns the links that could not be replaced, with their reasons.
    ///
    /// ```
    /// use linksift::{Finder, Hints, NotWritable};
    ///
    /// // In running text the bracket would end the link.
    /// let rewritten = Finder::new().rewrite(b"(example.com)", &Hints::new(), |_| Some("example.org/)".to_owned()))?;
    /// assert_eq!(rewritten.bytes(), b"(example.com)");
    /// assert_eq!(rewritten.refused()[0].1, NotWritable::Changed);
    /// # Ok::<(), linksift::NotRewritable>(())
    /// ```
    pub fn refused(&self) -> &[(Link<'static>, NotWritable)] {
        &self.refused
    }

    /// Returns the notices on the original document, like [`Candidates::notices`](crate::Candidates::notices).
    ///
    /// ```
    /// use linksift::{Finder, Hints};
    ///
    /// let rewritten = Finder::new().rewrite(b"example.com", &Hints::new(), |_| None)?;
    /// assert!(rewritten.notices().is_empty());
    /// # Ok::<(), linksift::NotRewritable>(())
    /// ```
    pub fn notices(&self) -> &[Notice] {
        &self.notices
    }
}

/// An edit that was requested, with the number of its link among the links of the document.
#[derive(Clone, Debug)]
struct Planned {
    link: usize,
    edit: Edit,
    /// The raw text of the new link, and the text that it means.
    raw: String,
    text: String,
}

impl Finder {
    /// Replaces links of a document. `each` is called for each link in order, and returns its new text: an IRI, or a relative
    /// reference, a host or an address where such a one is read. With `None` the link stays as it is.
    ///
    /// The new text is encoded for its place: in the character references and escapes of HTML, XML, Markdown, JSON, CSS or CSV,
    /// also where one is in another, and in the document's encoding. The rewritten document is scanned again: exactly the links
    /// that were wanted have changed, or the replacement is refused and listed in [`Rewritten::refused`]. The text of an HTML or
    /// Markdown link that repeats its target is a link here too.
    ///
    /// # Errors
    ///
    /// Returns an error, without a call of `each`, if the document is not text: an archive, a message, PDF, an image; and
    /// [`NotRewritable::Cancelled`] when the [token](Hints::cancel) of the hints is cancelled: it is checked before each call of `each`,
    /// and for each link and each MiB of a scan, of which there are up to nine.
    ///
    /// ```
    /// # #[cfg(feature = "documents")] {
    /// use linksift::{Finder, Format, Hints};
    ///
    /// let page = b"<a href='http://old.example.com/?a&b'>old.example.com</a> <img src=old.example.com.png>";
    /// let rewritten = Finder::new().rewrite(page, &Hints::new().format(Format::Html), |link| {
    ///     link.with_host("old.example.com", "example.org")
    /// })?;
    /// let wanted = b"<a href='http://example.org/?a&b'>example.org</a> <img src=old.example.com.png>";
    /// assert_eq!(rewritten.bytes(), wanted);
    /// # }
    /// # Ok::<(), linksift::NotRewritable>(())
    /// ```
    pub fn rewrite<'t>(
        &self,
        bytes: &'t [u8],
        hints: &Hints,
        mut each: impl FnMut(&Link<'_>) -> Option<String>,
    ) -> Result<Rewritten<'t>, NotRewritable> {
        if let Some(refused) = NotRewritable::of(&detect::of_whole(hints, bytes)) {
            return Err(refused);
        }
        decide(bytes, Extent::Whole, &hints.known()).map_err(NotRead::from)?;
        let finder = self.for_rewriting();
        let mut candidates = finder.document(bytes, hints)?;
        let cancel = hints.cancel.as_ref();
        let links = candidates.links_until(cancel).ok_or(NotRewritable::Cancelled)?;
        let notices = candidates.notices();
        let (mut plan, mut refused) = (Vec::new(), Vec::new());
        for (number, link) in links.iter().enumerate() {
            if cancel.is_some_and(|cancel| cancel.is_cancelled()) {
                return Err(NotRewritable::Cancelled);
            }
            let Some(text) = each(link).filter(|text| *text != link.written()) else { continue };
            match link.planned(&text, Some(bytes)) {
                Ok((edit, raw, text)) => plan.push(Planned { link: number, edit, raw, text }),
                Err(reason) => refused.push((number, reason)),
            }
        }
        remove_counted(bytes, &links, &mut plan, &mut refused);
        remove_overlaps(&mut plan, &mut refused);
        let mut scans = 0;
        let bytes = loop {
            if plan.is_empty() {
                break Cow::Borrowed(bytes);
            }
            let written = applied(bytes, &plan);
            let expected = Expected { finder: &finder, links: &links, plan: &plan };
            let wrong = match finder.document(&written, hints) {
                Ok(mut found) if scans < MOST_SCANS => {
                    let found = found.links_until(cancel).ok_or(NotRewritable::Cancelled)?;
                    expected.wrong(&found)
                }
                _ => (0..plan.len()).collect::<BTreeSet<_>>(),
            };
            if wrong.is_empty() {
                break Cow::Owned(written);
            }
            scans += 1;
            refused.extend(wrong.iter().map(|at| (plan[*at].link, NotWritable::Changed)));
            let mut number = 0..;
            plan.retain(|_| !number.next().is_some_and(|at| wrong.contains(&at)));
        };
        refused.sort_by_key(|(link, _)| *link);
        let refused = refused.into_iter();
        Ok(Rewritten {
            bytes,
            edits: distinct(&plan).into_iter().cloned().collect(),
            refused: refused.map(|(at, reason)| (links[at].clone().into_owned(), reason)).collect(),
            notices,
        })
    }
}

/// Refuses edits that change the length of a text which is stored before it.
fn remove_counted(
    bytes: &[u8],
    links: &[Link<'_>],
    plan: &mut Vec<Planned>,
    refused: &mut Vec<(usize, NotWritable)>,
) {
    let changes_length = |planned: &Planned| planned.edit.bytes.len() != planned.edit.range.len();
    if !plan.iter().any(changes_length) {
        return;
    }
    let counted = CountedTexts::of(bytes);
    plan.retain(|planned| {
        let is_kept =
            !changes_length(planned) || !counted.contain(bytes, &links[planned.link].range());
        if !is_kept {
            refused.push((planned.link, NotWritable::Length));
        }
        is_kept
    });
}

/// Sorts the edits, and refuses those that overlap an earlier one. Equal edits are kept: links may share a place.
fn remove_overlaps(plan: &mut Vec<Planned>, refused: &mut Vec<(usize, NotWritable)>) {
    plan.sort_by_key(|planned| (planned.edit.range.start, planned.edit.range.end, planned.link));
    let mut last: Option<Edit> = None;
    plan.retain(|Planned { edit, link, .. }| {
        let is_kept = last.as_ref().is_none_or(|last| {
            last == edit
                || last.range.end <= edit.range.start && last.range.start < edit.range.start
        });
        match is_kept {
            true => last = Some(edit.clone()),
            false => refused.push((*link, NotWritable::Overlap)),
        }
        is_kept
    });
}

/// Returns the edits, one of several that are equal.
fn distinct(plan: &[Planned]) -> Vec<&Edit> {
    let mut edits: Vec<_> = plan.iter().map(|planned| &planned.edit).collect();
    edits.dedup();
    edits
}

/// Returns the bytes with the edits applied.
fn applied(bytes: &[u8], plan: &[Planned]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut done = 0;
    for edit in distinct(plan) {
        out.extend_from_slice(bytes.get(done..edit.range.start).unwrap_or_default());
        out.extend_from_slice(&edit.bytes);
        done = edit.range.end;
    }
    out.extend_from_slice(bytes.get(done..).unwrap_or_default());
    out
}
