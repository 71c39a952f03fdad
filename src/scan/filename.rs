//! Names of files that look like hosts: `main.rs`, `setup.py`, `README.md`.
//!
//! Only for a host of exactly two labels with no path and no query behind it. Which endings count was
//! settled by measuring on documentation, man pages and changelogs (README, "What is a link").

/// The longest ending that counts: `properties`.
const LONGEST: usize = 10;

/// Whether the ending, in lower case, is far more often that of a file's name than a domain when it
/// stands behind one label and nothing follows.
fn is_ending(lower: &[u8]) -> bool {
    matches!(
        lower,
        b"cc"
            | b"la"
            | b"md"
            | b"mk"
            | b"ml"
            | b"mm"
            | b"mo"
            | b"mov"
            | b"pl"
            | b"pm"
            | b"properties"
            | b"ps"
            | b"py"
            | b"rs"
            | b"sh"
            | b"so"
            | b"st"
            | b"tf"
            | b"zip"
    )
}

/// Whether `name.lower` is a file known by its whole name, whose ending is rather a domain elsewhere.
fn is_known_file(name: &[u8], lower: &[u8]) -> bool {
    let is = |file: &str| name.eq_ignore_ascii_case(file.as_bytes());
    match lower {
        b"in" => is("configure") || is("makefile") || is("config"),
        b"ac" => is("configure"),
        b"am" => is("makefile"),
        _ => false,
    }
}

/// Whether `name.ending`, of two labels, is rather the name of a file.
pub(crate) fn is_file_name(name: &[u8], ending: &[u8]) -> bool {
    let mut lower = [0; LONGEST];
    let Some(lower) = lower.get_mut(..ending.len()) else { return false };
    for (to, from) in lower.iter_mut().zip(ending) {
        *to = from.to_ascii_lowercase();
    }
    (is_ending(lower) || is_known_file(name, lower)) && !name.eq_ignore_ascii_case(b"www")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_case_and_whole_names() {
        assert!(is_file_name(b"main", b"RS") && is_file_name(b"Makefile", b"AM"));
        assert!(is_file_name(b"log4j", b"properties") && is_file_name(b"configure", b"in"));
        assert!(!is_file_name(b"www", b"rs") && !is_file_name(b"example", b"in"));
        assert!(!is_file_name(b"example", b"construction"));
    }
}
