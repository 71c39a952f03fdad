//! `linksift linkify`: converts text to HTML with links.

use std::fs;
use std::io::{self, ErrorKind, Read, Write};
use std::path::PathBuf;

use linksift::html::{Linkify, linkify, linkify_html};
use linksift::{Charset, Detected};

use crate::Outcome;
use crate::args::LinkifyArgs;
use crate::reason::reason;
use crate::safe;
use crate::streams::{self, Stdout};
use crate::writing::Claims;

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
    for (n, path) in paths.iter().enumerate() {
        let fault = |error: &io::Error| format!("{}: {}", path.display(), reason(error));
        let mut bytes = Vec::new();
        match path.as_os_str() == "-" {
            true => streams::stdin().read_to_end(&mut bytes).map(|_| ()),
            false => fs::read(path).map(|all| bytes = all),
        }
        .map_err(|error| fault(&error))?;
        let (charset, text) = decoded(&bytes, charset).map_err(|error| fault(&error))?;
        let html = match args.html {
            true => linkify_html(&text, &options),
            false => linkify(&text, &options),
        };
        // The page may declare its old encoding; browsers trust the mark first.
        let mark = match args.html && n == 0 && charset != Charset::UTF_8 {
            true => "\u{FEFF}",
            false => "",
        };
        let mut out = Stdout::lock();
        let written = out.write_all(mark.as_bytes());
        let written = written.and_then(|()| out.write_all(safe::html(&html).as_bytes()));
        match written.and_then(|()| out.flush()) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe => return Ok(Outcome::Found),
            written => written.map_err(|error| format!("standard output: {}", reason(&error)))?,
        }
    }
    Ok(Outcome::Found)
}

/// Returns the text of an input without a byte order mark, and its encoding.
fn decoded(bytes: &[u8], charset: Option<Charset>) -> io::Result<(Charset, String)> {
    let charset = match charset {
        Some(charset) => charset,
        None => {
            let found = Detected::of(bytes);
            found.map_err(|error| io::Error::new(ErrorKind::InvalidData, error))?.charset()
        }
    };
    let text = charset.decode(bytes);
    Ok((charset, text.strip_prefix('\u{FEFF}').unwrap_or(&text).to_owned()))
}
