//! Removes text before a host without a scheme that does not belong to it: an escape, prose, a rule of hyphens.
//!
//! The input is a run of host characters, the result is the offset at which the host begins.

use super::markup_context::ends_in_written_escape;
use super::sequence::ESC;
use super::view::{Char, Incomplete, View};
use super::{filename, joined};

/// Returns the start of the name without characters before it that do not belong to it: the letter of an escape
/// (`"see\nwww.example.com"`, `"\u89c1www.example.com"`, `\012www.example.com`), a font change of a manual page
/// (`\fBwww.example.com`, `\f5x.com`), a control sequence of a terminal (`ESC[32mexample.com`).
#[inline]
pub(super) fn after_escape(view: &View<'_>, start: usize, end: usize) -> usize {
    match view.text[..start] {
        [.., before, front] if !may_end_escape([before, front]) => start,
        _ => after_any_escape(view, start, end),
    }
}

/// Returns `true` if these two bytes directly before a name may belong to an escape.
#[inline]
pub(super) fn may_end_escape([before, front]: [u8; 2]) -> bool {
    match front {
        b' ' => before.is_ascii_digit(),
        b'\\' | b'(' | b')' | b'[' | b';' | b':' | b'?' | b',' | ESC | COLOUR => true,
        _ => front == 0x9B,
    }
}

#[inline(never)]
fn after_any_escape(view: &View<'_>, start: usize, end: usize) -> usize {
    let after = match view.text[..start] {
        [.., b'\\'] => after_backslash(view, start, end),
        [.., b'('] => match after_string(view, start, end) {
            same if same == start => after_sequence(view, start, end),
            after => after,
        },
        [.., ESC | 0x9B | b'[' | b')' | b';' | b':' | b'?'] | [.., b'0'..=b'9', b' '] => {
            after_sequence(view, start, end)
        }
        [.., COLOUR] | [.., COLOUR, _, b','] | [.., COLOUR, _, _, b','] => {
            after_colour(view, start, end)
        }
        _ => return start,
    };
    if after > start { after_marks(view, after, end) } else { start }
}

/// The control character before the number of a colour in IRC.
const COLOUR: u8 = 0x03;

/// Returns the offset after the number of a colour, of one or two digits: `\x0304www.example.com`, `\x034,12www.example.com`.
fn after_colour(view: &View<'_>, start: usize, end: usize) -> usize {
    let front = &view.text[..start];
    let is_number = match front {
        [.., COLOUR] => true,
        [.., COLOUR, a, b','] => a.is_ascii_digit(),
        [.., a, b, _] => a.is_ascii_digit() && b.is_ascii_digit(),
        _ => false,
    };
    let name = &view.text[start..end];
    let digits = name.iter().take(2).take_while(|byte| byte.is_ascii_digit()).count();
    match name.get(digits) {
        Some(next) if is_number && *next != b'.' => start + digits,
        _ => start,
    }
}

/// Returns the offset after Hebrew punctuation, which no name begins with.
fn after_marks(view: &View<'_>, start: usize, end: usize) -> usize {
    let marks = view.text[start..end].chunks(2);
    start + 2 * marks.take_while(|mark| matches!(mark, [0xD7, 0xB3 | 0xB4])).count()
}

/// Maximum number of bytes of a control sequence's parameters.
const MAX_PARAMETERS: usize = 32;

/// Returns the offset after a control sequence (ECMA-48 §5.4) that ends in the name: `ESC[1;31mme@example.org`,
/// `ESC(Bexample.com`, `\x1b[0mexample.com`. Its parameters may reach into the name, and its final character is the name's
/// first letter.
#[inline(never)]
fn after_sequence(view: &View<'_>, start: usize, end: usize) -> usize {
    let (front, name) = (&view.text[..start], &view.text[start..end]);
    let is_inner = |b: &&u8| matches!(b, b' '..=b'?');
    let inner = front.iter().rev().take(MAX_PARAMETERS).take_while(is_inner).count();
    let (head, parameters) = front.split_at(start - inner);
    let is_escape = |head: &[u8]| head.ends_with(&[ESC]) || ends_in_written_escape(head);
    let bytes = parameters.iter().skip_while(|b| matches!(b, b'0'..=b'?'));
    let (intermediates, are_last) =
        bytes.fold((0, true), |(n, are_last), b| (n + 1, are_last && *b < b'0'));
    if !are_last {
        return start;
    }
    let digits_of_name = || match intermediates {
        0 => name.iter().take_while(|b| b.is_ascii_digit()).count(),
        _ => 0,
    };
    let digits = match head {
        [before @ .., b'['] if is_escape(before) => digits_of_name(),
        [.., 0xC2, 0x9B] => digits_of_name(),
        _ if is_escape(head) && intermediates == parameters.len() => 0,
        _ => return start,
    };
    // A part of the name must remain.
    match name.get(digits..) {
        Some([b'@'..=b'~', next, ..]) if *next != b'.' => start + digits + 1,
        Some([b'0'..=b'9', next, ..]) if digits == 0 && *next != b'.' => start + 1,
        _ => start,
    }
}

fn after_backslash(view: &View<'_>, start: usize, end: usize) -> usize {
    if filename::is_surely_folder(&view.text[..start]) {
        return start;
    }
    let (letters, next) = match &view.text[start..end] {
        [b'f', b'B' | b'I' | b'R' | b'P' | b'0'..=b'9', ..] => return start + 2,
        [b'u', hex @ ..] if is_no_letter(hex.get(..4), 16) => (5, hex.get(4)),
        [b'x', hex @ ..] if is_no_letter(hex.get(..2), 16) => (3, hex.get(2)),
        octal @ [b'0' | b'1', ..] if is_no_letter(octal.get(..3), 8) => (3, octal.get(3)),
        [b'n' | b'r' | b't', next, ..] => (1, Some(next)),
        _ => return start,
    };
    // A part of the label must remain; a dot may be written as a reference.
    let is_label = || view.next(start + letters).is_ok_and(|c| c.code != u32::from('.'));
    if next.is_some_and(|next| *next != b'.') && is_label() { start + letters } else { start }
}

/// Returns `true` if the digits are the code of a punctuation mark, a control or a character of a script without spaces:
/// `\u00e9chec` is a word.
fn is_no_letter(digits: Option<&[u8]>, radix: u32) -> bool {
    let digits = digits.and_then(|digits| str::from_utf8(digits).ok());
    let number = digits.and_then(|digits| u32::from_str_radix(digits, radix).ok());
    number.is_some_and(|code| match u8::try_from(code) {
        Ok(byte) => byte < 0xAA && !byte.is_ascii_alphanumeric(),
        Err(_) => (0x2000..=0x206F).contains(&code) || code >= 0x2E80,
    })
}

/// Returns the offset after a quotation mark of a manual page, which has two letters: `\*(Aqwww.example.com\*(Aq`.
fn after_string(view: &View<'_>, start: usize, end: usize) -> usize {
    let is_escape = [&b"\\("[..], b"\\*("].iter().any(|one| view.text[..start].ends_with(one));
    match &view.text[start..end] {
        [a, b, next, ..] if is_escape && *next != b'.' && GLYPHS.contains(&[*a, *b]) => start + 2,
        _ => start,
    }
}

/// The names of quotation marks in roff.
const GLYPHS: [[u8; 2]; 7] = [*b"Aq", *b"aq", *b"cq", *b"dq", *b"lq", *b"oq", *b"rq"];

/// Returns where the host begins after prose of a script without spaces, or of one written from right to left: at its
/// `www`, or after the last character of that script: `詳しくはwww.example.com`, `来自kernel.org`, `وexample.com`. A label that
/// is in that script up to its end, or up to a digit, belongs to the host: `例え.example.com`, `例え1.jp`.
pub(super) fn after_prose(view: &View<'_>, start: usize, end: usize) -> usize {
    let name = &view.text[start..end];
    if name.iter().all(|&b| b < 0x80 && b != b'&') {
        return start;
    }
    let label = &name[..memchr::memchr(b'.', name).unwrap_or(name.len())];
    // Prose, possibly with hyphens: `論壇----www.example.com`.
    if let Some((before, www)) = label.split_last_chunk::<3>()
        && www.eq_ignore_ascii_case(b"www")
        && (before.last().is_some_and(|b| *b >= 0x80) || before.ends_with(b"--"))
    {
        return start + before.len();
    }
    let (mut at, mut next) = (end, [None; 2]);
    let (mut digits, mut behind) = (0, None);
    loop {
        let c = view.prev(at, start);
        let Some(code) = char::from_u32(c.code) else { return start };
        if !code.is_ascii() {
            return match next {
                _ if joined::may_begin_after(code, digits, behind) => at,
                // `ב-Render.com`
                [Some('-'), Some(letter)]
                    if joined::is_foreign(c.code) && letter.is_ascii_alphabetic() =>
                {
                    at + 1
                }
                _ => after_attached(view, start, end),
            };
        }
        next = [Some(code), next[0]];
        (digits, behind) = match code.is_ascii_digit() {
            true => (digits + 1, behind),
            false => (0, Some(code)),
        };
        at -= c.len;
    }
}

/// Returns the offset after the joiners and variation selectors at `start`, which belong to the character before them:
/// `✉<U+FE0F>me@example.org`.
pub(super) fn after_attached(view: &View<'_>, start: usize, end: usize) -> usize {
    let mut at = start;
    while at < end
        && let Ok(c @ Char { code: 0x80.., .. }) = view.next(at)
        && char::from_u32(c.code).is_some_and(joined::is_attached)
    {
        at += c.len;
    }
    if at < end { at } else { start }
}

/// Returns the start of the name without the flag before a host in a cookie jar: `#HttpOnly_www.example.com`.
#[inline]
pub(super) fn after_cookie_flag(text: &[u8], start: usize, end: usize) -> usize {
    const FLAG: &[u8] = b"HttpOnly_";
    let is_flag = text[..start].last() == Some(&b'#') && text[start..end].starts_with(FLAG);
    if is_flag && start + FLAG.len() < end { start + FLAG.len() } else { start }
}

/// Returns the start of the name without a rule of hyphens before it, and without the dots at which a sentence breaks off:
/// `-----www.example.com-----`, `see...example.com`. Two hyphens begin an option.
pub(super) fn after_rule(
    view: &View<'_>,
    start: usize,
    dot: usize,
    end: usize,
) -> Result<usize, Incomplete> {
    let name = &view.text[start..dot];
    let dots = after_dots(view, start, dot);
    let rest = &name[dots..];
    let hyphens = rest.iter().take_while(|&&b| b == b'-').count();
    let is_rule = hyphens > 2
        || hyphens > 0
            && (view.byte(end)? == Some(b'-') || is_www(&view.text[start + dots + hyphens..end]));
    let len = dots + if is_rule { hyphens } else { 0 };
    // Keep the complete name if nothing would remain of it.
    Ok(if len < name.len() { start + len } else { start })
}

/// Returns the length of a name up to the end of the last two adjacent dots.
fn after_dots(view: &View<'_>, start: usize, end: usize) -> usize {
    let name = &view.text[start..end];
    if !name.contains(&b'&') {
        return name.windows(2).rposition(|two| two == b"..").map_or(0, |at| at + 2);
    }
    let (mut at, mut dots, mut last) = (start, 0, 0);
    while at < end {
        let Ok(c) = view.next(at) else { break };
        at += c.len.max(1);
        if c.code == u32::from('.') && last == c.code {
            dots = at - start;
        }
        last = c.code;
    }
    dots
}

pub(super) fn is_www(host: &[u8]) -> bool {
    host.get(..4).is_some_and(|www| www.eq_ignore_ascii_case(b"www."))
}
