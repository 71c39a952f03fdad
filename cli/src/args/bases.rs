//! What relative references are resolved against, and what else is known of single inputs.

use std::path::PathBuf;

use clap::Args;

/// Where bases come from that no document declares.
#[derive(Debug, Args)]
#[command(next_help_heading = "Bases")]
pub(crate) struct Bases {
    /// What relative references in markup are resolved against; a <base href> is resolved against it
    /// first. "file": each file's own file: IRI
    #[arg(long, value_name = "IRI")]
    pub(crate) base: Option<String>,

    /// Each file below DIR has a base of its own: IRI with the file's path below DIR after it
    #[arg(long, value_name = "DIR=IRI")]
    pub(crate) base_dir: Vec<String>,

    /// Take inputs from a table too, TAB between: path, base, charset, type (a format or a media
    /// type), label; what is empty is not said
    #[arg(long, value_name = "FILE")]
    pub(crate) manifest: Option<PathBuf>,

    /// What standard input is called in the output; its ending says what it is, as a file's
    #[arg(long, value_name = "NAME")]
    pub(crate) label: Option<PathBuf>,
}
