//! What cannot be seen from C: that a panic is caught, and that the header is what the code says.

use std::path::Path;

use crate::border::guarded;
use crate::*;
use characters::unescaped;

#[path = "../../../tests/made/characters.rs"]
mod characters;

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
fn max_link_counts_bytes_of_utf16_too() {
    let limits = [(&[][..], 32_768), (&[("max-link", "60")][..], 30)];
    for (settings, most) in limits {
        let finder = finder(settings);
        for (len, found) in [(most, 1), (most + 1, 0)] {
            let text = format!("{:x<len$}", "http://example.com/");
            let units: Vec<u16> = text.encode_utf16().collect();
            // SAFETY: the finder and the units live until the links are freed.
            let links = unsafe { linksift_find_utf16(finder, units.as_ptr(), units.len(), 0) };
            assert_eq!(places(links).len(), found, "{settings:?} {len}");
        }
        // SAFETY: it came from `linksift_finder_new`, and all links of it are freed.
        unsafe { linksift_finder_free(finder) };
    }
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

/// The finder with these settings.
fn finder(settings: &[(&str, &str)]) -> *mut linksift_finder {
    let made = linksift_settings_new();
    // SAFETY: the settings were just made, and the texts end in NUL.
    unsafe {
        for (name, value) in settings {
            let [name, value] = [name, value].map(|one| std::ffi::CString::new(*one).unwrap());
            assert_eq!(linksift_settings_set(made, name.as_ptr(), value.as_ptr()), LINKSIFT_OK);
        }
        let finder = linksift_finder_new(made);
        linksift_settings_free(made);
        finder
    }
}

/// A text of each link of a document; empty where it has none.
fn of_document(settings: &[(&str, &str)], text: &str, field: i32, flags: u32) -> Vec<String> {
    let finder = finder(settings);
    let mut all = Vec::new();
    // SAFETY: the finder and the text live until the links are freed.
    unsafe {
        let links = linksift_find_document(finder, text.as_ptr(), text.len(), flags);
        while linksift_next(links) > 0 {
            let found = linksift_get(links, field);
            let data = match found.data.is_null() {
                true => &[],
                false => std::slice::from_raw_parts(found.data.cast(), found.len),
            };
            all.push(String::from_utf8(data.to_vec()).unwrap());
        }
        linksift_links_free(links);
        linksift_finder_free(finder);
    }
    all
}

/// The rows of the library's own table.
#[test]
fn dialects_are_read() {
    let rows = include_str!("../../../fixtures/dialects/rows.cases");
    for row in rows.split("\n@@ ").skip(1) {
        let (name, rest) = row.split_once('\n').unwrap();
        let (uris, text): (Vec<_>, Vec<_>) = rest.lines().partition(|line| line.starts_with("= "));
        let text = unescaped(&(text.join("\n") + "\n"));
        let found = of_document(&[("format", "auto"), ("name", name)], &text, LINKSIFT_URI, 0);
        assert_eq!(found, uris.iter().map(|uri| &uri[2..]).collect::<Vec<_>>(), "{name}");
    }
}

/// The library's table of what links know beside their URIs.
#[test]
fn links_know_what_the_table_says() {
    let rows = include_str!("../../../fixtures/details/rows.cases");
    for row in rows.split("\n@@ ").skip(1) {
        let (name, rest) = row.split_once('\n').unwrap();
        let (links, text): (Vec<_>, Vec<_>) = rest.lines().partition(|line| line.starts_with("= "));
        let text = unescaped(&(text.join("\n") + "\n"));
        let settings = [("format", "auto"), ("name", name), ("details", "yes")];
        let fields = [LINKSIFT_URI, LINKSIFT_ROLE, LINKSIFT_REL, LINKSIFT_TEXT];
        let found = fields.map(|field| of_document(&settings, &text, field, 0));
        assert_eq!(found[0].len(), links.len(), "{name}");
        for (at, link) in links.into_iter().enumerate() {
            let link = unescaped(&link[2..]);
            let [uri, role, _, rel, shown] = link.split(" | ").collect::<Vec<_>>()[..] else {
                panic!("{link}");
            };
            let wanted = [uri, role, rel, shown].map(|text| if text == "-" { "" } else { text });
            assert_eq!(found.each_ref().map(|texts| &*texts[at]), wanted, "{name}");
        }
    }
}

/// The library's table of columns.
#[test]
fn columns_are_in_the_unit_that_is_set() {
    let rows = include_str!("../../../fixtures/details/columns.cases");
    for row in rows.split("\n@@ ").skip(1) {
        let (name, rest) = row.split_once('\n').unwrap();
        let (links, text): (Vec<_>, Vec<_>) = rest.lines().partition(|line| line.starts_with("= "));
        let text = unescaped(&(text.join("\n") + "\n"));
        let places = |unit| {
            let finder = finder(&[("format", "auto"), ("name", name), ("columns", unit)]);
            let mut all = Vec::new();
            // SAFETY: the finder and the text live until the links are freed.
            unsafe {
                let flags = LINKSIFT_POSITIONS;
                let links = linksift_find_document(finder, text.as_ptr(), text.len(), flags);
                while linksift_next(links) > 0 {
                    all.push((linksift_line(links), linksift_column(links)));
                }
                linksift_links_free(links);
                linksift_finder_free(finder);
            }
            all
        };
        let [bytes, chars, utf16] = ["bytes", "chars", "utf16"].map(places);
        assert_eq!(bytes.len(), links.len(), "{name}");
        for (at, link) in links.iter().enumerate() {
            let (line, column) = bytes[at];
            let found = format!("= {line} | {column} | {} | {}", chars[at].1, utf16[at].1);
            assert_eq!(found, **link, "{name}");
        }
    }
}

#[test]
fn code_is_told_from_prose() {
    let finder = finder(&[("format", "markdown")]);
    let text = "http://a.example/ `http://b.example/`";
    // SAFETY: the finder and the text live until the links are freed.
    unsafe {
        let links = linksift_find_document(finder, text.as_ptr(), text.len(), 0);
        assert_eq!(linksift_is_code(links), 0);
        for is_code in [0, 1] {
            assert!(linksift_next(links) > 0);
            assert_eq!(linksift_is_code(links), is_code);
        }
        linksift_links_free(links);
        linksift_finder_free(finder);
        assert_eq!(linksift_is_code(std::ptr::null()), 0);
    }
}

/// Returns the bytes of a document that is not text: hexadecimal, `XX*N` for N equal bytes.
fn stored<'l>(lines: impl Iterator<Item = &'l str>) -> Vec<u8> {
    let byte = |hex: &str| u8::from_str_radix(hex, 16).unwrap();
    let mut bytes = Vec::new();
    for word in lines.flat_map(str::split_whitespace) {
        match word.split_once('*') {
            Some((value, count)) => {
                bytes.extend(std::iter::repeat_n(byte(value), count.parse().unwrap()));
            }
            None => bytes.extend((0..word.len()).step_by(2).map(|at| byte(&word[at..at + 2]))),
        }
    }
    bytes
}

/// The table of documents that are not text.
#[test]
fn documents_that_are_not_text_are_read_or_named() {
    let text = |start| {
        // SAFETY: the text of this call, which ends in NUL.
        unsafe { std::ffi::CStr::from_ptr(start) }.to_str().unwrap().to_owned()
    };
    let mut seen = 0;
    for row in include_str!("../../../fixtures/binary/documents.cases").split("\n@@ ").skip(1) {
        let (head, rest) = row.split_once('\n').unwrap();
        let (name, reason) = head.split_once(" | ").unwrap();
        let of = |sign: &'static str| rest.lines().filter_map(move |line| line.strip_prefix(sign));
        let bytes = stored(rest.lines().filter(|line| !line.starts_with(['=', '!'])));
        let finder = finder(&[("format", "auto"), ("name", name)]);
        // SAFETY: the finder and the bytes live until the links are freed.
        unsafe {
            let links = linksift_find_document(finder, bytes.as_ptr(), bytes.len(), 0);
            if links.is_null() {
                assert_eq!(text(linksift_error_code()), reason, "{name}");
            } else {
                let mut uris = Vec::new();
                while linksift_next(links) > 0 {
                    let found = linksift_get(links, LINKSIFT_URI);
                    let uri = std::slice::from_raw_parts(found.data.cast(), found.len);
                    uris.push(String::from_utf8(uri.to_vec()).unwrap());
                }
                let notices = (0..linksift_notice_count(links))
                    .map(|at| text(linksift_notice_code(links, at)));
                assert_eq!(reason, "-", "{name}");
                assert_eq!(uris, of("= ").collect::<Vec<_>>(), "{name}");
                assert_eq!(notices.collect::<Vec<_>>(), of("! ").collect::<Vec<_>>(), "{name}");
            }
            linksift_links_free(links);
            linksift_finder_free(finder);
        }
        seen += 1;
    }
    assert!(seen > 15, "{seen}");
}

/// The table of what deceives.
#[test]
fn warnings_are_those_of_the_table() {
    let known = "example.com,bank.example";
    for block in include_str!("../../../fixtures/trust/codes.cases").split("\n@@ ").skip(1) {
        let (head, lines) = block.split_once('\n').unwrap();
        let (code, kind) = head.split_once("; ").unwrap_or((head, "text"));
        for line in lines.lines().filter(|line| line.starts_with(['+', '-'])) {
            let (has, text) = (line.starts_with('+'), unescaped(&line[2..]));
            let (format, text) = match kind {
                "value" => ("html", format!("<a href='{text}'>x</a>")),
                kind => (kind, text),
            };
            let settings = [("format", format), ("known-hosts", known)];
            let all = of_document(&settings, &text, LINKSIFT_WARNINGS, LINKSIFT_REJECTED);
            let is_there = all.iter().any(|codes| codes.split(' ').any(|one| one == code));
            assert_eq!(is_there, has, "{code}: {line}: {all:?}");
        }
    }
}
