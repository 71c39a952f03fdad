//! Manual pages, generated from the definitions of the arguments, with the fields and codes of the output.

use std::io;

use clap::CommandFactory;
use linksift::iri::ErrorKind;
use linksift::report::Field;
use linksift::{Reason, Warning};

use crate::args::Cli;

/// Fields of the IRI commands with `--json`: the command, the name and the meaning.
const IRI_FIELDS: [(&str, &str, &str); 13] = [
    ("", "input", "the input record"),
    ("", "error", "the error: {\"kind\": code, \"index\": byte offset}"),
    (
        "check",
        "valid",
        "true if it matches the grammar of RFC 3987 and has no forbidden bidi characters",
    ),
    ("check", "components", "scheme userinfo host port path query fragment; each only if present"),
    ("check", "uri", "the URI that it maps to, if its scheme and host allow one"),
    ("check", "warnings", "codes of warnings"),
    ("map", "uri", "the URI"),
    ("unmap", "iri", "the IRI"),
    ("display", "display", "the readable form"),
    ("normalize", "normal", "the normal form"),
    ("compare", "equivalent", "true or false"),
    ("resolve", "resolved", "the reference, resolved"),
    ("prepare", "iris", "a list of strings"),
];

/// Appends the page of linksift, or of a command.
///
/// # Errors
///
/// Returns an error for an unknown command. The message lists the commands.
pub(crate) fn push(command: Option<&str>, page: &mut Vec<u8>) -> Result<(), String> {
    let mut cli = Cli::command();
    cli.build();
    let shown = match command {
        None => cli,
        Some(name) => match cli.get_subcommands().find(|one| one.get_name() == name) {
            Some(one) => one.clone(),
            None => {
                let names: Vec<_> = cli.get_subcommands().map(|one| one.get_name()).collect();
                return Err(format!(
                    "man {name}: unknown command: expected one of {}",
                    names.join(", ")
                ));
            }
        },
    };
    let failed = |error: io::Error| format!("manual page: {error}");
    let closing = shown.get_after_long_help().map(ToString::to_string);
    let shown = shown.after_long_help(None::<&str>).after_help(None::<&str>);
    clap_mangen::Man::new(shown).render(page).map_err(failed)?;
    paragraphs(closing.as_deref().unwrap_or_default(), page);
    match command {
        None => {
            list("FIELDS", Field::ALL.iter().map(|field| (field.as_str(), field.meaning())), page);
            words("REASONS", Reason::ALL.iter().map(|reason| reason.as_str()), page);
            words("WARNINGS", Warning::ALL.iter().map(|warning| warning.as_str()), page);
        }
        Some(name) if IRI_FIELDS.iter().any(|(of, ..)| *of == name) => {
            let fields = IRI_FIELDS.iter().filter(|(of, ..)| of.is_empty() || *of == name);
            list("FIELDS", fields.map(|(_, field, meaning)| (*field, *meaning)), page);
            words("ERRORS", ErrorKind::ALL.iter().map(|kind| kind.as_str()), page);
        }
        Some(_) => {}
    }
    Ok(())
}

/// Appends each paragraph of `help` as a section. The title is the text before the first colon; the lines are not filled.
fn paragraphs(help: &str, page: &mut Vec<u8>) {
    for (title, text) in help.split("\n\n").filter_map(|paragraph| paragraph.split_once(':')) {
        let text = escaped(text.trim_start_matches(' ').trim_start_matches('\n'));
        let section = format!(".SH {}\n.nf\n{text}\n.fi\n", title.to_uppercase());
        page.extend_from_slice(section.as_bytes());
    }
}

fn list<'l>(title: &str, items: impl Iterator<Item = (&'l str, &'l str)>, page: &mut Vec<u8>) {
    let mut text = format!(".SH {title}\n");
    for (name, meaning) in items {
        text += &format!(".TP\n\\fB{}\\fR\n\\&{}\n", escaped(name), escaped(meaning));
    }
    page.extend_from_slice(text.as_bytes());
}

fn words<'w>(title: &str, words: impl Iterator<Item = &'w str>, page: &mut Vec<u8>) {
    let words: Vec<_> = words.map(escaped).collect();
    page.extend_from_slice(format!(".SH {title}\n{}\n", words.join(" ")).as_bytes());
}

/// Escapes text for roff.
fn escaped(text: &str) -> String {
    text.replace('\\', "\\e").replace('-', "\\-").replace('\'', "\\(aq")
}
