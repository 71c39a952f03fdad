//! `cargo bench --bench hostile [-- --random SECONDS]`: is the time linear, whatever the text?
//!
//! Every shape is a short unit repeated, behind one of a few openings, at 64 KiB and at eight times that. Linear
//! time is a growth exponent of 1; the exit status is 1 when ours exceeds 1.1 three times in a row.
//! `--random` looks further, through units that nobody thought of.

use std::collections::hash_map::RandomState;
use std::hash::BuildHasher;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use linksift_benches::clock;
use linksift_benches::contenders::{self, Contender};
use linksift_benches::machine;

const SMALL: usize = 64 << 10;
const LARGE: usize = 8 * SMALL;
/// A size is skipped when its time, were it quadratic in the size before it, would exceed this.
const TOO_LONG: Duration = Duration::from_secs(2);
/// The growth that still counts as linear: caches and noise have their share.
const LINEAR: f64 = 1.1;

const OPENINGS: [&str; 4] = ["", "http://e.com/", "a@", "www."];

/// Shapes that were quadratic in some finder, or look as if they could be.
const UNITS: &[&str] = &[
    "http://",
    "((((",
    "()()",
    "))))",
    "....x",
    "\"'\"'",
    "a.a.",
    "a.a~",
    "a@a@",
    "a.a.a@",
    "a.b@a.b@",
    "a@b.com\n",
    "www.www.",
    "://://",
    "a:a:",
    "a://a://",
    ":::::",
    "a",
    "words ",
    "mailto:",
    "a-a-",
    "a--a--.",
    "@@@@",
    "http://[",
    "http://a.a.",
    "x:a@x:a@",
    "http://a@",
    "//////",
    "?=&?=&",
    "#:~:text=",
    "&#x",
    "&#x26;",
    "&",
    "&amp",
    "日.日.",
    "日日日",
    "。。。",
    "（（（",
    "\u{200D}",
    "a\u{200D}",
    "\u{301}",
    "a\u{301}",
    "<",
    "<a",
    "<a <a",
    "<!--",
    "<a x=1 x=1",
    "<div><div>",
    "</a></a>",
    "\"<a href=\"",
    "<script>",
    "<![CDATA[",
    "[a](",
    "![",
    "*_*_",
    "url(",
    "=\n",
    "--b\n",
    "_0.",
    ":0.",
    "a.:",
    "~w.",
    "1.2.3.4_",
    "a.com+",
    "-.comテ",
    "<http://a ",
    "http://a.com:",
    "com.",
    "http&#58;//",
    "a&#46;",
    "a=",
    "a_a=b@",
    "a.com@",
    "data:",
    "urn:a:",
    "a[.]",
    "hxxp://",
    "'http://a.com/",
    "{a@",
    "+a://",
    "a.b://",
    "http://a:a@",
    "xmpp:a@",
    "\u{ff0e}a",
    "a。com",
];

/// How fast, and how the time grows with the size.
struct Growth {
    /// Bytes of the larger text.
    size: usize,
    small_rate: f64,
    large_rate: f64,
    exponent: f64,
}

struct Row {
    shape: String,
    ours: Growth,
    peer: Growth,
}

fn main() -> ExitCode {
    println!("{}\n", machine::heading());
    let ours = contenders::linksift_all();
    let peer = contenders::linkify_optional();
    let mut rows = Vec::new();
    for &unit in UNITS {
        for opening in OPENINGS {
            let make = |size| repeated(opening, unit, size);
            rows.push(row(&ours, &peer, format!("`{}{}…`", opening, unit.escape_debug()), make));
        }
    }
    rows.push(row(&ours, &peer, "`<a a0=1 a1=1 …`".to_owned(), many_attributes));
    let mut failed = report(&mut rows);
    if let Some(seconds) = random_seconds() {
        failed |= search(&ours, Duration::from_secs(seconds));
    }
    if failed { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}

fn random_seconds() -> Option<u64> {
    let mut args = std::env::args().skip_while(|arg| arg != "--random");
    args.nth(1)?.parse().ok()
}

fn repeated(opening: &str, unit: &str, size: usize) -> String {
    let mut text = String::with_capacity(size + opening.len() + unit.len());
    text.push_str(opening);
    while text.len() < size {
        text.push_str(unit);
    }
    text
}

fn many_attributes(size: usize) -> String {
    let mut text = "<a".to_owned();
    for i in 0.. {
        if text.len() >= size {
            break;
        }
        text.push_str(&format!(" a{i}=1"));
    }
    text
}

fn row(ours: &Contender, peer: &Contender, shape: String, make: impl Fn(usize) -> String) -> Row {
    let mut growth = measure(ours, &make);
    // A machine that others use too makes peaks; time that is not linear comes again.
    for _ in 0..2 {
        if growth.exponent <= LINEAR {
            break;
        }
        growth = measure(ours, &make);
    }
    Row { shape, ours: growth, peer: measure(peer, &make) }
}

/// Measures at sizes eight times apart, up to `LARGE`, and reports the last two of them.
fn measure(contender: &Contender, make: impl Fn(usize) -> String) -> Growth {
    let mut size = SMALL / 64;
    let mut before = seconds(contender, &make(size));
    loop {
        let next = size * 8;
        let now = seconds(contender, &make(next));
        if next >= LARGE || now * 64.0 > TOO_LONG.as_secs_f64() {
            return Growth {
                size: next,
                small_rate: size as f64 / before / 1e6,
                large_rate: next as f64 / now / 1e6,
                exponent: (now / before).ln() / 8f64.ln(),
            };
        }
        (size, before) = (next, now);
    }
}

/// The best of several runs, as many as fit into a few milliseconds.
fn seconds(contender: &Contender, text: &str) -> f64 {
    let begin = Instant::now();
    let mut best = f64::INFINITY;
    for turn in 0..200 {
        if turn >= 5 && begin.elapsed() > Duration::from_millis(8) {
            break;
        }
        best = best.min(clock::seconds(|| {
            black_box(contender.run(text));
        }));
        if best > 0.5 {
            break;
        }
    }
    best
}

/// Prints the slowest twenty and all that is not linear; says whether ours is among the latter.
fn report(rows: &mut [Row]) -> bool {
    println!(
        "{} texts. The twenty slowest for linksift (MB/s; the exponent of growth):\n",
        rows.len()
    );
    header();
    rows.sort_by(|a, b| a.ours.large_rate.total_cmp(&b.ours.large_rate));
    rows.iter().take(20).for_each(print_row);
    let curved = |growth: &Growth| growth.exponent > LINEAR;
    println!("\nlinksift grows faster than size^{LINEAR} on:\n");
    header();
    rows.iter().filter(|r| curved(&r.ours)).for_each(print_row);
    let failed = rows.iter().any(|r| curved(&r.ours));
    // Once is noise for the peer, which is not measured again: its clear cases only.
    let peers = rows.iter().filter(|r| r.peer.exponent > 1.5).count();
    println!("\nlinkify grows faster than size^1.5 on {peers}; its slowest ten:\n");
    header();
    rows.sort_by(|a, b| a.peer.large_rate.total_cmp(&b.peer.large_rate));
    rows.iter().take(10).for_each(print_row);
    failed
}

fn header() {
    println!(
        "| shape | linksift, 64 KiB | 512 KiB | exponent | linkify, an eighth | at KiB | exponent |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|");
}

fn print_row(row: &Row) {
    let note = if row.ours.size < LARGE {
        format!(" at {} KiB", row.ours.size >> 10)
    } else {
        String::new()
    };
    println!(
        "| {} | {:.0} | {:.0}{note} | {:.2} | {:.2} | {:.2} at {} | {:.2} |",
        row.shape.replace('|', "\\|"),
        row.ours.small_rate,
        row.ours.large_rate,
        row.ours.exponent,
        row.peer.small_rate,
        row.peer.large_rate,
        row.peer.size >> 10,
        row.peer.exponent,
    );
}

/// Random units of one to six characters, measured small; what looks curved is measured at full size.
fn search(ours: &Contender, time: Duration) -> bool {
    let alphabet: Vec<char> = "a0.:/@?#&()<>\"'~_-%[]日。".chars().collect();
    let begin = Instant::now();
    let mut state = RandomState::new().hash_one(begin) | 1;
    let mut below = |n: usize| {
        // xorshift64: only variety is asked of it.
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state % n as u64) as usize
    };
    let (mut tried, mut bad) = (0, 0);
    while begin.elapsed() < time {
        let unit: String = (0..=below(6)).map(|_| alphabet[below(alphabet.len())]).collect();
        let opening = OPENINGS[below(OPENINGS.len())];
        tried += 1;
        let (small, large) =
            (repeated(opening, &unit, SMALL / 16), repeated(opening, &unit, SMALL));
        let growth = |small: f64, large: f64| (large / small).ln() / 16f64.ln();
        if growth(once(ours, &small), once(ours, &large)) <= 1.2 {
            continue;
        }
        let sure = (0..3).map(|_| measure(ours, |size| repeated(opening, &unit, size)).exponent);
        let least = sure.fold(f64::INFINITY, f64::min);
        if least > LINEAR {
            bad += 1;
            println!("- `{opening}{}…` grows with {least:.2}", unit.escape_debug());
        }
    }
    println!(
        "\nrandom search: {tried} units in {:.0} s, {bad} not linear",
        begin.elapsed().as_secs_f64()
    );
    bad > 0
}

/// The best of three.
fn once(contender: &Contender, text: &str) -> f64 {
    let run = |_| {
        clock::seconds(|| {
            black_box(contender.run(text));
        })
    };
    (0..3).map(run).fold(f64::INFINITY, f64::min)
}
