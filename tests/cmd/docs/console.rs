//! Blocks of `console` in Markdown: `$ command`, and below it what it prints.
//!
//! The blocks of a page are run in order, in one folder: it has `fixtures` as the repository has it, and
//! `$ cat FILE` makes FILE of what stands below. `…` at the end of a line is for the rest of it, and alone
//! for all lines from there on. A command whose first word is no program here is left out, and said.

use std::env;
use std::path::Path;
use std::process::{Command, Stdio};

use crate::made::folder::Folder;

/// How many commands of `page` were run, and which of them came to something else.
pub(crate) fn run(page: &str) -> (usize, Vec<String>) {
    let folder = Folder::new();
    let fixtures = crate::root().join("fixtures");
    #[cfg(unix)]
    std::os::unix::fs::symlink(fixtures, folder.0.join("fixtures")).unwrap();
    let (mut count, mut wrong) = (0, Vec::new());
    for (command, expected) in commands(page) {
        if let Some(file) = command.strip_prefix("cat ") {
            folder.write(file, &expected);
            continue;
        }
        let Some(printed) = answer(&command, &folder.0) else { continue };
        count += 1;
        if !fits(&printed, &expected) {
            wrong.push(format!("$ {command}\n{printed}-- expected\n{expected}"));
        }
    }
    (count, wrong)
}

fn commands(page: &str) -> Vec<(String, String)> {
    let mut commands = Vec::<(String, String)>::new();
    let mut is_inside = false;
    for line in page.lines() {
        match (is_inside, line) {
            (false, "```console") => is_inside = true,
            (true, "```") => is_inside = false,
            (true, line) => match (line.strip_prefix("$ "), commands.last_mut()) {
                (Some(command), _) => commands.push((command.to_owned(), String::new())),
                (None, Some((_, expected))) => {
                    expected.push_str(line);
                    expected.push('\n');
                }
                (None, None) => panic!("a block without a command: {line}"),
            },
            _ => {}
        }
    }
    commands
}

/// What `command` prints, on both outputs; `None` if a program of it is not here.
fn answer(command: &str, folder: &Path) -> Option<String> {
    let binary = Path::new(env!("CARGO_BIN_EXE_linksift")).parent().unwrap();
    let paths = env::split_paths(&env::var_os("PATH").unwrap()).collect::<Vec<_>>();
    let paths = env::join_paths([binary.to_owned()].into_iter().chain(paths)).unwrap();
    let mut shell = Command::new("bash");
    shell.args(["-c", &format!("exec 2>&1\n{command}")]).current_dir(folder).env("PATH", paths);
    let output = shell.stdin(Stdio::null()).output().ok()?;
    let printed = String::from_utf8(output.stdout).unwrap();
    let is_absent = output.status.code() == Some(127) || printed.contains("command not found");
    if is_absent {
        eprintln!("skipped, a program is not here: {command}");
        return None;
    }
    Some(printed)
}

fn fits(printed: &str, expected: &str) -> bool {
    let (mut printed, mut expected) = (printed.lines(), expected.lines());
    loop {
        match (printed.next(), expected.next()) {
            (_, Some("…")) | (None, None) => return true,
            (Some(line), Some(pattern)) => match pattern.strip_suffix('…') {
                Some(beginning) if line.starts_with(beginning) => {}
                None if line == pattern => {}
                _ => return false,
            },
            _ => return false,
        }
    }
}
