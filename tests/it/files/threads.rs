//! `linksift::files` by many threads: what waits holds up nothing that need not wait, a run leaves no thread, and it can
//! be anywhere: in a pool of the caller, in a process that was forked.

#![cfg(unix)]

use std::collections::BTreeSet;
use std::io::Write;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc;
use std::time::{Duration, Instant};
use std::{fs, thread};

use linksift::files::{self, Batch, Options, Progress};
use linksift::{Cancel, Event, Hints};
use rayon::prelude::*;

use crate::container::tars::tar;
use crate::made::folder::Folder;
use crate::made::zips::{stored, zip};
use crate::support::dice::Dice;

fn fifo(folder: &Folder, name: &str) -> PathBuf {
    let path = folder.0.join(name);
    let made = Command::new("mkfifo").arg(&path).status().unwrap();
    assert!(made.success(), "mkfifo {name}: {made}");
    path
}

/// The links of a run, each with the name of its file.
fn links(inputs: &[PathBuf], options: &Options) -> Vec<String> {
    let mut found = Vec::new();
    let summary = files::scan(inputs, options, |event| {
        if let Event::Link { path, link, .. } = event {
            found.push(format!("{} {}", path.file_name().unwrap().display(), link.uri()));
        }
        ControlFlow::Continue(())
    });
    assert!(!summary.stopped());
    found
}

/// Waits until it is so.
fn wait_for(what: &str, mut is_so: impl FnMut() -> bool) {
    let start = Instant::now();
    while !is_so() {
        assert!(start.elapsed() < Duration::from_secs(60), "{what}");
        thread::sleep(Duration::from_millis(2));
    }
}

fn write_to(path: &Path, text: &str) {
    fs::File::options().write(true).open(path).unwrap().write_all(text.as_bytes()).unwrap();
}

/// Inputs that give nothing for a while, one for each thread, hold no thread: the files after them are read meanwhile, and
/// their links come in their order all the same.
#[test]
fn inputs_that_wait_hold_no_thread() {
    for threads in [2, 3] {
        let folder = Folder::new();
        let mut inputs = vec![folder.write("first.txt", "http://e.com/first")];
        let fifos: Vec<_> = (0..threads).map(|n| fifo(&folder, &format!("fifo{n}"))).collect();
        inputs.extend(fifos.iter().cloned());
        // More of its units than are on their way at once, and few links, which all have room.
        let text = format!("http://e.com/a {}", "word ".repeat(40_000));
        let members: Vec<(&[u8], &[u8])> = vec![(b"m.txt", text.as_bytes()); 19];
        inputs.push(folder.write("a.tar", tar(&members)));
        for n in 0..100 {
            inputs.push(folder.write(&format!("{n:03}.txt"), format!("http://e.com/{n}")));
        }
        let after = inputs.len() - fifos.len();
        let progress = Progress::new();
        let options = Options::new().threads(threads).progress(progress.clone());
        let run = thread::spawn(move || links(&inputs, &options));
        wait_for("the files after the FIFOs are read", || progress.files() == after as u64);
        for (n, fifo) in fifos.iter().enumerate().rev() {
            write_to(fifo, &format!("http://e.com/fifo{n}"));
        }
        let found = run.join().unwrap();
        let mut wanted = vec!["first.txt http://e.com/first".to_owned()];
        wanted.extend((0..threads).map(|n| format!("fifo{n} http://e.com/fifo{n}")));
        wanted.extend(vec!["a.tar http://e.com/a".to_owned(); 19]);
        wanted.extend((0..100).map(|n| format!("{n:03}.txt http://e.com/{n}")));
        assert!(found == wanted, "{threads} threads: {} links of {}", found.len(), wanted.len());
    }
}

/// The thread that reads an archive processes units of it as well while others are in progress, and what it finds too much of
/// ahead of its turn comes in its turn.
#[test]
fn the_reader_of_an_archive_helps_with_its_units() {
    let folder = Folder::new();
    let text = format!("{} {}", "http://e.com/a ".repeat(4_000), "word ".repeat(200_000));
    let names: Vec<_> = (0..30).map(|n| format!("{n:02}.txt")).collect();
    let members: Vec<_> =
        names.iter().map(|name| stored(name.as_bytes(), text.as_bytes())).collect();
    let input = folder.write("a.zip", zip(&members));
    for size in [10, 2_000] {
        let run = |threads| {
            let (found, by_caller) = (AtomicU64::new(0), AtomicU64::new(0));
            let caller = thread::current().id();
            let render = |event: Event<'_>, batch: &mut Vec<u8>| {
                if let Event::Link { link, .. } = event {
                    found.fetch_add(1, Ordering::Relaxed);
                    if thread::current().id() == caller {
                        by_caller.fetch_add(1, Ordering::Relaxed);
                    }
                    let name = link.member().unwrap().as_bytes();
                    batch.extend(name.iter().cycle().take(size));
                }
            };
            let mut lines = Vec::new();
            let options = Options::new().threads(threads);
            let _ = files::scan_map([&input], &options, render, |batch| {
                lines.append(batch);
                ControlFlow::Continue(())
            });
            (lines, found.into_inner(), by_caller.into_inner())
        };
        let (alone, ..) = run(1);
        let (lines, found, by_caller) = run(2);
        assert!(lines == alone, "{} bytes of {}", lines.len(), alone.len());
        assert_eq!(lines.len(), 30 * 4_000 * size);
        assert!(by_caller * 10 >= found, "{by_caller} of {found} links by the calling thread");
    }
}

/// With one thread each input has its turn.
#[test]
fn one_thread_waits_for_each_input() {
    let folder = Folder::new();
    let inputs = [
        folder.write("a.txt", "http://e.com/a"),
        fifo(&folder, "fifo"),
        folder.write("b.txt", "http://e.com/b"),
    ];
    let pipe = inputs[1].clone();
    let writer = thread::spawn(move || {
        thread::sleep(Duration::from_millis(50));
        write_to(&pipe, "http://e.com/fifo");
    });
    let found = links(&inputs, &Options::new().threads(1));
    writer.join().unwrap();
    assert_eq!(found, ["a.txt http://e.com/a", "fifo http://e.com/fifo", "b.txt http://e.com/b"]);
}

/// Behind an input that waits threads go no further than there is room for what comes of the others, and go on when it
/// has ended: twice, by the count of what was read.
#[test]
fn threads_that_are_far_ahead_go_on_when_there_is_room() {
    let folder = Folder::new();
    let fifo = fifo(&folder, "0");
    let mut inputs = vec![fifo.clone()];
    for n in 1..=60 {
        let text = "http://e.com/a ".repeat(1_000);
        inputs.push(folder.write(&format!("{n:02}.txt"), text));
    }
    // A kilobyte for each link: 60 MB, of which 16 may wait.
    let render = |event: Event<'_>, batch: &mut Vec<u8>| {
        if let Event::Link { path, .. } = event {
            let name = path.file_name().unwrap().as_encoded_bytes()[0];
            batch.extend_from_slice(&[name; 1_000]);
        }
    };
    for threads in [2, 4] {
        let progress = Progress::new();
        let options = Options::new().threads(threads).progress(progress.clone());
        let inputs = inputs.clone();
        let run = thread::spawn(move || {
            let mut found = Vec::new();
            let _ = files::scan_map(inputs, &options, render, |batch| {
                found.append(batch);
                ControlFlow::Continue(())
            });
            found
        });
        let mut last = (0, Instant::now());
        wait_for("the threads wait for room", || {
            if progress.files() != last.0 || last.0 == 0 {
                last = (progress.files(), Instant::now());
            }
            last.1.elapsed() > Duration::from_millis(300)
        });
        assert!(progress.files() < 50, "{threads} threads: {} files", progress.files());
        write_to(&fifo, "http://e.com/0");
        let found = run.join().unwrap();
        assert_eq!(found.len(), 60_001_000, "{threads} threads");
        assert!(found.is_sorted(), "{threads} threads");
    }
}

/// Hosts, each of which counts as a kilobyte.
#[derive(Default)]
struct Hosts(BTreeSet<String>);

impl Batch for Hosts {
    fn size(&self) -> usize {
        1_000 * self.0.len()
    }

    fn append(&mut self, later: &mut Self) {
        self.0.append(&mut later.0);
    }
}

/// Batches that take less memory in one than each for itself, as sets do, leave room for others when they are taken.
#[test]
fn batches_that_become_smaller_in_one_leave_room() {
    let folder = Folder::new();
    let fifo = fifo(&folder, "0");
    let mut inputs = vec![fifo.clone()];
    let text: String = (0..300).map(|n| format!("http://e{n}.com/ ")).collect();
    for n in 1..=20 {
        inputs.push(folder.write(&format!("{n:02}.txt"), text.repeat(100)));
    }
    let render = |event: Event<'_>, batch: &mut Hosts| {
        batch.0.extend(event.link().and_then(|link| link.host()).map(|host| host.into_owned()));
    };
    let (sent, received) = mpsc::channel();
    let progress = Progress::new();
    let options = Options::new().threads(2).progress(progress.clone());
    thread::spawn(move || {
        let mut all = Hosts::default();
        let summary = files::scan_map(inputs, &options, render, |batch| {
            all.append(batch);
            ControlFlow::Continue(())
        });
        sent.send((all.0.len(), summary.files())).unwrap();
    });
    wait_for("files after the FIFO are read", || progress.files() > 0);
    write_to(&fifo, "http://fifo.example/");
    let found = received.recv_timeout(Duration::from_secs(60)).expect("the run ends");
    assert_eq!(found, (301, 21));
}

/// Threads that take their time, at random, at each event: the batches are those of one thread.
#[test]
fn threads_at_every_pace_find_the_same() {
    let folder = Folder::new();
    let text = |n: usize| format!("http://e.com/{n} {}", "word ".repeat(7_000 * (n % 5)));
    for archive in 0..4 {
        let texts: Vec<_> = (0..30).map(|n| text(archive + n)).collect();
        let members: Vec<(&[u8], &[u8])> =
            texts.iter().map(|text| (&b"m.txt"[..], text.as_bytes())).collect();
        let entries: Vec<_> = texts.iter().map(|text| stored(b"m.txt", text.as_bytes())).collect();
        folder.write(&format!("{archive}.tar"), tar(&members));
        folder.write(&format!("{archive}.zip"), zip(&entries));
        (0..9).for_each(|n| drop(folder.write(&format!("{archive}{n}.txt"), text(n))));
    }
    let run = |threads, seed| {
        let count = AtomicU64::new(seed);
        let render = |event: Event<'_>, batch: &mut Vec<u8>| {
            writeln!(batch, "{event:?}").unwrap();
            let mut dice = Dice::new(count.fetch_add(1, Ordering::Relaxed));
            if threads > 1 && dice.once_in(20) {
                thread::sleep(Duration::from_micros(dice.below(400) as u64));
            }
        };
        let mut all = Vec::new();
        let _ = files::scan_map([&folder.0], &Options::new().threads(threads), render, |batch| {
            all.append(batch);
            ControlFlow::Continue(())
        });
        String::from_utf8(all).unwrap()
    };
    let wanted = run(1, 0);
    assert_eq!(wanted.matches("Link {").count(), 4 * 69);
    for seed in 0..30 {
        let threads = 2 + seed as usize % 4;
        assert!(run(threads, seed << 32) == wanted, "{threads} threads, seed {seed}");
    }
}

/// Cancelled while threads wait for room, a run ends.
#[test]
fn a_run_that_is_cancelled_ends_though_threads_wait_for_room() {
    let folder = Folder::new();
    for n in 0..60 {
        folder.write(&format!("{n:02}.txt"), "http://e.com/a ".repeat(2_000));
    }
    for threads in [1, 2, 4] {
        let cancel = Cancel::new();
        let hints = Hints::new().cancel(cancel.clone());
        let options = Options::new().threads(threads).hints(hints);
        let render = |event: Event<'_>, batch: &mut Vec<u8>| {
            if let Event::Link { .. } = event {
                batch.extend_from_slice(&[0; 1_000]);
            }
        };
        let mut bytes = 0;
        let summary = files::scan_map([&folder.0], &options, render, |batch| {
            bytes += batch.len();
            // Until others have come to their limits.
            thread::sleep(Duration::from_millis(100));
            cancel.cancel();
            ControlFlow::Continue(())
        });
        assert!(summary.stopped() && bytes < 60 * 2_000_000, "{threads}: {bytes}");
    }
}

/// A run in a thread of a pool, which has no other, and several in one of two; the callback gives work to the pool too.
#[test]
fn a_run_can_be_in_a_pool_of_the_caller() {
    let folder = Folder::new();
    let text = "http://e.com/a ".repeat(30_000);
    let members: Vec<(&[u8], &[u8])> = vec![(b"m.txt", text.as_bytes()); 9];
    folder.write("a.tar", tar(&members));
    for n in 0..50 {
        folder.write(&format!("{n:02}.txt"), format!("http://e.com/{n}"));
    }
    let inputs = [folder.0.clone(), folder.0.join("a.tar")];
    let wanted = inputs
        .each_ref()
        .map(|input| links(std::slice::from_ref(input), &Options::new().threads(1)));
    let (sent, received) = mpsc::channel();
    thread::spawn(move || {
        for threads in [1, 2] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let found: Vec<_> = pool.install(|| {
                let runs = (0..8_usize).into_par_iter();
                runs.map(|n| links(&inputs[n % 2..=n % 2], &Options::new().threads(3))).collect()
            });
            sent.send(found).unwrap();
            let count = pool.install(|| {
                let mut count = 0;
                let _ = files::scan(&inputs[..1], &Options::new().threads(2), |event| {
                    let (one, _) = rayon::join(|| usize::from(event.link().is_some()), || ());
                    count += one;
                    ControlFlow::Continue(())
                });
                count
            });
            sent.send(vec![vec![String::new(); count]]).unwrap();
        }
    });
    for _ in 0..2 {
        let found = received.recv_timeout(Duration::from_secs(120)).expect("the runs end");
        for (n, found) in found.iter().enumerate() {
            assert!(*found == wanted[n % 2], "run {n}: {} links", found.len());
        }
        let count = received.recv_timeout(Duration::from_secs(120)).expect("the run ends");
        assert_eq!(count[0].len(), wanted[0].len());
    }
}

/// In a process that was forked after a run, a run is as any other, and leaves no thread.
#[test]
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "a closure that runs between fork and exec is the way to a fork")]
fn a_forked_process_has_runs_of_its_own() {
    use std::os::unix::process::CommandExt;

    let folder = Folder::new();
    for n in 0..200 {
        folder.write(&format!("in/{n:03}.txt"), format!("http://e.com/{n}"));
    }
    let inputs = [folder.0.join("in")];
    let options = Options::new().threads(4);
    let wanted = links(&inputs, &options);
    assert_eq!(wanted.len(), 200);
    let out = folder.0.join("out");
    let mut command = Command::new("true");
    let (own, to) = (wanted.clone(), out.clone());
    let forked = move || {
        let found = links(&inputs, &options);
        let tasks = fs::read_dir("/proc/self/task")?.count();
        fs::write(&to, format!("{} {tasks}", found == own))
    };
    // SAFETY: the C library keeps its locks across a fork, and nothing else here is shared with the threads of the parent.
    unsafe { command.pre_exec(forked) };
    let (sent, received) = mpsc::channel();
    thread::spawn(move || sent.send(command.status()));
    let ended = received.recv_timeout(Duration::from_secs(60)).expect("the forked process ends");
    assert!(ended.unwrap().success());
    assert_eq!(fs::read_to_string(out).unwrap(), "true 1");
}
