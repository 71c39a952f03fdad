//! Stores of messages that are longer than what is held in memory: a file is read where its bytes are needed.

use std::fs::File;
use std::ops::ControlFlow;
use std::path::Path;

use linksift::files::{self, Options};
use linksift::{Document, Event, Finder, Hints, Link, Notice};

use super::office::outlook_store;
use crate::made::folder::Folder;
use crate::made::store::write_moved;

const GIB: u64 = 1 << 30;

fn line(link: &Link<'_>) -> String {
    let place = [link.member(), link.part(), link.object()].map(Option::unwrap_or_default);
    format!("{} {:?} {}", place.join(" "), link.range(), link.uri())
}

/// Returns the links of a file, its notices, and its bytes.
fn of_file(path: &Path) -> (Vec<String>, Vec<Notice>, u64) {
    let (mut links, mut notices) = (Vec::new(), Vec::new());
    let options = Options::new().hints(Hints::new().format(linksift::Format::Auto));
    let summary = files::sift([path], &options, |event| {
        match event {
            Event::Link { link, .. } => links.push(line(&link)),
            Event::Noticed { notice, .. } => notices.push(notice),
            Event::Failed { error, .. } => panic!("{error}"),
            _ => {}
        }
        ControlFlow::Continue(())
    });
    (links, notices, summary.bytes())
}

#[test]
fn a_store_of_gigabytes_is_read_as_one_in_memory() {
    let store = outlook_store();
    let finder = Finder::new();
    let links = finder.document(&Document::new(&store)).unwrap();
    let wanted: Vec<_> = links.filter_map(Result::ok).map(|link| line(&link)).collect();
    assert_eq!(wanted.len(), 3);
    let folder = Folder::new();
    let path = folder.path().join("a.pst");
    for by in [0, GIB / 2, 5 * GIB] {
        write_moved(&store, by, &path);
        assert_eq!(of_file(&path), (wanted.clone(), vec![], store.len() as u64 + by), "{by}");
    }
    // Blocks behind the end: what is there is found, and what is not has a notice.
    let file = File::options().write(true).open(&path).unwrap();
    file.set_len(5 * GIB).unwrap();
    let (links, notices, _) = of_file(&path);
    assert_eq!((links.len(), notices), (0, vec![Notice::OfficeDamaged]));
}
