//! The IRI commands, from arguments or lines to output, as `fixtures/iri/commands.txt` has them.
#![cfg(feature = "cli")]

use std::io::Write;
use std::process::{Command, Stdio};

/// Standard output, standard error, and whether all records were good.
fn run(arguments: &[&str], input: &[u8]) -> (String, String, bool) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_linksift"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the command runs");
    let mut stdin = child.stdin.take().expect("it is piped");
    let input = input.to_vec();
    // A command that has its IRIs as arguments does not read.
    let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
    let output = child.wait_with_output().expect("the command ends");
    writer.join().expect("the writer ends");
    let text = |bytes| String::from_utf8(bytes).expect("output is UTF-8");
    (text(output.stdout), text(output.stderr), output.status.success())
}

/// `\n`, `\t`, `\0`, `\\` and `\xHH` in a fixture stand for those octets.
fn unescape(text: &str) -> Vec<u8> {
    let bytes = text.as_bytes();
    let mut octets = Vec::new();
    let mut i = 0;
    while i < bytes.len() {
        let (octet, length) = match bytes[i..] {
            [b'\\', b'n', ..] => (b'\n', 2),
            [b'\\', b'r', ..] => (b'\r', 2),
            [b'\\', b't', ..] => (b'\t', 2),
            [b'\\', b'0', ..] => (0, 2),
            [b'\\', b'\\', ..] => (b'\\', 2),
            [b'\\', b'x', high, low, ..] => {
                let digits = [high, low].map(|d| char::from(d).to_digit(16).expect("a digit"));
                ((digits[0] << 4 | digits[1]) as u8, 4)
            }
            [b, ..] => (b, 1),
            [] => unreachable!("i is inside"),
        };
        octets.push(octet);
        i += length;
    }
    octets
}

#[test]
fn fixtures() {
    let text = include_str!("../../fixtures/iri/commands.txt");
    let mut cases = 0;
    for case in text.split("\n\n") {
        let lines: Vec<&str> =
            case.lines().filter(|line| !line.starts_with("# ") && !line.is_empty()).collect();
        let Some(command) = lines.first().and_then(|line| line.strip_prefix("$ ")) else {
            continue;
        };
        let arguments: Vec<String> = command
            .split(' ')
            .map(|a| String::from_utf8(unescape(a)).expect("arguments are UTF-8"))
            .collect();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let gather = |mark: &str| -> Vec<u8> {
            let found = lines.iter().filter_map(|line| line.strip_prefix(mark));
            found.flat_map(unescape).collect()
        };
        let (out, errors, good) = run(&arguments, &gather("< "));
        assert_eq!(out.as_bytes(), gather("> "), "output of {command}: {out}");
        assert_eq!(errors.as_bytes(), gather("! "), "errors of {command}: {errors}");
        // What is not equivalent is an answer that says no.
        let is_so = !command.starts_with("compare") || !out.contains("false");
        let is_good = !case.contains("\"error\"") && errors.is_empty() && is_so;
        assert_eq!(good, is_good, "status of {command}");
        cases += 1;
    }
    assert!(cases >= 30, "only {cases} cases were read");
}

/// Every record gets its line, however many there are.
#[test]
fn a_line_for_each_line() {
    let input = "http://例え.jp/パス\n".repeat(10_000);
    let (out, errors, good) = run(&["map"], input.as_bytes());
    assert!(good && errors.is_empty());
    assert_eq!(out, "http://xn--r8jz45g.jp/%E3%83%91%E3%82%B9\n".repeat(10_000));
}
