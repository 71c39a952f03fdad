//! Where links are looked for: a text in UTF-8 or UTF-16, a document, a message.

use std::ffi::{c_char, c_uint};
use std::sync::{Arc, LazyLock};

#[cfg(feature = "archives")]
use sift::NotRead;
use sift::{Charset, Detected, Finder, Format, Hints, Settings};

#[cfg(feature = "archives")]
use crate::archives::Archive;
use crate::border::{fail, fail_unread, guarded, slice};
use crate::links::{lent, linksift_links};
use crate::settings::{Opened, linksift_finder};
use crate::unit::Unit;

/// Gives rejected candidates too, in their order among the links.
pub const LINKSIFT_REJECTED: c_uint = 1;
/// Counts lines and columns, for `linksift_line` and `linksift_column`.
pub const LINKSIFT_POSITIONS: c_uint = 2;
/// For `linksift_find`: offsets are characters (code points), as GTK counts them, instead of bytes.
pub const LINKSIFT_CHARACTERS: c_uint = 4;
/// For `linksift_find_document` and `linksift_find_message`: opens compressed documents, archives, and archives that are
/// attached to a message. Offsets are bytes of the document that `LINKSIFT_MEMBER` names.
pub const LINKSIFT_ARCHIVES: c_uint = 8;

/// The encoding of a text is known: its first bytes are not interpreted as a byte order mark.
static UTF_8: LazyLock<Detected> = LazyLock::new(|| known(Charset::UTF_8));
static UTF_16: LazyLock<Detected> = LazyLock::new(|| {
    let label = if cfg!(target_endian = "little") { "utf-16le" } else { "utf-16be" };
    known(label.parse().unwrap_or(Charset::UTF_8))
});

fn known(charset: Charset) -> Detected {
    let Ok(detected) = Detected::of_document(b"", &Hints::new().charset(charset)) else {
        unreachable!("an empty document declares nothing")
    };
    detected
}

/// Finds links in `len` bytes of UTF-8. Offsets are bytes. A sequence that is not UTF-8 ends a link.
///
/// `finder` may be NULL for the default settings. `text` must stay unchanged until `linksift_links_free`;
/// it may be NULL if `len` is 0. `flags`: `LINKSIFT_REJECTED`, `LINKSIFT_POSITIONS`,
/// `LINKSIFT_CHARACTERS`. NULL is returned if `text` is NULL and `len` is not 0.
///
/// # Safety
///
/// `finder` is NULL or came from `linksift_finder_new`; there are `len` bytes at `text`, which stay as
/// they are until the links are freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_find(
    finder: *const linksift_finder,
    text: *const c_char,
    len: usize,
    flags: c_uint,
) -> *mut linksift_links {
    guarded(std::ptr::null_mut(), || {
        // SAFETY: by the contract of this function.
        let Some(bytes) = (unsafe { slice::<u8>(text.cast(), len) }) else {
            return null("text");
        };
        let given = finder;
        // SAFETY: by the contract of this function.
        let finder = unsafe { shared(given) };
        let unit = match flags & LINKSIFT_CHARACTERS {
            0 => Unit::Byte,
            _ => Unit::character(bytes),
        };
        if flags & LINKSIFT_POSITIONS == 0 {
            return linksift_links::of_text(finder, bytes, unit, is_all(flags));
        }
        // SAFETY: by the contract of this function.
        let hints = unsafe { hints(given) };
        let hints = hints.format(Format::Text).detected(UTF_8.clone()).positions(true);
        links(finder, bytes, &hints, unit, flags)
    })
}

/// Finds links in `len` units of UTF-16 in the byte order of the machine. Offsets are units.
///
/// `LINKSIFT_CHARACTERS` is ignored. An unpaired surrogate ends a link. The setting `max-link` counts bytes, of which a unit has
/// two: by default a link has up to 32,768 units. Otherwise as `linksift_find`.
///
/// # Safety
///
/// `finder` is NULL or came from `linksift_finder_new`; there are `len` units at `text`, which stay as
/// they are until the links are freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_find_utf16(
    finder: *const linksift_finder,
    text: *const u16,
    len: usize,
    flags: c_uint,
) -> *mut linksift_links {
    guarded(std::ptr::null_mut(), || {
        if text.is_null() && len > 0 || len > isize::MAX as usize / 2 {
            return null("text");
        }
        // SAFETY: by the contract of this function; each unit is two bytes.
        let Some(bytes) = (unsafe { slice::<u8>(text.cast(), 2 * len) }) else {
            return null("text");
        };
        // SAFETY: by the contract of this function.
        let hints = unsafe { hints(finder) }.format(Format::Text).detected(UTF_16.clone());
        let hints = hints.positions(flags & LINKSIFT_POSITIONS != 0);
        // SAFETY: by the contract of this function.
        links(unsafe { shared(finder) }, bytes, &hints, Unit::Utf16, flags)
    })
}

/// Finds links in a document of `len` bytes: HTML, XML, CSS, JSON, CSV, Markdown or text, in any
/// charset. Offsets are stored bytes.
///
/// Format, charset, base and name are those of the finder's settings (`format`, `charset`, `base`,
/// `name`); by default the format and the charset are detected. NULL is returned if `bytes` is NULL and `len` is not 0, and if
/// nothing of the document is read, since it is a picture, an archive that is not opened, or encrypted, or declares a charset that
/// cannot be decoded: `linksift_error_code` says which.
///
/// With `LINKSIFT_ARCHIVES` a thread reads `bytes` until the links are freed, and waits while enough links are
/// ready, so that memory is bounded whatever the archive contains. NULL is then also returned if the beginning cannot be read. The
/// settings `max-depth`, `max-expansion` and `max-window` limit the archives that are opened.
///
/// # Safety
///
/// As for `linksift_find`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_find_document(
    finder: *const linksift_finder,
    bytes: *const u8,
    len: usize,
    flags: c_uint,
) -> *mut linksift_links {
    guarded(std::ptr::null_mut(), || {
        // SAFETY: by the contract of this function.
        let Some(slice) = (unsafe { slice(bytes, len) }) else { return null("bytes") };
        // SAFETY: by the contract of this function.
        let (hints, opened, finder) = unsafe { (hints(finder), opened(finder), shared(finder)) };
        stored(finder, slice, hints, opened, flags)
    })
}

/// Finds links in a message (RFC 5322) of `len` bytes: in the header fields that the setting `headers` selects,
/// and in each part. Offsets are stored bytes, before transfer decoding; `LINKSIFT_PART`,
/// `LINKSIFT_TRANSFER` and `LINKSIFT_MESSAGE_ID` tell where a link is.
///
/// Otherwise as `linksift_find_document`.
///
/// # Safety
///
/// As for `linksift_find`.
#[cfg(feature = "documents")]
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_find_message(
    finder: *const linksift_finder,
    bytes: *const u8,
    len: usize,
    flags: c_uint,
) -> *mut linksift_links {
    guarded(std::ptr::null_mut(), || {
        // SAFETY: by the contract of this function.
        let Some(slice) = (unsafe { slice(bytes, len) }) else { return null("bytes") };
        // SAFETY: by the contract of this function.
        let (hints, opened, finder) = unsafe { (hints(finder), opened(finder), shared(finder)) };
        stored(finder, slice, hints.format(Format::Email), opened, flags)
    })
}

/// Returns the finder that C passes; `None`, the default finder, for NULL.
///
/// # Safety
///
/// `finder` is NULL or came from `linksift_finder_new`.
unsafe fn shared(finder: *const linksift_finder) -> Option<Arc<Finder>> {
    // SAFETY: by the contract of this function.
    unsafe { finder.as_ref() }.map(|given| given.finder.clone())
}

/// Returns the hints that a finder's settings have for a document.
///
/// # Safety
///
/// `finder` is NULL or came from `linksift_finder_new`.
unsafe fn hints(finder: *const linksift_finder) -> Hints {
    // A text takes less time than the settings that are made for it.
    static DEFAULT: LazyLock<Hints> = LazyLock::new(|| Settings::new().hints());
    // SAFETY: by the contract of this function.
    let given = unsafe { finder.as_ref() };
    given.map_or(&*DEFAULT, |given| &given.hints).clone()
}

/// Returns the limits that a finder's settings have for archives.
///
/// # Safety
///
/// `finder` is NULL or came from `linksift_finder_new`.
unsafe fn opened(finder: *const linksift_finder) -> Opened {
    // SAFETY: by the contract of this function.
    unsafe { finder.as_ref() }.map_or_else(Opened::default, |given| given.opened)
}

/// Returns the links of stored bytes that are read as the hints say.
#[cfg_attr(not(feature = "archives"), allow(unused_variables, reason = "nothing is opened"))]
fn stored(
    finder: Option<Arc<Finder>>,
    bytes: &'static [u8],
    hints: Hints,
    opened: Opened,
    flags: c_uint,
) -> *mut linksift_links {
    let hints = hints.positions(flags & LINKSIFT_POSITIONS != 0);
    #[cfg(feature = "archives")]
    if flags & LINKSIFT_ARCHIVES != 0 {
        let unread = lent(finder.as_ref()).document(bytes, &hints).err();
        if let Some(reason) = unread.filter(|reason| *reason != NotRead::Archive) {
            fail_unread(&reason);
            return std::ptr::null_mut();
        }
        return match Archive::begin(
            lent(finder.as_ref()),
            bytes,
            hints,
            opened.limits(),
            is_all(flags),
        ) {
            Ok(archive) => linksift_links::of_archive(finder, archive),
            Err(reason) => {
                fail(reason);
                std::ptr::null_mut()
            }
        };
    }
    links(finder, bytes, &hints, Unit::Byte, flags)
}

fn links(
    finder: Option<Arc<Finder>>,
    bytes: &'static [u8],
    hints: &Hints,
    unit: Unit,
    flags: c_uint,
) -> *mut linksift_links {
    match linksift_links::of_document(finder, bytes, hints, unit, is_all(flags)) {
        Ok(links) => links,
        Err(reason) => {
            fail_unread(&reason);
            std::ptr::null_mut()
        }
    }
}

/// Whether rejected candidates are reported too.
fn is_all(flags: c_uint) -> bool {
    flags & LINKSIFT_REJECTED != 0
}

fn null<T>(name: &str) -> *mut T {
    fail(format!("{name} is NULL or longer than memory"));
    std::ptr::null_mut()
}
