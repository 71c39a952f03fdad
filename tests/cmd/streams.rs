//! Pipes, sizes and times: the command while it runs.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::Folder;

fn linksift() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_linksift"));
    command.env_remove("NO_COLOR");
    command
}

fn piped() -> Child {
    linksift().stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

#[test]
fn a_closed_pipe_ends_it_quietly_and_soon() {
    let folder = Folder::new();
    let text = "http://example.com/a/long/enough/path/to/fill/a/pipe\n".repeat(100_000);
    folder.write("a.txt", &text);
    folder.write("b.txt", &text);
    for arguments in [&["a.txt"][..], &["-j2", "a.txt", "b.txt"], &["-j2", "--json", "."]] {
        let mut child = linksift()
            .args(arguments)
            .current_dir(folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut first = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut first).unwrap();
        assert!(first.contains("http://example.com/a/long"), "{first:?}");
        let output = child.wait_with_output().unwrap();
        assert_eq!(String::from_utf8_lossy(&output.stderr), "", "{arguments:?}");
        assert_eq!(output.status.code(), Some(0), "{arguments:?}");
    }
}

#[test]
fn links_of_a_slow_pipe_are_shown_as_they_come() {
    let mut child = piped();
    let mut input = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    for number in 0..3 {
        // The pipe stays open: only what is shown without waiting for more can be read here.
        writeln!(input, "see http://example.com/{number} for more").unwrap();
        let line = lines.next().unwrap().unwrap();
        assert_eq!(line, format!("http://example.com/{number}"));
    }
    drop(input);
    assert!(lines.next().is_none());
    assert!(child.wait().unwrap().success());
}

#[test]
fn a_huge_line_goes_through_whole_and_its_links_have_their_columns() {
    let mut child =
        linksift().arg("-H").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut input = child.stdin.take().unwrap();
    let block = "x".repeat(99) + " ";
    let block = block.repeat(10_000);
    let writer = thread::spawn(move || {
        for _ in 0..20 {
            input.write_all(block.as_bytes()).unwrap();
            input.write_all(b"http://example.com/ ").unwrap();
        }
    });
    let mut found = String::new();
    child.stdout.take().unwrap().read_to_string(&mut found).unwrap();
    writer.join().unwrap();
    assert!(child.wait().unwrap().success());
    let mut expected = String::new();
    for number in 1..=20 {
        let column = number * 1_000_000 + (number - 1) * 20 + 1;
        writeln!(expected, "-:1:{column}:http://example.com/").unwrap();
    }
    assert_eq!(found, expected);
}

#[test]
fn a_link_longer_than_the_limit_is_refused_however_long_it_is() {
    let mut child = linksift()
        .args(["--rejected", "--max-link", "1000"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let writer = thread::spawn(move || {
        input.write_all(b"http://example.com/").unwrap();
        for _ in 0..4_000 {
            input.write_all(&[b'a'; 1000]).unwrap();
        }
        input.write_all(b" http://example.com/short").unwrap();
    });
    let mut found = String::new();
    child.stdout.take().unwrap().read_to_string(&mut found).unwrap();
    writer.join().unwrap();
    assert!(child.wait().unwrap().success());
    let lines: Vec<_> = found.lines().collect();
    assert_eq!(lines.len(), 2, "{} bytes", found.len());
    assert!(lines[0].starts_with("rejected too-long http://example.com/aaaa"));
    assert_eq!(lines[1], "http://example.com/short");
}

#[test]
fn markdown_that_would_take_too_much_memory_is_told_to_be_text() {
    let folder = Folder::new();
    folder.write("a.md", &("[a](b) http://e.com/\n".to_owned() + &"[".repeat(600_000)));
    folder.write("b.md", "[a](b) http://e.com/\n");
    let output = linksift().args(["a.md", "b.md"]).current_dir(folder.path()).output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    let told = "linksift: a.md: warning: too large or complex to parse; scanned as plain text\n";
    assert!(String::from_utf8_lossy(&output.stderr).starts_with(told));
    let found = "a.md:1:8:http://e.com/\nb.md:1:8:http://e.com/\n";
    assert_eq!(String::from_utf8_lossy(&output.stdout), found);
}

#[test]
fn a_million_links_come_out_in_order_whatever_the_number_of_threads() {
    let folder = Folder::new();
    let mut expected = String::new();
    for file in 0..100 {
        // Files of very different sizes: threads run ahead of each other, and have to wait.
        let count = if file % 10 == 3 { 50_000 } else { file * 10 };
        let mut text = String::new();
        for number in 0..count {
            writeln!(text, "http://example.com/{file:03}/{number}").unwrap();
        }
        folder.write(&format!("{file:03}.txt"), &text);
        expected += &text;
    }
    for threads in ["-j1", "-j2", "-j8"] {
        let output = linksift().args([threads, "-I"]).arg(folder.path()).output().unwrap();
        assert_eq!(output.status.code(), Some(0));
        assert!(output.stdout == expected.as_bytes(), "{threads} differs");
        let unique =
            linksift().args([threads, "-I", "--unique"]).arg(folder.path()).output().unwrap();
        assert!(unique.stdout == expected.as_bytes(), "{threads} differs with --unique");
    }
}

#[cfg(unix)]
#[test]
fn what_is_written_into_a_walked_tree_is_not_read_again() {
    let folder = Folder::new();
    folder.write("a.txt", "http://example.com/a\n".repeat(20_000));
    folder.write("z.txt", "http://example.com/z\n");
    let out = folder.write("out.txt", "");
    let status = linksift()
        .arg("-I")
        .arg(folder.path())
        .stdout(std::fs::File::create(&out).unwrap())
        .status()
        .unwrap();
    assert_eq!(status.code(), Some(0));
    let written = std::fs::read_to_string(&out).unwrap();
    assert_eq!(written.lines().count(), 20_001);

    let append = std::fs::OpenOptions::new().append(true).open(&out).unwrap();
    let output = linksift().arg(&out).stdout(append).stderr(Stdio::piped()).output().unwrap();
    assert_eq!(output.status.code(), Some(2));
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(message.ends_with("input file is also the output\n"), "{message}");
}

#[cfg(unix)]
#[test]
fn a_named_pipe_is_opened_when_it_is_named() {
    let folder = Folder::new();
    super::in_place::fifo(&folder, "pipe");
    let pipe = folder.path().join("pipe");
    folder.write("a.txt", "http://example.com/a");
    let writer = {
        let pipe = pipe.clone();
        thread::spawn(move || std::fs::write(pipe, "http://example.com/pipe").unwrap())
    };
    let output = linksift().args(["pipe", "a.txt"]).current_dir(folder.path()).output().unwrap();
    writer.join().unwrap();
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "pipe:1:1:http://example.com/pipe\na.txt:1:1:http://example.com/a\n",
    );
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_told() {
    for command in [&[][..], &["check"], &["map"], &["charset"], &["linkify"]] {
        let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let piped = Stdio::piped;
        let mut run = linksift();
        run.args(command).stdin(piped()).stdout(full).stderr(piped());
        let mut child = run.spawn().unwrap();
        child.stdin.take().unwrap().write_all(b"http://example.com/").unwrap();
        let output = child.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(2));
        assert_eq!(
            String::from_utf8_lossy(&output.stderr),
            "linksift: standard output: no space left on device\n",
            "{command:?}"
        );
    }
}

#[test]
fn progress_is_told_on_standard_error_when_it_is_asked_for() {
    let mut child = linksift()
        .args(["--progress", "always"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"http://example.com/ ").unwrap();
    let mut complaints = BufReader::new(child.stderr.take().unwrap());
    let (begin, mut line) = (Instant::now(), String::new());
    complaints.read_line(&mut line).unwrap();
    assert!(begin.elapsed() >= Duration::from_millis(200), "a short run shows no progress");
    assert!(line.starts_with("linksift: 0 files, 20 B, 1 link, "), "{line}");
    drop(input);
    let mut found = String::new();
    child.stdout.take().unwrap().read_to_string(&mut found).unwrap();
    assert_eq!(found, "http://example.com/\n");
    assert!(child.wait().unwrap().success());
}

/// Links of a pipe are given as it comes. What follows may say that it is no text: they stay, and it is said.
#[test]
fn a_pipe_that_turns_out_to_be_binary_is_told_of() {
    let late = "starts as text but continues as binary data";
    let text = "see www.a.com and b@c.org or a long line of words\n";
    let nul = "\0 http://b.com www.c.com\n";
    let controls = "\u{1}\u{2}\u{3}\u{4}\u{5} http://b.com www.c.com\n";
    let (first, sure) = ("https://www.a.com\nmailto:b@c.org\n", "http://b.com\n");
    let all = "https://www.a.com\nmailto:b@c.org\nhttp://b.com\nhttps://www.c.com\n";
    let filler = "words of a text\n".repeat(600);
    for (options, pieces, expected, said) in [
        (&[][..], &[text, nul][..], [first, sure].concat(), late),
        (
            &["--template", "{uri}"],
            &["see www.a.com ", nul],
            format!("https://www.a.com\n{sure}"),
            late,
        ),
        (&[], &[text, controls], [first, sure].concat(), late),
        (&[], &[text, "words ", "\0", " http://b.com ", "www.c.com"], [first, sure].concat(), late),
        (&["--binary", "skip"], &[text, nul], first.to_owned(), late),
        (&["--binary", "text"], &[text, nul], all.to_owned(), ""),
        (&["--format", "text"], &[text, nul], all.to_owned(), ""),
        // A name says that it is text, in which there may be some NULs.
        (&["--label", "a.txt"], &[text, nul], all.to_owned(), ""),
        // After the first 8 KiB nobody looks, in a file neither.
        (&[], &[text, &filler, nul], all.to_owned(), ""),
        (&[], &[&(text.to_owned() + nul)], sure.to_owned(), "notice: binary data; only"),
        // ESC, SO and SI are of encodings and of coloured logs.
        (&[], &[text, "\u{1B}[m\u{E} http://b.com www.c.com\n"], all.to_owned(), ""),
    ] {
        let mut command = linksift();
        command.args(options).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut input = child.stdin.take().unwrap();
        for (number, piece) in pieces.iter().enumerate() {
            if number > 0 {
                thread::sleep(Duration::from_millis(150));
            }
            input.write_all(piece.as_bytes()).unwrap();
        }
        drop(input);
        let output = child.wait_with_output().unwrap();
        let (found, told) = (output.stdout, String::from_utf8_lossy(&output.stderr));
        assert_eq!(String::from_utf8_lossy(&found), expected, "{options:?} {pieces:?}: {told}");
        assert!(told.contains(said) && told.is_empty() == said.is_empty(), "{options:?}: {told}");
        assert_eq!(output.status.code(), Some(0));
    }
}
