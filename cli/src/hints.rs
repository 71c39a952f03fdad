//! Suggestions for misspelt arguments.

use std::io;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory};
use linksift::ScanError;

use crate::args::Cli;

/// Options of other tools, with the corresponding options of linksift.
const OTHERS: [(&str, &str); 21] = [
    ("--stats", "--count counts the links of each input, --tally counts how often each occurs"),
    ("--no-color", "--color never"),
    ("--no-colour", "--color never"),
    ("--colour", "--color"),
    (
        "-r",
        "directories are always searched recursively; --show and --template select what is printed",
    ),
    ("-R", "directories are always searched recursively; -L follows symbolic links"),
    ("--recursive", "directories are always searched recursively"),
    ("-n", "use -H to print path, line and column"),
    ("--line-number", "use -H to print path, line and column"),
    ("-e", "use --match REGEX to find links whose URI matches"),
    ("--regexp", "use --match REGEX to find links whose URI matches"),
    ("-v", "use --not-host LIST to skip links"),
    ("--invert-match", "use --not-host LIST to skip links"),
    ("-o", "linksift always prints only the links; --output FILE writes them to a file"),
    ("--output", "--output needs a FILE; linksift always prints only the links"),
    ("--only-matching", "linksift always prints only the links"),
    ("--hidden", "hidden files are read by default; --no-hidden skips them"),
    ("--no-ignore", "no files are ignored by default; --gitignore skips what git ignores"),
    ("-u", "no files are ignored by default; --gitignore skips what git ignores"),
    ("-z", "compressed files are opened by default"),
    ("--sort-unique", "--unique --sort uri"),
];

/// Returns a hint for an unknown argument.
pub(crate) fn of_usage(error: &clap::Error) -> Option<String> {
    let is_unknown = error.kind() == ErrorKind::UnknownArgument;
    if !is_unknown && error.kind() != ErrorKind::InvalidValue {
        return None;
    }
    let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    // `--output <FILE>` and `--stats=x` include their values.
    let name = argument.split([' ', '=']).next()?;
    let (_, advice) = OTHERS.iter().find(|(option, _)| *option == name)?;
    Some((*advice).to_owned())
}

/// Returns a hint for an input that does not exist.
pub(crate) fn of_missing(path: &Path, error: &ScanError) -> Option<String> {
    if !matches!(error, ScanError::Io(error) if error.kind() == io::ErrorKind::NotFound) {
        return None;
    }
    let name = path.to_str()?;
    let is_address = name.split_once("://").is_some_and(|(scheme, _)| {
        !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    if is_address {
        return Some(format!(
            "linksift does not open URLs; use curl -sL '{name}' | linksift --base '{name}'"
        ));
    }
    if name == "help" {
        return Some("linksift --help describes the options and the commands".to_owned());
    }
    let commands: Command = Cli::command();
    let near = commands
        .get_subcommands()
        .map(Command::get_name)
        .find(|command| strsim::damerau_levenshtein(command, name) == 1)?;
    Some(format!("did you mean the command {near}?"))
}
