//! From arguments to what they mean together: the finder, how results look, what goes where.

use std::fs::{self, File};
use std::io::{self, IsTerminal};
use std::path::Path;

use linksift::files::Options;
use linksift::{
    Boundaries, Charset, Finder, Forbidden, Format, Hints, HostForm, References, Schemes,
};

use crate::args::{self, Show, Sift, When};

/// The formats that are promised and not read yet.
const LATER: [&str; 6] = ["email", "mbox", "gzip", "zip", "tar", "warc"];

/// How results are shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    pub(crate) form: Form,
    pub(crate) show: Show,
    pub(crate) place: Place,
    pub(crate) colour: Colour,
    pub(crate) refused: Shown,
    pub(crate) once: Once,
    pub(crate) terminator: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Plain,
    Json,
    Csv,
    Count,
}

/// Whether plain output says where something was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    Named,
    Unnamed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Colour {
    Plain,
    Coloured,
}

/// Whether refused candidates are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shown {
    Left,
    Shown,
}

/// Whether a URI is shown each time that it occurs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Once {
    Always,
    First,
}

impl Look {
    pub(crate) fn new(args: &Sift) -> Look {
        let form = match (args.json, args.csv, args.count) {
            (true, _, _) => Form::Json,
            (_, true, _) => Form::Csv,
            (_, _, true) => Form::Count,
            _ => Form::Plain,
        };
        let is_many = args.files_from.is_some()
            || args.paths.len() > 1
            || args.paths.iter().any(|path| is_directory(path));
        let place = match (args.with_filename, args.no_filename, is_many) {
            (true, _, _) | (_, false, true) => Place::Named,
            _ => Place::Unnamed,
        };
        let is_coloured = match args.color {
            When::Always => true,
            When::Never => false,
            When::Auto => io::stdout().is_terminal() && terminal_has_colours(),
        };
        Look {
            form,
            show: args.show,
            place,
            colour: if is_coloured { Colour::Coloured } else { Colour::Plain },
            refused: if args.rejected { Shown::Shown } else { Shown::Left },
            once: if args.unique { Once::First } else { Once::Always },
            terminator: if args.null { 0 } else { b'\n' },
        }
    }

    /// Whether anything of what is shown needs lines counted, which costs a second look at the text.
    fn has_positions(self) -> bool {
        match self.form {
            Form::Json | Form::Csv => true,
            Form::Plain => self.place == Place::Named,
            Form::Count => false,
        }
    }
}

fn is_directory(path: &Path) -> bool {
    path.as_os_str() != "-" && fs::metadata(path).is_ok_and(|metadata| metadata.is_dir())
}

/// As others do: `NO_COLOR` (<https://no-color.org>), and a terminal that says what it is.
fn terminal_has_colours() -> bool {
    let is_asked_not_to = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
    let terminal = std::env::var_os("TERM");
    let is_capable = match &terminal {
        Some(name) => name != "dumb",
        None => cfg!(windows),
    };
    is_capable && !is_asked_not_to
}

/// How inputs are gone through.
pub(crate) fn options(args: &Sift, look: Look) -> Result<Options, String> {
    let mut hints = Hints::new().format(format(&args.format)?).positions(look.has_positions());
    hints = hints.text(!args.no_text);
    if let Some(base) = &args.base {
        if let Err(error) = linksift::iri::Iri::parse(base) {
            return Err(format!("--base {base}: not an IRI: {}", error.kind().code()));
        }
        hints = hints.base(base);
    }
    // Who reads URIs alone need not wait until the charset is known.
    hints = hints.eager(!matches!(look.form, Form::Json | Form::Csv));
    if let Some(label) = &args.charset {
        let charset: Charset = label.parse().map_err(|error| format!("--charset: {error}"))?;
        hints = hints.charset(charset);
    }
    let mut options = Options::new().finder(finder(args)?).hints(hints).threads(args.threads);
    if let Some(output) = output_file() {
        // A file that cannot be asked who it is cannot be told apart from inputs.
        options = options
            .output(&output)
            .map_err(|error| format!("standard output: {}", crate::output::reason(&error)))?;
    }
    Ok(options)
}

fn format(name: &str) -> Result<Format, String> {
    match name {
        "auto" => Ok(Format::Auto),
        "text" => Ok(Format::Text),
        "html" => Ok(Format::Html),
        "xml" => Ok(Format::Xml),
        "css" => Ok(Format::Css),
        "json" => Ok(Format::Json),
        "markdown" => Ok(Format::Markdown),
        later if LATER.contains(&later) => {
            Err(format!("--format {later}: not supported yet, comes in a later version"))
        }
        unknown => Err(format!(
            "--format {unknown}: no such format; there are auto, text, html, xml, css, json and markdown"
        )),
    }
}

fn finder(args: &Sift) -> Result<Finder, String> {
    if !is_scheme(&args.default_scheme) {
        return Err(format!("--default-scheme {}: not a scheme", args.default_scheme));
    }
    let finder = Finder::builder()
        .schemes(schemes(&args.schemes)?)
        .schemeless(!args.no_schemeless)
        .emails(!args.no_emails)
        .default_scheme(&args.default_scheme)
        .boundaries(match args.boundaries {
            args::Boundaries::Prose => Boundaries::Prose,
            args::Boundaries::Uts58 => Boundaries::Uts58,
        })
        .references(match args.references {
            args::References::Auto => References::Auto,
            args::References::Never => References::Never,
        })
        .host(match args.host {
            args::Host::Ascii => HostForm::Ascii,
            args::Host::Percent => HostForm::Percent,
            args::Host::Unicode => HostForm::Unicode,
        })
        .query_charset(args.query_charset == args::QueryCharset::Auto)
        .forbidden(match args.forbidden {
            args::Forbidden::Encode => Forbidden::Encode,
            args::Forbidden::Refuse => Forbidden::Refuse,
        })
        .max_link(args.max_link);
    Ok(finder.build())
}

fn schemes(list: &str) -> Result<Schemes, String> {
    match list {
        "known" => return Ok(Schemes::Known),
        "any" => return Ok(Schemes::Any),
        _ => {}
    }
    let mut names = Vec::new();
    for name in list.split(',') {
        if !is_scheme(name) {
            return Err(format!("--schemes {list}: {name:?} is not a scheme"));
        }
        names.push(name.to_ascii_lowercase());
    }
    Ok(Schemes::List(names))
}

/// RFC 3986 §3.1.
fn is_scheme(name: &str) -> bool {
    let is_inner = |byte: &u8| byte.is_ascii_alphanumeric() || b"+-.".contains(byte);
    let bytes = name.as_bytes();
    bytes.first().is_some_and(u8::is_ascii_alphabetic) && bytes.iter().all(is_inner)
}

/// Standard output, where the system lets it be looked at as a file.
#[cfg(unix)]
fn output_file() -> Option<File> {
    use std::os::fd::AsFd;
    io::stdout().as_fd().try_clone_to_owned().ok().map(File::from)
}

#[cfg(not(unix))]
fn output_file() -> Option<File> {
    None
}
