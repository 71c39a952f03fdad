//! Options of `linksift rewrite`.

use std::path::PathBuf;

use clap::{ArgGroup, Args};

use super::Walking;
use super::suggested::{CHARSETS, FORMATS};

/// Options of `linksift rewrite`.
#[derive(Debug, Args)]
#[command(group = ArgGroup::new("rules").args(["host", "map"]).required(true).multiple(true))]
pub(crate) struct RewriteArgs {
    /// Files and directories to rewrite
    #[arg(value_name = "PATH", required = true)]
    pub(crate) paths: Vec<PathBuf>,

    /// Replace the host OLD by NEW in links and in hosts without a scheme
    ///
    /// Port, path and everything else stay. The host must be OLD exactly; *.OLD matches the hosts below OLD, and *.NEW keeps
    /// their labels. The first option that matches decides.
    #[arg(long, value_name = "OLD=NEW")]
    pub(crate) host: Vec<String>,

    /// Replace whole URIs as FILE says: OLD, a TAB and NEW on each line
    ///
    /// URIs are compared in normal form, without fragments: the fragment of a link stays, unless NEW has one.
    #[arg(long, value_name = "FILE")]
    pub(crate) map: Option<PathBuf>,

    /// Change the files, and print their names instead of the differences
    #[arg(long)]
    pub(crate) write: bool,

    /// Also rewrite e-mail addresses
    #[arg(long)]
    pub(crate) emails: bool,

    /// Also rewrite links in code
    ///
    /// Code is source code and settings, and in Markdown and HTML blocks and spans of code. Without this option, a notice gives the
    /// number of links in code that would be rewritten.
    #[arg(long)]
    pub(crate) code: bool,

    /// Read the files as FORMAT; auto: detect it
    #[arg(long, value_name = "FORMAT", default_value = "auto", value_parser = FORMATS,
        hide_possible_values = true)]
    pub(crate) format: String,

    /// Read the files in this encoding instead of detecting it
    #[arg(long, value_name = "LABEL", value_parser = CHARSETS, hide_possible_values = true)]
    pub(crate) charset: Option<String>,

    #[command(flatten)]
    pub(crate) walking: Walking,
}
