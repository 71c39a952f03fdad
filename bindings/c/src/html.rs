//! HTML with its links marked, from text and from HTML.

use std::ffi::c_char;
use std::sync::LazyLock;

use sift::html::{Linkify, linkify, linkify_html};

use crate::border::{fail, guarded, slice};
use crate::linksift_string;
use crate::settings::linksift_finder;

/// HTML options that are used for a NULL finder.
static DEFAULT: LazyLock<Linkify> = LazyLock::new(Linkify::new);

/// Converts `len` bytes of UTF-8 to HTML: all text is escaped, and each link becomes an `a` element
/// whose `href` is its URI. The settings `class`, `target`, `rel`, `newlines` and so on are those of the finder.
///
/// The caller owns the returned text and frees it with `linksift_string_free`. `data` is NULL if
/// `text` is NULL and `len` is not 0, or if the text is not UTF-8.
///
/// # Safety
///
/// `finder` is NULL or came from `linksift_finder_new`; there are `len` bytes at `text`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_to_html(
    finder: *const linksift_finder,
    text: *const c_char,
    len: usize,
) -> linksift_string {
    // SAFETY: by the contract of this function.
    unsafe { made(finder, text, len, linkify) }
}

/// Marks the bare links in `len` bytes of HTML in UTF-8, outside of `a`, `script` and their like;
/// everything else stays unchanged, byte for byte. It does not make unsafe HTML safe.
///
/// Otherwise as `linksift_to_html`.
///
/// # Safety
///
/// As for `linksift_to_html`.
#[cfg(feature = "documents")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_mark_html(
    finder: *const linksift_finder,
    html: *const c_char,
    len: usize,
) -> linksift_string {
    // SAFETY: by the contract of this function.
    unsafe { made(finder, html, len, linkify_html) }
}

/// Returns the result of `make` for a text, owned by the caller.
///
/// # Safety
///
/// As for `linksift_to_html`.
unsafe fn made(
    finder: *const linksift_finder,
    text: *const c_char,
    len: usize,
    make: fn(&str, &Linkify) -> String,
) -> linksift_string {
    guarded(linksift_string::NONE, || {
        // SAFETY: by the contract of this function.
        let Some(bytes) = (unsafe { slice::<u8>(text.cast(), len) }) else {
            fail("text is NULL or longer than memory");
            return linksift_string::NONE;
        };
        let Ok(text) = std::str::from_utf8(bytes) else {
            fail("text is not UTF-8");
            return linksift_string::NONE;
        };
        // SAFETY: by the contract of this function.
        let options = unsafe { finder.as_ref() }.map_or(&*DEFAULT, |finder| &finder.linkify);
        let html = make(text, options);
        let len = html.len();
        let mut html = html.into_bytes();
        html.push(0);
        let data = Box::into_raw(html.into_boxed_slice());
        linksift_string { data: data.cast::<c_char>(), len }
    })
}

/// Frees a text that `linksift_to_html` or `linksift_mark_html` returned; one whose `data` is NULL is ignored.
///
/// # Safety
///
/// `string` came from one of them, and is not used after this.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_string_free(string: linksift_string) {
    if string.data.is_null() {
        return;
    }
    let whole =
        std::ptr::slice_from_raw_parts_mut(string.data.cast_mut().cast::<u8>(), string.len + 1);
    // SAFETY: by the contract of this function it is the box that was given away, with its NUL.
    drop(unsafe { Box::from_raw(whole) });
}
