//! Hostile shapes: time grows with the bytes, memory does not.

use std::hint::black_box;

use linksift::peek;

use crate::roads::clock::clock;

/// Repeated as they are, and after what opens something that is not closed.
const UNITS: &[&str] = &[
    "<",
    "<a",
    "<a ",
    "<a <a",
    "<!--",
    "<!",
    "<?",
    "</",
    "</a",
    "<a x=1 x=1",
    "<div><div>",
    "</a></a>",
    "\"<a href=\"",
    "<a href='",
    "<script>",
    "</script",
    "<![CDATA[",
    "]]",
    "<svg><desc>",
    "<svg><g>",
    "<math><mi><b>",
    "</x>",
    "</g>",
    "</div>",
    "--",
    "-->",
    "--!",
    "&",
    "&amp",
    "&#x26",
    "=",
    "/",
    "<a/",
    "'",
    "\"",
    "a.b<!---->",
    "<wbr>",
    "<title>",
    "</titl",
    "<style>",
    "<meta content=a ",
    "<param value=a name=b>",
    "<a href=x>",
    "<svg><desc><x>",
    "<script><!--<script>",
    "<font>",
    "<a b=\"",
    "\n",
    "a",
    "a=b ",
    "日",
];

const OPENINGS: &[&str] = &[
    "",
    "<a ",
    "<a href=\"",
    "<a href=",
    "<a b='",
    "<meta content=\"x\" ",
    "<script>",
    "<script><!--",
    "<!--",
    "<svg><desc><x><x><x>",
    "<svg><![CDATA[",
    "<title>",
    "<",
];

fn seconds(text: &[u8]) -> f64 {
    let start = clock();
    black_box(peek::html_count(text));
    let blocks: Vec<&[u8]> = text.chunks(1 << 10).collect();
    black_box(peek::html(&blocks, 1 << 14).len());
    clock() - start
}

fn repeated(opening: &str, unit: &str, len: usize) -> Vec<u8> {
    let mut text = opening.as_bytes().to_vec();
    text.extend(unit.bytes().cycle().take(len));
    text
}

/// The power of the size with which the time grows, at best of a few measurements.
fn growth(opening: &str, unit: &str) -> f64 {
    const SMALL: usize = 16 << 10;
    const TIMES: usize = 8;
    let (small, large) = (repeated(opening, unit, SMALL), repeated(opening, unit, SMALL * TIMES));
    let mut least = f64::INFINITY;
    for _ in 0..6 {
        let one = (0..3).map(|_| seconds(&small)).fold(f64::INFINITY, f64::min);
        let growth = (seconds(&large) / one).ln() / (TIMES as f64).ln();
        least = least.min(growth);
        if least < 1.2 {
            break;
        }
    }
    least
}

#[test]
fn the_time_is_linear() {
    let mut wrong = Vec::new();
    for opening in OPENINGS {
        for unit in UNITS {
            let growth = growth(opening, unit);
            if growth > 1.4 {
                wrong.push(format!("{opening:?} {unit:?}: {growth:.2}"));
            }
        }
    }
    assert!(wrong.is_empty(), "grow faster than their size:\n{}", wrong.join("\n"));
}

#[test]
fn a_hundred_thousand_attributes() {
    let distinct = |count: usize| -> Vec<u8> {
        let attributes: String = (0..count).map(|n| format!("a{n}=1 ")).collect();
        format!("<a {attributes} href=x>").into_bytes()
    };
    let (small, large) = (distinct(12_500), distinct(100_000));
    assert_eq!(peek::html_count(&large), [1, 1, 0]);
    let growth = (0..6).map(|_| seconds(&large) / seconds(&small)).fold(f64::INFINITY, f64::min);
    assert!(growth < 20.0, "eight times the attributes take {growth:.1} times as long");
}

#[test]
fn memory_does_not_grow() {
    const BLOCK: usize = 16 << 10;
    const LONGEST: usize = 32 << 10;
    for opening in OPENINGS {
        for unit in UNITS {
            // Blocks that begin in the middle of the unit, too.
            let block = repeated(opening, unit, BLOCK - opening.len());
            let most = peek::html_kept(&block, 24, LONGEST);
            assert!(most <= LONGEST + 2 * BLOCK + 64, "{opening:?} {unit:?}: {most} bytes kept");
        }
    }
}
