//! Settings, by the names of the command's options, and the finder that is made with them.

use std::ffi::{c_char, c_int};
use std::sync::Arc;

use sift::html::Linkify;
use sift::{Finder, Hints, SettingError, Settings};

use crate::border::{fail, give, guarded, take, text};
use crate::{
    LINKSIFT_BAD_VALUE, LINKSIFT_NULL, LINKSIFT_OK, LINKSIFT_PANIC, LINKSIFT_UNKNOWN_NAME,
};

/// What is looked for and how, by the names of the command's options.
pub struct linksift_settings {
    pub(crate) settings: Settings,
}

/// Finds links by its settings; threads may share it.
pub struct linksift_finder {
    pub(crate) finder: Arc<Finder>,
    pub(crate) hints: Hints,
    pub(crate) linkify: Linkify,
}

/// Settings as they are by default. Free them with `linksift_settings_free`.
#[unsafe(no_mangle)]
pub extern "C" fn linksift_settings_new() -> *mut linksift_settings {
    guarded(std::ptr::null_mut(), || give(linksift_settings { settings: Settings::new() }))
}

/// Sets what the command's option of this name sets, such as `schemes` to `known`, `schemeless` to
/// `no`, `format` to `html`, `charset` to `shift_jis`, `base` to an IRI. Names and values end in NUL.
///
/// Returns `LINKSIFT_OK`, or `LINKSIFT_UNKNOWN_NAME`, `LINKSIFT_BAD_VALUE`, `LINKSIFT_NULL`; the
/// settings are then as before, and `linksift_error` says which values there are.
///
/// # Safety
///
/// `settings` is NULL or came from `linksift_settings_new`; `name` and `value` are NULL or end in NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_settings_set(
    settings: *mut linksift_settings,
    name: *const c_char,
    value: *const c_char,
) -> c_int {
    guarded(LINKSIFT_PANIC, || {
        // SAFETY: by the contract of this function.
        let arguments = unsafe { (settings.as_mut(), text(name), text(value)) };
        let (Some(settings), Some(name), Some(value)) = arguments else {
            fail("settings, name or value is NULL, or not UTF-8");
            return LINKSIFT_NULL;
        };
        match settings.settings.set(name, value) {
            Ok(()) => LINKSIFT_OK,
            Err(error) => {
                fail(error.to_string());
                match error {
                    SettingError::UnknownName(_) => LINKSIFT_UNKNOWN_NAME,
                    _ => LINKSIFT_BAD_VALUE,
                }
            }
        }
    })
}

/// Frees settings; finders that were made with them stay. NULL is let be.
///
/// # Safety
///
/// `settings` is NULL or came from `linksift_settings_new`, and is not used after this.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_settings_free(settings: *mut linksift_settings) {
    // SAFETY: by the contract of this function.
    unsafe { take(settings) }
}

/// A finder with these settings; with the default ones for NULL. It copies them. Free it with
/// `linksift_finder_free`. NULL is returned on a defect of linksift alone.
///
/// # Safety
///
/// `settings` is NULL or came from `linksift_settings_new`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_finder_new(
    settings: *const linksift_settings,
) -> *mut linksift_finder {
    guarded(std::ptr::null_mut(), || {
        // SAFETY: by the contract of this function.
        let settings = unsafe { settings.as_ref() };
        let settings = settings.map_or_else(Settings::new, |set| set.settings.clone());
        let (hints, linkify) = (settings.hints(), settings.html());
        give(linksift_finder { finder: Arc::new(settings.finder()), hints, linkify })
    })
}

/// Frees a finder; what it is finding links for goes on. NULL is let be.
///
/// # Safety
///
/// `finder` is NULL or came from `linksift_finder_new`, and is not used after this.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_finder_free(finder: *mut linksift_finder) {
    // SAFETY: by the contract of this function.
    unsafe { take(finder) }
}
