//! Punctuation: full stops in IDNA, and characters that open or rule off text next to a link.

use super::opening_bracket;

/// Returns `true` if a non-ASCII character counts as the dot between labels.
#[inline]
pub(crate) const fn is_full_stop(c: char) -> bool {
    matches!(c, '\u{3002}' | '\u{FF0E}' | '\u{FF61}')
}

/// Full stop that separates labels of a host in running text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum FullStop {
    /// The ASCII dot, and its fullwidth form.
    Plain,
    /// `。` and `｡`, which also end sentences.
    Ideographic,
}

/// Maximum number of bytes of the local part of an address that a separator joins to a link.
const MAX_LOCAL: usize = 64;

/// Returns where the local part before the at sign at the end of this tail begins, if a separator is before it.
#[inline]
pub(crate) fn separated_local(tail: &[u8]) -> Option<usize> {
    let is_local = |b: &&u8| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'+' | b'-');
    let len = tail.iter().rev().take(MAX_LOCAL).take_while(is_local).count();
    let (before, local) = tail.split_at(tail.len() - len);
    let is_separated = matches!(before.last(), Some(b',' | b';' | b'|'));
    (is_separated && local.first()?.is_ascii_alphanumeric()).then_some(before.len())
}

/// Horizontal ellipsis, which ends a link or is part of one.
pub(crate) const ELLIPSIS: u32 = 0x2026;

/// Returns the kind of dot that the code point is in a host, if it is one.
#[inline]
pub(crate) const fn dot_of_host(code: u32) -> Option<FullStop> {
    match code {
        0x2E | 0xFF0E => Some(FullStop::Plain),
        0x3002 | 0xFF61 => Some(FullStop::Ideographic),
        _ => None,
    }
}

/// `。`, the only one that ends sentences of fullwidth text.
pub(crate) const IDEOGRAPHIC: u32 = 0x3002;

/// Returns the non-ASCII full stop that the bytes, in UTF-8, end with.
#[inline]
pub(crate) const fn full_stop_at_end(bytes: &[u8]) -> Option<u32> {
    match bytes {
        [.., 0xE3, 0x80, 0x82] => Some(0x3002),
        [.., 0xEF, 0xBC, 0x8E] => Some(0xFF0E),
        [.., 0xEF, 0xBD, 0xA1] => Some(0xFF61),
        _ => None,
    }
}

/// Returns `true` if a segment of a path, a query or a fragment begins after this character.
pub(crate) fn begins_segment(c: char) -> bool {
    matches!(c, '/' | '?' | '#' | '&' | '=' | ':' | '_')
}

/// Returns the closing character of a bracket or quotation mark of East Asian width; `None` for other characters.
pub(crate) fn closers_of_wide(code: u32) -> Option<[u32; 2]> {
    let pair = |a: char, b: char| Some([u32::from(a), u32::from(b)]);
    match char::from_u32(code)? {
        '\u{201C}' => pair('\u{201D}', '\u{201D}'),
        '\u{301D}' => pair('\u{301E}', '\u{301F}'),
        '\u{3008}'..='\u{3011}'
        | '\u{3014}'..='\u{301B}'
        | '\u{FF08}'
        | '\u{FF3B}'
        | '\u{FF5B}'
        | '\u{FF5F}'
        | '\u{FF62}' => {
            let closes = |closer: &u32| opening_bracket(*closer) == Some(code);
            let closer = (code + 1..code + 3).find(closes)?;
            Some([closer; 2])
        }
        _ => None,
    }
}

/// Returns `true` for characters that rule off the text next to them, a bar or box-drawing characters; they are removed at
/// the end of a link.
pub(crate) fn is_rule(code: u32) -> bool {
    code == u32::from('|') || (0x2500..=0x259F).contains(&code)
}

#[cfg(test)]
mod tests {
    use super::{dot_of_host, full_stop_at_end, is_full_stop};

    #[test]
    fn full_stops_are_those_that_idna_maps_to_a_dot() {
        let maps = |c: &char| {
            let host = format!("a{c}b");
            !c.is_ascii() && idna::domain_to_ascii(&host).is_ok_and(|ascii| ascii == "a.b")
        };
        let found: Vec<char> = ('\u{80}'..=char::MAX).filter(maps).collect();
        assert_eq!(found, ['\u{3002}', '\u{FF0E}', '\u{FF61}']);
        assert!(('\0'..=char::MAX).filter(|c| is_full_stop(*c)).eq(found.clone()));
        let is_dot = |c: &char| dot_of_host((*c).into()).is_some();
        assert!(('\u{80}'..=char::MAX).filter(is_dot).eq(found.clone()));
        let ends = |c: &char| full_stop_at_end(c.to_string().as_bytes()) == Some((*c).into());
        assert!(('\0'..=char::MAX).filter(ends).eq(found));
    }
}
