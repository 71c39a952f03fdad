//! What was made to do harm: bombs, depth, formats in formats, no room for what must be kept.

use std::io::Write;

use super::compressed::{all, gzip, zstd};
use super::run::{T, run};
use super::warcs::{page, record};
use super::zips::{deflated, stored, zip};

/// Each format in each codec in each format.
#[test]
fn formats_in_codecs_in_formats() {
    type Wrap = fn(&str, &[u8]) -> (Vec<u8>, String);
    let formats: [(&str, Wrap); 3] = [
        ("zip", |name, bytes| (zip(&[deflated(name.as_bytes(), bytes)]), name.to_owned())),
        ("tar", |name, bytes| (super::tars::tar(&[(name.as_bytes(), bytes)]), name.to_owned())),
        ("warc", |_, bytes| {
            let length = bytes.len().to_string();
            let record = record("resource", "http://r.example/", bytes, &length);
            let plain = String::from_utf8_lossy(&record).contains("application/http");
            assert!(plain);
            (record, "0".to_owned())
        }),
    ];
    for (inner_name, inner) in formats {
        let (bytes, first) = inner("t.txt", T);
        for (codec, _) in all() {
            let ending = codec.rsplit('.').next().unwrap();
            // What a crawl says of its content leaves no name, and brotli is known by its name alone.
            let coded = super::compressed::encode(ending, &bytes);
            for (outer_name, outer) in formats {
                if ending == "br" && outer_name == "warc" {
                    continue;
                }
                let (archive, second) = outer(&format!("i.{inner_name}.{ending}"), &coded);
                let found = run(&format!("a.{outer_name}"), &archive);
                let what = format!("{inner_name} in {ending} in {outer_name}: {found:?}");
                assert_eq!(found.links.len(), 2, "{what}");
                assert_eq!(found.members()[0], format!("{second}!{first}"), "{what}");
                assert!(found.failures.is_empty(), "{what}");
            }
        }
    }
}

#[test]
fn a_bomb_in_a_crawl_ends_no_more_than_its_record() {
    let zeros = {
        let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 1).unwrap();
        let block = vec![0; 1 << 20];
        for _ in 0..1_100 {
            encoder.write_all(&block).unwrap();
        }
        encoder.write_all(T).unwrap();
        encoder.finish().unwrap()
    };
    let bomb = page(1, &zeros, "Content-Encoding: zstd\r\n");
    let found = run("a.warc", &[bomb, page(2, b"<a href=r2>", "")].concat());
    assert_eq!(found.uris(), ["http://s2.example/d/r2"]);
    assert_eq!(found.codes(), ["0 expansion"]);
}

#[test]
fn archives_deeper_than_may_be_are_named() {
    let mut bytes = T.to_vec();
    for n in 0..1_000 {
        bytes = match n % 3 {
            0 => gzip(&bytes),
            1 => zip(&[stored(b"x", &bytes)]),
            _ => zstd(&bytes),
        };
    }
    let found = run("a", &bytes);
    assert!(found.links.is_empty());
    assert_eq!(found.failures.len(), 1, "{found:?}");
    assert!(found.codes()[0].ends_with("depth"), "{found:?}");
}

#[test]
fn a_name_of_nothing_but_marks() {
    let name = vec![b'!'; 65_535];
    let found = run("a.zip", &zip(&[stored(&name, T), stored(b"y", T)]));
    assert_eq!(found.links.len(), 4);
    // Three bytes for each mark are more than is reported with each link.
    assert_eq!(found.members()[0].len(), 8 << 10);
    assert_eq!(found.notices, [format!("{} name-too-long", found.members()[0])]);
}
