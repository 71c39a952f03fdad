//! What is marked in a text that becomes HTML, and how.

use std::path::PathBuf;

use clap::Args;
use linksift::html::{Newlines, OnSuspect};

use super::reading::words;

/// What is marked, and how.
#[derive(Debug, Args)]
pub(crate) struct LinkifyArgs {
    /// Files, one after the other; standard input if there is none, or for "-"
    #[arg(value_name = "PATH")]
    pub(crate) paths: Vec<PathBuf>,

    /// The input is HTML: mark bare links in its text, outside of a, script and style
    #[arg(long)]
    pub(crate) html: bool,

    /// The attribute class of links
    #[arg(long, value_name = "NAMES", default_value = "")]
    pub(crate) class: String,

    /// The attribute target of links
    #[arg(long, value_name = "NAME", default_value = "")]
    pub(crate) target: String,

    /// The attribute rel of links; none if it is empty
    #[arg(long, value_name = "NAMES", default_value = "noopener noreferrer")]
    pub(crate) rel: String,

    /// The schemes of links that are marked, with commas between; never javascript and its like
    #[arg(
        long,
        value_name = "LIST",
        value_delimiter = ',',
        default_value = "http,https,mailto,ftp,xmpp,matrix,tel"
    )]
    pub(crate) schemes: Vec<String>,

    /// Line ends stay, or have a <br> before them
    #[arg(long, value_name = "WHAT", default_value_t = Newlines::default(), value_parser = words::<Newlines>(["keep", "break"]))]
    pub(crate) newlines: Newlines,

    /// Put lines that begin with ">" into blockquote elements
    #[arg(long)]
    pub(crate) citations: bool,

    /// Mark links in <...> that are broken over lines as one
    #[arg(long)]
    pub(crate) join_wrapped: bool,

    /// Links that are suspect or deceptive are links like others, have that as a class and a title that says
    /// why, or stay text
    #[arg(long, value_name = "WHAT", default_value_t = OnSuspect::default(), value_parser = words::<OnSuspect>(["link", "mark", "text"]))]
    pub(crate) on_suspect: OnSuspect,

    /// Put the registered part of a link's host into a b element
    #[arg(long)]
    pub(crate) emphasize_host: bool,

    /// Put no bdi elements around links in texts of right-to-left scripts
    #[arg(long)]
    pub(crate) no_isolate: bool,

    /// What the input is encoded in; found out if not given
    #[arg(long, value_name = "LABEL")]
    pub(crate) charset: Option<String>,
}
