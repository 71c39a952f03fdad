//! zip: what the directory says, what the headers say, and what neither should be believed.

pub(crate) use crate::made::zips::*;

use linksift::container::Limits;

use super::run::{Order, T, ends, options, run, run_with};

const BOTH: [&str; 2] = ["http://one.example/a", "http://two.example/b"];

#[test]
fn entries_are_members() {
    let found =
        run("a.zip", &zip(&[stored(b"x.txt", T), deflated(b"d/y.txt", T), stored(b"d/", b"")]));
    assert_eq!(found.members(), ["x.txt", "x.txt", "d/y.txt", "d/y.txt"]);
    assert_eq!(found.links[2], "d/y.txt 4 http://one.example/a");
    assert!(found.failures.is_empty() && found.notices.is_empty());
}

/// Office programs pad the header of the first entry with an extra field.
#[test]
fn an_extra_field_is_no_content() {
    let padding = [&b"\x20\xA2\x24\0"[..], &[0; 36]].concat();
    let padded = |entry: Entry| Entry { extra: padding.clone(), ..entry };
    let archive = zip(&[padded(deflated(b"a.txt", T)), padded(stored(b"b.txt", T))]);
    let found = run("a.docx", &archive);
    let wanted = [
        "a.txt 4 http://one.example/a",
        "a.txt 29 http://two.example/b",
        "b.txt 4 http://one.example/a",
        "b.txt 29 http://two.example/b",
    ];
    assert_eq!((&*found.links, &*found.failures), (&wanted.map(str::to_owned)[..], &[][..]));
    // Without a directory the headers are all that there is.
    let cut = run("a.docx", &archive[..archive.len() - 30]);
    assert_eq!(cut.links, wanted);
}

#[test]
fn equal_names_are_both_read_and_one_header_once() {
    let found = run("a.zip", &zip(&[stored(b"x", T), stored(b"x", T)]));
    assert_eq!((found.uris().len(), found.notices), (4, vec!["x duplicate".to_owned()]));
    let entry = stored(b"x", T);
    let directory = [record(&entry, 0), record(&entry, 0)].concat();
    let body = local(&entry);
    let end = ending(2, directory.len() as u32, body.len() as u32);
    let found = run("a.zip", &[body, directory, end].concat());
    assert_eq!((found.uris().len(), found.notices), (2, vec!["x duplicate".to_owned()]));
}

#[test]
fn names_stay_as_they_are_stored() {
    let names: [&[u8]; 4] = [b"../../x", b"/abs", b"C:\\w", b"a!b%\n.txt"];
    let entries: Vec<_> = names.iter().map(|name| stored(name, b"http://e.example/")).collect();
    let found = run("a.zip", &zip(&entries));
    assert_eq!(found.members(), ["../../x", "/abs", "C:\\w", "a%21b%25%0A.txt"]);
    let nested = zip(&[stored(b"t.zip", &zip(&[stored(b"a!b%.txt", T)]))]);
    assert_eq!(run("a.zip", &nested).members()[0], "t.zip!a%21b%25.txt");
}

#[test]
fn a_unicode_path_counts_if_its_checksum_does() {
    let name = b"\x95\x5C.txt";
    for (crc, member) in [(crc32(name), "\u{8868}.txt"), (1, "\u{F2}\\.txt")] {
        let mut extra = vec![0x75, 0x70, 12, 0, 1];
        extra.extend_from_slice(&crc.to_le_bytes());
        extra.extend_from_slice("\u{8868}.txt".as_bytes());
        let found = run("a.zip", &zip(&[Entry { extra, ..stored(name, T) }]));
        // Two bytes are too little to detect what they are in: code page 437, if nothing better.
        let is_right =
            found.members()[0] == member || crc == 1 && found.members()[0] != "\u{8868}.txt";
        assert!(is_right || crc == 1, "{found:?}");
    }
}

#[test]
fn descriptors_with_and_without_a_directory() {
    for entry in [with_descriptor(deflated(b"x", T)), with_descriptor(stored(b"x", T))] {
        let whole = zip(&[entry.clone(), stored(b"y", T)]);
        let found = run("a.zip", &whole);
        assert_eq!(found.uris().len(), 4);
        assert!(found.failures.is_empty(), "{found:?}");
        // Without the end record: whole entries are found, and that is reported.
        let found = run("a.zip", &whole[..whole.len() - 22]);
        assert_eq!((found.uris().len(), found.codes()), (4, vec![" no-directory"]));
    }
}

#[test]
fn what_cannot_be_read_is_named_and_the_rest_is_read() {
    let encrypted = Entry { flags: 1, ..stored(b"secret", T) };
    let lzma = Entry { method: 14, ..stored(b"lzma", T) };
    let found = run("a.zip", &zip(&[encrypted, lzma, stored(b"x", T)]));
    assert_eq!(found.uris(), BOTH);
    assert_eq!(found.codes(), ["secret encrypted", "lzma method"]);
    let wrong = Entry { crc: 1, ..stored(b"crc", T) };
    let long = Entry { size: 10, crc: crc32(&T[..10]), ..deflated(b"long", T) };
    let found = run("a.zip", &zip(&[wrong, long, stored(b"x", T)]));
    assert_eq!(found.codes(), ["crc checksum", "long length"]);
    assert_eq!(found.uris().len(), 4);
}

#[test]
fn something_may_stand_in_front_and_behind() {
    let whole = zip(&[stored(b"x", T)]);
    let found = run("x.run", &[b"#!/bin/sh\nexec unzip $0\n", &whole[..]].concat());
    assert_eq!((found.uris(), found.codes().len()), (BOTH.to_vec(), 0));
    assert_eq!(run("a.zip", &[&whole[..], b"trailing"].concat()).uris(), BOTH);
}

#[test]
fn claims_cost_nothing() {
    let entry = stored(b"x", T);
    let (body, directory) = (local(&entry), record(&entry, 0));
    let end = ending(60_000, directory.len() as u32, body.len() as u32);
    let found = run("a.zip", &[body, directory, end].concat());
    assert_eq!((found.uris(), found.codes()), (BOTH.to_vec(), vec![" length"]));
    // An offset past the end.
    let (body, directory) = (local(&entry), record(&entry, 0x7FFF_FFFF));
    let end = ending(1, directory.len() as u32, body.len() as u32);
    assert_eq!(run("a.zip", &[body, directory, end].concat()).codes(), ["x corrupt"]);
    // Lengths of 2^64 - 1.
    let mut huge = record(&entry, 0);
    huge[20..28].fill(0xFF);
    huge[30] = 20;
    huge.extend_from_slice(&[1, 0, 16, 0]);
    huge.extend_from_slice(&[0xFF; 16]);
    let body = local(&entry);
    let end = ending(1, huge.len() as u32, body.len() as u32);
    let found = run("a.zip", &[body, huge, end].concat());
    assert!(!found.failures.is_empty(), "{found:?}");
}

#[test]
fn an_end_record_of_an_empty_archive_hides_no_entries() {
    let whole = zip(&[stored(b"x", T)]);
    let empty = ending(0, 0, 0);
    // As a comment, with more of it around it and without.
    for comment in [[b"a ", &empty[..], b" b"].concat(), empty.clone()] {
        let mut bytes = whole.clone();
        let len = bytes.len();
        bytes[len - 2..].copy_from_slice(&(comment.len() as u16).to_le_bytes());
        let found = run("a.zip", &[bytes, comment].concat());
        assert_eq!((found.uris(), found.failures.len()), (BOTH.to_vec(), 0));
    }
    // In place of the true one: told, and the entries are read.
    let found = run("a.zip", &[&whole[..whole.len() - 22], &empty].concat());
    assert_eq!((found.uris(), found.codes()), (BOTH.to_vec(), vec![" no-directory"]));
    // Empty it may be.
    let found = run("a.zip", &empty);
    assert_eq!((found.links.len(), found.failures.len()), (0, 0));
}

#[test]
fn entries_that_overlap_are_refused() {
    // Each header but the first lies in the content of the one before: one kernel, many entries.
    let inner = local(&stored(b"in", T));
    let outer = stored(b"out", &inner);
    let body = local(&outer);
    let at = (body.len() - inner.len()) as u32;
    let directory = [record(&outer, 0), record(&stored(b"in", T), at)].concat();
    let end = ending(2, directory.len() as u32, body.len() as u32);
    let found = run("a.zip", &[body, directory, end].concat());
    // What is stored in the first is a header too: a zip without its end.
    assert_eq!(found.codes(), ["out no-directory", "in overlap"]);
    assert_eq!(found.uris().len(), 2);
}

#[test]
fn depth_is_limited() {
    let deep = (0..1_000).fold(T.to_vec(), |bytes, _| zip(&[stored(b"z", &bytes)]));
    assert_eq!(run("a.zip", &deep).failures.len(), 1);
    let two = zip(&[stored(b"z", &zip(&[stored(b"x", T)]))]);
    let found = run_with("a.zip", &two, &options().limits(Limits::new().max_depth(1)));
    assert_eq!(found.codes(), ["z depth"]);
}

#[test]
fn names_in_a_legacy_charset_are_found_out_together() {
    let names: [&[u8]; 4] = [
        b"\x93\xFA\x96\x7B\x8C\xEA\x82\xCC\x83\x74\x83\x40\x83\x43\x83\x8B.txt",
        b"\x8E\x91\x97\xBF\x88\xEA\x97\x97\x95\x5C.txt",
        b"\x95\xF1\x8D\x90\x8F\x91\x82\xCC\x8A\x54\x97\x76.txt",
        b"\x95\x5C.txt",
    ];
    let entries: Vec<_> = names.iter().map(|name| stored(name, b"http://e.example/")).collect();
    let found = run("a.zip", &zip(&entries));
    assert_eq!(
        found.members(),
        ["日本語のファイル.txt", "資料一覧表.txt", "報告書の概要.txt", "表.txt"]
    );
}

#[test]
fn every_cut_and_many_flipped_bits_do_no_harm() {
    let entries = [stored(b"x.txt", T), deflated(b"y.txt", T), with_descriptor(deflated(b"z", T))];
    let locals: Vec<_> = entries.iter().map(local).collect();
    let order = Order::Members(&ends(&locals));
    assert!(super::run::torture("a.zip", &zip(&entries), order) > 100);
}

fn ten() -> Vec<Entry> {
    let text = |number: usize| format!("http://e{number}.example/ {}", "text ".repeat(number));
    (0..10)
        .map(|number| deflated(format!("{number}").as_bytes(), text(number).as_bytes()))
        .collect()
}

/// Offset of the header of an entry.
fn place(archive: &[u8], entry: usize) -> usize {
    memchr::memmem::find_iter(archive, b"PK\x03\x04").nth(entry).unwrap()
}

#[test]
fn bytes_inserted_or_lost_hide_only_the_entry_they_are_in() {
    let whole = zip(&ten());
    let at = place(&whole, 4) + 33;
    let inserted = [&whole[..at], &[b'-'; 1000], &whole[at..]].concat();
    let lost = [&whole[..at], &whole[at + 3..]].concat();
    for archive in [inserted, lost] {
        let found = run("a.zip", &archive);
        let expected = ["0", "1", "2", "3", "5", "6", "7", "8", "9"];
        assert_eq!(found.members(), expected, "{found:?}");
        let codes = found.codes();
        assert!(codes.len() == 2 && codes[0].starts_with("4 "), "{codes:?}");
        assert_eq!(codes[1], " length");
    }
    // Between two entries: all are read, and it is told.
    let at = place(&whole, 4);
    let found = run("a.zip", &[&whole[..at], b"junk", &whole[at..]].concat());
    assert_eq!((found.uris().len(), found.codes()), (10, vec![" length"]));
    // In front of all of them it is no damage.
    let found = run("a.zip", &[b"#!/bin/sh\n", &whole[..]].concat());
    assert_eq!((found.uris().len(), found.codes().len()), (10, 0));
}

#[test]
fn a_damaged_directory_hides_no_entries() {
    let whole = zip(&ten());
    let listed =
        |number: usize| memchr::memmem::find_iter(&whole, b"PK\x01\x02").nth(number).unwrap();
    for number in [0, 4, 9] {
        let mut archive = whole.clone();
        archive[listed(number)] = b'-';
        let found = run("a.zip", &archive);
        let members: Vec<String> = (0..10).map(|number| number.to_string()).collect();
        match number {
            // Without its first record it is no directory.
            0 => assert_eq!(found.codes(), [" no-directory"], "{found:?}"),
            _ => assert_eq!(found.codes(), [" length"], "{found:?}"),
        }
        assert_eq!(found.members(), members);
    }
    // An offset that no entry can have is not the last one's.
    let mut archive = whole.clone();
    archive[listed(5)] = b'-';
    archive[listed(4) + 42..listed(4) + 46].copy_from_slice(&[0x7F; 4]);
    let found = run("a.zip", &archive);
    assert_eq!(found.codes(), ["4 corrupt", " length"], "{found:?}");
    assert_eq!(found.uris().len(), 10);
}

/// Bytes are lost inside a record of the directory, or its length is wrong: no other entry is refused.
#[test]
fn a_damaged_record_of_the_directory_refuses_no_other_entries() {
    let described: Vec<Entry> = ten().into_iter().map(with_descriptor).collect();
    for whole in [zip(&ten()), zip(&described)] {
        let listed =
            |number: usize| memchr::memmem::find_iter(&whole, b"PK\x01\x02").nth(number).unwrap();
        for (at, lost) in (listed(4) + 4..listed(5)).flat_map(|at| [(at, 3), (at, 20), (at, 31)]) {
            let archive = [&whole[..at], &whole[at + lost..]].concat();
            let found = run("a.zip", &archive);
            assert!(found.uris().len() >= 9, "{at} {lost} {found:?}");
            let codes = found.codes();
            assert!(!codes.iter().any(|code| code.ends_with("overlap")), "{at} {codes:?}");
            assert_eq!(codes.last(), Some(&" length"), "{at} {found:?}");
        }
        // A length of 16 MiB.
        let mut archive = whole.clone();
        archive[listed(4) + 23] = 1;
        let found = run("a.zip", &archive);
        assert_eq!(found.uris().len(), 10, "{found:?}");
    }
}

/// The guard counts what is read, whatever the local headers say.
#[test]
fn wrong_local_headers_do_not_multiply_content() {
    let kernel = deflated(b"k", &b"http://e.example/ ".repeat(1_000));
    for flags in [0, 8] {
        // Each entry says in the directory that its content goes on to the end of the kernel.
        let header = local(&Entry { flags, stored: Vec::new(), ..kernel.clone() });
        let header = &header[..31];
        let body = [&header.repeat(100)[..], &kernel.stored].concat();
        let mut directory = Vec::new();
        for number in 0..100 {
            let mut one = record(&kernel, number * 31);
            one[20..24].copy_from_slice(&(body.len() as u32 - number * 31 - 31).to_le_bytes());
            directory.extend(one);
        }
        let end = ending(100, directory.len() as u32, body.len() as u32);
        let found = run("a.zip", &[body, directory, end].concat());
        assert!(found.uris().len() <= 1_000, "{}", found.uris().len());
    }
}

#[test]
fn without_a_directory_damage_is_passed() {
    let mut whole = zip(&ten());
    let at = place(&whole, 4);
    whole.truncate(place(&whole, 8));
    whole.splice(at..at, *b"junk");
    let found = run("a.zip", &whole);
    assert_eq!((found.uris().len(), found.codes()), (8, vec![" no-directory"]), "{found:?}");
}

/// As writers of streams do that do not know how long an entry becomes.
#[test]
fn a_descriptor_of_zip64_is_read_without_a_directory() {
    let mut archive = Vec::new();
    for entry in ten() {
        let (stored, size) = (entry.stored.len() as u64, entry.size as u64);
        let written = local(&with_descriptor(entry));
        archive.extend_from_slice(&written[..written.len() - 8]);
        archive.extend_from_slice(&stored.to_le_bytes());
        archive.extend_from_slice(&size.to_le_bytes());
    }
    let found = run("a.zip", &archive);
    assert_eq!((found.uris().len(), found.codes()), (10, vec![" no-directory"]), "{found:?}");
}
