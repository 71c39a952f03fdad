//! Detects text that follows a host without a space: prose and hyphens (`example.comテスト`, `example.com-ის`,
//! `example.com-`), and which scripts are written so.
//!
//! The functions for hosts take a label or a run of host characters, and return where the host ends if it ends before they
//! do. Those for scripts take a character, and return whether its script is written without spaces, and whether ASCII
//! continues a word in it.

use super::host::{FullStops, MAX_LABEL, Run, label_ahead};
use super::host_char::{CharClass, class, is_dot, is_simple};
use super::view::{Char, Incomplete, View, is_gap};
use crate::tables::direction::is_of_right_to_left;
use crate::tables::sentence::{is_hangul, is_joiner, is_mark_at_end, is_unspaced};
use crate::tables::tld;

/// Returns the end of the known ASCII top-level domain that a label begins with, if the label continues in another script,
/// `comテスト`, `com-ზე`, `com\u{200C}را`, or if a punctuation mark at the end of the word follows.
pub(crate) fn ascii_tld_prefix(view: &View<'_>, start: usize) -> Result<Option<usize>, Incomplete> {
    let bytes = &view.text[start..];
    let len = bytes.iter().take(MAX_LABEL + 1).take_while(|&&b| is_simple(b)).count();
    let label = bytes[..len].strip_suffix(b"-").unwrap_or(&bytes[..len]);
    if !tld::is_ascii_tld(label) {
        return Ok(None);
    }
    let c = view.next(start + len)?;
    let is_prose =
        |c| matches!(class(c), CharClass::Letter | CharClass::Symbol) && is_foreign(c.code);
    let ends = match char::from_u32(c.code) {
        Some(joiner) if is_joiner(joiner) => is_prose(view.next(start + len + c.len)?),
        Some(mark) if is_mark_at_end(mark) => is_gap(view.next(start + len + c.len)?.code),
        _ => is_prose(c),
    };
    if !ends {
        return Ok(None);
    }
    // After a hyphen it may be a separate label.
    if label.len() < len {
        let Some((end, _)) = label_ahead(view, start, FullStops::Ends)? else { return Ok(None) };
        if goes_on_after_hyphens(view, end)? {
            return Ok(None);
        }
    }
    Ok(Some(start + label.len()))
}

/// Returns where prose without a space ends the host: in a label that begins with a known ASCII top-level domain and
/// continues in another script. `https://a.example.com和b.example.org`, `http://example.comテスト`.
///
/// The first label, and the one after `www`, belong to the name in full unless they are the last.
pub(crate) fn prose_end(view: &View<'_>, run: &Run) -> Result<Option<usize>, Incomplete> {
    if !run.needs_mapping {
        return Ok(None);
    }
    let mut names = 0;
    let mut label = run.start;
    let mut at = run.start;
    while at < run.end {
        let c = view.next(at)?;
        if is_dot(c) {
            let is_www = view.text[label..at].eq_ignore_ascii_case(b"www");
            names += usize::from(!(is_www && label == run.start));
            label = at + c.len;
        } else if at == label
            && (names > 0 || label == run.last_label)
            && let Some(end) = ascii_tld_prefix(view, label)?
            && end < run.end
        {
            return Ok(Some(end));
        }
        at += c.len.max(1);
    }
    Ok(None)
}

/// Returns the end of the run without trailing hyphens, if no part of a link follows them: `see http://example.com- it`.
pub(crate) fn without_hyphens(view: &View<'_>, run: &Run) -> Result<Option<usize>, Incomplete> {
    // A reference ends in a semicolon.
    if !matches!(view.text[run.start..run.end].last(), Some(b'-' | b';')) {
        return Ok(None);
    }
    let end = before_hyphens(view, run.start, run.end);
    if end == run.end || end == run.start {
        return Ok(None);
    }
    Ok((!goes_on_after_hyphens(view, run.end)?).then_some(end))
}

/// Returns where the trailing hyphens of the host characters from `start` to `end` begin.
pub(crate) fn before_hyphens(view: &View<'_>, start: usize, mut end: usize) -> usize {
    while let c @ Char { code: 0x2D, .. } = view.prev(end, start) {
        end -= c.len;
    }
    end
}

/// Returns `true` if the text at `at`, after a hyphen, continues the name, either that of a link or a placeholder:
/// `example.com-${x}`, `example.com-<name>`, `example.com-*`.
pub(crate) fn goes_on_after_hyphens(view: &View<'_>, at: usize) -> Result<bool, Incomplete> {
    let after = char::from_u32(view.next(at)?.code);
    Ok(after.is_some_and(|c| "/?#:@[_%${*<".contains(c)))
}

/// Returns `true` if an ASCII host may begin directly after the character. No label has both letters of a script that is
/// written from right to left and ASCII letters (RFC 5893 §2): `وexample.com`, with the word for "and" before it.
pub(crate) fn is_before_host(c: char) -> bool {
    is_unspaced(c) || is_of_right_to_left(c)
}

/// Returns `true` if an ASCII word may begin directly after the character: `メールはinfo`, `메일support`, `לinfo`.
pub(crate) fn is_before_word(c: char) -> bool {
    is_before_host(c) || is_hangul(c)
}

/// Returns `true` if an ASCII host begins directly after the character with this number of digits and this character after
/// them: `来自kernel.org`, `关注36kr.com`, `登录12306.cn`. A single digit is more often that of a label of both, `例え1.jp`; so are
/// digits after a letter of a script that has spaces, `예스24.com`.
pub(crate) fn may_begin_after(c: char, digits: usize, next: Option<char>) -> bool {
    match next {
        Some(next) if next.is_ascii_alphabetic() => is_before_word(c) || is_attached(c),
        None | Some('.') => digits > 1 && is_unspaced(c) || digits > 0 && is_attached(c),
        _ => false,
    }
}

/// Returns `true` if the character belongs to the one before it, and begins neither a host nor an address: a joiner, a
/// variation selector, the frame of a key.
pub(crate) fn is_attached(c: char) -> bool {
    is_joiner(c) || matches!(c, '\u{FE0E}' | '\u{FE0F}' | '\u{20E3}')
}

/// Returns `true` if the character after ASCII letters begins something else: it is neither Latin, as in `größe`, nor a
/// mark that combines with the preceding letter.
pub(crate) fn is_foreign(code: u32) -> bool {
    let Some(c) = char::from_u32(code) else { return false };
    !c.is_ascii() && !is_latin(c) && !is_combining(c)
}

pub(crate) fn is_latin(c: char) -> bool {
    matches!(
        c,
        '\u{AA}' | '\u{BA}'
            | '\u{C0}'..='\u{D6}'
            | '\u{D8}'..='\u{F6}'
            | '\u{F8}'..='\u{2AF}'
            | '\u{1D00}'..='\u{1DBF}'
            | '\u{1E00}'..='\u{1EFF}'
            | '\u{2C60}'..='\u{2C7F}'
            | '\u{A720}'..='\u{A7FF}'
            | '\u{AB30}'..='\u{AB6F}'
            | '\u{FF21}'..='\u{FF3A}'
            | '\u{FF41}'..='\u{FF5A}'
    )
}

/// Returns `true` for marks of no script, and for characters that join two letters or select the shape of one.
fn is_combining(c: char) -> bool {
    matches!(
        c,
        '\u{B7}'
            | '\u{300}'..='\u{36F}'
            | '\u{1AB0}'..='\u{1AFF}'
            | '\u{1DC0}'..='\u{1DFF}'
            | '\u{200C}' | '\u{200D}'
            | '\u{20D0}'..='\u{20FF}'
            | '\u{FE00}'..='\u{FE0F}'
            | '\u{FE20}'..='\u{FE2F}'
            | '\u{E0100}'..='\u{E01EF}'
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_on_as_one_word() {
        for c in ['é', 'ß', 'ö', '\u{308}', 'ｍ', 'a', '\u{200D}'] {
            assert!(!is_foreign(c.into()), "{c}");
        }
        for c in ['和', 'で', '에', 'и', '😀', 'ا', '１'] {
            assert!(is_foreign(c.into()), "{c}");
        }
    }
}
