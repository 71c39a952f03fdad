//! Rows of names below a domain that nothing in code or among files is called by: only what cannot be registered
//! is none there, and files and members that everybody knows.

use crate::scan::filename::asked::Asked;
use crate::scan::filename::facts::*;
use crate::scan::filename::row::Row;
use crate::scan::filename::text::{behind, front};

pub(super) const ROWS: &[Row] = &[
    Row {
        id: "unregistrable",
        all: LAST_UNDERSCORE,
        example: "build_zip.com",
        counter: "build-zip.com",
        ..Row::NAME
    },
    Row {
        id: "framework",
        all: ALONE | ENDING_CAPITALS,
        asked: &[Asked::Framework],
        example: "Json.NET",
        counter: "LWN.net",
        ..Row::DOUBTED
    },
    Row {
        id: "own-member",
        all: ALONE | OWN,
        none: COM,
        example: "this.org",
        counter: "self.com",
        ..Row::DOUBTED
    },
    Row {
        id: "negated-member",
        all: ALONE,
        none: COM,
        front: &front(["(!"]),
        example: "if (!entry.org",
        counter: "(example.org",
        ..Row::DOUBTED
    },
    Row {
        id: "indexed-member",
        all: ALONE,
        none: COM,
        behind: &behind(["["]),
        asked: &[Asked::SecondLetter],
        example: "entry.net[name]",
        counter: "example.com[name]",
        ..Row::DOUBTED
    },
    Row {
        id: "known-file",
        all: KNOWN,
        example: "README.org",
        counter: "example.org",
        ..Row::DOUBTED
    },
    Row {
        id: "capitalized-module",
        all: MANY | ENDING_TITLE | MODULE,
        none: COM | SECOND_LEVEL | WWW,
        example: "Text.Writers.Org",
        counter: "Mail.Example.Com",
        ..Row::DOUBTED
    },
    Row {
        id: "in-filesystem",
        front: &front(["/"]),
        asked: &[Asked::Filesystem],
        example: "/srv/www/example.com/a",
        counter: "//example.com/a",
        ..Row::NAME
    },
    Row {
        id: "org-in-directory",
        all: ALONE,
        none: COM | WWW,
        front: &front(["/"]),
        asked: &[Asked::OrgFile],
        example: "docs/setup.org",
        counter: "GitHub/codeberg.org",
        ..Row::DOUBTED
    },
    Row {
        id: "imported-from",
        front: &front(["from "]),
        asked: &[Asked::ImportFrom],
        example: "from entry.net import x",
        counter: "goods from example.net imported",
        ..Row::NAME
    },
];
