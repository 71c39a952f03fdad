//! `linksift charset`: detects the encoding of inputs, and how it is known.
//!
//! Only the beginning of each input is read, as much as the answer depends on. The output has one line for each input that
//! can be read. The others are reported on standard error with a reason, and the exit status is then 2. An unknown label
//! causes a warning there.

use std::fs::File;
use std::io::{self, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

use linksift::container::Member;
use linksift::files::{self, Input, Options};
use linksift::{Detected, Disposition, Hints, Notice};

use crate::Outcome;
use crate::args::CharsetArgs;
use crate::complaints;
use crate::iri_records::push_json;
use crate::list::{List, ListFailures};
use crate::reason::reason;
use crate::safe;
use crate::streams::{self, Stdout};
use crate::writing::Claims;

/// Processes all inputs.
pub(crate) fn run(args: CharsetArgs) -> Result<Outcome, String> {
    let terminator = if args.null { 0 } else { b'\n' };
    let form = match (args.json, terminator) {
        (true, _) => CharsetForm::Json,
        (false, terminator) => CharsetForm::Plain { terminator },
    };
    let claims = Claims::of_stdout();
    let is_stdin = args.paths.is_empty() && args.files_from.is_none();
    let stdin = is_stdin.then(|| PathBuf::from("-"));
    args.paths.iter().chain(&stdin).try_for_each(|path| claims.input(path))?;
    if let Some(name) = &args.files_from {
        claims.read("--files-from", name)?;
    }
    let failure = ListFailures::default();
    let list = match &args.files_from {
        Some(name) => {
            let terminator = if args.from0 { 0 } else { terminator };
            Some(List::open(name, terminator, failure.clone(), &claims)?)
        }
        None => None,
    };
    let inputs = args.paths.into_iter().map(Input::from);
    let inputs = inputs.chain(is_stdin.then_some(Input::Stdin)).chain(list.into_iter().flatten());
    // Inputs from a pipe have not been compared yet.
    let inputs = inputs.take_while(|input| match input {
        Input::Path(path) => claims.input(path).map_err(|why| failure.note(why)).is_ok(),
        _ => true,
    });

    let mut out = BufWriter::with_capacity(1 << 16, Stdout::lock());
    let printed =
        print(inputs, form, &claims, &mut out).and_then(|outcome| out.flush().map(|()| outcome));
    let messages = failure.into_messages();
    messages.iter().for_each(|message| complaints::say(message));
    match printed {
        _ if !messages.is_empty() => Ok(Outcome::Failed),
        Ok(outcome) => Ok(outcome),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(Outcome::Found),
        Err(error) => Err(format!("standard output: {}", reason(&error))),
    }
}

#[derive(Clone, Copy, Debug)]
enum CharsetForm {
    Plain { terminator: u8 },
    Json,
}

/// Prints a record for each input; fails only if writing fails.
fn print(
    inputs: impl Iterator<Item = Input>,
    form: CharsetForm,
    claims: &Claims,
    out: &mut impl Write,
) -> io::Result<Outcome> {
    let mut outcome = Outcome::Found;
    let mut start = Vec::new();
    let mut record = Vec::new();
    for input in files::list(inputs, &Options::new()) {
        let (path, read) = match input {
            Err(failed) => {
                if complaints::say_unreached(&failed) {
                    outcome = Outcome::Failed;
                }
                continue;
            }
            Ok(Input::Path(path)) if claims.has(&path) => {
                complain(&path, &format!("notice: {}", Notice::Output));
                continue;
            }
            Ok(Input::Path(path)) => {
                let read = File::open(&path).and_then(|file| read_start(file, &mut start));
                (path, read)
            }
            // Standard input, and any kind of input that is added later.
            Ok(_) => (PathBuf::from("-"), read_start(streams::stdin(), &mut start)),
        };
        let detected = match read {
            Err(error) => Err(reason(&error)),
            Ok(()) => match kind_without_text(&start, &path) {
                Some(kind) => {
                    complain(&path, &format!("notice: not text: {kind}"));
                    continue;
                }
                None => Detected::of(&start).map_err(|refused| refused.to_string()),
            },
        };
        match detected {
            Err(message) => {
                complain(&path, &message);
                outcome = Outcome::Failed;
            }
            Ok(detected) => {
                if let Some(label) = detected.unknown_label() {
                    complain(&path, &format!("declares the unknown encoding {label:?}"));
                }
                record.clear();
                form.push(&path, &detected, &mut record);
                out.write_all(&record)?;
            }
        }
    }
    Ok(outcome)
}

/// Returns the name of a kind that is not text in any encoding.
fn kind_without_text(start: &[u8], path: &Path) -> Option<&'static str> {
    match linksift::detect(start, &Hints::new().name(path)).disposition() {
        Disposition::Archive => Some("an archive or a compressed file"),
        Disposition::Media => Some("an image, audio, video or font"),
        Disposition::Table => Some("a database or table file"),
        Disposition::Pdf => Some("PDF"),
        Disposition::Office => Some("an Office document"),
        Disposition::PropertyList => Some("a binary property list"),
        Disposition::Binary | Disposition::Opaque => Some("binary data"),
        _ => None,
    }
}

/// Reads the bytes that detection needs, and one more byte if there is one.
fn read_start(reader: impl Read, start: &mut Vec<u8>) -> io::Result<()> {
    start.clear();
    reader.take(Detected::START as u64 + 1).read_to_end(start).map(|_| ())
}

/// Writes `linksift: PATH: message`.
fn complain(path: &Path, message: &str) {
    let mut line = Vec::new();
    complaints::tell(path, &Member::default(), message, &mut line);
    complaints::put(&line);
}

impl CharsetForm {
    fn push(self, path: &Path, detected: &Detected, out: &mut Vec<u8>) {
        let (charset, source) = (detected.charset().as_str(), detected.source().as_str());
        let bytes = path.as_os_str().as_encoded_bytes();
        match self {
            CharsetForm::Plain { terminator } => {
                match terminator {
                    0 => out.extend_from_slice(bytes),
                    _ => safe::push(bytes, out),
                }
                for field in [charset, source] {
                    out.push(b'\t');
                    out.extend_from_slice(field.as_bytes());
                }
                out.push(terminator);
            }
            CharsetForm::Json => {
                let mut line = String::from("{");
                let mut field = |name: &str, value: &str| {
                    line.push_str(if line.len() > 1 { "," } else { "" });
                    push_json(&mut line, name);
                    line.push(':');
                    push_json(&mut line, value);
                };
                field("path", &path.to_string_lossy());
                if path.to_str().is_none() {
                    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
                    field("path_bytes", &hex);
                }
                field("charset", charset);
                field("source", source);
                if let Some(label) = detected.unknown_label() {
                    field("unknown_label", label);
                }
                line.push_str("}\n");
                out.extend_from_slice(safe::json(&line).as_bytes());
            }
        }
    }
}
