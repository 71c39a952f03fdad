//! Notices: what is not read as a reader of the links may expect.

use std::ffi::c_char;

use crate::border::guarded;
use crate::found::Noticed;
use crate::links::linksift_links;

/// How many notices there are so far about what is searched: a picture, an encoding that is not decoded, a limit that was
/// reached. All are known when `linksift_next` has returned `LINKSIFT_END`.
///
/// # Safety
///
/// `links` is NULL or came from one of the functions that find.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_notice_count(links: *mut linksift_links) -> usize {
    guarded(0, || {
        // SAFETY: by the contract of this function.
        unsafe { links.as_mut() }.map_or(0, |links| links.noticed().len())
    })
}

/// The code of a notice, from 0, such as `media-unread` or `unknown-charset`; valid until `linksift_links_free`.
/// NULL if there are not so many.
///
/// # Safety
///
/// `links` is NULL or came from one of the functions that find.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_notice_code(
    links: *mut linksift_links,
    number: usize,
) -> *const c_char {
    // SAFETY: by the contract of this function.
    unsafe { of_notice(links, number, |noticed| noticed.code.as_ptr()) }
}

/// The member of an archive that a notice is about, as `LINKSIFT_MEMBER` has it; empty if it is about the document
/// itself. Valid as its code is. NULL if there are not so many.
///
/// # Safety
///
/// `links` is NULL or came from one of the functions that find.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_notice_member(
    links: *mut linksift_links,
    number: usize,
) -> *const c_char {
    // SAFETY: by the contract of this function.
    unsafe { of_notice(links, number, |noticed| noticed.member.as_ptr()) }
}

/// What `read` makes of a notice; NULL where there is none.
///
/// # Safety
///
/// `links` is NULL or came from one of the functions that find.
unsafe fn of_notice(
    links: *mut linksift_links,
    number: usize,
    read: impl FnOnce(&Noticed) -> *const c_char,
) -> *const c_char {
    guarded(std::ptr::null(), || {
        // SAFETY: by the contract of this function.
        let Some(links) = (unsafe { links.as_mut() }) else { return std::ptr::null() };
        links.noticed().get(number).map_or(std::ptr::null(), read)
    })
}
