//! Cases of the command, as files: arguments, inputs, what comes out.
//!
//! A line says what it is by its first character:
//!
//! ```text
//! # a comment: what the cases below guard
//! == the name of a case, which ends the one before
//! $ --json "a b.txt"    the arguments; quotes keep blanks
//! % dir NAME            sets up a directory; also: link TARGET NAME, fifo NAME, socket NAME,
//!                       closed NAME (no rights), env NAME=VALUE, only-unix, stdout >&- (what
//!                       a shell makes of standard output)
//! @ NAME: text          a line of the file NAME
//! < text                a line of standard input
//! > text                a line of standard output
//! ! text                a line of standard error
//! = 0                   the exit status
//! ```
//!
//! In texts and names `\n \r \t \0 \\ \e \xHH` are escapes, and `\c` at the end leaves the line feed
//! away. Of `>` and `!` lines, `…` at the end stands for the rest of the line, and alone for all
//! lines from there on. What is not ASCII may be written as it is.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::escapes::unescaped;

/// What a first argument can be that is no path.
const COMMANDS: [&[u8]; 14] = [
    b"linkify",
    b"rewrite",
    b"man",
    b"completions",
    b"charset",
    b"schema",
    b"check",
    b"map",
    b"unmap",
    b"display",
    b"normalize",
    b"resolve",
    b"compare",
    b"prepare",
];

#[derive(Debug, Default)]
pub(crate) struct Case {
    pub(crate) name: String,
    pub(super) file: PathBuf,
    /// The line of the file after the name, from zero.
    pub(super) first: usize,
    /// The lines from there to the last that is no comment.
    pub(super) lines: Vec<String>,
    arguments: Vec<Vec<u8>>,
    setup: Vec<Vec<Vec<u8>>>,
    files: Vec<(Vec<u8>, Vec<u8>)>,
    stdin: Vec<u8>,
    stdout: Vec<u8>,
    stderr: Vec<u8>,
    status: Option<i32>,
}

/// What a run of the command came to.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Run {
    pub(crate) stdout: Vec<u8>,
    pub(crate) stderr: Vec<u8>,
    pub(crate) status: Option<i32>,
}

/// All cases of a file.
pub(crate) fn read(file: &Path) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    let text = fs::read_to_string(file).unwrap();
    let all: Vec<&str> = text.lines().collect();
    for (number, line) in all.iter().enumerate() {
        let place = format!("{}:{}", file.display(), number + 1);
        if line.is_empty() || line.starts_with("# ") {
            continue;
        }
        if let Some(name) = line.strip_prefix("== ") {
            let (name, file) = (name.to_owned(), file.to_owned());
            cases.push(Case { name, file, first: number + 1, ..Case::default() });
            continue;
        }
        let case = cases.last_mut().unwrap_or_else(|| panic!("{place}: no case yet"));
        let (mark, rest) = line.split_at(1);
        let rest = rest.strip_prefix(' ').unwrap_or(rest);
        match mark {
            "$" => case.arguments = words(rest),
            "%" => case.setup.push(words(rest)),
            "@" => {
                let (name, text) =
                    rest.split_once(':').unwrap_or_else(|| panic!("{place}: no name"));
                let (name, text) = (unescaped(name), text.strip_prefix(' ').unwrap_or(text));
                match case.files.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, content)) => content.extend(line_of(text)),
                    None => case.files.push((name, line_of(text))),
                }
            }
            "<" => case.stdin.extend(line_of(rest)),
            ">" => case.stdout.extend(line_of(rest)),
            "!" => case.stderr.extend(line_of(rest)),
            "=" => case.status = Some(rest.parse().unwrap()),
            _ => panic!("{place}: what is {mark}?"),
        }
        let skipped = case.first + case.lines.len();
        case.lines.extend(all[skipped..=number].iter().map(|&line| line.to_owned()));
    }
    cases
}

/// What a line of output stands for.
pub(super) fn line_of(text: &str) -> Vec<u8> {
    match text.strip_suffix("\\c") {
        Some(text) => unescaped(text),
        None => [unescaped(text), vec![b'\n']].concat(),
    }
}

fn words(text: &str) -> Vec<Vec<u8>> {
    let (mut words, mut word) = (Vec::new(), None::<String>);
    let mut quoted = false;
    for c in text.chars() {
        match c {
            '"' => {
                quoted = !quoted;
                word.get_or_insert_default();
            }
            ' ' if !quoted => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words.iter().map(|word| unescaped(word)).collect()
}

#[cfg(unix)]
fn path(bytes: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    std::ffi::OsStr::from_bytes(bytes).into()
}

#[cfg(not(unix))]
fn path(bytes: &[u8]) -> PathBuf {
    std::str::from_utf8(bytes).unwrap().into()
}

impl Case {
    /// Whether the case says how many threads it wants.
    pub(crate) fn has_threads(&self) -> bool {
        self.arguments.iter().any(|argument| argument.starts_with(b"-j"))
    }

    /// Runs the case in `folder`, which is made, with `more` arguments first; `None` if it cannot
    /// be run here, with the reason.
    pub(crate) fn run(&self, folder: &Path, more: &[&str]) -> Result<Run, String> {
        fs::create_dir_all(folder).unwrap();
        let mut command = self.command();
        for setup in &self.setup {
            self.set_up(folder, setup, &mut command)?;
        }
        for (name, content) in &self.files {
            let file = folder.join(path(name));
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, content).map_err(|error| format!("{}: {error}", file.display()))?;
        }
        for setup in &self.setup {
            close(folder, setup)?;
        }
        // Commands are commands only in the first place.
        let is_command = self.arguments.first().is_some_and(|a| COMMANDS.contains(&&a[..]));
        let more = if is_command { &[] } else { more };
        let mut child = command
            .args(more)
            .args(self.arguments.iter().map(|argument| path(argument)))
            .current_dir(folder)
            .env_remove("NO_COLOR")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        // The command need not read all of it.
        let _ = child.stdin.take().unwrap().write_all(&self.stdin);
        let output = child.wait_with_output().unwrap();
        Ok(Run { stdout: output.stdout, stderr: output.stderr, status: output.status.code() })
    }

    /// The command, after a shell if that has to redirect its output.
    fn command(&self) -> Command {
        let linksift = env!("CARGO_BIN_EXE_linksift");
        let redirection = self.setup.iter().find(|words| words[0] == b"stdout");
        let Some(redirection) = redirection else { return Command::new(linksift) };
        let redirection = String::from_utf8(redirection[1].clone()).unwrap();
        let mut command = Command::new("sh");
        command.args(["-c", &format!("exec \"$0\" \"$@\" {redirection}"), linksift]);
        command
    }

    #[cfg(unix)]
    fn set_up(
        &self,
        folder: &Path,
        words: &[Vec<u8>],
        command: &mut Command,
    ) -> Result<(), String> {
        let text = |at: usize| String::from_utf8(words[at].clone()).unwrap();
        match &text(0)[..] {
            "dir" => fs::create_dir_all(folder.join(path(&words[1]))).unwrap(),
            "link" => {
                std::os::unix::fs::symlink(path(&words[1]), folder.join(path(&words[2]))).unwrap();
            }
            "fifo" => {
                let made = Command::new("mkfifo").arg(folder.join(path(&words[1]))).status();
                if !made.is_ok_and(|status| status.success()) {
                    return Err("no mkfifo".to_owned());
                }
            }
            "socket" => {
                let name = folder.join(path(&words[1]));
                std::os::unix::net::UnixListener::bind(name).map_err(|error| error.to_string())?;
            }
            "env" => {
                let assignment = text(1);
                let (name, value) = assignment.split_once('=').unwrap();
                command.env(name, value);
            }
            "closed" | "only-unix" | "stdout" => {}
            other => panic!("{}: no such setup: {other}", self.name),
        }
        Ok(())
    }

    #[cfg(not(unix))]
    fn set_up(&self, _: &Path, _: &[Vec<u8>], _: &mut Command) -> Result<(), String> {
        Err("not on this system".to_owned())
    }

    /// What should come out.
    pub(super) fn expected(&self) -> Run {
        let (stdout, stderr) = (self.stdout.clone(), self.stderr.clone());
        Run { stdout, stderr, status: self.status }
    }
}

/// Takes all rights away from what is set up as closed.
fn close(folder: &Path, words: &[Vec<u8>]) -> Result<(), String> {
    if words[0] != b"closed" {
        return Ok(());
    }
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let name = folder.join(path(&words[1]));
        fs::set_permissions(&name, fs::Permissions::from_mode(0o000)).unwrap();
        if fs::read(&name).is_ok() || fs::read_dir(&name).is_ok() {
            fs::set_permissions(&name, fs::Permissions::from_mode(0o700)).unwrap();
            return Err("rights do not hold this user back".to_owned());
        }
    }
    Ok(())
}
