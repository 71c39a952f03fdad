//! linksift as WebAssembly: C-style exports that `linksift.js` calls.
//!
//! Texts come in through memory that [`linksift_alloc`] lends; what is found goes out as one block (see
//! [`block`]), whose place [`linksift_rows`] tells, and a text as the bytes that [`linksift_result`] and
//! [`linksift_result_len`] tell, until the next call. There is one thread, so the state between two calls is a thread-local.

mod block;

use std::cell::RefCell;
#[cfg(feature = "archives")]
use std::ops::ControlFlow;

use block::{Block, Memory};
#[cfg(feature = "archives")]
use linksift::Event;
#[cfg(feature = "archives")]
use linksift::container::Opening;
#[cfg(feature = "archives")]
use linksift::files::{Options, scan_one};
use linksift::html::{Linkify, linkify, linkify_html};
use linksift::{Candidate, Finder, Format, Hints, NotRead, Settings};

/// What a call leaves for the caller.
#[derive(Default)]
struct State {
    result: Vec<u8>,
    found: Memory,
    finders: Vec<Option<Made>>,
}

/// What settings come to.
struct Made {
    finder: Finder,
    hints: Hints,
    linkify: Linkify,
}

thread_local! {
    static STATE: RefCell<State> = RefCell::default();
}

/// Lends `len` bytes that the caller may write to.
#[unsafe(no_mangle)]
pub extern "C" fn linksift_alloc(len: usize) -> *mut u8 {
    Box::into_raw(vec![0u8; len].into_boxed_slice()).cast()
}

/// Takes back what [`linksift_alloc`] lent.
///
/// # Safety
///
/// `at` came from `linksift_alloc(len)`, and is not used after this.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_free(at: *mut u8, len: usize) {
    // SAFETY: by the contract of this function.
    drop(unsafe { Box::from_raw(std::ptr::slice_from_raw_parts_mut(at, len)) });
}

/// Where the numbers are of what the last call found, if it found something.
#[unsafe(no_mangle)]
pub extern "C" fn linksift_rows() -> *const u32 {
    STATE.with_borrow(|state| state.found.rows().as_ptr())
}

/// Where the result of the last call is.
#[unsafe(no_mangle)]
pub extern "C" fn linksift_result() -> *const u8 {
    STATE.with_borrow(|state| state.result.as_ptr())
}

/// How many bytes the result of the last call has.
#[unsafe(no_mangle)]
pub extern "C" fn linksift_result_len() -> usize {
    STATE.with_borrow(|state| state.result.len())
}

/// Makes a finder of names and values, each with a NUL after it; its number, or a negative one where a
/// setting is wrong: -1 a name, -2 a value, with the reason as the result.
///
/// # Safety
///
/// There are `len` bytes at `at`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_finder(at: *const u8, len: usize) -> i32 {
    // SAFETY: by the contract of this function.
    let bytes = unsafe { lent(at, len) };
    let text = String::from_utf8_lossy(bytes);
    let mut words = text.split_terminator('\0');
    let mut settings = Settings::new();
    while let (Some(name), Some(value)) = (words.next(), words.next()) {
        if let Err(error) = settings.set(name, value) {
            leave(error.to_string().into_bytes());
            let is_name = matches!(error, linksift::SettingError::UnknownName(_));
            return if is_name { -1 } else { -2 };
        }
    }
    STATE.with_borrow_mut(|state| {
        let free = state.finders.iter().position(Option::is_none);
        let number = free.unwrap_or(state.finders.len());
        if free.is_none() {
            state.finders.push(None);
        }
        state.finders[number] = Some(Made {
            finder: settings.finder(),
            hints: settings.hints(),
            linkify: settings.html(),
        });
        number as i32
    })
}

/// Frees a finder; a number that is none is let be.
#[unsafe(no_mangle)]
pub extern "C" fn linksift_finder_free(number: usize) {
    STATE.with_borrow_mut(|state| {
        if let Some(finder) = state.finders.get_mut(number) {
            *finder = None;
        }
    });
}

/// Looks for links in UTF-8; places in the block are units of UTF-16. `flags` are [`REJECTED`] and [`ASCII`]. Returns how
/// many there are, or -1 for an unknown finder.
///
/// # Safety
///
/// There are `len` bytes at `at`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_find(
    number: usize,
    at: *const u8,
    len: usize,
    flags: u32,
) -> i32 {
    // SAFETY: by the contract of this function.
    let text = unsafe { lent(at, len) };
    with_finder(number, |made, memory| {
        let is_ascii = flags & ASCII != 0;
        if flags & REJECTED == 0 {
            let mut links = made.finder.links_in(text);
            // Most texts have none: nothing is made for them.
            let Some(first) = links.next() else { return Ok((0, memory.emptied())) };
            let mut block = Block::of_text(text, is_ascii, memory);
            block.push(&Candidate::Link(first));
            links.for_each(|link| block.push(&Candidate::Link(link)));
            return Ok(block.finish());
        }
        let mut block = Block::of_text(text, is_ascii, memory);
        made.finder.candidates_in(text).for_each(|found| block.push(&found));
        Ok(block.finish())
    })
}

/// Gives rejected candidates too.
const REJECTED: u32 = 1;
/// Of `linksift_find`: the text is ASCII, of which bytes are units.
const ASCII: u32 = 2;
/// Of `linksift_document`: it is a message.
const MESSAGE: u32 = 2;
/// The same: what is compressed or an archive is opened, and what of it is attached to a message; places are bytes of
/// the member then.
const ARCHIVES: u32 = 4;

/// Looks for links in a document; places are its bytes. `flags` are those above. Returns how
/// many there are, -1 for an unknown finder, -3 where nothing of the document is read, with the code, a NUL and the reason
/// as the result.
///
/// # Safety
///
/// There are `len` bytes at `at`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_document(
    number: usize,
    at: *const u8,
    len: usize,
    flags: u32,
) -> i32 {
    // SAFETY: by the contract of this function.
    let bytes = unsafe { lent(at, len) };
    with_finder(number, |made, memory| {
        let mut hints = made.hints.clone();
        if flags & MESSAGE != 0 {
            hints = hints.format(Format::Email);
        }
        let mut block = Block::of_bytes(memory);
        let candidates = made.finder.document(bytes, &hints);
        if flags & ARCHIVES != 0 {
            match candidates.err() {
                None | Some(NotRead::Archive) => {}
                Some(reason) => return Err(unread(&reason)),
            }
            archives(&mut block, made, hints, bytes, flags & REJECTED != 0)?;
            return Ok(block.finish());
        }
        let mut candidates = candidates.map_err(|reason| unread(&reason))?;
        macro_rules! push_notices {
            ($found:ident) => {
                for notice in $found.notices() {
                    block.push_noticed("", $found.notice_part(notice), notice);
                }
            };
        }
        match flags & REJECTED {
            0 => {
                let mut links = candidates.links();
                links.by_ref().for_each(|link| block.push(&Candidate::Link(link)));
                push_notices!(links);
            }
            _ => {
                candidates.by_ref().for_each(|found| block.push(&found));
                push_notices!(candidates);
            }
        }
        Ok(block.finish())
    })
}

/// Makes HTML of a text in UTF-8, its links marked, or with `html` other than 0 marks the bare links of HTML;
/// the HTML is the result. Returns 0, or -1 for an unknown finder.
///
/// # Safety
///
/// There are `len` bytes at `at`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_html(number: usize, at: *const u8, len: usize, html: u32) -> i32 {
    // SAFETY: by the contract of this function.
    let text = String::from_utf8_lossy(unsafe { lent(at, len) });
    let html = STATE.with_borrow(|state| {
        let made = state.finders.get(number)?.as_ref()?;
        let make = if html == 0 { linkify } else { linkify_html };
        Some(make(&text, &made.linkify))
    });
    match html {
        None => -1,
        Some(html) => {
            leave(html.into_bytes());
            0
        }
    }
}

/// Makes the form of a URI in UTF-8 that people read: the result. Returns 0, or -1 if it is none.
///
/// # Safety
///
/// There are `len` bytes at `at`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linksift_display(at: *const u8, len: usize) -> i32 {
    // SAFETY: by the contract of this function.
    let uri = String::from_utf8_lossy(unsafe { lent(at, len) });
    match linksift::iri::IriRef::parse(&uri) {
        Ok(parsed) => {
            leave(parsed.display().into_bytes());
            0
        }
        Err(_) => -1,
    }
}

/// All that comes of bytes that may be an archive.
#[cfg(feature = "archives")]
fn archives(
    block: &mut Block<'_>,
    made: &Made,
    hints: Hints,
    bytes: &[u8],
    is_all: bool,
) -> Result<(), String> {
    let options = Options::new().finder(made.finder.clone()).hints(hints);
    let _ = scan_one(Opening::bytes(bytes), &options, |event| {
        match event {
            Event::Link { link, .. } => block.push(&Candidate::Link(link)),
            Event::Rejected { rejected, .. } if is_all => {
                block.push(&Candidate::Rejected(rejected))
            }
            Event::Noticed { member, part, notice, .. } => {
                block.push_noticed(member.as_str(), part, notice);
            }
            Event::Failed { member, error, .. } => {
                block.push_failed(member.as_str(), error.as_str());
            }
            _ => {}
        }
        ControlFlow::Continue(())
    });
    Ok(())
}

#[cfg(not(feature = "archives"))]
fn archives(_: &mut Block<'_>, _: &Made, _: Hints, _: &[u8], _: bool) -> Result<(), String> {
    Err("this module was built without archives".to_owned())
}

/// Leaves what a finder finds: it is given the memory of the last block, and returns how many rows there are with theirs.
fn with_finder(
    number: usize,
    find: impl FnOnce(&Made, Memory) -> Result<(usize, Memory), String>,
) -> i32 {
    STATE.with_borrow_mut(|state| {
        let Some(Some(made)) = state.finders.get(number) else { return -1 };
        match find(made, std::mem::take(&mut state.found)) {
            Ok((count, memory)) => {
                state.found = memory;
                count as i32
            }
            Err(reason) => {
                state.result = reason.into_bytes();
                -3
            }
        }
    })
}

/// Why nothing of a document is read, for JavaScript.
fn unread(reason: &NotRead) -> String {
    format!("{}\0{reason}", reason.as_str())
}

fn leave(result: Vec<u8>) {
    STATE.with_borrow_mut(|state| state.result = result);
}

/// The bytes that the caller wrote.
///
/// # Safety
///
/// There are `len` bytes at `at`, and they stay as they are during the call.
unsafe fn lent<'a>(at: *const u8, len: usize) -> &'a [u8] {
    match len {
        0 => &[],
        // SAFETY: by the contract of this function.
        _ => unsafe { std::slice::from_raw_parts(at, len) },
    }
}
