//! One archive by several threads: what comes out is the same whatever they are, in the same order.

pub(crate) use crate::made::crawls::*;

use std::fs;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::Path;

use linksift::container::Limits;
use linksift::files::Options;
use linksift::{Cancel, Event, Hints};

use super::compressed::{gzip, zstd};
use super::damage::Told;
use super::run::{Run, options, run_with};
use super::tars;
use super::warcs::page;
use super::zips;

/// What comes out with one thread and with many, in ranges of all sizes.
fn same(name: &str, bytes: &[u8]) -> Run {
    let wanted = run_with(name, bytes, &options().limits(Limits::new().range_size(1 << 40)));
    for size in [1 << 10, 64 << 10, 2 << 20] {
        for threads in [1, 2, 8] {
            let limits = Limits::new().range_size(size);
            let found = run_with(name, bytes, &options().limits(limits).threads(threads));
            assert_eq!(found, wanted, "{name} ranges of {size}, {threads} threads");
        }
    }
    wanted
}

#[test]
fn case_40_ranges_of_crawls_give_what_the_whole_gives() {
    let records = records(300);
    let gz: Vec<u8> = records.iter().flat_map(|one| gzip(one)).collect();
    assert!(gz.len() > 1 << 20);
    assert_eq!(same("a.warc.gz", &gz).links.len(), 600);
    assert_eq!(same("a.warc", &records.concat()).links.len(), 600);
    // One member; several records a member; none at all at the end.
    assert_eq!(same("one.warc.gz", &gzip(&records.concat())).links.len(), 600);
    let shared: Vec<u8> = records.chunks(7).flat_map(|some| gzip(&some.concat())).collect();
    assert_eq!(same("shared.warc.gz", &shared).links.len(), 600);
    // A record over two members.
    let split: Vec<u8> = records
        .iter()
        .flat_map(|one| [gzip(&one[..one.len() / 2]), gzip(&one[one.len() / 2..])].concat())
        .collect();
    assert_eq!(same("split.warc.gz", &split).links.len(), 600);
}

#[test]
fn case_41_false_starts_in_stored_data_change_nothing() {
    let inner =
        gzip(b"WARC/1.0\r\nWARC-Type: resource\r\nContent-Length: 20\r\n\r\nhttp://no.example/ x");
    let body = [&b"text "[..], &inner, b"\nWARC/1.0\r\nWARC-Type: resource\r\nWARC-Target-URI: http://no.example/\r\nContent-Length: 9\r\n\r\nhttp://a "].concat();
    let planted: Vec<Vec<u8>> = (0..60)
        .map(|n| {
            let fields = if n % 2 == 0 { "" } else { "X: y\r\n" };
            page(n, &[body.repeat(40), format!(" <a href=r{n}>").into_bytes()].concat(), fields)
        })
        .collect();
    same("a.warc", &planted.concat());
    // Stored without compression, so that the false start is one of the file too.
    let stored: Vec<u8> = planted
        .iter()
        .flat_map(|one| {
            let mut encoder =
                flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::none());
            encoder.write_all(one).unwrap();
            encoder.finish().unwrap()
        })
        .collect();
    same("a.warc.gz", &stored);
}

#[test]
fn damage_is_told_in_its_place() {
    let members: Vec<Vec<u8>> = records(120).iter().map(|one| gzip(one)).collect();
    let damaged = |how: &dyn Fn(usize, &mut Vec<u8>)| -> Vec<u8> {
        let mut members = members.clone();
        members.iter_mut().enumerate().for_each(|(n, one)| how(n, one));
        members.concat()
    };
    // A code that there is not; wrong checksums; garbage after the end; a cut end.
    let codes = same(
        "a.warc.gz",
        &damaged(&|n, one| {
            if n % 9 == 4 {
                one[10] = 0xFF
            }
        }),
    );
    assert!(!codes.failures.is_empty() && codes.links.len() > 200);
    let sums = same(
        "a.warc.gz",
        &damaged(&|n, one| {
            let at = one.len() - 6;
            one[at] ^= u8::from(n % 10 == 3);
        }),
    );
    assert_eq!((sums.failures.len(), sums.links.len()), (12, 240), "{:?}", sums.failures);
    same("a.warc.gz", &[members.concat(), b"garbage".to_vec()].concat());
    let whole = members.concat();
    let cut = same("a.warc.gz", &whole[..whole.len() - 40]);
    assert!(cut.links.len() >= 238);
    let plain = records(120).concat();
    same("a.warc", &plain[..plain.len() - 100]);
    // Lengths that are wrong in both directions.
    let text = String::from_utf8_lossy(&plain).into_owned();
    let mut wrong = String::new();
    for (n, record) in text.split("WARC/1.0\r\n").enumerate().skip(1) {
        let digits = record.find("Content-Length: ").unwrap() + 16;
        let end = digits + record[digits..].find('\r').unwrap();
        let length: usize = record[digits..end].parse().unwrap();
        let length = if n % 11 == 5 {
            length + 50
        } else if n % 11 == 7 {
            length - 7
        } else {
            length
        };
        wrong += &format!("WARC/1.0\r\n{}{length}{}", &record[..digits], &record[end..]);
    }
    let found = same("a.warc", wrong.as_bytes());
    assert!(found.failures.len() > 15, "{}", found.failures.len());
}

/// Records with so many links that a range of them does not fit into the queue, with failures and notices between them:
/// the task that reads the file helps with a range, gives it up, and processes it again.
#[test]
fn a_cut_crawl_with_many_links_comes_in_the_same_order_each_time() {
    let record = |n: usize| {
        let lines: String = (0..400).map(|of| format!("http://e.example/{n}/{of} \n")).collect();
        match n % 3 {
            0 => page(n, b"\x89PNG\r\n\x1A\n", ""),
            _ => page(n, format!("{}<p>{lines}", noise(n as u64, 400)).as_bytes(), ""),
        }
    };
    let cut = |n: usize, mut one: Vec<u8>| {
        one.truncate(one.len() - n % 5 * 2);
        one
    };
    let gz: Vec<u8> = (0..700).flat_map(|n| cut(n, gzip(&record(n)))).collect();
    let gz = &gz[..gz.len() - 100];
    let folder = super::run::Folder::new();
    let path = folder.write("a.warc.gz", gz);
    let told = |threads: usize| {
        let mut told = Told::default();
        let limits = Limits::new().range_size(gz.len() as u64 / 5);
        let _ =
            linksift::files::scan([&path], &options().threads(threads).limits(limits), |event| {
                told.take(event)
            });
        told
    };
    let wanted = told(1);
    assert!(wanted.links.len() > 150_000 && wanted.rest.len() > 400, "{}", wanted.rest.len());
    for threads in [2, 4, 8] {
        for run in 0..4 {
            let found = told(threads);
            let counts = (found.links.len(), wanted.links.len());
            assert!(found == wanted, "{threads} threads, run {run}: {counts:?}");
        }
    }
}

/// What a run reports up to its end: that of the callback, or of a token that is cancelled while it goes on.
fn lines_until(path: &Path, options: &Options, end: usize, cancel: Option<&Cancel>) -> Vec<String> {
    let mut lines = Vec::new();
    let summary = linksift::files::scan([path], options, |event| {
        lines.push(match event {
            Event::Link { link, .. } => format!("{:?} {}", link.member(), link.uri()),
            Event::Noticed { member, notice, .. } => {
                format!("{} {}", member.as_str(), notice.as_str())
            }
            Event::Failed { member, error, .. } => format!("{} {error}", member.as_str()),
            _ => return ControlFlow::Continue(()),
        });
        match (lines.len() == end, cancel) {
            (true, None) => return ControlFlow::Break(()),
            (true, Some(cancel)) => cancel.cancel(),
            _ => {}
        }
        ControlFlow::Continue(())
    });
    assert_eq!(summary.stopped(), lines.len() >= end);
    lines
}

/// A run that is stopped gives the front of what a whole run gives, however many threads are ahead of it.
#[test]
fn a_stopped_crawl_gives_the_front_of_the_whole_one() {
    let record = |n: usize| {
        let lines: String = (0..100).map(|of| format!("http://e.example/{n}/{of} \n")).collect();
        match n % 3 {
            0 => page(n, b"\x89PNG\r\n\x1A\n", ""),
            1 => page(n, format!("<meta charset=klingon><p>{lines}").as_bytes(), ""),
            _ => page(n, format!("{}<p>{lines}", noise(n as u64, 400)).as_bytes(), ""),
        }
    };
    let cut = |n: usize, mut one: Vec<u8>| {
        one.truncate(one.len() - n % 5 * 2);
        one
    };
    let gz: Vec<u8> = (0..240).flat_map(|n| cut(n, gzip(&record(n)))).collect();
    let folder = super::run::Folder::new();
    let path = folder.write("a.warc.gz", &gz);
    let limits = Limits::new().range_size(gz.len() as u64 / 9);
    let of = |threads: usize| options().threads(threads).limits(limits.clone());
    let whole = lines_until(&path, &of(1), usize::MAX, None);
    let rest = whole.iter().filter(|line| !line.contains("http://e.example")).count();
    assert!(rest > 200 && whole.len() > 10_000 + rest, "{rest} of {}", whole.len());
    for end in [1, 40, 3_000, whole.len() - 300] {
        for threads in [1, 4, 8] {
            for run in 0..3 {
                let found = lines_until(&path, &of(threads), end, None);
                assert!(found == whole[..end], "{threads} threads, run {run}: broken off at {end}");
                let cancel = Cancel::new();
                let hints = Hints::new().cancel(cancel.clone());
                let found = lines_until(&path, &of(threads).hints(hints), end, Some(&cancel));
                let is_front = found.len() >= end && whole.starts_with(&found);
                assert!(is_front, "{threads} threads, run {run}: cancelled at {end}");
            }
        }
    }
}

#[test]
fn members_of_tars_and_zips_are_gone_through_by_many() {
    let texts: Vec<(String, Vec<u8>)> = (0..400)
        .map(|n| {
            let text = format!("{} http://e.example/{n} \n", noise(n, (n % 13 * 1_700) as usize));
            match n % 5 {
                3 => (format!("{n}.txt.gz"), gzip(text.as_bytes())),
                _ => (format!("{n}.txt"), text.into_bytes()),
            }
        })
        .collect();
    let files: Vec<(&[u8], &[u8])> =
        texts.iter().map(|(name, bytes)| (name.as_bytes(), &bytes[..])).collect();
    let mut tar = tars::tar(&files);
    // A file that is too long to be held, and after it damage.
    let long = format!("{} http://long.example/ \n", noise(9, 3 << 20)).into_bytes();
    tar.truncate(tar.len() - 1024);
    tar.extend(tars::tar(&[(b"long.txt", &long), (b"last.txt", b"http://last.example/")]));
    let found = same("a.tar", &tar);
    assert_eq!((found.links.len(), found.failures.len()), (402, 0), "{:?}", found.failures);
    assert_eq!(
        found.uris()[..3],
        ["http://e.example/0", "http://e.example/1", "http://e.example/2"]
    );
    assert_eq!(same("a.tar.zst", &zstd(&tar)).links, found.links);
    let mut damaged = tar.clone();
    let at = damaged.len() / 3 / 512 * 512;
    damaged[at..at + 2_048].fill(0x41);
    same("a.tar.gz", &gzip(&damaged));
    let cut = same("a.tar.gz", &gzip(&tar)[..900_000]);
    assert!(!cut.failures.is_empty());

    let entries: Vec<zips::Entry> =
        files.iter().map(|(name, bytes)| zips::deflated(name, bytes)).collect();
    let zip = zips::zip(&entries);
    let found = same("a.zip", &zip);
    assert_eq!((found.links.len(), found.failures.len()), (400, 0), "{:?}", found.failures);
    assert_eq!(same("b.zip", &zip[..zip.len() - 10]).links.len(), 400);
}

#[test]
fn the_callback_ends_a_run_in_the_middle_of_an_archive() {
    let gz: Vec<u8> = records(300).iter().flat_map(|one| gzip(one)).collect();
    let folder = super::run::Folder::new();
    let path = folder.write("a.warc.gz", &gz);
    for most in [1, 50, 599] {
        let mut found = 0;
        let limits = Limits::new().range_size(16 << 10);
        let options = options().threads(4).limits(limits);
        let summary = linksift::files::scan([&path], &options, |event| {
            found += usize::from(event.link().is_some());
            match found == most {
                true => std::ops::ControlFlow::Break(()),
                false => std::ops::ControlFlow::Continue(()),
            }
        });
        assert!(summary.stopped());
        assert_eq!(found, most);
    }
    assert!(fs::metadata(path).is_ok());
}

#[test]
fn archives_beside_each_other_come_in_order() {
    let folder = super::run::Folder::new();
    for n in 0..6 {
        let gz: Vec<u8> = records(40 + n).iter().flat_map(|one| gzip(one)).collect();
        folder.write(&format!("{n}.warc.gz"), &gz);
    }
    let lines = |threads: usize| {
        let mut lines = Vec::new();
        let options = options().threads(threads).limits(Limits::new().range_size(8 << 10));
        let summary = linksift::files::scan([&folder.0], &options, |event| {
            if let linksift::Event::Link { path, link, .. } = event {
                lines.push(format!("{} {:?} {}", path.display(), link.member(), link.uri()));
            }
            std::ops::ControlFlow::Continue(())
        });
        (lines, summary)
    };
    let one = lines(1);
    assert_eq!(one.0.len(), 2 * (6 * 40 + 15));
    for threads in [2, 3, 8] {
        assert_eq!(lines(threads), one, "{threads}");
    }
}
