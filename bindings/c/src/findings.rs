//! What of a link deceives, or a reader should know: one finding or more for each of its warnings.

use std::ffi::c_char;

use crate::border::guarded;
use crate::found::Finding;
use crate::links::linksift_links;

/// Returns the number of findings of the current link: features that deceive, or that a reader should know.
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

/// Returns the code of a finding of the current link, such as `host-mixed-script`; valid
/// until `linksift_next` or `linksift_links_free`. Findings are counted from 0. NULL if there are fewer findings.
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

/// Returns the severity of a finding: `note`, `suspect` or `deceptive`; valid as long as the
/// code. NULL if there are fewer findings.
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

/// Returns one English sentence about a finding, for the person who reads the link; valid as long as the code, which is the
/// key for translations. NULL if there are fewer findings.
///
/// # Safety
///
/// `links` is NULL or came from one of the functions that find.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_finding_sentence(
    links: *mut linksift_links,
    number: usize,
) -> *const c_char {
    // SAFETY: by the contract of this function.
    unsafe { of_finding(links, number, std::ptr::null(), |finding| finding.sentence.as_ptr()) }
}

/// Returns the byte of `LINKSIFT_IRI` at which a finding begins; 0 if there are fewer findings.
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

/// Returns the byte of `LINKSIFT_IRI` at which a finding ends; 0 if there are fewer findings.
///
/// # Safety
///
/// `links` is NULL or came from one of the functions that find.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_finding_end(links: *mut linksift_links, number: usize) -> usize {
    // SAFETY: by the contract of this function.
    unsafe { of_finding(links, number, 0, |finding| finding.range.end) }
}

/// Returns the result of `read` for a finding; `none` if there are fewer findings.
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
