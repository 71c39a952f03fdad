//! `linksift rewrite`: replaces links in files.
//!
//! Without `--write` the command prints a unified diff of each file and changes nothing. A file is written beside the old one,
//! which it then replaces, so that a failure leaves the old content. The library has scanned the new content before.

mod diff;
mod rules;

use std::collections::HashSet;
use std::fs::{self, File};
use std::io::{self, BufWriter, ErrorKind, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

use linksift::container::Member;
use linksift::files::{self, Input, Options};
use linksift::{Detected, Finder, Hints, NotRewritable, Notice, Rewritten};

use crate::Outcome;
use crate::args::RewriteArgs;
use crate::complaints;
use crate::reason::reason;
use crate::safe::{self, Controls};
use crate::settings;
use crate::streams::Stdout;
use crate::writing::{Claims, Replaced};
use rules::Replacements;

/// Number of first bytes by which a file is refused before all of it is read.
const HEAD: u64 = 1 << 16;

/// Processes all files.
pub(crate) fn run(args: &RewriteArgs) -> Result<Outcome, String> {
    let claims = Claims::of_stdout();
    if let Some(name) = &args.map {
        claims.read("--map", name)?;
    }
    for path in &args.paths {
        if path.as_os_str() == "-" {
            return Err("-: cannot rewrite standard input; name a file".to_owned());
        }
        claims.input(path)?;
    }
    let mut options = Options::new();
    if let Some(rules) = settings::rules(&args.walking)? {
        options = options.rules(rules);
    }
    let mut run = Rewriter {
        args,
        finder: Finder::new(),
        hints: settings::hints(&args.format, args.charset.as_deref())?.positions(true),
        replacements: Replacements::of(args)?,
        out: BufWriter::with_capacity(1 << 16, Stdout::lock()),
        outcome: Outcome::Nothing,
        in_code: 0,
    };
    // A file may be named twice, be in a directory that is named too, or be reached by a link.
    let mut seen = HashSet::new();
    let may_repeat = args.paths.len() > 1 || args.walking.follow;
    let inputs: Vec<_> = args.paths.iter().cloned().map(Input::from).collect();
    for input in files::list(inputs, &options) {
        let written = match input {
            Err(failed) => {
                if complaints::say_unreached(&failed) {
                    run.outcome = Outcome::Failed;
                }
                continue;
            }
            Ok(Input::Path(path)) if claims.has(&path) => {
                complain(&path, &format!("notice: {}", Notice::Output));
                continue;
            }
            Ok(Input::Path(path)) if may_repeat && is_repeated(&path, &mut seen) => continue,
            Ok(Input::Path(path)) => run.file(&path),
            Ok(_) => continue,
        };
        match written.and_then(|()| run.out.flush()) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(Outcome::Found),
            written => written.map_err(|error| format!("standard output: {}", reason(&error)))?,
        }
    }
    if run.in_code > 0 {
        tell_in_code(run.in_code);
    }
    Ok(run.outcome)
}

/// Reports once how many links in code would be replaced with `--code`.
fn tell_in_code(count: usize) {
    let (links, are) = if count == 1 { ("link", "is") } else { ("links", "are") };
    complaints::say(&format!(
        "notice: {count} matching {links} in code {are} not rewritten (--code rewrites them)"
    ));
}

/// Returns `true` if the file was seen before, perhaps by another path. A symbolic link is not rewritten, nor seen.
fn is_repeated(path: &Path, seen: &mut HashSet<PathBuf>) -> bool {
    !path.is_symlink() && fs::canonicalize(path).is_ok_and(|path| !seen.insert(path))
}

/// Why a pipe, a device or a directory is not rewritten.
const NOT_REGULAR: &str = "cannot rewrite: not a regular file";

/// A run of the command.
struct Rewriter<'a> {
    args: &'a RewriteArgs,
    finder: Finder,
    hints: Hints,
    replacements: Replacements,
    out: BufWriter<Stdout>,
    outcome: Outcome,
    /// Number of links in code that a rule matches and that stay, since `--code` is not given.
    in_code: usize,
}

impl Rewriter<'_> {
    /// Rewrites a file; fails only if standard output cannot be written.
    fn file(&mut self, path: &Path) -> io::Result<()> {
        let hints = self.hints.clone().name(path);
        let bytes = match self.read(path, &hints) {
            Ok(Some(bytes)) => bytes,
            Ok(None) => return Ok(()),
            Err(why) => return self.failed(path, &why),
        };
        let replaced = |link: &linksift::Link<'_>| {
            let new = self.replacements.text(link, self.args)?;
            let stays = link.is_code() && !self.args.code;
            self.in_code += usize::from(stays);
            (!stays).then_some(new)
        };
        let rewritten = match self.finder.rewrite(&bytes, &hints, replaced) {
            Ok(rewritten) => rewritten,
            Err(refused) => return self.refused(path, refused),
        };
        for (link, why) in rewritten.refused() {
            let place = link.position().map(|at| format!("{at}: "));
            let place = place.unwrap_or_default();
            self.failed(path, &format!("{place}cannot rewrite {}: {why}", link.raw()))?;
        }
        if rewritten.changed() == 0 {
            return Ok(());
        }
        if self.outcome == Outcome::Nothing {
            self.outcome = Outcome::Found;
        }
        match self.args.write {
            false => self.print(path, &bytes, &hints, &rewritten),
            true => match write(path, &bytes, rewritten.bytes()) {
                Ok(()) => {
                    let mut line = Vec::new();
                    safe::push(path.as_os_str().as_encoded_bytes(), &mut line);
                    line.push(b'\n');
                    self.out.write_all(&line)
                }
                Err(why) => self.failed(path, &why),
            },
        }
    }

    /// Reads a file; `None` if it is long and is refused by its first bytes.
    fn read(&mut self, path: &Path, hints: &Hints) -> Result<Option<Vec<u8>>, String> {
        let failed = |error: io::Error| reason(&error);
        let kind = fs::symlink_metadata(path).map_err(failed)?;
        if kind.is_symlink() {
            return Err("cannot rewrite a symbolic link; name the file it leads to".to_owned());
        }
        // Opening a pipe would wait for a writer.
        if !kind.is_file() {
            return Err(NOT_REGULAR.to_owned());
        }
        let mut file = File::open(path).map_err(failed)?;
        if !file.metadata().map_err(failed)?.is_file() {
            return Err(NOT_REGULAR.to_owned());
        }
        let mut bytes = Vec::new();
        (&file).take(HEAD).read_to_end(&mut bytes).map_err(failed)?;
        // A short file is refused when it is rewritten.
        if bytes.len() as u64 == HEAD
            && let Err(refused) = self.finder.rewrite(&bytes, hints, |_| None)
        {
            self.refused(path, refused).map_err(failed)?;
            return Ok(None);
        }
        file.read_to_end(&mut bytes).map_err(failed)?;
        Ok(Some(bytes))
    }

    /// Reports a file that cannot be rewritten. In a directory, files without text are skipped.
    fn refused(&mut self, path: &Path, refused: NotRewritable) -> io::Result<()> {
        let is_without_text =
            matches!(refused, NotRewritable::Media | NotRewritable::Table | NotRewritable::Binary);
        match is_without_text && !self.args.paths.iter().any(|named| named == path) {
            true => Ok(()),
            false => self.failed(path, &refused.to_string()),
        }
    }

    /// Reports an error of a file.
    fn failed(&mut self, path: &Path, why: &str) -> io::Result<()> {
        self.outcome = Outcome::Failed;
        complain(path, why);
        Ok(())
    }

    /// Prints the difference.
    fn print(
        &mut self,
        path: &Path,
        bytes: &[u8],
        hints: &Hints,
        rewritten: &Rewritten<'_>,
    ) -> io::Result<()> {
        let controls = match io::stdout().is_terminal() {
            true => Controls::Escaped,
            false => Controls::Kept,
        };
        let charset = Detected::of_document(bytes, hints);
        let charset = charset.map(|detected| detected.charset()).unwrap_or_default();
        self.out.write_all(&diff::unified(path, bytes, rewritten.edits(), charset, controls))
    }
}

/// Replaces a file that still has the bytes `old`.
fn write(path: &Path, old: &[u8], new: &[u8]) -> Result<(), String> {
    let replace = || -> io::Result<Result<(), String>> {
        let Some(replaced) = Replaced::of(path)? else {
            return Ok(Err(NOT_REGULAR.to_owned()));
        };
        let mut beside = replaced.create()?;
        beside.file.write_all(new)?;
        if fs::symlink_metadata(path)?.is_symlink() || fs::read(path)? != old {
            return Ok(Err("cannot rewrite: the file has changed meanwhile".to_owned()));
        }
        replaced.replace(beside).map(Ok)
    };
    replace().unwrap_or_else(|error| Err(reason(&error)))
}

/// Writes `linksift: PATH: message`.
fn complain(path: &Path, message: &str) {
    let mut line = Vec::new();
    complaints::tell(path, &Member::default(), message, &mut line);
    complaints::put(&line);
}
