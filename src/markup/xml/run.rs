//! Runs of character data between two tags: decides whether one represents a fragment of HTML, such as the description of a
//! place or the content of an exported entry.
//!
//! It does not apply to vocabularies whose text is what a reader sees (XHTML, DocBook, paragraphs of Office), nor where
//! Atom declares text.

use super::attribute::is_space;
use super::content::{ContentPiece, ContentUnit, Gathered, Opener, gather, opener_at};
use super::scope::OpenElement;
use super::{NeedsMore, Rules, Token, TokenResult, Xml};
use crate::input::chunk::Chunk;
use crate::limits;
use crate::markup::Grammar;
use crate::markup::fragment::{FragmentFormat, fragment, is_html, may_be_html, reading};
use crate::notice::Notice;

/// State of the search for the ends of runs.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RunSearch {
    /// Runs that begin before this offset are text.
    pub(super) text: usize,
    /// Where a run begins whose end was not found, and where the bytes ended at that time.
    vain: (usize, usize),
}

impl RunSearch {
    /// Returns `true` to wait for more bytes of the run at `at`; the search is repeated when there are half as many more.
    pub(super) fn waits(&self, at: usize, bytes: Chunk<'_>) -> bool {
        let (start, seen) = self.vain;
        let (there, before) = (bytes.end() - at, seen.saturating_sub(start));
        let is_more = bytes.is_last() || there > limits::VALUE || there >= before + before / 2;
        start == at && before > 0 && !is_more
    }
}

impl Xml {
    /// Returns `true` if a text without a tag, comment or CDATA section may be HTML.
    #[inline]
    pub(super) fn may_be_fragment(&mut self, text: &[u8]) -> bool {
        may_be_html(text, Rules::Xml) && self.holds_fragments()
    }

    fn holds_fragments(&mut self) -> bool {
        let flow = self.scope.flow();
        let is_text = |inside: &mut OpenElement| {
            inside.is_prose || inside.rules != Rules::Xml || inside.is_sheet || inside.is_code
        };
        !(flow.is_in_paragraph() || self.scope.innermost().is_none_or(is_text))
    }

    /// Returns the run that begins here, if it is HTML.
    pub(super) fn fragment(&mut self, bytes: Chunk<'_>) -> TokenResult {
        let start = self.at;
        if start < self.looked.text || !self.holds_fragments() {
            return Ok(None);
        }
        let undecided = |xml: &mut Xml| {
            xml.looked.vain = (start, bytes.end());
            Err(NeedsMore)
        };
        // Most runs are one piece without a possible tag.
        let window = &bytes[start..bytes.end().min(start + limits::VALUE + 1)];
        let open = memchr::memchr(b'<', window);
        match open.map(|len| opener_at(bytes, start + len)) {
            None if window.len() <= limits::VALUE && !bytes.is_last() => return undecided(self),
            Some(Opener::Cut) => return undecided(self),
            opener if opener.is_none_or(Opener::ends_run) => {
                let text = &window[..open.unwrap_or(window.len())];
                if !may_be_html(text, Rules::Xml) {
                    return Ok(None);
                }
            }
            _ => {}
        }
        let gathered = gather(bytes, start, limits::VALUE, (ContentUnit::Run, self.is_boundary));
        let (mut pieces, end) = match gathered {
            Gathered::Cut => return undecided(self),
            Gathered::Other => {
                self.looked.text = start + window.len();
                let text = window.strip_prefix(b"<![CDATA[").unwrap_or(window);
                let is_html = is_html(text, Rules::Xml) || is_html(text, Rules::None);
                return Ok(is_html.then_some(Token::Notice(Notice::ReadAsText)));
            }
            Gathered::Pieces { pieces, end } => (pieces, end),
        };
        let is_blank =
            |piece: &ContentPiece| bytes[piece.range.clone()].iter().all(|byte| is_space(*byte));
        while pieces.last().is_some_and(is_blank) {
            pieces.pop();
        }
        let blank = pieces.iter().take_while(|piece| is_blank(piece)).count();
        let pieces = &pieces[blank..];
        let rules = |is_cdata: bool| if is_cdata { Rules::None } else { Rules::Xml };
        let is_fragment = pieces.iter().any(|piece| {
            let text = &bytes[piece.range.clone()];
            reading(text, true, rules(piece.is_cdata)) == FragmentFormat::Html
        });
        self.looked.text = end;
        let [first, ..] = pieces else { return Ok(None) };
        if !is_fragment {
            return Ok(None);
        }
        self.at = end;
        Ok(Some(match pieces.len() {
            1 => fragment(first.range.clone(), Grammar::Fragment, rules(first.is_cdata)),
            _ => fragment(start..end, Grammar::FragmentInPieces, Rules::Xml),
        }))
    }
}
