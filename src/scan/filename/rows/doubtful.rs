//! Rows of what is beside a name on its line, for names in doubt: their domain is a word of code, the ending of a
//! file, or as often that.

use crate::scan::filename::asked::Asked;
use crate::scan::filename::facts::*;
use crate::scan::filename::row::Row;
use crate::scan::filename::text::{behind, front};

pub(super) const ROWS: &[Row] = &[
    Row {
        id: "postscript",
        none: QUOTED,
        asked: &[Asked::Percent],
        example: "%%Title: example.link",
        counter: "%%Title: example.de",
        ..Row::DOUBTED
    },
    // After one slash it is a part of a path; after two it is an authority.
    Row {
        id: "authority",
        front: &front(["//"]),
        example: "//example.link",
        counter: "/example.link",
        ..Row::HOST
    },
    Row {
        id: "after-slash",
        front: &front(["/", "{", ">>> "]),
        example: "x/example.link",
        counter: "x / example.link",
        ..Row::DOUBTED
    },
    Row {
        id: "quoted",
        front: &front(["`"]),
        behind: &behind(["'"]),
        example: "the `example.link'",
        counter: "the 'example.link'",
        ..Row::DOUBTED
    },
    Row {
        id: "quoted-word",
        all: WORD,
        front: &front(["`"]),
        behind: &behind(["`"]),
        example: "the `my-x.entry.run`",
        counter: "the 'my-x.entry.run'",
        ..Row::DOUBTED
    },
    Row {
        id: "literal",
        all: ALONE,
        none: LARGE,
        front: &front(["``"]),
        behind: &behind(["``"]),
        example: "the ``example.link``",
        counter: "the `example.link`",
        ..Row::DOUBTED
    },
    Row {
        id: "after-source",
        asked: &[Asked::SourceInFront],
        example: "see main.c, example.link",
        counter: "see main.com, example.link",
        ..Row::DOUBTED
    },
    Row {
        id: "line-after-source",
        asked: &[Asked::SourceOnPrevious],
        example: "see main.c,\nexample.link",
        counter: "see main.c\nexample.link",
        ..Row::DOUBTED
    },
    Row {
        id: "before-source",
        behind: &behind([", "]),
        asked: &[Asked::SourceBehind],
        example: "see example.link, main.c",
        counter: "see example.link and main.c",
        ..Row::DOUBTED
    },
    Row {
        id: "changelog",
        asked: &[Asked::Changelog],
        example: "\t* see example.link",
        counter: " * see example.link",
        ..Row::DOUBTED
    },
    Row {
        id: "changelog-text",
        all: ALONE | DOUBT,
        none: LARGE,
        asked: &[Asked::ChangelogText],
        example: "\tsee example.link now",
        counter: "see example.link now",
        ..Row::DOUBTED
    },
    Row {
        id: "call-or-index",
        any: WORD | FILE,
        behind: &behind(["(", "["]),
        example: "x.my-entry.name[0]",
        counter: "x.my-entry.name [0]",
        ..Row::DOUBTED
    },
    Row {
        id: "entry",
        behind: &behind([":", ",", " ("]),
        asked: &[Asked::Entry],
        example: "* example.link: New.",
        counter: "see example.link: New.",
        ..Row::DOUBTED
    },
    Row {
        id: "line-of-file",
        behind: &behind([":"]),
        asked: &[Asked::Position],
        example: "example.link:773: testing",
        counter: "see example.link:773",
        ..Row::DOUBTED
    },
    Row {
        id: "changes-of-file",
        behind: &behind(["|", " ", "\t", "\x0C", "\r"]),
        asked: &[Asked::Diffstat],
        example: "example.link | 30 ++++--",
        counter: "example.link | 30 x",
        ..Row::DOUBTED
    },
    Row {
        id: "edited",
        all: ALONE | IN,
        none: ENDING_UPPER,
        front: &front([" "]),
        asked: &[Asked::Edited],
        example: "vi access.in",
        counter: "see access.in",
        ..Row::DOUBTED
    },
    Row {
        id: "near-identifier",
        all: FIELD,
        asked: &[Asked::Identifier],
        example: "my_field iloc.mu",
        counter: "my-field iloc.mu",
        ..Row::DOUBTED
    },
];
