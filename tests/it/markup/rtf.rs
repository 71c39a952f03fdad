//! Links out of RTF: random documents, hostile shapes. What is found in documents is in `fixtures/markup/links`.

use crate::support::dice::Dice;
use crate::support::growth::curved;
use linksift::{Candidate, Finder, Hints};

fn links(bytes: &[u8]) -> Vec<(std::ops::Range<usize>, String)> {
    let finder = Finder::new();
    let hints = Hints::new().name("x.rtf").salvage(true);
    let found = finder.document(bytes, &hints).unwrap().filter_map(Candidate::into_link);
    found.map(|link| (link.range(), link.uri().into_owned())).collect()
}

/// Pieces of documents, thrown together: no panic, and each range is inside.
#[test]
fn soup_gives_ranges_inside() {
    const PIECES: [&[u8]; 40] = [
        b"{",
        b"}",
        b"{\\rtf1\\ansi",
        b"{\\*\\x ",
        b"{\\fonttbl",
        b"{\\f1\\fcharset128 M;}",
        b"{\\f2\\fcharset204 C;}",
        b"\\f1 ",
        b"\\f2 ",
        b"\\plain ",
        b"\\ansicpg936",
        b"\\ansicpg65001 ",
        b"\\'83",
        b"\\'e9",
        b"\\'",
        b"\\'8",
        b"\\u233?",
        b"\\u-10179?",
        b"\\u-8704?",
        b"\\u",
        b"\\uc2 ",
        b"\\uc0",
        b"\\bin5 ",
        b"\\bin99999999999",
        b"\\par ",
        b"\\\n",
        b"\r\n",
        b"\\",
        b"\\~",
        b"{\\field{\\*\\fldinst{HYPERLINK \"",
        b"\" \\\\l \"x\"}}{\\fldrslt ",
        b"{\\upr{a}{\\*\\ud{b}}}",
        b"\\fromhtml1 ",
        b"{\\*\\htmltag64 <a href=\"",
        b"\\htmlrtf ",
        b"\\htmlrtf0 ",
        b"http://e.com/",
        b"www.example.com",
        b"\x83\xE9",
        b"\0",
    ];
    let mut dice = Dice::new(17);
    let mut count = 0;
    for _ in 0..20_000 {
        let mut bytes = b"{\\rtf1".to_vec();
        for _ in 0..dice.below(24) {
            bytes.extend_from_slice(PIECES[dice.below(PIECES.len())]);
        }
        for (range, _) in links(&bytes) {
            assert!(range.start <= range.end && range.end <= bytes.len(), "{bytes:?}");
            count += 1;
        }
    }
    assert!(count > 5_000, "{count}");
}

/// `\_` is a hyphen at which no line ends, `\-` one that only shows where a line ends.
#[test]
fn hyphens_of_links() {
    let found = |text: &str| {
        let document = format!("{{\\rtf1\\ansi {text}\\par}}");
        links(document.as_bytes()).into_iter().map(|(_, uri)| uri).collect::<Vec<_>>()
    };
    assert_eq!(found("http://no\\_break.example/x\\_y"), ["http://no-break.example/x-y"]);
    assert_eq!(found("me\\_too@no{\\b\\_}break.com"), ["mailto:me-too@no-break.com"]);
    assert_eq!(found("http://no\\-break.example/x\\-y"), ["http://nobreak.example/xy"]);
}

/// What grows with the square of its input is seen by a factor of sixteen between these sizes.
#[test]
fn hostile_shapes_take_linear_time() {
    for part in [
        "{",
        "}",
        "{}",
        "\\",
        "\\'83",
        "\\'83e",
        "\\'810",
        "\\u233?",
        "\\uc9999 \\u1 x",
        "\\*",
        "{\\*\\x ",
        "\\f1 ",
        "{\\f1\\fcharset1;}",
        "{\\*\\fldinst x",
        "http://e.com/",
        "e.com\\'e9",
        "\\par ",
        "a.b\n",
        "\\bin1 ",
    ] {
        for head in ["{\\rtf1\\ansicpg936 ", "{\\rtf1{\\fonttbl ", "{\\rtf1\\fromhtml1 "] {
            let growth = curved(
                32 << 10,
                |len| head.to_owned() + &part.repeat(len / part.len()),
                |text: &String| drop(links(text.as_bytes())),
            );
            assert!(growth.is_none(), "{head}{part}: {growth:?}");
        }
    }
}
