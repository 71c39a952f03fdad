//! Which files of a directory are read.

use clap::Args;

/// The rules of walks. What is named is read whatever they say.
#[derive(Debug, Args)]
#[command(next_help_heading = "Walks")]
pub(crate) struct Walking {
    /// Leave out what git ignores, and .git
    #[arg(long)]
    pub(crate) gitignore: bool,

    /// Only files that fit this glob; with ! in front none of those. The last that fits counts
    #[arg(short = 'g', long, value_name = "GLOB")]
    pub(crate) glob: Vec<String>,

    /// Only files that fit this glob: as -g GLOB
    #[arg(long, value_name = "GLOB")]
    pub(crate) include: Vec<String>,

    /// No files and directories that fit this glob: as -g '!GLOB'
    #[arg(long, value_name = "GLOB")]
    pub(crate) exclude: Vec<String>,

    /// Only files of this type, as rg names them: html, md, rust, txt ...
    #[arg(short = 't', long = "type", value_name = "TYPE")]
    pub(crate) types: Vec<String>,

    /// No files of this type
    #[arg(short = 'T', long = "type-not", value_name = "TYPE")]
    pub(crate) types_not: Vec<String>,

    /// Leave out files and directories whose names begin with a dot
    #[arg(long)]
    pub(crate) no_hidden: bool,

    /// Follow symbolic links
    #[arg(short = 'L', long)]
    pub(crate) follow: bool,
}
