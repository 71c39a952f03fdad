//! Text to HTML with its links marked.

use std::ffi::c_char;

use crate::border::{fail, guarded, slice};
use crate::linksift_string;
use crate::settings::linksift_finder;

/// Makes HTML of `len` bytes of UTF-8: what HTML gives a meaning is escaped, and each link becomes an
/// `a` element whose `href` is its URI. The settings `class`, `target`, `rel`, `newlines` and so on are those of
/// the finder.
///
/// The text that is returned is the caller's, to be freed with `linksift_string_free`. `data` is NULL if
/// `text` is NULL and `len` is not 0, or not UTF-8.
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
    guarded(linksift_string::NONE, || {
        // SAFETY: by the contract of this function.
        let Some(bytes) = (unsafe { slice::<u8>(text.cast(), len) }) else {
            fail("text is NULL");
            return linksift_string::NONE;
        };
        let Ok(text) = std::str::from_utf8(bytes) else {
            fail("text is not UTF-8");
            return linksift_string::NONE;
        };
        // SAFETY: by the contract of this function.
        let html = match unsafe { finder.as_ref() } {
            Some(finder) => finder.settings.linkify(text),
            None => core::Settings::new().linkify(text),
        };
        let len = html.len();
        let mut html = html.into_bytes();
        html.push(0);
        let data = Box::into_raw(html.into_boxed_slice());
        linksift_string { data: data.cast::<c_char>(), len }
    })
}

/// Frees a text that `linksift_to_html` returned; one whose `data` is NULL is let be.
///
/// # Safety
///
/// `string` came from `linksift_to_html`, and is not used after this.
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
