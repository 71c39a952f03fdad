//! What shells and manuals want to know of the arguments, made of their definition.

use std::io::{ErrorKind, Write};

use clap::CommandFactory;
use clap_complete::Shell;

use crate::Outcome;
use crate::args::{Cli, SchemaArgs};
use crate::man;
use crate::output::reason;
use crate::stdout::Stdout;

/// Prints a completion script.
pub(crate) fn completions(shell: Shell) -> Result<Outcome, String> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "linksift", &mut script);
    print(&script)
}

/// Prints the manual page, of a command if one is named.
pub(crate) fn man(command: Option<&str>) -> Result<Outcome, String> {
    let mut page = Vec::new();
    man::push(command, &mut page)?;
    print(&page)
}

/// Prints the schema of the records.
pub(crate) fn schema(args: &SchemaArgs) -> Result<Outcome, String> {
    let schema = match args.sql {
        true => linksift::report::sql_schema(),
        false => linksift::report::json_schema(),
    };
    print(schema.as_bytes())
}

fn print(bytes: &[u8]) -> Result<Outcome, String> {
    let mut out = Stdout::lock();
    match out.write_all(bytes).and_then(|()| out.flush()) {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(format!("standard output: {}", reason(&error)))
        }
        _ => Ok(Outcome::Found),
    }
}
