//! What of a link deceives, or a reader should know: one finding or more for each of its warnings.

use std::ffi::c_char;

use crate::border::guarded;
use crate::found::Finding;
use crate::links::linksift_links;

/// How many findings the current link has: what of it deceives, or a reader should know.
///
/// # Safety
///
/// `links` is NULL or came from one of the functions that find.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_finding_count(links: *mut linksift_links) -> usize {
    guarded(0, || {
        // SAFETY: by the contract of this function.
        unsafe { links.as_mut() }.and_then(linksift_links::findings).map_or(0, |all| all.len())
    })
}

/// The code of a finding of the current link, from 0, such as `host-mixed-script`; valid
/// until `linksift_next` or `linksift_links_free`. NULL if there are not so many.
///
/// # Safety
///
/// `links` is NULL or came from one of the functions that find.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_finding_code(
    links: *mut linksift_links,
    number: usize,
) -> *const c_char {
    // SAFETY: by the contract of this function.
    unsafe { of_finding(links, number, std::ptr::null(), |finding| finding.code.as_ptr()) }
}

/// The severity of a finding: `note`, `suspect` or `deceptive`; valid as its
/// code is. NULL if there are not so many.
///
/// # Safety
///
/// `links` is NULL or came from one of the functions that find.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_finding_severity(
    links: *mut linksift_links,
    number: usize,
) -> *const c_char {
    // SAFETY: by the contract of this function.
    unsafe { of_finding(links, number, std::ptr::null(), |finding| finding.severity.as_ptr()) }
}

/// Where a finding begins in `LINKSIFT_IRI`, in bytes; 0 if there are not so many.
///
/// # Safety
///
/// `links` is NULL or came from one of the functions that find.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_finding_start(
    links: *mut linksift_links,
    number: usize,
) -> usize {
    // SAFETY: by the contract of this function.
    unsafe { of_finding(links, number, 0, |finding| finding.range.start) }
}

/// Where a finding ends in `LINKSIFT_IRI`, in bytes; 0 if there are not so many.
///
/// # Safety
///
/// `links` is NULL or came from one of the functions that find.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_finding_end(links: *mut linksift_links, number: usize) -> usize {
    // SAFETY: by the contract of this function.
    unsafe { of_finding(links, number, 0, |finding| finding.range.end) }
}

/// What `read` makes of a finding; `none` where there is none.
///
/// # Safety
///
/// `links` is NULL or came from one of the functions that find.
unsafe fn of_finding<T: Copy>(
    links: *mut linksift_links,
    number: usize,
    none: T,
    read: impl FnOnce(&Finding) -> T,
) -> T {
    guarded(none, || {
        // SAFETY: by the contract of this function.
        let findings = unsafe { links.as_mut() }.and_then(linksift_links::findings);
        findings.and_then(|all| all.get(number)).map_or(none, read)
    })
}
