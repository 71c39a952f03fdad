//! The routes that a document can come by: each takes the document, and gives what was seen on it in the document's own
//! bytes.

use std::collections::BTreeSet;
use std::fs;
use std::io::{Read, Write};
use std::ops::ControlFlow;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use linksift::container::{self, Found, Limits, Opening};
use linksift::files::{self, Described, Options};
use linksift::{
    Candidate, Event, Finder, Format, Hints, JoinWrapped, Link, NotRead, Notice, ScanError,
    Transfer,
};

use crate::made::ars::{ar, member};
use crate::made::compressed::{gzip, zstd};
use crate::made::folder::Folder;
use crate::made::tars::tar;
use crate::made::zips::{deflated, stored, zip};
use crate::support::pieces::Pieces;

/// A link: where it is in the document, its context, its URI, its details.
pub(super) type Record = (usize, usize, String, String, Details);

/// Visible text and relation of a link, what a program does with it, whether it is in code.
type Details = (Option<String>, Option<String>, String, bool);

/// What was seen of a document.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Seen {
    pub(super) links: Vec<Record>,
    /// Codes of notices and failures.
    pub(super) codes: BTreeSet<String>,
}

impl Seen {
    fn note(&mut self, notice: Notice) {
        self.codes.insert(notice.as_str().to_owned());
    }

    /// Notes that nothing is read, by the code that the command has for it.
    fn unread(&mut self, reason: &NotRead, bytes: &[u8]) {
        let code = match reason {
            NotRead::Media => "media-unread",
            NotRead::Table => "table-unread",
            NotRead::Pdf => "pdf-unread",
            NotRead::Unsupported => "store-unread",
            NotRead::Encrypted if bytes.starts_with(b"%PDF") => "pdf-encrypted",
            NotRead::Encrypted if bytes.starts_with(b"\xD0\xCF") => "office-encrypted",
            NotRead::Encrypted => "attachment-unread",
            NotRead::Damaged => "office-damaged",
            NotRead::Undecodable { label: Some(_) } => "charset",
            NotRead::Undecodable { label: None } => "undecodable",
            _ => panic!("{reason}"),
        };
        self.codes.insert(code.to_owned());
    }

    fn link(&mut self, link: &Link<'_>, place: &dyn Fn(usize, usize) -> (usize, usize)) {
        let range = link.range();
        let (start, end) = match link.transfer() {
            // Encoded twice it is nowhere in the document.
            Some(Transfer::Nested) => (0, 0),
            _ => place(range.start, range.end),
        };
        let [text, rel] = [link.text(), link.rel()].map(|text| text.map(str::to_owned));
        let details = (text, rel, link.role().as_str().to_owned(), link.is_code());
        self.links.push((start, end, link.context().to_string(), link.uri().into_owned(), details));
    }

    /// Notes what one event says; what is stored otherwise is put back to where it is in the document.
    fn event(&mut self, event: Event<'_>, place: &dyn Fn(usize, usize) -> (usize, usize)) {
        match event {
            Event::Link { link, .. } => self.link(&link, place),
            Event::Noticed { notice, .. } => self.note(notice),
            Event::Failed { error, .. } => {
                self.codes.insert(error.as_str().to_owned());
            }
            _ => {}
        }
    }
}

/// What is known of a document beside its bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Known<'k> {
    Nothing,
    Name(&'k str),
    Type(&'k str),
}

impl Known<'_> {
    fn hints(self) -> Hints {
        // Joins are a matter of mail alone.
        let hints = Hints::new().format(Format::Auto).salvage(true).details(true);
        let hints = hints.join_wrapped(JoinWrapped::Never);
        match self {
            Known::Nothing => hints,
            Known::Name(name) => hints.name(name),
            Known::Type(kind) => hints.media_type(kind),
        }
    }

    fn name(self) -> &'static str {
        "document"
    }
}

fn options() -> Options {
    Options::new().threads(1).hints(Known::Nothing.hints())
}

/// A file of this name, or of one that says nothing, with a type that a manifest declares.
pub(super) fn file(known: Known<'_>, bytes: &[u8], threads: usize) -> Seen {
    let folder = Folder::new();
    let name = match known {
        Known::Name(name) => name,
        _ => known.name(),
    };
    let path = folder.write(name, bytes);
    let beside = folder.write("zz.txt", b"http://beside.example/");
    let mut options = options().threads(threads);
    if let Known::Type(_) = known {
        let hints = known.hints();
        options = options.describe(move |_: &Path| Described::new().hints(hints.clone()));
    }
    let mut seen = Seen::default();
    let _ = files::scan([&path, &beside], &options, |event| {
        let of = match &event {
            Event::Link { path, .. } | Event::Noticed { path, .. } | Event::Failed { path, .. } => {
                *path == path.with_file_name(name)
            }
            _ => false,
        };
        if of {
            seen.event(event, &|start, end| (start, end));
        }
        ControlFlow::Continue(())
    });
    seen
}

fn one(name: &str, bytes: &[u8], place: &dyn Fn(usize, usize) -> (usize, usize)) -> Seen {
    let mut seen = Seen::default();
    let opening = Opening::bytes(bytes).name(name);
    let _ = files::scan_one(opening, &options(), |event| {
        seen.event(event, place);
        ControlFlow::Continue(())
    });
    seen
}

fn as_it_is(start: usize, end: usize) -> (usize, usize) {
    (start, end)
}

/// In archives, under this name.
pub(super) fn archived(name: &str, bytes: &[u8]) -> Vec<(&'static str, Seen)> {
    let file = name.as_bytes();
    vec![
        ("zip, stored", one("box.zip", &zip(&[stored(file, bytes)]), &as_it_is)),
        ("zip, deflated", one("box.zip", &zip(&[deflated(file, bytes)]), &as_it_is)),
        ("tar", one("box.tar", &tar(&[(file, bytes)]), &as_it_is)),
        ("ar", one("box.ar", &long_named_ar(name, bytes), &as_it_is)),
        ("gz", one(&format!("{name}.gz"), &gzip(bytes), &as_it_is)),
        ("zst", one(&format!("{name}.zst"), &zstd(bytes), &as_it_is)),
        ("gz in zip", {
            let inner = stored(format!("{name}.gz").as_bytes(), &gzip(bytes));
            one("box.zip", &zip(&[inner]), &as_it_is)
        }),
    ]
}

/// In ar a name that is too long for a header stands in a table.
fn long_named_ar(name: &str, bytes: &[u8]) -> Vec<u8> {
    ar(&[member("//", format!("{name}/\n").as_bytes()), member("/0", bytes)])
}

/// In a crawl: as a resource of this type, as the body of a response.
pub(super) fn crawled(kind: Option<&str>, bytes: &[u8]) -> Vec<(&'static str, Seen)> {
    let field = kind.map_or(String::new(), |kind| format!("Content-Type: {kind}\r\n"));
    // Without a target nothing is resolved.
    let record = |kind: &str, field: &str, block: &[u8]| {
        let length = block.len();
        let head =
            format!("WARC/1.0\r\nWARC-Type: {kind}\r\n{field}Content-Length: {length}\r\n\r\n");
        [head.as_bytes(), block, b"\r\n\r\n"].concat()
    };
    let header = format!("HTTP/1.1 200 OK\r\n{field}\r\n");
    let block = [header.as_bytes(), bytes].concat();
    let resource = record("resource", &field, bytes);
    let response = record("response", "Content-Type: application/http\r\n", &block);
    vec![
        ("WARC, resource", one("crawl.warc", &resource, &as_it_is)),
        ("WARC, response", one("crawl.warc", &response, &as_it_is)),
    ]
}

/// In mail: encoded in each way.
pub(super) fn mailed(known: Known<'_>, bytes: &[u8]) -> Vec<(&'static str, Seen)> {
    let kind = match known {
        Known::Nothing => "application/octet-stream".to_owned(),
        Known::Name(name) => format!("application/octet-stream; name=\"{name}\""),
        Known::Type(kind) => kind.to_owned(),
    };
    let ways: [(&'static str, &str, Encoded); 3] = [
        ("mail, base64", "base64", base64(bytes)),
        ("mail, quoted-printable", "quoted-printable", quoted_printable(bytes)),
        ("mail, 8bit", "8bit", identity(bytes)),
    ];
    let seen = |(route, encoding, encoded): (&'static str, &str, Encoded)| {
        let head = format!(
            "From: a@b.example\r\nSubject: x\r\nMIME-Version: 1.0\r\n\
             Content-Type: multipart/mixed; boundary=\"=_the_end_of_this_part\"\r\n\r\n\
             --=_the_end_of_this_part\r\nContent-Type: {kind}\r\n\
             Content-Transfer-Encoding: {encoding}\r\n\r\n"
        );
        let end = b"\r\n--=_the_end_of_this_part--\r\n";
        let message = [head.as_bytes(), &encoded.bytes, end].concat();
        let place = |start: usize, end: usize| {
            // What is opened is a byte space of its own.
            if [&b"\x1F\x8B"[..], b"PK\x03\x04", b"%PDF-", b"bplist00"]
                .iter()
                .any(|magic| bytes.starts_with(magic))
            {
                return (start, end);
            }
            let of = |at: &dyn Fn(&(usize, usize)) -> usize, wanted: usize| {
                let wanted = wanted.wrapping_sub(head.len());
                encoded.units.iter().position(|unit| at(unit) == wanted).unwrap_or(usize::MAX)
            };
            let from = of(&|unit| unit.0, start);
            // What is empty is before a byte.
            let to = if start == end { from } else { of(&|unit| unit.1, end).wrapping_add(1) };
            (from, to)
        };
        (route, one("box.eml", &message, &place))
    };
    ways.into_iter().map(seen).collect()
}

/// A document as a part has it: where each byte of it begins and ends.
struct Encoded {
    bytes: Vec<u8>,
    units: Vec<(usize, usize)>,
}

fn identity(bytes: &[u8]) -> Encoded {
    Encoded { bytes: bytes.to_vec(), units: (0..bytes.len()).map(|at| (at, at + 1)).collect() }
}

fn base64(bytes: &[u8]) -> Encoded {
    let mut text = crate::made::base64(bytes, 76).into_bytes();
    if text.last() == Some(&b'\n') {
        text.pop();
    }
    // A line end after each 76 digits.
    let digit = |at: usize| at + at / 76;
    let unit = |at: usize| {
        let first = at / 3 * 4 + at % 3;
        (digit(first), digit(first + 1) + 1)
    };
    Encoded { bytes: text, units: (0..bytes.len()).map(unit).collect() }
}

fn quoted_printable(bytes: &[u8]) -> Encoded {
    let mut encoded = Encoded { bytes: Vec::new(), units: Vec::new() };
    let mut column = 0;
    for byte in bytes {
        if column > 70 {
            encoded.bytes.extend_from_slice(b"=\r\n");
            column = 0;
        }
        let start = encoded.bytes.len();
        match byte {
            b'=' | 0..=32 | 127.. => encoded.bytes.extend(format!("={byte:02X}").bytes()),
            byte => encoded.bytes.push(*byte),
        }
        column += encoded.bytes.len() - start;
        encoded.units.push((start, encoded.bytes.len()));
    }
    encoded
}

/// In memory, fed, and by a reader, in pieces and in single bytes.
pub(super) fn in_a_program(known: Known<'_>, bytes: &[u8]) -> Vec<(&'static str, Seen)> {
    let (finder, hints) = (Finder::new(), known.hints());
    let mut memory = Seen::default();
    match finder.document(bytes, &hints) {
        Ok(mut found) => {
            for link in found.by_ref().filter_map(Candidate::into_link) {
                memory.link(&link, &as_it_is);
            }
            found.notices().into_iter().for_each(|notice| memory.note(notice));
        }
        Err(reason) => memory.unread(&reason, bytes),
    }
    let read = |reader: &mut dyn Read| {
        let mut seen = Seen::default();
        let scanned = finder.scan_reader(reader, &hints, |event| {
            seen.event(event, &as_it_is);
            ControlFlow::Continue(())
        });
        match scanned {
            Ok(scanned) => scanned.notices().iter().for_each(|notice| seen.note(*notice)),
            Err(ScanError::NotRead(reason)) => seen.unread(&reason, bytes),
            Err(error) => panic!("{error}"),
        }
        seen
    };
    let feed = |most: usize| {
        let mut seen = Seen::default();
        let mut feed = finder.feed(&hints);
        let mut scan = || -> Result<(), ScanError> {
            for piece in bytes.chunks(most) {
                feed.push(piece)?.for_each(|event| seen.event(event, &as_it_is));
            }
            feed.finish()?.for_each(|event| seen.event(event, &as_it_is));
            Ok(())
        };
        match scan() {
            Ok(()) => feed.scanned().notices().iter().for_each(|notice| seen.note(*notice)),
            Err(ScanError::NotRead(reason)) => seen.unread(&reason, bytes),
            Err(error) => panic!("{error}"),
        }
        seen
    };
    vec![
        ("memory", memory),
        ("feed, at once", feed(usize::MAX)),
        ("feed, single bytes", feed(1)),
        ("feed, pieces of 1,500", feed(1500)),
        ("reader", read(&mut &bytes[..])),
        ("reader, single bytes", read(&mut Pieces::new(bytes.chunks(1)))),
    ]
}

/// Each document of an archive, scanned by who was given it.
pub(super) fn handed_out(name: &str, bytes: &[u8]) -> Seen {
    let (finder, hints) = (Finder::new(), Known::Nothing.hints());
    let mut seen = Seen::default();
    container::documents(Opening::bytes(bytes).name(name), &Limits::new(), |found| {
        match found {
            Found::Document(mut document) => {
                let hints = document.hints(&hints);
                let scanned = finder.scan_reader(&mut document, &hints, |event| {
                    seen.event(event, &as_it_is);
                    ControlFlow::Continue(())
                });
                match scanned {
                    Ok(scanned) => scanned.notices().iter().for_each(|notice| seen.note(*notice)),
                    Err(ScanError::NotRead(reason)) => seen.unread(&reason, bytes),
                    Err(error) => panic!("{error}"),
                }
            }
            Found::Noticed { notice, .. } => seen.note(notice),
            _ => {}
        }
        ControlFlow::Continue(())
    });
    seen
}

/// How standard input gives a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Pipe {
    Whole,
    SingleBytes,
}

/// Time without a byte after which the command decides by what it has; see `docs/output.md`.
const PAUSE: Duration = Duration::from_millis(200);

/// Standard input, with a label or none. A busy machine may hold the writer up for so long that the command sees a pause,
/// and decides earlier: then the document is given once more.
pub(super) fn piped(known: Known<'_>, bytes: &[u8], pipe: Pipe) -> Seen {
    let tries = (0..20).map(|_| piped_once(known, bytes, pipe));
    let mut quick = tries.filter(|(_, longest)| *longest < PAUSE);
    quick.next().expect("the machine holds up each try").0
}

/// What the command sees, and the longest time from the beginning of a write to the end of the next one.
fn piped_once(known: Known<'_>, bytes: &[u8], pipe: Pipe) -> (Seen, Duration) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_linksift"));
    command.args(["--json", "--join-wrapped", "never"]).env("NO_COLOR", "1");
    command.args(["--fields", "start,end,context,uri,text,rel,role,code"]);
    if let Known::Name(name) = known {
        command.args(["--label", name]);
    }
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let (mut input, bytes) = (child.stdin.take().unwrap(), bytes.to_vec());
    let writer = thread::spawn(move || {
        let len = match pipe {
            Pipe::Whole => bytes.len().max(1),
            Pipe::SingleBytes => 1,
        };
        // Nothing is decided before the first byte.
        let (mut last, mut longest) = (None, Duration::ZERO);
        for some in bytes.chunks(len) {
            let before = last.replace(Instant::now());
            // Who has seen enough closes the pipe.
            let _ = input.write_all(some);
            longest = before.map_or(longest, |before: Instant| longest.max(before.elapsed()));
        }
        drop(input);
        last.filter(|_| pipe == Pipe::SingleBytes)
            .map_or(longest, |last| longest.max(last.elapsed()))
    });
    let output = child.wait_with_output().unwrap();
    let longest = writer.join().unwrap();
    let mut seen = Seen::default();
    for line in output.stdout.split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        let record: serde_json::Value = serde_json::from_slice(line).unwrap();
        let number = |name: &str| record[name].as_u64().unwrap() as usize;
        let text = |name: &str| record[name].as_str().unwrap().to_owned();
        let shown = |name: &str| record[name].as_str().map(str::to_owned);
        let is_code = record["code"].as_bool().unwrap();
        let details = (shown("text"), shown("rel"), text("role"), is_code);
        seen.links.push((number("start"), number("end"), text("context"), text("uri"), details));
    }
    let told = String::from_utf8_lossy(&output.stderr);
    for notice in Notice::ALL {
        if told.contains(&notice.to_string()) {
            seen.note(*notice);
        }
    }
    // The command says the label too.
    if told.contains("declares the unknown encoding") {
        seen.note(Notice::UnknownCharset);
    }
    if output.status.code() == Some(2) {
        seen.codes.insert(match told.contains("is not supported") {
            true => "charset".to_owned(),
            false => "failed".to_owned(),
        });
    }
    (seen, longest)
}

/// A fixture's bytes.
pub(super) fn read(path: &Path) -> Vec<u8> {
    fs::read(path).unwrap()
}
