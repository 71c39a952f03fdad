//! The content of an element that is one value: the pieces before its end tag, and the text that they form.
//!
//! The content of an element in base64 (RFC 4648 §4), as Atom 0.3 may have it.

use std::borrow::Cow;
use std::ops::Range;

use super::attribute::is_space;
use super::vocabulary::Vocabulary;
use crate::input::chunk::Chunk;
use crate::markup::cdata::{IsBoundary, cdata_end};
use crate::scan::reference::{EscapeGrammar, Rules, resolved_by};
use crate::source_map::transfer::Base64;
use crate::source_map::{MappedText, PlacedBytes, SourceMap};

/// A range of character data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ContentPiece {
    pub(super) range: Range<usize>,
    pub(super) is_cdata: bool,
}

/// Content after a start tag, up to the tag that ends it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Gathered {
    /// Character data without white space at its ends; no piece is empty.
    Pieces { pieces: Vec<ContentPiece>, end: usize },
    /// Elements, or content that is too long.
    Other,
    /// The bytes end first.
    Cut,
}

/// Content that is read in pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ContentUnit {
    /// The content of an element that contains no other element.
    Content,
    /// Character data between two tags, with its white space.
    Run,
}

/// Construct that a `<` begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Opener {
    Tag,
    EndTag,
    Comment,
    Cdata,
    Doctype,
    Declaration,
    Instruction,
    /// None: it is text.
    None,
    Cut,
}

impl Opener {
    /// Returns `true` if no text continues after it; comments and CDATA sections are part of a text.
    pub(super) fn ends_run(self) -> bool {
        !matches!(self, Opener::Comment | Opener::Cdata | Opener::None | Opener::Cut)
    }
}

/// Returns the construct that the `<` at `at` begins.
pub(super) fn opener_at(bytes: Chunk<'_>, at: usize) -> Opener {
    let rest = bytes.get(at + 1..).unwrap_or_default();
    let is_name =
        |byte: u8| byte.is_ascii_alphabetic() || byte >= 0x80 || matches!(byte, b'_' | b':');
    let cut = |or: Opener| if bytes.is_last() { or } else { Opener::Cut };
    match rest.first() {
        None => cut(Opener::None),
        Some(b'?') => Opener::Instruction,
        Some(b'/') => match rest.get(1) {
            None => cut(Opener::None),
            Some(&byte) if is_name(byte) || byte == b'>' => Opener::EndTag,
            Some(_) => Opener::None,
        },
        Some(b'!') => {
            let words: [(&[u8], Opener); 3] = [
                (b"!--", Opener::Comment),
                (b"![CDATA[", Opener::Cdata),
                (b"!DOCTYPE", Opener::Doctype),
            ];
            for (word, opener) in words {
                let len = word.len().min(rest.len());
                if rest[..len].eq_ignore_ascii_case(&word[..len]) {
                    return if len == word.len() { opener } else { cut(Opener::Declaration) };
                }
            }
            Opener::Declaration
        }
        Some(&byte) if is_name(byte) => Opener::Tag,
        Some(_) => Opener::None,
    }
}

/// Returns the rules of the references in the text of an element.
pub(super) fn rules_of_text(vocabulary: Vocabulary, local: &[u8]) -> Rules {
    match (vocabulary, local) {
        (Vocabulary::Xhtml, _) => Rules::HtmlText,
        (Vocabulary::Sheet, b"t") => Rules::Escapes(EscapeGrammar::Cell),
        (
            Vocabulary::Sheet,
            b"oddHeader" | b"oddFooter" | b"evenHeader" | b"evenFooter" | b"firstHeader"
            | b"firstFooter",
        ) => Rules::Escapes(EscapeGrammar::Header),
        _ => Rules::Xml,
    }
}

/// Returns where `needle` begins in `bytes`, from `at` on.
pub(super) fn find(bytes: Chunk<'_>, at: usize, needle: &[u8]) -> Option<usize> {
    let rest = bytes.get(at..)?;
    // Creating a searcher takes longer than finding the end of a tag.
    let found = match needle {
        [byte] => memchr::memchr(*byte, rest),
        _ => memchr::memmem::find(rest, needle),
    };
    found.map(|found| at + found)
}

/// Reads the content or the run that begins at `start` and has at most `limit` bytes.
pub(super) fn gather(
    bytes: Chunk<'_>,
    start: usize,
    limit: usize,
    (stretch, is_boundary): (ContentUnit, IsBoundary),
) -> Gathered {
    let push = |pieces: &mut Vec<ContentPiece>, range: Range<usize>, is_cdata: bool| match stretch {
        ContentUnit::Content => push(pieces, bytes, range, is_cdata),
        ContentUnit::Run if range.is_empty() => {}
        ContentUnit::Run => pieces.push(ContentPiece { range, is_cdata }),
    };
    // A few bytes after the limit are needed to recognise the construct that begins there.
    let clip = start.saturating_add(limit).saturating_add(16);
    let window = bytes.up_to(clip);
    let is_clipped = window.end() == clip;
    let missing = || if is_clipped { Gathered::Other } else { Gathered::Cut };
    let is_end = window.is_last();
    let mut pieces = Vec::new();
    let mut at = start;
    let mut text = start;
    let end = loop {
        let Some(open) = memchr::memchr(b'<', &window[at..]).map(|found| at + found) else {
            match is_end {
                true => {
                    push(&mut pieces, text..window.end(), false);
                    break window.end();
                }
                false => return missing(),
            }
        };
        let opener = opener_at(window, open);
        if opener == Opener::EndTag || stretch == ContentUnit::Run && opener.ends_run() {
            push(&mut pieces, text..open, false);
            break open;
        }
        let close: &[u8] = match opener {
            Opener::None => {
                at = open + 1;
                continue;
            }
            Opener::Cut => return missing(),
            Opener::Tag | Opener::EndTag | Opener::Doctype | Opener::Declaration => {
                return Gathered::Other;
            }
            Opener::Comment => b"-->",
            Opener::Instruction => b"?>",
            Opener::Cdata => b"]]>",
        };
        push(&mut pieces, text..open, false);
        let is_cdata = close == b"]]>";
        let inner = open + if is_cdata { 9 } else { close.len() + 1 };
        let found = match is_cdata {
            true => cdata_end(window, inner, is_boundary),
            false => find(window, inner, close),
        };
        let inner_end = match found {
            Some(end) => end,
            None if is_end => window.end(),
            None => return missing(),
        };
        if is_cdata {
            push(&mut pieces, inner..inner_end, true);
        }
        at = window.end().min(inner_end + close.len());
        text = at;
    };
    match end - start > limit {
        true => Gathered::Other,
        false => Gathered::Pieces { pieces, end },
    }
}

fn push(pieces: &mut Vec<ContentPiece>, bytes: Chunk<'_>, range: Range<usize>, is_cdata: bool) {
    let inside = &bytes[range.clone()];
    let Some(first) = inside.iter().position(|byte| !is_space(*byte)) else { return };
    let last = inside.iter().rposition(|byte| !is_space(*byte)).unwrap_or(first);
    // White space between two pieces of a value does not matter: it is stripped, or the value is rejected.
    pieces.push(ContentPiece { range: range.start + first..range.start + last + 1, is_cdata });
}

/// Returns the content of an element without comments and the delimiters of CDATA sections, with references resolved, and
/// the source map to `text`, which begins at `source_start`.
pub(crate) fn resolved(text: &str, source_start: usize) -> (Cow<'_, str>, Option<SourceMap>) {
    in_pieces(text, source_start, ContentUnit::Content)
}

/// Returns the text between two tags in the same way, including its white space.
pub(crate) fn run_resolved(text: &str) -> (Cow<'_, str>, Option<SourceMap>) {
    in_pieces(text, 0, ContentUnit::Run)
}

fn in_pieces(
    text: &str,
    source_start: usize,
    stretch: ContentUnit,
) -> (Cow<'_, str>, Option<SourceMap>) {
    let bytes = Chunk::whole(text.as_bytes());
    let pieces = match gather(bytes, 0, text.len(), (stretch, |_, _, _| true)) {
        Gathered::Pieces { pieces, .. } => pieces,
        Gathered::Other | Gathered::Cut => Vec::new(),
    };
    let mut out = String::new();
    let mut map = SourceMap::default();
    for ContentPiece { range, is_cdata } in pieces {
        let rules = if is_cdata { Rules::None } else { Rules::Xml };
        let piece = text.get(range.clone()).unwrap_or_default();
        push_resolved(&mut out, &mut map, piece, rules, source_start + range.start);
    }
    (Cow::Owned(out), Some(map))
}

/// Appends a piece of a value, which begins at `origin`, with its references resolved.
pub(super) fn push_resolved(
    out: &mut String,
    map: &mut SourceMap,
    piece: &str,
    rules: Rules,
    origin: usize,
) {
    // Resolve one reference at a time: the steps of all pieces form one source map.
    let mut done = 0;
    for (at, _) in piece.match_indices('&') {
        let reference = one_reference(&piece[at..]);
        let Some((inner, _)) = resolved_by(reference, rules, 0) else { continue };
        if at > done {
            map.copied(out.len(), origin + done);
            out.push_str(&piece[done..at]);
        }
        map.replaced(out.len(), origin + at..origin + at + reference.len());
        out.push_str(&inner);
        done = at + reference.len();
    }
    if done < piece.len() {
        map.copied(out.len(), origin + done);
        out.push_str(&piece[done..]);
    }
}

/// Returns the text from an ampersand to the next semicolon.
pub(super) fn one_reference(text: &str) -> &str {
    match memchr::memchr2(b';', b'&', text.as_bytes().get(1..).unwrap_or_default()) {
        Some(at) if text.as_bytes()[at + 1] == b';' => &text[..at + 2],
        _ => &text[..1],
    }
}

/// Decodes base64 to text, malformed sequences to U+FFFD, with the source map to `text`: the range of a character is that
/// of the groups of four digits that contain it. Bytes that are not digits are skipped, and the first padding ends the
/// data.
pub(crate) fn resolved_base64(text: &str) -> MappedText<'static> {
    let (mut bytes, mut map) = (Vec::with_capacity(text.len() / 4 * 3), SourceMap::default());
    let digits = text.split('=').next().unwrap_or_default();
    let mut sink = PlacedBytes { out: &mut bytes, map: &mut map };
    Base64::default().step(digits.as_bytes(), 0, 0, &mut sink);
    MappedText::well_formed(&bytes, Some(&map), 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_keeps_its_white_space() {
        let text = "a &lt;b> <![CDATA[<i> ]]>c ";
        let (out, map) = run_resolved(text);
        assert_eq!(out, "a <b> <i> c ");
        let places = ["<b", "<i", "c "].map(|part| out.find(part).unwrap());
        let stored = places.map(|at| map.as_ref().unwrap().edges(out.as_bytes(), at).start);
        assert_eq!(stored, ["&lt;", "<i", "c "].map(|part| text.find(part).unwrap()));
    }

    #[test]
    fn pieces_make_one_text() {
        let text = " http://a/?b=1<![CDATA[&c]]>&amp;<!-- x -->d=&#50;\n";
        let (out, map) = resolved(text, 100);
        let map = map.unwrap();
        assert_eq!(out, "http://a/?b=1&c&d=2");
        assert_eq!(map.edges(out.as_bytes(), 0).start, 101);
        assert_eq!(map.edges(out.as_bytes(), 13).start, 100 + text.find("&c]").unwrap());
        assert_eq!(map.edges(out.as_bytes(), out.len()).end, 100 + text.len() - 1);
    }

    #[test]
    fn groups_give_places() {
        for (text, wanted) in [
            ("", ""),
            ("eA", "x"),
            ("eHk=", "xy"),
            (" eH\n l6 eA==eHk=", "xyzx"),
            ("w6TDtg", "äö"),
            ("/3g", "\u{FFFD}x"),
            ("A", ""),
        ] {
            assert_eq!(resolved_base64(text).text, wanted, "{text}");
        }
        let text = "YWJj\nZGVmZw==";
        let out = resolved_base64(text);
        assert_eq!(out.text, "abcdefg");
        assert_eq!([0..3, 1..4, 6..7].map(|range| out.range(range)), [0..4, 0..9, 9..11]);
        // Each letter has two bytes.
        let out = resolved_base64("0L/RgNC4 0LLQtdGC");
        assert_eq!(out.text, "привет");
        assert_eq!(
            [0..2, 2..4, 4..6, 6..12].map(|range| out.range(range)),
            [0..4, 0..8, 4..8, 9..17]
        );
    }
}
