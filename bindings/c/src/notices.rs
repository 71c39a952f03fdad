//! Notices: documents and parts that are not read as the caller may expect.

use std::ffi::c_char;

use crate::border::guarded;
use crate::found::Noticed;
use crate::links::linksift_links;

/// Returns the number of notices so far: a picture that is not read, an encoding that is not decoded, a limit that was
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

/// Returns the code of a notice, such as `media-unread` or `unknown-charset`; valid until `linksift_links_free`.
/// Notices are counted from 0. NULL if there are fewer notices.
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

/// Returns the member of an archive that a notice is about, as `LINKSIFT_MEMBER` has it; empty if it is about the document
/// itself. Valid as long as the code. NULL if there are fewer notices.
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

/// Returns the part of a message that a notice is about, as `LINKSIFT_PART` has it; empty if it is about the document or the
/// member itself. Valid as long as the code. NULL if there are fewer notices.
///
/// # Safety
///
/// `links` is NULL or came from one of the functions that find.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_notice_part(
    links: *mut linksift_links,
    number: usize,
) -> *const c_char {
    // SAFETY: by the contract of this function.
    unsafe { of_notice(links, number, |noticed| noticed.part.as_ptr()) }
}

/// Returns the result of `read` for a notice; NULL if there are fewer notices.
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
