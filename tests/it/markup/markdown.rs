//! IRIs out of Markdown: our cases, random bytes, hostile shapes.

use crate::markup::cases;
use crate::support::dice::Dice;
use crate::support::growth::curved;
use linksift::peek::runs;

#[test]
fn cases_give_what_they_say() {
    assert!(cases::check("markdown") >= 20);
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
    let mut dice = Dice::new(13);
    for _ in 0..30_000 {
        let mut bytes = Vec::new();
        for _ in 0..dice.below(32) {
            bytes.extend_from_slice(PIECES[dice.below(PIECES.len())]);
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
        "http://e.com/_x_",
        "//e.com/_x_*y*.",
    ] {
        let growth = curved(
            64 << 10,
            |len| part.repeat(len / part.len()),
            |text: &str| drop(runs("markdown", text.as_bytes(), &[])),
        );
        assert!(growth.is_none(), "{part:?}: {growth:?}");
    }
}
