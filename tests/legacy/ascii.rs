//! Documents that are ASCII for the most part, with a character of another script here and there: the
//! surroundings of a link then decide whether anything is decoded.

use super::dice::Dice;

const WORDS: [&str; 40] = [
    "see ",
    "and ",
    "lorem ipsum dolor sit amet ",
    "\n",
    "\n\t* ",
    "\r\n",
    "\t(",
    " (",
    ") ",
    "\"",
    "'",
    "<",
    "> ",
    ", ",
    ": ",
    ">>> ",
    "p->",
    "\\f(",
    ":attr:`",
    "` ",
    "**",
    "//",
    " = 1",
    "http://example.com/a/b?c=d#e ",
    "https://example.org",
    "ftp://",
    "<URL:http://example.net/>",
    "http://[::1]/x ",
    "http://[1",
    "www.example.com. ",
    "example.at",
    "example.info",
    "configure.in",
    "tests/main.c ",
    "x.name",
    "joe@example.com",
    "mailto:joe@example.com?subject=x ",
    "tel:+123456789 ",
    "a&#46;com ",
    "foo.com.",
];

const OTHERS: [&str; 12] =
    ["é", "“", "‘", "«", "ж", "表", "ソ", "（", "。", "：", "例え.jp", "\u{A0}"];

/// Between two characters beyond ASCII there are as many words as `most` at the most.
pub fn document(dice: &mut Dice, most: usize) -> String {
    let mut text = String::new();
    for _ in 0..dice.below(4) + 1 {
        for _ in 0..dice.below(most) {
            text.push_str(dice.pick(&WORDS));
        }
        text.push_str(dice.pick(&OTHERS));
    }
    text
}
