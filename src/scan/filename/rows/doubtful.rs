//! Rows of what is beside a name on its line, for names in doubt: their domain is a word of code, the ending of a
//! file, or as often that.

use crate::scan::filename::facts::*;
use crate::scan::filename::predicate::Predicate;
use crate::scan::filename::row::{Row, shown};
use crate::scan::filename::text::{behind, front};

pub(super) const ROWS: &[Row] = &[
    Row {
        id: "postscript",
        none: QUOTED,
        asked: &[Predicate::Percent],
        example: shown("%%Title: example.link"),
        counter: shown("%%Title: example.de"),
        ..Row::DOUBTED
    },
    // After one slash it is a part of a path; after two it is an authority.
    Row {
        id: "authority",
        front: &front(["//"]),
        example: shown("//example.link"),
        counter: shown("/example.link"),
        ..Row::HOST
    },
    Row {
        id: "after-slash",
        front: &front(["/", "{", ">>> "]),
        example: shown("x/example.link"),
        counter: shown("x / example.link"),
        ..Row::DOUBTED
    },
    Row {
        id: "quoted",
        front: &front(["`"]),
        behind: &behind(["'"]),
        example: shown("the `example.link'"),
        counter: shown("the 'example.link'"),
        ..Row::DOUBTED
    },
    Row {
        id: "quoted-word",
        all: WORD,
        front: &front(["`"]),
        behind: &behind(["`"]),
        example: shown("the `my-x.entry.run`"),
        counter: shown("the 'my-x.entry.run'"),
        ..Row::DOUBTED
    },
    Row {
        id: "literal",
        all: ALONE,
        none: LARGE,
        front: &front(["``"]),
        behind: &behind(["``"]),
        example: shown("the ``example.link``"),
        counter: shown("the `example.link`"),
        ..Row::DOUBTED
    },
    Row {
        id: "after-source",
        asked: &[Predicate::SourceInFront],
        example: shown("see main.c, example.link"),
        counter: shown("see main.com, example.link"),
        ..Row::DOUBTED
    },
    Row {
        id: "line-after-source",
        asked: &[Predicate::SourceOnPrevious],
        example: shown("see main.c,\nexample.link"),
        counter: shown("see main.c\nexample.link"),
        ..Row::DOUBTED
    },
    Row {
        id: "before-source",
        behind: &behind([", "]),
        asked: &[Predicate::SourceBehind],
        example: shown("see example.link, main.c"),
        counter: shown("see example.link and main.c"),
        ..Row::DOUBTED
    },
    Row {
        id: "changelog",
        asked: &[Predicate::Changelog],
        example: shown("\t* see example.link"),
        counter: shown(" * see example.link"),
        ..Row::DOUBTED
    },
    Row {
        id: "changelog-text",
        all: ALONE | DOUBT,
        none: LARGE,
        asked: &[Predicate::ChangelogText],
        example: shown("\tsee example.link now"),
        counter: shown("see example.link now"),
        ..Row::DOUBTED
    },
    Row {
        id: "call-or-index",
        any: WORD | FILE,
        behind: &behind(["(", "["]),
        example: shown("x.my-entry.name[0]"),
        counter: shown("x.my-entry.name [0]"),
        ..Row::DOUBTED
    },
    Row {
        id: "entry",
        behind: &behind([":", ",", " ("]),
        asked: &[Predicate::Entry],
        example: shown("* example.link: New."),
        counter: shown("see example.link: New."),
        ..Row::DOUBTED
    },
    Row {
        id: "line-of-file",
        behind: &behind([":"]),
        asked: &[Predicate::Position],
        example: shown("example.link:773: testing"),
        counter: shown("see example.link:773"),
        ..Row::DOUBTED
    },
    Row {
        id: "changes-of-file",
        behind: &behind(["|", " ", "\t", "\x0C", "\r"]),
        asked: &[Predicate::Diffstat],
        example: shown("example.link | 30 ++++--"),
        counter: shown("example.link | 30 x"),
        ..Row::DOUBTED
    },
    Row {
        id: "edited",
        all: ALONE | IN,
        none: ENDING_UPPER,
        front: &front([" "]),
        asked: &[Predicate::Edited],
        example: shown("vi access.in"),
        counter: shown("see access.in"),
        ..Row::DOUBTED
    },
    Row {
        id: "near-identifier",
        all: FIELD,
        asked: &[Predicate::Identifier],
        example: shown("my_field iloc.mu"),
        counter: shown("my-field iloc.mu"),
        ..Row::DOUBTED
    },
];
