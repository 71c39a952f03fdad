//! What somebody may have meant who is not understood.

use std::io;
use std::path::Path;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{Command, CommandFactory};

use crate::args::Cli;

/// Options of other tools, and what does that here.
const OTHERS: [(&str, &str); 20] = [
    ("--stats", "--count counts the links of each input, --tally how often each occurs"),
    ("--no-color", "--color never"),
    ("--no-colour", "--color never"),
    ("--colour", "--color"),
    ("-r", "a directory is always walked whole; --show or --template say how links look"),
    ("-R", "a directory is always walked whole; -L follows symbolic links"),
    ("--recursive", "a directory is always walked whole"),
    ("-n", "-H prints path, line and column"),
    ("--line-number", "-H prints path, line and column"),
    ("-e", "--match REGEX keeps links whose URI it matches"),
    ("--regexp", "--match REGEX keeps links whose URI it matches"),
    ("-v", "--not-host LIST leaves links out"),
    ("--invert-match", "--not-host LIST leaves links out"),
    ("--output", "-o needs a FILE; nothing but links is printed anyway"),
    ("--only-matching", "nothing but links is printed anyway"),
    ("--hidden", "hidden files are read; --no-hidden leaves them out"),
    ("--no-ignore", "nothing is ignored unless --gitignore says so"),
    ("-u", "nothing is ignored unless --gitignore says so"),
    ("-z", "compressed files are opened without an option, by their content"),
    ("--sort-unique", "--unique --sort uri"),
];

/// A hint for arguments that are none.
pub(crate) fn of_usage(error: &clap::Error) -> Option<String> {
    let is_unknown = error.kind() == ErrorKind::UnknownArgument;
    if !is_unknown && error.kind() != ErrorKind::InvalidValue {
        return None;
    }
    let Some(ContextValue::String(argument)) = error.get(ContextKind::InvalidArg) else {
        return None;
    };
    // `-o <FILE>` and `--stats=x` are named with what belongs to them.
    let name = argument.split([' ', '=']).next()?;
    let (_, advice) = OTHERS.iter().find(|(option, _)| *option == name)?;
    Some((*advice).to_owned())
}

/// A hint for an input that is not there.
pub(crate) fn of_missing(path: &Path, error: &io::Error) -> Option<String> {
    if error.kind() != io::ErrorKind::NotFound {
        return None;
    }
    let name = path.to_str()?;
    let is_address = name.split_once("://").is_some_and(|(scheme, _)| {
        !scheme.is_empty() && scheme.bytes().all(|byte| byte.is_ascii_alphanumeric())
    });
    if is_address {
        return Some(format!(
            "linksift does not fetch: curl -sL '{name}' | linksift --base '{name}'"
        ));
    }
    let commands: Command = Cli::command();
    let near = commands
        .get_subcommands()
        .map(Command::get_name)
        .find(|command| strsim::damerau_levenshtein(command, name) == 1)?;
    Some(format!("is the command {near} meant?"))
}
