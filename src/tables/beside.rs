//! Characters that open or rule off text next to a link in prose.

use super::opening_bracket;

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
