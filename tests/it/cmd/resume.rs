//! Runs that are killed or run out of disk, and are gone on with.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::Folder;
use super::runs::{inputs, linksift, run, stderr, unpacked};

/// Numbers that differ from run to run.
struct Random(u64);

impl Random {
    fn new() -> Random {
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
fn killed(name: &str, options: &str, kills: &mut u32, random: &mut Random, folder: &Path) {
    let of = |mark: &str| format!("{options} -o {mark}{name} --errors {mark}e --failed {mark}f");
    let expected = run(folder, &format!("{} in", of("whole-")));
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
        stderr(&again).starts_with("linksift: notice: the run had finished"),
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

#[cfg(unix)]
#[test]
fn a_full_disk_is_named_and_the_run_goes_on_where_it_stopped() {
    let folder = Folder::new();
    inputs(&folder, 120);
    let path = folder.path();
    for name in ["o.jsonl", "o.csv.gz", "o.txt.zst"] {
        let whole = format!("whole-{name}");
        run(path, &format!("-H -o {whole} in"));
        let whole = fs::read(path.join(whole)).unwrap();
        // A limit of the system for the size of files stands for the disk.
        let blocks = whole.len() / 512 / 2;
        let script = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
        let arguments = format!("-H --checkpoint 0 --resume state-{name} -o {name} in");
        let mut command = Command::new("sh");
        command.args(["-c", &script, env!("CARGO_BIN_EXE_linksift")]);
        let output = command.args(arguments.split(' ')).current_dir(path).output().unwrap();
        assert_eq!(output.status.code(), Some(2), "{}", stderr(&output));
        let last = stderr(&output).lines().last().unwrap().to_owned();
        assert!(
            last.ends_with(&format!(
                "file too large; the same command with --resume state-{name} goes on from there"
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
    command.args(["-c", script, env!("CARGO_BIN_EXE_linksift"), "-H", "-o", "o", "in"]);
    let output = command.current_dir(path).output().unwrap();
    assert!(stderr(&output).ends_with("linksift: o: file too large\n"), "{}", stderr(&output));
    assert!(matches!(fs::read(path.join("o")).unwrap()[..], [] | [.., b'\n']));
}

#[test]
fn only_the_same_run_is_gone_on_with() {
    let folder = Folder::new();
    inputs(&folder, 20);
    let path = folder.path();
    let again = |arguments: &str| stderr(&run(path, &format!("--resume s -o o {arguments}")));
    again("-H in");
    assert!(
        again("-H in -j7 --checkpoint 3")
            .starts_with("linksift: notice: the run had finished, after 20")
    );
    for other in ["in", "-H in in", "-H --no-emails in", "-H --json in"] {
        assert!(again(other).contains("with other options or inputs"), "{other}: {}", again(other));
    }
    let whole = fs::read(path.join("o")).unwrap();
    // What comes after the others is read; what comes before them makes it another run.
    folder.write("in/z.txt", "http://last.example/");
    again("-H in");
    let longer = fs::read(path.join("o")).unwrap();
    assert!(longer.starts_with(&whole) && longer.ends_with(b"in/z.txt:1:1:http://last.example/\n"));
    folder.write("in/00/0.a", "http://first.example/");
    assert!(again("-H in").contains("the inputs are others"));
    fs::remove_file(path.join("in/00/0.a")).unwrap();
    fs::write(path.join("o"), "short").unwrap();
    assert!(again("-H in").contains("shorter than the run has written"));
    fs::write(path.join("s"), "{}").unwrap();
    assert!(again("-H in").contains("not the state of a run"));
    for wrong in ["", "-", "--sort uri in", "--tally in", "--unique in"] {
        let output = run(path, format!("--resume t -o o {wrong}").trim());
        assert_eq!(output.status.code(), Some(2), "{wrong}");
        assert!(
            stderr(&output).starts_with("linksift: --resume: "),
            "{wrong}: {}",
            stderr(&output)
        );
    }
    assert_eq!(run(path, "--resume t in").status.code(), Some(2));
}
