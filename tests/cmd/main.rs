//! The command, run as users run it: cases in `fixtures/cmd`, and what no file of cases can say.

// What is skipped is said.
#![allow(clippy::print_stderr)]

#[path = "../made/mod.rs"]
mod made;
#[path = "../made/records.rs"]
mod records;

mod case;
mod charsets;
#[cfg(unix)]
mod claims;
mod context;
mod docs;
#[cfg(unix)]
mod in_place;
mod iri_commands;
#[cfg(target_os = "linux")]
mod memory;
#[cfg(unix)]
mod nonblocking;
mod parquet;
#[cfg(unix)]
mod pauses;
mod pdf;
mod recipes;
mod resume;
mod rewrite;
mod routes;
mod runs;
#[cfg(unix)]
mod spooled;
mod streams;
mod support;
#[cfg(unix)]
mod two_runs;
mod written;

use std::path::Path;
use std::{env, fs, process};

use made::bless::{self, Blessing};
use made::escapes;
use made::folder::Folder;

/// The root of the repository.
fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."))
}

fn all_cases() -> Vec<case::Case> {
    let folder = root().join("fixtures/cmd");
    let mut files: Vec<_> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.sort();
    files.iter().flat_map(|file| case::read(file)).collect()
}

#[test]
fn every_case_comes_out_as_its_file_says_with_one_thread_and_with_many() {
    let all = all_cases();
    let mut blessing = Blessing::new("every_case");
    for case in &all {
        let threads: &[&[&str]] = match case.has_threads() {
            true => &[&[]],
            false => &[&["-j1"], &["-j2"], &["-j8"]],
        };
        let run = |more: &&[&str]| case.run(Folder::new().path(), more);
        match threads.iter().map(run).collect::<Result<Vec<_>, _>>() {
            Err(reason) => eprintln!("skipped: {}: {reason}", case.name),
            Ok(runs) => {
                let lines: Vec<_> = runs.iter().map(|run| written::lines(case, run)).collect();
                if lines.iter().all(|one| *one == lines[0]) {
                    written::expect(&mut blessing, case, &runs[0]);
                } else {
                    let each: Vec<_> = threads.iter().zip(lines).collect();
                    let fault = format!("{}, by threads: {each:#?}", case.name);
                    blessing.fault(&case.file, case.first, &fault);
                }
            }
        }
    }
    blessing.finish();
    assert!(all.len() >= 60, "only {} cases were found", all.len());
}

/// The short help is one screen: common options only, within 80 columns. The long one has all.
#[test]
fn the_short_help_fits_on_a_screen() {
    let help = |arguments: &[&str]| {
        let mut command = process::Command::new(env!("CARGO_BIN_EXE_linksift"));
        String::from_utf8(command.args(arguments).output().unwrap().stdout).unwrap()
    };
    let options = |help: &str| {
        let is_option = |line: &&str| line.starts_with("  ") && line.trim_start().starts_with('-');
        help.lines().filter(is_option).count()
    };
    let (short, long) = (help(&["-h"]), help(&["--help"]));
    assert!(short.lines().count() <= 64, "{short}");
    assert!((15..=24).contains(&options(&short)), "{short}");
    assert!(options(&long) >= 70, "{long}");
    let listed = short.split("Commands:\n").nth(1).unwrap().split("\n\n").next().unwrap();
    let commands: Vec<_> =
        listed.lines().map(|line| line.split_whitespace().next().unwrap()).collect();
    assert!(commands.len() >= 12, "{commands:?}");
    for text in commands.iter().map(|name| help(&[name, "-h"])).chain([short.clone()]) {
        let too_wide: Vec<_> = text.lines().filter(|line| line.chars().count() > 80).collect();
        assert!(too_wide.is_empty() && text.contains("Usage:"), "{too_wide:?} in {text}");
    }
}

#[test]
fn the_documentation_names_every_option() {
    let root = root();
    let mut pages = vec![root.join("README.md")];
    pages.extend(fs::read_dir(root.join("docs")).unwrap().map(|entry| entry.unwrap().path()));
    let pages: String =
        pages.iter().map(|page| fs::read_to_string(page).unwrap_or_default()).collect();
    let mut command = process::Command::new(env!("CARGO_BIN_EXE_linksift"));
    let help = String::from_utf8(command.arg("--help").output().unwrap().stdout).unwrap();
    let options: Vec<_> = help
        .lines()
        .filter(|line| line.trim_start().starts_with('-'))
        .flat_map(|line| line.split([' ', ',', '[']).filter(|word| word.starts_with("--")))
        .filter(|option| !["--help", "--version"].contains(option))
        .collect();
    assert!(options.len() > 20, "{options:?}");
    for option in options {
        // `-H` and `-I` are named by their letters.
        let is_named = pages.contains(&format!("`{option}"));
        assert!(is_named || option.ends_with("filename"), "{option} is on no page");
    }
}
