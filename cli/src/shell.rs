//! Shell completions and the manual page, generated from the definition of the arguments.

use std::io::{ErrorKind, Write};

use clap::CommandFactory;
use clap_complete::Shell;
use linksift::report::Field;

use crate::Outcome;
use crate::args::{Cli, SchemaArgs};
use crate::man;
use crate::presentation::{check_distinct, default_fields};
use crate::reason::reason;
use crate::streams::Stdout;

/// Prints a completion script.
pub(crate) fn completions(shell: Shell) -> Result<Outcome, String> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "linksift", &mut script);
    if shell == Shell::Fish {
        script = with_values(&String::from_utf8_lossy(&script)).into_bytes();
    }
    print(&script)
}

/// Returns the script for fish, repaired: if the last option still lacks its value, `argparse` fails, and the function that
/// checks whether a command is needed gave up. Then no value was suggested, though there is no command yet.
fn with_values(script: &str) -> String {
    let Some(start) = script.find("_needs_command\n") else { return script.to_owned() };
    let (before, function) = script.split_at(start);
    format!("{before}{}", function.replacen("or return\n", "or return 0\n", 1))
}

/// Prints the manual page of linksift, or of a command.
pub(crate) fn man(command: Option<&str>) -> Result<Outcome, String> {
    let mut page = Vec::new();
    man::push(command, &mut page)?;
    print(&page)
}

/// Prints the schema of the records.
pub(crate) fn schema(args: &SchemaArgs) -> Result<Outcome, String> {
    check_distinct(&args.fields)?;
    let fields = match (args.all, &args.fields[..]) {
        (true, _) => Field::ALL.to_vec(),
        (_, []) => default_fields(args.rejected, args.suspicious),
        (_, fields) => fields.to_vec(),
    };
    let schema = match args.sql {
        true => linksift::report::sql_schema(&fields),
        false => linksift::report::json_schema(&fields),
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
