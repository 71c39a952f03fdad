//! IRIs out of CSS: our cases through every split, random bytes, hostile shapes.

use crate::markup::cases;
use crate::support::dice::Dice;
use crate::support::growth::curved;
use linksift::peek::runs;

#[test]
fn cases_give_what_they_say() {
    assert!(cases::check("css") >= 50);
}

/// Pieces of sheets, thrown together: no panic, ranges in order and inside, and the same runs for
/// any split.
#[test]
fn soup_gives_the_same_in_any_pieces() {
    const PIECES: [&[u8]; 40] = [
        b"url(",
        b"URL(",
        b"\\75rl(",
        b"src(",
        b"image-set(",
        b"image(",
        b"@import",
        b"@namespace ",
        b"\"",
        b"'",
        b")",
        b"(",
        b"{",
        b"}",
        b"[",
        b"]",
        b";",
        b" ",
        b"\n",
        b"\r\n",
        b"\\",
        b"\\26 ",
        b"\\\r\n",
        b"/*",
        b"*/",
        b"/",
        b"*",
        b"a.png",
        b"http://e.com/",
        b"\xE8\xA1\xA8",
        b"\xFF",
        b"\0",
        b"5",
        b"-",
        b"--",
        b"#",
        b"@",
        b"x",
        b"\\)",
        b"\x7F",
    ];
    let mut dice = Dice::new(7);
    for _ in 0..20_000 {
        let mut bytes = Vec::new();
        for _ in 0..dice.below(24) {
            bytes.extend_from_slice(PIECES[dice.below(PIECES.len())]);
        }
        let whole = runs("css", &bytes, &[]);
        let mut end = 0;
        for found in &whole {
            assert!(found.range.start >= end && found.range.end <= bytes.len(), "{bytes:?}");
            assert!(!found.range.is_empty(), "{bytes:?}");
            end = found.range.end;
        }
        let cut = dice.below(bytes.len() + 1);
        let second = cut + dice.below(bytes.len() + 1 - cut);
        for cuts in [vec![cut], vec![cut, second], (0..bytes.len()).collect()] {
            assert_eq!(runs("css", &bytes, &cuts), whole, "{:?} {cuts:?}", bytes.escape_ascii());
        }
    }
}

/// What grows with the square of its input is seen by a factor of sixteen between these sizes.
#[test]
fn hostile_shapes_take_linear_time() {
    for opener in
        ["url(", "url(\"", "image-set(", "\\", "/*", "\"\\", "@import ", "url(a ", "a(", "\\26 "]
    {
        let growth = curved(
            512 << 10,
            |len| opener.repeat(len / opener.len()),
            |text: &str| drop(runs("css", text.as_bytes(), &[])),
        );
        assert!(growth.is_none(), "{opener}: {growth:?}");
    }
}

#[test]
fn a_long_value_is_given_up_and_its_end_found() {
    let long = "x".repeat(70_000);
    let text = format!("a {{ b: url({long}) url(y) \"{long}\" }} @import \"{long}\";@import 'z'");
    for cuts in [vec![], vec![65_000, 69_000, 70_500], (0..text.len()).step_by(777).collect()] {
        let found = runs("css", text.as_bytes(), &cuts);
        let lines: Vec<_> = found.iter().map(|f| (f.what, f.range.len())).collect();
        assert_eq!(
            lines,
            [("long", 70_000), ("value", 1), ("long", 70_000), ("value", 1)],
            "{cuts:?}"
        );
    }
}
