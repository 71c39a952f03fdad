//! Ends of comments, template tags and emphasis directly after a link: `(* http://a.com/b*)`, `<%-- http://a.com/b--%>`,
//! `**see http://a.com/b**`.
//!
//! A comment ends in one or more of a few signs and a bracket, a slash or another sign, and begins with the same reversed.
//! The comments that end in `*)` and `-}` may begin on an earlier line, which is not examined: the text after them decides.

use super::Ending;
use super::before::{LineBefore, trailing};
use crate::scan::settings::TextKind;
use crate::scan::view::{Incomplete, View, is_gap};

/// Returns `true` for the signs of emphasis, and those that end a comment together with the character after them.
#[inline]
pub(super) fn is_mark(byte: u8) -> bool {
    matches!(byte, b'*' | b'-' | b'+' | b'=' | b'%' | b'|' | b'_' | b'~')
}

/// Returns the first character of comments that end in a character.
fn opener(edge: u8) -> Option<u8> {
    match edge {
        b')' => Some(b'('),
        b'}' => Some(b'{'),
        b']' => Some(b'['),
        b'>' => Some(b'<'),
        b'/' | b'#' | b'@' => Some(edge),
        _ => None,
    }
}

impl Ending {
    /// Returns the end without the end of a comment, a template tag or emphasis.
    pub(super) fn without_comment_end(
        &self,
        view: &View<'_>,
        end: usize,
        host_end: usize,
    ) -> Result<usize, Incomplete> {
        let text = view.text;
        let tail = &text[host_end..end];
        // A slash and an at sign belong to the link as far as other rules decide.
        let (inner, edge) = match tail {
            [inner @ .., edge @ (b'/' | b'@')] => (inner, Some(*edge)),
            _ => (tail, text.get(end).copied()),
        };
        let Some(&mark) = inner.last().filter(|byte| is_mark(**byte)) else { return Ok(end) };
        let signs = trailing(inner, mark);
        let rest = &inner[..inner.len() - signs];
        let without = host_end + rest.len();
        let is_sure = match (mark, edge) {
            (b'*', Some(b'/')) => rest.last().is_some_and(|last| *last != b'/'),
            (b'-', Some(b'>' | b'}' | b']')) if signs > 1 => true,
            // An arrow between two links.
            (b'-' | b'=', Some(b'>')) => is_web_link(view, end + 1)?,
            // `-%>` removes white space after it.
            (b'%', Some(b'>' | b'}')) => return Ok(without - trailing(rest, b'-')),
            _ => false,
        };
        if is_sure {
            return Ok(without);
        }
        if let Some(edge) = edge
            && let Some(opener) = opener(edge)
        {
            let before = LineBefore::of(view, self.start)?;
            if is_open(before.bytes(), [opener, mark], [mark, edge]) {
                return Ok(without);
            }
            let may_begin_earlier = matches!((mark, edge), (b'*', b')') | (b'-', b'}'))
                && rest.last().is_some_and(|last| *last != b'/')
                && !is_bracket_open(before.bytes(), opener, edge);
            if may_begin_earlier && is_gap(view.next(end + 1)?.code) {
                return Ok(without);
            }
        }
        let is_emphasis = (mark == b'*' || signs > 1 && matches!(mark, b'_' | b'~'))
            && end == without + signs
            && self.lead.quote.is_none()
            && view.text_kind != TextKind::Code
            && (signs > 1 || rest.last().is_some_and(|last| *last != b'/'))
            && signs == emphasis(LineBefore::of(view, self.start)?.bytes(), mark);
        Ok(if is_emphasis { without } else { end })
    }
}

/// Returns `true` if `http://` or `https://` is at `at`.
pub(super) fn is_web_link(view: &View<'_>, at: usize) -> Result<bool, Incomplete> {
    let mut end = at;
    for byte in b"https://" {
        if view.byte(end)? == Some(*byte) {
            end += 1;
        } else if *byte != b's' {
            return Ok(false);
        }
    }
    Ok(true)
}

/// Returns `true` if a comment has begun in a text and has not ended.
fn is_open(text: &[u8], opener: [u8; 2], closer: [u8; 2]) -> bool {
    let Some(at) = text.windows(2).rposition(|two| two == opener) else { return false };
    // `src/*` is a pattern.
    let is_path =
        opener[0] == b'/' && text[..at].last().is_some_and(|before| before.is_ascii_graphic());
    !is_path && !text[at + 2..].windows(2).any(|two| two == closer)
}

/// Returns `true` if a bracket has been opened in a text and not closed.
fn is_bracket_open(text: &[u8], open: u8, close: u8) -> bool {
    memchr::memrchr2(open, close, text).is_some_and(|at| text[at] == open)
}

/// Returns the number of marks with which emphasis begins in a text, if it has not ended there.
fn emphasis(text: &[u8], mark: u8) -> usize {
    let Some(last) = memchr::memrchr(mark, text) else { return 0 };
    let signs = trailing(&text[..=last], mark);
    let before = &text[..last + 1 - signs];
    let follows_word =
        before.last().is_some_and(|byte| byte.is_ascii_alphanumeric() || b"/.".contains(byte));
    let precedes_word = text
        .get(last + 1)
        .is_some_and(|byte| byte.is_ascii_alphanumeric() || b"[(\"'\0".contains(byte));
    if precedes_word && !follows_word { signs } else { 0 }
}
