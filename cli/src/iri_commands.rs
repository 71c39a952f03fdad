//! The IRI commands: `check map unmap display normalize resolve compare prepare`.
//!
//! The input is records of one IRI each: the arguments, or the lines of a reader. The output is one line for each, in
//! order: only the result, or with `--json` an object; `prepare --many` has a line for each IRI that it splits off. A rejected IRI is reported on the second writer with a reason, and
//! the others are still processed.

use std::io::{BufRead, Write};

use clap::{Args, Subcommand, ValueEnum};
use linksift::iri::{
    Error, ErrorKind, Form, HostDisplay, HostMapping, Iri, IriRef, MapOptions, NormalizationLevel,
    Octet, Repertoire, Spaces, Syntax, encode_forbidden, prepare,
};
use linksift::{Charset, Severity, Warning};

use crate::Outcome;
use crate::iri_records;
use crate::safe::{self, Controls};
use iri_records::{Object, Plain, RecordFailure, StreamFailure};

/// The IRI commands and their options.
#[derive(Debug, Subcommand)]
pub(crate) enum IriCommand {
    /// Check whether a string is an IRI; show its parts and warnings
    ///
    /// The grammar is that of RFC 3987. With --json, the components, the URI and the warnings are shown.
    Check(CheckArgs),
    /// Convert an IRI to a URI (RFC 3987, section 3.1)
    Map(MapArgs),
    /// Convert a URI to an IRI (RFC 3987, section 3.2)
    Unmap(UnmapArgs),
    /// Convert a URL to its readable form (UTS #58)
    ///
    /// In running text, linksift finds the readable form again in full.
    Display(RecordArgs),
    /// Normalize an IRI (RFC 3987, section 5.3)
    Normalize(NormalizeArgs),
    /// Resolve a reference against a base (RFC 3986, section 5)
    Resolve(ResolveArgs),
    /// Check whether two IRIs, separated by a TAB, are equivalent
    Compare(CompareArgs),
    /// Clean up strings before they are parsed as IRIs
    ///
    /// Removes white space around the IRI, resolves character references, and splits a string of several IRIs (--many).
    Prepare(PrepareArgs),
}

/// Input records and the form of the output.
#[derive(Debug, Args)]
pub(crate) struct RecordArgs {
    /// IRIs to process; without any, the lines of standard input
    #[arg(value_name = "IRI")]
    pub(crate) iris: Vec<String>,
    /// Print one JSON object per line
    #[arg(long)]
    pub(crate) json: bool,
    /// Use NUL instead of line feeds, in input and output
    #[arg(long)]
    pub(crate) null: bool,
}

#[derive(Debug, Args)]
pub(crate) struct CheckArgs {
    #[command(flatten)]
    pub(crate) records: RecordArgs,
    /// Accept IRI references, which may be relative
    #[arg(long, conflicts_with = "absolute")]
    pub(crate) reference: bool,
    /// Accept only absolute IRIs, which have no fragment
    #[arg(long)]
    pub(crate) absolute: bool,
    /// Accept only URIs: ASCII
    #[arg(long, conflicts_with = "bis")]
    pub(crate) rfc3986: bool,
    /// Use the character rules of draft-ietf-iri-3987bis
    #[arg(long)]
    pub(crate) bis: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum HostChoice {
    Ascii,
    Percent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ForbiddenChoice {
    Refuse,
    Encode,
}

#[derive(Debug, Args)]
pub(crate) struct MapArgs {
    #[command(flatten)]
    pub(crate) records: RecordArgs,
    /// Map non-ASCII hosts by IDNA, or percent-encode them
    #[arg(long, value_enum, default_value = "ascii")]
    pub(crate) host: HostChoice,
    /// Map as in a document of this encoding
    ///
    /// If the encoding is not a Unicode one, the IRI is normalized to NFC and the query of http and https is encoded in it.
    #[arg(long, value_name = "LABEL")]
    pub(crate) charset: Option<Charset>,
    /// Reject IRIs with ASCII that URIs forbid, or percent-encode it
    ///
    /// These characters are < > " { } | \ ^ ` and space.
    #[arg(long, value_enum, default_value = "refuse")]
    pub(crate) forbidden: ForbiddenChoice,
}

#[derive(Debug, Args)]
pub(crate) struct UnmapArgs {
    #[command(flatten)]
    pub(crate) records: RecordArgs,
    /// Convert A-labels in the host to Unicode
    #[arg(long)]
    pub(crate) unicode_host: bool,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
pub(crate) enum RungChoice {
    Simple,
    Syntax,
    Scheme,
}

impl From<RungChoice> for NormalizationLevel {
    fn from(choice: RungChoice) -> Self {
        match choice {
            RungChoice::Simple => NormalizationLevel::Simple,
            RungChoice::Syntax => NormalizationLevel::Syntax,
            RungChoice::Scheme => NormalizationLevel::Scheme,
        }
    }
}

#[derive(Debug, Args)]
pub(crate) struct NormalizeArgs {
    #[command(flatten)]
    pub(crate) records: RecordArgs,
    /// Set the level of normalization: the later ones include the earlier
    #[arg(long, value_enum, default_value = "syntax")]
    pub(crate) rung: RungChoice,
}

#[derive(Debug, Args)]
pub(crate) struct CompareArgs {
    #[command(flatten)]
    pub(crate) records: RecordArgs,
    /// Set the level of normalization: the later ones include the earlier
    #[arg(long, value_enum, default_value = "syntax")]
    pub(crate) rung: RungChoice,
}

#[derive(Debug, Args)]
pub(crate) struct ResolveArgs {
    #[command(flatten)]
    pub(crate) records: RecordArgs,
    /// Resolve against this IRI
    #[arg(long, value_name = "IRI")]
    pub(crate) base: String,
}

#[derive(Debug, Args)]
pub(crate) struct PrepareArgs {
    #[command(flatten)]
    pub(crate) records: RecordArgs,
    /// Split at spaces, instead of percent-encoding them
    #[arg(long)]
    pub(crate) many: bool,
    /// Decode standard input from this encoding
    #[arg(long, value_name = "LABEL")]
    pub(crate) charset: Option<Charset>,
}

impl IriCommand {
    fn records(&self) -> &RecordArgs {
        match self {
            IriCommand::Check(args) => &args.records,
            IriCommand::Map(args) => &args.records,
            IriCommand::Unmap(args) => &args.records,
            IriCommand::Display(records) => records,
            IriCommand::Normalize(args) => &args.records,
            IriCommand::Resolve(args) => &args.records,
            IriCommand::Compare(args) => &args.records,
            IriCommand::Prepare(args) => &args.records,
        }
    }
}

impl IriCommand {
    /// Returns `true` if the records are the lines of standard input.
    pub(crate) fn reads_stdin(&self) -> bool {
        self.records().iris.is_empty()
    }
}

/// Runs a command for each argument, or for each line of `input` if there are no arguments. The outcome is that of the
/// worst record. An invalid IRI is a result of `check`, and a pair that is not equivalent is a result of `compare`; in
/// other commands a rejected record is a failure.
///
/// # Errors
///
/// Returns errors of reading and writing. The caller must end quietly if a pipe is closed.
pub(crate) fn run(
    command: &IriCommand,
    input: impl BufRead,
    out: &mut impl Write,
    errors: &mut impl Write,
) -> Result<Outcome, StreamFailure> {
    let records = command.records();
    let base = match command {
        IriCommand::Resolve(args) => match Iri::parse(&args.base) {
            Ok(base) => Some(base),
            Err(error) => {
                writeln!(errors, "error: --base {}: {error}", safe::text(&args.base))?;
                return Ok(Outcome::Failed);
            }
        },
        _ => None,
    };
    let end: &[u8] = if records.null { b"\0" } else { b"\n" };
    // A result is built here, and written completely or not at all.
    let (mut text, mut ends, mut shown) = (String::new(), Vec::new(), Vec::new());
    let controls = if records.null { Controls::Kept } else { Controls::Escaped };
    let mut outcome = Outcome::Found;
    // The command asks exactly this question.
    let refused = match command {
        IriCommand::Check(_) => Outcome::Nothing,
        _ => Outcome::Failed,
    };
    let mut one = |record: &[u8]| {
        text.clear();
        ends.clear();
        let result = if records.json {
            let mut object = Object::open(&mut text, record);
            let result = perform(command, record, base, &mut object);
            object.close(result.as_ref().err().copied()).and(result)
        } else {
            perform(command, record, base, &mut Plain { text: &mut text, ends: &mut ends })
        };
        match result {
            Ok(answer) => outcome = outcome.max(answer),
            Err(_) if records.json => outcome = outcome.max(refused),
            Err(failure) => {
                outcome = outcome.max(refused);
                writeln!(
                    errors,
                    "error: {}: {failure}",
                    safe::text(&String::from_utf8_lossy(record))
                )?;
                return Ok(());
            }
        }
        if records.json {
            out.write_all(safe::json(&text).as_bytes())?;
            return out.write_all(end);
        }
        let mut start = 0;
        for &line_end in &ends {
            shown.clear();
            controls.push(&text.as_bytes()[start..line_end], &mut shown);
            out.write_all(&shown)?;
            out.write_all(end)?;
            start = line_end;
        }
        Ok(())
    };
    if records.iris.is_empty() {
        iri_records::each(input, records.null, &mut one)?;
    } else {
        iri_records::arguments(&records.iris, matches!(command, IriCommand::Compare(_)), &mut one)?;
    }
    Ok(outcome)
}

/// Processes one record and passes its result to the sink.
fn perform(
    command: &IriCommand,
    record: &[u8],
    base: Option<Iri<'_>>,
    sink: &mut dyn iri_records::RecordSink,
) -> Result<Outcome, RecordFailure> {
    let mut outcome = Outcome::Found;
    match command {
        IriCommand::Check(args) => check(args, record, sink)?,
        IriCommand::Map(args) => {
            let uri = sink.text("uri");
            map(args, record, uri)?;
            sink.end_text();
        }
        IriCommand::Unmap(args) => {
            let display = match args.unicode_host {
                true => HostDisplay::Unicode,
                false => HostDisplay::Kept,
            };
            sink.put("iri", &IriRef::parse_bytes(record)?.to_iri_text_with(display));
        }
        IriCommand::Display(_) => sink.put("display", &IriRef::parse_bytes(record)?.display()),
        IriCommand::Normalize(args) => {
            let iri = IriRef::parse_bytes(record)?;
            iri.normalize_into(args.rung.into(), sink.text("normal"));
            sink.end_text();
        }
        IriCommand::Resolve(_) => {
            let reference = IriRef::parse_bytes(record)?;
            if let Some(base) = base {
                base.resolve_into(&reference, sink.text("resolved"));
                sink.end_text();
            }
        }
        IriCommand::Compare(args) => {
            let Some(tab) = record.iter().position(|&b| b == b'\t') else {
                return Err(RecordFailure::NoTab(record.len()));
            };
            let (left, right) = record.split_at(tab);
            let left = IriRef::parse_bytes(left)?;
            let right = IriRef::parse_bytes(&right[1..])
                .map_err(|error| RecordFailure::At(error.kind(), error.index() + tab + 1))?;
            let is_equivalent = left.equivalent(&right, args.rung.into());
            sink.flag("equivalent", is_equivalent);
            if !is_equivalent {
                outcome = Outcome::Nothing;
            }
        }
        IriCommand::Prepare(args) => {
            let decoded;
            let text = match args.charset.filter(|_| args.records.iris.is_empty()) {
                Some(charset) => {
                    decoded = charset.decode(record);
                    &*decoded
                }
                None => std::str::from_utf8(record)
                    .map_err(|error| RecordFailure::At(ErrorKind::NotUtf8, error.valid_up_to()))?,
            };
            let spaces = if args.many { Spaces::Split } else { Spaces::Encode };
            sink.list("iris", &mut prepare(text, spaces));
        }
    }
    Ok(outcome)
}

fn check(
    args: &CheckArgs,
    record: &[u8],
    sink: &mut dyn iri_records::RecordSink,
) -> Result<(), RecordFailure> {
    let form = match (args.reference, args.absolute) {
        (true, _) => Form::Reference,
        (_, true) => Form::Absolute,
        _ => Form::Iri,
    };
    let repertoire = match (args.rfc3986, args.bis) {
        (true, _) => Repertoire::Rfc3986,
        (_, true) => Repertoire::Bis,
        _ => Repertoire::Rfc3987,
    };
    let reference = Syntax::new().form(form).repertoire(repertoire).parse_bytes(record)?;
    sink.flag("valid", true);
    sink.components(&[
        ("scheme", reference.scheme()),
        ("userinfo", reference.userinfo()),
        ("host", reference.host()),
        ("port", reference.port()),
        ("path", Some(reference.path())),
        ("query", reference.query()),
        ("fragment", reference.fragment()),
    ]);
    let scheme_holds = reference.to_iri().is_none_or(|iri| iri.check_scheme().is_ok());
    if let (true, Ok(uri)) = (scheme_holds, reference.to_uri()) {
        sink.more("uri", &uri);
    }
    let warnings = reference.warnings();
    if !warnings.is_empty() {
        sink.more_list("warnings", &mut warnings.iter().map(|warning| warning.as_str().into()));
        let known =
            || warnings.iter().filter_map(|warning| warning.as_str().parse::<Warning>().ok());
        if let Some(severity) = known().map(Warning::severity).max() {
            sink.more("severity", severity.as_str());
        }
        let mut sentences =
            known().filter(|warning| warning.severity() >= Severity::Suspect).peekable();
        if sentences.peek().is_some() {
            sink.more_list("reasons", &mut sentences.map(|warning| warning.sentence().into()));
        }
    }
    Ok(())
}

fn map(args: &MapArgs, record: &[u8], out: &mut String) -> Result<(), RecordFailure> {
    let host = match args.host {
        HostChoice::Ascii => HostMapping::Ascii,
        HostChoice::Percent => HostMapping::Percent,
    };
    let mut options = MapOptions::new().host(host);
    let encoder;
    if let Some(charset) = args.charset.filter(|charset| !charset.is_unicode()) {
        encoder = move |query: &str, give: &mut dyn FnMut(Octet)| {
            charset.encode_query(query, give);
        };
        options = options.charset(&encoder);
        return map_with(args, record, &options, out);
    }
    map_with(args, record, &options, out)
}

fn map_with(
    args: &MapArgs,
    record: &[u8],
    options: &MapOptions<'_>,
    out: &mut String,
) -> Result<(), RecordFailure> {
    if args.forbidden == ForbiddenChoice::Refuse {
        return Ok(IriRef::parse_bytes(record)?.to_uri_into(options, out)?);
    }
    let text = std::str::from_utf8(record)
        .map_err(|error| RecordFailure::At(ErrorKind::NotUtf8, error.valid_up_to()))?;
    let encoded = encode_forbidden(text);
    let mapped = IriRef::parse(&encoded).and_then(|iri| iri.to_uri_into(options, out));
    mapped.map_err(|error| RecordFailure::At(error.kind(), index_before(text, &error)))
}

/// Returns the index of an error in the text before its forbidden ASCII was encoded.
fn index_before(text: &str, error: &Error) -> usize {
    let mut encoded = 0;
    for (index, c) in text.char_indices() {
        if encoded >= error.index() {
            return index;
        }
        encoded += match c {
            ' ' | '<' | '>' | '"' | '{' | '}' | '|' | '\\' | '^' | '`' => 3,
            c => c.len_utf8(),
        };
    }
    text.len()
}
