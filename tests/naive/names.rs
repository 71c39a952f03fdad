//! Which two-label hosts are names of files.

use super::host::labels;

/// Common file endings that are top-level domains too.
const ENDINGS: &str = "cc la md mk ml mm mo mov pl pm properties ps py rs sh so st tf zip";

/// Files whose whole name is known, lower case.
const FILES: [&str; 5] =
    ["config.in", "configure.ac", "configure.in", "makefile.am", "makefile.in"];

pub(super) fn is_file_name(host: &str) -> bool {
    let host = host.to_ascii_lowercase();
    let labels = labels(&host);
    let [name, ending] = labels.as_slice() else {
        return false;
    };
    *name != "www"
        && (ENDINGS.split(' ').any(|one| one == *ending) || FILES.contains(&host.as_str()))
}
