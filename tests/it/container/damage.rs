//! Damage: whatever is cut or changed, the links before it are found, and it does not matter how the bytes come in.
//!
//! Each archive is cut at each byte, and some of its bits are flipped. What a whole source, readers of one byte and
//! of odd lengths, a file, and ranges of a crawl come to is the same: links, notices, failures with their words and
//! places. And what is found up to a cut is found if the byte there is changed, since what a decoder makes of the
//! bytes before does not depend on those that follow.
//!
//! A sample is tried unless `LINKSIFT_DAMAGE` is set, which tries all: as many flips as it says, 2,000 by default.
//! The decoders of others are compared by `tests/twins/damage.py`.

use std::fs;
use std::io::{self, Read, Write};
use std::ops::ControlFlow;

use linksift::Event;
use linksift::container::{Limits, Opening};
use linksift::files::{self, Options};

use super::compressed::{bzip2, gzip, lz4, xz, zstd};
use super::parallel::noise;
use super::run::{Folder, Order, ends, options};
use super::tars::tar;
use super::warcs::{page, record};
use super::zips::{Entry, deflated, local, stored, with_descriptor, zip};
use crate::made::ars::{ar, member};

/// A reader that gives a few bytes at a time.
pub(super) struct Slow<'s> {
    pub(super) bytes: &'s [u8],
    /// One byte, or up to some hundreds, by chance.
    pub(super) state: Option<u64>,
}

impl Read for Slow<'_> {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        let most = self.state.as_mut().map_or(1, |state| {
            *state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            (*state >> 33) as usize % 700 + 1
        });
        let len = most.min(to.len());
        self.bytes.read(&mut to[..len])
    }
}

/// What is told of an input, in order.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Told {
    pub(super) links: Vec<String>,
    pub(super) rest: Vec<String>,
}

impl Told {
    pub(super) fn take(&mut self, event: Event<'_>) -> ControlFlow<()> {
        match event {
            Event::Link { link, .. } => {
                let (member, at) = (link.member().unwrap_or_default(), link.range());
                self.links.push(format!("{member} {at:?} {} {}", link.context(), link.uri()));
            }
            Event::Failed { member, error, .. } => {
                self.rest.push(format!("{} {}: {}", self.links.len(), member.as_str(), error));
            }
            Event::Noticed { member, notice, .. } => {
                self.rest.push(format!(
                    "{} {}: {}",
                    self.links.len(),
                    member.as_str(),
                    notice.as_str()
                ));
            }
            _ => {}
        }
        ControlFlow::Continue(())
    }
}

pub(super) fn of(opening: Opening<'_>, name: &str, options: &Options) -> Told {
    let mut told = Told::default();
    let _ = files::scan_one(opening.name(name), options, |event| told.take(event));
    told
}

/// One archive that is damaged in all ways.
pub(super) struct Tried<'t> {
    name: &'t str,
    folder: Folder,
    options: Options,
    ranges: Options,
}

impl Tried<'_> {
    pub(super) fn new(name: &str) -> Tried<'_> {
        Tried::in_ranges(name, 1_000)
    }

    pub(super) fn in_ranges(name: &str, range: u64) -> Tried<'_> {
        let ranges = options().limits(Limits::new().range_size(range));
        Tried { name, folder: Folder::new(), options: options(), ranges }
    }

    /// What these bytes come to, on every code path; on the slow ones if there is time.
    pub(super) fn told(&self, bytes: &[u8], is_slow: bool, what: &str) -> Told {
        let (name, options) = (self.name, &self.options);
        let whole = of(Opening::bytes(bytes), name, options);
        let same = |route: &str, told: Told| {
            let differs = told.links.iter().zip(&whole.links).position(|(one, other)| one != other);
            let count = (told.links.len(), whole.links.len(), differs);
            assert_eq!(told.rest, whole.rest, "{name}, {what}: a {route} and the whole {count:?}");
            assert!(told == whole, "{name}, {what}: a {route} and the whole {count:?}");
        };
        let state = Some(bytes.len() as u64);
        same("odd reader", of(Opening::reader(Slow { bytes, state }), name, options));
        if is_slow {
            same("slow reader", of(Opening::reader(Slow { bytes, state: None }), name, options));
            same("source in ranges", of(Opening::bytes(bytes), name, &self.ranges));
            let path = self.folder.write(name, bytes);
            let mut told = Told::default();
            let _ = files::scan([&path], options, |event| told.take(event));
            same("file", told);
            fs::remove_file(path).unwrap();
        }
        whole
    }
}

/// How many flips of each archive there are, and whether every cut is tried on every code path.
fn effort() -> (usize, bool) {
    match std::env::var("LINKSIFT_DAMAGE") {
        Ok(flips) => (flips.parse().unwrap_or(2_000), true),
        Err(_) => (24, false),
    }
}

/// Cuts an archive and flips its bits.
fn damage(name: &str, bytes: &[u8], order: Order<'_>) {
    let (flips, is_whole) = effort();
    let tried = Tried::new(name);
    let whole = tried.told(bytes, true, "as it is");
    assert!(whole.rest.is_empty() && whole.links.len() > 1, "{name} {whole:?}");
    let steps = if is_whole { bytes.len() } else { 40 };
    for step in 0..steps {
        let end = step * bytes.len() / steps;
        tried.told(&bytes[..end], is_whole || step % 4 == 0, &format!("cut at {end}"));
    }
    let (mut state, mut copy) = (bytes.len() as u64, bytes.to_vec());
    for flip in 0..flips {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let (at, bit) = ((state >> 33) as usize % bytes.len(), state >> 29 & 7);
        copy[at] ^= 1 << bit;
        let what = format!("bit {bit} of byte {at}");
        let flipped = tried.told(&copy, is_whole && flip % 8 == 0 || flip % 4 == 0, &what);
        copy[at] = bytes[at];
        let settled = order.settled(at);
        let cut = of(Opening::bytes(&bytes[..settled]), name, &tried.options);
        if settled == at {
            begins_with(&flipped, &cut, name, &what);
        } else {
            let Told { links, .. } = &cut;
            let found = &flipped.links;
            assert!(found.starts_with(links), "{name}, {what}: {found:?}, not {links:?}");
            assert!(settled == 0 || !links.is_empty(), "{name}: nothing in front of {settled}");
        }
    }
}

/// What was found up to a cut is found if something is changed there; the last link may have been cut itself.
fn begins_with(flipped: &Told, cut: &Told, name: &str, what: &str) {
    let links = &cut.links[..cut.links.len().saturating_sub(1)];
    let count = (flipped.links.len(), links.len());
    assert!(
        flipped.links.starts_with(links),
        "{name}, {what}: {count:?} {:?} {:?} {:?}",
        links.last(),
        cut.rest,
        flipped.rest
    );
}

/// Lines of text with a link in each, of so many bytes.
pub(super) fn text(len: usize) -> Vec<u8> {
    let (mut text, noise) = (String::new(), noise(3, len));
    for (n, word) in noise.split(' ').enumerate().take_while(|_| true) {
        if text.len() >= len {
            break;
        }
        match n % 3 {
            0 => text.push_str(&format!("see http://e.example/{word} and so on\n")),
            1 => text.push_str(&format!("see http://e.example/{n} and so on\n")),
            _ => text.push_str(&format!("{word}, see http://e.example/path/that/is/there/often\n")),
        }
    }
    text.into_bytes()
}

fn lzma(bytes: &[u8]) -> Vec<u8> {
    let options = lzma_rust2::LzmaOptions::with_preset(1);
    let mut encoder = lzma_rust2::LzmaWriter::new_use_header(Vec::new(), &options, None).unwrap();
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

/// Linked blocks with all checksums, and one that does not compress.
fn lz4_with_sums(bytes: &[u8]) -> Vec<u8> {
    let info = lz4_flex::frame::FrameInfo::new()
        .block_size(lz4_flex::frame::BlockSize::Max64KB)
        .block_mode(lz4_flex::frame::BlockMode::Linked)
        .block_checksums(true)
        .content_checksum(true)
        .content_size(Some(bytes.len() as u64));
    let mut encoder = lz4_flex::frame::FrameEncoder::with_frame_info(info, Vec::new());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn zstd_with_sum(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = zstd::stream::write::Encoder::new(Vec::new(), 3).unwrap();
    encoder.include_checksum(true).unwrap();
    // Several blocks.
    for piece in bytes.chunks(700) {
        encoder.write_all(piece).unwrap();
        encoder.flush().unwrap();
    }
    encoder.finish().unwrap()
}

type Codec = (&'static str, fn(&[u8]) -> Vec<u8>);

const CODECS: [Codec; 8] = [
    ("t.txt.gz", gzip),
    ("t.txt.bz2", bzip2),
    ("t.txt.xz", xz),
    ("t.txt.lzma", lzma),
    ("t.txt.zst", zstd),
    ("u.txt.zst", zstd_with_sum),
    ("t.txt.lz4", lz4),
    ("u.txt.lz4", lz4_with_sums),
];

#[test]
fn short_files_of_each_codec() {
    for (name, encode) in CODECS {
        damage(name, &encode(&text(900)), Order::Bytes);
    }
    damage("t.txt.br", include_bytes!("links.br"), Order::Bytes);
}

#[test]
fn files_of_several_members() {
    for (name, encode) in CODECS {
        if !name.ends_with("lzma") {
            let two = text(900);
            damage(name, &[encode(&two[..500]), encode(&two[500..])].concat(), Order::Bytes);
        }
    }
}

#[test]
fn long_files_of_each_codec() {
    let len = if effort().1 { 300_000 } else { 60_000 };
    for (name, encode) in CODECS {
        damage_here_and_there(name, &encode(&text(len)));
    }
}

/// A library that has failed says of another call that it was one too many; what is wrong are the bytes.
#[test]
fn faults_are_told_in_words_of_the_data() {
    let bytes = gzip(&text(60_000));
    let mut corrupt = 0;
    for n in 0..200 {
        let mut copy = bytes.clone();
        copy[20 + n * 31] ^= 1 << (n % 8);
        let told = of(Opening::bytes(&copy[..]), "t.txt.gz", &options());
        assert!(!told.rest.is_empty() && told.rest.iter().all(|why| !why.contains("call")), "{n}");
        let reason = "gzip stream corrupt: invalid block, code or distance at byte ";
        corrupt += usize::from(told.rest.iter().any(|why| why.contains(reason)));
    }
    assert!(corrupt > 20, "{corrupt}");
}

/// A long file, at some places.
fn damage_here_and_there(name: &str, bytes: &[u8]) {
    let (flips, is_whole) = effort();
    let tried = Tried::new(name);
    let count = if is_whole { flips } else { 6 };
    let mut copy = bytes.to_vec();
    for n in 0..count {
        let at = (n * 2 + 1) * bytes.len() / (2 * count);
        let cut = tried.told(&bytes[..at], n % 8 == 0, &format!("cut at {at}"));
        copy[at] ^= 1 << (n % 8);
        let flipped = tried.told(&copy, n % 8 == 4, &format!("byte {at}"));
        copy[at] = bytes[at];
        begins_with(&flipped, &cut, name, &format!("byte {at}"));
    }
}

fn crawl() -> Vec<Vec<u8>> {
    let html = |n: usize| format!("<p><a href='r{n}'>x</a> http://e.example/{n} and so on</p>\n");
    let coded = gzip(html(3).as_bytes());
    let chunked = [format!("{:x}\r\n", coded.len()).as_bytes(), &coded, b"\r\n0\r\n\r\n"].concat();
    let moved = b"HTTP/1.1 302 Found\r\nLocation: /moved\r\nLink: <l>; rel=next\r\n\r\n";
    vec![
        page(1, html(1).as_bytes(), ""),
        record("revisit", "http://r.example/", moved, &moved.len().to_string()),
        page(2, html(2).as_bytes(), "Location: ../x\r\n"),
        page(3, &chunked, "Content-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n"),
        page(4, html(4).as_bytes(), ""),
    ]
}

#[test]
fn containers_and_what_is_nested() {
    let (one, two) = (text(400), text(700));
    let tar = tar(&[(b"a.txt", &one), (b"b.txt", &two)]);
    damage("a.tar", &tar, Order::Bytes);
    damage("a.tar.gz", &gzip(&tar), Order::Bytes);
    damage("a.tar.zst", &zstd(&tar), Order::Bytes);
    damage("a.tar.xz", &xz(&tar), Order::Bytes);
    damage(
        "a.ar",
        &ar(&[member("a.txt/", &one), member("b.txt.gz/", &gzip(&two)), member("c.txt/", &one)]),
        Order::Bytes,
    );
    damage("a.gz", &gzip(&gzip(&two)), Order::Bytes);
}

#[test]
fn crawls() {
    // What is changed in a body may make something else of it that is not text.
    let records = crawl();
    let codecs: [Codec; 6] = [
        ("a.warc", <[u8]>::to_vec),
        ("a.warc.gz", gzip),
        ("a.warc.xz", xz),
        ("a.warc.bz2", bzip2),
        ("a.warc.lz4", lz4),
        ("a.warc.zst", zstd),
    ];
    for (name, encode) in codecs {
        let records: Vec<_> = records.iter().map(|one| encode(one)).collect();
        damage(name, &records.concat(), Order::Records(&ends(&records)));
    }
    damage("b.warc.gz", &gzip(&records.concat()), Order::Members(&[]));
}

#[test]
fn zips_of_each_method() {
    let (one, two) = (text(400), text(700));
    let coded = |method, stored: Vec<u8>, name: &'static [u8]| Entry {
        method,
        stored,
        ..deflated(name, &two)
    };
    let entries = [
        stored(b"a.txt", &one),
        deflated(b"b.txt", &two),
        coded(9, deflated(b"c.txt", &two).stored, b"c.txt"),
        coded(12, bzip2(&two), b"d.txt"),
        coded(93, zstd(&two), b"e.txt"),
        coded(95, xz(&two), b"f.txt"),
        with_descriptor(deflated(b"g.txt", &two)),
        stored(b"h.txt.gz", &gzip(&one)),
    ];
    let locals: Vec<_> = entries.iter().map(local).collect();
    damage("a.zip", &zip(&entries), Order::Members(&ends(&locals)));
    // One after the other, and after a script.
    let other = zip(&[stored(b"i.txt", &two), deflated(b"j.txt", &one)]);
    damage("b.zip", &[zip(&entries[..3]), other.clone()].concat(), Order::Members(&[]));
    damage("c.run", &[b"#!/bin/sh\n", &other[..]].concat(), Order::Members(&[]));
    damage("c.run.gz", &gzip(&[b"#!/bin/sh\n", &other[..]].concat()), Order::Members(&[]));
}
