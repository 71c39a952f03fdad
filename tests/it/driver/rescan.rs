//! Composers: the links after an edit are those of the whole text, and outside the returned lines those that were there
//! before.

use std::ops::Range;

use linksift::Finder;

use crate::support::dice::Dice;

const PIECES: [&str; 44] = [
    "http://e.com/",
    "example.com",
    "www.e.org/a_(b)",
    "a@e.com",
    "mailto:a@e.com",
    "\n",
    "\n",
    "\r\n",
    "\r",
    "\n\n",
    " ",
    " ",
    ".",
    ",",
    "(",
    ")",
    "<",
    ">",
    "\"",
    "'",
    "«",
    "»",
    "见",
    "。",
    "é",
    "\u{2028}",
    "\u{85}",
    "\u{B}",
    "\u{C}",
    "\u{0}",
    "main.rs",
    "README.md",
    "e.co",
    "/",
    "?x=y",
    "#z",
    "-- ",
    "Message-ID: <a@e.com>",
    "`a.b`",
    "http://",
    "foo.sh bar.pl",
    "x",
    "=\n",
    "\u{200B}",
];

fn links(finder: &Finder, text: &str) -> Vec<(Range<usize>, String)> {
    finder.links(text).map(|link| (link.range(), link.uri().into_owned())).collect()
}

fn piece(dice: &mut Dice, pieces: &[&str], most: usize) -> String {
    (0..dice.below(most + 1)).map(|_| dice.pick(pieces)).collect()
}

fn boundary(dice: &mut Dice, text: &str) -> usize {
    let mut at = dice.below(text.len() + 1);
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

/// Lines whose names are rejected or not because of the lines around them.
const LINES: [&str; 28] = [
    "main.c,\n",
    "see main.c,\n",
    "src/a.py,\r\n",
    "main.c\n",
    "x.h, y.h,\n",
    ",\n",
    "\n",
    "\n  ",
    "\n\t* ",
    "bird.socia",
    "l",
    "example.link",
    "entry.de",
    "read.me",
    "os.name",
    "~",
    "..",
    "[name]",
    "from ",
    "import ",
    " = ",
    "a.zone and ",
    "C:\\temp\\\n",
    "tests/x/\n",
    "\nexample.com",
    "# a long comment about something\n",
    "://example.link\n",
    "`",
];

#[test]
fn edited_lines_give_what_the_whole_text_gives() {
    compare_edits(&PIECES, 40, 4_000);
}

#[test]
fn edits_next_to_lines_of_file_names_give_what_the_whole_text_gives() {
    compare_edits(&LINES, 16, 12_000);
    // The name of the source file is on the previous line, which the edit does not touch, and the other way round.
    let finder = Finder::new();
    for (text, at, new) in [
        ("main.c,\nbird.socia", 18, "l"),
        ("main.c\nbird.social", 6, ","),
        ("a.c,\nb.c,\nbird.social", 5, "\n"),
    ] {
        let mut composer = finder.compose(text);
        composer.edit(at..at, new);
        let composed: Vec<_> = composer.links().iter().map(|link| link.range()).collect();
        let whole: Vec<_> = finder.links(composer.text()).map(|link| link.range()).collect();
        assert_eq!(composed, whole, "{text:?}");
    }
}

/// Compares composers with scans of the whole text, for random edits of random texts of these pieces.
fn compare_edits(pieces: &[&str], longest: usize, times: u64) {
    let finder = Finder::new();
    let mut found = 0;
    for seed in 0..times {
        let mut dice = Dice::new(seed);
        let mut text = piece(&mut dice, pieces, longest);
        let mut composer = finder.compose(text.as_str());
        for _ in 0..4 {
            let (a, b) = (boundary(&mut dice, &text), boundary(&mut dice, &text));
            let removed = a.min(b)..a.max(b).min(a.min(b) + 20);
            let removed = removed.start
                ..(removed.start..=removed.end).rfind(|at| text.is_char_boundary(*at)).unwrap();
            let added = piece(&mut dice, pieces, 3);
            let before = links(&finder, &text);
            let after_removed = text.len() - removed.end;
            text.replace_range(removed.clone(), &added);
            let edited = removed.start..removed.start + added.len();
            let whole = links(&finder, &text);
            let again = composer.edit(removed.clone(), &added);
            assert_eq!(composer.text(), text);
            let links = composer.links().iter();
            let composed: Vec<_> =
                links.map(|link| (link.range(), link.uri().into_owned())).collect();
            assert_eq!(composed, whole, "{seed} {text:?} {edited:?}");
            let is_in = |range: &Range<usize>| range.start >= again.start && range.end <= again.end;
            let is: Vec<_> = whole.iter().filter(|(range, _)| is_in(range)).cloned().collect();
            found += is.len();
            // The old links of other lines, moved, and those of these lines are all links.
            let shift = |at: usize| at + (text.len() - after_removed) - removed.end;
            let kept_after = text.len() - again.end;
            let mut all = Vec::new();
            for (range, uri) in before {
                let is_front = range.end <= again.start && range.end <= removed.start;
                let is_rest =
                    range.start >= removed.end && shift(range.start) >= text.len() - kept_after;
                if is_front {
                    all.push((range, uri));
                } else if is_rest {
                    all.push((shift(range.start)..shift(range.end), uri));
                }
            }
            all.extend(is);
            all.sort_by_key(|(range, _)| range.start);
            assert_eq!(all, whole, "{seed} {text:?} {edited:?} {:?}", again);
        }
    }
    assert!(found > 4_000, "{found}");
}
