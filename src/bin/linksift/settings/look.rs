//! How results look: the form, the place in front, the colours.

use std::fs;
use std::io::{self, IsTerminal};
use std::path::Path;

use crate::args::{Show, Sift, When};

/// How results are shown.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Look {
    pub(crate) form: Form,
    pub(crate) show: Show,
    pub(crate) place: Place,
    pub(crate) colour: Colour,
    pub(crate) rejected: Shown,
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

/// Whether rejected candidates are shown.
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
        let form = match (args.printing.json, args.printing.csv, args.printing.count) {
            (true, _, _) => Form::Json,
            (_, true, _) => Form::Csv,
            (_, _, true) => Form::Count,
            _ => Form::Plain,
        };
        let is_many = args.reading.files_from.is_some()
            || args.paths.len() > 1
            || args.paths.iter().any(|path| is_directory(path));
        let place = match (args.printing.with_filename, args.printing.no_filename, is_many) {
            (true, _, _) | (_, false, true) => Place::Named,
            _ => Place::Unnamed,
        };
        let is_coloured = match args.printing.color {
            When::Always => true,
            When::Never => false,
            When::Auto => io::stdout().is_terminal() && terminal_has_colours(),
        };
        Look {
            form,
            show: args.printing.show,
            place,
            colour: if is_coloured { Colour::Coloured } else { Colour::Plain },
            rejected: if args.printing.rejected { Shown::Shown } else { Shown::Left },
            once: if args.printing.unique { Once::First } else { Once::Always },
            terminator: if args.reading.null { 0 } else { b'\n' },
        }
    }

    /// Whether anything of what is shown needs lines counted, which costs a second look at the text.
    pub(super) fn has_positions(self) -> bool {
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
