//! Documents that are ASCII for the most part, with a character of another script here and there: the
//! surroundings of a link then decide whether anything is decoded.

use crate::support::dice::Dice;

const WORDS: [&str; 45] = [
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
    "file ",
    "argument \"",
    "a/b/",
    "Update x.in",
    "example.dvi ",
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

/// What has a say in what a host after it on the line is, and hosts that listen.
const SAYS: [&str; 12] = [
    "tests/main.c",
    "\n\t* x",
    "\n* ",
    "p->",
    "a/b.h, ",
    "\n>>>",
    "x::",
    "<main.c>",
    "file",
    "argument \"",
    "a/b/",
    "File:",
];
const DOUBTED: [&str; 12] = [
    "example.at",
    "example.info (",
    "x.name",
    "a.py: ",
    "example.in, ",
    "aa.at",
    "ul.my {\n",
    "a.degree)",
    "a.link,\n",
    "MB.AS0",
    "a.one as b",
    "host.de (host.de [192.0.2.1])",
];

/// What is directly in front of one, and says what it is.
const FRONTS: [&str; 24] = [
    " ",
    "(",
    "\"",
    "<",
    " !== ",
    " == ",
    " = ",
    " += ",
    "if (",
    " extends ",
    "' % ",
    "\nreturn ",
    "x_y ",
    " from ",
    "\nimport ",
    "{{ ",
    " := ",
    "(!",
    " && ",
    "__('",
    "div ",
    "\nM*&=E=\"!A.2!Y;W4@8V%N(')E860@=&AI<RP@>6]U)W)E('1O;R!C;&]S92X*",
    "C:\\Users\\",
    "[",
];

/// The last ones have characters whose second half, in one encoding or another, is an `h`.
const LINKS: [&str; 10] = [
    "http://example.com/a`b|c_d~ ",
    "https://example.com/a_ ",
    "http://example.com` ",
    "ftp://example.com/~a~ ",
    "http://joe|x@example.com/ ",
    "http://example.com/'a'b ",
    "かドttp://example.com/a ",
    "的士ttp://example.com/a ",
    "中膆ttp://example.com/a ",
    "한갿ttp://example.com/a ",
];

/// In Shift_JIS some of them end in `_`, `` ` ``, `|` and `~`.
const OTHERS: [&str; 16] = [
    "é",
    "“",
    "‘",
    "«",
    "ж",
    "表",
    "ソ",
    "（",
    "。",
    "：",
    "例え.jp",
    "\u{A0}",
    "ダ",
    "チ",
    "ポ",
    "ミ",
];

/// Between two non-ASCII characters there are as many words as `most` at the most.
pub(crate) fn document(dice: &mut Dice, most: usize) -> String {
    let mut text = String::new();
    for _ in 0..dice.below(4) + 1 {
        for _ in 0..dice.below(most) {
            text.push_str(dice.pick(&WORDS));
        }
        match dice.below(4) {
            0 => {
                text.push_str(dice.pick(&SAYS));
                for _ in 0..dice.below(20) {
                    let other = dice.pick(&OTHERS);
                    text.push_str(dice.pick(&["a", " ", other, other]));
                }
                text.push_str(dice.pick(&FRONTS));
                text.push_str(dice.pick(&DOUBTED));
            }
            1 => {
                text.push_str(dice.pick(&OTHERS));
                text.push_str(dice.pick(&LINKS));
            }
            _ => text.push_str(dice.pick(&OTHERS)),
        }
    }
    text
}
