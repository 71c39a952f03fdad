//! Rows that are asked before all others, after them, or in source code alone.

use crate::scan::filename::facts::*;
use crate::scan::filename::predicate::Predicate;
use crate::scan::filename::row::{Row, shown};
use crate::scan::filename::text::{behind, front};

pub(super) const FOLDER: &[Row] = &[
    Row {
        id: "in-folder",
        front: &front(["\\"]),
        asked: &[Predicate::Folder],
        example: shown(r"C:\Users\name.com"),
        counter: shown(r"see\nexample.com"),
        ..Row::NAME
    },
    Row {
        id: "after-file-scheme",
        front: &front(["file:"]),
        example: shown("[[file:notes.org::*Head]]"),
        counter: shown("site:example.org"),
        ..Row::NAME
    },
];

/// Rows that make a host of what is in doubt.
pub(super) const NAMED: &[Row] = &[
    Row {
        id: "linked",
        asked: &[Predicate::Linked],
        example: shown("example.rs (https://example.rs/)"),
        counter: shown("example.rs (https://example.org/)"),
        ..Row::HOST
    },
    Row {
        id: "mail-server",
        front: &front([" ", "="]),
        behind: &behind([" (", " with "]),
        asked: &[Predicate::Server],
        example: shown("Received: from example.rs (example.rs [192.0.2.1])"),
        counter: shown("see example.rs (https://example.org/)"),
        ..Row::HOST
    },
    Row {
        id: "mail-relay",
        front: &front(["("]),
        behind: &behind([" ["]),
        asked: &[Predicate::Relay],
        example: shown("Received: by mx (example.rs [192.0.2.1])"),
        counter: shown("Received: by mx (example.rs [mx])"),
        ..Row::HOST
    },
];

pub(super) const IN_CODE: &[Row] = &[
    Row {
        id: "object-in-code",
        all: OBJECT,
        none: COM | WWW,
        example: shown("util.org"),
        counter: shown("example.org"),
        ..Row::DOUBTED
    },
    Row {
        id: "member-in-code",
        all: ALONE,
        any: CODE | SECTION | REVERSE,
        none: WWW,
        asked: &[Predicate::MemberDomain],
        example: shown("model.net, java.net"),
        counter: shown("kernel.org"),
        ..Row::DOUBTED
    },
    Row {
        id: "package-in-code",
        all: MANY | REVERSE,
        none: WWW,
        example: shown("org.example.net"),
        counter: shown("example.example.net"),
        ..Row::DOUBTED
    },
    Row {
        id: "name-goes-on-in-code",
        none: WWW,
        behind: &behind(["_", "->", "++", "["]),
        example: shown("example.org->name"),
        counter: shown("example.org - name"),
        ..Row::DOUBTED
    },
    Row {
        id: "assigned-in-code",
        none: WWW,
        asked: &[Predicate::Operator],
        example: shown("model.net = 1"),
        counter: shown("example.net => 1"),
        ..Row::DOUBTED
    },
    Row {
        id: "no-host-in-code",
        none: WWW,
        unless: &[Predicate::HostInCode],
        example: shown("example.zone"),
        counter: shown("example.de"),
        ..Row::DOUBTED
    },
];

pub(super) const ADDRESSES: &[Row] = &[Row {
    id: "remote-path",
    example: shown("git@github.com:foo/bar.git"),
    counter: shown("me@example.com: see"),
    ..Row::NAME
}];
