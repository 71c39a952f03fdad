//! Cases that no other file has: dictionaries, stacked codings, ar, names, zip64, office formats.

use std::io::{self, Read};
use std::ops::ControlFlow;

use linksift::container::{self, Found, Limits, Opening};
use linksift::{Finder, Format, Hints};

use super::compressed::{gzip, zstd};
use super::run::{Run, T, run};
use super::warcs::{page, record, response};
use super::zips::{self, deflated, ending, local, stored, with_descriptor, zip};
use crate::made::ars::{ar, member};

const BOTH: [&str; 2] = ["http://one.example/a", "http://two.example/b"];

/// A reader that is nothing else.
struct Stream<'s>(&'s [u8]);

impl Read for Stream<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let len = to.len().min(1_000);
        self.0.read(&mut to[..len])
    }
}

/// The links of what an opening holds, each after its member and the bytes of that, and the faults' codes.
fn documents(opening: Opening<'_>) -> (Vec<String>, Vec<&'static str>) {
    let (finder, hints) = (Finder::new(), Hints::new().format(Format::Auto));
    let (mut found, mut codes) = (Vec::new(), Vec::new());
    container::documents(opening, &Limits::new(), |what| {
        match what {
            Found::Document(mut document) => {
                let member = document.member().clone();
                let hints = document.hints(&hints);
                let _ = finder.scan_reader(&mut document, &hints, |event| {
                    let line = |uri| format!("{} {:?} {uri}", member.as_str(), member.bytes());
                    found.extend(event.link().map(|link| line(link.uri())));
                    ControlFlow::Continue(())
                });
            }
            Found::Failed { error, .. } => codes.push(error.as_str()),
            _ => {}
        }
        ControlFlow::Continue(())
    });
    (found, codes)
}

#[test]
fn documents_of_streams_and_of_sources_are_the_same() {
    let inner = zip(&[deflated(b"y.txt", T), stored(b"z.txt", T)]);
    let all = zip(&[deflated(b"x.txt", T), stored(b"i.zip", &inner)]);
    let (found, codes) = documents(Opening::bytes(all.clone()));
    assert_eq!((found.len(), codes.len()), (6, 0));
    assert_eq!(found[2], "i.zip!y.txt None http://one.example/a");
    assert_eq!(documents(Opening::reader(Stream(&all))), (found, codes));
    let (found, codes) = documents(Opening::bytes(&gzip(T)[..30]).name("t.gz"));
    assert_eq!((found.len(), codes), (0, vec!["truncated"]));
    let mut seen = 0;
    container::documents(Opening::bytes(all), &Limits::new(), |_| {
        seen += 1;
        ControlFlow::Break(())
    });
    assert_eq!(seen, 1);
}

#[test]
fn case_12_frames_of_a_crawl_with_a_dictionary() {
    let records: Vec<Vec<u8>> =
        (1..5).map(|n| page(n, format!("<a href='r{n}'>").as_bytes(), "")).collect();
    let dictionary = records[0].repeat(4);
    let frames: Vec<u8> = records
        .iter()
        .flat_map(|one| {
            let mut encoder = zstd::bulk::Compressor::with_dictionary(3, &dictionary).unwrap();
            encoder.compress(one).unwrap()
        })
        .collect();
    for dictionary in [dictionary.clone(), zstd(&dictionary)] {
        let len = (dictionary.len() as u32).to_le_bytes();
        let first = [&[0x5D, 0x2A, 0x4D, 0x18][..], &len, &dictionary].concat();
        let found = run("a.warc.zst", &[&first[..], &frames].concat());
        assert_eq!((found.uris().len(), found.failures.len()), (4, 0), "{found:?}");
        assert_eq!(found.members()[0], first.len().to_string());
    }
    assert!(!run("a.warc.zst", &frames).failures.is_empty());
}

#[test]
fn codings_that_are_stacked_are_taken_off_one_after_the_other() {
    let html = b"<a href='r1'>";
    for (value, body) in [
        ("gzip, zstd", zstd(&gzip(html))),
        ("zstd,gzip", gzip(&zstd(html))),
        ("gzip\r\nContent-Encoding: gzip", gzip(&gzip(html))),
        ("identity, gzip", gzip(html)),
        // One of them, or none, was taken off before it was stored.
        ("gzip, zstd", gzip(html)),
        ("gzip, zstd", html.to_vec()),
    ] {
        let found = run("a.warc", &page(1, &body, &format!("Content-Encoding: {value}\r\n")));
        assert_eq!(found.uris(), ["http://s1.example/d/r1"], "{value} {found:?}");
        assert!(found.failures.is_empty(), "{value} {found:?}");
    }
}

#[test]
fn members_of_ar_and_of_debian_packages() {
    let data = gzip(&super::tars::tar(&[(b"./usr/share/doc/x", T)]));
    let deb = ar(&[
        member("debian-binary", b"2.0\n"),
        member(
            "control.tar.gz",
            &gzip(&super::tars::tar(&[(b"./control", b"Homepage: http://h.example/\n")])),
        ),
        member("data.tar.gz", &data),
    ]);
    let found = run("x.deb", &deb);
    assert_eq!(
        found.members(),
        [
            "control.tar.gz!./control",
            "data.tar.gz!./usr/share/doc/x",
            "data.tar.gz!./usr/share/doc/x"
        ]
    );
    assert!(found.failures.is_empty(), "{found:?}");
    let names = member("//", b"a_name_that_is_too_long.txt/\nanother_of_these.txt/\n");
    let gnu = ar(&[
        member("/", b"\0\0\0\0"),
        names,
        member("/0", T),
        member("/29", T),
        member("s.txt/", T),
    ]);
    assert_eq!(
        run("x.a", &gnu).members(),
        [
            "a_name_that_is_too_long.txt",
            "a_name_that_is_too_long.txt",
            "another_of_these.txt",
            "another_of_these.txt",
            "s.txt",
            "s.txt"
        ]
    );
    let bsd = ar(&[member("#1/8", &[b"long.txt", T].concat())]);
    assert_eq!(run("x.a", &bsd).links[0], "long.txt 4 http://one.example/a");
    let cut = run("x.a", &gnu[..gnu.len() - 10]);
    assert_eq!((cut.links.len(), cut.codes()), (5, vec!["s.txt truncated"]), "{cut:?}");
    assert_eq!(
        run(
            "x.a",
            &[&gnu[..], b"no header at all, and longer than sixty bytes, as a header is .."]
                .concat()
        )
        .codes(),
        [" corrupt"]
    );
    let claimed =
        String::from_utf8(ar(&[member("x", T)])).unwrap().replace("55        `", "9999999999`");
    assert_eq!(run("x.a", claimed.as_bytes()).uris().len(), 2);
    for (name, bytes) in [("x.deb", &deb), ("x.a", &gnu)] {
        assert!(super::run::torture(name, bytes, super::run::Order::Bytes) > 30, "{name}");
    }
}

#[test]
fn case_20_names_in_a_legacy_charset_keep_their_bytes() {
    let name = b"\x8A\xBF\x8E\x9A\x82\xCC\x96\xBC\x91\x4F\x95\\.txt";
    let (found, codes) = documents(Opening::bytes(zip(&[stored(name, T)])));
    assert_eq!(found[0], format!("漢字の名前表.txt {:?} {}", Some(name), BOTH[0]));
    assert!(codes.is_empty());
}

#[test]
fn case_23_stored_with_a_descriptor_from_files_and_streams() {
    let all = zip(&[with_descriptor(stored(b"x.txt", T)), with_descriptor(stored(b"y.txt", T))]);
    let expected = documents(Opening::bytes(all.clone()));
    assert_eq!((expected.0.len(), expected.1.len()), (4, 0));
    assert_eq!(documents(Opening::reader(Stream(&all))), expected);
}

#[test]
fn case_24_more_entries_than_sixteen_bits_count() {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    let count = 70_000_u32;
    for n in 0..count {
        let entry =
            stored(format!("{n}.txt").as_bytes(), format!("http://e.example/{n}\n").as_bytes());
        directory.extend(zips::record(&entry, out.len() as u32));
        out.extend(local(&entry));
    }
    let (start, size) = (out.len() as u64, directory.len() as u64);
    out.extend(directory);
    let end = out.len() as u64;
    out.extend(b"PK\x06\x06");
    out.extend(44_u64.to_le_bytes());
    out.extend([45, 0, 45, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
    for value in [count.into(), count.into(), size, start] {
        out.extend(u64::to_le_bytes(value));
    }
    out.extend(b"PK\x06\x07\0\0\0\0");
    out.extend(end.to_le_bytes());
    out.extend(1_u32.to_le_bytes());
    out.extend(ending(0xFFFF, u32::MAX, u32::MAX));
    let found = run("a.zip", &out);
    assert_eq!(
        (found.links.len(), found.failures.len()),
        (70_000, 0),
        "{:?}",
        found.failures.first()
    );
    assert_eq!(found.links[69_999], "69999.txt 0 http://e.example/69999");
}

#[test]
fn case_26_deflate64_is_read_and_lzma_is_named() {
    let of = |method| zips::Entry { method, ..deflated(b"x.txt", T) };
    assert_eq!(run("a.zip", &zip(&[of(9)])).uris(), BOTH);
    let found = run("a.zip", &zip(&[of(14), stored(b"y.txt", T)]));
    assert_eq!((found.uris(), found.codes()), (BOTH.to_vec(), vec!["x.txt method"]));
}

#[test]
fn case_27_a_zip_that_is_cut_before_its_end_gives_its_whole_entries() {
    let all = zip(&[stored(b"x.txt", T), deflated(b"y.txt", T), stored(b"z.txt", T)]);
    let directory = all.windows(4).position(|four| four == b"PK\x01\x02").unwrap();
    for end in [directory, directory + 20, all.len() - 22, all.len() - 1] {
        let found = run("a.zip", &all[..end]);
        assert_eq!((found.links.len(), found.codes()), (6, vec![" no-directory"]), "{end}");
    }
    let found = run("a.zip", &all[..directory - 10]);
    // The last link is cut itself.
    assert_eq!(found.links.len(), 5);
    assert_eq!(found.codes(), ["z.txt truncated", " no-directory"], "{found:?}");
}

#[test]
fn case_34_a_response_has_its_source() {
    let bytes = page(1, b"<a href=\"r?q=\x93\xFA\">", "");
    let folder = super::run::Folder::new();
    let path = folder.write("a.warc", &bytes);
    let mut found = Vec::new();
    let _ = linksift::files::scan([&path], &super::run::options(), |event| {
        found.extend(
            event
                .link()
                .map(|link| format!("{:?} {} {}", link.source(), link.charset(), link.uri())),
        );
        ControlFlow::Continue(())
    });
    assert_eq!(
        found,
        [r#"Some("http://s1.example/d/p") shift_jis http://s1.example/d/r?q=%93%FA"#]
    );
}

#[test]
fn case_44_a_redirection_is_a_link() {
    let block = b"HTTP/1.1 302 Found\r\nLocation: ../x\r\n\r\n";
    let bytes = record("response", "http://s.example/a/b/c", block, &block.len().to_string());
    assert_eq!(run("a.warc", &bytes).links, ["0 30 http://s.example/a/x"]);
    assert!(
        run("a.warc", &record("response", "http://s.example/", &response(T, ""), "x")).links.len()
            >= 2
    );
}

#[test]
fn case_45_office_documents_and_books_give_what_they_link_to() {
    let ns = "http://schemas.openxmlformats.org/package/2006/relationships";
    let rels = format!(
        "<?xml version='1.0'?><Relationships xmlns='{ns}'><Relationship Id='r1' Type='{ns}/hyperlink' Target='http://ext.example/d' TargetMode='External'/></Relationships>"
    );
    let document = format!(
        "<?xml version='1.0'?><w:document xmlns:w='{ns}'><w:t>see http://text.example/t</w:t></w:document>"
    );
    let uris =
        |found: &Run| -> Vec<String> { found.uris().into_iter().map(str::to_owned).collect() };
    let docx = zip(&[
        deflated(b"word/_rels/document.xml.rels", rels.as_bytes()),
        deflated(b"word/document.xml", document.as_bytes()),
    ]);
    let found = uris(&run("a.docx", &docx));
    assert!(found.contains(&"http://text.example/t".to_owned()), "{found:?}");
    assert!(found.contains(&"http://ext.example/d".to_owned()), "{found:?}");
    let page =
        b"<html xmlns='http://www.w3.org/1999/xhtml'><a href='http://e.example/b'>x</a></html>";
    let epub = zip(&[stored(b"mimetype", b"application/epub+zip"), deflated(b"c.xhtml", page)]);
    assert_eq!(uris(&run("a.epub", &epub)), ["http://e.example/b"]);
    let odt = b"<?xml version='1.0'?><o:d xmlns:o='urn:oasis:names:tc:opendocument:xmlns:office:1.0' xmlns:xlink='http://www.w3.org/1999/xlink'><a xlink:href='http://e.example/o'/></o:d>";
    assert_eq!(uris(&run("a.odt", &zip(&[deflated(b"content.xml", odt)]))), ["http://e.example/o"]);
    let jar = zip(&[
        deflated(
            b"META-INF/MANIFEST.MF",
            b"Manifest-Version: 1.0\nImplementation-URL: http://e.example/j\n",
        ),
        deflated(b"A.class", b"\xCA\xFE\xBA\xBE\0\0\x004 java.lang.io example.com"),
    ]);
    assert_eq!(uris(&run("a.jar", &jar)), ["http://e.example/j"]);
}

#[test]
fn case_46_a_picture_has_no_bare_hosts() {
    let mut state = 7_u64;
    let mut picture = b"\xFF\xD8\xFF\xE0\0\x10JFIF\0".to_vec();
    for _ in 0..400_000 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        picture.push((state >> 40) as u8);
    }
    picture.extend(b" example.com a@example.com ");
    let found = run("a.jpg", &picture);
    assert!(found.links.is_empty(), "{found:?}");
    assert_eq!(found.notices, [" media-unread"]);
    // The same bytes as something of which nothing is known.
    picture[0] = 0;
    let found = run("a.bin", &picture);
    assert!(found.links.is_empty(), "{found:?}");
    assert_eq!(found.notices, [" binary"]);
}
