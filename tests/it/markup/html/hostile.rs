//! Hostile shapes: time grows with the bytes, memory does not.

use std::hint::black_box;

use linksift::peek;

use crate::support::growth::curved;

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

fn read(text: &[u8]) {
    black_box(peek::html_count(text));
    let blocks: Vec<&[u8]> = text.chunks(1 << 10).collect();
    black_box(peek::html(&blocks, 1 << 14).len());
}

fn repeated(opening: &str, unit: &str, len: usize) -> Vec<u8> {
    let mut text = opening.as_bytes().to_vec();
    text.extend(unit.bytes().cycle().take(len));
    text
}

#[test]
fn the_time_is_linear() {
    let mut wrong = Vec::new();
    for opening in OPENINGS {
        for unit in UNITS {
            let growth = curved(16 << 10, |size| repeated(opening, unit, size), read);
            wrong.extend(growth.map(|growth| format!("{opening:?} {unit:?}: {growth:.2}")));
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
    assert_eq!(peek::html_count(&distinct(100_000)), [1, 1, 0]);
    let growth = curved(12_500, distinct, read);
    assert!(growth.is_none(), "{growth:?}");
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
