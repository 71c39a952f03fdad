//! Which two-label hosts are names of files.

use super::host::labels;

/// Common file endings that are top-level domains too.
const ENDINGS: [&str; 15] =
    ["rs", "py", "md", "sh", "pl", "pm", "so", "cc", "ps", "st", "zip", "mov", "ml", "mk", "tf"];

/// Files whose whole name is known, lower case.
const FILES: [&str; 4] = ["configure.in", "configure.ac", "makefile.am", "makefile.in"];

pub(super) fn is_file_name(host: &str) -> bool {
    let host = host.to_ascii_lowercase();
    let labels = labels(&host);
    let [name, ending] = labels.as_slice() else {
        return false;
    };
    *name != "www" && (ENDINGS.contains(ending) || FILES.contains(&host.as_str()))
}
