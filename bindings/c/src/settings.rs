//! Settings, by the names of the command's options, and the finder that is made with them.

use std::ffi::{c_char, c_int};
use std::sync::{Arc, LazyLock};

#[cfg(feature = "archives")]
use sift::container::Limits;
use sift::html::Linkify;
use sift::{Finder, Hints, SettingError, Settings};

use crate::border::{fail, give, guarded, take, text};
use crate::{
    LINKSIFT_BAD_VALUE, LINKSIFT_NULL, LINKSIFT_OK, LINKSIFT_PANIC, LINKSIFT_UNKNOWN_NAME,
};

/// Settings of a finder, by the names of the command's options.
pub struct linksift_settings {
    pub(crate) settings: Settings,
    opened: Opened,
}

/// Limits of archives; `None` for the library's defaults.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Opened {
    max_depth: Option<u32>,
    max_expansion: Option<u64>,
    max_window: Option<u64>,
}

/// The names of these settings, which are those of the command's options.
const OPENED: [&str; 3] = ["max-depth", "max-expansion", "max-window"];

impl Opened {
    /// Sets a setting by its name; `None` if no setting has the name, `Some(false)` if the setting does not accept the value.
    fn set(&mut self, name: &str, value: &str) -> Option<bool> {
        fn put<T: std::str::FromStr>(to: &mut Option<T>, value: &str) -> bool {
            let number = value.parse().ok();
            let is_number = number.is_some();
            *to = number.or(to.take());
            is_number
        }
        Some(match &*name.replace('_', "-") {
            "max-depth" => put(&mut self.max_depth, value),
            "max-expansion" => put(&mut self.max_expansion, value),
            "max-window" => put(&mut self.max_window, value),
            _ => return None,
        })
    }

    #[cfg(feature = "archives")]
    pub(crate) fn limits(self) -> Limits {
        let limits = Limits::new();
        let limits = self.max_depth.into_iter().fold(limits, Limits::max_depth);
        let limits = self.max_expansion.into_iter().fold(limits, Limits::max_expansion);
        self.max_window.into_iter().fold(limits, Limits::max_window)
    }
}

/// Finds links by its settings; threads may share it.
pub struct linksift_finder {
    pub(crate) finder: Arc<Finder>,
    pub(crate) hints: Hints,
    pub(crate) linkify: Linkify,
    #[cfg_attr(not(feature = "archives"), allow(dead_code, reason = "nothing is opened"))]
    pub(crate) opened: Opened,
}

/// The finder that is used for NULL.
pub(crate) static DEFAULT: LazyLock<Finder> = LazyLock::new(Finder::default);

/// Returns default settings. Free them with `linksift_settings_free`.
#[unsafe(no_mangle)]
pub extern "C" fn linksift_settings_new() -> *mut linksift_settings {
    guarded(std::ptr::null_mut(), || {
        give(linksift_settings { settings: Settings::new(), opened: Opened::default() })
    })
}

/// Sets the setting that the command's option of this name sets, such as `schemes` to `known`, `schemeless` to
/// `no`, `format` to `html`, `charset` to `shift_jis`, `base` to an IRI. Names and values end in NUL.
///
/// With `LINKSIFT_ARCHIVES`: `max-depth` says how many archives and compressions may be inside each other (8),
/// `max-expansion` how many times its stored size something may expand to, beyond 1 GiB a member and 4 GiB an input (2000),
/// `max-window` how many decoded bytes a decoder may keep (134217728).
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
            fail("settings, name or value is NULL or not UTF-8");
            return LINKSIFT_NULL;
        };
        match settings.opened.set(name, value) {
            Some(true) => return LINKSIFT_OK,
            Some(false) => {
                fail(format!("invalid value {value:?} for {name}: not a number, or too large"));
                return LINKSIFT_BAD_VALUE;
            }
            None => {}
        }
        match settings.settings.set(name, value) {
            Ok(()) => LINKSIFT_OK,
            Err(error @ SettingError::UnknownName(_)) => {
                fail(format!("{error}, {}", OPENED.join(", ")));
                LINKSIFT_UNKNOWN_NAME
            }
            Err(error) => {
                fail(error.to_string());
                LINKSIFT_BAD_VALUE
            }
        }
    })
}

/// Frees settings; finders that were made with them stay valid. NULL is ignored.
///
/// # Safety
///
/// `settings` is NULL or came from `linksift_settings_new`, and is not used after this.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_settings_free(settings: *mut linksift_settings) {
    // SAFETY: by the contract of this function.
    unsafe { take(settings) }
}

/// Returns a finder with these settings, which it copies; with the default settings for NULL. Free it with
/// `linksift_finder_free`. Returns NULL only on a defect of linksift.
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
        let opened = settings.map_or_else(Opened::default, |set| set.opened);
        let settings = settings.map_or_else(Settings::new, |set| set.settings.clone());
        let (hints, linkify) = (settings.hints(), settings.html());
        give(linksift_finder { finder: Arc::new(settings.finder()), hints, linkify, opened })
    })
}

/// Frees a finder; links that were started with it stay valid. NULL is ignored.
///
/// # Safety
///
/// `finder` is NULL or came from `linksift_finder_new`, and is not used after this.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_finder_free(finder: *mut linksift_finder) {
    // SAFETY: by the contract of this function.
    unsafe { take(finder) }
}
