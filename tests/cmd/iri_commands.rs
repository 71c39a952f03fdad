//! The IRI commands, from arguments or lines to output, as `fixtures/iri/commands.txt` has them.

use std::fs;
use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Stdio};

use crate::bless::{Blessing, merged};
use crate::escapes::{escaped, unescaped};

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

fn file() -> PathBuf {
    crate::root().join("fixtures/iri/commands.txt")
}

struct Case {
    command: String,
    /// The line of the file after the arguments, from zero.
    first: usize,
    lines: Vec<String>,
}

fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let mut is_case = false;
    for (number, line) in fs::read_to_string(file()).unwrap().lines().enumerate() {
        if let Some(command) = line.strip_prefix("$ ") {
            is_case = true;
            let command = command.to_owned();
            cases.push(Case { command, first: number + 1, lines: Vec::new() });
        } else if line.is_empty() || line.starts_with("# ") {
            is_case = false;
        } else {
            assert!(is_case, "commands.txt:{}: no command above", number + 1);
            cases.last_mut().unwrap().lines.push(line.to_owned());
        }
    }
    cases
}

impl Case {
    /// The lines that begin with `mark`, and what they stand for.
    fn marked(&self, mark: char) -> Vec<(&String, Vec<u8>)> {
        let meant = |line: &str| Some(unescaped(line.strip_prefix(mark)?.strip_prefix(' ')?));
        self.lines.iter().filter_map(|line| Some((line, meant(line)?))).collect()
    }

    fn octets(&self, mark: char) -> Vec<u8> {
        self.marked(mark).into_iter().flat_map(|(_, octets)| octets).collect()
    }

    /// The lines of the case with this output and these errors.
    fn expect(&self, blessing: &mut Blessing, out: &[u8], errors: &[u8]) {
        let mut lines = self.lines.clone();
        for (mark, octets) in [('>', out), ('!', errors)] {
            let old = self.marked(mark);
            let is_end = |octet: &u8| matches!(octet, b'\n' | b'\0');
            // Lines stay as they are written where they say the same.
            let write = |record: &[u8]| {
                let known = old.iter().find(|(_, octets)| octets == record);
                known.map_or_else(|| format!("{mark} {}", escaped(record)), |old| old.0.clone())
            };
            let new: Vec<_> = octets.split_inclusive(is_end).map(write).collect();
            let end = lines.iter().position(|line| mark == '>' && line.starts_with('!'));
            let end = end.unwrap_or(lines.len());
            lines = merged(&lines, |line| line.starts_with(mark), &new, end);
        }
        let range = self.first..self.first + self.lines.len();
        blessing.lines(&file(), range, lines, &self.command);
    }
}

#[test]
fn fixtures() {
    let cases = cases();
    let mut blessing = Blessing::new("iri_commands::fixtures");
    for case in &cases {
        let command = &case.command;
        let argument = |a| String::from_utf8(unescaped(a)).expect("arguments are UTF-8");
        let arguments: Vec<String> = command.split(' ').map(argument).collect();
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        let (out, errors, good) = run(&arguments, &case.octets('<'));
        // What is not equivalent is an answer that says no.
        let is_so = !command.starts_with("compare") || !out.contains("false");
        let is_good = !out.contains("\"error\"") && errors.is_empty() && is_so;
        if good == is_good {
            case.expect(&mut blessing, out.as_bytes(), errors.as_bytes());
        } else {
            blessing.fault(&file(), case.first - 1, &format!("status of {command}: {good}"));
        }
    }
    blessing.finish();
    assert!(cases.len() >= 30, "only {} cases were read", cases.len());
}

#[test]
fn blessing_what_is_expected_changes_no_byte() {
    let mut blessing = Blessing::new("");
    for case in cases() {
        let (out, errors) = (case.octets('>'), case.octets('!'));
        case.expect(&mut blessing, &out, &errors);
        assert_eq!(unescaped(&escaped(&out)), out);
    }
    blessing.assert_nothing_changes(30);
}

/// Every record gets its line, however many there are.
#[test]
fn a_line_for_each_line() {
    let input = "http://例え.jp/パス\n".repeat(10_000);
    let (out, errors, good) = run(&["map"], input.as_bytes());
    assert!(good && errors.is_empty());
    assert_eq!(out, "http://xn--r8jz45g.jp/%E3%83%91%E3%82%B9\n".repeat(10_000));
}
