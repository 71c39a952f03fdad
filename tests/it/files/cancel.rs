//! Cancelling: from another thread, from a callback, before the start; of readers, mail and files.

use std::io::{self, Read};
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use std::{fs, thread};

use linksift::files::{self, Described, Options};
use linksift::{Cancel, Charset, Event, Finder, Format, Hints};

use crate::container::tars::tar;
use crate::made::folder::Folder;

/// A text again and again, without an end.
struct Endless {
    text: &'static [u8],
    at: usize,
    /// How much it gives before another thread cancels.
    left: usize,
    cancel: Cancel,
}

impl Endless {
    fn new(text: &'static [u8], left: usize) -> Endless {
        Endless { text, at: 0, left, cancel: Cancel::new() }
    }
}

impl Read for Endless {
    fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
        for byte in &mut *to {
            *byte = self.text[self.at];
            self.at = (self.at + 1) % self.text.len();
        }
        self.left = self.left.saturating_sub(to.len());
        if self.left == 0 {
            let cancel = self.cancel.clone();
            thread::spawn(move || cancel.cancel());
        }
        Ok(to.len())
    }
}

/// A token that another thread cancels some time later.
fn later() -> Cancel {
    let cancel = Cancel::new();
    let other = cancel.clone();
    thread::spawn(move || {
        thread::sleep(Duration::from_millis(30));
        other.cancel();
    });
    cancel
}

#[test]
fn an_endless_reader_ends_whatever_it_gives() {
    let texts: [&[u8]; 7] = [
        b"see http://example.com/a and b@example.com, ",
        b"no link here ",
        b"x",
        b"http://example.com/\x81\xFF\xE9 ",
        b"<a href=/x>y</a> ",
        b"From a\nSubject: b\n\nsee example.com\n",
        b"\0",
    ];
    for text in texts {
        let formats = [Format::Auto, Format::Html, Format::Mbox];
        for format in formats {
            for charset in [None, Some("shift_jis"), Some("utf-16le")] {
                let reader = Endless::new(text, 1 << 16);
                let cancel = reader.cancel.clone();
                let hints = Hints::new().format(format).cancel(cancel).positions(true);
                let mut hints = hints.salvage(true);
                if let Some(label) = charset {
                    hints = hints.charset(label.parse::<Charset>().unwrap());
                }
                let each = |_: Event<'_>| ControlFlow::Continue(());
                let scanned = Finder::new().scan_reader(reader, &hints, each).unwrap();
                let case = format!("{:?} {format} {charset:?}", String::from_utf8_lossy(text));
                assert!(scanned.stopped() && scanned.bytes() > 0, "{case}: {scanned:?}");
            }
        }
    }
}

#[test]
fn what_was_scanned_until_then_is_told() {
    let mut links = 0;
    let reader = Endless::new("見て http://例え.jp/ ".as_bytes(), 3 << 20);
    let hints = Hints::new().cancel(reader.cancel.clone());
    let scanned = Finder::new().scan_reader(reader, &hints, |event| {
        links += u64::from(event.link().is_some());
        ControlFlow::Continue(())
    });
    let scanned = scanned.unwrap();
    assert_eq!((scanned.links(), scanned.stopped()), (links, true));
    assert_eq!(scanned.detected().map(|detected| detected.charset().as_str()), Some("utf-8"));
}

#[test]
fn what_is_cancelled_before_the_start_reads_nothing() {
    struct Never;
    impl Read for Never {
        fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
            panic!("it was read");
        }
    }
    for format in [Format::Text, Format::Auto, Format::Html, Format::Email, Format::Mbox] {
        let cancel = Cancel::new();
        cancel.cancel();
        let hints = Hints::new().format(format).cancel(cancel).eager(true);
        let each = |_: Event<'_>| panic!("an event");
        let scanned = Finder::new().scan_reader(Never, &hints, each).unwrap();
        assert_eq!((scanned.bytes(), scanned.stopped()), (0, true), "{format}");
    }
}

#[test]
fn no_event_comes_after_it() {
    for text in [
        &b"http://a.example/ http://b.example/ "[..],
        b"From a\nSubject: http://a.example/\n\nb.com c.com\n",
    ] {
        for format in [Format::Text, Format::Mbox] {
            let cancel = Cancel::new();
            let hints = Hints::new().format(format).cancel(cancel.clone());
            let mut links = 0;
            let each = |_: Event<'_>| {
                links += 1;
                cancel.cancel();
                ControlFlow::Continue(())
            };
            let scanned = Finder::new().scan_reader(text, &hints, each).unwrap();
            assert_eq!((links, scanned.stopped()), (1, true), "{format}");
        }
    }
}

#[test]
fn a_token_that_nobody_cancels_changes_nothing() {
    let text = b"see http://example.com/ and\xFF b@example.com";
    let scan = |hints: &Hints| {
        let mut found = Vec::new();
        let scanned = Finder::new().scan_reader(&text[..], hints, |event| {
            found.push(event.link().map(|link| link.range()));
            ControlFlow::Continue(())
        });
        (found, scanned.unwrap())
    };
    assert_eq!(scan(&Hints::new()), scan(&Hints::new().cancel(Cancel::new())));
}

#[test]
fn a_mailbox_without_end_ends() {
    let text = b"From a\nSubject: b\n\nsee example.com\n\n";
    let reader = Endless::new(text, 3 << 20);
    let hints = Hints::new().format(Format::Mbox).cancel(reader.cancel.clone());
    let each = |_: Event<'_>| ControlFlow::Continue(());
    let scanned = Finder::new().scan_reader(reader, &hints, each).unwrap();
    assert!(scanned.stopped() && scanned.links() > 0);
}

#[test]
fn an_encoding_that_nothing_can_be_decoded_from_is_no_error_of_a_cancelled_scan() {
    struct Cancelling(Cancel);
    impl Read for Cancelling {
        fn read(&mut self, to: &mut [u8]) -> io::Result<usize> {
            self.0.cancel();
            (&b"<meta charset=iso-2022-kr>"[..]).read(to)
        }
    }
    let cancel = Cancel::new();
    let hints = Hints::new().format(Format::Html).cancel(cancel.clone());
    let each = |_: Event<'_>| ControlFlow::Continue(());
    let scanned = Finder::new().scan_reader(Cancelling(cancel), &hints, each).unwrap();
    assert!(scanned.stopped());
}

/// How many events came, and what is said at the end, where the tenth cancels.
fn events_until_cancelled(folder: &Folder, options: Options, cancel: &Cancel) -> (u32, bool) {
    // Where it comes, not where it is written: others go on meanwhile, on a busy machine up to the end.
    let events = AtomicU32::new(0);
    let render = |_: Event<'_>, batch: &mut Vec<u8>| {
        batch.push(b'.');
        if events.fetch_add(1, Ordering::Relaxed) == 9 {
            cancel.cancel();
        }
    };
    let each = |_: &mut Vec<u8>| ControlFlow::Continue(());
    let summary = files::scan_map([&folder.0], &options, render, each);
    let events = events.into_inner();
    (events, summary.stopped())
}

#[test]
fn files_end_with_each_number_of_threads_and_in_archives() {
    let folder = Folder::new();
    let member = b"see http://example.com/ ".repeat(20_000);
    let members: Vec<(&[u8], &[u8])> = vec![(b"a.txt", &member); 8];
    fs::write(folder.0.join("a.tar"), tar(&members)).unwrap();
    for number in 0..20 {
        fs::write(folder.0.join(format!("{number:02}.txt")), &member).unwrap();
    }
    let all = 28 * 20_000;
    for threads in [1, 2, 4] {
        let cancel = Cancel::new();
        let hints = Hints::new().cancel(cancel.clone());
        let options = Options::new().threads(threads).hints(hints);
        let (events, stopped) = events_until_cancelled(&folder, options.clone(), &cancel);
        assert!(stopped && events > 0 && events < all, "{threads} threads: {events}");

        // It stays cancelled.
        assert_eq!(events_until_cancelled(&folder, options, &cancel), (0, true));

        // What is said of a file alone leaves the run's token where it is.
        let cancel = Cancel::new();
        let hints = Hints::new().cancel(cancel.clone());
        let options = Options::new().threads(threads).hints(hints);
        let options = options.describe(|_| Described::new().hints(Hints::new()));
        let (events, stopped) = events_until_cancelled(&folder, options, &cancel);
        assert!(stopped && events > 0 && events < all, "{threads} threads, described: {events}");
    }
}

#[test]
#[cfg(unix)]
fn a_device_without_end_ends() {
    for described in [false, true] {
        let mut options = Options::new().hints(Hints::new().cancel(later()));
        if described {
            options = options.describe(|_| Described::new().hints(Hints::new()));
        }
        let start = Instant::now();
        let each = |_: Event<'_>| ControlFlow::Continue(());
        assert!(files::scan(["/dev/zero"], &options, each).stopped());
        assert!(start.elapsed() < Duration::from_secs(60));
    }
}
