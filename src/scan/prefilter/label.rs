//! Decides by their bytes whether a top-level domain may begin with the labels after a dot.

use crate::simd::window::{self, WINDOW};
use crate::tables::{opening, tld};

/// Returns `true` if a top-level domain may begin at `label`, by its first letters. Most dots, and especially ideographic
/// ones, are excluded here. Also returns `true` at the end of the text, and after `www.`, whatever the host ends in.
#[inline(always)]
pub(crate) fn may_begin(text: &[u8], label: usize) -> bool {
    may_open(text, label) || is_after_www(text, label)
}

/// Returns `true` if `label` begins with an ASCII letter and `www.` precedes it.
#[inline(always)]
pub(crate) fn is_after_www(text: &[u8], label: usize) -> bool {
    let before = label.checked_sub(2).and_then(|at| text.get(at));
    before.is_some_and(|byte| byte | 0x20 == b'w') && is_www(text, label)
}

#[cold]
fn is_www(text: &[u8], label: usize) -> bool {
    text[..label].last_chunk::<4>().is_some_and(|label| label.eq_ignore_ascii_case(b"www."))
        && text.get(label).is_some_and(u8::is_ascii_alphabetic)
}

#[inline(always)]
fn may_open(text: &[u8], label: usize) -> bool {
    let rest = text.get(label..).unwrap_or_default();
    match rest.first_chunk() {
        Some(bytes) => {
            opening::may_open(u64::from_le_bytes(*bytes))
                && (!opening::is_east_asian(bytes[0]) || may_begin_east_asian(rest))
        }
        None => may_begin_at_edge(rest),
    }
}

/// Like [`may_open`], for the last few bytes of a text; any bytes may follow them.
#[cold]
fn may_begin_at_edge(rest: &[u8]) -> bool {
    let mut bytes = [0xFF; 8];
    for (byte, there) in bytes.iter_mut().zip(rest) {
        *byte = *there;
    }
    opening::is_east_asian(bytes[0]) || opening::may_open(u64::from_le_bytes(bytes))
}

/// Like [`may_open`], where the bytes may be a Han, kana or Hangul character.
#[inline(never)]
fn may_begin_east_asian(rest: &[u8]) -> bool {
    let Some([b0, b1, b2]) = rest.first_chunk() else { return true };
    let bits = |byte: u8| u32::from(byte & 0x3F);
    let code = u32::from(b0 & 0x0F) << 12 | bits(*b1) << 6 | bits(*b2);
    tld::may_open_unicode(code)
        && char::from_u32(code).is_some_and(|c| tld::may_open_east_asian(c, rest))
}

/// Returns `true` if a top-level domain may begin in stored bytes of a legacy encoding at `label`, where an ASCII byte is;
/// non-ASCII bytes after it count as letters.
#[inline]
pub(crate) fn is_promising(bytes: &[u8], label: usize) -> bool {
    may_open(bytes, label) && quick_look(bytes, label) != Quick::None || is_after_www(bytes, label)
}

/// Result of a check of only the ASCII bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Quick {
    /// Not a top-level domain, as after most dots.
    None,
    /// A known domain that ends at this offset, without a host character or a dot after it.
    Known(usize),
    /// The characters must be decoded to decide.
    Unsure,
}

/// Returns whether a top-level domain begins at `label`, where one [may](may_begin), as far as ASCII shows it.
#[inline]
pub(crate) fn quick_look(text: &[u8], label: usize) -> Quick {
    let rest = text.get(label..).unwrap_or_default();
    let [b0, b1, ..] = *rest else { return Quick::Unsure };
    if b0 >= 0x80 || b1 >= 0x80 || b0 == b'&' || b1 == b'&' {
        return Quick::Unsure;
    }
    let len = match rest.first_chunk() {
        Some(window) => window::host_masks(window).simple.trailing_ones() as usize,
        None => WINDOW,
    };
    // It is longer than the mask, or at the text's edge.
    let len = match len {
        WINDOW => rest.iter().take_while(|&&b| is_simple(b)).count(),
        len => len,
    };
    match rest.get(len) {
        // The label or the text continues.
        None | Some(b'_' | b'&' | 0x80..) => Quick::Unsure,
        Some(b'.') if rest.get(len + 1).is_some_and(|&b| is_simple(b)) => Quick::None,
        // Hyphens after a host do not belong to it in prose.
        Some(_) if rest[..len].ends_with(b"-") => Quick::Unsure,
        Some(_) if !tld::is_ascii_tld(&rest[..len]) => Quick::None,
        Some(b'.') => Quick::Unsure,
        Some(_) => Quick::Known(label + len),
    }
}

/// Returns `true` if the byte is an ASCII letter, digit or hyphen.
#[inline]
pub(crate) fn is_simple(byte: u8) -> bool {
    SIMPLE[usize::from(byte)]
}

static SIMPLE: [bool; 256] = {
    let mut simple = [false; 256];
    let mut byte = 0;
    while byte < 128 {
        simple[byte] = (byte as u8).is_ascii_alphanumeric() || byte == b'-' as usize;
        byte += 1;
    }
    simple
};
