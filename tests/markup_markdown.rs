//! IRIs out of Markdown: our cases, random bytes, hostile shapes.
#![cfg(feature = "markdown")]

mod markup_cases;

use std::time::Instant;

use linksift::probe::runs;

#[test]
fn cases_give_what_they_say() {
    assert!(markup_cases::check("markdown") >= 20);
}

/// A small generator of numbers: the same bytes each time.
struct Random(u64);

impl Random {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as usize % limit
    }
}

/// Pieces of documents, thrown together: no panic, runs inside and in order.
#[test]
fn soup_gives_runs_in_order() {
    const PIECES: [&[u8]; 48] = [
        b"[",
        b"]",
        b"(",
        b")",
        b"](",
        b"]: ",
        b"![",
        b"<",
        b">",
        b"a",
        b"http://e.com/",
        b"*",
        b"_",
        b"**",
        b"`",
        b"``",
        b"\n",
        b"\n\n",
        b"\r\n",
        b"> ",
        b"- ",
        b"    ",
        b"\t",
        b"#",
        b"|",
        b"\n|-|-|\n",
        b"\\",
        b"&amp;",
        b"&",
        b"<a href='b'>",
        b"</a>",
        b"<!--",
        b"-->",
        b"<div>\n",
        b"~~",
        b"~~~\n",
        b"```\n",
        b"\"t\"",
        b"[^1]",
        b"[x] ",
        b"---\n",
        b"\xE8\xA1\xA8",
        b"\xFF",
        b"\xE8",
        b"\0",
        b"1. ",
        b"<b@c.d>",
        b" ",
    ];
    let mut random = Random(13);
    for _ in 0..30_000 {
        let mut bytes = Vec::new();
        for _ in 0..random.below(32) {
            bytes.extend_from_slice(PIECES[random.below(PIECES.len())]);
        }
        let mut start = 0;
        for found in runs("markdown", &bytes, &[]) {
            let in_order = found.range.start >= start && found.range.end <= bytes.len();
            assert!(in_order, "{} {found:?}", bytes.escape_ascii());
            start = found.range.start;
        }
    }
}

/// What grows with the square of its input is seen by a factor of sixteen between these sizes.
#[test]
fn hostile_shapes_take_linear_time() {
    for part in [
        "[a](",
        "[",
        "![",
        "[a](b)",
        "[a]: b\n",
        "[a\\_](b\\_)",
        "<",
        "<a ",
        "*a",
        "_a ",
        "`",
        "> ",
        "- ",
        "&",
        "\\",
        "<!--",
        "[a](<",
        "|",
        "![a][",
        "[a](\"",
        "<div>\n",
        "a*b_",
        "](",
        "\n> [a](\n> b\\_)",
    ] {
        let time = |len: usize| {
            let text = part.repeat(len / part.len());
            let once = || {
                let start = Instant::now();
                runs("markdown", text.as_bytes(), &[]);
                start.elapsed()
            };
            (0..3).map(|_| once()).min().unwrap()
        };
        let (small, large) = (time(1 << 15), time(1 << 19));
        let limit = 64.0 * small.as_secs_f64().max(0.001);
        assert!(large.as_secs_f64() < limit, "{part:?}: {small:?} {large:?}");
    }
}

#[test]
fn a_document_that_is_too_long_is_text() {
    let mut text = "[a](b)\n".repeat((16 << 20) / 7 + 2);
    let found = runs("markdown", text.as_bytes(), &[1 << 20, (16 << 20) + 5]);
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].what, found[0].range.clone()), ("text", 0..text.len()));
    text.truncate(1 << 10);
    assert!(runs("markdown", text.as_bytes(), &[100, 500]).len() > 100);
}
