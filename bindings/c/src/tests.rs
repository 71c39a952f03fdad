//! What cannot be seen from C: that a panic is caught, and that the header is what the code says.

use std::path::Path;

use crate::border::guarded;
use crate::*;

#[test]
fn a_panic_stops_at_the_border() {
    let hook = std::panic::take_hook();
    std::panic::set_hook(Box::new(|_| {}));
    let code = guarded(LINKSIFT_PANIC, || panic!("on purpose"));
    std::panic::set_hook(hook);
    assert_eq!(code, LINKSIFT_PANIC);
    // SAFETY: the text of this thread, which ends in NUL.
    let said = unsafe { std::ffi::CStr::from_ptr(linksift_error()) };
    assert!(said.to_str().is_ok_and(|said| said.contains("on purpose")));
}

/// The places of all links and rejected candidates, with the bytes that they are in `text`.
fn places(links: *mut linksift_links) -> Vec<(usize, usize)> {
    let mut places = Vec::new();
    // SAFETY: `links` was just made, and its text lives in the caller.
    unsafe {
        while linksift_next(links) > 0 {
            places.push((linksift_start(links) as usize, linksift_end(links) as usize));
        }
        linksift_links_free(links);
    }
    places
}

#[test]
fn places_agree_in_bytes_characters_and_utf16() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/text");
    let mut seen = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let Ok(text) = std::fs::read_to_string(file.unwrap().path()) else { continue };
        let units: Vec<u16> = text.encode_utf16().collect();
        let finder = std::ptr::null();
        // SAFETY: the texts live until the links are freed.
        let [bytes, characters, utf16] = unsafe {
            [
                linksift_find(finder, text.as_ptr().cast(), text.len(), LINKSIFT_REJECTED),
                linksift_find(
                    finder,
                    text.as_ptr().cast(),
                    text.len(),
                    LINKSIFT_REJECTED | LINKSIFT_CHARACTERS,
                ),
                linksift_find_utf16(finder, units.as_ptr(), units.len(), LINKSIFT_REJECTED),
            ]
        };
        let bytes = places(bytes);
        seen += bytes.len();
        let expected: Vec<_> = bytes
            .iter()
            .map(|&(start, end)| (text[..start].chars().count(), text[..end].chars().count()))
            .collect();
        assert_eq!(places(characters), expected);
        let unit = |at: usize| text[..at].encode_utf16().count();
        let expected: Vec<_> = bytes.iter().map(|&(start, end)| (unit(start), unit(end))).collect();
        assert_eq!(places(utf16), expected);
    }
    assert!(seen > 100, "{seen} links in the fixtures");
}

#[test]
fn header() {
    let here = Path::new(env!("CARGO_MANIFEST_DIR"));
    let config = cbindgen::Config::from_file(here.join("cbindgen.toml")).unwrap();
    let mut made = Vec::new();
    cbindgen::Builder::new()
        .with_crate(here)
        .with_config(config)
        .with_parse_deps(false)
        .generate()
        .unwrap()
        .write(&mut made);
    let path = here.join("include/linksift.h");
    if std::env::var_os("LINKSIFT_BLESS").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    let committed = std::fs::read(&path).unwrap_or_default();
    assert!(
        committed == made,
        "{} is not what src says: LINKSIFT_BLESS=1 writes it",
        path.display()
    );
}
