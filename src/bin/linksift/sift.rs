//! What the command does when no other command is named: finds links and prints them.

use std::io::{self, IsTerminal, Write};

use linksift::files::{self, Input, Progress};
use linksift::report::Record;

use crate::Outcome;
use crate::args::Sift;
use crate::filter::Filter;
use crate::list::{Failure, List};
use crate::manifest::{Manifest, Rows};
use crate::output::{Output, Stop};
use crate::progress::Bar;
use crate::render::Renderer;
use crate::settings::{self, Form, Look};

/// Goes through all inputs. What fails on the way is told on standard error and in the outcome.
pub(crate) fn run(args: Sift) -> Result<Outcome, String> {
    let look = Look::new(&args)?;
    let filter = Filter::new(&args.finding)?;
    let progress = Progress::new();
    let failure = Failure::default();
    let (manifest, rows) = match &args.bases.manifest {
        Some(name) => {
            let rows = Rows::default();
            (Some(Manifest::open(name, rows.clone(), failure.clone())?), Some(rows))
        }
        None => (None, None),
    };
    let options = settings::options(&args, &look, rows)?.progress(progress.clone());
    let list = match &args.reading.files_from {
        Some(name) => {
            let terminator = if args.reading.from0 { 0 } else { look.terminator };
            Some(List::open(name, terminator, failure.clone())?)
        }
        None => None,
    };
    let is_stdin = args.paths.is_empty() && list.is_none() && manifest.is_none();
    let is_quiet = look.form == Form::Quiet;
    if is_stdin && !is_quiet && io::stdin().is_terminal() {
        notice("reads standard input, until Ctrl-D; for a folder: linksift FOLDER");
    }
    let is_alone = list.is_none()
        && manifest.is_none()
        && match &args.paths[..] {
            [] => true,
            [path] => !path.is_dir(),
            _ => false,
        };
    let inputs = args.paths.into_iter().map(Input::from);
    let inputs = inputs.chain(is_stdin.then_some(Input::Stdin)).chain(list.into_iter().flatten());
    let inputs = inputs.chain(manifest.into_iter().flatten());

    let stop = match (&look.form, is_alone) {
        (Form::Quiet, _) => Stop::AtLink,
        (_, true) => Stop::AtEnough,
        _ => Stop::Never,
    };
    let mut output = Output::new(&look, stop, Bar::new(args.printing.progress, progress));
    if let Form::Csv(fields) = &look.form {
        let mut header = Vec::new();
        Record::push_csv_header_of(fields, &mut header);
        if output.write_bytes(&header).is_break() {
            return output.finish().map_or(Ok(Outcome::Nothing), Err);
        }
    }
    let renderer = Renderer::new(look, filter);
    let render = |event: files::Event<'_>, chunk: &mut _| renderer.render(event, chunk);
    let summary = files::sift_batches(inputs, &options, render, |chunk| output.write(chunk))
        .map_err(|error| format!("threads: {}", crate::output::reason(&error)))?;

    let total = output.total();
    if let Some(message) = output.finish().or(failure.into_message()) {
        return Err(message);
    }
    if total.unread > 0 {
        notice(&format!(
            "--context-lines: {} links without them: only what is read from a file by its name can be read again",
            total.unread
        ));
    }
    if total.unresolved > 0 && !is_quiet {
        tell_unresolved(total.unresolved);
    }
    Ok(match (summary.failed(), total.links, summary.stopped()) {
        // Who asks whether there is a link has an answer, whatever failed beside it.
        (_, 1.., _) if is_quiet => Outcome::Found,
        (1.., _, _) => Outcome::Failed,
        // Who closed the pipe has seen a link.
        (_, 1.., _) | (_, _, true) => Outcome::Found,
        _ => Outcome::Nothing,
    })
}

/// Says once what plain output does not show.
fn tell_unresolved(count: u64) {
    let (references, are) = if count == 1 { ("reference", "is") } else { ("references", "are") };
    notice(&format!(
        "{count} relative {references} without a base {are} left out (--base IRI resolves them, --json and --kinds reference show them)"
    ));
}

/// Says something on standard error that leaves the status alone.
fn notice(message: &str) {
    // If standard error is gone, nobody is left to be told.
    let _ = writeln!(io::stderr(), "linksift: notice: {message}");
}
