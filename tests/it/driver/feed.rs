//! Documents that are fed, in any pieces, give what memory gives.

mod blocks;
mod columns;
mod generated;
mod points;

use std::fmt::Write;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use linksift::{
    Cancel, Candidate, Charset, Event, FeedPoint, Finder, Format, Hints, JoinWrapped, Link, Notice,
    Rejected, ScanError,
};

/// What a document has: a line for each candidate and notice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Records(String);

impl Records {
    fn link(&mut self, link: &Link<'_>) {
        let (range, at) = (link.range(), link.position());
        let (context, raw, uri) = (link.context(), link.raw(), link.uri());
        let warnings: Vec<_> = link.warnings().iter().map(|warning| warning.as_str()).collect();
        let shown = (link.text(), link.rel(), link.role(), link.is_code(), link.text_host());
        let origin = (link.part(), link.transfer(), link.charset());
        writeln!(
            self.0,
            "{range:?} {at:?} {context} {raw} {uri} {warnings:?} {shown:?} {origin:?}"
        )
        .unwrap();
    }

    fn rejected(&mut self, rejected: &Rejected<'_>) {
        let (range, at, raw) = (rejected.range(), rejected.position(), rejected.raw());
        let (context, reason, rule) = (rejected.context(), rejected.reason(), rejected.rule());
        let origin = (rejected.part(), rejected.transfer(), rejected.charset());
        writeln!(self.0, "{range:?} {at:?} {context} {raw} {reason:?} {rule:?} {origin:?}")
            .unwrap();
    }

    fn event(&mut self, event: &Event<'_>) {
        match event {
            Event::Link { link, .. } => self.link(link),
            Event::Rejected { rejected, .. } => self.rejected(rejected),
            _ => {}
        }
    }

    fn notices(&mut self, notices: &[Notice]) {
        let mut codes: Vec<_> = notices.iter().map(|notice| notice.as_str()).collect();
        codes.sort_unstable();
        writeln!(self.0, "{codes:?}").unwrap();
    }
}

fn in_memory(bytes: &[u8], hints: &Hints) -> Records {
    let (finder, mut records) = (Finder::new(), Records::default());
    match finder.document(bytes, hints) {
        Err(reason) => return Records(format!("{reason:?}")),
        Ok(mut found) => {
            for candidate in found.by_ref() {
                match candidate {
                    Candidate::Link(link) => records.link(&link),
                    Candidate::Rejected(rejected) => records.rejected(&rejected),
                }
            }
            records.notices(&found.notices());
        }
    }
    records
}

/// What a document has of which nothing is read.
fn unread(error: &ScanError) -> Records {
    let ScanError::NotRead(reason) = error else { panic!("{error}") };
    Records(format!("{reason:?}"))
}

fn fed<'b>(pieces: impl Iterator<Item = &'b [u8]>, hints: &Hints) -> Records {
    let (finder, mut records) = (Finder::new(), Records::default());
    let mut feed = finder.feed(hints);
    let mut links = 0;
    let mut note = |event: Event<'_>| {
        links += u64::from(event.link().is_some());
        records.event(&event);
    };
    for piece in pieces {
        match feed.push(piece) {
            Ok(events) => events.for_each(&mut note),
            Err(error) => return unread(&error),
        }
    }
    match feed.finish() {
        Ok(events) => events.for_each(&mut note),
        Err(error) => return unread(&error),
    }
    assert_eq!(feed.scanned().links(), links);
    records.notices(feed.scanned().notices());
    records
}

/// What a reader gives.
fn read(bytes: &[u8], hints: &Hints) -> Records {
    let mut records = Records::default();
    let scanned = Finder::new().scan_reader(bytes, hints, |event| {
        records.event(&event);
        ControlFlow::Continue(())
    });
    match scanned {
        Ok(scanned) => records.notices(scanned.notices()),
        Err(error) => return unread(&error),
    }
    records
}

/// Numbers that look random.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most.max(1)
    }
}

/// Cuts bytes at random places.
fn cut<'b>(mut bytes: &'b [u8], numbers: &mut Numbers) -> Vec<&'b [u8]> {
    let most = [3, 40, 1500, 20_000][numbers.below(4)];
    let mut pieces = Vec::new();
    while !bytes.is_empty() {
        let (piece, rest) = bytes.split_at((1 + numbers.below(most)).min(bytes.len()));
        pieces.push(piece);
        bytes = rest;
    }
    pieces
}

fn documents(folder: &Path, all: &mut Vec<PathBuf>) {
    let mut entries: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    entries.sort();
    for path in entries {
        match path.is_dir() {
            true => documents(&path, all),
            false => all.push(path),
        }
    }
}

/// Documents of the fixtures, with their hints: by name and without one.
fn fixtures() -> Vec<(String, Vec<u8>, Hints)> {
    let root = crate::root().join("fixtures");
    let mut paths = Vec::new();
    for folder in ["markup", "charset", "mail", "text"] {
        documents(&root.join(folder), &mut paths);
    }
    let hints = Hints::new().format(Format::Auto).positions(true).details(true);
    let hints = hints.join_wrapped(JoinWrapped::Never);
    let with_hints = |path: PathBuf| {
        let bytes = fs::read(&path).unwrap();
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        [(name.clone(), bytes.clone(), hints.clone().name(&name)), (name, bytes, hints.clone())]
    };
    paths.into_iter().flat_map(with_hints).collect()
}

/// Whether a base follows the head, for which a page that is fed does not wait.
fn has_late_base(fed: &Records) -> bool {
    fed.0.contains("\"late-base\"")
}

#[test]
fn fixtures_in_pieces_are_those_in_memory() {
    let mut numbers = Numbers(1);
    let (mut compared, mut differ) = (0, Vec::new());
    for (name, bytes, hints) in fixtures() {
        let wanted = in_memory(&bytes, &hints);
        let whole = fed(std::iter::once(&bytes[..]), &hints);
        let pieces = cut(&bytes, &mut numbers);
        let cut = fed(pieces.into_iter(), &hints);
        assert_eq!(whole, cut, "{name} in pieces");
        if bytes.len() < 1 << 11 {
            assert_eq!(whole, fed(bytes.chunks(1), &hints), "{name} in single bytes");
        }
        compared += 1;
        if wanted != whole && !has_late_base(&whole) {
            differ.push(format!("{name}\n  memory {}\n  fed {}", wanted.0, whole.0));
        }
    }
    assert!(differ.is_empty(), "{} of {compared} differ:\n{}", differ.len(), differ.join("\n"));
    assert!(compared > 500, "{compared}");
}

/// Rounds of damage that `LINKSIFT_ROUNDS` says; where it is set, no test takes a sample of its documents either.
fn rounds() -> Option<usize> {
    std::env::var("LINKSIFT_ROUNDS").ok().map(|rounds| rounds.parse().unwrap())
}

#[test]
fn damaged_documents_in_pieces_are_those_in_memory() {
    let rounds = rounds().unwrap_or(2);
    let mut numbers = Numbers(2);
    let all = fixtures();
    let mut differ = Vec::new();
    for (name, bytes, hints) in all.iter().filter(|(_, bytes, _)| bytes.len() < 1 << 14) {
        for _ in 0..rounds {
            let (_, other, _) = &all[numbers.below(all.len())];
            let mut damaged = bytes.clone();
            for _ in 0..=numbers.below(3) {
                let at = numbers.below(damaged.len());
                match numbers.below(4) {
                    0 => damaged.truncate(at),
                    1 if !damaged.is_empty() => damaged[at] = numbers.below(256) as u8,
                    2 => {
                        let from = numbers.below(other.len());
                        let to = (from + numbers.below(300)).min(other.len());
                        damaged.splice(at..at, other[from..to].iter().copied());
                    }
                    _ => {
                        let to = (at + numbers.below(100)).min(damaged.len());
                        damaged.drain(at..to);
                    }
                }
            }
            let whole = fed(std::iter::once(&damaged[..]), hints);
            let pieces = cut(&damaged, &mut numbers);
            let cut = fed(pieces.into_iter(), hints);
            let wanted = match has_late_base(&whole) {
                true => &whole,
                false => &in_memory(&damaged, hints),
            };
            if whole != cut || wanted != &whole {
                let text = String::from_utf8_lossy(&damaged);
                let records = format!("memory {}fed {}cut {}", wanted.0, whole.0, cut.0);
                differ.push(format!("{name}: {text:?}\n{records}"));
            }
        }
    }
    let count = differ.len();
    differ.sort_by_key(String::len);
    differ.truncate(5);
    assert!(differ.is_empty(), "{count} differ:\n{}", differ.join("\n"));
}

#[test]
fn a_feed_moves_between_threads() {
    let finder = Finder::new();
    let mut feed = finder.feed(&Hints::new());
    let links = std::thread::scope(|scope| {
        let first = scope.spawn(move || {
            assert_eq!(feed.push(b"see http://example.com/").unwrap().count(), 0);
            feed
        });
        let mut feed = first.join().unwrap();
        scope.spawn(move || feed.finish().unwrap().count()).join().unwrap()
    });
    assert_eq!(links, 1);
}

#[test]
fn a_feed_that_is_cancelled_ends() {
    let (finder, cancel) = (Finder::new(), Cancel::new());
    let mut feed = finder.feed(&Hints::new().cancel(cancel.clone()));
    assert_eq!(feed.push(b"see http://example.com/ and").unwrap().count(), 0);
    cancel.cancel();
    assert_eq!(feed.push(b" more").unwrap().count(), 0);
    assert_eq!(feed.finish().unwrap().count(), 0);
    assert!(feed.scanned().stopped());
}

/// A binary property list of so many links.
fn property_list(links: u32) -> Vec<u8> {
    let mut bytes = b"bplist00".to_vec();
    let mut offsets = vec![bytes.len()];
    bytes.extend_from_slice(&[0xAF, 0x12]);
    bytes.extend_from_slice(&links.to_be_bytes());
    (1..=links).for_each(|object| bytes.extend_from_slice(&object.to_be_bytes()));
    for _ in 0..links {
        offsets.push(bytes.len());
        bytes.extend_from_slice(b"\x5F\x10\x13http://example.com/");
    }
    let table = bytes.len() as u64;
    for offset in offsets {
        bytes.extend_from_slice(&u32::try_from(offset).unwrap().to_be_bytes());
    }
    bytes.extend_from_slice(&[0, 0, 0, 0, 0, 0, 4, 4]);
    for number in [u64::from(links) + 1, 0, table] {
        bytes.extend_from_slice(&number.to_be_bytes());
    }
    bytes
}

#[test]
fn a_feed_that_is_cancelled_ends_within_a_call() {
    const LINKS: usize = 100_000;
    let finder = Finder::new();
    let mail = "Subject: a\n\n".to_owned() + &"http://example.com/\n".repeat(LINKS);
    for (format, document) in [
        (Format::Auto, property_list(LINKS as u32)),
        (Format::Markdown, "[a](http://example.com/)\n".repeat(LINKS).into_bytes()),
        (Format::Email, mail.into_bytes()),
    ] {
        let (hints, cancel) = (Hints::new().format(format), Cancel::new());
        let mut feed = finder.feed(&hints);
        let pushed = feed.push(&document).unwrap().count();
        let all = pushed + feed.finish().unwrap().count();
        assert!(all >= LINKS, "{format} {all}");
        let mut feed = finder.feed(&hints.clone().cancel(cancel.clone()));
        let pushed = feed.push(&document).unwrap().count();
        let canceller = std::thread::spawn(move || {
            std::thread::sleep(std::time::Duration::from_millis(1));
            cancel.cancel();
        });
        let found = pushed + feed.finish().unwrap().count();
        canceller.join().unwrap();
        assert!(feed.scanned().stopped() && found < all, "{format} {found}");
        assert_eq!(feed.finish().unwrap().count(), 0);
        let point = feed.resume_point();
        let mut feed = finder.resume(&hints, &point);
        let offset = usize::try_from(point.offset()).unwrap();
        let rest = feed.push(&document[offset..]).unwrap().count();
        assert_eq!(found + rest + feed.finish().unwrap().count(), all, "{format}");
    }
}

#[test]
fn a_feed_that_is_cancelled_goes_on_after_what_was_taken() {
    let finder = Finder::new();
    let page = "<p><a href='http://e.com/'>text</a>\n".repeat(10_000);
    let hints = Hints::new().content_type("text/html; charset=utf-8");
    for taken in [8_000, 10_000] {
        let cancel = Cancel::new();
        let mut feed = finder.feed(&hints.clone().cancel(cancel.clone()));
        let mut left = taken;
        for piece in page.as_bytes().chunks(1_500) {
            left -= feed.push(piece).unwrap().take(left).count();
            if left == 0 {
                break;
            }
        }
        if left > 0 {
            left -= feed.finish().unwrap().take(left).count();
        }
        assert_eq!(left, 0);
        cancel.cancel();
        assert_eq!(feed.push(page.as_bytes()).unwrap().count(), 0);
        assert_eq!(feed.flush().unwrap().count(), 0);
        let point = feed.resume_point();
        let offset = usize::try_from(point.offset()).unwrap();
        let last = page.len() / 10_000 * taken;
        assert!((last - (8 << 10)..=last).contains(&offset), "{taken} {offset}");
        let mut feed = finder.resume(&hints, &point);
        let rest = feed.push(&page.as_bytes()[offset..]).unwrap().count();
        assert_eq!(rest + feed.finish().unwrap().count(), 10_000 - taken);
    }
}

#[test]
fn a_feed_that_is_flushed_gives_what_is_decided() {
    let finder = Finder::new();
    let mut feed = finder.feed(&Hints::new().format(Format::Auto));
    assert_eq!(
        feed.push(b"<p>see <a href=http://e.com/1>one</a> <a href=http://e.com/2").unwrap().count(),
        0
    );
    assert_eq!(feed.flush().unwrap().count(), 1);
    assert_eq!(feed.push(b"3>two</a>").unwrap().count(), 0);
    let rest: Vec<_> =
        feed.finish().unwrap().map(|event| event.link().unwrap().range().len()).collect();
    assert_eq!(rest, [15]);
    // A control character that comes too late ends the text.
    let mut feed = finder.feed(&Hints::new());
    assert_eq!(feed.push(b"see http://e.com/1 and ").unwrap().count(), 0);
    assert_eq!(feed.flush().unwrap().count(), 1);
    let later = b"e.com \0\x01\x02\x03\0\0\0\0\0\0\0\0\0\0 http://e.com/2 e.com";
    let mut found = feed.push(later).unwrap().count();
    found += feed.finish().unwrap().count();
    assert_eq!(found, 2);
    assert_eq!(feed.scanned().notices(), [Notice::LateBinary]);
}

#[test]
fn a_feed_names_an_encoding_that_it_cannot_decode() {
    let finder = Finder::new();
    let mut feed = finder.feed(&Hints::new().format(Format::Html));
    let page = b"<meta charset=iso-2022-kr><a href=http://e.com/>";
    let mut fed = feed.push(page).map(drop);
    fed = fed.and_then(|()| feed.finish().map(drop));
    assert_eq!(fed.unwrap_err().as_str(), "charset");
    assert_eq!(feed.push(b"http://e.com/ ").unwrap().count(), 0);
}

fn email() -> Hints {
    Hints::new().format(Format::Email)
}

#[test]
fn a_part_of_a_message_is_scanned_when_it_has_come() {
    let finder = Finder::new();
    let mut feed = finder.feed(&email());
    let head = "Subject: a\nContent-Type: multipart/mixed; boundary=x\n\n";
    let part = |n| format!("--x\nContent-Type: text/plain\n\nhttp://e.com/{n}\n");
    let mut came = Vec::new();
    for n in 0..40 {
        let text = if n == 0 { format!("{head}{}", part(n)) } else { part(n) };
        for piece in text.as_bytes().chunks(7) {
            for event in feed.push(piece).unwrap() {
                came.push(match event {
                    Event::Part { part, .. } => part.part().map(str::to_owned).unwrap_or_default(),
                    Event::Link { link, .. } => link.raw().to_owned(),
                    _ => continue,
                });
            }
        }
    }
    // How lines end is known after 64 KiB, the role of a line 16 KiB after it.
    assert!(came.is_empty(), "{came:?}");
    for piece in "\n".repeat(1 << 18).as_bytes().chunks(1 << 12) {
        let found = feed.push(piece).unwrap();
        came.extend(found.filter_map(|event| Some(event.link()?.raw().to_owned())));
    }
    assert_eq!(came.last().map(String::as_str), Some("http://e.com/38"));
    let rest: Vec<_> = feed.finish().unwrap().map(|event| event.link().is_some()).collect();
    assert_eq!((rest, feed.scanned().links()), (vec![true], 40));
}

#[test]
fn long_parts_and_mailboxes_are_fed() {
    let line = "see http://example.com/a and more words of text, and so on\n";
    let long = line.repeat((17 << 20) / line.len());
    let message = format!(
        "Subject: a\nContent-Type: multipart/mixed; boundary=x\n\n\
         --x\n\nhttp://e.com/1\n--x\n\n{long}--x\n\nhttp://e.com/2\n--x--\nhttp://e.com/3\n"
    );
    let field = format!("Subject: a\nX-Long: {}\n\nhttp://e.com/1", long.replace('\n', " "));
    let one = |n| format!("From a@b.example\nSubject: a\n\nhttp://e.com/{n}\n{}\n", line.repeat(9));
    let mailbox: String = (0..2_000).map(one).collect();
    let best = email().alternatives(linksift::Alternatives::Best);
    let all = email().headers(linksift::Headers::All);
    for (text, hints) in [
        (&message, email()),
        (&message, best),
        (&field, all),
        (&mailbox, Hints::new().format(Format::Mbox).positions(true)),
    ] {
        let wanted = in_memory(text.as_bytes(), &hints);
        assert!(wanted.0.len() > 1_000, "{}", wanted.0.len());
        let fed = fed(text.as_bytes().chunks(100_000), &hints);
        assert!(wanted == fed, "{} and {} bytes", wanted.0.len(), fed.0.len());
    }
}

#[test]
fn documents_that_are_longer_than_what_is_kept_are_fed() {
    let text =
        "see http://example.com/a or пример.рф and more words of text, and so on\n".repeat(50_000);
    let words = "<p>words &amp; <i class='a b'>more</i> of them\n".repeat(10);
    let page = "<p>see <a href=a/b?c&amp;d>words</a> and <a href='http://e.com/x'>more</a> of them, example.com\n";
    let page = format!("{page}{words}");
    let page = page.repeat((17 << 20) / page.len());
    let json = format!("[{}0]", "{\"a\": \"http:\\/\\/e.com\\/\"},\n".repeat(100_000));
    let words = "words *and* `more` of them\n".repeat(10);
    let markdown = format!("see [a](b.html) and <http://e.com/>, *example.com*\n{words}\n");
    let markdown = markdown.repeat((17 << 20) / markdown.len());
    let html = || Hints::new().format(Format::Html);
    let utf8 = "utf-8".parse().unwrap();
    // A size for each: pieces of both are fed to texts, to pages and to what needs the whole.
    for (text, hints, size) in [
        (&text, Hints::new(), 999),
        (&text, Hints::new().charset(utf8).positions(true), 100_001),
        (&page, html(), 100_001),
        (&page, html().charset(utf8), 999),
        (&json, Hints::new().format(Format::Json), 999),
        (&markdown, Hints::new().format(Format::Markdown), 100_001),
    ] {
        let wanted = in_memory(text.as_bytes(), &hints);
        assert!(wanted.0.len() > 1_000, "{}", wanted.0.len());
        let fed = fed(text.as_bytes().chunks(size), &hints);
        assert!(wanted == fed, "{} and {} bytes", wanted.0.len(), fed.0.len());
    }
}

/// Lines of what a feed gives, those of its first `taken` events apart from the others, which another feed gives that
/// goes on from there.
fn resumed(bytes: &[u8], hints: &Hints, (size, taken): (usize, usize)) -> (Records, usize) {
    let (finder, mut records, cancel) = (Finder::new(), Records::default(), Cancel::new());
    let mut feed = finder.feed(&hints.clone().cancel(cancel.clone()));
    let mut left = taken;
    for piece in bytes.chunks(size) {
        let Ok(events) = feed.push(piece) else { break };
        for event in events.take(left) {
            records.event(&event);
            left -= 1;
        }
        if left == 0 {
            break;
        }
    }
    if left > 0
        && let Ok(events) = feed.finish()
    {
        events.take(left).for_each(|event| records.event(&event));
    }
    let point = feed.resume_point();
    cancel.cancel();
    assert!(feed.push(b" http://example.com/ ").is_ok_and(|events| events.count() == 0));
    assert_eq!(feed.resume_point(), point);
    let kept: FeedPoint = point.to_string().parse().unwrap();
    assert_eq!(kept, point);
    let offset = usize::try_from(point.offset()).unwrap();
    let mut feed = finder.resume(hints, &kept);
    for piece in bytes[offset..].chunks(size) {
        match feed.push(piece) {
            Ok(events) => events.for_each(|event| records.event(&event)),
            Err(error) => return (unread(&error), offset),
        }
    }
    match feed.finish() {
        Ok(events) => events.for_each(|event| records.event(&event)),
        Err(error) => return (unread(&error), offset),
    }
    records.notices(feed.scanned().notices());
    (records, offset)
}

#[test]
fn a_document_goes_on_where_it_ended() {
    let mut numbers = Numbers(3);
    let (mut compared, mut later) = (0, 0);
    let charsets = ["utf-8", "gbk", "windows-1251"].map(|label| label.parse::<Charset>().unwrap());
    let (each, most) = if rounds().is_some() { (1, 1_000) } else { (3, 400) };
    for (name, bytes, hints) in fixtures().into_iter().step_by(each) {
        let known = hints.clone().charset(charsets[numbers.below(3)]);
        // Most documents are shorter than the bytes before a point.
        let long = match name.rsplit('.').next() {
            Some("html" | "htm" | "txt") => bytes.repeat(2 + 40_000 / bytes.len().max(1)),
            Some("xml" | "svg" | "xhtml" | "json" | "jsonl") => {
                bytes.repeat(2 + 12_000 / bytes.len().max(1))
            }
            _ => bytes.clone(),
        };
        for (bytes, hints) in [(&bytes, &hints), (&long, &hints), (&long, &known)] {
            let wanted = fed(std::iter::once(&bytes[..]), hints);
            let events = wanted.0.lines().count();
            let at = ([700, 1_500, 9_000, 1 << 20][numbers.below(4)], numbers.below(events + 1));
            let (found, offset) = resumed(bytes, hints, at);
            assert_eq!(found, wanted, "{name} {at:?} {offset}");
            compared += 1;
            later += usize::from(offset > 0);
        }
    }
    assert!(compared > most && later > most / 7, "{compared} {later}");
}

/// The body of an answer has its own notices after those of the headers.
#[test]
fn answers_have_all_notices_on_their_headers() {
    let base = format!("http://e.com/{}/", "a".repeat(7_000));
    let hints = Hints::new().format(Format::Auto).base(base.parse().unwrap());
    let links = "<b>; rel=next, ".repeat(200);
    let long = "<c>, ".repeat(1 << 18);
    let answer =
        format!("HTTP/1.1 200 OK\r\nLink: {links}\r\nLink: {long}\r\n\r\nHTTP/1.1 200 OK\r\n\r\n");
    let wanted = in_memory(answer.as_bytes(), &hints);
    let notices = wanted.0.lines().last();
    assert_eq!(notices, Some("[\"read-as-text\", \"repeated\"]"));
    assert_eq!(fed(answer.as_bytes().chunks(100_000), &hints), wanted);
}

/// What a flush decides before the head of a stream is complete counts too.
#[test]
fn a_document_goes_on_after_a_flush() {
    let finder = Finder::new();
    for (media_type, piece) in [
        ("text/html; charset=utf-8", "<p><a href='http://e.com/1'>one</a> http://e.com/2\n"),
        ("text/plain; charset=utf-8", "see http://e.com/1 and http://e.com/2 and words\n"),
    ] {
        let hints = Hints::new().content_type(media_type);
        let (text, each) = (piece.repeat(2_000), piece.len());
        for taken in [10, 50, 150, 1_001, 2_500] {
            let mut feed = finder.feed(&hints);
            feed.push(&text.as_bytes()[..40 * each]).unwrap().for_each(drop);
            let mut before = feed.flush().unwrap().take(taken).count();
            assert!(before > 0, "{media_type}");
            for chunk in text.as_bytes()[40 * each..].chunks(1_500) {
                if before < taken {
                    before += feed.push(chunk).unwrap().take(taken - before).count();
                }
            }
            let point = feed.resume_point();
            let rest = &text.as_bytes()[usize::try_from(point.offset()).unwrap()..];
            let mut feed = finder.resume(&hints, &point);
            let mut starts = Vec::new();
            let mut note =
                |event: Event<'_>| starts.extend(event.link().map(|link| link.range().start));
            feed.push(rest).unwrap().for_each(&mut note);
            feed.finish().unwrap().for_each(&mut note);
            assert_eq!(before + starts.len(), 4_000, "{media_type} {taken} {point}");
            assert!(starts.is_sorted(), "{media_type} {taken}");
        }
    }
}

#[test]
fn texts_of_points_that_nobody_wrote() {
    let finder = Finder::new();
    let hints = Hints::new().content_type("text/html; charset=utf-8").positions(true);
    let page =
        "<base href=http://e.com/x/><p><a href=1>a</a> <a href='b?\u{e9}'>b</a>\n".repeat(400);
    let mut feed = finder.feed(&hints);
    feed.push(page.as_bytes()).unwrap().take(300).for_each(drop);
    let point = feed.resume_point();
    assert!(point.offset() > 1_000, "{point}");
    let text = point.to_string();
    let mut numbers = Numbers(4);
    let mut parsed = 0;
    for _ in 0..6_000 {
        let mut words: Vec<String> = text.split(' ').map(str::to_owned).collect();
        let at = numbers.below(words.len());
        words[at] = match numbers.below(6) {
            0 => "18446744073709551615".to_owned(),
            1 => numbers.below(100_000).to_string(),
            2 => "-".to_owned(),
            3 => words[numbers.below(words.len())].clone(),
            4 => ["text", "html", "gbk", "utf-16le", "utf-8", "=zz", "1", "0"][numbers.below(8)]
                .to_owned(),
            _ => String::new(),
        };
        let Ok(point) = words.join(" ").parse::<FeedPoint>() else { continue };
        parsed += 1;
        let mut feed = finder.resume(&hints, &point);
        for piece in page.as_bytes().chunks(5_000) {
            feed.push(piece).map(|events| events.for_each(drop)).unwrap();
        }
        feed.finish().map(|events| events.for_each(drop)).unwrap();
    }
    assert!(parsed > 900, "{parsed}");
}
