//! Names of files that look like hosts: `main.rs`, `setup.py`, `README.md`.
//!
//! Only for a host of exactly two labels with no path and no query behind it. Which endings count was
//! settled by measuring on documentation, man pages and changelogs (README, "What is a link").

/// Top-level domains that are far more often the ending of a file's name, or a member of something
/// in code, than a domain when they stand behind one label and nothing follows. Sorted.
#[rustfmt::skip]
const ENDINGS: [&str; 62] = [
    "ai", "am", "app", "as", "bar", "bz", "cat", "cc", "cf", "cl", "cr", "data", "db", "do", "ec", "es",
    "fm", "fo", "gs", "id", "im", "in", "inc", "is", "la", "link", "ls", "lua", "ly", "md", "mk", "ml",
    "mm", "mo", "mov", "name", "ne", "new", "nl", "pa", "pl", "pm", "pn", "properties", "ps", "pub", "py",
    "rs", "run", "sc", "sh", "so", "st", "sv", "target", "td", "tf", "tk", "tm", "tt", "zip", "zone",
];

/// Whether `name.ending`, of two labels, is rather the name of a file.
pub(crate) fn is_file_name(name: &[u8], ending: &[u8]) -> bool {
    if name.eq_ignore_ascii_case(b"www") {
        return false;
    }
    ENDINGS.iter().any(|known| known.as_bytes().eq_ignore_ascii_case(ending))
}
