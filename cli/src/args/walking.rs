//! Options that select the files of a directory.

use clap::Args;

/// Options that select the files of a directory. Files named on the command line are always read.
#[derive(Debug, Args)]
#[command(next_help_heading = "Directories")]
pub(crate) struct Walking {
    /// Skip files that git ignores, and .git
    #[arg(long)]
    pub(crate) gitignore: bool,

    /// Read only files that match GLOB, or with '!GLOB' skip them
    ///
    /// The last glob that matches a file decides.
    #[arg(short = 'g', long, value_name = "GLOB")]
    pub(crate) glob: Vec<String>,

    /// Read only files that match GLOB, like -g GLOB
    #[arg(long, value_name = "GLOB", hide_short_help = true)]
    pub(crate) include: Vec<String>,

    /// Skip files and directories that match GLOB, like -g '!GLOB'
    #[arg(long, value_name = "GLOB", hide_short_help = true)]
    pub(crate) exclude: Vec<String>,

    /// Read only files of this type: html, md, rust, txt, ...
    ///
    /// The types are those of ripgrep (rg --type-list).
    #[arg(short = 't', long = "type", value_name = "TYPE")]
    pub(crate) types: Vec<String>,

    /// Skip files of this type
    #[arg(short = 'T', long = "type-not", value_name = "TYPE", hide_short_help = true)]
    pub(crate) types_not: Vec<String>,

    /// Skip files and directories whose names begin with a dot
    #[arg(long, hide_short_help = true)]
    pub(crate) no_hidden: bool,

    /// Follow symbolic links
    #[arg(short = 'L', long, hide_short_help = true)]
    pub(crate) follow: bool,
}
