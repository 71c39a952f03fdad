//! The net over all code paths: what a document is, is decided in one place, so each document gives the same links at the same
//! bytes and the same notices by whatever route it comes.
//!
//! A sample of the fixtures is taken; `LINKSIFT_ROUTES=all cargo test --test cmd -- routes::net` takes all of them. Roads on
//! which a document must come out otherwise are in [`OTHERWISE`], each with its reason.

use std::path::{Path, PathBuf};

use super::odd;
use super::ways::{self, Known, Pipe, Seen};

/// What is true of a document on a route and not on the others.
struct Otherwise {
    /// The beginning of the route's name.
    route: &'static str,
    /// Of which documents: the beginning of the name, what they begin with.
    of: fn(&str, &[u8]) -> bool,
    #[allow(dead_code, reason = "who reads the table asks for it")]
    reason: &'static str,
}

fn is_packed(name: &str, bytes: &[u8]) -> bool {
    bytes.starts_with(b"\x1F\x8B") || bytes.starts_with(b"PK") || name.ends_with(".gz")
}

const OTHERWISE: [Otherwise; 8] = [
    Otherwise {
        route: "memory",
        of: is_packed,
        reason: "who scans one document opens no archives: their bytes are read as what they are",
    },
    Otherwise { route: "reader", of: is_packed, reason: "the same of a reader" },
    Otherwise { route: "feed", of: is_packed, reason: "the same of who feeds one" },
    Otherwise {
        route: "gz",
        of: |_, bytes| bytes.is_empty(),
        reason: "nothing has no kind but by its name, which was another before",
    },
    Otherwise {
        route: "standard input, single bytes",
        of: |name, bytes| name.is_empty() && bytes.contains(&0),
        reason: "what comes byte by byte is shown as it comes: a NUL that follows a text comes too late",
    },
    Otherwise {
        route: "mail",
        of: |_, bytes| bytes.is_empty(),
        reason: "a part without bytes is no document",
    },
    Otherwise {
        route: "mail",
        of: |_, bytes| bytes.starts_with(b"<meta charset=hz-gb-2312>"),
        reason: "a file that is not decoded fails, a part of a message has a notice, and the rest is read",
    },
    Otherwise {
        route: "mail",
        of: |_, bytes| bytes.windows(8).any(|line| line == b"\nbegin 6"),
        reason: "uuencoded files are attached to messages; in a text they have a notice",
    },
];

fn is_otherwise(route: &str, name: &str, bytes: &[u8]) -> bool {
    OTHERWISE.iter().any(|one| route.starts_with(one.route) && (one.of)(name, bytes))
}

/// What is said of a document whose name ends so, by who declares types.
fn declared(name: &str) -> Option<&'static str> {
    let (_, ending) = name.rsplit_once('.')?;
    Some(match ending {
        "html" => "text/html",
        "txt" => "text/plain",
        "xml" | "svg" | "xhtml" => "application/xml",
        "css" => "text/css",
        "json" | "jsonl" => "application/json",
        "csv" => "text/csv",
        "md" => "text/markdown",
        "png" => "image/png",
        "gif" => "image/gif",
        "parquet" => "application/vnd.apache.parquet",
        "pdf" => "application/pdf",
        "properties" => "text/x-java-properties",
        "po" => "text/x-gettext-translation",
        "tex" => "text/x-tex",
        "texi" => "application/x-texinfo",
        "pod" => "text/x-pod",
        "roff" => "text/troff",
        "rtf" => "application/rtf",
        "ics" => "text/calendar",
        "vcf" => "text/x-vcard",
        "eml" => "application/octet-stream",
        _ => return None,
    })
}

/// What differs from the first route.
fn compare(name: &str, bytes: &[u8], wanted: &Seen, route: &str, seen: &Seen) -> Option<String> {
    if seen == wanted || is_otherwise(route, name, bytes) {
        return None;
    }
    let of_name = if name.is_empty() { "without a name" } else { name };
    Some(format!("{of_name} by {route}:\n  file {wanted:?}\n  here {seen:?}"))
}

/// Takes a document along all code paths; what differs.
fn along_all(name: &str, bytes: &[u8], is_odd: bool) -> Vec<String> {
    let mut found = Vec::new();
    let mut check = |name: &str, wanted: &Seen, route: &str, seen: &Seen| {
        found.extend(compare(name, bytes, wanted, route, seen));
    };
    let file_name = name.rsplit('/').next().unwrap();
    let unnamed = "";
    let declared = declared(file_name);
    let knowns = [Some(Known::Name(file_name)), Some(Known::Nothing), declared.map(Known::Type)];
    for known in knowns.into_iter().flatten() {
        let wanted = ways::file(known, bytes, 1);
        let shown = match known {
            Known::Name(_) => name,
            Known::Nothing => unnamed,
            Known::Type(kind) => kind,
        };
        check(shown, &wanted, "file, -j8", &ways::file(known, bytes, 8));
        let mut all = ways::in_a_program(known, bytes);
        all.extend(ways::mailed(known, bytes));
        match known {
            Known::Name(name) => {
                all.extend(ways::archived(name, bytes));
                all.push(("handed out", ways::handed_out(name, bytes)));
            }
            Known::Nothing => all.extend(ways::crawled(None, bytes)),
            Known::Type(kind) => all.extend(ways::crawled(Some(kind), bytes)),
        }
        if is_odd && !matches!(known, Known::Type(_)) {
            all.push(("standard input", ways::piped(known, bytes, Pipe::Whole)));
            if bytes.len() < 1 << 12 {
                let route = "standard input, single bytes";
                all.push((route, ways::piped(known, bytes, Pipe::SingleBytes)));
            }
        }
        for (route, seen) in &all {
            check(shown, &wanted, route, seen);
        }
    }
    found
}

fn files(folder: &Path, all: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> =
        std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        match path.is_dir() {
            true => files(&path, all),
            false => all.push(path),
        }
    }
}

fn assert_none(found: &[String], of: usize) {
    let shown: Vec<_> = found.iter().take(20).cloned().collect();
    assert!(found.is_empty(), "{} of {of} documents:\n{}", found.len(), shown.join("\n"));
}

#[test]
fn fixtures_come_out_the_same() {
    let mut all = Vec::new();
    files(&crate::root().join("fixtures"), &mut all);
    let step =
        if std::env::var_os("LINKSIFT_ROUTES").is_some_and(|all| all == "all") { 1 } else { 16 };
    // Longer ones say nothing more, and take their time as single bytes.
    let documents = all.iter().step_by(step).map(|path| (path, ways::read(path)));
    let documents: Vec<_> = documents.filter(|(_, bytes)| bytes.len() < 1 << 20).collect();
    assert!(documents.len() > 50, "{}", documents.len());
    let found: Vec<_> = documents
        .iter()
        .flat_map(|(path, bytes)| along_all(path.to_str().unwrap(), bytes, false))
        .collect();
    assert_none(&found, documents.len());
}

#[test]
fn odd_documents_come_out_the_same() {
    let documents = odd::documents();
    let found: Vec<_> =
        documents.iter().flat_map(|(name, bytes)| along_all(name, bytes, true)).collect();
    assert_none(&found, documents.len());
}

/// What each odd document comes to, beside that it is the same everywhere.
#[test]
fn odd_documents_come_to_what_they_are() {
    for (name, bytes, uris, codes) in odd::outcomes() {
        let seen = ways::file(Known::Name(name), &bytes, 1);
        let found: Vec<_> = seen.links.iter().map(|(_, _, _, uri, _)| uri.as_str()).collect();
        assert_eq!(found, uris, "{name}");
        assert_eq!(seen.codes.iter().map(String::as_str).collect::<Vec<_>>(), codes, "{name}");
    }
}

/// Every row of the table is used: a difference that is no more is not to stay in it.
#[test]
fn each_difference_has_a_document() {
    let documents = odd::documents();
    for one in &OTHERWISE {
        let names = documents.iter().flat_map(|(name, bytes)| [(*name, bytes), ("", bytes)]);
        assert!(names.into_iter().any(|(name, bytes)| (one.of)(name, bytes)), "{}", one.reason);
    }
}
