//! `linksift linkify`: text in, HTML with its links marked out.

use std::fs;
use std::io::{self, ErrorKind, Read, Write};
use std::path::PathBuf;

use clap::Args;
use linksift::html::{Linkify, Newlines, OnSuspect, linkify, linkify_html};
use linksift::{Charset, Detected};

use crate::Outcome;
use crate::args::words;
use crate::output::reason;
use crate::stdout::Stdout;
use crate::writing::Claims;

/// What is marked, and how.
#[derive(Debug, Args)]
pub(crate) struct LinkifyArgs {
    /// Files, one after the other; standard input if there is none, or for "-"
    #[arg(value_name = "PATH")]
    paths: Vec<PathBuf>,

    /// The input is HTML: mark bare links in its text, outside of a, script and style
    #[arg(long)]
    html: bool,

    /// The attribute class of links
    #[arg(long, value_name = "NAMES", default_value = "")]
    class: String,

    /// The attribute target of links
    #[arg(long, value_name = "NAME", default_value = "")]
    target: String,

    /// The attribute rel of links; none if it is empty
    #[arg(long, value_name = "NAMES", default_value = "noopener noreferrer")]
    rel: String,

    /// The schemes of links that are marked, with commas between; never javascript and its like
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "http,https,mailto,ftp,xmpp,matrix,tel"
    )]
    schemes: Vec<String>,

    /// Line ends stay, or have a <br> before them
    #[arg(long, value_name = "WHAT", default_value_t = Newlines::default(), value_parser = words::<Newlines>(["keep", "break"]))]
    newlines: Newlines,

    /// Put lines that begin with ">" into blockquote elements
    #[arg(long)]
    citations: bool,

    /// Mark links in <...> that are broken over lines as one
    #[arg(long)]
    join_wrapped: bool,

    /// Links that are suspect or deceptive are links like others, have that as a class and a title that says
    /// why, or stay text
    #[arg(long, value_name = "WHAT", default_value_t = OnSuspect::default(), value_parser = words::<OnSuspect>(["link", "mark", "text"]))]
    on_suspect: OnSuspect,

    /// Put the registered part of a link's host into a b element
    #[arg(long)]
    emphasize_host: bool,

    /// Put no bdi elements around links in texts of right-to-left scripts
    #[arg(long)]
    no_isolate: bool,

    /// What the input is encoded in; found out if not given
    #[arg(long, value_name = "LABEL")]
    charset: Option<String>,
}

/// Writes the HTML of all inputs, in UTF-8.
pub(crate) fn run(args: &LinkifyArgs) -> Result<Outcome, String> {
    let options = Linkify::new()
        .class(&args.class)
        .target(&args.target)
        .rel(&args.rel)
        .schemes(&args.schemes)
        .newlines(args.newlines)
        .citations(args.citations)
        .join_wrapped(args.join_wrapped)
        .on_suspect(args.on_suspect)
        .emphasize_host(args.emphasize_host)
        .isolate(!args.no_isolate);
    let charset = match &args.charset {
        Some(label) => Some(label.parse().map_err(|error| format!("--charset: {error}"))?),
        None => None,
    };
    let stdin = [PathBuf::from("-")];
    let paths = if args.paths.is_empty() { &stdin[..] } else { &args.paths };
    let claims = Claims::of_stdout();
    paths.iter().try_for_each(|path| claims.input(path))?;
    for path in paths {
        let fault = |error: &io::Error| format!("{}: {}", path.display(), reason(error));
        let mut bytes = Vec::new();
        match path.as_os_str() == "-" {
            true => io::stdin().lock().read_to_end(&mut bytes).map(|_| ()),
            false => fs::read(path).map(|all| bytes = all),
        }
        .map_err(|error| fault(&error))?;
        let text = decoded(&bytes, charset).map_err(|error| fault(&error))?;
        let html = match args.html {
            true => linkify_html(&text, &options),
            false => linkify(&text, &options),
        };
        let mut out = Stdout::lock();
        match out.write_all(html.as_bytes()).and_then(|()| out.flush()) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(Outcome::Found),
            written => written.map_err(|error| format!("standard output: {}", reason(&error)))?,
        }
    }
    Ok(Outcome::Found)
}

fn decoded(bytes: &[u8], charset: Option<Charset>) -> io::Result<String> {
    let charset = match charset {
        Some(charset) => charset,
        None => {
            let found = Detected::of(bytes);
            found.map_err(|error| io::Error::new(ErrorKind::InvalidData, error))?.charset()
        }
    };
    let text = charset.decode(bytes);
    Ok(text.strip_prefix('\u{FEFF}').unwrap_or(&text).to_owned())
}
