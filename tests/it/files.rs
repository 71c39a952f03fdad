//! `linksift::files`: order, bounds, failures, and ends before the end.

mod cancel;
mod threads;

use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::mpsc;
use std::time::Duration;
use std::{fs, thread};

use linksift::Event;
use linksift::files::{self, Batch, Input, Options, Progress};
use linksift::{Finder, Hints};

use crate::made::ars::{ar, member};
use crate::made::folder::Folder;

/// All events as lines.
fn events(
    inputs: impl IntoIterator<Item = PathBuf, IntoIter: Send>,
    options: &Options,
) -> Vec<String> {
    let mut lines = Vec::new();
    let summary = files::scan(inputs, options, |event| {
        let name = |path: &Path| path.file_name().unwrap_or(path.as_os_str()).display().to_string();
        lines.push(match event {
            Event::Link { path, link, .. } => {
                let place = link.position().map(|p| format!("{}:{}:", p.line, p.column));
                format!("{}:{}{}", name(path), place.unwrap_or_default(), link.uri())
            }
            Event::Rejected { path, rejected, .. } => {
                format!("{} rejected {} {}", name(path), rejected.reason().as_str(), rejected.raw())
            }
            Event::Failed { path, error, .. } => {
                format!("{} failed {}", name(path), error.as_str())
            }
            Event::DocumentEnd { path, scanned, .. } => {
                format!("{} finished {} {}", name(path), scanned.bytes(), scanned.links())
            }
            // Says of an input without members what was said of the document.
            Event::InputEnd { .. } => return ControlFlow::Continue(()),
            other => panic!("{other:?}"),
        });
        ControlFlow::Continue(())
    });
    assert!(!summary.stopped());
    lines
}

#[test]
fn events_come_in_the_order_of_the_inputs_with_each_number_of_threads() {
    let folder = Folder::new();
    let first = folder.write("first.txt", "x\n http://example.com/1 http://300.1.1.1/");
    let tree = folder.write("tree/b.txt", "a@example.com").parent().unwrap().to_owned();
    folder.write("tree/a/c.txt", "");
    let missing = folder.0.join("missing");
    for threads in [0, 1, 2, 3, 16] {
        let options = Options::new().threads(threads).hints(Hints::new().positions(true));
        let inputs = [first.clone(), missing.clone(), tree.clone()];
        assert_eq!(
            events(inputs, &options),
            [
                "first.txt:2:2:http://example.com/1",
                "first.txt rejected host-ipv4 http://300.1.1.1/",
                "first.txt finished 41 1",
                "missing failed not-found",
                "c.txt finished 0 0",
                "b.txt:1:1:mailto:a@example.com",
                "b.txt finished 13 1",
            ],
            "{threads} threads",
        );
    }
}

#[test]
fn the_summary_and_the_progress_count_what_was_done() {
    let folder = Folder::new();
    folder.write("a.txt", "http://example.com/1 example.org");
    folder.write("b.txt", "none");
    let progress = Progress::new();
    let finder = Finder::builder().schemeless(false).build();
    let options = Options::new().finder(finder).progress(progress.clone());
    let inputs = [folder.0.clone(), folder.0.join("missing")];
    let summary = files::scan(inputs, &options, |_| ControlFlow::Continue(()));
    assert_eq!((summary.files(), summary.failed()), (2, 1));
    assert_eq!((summary.bytes(), summary.links()), (36, 1));
    assert_eq!((progress.files(), progress.bytes()), (3, 36));
}

#[test]
fn a_break_ends_the_run_soon_with_one_thread_and_with_many() {
    let folder = Folder::new();
    for number in 0..200 {
        folder.write(&format!("{number:03}.txt"), "http://example.com/ ".repeat(20_000));
    }
    for threads in [1, 4] {
        let progress = Progress::new();
        let options = Options::new().threads(threads).progress(progress.clone());
        let mut seen = 0;
        let summary = files::scan([&folder.0], &options, |_| {
            seen += 1;
            if seen == 10 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert!(summary.stopped());
        assert_eq!(seen, 10);
        assert!(progress.bytes() < 200 * 400_000 / 2, "{} bytes were read", progress.bytes());
    }
}

#[test]
fn a_slow_taker_holds_the_threads_back() {
    /// Bytes that know how many of them there are at once.
    #[derive(Default)]
    struct Counted(Vec<u8>);
    static NOW: AtomicUsize = AtomicUsize::new(0);
    static MOST: AtomicUsize = AtomicUsize::new(0);
    impl Batch for Counted {
        fn size(&self) -> usize {
            self.0.len()
        }
        fn append(&mut self, later: &mut Self) {
            self.0.append(&mut later.0);
        }
    }

    let folder = Folder::new();
    let text = "http://example.com/ ".repeat(5_000);
    for number in 0..100 {
        folder.write(&format!("{number:03}.txt"), &text);
    }
    // Each link makes a kilobyte, 500 MB in all.
    let render = |event: Event<'_>, batch: &mut Counted| {
        if let Event::Link { .. } = event {
            batch.0.resize(batch.0.len() + 1000, 0);
            let now = NOW.fetch_add(1000, Ordering::Relaxed) + 1000;
            MOST.fetch_max(now, Ordering::Relaxed);
        }
    };
    let mut total = 0;
    let options = Options::new().threads(4);
    let _ = files::scan_map([&folder.0], &options, render, |batch| {
        thread::sleep(Duration::from_millis(1));
        total += batch.0.len();
        NOW.fetch_sub(batch.0.len(), Ordering::Relaxed);
        batch.0.clear();
        ControlFlow::Continue(())
    });
    assert_eq!(total, 500_000_000);
    let most = MOST.load(Ordering::Relaxed);
    assert!(most <= 4 * (16 << 20), "{most} bytes were outstanding at once");
}

#[test]
fn a_file_that_shrinks_and_grows_while_it_is_read_does_no_harm() {
    let folder = Folder::new();
    let file = folder.write("a.txt", "");
    let text = "http://example.com/ ".repeat(50_000);
    let done = Arc::new(AtomicBool::new(false));
    let changer = {
        let (file, done, text) = (file.clone(), done.clone(), text.clone());
        thread::spawn(move || {
            while !done.load(Ordering::Relaxed) {
                fs::write(&file, &text).unwrap();
                fs::write(&file, &text[..1000]).unwrap();
            }
        })
    };
    for threads in [1, 2] {
        for _ in 0..50 {
            let (mut ended, mut named) = (0, 0);
            let _ = files::scan([&file, &file], &Options::new().threads(threads), |event| {
                // A file that is shorter at its end than it was is named; the other goes on.
                match event {
                    Event::Failed { .. } => named += 1,
                    Event::InputEnd { failed, .. } => {
                        ended += 1;
                        named -= i32::from(failed);
                    }
                    _ => {}
                }
                ControlFlow::Continue(())
            });
            assert_eq!((ended, named), (2, 0));
        }
    }
    done.store(true, Ordering::Relaxed);
    changer.join().unwrap();
}

/// The last event of each input is its end, with its totals, whether it failed or not.
#[test]
fn the_end_of_an_input_is_its_last_event() {
    let folder = Folder::new();
    let text = folder.write("a.txt", "http://e.com/1 http://e.com/2");
    // An archive with a member, and then other bytes.
    let broken = ar(&[member("b.txt/", b"see example.com"), b"?".to_vec()]);
    let broken = folder.write("b.ar", broken);
    let missing = folder.0.join("c");
    let kind = |event: &Event<'_>| match event {
        Event::Link { .. } => "link".to_owned(),
        Event::DocumentEnd { .. } => "document".to_owned(),
        Event::Failed { .. } => "failed".to_owned(),
        Event::InputEnd { links, failed, stored, .. } => format!("{links} {failed} {stored}"),
        other => panic!("{other:?}"),
    };
    for threads in [1, 2] {
        let inputs = [text.clone(), broken.clone(), missing.clone()];
        let mut kinds = Vec::new();
        let _ = files::scan(inputs, &Options::new().threads(threads), |event| {
            kinds.push(kind(&event));
            ControlFlow::Continue(())
        });
        let of_text = ["link", "link", "document", "2 false 29"];
        let of_archive = ["link", "document", "failed", "1 true 85"];
        assert_eq!(kinds, [&of_text[..], &of_archive, &["failed", "0 true 0"]].concat());
    }
}

#[test]
fn inputs_are_asked_for_as_they_are_needed() {
    let folder = Folder::new();
    let file = folder.write("a.txt", "http://example.com/");
    let asked = AtomicUsize::new(0);
    let inputs = (0..1_000_000).map(|_| {
        asked.fetch_add(1, Ordering::Relaxed);
        Input::Path(file.clone())
    });
    let mut links = 0;
    let _ = files::scan(inputs, &Options::new().threads(2), |event| {
        links += usize::from(matches!(event, Event::Link { .. }));
        if links == 10 { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    assert!(asked.into_inner() < 500_000);
}

/// The list of inputs may be a pipe, and who writes it may wait for what came of the first of them.
#[test]
fn what_is_done_comes_before_another_input_is_waited_for() {
    let folder = Folder::new();
    for name in ["a/1.txt", "a/2.txt", "b.txt", "c.txt"] {
        folder.write(name, format!("http://e.com/{name}"));
    }
    for threads in [2, 4] {
        let (seen, is_seen) = mpsc::channel();
        let mut names = ["a", "b.txt", "c.txt"].map(|name| folder.0.join(name)).into_iter();
        let inputs = std::iter::from_fn(move || {
            if names.len() == 1 {
                is_seen.recv_timeout(Duration::from_secs(20)).ok()?;
            }
            names.next()
        });
        let mut links = 0;
        let _ = files::scan(inputs, &Options::new().threads(threads), |event| {
            links += u32::from(matches!(event, Event::Link { .. }));
            if links == 3 {
                let _ = seen.send(());
            }
            ControlFlow::Continue(())
        });
        assert_eq!(links, 4, "with {threads} threads");
    }
}

#[test]
fn a_batch_that_its_taker_leaves_full_is_not_given_twice() {
    let folder = Folder::new();
    for number in 0..2_000 {
        folder.write(&format!("{number:04}"), "");
    }
    for threads in [1, 2] {
        let mut bytes = 0;
        let render = |event: Event<'_>, batch: &mut Vec<u8>| {
            if let Event::InputEnd { .. } = event {
                batch.extend_from_slice(&[0; 1000]);
            }
        };
        let _ = files::scan_map([&folder.0], &Options::new().threads(threads), render, |batch| {
            bytes += batch.len();
            ControlFlow::Continue(())
        });
        assert_eq!(bytes, 2_000_000, "{threads} threads");
    }
}

#[test]
fn a_panic_of_a_callback_ends_the_run() {
    let folder = Folder::new();
    for number in 0..100 {
        folder.write(&format!("{number:03}"), "http://example.com/ ".repeat(1_000));
    }
    for threads in [1, 2] {
        let options = Options::new().threads(threads);
        let caught = std::panic::catch_unwind(|| {
            files::scan([&folder.0], &options, |_| panic!("on purpose, by the taker"))
        });
        assert!(caught.is_err());
        let caught = std::panic::catch_unwind(|| {
            let render = |_: Event<'_>, _: &mut Vec<u8>| panic!("on purpose, by the renderer");
            files::scan_map([&folder.0], &options, render, |_| ControlFlow::Continue(()))
        });
        assert!(caught.is_err());
    }
}

#[cfg(unix)]
#[test]
fn a_list_has_the_links_that_lead_to_nothing_as_a_scan_has_them() {
    use std::os::unix::fs::symlink;

    let folder = Folder::new();
    folder.write("d/a.txt", "");
    let path = folder.path().join("d");
    for (name, target) in [("dangling", "none"), ("loop", "loop"), ("link", "a.txt")] {
        symlink(target, path.join(name)).unwrap();
    }
    for options in [Options::new(), Options::new().rules(Default::default())] {
        let mut noticed = Vec::new();
        let _ = files::scan([path.clone()], &options, |event| {
            if let Event::Noticed { path, notice, .. } = event {
                noticed.push((path.to_owned(), notice));
            }
            ControlFlow::Continue(())
        });
        let listed: Vec<_> = files::list([path.clone()], &options).collect();
        let errors: Vec<_> = listed.iter().filter_map(|one| one.as_ref().err()).collect();
        let told: Vec<_> =
            errors.iter().map(|one| (one.path().to_owned(), one.notice().unwrap())).collect();
        assert_eq!((told.len(), listed.len()), (2, 3));
        assert_eq!(told, noticed);
        assert_eq!(errors[0].error().as_str(), "not-found");
    }
}
