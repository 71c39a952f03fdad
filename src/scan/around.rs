//! Markup and source code around a link, in text that nobody parsed.

use super::view::{Char, More, View};

/// Whether what begins with this character, and goes on at `after`, is no part of a link but of the
/// markup or the source code around it: `</a>`, `<br>`, `[/url]`, `\n` in a string literal, `\fR` in
/// a manual page.
pub(crate) fn is_markup(view: &View<'_>, c: Char, after: usize) -> Result<bool, More> {
    if c.code == u32::from('&') {
        return is_entity(view, after);
    }
    let next = view.next(after)?;
    let behind = after + next.len;
    let first = char::from_u32(next.code);
    if c.code == u32::from('[') {
        return Ok(first == Some('/'));
    }
    if c.code == u32::from('<') {
        if !matches!(first, Some('b' | 'B')) {
            return Ok(first == Some('/'));
        }
        let r = view.next(behind)?;
        let is_r = matches!(char::from_u32(r.code), Some('r' | 'R'));
        let end = char::from_u32(view.next(behind + r.len)?.code);
        return Ok(is_r && matches!(end, Some('>' | '/' | ' ')));
    }
    let is_font = first == Some('f')
        && matches!(char::from_u32(view.next(behind)?.code), Some('R' | 'B' | 'I' | 'P'));
    Ok(matches!(first, Some('n' | 'r' | 't' | '"' | '\'')) || is_font)
}

/// The kind of a quotation mark: a bit that those have in common which open and close each other, zero for
/// what is none.
pub(crate) fn quotation(code: u32) -> u8 {
    match char::from_u32(code) {
        Some('"') => 1,
        Some('\'') => 2,
        Some('“' | '”' | '„') => 4,
        Some('‘' | '’' | '‚') => 8,
        Some('«' | '»') => 16,
        Some('‹' | '›') => 32,
        _ => 0,
    }
}

/// Whether a quotation mark that ends at `at`, and that nothing in the link opened, closes what was opened
/// before the link, by what stands behind it: `"see http://a.com/b","c"`, `alt="at http://a.com/b"/>`.
pub(crate) fn is_closing(view: &View<'_>, at: usize) -> Result<bool, More> {
    let next = view.next(at)?;
    Ok(match char::from_u32(next.code) {
        Some(',' | ';' | ':' | '+') => true,
        Some('/') => view.next(at + next.len)?.code == u32::from('>'),
        _ => false,
    })
}

/// Whether `gt;`, `lt;` or `quot;` stands at `at`, behind an ampersand: what markup writes around a
/// link. `&amp;` goes on.
fn is_entity(view: &View<'_>, at: usize) -> Result<bool, More> {
    for name in [&b"gt;"[..], b"lt;", b"quot;"] {
        let mut n = 0;
        while n < name.len() && view.byte(at + n)? == Some(name[n]) {
            n += 1;
        }
        if n == name.len() {
            return Ok(true);
        }
    }
    Ok(false)
}
