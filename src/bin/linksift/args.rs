//! Arguments as they are written: what there is, what it is called, what it is by default.
//!
//! What they mean together is `settings`' business. The man page, the completions and the help are
//! made of these definitions.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use clap_complete::Shell;

use crate::iri_commands::IriCommand;

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
  find . -name '*.rst' -print0 | linksift --null --files-from - | xargs -0 -n1 echo

Exit status: 0 a link was found, 1 none was, 2 something went wrong.";

/// Finds IRIs, URLs and e-mail addresses in text
///
/// Finds IRIs, URLs and e-mail addresses in running text of any language and script, and prints for
/// each the URI that it maps to.
#[derive(Debug, Parser)]
#[command(version, after_long_help = EXAMPLES, max_term_width = 100)]
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
    /// Print the manual page
    ///
    /// Print the manual page, in the format of man(7): linksift man > linksift.1
    Man,
    /// Which encoding inputs are in, and where that is known from
    ///
    /// Which encoding inputs are in, and where that is known from: prints the name of each, its
    /// encoding and one of bom, declared, utf-8, detected, default, TAB between them.
    Charset(CharsetArgs),
    /// What a string is by RFC 3987, and its neighbours
    #[command(flatten)]
    Iri(IriCommand),
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
}

/// What finds and prints links.
#[derive(Debug, Args)]
pub(crate) struct Sift {
    /// Files, and directories with all that is in them; standard input if there is none, or for "-"
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Print one JSON object a line
    #[arg(long, group = "form", help_heading = "Output")]
    pub(crate) json: bool,

    /// Print comma-separated values, with a header
    #[arg(long, group = "form", help_heading = "Output")]
    pub(crate) csv: bool,

    /// Print only the number of links of each input
    #[arg(long, group = "form", help_heading = "Output")]
    pub(crate) count: bool,

    /// Which form of a link the plain output shows: the URI, the IRI, or what is written
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Show::Uri, help_heading = "Output")]
    pub(crate) show: Show,

    /// Print path, line and column in front of each link [default: with several inputs]
    #[arg(short = 'H', long, overrides_with = "no_filename", help_heading = "Output")]
    pub(crate) with_filename: bool,

    /// Never print path, line and column
    #[arg(short = 'I', long, overrides_with = "with_filename", help_heading = "Output")]
    pub(crate) no_filename: bool,

    /// Print what looked like a link and is none too, with the reason
    #[arg(long, help_heading = "Output")]
    pub(crate) rejected: bool,

    /// Print each distinct URI once, where it occurs first
    #[arg(long, help_heading = "Output")]
    pub(crate) unique: bool,

    /// When to colour the plain output
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto, help_heading = "Output")]
    pub(crate) color: When,

    /// When to show progress on standard error
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = When::Auto, help_heading = "Output")]
    pub(crate) progress: When,

    /// Which schemes are links: names with commas between them, "known", or "any"
    #[arg(long, value_name = "LIST", default_value = "known", help_heading = "Links")]
    pub(crate) schemes: String,

    /// Leave out hosts without a scheme, such as example.com/x
    #[arg(long, help_heading = "Links")]
    pub(crate) no_schemeless: bool,

    /// Leave out e-mail addresses, with and without "mailto:"
    #[arg(long, help_heading = "Links")]
    pub(crate) no_emails: bool,

    /// The scheme given to hosts without one
    #[arg(long, value_name = "SCHEME", default_value = "https", help_heading = "Links")]
    pub(crate) default_scheme: String,

    /// Where links end: with the rules for prose in scripts without spaces, or by UTS #58 alone
    #[arg(long, value_enum, value_name = "RULES", default_value_t = Boundaries::Prose, help_heading = "Links")]
    pub(crate) boundaries: Boundaries,

    /// Whether numeric character references (&#46;) are resolved
    #[arg(long, value_enum, value_name = "WHEN", default_value_t = References::Auto, help_heading = "Links")]
    pub(crate) references: References,

    /// How a host that is not ASCII is mapped: by IDNA, percent-encoded, or not at all
    #[arg(long, value_enum, value_name = "FORM", default_value_t = Host::Ascii, help_heading = "Links")]
    pub(crate) host: Host,

    /// What becomes of ASCII that URIs forbid, inside a link: percent-encode it, or refuse the link
    #[arg(long, value_enum, value_name = "WHAT", default_value_t = Forbidden::Encode, help_heading = "Links")]
    pub(crate) forbidden: Forbidden,

    /// The charset of an http link's query: the document's, if it is in a legacy one, or always UTF-8
    #[arg(long, value_enum, value_name = "WHICH", default_value_t = QueryCharset::Auto, help_heading = "Links")]
    pub(crate) query_charset: QueryCharset,

    /// The longest link; what is longer is refused
    #[arg(long, value_name = "BYTES", default_value_t = linksift::DEFAULT_MAX_LINK, help_heading = "Links")]
    pub(crate) max_link: usize,

    /// What relative references in markup are resolved against; a <base href> is resolved against it
    /// first
    #[arg(long, value_name = "IRI", help_heading = "Links")]
    pub(crate) base: Option<String>,

    /// In markup, only attributes and the like, not running text
    #[arg(long, help_heading = "Links")]
    pub(crate) no_text: bool,

    /// What the inputs are: auto (by their names, then by how they begin), text, html, xml, css,
    /// json or markdown
    #[arg(long, value_name = "FORMAT", default_value = "auto", help_heading = "Input")]
    pub(crate) format: String,

    /// What the inputs are encoded in, by any label of the WHATWG Encoding Standard, as a header of
    /// HTTP or MIME would say; a byte order mark goes before it. Found out if not given: see
    /// `linksift charset`
    #[arg(long, value_name = "LABEL", help_heading = "Input")]
    pub(crate) charset: Option<String>,

    /// Take inputs from a list too, one a line; "-" is standard input
    #[arg(long, value_name = "FILE", help_heading = "Input")]
    pub(crate) files_from: Option<PathBuf>,

    /// NUL instead of line feed, in the list of inputs and in the plain output
    #[arg(long, help_heading = "Input")]
    pub(crate) null: bool,

    /// How many threads to use; 0: one for each core
    #[arg(short = 'j', long, value_name = "N", default_value_t = 0, help_heading = "Input")]
    pub(crate) threads: usize,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Show {
    Uri,
    Iri,
    Raw,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum When {
    Auto,
    Never,
    Always,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Boundaries {
    Prose,
    Uts58,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum References {
    Auto,
    Never,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Host {
    Ascii,
    Percent,
    Unicode,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum QueryCharset {
    Auto,
    #[value(name = "utf-8")]
    Utf8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Forbidden {
    Encode,
    Refuse,
}
