//! Definitions of the command line arguments, with their names and defaults.
//!
//! The manual page, the completions and the help are generated from them. `settings` decides what they mean together.
//! Each group of options has its own struct and module; [`Sift`] joins them.
//!
//! The first paragraph of a doc comment is the text of `-h`, which must fit on one screen: only common options are shown
//! there, the others have `hide_short_help`. Further paragraphs appear only in `--help`.

mod bases;
mod finding;
mod linkify;
mod number;
mod opening;
mod printing;
mod reading;
mod rewrite;
mod size;
mod suggested;
mod walking;
mod writing;

use std::path::PathBuf;
use std::sync::LazyLock;

use clap::{Args, Parser, Subcommand};
use clap_complete::Shell;
use linksift::report::Field;

use crate::iri_commands::IriCommand;

pub(crate) use bases::Bases;
pub(crate) use finding::{Finding, Kind};
pub(crate) use linkify::LinkifyArgs;
pub(crate) use opening::{Archives, Binary, Opening};
pub(crate) use printing::{Key, Printing, Scope, Show, SortKey, When};
pub(crate) use reading::Reading;
pub(crate) use rewrite::RewriteArgs;
pub(crate) use walking::Walking;
pub(crate) use writing::{Counted, Histogram, Shard, Writing};

const EXAMPLES: &str = "\
Examples:
  linksift notes.txt                 list the links in a file
  linksift docs/                     search a directory: path:line:column:URI
  linksift --json docs/              print one JSON object per link
  linksift --unique --no-emails src  list each URI once, without e-mail addresses
  linksift --schemes http,https --no-schemeless .
                                     find only links with http:// or https://
  linksift --count *.md              count the links in each file
  linksift --rejected --show raw log show what was not accepted as a link, and why
  linksift --gitignore -t md .       search the Markdown files of a repository
  linksift --unique=host --tally --sort count page.html
                                     count the links to each host
  curl -s https://example.com/ | linksift --format html --base https://example.com/
                                     list the links of a web page
  git ls-files -z | linksift -0 --files-from -
                                     search the files that git tracks
  linksift check 'http://例え.jp/ %'   check whether a string is an IRI

Exit status: 0 if a link was found, 1 if none was found, 2 on an error.";

/// Output of `--version`; `-V` prints only its first line.
static VERSION: LazyLock<String> = LazyLock::new(|| {
    let (major, minor, update) = linksift::UNICODE_VERSION;
    format!("{}\nUnicode {major}.{minor}.{update}", env!("CARGO_PKG_VERSION"))
});

/// Find links in files: URLs, IRIs and e-mail addresses
///
/// linksift reads text, markup, mail, archives, PDF, documents of Office, and messages and stores of Outlook, in any
/// encoding, and prints the URI of each link. It never opens a network connection.
#[derive(Debug, Parser)]
#[command(name = "linksift", version, long_version = VERSION.as_str(), after_long_help = EXAMPLES, max_term_width = 80)]
#[command(after_help = "Use --help for all options and for examples.")]
// "A first argument equal to a command's name is the command": later ones are inputs.
#[command(args_conflicts_with_subcommands = true, disable_help_subcommand = true)]
#[command(override_usage = "linksift [OPTIONS] [PATH]...\n       linksift <COMMAND>")]
pub(crate) struct Cli {
    #[command(subcommand)]
    pub(crate) command: Option<Command>,

    #[command(flatten)]
    pub(crate) sift: Sift,
}

/// Commands. To read a file whose name is that of a command, write `./man`.
#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Print a shell completion script
    ///
    /// For bash: linksift completions bash > ~/.local/share/bash-completion/completions/linksift
    Completions {
        /// Shell that runs the script
        shell: Shell,
    },
    /// Print the manual page of linksift, or of a command
    ///
    /// The format is that of man(7). To read a page: linksift man check | man -l -
    Man {
        /// Command to describe, such as check
        command: Option<String>,
    },
    /// Print the schema of the records of --json and --csv
    Schema(SchemaArgs),
    /// Detect the encoding of files
    ///
    /// Prints one line per input, separated by TABs: its name, its encoding, and how the encoding is known (bom, declared,
    /// utf-8, detected or default).
    Charset(CharsetArgs),
    /// Convert text to HTML with links
    ///
    /// The output is UTF-8. The text is escaped; with --html, the input is HTML and only the links are added.
    Linkify(LinkifyArgs),
    /// Replace links in files
    ///
    /// Prints a unified diff and changes nothing; --write changes the files. Each link is written as its format wants it, and
    /// the result is scanned again: no other link and no other byte changes. Links that cannot be rewritten are reported
    /// with the reason; archives, compressed files, mail and PDF are not rewritten.
    ///
    /// Exit status: 0 if a link was or would be changed, 1 if none was, 2 on an error or if a link cannot be rewritten.
    Rewrite(RewriteArgs),
    #[command(flatten)]
    Iri(IriCommand),
}

/// Options of `linksift schema`.
#[derive(Debug, Args)]
pub(crate) struct SchemaArgs {
    /// Print a JSON Schema for a line of --json [default]
    #[arg(long, conflicts_with = "sql")]
    pub(crate) json: bool,

    /// Print a CREATE TABLE statement for the columns of --csv
    #[arg(long)]
    pub(crate) sql: bool,

    /// Describe these fields, as with the same option of a search
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    pub(crate) fields: Vec<Field>,

    /// Include the fields of --rejected
    #[arg(long, conflicts_with = "fields")]
    pub(crate) rejected: bool,

    /// Include the fields of --suspicious
    #[arg(long, conflicts_with = "fields")]
    pub(crate) suspicious: bool,

    /// Describe all fields that --fields can select
    #[arg(long, conflicts_with_all = ["fields", "rejected", "suspicious"])]
    pub(crate) all: bool,
}

/// Options of `linksift charset`.
#[derive(Debug, Args)]
pub(crate) struct CharsetArgs {
    /// Files and directories to search; none or "-": standard input
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Print one JSON object per line
    #[arg(long)]
    pub(crate) json: bool,

    /// Also read the inputs listed in FILE ("-": stdin)
    ///
    /// FILE has one path per line.
    #[arg(long, value_name = "FILE")]
    pub(crate) files_from: Option<PathBuf>,

    /// Use NUL instead of line feeds, in --files-from and in plain output
    #[arg(long)]
    pub(crate) null: bool,

    /// Use NUL instead of line feeds, only in --files-from
    #[arg(short = '0', long)]
    pub(crate) from0: bool,
}

/// Options of `linksift` without a command.
#[derive(Debug, Args)]
pub(crate) struct Sift {
    /// Files and directories to search; none or "-": standard input
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
