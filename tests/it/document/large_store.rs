//! Stores of messages that are longer than what is held in memory: a file is read where its bytes are needed.

use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;

use linksift::container::Opening;
use linksift::files::{self, Options, ResumePoint};
use linksift::{Candidate, Event, Finder, Hints, Link, Notice};

use super::office::outlook_store;
use crate::made::folder::Folder;
use crate::made::store::{Node, store, write_moved};
use crate::made::zips::{stored, zip};

const GIB: u64 = 1 << 30;

fn line(link: &Link<'_>) -> String {
    let place = [link.member(), link.part(), link.object()].map(Option::unwrap_or_default);
    format!("{} {:?} {}", place.join(" "), link.range(), link.uri())
}

/// Returns the links of a file, and its notices.
fn of_file(path: &Path) -> (Vec<String>, Vec<Notice>) {
    let (mut links, mut notices) = (Vec::new(), Vec::new());
    let options = Options::new().hints(Hints::new().format(linksift::Format::Auto));
    let _ = files::scan([path], &options, |event| {
        match event {
            Event::Link { link, .. } => links.push(line(&link)),
            Event::Noticed { notice, .. } => notices.push(notice),
            Event::Failed { error, .. } => panic!("{error}"),
            _ => {}
        }
        ControlFlow::Continue(())
    });
    (links, notices)
}

#[test]
fn a_store_of_gigabytes_is_read_as_one_in_memory() {
    let store = outlook_store();
    let finder = Finder::new();
    let links = finder.document(&store, &Hints::new()).unwrap();
    let wanted: Vec<_> = links.filter_map(Candidate::into_link).map(|link| line(&link)).collect();
    assert_eq!(wanted.len(), 3);
    let folder = Folder::new();
    let path = folder.path().join("a.pst");
    for by in [0, GIB / 2, 5 * GIB] {
        write_moved(&store, by, &path);
        assert_eq!(of_file(&path), (wanted.clone(), vec![]), "{by}");
    }
    // Blocks behind the end: what is there is found, and what is not has a notice.
    let file = File::options().write(true).open(&path).unwrap();
    file.set_len(5 * GIB).unwrap();
    let (links, notices) = of_file(&path);
    assert_eq!((links.len(), notices), (0, vec![Notice::OfficeDamaged]));
}

/// Makes a store of two folders with this many messages, the last of which has an archive attached.
fn store_of(count: u32) -> Vec<u8> {
    let bodies: Vec<_> = (0..count).map(|n| format!("see http://e.com/{n} now")).collect();
    let archive = zip(&[stored(b"b.txt", b"http://zip.example/")]);
    let attached: [(u16, u16, &[u8]); 2] = [(0x3701, 0x102, &archive), (0x3707, 0x1E, b"a.zip")];
    let attached: [&[(u16, u16, &[u8])]; 1] = [&attached];
    let names: [[(u16, u16, &[u8]); 1]; 3] =
        [[(0x3001, 0x1E, b"Top")], [(0x3001, 0x1E, b"In%box")], [(0x3001, 0x1E, b"Sent")]];
    let bodies: Vec<[(u16, u16, &[u8]); 1]> =
        bodies.iter().map(|body| [(0x1000, 0x1E, body.as_bytes())]).collect();
    let node = |number, parent, properties| Node {
        number,
        parent,
        properties,
        attachments: &[],
        recipients: &[],
    };
    let mut nodes = vec![
        node(0x122, 0x122, &[]),
        node(0x8022, 0x122, &names[0]),
        node(0x8042, 0x8022, &names[1]),
        node(0x8062, 0x8022, &names[2]),
    ];
    for (n, body) in (0..).zip(&bodies) {
        let message = node(0x20_0004 + 0x20 * n, 0x8042 + 0x20 * (n % 2), body);
        let attachments = if n + 1 == count { &attached[..] } else { &[] };
        nodes.push(Node { attachments, ..message });
    }
    store(&nodes)
}

/// What a run gives, in order.
#[derive(Debug, PartialEq)]
enum Told {
    Line(String),
    Point(ResumePoint),
}

/// Returns the links, notices and ends of documents of an input, with its resume points.
fn told(event: &Event<'_>) -> Option<Told> {
    Some(match event {
        Event::Link { link, .. } => Told::Line(line(link)),
        Event::Noticed { member, notice, .. } => Told::Line(format!("{member:?} {notice:?}")),
        Event::DocumentEnd { member, .. } => Told::Line(format!("end of {}", member.as_str())),
        Event::Failed { member, error, .. } => Told::Line(format!("{} {error}", member.as_str())),
        Event::Checkpoint { point, .. } => Told::Point(*point),
        _ => return None,
    })
}

fn run(path: &Path, threads: usize, resume: Option<ResumePoint>) -> (Vec<Told>, u64) {
    let mut found = Vec::new();
    let options =
        Options::new().threads(threads).hints(Hints::new().format(linksift::Format::Auto));
    let options = match resume {
        Some(point) => options.resume(point),
        None => options,
    };
    let summary = files::scan([path], &options, |event| {
        found.extend(told(&event));
        ControlFlow::Continue(())
    });
    (found, summary.documents())
}

fn lines(told: &[Told]) -> Vec<&str> {
    let lines = told.iter().filter_map(|told| match told {
        Told::Line(line) => Some(line.as_str()),
        Told::Point(_) => None,
    });
    lines.collect()
}

#[test]
fn messages_of_a_store_are_documents_that_threads_share() {
    const COUNT: u32 = 700;
    let store = store_of(COUNT);
    let folder = Folder::new();
    let path = folder.path().join("a.pst");
    std::fs::write(&path, &store).unwrap();
    let (alone, documents) = run(&path, 1, None);
    // The attached archive has a document.
    assert_eq!(documents, u64::from(COUNT) + 1);
    assert_eq!(
        lines(&alone)[..2],
        ["In%25box!2097156 1.1 1000 4..18 http://e.com/0", "end of In%25box!2097156"][..]
    );
    assert!(lines(&alone).iter().any(|line| line.ends_with("http://zip.example/")), "{alone:?}");
    for threads in [2, 4] {
        assert_eq!(run(&path, threads, None).0, alone);
    }
    // The links are those of memory.
    let finder = Finder::new();
    let links = finder.document(&store, &Hints::new()).unwrap();
    let wanted: Vec<_> = links.filter_map(Candidate::into_link).map(|link| line(&link)).collect();
    let links = lines(&alone).into_iter().filter(|line| line.contains("http://e.com/"));
    assert_eq!(links.collect::<Vec<_>>(), wanted);
    // A run that is resumed gives the rest.
    let points = (0..alone.len()).filter(|at| matches!(alone[*at], Told::Point(_)));
    let points: Vec<_> = points.collect();
    assert!(points.len() > 2, "{}", points.len());
    for at in points {
        let Told::Point(point) = alone[at] else { unreachable!() };
        for threads in [1, 3] {
            assert_eq!(run(&path, threads, Some(point)).0, alone[at + 1..], "{at}");
        }
    }
    // In an archive and from a reader, its members are below its own.
    let of = |opening| {
        let mut found = Vec::new();
        let _ = files::scan_one(opening, &Options::new(), |event| {
            found.extend(told(&event));
            ControlFlow::Continue(())
        });
        let points = found.iter().filter(|told| matches!(told, Told::Point(_))).count();
        (lines(&found).into_iter().map(str::to_owned).collect::<Vec<_>>(), points)
    };
    let (found, points) = of(Opening::reader(&store[..]));
    assert!(found == lines(&alone) && points > 2, "{points}");
    let (within, points) = of(Opening::bytes(zip(&[stored(b"x/a.pst", &store)])));
    let wanted = lines(&alone).into_iter().map(|line| match line.strip_prefix("end of ") {
        Some(member) => format!("end of x/a.pst!{member}"),
        None => format!("x/a.pst!{line}"),
    });
    assert_eq!(within, wanted.collect::<Vec<_>>());
    // The zip can be resumed behind it, and nowhere in it.
    assert_eq!(points, 1);
}
