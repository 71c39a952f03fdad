//! How a bench ends: its status, and what went wrong.

use std::process::ExitCode;

/// Success, or status 2 and the message on standard error, after the bench's name.
pub fn of(bench: &str, outcome: Result<(), String>) -> ExitCode {
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(message) => {
            eprintln!("{bench}: {message}");
            ExitCode::from(2)
        }
    }
}
