//! Standard streams that another program has made non-blocking: reads and writes wait.

use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::process::{Command, Stdio};
use std::thread;
use std::time::Duration;

use super::Folder;

const PAUSE: Duration = Duration::from_millis(30);

/// Our end of a stream, and the other one, which does not block.
fn stream() -> (UnixStream, Stdio) {
    let (ours, theirs) = UnixStream::pair().unwrap();
    theirs.set_nonblocking(true).unwrap();
    (ours, Stdio::from(OwnedFd::from(theirs)))
}

#[test]
fn standard_input_that_has_nothing_yet_is_waited_for() {
    let folder = Folder::new();
    folder.write("a.txt", "http://a.example/");
    for (arguments, pieces, expected) in [
        (&[][..], ["see http://exam", "ple.com/a an", "d b"], "http://example.com/a\n"),
        (&["-c", "-I", "-"], ["see http://exam", "ple.com/a an", "d b"], "1\n"),
        (&["linkify", "--rel", ""], ["<", "b", ">\n"], "&lt;b&gt;\n"),
        (&["check"], ["http://a.", "example", "/\n"], "true\n"),
        (&["charset"], ["a", "b", "\n"], "-\tutf-8\tutf-8\n"),
        (&["-I", "--files-from", "-"], ["a", ".t", "xt\n"], "http://a.example/\n"),
        (&["-I", "--manifest", "-"], ["a", ".t", "xt\n"], "http://a.example/\n"),
    ] {
        let (mut input, theirs) = stream();
        let mut command = Command::new(env!("CARGO_BIN_EXE_linksift"));
        command.args(arguments).current_dir(folder.path()).stdin(theirs);
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        drop(command);
        for piece in pieces {
            thread::sleep(PAUSE);
            input.write_all(piece.as_bytes()).unwrap();
        }
        drop(input);
        let output = child.wait_with_output().unwrap();
        let (found, said) = (output.stdout, String::from_utf8_lossy(&output.stderr));
        assert_eq!(String::from_utf8_lossy(&found), expected, "{arguments:?}: {said}");
        assert_eq!((&*said, output.status.code()), ("", Some(0)), "{arguments:?}");
    }
}

#[test]
fn standard_output_and_error_that_are_full_are_waited_for() {
    let folder = Folder::new();
    let links = 40_000;
    let text: String = (0..links).map(|n| format!("http://example.com/{n}\n")).collect();
    folder.write("a.txt", &text);
    let names: String = (0..links).map(|n| format!("{n}.missing\n")).collect();
    folder.write("list", &names);
    let linksift = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_linksift"));
        command.current_dir(folder.path());
        command
    };
    let slow = |mut command: Command, mut ours: UnixStream| {
        let mut child = command.spawn().unwrap();
        drop(command);
        let mut all = Vec::new();
        thread::sleep(PAUSE);
        ours.read_to_end(&mut all).unwrap();
        (String::from_utf8(all).unwrap(), child.wait().unwrap().code())
    };
    let (ours, theirs) = stream();
    let mut command = linksift();
    command.arg("a.txt").stdout(theirs);
    assert!(slow(command, ours) == (text.clone(), Some(0)), "a link is lost");

    let (ours, theirs) = stream();
    let mut command = linksift();
    command.args(["linkify", "--rel", "", "a.txt"]).stdout(theirs);
    assert_eq!(slow(command, ours).0.lines().count(), links);

    let (ours, theirs) = stream();
    let mut command = linksift();
    command.args(["--files-from", "list"]).stderr(theirs).stdout(Stdio::null());
    let (said, status) = slow(command, ours);
    assert_eq!((said.lines().count(), status), (links, Some(2)));
}
