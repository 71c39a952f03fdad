//! One state, two runs: the second is refused, and changes nothing.

use std::fs::{self, File};
use std::io::Write;
use std::os::unix::fs::symlink;
use std::process::Stdio;
use std::thread;
use std::time::{Duration, Instant};

use super::Folder;
use super::runs::{linksift, run, stderr};

#[test]
fn the_second_of_two_runs_with_one_state_is_refused() {
    let folder = Folder::new();
    let path = folder.path();
    super::in_place::fifo(&folder, "fifo");
    folder.write("a.txt", "http://e.com/a\n");
    folder.write("o2", "what is there");
    symlink("s", path.join("soft")).unwrap();
    let arguments = "--output o --checkpoint 0 --resume s a.txt fifo";
    let first = linksift(path, arguments).stderr(Stdio::piped()).spawn().unwrap();
    // It waits for who writes there, when it has kept its first input.
    let begun = Instant::now();
    let has_kept_one = || {
        let state = fs::read(path.join("s")).unwrap_or_default();
        String::from_utf8_lossy(&state).contains("\"inputs\":1,")
    };
    while !has_kept_one() && begun.elapsed() < Duration::from_secs(60) {
        thread::sleep(Duration::from_millis(5));
    }
    let state = fs::read(path.join("s")).unwrap();
    for second in [
        arguments.to_owned(),
        "--output o2 --resume s a.txt".to_owned(),
        "--output o2 --resume ./s a.txt".to_owned(),
        "--output o2 --resume soft a.txt".to_owned(),
        format!("--output o2 --resume {} a.txt", path.join("s").display()),
    ] {
        let output = run(path, &second);
        assert_eq!(output.status.code(), Some(2), "{second}");
        let said = stderr(&output);
        assert!(said.contains("another run uses this state"), "{second}: {said}");
        assert_eq!(fs::read(path.join("o2")).unwrap(), b"what is there");
        assert_eq!(fs::read(path.join("s")).unwrap(), state);
    }
    let mut input = File::options().write(true).open(path.join("fifo")).unwrap();
    input.write_all(b"http://e.com/b\n").unwrap();
    drop(input);
    let output = first.wait_with_output().unwrap();
    assert_eq!((output.status.code(), stderr(&output)), (Some(0), String::new()));
    let text = fs::read_to_string(path.join("o")).unwrap();
    assert_eq!(text, "a.txt:1:1:http://e.com/a\nfifo:1:1:http://e.com/b\n");
    // What is locked stays; it is the lock that goes with the run.
    assert!(path.join("s.lock").exists());
    let output = run(path, "--output o3 --resume s3 a.txt");
    assert_eq!(output.status.code(), Some(0));
    let output = run(path, "--output o3 --resume s3 a.txt");
    assert!(
        stderr(&output).starts_with("linksift: notice: the run was already finished"),
        "{}",
        stderr(&output)
    );
    // A run that is killed has no lock any more.
    let mut killed = linksift(path, arguments).stderr(Stdio::null()).spawn().unwrap();
    thread::sleep(Duration::from_millis(30));
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert!(run(path, "--output o4 --resume s4 a.txt").status.success());
}

#[test]
fn what_is_no_state_is_refused_and_nothing_is_written() {
    let folder = Folder::new();
    let path = folder.path();
    folder.write("a.txt", "http://e.com/a\n");
    run(path, "--output o --resume s a.txt");
    let state = fs::read(path.join("s")).unwrap();
    let mut flipped = state.clone();
    *flipped.last_mut().unwrap() ^= 1;
    let nested = b"{\"before\":".repeat(10_000);
    let lines = [&state[..], b"\n"].concat().repeat(10_000);
    for (what, bytes) in [
        ("empty", &b""[..]),
        ("an object", b"{}"),
        ("nested", &nested),
        ("repeated", &lines),
        ("cut", &state[..state.len() - 1]),
        ("flipped", &flipped),
        ("longer", &[&state[..], b"x"].concat()),
        ("text", b"http://e.com/\n"),
        ("zeros", &[0; 10_000]),
    ] {
        fs::write(path.join("s"), bytes).unwrap();
        fs::write(path.join("o"), "what is there").unwrap();
        let output = run(path, "--output o --resume s a.txt");
        assert_eq!(output.status.code(), Some(2), "{what}: {}", stderr(&output));
        let said = stderr(&output);
        assert!(
            said.contains("not a state file") || said.contains("the state file is damaged"),
            "{what}: {said}"
        );
        assert_eq!(fs::read(path.join("o")).unwrap(), b"what is there", "{what}");
        assert_eq!(fs::read(path.join("s")).unwrap(), bytes, "{what}");
    }
    fs::remove_file(path.join("s")).unwrap();
    fs::create_dir(path.join("s")).unwrap();
    let output = run(path, "--output o --resume s a.txt");
    assert!(
        stderr(&output).contains("s: cannot resume: not a regular file"),
        "{}",
        stderr(&output)
    );
    assert_eq!(run(path, "--output o --resume /dev/zero a.txt").status.code(), Some(2));
}
