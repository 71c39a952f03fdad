//! Options of `linksift linkify`.

use std::path::PathBuf;

use clap::Args;
use linksift::html::{Newlines, OnSuspect};

use super::reading::words;

/// Options of `linksift linkify`.
#[derive(Debug, Args)]
pub(crate) struct LinkifyArgs {
    /// Read these files in sequence; standard input if none, or for "-"
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// Read HTML: mark bare links in its text, outside a, script and style
    #[arg(long)]
    pub(crate) html: bool,

    /// Set the class attribute of links
    #[arg(long, value_name = "NAMES", default_value = "")]
    pub(crate) class: String,

    /// Set the target attribute of links
    #[arg(long, value_name = "NAME", default_value = "")]
    pub(crate) target: String,

    /// Set the rel attribute of links; empty: none
    #[arg(long, value_name = "NAMES", default_value = "noopener noreferrer")]
    pub(crate) rel: String,

    /// Mark only links with these schemes
    ///
    /// LIST has commas between the names. javascript and similar schemes are never marked.
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "http,https,mailto,ftp,xmpp,matrix,tel"
    )]
    pub(crate) schemes: Vec<String>,

    /// Keep line ends as they are, or put <br> before them
    #[arg(long, value_name = "WHAT", default_value_t = Newlines::default(), value_parser = words::<Newlines>(["keep", "break"]))]
    pub(crate) newlines: Newlines,

    /// Put lines that begin with ">" into blockquote elements
    #[arg(long)]
    pub(crate) citations: bool,

    /// Mark links in <...> that are broken over several lines as one
    #[arg(long)]
    pub(crate) join_wrapped: bool,

    /// Treat suspect and deceptive links as other links, mark them, or keep text
    ///
    /// mark: adds a class, and a title that gives the reason. text: leaves the link as text.
    #[arg(long, value_name = "WHAT", default_value_t = OnSuspect::default(), value_parser = words::<OnSuspect>(["link", "mark", "text"]))]
    pub(crate) on_suspect: OnSuspect,

    /// Put the registered domain of a link's host into a b element
    #[arg(long)]
    pub(crate) emphasize_host: bool,

    /// Do not put bdi elements around links in right-to-left text
    #[arg(long)]
    pub(crate) no_isolate: bool,

    /// Read the input in this encoding instead of detecting it
    #[arg(long, value_name = "LABEL")]
    pub(crate) charset: Option<String>,
}
