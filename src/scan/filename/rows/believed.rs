//! Rows of names below a domain that nothing in code or among files is called by: only what cannot be registered
//! is none there, and files and members that everybody knows.

use crate::scan::filename::facts::*;
use crate::scan::filename::predicate::Predicate;
use crate::scan::filename::row::{Row, shown};
use crate::scan::filename::text::{behind, front};

pub(super) const ROWS: &[Row] = &[
    Row {
        id: "unregistrable",
        all: LAST_UNDERSCORE,
        example: shown("build_zip.com"),
        counter: shown("build-zip.com"),
        ..Row::NAME
    },
    Row {
        id: "framework",
        all: ALONE | ENDING_CAPITALS,
        asked: &[Predicate::Framework],
        example: shown("Json.NET"),
        counter: shown("LWN.net"),
        ..Row::DOUBTED
    },
    Row {
        id: "own-member",
        all: ALONE | OWN,
        none: COM,
        example: shown("this.org"),
        counter: shown("self.com"),
        ..Row::DOUBTED
    },
    Row {
        id: "negated-member",
        all: ALONE,
        none: COM,
        front: &front(["(!"]),
        example: shown("if (!entry.org"),
        counter: shown("(example.org"),
        ..Row::DOUBTED
    },
    Row {
        id: "indexed-member",
        all: ALONE,
        none: COM,
        behind: &behind(["["]),
        asked: &[Predicate::SecondLetter],
        example: shown("entry.net[name]"),
        counter: shown("example.com[name]"),
        ..Row::DOUBTED
    },
    Row {
        id: "known-file",
        all: KNOWN,
        example: shown("README.org"),
        counter: shown("example.org"),
        ..Row::DOUBTED
    },
    Row {
        id: "capitalized-module",
        all: MANY | ENDING_TITLE | MODULE,
        none: COM | SECOND_LEVEL | WWW,
        example: shown("Text.Writers.Org"),
        counter: shown("Mail.Example.Com"),
        ..Row::DOUBTED
    },
    Row {
        id: "in-filesystem",
        front: &front(["/"]),
        asked: &[Predicate::Filesystem],
        example: shown("/srv/www/example.com/a"),
        counter: shown("//example.com/a"),
        ..Row::NAME
    },
    Row {
        id: "org-in-directory",
        all: ALONE,
        none: COM | WWW,
        front: &front(["/"]),
        asked: &[Predicate::OrgFile],
        example: shown("docs/setup.org"),
        counter: shown("GitHub/codeberg.org"),
        ..Row::DOUBTED
    },
    Row {
        id: "imported-from",
        front: &front(["from "]),
        asked: &[Predicate::ImportFrom],
        example: shown("from entry.net import x"),
        counter: shown("goods from example.net imported"),
        ..Row::NAME
    },
];
