//! Names of files that look like hosts: `main.rs`, `setup.py`, `README.md`.
//!
//! Only for a host of exactly two labels with no path and no query behind it. Which endings count was
//! settled by measuring on documentation, man pages and changelogs (README, "What is a link").

/// Top-level domains that are far more often the ending of a file's name, or a member of something
/// in code, than a domain when they stand behind one label and nothing follows. Sorted.
#[rustfmt::skip]
const ENDINGS: [&str; 19] = [
    "cc", "la", "md", "mk", "ml", "mm", "mo", "mov", "pl", "pm", "properties", "ps", "py", "rs", "sh",
    "so", "st", "tf", "zip",
];

/// Files known by their whole names, whose endings are rather domains elsewhere. Sorted.
const FILES: [&str; 5] =
    ["config.in", "configure.ac", "configure.in", "makefile.am", "makefile.in"];

/// Whether `name.ending`, of two labels, is rather the name of a file.
pub(crate) fn is_file_name(name: &[u8], ending: &[u8]) -> bool {
    if name.eq_ignore_ascii_case(b"www") {
        return false;
    }
    let is_file = |file: &&str| {
        let (file_name, file_ending) = file.split_once('.').unwrap_or_default();
        name.eq_ignore_ascii_case(file_name.as_bytes())
            && ending.eq_ignore_ascii_case(file_ending.as_bytes())
    };
    ENDINGS.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(ending))
        || FILES.iter().any(|file| is_file(&file))
}
