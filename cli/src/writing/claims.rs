//! The paths that a run writes, compared with all that it reads or writes. Nothing is opened before all of them have been
//! compared.
//!
//! Only regular files are compared. Terminals, pipes, sockets and devices may be read and written at the same time.

use std::fs;
use std::path::{Path, PathBuf};

use clap::CommandFactory;
use linksift::files::{FileIdentity, Options};

use super::in_place::is_dash;
use super::{checkpoint, lock};
use crate::args::{Cli, Sift, Writing};
use crate::presentation::OutputForm;
#[cfg(feature = "parquet")]
use crate::presentation::RecordFormat;
use crate::reason::reason;
use crate::streams::{stdin_file, stdout_file};

/// All regular files that a run writes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Claims(Vec<Claim>);

#[derive(Clone, Debug)]
struct Claim {
    by: By,
    file: FileIdentity,
    /// Whether the file exists and is not empty, so that content would be lost.
    has_content: bool,
}

/// Option or stream that writes a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    Stdout,
    Option(&'static str),
}

impl By {
    fn as_str(self) -> &'static str {
        match self {
            By::Stdout => "standard output",
            By::Option(option) => option,
        }
    }
}

impl Claims {
    /// Creates the claims of a command that writes only standard output.
    pub(crate) fn of_stdout() -> Claims {
        let file = stdout_file().and_then(|file| FileIdentity::of_open(&file).ok().flatten());
        let claim = |file| Claim { by: By::Stdout, file, has_content: false };
        Claims(file.map(claim).into_iter().collect())
    }

    /// Collects all files that a run writes.
    ///
    /// # Errors
    ///
    /// Returns an error if two outputs go to the same file or to standard output, or if a path cannot be written.
    pub(crate) fn of(args: &Sift, form: &OutputForm) -> Result<Claims, String> {
        let named = named(&args.writing, form);
        let has_links =
            *form != OutputForm::Quiet && args.writing.output.as_deref().is_none_or(is_dash);
        let mut on_stdout = has_links.then_some("--output");
        for (option, _) in
            named.iter().filter(|(option, name)| *option != "--output" && is_dash(name))
        {
            match on_stdout {
                Some("--output") => {
                    return Err(format!(
                        "{option} -: standard output already receives the links; use --output FILE to write them to a file"
                    ));
                }
                Some(other) => {
                    return Err(format!("{option} -: standard output is already used by {other}"));
                }
                None => on_stdout = Some(option),
            }
        }
        let mut claims = Claims(Vec::new());
        if on_stdout.is_some() {
            claims = Claims::of_stdout();
        }
        for (option, name) in named.iter().filter(|(_, name)| !is_dash(name)) {
            refuse_option_value(option, name)?;
            let file = FileIdentity::of(name)
                .map_err(|error| format!("{}: {}", name.display(), reason(&error)))?;
            let Some(file) = file else { continue };
            if let Some(other) = claims.writer(&file) {
                return Err(format!("{}: written by both {other} and {option}", name.display()));
            }
            let has_content = fs::metadata(name).is_ok_and(|metadata| metadata.len() > 0);
            claims.0.push(Claim { by: By::Option(option), file, has_content });
        }
        Ok(claims)
    }

    /// Checks that no content is lost: a file that has some is replaced only on request, or continued by a run that resumes.
    ///
    /// # Errors
    ///
    /// Returns an error for a file that would lose its content.
    pub(crate) fn keep_content(&self, writing: &Writing, form: &OutputForm) -> Result<(), String> {
        let is_resumed = writing.resume.as_ref().is_some_and(|state| fs::metadata(state).is_ok());
        for claim in self.0.iter().filter(|claim| claim.has_content) {
            let (By::Option(option), Some(path)) = (claim.by, claim.file.path()) else { continue };
            if option == "--resume" {
                checkpoint::check_is_ours(path)?;
                continue;
            }
            let is_in_place = match option {
                "--output" => !is_table(form),
                _ => matches!(option, "--errors" | "--failed"),
            };
            let why = match () {
                // The state names these files, and is checked before they are written.
                () if is_resumed => continue,
                () if !writing.force => format!("{option} replaces it only with --force"),
                () if is_in_place && writing.resume.is_some() => {
                    "a run with --resume writes in place, so remove the file first".to_owned()
                }
                () => continue,
            };
            return Err(format!("{}: file exists and is not empty; {why}", path.display()));
        }
        Ok(())
    }

    /// Returns the option that writes a file.
    fn writer(&self, file: &FileIdentity) -> Option<&'static str> {
        self.0.iter().find(|claim| claim.file.is_same(file)).map(|claim| claim.by.as_str())
    }

    /// Returns the option that writes the file at a path. If the path cannot be examined, opening it reports the reason.
    fn writer_of(&self, path: &Path) -> Option<&'static str> {
        match self.0.is_empty() {
            true => None,
            false => self.writer(&FileIdentity::of(path).ok()??),
        }
    }

    /// Returns `true` if there is nothing to compare.
    pub(crate) fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns `true` if the run would overwrite existing content.
    pub(crate) fn has_content(&self) -> bool {
        self.0.iter().any(|claim| claim.has_content)
    }

    /// Returns `true` if the run writes the file at a path.
    pub(crate) fn has(&self, path: &Path) -> bool {
        self.writer_of(path).is_some()
    }

    /// Compares all paths that are read and named on the command line.
    ///
    /// # Errors
    ///
    /// Returns an error for a file that is read and written.
    pub(crate) fn compare(&self, args: &Sift) -> Result<(), String> {
        let reads = [
            ("--known-hosts", &args.finding.known_hosts),
            ("--files-from", &args.reading.files_from),
            ("--manifest", &args.bases.manifest),
        ];
        for (option, name) in reads {
            if let Some(name) = name {
                self.read(option, name)?;
            }
        }
        if args.walking.gitignore {
            self.ignoring()?;
        }
        let Some((first, rest)) = args.paths.split_first() else {
            let is_stdin = args.reading.files_from.is_none() && args.bases.manifest.is_none();
            return if is_stdin { self.input(Path::new("-")) } else { Ok(()) };
        };
        self.input(first)?;
        rest.iter().try_for_each(|path| self.input(path))
    }

    /// Compares a file that an option reads.
    ///
    /// # Errors
    ///
    /// Returns an error if the file is also written.
    pub(crate) fn read(&self, option: &str, name: &Path) -> Result<(), String> {
        let writer = if is_dash(name) { self.stdin() } else { self.writer_of(name) };
        match writer {
            Some(by) => {
                Err(format!("{}: read by {option} and also written by {by}", name.display()))
            }
            None => Ok(()),
        }
    }

    /// Compares an input.
    ///
    /// # Errors
    ///
    /// Returns an error if the input is also written.
    pub(crate) fn input(&self, path: &Path) -> Result<(), String> {
        let (writer, name) = match is_dash(path) {
            true => (self.stdin(), "standard input".into()),
            false => (self.writer_of(path), path.display().to_string()),
        };
        match writer {
            Some("--output" | "standard output") => {
                Err(format!("{name}: input file is also the output"))
            }
            Some(by) => Err(format!("{name}: input file is also written by {by}")),
            None => Ok(()),
        }
    }

    /// Returns the option that writes the file that standard input is read from.
    fn stdin(&self) -> Option<&'static str> {
        match self.0.is_empty() {
            true => None,
            false => self.writer(&FileIdentity::of_open(&stdin_file()?).ok()??),
        }
    }

    /// Files with git's ignore rules are only found during the walk, so they are recognised by name.
    fn ignoring(&self) -> Result<(), String> {
        let is_rules =
            |path: &Path| path.ends_with(".gitignore") || path.ends_with(".git/info/exclude");
        let claim = self.0.iter().find(|claim| claim.file.path().is_some_and(is_rules));
        match claim {
            Some(Claim { by, file, .. }) => Err(format!(
                "{}: read by --gitignore and also written by {}",
                file.path().unwrap_or(Path::new("")).display(),
                by.as_str()
            )),
            None => Ok(()),
        }
    }

    /// Makes walks skip all these files.
    pub(crate) fn left_out(&self, options: Options) -> Options {
        self.0.iter().fold(options, |options, claim| options.exclude(claim.file.clone()))
    }
}

/// Returns all paths that options name for writing, and those derived from them.
fn named(writing: &Writing, form: &OutputForm) -> Vec<(&'static str, PathBuf)> {
    let Writing { output, resume, errors, failed, summary, histogram, report, .. } = writing;
    let mut named = Vec::new();
    let mut put = |option, name: &Path| named.push((option, name.to_owned()));
    for (option, name) in [
        ("--output", output),
        ("--errors", errors),
        ("--failed", failed),
        ("--summary", summary),
        ("--report", report),
    ] {
        if let Some(name) = name {
            put(option, name);
        }
    }
    for one in histogram {
        put("--histogram", &one.file);
    }
    if let Some(state) = resume {
        put("--resume", state);
        let state = end_of(state);
        put("--resume", &checkpoint::temporary(&state));
        put("--resume", &lock::name(&state));
        #[cfg(feature = "parquet")]
        if let (Some(output), OutputForm::Records(RecordFormat::Parquet, _)) = (output, form) {
            put("--output", &super::table::part(&end_of(output)));
        }
    }
    #[cfg(not(feature = "parquet"))]
    let _ = form;
    named
}

/// Returns `true` if the links are written as Parquet, which replaces another file even in a run that can be resumed.
fn is_table(form: &OutputForm) -> bool {
    #[cfg(feature = "parquet")]
    return matches!(form, OutputForm::Records(RecordFormat::Parquet, _));
    #[cfg(not(feature = "parquet"))]
    {
        let _ = form;
        false
    }
}

/// Rejects a file name that is probably meant for another option: `--output=json` would write a file `json`.
fn refuse_option_value(option: &str, name: &Path) -> Result<(), String> {
    let Some(word) = name.to_str().filter(|word| !word.contains(['.', '/', '\\'])) else {
        return Ok(());
    };
    let command = Cli::command();
    let is_meant = command.get_arguments().any(|argument| {
        let is_flag = !argument.get_action().takes_values();
        is_flag && argument.get_long() == Some(word)
            || argument.get_possible_values().iter().any(|value| value.matches(word, false))
    });
    match is_meant {
        true => Err(format!(
            "{option} {word}: {word:?} is a value or the name of another option; to write a file of this name: {option} ./{word}"
        )),
        false => Ok(()),
    }
}

/// Returns the path that a name leads to, after symbolic links at its end.
pub(super) fn end_of(name: &Path) -> PathBuf {
    let file = FileIdentity::of(name).ok().flatten();
    file.and_then(|file| file.path().map(Path::to_owned)).unwrap_or_else(|| name.to_owned())
}
