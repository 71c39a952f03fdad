//! Everything that is measured, behind one type: a name and a function from text to what was found.

use std::hint::black_box;
use std::ops::ControlFlow;

use linkify::LinkFinder;
use linksift::{Event, Finder, Hints};
use regex::Regex;

/// What a run found. Both figures must be the same in every round, or the run is worth nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Found {
    /// Links, or bytes of a kind for the floors.
    pub count: u64,
    /// The sum of their ends: a contender cannot get away with counting only.
    pub ends: u64,
}

impl Found {
    /// Counts a link that ends at `end`.
    pub fn add(&mut self, end: usize) {
        self.count += 1;
        self.ends = self.ends.wrapping_add(end as u64);
    }
}

/// One thing that is measured.
pub struct Contender {
    /// As in the tables.
    pub name: &'static str,
    /// Whether it finds links; the floors do not, and have no time a link.
    pub finds_links: bool,
    run: Box<dyn Fn(&str) -> Found>,
}

impl Contender {
    fn new(name: &'static str, run: impl Fn(&str) -> Found + 'static) -> Self {
        Contender { name, finds_links: true, run: Box::new(run) }
    }

    fn floor(name: &'static str, run: impl Fn(&str) -> Found + 'static) -> Self {
        Contender { name, finds_links: false, run: Box::new(run) }
    }

    /// Goes through all of `text`.
    pub fn run(&self, text: &str) -> Found {
        (self.run)(black_box(text))
    }
}

pub const ALL: &str = "linksift";
pub const ALL_URI: &str = "linksift, with `uri()`";
pub const SCHEME: &str = "linksift, scheme needed";
pub const BYTES: &str = "linksift, `candidates_in(&[u8])`";
pub const READER: &str = "linksift, `scan_reader`";
pub const LINKIFY: &str = "linkify, scheme optional";
pub const LINKIFY_SCHEME: &str = "linkify, scheme needed";
pub const REGEX: &str = "regex `\\bhttps?://\\S+`";
pub const COUNT_COLONS: &str = "memchr, `:` counted";
pub const EACH_COLON: &str = "memchr, each `:`";

/// All contenders of the text bench, in the order of their turns.
pub fn all() -> Vec<Contender> {
    vec![
        linksift_all(),
        linkify_optional(),
        ours_with_uri(),
        ours_scheme(),
        linkify_needed(),
        regex_http(),
        ours_bytes(),
        ours_reader(),
        Contender::floor(COUNT_COLONS, |text| {
            let count = memchr::memchr_iter(b':', text.as_bytes()).count();
            Found { count: count as u64, ends: 0 }
        }),
        Contender::floor(EACH_COLON, |text| {
            let mut found = Found::default();
            for at in memchr::memchr_iter(b':', text.as_bytes()) {
                found.add(at);
            }
            found
        }),
    ]
}

/// Ours with everything on: known schemes, bare hosts, e-mail addresses.
pub fn linksift_all() -> Contender {
    let finder = Finder::new();
    Contender::new(ALL, move |text| {
        let mut found = Found::default();
        for link in finder.links(text) {
            found.add(link.range().end);
        }
        found
    })
}

fn ours_with_uri() -> Contender {
    let finder = Finder::new();
    Contender::new(ALL_URI, move |text| {
        let mut found = Found::default();
        for link in finder.links(text) {
            black_box(&*link.uri());
            found.add(link.range().end);
        }
        found
    })
}

/// Ours as `linkify` is by default: a scheme is needed, e-mail addresses are found.
fn ours_scheme() -> Contender {
    let finder = Finder::builder().schemeless(false).emails(true).build();
    Contender::new(SCHEME, move |text| {
        let mut found = Found::default();
        for link in finder.links(text) {
            found.add(link.range().end);
        }
        found
    })
}

fn ours_bytes() -> Contender {
    let finder = Finder::new();
    Contender::new(BYTES, move |text| {
        let mut found = Found::default();
        for link in finder.candidates_in(text.as_bytes()).filter_map(linksift::Candidate::into_link)
        {
            found.add(link.range().end);
        }
        found
    })
}

fn ours_reader() -> Contender {
    let finder = Finder::new();
    Contender::new(READER, move |text| {
        let mut found = Found::default();
        let hints = Hints::new();
        let scanned = finder.scan_reader(text.as_bytes(), &hints, |event| {
            if let Event::Link { link, .. } = event {
                found.add(link.range().end);
            }
            ControlFlow::Continue(())
        });
        assert!(scanned.is_ok_and(|s| s.links() == found.count), "a slice is read without errors");
        found
    })
}

/// `linkify` with bare hosts and e-mail addresses: what compares to ours with everything on.
pub fn linkify_optional() -> Contender {
    let mut finder = LinkFinder::new();
    finder.url_must_have_scheme(false);
    Contender::new(LINKIFY, move |text| {
        let mut found = Found::default();
        for link in finder.links(text) {
            found.add(link.end());
        }
        found
    })
}

fn linkify_needed() -> Contender {
    let finder = LinkFinder::new();
    Contender::new(LINKIFY_SCHEME, move |text| {
        let mut found = Found::default();
        for link in finder.links(text) {
            found.add(link.end());
        }
        found
    })
}

fn regex_http() -> Contender {
    let regex = Regex::new(r"\bhttps?://\S+").expect("the pattern is a constant");
    Contender::new(REGEX, move |text| {
        let mut found = Found::default();
        for link in regex.find_iter(text) {
            found.add(link.end());
        }
        found
    })
}
