//! Runs that are killed or run out of disk, and are resumed.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::Folder;
use super::runs::{inputs, linksift, run, stderr, unpacked};
use crate::made::compressed::{gzip, zstd};
use crate::made::crawls::{noise, records};
use crate::made::tars::tar;
use crate::made::zips::{deflated, zip};

/// Numbers that differ from run to run.
pub(super) struct Random(u64);

impl Random {
    pub(super) fn new() -> Random {
        let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap();
        Random(now.as_nanos() as u64 | 1)
    }

    fn below(&mut self, limit: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % limit
    }
}

/// Kills runs at random moments until one comes to its end, and compares what they wrote with what one run
/// writes.
pub(super) fn killed(
    name: &str,
    options: &str,
    kills: &mut u32,
    random: &mut Random,
    folder: &Path,
) {
    let of =
        |mark: &str| format!("{options} --output {mark}{name} --errors {mark}e --failed {mark}f");
    let expected = run(folder, &format!("--force {} in", of("whole-")));
    assert_eq!(expected.status.code(), Some(2), "{}", stderr(&expected));
    for file in ["state", "e", "f", name] {
        let _ = fs::remove_file(folder.join(format!("cut-{file}")));
    }
    let arguments = format!("{} --checkpoint 0 --resume cut-state in", of("cut-"));
    let begun = Instant::now();
    let mut wait = 20;
    loop {
        let mut child = linksift(folder, &arguments).stderr(Stdio::null()).spawn().unwrap();
        let until = Instant::now() + Duration::from_millis(random.below(wait));
        while Instant::now() < until && child.try_wait().unwrap().is_none() {
            thread::sleep(Duration::from_micros(300));
        }
        match child.try_wait().unwrap() {
            Some(status) => {
                assert_eq!(status.code(), Some(2));
                break;
            }
            None => {
                child.kill().unwrap();
                child.wait().unwrap();
                *kills += 1;
            }
        }
        // So that it comes to an end wherever it runs.
        wait += 1 + wait / 8;
        assert!(begun.elapsed() < Duration::from_secs(120));
    }
    for file in [name, "e", "f"] {
        let [whole, cut] =
            ["whole", "cut"].map(|mark| fs::read(folder.join(format!("{mark}-{file}"))).unwrap());
        assert!(!whole.is_empty() && whole == cut, "{file} of {options}: seed {}", random.0);
    }
    // Who asks again changes nothing.
    let again = run(folder, &arguments);
    assert!(
        stderr(&again).starts_with("linksift: notice: the run was already finished"),
        "{}",
        stderr(&again)
    );
    assert!(
        fs::read(folder.join(format!("cut-{name}"))).unwrap()
            == fs::read(folder.join(format!("whole-{name}"))).unwrap()
    );
    assert_eq!(again.status.code(), Some(2));
}

#[test]
fn killed_runs_that_are_gone_on_with_write_what_one_run_writes() {
    let folder = Folder::new();
    inputs(&folder, 120);
    // `LINKSIFT_KILLS`: as many as somebody wants.
    let wanted =
        std::env::var("LINKSIFT_KILLS").ok().and_then(|number| number.parse().ok()).unwrap_or(6);
    let (mut random, mut kills) = (Random::new(), 0);
    let runs = [
        ("o.jsonl", "-j2"),
        ("o.jsonl.gz", "-j2"),
        ("o.csv.zst", "-j1"),
        ("o.txt", "-j3 --max-count 5 --heading"),
        ("o.count", "-c"),
    ];
    let mut rounds = 0;
    for (name, options) in runs.iter().cycle() {
        killed(name, options, &mut kills, &mut random, folder.path());
        rounds += 1;
        if kills >= wanted && rounds >= 3 {
            break;
        }
    }
    eprintln!("{kills} kills in {rounds} runs");
}

/// Long archives of all kinds between short files, with something in each that fails.
fn archives(folder: &Folder) {
    let page = |n: usize| {
        let links = format!("<a href='/r/{n}'>x</a> http://h{}.example/{n}\n", n % 50).repeat(40);
        format!("{links}{}", noise(n as u64, n % 5 * 20_000)).into_bytes()
    };
    let pages: Vec<_> = (0..250).map(|n| (format!("{n}.html"), page(n))).collect();
    let mut files: Vec<_> = pages.iter().map(|(name, page)| (name.as_bytes(), &page[..])).collect();
    let cut = &gzip(&page(1))[..600];
    files.insert(5, (b"cut.gz", cut));
    let entries: Vec<_> = files.iter().map(|(name, page)| deflated(name, page)).collect();
    let mut members: Vec<_> = records(400).iter().map(|one| gzip(one)).collect();
    let at = members[100].len() - 6;
    members[100][at] ^= 1;
    folder.write("in/a.html", page(1));
    folder.write("in/b.warc.gz", members.concat());
    folder.write("in/c.html", page(2));
    folder.write("in/d.zip", zip(&entries));
    folder.write("in/e.tar.zst", zstd(&tar(&files)));
    folder.write("in/f.tar", tar(&files));
    folder.write("in/g.html", page(3));
}

#[test]
fn runs_that_are_killed_inside_an_archive_go_on_there() {
    let folder = Folder::new();
    archives(&folder);
    let (mut random, mut kills) = (Random::new(), 0);
    for (name, options) in [
        ("o.jsonl", "-j2"),
        ("o.csv.zst", "-j1"),
        ("o.txt", "-j3 --heading"),
        ("o.count", "-c -j2"),
        ("o.few", "--max-count 70 -H"),
    ] {
        killed(name, options, &mut kills, &mut random, folder.path());
    }
    eprintln!("{kills} kills");
}

#[cfg(unix)]
#[test]
fn an_archive_that_has_changed_is_begun_again() {
    let folder = Folder::new();
    archives(&folder);
    let path = folder.path();
    let arguments = |name: &str| {
        format!("-j2 --checkpoint 0 --resume state-{name} --summary sum-{name} --output {name} in")
    };
    // There is room for a part of the output, which may end where an input does.
    let interrupted = |name: &str| {
        let is_inside = |part: u64| {
            for old in [format!("state-{name}"), format!("sum-{name}"), name.to_owned()] {
                let _ = fs::remove_file(path.join(old));
            }
            let len = fs::metadata(path.join(format!("whole{}", &name[3..]))).unwrap().len();
            let blocks = len * part / 40 / 512;
            let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
            let mut command = Command::new("sh");
            command.args(["-c", &script, env!("CARGO_BIN_EXE_linksift")]).current_dir(path);
            let output = command.args(arguments(name).split(' ')).output().unwrap();
            assert!(stderr(&output).contains("file too large"), "{}", stderr(&output));
            let state = fs::read(path.join(format!("state-{name}"))).unwrap_or_default();
            String::from_utf8_lossy(&state).contains("\"inside\":{")
        };
        assert!((20..40).any(is_inside), "no state was kept inside an archive");
    };
    let same = |name: &str| {
        let read = |name: &str| fs::read(path.join(name)).unwrap();
        assert!(read(&format!("whole{name}")) == read(&format!("cut{name}")), "{name}");
        let seconds = |summary: &str| {
            let text = String::from_utf8(read(summary)).unwrap();
            text.lines().filter(|line| !line.contains("seconds")).collect::<String>()
        };
        let [whole, cut] = ["whole", "cut"].map(|one| seconds(&format!("sum-{one}{name}")));
        assert_eq!(whole, cut);
    };
    let go_on = |name: &str| stderr(&run(path, &arguments(name)));

    run(path, &arguments("whole.jsonl.gz"));
    run(path, &arguments("whole.jsonl"));
    interrupted("cut.jsonl");
    let told = go_on("cut.jsonl");
    assert!(told.starts_with("linksift: notice: resuming inside in/"), "{told}");
    same(".jsonl");

    // Another input before it, or in its place.
    interrupted("cut.jsonl");
    let first = folder.write("in/a.a", "http://first.example/");
    assert!(go_on("cut.jsonl").contains("the inputs differ"));
    fs::remove_file(first).unwrap();
    let told = go_on("cut.jsonl");
    assert!(told.starts_with("linksift: notice: resuming inside in/"), "{told}");
    same(".jsonl");

    for name in [".jsonl", ".jsonl.gz"] {
        interrupted(&format!("cut{name}"));
        // All archives, so that it is the right one.
        for archive in ["in/b.warc.gz", "in/d.zip", "in/e.tar.zst", "in/f.tar"] {
            let content = fs::read(path.join(archive)).unwrap();
            fs::write(path.join(archive), content).unwrap();
        }
        let told = go_on(&format!("cut{name}"));
        assert!(
            told.contains(" has changed since the interrupted run; reading it from the start\n"),
            "{told}"
        );
        same(name);
    }
}

#[cfg(unix)]
#[test]
fn a_full_disk_is_named_and_the_run_goes_on_where_it_stopped() {
    let folder = Folder::new();
    inputs(&folder, 120);
    let path = folder.path();
    for name in ["o.jsonl", "o.csv.gz", "o.txt.zst"] {
        let whole = format!("whole-{name}");
        run(path, &format!("-H --output {whole} in"));
        let whole = fs::read(path.join(whole)).unwrap();
        // A limit of the system for the size of files stands for the disk.
        let blocks = whole.len() / 512 / 2;
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let arguments = format!("-H --checkpoint 0 --resume state-{name} --output {name} in");
        let mut command = Command::new("sh");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_linksift")]);
        let output = command.args(arguments.split(' ')).current_dir(path).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        let last = stderr(&output).lines().last().unwrap().to_owned();
        assert!(
            last.ends_with(&format!(
                "file too large; to resume, run the same command with --resume state-{name}"
            )),
            "{last}"
        );
        // What is there is whole records.
        let cut = unpacked(&path.join(name));
        assert!(cut.is_empty() || cut.ends_with(b"\n"), "{name}");
        let output = run(path, &arguments);
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        assert!(fs::read(path.join(name)).unwrap() == whole, "{name}");
    }
    // Without a state the file is as long as there was room, and whole too.
    let script = "trap '' XFSZ; ulimit -f 8; exec \"$0\" \"$@\"";
    let mut command = Command::new("sh");
    command.args(["-c", script, env!("CARGO_BIN_EXE_linksift"), "-H", "--output", "o", "in"]);
    let output = command.current_dir(path).output().unwrap();
    assert!(stderr(&output).ends_with("linksift: o: file too large\n"), "{}", stderr(&output));
    assert!(matches!(fs::read(path.join("o")).unwrap()[..], [] | [.., b'\n']));
}

#[test]
fn only_the_same_run_is_gone_on_with() {
    let folder = Folder::new();
    inputs(&folder, 20);
    let path = folder.path();
    let again = |arguments: &str| stderr(&run(path, &format!("--resume s --output o {arguments}")));
    again("-H in");
    assert!(
        again("-H in -j7 --checkpoint 3")
            .starts_with("linksift: notice: the run was already finished, after 20")
    );
    for other in ["in", "-H in in", "-H --no-emails in", "-H --json in"] {
        assert!(again(other).contains("had other options or inputs"), "{other}: {}", again(other));
    }
    let whole = fs::read(path.join("o")).unwrap();
    // What comes after the others is read; what comes before them makes it another run.
    folder.write("in/z.txt", "http://last.example/");
    again("-H in");
    let longer = fs::read(path.join("o")).unwrap();
    assert!(longer.starts_with(&whole) && longer.ends_with(b"in/z.txt:1:1:http://last.example/\n"));
    folder.write("in/00/0.a", "http://first.example/");
    assert!(again("-H in").contains("the inputs differ"));
    fs::remove_file(path.join("in/00/0.a")).unwrap();
    fs::write(path.join("o"), "short").unwrap();
    assert!(again("-H in").contains("shorter than what the run wrote"));
    fs::write(path.join("s"), "{}").unwrap();
    assert!(again("-H in").contains("not a state file"));
    for wrong in ["", "-", "--sort uri in", "--tally in", "--unique in"] {
        let output = run(path, format!("--resume t --output o {wrong}").trim());
        assert_eq!(output.status.code(), Some(2), "{wrong}");
        assert!(
            stderr(&output).starts_with("linksift: --resume: "),
            "{wrong}: {}",
            stderr(&output)
        );
    }
    assert_eq!(run(path, "--resume t in").status.code(), Some(2));
}

#[test]
fn a_file_with_other_bytes_is_not_gone_on_with() {
    let folder = Folder::new();
    inputs(&folder, 20);
    folder.write("in/broken.gz", "no gzip");
    let path = folder.path();
    let names = ["o", "e", "f"];
    for output in ["o", "o.gz"] {
        let go_on = || {
            let files = format!("--output {output} --errors e --failed f");
            run(path, &format!("--checkpoint 0 --resume s-{output} {files} -H in"))
        };
        assert_eq!(go_on().status.code(), Some(2));
        for name in names.map(|name| if name == "o" { output } else { name }) {
            let whole = fs::read(path.join(name)).unwrap();
            assert!(!whole.is_empty(), "{name}");
            for at in [0, whole.len() / 2, whole.len() - 1] {
                let mut other = whole.clone();
                other[at] ^= 1;
                fs::write(path.join(name), &other).unwrap();
                let refused = go_on();
                let told = format!(
                    "linksift: {name}: cannot resume: the file is not what the run wrote\n"
                );
                assert_eq!(
                    (stderr(&refused), refused.status.code()),
                    (told, Some(2)),
                    "{name} {at}"
                );
                assert_eq!(fs::read(path.join(name)).unwrap(), other, "{name} is as it was");
            }
            fs::write(path.join(name), &whole).unwrap();
        }
        assert!(stderr(&go_on()).starts_with("linksift: notice: the run was already finished"));
        for name in names {
            let _ = fs::remove_file(path.join(name));
        }
    }
}

#[test]
fn inputs_that_have_changed_since_a_run_read_them_are_named() {
    let folder = Folder::new();
    let path = folder.path();
    for name in ["a.txt", "b.txt", "c.txt"] {
        folder.write(&format!("in/{name}"), "http://example.com/");
    }
    let go_on = || {
        let output = run(path, "--checkpoint 0 --resume s -I --output o --json --fields path in");
        (stderr(&output), output.status.code())
    };
    let finished = "linksift: notice: the run was already finished, after 3 inputs\n";
    assert_eq!(go_on(), (String::new(), Some(0)));
    assert_eq!(go_on(), (finished.to_owned(), Some(0)));
    folder.write("in/b.txt", "http://example.com/ http://example.com/more");
    let told = "linksift: in/b.txt: notice: has changed since this run read it; not read again\n";
    for _ in 0..2 {
        assert_eq!(go_on(), (finished.to_owned() + told, Some(0)));
    }
    // What is new after it is read, and it is named all the same.
    folder.write("in/d.txt", "http://example.com/");
    assert_eq!(go_on(), (finished.to_owned() + told, Some(0)));
    assert_eq!(fs::read_to_string(path.join("o")).unwrap().lines().count(), 4);
    fs::remove_file(path.join("s")).unwrap();
    fs::remove_file(path.join("o")).unwrap();
    assert_eq!(go_on(), (String::new(), Some(0)));
    assert_eq!(fs::read_to_string(path.join("o")).unwrap().lines().count(), 5);
}
