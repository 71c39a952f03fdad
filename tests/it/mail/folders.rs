//! Maildir and MH: mail as a folder of files, read through `linksift::files`.

use std::fs;
use std::ops::ControlFlow;

use linksift::files::{self, Options};
use linksift::{Event, Format, Hints};

use crate::container::run::Folder;

/// A message that its content alone does not tell.
const SHORT: &str = "From: a@b.example\n\nhttp://e.example/?a=3Db=\n";
/// One that it does.
const TOLD: &str = "Received: x\nSubject: =?utf-8?q?http://s.example/=C3=A9?=\nContent-Transfer-Encoding: quoted-printable\n\nhttp://e.example/?a=3Db=\nc\n";

fn found(names: &[(&str, &str)]) -> Vec<String> {
    let folder = Folder::new();
    for (name, text) in names {
        let path = folder.0.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let mut all = Vec::new();
    let options = Options::new().hints(Hints::new().format(Format::Auto));
    let _ = files::scan([&folder.0], &options, |event| {
        if let Event::Link { path, link, .. } = &event {
            let name = path.strip_prefix(&folder.0).unwrap().display();
            let (part, context) = (link.part().unwrap_or("-"), link.context());
            all.push(format!("{name} {part} {context} {}", link.uri()));
        }
        ControlFlow::Continue(())
    });
    all
}

#[test]
fn a_maildir_is_mail() {
    assert_eq!(
        found(&[
            // The end of a host is no ending of a name.
            ("new/1700000000.M1P2.mail.rs", SHORT),
            ("cur/1700000001.M1P2.host,S=40,W=44:2,RS", SHORT),
            (".Sent/cur/1700000002_0.77.host,U=1!2,", SHORT),
            ("cur/by-hand:2,S", TOLD),
            // No file of a delivery.
            ("cur/17.txt", SHORT),
            ("notes/1700000000.a.txt", SHORT),
        ]),
        [
            ".Sent/cur/1700000002_0.77.host,U=1!2, 1 text http://e.example/?a=3Db=",
            "cur/17.txt - text http://e.example/?a=3Db=",
            "cur/1700000001.M1P2.host,S=40,W=44:2,RS 1 text http://e.example/?a=3Db=",
            "cur/by-hand:2,S - header:subject http://s.example/%C3%A9",
            "cur/by-hand:2,S 1 text http://e.example/?a=bc",
            "new/1700000000.M1P2.mail.rs 1 text http://e.example/?a=3Db=",
            "notes/1700000000.a.txt - text http://e.example/?a=3Db=",
        ]
    );
}

#[test]
fn the_numbered_files_of_mh_are_mail() {
    assert_eq!(
        found(&[
            ("inbox/1", TOLD),
            ("inbox/,2", TOLD),
            ("inbox/.mh_sequences", "unseen: 1-2 http://e.example/x\n"),
            ("inbox/3", "1\n2 http://e.example/y\n"),
        ]),
        [
            "inbox/,2 - header:subject http://s.example/%C3%A9",
            "inbox/,2 1 text http://e.example/?a=bc",
            "inbox/.mh_sequences - text http://e.example/x",
            "inbox/1 - header:subject http://s.example/%C3%A9",
            "inbox/1 1 text http://e.example/?a=bc",
            "inbox/3 - text http://e.example/y",
        ]
    );
}

/// Mailboxes of MMDF and Babyl are text: their links are found as they are stored.
#[test]
fn other_mailboxes_are_text() {
    let mark = "\u{1}\u{1}\u{1}\u{1}\n";
    let mmdf = format!("{mark}{TOLD}{mark}{mark}{TOLD}{mark}");
    let babyl = format!(
        "BABYL OPTIONS: -*- rmail -*-\nVersion: 5\n\u{1F}\u{C}\n0, unseen,,\n*** EOOH ***\n{TOLD}\u{1F}"
    );
    let links = ["http://s.example/=C3=A9?=", "http://e.example/?a=3Db="];
    let wanted = ["a.babyl", "b", "c.mmdf", "c.mmdf", "d", "d"]
        .into_iter()
        .flat_map(|name| links.map(|link| format!("{name} - text {link}")));
    assert_eq!(
        found(&[("a.babyl", &babyl), ("b", &babyl), ("c.mmdf", &mmdf), ("d", &mmdf)]),
        wanted.collect::<Vec<_>>()
    );
}
