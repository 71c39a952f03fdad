//! Rows that are asked before all others, after them, or in source code alone.

use crate::scan::filename::asked::Asked;
use crate::scan::filename::facts::*;
use crate::scan::filename::row::Row;
use crate::scan::filename::text::{behind, front};

pub(super) const FOLDER: &[Row] = &[
    Row {
        id: "in-folder",
        front: &front(["\\"]),
        asked: &[Asked::Folder],
        example: r"C:\Users\name.com",
        counter: r"see\nexample.com",
        ..Row::NAME
    },
    Row {
        id: "after-file-scheme",
        front: &front(["file:"]),
        example: "[[file:notes.org::*Head]]",
        counter: "site:example.org",
        ..Row::NAME
    },
];

/// Rows that make a host of what is in doubt.
pub(super) const NAMED: &[Row] = &[
    Row {
        id: "linked",
        asked: &[Asked::Linked],
        example: "example.rs (https://example.rs/)",
        counter: "example.rs (https://example.org/)",
        ..Row::HOST
    },
    Row {
        id: "mail-server",
        front: &front([" ", "="]),
        behind: &behind([" (", " with "]),
        asked: &[Asked::Server],
        example: "Received: from example.rs (example.rs [192.0.2.1])",
        counter: "see example.rs (https://example.org/)",
        ..Row::HOST
    },
    Row {
        id: "mail-relay",
        front: &front(["("]),
        behind: &behind([" ["]),
        asked: &[Asked::Relay],
        example: "Received: by mx (example.rs [192.0.2.1])",
        counter: "Received: by mx (example.rs [mx])",
        ..Row::HOST
    },
];

pub(super) const IN_CODE: &[Row] = &[
    Row {
        id: "object-in-code",
        all: OBJECT,
        none: COM | WWW,
        example: "util.org",
        counter: "example.org",
        ..Row::DOUBTED
    },
    Row {
        id: "member-in-code",
        all: ALONE,
        any: CODE | SECTION | REVERSE,
        none: WWW,
        asked: &[Asked::MemberDomain],
        example: "model.net, java.net",
        counter: "kernel.org",
        ..Row::DOUBTED
    },
    Row {
        id: "package-in-code",
        all: MANY | REVERSE,
        none: WWW,
        example: "org.example.net",
        counter: "example.example.net",
        ..Row::DOUBTED
    },
    Row {
        id: "name-goes-on-in-code",
        none: WWW,
        behind: &behind(["_", "->", "++", "["]),
        example: "example.org->name",
        counter: "example.org - name",
        ..Row::DOUBTED
    },
    Row {
        id: "assigned-in-code",
        none: WWW,
        asked: &[Asked::Operator],
        example: "model.net = 1",
        counter: "example.net => 1",
        ..Row::DOUBTED
    },
    Row {
        id: "no-host-in-code",
        none: WWW,
        unless: &[Asked::HostInCode],
        example: "example.zone",
        counter: "example.de",
        ..Row::DOUBTED
    },
];

pub(super) const ADDRESSES: &[Row] = &[Row {
    id: "remote-path",
    example: "git@github.com:foo/bar.git",
    counter: "me@example.com: see",
    ..Row::NAME
}];
