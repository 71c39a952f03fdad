//! Arguments as they are written: what there is, what it is called, what it is by default.
//!
//! What they mean together is `settings`' business. The man page, the completions and the help are
//! made of these definitions. What belongs together is a struct of its own, in a module of its own, and
//! [`Sift`] joins them.

mod bases;
mod finding;
mod linkify;
mod opening;
mod printing;
mod reading;
mod size;
mod suggested;
mod walking;
mod writing;

use std::path::PathBuf;
use std::sync::LazyLock;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;

use crate::iri_commands::IriCommand;

pub(crate) use bases::Bases;
pub(crate) use finding::{Finding, Kind};
pub(crate) use linkify::LinkifyArgs;
pub(crate) use opening::{Archives, Binary, Opening};
pub(crate) use printing::{Key, Printing, Scope, Show, SortKey, When};
pub(crate) use reading::Reading;
pub(crate) use walking::Walking;
pub(crate) use writing::{Counted, Histogram, Shard, Writing};

const EXAMPLES: &str = "\
Examples:
  linksift notes.txt                 the links of a file, one a line
  linksift docs/                     of a tree: path:line:column:URI
  curl -s https://example.com/ | linksift --json
                                     one JSON object a line
  linksift --unique --no-emails src  each distinct URI once, no e-mail addresses
  linksift --schemes http,https --no-schemeless .
                                     only what begins with http:// or https://
  linksift --count *.md              how many links each file has
  linksift --rejected --show raw log what was not taken for a link, and why
  linksift check 'http://例え.jp/ %'   is it an IRI, and what URI is it?
  linksift --gitignore -t md .       the Markdown of a repository
  linksift --unique=host --tally --sort count page.html
                                     the hosts of a page, the most frequent first
  git ls-files -z | linksift -0 --files-from -

Exit status: 0 a link was found, 1 none was, 2 something went wrong.";

/// The answer to `--version`; `-V` has its first line.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let (major, minor, update) = linksift::UNICODE_VERSION;
    format!("{}\nUnicode {major}.{minor}.{update}", env!("CARGO_PKG_VERSION"))
});

/// Finds IRIs, URLs and e-mail addresses in text
///
/// Finds IRIs, URLs and e-mail addresses in running text of any language and script, and prints for
/// each the URI that it maps to.
#[derive(Debug, Parser)]
#[command(name = "linksift", version, long_version = VERSION.as_str(), after_long_help = EXAMPLES, max_term_width = 100)]
// "A first argument equal to a command's name is the command": later ones are inputs.
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
#[command(override_usage = "linksift [OPTIONS] [PATH]...\n       linksift <COMMAND>")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    #[command(flatten)]
    pub(crate) sift: Sift,
}

/// What a first argument can be; a file of such a name is written `./man`.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print a script that completes linksift's arguments in a shell
    ///
    /// Print a script that completes linksift's arguments in a shell. For bash, as an example:
    /// linksift completions bash > ~/.local/share/bash-completion/completions/linksift
    Completions {
        /// The shell
        shell: Shell,
    },
    /// Print the manual page, of a command if one is named
    ///
    /// Print the manual page, in the format of man(7), of a command if one is named: linksift man >
    /// linksift.1; linksift man check | man -l -
    Man {
        /// The command
        command: Option<String>,
    },
    /// Print the schema of the records that --json and --csv print
    Schema(SchemaArgs),
    /// Which encoding inputs are in, and where that is known from
    ///
    /// Which encoding inputs are in, and where that is known from: prints the name of each, its
    /// encoding and one of bom, declared, utf-8, detected, default, TAB between them.
    Charset(CharsetArgs),
    /// Print text as HTML with its links marked
    ///
    /// Print text as HTML with its links marked, in UTF-8: all of it escaped, with --html only what is
    /// added. Without its tags and with its references resolved the result is the text.
    Linkify(LinkifyArgs),
    /// What a string is by RFC 3987, and its neighbours
    #[command(flatten)]
    Iri(IriCommand),
}

/// Which schema is printed.
#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    /// JSON Schema of a line of --json (this is what comes if nothing is said)
    #[arg(long, conflicts_with = "sql")]
    pub(crate) json: bool,

    /// CREATE TABLE for the columns of --csv
    #[arg(long)]
    pub(crate) sql: bool,
}

/// What finds out encodings.
#[derive(Debug, Args)]
pub(crate) struct CharsetArgs {
    /// Files, and directories with all that is in them; standard input if there is none, or for "-"
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Print one JSON object a line
    #[arg(long)]
    pub(crate) json: bool,

    /// Take inputs from a list too, one a line; "-" is standard input
    #[arg(long, value_name = "FILE")]
    pub(crate) files_from: Option<PathBuf>,

    /// NUL instead of line feed, in the list of inputs and in the plain output
    #[arg(long)]
    pub(crate) null: bool,

    /// NUL instead of line feed, in the list of inputs alone
    #[arg(short = '0', long)]
    pub(crate) from0: bool,
}

/// What finds and prints links.
#[derive(Debug, Args)]
pub(crate) struct Sift {
    /// Files, and directories with all that is in them; standard input if there is none, or for "-"
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) printing: Printing,

    #[command(flatten)]
    pub(crate) finding: Finding,

    #[command(flatten)]
    pub(crate) bases: Bases,

    #[command(flatten)]
    pub(crate) walking: Walking,

    #[command(flatten)]
    pub(crate) reading: Reading,

    #[command(flatten)]
    pub(crate) opening: Opening,

    #[command(flatten)]
    pub(crate) writing: Writing,
}
