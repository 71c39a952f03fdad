//! The time is linear, whatever the text: short units repeated, those that were quadratic in some
//! finder and those that chance comes upon, after a few openings.
//!
//! A text is taken against one eight times as long, on the processor time of this thread, and the growth
//! is judged, never the time. A text that seems to curve is measured again, and the least counts.
//! `LINKSIFT_RANDOM_SECONDS` says how long units are drawn at random.

use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use crate::support::growth;
use crate::support::pieces::Pieces;
use linksift::{Finder, Format, Hints};

/// Bytes of the shorter text: long enough that a step that is quadratic outweighs all that is not.
const SMALL: usize = 16 << 10;
/// Bytes a read: many edges, at each of which something may be undecided.
const BLOCK: usize = 4 << 10;
const OPENINGS: [&str; 4] = ["", "http://e.com/", "a@", "www."];

/// Shapes that were quadratic in some finder, or look as if they could be.
#[rustfmt::skip]
const UNITS: &[&str] = &[
    "http://", "((((", "()()", "))))", "....x", "\"'\"'", "a.a.", "a.a~", "a@a@", "a.a.a@", "a.b@a.b@",
    "a@b.com\n", "www.www.", "://://", "a:a:", "a://a://", ":::::", "a", "many words ", "mailto:",
    "a-a-", "a--a--.", "@@@@", "http://[", "http://a.a.", "x:a@x:a@", "http://a@", "//////", "?=&?=&",
    "#:~:text=", "&#x", "&#x26;", "&", "&amp", "日.日.", "日日日", "。。。", "（（（", "\u{200D}",
    "a\u{200D}", "\u{301}", "a\u{301}", "<", "<a", "<a <a", "<!--", "<a x=1 x=1", "<div><div>",
    "</a></a>", "\"<a href=\"", "<script>", "<![CDATA[", "[a](", "![", "*_*_", "url(", "=\n", "--b\n",
    "_0.", ":0.", "a.:", "~w.", "1.2.3.4_", "a.com+", "-.comテ", "<http://a ", "http://[http://[",
    "http://a.com:", "http&#58;//", "a&#46;", "a=", "a_a=b@", "data:", "urn:a:", "tel:1-", "a[.]",
    "hxxp://", "'http://a.com/", "{a@", "+a://", "http://a:a@", "xmpp:a@", "．a", "a。com", "http://a\u{200B}",
    "http://a。", "&#00000000046;", "%41", "http://%41", "\\n", "\r", "\r\n", "\u{5F4}", "_", "a_",
    "`", "http://a.com/`", "\"\"", "\".a(", "a.b.c a.b.d ",
    "\x1B[m", "a\x1B[m.", "\x1B]0;a", "a.com\x1B[K", "a.com/[", "http://a.com/[](", "http://a.com/?a=[", "http://a.com/#[", "www.a.com/a[b/",
];

/// A way to go through a text; what it gives is the number of candidates.
#[derive(Clone, Copy, Debug)]
enum Route {
    Memory,
    Reader,
    /// As a document in memory.
    Document(Format),
}

impl Route {
    fn run(self, finder: &Finder, text: &str) -> usize {
        match self {
            Route::Memory => finder.candidates(text).count(),
            Route::Document(format) => {
                finder.document(text.as_bytes(), &Hints::new().format(format)).unwrap().count()
            }
            Route::Reader => {
                let mut candidates = 0;
                let blocks = Pieces::new(text.as_bytes().chunks(BLOCK));
                let scanned = finder.scan_reader(
                    blocks,
                    &Hints::new().charset(linksift::Charset::UTF_8).positions(true),
                    |_| {
                        candidates += 1;
                        ControlFlow::Continue(())
                    },
                );
                assert!(scanned.is_ok_and(|s| s.bytes() == text.len() as u64), "all is read");
                candidates
            }
        }
    }
}

fn repeated(opening: &str, unit: &str, size: usize) -> String {
    [opening, &unit.repeat(size.div_ceil(unit.len()))].concat()
}

/// A tag of many distinct attributes: no unit repeated.
fn many_attributes(size: usize) -> String {
    let mut text = "<a".to_owned();
    for n in 0.. {
        if text.len() >= size {
            break;
        }
        text.push_str(&format!(" a{n}=1"));
    }
    text
}

/// The growth of the time that a text takes, if it is not linear.
fn curved(finder: &Finder, route: Route, make: &impl Fn(usize) -> String) -> Option<f64> {
    growth::curved(SMALL, make, |text| {
        black_box(route.run(finder, text));
    })
}

#[test]
fn known_shapes_take_linear_time() {
    let finder = Finder::new();
    let mut found = Vec::new();
    let data = [Format::Json, Format::Csv].map(Route::Document);
    for route in [Route::Memory, Route::Reader].into_iter().chain(data) {
        for &unit in UNITS {
            for opening in OPENINGS {
                if let Some(growth) = curved(&finder, route, &|size| repeated(opening, unit, size))
                {
                    found.push(format!(
                        "{route:?}: {:?} and {unit:?} repeated: {growth:.2}",
                        opening
                    ));
                }
            }
        }
        if let Some(growth) = curved(&finder, route, &many_attributes) {
            found.push(format!("{route:?}: a tag of many attributes: {growth:.2}"));
        }
    }
    assert!(found.is_empty(), "time grows with these powers of the size:\n{}", found.join("\n"));
}

#[test]
fn random_shapes_take_linear_time() {
    let seconds = std::env::var("LINKSIFT_RANDOM_SECONDS").ok().and_then(|s| s.parse().ok());
    let time = Duration::from_secs(seconds.unwrap_or(3));
    let alphabet: Vec<char> = "a0.:/@?#&()<>\"'~_-%[]日。".chars().collect();
    let finder = Finder::new();
    let begin = Instant::now();
    // Another run begins elsewhere; what fails is reported by its unit, not by a seed.
    let since = std::time::UNIX_EPOCH.elapsed().unwrap_or_default();
    let mut state = since.as_nanos() as u64 | 1;
    let mut below = |n: usize| {
        // xorshift64: only variety is asked of it.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % n as u64) as usize
    };
    let mut tried = 0;
    let mut found = Vec::new();
    while begin.elapsed() < time {
        let unit: String = (0..=below(6)).map(|_| alphabet[below(alphabet.len())]).collect();
        let opening = OPENINGS[below(OPENINGS.len())];
        let route = if below(4) == 0 { Route::Reader } else { Route::Memory };
        tried += 1;
        if let Some(growth) = curved(&finder, route, &|size| repeated(opening, &unit, size)) {
            found.push(format!("{route:?}: {opening:?} and {unit:?} repeated: {growth:.2}"));
        }
    }
    assert!(found.is_empty(), "of {tried} units these are not linear:\n{}", found.join("\n"));
    assert!(tried > 10, "only {tried} units in {time:?}");
}

/// The measure itself must see what is quadratic.
#[test]
fn what_is_quadratic_is_seen() {
    let quadratic = |text: &str| {
        let mut sum = 0;
        for at in (0..text.len()).step_by(64) {
            sum += text.as_bytes()[at..].iter().filter(|&&b| b == b'b').count();
        }
        sum
    };
    // Of so few bytes that the sizes further up, which are tried too, take no seconds. A short run that another program
    // disturbs takes longer and hides the growth: it is seen in one of a few measures.
    let is_seen = || {
        let text = |size| "a".repeat(size);
        let run = |text: &str| {
            black_box(quadratic(text));
        };
        growth::curved(SMALL / 8, text, run).is_some()
    };
    assert!((0..5).any(|_| is_seen()));
}
