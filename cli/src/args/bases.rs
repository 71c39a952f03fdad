//! Options for the bases of relative references and for single inputs.

use std::path::PathBuf;

use clap::Args;

/// Options for bases that no document declares, and for single inputs.
#[derive(Debug, Args)]
#[command(next_help_heading = "Input")]
pub(crate) struct Bases {
    /// Resolve relative references in markup against IRI
    ///
    /// A <base href> is resolved against it first. "file": each file's own file: IRI.
    #[arg(long, value_name = "IRI")]
    pub(crate) base: Option<String>,

    /// Use IRI as the base of files below DIR
    ///
    /// The base of a file is IRI with the path of the file below DIR appended. The innermost DIR applies.
    #[arg(long, value_name = "DIR=IRI", hide_short_help = true)]
    pub(crate) base_dir: Vec<String>,

    /// Also read the inputs listed in FILE, a table separated by TABs
    ///
    /// The columns are path, base, charset, type (a format or a media type) and label, in this order unless the first line names
    /// them. An empty field counts as absent.
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    pub(crate) manifest: Option<PathBuf>,

    /// Call standard input NAME in the output
    ///
    /// The extension of NAME determines the format, as it does for files.
    #[arg(long, value_name = "NAME", hide_short_help = true)]
    pub(crate) label: Option<PathBuf>,
}
