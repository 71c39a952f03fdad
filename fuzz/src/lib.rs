//! What the targets have in common: how an input is taken apart, and what holds of every link.
//!
//! The first bytes of an input choose settings, the rest is the document, so that a mutation of a few bytes
//! crosses formats, charsets and block lengths with the same content.

use std::ops::Range;

use linksift::iri::Iri;
use linksift::{Candidate, Charset, Finder, Format, Hints};

/// Labels of charsets of every kind: UTF, single-byte, multi-byte, stateful.
const CHARSETS: &[&str] = &[
    "utf-8",
    "windows-1251",
    "windows-1252",
    "koi8-u",
    "iso-8859-8",
    "shift_jis",
    "gb18030",
    "gbk",
    "big5",
    "euc-jp",
    "euc-kr",
    "iso-2022-jp",
    "utf-16le",
    "utf-16be",
    "x-user-defined",
    "macintosh",
];

/// Settings that an input chooses, and its document.
pub struct Input<'d> {
    pub hints: Hints,
    pub block: usize,
    pub content: &'d [u8],
    /// A stream is not waited for to see what it is: that is asked of its first bytes.
    pub is_told_early: bool,
}

/// Takes `data` apart; `None` if it is too short.
pub fn input(data: &[u8]) -> Option<Input<'_>> {
    let [format, charset, block, content @ ..] = data else { return None };
    let formats = Format::ALL;
    let format = formats[usize::from(*format) % formats.len()];
    let mut hints = Hints::new().format(format);
    // Half of the inputs say nothing of their charset.
    let label = CHARSETS.get(usize::from(*charset) % (2 * CHARSETS.len()));
    if let Some(label) = label {
        hints = hints.charset(label.parse::<Charset>().expect("a label of the standard"));
    }
    let has_mark = [&b"\xEF\xBB\xBF"[..], b"\xFE\xFF", b"\xFF\xFE"]
        .iter()
        .any(|mark| content.starts_with(mark));
    // The document after the headers of an answer may have a mark, too.
    let is_told_early =
        format == Format::Http || format == Format::Auto && (label.is_some() || has_mark);
    Some(Input { hints, block: usize::from(*block) + 1, content, is_told_early })
}

/// What a candidate is compared by.
#[derive(Debug, PartialEq, Eq)]
pub struct Found {
    pub range: Range<usize>,
    pub raw: String,
    /// The URI, or the code of the reason.
    pub outcome: String,
    pub context: String,
}

impl Found {
    pub fn new(judged: &Candidate<'_>) -> Found {
        match judged {
            Candidate::Link(link) => Found {
                range: link.range(),
                raw: link.raw().to_owned(),
                outcome: link.uri().into_owned(),
                context: link.context().to_string(),
            },
            Candidate::Rejected(rejected) => Found {
                range: rejected.range(),
                raw: rejected.raw().to_owned(),
                outcome: rejected.reason().to_string(),
                context: rejected.context().to_string(),
            },
        }
    }
}

/// The candidates of a document in memory; `None` if nothing is decoded of its charset.
pub fn whole(finder: &Finder, hints: &Hints, content: &[u8]) -> Option<Vec<Found>> {
    let candidates = finder.document(content, hints).ok()?;
    Some(
        candidates
            .map(|judged| {
                check(&judged, content.len());
                Found::new(&judged)
            })
            .collect(),
    )
}

/// What holds of every candidate of a document of `length` bytes.
pub fn check(judged: &Candidate<'_>, length: usize) {
    match judged {
        Candidate::Link(link) => {
            let (range, uri) = (link.range(), link.uri());
            // An empty `href` is the page itself.
            assert!(range.start <= range.end && range.end <= length, "{range:?} of {length}");
            assert!(uri.is_ascii(), "{uri}");
            assert!(!uri.contains(|c: char| c.is_ascii_control() || c == ' '), "{uri}");
            let _ = (link.iri(), link.host(), link.display(), link.severity(), link.kind());
            for finding in &link.findings() {
                let _ = finding;
            }
            if link.kind() == linksift::LinkKind::Absolute {
                assert!(Iri::parse(&uri).is_ok(), "{uri}");
            }
        }
        Candidate::Rejected(rejected) => {
            let range = rejected.range();
            assert!(range.start <= range.end && range.end <= length, "{range:?} of {length}");
            let _ = (rejected.raw(), rejected.iri(), rejected.reason(), rejected.warnings());
        }
    }
}
