//! The default command: finds links and prints them.

use std::fs;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};

use linksift::container::Member;
use linksift::files::{self, Input, Options, Progress};
use linksift::iri::repair;

use crate::Outcome;
use crate::args::{Bases, Shard, Sift};
use crate::chunk::Total;
use crate::complaints;
use crate::filter::Filter;
use crate::list::{List, ListFailures};
use crate::manifest::{Manifest, Rows};
use crate::output::{Ended, Output, Stop};
use crate::presentation::{Logged, OutputForm, Presentation};
use crate::progress::{self, Bar, Plan, Work};
use crate::render::Renderer;
use crate::report::Run;
use crate::selection::selected;
use crate::settings;
use crate::summary::Pages;
use crate::writing::{self, Claims, State, Written};

/// Processes all inputs. Failures are reported on standard error and in the outcome.
pub(crate) fn run(mut args: Sift) -> Result<Outcome, String> {
    let look = Presentation::new(&args)?;
    let options_hash = writing::options_hash(&mut args);
    let filter = Filter::new(&args.finding)?;
    // Compare the paths before anything is opened.
    let claims = Claims::of(&args, &look.form)?;
    claims.compare(&args)?;
    let is_stdin =
        args.paths.is_empty() && args.reading.files_from.is_none() && args.bases.manifest.is_none();
    let is_quiet = look.form == OutputForm::Quiet;
    if is_stdin && io::stdin().is_terminal() {
        if let Some(output) = args.writing.output.as_ref().filter(|name| name.as_os_str() != "-") {
            return Err(no_inputs(output));
        }
        if !is_quiet {
            notice("reading standard input until Ctrl-D; to search a directory: linksift DIR");
        }
    }
    let progress = Progress::new();
    let failure = ListFailures::default();
    let Lists { manifest, rows, list } = Lists::open(&args, look.terminator, &failure, &claims)?;
    let options = settings::options(&args, &look, rows.clone())?.progress(progress.clone());
    let options = claims.left_out(options);
    let is_alone = list.is_none()
        && manifest.is_none()
        && match &args.paths[..] {
            [] => true,
            [path] => !path.is_dir(),
            _ => false,
        };
    if args.writing.resume.is_some() {
        resumable(&args, &look, is_stdin)?;
    }
    claims.keep_content(&args.writing, &look.form)?;
    let written = writing::open(&args, options_hash, &look)?;
    let pages = Pages::open(&args.writing)?;
    if let Some(unlocked) = written.lock.as_ref().and_then(|lock| lock.unlocked.as_ref()) {
        notice(unlocked);
    }
    let (options, mismatch) = selected(&args, &written, rows, options)?;
    tell_begun(&written);
    if !is_quiet {
        tell_bases(&args.bases, is_alone);
    }
    // The amount of work is unknown if the run is resumed or the inputs come from a list.
    let is_planned = !is_stdin && list.is_none() && manifest.is_none() && !written.is_resumed;
    let plan = plan(is_planned.then(|| args.paths.clone()), args.writing.shard, options.clone());
    let inputs = args.paths.into_iter().map(Input::from);
    let inputs = inputs.chain(is_stdin.then_some(Input::Stdin)).chain(list.into_iter().flatten());
    let inputs = inputs.chain(manifest.into_iter().flatten());

    let stop = match (&look.form, is_alone) {
        (OutputForm::Quiet, _) => Stop::AtLink,
        (_, true) => Stop::AtEnough,
        _ => Stop::Never,
    };
    let is_logged = look.logged != Logged::Nothing;
    let has_begun = written.state.output.len > 0 || !written.state.pending.is_empty();
    let links = progress::LinkCount::default();
    let bar = Bar::new(args.printing.progress, progress, links.clone(), plan);
    let mut output = Output::new(&look, stop, (bar, links), written);
    if output.start().is_break() {
        return output.finish(true).map(|_| Outcome::Nothing);
    }
    if let OutputForm::Records(form, fields) = &look.form
        && !has_begun
    {
        let mut header = Vec::new();
        form.header(fields, &mut header);
        if output.begin(&header).is_break() {
            return output.finish(true).map(|_| Outcome::Nothing);
        }
    }
    let renderer = Renderer::new(look, filter);
    let render = |event: linksift::Event<'_>, chunk: &mut _| renderer.render(event, chunk);
    let summary = files::scan_map(inputs, &options, render, |chunk| output.write(chunk));

    if mismatch.is_noted() {
        return Err("--resume: the inputs differ from those of the interrupted run".to_owned());
    }
    let is_read = summary.documents() > 0 || summary.links() > 0 || summary.failed() == 0;
    let Ended { total, sides, seconds } = output.finish(is_read)?;
    mismatch.changed().iter().for_each(|path| tell_changed(path));
    pages.write(&sides.counts, &Run::of_now(total.links, seconds))?;
    let failed = if is_logged { sides.failures() } else { summary.failed() };
    tell_left_out(&total, is_quiet);
    let messages = failure.into_messages();
    messages.iter().for_each(|message| complaints::say(message));
    if !messages.is_empty() {
        return Ok(Outcome::Failed);
    }
    Ok(match (failed, total.links, summary.stopped()) {
        // With `--quiet` the question is whether there is a link, so other failures do not matter.
        (_, 1.., _) if is_quiet => Outcome::Found,
        (1.., _, _) => Outcome::Failed,
        // The reader that closed the pipe has read a link.
        (_, 1.., _) | (_, _, true) => Outcome::Found,
        _ => Outcome::Nothing,
    })
}

/// The lists that name the inputs.
struct Lists {
    manifest: Option<Manifest>,
    /// The rows of the manifest.
    rows: Option<Rows>,
    list: Option<List>,
}

impl Lists {
    /// Opens the requested lists; `terminator` ends a line, unless the list has its own terminator.
    fn open(
        args: &Sift,
        terminator: u8,
        failure: &ListFailures,
        claims: &Claims,
    ) -> Result<Lists, String> {
        let (manifest, rows) = match &args.bases.manifest {
            Some(name) => {
                let rows = Rows::default();
                (Some(Manifest::open(name, rows.clone(), failure.clone(), claims)?), Some(rows))
            }
            None => (None, None),
        };
        let list = match &args.reading.files_from {
            Some(name) => {
                let terminator = if args.reading.from0 { 0 } else { terminator };
                Some(List::open(name, terminator, failure.clone(), claims)?)
            }
            None => None,
        };
        Ok(Lists { manifest, rows, list })
    }
}

/// Reports where the run resumes, if it does not begin at the start.
fn tell_begun(written: &Written) {
    if let Some(path) = &written.changed {
        notice(&format!(
            "{} has changed since the interrupted run; reading it from the start",
            path
        ));
    }
    if written.is_resumed {
        let State { inputs, last, finished, inside, .. } = &written.state;
        notice(&match (inside, finished, inputs) {
            (Some(inside), ..) => {
                format!("resuming inside {}, after {inputs} inputs", inside.path)
            }
            (_, true, _) => format!("the run was already finished, after {inputs} inputs"),
            (.., 0) => "resuming from the start".to_owned(),
            _ => {
                format!("resuming after {inputs} inputs (last: {})", last)
            }
        });
    }
}

/// Reports that an input has changed since the run read it; the run continues after it.
fn tell_changed(path: &Path) {
    let mut line = Vec::new();
    let message = "notice: has changed since this run read it; not read again";
    complaints::tell(path, &Member::default(), message, &mut line);
    complaints::put(&line);
}

/// Reports bases that are not used as written.
fn tell_bases(bases: &Bases, is_alone: bool) {
    let Bases { base, base_dir, manifest: table, .. } = bases;
    if let Some(base) = base.as_deref().filter(|base| *base != "file")
        && let Ok(repaired) = repair(base)
        && !repaired.warnings().is_empty()
    {
        notice(&format!("--base {}: interpreted as {}", base, repaired.iri()));
    }
    let is_base_shared =
        base.as_ref().is_some_and(|base| base != "file") && base_dir.is_empty() && table.is_none();
    if is_base_shared && !is_alone {
        notice(
            "--base applies to every input; for separate bases use --base-dir DIR=IRI, --base file or --manifest",
        );
    }
}

/// Reports once the skipped results that the user may miss.
fn tell_left_out(total: &Total, is_quiet: bool) {
    if total.unread > 0 {
        notice(&format!(
            "--context-lines: {} links are printed without lines, since they are encoded in a message or in a response header",
            total.unread
        ));
    }
    if total.unresolved > 0 && !is_quiet {
        tell_unresolved(total.unresolved);
    }
}

/// Users may expect that it names the input.
fn no_inputs(output: &Path) -> String {
    let name = output.display();
    format!(
        "--output {name}: no inputs given; --output is the output file. To read the file: linksift {name}. To read the terminal: linksift --output {name} -"
    )
}

/// Returns the amount of work: the files of all inputs, or of the selected share, and their sizes.
fn plan(paths: Option<Vec<PathBuf>>, shard: Option<Shard>, options: Options) -> Plan {
    Box::new(move |is_over| {
        let mut work = Work { files: 0, bytes: Some(0) };
        for (number, input) in (0..).zip(files::list(paths?, &options)) {
            if is_over() {
                return None;
            }
            if shard.is_some_and(|shard| number % shard.of != shard.number - 1) {
                continue;
            }
            work.files += 1;
            let Ok(input) = input else { continue };
            let len = match input {
                Input::Path(path) => match fs::metadata(path) {
                    Ok(metadata) => metadata.is_file().then_some(metadata.len()),
                    Err(_) => Some(0),
                },
                _ => None,
            };
            work.bytes = work.bytes.zip(len).map(|(bytes, len)| bytes + len);
        }
        Some(work)
    })
}

/// Checks whether a run can be resumed.
fn resumable(args: &Sift, look: &Presentation, is_stdin: bool) -> Result<(), String> {
    let is_dash =
        |file: &Option<PathBuf>| file.as_ref().is_some_and(|file| file.as_os_str() == "-");
    let why = match () {
        () if is_stdin || args.paths.iter().any(|path| path.as_os_str() == "-") => {
            "standard input cannot be read again"
        }
        () if is_dash(&args.reading.files_from) => "a list on standard input cannot be read again",
        () if args.bases.manifest.is_some() => "cannot be used with --manifest",
        () if is_dash(&args.writing.output) => "needs an output file",
        () if look.sort.is_some() || look.form == OutputForm::Tally => {
            "this form is written only at the end of a run"
        }
        () if look.once.is_some() => "cannot be used with --unique",
        () if look.form == OutputForm::Quiet => "cannot be used with --quiet",
        () => return Ok(()),
    };
    Err(format!("--resume: {why}"))
}

/// Reports once how many references plain output skipped.
fn tell_unresolved(count: u64) {
    let references = if count == 1 { "reference" } else { "references" };
    notice(&format!(
        "skipped {count} relative {references} without a base (--base IRI resolves them; --json and --kinds reference show them)"
    ));
}

/// Prints a notice on standard error. It does not change the exit status.
fn notice(message: &str) {
    complaints::say(&format!("notice: {message}"));
}
