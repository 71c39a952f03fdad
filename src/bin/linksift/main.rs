//! The command: arguments in, links on standard output, an exit status.
//!
//! Uses the library's public API only. Each command has its module; here they are told apart, and
//! here alone it is decided what the process ends with.

mod args;
mod charset_command;
mod choose;
mod chunk;
mod complaints;
mod facts;
mod failures;
mod filter;
mod hints;
mod iri_commands;
mod iri_records;
mod lines;
mod linkify_command;
mod list;
mod man;
mod manifest;
mod output;
mod progress;
mod render;
mod report;
mod safe;
mod seen;
mod settings;
mod shell;
mod sift;
mod stdout;
mod summary;
mod template;
mod writing;

use std::io::{self, BufWriter, ErrorKind, Write};
use std::process::ExitCode;

use clap::Parser;

use args::{Cli, Command};
use iri_commands::IriCommand;
use stdout::Stdout;

/// What a command ended with. The statuses are those of grep.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Outcome {
    /// What was looked for is there; what was asked is so.
    Found,
    /// All went well, and nothing was found; what was asked is not so.
    Nothing,
    /// Something went wrong; it has been said what.
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
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(usage) => return tell(&usage).unwrap_or_else(complain).into(),
    };
    let result = match cli.command {
        Some(Command::Completions { shell }) => shell::completions(shell),
        Some(Command::Schema(args)) => shell::schema(&args),
        Some(Command::Man { command }) => shell::man(command.as_deref()),
        Some(Command::Linkify(args)) => linkify_command::run(&args),
        Some(Command::Charset(args)) => charset_command::run(args),
        Some(Command::Iri(command)) => iri(&command),
        None => sift::run(cli.sift),
    };
    result.unwrap_or_else(complain).into()
}

/// What is wrong with the arguments, or what `--help` and `--version` ask for.
fn tell(usage: &clap::Error) -> Result<Outcome, String> {
    if usage.use_stderr() {
        // If standard error is gone, the status has to do.
        let _ = usage.print();
        if let Some(hint) = hints::of_usage(usage) {
            let _ = writeln!(io::stderr(), "\nlinksift: hint: {hint}");
        }
        return Ok(Outcome::Failed);
    }
    match stdout::check().and_then(|()| usage.print()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(format!("standard output: {}", output::reason(&error)))
        }
        _ => Ok(Outcome::Found),
    }
}

/// One of the IRI commands, over its arguments or standard input.
fn iri(command: &IriCommand) -> Result<Outcome, String> {
    let mut out = BufWriter::with_capacity(1 << 16, Stdout::lock());
    let done = iri_commands::run(command, io::stdin().lock(), &mut out, &mut io::stderr())
        .and_then(|outcome| out.flush().map(|()| outcome));
    match done {
        Ok(outcome) => Ok(outcome),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Outcome::Found),
        Err(error) => Err(output::reason(&error).to_string()),
    }
}

/// Says on standard error what stopped a command.
fn complain(message: String) -> Outcome {
    // If standard error is gone, the status has to do.
    let _ = writeln!(io::stderr(), "linksift: {}", safe::text(&message));
    Outcome::Failed
}
