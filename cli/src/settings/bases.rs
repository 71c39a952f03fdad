//! Metadata of single inputs: their bases, and the rows of a manifest.

use std::path::{Path, PathBuf, absolute};
use std::{fs, io};

use linksift::Hints;
use linksift::files::{Described, Options};
use linksift::iri::{IriBuf, encode_path, repair};

use crate::args::Bases;
use crate::manifest::{Declared, Rows};
use crate::reason::reason;

/// A directory, and the IRI of its files.
struct Directory {
    path: PathBuf,
    iri: String,
}

/// Source of the bases of single files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Own {
    Nothing,
    /// The file's own `file:` IRI.
    File,
}

/// Returns the hints for all inputs, with the base that applies to all.
pub(super) fn shared(args: &Bases, hints: Hints) -> Result<Hints, String> {
    match args.base.as_deref() {
        None | Some("file") => Ok(hints),
        Some(base) => Ok(hints.base(parsed("--base", base)?)),
    }
}

/// Returns the options with the metadata of single inputs.
pub(super) fn described(
    args: &Bases,
    rows: Option<Rows>,
    hints: Hints,
    options: Options,
) -> Result<Options, String> {
    let own = if args.base.as_deref() == Some("file") { Own::File } else { Own::Nothing };
    let directories: Vec<_> =
        args.base_dir.iter().map(|pair| directory(pair)).collect::<Result<_, _>>()?;
    let label = args.label.clone();
    if own == Own::Nothing && directories.is_empty() && label.is_none() && rows.is_none() {
        return Ok(options);
    }
    Ok(options.describe(move |path| {
        let mut described = Described::new();
        if path == Path::new("-") {
            let Some(label) = &label else { return described };
            described = described.hints(hints.clone().name(label));
            return described.label(label);
        }
        let mut base = base_of(path, &directories, own);
        let mut own_hints = hints.clone();
        if let Some(row) = rows.as_ref().and_then(|rows| rows.take(path)) {
            base = row.base.or(base);
            if let Some(label) = row.charset {
                own_hints = own_hints.charset_label(&label);
            }
            own_hints = match row.declared {
                Some(Declared::Format(format)) => own_hints.declared(format),
                Some(Declared::MediaType(kind)) => own_hints.media_type(&kind),
                None => own_hints,
            };
            if let Some(label) = row.label {
                described = described.label(label);
            }
        }
        if let Some(base) = base {
            own_hints = own_hints.base(base);
        }
        described.hints(own_hints)
    }))
}

/// Parses a base as a browser does.
fn parsed(option: &str, text: &str) -> Result<IriBuf, String> {
    match repair(text) {
        Ok(base) => Ok(base.into_iri()),
        Err(error) => Err(format!("{option} {text}: not an IRI: {}", error.kind())),
    }
}

fn directory(pair: &str) -> Result<Directory, String> {
    let Some((path, iri)) = pair.split_once('=') else {
        return Err(format!("--base-dir {pair}: expected DIR=IRI"));
    };
    let iri = parsed("--base-dir", iri)?;
    let path = Path::new(path);
    let fault = |error: io::Error| format!("--base-dir {}: {}", path.display(), reason(&error));
    fs::metadata(path).map_err(fault)?;
    let path = absolute(path).map_err(fault)?;
    Ok(Directory { path, iri: iri.as_str().trim_end_matches('/').to_owned() })
}

/// Returns the base of a file: from the innermost directory that contains it, otherwise its own IRI if that is requested.
fn base_of(path: &Path, directories: &[Directory], own: Own) -> Option<IriBuf> {
    if directories.is_empty() && own == Own::Nothing {
        return None;
    }
    let absolute = absolute(path).ok()?;
    let below = |directory: &Directory| {
        let rest = absolute.strip_prefix(&directory.path).ok()?;
        let iri = [directory.iri.as_str(), &encode_path(rest)].concat();
        Some((directory.path.as_os_str().len(), iri))
    };
    let innermost = directories.iter().filter_map(below).max_by_key(|(len, _)| *len);
    match (innermost, own) {
        (Some((_, iri)), _) => iri.parse().ok(),
        (None, Own::File) => IriBuf::of_file(path).ok(),
        (None, Own::Nothing) => None,
    }
}
