//! Damage between members: bytes that belong to none, ends that are missing, archives that follow each other.
//!
//! All members that are whole are read, whatever is in front of them, and what is wrong is reported; on every code path the same.

use linksift::container::Opening;

use super::compressed::{bzip2, gzip, lz4, xz, zstd};
use super::damage::{Slow, Tried, of};
use super::run::{T, options, run};
use super::tars::{end, entry};
use super::warcs::page;
use super::zips::{deflated, ending, local, stored, zip};

type Encode = fn(&[u8]) -> Vec<u8>;

const CODECS: [(&str, Encode); 5] = [
    ("a.warc.gz", gzip),
    ("a.warc.zst", zstd),
    ("a.warc.bz2", bzip2),
    ("a.warc.xz", xz),
    ("a.warc.lz4", lz4),
];

/// Records with one link each, of some length and hard to compress.
fn records(count: usize) -> Vec<Vec<u8>> {
    let body = |n: usize| {
        let noise = crate::made::crawls::noise(n as u64, 40 + n % 5 * 300);
        format!("<p>{noise}<a href='r{n}'>x</a>\n")
    };
    (0..count).map(|n| page(n, body(n).as_bytes(), "")).collect()
}

/// Whether all links are there but those of this record, and something is reported.
fn all_but(tried: &Tried<'_>, members: &[Vec<u8>], damaged: Option<usize>, what: &str) {
    let told = tried.told(&members.concat(), true, what);
    for n in (0..members.len()).filter(|n| Some(*n) != damaged) {
        let link = format!("http://s{n}.example/d/r{n}");
        assert!(told.links.iter().any(|one| one.ends_with(&link)), "{what}: no {link} in {told:?}");
    }
    assert!(!told.rest.is_empty(), "{what}: nothing is told");
}

#[test]
fn a_member_that_is_cut_takes_no_other_along() {
    for (name, encode) in CODECS {
        let tried = Tried::new(name);
        let members: Vec<_> = records(9).iter().map(|one| encode(one)).collect();
        for damaged in [0, 3, 7] {
            // What comes of a block of bzip2 that is damaged is noise: nobody knows then that it is a crawl.
            if damaged == 0 && name.ends_with("bz2") {
                continue;
            }
            let len = members[damaged].len();
            // In what follows the data, in the data, in the header.
            let cuts = (1..=8).chain([9, 12, 20, len / 3, len / 2, len - 12, len - 7]);
            for cut in cuts {
                let mut members = members.clone();
                members[damaged].truncate(len - cut);
                all_but(&tried, &members, Some(damaged), &format!("{name}: {cut} of {damaged}"));
            }
        }
    }
}

/// A decoder that runs on into the next member may fall into step with it, and end where that ends.
#[test]
fn a_member_that_is_cut_anywhere_takes_no_other_along() {
    let tried = Tried::new("a.warc.gz");
    let members: Vec<_> = records(7).iter().map(|one| gzip(one)).collect();
    for damaged in [1, 3] {
        for len in 10..members[damaged].len() {
            let mut members = members.clone();
            members[damaged].truncate(len);
            all_but(&tried, &members, Some(damaged), &format!("{damaged} cut at {len}"));
        }
    }
}

/// The data of the record are whole: its links are there too.
#[test]
fn a_trailer_that_is_cut_takes_nothing_along() {
    let tried = Tried::new("a.warc.gz");
    let whole: Vec<_> = records(9).iter().map(|one| gzip(one)).collect();
    for cut in 1..=8 {
        for damaged in 0..8 {
            let mut members = whole.clone();
            let len = members[damaged].len();
            members[damaged].truncate(len - cut);
            let what = format!("{cut} of {damaged}");
            all_but(&tried, &members, None, &what);
            let at: usize = members[..=damaged].iter().map(Vec::len).sum();
            let found = run("a.warc.gz", &members.concat());
            assert_eq!(found.failures, [format!(" truncated {at}")], "{what}");
        }
    }
}

/// A member that begins with a record ends what comes before it: a line of ARC, and content that belongs to no record.
#[test]
fn a_line_does_not_run_on_into_a_member_with_a_record() {
    let body = "http://two.example/a\n";
    let odd = format!(
        "WARC/1.0 7\r\nWARC-Type: resource\r\nContent-Type: text/plain\r\nContent-Length: {}\r\n\r\n{body}\r\n\r\n",
        body.len()
    );
    for (name, encode) in CODECS {
        let tried = Tried::in_ranges(name, 100);
        for before in [&b"http://x/ 1 2 3 "[..], b"x", b"no record", &[b'a'; 70_000]] {
            let first = [&records(1)[0][..], before].concat();
            for members in [[&first[..], odd.as_bytes()], [b"WARC/1.0\n", odd.as_bytes()]] {
                let bytes: Vec<u8> = members.iter().flat_map(|one| encode(one)).collect();
                let told = tried.told(&bytes, true, name);
                let link = told.links.last().unwrap();
                assert!(link.ends_with(" http://two.example/a"), "{name} {told:?}");
            }
        }
    }
}

#[test]
fn garbage_between_members_hides_none() {
    let magic = [&b"\x1F\x8B\x08\x18"[..], b"\xFD7zXZ\0", b"BZh9", b"\x28\xB5\x2F\xFD"].concat();
    let long: Vec<u8> = (0..70_000_u32).map(|n| (n.wrapping_mul(n) >> 7) as u8 | 1).collect();
    for (name, encode) in CODECS {
        let tried = Tried::new(name);
        let members: Vec<_> = records(6).iter().map(|one| encode(one)).collect();
        for garbage in [&b"1"[..], b"garbage", b"\n", &magic, &long, b"WARC/1.0\r\n"] {
            for after in [0, 2, 4] {
                let mut members = members.clone();
                members[after].extend_from_slice(garbage);
                let what = format!("{name}: {} bytes after {after}", garbage.len());
                all_but(&tried, &members, None, &what);
                let at: usize = members[..=after].iter().map(Vec::len).sum();
                let found = run(name, &members.concat());
                // What looks like a header of gzip is one, which is cut.
                let told = match garbage == magic && name.ends_with("gz") {
                    true => format!(" truncated {at}"),
                    false => format!(" trailing-garbage {}", at - garbage.len()),
                };
                assert_eq!(found.failures, [told], "{what}");
            }
        }
        // At several places.
        let members: Vec<_> = members.iter().map(|one| [&one[..], b"garbage"].concat()).collect();
        all_but(&tried, &members, None, name);
    }
}

/// Nobody looks for records in what are none.
#[test]
fn other_documents_end_at_garbage() {
    let crawl = gzip(&records(1)[0]);
    let found = run("t.gz", &[gzip(T), b"garbage".to_vec(), crawl].concat());
    assert_eq!(found.uris(), ["http://one.example/a", "http://two.example/b"]);
    assert_eq!(found.codes(), [" trailing-garbage"]);
}

/// What begins like a record and is none is no crawl, in ranges too.
#[test]
fn ranges_are_of_crawls_only() {
    for version in ["7.", "", "/1.", "x1."] {
        let text = |n: usize| {
            let noise = crate::made::crawls::noise(n as u64, 2_000);
            gzip(format!("WARC/{version}0\r\nsee http://e{n}.example/ {noise}\r\n\r\n").as_bytes())
        };
        let bytes: Vec<u8> = (0..9).flat_map(text).collect();
        let told = Tried::new("a.gz").told(&bytes, true, version);
        assert_eq!((told.links.len(), told.rest.len()), (9, 0), "WARC/{version}");
    }
}

#[test]
fn zips_one_after_the_other() {
    let one = zip(&[stored(b"a.txt", b"http://one.example/ x"), deflated(b"b.txt", T)]);
    let two =
        zip(&[stored(b"c.txt", b"http://c.example/ x"), stored(b"a.txt", b"http://d.example/ x")]);
    let all = ["http://one.example/", "http://one.example/a", "http://two.example/b"];
    let other = ["http://c.example/", "http://d.example/"];
    let tried = Tried::new("a.zip");
    let bytes = [&one[..], &two].concat();
    tried.told(&bytes, true, "two");
    let found = run("a.zip", &bytes);
    assert_eq!(found.uris(), [&all[..], &other].concat());
    assert_eq!((found.notices, found.failures.len()), (vec!["a.txt duplicate".to_owned()], 0));
    // With something between, behind, and in front.
    let bytes =
        [b"#!/bin/sh\n", &one[..], b"between", &two, &[0; 600], &one, b"http://no.example/"]
            .concat();
    tried.told(&bytes, true, "three");
    let found = run("a.zip", &bytes);
    assert_eq!(found.uris(), [&all[..], &other, &all].concat());
    let at = bytes.len() - 18;
    assert_eq!(
        found.failures,
        [format!(" trailing-garbage {}", 10 + one.len()), format!(" trailing-garbage {at}")]
    );
    // The first one has lost its end.
    let cut = &one[..one.len() - 30];
    let bytes = [cut, &two].concat();
    tried.told(&bytes, true, "cut");
    let found = run("a.zip", &bytes);
    assert_eq!(found.uris(), [&all[..], &other].concat());
    assert_eq!(found.codes(), [" no-directory"]);
}

/// The offsets of the second one count from the first byte of the file.
#[test]
fn a_zip_behind_another_one_may_count_from_the_first_byte() {
    let (first, entry) = (zip(&[stored(b"a.txt", T)]), stored(b"b.txt", T));
    let (body, from) = (local(&entry), first.len() as u32);
    let directory = super::zips::record(&entry, from);
    let ended = ending(1, directory.len() as u32, from + body.len() as u32);
    let bytes = [first, body, directory, ended].concat();
    let told = Tried::new("a.zip").told(&bytes, true, "counted from the first byte");
    assert_eq!((told.links.len(), told.rest.len()), (4, 0), "{told:?}");
}

#[test]
fn what_is_behind_a_zip_is_told() {
    let whole = zip(&[stored(b"x", T)]);
    for (behind, is_told) in [(&b"x"[..], true), (&[0; 2_000], false), (&[7; 60_000], true)] {
        let found = run("a.zip", &[&whole[..], behind].concat());
        assert_eq!(found.uris().len(), 2);
        let told = format!(" trailing-garbage {}", whole.len());
        assert_eq!(found.failures, if is_told { vec![told] } else { vec![] });
    }
    // A comment belongs to it.
    let mut comment = whole.clone();
    let end = comment.len() - 2;
    comment[end..].copy_from_slice(&7_u16.to_le_bytes());
    comment.extend_from_slice(b"comment");
    assert!(run("a.zip", &comment).failures.is_empty());
}

/// A source, a slow reader, a compressed one and a member of an archive.
#[test]
fn a_zip_behind_a_program_is_opened_on_every_road() {
    let whole = zip(&[stored(b"x.txt", T)]);
    for front in [&b"#!/bin/sh\nexec unzip $0\n"[..], b"MZ\x90\0\x03\0", b"\x7FELF\x02\x01\x01\0"] {
        let bytes = [front, &whole].concat();
        let told = Tried::new("x.run").told(&bytes, true, "behind a program");
        assert_eq!((told.links.len(), told.rest.len()), (2, 0), "{told:?}");
        for (name, bytes, member) in [
            ("x.run.gz", gzip(&bytes), "x.txt"),
            ("a.tar", [entry("x.run", &bytes), end()].concat(), "x.run!x.txt"),
            ("a.zip", zip(&[deflated(b"x.run", &bytes)]), "x.run!x.txt"),
        ] {
            let found = run(name, &bytes);
            assert_eq!(found.members(), [member; 2], "{name} {found:?}");
            assert!(found.failures.is_empty() && found.notices.is_empty(), "{name} {found:?}");
        }
    }
}

/// The script is a document of its own, whether the offsets of the zip count from its first byte or from theirs.
#[test]
fn a_script_in_front_of_a_zip_is_read() {
    let script = b"#!/bin/sh\n# http://script.example/\nexec unzip $0\n";
    let entry = stored(b"x.txt", T);
    let (body, from) = (local(&entry), script.len() as u32);
    let directory = super::zips::record(&entry, from);
    let ended = ending(1, directory.len() as u32, from + body.len() as u32);
    for zip in [zip(&[entry]), [body, directory, ended].concat()] {
        let bytes = [&script[..], &zip].concat();
        let told = Tried::new("x.run").told(&bytes, true, "behind a script");
        assert_eq!((told.links.len(), told.rest.len()), (3, 0), "{told:?}");
        for name in ["x.run", "x.run.gz"] {
            let found = run(name, &if name.ends_with("gz") { gzip(&bytes) } else { bytes.clone() });
            assert_eq!(found.links[0], " 12 http://script.example/");
            assert_eq!(found.members()[1..], ["x.txt"; 2]);
        }
    }
}

/// Without a zip it is what it was, however it comes in and however long it is.
#[test]
fn a_program_without_a_zip_is_a_document() {
    for len in [0, 100_000, 17 << 20] {
        let script = [b"#!/bin/sh\n# http://one.example/a\n", &b" ".repeat(len)[..], T].concat();
        for bytes in [script.clone(), [&b"\x7FELF\0\0\0"[..], &script].concat()] {
            let whole = of(Opening::bytes(&bytes[..]), "x", &options());
            assert_eq!(whole.links.len(), 3);
            let reader = Slow { bytes: &bytes, state: Some(1) };
            assert!(of(Opening::reader(reader), "x", &options()) == whole, "{len}");
            let found = run("x.gz", &gzip(&bytes));
            assert_eq!(found.links.len(), 3);
        }
    }
}

/// What a fuzzer has found: the first byte chooses the name.
#[test]
fn what_a_fuzzer_has_found() {
    let folder = crate::root().join("tests/it/container/found");
    let mut count = 0;
    for file in std::fs::read_dir(folder).unwrap() {
        let path = file.unwrap().path();
        let bytes = std::fs::read(&path).unwrap();
        let [name, content @ ..] = &bytes[..] else { continue };
        let name = ["a", "a.br", "a.lzma", "a.tar"][usize::from(*name) % 4];
        Tried::in_ranges(name, 100).told(content, true, &path.display().to_string());
        count += 1;
    }
    assert!(count > 4);
}
