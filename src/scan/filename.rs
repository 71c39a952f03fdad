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

/// Length of the longest ending.
const LONGEST: usize = 10;

/// Files known by their whole names, whose endings are rather domains elsewhere. Sorted.
const FILES: [&str; 5] =
    ["config.in", "configure.ac", "configure.in", "makefile.am", "makefile.in"];

/// Whether `name.ending`, of two labels, is rather the name of a file.
pub(crate) fn is_file_name(name: &[u8], ending: &[u8]) -> bool {
    if name.eq_ignore_ascii_case(b"www") {
        return false;
    }
    let mut lower = [0; LONGEST];
    let Some(lower) = lower.get_mut(..ending.len()) else { return false };
    for (to, from) in lower.iter_mut().zip(ending) {
        *to = from.to_ascii_lowercase();
    }
    let is_file = |file: &&str| {
        let (file_name, file_ending) = file.split_once('.').unwrap_or_default();
        file_ending.as_bytes() == lower && name.eq_ignore_ascii_case(file_name.as_bytes())
    };
    ENDINGS.binary_search_by(|known| known.as_bytes().cmp(lower)).is_ok()
        || FILES.iter().any(|file| is_file(&file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lists_are_sorted_and_nothing_is_longer_than_said() {
        assert!(ENDINGS.is_sorted() && FILES.is_sorted());
        let ending = |file: &str| file.rsplit('.').next().map_or(0, str::len);
        assert_eq!(ENDINGS.iter().chain(&FILES).map(|f| ending(f)).max(), Some(LONGEST));
    }

    #[test]
    fn any_case_and_whole_names() {
        assert!(is_file_name(b"main", b"RS") && is_file_name(b"configure", b"in"));
        assert!(!is_file_name(b"www", b"rs") && !is_file_name(b"example", b"in"));
    }
}
