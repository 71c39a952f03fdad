//! The command: processes its arguments, prints links on standard output, and returns an exit status.
//!
//! It uses only the library's public API. Each command has its own module. Only this module selects the command, and only
//! this module determines the exit status.

mod args;
mod charset_command;
mod choose;
mod chunk;
mod codec;
mod complaints;
mod decimal;
mod facts;
mod failures;
mod filter;
mod hints;
mod iri_commands;
mod iri_records;
mod lines;
mod linkify_command;
mod list;
mod look;
mod man;
mod manifest;
mod output;
mod presentation;
mod progress;
mod reason;
mod render;
mod report;
mod rewrite;
mod safe;
mod seen;
mod selection;
mod settings;
mod shell;
mod sift;
mod streams;
mod summary;
mod template;
mod writing;

use std::io::{BufReader, BufWriter, ErrorKind, Write};
use std::panic;
use std::path::Path;
use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};
use iri_commands::IriCommand;
use iri_records::StreamFailure;
use streams::Stdout;
use writing::Claims;

/// Outcome of a command. The exit statuses are those of grep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// Something was found, or the check succeeded.
    Found,
    /// No error, but nothing was found, or the answer of a check is no.
    Nothing,
    /// An error, which has been reported.
    Failed,
}

impl From<Outcome> for ExitCode {
    fn from(outcome: Outcome) -> ExitCode {
        ExitCode::from(match outcome {
            Outcome::Found => 0,
            Outcome::Nothing => 1,
            Outcome::Failed => 2,
        })
    }
}

fn main() -> ExitCode {
    hush_closed_folders();
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(usage) => return tell(&usage).unwrap_or_else(complain).into(),
    };
    let result = match cli.command {
        Some(Command::Completions { shell }) => shell::completions(shell),
        Some(Command::Schema(args)) => shell::schema(&args),
        Some(Command::Man { command }) => shell::man(command.as_deref()),
        Some(Command::Linkify(args)) => linkify_command::run(&args),
        Some(Command::Rewrite(args)) => rewrite::run(&args),
        Some(Command::Charset(args)) => charset_command::run(args),
        Some(Command::Iri(command)) => iri(&command),
        None => sift::run(cli.sift),
    };
    result.unwrap_or_else(complain).into()
}

/// Silences the panic of the standard library when a directory cannot be closed. The walk continues, and no message is
/// needed.
fn hush_closed_folders() {
    let said = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        let message = info.payload().downcast_ref::<String>();
        if !message.is_some_and(|message| message.starts_with("unexpected error during closedir")) {
            said(info);
        }
    }));
}

/// Prints an error in the arguments, or the output of `--help` and `--version`.
fn tell(usage: &clap::Error) -> Result<Outcome, String> {
    if usage.use_stderr() {
        // If standard error cannot be written, only the exit status remains.
        let _ = match usage.render().to_string() {
            // The name of a file may be mistaken for an option, and may contain any characters.
            plain if plain.lines().any(safe::is_changed) => {
                let lines: Vec<_> = plain.lines().map(safe::text).collect();
                writeln!(streams::stderr(), "{}", lines.join("\n"))
            }
            _ => usage.print(),
        };
        if let Some(hint) = hints::of_usage(usage) {
            let _ = writeln!(streams::stderr(), "\nlinksift: hint: {hint}");
        }
        return Ok(Outcome::Failed);
    }
    match streams::check().and_then(|()| usage.print()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(format!("standard output: {}", reason::reason(&error)))
        }
        _ => Ok(Outcome::Found),
    }
}

/// Runs an IRI command on its arguments or standard input.
fn iri(command: &IriCommand) -> Result<Outcome, String> {
    if command.reads_stdin() {
        Claims::of_stdout().input(Path::new("-"))?;
    }
    let mut out = BufWriter::with_capacity(1 << 16, Stdout::lock());
    let done = iri_commands::run(
        command,
        BufReader::new(streams::stdin()),
        &mut out,
        &mut streams::stderr(),
    )
    .and_then(|outcome| Ok(out.flush().map(|()| outcome)?));
    match done {
        Ok(outcome) => Ok(outcome),
        Err(StreamFailure::Output(error)) if error.kind() == ErrorKind::BrokenPipe => {
            Ok(Outcome::Found)
        }
        Err(failure) => Err(failure.to_string()),
    }
}

/// Prints the error that stopped a command on standard error.
fn complain(message: String) -> Outcome {
    complaints::say(&message);
    Outcome::Failed
}
