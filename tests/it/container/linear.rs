//! Linear time: lists in headers, members of next to nothing, what looks like members and is none.

use std::io::Write;
use std::ops::ControlFlow;

use linksift::container::Opening;
use linksift::files;

use super::compressed::{bzip2, gzip, lz4, xz, zstd};
use super::run::options;
use super::warcs::{page, record};
use super::zips::{stored, zip};
use crate::support::growth::curved;

/// What is made of a length takes time by its length.
fn is_linear(what: &str, name: &str, small: usize, make: impl Fn(usize) -> Vec<u8>) {
    let power = curved(small, make, |bytes: &[u8]| {
        let opening = Opening::bytes(bytes.to_vec()).name(name);
        let _ = files::scan_one(opening, &options(), |_| ControlFlow::Continue(()));
    });
    assert_eq!(power, None, "{what} in {name}");
}

#[test]
fn lists_in_headers() {
    for (front, unit) in [
        ("Link: ", "<a>,"),
        ("Link: <a", "<,\r\n "),
        ("", "Link: <a>\r\n"),
        ("", "Location: a\r\n"),
        ("", "Refresh: 0; url='a\r\n"),
        ("Link: ", "<a>\r\n "),
        ("", "Content-Encoding: br, gzip\r\n"),
        ("Content-Type: a", "\r\n b"),
        ("Transfer-Encoding: ", "a,"),
    ] {
        is_linear(unit, "a.warc", 8 << 10, |len| {
            page(1, b"x", &format!("{front}{}\r\n", unit.repeat(len / unit.len())))
        });
    }
}

/// Each block is said to go on for as long as blocks are held: in one member, in plain, with members between.
#[test]
fn lengths_that_are_too_long() {
    let record =
        |length: &str| record("response", "http://e.com/", b"HTTP/1.1 200\r\n\r\nx", length);
    for length in ["16000000", "100000", "20000000", "no"] {
        let unit = record(length);
        let half = unit.len() / 2;
        let many = |len: usize| unit.repeat(len / unit.len());
        is_linear("lengths", "a.warc", 32 << 10, many);
        is_linear("lengths", "a.warc.gz", 32 << 10, |len| gzip(&many(len)));
        let split = [gzip(&unit[half..]), gzip(&unit[..half])].concat();
        is_linear("split", "a.warc.gz", 32 << 10, |len| {
            [gzip(&unit[..half]), split.repeat(len / unit.len())].concat()
        });
    }
}

/// A record in members of one byte each, and empty members in a record.
#[test]
fn members_of_next_to_nothing() {
    let record = |len: usize| page(1, b"<a href=r>", &format!("X: {}\r\n", "a".repeat(len)));
    for (name, encode) in
        [("a.warc.gz", gzip as fn(&[u8]) -> Vec<u8>), ("a.warc.zst", zstd), ("a.warc.lz4", lz4)]
    {
        is_linear("bytes", name, 1 << 10, |len| record(len).chunks(1).flat_map(encode).collect());
        let empty = encode(b"");
        is_linear("nothing", name, 1 << 10, |len| {
            let record = record(9);
            let (front, back) = record.split_at(60);
            [encode(front), empty.repeat(len), encode(back)].concat()
        });
    }
}

/// After damage what begins like a member is looked at, and each of these goes on up to the end.
#[test]
fn what_looks_like_members() {
    // A block that is stored, of as many bytes as there may be.
    let endless = b"\x1F\x8B\x08\0\0\0\0\0\0\x03\0\xFF\xFF\0\0WARC/1.0\r\n";
    let in_dynamic = {
        let head = vec![0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 3];
        let mut encoder = flate2::write::DeflateEncoder::new(head, flate2::Compression::default());
        encoder.write_all(b"WARC/1.0\r\nWARC-Type: response\r\n").unwrap();
        encoder.flush().unwrap();
        encoder.get_ref().clone()
    };
    let first = |encode: fn(&[u8]) -> Vec<u8>| {
        let whole = encode(&page(1, b"<a href=r>", ""));
        whole[..whole.len() - 9].to_vec()
    };
    for (what, name, encode, unit) in [
        ("magic", "a.warc.gz", gzip as fn(&[u8]) -> Vec<u8>, b"\x1F\x8B\x08".to_vec()),
        ("names", "a.warc.gz", gzip, b"\x1F\x8B\x08\x08".to_vec()),
        ("fields", "a.warc.gz", gzip, b"\x1F\x8B\x08\x04\xFF\xFF".to_vec()),
        ("stored", "a.warc.gz", gzip, endless.to_vec()),
        ("cut", "a.warc.gz", gzip, in_dynamic),
        ("magic", "a.warc.zst", zstd, zstd(b"")[..4].to_vec()),
        ("cut", "a.warc.zst", zstd, zstd(b"WARC/1.0\r\n")[..12].to_vec()),
        ("magic", "a.warc.bz2", bzip2, b"BZh91AY&SY".to_vec()),
        ("magic", "a.warc.xz", xz, xz(b"")[..6].to_vec()),
        ("magic", "a.warc.lz4", lz4, lz4(b"")[..7].to_vec()),
    ] {
        is_linear(what, name, 4 << 10, |len| {
            [first(encode), unit.repeat(len / unit.len())].concat()
        });
    }
}

#[test]
fn zips_one_after_the_other() {
    let one = zip(&[stored(b"x", b"http://e.com/a")]);
    is_linear("zips", "a.zip", 4 << 10, |len| one.repeat(len / one.len()));
    // None of them has a directory.
    let local = &one[..45];
    is_linear("entries", "a.zip", 4 << 10, |len| local.repeat(len / local.len()));
    let ends = &one[one.len() - 22..];
    is_linear("ends", "a.zip", 4 << 10, |len| [&one[..], &ends.repeat(len / 22)].concat());
    let empty = [&b"PK\x05\x06"[..], &[0; 18]].concat();
    is_linear("empty ones", "a.zip", 4 << 10, |len| empty.repeat(len / 22));
    is_linear("empty ones behind", "a.zip", 4 << 10, |len| {
        [&one[..], &empty.repeat(len / 22)].concat()
    });
}
