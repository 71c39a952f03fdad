//! What each entry does first: pointers become references, a panic becomes a code.

use std::any::Any;
use std::cell::RefCell;
use std::ffi::{CStr, CString, c_char};
use std::panic::{AssertUnwindSafe, catch_unwind};

use sift::NotRead;

thread_local! {
    static LAST: RefCell<(CString, CString)> = RefCell::default();
}

/// Stores the reason why a call fails.
pub(crate) fn fail(why: impl Into<Vec<u8>>) {
    fail_as("", why);
}

/// Stores the reason why a document is not read.
pub(crate) fn fail_unread(reason: &NotRead) {
    fail_as(reason.as_str(), reason.to_string());
}

fn fail_as(code: &str, why: impl Into<Vec<u8>>) {
    let text = |mut bytes: Vec<u8>| {
        bytes.retain(|byte| *byte != 0);
        CString::new(bytes).unwrap_or_default()
    };
    LAST.with(|last| *last.borrow_mut() = (text(code.into()), text(why.into())));
}

pub(crate) fn last_error() -> *const c_char {
    LAST.with(|last| last.borrow().1.as_ptr())
}

pub(crate) fn last_code() -> *const c_char {
    LAST.with(|last| last.borrow().0.as_ptr())
}

/// Runs `body`; `failed` if it panics.
pub(crate) fn guarded<T>(failed: T, body: impl FnOnce() -> T) -> T {
    match catch_unwind(AssertUnwindSafe(body)) {
        Ok(value) => value,
        Err(panic) => {
            fail(said(&*panic));
            failed
        }
    }
}

/// Returns the message of a panic.
pub(crate) fn said(panic: &(dyn Any + Send)) -> String {
    let said = panic.downcast_ref::<&str>().map(|said| said.to_string());
    let said = said.or_else(|| panic.downcast_ref::<String>().cloned());
    format!("a defect of linksift: {}", said.unwrap_or_default())
}

/// Returns the elements that C lends; `None` if no array can have `len` elements.
///
/// # Safety
///
/// `data` is NULL, or there are `len` elements there, which stay as they are for `'a`.
pub(crate) unsafe fn slice<'a, T>(data: *const T, len: usize) -> Option<&'a [T]> {
    match (data.is_null(), len) {
        (true, 0) => Some(&[]),
        (true, _) => None,
        // Such a length is a negative number that was cast.
        (false, _) if len > isize::MAX as usize / size_of::<T>() => None,
        // SAFETY: by the contract of this function.
        (false, _) => Some(unsafe { std::slice::from_raw_parts(data, len) }),
    }
}

/// A text that C lends, up to its NUL; `None` for NULL, and where it is not UTF-8.
///
/// # Safety
///
/// `text` is NULL or ends in NUL, and stays as it is for `'a`.
pub(crate) unsafe fn text<'a>(text: *const c_char) -> Option<&'a str> {
    if text.is_null() {
        return None;
    }
    // SAFETY: by the contract of this function.
    unsafe { CStr::from_ptr(text) }.to_str().ok()
}

/// Hands an object over to C.
pub(crate) fn give<T>(object: T) -> *mut T {
    Box::into_raw(Box::new(object))
}

/// Takes an object back from C, and drops it.
///
/// # Safety
///
/// `object` is NULL or came from [`give`], and nobody uses it any more.
pub(crate) unsafe fn take<T>(object: *mut T) {
    if !object.is_null() {
        // SAFETY: by the contract of this function.
        guarded((), || drop(unsafe { Box::from_raw(object) }));
    }
}
