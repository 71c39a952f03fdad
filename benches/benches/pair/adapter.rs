// What `pair` calls of the library that `library` names where this file is included. Each commit is called by its
// own adapter, so the interface may change; the functions of `Side` stay as they are.

use std::hint::black_box;
use std::ops::ControlFlow;

use library::{Candidates, Event, Finder, Hints};
use linksift_benches::contenders::Found;

#[derive(Default)]
pub struct Side {
    finder: Finder,
}

impl Side {
    /// Links of a text; with `uri`, each asked for its URI.
    pub fn text(&self, text: &str, uri: bool, found: &mut Found) {
        for link in self.finder.links(text) {
            if uri {
                black_box(link.uri().len());
            }
            found.add(link.range().end);
        }
    }

    /// Links of a document in memory, each asked for its URI.
    pub fn document(&self, bytes: &[u8], format: &str, charset: Option<&str>, found: &mut Found) {
        let hints = Hints::new().format(format.parse().expect("a format"));
        let declared = |hints: Hints, name: &str| hints.charset(name.parse().expect("a charset"));
        self.links_of(bytes, &charset.into_iter().fold(hints, declared), found);
    }

    /// Links of a page that was fetched from this address, each asked for its URI.
    pub fn page(&self, bytes: &[u8], base: &str, found: &mut Found) {
        let base = base.parse().expect("an IRI");
        let hints = Hints::new().format("html".parse().expect("a format")).base(base);
        self.links_of(bytes, &hints, found);
    }

    fn links_of(&self, bytes: &[u8], hints: &Hints, found: &mut Found) {
        for link in self.finder.document(bytes, hints).into_iter().flat_map(Candidates::links) {
            black_box(link.uri().len());
            found.add(link.range().end);
        }
    }

    /// What comes out of a message that is read.
    pub fn message(&self, bytes: &[u8], found: &mut Found) {
        let hints = Hints::new().format("email".parse().expect("a format"));
        let each = |event: Event<'_>| {
            black_box(&event);
            ControlFlow::Continue(())
        };
        let scanned = self.finder.scan_reader(bytes, &hints, each);
        found.count += scanned.map_or(0, |scanned| scanned.links());
    }
}
