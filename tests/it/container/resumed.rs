//! Archives that are resumed inside: at each point the rest comes, and nothing twice.

use std::ops::ControlFlow;
use std::path::Path;

use linksift::Event;
use linksift::container::Limits;
use linksift::files::{self, Options, ResumePoint};

use super::compressed::{gzip, zstd};
use super::parallel::{noise, records};
use super::run::{Folder, T, options};
use super::tars::{entry, tar};
use super::zips::{deflated, stored, zip};

/// All events as text; the points that are reached, each with how many events come before it.
fn events(path: &Path, options: &Options) -> (Vec<String>, Vec<(usize, ResumePoint)>) {
    let (mut told, mut points) = (Vec::new(), Vec::new());
    let _ = files::scan([path], options, |event| {
        match event {
            Event::Checkpoint { point, .. } => points.push((told.len(), point)),
            Event::Link { link, .. } => {
                let member = link.member().unwrap_or_default();
                told.push(format!("{member} {} {}", link.range().start, link.uri()));
            }
            event => told.push(format!("{event:?}")),
        }
        ControlFlow::Continue(())
    });
    (told, points)
}

/// Goes on at each point of an archive; how many there are.
fn resumed(name: &str, bytes: &[u8]) -> usize {
    let folder = Folder::new();
    let path = folder.write(name, bytes);
    let options = options().limits(Limits::new().range_size(256 << 10));
    let (whole, points) = events(&path, &options);
    let (other, others) = events(&path, &options.clone().threads(3));
    assert_eq!(whole, other, "{name}");
    assert_eq!(points.len(), others.len(), "{name}: the same points with several threads");
    for (number, (before, point)) in points.iter().enumerate() {
        // As a program keeps it.
        let point = point.to_string().parse::<ResumePoint>().unwrap();
        let options = options.clone().resume(point).threads(1 + number % 2 * 2);
        let (rest, _) = events(&path, &options);
        assert_eq!(rest, whole[*before..], "{name} at {point:?}");
    }
    points.len()
}

/// Texts with a link each: some are long, some break off where they should not.
fn texts(count: usize) -> Vec<(String, Vec<u8>)> {
    let text = |n: usize| {
        let len = if n % 10 == 3 { 1_200_000 } else { 40_000 };
        format!("{} http://e.example/{n}\n", noise(n as u64, len)).into_bytes()
    };
    (0..count)
        .map(|n| match n % 10 {
            6 => (format!("{n}.txt.gz"), gzip(&text(n))[..9_000].to_vec()),
            7 => (format!("{n}.tar"), [entry("a", T), entry("b", &text(n))].concat()),
            _ => (format!("{n}.txt"), text(n)),
        })
        .collect()
}

#[test]
fn crawls_are_gone_on_with_at_any_point() {
    let mut records = records(300);
    // Something that is no record, and is told of the whole crawl.
    records.insert(20, b"garbage\r\n\r\n".to_vec());
    let mut members: Vec<Vec<u8>> = records.iter().map(|one| gzip(one)).collect();
    for number in [3, 150, 290] {
        let at = members[number].len() - 6;
        members[number][at] ^= 1;
    }
    assert!(resumed("a.warc.gz", &members.concat()) > 4);
    assert!(resumed("a.warc", &records.concat()) > 4);
    assert!(resumed("one.warc.gz", &gzip(&records.concat())) > 0);
    // A stream that is read up to the point again.
    let frames: Vec<u8> = records.iter().flat_map(|one| zstd(one)).collect();
    assert!(resumed("a.warc.zst", &frames) > 1);
}

#[test]
fn zips_are_gone_on_with_at_any_point() {
    let mut entries: Vec<_> = texts(60)
        .iter()
        .enumerate()
        .map(|(n, (name, bytes))| match n % 2 {
            0 => stored(name.as_bytes(), bytes),
            _ => deflated(name.as_bytes(), bytes),
        })
        .collect();
    // Names that were there before, and one in a legacy charset.
    entries.push(stored(b"0.txt", T));
    entries.push(stored(b"\x95\x5C.txt", T));
    let zip = zip(&entries);
    assert!(resumed("a.zip", &zip) > 4);
    assert!(resumed("a.zip.gz", &gzip(&zip)) > 4);
}

#[test]
fn tars_are_gone_on_with_at_any_point() {
    let texts = texts(60);
    let files: Vec<_> = texts.iter().map(|(name, bytes)| (name.as_bytes(), &bytes[..])).collect();
    let mut tar = tar(&files);
    assert!(resumed("a.tar", &tar) > 4);
    assert!(resumed("a.tar.gz", &gzip(&tar)) > 4);
    // A header that is none is told of the whole archive.
    let second = entry(&texts[0].0, &texts[0].1).len();
    tar[second] ^= 1;
    assert!(resumed("a.tar", &tar) > 4);
    let (one, other) = tar.split_at(tar.len() / 2);
    assert!(resumed("a.tar.zst", &[zstd(one), zstd(other)].concat()) > 4);
    assert!(resumed("cut.tar.zst", &zstd(&tar)[..3_000_000]) > 2);
}

#[test]
fn archives_in_archives_have_no_points_of_their_own() {
    let texts = texts(30);
    let files: Vec<_> = texts.iter().map(|(name, bytes)| (name.as_bytes(), &bytes[..])).collect();
    let inner = tar(&files);
    assert_eq!(resumed("a.zip", &zip(&[stored(b"inner.tar", &inner)])), 1);
    assert_eq!(resumed("a.txt", &noise(1, 3 << 20).into_bytes()), 0);
}
