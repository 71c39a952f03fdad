//! Links in one step beside those of the general scan.

use super::read;
use crate::dice::Dice;
use crate::scan::candidate::Match;
use crate::scan::head::{Recognized, Wanted};
use crate::scan::prefilter::{Asked, surroundings};
use crate::scan::schemeless::{self, Dot, LookedAhead};
use crate::scan::view::{Char, View};
use crate::scan::{Settings, TextKind, email, scheme};
use crate::{Boundaries, References, Schemes, Userinfo};

const PIECES: [&str; 107] = [
    "http://",
    "https://",
    "https://",
    "xhttp://",
    "a.com",
    "www.b.example",
    "a-b.org",
    "localhost",
    "1.2.3.4",
    "a--b.com",
    "xn--a.com",
    "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa.com",
    "a.com.",
    "/",
    "/",
    "/a",
    "/b_c",
    "/d-",
    "/*",
    "*/",
    "?",
    "?x",
    "=",
    "&",
    "&y=1",
    "&amp;",
    "&lt;",
    "&#38;",
    "&&",
    "#",
    "#f",
    "%41",
    "%",
    ".",
    ",",
    "!",
    ";",
    ":",
    ":80",
    "@",
    "$",
    "~",
    "(",
    ")",
    "[",
    "]",
    "{",
    "}",
    "<",
    ">",
    "</a>",
    "<br>",
    "\\",
    "^",
    "|",
    "`",
    "\"",
    "'",
    "*",
    "**",
    "_",
    " ",
    " ",
    "\n",
    "\t",
    "\u{1B}[m",
    "é",
    "。",
    "見",
    "{@link ",
    "\\<",
    "<URL:",
    "//",
    "from ",
    "\\f",
    "[32m",
    "mailto:",
    "xmpp:",
    "1 ",
    "Message-ID: <",
    "%4",
    ".",
    "-",
    ": ",
    "!(",
    "x",
    "()",
    "_dmarc.",
    "パス",
    "путь",
    "の",
    "を",
    "的",
    "（",
    "’",
    "ä",
    "에서",
    "\\u00fc",
    "\\xc3\\xa9",
    "==",
    "/パス",
    "/путь",
    "=é",
    "-ზე",
    "…",
    "\u{200B}",
    "\u{3000}",
];

fn settings(dice: &mut Dice) -> Settings {
    let usual = Settings::default();
    Settings {
        boundaries: dice.pick(&[Boundaries::Prose, Boundaries::Prose, Boundaries::Uts58]),
        references: dice.pick(&[References::Auto, References::Never]),
        schemes: match dice.below(3) {
            0 => Schemes::Any,
            1 => Schemes::List(vec!["ftp".parse().unwrap()]),
            _ => Schemes::Known,
        },
        userinfo: dice.pick(&[Userinfo::Refuse, Userinfo::Warn]),
        emails: dice.once_in(2),
        schemeless: dice.once_in(2),
        max_link: match dice.below(3) {
            0 => 8 + dice.below(60),
            _ => usual.max_link,
        },
        ..usual
    }
}

/// What the general scan finds around a trigger.
fn general(
    view: &View<'_>,
    trigger: usize,
    min_start: usize,
    settings: &Settings,
) -> Option<Match> {
    let at = trigger - 1;
    let wanted = Wanted::Candidates;
    let found = match view.text[at] {
        b':' => scheme::read(view, at, at + 3, min_start, settings),
        b'@' => email::read(view, at, 1, min_start, settings, wanted),
        _ => {
            let dot = Dot { at, c: Char { code: u32::from('.'), len: 1 } };
            let looked = &mut LookedAhead::default();
            schemeless::read(view, dot, min_start, settings, looked, wanted)
        }
    };
    match found.ok()? {
        Recognized::Whole(candidate) => Some(candidate),
        Recognized::Head(mut head) => head.end(settings, view).ok()?.then_some(head.candidate),
        _ => None,
    }
}

/// A link of one of the kinds, and what surrounds it.
fn text(dice: &mut Dice) -> String {
    let mut pieces =
        |most: usize| -> String { (0..dice.below(most)).map(|_| dice.pick(&PIECES)).collect() };
    let (before, after) = (pieces(4), pieces(8));
    let host = dice.pick(&[
        "a.com",
        "www.b.example",
        "a-b.org",
        "a.b.c.de",
        "a.com-b.net",
        "例え.jp",
        "пример.рф",
        "a.例え.com",
    ]);
    let link = match dice.below(4) {
        0 => {
            let opener = dice.pick(&["/", "/", "/a", "?", "#", ""]);
            [dice.pick(&["http://", "https://"]), host, opener].concat()
        }
        1 => [dice.pick(&["a", "a.b", "a_b", "x-", ".x"]), "@", host].concat(),
        _ => {
            let name = dice.pick(&["www.a", "A.b", "a-b.c", "x.y_z", "1.b", "d"]);
            [name, dice.pick(&[".com", ".org", ".net", ".edu"])].concat()
        }
    };
    [before, link, after].concat()
}

#[test]
fn a_link_in_one_step_is_that_of_the_general_scan() {
    let (mut dice, mut found) = (Dice::new(64), [0; 3]);
    for _ in 0..300_000 {
        let text = text(&mut dice);
        let settings = settings(&mut dice);
        let kind = dice.pick(&[TextKind::Prose, TextKind::Code, TextKind::Asciidoc, TextKind::Rtf]);
        let is_last = !dice.once_in(4);
        let view = View::new(text.as_bytes(), is_last, settings.references).of_kind(kind);
        for (at, byte) in text.bytes().enumerate() {
            let trigger = at + 1;
            if !matches!(byte, b':' | b'@' | b'.')
                || !surroundings::is_kept(text.as_bytes(), trigger, Asked::Labels)
            {
                continue;
            }
            let min_start = dice.pick(&[0, 0, at.saturating_sub(4), at.saturating_sub(9)]);
            let Some(link) = read(&view, trigger, min_start, &settings) else { continue };
            let all = View::new(text.as_bytes(), true, settings.references).of_kind(kind);
            let general = general(&all, trigger, min_start, &settings);
            let [one, other] = [Some(link.candidate()), general].map(|candidate| {
                candidate.map(|c| (c.range, c.scheme_end, c.host, c.marks, c.refused, c.kind))
            });
            assert_eq!(one, other, "{text:?} {min_start} {settings:?} {kind:?} {is_last}");
            found[b":@.".iter().position(|sign| *sign == byte).unwrap()] += 1;
        }
    }
    assert!(found.iter().all(|found| *found > 1_000), "{found:?}");
}
