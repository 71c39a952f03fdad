//! The C interface of linksift.
//!
//! A thin border: it checks pointers, catches panics, and returns texts when they are requested. The crate `linksift`
//! finds the links. Every object is opaque, so that it
//! can grow; a new field of a link is a new number for [`linksift_get`].
//!
//! Two threads may use one finder at the same time; a `linksift_links` and a `linksift_settings` belong
//! to one thread at a time.
#![allow(non_camel_case_types, reason = "these are the names that C sees")]

#[cfg(feature = "archives")]
mod archives;
mod border;
mod find;
mod findings;
mod found;
mod html;
mod links;
mod notices;
mod settings;
#[cfg(test)]
mod tests;
mod unit;

pub use find::*;
pub use findings::*;
pub use html::*;
pub use links::*;
pub use notices::*;
pub use settings::*;

use std::ffi::{CString, c_char, c_int};
use std::sync::LazyLock;

/// All went well.
pub const LINKSIFT_OK: c_int = 0;
/// There is no setting of this name.
pub const LINKSIFT_UNKNOWN_NAME: c_int = -1;
/// The setting does not take this value.
pub const LINKSIFT_BAD_VALUE: c_int = -2;
/// A defect of linksift; the call did nothing, and the process goes on.
pub const LINKSIFT_PANIC: c_int = -3;
/// An argument is NULL that must not be.
pub const LINKSIFT_NULL: c_int = -4;

/// Of `linksift_next`: the archive itself cannot be read, or not to its end.
pub const LINKSIFT_UNREADABLE: c_int = -5;

/// A text in UTF-8, with a NUL after its last byte that `len` does not count; `data` is NULL where there
/// is no such text. Who owns it stands with each function that returns one.
#[repr(C)]
#[derive(Clone, Copy)]
pub struct linksift_string {
    /// The first byte.
    pub data: *const c_char,
    /// How many bytes it has.
    pub len: usize,
}

impl linksift_string {
    const NONE: linksift_string = linksift_string { data: std::ptr::null(), len: 0 };
}

/// The version of the library, such as `0.1.0`; static.
#[unsafe(no_mangle)]
pub extern "C" fn linksift_version() -> *const c_char {
    concat!(env!("CARGO_PKG_VERSION"), "\0").as_ptr().cast()
}

/// The version of Unicode by which linksift judges characters, such as `18.0.0`; static.
#[unsafe(no_mangle)]
pub extern "C" fn linksift_unicode_version() -> *const c_char {
    static VERSION: LazyLock<CString> = LazyLock::new(|| {
        let (major, minor, update) = sift::UNICODE_VERSION;
        CString::new(format!("{major}.{minor}.{update}")).unwrap_or_default()
    });
    VERSION.as_ptr()
}

/// Why the last call of this thread that failed did so, in English; empty if none has failed. Valid
/// until the next call of the thread that fails.
#[unsafe(no_mangle)]
pub extern "C" fn linksift_error() -> *const c_char {
    border::last_error()
}

/// The code of the document that the last call of this thread that failed did not read: `archive`, `media`, `table`, `unsupported`,
/// `binary`, `pdf`, `encrypted`, `damaged`, `too-long` or `undecodable`. Empty if it failed for another reason. Valid as long as
/// `linksift_error`.
#[unsafe(no_mangle)]
pub extern "C" fn linksift_error_code() -> *const c_char {
    border::last_code()
}
